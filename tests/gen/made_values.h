/** \file made_values.h
 * Made-up values of an ending, for tests of what writes tables: the same on every rank, in runs as real ones
 * are, with illegal slots, and states behind the stored ones whose values must not come out. */
#ifndef MADE_VALUES_H
#define MADE_VALUES_H

#include "gen/gen.h"

#include <stdlib.h>
#include <string.h>

enum { MADE_BEHIND = 1234 }; /* states that are not stored */

typedef struct made {
  sd_material m;
  sd_exact *e;
  uint64_t nstates;
} made;

/* Values -kinds .. kinds; 0: all drawn. */
static inline int made_new (const char *name, unsigned kinds, uint64_t seed, made *out) {
  sd_error err;
  memset (out, 0, sizeof *out);
  SD_TRY (sd_material_parse (name, &out->m, &err));
  SD_TRY (sd_exact_new (&out->m, &out->e, &err));
  sd_exact *e = out->e;
  out->nstates = e->nsides * e->n + MADE_BEHIND;
  for (unsigned side = 0; side < e->nsides; side++) {
    sd_value v = 0;
    for (uint64_t i = 0; i < e->n; i++) {
      uint8_t sq[SD_MAX_MEN];
      uint64_t r = sd_random (&seed);
      if (r % 256 == 0)
        v = (sd_value) ((int) (r >> 32 & 0xffff) % (int) (2 * kinds + 1) - (int) kinds);
      e->value[side][i] = r % 128 == 1 || !sd_index_squares (e->indexer, i, sq) ? SD_ILLEGAL : v;
    }
  }
  return SD_OK;
}

static inline void made_free (made *x) {
  sd_exact_free (x->e);
}

/* What rank `rank` of `size` holds of it. */
static inline void made_deal (const made *x, int rank, int size, uint64_t grain, sd_solution *out) {
  sd_deal_make (x->nstates, size, grain, &out->deal);
  out->value = malloc (x->nstates * sizeof *out->value);
  uint64_t n = 0;
  for (sd_state s = 0; s < x->nstates; s++)
    if (s / out->deal.grain % (uint64_t) size == (uint64_t) rank)
      out->value[n++] = s >= x->e->nsides * x->e->n ? 777 : x->e->value[s / x->e->n][s % x->e->n];
}

static inline int made_read (const char *path, uint8_t **out, size_t *len) {
  sd_map map;
  SD_TRY (sd_map_open (path, &map, NULL));
  *out = malloc (map.len + 1);
  memcpy (*out, map.data, map.len);
  *len = map.len;
  sd_map_close (&map);
  return SD_OK;
}

static inline bool made_same_file (const char *a, const char *b) {
  uint8_t *x = NULL, *y = NULL;
  size_t n = 0, m = 0;
  bool same =
      made_read (a, &x, &n) == SD_OK && made_read (b, &y, &m) == SD_OK && n == m && memcmp (x, y, n) == 0;
  free (x);
  free (y);
  return same;
}

#endif
