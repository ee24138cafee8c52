/** \file merge.c
 * One level of a diagram over subdefinite data, merging from the leaves (Kristensen 2005, 2.5).
 *
 * A sub-table of the level below is known by the set of nodes that it may become. A sub-table here is a pair
 * of such sets (A, B), and may become each node (a, b) with a in A, b in B. The level's nodes have to hit all
 * pairs of sets, and there should be few of them: pairs of single nodes have no choice; what these do not hit
 * is covered greedily, the pair of nodes first that hits most (cover.c; Kristensen 2005 merges pair by pair).
 * Afterwards each sub-table is again the set of all nodes that it may become: nothing is decided before it
 * must be, which is what merging from the root is good at.
 *
 * Cost: linear in the sub-tables for the hash table, and for each different pair of sets at most opt->pairs
 * candidates and opt->choices nodes. */
#include "config.h"
#include "obdd/merge_internal.h"

#include <string.h>

#define NONE UINT32_MAX
#define ITEMS 16               /* sub-tables that a thread takes at a time */
#define FEW (1u << 13)         /* sub-tables that one thread is done with before others would have started */
#define MOST_LISTED (1u << 20) /* nodes of sub-tables that are looked at together */

/* ---------------------------------------------------------------------- items */

/* The different pairs of sets; (*cur)[x] becomes the number of the pair of plain sub-table x. Different plain
 * sub-tables may permit the same: from here on they are one. */
static int collect (sd_merger *m, const sd_obdd_level *plain, const uint32_t *count, uint32_t **cur) {
  SD_OWNED sd_obdd_node *sets = sd_alloc (plain->n, sizeof *sets);
  uint32_t *item_of = sd_alloc (plain->n, sizeof *item_of);
  sd_obdd_level items = { 0 };

  if (!sets || !item_of) {
    free (item_of);
    return SD_ENOMEM;
  }
#pragma omp parallel for if (plain->n >= FEW)
  for (uint32_t x = 0; x < plain->n; x++)
    sets[x] = (sd_obdd_node){ (*cur)[plain->node[x].lo], (*cur)[plain->node[x].hi] };
  free (*cur);
  *cur = item_of;
  SD_TRY (sd_obdd_number (sets, plain->n, item_of, &items));
  m->item = items.node;
  m->nitems = items.n;
  if (!(m->count = sd_alloc0 (m->nitems, sizeof *m->count)))
    return SD_ENOMEM;
  for (uint32_t x = 0; x < plain->n; x++)
    m->count[item_of[x]] += count[x];
  return SD_OK;
}

/* ---------------------------------------------------------------------- nodes */

/* Appended to the list of its child, in the order in which nodes come: sd_merger_hits () finds older ones
 * first. */
static int list_node (sd_by_child *by, uint32_t child, uint32_t x) {
  if (!sd_grow (&by->next, &by->cap, x + UINT64_C (1)))
    return SD_ENOMEM;
  by->next[x] = NONE;
  *(by->first[child] == NONE ? &by->first[child] : &by->next[by->last[child]]) = x;
  by->last[child] = x;
  return SD_OK;
}

int sd_merger_add_node (sd_merger *m, uint32_t lo, uint32_t hi, uint32_t *out) {
  const uint32_t before = m->nodes.n, x = *out = sd_obdd_pairs_add (&m->nodes, lo, hi);
  if (x == NONE)
    return SD_ENOMEM;
  if (x < before)
    return SD_OK;
  SD_TRY (list_node (&m->by[0], lo, x));
  return list_node (&m->by[1], hi, x);
}

/* All nodes become arrays, and the lists empty. A list is read from all over memory: of KQPvKQ nine tenths of
 * the time went there. */
