/* Writing the container (docs/format.md): magic, version, header with its own checksum, then one stream per
 * stored side, or one for both. Nothing is padded and every byte lies under a checksum; a trivial ending
 * stays below 80 bytes. What comes in are sides that have been subdefined and laid out; what goes out is the
 * whole image in memory, which the caller writes to a file, reads back and compares. A generator whose
 * streams do not fit into memory makes the head alone (sd_table_head) and puts it in front of them. */
#include "config.h"
#include "base/words.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Is the map one that the reader will accept? */
static bool map_ok (const sd_table_spec *spec, const sd_value *map, unsigned m) {
  const sd_coding_kind *c = &sd_codings[spec->coding];
  const bool game = spec->game.name[0];
  if (c->map)
    return m == c->main && memcmp (map, c->map, m * sizeof *map) == 0;
  /* Rising, so that no number stands in it twice. */
  for (unsigned i = 0; i < m; i++)
    if (!c->fits (map[i], game) || (i && c->compare (map[i], map[i - 1]) <= 0))
      return false;
  return m > 0;
}

unsigned sd_table_sides (const sd_table_spec *spec) {
  const sd_sides_kind *sides = sd_sides_row (spec->sides);
  if (spec->game.name[0] || sd_material_symmetric (&spec->material))
    return SD_SIDES_WHITE;
  return sides ? sides->stored : SD_SIDES_BOTH;
}

bool sd_table_joint (const sd_table_spec *spec) {
  const sd_sides_kind *sides = sd_sides_row (spec->sides);
  return sides && sides->joint && sd_table_sides (spec) == SD_SIDES_BOTH;
}

/* Sides that have a stream of their own in the file, a bit each. */
static unsigned streams_of (const sd_table_spec *spec) {
  return sd_table_joint (spec) ? SD_SIDES_WHITE : sd_table_sides (spec);
}

/* The one side of a table of another game. */
static int check_states (const sd_table_spec *spec, const sd_subdefined *d, sd_error *err) {
  const sd_table_game *g = &spec->game;
  SD_TRY (sd_table_game_check (g, err));
  if (!d || !spec->side[0].codec)
    return sd_fail (err, SD_EINVAL, "%s-%s: no %s", g->name, g->slice, d ? "codec" : "values");
  if (d->metric != spec->metric || d->coding != spec->coding
      || d->freedom & ~sd_freedom_of_coding (SD_CODING_SIGNED) || d->seq.n != g->states
      || !map_ok (spec, d->map, sd_alphabet_main (d->alphabet)))
    return sd_fail (err, SD_EINVAL, "%s-%s: the values do not fit the table to be written", g->name,
                    g->slice);
  return SD_OK;
}

/* What a caller hands over must fit the table that it describes. */
/* Each is a mistake of the program and not of a user; a table of it would be whole and hold wrong values. */
static int check_side (const sd_table_spec *spec, const sd_subdefined *d, unsigned side, sd_error *err) {
  if (spec->game.name[0])
    return check_states (spec, d, err);
  sd_indexer *ix;
  char name[16];
  const unsigned in = sd_table_joint (spec) ? 0 : side; /* whose layout and codec */
  sd_material_name (&spec->material, name);
  if (!d || !spec->side[in].codec)
    return sd_fail (err, SD_EINVAL, "%s: no %s for the side with %s to move", name, d ? "codec" : "values",
                    side ? "Black" : "White");
  if (d->metric != spec->metric || d->coding != spec->coding
      || !sd_material_equal (&spec->side[in].layout.material, &spec->material)
      || !map_ok (spec, d->map, sd_alphabet_main (d->alphabet)))
    return sd_fail (err, SD_EINVAL, "%s: the values with %s to move do not fit the table to be written", name,
                    side ? "Black" : "White");

  SD_TRY (sd_indexer_new (&spec->side[in].layout, &ix, err));
  /* Made for its size alone; the streams are coded without it. */
  uint64_t slots = sd_indexer_size (ix);
  sd_indexer_free (ix);
  if (slots != d->seq.n)
    return sd_fail (err, SD_EINVAL, "%s: %llu values with %s to move, the layout has %llu slots", name,
                    (unsigned long long) d->seq.n, side ? "Black" : "White", (unsigned long long) slots);
  return SD_OK;
}

