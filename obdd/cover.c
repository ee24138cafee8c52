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
 *
 * Cost: time linear in all pairs of nodes looked at, times the logarithm for the heap; memory 4 bytes for
 * each place where a listed candidate fits and 24 for the candidate. */
#include "config.h"
#include "obdd/merge_internal.h"

/* A candidate, as good as it was when it was put into the heap. */
typedef struct offer {
  uint32_t degree, weight, candidate;
} offer;

typedef struct heap {
  offer *at;
  size_t n;
} heap;

static bool better (const offer *x, const offer *y) {
  if (x->degree != y->degree)
    return x->degree > y->degree;
  if (x->weight != y->weight)
    return x->weight > y->weight;
  return x->candidate < y->candidate;
}

/* Down the heap until nothing below is better. */
static void sink (heap *h, size_t i) {
  const offer x = h->at[i];
  for (size_t k; (k = 2 * i + 1) < h->n; i = k) {
    if (k + 1 < h->n && better (&h->at[k + 1], &h->at[k]))
      k++;
    if (!better (&h->at[k], &x))
      break;
    h->at[i] = h->at[k];
  }
  h->at[i] = x;
}

/* Sub-tables that candidate x fits and nothing hits, and how often these occur, modulo 2^32. */
static offer count (const sd_merger *m, const sd_candidates *c, uint32_t x) {
  offer o = { .candidate = x };
  for (uint32_t e = c->start[x]; e < c->start[x + 1]; e++) {
    const uint32_t i = c->item[e];
    o.degree += !m->hit[i];
    o.weight += m->hit[i] ? 0 : m->count[i];
  }
  return o;
}

static int choose (sd_merger *m, const sd_candidates *c, heap *h) {
  const uint32_t least = c->more ? c->least : 1;
  uint32_t node;

  /* A heap of all candidates by how many sub-tables they fit now. */
  for (; h->n < c->n; h->n++)
    h->at[h->n] = count (m, c, (uint32_t) h->n);
  for (size_t i = h->n / 2; i-- > 0;)
    sink (h, i);
  while (h->n > 0 && h->at[0].degree >= least) {
    const uint32_t x = h->at[0].candidate;
    /* The best by its last count: if that is still true it is the best of all, since counts only fall. */
    const offer now = count (m, c, x);
    if (now.degree == h->at[0].degree) {
      SD_TRY (sd_merger_add_node (m, c->pair[x].lo, c->pair[x].hi, &node));
      for (uint32_t e = c->start[x]; e < c->start[x + 1]; e++)
        m->hit[c->item[e]] = 1;
    }
    /* Chosen, or worth no more than others: it leaves the heap. Else it sinks to where its count belongs. */
    if (now.degree == h->at[0].degree || now.degree < least)
      h->at[0] = h->at[--h->n];
    else
      h->at[0] = now;
    if (h->n)
      sink (h, 0);
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
    SD_OWNED offer *at = sd_alloc (c.n, sizeof *at);
    SD_TRY (at ? choose (m, &c, &(heap){ at, 0 }) : SD_ENOMEM);
    /* Nothing was left out of this stretch, so that what it still lacks is left to merge.c. */
    if (!c.more) /* on to the sub-tables behind, if the level is that large */
      from = c.end;
  }
  return SD_OK;
}
