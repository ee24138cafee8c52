/** \file merge.c
 * One level of a diagram over subdefinite data, merging from the leaves (S4 Sec. 2.5).
 *
 * A sub-table of the level below is known by the set of nodes that it may become. A sub-table here is a pair
 * of such sets (A, B), and may become each node (a, b) with a in A, b in B. The level's nodes have to hit all
 * pairs of sets, and there should be few of them: pairs of single nodes have no choice; what these do not hit
 * is covered greedily, the pair of nodes first that hits most (cover.c; S4 merges pair by pair).
 * Afterwards each sub-table is again the set of all nodes that it may become: nothing is decided before it
 * must be, which is what merging from the root is good at.
 *
 * Cost: linear in the sub-tables for the hash table, and for each different pair of sets at most opt->pairs
 * candidates and opt->choices nodes. */
#include "config.h"
#include "obdd/merge_internal.h"

#include <string.h>

#define NONE UINT32_MAX
#define MOST_WORK (1u << 14) /* nodes looked at for one sub-table */

/* ---------------------------------------------------------------------- items */

/* The different pairs among cur[2i], cur[2i + 1]; cur[i] becomes the pair's number. */
static int collect (sd_merger *m, const sd_obdd_slots *slots, uint32_t *cur, uint64_t n) {
  sd_obdd_pairs seen = { 0 };
  sd_items *it = &m->it;
  int st = sd_obdd_pairs_reset (&seen, n < 4096 ? n : 4096 + n / 64);
  for (uint64_t i = 0; !st && i < n; i++) {
    const uint32_t a = slots ? slots->set_of[slots->table[2 * i]] : cur[2 * i];
    const uint32_t b = slots ? slots->set_of[slots->table[2 * i + 1]] : cur[2 * i + 1];
    const uint32_t x = sd_obdd_pairs_add (&seen, a, b, it->n);
    if (x == it->n) {
      if (it->n == it->cap) {
        it->cap = it->cap * 2 + 1024;
        if (!sd_grow (&it->a, it->cap) || !sd_grow (&it->b, it->cap) || !sd_grow (&it->count, it->cap))
          st = SD_ENOMEM;
      }
      if (!st) {
        it->a[it->n] = a;
        it->b[it->n] = b;
        it->count[it->n++] = 0;
      }
    }
    if (st || x == NONE) {
      st = SD_ENOMEM;
      break;
    }
    it->count[x]++;
    cur[i] = x;
  }
  sd_obdd_pairs_free (&seen);
  return st;
}

/* ---------------------------------------------------------------------- nodes */

int sd_merger_add_node (sd_merger *m, uint32_t lo, uint32_t hi, uint32_t *out) {
  sd_obdd_level *l = m->level;
  uint32_t x = *out = sd_obdd_pairs_add (&m->pairs, lo, hi, l->n);
  if (x == NONE)
    return SD_ENOMEM;
  if (x < l->n)
    return SD_OK;
  if (l->n == m->cap) {
    m->cap = m->cap * 2 + 256;
    if (!sd_grow (&l->lo, m->cap) || !sd_grow (&l->hi, m->cap) || !sd_grow (&m->next_lo, m->cap)
        || !sd_grow (&m->next_hi, m->cap))
      return SD_ENOMEM;
  }
  l->lo[x] = lo;
  l->hi[x] = hi;
  m->next_lo[x] = m->next_hi[x] = NONE;
  *(m->first_lo[lo] == NONE ? &m->first_lo[lo] : &m->next_lo[m->last_lo[lo]]) = x;
  *(m->first_hi[hi] == NONE ? &m->first_hi[hi] : &m->next_hi[m->last_hi[hi]]) = x;
  m->last_lo[lo] = m->last_hi[hi] = x;
  l->n++;
  return SD_OK;
}

/* The nodes that hit sub-table i, at most `most`, in no order; how many. */
static uint32_t hits (const sd_merger *m, uint32_t i, uint32_t *out, uint32_t most) {
  const uint32_t a = m->it.a[i], b = m->it.b[i];
  const bool by_hi =
      a == 0 || (b != 0 && sd_obdd_sets_count (m->below, b) < sd_obdd_sets_count (m->below, a));
  const uint32_t from = by_hi ? b : a, other = by_hi ? a : b;
  const uint32_t *elem = sd_obdd_sets_elems (m->below, from), n = sd_obdd_sets_count (m->below, from);
  const uint32_t *first = by_hi ? m->first_hi : m->first_lo, *next = by_hi ? m->next_hi : m->next_lo;
  const uint32_t *child = by_hi ? m->level->lo : m->level->hi;
  uint32_t found = 0, work = 0;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t x = first[elem[k]]; x != NONE; x = next[x]) {
      if (sd_obdd_sets_has (m->below, other, child[x])) {
        if (out)
          out[found] = x;
        if (++found == most)
          return found;
      }
      if (++work > MOST_WORK && found)
        return found;
    }
  return found;
}

/* Sub-tables without a choice. */
static int add_forced (sd_merger *m) {
  for (uint32_t i = 0; i < m->it.n; i++) {
    uint32_t a = m->it.a[i], b = m->it.b[i], x;
    if (a == 0 && b == 0)
      m->hit[i] = 1;
    else if (sd_candidates_of (m, i) == 1) {
      a = a ? sd_obdd_sets_elems (m->below, a)[0] : 0;
      b = b ? sd_obdd_sets_elems (m->below, b)[0] : 0;
      SD_TRY (sd_merger_add_node (m, a, b, &x));
      m->hit[i] = 1;
    }
  }
  for (uint32_t i = 0; i < m->it.n; i++)
    if (!m->hit[i] && hits (m, i, NULL, 1))
      m->hit[i] = 1;
  return SD_OK;
}

