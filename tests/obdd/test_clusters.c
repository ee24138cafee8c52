/* Clusters: streams that hold a sequence together, and tables that diagrams are divided over. */
#include "config.h"
#include "codecs/row.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "tests/obdd/validate.h"

/* n slots in digits, m main symbols and two that permit more; the caller fills sym. */
static suite_seq sequence (unsigned m, unsigned ndims, const uint32_t *radix) {
  suite_seq q = { .kind = "made here", .alphabet = suite_alphabet_with_star (m) };
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = 1, .ndims = ndims };
  for (unsigned d = 0; d < ndims; d++)
    q.seq.n *= q.seq.radix[d] = radix[d];
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  cr_assert (q.seq.sym);
  return q;
}

static sd_decoder *opened (const sd_codec *codec, const sd_buf *s, uint64_t n, unsigned m) {
  sd_decoder *d;
  sd_error err = { 0 };
  cr_assert_eq (sd_codec_open (codec, s->data, s->len, n, m, &d, &err), SD_OK, "%s", err.text);
  return d;
}

/* Read whole, in parts and one by one; the symbols, for the caller to free. */
static sd_symbol *all_of (const sd_decoder *d, uint64_t bytes) {
  sd_codec_parts parts;
  sd_codec_describe (d, &parts);
  cr_expect_eq (parts.header + parts.model + parts.index + parts.payload, bytes);
  sd_symbol *all = sd_alloc (d->n, sizeof *all), *part = sd_alloc (d->n, sizeof *part), one;
  uint64_t rng = bytes;
  cr_assert_eq (sd_codec_read (d, 0, d->n, all), SD_OK);
  for (uint64_t i = 0; i < d->n; i += 1 + d->n / 2000) {
    cr_assert_eq (sd_codec_get (d, i, &one), SD_OK);
    cr_assert_eq (one, all[i], "slot %llu", (unsigned long long) i);
  }
  for (unsigned k = 0; k < 60; k++) {
    const uint64_t first = sd_random (&rng) % d->n, count = sd_random (&rng) % (d->n - first);
    cr_assert_eq (sd_codec_read (d, first, count, part), SD_OK);
    cr_assert_eq (memcmp (part, all + first, count * sizeof *part), 0);
  }
  free (part);
  return all;
}

/* ---------------------------------------------------------- streams */

static sd_symbol made_up (unsigned k, uint64_t i) {
  return (sd_symbol) ((i * i / 7 + i + k * (i / 3 + 1)) % 3);
}

/* 5 x 7 x 6 x 4 slots: the second digit below 3, else the last one 0, else. */
static sd_buf three_streams (const sd_codec *codec) {
  static const uint32_t radix[4] = { 5, 7, 6, 4 };
  const sd_fork f = { .stride = 24, .radix = 7, .limit = 3 }, g = { .stride = 1, .radix = 4, .limit = 1 };
  suite_seq q = sequence (3, 4, radix);
  sd_buf s[3], rest = { 0 }, out = { 0 };
  for (unsigned k = 0; k < 3; k++) {
    for (uint64_t i = 0; i < q.seq.n; i++)
      q.seq.sym[i] = made_up (k, i);
    s[k] = suite_encode (codec, &q, "");
  }
  cr_assert_eq (sd_codec_put_fork (&g, &s[1], &s[2], &rest), SD_OK);
  cr_assert_eq (sd_codec_put_fork (&f, &s[0], &rest, &out), SD_OK);
  for (unsigned k = 0; k < 3; k++)
    sd_buf_free (&s[k]);
  sd_buf_free (&rest);
  suite_free (&q);
  return out;
}

Test (clusters, each_slot_is_read_from_the_stream_that_holds_it) {
  sd_buf out = three_streams (&sd_codec_obdd);
  sd_decoder *d = opened (&sd_codec_obdd, &out, 840, 3);
  sd_symbol *all = all_of (d, out.len);
  cr_expect_str_eq (d->codec->name, "obdd");
  for (uint64_t i = 0; i < 840; i++)
    cr_assert_eq (all[i],
                  made_up (i / 24 % 7 < 3 ? 0
                           : i % 4 < 1    ? 1
                                          : 2,
                           i),
                  "slot %llu", (unsigned long long) i);
  free (all);
  sd_codec_close (d);
  sd_buf_free (&out);
}

