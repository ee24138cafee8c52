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

#endif
