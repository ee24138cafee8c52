/* Settings, and the common part of all codecs. */
#include "config.h"
#include "codecs/row.h"
#include "tests/codecs/codec_suite.h"
#include "codecs/blocks/blocks.h"
#include "codecs/codecs.h"
#include "fuzz/forge.h"
#include "table/table.h"
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

/* Settings that deserve a test together, besides what test_all_codecs.c makes of each codec's tunables. */
static const struct {
  const char *codec, *settings[5], *damage;
} rows[] = {
  { "lzma",
    { "block=100,preset=0,initial=zero", "block=4096", "block=513,initial=alg2+full" },
    "block=1000" },
  { "trees",
    { "samples=20,slots=2000", "block=128,trees=1,leaves=2,rounds=1,samples=50",
      "slots=64,trees=2,samples=10", "initial=alg2+full,block=300,trees=3,samples=1" },
    "block=128,trees=2,samples=10" },
  { "forest",
    { "samples=20,slots=2000", "block=128,trees=1,leaves=2,rounds=1,samples=50" },
    "block=128,trees=2,samples=10" },
  { "rle", { "block=65536,initial=left", "block=21,initial=alg2+full" }, "block=16" },
  { "golomb", { "block=65536,group=1,initial=left", "block=21,initial=alg2+full" }, "block=16,group=2" },
  { "fdr", { "block=65536,initial=left", "block=21,initial=alg2+full" }, "block=16" },
  { "huffman",
    { "block=16,word=2", "block=65536,initial=left,word=16", "block=21,initial=alg2+full,word=0" },
    "block=16,word=3" },
  { "zstd",
    { "block=100,level=1,initial=zero", "block=2097152,level=3", "block=512,dict=2048",
      "block=700,dict=100000,level=5" },
    "block=500,dict=1000" },
  { "brotli", { "block=100,quality=1,initial=zero", "block=2097152,quality=5" }, "block=1000" },
  { "zlib", { "block=100,level=1,initial=zero", "block=513,initial=alg2+full" }, "block=1000" },
  { "bzip2", { "block=100,initial=zero", "block=700000" }, "block=1000" },
  { "lz4", { "block=100,level=2,initial=zero", "block=513,initial=alg2+full" }, "block=1000" },
};
#define ROWS (sizeof rows / sizeof rows[0])

static const sd_codec *const *all_codecs;
static size_t ncodecs;
static void walk_the_registry (void) {
  all_codecs = sd_codec_all (&ncodecs);
}
TestSuite (codec, .init = walk_the_registry);

ParameterizedTestParameters (codec, combinations_of_settings_keep_every_promise) {
  static unsigned row[ROWS];
  for (unsigned r = 0; r < ROWS; r++)
    row[r] = r;
  return cr_make_param_array (unsigned, row, ROWS);
}
ParameterizedTest (unsigned *r, codec, combinations_of_settings_keep_every_promise) {
  const sd_codec *codec = sd_codec_find (rows[*r].codec);
  if (!codec) /* left out of this build */
    return;
  codec_suite (codec, rows[*r].settings);
  codec_suite_damage (codec, rows[*r].damage, 1000);
}

/* Any codec, as if it could be in pieces: read whole, across borders, one by
 * one. */
static void check_pieces (const sd_codec *kind, const suite_seq *q, uint64_t slots) {
  sd_codec limited = *kind, *codec = &limited;
  limited.in_pieces = true;
  sd_settings set = suite_settings (codec, "");
  sd_buf out = { 0 };
  sd_error err = { 0 };
  const uint64_t n = q->seq.n;
  const unsigned m = sd_alphabet_main (q->alphabet);
  cr_assert_eq (sd_codec_encode_pieces (codec, &q->seq, slots, &set, NULL, &out, &err), SD_OK, "%s",
                err.text);
  sd_decoder *d;
  sd_codec_parts parts;
  cr_assert_eq (sd_codec_open (codec, out.data, out.len, n, m, &d, &err), SD_OK, "%s: %s", codec->name,
                err.text);
  cr_expect (d->n == n && d->m == m && strcmp (d->codec->name, codec->name) == 0);
  sd_codec_describe (d, &parts);
  cr_expect_eq (parts.header + parts.model + parts.index + parts.payload, out.len);
  sd_symbol *all = sd_alloc (n, sizeof *all), *part = sd_alloc (n, sizeof *part), one;
  cr_assert_eq (sd_codec_read (d, 0, n, all), SD_OK);
  cr_assert_eq (sd_seq_first_violation (&q->seq, all), n);
  uint64_t rng = slots;
  for (unsigned k = 0; k < 60; k++) {
    uint64_t first = k < 2 ? slots - k : sd_random (&rng) % n,
             count = sd_random (&rng) % (n - first) % (3 * slots);
    cr_assert_eq (sd_codec_get (d, first, &one), SD_OK);
    cr_assert_eq (one, all[first]);
    cr_assert_eq (sd_codec_read (d, first, count, part), SD_OK);
    cr_assert_eq (memcmp (part, all + first, count * sizeof *part), 0);
  }
  sd_codec_close (d);
  for (unsigned k = 0; k < 300; k++) { /* damage near the front, where the lengths stand */
    uint8_t kept = out.data[k % 30];
    out.data[k % 30] = (uint8_t) sd_random (&rng);
    suite_read_damaged (codec, out.data, out.len - k % 3, n, m, "pieces");
    out.data[k % 30] = kept;
  }
  free (all);
  free (part);
  sd_buf_free (&out);
}

