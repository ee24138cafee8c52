/** \file build.c
 * A diagram from the leaves to the roots: level after level by merge.c, each from the plain diagram's level
 * and the sets of the level below, which are then given back. As soon as a level is there its bytes as the
 * top one, under an array of roots, are known; of the best one so far it is kept which nodes its roots are.
 * Then what no root reaches is dropped and the nodes are put in the order in which they are stored. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

/* Levels below LEAST_TOP of a large table are never the top one. */
#define LEAST_TOP(vars) ((vars) > 16 ? 3 : 0)

typedef struct stack {
  sd_obdd_plain *p;
  const sd_obdd_options *opt;
  uint32_t leaves; /* main symbols */
  sd_obdd_level level[SD_OBDD_MAX_VARS + 1];
  uint8_t *used[SD_OBDD_MAX_VARS + 1]; /* scratch of `reach`: 1 for nodes that a root reaches */
  sd_obdd_sets sets;                   /* of the last level */
  uint32_t *cur;                       /* the sets of the last level's plain sub-tables */
  unsigned best;                       /* the best top level so far */
  uint64_t least;                      /* its bytes */
  uint32_t *choice;                    /* the nodes of level `best` for its plain sub-tables */
} stack;

static void stack_free (stack *s) {
  for (unsigned k = 0; k <= SD_OBDD_MAX_VARS; k++) {
    free (s->level[k].node);
    free (s->used[k]);
  }
  sd_obdd_sets_free (&s->sets);
  free (s->cur);
  free (s->choice);
}

static uint32_t nodes_of (const stack *s, unsigned k) {
  return k ? s->level[k].n : s->leaves;
}

/* Different sub-tables of 2^k slots. */
static uint32_t plain_of (const stack *s, unsigned k) {
  return k ? s->p->level[k].n : s->p->leaves;
}

/* ---------------------------------------------------------------- what is reached */

/* Nodes of level `top`, the last one, that stand for the roots: those without a choice, then as few others as
 * it comes; root[i]: of plain sub-table i. */
static void choose_roots (const stack *s, unsigned top, uint32_t *root) {
  const uint32_t n = plain_of (s, top), *cur = s->cur;
  uint8_t *used = s->used[top];
  uint32_t any = 0;

  memset (used, 0, nodes_of (s, top));
  /* What has one node only takes it, whatever the others do. */
  for (uint32_t i = 0; i < n; i++)
    if (cur[i] && sd_obdd_sets_count (&s->sets, cur[i]) == 1)
      used[any = sd_obdd_sets_first (&s->sets, cur[i])] = 1;
  for (uint32_t i = 0; i < n; i++) {
    /* 0 is the set of all nodes: it is looked at last, when some node is surely used. */
    if (cur[i] == 0)
      continue;
    /* A node that is used already costs nothing; else the first one, which those behind may use as well. */
    const uint32_t first = s->sets.start[cur[i]], end = s->sets.start[cur[i] + 1];
    uint32_t k = first;
    while (k < end && !used[sd_obdd_sets_at (&s->sets, k)])
      k++;
    root[i] = any = sd_obdd_sets_at (&s->sets, k < end ? k : first);
    used[any] = 1;
  }
  for (uint32_t i = 0; i < n; i++) /* everything may be free */
    if (cur[i] == 0)
      root[i] = any;
}

/* Mark what the roots reach; nodes[k] = how many of level k. */
static void reach (const stack *s, unsigned top, const uint32_t *root, uint64_t *nodes) {
  memset (s->used[top], 0, nodes_of (s, top));
  for (uint32_t i = 0; i < plain_of (s, top); i++)
    s->used[top][root[i]] = 1;
  nodes[0] = s->leaves;
  /* From the roots down: a level's nodes are known when all above them have been looked at. */
  for (unsigned k = top; k > 0; k--) {
    const sd_obdd_level *l = &s->level[k];
    nodes[k] = 0;
    memset (s->used[k - 1], 0, nodes_of (s, k - 1));
    for (uint32_t x = 0; x < l->n; x++)
      if (s->used[k][x]) {
        nodes[k]++;
        s->used[k - 1][l->node[x].lo] = s->used[k - 1][l->node[x].hi] = 1;
      }
  }
}

