/* Times of single calls and rates of whole passes, and how they are told. Single calls are told by quantiles,
 * since a few that are interrupted would spoil a mean; passes by the median and the spread of some
 * repeats. */
#include "config.h"
#include "experiments/run/run.h"
#include "tools/bench/bench.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Where the clock cost more than usual the difference may be below 0. */
int32_t sd_bench_ns_since (int64_t begin, int32_t cost) {
  const int64_t d = sd_clock_ns () - begin - cost;
  return d < 0 ? 0 : d > INT32_MAX ? INT32_MAX : (int32_t) d;
}

/* For qsort; a difference could overflow. */
static int by_size (const void *a, const void *b) {
  const int32_t x = *(const int32_t *) a, y = *(const int32_t *) b;
  return (x > y) - (x < y);
}

/* Whatever sorts here is a copy, since the caller asks for several kinds of the same times. */
sd_bench_latency sd_bench_summary (const int32_t *ns, const uint8_t *kind, uint8_t mask, uint8_t want,
                                   size_t n, int32_t *scratch) {
  sd_bench_latency l = { .mean = -1 };
  for (size_t i = 0; i < n; i++)
    if (!mask || (kind[i] & mask) == want)
      scratch[l.n++] = ns[i];
  if (l.n == 0)
    return l;

  qsort (scratch, l.n, sizeof *scratch, by_size);
  l.median = scratch[l.n / 2];
  l.p90 = scratch[l.n * 9 / 10];
  l.p99 = scratch[l.n * 99 / 100];
  return l;
}

/* Columns as the head has them that the caller prints. */
void sd_bench_say_latency (const char *what, const sd_bench_latency *l, json_t *to) {
  if (to) {
    json_t *o =
        json_pack ("{s:I, s:I, s:I, s:I}", "positions", (json_int_t) l->n, "median_ns",
                   (json_int_t) l->median, "p90_ns", (json_int_t) l->p90, "p99_ns", (json_int_t) l->p99);
    if (l->mean >= 0)
      json_object_set_new (o, "mean_ns", json_real (l->mean));
    json_object_set_new (to, what, o);
    return;
  }
  printf ("  %-18s %9zu %9ld %9ld %9ld", what, l->n, l->median, l->p90, l->p99);
  if (l->mean >= 0)
    printf (" %9.1f", l->mean);
  putchar ('\n');
}

/* Passes over n of something: how many a second. */
typedef struct rates {
  uint64_t n;
  double rate[25]; /* of each pass, a second */
  unsigned passes;
} rates;

/* For about a second, at least so many. A pass that fails ends the measuring. What is
 * quick fills `rate` before the second is over. */
static int measure (rates *r, unsigned least, int (*pass) (void *ctx, sd_error *err), void *ctx,
                    sd_error *err) {
  const double start = sd_now ();
  while (r->passes < sizeof r->rate / sizeof *r->rate && (r->passes < least || sd_now () - start < 1)) {
    const double before = sd_now ();
    SD_TRY (pass (ctx, err));
    r->rate[r->passes++] = (double) r->n / (sd_now () - before);
  }
  return SD_OK;
}

/* The median and the spread. "  1.234e+08 slots/s (1.1e+08 to 1.3e+08 in 25 repeats)". Sorts the rates. */
static void say_rate (const char *what, rates *r, json_t *row) {
  char key[40];
  const unsigned n = r->passes;
  qsort (r->rate, n, sizeof *r->rate, sd_bench_by_value);
  snprintf (key, sizeof key, "%s_per_s", what);
  if (row)
    json_object_update_new (row, json_pack ("{s:f, s:f, s:f, s:i}", key, r->rate[n / 2], "min", r->rate[0],
                                            "max", r->rate[n - 1], "repeats", (int) n));
  else
    printf ("  %.4g %s/s (%.4g to %.4g in %u repeats)\n", r->rate[n / 2], what, r->rate[0], r->rate[n - 1],
            n);
}

unsigned sd_bench_thread_steps (unsigned n, unsigned step[SD_BENCH_MOST_STEPS]) {
  unsigned steps = 0;
  for (unsigned t = 1; t < n && steps + 1 < SD_BENCH_MOST_STEPS; t *= 2)
    step[steps++] = t;
  step[steps++] = n;
  return steps;
}

/* ------------------------------------------------------------------ decode, encode */

/* One pass over both sequences, by pieces that threads take as they come. */
static int read_all (void *ctx, sd_error *err) {
  const sd_bench_reading *r = ctx;
  int st = SD_OK;

  for (unsigned i = 0; i < 2; i++)
#pragma omp parallel for schedule(dynamic) num_threads((int) r->threads)
    for (uint64_t first = 0; first < r->n[i]; first += SD_BENCH_PIECE) {
      int32_t room[SD_BENCH_PIECE];
      const uint64_t left = r->n[i] - first;
      const int one = r->read (r->from[i], first, left < SD_BENCH_PIECE ? left : SD_BENCH_PIECE, room);
      if (one != SD_OK) {
#pragma omp atomic write
        st = one;
      }
    }
  return st == SD_OK ? SD_OK : sd_fail (err, st, "decoding: %s", sd_strerror (st));
}

