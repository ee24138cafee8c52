/* The diagram coder: the conformance suite, node counts against a slow obvious count and against BuDDy, free
 * slots against all completions of tiny functions, S4's adversarial family, the invariants of stored
 * diagrams. */
#include "config.h"
#include <criterion/criterion.h>
#include "codec_suite.h"
#include "obdd/merge_internal.h"
#include "obdd/read_internal.h"
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
                                        "sums=yes,starts=3,polish=1",
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

/* ---------------------------------------------------------- helpers */

/* A sequence over m main symbols with n slots; the caller fills sym. */
static suite_seq sequence (unsigned m, unsigned ndims, const uint32_t *radix) {
  suite_seq q = { .kind = "made here", .seq = { .n = 1, .ndims = ndims } };
  cr_assert_eq (sd_alphabet_new (m, &q.alphabet), SD_OK);
  q.seq.alphabet = q.alphabet;
  for (unsigned d = 0; d < ndims; d++)
    q.seq.n *= q.seq.radix[d] = radix[d];
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  cr_assert (q.seq.sym);
  return q;
}

/* n = 2^bits slots in digits of one bit. */
static suite_seq function (unsigned m, unsigned bits) {
  uint32_t radix[SD_MAX_DIMS];
  for (unsigned d = 0; d < bits; d++)
    radix[d] = 2;
  return sequence (m, bits, radix);
}

/* Encode, check completion and invariants; the stream's length. */
static uint64_t shape_of (const suite_seq *q, const char *set, sd_obdd_shape *shape) {
  sd_buf out = suite_encode (&sd_codec_obdd, q, set);
  sd_decoder *d;
  sd_error err = { 0 };
  cr_assert_eq (
      sd_codec_open (&sd_codec_obdd, out.data, out.len, q->seq.n, sd_alphabet_main (q->alphabet), &d, &err),
      SD_OK, "%s", err.text);
  sd_symbol *all = sd_alloc (q->seq.n, sizeof *all);
  cr_assert_eq (sd_codec_read (d, 0, q->seq.n, all), SD_OK);
  cr_assert_eq (sd_seq_first_violation (&q->seq, all), q->seq.n);
  memset (shape, 0, sizeof *shape);
  if (!d->constant) {
    cr_assert_eq (sd_obdd_validate (d, &err), SD_OK, "%s: %s", set, err.text);
    sd_obdd_describe_shape (d, shape);
  }
  sd_codec_close (d);
  free (all);
  const uint64_t len = out.len;
  sd_buf_free (&out);
  return len;
}

static uint64_t total (const uint64_t *nodes) {
  uint64_t sum = 0;
  for (unsigned k = 1; k < 64; k++)
    sum += nodes[k];
  return sum;
}

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

/* A function with repetitions: each table is one of a few, with some noise. */
static void repetitive (suite_seq *q, uint64_t seed) {
  const unsigned m = sd_alphabet_main (q->alphabet);
  for (uint64_t i = 0; i < q->seq.n; i++) {
    uint64_t part = i / 16, pick = part * part % 23;
    q->seq.sym[i] = (sd_symbol) ((pick >> i % 16 % 5) % m);
    if (sd_random (&seed) % 50 == 0)
      q->seq.sym[i] = (sd_symbol) (sd_random (&seed) % m);
  }
}

