/** \file report_internal.h
 * What the files of the report share: rows summed to lines, the two documents (Markdown and HTML) written
 * side by side, figures. */
#ifndef SD_REPORT_INTERNAL_H
#define SD_REPORT_INTERNAL_H

#include "experiments/experiments_internal.h"
#include "experiments/quote.h"

/* -------------------------------------------------------------------- lines */

/** All rows that differ only in side and order (or numbering): one table in one coding. */
typedef struct sd_rowsum {
  const sd_row *row; /* the first one, for the names */
  unsigned nsides;
  struct {
    size_t n;
    const sd_row *best, *worst;
    sd_stats bytes; /* over the orders */
  } side[2];
  bool varied; /* several orders */
  uint64_t best, worst, slots, positions, free_slots, index_bytes,
      model_bytes;                                                     /* sums over the sides; best orders */
  uint64_t one; /* bytes of the smaller side in its best order: what a one-sided table stores (S0 Sec. 1.4); 0: losses only */
  double mean;                                                         /* bytes */
  /* rates: million slots a second; medians: mean of the sides; 99 %: the slower side; 0: not measured */
  double slots_per_block, bits_per_position, encode_rate, decode_rate;
  double get_ns, get_p99_ns, probe_ns, probe_p99_ns;
} sd_rowsum;

typedef struct sd_rowsums {
  sd_row *row;
  size_t nrows;
  sd_rowsum *line;
  size_t n;
  /* the different (table, metric), in the order of the rows */
  struct {
    const char *table, *metric;
  } * subject;
  size_t nsubjects;
  /* What all others are compared with. */
  struct {
    char text[96]; /* "LZMA 16 kB", or what the user named */
    const char *asked;
    bool any; /* a subject has such rows */
  } baseline;
} sd_rowsums;

/** row becomes the sums' own, also in case of failure. baseline: "GROUP/CODEC" or "GROUP/CODEC/KEY=VALUE,...", the
 * smallest row of this kind for each side; NULL: LZMA in blocks of 16 kB, nothing free, in the order of the name. SD_EINVAL: no
 * row is of this kind. */
int sd_rowsums_make (sd_row *row, size_t n, const char *baseline, sd_rowsums *out, sd_error *err);
void sd_rowsums_free (sd_rowsums *l);
bool sd_rowsum_is (const sd_rowsum *l, const char *table, const char *metric);
/** "on", "off" or the sources of freedom. */
const char *sd_rowsum_freedom (const sd_rowsum *l);
/** "lzma 16 kB", "repair 128 B initial=left": codec, block, and those settings in which lines of its subject
 * differ. */
void sd_rowsum_label (const sd_rowsums *all, const sd_rowsum *l, char *out, size_t cap);
/** The order of the best rows: "KRkP" or "KRkP / kPKR", with the numbering where it is not rows. */
void sd_rowsum_order (const sd_rowsum *l, char *out, size_t cap);
/** The smallest line of all sides whose median of reading one symbol is at most max_ns; max_ns <= 0: any.
 * NULL: none. */
const sd_rowsum *sd_rowsums_best (const sd_rowsums *all, const char *table, const char *metric,
                                  double max_ns);
/** The smallest line that reads a symbol in SD_QUICK_NS; where no line is known to, the smallest of all. */
const sd_rowsum *sd_rowsums_winner (const sd_rowsums *all, const char *table, const char *metric);
#define SD_QUICK_NS 2000 /* what a search can wait for; the bound of `subdef reformat --best-of`, too */
/** Bytes of all sides in the baseline; 0: not measured. */
uint64_t sd_rowsums_baseline (const sd_rowsums *all, const char *table, const char *metric);
/** How many sides the lines have that have the most. */
unsigned sd_rowsums_sides (const sd_rowsums *all, const char *table, const char *metric);
/** How many orders (with their numberings) the rows of a side hold, at most. */
size_t sd_rowsums_orders (const sd_rowsums *all, const char *table, const char *metric);
/** The text "key=value" at *at, and on to the next; false at the end. */
bool sd_next_setting (const char **at, char *out, size_t cap);
bool sd_has_setting (const char *settings, const char *pair);
/** "2.10 times smaller than", "1.20 times larger than". out needs 64 bytes. */
const char *sd_text_against (uint64_t plain, uint64_t bytes, char *out);

/* ----------------------------------------------------------------- documents */

