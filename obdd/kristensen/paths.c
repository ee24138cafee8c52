/** \file paths.c
 * The order of a level's nodes in which many nodes above are ideal (Kristensen 2005, 2.4: "modified maximum
 * matching"). A node with edges l and r wishes that r follows l. Wishes of different nodes are different, so
 * each counts once, and they do not depend on the numbers of the nodes that wish. Met wishes make paths: a
 * node follows one other at most and is followed by one other at most, which is a matching between nodes and
 * nodes, without circles. We take wishes of nodes with few others first, make of that a maximum matching
 * (Hopcroft, Karp 1973), break its circles, and meet what can be met then.
 *
 * Of a path all of whose nodes are stored alike no node needs a flag, so paths are put in this order: those
 * of nodes with the same edges, of ideal nodes, of both, of others. How a node is stored depends on the order
 * of the level below, so the levels are ordered from the leaves, whose order is given, upward; and wishes of
 * nodes that are stored alike come first. */
#include "config.h"
#include "obdd/kristensen/kristensen_internal.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct cover {
  uint32_t nodes, n;
  sd_obdd_node *wish;    /* [n] the best first */
  uint32_t *next, *prev; /* [nodes] */
  /* of node x after[start[x]..start[x + 1] - 1]: which shall follow it, best first */
  uint32_t *start, *after;
  uint32_t *dist, *queue, *at; /* [nodes] scratch */
} cover;

static int new_cover (cover *c, uint32_t n, uint32_t nodes, uint32_t *next) {
  *c = (cover){ .nodes = nodes, .next = next };
  c->wish = sd_alloc (n, sizeof *c->wish);
  c->prev = sd_alloc (nodes, sizeof *c->prev);
  c->start = sd_alloc0 (nodes + UINT64_C (2), sizeof *c->start);
  c->after = sd_alloc (n, sizeof *c->after);
  c->dist = sd_alloc (nodes, sizeof *c->dist);
  c->queue = sd_alloc (nodes, sizeof *c->queue);
  c->at = sd_alloc (nodes, sizeof *c->at);
  return c->wish && c->prev && c->start && c->after && c->dist && c->queue && c->at ? SD_OK : SD_ENOMEM;
}

static void free_cover (cover *c) {
  free (c->wish);
  free (c->prev);
  free (c->start);
  free (c->after);
  free (c->dist);
  free (c->queue);
  free (c->at);
}

/* -------------------------------------------------------------------- wishes */

typedef struct ranked {
  uint64_t rank;
  sd_obdd_node wish;
} ranked;

/* The best wish first; equal ones in an order that does not depend on the sort. */
static int by_rank (const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  if (a->wish.lo != b->wish.lo)
    return a->wish.lo < b->wish.lo ? -1 : 1;
  return a->wish.hi < b->wish.hi ? -1 : a->wish.hi > b->wish.hi;
}

/* List the wishes, the best first: of nodes of one kind, and of few others. */
static int list_wishes (cover *c, const sd_obdd_node *wish, uint32_t n, const uint8_t *kind) {
  uint32_t *follows = c->dist, *followed = c->queue; /* how many wishes a node stands in */
  SD_OWNED ranked *r = sd_alloc (n, sizeof *r);

  if (!r)
    return SD_ENOMEM;
  memset (follows, 0, c->nodes * sizeof *follows);
  memset (followed, 0, c->nodes * sizeof *followed);
  /* A node whose edges are the same wishes nothing. */
  for (uint32_t i = 0; i < n; i++)
    if (wish[i].lo != wish[i].hi) {
      followed[wish[i].lo]++;
      follows[wish[i].hi]++;
      r[c->n++].wish = wish[i];
    }
  for (uint32_t i = 0; i < c->n; i++) {
    const sd_obdd_node w = r[i].wish;
    /* Wishes with few rivals first: their nodes have hardly another one. */
    const uint32_t few = followed[w.lo] < follows[w.hi] ? followed[w.lo] : follows[w.hi];
    r[i].rank = (uint64_t) (kind[w.lo] != kind[w.hi]) << 32 | few;
  }
  qsort (r, c->n, sizeof *r, by_rank);
  for (uint32_t i = 0; i < c->n; i++) {
    c->wish[i] = r[i].wish;
    c->start[r[i].wish.lo + 2]++;
  }
  /* Sorted by counting, shifted by two: after[] lists for each node who shall follow it, the best first. */
  for (uint32_t x = 0; x < c->nodes; x++)
    c->start[x + 2] += c->start[x + 1];
  for (uint32_t i = 0; i < c->n; i++)
    c->after[c->start[c->wish[i].lo + 1]++] = c->wish[i].hi;
  return SD_OK;
}

