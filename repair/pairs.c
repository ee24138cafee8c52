/** \file pairs.c
 * Pair replacement in rounds (Larsson and Moffat 1999; Zakharov 2015, 1.7.2; the batches as in public Syzygy
 * generators).
 *
 * A round counts all adjacent pairs in one pass, takes the most frequent ones that cannot overlap (no symbol
 * of the batch stands on the left of one pair and on the right of another), and replaces all of them in a
 * second, compacting pass. A batch without overlaps leaves the counts of its other members as they were, so
 * it equals replacing one pair after the other except that pairs made of new symbols wait for the next round.
 *
 * Cost: the sequence shrinks fast (tables consist of runs), so all rounds together read a few dozen times n
 * symbols. Memory: counts, and 16 bytes for each element of the longest part of a pass and thread; the
 * sequence is overwritten in place. */
#include "config.h"
#include "repair/pairs_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- batch */

/* A pair that the next batch may have, in one number: in rising order the heaviest pairs come first, and of
 * equal ones those with the smaller key. Above 2^32 - 1 all weigh the same. */
static uint64_t candidate (uint64_t weight, uint32_t key) {
  return (UINT32_MAX - weight) << 32 | key;
}
static uint64_t weight_of (uint64_t candidate) {
  return UINT32_MAX - (candidate >> 32);
}

/* f * log2 f, the unit of zero-order entropy; most f are small */
static double flog (const sd_repair *st, uint64_t f) {
  return f < SD_REPAIR_FLOGS ? st->flog[f] : (double) f * log2 ((double) f);
}

static uint64_t at_least (uint64_t f, uint64_t least) {
  return f < least ? least : f;
}

/* What replacing c occurrences of AB saves, in bits of an ideal order-0 code. Free slots that may become A or
 * B count as such if AB occurs more often than A or B. */
static double saving (const sd_repair *st, unsigned x, unsigned y, uint64_t c) {
  /* n log n - sum f log f bits is what the sequence takes; AB takes c from A, from B and from the length, and
   * brings c log c itself. If A and B are one symbol it loses 2 c. */
  uint64_t n = st->n, fx = at_least (st->freq[x], x == y ? 2 * c : c), fy = at_least (st->freq[y], c);
  double now = flog (st, n) - flog (st, n - c), gain = now + flog (st, c);
  return x == y ? gain - flog (st, fx) + flog (st, fx - 2 * c)
                : gain - flog (st, fx) - flog (st, fy) + flog (st, fx - c) + flog (st, fy - c);
}

/* A pair with this many occurrences is always taken: the order-0 estimate is meant for the tail of the
 * dictionary and would see no gain at all in a sequence of equal symbols. */
#define SURE_COUNT 64

static bool worth (const sd_repair *st, unsigned x, unsigned y, uint64_t weight) {
  if (weight < 2 || (uint64_t) st->length[x] + st->length[y] > st->max_length)
    return false;
  /* A decoder's stack has as many places as a phrase may have levels. */
  if (st->depth[x] >= SD_REPAIR_MAX_DEPTH - 1 || st->depth[y] >= SD_REPAIR_MAX_DEPTH - 1)
    return false;
  /* With a least count that count decides, as in public generators (8 there); else what the pair saves does.
   * */
  if (st->min_count)
    return weight >= st->min_count;
  /* an entry: place in the forest of left parts, right part, code length */
  return weight >= SURE_COUNT
         || saving (st, x, y, weight) > (st->entry_bits ? st->entry_bits : 5 + log2 (st->used));
}

/* The same for the pair of a key that only definite symbols may be. */
static bool is_worth (const sd_repair *st, uint32_t key, uint64_t weight) {
  const unsigned x = key >> 16, y = key & 0xffff;
  return sd_repair_definite (st, x) && sd_repair_definite (st, y) && worth (st, x, y, weight);
}

/* A pair of the pool. */
typedef struct rated {
  uint32_t count;
  bool worth;
} rated;

