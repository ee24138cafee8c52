/** \file report_internal.h
 * What the files of the report share: the documents (Markdown, HTML, LaTeX) written side by side, the
 * queries of which they are made. */
#ifndef SD_REPORT_INTERNAL_H
#define SD_REPORT_INTERNAL_H

#include "experiments/query/query.h"
#include "experiments/report/report.h"
#include "experiments/store/store.h"
#include <sys/types.h>

/* -------------------------------------------------------------------- styles */

/** The colour of a series and gnuplot's number of its mark. other: it has those of all series that are more
 * than can be told apart. report_styles.c */
typedef struct sd_style {
  const char *colour; /* "#rrggbb" */
  unsigned mark;
  bool other;
} sd_style;
/** The names that are no codec's, in the order in which they came: as many as there are pairs of a colour and
 * a mark. */
enum { SD_STYLES = 30 };
typedef struct sd_styles {
  char name[SD_STYLES][64];
  unsigned n;
} sd_styles;
sd_style sd_style_of (sd_styles *all, const char *series);

/* ----------------------------------------------------------------- documents */

enum { SD_DOC_COLUMNS = 64 };

/** A column of a table: what the head of the query says of it; its side; whether it is folded away on the
 * page and left out for LaTeX; whether it is folded away on a phone. */
typedef struct sd_doc_column {
  const sd_query_column *of; /* which lives as long as the table */
  bool right, more, desk;
} sd_doc_column;

/** As it stands on the page, and as a number; NaN: it is none. */
typedef struct sd_doc_cell {
  size_t text; /* where it begins in sd_doc_table.texts */
  double number;
} sd_doc_cell;

/** A table in memory, of which all documents are written. Row 0 has the heads. */
typedef struct sd_doc_table {
  sd_doc_column column[SD_DOC_COLUMNS];
  unsigned ncolumns;
  size_t nrows;         /* without the heads */
  sd_doc_cell *cell;    /* row by row */
  uint64_t ncells, cap; /* (nrows + 1) * ncolumns; how many have room */
  bool *strong;         /* whether a row is set off */
  sd_buf texts;
  const char *about; /* on the line that stands for it while it is closed; "" */
  bool chief;        /* one that everybody wants to see: it is open though it is long */
} sd_doc_table;

/** A table for LaTeX, a file of its own: DIR/tables/NAME.tex. */
typedef struct sd_doc_tex {
  char name[100]; /* and its label, "tab:NAME" */
  sd_buf text;
} sd_doc_tex;

typedef struct sd_doc {
  sd_buf md, html;
  const char *dir; /* of all files of the report */
  sd_buf contents; /* of the page: a list of its chapters; its place in html */
  size_t contents_at;
  unsigned chapters, in_chapter; /* of this one, the tables so far */
  sd_doc_tex *tex;
  uint64_t ntex, tex_cap;          /* tables, in the order of the page */
  char unfinished[200];            /* what is said in front of the tables where rows are missing */
  char chapter[160], caption[340]; /* what the headings say of the next table */
  sd_buf quoted;                   /* a text of the page in work */
} sd_doc;

