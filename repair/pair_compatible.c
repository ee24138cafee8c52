/** \file pair_compatible.c
 * Pair rule `compatible`: replaces what `subdefinite` does (Zakharov 2015, 1.7.2), but a pair AB of main
 * symbols counts as often as something occurs that has it as a completion, not only as often as it stands
 * there itself. It must stand there once. Free slots count for each pair that they could become, so that
 * weights are too high where several pairs want the same slots.
 *
 * Cost: for each pair of main symbols and each round one look at the count of each pair of subdefinite
 * symbols that admit them; a phrase has no compatible symbols besides itself. */
#include "config.h"
#include "repair/repair_internal.h"

/* The next subdefinite symbol at or behind x that occurs and may be a; st->a: none. */
static unsigned next_compatible (const sd_repair *st, unsigned x, unsigned a) {
  while (x < st->a && !(st->freq[x] && sd_repair_may_be (st, x, a)))
    x++;
  return x;
}

static uint64_t right_parts (const sd_repair *st, const sd_pair_counts *c, unsigned x, unsigned b) {
  uint64_t sum = sd_pair_count (c, x, b);
  if (b < st->m)
    for (unsigned y = next_compatible (st, st->m, b); y < st->a; y = next_compatible (st, y + 1, b))
      sum += sd_pair_count (c, x, y);
  return sum;
}

static uint64_t weight (const sd_repair *st, const sd_pair_counts *c, unsigned a, unsigned b) {
  uint64_t sum = right_parts (st, c, a, b);
  if (a < st->m)
    for (unsigned x = next_compatible (st, st->m, a); x < st->a; x = next_compatible (st, x + 1, a))
      sum += right_parts (st, c, x, b);
  return sum;
}
const sd_pair_rule sd_pair_compatible = { sd_repair_may_be, weight };
