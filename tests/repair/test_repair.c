/* The RE-PAIR codec as a whole: the conformance suite, sizes, messages. What it is made of is tested in
 * test_repair_*.c. */
#include "config.h"
#include "codecs/row.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "repair/repair_internal.h"

/* ---------------------------------------------------------- as a codec */

static const char *const settings_short[] = { "", "initial=none", "pair=compatible,initial=none",
                                              "block=16,pair=exact,final=frequent", NULL };
static const char *const settings_long[] = { "block=65536,symbols=4095,maxcode=12",
                                             "block=17,symbols=0,initial=left",
                                             "block=64,maxlen=1,maxcode=1",
                                             "block=33,maxlen=5,min=2,initial=none",
                                             "block=1024,min=1000000,initial=none,final=frequent",
                                             "symbols=1,initial=none,pair=exact",
                                             NULL };

static const char *const settings_optimal[] = {
  "parse=optimal",
  "parse=optimal,block=16,initial=none,slack=3,rounds=1",
  "parse=optimal,block=65536,symbols=100,rounds=5,maxcode=9",
  "parse=optimal,block=300,tries=all,rounds=1",
  "parse=optimal,block=64,initial=none,rounds=2,restarts=2,slack=1",
  "parse=optimal,sample=1000,rounds=2",
  "parse=optimal,sample=70000,initial=none,rounds=1",
  "parse=optimal,initial=edges:8,rounds=0,restarts=1",
  "parse=optimal,block=40,symbols=0,rounds=0",
  "parse=optimal,block=40,symbols=1,rounds=0,pair=exact,final=frequent",
  NULL
};

static const char *const settings_rans[] = { "entropy=rans",
                                             "entropy=rans,block=16,initial=none",
                                             "entropy=rans,block=17,symbols=0,parse=optimal",
                                             "entropy=rans,block=65536,symbols=300,parse=optimal,rounds=1",
                                             "entropy=rans,block=40,maxlen=1,min=2,pair=exact",
                                             "entropy=rans,symbols=0",
                                             "entropy=rans,maxlen=4",
                                             "entropy=rans,pair=compatible,initial=none",
                                             "entropy=rans,block=4096,symbols=3,parse=optimal,rounds=1",
                                             NULL };

Test (repair, keeps_every_promise_of_a_codec) {
  codec_suite (&sd_codec_repair, settings_short);
}
Test (repair, keeps_every_promise_with_extreme_settings) {
  codec_suite (&sd_codec_repair, settings_long);
}
Test (repair, keeps_every_promise_when_parsed_anew) {
  codec_suite (&sd_codec_repair, settings_optimal);
}
Test (repair, keeps_every_promise_with_rans) {
  codec_suite (&sd_codec_repair, settings_rans);
}
Test (repair, damaged_streams_with_rans_never_crash) {
  codec_suite_damage (&sd_codec_repair, "block=32,entropy=rans", 1200);
  codec_suite_damage (&sd_codec_repair, "block=1024,entropy=rans,initial=none", 600);
}
Test (repair, damaged_streams_never_crash) {
  codec_suite_damage (&sd_codec_repair, "block=32", 1200);
}
Test (repair, damaged_streams_of_one_block_never_crash) {
  codec_suite_damage (&sd_codec_repair, "block=65536,initial=none", 1200);
}

/* A parse is cut into segments of 131,072 slots, and reading into tasks of half as many. */
#ifdef _OPENMP
Test (repair, a_parse_of_several_segments_is_the_same_with_any_number_of_threads) {
  enum { N = 300000 };
  uint64_t rng = 12;
  suite_seq q = { .kind = "segments", .seed = 12, .alphabet = suite_alphabet_with_star (3) };
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = N, .sym = sd_alloc (N, sizeof *q.seq.sym) };
  for (uint64_t i = 0, left = 0, value = 0; i < N; i++, left--) {
    const uint64_t x = sd_random (&rng);
    if (!left) { /* runs, one in four free; some that last */
      value = x % 4;
      left = 1 + (x >> 8 & (x >> 16 & 31 ? 15 : 1023));
    }
    q.seq.sym[i] = (sd_symbol) (x >> 40 & 31 ? value : 4);
  }
  static const int threads[] = { 1, 2, 5 };
  const int before = omp_get_max_threads ();
  sd_buf out[3];
  for (unsigned k = 0; k < 3; k++) {
    omp_set_num_threads (threads[k]);
    out[k] = suite_encode (&sd_codec_repair, &q, "parse=optimal,rounds=1,restarts=0");
    cr_assert_eq (out[k].len, out[0].len, "%d threads", threads[k]);
    cr_assert_eq (memcmp (out[k].data, out[0].data, out[0].len), 0, "%d threads", threads[k]);
  }
  sd_decoder *d;
  sd_error err = { 0 };
  cr_assert_eq (sd_codec_open (&sd_codec_repair, out[0].data, out[0].len, N, 3, &d, &err), SD_OK, "%s",
                err.text);
  sd_symbol *read[2];
  for (unsigned k = 0; k < 2; k++) {
    omp_set_num_threads (k ? 3 : 1);
    read[k] = sd_alloc (N, sizeof **read);
    cr_assert_eq (sd_codec_read (d, 0, N, read[k]), SD_OK);
  }
  cr_expect_eq (memcmp (read[0], read[1], N * sizeof **read), 0, "reading by one and by three threads");
  cr_expect_eq (sd_seq_first_violation (&q.seq, read[0]), N);
  omp_set_num_threads (before);
  for (unsigned k = 0; k < 3; k++)
    sd_buf_free (&out[k]);
  free (read[0]);
  free (read[1]);
  sd_codec_close (d);
  suite_free (&q);
}
#endif

