/* The report: what was gained in a few figures on top, then published figures beside these, figures, sizes,
 * latencies, piece orders, provenance. Everything comes from the rows; nothing is measured here. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SD_GNUPLOT
#define SD_GNUPLOT "gnuplot"
#endif

/* -------------------------------------------------------------------- words */

/* The runs in a line, and what should be known before rows are compared. */
static void put_runs_line (sd_doc *d, const sd_provenance *run, size_t n, const sd_buf *warnings) {
  const sd_provenance *last = &run[n - 1];
  if (n == 1)
    sd_doc_para (d, "Measured by %s, commit %s, on %s with %u cores and %u jobs, from %s on.", last->version,
                 last->commit, last->cpu, last->cores, last->jobs, last->started);
  else
    sd_doc_para (
        d,
        "Measured in %zu runs; the last by %s, commit %s, on %s, from %s on. All of them are listed at the end.",
        n, last->version, last->commit, last->cpu, last->started);
  sd_doc_warnings (d, warnings);
}

/* -------------------------------------------------------------------- figures */

/* The figures of a table but the first, on request. */
static void put_other_figures (sd_doc *d, const sd_rowsums *all, const sd_figures *figures, size_t subject) {
  const sd_figure *first = NULL;
  size_t n = 0;
  char text[sizeof figures->figure->caption + sizeof all->subject->title + 4];
  for (size_t i = 0; i < figures->n; i++) {
    const sd_figure *f = &figures->figure[i];
    if (f->subject != subject)
      continue;
    if (!first)
      first = f;
    else if (n++ == 0) {
      snprintf (text, sizeof text, "%s: more figures", all->subject[subject].title);
      sd_doc_fold_begin (d, text);
      sd_doc_figures_begin (d);
    }
    snprintf (text, sizeof text, "%s: %s", all->subject[subject].title, f->caption);
    if (f != first)
      sd_doc_figure (d, f->name, text, f->wide);
  }
  if (n) {
    sd_doc_figures_end (d);
    sd_doc_fold_end (d);
  }
}

/* The first figure of each table: of size against time, where lookups were timed. */
static void put_first_figures (sd_doc *d, const sd_rowsums *all, const sd_figures *figures) {
  char text[sizeof figures->figure->caption + sizeof all->subject->title + 4];
  sd_doc_figures_begin (d);
  for (size_t s = 0; s < all->nsubjects; s++)
    for (size_t i = 0; i < figures->n; i++) {
      const sd_figure *f = &figures->figure[i];
      if (f->subject != s)
        continue;
      snprintf (text, sizeof text, "%s: %s", all->subject[s].title, f->caption);
      sd_doc_figure (d, f->name, text, f->wide);
      break;
    }
  sd_doc_figures_end (d);
}

static void put_figures (sd_doc *d, const sd_rowsums *all, const sd_figures *figures) {
  enum { MOST_SHOWN = 8 }; /* tables whose first figures are shown at once */
  sd_doc_heading (d, 2, "Figures");
  if (!figures->drawn) {
    sd_doc_para (d, "No figures here: %s.%s", figures->why,
                 figures->n ? " The scripts (*.gp) lie beside this page; with gnuplot they draw the figures."
                            : "");
    return;
  }
  if (all->nsubjects > MOST_SHOWN)
    sd_doc_fold_begin (d, "The first figure of each table");
  put_first_figures (d, all, figures);
  if (all->nsubjects > MOST_SHOWN)
    sd_doc_fold_end (d);
  for (size_t s = 0; s < all->nsubjects; s++)
    put_other_figures (d, all, figures, s);
}

/* Those of all tables. */
static void put_figures_of_all (sd_doc *d, const sd_rowsums *all, const sd_figures *figures) {
  sd_doc_figures_begin (d);
  for (size_t i = 0; i < figures->n && figures->drawn; i++)
    if (figures->figure[i].subject >= all->nsubjects && figures->figure[i].subject != SD_NARROW)
      sd_doc_figure (d, figures->figure[i].name, figures->figure[i].caption, figures->figure[i].wide);
  sd_doc_figures_end (d);
}

