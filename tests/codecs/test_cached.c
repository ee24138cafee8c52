/* Decoded blocks that are kept: the same symbols, within the budget, from any number of threads. */
#include "config.h"
#include "codecs/blocks/blocks.h"
#include "codecs/row.h"
#include "codecs/stream/stream.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000, M = 5, WIDE = 700 };

/* A stream of n symbols over m; sym receives what stands in it. */
static sd_decoder *made (unsigned m, const char *setting, sd_symbol *sym, sd_buf *bytes) {
  sd_alphabet *a;
  sd_settings set;
  sd_decoder *d;
  sd_error err = { 0 };
  uint64_t state = m;
  cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
  for (unsigned i = 0; i < N; i++)
    sym[i] = (sd_symbol) (sd_random (&state) % 7 ? i / 900 % m : sd_random (&state) % m);
  cr_assert_eq (sd_settings_parse (&sd_codec_lzma, setting, &set, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_codec_encode (&sd_codec_lzma, &(sd_seq){ .alphabet = a, .sym = sym, .n = N }, &set, NULL,
                                 bytes, &err),
                SD_OK, "%s", err.text);
  cr_assert_eq (sd_codec_open (&sd_codec_lzma, bytes->data, bytes->len, N, m, &d, &err), SD_OK, "%s",
                err.text);
  sd_alphabet_free (a);
  return d;
}

/* Single symbols and runs, short and long, anywhere. */
static unsigned wrong (const sd_decoder *d, const sd_symbol *sym, uint64_t seed) {
  static __thread sd_symbol out[N];
  unsigned bad = 0;
  for (unsigned k = 0; k < 400; k++) {
    const uint64_t first = sd_random (&seed) % N, most = k % 4 ? 40 : 6000;
    const uint64_t count = 1 + sd_random (&seed) % (N - first < most ? N - first : most);
    bad += sd_codec_get (d, first, out) != SD_OK || out[0] != sym[first];
    bad +=
        sd_codec_read (d, first, count, out) != SD_OK || memcmp (out, sym + first, count * sizeof *out) != 0;
  }
  return bad;
}

Test (cached, gives_the_same_symbols_whatever_the_budget) {
  static sd_symbol sym[N];
  static const struct {
    unsigned m;
    const char *set;
    uint64_t budget;
  } in[] = { { M, "block=1000", 1 << 20 }, { M, "block=1000", 3000 },     { M, "block=1000", 0 },
             { M, "block=333", 9000 },     { M, "block=65536", 1 << 20 }, { WIDE, "block=2001", 30000 } };
  for (unsigned k = 0; k < sizeof in / sizeof *in; k++) {
    sd_buf bytes = { 0 };
    sd_block_cache *cache;
    sd_codec_parts before, after;
    sd_decoder *d = made (in[k].m, in[k].set, sym, &bytes), *c;
    cr_assert_eq (sd_block_cache_new (in[k].budget, &cache, NULL), SD_OK);
    sd_codec_describe (d, &before);
    cr_assert_eq (sd_codec_cached (d, cache, &c, NULL), SD_OK);
    cr_expect_neq (c, d);
    sd_codec_describe (c, &after);
    cr_expect_eq (memcmp (&before, &after, sizeof before), 0);
    unsigned bad = 0;
#pragma omp parallel for num_threads(3) reduction(+ : bad)
    for (uint64_t t = 0; t < 6; t++)
      bad += wrong (c, sym, t + 1);
    cr_expect_eq (bad, 0, "%u: %u", k, bad);
    sd_codec_close (c);
    sd_block_cache_free (cache);
    sd_buf_free (&bytes);
  }
}

/* 2,000 symbols of one block of 20,000, and of one that another decoder has pushed out in between. */
Test (cached, decodes_a_block_once_while_it_is_kept) {
  static sd_symbol sym[2][N];
  sd_buf bytes[2] = { { 0 } };
  sd_block_cache *cache;
  sd_decoder *d[2];
  sd_symbol out;
  cr_assert_eq (sd_block_cache_new (3 * N / 2, &cache, NULL), SD_OK); /* one of the two */
  for (unsigned i = 0; i < 2; i++)
    cr_assert_eq (sd_codec_cached (made (M + i, "block=65536", sym[i], &bytes[i]), cache, &d[i], NULL),
                  SD_OK);
  double start = sd_cpu_now ();
  for (unsigned k = 0; k < 20; k++) /* in turn: each decodes anew */
    for (unsigned i = 0; i < 2; i++)
      cr_assert (sd_codec_get (d[i], N - 1, &out) == SD_OK && out == sym[i][N - 1]);
  const double anew = (sd_cpu_now () - start) / 40;
  start = sd_cpu_now ();
  for (unsigned k = 0; k < 4000; k++)
    cr_assert (sd_codec_get (d[1], (uint64_t) k * 5, &out) == SD_OK && out == sym[1][k * 5]);
  const double kept = (sd_cpu_now () - start) / 4000;
  cr_expect_lt (kept, anew / 10, "%.9f s, and %.9f s anew", kept, anew);
  sd_codec_close (d[0]);
  sd_codec_close (d[1]);
  sd_block_cache_free (cache);
  sd_buf_free (&bytes[0]);
  sd_buf_free (&bytes[1]);
}

Test (cached, tells_of_damage_each_time) {
  static sd_symbol sym[N];
  sd_buf bytes = { 0 };
  sd_block_cache *cache;
  sd_decoder *c;
  sd_symbol out;
  sd_decoder *d = made (M, "block=65536", sym, &bytes);
  cr_assert_eq (sd_block_cache_new (1 << 20, &cache, NULL), SD_OK);
  cr_assert_eq (sd_codec_cached (d, cache, &c, NULL), SD_OK);
  memset (bytes.data + bytes.len - 200, 0xff, 200);
  unsigned failed = 0;
  for (unsigned k = 0; k < 2; k++)
    failed += sd_codec_get (c, N - 1, &out) == SD_EFORMAT;
  cr_expect (failed == 0 || failed == 2, "a block that could not be decoded was kept");
  sd_codec_close (c);
  sd_block_cache_free (cache);
  sd_buf_free (&bytes);
}

Test (cached, codecs_without_blocks_of_bytes_stay_as_they_are) {
  sd_alphabet *a;
  sd_settings set;
  sd_buf bytes = { 0 };
  sd_block_cache *cache;
  sd_decoder *d, *c;
  sd_symbol sym[3] = { 0, 1, 2 };
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  cr_assert_eq (sd_settings_parse (&sd_codec_store, NULL, &set, NULL), SD_OK);
  cr_assert_eq (sd_codec_encode (&sd_codec_store, &(sd_seq){ .alphabet = a, .sym = sym, .n = 3 }, &set, NULL,
                                 &bytes, NULL),
                SD_OK);
  cr_assert_eq (sd_codec_open (&sd_codec_store, bytes.data, bytes.len, 3, 3, &d, NULL), SD_OK);
  cr_assert_eq (sd_block_cache_new (1000, &cache, NULL), SD_OK);
  cr_assert_eq (sd_codec_cached (d, cache, &c, NULL), SD_OK);
  cr_expect_eq (c, d);
  sd_codec_close (c);
  sd_block_cache_free (cache);
  sd_alphabet_free (a);
  sd_buf_free (&bytes);
}
