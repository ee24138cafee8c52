/** \file pairs_internal.h
 * What the rounds of pairs.c stand on. Occurrences of adjacent pairs, counted once and kept up to date
 * (pair_counts.c): a matrix while there are few ids, then a hash table with linear probing. And the pass that
 * replaces a batch of pairs (pair_pass.c). */
#ifndef SD_PAIRS_INTERNAL_H
#define SD_PAIRS_INTERNAL_H

#include "base/parts.h"
#include "repair/repair_internal.h"

typedef struct sd_pair_cell {
  uint32_t key, count;
} sd_pair_cell;

struct sd_pair_counts {
  unsigned stride_log; /* of the matrix; 0: hash table with linear probing */
  uint32_t *dense;     /* the matrix; behind it are those of other threads, while they count */
  unsigned matrices;
  sd_pair_cell *slots;
  unsigned cap_log;
  size_t filled;   /* slots with a key */
  uint32_t *equal; /* [id] pairs of this id twice; every second one in a run. With the hash table only */
  uint32_t *pool;  /* keys of all pairs with a count of at least pool_at, and of some others; some twice */
  uint64_t npool, pool_cap;
  uint32_t pool_at; /* 0: no pool */
  bool failed;      /* no memory for table or pool */
};

#define SD_PAIR_DENSE_IDS 256
#define SD_PAIR_SOON 16           /* steps ahead at which a count is fetched */
#define SD_PAIR_NO_KEY UINT32_MAX /* the pair of id 65535 twice, which stands in `equal` */

/** For all rounds over the sequence as it is now; to be cleared, whatever comes. SD_ENOMEM. */
int sd_pair_counts_new (const sd_repair *st, sd_pair_counts *c);

/** All pairs, before the first round and while there is a matrix. SD_ENOMEM, also if an update had no memory.
 */
int sd_pair_counts_make (const sd_repair *st, sd_pair_counts *c);

/** What *c holds, not c itself. */
void sd_pair_counts_clear (sd_pair_counts *c);

/** Room for more keys; those that no longer occur are dropped. Sets c->failed. */
void sd_pair_counts_grow (sd_pair_counts *c);

/** Put a key into the pool. Sets c->failed. */
void sd_pair_counts_pool (sd_pair_counts *c, uint32_t key);

static inline uint32_t sd_pair_key (unsigned x, unsigned y) {
  return (uint32_t) x << 16 | y;
}
/* The first cell at which a pair may stand. */
static inline sd_pair_cell *sd_pair_place (const sd_pair_counts *c, uint32_t key) {
  return c->slots + ((uint32_t) (key * 0x9e3779b1u) >> (32 - c->cap_log));
}
static inline sd_pair_cell *sd_pair_find (const sd_pair_counts *c, uint32_t key) {
  sd_pair_cell *at = sd_pair_place (c, key), *end = c->slots + ((size_t) 1 << c->cap_log);
  while (at->key != key && at->key != SD_PAIR_NO_KEY)
    at = at + 1 < end ? at + 1 : c->slots;
  return at;
}

/* One occurrence more or less in the hash table; pairs of equal symbols are not in it. */
static inline void sd_pair_more (sd_pair_counts *c, unsigned x, unsigned y) {
  if (x == y)
    return;
  sd_pair_cell *at = sd_pair_find (c, sd_pair_key (x, y));
  if (at->key == SD_PAIR_NO_KEY) {
    if (c->failed || c->filled * 2 >= (size_t) 1 << c->cap_log) {
      if (!c->failed)
        sd_pair_counts_grow (c);
      if (c->failed)
        return;
      at = sd_pair_find (c, sd_pair_key (x, y));
    }
    at->key = sd_pair_key (x, y);
    c->filled++;
  }
  if (++at->count == c->pool_at)
    sd_pair_counts_pool (c, at->key);
}
static inline void sd_pair_less (sd_pair_counts *c, unsigned x, unsigned y) {
  if (x != y && !c->failed)
    sd_pair_find (c, sd_pair_key (x, y))->count--;
}

/* ------------------------------------------------------------------- pass */

/** What a thread has at hand. */
typedef struct sd_pair_worker {
  uint64_t *freq;             /* [id] how frequencies change, modulo 2^64 */
  uint32_t *equal;            /* [id] pairs of the id twice, with the hash table */
  uint64_t *note, notes, cap; /* with the hash table: pairs that are gone and that are new in a part */
  bool failed;                /* no memory */
} sd_pair_worker;

/** A pass at work. */
typedef struct sd_pair_pass {
  uint32_t *row, *col; /* [id] where the id stands in `match` as left or right part; 0: nowhere */
  sd_phrase *match;    /* [row + col] phrase, 0: none */
  size_t match_cap;
  uint64_t *first, parts; /* [0..parts] where parts begin */
  sd_pair_worker *worker; /* [workers] */
  unsigned workers;       /* threads at most */
} sd_pair_pass;

/** For all passes over the sequence as it is now or shorter; to be cleared, whatever comes. SD_ENOMEM. */
int sd_pair_pass_new (const sd_repair *st, sd_pair_pass *p);
void sd_pair_pass_clear (sd_pair_pass *p);

/** Replace the pairs batch[k] by the ids st->used + k; of very large batches perhaps only the first ones:
 * *nbatch. The sequence, its length, frequencies and the counts in the hash table follow. The same for any
 * number of threads. SD_ENOMEM: nothing of these is of use; that the hash table had no memory the next
 * sd_pair_counts_make tells. */
int sd_pair_pass_replace (sd_pair_pass *p, sd_repair *st, sd_pair_counts *c, const uint32_t *batch,
                          unsigned *nbatch);

#endif
