/** \file query.h
 * Questions to a store, written in SQL. A query file is a SELECT with a head of comment lines that says what
 * its rows are called, how the columns are counted and what stands above them; a part of the report is such a
 * file, and so is what a user asks himself. Statistics are SQL functions (statistics/), kept CSV
 * files are tables (csv.c). Whoever wrote a query, it only reads: nothing of the file system but the files
 * that its head names, nothing that lasts, and for a limited time (query.c). Uses store/ and statistics/. */
#ifndef SD_QUERY_H
#define SD_QUERY_H

#include "experiments/store/store.h"

/* ------------------------------------------------------------------ query files */

/** How a number is shown: on the page, and in files of numbers. query_file.c */
enum sd_query_unit {
  SD_UNIT_TEXT,      /* as it is */
  SD_UNIT_COUNT,     /* 1,234 / 1234 */
  SD_UNIT_WHOLE,     /* 1,234 / 1234.5 */
  SD_UNIT_NS,        /* 1.23 us / 1234 */
  SD_UNIT_SIGNED_NS, /* +1.23 us / 1234.5 */
  SD_UNIT_PERCENT,   /* 12.3 % / 12.3 */
  SD_UNIT_RATIO,     /* 0.512 / 0.5123 */
  SD_UNIT_TIMES,     /* 1.23 */
  SD_UNIT_TENTHS,    /* 1.2 */
  SD_UNIT_ROUND,     /* 12 */
  SD_UNIT_BITS,      /* 1.2345 */
  SD_UNIT_SIGNED,    /* +0.1234 */
  SD_UNIT_OFF,       /* +12.3 */
  SD_UNIT_DIGITS,    /* four digits that count */
  SD_UNIT_SLOPE,     /* the same / six of them */
  SD_UNITS
};

typedef struct sd_query_column {
  char key[64];   /* of the SELECT, and in files of numbers */
  char head[160]; /* on the page; may hold {expressions} */
  enum sd_query_unit unit;
  /* right: numbers under one another; fold: only behind "all columns"; rises: sorted by it, which an arrow in
   * its head says; screen: not for LaTeX; desk: not on a phone */
  bool right, fold, rises, screen, desk; /* as in sd_doc_column; fold: `more` */
  bool page, file;                       /* it stands there */
  bool apart; /* not on a phone, unless rows would look alike there */
  bool known; /* in a file, or of a table of two axes, only where any row has a value */
} sd_query_column;

enum { SD_QUERY_COLUMNS = 64, SD_QUERY_TEXTS = 8, SD_QUERY_FILES = 8, SD_QUERY_MOST = 100000 };

/** A table of its own: the CSV file of a paper. */
typedef struct sd_query_csv {
  char name[64], file[256];
} sd_query_csv;

/** What stands in the head of a query file; texts may hold {expressions} of SQL. "": is not there. */
typedef struct sd_query_file {
  char path[256], name[64], *sql;
  unsigned line; /* of the file, on which the SQL begins */
  char title[400], when[600], *text[SD_QUERY_TEXTS];
  unsigned level, ntexts, ncolumns, ncsv;
  bool chief;
  bool own; /* part of the program: its answer may be as long, and take as long, as the store asks for */
  /* a figure: its kind (experiments/report/figures/figures.c), "UNIT | LABEL" of its axes, what its marks
   * mean, and what stands below it on a page */
  char figure[16], x[200], y[200], legend[300], caption[1200];
  /* columns of the SELECT that are no cells: a new table begins with each value, a sentence above it, a text
   * for the line that stands for a closed table, whether a row is set off */
  char section[64], note[64], about[64], strong[64];
  /* a table of two axes: columns for the row's name, the head above these names, the head of its other
   * columns, each row with the same ones in the same order; big figures on top of a page: columns for what
   * they are about, the value, a remark */
  char cross[3][64], cards[3][64];
  /* paragraphs in place of a table: the column of their texts; texts as they are, which the reader opens:
   * columns of what they are, and of them */
  char paragraphs[64], details[2][64];
  sd_query_column column[SD_QUERY_COLUMNS];
  sd_query_csv csv[SD_QUERY_FILES];
} sd_query_file;

/** From a text; path: for messages. SD_EINVAL: file, line, reason. */
int sd_query_parse (const char *path, const char *text, sd_query_file *out, sd_error *err);
/** The same of a file of the user's. */
int sd_query_read (const char *path, sd_query_file *out, sd_error *err);
void sd_query_file_free (sd_query_file *f);
/** The text up to a bar, without blanks around it; *at goes on behind the bar. False: it is too long, and
 * cut. */
