/* Figures of query files. A part of the answer with one text in the column `figure` is one figure: a script
 * NAME.gp with its data beside it in NAME.dat, which can be drawn again by hand: style.gp, which all of them
 * read, lies in the same folder. The kind of the head chooses the drawer, which is told the rows and the
 * words. No letter is smaller than 14 pixels in a figure of 640.
 *
 * sd_figures_add is called for each query file that is a figure, gnuplot runs once behind all of them
 * (gnuplot.c). A figure is drawn twice, the second time as NAME_narrow, 400 pixels wide. Where the rows
 * hold nothing that can be drawn (the drawer has put nothing into p->gp) there is no figure, and that is
 * no failure. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COLUMNS = 6 };

static const char style[] =
#include "experiments/report/figures/style.inc"
    ;

/* What a kind reads: columns that must be there, and those that are texts. */
static const struct sd_figure_kind {
  const char *name;
  int (*put) (sd_plot *p, const sd_figure_rows *r, sd_error *err); /* the drawer */
  const char *needs[MOST_COLUMNS], *text[MOST_COLUMNS];
} kinds[] = {
  { "front", sd_put_front, { "series", "x", "y" }, { "series", "label", "crowd", "crowd_label" } },
  { "lines", sd_put_lines, { "series", "x", "y" }, { "series", "label", "curve", "part" } },
  { "bars", sd_put_bars, { "label", "y" }, { "label" } },
  { "heat", sd_put_heat, { "x", "y", "value", "column", "row" }, { "column", "row" } },
  { "steps", sd_put_steps, { "label", "x" }, { "label" } },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ----------------------------------------------------------------------- rows */

double sd_figure_number (const sd_figure_rows *r, const char *column, size_t i) {
  const sd_result_value *v = sd_result_at (r->a, r->from + i, sd_result_column (r->a, column));
  return v->is == SD_IS_NUMBER && isfinite (v->number) ? v->number : NAN;
}

double sd_figure_positive (const sd_figure_rows *r, const char *column, size_t i) {
  const double v = sd_figure_number (r, column, i);
  return v > 0 ? v : NAN;
}

/* NaN compares as neither, so that NULL is false. */
bool sd_figure_flag (const sd_figure_rows *r, const char *column, size_t i) {
  const double v = sd_figure_number (r, column, i);
  return v < 0 || v > 0;
}

const char *sd_figure_text (const sd_figure_rows *r, const char *column, size_t i) {
  const sd_result_value *v = sd_result_at (r->a, r->from + i, sd_result_column (r->a, column));
  return v->is == SD_IS_TEXT ? (const char *) r->a->texts.data + v->text : "";
}

const char **sd_figure_texts (const sd_figure_rows *r, const char *column) {
  const char **text = sd_alloc (r->n + 1, sizeof *text);
  for (size_t i = 0; i < r->n && text; i++)
    text[i] = sd_figure_text (r, column, i);
  return text;
}

bool sd_figure_has (const sd_figure_rows *r, const char *column) {
  return sd_result_column (r->a, column) >= 0;
}

/* Bounds beside the value would draw a bar that misses its mark. */
bool sd_figure_bounds (const sd_figure_rows *r, size_t i, double v, double out[2]) {
  out[0] = sd_figure_positive (r, "low", i);
  out[1] = sd_figure_positive (r, "high", i);
  if (out[0] <= v && out[1] >= v)
    return true;
  out[0] = out[1] = v;
  return false;
}

/* ---------------------------------------------------------------------- files */

/* Script and data of one figure; what gnuplot drew of an earlier one goes. */
static int write_plot (sd_plot *p, const char *dir, sd_error *err) {
  char file[96], drawn[4200];
  static const char *const ending[] = { "svg", "pdf" };
  for (unsigned i = 0; i < 2; i++) { /* an older figure would otherwise pass for this one */
    snprintf (drawn, sizeof drawn, "%s/%s.%s", dir, p->name, ending[i]);
    unlink (drawn);
  }

  sd_put (&p->gp, "\neval finished\n%s", p->narrow ? "" : "eval printed\n");
  snprintf (file, sizeof file, "%s.dat", p->name);
  SD_TRY (sd_write_file (dir, file, &p->dat, err));
  snprintf (file, sizeof file, "%s.gp", p->name);
  return sd_write_file (dir, file, &p->gp, err);
}

static int write_style (const char *dir, sd_error *err) {
  sd_buf text SD_RELEASED_BY (sd_buf_free) = { 0 };
  sd_buf_append (&text, style, sizeof style - 1);
  return sd_write_file (dir, "style.gp", &text, err);
}

/* ---------------------------------------------------------------------- words */

/* A query in work. */
typedef struct work {
  sd_figures *out;
  sd_query *q;
  const sd_query_file *f;
  const struct sd_figure_kind *kind;
  const char *dir;
  sd_result a;
} work;

/* A text of the head, as the first row of a figure has it. */
static int fill (const work *w, const char *text, size_t row, char *out, size_t cap, sd_error *err) {
  sd_buf b SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (sd_query_fill (w->q, w->f, &w->a, row, text, &b, err));
  snprintf (out, cap, "%s", (const char *) b.data);
  return SD_OK;
}

/* An axis of the head: x or y. A unit that is not there would be an axis that gnuplot draws without a word,
 * so it is refused. */
static int fill_axis (const work *w, char axis, size_t row, sd_figure_words *out, sd_error *err) {
  char text[400];
  const char *at = text;
  SD_TRY (fill (w, axis == 'x' ? w->f->x : w->f->y, row, text, sizeof text, err));
  sd_query_part (&at, out->unit, sizeof out->unit);
  sd_query_part (&at, out->label, sizeof out->label);

  if (sd_plot_unit (out->unit))
    return SD_OK;
  sd_text_tame (out->unit);
  return sd_fail (
      err, SD_EINVAL,
      "%s: %c: \"%s\" is no unit of an axis: UNIT | LABEL is wanted, and a unit is one of " SD_PLOT_UNITS
      ", or nothing",
      w->f->path, axis, out->unit);
}

static int fill_words (const work *w, sd_figure_rows *r, sd_error *err) {
  char text[400];
  const char *at = text;
  SD_TRY (fill (w, w->f->title, r->from, r->title, sizeof r->title, err));
  SD_TRY (fill (w, w->f->legend, r->from, text, sizeof text, err));
  /* "filled | hollow | front": what the marks mean */
  for (unsigned i = 0; i < sizeof r->legend / sizeof *r->legend; i++)
    sd_query_part (&at, r->legend[i], sizeof r->legend[i]);

  SD_TRY (fill_axis (w, 'x', r->from, &r->x, err));
  return fill_axis (w, 'y', r->from, &r->y, err);
}

/* -------------------------------------------------------------------- figures */

/* Of the figures of all query files: they lie in one folder. */
static bool is_taken (const sd_figures *all, const char *name) {
  for (uint64_t i = 0; i < all->n; i++)
    if (strcmp (all->figure[i].name, name) == 0)
      return true;
  return false;
}

/* NAME_FIGURE, as far as the head and the answer have them, else the name of the query file: what may stand
 * in the name of a file. A number where another figure has this name. */
static void name_figure (const work *w, const char *figure, char *out, size_t cap) {
  const char *slash = strrchr (w->f->path, '/'), *file = slash ? slash + 1 : w->f->path;
  char own[64], text[100], part[sizeof text];
  snprintf (own, sizeof own, "%s", w->f->name);
  if (!*own && !*figure)
    snprintf (own, sizeof own, "%.*s", (int) strcspn (file, "."), file);

  snprintf (text, sizeof text, "%.30s%s%.40s", own, *own && *figure ? "_" : "", figure);
  sd_file_part (text, part, sizeof part);
  snprintf (out, cap, "%.70s", part);
  for (unsigned i = 2; is_taken (w->out, out); i++)
    snprintf (out, cap, "%.60s_%u", part, i);
}

/* The figure stays if there was enough for it. */
static int keep (const work *w, sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  sd_figures *all = w->out;
  char caption[2400], text[40];
  if (!p->gp.len)
    return SD_OK;

  SD_TRY (write_plot (p, w->dir, err));
  SD_TRY (fill (w, w->f->caption, r->from, caption, sizeof caption, err));
  if (!sd_grow (&all->figure, &all->cap, all->n + 1))
    return sd_fail_memory (err, all->n * sizeof *all->figure);

  const sd_result_value *section = sd_result_at (&w->a, r->from, sd_result_column (&w->a, w->f->section));
  sd_figure *f = &all->figure[all->n];
  *f = (sd_figure){ .of = w->f,
                    .section = strdup (sd_result_text (&w->a, section, text)),
                    .caption = strdup (*caption ? caption : r->title),
                    .wide = p->width > SD_PLOT_WIDTH,
                    .narrow = p->narrow };

  snprintf (f->name, sizeof f->name, "%s", p->name);
  all->n++;
  return f->section && f->caption ? SD_OK : sd_fail_memory (err, strlen (caption));
}

/* Once more with room for its legend, if that has more rows than one. How many rows a legend takes is known
 * only when it was written, and the axes stand below it. Room that is once enough stays so, so that this
 * ends. */
static int put (const work *w, const sd_figure_rows *r, const char *name, bool narrow, sd_error *err) {
  enum { LETTERS = 400, LETTERS_NARROW = 22 };
  for (unsigned room = 1;;) {
    sd_plot p SD_RELEASED_BY (
        sd_plot_free) = { .narrow = narrow, .room = room, .letters = narrow ? LETTERS_NARROW : LETTERS };
    snprintf (p.name, sizeof p.name, "%.72s%s", name, narrow ? "_narrow" : "");
    SD_TRY (w->kind->put (&p, r, err));
    if (p.rows <= room)
      return keep (w, &p, r, err);
    room = p.rows;
  }
}

/* One figure, rows from..to-1 of the answer, in both widths. */
static int put_figure (const work *w, size_t from, size_t to, sd_error *err) {
  sd_figure_rows r = {
    .path = w->f->path, .a = &w->a, .from = from, .n = to - from, .styles = &w->out->styles
  };
  char name[80];

  SD_TRY (fill_words (w, &r, err));
  name_figure (w, sd_figure_text (&r, "figure", 0), name, sizeof name);
  SD_TRY (put (w, &r, name, false, err));
  return put (w, &r, name, true, err);
}

/* What the kind needs is there, and its texts are texts. */
static int check_columns (work *w, sd_error *err) {
  for (unsigned i = 0; i < MOST_COLUMNS && w->kind->needs[i]; i++)
    if (sd_result_column (&w->a, w->kind->needs[i]) < 0)
      return sd_fail (
          err, SD_EINVAL,
          "%s: a figure of the kind %s needs the column \"%s\", and the SELECT has none of this name",
          w->f->path, w->kind->name, w->kind->needs[i]);

  SD_TRY (sd_result_make_texts (&w->a, sd_result_column (&w->a, "figure"), err));
  for (unsigned i = 0; i < MOST_COLUMNS && w->kind->text[i]; i++)
    SD_TRY (sd_result_make_texts (&w->a, sd_result_column (&w->a, w->kind->text[i]), err));
  return SD_OK;
}

/* Rows of one figure follow each other: another text in the column `figure` begins a new one; without the
 * column all rows are one. */
static int put_all (work *w, sd_error *err) {
  sd_figure_rows r = { .a = &w->a };
  SD_TRY (sd_query_ask (w->q, w->f, &w->a, err));
  SD_TRY (check_columns (w, err));

  for (size_t from = 0, to; from < w->a.nrows; from = to) {
    for (to = from + 1;
         to < w->a.nrows
         && strcmp (sd_figure_text (&r, "figure", from), sd_figure_text (&r, "figure", to)) == 0;)
      to++;
    SD_TRY (put_figure (w, from, to, err));
  }
  return SD_OK;
}

int sd_figures_add (sd_figures *out, sd_query *q, const sd_query_file *f, const char *dir, sd_error *err) {
  work w = { .out = out, .q = q, .f = f, .dir = dir };
  for (unsigned k = 0; k < KINDS; k++)
    if (strcmp (f->figure, kinds[k].name) == 0)
      w.kind = &kinds[k];

  if (!w.kind)
    return sd_fail (err, SD_EINVAL,
                    "%s: figure: there is no such kind; there are front, lines, bars, heat, steps", f->path);

  SD_TRY (write_style (dir, err));
  const int status = put_all (&w, err);
  sd_result_free (&w.a);
  return status;
}

void sd_figures_free (sd_figures *f) {
  sd_figures_wait (f);
  for (uint64_t i = 0; i < f->n; i++) {
    free (f->figure[i].section);
    free (f->figure[i].caption);
  }
  free (f->figure);
  memset (f, 0, sizeof *f);
}
