/* The codec `trees`: sequences with a shape, the forest against a slow oracle, its model, damage. The
 * conformance suite for sequences without a shape stands in test_codecs.c. */
#include "config.h"
#include "codecs/codecs.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "codecs/row.h"
#include "codecs/trees/trees_internal.h"

#include <math.h>

/* Three digits; smooth values with noise; free where the last two are equal, sometimes elsewhere, bounds here
 * and there. */
static suite_seq shaped (uint64_t seed, unsigned m) {
  static const uint32_t radix[3] = { 5, 24, 40 };
  suite_seq q = { .kind = "shaped", .seed = seed };
  uint64_t rng = seed;
  cr_assert_eq (sd_alphabet_new (m, &q.alphabet), SD_OK);
  sd_symbol star = suite_range (q.alphabet, 0, m - 1), up = suite_range (q.alphabet, m / 2, m - 1);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = 5 * 24 * 40, .ndims = 3 };
  memcpy (q.seq.radix, radix, sizeof radix);
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  for (uint64_t i = 0; i < q.seq.n; i++) {
    unsigned a = (unsigned) (i / 960), b = (unsigned) (i / 40 % 24), c = (unsigned) (i % 40);
    uint64_t x = sd_random (&rng);
    unsigned v = (a * 3 + b / 4 + c / 5 + (x % 16 == 0)) % m;
    q.seq.sym[i] = b == c || x % 29 == 0 ? star : v >= m / 2 && x % 7 == 0 ? up : (sd_symbol) v;
  }
  return q;
}

Test (trees, sequences_with_a_shape_come_back) {
  static const char *const settings[] = { "", "block=128,trees=5,leaves=20", "slots=64,trees=1,depth=2",
                                          "initial=left", NULL };
  for (uint64_t seed = 1; seed <= 3; seed++)
    for (unsigned k = 0; settings[k]; k++) {
      suite_seq q = shaped (seed, seed == 3 ? 300 : 20);
      suite_check (&sd_codec_trees, &q, settings[k]);
      suite_check (&sd_codec_forest, &q, settings[k]);
      suite_free (&q);
    }
}

/* Three equal men have 41,664 placements: a last digit that is part of no pair, beside digits that are. */
Test (trees, a_long_last_digit_beside_a_pair) {
  static const uint32_t radix[3] = { 6, 6, 5000 };
  suite_seq q = { .kind = "long last digit", .seed = 1 };
  uint64_t rng = 1;
  cr_assert_eq (sd_alphabet_new (4, &q.alphabet), SD_OK);
  const sd_symbol star = suite_range (q.alphabet, 0, 3);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = 6 * 6 * 5000, .ndims = 3 };
  memcpy (q.seq.radix, radix, sizeof radix);
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = i / 30000 == i / 5000 % 6 ? star : (sd_symbol) (sd_random (&rng) % 16 ? i / 700 % 4 : 3);
  suite_check (&sd_codec_trees, &q, "samples=20000,depth=40");
  suite_check (&sd_codec_forest, &q, "samples=20000,depth=40");
  suite_free (&q);
}

/* Calm but for some slots, groups that are free, and blocks that end within a group. */
Test (trees, groups_of_eight_slots_come_back) {
  for (unsigned ragged = 0; ragged < 2;
       ragged++) { /* where the last digit has 60 numbers there are no groups */
    suite_seq q = { .kind = ragged ? "no groups" : "groups", .seed = 3 };
    uint64_t rng = 3, tail = ragged ? 60 : 64;
    cr_assert_eq (sd_alphabet_new (3, &q.alphabet), SD_OK);
    const sd_symbol star = suite_range (q.alphabet, 0, 2);
    q.seq = (sd_seq){
      .alphabet = q.alphabet, .n = 16 * 64 * tail, .ndims = 3, .radix = { 16, 64, (uint32_t) tail }
    };
    q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
    for (uint64_t i = 0; i < q.seq.n; i++) {
      const uint64_t a = i / (64 * tail), b = i / tail % 64, c = i % tail;
      q.seq.sym[i] = b == c ? star : (sd_symbol) (sd_random (&rng) % 500 == 0 ? 2 : b / 8 == a % 8 && c < 16);
    }
    for (unsigned k = 0; k < 3; k++)
      suite_check (&sd_codec_forest, &q,
                   ((const char *[]){ "", "block=128,trees=2", "slots=24,trees=2,groups=no" })[k]);
    suite_free (&q);
  }
}

