/** \file merge_internal.h
 * One level in the making: what merge.c, hits.c, cover.c and candidates.c share. */
#ifndef SD_OBDD_MERGE_INTERNAL_H
#define SD_OBDD_MERGE_INTERNAL_H

#include "obdd/obdd_internal.h"

#include <stdlib.h>

/** Nodes of the level by one of their two children: an array in the order of their numbers, and behind it, as
 * a list, those that have been added since the array was made. */
typedef struct sd_by_child {
  uint32_t *start; /* [child], [nbelow + 1]: where its nodes begin in at[] */
  struct sd_parent {
    uint32_t other, node; /* the other child, and the number of the node */
  } * at;
  uint32_t *first, *last,
      *next;    /* [child], [child], [node]: the first, the last, and the one behind a node */
  uint64_t cap; /* of next */
} sd_by_child;
static inline void sd_by_child_free (sd_by_child *by) {
  free (by->start);
  free (by->at);
  free (by->first);
  free (by->last);
  free (by->next);
}

typedef struct sd_merger {
  const sd_obdd_sets *below;
  uint32_t nbelow;
  const sd_obdd_options *opt;
  /* different sub-tables: pairs of sets of nodes of the level below, and how often each occurs */
  uint32_t nitems;
  sd_obdd_node *item;
  uint32_t *count;
  uint8_t *hit;   /* 1: some node fits */
  uint64_t *bits; /* [below->n][nbelow / 64 + 1] a bit for each node that a set below has; NULL: too many */
  sd_obdd_pairs nodes; /* of the level */
  sd_by_child by[2];   /* by the left child, by the right one */
} sd_merger;

/** Pairs of nodes that sub-table i may become. */
static inline uint64_t sd_candidates_of (const sd_merger *m, uint32_t i) {
  const uint32_t a = m->item[i].lo, b = m->item[i].hi;
  return (a ? sd_obdd_sets_count (m->below, a) : (uint64_t) m->nbelow)
         * (b ? sd_obdd_sets_count (m->below, b) : m->nbelow);
}

/** *out = the number of node (lo, hi), a new one if there is none yet. merge.c. SD_ENOMEM. */
int sd_merger_add_node (sd_merger *m, uint32_t lo, uint32_t hi, uint32_t *out);

/** What one thread needs to look for nodes: a bit for each node below, all 0 before and after. NULL: no
 * memory. hits.c */
uint64_t *sd_merger_marks (const sd_merger *m);

/** The nodes that hit sub-table i, at most `most`, in no order, into out (NULL: nowhere); how many. hits.c */
uint32_t sd_merger_hits (const sd_merger *m, uint64_t *mark, uint32_t i, uint32_t *out, uint32_t most);

/** m->bits, if the sets below are few enough. Without memory there are none, and nothing else changes. hits.c
 */
void sd_merger_list_bits (sd_merger *m);

/** Some candidates for new nodes of sub-tables that nothing hits: those that fit at least `least` of them. */
typedef struct sd_candidates {
  uint32_t n, least;
  sd_obdd_node *pair; /* [n] */
  uint32_t *start;    /* candidate x fits sub-tables item[start[x]..start[x + 1] - 1] */
  uint32_t *item;
  bool more;    /* there are others, which fit fewer or are as good as some that are listed */
  uint32_t end; /* sub-tables from here on were not looked at */
} sd_candidates;

/** Of sub-tables from number `from` on. candidates.c. SD_ENOMEM; to be freed in any case. */
int sd_candidates_list (const sd_merger *m, uint32_t from, sd_candidates *out);
void sd_candidates_free (sd_candidates *c);

/** New nodes for sub-tables that nothing hits, those first that hit most. cover.c. SD_ENOMEM. */
int sd_merger_cover (sd_merger *m);

#endif
