/** \file store_internal.h
 * What the files of the store share: the columns of its tables, each list once, and how a question is asked. */
#ifndef SD_STORE_INTERNAL_H
#define SD_STORE_INTERNAL_H

#include "experiments/experiments_internal.h"
#include <sqlite3.h>

/* Columns of a cell, X (kind, name). T: text, I: integer, R: real; N: real, NULL (NaN in a row) where nothing
 * was timed; C: a count of timings, NULL (0 in a row) where there are none. */
#define SD_CELL_COLUMNS(X)                                                                                   \
  X (T, group)                                                                                               \
  X (T, table)                                                                                               \
  X (T, metric)                                                                                              \
  X (T, coding)                                                                                              \
  X (T, side)                                                                                                \
  X (T, freedom)                                                                                             \
  X (T, order)                                                                                               \
  X (T, numbering)                                                                                           \
  X (T, codec)                                                                                               \
  X (T, settings)                                                                                            \
  X (I, block)                                                                                               \
  X (I, main)                                                                                                \
  X (I, threads)                                                                                             \
  X (I, slots)                                                                                               \
  X (I, positions)                                                                                           \
  X (I, free_slots)                                                                                          \
  X (I, bytes)                                                                                               \
  X (I, header_bytes)                                                                                        \
  X (I, model_bytes)                                                                                         \
  X (I, index_bytes)                                                                                         \
  X (I, payload_bytes)                                                                                       \
  X (I, blocks)                                                                                              \
  X (I, dictionary)                                                                                          \
  X (R, encode_s)                                                                                            \
  X (R, decode_s)                                                                                            \
  X (N, get_ns)                                                                                              \
  X (N, get_p99_ns)                                                                                          \
  X (C, get_samples)                                                                                         \
  X (N, probe_ns)                                                                                            \
  X (N, probe_p99_ns)                                                                                        \
  X (C, probe_samples)

/* Columns of a run. P: text of any length; the other kinds as above. What a run of an older version did not
 * write down is empty, NULL or 0. */
#define SD_RUN_COLUMNS(X)                                                                                    \
  X (T, started)                                                                                             \
  X (T, title)                                                                                               \
  X (T, version)                                                                                             \
  X (T, commit)                                                                                              \
  X (T, compiler)                                                                                            \
  X (T, cpu)                                                                                                 \
  X (I, cores)                                                                                               \
  X (I, jobs)                                                                                                \
  X (I, seed)                                                                                                \
  X (T, sweep_file)                                                                                          \
  X (T, sweep_hash)                                                                                          \
  X (P, sweep)                                                                                               \
  SD_RUN_COLUMNS_2 (X)

/* Those that version 2 of the tables brought. */
#define SD_RUN_COLUMNS_2(X)                                                                                  \
  X (T, flags)                                                                                               \
  X (T, configure)                                                                                           \
  X (T, host)                                                                                                \
  X (T, kernel)                                                                                              \
  X (C, memory_bytes)                                                                                        \
  X (N, load)                                                                                                \
  X (T, command)                                                                                             \
  X (T, libraries)                                                                                           \
  X (P, tables)

#define SD_COLUMN_NAME(kind, name) ", \"" #name "\""
#define SD_COLUMN_MARK(kind, name) ", ?"

/** The last sign of life of a worker in another place, and when it was seen. */
struct sd_watched {
  int64_t worker, pid, born, beat;
  double since;
  bool moved; /* a new beat was seen */
};

struct sd_store {
  sqlite3 *db;
  char *path;
  int64_t run, worker; /* 0: none yet */
  unsigned depth;      /* of transactions; only the outermost is one */
  bool keep;           /* the file is not brought up to date, a copy is */
  bool redo;           /* rows of the runs in the table `stale` count as not there */
  char place[400];     /* of this process (store_claims.c) */
  struct sd_watched *watched;
  unsigned nwatched;
};

/** The sentence that SQLite has for its last failure; returns the status. */
int sd_store_failed (const sd_store *s, const char *what, sd_error *err);
int sd_store_prepare (const sd_store *s, const char *sql, sqlite3_stmt **out, sd_error *err);
/** A single number: PRAGMA x, SELECT count (*). */
int sd_store_number (const sd_store *s, const char *sql, int64_t *out, sd_error *err);
/** Statements without results. */
int sd_store_do (const sd_store *s, const char *sql, sd_error *err);
/** Values to and from a statement, one after the other; *at counts on. */
void sd_store_bind_text (sqlite3_stmt *q, int *at, const char *v);
void sd_store_bind_real (sqlite3_stmt *q, int *at, double v);    /* NaN: NULL */
void sd_store_bind_count (sqlite3_stmt *q, int *at, uint64_t v); /* 0: NULL */
void sd_store_read_text (sqlite3_stmt *q, int *at, char *out, size_t cap);
char *sd_store_copy_text (sqlite3_stmt *q, int *at); /* caller frees; NULL: no memory */
double sd_store_read_real (sqlite3_stmt *q, int *at); /* NULL: NaN */

/* The same for all columns of a list: BIND (kind, name) and READ (kind, name) where `q`, `at` and a struct
 * pointer `row` stand. */
#define SD_BIND_T(name) sd_store_bind_text (q, &at, row->name);
#define SD_BIND_P(name) sd_store_bind_text (q, &at, row->name);
#define SD_BIND_I(name) sqlite3_bind_int64 (q, at++, (int64_t) row->name);
#define SD_BIND_R(name) sqlite3_bind_double (q, at++, row->name);
#define SD_BIND_N(name) sd_store_bind_real (q, &at, row->name);
#define SD_BIND_C(name) sd_store_bind_count (q, &at, row->name);
#define SD_BIND(kind, name) SD_BIND_##kind (name)
#define SD_READ_T(name) sd_store_read_text (q, &at, row->name, sizeof row->name);
#define SD_READ_P(name) row->name = sd_store_copy_text (q, &at);
#define SD_READ_I(name) row->name = sqlite3_column_int64 (q, at++);
#define SD_READ_R(name) row->name = sqlite3_column_double (q, at++);
#define SD_READ_N(name) row->name = sd_store_read_real (q, &at);
#define SD_READ_C(name) row->name = (uint64_t) sqlite3_column_int64 (q, at++);
#define SD_READ(kind, name) SD_READ_##kind (name)

/** What is asked of every database before it is read. store.c */
void sd_store_harden (sqlite3 *db);

/** The claim of this worker on a cell is over. store_claims.c */
int sd_store_unclaim (const sd_store *s, const char *key, sd_error *err);

/** Make the tables in an empty file (create), or bring those of an older version up to date. SD_EFORMAT: not a
 * database of sweeps; SD_EVERSION: of a newer version. store_schema.c */
int sd_store_set_up (sd_store *s, bool create, sd_error *err);

#endif
