/** \file report_internal.h
 * What the files of the report share: rows summed to lines, the documents (Markdown, HTML, LaTeX)
 * written side by side, figures. */
#ifndef SD_REPORT_INTERNAL_H
#define SD_REPORT_INTERNAL_H

#include "experiments/query/query.h"
#include "experiments/report/report.h"
#include "experiments/store/store.h"

/* -------------------------------------------------------------------- lines */

/** One stream of a line: all its orders (and numberings). */
typedef struct sd_row_stream {
  size_t n; /* 0: there is none */
  const sd_row *best;
} sd_row_stream;

/** How much two lines have in common: all of these up to the one that is asked for. */
enum sd_level {
  SD_ONE_CODEC,
  SD_ONE_CODING,
  SD_ONE_FREEDOM,
  SD_ONE_KIND,   /* the settings, too, but for the block */
  SD_ONE_CHOICE, /* the block, the sides and the metric, too */
  SD_LEVELS
};

/** The smallest rows of a kind, of all sides of a subject in one coding. */
typedef struct sd_least {
  const sd_row *row[2]; /* White's or that of both, Black's; NULL: it does not count */
  uint64_t bytes;       /* 0: not all sides have one */
  double ns;            /* of reading a slot; NaN: not measured */
} sd_least;

/** All rows that differ only in side, order and numbering: one table in one coding. */
typedef struct sd_rowsum {
  const sd_row *row; /* row[0..nrows-1]; the first one also for the names */
  size_t nrows, subject;
  sd_row_stream side[2];                   /* White's, Black's; one stream for both is the first */
  unsigned nsides;                         /* whose values the bytes hold */
  bool counted[2];                         /* streams that count: of a one-sided table the smaller */
  bool varied;                             /* several orders */
  uint64_t best, slots, positions; /* sums over the streams; best orders */
  const struct sd_rowsum *listed; /* the line that lists its cells: itself, or a twin in another group */
  char *groups;                   /* "orders, blocks": of its twins and itself; NULL: it has none */
  uint32_t like[SD_LEVELS]; /* lines that have so much in common have the same number */
  char *shown; /* " level=3": the settings, but the block, in which lines of its subject and codec differ */
  const sd_least *plain; /* the baseline of its subject and coding */
  uint64_t plain_bytes;  /* of all sides there; 0: not measured */
  /* not a number, or 0: not measured */
  double ratio; /* how many times smaller than the baseline */
  double bits_per_position, get_ns, probe_ns;
} sd_rowsum;

/** One table and metric. */
typedef struct sd_subject {
  const char *table, *metric;
  unsigned sides;         /* of the lines that have the most */
  const sd_rowsum **line; /* its lines, in the order of the rows */
  size_t nlines;
  sd_least plain[SD_CODINGS]; /* the baseline, of lines in each coding */
  char title[80];             /* "KRvK WDL" */
} sd_subject;

typedef struct sd_rowsums {
  sd_row *row;
  size_t nrows;
  sd_rowsum *line;
  size_t n;
  sd_subject *subject; /* in the order of the rows */
  size_t nsubjects;
  const sd_rowsum **by_subject; /* what the subjects point into */
  size_t numbers[SD_LEVELS];    /* how many different ones there are */
  unsigned *unknown; /* for each codec that is not in this build, by its number: its place among those */
  /* What all others are compared with. */
  struct {
    const char *text; /* "LZMA 16 KiB", or what the user named */
    const char *kind; /* of rows, experiments/query/lines.sql */
    bool named, any;  /* any: a subject has such rows */
  } baseline;
} sd_rowsums;

/** row becomes the sums' own, also in case of failure; in the order of sd_store_rows. baseline: a kind
 * (experiments/query/lines.sql), or NULL: that of sd_query_plain_kind. SD_EINVAL: no row is of this kind. */
int sd_rowsums_make (sd_row *row, size_t n, const char *baseline, sd_rowsums *out, sd_error *err);
void sd_rowsums_free (sd_rowsums *l);
/** like, shown and subject of all lines, and how many of each there are. report_alike.c */
int sd_rowsums_number (sd_rowsums *all, sd_error *err);
/** For qsort of pointers to lines: by subject and kind, of a kind by block, of a block the smallest first.
 * report_alike.c */
