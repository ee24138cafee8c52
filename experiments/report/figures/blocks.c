/* Size, and time of a lookup, against the size of a block, which is what a sweep varies: the setting `block`,
 * whose bytes the library codecs count before coding, the other ones after it. A curve has a mark where a row
 * was measured and nowhere else. A codec without blocks is a level line without marks; one that was measured
 * with a single block is a mark without a line. No line joins points of different piece orders. Curves are
 * named at their ends; where names are too long, below the axes. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <string.h>

enum { MOST_NAME = 190, KEY_ROW = 20 }; /* pixels of a name at the end of a curve, of a row of names below */

/* The curves with numbers of one kind: bytes, or the time of a lookup, or of a whole probe where no lookup
 * was timed. */
typedef enum measure { BYTES, LOOKUP, PROBE } measure;
typedef struct graphs {
  measure of;
  const sd_curve *curve[SD_MOST_CURVES];
  unsigned n;
  double least, most;
  bool free, none, bounds, apart; /* any is of the kind */
} graphs;

static double value (const graphs *all, const sd_rowsum *l) {
  return all->of == BYTES ? (double) l->best : all->of == LOOKUP ? l->get_ns : l->probe_ns;
}

static bool bounds (const graphs *all, const sd_rowsum *l, double out[2]) {
  const bool lookup = all->of == LOOKUP;
  return sd_bounds_of (l, value (all, l),
                       lookup ? offsetof (sd_row, get_low_ns) : offsetof (sd_row, probe_low_ns),
                       lookup ? offsetof (sd_row, get_high_ns) : offsetof (sd_row, probe_high_ns), out);
}

static void add_curve (graphs *all, const sd_curve *c) {
  bool any = false;
  for (uint64_t i = 0; i < c->n; i++) {
    const double v = value (all, c->line[i]);
    if (!(v > 0))
      continue;
    any = true;
    all->least = fmin (all->least, v);
    all->most = fmax (all->most, v);
  }
  if (!any)
    return;
  all->curve[all->n++] = c;
  *(sd_nothing_free (c->line[0]) ? &all->none : &all->free) = true;
}

static graphs graphs_of (const sd_curves *c, measure of) {
  graphs all = { .of = of, .least = INFINITY };
  for (unsigned k = 0; k < c->n; k++)
    add_curve (&all, &c->curve[k]);
  return all;
}

/* ----------------------------------------------------------------------- draw */

static bool is_level (const sd_curve *c) {
  return c->flat && c->line[0]->row->block == 0;
}

static void put_point (sd_plot *p, graphs *all, double at, const sd_rowsum *l) {
  double b[2];
  sd_put (&p->dat, "%.6g", at);
  sd_plot_number (&p->dat, value (all, l));
  if (all->of != BYTES) {
    all->bounds = bounds (all, l, b) || all->bounds;
    sd_plot_number (&p->dat, b[0]);
    sd_plot_number (&p->dat, b[1]);
  }
  sd_put (&p->dat, "\n");
}

/* Is the order of the pieces, and how their squares are numbered, that of the point before? */
static bool is_joined (const sd_curve *c, uint64_t i) {
  char text[2][4 * SD_ORDER_TEXT];
  sd_rowsum_order (c->line[i - 1], text[0], sizeof text[0]);
  sd_rowsum_order (c->line[i], text[1], sizeof text[1]);
  return strcmp (text[0], text[1]) == 0;
}

static void put_points (sd_plot *p, graphs *all, const sd_curve *c) {
  char text[sizeof c->label + 20];
  const bool said = strstr (c->label, "nothing free") != NULL;
  snprintf (text, sizeof text, "%s%s", c->label, !said && sd_nothing_free (c->line[0]) ? ", nothing free" : "");
  sd_plot_set (p, text);
  if (is_level (c)) {
    put_point (p, all, p->x.from, c->line[0]);
    put_point (p, all, p->x.to, c->line[0]);
  } else
    for (uint64_t i = 0; i < c->n; i++) {
      const bool apart = i && !is_joined (c, i);
      sd_put (&p->dat, apart ? "\n" : ""); /* which breaks a line */
      all->apart = all->apart || apart;
      put_point (p, all, (double) c->line[i]->row->block, c->line[i]);
    }
}