/* ------------------------------------------------------------ one after the other */

static void join (cover *c, uint32_t x, uint32_t y) {
  c->next[x] = y;
  c->prev[y] = x;
}

static uint32_t path_of (uint32_t *path, uint32_t x) {
  while (path[x] != x)
    x = path[x] = path[path[x]];
  return x;
}

/* Meet what can be met, the best first. No node may lie on a circle. */
static void meet (cover *c) {
  uint32_t *path = c->dist; /* union-find */
  /* What is met already makes the paths that are there. */
  for (uint32_t x = 0; x < c->nodes; x++)
    path[x] = x;
  for (uint32_t x = 0; x < c->nodes; x++)
    if (c->next[x] != NONE)
      path[path_of (path, x)] = path_of (path, c->next[x]);
  for (uint32_t i = 0; i < c->n; i++) {
    const sd_obdd_node w = c->wish[i];
    /* One of the two has its neighbour. */
    if (c->next[w.lo] != NONE || c->prev[w.hi] != NONE)
      continue;
    const uint32_t from = path_of (path, w.lo), to = path_of (path, w.hi);
    /* Both ends of one path would close it to a circle, which is no order. */
    if (from != to) {
      join (c, w.lo, w.hi);
      path[from] = to;
    }
  }
}

/* ------------------------------------------------------------ maximum matching */

/* Layers of alternating ways from nodes that nothing follows: dist. Whether one leads to a node that follows
 * nothing. */
static bool find_layers (cover *c) {
  uint32_t head = 0, tail = 0;
  bool found = false;

  for (uint32_t x = 0; x < c->nodes; x++) {
    c->at[x] = c->start[x];
    c->dist[x] = c->next[x] == NONE ? 0 : NONE;
    if (c->next[x] == NONE)
      c->queue[tail++] = x;
  }
  /* Breadth first: from x to a node y that shall follow it, and on to the node that y follows now. */
  while (head < tail) {
    const uint32_t x = c->queue[head++];
    for (uint32_t k = c->start[x]; k < c->start[x + 1]; k++) {
      const uint32_t before = c->prev[c->after[k]];
      found |= before == NONE;
      if (before != NONE && c->dist[before] == NONE) {
        c->dist[before] = c->dist[x] + 1;
        c->queue[tail++] = before;
      }
    }
  }
  return found;
}

/* Follow the layers from x to a node that follows nothing; if there is one, exchange what is met on the way.
 */
static void augment (cover *c, uint32_t x) {
  uint32_t *way = c->queue, n = 0;
  way[n++] = x;
  while (n > 0) {
    x = way[n - 1];
    if (c->at[x] == c->start[x + 1]) {
      c->dist[x] = NONE;
      if (--n > 0)
        c->at[way[n - 1]]++;
      continue;
    }
    const uint32_t before = c->prev[c->after[c->at[x]]];
    /* Nothing stands before this one: each node on the way takes its wish, and leaves the one it had. */
    if (before == NONE) {
      while (n-- > 0) {
        join (c, way[n], c->after[c->at[way[n]]]);
        c->dist[way[n]] = NONE;
      }
      return;
    }
    if (c->dist[before] != NONE && c->dist[before] == c->dist[x] + 1)
      way[n++] = before;
    else
      c->at[x]++;
  }
}

static void match (cover *c) {
  while (find_layers (c))
    for (uint32_t x = 0; x < c->nodes; x++)
      if (c->next[x] == NONE)
        augment (c, x);
}

/* Each circle loses a wish of nodes of different kinds, if there is one. */
static void break_circles (cover *c, const uint8_t *kind) {
  uint32_t *seen = c->at;
  memset (seen, 0, c->nodes * sizeof *seen);
  /* Whatever is not seen from the beginning of a path lies on a circle. */
  for (uint32_t v = 0; v < c->nodes; v++)
    if (c->prev[v] == NONE)
      for (uint32_t x = v; x != NONE; x = c->next[x])
        seen[x] = 1;
  for (uint32_t v = 0; v < c->nodes; v++) {
    if (seen[v])
      continue;
    uint32_t last = v;
    for (uint32_t x = v; !seen[x]; x = c->next[x]) {
      seen[x] = 1;
      /* A border between kinds costs flags anyway: there the circle is cut. */
      if (kind[x] != kind[c->next[x]])
        last = x;
    }
    c->prev[c->next[last]] = NONE;
    c->next[last] = NONE;
  }
}

