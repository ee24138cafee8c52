/* The report: what was gained in a few figures on top, then published figures beside these, figures, sizes,
 * latencies, piece orders, provenance. Everything comes from the rows; nothing is measured here. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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

/* --------------------------------------------------------------------- reading */

/* Everything that is read from the database. */
typedef struct source {
  sd_row *row;
  size_t nrows;
  sd_provenance *run; /* those with rows */
  size_t nruns;
  sd_store *store;
  sd_query *query; /* the same rows, for the parts */
  sd_parts parts;
  sd_buf warnings; /* sentences, one a line, and a 0 */
} source;

static void source_free (source *s) {
  free (s->row);
  sd_provenances_free (s->run, s->nruns);
  sd_buf_free (&s->warnings);
  sd_query_close (s->query);
  sd_store_close (s->store);
  sd_parts_free (&s->parts);
}

/* Each row says by which run it was made. */
static int check_runs (const char *db, const source *s, sd_error *err) {
  for (size_t i = 0; i < s->nrows; i++)
    if (!sd_run_find (s->run, s->nruns, s->row[i].run))
      return sd_fail (err, SD_EFORMAT, "%s: a row is of run %lld, and there is no such run", db,
                      (long long) s->row[i].run);
  return SD_OK;
}

static int read_store (sd_store *store, const char *db, source *out, sd_error *err) {
  SD_TRY (sd_store_rows (store, &out->row, &out->nrows, err));
  if (out->nrows == 0)
    return sd_fail (err, SD_ENOENT, "%s: holds no row yet: run a sweep first", db);
  SD_TRY (sd_store_runs (store, &out->run, &out->nruns, err));
  SD_TRY (check_runs (db, out, err));
  sd_runs_warn (out->row, out->nrows, out->run, out->nruns, &out->warnings);
  sd_buf_u8 (&out->warnings, 0);
  return sd_buf_status (&out->warnings) == SD_OK ? SD_OK : sd_fail_memory (err, out->warnings.len);
}

/* The store stays open, for what asks it later. */
static int read_source (const char *db, const sd_report_options *opt, source *out, sd_error *err) {
  const sd_query_options asked = { opt ? opt->baseline : NULL, opt ? opt->published : NULL };
  memset (out, 0, sizeof *out);
  SD_TRY (sd_store_peek (db, &out->store, err));
  SD_TRY (sd_store_snapshot (out->store, err)); /* a sweep may go on meanwhile */
  SD_TRY (read_store (out->store, db, out, err));
  if (opt && opt->warnings)
    sd_buf_append (opt->warnings, out->warnings.data, out->warnings.len - 1);
  SD_TRY (sd_query_over (out->store, &asked, &out->query, err));
  return sd_parts_read (&out->parts, err);
}

/* ------------------------------------------------------------- on a terminal */

static const char headlines[] = "05-headlines.sql";

/* An array of the objects, indented as jansson does it. What is no UTF-8 becomes question marks: files are
 * untrusted. */
static int put_json (sd_buf *objects, sd_buf *out, sd_error *err) {
  char *text = (char *) objects->data;
  json_t *list = json_loads (text, 0, NULL);
  if (!list) {
    sd_text_tame (text);
    list = json_loads (text, 0, NULL);
  }
  char *indented = list ? json_dumps (list, JSON_INDENT (2)) : NULL;
  json_decref (list);
  if (!indented)
    return sd_fail_memory (err, objects->len);
  sd_buf_append (out, indented, strlen (indented));
  free (indented);
  return SD_OK;
}

static int put_summary (source *s, bool json, sd_buf *out, sd_error *err) {
  sd_buf objects SD_RELEASED_BY (sd_buf_free) = { 0 };
  if (!json)
    SD_TRY (sd_parts_ask (&s->parts, s->query, headlines, "summary", "\n", out, err));
  else {
    sd_buf_u8 (&objects, '[');
    SD_TRY (sd_parts_ask (&s->parts, s->query, headlines, "json", ",", &objects, err));
    sd_buf_append (&objects, "]", 2);
    SD_TRY (sd_buf_status (&objects));
    SD_TRY (put_json (&objects, out, err));
  }
  sd_buf_u8 (out, '\n');
  return sd_buf_status (out);
}

