/* Bars from zero, a row each, in the order of the rows; a second number stands on top of the first, and a
 * hollow mark beside both. Of many bars each so-and-so-many-th is named. Bars rise; for a phone they lie one
 * below the other, so that there is room for names. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_NAMES = 48, FEW = 26 }; /* bars of a figure of usual width */
enum { THICK = 22, NAME_ROW = 20 }; /* pixels of a bar that lies, of a row of its name */

/* What stands at a place of a bar; 0: nothing. */
static double part (const sd_figure_rows *r, const char *column, size_t i) {
  const double v = sd_figure_positive (r, column, i);
  return v > 0 ? v : 0;
}

/* Has any row a number there? */
static bool any (const sd_figure_rows *r, const char *column) {
  bool found = false;
  for (size_t i = 0; i < r->n; i++)
    found = found || part (r, column, i) > 0;
  return found;
}

static double longest (const sd_figure_rows *r) {
  double most = 0;
  for (size_t i = 0; i < r->n; i++)
    most = fmax (most, fmax (part (r, "y", i) + part (r, "y2", i), part (r, "mark", i)));
  return most;
}

/* "axis x, from 0 to a little more than the longest bar" */
static void put_axis (sd_plot *p, const sd_figure_rows *r, char axis) {
  sd_put (&p->gp, "eval linear_ticks ('%c', '%s', %.10g)\nset %crange [0:%.6g]\n", axis, r->y.unit,
          longest (r), axis, 1.05 * longest (r));
}

/* Of the data: name, bar, bar on top of it, mark. */
static void put_rising (sd_plot *p, const sd_figure_rows *r, double names, const char *more) {
  sd_box margin = sd_plot_margin (p);
  margin.bottom = 44 + names;
  sd_plot_begin (p, r, r->n > FEW ? SD_PLOT_WIDE : SD_PLOT_WIDTH, 400 + (unsigned) names, margin, more);
  put_axis (p, r, 'y');
  sd_put (&p->gp,
          "set style data histograms\nset style histogram rowstacked\nset style fill solid 0.9 noborder\n"
          "set boxwidth 0.72\nset xtics rotate by 90 right offset 0,0 font 'monospace,14'\n");
}

/* The labels of the axes change places with them. */
static void put_lying (sd_plot *p, const sd_figure_rows *r, const char *const *name, size_t step,
                       double names, const char *more) {
  sd_figure_rows turned = *r;
  sd_box margin = sd_plot_margin (p);
  turned.x = r->y;
  turned.y = r->x;
  snprintf (turned.y.label, sizeof turned.y.label, "%.100s%s", r->x.label, more);
  margin.left = names + 24;
  const unsigned rows = sd_plot_name_rows (p, name, r->n), bar = fmax (THICK, NAME_ROW * rows + 5);
  sd_plot_begin (p, &turned, SD_PLOT_NARROW,
                 (unsigned) (margin.top + margin.bottom) + bar * (unsigned) ((r->n + step - 1) / step),
                 margin, "");
  put_axis (p, r, 'x');
  sd_put (&p->gp,
          "set style fill solid 0.9 noborder\nset yrange [%zu.6:-0.6]\nset grid noytics xtics\n"
          "set ytics scale 0 font 'monospace,14' ",
          r->n - 1);
  sd_plot_names (p, name, r->n, step);
}

static void put_rows (sd_plot *p, const sd_figure_rows *r, const char *const *name, size_t step) {
  sd_plot_set (p, "name, bar, bar on top of it, mark");
  for (size_t i = 0; i < r->n; i++) {
    sd_put_gnuplot (&p->dat, i % step ? "" : name[i]);
    sd_put (&p->dat, " %.15g %.15g", part (r, "y", i), part (r, "y2", i));
    sd_plot_number (&p->dat, part (r, "mark", i));
    sd_put (&p->dat, "\n");
  }
}

static void put_legend (sd_plot *p, const sd_figure_rows *r) {
  static const char *const column[] = { "y", "y2", "mark" }, *const colour[] = { SD_BLUE, SD_PALE, "black" };
  for (unsigned k = 0; k < 3; k++)
    if (any (r, column[k]))
      sd_plot_legend (p, (sd_plot_key){ .mark = k < 2 ? 5 : 6, .colour = colour[k] }, r->legend[k]);
}

static void put_entries (sd_plot *p, const sd_figure_rows *r) {
  const char *marks = p->narrow ? "4:0" : "0:4";
  sd_plot_entry (p, 0, p->narrow ? "($2/2):0:($2/2):(0.36)" : "2:xtic(1)",
                 p->narrow ? "boxxyerror" : "histograms", SD_BLUE);
  if (any (r, "y2"))
    sd_plot_entry (p, 0, p->narrow ? "($2+$3/2):0:($3/2):(0.36)" : "3",
                   p->narrow ? "boxxyerror" : "histograms", SD_PALE);
  if (any (r, "mark")) {
    sd_plot_entry (p, 0, marks, "points pt 7 ps 0.7", "white");
    sd_plot_entry (p, 0, marks, "points pt 6 ps 0.7 lw 1.4", "black");
  }
}

int sd_put_bars (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  const size_t step = (r->n + MOST_NAMES - 1) / MOST_NAMES;
  char more[40] = "";
  const char **name SD_OWNED = sd_alloc (r->n + 1, sizeof *name);
  if (!name)
    return sd_fail_memory (err, r->n * sizeof *name);
  if (!any (r, "y") && !any (r, "y2"))
    return SD_OK;
  for (size_t i = 0; i < r->n; i++)
    name[i] = sd_figure_text (r, "label", i);
  const double names = sd_plot_longest (p, name, r->n, 8.6); /* of monospace, 14 pixels */
  if (step > 1)
    snprintf (more, sizeof more, "; each %zu. is named", step);
  if (p->narrow)
    put_lying (p, r, name, step, names, more);
  else
    put_rising (p, r, names, more);
  put_rows (p, r, name, step);
  put_legend (p, r);
  put_entries (p, r);
  return SD_OK;
}
