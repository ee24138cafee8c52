/** \file pairs.c
 * A hash table from pairs of 32-bit numbers to numbers. Only its first `mask + 1` entries are in use, so that
 * emptying it costs what the next job expects, not what the largest one took. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

static size_t place_of (uint64_t key, size_t mask) {
  key *= UINT64_C (0x9e3779b97f4a7c15);
  return (size_t) (key >> 24 ^ key >> 47) & mask;
}

static int reserve (sd_obdd_pairs *p, size_t cap) {
  if (cap <= p->cap)
    return SD_OK;
  free (p->key);
  free (p->number);
  p->key = sd_alloc (cap, sizeof *p->key);
  p->number = sd_alloc (cap, sizeof *p->number);
  p->cap = p->key && p->number ? cap : 0;
  return p->cap ? SD_OK : SD_ENOMEM;
}

int sd_obdd_pairs_reset (sd_obdd_pairs *p, size_t expected) {
  size_t cap = 64;
  while (cap < 2 * expected)
    cap *= 2;
  SD_TRY (reserve (p, cap));
  p->mask = cap - 1;
  p->used = 0;
  memset (p->number, 0xff, cap * sizeof *p->number);
  return SD_OK;
}

void sd_obdd_pairs_free (sd_obdd_pairs *p) {
  free (p->key);
  free (p->number);
  *p = (sd_obdd_pairs){ 0 };
}

static int grow (sd_obdd_pairs *p) {
  sd_obdd_pairs bigger = { 0 };
  if (sd_obdd_pairs_reset (&bigger, p->used)) {
    sd_obdd_pairs_free (&bigger);
    return SD_ENOMEM;
  }
  for (size_t i = 0; i <= p->mask; i++)
    if (p->number[i] != UINT32_MAX)
      sd_obdd_pairs_add (&bigger, (uint32_t) (p->key[i] >> 32), (uint32_t) p->key[i], p->number[i]);
  sd_obdd_pairs_free (p);
  *p = bigger;
  return SD_OK;
}

uint32_t sd_obdd_pairs_add (sd_obdd_pairs *p, uint32_t a, uint32_t b, uint32_t next) {
  const uint64_t key = (uint64_t) a << 32 | b;
  size_t i = place_of (key, p->mask);
  for (; p->number[i] != UINT32_MAX; i = (i + 1) & p->mask)
    if (p->key[i] == key)
      return p->number[i];
  p->key[i] = key;
  p->number[i] = next;
  if (++p->used > (p->mask + 1) / 4 * 3 && grow (p))
    return UINT32_MAX;
  return next;
}