/* Four digits of four numbers below 4: one value, and 32 variables; 2^30 roots that take no bits. */
Test (obdd, many_roots_that_take_no_bytes_open_in_no_time, .timeout = 10) {
  sd_obdd_vars v = { .ndigits = 5, .n = 33, .digit = { { 2, 1, 2, 1 } } };
  for (unsigned d = 1; d < 5; d++)
    v.digit[d] = (sd_obdd_digit){ 1, 4, 4, 8 };
  for (unsigned k = 0; k < v.n; k++)
    v.sum[k] = UINT64_C (1) << (v.n - 1 - k);
  const uint64_t node = 1, same = 0; /* 0 to the left, 1 to the right; twice the only node */
  sd_buf out = { 0 };
  sd_buf_u8 (&out, 1);
  sd_obdd_vars_write (&v, &out);
  sd_buf_u8 (&out, 3);
  for (unsigned k = 3; k > 0; k--)
    sd_buf_varint (&out, 0);
  sd_ef_write (&same, 1, 1, &out);
  sd_ef_write (&same, 1, 1, &out);
  sd_ef_write (&node, 1, 4, &out);
  sd_error err;
  sd_decoder *d = NULL;
  cr_assert_eq (sd_codec_open (&sd_codec_obdd, out.data, out.len, 2, 2, &d, &err), SD_OK, "%s", err.text);
  sd_symbol x = 9;
  cr_expect_eq (sd_codec_get (d, 1, &x), SD_OK);
  cr_expect_lt (x, 2);
  cr_expect_eq (sd_obdd_validate (d, &err), SD_OK, "%s", err.text);
  sd_codec_close (d);
  sd_buf_free (&out);
}

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

/* ---------------------------------------------------------- without free slots */

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

/* S4 Sec. 2.5: rows of 2^n groups of n symbols; of group j in row i only symbol i from the right is definite:
 * bit i of j. */
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

/* ---------------------------------------------------------- better orders */

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

/* ---------------------------------------------------------- rising sequences */

Test (obdd, rising_sequences_give_back_each_number) {
  static const uint64_t universe[] = {
    1, 2, 9, 1000, 1u << 20, UINT64_C (1) << 44, (UINT64_C (1) << 60) + 5
  };
  uint64_t rng = 3;
  for (unsigned u = 0; u < sizeof universe / sizeof universe[0]; u++)
    for (uint64_t step = 1; step < universe[u] * 2; step = step * 37 + 1) {
      uint64_t value[3000], n = 0;
      for (uint64_t v = sd_random (&rng) % step; v < universe[u] && n < 3000;
           v += 1 + sd_random (&rng) % step)
        value[n++] = v;
      if (n == 0)
        continue;
      sd_buf out = { 0 };
      sd_ef e;
      sd_ef_write (value, n, universe[u], &out);
      cr_assert_eq (out.len, sd_ef_bytes (n, universe[u]));
      uint8_t *exact = sd_alloc (out.len, 1);
      memcpy (exact, out.data, out.len);
      cr_assert_eq (sd_ef_open (&e, exact, exact + out.len, n, universe[u]), SD_OK);
      cr_assert_eq (sd_ef_index (&e), SD_OK);
      sd_ef_cursor c = { .e = &e };
      for (uint64_t i = 0; i < n; i++) {
        cr_assert_eq (sd_ef_get (&e, i), value[i]);
        cr_assert_eq (sd_ef_next (&c), value[i]);
      }
      sd_ef_close (&e);
      free (exact);
      sd_buf_free (&out);
    }
}

Test (obdd, rising_sequences_with_gaps_wider_than_a_group_s_head) {
  uint64_t value[400], n = 0, rng = 5;
  for (uint64_t v = 0; n < 400; v += n < 300 ? 1 : 1 + sd_random (&rng) % 90000)
    value[n++] = v;
  const uint64_t universe = value[n - 1] + 70000;
  sd_buf out = { 0 };
  sd_ef e;
  sd_ef_write (value, n, universe, &out);
  cr_assert_eq (sd_ef_open (&e, out.data, out.data + out.len, n, universe), SD_OK);
  cr_assert_eq (sd_ef_index (&e), SD_OK);
  unsigned far = 0;
  for (uint64_t i = 0; i < n; i++) {
    const sd_ef_group *g = &e.group[i / SD_EF_STEP];
    cr_assert_eq (sd_ef_get (&e, i), value[i]);
    far += i % SD_EF_STEP >= (unsigned) (__builtin_popcountll (g->bits) + __builtin_popcount (g->more));
  }
  cr_expect_gt (far, n / 10);
  cr_expect_lt (far, n);
  sd_ef_close (&e);
  sd_buf_free (&out);
}

/* ---------------------------------------------------------- ways down */

/* Each slot, with tables as for streams of several lengths. Counts all hops with tables, single steps, and
 * hops whose ways are no power of two. */
