/* What an open stream looks like, and the invariants of validate.h. */
#include "config.h"
#include "obdd/read_internal.h"
#include "tests/obdd/validate.h"

#include <stdlib.h>
#include <string.h>

/* Constant streams, clusters and windows have the codec's name, but are no sd_obdd_decoder. */
static bool is_diagram (const sd_decoder *d) {
  return d->ops == &sd_obdd_ops;
}

static char letter (unsigned i) {
  return (char) (i < 26 ? 'a' + (int) i : 'A' + (int) i - 26);
}

static void put_order (const sd_obdd_vars *v, char *out) {
  for (unsigned k = v->n; k-- > 0;) {
    const bool several = (v->sum[k] & (v->sum[k] - 1)) != 0;
    if (several)
      *out++ = '(';
    for (unsigned i = 0; i < v->n; i++)
      if (v->sum[k] >> i & 1)
        *out++ = letter (i);
    if (several)
      *out++ = ')';
  }
  *out = 0;
}

void sd_obdd_describe_shape (const sd_decoder *base, sd_obdd_shape *out) {
  const sd_obdd_decoder *d = (const sd_obdd_decoder *) base;
  memset (out, 0, sizeof *out);
  if (!is_diagram (base))
    return;
  out->variables = d->vars.n;
  out->levels = d->top;
  out->roots = UINT64_C (1) << (d->vars.n - d->top);
  for (unsigned k = 1; k <= d->top; k++) {
    const sd_nodes *l = &d->level[k];
    out->nodes[k] = l->n;
    out->nodes[k - 1] = l->below;
    out->ideal[k] = l->halves - l->same;
    sd_nodes_cursor c = sd_nodes_from (l);
    for (uint64_t x = 0; x < l->n; x++) {
      const sd_obdd_node node = sd_nodes_next (&c);
      out->branching[k] += node.lo != node.hi;
    }
  }
  if (d->top == 0)
    out->nodes[0] = base->m;
  put_order (&d->vars, out->order);
}

/* ------------------------------------------------------------------ invariants */

static int by_key (const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *) x, b = *(const uint64_t *) y;
  return a < b ? -1 : a > b;
}

/* Level k, of whose nodes `marked` are reached; marks their children. */
static int check_level (const sd_obdd_decoder *d, unsigned k, const uint8_t *marked, uint8_t *next,
                        sd_error *err) {
  const sd_nodes *l = &d->level[k];
  uint64_t *key = sd_alloc (l->n, sizeof *key);
  if (!key)
    return sd_fail_memory (err, 0);
  sd_nodes_cursor c = sd_nodes_from (l);
  int st = SD_OK;
  for (uint64_t x = 0; !st && x < l->n; x++) {
    const sd_obdd_node node = sd_nodes_next (&c);
    key[x] = node.lo * l->below + node.hi;
    const char *what = node.lo >= l->below || node.hi >= l->below ? "an edge leads nowhere"
                       : l->form != SD_FORM_IDEAL && x && key[x] <= key[x - 1]
                           ? "not behind the node before it"
                       : !marked[x] ? "nothing leads to it"
                                    : NULL;
    if (what)
      st = sd_fail (err, SD_EDIFF, "level %u, node %llu: %s", k, (unsigned long long) x, what);
    else
      next[node.lo] = next[node.hi] = 1;
  }
  qsort (key, st ? 0 : l->n, sizeof *key, by_key);
  for (uint64_t x = 1; !st && x < l->n; x++)
    if (key[x] == key[x - 1])
      st = sd_fail (err, SD_EDIFF, "level %u: two nodes with the edges %llu and %llu", k,
                    (unsigned long long) (key[x] / l->below), (unsigned long long) (key[x] % l->below));
  free (key);
  return st;
}

int sd_obdd_validate (const sd_decoder *base, sd_error *err) {
  const sd_obdd_decoder *d = (const sd_obdd_decoder *) base;
  if (!is_diagram (base))
    return sd_fail (err, SD_EINVAL, "codec %s: not one diagram: clusters, a window or a constant",
                    base->codec->name);
  uint8_t *marked = d->top ? sd_alloc0 (d->level[d->top].n, 1) : NULL;
  if (d->top && !marked)
    return sd_fail_memory (err, 0);
  for (uint64_t i = 0; i < sd_roots_to_look_at (d); i++) {
    uint64_t x = sd_root_of (d, i);
    if (x >= (d->top ? d->level[d->top].n : base->m)) {
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