/* Every bit of the first bytes, where the forks stand, other bytes, and every length. */
Test (clusters, damaged_streams_are_refused_or_harmless) {
  sd_buf out = three_streams (&sd_codec_obdd);
  uint64_t rng = 1;
  for (size_t bit = 0; bit < 8 * out.len; bit += bit < 400 ? 1 : 97) {
    out.data[bit / 8] ^= (uint8_t) (1u << bit % 8);
    suite_read_damaged (&sd_codec_obdd, out.data, out.len, 840, 3, "a bit");
    out.data[bit / 8] ^= (uint8_t) (1u << bit % 8);
  }
  for (unsigned k = 0; k < 1600; k++) {
    uint8_t *at = out.data + sd_random (&rng) % (k % 2 ? out.len : 12), kept = *at;
    *at = (uint8_t) sd_random (&rng);
    suite_read_damaged (&sd_codec_obdd, out.data, out.len - k % 3, 840 + k % 2, 3, "a byte");
    *at = kept;
  }
  for (size_t len = 0; len < out.len; len += 1 + len / 40)
    suite_read_damaged (&sd_codec_obdd, out.data, len, 840, 3, "cut off");
  sd_buf_free (&out);
}

/* Codecs that unpack blocks would do so for each slot. */
Test (clusters, only_codecs_that_read_slots_by_themselves_have_them) {
  static const sd_codec *const codecs[] = { &sd_codec_store, &sd_codec_rle, &sd_codec_lzma };
  for (unsigned c = 0; c < sizeof codecs / sizeof codecs[0]; c++) {
    sd_buf out = three_streams (codecs[c]);
    sd_decoder *d = NULL;
    sd_error err = { 0 };
    cr_expect_eq (sd_codec_open (codecs[c], out.data, out.len, 840, 3, &d, &err), SD_EFORMAT);
    cr_expect (!d && strstr (err.text, codecs[c]->name) && strstr (err.text, "first byte must not be 3"),
               "%s", err.text);
    sd_buf_free (&out);
  }
}

/* Two streams that take turns slot by slot are read in a time that grows with the slots only. */
Test (clusters, the_shortest_runs_are_read_in_no_time, .timeout = 20) {
  static const uint32_t radix[2] = { 1u << 12, 1u << 10 };
  suite_seq q = sequence (3, 2, radix);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = (sd_symbol) ((i >> 10 ^ i) % 1021 % 3);
  sd_buf one = suite_encode (&sd_codec_obdd, &q, "order=pieces"), out = { 0 };
  cr_assert_eq (sd_codec_put_fork (&(sd_fork){ 1, 2, 1 }, &one, &one, &out), SD_OK);
  sd_decoder *d = opened (&sd_codec_obdd, &out, q.seq.n, 3);
  sd_symbol *all = sd_alloc (q.seq.n, sizeof *all);
  cr_assert_eq (sd_codec_read (d, 0, q.seq.n, all), SD_OK);
  cr_expect_arr_eq (all, q.seq.sym, q.seq.n * sizeof *all);
  free (all);
  sd_codec_close (d);
  sd_buf_free (&one);
  sd_buf_free (&out);
  suite_free (&q);
}

static int status_of (const sd_buf *s, uint64_t n) {
  sd_decoder *d = NULL;
  sd_error err = { 0 };
  const int st = sd_codec_open (&sd_codec_obdd, s->data, s->len, n, 3, &d, &err);
  cr_expect (!st == (d != NULL) && (st == 0 || strstr (err.text, "obdd")), "%s", err.text);
  sd_codec_close (d);
  return st;
}

Test (clusters, forks_that_do_not_fit_are_refused) {
  static const struct {
    sd_fork f;
    bool good;
  } in[] = { { { 10, 10, 1 }, true },   { { 10, 10, 9 }, true },         { { 99, 2, 1 }, true },
             { { 1, 100, 99 }, true },  { { 33, 4, 3 }, true },          { { 0, 10, 1 }, false },
             { { 10, 10, 0 }, false },  { { 10, 10, 10 }, false },       { { 10, 11, 1 }, false },
             { { 100, 1, 1 }, false },  { { 100, 2, 1 }, false },        { { 33, 5, 1 }, false },
             { { 1, 101, 50 }, false }, { { UINT64_MAX, 2, 1 }, false }, { { 2, UINT64_MAX, 60 }, false } };
  sd_buf one = { 0 };
  sd_codec_put_constant (2, &one);
  for (unsigned k = 0; k < sizeof in / sizeof in[0]; k++) {
    sd_buf out = { 0 };
    cr_assert_eq (sd_codec_put_fork (&in[k].f, &one, &one, &out), SD_OK);
    cr_expect_eq (status_of (&out, 100), in[k].good ? SD_OK : SD_EFORMAT, "fork %u", k);
    sd_buf_free (&out);
  }
  sd_buf_free (&one);
}

