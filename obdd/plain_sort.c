/** \file plain_sort.c
 * A plain diagram as it is used: copied, given back, and numbered from the root down, with how often each of
 * its sub-tables occurs. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

void sd_obdd_plain_free (sd_obdd_plain *p) {
  for (unsigned k = 0; k <= SD_OBDD_MAX_VARS; k++) {
    free (p->level[k].node);
    free (p->count[k]);
  }
  free (p->leaf);
  *p = (sd_obdd_plain){ 0 };
}

int sd_obdd_plain_copy (const sd_obdd_plain *p, sd_obdd_plain *q) {
  *q = (sd_obdd_plain){ .vars = p->vars, .leaves = p->leaves, .root = p->root };
  for (unsigned k = 1; k <= p->vars; k++) {
    const sd_obdd_level *l = &p->level[k];
    q->level[k] = (sd_obdd_level){ l->n, sd_alloc (l->n, sizeof *l->node) };
    if (!q->level[k].node) {
      sd_obdd_plain_free (q);
      return SD_ENOMEM;
    }
    memcpy (q->level[k].node, l->node, l->n * sizeof *l->node);
  }
  return SD_OK;
}

/* ------------------------------------------------------------------------ sort */

/* Number what level k leads to, `below` nodes or leaves, and count it; number[old] = new, *n of them. */
static int number_below (sd_obdd_plain *p, unsigned k, uint32_t below, uint32_t **number, uint32_t *n) {
  const uint32_t *count = p->count[k];
  *number = sd_alloc (below, sizeof **number);
  p->count[k - 1] = sd_alloc0 (below, sizeof *p->count[k - 1]);
  if (!*number || !p->count[k - 1])
    return SD_ENOMEM;
  memset (*number, 0xff, below * sizeof **number);
  *n = 0;
  /* Nodes of level k have their final numbers; what they lead to is numbered as it is met. */
  for (uint32_t x = 0; x < p->level[k].n; x++) {
    uint32_t *edge[2] = { &p->level[k].node[x].lo, &p->level[k].node[x].hi };
    for (unsigned e = 0; e < 2; e++) {
      uint32_t *to = &(*number)[*edge[e]];
      if (*to == UINT32_MAX)
        *to = (*n)++;
      *edge[e] = *to;
      /* A sub-table occurs as often as all that it is a half of. */
      p->count[k - 1][*to] += count[x];
    }
  }
  return SD_OK;
}

static int sort_below (sd_obdd_plain *p, unsigned k) {
  SD_OWNED uint32_t *number = NULL;
  uint32_t n = 0;
  sd_obdd_level *l = &p->level[k - 1];

  SD_TRY (number_below (p, k, k > 1 ? l->n : p->leaves, &number, &n));
  if (k > 1) {
    sd_obdd_node *fresh = sd_alloc (n, sizeof *fresh);
    if (!fresh)
      return SD_ENOMEM;
    /* Nodes that nothing leads to, left over from exchanging levels, go. */
    for (uint32_t x = 0; x < l->n; x++)
      if (number[x] != UINT32_MAX)
        fresh[number[x]] = l->node[x];
    free (l->node);
    *l = (sd_obdd_level){ n, fresh };
    return SD_OK;
  }
  p->leaf = sd_alloc (n, sizeof *p->leaf);
  if (!p->leaf)
    return SD_ENOMEM;
  for (uint32_t x = 0; x < p->leaves; x++)
    if (number[x] != UINT32_MAX)
      p->leaf[number[x]] = (sd_symbol) x;
  p->leaves = n;
  return SD_OK;
}

int sd_obdd_plain_sort (sd_obdd_plain *p) {
  p->count[p->vars] = sd_alloc (1, sizeof (uint32_t));
  if (!p->count[p->vars])
    return SD_ENOMEM;
  p->count[p->vars][0] = 1;
  for (unsigned k = p->vars; k > 0; k--)
    SD_TRY (sort_below (p, k));
  return SD_OK;
}
