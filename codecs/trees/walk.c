/** \file walk.c
 * Where a walk over the slots of a block begins, and what changes when a digit above the last one does; what
 * happens at each slot stands in trees_internal.h. */
#include "config.h"
#include "codecs/trees/trees_internal.h"

static void set_digits (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  for (unsigned d = 1; d < 4 && d < mo->ndims; d++) {
    uint32_t digit = c->digit[mo->ndims - 1 - d], high = digit >> 3;
    c->row[SD_TREES_DIGITS + 2 * d] = digit & 7;
    c->row[SD_TREES_DIGITS + 2 * d + 1] = (uint8_t) (high < SD_TREES_VALUES ? high : SD_TREES_VALUES - 1);
  }
}

/* A slot is as free as the freest of its pairs says: a pair of men on one square settles it, whatever the
 * others do. */
void sd_trees_new_row (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  set_digits (c);
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
  c->last = c->by_last = 0;
  memset (c->row, 0, sizeof c->row);
  memset (c->near, 0, sizeof c->near);
  memset (c->seen, 0, sizeof c->seen);
  if (!mo->ndims)
    return;
  for (unsigned k = mo->ndims; k-- > 0;) {
    c->digit[k] = (uint32_t) (first % mo->radix[k]);
    first /= mo->radix[k];
  }
  c->last = c->digit[mo->ndims - 1];
  c->by_last = mo->radix[mo->ndims - 1] <= SD_TREES_ROW ? UINT32_MAX : 0;
  sd_trees_new_row (c);
}
