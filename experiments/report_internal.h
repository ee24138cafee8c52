/** \file report_internal.h
 * What the files of the report share: rows summed to lines, the two documents (Markdown and HTML) written
 * side by side, figures. */
#ifndef SD_REPORT_INTERNAL_H
#define SD_REPORT_INTERNAL_H

#include "experiments/experiments_internal.h"

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
  double slots_per_block, bits_per_position, encode_rate, decode_rate; /* rates: million slots a second */
  double get_ns, get_p99_ns, probe_ns,
      probe_p99_ns; /* medians: mean of the sides; 99 %: the slower side; 0: not measured */
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
} sd_rowsums;

int sd_rowsums_make (sd_row *row, size_t n, sd_rowsums *out, sd_error *err);
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
/** Bytes of all sides with LZMA in 16 kB blocks, no slot free, in the order of the name; 0: not measured. */
uint64_t sd_rowsums_lzma16k (const sd_rowsums *all, const char *table, const char *metric);
/** "2.10 times smaller than", "1.20 times larger than". out needs 64 bytes. */
const char *sd_text_against (uint64_t plain, uint64_t bytes, char *out);

/* ----------------------------------------------------------------- documents */

typedef struct sd_doc {
  sd_buf md, html;
  const char *dir;
  unsigned columns;
  const char *align; /* one letter a column: l or r */
} sd_doc;

void sd_put (sd_buf *b, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/** Text into HTML, with & < > and quotes replaced. */
void sd_put_html (sd_buf *b, const char *text);
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
/** DIR/name.svg inline (HTML) or as a link (Markdown); nothing if the file is not there. */
void sd_doc_figure (sd_doc *d, const char *name, const char *caption);
void sd_doc_figures_end (sd_doc *d);
void sd_doc_details (sd_doc *d, const char *summary, const char *text);

/** 1234567 -> "1,234,567". out needs 32 bytes. */
const char *sd_text_count (uint64_t v, char *out);
/** A duration in nanoseconds as "320 ns", "4.1 us", "23 ms"; "-" for 0. out needs 32 bytes. */
const char *sd_text_ns (double ns, char *out);

/* -------------------------------------------------------------------- tables */

/** "WDL", "DTM". */
const char *sd_metric_title (const char *metric);
/** One CSV line, quoted where needed. */
void sd_put_csv (sd_buf *b, const char *const *cell, unsigned n);
void sd_report_sizes (sd_doc *d, const sd_rowsums *all, sd_buf *csv);
void sd_report_latency (sd_doc *d, const sd_rowsums *all, sd_buf *csv);
void sd_report_orders (sd_doc *d, const sd_rowsums *all, sd_buf *csv);

/* ------------------------------------------------------------------- figures */

/** Write the scripts NAME.gp into dir, run gnuplot over them. *drawn: false where gnuplot is not there or
 * failed; `why` says it. */
int sd_figures (const sd_rowsums *all, const char *dir, const char *gnuplot, bool *drawn, char *why,
                size_t cap, sd_error *err);
/** Names of the figures: "size", "latency", "orders" of a subject; false: there are too few data for it. out:
 * 64 bytes */
bool sd_figure_name (const sd_rowsums *all, const char *kind, size_t subject, char *out);

/* --------------------------------------------------------------------- gains */

/** One step beside what S0 says. */
typedef struct sd_gain {
  char step[120], ours[160], published[200];
} sd_gain;
/** The gains for one subject; returns how many, at most cap. */
size_t sd_gains (const sd_rowsums *all, size_t subject, sd_gain *out, size_t cap);

int sd_write_file (const char *dir, const char *name, const sd_buf *b, sd_error *err);

#endif
