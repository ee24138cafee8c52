/* Alphabets, sequences, and every initial replacement: the worked examples of Zakharov 2015 and slow, obvious
 * versions.
 */
#include "config.h"
#include <criterion/criterion.h>
#include "subdef/subdef.h"

#include <stdlib.h>
#include <string.h>

static sd_symbol range (sd_alphabet *a, unsigned lo, unsigned hi) {
  sd_symbol s = 0;
  cr_assert_eq (sd_alphabet_add_range (a, lo, hi, &s), SD_OK);
  return s;
}

/* ---------------------------------------------------------------- alphabet */

Test (alphabet, equal_sets_share_a_symbol_and_single_values_are_main_symbols) {
  for (unsigned m = 1; m <= 4096; m = m * 3 + 1) {
    sd_alphabet *a;
    cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
    cr_expect (sd_alphabet_main (a) == m && sd_alphabet_size (a) == m);
    for (unsigned v = 0; v < m; v += 1 + m / 7)
      cr_expect (range (a, v, v) == v && sd_alphabet_choices (a, (sd_symbol) v) == 1);
    sd_symbol star = range (a, 0, m - 1), up = range (a, m / 2, m - 1);
    cr_expect_eq (range (a, 0, m - 1), star);
    cr_expect_eq (range (a, m / 2, m - 1), up);
    cr_expect_eq (sd_alphabet_choices (a, up), m - m / 2);
    for (unsigned v = 0; v < m; v++) {
      cr_assert (sd_admits (a, star, (sd_symbol) v));
      cr_assert_eq (sd_admits (a, up, (sd_symbol) v), v >= m / 2);
      cr_assert_eq (sd_admits (a, (sd_symbol) v, 0), v == 0);
    }
    sd_alphabet_free (a);
  }
}

Test (alphabet, errors_are_reported) {
  sd_alphabet *a = NULL;
  sd_symbol s;
  uint64_t set[64] = { 0 };
  cr_expect_eq (sd_alphabet_new (0, &a), SD_EINVAL);
  cr_expect_eq (sd_alphabet_new (4097, &a), SD_EINVAL);
  cr_expect_null (a);
  sd_alphabet_free (NULL);
  cr_assert_eq (sd_alphabet_new (70, &a), SD_OK);
  cr_expect_eq (sd_alphabet_add (a, set, &s), SD_EINVAL, "empty");
  set[1] = 1 << 6;
  cr_expect_eq (sd_alphabet_add (a, set, &s), SD_EINVAL, "bit 70 of 0..69");
  cr_expect_eq (sd_alphabet_add_range (a, 5, 4, &s), SD_EINVAL);
  cr_expect_eq (sd_alphabet_add_range (a, 5, 70, &s), SD_EINVAL);
  unsigned last = 0;
  for (uint64_t k = 1; last < SD_MAX_SYMBOLS - 1; k++) {
    set[0] = k << 2 | 3;
    set[1] = 0;
    cr_assert_eq (sd_alphabet_add (a, set, &s), SD_OK);
    last = s;
  }
  set[0] = ~0ull;
  cr_expect_eq (sd_alphabet_add (a, set, &s), SD_ERANGE);
  cr_expect_eq (sd_alphabet_size (a), SD_MAX_SYMBOLS);
  set[0] = 1 << 2 | 3;
  cr_expect_eq (sd_alphabet_add (a, set, &s), SD_OK, "a known set is still found");
  sd_alphabet_free (a);
}

Test (alphabet, the_best_completion_is_the_heaviest_and_the_smallest_of_equals) {
  sd_alphabet *a;
  uint64_t weight[100] = { 0 };
  cr_assert_eq (sd_alphabet_new (100, &a), SD_OK);
  sd_symbol up = range (a, 60, 99);
  cr_expect_eq (sd_best_completion (a, up, weight), 60);
  weight[0] = 50;
  weight[66] = weight[90] = 7;
  cr_expect_eq (sd_best_completion (a, up, weight), 66);
  cr_expect_eq (sd_best_completion (a, 5, weight), 5);
  sd_alphabet_free (a);
}

/* ---------------------------------------------------------------- sequence */

/* A sequence typed as characters: - 0 + are the main symbols 0 1 2, `*` permits all, `#` lost and drawn, `^`
 * drawn and won,
 * `=` lost and won. */