static void draw_curve (sd_plot *p, graphs *all, const sd_curve *c, sd_style style) {
  const bool hollow = sd_nothing_free (c->line[0]);
  const unsigned set = p->sets;
  char look[80];
  put_points (p, all, c);
  snprintf (look, sizeof look, "lines lw %s", hollow ? "1.2" : "2");
  if (is_level (c)) {
    sd_plot_entry (p, set, "1:2", look, style.colour);
    return;
  }
  if (!c->flat)
    sd_plot_entry (p, set, "1:2", look, style.colour);
  if (all->of != BYTES)
    sd_plot_entry (p, set, "1:2:3:4", "yerrorbars pt 0 lw 1", style.colour);
  if (hollow) {
    snprintf (look, sizeof look, "points pt %u ps 0.9", style.mark);
    sd_plot_entry (p, set, "1:2", look, "white");
  }
  snprintf (look, sizeof look, "points pt %u ps 0.9%s", sd_plot_mark (style, hollow),
            hollow ? " lw 1.4" : "");
  sd_plot_entry (p, set, "1:2", look, style.colour);
}

/* What marks and lines mean, as far as there are any of the kind. */
static void put_kinds (sd_plot *p, const graphs *all) {
  if (all->free && all->none) {
    sd_plot_legend (p, 7, "black", "freedom used");
    sd_plot_legend (p, 6, "black", "nothing free");
  }
}

/* --------------------------------------------------------------------- layout */

/* Do its names stand right of the axes? A curve that ends within the figure is named there. */
static bool goes_through (const sd_curves *c, const sd_curve *g) {
  return is_level (g) || (!g->flat && (double) g->line[g->n - 1]->row->block >= c->to);
}

static double longest_name (const sd_curves *c, const graphs *all, bool at_ends) {
  double longest = 0;
  for (unsigned k = 0; k < all->n; k++)
    if (!at_ends || goes_through (c, all->curve[k]))
      longest = fmax (longest, sd_label_width (all->curve[k]->label));
  return longest;
}

static double height_of (const sd_plot *p, const graphs *all, const sd_rowsum *l) {
  const double v = value (all, l);
  return sd_plot_y (p, v > 0 ? v : p->y.from);
}

static double place_of (const sd_plot *p, const sd_rowsum *l) {
  return sd_plot_x (p, (double) l->row->block);
}

/* Names stay off the marks and lines of a curve. */
static void avoid (sd_plot *p, const graphs *all, const sd_curve *c) {
  if (is_level (c)) {
    const double y = height_of (p, all, c->line[0]);
    sd_label_avoid_line (p, p->frame.left, y, p->frame.right, y);
    return;
  }
  for (uint64_t i = 0; i < c->n; i++) {
    const double x = place_of (p, c->line[i]), y = height_of (p, all, c->line[i]);
    sd_label_avoid (p, (sd_box){ x - 6, y - 6, x + 6, y + 6 });
    if (i && is_joined (c, i))
      sd_label_avoid_line (p, place_of (p, c->line[i - 1]), height_of (p, all, c->line[i - 1]), x, y);
  }
}

/* Beside one of its marks, the last one first. */
static bool name_inside (sd_plot *p, const graphs *all, const sd_curve *g, const char *colour) {
  for (uint64_t i = g->n; i-- > 0;)
    if (sd_label_beside (p, place_of (p, g->line[i]), height_of (p, all, g->line[i]), g->label, colour))
      return true;
  return false;
}

/* What finds no room stands in the legend. */
static void name_curves (sd_plot *p, const sd_rowsums *rows, const sd_curves *c, const graphs *all) {
  sd_end_label end[SD_MOST_CURVES];
  unsigned n = 0;
  for (unsigned k = 0; k < all->n; k++)
    avoid (p, all, all->curve[k]);
  for (unsigned k = 0; k < all->n; k++) {
    const sd_curve *g = all->curve[k];
    const sd_rowsum *last = g->line[g->n - 1];
    const sd_style style = sd_style_of (rows, last);
    if (goes_through (c, g))
      end[n++] = (sd_end_label){ g->label, style.colour, height_of (p, all, last) };
    else if (!name_inside (p, all, g, style.colour))
      sd_plot_legend (p, sd_plot_mark (style, sd_nothing_free (last)), style.colour, g->label);
  }
  sd_labels_at_ends (p, end, n);
}

