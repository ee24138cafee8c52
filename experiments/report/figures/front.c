/* Size against access time: every line of a table and metric that was timed is a mark, both axes are
 * logarithmic. A mark is filled where freedom was used and hollow where nothing was free, and an arrow leads
 * from the hollow to the filled one of the same codec and settings: what freedom gains. A line connects the
 * points on the Pareto front, than which no other is both smaller and quicker; where one point is, there is
 * none. Points are named where there is room, those of the front first, each codec at least once, else in the
 * legend. Bars are the bounds of the median (95 %). Of more than MANY points all codecs stand in the legend,
 * and there are no arrows. Cost: O(n log n) for n lines, and once O(MANY^2). */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 200 };

typedef struct point {
  const sd_rowsum *line;
  double ns, low, high, bytes; /* low and high: the median where no bounds are known */
  double x, y;                 /* pixels */
  bool front, named;
} point;

typedef struct points {
  point *at;
  size_t n, nfront, untimed, one_sided, pairs;
  bool probes, bounds, free, none; /* whole probes, or single lookups; any is so */
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
    out->nfront += out->at[i].front;
    *(sd_nothing_free (out->at[i].line) ? &out->none : &out->free) = true;
  }
  return SD_OK;
}

/* ----------------------------------------------------------------------- axes */

static void put_axes (sd_plot *p, points *of, const sd_subject *s) {
  double least = INFINITY, most = 0, from = INFINITY, to = 0;
  char title[120];
  for (size_t i = 0; i < of->n; i++) {
    const point *at = &of->at[i];
    least = fmin (least, at->bytes);
    most = fmax (most, at->bytes);
    from = fmin (from, at->low);
    to = fmax (to, at->high);
  }
  snprintf (title, sizeof title, "%s: size against access time", s->title);
  sd_plot_begin (
      p,
      &(sd_plot_words){ title, s->sides == 2 ? "bytes of both sides to move" : "bytes of one side to move",
                        of->probes ? "median time of a whole probe" : "median time of a lookup" },
      p->narrow ? SD_PLOT_NARROW : SD_PLOT_WIDTH, 500, p->narrow ? sd_plot_narrow_margin : sd_plot_margin);
  sd_plot_axis (p, 'y', "bytes", least, most);
  sd_plot_axis (p, 'x', "time", from, to);
  for (size_t i = 0; i < of->n; i++) {
    of->at[i].x = sd_plot_x (p, of->at[i].ns);
    of->at[i].y = sd_plot_y (p, of->at[i].bytes);
  }
}

/* --------------------------------------------------------------------- arrows */

/* The point with freedom of the codec and settings of one without; of several the smallest. NULL: none. */
static const point *freed (const points *of, const point *none) {
  const sd_row *k = none->line->row;
  const point *out = NULL;
  for (size_t i = 0; i < of->n; i++) {
    const point *at = &of->at[i];
    const sd_row *r = at->line->row;
    if (!sd_nothing_free (at->line) && at->line->like[SD_ONE_CODING] == none->line->like[SD_ONE_CODING]
        && strcmp (r->settings, k->settings) == 0 && strcmp (r->sides, k->sides) == 0
        && (!out || at->bytes < out->bytes))
      out = at;
  }
  return out;
}

/* From mark to mark, if there is a way between them. */
static void put_arrow (sd_plot *p, const point *from, const point *to, sd_style style) {
  enum { RADIUS = 7, SHORTEST = 24 };
  const double dx = to->x - from->x, dy = to->y - from->y, far = hypot (dx, dy);
  if (far < SHORTEST)
    return;
  const double x = RADIUS * dx / far, y = RADIUS * dy / far;
  sd_put (&p->gp,
          "set arrow from screen across (%.1f), down (%.1f) to screen across (%.1f), down (%.1f) size screen "
          "across (7), 20 filled lw 1 lc rgb '%s'\n",
          from->x + x, from->y + y, to->x - x, to->y - y, style.colour);
  sd_label_avoid_line (p, from->x, from->y, to->x, to->y);
}

static void put_arrows (sd_plot *p, const sd_rowsums *all, points *of) {
  for (size_t i = 0; i < of->n; i++) {
    const point *none = &of->at[i], *to = sd_nothing_free (none->line) ? freed (of, none) : NULL;
    if (!to)
      continue;
    of->pairs++;
    put_arrow (p, none, to, sd_style_of (all, none->line));
  }
}

