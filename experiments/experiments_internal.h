/** \file experiments_internal.h
 * What the files of this room share: a parsed sweep, its cells, the store of rows. */
#ifndef SD_EXPERIMENTS_INTERNAL_H
#define SD_EXPERIMENTS_INTERNAL_H

#include "experiments/experiments.h"

#define SD_SETTINGS_TEXT 512
#define SD_ORDER_TEXT 32

/* ----------------------------------------------------------- a sweep and its cells */

/** One cell: one side of one table, coded in one way. */
typedef struct sd_cell {
  unsigned group; /* index into sd_sweep.group */
  unsigned phase; /* cells that ask for the best order of another group run after it */
  sd_material material;
  char table[16];
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned side, freedom;
  int best_of;         /* group whose best order is taken, or -1 */
  bool keep_numbering; /* best_of: take only the order, the numbering is an axis of this group */
  char order[SD_ORDER_TEXT], numbering[SD_ORDER_TEXT];
  const sd_codec *codec;
  char settings[SD_SETTINGS_TEXT]; /* canonical text */
} sd_cell;

typedef struct sd_sweep_group {
  char name[48];
  bool latency, probe; /* time single gets; time whole probes too */
  unsigned phase;
} sd_sweep_group;

typedef struct sd_sweep {
  char *path, *text; /* the file and what is in it */
  char title[128];
  uint64_t seed;
  sd_sweep_group *group;
  unsigned ngroups, nphases;
  sd_cell *cell;
  size_t ncells, cap;
} sd_sweep;

/** Read, check and expand a sweep file. SD_EINVAL: "FILE:LINE: what". */
int sd_sweep_read (const char *path, sd_sweep **out, sd_error *err);
void sd_sweep_free (sd_sweep *s);

const char *sd_metric_name (enum sd_metric m);
const char *sd_coding_name (enum sd_coding c);
/** "GROUP/KRvKP/wdl/wdl/w/all/KRkP/rows/repair/block=128,...": what makes a row unique. */
void sd_cell_key (const sd_sweep *s, const sd_cell *c, char *out, size_t cap);
#define SD_KEY_TEXT (SD_SETTINGS_TEXT + 256)

/* ------------------------------------------------------------------------- rows */

/** One measured cell, as stored. Times in seconds or nanoseconds as the names say; 0 = not measured. */
typedef struct sd_row {
  char group[48], table[16], metric[8], coding[8], side[4], freedom[64], order[SD_ORDER_TEXT],
      numbering[SD_ORDER_TEXT];
  char codec[32], settings[SD_SETTINGS_TEXT];
  int64_t block;          /* the codec's tunable `block`, 0: it has none */
  unsigned main, threads; /* main symbols; worker threads that ran beside */
  uint64_t slots, positions, free_slots;
  uint64_t bytes, header_bytes, model_bytes, index_bytes, payload_bytes, blocks, dictionary;
  double encode_s, decode_s;
  double get_ns, get_p99_ns, probe_ns, probe_p99_ns;
  uint64_t get_samples, probe_samples;
} sd_row;

/** What all sides of a table take with the baseline of S0 Sec. 1.7.4: LZMA in blocks of 16 kB, nothing free,
 * in the order of the name; the smallest rows of this kind. 0: a side has none. */
uint64_t sd_rows_baseline (const sd_row *row, size_t n, const char *table, enum sd_metric metric);

/** Provenance of a run. */
typedef struct sd_provenance {
  char started[32], title[128], version[64], commit[64], compiler[160], cpu[128], sweep_file[256],
      sweep_hash[20];
  unsigned cores, jobs;
  uint64_t seed;
  const char *sweep; /* the whole text */
} sd_provenance;

typedef struct sd_store sd_store;
/** create: make the file if need be, else SD_ENOENT. SD_EFORMAT: not a database of sweeps. */
int sd_store_open (const char *path, bool create, sd_store **out, sd_error *err);
void sd_store_close (sd_store *s);
/** All rows inserted from now on belong to this run. */
int sd_store_run (sd_store *s, const sd_provenance *run, sd_error *err);
int sd_store_has (sd_store *s, const char *key, bool *out, sd_error *err);
int sd_store_insert (sd_store *s, const char *key, const sd_row *row, sd_error *err);
/** All rows, in the order of the sweep's expansion as far as they were run that way. Caller frees. */
int sd_store_rows (sd_store *s, sd_row **rows, size_t *n, sd_error *err);
/** Every column of every row with its provenance as CSV. */
int sd_store_csv (sd_store *s, sd_buf *out, sd_error *err);
/** The last run, with `sweep` allocated (caller frees). SD_ENOENT: none. */
int sd_store_last_run (sd_store *s, sd_provenance *out, char **sweep, sd_error *err);
/** Smallest row of a group for a table, metric, coding and side, same freedom if the group has it: order and
 * numbering. */
int sd_store_best_order (sd_store *s, const char *group, const sd_cell *c, char *order, char *numbering,
                         sd_error *err);

void sd_run_here (const sd_sweep *s, unsigned jobs, sd_provenance *out);

/* --------------------------------------------------------------------- statistics */

typedef struct sd_stats {
  size_t n;
  double min, max, mean, sd, q05, q25, median, q75, q95, q99;
} sd_stats;
/** Sorts v. n = 0 gives zeros; sd is 0 for n < 2. */
void sd_stats_of (double *v, size_t n, sd_stats *out);
/** Spearman's rank correlation of two equally long samples; 0 for n < 3 or constant samples. */
double sd_stats_rank_correlation (const double *a, const double *b, size_t n);

/* --------------------------------------------------------------------- one cell */

/** SD_EDIFF unless decoding gives an admissible value for every slot; *seconds: time spent in sd_codec_read.
 */
int sd_cell_verify (const sd_seq *seq, const sd_decoder *d, double *seconds, sd_error *err);

/** Positions to time with, and small tables of everything that a probe asks on its way. */
typedef struct sd_probe_set sd_probe_set;
#define SD_SAMPLES 4096

int sd_probe_set_new (sd_probe_set **out, sd_error *err);
void sd_probe_set_free (sd_probe_set *p);
/** Build what probes of m under a metric need (m itself and all its successors, loaded in e), `jobs` at a
 * time. */
int sd_probe_set_need (sd_probe_set *p, sd_exacts *s, const sd_material *m, enum sd_metric metric, int jobs,
                       sd_error *err);
/** Median and 99th percentile of sd_codec_get at random legal positions. */
int sd_latency_get (const sd_exact *e, unsigned side, uint64_t seed, const sd_indexer *ix,
                    const sd_decoder *d, sd_row *row, sd_error *err);
/** The same for whole probes with `table` in front; each answer is compared with the exact value (SD_EDIFF).
 */
int sd_latency_probe (const sd_probe_set *p, const sd_exacts *exacts, const sd_exact *e, unsigned side,
                      uint64_t seed, enum sd_metric metric, const sd_table *table, sd_row *row,
                      sd_error *err);

#endif
