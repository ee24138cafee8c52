/* Bars from zero, a row each from above to below, in the order of the rows, so that there is room for names;
 * a second number goes on where the first ends, and a hollow mark stands beside both. Of many bars each
 * so-and-so-many-th is named.
 *
 * Columns of the answer: label, y; y2 (goes on), mark. All bars go from left to right, so what the head
 * calls y stands along the level axis. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_NAMES = 36, NAME_LETTERS = 32 }; /* of a figure; of a row of a name */
enum { THICK = 22, NAME_ROW = 20 };          /* pixels of a bar, of a row of its name */

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

/* The names stand on the upright axis, and the numbers of the head's y on the level one. */
static void begin (sd_plot *p, const sd_figure_rows *r, const char *const *name) {
  const size_t step = (r->n + MOST_NAMES - 1) / MOST_NAMES;
  sd_figure_rows turned = *r;
  sd_box margin = sd_plot_margin (p);
  turned.x = r->y;
  turned.y = r->x;

  if (step > 1)
    snprintf (turned.y.label, sizeof turned.y.label, "%.100s; each %zu. is named", r->x.label, step);

  size_t letters;
  const unsigned rows = sd_plot_name_rows (p, name, r->n, &letters), bar = fmax (THICK, NAME_ROW * rows + 5);

  margin.left = 8.6 * (double) letters + 24; /* of monospace, 14 pixels */
  sd_plot_begin (p, &turned, sd_plot_width (p),
                 (unsigned) (margin.top + margin.bottom) + bar * (unsigned) ((r->n + step - 1) / step),
                 margin, "");

  sd_put (&p->gp,
          "eval linear_ticks ('x', '%s', %.10g)\nset xrange [0:%.6g]\nset yrange [%zu.6:-0.6]\n"
          "set style fill solid 0.9 noborder\nset grid noytics xtics\nset ytics scale 0 font 'monospace,14' ",
          r->y.unit, longest (r), 1.05 * longest (r), r->n - 1);
  sd_plot_names (p, name, r->n, step);
}

static void put_rows (sd_plot *p, const sd_figure_rows *r, const char *const *name) {
  sd_plot_set (p, "name, bar, bar that goes on, mark");
  for (size_t i = 0; i < r->n; i++) {
    sd_put_gnuplot (&p->dat, name[i]);
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

/* boxxyerror draws a box around a middle: half of its length, at the row's number, 0.36 rows up and down. */
static void put_entries (sd_plot *p, const sd_figure_rows *r) {
  sd_plot_entry (p, 0, "($2/2):0:($2/2):(0.36)", "boxxyerror", SD_BLUE);
  if (any (r, "y2"))
    sd_plot_entry (p, 0, "($2+$3/2):0:($3/2):(0.36)", "boxxyerror", SD_PALE);
  if (any (r, "mark")) {
    sd_plot_entry (p, 0, "4:0", "points pt 7 ps 0.7", "white");
    sd_plot_entry (p, 0, "4:0", "points pt 6 ps 0.7 lw 1.4", "black");
  }
}

int sd_put_bars (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  const char **name SD_OWNED = sd_figure_texts (r, "label");
  if (!name)
    return sd_fail_memory (err, r->n * sizeof *name);

  if (!any (r, "y") && !any (r, "y2"))
    return SD_OK;

  p->letters = p->narrow ? p->letters : NAME_LETTERS;
  begin (p, r, name);
  put_rows (p, r, name);
  put_legend (p, r);
  put_entries (p, r);
  return SD_OK;
}
