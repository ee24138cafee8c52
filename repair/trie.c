/** \file trie.c
 * The phrases of a dictionary as a tree of runs, for the search of phrases that fit at a place.
 *
 * Tables consist of runs, so an edge is a whole run: a symbol and how often it stands there, never followed
 * by an edge with the same symbol. A phrase ends with an edge. Phrases share their first runs, as left parts
 * mostly do. Edges of a node stand side by side, by symbol and then by length, so that one run of slots is
 * measured once for all of them.
 *
 * Memory: 32 bytes an edge; phrases of very many runs, and what comes after MAX_EDGES, are left out (the
 * parser can do without them). Time: one look-up in a hash table for each run of each phrase. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EDGES (1u << 22)
#define MAX_RUNS 2048 /* of one phrase */

/* While the tree grows; number 0 is the root and has no edge above it. */
typedef struct branch {
  uint32_t parent, run;
  sd_symbol value;
} branch;

typedef struct growing {
  branch *b;
  uint32_t n, cap;
  uint32_t *table; /* number of a branch, 0: none */
  unsigned log;
  uint32_t *end;  /* [id] last branch, 0: left out */
  uint32_t *runs; /* [id] how many */
  uint32_t *path; /* [MAX_RUNS] */
} growing;

static size_t place (const growing *g, uint32_t parent, sd_symbol value, uint32_t run) {
  /* Two multiplications mix all of the key into the upper bits, which choose the place. */
  uint64_t h = (parent * UINT64_C (0x9e3779b97f4a7c15))
               ^ (((uint64_t) run << 16 | value) * UINT64_C (0xd6e8feb86659fd93));
  size_t mask = ((size_t) 1 << g->log) - 1,
         at = (size_t) (h * UINT64_C (0x9e3779b97f4a7c15) >> (64 - g->log));
  for (; g->table[at]; at = (at + 1) & mask) {
    const branch *b = g->b + g->table[at];
    if (b->parent == parent && b->value == value && b->run == run)
      break;
  }
  return at;
}

static bool enlarge (growing *g) {
  /* Branches double, and the table is a quarter full at most. */
  uint32_t cap = g->cap ? 2 * g->cap : 4096;
  branch *b = realloc (g->b, cap * sizeof *b);
  if (!b)
    return false;
  g->b = b;
  uint32_t *table = sd_alloc0 ((size_t) 4 * cap, sizeof *table);
  if (!table)
    return false;
  free (g->table);
  g->table = table;
  g->cap = cap;
  g->log = sd_bits_for (4 * (uint64_t) cap);
  for (uint32_t k = 1; k < g->n; k++)
    g->table[place (g, b[k].parent, b[k].value, b[k].run)] = k;
  return true;
}

/* The branch below `parent`, made if there is none; 0: no memory. */
/* Branches are never taken away, so that numbers stay. */
static uint32_t grow (growing *g, uint32_t parent, sd_symbol value, uint32_t run) {
  size_t at = place (g, parent, value, run);
  if (g->table[at])
    return g->table[at];
  if (g->n == g->cap) {
    if (!enlarge (g))
      return 0;
    at = place (g, parent, value, run);
  }
  g->b[g->n] = (branch){ parent, run, value };
  return g->table[at] = g->n++;
}

/* Phrase id, whose parts are in the tree: the runs of the right part follow the left one's. */
static int add_phrase (growing *g, const sd_repair *st, unsigned id) {
  uint32_t l = g->end[st->left[id]], r = g->end[st->right[id]], n = 0;
  uint64_t runs = (uint64_t) g->runs[st->left[id]] + g->runs[st->right[id]];

  if (!l || !r || runs > MAX_RUNS || g->n + runs > MAX_EDGES)
    return SD_OK;
  /* The runs of the right part, which are found from its end upwards. */
  for (; r; r = g->b[r].parent)
    g->path[n++] = r;

  uint32_t first = g->path[n - 1], at = l;
  for (uint32_t k = n; k-- > 0;) {
    const branch *b = g->b + g->path[k];
    sd_symbol value = b->value;
    uint32_t run = b->run;
    /* The left part ends with the symbol that the right one begins with: both are one run, below what stood
     * above the left part's last run. */
    if (g->path[k] == first && g->b[l].value == value) {
      at = g->b[l].parent;
      run += g->b[l].run;
      runs--;
    }
    if (!(at = grow (g, at, value, run)))
      return SD_ENOMEM;
  }
  g->end[id] = at;
  g->runs[id] = (uint32_t) runs;
  return SD_OK;
}

typedef struct sorting {
  uint32_t run, branch;
  sd_symbol value;
} sorting;

static int by_value (const void *pa, const void *pb) {
  const sorting *a = pa, *b = pb;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  return a->run < b->run ? -1 : a->run > b->run;
}

/* What is known of a branch and all below it. */
typedef struct below {
  uint32_t reach;
  uint16_t cost, least;
  sd_phrase id, cheapest;
} below;

