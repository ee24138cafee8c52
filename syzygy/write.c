/* A whole file: streams in their best orders, put together, written under a temporary name, read back
 * from the disk by the reader, and compared slot by slot with what the source says. Only then it gets its
 * name. Called by `subdef reformat --to rtbw,rtbz` and `subdef recompress`; on any failure the temporary file
 * goes, and a file that had the name before stays as it was. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include <stdlib.h>
#include <string.h>

enum { SPLIT = 1, PAWNS = 2, WIN = 4 }; /* bits of the first byte; the value of a win in a WDL file */

static void pad (sd_buf *b, unsigned to) {
  while (!b->failed && b->len % to)
    sd_buf_u8 (b, 0);
}

/* ------------------------------------------------------------------- image */

static void put_orders (const sd_syzygy_parts *p, sd_buf *out) {
  const unsigned men = sd_material_men (&p->material);
  sd_buf_u8 (out, (sd_material_symmetric (&p->material) ? 0 : SPLIT)
                      | (sd_material_has_pawns (&p->material) ? PAWNS : 0) | men << 4);
  for (unsigned f = 0; f < p->files; f++) {
    /* With one stream its order stands in both halves of a byte. */
    const sd_syzygy_order *a = &p->order[f][0], *b = &p->order[f][p->streams - 1];
    /* One stream's numbers in the low half of a byte, the other's in the high one. */
    sd_buf_u8 (out, a->lead | b->lead << 4);
    if (a->pawns != SD_SYZYGY_NO_PAWNS)
      sd_buf_u8 (out, a->pawns | b->pawns << 4);
    for (unsigned i = 0; i < men; i++)
      sd_buf_u8 (out, a->man[i] | b->man[i] << 4);
  }
  pad (out, 2);
}

/* Flags, then the value of a stream of one value, or what the encoder has made. */
static void put_header (const sd_syzygy_stream *s, sd_buf *out) {
  sd_buf_u8 (out, s->flags | (s->single ? SD_SYZYGY_SINGLE : 0u));
  if (s->single)
    sd_buf_u8 (out, s->value);
  else
    sd_buf_append (out, s->header.data, s->header.len);
  pad (out, 2);
}

/* The parts of all streams behind the headers, kind by kind. */
static void put_part (const sd_syzygy_parts *p, unsigned part, sd_buf *out) {
  for (unsigned f = 0; f < p->files; f++)
    for (unsigned k = 0; k < p->streams; k++) {
      const sd_syzygy_stream *s = &p->stream[f][k];
      const sd_buf *b = part == 0 ? &s->sparse : part == 1 ? &s->lengths : &s->data;
      if (part == 2)
        pad (out, SD_SYZYGY_ALIGN);
      if (b->len)
        sd_buf_append (out, b->data, b->len);
    }
}

/* In the order in which header.c reads: kind, orders, headers of all streams, maps, then sparse indexes,
 * lengths and data of all streams. */
int sd_syzygy_image (const sd_syzygy_parts *p, sd_buf *out, sd_error *err) {
  static const uint8_t magic[2][4] = { { 0x71, 0xe8, 0x23, 0x5d }, { 0xd7, 0x66, 0x0c, 0xa5 } };
  uint8_t sum[SD_SYZYGY_CHECKSUM_BYTES];

  sd_buf_append (out, magic[p->kind], sizeof magic[0]);
  put_orders (p, out);
  for (unsigned f = 0; f < p->files; f++)
    for (unsigned k = 0; k < p->streams; k++)
      put_header (&p->stream[f][k], out);
  if (p->maps.len)
    sd_buf_append (out, p->maps.data, p->maps.len);
  pad (out, 2);

  for (unsigned part = 0; part < 3; part++)
    put_part (p, part, out);
  pad (out, SD_SYZYGY_ALIGN);
  if (sd_buf_status (out) || sd_syzygy_checksum (out->data, out->len, sum))
    return sd_fail_memory (err, out->len);
  /* Of all that stands before it. */
  sd_buf_append (out, sum, sizeof sum);
  return sd_buf_status (out) ? sd_fail_memory (err, out->len) : SD_OK;
}

void sd_syzygy_parts_clear (sd_syzygy_parts *p) {
  for (unsigned f = 0; f < SD_SYZYGY_FILES; f++)
    for (unsigned k = 0; k < 2; k++)
      sd_syzygy_stream_clear (&p->stream[f][k]);
  sd_buf_free (&p->maps);
}

/* ------------------------------------------------------------------- files */

/* What a job of this file shares. */
typedef struct job {
  const sd_material *material;
  const sd_syzygy_source *source;
  const sd_syzygy *old;             /* DTZ: whose side, maps and rounding it takes; NULL: a WDL file */
  const sd_syzygy_meaning *meaning; /* DTZ: what `old` is the head of; NULL: `old` has the values */
  const sd_alphabet *alphabet;
  const sd_syzygy_squares *squares;
} job;