/* --------------------------------------------------------------------- reading */

typedef struct sd_failure {
  char key[1000], finished[64], error[1000];
} sd_failure;

/* Everything that is read from the database. */
typedef struct source {
  sd_rowsums all;
  sd_provenance *run; /* those with rows */
  size_t nruns;
  sd_failure *failure; /* cells that failed */
  uint64_t nfailures, room;
  sd_buf warnings; /* sentences, one a line, and a 0 */
} source;

static void source_free (source *s) {
  sd_rowsums_free (&s->all);
  free (s->failure);
  sd_provenances_free (s->run, s->nruns);
  sd_buf_free (&s->warnings);
}

/* Each row says by which run it was made. */
static int check_runs (const char *db, const source *s, sd_error *err) {
  for (size_t i = 0; i < s->all.nrows; i++) {
    if (!sd_run_find (s->run, s->nruns, s->all.row[i].run))
      return sd_fail (err, SD_EFORMAT, "%s: a row is of run %lld, and there is no such run", db,
                      (long long) s->all.row[i].run);
  }
  return SD_OK;
}

static int add_failure (void *ctx, const char *key, const char *finished, const char *error, sd_error *err) {
  source *s = ctx;
  if (!sd_grow (&s->failure, &s->room, s->nfailures + 1))
    return sd_fail_memory (err, 0);
  sd_failure *f = &s->failure[s->nfailures++];
  snprintf (f->key, sizeof f->key, "%s", key);
  snprintf (f->finished, sizeof f->finished, "%s", finished);
  snprintf (f->error, sizeof f->error, "%s", error);
  return SD_OK;
}

/* The cells that failed. */
static void put_failures (sd_doc *d, const source *s, sd_buf *csv) {
  if (!s->nfailures)
    return;
  sd_put_csv (csv, (const char *[]){ "cell", "finished", "error" }, 3);
  sd_doc_heading (d, 2, "Cells that failed");
  sd_doc_para (d, "%llu cells have no row, because of these errors. The same sweep tries them again.",
               (unsigned long long) s->nfailures);
  sd_doc_table (d, "lll", (const char *const[]){ "cell", "when", "error" });
  for (uint64_t i = 0; i < s->nfailures; i++) {
    const char *const cell[] = { s->failure[i].key, s->failure[i].finished, s->failure[i].error };
    sd_doc_row (d, cell, false);
    sd_put_csv (csv, cell, 3);
  }
  sd_doc_table_end (d);
}

static int read_store (sd_store *store, const char *db, const char *baseline, source *out, sd_error *err) {
  sd_row *row = NULL;
  size_t n = 0;
  SD_TRY (sd_store_rows (store, &row, &n, err));
  if (n == 0) {
    free (row);
    return sd_fail (err, SD_ENOENT, "%s: holds no row yet: run a sweep first", db);
  }
  SD_TRY (sd_rowsums_make (row, n, baseline, &out->all, err));
  SD_TRY (sd_store_runs (store, &out->run, &out->nruns, err));
  SD_TRY (check_runs (db, out, err));
  SD_TRY (sd_store_failures (store, add_failure, out, err));
  sd_runs_warn (&out->all, out->run, out->nruns, &out->warnings);
  sd_buf_u8 (&out->warnings, 0);
  return sd_buf_status (&out->warnings) == SD_OK ? SD_OK : sd_fail_memory (err, out->warnings.len);
}