static void sum_up (const growing *g, const sd_repair *st, const uint32_t *cost, below *sum) {
  for (uint32_t k = 0; k < g->n; k++)
    sum[k] = (below){ .cost = SD_TRIE_NONE, .least = SD_TRIE_NONE };
  for (unsigned id = 0; id < st->used; id++) {
    /* What ends with this branch itself; the cheaper one where two phrases spell the same. */
    below *s = sum + g->end[id];
    if (g->end[id] && cost[id] < s->cost) { /* two phrases may spell the same */
      s->cost = s->least = (uint16_t) cost[id];
      s->id = s->cheapest = (sd_phrase) id;
      s->reach = st->length[id];
    }
  }
  for (uint32_t k = g->n; k-- > 1;) { /* branches are older than their children */
    below *s = sum + k, *up = sum + g->b[k].parent;
    if (s->least < up->least) {
      up->least = s->least;
      up->cheapest = s->cheapest;
    }
    if (s->reach > up->reach)
      up->reach = s->reach;
  }
}

/* What edges that stand side by side know of each other. */
static void compare_edges (sd_trie_edge *e, uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    const bool first = j == 0 || e[j - 1].value != e[j].value;
    e[j].reach_upto = first || e[j - 1].reach_upto < e[j].reach ? e[j].reach : e[j - 1].reach_upto;
    e[j].least_upto = first || e[j - 1].least_upto > e[j].least ? e[j].least : e[j - 1].least_upto;
  }
  for (uint32_t j = count; j-- > 0;)
    e[j].same = (uint16_t) (j + 1 == count || e[j + 1].value != e[j].value ? 1 : e[j + 1].same + 1);
}

/* Branch after branch from the root down, the children of each side by side, followed by what is below the
 * first of them, and so on: most nodes have one child, which then stands right behind. */
static int settle (const growing *g, const sd_repair *st, const uint32_t *cost, sd_trie *trie) {
  SD_OWNED uint32_t *first = sd_alloc0 ((size_t) g->n + 1, sizeof *first),
                    *stack = sd_alloc (g->n, sizeof *stack);
  SD_OWNED sorting *kids = sd_alloc (g->n, sizeof *kids);
  SD_OWNED below *sum = sd_alloc (g->n, sizeof *sum);

  trie->edge = sd_alloc (g->n, sizeof *trie->edge);
  if (!first || !stack || !kids || !sum || !trie->edge)
    return SD_ENOMEM;
  sum_up (g, st, cost, sum);
  /* Sorting by counting: children of each branch side by side. Branches below which no phrase ends are
   * dropped. */
  for (uint32_t k = 1; k < g->n; k++)
    first[g->b[k].parent + 1] += sum[k].least != SD_TRIE_NONE;
  for (uint32_t k = 0; k < g->n; k++)
    first[k + 1] += first[k];
  for (uint32_t k = 1; k < g->n; k++)
    if (sum[k].least != SD_TRIE_NONE)
      kids[first[g->b[k].parent]++] = (sorting){ g->b[k].run, k, g->b[k].value };
  /* first[k] is now the end of the children of k, which is where those of k + 1 begin */

  uint32_t top = 0, at = 0;
  for (uint32_t k = 0;;) {
    uint32_t from = k ? first[k - 1] : 0, count = first[k] - from;
    /* Edges by rising value: a search among siblings can stop early. */
    if (count > 1)
      qsort (kids + from, count, sizeof *kids, by_value);
    for (uint32_t j = 0; j < count; j++) {
      const below *s = sum + kids[from + j].branch;
      trie->edge[at + j] = (sd_trie_edge){ .run = kids[from + j].run,
                                           .value = kids[from + j].value,
                                           .cost = s->cost,
                                           .least = s->least,
                                           .reach = s->reach,
                                           .id = s->id,
                                           .cheapest = s->cheapest,
                                           .kids = kids[from + j].branch };
    }
    compare_edges (trie->edge + at, count);
    /* The first child is on top of the stack: its own children come next in memory. */
    for (uint32_t j = count; j-- > 0;)
      stack[top++] = at + j;
    if (!k)
      trie->roots = count;
    at += count;
    if (!top)
      break;
    sd_trie_edge *e = trie->edge + stack[--top];
    k = e->kids;
    /* Its children stand where the next edges will be written. */
    e->kids = at;
    e->nkids = (uint16_t) (first[k] - first[k - 1]);
  }
  trie->edges = at;
  return SD_OK;
}

int sd_trie_new (const sd_repair *st, const uint32_t *cost, sd_trie *trie) {
  growing g = { .n = 1 };
  *trie = (sd_trie){ 0 };
  g.end = sd_alloc0 (st->used, sizeof *g.end);
  g.runs = sd_alloc0 (st->used, sizeof *g.runs);
  g.path = sd_alloc (MAX_RUNS, sizeof *g.path);
  int status = g.end && g.runs && g.path && enlarge (&g) ? SD_OK : SD_ENOMEM;
  for (unsigned id = 0; !status && id < st->used; id++) {
    /* Parts are older than phrases, so they are in the tree already. */
    if (id >= st->a)
      status = add_phrase (&g, st, id);
    else if (id < st->m) {
      g.end[id] = grow (&g, 0, (sd_symbol) id, 1);
      g.runs[id] = 1;
      status = g.end[id] ? SD_OK : SD_ENOMEM;
    }
  }
  if (!status)
    status = settle (&g, st, cost, trie);
  free (g.b);
  free (g.table);
  free (g.end);
  free (g.runs);
  free (g.path);
  return status;
}

void sd_trie_clear (sd_trie *trie) {
  free (trie->edge);
  *trie = (sd_trie){ 0 };
}
