/* Codecs golomb and fdr: the bits of the literature, long runs, symbols that end a run, streams that lie. */
#include "config.h"
#include "codecs/row.h"
#include "codecs/entropy/entropy.h"
#include "tests/codecs/codec_suite.h"
#include <criterion/criterion.h>
#include <limits.h>

/* Slots by a text of symbols: "0010": 0, 0, 1, 0. */
static suite_seq of_text (const char *text, unsigned m) {
  suite_seq q = { .kind = "text" };
  cr_assert_eq (sd_alphabet_new (m, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = strlen (text) };
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = (sd_symbol) (text[i] - '0');
  return q;
}

/* The bits of the payload, which ends the stream, without the zero bits at its end, as text. */
static void payload_bits (const sd_codec *codec, const suite_seq *q, const char *settings, unsigned count,
                          char *out) {
  sd_buf stream = suite_encode (codec, q, settings);
  const uint8_t *payload = stream.data + stream.len - (count + 7) / 8;
  for (unsigned i = 0; i < 8 * ((count + 7) / 8); i++) {
    const bool bit = payload[i / 8] >> (7 - i % 8) & 1;
    if (i < count)
      out[i] = (char) ('0' + bit);
    else
      cr_expect (!bit, "%s: bit %u behind the last code", codec->name, i);
  }
  out[count] = 0;
  sd_buf_free (&stream);
}

static void expect_bits (const sd_codec *codec, const char *text, unsigned m, const char *settings,
                         const char *bits) {
  char is[200];
  suite_seq q = of_text (text, m);
  cr_assert (strlen (bits) < sizeof is);
  payload_bits (codec, &q, settings, (unsigned) strlen (bits), is);
  cr_expect_str_eq (is, bits, "%s of %s", codec->name, text);
  suite_check (codec, &q, settings);
  suite_free (&q);
}

/* Runs of 0, 5, 2 and 13 zeros, each ended by a 1, by a group of 4; what each code is, by hand. */
Test (runs, golomb_of_four) {
  expect_bits (&sd_codec_golomb,
               "1"
               "000001"
               "001"
               "00000000000001",
               2, "group=4",
               "000"
               "1001"
               "010"
               "111001");
}

/* Runs of 0, 1, 2, 5, 6 and 13 zeros: groups of 1, 2 and 3 bits of prefix. */
Test (runs, fdr_by_prefix) {
  expect_bits (&sd_codec_fdr,
               "1"
               "01"
               "001"
               "000001"
               "0000001"
               "00000000000001",
               2, "",
               "00"
               "01"
               "1000"
               "1011"
               "110000"
               "110111");
}

/* The last run is not ended by a symbol. */
Test (runs, ends_with_the_sequence) {
  expect_bits (&sd_codec_golomb, "0001000", 2, "group=2",
               "101"
               "101");
  expect_bits (&sd_codec_fdr, "0001000", 2, "",
               "1001"
               "1001");
}

/* Where other symbols than one end a run, each has its code: 2 is more frequent than 1 and 3. */
Test (runs, symbols_that_end_a_run_have_a_code) {
  expect_bits (&sd_codec_golomb, "000200010002000300020000", 4, "group=4",
               "011"
               "0"
               "011"
               "10"
               "011"
               "0"
               "011"
               "11"
               "011"
               "0"
               "1000");
}

Test (runs, one_of_many_symbols_needs_no_code) {
  expect_bits (&sd_codec_fdr, "002002", 5, "",
               "1000"
               "1000");
}

/* n slots of 1 but one slot of 0 at `at`. */
static suite_seq one_among (uint64_t n, uint64_t at) {
  suite_seq q = { .kind = "one among many" };
  cr_assert_eq (sd_alphabet_new (2, &q.alphabet), SD_OK);
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = n };
  q.seq.sym = sd_alloc (n, sizeof *q.seq.sym);
  for (uint64_t i = 0; i < n; i++)
    q.seq.sym[i] = i != at;
  return q;
}