/* Blocks that end after as many slots are not listed, and one whose answers are all sure takes no byte. */
Test (trees, blocks_of_equal_slots_take_next_to_nothing_where_all_is_sure) {
  enum { N = 64 * 500 + 17 };
  suite_seq q = { .kind = "mostly alike", .seed = 1 };
  uint64_t rng = 1;
  cr_assert_eq (sd_alphabet_new (3, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = N };
  q.seq.sym = sd_alloc0 (N, sizeof *q.seq.sym);
  for (unsigned i = 64 * 50; i < 64 * 60; i++)
    q.seq.sym[i] = (sd_symbol) (sd_random (&rng) % 3);
  q.seq.sym[N - 1] = 2;
  suite_check (&sd_codec_forest, &q, "slots=64,block=1024");
  sd_buf out = suite_encode (&sd_codec_forest, &q, "slots=64,block=1024");
  sd_decoder *d;
  sd_codec_parts parts;
  sd_codec_block block;
  cr_assert_eq (sd_codec_open (&sd_codec_forest, out.data, out.len, N, 3, &d, NULL), SD_OK);
  sd_codec_describe (d, &parts);
  cr_expect_eq (parts.blocks, 501);
  cr_expect_leq (parts.index, 501 * 4 / 8, "%d bytes", (int) parts.index); /* two blocks a byte, or more */
  unsigned empty = 0;
  for (uint64_t b = 0; b < 501; b++) {
    cr_assert (sd_codec_block_of (d, 64 * b + 5, &block));
    cr_expect (block.number == b && block.first == 64 * b && block.slots == (b < 500 ? 64 : 17));
    empty += block.bytes == 0;
  }
  cr_expect (empty > 450 && empty <= 490, "%u", empty);
  sd_codec_close (d);
  sd_buf_free (&out);
  suite_free (&q);
}

/* Of 64 times 64 times 64 slots, block by block. */
static sd_codec_parts parts_of (suite_seq *q, const char *settings, unsigned *empty) {
  sd_buf out = suite_encode (&sd_codec_forest, q, settings);
  sd_decoder *d;
  sd_codec_parts parts;
  sd_codec_block block;
  cr_assert_eq (sd_codec_open (&sd_codec_forest, out.data, out.len, q->seq.n, 3, &d, NULL), SD_OK);
  sd_codec_describe (d, &parts);
  *empty = 0;
  for (uint64_t i = 0; i < q->seq.n; i = block.first + block.slots) {
    cr_assert (sd_codec_block_of (d, i, &block));
    *empty += block.bytes == 0;
  }
  sd_codec_close (d);
  sd_buf_free (&out);
  return parts;
}

static suite_seq cube (const char *kind) {
  suite_seq q = { .kind = kind };
  cr_assert_eq (sd_alphabet_new (3, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = 64 * 64 * 64, .ndims = 3, .radix = { 64, 64, 64 } };
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  return q;
}

/* A sure question takes 0.0002 bits: 65536 of them a byte, and 8192 none. */
Test (trees, one_question_takes_the_place_of_eight) {
  suite_seq q = cube ("calm but for its beginning");
  uint64_t rng = 1;
  unsigned empty;
  for (unsigned i = 0; i < 4096; i++)
    q.seq.sym[i] = (sd_symbol) (sd_random (&rng) % 3);
  cr_expect_eq (parts_of (&q, "block=4096,trees=2", &empty).blocks, 4);
  cr_expect_eq (empty, 3);
  cr_expect_eq (parts_of (&q, "block=4096,trees=2,groups=no", &empty).blocks, 4);
  cr_expect_eq (empty, 0);
  suite_free (&q);
}

/* Where a group is not alike although all around it is, the trees know it from other such groups. */
Test (trees, what_is_said_of_groups_is_learned) {
  suite_seq q = cube ("groups that differ");
  unsigned empty;
  for (unsigned i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = i / 64 % 16 == 4 && i % 64 == 29 ? 2 : 0;
  const sd_codec_parts parts = parts_of (&q, "slots=4096,trees=4", &empty);
  cr_expect_eq (parts.blocks, 64);
  cr_expect_leq (parts.payload, 64 * 3, "%d bytes", (int) parts.payload);
  suite_free (&q);
}

static size_t size_of (const sd_codec *codec, const suite_seq *q, const char *settings) {
  sd_buf out = suite_encode (codec, q, settings);
  size_t len = out.len;
  sd_buf_free (&out);
  return len;
}

Test (trees, planes_are_smaller_than_with_lzma_and_shape_helps) {
  suite_seq q = shaped (7, 20);
  size_t with = size_of (&sd_codec_trees, &q, "block=1024");
  cr_expect_lt (with, size_of (&sd_codec_lzma, &q, "block=16384,initial=left") * 3 / 4);
  q.seq.ndims = 0;
  cr_expect_lt (with, size_of (&sd_codec_trees, &q, "block=1024"));
  suite_free (&q);
}

/* Where a pair of digits says that all slots are free no question is asked, whatever is around. */
Test (trees, kinds_of_slots_that_are_all_free_take_no_bits) {
  sd_alphabet *a;
  uint64_t rng = 5;
  cr_assert_eq (sd_alphabet_new (64, &a), SD_OK);
  suite_seq q = { .kind = "noise",
                  .seed = 5,
                  .alphabet = a,
                  .seq = { .alphabet = a, .n = 64 * 64, .ndims = 2, .radix = { 64, 64 } } };
  sd_symbol star = suite_range (a, 0, 63);
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = i % 64 % 2 ? star : (sd_symbol) (sd_random (&rng) % 64);
  suite_check (&sd_codec_trees, &q, "block=1024");
  /* 2048 symbols of 6 bits, blocks' ends, a model without much in it */
  cr_expect_lt (size_of (&sd_codec_trees, &q, "block=1024"), 2048 * 6 / 8 * 11 / 10 + 200);
  suite_free (&q);
}

/* The larger of what two pairs of digits say, in no order that neighbours would show, and noise. */
static suite_seq patterned (void) {
  suite_seq q = { .kind = "patterns of digits", .seed = 1 };
  uint64_t rng = 1;
  uint8_t said[2][32 * 32];
  for (unsigned k = 0; k < sizeof said; k++)
    said[k / sizeof *said][k % sizeof *said] = sd_random (&rng) % 3 ? 0 : 1 + k % 2;
  cr_assert_eq (sd_alphabet_new (3, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = 16 * 32 * 32 * 32, .ndims = 4, .radix = { 16, 32, 32, 32 } };
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  for (uint64_t i = 0; i < q.seq.n; i++) {
    const unsigned a = i >> 15, b = i >> 10 & 31, c = i >> 5 & 31, d = i & 31;
    const unsigned x = said[0][a * 32 + c], y = said[1][b * 32 + d];
    q.seq.sym[i] = (sd_symbol) (sd_random (&rng) % 32 == 0 ? sd_random (&rng) % 3 : x > y ? x : y);
  }
  return q;
}

Test (trees, averages_tell_what_pairs_of_digits_say) {
  suite_seq q = patterned ();
  const size_t trees = size_of (&sd_codec_trees, &q, "block=1024,samples=200");
  sd_buf forest = suite_encode (&sd_codec_forest, &q, "block=1024,samples=200");
  cr_expect_lt (forest.len, trees * 2 / 3, "%zu and %zu bytes", forest.len, trees);
  suite_check_stream (&sd_codec_forest, &q, "block=1024,samples=200", &forest);
  sd_buf_free (&forest);
  suite_free (&q);
}

/* A table may be coded again and again, as choosing and writing do. */
Test (trees, values_of_averages_that_were_coded_stay) {
  uint64_t rng = 3;
  sd_trees_model mo = { 0 };
  sd_trees_average list[SD_TREES_AVERAGES];
  sd_trees_model_init (&mo, 3, (uint32_t[4]){ 4, 20, 30, 10 }, 4, 4 * 20 * 30 * 10);
  const unsigned n = sd_trees_list_averages (&mo, list);
  cr_assert_eq (n, 6 + 4);
  for (unsigned k = 0; k < n; k++) {
    uint8_t value[6000], given[6000], again[6000];
    cr_assert_leq (list[k].size, sizeof value);
    for (unsigned i = 0; i < list[k].size; i++)
      value[i] = given[i] = sd_random (&rng) % 9 ? (uint8_t) (i / 5 % 64) : (uint8_t) (sd_random (&rng) % 64);
    list[k].value = value;
    sd_buf packed[2] = { { 0 } };
    for (unsigned round = 0; round < 2; round++) {
      memcpy (again, value, sizeof again);
      sd_rc_enc enc = sd_rc_enc_of (packed + round);
      sd_rc_coder c = { .enc = &enc };
      sd_trees_code_average (&c, &mo, list + k);
      sd_rc_finish (&enc, 0);
    }
    cr_expect_arr_eq (again, value, list[k].size);
    for (unsigned i = 0; i < list[k].size; i++)
      cr_assert_leq (abs (value[i] - given[i]), list[k].ndigits > 2 ? 3 : 0);
    sd_rc_dec dec = sd_rc_dec_of (packed[1].data, packed[1].len);
    sd_rc_coder c = { .dec = &dec };
    list[k].value = again;
    memset (again, 0, sizeof again);
    sd_trees_code_average (&c, &mo, list + k);
    cr_expect_arr_eq (again, value, list[k].size);
    sd_buf_free (packed);
    sd_buf_free (packed + 1);
  }
}

/* --------------------------------------------------------------------- forest */

static sd_trees_samples samples_of (uint32_t n, uint64_t seed) {
  sd_trees_samples s = { .n = n, .cap = n, .weight = 1 };
  s.row = sd_alloc0 (n, sizeof *s.row);
  s.yes = sd_alloc0 (n, 1);
  uint64_t rng = seed;
  for (uint32_t i = 0; i < n; i++) {
    for (unsigned f = 0; f < SD_TREES_AVERAGE_HERE; f++)
      s.row[i][f] = (uint8_t) (sd_random (&rng) % (f % 5 + 2));
    s.yes[i] = (s.row[i][4] + s.row[i][9] + s.row[i][14] > 7) ^ (sd_random (&rng) % 10 == 0);
  }
  return s;
}
static void samples_free (sd_trees_samples *s) {
  free (s->row);
  free (s->yes);
}

static double entropy (double a, double b) {
  return (a > 0 ? -a * log (a / (a + b)) : 0) + (b > 0 ? -b * log (b / (a + b)) : 0);
}

/* Nats that are left after the best split of all, tried one by one. */
static double best_split (const sd_trees_samples *s) {
  double best = INFINITY;
  for (unsigned f = 0; f < SD_TREES_FEATURES; f++)
    for (unsigned limit = 0; limit < 63; limit++) {
      double n[2][2] = { { 0 } };
      for (uint32_t i = 0; i < s->n; i++)
        n[s->row[i][f] > limit][s->yes[i]]++;
      double left = entropy (n[0][0], n[0][1]) + entropy (n[1][0], n[1][1]);
      if (n[0][0] + n[0][1] >= 10 && n[1][0] + n[1][1] >= 10 && left < best)
        best = left;
    }
  return best;
}

static int score_of (const sd_trees_model *mo, const uint8_t *row) {
  int score = 0;
  for (unsigned t = 0; t < mo->ntrees; t++) {
    unsigned at = mo->root[t];
    while (!sd_trees_is_leaf (mo, at))
      at = mo->node[at].next + (row[mo->node[at].feature] > mo->node[at].limit);
    score += mo->score[at];
  }
  return score;
}

static double paid (const sd_trees_model *mo, const sd_trees_samples *s) {
  double nats = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    double p = 1 / (1 + exp (-score_of (mo, s->row[i]) / 12.0));
    nats -= log (s->yes[i] ? p : 1 - p);
  }
  return nats;
}

Test (trees, the_first_split_is_the_best_one) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    sd_trees_samples s = samples_of (400, seed);
    for (uint32_t i = 0; i < s.n; i++) /* one split tells something */
      s.yes[i] = (s.row[i][3 + seed] > 1) ^ (s.row[i][20] == 0 && s.row[i][21] == 0);
    sd_trees_model mo = { 0 };
    cr_assert_eq (sd_trees_grow (&s, &(sd_trees_growth){ .trees = 1, .leaves = 2, .depth = 8 }, &mo), SD_OK);
    cr_assert_eq (mo.nnodes, 4);
    double left = best_split (&s), took = paid (&mo, &s);
    cr_expect (fabs (took - left) < 0.02 * left + 0.5, "seed %d: best split leaves %f nats, ours %f",
               (int) seed, left, took);
    sd_trees_model_clear (&mo);
    samples_free (&s);
  }
}

Test (trees, more_trees_and_leaves_tell_more_and_noise_grows_none) {
  sd_trees_samples s = samples_of (20000, 3);
  sd_trees_model mo = { 0 };
  double before = INFINITY;
  static const unsigned shapes[3][2] = { { 1, 2 }, { 1, 8 }, { 6, 8 } };
  for (unsigned k = 0; k < 3; k++) {
    cr_assert_eq (
        sd_trees_grow (&s, &(sd_trees_growth){ .trees = shapes[k][0], .leaves = shapes[k][1], .depth = 8 },
                       &mo),
        SD_OK);
    double now = paid (&mo, &s);
    cr_expect_lt (now, before);
    before = now;
  }
  uint64_t rng = 1;
  for (uint32_t i = 0; i < s.n; i++)
    s.yes[i] = sd_random (&rng) % 3 == 0;
  cr_assert_eq (sd_trees_grow (&s, &(sd_trees_growth){ .trees = 6, .leaves = 100, .depth = 8 }, &mo), SD_OK);
  cr_expect_eq (mo.ntrees, 1);
  cr_expect_leq (mo.nnodes, 4, "%u nodes for noise", mo.nnodes);
  sd_trees_model_clear (&mo);
  samples_free (&s);
}

/* The last tree is fitted last: along none of its leaves more is left than what rounding of scores, and one
 * step of Newton instead of many, leave. How many trees there are. */
static unsigned last_tree_is_fitted (const sd_trees_samples *s, unsigned trees, double most) {
  sd_trees_model mo = { 0 };
  cr_assert_eq (sd_trees_grow (s, &(sd_trees_growth){ .trees = trees, .leaves = 8, .depth = 8 }, &mo), SD_OK);
  const unsigned ntrees = mo.ntrees, last = mo.root[ntrees - 1];
  double slope[16] = { 0 }, bend[16] = { 0 };
  cr_assert_leq (mo.nnodes - last, 16);
  for (uint32_t i = 0; i < s->n; i++) {
    const double p = 1 / (1 + exp (-score_of (&mo, s->row[i]) / 12.0));
    unsigned at = last;
    while (!sd_trees_is_leaf (&mo, at))
      at = mo.node[at].next + (s->row[i][mo.node[at].feature] > mo.node[at].limit);
    slope[at - last] += s->yes[i] - p;
    bend[at - last] += p * (1 - p);
  }
  for (unsigned at = last; at < mo.nnodes; at++)
    if (sd_trees_is_leaf (&mo, at)) {
      const double steps = 12 * slope[at - last] / (bend[at - last] + 1);
      cr_expect_lt (fabs (steps), most, "%u trees: leaf %u is %f steps away", ntrees, at, steps);
    }
  sd_trees_model_clear (&mo);
  return ntrees;
}

Test (trees, leaves_are_fitted_to_what_the_other_trees_leave) {
  sd_trees_samples s = samples_of (20000, 5);
  cr_expect_geq (last_tree_is_fitted (&s, 6, 0.6), 2);
  samples_free (&s);
  /* Also where the trees end before all that are allowed, because one more tells nothing. */
  unsigned counts = 0;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    s = samples_of (20000, seed);
    counts |= 1u << last_tree_is_fitted (&s, SD_TREES_MAX_TREES, 2);
    samples_free (&s);
  }
  cr_expect_eq (counts, 1u << 4 | 1u << 5 | 1u << 6);
}

