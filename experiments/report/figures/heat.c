/* A heat map: x and y are the places of a column and a row, from 0 on, `column` and `row` their names, and a
 * place is as dark as its value is many times 1, on a logarithmic scale. For a phone the figure is turned if
 * it has more columns than rows.
 *
 * Columns of the answer: x, y, value, column, row. In reports a value says how many times the best something
 * takes; places without a row stay paper. Data are a matrix, so that gnuplot draws one image and not a box
 * for each place. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>

enum {
  MOST_COLUMNS = 2000,
  MOST_ROWS = 200,
  MOST_NAMES = 48,
  ALL_NAMES = 8 * MOST_ROWS,
  ROW_HEIGHT = 26,
  NAME_ROW = 20,
  SCALE_HEIGHT = 150,
  LEFT = 16,
  RIGHT = 110
};

/* What stands along an axis. */
typedef struct side {
  const char *name[MOST_COLUMNS];
  size_t n, step; /* names; each `step`-th is written */
  size_t letters; /* of the longest row of a name */
  unsigned rows;  /* of a name, at most */
  double pixels;  /* of `letters` */
} side;

/* turned: columns of the answer stand along the upright axis. */
typedef struct heat {
  side across, down;
  bool turned;
  double *value; /* row by row; 0: none */
  double most;
} heat;

/* ----------------------------------------------------------------------- rows */

/* A place from 0 on, below a bound. */
static bool read_place (const sd_figure_rows *r, const char *column, size_t i, unsigned most, size_t *out) {
  const double v = sd_figure_number (r, column, i);
  if (!(v >= 0 && v < most))
    return false;
  *out = (size_t) v;
  return true;
}

/* The name of a place may come several times; the last one counts. */
static void add_name (side *s, size_t place, const char *name) {
  s->name[place] = name;
  s->n = place + 1 > s->n ? place + 1 : s->n;
}

static int read_names (const sd_figure_rows *r, heat *h, sd_error *err) {
  for (size_t i = 0, x, y; i < r->n; i++) {
    if (!read_place (r, "x", i, MOST_COLUMNS, &x) || !read_place (r, "y", i, MOST_ROWS, &y))
      return sd_fail (err, SD_EINVAL,
                      "%s: a heat map has at most %d columns and %d rows: x and y are numbers from 0 on",
                      r->path, (int) MOST_COLUMNS, (int) MOST_ROWS);
    add_name (&h->across, x, sd_figure_text (r, "column", i));
    add_name (&h->down, y, sd_figure_text (r, "row", i));
  }
  return SD_OK;
}

static int read_values (const sd_figure_rows *r, heat *h, sd_error *err) {
  h->value = sd_alloc0 (h->across.n * h->down.n + 1, sizeof *h->value);

  if (!h->value)
    return sd_fail_memory (err, h->across.n * h->down.n * sizeof *h->value);

  /* Places have been looked at by read_names. */
  for (size_t i = 0; i < r->n; i++) {
    const size_t x = (size_t) sd_figure_number (r, "x", i), y = (size_t) sd_figure_number (r, "y", i);
    const double v = sd_figure_positive (r, "value", i);
    h->value[h->turned ? x * h->across.n + y : y * h->across.n + x] = v > 0 ? v : 0;
    h->most = fmax (h->most, v);
  }
  return SD_OK;
}

/* Whether it is turned depends on how many columns there are, which the names tell; values are put in their
 * places after that. */
static int fill (const sd_plot *p, const sd_figure_rows *r, heat *h, sd_error *err) {
  SD_TRY (read_names (r, h, err));
  h->turned = p->narrow && h->across.n > h->down.n;
  if (h->turned) {
    const side columns = h->across;
    h->across = h->down;
    h->down = columns;
  }
  return read_values (r, h, err);
}

/* ----------------------------------------------------------------------- draw */

/* Each name, or so many that they have room side by side. */
static void choose_names (const sd_plot *p, side *s, size_t most_names) {
  s->rows = sd_plot_name_rows (p, s->name, s->n, &s->letters);
  s->pixels = 8.6 * (double) s->letters;
  const size_t most = most_names > s->rows ? most_names / s->rows : 1;
  s->step = (s->n + most - 1) / most;
}

static unsigned sheet_width (const sd_plot *p) {
  return p->narrow ? SD_PLOT_NARROW : SD_PLOT_WIDE;
}

/* So many names have room below the columns. */
static size_t most_across (const sd_plot *p, const side *down) {
  const double room = sheet_width (p) - down->pixels - LEFT - RIGHT, most = room / NAME_ROW;
  return most < 1 ? 1 : most < MOST_NAMES ? (size_t) most : MOST_NAMES;
}