/* Frequent pairs in a share of the hash table. */
typedef struct frequent {
  uint32_t *key;
  uint64_t n, cap;
  bool failed; /* no memory */
} frequent;

typedef struct rounds {
  sd_pair_counts counts;
  rated *rated; /* of the pool */
  uint64_t rated_cap;
  uint64_t *cand, ncand, cap;
  uint64_t *room, room_cap; /* for sorting */
  uint8_t *side;            /* [id] 1: stands left in the batch, 2: right */
  uint32_t *batch;          /* keys, most frequent first */
  unsigned nbatch;
  frequent share[SD_MAX_PARTS];
  sd_pair_pass pass;
} rounds;

/* Pair xy, which occurs `count` times. A batch has pairs with at least half of what the best one has. */
static int consider (const sd_repair *st, rounds *r, unsigned x, unsigned y, uint64_t count, uint64_t *best) {
  uint64_t least = *best / 2, weight = count;
  /* Cheap questions first: most pairs fail here. A rule with a weight of its own may rate a pair above its
   * count, which then says nothing. */
  if (!st->pair->weight && (count < 2 || count < least))
    return SD_OK;
  if (!sd_repair_definite (st, x) || !sd_repair_definite (st, y))
    return SD_OK;
  if (st->pair->weight)
    weight = st->pair->weight (st, &r->counts, x, y);
  weight = weight < UINT32_MAX ? weight : UINT32_MAX;
  if (weight < least || !worth (st, x, y, weight))
    return SD_OK;
  if (weight > *best)
    *best = weight;
  if (!sd_grow (&r->cand, &r->cap, r->ncand + 1))
    return SD_ENOMEM;
  r->cand[r->ncand++] = candidate (weight, sd_pair_key (x, y));
  return SD_OK;
}

/* Looking up counts, far from each other in memory, takes most of the time, and each pair can be looked at by
 * itself. */
static int rate_pool (const sd_repair *st, rounds *r) {
  const sd_pair_counts *c = &r->counts;
  if (!sd_grow (&r->rated, &r->rated_cap, c->npool))
    return SD_ENOMEM;
#pragma omp parallel for if (c->npool > SD_PART / 16) schedule(static)
  for (uint64_t i = 0; i < c->npool; i++) {
    if (i + SD_PAIR_SOON < c->npool)
      __builtin_prefetch (sd_pair_place (c, c->pool[i + SD_PAIR_SOON]));
    const uint32_t count = sd_pair_find (c, c->pool[i])->count;
    r->rated[i] = (rated){ count, count >= c->pool_at && is_worth (st, c->pool[i], count) };
  }
  return SD_OK;
}

/* Candidates from the pool; what is not worth an entry leaves it until the next one is made. */
static int consider_pool (const sd_repair *st, rounds *r, uint64_t *best) {
  sd_pair_counts *c = &r->counts;
  size_t kept = 0;
  SD_TRY (rate_pool (st, r));
  if (!sd_grow (&r->cand, &r->cap, r->ncand + c->npool))
    return SD_ENOMEM;
  for (size_t i = 0; i < c->npool; i++) {
    const rated *p = r->rated + i;
    const bool rare = p->count < *best / 2;
    if (p->count < c->pool_at || (!rare && !p->worth))
      continue;
    if (!rare) {
      r->cand[r->ncand++] = candidate (p->count, c->pool[i]);
      *best = p->count > *best ? p->count : *best;
    }
    c->pool[kept++] = c->pool[i];
  }
  c->npool = kept;
  return SD_OK;
}

/* How often the pair in the hash table occurs that does so most often and is worth an entry; `least` or more.
 */
static uint64_t most_frequent (const sd_repair *st, const sd_pair_counts *c, uint64_t least) {
  const size_t cells = (size_t) 1 << c->cap_log;
#pragma omp parallel for if (cells > SD_PART) schedule(static) reduction(max : least)
  for (size_t i = 0; i < cells; i++)
    if (c->slots[i].count > least && is_worth (st, c->slots[i].key, c->slots[i].count))
      least = c->slots[i].count;
  return least;
}

