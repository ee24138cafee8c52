/** \file experiments_internal.h
 * What the files of this room share: a parsed sweep, its cells, the store of rows. */
#ifndef SD_EXPERIMENTS_INTERNAL_H
#define SD_EXPERIMENTS_INTERNAL_H

#include "experiments/experiments.h"
#include "recode/recode.h"

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

/** One measured cell, as stored. Times in seconds or nanoseconds as the names say; of the latencies those that
 * were not measured are NaN (in the file NULL), so that `x > 0` asks whether there is one. */
typedef struct sd_row {
  int64_t run; /* sd_provenance.id; set when rows are read */
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

/** Provenance of a run. What a run of an older version did not write down is "", 0 or NaN (load). */
typedef struct sd_provenance {
  int64_t id; /* sd_row.run */
  char started[32], title[128], version[64], commit[64];
  char compiler[160], flags[1024], configure[1024]; /* how the library was compiled; configure's arguments */
  char cpu[128], host[128], kernel[160], libraries[512];
  char command[1024]; /* what the user typed */
  char sweep_file[256], sweep_hash[20];
  unsigned cores, jobs;
  uint64_t seed, memory_bytes;
  double load;          /* of one minute, when the sweep began */
  char *sweep, *tables; /* the sweep's whole text; "NAME XXH3" of each table file that was read, a line each */
} sd_provenance;
void sd_provenance_clear (sd_provenance *run); /* frees the texts */
void sd_provenances_free (sd_provenance *run, size_t n);

typedef struct sd_store sd_store;
/** create: make the file if need be, else SD_ENOENT. A file of an older version is brought up to date; if it
 * cannot be written, a copy in memory is. Names mean files only: there is no ":memory:" and no "file:...?...".
 * SD_EINVAL: no name; SD_EFORMAT: not a database of sweeps; SD_EVERSION: made by a newer version. */
int sd_store_open (const char *path, bool create, sd_store **out, sd_error *err);
/** To look at a store that there is: as sd_store_open, but the file stays as it is; of an older version a copy in memory
 * is brought up to date. */
int sd_store_peek (const char *path, sd_store **out, sd_error *err);
void sd_store_close (sd_store *s);
/** All rows inserted from now on belong to this run. */
int sd_store_run (sd_store *s, const sd_provenance *run, sd_error *err);
/** What is asked of a row beside its sizes: latencies of single symbols, of whole probes. */
typedef struct sd_times {
  bool get, probe;
} sd_times;
/** Is there a row, with these times? */
int sd_store_has (sd_store *s, const char *key, sd_times times, bool *out, sd_error *err);
/** Ends the claim on the cell, too. A row that somebody else has stored meanwhile stays, unless it lacks times that
 * this one has. */
int sd_store_insert (sd_store *s, const char *key, const sd_row *row, sd_error *err);

/** Does the text of a commit name one source? "", "unknown" and "...-dirty" may stand for any. */
bool sd_commit_is_exact (const char *commit);

/** How rows that are there differ from what would be computed here and now. */
typedef struct sd_stale {
  uint64_t rows, runs;
  /* what differs; flags: compiler and flags; machine: host and processor */
  bool commit, version, flags, libraries, machine;
  char example[400];           /* "commit abc (this is def), host x (this is y)": of the last such run */
} sd_stale;
/** Look at the rows that there are at this moment, among all runs. redo: from now on those that differ count as
 * not there (sd_store_has), and inserting replaces them. */
int sd_store_compare (sd_store *s, const sd_provenance *here, bool redo, sd_stale *out, sd_error *err);
/** Seconds of encoding and decoding: each (ctx, codec, settings, metric, table, seconds, number of rows). */
typedef void (*sd_store_cost) (void *ctx, const char *codec, const char *settings, const char *metric,
                               const char *table, double seconds, uint64_t rows);
int sd_store_costs (sd_store *s, sd_store_cost each, void *ctx, sd_error *err);

/* Several sweeps on one store (store_claims.c). */
/** This process is at work from now on; it leaves when the store is closed. */
int sd_store_join (sd_store *s, sd_error *err);
void sd_store_leave (sd_store *s);
/** A sign of life, every ten seconds or so. Who was held for dead joins again. */
int sd_store_beat (sd_store *s, sd_error *err);
/** Other processes that are at work on this store, and one of them in words. Those that are dead leave the store. */
int sd_store_others (sd_store *s, unsigned *n, char *example, size_t cap, sd_error *err);
/** What stands between is one transaction, which costs a small cell more than its coding does. They may be nested.
 * end: takes back all of it if status is not SD_OK; returns status, or why the transaction failed. */
int sd_store_begin (sd_store *s, sd_error *err);
int sd_store_end (sd_store *s, int status, sd_error *err);
/** MINE: to be computed here; DONE: has its row; TAKEN: another process computes it. */
enum sd_claim { SD_CLAIM_MINE, SD_CLAIM_DONE, SD_CLAIM_TAKEN };
int sd_store_claim (sd_store *s, const char *key, sd_times times, enum sd_claim *out, sd_error *err);

/** All rows, in the order of the sweep's expansion as far as they were run that way. Caller frees. */
int sd_store_rows (sd_store *s, sd_row **rows, size_t *n, sd_error *err);
/** Every column of every row with its provenance as CSV. */
int sd_store_csv (sd_store *s, sd_buf *out, sd_error *err);
/** The last run; sd_provenance_clear frees it. SD_ENOENT: none. */
int sd_store_last_run (sd_store *s, sd_provenance *out, sd_error *err);
/** All runs that have rows, in the order in which they began; sd_provenances_free frees them. */
int sd_store_runs (sd_store *s, sd_provenance **runs, size_t *n, sd_error *err);
/** Smallest row of a group for a table, metric, coding and side, same freedom if the group has it: order and
 * numbering. */
int sd_store_best_order (sd_store *s, const char *group, const sd_cell *c, char *order, char *numbering,
                         sd_error *err);

/** What runs here and now; command: what the user typed, or NULL. The texts are the caller's (see
 * sd_provenance_clear). SD_ENOMEM. */
int sd_run_here (const sd_sweep *s, unsigned jobs, const char *command, sd_provenance *out, sd_error *err);
/** Add the table files that were read, with the XXH3 of each (`xxhsum -H3` gives the same number). */
int sd_run_tables (const sd_exacts *e, sd_provenance *out, sd_error *err);

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