/* The men of each colour but its king, from queens to pawns. */
static void put_material (sd_buf *b, const sd_material *m) {
  unsigned men[2] = { 0, 0 };
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = SD_PAWN; t < SD_KING; t++)
      men[c] += m->count[c][t];
  sd_buf_u8 (b, men[0] << 4 | men[1]);
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = SD_KING; t-- > SD_PAWN;)
      for (unsigned k = 0; k < m->count[c][t]; k++)
        sd_buf_u8 (b, t);
}

static void put_text (sd_buf *b, const char *text) {
  const size_t n = strlen (text);
  sd_buf_u8 (b, (unsigned) n);
  sd_buf_append (b, text, n);
}

/* No chess ending has no men: that is how a reader knows another game. */
static void put_game (sd_buf *b, const sd_table_game *g) {
  sd_buf_u8 (b, 0);
  put_text (b, g->name);
  put_text (b, g->slice);
  sd_buf_u64 (b, g->fingerprint);
  sd_buf_varint (b, g->states);
}

/* A side that is not stored is restored from one ply of all moves. */
static int check_one_ply (const sd_table_spec *spec, const sd_sides_kind *sides, sd_error *err) {
  if (sd_metrics[spec->metric].one_ply || sd_material_symmetric (&spec->material)
      || (!sides->smaller && sides->stored == SD_SIDES_BOTH))
    return SD_OK;
  return sd_fail (err, SD_EINVAL,
                  "a %s table has both sides to move: a value does not follow from those of the successors, "
                  "whose plies to the next capture or pawn move it does not tell",
                  sd_metrics[spec->metric].title);
}

/* What is restored by moves is restored from its successors, which must be stored. */
static int check_by_moves (const sd_table_spec *spec, const sd_sides_kind *sides, sd_error *err) {
  const unsigned by_moves = spec->freedom & SD_FREE_BY_MOVES;
  char text[80];

  if (!by_moves)
    return SD_OK;
  sd_freedom_text (by_moves, text, sizeof text);
  if (by_moves & (by_moves - 1))
    return sd_fail (err, SD_EINVAL,
                    "freedom '%s': these exclude each other: what one leaves free is restored from its "
                    "successors, some of which another one leaves free",
                    text);
  if (by_moves != SD_FREE_EVIDENT && !sd_material_symmetric (&spec->material)
      && (sides->smaller || sides->stored != SD_SIDES_BOTH))
    return sd_fail (err, SD_EINVAL,
                    "freedom '%s' needs both sides to move: what it leaves free is restored from its "
                    "successors, which have the other side to move",
                    text);
  return SD_OK;
}

/* Names the codings that the metric has: "a DTM table has one of the codings moves, signed, not that of the
 * number 9". */
static int no_such_coding (const sd_table_spec *spec, bool game, sd_error *err) {
  char known[80] = "";
  if ((unsigned) spec->metric >= SD_NO_METRIC)
    return sd_fail (err, SD_EINVAL, "no metric has the number %d", (int) spec->metric);
  for (const enum sd_coding *c = sd_metrics[spec->metric].coding; *c != SD_NO_CODING; c++)
    if (sd_metric_takes (spec->metric, *c, game))
      sd_text_list (known, sizeof known, "%s", sd_codings[*c].name);
  return sd_fail (err, SD_EINVAL, "a %s table%s has one of the codings %s, not that of the number %d",
                  sd_metrics[spec->metric].title, game ? " of another game than chess" : "", known,
                  (int) spec->coding);
}