/* ---------------------------------------------------------------------- names */

static bool alike (const point *a, const point *b, enum sd_level level) {
  return a->line->like[level] == b->line->like[level];
}

/* Are others of its kind so near that one name stands for all of them? */
static bool is_crowd (const points *of, const point *at) {
  enum { NEAR = 22 };
  for (size_t i = 0; i < of->n; i++)
    if (&of->at[i] != at && alike (&of->at[i], at, SD_ONE_KIND)
        && hypot (of->at[i].x - at->x, of->at[i].y - at->y) < NEAR)
      return true;
  return false;
}

static bool name_crowd (points *of, const point *at) {
  bool named = false;
  for (size_t i = 0; i < of->n; i++)
    named = named || (of->at[i].named && alike (&of->at[i], at, SD_ONE_KIND) && is_crowd (of, &of->at[i]));
  return named;
}

/* With all that tells it from others; where there is no room for so much, only the codec. */
static void name_point (sd_plot *p, const sd_rowsums *all, points *of, point *at, bool briefly) {
  char text[160];
  const char *colour = sd_style_of (all, at->line).colour;
  const bool crowd = is_crowd (of, at);
  if (at->named || (crowd && name_crowd (of, at)))
    return;
  if (briefly)
    snprintf (text, sizeof text, "%s", at->line->row->codec);
  else if (crowd)
    snprintf (text, sizeof text, "%s%s", at->line->row->codec, at->line->shown);
  else
    sd_rowsum_label (at->line, text, sizeof text);
  at->named = sd_label_beside (p, at->x, at->y, text, colour);
}

static bool codec_is_named (const points *of, const point *at) {
  bool named = false;
  for (size_t i = 0; i < of->n; i++)
    named = named || (of->at[i].named && alike (&of->at[i], at, SD_ONE_CODEC));
  return named;
}

static bool is_only_one (const points *of, const point *at) {
  for (size_t i = 0; i < of->n; i++)
    if (&of->at[i] != at && alike (&of->at[i], at, SD_ONE_CODEC))
      return false;
  return true;
}

static void avoid_front (sd_plot *p, const points *of) {
  const point *last = NULL;
  for (size_t i = 0; i < of->n; i++)
    if (of->at[i].front) {
      if (last)
        sd_label_avoid_line (p, last->x, last->y, of->at[i].x, of->at[i].y);
      last = &of->at[i];
    }
}

static void name_points (sd_plot *p, const sd_rowsums *all, points *of) {
  enum { FRONT, ONCE, FREE, NONE, BRIEFLY, TURNS };
  for (size_t i = 0; i < of->n; i++) {
    const point *at = &of->at[i];
    sd_label_avoid (p, (sd_box){ at->x - 6, at->y - 6, at->x + 6, at->y + 6 });
    if (of->bounds)
      sd_label_avoid_line (p, sd_plot_x (p, at->low), at->y, sd_plot_x (p, at->high), at->y);
  }
  for (unsigned turn = FRONT; turn < TURNS; turn++)
    for (size_t i = 0; i < of->n; i++) {
      point *at = &of->at[i];
      const bool none = sd_nothing_free (at->line);
      const bool unnamed = !codec_is_named (of, at);
      if (turn == FRONT  ? at->front
          : turn == FREE ? !none
          : turn == NONE ? none
                         : unnamed && !(turn == ONCE && none))
        name_point (p, all, of, at, turn == BRIEFLY);
      if (turn == ONCE && is_only_one (of, at))
        name_point (p, all, of, at, true);
    }
}

static void annotate (sd_plot *p, const sd_rowsums *all, points *of) {
  avoid_front (p, of);
  put_arrows (p, all, of);
  name_points (p, all, of);
}

/* ----------------------------------------------------------------------- draw */

static void put_point (sd_plot *p, const point *at) {
  sd_put (&p->dat, "%.6g %.6g %.6g %.6g\n", at->ns, at->bytes, at->low, at->high);
}

static void draw_front (sd_plot *p, const points *of) {
  if (of->nfront < 2)
    return;
  sd_plot_set (p, "the Pareto front: ns, bytes, bounds of ns");
  for (size_t i = 0; i < of->n; i++)
    if (of->at[i].front)
      put_point (p, &of->at[i]);
  sd_plot_entry (p, 0, "1:2", "lines lw 1.6 dt 2", "#7a818c");
}

