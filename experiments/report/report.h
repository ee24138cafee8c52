/** \file report.h
 * The report: statistics (GSL), tables (Markdown, HTML, LaTeX, CSV), figures (gnuplot) and one self-contained
 * page of the rows of a sweep; and its smallest tables as something that can be built. Uses store/. */
#ifndef SD_REPORT_H
#define SD_REPORT_H

#include "table/table.h"

/** How a report is made. All-zero, or NULL, means defaults. */
typedef struct sd_report_options {
  const char *baseline; /* what all others are compared with: "GROUP/CODEC" or "GROUP/CODEC/KEY=VALUE,...",
                           the smallest rows of this kind, of any group for "*"; NULL: LZMA in blocks of 16
                           kB, no freedom, in the order of the name */
  const char
      *published;      /* a file of published figures, as papers/repair/published.csv; NULL: none are shown */
  const char *gnuplot; /* the program; NULL: the one that configure found */
  const sd_progress *progress;
  bool json;        /* the summary as JSON */
  sd_buf *warnings; /* not NULL: sentences about rows that do not compare are appended, a line break between
                       them */
} sd_report_options;

/** Tables (Markdown, LaTeX, CSV), gnuplot figures and DIR/index.html from the rows of `db`. Without gnuplot
 * the report says that its figures are missing. The file may come from anywhere: a row or run that subdef
 * would not write is refused, and all texts are quoted. SD_ENOENT: no such file, or it holds no row;
 * SD_EFORMAT: a row is not right; SD_EINVAL: no row is of the baseline's kind, or dir is "". */
int sd_report_write (const char *db, const char *dir, const sd_report_options *opt, sd_error *err);

/** A line of text for each table and metric (or JSON): the smallest of all, timed or not, its codec and
 * order, how many times smaller than the baseline it is, and the smallest that answers quickly. Appended to
 * *out. Status as above. */
int sd_report_summary (const char *db, const sd_report_options *opt, sd_buf *out, sd_error *err);

/** How the answer of a query file is written. */
enum sd_report_form { SD_FORM_MD, SD_FORM_CSV, SD_FORM_TEX, SD_FORM_HTML, SD_FORM_JSON };
enum { SD_ASKED_FILES = 8 };
typedef struct sd_report_asked {
  const char *query; /* the file */
  const char *dir;   /* where a figure is drawn, unless another form than Markdown is asked for */
  enum sd_report_form form;
  const char *csv_name[SD_ASKED_FILES], *csv_file[SD_ASKED_FILES]; /* tables beside the store */
  unsigned ncsv;
} sd_report_asked;
/** The answer of a query file (experiments/query/query.h) to the rows of `db`; NULL: to CSV files alone. Of a
 * figure what was drawn, a file a line. baseline: as above, or NULL. SD_EINVAL: the query is wrong, or asks
 * for more than reading. */
int sd_report_query (const char *db, const sd_report_asked *asked, const char *baseline, sd_buf *out,
                     sd_error *err);

/** What a comparison found: cells of both stores, those that differ in bytes, cells of one only. */
typedef struct sd_store_comparison {
  size_t cells, differ, only[2];
} sd_store_comparison;
/** compare.md, compare.html and compare.csv in dir: cells with equal names in the stores a and b, their bytes
 * and times. by: "KEY,...": axes and settings of codecs in which the cells of a pair may differ; NULL: none.
 * SD_ENOENT: no such file, or no cell in common; SD_EINVAL: by names something else. */
int sd_report_compare (const char *a, const char *b, const char *by, const char *dir,
                       sd_store_comparison *out, sd_error *err);

/** The smallest table for `m` and `metric` that the rows of `db` know: each side's best order and codec,
 * under one coding and one set of freedoms (a table has one). max_latency_ns > 0: only rows whose measured
 * median of reading one slot (sd_codec_get, as sd_table_search bounds it) is at most that. SD_ENOENT: no
 * row fits; the sentence says why. */
int sd_report_best (const char *db, const sd_material *m, enum sd_metric metric, double max_latency_ns,
                    sd_table_spec *out, sd_error *err);

#endif
