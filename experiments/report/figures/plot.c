/* The parts of a gnuplot script. Each script reads style.gp, which is written beside it and says how figures
 * of the project look. Margins are pixels, so that it is known here where everything stands. Scripts hold no
 * text of a row but through sd_put_gnuplot.
 *
 * A drawer calls sd_plot_begin, then sd_plot_axis, legend and labels in any order, then the sets of data
 * with their entries of the plot command, which comes last in a script. figures.c writes both texts into
 * files. Words such as `paper`, `heading`, `legend` are macros of style.gp, called by eval. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEGEND_LETTER 8.1 /* pixels, at most */
enum {
  EDGE = 16,
  TITLE = 17,
  TITLE_ROW = 26,
  LEGEND_ROW = 20
};                         /* pixels, as in style.gp: from the paper's edge; a letter, a row */

unsigned sd_plot_width (const sd_plot *p) {
  return p->narrow ? SD_PLOT_NARROW : SD_PLOT_WIDTH;
}

sd_box sd_plot_margin (const sd_plot *p) {
  return p->narrow ? (sd_box){ 72, 96, 16, 64 } : (sd_box){ 84, 96, 34, 64 };
}

/* How many letters of a text stand in a row of at most `most`: all, or up to a blank, or as many as there is
 * room for. */
static size_t row_of (const char *text, size_t most) {
  size_t n = strlen (text);
  if (n <= most)
    return n;
  for (n = most; n && text[n] != ' ';)
    n--;
  for (n = n ? n : most; n > 1 && (text[n] & 0xc0) == 0x80;) /* inside of a character */
    n--;
  return n;
}

/* In gnuplot's own words a text of several rows is a sum: "one" . "\n" . "two". letters: of a row; at least
 * one letter stands in each. */
unsigned sd_plot_text (sd_buf *gp, const char *text, double letters) {
  const size_t most = letters > 1 ? (size_t) letters : 1;
  unsigned rows = 0;
  char row[400];

  do {
    const size_t n = row_of (text, most < sizeof row ? most : sizeof row - 1);
    snprintf (row, sizeof row, "%.*s", (int) n, text);
    sd_put (gp, "%s", rows++ ? " . \"\\n\" . " : "");
    sd_put_gnuplot (gp, row);
    text += n;
    text += strspn (text, " ");
  } while (*text);
  return rows;
}

/* Returns the pixels that rows behind the first one take. A variable of style.gp, which `eval heading`
 * writes. */
static unsigned put_words (sd_buf *gp, const char *name, const char *text, double width, unsigned row) {
  sd_put (gp, "%s = ", name);
  const unsigned rows = sd_plot_text (gp, text, width);
  sd_put (gp, "\n");
  return row * (rows - 1);
}

void sd_plot_begin (sd_plot *p, const sd_figure_rows *r, unsigned width, unsigned height, sd_box margin,
                    const char *more) {
  char below[sizeof r->x.label + 60];
  sd_buf words SD_RELEASED_BY (sd_buf_free) = { 0 };
  snprintf (below, sizeof below, "%s%.50s", r->x.label, more);

  /* What rows beyond the first one take makes the figure higher, and leaves the axes their size. */
  const double letters = (width - 2 * EDGE) / sd_label_width ("x");
  const unsigned above = put_words (&words, "TITLE", r->title, letters * SD_PLOT_LETTER / TITLE, TITLE_ROW)
                         + put_words (&words, "WHAT", r->y.label, letters, SD_PLOT_ROW)
                         + (p->room > 1 ? LEGEND_ROW * (p->room - 1) : 0),
                 under = put_words (&words, "BELOW", below, letters, SD_PLOT_ROW);

  margin.top += above;
  margin.bottom += under;

  p->width = width;
  p->height = height + above + under;
  p->frame = (sd_box){ margin.left, margin.top, width - margin.right, p->height - margin.bottom };
  p->legend_x = EDGE;

  sd_put (&p->gp,
          "# run gnuplot in this folder to draw the figure again\nreset\nload 'style.gp'\n"
          "eval paper (%u, %u, '%s')\neval frame (%g, %g, %g, %g)\n",
          width, p->height, p->name, margin.left, margin.right, margin.top, margin.bottom);
  sd_buf_append (&p->gp, words.data, words.len);
  sd_put (&p->gp, "eval heading\n");
}

