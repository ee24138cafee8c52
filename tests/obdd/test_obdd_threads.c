/* The work on one diagram by several threads: the same bytes as by one. The tables are large enough for every
 * loop that is divided. */
#include "config.h"
#include <criterion/criterion.h>
#include "obdd/obdd_internal.h"
#include "tests/obdd/obdd_made.h"
#ifdef _OPENMP
#include <omp.h>

static const int threads[] = { 1, 2, 5 };

/* Against the hash table that takes one pair after the other. often: seven of eight are the same pair. */
static void expect_numbers (uint64_t n, uint32_t values, bool often) {
  sd_obdd_node *in = sd_alloc (n, sizeof *in);
  uint32_t *expected = sd_alloc (n, sizeof *expected), *number = sd_alloc (n, sizeof *number);
  sd_obdd_pairs pairs = { 0 };
  uint64_t rng = n + values;
  const int before = omp_get_max_threads ();
  cr_assert (in && expected && number);
  cr_assert_eq (sd_obdd_pairs_reset (&pairs, 16), SD_OK);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t x = sd_random (&rng);
    in[i] = (sd_obdd_node){ (uint32_t) (x % values), (uint32_t) ((x >> 32) % values) };
    if (often && x >> 20 & 7)
      in[i] = (sd_obdd_node){ 1, 1 };
    expected[i] = sd_obdd_pairs_add (&pairs, in[i].lo, in[i].hi);
  }
  for (unsigned k = 0; k < sizeof threads / sizeof *threads; k++) {
    sd_obdd_level out;
    omp_set_num_threads (threads[k]);
    cr_assert_eq (sd_obdd_number (in, n, number, &out), SD_OK);
    cr_expect_eq (out.n, pairs.n, "%llu pairs, %d threads: %u", (unsigned long long) n, threads[k], out.n);
    cr_expect (memcmp (number, expected, n * sizeof *number) == 0, "%llu pairs, %d threads",
               (unsigned long long) n, threads[k]);
    cr_expect (memcmp (out.node, pairs.pair, out.n * sizeof *out.node) == 0);
    free (out.node);
  }
  omp_set_num_threads (before);
  sd_obdd_pairs_free (&pairs);
  free (in);
  free (expected);
  free (number);
}

Test (obdd_threads, pairs_are_numbered_as_they_come) {
  expect_numbers (0, 1, false);
  expect_numbers (1, 1, false);
  expect_numbers (131071, 3, false);
  expect_numbers (131073, 3, false);
  expect_numbers (300000, 1, false);
  expect_numbers (300000, 200, false);
  expect_numbers (700001, UINT32_MAX, false);
  expect_numbers (2000000, UINT32_MAX, true);
}

/* Regions with a value each, their borders rough, every third slot free: as in tables, low levels are few and
 * middle ones many, most of them with a choice. */
Test (obdd_threads, bytes_do_not_depend_on_them) {
  const uint32_t radix[3] = { 63, 181, 200 };
  suite_seq q = { .kind = "regions",
                  .seq = { .n = 1, .ndims = 3 },
                  .alphabet = suite_alphabet_with_star (3) };
  uint64_t rng = 5;
  const int before = omp_get_max_threads ();
  q.seq.alphabet = q.alphabet;
  for (unsigned d = 0; d < 3; d++)
    q.seq.n *= q.seq.radix[d] = radix[d];
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  cr_assert (q.seq.sym);
  for (uint64_t i = 0; i < q.seq.n; i++) {
    const uint64_t x = sd_random (&rng), a = i / (181 * 200), b = i / 200 % 181, c = i % 200;
    const uint64_t at = a * a + b * c / 4 + (x & 63 ? 0 : x >> 32 & 4095);
    q.seq.sym[i] = (sd_symbol) (x >> 8 & 3 ? at / 1200 % 3 : 3);
  }
  static const char *const set[] = { "rounds=1,choices=64,pairs=64", "order=pieces,clusters=2" };
  for (unsigned s = 0; s < 2; s++) {
    sd_buf one = { 0 };
    for (unsigned k = 0; k < sizeof threads / sizeof *threads; k++) {
      if (k == 1 + s && !sd_long_tests ()) /* it takes long: one number of several threads for each */
        continue;
      omp_set_num_threads (threads[k]);
      sd_buf out = suite_encode (&sd_codec_obdd, &q, set[s]);
      if (k == 0)
        one = out;
      else {
        cr_expect (out.len == one.len && memcmp (out.data, one.data, one.len) == 0,
                   "%s: %d threads: %zu, %zu bytes", set[s], threads[k], one.len, out.len);
        sd_buf_free (&out);
      }
    }
    cr_expect_gt (one.len, 10000, "%zu bytes", one.len);
    sd_buf_free (&one);
  }
  omp_set_num_threads (before);
  suite_free (&q);
}
#endif
