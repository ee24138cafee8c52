/* The diagram codec: the conformance suite, node counts against a slow obvious count and against BuDDy, free
 * slots against all completions of tiny functions, Kristensen 2005's adversarial family, the invariants of
 * stored diagrams. */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/obdd/obdd_made.h"
#include "obdd/merge_internal.h"
#ifdef HAVE_BUDDY
#include <bdd.h>
#endif

/* ---------------------------------------------------------- as a codec */

static const char *const settings[] = { "",
                                        "order=pieces,top=root",
                                        "order=interleaved,match=first,choices=1",
                                        "merge=none,sums=yes",
                                        "initial=left,rounds=1,polish=5,pairs=1",
                                        "starts=4,rounds=1",
                                        "sums=yes,polish=1",
                                        "merge=root,order=pieces",
                                        NULL };

Test (obdd, keeps_every_promise_of_a_codec) {
  codec_suite (&sd_codec_obdd, settings);
}
Test (obdd, damaged_streams_never_crash) {
  codec_suite_damage (&sd_codec_obdd, "", 1200);
}
Test (obdd, damaged_streams_with_one_root_never_crash) {
  codec_suite_damage (&sd_codec_obdd, "order=pieces,top=root", 1200);
}

/* ---------------------------------------------------------- without free slots */

/* Different ones among the n / size tables of `size` symbols, by comparing each with all before it. */
static uint64_t different (const sd_symbol *sym, uint64_t n, uint64_t size) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; i += size) {
    uint64_t j = 0;
    while (j < i && memcmp (sym + i, sym + j, size * sizeof *sym) != 0)
      j += size;
    count += j == i;
  }
  return count;
}

Test (obdd, levels_hold_the_different_subtables) {
  for (unsigned m = 2; m <= 9; m += 7)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      suite_seq q = function (m, 11);
      sd_obdd_shape shape;
      repetitive (&q, seed);
      shape_of (&q, "order=pieces,top=root", &shape);
      cr_assert_eq (shape.levels, 11);
      cr_assert_str_eq (shape.order, "abcdefghijk");
      for (unsigned k = 1; k <= 11; k++)
        cr_assert_eq (shape.nodes[k], different (q.seq.sym, q.seq.n, UINT64_C (1) << k), "m %u, level %u", m,
                      k);
      suite_free (&q);
    }
}

#ifdef HAVE_BUDDY
/* The function over variables first.. (0 at the root), its table at sym. */
static BDD with_buddy (const sd_symbol *sym, int first, int n) {
  if (first == n)
    return sym[0] ? bddtrue : bddfalse;
  BDD lo = bdd_addref (with_buddy (sym, first + 1, n));
  BDD hi = bdd_addref (with_buddy (sym + (1 << (n - first - 1)), first + 1, n));
  BDD both = bdd_ite (bdd_ithvar (first), hi, lo);
  bdd_delref (lo);
  bdd_delref (hi);
  return both;
}

Test (obdd, branching_nodes_are_those_of_buddy) {
  bdd_init (100000, 10000);
  bdd_gbc_hook (NULL);
  bdd_setvarnum (12);
  for (uint64_t seed = 1; seed <= 4; seed++) {
    suite_seq q = function (2, 12);
    sd_obdd_shape shape;
    repetitive (&q, seed);
    shape_of (&q, "order=pieces,top=root", &shape);
    BDD f = bdd_addref (with_buddy (q.seq.sym, 0, 12));
    cr_expect_eq (total (shape.branching), (uint64_t) bdd_nodecount (f));
    /* the same function in the order that sifting found */
    shape_of (&q, "order=sift,sums=no,top=root", &shape);
    int order[12];
    for (unsigned i = 0; i < 12; i++)
      order[i] = shape.order[i] - 'a';
    bdd_setvarorder (order);
    cr_expect_eq (total (shape.branching), (uint64_t) bdd_nodecount (f));
    for (int i = 0; i < 12; i++)
      order[i] = i;
    bdd_setvarorder (order);
    bdd_delref (f);
    suite_free (&q);
  }
  bdd_done ();
}
#endif

