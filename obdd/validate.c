/** \file validate.c
 * What an open stream looks like, and the invariants of obdd.h. */
#include "config.h"
#include "obdd/read_internal.h"

#include <stdlib.h>
#include <string.h>

void sd_obdd_describe_shape (const sd_decoder *base, sd_obdd_shape *out) {
  const sd_obdd_decoder *d = (const sd_obdd_decoder *) base;
  memset (out, 0, sizeof *out);
  out->variables = d->vars.n;
  out->levels = d->top;
  out->roots = UINT64_C (1) << (d->vars.n - d->top);
  for (unsigned k = 1; k <= d->top; k++) {
    out->nodes[k] = d->level[k].nodes.n;
    out->nodes[k - 1] = d->level[k].below;
    for (uint64_t x = 0; x < out->nodes[k]; x++) {
      const uint64_t key = sd_ef_get (&d->level[k].nodes, x);
      out->branching[k] += key / d->level[k].below != key % d->level[k].below;
    }
  }
  if (d->top == 0)
    out->nodes[0] = base->m;
  sd_obdd_vars_text (&d->vars, out->order);
}

/* ------------------------------------------------------------------ invariants */

/* Mark the children of level k's marked nodes; *useless = the first node that is not marked, or its number of
 * nodes. */
static void reach (const sd_obdd_decoder *d, unsigned k, const uint8_t *marked, uint8_t *below,
                   uint64_t *useless) {
  uint64_t n = d->level[k].nodes.n;
  *useless = n;
  for (uint64_t x = n; x-- > 0;)
    if (!marked[x])
      *useless = x;
    else if (below) {
      uint64_t key = sd_ef_get (&d->level[k].nodes, x);
      below[key / d->level[k].below] = below[key % d->level[k].below] = 1;
    }
}

int sd_obdd_validate (const sd_decoder *base, sd_error *err) {
  const sd_obdd_decoder *d = (const sd_obdd_decoder *) base;
  uint8_t *marked = d->top ? sd_alloc0 (d->level[d->top].nodes.n, 1) : NULL;
  if (d->top && !marked)
    return sd_fail_memory (err, 0);
  for (uint64_t i = 0; i < sd_roots_to_look_at (d); i++) {
    uint64_t x = sd_root_of (d, i);
    if (x >= (d->top ? d->level[d->top].nodes.n : base->m)) {
      free (marked);
      return sd_fail (err, SD_EDIFF, "root %llu is no node", (unsigned long long) i);
    }
    if (marked)
      marked[x] = 1;
  }
  int st = SD_OK;
  for (unsigned k = d->top; !st && k > 0; k--) {
    const sd_ef *e = &d->level[k].nodes;
    const uint64_t below = d->level[k].below;
    uint8_t *next = sd_alloc0 (below, 1);
    uint64_t useless = e->n, last = 0;
    if (!next)
      st = sd_fail_memory (err, 0);
    for (uint64_t x = 0; !st && x < e->n; x++) {
      uint64_t key = sd_ef_get (e, x);
      if (key / below >= below || (x && key <= last))
        st = sd_fail (err, SD_EDIFF, "level %u, node %llu: %s", k, (unsigned long long) x,
                      key / below >= below ? "an edge leads nowhere" : "not behind the node before it");
      last = key;
    }
    if (!st)
      reach (d, k, marked, next, &useless);
    if (!st && useless < e->n)
      st = sd_fail (err, SD_EDIFF, "level %u, node %llu: nothing leads to it", k,
                    (unsigned long long) useless);
    free (marked);
    marked = next;
  }
  free (marked);
  return st;
}
