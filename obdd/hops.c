/** \file hops.c
 * Tables for the parts of the way down that a lookup takes at once, and the word that an index is turned
 * into: for each part the number of the way that the slot goes there, beside each other. KNNNvK, DTM
 * (White to move, 3.1 MB): the three knights are one digit, which with the next six bits leads at once to
 * level 4; from there a single step and a last table lead to the symbol. */
#include "config.h"
#include "obdd/read_internal.h"

#include <stdlib.h>

/* The children of level k, two for each node. */
static int children (const sd_obdd_decoder *d, unsigned k, uint32_t **out) {
  const sd_nodes *l = &d->level[k];
  uint32_t *child = *out = sd_alloc (2 * l->n, sizeof *child);
  if (!child)
    return SD_ENOMEM;
  sd_nodes_cursor c = sd_nodes_from (l);
  for (uint64_t x = 0; x < l->n; x++) {
    const sd_obdd_node node = sd_nodes_next (&c);
    child[2 * x] = node.lo;
    child[2 * x + 1] = node.hi;
  }
  return SD_OK;
}

static void put (sd_packed *p, uint64_t i, uint64_t x) {
  const uint64_t bit = i * p->width;
  uint8_t *at = p->byte + bit / 8;
  /* Over zeros: each number is written once. */
  for (x <<= bit % 8; x; x >>= 8)
    *at++ |= (uint8_t) x;
}

/* Filling a table. */
typedef struct filling {
  const sd_obdd_decoder *d;
  bool start; /* ways begin at the roots */
  unsigned tail;
  uint64_t ways; /* down to the tail */
  sd_way *way;
  uint32_t *child[SD_OBDD_MAX_VARS + 1]; /* of the nodes of the hop's levels, two each */
} filling;

/* From a node of the last level before the tail all ways on; their entries are those from `first` on. */
static void go_on (const filling *f, uint64_t node, uint64_t first, sd_hop *h) {
  uint32_t at[1 << SD_MOST_TAIL];
  at[0] = (uint32_t) node;
  /* All ways double with each level, in place, from the last one on. */
  for (unsigned k = f->tail; k > 0; k--)
    for (unsigned i = 1u << (f->tail - k); i-- > 0;) {
      const uint32_t *child = f->child[h->to + k] + 2 * (uint64_t) at[i];
      at[2 * i] = child[0];
      at[2 * i + 1] = child[1];
    }
  for (unsigned i = 0; i < 1u << f->tail; i++)
    put (&h->table, first + i, at[i]);
}

/* All ways from one node, or from the start, whose entries are those from `first` on. Of each way only the
 * part is gone that it does not share with the one before. */
static void go (const filling *f, uint64_t node, uint64_t first, sd_hop *h) {
  const unsigned top = f->start ? f->d->top : h->from, to = h->to + f->tail;
  uint64_t at[SD_OBDD_MAX_VARS + 1];
  at[top] = node;
  for (uint64_t i = 0; i < f->ways; i++) {
    const uint64_t path = f->way[i].path, change = path ^ (i ? f->way[i - 1].path : 0);
    /* The highest bit in which this way differs from the one before says from which level on it must be
     * walked. */
    unsigned k = i ? to + 64 - (unsigned) __builtin_clzll (change) : top;
    /* Above the top level there are no nodes: bits there choose a root. */
    if (f->start && (k > top || i == 0))
      at[k = top] = sd_root_of (f->d, path >> (top - to));
    for (; k > to; k--)
      at[k - 1] = f->child[k][2 * at[k] + (path >> (k - 1 - to) & 1)];
    go_on (f, at[to], first + f->way[i].number, h);
  }
}

static int fill (const sd_obdd_decoder *d, const sd_spans *s, bool start, sd_hop *h) {
  filling f = { .d = d, .start = start, .tail = sd_spans_tail (s, h->from, h->to) };
  const uint64_t nodes = start ? 1 : d->level[h->from].n;

  if (start && f.tail > d->top - h->to)
    f.tail = d->top - h->to;
  f.ways = h->ways >> f.tail;
  h->table.mask = (uint32_t) ((UINT64_C (1) << h->table.width) - 1);
  /* Eight bytes more, as numbers are read by words. */
  h->table.byte = sd_alloc0 (nodes * h->ways * h->table.width / 8 + 9, 1);
  int st = h->table.byte ? sd_ways_list (&d->vars, s, h, f.tail, &f.way) : SD_ENOMEM;
  /* The levels' nodes are unpacked while the table is filled, and forgotten afterwards. */
  for (unsigned k = h->to + 1u; !st && k <= h->from && k <= d->top; k++)
    st = children (d, k, &f.child[k]);
  for (uint64_t x = 0; !st && x < nodes; x++)
    go (&f, x, x * h->ways, h);
  free (f.way);
  for (unsigned k = 0; k <= d->top; k++)
    free (f.child[k]);
  return st;
}

int sd_hops_open (sd_obdd_decoder *d, unsigned m, size_t len) {
  sd_obdd_weights weights = { { 0 }, { 0 } };
  sd_spans s;
  unsigned shift = 0;

  sd_spans_of (&d->vars, &s);
  SD_TRY (sd_hops_plan (d, &s, m, len));
  /* From the leaves up, as the last hop's way stands in the lowest bits of a slot's word. */
  for (unsigned i = d->nhops; i-- > 0;) {
    sd_hop *h = &d->hop[i];
    h->shift = (uint8_t) shift;
    if (h->table.width) {
      sd_ways_number (&d->vars, &s, h, &weights);
      SD_TRY (fill (d, &s, i == 0 && !d->from_root, h));
    } else {
      /* Without a table a hop is one level, and its way the bit that this tests. */
      h->ways = 2;
      weights.level[h->to] = UINT64_C (1) << shift;
      SD_TRY (sd_nodes_index (&d->level[h->from]));
    }
    h->mask = (UINT64_C (1) << sd_bits_for (h->ways)) - 1;
    shift += sd_bits_for (h->ways);
  }
  d->root_shift = shift;
  /* Above all ways stands the number of the root, if no table leads from the start. */
  for (unsigned k = d->top; d->from_root && k < d->vars.n; k++)
    weights.level[k] = UINT64_C (1) << (shift + k - d->top);
  return sd_obdd_coder_new (&d->vars, &weights, &d->coder);
}

void sd_hops_close (sd_obdd_decoder *d) {
  for (unsigned i = 0; i < d->nhops; i++)
    free (d->hop[i].table.byte);
  for (unsigned k = 1; k <= d->top; k++)
    sd_nodes_close (&d->level[k]);
  sd_obdd_coder_clear (&d->coder);
  d->nhops = 0;
  d->from_root = false;
}