typedef struct typed {
  sd_alphabet *a;
  sd_seq seq;
} typed;

static const char letters[] = "-0+*#^=";

static typed type (const char *text) {
  typed t = { 0 };
  cr_assert_eq (sd_alphabet_new (3, &t.a), SD_OK);
  range (t.a, 0, 2);
  range (t.a, 0, 1);
  range (t.a, 1, 2);
  sd_symbol s;
  cr_assert_eq (sd_alphabet_add (t.a, (uint64_t[]){ 5 }, &s), SD_OK);
  t.seq = (sd_seq){ .alphabet = t.a, .n = strlen (text) };
  t.seq.sym = sd_alloc (t.seq.n, sizeof *t.seq.sym);
  for (uint64_t i = 0; i < t.seq.n; i++)
    t.seq.sym[i] = (sd_symbol) (strchr (letters, text[i]) - letters);
  return t;
}

static void untype (typed *t) {
  free (t->seq.sym);
  sd_alphabet_free (t->a);
}

static void expect (const char *chain, const char *before, const char *after) {
  typed t = type (before);
  sd_error err = { 0 };
  cr_assert_eq (sd_initial_apply (chain, &t.seq, &err), SD_OK, "%s", err.text);
  char got[300] = "";
  for (uint64_t i = 0; i < t.seq.n; i++)
    got[i] = letters[t.seq.sym[i]];
  cr_expect_str_eq (got, after, "%s: %s became %s, not %s", chain, before, got, after);
  untype (&t);
}

/* Few symbols are counted in another way than many, both in pieces. */
Test (sequence, counts_are_those_of_a_plain_loop) {
  static const unsigned sizes[] = { 1, 3, 1024, 1025, 65535 };
  enum { N = 200003 };
  sd_symbol *sym = malloc (N * sizeof *sym);
  uint64_t *freq = malloc (65536 * sizeof *freq), *want = malloc (65536 * sizeof *want);
  for (unsigned k = 0; k < 5; k++) {
    memset (want, 0, 65536 * sizeof *want);
    for (uint32_t i = 0, x = 1; i < N; i++) {
      x = i % 7 < 3 ? x * 1664525 + 1013904223 : x; /* and runs */
      sym[i] = (sd_symbol) ((x >> 8) % sizes[k]);
      want[sym[i]]++;
    }
    cr_assert_eq (sd_count_symbols (sym, N, sizes[k], freq), SD_OK);
    for (unsigned v = 0; v < sizes[k]; v++)
      cr_assert_eq (freq[v], want[v], "size %u, symbol %u", sizes[k], v);
    cr_assert_eq (sd_count_symbols (sym, 0, sizes[k], freq), SD_OK);
    cr_expect_eq (freq[0], 0);
    sym[N - 1] = (sd_symbol) sizes[k];
    cr_expect_eq (sd_count_symbols (sym, N, sizes[k], freq), SD_EINVAL);
    cr_expect_eq (sd_count_symbols (sym, N - 1, sizes[k], freq), SD_OK);
  }
  free (sym);
  free (freq);
  free (want);
}

Test (sequence, frequencies_and_violations) {
  typed t = type ("00000-+#*");
  uint64_t freq[7];
  cr_assert_eq (sd_seq_frequencies (&t.seq, freq), SD_OK);
  static const uint64_t want[7] = { 1, 5, 1, 1, 1, 0, 0 };
  cr_expect (memcmp (freq, want, sizeof want) == 0);
  sd_symbol done[9] = { 1, 1, 1, 1, 1, 0, 2, 0, 2 };
  cr_expect_eq (sd_seq_first_violation (&t.seq, done), 9);
  done[7] = 2;
  cr_expect_eq (sd_seq_first_violation (&t.seq, done), 7);
  done[7] = 4;
  cr_expect_eq (sd_seq_first_violation (&t.seq, done), 7, "a completion must be a main symbol");
  done[0] = 0;
  cr_expect_eq (sd_seq_first_violation (&t.seq, done), 0);
  t.seq.sym[3] = 7;
  cr_expect_eq (sd_seq_frequencies (&t.seq, freq), SD_EINVAL);
  cr_expect_eq (sd_complete_frequent (&t.seq), SD_EINVAL);
  untype (&t);
}

