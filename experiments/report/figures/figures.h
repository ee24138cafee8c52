/** \file figures.h
 * Figures: a query file with a kind in its head (`figure`) is asked, and each part of its answer becomes a
 * script of gnuplot with its data. What is drawn is the query's matter: the drawers know the columns of their
 * kind and nothing of tables, codecs or stores. */
#ifndef SD_REPORT_FIGURES_H
#define SD_REPORT_FIGURES_H

#include "experiments/report/report_internal.h"

/* ---------------------------------------------------------------------- rows */

/** "UNIT | LABEL" of the head. unit: one that sd_plot_unit knows. */
typedef struct sd_figure_words {
  char unit[12], label[160];
} sd_figure_words;

/** The rows of one figure, which follow each other in the answer, and its words. */
typedef struct sd_figure_rows {
  const char *path; /* of the query file, for messages */
  const sd_result *a;
  size_t from, n; /* rows from..from+n-1 of the answer */
  sd_styles *styles;
  /* what the head says, with its {expressions} filled in from the first of the rows */
  char title[240], legend[3][80];
  sd_figure_words x, y;
} sd_figure_rows;

/** NaN: NULL, no number that can be drawn, or there is no such column. */
double sd_figure_number (const sd_figure_rows *r, const char *column, size_t i);
/** A number above zero, as a logarithmic axis has them; NaN: none. */
double sd_figure_positive (const sd_figure_rows *r, const char *column, size_t i);
/** Is it there, and neither NULL nor 0? */
bool sd_figure_flag (const sd_figure_rows *r, const char *column, size_t i);
/** ""; there is none. Of the columns that figures.c lists for the kind. */
const char *sd_figure_text (const sd_figure_rows *r, const char *column, size_t i);
/** All of them, in memory of the caller's; NULL: no memory. */
const char **sd_figure_texts (const sd_figure_rows *r, const char *column);
bool sd_figure_has (const sd_figure_rows *r, const char *column);
/** The bounds of a number; where they are not known, or do not hold it, both are it, and false. */
bool sd_figure_bounds (const sd_figure_rows *r, size_t i, double v, double out[2]);

/* ---------------------------------------------------------------------- plots */

/** A rectangle, pixels from the figure's left and upper edge. */
typedef struct sd_box {
  double left, top, right, bottom;
} sd_box;

/** A mark, pixels as above. */
typedef struct sd_mark_at {
  double x, y;
  bool told; /* a name stands for it */
} sd_mark_at;

/** A logarithmic axis: what stands at its ends. */
typedef struct sd_figure_axis {
  double from, to;
} sd_figure_axis;

/** A figure in work: its script, its data. */
typedef struct sd_plot {
  sd_buf gp, dat; /* the script, its data */
  char name[80];
  bool narrow;                           /* the drawing for a phone of a figure that has another one */
  unsigned width, height, sets, entries; /* pixels; sets of data, entries of the plot command so far */
  unsigned room, rows;                   /* rows of the legend: that there is room for, that it has so far */
  unsigned letters;                      /* of a row of a name beside an axis */
  double legend_x;                       /* where the next entry of the legend begins, pixels */
  sd_box frame;                          /* of the axes */
  sd_figure_axis x, y;                   /* as far as they are logarithmic */
  sd_box *taken;                         /* where no name may stand */
  uint64_t ntaken, cap;
  const sd_mark_at *other; /* marks that a name must not be nearer to than to its own; NULL: none */
  size_t nother;
} sd_plot;

enum {
  SD_PLOT_NARROW = 400,
  SD_PLOT_WIDTH = 640,
  SD_PLOT_WIDE = 1000,
  SD_PLOT_LETTER = 14,
  SD_PLOT_ROW = 21
}; /* pixels; a row of letters */

/** Title and axes have the words of the rows. width and height in pixels; margin: pixels left, above, right
 * and below the axes, where heading, legend and label of the level axis take a row each. Of each further row
 * height and margin become larger. more: what is said behind the label of the level axis. */
void sd_plot_begin (sd_plot *p, const sd_figure_rows *r, unsigned width, unsigned height, sd_box margin,
                    const char *more);