static int list_by_child (sd_merger *m, unsigned half) {
  sd_by_child *by = &m->by[half];
  const uint32_t n = m->nodes.n;
  const sd_obdd_node *pair = m->nodes.pair;
  free (by->at);
  by->at = sd_alloc (n, sizeof *by->at);
  if (!by->at)
    return SD_ENOMEM;
  memset (by->start, 0, (m->nbelow + UINT64_C (1)) * sizeof *by->start);
  memset (by->first, 0xff, m->nbelow * sizeof *by->first);
  /* Sorted by counting: last[] says where the next one of a child goes. */
  for (uint32_t x = 0; x < n; x++)
    by->start[(half ? pair[x].hi : pair[x].lo) + 1]++;
  for (uint32_t c = 0; c < m->nbelow; c++) {
    by->last[c] = by->start[c];
    by->start[c + 1] += by->start[c];
  }
  for (uint32_t x = 0; x < n; x++)
    by->at[by->last[half ? pair[x].hi : pair[x].lo]++] =
        (struct sd_parent){ half ? pair[x].lo : pair[x].hi, x };
  return SD_OK;
}

static int list_nodes (sd_merger *m) {
  SD_TRY (list_by_child (m, 0));
  return list_by_child (m, 1);
}

/* Sub-tables that a node hits by now. */
static int note_hits (sd_merger *m) {
  bool ok = true;
#pragma omp parallel if (m->nitems >= FEW)
  {
    SD_OWNED uint64_t *mark = sd_merger_marks (m);
    if (!mark)
#pragma omp atomic write
      ok = false;
#pragma omp for schedule(dynamic, ITEMS)
    for (uint32_t i = 0; i < m->nitems; i++)
      if (mark && !m->hit[i] && sd_merger_hits (m, mark, i, NULL, 1))
        m->hit[i] = 1;
  }
  return ok ? SD_OK : SD_ENOMEM;
}

/* Sub-tables without a choice. */
static int add_forced (sd_merger *m) {
  for (uint32_t i = 0; i < m->nitems; i++) {
    uint32_t a = m->item[i].lo, b = m->item[i].hi, x;
    /* Everything is admitted: any node of the level will do, and there will be one. */
    if (a == 0 && b == 0)
      m->hit[i] = 1;
    else if (sd_candidates_of (m, i) == 1) {
      a = a ? sd_obdd_sets_first (m->below, a) : 0;
      b = b ? sd_obdd_sets_first (m->below, b) : 0;
      SD_TRY (sd_merger_add_node (m, a, b, &x));
      m->hit[i] = 1;
    }
  }
  SD_TRY (list_nodes (m));
  /* The nodes that cannot be avoided may serve sub-tables that have a choice. */
  return note_hits (m);
}

/* ------------------------------------------------------------- one after the other */

/* What nothing hits yet, the least free first, gets a node of its own: twice the same half where that is
 * allowed. */
static int cover_one_by_one (sd_merger *m) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < m->nitems; i++)
    n += !m->hit[i];
  if (n == 0)
    return SD_OK;
  SD_OWNED sd_ranked *r = sd_alloc (n, sizeof *r);
  SD_OWNED uint64_t *mark = sd_merger_marks (m);
  if (!r || !mark)
    return SD_ENOMEM;
  n = 0;
  /* Those with few candidates have little to choose; what they get may fit others, which are asked again
   * below. */
  for (uint32_t i = 0; i < m->nitems; i++)
    if (!m->hit[i])
      r[n++] = (sd_ranked){ sd_candidates_of (m, i), i };
  qsort (r, n, sizeof *r, sd_by_rank);
  for (uint64_t k = 0; k < n; k++) {
    const uint32_t i = r[k].number, a = m->item[i].lo, b = m->item[i].hi, some = a ? a : b;
    if (sd_merger_hits (m, mark, i, NULL, 1))
      continue;
    uint32_t lo = sd_obdd_sets_first (m->below, some), hi = sd_obdd_sets_first (m->below, b ? b : a), x;
    /* A half that may be anything becomes what the other half is. */
    if (b == 0)
      hi = lo;
    if (a == 0)
      lo = hi;
    /* Else a node that both halves may become serves as both. */
    for (uint32_t e = m->below->start[a]; a && b && e < m->below->start[a + 1]; e++) {
      const uint32_t both = sd_obdd_sets_at (m->below, e);
      if (sd_obdd_sets_has (m->below, b, both)) {
        lo = hi = both;
        break;
      }
    }
    SD_TRY (sd_merger_add_node (m, lo, hi, &x));
  }
  return SD_OK;
}