/* Which man a promotion gives, what no move leads to, and what check is, only chess says. */
static int check_game_freedom (const sd_table_spec *spec, sd_error *err) {
  const unsigned known = sd_freedom_of_coding (spec->coding) & ~SD_FREE_CHESS;
  char text[80];
  if (!(spec->freedom & ~known))
    return SD_OK;
  sd_freedom_text (known, text, sizeof text);
  return sd_fail (err, SD_EINVAL, "%s-%s: in a table of another game than chess only %s can be free",
                  spec->game.name, spec->game.slice, text);
}

/* Called before any work begins, and again before a head is written. Messages have the words of the options,
 * so that a command prints them as they are. */
int sd_table_spec_check (const sd_table_spec *spec, sd_error *err) {
  const sd_sides_kind *sides = sd_sides_row (spec->sides);
  const bool game = spec->game.name[0];

  /* What the reader refuses is refused here, before hours of coding. */
  if (game)
    SD_TRY (sd_table_game_check (&spec->game, err));

  if (!sd_metric_takes (spec->metric, spec->coding, game))
    return no_such_coding (spec, game, err);
  if (game)
    SD_TRY (check_game_freedom (spec, err));

  if (!sides)
    return sd_fail (err, SD_EINVAL, "sides %u: not known", spec->sides);
  if ((spec->freedom & SD_FREE_QUEEN) && !sd_freedom_classes (spec->freedom))
    return sd_fail (err, SD_EINVAL,
                    "freedom 'queen' says which promotions count: it needs capture or promotion");
  if ((spec->freedom & SD_FREE_WIN) && !(sd_freedom_of_coding (spec->coding) & SD_FREE_WIN))
    return sd_fail (err, SD_EINVAL,
                    "freedom 'won' needs a DTM table that is coded as moves: only there the WDL table tells "
                    "what is won");
  /* Of another game there is one side, and restoring by moves is its own business. */
  SD_TRY (check_one_ply (spec, sides, err));
  return game ? SD_OK : check_by_moves (spec, sides, err);
}

int sd_table_head (const sd_table_spec *spec, const sd_table_stream side[2], sd_buf *out, sd_error *err) {
  const unsigned sides = sd_table_sides (spec), streams = streams_of (spec);
  sd_buf header = { 0 };

  SD_TRY (sd_table_spec_check (spec, err));
  /* Maps come from a caller, and a wrong one would only be seen when the table is opened. */
  for (unsigned i = 0; i < 2; i++)
    if (streams >> i & 1 && (!spec->side[i].codec || !map_ok (spec, side[i].map, side[i].main)))
      return sd_fail (
          err, SD_EINVAL, "a table of coding %d cannot be written: %s for the side with %s to move",
          (int) spec->coding, spec->side[i].codec ? "impossible values" : "no codec", i ? "Black" : "White");

  if (spec->game.name[0])
    put_game (&header, &spec->game);
  else
    put_material (&header, &spec->material);

  /* Freedom that cannot occur in this ending is not written: equal tables then have equal bytes. */
  const unsigned freedom = sd_freedom_kept (spec->freedom, spec->coding, &spec->material);
  const unsigned version = side[0].in_parts || side[1].in_parts
                               ? SD_VERSION
                               : sd_version_of (spec->metric, spec->game.name[0], freedom);
  const sd_kind kind = { spec->metric, spec->coding, sides, sd_table_joint (spec) };
  sd_kind_put (&kind, version, &header);
  sd_freedom_put (freedom, version, &header);

  for (unsigned i = 0; i < 2; i++) {
    /* A side that is not stored, or stands in White's stream, has no entry. */
    if (!(streams >> i & 1))
      continue;
    if (!spec->game.name[0])
      sd_layout_write (&spec->side[i].layout, &header);
    sd_buf_u8 (&header, spec->side[i].codec->id);
    if (sd_codings[spec->coding].put)
      sd_codings[spec->coding].put (side[i].map, side[i].main, &header);
    sd_buf_varint (&header, side[i].bytes);
    for (uint64_t k = 0; k < sd_table_chunks (side[i].bytes); k++)
      sd_buf_u32 (&header, side[i].sums ? side[i].sums[k] : 0);
  }

  /* The checksum covers magic, version, length and header. */

  size_t start = out->len;
  sd_buf_append (out, SD_MAGIC, SD_MAGIC_BYTES);
  sd_buf_u8 (out, version);
  sd_buf_varint (out, header.len);
  sd_buf_append (out, header.data, header.len);
  if (!out->failed)
    sd_buf_u32 (out, (uint32_t) sd_hash64 (out->data + start, out->len - start));
  int st = header.failed || out->failed ? sd_fail_memory (err, header.len) : SD_OK;
  sd_buf_free (&header);
  return st;
}

