/** \file initial_ternary.c
 * Initial replacement for ternary tables (Zakharov 2015, 1.7.1). A maximal run of subdefinite symbols X
 * stands in
 *
 *     A B X X ... X X C D
 *
 * and the first rule that fits is applied:
 *   1. A = B and every X may become A: all become A.      3. every X may become B: all become B.
 *   2. C = D and every X may become C: all become C.      4. every X may become C: all become C.
 *   5. the run is longer than 5: each X becomes the most frequent main symbol that it admits.
 * Otherwise the run stays. Zakharov 2015 speaks of the symbols lost, drawn, won; the rules hold for any
 * alphabet.
 *
 * Open in Zakharov 2015, decided here: runs are taken from left to right, and a run that was completed counts
 * as main symbols for the next one; a neighbour that does not exist or is still free makes its rule fail;
 * frequencies are those of the main symbols before the first replacement. Cost: O (n), since only B and C
 * need to be tested against the run. */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <limits.h>

#define LONG_RUN 5
#define NOBODY UINT_MAX

static unsigned main_at (const sd_seq *s, uint64_t i, unsigned m) { /* i may have wrapped below 0 */
  return i < s->n && s->sym[i] < m ? s->sym[i] : NOBODY;
}

static void fill (sd_symbol *sym, uint64_t n, unsigned v) {
  for (uint64_t i = 0; i < n; i++)
    sym[i] = (sd_symbol) v;
}

static int run (sd_seq *s, const sd_symbol_counts *count, unsigned param, sd_error *err) {
  (void) param, (void) err;
  const sd_alphabet *alphabet = s->alphabet;
  unsigned m = sd_alphabet_main (alphabet);
  for (uint64_t first = 0, last; first < s->n; first = last) {
    last = first + 1;
    if (s->sym[first] < m)
      continue;
    unsigned a = main_at (s, first - 2, m), b = main_at (s, first - 1, m);
    bool take_b = b != NOBODY;
    for (last = first; last < s->n && s->sym[last] >= m; last++)
      if (take_b && (last == first || s->sym[last] != s->sym[last - 1]))
        take_b = sd_admits (alphabet, s->sym[last], (sd_symbol) b);
    unsigned c = main_at (s, last, m), d = main_at (s, last + 1, m);
    bool take_c = c != NOBODY;
    for (uint64_t i = first; take_c && i < last; i++)
      if (i == first || s->sym[i] != s->sym[i - 1])
        take_c = sd_admits (alphabet, s->sym[i], (sd_symbol) c);
    if (take_b && a == b)
      fill (s->sym + first, last - first, b);
    else if (take_c && c == d)
      fill (s->sym + first, last - first, c);
    else if (take_b || take_c)
      fill (s->sym + first, last - first, take_b ? b : c);
    else if (last - first > LONG_RUN)
      for (uint64_t i = first; i < last; i++)
        s->sym[i] = count->best[s->sym[i]];
  }
  return SD_OK;
}

const sd_initial sd_initial_ternary = {
  .name = "ternary",
  .summary = "five rules over the two neighbours on each side",
  .source = "Zakharov 2015, 1.7.1",
  .run = run,
};
