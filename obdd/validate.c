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
    sd_ef_cursor c = { .e = &d->level[k].nodes };
    for (uint64_t x = 0; x < out->nodes[k]; x++) {
      const uint64_t key = sd_ef_next (&c);
      out->branching[k] += key / d->level[k].below != key % d->level[k].below;
    }
  }
  if (d->top == 0)
    out->nodes[0] = base->m;
  sd_obdd_vars_text (&d->vars, out->order);
}

/* ------------------------------------------------------------------ invariants */

/* Level k, of whose nodes `marked` are reached; marks their children. */
static int check_level (const sd_obdd_decoder *d, unsigned k, const uint8_t *marked, uint8_t *next,
                        sd_error *err) {
  const uint64_t n = d->level[k].nodes.n, below = d->level[k].below;
  sd_ef_cursor c = { .e = &d->level[k].nodes };
  for (uint64_t x = 0, last = 0; x < n; x++) {
    const uint64_t key = sd_ef_next (&c);
    const char *what = key / below >= below ? "an edge leads nowhere"
                       : x && key <= last   ? "not behind the node before it"
                       : !marked[x]         ? "nothing leads to it"
                                            : NULL;
    if (what)
      return sd_fail (err, SD_EDIFF, "level %u, node %llu: %s", k, (unsigned long long) x, what);
    next[key / below] = next[key % below] = 1;
    last = key;
  }
  return SD_OK;
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
    uint8_t *next = sd_alloc0 (d->level[k].below, 1);
    st = next ? check_level (d, k, marked, next, err) : sd_fail_memory (err, 0);
    free (marked);
    marked = next;
  }
  free (marked);
  return st;
}