Test (repair, each_word_of_its_settings_names_a_rule) {
  unsigned found = 0;
  for (const sd_tunable *t = sd_repair_tunables + 1; t < sd_repair_tunables + 3; t++) {
    char word[64];
    for (unsigned w = 0; suite_word (t->words, w, word, sizeof word); w++, found++) {
      const bool pair = strcmp (t->key, "pair") == 0;
      cr_expect (pair ? sd_repair_find_pair_rule (word) != NULL : sd_repair_find_final_rule (word) != NULL,
                 "%s", word);
      cr_expect (strstr (t->summary, word), "%s: %s does not say what %s does", t->key, t->summary, word);
    }
  }
  cr_expect_geq (found, 5);
  cr_expect (!sd_repair_find_pair_rule ("no such") && !sd_repair_find_final_rule (""));
}

/* ------------------------------------------------------------- sizes */

static size_t size_of (unsigned m, const sd_symbol *sym, uint64_t n, const char *settings,
                       sd_codec_parts *parts) {
  suite_seq q = { .kind = "sizes", .alphabet = suite_alphabet_with_star (m) };
  sd_decoder *d;
  sd_error err;
  q.seq = (sd_seq){ .alphabet = q.alphabet, .sym = (sd_symbol *) (uintptr_t) sym, .n = n };
  sd_buf out = suite_encode (&sd_codec_repair, &q, settings);
  cr_assert_eq (sd_codec_open (&sd_codec_repair, out.data, out.len, n, m, &d, &err), SD_OK);
  if (parts)
    sd_codec_describe (d, parts);
  sd_symbol *all = sd_alloc (n, sizeof *all);
  cr_assert_eq (sd_codec_read (d, 0, n, all), SD_OK); /* in parallel if n is large */
  cr_assert_eq (sd_seq_first_violation (&q.seq, all), n);
  free (all);
  sd_codec_close (d);
  size_t len = out.len;
  sd_buf_free (&out);
  sd_alphabet_free (q.alphabet);
  return len;
}

Test (repair, simple_sequences_take_few_bytes) {
  enum { N = 1 << 20 };
  sd_symbol *sym = sd_alloc0 (N, sizeof *sym);
  cr_expect_leq (size_of (3, sym, N, "", NULL), 2, "all equal");
  cr_expect_leq (size_of (3, sym, 0, "", NULL), 2, "empty");
  cr_expect_leq (size_of (1, sym, N, "", NULL), 2, "one symbol only");
  for (unsigned i = 0; i < N; i++)
    sym[i] = i % 5 ? 3 : 1;
  cr_expect_leq (size_of (3, sym, N, "initial=none", NULL), 2, "1 or anything");
  for (unsigned i = 0; i < N; i++)
    sym[i] = i & 1;
  cr_expect_leq (size_of (3, sym, N, "", NULL), 30, "alternating: %zu", size_of (3, sym, N, "", NULL));
  memset (sym, 0, N * sizeof *sym);
  sym[N / 3] = 2;
  cr_expect_leq (size_of (3, sym, N, "", NULL), 70, "one exception: %zu", size_of (3, sym, N, "", NULL));
  cr_expect_leq (size_of (3, sym + N / 3, 1, "", NULL), 2, "one");
  cr_expect_leq (size_of (3, sym + N / 3 - 1, 2, "", NULL), 8, "two: %zu",
                 size_of (3, sym + N / 3 - 1, 2, "", NULL));
  uint64_t rng = 3;
  for (unsigned i = 0; i < N; i++)
    sym[i] = sd_random (&rng) & 255;
  size_t noise = size_of (256, sym, N, "", NULL);
  cr_expect_lt (noise, N + N / 50, "noise of 8 bits a symbol: %zu bytes", noise);
  free (sym);
}

