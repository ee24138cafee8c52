/* The whole way of a table file: subdefine, lay out, encode, write under a temporary name, read back,
 * compare, rename.
 *
 * A file gets its name only after every legal position, restored from the written bytes by the rules that the
 * prober uses, equals the exact value (values/compare.c).
 *
 * Both sides to move are coded at once, or, where that could take more memory than may be taken, one after
 * the other: then one side's symbols are in memory, beside the exact values as they are held and blocks of
 * the endings that conversions lead to. */
#include "config.h"
#include "base/words.h"
#include "recode/recode_internal.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Bytes of a slot, packed: exact values, and what a slot may hold, which is of more kinds. */
static const struct {
  double exact, judged;
} packed[] = { { 0.25, 0.5 }, { 0.9, 1.1 } }; /* of results, of plies */

/* What there is besides: the program, and some blocks of the endings that conversions lead to; for each more
 * thread what it decodes. */
enum { PROGRAM_BYTES = 32 << 20, THREAD_BYTES = 10 << 20 };

/* One side that is not to share a stream with the other, judged once, in the generator's layout. */
static int prepare_side (const sd_values *s, const sd_exact *e, const sd_table_spec *spec, unsigned side,
                         const sd_progress *progress, sd_subdefined **d, sd_error *err) {
  const sd_stored what = SD_STORED_OF (spec, side);
  const sd_layout *layout = &spec->side[side].layout;
  SD_OWN (sd_indexer) *ix = NULL;
  if (sd_layout_equal (sd_indexer_layout (e->indexer), layout))
    return sd_subdefine (s, e, &what, progress, d, err);
  SD_TRY (sd_indexer_new (layout, &ix, err));
  return sd_subdefine_in (s, e, &what, ix, progress, d, err);
}

/* Both sides, to be one stream: symbols of either mean the same. */
static int prepare_joint (const sd_values *s, const sd_exact *e, const sd_table_spec *spec,
                          const sd_progress *progress, sd_subdefined *d[2], sd_error *err) {
  const sd_layout *layout = &spec->side[0].layout;
  SD_OWN (sd_indexer) *ix = NULL;
  SD_TRY (sd_subdefine_both (s, e, &SD_STORED (spec, 0), progress, d, err));
  if (sd_layout_equal (sd_indexer_layout (e->indexer), layout))
    return SD_OK;
  SD_TRY (sd_indexer_new (layout, &ix, err));
  for (unsigned side = 0; side < 2; side++) {
    sd_subdefined *laid;
    SD_TRY (sd_subdefined_relayout (d[side], e->indexer, ix, &laid, err));
    sd_subdefined_free (d[side]);
    d[side] = laid;
  }
  return SD_OK;
}

int sd_table_prepare (const sd_values *s, const sd_exact *e, const sd_table_spec *spec,
                      const sd_progress *progress, sd_subdefined *d[2], sd_error *err) {
  if (sd_table_joint (spec))
    return prepare_joint (s, e, spec, progress, d, err);
  for (unsigned side = 0; side < e->nsides; side++)
    if (sd_table_sides (spec) >> side & 1)
      SD_TRY (prepare_side (s, e, spec, side, progress, &d[side], err));
  return SD_OK;
}

/* The table is opened as any reader's would be, with all checksums compared. */
static int write_and_compare (sd_outfile *f, sd_buf *image, const char *path, const sd_comparer *with,
                              sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  sd_table *t;
  SD_TRY (sd_outfile_write (f, image->data, image->len, err));
  /* From here on the file is what counts; the memory is given back. */
  sd_buf_free (image);
  SD_TRY (sd_outfile_sync (f, err));
  SD_TRY (sd_map_open (sd_outfile_temp_name (f), &map, err));
  SD_TRY (sd_table_open_memory (map.data, map.len, path, SD_OPEN_CHECK, &t, err));
  const int st = with->compare (with->ctx, t, err);
  sd_table_close (t);
  return st;
}

/* st: of what made the image; with any failure the temporary file goes. Both image and f are taken. */
int sd_written_end (sd_outfile *f, sd_buf *image, const char *path, int st, const sd_comparer *with,
                    sd_error *err) {
  if (st == SD_OK)
    st = write_and_compare (f, image, path, with, err);
  sd_buf_free (image);
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}