Test (codec, more_slots_than_a_codec_takes_at_once_are_cut_into_pieces) {
  suite_seq q = suite_make (SUITE_MIX, 6);
  for (unsigned r = 0; r < ncodecs; r++)
    if (!all_codecs[r]->makes_clusters) /* those take any number of slots */
      check_pieces (all_codecs[r], &q, r % 2 ? 1000 : q.seq.n - 1);
  sd_settings set = suite_settings (&sd_codec_store, "");
  sd_buf out = { 0 };
  sd_error err = { 0 };
  sd_codec few = sd_codec_store;
  const uint64_t bad[] = { 0, 9001, q.seq.n };
  few.in_pieces = true;
  few.max_slots = 9000;
  for (unsigned k = 0; k < sizeof bad / sizeof bad[0]; k++)
    cr_expect_eq (sd_codec_encode_pieces (&few, &q.seq, bad[k], &set, NULL, &out, &err), SD_ERANGE);
  cr_expect_eq (sd_codec_encode_pieces (&sd_codec_store, &q.seq, 9000, &set, NULL, &out, &err), SD_ERANGE);
  cr_expect_eq (out.len, 0);

  cr_assert_eq (sd_codec_encode (&few, &q.seq, &set, NULL, &out, &err), SD_OK);
  cr_expect_eq (out.data[0], 2);
  sd_reader r = sd_reader_of (out.data + 1, out.len - 1);
  cr_expect_eq (sd_get_varint (&r), (q.seq.n + 2) / 3, "three equal pieces for %d slots", (int) q.seq.n);

  /* A piece holds what the codec takes at once, and not more; a codec without pieces has none. */
  for (unsigned k = 0; k < 3; k++) {
    sd_decoder *d;
    few.in_pieces = k != 0;
    few.max_slots = k == 1 ? (q.seq.n + 2) / 3 - 1 : 9000;
    cr_expect_eq (sd_codec_open (&few, out.data, out.len, q.seq.n, sd_alphabet_main (q.alphabet), &d, &err),
                  k == 2 ? SD_OK : SD_EFORMAT, "%u", k);
    sd_codec_close (d);
  }
  sd_buf_free (&out);
  suite_free (&q);
}

/* Forests and codes of words ask for more than few bytes pay for: some pieces may, and not many. */
Test (codec, pieces_of_few_bytes_are_refused) {
  suite_seq q = suite_make (SUITE_MIX, 6);
  const unsigned m = sd_alphabet_main (q.alphabet);
  unsigned checked = 0;
  for (unsigned r = 0; r < ncodecs; r++) {
    const sd_codec *codec = all_codecs[r];
    if (!codec->in_pieces || codec->max_slots)
      continue;
    sd_settings set = suite_settings (codec, "");
    sd_error err = { 0 };
    sd_buf out = { 0 }, one = { 0 }, many = { 0 };
    sd_decoder *d;
    cr_expect_eq (sd_codec_encode_pieces (codec, &q.seq, q.seq.n / 400, &set, NULL, &out, &err), SD_ERANGE,
                  "%s", codec->name);
    cr_expect_eq (out.len, 0);
    /* The same piece again and again, as a reader finds it in a file. */
    sd_seq part = { .alphabet = q.alphabet, .sym = q.seq.sym, .n = q.seq.n / 400 };
    cr_assert_eq (sd_codec_encode (codec, &part, &set, NULL, &one, &err), SD_OK);
    sd_forge_pieces (part.n, 400, &one, &many);
    cr_expect_eq (sd_codec_open (codec, many.data, many.len, 400 * part.n, m, &d, &err), SD_EFORMAT, "%s",
                  codec->name);
    cr_expect (strstr (err.text, "are too many"), "%s", err.text);
    checked++;
    sd_buf_free (&out);
    sd_buf_free (&one);
    sd_buf_free (&many);
  }
  cr_expect_geq (checked, 3);
  suite_free (&q);
}

