/** \file cover.c
 * New nodes of a level for sub-tables that have a choice: a set cover, greedily. A candidate is a pair of
 * nodes of the level below; the one that fits most sub-tables becomes a node, then the one that fits most of
 * the others, and so on.
 *
 * There are far more candidates than slots, so they are never listed together. In large levels (candidates.c)
 * only those are listed that fit the most sub-tables, as many as there is room for; they are chosen from
 * until the best one fits fewer than every listed one did; and so on with the sub-tables that are left.
 * Greedy choice takes them in the same order as if all were listed, but for equally good ones. Candidates
 * that fit one sub-table only are worth no more than any other of its candidates: sub-tables without a better
 * one are left to merge.c. Of those that fitted more before, the last ones listed are taken even then: they
 * leave a choice to sub-tables that are hit already (KQvKR, DTM: 0.1 %). Of a level with more than 2^26
 * pairs of nodes a stretch of sub-tables is covered after the other.
 *
 * A listed candidate's sub-tables are counted when it is the best one by its last count, which only falls.
 * Candidates of the same count are sorted together: a heap of all took up to a third of the time, since it is
 * read from all over memory.
 *
 * Cost: time linear in all pairs of nodes looked at; memory 4 bytes for each place where a listed candidate
 * fits, 36 for the candidate, and 4 for each sub-table that the best one fits. */
#include "config.h"
#include "obdd/merge_internal.h"

#include <string.h>

#define NONE UINT32_MAX

/* Listed candidates by how many sub-tables they fitted when they were counted last. */
typedef struct queue {
  uint32_t *first;  /* [degree], [most + 1]: a candidate that fitted so many; NONE: none did */
  uint32_t *next;   /* [candidate]: the next one of the same degree */
  uint32_t *weight; /* [candidate]: how often these sub-tables occur, modulo 2^32 */
  uint32_t most;
  uint64_t *key, *room; /* [candidate]: those of a degree, to be sorted */
} queue;

static void queue_free (queue *q) {
  free (q->first);
  free (q->next);
  free (q->weight);
  free (q->key);
  free (q->room);
}

/* Sub-tables that candidate x fits and nothing hits, and how often these occur. */
static uint32_t count (const sd_merger *m, const sd_candidates *c, uint32_t x, uint32_t *weight) {
  uint32_t degree = 0;
  *weight = 0;
  for (uint32_t e = c->start[x]; e < c->start[x + 1]; e++) {
    const uint32_t i = c->item[e];
    degree += !m->hit[i];
    *weight += m->hit[i] ? 0 : m->count[i];
  }
  return degree;
}

static void put (queue *q, uint32_t x, uint32_t degree, uint32_t weight) {
  q->weight[x] = weight;
  q->next[x] = q->first[degree];
  q->first[degree] = x;
}

/* All candidates, counted. */
static int fill (const sd_merger *m, const sd_candidates *c, queue *q) {
  for (uint32_t x = 0; x < c->n; x++) {
    const uint32_t fits = c->start[x + 1] - c->start[x];
    q->most = fits > q->most ? fits : q->most;
  }
  q->first = sd_alloc (q->most + UINT64_C (1), sizeof *q->first);
  q->next = sd_alloc (c->n, sizeof *q->next);
  q->weight = sd_alloc (c->n, sizeof *q->weight);
  q->key = sd_alloc (c->n, sizeof *q->key);
  q->room = sd_alloc (c->n, sizeof *q->room);
  if (!q->first || !q->next || !q->weight || !q->key || !q->room)
    return SD_ENOMEM;
  memset (q->first, 0xff, (q->most + UINT64_C (1)) * sizeof *q->first);
  for (uint32_t x = 0; x < c->n; x++) {
    uint32_t weight;
    const uint32_t degree = count (m, c, x, &weight);
    put (q, x, degree, weight);
  }
  return SD_OK;
}

/* Those of a degree in q->key, the candidate in the low half; how many. What occurs most often comes first,
 * then what is listed first. */
static uint32_t sort_degree (queue *q, uint32_t degree) {
  uint32_t n = 0;
  for (uint32_t x = q->first[degree]; x != NONE; x = q->next[x])
    q->key[n++] = (uint64_t) ~q->weight[x] << 32 | x;
  sd_sort_keys (q->key, q->room, n);
  return n;
}

static int choose (sd_merger *m, const sd_candidates *c) {
  SD_RELEASED_BY (queue_free) queue q = { 0 };
  const uint32_t least = c->more ? c->least : 1;
  SD_TRY (fill (m, c, &q));
  /* Counts only fall: what still fits as many as when it was counted last is the best of all, and what fits
   * fewer waits for its turn, if it will have one. */
  for (uint32_t degree = q.most; degree >= least; degree--) {
    const uint32_t n = sort_degree (&q, degree);
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t x = (uint32_t) q.key[k];
      uint32_t node, weight;
      const uint32_t now = count (m, c, x, &weight);
      if (now == degree) {
        SD_TRY (sd_merger_add_node (m, c->pair[x].lo, c->pair[x].hi, &node));
        for (uint32_t e = c->start[x]; e < c->start[x + 1]; e++)
          m->hit[c->item[e]] = 1;
      } else if (now >= least)
        put (&q, x, now, weight);
    }
  }
  return SD_OK;
}

/* What is left over after so many passes is matched one by one (merge.c). Tables need a few; a pass takes up
 * to 2^27 steps and is only sure to find one node. */
#define MOST_PASSES 256

int sd_merger_cover (sd_merger *m) {
  uint32_t from = 0;
  for (unsigned pass = 0; pass < MOST_PASSES && from < m->nitems; pass++) {
    SD_RELEASED_BY (sd_candidates_free) sd_candidates c = { 0 };
    SD_TRY (sd_candidates_list (m, from, &c));
    SD_TRY (choose (m, &c));
    /* Nothing was left out of this stretch, so that what it still lacks is left to merge.c. */
    if (!c.more) /* on to the sub-tables behind, if the level is that large */
      from = c.end;
  }
  return SD_OK;
}
