/* Curves over a level axis, both axes logarithmic. Rows that follow each other with the same `curve` (without
 * that column: the same label) are one. A curve has a mark where a row is and nowhere else. One whose x is
 * NULL is a level line without marks; one of a single row is a mark without a line. No line joins rows of
 * different `part`. Curves are named at their ends; where names are too long, in the legend.
 *
 * Columns of the answer: series, x, y; label, curve, part, low, high (bounds of y), hollow where there are
 * any. Sizes over blocks, times over blocks are such figures. Names at the ends are found sooner than
 * those of a legend, which stands only where a name is too long or a curve ends within the figure. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 190, MOST_NARROW = 90 }; /* pixels of a name at the end of a curve */

enum {
  BAR = 7,
  MARK = 12
}; /* pixels: half the stroke at the end of a bar; a mark hides one that is so near */

typedef struct curve {
  size_t from, to; /* rows */
  const char *name;
  sd_style style;
  bool level, single, hollow;
  unsigned variant; /* curves of one look that have other names have other dashes and sizes of marks */
} curve;

typedef struct curves {
  const sd_figure_rows *r;
  curve *curve;
  size_t n;
  double least, most, from, to, ends; /* ends: where curves of more than one mark end at the latest */
  bool filled, hollow, has_bounds;
} curves;

static void curves_free (curves *c) {
  free (c->curve);
}

static double x_of (const curves *c, size_t row) {
  return sd_figure_positive (c->r, "x", row);
}

static double y_of (const curves *c, size_t row) {
  return sd_figure_positive (c->r, "y", row);
}

/* ----------------------------------------------------------------------- rows */

/* Least and most of both axes, with the bounds. A single mark does not say where curves end. */
static void measure (curves *c, curve *g) {
  double last = 0, bound[2];
  for (size_t i = g->from; i < g->to; i++) {
    const double x = x_of (c, i), y = y_of (c, i);
    c->has_bounds = sd_figure_bounds (c->r, i, y, bound) || c->has_bounds;
    c->least = fmin (c->least, bound[0]); /* which pass over what is not a number */
    c->most = fmax (c->most, bound[1]);
    c->from = fmin (c->from, x);
    c->to = fmax (c->to, x);
    last = fmax (last, x);
  }
  if (!g->single && !g->level)
    c->ends = fmax (c->ends, last);
  *(g->hollow ? &c->hollow : &c->filled) = true;
}

/* Among the curves before g of one colour: the variant of its own name, or the next one. */
static unsigned variant_of (const curves *c, const curve *g) {
  unsigned next = 0;
  for (const curve *k = c->curve; k < g; k++) {
    if (k->level != g->level || strcmp (k->style.colour, g->style.colour) != 0)
      continue;
    if (strcmp (k->name, g->name) == 0)
      return k->variant;
    next = k->variant >= next ? k->variant + 1 : next;
  }
  return next;
}

static int collect (const sd_figure_rows *r, curves *c, sd_error *err) {
  const char *key = sd_figure_has (r, "curve") ? "curve" : sd_figure_has (r, "label") ? "label" : "series";
  const char *name = sd_figure_has (r, "label") ? "label" : "series";
  *c = (curves){
    .r = r, .curve = sd_alloc0 (r->n + 1, sizeof *c->curve), .least = INFINITY, .from = INFINITY
  };

  if (!c->curve)
    return sd_fail_memory (err, r->n * sizeof *c->curve);

  for (size_t i = 0, k; i < r->n; i = k) {
    for (k = i + 1; k < r->n && strcmp (sd_figure_text (r, key, i), sd_figure_text (r, key, k)) == 0;)
      k++;

    curve *g = &c->curve[c->n++];
    *g = (curve){ .from = i,
                  .to = k,
                  .name = sd_figure_text (r, name, i),
                  .style = sd_style_of (r->styles, sd_figure_text (r, "series", i)) };

    g->level = isnan (x_of (c, i));
    g->single = !g->level && k == i + 1;
    g->hollow = sd_figure_flag (r, "hollow", i);
    g->variant = variant_of (c, g);
    measure (c, g);
  }

  if (!(c->to > 0)) /* level lines alone */
    c->from = c->to = 1;
  return SD_OK;
}

/* ----------------------------------------------------------------------- draw */