bool sd_query_part (const char **at, char *out, size_t cap);

/* --------------------------------------------------------------------- questions */

/** A store, or CSV files alone, that can be asked. */
typedef struct sd_query sd_query;

/** baseline: a kind of rows, see lines.sql. published: a CSV file as the table `published`, or NULL.
 * other: not NULL: a second store, with which the first is compared (compare.sql), by the cells that agree in
 * all but the keys of `by`, "codec,block", or "". */
typedef struct sd_query_options {
  const char *baseline, *published, *other, *by;
  double seconds;  /* that a question may take; 0: 60 */
  unsigned memory; /* MiB that SQLite may take, of the whole program; 0: 1024 */
} sd_query_options;
/** db: a store, or NULL: only what CSV files hold can be asked. Every row and run of a store is checked
 * (store/row_check.c). SD_ENOENT: no such file, or no row; SD_EFORMAT: a row is not right. */
int sd_query_open (const char *db, const sd_query_options *opt, sd_query **out, sd_error *err);
/** The same of a store that is open, of one moment, and whose rows have been checked (sd_store_check). It
 * stays the caller's, who may close it afterwards, but not ask it again: the tables of lines.sql and the
 * limits of queries stay with it. A query and its store are for one thread at a time. */
int sd_query_over (sd_store *store, const sd_query_options *opt, sd_query **out, sd_error *err);
void sd_query_close (sd_query *q);
/** The store that is asked; NULL: there is none. */
sd_store *sd_query_store (sd_query *q);
/** The number that a SELECT of ours gives. SD_EIO: it gives none. */
int sd_query_number (sd_query *q, const char *sql, double *out, sd_error *err);

/** A CSV file as a table of this name. SD_EINVAL: the name is none or taken; SD_EFORMAT: not such a file.
 * csv.c */
int sd_query_add_csv (sd_query *q, const char *name, const char *path, sd_error *err);
/** Those that the head names, beside the query file. csv.c */
int sd_query_add_files (sd_query *q, const sd_query_file *f, sd_error *err);

/** A cell of an answer. */
typedef struct sd_result_value {
  enum { SD_IS_NULL, SD_IS_NUMBER, SD_IS_TEXT } is;
  bool integer; /* of a number: `whole` is it, `number` may be rounded */
  double number;
  int64_t whole;
  size_t text; /* where it begins in sd_result.texts */
} sd_result_value;
typedef struct sd_result {
  char (*name)[64];
  unsigned ncolumns;      /* of each row */
  sd_result_value *value; /* row by row, ncolumns each */
  uint64_t room;          /* values that there is room for */
  size_t nrows;
  sd_buf texts; /* of all values, each with a 0 behind it */
} sd_result;
/** All rows of the query. SD_EINVAL: the SQL is wrong or not allowed, or the head names a column that is not
 * there; SD_ERANGE: it takes too long or gives too much. */
int sd_query_ask (sd_query *q, const sd_query_file *f, sd_result *out, sd_error *err);
void sd_result_free (sd_result *a);
/** The column of this name; -1: none, or the name is "". */
int sd_result_column (const sd_result *a, const char *name);
/** Of the answer's rows and columns, from 0; column -1, which sd_result_column gives for what is not there: a
 * NULL. */
const sd_result_value *sd_result_at (const sd_result *a, size_t row, int column);
/** A text, also of a number; "" of NULL. out needs 32 bytes for numbers. */
const char *sd_result_text (const sd_result *a, const sd_result_value *v, char *out);
/** Numbers of a column become texts, and what is NULL "", so that all of its values can be pointed to. */
int sd_result_make_texts (sd_result *a, int column, sd_error *err);
/** A value as it stands on the page ("-": none) or in a file of numbers (""). */
const char *sd_result_shown (const sd_result *a, const sd_result_value *v, enum sd_query_unit unit, bool page,
                             char *out);
/** A text of the head with its {expressions} computed, appended to *out, with a 0 behind it. a: the answer,
 * whose columns may stand there by their names, as they are in this row; NULL: none. */
int sd_query_fill (sd_query *q, const sd_query_file *f, const sd_result *a, size_t row, const char *text,
                   sd_buf *out, sd_error *err);

/** A duration in nanoseconds as "320 ns", "4.1 us", "23 ms"; "-" if it was not measured. out needs 32 bytes.
 */
const char *sd_text_ns (double ns, char *out);

#endif