int sd_kristensen_cover_paths (const sd_obdd_node *wish, uint32_t n, const uint8_t *kind, uint32_t nodes,
                       uint32_t *next, uint32_t *met) {
  SD_RELEASED_BY (free_cover) cover c = { 0 };
  SD_TRY (new_cover (&c, n, nodes, next));
  SD_TRY (list_wishes (&c, wish, n, kind));
  memset (c.next, 0xff, nodes * sizeof *c.next);
  memset (c.prev, 0xff, nodes * sizeof *c.prev);
  meet (&c);
  match (&c);
  break_circles (&c, kind);
  meet (&c);
  *met = 0;
  for (uint32_t x = 0; x < nodes; x++)
    *met += next[x] != NONE;
  return SD_OK;
}

/* ------------------------------------------------------------------- numbering */

enum { SAME, IDEAL, MIXED, FULL, KINDS };

/* How nodes are stored, if there is no path. */
static int kinds_of (const sd_obdd_level *l, uint8_t **kind) {
  *kind = sd_alloc (l->n, 1);
  if (!*kind)
    return SD_ENOMEM;
  for (uint32_t x = 0; x < l->n; x++) {
    const sd_obdd_node node = l->node[x];
    (*kind)[x] = node.lo == node.hi ? SAME : node.hi == node.lo + UINT64_C (1) ? IDEAL : FULL;
  }
  return SD_OK;
}

/* A path's nodes all become of one kind. */
static void mix (uint32_t first, const uint32_t *next, uint8_t *kind) {
  uint8_t of = kind[first];
  for (uint32_t x = first; x != NONE; x = next[x])
    if (kind[x] != of)
      of = MIXED;
  for (uint32_t x = first; x != NONE; x = next[x])
    kind[x] = of;
}

/* number[x]: the new place of node x. next: the paths; kind is changed. */
static int place (uint32_t nodes, const uint32_t *next, uint8_t *kind, uint32_t *number) {
  SD_OWNED uint8_t *inside = sd_alloc0 (nodes, 1);
  uint32_t n = 0;

  if (!inside)
    return SD_ENOMEM;
  for (uint32_t x = 0; x < nodes; x++)
    if (next[x] != NONE)
      inside[next[x]] = 1;
  for (uint32_t first = 0; first < nodes; first++)
    if (!inside[first])
      mix (first, next, kind);
  /* Kinds in the order in which they are stored, paths of a kind one after the other. */
  for (unsigned k = 0; k < KINDS; k++)
    for (uint32_t first = 0; first < nodes; first++)
      for (uint32_t x = first; x != NONE && !inside[first] && kind[x] == k; x = next[x])
        number[x] = n++;
  return SD_OK;
}

/* Put the nodes of level l, whose edges have their last numbers, in the order that `above` wishes, of which
 * there may be none. number[x]: where node x has come. */
static int order_level (sd_obdd_level *l, const sd_obdd_level *above, uint32_t *number) {
  SD_OWNED uint8_t *kind = NULL;
  SD_OWNED uint32_t *next = sd_alloc (l->n, sizeof *next);
  SD_OWNED sd_obdd_node *node = sd_alloc (l->n, sizeof *node);
  uint32_t met;
  SD_TRY (next && node ? kinds_of (l, &kind) : SD_ENOMEM);
  SD_TRY (sd_kristensen_cover_paths (above->node, above->n, kind, l->n, next, &met));
  SD_TRY (place (l->n, next, kind, number));
  for (uint32_t x = 0; x < l->n; x++)
    node[number[x]] = l->node[x];
  memcpy (l->node, node, l->n * sizeof *node);
  return SD_OK;
}

int sd_kristensen_order_ideal (sd_obdd_diagram *d) {
  static const sd_obdd_level none = { 0 };
  for (unsigned k = 1; k <= d->top; k++) {
    const sd_obdd_level *above = k < d->top ? &d->level[k + 1] : &none;
    SD_OWNED uint32_t *number = sd_alloc (d->level[k].n, sizeof *number);
    SD_TRY (number ? order_level (&d->level[k], above, number) : SD_ENOMEM);
    /* The level above learns the new numbers before it is ordered itself. */
    for (uint32_t x = 0; x < above->n; x++)
      above->node[x] = (sd_obdd_node){ number[above->node[x].lo], number[above->node[x].hi] };
    for (uint64_t i = 0; k == d->top && i < UINT64_C (1) << (d->vars - d->top); i++)
      d->root[i] = number[d->root[i]];
  }
  return SD_OK;
}