static void model_comes_back (bool averages) {
  sd_trees_samples s = samples_of (20000, 9);
  suite_seq q = shaped (4, 20);
  sd_trees_model mo, again = { 0 };
  sd_trees_model_init (&mo, 20, q.seq.radix, 3, q.seq.n);
  mo.usual = 7;
  cr_assert_eq (sd_trees_pairs (&mo, &q.seq), SD_OK);
  if ((mo.has_averages = averages))
    cr_assert_eq (sd_trees_averages (&mo, &q.seq), SD_OK);
  cr_assert_eq (sd_trees_grow (&s, &(sd_trees_growth){ .trees = 7, .leaves = 50, .depth = 16 }, &mo), SD_OK);
  sd_buf out = { 0 };
  sd_trees_model_write (&mo, &out);
  sd_reader r = sd_reader_of (out.data, out.len);
  cr_assert_eq (sd_trees_model_read (&r, 20, q.seq.n, averages, &again), SD_OK);
  cr_expect (r.p == r.end);
  cr_expect_eq (again.usual, 7);
  cr_expect_eq (again.nneighbours, mo.nneighbours);
  cr_expect_arr_eq (again.offset, mo.offset, sizeof mo.offset);
  cr_assert_eq (again.npairs, mo.npairs);
  for (unsigned k = 0; k < mo.npairs; k++)
    cr_expect_arr_eq (again.pair[k].level, mo.pair[k].level, mo.radix[mo.pair[k].a] * mo.radix[mo.pair[k].b]);
  cr_assert_eq (again.naverages, averages ? 3 : 0);
  for (unsigned k = 0; k < again.naverages; k++)
    cr_expect_arr_eq (again.average[k].value, mo.average[k].value, mo.average[k].size);
  cr_expect_eq (again.ntrees, mo.ntrees);
  for (uint32_t i = 0; i < s.n; i++)
    cr_assert_eq (score_of (&again, s.row[i]), score_of (&mo, s.row[i]));
  sd_buf_free (&out);
  sd_trees_model_clear (&mo);
  sd_trees_model_clear (&again);
  samples_free (&s);
  suite_free (&q);
}

