/* A scatter of two logarithmic axes: size against time, say. A mark is filled, or hollow where the column
 * `hollow` says so; an arrow leads to (to_x, to_y); a line connects the marks of the front in the order of
 * the rows. Marks are named where there is room, if need be at the end of a thin line: those of the front and
 * the smallest of each series first. Where a name has no room a letter stands in its place, which the legend
 * explains. One name stands for marks of one `crowd` that are side by side, and for both ends of an arrow. If
 * more than KEYS names have no room, each series has one name at least, of more than MANY marks all of
 * them stand in the legend. Bars are the bounds of x. Cost: O(n log n) for n rows, and once O(MANY^2).
 *
 * Pixels are known here, as the margins are (plot.c), so that names can be placed before anything is
 * drawn. The order of the work matters: lines and marks that no name may cover first, then names, best
 * ranks first, then the legend of those that found no room. Columns of the answer: series, x, y, label;
 * low, high (bounds of x), hollow, front, to_x, to_y, crowd, crowd_label where there are any. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond MANY marks none is named, as each name looks at all marks; KEYS: entries of the legend that stand
 * for names. */
enum { MANY = 200, KEYS = 12 };

typedef struct point {
  size_t row, series; /* of the answer; by the order of their first marks */
  size_t freed;       /* the mark its arrow leads to, or itself */
  double x, y, bound[2];
  double across, down; /* pixels */
  bool hollow, front;
  bool named, told; /* it has a name, here or in the legend; one that stands for it, too */
  char letter;      /* which stands there for its name */
} point;

/* series: the first mark of each, and the style. */
typedef struct scatter {
  const sd_figure_rows *r;
  point *at;
  size_t *first;
  sd_style *style;
  sd_mark_at *other; /* room for marks */
  size_t n, nseries, nfront;
  size_t key[MANY], nkeys;     /* marks whose names stand in the legend: those with letters, 'a' first */
  bool bounds, filled, hollow; /* any is so */
} scatter;

static void scatter_free (scatter *s) {
  free (s->at);
  free (s->first);
  free (s->style);
  free (s->other);
}

/* A text of the row of a mark. */
static const char *text (const scatter *s, const point *p, const char *column) {
  return sd_figure_text (s->r, column, p->row);
}

/* ---------------------------------------------------------------------- rows */

/* What is not positive in x or y has no place on logarithmic axes. */
static void add_point (scatter *s, size_t row) {
  const double x = sd_figure_positive (s->r, "x", row), y = sd_figure_positive (s->r, "y", row);
  if (isnan (x) || isnan (y))
    return;

  point *p = &s->at[s->n++];
  *p = (point){ .row = row, .x = x, .y = y };
  p->hollow = sd_figure_flag (s->r, "hollow", row);
  p->front = sd_figure_flag (s->r, "front", row);
  s->bounds = sd_figure_bounds (s->r, row, x, p->bound) || s->bounds;
  s->nfront += p->front;
  *(p->hollow ? &s->hollow : &s->filled) = true;
}

/* Series come in the order of their first marks. Those that are more than can be told apart are one. */
static void number_series (scatter *s) {
  for (size_t i = 0; i < s->n; i++) {
    point *p = &s->at[i];
    const char *name = text (s, p, "series");
    const sd_style style = sd_style_of (s->r->styles, name);
    for (p->series = 0; p->series < s->nseries; p->series++)
      if (style.other ? s->style[p->series].other
                      : strcmp (text (s, &s->at[s->first[p->series]], "series"), name) == 0)
        break;

    if (p->series == s->nseries) {
      s->first[s->nseries] = i;
      s->style[s->nseries++] = style;
    }
  }
}

static int collect (const sd_figure_rows *r, scatter *s, sd_error *err) {
  *s = (scatter){ .r = r,
                  .at = sd_alloc0 (r->n + 1, sizeof *s->at),
                  .first = sd_alloc (r->n + 1, sizeof *s->first),
                  .style = sd_alloc (r->n + 1, sizeof *s->style),
                  .other = sd_alloc (r->n + 1, sizeof *s->other) };

  if (!s->at || !s->first || !s->style || !s->other)
    return sd_fail_memory (err, r->n * sizeof *s->at);
  for (size_t i = 0; i < r->n; i++)
    add_point (s, i);
  number_series (s);
  return SD_OK;
}

