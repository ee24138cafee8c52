/* Canonical Huffman: optimal against exhaustive search, within the limit, prefix-free, back and forth through
 * files. */
#include "config.h"
#include <criterion/criterion.h>
#include "codecs/codec.h"

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
  sd_huffman *h = NULL;
  uint32_t code[4];
  cr_expect_eq (sd_huffman_new ((uint8_t[]){ 1, 1, 1 }, 3, &h), SD_EINVAL, "too many");
  cr_expect_eq (sd_huffman_codes ((uint8_t[]){ 1, 1, 1 }, 3, code), SD_EINVAL);
  cr_expect_eq (sd_huffman_codes ((uint8_t[]){ 1, 33 }, 2, code), SD_EINVAL);
  cr_expect_eq (sd_huffman_new ((uint8_t[]){ 1, 2 }, 2, &h), SD_EINVAL, "incomplete");
  cr_expect_eq (sd_huffman_new ((uint8_t[]){ 0, 2 }, 2, &h), SD_EINVAL, "one symbol, two bits");
  cr_expect_eq (sd_huffman_new ((uint8_t[]){ 0, 0 }, 2, &h), SD_EINVAL, "none");
  cr_expect_null (h);
  sd_huffman_free (NULL);
}

Test (huffman, a_lone_symbol_answers_to_any_bits) {
  sd_huffman *h;
  cr_assert_eq (sd_huffman_new ((uint8_t[]){ 0, 0, 1, 0 }, 4, &h), SD_OK);
  sd_bitr r = sd_bitr_of ((const uint8_t *) "\x5a", 1);
  for (unsigned k = 0; k < 100; k++)
    cr_assert_eq (sd_huffman_decode (h, &r), 2);
  sd_huffman_free (h);
}

/* Codes of n symbols: prefix-free, in order, and a message comes back. */
static void check_code (const uint64_t *freq, unsigned n, unsigned limit, uint64_t seed) {
  uint8_t *length = sd_alloc (n, 1), *again = sd_alloc (n, 1);
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

  sd_buf file = { 0 };
  sd_huffman_write_lengths (length, n, &file);
  sd_buf_u8 (&file, 0xa5); /* something follows */
  sd_reader in = sd_reader_of (file.data, file.len);
  cr_assert_eq (sd_huffman_read_lengths (&in, n, again), SD_OK);
  cr_assert_eq (memcmp (length, again, n), 0);
  cr_assert_eq (sd_get_u8 (&in), 0xa5, "the reader stands elsewhere than the writer");

  sd_huffman *h;
  cr_assert_eq (sd_huffman_new (length, n, &h), SD_OK);
  sd_buf out = { 0 };
  sd_bitw w = { .out = &out };
  uint64_t rng = seed;
  for (unsigned k = 0; k < 20000; k++) {
    unsigned s = sd_random (&rng) % n;
    if (freq[s])
      sd_bitw_put (&w, code[s], length[s]);
  }
  sd_bitw_flush (&w);
  sd_bitr r = sd_bitr_of (out.data, out.len);
  rng = seed;
  for (unsigned k = 0; k < 20000; k++) {
    unsigned s = sd_random (&rng) % n;
    if (freq[s])
      cr_assert_eq (sd_huffman_decode (h, &r), s, "symbol %u of the message", k);
  }
  sd_huffman_free (h);
  sd_buf_free (&file);
  sd_buf_free (&out);
  free (length);
  free (again);
  free (code);
}

Test (huffman, messages_come_back_for_every_shape_of_code) {
  static const unsigned sizes[] = { 2, 3, 17, 300, 4096, 65536 };
  uint64_t *freq = sd_alloc (65536, sizeof *freq), rng = 6;
  for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    for (unsigned shape = 0; shape < 4; shape++) {
      for (unsigned i = 0; i < sizes[k]; i++)
        freq[i] = shape == 0   ? 1
                  : shape == 1 ? 1ull << (i % 40) /* codes far longer than the table */
                  : shape == 2
                      ? sd_random (&rng) % 3 * (1 + sd_random (&rng) % 1000) /* a third is not used */
                      : 1000000 / (i + 1);
      freq[0] += freq[0] == 0;
      freq[1] += freq[1] == 0;
      check_code (freq, sizes[k], shape == 1 ? 32 : 20, k * 10 + shape);
    }
  free (freq);
}

Test (huffman, lengths_in_a_file_are_compact) {
  uint64_t freq[1000];
  uint8_t length[1000], flat[1024];
  for (unsigned i = 0; i < 1000; i++)
    freq[i] = 100000 / (10 + i * 7 % 1000);
  cr_assert_eq (sd_huffman_lengths (freq, 1000, 24, length), SD_OK);
  sd_buf file = { 0 };
  sd_huffman_write_lengths (length, 1000, &file);
  cr_expect_leq (file.len, 1000 * 2.2 / 8, "%zu bytes for 1000 lengths", file.len);
  file.len = 0;
  memset (flat, 10, sizeof flat);
  sd_huffman_write_lengths (flat, 1024, &file);
  cr_expect_leq (file.len, 40, "%zu bytes for 1024 equal lengths", file.len);
  sd_buf_free (&file);
}

Test (huffman, damaged_lengths_are_refused_or_decodable) {
  uint64_t freq[200], rng = 3;
  uint8_t length[200], back[200];
  for (unsigned i = 0; i < 200; i++)
    freq[i] = sd_random (&rng) % 1000;
  cr_assert_eq (sd_huffman_lengths (freq, 200, 20, length), SD_OK);
  sd_buf file = { 0 };
  sd_huffman_write_lengths (length, 200, &file);
  unsigned refused = 0;
  for (unsigned k = 0; k < 3000; k++) {
    size_t len = k % 5 ? file.len : sd_random (&rng) % file.len;
    uint8_t *bad = sd_alloc (len, 1);
    memcpy (bad, file.data, len);
    if (k % 5)
      bad[sd_random (&rng) % len] ^= (uint8_t) (1u << (sd_random (&rng) & 7));
    sd_reader r = sd_reader_of (bad, len);
    if (sd_huffman_read_lengths (&r, 200, back)) {
      refused++;
    } else {
      sd_huffman *h;
      cr_assert_eq (sd_huffman_new (back, 200, &h), SD_OK);
      sd_huffman_free (h);
    }
    free (bad);
  }
  cr_expect_gt (refused, 2000, "%u of 3000 damaged lists were refused", refused);
  sd_reader none = sd_reader_of (NULL, 0);
  cr_expect_eq (sd_huffman_read_lengths (&none, 0, back), SD_EFORMAT);
  sd_buf_free (&file);
}
