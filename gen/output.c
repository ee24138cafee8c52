/* A solved ending becomes a table file, made by all ranks: no rank holds more of it than its own values and a
 * few blocks.
 *
 *   1. The values that occur are counted over all ranks: the map of each side, and the counts of won, drawn,
 *      lost (output_count.c).
 *   2. The blocks are coded by the ranks in rounds (output_blocks.c).
 *   3. Their lengths, told to all, give the place of every byte. All ranks write into one file under a
 *      temporary name (output_file.c).
 *   4. The file is read back by all ranks: each compares its own blocks, and computes the checksums of its
 *      share of the chunks. Rank 0 writes the container's head, whose length was known before, opens the
 * table as a reader does, and gives it its name.
 *
 * The bytes are those that sd_table_build makes of the same values, whatever the number of ranks and threads.
 * Free slots hold the most frequent value of the side (initial=frequent). What fails on one rank fails on
 * all, and the temporary file goes. */
#include "config.h"
#include "gen/output_internal.h"
#include "gen/parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ------------------------------------------------------------ places of bytes */

/* sums: of both streams, one behind the other. */
int sd_output_head (const sd_output *o, const uint32_t *sums, sd_buf *out, sd_error *err) {
  sd_table_stream stream[2] = { { 0 }, { 0 } };
  for (unsigned s = 0; s < o->nsides; s++) {
    const sd_output_side *side = &o->side[s];
    stream[s] = (sd_table_stream){ .map = side->map, .main = side->m, .bytes = side->bytes, .sums = sums };
    /* NULL: only the length is wanted. */
    sums = sums ? sums + sd_table_chunks (side->bytes) : NULL;
  }
  return sd_table_head (&o->spec, stream, out, err);
}

/* Heads of the streams, where the streams start, and where this rank's blocks go. */
static int lay_out (sd_output *o, uint64_t *file_bytes, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf head = { 0 };
  SD_OWNED uint32_t *length = sd_alloc (o->blocks, sizeof *length);
  if (!length)
    return sd_fail_memory (err, o->blocks * sizeof *length);
  for (uint64_t i = 0; i < o->blocks; i++)
    length[i] = (uint32_t) o->length[i];
  for (unsigned s = 0; s < o->nsides; s++) {
    sd_output_side *side = &o->side[s];
    int st = SD_OK;
    if (side->m == 1)
      sd_codec_put_constant (0, &side->head);
    else
      st = sd_codec_put_head (&side->plan, length + side->first, &side->head);
    side->bytes = side->head.len;
    for (uint64_t b = 0; b < side->plan.blocks; b++)
      side->bytes += length[side->first + b];
    if (st || side->head.failed)
      return sd_fail_memory (err, side->head.len);
  }

  /* The head is as long with checksums as without. */
  SD_TRY (sd_output_head (o, NULL, &head, err));
  uint64_t at = head.len;
  for (unsigned s = 0; s < o->nsides; s++) {
    sd_output_side *side = &o->side[s];
    side->stream = at;
    at += side->head.len;
    /* Blocks are dealt in turn; each rank keeps the places of its own. */
    for (uint64_t i = side->first; i < side->first + side->plan.blocks; at += o->length[i++])
      if (i % (uint64_t) o->t->size == (uint64_t) o->t->rank)
        o->mine[i / (uint64_t) o->t->size].at = at;
  }
  *file_bytes = at;
  return SD_OK;
}

/* ------------------------------------------------------------------- the way */