/* A question of each kind, and what the trees say of it one by one. */
Test (trees, the_forest_of_each_kind_says_what_the_trees_do) {
  static const enum sd_trees_ahead ahead[SD_TREES_KINDS] = {
    [SD_TREES_LATER] = SD_TREES_IN_GROUP, [SD_TREES_OF_GROUP] = SD_TREES_FOR_GROUP
  };
  static const unsigned alike[SD_TREES_KINDS] = {
    [SD_TREES_CALM] = 5, [SD_TREES_FIRST] = 1, [SD_TREES_OF_GROUP] = 5
  };
  sd_trees_samples s = samples_of (20000, 11);
  for (unsigned trees = 1; trees <= 20; trees += trees < 9 ? 1 : 11) {
    sd_trees_model mo = { .nneighbours = 5, .groups = true, .ndims = 1, .radix = { 64 } };
    for (uint32_t i = 0; i < s.n; i++)
      s.row[i][SD_TREES_AHEAD] = (uint8_t) (s.row[i][SD_TREES_DIFFERENCES] % 3);
    cr_assert_eq (sd_trees_grow (&s, &(sd_trees_growth){ .trees = trees, .leaves = 40, .depth = 9 }, &mo),
                  SD_OK);
    for (uint32_t i = 0; i < 3000; i++) {
      const unsigned kind = i % SD_TREES_KINDS;
      uint32_t row[SD_TREES_ZERO + 1] = { 0 };
      uint8_t *small = s.row[i];
      small[SD_TREES_ASKING] = kind == SD_TREES_LATER ? 1 + i % 3 : 0;
      small[SD_TREES_AHEAD] = (uint8_t) ahead[kind];
      for (unsigned k = 0; k < alike[kind]; k++)
        small[SD_TREES_DIFFERENCES + k] = SD_TREES_CLIP;
      for (unsigned f = 0; f < SD_TREES_FEATURES; f++)
        row[f] = (uint32_t) small[f] << 8;
      int score = 0;
      for (unsigned t = 0; t < mo.ntrees; t += 8)
        score += sd_trees_walk (mo.forest + kind, t, row);
      cr_assert_eq (score, score_of (&mo, small), "%u trees, kind %u", mo.ntrees, kind);
    }
    sd_trees_model_clear (&mo);
  }
  samples_free (&s);
}