/* Memory and time are those of so many streams: one more is refused, whichever way they are nested. */
Test (clusters, there_are_at_most_so_many_streams) {
  for (unsigned side = 0; side < 2; side++) {
    const sd_fork f = { 10, 10, 5 };
    sd_buf one = { 0 }, all = { 0 };
    sd_codec_put_constant (1, &one);
    sd_codec_put_constant (1, &all);
    for (unsigned k = 2; k <= SD_MAX_CLUSTERS + 1; k++) {
      sd_buf more = { 0 };
      cr_assert_eq (sd_codec_put_fork (&f, side ? &one : &all, side ? &all : &one, &more), SD_OK);
      sd_buf_free (&all);
      all = more;
      cr_expect_eq (status_of (&all, 100), k <= SD_MAX_CLUSTERS ? SD_OK : SD_EFORMAT, "%u streams", k);
    }
    sd_buf_free (&one);
    sd_buf_free (&all);
  }
}

/* What looks like a diagram from outside. */
Test (clusters, only_one_diagram_has_a_shape) {
  sd_buf stream[2] = { three_streams (&sd_codec_obdd), { 0 } };
  sd_codec_put_constant (1, &stream[1]);
  for (unsigned k = 0; k < 4; k++) {
    sd_decoder *whole = opened (&sd_codec_obdd, &stream[k / 2], 840, 3), *window;
    sd_obdd_shape shape, none = { 0 };
    sd_error err = { 0 };
    cr_assert_eq (sd_codec_window (whole, 20, 500, &window, &err), SD_OK);
    const sd_decoder *d = k % 2 ? window : whole;
    cr_expect_eq (sd_obdd_validate (d, &err), SD_EINVAL);
    cr_expect (strstr (err.text, "not one diagram"), "%s", err.text);
    memset (&shape, 1, sizeof shape);
    sd_obdd_describe_shape (d, &shape);
    cr_expect_eq (memcmp (&shape, &none, sizeof shape), 0);
    sd_codec_close (window);
    sd_codec_close (whole);
  }
  sd_buf_free (&stream[0]);
  sd_buf_free (&stream[1]);
}

/* Tables in memory of each piece would be as large for a piece of no size at all. */
Test (clusters, diagrams_are_not_in_pieces) {
  static const uint32_t radix[2] = { 70, 12 };
  suite_seq q = sequence (3, 2, radix);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = made_up (1, i);
  const sd_settings set = suite_settings (&sd_codec_obdd, "");
  sd_buf out = { 0 };
  sd_error err = { 0 };
  cr_expect_eq (sd_codec_encode_pieces (&sd_codec_obdd, &q.seq, 420, &set, NULL, &out, &err), SD_ERANGE);
  static const uint8_t two[] = { 2, 0xa4, 3, 2, 2, 0, 1, 0, 1 }; /* constant ones of 420 slots */
  sd_decoder *d = NULL;
  cr_expect_eq (sd_codec_open (&sd_codec_obdd, two, sizeof two, 840, 3, &d, &err), SD_EFORMAT);
  cr_expect (!d && strstr (err.text, "first byte must not be 2"), "%s", err.text);
  suite_free (&q);
}

/* ---------------------------------------------------------- diagrams */

/* Encoded by any number of threads, decoded and compared; the stream's bytes. */
static uint64_t length (const suite_seq *q, const char *set) {
  sd_buf out = suite_encode (&sd_codec_obdd, q, set);
#ifdef _OPENMP
  const int threads = omp_get_max_threads ();
  omp_set_num_threads (threads == 1 ? 3 : 1);
  sd_buf again = suite_encode (&sd_codec_obdd, q, set);
  omp_set_num_threads (threads);
  cr_expect (again.len == out.len && memcmp (again.data, out.data, out.len) == 0, "%s", set);
  sd_buf_free (&again);
#endif
  sd_decoder *d = opened (&sd_codec_obdd, &out, q->seq.n, sd_alphabet_main (q->alphabet));
  sd_symbol *all = all_of (d, out.len);
  cr_assert_eq (sd_seq_first_violation (&q->seq, all), q->seq.n, "%s", set);
  sd_codec_close (d);
  free (all);
  const uint64_t bytes = out.len;
  sd_buf_free (&out);
  return bytes;
}

/* Of the stream alone. */
static uint64_t bytes_of (const suite_seq *q, const char *set) {
  sd_buf out = suite_encode (&sd_codec_obdd, q, set);
  const uint64_t bytes = out.len;
  sd_buf_free (&out);
  return bytes;
}

