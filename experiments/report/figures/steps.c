/* A row for each step, from above to below: a mark at x with its bounds, a thick line over the middle half, a
 * thin one from the least to the most. Long names, and all of them for a phone, stand
 * above the rows.
 *
 * Columns of the answer: label, x; low, high, least, q25, q50, q75, most where they are known. The staircase
 * of a report is such a figure (parts/36-staircase.sql). */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_NAME = 260 }; /* pixels of a name left of its row */
/* Columns of the data file behind the row's number, in this order. */
enum { MARK, LOW, HIGH, LEAST, Q25, Q50, Q75, MOST, NUMBERS };
static const char *const column[NUMBERS] = { "x", "low", "high", "least", "q25", "q50", "q75", "most" };

/* What is not told is where the mark is. */
static double number (const sd_figure_rows *r, unsigned which, size_t i) {
  const double v = sd_figure_positive (r, column[which], i);
  return v > 0 ? v : sd_figure_positive (r, "x", i);
}

static void put_rows (sd_plot *p, const sd_figure_rows *r) {
  sd_plot_set (p, "step, the mean, its bounds, least, quartiles, most");
  for (size_t i = 0; i < r->n; i++) {
    sd_put (&p->dat, "%zu", i);
    for (unsigned k = 0; k < NUMBERS; k++)
      sd_plot_number (&p->dat, number (r, k, i));
    sd_put (&p->dat, "\n");
  }
}

/* above: as labels of the figure over the rows, since the axis would need too much room for them. */
static void put_names (sd_plot *p, const char *const *name, size_t n, bool above) {
  sd_put (&p->gp, "set yrange [%zu.6:-0.6]\nset grid noytics xtics\nset ytics scale 0 ", n - 1);
  if (!above) {
    sd_plot_names (p, name, n, 1);
    return;
  }

  sd_put (&p->gp, "format ''\n");
  for (size_t i = 0; i < n; i++) {
    sd_put (&p->gp, "set label ");
    sd_put_gnuplot (&p->gp, name[i]);
    sd_put (&p->gp, " at graph 0.015, first %g left front font SMALL\n", (double) i - 0.4);
  }
}

static void draw (sd_plot *p, const sd_figure_rows *r, const char *const *name) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < r->n; i++) {
    least = fmin (least, number (r, LEAST, i));
    most = fmax (most, number (r, MOST, i));
  }
  if (!(most > 0))
    return;

  size_t letters;
  sd_plot_name_rows (p, name, r->n, &letters);
  const double longest = sd_label_width ("x") * (double) letters;
  const bool above = p->narrow || longest > MOST_NAME;
  const double names = above ? 0 : longest + 18;
  const unsigned row = above ? 44 : 28;

  sd_plot_begin (p, r, sd_plot_width (p), 160 + row * (unsigned) r->n, (sd_box){ names + 24, 96, 24, 64 },
                 "");

  put_names (p, name, r->n, above);
  put_rows (p, r);
  sd_plot_axis (p, 'x', r->x.unit, least, most);

  sd_plot_legend (p, (sd_plot_key){ .colour = SD_GREY, .width = 1, .dash = 1 }, r->legend[0]);
  sd_plot_legend (p, (sd_plot_key){ .colour = SD_PALE, .width = 7, .dash = 1 }, r->legend[1]);
  sd_plot_legend (p, (sd_plot_key){ .mark = 7, .colour = SD_BLUE }, r->legend[2]);

  /* Data of a row: 1 its number, 2 to 4 the mean with bounds, 5 least, 6 to 8 quartiles, 9 most. */
  sd_plot_entry (p, 0, "5:1:($9-$5):(0)", "vectors nohead lw 1", SD_GREY);
  sd_plot_entry (p, 0, "6:1:($8-$6):(0)", "vectors nohead lw 7", SD_PALE);
  sd_plot_entry (p, 0, "2:1:3:4", "xerrorbars pt 7 ps 0.8 lw 1.6", SD_BLUE);
}

int sd_put_steps (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  const char **name SD_OWNED = sd_figure_texts (r, "label");
  if (!name)
    return sd_fail_memory (err, r->n * sizeof *name);
  draw (p, r, name);
  return SD_OK;
}
