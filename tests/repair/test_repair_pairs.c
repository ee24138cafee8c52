/* Replacing pairs: a naive RE-PAIR as an oracle, worked examples, final replacement. */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "repair/repair_internal.h"

/* ------------------------------------------------------------- oracle */

/* Textbook RE-PAIR: counts every pair by itself, replaces one pair at a time. The smallest pair wins a tie.
 */
typedef struct naive {
  const sd_alphabet *alphabet;
  unsigned m, a, used, left[2000], right[2000];
  unsigned sym[2000];
  size_t n;
  bool subdefinite, compatible;
} naive;

static bool naive_is (const naive *v, unsigned x, unsigned as) {
  if (x == as)
    return true;
  return v->subdefinite && as < v->m && x >= v->m && x < v->a
         && sd_admits (v->alphabet, (sd_symbol) x, (sd_symbol) as);
}
static unsigned naive_count (const naive *v, unsigned x, unsigned y) {
  unsigned count = 0;
  for (size_t i = 0; i + 1 < v->n;)
    if (v->sym[i] == x && v->sym[i + 1] == y) {
      count++;
      i += 2;
    } else
      i++;
  return count;
}
/* How often something stands there that may become xy. */
static unsigned naive_weight (const naive *v, unsigned x, unsigned y) {
  unsigned sum = naive_count (v, x, y);
  for (unsigned p = 0; v->compatible && p < v->used; p++)
    for (unsigned q = 0; naive_is (v, p, x) && q < v->used; q++)
      if ((p != x || q != y) && naive_is (v, q, y))
        sum += naive_count (v, p, q);
  return sum;
}
static bool naive_step (naive *v, unsigned least) {
  unsigned best = 0, bx = 0, by = 0;
  for (size_t i = 0; i + 1 < v->n; i++) {
    unsigned x = v->sym[i], y = v->sym[i + 1], count;
    if ((x >= v->m && x < v->a) || (y >= v->m && y < v->a))
      continue;
    count = naive_weight (v, x, y);
    if (count > best || (count == best && (x < bx || (x == bx && y < by))))
      best = count, bx = x, by = y;
  }
  if (best < least)
    return false;
  size_t o = 0;
  for (size_t i = 0; i < v->n;)
    if (i + 1 < v->n && naive_is (v, v->sym[i], bx) && naive_is (v, v->sym[i + 1], by)) {
      v->sym[o++] = v->used;
      i += 2;
    } else
      v->sym[o++] = v->sym[i++];
  v->n = o;
  v->left[v->used] = bx;
  v->right[v->used++] = by;
  return true;
}

static void compare_with_naive (unsigned m, unsigned n, unsigned free_share, const sd_pair_rule *rule,
                                uint64_t seed) {
  const bool subdefinite = rule != &sd_pair_exact, compatible = rule == &sd_pair_compatible;
  sd_alphabet *a = suite_alphabet_with_star (m);
  naive v = { .alphabet = a,
              .m = m,
              .a = sd_alphabet_size (a),
              .n = n,
              .subdefinite = subdefinite,
              .compatible = compatible };
  sd_symbol sym[2000];
  uint64_t rng = seed;
  unsigned value = 0;
  for (unsigned i = 0; i < n; i++) {
    uint64_t x = sd_random (&rng);
    if (x % 4 == 0) /* runs and repeats */
      value = (x >> 8) % m;
    else if (i > 40 && x % 4 == 1)
      value = v.sym[i - 37] % m;
    v.sym[i] =
        x >> 40 & 63 && free_share ? (x >> 16) % 16 < free_share ? m + (m > 2 && x >> 32 & 1) : value : value;
    sym[i] = (sd_symbol) v.sym[i];
  }
  v.used = v.a;
  while (naive_step (&v, 2))
    ;
  sd_seq seq = { .alphabet = a, .sym = sym, .n = n };
  sd_repair st;
  sd_error err;
  cr_assert_eq (sd_repair_init (&st, &seq, 60000, &err), SD_OK);
  st.max_batch = 1;
  st.min_count = 2;
  st.pair = rule;
  cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
#define HERE "m %u, n %u, free %u, subdefinite %d, compatible %d, seed %" PRIu64 ": "
#define ARGS m, n, free_share, subdefinite, compatible, seed
  cr_assert_eq (st.used, v.used, HERE "%u ids, expected %u", ARGS, st.used, v.used);
  for (unsigned id = v.a; id < v.used; id++)
    cr_assert (st.left[id] == v.left[id] && st.right[id] == v.right[id],
               HERE "id %u is %u %u, expected %u %u", ARGS, id, st.left[id], st.right[id], v.left[id],
               v.right[id]);
  cr_assert_eq (st.n, v.n, HERE "%" PRIu64 " symbols remain, expected %zu", ARGS, st.n, v.n);
  for (size_t i = 0; i < v.n; i++)
    cr_assert_eq (st.ids[i], v.sym[i], HERE "symbol %zu", ARGS, i);
  sd_repair_clear (&st);
  sd_alphabet_free (a);
}