/* Refuses what this way of writing does not do, before anything is counted. */
static int prepare (sd_output *o, const sd_gen_target *target, unsigned threads, sd_error *err) {
  const sd_table_spec *spec = &target->spec;
  o->spec = *spec;
  o->n = spec->game.states;
  o->nsides = 1;
  o->counted = target->sides;
  /* Chess has slots by its layout, and states beyond them. */
  if (!spec->game.name[0]) {
    sd_indexer *ix;
    SD_TRY (sd_indexer_new (&spec->side[0].layout, &ix, err));
    o->n = sd_indexer_size (ix);
    sd_indexer_free (ix);
    o->counted = o->nsides = sd_material_symmetric (&spec->material) ? 1 : 2;
  }
  if (spec->coding != SD_CODING_SIGNED || spec->freedom != SD_FREE_ILLEGAL
      || !sd_blocks_apart (spec->side[0].codec, &spec->side[0].settings))
    return sd_fail (err, SD_EINVAL,
                    "%s: ranks write values with sign, only illegal slots free, by a codec of blocks",
                    o->path);

  o->threads = threads ? threads : 1;
#ifdef _OPENMP
  if (threads == 0)
    o->threads = (unsigned) omp_get_max_threads ();
#endif
  if (o->n == 0 || o->solution->deal.nstates / o->nsides < o->n)
    return sd_fail (err, SD_EINVAL, "%s: %" PRIu64 " states, but %u sides of %" PRIu64 " slots", o->path,
                    o->solution->deal.nstates, o->nsides, o->n);
  if (o->solution->deal.size != (unsigned) o->t->size)
    return sd_fail (err, SD_EINVAL, "%s: values dealt out to %u ranks, written by %d", o->path,
                    o->solution->deal.size, o->t->size);

  const uint64_t all =
      sd_output_before (&o->solution->deal, o->solution->deal.nstates, o->t->rank) * sizeof (sd_value);
  sd_output_hold (o, o->solution->value || all < SD_PARTS_MAPPED ? all : SD_PARTS_MAPPED);
  return SD_OK;
}

static void clear (sd_output *o) {
  for (unsigned s = 0; s < 2; s++) {
    free (o->side[s].map);
    free (o->side[s].index);
    sd_buf_free (&o->side[s].head);
  }
  for (uint64_t k = 0; o->mine && k < o->nmine; k++)
    free (o->mine[k].data);
  free (o->mine);
  free (o->length);
}

int sd_gen_output (const sd_gen_run *run, const sd_gen_target *target, const sd_solution *solution,
                   sd_output_stats *stats, sd_error *err) {
  const sd_transport *t = run->t;
  const char *path = target->path;
  sd_output o = {
    .t = t, .solution = solution, .path = path, .progress = run->options ? run->options->progress : NULL
  };
  sd_outfile *f = NULL;
  sd_output_stats mine = { 0 };
  sd_error own = { 0 };
  const double start = sd_now ();

  err = err ? err : &own;

  int st = prepare (&o, target, run->options ? run->options->threads : 0, err);
  if (st == SD_OK && t->rank == 0) /* the name first: an unwritable folder is told before the work */
    st = sd_outfile_open (path, &f, err);
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = sd_output_count (&o, &mine, err);
  if (st == SD_OK)
    st = sd_output_code (&o, err);
  mine.code_s = sd_now () - start;
  if (st == SD_OK)
    st = sd_agree (t, lay_out (&o, &mine.file_bytes, err), err);
  if (st == SD_OK) {
    st = sd_output_write (&o, f ? sd_outfile_temp_name (f) : NULL, err);
    if (st == SD_OK && t->rank == 0)
      st = sd_output_check (&o, sd_outfile_temp_name (f), mine.file_bytes, err);
    /* What wrote knows the temporary name only. */
    if (st != SD_OK)
      sd_error_prefix (err, "%s", path);
    st = sd_agree (t, st, err);
  }

  mine.bytes = o.peak;
  mine.write_s = sd_now () - start - mine.code_s;
  clear (&o);
  if (st == SD_OK)
    st = sd_exchanged (t->sum (t->ctx, &mine.bytes, 1), path, "their counts", err);
  if (st == SD_OK && f) {
    st = sd_outfile_commit (f, err);
    f = NULL;
  }
  /* After a failure; NULL is nothing. */
  sd_outfile_abort (f);
  if (stats)
    *stats = mine;
  return sd_agree (t, st, err);
}
