/* A staircase as a figure: the steps of numbered groups, which lines.sql has summed up (the table
 * `stair`); the table of the report is parts/35-staircase.sql. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <string.h>

/* What is drawn of a step: per cent of the first one. */
enum { NAME, MEAN, LOW, HIGH, LEAST, Q25, Q50, Q75, MOST, TABLES };

static double number (const sd_result *a, size_t row, int column) {
  return sd_result_at (a, row, column)->number;
}

/* A step a row, from above to below: the names have room on the left. */
static void put_rows (sd_plot *p, const sd_result *a) {
  char text[32];
  sd_put (&p->gp, "set ytics scale 0 (");
  sd_plot_set (p, "step, the mean, its bounds, least, quartiles, most: bytes in per cent of the first step");
  for (size_t i = 0; i < a->nrows; i++) {
    sd_put (&p->gp, "%s", i ? ", " : "");
    sd_put_gnuplot (&p->gp, sd_result_text (a, sd_result_at (a, i, NAME), text));
    sd_put (&p->gp, " %zu", i);
    sd_put (&p->dat, "%zu", i);
    for (int k = MEAN; k <= MOST; k++)
      sd_plot_number (&p->dat, number (a, i, k));
    sd_put (&p->dat, "\n");
  }
  sd_put (&p->gp, ")\nset yrange [%zu.6:-0.6]\nset grid noytics xtics\n", a->nrows - 1);
}

static void draw (sd_plot *p, const sd_result *a) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < a->nrows; i++) {
    least = fmin (least, number (a, i, LEAST));
    most = fmax (most, number (a, i, MOST));
  }
  put_rows (p, a);
  sd_plot_axis (p, 'x', "per cent", least, most);
  sd_plot_legend_line (p, 1, false, "#7a818c", "least to most");
  sd_plot_legend_line (p, 7, false, "#8fb8ee", "middle half");
  sd_plot_legend (p, 7, "#2f7de1", "geometric mean, 95 %");
  sd_plot_entry (p, 0, "5:1:($9-$5):(0)", "vectors nohead lw 1", "#7a818c");
  sd_plot_entry (p, 0, "6:1:($8-$6):(0)", "vectors nohead lw 7", "#8fb8ee");
  sd_plot_entry (p, 0, "2:1:3:4", "xerrorbars pt 7 ps 0.8 lw 1.6", "#2f7de1");
}

static int ask (sd_query *q, const char *metric, sd_result *out, sd_error *err) {
  static const char sql[] =
      "-- title: steps\n\n"
      "SELECT step || ' ' || what, 100 * by_first, 100 * ifnull (low, by_first), 100 * ifnull (high, by_first), 100 * least,"
      " 100 * q25, 100 * q50, 100 * q75, 100 * most, tables FROM stair WHERE steps > 1 AND metric = '";
  sd_query_file f;
  char text[sizeof sql + 60];
  snprintf (text, sizeof text, "%s%.20s' ORDER BY step", sql, metric);
  SD_TRY (sd_query_parse ("staircase", text, &f, err));
  const int status = sd_query_ask (q, &f, out, err);
  sd_query_file_free (&f);
  return status;
}

int sd_put_staircase (sd_plot *p, sd_query *q, enum sd_metric metric, sd_figure *f, sd_error *err) {
  sd_result a SD_RELEASED_BY (sd_result_free) = { .nrows = 0 };
  char title[120], text[32];
  double name = 0;
  SD_TRY (ask (q, sd_metrics[metric].name, &a, err));
  if (!a.nrows)
    return SD_OK;
  snprintf (title, sizeof title, "%s: what each step takes off, %.0f tables", sd_metrics[metric].title,
            number (&a, 0, TABLES));
  for (size_t i = 0; i < a.nrows; i++)
    name = fmax (name, sd_label_width (strchr (sd_result_text (&a, sd_result_at (&a, i, NAME), text), ' ')));
  sd_plot_begin (p, &(sd_plot_words){ title, "step", "bytes, per cent of those of the first step" },
                 SD_PLOT_WIDTH, 160 + 28 * (unsigned) a.nrows, (sd_box){ name + 50, 96, 24, 64 });
  draw (p, &a);
  snprintf (
      f->caption, sizeof f->caption,
      "%s: staircase of gains, bytes of each step in per cent of those of the first step: geometric mean over the tables "
      "with its bounds (95 %%), quartiles, least and most.",
      sd_metrics[metric].title);
  return SD_OK;
}