typedef struct sd_doc {
  sd_buf md, html;
  const char *dir;
  const char *align; /* of the table in work: one letter a column, l or r; x: the column is left out */
} sd_doc;

void sd_doc_begin (sd_doc *d, const char *title);
void sd_doc_end (sd_doc *d);
void sd_doc_heading (sd_doc *d, unsigned level, const char *text);
void sd_doc_para (sd_doc *d, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
void sd_doc_table (sd_doc *d, const char *align, const char *const *head);
void sd_doc_row (sd_doc *d, const char *const *cell, bool strong);
void sd_doc_table_end (sd_doc *d);
/** Big figures on top of the page: heading, value, remark. */
void sd_doc_cards (sd_doc *d, unsigned n, const char (*card)[3][160]);
void sd_doc_figures_begin (sd_doc *d);
/** DIR/name.svg inline (HTML) or as a link (Markdown); nothing if the file is not there. wide: it takes the page's whole width. */
void sd_doc_figure (sd_doc *d, const char *name, const char *caption, bool wide);
void sd_doc_figures_end (sd_doc *d);
void sd_doc_details (sd_doc *d, const char *summary, const char *text);

/** 1234567 -> "1,234,567". out needs 32 bytes. */
const char *sd_text_count (uint64_t v, char *out);
/** A duration in nanoseconds as "320 ns", "4.1 us", "23 ms"; "-" if it was not measured. out needs 32 bytes. */
const char *sd_text_ns (double ns, char *out);

/* -------------------------------------------------------------------- tables */

/** "WDL", "DTM". */
const char *sd_metric_title (const char *metric);
void sd_report_sizes (sd_doc *d, const sd_rowsums *all, sd_buf *csv);
void sd_report_latency (sd_doc *d, const sd_rowsums *all, sd_buf *csv);
void sd_report_orders (sd_doc *d, const sd_rowsums *all, sd_buf *csv);

/* -------------------------------------------------------------------- curves */

/** A codec's colour and gnuplot's number of its mark. report_styles.c */
typedef struct sd_style {
  const char *colour;
  unsigned mark;
} sd_style;
sd_style sd_style_of (const sd_rowsums *all, const char *codec);

#define SD_MOST_CURVES 12
typedef struct sd_curve {
  const sd_rowsum **line; /* by rising slots in a block */
  unsigned n;
  bool flat; /* a horizontal line: no blocks, or one block size only */
  char label[200];
} sd_curve;
/** The curves of a figure over the block sizes. report_curves.c */
typedef struct sd_curves {
  sd_curve *curve;
  unsigned n, nflat, one_sided; /* lines that lack a side are left out */
  double from, to;              /* slots in the shortest and the longest block */
  char left_out[400];           /* sentences for the caption, or "" */
} sd_curves;
int sd_curves_make (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err);
void sd_curves_free (sd_curves *c);

/* ------------------------------------------------------------------- figures */

typedef struct sd_figure {
  char name[64], script[72], caption[900];
  size_t subject;
  unsigned kind; /* 0 size, 1 latency, 2 orders */
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
int sd_figures_make (const sd_rowsums *all, const char *dir, const char *gnuplot, sd_figures *out, sd_error *err);
void sd_figures_free (sd_figures *f);
/** Run gnuplot in dir over the scripts. report_gnuplot.c */
int sd_gnuplot (const char *gnuplot, const char *dir, const char *const *script, size_t n, bool *drawn, char *why, size_t cap,
                sd_error *err);

/* ---------------------------------------------------------------------- runs */

/** Sentences about rows that do not compare without a second look, a line break between them. */
void sd_runs_warn (const sd_rowsums *all, const sd_provenance *run, size_t n, sd_buf *out);
/** All runs with what they ran on; n > 0. */
void sd_report_runs (sd_doc *d, const sd_rowsums *all, const sd_provenance *run, size_t n);

/* --------------------------------------------------------------------- gains */

/** One step beside what Zakharov et al. (2015) say. */
typedef struct sd_gain {
  char step[120], ours[160], published[200];
} sd_gain;
/** The gains for one subject; returns how many, at most cap. */
size_t sd_gains (const sd_rowsums *all, size_t subject, sd_gain *out, size_t cap);

int sd_write_file (const char *dir, const char *name, const sd_buf *b, sd_error *err);

#endif