/* Some slots of an open stream, its first and last one among them. */
Test (codec, a_window_is_read_as_a_table_of_its_own) {
  for (unsigned r = 0; r < ncodecs; r++)
    for (unsigned kind = 0; kind < 2; kind++) {
      suite_seq q = suite_make (kind ? SUITE_FREE : SUITE_MIX, 6);
      sd_buf out = suite_encode (all_codecs[r], &q, "");
      sd_decoder *d, *w;
      sd_error err = { 0 };
      const uint64_t n = q.seq.n, first[] = { 0, 0, n / 3, n - 1, n }, count[] = { n, n / 2, n / 3, 1, 0 };
      cr_assert_eq (
          sd_codec_open (all_codecs[r], out.data, out.len, n, sd_alphabet_main (q.alphabet), &d, &err),
          SD_OK);
      sd_symbol *all = sd_alloc (n, sizeof *all), *part = sd_alloc (n, sizeof *part), one;
      cr_assert_eq (sd_codec_read (d, 0, n, all), SD_OK);
      for (unsigned k = 0; k < 5; k++) {
        sd_codec_parts parts;
        cr_assert_eq (sd_codec_window (d, first[k], count[k], &w, &err), SD_OK, "%s", err.text);
        cr_expect (w->n == count[k] && w->m == d->m);
        cr_assert_eq (sd_codec_read (w, 0, count[k], part), SD_OK);
        cr_assert_eq (memcmp (part, all + first[k], count[k] * sizeof *part), 0);
        for (uint64_t i = 0; i < count[k]; i += 1 + count[k] / 50) {
          cr_assert_eq (sd_codec_get (w, i, &one), SD_OK);
          cr_assert_eq (one, all[first[k] + i]);
        }
        sd_codec_describe (w, &parts);
        cr_expect (parts.model == 0 && parts.payload == 0 && parts.blocks == 0);
        sd_codec_close (w);
      }
      cr_expect_eq (sd_codec_window (d, 1, n, &w, &err), SD_EINVAL);
      cr_expect_eq (sd_codec_window (d, n + 1, 0, &w, &err), SD_EINVAL);
      cr_expect_null (w);
      sd_codec_close (d);
      free (all);
      free (part);
      sd_buf_free (&out);
      suite_free (&q);
    }
}

Test (store, takes_the_bits_of_a_symbol_and_one_byte) {
  suite_seq q = suite_make (SUITE_MIX, 3);
  sd_buf out = suite_encode (&sd_codec_store, &q, "");
  cr_expect_eq (out.len, 1 + (2 * q.seq.n + 7) / 8);
  sd_buf_free (&out);
  suite_free (&q);
}

Test (rle, long_runs_take_a_few_bits_and_every_length_comes_back) {
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  suite_seq q = {
    .kind = "lengths", .seed = 3, .alphabet = a, .seq = { .alphabet = a, .n = 700 * 701 / 2 + 3000000 }
  };
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  uint64_t at = 0;
  for (unsigned length = 1; length <= 700; length++) /* each length once, then one long run */
    for (unsigned k = 0; k < length; k++)
      q.seq.sym[at++] = (sd_symbol) (length % 3);
  sd_buf out = suite_encode (&sd_codec_rle, &q, "");
  cr_expect_lt (out.len, 1500, "%zu bytes for 701 runs", out.len);
  sd_buf_free (&out);
  suite_check (&sd_codec_rle, &q, "block=16");
  suite_free (&q);
}

