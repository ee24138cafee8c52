/** \file root.c
 * Free slots completed from the root downward (Kristensen 2005, 2.5): at each level, the largest sub-tables
 * first, compatible ones become one, definite wherever either was; only what stays different is looked at
 * further down.
 *
 * Kristensen 2005 names the heuristic and its worst case, not how partners are found. Here a sub-table is
 * compared with those before it, at most TRIES of them, and merged into the first that fits. All work is done
 * on the slots: a merged sub-table is narrowed where it stands, and those that were merged into it are copies
 * of it in the end. What is still free then is left to merging from the leaves. */
#include "config.h"
#include "obdd/kristensen/kristensen_internal.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 2000

/* A sub-table that was merged into another one: both start at a multiple of 2^level. */
typedef struct copy {
  uint64_t from, to;
} copy;

typedef struct rooter {
  sd_symbol *table;
  sd_alphabet *alphabet; /* the data's, and what its symbols have in common */
  sd_obdd_pairs seen;
  sd_symbol *common; /* [number of a pair of symbols] the symbol for both, NONE */
  uint64_t cap;
  copy *copies;
  uint64_t ncopies, copies_cap;
} rooter;

#define NONE UINT16_MAX

static void rooter_free (rooter *r) {
  sd_alphabet_free (r->alphabet);
  sd_obdd_pairs_free (&r->seen);
  free (r->common);
  free (r->copies);
}

/* A copy that will get symbols for what two have in common. */
static int new_alphabet (const sd_alphabet *a, sd_alphabet **out) {
  SD_TRY (sd_alphabet_new (sd_alphabet_main (a), out));
  for (unsigned x = sd_alphabet_main (a); x < sd_alphabet_size (a); x++) {
    sd_symbol same;
    SD_TRY (sd_alphabet_add (*out, sd_alphabet_set (a, (sd_symbol) x), &same));
  }
  return SD_OK;
}

/* The symbol that permits everything. */
static int add_any (sd_alphabet *a, sd_symbol *out) {
  uint64_t set[SD_MAX_MAIN / 64] = { 0 };
  for (unsigned v = 0; v < sd_alphabet_main (a); v++)
    set[v / 64] |= UINT64_C (1) << v % 64;
  return sd_alphabet_add (a, set, out);
}

/* The symbol that permits what both do; *out = NONE: there is none. */
static int both (rooter *r, sd_symbol x, sd_symbol y, sd_symbol *out) {
  const unsigned m = sd_alphabet_main (r->alphabet);
  if (x == y || (y < sd_alphabet_size (r->alphabet) && sd_alphabet_choices (r->alphabet, y) == m)) {
    *out = x;
    return SD_OK;
  }
  const uint32_t before = r->seen.n, k = sd_obdd_pairs_add (&r->seen, x, y);
  if (k == UINT32_MAX)
    return SD_ENOMEM;
  /* A pair of symbols that did not come before; what they have in common may be a new symbol. */
  if (k == before) {
    if (!sd_grow (&r->common, &r->cap, k + UINT64_C (1)))
      return SD_ENOMEM;
    uint64_t set[SD_MAX_MAIN / 64], any = 0;
    for (unsigned w = 0; w < (m + 63) / 64; w++)
      any |= set[w] = sd_alphabet_set (r->alphabet, x)[w] & sd_alphabet_set (r->alphabet, y)[w];
    r->common[k] = NONE;
    if (any)
      SD_TRY (sd_alphabet_add (r->alphabet, set, &r->common[k]));
  }
  *out = r->common[k];
  return SD_OK;
}

/* Can the n slots at a and b become equal? */
static int compatible (rooter *r, uint64_t a, uint64_t b, uint64_t n, bool *out) {
  *out = false;
  for (uint64_t i = 0; i < n; i++) {
    sd_symbol x;
    SD_TRY (both (r, r->table[a + i], r->table[b + i], &x));
    if (x == NONE)
      return SD_OK;
  }
  *out = true;
  return SD_OK;
}

/* The slots of `into` are narrowed to what both may hold; those of `from` will be a copy. */
static int merge (rooter *r, uint64_t from, uint64_t into, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    SD_TRY (both (r, r->table[into + i], r->table[from + i], &r->table[into + i]));
  if (!sd_grow (&r->copies, &r->copies_cap, r->ncopies + 1))
    return SD_ENOMEM;
  r->copies[r->ncopies++] = (copy){ from, into };
  return SD_OK;
}

/* Among the blocks of n slots at start[0..*count-1]; those that stay are start[0..*count-1] afterwards. */
static int merge_level (rooter *r, uint64_t *start, uint64_t *count, uint64_t n) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < *count; i++) {
    bool found = false;
    /* The latest TRIES ones: neighbours are most alike. */
    const uint64_t last = kept > TRIES ? kept - TRIES : 0;
    for (uint64_t j = kept; !found && j-- > last;) {
      SD_TRY (compatible (r, start[i], start[j], n, &found));
      /* What was merged is not looked at further down: it will be a copy. */
      if (found)
        SD_TRY (merge (r, start[i], start[j], n));
    }
    if (!found)
      start[kept++] = start[i];
  }
  *count = kept;
  return SD_OK;
}

static int merge_all (rooter *r, unsigned vars, size_t *copies_of) {
  SD_OWNED uint64_t *start = sd_alloc0 (1, sizeof *start);
  uint64_t count = 1;

  if (!start)
    return SD_ENOMEM;
  for (unsigned k = vars; k-- > 1;) { /* blocks of 2^k slots */
    uint64_t *half = sd_alloc (2 * count, sizeof *half);
    if (!half)
      return SD_ENOMEM;
    /* Only what is left on one level is halved for the next. */
    for (uint64_t i = 0; i < count; i++) {
      half[2 * i] = start[i];
      half[2 * i + 1] = start[i] + (UINT64_C (1) << k);
    }
    free (start);
    start = half;
    count *= 2;
    SD_TRY (merge_level (r, start, &count, UINT64_C (1) << k));
    copies_of[k] = r->ncopies;
  }
  return SD_OK;
}

int sd_kristensen_merge_from_root (const sd_alphabet *a, sd_symbol *table, unsigned vars) {
  SD_RELEASED_BY (rooter_free) rooter r = { .table = table };
  size_t copies_of[SD_OBDD_MAX_VARS + 1] = { 0 }; /* [k]: copies so far, after level k */
  SD_TRY (new_alphabet (a, &r.alphabet));
  SD_TRY (sd_obdd_pairs_reset (&r.seen, 256));
  sd_symbol any = 0;
  SD_TRY (add_any (r.alphabet, &any));
  for (uint64_t i = 0; i < UINT64_C (1) << vars; i++) /* codes without a slot */
    if (table[i] == sd_alphabet_size (a))
      table[i] = any;
  SD_TRY (merge_all (&r, vars, copies_of));
  for (unsigned k = 1; k < vars; k++) /* the smallest first: larger ones are made of them */
    for (size_t i = copies_of[k + 1]; i < copies_of[k]; i++)
      memcpy (table + r.copies[i].from, table + r.copies[i].to, sizeof *table << k);
  for (uint64_t i = 0; i < UINT64_C (1) << vars; i++)
    if (table[i] >= sd_alphabet_size (a)) { /* narrowed to what the data have no symbol for: any of it */
      unsigned v = 0;
      while (!sd_admits (r.alphabet, table[i], (sd_symbol) v))
        v++;
      table[i] = (sd_symbol) v;
    }
  return SD_OK;
}
