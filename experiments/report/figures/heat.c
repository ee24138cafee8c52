/* A heat map: x and y are the places of a column and a row, from 0 on, `column` and `row` their names, and a
 * place is as dark as its value is many times 1, on a logarithmic scale. For a phone the figure is turned if
 * it has more columns than rows. */
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

typedef struct heat {
  size_t columns, rows;
  const char *column[MOST_COLUMNS], *row[MOST_ROWS];
  double *value; /* row by row; 0: none */
  double most;
} heat;

static void heat_free (heat *h) {
  free (h->value);
}

/* A place from 0 on, below a bound. */
static bool read_place (const sd_figure_rows *r, const char *column, size_t i, unsigned most, size_t *out) {
  const double v = sd_figure_number (r, column, i);
  if (!(v >= 0 && v < most))
    return false;
  *out = (size_t) v;
  return true;
}

static int measure (const sd_figure_rows *r, heat *h, sd_error *err) {
  for (size_t i = 0, x, y; i < r->n; i++) {
    if (!read_place (r, "x", i, MOST_COLUMNS, &x) || !read_place (r, "y", i, MOST_ROWS, &y))
      return sd_fail (err, SD_EINVAL,
                      "%s: a heat map has at most %d columns and %d rows: x and y are numbers from 0 on",
                      r->path, (int) MOST_COLUMNS, (int) MOST_ROWS);
    h->columns = x + 1 > h->columns ? x + 1 : h->columns;
    h->rows = y + 1 > h->rows ? y + 1 : h->rows;
    h->column[x] = sd_figure_text (r, "column", i);
    h->row[y] = sd_figure_text (r, "row", i);
  }
  return SD_OK;
}

static int fill (const sd_figure_rows *r, heat *h, sd_error *err) {
  SD_TRY (measure (r, h, err));
  h->value = sd_alloc0 (h->columns * h->rows + 1, sizeof *h->value);
  if (!h->value)
    return sd_fail_memory (err, h->columns * h->rows * sizeof *h->value);
  for (size_t i = 0, x, y; i < r->n; i++)
    if (read_place (r, "x", i, MOST_COLUMNS, &x) && read_place (r, "y", i, MOST_ROWS, &y)) {
      const double v = sd_figure_positive (r, "value", i);
      h->value[y * h->columns + x] = v > 0 ? v : 0;
      h->most = fmax (h->most, v);
    }
  return SD_OK;
}

/* What stands along an axis. */
typedef struct side {
  const char *const *name;
  size_t n, step; /* names; each `step`-th is written */
  double longest; /* row of a name, pixels */
  unsigned rows;  /* of a name, at most */
} side;

static side side_of (const sd_plot *p, const char *const *name, size_t n, size_t most_names) {
  const unsigned rows = sd_plot_name_rows (p, name, n);
  const size_t most = most_names > rows ? most_names / rows : 1;
  return (side){ name, n, (n + most - 1) / most, sd_plot_longest (p, name, n, 8.6), rows };
}

static unsigned sheet_width (const sd_plot *p) {
  return p->narrow ? SD_PLOT_NARROW : SD_PLOT_WIDE;
}

/* So many names have room below the columns. */
static size_t most_across (const sd_plot *p, const side *down) {
  const double room = sheet_width (p) - down->longest - LEFT - RIGHT, most = room / NAME_ROW;
  return most < 1 ? 1 : most < MOST_NAMES ? (size_t) most : MOST_NAMES;
}

static void put_values (sd_plot *p, const heat *h, bool turned) {
  const size_t lines = turned ? h->columns : h->rows, numbers = turned ? h->rows : h->columns;
  sd_plot_set (p, "a line for each row of the figure, a number for each column");
  /* of a single row or column there are two, of which one is seen: gnuplot draws no image that is a line */
  for (size_t y = 0; y < lines + (lines == 1); y++) {
    for (size_t x = 0; x < numbers + (numbers == 1); x++) {
      const size_t line = y < lines ? y : 0, number = x < numbers ? x : 0;
      sd_plot_number (&p->dat, h->value[turned ? number * h->columns + line : line * h->columns + number]);
    }
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

static void begin (sd_plot *p, const sd_figure_rows *r, const side *across, const side *down, bool turned) {
  const size_t row = down->rows > 1 ? NAME_ROW * down->rows + 5 : ROW_HEIGHT,
               height = row * ((down->n + down->step - 1) / down->step);
  const size_t step = across->step > 1 ? across->step : down->step;
  const sd_box margin = { down->longest + LEFT, 72, RIGHT, across->longest + 48 };
  sd_figure_rows words = *r;
  char more[40] = "";
  if (step > 1)
    snprintf (more, sizeof more, "; each %zu. is named", step);
  if (turned) {
    snprintf (words.y.label, sizeof words.y.label, "%.70s%s%.50s%s", r->y.label,
              *r->y.label && *r->x.label ? "; downwards: " : "", r->x.label, more);
    *words.x.label = *more = 0;
  }
  sd_plot_begin (p, &words, sheet_width (p),
                 (unsigned) (margin.top + margin.bottom)
                     + (unsigned) (height > SCALE_HEIGHT ? height : SCALE_HEIGHT),
                 margin, more);
}

static void put_names (sd_plot *p, const side *across, const side *down) {
  sd_put (&p->gp, "set xtics rotate by 90 right offset 0,0 font 'monospace,14' ");
  sd_plot_names (p, across->name, across->n, across->step);
  sd_put (&p->gp, "set yrange [%zu.5:-0.5]\nset ytics font 'monospace,14' ", down->n - 1);
  sd_plot_names (p, down->name, down->n, down->step);
}

static void draw (sd_plot *p, const sd_figure_rows *r, const heat *h) {
  const bool turned = p->narrow && h->columns > h->rows;
  const char *const *level = turned ? h->row : h->column, *const *upright = turned ? h->column : h->row;
  const size_t n = turned ? h->rows : h->columns, m = turned ? h->columns : h->rows;
  const side down = side_of (p, upright, m, turned ? MOST_NAMES : ALL_NAMES),
             across = side_of (p, level, n, most_across (p, &down));
  begin (p, r, &across, &down, turned);
  put_names (p, &across, &down);
  put_values (p, h, turned);
  put_scale (p, h->most);
  sd_put (
      &p->gp,
      "unset grid\nunset key\nset border 0\nset xtics scale 0\nset ytics scale 0\nset xrange [-0.5:%zu.5]\n"
      "set palette defined (0 '#fff7e6', 0.15 '#f4b566', 0.5 '#c2452d', 1 '#3b0f2b')\n"
      "plot '%s.dat' matrix with image pixels",
      across.n - 1, p->name);
}

int sd_put_heat (sd_plot *p, const sd_figure_rows *r, sd_error *err) {
  heat *h SD_OWNED = sd_alloc0 (1, sizeof *h);
  if (!h)
    return sd_fail_memory (err, sizeof *h);
  const int status = fill (r, h, err);
  if (status == SD_OK && h->most > 0)
    draw (p, r, h);
  heat_free (h);
  return status;
}