Test (trees, a_model_comes_back) {
  model_comes_back (false);
  model_comes_back (true);
}

Test (trees, chances_are_those_of_the_logistic_function) {
  for (int score = -SD_TREES_SCORE; score <= SD_TREES_SCORE; score++) {
    double want = 65536 / (1 + exp (-score / 12.0));
    want = want > 65527 ? 65527 : want < 9 ? 9 : want;
    cr_expect (fabs (sd_trees_yes (score) - want) <= 1, "score %d: %u, not %f", score, sd_trees_yes (score),
               want);
  }
}

Test (trees, damaged_streams_with_a_shape_never_crash) {
  suite_seq q = shaped (2, 20);
  sd_buf good = suite_encode (&sd_codec_trees, &q, "block=128,trees=2,leaves=30");
  uint8_t *bad = sd_alloc (good.len, 1);
  uint64_t rng = 17;
  for (unsigned round = 0; round < 600; round++) {
    memcpy (bad, good.data, good.len);
    size_t area = round % 2 ? 60 : good.len;
    for (unsigned k = 0; k <= round % 3; k++)
      bad[sd_random (&rng) % area] = (uint8_t) sd_random (&rng);
    char what[32];
    snprintf (what, sizeof what, "damage %u", round);
    suite_read_damaged (&sd_codec_trees, bad, good.len - (round % 7 == 0 ? sd_random (&rng) % 50 : 0),
                        q.seq.n, 20, what);
  }
  free (bad);
  sd_buf_free (&good);
  suite_free (&q);
}

