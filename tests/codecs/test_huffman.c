/* Canonical Huffman: optimal against exhaustive search, within the limit, prefix-free, found again. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

/* Cheapest code of n symbols within the limit, by trying every non-decreasing list of lengths whose Kraft sum
 * is 1 at most; freq is sorted, largest first. */
static uint64_t cheapest (const uint64_t *freq, unsigned n, unsigned limit, unsigned shortest,
                          uint64_t room) {
  if (n == 0)
    return 0;
  uint64_t best = UINT64_MAX;
  for (unsigned l = shortest; l <= limit; l++) {
    uint64_t share = 1ull << (limit - l);
    if (share > room)
      continue;
    uint64_t rest = cheapest (freq + 1, n - 1, limit, l, room - share);
    if (rest != UINT64_MAX && rest + l * freq[0] < best)
      best = rest + l * freq[0];
  }
  return best;
}

static int descending (const void *x, const void *y) {
  const uint64_t *a = x, *b = y;
  return *a < *b ? 1 : *a > *b ? -1 : 0;
}

Test (huffman, no_code_within_the_limit_is_cheaper) {
  uint64_t rng = 1;
  for (unsigned round = 0; round < 600; round++) {
    uint64_t freq[9];
    uint8_t length[9];
    unsigned n = 2 + round % 8, limit = sd_bits_for (n) + sd_random (&rng) % 4;
    for (unsigned i = 0; i < n; i++) /* steep: the limit bites */
      freq[i] = 1 + (sd_random (&rng) & ((1ull << (sd_random (&rng) % 16)) - 1));
    cr_assert_eq (sd_huffman_lengths (freq, n, limit, length), SD_OK);
    uint64_t cost = 0, kraft = 0;
    for (unsigned i = 0; i < n; i++) {
      cr_assert (length[i] >= 1 && length[i] <= limit);
      cost += freq[i] * length[i];
      kraft += 1ull << (limit - length[i]);
    }
    cr_assert_eq (kraft, 1ull << limit, "round %u: the code is not complete", round);
    qsort (freq, n, sizeof *freq, descending);
    uint64_t best = cheapest (freq, n, limit, 1, 1ull << limit);
    cr_assert_eq (cost, best, "round %u: %u symbols, limit %u: cost %lu, possible is %lu", round, n, limit,
                  (unsigned long) cost, (unsigned long) best);
  }
}

Test (huffman, edges_and_errors_of_lengths) {
  uint64_t freq[5] = { 0, 0, 9, 0, 0 };
  uint8_t length[5];
  cr_expect_eq (sd_huffman_lengths (freq, 5, 12, length), SD_OK);
  cr_expect (length[2] == 1 && length[0] == 0 && length[4] == 0);
  memset (freq, 0, sizeof freq);
  cr_expect_eq (sd_huffman_lengths (freq, 5, 12, length), SD_OK);
  cr_expect (length[2] == 0);
  for (unsigned i = 0; i < 5; i++)
    freq[i] = UINT64_MAX - i; /* sums do not wrap */
  cr_expect_eq (sd_huffman_lengths (freq, 5, 2, length), SD_ERANGE);
  cr_expect_eq (sd_huffman_lengths (freq, 4, 2, length), SD_OK);
  cr_expect (length[0] == 2 && length[3] == 2);
  cr_expect_eq (sd_huffman_lengths (freq, 5, 3, length), SD_OK);
  cr_expect_eq (sd_huffman_lengths (freq, 5, 0, length), SD_EINVAL);
  cr_expect_eq (sd_huffman_lengths (freq, 5, 33, length), SD_EINVAL);
  cr_expect_eq (sd_huffman_lengths (freq, 65537, 32, length), SD_EINVAL);
}