/* Both axes with all bounds in them; from here on each mark has its pixels. */
static void put_axes (sd_plot *p, scatter *s) {
  double least = INFINITY, most = 0, from = INFINITY, to = 0;
  for (size_t i = 0; i < s->n; i++) {
    const point *at = &s->at[i];
    least = fmin (least, at->y);
    most = fmax (most, at->y);
    from = fmin (from, at->bound[0]);
    to = fmax (to, at->bound[1]);
  }

  sd_plot_begin (p, s->r, sd_plot_width (p), p->narrow ? 460 : 500, sd_plot_margin (p), "");
  const double more = pow (most / least, 0.05); /* room for names above and below the outermost marks */
  sd_plot_axis (p, 'y', s->r->y.unit, least / more, most * more);
  sd_plot_axis (p, 'x', s->r->x.unit, from, to);

  for (size_t i = 0; i < s->n; i++) {
    s->at[i].across = sd_plot_x (p, s->at[i].x);
    s->at[i].down = sd_plot_y (p, s->at[i].y);
  }
}

/* --------------------------------------------------------------------- arrows */

/* From mark to mark, if there is a way between them. A short one comes nearer to the marks and has a smaller
 * head; where not even that has room it is a plain line. */
static void put_arrow (sd_plot *p, const point *from, double to_x, double to_y, const char *colour) {
  enum { RADIUS = 7, HEAD = 7, TOUCHING = 10, LEAST = 6, SHORTEST = 17 };
  const double dx = to_x - from->across, dy = to_y - from->down, far = hypot (dx, dy);
  if (far < TOUCHING)
    return;

  const bool head = far >= SHORTEST;
  /* marks cover the ends of a plain line */
  const double radius = head ? fmin (RADIUS, (far - LEAST) / 2) : 0;
  const double x = radius * dx / far, y = radius * dy / far;

  sd_put (&p->gp, "set arrow from screen across (%.1f), down (%.1f) to screen across (%.1f), down (%.1f) ",
          from->across + x, from->down + y, to_x - x, to_y - y);
  if (head)
    sd_put (&p->gp, "size screen across (%.3g), 20 filled", fmin (HEAD, far - 2 * radius));
  sd_put (&p->gp, "%s lw 1 lc rgb '%s'\n", head ? "" : "nohead", colour);

  sd_label_avoid_line (p, from->across, from->down, to_x, to_y);
}

/* The mark of a series at x, y; without one `self`. */
static size_t mark_at (const scatter *s, size_t self, double x, double y) {
  for (size_t i = 0; i < s->n && s->n <= MANY; i++)
    if (s->at[i].series == s->at[self].series && hypot (s->at[i].across - x, s->at[i].down - y) < 0.5)
      return i;
  return self;
}

/* Arrows lead to numbers, not to marks; where a mark of the series stands there, one name is enough for
 * both. */
static void put_arrows (sd_plot *p, scatter *s) {
  for (size_t i = 0; i < s->n; i++) {
    const double x = sd_figure_positive (s->r, "to_x", s->at[i].row),
                 y = sd_figure_positive (s->r, "to_y", s->at[i].row);
    s->at[i].freed = i;
    if (x > 0 && y > 0) {
      put_arrow (p, &s->at[i], sd_plot_x (p, x), sd_plot_y (p, y), s->style[s->at[i].series].colour);
      s->at[i].freed = mark_at (s, i, sd_plot_x (p, x), sd_plot_y (p, y));
    }
  }
}

/* ---------------------------------------------------------------------- names */

static bool is_one_crowd (const scatter *s, const point *a, const point *b) {
  const char *crowd = text (s, a, "crowd");
  return *crowd && strcmp (crowd, text (s, b, "crowd")) == 0;
}