/* A line of data: x, y, and bounds where any row of the figure has some. */
static void put_point (sd_plot *p, curves *c, double x, size_t row) {
  const double y = y_of (c, row);
  double b[2];
  sd_put (&p->dat, "%.6g", x);
  sd_plot_number (&p->dat, y);
  if (c->has_bounds) {
    sd_figure_bounds (c->r, row, y, b);
    sd_plot_number (&p->dat, b[0]);
    sd_plot_number (&p->dat, b[1]);
  }
  sd_put (&p->dat, "\n");
}

/* With the row before it. */
static bool is_joined (const curves *c, size_t row) {
  return strcmp (sd_figure_text (c->r, "part", row - 1), sd_figure_text (c->r, "part", row)) == 0;
}

static void put_points (sd_plot *p, curves *c, const curve *g) {
  char text[300];
  const char *of = c->r->legend[1];
  const bool said = !g->hollow || !*of || strstr (g->name, of);
  snprintf (text, sizeof text, "%.200s%s%s", g->name, said ? "" : ", ", said ? "" : of);
  sd_plot_set (p, text);

  if (g->level) {
    put_point (p, c, p->x.from, g->from);
    put_point (p, c, p->x.to, g->from);
    return;
  }

  for (size_t i = g->from; i < g->to; i++)
    if (x_of (c, i) > 0) {
      sd_put (&p->dat, i > g->from && !is_joined (c, i) ? "\n" : ""); /* which breaks a line */
      put_point (p, c, x_of (c, i), i);
    }
}

static double line_width (const curve *g) {
  return g->hollow ? 1.2 : 2;
}

/* From 1 on, as gnuplot has them. */
static unsigned dash_of (const curve *g) {
  return 1 + g->variant % 5;
}

/* Of a mark, as a share of the usual one. */
static double size_of (const curve *g) {
  static const double size[] = { 1, 0.55, 0.3 };
  return size[g->variant % (sizeof size / sizeof *size)];
}

/* A smaller mark that lies on a usual one is seen, as paper is between them. */
static void draw_marks (sd_plot *p, const curves *c, unsigned set, const curve *g) {
  const double size = 0.9 * size_of (g), around = size + 0.15;
  char look[60];

  if (c->has_bounds)
    sd_plot_entry (p, set, "1:2:3:4", "yerrorbars pt -1 lw 1", g->style.colour);

  snprintf (look, sizeof look, "points pt %u ps %g", g->style.mark, around);
  if (g->variant)
    sd_plot_entry (p, set, "1:2", look, "white");

  snprintf (look, sizeof look, "%g", size);
  sd_plot_marks (p, set, g->style, g->hollow, look);
}

/* Between dashes that lie on a line of the same colour paper is seen. */
static void draw_line (sd_plot *p, unsigned set, const curve *g) {
  char look[40];
  if (dash_of (g) > 1)
    sd_plot_entry (p, set, "1:2", "lines lw 1", "white");
  snprintf (look, sizeof look, "lines lw %g", line_width (g));
  if (dash_of (g) > 1)
    snprintf (look + strlen (look), sizeof look - strlen (look), " dt %u", dash_of (g));
  sd_plot_entry (p, set, "1:2", look, g->style.colour);
}

static void draw_curve (sd_plot *p, curves *c, const curve *g) {
  const unsigned set = p->sets;
  put_points (p, c, g);
  if (!g->single)
    draw_line (p, set, g);
  if (!g->level)
    draw_marks (p, c, set, g);
}

/* --------------------------------------------------------------------- layout */

/* Does its name stand right of the axes? A curve that ends within the figure is named there. */
static bool goes_through (const curves *c, const curve *g) {
  return g->level || (!g->single && x_of (c, g->to - 1) >= c->ends);
}

static double longest_name (const curves *c, bool at_ends) {
  double longest = 0;
  for (size_t k = 0; k < c->n; k++)
    if (!at_ends || goes_through (c, &c->curve[k]))
      longest = fmax (longest, sd_label_width (c->curve[k].name));
  return longest;
}

static double across (const sd_plot *p, const curves *c, size_t row) {
  return sd_plot_x (p, x_of (c, row));
}

/* Bounds of 0 or less stand at the lower edge. */
static double down_to (const sd_plot *p, double y) {
  return sd_plot_y (p, y > p->y.from ? y : p->y.from);
}

static double down (const sd_plot *p, const curves *c, size_t row) {
  return down_to (p, y_of (c, row));
}