/* What level k, the last one, would cost as the top one; it is kept if it is the best one so far. */
static int try_top (stack *s, unsigned k) {
  /* With one root only the last level can be the top one; else none near the leaves, where the array of roots
   * would be nearly the table itself. */
  if (k < (s->opt->one_root ? s->p->vars : LEAST_TOP (s->p->vars)))
    return SD_OK;
  uint64_t nodes[SD_OBDD_MAX_VARS + 1];
  uint32_t *root = sd_alloc (plain_of (s, k), sizeof *root);
  if (!root)
    return SD_ENOMEM;
  choose_roots (s, k, root);
  reach (s, k, root, nodes);
  /* An array of roots, and below it only what these reach: merging made nodes that other choices do
   * without. */
  uint64_t bytes = sd_obdd_root_bytes (UINT64_C (1) << (s->p->vars - k), nodes[k]);
  for (unsigned i = 1; i <= k; i++)
    bytes += sd_obdd_level_bytes (s->opt->form, nodes[i], nodes[i - 1]);
  /* Of equal sizes the higher top level is taken: its array of roots is the shorter one. */
  if (bytes <= s->least) {
    s->least = bytes;
    s->best = k;
    free (s->choice);
    s->choice = root;
  } else
    free (root);
  return SD_OK;
}

/* ------------------------------------------------------------------------ levels */

int sd_obdd_leaf_sets (const sd_alphabet *a, const sd_symbol *leaf, uint32_t n, sd_obdd_sets *sets,
                       uint32_t **cur) {
  uint32_t list[SD_MAX_MAIN];
  const unsigned m = sd_alphabet_main (a);

  SD_TRY (sd_obdd_sets_init (sets, m));
  *cur = sd_alloc0 ((uint64_t) n + 1, sizeof **cur);
  if (!*cur)
    return SD_ENOMEM;
  for (uint32_t i = 0; i < n; i++) {
    const sd_symbol x = leaf ? leaf[i] : (sd_symbol) i;
    uint32_t k = 0;
    /* Codes without a slot have the symbol behind the last one, which has no set here and so permits
     * everything. */
    for (unsigned v = 0; v < m && x < sd_alphabet_size (a); v++)
      if (sd_admits (a, x, (sd_symbol) v))
        list[k++] = v;
    /* A symbol that permits everything stays set 0. */
    if (k > 0 && k < m)
      (*cur)[i] = sd_obdd_sets_add (sets, list, k);
    if ((*cur)[i] == UINT32_MAX)
      return SD_ENOMEM;
  }
  sd_obdd_sets_finish (sets);
  return SD_OK;
}

static int start (stack *s, const sd_alphabet *a) {
  SD_TRY (sd_obdd_leaf_sets (a, s->p->leaf, s->p->leaves, &s->sets, &s->cur));
  s->used[0] = sd_alloc (s->leaves, 1);
  return s->used[0] ? try_top (s, 0) : SD_ENOMEM;
}

/* Level k; of the plain diagram only what leads from the roots to the best top level is kept. */
static int raise_level (stack *s, unsigned k) {
  sd_obdd_plain *p = s->p;
  sd_obdd_sets below = s->sets;

  /* Of the sets only two levels are ever in memory. */
  s->sets = (sd_obdd_sets){ 0 };
  const int st = sd_obdd_merge (&below, nodes_of (s, k - 1), &p->level[k], p->count[k], &s->cur, s->opt,
                                &s->level[k], &s->sets);
  sd_obdd_sets_free (&below);
  SD_TRY (st);
  free (p->count[k]);
  p->count[k] = NULL;
  s->used[k] = sd_alloc (s->level[k].n, 1);
  SD_TRY (s->used[k] ? try_top (s, k) : SD_ENOMEM);
  /* Plain levels up to the top one have done their work. Above it they lead from the root to the array of
   * roots. */
  for (unsigned i = 1; i <= s->best || (s->least == UINT64_MAX && i <= k); i++) {
    free (p->level[i].node);
    p->level[i].node = NULL;
  }
  return SD_OK;
}

