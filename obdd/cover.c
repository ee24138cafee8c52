/** \file cover.c
 * New nodes of a level for sub-tables that have a choice: a set cover, greedily. A candidate is a pair of
 * nodes of the level below; the one that fits most sub-tables becomes a node, then the one that fits most of
 * the others, and so on.
 *
 * Most candidates fit one sub-table only and are worth no more than any other of its candidates. A first
 * pass counts all in a filter, two bits for each hash value, and a second one lists those only that more than
 * one sub-table has (or that share a hash value). Sub-tables without such are left to merge.c.
 *
 * Cost: time linear in all pairs of nodes looked at, times the logarithm for the heap; memory 40 bytes for
 * each candidate and 8 for each place where it fits. */
#include "config.h"
#include "obdd/merge_internal.h"

#define MOST_PAIRS (1u << 26)   /* candidates looked at, of all sub-tables of a level together, */
#define MOST_ENTRIES (1u << 22) /* and of these listed */
#define MOST_FILTER_BITS 26
#define FEW_PAIRS (1u << 20) /* so many are listed without a filter */

/* A candidate, as good as it was when it was put into the heap. */
typedef struct offer {
  uint32_t degree, weight, candidate;
} offer;

/* items x candidates, both ways as rows of numbers. */
typedef struct cover {
  uint32_t nitems, ncandidates;
  uint32_t *item;        /* [nitems] number of the sub-table */
  uint32_t *row, *entry; /* candidates of item k: entry[row[k]..row[k + 1] - 1] */
  uint32_t *col, *back;  /* items of candidate c: back[col[c]..col[c + 1] - 1] */
  uint32_t *lo, *hi;
  uint32_t *degree, *weight; /* items that are not covered yet, and how often these occur, modulo 2^32 */
  uint8_t *done;
  size_t entries, entry_cap, candidate_cap;
  offer *heap;
  size_t heaped;
  uint8_t *filter; /* 2^filter_bits counters of 2 bits, by hash value: 0, 1, more; NULL: all are listed */
  unsigned filter_bits;
} cover;

static void cover_free (cover *c) {
  free (c->item);
  free (c->row);
  free (c->entry);
  free (c->col);
  free (c->back);
  free (c->lo);
  free (c->hi);
  free (c->degree);
  free (c->weight);
  free (c->done);
  free (c->heap);
}

/* ---------------------------------------------------------------------- filter */

static uint32_t elements (const sd_merger *m, uint32_t set, const uint32_t **out) {
  *out = sd_obdd_sets_elems (m->below, set);
  return sd_obdd_sets_count (m->below, set);
}

static uint64_t counter_of (const cover *c, uint32_t lo, uint32_t hi) {
  return ((uint64_t) lo << 32 | hi) * UINT64_C (0x9e3779b97f4a7c15) >> (64 - c->filter_bits);
}

static void count (cover *c, uint32_t lo, uint32_t hi) {
  const uint64_t x = counter_of (c, lo, hi);
  if ((c->filter[x / 4] >> x % 4 * 2 & 3) < 2)
    c->filter[x / 4] = (uint8_t) (c->filter[x / 4] + (1u << x % 4 * 2));
}

static bool is_shared (const cover *c, uint32_t lo, uint32_t hi) {
  if (!c->filter)
    return true;
  const uint64_t x = counter_of (c, lo, hi);
  return (c->filter[x / 4] >> x % 4 * 2 & 3) == 2;
}

/* ------------------------------------------------------------------------ heap */

static bool better (const offer *x, const offer *y) {
  if (x->degree != y->degree)
    return x->degree > y->degree;
  if (x->weight != y->weight)
    return x->weight > y->weight;
  return x->candidate < y->candidate;
}

static void sink (cover *c, size_t i) {
  offer x = c->heap[i];
  for (size_t k; (k = 2 * i + 1) < c->heaped; i = k) {
    if (k + 1 < c->heaped && better (&c->heap[k + 1], &c->heap[k]))
      k++;
    if (!better (&c->heap[k], &x))
      break;
    c->heap[i] = c->heap[k];
  }
  c->heap[i] = x;
}

/* ------------------------------------------------------------------------ rows */

/* Candidates of item i that others may have too, appended to the entries. */
static int list_candidates (const sd_merger *m, uint32_t i, cover *c, sd_obdd_pairs *seen) {
  const uint32_t *ea, *eb, na = elements (m, m->it.a[i], &ea), nb = elements (m, m->it.b[i], &eb);
  if (c->entries + (size_t) na * nb > c->entry_cap) {
    c->entry_cap = c->entry_cap + c->entry_cap / 2 + (size_t) na * nb + 1024;
    if (!sd_grow (&c->entry, c->entry_cap))
      return SD_ENOMEM;
  }
  for (uint32_t j = 0; j < na; j++)
    for (uint32_t k = 0; k < nb; k++) {
      if (!is_shared (c, ea[j], eb[k]))
        continue;
      const uint32_t x = sd_obdd_pairs_add (seen, ea[j], eb[k], c->ncandidates);
      if (x == UINT32_MAX)
        return SD_ENOMEM;
      if (x == c->ncandidates) {
        if (x == c->candidate_cap) {
          c->candidate_cap = c->candidate_cap + c->candidate_cap / 2 + 1024;
          if (!sd_grow (&c->lo, c->candidate_cap) || !sd_grow (&c->hi, c->candidate_cap))
            return SD_ENOMEM;
        }
        c->lo[x] = ea[j];
        c->hi[x] = eb[k];
        c->ncandidates++;
      }
      c->entry[c->entries++] = x;
    }
  return SD_OK;
}

