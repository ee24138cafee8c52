/** \file plain_part.c
 * From a plain diagram that of a part of the table, everything else being free: without looking at the table
 * again, in the time that the diagram's nodes take. */
#include "config.h"
#include "obdd/clusters_internal.h"

#include <stdlib.h>

static uint32_t nodes_of (const sd_obdd_plain *p, unsigned k) {
  return k ? p->level[k].n : p->leaves;
}

/* used[k][x]: does the root reach node x of level k when level `half` goes the way `bit` only? */
static int reach (const sd_obdd_plain *p, unsigned half, unsigned bit, uint8_t **used) {
  for (unsigned k = 0; k <= p->vars; k++)
    if (!(used[k] = sd_alloc0 (nodes_of (p, k), 1)))
      return SD_ENOMEM;
  used[p->vars][p->root] = 1;
  for (unsigned k = p->vars; k > 0; k--)
    for (uint32_t x = 0; x < p->level[k].n; x++)
      if (used[k][x]) {
        const sd_obdd_node a = p->level[k].node[x];
        used[k - 1][k == half && bit ? a.hi : a.lo] = 1;
        used[k - 1][k == half && !bit ? a.lo : a.hi] = 1;
      }
  return SD_OK;
}

/* Level k of q; number[x]: of node x of the level below in q, then of this level. `none`: likewise the node
 * of q without a slot, which is only needed below level `half`. Eight arguments: two of them are handed on
 * from level to level, one is scratch. */
static int make_level (const sd_obdd_plain *p, unsigned k, unsigned half, unsigned bit, const uint8_t *used,
                       uint32_t **number, uint32_t *none, sd_obdd_pairs *pairs) {
  const sd_obdd_level *l = &p->level[k];
  SD_TRY (sd_obdd_pairs_reset (pairs, l->n));
  uint32_t *mine = sd_alloc (l->n, sizeof *mine);
  if (!mine)
    return SD_ENOMEM;
  bool failed = false;
  for (uint32_t x = 0; x < l->n; x++)
    if (used[x]) {
      /* At the level that tells the halves apart one edge leads to what has no slot. */
      const bool without_lo = k == half && bit, without_hi = k == half && !bit;
      mine[x] = sd_obdd_pairs_add (pairs, without_lo ? *none : (*number)[l->node[x].lo],
                                   without_hi ? *none : (*number)[l->node[x].hi]);
      failed |= mine[x] == UINT32_MAX;
    }
  /* Below that level the node without a slot grows with the others. */
  if (k < half) {
    *none = sd_obdd_pairs_add (pairs, *none, *none);
    failed |= *none == UINT32_MAX;
  }
  free (*number);
  *number = mine;
  return failed ? SD_ENOMEM : SD_OK;
}

int sd_obdd_plain_half (const sd_obdd_plain *p, unsigned half, unsigned bit, sd_symbol fill,
                        sd_obdd_plain *q) {
  uint8_t *used[SD_OBDD_MAX_VARS + 1] = { 0 };
  SD_RELEASED_BY (sd_obdd_pairs_free) sd_obdd_pairs pairs = { 0 };
  SD_OWNED uint32_t *number = sd_alloc (p->leaves, sizeof *number);
  uint32_t none = fill;
  *q = (sd_obdd_plain){ .vars = p->vars, .leaves = p->leaves };
  int st = number ? reach (p, half, bit, used) : SD_ENOMEM;
  for (uint32_t x = 0; !st && x < p->leaves; x++)
    number[x] = x;
  for (unsigned k = 1; !st && k <= p->vars; k++) {
    st = make_level (p, k, half, bit, used[k], &number, &none, &pairs);
    if (!st)
      sd_obdd_pairs_take (&pairs, &q->level[k]);
  }
  if (!st)
    q->root = number[p->root];
  else
    sd_obdd_plain_free (q);
  for (unsigned k = 0; k <= p->vars; k++)
    free (used[k]);
  return st;
}
