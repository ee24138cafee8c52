/** \file run.h
 * The runner: reads a sweep file (libconfig), computes its cells and stores a row for each, with where it
 * comes from. Uses store/. */
#ifndef SD_RUN_H
#define SD_RUN_H

#include "table/table.h"

/** What a sweep did. */
typedef struct sd_sweep_outcome {
  uint64_t cells; /* that were asked for; what was not reached after a failure is none of the following */
  uint64_t computed, failed; /* rows that this run has stored; cells that it has recorded as failed */
  uint64_t there;            /* had a row when it was their turn, */
  uint64_t copied;           /* of these: that of an equal cell of another group */
  uint64_t elsewhere;        /* other sweeps on the same store computed them meanwhile */
  double seconds;            /* of the whole call, by the clock */
} sd_sweep_outcome;

/** How far a group is, or all of them. */
typedef struct sd_sweep_counts {
  const char *name;
  uint64_t cells, done, failed; /* done: have their rows; failed: were tried, and have none */
  double work;                  /* seconds that the rest takes on a machine without other work */
} sd_sweep_counts;
/** How far a sweep is. */
typedef struct sd_sweep_status {
  const sd_sweep_counts *group; /* [ngroups], those that have cells */
  unsigned ngroups;
  sd_sweep_counts all; /* their sum */
  unsigned jobs;       /* workers that the work is for */
  unsigned sweeps;     /* that are at work on this store; */
  const char *who;     /* one of them */
  double share;        /* of the work, 0 to 1: what the bar of a sweep at work shows */
  double left;         /* seconds; NaN: not known, or no sweep is at work */
  bool busy;           /* a sweep at work says that the machine has other work, so that nobody knows */
} sd_sweep_status;

/** How a sweep is run. All-zero means defaults. */
typedef struct sd_sweep_options {
  const char *tables;  /* path with the exact DTM tables */
  const char *command; /* what the user typed, for the rows' provenance; may be NULL */
  /** "key=value": title or seed of the sweep, or a key that replaces that of every group. */
  const char *const *overrides;
  size_t noverrides;
  const char *only;     /* run only groups / tables that contain this text; NULL: all */
  unsigned part, parts; /* compute only the part-th (from 1) of so many parts; parts 0: all */
  int jobs;             /* worker threads; 0: all cores */
  bool dry_run;         /* list the cells, run nothing */
  bool status;          /* say how far they are, run nothing */
  /** Rows of another commit or version, other flags or libraries, or another machine are computed anew. */
  bool redo_stale;
  FILE *list;                                              /* where dry_run and status list */
  void (*told) (void *ctx, const sd_sweep_status *status); /* not NULL: gets the status in place of `list` */
  void (*notice) (void *ctx, const char *text); /* what the user should know; NULL: nobody listens */
  /** So many of all cells have rows in the store by now. Called by the calling thread; may be NULL. */
  void (*stored) (void *ctx, uint64_t n, uint64_t cells);
  void *ctx;
  sd_sweep_outcome *outcome; /* filled in any case, if not NULL */
  const sd_progress *progress;
} sd_sweep_options;

/** Run (or continue) the sweep in `conf`, rows into SQLite file `db`. Cells already there are skipped, so a
 * killed sweep goes on where it stopped (cells whose latency was not yet measured are run again). Rows
 * remember the run that made them (commit, flags, machine); where that differs from what runs now, a notice
 * says so, and redo_stale replaces these rows, each when its new one is complete.
 *
 * Several processes may run sweeps on one `db`, of one machine or of several that share a file system with
 * locks: each cell is computed once, and all of them end when their cells have rows. What a killed one had
 * begun is taken over.
 *
 * The sweep file is described in experiments/README.md. Each row was verified: every slot of the decoded
 * stream is admissible, else the cell has no row but one that says why (store.h, sd_store_failed_cell), the
 * others are computed, and the sweep ends with SD_EDIFF, or what else the first failure was. With dry_run or
 * status nothing is run or loaded; `db` marks what is done if it is there, NULL is allowed. SD_EINVAL: a
 * mistake in the sweep file ("FILE:LINE: what"), nothing that `only` names, `db` is ""; SD_ENOENT: no such
 * file, or tables are missing (dry_run too); SD_EFORMAT: `db` is another kind of file. Progress, from the
 * calling thread: a share of the work, weighed by what cells will cost, which never falls; its text is
 * "WHAT\tDETAIL\tTIME", where TIME is empty while the time left is not known. */
int sd_sweep_run (const char *conf, const char *db, const sd_sweep_options *opt, sd_error *err);

/** The title of a sweep file, which is checked as sd_sweep_run does. */
int sd_sweep_title (const char *conf, char *out, size_t cap, sd_error *err);

/** Nanoseconds by the clock, whatever becomes of the time of day; what two readings of it cost, the median of
 * some. latency.c */
int64_t sd_clock_ns (void);
double sd_clock_cost (void);
/** CPU time of this thread: what other programs take in between does not count. effort.c */
int64_t sd_thread_ns (void);

/** How much of the machine others use. */
typedef struct sd_busy_clock {
  double at, own, all; /* seconds: of the clock, of this process, of all on all cores; all < 0: not known */
} sd_busy_clock;
void sd_busy_start (sd_busy_clock *c);
/** Cores that others kept busy since then, in the mean, at most all of them; NaN: not known, or the time was
 * too short for the system's own clock, which counts hundredths of a second. provenance.c */
double sd_busy_cores (const sd_busy_clock *c);
#define SD_BUSY_LEAST_S 0.5

#endif