/* Three times at least, so that a spread is seen. */
int sd_bench_decode (const char *what, sd_bench_reading *r, json_t *row, sd_error *err) {
  rates found = { .n = r->n[0] + r->n[1] };
  SD_TRY (measure (&found, 3, read_all, r, err));
  say_rate (what, &found, row);
  return SD_OK;
}

/* One pass; the streams are given up, only their bytes are told. */
static int encode_all (void *ctx, sd_error *err) {
  sd_bench_coding *c = ctx;
  c->bytes = 0;
  for (unsigned i = 0; i < 2; i++) {
    sd_buf out SD_RELEASED_BY (sd_buf_free) = { 0 };
    if (c->seq[i])
      SD_TRY (sd_codec_encode (c->codec[i], c->seq[i], &c->set[i], &sd_terminal, &out, err));
    c->bytes += out.len;
  }
  return SD_OK;
}

enum { WALL, ALL, FIRST, KINDS }; /* seconds; of CPU by all threads, by the first */

static void add_times (double sign, double *to) {
  to[WALL] += sign * sd_now ();
  to[ALL] += sign * sd_cpu_now ();
  to[FIRST] += sign * 1e-9 * (double) sd_thread_ns ();
}

/* As recoding does. The copies that are written over belong to measuring, and take none of the time. */
static int encode_in_place (sd_bench_coding *c, double *took, sd_error *err) {
  c->bytes = 0;
  for (unsigned i = 0; i < 2; i++) {
    sd_buf out SD_RELEASED_BY (sd_buf_free) = { 0 };
    if (!c->seq[i])
      continue;
    sd_seq seq = *c->seq[i];
    SD_OWNED sd_symbol *copy = sd_alloc (seq.n, sizeof *copy);
    if (!copy)
      return sd_fail_memory (err, seq.n * sizeof *copy);
    memcpy (copy, seq.sym, seq.n * sizeof *copy);
    seq.sym = copy;
    add_times (-1, took);
    SD_TRY (sd_codec_encode_over (c->codec[i], &seq, &c->set[i], &sd_terminal, &out, err));
    add_times (1, took);
    c->bytes += out.len;
  }
  return SD_OK;
}

/* What coding took by so many threads: a line, or a member of `list`. The medians of some turns. */
static void say_scaling (unsigned threads, size_t turns, double s[][SD_BENCH_MOST_TURNS], json_t *list) {
  for (unsigned kind = 0; kind < KINDS; kind++)
    qsort (s[kind], turns, sizeof **s, sd_bench_by_value);
  const double *wall = s[WALL], all = s[ALL][turns / 2], first = s[FIRST][turns / 2];
  if (list)
    json_array_append_new (list, json_pack ("{s:i, s:f, s:f, s:f}", "threads", (int) threads, "seconds",
                                            wall[turns / 2], "cpu_s", all, "first_thread_cpu_s", first));
  else
    printf ("  %4u threads  %8.2f s (%.2f to %.2f), CPU %.2f s, of the first thread %.2f s\n", threads,
            wall[turns / 2], wall[0], wall[turns - 1], all, first);
}

/* By 1, 2, 4, ... and c->threads threads in turn, so that other programs disturb all of them. What the first
 * thread computes is as long as coding takes at least, however many others there are; it says that on a busy
 * machine, too. */
static int scaling (sd_bench_coding *c, json_t *row, sd_error *err) {
  double s[SD_BENCH_MOST_STEPS][KINDS][SD_BENCH_MOST_TURNS] = { 0 };
  unsigned threads[SD_BENCH_MOST_STEPS];
  const unsigned steps = sd_bench_thread_steps (c->threads, threads);

  for (unsigned turn = 0; turn < c->turns; turn++)
    for (unsigned k = 0; k < steps; k++) {
      double took[KINDS] = { 0 };
      omp_set_num_threads ((int) threads[k]);
      SD_TRY (encode_in_place (c, took, err));
      for (unsigned kind = 0; kind < KINDS; kind++)
        s[k][kind][turn] = took[kind];
    }

  sd_terminal_clear ();
  json_t *list = row ? json_array () : NULL;
  for (unsigned k = 0; k < steps; k++)
    say_scaling (threads[k], c->turns, s[k], list);
  if (row)
    json_object_update_new (
        row, json_pack ("{s:I, s:o}", "encoded_bytes", (json_int_t) c->bytes, "threads", list));
  else
    printf ("  encoded by %s into %s bytes\n", c->codec[c->seq[0] ? 0 : 1]->name, sd_tool_count (c->bytes));
  return SD_OK;
}

/* Once at least: a slow codec takes minutes for a table. */
int sd_bench_encode (sd_bench_coding *c, json_t *row, sd_error *err) {
  if (c->threads > 1)
    return scaling (c, row, err);
  rates found = { .n = (c->seq[0] ? c->seq[0]->n : 0) + (c->seq[1] ? c->seq[1]->n : 0) };
  SD_TRY (measure (&found, 1, encode_all, c, err));

  sd_terminal_clear ();
  if (row)
    json_object_set_new (row, "encoded_bytes", json_integer ((json_int_t) c->bytes));
  else
    printf ("  encoded by %s into %s bytes\n", c->codec[c->seq[0] ? 0 : 1]->name, sd_tool_count (c->bytes));
  say_rate ("slots", &found, row);
  return SD_OK;
}
