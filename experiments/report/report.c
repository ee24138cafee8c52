/* The report: what was gained in a few figures on top, then published figures beside these, figures, sizes,
 * latencies, piece orders, provenance. Everything comes from the rows; nothing is measured here.
 *
 * `subdef report OUT.db -o DIR` (sd_report_write) and `subdef report --summary` (sd_report_summary) begin
 * here. The store is read as of one moment and stays as it is. gnuplot draws in a process of its own while
 * cells.csv is written; the page waits for it, since the drawings stand inside the page. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is read from the database. */
typedef struct source {
  sd_query *query;
  sd_parts parts;
} source;

static void source_free (source *s) {
  sd_query_close (s->query);
  sd_parts_free (&s->parts);
}

/* What should be known before rows are compared is told, too. Warnings are appended to opt->warnings, a line
 * each; the command shows them as notes. */
static int read_source (const char *db, const sd_report_options *opt, source *out, sd_error *err) {
  const sd_query_options asked = { .baseline = opt ? opt->baseline : NULL,
                                   .published = opt ? opt->published : NULL };
  *out = (source){ .query = NULL };
  SD_TRY (sd_query_open (db, &asked, &out->query, err));
  SD_TRY (sd_parts_read (&out->parts, "parts", err));
  if (!opt || !opt->warnings)
    return SD_OK;
  return sd_parts_ask (&out->parts, out->query, "07-measured.sql", "warning", "\n", opt->warnings, err);
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

/* A line for each table and metric, or an array of JSON; both are columns of one query (05-headlines.sql). */
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

/* The last chapter: links to all that lies beside the page. */
static void put_files (sd_doc *d, const sd_figures *figures, const sd_parts *parts) {
  char name[80];
  sd_doc_heading (d, 2, "Files");
  sd_doc_para (
      d, "The tables as numbers (cells.csv: every row with its provenance), and for LaTeX: tables.tex is a "
         "document of all of them, each of which is a file of its own in the folder tables.");
  sd_doc_files_begin (d);
  sd_doc_file (d, "report.md");
  sd_doc_file (d, "tables.tex");
  for (size_t i = 0; i < parts->n; i++)
    if (sd_parts_csv (parts, i, name, sizeof name))
      sd_doc_file (d, name);
  sd_doc_file (d, "cells.csv");
  sd_doc_files_end (d);
  sd_figures_put_files (d, figures);
}

/* Of the warnings those who read the tables alone are told this one. */
static int say_unfinished (sd_doc *d, const source *s, sd_error *err) {
  sd_buf text SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (sd_parts_ask (&s->parts, s->query, "07-measured.sql", "unfinished", " ", &text, err));
  sd_buf_u8 (&text, 0);
  snprintf (d->unfinished, sizeof d->unfinished, "%s", text.failed ? "" : (const char *) text.data);
  return sd_buf_status (&text);
}

/* The title of the headlines is that of the page. */
static int put_page (sd_doc *d, source *s, const sd_figures *figures, sd_error *err) {
  sd_buf title SD_RELEASED_BY (sd_buf_free) = { 0 };
  const sd_query_file *f = sd_parts_find (&s->parts, headlines);
  SD_TRY (sd_query_fill (s->query, f, NULL, 0, f->title, &title, err));
  sd_doc_begin (d, (const char *) title.data);
  SD_TRY (say_unfinished (d, s, err));
  SD_TRY (sd_parts_put (&s->parts, d, s->query, figures, err));
  put_files (d, figures, &s->parts);
  sd_doc_end (d);
  return SD_OK;
}

/* Every row with its provenance, which no part of the report has. */
static int write_cells (const char *dir, const source *s, sd_error *err) {
  sd_buf cells SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (sd_store_csv (sd_query_store (s->query), &cells, err));
  return sd_write_file (dir, "cells.csv", &cells, err);
}

static int write_files (const sd_doc *d, const source *s, sd_error *err) {
  SD_TRY (sd_parts_write (&s->parts, d->dir, err));
  SD_TRY (sd_write_file (d->dir, "report.md", &d->md, err));
  SD_TRY (sd_doc_write_tex (d, err));
  return sd_write_file (d->dir, "index.html", &d->html, err);
}

/* The page is written last, so that it is there only when what it links to is. */
static int write_report (source *s, sd_doc *d, sd_figures *figures, const sd_report_options *o,
                         sd_error *err) {
  SD_TRY (sd_report_folder (d->dir, err));
  sd_report (o->progress, "report: figures", 0, 3);

  SD_TRY (sd_parts_draw (&s->parts, s->query, o->gnuplot ? o->gnuplot : SD_GNUPLOT, d->dir, figures, err));
  SD_TRY (write_cells (d->dir, s, err)); /* meanwhile figures are drawn */

  sd_figures_wait (figures);
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