Test (lzma, many_blocks_are_read_in_parallel_and_cost_little) {
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (2, &a), SD_OK);
  suite_seq q = { .kind = "two halves", .seed = 8, .alphabet = a, .seq = { .alphabet = a, .n = 1000003 } };
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  for (uint64_t i = q.seq.n / 2; i < q.seq.n; i++)
    q.seq.sym[i] = 1;
  sd_buf out = suite_encode (&sd_codec_lzma, &q, "block=1024");
  cr_expect_lt (out.len, 2 * 977 + 977 / 2, "%zu bytes for 977 blocks, all but one constant", out.len);
  sd_buf_free (&out);
  suite_check (&sd_codec_lzma, &q, "block=1024");
  suite_free (&q);
}

Test (lzma, larger_blocks_are_smaller) {
  suite_seq q = suite_make (SUITE_RUNS, 4);
  size_t before = SIZE_MAX;
  static const char *const settings[] = { "block=256", "block=4096", "block=65536", NULL };
  for (unsigned k = 0; settings[k]; k++) {
    sd_buf out = suite_encode (&sd_codec_lzma, &q, settings[k]);
    cr_expect_lt (out.len, before, "%s: %zu bytes", settings[k], out.len);
    before = out.len;
    sd_buf_free (&out);
  }
  suite_free (&q);
}

/* The stream of q as ranks make it: blocks from the last to the first by two coders in turn, then the head.
 */
static sd_buf by_blocks (const sd_codec *codec, const suite_seq *q, const char *text) {
  sd_settings set = suite_settings (codec, text);
  sd_block_plan p;
  sd_blocks_plan (codec, &set, q->seq.n, sd_alphabet_main (q->seq.alphabet), &p);
  sd_block_coder *coder[2];
  uint8_t *raw = malloc (q->seq.n * p.width), *packed = malloc (q->seq.n * p.width);
  uint32_t *length = calloc (p.blocks, sizeof *length);
  const size_t step = p.block * p.width;
  for (uint64_t i = 0; i < q->seq.n; i++)
    for (unsigned w = 0; w < p.width; w++)
      raw[i * p.width + w] = (uint8_t) (q->seq.sym[i] >> 8 * w);
  for (unsigned c = 0; c < 2; c++)
    cr_assert_eq (sd_block_coder_new (&p, &coder[c]), SD_OK);
  cr_expect_gt (sd_blocks_memory (&p), 4096);
  for (uint64_t b = p.blocks; b-- > 0;) {
    size_t len, bytes = sd_block_count (&p, b) * p.width;
    cr_assert_eq (
        sd_block_pack (coder[b % 2], raw + b * step, sd_block_count (&p, b), packed + b * step, &len), SD_OK);
    cr_assert (len > 0 && len <= bytes);
    length[b] = (uint32_t) len;
    cr_expect_eq (
        sd_block_compare (coder[b / 2 % 2], packed + b * step, len, raw + b * step, sd_block_count (&p, b)),
        SD_OK, "block %" PRIu64, b);
    raw[b * step + bytes / 2] ^= 1; /* in the middle of a symbol or not, it is another one */
    cr_expect_eq (sd_block_compare (coder[0], packed + b * step, len, raw + b * step, sd_block_count (&p, b)),
                  SD_EDIFF, "block %" PRIu64, b);
  }
  sd_buf out = { 0 };
  cr_assert_eq (sd_codec_put_head (&p, length, &out), SD_OK);
  for (uint64_t b = 0; b < p.blocks; b++)
    sd_buf_append (&out, packed + b * step, length[b]);
  sd_block_coder_free (coder[0]);
  sd_block_coder_free (coder[1]);
  sd_block_coder_free (NULL);
  free (raw);
  free (packed);
  free (length);
  return out;
}

Test (codec, blocks_coded_one_by_one_in_any_order_give_the_same_stream) {
  static const char *const settings[] = { "block=1", "block=100", "block=4096", "block=500000", NULL };
  for (unsigned c = 0; c < ncodecs; c++)
    for (unsigned k = 0; all_codecs[c]->blocks && settings[k]; k++)
      for (unsigned kind = SUITE_MIX; kind < SUITE_KINDS; kind++) {
        suite_seq q = suite_make (kind, 11);
        if (k == 0) /* as many blocks as slots */
          suite_shorten (&q);
        if (sd_complete_frequent (&q.seq) == SD_OK) {
          sd_buf whole = suite_encode (all_codecs[c], &q, settings[k]),
                 parts = by_blocks (all_codecs[c], &q, settings[k]);
          cr_expect (whole.len == parts.len && memcmp (whole.data, parts.data, whole.len) == 0,
                     "%s, %s, %s: %zu bytes as a whole, %zu by blocks", all_codecs[c]->name, q.kind,
                     settings[k], whole.len, parts.len);
          sd_buf_free (&whole);
          sd_buf_free (&parts);
        }
        suite_free (&q);
      }
}