/* What the file is compared with. */
typedef struct source {
  const sd_values *s;
  const sd_exact *e;
  const sd_progress *progress;
} source;

static int compare (const void *ctx, const sd_table *t, sd_error *err) {
  const source *what = ctx;
  return sd_values_compare (what->s, t, what->e, what->progress, err);
}

/* Can one side after the other be coded? */
static bool can_take_turns (const sd_table_spec *spec) {
  return !spec->format && !sd_table_joint (spec) && sd_table_sides (spec) == SD_SIDES_BOTH
         && spec->sides != SD_SIDES_ONE && !sd_material_symmetric (&spec->material);
}

/* Bytes that one side takes while it is coded: its symbols, and beside these either what they were laid out
 * from, or what the codec takes, or a bit for each side's slots while it is compared. copies: of its symbols,
 * which codecs other than diagrams write to. */
static int side_memory (const sd_table_spec *spec, unsigned side, uint64_t n, bool copies, unsigned threads,
                        double *out, sd_error *err) {
  const bool plies = sd_metrics[spec->metric].plies;
  const double judged = packed[plies].judged * (double) n;
  const sd_codec *codec = spec->side[side].codec;
  SD_OWN (sd_indexer) *ix = NULL;
  SD_TRY (sd_indexer_new (&spec->side[side].layout, &ix, err));
  double slots = (double) sd_indexer_size (ix);
  /* A part is judged and laid out at once. */
  if (spec->parts > 1) {
    sd_cut cut;
    sd_cut_make (ix, spec->parts, &cut);
    slots = (double) cut.slots;
    copies = false;
  }
  const double coded =
      sd_codec_memory (codec, plies, slots, threads) + (copies ? sizeof (sd_symbol) * slots : 0);
  *out = sizeof (sd_symbol) * slots + (coded > judged || spec->parts > 1 ? coded : judged);
  /* What is judged of the whole file while it is compared. */
  if (spec->parts > 1 && *out < judged)
    *out = judged;
  return SD_OK;
}

int sd_table_memory (const sd_table_spec *spec, uint64_t n, bool at_once, uint64_t *out, sd_error *err) {
  const unsigned sides = sd_table_sides (spec), nsides = sd_material_symmetric (&spec->material) ? 1 : 2;
  const bool joint = sd_table_joint (spec), turns = spec->parts > 1 || (!at_once && can_take_turns (spec));
  const double exact = packed[sd_metrics[spec->metric].plies].exact;
  double of[2] = { 0, 0 };
  int threads = 1;
#ifdef _OPENMP
  threads = omp_get_max_threads ();
#endif
  /* Both sides share them. */
  const unsigned of_side =
      (unsigned) (turns || joint || sides != SD_SIDES_BOTH ? threads : (threads + 1) / 2);
  for (unsigned side = 0; side < 2; side++)
    if (sides >> side & 1)
      SD_TRY (side_memory (spec, joint ? 0 : side, n, !turns, of_side, &of[side], err));
  const double coded = turns ? of[of[1] > of[0]] : of[0] + of[1];
  *out = (uint64_t) (exact * nsides * (double) n + coded) + PROGRAM_BYTES
         + (uint64_t) (threads - 1) * THREAD_BYTES;
  return SD_OK;
}

int sd_table_takes_turns (const sd_exact *e, const sd_table_spec *spec, bool *out, sd_error *err) {
  uint64_t bytes = 0;
  int threads = 1;
#ifdef _OPENMP
  threads = omp_get_max_threads ();
#endif
  *out = can_take_turns (spec);
  if (!*out || threads == 1)
    return SD_OK;
  SD_TRY (sd_table_memory (spec, e->n, true, &bytes, err));
  *out = spec->memory && bytes > spec->memory;
  return SD_OK;
}

/* In how many parts the table keeps its bound; 0: in none. */
static unsigned parts_within (const sd_exact *e, const sd_table_spec *spec, uint64_t *bytes) {
  sd_table_spec cut = *spec;
  for (cut.parts = 2 * (spec->parts ? spec->parts : 1); cut.parts <= SD_MOST_PARTS; cut.parts *= 2)
    if (sd_parts_check (&cut, NULL) != SD_OK || sd_table_memory (&cut, e->n, false, bytes, NULL) != SD_OK)
      return 0;
    else if (*bytes <= spec->memory)
      return cut.parts;
  return 0;
}