/* ---------------------------------------------------------- with free slots */

/* Fewest nodes of a complete diagram of 2^bits slots over {0, 1} under all completions. */
static uint64_t fewest (const sd_symbol *sym, unsigned bits, sd_symbol star) {
  uint64_t best = UINT64_MAX, n = UINT64_C (1) << bits, stars = 0;
  sd_symbol t[64];
  for (uint64_t i = 0; i < n; i++)
    stars += sym[i] == star;
  for (uint64_t c = 0; c < UINT64_C (1) << stars; c++) {
    uint64_t rest = c, nodes = 0;
    for (uint64_t i = 0; i < n; i++) {
      t[i] = sym[i] == star ? (sd_symbol) (rest & 1) : sym[i];
      if (sym[i] == star)
        rest >>= 1;
    }
    for (unsigned k = 1; k <= bits; k++)
      nodes += different (t, n, UINT64_C (1) << k);
    best = nodes < best ? nodes : best;
  }
  return best;
}

Test (obdd, tiny_functions_are_close_to_the_best_completion) {
  uint64_t ours = 0, best = 0, seed = 7;
  for (unsigned round = 0; round < 150; round++) {
    suite_seq q = function (2, 4 + round % 2);
    sd_obdd_shape shape;
    sd_symbol star = suite_range (q.alphabet, 0, 1);
    for (uint64_t i = 0, left = 10; i < q.seq.n; i++) {
      bool is_free = left > 0 && sd_random (&seed) % 5 < 2;
      q.seq.sym[i] = is_free ? star : (sd_symbol) (sd_random (&seed) & 1);
      left -= is_free;
    }
    shape_of (&q, "order=pieces,top=root", &shape);
    if (shape.levels) {
      uint64_t least = fewest (q.seq.sym, shape.levels, star), mine = total (shape.nodes);
      cr_assert_geq (mine, least, "round %u", round);
      ours += mine;
      best += least;
    }
    suite_free (&q);
  }
  cr_expect_lt (ours, best + best / 20, "%llu nodes, at best %llu", (unsigned long long) ours,
                (unsigned long long) best);
}

/* Kristensen 2005, 2.5: rows of 2^n groups of n symbols; of group j in row i only symbol i from the right is
 * definite: bit i of j. */
static void adversary (suite_seq *q, unsigned n, sd_symbol star, bool rows_merged) {
  for (uint64_t i = 0; i < q->seq.n; i++) {
    uint64_t symbol = n - 1 - i % n, group = i / n % (1u << n), row = i / n >> n;
    q->seq.sym[i] = symbol == row || rows_merged ? (sd_symbol) (group >> symbol & 1) : star;
  }
}

Test (obdd, the_family_that_defeats_merging_from_the_root) {
  const unsigned n = 8;
  suite_seq q = function (2, 3 + n + 3);
  sd_symbol star = suite_range (q.alphabet, 0, 1);
  sd_obdd_shape leaves, rows, first;
  adversary (&q, n, star, false);
  shape_of (&q, "order=pieces,top=root", &leaves);
  shape_of (&q, "order=pieces,top=root,match=first", &first);
  adversary (&q, n, star, true); /* what merging the compatible rows comes to */
  shape_of (&q, "order=pieces,top=root", &rows);
  cr_expect_leq (total (leaves.nodes), 2 * n * n, "%llu", (unsigned long long) total (leaves.nodes));
  cr_expect_leq (total (first.nodes), 2 * n * n, "%llu", (unsigned long long) total (first.nodes));
  cr_expect_geq (total (rows.nodes), 1u << n);
  suite_free (&q);
}

