/** \file pairs.c
 * Pair replacement in rounds (Larsson and Moffat 1999; S0 Sec. 1.7.2; the batches as in public Syzygy
 * generators).
 *
 * A round counts all adjacent pairs in one pass, takes the most frequent ones that cannot overlap (no symbol
 * of the batch stands on the left of one pair and on the right of another), and replaces all of them in a
 * second, compacting pass. A batch without overlaps leaves the counts of its other members as they were, so
 * it equals replacing one pair after the other except that pairs made of new symbols wait for the next round.
 *
 * Cost: the sequence shrinks fast (tables consist of runs), so all rounds together read a few dozen times n
 * symbols. Memory: counts only; the sequence is overwritten in place. */
#include "config.h"
#include "repair/repair_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- counts */

typedef struct slot {
  uint32_t key, count; /* count 0: free */
} slot;

/* A matrix while ids are few, a hash table with linear probing afterwards. */
struct sd_pair_counts {
  unsigned stride_log; /* 0: hash table */
  uint32_t *dense;
  size_t dense_cap;
  slot *slots;
  unsigned cap_log;
  size_t filled;
};

#define DENSE_IDS 256

static inline uint32_t pair_key (unsigned x, unsigned y) {
  return (uint32_t) x << 16 | y;
}
static inline size_t slot_of (uint32_t key, unsigned cap_log) {
  return (uint32_t) (key * 0x9e3779b1u) >> (32 - cap_log);
}

uint64_t sd_pair_count (const sd_pair_counts *c, unsigned x, unsigned y) {
  if (c->stride_log)
    return x >> c->stride_log || y >> c->stride_log ? 0 : c->dense[(size_t) x << c->stride_log | y];
  uint32_t key = pair_key (x, y);
  size_t mask = ((size_t) 1 << c->cap_log) - 1;
  for (size_t h = slot_of (key, c->cap_log); c->slots[h].count; h = (h + 1) & mask)
    if (c->slots[h].key == key)
      return c->slots[h].count;
  return 0;
}

static bool grow_slots (sd_pair_counts *c) {
  if (c->cap_log >= 32)
    return false;
  slot *bigger = sd_alloc0 ((size_t) 2 << c->cap_log, sizeof *bigger);
  if (!bigger)
    return false;
  size_t mask = ((size_t) 2 << c->cap_log) - 1;
  for (size_t i = 0; i < (size_t) 1 << c->cap_log; i++)
    if (c->slots[i].count) {
      size_t h = slot_of (c->slots[i].key, c->cap_log + 1);
      while (bigger[h].count)
        h = (h + 1) & mask;
      bigger[h] = c->slots[i];
    }
  free (c->slots);
  c->slots = bigger;
  c->cap_log++;
  return true;
}

static bool count_in_slots (sd_pair_counts *c, const sd_symbol *s, uint64_t n) {
  unsigned again = 0; /* the pair before was of this symbol twice and counted */
  for (uint64_t i = 0; i + 1 < n; i++) {
    unsigned x = s[i], y = s[i + 1];
    if (x == y) {
      again ^= 1;
      if (!again)
        continue;
    } else
      again = 0;
    uint32_t key = pair_key (x, y);
    size_t mask = ((size_t) 1 << c->cap_log) - 1;
    size_t h = slot_of (key, c->cap_log);
    while (c->slots[h].count && c->slots[h].key != key)
      h = (h + 1) & mask;
    if (!c->slots[h].count++) {
      c->slots[h].key = key;
      if (++c->filled * 2 > mask && !grow_slots (c))
        return false;
    }
  }
  return true;
}

static void count_in_matrix (sd_pair_counts *c, const sd_symbol *s, uint64_t n) {
  unsigned again = 0;
  for (uint64_t i = 0; i + 1 < n; i++) {
    unsigned x = s[i], y = s[i + 1];
    again = x == y ? again ^ 1 : 2;
    c->dense[(size_t) x << c->stride_log | y] += again != 0;
    again &= 1;
  }
}

static int count_pairs (const sd_repair *st, sd_pair_counts *c) {
  if (st->used <= DENSE_IDS) {
    c->stride_log = st->used <= 2 ? 1 : sd_bits_for (st->used);
    memset (c->dense, 0, sizeof *c->dense << (2 * c->stride_log));
    count_in_matrix (c, st->sym, st->n);
    return SD_OK;
  }
  /* half of the capacity was enough last time; start near to what is needed now */
  size_t want = c->stride_log ? 4096 : c->filled * 3 + 4096;
  unsigned cap_log = sd_bits_for (want);
  c->stride_log = 0;
  if (!c->slots || cap_log > c->cap_log || cap_log + 2 < c->cap_log) {
    free (c->slots);
    c->slots = sd_alloc0 ((size_t) 1 << cap_log, sizeof *c->slots);
    c->cap_log = cap_log;
  } else
    memset (c->slots, 0, sizeof *c->slots << c->cap_log);
  c->filled = 0;
  return c->slots && count_in_slots (c, st->sym, st->n) ? SD_OK : SD_ENOMEM;
}