/* The points of the codec of one line with freedom, or those without. */
static void draw_codec (sd_plot *p, const sd_rowsums *all, const points *of, const sd_rowsum *l, bool none) {
  const sd_style style = sd_style_of (all, l);
  const unsigned set = p->sets;
  char label[120], look[60];
  snprintf (label, sizeof label, "%s%s: ns, bytes, bounds of ns", l->row->codec,
            none ? ", nothing free" : "");
  for (size_t i = 0; i < of->n; i++) {
    if (of->at[i].line->like[SD_ONE_CODEC] != l->like[SD_ONE_CODEC]
        || sd_nothing_free (of->at[i].line) != none)
      continue;
    if (set == p->sets)
      sd_plot_set (p, label);
    put_point (p, &of->at[i]);
  }
  if (set == p->sets)
    return;
  if (of->bounds)
    sd_plot_entry (p, set, "1:2:3:4", "xerrorbars pt 0 lw 0.8", style.colour);
  if (none) {
    snprintf (look, sizeof look, "points pt %u ps 1", style.mark);
    sd_plot_entry (p, set, "1:2", look, "white");
  }
  snprintf (look, sizeof look, "points pt %u ps 1%s", sd_plot_mark (style, none), none ? " lw 1.4" : "");
  sd_plot_entry (p, set, "1:2", look, style.colour);
}

/* What filled and hollow marks mean, if there are both; the front; codecs that found no room for a name, each
 * at its first line. */
static void put_legend (sd_plot *p, const sd_rowsums *all, const points *of, const size_t *first) {
  if (of->free && of->none) {
    sd_plot_legend (p, 7, "black", "freedom used");
    sd_plot_legend (p, 6, "black", "nothing free");
  }
  if (of->nfront > 1)
    sd_plot_legend_line (p, 1.6, true, "#7a818c", "Pareto front");
  for (size_t i = 0; i < of->n; i++) {
    const sd_rowsum *l = of->at[i].line;
    const sd_style style = sd_style_of (all, l);
    if (first[l->like[SD_ONE_CODEC]] == i + 1 && (of->n > MANY || !codec_is_named (of, &of->at[i])))
      sd_plot_legend (p, sd_plot_mark (style, sd_nothing_free (l)), style.colour, l->row->codec);
  }
}

static int draw (sd_plot *p, const sd_rowsums *all, const points *of, sd_error *err) {
  size_t *first SD_OWNED = sd_alloc0 (all->numbers[SD_ONE_CODEC], sizeof *first); /* its point + 1 */
  if (!first)
    return sd_fail_memory (err, all->numbers[SD_ONE_CODEC] * sizeof *first);
  for (size_t i = of->n; i-- > 0;)
    first[of->at[i].line->like[SD_ONE_CODEC]] = i + 1;
  put_legend (p, all, of, first);
  draw_front (p, of);
  for (size_t i = 0; i < of->n; i++)
    if (first[of->at[i].line->like[SD_ONE_CODEC]] == i + 1) {
      draw_codec (p, all, of, of->at[i].line, true);
      draw_codec (p, all, of, of->at[i].line, false);
    }
  return SD_OK;
}

static void put_caption (const points *of, sd_figure *f) {
  char left[160] = "", arrows[120] = "";
  if (of->pairs)
    snprintf (arrows, sizeof arrows, " An arrow leads from nothing free to freedom used, all else alike.");
  if (of->untimed)
    snprintf (left, sizeof left, " Left out, lines that were not timed so: %zu.", of->untimed);
  if (of->one_sided)
    snprintf (left + strlen (left), sizeof left - strlen (left), " Left out, lines of one side only: %zu.",
              of->one_sided);
  snprintf (
      f->caption, sizeof f->caption,
      "size against access time (median of a %s, mean of the sides), both axes logarithmic: all %zu lines "
      "that were timed. Filled: freedom used; hollow: nothing free.%s%s%s%s",
      of->probes ? "whole probe" : "lookup", of->n, arrows,
      of->nfront > 1 ? " No other line is both smaller and quicker than those on the Pareto front." : "",
      of->bounds ? " Bars: the median with 95 %." : "", left);
}

int sd_put_access (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  points of;
  int status = collect (&all->subject[subject], &of, err);
  if (status == SD_OK && of.n > 1) {
    put_axes (p, &of, &all->subject[subject]);
    if (of.n <= MANY)
      annotate (p, all, &of);
    status = draw (p, all, &of, err);
    put_caption (&of, f);
  }
  free (of.at);
  return status;
}
