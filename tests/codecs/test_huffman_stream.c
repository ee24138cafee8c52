/* Codec huffman: as many bits as the code says and Huffman's bound allows; words; streams that lie. */
#include "config.h"
#include "codecs/row.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "codecs/huffman/huffman_internal.h"

#include <math.h>

/* n symbols over m, symbol v about share[v] times in total, in random order but with exact counts. */
static suite_seq with_counts (const uint64_t *count, unsigned m, uint64_t seed) {
  suite_seq q = { .kind = "counts", .seed = seed };
  cr_assert_eq (sd_alphabet_new (m, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet };
  for (unsigned v = 0; v < m; v++)
    q.seq.n += count[v];
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  uint64_t at = 0;
  for (unsigned v = 0; v < m; v++)
    for (uint64_t k = 0; k < count[v]; k++)
      q.seq.sym[at++] = (sd_symbol) v;
  for (uint64_t i = q.seq.n; i > 1; i--) {
    const uint64_t j = sd_random (&seed) % i;
    const sd_symbol swap = q.seq.sym[i - 1];
    q.seq.sym[i - 1] = q.seq.sym[j];
    q.seq.sym[j] = swap;
  }
  return q;
}

static sd_codec_parts parts_of (const suite_seq *q, const char *settings) {
  sd_buf out = suite_encode (&sd_codec_huffman, q, settings);
  sd_decoder *d;
  sd_error err = { 0 };
  sd_codec_parts parts;
  cr_assert_eq (sd_codec_open (&sd_codec_huffman, out.data, out.len, q->seq.n, sd_alphabet_main (q->alphabet),
                               &d, &err),
                SD_OK, "%s", err.text);
  sd_codec_describe (d, &parts);
  cr_assert_eq (parts.header + parts.model + parts.index + parts.payload, out.len);
  sd_codec_close (d);
  sd_buf_free (&out);
  return parts;
}

Test (huffman_stream, frequencies_that_are_powers_of_two_take_their_logarithms) {
  const uint64_t count[] = { 4000, 500, 2000, 1000, 0, 500 }; /* lengths 1, 4, 2, 3, none, 4 */
  suite_seq q = with_counts (count, 6, 3);
  const sd_codec_parts p = parts_of (&q, "block=65536");
  cr_expect_eq (p.payload, (4000 + 4 * 500 + 2 * 2000 + 3 * 1000 + 4 * 500) / 8, "%d bytes", (int) p.payload);
  cr_expect_eq (p.blocks, 1);
  cr_expect_eq (p.symbols, 5);
  cr_expect_lt (p.model, 12, "the lengths take %d bytes", (int) p.model);
  suite_free (&q);
}

/* What the words of the sequence tell: n H and n (H + 1). */
static void check_bound (const suite_seq *q, unsigned word, const char *settings) {
  const unsigned m = sd_alphabet_main (q->alphabet), words = sd_huffman_words (m, word);
  uint64_t *freq = sd_alloc0 (words, sizeof *freq), n = q->seq.n / word; /* a multiple */
  for (uint64_t i = 0; i < n; i++) {
    unsigned v = 0;
    for (unsigned k = 0; k < word; k++)
      v = v * m + q->seq.sym[i * word + k];
    freq[v]++;
  }
  double entropy = 0;
  for (unsigned v = 0; v < words; v++)
    if (freq[v])
      entropy += (double) freq[v] * log2 ((double) n / (double) freq[v]);
  free (freq);
  const sd_codec_parts p = parts_of (q, settings);
  const double bits = 8 * (double) p.payload, padding = (double) p.blocks * SD_HUFFMAN_LONGEST + 7;
  cr_expect_geq (bits, entropy, "%s: %.0f bits, entropy %.0f", settings, bits, entropy);
  cr_expect_leq (bits, entropy + (double) n + padding, "%s: %.0f bits, entropy %.0f, %llu words", settings,
                 bits, entropy, (unsigned long long) n);
  /* an index entry takes 2 bits and the logarithm of the words of a block, rounded up */
  const double entry = 3 + log2 ((double) n / (double) p.blocks);
  cr_expect_leq (8 * (double) p.index, (double) p.blocks * entry + 16, "%s: index %llu bytes, %llu blocks",
                 settings, (unsigned long long) p.index, (unsigned long long) p.blocks);
}

Test (huffman_stream, takes_no_more_than_huffmans_bound_and_no_less_than_the_entropy) {
  uint64_t count[5][7] = { { 1, 1, 1, 1, 1, 1, 1 },
                           { 100000, 1, 1, 1, 1, 1, 1 },
                           { 1, 10, 100, 1000, 10000, 100000, 1 },
                           { 5000, 3000, 3000, 500, 40, 3, 17 },
                           { 1, 1, 2, 3, 5, 8, 13 } };
  for (unsigned c = 0; c < 5; c++) {
    uint64_t sum = 0;
    for (unsigned v = 0; v < 7; v++)
      sum += count[c][v];
    count[c][0] += (60 - sum % 60) % 60; /* words of 1 to 5 slots fit in */
    suite_seq q = with_counts (count[c], 7, c + 1);
    check_bound (&q, 1, "block=16");
    check_bound (&q, 1, "block=1000");
    check_bound (&q, 2, "word=2");
    check_bound (&q, 5, "block=64,word=5");
    suite_free (&q);
  }
}

Test (huffman_stream, word_0_takes_what_is_smallest) {
  const uint64_t rare[] = { 30000, 500, 300 }, even[] = { 3000, 3000, 3000, 3000 };
  for (unsigned c = 0; c < 2; c++) {
    suite_seq q = with_counts (c ? even : rare, c ? 4 : 3, 9);
    size_t least = SIZE_MAX, first = 0;
    for (unsigned k = 1; k <= 10; k++) {
      char set[32];
      snprintf (set, sizeof set, "word=%u", k);
      sd_buf out = suite_encode (&sd_codec_huffman, &q, set);
      least = out.len < least ? out.len : least;
      first = k == 1 ? out.len : first;
      sd_buf_free (&out);
    }
    sd_buf out = suite_encode (&sd_codec_huffman, &q, "word=0");
    /* chosen by an estimate that leaves out how blocks are filled up */
    cr_expect_leq (out.len, least + least / 100 + 8, "%zu bytes, the best word %zu", out.len, least);
    if (!c)
      cr_expect_lt (3 * out.len, first, "words pay: %zu, one by one %zu", out.len, first);
    sd_buf_free (&out);
    suite_free (&q);
  }
}

Test (huffman_stream, words_end_where_the_slots_end) {
  for (uint64_t n = 1; n < 40; n++)
    for (unsigned word = 1; word <= 7; word++) {
      char set[32];
      const uint64_t count[] = { n, 1, n / 2 };
      suite_seq q = with_counts (count, 3, n);
      snprintf (set, sizeof set, "block=16,word=%u", word);
      suite_check (&sd_codec_huffman, &q, set);
      suite_free (&q);
    }
}

/* Lengths of 1, 2, ... 24, 24: no window of the table of the next bits holds the long ones. */
Test (huffman_stream, the_longest_codes_come_back) {
  uint64_t count[25], fibonacci[2] = { 1, 1 };
  for (unsigned k = 0; k < 25; k++) {
    count[24 - k] = fibonacci[0];
    const uint64_t next = fibonacci[0] + fibonacci[1];
    fibonacci[0] = fibonacci[1];
    fibonacci[1] = next;
  }
  suite_seq q = with_counts (count, 25, 77);
  suite_check (&sd_codec_huffman, &q, "block=256");
  suite_free (&q);
}

/* ------------------------------------------------------- streams that lie */

static int open_made (const sd_buf *b, uint64_t n, unsigned m, sd_decoder **d) {
  sd_error err = { 0 };
  return sd_codec_open (&sd_codec_huffman, b->data, b->len, n, m, d, &err);
}

/* Header, model of equal lengths for all 2^word words, index, payload of so many zero bytes. */
static sd_buf made (unsigned word, uint64_t n, const uint64_t *start, uint64_t blocks, size_t payload) {
  sd_buf out = { 0 }, model = { 0 };
  const unsigned words = sd_huffman_words (2, word);
  uint8_t *length = sd_alloc (words, 1);
  memset (length, (int) word, words);
  cr_assert_eq (sd_huffman_put_model (length, words, 2, &model), SD_OK);
  sd_buf_u8 (&out, SD_STREAM_CODEC);
  sd_buf_varint (&out, 65536 - SD_HUFFMAN_MIN_BLOCK);
  sd_buf_varint (&out, word);
  sd_buf_varint (&out, blocks);
  sd_buf_varint (&out, model.len);
  sd_buf_append (&out, model.data, model.len);
  sd_starts_write (start, blocks, (n + word - 1) / word, &out);
  for (size_t i = 0; i < payload; i++)
    sd_buf_u8 (&out, 0);
  free (length);
  sd_buf_free (&model);
  return out;
}

Test (huffman_stream, words_that_no_payload_holds_are_refused) {
  const uint64_t start[] = { 0, 1 };
  sd_decoder *d;
  sd_buf small = made (16, UINT64_C (1) << 40, start, 1, 1000); /* 65536 words of 16 bits: 131072 bytes */
  cr_expect_eq (open_made (&small, UINT64_C (1) << 40, 2, &d), SD_EFORMAT);
  cr_expect_null (d);
  sd_buf full = made (16, UINT64_C (1) << 40, start, 2, 131072);
  cr_expect_eq (open_made (&full, UINT64_C (1) << 40, 2, &d), SD_OK);
  sd_codec_close (d);
  sd_buf few = made (16, 1000, start, 2, 131072); /* room for 62 words */
  cr_expect_eq (open_made (&few, 1000, 2, &d), SD_EFORMAT);
  sd_buf_free (&small);
  sd_buf_free (&full);
  sd_buf_free (&few);
}

Test (huffman_stream, a_block_that_claims_too_many_words_is_left_at_its_end) {
  const uint64_t n = UINT64_C (1) << 44, start[] = { 0 };
  sd_buf b = made (1, n, start, 1, 65536);
  sd_decoder *d;
  sd_symbol v;
  cr_assert_eq (open_made (&b, n, 2, &d), SD_OK);
  cr_expect_eq (sd_codec_get (d, 8 * 65536 - 1, &v), SD_OK);
  cr_expect_eq (sd_codec_get (d, 8 * 65536, &v), SD_EFORMAT);
  const double before = sd_now ();
  cr_expect_eq (sd_codec_get (d, n - 1, &v), SD_EFORMAT);
  cr_expect_lt (sd_now () - before, 0.1);
  sd_codec_close (d);
  sd_buf_free (&b);
}
