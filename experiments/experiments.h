/** \file experiments.h
 * The runner: reads a sweep (libconfig), runs its cells, stores rows with full provenance (SQLite), computes statistics (GSL) and
 * writes tables, plots (gnuplot) and one self-contained HTML page. Uses table/. */
#ifndef SD_EXPERIMENTS_H
#define SD_EXPERIMENTS_H

#include "table/table.h"

/** How a sweep is run. All-zero means defaults. */
typedef struct sd_sweep_options {
  const char *tables;  /* path with the exact DTM tables */
  const char *only;    /* run only groups / tables that contain this text; NULL: all */
  int jobs;            /* worker threads; 0: all cores */
  bool dry_run;        /* list the cells, run nothing */
  FILE *list;          /* where dry_run lists */
  const sd_progress *progress;
} sd_sweep_options;

/** Run (or continue) the sweep in `conf`, rows into SQLite file `db`. Cells already there are skipped. */
int sd_sweep_run (const char *conf, const char *db, const sd_sweep_options *opt, sd_error *err);

/** Tables (Markdown, CSV), gnuplot figures and DIR/index.html from the rows of `db`. */
int sd_report_write (const char *db, const char *dir, const sd_progress *progress, sd_error *err);

#endif