Test (repair, one_pair_a_round_is_textbook_repair) {
  for (uint64_t seed = 1; seed <= 12; seed++)
    for (unsigned m = 2; m <= 5; m++) {
      compare_with_naive (m, 700, 0, &sd_pair_exact, seed);
      compare_with_naive (m, 300, 3, &sd_pair_exact, seed);
      compare_with_naive (m, 300, 3, &sd_pair_subdefinite, seed);
      compare_with_naive (m, 150, 12, &sd_pair_subdefinite, seed);
      compare_with_naive (m, 300, 0, &sd_pair_compatible, seed);
      compare_with_naive (m, 300, 3, &sd_pair_compatible, seed);
      compare_with_naive (m, 150, 12, &sd_pair_compatible, seed);
    }
}
Test (repair, one_pair_a_round_is_textbook_repair_with_many_symbols) {
  for (uint64_t seed = 1; seed <= 6; seed++) { /* more than 256 ids: counts in the hash table */
    compare_with_naive (250, 2000, 0, &sd_pair_exact, seed);
    compare_with_naive (300, 1500, 0, &sd_pair_subdefinite, seed);
    compare_with_naive (300, 1500, 2, &sd_pair_subdefinite, seed);
    compare_with_naive (400, 1500, 2, &sd_pair_exact, seed);
    compare_with_naive (300, 300, 2, &sd_pair_compatible, seed);
  }
}

/* Length of st's sequence in positions; each phrase expanded must admit the slots of `slot`. */
static void expect_completion (const sd_repair *st, const sd_symbol *slot, uint64_t n) {
  uint64_t at = 0;
  for (uint64_t i = 0; i < st->n; i++) {
    sd_symbol stack[SD_REPAIR_MAX_DEPTH + 1];
    unsigned top = 0;
    stack[top++] = st->ids[i];
    while (top) {
      unsigned id = stack[--top];
      if (id >= st->a) {
        stack[top++] = st->right[id];
        stack[top++] = st->left[id];
        continue;
      }
      cr_assert_lt (at, n);
      cr_assert (id == slot[at] || (id < st->m && sd_admits (st->alphabet, slot[at], (sd_symbol) id)),
                 "slot %" PRIu64 " does not admit %u", at, id);
      at++;
    }
  }
  cr_assert_eq (at, n);
}