/* The pool anew, in the order of the hash table: everything with at least a quarter of what the best pair has
 * now; it serves until the best has less than half. */
static int make_pool (rounds *r, uint64_t best) {
  sd_pair_counts *c = &r->counts;
  const size_t cells = (size_t) 1 << c->cap_log;
  const unsigned parts = sd_parts (cells);
  c->pool_at = best < 8 ? 2 : (uint32_t) (best / 4);
  c->npool = 0;
#pragma omp parallel for if (parts > 1) schedule(static, 1)
  for (unsigned k = 0; k < parts; k++) {
    frequent *to = r->share + k;
    to->n = 0;
    for (size_t i = cells / parts * k; i < (k + 1 < parts ? cells / parts * (k + 1) : cells); i++)
      if (c->slots[i].count >= c->pool_at) {
        if (!sd_grow (&to->key, &to->cap, to->n + 1)) {
          to->failed = true;
          break;
        }
        to->key[to->n++] = c->slots[i].key;
      }
  }
  for (unsigned k = 0; k < parts; k++) {
    const frequent *from = r->share + k;
    if (from->failed || !sd_grow (&c->pool, &c->pool_cap, c->npool + from->n))
      return SD_ENOMEM;
    if (from->n)
      memcpy (c->pool + c->npool, from->key, from->n * sizeof *c->pool);
    c->npool += from->n;
  }
  return SD_OK;
}

/* All candidates for the next batch, and some that are too rare for it. */
static int find_candidates (const sd_repair *st, rounds *r, uint64_t *best) {
  sd_pair_counts *c = &r->counts;
  *best = 0;
  r->ncand = 0;
  /* Few ids: all counts stand in a square, which is read whole. */
  if (c->stride_log) {
    for (unsigned x = 0; x < st->used; x++)
      for (unsigned y = 0; y < st->used; y++)
        if (c->dense[(size_t) x << c->stride_log | y])
          SD_TRY (consider (st, r, x, y, c->dense[(size_t) x << c->stride_log | y], best));
    return SD_OK;
  }
  /* Pairs of equal symbols overlap in runs, so that they are counted apart: aaa holds aa once. */
  for (unsigned x = 0; x < st->used; x++)
    if (c->equal[x])
      SD_TRY (consider (st, r, x, x, c->equal[x], best));
  /* Many ids: the hash table is far larger than what a batch needs. The pool holds the pairs that were
   * frequent when the table was last read, and whatever has become so since (sd_pair_more). It is enough
   * until the best pair has sunk to twice the bound at which pairs enter the pool: below that, rarer ones
   * would be missing. */
  if (c->pool_at && !st->pair->weight) {
    SD_TRY (consider_pool (st, r, best));
    if (*best >= 2 * (uint64_t) c->pool_at || (r->ncand && c->pool_at == 2))
      return SD_OK;
    *best = 0;
    r->ncand = 0;
    for (unsigned x = 0; x < st->used; x++)
      if (c->equal[x])
        SD_TRY (consider (st, r, x, x, c->equal[x], best));
  }
  /* The whole table: before the first batch, and whenever the pool has been used up. */
  if (st->pair->weight) {
    for (size_t i = 0; i < (size_t) 1 << c->cap_log; i++)
      if (c->slots[i].count)
        SD_TRY (consider (st, r, c->slots[i].key >> 16, c->slots[i].key & 0xffff, c->slots[i].count, best));
    return SD_OK;
  }
  *best = most_frequent (st, c, *best);
  SD_TRY (make_pool (r, *best));
  for (size_t i = 0; i < c->npool; i++)
    SD_TRY (
        consider (st, r, c->pool[i] >> 16, c->pool[i] & 0xffff, sd_pair_find (c, c->pool[i])->count, best));
  return SD_OK;
}

