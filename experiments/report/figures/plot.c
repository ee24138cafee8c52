/* The parts of a gnuplot script. Each script reads style.gp, which is written beside it and says how figures
 * of the project look. Margins are pixels, so that it is known here where everything stands. Scripts hold no
 * text of a row but through sd_put_gnuplot. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const sd_box sd_plot_margin = { 84, 96, 34, 64 }, sd_plot_narrow_margin = { 72, 136, 16, 64 };

static void put_text (sd_buf *gp, const char *name, const char *text) {
  sd_put (gp, "%s = ", name);
  sd_put_gnuplot (gp, text);
  sd_put (gp, "\n");
}

void sd_plot_begin (sd_plot *p, const sd_plot_words *words, unsigned width, unsigned height, sd_box margin) {
  p->width = width;
  p->height = height;
  p->frame = (sd_box){ margin.left, margin.top, width - margin.right, height - margin.bottom };
  sd_put (&p->gp,
          "# run gnuplot in this folder to draw the figure again\nreset\nload 'style.gp'\n"
          "eval paper (%u, %u, '%s')\neval frame (%g, %g, %g, %g)\n",
          width, height, p->name, margin.left, margin.right, margin.top, margin.bottom);
  put_text (&p->gp, "TITLE", words->title);
  put_text (&p->gp, "WHAT", words->upright);
  put_text (&p->gp, "BELOW", words->level);
  sd_put (&p->gp, "eval heading\n");
}

void sd_plot_free (sd_plot *p) {
  sd_buf_free (&p->gp);
  sd_buf_free (&p->dat);
  free (p->taken);
}

/* More names of ticks where less is to be seen: powers of ten; 1, 2, 5; ten of a power of ten. A narrow axis
 * has room for those of a usual one that shows as much more. */
static unsigned names_of (const sd_plot *p, char axis, double shown) {
  const double ratio =
      p->narrow && axis == 'x' ? pow (shown, (double) SD_PLOT_WIDTH / SD_PLOT_NARROW) : shown;
  return ratio < 8 ? 9 : ratio < 300 ? 3 : 1;
}

static void put_range (sd_plot *p, char axis, double least, double most, double more) {
  const sd_figure_axis a = { least / more, most * more };
  *(axis == 'x' ? &p->x : &p->y) = a;
  sd_put (&p->gp, "set %crange [%.6g:%.6g]\n", axis, a.from, a.to);
}

void sd_plot_axis (sd_plot *p, char axis, const char *unit, double least, double most) {
  const double ratio = most / least, more = axis == 'x' || ratio > 3 ? 1.4 : 1.15;
  sd_put (&p->gp, "eval ticks ('%c', '%s', %u)\n", axis, unit, names_of (p, axis, ratio * more * more));
  put_range (p, axis, least, most, more);
}

void sd_plot_binary_axis (sd_plot *p, char axis, const char *unit, double least, double most) {
  const double powers = log2 (most / least);
  sd_put (&p->gp, "eval binary_ticks ('%c', '%s', %d)\n", axis, unit, powers <= 6 ? 1 : powers <= 14 ? 2 : 4);
  put_range (p, axis, least, most, pow (2, powers / 16));
}

double sd_plot_x (const sd_plot *p, double v) {
  return p->frame.left + (p->frame.right - p->frame.left) * log (v / p->x.from) / log (p->x.to / p->x.from);
}

double sd_plot_y (const sd_plot *p, double v) {
  return p->frame.bottom - (p->frame.bottom - p->frame.top) * log (v / p->y.from) / log (p->y.to / p->y.from);
}

void sd_plot_set (sd_plot *p, const char *label) {
  sd_put (&p->dat, "%s# ", p->sets++ ? "\n\n" : "");
  sd_put_gnuplot (&p->dat, label);
  sd_put (&p->dat, "\n");
}

void sd_plot_number (sd_buf *b, double v) {
  if (v > 0)
    sd_put (b, " %.6g", v);
  else
    sd_put (b, " ?");
}

void sd_plot_entry (sd_plot *p, unsigned set, const char *columns, const char *look, const char *colour) {
  sd_put (&p->gp, "%s'%s.dat' index %u using %s with %s lc rgb '%s'", p->entries++ ? ", \\\n  " : "plot ",
          p->name, set, columns, look, colour);
}

static void put_name (sd_plot *p, const char *label) {
  sd_put (&p->gp, "ENTRY = ");
  sd_put_gnuplot (&p->gp, label);
}

void sd_plot_legend (sd_plot *p, unsigned mark, const char *colour, const char *label) {
  put_name (p, label);
  sd_put (&p->gp, "; eval legend (%u, '%s')\n", mark, colour);
}

void sd_plot_legend_line (sd_plot *p, double width, bool dashed, const char *colour, const char *label) {
  put_name (p, label);
  sd_put (&p->gp, "; eval legend_line (%g, '%s', %d)\n", width, colour, dashed ? 2 : 1);
}

unsigned sd_plot_mark (sd_style style, bool hollow) {
  return style.mark - hollow;
}

bool sd_nothing_free (const sd_rowsum *l) {
  return strcmp (l->row->freedom, "none") == 0;
}

bool sd_bounds_of (const sd_rowsum *l, double ns, size_t low, size_t high, double out[2]) {
  out[0] = sd_rowsum_of (l, SD_MEAN, low, false);
  out[1] = sd_rowsum_of (l, SD_MEAN, high, false);
  if (out[0] > 0 && out[0] <= ns && out[1] >= ns)
    return true;
  out[0] = out[1] = ns;
  return false;
}
