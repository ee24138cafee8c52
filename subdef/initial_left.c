/** \file initial_left.c
 * `left`: a free slot is like its left neighbour where it may be, else like the first definite slot behind
 * it, else the most frequent symbol that it admits. The left neighbour counts as soon as it is completed
 * itself, so that a run takes the colour of its left edge as far as it may. Not in Zakharov 2015. Cost: O
 * (n). */
#include "config.h"
#include "subdef/subdef_internal.h"

static int run (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) param, (void) err;
  const sd_alphabet *a = s->alphabet;
  unsigned m = sd_alphabet_main (a);
  uint64_t behind = 0; /* first definite slot at or behind i */
  for (uint64_t i = 0; i < s->n; i++) {
    sd_symbol x = s->sym[i];
    if (x < m)
      continue;
    /* Looked for once a run. */
    if (behind <= i)
      for (behind = i + 1; behind < s->n && s->sym[behind] >= m;)
        behind++;
    /* Completed slots are definite, so that the left neighbour always is. */
    if (i > 0 && sd_admits (a, x, s->sym[i - 1]))
      s->sym[i] = s->sym[i - 1];
    else if (behind < s->n && sd_admits (a, x, s->sym[behind]))
      s->sym[i] = s->sym[behind];
    else
      s->sym[i] = c->best[x];
  }
  return SD_OK;
}

const sd_initial sd_initial_left = {
  .name = "left",
  .completes = true,
  .summary = "as the left neighbour, else as the symbol behind the run, else the most frequent",
  .source = "ours",
  .run = run,
};
