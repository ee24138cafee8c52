/** \file store_internal.h
 * What the files of the store share: how a question is asked and columns are bound and read.
 *
 * Rules of the room: a text of SQL is written where it is asked, with question marks for values and never
 * with values in it; a question is prepared, bound, stepped and ended by sd_store_finish, which gives its
 * statement back; whatever fails names the file. */
#ifndef SD_STORE_INTERNAL_H
#define SD_STORE_INTERNAL_H

#include "experiments/store/store.h"
#include <sqlite3.h>

/* Pieces of SQL for each column of a list, a comma before each: names; question marks; the new value where
 * there is a row already. */
#define SD_COLUMN_NAME(kind, name, size) ", \"" #name "\""
#define SD_COLUMN_MARK(kind, name, size) ", ?"
#define SD_COLUMN_AGAIN(kind, name, size) ", \"" #name "\" = excluded.\"" #name "\""

/** The last sign of life of a worker in another place, and when it was seen. */
struct sd_watched {
  int64_t worker, pid, born, beat; /* beat: the last that was read */
  double since;                    /* by our own clock */
  bool moved;                      /* a new beat was seen */
};

struct sd_store {
  sqlite3 *db;
  char *path;                 /* as the user wrote it, for messages */
  int64_t run, worker;        /* 0: none yet */
  unsigned depth;             /* of transactions; only the outermost is one */
  bool keep;                  /* the file is not brought up to date, a copy is */
  bool redo;                  /* rows of the runs in the table `stale` count as not there */
  char place[400];            /* of this process (store_claims.c) */
  struct sd_watched *watched; /* workers in other places */
  uint64_t nwatched, watched_cap;
};

/** The sentence that SQLite has for its last failure; returns the status. */
int sd_store_failed (const sd_store *s, const char *what, sd_error *err);
/** A statement that is kept for the next time; sd_store_release or sd_store_finish give it back. */
int sd_store_prepare (const sd_store *s, const char *sql, sqlite3_stmt **out, sd_error *err);
void sd_store_release (sqlite3_stmt *q);
/** Before the database is closed or replaced: no statement is kept any more. */
void sd_store_drop_statements (sd_store *s);
/** The end of a question whose last step gave `code`: a failure of SQLite's counts where the status is SD_OK
 * so far. */
int sd_store_finish (const sd_store *s, sqlite3_stmt *q, int code, int status, const char *what,
                     sd_error *err);
/** A single number: PRAGMA x, SELECT count (*). */
int sd_store_number (const sd_store *s, const char *sql, int64_t *out, sd_error *err);
/** Statements without results. */
int sd_store_do (const sd_store *s, const char *sql, sd_error *err);
/** A statement without results, with values for its question marks: kinds has a t (const char *) or an i
 * (int64_t) for each. */
int sd_store_change (const sd_store *s, sd_error *err, const char *sql, const char *kinds, ...);
/** Values to and from a statement, one after the other; *at counts on. */
void sd_store_bind_text (sqlite3_stmt *q, int *at, const char *v);
void sd_store_bind_known (sqlite3_stmt *q, int *at, const char *v); /* "": NULL */
void sd_store_bind_real (sqlite3_stmt *q, int *at, double v);       /* NaN: NULL */
void sd_store_bind_count (sqlite3_stmt *q, int *at, uint64_t v);    /* 0: NULL */
void sd_store_read_text (sqlite3_stmt *q, int *at, char *out, size_t cap);
char *sd_store_copy_text (sqlite3_stmt *q, int *at);  /* caller frees; NULL: no memory */
double sd_store_read_real (sqlite3_stmt *q, int *at); /* NULL: NaN */

/* The same for all columns of a list: BIND and READ (kind, name, size) where `q`, `at` and a struct
 * pointer `row` stand. */
#define SD_BIND_T(name) sd_store_bind_text (q, &at, row->name);
#define SD_BIND_O(name) sd_store_bind_known (q, &at, row->name);
#define SD_BIND_P(name) sd_store_bind_text (q, &at, row->name);
#define SD_BIND_I(name) sqlite3_bind_int64 (q, at++, (int64_t) row->name);
#define SD_BIND_U(name) SD_BIND_I (name)
#define SD_BIND_R(name) sqlite3_bind_double (q, at++, row->name);
#define SD_BIND_N(name) sd_store_bind_real (q, &at, row->name);
#define SD_BIND_C(name) sd_store_bind_count (q, &at, row->name);
#define SD_BIND(kind, name, size) SD_BIND_##kind (name)
#define SD_READ_T(name) sd_store_read_text (q, &at, row->name, sizeof row->name);
#define SD_READ_O(name) SD_READ_T (name)
#define SD_READ_P(name) row->name = sd_store_copy_text (q, &at);
#define SD_READ_I(name) row->name = (uint64_t) sqlite3_column_int64 (q, at++);
#define SD_READ_U(name) row->name = (unsigned) sqlite3_column_int64 (q, at++);
#define SD_READ_R(name) row->name = sqlite3_column_double (q, at++);
#define SD_READ_N(name) row->name = sd_store_read_real (q, &at);
#define SD_READ_C(name) row->name = (uint64_t) sqlite3_column_int64 (q, at++);
#define SD_READ(kind, name, size) SD_READ_##kind (name)

/** Is each text of the row one that subdef writes: read by its own parser (table, freedom, order, settings
 * ...), or one line of text (group)? Is each number one that was measured? SD_EFORMAT: "FILE: row 17: column
 * order: why". row_check.c */
int sd_row_check (const char *file, int64_t id, const sd_row *row, sd_error *err);
/** The same for a run: "FILE: run 2: column commit: why". */
int sd_run_check (const char *file, int64_t id, const sd_provenance *run, sd_error *err);

/** The claim of this worker on a cell is over. store_claims.c */
int sd_store_unclaim (const sd_store *s, const char *key, sd_error *err);

/** Make the tables in an empty file (create), or bring those of an older version up to date. SD_EFORMAT: not
 * a database of sweeps; SD_EVERSION: of a newer version. store_schema.c */
int sd_store_set_up (sd_store *s, bool create, sd_error *err);

#endif
