/** \file initial_constant.c
 * `constant:V`: every free slot takes the main symbol V where it admits V, else the most frequent one that it
 * admits. `zero`: V is the symbol that stands for the value 0, or next to it (sd_alphabet_zero): a draw among
 * results, the fewest moves among distances. That is how free slots are filled where nothing is known of
 * subdefinite data; Zakharov 2015, 1.5 says of 0 that it is not the best choice. Cost: O (n). */
#include "config.h"
#include "subdef/subdef_internal.h"

static int run_constant (sd_seq *s, const sd_symbol_counts *c, unsigned v, sd_error *err) {
  const sd_alphabet *a = s->alphabet;
  if (v >= sd_alphabet_main (a))
    return sd_fail (err, SD_EINVAL, "initial replacement: constant:%u: the main symbols are 0..%u", v,
                    sd_alphabet_main (a) - 1);
  for (unsigned x = sd_alphabet_main (a); x < sd_alphabet_size (a); x++)
    if (sd_admits (a, (sd_symbol) x, (sd_symbol) v))
      c->best[x] = (sd_symbol) v;
  sd_seq_replace (s, c->best);
  return SD_OK;
}

static int run_zero (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) param;
  return run_constant (s, c, sd_alphabet_zero (s->alphabet), err);
}

const sd_initial sd_initial_constant = {
  .name = "constant",
  .completes = true,
  .summary =
      "constant:V: symbol V where admissible (WDL: 0 lost, 1 drawn, 2 won; DTM: values of the side, by "
      "rising moves, signed from the worst on), else the most frequent",
  .source = "ours",
  .takes_param = true,
  .run = run_constant,
};

const sd_initial sd_initial_zero = {
  .name = "zero",
  .completes = true,
  .summary = "0 where admissible (a draw; moves: the fewest), else the most frequent symbol",
  .source = "Zakharov 2015, 1.5",
  .run = run_zero,
};