/* Names stay off the marks and lines of a curve, and off the bars of the marks. */
static void avoid (sd_plot *p, const curves *c, const curve *g) {
  if (g->level) {
    const double y = down (p, c, g->from);
    sd_label_avoid_line (p, p->frame.left, y, p->frame.right, y);
    return;
  }

  for (size_t i = g->from; i < g->to; i++) {
    const double x = across (p, c, i), y = down (p, c, i);
    double b[2];
    sd_label_avoid_mark (p, x, y);
    if (c->has_bounds) {
      sd_figure_bounds (c->r, i, y_of (c, i), b);
      sd_label_avoid_line (p, x, down_to (p, b[0]), x, down_to (p, b[1]));
      for (unsigned k = 0; k < 2; k++) { /* the strokes at its ends */
        const double end = down_to (p, b[k]);
        if (fabs (end - y) > MARK)
          sd_label_avoid_line (p, x - BAR, end, x + BAR, end);
      }
    }
    if (i > g->from && is_joined (c, i))
      sd_label_avoid_line (p, across (p, c, i - 1), down (p, c, i - 1), x, y);
  }
}

/* Beside one of its marks, the last one first. */
static bool name_inside (sd_plot *p, const curves *c, const curve *g) {
  for (size_t i = g->to; i-- > g->from;)
    if (sd_label_beside (p, across (p, c, i), down (p, c, i), 0, g->name, g->style.colour))
      return true;
  return false;
}

/* A mark alone, a line alone, or a mark on its line: codecs with one block size stand beside those with
 * several. */
static void put_entry (sd_plot *p, const curve *g) {
  const unsigned mark = g->level ? 0 : sd_plot_mark (g->style, g->hollow);
  const double width = g->level ? 2 : g->single ? 0 : line_width (g);
  sd_plot_legend (p, (sd_plot_key){ mark, g->style.colour, width, dash_of (g), size_of (g) }, g->name);
}

/* What finds no room stands in the legend. */
static int name_curves (sd_plot *p, const curves *c, sd_error *err) {
  sd_end_label *end SD_OWNED = sd_alloc (c->n + 1, sizeof *end);
  size_t n = 0;
  if (!end)
    return sd_fail_memory (err, c->n * sizeof *end);

  /* All curves are in the way of names before the first name is placed. */
  for (size_t k = 0; k < c->n; k++)
    avoid (p, c, &c->curve[k]);

  for (size_t k = 0; k < c->n; k++) {
    const curve *g = &c->curve[k];
    if (goes_through (c, g))
      end[n++] = (sd_end_label){ g->name, g->style.colour, down (p, c, g->to - 1) };
    else if (!name_inside (p, c, g))
      put_entry (p, g);
  }

  sd_labels_at_ends (p, end, n);
  return SD_OK;
}

/* The axes, and what everything is called. */
static int lay_out (sd_plot *p, const curves *c, sd_error *err) {
  const bool at_ends = longest_name (c, false) <= (p->narrow ? MOST_NARROW : MOST_NAME);
  sd_box margin = sd_plot_margin (p);
  if (at_ends)
    margin.right = fmax (margin.right, longest_name (c, true) + 24);

  sd_plot_begin (p, c->r, sd_plot_width (p), p->narrow ? 440 : 480, margin, "");
  sd_plot_axis (p, 'x', c->r->x.unit, c->from, c->to);
  sd_plot_axis (p, 'y', c->r->y.unit, c->least, c->most);

  if (c->filled && c->hollow) {
    sd_plot_legend (p, (sd_plot_key){ .mark = 7, .colour = "black" }, c->r->legend[0]);
    sd_plot_legend (p, (sd_plot_key){ .mark = 6, .colour = "black" }, c->r->legend[1]);
  }

  if (at_ends)
    return name_curves (p, c, err);
  for (size_t k = 0; k < c->n; k++)
    put_entry (p, &c->curve[k]);
  return SD_OK;
}

int sd_put_lines (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  curves c SD_RELEASED_BY (curves_free) = { .n = 0 };
  SD_TRY (collect (r, &c, err));
  if (!(c.most > 0))
    return SD_OK;
  SD_TRY (lay_out (p, &c, err));
  for (size_t k = 0; k < c.n; k++)
    draw_curve (p, &c, &c.curve[k]);
  return SD_OK;
}
