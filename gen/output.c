/* A solved ending becomes a table file, made by all ranks: no rank holds more of it than its own values and a
 * few blocks.
 *
 *   1. The values that occur are counted over all ranks: the map of each side, and the counts of won, drawn,
 * lost.
 *   2. The blocks are coded by the ranks in rounds (output_blocks.c).
 *   3. Their lengths, told to all, give the place of every byte. All ranks write into one file under a
 * temporary name.
 *   4. The file is read back by all ranks: each compares its own blocks, and computes the checksums of its
 * share of the chunks. Rank 0 writes the container's head, whose length was known before, opens the table
 * as a reader does, and gives it its name.
 *
 * The bytes are those that sd_gen_write makes of the same values, whatever the number of ranks and threads.
 * Free slots hold the most frequent value of the side (initial=frequent). */
#include "config.h"
#include "gen/output_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ---------------------------------------------------------------- counting */

/* Collective: count[side * SD_OUTPUT_VALUES + (uint16_t) value] over all stored states of all ranks. */
static int count_values (sd_output *o, uint64_t *count, sd_error *err) {
  int status = SD_OK;
#pragma omp parallel num_threads(o->threads)
  {
    uint64_t *own = sd_alloc0 (SD_OUTPUT_VALUES, sizeof *own);
    if (!own) {
#pragma omp atomic write
      status = SD_ENOMEM;
    }
    for (unsigned side = 0; side < o->nsides; side++) {
      const uint64_t from = sd_output_before (&o->solution->deal, side * o->n, o->t->rank);
      const uint64_t to = sd_output_before (&o->solution->deal, (side + 1) * o->n, o->t->rank);
#pragma omp for schedule(static) nowait
      for (uint64_t i = from; i < to; i++)
        if (own)
          own[(uint16_t) o->solution->value[i]]++;
#pragma omp critical(sd_output_count)
      for (unsigned u = 0; own && u < SD_OUTPUT_VALUES; u++) {
        count[side * SD_OUTPUT_VALUES + u] += own[u];
        own[u] = 0;
      }
    }
    free (own);
  }
  SD_TRY (sd_agree (o->t, status ? sd_fail_memory (err, SD_OUTPUT_VALUES * sizeof *count) : SD_OK, err));
  int st = o->t->sum (o->t->ctx, count, 2 * SD_OUTPUT_VALUES);
  return st ? sd_fail (err, st, "%s: the ranks could not exchange their counts: %s", o->path,
                       sd_strerror (st))
            : SD_OK;
}

static void tell_counts (const uint64_t *count, sd_counts *out) {
  *out = (sd_counts){ 0 };
  for (int v = SD_ILLEGAL + 1; v <= INT16_MAX; v++) {
    const uint64_t n = count[(uint16_t) v];
    if (n == 0)
      continue;
    out->positions += n;
    *(v > 0 ? &out->won : v < 0 ? &out->lost : &out->drawn) += n;
    if (v > 0)
      out->longest_win = (sd_value) v;
    else if (v < out->longest_loss)
      out->longest_loss = (sd_value) v;
  }
}

static int by_rank (const void *a, const void *b) {
  return sd_value_compare (*(const sd_value *) a, *(const sd_value *) b);
}

/* The same map as sd_subdefine makes, and what free slots hold. */
static int make_map (const uint64_t *count, sd_output_side *side, sd_error *err) {
  unsigned m = 0, best = 0;
  for (unsigned u = 0; u < SD_OUTPUT_VALUES; u++)
    m += count[u] && (sd_value) u != SD_ILLEGAL;
  side->m = m ? m : 1;
  if (m > SD_MAX_MAIN)
    return sd_fail (err, SD_ERANGE, "%u different values, a table holds at most %d", m, SD_MAX_MAIN);
  side->map = sd_alloc0 (side->m, sizeof *side->map);
  side->index = sd_alloc0 (SD_OUTPUT_VALUES, sizeof *side->index);
  if (!side->map || !side->index)
    return sd_fail_memory (err, SD_OUTPUT_VALUES * sizeof *side->index);
  m = 0;
  for (unsigned u = 0; u < SD_OUTPUT_VALUES; u++)
    if (count[u] && (sd_value) u != SD_ILLEGAL)
      side->map[m++] = (sd_value) u;
  qsort (side->map, side->m, sizeof *side->map, by_rank);
  for (unsigned i = 0; i < side->m; i++) {
    side->index[(uint16_t) side->map[i]] = (uint16_t) i;
    if (count[(uint16_t) side->map[i]] > count[(uint16_t) side->map[best]])
      best = i;
  }
  side->index[(uint16_t) SD_ILLEGAL] = (uint16_t) best;
  return SD_OK;
}

