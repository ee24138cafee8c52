/* All values of one ending in memory, in the generator's layout, for those that look at every position:
 * subdefining, comparing, counting. A solver or a file fills them in; until then each is SD_ILLEGAL. Memory:
 * two bytes a slot and side, and less once they are packed. */
#include "config.h"
#include "values/values_internal.h"
#include <stdlib.h>
#include <string.h>

int sd_exact_frame (const sd_material *m, sd_exact **out, sd_error *err) {
  sd_layout layout;
  sd_exact *e = calloc (1, sizeof *e);

  if (!e)
    return sd_fail_memory (err, sizeof *e);
  e->material = *m;
  e->nsides = sd_material_symmetric (m) ? 1 : 2;
  sd_layout_kings_first (m, &layout);
  int st = sd_indexer_new (&layout, &e->indexer, err);
  if (st != SD_OK) {
    free (e);
    return st;
  }
  e->n = sd_indexer_size (e->indexer);
  *out = e;
  return SD_OK;
}

int sd_exact_side (sd_exact *e, unsigned side, sd_error *err) {
  e->value[side] = sd_alloc (e->n, sizeof *e->value[side]);
  if (!e->value[side])
    return sd_fail_memory (err, e->n * sizeof *e->value[side]);
  for (uint64_t i = 0; i < e->n; i++)
    e->value[side][i] = SD_ILLEGAL;
  return SD_OK;
}

int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err) {
  sd_exact *e;
  SD_TRY (sd_exact_frame (m, &e, err));
  for (unsigned side = 0; side < e->nsides; side++) {
    const int st = sd_exact_side (e, side, err);
    if (st != SD_OK) {
      sd_exact_free (e);
      return st;
    }
  }
  *out = e;
  return SD_OK;
}

void sd_exact_free (sd_exact *e) {
  if (!e)
    return;
  for (unsigned side = 0; side < 2; side++) {
    free (e->value[side]);
    sd_packed_free (e->packed[side]);
  }
  sd_indexer_free (e->indexer);
  free (e);
}

int sd_exact_pack (sd_exact *e, unsigned side, sd_error *err) {
  enum { PART = 16 * SD_PACKED_BLOCK };
  int status = SD_OK;
  if (!e->value[side])
    return SD_OK;
  if (sd_packed_frame (e->n, &e->packed[side]) != SD_OK)
    return sd_fail_memory (err, e->n);
#pragma omp parallel for schedule(dynamic, 1) reduction(max : status)
  for (uint64_t at = 0; at < e->n; at += PART) {
    const uint64_t n = e->n - at < PART ? e->n - at : PART;
    const int st = sd_packed_put (e->packed[side], at, n, e->value[side] + at);
    status = st > status ? st : status;
  }
  if (status != SD_OK) {
    sd_packed_free (e->packed[side]);
    e->packed[side] = NULL;
    return sd_fail (err, status, "packing values: %s", sd_strerror (status));
  }
  free (e->value[side]);
  e->value[side] = NULL;
  return SD_OK;
}

void sd_exact_read (const sd_exact *e, unsigned side, uint64_t first, uint64_t count, sd_value *out) {
  if (e->value[side])
    memcpy (out, e->value[side] + first, count * sizeof *out);
  else
    sd_packed_read (e->packed[side], first, count, out);
}

bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p) {
  return sd_index_position (e->indexer, i, side, p);
}

void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out) {
  memset (out, 0, sizeof *out);
  /* Of equal material one side tells for both. */
  const unsigned told = e->nsides == 1 ? 0 : side;
  for (uint64_t i = 0; i < e->n; i++) {
    const sd_value v = sd_exact_at (e, told, i);
    if (v == SD_ILLEGAL)
      continue;
    out->positions++;
    if (v == 0)
      out->drawn++;
    else if (v > 0) {
      out->won++;
      if (v > out->longest_win)
        out->longest_win = v;
    } else {
      out->lost++;
      if (v < out->longest_loss)
        out->longest_loss = v;
    }
  }
}