/* -------------------------------------------------------------------- batch */

typedef struct candidate {
  uint64_t weight;
  uint32_t key;
} candidate;

/* f * log2 f, the unit of zero-order entropy */
static double flog (double f) {
  return f > 0 ? f * log2 (f) : 0;
}

/* What replacing c occurrences of AB saves, in bits of an ideal order-0 code. */
static double saving (const sd_repair *st, unsigned x, unsigned y, double c) {
  double n = (double) st->n, fx = (double) st->freq[x], fy = (double) st->freq[y];
  double gain = flog (n) - flog (n - c) + flog (c);
  return x == y ? gain - flog (fx) + flog (fx - 2 * c)
                : gain - flog (fx) - flog (fy) + flog (fx - c) + flog (fy - c);
}

/* A pair with this many occurrences is always taken: the order-0 estimate is meant for the tail of the
 * dictionary and would see no gain at all in a sequence of equal symbols. */
#define SURE_COUNT 64

static bool worth (const sd_repair *st, unsigned x, unsigned y, uint64_t weight) {
  if (weight < 2 || (uint64_t) st->length[x] + st->length[y] > st->max_length)
    return false;
  if (st->depth[x] >= SD_REPAIR_MAX_DEPTH - 1 || st->depth[y] >= SD_REPAIR_MAX_DEPTH - 1)
    return false;
  if (st->min_count)
    return weight >= st->min_count;
  /* an entry: place in the forest of left parts, right part, code length */
  return weight >= SURE_COUNT || saving (st, x, y, (double) weight) > 5 + log2 (st->used);
}

static int by_weight (const void *pa, const void *pb) {
  const candidate *a = pa, *b = pb;
  if (a->weight != b->weight)
    return a->weight < b->weight ? 1 : -1;
  return a->key < b->key ? -1 : a->key > b->key;
}

typedef struct rounds {
  sd_pair_counts counts;
  candidate *cand;
  size_t ncand, cap;
  uint8_t *side;   /* [id] 1: stands left in the batch, 2: right */
  uint32_t *batch; /* keys, most frequent first */
  unsigned nbatch;
  uint32_t *row, *col; /* [id] where the id stands in `match` as left or right part; 0: nowhere */
  sd_symbol *match;    /* [row + col] phrase, 0: none */
  size_t match_cap;
} rounds;

static int consider (const sd_repair *st, rounds *r, unsigned x, unsigned y, uint64_t *best) {
  if (!sd_repair_definite (st, x) || !sd_repair_definite (st, y))
    return SD_OK;
  uint64_t weight = st->pair->weight (st, &r->counts, x, y);
  if (weight < 2 || weight < *best * st->share / 256 || !worth (st, x, y, weight))
    return SD_OK;
  if (weight > *best)
    *best = weight;
  if (r->ncand == r->cap) {
    size_t cap = r->cap * 2 + 256;
    candidate *bigger = realloc (r->cand, cap * sizeof *bigger);
    if (!bigger)
      return SD_ENOMEM;
    r->cand = bigger;
    r->cap = cap;
  }
  r->cand[r->ncand++] = (candidate){ weight, pair_key (x, y) };
  return SD_OK;
}

static int choose_batch (sd_repair *st, rounds *r) {
  uint64_t best = 0;
  r->ncand = 0;
  const sd_pair_counts *c = &r->counts;
  if (c->stride_log) {
    for (unsigned x = 0; x < st->used; x++)
      for (unsigned y = 0; y < st->used; y++)
        if (c->dense[(size_t) x << c->stride_log | y])
          SD_TRY (consider (st, r, x, y, &best));
  } else
    for (size_t i = 0; i < (size_t) 1 << c->cap_log; i++)
      if (c->slots[i].count)
        SD_TRY (consider (st, r, c->slots[i].key >> 16, c->slots[i].key & 0xffff, &best));
  size_t kept = 0;
  for (size_t i = 0; i < r->ncand; i++)
    if (r->cand[i].weight >= best * st->share / 256)
      r->cand[kept++] = r->cand[i];
  qsort (r->cand, kept, sizeof *r->cand, by_weight);
  memset (r->side, 0, st->used);
  r->nbatch = 0;
  for (size_t i = 0; i < kept && r->nbatch < st->max_batch && st->used + r->nbatch < st->limit; i++) {
    unsigned x = r->cand[i].key >> 16, y = r->cand[i].key & 0xffff;
    if (x == y ? r->side[x] : r->side[x] & 2 || r->side[y] & 1)
      continue;
    r->side[x] |= 1;
    r->side[y] |= 2;
    r->batch[r->nbatch++] = r->cand[i].key;
  }
  return SD_OK;
}