static int make_maps (sd_output *o, sd_output_stats *stats, sd_error *err) {
  const uint64_t bytes = (2 + o->threads) * SD_OUTPUT_VALUES * sizeof (uint64_t);
  uint64_t *count = sd_alloc0 (2 * SD_OUTPUT_VALUES, sizeof *count);
  sd_output_hold (o, bytes);
  int st = sd_agree (o->t, count ? SD_OK : sd_fail_memory (err, bytes), err);
  if (st == SD_OK)
    st = count_values (o, count, err);
  for (unsigned s = 0; s < o->nsides && st == SD_OK; s++) {
    sd_output_side *side = &o->side[s];
    tell_counts (count + s * SD_OUTPUT_VALUES, &stats->counts[s]);
    st = make_map (count + s * SD_OUTPUT_VALUES, side, err);
    side->first = o->blocks;
    if (st == SD_OK && side->m > 1) {
      sd_blocks_plan (o->spec.side[s].codec, &o->spec.side[s].settings, o->n, side->m, &side->plan);
      o->blocks += side->plan.blocks;
    }
  }
  if (o->nsides == 1)
    stats->counts[1] = stats->counts[0];
  free (count);
  sd_output_release (o, bytes);
  sd_output_hold (o, o->nsides * SD_OUTPUT_VALUES * sizeof *o->side[0].index);
  return sd_agree (o->t, st, err);
}

/* ------------------------------------------------------------ places of bytes */

static int put_head (const sd_output *o, const uint32_t *sums, sd_buf *out, sd_error *err) {
  sd_table_stream stream[2] = { { 0 }, { 0 } };
  for (unsigned s = 0; s < o->nsides; s++) {
    const sd_output_side *side = &o->side[s];
    stream[s] = (sd_table_stream){ .map = side->map, .main = side->m, .bytes = side->bytes, .sums = sums };
    sums = sums ? sums + sd_table_chunks (side->bytes) : NULL;
  }
  return sd_table_head (&o->spec, stream, out, err);
}

/* Heads of the streams, where the streams start, and where this rank's blocks go. */
static int lay_out (sd_output *o, uint64_t *file_bytes, sd_error *err) {
  sd_buf head = { 0 };
  uint32_t *length = sd_alloc (o->blocks, sizeof *length);
  if (!length)
    return sd_fail_memory (err, o->blocks * sizeof *length);
  for (uint64_t i = 0; i < o->blocks; i++)
    length[i] = (uint32_t) o->length[i];
  int st = SD_OK;
  for (unsigned s = 0; s < o->nsides && st == SD_OK; s++) {
    sd_output_side *side = &o->side[s];
    if (side->m == 1)
      sd_codec_put_constant (0, &side->head);
    else
      st = sd_codec_put_head (&side->plan, length + side->first, &side->head);
    side->bytes = side->head.len;
    for (uint64_t b = 0; b < side->plan.blocks; b++)
      side->bytes += length[side->first + b];
    if (st || side->head.failed)
      st = sd_fail_memory (err, side->head.len);
  }
  free (length);
  if (st == SD_OK)
    st = put_head (o, NULL, &head, err);
  uint64_t at = head.len;
  sd_buf_free (&head);
  for (unsigned s = 0; s < o->nsides && st == SD_OK; s++) {
    sd_output_side *side = &o->side[s];
    side->stream = at;
    at += side->head.len;
    for (uint64_t i = side->first; i < side->first + side->plan.blocks; at += o->length[i++])
      if (i % (uint64_t) o->t->size == (uint64_t) o->t->rank)
        o->mine[i / (uint64_t) o->t->size].at = at;
  }
  *file_bytes = at;
  return st;
}

/* -------------------------------------------------------------------- file */

/* What this rank writes before the checksums are known. */
static int write_own (const sd_output *o, void *file, sd_error *err) {
  const sd_transport *t = o->t;
  for (uint64_t k = 0; k < o->nmine; k++)
    SD_TRY (t->file_write (file, o->mine[k].at, o->mine[k].data, o->mine[k].bytes, err));
  for (unsigned s = 0; t->rank == 0 && s < o->nsides; s++)
    SD_TRY (t->file_write (file, o->side[s].stream, o->side[s].head.data, o->side[s].head.len, err));
  return SD_OK;
}

/* Is what this rank has written what the file holds? */
static int compare_own (const sd_output *o, void *file, uint8_t *buffer, sd_error *err) {
  for (uint64_t k = 0; k < o->nmine; k++) {
    const sd_output_block *b = &o->mine[k];
    for (uint64_t at = 0; at < b->bytes; at += SD_CHUNK_BYTES) {
      size_t n = b->bytes - at < SD_CHUNK_BYTES ? b->bytes - at : SD_CHUNK_BYTES;
      SD_TRY (o->t->file_read (file, b->at + at, buffer, n, err));
      if (memcmp (buffer, b->data + at, n))
        return sd_fail (err, SD_EIO, "bytes from %" PRIu64 " on are not those that were written", b->at + at);
    }
  }
  return SD_OK;
}