/* Are others of its crowd so near that one name stands for all of them? */
static bool is_crowded (const scatter *s, const point *at) {
  enum { NEAR = 16 };
  for (size_t i = 0; i < s->n; i++)
    if (&s->at[i] != at && is_one_crowd (s, &s->at[i], at)
        && hypot (s->at[i].across - at->across, s->at[i].down - at->down) < NEAR)
      return true;
  return false;
}

/* A name of a mark tells what the marks of its crowd are, and those at the other ends of arrows. */
static void tell (scatter *s, const point *who) {
  const bool crowded = is_crowded (s, who);
  for (size_t i = 0; i < s->n; i++) {
    point *at = &s->at[i];
    if (at == who || (crowded && is_one_crowd (s, at, who) && is_crowded (s, at)))
      at->told = true;
  }
  for (size_t i = 0; i < s->n; i++) {
    point *from = &s->at[i], *to = &s->at[from->freed];
    from->told = to->told = from->told || to->told;
  }
}

/* Marks that the name is not meant for: all but the mark, and those of its crowd that it stands for. */
static void set_others (sd_plot *p, scatter *s, const point *at, bool crowded) {
  p->other = s->other;
  p->nother = 0;
  for (size_t i = 0; i < s->n; i++)
    if (&s->at[i] != at && !(crowded && is_one_crowd (s, &s->at[i], at)))
      s->other[p->nother++] = (sd_mark_at){ s->at[i].across, s->at[i].down, s->at[i].told };
}

/* All that tells it from others; of a crowd what its marks share. */
static const char *name_of (const scatter *s, const point *at) {
  const char *name = text (s, at, is_crowded (s, at) ? "crowd_label" : "label");
  return *name ? name : text (s, at, "series");
}

/* A name beside a mark that has none, if there is room; told: it was named, or another name stands for it. */
static void name_point (sd_plot *p, scatter *s, point *at, const char *name, double reach) {
  if (at->told)
    return;
  set_others (p, s, at, is_crowded (s, at));
  at->named = sd_label_beside (p, at->across, at->down, reach, name, s->style[at->series].colour);
  if (at->named)
    tell (s, at);
}

/* Those that are more than can be told apart are no series: a name of one tells nothing of the others. */
static bool is_series_named (const scatter *s, const point *at) {
  for (size_t i = 0; i < s->n && !s->style[at->series].other; i++)
    if (s->at[i].named && s->at[i].series == at->series)
      return true;
  return false;
}

/* Is it the smallest of its series, and the first of those? */
static bool is_best (const scatter *s, const point *at) {
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].series == at->series && (s->at[i].y < at->y || (&s->at[i] < at && s->at[i].y <= at->y)))
      return false;
  return true;
}

/* The line of the front goes from mark to mark in the order of the rows. */
static void avoid_front (sd_plot *p, const scatter *s) {
  const point *last = NULL;
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].front) {
      if (last)
        sd_label_avoid_line (p, last->across, last->down, s->at[i].across, s->at[i].down);
      last = &s->at[i];
    }
}

/* The bar, and the strokes across its ends, which could be read as letters. */
static void avoid_bounds (sd_plot *p, const point *at) {
  const double low = sd_plot_x (p, at->bound[0]), high = sd_plot_x (p, at->bound[1]);
  sd_label_avoid_line (p, low, at->down, high, at->down);
  if (high > low) {
    sd_label_avoid_mark (p, low, at->down);
    sd_label_avoid_mark (p, high, at->down);
  }
}

enum { NEAR = 48, FAR = 120 }; /* pixels of a line that leads to a name */

enum { FRONT, BEST, FILLED, ALL, RANKS };

