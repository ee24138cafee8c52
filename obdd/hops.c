/** \file hops.c
 * Parts of the way down a diagram that a lookup takes at once. Near the root a diagram is mostly a tree,
 * whose levels double, so that a table over all ways down to a level takes hardly more room than the levels
 * on the way; near the leaves there are few different sub-tables, which may be written out. Opening makes
 * such tables in memory, of a share of the stream's bytes; between them lookups go step by step in the
 * stream.
 *
 * A lookup in a large diagram waits for memory, so the parts are chosen by a model of that: the fastest way
 * down within the share, by dynamic programming over the levels and the room that is left. KNNNvK, distances
 * (3.1 MB for White): 2^13 entries down to level 15, seven levels at once from there, five single steps, the
 * last three levels at once. */
#include "config.h"
#include "obdd/read_internal.h"

#include <math.h>
#include <stdlib.h>

#define SHARE 4            /* all tables take at most 1 / SHARE of the stream's bytes, */
#define LEAST (32 * 1024u) /* or so many bytes, which the caches hold */

#define UNITS 128 /* in which the share is dealt out */

/* Nanoseconds, roughly: waiting for a place among so many bytes, and what a single step computes. */
static double wait_for (double bytes) {
  return bytes <= 16 * 1024 ? 2 : bytes <= 128 * 1024 ? 6 : bytes <= 512 * 1024 ? 20 : 50;
}
#define STEP_NS 6

/* The fastest ways down. Level top + 1 is the start: one node, from which a table or the roots lead on. */
typedef struct plan {
  unsigned vars, top;
  uint64_t nodes[SD_OBDD_MAX_VARS + 2];
  double unit; /* bits */
  struct {
    double ns;
    uint8_t to;
    bool table;
  } best[SD_OBDD_MAX_VARS + 2][UNITS + 1]; /* from a level, with so many units for tables */
} plan;

static unsigned height (const plan *p, unsigned k) {
  return k > p->top ? p->vars : k;
}

/* Units of the table from level `from` to level `to`. Numbers of no bits would be free, however many. */
static double units_of (const plan *p, unsigned from, unsigned to) {
  const unsigned width = p->nodes[to] > 1 ? sd_bits_for (p->nodes[to]) : 1;
  return ceil (ldexp ((double) p->nodes[from] * width, (int) (height (p, from) - to)) / p->unit);
}

/* Without a table: a step, or a root. */
static double ns_without (const plan *p, unsigned from) {
  return from <= p->top ? STEP_NS + wait_for (3 * (double) p->nodes[from])
                        : wait_for (ldexp (sd_bits_for (p->nodes[p->top]), (int) (p->vars - p->top)) / 8);
}

/* The way from level `from` goes on at level `to`, with a table of so many units or none. */
static void consider (plan *p, unsigned from, unsigned to, double ns, unsigned units, bool table) {
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
    consider (p, k, k - 1, ns_without (p, k), 0, false);
    for (unsigned to = 0; to < k; to++) {
      const double units = units_of (p, k, to);
      if (units <= UNITS)
        consider (p, k, to, wait_for (units * p->unit / 8), (unsigned) units, true);
    }
  }
}

/* node[0..n-1] of level k become the n << (k - to) nodes below them of level `to`. */
static void descend (const sd_obdd_decoder *d, uint32_t *node, uint64_t n, unsigned k, unsigned to) {
  for (; k > to; k--, n *= 2)
    for (uint64_t i = n; i-- > 0;) {
      const uint64_t x = node[i];
      node[2 * i] = (uint32_t) sd_child (d, k, x, 0);
      node[2 * i + 1] = (uint32_t) sd_child (d, k, x, 1);
    }
}

static int pack (const uint32_t *node, uint64_t n, uint64_t values, sd_packed *out) {
  out->width = sd_bits_for (values);
  out->word = sd_alloc0 (n * out->width / 64 + 2, sizeof *out->word);
  if (!out->word)
    return SD_ENOMEM;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t bit = i * out->width;
    out->word[bit / 64] |= (uint64_t) node[i] << bit % 64;
    out->word[bit / 64 + 1] |= (uint64_t) node[i] >> 1 >> (63 - bit % 64);
  }
  return SD_OK;
}

/* The table from level `from` to level `to`. */
static int make (const sd_obdd_decoder *d, const plan *p, unsigned from, unsigned to, sd_packed *out) {
  const bool roots = from > p->top;
  const unsigned first = roots ? p->top : from;
  const uint64_t n = roots ? UINT64_C (1) << (p->vars - p->top) : p->nodes[from];
  uint32_t *node = sd_alloc (n << (first - to), sizeof *node);
  if (!node)
    return SD_ENOMEM;
  for (uint64_t i = 0; i < n; i++)
    node[i] = (uint32_t) (roots ? sd_root_of (d, i) : i);
  descend (d, node, n, first, to);
  const int st = pack (node, n << (first - to), p->nodes[to], out);
  free (node);
  return st;
}

/* The hops of a plan; that from the start to the top level without a table is reading a root. */
static int make_hops (sd_obdd_decoder *d, const plan *p) {
  for (unsigned k = p->top + 1, u = UNITS; k > 0;) {
    const unsigned to = p->best[k][u].to;
    const bool table = p->best[k][u].table;
    if (k > p->top && !table)
      d->from_root = true;
    else {
      sd_hop *h = &d->hop[d->nhops++];
      *h = (sd_hop){ .from = (uint8_t) height (p, k), .to = (uint8_t) to };
      if (table) {
        SD_TRY (make (d, p, k, to, &h->table));
        u -= (unsigned) units_of (p, k, to);
      }
    }
    k = to;
  }
  return SD_OK;
}

int sd_hops_open (sd_obdd_decoder *d, unsigned m, size_t len) {
  const size_t share = len / SHARE;
  plan *p = sd_alloc (1, sizeof *p);
  if (!p)
    return SD_ENOMEM;
  p->vars = d->vars.n;
  p->top = d->top;
  p->unit = 8.0 * (double) (share > LEAST ? share : LEAST) / UNITS;
  p->nodes[0] = m;
  for (unsigned k = 1; k <= d->top; k++)
    p->nodes[k] = d->level[k].nodes.n;
  p->nodes[d->top + 1] = 1;
  solve (p);
  const int st = make_hops (d, p);
  free (p);
  return st;
}

void sd_hops_close (sd_obdd_decoder *d) {
  for (unsigned k = 0; k < d->nhops; k++)
    free (d->hop[k].table.word);
}
