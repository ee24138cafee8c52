/* Bars from zero, a row each, in the order of the rows; a second number stands on top of the first, and a
 * hollow mark beside both. Of many bars each so-and-so-many-th is named. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_NAMES = 48, NARROW_BARS = 26 };

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

static void put_axes (sd_plot *p, const sd_figure_rows *r, const char *const *name, size_t step) {
  const double names = sd_plot_longest (name, r->n, 8.6); /* of monospace, 14 pixels, upright */
  double most = 0;
  char more[40] = "";
  sd_box margin = sd_plot_margin;
  for (size_t i = 0; i < r->n; i++)
    most = fmax (most, fmax (part (r, "y", i) + part (r, "y2", i), part (r, "mark", i)));
  if (step > 1)
    snprintf (more, sizeof more, "; each %zu. is named", step);
  margin.bottom = 44 + names;
  sd_plot_begin (p, r, r->n > NARROW_BARS ? SD_PLOT_WIDE : SD_PLOT_WIDTH, 400 + (unsigned) names, margin,
                 more);
  sd_put (&p->gp,
          "eval linear_ticks ('y', '%s', %.10g)\nset yrange [0:%.6g]\nset style data histograms\n"
          "set style histogram rowstacked\nset style fill solid 0.9 noborder\nset boxwidth 0.72\n"
          "set xtics rotate by 90 right offset 0,0 font 'monospace,14'\n",
          r->y.unit, most, 1.05 * most);
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

int sd_put_bars (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  const bool first = any (r, "y"), second = any (r, "y2"), marks = any (r, "mark");
  const size_t step = (r->n + MOST_NAMES - 1) / MOST_NAMES;
  const char **name SD_OWNED = sd_alloc (r->n + 1, sizeof *name);
  if (!name)
    return sd_fail_memory (err, r->n * sizeof *name);
  if (!first && !second)
    return SD_OK;
  for (size_t i = 0; i < r->n; i++)
    name[i] = sd_figure_text (r, "label", i);
  put_axes (p, r, name, step);
  put_rows (p, r, name, step);
  if (first)
    sd_plot_legend (p, 5, SD_BLUE, r->legend[0]);
  if (second)
    sd_plot_legend (p, 5, SD_PALE, r->legend[1]);
  if (marks)
    sd_plot_legend (p, 6, "black", r->legend[2]);
  sd_plot_entry (p, 0, "2:xtic(1)", "histograms", SD_BLUE);
  if (second)
    sd_plot_entry (p, 0, "3", "histograms", SD_PALE);
  if (marks) {
    sd_plot_entry (p, 0, "0:4", "points pt 7 ps 0.7", "white");
    sd_plot_entry (p, 0, "0:4", "points pt 6 ps 0.7 lw 1.4", "black");
  }
  return SD_OK;
}