/* Runs around those that one code of Golomb holds, which are many codes in as many blocks. */
Test (runs, long_runs_are_several_codes) {
  static const uint64_t length[] = { 31, 32, 33, 63, 64, 65, 4095, 4096, 4097, 100000 };
  for (unsigned k = 0; k < sizeof length / sizeof length[0]; k++)
    for (uint64_t behind = 0; behind < 2; behind++) {
      suite_seq q = one_among (length[k] + 1 + behind, length[k]);
      suite_check (&sd_codec_golomb, &q, "group=1,block=16");
      suite_check (&sd_codec_golomb, &q, "group=2,block=17");
      suite_check (&sd_codec_golomb, &q, "");
      suite_check (&sd_codec_fdr, &q, "block=16");
      suite_free (&q);
    }
}

static unsigned bytes_by (const suite_seq *q, const char *settings) {
  sd_buf out = suite_encode (&sd_codec_golomb, q, settings);
  const unsigned bytes = (unsigned) out.len;
  sd_buf_free (&out);
  return bytes;
}

Test (runs, the_best_group_is_the_smallest) {
  for (unsigned kind = SUITE_MIX; kind <= SUITE_RUNS; kind++) {
    suite_seq q = suite_make (kind, 3);
    unsigned least = UINT_MAX;
    for (unsigned g = 1; g <= 65536; g *= 2) {
      char set[40];
      snprintf (set, sizeof set, "block=65536,group=%u", g);
      const unsigned bytes = bytes_by (&q, set);
      least = bytes < least ? bytes : least;
    }
    const unsigned best = bytes_by (&q, "block=65536");
    /* the group itself takes a byte or more of some */
    cr_expect (best <= least + 2, "%s: %u bytes, %u by the best group", q.kind, best, least);
    suite_free (&q);
  }
}

/* ------------------------------------------------------- streams that lie */

/* n slots of m symbols in one block: golomb's stream with these fields (block, usual, group) and a zero byte.
 */
static int open_made (const uint64_t field[3], unsigned m, uint64_t n, sd_buf *out, sd_decoder **d) {
  static const uint64_t start[1] = { 0 };
  sd_error err = { 0 };
  out->len = 0;
  sd_buf_u8 (out, SD_STREAM_CODEC);
  sd_buf_varint (out, field[0]);
  sd_buf_varint (out, 1);
  sd_buf_varint (out, field[1]);
  sd_buf_varint (out, field[2]);
  sd_starts_write (start, 1, n, out);
  sd_buf_u8 (out, 0);
  return sd_codec_open (&sd_codec_golomb, out->data, out->len, n, m, d, &err);
}

Test (runs, fields_out_of_range_are_refused) {
  sd_buf out = { 0 };
  sd_decoder *d = NULL;
  cr_expect_eq (open_made ((uint64_t[]){ 65521, 0, 0 }, 2, 8, &out, &d), SD_EFORMAT);
  cr_expect_eq (open_made ((uint64_t[]){ 112, 2, 0 }, 2, 8, &out, &d), SD_EFORMAT);
  cr_expect_eq (open_made ((uint64_t[]){ 112, 0, 17 }, 2, 8, &out, &d), SD_EFORMAT);
  /* of one symbol there is nothing that could end a run */
  cr_expect_eq (open_made ((uint64_t[]){ 112, 0, 0 }, 1, 8, &out, &d), SD_EFORMAT);
  cr_assert_eq (open_made ((uint64_t[]){ 112, 0, 0 }, 2, 8, &out, &d), SD_OK);
  sd_codec_close (d);
  sd_buf_free (&out);
}

/* A byte of zero bits is eight runs of no slot, each ended by a 1: there is no ninth. */
Test (runs, slots_behind_the_last_code_are_damage) {
  sd_buf out = { 0 };
  sd_decoder *d = NULL;
  sd_symbol s = 0;
  cr_assert_eq (open_made ((uint64_t[]){ 112, 0, 0 }, 2, 9, &out, &d), SD_OK);
  cr_expect (sd_codec_get (d, 7, &s) == SD_OK && s == 1);
  cr_expect_eq (sd_codec_get (d, 8, &s), SD_EFORMAT);
  sd_symbol all[9];
  cr_expect_eq (sd_codec_read (d, 0, 9, all), SD_EFORMAT);
  sd_codec_close (d);
  sd_buf_free (&out);
}
