/* Bounds and estimates on real tables: the bounds against the codes for which they are bounds, the estimates
 * against what they say of themselves. The exact tables are those of tests/tables. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/limits/limits.h"
#include "subdef/subdef_internal.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* All that is free, in the plain order. */
static sd_subdefined *load (const char *ending, enum sd_metric metric, unsigned side) {
  char path[4096];
  sd_error err;
  sd_values *s;
  sd_material m;
  sd_layout l;
  sd_indexer *ix;
  const sd_exact *e;
  sd_subdefined *d, *r;
  snprintf (path, sizeof path, "%s/tests/tables", getenv ("SD_BUILDDIR"));
  cr_assert_eq (sd_material_parse (ending, &m, &err), SD_OK);
  cr_assert_eq (sd_values_new (path, SD_DTM, &s, &err), SD_OK);
  cr_assert_eq (sd_values_need (s, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_whole (s, &m, &e, &err), SD_OK);
  cr_assert_eq (sd_subdefine (s, e,
                              &(sd_stored){ metric, sd_metric_coding (metric, false), SD_FREE_ALL, side,
                                            SD_SIDES_BOTH },
                              NULL, &d, &err),
                SD_OK);
  sd_layout_default (&m, &l);
  cr_assert_eq (sd_indexer_new (&l, &ix, &err), SD_OK);
  cr_assert_eq (sd_subdefined_relayout (d, e->indexer, ix, &r, &err), SD_OK);
  sd_subdefined_free (d);
  sd_indexer_free (ix);
  sd_values_free (s);
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

static int by_count (const void *a, const void *b) {
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Bits of the text that a Huffman code of the counts writes: in each step the two rarest become one. Those
 * that were made so come in rising order, behind the sorted counts. */
static double huffman_bits (double *count, unsigned n) {
  double *made = malloc (n * sizeof *made), bits = 0;
  unsigned leaf = 0, old = 0, new = 0;
  qsort (count, n, sizeof *count, by_count);
  for (unsigned step = 1; step < n; step++) {
    made[new] = 0;
    for (unsigned k = 0; k < 2; k++)
      made[new] += old == new || (leaf < n && count[leaf] <= made[old]) ? count[leaf++] : made[old++];
    bits += made[new ++];
  }
  free (made);
  return bits;
}

/* A block code of words of L slots, made as one would make it: each slot that is free takes the most frequent
 * value, then words are counted and coded by Huffman. The counts come back, too. */
static double block_code (const sd_subdefined *d, unsigned length, double *entropy) {
  const unsigned m = sd_alphabet_main (d->alphabet);
  unsigned words = 1, used = 0;
  for (unsigned k = 0; k < length; k++)
    words *= m;
  sd_seq s = d->seq;
  double *count = calloc (words, sizeof *count), total = 0;
  s.sym = malloc (s.n * sizeof *s.sym);
  memcpy (s.sym, d->seq.sym, s.n * sizeof *s.sym);
  cr_assert_eq (sd_complete_frequent (&s), SD_OK);
  for (uint64_t i = 0; i < s.n; i += length) {
    unsigned word = 0;
    for (unsigned k = 0; k < length; k++)
      word = word * m + (i + k < s.n ? s.sym[i + k] : 0);
    count[word]++;
    total++;
  }
  *entropy = 0;
  for (unsigned i = 0; i < words; i++)
    if (count[i]) {
      *entropy += count[i] * log2 (total / count[i]);
      count[used++] = count[i];
    }
  const double bits = huffman_bits (count, used);
  free (count);
  free (s.sym);
  return bits;
}

Test (limits, no_block_code_is_below_the_entropy_of_its_words) {
  for (unsigned t = 0; t < TABLES; t++) {
    sd_subdefined *d = load (table[t].ending, table[t].metric, table[t].side);
    const unsigned most = table[t].metric == SD_WDL ? 8 : 3;
    for (unsigned length = 1; length <= most; length++) {
      sd_entropy h;
      sd_error err;
      double shannon;
      cr_assert_eq (sd_seq_entropy (&d->seq, length, 1e-3, 1000, &h, &err), SD_OK, "%s", err.text);
      const double coded = block_code (d, length, &shannon);
      cr_expect_geq (coded, shannon - 1e-6, "it is a code");
      cr_expect_geq (coded, h.at_least, "%s, words of %u slots: a block code of %g bits, at least %g",
                     table[t].ending, length, coded, h.at_least);
      cr_expect_geq (shannon, h.at_least);
    }
    sd_subdefined_free (d);
  }
}

/* sum over the sets T with i of p_T / q(T) <= 1 for each word i, and 1 where q_i > 0: counted here anew from
 * the sequence and the q that was found, word by word. */
static void check_optimum (const char *name, const sd_seq *s, unsigned length) {
  sd_entropy h;
  sd_error err;
  double *q;
  const sd_entropy_options how = { length, 20000, 1e-4 };
  const unsigned m = sd_alphabet_main (s->alphabet), words = length == 1 ? m : m * m;
  cr_assert_eq (sd_seq_entropy_of (s, &how, &h, &q, &err), SD_OK, "%s", err.text);
  cr_assert_leq (h.bits - h.at_least, 1e-4 * h.bits + 1e-9);
  const unsigned size = sd_alphabet_size (s->alphabet), sets = length == 1 ? size : size * size;
  uint64_t *times = calloc (sets, sizeof *times), total = 0;
  double *g = calloc (words, sizeof *g), sum = 0, bits = 0;
  for (uint64_t i = 0; i + length <= s->n; i += length) {
    const unsigned a = s->sym[i], b = length == 2 ? s->sym[i + 1] : 0;
    if (sd_alphabet_choices (s->alphabet, a) == m
        && (length == 1 || sd_alphabet_choices (s->alphabet, b) == m))
      continue;
    times[length == 1 ? a : a * size + b]++;
    total++;
  }
  for (unsigned set = 0; set < sets; set++) {
    const sd_symbol a = (sd_symbol) (length == 1 ? set : set / size), b = (sd_symbol) (set % size);
    double of_set = 0;
    if (!times[set])
      continue;
    for (unsigned round = 0; round < 2; round++)
      for (unsigned i = 0; i < words; i++)
        if (length == 1 ? sd_admits (s->alphabet, a, (sd_symbol) i)
                        : sd_admits (s->alphabet, a, (sd_symbol) (i / m))
                              && sd_admits (s->alphabet, b, (sd_symbol) (i % m))) {
          if (round == 0)
            of_set += q[i];
          else
            g[i] += (double) times[set] / (double) total / of_set;
        }
    bits -= (double) times[set] * log2 (of_set);
  }
  double used = 0; /* sum of q_i g_i: 1, since each set gives its share */
  for (unsigned i = 0; i < words; i++) {
    sum += q[i];
    used += q[i] * g[i];
    cr_expect_leq (g[i], exp2 (1e-4 * h.bits / (double) total) + 1e-9, "%s: word %u: %g", name, i, g[i]);
  }
  cr_expect_float_eq (sum, 1, 1e-9);
  cr_expect_float_eq (used, 1, 1e-9);
  cr_expect_float_eq (bits, h.bits, 1e-6 * h.bits + 1e-6, "%s: the bits of this q", name);
  free (times);
  free (g);
  free (q);
}

Test (limits, the_condition_of_the_optimum_holds) {
  for (unsigned t = 0; t < TABLES; t++) {
    sd_subdefined *d = load (table[t].ending, table[t].metric, table[t].side);
    for (unsigned length = 1; length <= 2; length++)
      check_optimum (table[t].ending, &d->seq, length);
    sd_subdefined_free (d);
  }
}

/* Each estimate, not only mixing, with one thread and with two. */
Test (limits, all_figures_are_repeatable_to_the_bit) {
  sd_subdefined *d = load ("KPvK", SD_DTM, 1);
  const sd_limits_options how = { .word = { 1, 2, 3 },
                                  .words = 3,
                                  .nearby = true,
                                  .mixed = true,
                                  .board = true,
                                  .codecs = "huffman,lzma,repair,obdd" };
  sd_limit *first = NULL;
  uint64_t n = 0, again;
  for (int threads = 1; threads <= 2; threads++)
    for (int repeat = 0; repeat < 2; repeat++) {
      sd_limit *row;
      sd_error err;
      omp_set_num_threads (threads);
      cr_assert_eq (sd_limits (d, &how, NULL, &row, &again, &err), SD_OK, "%s", err.text);
      if (!first) {
        first = row;
        n = again;
        continue;
      }
      cr_assert_eq (again, n);
      for (uint64_t i = 0; i < n; i++)
        cr_expect (memcmp (&row[i].bytes, &first[i].bytes, sizeof row[i].bytes) == 0
                       && memcmp (&row[i].at_least, &first[i].at_least, sizeof row[i].at_least) == 0
                       && row[i].model == first[i].model,
                   "%s with %d threads", row[i].name, threads);
      free (row);
    }
  /* bytes are rounded up: the bits themselves, too */
  for (unsigned length = 1; length <= 3; length++) {
    sd_entropy h[2];
    for (int k = 0; k < 2; k++) {
      omp_set_num_threads (1 + k);
      cr_assert_eq (sd_seq_entropy (&d->seq, length, 1e-3, 1000, &h[k], NULL), SD_OK);
    }
    cr_expect (h[0].bits == h[1].bits && h[0].at_least == h[1].at_least && h[0].rounds == h[1].rounds);
  }
  free (first);
  sd_subdefined_free (d);
}

/* A failure is a row with its reason, what is before it and behind it is there, and there may be any number
 * of rows. The reason may be left out. */
Test (limits, what_fails_takes_nothing_with_it) {
  sd_subdefined *d = load ("KQvK", SD_WDL, 1);
  sd_limit *row;
  uint64_t n;
  sd_error err;
  char many[100 * sizeof "store"] = "store";
  for (int i = 1; i < 90; i++)
    strcat (many, ",store");
  const sd_limits_options how = { .word = { 1, SD_MAX_WORD + 1, 2 }, .words = 3, .codecs = many };
  cr_assert_eq (sd_limits (d, &how, NULL, &row, &n, &err), SD_EINVAL);
  cr_assert_eq (n, 93);
  cr_expect (row[0].bytes > 0 && isnan (row[1].bytes) && *row[1].why && row[2].bytes > 0);
  cr_expect (isnan (row[1].at_least) && row[0].at_least > 0 && isnan (row[3].at_least));
  for (uint64_t i = 3; i < n; i++)
    cr_expect (strcmp (row[i].name, "store") == 0 && row[i].bytes == row[3].bytes);
  free (row);
  const sd_limits_options large = { .word = { 16 }, .words = 1 };
  cr_assert_eq (sd_limits (d, &large, NULL, &row, &n, NULL), SD_OK, "too large is no failure");
  cr_expect (n == 1 && isnan (row[0].bytes) && *row[0].why);
  free (row);
  sd_subdefined_free (d);
}

/* No dimension of an array is a board, whatever its length: 64 columns are told as 63 are. A value depends on
 * those above it and at its left. */
static double grid_bits (unsigned columns, bool board, bool mixed) {
  enum { ROWS = 2048 };
  sd_alphabet *a;
  sd_error err;
  double bits, model;
  uint64_t state = 11;
  sd_seq s = { .n = ROWS * columns, .ndims = 2, .radix = { ROWS, columns } };
  cr_assert_eq (sd_alphabet_new (4, &a), SD_OK);
  s.alphabet = a;
  s.sym = malloc (s.n * sizeof *s.sym);
  for (uint64_t i = 0; i < s.n; i++)
    s.sym[i] = i % columns == 0 || sd_random (&state) % 16 == 0 ? sd_random (&state) % 4 : s.sym[i - 1];
  cr_assert_eq (mixed ? sd_mixed_length (&s, board, true, NULL, &bits, &err)
                      : sd_nearby_entropy (&s, board, 1, &bits, &model, &err),
                SD_OK);
  free (s.sym);
  sd_alphabet_free (a);
  return bits / (ROWS * columns);
}

Test (limits, an_array_is_no_board) {
  for (int mixed = 0; mixed < 2; mixed++) {
    const double even = grid_bits (64, false, mixed), odd = grid_bits (63, false, mixed),
                 board = grid_bits (64, true, mixed);
    cr_expect (fabs (even / odd - 1) < 0.02, "%g and %g bits a slot", even, odd);
    cr_expect_gt (board, 1.15 * even, "on a board the next rank is another matter");
  }
}
