/** \file build.c
 * A diagram from the leaves to the roots: level after level by merge.c, then the level from which on an array
 * of roots is smaller than more levels, then what no root reaches is dropped and the nodes are put in
 * the order in which they are stored. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

/* Levels below KEPT of a large table are never the top one. */
#define KEPT(vars) ((vars) > 16 ? 3 : 0)

/* All levels that may become the top one, with the sub-tables' sets of nodes. */
typedef struct stack {
  unsigned vars;
  uint32_t leaves;
  sd_obdd_level level[SD_OBDD_MAX_VARS + 1];
  sd_obdd_sets sets[SD_OBDD_MAX_VARS + 1];
  uint32_t *cur[SD_OBDD_MAX_VARS + 1];  /* [k]: 2^(vars - k) sets; NULL: too many to be kept */
  uint32_t *used[SD_OBDD_MAX_VARS + 1]; /* scratch of `reach`: 1 for nodes that a root reaches */
} stack;

static void stack_free (stack *s) {
  for (unsigned k = 0; k <= s->vars; k++) {
    free (s->level[k].lo);
    free (s->level[k].hi);
    sd_obdd_sets_free (&s->sets[k]);
    free (s->cur[k]);
    free (s->used[k]);
  }
}

/* Sets of main symbols: what each symbol permits. */
static int leaf_sets (const sd_alphabet *a, stack *s, uint32_t *set_of) {
  uint32_t list[SD_MAX_MAIN];
  SD_TRY (sd_obdd_sets_init (&s->sets[0]));
  for (unsigned x = 0; x < sd_alphabet_size (a); x++) {
    uint32_t n = 0;
    for (unsigned v = 0; v < s->leaves; v++)
      if (sd_admits (a, (sd_symbol) x, (sd_symbol) v))
        list[n++] = v;
    set_of[x] = n == s->leaves ? 0 : sd_obdd_sets_add (&s->sets[0], list, n);
    if (set_of[x] == UINT32_MAX)
      return SD_ENOMEM;
  }
  return SD_OK;
}

/* Sets of the slots; the symbol behind the alphabet's last one, for codes without a slot, permits everything.
 * Only a small table may get its slots as roots and keeps them as sets. */
static int start (stack *s, const sd_alphabet *a, const sd_symbol *table, uint32_t **set_of) {
  *set_of = sd_alloc0 ((uint64_t) sd_alphabet_size (a) + 1, sizeof **set_of);
  SD_TRY (*set_of ? leaf_sets (a, s, *set_of) : SD_ENOMEM);
  if (KEPT (s->vars) > 0)
    return SD_OK;
  const uint64_t n = UINT64_C (1) << s->vars;
  s->cur[0] = sd_alloc (n, sizeof *s->cur[0]);
  for (uint64_t i = 0; s->cur[0] && i < n; i++)
    s->cur[0][i] = (*set_of)[table[i]];
  return s->cur[0] ? SD_OK : SD_ENOMEM;
}

static uint32_t nodes_of (const stack *s, unsigned k) {
  return k ? s->level[k].n : s->leaves;
}

static int raise_level (stack *s, unsigned k, const sd_obdd_slots *slots, const sd_obdd_options *opt) {
  const uint64_t n = UINT64_C (1) << (s->vars - k);
  uint32_t *cur = s->cur[k - 1];
  if (!cur) /* the slots themselves */
    cur = sd_alloc (n, sizeof *cur);
  else if (k > KEPT (s->vars)) { /* keep the level below */
    cur = sd_alloc (2 * n, sizeof *cur);
    if (cur)
      memcpy (cur, s->cur[k - 1], 2 * n * sizeof *cur);
  } else
    s->cur[k - 1] = NULL;
  if (!cur)
    return SD_ENOMEM;
  s->cur[k] = cur;
  SD_TRY (sd_obdd_merge (&s->sets[k - 1], nodes_of (s, k - 1), k == 1 ? slots : NULL, cur, n, opt,
                         &s->level[k], &s->sets[k]));
  uint32_t *less = realloc (cur, n * sizeof *less);
  s->cur[k] = less ? less : cur;
  s->used[k] = sd_alloc (s->level[k].n, sizeof *s->used[k]);
  return s->used[k] ? SD_OK : SD_ENOMEM;
}

/* ---------------------------------------------------------------- what is reached */

/* Mark the nodes of level `top` that stand for the roots: those without a choice, then as few others as it
 * comes; root (may be NULL) receives them. */
static void mark_roots (const stack *s, unsigned top, uint32_t *root) {
  const uint64_t n = UINT64_C (1) << (s->vars - top);
  const uint32_t *cur = s->cur[top];
  const sd_obdd_sets *sets = &s->sets[top];
  uint32_t *used = s->used[top], any = 0;
  memset (used, 0, nodes_of (s, top) * sizeof *used);
  for (uint64_t i = 0; i < n; i++)
    if (cur[i] && sd_obdd_sets_count (sets, cur[i]) == 1)
      used[any = sd_obdd_sets_elems (sets, cur[i])[0]] = 1;
  for (uint64_t i = 0; i < n; i++) {
    if (cur[i] == 0)
      continue;
    const uint32_t *e = sd_obdd_sets_elems (sets, cur[i]), count = sd_obdd_sets_count (sets, cur[i]);
    uint32_t k = 0;
    while (k < count && !used[e[k]])
      k++;
    any = e[k < count ? k : 0];
    used[any] = 1;
    if (root)
      root[i] = any;
  }
  used[any] = 1; /* everything may be free */
  for (uint64_t i = 0; root && i < n; i++)
    if (cur[i] == 0)
      root[i] = any;
}