static int choose_batch (sd_repair *st, rounds *r) {
  uint64_t best;
  SD_TRY (find_candidates (st, r, &best));
  /* `best` grew while the pairs were looked at: early candidates may be too rare by what is known now. */
  size_t kept = 0;
  for (size_t i = 0; i < r->ncand; i++)
    if (weight_of (r->cand[i]) >= best / 2)
      r->cand[kept++] = r->cand[i];
  /* Most frequent first, as Larsson and Moffat 1999 take them one by one. */
  if (!sd_grow (&r->room, &r->room_cap, kept))
    return SD_ENOMEM;
  sd_sort_keys (r->cand, r->room, kept);
  memset (r->side, 0, st->used);
  r->nbatch = 0;
  for (size_t i = 0; i < kept && r->nbatch < st->max_batch && st->used + r->nbatch < st->limit; i++) {
    const uint32_t key = (uint32_t) r->cand[i];
    const unsigned x = key >> 16, y = key & 0xffff;
    /* The pool may name a pair twice. */
    if (i && r->cand[i] == r->cand[i - 1])
      continue;
    /* A symbol on the left of one pair and the right of another could stand in both at once, and the order
     * of replacing would matter. */
    if (x == y ? r->side[x] : r->side[x] & 2 || r->side[y] & 1)
      continue;
    r->side[x] |= 1;
    r->side[y] |= 2;
    r->batch[r->nbatch++] = key;
  }
  return SD_OK;
}

/* The pass, and then the new phrases themselves: parts, length, depth. */
static int replace_batch (sd_repair *st, rounds *r) {
  SD_TRY (sd_pair_pass_replace (&r->pass, st, &r->counts, r->batch, &r->nbatch));
  for (unsigned k = 0; k < r->nbatch; k++) {
    unsigned a = r->batch[k] >> 16, b = r->batch[k] & 0xffff, id = st->used + k;
    st->left[id] = (sd_phrase) a;
    st->right[id] = (sd_phrase) b;
    st->length[id] = st->length[a] + st->length[b];
    st->depth[id] = (uint8_t) (1 + (st->depth[a] > st->depth[b] ? st->depth[a] : st->depth[b]));
  }
  st->used += r->nbatch;
  return SD_OK;
}

void sd_repair_count_ids (sd_repair *st, const sd_phrase *ids, uint64_t n) {
  memset (st->freq, 0, st->limit * sizeof *st->freq);
  (void) sd_count_symbols (ids, n, st->used, st->freq); /* all of them are below */
}

void sd_repair_count_symbols (sd_repair *st) {
  sd_repair_count_ids (st, st->ids, st->n);
}

int sd_repair_rounds (sd_repair *st, sd_error *err) {
  rounds r = { 0 };
  int status = sd_pair_counts_new (st, &r.counts);
  if (!status)
    status = sd_pair_pass_new (st, &r.pass);
  r.side = sd_alloc (st->limit, sizeof *r.side);
  r.batch = sd_alloc (st->max_batch, sizeof *r.batch);
  if (!r.side || !r.batch)
    status = SD_ENOMEM;
  if (!status)
    sd_repair_count_symbols (st);
  /* One turn is a batch: all of its pairs are replaced in one pass over the sequence. */
  while (!status && st->used < st->limit && st->n > 1) {
    sd_report (st->progress, "pairs", st->used - st->a, st->limit - st->a);
    if ((status = sd_stopped (st->progress)) || (status = sd_pair_counts_make (st, &r.counts))
        || (status = choose_batch (st, &r)) || !r.nbatch)
      break;
    status = replace_batch (st, &r);
    st->rounds++;
  }
  sd_pair_counts_clear (&r.counts);
  sd_pair_pass_clear (&r.pass);
  for (unsigned k = 0; k < SD_MAX_PARTS; k++)
    free (r.share[k].key);
  free (r.rated);
  free (r.cand);
  free (r.room);
  free (r.side);
  free (r.batch);
  return status == SD_ENOMEM ? sd_fail_memory (err, 0) : status;
}