/* ----------------------------------------------------------------- hostile work */

/* A stream of one block whose 64 questions a slot are all answered no, each after a walk of `depth` steps
 * through each tree: many seconds of work for some kilobytes. groups: it is one of `forest`, and one more
 * question is asked for eight slots. */
static sd_buf no_after_no (unsigned m, uint64_t n, unsigned trees, unsigned depth, uint32_t far,
                           bool groups) {
  sd_trees_model mo;
  sd_buf out = { 0 };
  sd_trees_model_init (&mo, m, (const uint32_t[]){ (uint32_t) (n / 64), 64 }, groups ? 2 : 0, n);
  mo.has_averages = mo.groups = groups;
  mo.offset[mo.nneighbours - 1] = far;
  cr_assert_eq (sd_trees_forest_new (&mo, SD_TREES_MAX_NODES), SD_OK);
  for (unsigned t = 0; t < trees; t++) {
    mo.root[t] = (uint16_t) mo.nnodes++;
    for (unsigned k = 0, at = mo.root[t]; k <= depth; k++) { /* always to the left; all leaves say no */
      mo.score[at] = -128;
      mo.node[at] = sd_trees_leaf (at);
      if (k == depth)
        break;
      mo.node[at] = (sd_trees_node){ SD_TREES_ASKING, 63, (uint16_t) mo.nnodes };
      mo.node[mo.nnodes + 1] = sd_trees_leaf (mo.nnodes + 1);
      at = mo.nnodes;
      mo.nnodes += 2;
    }
    mo.ntrees = t + 1;
  }
  sd_trees_forest_finish (&mo);
  sd_buf_u8 (&out, 1); /* the codec's own stream */
  sd_buf_varint (&out, SD_TREES_MAX_BLOCK);
  sd_buf_varint (&out, 1);
  sd_trees_model_write (&mo, &out);
  if (groups)
    sd_buf_varint (&out, 0);
  sd_buf_varint (&out, 65000);
  for (unsigned k = 0; k < 65000; k++)
    sd_buf_u8 (&out, 255);
  sd_trees_model_clear (&mo);
  return out;
}

