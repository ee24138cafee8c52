/* The orders of diagrams: what levels may test, plain diagrams that follow, sifting and polishing. */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/obdd/obdd_made.h"
#include "obdd/obdd_internal.h"

/* ---------------------------------------------------------- plain diagrams */

static void expect_same (sd_obdd_plain *p, sd_obdd_plain *q) {
  cr_assert_eq (sd_obdd_plain_sort (p), SD_OK);
  cr_assert_eq (sd_obdd_plain_sort (q), SD_OK);
  cr_assert_eq (p->vars, q->vars);
  cr_assert_eq (p->leaves, q->leaves);
  cr_expect_arr_eq (p->leaf, q->leaf, p->leaves * sizeof *p->leaf);
  for (unsigned k = 1; k <= p->vars; k++) {
    cr_assert_eq (p->level[k].n, q->level[k].n, "level %u", k);
    cr_expect_arr_eq (p->level[k].node, q->level[k].node, p->level[k].n * sizeof *p->level[k].node);
    cr_expect_arr_eq (p->count[k], q->count[k], p->level[k].n * sizeof *p->count[k]);
  }
}

/* From the sequence, and from the table of all codes; before and after sifting. */
Test (obdd, plain_diagrams_do_not_depend_on_how_they_are_made) {
  static const uint32_t shape[][4] = {
    { 3, 2016, 5, 7 }, { 48, 10, 3, 2 }, { 5, 1128, 1, 9 }, { 2, 2, 1, 1 }
  };
  for (unsigned k = 0; k < sizeof shape / sizeof shape[0]; k++)
    for (unsigned sums = 0; sums < 2; sums++) {
      suite_seq q = sequence (5, 4, shape[k]);
      sd_obdd_vars v;
      sd_obdd_plain p = { 0 }, same = { 0 };
      sd_symbol *table;
      uint64_t seed = k + 1;
      for (uint64_t i = 0; i < q.seq.n; i++)
        q.seq.sym[i] = (sd_symbol) (i / 7 % 5 * (sd_random (&seed) % 9 > 0));
      for (unsigned rounds = 0; rounds < 3; rounds += 2) {
        cr_assert_eq (sd_obdd_vars_of (&q.seq, true, &v), SD_OK);
        cr_assert_eq (sd_obdd_plain_of_seq (&v, &q.seq, 5, 6, &p), SD_OK);
        cr_assert_eq (sd_obdd_sift (&v, &p, rounds, sums, NULL), SD_OK);
        cr_assert_eq (sd_obdd_spread (&v, &q.seq, 5, &table), SD_OK);
        cr_assert_eq (sd_obdd_plain_of_table (v.n, table, 6, &same), SD_OK);
        expect_same (&p, &same);
        for (uint64_t i = 0, n = 0; i < UINT64_C (1) << v.n;
             i++) { /* each symbol as often as it stands there */
          n += table[i] == p.leaf[0];
          if (i + 1 == UINT64_C (1) << v.n)
            cr_expect_eq (p.count[0][0], n);
        }
        free (table);
        sd_obdd_plain_free (&p);
        sd_obdd_plain_free (&same);
      }
      suite_free (&q);
    }
}

/* ---------------------------------------------------------- orders that are found */

Test (obdd, sifting_finds_the_order_that_is_known_to_be_good) {
  /* x0 x1 + x2 x3 + ..: 3 n / 2 nodes in this order, 2^(n/2 + 1) with the factors apart (Bryant 1986) */
  suite_seq q = function (2, 12);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = (sd_symbol) ((i & i >> 6 & 63) != 0);
  sd_obdd_shape apart, sifted, sums;
  shape_of (&q, "order=pieces,top=root", &apart);
  shape_of (&q, "order=sift,sums=no,top=root", &sifted);
  shape_of (&q, "order=sift,sums=yes,top=root", &sums);
  cr_expect_eq (total (sifted.branching), 12);
  cr_expect_geq (total (apart.branching), 126);
  cr_expect_leq (total (sums.nodes), total (sifted.nodes));
  suite_free (&q);
}

Test (obdd, a_parity_is_one_variable_with_sums) {
  suite_seq q = function (2, 10);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = (sd_symbol) (__builtin_popcountll (i & 0x2a5) & 1);
  sd_obdd_shape shape;
  shape_of (&q, "order=sift,sums=yes,top=root", &shape);
  cr_expect_eq (total (shape.branching), 1, "%s", shape.order);
  suite_free (&q);
}

/* x0 x6 + x1 x7 + .. as above; of 8 slots 7 are free, in no order, and what differs is not what counts. */
static suite_seq mostly_free (uint64_t rng) {
  suite_seq q = function (2, 12);
  const sd_symbol star = suite_range (q.alphabet, 0, 1);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = sd_random (&rng) % 8 ? star : (sd_symbol) ((i & i >> 6 & 63) != 0);
  return q;
}

