/* rANS: blocks come back, cost what the frequencies say, and no table that a file may hold does harm. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* Frequencies of n symbols: every fourth unused, the rest falling like 1 / k^2 from `most`. */
static uint64_t *frequencies (unsigned n, uint64_t most) {
  uint64_t *freq = sd_alloc0 (n, sizeof *freq);
  for (unsigned i = 0; i < n; i++)
    if (i % 4 != 3)
      freq[i] = 1 + most / ((uint64_t) (i + 1) * (i + 1));
  return freq;
}

static void validate (const sd_rans *r, unsigned n) {
  cr_assert (r->used && r->used <= n);
  cr_assert_eq (r->first[0], 0);
  cr_assert_eq (r->first[r->used], 1u << r->scale);
  for (unsigned k = 0; k < r->used; k++)
    cr_assert (r->first[k] < r->first[k + 1] && r->symbol[k] < n);
}

Test (rans, a_block_comes_back_and_takes_little_more_than_its_entropy) {
  static const unsigned sizes[] = { 1, 2, 3, 40, 700, 20000, 65536 };
  enum { N = 3000, CAP = 8192 };
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const unsigned n = sizes[s];
    uint64_t *freq = frequencies (n, 1 << 20), total = 0, seed = n, sum = 0;
    uint8_t *cost = sd_alloc0 (n, 1), block[CAP], exact[CAP];
    uint32_t place[N];
    sd_rans r;
    for (unsigned i = 0; i < n; i++)
      total += freq[i];
    cr_assert_eq (sd_rans_costs (freq, n, cost), SD_OK);
    cr_assert_eq (sd_rans_init (&r, cost, n), SD_OK);
    validate (&r, n);
    double bits = 0;
    for (unsigned i = 0; i < N; i++) { /* symbols as often as their frequencies say */
      uint64_t x = sd_random (&seed) % total;
      unsigned k = 0;
      for (sum = freq[0]; sum <= x; sum += freq[++k])
        ;
      bits += log2 ((double) total / (double) freq[k]);
      for (place[i] = 0; r.symbol[place[i]] != k; place[i]++)
        ;
    }
    cr_assert_eq (sd_rans_put_block (&r, place, N, block, CAP), SD_OK);
    size_t zeros = 0;
    while (zeros < CAP && block[zeros] == 0)
      zeros++;
    const double took = 8.0 * (double) (CAP - zeros);
    cr_expect (took < 1.02 * bits + 32, "%u symbols: %.0f bits, entropy %.0f", n, took, bits);
    cr_expect_eq (sd_rans_put_block (&r, place, N, exact, CAP - zeros), SD_OK, "what is needed suffices");
    if (zeros < CAP)
      cr_expect_eq (sd_rans_put_block (&r, place, N, exact, CAP - zeros - 1), SD_ENOSPC);
    sd_rans_reader in = { 0, block, block + CAP };
    for (unsigned i = 0; i < N; i++)
      cr_assert_eq (sd_rans_next (&r, &in), r.symbol[place[i]], "%u symbols: number %u", n, i);
    sd_rans_clear (&r);
    free (freq);
    free (cost);
  }
}

Test (rans, a_worked_example) {
  /* a: 1/2, b: 1/4, c: 1/4. Three symbols need 2 bits, so the scale is 9: frequencies 256, 128, 128, first
   * 0, 256, 384. "bca" from the last: 0 -> 0 (a), 384 (c), 3 * 512 + 0 + 256 = 0x700 (b). */
  const uint64_t freq[3] = { 2, 1, 1 };
  const uint32_t place[3] = { 1, 2, 0 };
  uint8_t cost[3], block[4];
  sd_rans r;
  cr_assert_eq (sd_rans_costs (freq, 3, cost), SD_OK);
  cr_assert (cost[0] == 4 && cost[1] == 8 && cost[2] == 8);
  cr_assert_eq (sd_rans_init (&r, cost, 3), SD_OK);
  cr_assert_eq (r.scale, 9);
  cr_assert_eq (sd_rans_put_block (&r, place, 3, block, 4), SD_OK);
  cr_assert (block[0] == 0 && block[1] == 0 && block[2] == 7 && block[3] == 0);
  sd_rans_clear (&r);
}

Test (rans, any_costs_give_a_table_or_a_refusal) {
  uint64_t seed = 5;
  uint8_t *cost = sd_alloc0 (65536, 1);
  sd_rans r;
  cr_expect_eq (sd_rans_init (&r, cost, 100), SD_EINVAL, "nothing used");
  cr_expect_eq (sd_rans_init (&r, cost, 0), SD_EINVAL);
  cost[1] = SD_RANS_MAX_COST + 1;
  cr_expect_eq (sd_rans_init (&r, cost, 2), SD_EINVAL);
  cr_expect_eq (sd_rans_init (&r, cost, 65537), SD_EINVAL);
  for (unsigned k = 0; k < 60; k++) {
    const unsigned n = 1 + (unsigned) (sd_random (&seed) % (k % 10 ? 300 : 65536)), most = k % 3 ? 8 : 128;
    for (unsigned i = 0; i < n; i++)
      cost[i] = (uint8_t) (k % 2 ? sd_random (&seed) % (most + 1) : most);
    cost[0] = 1;
    cr_assert_eq (sd_rans_init (&r, cost, n), SD_OK);
    validate (&r, n);
    uint8_t bytes[64];
    for (unsigned i = 0; i < 64; i++)
      bytes[i] = (uint8_t) sd_random (&seed);
    sd_rans_reader in = { 0, bytes, bytes + 64 };
    for (unsigned i = 0; i < 2000; i++)
      cr_assert (cost[sd_rans_next (&r, &in)]);
    sd_rans_clear (&r);
  }
  free (cost);
}