void sd_plot_free (sd_plot *p);
/** Pixels: 640, or 400 for a phone. */
unsigned sd_plot_width (const sd_plot *p);
/** Margins of a figure of two axes with numbers. */
sd_box sd_plot_margin (const sd_plot *p);
/** In what numbers of this unit of the head are counted ("ns" for "time"); NULL: there is no such unit. */
const char *sd_plot_unit (const char *unit);
/** The units, for a message. */
#define SD_PLOT_UNITS "bytes, binary, time, per cent"
/** A logarithmic axis, 'x' or 'y', with a little more than least to most. */
void sd_plot_axis (sd_plot *p, char axis, const char *unit, double least, double most);
/** Where a number stands on logarithmic axes, in pixels. */
double sd_plot_x (const sd_plot *p, double v);
double sd_plot_y (const sd_plot *p, double v);
/** A new set of data, with a remark that says whose, and what its columns are. */
void sd_plot_set (sd_plot *p, const char *label);
/** A number of a set; "?": not measured. */
void sd_plot_number (sd_buf *b, double v);
/** One entry of the plot command. */
void sd_plot_entry (sd_plot *p, unsigned set, const char *columns, const char *look, const char *colour);
/** Marks of a set, hollow ones on paper. size: of a mark. */
void sd_plot_marks (sd_plot *p, unsigned set, sd_style style, bool hollow, const char *size);
/** A mark, a line of this width, or marks that it joins. */
typedef struct sd_plot_key {
  unsigned mark; /* as gnuplot numbers them; 0: none */
  const char *colour;
  double width; /* 0: no line */
  unsigned dash;
  double size; /* of this mark and the next ones; 1 is the usual one, as it is at first; 0: as before */
} sd_plot_key;
/** What that means, in the row below the heading; before the first entry of the plot command; "" is not
 * said. */
void sd_plot_legend (sd_plot *p, sd_plot_key key, const char *label);
/** gnuplot's mark of a style: filled, or hollow. */
unsigned sd_plot_mark (sd_style style, bool hollow);
/** "TEXT", in rows of at most so many letters, which are cut at blanks where there are some. Returns the
 * rows. */
unsigned sd_plot_text (sd_buf *gp, const char *text, double letters);
/** Names of ticks, each `step`-th of n: "NAME" 0, "NAME" 1, ... For a phone long ones take several rows. */
void sd_plot_names (sd_plot *p, const char *const *name, size_t n, size_t step);
/** Rows of letters that any of these names takes at most; *longest: letters of the longest row. */
unsigned sd_plot_name_rows (const sd_plot *p, const char *const *name, size_t n, size_t *longest);

#define SD_GREY "#7a818c"
#define SD_BLUE "#2f7de1"
#define SD_PALE "#8fb8ee"
#define SD_BAND "#a87a818c" /* grey, through which lines are seen */

/* --------------------------------------------------------------------- labels */

/** Pixels that a name takes from left to right, at most. */
double sd_label_width (const char *text);
/** No name may stand there. */
void sd_label_avoid (sd_plot *p, sd_box box);
/** Nor on this mark, or this line. */
void sd_label_avoid_mark (sd_plot *p, double x, double y);
void sd_label_avoid_line (sd_plot *p, double x, double y, double to_x, double to_y);
/** Write a name beside a mark at x, y (pixels), before the plot command, or farther away by at most `reach`
 * pixels, where a thin line leads from the mark to the name. False: there is no room. */
bool sd_label_beside (sd_plot *p, double x, double y, double reach, const char *text, const char *colour);

/** A name at the right end of a curve, which ends at y (pixels). */
typedef struct sd_end_label {
  const char *text, *colour;
  double y;
} sd_end_label;
/** Write them right of the axes, as near to their curves as they find room. Changes label. */
void sd_labels_at_ends (sd_plot *p, sd_end_label *label, size_t n);

/* ---------------------------------------------------------------------- kinds */

/* The kinds: nothing is put where the rows hold nothing to be drawn. */
/** A scatter: names beside marks, arrows, a line through those of the front. front.c */
int sd_put_front (sd_plot *p, const sd_figure_rows *r, sd_error *err);
/** Curves, named at their ends. lines.c */
int sd_put_lines (sd_plot *p, const sd_figure_rows *r, sd_error *err);
/** Bars of one or two parts, with marks. bars.c */
int sd_put_bars (sd_plot *p, const sd_figure_rows *r, sd_error *err);
/** A heat map. heat.c */
int sd_put_heat (sd_plot *p, const sd_figure_rows *r, sd_error *err);
/** A row for each step: mean with bounds, quartiles, ends. steps.c */
int sd_put_steps (sd_plot *p, const sd_figure_rows *r, sd_error *err);

#endif
