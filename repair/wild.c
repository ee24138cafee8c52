/** \file wild.c
 * What fits where a run of slots admits everything, as in DTM tables, where half of the slots
 * are drawn or illegal: the tree of phrases (trie.c) would be walked whole at each such place.
 *
 * All phrases within the run fit, so that the cheapest of each length is enough. One that reaches beyond it
 * has an edge at the first place behind the run; edges are listed by that place and by their symbol.
 *
 * Memory: 8 bytes for each symbol of each edge up to SD_WILD_REACH. Time: twice over all edges. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

/* An edge of the walk over the whole tree, and how many symbols stand above it. */
typedef struct open_edge {
  uint32_t edge, above;
} open_edge;

typedef struct builder {
  const sd_trie *trie;
  unsigned m;
  sd_wild *wild;
  sd_wild_length best[SD_WILD_REACH];
  open_edge *stack;
  uint32_t top;
  uint64_t cap;
} builder;

static int push (builder *b, uint32_t first, uint32_t count, uint32_t above) {
  if (!sd_grow (&b->stack, &b->cap, b->top + count))
    return SD_ENOMEM;
  for (uint32_t k = count; k-- > 0;)
    b->stack[b->top++] = (open_edge){ first + k, above };
  return SD_OK;
}

/* All edges that begin within reach. fill: entries are written, else counted into first[key + 1]. */
static int visit (builder *b, bool fill) {
  sd_wild *w = b->wild;
  SD_TRY (push (b, 0, b->trie->roots, 0));
  while (b->top) {
    open_edge o = b->stack[--b->top];
    const sd_trie_edge *e = b->trie->edge + o.edge;
    uint64_t end = (uint64_t) o.above + e->run;
    /* For each place of its run at which the free slots may end: so many symbols are still needed from there
     * on. */
    for (uint32_t at = o.above; at < end && at < SD_WILD_REACH; at++) {
      size_t key = (size_t) at * b->m + e->value;
      if (fill)
        w->edge[w->first[key]++] = (sd_wild_edge){ o.edge, (uint32_t) (end - at) };
      else
        w->first[key + 1]++;
    }
    /* What begins beyond the reach of the tables is found by walking on from this edge. */
    if (end >= SD_WILD_REACH)
      continue;
    sd_wild_length *x = b->best + end;
    if (e->cost < x->cost)
      *x = (sd_wild_length){ (uint32_t) end, e->cost, e->id };
    SD_TRY (push (b, e->kids, e->nkids, (uint32_t) end));
  }
  return SD_OK;
}

/* By rising length, so that a run of slots knows how many of them fit (upto). */
static int list_lengths (builder *b) {
  sd_wild *w = b->wild;
  uint32_t n = 0;
  w->length = sd_alloc (SD_WILD_REACH, sizeof *w->length);
  if (!w->length)
    return SD_ENOMEM;
  for (uint32_t run = 0; run < SD_WILD_REACH; run++) {
    if (b->best[run].cost != SD_TRIE_NONE)
      w->length[n++] = b->best[run];
    w->upto[run] = n;
  }
  return SD_OK;
}

static int by_rest (const void *pa, const void *pb) {
  const sd_wild_edge *a = pa, *b = pb;
  if (a->rest != b->rest)
    return a->rest < b->rest ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

int sd_wild_new (const sd_repair *st, const sd_trie *trie, sd_wild *wild) {
  const size_t keys = (size_t) SD_WILD_REACH * st->m;
  builder b = { .trie = trie, .m = st->m, .wild = wild };

  *wild = (sd_wild){ .first = sd_alloc0 (keys + 1, sizeof *wild->first) };
  for (uint32_t run = 0; run < SD_WILD_REACH; run++)
    b.best[run].cost = SD_TRIE_NONE;
  /* Counted, summed up, filled in: the entries of a key stand side by side. */
  int status = wild->first ? visit (&b, false) : SD_ENOMEM;
  for (size_t k = 0; !status && k < keys; k++)
    wild->first[k + 1] += wild->first[k];
  if (!status)
    status = (wild->edge = sd_alloc (wild->first[keys], sizeof *wild->edge)) ? visit (&b, true) : SD_ENOMEM;
  if (!status) { /* first[k] has moved to where k + 1 begins */
    memmove (wild->first + 1, wild->first, keys * sizeof *wild->first);
    wild->first[0] = 0;
    for (size_t k = 0; k < keys; k++)
      if (wild->first[k + 1] - wild->first[k] > 1)
        qsort (wild->edge + wild->first[k], wild->first[k + 1] - wild->first[k], sizeof *wild->edge, by_rest);
    status = list_lengths (&b);
  }
  free (b.stack);
  return status;
}

void sd_wild_clear (sd_wild *wild) {
  free (wild->length);
  free (wild->edge);
  free (wild->first);
  *wild = (sd_wild){ 0 };
}
