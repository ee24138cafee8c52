/* Times of single calls and rates of whole passes, and how they are told. */
#include "config.h"
#include "tools/bench/bench.h"
#include <stdlib.h>
#include <time.h>

static int64_t now_ns (clockid_t clock) {
  struct timespec t;
  clock_gettime (clock, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t sd_bench_clock_ns (void) {
  return now_ns (CLOCK_MONOTONIC);
}

int64_t sd_bench_cpu_ns (void) {
  return now_ns (CLOCK_THREAD_CPUTIME_ID);
}

static int by_size (const void *a, const void *b) {
  const int32_t x = *(const int32_t *) a, y = *(const int32_t *) b;
  return (x > y) - (x < y);
}

int32_t sd_bench_clock_cost (void) {
  enum { N = 10001 };
  static int32_t ns[N];
  for (unsigned i = 0; i < N; i++) {
    const int64_t a = sd_bench_clock_ns ();
    ns[i] = (int32_t) (sd_bench_clock_ns () - a);
  }
  qsort (ns, N, sizeof *ns, by_size);
  return ns[N / 2];
}

sd_bench_latency sd_bench_summary (const int32_t *ns, const int8_t *kind, int want, size_t n,
                                   int32_t *scratch) {
  sd_bench_latency l = { .mean = -1 };
  for (size_t i = 0; i < n; i++)
    if (want < 0 || kind[i] == want)
      scratch[l.n++] = ns[i];
  if (l.n == 0)
    return l;
  qsort (scratch, l.n, sizeof *scratch, by_size);
  l.median = scratch[l.n / 2];
  l.p90 = scratch[l.n * 9 / 10];
  l.p99 = scratch[l.n * 99 / 100];
  return l;
}

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

void sd_bench_say_rate (const char *what, double *rate, unsigned n, json_t *row) {
  char key[40];
  qsort (rate, n, sizeof *rate, sd_bench_by_value);
  snprintf (key, sizeof key, "%s_per_s", what);
  if (row)
    json_object_update_new (row, json_pack ("{s:f, s:f, s:f, s:i}", key, rate[n / 2], "min", rate[0], "max",
                                            rate[n - 1], "repeats", (int) n));
  else
    printf ("  %.4g %s/s (%.4g to %.4g in %u repeats)\n", rate[n / 2], what, rate[0], rate[n - 1], n);
}