/* ----------------------------------------------------- initial replacement */

Test (ternary, the_worked_examples) {
  expect ("ternary", "++***00", "+++++00");
  expect ("ternary", "+-##00", "+-0000");
  expect ("ternary", "0-#*+0", "0---+0");
  expect ("ternary", "0+##-0", "0+---0");
  expect ("ternary", "0+##+0", "0+##+0");
  expect ("ternary", "0+######+0", "0+000000+0");
}

Test (ternary, the_first_fitting_rule_wins) {
  expect ("ternary", "++**--", "++++--");       /* 1 before 2 */
  expect ("ternary", "0+**--", "0+----");       /* 2 before 3 */
  expect ("ternary", "0+**-0", "0+++-0");       /* 3 before 4 */
  expect ("ternary", "++#*--", "++----");       /* 1 fails because of one symbol */
  expect ("ternary", "0+#####+0", "0+#####+0"); /* 5 is not longer than 5 */
  expect ("ternary", "0+*#*#^*+0", "0+000000+0");
  expect ("ternary", "-+#^=#^=+-",
          "-+-+--+-+-"); /* each for itself; - and + are equally frequent, - is smaller */
}

Test (ternary, edges_and_neighbouring_runs) {
  expect ("ternary", "", "");
  expect ("ternary", "***", "***");
  expect ("ternary", "*+", "++");
  expect ("ternary", "+*", "++");
  expect ("ternary", "##++", "##++");
  expect ("ternary", "*******", "-------"); /* 5: nothing occurs, the smallest */
  expect ("ternary", "0*-*-", "00---");   /* 2 needs C = D, and D is free: 3; then 4 was not needed: B = - */
  expect ("ternary", "+-*-#0", "+----0"); /* the completed slot makes A = B for the second run */
}

Test (full, runs_by_length) {
  expect ("full", "00-+**", "00-+00");
  expect ("full", "0+0+0+-*",
          "0+0+0+-0"); /* no pair starts with -, none but the symbol: 0 and + equal, 0 is smaller */
  char before[64] = "0+0+0+--", after[64] = "0+0+0+--";
  memset (before + 8, '*', 31); /* 31: the symbol */
  memset (after + 8, '0', 31);
  expect ("full", before, after);
  before[39] = '*'; /* 32: the pair 0+ */
  for (unsigned i = 0; i < 32; i++)
    after[8 + i] = i % 2 ? '+' : '0';
  expect ("full", before, after);
  before[40] = '*'; /* 33: first - behind -, for that is the pair that starts with - */
  after[8] = '-';
  for (unsigned i = 1; i < 33; i++)
    after[8 + i] = i % 2 ? '0' : '+';
  expect ("full", before, after);
}

Test (full, one_slot_takes_the_better_pair_of_its_two_sides) {
  expect ("full", "-+-+-+0-0-*0", "-+-+-+0-0-+0"); /* -+ 3, Y0 1 */
  expect ("full", "+0+0+0-*0--", "+0+0+0-+0--");   /* -X 1, +0 3: the right side */
  expect ("full", "*", "-");
  expect ("full", "#*#", "#-#"); /* partly free slots stay and offer no pair */
}

Test (bounds, fully_free_slots_are_left_alone) {
  expect ("alg1", "00+*#^*=+", "00+*00*++"); /* 0: 2, +: 2, -: none */
  expect ("alg2", "**", "**");
  expect ("alg1+frequent", "00+*#", "00+00");
}

Test (bounds, left_neighbours_matter_to_algorithm_2) {
  expect ("alg1", "-+-+0000-^", "-+-+0000-0");
  expect ("alg2", "-+-+0000-^", "-+-+0000-+");
  expect ("alg2", "-+-+0000*^", "-+-+0000*0"); /* no main symbol on the left */
  expect ("alg2", "^-+", "+-+");               /* nothing on the left */
  expect ("alg2", "0+0+-0^#", "0+0+-0+0");     /* the completed + is the left symbol of # : +0 occurs */
}