Test (huffman, wrong_lengths_are_refused) {
  sd_huffman h;
  uint32_t code[4];
  cr_expect_eq (sd_huffman_init (&h, (uint8_t[]){ 1, 1, 1 }, 3), SD_EINVAL, "too many");
  cr_expect_eq (sd_huffman_codes ((uint8_t[]){ 1, 1, 1 }, 3, code), SD_EINVAL);
  cr_expect_eq (sd_huffman_codes ((uint8_t[]){ 1, 33 }, 2, code), SD_EINVAL);
  cr_expect_eq (sd_huffman_init (&h, (uint8_t[]){ 1, 2 }, 2), SD_EINVAL, "incomplete");
  cr_expect_eq (sd_huffman_init (&h, (uint8_t[]){ 0, 2 }, 2), SD_EINVAL, "one symbol, two bits");
  cr_expect_eq (sd_huffman_init (&h, (uint8_t[]){ 0, 0 }, 2), SD_EINVAL, "none");
  cr_expect_eq (sd_huffman_init (&h, (uint8_t[]){ 33, 1 }, 2), SD_EINVAL, "too long");
  cr_expect_null (h.symbol);
  sd_huffman_clear (&h);
}

Test (huffman, a_lone_symbol_answers_to_any_bits) {
  sd_huffman h;
  uint64_t rng = 4;
  unsigned nbits;
  cr_assert_eq (sd_huffman_init (&h, (uint8_t[]){ 0, 0, 1, 0 }, 4), SD_OK);
  for (unsigned k = 0; k < 100; k++) {
    cr_assert_eq (sd_huffman_find (&h, (uint32_t) sd_random (&rng), 1, &nbits), 2);
    cr_assert_eq (nbits, 1);
  }
  sd_huffman_clear (&h);
}

/* Codes of n symbols: prefix-free, in order, and found again at both ends of their share. */
static void check_code (const uint64_t *freq, unsigned n, unsigned limit) {
  uint8_t *length = sd_alloc (n, 1);
  uint32_t *code = sd_alloc (n, sizeof *code);
  cr_assert_eq (sd_huffman_lengths (freq, n, limit, length), SD_OK);
  cr_assert_eq (sd_huffman_codes (length, n, code), SD_OK);
  uint64_t next =
      0; /* in canonical order the codes tile the left-aligned space without gaps: hence prefix-free */
  for (unsigned l = 1; l <= limit; l++)
    for (unsigned i = 0; i < n; i++)
      if (length[i] == l) {
        cr_assert_eq ((uint64_t) code[i] << (32 - l), next, "symbol %u", i);
        next += 1ull << (32 - l);
      }

  sd_huffman h;
  cr_assert_eq (sd_huffman_init (&h, length, n), SD_OK);
  for (unsigned i = 0; i < n; i++)
    for (unsigned end = 0; length[i] && end < 2; end++) {
      unsigned nbits, behind = 32 - length[i];
      uint32_t window = (uint32_t) ((uint64_t) code[i] << behind | (end ? (1ull << behind) - 1 : 0));
      cr_assert_eq (sd_huffman_find (&h, window, 1, &nbits), i);
      cr_assert_eq (nbits, length[i]);
      cr_assert_eq (sd_huffman_find (&h, window, length[i], &nbits), i);
    }
  sd_huffman_clear (&h);
  free (length);
  free (code);
}

Test (huffman, codes_are_found_again_for_every_shape_of_code) {
  static const unsigned sizes[] = { 2, 3, 17, 300, 4096, 65536 };
  uint64_t *freq = sd_alloc (65536, sizeof *freq), rng = 6;
  for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    for (unsigned shape = 0; shape < 4; shape++) {
      for (unsigned i = 0; i < sizes[k]; i++)
        freq[i] = shape == 0   ? 1
                  : shape == 1 ? 1ull << (i % 40) /* codes as long as they get */
                  : shape == 2
                      ? sd_random (&rng) % 3 * (1 + sd_random (&rng) % 1000) /* a third is not used */
                      : 1000000 / (i + 1);
      freq[0] += freq[0] == 0;
      freq[1] += freq[1] == 0;
      check_code (freq, sizes[k], shape == 1 ? 32 : 20);
    }
  free (freq);
}
