/** \file initial_full.c
 * Initial replacement for full tables (Zakharov 2015, 1.8). `*` is a symbol that permits everything.
 *   1. A run of 2 to 31 `*` is filled with the most frequent main symbol.
 *   2. In any other run A * ... * B an odd length is made even: the left-most or the right-most `*` becomes
 * the main symbol C for which AC or CB is the most frequent among all pairs AX and YB. Then n copies of the
 * most frequent pair of main symbols fill the 2n slots. A run of one `*` thus disappears by the odd rule.
 *
 * Open in Zakharov 2015, decided here: symbols and pairs are counted over the whole sequence before the first
 * replacement; a neighbour that does not exist or is subdefinite offers no pair (if there is neither, C is
 * the most frequent symbol); AC wins a tie against CB, and of equal symbols the smallest wins. Other
 * subdefinite symbols stay. Cost: O (n + m^2). */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <stdlib.h>

#define SHORT_RUN_MIN 2
#define SHORT_RUN_MAX 31

typedef struct favourites {
  sd_symbol symbol, pair[2];    /* the most frequent of all */
  sd_symbol *after, *before;    /* [m] the best X behind A; the best Y before B */
  uint64_t *after_n, *before_n; /* [m] how often */
} favourites;

static void favourites_free (favourites *f) {
  free (f->after);
  free (f->before);
  free (f->after_n);
  free (f->before_n);
}

/* f is freed by the caller, also after a failure. */
static int favourites_new (const sd_seq *s, const uint64_t *freq, favourites *f) {
  unsigned m = sd_alphabet_main (s->alphabet);
  SD_OWNED uint64_t *pair = sd_count_main_pairs (s);

  *f = (favourites){ .after = sd_alloc0 (m, sizeof *f->after),
                     .before = sd_alloc0 (m, sizeof *f->before),
                     .after_n = sd_alloc0 (m, sizeof *f->after_n),
                     .before_n = sd_alloc0 (m, sizeof *f->before_n) };
  if (!pair || !f->after || !f->before || !f->after_n || !f->before_n)
    return SD_ENOMEM;

  uint64_t best = 0;
  for (unsigned a = 0; a < m; a++) {
    if (freq[a] > freq[f->symbol])
      f->symbol = (sd_symbol) a;
    for (unsigned b = 0; freq[a] && b < m; b++) {
      uint64_t n = pair[(size_t) a * m + b];
      if (n > f->after_n[a]) {
        f->after_n[a] = n;
        f->after[a] = (sd_symbol) b;
      }
      if (n > f->before_n[b]) {
        f->before_n[b] = n;
        f->before[b] = (sd_symbol) a;
      }
      if (n > best) {
        best = n;
        f->pair[0] = (sd_symbol) a;
        f->pair[1] = (sd_symbol) b;
      }
    }
  }
  if (best == 0) /* no two main symbols are neighbours */
    f->pair[0] = f->pair[1] = f->symbol;
  return SD_OK;
}

static int run (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) param, (void) err;
  unsigned m = sd_alphabet_main (s->alphabet), size = sd_alphabet_size (s->alphabet);
  unsigned star = m; /* sets are registered once, so there is at most one */
  while (star < size && sd_alphabet_choices (s->alphabet, (sd_symbol) star) < m)
    star++;
  if (star == size || c->freq[star] == 0)
    return SD_OK;
  SD_RELEASED_BY (favourites_free) favourites f = { 0 };
  SD_TRY (favourites_new (s, c->freq, &f));
  for (uint64_t first = 0, last; first < s->n; first = last) {
    last = first + 1;
    if (s->sym[first] != star)
      continue;
    while (last < s->n && s->sym[last] == star)
      last++;

    uint64_t lo = first, hi = last; /* what is left to fill */
    if (last - first >= SHORT_RUN_MIN && last - first <= SHORT_RUN_MAX) {
      while (lo < hi)
        s->sym[lo++] = f.symbol;
      continue;
    }

    if ((hi - lo) % 2) {
      bool has_a = first > 0 && s->sym[first - 1] < m, has_b = last < s->n && s->sym[last] < m;
      uint64_t left = has_a ? f.after_n[s->sym[first - 1]] : 0, right = has_b ? f.before_n[s->sym[last]] : 0;
      if (left == 0 && right == 0)
        s->sym[lo++] = f.symbol;
      else if (left >= right)
        s->sym[lo++] = f.after[s->sym[first - 1]];
      else
        s->sym[--hi] = f.before[s->sym[last]];
    }

    for (; lo < hi; lo += 2) {
      s->sym[lo] = f.pair[0];
      s->sym[lo + 1] = f.pair[1];
    }
  }
  return SD_OK;
}

const sd_initial sd_initial_full = {
  .name = "full",
  .summary = "runs of free slots by the most frequent symbol or pair",
  .source = "Zakharov 2015, 1.8",
  .run = run,
};
