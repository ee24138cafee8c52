/* The report: what was gained in a few figures on top, then published figures beside these, figures, sizes,
 * latencies, piece orders, provenance. Everything comes from the rows; nothing is measured here. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <stdlib.h>
#include <string.h>

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

/* Everything that is read from the database. */
typedef struct source {
  sd_rowsums all;
  sd_provenance *run; /* those with rows */
  size_t nruns;
  sd_store *store;
  sd_query *query; /* the same rows, for the parts */
  sd_buf warnings; /* sentences, one a line, and a 0 */
} source;

static void source_free (source *s) {
  sd_rowsums_free (&s->all);
  sd_provenances_free (s->run, s->nruns);
  sd_buf_free (&s->warnings);
  sd_query_close (s->query);
  sd_store_close (s->store);
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
  sd_runs_warn (&out->all, out->run, out->nruns, &out->warnings);
  sd_buf_u8 (&out->warnings, 0);
  return sd_buf_status (&out->warnings) == SD_OK ? SD_OK : sd_fail_memory (err, out->warnings.len);
}

/* The store stays open, for what asks it later. */
static int read_source (const char *db, const sd_report_options *opt, source *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  SD_TRY (sd_store_peek (db, &out->store, err));
  SD_TRY (sd_store_snapshot (out->store, err)); /* a sweep may go on meanwhile */
  SD_TRY (read_store (out->store, db, opt ? opt->baseline : NULL, out, err));
  if (opt && opt->warnings)
    sd_buf_append (opt->warnings, out->warnings.data, out->warnings.len - 1);
  return SD_OK;
}

/* ------------------------------------------------------------- on a terminal */

int sd_report_summary (const char *db, const sd_report_options *opt, sd_buf *out, sd_error *err) {
  source s;
  int status = read_source (db, opt, &s, err);
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

/* Links to the tables as numbers. */
static int put_table_files (sd_doc *d, const sd_parts *parts, sd_error *err) {
  const char **name SD_OWNED = sd_alloc (parts->n + 3, sizeof *name);
  char (*text)[80] SD_OWNED = sd_alloc (parts->n + 1, sizeof *text);
  size_t n = 0;
  if (!name || !text)
    return sd_fail_memory (err, parts->n * sizeof *text);
  name[n++] = "report.md";
  name[n++] = "tables.tex";
  for (size_t i = 0; i < parts->n; i++) {
    name[n] = sd_parts_csv (parts, i, text[i], sizeof text[i]);
    n += name[n] != NULL;
  }
  name[n++] = "cells.csv";
  sd_doc_files (d, name, n);
  return SD_OK;
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

static int put_files (sd_doc *d, const sd_figures *figures, const sd_parts *parts, sd_error *err) {
  sd_doc_heading (d, 2, "Files");
  sd_doc_para (
      d, "The tables as numbers (cells.csv: every row with its provenance), and for LaTeX: tables.tex is a "
         "document of all of them, each of which is a file of its own in the folder tables.");
  SD_TRY (put_table_files (d, parts, err));
  return put_figure_files (d, figures, err);
}

/* Where figures stand among the parts. */
enum { FIGURES = 20, FIGURES_OF_ALL = 40, LAST = 100 };

static int put_page (sd_doc *d, const source *s, sd_parts *parts, const sd_figures *figures, sd_error *err) {
  const char *title = s->run[s->nruns - 1].title;
  sd_doc_begin (d, *title                             ? title
                   : sd_rowsums_only_arrays (&s->all) ? "Arrays: size and speed"
                                                      : "Endgame tables: size and speed");
  SD_TRY (sd_report_headlines (d, &s->all, err));
  put_runs_line (d, s->run, s->nruns, &s->warnings);
  SD_TRY (sd_parts_put (parts, d, s->query, 0, FIGURES, err));
  put_figures (d, &s->all, figures);
  SD_TRY (sd_parts_put (parts, d, s->query, FIGURES, FIGURES_OF_ALL, err));
  put_figures_of_all (d, &s->all, figures);
  SD_TRY (sd_parts_put (parts, d, s->query, FIGURES_OF_ALL, LAST, err));
  SD_TRY (sd_report_runs (d, &s->all, s->run, s->nruns, err));
  SD_TRY (put_files (d, figures, parts, err));
  sd_doc_end (d);
  return SD_OK;
}

static int write_files (const sd_doc *d, const source *s, const sd_parts *parts, sd_error *err) {
  sd_buf cells SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (sd_store_csv (s->store, &cells, err));
  SD_TRY (sd_write_file (d->dir, "cells.csv", &cells, err));
  SD_TRY (sd_parts_write (parts, d->dir, err));
  SD_TRY (sd_write_file (d->dir, "report.md", &d->md, err));
  SD_TRY (sd_doc_write_tex (d, err));
  return sd_write_file (d->dir, "index.html", &d->html, err);
}

static int write_report (source *s, sd_doc *d, sd_parts *parts, sd_figures *figures,
                         const sd_report_options *o, sd_error *err) {
  SD_TRY (sd_parts_read (parts, err));
  SD_TRY (sd_make_folder (d->dir, err));
  sd_report (o->progress, "report: figures", 0, 3);
  SD_TRY (sd_figures_make (&s->all, s->query, d->dir, o->gnuplot ? o->gnuplot : SD_GNUPLOT, figures, err));
  sd_report (o->progress, "report: pages", 1, 3);
  SD_TRY (put_page (d, s, parts, figures, err));
  SD_TRY (write_files (d, s, parts, err));
  sd_report (o->progress, "report: pages", 3, 3);
  return SD_OK;
}

int sd_report_write (const char *db, const char *dir, const sd_report_options *opt, sd_error *err) {
  const sd_report_options none = { .baseline = NULL };
  const sd_report_options *o = opt ? opt : &none;
  source s;
  sd_doc d = { .dir = dir };
  sd_figures figures = { .n = 0 };
  sd_parts parts = { .n = 0 };
  int status = read_source (db, o, &s, err);
  if (status == SD_OK)
    status = sd_query_over (
        s.store, &(sd_query_options){ .baseline = o->baseline, .published = o->published }, &s.query, err);
  if (status == SD_OK)
    status = write_report (&s, &d, &parts, &figures, o, err);
  sd_parts_free (&parts);
  sd_doc_free (&d);
  sd_figures_free (&figures);
  source_free (&s);
  return status;
}
