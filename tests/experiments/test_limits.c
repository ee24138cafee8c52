/* Bounds and estimates on real tables: the bounds against the codes for which they are bounds, the estimates
 * against what they say of themselves. The exact tables are those of tests/tables. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/limits/limits.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All that is free, in the plain order. */
static sd_subdefined *load (const char *ending, enum sd_metric metric, unsigned side) {
  char path[4096];
  sd_error err;
  sd_exacts *s;
  sd_material m;
  sd_layout l;
  sd_indexer *ix;
  const sd_exact *e;
  sd_subdefined *d, *r;
  snprintf (path, sizeof path, "%s/tests/tables", getenv ("SD_BUILDDIR"));
  cr_assert_eq (sd_material_parse (ending, &m, &err), SD_OK);
  cr_assert_eq (sd_exacts_new (path, &s, &err), SD_OK);
  cr_assert_eq (sd_exacts_need (s, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_exacts_get (s, &m, &e, &err), SD_OK);
  cr_assert_eq (sd_subdefine (s, e,
                              &(sd_stored){ metric, sd_metric_coding (metric, false), SD_FREE_ALL, side },
                              NULL, &d, &err),
                SD_OK);
  sd_layout_default (&m, &l);
  cr_assert_eq (sd_indexer_new (&l, &ix, &err), SD_OK);
  cr_assert_eq (sd_subdefined_relayout (d, e->indexer, ix, &r, &err), SD_OK);
  sd_subdefined_free (d);
  sd_indexer_free (ix);
  sd_exacts_free (s);
  return r;
}

static const struct {
  const char *ending;
  enum sd_metric metric;
  unsigned side;
} table[] = { { "KQvK", SD_WDL, 1 }, { "KRvK", SD_DTM, 0 },  { "KRvK", SD_DTM, 1 }, { "KPvK", SD_WDL, 0 },
              { "KPvK", SD_DTM, 1 }, { "KBNvK", SD_WDL, 1 }, { "KRvKN", SD_WDL, 0 } };
enum { TABLES = sizeof table / sizeof table[0] };

static double stream_bits (const sd_subdefined *d, const char *codec, const char *settings) {
  sd_settings set;
  sd_buf out = { 0 };
  sd_error err;
  const sd_codec *c = sd_codec_find (codec);
  cr_assert_eq (sd_settings_parse (c, settings, &set, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_codec_encode (c, &d->seq, &set, NULL, &out, &err), SD_OK, "%s", err.text);
  const double bits = 8.0 * (double) out.len;
  sd_buf_free (&out);
  return bits;
}

/* The entropy of the words of a completion, of which words that are free everywhere are left out. */
static double completed_words (const sd_subdefined *d, unsigned length) {
  sd_seq s = d->seq;
  sd_entropy h;
  sd_error err;
  const unsigned m = sd_alphabet_main (d->alphabet);
  s.sym = malloc (s.n * sizeof *s.sym);
  memcpy (s.sym, d->seq.sym, s.n * sizeof *s.sym);
  cr_assert_eq (sd_complete_frequent (&s), SD_OK);
  uint64_t kept = 0;
  for (uint64_t i = 0; i + length <= s.n; i += length) {
    bool bound = false;
    for (unsigned k = 0; k < length; k++)
      bound |= sd_alphabet_choices (d->alphabet, d->seq.sym[i + k]) < m;
    if (bound) {
      memmove (s.sym + kept, s.sym + i, length * sizeof *s.sym);
      kept += length;
    }
  }
  s.n = kept;
  cr_assert_eq (sd_seq_entropy (&s, length, 1e-4, 10, &h, &err), SD_OK, "%s", err.text);
  free (s.sym);
  return h.bits;
}

/* Codes of single slots: Huffman's, and RE-PAIR's without a phrase. */
Test (limits, no_code_of_words_is_below_their_entropy) {
  for (unsigned t = 0; t < TABLES; t++) {
    sd_subdefined *d = load (table[t].ending, table[t].metric, table[t].side);
    sd_entropy h;
    sd_error err;
    for (unsigned length = 1; length <= (table[t].metric == SD_WDL ? 4 : 2); length++) {
      cr_assert_eq (sd_seq_entropy (&d->seq, length, 1e-3, 1000, &h, &err), SD_OK, "%s", err.text);
      cr_expect_leq (h.at_least, h.bits);
      cr_expect_leq (h.bits - h.at_least, 1e-3 * h.bits + 1e-6, "%s: %u rounds", table[t].ending, h.rounds);
      const double completed = completed_words (d, length);
      cr_expect_leq (h.at_least, completed, "%s, words of %u slots: %g bits at least, a completion has %g",
                     table[t].ending, length, h.at_least, completed);
      if (length == 1) {
        cr_expect_leq (h.at_least, stream_bits (d, "huffman", ""), "%s: huffman", table[t].ending);
        cr_expect_leq (h.at_least, stream_bits (d, "repair", "symbols=0"), "%s: repair", table[t].ending);
      }
    }
    sd_subdefined_free (d);
  }
}

/* More neighbours give a shorter completion on these tables, and none is longer than slots by themselves. */
Test (limits, neighbours_shorten_the_code) {
  for (unsigned t = 0; t < TABLES; t++) {
    sd_subdefined *d = load (table[t].ending, table[t].metric, table[t].side);
    sd_error err;
    double before = INFINITY, bits, model;
    for (unsigned k = 0; k <= 3; k++) {
      cr_assert_eq (sd_nearby_entropy (&d->seq, true, k, &bits, &model, &err), SD_OK, "%s", err.text);
      cr_expect_leq (bits, before, "%s: %u neighbours", table[t].ending, k);
      cr_expect (bits > 0 && model >= 2);
      before = bits;
    }
    sd_subdefined_free (d);
  }
}

/* A code length that is honest cannot be short on noise, and is short on what repeats itself. */
Test (limits, mixing_is_no_magic) {
  enum { N = 1 << 15 };
  sd_alphabet *a;
  sd_symbol any, *sym = malloc (N * sizeof *sym);
  uint64_t state = 3;
  double bits, again;
  sd_error err;
  cr_assert_eq (sd_alphabet_new (4, &a), SD_OK);
  cr_assert_eq (sd_alphabet_add_range (a, 0, 3, &any), SD_OK);
  sd_seq s = { .alphabet = a, .sym = sym, .n = N, .ndims = 3, .radix = { 8, 64, 64 } };
  for (int i = 0; i < N; i++)
    sym[i] = sd_random (&state) % 4;
  cr_assert_eq (sd_mixed_length (&s, true, true, NULL, &bits, &err), SD_OK);
  cr_expect (bits > 2 * N && bits < 2.2 * N, "%g bits for %d of noise", bits, 2 * N);
  cr_assert_eq (sd_mixed_length (&s, true, true, NULL, &again, &err), SD_OK);
  cr_expect_eq (bits, again, "the same number each time");
  for (int i = 0; i < N; i++)
    sym[i] = sd_random (&state) % 2 ? any : sym[i];
  cr_assert_eq (sd_mixed_length (&s, true, true, NULL, &bits, &err), SD_OK);
  cr_expect (bits > 0.99 * N && bits < 1.2 * N, "half of the slots free: %g bits", bits);
  for (int i = 0; i < N; i++)
    sym[i] = (sd_symbol) (i / 64 % 4);
  cr_assert_eq (sd_mixed_length (&s, true, true, NULL, &bits, &err), SD_OK);
  cr_expect (bits > 0 && bits < 0.1 * N, "rows that repeat themselves: %g bits", bits);
  for (int i = 0; i < N; i++)
    sym[i] = any;
  cr_assert_eq (sd_mixed_length (&s, true, true, NULL, &bits, &err), SD_OK);
  cr_expect_eq (bits, 0, "nothing is to be coded");
  free (sym);
  sd_alphabet_free (a);
}

Test (limits, the_ladder) {
  sd_subdefined *d = load ("KQvK", SD_DTM, 1);
  sd_limit *row;
  uint64_t n;
  sd_error err;
  const sd_limits_options how = {
    .word = { 1, 8 }, .words = 2, .nearby = true, .mixed = true, .board = true, .codecs = "huffman,repair"
  };
  cr_assert_eq (sd_limits (d, &how, NULL, &row, &n, &err), SD_OK, "%s", err.text);
  cr_assert_eq (n, 2 + 6 + 2 + 2);
  cr_expect (row[0].kind == SD_LIMIT_ENTROPY && row[0].bytes > 0 && row[0].at_least <= row[0].bytes);
  cr_expect (isnan (row[1].bytes) && *row[1].why, "words of 8 slots are too many: a row with its reason");
  cr_expect (row[n - 2].kind == SD_LIMIT_SIZE && strcmp (row[n - 2].name, "huffman") == 0);
  cr_expect_leq (row[0].at_least, row[n - 2].bytes);
  cr_expect_leq (row[n - 3].bytes, row[n - 4].bytes, "free slots that are known cost nothing");
  free (row);
  const sd_limits_options wrong = { .codecs = "nothing" };
  cr_expect_eq (sd_limits (d, &wrong, NULL, &row, &n, &err), SD_EINVAL);
  free (row);
  sd_subdefined_free (d);
}
