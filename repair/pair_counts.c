/** \file pair_counts.c
 * Counting adjacent pairs: a matrix for up to 256 ids, made anew for each round; for more a hash table that
 * the replacements keep up to date, with a pool of the frequent pairs, so that a round does not look at all.
 */
#include "config.h"
#include "repair/pairs_internal.h"

#include <stdlib.h>
#include <string.h>

#define MATRIX                                                                                               \
  ((size_t) SD_PAIR_DENSE_IDS * SD_PAIR_DENSE_IDS) /* cells from one thread's to the next one's */
#define CUTS 4
#define TOGETHER 4096 /* cells of which the matrices are added up */

int sd_pair_counts_new (const sd_repair *st, sd_pair_counts *c) {
  *c = (sd_pair_counts){ .matrices = sd_parts (st->n) };
  c->dense = sd_alloc (c->matrices * MATRIX, sizeof *c->dense);
  return c->dense ? SD_OK : SD_ENOMEM;
}

/* Where only the pairs that occur are kept, pairs of one symbol twice are counted apart: of a run each symbol
 * can be in one pair only. */
uint64_t sd_pair_count (const sd_pair_counts *c, unsigned x, unsigned y) {
  if (c->stride_log)
    return x >> c->stride_log || y >> c->stride_log ? 0 : c->dense[(size_t) x << c->stride_log | y];
  return x == y ? c->equal[x] : sd_pair_find (c, sd_pair_key (x, y))->count;
}

/* false: no memory, and c->slots is lost; who calls keeps the old one. */
static bool new_slots (sd_pair_counts *c, unsigned cap_log) {
  c->slots = cap_log < 32 ? sd_alloc ((size_t) 1 << cap_log, sizeof *c->slots) : NULL;
  if (!c->slots)
    return false;
  for (size_t i = 0; i < (size_t) 1 << cap_log; i++)
    c->slots[i] = (sd_pair_cell){ SD_PAIR_NO_KEY, 0 };
  c->cap_log = cap_log;
  c->filled = 0;
  return true;
}

void sd_pair_counts_grow (sd_pair_counts *c) {
  sd_pair_cell *old = c->slots;
  size_t cap = (size_t) 1 << c->cap_log, alive = 0;

  /* Cells whose count has fallen to 0 are not taken along: mostly that makes room enough. */
  for (size_t i = 0; i < cap; i++)
    alive += old[i].count != 0;

  if (!new_slots (c, alive * 4 > cap ? c->cap_log + 1 : c->cap_log)) {
    c->slots = old;
    c->failed = true;
    return;
  }
  for (size_t i = 0; i < cap; i++)
    if (old[i].count) {
      *sd_pair_find (c, old[i].key) = old[i];
      c->filled++;
    }
  free (old);
}

/* The pair has become frequent enough to be looked at in each round. */
void sd_pair_counts_pool (sd_pair_counts *c, uint32_t key) {
  if (!sd_grow (&c->pool, &c->pool_cap, c->npool + 1)) {
    c->failed = true;
    return;
  }
  c->pool[c->npool++] = key;
}

/* The pairs that begin at s[first..end-1]. */
static void count_part (const sd_phrase *s, uint64_t first, uint64_t end, unsigned stride_log,
                        uint32_t *count) {
  unsigned again = 0; /* the pair before was of this symbol twice and counted */
  for (uint64_t i = first; i < end; i++) {
    unsigned x = s[i], y = s[i + 1];
    again = x == y ? again ^ 1 : 2;
    count[(size_t) x << stride_log | y] += again != 0;
    again &= 1;
  }
}

/* A run is counted from its beginning on. */
static bool begins_run (const void *ctx, uint64_t i) {
  const sd_repair *st = ctx;
  return st->ids[i - 1] != st->ids[i];
}

/* A thread counts in a matrix of its own. Parts differ in how long they take: there are more than threads. */
static void count_in_matrix (sd_pair_counts *c, const sd_repair *st) {
  const size_t cells = (size_t) 1 << (2 * c->stride_log);
  const uint64_t n = st->n - 1;
  const unsigned most = sd_parts (n) < c->matrices ? sd_parts (n) : c->matrices,
                 parts = most == 1                   ? 1
                         : n / SD_PART < CUTS * most ? (unsigned) (n / SD_PART)
                                                     : CUTS * most;
  uint64_t first[CUTS * SD_MAX_PARTS + 1];
  sd_parts_cut (0, n, parts, begins_run, st, first);
  for (unsigned k = 0; k < most; k++)
    memset (c->dense + k * MATRIX, 0, cells * sizeof *c->dense);
#pragma omp parallel for if (most > 1) num_threads(most) schedule(dynamic)
  for (unsigned k = 0; k < parts; k++)
    count_part (st->ids, first[k], first[k + 1], c->stride_log, c->dense + sd_thread_number () * MATRIX);
#pragma omp parallel for if (most > 1) schedule(static)
  for (size_t from = 0; from < cells; from += TOGETHER)
    for (unsigned k = 1; k < most; k++)
      for (size_t j = from; j < cells && j < from + TOGETHER; j++)
        c->dense[j] += c->dense[k * MATRIX + j];
}

static void count_in_slots (sd_pair_counts *c, const sd_phrase *s, uint64_t n) {
  unsigned again = 0;
  for (uint64_t i = 0; i + 1 < n; i++) {
    sd_pair_more (c, s[i], s[i + 1]);
    /* Of a run of equal symbols every second pair counts, as they cannot all be replaced. */
    again = s[i] == s[i + 1] ? again ^ 1 : 0;
    c->equal[s[i]] += again;
  }
}

/* Up to SD_PAIR_DENSE_IDS ids the matrix is counted anew each round; with more, what has been counted once is
 * kept up to date. */
int sd_pair_counts_make (const sd_repair *st, sd_pair_counts *c) {
  if (st->used <= SD_PAIR_DENSE_IDS) {
    c->stride_log = st->used <= 2 ? 1 : sd_bits_for (st->used);
    count_in_matrix (c, st);
    return SD_OK;
  }
  /* Replacements have kept it up to date. */
  if (c->slots)
    return c->failed ? SD_ENOMEM : SD_OK;
  c->stride_log = 0;
  c->equal = sd_alloc0 (st->limit, sizeof *c->equal);
  if (!c->equal || !new_slots (c, 14))
    return SD_ENOMEM;
  count_in_slots (c, st->ids, st->n);
  return c->failed ? SD_ENOMEM : SD_OK;
}

void sd_pair_counts_clear (sd_pair_counts *c) {
  free (c->dense);
  free (c->slots);
  free (c->equal);
  free (c->pool);
}
