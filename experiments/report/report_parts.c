/* The parts of the report: a folder of query files (parts/NN-name.sql), which are also in the program as
 * texts, so that it finds them wherever it runs. Their numbers say where they stand; a new table or figure is
 * a new file and its line in local.mk.
 *
 * parts.inc has the texts of both folders in the order of local.mk, which is that of their numbers. Each text
 * is parsed anew for each report, as a user's query is (query_file.c), but is marked as the program's own:
 * its answer may be as long as the store makes it. A part that fails fails the report. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *folder, *name, *text;
} parts[] = {
#include "experiments/report/parts.inc"
};
enum { PARTS = sizeof parts / sizeof *parts };

/* What was read before a failure is for sd_parts_free. */
int sd_parts_read (sd_parts *out, const char *folder, sd_error *err) {
  out->part = sd_alloc0 (PARTS, sizeof *out->part);
  if (!out->part)
    return sd_fail_memory (err, PARTS * sizeof *out->part);
  for (unsigned i = 0; i < PARTS; i++)
    if (strcmp (parts[i].folder, folder) == 0) {
      sd_query_file *f = &out->part[out->n++].file;
      SD_TRY (sd_query_parse (parts[i].name, parts[i].text, f, err));
      f->own = true;
    }
  return SD_OK;
}

/* Names are written in the program, so that one which is not there cannot happen. */
sd_query_file *sd_parts_find (const sd_parts *p, const char *name) {
  size_t i = 0;
  while (strcmp (p->part[i].file.path, name))
    i++;
  return &p->part[i].file;
}

void sd_parts_free (sd_parts *p) {
  for (size_t i = 0; i < p->n; i++) {
    sd_query_file_free (&p->part[i].file);
    sd_buf_free (&p->part[i].csv);
  }
  free (p->part);
  *p = (sd_parts){ .n = 0 };
}

/* -------------------------------------------------------------------- figures */

static bool is_figure (const sd_query_file *f) {
  return *f->figure;
}

int sd_parts_draw (const sd_parts *p, sd_query *q, const char *gnuplot, const char *dir, sd_figures *out,
                   sd_error *err) {
  for (size_t i = 0; i < p->n; i++)
    if (is_figure (&p->part[i].file))
      SD_TRY (sd_figures_add (out, q, &p->part[i].file, dir, err));

  /* No figure at all is no failure: the page says why. */
  if (out->n)
    return sd_figures_draw (out, gnuplot, dir, err);
  snprintf (out->why, sizeof out->why,
            "the rows hold neither times, nor several block sizes, nor several orders");
  return SD_OK;
}

/* ----------------------------------------------------------------------- page */

/* The figures of all files with sections are one chapter, where the first of these files stands. */
int sd_parts_put (sd_parts *p, sd_doc *d, sd_query *q, const sd_figures *figures, sd_error *err) {

  bool chapter = false;
  for (size_t i = 0; i < p->n; i++) {
    const sd_query_file *f = &p->part[i].file;
    if (!is_figure (f))
      SD_TRY (sd_report_part (d, q, f, &p->part[i].csv, err));
    else if (!*f->section)
      sd_figures_put (d, figures, f);
    else if (!chapter)
      sd_figures_put_chapter (d, figures);
    chapter = chapter || (is_figure (f) && *f->section);
  }
  return SD_OK;
}

/* One column of a part as a text, for what is told outside of the page: warnings, the summary. */
int sd_parts_ask (const sd_parts *p, sd_query *q, const char *part, const char *column, const char *between,
                  sd_buf *out, sd_error *err) {
  sd_result a;
  char number[32];
  bool any = false;
  SD_TRY (sd_query_ask (q, sd_parts_find (p, part), &a, err));

  for (size_t r = 0; r < a.nrows; r++) {
    const sd_result_value *v = sd_result_at (&a, r, sd_result_column (&a, column));
    const char *text = sd_result_text (&a, v, number);
    if (v->is == SD_IS_NULL)
      continue;
    sd_buf_append (out, between, any ? strlen (between) : 0);
    sd_buf_append (out, text, strlen (text));
    any = true;
  }

  sd_result_free (&a);
  return sd_buf_status (out) == SD_OK ? SD_OK : sd_fail_memory (err, out->len);
}

/* ---------------------------------------------------------------------- files */

const char *sd_parts_csv (const sd_parts *p, size_t i, char *out, size_t cap) {
  snprintf (out, cap, "%s.csv", p->part[i].file.name);
  return p->part[i].csv.len && *p->part[i].file.name ? out : NULL;
}

int sd_parts_write (const sd_parts *p, const char *dir, sd_error *err) {
  char path[4200], name[80];
  for (size_t i = 0; i < p->n; i++) {
    const char *csv = sd_parts_csv (p, i, name, sizeof name);
    snprintf (path, sizeof path, "%s/%s", dir, name);
    if (csv)
      SD_TRY (sd_write_file (dir, csv, &p->part[i].csv, err));
    else if (*p->part[i].file.name && !is_figure (&p->part[i].file))
      unlink (path);
  }
  return SD_OK;
}
