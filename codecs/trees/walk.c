/** \file walk.c
 * The walk through the trees; where a walk over the slots of a block begins, and what changes when a digit
 * above the last one does. What happens at each slot stands in trees_internal.h. Encoder and decoder both
 * walk here, and must find the same score for the same slots: all of it is in integers. */
#include "config.h"
#include "codecs/trees/trees_internal.h"

/* Each step of a tree waits for what the step before has read, and meanwhile the other trees go theirs. A
 * leaf leads to itself, so that no tree asks whether it has arrived. */
static inline unsigned step (const uint32_t *node, const uint32_t *row, unsigned at) {
  return (node[at] - row[node[at] & 255]) >> 16;
}

/* Written out for each `count`, so that where the trees are stays in registers. */
__attribute__ ((always_inline)) static inline int together (const sd_trees_forest *f, unsigned t,
                                                            const unsigned count, const uint32_t *row) {
  const uint32_t *node = f->node;
  unsigned at[8];
  int score = 0;
#pragma GCC unroll 8
  for (unsigned i = 0; i < count; i++)
    at[i] = f->root[t + i];
  for (unsigned k = f->steps[t / 8]; k; k--)
#pragma GCC unroll 8
    for (unsigned i = 0; i < count; i++)
      at[i] = step (node, row, at[i]);
#pragma GCC unroll 8
  for (unsigned i = 0; i < count; i++)
    score += (int) (node[at[i]] >> 8 & 255) - 128;
  return score;
}

int sd_trees_walk (const sd_trees_forest *f, unsigned t, const uint32_t *row) {
  return f->root[t + 4] ? together (f, t, 8, row) : together (f, t, 4, row);
}

/* The features of the digits before the last one, which change once a row. */
static void set_digits (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  for (unsigned d = 1; d < 4 && d < mo->ndims; d++)
    sd_trees_set_digit (c, d, c->digit[mo->ndims - 1 - d]);
}

/* Where the row's entries stand in each table of averages; the last digit is added at each slot. */
static void set_averages (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  for (unsigned k = 0; k < mo->naverages; k++) {
    const sd_trees_average *a = mo->average + k;
    const bool by_last = a->digit[a->ndigits - 1] + 1u == mo->ndims;
    size_t at = 0;
    for (unsigned j = 0; j < a->ndigits; j++)
      at = at * mo->radix[a->digit[j]] + (by_last && j + 1u == a->ndigits ? 0 : c->digit[a->digit[j]]);
    c->average[k] = a->value + at;
    c->average_by_last[k] = by_last ? UINT32_MAX : 0;
  }
}

/* A slot is as free as the freest of its pairs says: a pair of men on one square settles it, whatever the
 * others do. */
void sd_trees_new_row (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  set_digits (c);
  set_averages (c);
  if (!mo->npairs)
    return;
  const unsigned last = mo->ndims - 1;
  const uint32_t row = c->by_last ? mo->radix[last] : 1;

  uint8_t base = 0;
  for (unsigned k = 0; k < mo->npairs; k++) {
    const sd_trees_pair *p = mo->pair + k;
    if (p->b != last) {
      uint8_t level = p->level[c->digit[p->a] * mo->radix[p->b] + c->digit[p->b]];
      base = level > base ? level : base;
    }
  }
  memset (c->levels, base, row);
  for (unsigned k = 0; k < mo->npairs && base < SD_TREES_CERTAIN; k++) {
    const sd_trees_pair *p = mo->pair + k;
    if (p->b != last)
      continue;
    const uint8_t *level = p->level + (size_t) c->digit[p->a] * row;
    for (uint32_t v = 0; v < row; v++)
      c->levels[v] = level[v] > c->levels[v] ? level[v] : c->levels[v];
  }
}

void sd_trees_begin (sd_trees_cursor *c, const sd_trees_model *mo, sd_symbol *sym, uint64_t first) {
  c->mo = mo;
  c->sym = sym;
  c->mask = UINT64_MAX;
  c->at = 0;
  c->last = c->by_last = c->known = 0;
  c->has_groups = sd_trees_has_groups (mo);
  c->ahead = SD_TREES_ALONE;
  memset (c->row, 0, sizeof c->row);
  memset (c->near, 0, sizeof c->near);
  memset (c->seen, 0, sizeof c->seen);
  if (!mo->ndims)
    return;
  for (unsigned k = mo->ndims; k-- > 0;) {
    /* The digits of the block's first slot, from the fastest one on. */
    c->digit[k] = (uint32_t) (first % mo->radix[k]);
    first /= mo->radix[k];
  }

  c->last = c->digit[mo->ndims - 1];
  c->by_last = mo->radix[mo->ndims - 1] <= SD_TREES_ROW ? UINT32_MAX : 0;
  sd_trees_new_row (c);
}
