/** \file merge_internal.h
 * One level in the making: what merge.c and cover.c share. */
#ifndef SD_OBDD_MERGE_INTERNAL_H
#define SD_OBDD_MERGE_INTERNAL_H

#include "obdd/obdd_internal.h"

#include <stdlib.h>

/** Different sub-tables: pairs of sets of nodes of the level below, and how often each occurs. */
typedef struct sd_items {
  uint32_t n, *a, *b, *count;
  size_t cap;
} sd_items;

typedef struct sd_merger {
  const sd_obdd_sets *below;
  uint32_t nbelow;
  const sd_obdd_options *opt;
  sd_obdd_level *level;
  size_t cap;
  sd_obdd_pairs pairs; /* nodes of the level */
  sd_items it;
  uint8_t *hit; /* [it.n] 1: some node fits */
  /* nodes by child: the first and the last node with this left (right) child, and the next one of a node */
  uint32_t *first_lo, *last_lo, *first_hi, *last_hi, *next_lo, *next_hi;
} sd_merger;

/** realloc; false: out of memory, *p as it was. */
static inline bool sd_grow (uint32_t **p, size_t cap) {
  uint32_t *bigger = realloc (*p, cap * sizeof *bigger);
  if (bigger)
    *p = bigger;
  return bigger != NULL;
}

/** Pairs of nodes that sub-table i may become. */
static inline uint64_t sd_candidates_of (const sd_merger *m, uint32_t i) {
  const uint32_t a = m->it.a[i], b = m->it.b[i];
  return (a ? sd_obdd_sets_count (m->below, a) : (uint64_t) m->nbelow)
         * (b ? sd_obdd_sets_count (m->below, b) : m->nbelow);
}

/** *out = the number of node (lo, hi), a new one if there is none yet. merge.c. SD_ENOMEM. */
int sd_merger_add_node (sd_merger *m, uint32_t lo, uint32_t hi, uint32_t *out);

/** New nodes for sub-tables that nothing hits, those first that hit most. cover.c. SD_ENOMEM. */
int sd_merger_cover (sd_merger *m);

#endif