/* Checksums of this rank's share of all chunks; the others stay zero. */
static int sum_share (const sd_output *o, void *file, uint8_t *buffer, uint64_t *sum, uint64_t chunks,
                      sd_error *err) {
  const uint64_t size = (uint64_t) o->t->size, rank = (uint64_t) o->t->rank, share = chunks / size + 1;
  uint64_t c = 0;
  for (unsigned s = 0; s < o->nsides; s++)
    for (uint64_t at = 0; at < o->side[s].bytes; at += SD_CHUNK_BYTES, c++) {
      if (c / share != rank)
        continue;
      uint64_t n = o->side[s].bytes - at < SD_CHUNK_BYTES ? o->side[s].bytes - at : SD_CHUNK_BYTES;
      SD_TRY (o->t->file_read (file, o->side[s].stream + at, buffer, n, err));
      sum[c] = (uint32_t) sd_hash64 (buffer, n);
    }
  return SD_OK;
}

/* Collective: the file read back; then rank 0 writes the container's head. */
static int read_back (sd_output *o, void *file, sd_error *err) {
  const sd_transport *t = o->t;
  uint64_t chunks = 0;
  for (unsigned s = 0; s < o->nsides; s++)
    chunks += sd_table_chunks (o->side[s].bytes);
  const uint64_t bytes = SD_CHUNK_BYTES + chunks * (sizeof (uint64_t) + sizeof (uint32_t));
  uint8_t *buffer = sd_alloc (SD_CHUNK_BYTES, 1);
  uint64_t *sum = sd_alloc0 (chunks, sizeof *sum);
  uint32_t *low = sd_alloc (chunks, sizeof *low);
  sd_buf head = { 0 };
  sd_output_hold (o, bytes);
  int st = buffer && sum && low ? SD_OK : sd_fail_memory (err, bytes);
  if (st == SD_OK)
    st = compare_own (o, file, buffer, err);
  if (st == SD_OK)
    st = sum_share (o, file, buffer, sum, chunks, err);
  st = sd_agree (t, st, err);
  if (st == SD_OK && (st = t->sum (t->ctx, sum, (unsigned) chunks)) != SD_OK)
    sd_fail (err, st, "the ranks could not exchange their checksums: %s", sd_strerror (st));
  if (st == SD_OK && t->rank == 0) {
    for (uint64_t c = 0; c < chunks; c++)
      low[c] = (uint32_t) sum[c];
    st = put_head (o, low, &head, err);
    if (st == SD_OK)
      st = t->file_write (file, 0, head.data, head.len, err);
  }
  sd_buf_free (&head);
  free (buffer);
  free (sum);
  free (low);
  sd_output_release (o, bytes);
  return sd_agree (t, st, err);
}

/* Collective: the temporary file's name, which rank 0 has made. */
static int tell_name (const sd_output *o, const char *name, char **out, sd_error *err) {
  const sd_transport *t = o->t;
  uint64_t n = name ? strlen (name) + 1 : 0;
  int st = t->broadcast (t->ctx, 0, &n, sizeof n);
  *out = st == SD_OK ? malloc (n) : NULL;
  if (st == SD_OK)
    SD_TRY (sd_agree (t, *out ? SD_OK : sd_fail_memory (err, n), err));
  if (st == SD_OK && t->rank == 0)
    memcpy (*out, name, n);
  if (st == SD_OK)
    st = t->broadcast (t->ctx, 0, *out, n);
  if (st != SD_OK)
    return sd_fail (err, st, "the ranks could not exchange the name of the file: %s", sd_strerror (st));
  if (!sd_file_exists (*out))
    st = sd_fail (
        err, SD_EIO,
        "rank %d does not see the file that rank 0 has made: the folder must be one that all ranks share",
        t->rank);
  return sd_agree (t, st, err);
}

/* Collective: everything from the open temporary file to its last byte on the disk. */
static int write_all (sd_output *o, const char *temp, sd_error *err) {
  const sd_transport *t = o->t;
  void *file;
  char *name = NULL;
  int st = tell_name (o, temp, &name, err);
  if (st == SD_OK)
    st = sd_agree (t, t->file_open (t->ctx, name, &file, err), err);
  free (name);
  SD_TRY (st);
  st = sd_agree (t, write_own (o, file, err), err);
  if (st == SD_OK)
    st = sd_agree (t, t->file_sync (file, err), err);
  if (st == SD_OK)
    st = read_back (o, file, err);
  if (st == SD_OK)
    st = sd_agree (t, t->file_sync (file, err), err);
  sd_error closing = { 0 };
  int st2 = sd_agree (t, t->file_close (file, &closing), &closing);
  if (st == SD_OK && st2 != SD_OK) {
    st = st2;
    if (err)
      *err = closing;
  }
  return st;
}

