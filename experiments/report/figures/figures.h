/** \file figures.h
 * The figures of a report: which there are, what stands in them, gnuplot run over them. */
#ifndef SD_REPORT_FIGURES_H
#define SD_REPORT_FIGURES_H

#include "experiments/report/report_internal.h"

/* ---------------------------------------------------------------------- plots */

/** A rectangle, pixels from the figure's left and upper edge. */
typedef struct sd_box {
  double left, top, right, bottom;
} sd_box;

/** A logarithmic axis: what stands at its ends. */
typedef struct sd_figure_axis {
  double from, to;
} sd_figure_axis;

/** A figure in work: its script, its data. */
typedef struct sd_plot {
  sd_buf gp, dat;
  char name[72];
  bool narrow;                           /* the drawing for a phone of a figure that has another one */
  unsigned width, height, sets, entries; /* pixels; sets of data, entries of the plot command so far */
  sd_box frame;                          /* of the axes */
  sd_figure_axis x, y;
  sd_box *taken; /* where no name may stand */
  uint64_t ntaken, cap;
} sd_plot;

enum { SD_PLOT_NARROW = 400, SD_PLOT_WIDTH = 640, SD_PLOT_WIDE = 1000, SD_PLOT_LETTER = 14 }; /* pixels */

/** What a figure is called and what its axes show: "KRvKP WDL: size and time", "bytes", "slots". */
typedef struct sd_plot_words {
  const char *title, *upright, *level;
} sd_plot_words;
/** width and height in pixels; margin: pixels left, above, right and below the axes. */
void sd_plot_begin (sd_plot *p, const sd_plot_words *words, unsigned width, unsigned height, sd_box margin);
void sd_plot_free (sd_plot *p);
/** Margins of a figure with a row below its heading that says what marks mean, and of one with three rows. */
extern const sd_box sd_plot_margin, sd_plot_narrow_margin;
/** A logarithmic axis, 'x' or 'y', with a little more than least to most, in units of
 * experiments/report/figures/style.gp. */
void sd_plot_axis (sd_plot *p, char axis, const char *unit, double least, double most);
/** Such an axis of powers of two. */
void sd_plot_binary_axis (sd_plot *p, char axis, const char *unit, double least, double most);
/** Where a number stands on logarithmic axes, in pixels. */
double sd_plot_x (const sd_plot *p, double v);
double sd_plot_y (const sd_plot *p, double v);
/** A new set of data, with a remark that says whose. */
void sd_plot_set (sd_plot *p, const char *label);
/** A number of a set; "?": not measured. */
void sd_plot_number (sd_buf *b, double v);
/** One entry of the plot command. */
void sd_plot_entry (sd_plot *p, unsigned set, const char *columns, const char *look, const char *colour);
/** What a mark or a line means, in the row below the heading; before the first entry of the plot command. */
void sd_plot_legend (sd_plot *p, unsigned mark, const char *colour, const char *label);
void sd_plot_legend_line (sd_plot *p, double width, bool dashed, const char *colour, const char *label);
/** gnuplot's mark of a style: filled, or hollow where nothing was free. */
unsigned sd_plot_mark (sd_style style, bool hollow);
bool sd_nothing_free (const sd_rowsum *l);
/** The bounds (95 %) of a median of a line, mean of its sides; low, high: offsets in a row. False: they are
 * not known, and both are the median. */
bool sd_bounds_of (const sd_rowsum *l, double ns, size_t low, size_t high, double out[2]);

/* --------------------------------------------------------------------- labels */

/** Pixels that a name takes from left to right, at most. */
double sd_label_width (const char *text);
/** No name may stand there. */
void sd_label_avoid (sd_plot *p, sd_box box);
/** Nor on this line. */
void sd_label_avoid_line (sd_plot *p, double x, double y, double to_x, double to_y);
/** Write a name beside a mark at x, y (pixels), before the plot command. False: there is no room. */
bool sd_label_beside (sd_plot *p, double x, double y, const char *text, const char *colour);

#define SD_MOST_CURVES 12 /* of a figure */
/** A name at the right end of a curve, which ends at y (pixels). */
typedef struct sd_end_label {
  const char *text, *colour;
  double y;
} sd_end_label;
/** Write them right of the axes, as near to their curves as they find room; n: at most SD_MOST_CURVES.
 * Changes label. */
void sd_labels_at_ends (sd_plot *p, sd_end_label *label, unsigned n);

/* -------------------------------------------------------------------- curves */

typedef struct sd_curve {
  const sd_rowsum **line; /* by rising blocks */
  uint64_t n, cap;
  const sd_rowsum *first; /* of its lines, in the order of the rows */
  bool flat;              /* no blocks, or one block size only: it is drawn as a level line without marks */
  char label[200];
} sd_curve;
/** The curves of a figure over the block sizes. curves.c */
typedef struct sd_curves {
  sd_curve *curve;
  unsigned n, nflat, one_sided; /* lines that lack a side are left out */
  double from, to;              /* the shortest and the longest block that was swept */
  char left_out[400];           /* sentences for the caption, or "" */
} sd_curves;
int sd_curves_make (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err);
void sd_curves_free (sd_curves *c);

/* ------------------------------------------------------------------- figures */

enum { SD_FIGURES = 5 }; /* kinds of them, of a subject */

/** Subjects that are no table. Of all tables: the caption says all. Narrow: NAME_narrow, which sd_doc_figure
 * puts beside NAME, so that a phone shows it instead. */
#define SD_ALL_TABLES SIZE_MAX
#define SD_NARROW (SIZE_MAX - 1)

typedef struct sd_figure {
  char name[72], script[80], caption[900];
  size_t subject;
  bool wide;
} sd_figure;
/** drawn: false where gnuplot is not there or failed; `why` says it. */
typedef struct sd_figures {
  sd_figure *figure;
  size_t n;
  bool drawn;
  char why[256];
} sd_figures;
/** Write script and data of each figure for which there are enough rows into dir, run gnuplot over them. */
int sd_figures_make (const sd_rowsums *all, sd_query *q, const char *dir, const char *gnuplot,
                     sd_figures *out, sd_error *err);
void sd_figures_free (sd_figures *f);
/** Size against access time, with the Pareto front. front.c */
int sd_put_access (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
/** Size, and time, against the size of a block. blocks.c */
int sd_put_size (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
int sd_put_latency (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
/** Piece orders as bars. orders.c */
int sd_put_orders (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
/** All piece orders of all lines. heat.c */
int sd_put_heat (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
/** A staircase of gains of all tables. staircase.c */
int sd_put_staircase (sd_plot *p, sd_query *q, enum sd_metric metric, sd_figure *f, sd_error *err);
/** Run gnuplot in dir over the scripts of f, and note in f how that went. SD_ENOMEM. gnuplot.c */
int sd_gnuplot (const char *gnuplot, const char *dir, sd_figures *f, sd_error *err);

#endif
