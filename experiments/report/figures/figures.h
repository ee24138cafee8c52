/** \file figures.h
 * The figures of a report: which there are, what stands in them, gnuplot run over them; the staircase with
 * its table. */
#ifndef SD_REPORT_FIGURES_H
#define SD_REPORT_FIGURES_H

#include "experiments/report/report_internal.h"

/* -------------------------------------------------------------------- curves */

#define SD_MOST_CURVES 12
typedef struct sd_curve {
  const sd_rowsum **line; /* by rising slots in a block */
  uint64_t n, cap;
  const sd_rowsum *first; /* of its lines, in the order of the rows */
  bool flat;              /* a horizontal line: no blocks, or one block size only */
  char label[200];
} sd_curve;
/** The curves of a figure over the block sizes. curves.c */
typedef struct sd_curves {
  sd_curve *curve;
  unsigned n, nflat, one_sided; /* lines that lack a side are left out */
  double from, to;              /* slots in the shortest and the longest block */
  char left_out[400];           /* sentences for the caption, or "" */
} sd_curves;
int sd_curves_make (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err);
void sd_curves_free (sd_curves *c);

/* ------------------------------------------------------------------- figures */

enum { SD_FIGURES = 5, SD_PLOT_WIDTH = 640 }; /* kinds of them, of a subject; pixels */

/** A figure in work: its script, its data. */
typedef struct sd_plot {
  sd_buf gp, dat;
  char name[64];
  unsigned width, height, sets, entries; /* pixels; sets of data, entries of the plot command so far */
} sd_plot;
void sd_plot_head (sd_plot *p, const char *title, unsigned width, unsigned height);
/** Of a figure with a key below it. */
unsigned sd_plot_height (unsigned rows_of_key);
/** Ticks at 1, 2, 5, 10, ... (or 1, 10, ...) on a logarithmic axis, 'x' or 'y'. */
void sd_plot_ticks (sd_plot *p, char axis, double least, double most);
/** A new set of data, with a remark that says whose. */
void sd_plot_set (sd_plot *p, const char *label);
/** A number of a set; "?": not measured. */
void sd_plot_number (sd_buf *b, double v);
/** One entry of the plot command. */
void sd_plot_entry (sd_plot *p, unsigned set, const char *columns, const char *look, sd_style style,
                    const char *label);
/** The bounds (95 %) of a median of a line, mean of its sides; low, high: offsets in a row. False: they are
 * not known, and both are the median. */
bool sd_bounds_of (const sd_rowsum *l, double ns, size_t low, size_t high, double out[2]);
/** Ticks of an axis of times. */
extern const char sd_plot_times[];

typedef struct sd_figure {
  char name[64], script[72], caption[900];
  size_t subject; /* SIZE_MAX: it is of all tables, and the caption says all */
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
int sd_figures_make (const sd_rowsums *all, const char *dir, const char *gnuplot, sd_figures *out,
                     sd_error *err);
void sd_figures_free (sd_figures *f);
/** Size against access time, with the Pareto front. front.c */
int sd_put_access (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
/** All piece orders of all lines. heat.c */
int sd_put_heat (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err);
/** A staircase of gains of all tables. staircase.c */
int sd_put_staircase (sd_plot *p, const sd_rowsums *all, enum sd_metric metric, sd_figure *f, sd_error *err);
/** Run gnuplot in dir over the scripts of f, and note in f how that went. SD_ENOMEM. gnuplot.c */
int sd_gnuplot (const char *gnuplot, const char *dir, sd_figures *f, sd_error *err);

/* ----------------------------------------------------------------- staircase */

/** A step of a staircase: groups whose names begin with one number. Ratios are of whole tables, one each. */
typedef struct sd_stair {
  unsigned number;
  bool is_first;
  char name[48];
  size_t tables;
  uint64_t bytes;
  double mean, bound[2], quartile[5]; /* bytes by those of the first step; quartile: least, ..., most */
  sd_ratios gain, loss, time; /* the step before by this one, this one by it; get_ns by the first step's */
} sd_stair;
typedef struct sd_staircase {
  sd_stair *step;
  uint64_t n, cap;
} sd_staircase;
/** The steps of a metric. staircase.c */
int sd_staircase_make (const sd_rowsums *all, const char *metric, sd_staircase *out, sd_error *err);
void sd_staircase_free (sd_staircase *s);
/** Nothing where fewer than two groups are numbered. */
int sd_report_staircase (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err);

#endif
