/* subdef bench of arrays (.sda): random slots, whole arrays, coding anew. As for endings: a lookup stands
 * between two readings of the clock whose own cost is subtracted, other lookups go before, and whole passes
 * are repeated for about a second. */
#include "config.h"
#include "array/array.h"
#include "codecs/codecs.h"
#include "tools/bench/bench.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 5, PIECE = 1 << 16 };

/* -------------------------------------------------------------------- probe */

static int32_t lookup_ns (const sd_array *a, uint64_t slot, int32_t cost, int *st, sd_error *err) {
  int32_t value;
  const int64_t begin = sd_bench_clock_ns ();
  *st = sd_array_get (a, slot, &value, err);
  const int64_t d = sd_bench_clock_ns () - begin - cost;
  return d < 0 ? 0 : d > INT32_MAX ? INT32_MAX : (int32_t) d;
}

static int probe (const sd_array *a, const sd_array_info *in, const sd_bench_array_options *how, json_t *row,
                  sd_error *err) {
  SD_OWNED uint64_t *slot = sd_alloc (how->count, sizeof *slot);
  SD_OWNED int32_t *ns = sd_alloc (how->count, sizeof *ns), *scratch = sd_alloc (how->count, sizeof *scratch);
  if (!slot || !ns || !scratch)
    return sd_fail_memory (err, how->count * 16);
  const int32_t cost = sd_bench_clock_cost ();
  uint64_t state = how->seed;
  int32_t value;
  int st = SD_OK;
  for (size_t i = 0; i < how->count; i++) /* others, to warm up */
    SD_TRY (sd_array_get (a, sd_random (&state) % in->shape.n, &value, err));
  for (size_t i = 0; i < how->count; i++)
    slot[i] = sd_random (&state) % in->shape.n;
  for (size_t i = 0; i < how->count && st == SD_OK; i++)
    ns[i] = lookup_ns (a, slot[i], cost, &st, err);
  SD_TRY (st);
  sd_bench_latency all = sd_bench_summary (ns, NULL, -1, how->count, scratch);
  all.mean = INFINITY;
  for (unsigned pass = 0; pass < PASSES; pass++) { /* of the fastest pass: what disturbs can only add */
    const int64_t begin = sd_bench_cpu_ns ();
    for (size_t i = 0; i < how->count; i++)
      sd_array_get (a, slot[i], &value, NULL);
    all.mean = fmin (all.mean, (double) (sd_bench_cpu_ns () - begin) / (double) how->count);
  }
  if (row)
    json_object_set_new (row, "clock_ns", json_integer (cost));
  else
    printf ("  one slot at a time, warm; the clock's own %d ns subtracted\n  %-18s %9s %9s %9s %9s %9s\n",
            (int) cost, "lookups", "slots", "median ns", "90 % ns", "99 % ns", "mean ns");
  sd_bench_say_latency ("random slots", &all, row);
  return SD_OK;
}

/* ----------------------------------------------------------- decode, encode */

static int decode (const sd_array *a, const sd_array_info *in, const sd_bench_array_options *how, json_t *row,
                   sd_error *err) {
  const uint64_t all = in->shape.n, pieces = (all + PIECE - 1) / PIECE;
  double rate[SD_BENCH_REPEATS];
  unsigned n = 0;
  int st = SD_OK;
  const double start = sd_now ();
  do {
    const double before = sd_now ();
#pragma omp parallel for schedule(dynamic) num_threads(how->threads)
    for (uint64_t k = 0; k < pieces; k++) {
      int32_t *value = sd_alloc (PIECE, sizeof *value);
      const uint64_t first = k * PIECE, count = all - first < PIECE ? all - first : PIECE;
      const int one = value ? sd_array_read (a, first, count, value, NULL) : SD_ENOMEM;
      free (value);
      if (one != SD_OK) {
#pragma omp atomic write
        st = one;
      }
    }
    rate[n++] = (double) all / (sd_now () - before);
  } while (st == SD_OK && sd_bench_again (n, 3, start));
  if (st != SD_OK)
    return sd_fail (err, st, "decoding: %s", sd_strerror (st));
  sd_bench_say_rate ("values", rate, n, row);
  return SD_OK;
}

static int encode (const sd_array *a, const sd_array_info *in, const sd_bench_array_options *how, json_t *row,
                   sd_error *err) {
  const sd_codec *codec = how->codec ? sd_codec_find (how->codec) : in->codec;
  sd_settings set;
  sd_subdefined *d;
  double rate[SD_BENCH_REPEATS];
  unsigned n = 0;
  uint64_t bytes = 0;
  SD_TRY (sd_settings_parse (codec, how->set, &set, err));
  SD_TRY (sd_array_load (a, &d, err));
  int st = SD_OK;
  const double start = sd_now ();
  while (st == SD_OK && sd_bench_again (n, 1, start)) {
    sd_buf out = { 0 };
    const double before = sd_now ();
    st = sd_codec_encode (codec, &d->seq, &set, NULL, &out, err);
    rate[n++] = (double) d->seq.n / (sd_now () - before);
    bytes = out.len;
    sd_buf_free (&out);
  }
  sd_subdefined_free (d);
  SD_TRY (st);
  if (row)
    json_object_set_new (row, "encoded_bytes", json_integer ((json_int_t) bytes));
  else
    printf ("  encoded by %s into %s bytes\n", codec->name, sd_tool_count (bytes));
  sd_bench_say_rate ("slots", rate, n, row);
  return SD_OK;
}

int sd_bench_array (const char *what, const char *path, const sd_bench_array_options *how, json_t *rows,
                    sd_error *err) {
  sd_array *a;
  sd_array_info in;
  char shape[192];
  json_t *row = NULL;
  SD_TRY (sd_array_open (path, SD_OPEN_CHECK, &a, err)); /* reads every page */
  sd_array_describe (a, &in);
  sd_array_shape_text (&in.shape, shape);
  const double bits = 8.0 * (double) in.stream_bytes / (double) in.shape.n;
  if (rows) {
    row = json_pack ("{s:s, s:s, s:s, s:b, s:I, s:I, s:f}", "array", path, "bench", what, "codec",
                     in.codec->name, "source", (int) in.source, "bytes", (json_int_t) in.bytes, "slots",
                     (json_int_t) in.shape.n, "bits_per_slot", bits);
    json_array_append_new (rows, row);
  } else
    printf ("%s  %s%s, %s bytes, %s, %.4f bits/slot\n", path, in.codec->name, in.source ? " (source)" : "",
            sd_tool_count (in.bytes), shape, bits);
  const int st = strcmp (what, "probe") == 0    ? probe (a, &in, how, row, err)
                 : strcmp (what, "decode") == 0 ? decode (a, &in, how, row, err)
                                                : encode (a, &in, how, row, err);
  sd_array_close (a);
  return st;
}