void sd_plot_free (sd_plot *p) {
  sd_buf_free (&p->gp);
  sd_buf_free (&p->dat);
  free (p->taken);
}

/* Ticks of a narrow axis are named as those of a usual one that shows as much more. */
static double room_for_names (const sd_plot *p, char axis) {
  return p->narrow && axis == 'x' ? (double) SD_PLOT_WIDTH / SD_PLOT_NARROW : 1;
}

/* More names of ticks where less is to be seen: powers of ten; 1, 2, 5; ten of a power of ten. Names above
 * each other take less room than side by side. */
static unsigned names_of (const sd_plot *p, char axis, double shown) {
  const double ratio = pow (shown, room_for_names (p, axis));
  return ratio < 8 ? 9 : ratio < (axis == 'y' ? 2000 : 300) ? 3 : 1;
}

/* The axis goes beyond least and most by the factor `more`, and is remembered for sd_plot_x and sd_plot_y. */
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
  const double shown = powers * room_for_names (p, axis);
  sd_put (&p->gp, "eval binary_ticks ('%c', '%s', %d)\n", axis, unit, shown <= 6 ? 1 : shown <= 14 ? 2 : 4);
  put_range (p, axis, least, most, powers > 0 ? pow (2, powers / 16) : 2);
}

/* Beyond least and most there is a little room, less of it where an upright axis shows a narrow range. */
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

/* gnuplot tells sets apart by two empty lines, and numbers them from 0. */
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

/* set: its number; columns and look: as the plot command has them. */
void sd_plot_entry (sd_plot *p, unsigned set, const char *columns, const char *look, const char *colour) {
  sd_put (&p->gp, "%s'%s.dat' index %u using %s with %s lc rgb '%s'", p->entries++ ? ", \\\n  " : "plot ",
          p->name, set, columns, look, colour);
}

/* Below a hollow mark stands a filled one of paper, so that no line is seen through it. */
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
    sd_plot_text (&p->gp, name[i] ? name[i] : "", p->letters);
    sd_put (&p->gp, " %zu", i);
  }
  sd_put (&p->gp, ")\n");
}

unsigned sd_plot_name_rows (const sd_plot *p, const char *const *name, size_t n, size_t *longest) {
  unsigned most = 1;
  *longest = 0;

  for (size_t i = 0; i < n; i++) {
    unsigned rows = 0;
    for (const char *text = name[i] ? name[i] : ""; *text; rows++) {
      const size_t row = row_of (text, p->letters);
      *longest = row > *longest ? row : *longest;
      text += row;
      text += strspn (text, " ");
    }

    most = rows > most ? rows : most;
  }
  return most;
}

/* Letters of a name in the legend. */
static double legend_letters (const sd_plot *p) {
  return (sd_plot_width (p) - 48) / LEGEND_LETTER;
}

/* Entries stand in rows as next_entry of style.gp puts them; rows are counted, so that there is room for all
 * of them above the axes. mark: pixels of what stands beside the name. */
static void put_name (sd_plot *p, const char *label, double mark) {
  const double width = LEGEND_LETTER * (double) strlen (label);
  if (!p->rows || (p->legend_x > EDGE && p->legend_x + 30 + width > p->width - 8)) {
    p->rows++;
    p->legend_x = EDGE;
  }

  p->legend_x += mark + width;
  sd_put (&p->gp, "ENTRY = ");
  p->rows += sd_plot_text (&p->gp, label, legend_letters (p)) - 1;
}

void sd_plot_legend (sd_plot *p, sd_plot_key key, const char *label) {
  if (!*label)
    return;
  if (key.size > 0)
    sd_put (&p->gp, "MARK = %g\n", key.size);

  put_name (p, label, key.width > 0 ? 52 : 40);
  if (key.mark && key.width > 0)
    sd_put (&p->gp, "; eval legend_joined (%u, %g, '%s', %u)\n", key.mark, key.width, key.colour, key.dash);
  else if (key.mark)
    sd_put (&p->gp, "; eval legend (%u, '%s')\n", key.mark, key.colour);
  else
    sd_put (&p->gp, "; eval legend_line (%g, '%s', %u)\n", key.width, key.colour, key.dash);
}

unsigned sd_plot_mark (sd_style style, bool hollow) {
  return style.mark - hollow;
}