int sd_rowsum_by_kind (const void *a, const void *b);
/** listed and groups of all lines. report_twins.c */
int sd_rowsums_twins (sd_rowsums *all, sd_error *err);
/** "orders, blocks": the groups in which its cells stand. */
const char *sd_rowsum_groups (const sd_rowsum *l);
/** Was any lookup of it timed? */
bool sd_rowsum_is_timed (const sd_rowsum *l);
/** "lzma 16 KiB", "repair 128 B initial=left": codec, block, and those settings in which lines of its subject
 * differ. */
void sd_rowsum_label (const sd_rowsum *l, char *out, size_t cap);
/** The order of the best rows: "KRkP" or "KRkP / kPKR", with the numbering where it is not rows. */
void sd_rowsum_order (const sd_rowsum *l, char *out, size_t cap);
/** No table is of an ending: then there are neither sides to move nor piece orders. */
bool sd_rowsums_only_arrays (const sd_rowsums *all);
/** Its row of a side in the order and numbering of `place`; NULL: none. */
const sd_row *sd_rowsum_row (const sd_rowsum *l, unsigned side, const sd_row *place);
/** How the best rows of the streams that count make one number. */
enum sd_sum { SD_SUM, SD_MEAN, SD_MOST };
/** at: offset of a member of sd_row, uint64_t if whole, else double. NaN: not measured. */
double sd_rowsum_of (const sd_rowsum *l, enum sd_sum how, size_t at, bool whole);
/** Such a member of a struct. */
double sd_number_at (const void *base, size_t at, bool whole);
/** The smallest line of all sides whose median of reading one slot is at most max_ns; max_ns <= 0: any,
 * timed or not. NULL: none. */
const sd_rowsum *sd_rowsums_best (const sd_rowsums *all, size_t subject, double max_ns);
#define SD_QUICK_NS 2000 /* what a search can wait for; the bound of `subdef reformat --best-of`, too */
/** The text "key=value" at *at, and on to the next; false at the end. */
bool sd_next_setting (const char **at, char *out, size_t cap);
bool sd_has_setting (const char *settings, const char *pair);
/** "2.10 times smaller than", "1.20 times larger than". out needs 64 bytes. */
const char *sd_text_against (uint64_t plain, uint64_t bytes, char *out);

/* ----------------------------------------------------------------- documents */

/** A column of a table: its side, whether it is folded away on the page and left out for LaTeX, whether the
 * rows rise by it, whether it is only left out for LaTeX, whether it is folded away on a phone. */
typedef struct sd_doc_column {
  bool right, more, rises, screen, desk;
} sd_doc_column;
enum { SD_DOC_COLUMNS = 64 };

/** A table for LaTeX, a file of its own: DIR/tables/NAME.tex. */
typedef struct sd_doc_tex {
  char name[100];
  sd_buf text;
} sd_doc_tex;

typedef struct sd_doc {
  sd_buf md, html;
  const char *dir;
  sd_buf contents; /* of the page: a list of its chapters; its place in html */
  size_t contents_at;
  unsigned chapters, in_chapter; /* of this one, the tables so far */
  sd_doc_tex *tex;
  uint64_t ntex, tex_cap;
  /* Of the table in work: what the headings say of it, what a line says while it is closed; its rows for the
   * page; its cells with a 0 behind each, the heads first. */
  sd_doc_column column[SD_DOC_COLUMNS];
  unsigned ncolumns;
  bool chief; /* it is not closed, unless it is very long */
  char chapter[160], caption[340], about[300];
  sd_buf body, cells;
  size_t nrows;
} sd_doc;

