/** \file alphabet.c
 * Sets of main symbols as rows of bits, numbered in order of registration (Zakharov 2015, 1.5). Equal sets
 * share a symbol: a hash table over the rows finds them. Cost: O (m / 64) for each registered symbol. Numbers
 * stay as they were given, so that sequences hold numbers and never sets. */
#include "config.h"
#include "subdef/subdef.h"

#include <stdlib.h>
#include <string.h>

int sd_alphabet_new (unsigned m, sd_alphabet **out) {
  *out = NULL;
  if (m < 1 || m > SD_MAX_MAIN)
    return SD_EINVAL;
  sd_alphabet *a = sd_alloc0 (1, sizeof *a);
  if (!a)
    return SD_ENOMEM;
  a->m = m;
  a->words = (m + 63) / 64;
  a->slots = 2 * SD_MAX_SYMBOLS; /* never more than half full */
  a->table = sd_alloc0 (a->slots, sizeof *a->table);
  if (!a->table) {
    sd_alphabet_free (a);
    return SD_ENOMEM;
  }
  /* Main symbols are the sets of one, and so have the first numbers. */
  for (unsigned v = 0; v < m; v++) {
    sd_symbol s;
    int st = sd_alphabet_add_range (a, v, v, &s);
    if (st) {
      sd_alphabet_free (a);
      return st;
    }
  }
  *out = a;
  return SD_OK;
}

void sd_alphabet_free (sd_alphabet *a) {
  if (!a)
    return;
  free (a->bits);
  free (a->choices);
  free (a->table);
  free (a);
}

static int grow (sd_alphabet *a) {
  /* The first time for the main symbols and some sets. */
  const uint64_t need = a->cap ? a->cap + 1 : a->m + 8;
  uint64_t rows = a->cap, cap = a->cap;
  if (!sd_grow_array (&a->bits, &rows, need, a->words * sizeof *a->bits)
      || !sd_grow (&a->choices, &cap, need))
    return SD_ENOMEM;
  a->cap = (unsigned) cap;
  return SD_OK;
}

int sd_alphabet_add (sd_alphabet *a, const uint64_t *set, sd_symbol *out) {
  size_t bytes = a->words * sizeof *set;
  unsigned choices = 0;

  for (unsigned w = 0; w < a->words; w++)
    choices += (unsigned) __builtin_popcountll (set[w]);
  /* No slot may hold nothing, nor what is no main symbol. */
  if (choices == 0 || (a->m % 64 && set[a->words - 1] >> (a->m % 64)))
    return SD_EINVAL;

  unsigned at = (unsigned) sd_hash64 (set, bytes) & (a->slots - 1);
  for (; a->table[at]; at = (at + 1) & (a->slots - 1)) {
    sd_symbol s = (sd_symbol) (a->table[at] - 1);
    if (memcmp (sd_alphabet_set (a, s), set, bytes) == 0) {
      *out = s;
      return SD_OK;
    }
  }

  if (a->size == SD_MAX_SYMBOLS)
    return SD_ERANGE;
  if (a->size == a->cap)
    SD_TRY (grow (a));
  memcpy (a->bits + (size_t) a->size * a->words, set, bytes);
  a->choices[a->size] = (uint16_t) choices;
  *out = (sd_symbol) a->size++;
  /* 0 is an empty place. */
  a->table[at] = (uint16_t) (*out + 1);
  return SD_OK;
}

int sd_alphabet_add_range (sd_alphabet *a, unsigned lo, unsigned hi, sd_symbol *out) {
  uint64_t set[(SD_MAX_MAIN + 63) / 64] = { 0 };
  if (lo > hi || hi >= a->m)
    return SD_EINVAL;
  for (unsigned v = lo; v <= hi; v++)
    set[v / 64] |= 1ull << (v % 64);
  return sd_alphabet_add (a, set, out);
}

sd_symbol sd_best_completion (const sd_alphabet *a, sd_symbol s, const uint64_t *weight) {
  const uint64_t *set = sd_alphabet_set (a, s);
  unsigned best = SD_MAX_MAIN;
  for (unsigned w = 0; w < a->words; w++)
    for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
      unsigned v = 64 * w + (unsigned) __builtin_ctzll (rest);
      /* Of equal ones the smallest. */
      if (best == SD_MAX_MAIN || weight[v] > weight[best])
        best = v;
    }
  return (sd_symbol) best;
}
