/** \file bench.h
 * What the files of this folder share. bench.c is the command, bench_probe.c, bench_array.c and
 * bench_codecs.c measure, bench_times.c tells times and rates. Figures are lines of text, or members of a
 * JSON object where one is given. Papers have two more kinds (bench gen, bench search). */
#ifndef SD_TOOLS_BENCH_H
#define SD_TOOLS_BENCH_H

#include "array/array.h"
#include "codecs/codecs.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"

/** For qsort of doubles. */
static inline int sd_bench_by_value (const void *a, const void *b) {
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

enum { SD_BENCH_MOST_STEPS = 16, SD_BENCH_MOST_TURNS = 99 };
/** How many threads are tried one after the other where n are asked for: 1, 2, 4, ... and n itself, whatever
 * it is. The number of them, SD_BENCH_MOST_STEPS at most. */
unsigned sd_bench_thread_steps (unsigned n, unsigned step[SD_BENCH_MOST_STEPS]);

/** Legal positions that the table answers for (unique up to symmetry, both sides to move). */
uint64_t sd_bench_positions (const sd_table_info *in);

/** What the options say. Each kind of measuring looks at its own. */
typedef struct sd_bench_options {
  const char *tables, *codec, *set, *solvers; /* solvers: names with commas, "all", or NULL */
  enum sd_metric metric;
  unsigned men, count, threads, turns, seed, nodes;
  bool json, cache; /* cache: the tables keep decoded blocks (SD_OPEN_CACHE) */
  /* Of one's own file. */
  sd_array_reading plain;
  bool csv;
  double limit; /* seconds for coding it once */
} sd_bench_options;

/** Latency of probes of t among ts, on stdout below `title`, or into `row` if it is not NULL; with several
 * threads also how many probes 1, 2, 4, ... and so many make. SD_ERANGE: it would take minutes, because
 * tables that it asks are made of long blocks. */
int sd_bench_probe (const sd_tables *ts, const sd_table *t, const sd_bench_options *how, const char *title,
                    json_t *row, sd_error *err);

/** Of times in nanoseconds; mean < 0: not measured. */
typedef struct sd_bench_latency {
  size_t n;
  long median, p90, p99;
  double mean;
} sd_bench_latency;
/** Nanoseconds since a reading of sd_clock_ns, without what the two readings cost. */
int32_t sd_bench_ns_since (int64_t begin, int32_t cost);
/** Quantiles of ns[i] with (kind[i] & mask) == want; scratch[0..n-1]. mask 0: of all, kind may be NULL. */
sd_bench_latency sd_bench_summary (const int32_t *ns, const uint8_t *kind, uint8_t mask, uint8_t want,
                                   size_t n, int32_t *scratch);
/** A line, or a member of `to`. */
void sd_bench_say_latency (const char *what, const sd_bench_latency *l, json_t *to);
/** Sequences that are read as a whole, in pieces, by several threads. */
typedef struct sd_bench_reading {
  /** The values first .. first + n - 1, n at most SD_BENCH_PIECE, to room for as many of 32 bits. */
  int (*read) (const void *from, uint64_t first, uint64_t n, int32_t *room);
  const void *from[2]; /* NULL: there is none */
  uint64_t n[2];
  unsigned threads;
} sd_bench_reading;
enum { SD_BENCH_PIECE = 1 << 16 };
/** How many of `what` are read a second, in passes for about one: a line, or members of row. */
int sd_bench_decode (const char *what, sd_bench_reading *r, json_t *row, sd_error *err);

/** Sequences that are coded. */
typedef struct sd_bench_coding {
  const sd_seq *seq[2]; /* NULL: there is none */
  const sd_codec *codec[2];
  sd_settings set[2];
  unsigned threads; /* 1 or less: as many as OpenMP has */
  unsigned turns;   /* 1 .. SD_BENCH_MOST_TURNS; with several threads */
  uint64_t bytes;   /* that came out */
} sd_bench_coding;
/** How many slots are coded a second, and the bytes; with several threads the seconds of 1, 2, 4,
 * ... and `threads` of them. */
int sd_bench_encode (sd_bench_coding *c, json_t *row, sd_error *err);

/** subdef bench search: words "codes", "policies" or "depth", what follows endings or FENs; CSV on stdout;
 * exit status. papers/transposition/bench_search.c */
int sd_bench_search (char **word, int n, const sd_bench_options *how);
/** subdef bench gen: endings by name and all with 3 to how->men men (0: none); exit status.
 * papers/retrograde/bench_gen.c */
int sd_bench_gen (char **name, int n, const sd_bench_options *how);
/** subdef bench codecs: what sd_lookup_seconds is made of; exit status. (bench_codecs.c) */
int sd_bench_codecs (char **name, int n, const sd_bench_options *how);
/** subdef bench FILE: word[0] by the codecs word[1..n-1], or by all of them; exit status. (bench_file.c) */
int sd_bench_file (char **word, int n, const sd_bench_options *how);
/** What is measured of an array, printed or put into the row. bench_array.c */
typedef int sd_bench_of_array (const sd_array *a, const sd_array_info *in, const sd_bench_options *how,
                               json_t *row, sd_error *err);
sd_bench_of_array sd_bench_array_probe, sd_bench_array_decode, sd_bench_array_encode;
/** The file of an array; figures on stdout, or a row of `rows` if that is not NULL, which is called `what`.
 * bench_array.c */
int sd_bench_array (const char *what, sd_bench_of_array *measure, const char *path,
                    const sd_bench_options *how, json_t *rows, sd_error *err);

#endif