/* csv: every row as it stands there, or NULL. */
static int read_source (const char *db, const sd_report_options *opt, source *out, sd_buf *csv,
                        sd_error *err) {
  sd_store *store = NULL;
  memset (out, 0, sizeof *out);
  SD_TRY (sd_store_peek (db, &store, err));
  int status = sd_store_snapshot (store, err); /* a sweep may go on meanwhile */
  if (status == SD_OK)
    status = read_store (store, db, opt ? opt->baseline : NULL, out, err);
  if (status == SD_OK && csv)
    status = sd_store_csv (store, csv, err);
  if (status == SD_OK && opt && opt->warnings)
    sd_buf_append (opt->warnings, out->warnings.data, out->warnings.len - 1);
  sd_store_close (store);
  return status;
}

/* ------------------------------------------------------------- on a terminal */

int sd_report_summary (const char *db, const sd_report_options *opt, sd_buf *out, sd_error *err) {
  source s;
  int status = read_source (db, opt, &s, NULL, err);
  if (status == SD_OK && opt && opt->json)
    status = sd_summary_json (&s.all, out, err);
  else if (status == SD_OK)
    for (size_t i = 0; i < s.all.nsubjects; i++)
      sd_summary_line (&s.all, i, out);
  if (status == SD_OK)
    status = sd_buf_status (out);
  source_free (&s);
  return status;
}

/* ----------------------------------------------------------------------- all */

enum {
  BEST,
  PUBLISHED,
  SIZES,
  AXES,
  PAIRS,
  STAIRCASE,
  FITS,
  GAINS,
  OUTLIERS,
  LATENCY,
  SCATTER,
  ORDERS,
  FAILURES,
  CELLS,
  NFILES
};
static const char *const file[NFILES] = { "best.csv",      "published.csv", "sizes.csv",  "two-way.csv", "pairs.csv",
                                          "staircase.csv", "fits.csv",      "gains.csv",  "outliers.csv",
                                          "latency.csv",   "scatter.csv",   "orders.csv", "failures.csv",
                                          "cells.csv" };

/* Links to the tables as numbers. */
static void put_table_files (sd_doc *d, const sd_buf *csv) {
  const char *name[NFILES + 2] = { "report.md", "tables.tex" };
  size_t n = 2;
  for (unsigned i = 0; i < NFILES; i++)
    if (csv[i].len)
      name[n++] = file[i];
  sd_doc_files (d, name, n);
}

/* Links to what belongs to the figures and is there. */
static int put_figure_files (sd_doc *d, const sd_figures *figures, sd_error *err) {
  static const char *const ending[] = { "gp", "dat", "svg", "pdf" };
  enum { ENDINGS = sizeof ending / sizeof *ending, NAME = 80 };
  char (*drawn)[NAME] SD_OWNED = sd_alloc (figures->n + 1, ENDINGS * sizeof *drawn), path[4096];
  const char **name SD_OWNED = sd_alloc (ENDINGS * figures->n + 1, sizeof *name); /* and their style */
  size_t n = 0;
  if (!drawn || !name)
    return sd_fail_memory (err, figures->n * NAME);
  for (size_t i = 0; i < figures->n; i++)
    for (unsigned e = 0; e < ENDINGS; e++) {
      snprintf (drawn[n], sizeof drawn[n], "%s.%s", figures->figure[i].name, ending[e]);
      snprintf (path, sizeof path, "%s/%s", d->dir, drawn[n]);
      name[n] = drawn[n];
      n += sd_file_exists (path);
    }
  if (!n)
    return SD_OK;
  name[n++] = "style.gp";
  sd_doc_fold_begin (d, "Of each figure its script, its data and what gnuplot drew");
  sd_doc_files (d, name, n);
  sd_doc_fold_end (d);
  return SD_OK;
}

static int put_files (sd_doc *d, const sd_figures *figures, const sd_buf *csv, sd_error *err) {
  sd_doc_heading (d, 2, "Files");
  sd_doc_para (d, "The tables as numbers (cells.csv: every row with its provenance), and for LaTeX: tables.tex is a "
                  "document of all of them, each of which is a file of its own in the folder tables.");
  put_table_files (d, csv);
  return put_figure_files (d, figures, err);
}