/* The checksums of a stream's chunks; *out is malloced. */
static int sum_chunks (const sd_buf *stream, uint32_t **out, sd_error *err) {
  uint64_t chunks = sd_table_chunks (stream->len);
  *out = sd_alloc (chunks, sizeof **out);
  if (!*out)
    return sd_fail_memory (err, chunks * sizeof **out);
  for (uint64_t k = 0; k < chunks; k++) {
    size_t at = k * SD_CHUNK_BYTES, n = stream->len - at < SD_CHUNK_BYTES ? stream->len - at : SD_CHUNK_BYTES;
    (*out)[k] = (uint32_t) sd_hash64 (stream->data + at, n);
  }
  return SD_OK;
}

int sd_table_code_side (const sd_table_spec *spec, sd_subdefined *d, unsigned side,
                        const sd_progress *progress, sd_buf *out, sd_error *err) {
  SD_TRY (sd_table_spec_check (spec, err));
  SD_TRY (check_side (spec, d, side, err));
  const int st =
      sd_codec_encode_over (spec->side[side].codec, &d->seq, &spec->side[side].settings, progress, out, err);
  free (d->seq.sym);
  d->seq.sym = NULL;
  return st;
}

static int append (const sd_buf *from, sd_buf *to, sd_error *err) {
  sd_buf_append (to, from->data, from->len);
  return sd_buf_status (to) ? sd_fail_memory (err, from->len) : SD_OK;
}

/* The stream of data[i], NULL: there is none. */
static int code_stream (const sd_table_spec *spec, const sd_subdefined *const data[2], unsigned i,
                        const sd_progress *progress, sd_buf *out, sd_error *err) {
  if (!data[i])
    return SD_OK;
  if (spec->side[i].coded)
    return append (spec->side[i].coded, out, err);
  return sd_codec_encode (spec->side[i].codec, &data[i]->seq, &spec->side[i].settings, progress, out, err);
}

#ifdef _OPENMP
/* White's mistake is told before Black's, whichever came first. */
static int code_at_once (const sd_table_spec *spec, const sd_subdefined *const data[2],
                         const sd_progress *progress, sd_buf stream[2], sd_error *err) {
  sd_error errors[2];
  int status[2];
  const int threads = omp_get_max_threads (), levels = omp_get_max_active_levels ();
  /* Codecs have threads of their own, which the two sides share. */
  if (threads > 2 && levels < 2)
    omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
  {
    omp_set_num_threads ((threads + 1 - omp_get_thread_num ()) / 2);
#pragma omp for schedule(static, 1)
    for (unsigned i = 0; i < 2; i++)
      status[i] = code_stream (spec, data, i, i ? NULL : progress, &stream[i], &errors[i]);
  }
  omp_set_max_active_levels (levels);
  const unsigned worse = status[0] == SD_OK;
  if (status[worse] != SD_OK && err)
    *err = errors[worse];
  return status[worse];
}
#endif

/* The streams of both sides: at once, or one after the other where there is one thread, which takes less
 * memory. Only the first reports. */
