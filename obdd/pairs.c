/** \file pairs.c
 * Different pairs of 32-bit numbers, numbered in the order in which they come. The pairs stand in a list, and
 * a hash table of numbers alone finds them: 8 bytes a pair and 5 to 11 for the table, which lasts only as
 * long as pairs come. Only its first `mask + 1` entries are in use, so that emptying it costs what the next
 * job expects, not what the largest one took. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

/* At most three quarters of the table are taken. */
static bool is_full (const sd_obdd_pairs *p) {
  return p->n >= (p->mask + 1) / 4 * 3;
}

static size_t place_of (uint32_t lo, uint32_t hi, size_t mask) {
  const uint64_t key = ((uint64_t) lo << 32 | hi) * UINT64_C (0x9e3779b97f4a7c15);
  return (size_t) (key >> 24 ^ key >> 47) & mask;
}

/* An empty table; without memory, the old one stays. */
static bool make_table (sd_obdd_pairs *p, size_t slots) {
  /* A larger table than was needed before keeps its memory; smaller jobs use its beginning. */
  if (slots > p->cap_slots) {
    uint32_t *more = realloc (p->slot, slots * sizeof *more);
    if (!more)
      return false;
    p->slot = more;
    p->cap_slots = slots;
  }
  memset (p->slot, 0, slots * sizeof *p->slot);
  p->mask = slots - 1;
  return true;
}

int sd_obdd_pairs_reset (sd_obdd_pairs *p, size_t expected) {
  size_t slots = 64;
  while (slots / 4 * 3 <= expected)
    slots *= 2;
  p->n = 0;
  return make_table (p, slots) ? SD_OK : SD_ENOMEM;
}

void sd_obdd_pairs_done (sd_obdd_pairs *p) {
  free (p->slot);
  p->slot = NULL;
  p->cap_slots = 0;
}

void sd_obdd_pairs_free (sd_obdd_pairs *p) {
  sd_obdd_pairs_done (p);
  free (p->pair);
  *p = (sd_obdd_pairs){ 0 };
}

void sd_obdd_pairs_take (sd_obdd_pairs *p, sd_obdd_level *out) {
  sd_obdd_node *less = realloc (p->pair, ((size_t) p->n + 1) * sizeof *less);
  *out = (sd_obdd_level){ p->n, less ? less : p->pair };
  p->pair = NULL;
  p->cap = p->n = 0;
}

static size_t empty_slot (const sd_obdd_pairs *p, uint32_t lo, uint32_t hi) {
  size_t i = place_of (lo, hi, p->mask);
  while (p->slot[i])
    i = (i + 1) & p->mask;
  return i;
}

static bool grow_table (sd_obdd_pairs *p) {
  if (!make_table (p, 2 * (p->mask + 1)))
    return false;
  for (uint32_t x = 0; x < p->n; x++)
    p->slot[empty_slot (p, p->pair[x].lo, p->pair[x].hi)] = x + 1;
  return true;
}

uint32_t sd_obdd_pairs_add (sd_obdd_pairs *p, uint32_t lo, uint32_t hi) {
  size_t i = place_of (lo, hi, p->mask);
  for (; p->slot[i]; i = (i + 1) & p->mask) {
    const sd_obdd_node *x = &p->pair[p->slot[i] - 1];
    if (x->lo == lo && x->hi == hi)
      return p->slot[i] - 1;
  }
  if (is_full (p)) {
    if (!grow_table (p))
      return UINT32_MAX;
    i = empty_slot (p, lo, hi);
  }
  if (p->n >= UINT32_MAX - 1 || !sd_grow (&p->pair, &p->cap, p->n + UINT64_C (1)))
    return UINT32_MAX;
  p->pair[p->n] = (sd_obdd_node){ lo, hi };
  p->slot[i] = p->n + 1;
  return p->n++;
}
