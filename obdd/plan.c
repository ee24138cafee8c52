/** \file plan.c
 * Which parts of the way down a diagram lookups take at once. Near the root a diagram is mostly a tree, whose
 * levels double, so that a table over all ways down to a level takes hardly more room than the levels on the
 * way; near the leaves there are few different sub-tables, which may be written out; in between a table of
 * some levels is of the size of their nodes.
 *
 * A lookup in a large diagram waits for memory, so the parts are chosen by a model of that: the fastest way
 * down within a share of the stream's bytes, by dynamic programming over the levels and the room that is
 * left. */
#include "config.h"
#include "obdd/read_internal.h"

#include <math.h>
#include <stdlib.h>

#define SHARE 2            /* all tables take at most so many times the stream's bytes, */
#define LEAST (64 * 1024u) /* or so many bytes, which the caches hold; */
#define SMALL_SHARE 16     /* of a small stream at most so many times its bytes are as good as any, */
#define SMALL_LEAST 4096   /* or so many */
#define MOST_ENTRIES 4     /* of a table, for each byte of that: they are what filling it costs */

#define MOST_LISTED 16 /* one way in a list for so many bytes, likewise */

#define UNITS 128 /* in which the share is dealt out */

/* Nanoseconds, roughly: waiting for a place among so many bytes, and what a single step computes. FAR: a
 * table of so many bytes is not found in the caches, which hold other things too. */
#define FAR (1024 * 1024.0)
static double wait_for (double bytes) {
  return bytes <= 32 * 1024 ? 3 : 8 + 160 * (bytes < FAR ? bytes / FAR : 1);
}
#define STEP_NS 8

/* The fastest ways down. Level top + 1 is the start: one node, from which a table or the roots lead on. */
typedef struct plan {
  const sd_obdd_vars *vars;
  const sd_spans *spans;
  unsigned top;
  uint64_t nodes[SD_OBDD_MAX_VARS + 2];
  double unit; /* bytes */
  struct {
    double ns;
    uint8_t to;
    bool table;
  } best[SD_OBDD_MAX_VARS + 2][UNITS + 1]; /* from a level, with so many units for tables */
} plan;

static unsigned height (const plan *p, unsigned k) {
  return k > p->top ? p->vars->n : k;
}

/* Units of the table from level `from` to level `to`; more than UNITS: there shall be none. Numbers of no
 * bits would be free, however many. */
static double units_of (const plan *p, unsigned from, unsigned to) {
  const unsigned width = p->nodes[to] > 1 ? sd_bits_for (p->nodes[to]) : 1;
  const double ways = (double) sd_spans_ways (p->vars, p->spans, height (p, from), to),
               entries = (double) p->nodes[from] * ways, room = p->unit * UNITS;
  unsigned tail = sd_spans_tail (p->spans, height (p, from), to);
  if (tail > p->top - to) /* above the top level there are roots */
    tail = p->top - to;
  for (unsigned k = to + 1; k < from && k <= p->top; k++)
    if ((double) p->nodes[k]
        > entries) /* nobody writes nodes that nothing leads to; filling goes through them */
      return UNITS + 1;
  /* Filling takes time for each entry and memory for each listed way, whatever the width of an entry. */
  if (entries > MOST_ENTRIES * room || ldexp (ways, -(int) tail) > room / MOST_LISTED)
    return UNITS + 1;
  return ceil (entries * width / 8 / p->unit);
}

/* Without a table: a step, or a root. */
static double ns_without (const plan *p, unsigned from) {
  return from <= p->top ? STEP_NS + wait_for (3 * (double) p->nodes[from])
                        : wait_for (ldexp (sd_bits_for (p->nodes[p->top]), (int) (p->vars->n - p->top)) / 8);
}

/* The way from level `from` goes on at level `to`, with a table of so many units or none. */
static void consider (plan *p, unsigned from, unsigned to, double ns, unsigned units, bool table) {
  /* What the table takes is gone for the levels below. */
  for (unsigned u = units; u <= UNITS; u++)
    if (ns + p->best[to][u - units].ns < p->best[from][u].ns) {
      p->best[from][u].ns = ns + p->best[to][u - units].ns;
      p->best[from][u].to = (uint8_t) to;
      p->best[from][u].table = table;
    }
}

static void solve (plan *p) {
  for (unsigned u = 0; u <= UNITS; u++)
    p->best[0][u].ns = 0;
  for (unsigned k = 1; k <= p->top + 1; k++) {
    for (unsigned u = 0; u <= UNITS; u++)
      p->best[k][u].ns = INFINITY;
    /* One step is always possible, and takes no room. */
    consider (p, k, k - 1, ns_without (p, k), 0, false);
    /* Or a table, which is one place to wait for however many levels it covers. */
    for (unsigned to = 0; to < k; to++) {
      const double units = units_of (p, k, to);
      if (units <= UNITS)
        consider (p, k, to, wait_for (units * p->unit), (unsigned) units, true);
    }
  }
}

/* The hops of a plan; that from the start to the top level without a table is reading a root. */
static void choose (sd_obdd_decoder *d, const plan *p) {
  /* Along the best choices from the start, with the room that is left at each level. */
  for (unsigned k = p->top + 1, u = UNITS; k > 0;) {
    const unsigned to = p->best[k][u].to;
    const bool table = p->best[k][u].table;
    if (k > p->top && !table)
      d->from_root = true;
    else {
      sd_hop *hop = &d->hop[d->nhops++];
      *hop = (sd_hop){ .from = (uint8_t) height (p, k), .to = (uint8_t) to };
      if (table)
        hop->table.width = p->nodes[to] > 1 ? sd_bits_for (p->nodes[to]) : 1;
    }
    u -= table ? (unsigned) units_of (p, k, to) : 0;
    k = to;
  }
}

static double room_of (const sd_obdd_decoder *d, size_t len) {
  double least = LEAST;
  /* The least share is meant for a table; many small streams would take it many times. */
  if (d->is_small && SMALL_SHARE * (double) len < least)
    least = SMALL_SHARE * len < SMALL_LEAST ? SMALL_LEAST : SMALL_SHARE * (double) len;
  return SHARE * (double) len > least ? SHARE * (double) len : least;
}

int sd_hops_plan (sd_obdd_decoder *d, const sd_spans *s, unsigned m, size_t len) {
  SD_OWNED plan *p = sd_alloc (1, sizeof *p);
  if (!p)
    return SD_ENOMEM;
  p->vars = &d->vars;
  p->spans = s;
  p->top = d->top;
  p->unit = room_of (d, len) / UNITS;
  p->nodes[0] = m;
  for (unsigned k = 1; k <= d->top; k++)
    p->nodes[k] = d->level[k].n;
  /* The start is a level of one node above the top one. */
  p->nodes[d->top + 1] = 1;
  solve (p);
  choose (d, p);
  return SD_OK;
}