typedef struct ways_seen {
  unsigned tables, steps, counted, from_root;
} ways_seen;

static ways_seen found_by_all_ways (const suite_seq *q, const char *set) {
  const unsigned m = sd_alphabet_main (q->alphabet);
  sd_buf out = suite_encode (&sd_codec_obdd, q, set);
  sd_decoder *base;
  sd_error err;
  ways_seen seen = { 0 };
  cr_assert_eq (sd_codec_open (&sd_codec_obdd, out.data, out.len, q->seq.n, m, &base, &err), SD_OK, "%s",
                err.text);
  sd_obdd_decoder *d = (sd_obdd_decoder *) base;
  for (unsigned k = 0; k < 5; k++) {
    static const double times[] = { 1, 0, 0.3, 3, 1000 };
    sd_hops_close (d);
    cr_assert_eq (sd_hops_open (d, m, (size_t) (times[k] * (double) out.len)), SD_OK);
    for (unsigned h = 0; h < d->nhops; h++) {
      seen.tables += d->hop[h].table.word != NULL;
      seen.steps += d->hop[h].table.word == NULL;
      seen.counted += (d->hop[h].ways & (d->hop[h].ways - 1)) != 0;
    }
    seen.from_root += d->from_root;
    cr_expect_eq (d->hop[d->nhops - 1].to, 0);
    for (uint64_t i = 0; i < q->seq.n; i++) {
      sd_symbol x;
      cr_assert_eq (sd_codec_get (base, i, &x), SD_OK);
      cr_assert_eq (x, q->seq.sym[i], "%s: slot %llu", set, (unsigned long long) i);
    }
  }
  sd_codec_close (base);
  sd_buf_free (&out);
  return seen;
}

/* q's slots in so many parts of 16, each one of `parts`. */
static void of_parts (suite_seq *q, unsigned parts) {
  enum { PART = 16 };
  uint64_t rng = 11;
  sd_symbol *part = sd_alloc (parts * PART, sizeof *part);
  for (unsigned i = 0; i < parts * PART; i++)
    part[i] = (sd_symbol) (sd_random (&rng) % sd_alphabet_main (q->alphabet));
  for (uint64_t i = 0; i < q->seq.n; i++)
    q->seq.sym[i] = part[(i / PART * 7919 % parts) * PART + i % PART];
  free (part);
}

Test (obdd, symbols_are_found_by_tables_and_single_steps) {
  const uint32_t radix[2] = { 512, 256 };
  suite_seq q = sequence (200, 2, radix);
  of_parts (&q, 6000);
  const ways_seen one = found_by_all_ways (&q, "order=pieces,top=root"),
                  many = found_by_all_ways (&q, "order=pieces");
  cr_expect (one.tables && one.steps && !one.counted && !one.from_root);
  cr_expect (many.tables && many.steps && !many.counted && many.from_root);
  suite_free (&q);
}

Test (obdd, digits_that_are_no_power_of_two_are_counted_by_their_values) {
  const uint32_t radix[3] = { 10, 2016, 5 }; /* 4, 12 and 3 bits: a-d, e-p, q-s */
  suite_seq q = sequence (30, 3, radix);
  of_parts (&q, 1000);
  static const struct {
    const char *set;
    bool counted;
  } order[] = { { "order=pieces", true },
                { "order=sift,rounds=1", true },
                { "order=qrsekflgmhniojpabcd", true }, /* 10 and 2016 values, bits of equal men mixed */
                { "order=efghijklmnopdqcrbsa", true },
                { "order=interleaved,top=root", true },
                { "order=pieces,split=no", true },
                { "order=qrs(ae)ekf(kb)lgmhniojpcd",
                  true }, /* a digit that is tested in sums has bits only */
                { "order=(aeq)eqbcdfghijklmnoprs", false } };
  for (unsigned k = 0; k < sizeof order / sizeof order[0]; k++)
    cr_expect_eq (found_by_all_ways (&q, order[k].set).counted > 0, order[k].counted, "%s", order[k].set);
  suite_free (&q);
}