/* ------------------------------------------------------------- one after the other */

typedef struct ranked {
  uint64_t candidates;
  uint32_t item;
} ranked;

static int by_candidates (const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->candidates != b->candidates)
    return a->candidates < b->candidates ? -1 : 1;
  return a->item < b->item ? -1 : 1;
}

/* What nothing hits yet, the least free first, gets a node of its own: twice the same half where that is
 * allowed. */
static int cover_one_by_one (sd_merger *m) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < m->it.n; i++)
    n += !m->hit[i];
  if (n == 0)
    return SD_OK;
  ranked *r = sd_alloc (n, sizeof *r);
  if (!r)
    return SD_ENOMEM;
  n = 0;
  for (uint32_t i = 0; i < m->it.n; i++)
    if (!m->hit[i])
      r[n++] = (ranked){ sd_candidates_of (m, i), i };
  qsort (r, n, sizeof *r, by_candidates);
  int st = SD_OK;
  for (uint64_t k = 0; !st && k < n; k++) {
    const uint32_t i = r[k].item, a = m->it.a[i], b = m->it.b[i], some = a ? a : b;
    if (hits (m, i, NULL, 1))
      continue;
    uint32_t lo = sd_obdd_sets_elems (m->below, some)[0], hi = sd_obdd_sets_elems (m->below, b ? b : a)[0], x;
    if (b == 0)
      hi = lo;
    if (a == 0)
      lo = hi;
    for (uint32_t e = 0; a && b && e < sd_obdd_sets_count (m->below, a); e++) {
      uint32_t both = sd_obdd_sets_elems (m->below, a)[e];
      if (sd_obdd_sets_has (m->below, b, both)) {
        lo = hi = both;
        break;
      }
    }
    st = sd_merger_add_node (m, lo, hi, &x);
  }
  free (r);
  return st;
}

/* ------------------------------------------------------------------ sets again */

static int by_number (const void *x, const void *y) {
  uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
  return a < b ? -1 : a > b;
}

/* What each sub-table may become. */
static int make_sets (sd_merger *m, uint32_t *set_of, sd_obdd_sets *sets) {
  const uint32_t most = m->opt->choices < m->level->n ? m->opt->choices : m->level->n;
  uint32_t *list = sd_alloc ((uint64_t) most + 1, sizeof *list);
  int st = list ? sd_obdd_sets_init (sets) : SD_ENOMEM;
  for (uint32_t i = 0; !st && i < m->it.n; i++) {
    set_of[i] = 0;
    if (m->it.a[i] == 0 && m->it.b[i] == 0)
      continue;
    uint32_t n = hits (m, i, list, most);
    if (n == m->level->n)
      continue;
    qsort (list, n, sizeof *list, by_number);
    set_of[i] = sd_obdd_sets_add (sets, list, n);
    if (set_of[i] == UINT32_MAX)
      st = SD_ENOMEM;
  }
  if (st && list)
    sd_obdd_sets_free (sets);
  else if (list)
    sd_obdd_sets_finish (sets);
  free (list);
  return st;
}

static void merger_free (sd_merger *m) {
  sd_obdd_pairs_free (&m->pairs);
  free (m->it.a);
  free (m->it.b);
  free (m->it.count);
  free (m->hit);
  free (m->first_lo);
  free (m->last_lo);
  free (m->first_hi);
  free (m->last_hi);
  free (m->next_lo);
  free (m->next_hi);
}

static int prepare (sd_merger *m, const sd_obdd_slots *slots, uint32_t *cur, uint64_t n) {
  SD_TRY (collect (m, slots, cur, n));
  const size_t bytes = (size_t) m->nbelow * sizeof (uint32_t);
  m->hit = sd_alloc0 (m->it.n, 1);
  m->first_lo = sd_alloc (m->nbelow, sizeof *m->first_lo);
  m->last_lo = sd_alloc (m->nbelow, sizeof *m->last_lo);
  m->first_hi = sd_alloc (m->nbelow, sizeof *m->first_hi);
  m->last_hi = sd_alloc (m->nbelow, sizeof *m->last_hi);
  if (!m->hit || !m->first_lo || !m->last_lo || !m->first_hi || !m->last_hi)
    return SD_ENOMEM;
  memset (m->first_lo, 0xff, bytes);
  memset (m->first_hi, 0xff, bytes);
  return sd_obdd_pairs_reset (&m->pairs, m->it.n / 8 + 64);
}

int sd_obdd_merge (const sd_obdd_sets *below, uint32_t nodes, const sd_obdd_slots *slots, uint32_t *cur,
                   uint64_t n, const sd_obdd_options *opt, sd_obdd_level *level, sd_obdd_sets *sets) {
  sd_merger m = { .below = below, .nbelow = nodes, .opt = opt, .level = level };
  uint32_t *set_of = NULL, any;
  *level = (sd_obdd_level){ 0 };
  int st = prepare (&m, slots, cur, n);
  if (!st)
    st = add_forced (&m);
  if (!st && opt->cover)
    st = sd_merger_cover (&m);
  if (!st)
    st = cover_one_by_one (&m);
  if (!st && level->n == 0) /* everything is free */
    st = sd_merger_add_node (&m, 0, 0, &any);
  if (!st) {
    set_of = sd_alloc (m.it.n, sizeof *set_of);
    st = set_of ? make_sets (&m, set_of, sets) : SD_ENOMEM;
  }
  for (uint64_t i = 0; !st && i < n; i++)
    cur[i] = set_of[cur[i]];
  free (set_of);
  merger_free (&m);
  return st;
}