static int code_streams (const sd_table_spec *spec, const sd_subdefined *const data[2],
                         const sd_progress *progress, sd_buf stream[2], sd_error *err) {
#ifdef _OPENMP
  if (data[0] && data[1] && omp_get_max_threads () > 1
      && omp_get_active_level () < omp_get_max_active_levels ())
    return code_at_once (spec, data, progress, stream, err);
#endif
  SD_TRY (code_stream (spec, data, 0, progress, &stream[0], err));
  return code_stream (spec, data, 1, data[0] ? NULL : progress, &stream[1], err);
}

/* The checksums of the streams stand in the head, so that all is coded before the first byte is put. */
int sd_table_put (const sd_table_spec *spec, const sd_subdefined *const data[2], const sd_buf stream[2],
                  sd_buf *out, sd_error *err) {
  uint32_t *sums[2] = { NULL, NULL };
  sd_table_stream part[2] = { { 0 }, { 0 } };
  sd_table_spec told = *spec;
  int st = SD_OK;

  /* The header has one freedom for both sides. */
  if (data[0] && data[1] && data[0]->freedom != data[1]->freedom)
    return sd_fail (err, SD_EINVAL, "the two sides were subdefined with different freedom (%u and %u)",
                    data[0]->freedom, data[1]->freedom);
  for (unsigned i = 0; i < 2 && st == SD_OK; i++) {
    if (!data[i])
      continue;
    st = sum_chunks (&stream[i], &sums[i], err);
    part[i] = (sd_table_stream){ .map = data[i]->map,
                                 .main = sd_alphabet_main (data[i]->alphabet),
                                 .bytes = stream[i].len,
                                 .sums = sums[i],
                                 .in_parts = spec->parts > 1 && stream[i].data[0] == SD_STREAM_PIECES };
  }
  /* What the values were subdefined with is written, not what was asked; the first side tells it. */
  told.freedom = data[!data[0]]->freedom;
  if (st == SD_OK)
    st = sd_table_head (&told, part, out, err);
  for (unsigned i = 0; i < 2 && st == SD_OK; i++)
    sd_buf_append (out, stream[i].data, stream[i].len);
  if (st == SD_OK && out->failed)
    st = sd_fail_memory (err, 0);
  free (sums[0]);
  free (sums[1]);
  return st;
}

/* Code data[0..1] and append the container. */
int sd_container_write (const sd_table_spec *spec, const sd_subdefined *const data[2],
                        const sd_progress *progress, sd_buf *out, sd_error *err) {
  sd_buf stream[2] = { { 0 }, { 0 } };
  int st = code_streams (spec, data, progress, stream, err);
  if (st == SD_OK)
    st = sd_table_put (spec, data, stream, out, err);
  sd_buf_free (&stream[0]);
  sd_buf_free (&stream[1]);
  return st;
}

int sd_table_image (const sd_table_spec *spec, const sd_subdefined *const side[2],
                    const sd_progress *progress, sd_buf *out, sd_error *err) {
  const unsigned sides = sd_table_sides (spec);
  SD_TRY (sd_table_spec_check (spec, err));
  if (spec->sides == SD_SIDES_ONE && !sd_material_symmetric (&spec->material)
      && spec->freedom & SD_FREE_EVIDENT)
    return sd_fail (err, SD_EINVAL, "both sides of a table of one: each was judged as if it were alone");
  for (unsigned i = 0; i < 2; i++)
    if (sides >> i & 1)
      SD_TRY (check_side (spec, side[i], i, err));

  const sd_subdefined *data[2] = { sides & SD_SIDES_WHITE ? side[0] : NULL,
                                   sides & SD_SIDES_BLACK ? side[1] : NULL };
  sd_subdefined *joint = NULL;
  /* Both sides become one sequence, which is written as White's. */
  if (sd_table_joint (spec)) {
    SD_TRY (sd_subdefined_join (side, &joint, err));
    data[0] = joint;
    data[1] = NULL;
  }

  const sd_format *format = spec->format ? spec->format : sd_formats[0];
  const int st = format->write ? format->write (spec, data, progress, out, err)
                               : sd_fail (err, SD_EUNSUPPORTED, ".%s files are only read", format->name);
  sd_subdefined_free (joint);
  return st;
}