/* The plain sub-tables of level `top` from the root on, as many as there are codes above it. */
static uint32_t *plain_in_order (const sd_obdd_plain *p, unsigned top) {
  uint32_t *at = sd_alloc (UINT64_C (1) << (p->vars - top), sizeof *at);
  if (!at)
    return NULL;
  at[0] = 0;
  /* Each level doubles the list, in place: backwards, so that nothing is overwritten before it is read. */
  for (unsigned k = p->vars; k > top; k--)
    for (uint64_t i = UINT64_C (1) << (p->vars - k); i-- > 0;) {
      const sd_obdd_node both = p->level[k].node[at[i]];
      at[2 * i] = both.lo;
      at[2 * i + 1] = both.hi;
    }
  return at;
}

/* -------------------------------------------------------------------- numbering */

/* Level k in the order of (left, right), given the numbers of the level below; number[] becomes its own. */
static int sort_level (const stack *s, unsigned k, uint64_t nodes, uint32_t **number, sd_obdd_level *out) {
  const sd_obdd_level *l = &s->level[k];
  SD_OWNED sd_ranked *r = sd_alloc (nodes, sizeof *r);
  uint32_t *mine = sd_alloc (l->n, sizeof *mine);

  out->node = sd_alloc (nodes, sizeof *out->node);
  if (!r || !mine || !out->node) {
    free (mine);
    return SD_ENOMEM;
  }
  /* Numbers of the level below are final, so that left and right edge together are the node's place. */
  for (uint32_t x = 0; x < l->n; x++)
    if (s->used[k][x])
      r[out->n++] = (sd_ranked){ (uint64_t) (*number)[l->node[x].lo] << 32 | (*number)[l->node[x].hi], x };
  qsort (r, out->n, sizeof *r, sd_by_rank);
  for (uint32_t x = 0; x < out->n; x++) {
    out->node[x] = (sd_obdd_node){ (uint32_t) (r[x].rank >> 32), (uint32_t) r[x].rank };
    mine[r[x].number] = x;
  }
  free (*number);
  *number = mine;
  return SD_OK;
}

static int finish (const stack *s, sd_obdd_diagram *out) {
  const unsigned top = s->best, vars = s->p->vars;
  uint64_t nodes[SD_OBDD_MAX_VARS + 1];

  *out = (sd_obdd_diagram){ .vars = vars, .top = top, .leaves = s->leaves };
  SD_OWNED uint32_t *number = sd_alloc (s->leaves, sizeof *number);
  if (!number)
    return SD_ENOMEM;
  /* `used` is scratch, and levels above the best top one have written into it since. */
  reach (s, top, s->choice, nodes);
  for (uint32_t v = 0; v < s->leaves; v++)
    number[v] = v;
  /* From the leaves up, as a level's order follows from the numbers of the level below. */
  for (unsigned k = 1; k <= top; k++)
    SD_TRY (sort_level (s, k, nodes[k], &number, &out->level[k]));
  out->root = plain_in_order (s->p, top);
  if (!out->root)
    return SD_ENOMEM;
  for (uint64_t i = 0; i < UINT64_C (1) << (vars - top); i++)
    out->root[i] = number[s->choice[out->root[i]]];
  return SD_OK;
}

void sd_obdd_diagram_free (sd_obdd_diagram *d) {
  for (unsigned k = 0; k <= SD_OBDD_MAX_VARS; k++)
    free (d->level[k].node);
  free (d->root);
  *d = (sd_obdd_diagram){ 0 };
}

int sd_obdd_build (sd_obdd_plain *p, const sd_alphabet *a, const sd_obdd_options *opt, sd_obdd_diagram *out,
                   uint64_t *bytes) {
  SD_RELEASED_BY (stack_free)
  stack s = { .p = p, .opt = opt, .leaves = sd_alphabet_main (a), .least = UINT64_MAX };
  SD_TRY (sd_obdd_plain_sort (p));
  SD_TRY (start (&s, a));
  /* All levels are made, although one below may become the top: only then is it known that it is the best. */
  for (unsigned k = 1; k <= p->vars; k++)
    SD_TRY (raise_level (&s, k));
  if (bytes)
    *bytes = s.least;
  return out ? finish (&s, out) : SD_OK;
}

int sd_obdd_size (const sd_obdd_plain *p, const sd_alphabet *a, const sd_obdd_options *opt, uint64_t *bytes) {
  SD_RELEASED_BY (sd_obdd_plain_free) sd_obdd_plain copy = { 0 };
  SD_TRY (sd_obdd_plain_copy (p, &copy));
  return sd_obdd_build (&copy, a, opt, NULL, bytes);
}