Test (codec, what_one_symbol_completes_takes_two_bytes) {
  for (unsigned c = 0; c < ncodecs; c++)
    for (unsigned kind = SUITE_EMPTY; kind <= SUITE_FREE; kind++) {
      suite_seq q = suite_make (kind, 1);
      sd_buf out = suite_encode (all_codecs[c], &q, "initial=none");
      cr_expect_eq (out.len, 2, "%s, %s: %zu bytes", all_codecs[c]->name, q.kind, out.len);
      sd_buf_free (&out);
      suite_free (&q);
    }
}

Test (codec, a_wrong_symbol_or_algorithm_is_an_error_and_leaves_the_output_as_it_was) {
  suite_seq q = suite_make (SUITE_MIX, 1);
  sd_settings set = suite_settings (&sd_codec_store, "initial=constant:7");
  sd_buf out = { 0 };
  sd_error err = { 0 };
  sd_buf_u8 (&out, 42);
  cr_expect_eq (sd_codec_encode (&sd_codec_store, &q.seq, &set, NULL, &out, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "constant:7"), "%s", err.text);
  q.seq.sym[5] = (sd_symbol) sd_alphabet_size (q.alphabet);
  cr_expect_eq (sd_codec_encode (&sd_codec_store, &q.seq, &set, NULL, &out, &err), SD_EINVAL);
  cr_expect_eq (out.len, 1);
  sd_buf_free (&out);
  suite_free (&q);
}

static bool always (void *ctx) {
  ++*(unsigned *) ctx;
  return true;
}

/* Those that may take long ask; what was coded until then is no stream. */
Test (codec, an_encoder_that_is_not_wanted_any_more_gives_up) {
  static const char *const asks[] = { "repair", "obdd", "trees", "forest", "lzma" };
  suite_seq q = suite_make (SUITE_MIX, 1);
  for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
    const sd_codec *codec = sd_codec_find (asks[i]);
    unsigned asked = 0;
    const sd_progress stop = { .stop = always, .ctx = &asked };
    sd_buf out = { 0 };
    if (!codec) /* left out of this build */
      continue;
    sd_settings set = suite_settings (codec, "");
    sd_buf_u8 (&out, 42);
    cr_expect_eq (sd_codec_encode (codec, &q.seq, &set, &stop, &out, NULL), SD_ESTOPPED, "%s", asks[i]);
    cr_expect_eq (asked, 1, "%s asks again", asks[i]);
    cr_expect_eq (out.len, 1);
    sd_buf_free (&out);
  }
  suite_free (&q);
}

Test (codec, foreign_streams_are_refused) {
  static const struct {
    const char *data;
    size_t len;
    unsigned m;
    int status;
  } in[] = {
    { "", 0, 3, SD_EFORMAT },      { "\0", 1, 3, SD_EFORMAT },       { "\0\3", 2, 3, SD_EFORMAT },
    { "\0\1x", 3, 3, SD_EFORMAT }, { "\0\x80\0", 3, 3, SD_EFORMAT }, { "\2\0", 2, 3, SD_EFORMAT },
    { "\1", 1, 3, SD_EFORMAT },    { "\0\1", 2, 0, SD_EINVAL },      { "\0\1", 2, 4097, SD_EINVAL }
  };
  for (unsigned c = 0; c < ncodecs; c++)
    for (unsigned k = 0; k < sizeof in / sizeof in[0]; k++) {
      sd_error err = { 0 };
      sd_decoder *d = NULL;
      cr_expect_eq (
          sd_codec_open (all_codecs[c], (const uint8_t *) in[k].data, in[k].len, 100, in[k].m, &d, &err),
          in[k].status, "input %u", k);
      cr_expect (!d && strstr (err.text, all_codecs[c]->name), "input %u: %s", k, err.text);
    }
  sd_codec_close (NULL);
}

