/** \file sets.c
 * Sets of nodes, each stored once, by number. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

int sd_obdd_sets_init (sd_obdd_sets *s) {
  *s = (sd_obdd_sets){ .n = 1, .cap = 256, .elem_cap = 1024, .slots = 1024 };
  s->start = sd_alloc0 (s->cap + 1, sizeof *s->start);
  s->elem = sd_alloc (s->elem_cap, sizeof *s->elem);
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

static size_t place_of (const sd_obdd_sets *s, const uint32_t *elem, uint32_t n) {
  uint64_t h = n;
  for (uint32_t i = 0; i < n; i++) {
    h = (h ^ elem[i]) * UINT64_C (0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (size_t) (h >> 7) & (s->slots - 1);
}

static bool double_slots (sd_obdd_sets *s) {
  size_t slots = 2 * s->slots;
  uint32_t *slot = sd_alloc0 (slots, sizeof *slot);
  if (!slot)
    return false;
  free (s->slot);
  s->slot = slot;
  s->slots = slots;
  for (uint32_t x = 1; x < s->n; x++) {
    size_t i = place_of (s, sd_obdd_sets_elems (s, x), sd_obdd_sets_count (s, x));
    while (slot[i])
      i = (i + 1) & (slots - 1);
    slot[i] = x;
  }
  return true;
}

/* Room for one more set of n elements. */
static bool make_room (sd_obdd_sets *s, uint32_t n) {
  if (s->n + 1 > s->cap) {
    uint32_t *start = realloc (s->start, (2 * s->cap + 1) * sizeof *start);
    if (!start)
      return false;
    s->start = start;
    s->cap *= 2;
  }
  if (s->elems + n > s->elem_cap) {
    size_t cap = 2 * (s->elem_cap + n);
    uint32_t *elem = cap > UINT32_MAX ? NULL : realloc (s->elem, cap * sizeof *elem);
    if (!elem)
      return false;
    s->elem = elem;
    s->elem_cap = cap;
  }
  return s->n < s->slots / 2 || double_slots (s);
}

uint32_t sd_obdd_sets_add (sd_obdd_sets *s, const uint32_t *elem, uint32_t n) {
  size_t i = place_of (s, elem, n);
  for (; s->slot[i]; i = (i + 1) & (s->slots - 1)) {
    const uint32_t x = s->slot[i];
    if (sd_obdd_sets_count (s, x) == n && memcmp (sd_obdd_sets_elems (s, x), elem, n * sizeof *elem) == 0)
      return x;
  }
  if (!make_room (s, n))
    return UINT32_MAX;
  i = place_of (s, elem, n);
  while (s->slot[i])
    i = (i + 1) & (s->slots - 1);
  memcpy (s->elem + s->elems, elem, n * sizeof *elem);
  s->elems += n;
  s->start[s->n + 1] = (uint32_t) s->elems;
  s->slot[i] = (uint32_t) s->n;
  return (uint32_t) s->n++;
}

void sd_obdd_sets_finish (sd_obdd_sets *s) {
  uint32_t *elem = realloc (s->elem, (s->elems + 1) * sizeof *elem);
  if (elem) {
    s->elem = elem;
    s->elem_cap = s->elems + 1;
  }
  free (s->slot);
  s->slot = NULL;
}