Test (obdd, polishing_finds_orders_that_sifting_does_not_see) {
  uint64_t sifted = 0, started = 0, polished = 0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    suite_seq q = mostly_free (seed);
    sd_obdd_shape shape;
    sifted += shape_of (&q, "", &shape);
    started += shape_of (&q, "starts=4", &shape);
    polished += shape_of (&q, "polish=10", &shape);
    const uint64_t ordered = shape_of (&q, "order=pieces", &shape);
    cr_expect_leq (shape_of (&q, "order=pieces,polish=10", &shape), ordered);
    suite_free (&q);
  }
  cr_expect_lt (started, sifted - sifted / 10, "%llu, %llu", (unsigned long long) started,
                (unsigned long long) sifted);
  cr_expect_lt (polished, sifted - sifted / 10, "%llu, %llu", (unsigned long long) polished,
                (unsigned long long) sifted);
}

Test (obdd, orders_are_looked_for_in_the_same_way_each_time) {
  suite_seq q = mostly_free (5);
  sd_buf a = suite_encode (&sd_codec_obdd, &q, "polish=3"), b = suite_encode (&sd_codec_obdd, &q, "polish=3");
  cr_assert_eq (a.len, b.len);
  cr_expect_arr_eq (a.data, b.data, a.len);
  sd_buf_free (&a);
  sd_buf_free (&b);
  suite_free (&q);
}

/* Polishing and arranging leave the diagram in the order that they say. */
Test (obdd, plain_diagrams_follow_the_order) {
  suite_seq q = mostly_free (6);
  sd_obdd_vars v;
  sd_obdd_plain p = { 0 }, same = { 0 };
  sd_symbol *table;
  uint64_t sum[SD_OBDD_MAX_VARS];
  const sd_obdd_options opt = { .choices = 16, .pairs = 16, .slots = q.seq.n, .cover = true };
  for (unsigned polished = 0; polished < 2; polished++) {
    cr_assert_eq (sd_obdd_vars_of (&q.seq, true, &v), SD_OK);
    cr_assert_eq (sd_obdd_plain_of_seq (&v, &q.seq, 3, 4, &p), SD_OK);
    for (unsigned k = 0; k < v.n; k++)
      sum[k] = v.sum[(k * 5 + 3) % v.n];
    if (polished) {
      const sd_obdd_vars before = v;
      cr_assert_eq (sd_obdd_polish (&v, &p, q.alphabet, &opt, 2, NULL), SD_OK);
      cr_expect_arr_neq (v.sum, before.sum, v.n * sizeof *v.sum);
    } else {
      cr_assert_eq (sd_obdd_arrange (&v, &p, sum), SD_OK);
      cr_expect_arr_eq (v.sum, sum, v.n * sizeof *sum);
    }
    cr_assert_eq (sd_obdd_spread (&v, &q.seq, 3, &table), SD_OK);
    cr_assert_eq (sd_obdd_plain_of_table (v.n, table, 4, &same), SD_OK);
    expect_same (&p, &same);
    free (table);
    sd_obdd_plain_free (&p);
    sd_obdd_plain_free (&same);
  }
  suite_free (&q);
}

/* ---------------------------------------------------------- variables */

Test (obdd, digits_of_equal_men_are_split_into_squares) {
  const uint32_t radix[3] = { 3, 2016, 5 }; /* C(64, 2) */
  suite_seq q = sequence (2, 3, radix);
  uint64_t i = 0;
  for (unsigned a = 0; a < 3; a++)
    for (unsigned hi = 1; hi < 64; hi++)
      for (unsigned lo = 0; lo < hi; lo++)
        for (unsigned b = 0; b < 5; b++)
          q.seq.sym[i++] = (sd_symbol) ((hi ^ lo) >> 5); /* on different halves of the board */
  sd_obdd_shape split, whole;
  uint64_t bytes = shape_of (&q, "order=pieces", &split),
           more = shape_of (&q, "order=pieces,split=no", &whole);
  cr_expect_eq (split.variables, 2 + 12 + 3);
  cr_expect_eq (whole.variables, 2 + 11 + 3);
  cr_expect_lt (bytes, more);
  suite_free (&q);
}

Test (obdd, orders_by_letters) {
  suite_seq q = function (2, 5);
  sd_obdd_shape shape;
  repetitive (&q, 1);
  q.seq.sym[3] = 1;
  q.seq.sym[4] = 0;
  shape_of (&q, "order=ebcda,top=root", &shape);
  cr_expect_str_eq (shape.order, "ebcda");
  shape_of (&q, "order=e(ab)cd(ade),top=root", &shape);
  cr_expect_str_eq (shape.order, "e(ab)cd(ade)");
  static const char *const bad[] = {
    "order=abcd",        "order=abcdf",       "order=abcdd", "order=abcdea",
    "order=e(ab)cd(abe", "order=(ab)bcd(ab)", "order=what",  "order=a()bcd"
  };
  for (unsigned k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    sd_settings set = suite_settings (&sd_codec_obdd, bad[k]);
    sd_buf out = { 0 };
    sd_error err = { 0 };
    cr_expect_eq (sd_codec_encode (&sd_codec_obdd, &q.seq, &set, NULL, &out, &err), SD_EINVAL, "%s", bad[k]);
    cr_expect (strstr (err.text, "order="), "%s", err.text);
    cr_expect_eq (out.len, 0);
    sd_buf_free (&out);
  }
  suite_free (&q);
}