Test (settings, defaults_and_given_values_come_out_in_canonical_form) {
  sd_settings set;
  char text[200];
  cr_assert_eq (sd_settings_parse (&sd_codec_lzma, "preset=09,initial=alg2+full", &set, NULL), SD_OK);
  sd_settings_text (&set, text, sizeof text);
  cr_expect_str_eq (text, "initial=alg2+full,block=16384,preset=9");
  cr_expect_eq (sd_settings_int (&set, "block"), 16384);
  cr_expect_str_eq (sd_settings_word (&set, "initial"), "alg2+full");
  sd_settings again;
  cr_assert_eq (sd_settings_parse (&sd_codec_lzma, text, &again, NULL), SD_OK);
  cr_expect (memcmp (set.value, again.value, sizeof set.value) == 0);
  sd_settings_text (&set, text, 10); /* cut, but terminated */
  cr_expect_str_eq (text, "initial=a");
  cr_assert_eq (sd_settings_parse (&sd_codec_lzma, NULL, &set, NULL), SD_OK);
}

Test (settings, every_mistake_is_named) {
  static const struct {
    const char *text, *says;
  } in[] = { { "blok=1", "\"blok=1\": no such setting; it has the settings initial, block, preset" },
             { "block", "no value" },
             { "block=", "from 1 to 2097152" },
             { "block=x", "from 1 to 2097152" },
             { "block=12x", "from 1 to" },
             { "block= 12", "from 1 to" },
             { "block=0", "from 1 to" },
             { "block=99999999999999999999", "from 1 to" },
             { "preset=10", "from 0 to 9" },
             { "block=1,block=2", "given twice" },
             { "block=1,", "behind the last comma" },
             { ",block=1", "no such setting" },
             { "initial=quick", "\"quick\": no such algorithm" },
             { "initial=alg2+", "no such algorithm" },
             { "initial=", "no such algorithm" },
             { "initial=constant", "needs a parameter" },
             { "initial=zero+zero+zero+zero+zero+zero+zero+zero+zero+zero+zero+zero+zero+zero",
               "at most 63" } };
  for (unsigned k = 0; k < sizeof in / sizeof in[0]; k++) {
    sd_settings set;
    sd_error err = { 0 };
    cr_expect_eq (sd_settings_parse (&sd_codec_lzma, in[k].text, &set, &err), SD_EINVAL, "%s", in[k].text);
    cr_expect (strstr (err.text, in[k].says), "%s: %s", in[k].text, err.text);
  }
}

Test (settings, words_are_checked_against_their_list) {
  static const sd_tunable tunables[] = { { "initial", "", "none", 1, 0, NULL },
                                         { "final", "", "frequent", 1, 0, "frequent|longest" },
                                         { "free", "", "", 1, 0, NULL },
                                         { 0 } };
  static const sd_codec codec = { .name = "toy", .tunables = tunables };
  sd_settings set;
  sd_error err = { 0 };
  cr_expect_eq (sd_settings_parse (&codec, "final=longest,free=any thing", &set, &err), SD_OK, "%s",
                err.text);
  cr_expect_str_eq (sd_settings_word (&set, "final"), "longest");
  cr_expect_eq (sd_settings_parse (&codec, "final=long", &set, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "frequent|longest"), "%s", err.text);
  cr_expect_eq (sd_settings_parse (&codec, "final=frequent|longest", &set, &err), SD_EINVAL);
}

Test (settings, more_than_there_is_room_for_or_too_long_a_default_is_an_error) {
  static sd_tunable many[SD_MAX_SETTINGS + 2];
  static const char *const keys[] = { "initial", "b", "c", "d", "e", "f", "g", "h", "i",
                                      "j",       "k", "l", "m", "n", "o", "p", "q" };
  for (unsigned k = 0; k <= SD_MAX_SETTINGS; k++)
    many[k] = (sd_tunable){ keys[k], "", "none", 1, 0, k ? "none" : NULL };
  sd_codec codec = { .name = "toy", .tunables = many };
  sd_settings set;
  sd_error err = { 0 };
  cr_expect_eq (sd_settings_parse (&codec, "", &set, &err), SD_ERANGE);
  cr_expect (strstr (err.text, "codec toy") && strstr (err.text, "more than 16 settings"), "%s", err.text);
  many[SD_MAX_SETTINGS].key = NULL;
  cr_expect_eq (sd_settings_parse (&codec, "p=none", &set, &err), SD_OK, "%s", err.text);
  many[3].deflt = "a default of as many characters as a value has bytes, that is 64.";
  cr_expect_eq (sd_settings_parse (&codec, "", &set, &err), SD_ERANGE);
  cr_expect (strstr (err.text, "codec toy: d: "), "%s", err.text);
}
