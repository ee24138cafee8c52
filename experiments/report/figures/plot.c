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

void sd_plot_begin (sd_plot *p, const sd_figure_rows *r, unsigned width, unsigned height, sd_box margin,
                    const char *more) {
  char below[sizeof r->x.label + 60];
  p->width = width;
  p->height = height;
  p->frame = (sd_box){ margin.left, margin.top, width - margin.right, height - margin.bottom };
  sd_put (&p->gp,
          "# run gnuplot in this folder to draw the figure again\nreset\nload 'style.gp'\n"
          "eval paper (%u, %u, '%s')\neval frame (%g, %g, %g, %g)\n",
          width, height, p->name, margin.left, margin.right, margin.top, margin.bottom);
  snprintf (below, sizeof below, "%s%.50s", r->x.label, more);
  put_text (&p->gp, "TITLE", r->title);
  put_text (&p->gp, "WHAT", r->y.label);
  put_text (&p->gp, "BELOW", below);
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

const char *sd_plot_unit (const char *unit) {
  static const char *const known[][2] = { { "", "numbers" },
                                          { "bytes", "bytes" },
                                          { "binary", "bytes" },
                                          { "time", "ns" },
                                          { "per cent", "per cent" } };
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (unit, known[i][0]) == 0)
      return known[i][1];
  return NULL;
}

/* Powers of two. */
static void put_binary_axis (sd_plot *p, char axis, const char *unit, double least, double most) {
  const double powers = log2 (most / least);
  sd_put (&p->gp, "eval binary_ticks ('%c', '%s', %d)\n", axis, unit, powers <= 6 ? 1 : powers <= 14 ? 2 : 4);
  put_range (p, axis, least, most, powers > 0 ? pow (2, powers / 16) : 2);
}

void sd_plot_axis (sd_plot *p, char axis, const char *unit, double least, double most) {
  if (strcmp (unit, "binary") == 0) {
    put_binary_axis (p, axis, unit, least, most);
    return;
  }
  const double ratio = most / least, more = axis == 'x' || ratio > 3 ? 1.4 : 1.15;
  sd_put (&p->gp, "eval ticks ('%c', '%s', %u)\n", axis, unit, names_of (p, axis, ratio * more * more));
  put_range (p, axis, least, most, more);
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

void sd_plot_marks (sd_plot *p, unsigned set, sd_style style, bool hollow, const char *size) {
  char look[60];
  if (hollow) {
    snprintf (look, sizeof look, "points pt %u ps %s", style.mark, size);
    sd_plot_entry (p, set, "1:2", look, "white");
  }
  snprintf (look, sizeof look, "points pt %u ps %s%s", sd_plot_mark (style, hollow), size,
            hollow ? " lw 1.4" : "");
  sd_plot_entry (p, set, "1:2", look, style.colour);
}

void sd_plot_names (sd_plot *p, const char *const *name, size_t n, size_t step) {
  sd_put (&p->gp, "(");
  for (size_t i = 0; i < n; i += step) {
    sd_put (&p->gp, "%s", i ? ", " : "");
    sd_put_gnuplot (&p->gp, name[i] ? name[i] : "");
    sd_put (&p->gp, " %zu", i);
  }
  sd_put (&p->gp, ")\n");
}

double sd_plot_longest (const char *const *name, size_t n, double letter) {
  size_t most = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t len = name[i] ? strlen (name[i]) : 0;
    most = len > most ? len : most;
  }
  return letter * (double) most;
}

static void put_name (sd_plot *p, const char *label) {
  sd_put (&p->gp, "ENTRY = ");
  sd_put_gnuplot (&p->gp, label);
}

void sd_plot_legend (sd_plot *p, unsigned mark, const char *colour, const char *label) {
  if (!*label)
    return;
  put_name (p, label);
  sd_put (&p->gp, "; eval legend (%u, '%s')\n", mark, colour);
}

void sd_plot_legend_line (sd_plot *p, double width, bool dashed, const char *colour, const char *label) {
  if (!*label)
    return;
  put_name (p, label);
  sd_put (&p->gp, "; eval legend_line (%g, '%s', %d)\n", width, colour, dashed ? 2 : 1);
}

unsigned sd_plot_mark (sd_style style, bool hollow) {
  return style.mark - hollow;
}