/* again: for comparing, so that no values that were kept are believed. */
static int make_slots (const job *j, const sd_syzygy_index *ix, unsigned side, bool again,
                       sd_syzygy_slots *out, sd_error *err) {
  *out = (sd_syzygy_slots){ .index = *ix,
                            .material = *j->material,
                            .side = j->old ? j->old->side : side,
                            .seq = { .alphabet = j->alphabet } };
  /* Made anew: numbers follow from the values. Else from the old file, or, of a WDL file, from the
   * results. */
  if (j->meaning)
    return sd_syzygy_meaning_slots (j->meaning, out, again ? j->source : NULL, err);
  return j->old ? sd_syzygy_dtz_slots (out, j->old, j->source, err)
                : sd_syzygy_wdl_slots (out, j->source, err);
}

/* Stream k of sub-table f in its best order, into *p, which frees it. */
static int make_stream (const job *j, unsigned f, unsigned k, const sd_syzygy_effort *effort,
                        sd_syzygy_parts *p, sd_error *err) {
  sd_syzygy_order first;
  sd_syzygy_index ix;
  sd_syzygy_effort own = *effort;
  SD_RELEASED_BY (sd_syzygy_slots_clear) sd_syzygy_slots slots = { 0 };
  /* The slots are asked for once, in any order; other orders are made of these. */
  sd_syzygy_orders (j->material, &first, 1);
  SD_TRY (sd_syzygy_index_init (&ix, j->squares, j->material, f, &first, err));
  SD_TRY (make_slots (j, &ix, k, false, &slots, err));
  own.most_single = j->old ? 0 : WIN; /* where a DTZ file has a single value readers take 0 */
  SD_TRY (sd_syzygy_best_order (&slots, &own, &p->order[f][k], &p->stream[f][k], err));
  /* What the numbers mean is the old file's; whether there is one value only is found here. */
  if (j->old)
    p->stream[f][k].flags = j->old->pairs[f][k].flags & ~(unsigned) SD_SYZYGY_SINGLE;
  return SD_OK;
}

/* One stream as it was read back. */
static int compare_stream (const job *j, const sd_syzygy *file, unsigned f, unsigned k, sd_error *err) {
  SD_RELEASED_BY (sd_syzygy_slots_clear) sd_syzygy_slots slots = { 0 };
  SD_TRY (make_slots (j, &file->pairs[f][k].index, k, true, &slots, err));
  /* In the order that the file has, which need not be the first one. */
  return sd_syzygy_compare (file, f, k, &slots.seq, err);
}

/* Do the parts that tell what stored values mean agree? */
static bool same_meaning (const sd_syzygy *a, const sd_syzygy *b) {
  bool same = a->side == b->side;
  for (unsigned f = 0; same && f < a->files; f++) {
    const sd_syzygy_pairs *x = &a->pairs[f][0], *y = &b->pairs[f][0];
    /* One value may have become several, or the other way round. */
    same = ((x->flags ^ y->flags) & ~(unsigned) SD_SYZYGY_SINGLE) == 0;
    for (unsigned k = 0; same && k < SD_SYZYGY_MAPS; k++)
      same = x->map[k].n == y->map[k].n
             && (!x->map[k].n
                 || memcmp (x->map[k].at, y->map[k].at,
                            (size_t) x->map[k].n << ((x->flags & SD_SYZYGY_WIDE) != 0))
                        == 0);
  }
  return same;
}

/* What the file holds is compared with the source once more, and not with the bytes that were to be written:
 * so a mistake of the encoder is found as well as one of the disk. */
static int compare_file (const job *j, const char *path, sd_error *err) {
  sd_map map;
  sd_syzygy *file = NULL;

  SD_TRY (sd_map_open (path, &map, err));
  int status = sd_syzygy_open (map.data, map.len, &file, err);
  /* Read by the reader, under the temporary name: what a probe will see. */
  if (!status
      && (!sd_material_equal (&file->material, j->material) || (file->kind == SD_SYZYGY_DTZ) != !!j->old))
    status = sd_fail (err, SD_EDIFF, "it holds another table");
  if (!status && j->old && !same_meaning (file, j->old))
    status = sd_fail (err, SD_EDIFF, "its values mean something else");

  for (unsigned f = 0; !status && f < file->files; f++)
    for (unsigned k = 0; !status && k < file->streams; k++)
      status = compare_stream (j, file, f, k, err);
  sd_syzygy_close (file);
  sd_map_close (&map);
  return status;
}

/* To the disk, back from there, compared, and only then under its name. */
static int write_image (const job *j, const sd_buf *image, const char *path, sd_error *err) {
  sd_outfile *f;
  SD_TRY (sd_outfile_open (path, &f, err));
  int status = sd_outfile_write (f, image->data, image->len, err);
  if (!status)
    status = sd_outfile_sync (f, err);
  if (!status && (status = compare_file (j, sd_outfile_temp_name (f), err)))
    sd_error_prefix (err, "%s: reading back", path);
  if (!status)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return status;
}

