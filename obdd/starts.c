/** \file starts.c
 * Where an order comes from besides sifting the table itself. What sifting counts, sub-tables that differ,
 * takes free slots for a value of their own. Sifting the same sequence with its free slots completed in one
 * way or another counts something else that is as far from the finished diagram, but elsewhere: each finds
 * orders near which others are better than any near the first one. Each is polished with very few choices,
 * the best again with more, and taken if it is better than the first one with all of them.
 *
 * Memory: 2 bytes a slot for the completed sequence, and three plain diagrams.
 *
 * Shuffled orders are no better starts for sifting the table itself: of 15 for KNvKP 12 (White to move) and
 * 13 (Black) came to the same size. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

#define VERY_FEW 16 /* choices and pairs: three times as fast as with FEW */
#define FEW 64      /* 1.01 to 1.1 times the bytes that 1,024 choices give, and orders rank alike */

/* What is sifted, by how its free slots are completed. */
static const char *const completed[] = { NULL, "frequent", "left", "edges:4" };

int sd_obdd_complete (const sd_seq *s, const char *way, sd_symbol **out) {
  sd_seq copy = *s;
  *out = copy.sym = sd_alloc (s->n, sizeof *copy.sym);
  if (!copy.sym)
    return SD_ENOMEM;
  memcpy (copy.sym, s->sym, s->n * sizeof *copy.sym);
  SD_TRY (sd_initial_apply (way, &copy, NULL));
  return sd_complete_frequent (&copy);
}

/* The order that sifting finds for s with its free slots completed. */
static int sift_completed (const sd_seq *s, const char *way, const sd_obdd_search *how, sd_obdd_vars *v,
                           const sd_progress *progress) {
  sd_seq definite = *s;
  sd_obdd_plain p = { 0 };
  int st = sd_obdd_complete (s, way, &definite.sym);
  /* The plain diagram is made in this order only; sifting goes on from there. */
  sd_obdd_order_of_pieces (v);
  if (!st)
    st = sd_obdd_plain_of_seq (v, &definite, how->fill, how->leaves, &p);
  free (definite.sym);
  if (!st)
    st = sd_obdd_sift (v, &p, how->rounds, false, progress);
  sd_obdd_plain_free (&p);
  return st;
}

static void exchange (sd_obdd_plain *a, sd_obdd_plain *b) {
  const sd_obdd_plain c = *a;
  *a = *b;
  *b = c;
}

/* The best of all starts with few choices, polished; *out is p in that order. Eight arguments: those of
 * sd_obdd_better_order, and where to. */
static int best_start (const sd_obdd_vars *v, const sd_obdd_plain *p, const sd_seq *s,
                       const sd_obdd_search *how, const sd_obdd_options *opt, sd_obdd_vars *best,
                       sd_obdd_plain *out, const sd_progress *progress) {
  const sd_obdd_options very_few = sd_obdd_fewer (opt, VERY_FEW), few = sd_obdd_fewer (opt, FEW);
  uint64_t least = UINT64_MAX, bytes;
  for (unsigned i = 0; i < how->starts; i++) {
    sd_obdd_vars w = *v, goal = *v;
    SD_RELEASED_BY (sd_obdd_plain_free) sd_obdd_plain q = { 0 };
    if (completed[i])
      SD_TRY (sift_completed (s, completed[i], how, &goal, progress));
    SD_TRY (sd_obdd_plain_copy (p, &q));
    /* Only the order is taken over: the diagram that is polished is that of the sequence with its free
     * slots. */
    SD_TRY (sd_obdd_arrange (&w, &q, goal.sum));
    if (how->polish)
      SD_TRY (sd_obdd_polish (&w, &q, s->alphabet, &very_few, how->polish, progress));
    SD_TRY (sd_obdd_size (&q, s->alphabet, &few, &bytes));
    if (bytes < least) {
      least = bytes;
      *best = w;
      exchange (out, &q);
    }
  }
  return how->polish ? sd_obdd_polish (best, out, s->alphabet, &few, how->polish, progress) : SD_OK;
}

int sd_obdd_better_order (sd_obdd_vars *v, sd_obdd_plain *p, const sd_seq *s, const sd_obdd_search *how,
                          const sd_obdd_options *opt, const sd_progress *progress) {
  sd_obdd_vars w = *v;
  SD_RELEASED_BY (sd_obdd_plain_free) sd_obdd_plain q = { 0 };
  uint64_t before, after;
  SD_TRY (best_start (v, p, s, how, opt, &w, &q, progress));
  SD_TRY (sd_obdd_size (p, s->alphabet, opt, &before));
  SD_TRY (sd_obdd_size (&q, s->alphabet, opt, &after));
  if (after < before) {
    *v = w;
    exchange (p, &q);
  }
  return SD_OK;
}
