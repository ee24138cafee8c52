/** \file experiments.h
 * The runner: reads a sweep (libconfig), runs its cells, stores rows with full provenance (SQLite), computes
 * statistics (GSL) and writes tables, plots (gnuplot) and one self-contained HTML page. Uses table/. */
#ifndef SD_EXPERIMENTS_H
#define SD_EXPERIMENTS_H

#include "table/table.h"

/** What a sweep did. */
typedef struct sd_sweep_outcome {
  uint64_t cells; /* that were asked for; what was not reached after a failure is none of the following */
  uint64_t computed, failed;
  uint64_t there;     /* had a row when it was their turn */
  uint64_t elsewhere; /* other sweeps on the same store computed them meanwhile */
  double seconds;
} sd_sweep_outcome;

/** How a sweep is run. All-zero means defaults. */
typedef struct sd_sweep_options {
  const char *tables;  /* path with the exact DTM tables */
  const char *command; /* what the user typed, for the rows' provenance; may be NULL */
  const char *only;    /* run only groups / tables that contain this text; NULL: all */
  int jobs;            /* worker threads; 0: all cores */
  bool dry_run;        /* list the cells, run nothing */
  /** Rows of another commit or version, other flags or libraries, or another machine are computed anew. */
  bool redo_stale;
  FILE *list;          /* where dry_run lists */
  void (*notice) (void *ctx, const char *text); /* what the user should know; NULL: nobody listens */
  void *ctx;
  sd_sweep_outcome *outcome; /* filled in any case, if not NULL */
  const sd_progress *progress;
} sd_sweep_options;

/** Run (or continue) the sweep in `conf`, rows into SQLite file `db`. Cells already there are skipped, so a
 * killed sweep goes on where it stopped (cells whose latency was not yet measured are run again). Rows remember
 * the run that made them (commit, flags, machine); where that differs from what runs now, a notice says so, and
 * redo_stale replaces these rows, each when its new one is complete.
 *
 * Several processes may run sweeps on one `db`, of one machine or of several that share a file system with
 * locks: each cell is computed once, and all of them end when their cells have rows. What a killed one had
 * begun is taken over.
 *
 * The sweep file is described in experiments/README.md. Each row was verified: every slot of the decoded stream
 * is admissible, else the sweep ends with SD_EDIFF and the cell has no row. With dry_run nothing is run or
 * loaded; `db` marks what is done if it is there, NULL is allowed. SD_EINVAL: a mistake in the sweep file
 * ("FILE:LINE: what"), nothing that `only` names, `db` is ""; SD_ENOENT: no such file, or tables are missing
 * (dry_run too); SD_EFORMAT: `db` is another kind of file. Progress: milliseconds, done and (estimated) in all,
 * from the calling thread. */
int sd_sweep_run (const char *conf, const char *db, const sd_sweep_options *opt, sd_error *err);

/** How a report is made. All-zero, or NULL, means defaults. */
typedef struct sd_report_options {
  const char *baseline; /* what all others are compared with: "GROUP/CODEC" or "GROUP/CODEC/KEY=VALUE,...", the smallest rows of
                           this kind; NULL: LZMA in blocks of 16 kB, nothing free, in the order of the name */
  const char *gnuplot;  /* the program; NULL: the one that configure found */
  const sd_progress *progress;
  sd_buf *warnings; /* not NULL: sentences about rows that do not compare are appended, a line break between them */
} sd_report_options;

/** Tables (Markdown, CSV), gnuplot figures and DIR/index.html from the rows of `db`. Without gnuplot the
 * report says that its figures are missing. The file may come from anywhere: a row or run that subdef would not
 * write is refused, and all texts are quoted. SD_ENOENT: no such file, or it holds no row; SD_EFORMAT: a row is
 * not right; SD_EINVAL: no row is of the baseline's kind, or dir is "". */
int sd_report_write (const char *db, const char *dir, const sd_report_options *opt, sd_error *err);

/** A line of text for each table and metric: which coder and order won, how small it is, how many times
 * smaller than the baseline. Appended to *out. Status as above. */
int sd_report_summary (const char *db, const sd_report_options *opt, sd_buf *out, sd_error *err);

/** The winner of a search over the rows of a sweep. */
typedef struct sd_best {
  sd_table_spec spec; /* ready for sd_table_build */
  unsigned nsides;
  struct {
    char codec[32], settings[512], order[32], numbering[32];
    uint64_t bytes;          /* of the stream */
    double probe_ns, get_ns; /* medians; 0: not measured */
  } side[2];
  uint64_t bytes;         /* both sides */
  uint64_t lzma16k_bytes; /* both sides with codec lzma in blocks of 16 kB, no freedom, order of the name; 0:
                             no such rows */
} sd_best;

/** The smallest table for `m` and `metric` that the rows of `db` know: each side's best order and codec,
 * under one coding and one set of freedoms (a table has one). max_latency_ns > 0: only rows whose measured
 * median of reading one symbol (sd_codec_get, as sd_table_search bounds it) is at most that. SD_ENOENT: no
 * row fits; the sentence says why. */
int sd_report_best (const char *db, const sd_material *m, enum sd_metric metric, double max_latency_ns,
                    sd_best *out, sd_error *err);

#endif