static int put_page (sd_doc *d, const source *s, const char *published, const sd_figures *figures,
                     sd_buf *csv, sd_error *err) {
  const char *title = s->run[s->nruns - 1].title;
  sd_doc_begin (d, *title                             ? title
                   : sd_rowsums_only_arrays (&s->all) ? "Arrays: size and speed"
                                                      : "Endgame tables: size and speed");
  SD_TRY (sd_report_headlines (d, &s->all, err));
  put_runs_line (d, s->run, s->nruns, &s->warnings);
  sd_report_best_rows (d, &s->all, &csv[BEST]);
  SD_TRY (sd_report_published (d, &s->all, published, &csv[PUBLISHED], err));
  put_figures (d, &s->all, figures);
  SD_TRY (sd_report_sizes (d, &s->all, &csv[SIZES], err));
  SD_TRY (sd_report_axes (d, &s->all, &csv[AXES], err));
  SD_TRY (sd_report_pairs (d, &s->all, &csv[PAIRS], err));
  SD_TRY (sd_report_staircase (d, &s->all, &csv[STAIRCASE], err));
  put_figures_of_all (d, &s->all, figures);
  SD_TRY (sd_report_latency (d, &s->all, &csv[LATENCY], err));
  SD_TRY (sd_report_gains (d, &s->all, &csv[GAINS], err));
  SD_TRY (sd_report_fits (d, &s->all, &csv[FITS], err));
  SD_TRY (sd_report_outliers (d, &s->all, &csv[OUTLIERS], err));
  sd_report_scatter (d, &s->all, &csv[SCATTER]);
  sd_report_orders (d, &s->all, &csv[ORDERS]);
  put_failures (d, s, &csv[FAILURES]);
  SD_TRY (sd_report_runs (d, &s->all, s->run, s->nruns, err));
  SD_TRY (put_files (d, figures, csv, err));
  sd_doc_end (d);
  return SD_OK;
}

/* What an earlier report left in a file that this one does not write would pass for a part of it. */
static int write_files (const sd_doc *d, const sd_buf *csv, sd_error *err) {
  char path[4096];
  for (unsigned i = 0; i < NFILES; i++) {
    snprintf (path, sizeof path, "%s/%s", d->dir, file[i]);
    if (csv[i].len)
      SD_TRY (sd_write_file (d->dir, file[i], &csv[i], err));
    else
      unlink (path);
  }
  SD_TRY (sd_write_file (d->dir, "report.md", &d->md, err));
  SD_TRY (sd_doc_write_tex (d, err));
  return sd_write_file (d->dir, "index.html", &d->html, err);
}

int sd_report_write (const char *db, const char *dir, const sd_report_options *opt, sd_error *err) {
  const sd_report_options none = { .baseline = NULL };
  const sd_report_options *o = opt ? opt : &none;
  source s;
  sd_doc d = { .dir = dir };
  sd_figures figures = { .n = 0 };
  sd_buf csv[NFILES] = { { 0 } };
  int status = read_source (db, o, &s, &csv[CELLS], err);
  if (status == SD_OK)
    status = sd_make_folder (dir, err);
  sd_report (o->progress, "report: figures", 0, 3);
  if (status == SD_OK)
    status = sd_figures_make (&s.all, dir, o->gnuplot ? o->gnuplot : SD_GNUPLOT, &figures, err);
  sd_report (o->progress, "report: pages", 1, 3);
  if (status == SD_OK) {
    status = put_page (&d, &s, o->published, &figures, csv, err);
    if (status == SD_OK)
      status = write_files (&d, csv, err);
  }
  sd_report (o->progress, "report: pages", 3, 3);
  for (unsigned i = 0; i < NFILES; i++)
    sd_buf_free (&csv[i]);
  sd_doc_free (&d);
  sd_figures_free (&figures);
  source_free (&s);
  return status;
}