/* The columns from the rows, degrees, weights and the heap. */
static int turn (const sd_merger *m, cover *c) {
  const uint32_t n = c->ncandidates;
  c->col = sd_alloc0 ((uint64_t) n + 2, sizeof *c->col);
  c->back = sd_alloc (c->entries + 1, sizeof *c->back);
  c->degree = sd_alloc0 ((uint64_t) n + 1, sizeof *c->degree);
  c->weight = sd_alloc0 ((uint64_t) n + 1, sizeof *c->weight);
  c->heap = sd_alloc ((uint64_t) n + 1, sizeof *c->heap);
  c->done = sd_alloc0 ((uint64_t) c->nitems + 1, 1);
  if (!c->col || !c->back || !c->degree || !c->weight || !c->heap || !c->done)
    return SD_ENOMEM;
  for (size_t k = 0; k < c->entries; k++)
    c->col[c->entry[k] + 2]++;
  for (uint32_t x = 0; x < n; x++)
    c->col[x + 2] += c->col[x + 1];
  for (uint32_t k = 0; k < c->nitems; k++)
    for (uint32_t e = c->row[k]; e < c->row[k + 1]; e++) {
      uint32_t x = c->entry[e];
      c->back[c->col[x + 1]++] = k;
      c->degree[x]++;
      c->weight[x] += m->it.count[c->item[k]];
    }
  for (uint32_t x = 0; x < n; x++)
    c->heap[x] = (offer){ c->degree[x], c->weight[x], x };
  c->heaped = n;
  for (size_t i = n / 2; i-- > 0;)
    sink (c, i);
  return SD_OK;
}

static int choose (sd_merger *m, cover *c) {
  uint32_t left = c->nitems, node;
  while (left > 0 && c->heaped > 0) {
    uint32_t x = c->heap[0].candidate;
    const bool stale = c->heap[0].degree != c->degree[x] || c->heap[0].weight != c->weight[x];
    if (c->degree[x] == 0 || !stale)
      c->heap[0] = c->heap[--c->heaped];
    else
      c->heap[0] = (offer){ c->degree[x], c->weight[x], x };
    if (c->heaped)
      sink (c, 0);
    if (stale || c->degree[x] == 0)
      continue;
    SD_TRY (sd_merger_add_node (m, c->lo[x], c->hi[x], &node));
    for (uint32_t e = c->col[x]; e < c->col[x + 1]; e++) {
      uint32_t k = c->back[e];
      if (c->done[k])
        continue;
      c->done[k] = 1;
      left--;
      m->hit[c->item[k]] = 1;
      for (uint32_t f = c->row[k]; f < c->row[k + 1]; f++) {
        c->degree[c->entry[f]]--;
        c->weight[c->entry[f]] -= m->it.count[c->item[k]];
      }
    }
  }
  return SD_OK;
}

static bool takes_part (const sd_merger *m, uint32_t i) {
  return !m->hit[i] && m->it.a[i] && m->it.b[i] && sd_candidates_of (m, i) <= m->opt->pairs;
}

/* Count the candidates of sub-tables 0, 1, .. as far as there is time; *end: the first one that is left out.
 */
static int count_all (const sd_merger *m, cover *c, uint32_t *end) {
  uint64_t pairs = 0;
  for (*end = 0; *end < m->it.n && pairs < MOST_PAIRS; ++*end)
    if (takes_part (m, *end))
      pairs += sd_candidates_of (m, *end);
  if (pairs <= FEW_PAIRS)
    return SD_OK;
  c->filter_bits = 10;
  while (c->filter_bits < MOST_FILTER_BITS && (UINT64_C (1) << c->filter_bits) < 4 * pairs)
    c->filter_bits++;
  c->filter = sd_alloc0 ((UINT64_C (1) << c->filter_bits) / 4, 1);
  if (!c->filter)
    return SD_ENOMEM;
  for (uint32_t i = 0; i < *end; i++)
    if (takes_part (m, i)) {
      const uint32_t *ea, *eb, na = elements (m, m->it.a[i], &ea), nb = elements (m, m->it.b[i], &eb);
      for (uint32_t j = 0; j < na; j++)
        for (uint32_t k = 0; k < nb; k++)
          count (c, ea[j], eb[k]);
    }
  return SD_OK;
}

/* The rows. */
static int list_all (const sd_merger *m, cover *c, uint32_t end) {
  sd_obdd_pairs seen = { 0 };
  size_t cap = 0;
  int st = sd_obdd_pairs_reset (&seen, 1024);
  for (uint32_t i = 0; !st && i < end && c->entries < MOST_ENTRIES; i++) {
    if (!takes_part (m, i))
      continue;
    if (c->nitems + 2 > cap) {
      cap = 2 * cap + 1024;
      if (!sd_grow (&c->item, cap) || !sd_grow (&c->row, cap)) {
        st = SD_ENOMEM;
        break;
      }
    }
    c->row[c->nitems] = (uint32_t) c->entries;
    c->item[c->nitems] = i;
    st = list_candidates (m, i, c, &seen);
    if (c->entries > c->row[c->nitems])
      c->row[++c->nitems] = (uint32_t) c->entries;
  }
  sd_obdd_pairs_free (&seen);
  return st;
}

int sd_merger_cover (sd_merger *m) {
  cover c = { 0 };
  uint32_t end;
  int st = count_all (m, &c, &end);
  if (!st)
    st = list_all (m, &c, end);
  free (c.filter);
  c.filter = NULL;
  if (!st && c.nitems)
    st = turn (m, &c);
  if (!st && c.nitems)
    st = choose (m, &c);
  cover_free (&c);
  return st;
}