/* ------------------------------------------------------------------ sets again */

/* What one thread needs to look for nodes and to sort them. */
typedef struct scratch {
  uint64_t *mark;       /* sd_merger_marks () */
  uint64_t *in, *words; /* a bit for each node of the level, and for each word of in[]; all 0 between lists */
} scratch;

static void scratch_free (scratch *s) {
  free (s->mark);
  free (s->in);
  free (s->words);
}

static bool scratch_make (scratch *s, const sd_merger *m) {
  s->mark = sd_merger_marks (m);
  s->in = sd_alloc0 (m->nodes.n / 64 + UINT64_C (1), sizeof *s->in);
  s->words = sd_alloc0 (m->nodes.n / 4096 + UINT64_C (1), sizeof *s->words);
  return s->mark && s->in && s->words;
}

/* Different nodes in any order: now they rise. A fifth of the time went into comparing them. */
static void sort_few (uint32_t *list, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    const uint32_t x = list[i];
    uint32_t j = i;
    for (; j > 0 && list[j - 1] > x; j--)
      list[j] = list[j - 1];
    list[j] = x;
  }
}

/* The same of more nodes, by bits: as much time for each node, and a little for 4096 of the level. */
static void sort_nodes (const scratch *s, uint32_t *list, uint32_t n) {
  if (n < 16) {
    sort_few (list, n);
    return;
  }
  uint32_t first = UINT32_MAX, last = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t word = list[i] / 64;
    s->in[word] |= UINT64_C (1) << (list[i] % 64);
    s->words[word / 64] |= UINT64_C (1) << (word % 64);
    first = word / 64 < first ? word / 64 : first;
    last = word / 64 > last ? word / 64 : last;
  }
  for (uint32_t k = first; k <= last; s->words[k++] = 0)
    for (uint64_t words = s->words[k]; words; words &= words - 1) {
      const uint32_t word = k * 64 + (uint32_t) __builtin_ctzll (words);
      for (uint64_t left = s->in[word]; left; left &= left - 1)
        *list++ = word * 64 + (uint32_t) __builtin_ctzll (left);
      s->in[word] = 0;
    }
}

/* Sub-tables whose nodes are looked for together. */
typedef struct batch {
  const sd_merger *m;
  uint32_t first, n, most; /* sub-tables first..first + n - 1, at most so many nodes of each */
  uint32_t *list;          /* [n * most] sub-table first + k may become list[k * most..], which rise, */
  uint32_t *found;         /* [n] so many */
} batch;

/* Both halves may be anything, and so may the whole: it has no list. */
static bool is_free (const sd_merger *m, uint32_t i) {
  return m->item[i].lo == 0 && m->item[i].hi == 0;
}

static int list_hits (const batch *b) {
  bool ok = true;
#pragma omp parallel if ((uint64_t) b->n * b->most >= 32 * FEW)
  {
    SD_RELEASED_BY (scratch_free) scratch s = { 0 };
    const bool ready = scratch_make (&s, b->m);
    if (!ready)
#pragma omp atomic write
      ok = false;
#pragma omp for schedule(dynamic, ITEMS)
    for (uint32_t k = 0; k < b->n; k++) {
      if (!ready || is_free (b->m, b->first + k))
        continue;
      uint32_t *list = b->list + (size_t) k * b->most;
      b->found[k] = sd_merger_hits (b->m, s.mark, b->first + k, list, b->most);
      sort_nodes (&s, list, b->found[k]);
    }
  }
  return ok ? SD_OK : SD_ENOMEM;
}

