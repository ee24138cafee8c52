/* Size against access time: every line of a table and metric that was timed is a point, both axes are
 * logarithmic, and a line connects the points on the Pareto front, than which no other is both smaller and
 * quicker. Each codec has its colour and its mark; the mark stands on a disc where the point lies on the
 * front, in a ring where it does not. Bars are the bounds of the median (95 %). Cost: O(n log n) for n
 * lines. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
  const sd_rowsum *line;
  double ns, low, high, bytes; /* low and high: the median where no bounds are known */
  bool front;
} point;

typedef struct points {
  point *at;
  size_t n, untimed, one_sided;
  bool probes, bounds; /* whole probes, or single symbols; any has bounds */
} points;

static int by_time (const void *a, const void *b) {
  const point *x = a, *y = b;
  return x->ns < y->ns ? -1 : x->ns > y->ns ? 1 : x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* What more lines have; of two that all have, probes. */
static bool asks_probes (const sd_subject *s) {
  size_t probes = 0, symbols = 0;
  for (size_t i = 0; i < s->nlines; i++) {
    const sd_rowsum *l = s->line[i];
    const bool counts = l->nsides == s->sides;
    probes += counts && l->probe_ns > 0;
    symbols += counts && l->get_ns > 0;
  }
  return probes > 0 && probes >= symbols;
}

static void add_point (points *p, const sd_rowsum *l) {
  const double ns = p->probes ? l->probe_ns : l->get_ns;
  const size_t low = p->probes ? offsetof (sd_row, probe_low_ns) : offsetof (sd_row, get_low_ns),
               high = p->probes ? offsetof (sd_row, probe_high_ns) : offsetof (sd_row, get_high_ns);
  if (!(ns > 0)) {
    p->untimed++;
    return;
  }
  point *at = &p->at[p->n++];
  double bound[2];
  p->bounds = sd_bounds_of (l, ns, low, high, bound) || p->bounds;
  *at = (point){ .line = l, .ns = ns, .low = bound[0], .high = bound[1], .bytes = (double) l->best };
}

/* By rising time; those that are smaller than all quicker ones are the front. */
static int collect (const sd_subject *s, points *out, sd_error *err) {
  double least = INFINITY;
  *out = (points){ .probes = asks_probes (s) };
  out->at = sd_alloc0 (s->nlines, sizeof *out->at);
  if (!out->at)
    return sd_fail_memory (err, s->nlines * sizeof *out->at);
  for (size_t i = 0; i < s->nlines; i++)
    if (s->line[i]->nsides == s->sides)
      add_point (out, s->line[i]);
    else
      out->one_sided++;
  qsort (out->at, out->n, sizeof *out->at, by_time);
  for (size_t i = 0; i < out->n; i++) {
    out->at[i].front = out->at[i].bytes < least;
    least = out->at[i].front ? out->at[i].bytes : least;
  }
  return SD_OK;
}

static void put_point (sd_plot *p, const point *at) {
  sd_put (&p->dat, "%.6g %.6g %.6g %.6g\n", at->ns, at->bytes / 1000, at->low, at->high);
}

/* The points of a codec that lie on the front, or do not; *set: which set that is. False: there are none. */
static bool put_codec (sd_plot *p, const points *all, const sd_rowsum *of, bool front, unsigned *set) {
  bool any = false;
  for (size_t i = 0; i < all->n; i++) {
    const point *at = &all->at[i];
    if (at->line->like[SD_ONE_CODEC] != of->like[SD_ONE_CODEC] || at->front != front)
      continue;
    if (!any) {
      char label[80];
      snprintf (label, sizeof label, "%s%s: ns, thousand bytes, bounds of ns", of->row->codec,
                front ? ", on the front" : "");
      *set = p->sets;
      sd_plot_set (p, label);
    }
    any = true;
    put_point (p, at);
  }
  return any;
}

/* The ring or disc, the mark inside, the bars. */
static void draw_codec (sd_plot *p, unsigned set, sd_style style, bool front, bool bounds) {
  const sd_style plain = { style.colour, 0 }, inside = { front ? "white" : style.colour, 0 };
  char look[60];
  if (bounds)
    sd_plot_entry (p, set, "1:2:3:4", "xerrorbars pt 0 lw 1", plain, "");
  sd_plot_entry (p, set, "1:2", front ? "points pt 7 ps 1.7" : "points pt 6 ps 1.6 lw 1.2", plain, "");
  snprintf (look, sizeof look, "points pt %u ps 0.75", style.mark);
  sd_plot_entry (p, set, "1:2", look, inside, "");
}

/* The points of the codec of one line, and its mark alone in the key. */
static void put_marks (sd_plot *p, const sd_rowsums *all, const points *of, const sd_rowsum *l) {
  const sd_style style = sd_style_of (all, l);
  unsigned set = 0;
  for (unsigned front = 2; front-- > 0;)
    if (put_codec (p, of, l, front, &set))
      draw_codec (p, set, style, front, of->bounds);
  sd_put (&p->gp, ", \\\n  NaN with points pt %u ps 1 lc rgb '%s' title ", style.mark, style.colour);
  sd_put_gnuplot (&p->gp, l->row->codec);
}

static int draw (sd_plot *p, const sd_rowsums *all, const points *of, sd_error *err) {
  bool *seen SD_OWNED = sd_alloc0 (all->numbers[SD_ONE_CODEC], sizeof *seen);
  if (!seen)
    return sd_fail_memory (err, all->numbers[SD_ONE_CODEC]);
  sd_plot_set (p, "the front: ns, thousand bytes, bounds of ns");
  for (size_t i = 0; i < of->n; i++)
    if (of->at[i].front)
      put_point (p, &of->at[i]);
  sd_plot_entry (p, 0, "1:2", "lines lw 1.6 dt 2", (sd_style){ "#8a8f98", 0 }, "the Pareto front");
  for (size_t i = 0; i < of->n; i++) {
    const uint32_t codec = of->at[i].line->like[SD_ONE_CODEC];
    if (!seen[codec])
      put_marks (p, all, of, of->at[i].line);
    seen[codec] = true;
  }
  return SD_OK;
}

/* Both axes: a little more than the points need. */
static void put_axes (sd_plot *p, const points *of, const char *sides) {
  double least = INFINITY, most = 0, from = INFINITY, to = 0;
  for (size_t i = 0; i < of->n; i++) {
    const point *at = &of->at[i];
    least = at->bytes / 1000 < least ? at->bytes / 1000 : least;
    most = at->bytes / 1000 > most ? at->bytes / 1000 : most;
    from = at->low < from ? at->low : from;
    to = at->high > to ? at->high : to;
  }
  sd_plot_ticks (p, 'y', least / 1.4, most * 1.4);
  sd_put (&p->gp,
          "set logscale x\nset xrange [%.6g:%.6g]\nset xtics (%s)\nset ylabel 'thousand bytes, %s'\n"
          "set xlabel 'median time of one %s' offset 0,0.6\nplot ",
          from / 1.5, to * 1.5, sd_plot_times, sides, of->probes ? "probe" : "symbol");
}

static void put_caption (const points *of, sd_figure *f) {
  char left[160] = "";
  if (of->untimed)
    snprintf (left, sizeof left, " Left out, lines that were not timed so: %zu.", of->untimed);
  if (of->one_sided)
    snprintf (left + strlen (left), sizeof left - strlen (left), " Left out, lines of one side only: %zu.",
              of->one_sided);
  snprintf (
      f->caption, sizeof f->caption,
      "size against access time (median of one %s, mean of the sides), both axes logarithmic: all %zu lines "
      "that were timed. Discs lie on the Pareto front: no other line is both smaller and quicker. Rings do "
      "not.%s%s",
      of->probes ? "probe" : "symbol", of->n, of->bounds ? " Bars: the median with 95 %." : "", left);
}

int sd_put_access (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  const sd_subject *s = &all->subject[subject];
  points of;
  char title[120];
  int status = collect (s, &of, err);
  if (status == SD_OK && of.n > 1) {
    snprintf (title, sizeof title, "%s: size against access time", s->title);
    sd_plot_head (p, title, SD_PLOT_WIDTH, sd_plot_height (5));
    put_axes (p, &of, s->sides == 2 ? "both sides" : "one side");
    status = draw (p, all, &of, err);
    put_caption (&of, f);
  }
  free (of.at);
  return status;
}