/* Four rows of four bits, or four columns: the sum modulo 2 of something that needs all four of each. */
static unsigned fours (unsigned x, bool columns) {
  unsigned sum = 0;
  for (unsigned r = 0; r < 4; r++) {
    unsigned four = 0;
    for (unsigned b = 0; b < 4; b++)
      four |= (x >> (columns ? 4 * b + r : 4 * r + b) & 1) << b;
    sum ^= 0x6a93u >> four & 1;
  }
  return sum;
}

/* Row after row is the order for one half, and column after column for the other. */
Test (clusters, halves_that_want_different_orders_are_divided) {
  static const uint32_t radix[3] = { 256, 2, 256 };
  suite_seq q = sequence (2, 3, radix);
  for (uint64_t i = 0; i < q.seq.n; i++)
    q.seq.sym[i] = (sd_symbol) fours ((unsigned) (i / 512 * 256 + i % 256), i / 256 % 2);
  const uint64_t one = length (&q, ""), two = length (&q, "clusters=2"), more = length (&q, "clusters=64");
  cr_expect_lt (2 * two, one, "%llu, %llu bytes", (unsigned long long) two, (unsigned long long) one);
  cr_expect_leq (more, two);
  cr_expect_eq (length (&q, "clusters=1"), one);
  suite_free (&q);
}

/* Equal men and digits that are no powers of two: the halves are ranges of values. */
Test (clusters, digits_of_any_kind_divide_tables) {
  static const char *const settings[] = {
    "clusters=7",          "clusters=64,sums=yes",    "clusters=4,merge=root", "clusters=5,merge=none",
    "clusters=3,polish=4", "clusters=4,order=pieces", "clusters=16,top=root",  "clusters=9,split=no"
  };
  static const uint32_t radix[3] = { 2016, 5, 3 }; /* C(64, 2) */
  suite_seq q = sequence (5, 3, radix);
  uint64_t rng = 1, i = 0;
  for (unsigned high = 1; high < 64; high++)
    for (unsigned low = 0; low < high; low++)
      for (unsigned a = 0; a < 5; a++)
        for (unsigned b = 0; b < 3; b++)
          q.seq.sym[i++] = (sd_symbol) (sd_random (&rng) % 4 == 0 ? 5 + sd_random (&rng) % 2
                                        : high >= 32              ? (low * 11 + a * 5 + low * a / 7) % 5
                                        : a > 3                   ? (high + low * b + low / 3) % 5
                                                                  : (high * b / 3 + a * a * low) % 5);
  const uint64_t one = length (&q, "choices=16,pairs=16");
  cr_expect_lt (length (&q, "choices=16,pairs=16,clusters=8"), one);
  for (unsigned k = 0; k < sizeof settings / sizeof settings[0]; k++) {
    char set[100], without[100];
    snprintf (set, sizeof set, "choices=16,pairs=16,%s", settings[k]);
    snprintf (without, sizeof without, "choices=16,pairs=16%s",
              strchr (settings[k], ',') ? strchr (settings[k], ',') : "");
    const uint64_t bytes = length (&q, set), whole = strchr (settings[k], ',') ? bytes_of (&q, without) : one;
    cr_expect_leq (bytes, whole, "%s: %llu, %llu bytes", set, (unsigned long long) bytes,
                   (unsigned long long) whole);
  }
  suite_free (&q);
}

/* Tables that are best left whole, such as have a constant part, and noise. */
Test (clusters, a_table_never_grows) {
  static const uint32_t radix[4] = { 12, 5, 8, 4 };
  for (unsigned kind = 0; kind < 4; kind++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      suite_seq q = sequence (4, 4, radix);
      uint64_t rng = seed;
      for (uint64_t i = 0; i < q.seq.n; i++) {
        const uint64_t x = sd_random (&rng);
        q.seq.sym[i] = (sd_symbol) (kind == 0   ? x % 6
                                    : kind == 1 ? i / 13 % 4
                                    : kind == 2 ? (i / 160 < 5 ? 2 : x % 4)
                                                : (x % 3 ? i / 64 * (i % 8) % 4 : 4));
      }
      const uint64_t one = length (&q, "choices=64");
      for (unsigned k = 2; k <= 64; k = 2 * k + 1) {
        char set[40];
        snprintf (set, sizeof set, "choices=64,clusters=%u", k);
        const uint64_t bytes = length (&q, set);
        cr_expect_leq (bytes, one, "kind %u, %s", kind, set);
      }
      suite_free (&q);
    }
}