Test (trees, the_work_that_a_stream_asks_for_is_bounded) {
  const uint64_t n = SD_TREES_MAX_SLOTS;
  sd_buf out = no_after_no (100, n, 32, 40, 60000, false);
  sd_decoder *d;
  sd_error err = { 0 };
  sd_symbol v, some[64];
  cr_assert_eq (sd_codec_open (&sd_codec_trees, out.data, out.len, n, 100, &d, &err), SD_OK, "%s", err.text);
  const uint64_t most = (1 << 23) / (64 * (4 + 8 * 40)); /* slots that may be decoded: 0.04 s */
  cr_expect_eq (sd_codec_get (d, most - 1, &v), SD_OK);
  cr_expect_eq (sd_codec_get (d, most, &v), SD_EFORMAT);
  cr_expect_eq (sd_codec_get (d, n - 1, &v), SD_EFORMAT);
  cr_expect_eq (sd_codec_read (d, most - 64, 64, some), SD_OK);
  cr_expect_eq (sd_codec_read (d, n - 64, 64, some), SD_EFORMAT);
  sd_codec_close (d);
  sd_buf_free (&out);
}

Test (trees, the_work_of_questions_for_eight_slots_is_bounded_too) {
  const uint64_t n = SD_TREES_MAX_SLOTS;
  sd_buf out = no_after_no (100, n, 32, 40, 60000, true);
  sd_decoder *d;
  sd_error err = { 0 };
  sd_symbol v;
  cr_assert_eq (sd_codec_open (&sd_codec_forest, out.data, out.len, n, 100, &d, &err), SD_OK, "%s", err.text);
  /* 8 slots take 513 questions, and the 25,890 that there may be end in the 404th slot. */
  cr_expect_eq (sd_codec_get (d, 402, &v), SD_OK);
  cr_expect_eq (sd_codec_get (d, 403, &v), SD_EFORMAT);
  sd_codec_close (d);
  sd_buf_free (&out);
}

