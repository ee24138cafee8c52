/* A table whose sides are coded in parts, by one program or by several, on one machine or on many.
 *
 * A part holds all slots with some values of the first digits, and becomes a piece of the stream
 * (codecs/stream/pieces.c), with a dictionary or forest of its own. Only the slots of a part are judged, laid
 * out and coded at a time, so that memory follows the part and not the table, besides the exact values as
 * they are held. Its stream is kept in a file in PATH.parts until all are there. So the programs that share
 * the work need no messages: a part is claimed by a lock on a file of its name, which is free again when its
 * holder is gone, however it ends; what was made stays, and a command that was stopped goes on. One of them
 * makes the table of the parts and compares every position, as of any table. */
#include "config.h"
#include "base/words.h"
#include "codecs/codecs.h"
#include "recode/recode_internal.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES_A_PART = 16 /* of the first digits, at least, so that parts are of one size */ };

void sd_cut_make (const sd_indexer *ix, unsigned parts, sd_cut *out) {
  uint32_t radix[SD_MAX_RADICES];
  const unsigned ndims = sd_indexer_shape (ix, radix);
  const uint64_t size = sd_indexer_size (ix);
  uint64_t all = 1;
  *out = (sd_cut){ .parts = 0 };
  while (out->digits + 1 < ndims && all < (uint64_t) parts * VALUES_A_PART)
    all *= radix[out->digits++];
  out->values = (all - 1) / parts + 1;
  out->parts = (unsigned) ((all - 1) / out->values + 1);
  out->all = all;
  out->slots = size / all * out->values;
}

/* The slots of part k, judged and laid out. */
static int part_of (const sd_judge *j, const sd_values *s, const sd_exact *e, const sd_indexer *ix,
                    const sd_cut *cut, unsigned k, const sd_progress *progress, sd_subdefined **out,
                    sd_error *err) {
  const uint64_t first = k * cut->values, rest = cut->all - first,
                 n = rest < cut->values ? rest : cut->values;
  SD_OWNED uint64_t *number = sd_alloc (n, sizeof *number);
  if (!number)
    return sd_fail_memory (err, n * sizeof *number);
  for (uint64_t i = 0; i < n; i++)
    number[i] = first + i;
  return sd_judge_slices (j, s, e->indexer, ix, (sd_part){ cut->digits, (uint32_t) n, number }, progress, out,
                          err);
}

/* A table that is made in parts. */
typedef struct work {
  const sd_values *s;
  const sd_exact *e;
  const sd_table_spec *spec;
  const sd_progress *progress;
  sd_parts_folder folder;
  bool useless; /* no table can be made of the parts */
  struct {
    sd_indexer *ix; /* NULL: the side is not stored */
    sd_judge *judge;
    sd_cut cut;
  } side[2];
} work;

/* What is made: parts of another table, of other exact values or by other settings are of no use. */
static int fingerprint (const work *w, uint64_t *out, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf all = { 0 };
  const sd_table_spec *spec = w->spec;
  const unsigned kind[] = { spec->metric, spec->coding, spec->freedom, spec->sides, (unsigned) w->e->nsides };
  char text[SD_MAX_SETTINGS * 100], order[24], numbering[24];
  sd_buf_append (&all, PACKAGE_VERSION, sizeof PACKAGE_VERSION);
  sd_buf_append (&all, kind, sizeof kind);
  sd_buf_u64 (&all, spec->parts_of);
  for (unsigned side = 0; side < 2; side++) {
    if (!w->side[side].ix)
      continue;
    const sd_layout *layout = &spec->side[side].layout;
    sd_settings_text (&spec->side[side].settings, text, sizeof text);
    sd_layout_order_text (layout, order);
    sd_layout_numbering_text (layout, numbering);
    const char *const texts[] = { spec->side[side].codec->name, text, order, numbering };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
      sd_buf_append (&all, texts[i], strlen (texts[i]) + 1);
    sd_buf_u64 (&all, w->side[side].cut.values);
  }
  if (sd_buf_status (&all))
    return sd_fail_memory (err, 0);
  *out = sd_hash64 (all.data, all.len);
  return SD_OK;
}

/* ------------------------------------------------------------------ a part */