/* Mark what level `top` reaches; nodes[k] = how many of level k. */
static void reach (const stack *s, unsigned top, uint32_t *root, uint64_t *nodes) {
  mark_roots (s, top, root);
  nodes[0] = s->leaves;
  for (unsigned k = top; k > 0; k--) {
    const sd_obdd_level *l = &s->level[k];
    nodes[k] = 0;
    if (k > 1)
      memset (s->used[k - 1], 0, s->level[k - 1].n * sizeof (uint32_t));
    for (uint32_t x = 0; x < l->n; x++)
      if (s->used[k][x]) {
        nodes[k]++;
        s->used[k - 1][l->lo[x]] = s->used[k - 1][l->hi[x]] = 1;
      }
  }
}

static uint64_t bytes_with (const stack *s, unsigned top) {
  uint64_t nodes[SD_OBDD_MAX_VARS + 1];
  reach (s, top, NULL, nodes);
  uint64_t bytes = sd_obdd_root_bytes (UINT64_C (1) << (s->vars - top), nodes[top]);
  for (unsigned k = 1; k <= top; k++)
    bytes += sd_obdd_level_bytes (nodes[k], nodes[k - 1]);
  return bytes;
}

/* -------------------------------------------------------------------- numbering */

typedef struct keyed {
  uint64_t key;
  uint32_t node;
} keyed;

static int by_key (const void *x, const void *y) {
  const keyed *a = x, *b = y;
  return a->key < b->key ? -1 : a->key > b->key;
}

/* Level k in the order of (left, right), given the numbers of the level below; number[] becomes its own. */
static int sort_level (const stack *s, unsigned k, uint64_t nodes, uint32_t **number, sd_obdd_level *out) {
  const sd_obdd_level *l = &s->level[k];
  keyed *r = sd_alloc (nodes, sizeof *r);
  uint32_t *mine = sd_alloc (l->n, sizeof *mine);
  out->lo = sd_alloc (nodes, sizeof *out->lo);
  out->hi = sd_alloc (nodes, sizeof *out->hi);
  if (!r || !mine || !out->lo || !out->hi) {
    free (r);
    free (mine);
    return SD_ENOMEM;
  }
  for (uint32_t x = 0; x < l->n; x++)
    if (s->used[k][x])
      r[out->n++] = (keyed){ (uint64_t) (*number)[l->lo[x]] << 32 | (*number)[l->hi[x]], x };
  qsort (r, out->n, sizeof *r, by_key);
  for (uint32_t x = 0; x < out->n; x++) {
    out->lo[x] = (uint32_t) (r[x].key >> 32);
    out->hi[x] = (uint32_t) r[x].key;
    mine[r[x].node] = x;
  }
  free (r);
  free (*number);
  *number = mine;
  return SD_OK;
}

static int finish (const stack *s, unsigned top, sd_obdd_diagram *out) {
  const uint64_t roots = UINT64_C (1) << (s->vars - top);
  uint64_t nodes[SD_OBDD_MAX_VARS + 1];
  *out = (sd_obdd_diagram){ .vars = s->vars, .top = top, .leaves = s->leaves };
  out->root = sd_alloc (roots, sizeof *out->root);
  uint32_t *number = sd_alloc (s->leaves, sizeof *number);
  int st = out->root && number ? SD_OK : SD_ENOMEM;
  if (!st)
    reach (s, top, out->root, nodes);
  for (uint32_t v = 0; !st && v < s->leaves; v++)
    number[v] = v;
  for (unsigned k = 1; !st && k <= top; k++)
    st = sort_level (s, k, nodes[k], &number, &out->level[k]);
  for (uint64_t i = 0; !st && i < roots; i++)
    out->root[i] = number[out->root[i]];
  free (number);
  if (st)
    sd_obdd_diagram_free (out);
  return st;
}

void sd_obdd_diagram_free (sd_obdd_diagram *d) {
  for (unsigned k = 0; k <= SD_OBDD_MAX_VARS; k++) {
    free (d->level[k].lo);
    free (d->level[k].hi);
  }
  free (d->root);
  *d = (sd_obdd_diagram){ 0 };
}

int sd_obdd_build (const sd_obdd_vars *v, const sd_alphabet *a, const sd_symbol *table,
                   const sd_obdd_options *opt, sd_obdd_diagram *out, uint64_t *bytes) {
  stack s = { .vars = v->n, .leaves = sd_alphabet_main (a) };
  s.used[0] = sd_alloc (s.leaves, sizeof *s.used[0]);
  uint32_t *set_of = NULL;
  int st = s.used[0] ? start (&s, a, table, &set_of) : SD_ENOMEM;
  const sd_obdd_slots slots = { table, set_of };
  for (unsigned k = 1; !st && k <= s.vars; k++)
    st = raise_level (&s, k, &slots, opt);
  unsigned best = s.vars;
  uint64_t least = UINT64_MAX;
  for (unsigned top = s.vars + 1; !st && top-- > 0;) {
    uint64_t b = s.cur[top] && !(opt->one_root && top < s.vars) ? bytes_with (&s, top) : UINT64_MAX;
    if (b < least) {
      least = b;
      best = top;
    }
  }
  if (bytes)
    *bytes = least;
  if (!st && out)
    st = finish (&s, best, out);
  stack_free (&s);
  free (set_of);
  return st;
}