Test (bounds, the_example_with_4_up) {
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (10, &a), SD_OK);
  sd_symbol up = range (a, 4, 9), sym[64];
  for (unsigned algorithm = 1; algorithm <= 2; algorithm++) {
    uint64_t n = 0;
    for (unsigned k = 0; k < 6; k++) /* (3,4) six times, one more 4, (3,5) twice, 18 more 5 */
      sym[n++] = 3, sym[n++] = 4;
    sym[n++] = 0, sym[n++] = 4, sym[n++] = 3, sym[n++] = 5, sym[n++] = 3, sym[n++] = 5;
    for (unsigned k = 0; k < 18; k++)
      sym[n++] = 0, sym[n++] = 5;

    sym[n++] = 3, sym[n++] = up;
    sd_seq s = { .alphabet = a, .sym = sym, .n = n };
    cr_assert_eq (sd_initial_apply (algorithm == 1 ? "alg1" : "alg2", &s, NULL), SD_OK);
    cr_expect_eq (sym[n - 1], algorithm == 1 ? 5 : 4);
  }
  sd_alphabet_free (a);
}

Test (initial, the_simple_ones) {
  expect ("none", "0*#", "0*#");
  expect ("zero", "0*#^=", "0--0-");
  expect ("constant:2", "0*#^=", "0+0++");
  expect ("frequent", "00-+*#^=", "00-+000-");
  expect ("left", "**+##0", "+++000"); /* nothing to the left: the right; # cannot be + */
  expect ("left", "0+*#*-", "0++---"); /* # looks right, and the next one left */
  expect ("left", "+#", "+-");         /* neither: the most frequent it admits; - and 0 never occur */
  expect ("left", "*", "-");
  expect ("none+left", "0*", "00");
}

Test (initial, zero_is_the_symbol_that_the_alphabet_names) {
  typed t = type ("+*#^=");
  sd_alphabet_set_zero (t.a, 1); /* a draw; = is lost or won, the more frequent of the two */
  cr_assert_eq (sd_initial_apply ("zero", &t.seq, NULL), SD_OK);
  static const sd_symbol want[5] = { 2, 1, 1, 1, 2 };
  cr_expect_eq (memcmp (t.seq.sym, want, sizeof want), 0);
  untype (&t);
}

Test (edges, the_two_neighbours_meet_at_a_multiple) {
  expect ("edges:4", "00********+0",
          "00000000++"
          "+0"); /* 0 is more frequent: up to slot 8 */
  expect ("edges:4", "-+********0000",
          "-+++000000"
          "0000"); /* 0 goes on: down to slot 4 */
  expect ("edges:1", "00****+0", "000000+0");
  expect ("edges:1", "-+**0000", "-+000000");
  expect ("edges:8", "00***++", "00000++"); /* no multiple inside: as far as it may */
  expect ("edges:0", "00***++", "00000++");
  expect ("larger:4", "00********+0",
          "0000++++++"
          "+0");
  expect ("larger:1", "++**0000", "++++0000");
}

Test (edges, each_neighbour_goes_as_far_as_it_may) {
  expect ("edges:1", "00*^#*++", "000000++"); /* 0 and + are equal, 0 goes on */
  expect ("edges:1", "0+*^#*++", "0+++0+++"); /* # cannot be +, on which side soever */
  expect ("larger:4", "0+*^##*++", "0+++00+++");
}

Test (edges, the_ends_of_a_sequence) {
  expect ("edges:8", "", "");
  expect ("edges:8", "***", "---");
  expect ("edges:8", "**+", "+++");
  expect ("edges:8", "+**", "+++");
  expect ("edges:8", "#*+",
          "-++"); /* nothing goes before: the most frequent; of those that never occur the smallest */
}

Test (initial, mistakes_in_chains_are_named_and_change_nothing) {
  static const struct {
    const char *chain, *says;
  } in[] = { { "", "\"\": no such" },         { "+", "no such" },
             { "left+", "no such" },          { "lef", "\"lef\"" },
             { "zero+leftt", "\"leftt\"" },   { "left:3", "takes no parameter" },
             { "constant", "needs a param" }, { "constant:", "from 0 to" },
             { "constant:x", "from 0 to" },   { "constant:4096", "from 0 to" },
             { "constant:1x", "from 0 to" },  { "constant:3", "0..2" } };
  for (unsigned k = 0; k < sizeof in / sizeof in[0]; k++) {
    typed t = type ("0*");
    sd_error err = { 0 };
    cr_expect_eq (sd_initial_apply (in[k].chain, &t.seq, &err), SD_EINVAL, "%s", in[k].chain);
    cr_expect (strstr (err.text, in[k].says), "%s: %s", in[k].chain, err.text);
    cr_expect_eq (t.seq.sym[1], 3);
    cr_expect_eq (sd_initial_check (in[k].chain, NULL), k == 11 ? SD_OK : SD_EINVAL);
    untype (&t);
  }
  typed t = type ("0*");
  sd_error err = { 0 };
  t.seq.sym[0] = 99;
  cr_expect_eq (sd_initial_apply ("left", &t.seq, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "slot 0: symbol 99"), "%s", err.text);
  untype (&t);
}

