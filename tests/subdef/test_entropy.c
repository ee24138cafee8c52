/* The entropy of subdefinite data: closed forms, a search over a grid, and that its two sides hold. */
#include "config.h"
#include "subdef/subdef.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static sd_alphabet *alphabet (unsigned m) {
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
  return a;
}

static sd_symbol range (sd_alphabet *a, unsigned lo, unsigned hi) {
  sd_symbol s = 0;
  cr_assert_eq (sd_alphabet_add_range (a, lo, hi, &s), SD_OK);
  return s;
}

static sd_entropy entropy (const sd_alphabet *a, sd_symbol *sym, uint64_t n, unsigned length) {
  sd_seq s = { .alphabet = a, .sym = sym, .n = n };
  sd_entropy h;
  sd_error err;
  cr_assert_eq (sd_seq_entropy (&s, length, 1e-6, 100000, &h, &err), SD_OK, "%s", err.text);
  cr_expect_leq (h.at_least, h.bits + 1e-9);
  return h;
}

Test (entropy, without_freedom_it_is_shannons) {
  sd_alphabet *a = alphabet (4);
  sd_symbol sym[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3 };
  const sd_entropy h = entropy (a, sym, 16, 1);
  cr_expect_float_eq (h.bits, 28, 1e-4);
  cr_expect_float_eq (h.at_least, 28, 1e-4);
  cr_expect_eq (h.sets, 4);
  sd_alphabet_free (a);
}

Test (entropy, freedom_that_one_symbol_satisfies_costs_nothing) {
  sd_alphabet *a = alphabet (3);
  sd_symbol sym[5] = { range (a, 0, 1), range (a, 1, 2), range (a, 0, 2), 1, range (a, 0, 1) };
  cr_expect_float_eq (entropy (a, sym, 5, 1).bits, 0, 1e-3, "all can be 1");
  sym[3] = range (a, 0, 2);
  cr_expect_float_eq (entropy (a, sym, 4, 2).bits, 0, 1e-3, "words as well");
  for (int i = 0; i < 5; i++)
    sym[i] = range (a, 0, 2);
  const sd_entropy h = entropy (a, sym, 5, 1);
  cr_expect (h.bits == 0 && h.sets == 0, "what is free everywhere is not counted");
  sd_alphabet_free (a);
}

/* {0} and {1} as often as each other, and half of the slots {0, 1}: q = (1/2, 1/2), a bit for each fixed slot
 * and none for the others. With {0} three times as often: q = (3/4, 1/4). */
Test (entropy, it_is_known_for_two_symbols) {
  sd_alphabet *a = alphabet (3);
  const sd_symbol either = range (a, 0, 1);
  sd_symbol sym[8] = { 0, 1, either, either, 0, 1, either, either };
  cr_expect_float_eq (entropy (a, sym, 8, 1).bits, 4, 1e-4);
  sd_symbol more[4] = { 0, 0, 0, 1 };
  cr_expect_float_eq (entropy (a, more, 4, 1).bits, 3 * log2 (4. / 3) + 2, 1e-4);
  sd_alphabet_free (a);
}

/* The least of a fine grid over all distributions of three symbols. */
static double by_search (const uint64_t count[7]) {
  enum { N = 400 };
  double least = INFINITY;
  for (int i = 0; i <= N; i++)
    for (int j = 0; i + j <= N; j++) {
      const double q[3] = { (double) i / N, (double) j / N, (double) (N - i - j) / N };
      double bits = 0;
      for (unsigned set = 1; set < 7; set++)
        if (count[set])
          bits -=
              (double) count[set] * log2 ((set & 1 ? q[0] : 0) + (set & 2 ? q[1] : 0) + (set & 4 ? q[2] : 0));
      least = bits < least ? bits : least;
    }
  return least;
}

Test (entropy, it_is_the_least_over_all_distributions) {
  uint64_t state = 5;
  for (int run = 0; run < 20; run++) {
    sd_alphabet *a = alphabet (3);
    uint64_t count[7] = { 0 };
    sd_symbol sym[200];
    for (int i = 0; i < 200; i++) {
      const uint64_t set = 1 + sd_random (&state) % (run % 2 ? 6 : 3 + (unsigned) run % 4);
      cr_assert_eq (sd_alphabet_add (a, &set, &sym[i]), SD_OK);
      count[set]++;
    }
    const sd_entropy h = entropy (a, sym, 200, 1);
    const double least = by_search (count);
    cr_expect_leq (h.at_least, least + 1e-6, "run %d: at least %g, the grid has %g", run, h.at_least, least);
    cr_expect_leq (h.bits, least + 0.02, "run %d: %g, the grid has %g", run, h.bits, least);
    sd_alphabet_free (a);
  }
}

/* Longer words know more: twice the length is no more bits, and the words of a completion never have less
 * than the bound. The last word is filled up with free slots. */
Test (entropy, words) {
  enum { N = 1003 };
  uint64_t state = 9;
  sd_alphabet *a = alphabet (3);
  const sd_symbol any = range (a, 0, 2), low = range (a, 0, 1);
  sd_symbol sym[N], done[N];
  for (int i = 0; i < N; i++) {
    const uint64_t r = sd_random (&state) % 8;
    sym[i] = r == 0 ? any : r == 1 ? low : r == 2 ? 2 : (sd_symbol) (i / 7 % 2);
    done[i] = sym[i] == any || sym[i] == low ? 0 : sym[i];
  }
  const double one = entropy (a, sym, N, 1).bits, two = entropy (a, sym, N, 2).bits,
               four = entropy (a, sym, N, 4).bits;
  cr_expect_leq (two, one * 1.0001);
  cr_expect_leq (four, two * 1.0001);
  cr_expect_gt (four, 1);
  for (unsigned length = 1; length <= 4; length++)
    cr_expect_leq (entropy (a, sym, N, length).at_least, entropy (a, done, N, length).bits * 1.0001);
  sd_alphabet_free (a);
}

Test (entropy, errors_are_reported) {
  sd_alphabet *a = alphabet (1000);
  sd_symbol sym[4] = { 1, 2, 3, 999 };
  sd_seq s = { .alphabet = a, .sym = sym, .n = 4 };
  sd_entropy h;
  sd_error err;
  cr_expect_eq (sd_seq_entropy (&s, 0, 1e-3, 10, &h, &err), SD_EINVAL);
  cr_expect_eq (sd_seq_entropy (&s, SD_MAX_WORD + 1, 1e-3, 10, &h, &err), SD_EINVAL);
  cr_expect_eq (sd_seq_entropy (&s, 3, 1e-3, 10, &h, &err), SD_ERANGE, "10^9 words");
  sym[2] = 1000;
  cr_expect_eq (sd_seq_entropy (&s, 1, 1e-3, 10, &h, &err), SD_EINVAL, "no such symbol");
  sd_alphabet_free (a);
}