Test (repair, counts_that_follow_the_replacements_equal_a_fresh_count) {
  /* the same text in batches and pair by pair compresses to nearly the same cost, and both stay completions
   */
  suite_seq q = suite_make (SUITE_RUNS, 6);
  uint64_t n = q.seq.n;
  sd_symbol *keep = sd_alloc (n, sizeof *keep);
  memcpy (keep, q.seq.sym, n * sizeof *keep);
  uint64_t length[2];
  for (int batch = 0; batch < 2; batch++) {
    sd_repair st;
    sd_error err;
    memcpy (q.seq.sym, keep, n * sizeof *keep);
    cr_assert_eq (sd_repair_init (&st, &q.seq, 5000, &err), SD_OK);
    st.pair = &sd_pair_subdefinite;
    st.min_count = 3;
    st.max_batch = batch ? 1024 : 1;
    cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
    expect_completion (&st, keep, n);
    uint64_t *freq = sd_alloc (st.used, sizeof *freq);
    memcpy (freq, st.freq, st.used * sizeof *freq);
    sd_repair_count_symbols (&st);
    for (unsigned id = 0; id < st.used; id++)
      cr_assert_eq (freq[id], st.freq[id], "id %u", id);
    free (freq);
    length[batch] = st.n + 3 * st.used;
    if (batch)
      cr_expect_lt (st.rounds, st.used / 10, "%" PRIu64 " rounds for %u ids", st.rounds, st.used);
    sd_repair_clear (&st);
  }
  cr_expect_lt (length[1], length[0] + length[0] / 20, "%" PRIu64 " in batches, %" PRIu64 " pair by pair",
                length[1], length[0]);
  free (keep);
  suite_free (&q);
}

/* --------------------------------------------------- worked examples */

/* Letters: - 0 + * # stand for 0 1 2 3 4; # is - or 0. */
typedef struct letters {
  sd_alphabet *alphabet;
  sd_symbol sym[200];
  sd_seq seq;
  sd_repair st;
} letters;

static void letters_open (letters *l, const char *text, const sd_pair_rule *pair) {
  sd_error err;
  l->alphabet = suite_alphabet_with_star (3);
  l->seq = (sd_seq){ .alphabet = l->alphabet, .sym = l->sym, .n = strlen (text) };
  for (size_t i = 0; text[i]; i++)
    l->sym[i] = (sd_symbol) (strchr ("-0+*#", text[i]) - "-0+*#");
  cr_assert_eq (sd_repair_init (&l->st, &l->seq, 100, &err), SD_OK);
  l->st.pair = pair;
  l->st.max_batch = 1;
  l->st.min_count = 2;
}
/* The sequence, phrases as A, B, ... */
static const char *letters_text (const letters *l) {
  static char out[201];
  for (uint64_t i = 0; i < l->st.n; i++)
    out[i] = (char) (l->st.ids[i] < 5 ? "-0+*#"[l->st.ids[i]] : 'A' + l->st.ids[i] - 5);
  out[l->st.n] = 0;
  return out;
}
static void letters_close (letters *l) {
  sd_repair_clear (&l->st);
  sd_alphabet_free (l->alphabet);
}

Test (repair, a_pair_takes_what_has_it_as_a_completion) {
  static const struct {
    const char *in, *exact, *subdefinite;
  } examples[] = {
    { "0+-0+-0+", "A-A-A", "A-A-A" },        /* no freedom */
    { "0+0+0+**", "AAA**", "AAAA" },         /* ** */
    { "0+0+0+-*+", "AAA-*+", "AAA-A" },      /* *B */
    { "0+0+0+0*-", "AAA0*-", "AAAA-" },      /* A* */
    { "0+0+0+#+-", "AAA#+-", "AAAA-" },      /* # may be 0 */
    { "0+0+0+0#-", "AAA0#-", "AAA0#-" },     /* # may not be + */
    { "0+0+0+-***", "AAA-***", "AAA-A*" },   /* from left to right */
    { "-0-0-0+##*#", "AAA+##*#", "AAA+AA" }, /* ## and *# as -0 */
  };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    for (int sub = 0; sub < 2; sub++) {
      letters l;
      sd_error err;
      letters_open (&l, examples[i].in, sub ? &sd_pair_subdefinite : &sd_pair_exact);
      l.st.limit = l.st.a + 1; /* one phrase */
      cr_assert_eq (sd_repair_rounds (&l.st, &err), SD_OK);
      cr_expect_str_eq (letters_text (&l), sub ? examples[i].subdefinite : examples[i].exact,
                        "%s, rule %d: %s", examples[i].in, sub, letters_text (&l));
      letters_close (&l);
    }
}