static int make_image (const job *j, const sd_syzygy_effort *effort, sd_buf *image, sd_error *err) {
  /* Streams of all sub-tables first, since the file has their headers before any data. */
  SD_RELEASED_BY (sd_syzygy_parts_clear)
  sd_syzygy_parts p = { .kind = j->old ? SD_SYZYGY_DTZ : SD_SYZYGY_WDL,
                        .material = *j->material,
                        .files = sd_material_has_pawns (j->material) ? SD_SYZYGY_FILES : 1,
                        .streams = j->old || sd_material_symmetric (j->material) ? 1 : 2 };
  for (unsigned f = 0; f < p.files; f++)
    for (unsigned k = 0; k < p.streams; k++)
      SD_TRY (make_stream (j, f, k, effort, &p, err));
  if (j->old && sd_syzygy_dtz_maps (j->old, &p.maps))
    return sd_fail_memory (err, 0);
  return sd_syzygy_image (&p, image, err);
}

static void free_alphabet (sd_alphabet **a) {
  sd_alphabet_free (*a);
}

static int make_alphabet (const job *j, sd_alphabet **out, sd_error *err) {
  const int made = j->meaning ? sd_syzygy_stored_alphabet (j->meaning->most, out)
                   : j->old   ? sd_syzygy_dtz_alphabet (j->old, out)
                              : sd_syzygy_wdl_alphabet (out);
  return made ? sd_fail (err, made, "the values of a file: %s", sd_strerror (made)) : SD_OK;
}

static int do_job (job *j, const sd_syzygy_effort *effort, const char *path, uint64_t *bytes, sd_error *err) {
  SD_RELEASED_BY (free_alphabet) sd_alphabet *alphabet = NULL;
  SD_RELEASED_BY (sd_buf_free) sd_buf image = { 0 };
  SD_OWNED sd_syzygy_squares *squares = sd_alloc (1, sizeof *squares);
  *bytes = 0;
  if (!squares)
    return sd_fail_memory (err, sizeof *squares);
  sd_syzygy_squares_init (squares);
  SD_TRY (make_alphabet (j, &alphabet, err));
  j->squares = squares;
  j->alphabet = alphabet;
  SD_TRY (make_image (j, effort, &image, err));
  /* Told even if the file is not written, so that a caller can say how large it would have been. */
  *bytes = image.len;
  return effort->at_most && image.len >= effort->at_most ? SD_OK : write_image (j, &image, path, err);
}

int sd_syzygy_write_wdl (const sd_material *m, const sd_syzygy_source *source, const sd_syzygy_effort *effort,
                         const char *path, uint64_t *bytes, sd_error *err) {
  return do_job (&(job){ .material = m, .source = source }, effort, path, bytes, err);
}

int sd_syzygy_write_dtz (const sd_syzygy *old, const sd_syzygy_source *source, const sd_syzygy_effort *effort,
                         const char *path, uint64_t *bytes, sd_error *err) {
  return do_job (&(job){ .material = &old->material, .source = source, .old = old }, effort, path, bytes,
                 err);
}

/* ---------------------------------------------------------------- new DTZ */

/* One side to move of a new DTZ file, with what it means, its values, and the file that it would be. */
typedef struct new_side {
  sd_syzygy_meaning meaning;
  sd_alphabet *alphabet;
  sd_buf image;
  job job;
} new_side;

static void clear_side (new_side *s) {
  sd_syzygy_meaning_clear (&s->meaning);
  sd_alphabet_free (s->alphabet);
  sd_buf_free (&s->image);
}

/* Everything up to the bytes of the file, so that both sides can be compared by these. */
static int make_side (new_side *s, const job *like, unsigned side, const sd_syzygy_effort *effort,
                      sd_error *err) {
  SD_TRY (sd_syzygy_meaning_init (&s->meaning, like->material, side, like->squares, like->source, err));
  SD_TRY (sd_syzygy_meaning_settle (&s->meaning, err));
  s->job = *like;
  s->job.old = s->meaning.head;
  s->job.meaning = &s->meaning;
  SD_TRY (make_alphabet (&s->job, &s->alphabet, err));
  s->job.alphabet = s->alphabet;
  return make_image (&s->job, effort, &s->image, err);
}

int sd_syzygy_write_new_dtz (const sd_material *m, const sd_syzygy_source *source,
                             const sd_syzygy_effort *effort, const char *path, uint64_t *bytes,
                             sd_error *err) {
  SD_RELEASED_BY (clear_side) new_side white = { 0 }, black = { 0 };
  SD_OWNED sd_syzygy_squares *squares = sd_alloc (1, sizeof *squares);
  const job like = { .material = m, .source = source, .squares = squares };
  *bytes = 0;
  if (!squares)
    return sd_fail_memory (err, sizeof *squares);
  sd_syzygy_squares_init (squares);
  /* A DTZ file holds one side to move (Syzygy, item 5). Which one is smaller is known when both have been
   * coded. */
  SD_TRY (make_side (&white, &like, SD_WHITE, effort, err));
  if (!sd_material_symmetric (m))
    SD_TRY (make_side (&black, &like, SD_BLACK, effort, err));

  const new_side *smaller = black.image.len && black.image.len < white.image.len ? &black : &white;
  *bytes = smaller->image.len;
  return effort->at_most && *bytes >= effort->at_most
             ? SD_OK
             : write_image (&smaller->job, &smaller->image, path, err);
}