/* White king, white rook, black king on 64 x 64 x 64: lost, drawn or won by distances and lines, free where
 * two men share a square or the black king is in check. Something like a table, made of arithmetic only. */
static sd_symbol *board_like (uint64_t *n) {
  *n = 64 * 64 * 64;
  sd_symbol *sym = sd_alloc (*n, sizeof *sym);
  for (unsigned i = 0; i < *n; i++) {
    int k = i & 63, r = i >> 6 & 63, w = i >> 12, value;
    int dk = abs (k % 8 - w % 8) > abs (k / 8 - w / 8) ? abs (k % 8 - w % 8) : abs (k / 8 - w / 8);
    int dr = abs (k % 8 - r % 8) > abs (k / 8 - r / 8) ? abs (k % 8 - r % 8) : abs (k / 8 - r / 8);
    if (k == r || k == w || r == w || dk < 2)
      value = 3;
    else if (k % 8 == r % 8 || k / 8 == r / 8)
      value = w % 3 ? 4 : 0;
    else
      value = dr == 1 ? 1 : dk > 5 ? 2 : dr > dk + 1 ? 1 : 0;
    sym[i] = (sd_symbol) value;
  }
  return sym;
}

Test (repair, sizes_of_a_table_stay_where_they_were) {
  static const struct {
    const char *settings;
    size_t bound;
  } rows[] = {
    { "", 23066 },           { "initial=none", 24254 }, { "pair=exact,final=frequent,initial=none", 46259 },
    { "block=1024", 22802 }, { "symbols=1000", 25036 },
  };
  uint64_t n;
  sd_symbol *sym = board_like (&n);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sd_codec_parts p;
    size_t size = size_of (3, sym, n, rows[i].settings, &p);
    cr_expect_leq (size, rows[i].bound,
                   "%s: %zu bytes (header %" PRIu64 ", model %" PRIu64 ", index %" PRIu64 ", payload %" PRIu64
                   "), was %zu",
                   rows[i].settings, size, p.header, p.model, p.index, p.payload, rows[i].bound);
  }
  free (sym);
}

Test (repair, limits_on_phrases_are_kept) {
  uint64_t n;
  sd_symbol *sym = board_like (&n);
  sd_codec_parts p;
  size_t free_size = size_of (3, sym, n, "", &p);
  cr_expect_gt (p.symbols, 100);
  cr_expect_lt (free_size, size_of (3, sym, n, "symbols=100", &p));
  cr_expect_leq (p.symbols, 100);
  cr_expect_gt (p.symbols, 90);
  size_of (3, sym, n, "maxlen=1", &p);
  cr_expect_eq (p.symbols, 0);
  size_of (3, sym, n, "maxlen=2", &p);
  cr_expect (p.symbols > 0 && p.symbols <= 9, "%" PRIu64 " pairs of three symbols", p.symbols);
  size_of (3, sym, n, "block=16", &p);
  cr_expect_eq (p.blocks, (p.payload + 15) / 16);
  cr_expect_lt (p.index, 2 * p.blocks, "less than 16 bits a block");
  free (sym);
}

Test (repair, errors_name_the_place) {
  static const uint8_t cut[] = { 1, 112, 1, 50, 1 }, many[] = { 1, 112, 10, 1, 0 },
                       large[] = { 1, 0xff, 0xff, 7, 1 };
  static const struct {
    const uint8_t *data;
    size_t len;
    uint64_t n;
    const char *text;
  } rows[] = {
    { cut, 5, 9, "repair: model: cut off, 50 bytes are announced" },
    { cut, 2, 9, "repair: header: cut off" },
    { many, 5, 9, "repair: header: 10 blocks for 9 positions" },
    { large, 5, 9, "repair: header: cut off, or blocks of more than 65536 bytes" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sd_decoder *d;
    sd_error err = { 0 };
    cr_expect_eq (sd_codec_open (&sd_codec_repair, rows[i].data, rows[i].len, rows[i].n, 3, &d, &err),
                  SD_EFORMAT);
    cr_expect (strstr (err.text, rows[i].text), "%s", err.text);
  }
}