int sd_report_summary (const char *db, const sd_report_options *opt, sd_buf *out, sd_error *err) {
  source s;
  int status = read_source (db, opt, &s, err);
  if (status == SD_OK)
    status = put_summary (&s, opt && opt->json, out, err);
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

static int put_files (sd_doc *d, const sd_figures *figures, const sd_parts *parts, sd_error *err) {
  sd_doc_heading (d, 2, "Files");
  sd_doc_para (
      d, "The tables as numbers (cells.csv: every row with its provenance), and for LaTeX: tables.tex is a "
         "document of all of them, each of which is a file of its own in the folder tables.");
  SD_TRY (put_table_files (d, parts, err));
  return sd_figures_put_files (d, figures, err);
}

/* The title of the headlines is that of the page. */
static int begin_page (sd_doc *d, source *s, sd_error *err) {
  sd_buf title SD_RELEASED_BY (sd_buf_free) = { 0 };
  const sd_query_file *f = NULL;
  for (size_t i = 0; i < s->parts.n; i++)
    if (strcmp (s->parts.part[i].file.path, headlines) == 0)
      f = &s->parts.part[i].file;
  SD_TRY (sd_query_fill (s->query, f, NULL, 0, f->title, &title, err));
  sd_doc_begin (d, (const char *) title.data);
  return SD_OK;
}

/* Where the words on the runs stand among the parts. */
enum { RUNS_LINE = 10, LAST = 100 };

static int put_page (sd_doc *d, source *s, const sd_figures *figures, sd_error *err) {
  SD_TRY (begin_page (d, s, err));
  SD_TRY (sd_parts_put (&s->parts, d, s->query, figures, 0, RUNS_LINE, err));
  put_runs_line (d, s->run, s->nruns, &s->warnings);
  SD_TRY (sd_parts_put (&s->parts, d, s->query, figures, RUNS_LINE, LAST, err));
  SD_TRY (sd_report_runs (d, s->row, s->nrows, s->run, s->nruns, err));
  SD_TRY (put_files (d, figures, &s->parts, err));
  sd_doc_end (d);
  return SD_OK;
}

static int write_files (const sd_doc *d, const source *s, sd_error *err) {
  sd_buf cells SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (sd_store_csv (s->store, &cells, err));
  SD_TRY (sd_write_file (d->dir, "cells.csv", &cells, err));
  SD_TRY (sd_parts_write (&s->parts, d->dir, err));
  SD_TRY (sd_write_file (d->dir, "report.md", &d->md, err));
  SD_TRY (sd_doc_write_tex (d, err));
  return sd_write_file (d->dir, "index.html", &d->html, err);
}

static int write_report (source *s, sd_doc *d, sd_figures *figures, const sd_report_options *o,
                         sd_error *err) {
  SD_TRY (sd_make_folder (d->dir, err));
  sd_report (o->progress, "report: figures", 0, 3);
  SD_TRY (sd_parts_draw (&s->parts, s->query, o->gnuplot ? o->gnuplot : SD_GNUPLOT, d->dir, figures, err));
  sd_report (o->progress, "report: pages", 1, 3);
  SD_TRY (put_page (d, s, figures, err));
  SD_TRY (write_files (d, s, err));
  sd_report (o->progress, "report: pages", 3, 3);
  return SD_OK;
}

int sd_report_write (const char *db, const char *dir, const sd_report_options *opt, sd_error *err) {
  const sd_report_options none = { .baseline = NULL };
  const sd_report_options *o = opt ? opt : &none;
  source s;
  sd_doc d = { .dir = dir };
  sd_figures figures = { .n = 0 };
  int status = read_source (db, o, &s, err);
  if (status == SD_OK)
    status = write_report (&s, &d, &figures, o, err);
  sd_doc_free (&d);
  sd_figures_free (&figures);
  source_free (&s);
  return status;
}