/* Their sets, in their order. */
static int add_sets (sd_merger *m, const batch *b, sd_obdd_sets *sets) {
  for (uint32_t k = 0; k < b->n; k++) {
    uint32_t *set = &m->count[b->first + k];
    *set = 0;
    /* Every node of the level fits: set 0 again, which takes no elements. */
    if (is_free (m, b->first + k) || b->found[k] == m->nodes.n)
      continue;
    *set = sd_obdd_sets_add (sets, b->list + (size_t) k * b->most, b->found[k]);
    if (*set == UINT32_MAX)
      return sets->full ? SD_ENOSPC : SD_ENOMEM;
  }
  return SD_OK;
}

/* What each sub-table may become: m->count[i] becomes the set of sub-table i. */
static int make_sets (sd_merger *m, sd_obdd_sets *sets) {
  batch b = { .m = m, .most = m->opt->choices < m->nodes.n ? m->opt->choices : m->nodes.n };
  const uint32_t step = MOST_LISTED / b.most < m->nitems ? MOST_LISTED / b.most + 1 : m->nitems;
  SD_OWNED uint32_t *list = b.list = sd_alloc ((uint64_t) step * b.most, sizeof *list);
  SD_OWNED uint32_t *found = b.found = sd_alloc (step, sizeof *found);

  SD_TRY (list && found ? sd_obdd_sets_init (sets, m->nodes.n) : SD_ENOMEM);
  SD_TRY (list_nodes (m));
  for (; b.first < m->nitems; b.first += b.n) {
    b.n = m->nitems - b.first < step ? m->nitems - b.first : step;
    SD_TRY (list_hits (&b));
    SD_TRY (add_sets (m, &b, sets));
  }
  sd_obdd_sets_finish (sets);
  return SD_OK;
}

static void merger_free (sd_merger *m) {
  sd_obdd_pairs_free (&m->nodes);
  free (m->item);
  free (m->count);
  free (m->hit);
  free (m->bits);
  for (unsigned half = 0; half < 2; half++)
    sd_by_child_free (&m->by[half]);
}

static int prepare (sd_merger *m) {
  const uint64_t nbelow = m->nbelow;
  m->hit = sd_alloc0 (m->nitems, 1);
  for (unsigned half = 0; half < 2; half++) {
    sd_by_child *by = &m->by[half];
    by->start = sd_alloc0 (nbelow + 1, sizeof *by->start);
    by->first = sd_alloc (nbelow, sizeof *by->first);
    by->last = sd_alloc (nbelow, sizeof *by->last);
    if (!by->start || !by->first || !by->last)
      return SD_ENOMEM;
    memset (by->first, 0xff, nbelow * sizeof *by->first);
  }
  if (!m->hit)
    return SD_ENOMEM;
  sd_merger_list_bits (m);
  return sd_obdd_pairs_reset (&m->nodes, m->nitems / 8 + 64);
}

int sd_obdd_merge (const sd_obdd_sets *below, uint32_t nodes, const sd_obdd_level *plain,
                   const uint32_t *count, uint32_t **cur, const sd_obdd_options *opt, sd_obdd_level *level,
                   sd_obdd_sets *sets) {
  SD_RELEASED_BY (merger_free) sd_merger m = { .below = below, .nbelow = nodes, .opt = opt };
  uint32_t any;
  SD_TRY (collect (&m, plain, count, cur));
  SD_TRY (prepare (&m));
  /* From what must be to what may be: nodes without a choice, a cover for those with one, the rest one by
   * one. */
  SD_TRY (add_forced (&m));
  if (opt->cover)
    SD_TRY (sd_merger_cover (&m));
  SD_TRY (cover_one_by_one (&m));
  if (m.nodes.n == 0) /* everything is free */
    SD_TRY (sd_merger_add_node (&m, 0, 0, &any));
  sd_obdd_pairs_done (&m.nodes);
  SD_TRY (make_sets (&m, sets));
  /* From the number of a pair of sets to the set of what it may become. */
  for (uint32_t x = 0; x < plain->n; x++)
    (*cur)[x] = m.count[(*cur)[x]];
  sd_obdd_pairs_take (&m.nodes, level);
  return SD_OK;
}