Test (repair, final_replacement_fills_blocks_with_the_longest_phrase) {
  static const struct {
    const char *in, *longest, *frequent;
  } examples[] = {
    /* A = 00, B = AA; 0 stands alone nowhere, so a lone slot takes the sign that does */
    { "0000-+0000+-0000-****+", "B-+B+-B-B+", "B-+B+-B-----+" },
    { "0000-+0000+-0000-***+", "B-+B+-B-A-+", "B-+B+-B----+" },
    { "0000-+0000+-0000-******+", "B-+B+-B-BA+", "B-+B+-B-------+" },
    { "0000-+0000+-0000-####+", "B-+B+-B-B+", "B-+B+-B-----+" }, /* # may be 0 */
  };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    for (int longest = 0; longest < 2; longest++) {
      letters l;
      sd_error err;
      sd_symbol slot[200];
      letters_open (&l, examples[i].in, &sd_pair_exact);
      memcpy (slot, l.sym, sizeof slot);
      l.st.min_count = 3;
      l.st.limit = l.st.a + 2;
      uint64_t n = l.st.n;
      cr_assert_eq (sd_repair_rounds (&l.st, &err), SD_OK);
      cr_assert_eq ((longest ? sd_final_longest : sd_final_frequent) (&l.st, &err), SD_OK);
      expect_completion (&l.st, slot, n);
      const char *want = longest ? examples[i].longest : examples[i].frequent;
      cr_expect_str_eq (letters_text (&l), want, "%s: %s, expected %s", examples[i].in, letters_text (&l),
                        want);
      letters_close (&l);
    }
}

Test (repair, final_replacement_handles_long_runs_and_many_short_ones) {
  enum { N = 60000 };
  sd_alphabet *a = suite_alphabet_with_star (3);
  sd_symbol *sym = sd_alloc (N, sizeof *sym), *slot = sd_alloc (N, sizeof *slot);
  uint64_t rng = 5;
  for (unsigned shape = 0; shape < 3; shape++) {
    for (unsigned i = 0; i < N; i++) {
      uint64_t x = sd_random (&rng);
      unsigned run = shape == 0 ? i / 9000 % 2 : shape == 1 ? x % 3 == 0 : i % 70 < 69;
      sym[i] = (sd_symbol) (run ? 3 + (x >> 8) % 16 / 15 : i / 7 % 3 + (x >> 32) % 64 / 63);
      slot[i] = sym[i] = sym[i] > 4 ? 4 : sym[i];
    }
    sd_seq seq = { .alphabet = a, .sym = sym, .n = N };
    sd_repair st;
    sd_error err;
    cr_assert_eq (sd_repair_init (&st, &seq, 5000, &err), SD_OK);
    cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
    cr_assert_eq (sd_final_longest (&st, &err), SD_OK);
    expect_completion (&st, slot, N);
    uint64_t before = st.n;
    cr_assert_eq (sd_repair_prune (&st), SD_OK);
    expect_completion (&st, slot, N);
    cr_expect_lt (st.n, before + before / 10);
    sd_repair_clear (&st);
  }
  free (sym);
  free (slot);
  sd_alphabet_free (a);
}

/* Places where two neighbours could still become a phrase of the dictionary, and runs of two free slots that
 * could. */
static void count_left (const sd_repair *st, uint64_t *pairs, uint64_t *free_pairs) {
  *pairs = *free_pairs = 0;
  for (uint64_t i = 0; i + 1 < st->n; i++)
    for (unsigned id = st->a; id < st->used; id++)
      if (sd_repair_may_be (st, st->ids[i], st->left[id])
          && sd_repair_may_be (st, st->ids[i + 1], st->right[id])) {
        ++*pairs;
        *free_pairs += !sd_repair_definite (st, st->ids[i]) && !sd_repair_definite (st, st->ids[i + 1]);
        break;
      }
}

