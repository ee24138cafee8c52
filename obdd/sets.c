/** \file sets.c
 * Sets of nodes, each stored once, by number: while free slots are merged a sub-table may become
 * any of several nodes, and equal sets are mostly met again. Elements are 16 bits wide while a level has so
 * few nodes. A number stays valid until the sets are freed. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

static size_t width_of (const sd_obdd_sets *s) {
  return s->wide ? sizeof (uint32_t) : sizeof (uint16_t);
}

int sd_obdd_sets_init (sd_obdd_sets *s, uint32_t nodes) {
  /* Number 0 is the set of all, which has no elements, so that sets are numbered from 1 on. */
  *s = (sd_obdd_sets){ .wide = nodes > 1u << 16, .n = 1, .cap = 256, .elem_cap = 1024, .slots = 1024 };
  /* A level has about as many sets as nodes, or some more: the table doubles once or twice at the most. */
  while (s->slots / 2 < nodes)
    s->slots *= 2;
  s->start = sd_alloc0 (s->cap, sizeof *s->start);
  s->elem = sd_alloc (s->elem_cap, width_of (s));
  s->slot = sd_alloc0 (s->slots, sizeof *s->slot);
  if (s->start && s->elem && s->slot)
    return SD_OK;
  sd_obdd_sets_free (s);
  return SD_ENOMEM;
}

void sd_obdd_sets_free (sd_obdd_sets *s) {
  free (s->start);
  free (s->elem);
  free (s->slot);
  *s = (sd_obdd_sets){ 0 };
}

/* Elements are added up, so that none waits for the one before it. */
static uint64_t mix (uint64_t h, uint32_t elem) {
  const uint64_t x = (elem + UINT64_C (1)) * UINT64_C (0x9e3779b97f4a7c15);
  return h + (x ^ x >> 29);
}

static size_t place_of (const sd_obdd_sets *s, uint64_t h) {
  return (size_t) (h >> 7 ^ h >> 37) & (s->slots - 1);
}

static uint64_t hash_of (const sd_obdd_sets *s, uint32_t set) {
  uint64_t h = sd_obdd_sets_count (s, set);
  for (uint32_t k = s->start[set]; k < s->start[set + 1]; k++)
    h = mix (h, sd_obdd_sets_at (s, k));
  return h;
}

static bool is_set (const sd_obdd_sets *s, uint32_t set, const uint32_t *elem, uint32_t n) {
  uint32_t k = 0;
  if (sd_obdd_sets_count (s, set) != n)
    return false;
  while (k < n && sd_obdd_sets_at (s, s->start[set] + k) == elem[k])
    k++;
  return k == n;
}

static size_t empty_slot (const sd_obdd_sets *s, uint64_t h) {
  size_t i = place_of (s, h);
  while (s->slot[i])
    i = (i + 1) & (s->slots - 1);
  return i;
}

/* All sets get new places in the hash table. */
static bool double_slots (sd_obdd_sets *s) {
  size_t slots = 2 * s->slots;
  uint32_t *slot = sd_alloc0 (slots, sizeof *slot);
  if (!slot)
    return false;
  free (s->slot);
  s->slot = slot;
  s->slots = slots;
  for (uint32_t x = 1; x < s->n; x++)
    slot[empty_slot (s, hash_of (s, x))] = x;
  return true;
}

/* Room for one more set of n elements. */
static bool make_room (sd_obdd_sets *s, uint32_t n) {
  if (!sd_grow (&s->start, &s->cap, s->n + 2))
    return false;
  if (s->elems + n > s->elem_cap) {
    /* Half as much again: elements take most of the memory of an encoder. */
    size_t cap = s->elem_cap + s->elem_cap / 2 + n;
    if (cap > UINT32_MAX) { /* places are 32 bits wide */
      s->full = s->elems + n > UINT32_MAX;
      cap = UINT32_MAX;
    }
    void *elem = s->full ? NULL : realloc (s->elem, cap * width_of (s));
    if (!elem)
      return false;
    s->elem = elem;
    s->elem_cap = cap;
  }
  /* At most half of the hash table is taken. */
  return s->n < s->slots / 2 || double_slots (s);
}

uint32_t sd_obdd_sets_add (sd_obdd_sets *s, const uint32_t *elem, uint32_t n) {
  uint64_t h = n;
  for (uint32_t i = 0; i < n; i++)
    h = mix (h, elem[i]);
  size_t i = place_of (s, h);
  for (; s->slot[i]; i = (i + 1) & (s->slots - 1))
    if (is_set (s, s->slot[i], elem, n))
      return s->slot[i];
  if (!make_room (s, n))
    return UINT32_MAX;
  /* The table may have grown, so that the place is looked for again. */
  i = empty_slot (s, h);
  for (uint32_t k = 0; k < n; k++)
    if (s->wide)
      ((uint32_t *) s->elem)[s->elems + k] = elem[k];
    else
      ((uint16_t *) s->elem)[s->elems + k] = (uint16_t) elem[k];
  s->elems += n;
  s->start[s->n + 1] = (uint32_t) s->elems;
  s->slot[i] = (uint32_t) s->n;
  return (uint32_t) s->n++;
}

void sd_obdd_sets_finish (sd_obdd_sets *s) {
  /* If this fails the larger piece of memory stays, which does no harm. */
  void *elem = realloc (s->elem, (s->elems + 1) * width_of (s));
  if (elem) {
    s->elem = elem;
    s->elem_cap = s->elems + 1;
  }
  free (s->slot);
  s->slot = NULL;
}
