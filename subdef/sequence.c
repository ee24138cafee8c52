/** \file sequence.c
 * Counting over sequences: frequencies, neighbours, and completion by the most frequent symbol.
 * Cost: one or two passes each. */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <stdlib.h>
#include <string.h>

#define PIECE 32768 /* slots that are looked at twice while they are near */
#define WAYS 4
#define FEW 1024 /* symbols of an alphabet for which there are so many rows of counts */

/* Neighbours are mostly equal: where they are counted in different rows no addition waits for the one before,
 * and there is no branch to guess. */
static void count_in_rows (const sd_symbol *sym, uint64_t n, unsigned size, uint64_t *freq) {
  uint32_t row[WAYS][FEW];
  uint64_t i = 0;
  for (unsigned k = 0; k < WAYS; k++)
    memset (row[k], 0, size * sizeof *row[k]);
  for (; i + WAYS <= n; i += WAYS)
    for (unsigned k = 0; k < WAYS; k++)
      row[k][sym[i + k]]++;
  for (; i < n; i++)
    row[0][sym[i]]++;
  for (unsigned v = 0; v < size; v++)
    for (unsigned k = 0; k < WAYS; k++)
      freq[v] += row[k][v];
}

/* false: a symbol lies outside the alphabet. That is looked at first, in a loop without branches, so that
 * counting can use symbols as indexes. */
static bool count (const sd_symbol *sym, uint64_t n, unsigned size, uint64_t *freq) {
  unsigned top = 0;
  for (uint64_t i = 0; i < n; i++)
    top = sym[i] > top ? sym[i] : top;
  if (top >= size)
    return false;
  if (size <= FEW) {
    count_in_rows (sym, n, size, freq);
    return true;
  }
  for (uint64_t i = 0, first = 0; i < n; first = i) {
    /* runs are long in tables: one addition for a run instead of a chain of dependent stores */
    const sd_symbol v = sym[i++];
    while (i < n && sym[i] == v)
      i++;
    freq[v] += i - first;
  }
  return true;
}

int sd_count_symbols (const sd_symbol *sym, uint64_t n, unsigned size, uint64_t *freq) {
  bool inside = true;
  memset (freq, 0, size * sizeof *freq);
#pragma omp parallel for if (n > SD_PART) schedule(dynamic) reduction(&& : inside) reduction(+ : freq[:size])
  for (uint64_t from = 0; from < n; from += PIECE)
    inside = count (sym + from, n - from < PIECE ? n - from : PIECE, size, freq) && inside;
  return inside ? SD_OK : SD_EINVAL;
}

int sd_seq_frequencies (const sd_seq *s, uint64_t *freq) {
  return sd_count_symbols (s->sym, s->n, sd_alphabet_size (s->alphabet), freq);
}

uint64_t sd_seq_first_violation (const sd_seq *s, const sd_symbol *completion) {
  const sd_alphabet *a = s->alphabet;
  unsigned m = sd_alphabet_main (a), size = sd_alphabet_size (a);
  for (uint64_t i = 0; i < s->n; i++) {
    sd_symbol x = s->sym[i], v = completion[i];
    /* Most slots: nothing was free. */
    if (x == v && x < m)
      continue;
    if (x >= size || v >= m || !sd_admits (a, x, v))
      return i;
  }
  return s->n;
}

int sd_symbol_counts_new (const sd_seq *s, sd_symbol_counts *c) {
  unsigned m = sd_alphabet_main (s->alphabet), size = sd_alphabet_size (s->alphabet);
  *c = (sd_symbol_counts){ .freq = sd_alloc (size, sizeof *c->freq),
                           .best = sd_alloc (size, sizeof *c->best) };
  int st = c->freq && c->best ? sd_seq_frequencies (s, c->freq) : SD_ENOMEM;
  if (st) {
    sd_symbol_counts_free (c);
    return st;
  }
  for (unsigned x = 0; x < size; x++) {
    c->best[x] = (sd_symbol) x;
    /* Symbols that do not occur are not worth the search. */
    if (x >= m && c->freq[x] > 0) {
      c->best[x] = sd_best_completion (s->alphabet, (sd_symbol) x, c->freq);
      c->any_free = true;
    }
  }
  return SD_OK;
}

void sd_symbol_counts_free (sd_symbol_counts *c) {
  free (c->freq);
  free (c->best);
  *c = (sd_symbol_counts){ 0 };
}

uint64_t *sd_count_main_pairs (const sd_seq *s) {
  size_t m = sd_alphabet_main (s->alphabet);
  uint64_t *pair = sd_alloc0 (m * m, sizeof *pair);
  if (!pair)
    return NULL;
  /* A free slot on either side is no pair. */
  for (uint64_t i = 1; i < s->n; i++)
    if (s->sym[i - 1] < m && s->sym[i] < m)
      pair[s->sym[i - 1] * m + s->sym[i]]++;
  return pair;
}

void sd_seq_replace (sd_seq *s, const sd_symbol *best) {
#pragma omp parallel for if (s->n > SD_PART) schedule(static)
  for (uint64_t i = 0; i < s->n; i++)
    s->sym[i] = best[s->sym[i]];
}

int sd_complete_frequent (sd_seq *s) {
  SD_RELEASED_BY (sd_symbol_counts_free) sd_symbol_counts c = { 0 };
  SD_TRY (sd_symbol_counts_new (s, &c));
  if (c.any_free)
    sd_seq_replace (s, c.best);
  return SD_OK;
}
