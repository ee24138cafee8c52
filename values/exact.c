/* All values of one ending in memory, in the generator's layout, for those that look at every position:
 * subdefining, comparing, counting. A solver or a file fills them in; until then each is SD_ILLEGAL. Memory:
 * two bytes a slot and side. */
#include "config.h"
#include "values/values.h"
#include <stdlib.h>
#include <string.h>

int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err) {
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
  for (unsigned side = 0; side < e->nsides; side++) {
    e->value[side] = sd_alloc (e->n, sizeof *e->value[side]);
    if (!e->value[side]) {
      size_t bytes = e->n * sizeof *e->value[side];
      sd_exact_free (e);
      return sd_fail_memory (err, bytes);
    }
    for (uint64_t i = 0; i < e->n; i++)
      e->value[side][i] = SD_ILLEGAL;
  }
  *out = e;
  return SD_OK;
}

void sd_exact_free (sd_exact *e) {
  if (!e)
    return;
  free (e->value[0]);
  free (e->value[1]);
  sd_indexer_free (e->indexer);
  free (e);
}

bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p) {
  return sd_index_position (e->indexer, i, side, p);
}

void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out) {
  memset (out, 0, sizeof *out);
  /* Of equal material one side tells for both. */
  const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
  for (uint64_t i = 0; i < e->n; i++) {
    if (v[i] == SD_ILLEGAL)
      continue;
    out->positions++;
    if (v[i] == 0)
      out->drawn++;
    else if (v[i] > 0) {
      out->won++;
      if (v[i] > out->longest_win)
        out->longest_win = v[i];
    } else {
      out->lost++;
      if (v[i] < out->longest_loss)
        out->longest_loss = v[i];
    }
  }
}