/* A bound is kept, or refused before anything is judged. */
static int check_memory (const sd_exact *e, const sd_table_spec *spec, sd_error *err) {
  uint64_t bytes, cut_bytes;
  char name[16], takes[32], may[32], text[32], in_parts[100] = "";
  if (!spec->memory)
    return SD_OK;
  SD_TRY (sd_table_memory (spec, e->n, false, &bytes, err));
  if (bytes <= spec->memory)
    return SD_OK;
  sd_material_name (&spec->material, name);
  const unsigned parts = parts_within (e, spec, &cut_bytes);
  if (parts)
    snprintf (in_parts, sizeof in_parts, "; in parts (--parts %u) it takes some %s", parts,
              sd_text_count (cut_bytes, text));
  return sd_fail (err, SD_ENOMEM,
                  "%s: takes some %s bytes of memory by codec %s, and may take %s; of WDL huffman "
                  "and repair take least%s",
                  name, sd_text_count (bytes, takes), spec->side[!spec->side[0].codec].codec->name,
                  sd_text_count (spec->memory, may), in_parts);
}

static int code_in_turn (const sd_values *s, const sd_exact *e, const sd_table_spec *spec,
                         const sd_progress *progress, sd_buf *out, sd_error *err) {
  SD_OWN_SIDES *d[2] = { NULL, NULL };
  sd_buf stream[2] = { { 0 }, { 0 } };
  int st = SD_OK;
  for (unsigned side = 0; side < 2 && st == SD_OK; side++) {
    st = prepare_side (s, e, spec, side, progress, &d[side], err);
    if (st == SD_OK)
      st = sd_table_code_side (spec, d[side], side, progress, &stream[side], err);
  }
  if (st == SD_OK)
    st = sd_table_put (spec, (const sd_subdefined *const *) d, stream, out, err);
  sd_buf_free (&stream[0]);
  sd_buf_free (&stream[1]);
  return st;
}

/* SD_SIDES_ONE: each side is coded as if it were alone, and the smaller image stays. */
int sd_table_code (const sd_values *s, const sd_exact *e, const sd_table_spec *spec,
                   const sd_progress *progress, sd_buf *out, sd_error *err) {
  SD_OWN_SIDES *d[2] = { NULL, NULL };
  bool turns;
  SD_TRY (sd_table_spec_check (spec, err));
  SD_TRY (check_memory (e, spec, err));
  SD_TRY (sd_table_takes_turns (e, spec, &turns, err));
  if (turns)
    return code_in_turn (s, e, spec, progress, out, err);
  SD_TRY (sd_table_prepare (s, e, spec, progress, d, err));
  if (spec->sides != SD_SIDES_ONE || e->nsides < 2)
    return sd_table_image (spec, (const sd_subdefined *const *) d, progress, out, err);
  for (unsigned side = 0; side < 2; side++) {
    sd_table_spec alone = *spec;
    SD_RELEASED_BY (sd_buf_free) sd_buf image = { 0 };
    /* White's side first: of two equal ones it stays. */
    alone.sides = SD_SIDES_WHITE + side;
    SD_TRY (sd_table_image (&alone, (const sd_subdefined *const *) d, progress, &image, err));
    if (side == 0 || image.len < out->len) {
      const sd_buf other = *out;
      *out = image;
      image = other;
    }
  }
  return SD_OK;
}

int sd_table_build (const sd_values *s, const sd_table_spec *spec, const char *path,
                    const sd_progress *progress, sd_error *err) {
  const sd_exact *e = sd_values_find (s, &spec->material);
  char name[16];
  sd_material_name (&spec->material, name);
  if (!e)
    return sd_fail (err, SD_ENOENT, "%s: its exact values are not loaded", name);
  const sd_comparer with = { compare, &(source){ s, e, progress } };
  if (spec->parts > 1) {
    SD_TRY (sd_table_spec_check (spec, err));
    SD_TRY (check_memory (e, spec, err));
    return sd_parts_build (s, e, spec, path, &with, progress, err);
  }
  sd_outfile *f = NULL;
  sd_buf image = { 0 };
  /* the name first: an unwritable folder is told before the work, not after it */
  SD_TRY (sd_outfile_open (path, &f, err));
  const int st = sd_table_code (s, e, spec, progress, &image, err);
  return sd_written_end (f, &image, path, st, &with, err);
}