static void widen (double *from, double *to, const sd_curves *c) {
  *from = c->from;
  *to = c->to;
  for (unsigned k = 0; k < c->n; k++)
    if (c->curve[k].line[0]->row->block) {
      *from = fmin (*from, (double) c->curve[k].line[0]->row->block);
      *to = fmax (*to, (double) c->curve[k].line[c->curve[k].n - 1]->row->block);
    }
}

/* A row below the axes for each curve. */
static void name_below (sd_plot *p, const sd_rowsums *rows, const graphs *all) {
  for (unsigned k = 0; k < all->n; k++) {
    const sd_curve *g = all->curve[k];
    const sd_style style = sd_style_of (rows, g->line[0]);
    sd_put (&p->gp, "LEGEND_X = 16; LEGEND_Y = %u\n", p->height - KEY_ROW * (all->n - k));
    if (is_level (g))
      sd_plot_legend_line (p, 2, false, style.colour, g->label);
    else
      sd_plot_legend (p, sd_plot_mark (style, sd_nothing_free (g->line[0])), style.colour, g->label);
  }
  sd_put (&p->gp, "eval raise_below (%u)\n", KEY_ROW * all->n);
}

/* The axes, and what everything is called. */
static void lay_out (sd_plot *p, const sd_rowsums *rows, const sd_curves *c, const graphs *all,
                     const sd_plot_words *words, const char *unit) {
  const bool at_ends = longest_name (c, all, false) <= MOST_NAME;
  sd_box margin = sd_plot_margin;
  double from, to;
  if (at_ends)
    margin.right = fmax (margin.right, longest_name (c, all, true) + 24);
  else
    margin.bottom += KEY_ROW * all->n;
  sd_plot_begin (p, words, SD_PLOT_WIDTH, 480 + (at_ends ? 0 : KEY_ROW * all->n), margin);
  widen (&from, &to, c);
  sd_plot_binary_axis (p, 'x', "binary", from, to);
  sd_plot_axis (p, 'y', unit, all->least, all->most);
  put_kinds (p, all);
  if (at_ends)
    name_curves (p, rows, c, all);
  else
    name_below (p, rows, all);
}

static void draw (sd_plot *p, const sd_rowsums *rows, const sd_curves *c, graphs *all,
                  const sd_plot_words *words, const char *unit) {
  lay_out (p, rows, c, all, words, unit);
  for (unsigned k = 0; k < all->n; k++)
    draw_curve (p, all, all->curve[k], sd_style_of (rows, all->curve[k]->line[0]));
}

static const char *shown (const sd_subject *s, measure of) {
  return of == LOOKUP    ? "median time of a lookup"
         : of == PROBE   ? "median time of a whole probe"
         : s->sides == 2 ? "bytes of both sides to move"
                         : "bytes of one side to move";
}

static void put_caption (sd_figure *f, const sd_curves *c, const graphs *all) {
  snprintf (
      f->caption, sizeof f->caption,
      "%s against the size of a block, both axes logarithmic. Bytes of a block are counted before coding by "
      "the library codecs, after it by the other ones.%s%s%s%s",
      all->of == LOOKUP  ? "median time of a lookup"
      : all->of == PROBE ? "median time of a whole probe"
                         : "size, of each kind the smallest row,",
      c->nflat ? " A level line is a codec without blocks; a mark without a line was measured with one block."
               : "",
      all->apart ? " Points of different piece orders are not joined." : "",
      all->bounds ? " Bars: the median with 95 %." : "", c->left_out);
}

static int put_blocks (sd_plot *p, const sd_rowsums *rows, size_t subject, bool timed, sd_figure *f,
                       sd_error *err) {
  const sd_subject *s = &rows->subject[subject];
  sd_curves c SD_RELEASED_BY (sd_curves_free) = { .n = 0 };
  char title[120];
  SD_TRY (sd_curves_make (rows, subject, timed, &c, err));
  if (!(c.to > c.from))
    return SD_OK;
  graphs all = graphs_of (&c, timed ? LOOKUP : BYTES);
  if (all.n == 0)
    all = graphs_of (&c, PROBE);
  snprintf (title, sizeof title, "%s: %s against block size", s->title, timed ? "time" : "size");
  draw (p, rows, &c, &all, &(sd_plot_words){ title, shown (s, all.of), "block size" },
        timed ? "time" : "bytes");
  put_caption (f, &c, &all);
  return SD_OK;
}

int sd_put_size (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  return put_blocks (p, all, subject, false, f, err);
}

int sd_put_latency (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  return put_blocks (p, all, subject, true, f, err);
}
