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
 * symbols. Memory: counts only; the sequence is overwritten in place. */
#include "config.h"
#include "repair/pairs_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH                                                                                              \
  (1u << 18)    /* elements whose pairs a thread notes: few, so that even short sequences have several       \
                   stretches */
#define CUTS 2  /* parts that it notes them in */
#define SOON 16 /* changes ahead whose counts are fetched */

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

/* What a pass has made of a part of a stretch. */
typedef struct piece {
  uint64_t first, n;           /* its phrases stand at ids[first .. first + n - 1] */
  uint64_t *pair, npairs, cap; /* with the hash table: keys of pairs that are gone, and | MORE of new ones */
} piece;

/* What a pass makes of all parts with one number. */
typedef struct change {
  piece piece[2];  /* of this stretch, and of the one before, which is entered meanwhile */
  uint64_t *freq;  /* [id] how frequencies change, modulo 2^64 */
  uint32_t *equal; /* [id] pairs of the id twice, with the hash table */
  uint32_t *pool;  /* keys of frequent pairs in its share of the hash table, when that is read */
  uint64_t npool, pool_cap;
  bool failed; /* no memory */
} change;

typedef struct rounds {
  sd_pair_counts counts;
  rated *rated; /* of the pool */
  uint64_t rated_cap;
  uint64_t *cand, ncand, cap;
  uint64_t *room, room_cap; /* for sorting */
  uint8_t *side;            /* [id] 1: stands left in the batch, 2: right */
  uint32_t *batch;          /* keys, most frequent first */
  unsigned nbatch;
  uint32_t *row, *col; /* [id] where the id stands in `match` as left or right part; 0: nowhere */
  sd_phrase *match;    /* [row + col] phrase, 0: none */
  size_t match_cap;
  const sd_phrase *ids; /* [0..n-1] the sequence, for may_cut */
  uint64_t n;
  change *parts;
  unsigned nparts; /* CUTS * sd_parts (n), at first */
  unsigned now;    /* 0, 1: the pieces of this stretch */
  unsigned left;   /* pieces of the stretch before that are to be entered */
  uint64_t end;    /* where the phrases end that have been entered */
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
  const unsigned parts = sd_parts (cells) < r->nparts ? sd_parts (cells) : r->nparts;
  c->pool_at = best < 8 ? 2 : (uint32_t) (best / 4);
  c->npool = 0;
#pragma omp parallel for if (parts > 1) schedule(static, 1)
  for (unsigned k = 0; k < parts; k++) {
    change *to = r->parts + k;
    to->npool = 0;
    for (size_t i = cells / parts * k; i < (k + 1 < parts ? cells / parts * (k + 1) : cells); i++)
      if (c->slots[i].count >= c->pool_at) {
        if (!sd_grow (&to->pool, &to->pool_cap, to->npool + 1)) {
          to->failed = true;
          break;
        }
        to->pool[to->npool++] = c->slots[i].key;
      }
  }
  for (unsigned k = 0; k < parts; k++) {
    const change *from = r->parts + k;
    if (from->failed || !sd_grow (&c->pool, &c->pool_cap, c->npool + from->npool))
      return SD_ENOMEM;
    if (from->npool)
      memcpy (c->pool + c->npool, from->pool, from->npool * sizeof *c->pool);
    c->npool += from->npool;
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

/* Rows and columns for every id that may take part; two ids may share one only in a batch of one pair. */
static int fill_match (sd_repair *st, rounds *r) {
  const sd_pair_rule *rule = st->pair;
  size_t rows, cols;

  for (;;) {
    /* Row and column 0 are those of ids that take no part: match is 0 there. */
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
      /* Zakharov 2015 (1.7.2): a slot that may hold A counts as A in front of B, and one that may hold B as
       * B. */
      for (unsigned x = st->m; x < st->a; x++) {
        if (!st->freq[x])
          continue;
        if (!r->row[x] && rule->stands_for (st, x, a))
          r->row[x] = one ? r->row[a] : (uint32_t) rows++;
        if (!r->col[x] && rule->stands_for (st, x, b))
          r->col[x] = one ? r->col[b] : (uint32_t) cols++;
      }
    }
    /* 16 MiB of phrases: each step of the compacting pass looks into them. */
    if (rows * cols <= (size_t) 1 << 23 || one)
      break;
    r->nbatch /= 2; /* very many kinds of free slots: smaller steps keep the table small */
  }
  size_t need = rows * cols;
  /* What was there before is of no use: the table is made anew for each batch. */
  if (need > r->match_cap) {
    free (r->match);
    r->match = sd_alloc (need, sizeof *r->match);
    r->match_cap = r->match ? need : 0;
    if (!r->match)
      return SD_ENOMEM;
  }
  memset (r->match, 0, need * sizeof *r->match);
  /* From here on a row's number is where it begins, so that a lookup is one addition. */
  for (unsigned x = 0; x < st->used; x++)
    r->row[x] *= (uint32_t) cols;
  for (unsigned k = r->nbatch;
       k-- > 0;) { /* the most frequent pair last: it has the first right to a free slot */
    unsigned a = r->batch[k] >> 16, b = r->batch[k] & 0xffff;
    sd_phrase id = (sd_phrase) (st->used + k);
    /* AB itself, then *B, A* and ** in which the slots admit A and B. */
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

/* What is done in front of i does not depend on what stands from there on, nor the other way round: no pair
 * is replaced that has s[i - 1] or s[i], and these two are no run. */
static bool may_cut (const void *ctx, uint64_t i) {
  const rounds *r = ctx;
  const sd_phrase *s = r->ids + i;
  return s[-1] != s[0] && !r->match[r->row[s[-2]] + r->col[s[-1]]] && !r->match[r->row[s[-1]] + r->col[s[0]]]
         && (i + 1 == r->n || !r->match[r->row[s[0]] + r->col[s[1]]]);
}

/* The compacting pass over a part, from left to right: of AAA the first two become a phrase, as the counting
 * has it. */
static uint64_t replace_pairs (const rounds *r, sd_phrase *s, uint64_t n, change *to) {
  const uint32_t *row = r->row, *col = r->col;
  const sd_phrase *match = r->match;
  uint64_t i = 0, o = 0;

  while (i + 1 < n) {
    sd_phrase x = s[i], y = s[i + 1], id = match[row[x] + col[y]];
    /* Frequencies follow, so that the next round need not count symbols again. */
    if (id) {
      to->freq[x]--;
      to->freq[y]--;
      to->freq[id]++;
    }
    s[o++] = id ? id : x;
    i += id ? 2 : 1;
  }
  if (i < n)
    s[o++] = s[i];
  return o;
}

#define MORE (UINT64_C (1) << 32)

/* The same, and what the counts in the hash table become is noted. s[i - 1] is still what it was: nothing
 * beyond o is written. */
static uint64_t replace_and_note (const rounds *r, sd_phrase *s, uint64_t n, change *to) {
  piece *notes = &to->piece[r->now];
  const uint32_t *row = r->row, *col = r->col;
  const sd_phrase *match = r->match;
  uint64_t i = 0, o = 0;
  unsigned again = 0;
  bool fresh = false; /* s[o - 1] is a new phrase */

  notes->npairs = 0;
  /* A symbol is noted twice at most. Room that is not used is no memory yet. */
  if (!sd_grow (&notes->pair, &notes->cap, 2 * n)) {
    to->failed = true;
    return 0;
  }
  uint64_t *pair = notes->pair;
  while (i < n) {
    sd_phrase x = s[i], put = x;
    if (i + 1 < n && (put = match[row[x] + col[s[i + 1]]]) != 0) {
      sd_phrase y = s[i + 1];
      /* The three pairs that the two symbols are part of are gone. The first of them was already taken off
       * if a phrase has just been put before: then s[i - 1] is its second part. */
      if (i && !fresh)
        *pair++ = sd_pair_key (s[i - 1], x);
      *pair++ = sd_pair_key (x, y);
      if (i + 2 < n)
        *pair++ = sd_pair_key (y, s[i + 2]);
      to->freq[x]--;
      to->freq[y]--;
      to->freq[put]++;
      /* The new phrase and what was written before it are a pair from now on. */
      if (o)
        *pair++ = MORE | sd_pair_key (s[o - 1], put);
      fresh = true;
      i += 2;
    } else {
      put = x;
      /* A symbol that stays is a new neighbour only of a phrase that has just been written. */
      if (fresh)
        *pair++ = MORE | sd_pair_key (s[o - 1], put);
      fresh = false;
      i++;
    }
    /* Of a run of k equal ids k / 2 pairs can be replaced: every second step counts. */
    if (o && s[o - 1] == put) {
      again ^= 1;
      to->equal[put] += again;
    } else
      again = 0;
    s[o++] = put;
  }
  notes->npairs = (uint64_t) (pair - notes->pair);
  return o;
}

/* In the order in which they were noted: when the table grows, and which pair enters the pool first, depends
 * on it. */
static void count_changes (sd_pair_counts *c, const piece *of) {
  for (uint64_t i = 0; i < of->npairs; i++) {
    const uint32_t key = (uint32_t) of->pair[i];
    if (i + SOON < of->npairs)
      __builtin_prefetch (sd_pair_place (c, (uint32_t) of->pair[i + SOON]));
    if (of->pair[i] & MORE)
      sd_pair_more (c, key >> 16, key & 0xffff);
    else
      sd_pair_less (c, key >> 16, key & 0xffff);
  }
}

/* About STRETCH slots for each thread, at the end up to twice as many, and more where pairs are replaced
 * without a gap: notes take little memory, and threads have as much to do as their neighbours. */
static uint64_t end_of_stretch (const rounds *r, uint64_t from, uint64_t n) {
  const uint64_t size = STRETCH * (uint64_t) sd_parts (n);
  uint64_t to = n;
  if (n - from > 2 * size)
    for (to = from + size; to < n && !may_cut (r, to);)
      to++;
  return to;
}

/* More parts than threads, since one of these counts what was noted before. */
static unsigned cut_stretch (const rounds *r, uint64_t from, uint64_t to, uint64_t *first) {
  uint64_t mid = from + (to - from) / CUTS;
  if (sd_parts (mid - from) == 1)
    return sd_parts_cut (from, to, may_cut, r, first);
  while (mid < to && !may_cut (r, mid))
    mid++;
  const unsigned n = sd_parts_cut (from, mid, may_cut, r, first);
  return n + sd_parts_cut (mid, to, may_cut, r, first + n);
}

/* What was made of the stretch before: its phrases close up, its pairs are counted. */
static void enter_stretch (rounds *r, sd_phrase *ids) {
  for (unsigned k = 0; k < r->left; k++) {
    const piece *p = &r->parts[k].piece[!r->now];
    memmove (ids + r->end, ids + p->first, p->n * sizeof *ids);
    r->end += p->n;
    if (!r->counts.stride_log)
      count_changes (&r->counts, p);
  }
  r->left = 0;
}

static void replace_part (const rounds *r, sd_phrase *ids, uint64_t first, uint64_t end, change *to) {
  piece *p = &to->piece[r->now];
  p->first = first;
  p->n = (r->counts.stride_log ? replace_pairs : replace_and_note) (r, ids + first, end - first, to);
}

/* The pairs of a stretch of so many parts, by all threads, of which one first enters the stretch before. */
static void replace_stretch (rounds *r, sd_phrase *ids, const uint64_t *first, unsigned parts) {
#pragma omp parallel if (parts > 1)
#pragma omp single
  {
#pragma omp task if (parts > 1)
    enter_stretch (r, ids);
    for (unsigned k = 0; k < parts; k++)
#pragma omp task if (parts > 1)
      replace_part (r, ids, first[k], first[k + 1], r->parts + k);
  }
  r->now = !r->now;
  r->left = parts;
}

/* Part by part, and then together. */
static int replace_all (sd_repair *st, rounds *r) {
  const unsigned ids = st->used + r->nbatch, most = sd_parts (st->n) > 1 ? CUTS * sd_parts (st->n) : 1;
  bool failed = false;

  r->ids = st->ids;
  r->n = st->n;
  r->end = 0;
  for (unsigned k = 0; k < most; k++) {
    memset (r->parts[k].freq, 0, ids * sizeof *r->parts[k].freq);
    memset (r->parts[k].equal, 0, ids * sizeof *r->parts[k].equal);
  }
  for (uint64_t from = 0, to; from < st->n; from = to) {
    uint64_t first[CUTS * SD_MAX_PARTS + 1];
    to = end_of_stretch (r, from, st->n);
    const unsigned parts = cut_stretch (r, from, to, first);
    replace_stretch (r, st->ids, first, parts);
    if (parts == 1) /* by one thread at once, while it has it in its caches */
      enter_stretch (r, st->ids);
  }
  enter_stretch (r, st->ids);
  st->n = r->end;
  for (unsigned id = 0; id < ids; id++) {
    uint32_t equal = 0;
    for (unsigned k = 0; k < most; k++) {
      st->freq[id] += r->parts[k].freq[id];
      equal += r->parts[k].equal[id];
    }
    if (!r->counts.stride_log)
      r->counts.equal[id] = equal;
  }
  for (unsigned k = 0; k < most; k++)
    failed |= r->parts[k].failed;
  return failed ? SD_ENOMEM : SD_OK;
}

/* The pass, and then the new phrases themselves: parts, length, depth. */
static int replace_batch (sd_repair *st, rounds *r) {
  SD_TRY (replace_all (st, r));
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
  uint64_t *freq = st->freq;
  memset (freq, 0, st->limit * sizeof *freq);
#pragma omp parallel for if (n > SD_PART) schedule(static) reduction(+ : freq[:st->used])
  for (uint64_t i = 0; i < n; i++)
    freq[ids[i]]++;
}

void sd_repair_count_symbols (sd_repair *st) {
  sd_repair_count_ids (st, st->ids, st->n);
}

int sd_repair_rounds (sd_repair *st, sd_error *err) {
  rounds r = { 0 };
  int status = SD_ENOMEM;

  r.counts.dense =
      sd_alloc ((uint64_t) sd_parts (st->n) * SD_PAIR_DENSE_IDS * SD_PAIR_DENSE_IDS, sizeof *r.counts.dense);
  r.nparts = CUTS * sd_parts (st->n);
  r.parts = sd_alloc0 (r.nparts, sizeof *r.parts);
  r.side = sd_alloc (st->limit, sizeof *r.side);
  r.batch = sd_alloc (st->max_batch, sizeof *r.batch);
  r.row = sd_alloc (st->limit, sizeof *r.row);
  r.col = sd_alloc (st->limit, sizeof *r.col);
  if (!r.counts.dense || !r.parts || !r.side || !r.batch || !r.row || !r.col)
    goto done;
  for (unsigned k = 0; k < r.nparts; k++) {
    r.parts[k].freq = sd_alloc (st->limit, sizeof *r.parts[k].freq);
    r.parts[k].equal = sd_alloc (st->limit, sizeof *r.parts[k].equal);
    if (!r.parts[k].freq || !r.parts[k].equal)
      goto done;
  }
  sd_repair_count_symbols (st);
  /* One turn is a batch: all of its pairs are replaced in one pass over the sequence. */
  while (st->used < st->limit && st->n > 1) {
    sd_report (st->progress, "pairs", st->used - st->a, st->limit - st->a);
    if ((status = sd_stopped (st->progress)) || (status = sd_pair_counts_make (st, &r.counts))
        || (status = choose_batch (st, &r)))
      goto done;
    if (!r.nbatch)
      break;
    if ((status = fill_match (st, &r)))
      goto done;
    if ((status = replace_batch (st, &r)))
      goto done;
    st->rounds++;
  }
  status = SD_OK;
done:
  sd_pair_counts_clear (&r.counts);
  for (unsigned k = 0; r.parts && k < r.nparts; k++) {
    free (r.parts[k].freq);
    free (r.parts[k].equal);
    free (r.parts[k].piece[0].pair);
    free (r.parts[k].piece[1].pair);
    free (r.parts[k].pool);
  }
  free (r.parts);
  free (r.rated);
  free (r.cand);
  free (r.room);
  free (r.side);
  free (r.batch);
  free (r.row);
  free (r.col);
  free (r.match);
  return status == SD_ENOMEM ? sd_fail_memory (err, 0) : status;
}