void sd_doc_begin (sd_doc *d, const char *title);
void sd_doc_end (sd_doc *d);
/** All that was written; {0} is free already. */
void sd_doc_free (sd_doc *d);
void sd_doc_heading (sd_doc *d, unsigned level, const char *text);
void sd_doc_para (sd_doc *d, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/** On the page and in Markdown, and for LaTeX as one more of d->tex. */
void sd_doc_put_table (sd_doc *d, const sd_doc_table *t);
const char *sd_doc_text (const sd_doc_table *t, size_t row, unsigned column);
/** False: no memory. report_tex.c */
bool sd_doc_table_tex (sd_doc *d, const sd_doc_table *t);
/** DIR/tables/NAME.tex of all tables, and DIR/tables.tex, a document of all of them. report_tex.c */
int sd_doc_write_tex (const sd_doc *d, sd_error *err);
/** What stands between is shown when the reader asks for it. */
void sd_doc_fold_begin (sd_doc *d, const char *summary);
void sd_doc_fold_end (sd_doc *d);
/** On the page, what stands between is of this class: cards, figures. */
void sd_doc_box_begin (sd_doc *d, const char *class);
void sd_doc_box_end (sd_doc *d);
/** A big figure on top of the page. */
void sd_doc_card (sd_doc *d, const char *head, const char *value, const char *remark);
/** DIR/name.svg inline (HTML) or as a link (Markdown); nothing if the file is not there. DIR/name_narrow.svg
 * stands beside it, if it is there, and a phone shows that one. wide: it takes the page's whole width. */
void sd_doc_figure (sd_doc *d, const char *name, const char *caption, bool wide);
/** Between these two: a list of links to files beside the page. */
void sd_doc_files_begin (sd_doc *d);
void sd_doc_files_end (sd_doc *d);
void sd_doc_file (sd_doc *d, const char *name);
void sd_doc_details (sd_doc *d, const char *summary, const char *text);

/* ------------------------------------------------------------------- figures */

/** narrow: the drawing of the figure before it for a phone, NAME_narrow. */
typedef struct sd_figure {
  char name[96];           /* of its files, without the ending */
  char *section, *caption; /* section: what it stands under, "" for none; both are its own */
  const sd_query_file *of;
  bool wide, narrow;
} sd_figure;
/** drawn: false where gnuplot is not there or failed; `why` says it. */
typedef struct sd_figures {
  sd_figure *figure;
  uint64_t n, cap;
  sd_styles styles; /* of all figures, so that a name has one colour in them */
  pid_t process;    /* gnuplot, while it is drawing */
  const char *dir;  /* where it draws */
  bool drawing, drawn;
  char why[256];
} sd_figures;
/** Write scripts and data of all figures of a query into dir, with the style that they read. SD_EINVAL: the
 * head names no kind, or a unit that is none, or the answer lacks columns of the kind. figures/figures.c */
int sd_figures_add (sd_figures *out, sd_query *q, const sd_query_file *f, const char *dir, sd_error *err);
/** Begin to run gnuplot in dir over all scripts. SD_ENOMEM. figures/gnuplot.c */
int sd_figures_draw (sd_figures *f, const char *gnuplot, const char *dir, sd_error *err);
/** Wait until all are drawn, if that was begun, and note how it went. */
void sd_figures_wait (sd_figures *f);
void sd_figures_free (sd_figures *f);
/** A chapter of the figures of all query files with sections, by these; the figures of one file without
 * sections; links to what belongs to figures and is there. figures/page.c */
void sd_figures_put_chapter (sd_doc *d, const sd_figures *all);
void sd_figures_put (sd_doc *d, const sd_figures *all, const sd_query_file *of);
void sd_figures_put_files (sd_doc *d, const sd_figures *all);

#ifndef SD_GNUPLOT
#define SD_GNUPLOT "gnuplot"
#endif

/* --------------------------------------------------------------------- parts */

/** The answer of a query as a part of all documents, and in *csv as numbers; nothing where no row is found,
 * unless the file says when. report_query.c */
int sd_report_part (sd_doc *d, sd_query *q, const sd_query_file *f, sd_buf *csv, sd_error *err);

/** The query files of which the report is made, by rising numbers, and what they gave. report_parts.c */
typedef struct sd_parts {
  struct {
    sd_query_file file;
    sd_buf csv;
  } * part;
  size_t n;
} sd_parts;
/** Those of a folder: "parts", "compare". */
int sd_parts_read (sd_parts *out, const char *folder, sd_error *err);
/** The file of this name, which is there. */
sd_query_file *sd_parts_find (const sd_parts *p, const char *name);
void sd_parts_free (sd_parts *p);
/** Scripts and data of those that are figures; gnuplot begins to draw them. */
int sd_parts_draw (const sd_parts *p, sd_query *q, const char *gnuplot, const char *dir, sd_figures *out,
                   sd_error *err);
/** All of them, as their numbers rise. */
int sd_parts_put (sd_parts *p, sd_doc *d, sd_query *q, const sd_figures *figures, sd_error *err);
/** The texts of this column of a part, of all rows that have one, with `between` between them. */
int sd_parts_ask (const sd_parts *p, sd_query *q, const char *part, const char *column, const char *between,
                  sd_buf *out, sd_error *err);
/** The name of its file of numbers; NULL: it has none. */
const char *sd_parts_csv (const sd_parts *p, size_t i, char *out, size_t cap);
/** All files of numbers; what an earlier report left in one that this one does not write would pass for a
 * part of it. */
int sd_parts_write (const sd_parts *p, const char *dir, sd_error *err);

/** A folder for files of a report, free of what killed programs have left there. */
int sd_report_folder (const char *dir, sd_error *err);
/** A file in such a folder. */
int sd_write_file (const char *dir, const char *name, const sd_buf *b, sd_error *err);

#endif