static int code_part (work *w, unsigned side, unsigned k, sd_buf *out, sd_error *err) {
  SD_OWN (sd_subdefined) *d = NULL;
  const sd_table_spec *spec = w->spec;
  SD_TRY (part_of (w->side[side].judge, w->s, w->e, w->side[side].ix, &w->side[side].cut, k, w->progress, &d,
                   err));
  /* What was decoded to judge takes room of what follows. */
  if (sd_values_budget (w->s)) {
    sd_values_trim (w->s, 0);
    sd_memory_back ();
  }
  return sd_codec_encode_over (spec->side[side].codec, &d->seq, &spec->side[side].settings, w->progress, out,
                               err);
}

static int make_part (work *w, unsigned side, unsigned k, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf stream = { 0 };
  SD_TRY (code_part (w, side, k, &stream, err));
  sd_memory_back ();
  return sd_part_write (&w->folder, side, k, &stream, err);
}

/* Those that nobody has made or is at; then, waiting for it, those that somebody was at: he may have ended.
 */
static int make_parts (work *w, bool wait, sd_error *err) {
  for (unsigned side = 0; side < 2; side++)
    for (unsigned k = 0; k < w->side[side].cut.parts; k++) {
      int lock;
      if (sd_part_has (&w->folder, side, k))
        continue;
      SD_TRY (sd_part_claim (&w->folder, side, k, wait, &lock, err));
      if (lock < 0)
        continue;
      const int st = sd_part_has (&w->folder, side, k) ? SD_OK : make_part (w, side, k, err);
      close (lock);
      SD_TRY (st);
    }
  return SD_OK;
}

/* ------------------------------------------------------------------ the table */

static int join_side (const work *w, unsigned side, sd_buf *out, sd_error *err) {
  const sd_cut *cut = &w->side[side].cut;
  SD_RELEASED_BY (sd_buf_free) sd_buf streams = { 0 };
  SD_OWNED uint64_t *bytes = sd_alloc (cut->parts, sizeof *bytes);
  if (!bytes)
    return sd_fail_memory (err, 0);
  bool alike = true; /* constant streams of one value */
  for (unsigned k = 0; k < cut->parts; k++) {
    sd_map map;
    if (!sd_part_read (&w->folder, side, k, &map))
      return sd_fail (err, SD_EIO, "%s: part %u of the side with %s to move is gone, or damaged",
                      w->folder.path, k, side ? "Black" : "White");
    const uint8_t *stream = map.data + SD_PARTS_HEAD;
    bytes[k] = map.len - SD_PARTS_HEAD;
    sd_buf_append (&streams, stream, bytes[k]);
    const int st = sd_buf_status (&streams);
    alike = alike && st == SD_OK && *stream == SD_STREAM_CONSTANT && bytes[k] == bytes[0]
            && memcmp (stream, streams.data, bytes[0]) == 0;
    sd_map_close (&map);
    if (st != SD_OK)
      return sd_fail_memory (err, bytes[k]);
  }
  /* One part is the whole side, and so is one of parts that all hold the same value everywhere. */
  if (!alike && cut->parts > 1)
    return sd_codec_put_pieces (
        &(sd_coded_pieces){ .codec = w->spec->side[side].codec,
                            .n = sd_indexer_size (w->side[side].ix),
                            .m = sd_alphabet_main (sd_judge_frame (w->side[side].judge)->alphabet),
                            .slots = cut->slots,
                            .streams = &streams,
                            .bytes = bytes },
        out, err);
  sd_buf_append (out, streams.data, bytes[0]);
  return sd_buf_status (out) ? sd_fail_memory (err, 0) : SD_OK;
}

static int join_table (const work *w, sd_buf *image, sd_error *err) {
  const sd_subdefined *d[2] = { NULL, NULL };
  sd_buf stream[2] = { { 0 }, { 0 } };
  int st = SD_OK;
  for (unsigned side = 0; side < 2 && st == SD_OK; side++)
    if (w->side[side].ix) {
      d[side] = sd_judge_frame (w->side[side].judge);
      st = join_side (w, side, &stream[side], err);
    }
  if (st == SD_OK)
    st = sd_table_put (w->spec, d, stream, image, err);
  sd_buf_free (&stream[0]);
  sd_buf_free (&stream[1]);
  return st;
}