/* Marks of the ranks from..to-1, the first rank first: beside the marks, else at the ends of lines. */
static void name_ranks (sd_plot *p, scatter *s, unsigned from, unsigned to) {
  static const double reach[] = { 0, NEAR, FAR };
  /* All ranks near their marks first, so that no long line is drawn where a short way would do. */
  for (unsigned far = 0; far < sizeof reach / sizeof *reach; far++)
    for (unsigned rank = from; rank < to; rank++)
      for (size_t i = 0; i < s->n; i++) {
        point *at = &s->at[i];
        const bool now[RANKS] = { at->front, is_best (s, at), !at->hollow, true };
        if (now[rank])
          name_point (p, s, at, name_of (s, at), reach[far]);
      }
}

/* With all that tells each from others. In a crowd the best have the room that they need. */
static void name_fully (sd_plot *p, scatter *s) {
  enum { CROWD = 60 };
  const unsigned chief = s->n > CROWD ? FILLED : RANKS;
  name_ranks (p, s, FRONT, chief);
  name_ranks (p, s, chief, RANKS);
}

/* Has it no name yet? chief: of the front and the best. */
static bool is_untold (const scatter *s, const point *at, bool chief) {
  return !at->told && (!chief || at->front || is_best (s, at));
}

/* Do those without a name have few names? The two ends of an arrow have one. */
static bool are_few_untold (const scatter *s, bool chief) {
  const char *name[KEYS];
  size_t n = 0, k;

  for (size_t i = 0; i < s->n; i++) {
    if (!is_untold (s, &s->at[i], chief))
      continue;

    const char *own = name_of (s, &s->at[i]);
    for (k = 0; k < n && strcmp (name[k], own) != 0;)
      k++;
    if (k == KEYS)
      return false;
    name[k] = own;
    n = k == n ? n + 1 : n;
  }
  return true;
}

/* Does the same name stand there for a mark of the same series? */
static bool is_name_there (const scatter *s, const point *at) {
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].named && s->at[i].series == at->series
        && strcmp (name_of (s, &s->at[i]), name_of (s, at)) == 0)
      return true;
  return false;
}

/* A letter beside each of them, the filled ones first; what has no room even for that stands in the legend
 * without one, once. */
static void name_by_letters (sd_plot *p, scatter *s, bool chief) {
  enum { FILLED_ONES, HOLLOW_ONES, REST, TURNS, LETTERS = 26 };

  for (unsigned turn = FILLED_ONES; turn < TURNS; turn++)
    for (size_t i = 0; i < s->n; i++) {
      point *at = &s->at[i];
      const char letter[] = { (char) ('a' + s->nkeys), '\0' };
      if (!is_untold (s, at, chief)
          || (turn != REST && (at->hollow != (turn == HOLLOW_ONES) || s->nkeys == LETTERS)))
        continue;

      if (turn != REST) {
        name_point (p, s, at, letter, NEAR);
        at->letter = at->named ? letter[0] : '\0';
      } else {
        at->named = !is_name_there (s, at);
        tell (s, at);
      }

      if (at->named)
        s->key[s->nkeys++] = i;
    }
}

/* With the name of its series, each series once. */
static void name_series (sd_plot *p, scatter *s) {
  for (size_t i = 0; i < s->n; i++)
    if (!is_series_named (s, &s->at[i]))
      name_point (p, s, &s->at[i], text (s, &s->at[i], "series"), FAR);
}

/* In three turns: full names; letters, if those are few enough for a legend; the name of each series that has
 * none. */
static void name_points (sd_plot *p, scatter *s) {
  for (size_t i = 0; i < s->n; i++) {
    const point *at = &s->at[i];
    sd_label_avoid_mark (p, at->across, at->down);
    if (s->bounds)
      avoid_bounds (p, at);
  }

  name_fully (p, s);
  const bool few = are_few_untold (s, false);
  if (few || are_few_untold (s, true))
    name_by_letters (p, s, !few);
  name_series (p, s);
}

/* ----------------------------------------------------------------------- draw */

static void put_point (sd_plot *p, const point *at) {
  sd_put (&p->dat, "%.6g %.6g %.6g %.6g\n", at->x, at->y, at->bound[0], at->bound[1]);
}