void sd_doc_begin (sd_doc *d, const char *title);
void sd_doc_end (sd_doc *d);
/** All that was written; {0} is free already. */
void sd_doc_free (sd_doc *d);
void sd_doc_heading (sd_doc *d, unsigned level, const char *text);
void sd_doc_para (sd_doc *d, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/** align: a letter a column, l or r; a capital for one that the page folds away and LaTeX leaves out; '<'
 * behind the letter of the column by which the rows rise, '-' behind that of one that only LaTeX leaves out,
 * '~' behind that of one for which a phone has no room. */
void sd_doc_table (sd_doc *d, const char *align, const char *const *head);
void sd_doc_row (sd_doc *d, const char *const *cell, bool strong);
/** What the page says of the table in work, behind the number of its rows, if it is so long that it is
 * closed. */
void sd_doc_about (sd_doc *d, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/** The table in work is one that everybody wants to see: it is open though it is long. */
void sd_doc_chief (sd_doc *d);
void sd_doc_table_end (sd_doc *d);
/** The table in work for LaTeX, one more of d->tex; false: no memory. report_tex.c */
bool sd_doc_table_tex (sd_doc *d);
/** DIR/tables/NAME.tex of all tables, and DIR/tables.tex, a document of all of them. report_tex.c */
int sd_doc_write_tex (const sd_doc *d, sd_error *err);
/** What stands between is shown when the reader asks for it. */
void sd_doc_fold_begin (sd_doc *d, const char *summary);
void sd_doc_fold_end (sd_doc *d);
/** Big figures on top of the page. */
typedef struct sd_doc_card {
  char head[100], value[60], remark[700];
} sd_doc_card;
void sd_doc_cards (sd_doc *d, size_t n, const sd_doc_card *card);
void sd_doc_figures_begin (sd_doc *d);
/** DIR/name.svg inline (HTML) or as a link (Markdown); nothing if the file is not there. DIR/name_narrow.svg
 * stands beside it, if it is there, and a phone shows that one. wide: it takes the page's whole width. */
void sd_doc_figure (sd_doc *d, const char *name, const char *caption, bool wide);
void sd_doc_figures_end (sd_doc *d);
/** A list of links to files beside the page. */
void sd_doc_files (sd_doc *d, const char *const *name, size_t n);
void sd_doc_details (sd_doc *d, const char *summary, const char *text);

/** The answer of a query as a part of all documents, and in *csv as numbers; nothing where no row is found,
 * unless the file says when. report_query.c */
int sd_report_part (sd_doc *d, sd_query *q, const sd_query_file *f, sd_buf *csv, sd_error *err);

/** The query files of which the report is made, by rising numbers, and what they gave. report_parts.c */
typedef struct sd_parts {
  struct {
    unsigned number;
    sd_query_file file;
    sd_buf csv;
  } * part;
  size_t n;
} sd_parts;
int sd_parts_read (sd_parts *out, sd_error *err);
void sd_parts_free (sd_parts *p);
/** Those with numbers from `from` on and below `to`. */
int sd_parts_put (sd_parts *p, sd_doc *d, sd_query *q, unsigned from, unsigned to, sd_error *err);
/** The name of its file of numbers; NULL: it has none. */
const char *sd_parts_csv (const sd_parts *p, size_t i, char *out, size_t cap);
/** All files of numbers; what an earlier report left in one that this one does not write would pass for a
 * part of it. */
int sd_parts_write (const sd_parts *p, const char *dir, sd_error *err);

/* ------------------------------------------------------------------- summary */

/** What is said first of each table: its smallest line, timed or not, and the smallest that answers in
 * SD_QUICK_NS; on the page, as a line of text, as JSON of all. report_summary.c */
int sd_report_headlines (sd_doc *d, const sd_rowsums *all, sd_error *err);
void sd_summary_line (const sd_rowsums *all, size_t subject, sd_buf *out);
int sd_summary_json (const sd_rowsums *all, sd_buf *out, sd_error *err);

/* -------------------------------------------------------------------- tables */

/** "WDL", "DTM". */
const char *sd_metric_title (const char *metric);

/* -------------------------------------------------------------------- styles */

/** A codec's colour and gnuplot's number of its mark. report_styles.c */
typedef struct sd_style {
  const char *colour;
  unsigned mark;
} sd_style;
sd_style sd_style_of (const sd_rowsums *all, const sd_rowsum *l);
/** Numbers for the codecs that this build does not know: all->unknown. */
int sd_styles_number (sd_rowsums *all, sd_error *err);

/* ---------------------------------------------------------------------- runs */

/** The run with this id among those of sd_store_runs, which stand by rising id; NULL: none. */
const sd_provenance *sd_run_find (const sd_provenance *run, size_t n, int64_t id);
/** Sentences about rows that do not compare without a second look, a line break between them; of `all` only
 * the rows are looked at. */
void sd_runs_warn (const sd_rowsums *all, const sd_provenance *run, size_t n, sd_buf *out);
/** A paragraph for each of them. */
void sd_doc_warnings (sd_doc *d, const sd_buf *warnings);
/** A table of the runs: how many of the rows they made, when, of which commit, on which machine. */
int sd_report_run_table (sd_doc *d, const sd_row *row, size_t nrows, const sd_provenance *run, size_t n,
                         sd_error *err);
/** All runs with what they ran on; n > 0. */
int sd_report_runs (sd_doc *d, const sd_rowsums *all, const sd_provenance *run, size_t n, sd_error *err);

int sd_write_file (const char *dir, const char *name, const sd_buf *b, sd_error *err);

#endif