/* A block ends where its questions would be too many, however many bytes it may still have: such a stream is
 * read like any other. calm: rows of 64 that are all alike. */
static void keeps_to_the_work (const sd_codec *codec, unsigned calm) {
  enum { ROW = 64, SLOTS = 400 * ROW, M = 100 };
  static sd_symbol all[SLOTS];
  uint64_t rng = 5;
  suite_seq q = { .kind = "many questions" };
  cr_assert_eq (sd_alphabet_new (M, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = SLOTS, .ndims = 2, .radix = { SLOTS / ROW, ROW } };
  q.seq.sym = sd_alloc (SLOTS, sizeof *q.seq.sym);
  for (unsigned i = 0; i < SLOTS; i++) /* noise, but something to learn */
    q.seq.sym[i] = i / ROW % 64 < calm ? 7 : (sd_symbol) (sd_random (&rng) % (M / 2) + (i & 32 ? M / 2 : 0));
  sd_buf out = suite_encode (codec, &q, "block=65536,samples=200,rounds=1");
  sd_decoder *d;
  sd_codec_parts parts;
  cr_assert_eq (sd_codec_open (codec, out.data, out.len, SLOTS, M, &d, NULL), SD_OK);
  cr_assert_eq (sd_codec_read (d, 0, SLOTS, all), SD_OK);
  cr_expect_eq (memcmp (all, q.seq.sym, sizeof all), 0);
  for (unsigned k = 0; k < 20; k++) {
    const uint64_t at = k ? sd_random (&rng) % SLOTS : SLOTS - 1;
    sd_symbol one;
    cr_expect (sd_codec_get (d, at, &one) == SD_OK && one == all[at]);
  }
  sd_codec_describe (d, &parts);
  cr_expect_lt (out.len, 65536, "bytes alone would need one block");
  cr_expect_geq (parts.blocks, 2);
  sd_codec_close (d);
  sd_buf_free (&out);
  suite_free (&q);
}

Test (trees, the_encoder_keeps_to_the_work_that_is_read) {
  keeps_to_the_work (&sd_codec_trees, 0);
  keeps_to_the_work (&sd_codec_forest, 16);
}

/* get keeps a window of the block only: distances just below and above powers of two, one too large for its
 * stack. */
Test (trees, single_slots_look_back_as_far_as_a_neighbour_is) {
  static const uint32_t last[] = { 31, 32, 33, 127, 4096, 9000 };
  for (unsigned k = 0; k < 6; k++) {
    sd_alphabet *a;
    uint64_t rng = k;
    cr_assert_eq (sd_alphabet_new (5, &a), SD_OK);
    const uint64_t n = 3 * last[k] < 3000 ? 3000 / last[k] * last[k] : 3 * last[k];
    suite_seq q = { .kind = "far", .seed = k, .alphabet = a };
    q.seq = (sd_seq){ .alphabet = a, .n = n, .ndims = 2, .radix = { (uint32_t) (n / last[k]), last[k] } };
    q.seq.sym = sd_alloc (n, sizeof *q.seq.sym);
    for (uint64_t i = 0; i < n; i++)
      q.seq.sym[i] = i >= last[k] && sd_random (&rng) % 8 ? q.seq.sym[i - last[k]] : sd_random (&rng) % 5;
    suite_check (&sd_codec_trees, &q, "block=65536,samples=20,trees=2");
    suite_free (&q);
  }
}