Test (obdd, free_slots_save_bytes) {
  uint64_t definite = 0, some = 0;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    suite_seq q = function (3, 10);
    sd_symbol star = suite_range (q.alphabet, 0, 2), low = suite_range (q.alphabet, 0, 1);
    sd_obdd_shape shape;
    uint64_t rng = seed;
    repetitive (&q, seed);
    definite += shape_of (&q, "order=pieces", &shape);
    for (uint64_t i = 0; i < q.seq.n; i++)
      if (sd_random (&rng) % 3 == 0)
        q.seq.sym[i] = q.seq.sym[i] < 2 && sd_random (&rng) % 2 ? low : star;
    some += shape_of (&q, "order=pieces", &shape);
    suite_free (&q);
  }
  cr_expect_lt (some, definite, "%llu, %llu", (unsigned long long) some, (unsigned long long) definite);
}

/* So many choices that candidates go through the filter of cover.c. */
Test (obdd, many_choices_are_covered_better_than_one_by_one) {
  const uint32_t radix[2] = { 512, 512 };
  suite_seq q = sequence (6, 2, radix);
  sd_obdd_shape cover, first;
  uint64_t rng = 9;
  for (uint64_t i = 0; i < q.seq.n; i++) {
    const unsigned low = (unsigned) (sd_random (&rng) % 6),
                   high = low + (unsigned) (sd_random (&rng) % (6 - low));
    q.seq.sym[i] = suite_range (q.alphabet, low, high);
  }
  const uint64_t best = shape_of (&q, "order=pieces", &cover),
                 more = shape_of (&q, "order=pieces,match=first", &first);
  cr_expect_lt (best, more, "%llu, %llu bytes", (unsigned long long) best, (unsigned long long) more);
  suite_free (&q);
}

static uint32_t a_set (sd_obdd_sets *s, uint32_t first, uint32_t n, uint32_t last) {
  uint32_t elem[1024];
  for (uint32_t i = 0; i < n; i++)
    elem[i] = first + i;
  elem[n] = last;
  return sd_obdd_sets_add (s, elem, n + 1);
}

/* 200 times two sub-tables that have 512 pairs of nodes in common, more than are listed at once; behind them
 * 40 that have a pair in common. */
Test (obdd, a_list_full_of_equal_candidates_does_not_hide_better_ones) {
  enum { POOR = 400, RICH = 40, NODES = 3000 };
  sd_obdd_sets below;
  sd_obdd_node item[POOR + RICH];
  uint32_t count[POOR + RICH] = { 0 }, most = 0;
  uint8_t hit[POOR + RICH] = { 0 };
  const sd_obdd_options opt = { .choices = 1024, .pairs = 1026 };
  cr_assert_eq (sd_obdd_sets_init (&below, NODES), SD_OK);
  for (uint32_t i = 0; i < POOR; i++)
    item[i] = (sd_obdd_node){ a_set (&below, 0, 511, 511), a_set (&below, 1000 + i / 2, 1, 1500 + i) };
  for (uint32_t i = POOR; i < POOR + RICH; i++)
    item[i] = (sd_obdd_node){ a_set (&below, 2000, 1, 2100 + i), a_set (&below, 2500, 1, 2600 + i) };
  const sd_merger m = { .below = &below,
                        .nbelow = NODES,
                        .opt = &opt,
                        .nitems = POOR + RICH,
                        .item = item,
                        .count = count,
                        .hit = hit };
  sd_candidates c;
  cr_assert_eq (sd_candidates_list (&m, 0, &c), SD_OK);
  for (uint32_t x = 0; x < c.n; x++)
    most = c.start[x + 1] - c.start[x] > most ? c.start[x + 1] - c.start[x] : most;
  cr_expect_eq (most, RICH, "%u", most);
  cr_expect (c.more);
  cr_expect_eq (c.end, POOR + RICH);
  sd_candidates_free (&c);
  sd_obdd_sets_free (&below);
}

Test (obdd, sets_that_are_full_say_so) {
  sd_obdd_sets s;
  const uint32_t elem[3] = { 1, 2, 3 };
  cr_assert_eq (sd_obdd_sets_init (&s, 9), SD_OK);
  s.elems = s.elem_cap = UINT32_MAX - 2;
  cr_expect_eq (sd_obdd_sets_add (&s, elem, 3), UINT32_MAX);
  cr_expect (s.full);
  sd_obdd_sets_free (&s);
}