Test (initial, every_algorithm_keeps_definite_slots_and_only_narrows_the_others) {
  size_t count;
  const sd_initial *const *all = sd_initial_all (&count);
  cr_expect_eq (count, 11);
  for (unsigned m = 2; m <= 300; m = m * 5 + 3)
    for (uint64_t seed = 1; seed <= 30; seed++) {
      uint64_t rng = seed, n = sd_random (&rng) % 900;
      sd_alphabet *a;
      cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
      for (unsigned k = 0; k < 20; k++) {
        unsigned x = sd_random (&rng) % m, y = sd_random (&rng) % m;
        range (a, x < y ? x : y, x < y ? y : x);
      }
      sd_symbol star = range (a, 0, m - 1);
      unsigned size = sd_alphabet_size (a), free_share = (unsigned) (seed % 4);
      sd_symbol *before = sd_alloc (n, 2), *after = sd_alloc (n, 2);
      for (uint64_t i = 0; i < n; i++) {
        uint64_t x = sd_random (&rng);
        before[i] = (sd_symbol) (x % 4 >= free_share ? x >> 8 & 1 ? 0 : (x >> 16) % m : (x >> 16) % size);
        if (i > 0 && x >> 60 > 2)
          before[i] = before[i - 1];
        if (seed % 5 == 0 && i % 200 < 80)
          before[i] = star;
      }
      for (size_t k = 0; k < count; k++) {
        char chain[40];
        snprintf (chain, sizeof chain, "%s%s", all[k]->name, all[k]->takes_param ? ":1" : "");
        memcpy (after, before, n * sizeof *after);
        sd_seq s = { .alphabet = a, .sym = after, .n = n };
        cr_assert_eq (sd_initial_apply (chain, &s, NULL), SD_OK);
        for (uint64_t i = 0; i < n; i++)
          cr_assert (after[i] == before[i] || (after[i] < m && sd_admits (a, before[i], after[i])),
                     "%s, m %u, seed %lu: slot %lu: %u became %u", chain, m, (unsigned long) seed,
                     (unsigned long) i, before[i], after[i]);
        bool completes = strstr ("zero constant frequent left edges larger", all[k]->name) != NULL;
        for (uint64_t i = 0; i < n; i++) {
          cr_assert (!completes || after[i] < m, "%s leaves slot %lu free", chain, (unsigned long) i);
          if (strncmp (chain, "alg", 3) == 0)
            cr_assert_eq (after[i] >= m, before[i] == star, "%s: slot %lu", chain, (unsigned long) i);
          if (strcmp (chain, "full") == 0)
            cr_assert_neq (after[i], star, "full: slot %lu", (unsigned long) i);
        }
      }
      free (before);
      free (after);
      sd_alphabet_free (a);
    }
}

/* A few million slots in a fraction of a second: nothing may be quadratic in the length of a run. */
Test (initial, long_runs_take_linear_time, .timeout = 20) {
  uint64_t n = 3000000;
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  sd_symbol star = range (a, 0, 2), hash = range (a, 0, 1), *sym = sd_alloc (n, sizeof *sym);
  static const char *const chains[] = { "ternary",  "left", "full",    "alg1",    "alg2",
                                        "frequent", "zero", "edges:8", "larger:1" };
  for (unsigned k = 0; k < sizeof chains / sizeof *chains; k++) {
    for (uint64_t i = 0; i < n; i++)
      sym[i] = i == 0 || i == n - 1 ? 2 : i % 2 ? star : hash;
    sd_seq s = { .alphabet = a, .sym = sym, .n = n };
    cr_assert_eq (sd_initial_apply (chains[k], &s, NULL), SD_OK);
  }
  free (sym);
  sd_alphabet_free (a);
}
