/** \file initial_bounds.c
 * The two algorithms for partly free symbols, n-up, n-down, `#` (Zakharov 2015, 1.9). Symbols that permit
 * everything are left to the algorithms behind in the chain. alg1  each becomes the most frequent main symbol
 * that it admits. alg2  behind a main symbol L each becomes the admissible V for which LV is the most
 * frequent pair; else as alg1. Slots are taken from left to right, so that a completed one is a main symbol
 * for the next; symbols and pairs of main symbols are counted beforehand. Ties of pairs go to the more
 * frequent symbol, then to the smaller one. Check value (papers): left 3, slot 4-up, counts 4:7, 5:20, pairs
 * (3,4):6, (3,5):2: alg1 takes 5, alg2 takes 4. Cost: O (n); alg2 also O (m) for each new combination of left
 * symbol and slot symbol (a small cache remembers them). */
#include "config.h"
#include "subdef/subdef_internal.h"

static int run_alg1 (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) param, (void) err;
  const sd_alphabet *a = s->alphabet;
  unsigned m = sd_alphabet_main (a);
  /* Left as it is, for the next link of the chain. */
  for (unsigned x = m; x < sd_alphabet_size (a); x++)
    if (sd_alphabet_choices (a, (sd_symbol) x) == m)
      c->best[x] = (sd_symbol) x;
  sd_seq_replace (s, c->best);
  return SD_OK;
}

#define CACHE_BITS 14

typedef struct cached {
  uint32_t key; /* left << 16 | symbol, + 1; 0 = empty */
  sd_symbol value;
} cached;

static sd_symbol best_behind (const sd_alphabet *a, sd_symbol x, const uint64_t *pair, const uint64_t *freq) {
  const uint64_t *set = sd_alphabet_set (a, x);
  unsigned best = SD_MAX_MAIN, m = sd_alphabet_main (a);
  for (unsigned w = 0; w < (m + 63) / 64; w++)
    for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
      unsigned v = 64 * w + (unsigned) __builtin_ctzll (rest);
      if (best == SD_MAX_MAIN || pair[v] > pair[best] || (pair[v] == pair[best] && freq[v] > freq[best]))
        best = v;
    }
  return (sd_symbol) best;
}

static int run_alg2 (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) param, (void) err;
  const sd_alphabet *a = s->alphabet;
  unsigned m = sd_alphabet_main (a);
  if (!c->any_free)
    return SD_OK;
  SD_OWNED uint64_t *pair = sd_count_main_pairs (s);
  SD_OWNED cached *cache = sd_alloc0 (1u << CACHE_BITS, sizeof *cache);
  if (!pair || !cache)
    return SD_ENOMEM;
  for (uint64_t i = 0; i < s->n; i++) {
    sd_symbol x = s->sym[i], left = i > 0 ? s->sym[i - 1] : (sd_symbol) m;
    if (x < m || sd_alphabet_choices (a, x) == m)
      continue;
    /* Nothing definite stands to the left. */
    if (left >= m) {
      s->sym[i] = c->best[x];
      continue;
    }
    /* A place of the cache holds one combination, the latest. */
    uint32_t key = ((uint32_t) left << 16 | x) + 1;
    cached *slot = &cache[key * 2654435769u >> (32 - CACHE_BITS)];
    if (slot->key != key)
      *slot = (cached){ key, best_behind (a, x, pair + (size_t) left * m, c->freq) };
    s->sym[i] = slot->value;
  }
  return SD_OK;
}

const sd_initial sd_initial_alg1 = {
  .name = "alg1",
  .summary = "partly free slots by their most frequent symbol",
  .source = "Zakharov 2015, 1.9",
  .run = run_alg1,
};

const sd_initial sd_initial_alg2 = {
  .name = "alg2",
  .summary = "partly free slots by the most frequent pair with the left neighbour",
  .source = "Zakharov 2015, 1.9",
  .run = run_alg2,
};