/* A line of the matrix for each row of the figure. */
static void put_values (sd_plot *p, const heat *h) {
  const size_t lines = h->down.n, numbers = h->across.n;
  sd_plot_set (p, "a line for each row of the figure, a number for each column");
  /* of a single row or column there are two, of which one is seen: gnuplot draws no image that is a line */
  for (size_t y = 0; y < lines + (lines == 1); y++) {
    for (size_t x = 0; x < numbers + (numbers == 1); x++)
      sd_plot_number (&p->dat, h->value[(y < lines ? y : 0) * numbers + (x < numbers ? x : 0)]);
    sd_put (&p->dat, "\n");
  }
}

/* A scale on which more than its ends is written; its largest value is. */
static void put_scale (sd_plot *p, double most) {
  enum { TICKS = 8 };
  static const struct {
    double most, tick[TICKS];
  } scale[] = { { 1.12, { 1, 1.02, 1.04, 1.06, 1.08, 1.1 } },
                { 1.6, { 1, 1.1, 1.2, 1.3, 1.4, 1.5 } },
                { 4, { 1, 1.25, 1.5, 2, 2.5, 3 } },
                { INFINITY, { 1, 2, 5, 10, 20, 50, 100, 1000 } } };

  const double end = most > 1.02 ? most : 1.02;
  unsigned k = 0;
  while (end > scale[k].most)
    k++;

  sd_put (&p->gp, "set logscale cb\nset cbrange [1:%.6g]\nset cbtics (", end);
  for (unsigned i = 0; i < TICKS && scale[k].tick[i] > 0; i++)
    if (log (scale[k].tick[i]) < 0.9 * log (end)) /* else it would touch the last one */
      sd_put (&p->gp, "'%.4g' %.4g, ", scale[k].tick[i], scale[k].tick[i]);
  sd_put (&p->gp, "'%.3g' %.6g)\n", end, end);
}

static void begin (sd_plot *p, const sd_figure_rows *r, const heat *h) {
  const side *across = &h->across, *down = &h->down;
  const size_t row = down->rows > 1 ? NAME_ROW * down->rows + 5 : ROW_HEIGHT,
               height = row * ((down->n + down->step - 1) / down->step);
  const size_t step = across->step > 1 ? across->step : down->step;

  const sd_box margin = { down->pixels + LEFT, 72, RIGHT, across->pixels + 48 };
  sd_figure_rows words = *r;
  char more[40] = "";

  if (step > 1)
    snprintf (more, sizeof more, "; each %zu. is named", step);

  /* Turned, the words of the axes change places: what is named downwards is said above the figure. */
  if (h->turned) {
    snprintf (words.y.label, sizeof words.y.label, "%.70s%s%.50s%s", r->y.label,
              *r->y.label && *r->x.label ? "; downwards: " : "", r->x.label, more);
    *words.x.label = *more = 0;
  }

  sd_plot_begin (p, &words, sheet_width (p),
                 (unsigned) (margin.top + margin.bottom)
                     + (unsigned) (height > SCALE_HEIGHT ? height : SCALE_HEIGHT),
                 margin, more);
}

static void draw (sd_plot *p, const sd_figure_rows *r, heat *h) {
  side *across = &h->across, *down = &h->down;
  choose_names (p, down, h->turned ? MOST_NAMES : ALL_NAMES);
  choose_names (p, across, most_across (p, down));

  begin (p, r, h);
  sd_put (&p->gp, "set xtics rotate by 90 right offset 0,0 font 'monospace,14' ");
  sd_plot_names (p, across->name, across->n, across->step);
  sd_put (&p->gp, "set yrange [%zu.5:-0.5]\nset ytics font 'monospace,14' ", down->n - 1);
  sd_plot_names (p, down->name, down->n, down->step);

  put_values (p, h);
  put_scale (p, h->most);

  sd_put (
      &p->gp,
      "unset grid\nunset key\nset border 0\nset xtics scale 0\nset ytics scale 0\nset xrange [-0.5:%zu.5]\n"
      "set palette defined (0 '#fff7e6', 0.15 '#f4b566', 0.5 '#c2452d', 1 '#3b0f2b')\n"
      "plot '%s.dat' matrix with image pixels",
      across->n - 1, p->name);
}

int sd_put_heat (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  heat *h SD_OWNED = sd_alloc0 (1, sizeof *h);
  if (!h)
    return sd_fail_memory (err, sizeof *h);
  const int status = fill (p, r, h, err);
  if (status == SD_OK && h->most > 0)
    draw (p, r, h);
  free (h->value);
  return status;
}
