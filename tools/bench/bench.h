/** \file bench.h
 * What the files of this folder share. */
#ifndef SD_TOOLS_BENCH_H
#define SD_TOOLS_BENCH_H

#include "tools/positions.h"
#include "tools/tools_internal.h"

/** For qsort of doubles. */
static inline int sd_bench_by_value (const void *a, const void *b) {
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/** Legal positions that the table answers for (unique up to symmetry, both sides to move). */
uint64_t sd_bench_positions (const sd_table_info *in, const sd_progress *progress);

typedef struct sd_bench_probe_options {
  enum sd_metric metric;
  size_t count;
  uint64_t seed;
  long threads;      /* above 1: a second run with 1, 2, 4, ... and so many */
  const char *title; /* line above the figures */
  bool cached;       /* the tables keep decoded blocks (SD_OPEN_CACHE) */
} sd_bench_probe_options;
/** Latency of probes of t among ts, on stdout, or into `row` if it is not NULL. SD_ERANGE: it would take
 * minutes, because tables that it asks are made of long blocks. */
int sd_bench_probe (const sd_tables *ts, const sd_table *t, const sd_bench_probe_options *how, json_t *row,
                    sd_error *err);

/** Of times in nanoseconds; mean < 0: not measured. */
typedef struct sd_bench_latency {
  size_t n;
  long median, p90, p99;
  double mean;
} sd_bench_latency;
int64_t sd_bench_clock_ns (void);
/** CPU time of this thread: what other programs take in between does not count. */
int64_t sd_bench_cpu_ns (void);
/** Median cost of one pair of readings of the clock. */
int32_t sd_bench_clock_cost (void);
/** Quantiles of ns[i] with kind[i] == want (want < 0: all, and kind may be NULL); scratch[0..n-1]. */
sd_bench_latency sd_bench_summary (const int32_t *ns, const int8_t *kind, int want, size_t n,
                                   int32_t *scratch);
/** A line, or a member of `to`. */
void sd_bench_say_latency (const char *what, const sd_bench_latency *l, json_t *to);
/** So many of `what` a second: the median and the spread; a line, or members of row. */
void sd_bench_say_rate (const char *what, double *rate, unsigned n, json_t *row);
enum { SD_BENCH_REPEATS = 25 };
/** Is there to be one more pass, after n since sd_now () was `start`? At least so many, and for a second. */
static inline bool sd_bench_again (unsigned n, unsigned least, double start) {
  return n < SD_BENCH_REPEATS && (n < least || sd_now () - start < 1);
}

typedef struct sd_bench_search_options {
  const char *tables;
  uint64_t nodes, seed;
  const sd_progress *progress;
} sd_bench_search_options;
/** subdef bench search: word[0] is "codes", "policies" or "depth", what follows endings or FENs; CSV on stdout;
 * exit status. (bench_search.c) */
int sd_bench_search (char **word, int n, const sd_bench_search_options *how);

typedef struct sd_bench_array_options {
  const char *codec, *set; /* encode */
  size_t count;
  uint64_t seed;
  int threads; /* decode */
} sd_bench_array_options;
/** what: "probe", "decode" or "encode" of the file of an array; figures on stdout, or a row of `rows` if that
 * is not NULL. (bench_array.c) */
int sd_bench_array (const char *what, const char *path, const sd_bench_array_options *how, json_t *rows,
                    sd_error *err);

#endif