/* "repair, no freedom: ns, bytes, bounds of ns" */
static void begin_set (sd_plot *p, const scatter *s, const char *whose, bool hollow) {
  char label[200];
  const char *of = s->r->legend[1], *x = sd_plot_unit (s->r->x.unit), *y = sd_plot_unit (s->r->y.unit);
  snprintf (label, sizeof label, "%.80s%s%.60s: %s, %s, bounds of %s", whose, hollow && *of ? ", " : "",
            hollow ? of : "", x, y, x);
  sd_plot_set (p, label);
}

static void draw_front (sd_plot *p, const scatter *s) {
  char whose[100];
  if (s->nfront < 2)
    return;
  snprintf (whose, sizeof whose, "the %s", *s->r->legend[2] ? s->r->legend[2] : "front");
  begin_set (p, s, whose, false);
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].front)
      put_point (p, &s->at[i]);
  sd_plot_entry (p, 0, "1:2", "lines lw 6", SD_BAND);
}

/* Filled or hollow marks of a series, as a set of data of their own; without such marks there is no set. */
static void draw_series (sd_plot *p, const scatter *s, size_t series, bool hollow) {
  const unsigned set = p->sets;
  for (size_t i = 0; i < s->n; i++) {
    if (s->at[i].series != series || s->at[i].hollow != hollow)
      continue;
    if (set == p->sets)
      begin_set (p, s, text (s, &s->at[i], "series"), hollow);
    put_point (p, &s->at[i]);
  }
  if (set == p->sets)
    return;

  if (s->bounds)
    sd_plot_entry (p, set, "1:2:3:4", "xerrorbars pt -1 lw 0.8", s->style[series].colour);
  sd_plot_marks (p, set, s->style[series], hollow, "1");
}

static sd_plot_key key_of (const scatter *s, const point *at) {
  const sd_style style = s->style[at->series];
  return (sd_plot_key){ .mark = sd_plot_mark (style, at->hollow), .colour = style.colour };
}

/* "a: repair block=128": the letter of a mark and its name. */
static void put_keys (sd_plot *p, const scatter *s) {
  char name[200];
  for (size_t k = 0; k < s->nkeys; k++) {
    const point *at = &s->at[s->key[k]];
    const char letter[] = { at->letter, at->letter ? ':' : '\0', ' ', '\0' };
    snprintf (name, sizeof name, "%s%.180s", letter, name_of (s, at));
    sd_plot_legend (p, key_of (s, at), name);
  }
}

/* Series that found no room for a name. */
static void put_series_legend (sd_plot *p, const scatter *s) {
  for (size_t k = 0; k < s->nseries; k++) {
    const point *first = &s->at[s->first[k]];
    if (s->n > MANY || !is_series_named (s, first))
      sd_plot_legend (p, key_of (s, first), s->style[k].other ? "others" : text (s, first, "series"));
  }
}

/* What filled and hollow marks mean, if there are both; the front. */
static void put_legend (sd_plot *p, const scatter *s) {
  if (s->filled && s->hollow) {
    sd_plot_legend (p, (sd_plot_key){ .mark = 7, .colour = "black" }, s->r->legend[0]);
    sd_plot_legend (p, (sd_plot_key){ .mark = 6, .colour = "black" }, s->r->legend[1]);
  }
  if (s->nfront > 1)
    sd_plot_legend (p, (sd_plot_key){ .colour = SD_BAND, .width = 6, .dash = 1 }, s->r->legend[2]);
  put_keys (p, s);
  put_series_legend (p, s);
}

int sd_put_front (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  scatter s SD_RELEASED_BY (scatter_free) = { .n = 0 };
  SD_TRY (collect (r, &s, err));
  if (!s.n)
    return SD_OK;

  put_axes (p, &s);
  avoid_front (p, &s);
  put_arrows (p, &s);
  if (s.n <= MANY)
    name_points (p, &s);

  /* Of each series the hollow marks first, so that filled ones lie on them. */
  put_legend (p, &s);
  draw_front (p, &s);
  for (size_t k = 0; k < s.nseries; k++) {
    draw_series (p, &s, k, true);
    draw_series (p, &s, k, false);
  }
  return SD_OK;
}