/* Rows and columns for every id that may take part; two ids may share one only in a batch of one pair. */
static int fill_match (sd_repair *st, rounds *r) {
  const sd_pair_rule *rule = st->pair;
  size_t rows, cols;
  for (;;) {
    bool one = r->nbatch == 1;
    rows = cols = 1;
    memset (r->row, 0, st->used * sizeof *r->row);
    memset (r->col, 0, st->used * sizeof *r->col);
    for (unsigned k = 0; k < r->nbatch; k++) {
      unsigned a = r->batch[k] >> 16, b = r->batch[k] & 0xffff;
      if (!r->row[a])
        r->row[a] = (uint32_t) rows++;
      if (!r->col[b])
        r->col[b] = (uint32_t) cols++;
      for (unsigned x = st->m; x < st->a; x++) {
        if (!st->freq[x])
          continue;
        if (!r->row[x] && rule->stands_for (st, x, a))
          r->row[x] = one ? r->row[a] : (uint32_t) rows++;
        if (!r->col[x] && rule->stands_for (st, x, b))
          r->col[x] = one ? r->col[b] : (uint32_t) cols++;
      }
    }
    if (rows * cols <= (size_t) 1 << 23 || one)
      break;
    r->nbatch /= 2; /* very many kinds of free slots: smaller steps keep the table small */
  }
  size_t need = rows * cols;
  if (need > r->match_cap) {
    free (r->match);
    r->match = sd_alloc (need, sizeof *r->match);
    r->match_cap = r->match ? need : 0;
    if (!r->match)
      return SD_ENOMEM;
  }
  memset (r->match, 0, need * sizeof *r->match);
  for (unsigned x = 0; x < st->used; x++)
    r->row[x] *= (uint32_t) cols;
  for (unsigned k = r->nbatch;
       k-- > 0;) { /* the most frequent pair last: it has the first right to a free slot */
    unsigned a = r->batch[k] >> 16, b = r->batch[k] & 0xffff;
    sd_symbol id = (sd_symbol) (st->used + k);
    r->match[r->row[a] + r->col[b]] = id;
    for (unsigned x = st->m; x < st->a; x++) {
      bool xa = r->row[x] && rule->stands_for (st, x, a), xb = r->col[x] && rule->stands_for (st, x, b);
      if (xa)
        r->match[r->row[x] + r->col[b]] = id;
      if (xb)
        r->match[r->row[a] + r->col[x]] = id;
      if (xa)
        for (unsigned y = st->m; y < st->a; y++)
          if (r->col[y] && rule->stands_for (st, y, b))
            r->match[r->row[x] + r->col[y]] = id;
    }
  }
  return SD_OK;
}

static void replace_batch (sd_repair *st, const rounds *r) {
  sd_symbol *s = st->sym;
  const uint32_t *row = r->row, *col = r->col;
  const sd_symbol *match = r->match;
  uint64_t n = st->n, i = 0, o = 0;
  while (i + 1 < n) {
    sd_symbol id = match[row[s[i]] + col[s[i + 1]]];
    sd_symbol keep = s[i];
    s[o++] = id ? id : keep;
    i += id ? 2 : 1;
  }
  if (i < n)
    s[o++] = s[i];
  st->n = o;
  for (unsigned k = 0; k < r->nbatch; k++) {
    unsigned a = r->batch[k] >> 16, b = r->batch[k] & 0xffff, id = st->used + k;
    st->left[id] = (sd_symbol) a;
    st->right[id] = (sd_symbol) b;
    st->length[id] = st->length[a] + st->length[b];
    st->depth[id] = (uint8_t) (1 + (st->depth[a] > st->depth[b] ? st->depth[a] : st->depth[b]));
  }
  st->used += r->nbatch;
}

void sd_repair_count_symbols (sd_repair *st) {
  memset (st->freq, 0, st->limit * sizeof *st->freq);
  for (uint64_t i = 0; i < st->n; i++)
    st->freq[st->sym[i]]++;
}

int sd_repair_rounds (sd_repair *st, sd_error *err) {
  rounds r = { 0 };
  int status = SD_ENOMEM;
  r.counts.dense = sd_alloc (DENSE_IDS * DENSE_IDS, sizeof *r.counts.dense);
  r.side = sd_alloc (st->limit, sizeof *r.side);
  r.batch = sd_alloc (st->max_batch, sizeof *r.batch);
  r.row = sd_alloc (st->limit, sizeof *r.row);
  r.col = sd_alloc (st->limit, sizeof *r.col);
  if (!r.counts.dense || !r.side || !r.batch || !r.row || !r.col)
    goto done;
  while (st->used < st->limit && st->n > 1) {
    sd_report (st->progress, "pairs", st->used - st->a, st->limit - st->a);
    sd_repair_count_symbols (st);
    if ((status = count_pairs (st, &r.counts)) || (status = choose_batch (st, &r)))
      goto done;
    if (!r.nbatch)
      break;
    if ((status = fill_match (st, &r)))
      goto done;
    replace_batch (st, &r);
    st->rounds++;
  }
  status = SD_OK;
done:
  free (r.counts.dense);
  free (r.counts.slots);
  free (r.cand);
  free (r.side);
  free (r.batch);
  free (r.row);
  free (r.col);
  free (r.match);
  return status ? sd_fail_memory (err, 0) : SD_OK;
}
