/* subdef bench of arrays (.sda): random slots, whole arrays, coding anew. As for endings: a lookup stands
 * between two readings of the clock whose own cost is subtracted, other lookups go before, and whole passes
 * are repeated for about a second. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/run/run.h"
#include "tools/bench/bench.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of which the fastest gives the mean. */
enum { PASSES = 5 };

/* -------------------------------------------------------------------- probe */

int sd_bench_array_probe (const sd_array *a, const sd_array_info *in, const sd_bench_options *how,
                          json_t *row, sd_error *err) {
  SD_OWNED uint64_t *slot = sd_alloc (how->count, sizeof *slot);
  SD_OWNED int32_t *ns = sd_alloc (how->count, sizeof *ns), *scratch = sd_alloc (how->count, sizeof *scratch);
  if (!slot || !ns || !scratch)
    return sd_fail_memory (err, how->count * 16);
  const int32_t cost = (int32_t) sd_clock_cost ();

  uint64_t state = how->seed;
  int32_t value;
  for (size_t i = 0; i < how->count; i++) /* others, to warm up */
    SD_TRY (sd_array_get (a, sd_random (&state) % in->shape.n, &value, err));
  for (size_t i = 0; i < how->count; i++)
    slot[i] = sd_random (&state) % in->shape.n;
  /* The slots are chosen before, so that the time of choosing is none of the lookup's. */
  for (size_t i = 0; i < how->count; i++) {
    const int64_t begin = sd_clock_ns ();
    const int st = sd_array_get (a, slot[i], &value, err);
    ns[i] = sd_bench_ns_since (begin, cost);
    SD_TRY (st);
  }

  sd_bench_latency all = sd_bench_summary (ns, NULL, 0, 0, how->count, scratch);
  all.mean = INFINITY;
  for (unsigned pass = 0; pass < PASSES; pass++) { /* of the fastest pass: what disturbs can only add */
    const int64_t begin = sd_thread_ns ();
    for (size_t i = 0; i < how->count; i++)
      sd_array_get (a, slot[i], &value, NULL);
    all.mean = fmin (all.mean, (double) (sd_thread_ns () - begin) / (double) how->count);
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

/* As sd_bench_reading.read. */
static int read_values (const void *from, uint64_t first, uint64_t n, int32_t *room) {
  return sd_array_read (from, first, n, room, NULL);
}

/* Of an array there is one sequence, where a table has two. */
int sd_bench_array_decode (const sd_array *a, const sd_array_info *in, const sd_bench_options *how,
                           json_t *row, sd_error *err) {
  sd_bench_reading r = { read_values, { a }, { in->shape.n }, how->threads };
  return sd_bench_decode ("values", &r, row, err);
}

/* By --codec, or by the codec that the file has; settings are those of --set alone, since a file keeps
 * none. */
int sd_bench_array_encode (const sd_array *a, const sd_array_info *in, const sd_bench_options *how,
                           json_t *row, sd_error *err) {
  sd_bench_coding c = { .codec = { how->codec ? sd_codec_find (how->codec) : in->codec },
                        .threads = how->threads,
                        .turns = how->turns };
  SD_OWN (sd_subdefined) *d = NULL;

  SD_TRY (sd_settings_parse (c.codec[0], how->set, &c.set[0], err));
  SD_TRY (sd_array_load (a, &d, err));
  c.seq[0] = &d->seq;
  return sd_bench_encode (&c, row, err);
}

int sd_bench_array (const char *what, sd_bench_of_array *measure, const char *path,
                    const sd_bench_options *how, json_t *rows, sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
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

  return measure (a, &in, how, row, err);
}