/* Does a reader find in the file what was meant? */
static int check_head (const sd_output *o, const char *temp, uint64_t file_bytes, sd_error *err) {
  sd_table *table;
  sd_table_info info;
  SD_TRY (sd_table_open (temp, 0, &table, err));
  sd_table_describe (table, &info);
  bool same = sd_material_equal (&info.material, &o->spec.material)
              && strcmp (info.game.name, o->spec.game.name) == 0
              && strcmp (info.game.slice, o->spec.game.slice) == 0
              && info.game.fingerprint == o->spec.game.fingerprint && info.metric == o->spec.metric
              && info.coding == o->spec.coding && info.nsides == o->nsides && info.bytes == file_bytes;
  for (unsigned s = 0; s < o->nsides && same; s++)
    same = info.side[s].main == o->side[s].m && info.side[s].stream_bytes == o->side[s].bytes
           && info.side[s].slots == o->n
           && memcmp (info.side[s].map, o->side[s].map, o->side[s].m * sizeof *o->side[s].map) == 0;
  sd_table_close (table);
  return same ? SD_OK : sd_fail (err, SD_EDIFF, "its head does not tell what was written");
}

/* ------------------------------------------------------------------- the way */

static int prepare (sd_output *o, const sd_table_spec *spec, unsigned threads, sd_error *err) {
  o->spec = *spec;
  o->n = spec->game.states;
  o->nsides = 1;
  if (!spec->game.name[0]) {
    sd_indexer *ix;
    SD_TRY (sd_indexer_new (&spec->side[0].layout, &ix, err));
    o->n = sd_indexer_size (ix);
    sd_indexer_free (ix);
    o->nsides = sd_material_symmetric (&spec->material) ? 1 : 2;
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
  sd_output_hold (o, sd_output_before (&o->solution->deal, o->solution->deal.nstates, o->t->rank)
                         * sizeof (sd_value));
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

int sd_gen_output_table (const sd_table_spec *spec, const sd_transport *t, const sd_solution *solution,
                         const char *path, unsigned threads, const sd_progress *progress,
                         sd_output_stats *stats, sd_error *err) {
  sd_output o = { .t = t, .solution = solution, .path = path, .progress = progress };
  sd_outfile *f = NULL;
  sd_output_stats mine = { 0 };
  sd_error own = { 0 };
  const double start = sd_now ();
  err = err ? err : &own;
  int st = prepare (&o, spec, threads, err);
  if (st == SD_OK && t->rank == 0) /* the name first: an unwritable folder is told before the work */
    st = sd_outfile_open (path, &f, err);
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = make_maps (&o, &mine, err);
  if (st == SD_OK)
    st = sd_output_code (&o, err);
  mine.code_s = sd_now () - start;
  if (st == SD_OK)
    st = sd_agree (t, lay_out (&o, &mine.file_bytes, err), err);
  if (st == SD_OK) {
    st = write_all (&o, f ? sd_outfile_temp_name (f) : NULL, err);
    if (st == SD_OK && t->rank == 0)
      st = check_head (&o, sd_outfile_temp_name (f), mine.file_bytes, err);
    if (st != SD_OK)
      sd_error_prefix (err, "%s", path);
    st = sd_agree (t, st, err);
  }
  mine.bytes = o.peak;
  mine.write_s = sd_now () - start - mine.code_s;
  clear (&o);
  if (st == SD_OK && (st = t->sum (t->ctx, &mine.bytes, 1)) != SD_OK)
    sd_fail (err, st, "%s: the ranks could not exchange their counts: %s", path, sd_strerror (st));
  if (st == SD_OK && f) {
    st = sd_outfile_commit (f, err);
    f = NULL;
  }
  sd_outfile_abort (f);
  if (stats)
    *stats = mine;
  return sd_agree (t, st, err);
}

int sd_gen_output (const sd_material *m, const sd_gen_coding *coding, const sd_transport *t,
                   const sd_solution *solution, const char *path, unsigned threads,
                   const sd_progress *progress, sd_output_stats *stats, sd_error *err) {
  sd_table_spec spec;
  SD_TRY (sd_gen_spec (m, coding, &spec, err)); /* all ranks alike */
  return sd_gen_output_table (&spec, t, solution, path, threads, progress, stats, err);
}