/* Zakharov 2015, 1.7.3: where a pair takes all that has it as a completion, no block of free slots is left
 * that a phrase fits: each phrase holds one of two main symbols, which took its places when it was made. And
 * completing single slots makes no neighbours that the dictionary knows. Step 2 is all that is left to do. */
Test (repair, pairs_with_their_completions_leave_nothing_to_the_final_replacement) {
  enum { N = 3000 };
  static const sd_pair_rule *const rules[] = { &sd_pair_exact, &sd_pair_subdefinite, &sd_pair_compatible };
  uint64_t exact_left = 0, exact_free = 0, exact_differs = 0;
  for (unsigned rule = 0; rule < 3; rule++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      sd_alphabet *a = suite_alphabet_with_star (3);
      sd_symbol sym[2][N];
      uint64_t rng = seed, n[2], pairs, free_pairs;
      sd_error err;
      for (unsigned i = 0, value = 0, run = 0; i < N; i++) {
        uint64_t x = sd_random (&rng);
        value = x % 5 ? value : (unsigned) (x >> 8) % 3;
        run = run ? run - 1 : x >> 16 & 7 ? 0 : (unsigned) (x >> 24) % (2 * (unsigned) seed);
        sym[0][i] = sym[1][i] = (sd_symbol) (run ? 3 + (x >> 40 & 1) : value);
      }
      for (unsigned longest = 0; longest < 2; longest++) {
        sd_seq seq = { .alphabet = a, .sym = sym[longest], .n = N };
        sd_repair st;
        cr_assert_eq (sd_repair_init (&st, &seq, 5000, &err), SD_OK);
        st.pair = rules[rule];
        st.min_count = 2 + seed % 7;
        cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
        count_left (&st, &pairs, &free_pairs);
        if (rule)
          cr_expect_eq (pairs, 0, "rule %u, seed %" PRIu64 ": %" PRIu64 " pairs are left, %" PRIu64 " free",
                        rule, seed, pairs, free_pairs);
        else
          exact_left += pairs, exact_free += free_pairs;
        cr_assert_eq ((longest ? sd_final_longest : sd_final_frequent) (&st, &err), SD_OK);
        n[longest] = st.n;
        sd_repair_clear (&st);
      }
      bool same = n[0] == n[1] && memcmp (sym[0], sym[1], n[0] * sizeof *sym[0]) == 0;
      exact_differs += !rule && !same;
      cr_expect (!rule || same, "rule %u, seed %" PRIu64 ": the final rules differ", rule, seed);
      sd_alphabet_free (a);
    }
  cr_expect (exact_left > exact_free && exact_free > 0 && exact_differs > 0,
             "exact pairs: %" PRIu64 " left, %" PRIu64 " free, %" PRIu64 " differ", exact_left, exact_free,
             exact_differs);
}

Test (repair, recompressing_leaves_no_known_pair) {
  letters l;
  sd_error err;
  letters_open (&l, "0+0+0+-0+0+-0++0+0-+0", &sd_pair_exact);
  cr_assert_eq (sd_repair_rounds (&l.st, &err), SD_OK);
  unsigned used = l.st.used;
  sd_symbol slot[200];
  l.st.n = 21;
  for (unsigned i = 0; i < 21; i++)
    l.sym[i] = slot[i] = (sd_symbol) (1 + i % 2);
  cr_assert_eq (sd_repair_recompress (&l.st), SD_OK);
  expect_completion (&l.st, slot, 21);
  for (uint64_t i = 0; i + 1 < l.st.n; i++)
    for (unsigned id = l.st.a; id < used; id++)
      cr_expect (l.sym[i] != l.st.left[id] || l.sym[i + 1] != l.st.right[id]);
  letters_close (&l);
}