static int make_table (const work *w, const char *path, const sd_comparer *with, sd_error *err) {
  sd_outfile *f;
  sd_buf image = { 0 };
  if (sd_parts_made (&w->folder))
    return SD_OK;
  SD_TRY (sd_outfile_open (path, &f, err));
  const int st = join_table (w, &image, err);
  SD_TRY (sd_written_end (f, &image, path, st, with, err));
  return sd_parts_note_made (&w->folder, err);
}

static int no_pieces (const sd_codec *codec, sd_error *err) {
  char known[160] = "";
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t i = 0; i < n; i++)
    if (all[i]->in_pieces)
      sd_text_list (known, sizeof known, "%s", all[i]->name);
  return sd_fail (err, SD_EINVAL,
                  "parts: a stream of codec %s is not cut into pieces; with --codec one of %s is",
                  codec->name, known);
}

int sd_parts_check (const sd_table_spec *spec, sd_error *err) {
  if (spec->sides == SD_SIDES_ONE || sd_table_joint (spec))
    return sd_fail (err, SD_EINVAL, "parts: sides '%s' must be coded whole",
                    sd_sides_row (spec->sides)->name);
  for (unsigned side = 0; side < 2; side++)
    if (sd_table_sides (spec) >> side & 1 && !spec->side[side].codec->in_pieces)
      return no_pieces (spec->side[side].codec, err);
  return SD_OK;
}

/* Before anything is coded. */
static int check_cut (const work *w, unsigned side, sd_error *err) {
  const sd_cut *cut = &w->side[side].cut;
  const sd_codec *codec = w->spec->side[side].codec;
  const uint64_t n = sd_indexer_size (w->side[side].ix);
  if (cut->parts < 2 || sd_pieces_valid (codec, n, cut->slots))
    return SD_OK;
  return sd_fail (err, SD_EINVAL,
                  "parts: %u of %llu slots, of which codec %s takes %llu at once; make more parts",
                  cut->parts, (unsigned long long) n, codec->name, (unsigned long long) codec->max_slots);
}

static int prepare (work *w, sd_error *err) {
  for (unsigned side = 0; side < w->e->nsides; side++)
    if (sd_table_sides (w->spec) >> side & 1) {
      const sd_stored what = SD_STORED_OF (w->spec, side);
      SD_TRY (sd_indexer_new (&w->spec->side[side].layout, &w->side[side].ix, err));
      sd_cut_make (w->side[side].ix, w->spec->parts, &w->side[side].cut);
      SD_TRY (check_cut (w, side, err));
      SD_TRY (sd_judge_new (w->s, w->e, &what, &w->side[side].judge, err));
    }
  return SD_OK;
}

static int build (work *w, const char *path, const sd_comparer *with, sd_error *err) {
  uint64_t number = 0;
  int lock;
  SD_TRY (sd_parts_check (w->spec, err));
  SD_TRY (prepare (w, err));
  SD_TRY (fingerprint (w, &number, err));
  SD_TRY (sd_parts_enter (path, number, &w->folder, err));
  /* Others have made it and are gone. */
  if (w->spec->parts_since != sd_parts_since (path)) {
    w->useless = true;
    return SD_OK;
  }
  SD_TRY (make_parts (w, false, err));
  SD_TRY (make_parts (w, true, err));
  SD_TRY (sd_parts_claim_table (&w->folder, &lock, err));
  const int st = make_table (w, path, with, err);
  /* Whatever was wrong with the parts would be wrong again. */
  w->useless = st != SD_OK && st != SD_EIO && st != SD_ENOMEM;
  close (lock);
  return st;
}

int sd_parts_build (const sd_values *s, const sd_exact *e, const sd_table_spec *spec, const char *path,
                    const sd_comparer *with, const sd_progress *progress, sd_error *err) {
  work w = { .s = s, .e = e, .spec = spec, .progress = progress, .folder = { .lock = -1 } };
  const int st = build (&w, path, with, err);
  for (unsigned side = 0; side < 2; side++) {
    sd_judge_free (w.side[side].judge);
    sd_indexer_free (w.side[side].ix);
  }
  sd_parts_leave (&w.folder, w.useless);
  return st;
}
