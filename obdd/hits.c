/** \file hits.c
 * The nodes of a level that a sub-table may become: those whose children are in its two sets.
 *
 * The nodes of each child in one of the sets are looked at, and of each is asked whether its other child is
 * in the other set. Where the sets below have few bits in all they stand as rows of bits, which answer at
 * once. Else a set is searched by halves at first, and after some questions its elements are marked, all of
 * which are then in the cache. */
#include "config.h"
#include "obdd/merge_internal.h"

#define NONE UINT32_MAX
#define MOST_WORK (1u << 14)  /* nodes looked at for one sub-table */
#define MOST_WORDS (1u << 18) /* of 64 bits, in all sets below: 2 MB stay in the cache */

typedef struct search {
  const sd_merger *m;
  uint64_t *mark;           /* a bit for each node below: in the set that is marked; all 0 before and after */
  const uint64_t *bits;     /* the same of the other set: its row, or mark; NULL: neither */
  uint32_t other, patience; /* the set that the other child is to be in; 0: any */
  uint32_t work, found, most, *out;
} search;

uint64_t *sd_merger_marks (const sd_merger *m) {
  return sd_alloc0 (m->nbelow / 64 + UINT64_C (1), sizeof (uint64_t));
}

static bool has_bit (const uint64_t *bits, uint32_t x) {
  return bits[x / 64] >> (x % 64) & 1;
}

void sd_merger_list_bits (sd_merger *m) {
  const sd_obdd_sets *below = m->below;
  const size_t words = m->nbelow / 64 + 1;
  if (below->n > MOST_WORDS / words || !(m->bits = sd_alloc0 (below->n * words, sizeof *m->bits)))
    return;
  for (size_t set = 1; set < below->n; set++)
    for (uint32_t k = below->start[set]; k < below->start[set + 1]; k++) {
      const uint32_t x = sd_obdd_sets_at (below, k);
      m->bits[set * words + x / 64] |= UINT64_C (1) << (x % 64);
    }
}

/* Bits of the other set, which are cleared again: all of them stay in the cache. */
static void mark_other (const search *s, bool as) {
  const sd_obdd_sets *below = s->m->below;
  for (uint32_t k = below->start[s->other]; k < below->start[s->other + 1]; k++) {
    const uint32_t x = sd_obdd_sets_at (below, k);
    s->mark[x / 64] = (s->mark[x / 64] & ~(UINT64_C (1) << (x % 64))) | (uint64_t) as << (x % 64);
  }
}

/* Node x, whose other child is `child`. false: it is enough. */
static inline bool look_at (search *s, uint32_t child, uint32_t x) {
  if (s->work == s->patience) {
    mark_other (s, true);
    s->bits = s->mark;
  }
  if (s->other == 0
      || (s->bits ? has_bit (s->bits, child) : sd_obdd_sets_has (s->m->below, s->other, child))) {
    if (s->out)
      s->out[s->found] = x;
    if (++s->found == s->most)
      return false;
  }
  /* Some nodes are enough to go on with; without any it must go on, or a node would be made for nothing. */
  return !(++s->work > MOST_WORK && s->found);
}

/* The same of n nodes, for all of which there is room and work left, by bits. No branch depends on an answer:
 * half of the time of `polish` went into those. */
static void look_at_some (search *s, const struct sd_parent *at, uint32_t n) {
  const uint64_t *bits = s->bits;
  uint32_t *out = s->out, found = s->found;
  s->work += n;
  if (s->other == 0)
    for (uint32_t k = 0; k < n; k++)
      out[found++] = at[k].node;
  else
    for (uint32_t k = 0; k < n; k++) {
      out[found] = at[k].node;
      found += has_bit (bits, at[k].other);
    }
  s->found = found;
}

/* Those of a child that stand in the array. */
static bool look_at_array (search *s, const sd_by_child *by, uint32_t child) {
  uint32_t p = by->start[child];
  const uint32_t end = by->start[child + 1];
  while (p < end) {
    const uint32_t room = s->most - s->found, n = end - p < room ? end - p : room;
    if (s->out && (s->bits || s->other == 0) && s->work + n <= MOST_WORK) {
      look_at_some (s, by->at + p, n);
      if (s->found == s->most)
        return false;
      p += n;
    } else {
      if (!look_at (s, by->at[p].other, by->at[p].node))
        return false;
      p++;
    }
  }
  return true;
}

static void look (search *s, const sd_by_child *by, uint32_t from) {
  const sd_merger *m = s->m;
  for (uint32_t k = m->below->start[from]; k < m->below->start[from + 1]; k++) {
    const uint32_t c = sd_obdd_sets_at (m->below, k);
    if (!look_at_array (s, by, c))
      return;
    for (uint32_t x = by->first[c]; x != NONE; x = by->next[x])
      if (!look_at (s, by == m->by ? m->nodes.pair[x].hi : m->nodes.pair[x].lo, x))
        return;
  }
}

uint32_t sd_merger_hits (const sd_merger *m, uint64_t *mark, uint32_t i, uint32_t *out, uint32_t most) {
  const uint32_t a = m->item[i].lo, b = m->item[i].hi;
  /* The set of all nodes (0) has no elements to go through; of two sets the smaller one. */
  const bool by_hi =
      a == 0 || (b != 0 && sd_obdd_sets_count (m->below, b) < sd_obdd_sets_count (m->below, a));
  search s = { .m = m, .mark = mark, .other = by_hi ? a : b, .patience = NONE, .most = most, .out = out };
  if (s.other && m->bits)
    s.bits = m->bits + s.other * (m->nbelow / 64 + UINT64_C (1));
  else if (s.other)
    s.patience = 4 + sd_obdd_sets_count (m->below, s.other) / 16;
  /* Nodes are listed by each of their two children. The side with fewer choices has the shorter lists; a
   * side that admits everything (0) has none. */
  look (&s, &m->by[by_hi], by_hi ? b : a);
  if (s.bits == mark)
    mark_other (&s, false);
  return s.found;
}
