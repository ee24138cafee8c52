/* Rows of sweeps in one SQLite file: a table of runs (provenance, the sweep's whole text; store_runs.c) and a
 * table of cells, one row per cell under a unique key, so that a killed sweep finds what it already has. A
 * row is there whole or not at all; a transaction costs the disk some milliseconds, more than a small cell,
 * so that the runner stores many rows in one (sd_store_begin). The columns stand once, in store.h.
 *
 * The journal is SQLite's usual one, not a write-ahead log: sweeps on several hosts may share a file, which a
 * log does not allow, and the one file holds all rows at every moment. Transactions are as safe as SQLite's
 * setting NORMAL makes them: a program that is killed loses none that has ended.
 *
 * run/ writes rows here, query/ and report/ read them. Who reads a whole store asks sd_store_check first:
 * from then on rows are what subdef writes, whoever made the file. A failure of SQLite's is one sentence:
 * "OUT.db: a row cannot be written: database or disk is full". */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ questions */

/* Of SQLite's failures those that a user can do something about have a status of their own. */
int sd_store_failed (const sd_store *s, const char *what, sd_error *err) {
  int code = sqlite3_extended_errcode (s->db), primary = code & 0xff;
  int status = primary == SQLITE_NOTADB  ? SD_EFORMAT
               : primary == SQLITE_NOMEM ? SD_ENOMEM
               : primary == SQLITE_FULL  ? SD_ENOSPC
                                         : SD_EIO;
  return sd_fail (err, status, "%s: %s: %s", s->path, what, sqlite3_errmsg (s->db));
}

/* There are some twenty of them, which SQLite lists. So looking for one among them costs less than preparing
 * it. A statement that is still stepped is not taken a second time. */
int sd_store_prepare (const sd_store *s, const char *sql, sqlite3_stmt **out, sd_error *err) {
  sqlite3_stmt *q = sqlite3_next_stmt (s->db, NULL);
  while (q && (sqlite3_stmt_busy (q) || strcmp (sqlite3_sql (q), sql) != 0))
    q = sqlite3_next_stmt (s->db, q);
  *out = q;
  return q || sqlite3_prepare_v3 (s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) == SQLITE_OK
             ? SD_OK
             : sd_store_failed (s, "cannot be asked", err);
}

void sd_store_release (sqlite3_stmt *q) {
  sqlite3_reset (q);
  sqlite3_clear_bindings (q);
}

void sd_store_drop_statements (sd_store *s) {
  for (sqlite3_stmt *q; s->db && (q = sqlite3_next_stmt (s->db, NULL));)
    sqlite3_finalize (q);
}

int sd_store_finish (const sd_store *s, sqlite3_stmt *q, int code, int status, const char *what,
                     sd_error *err) {
  if (status == SD_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    status = sd_store_failed (s, what, err);
  sd_store_release (q);
  return status;
}

/* Asked a few times only: not kept. */
int sd_store_number (const sd_store *s, const char *sql, int64_t *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2 (s->db, sql, -1, &q, NULL) != SQLITE_OK)
    return sd_store_failed (s, "cannot be asked", err);
  int status = sqlite3_step (q) == SQLITE_ROW ? SD_OK : sd_store_failed (s, "cannot be read", err);
  *out = status == SD_OK ? sqlite3_column_int64 (q, 0) : 0;
  sqlite3_finalize (q);
  return status;
}

int sd_store_do (const sd_store *s, const char *sql, sd_error *err) {
  return sqlite3_exec (s->db, sql, NULL, NULL, NULL) == SQLITE_OK
             ? SD_OK
             : sd_store_failed (s, "cannot be written", err);
}

/* Values come in the order of the question marks. */
int sd_store_change (const sd_store *s, sd_error *err, const char *sql, const char *kinds, ...) {
  sqlite3_stmt *q = NULL;
  va_list ap;
  int at = 1;
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  va_start (ap, kinds);
  for (; *kinds; kinds++)
    if (*kinds == 't')
      sd_store_bind_text (q, &at, va_arg (ap, const char *));
    else
      sqlite3_bind_int64 (q, at++, va_arg (ap, int64_t));
  va_end (ap);
  return sd_store_finish (s, q, sqlite3_step (q), SD_OK, "cannot be written", err);
}

/* IMMEDIATE: the lock for writing is taken at once. A transaction that reads first and wants to write later
 * would fail at once, without waiting, where another sweep is about to write. */
int sd_store_begin (sd_store *s, sd_error *err) {
  if (s->depth == 0)
    SD_TRY (sd_store_do (s, "BEGIN IMMEDIATE", err));
  s->depth++;
  return SD_OK;
}

/* Of nested ones only the outermost writes or takes back: whoever fails inside passes his status up to it. */
int sd_store_end (sd_store *s, int status, sd_error *err) {
  if (s->depth == 0 || --s->depth > 0)
    return status;
  if (status == SD_OK)
    status = sd_store_do (s, "COMMIT", err);
  if (status != SD_OK)
    sqlite3_exec (s->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

void sd_store_bind_text (sqlite3_stmt *q, int *at, const char *v) {
  sqlite3_bind_text (q, (*at)++, v ? v : "", -1, SQLITE_TRANSIENT);
}

void sd_store_bind_known (sqlite3_stmt *q, int *at, const char *v) {
  if (*v)
    sd_store_bind_text (q, at, v);
  else
    sqlite3_bind_null (q, (*at)++);
}

void sd_store_bind_real (sqlite3_stmt *q, int *at, double v) {
  if (isnan (v))
    sqlite3_bind_null (q, (*at)++);
  else
    sqlite3_bind_double (q, (*at)++, v);
}

void sd_store_bind_count (sqlite3_stmt *q, int *at, uint64_t v) {
  if (v == 0)
    sqlite3_bind_null (q, (*at)++);
  else
    sqlite3_bind_int64 (q, (*at)++, (int64_t) v);
}

void sd_store_read_text (sqlite3_stmt *q, int *at, char *out, size_t cap) {
  const unsigned char *t = sqlite3_column_text (q, (*at)++);
  snprintf (out, cap, "%s", t ? (const char *) t : "");
}

char *sd_store_copy_text (sqlite3_stmt *q, int *at) {
  const unsigned char *t = sqlite3_column_text (q, (*at)++);
  return strdup (t ? (const char *) t : "");
}

double sd_store_read_real (sqlite3_stmt *q, int *at) {
  const int column = (*at)++;
  return sqlite3_column_type (q, column) == SQLITE_NULL ? NAN : sqlite3_column_double (q, column);
}

/* Kinds N and C may be unknown; I and R are always measured, and stay. */
#define FORGET_N(name) row->name = NAN;
#define FORGET_I(name)
#define FORGET_R(name)
#define FORGET_C(name) row->name = 0;
#define FORGET(kind, name, size) FORGET_##kind (name)
void sd_row_forget_times (sd_row *row) {
  SD_MEASURE_COLUMNS (FORGET)
}

/* ------------------------------------------------------------- open and close */

/* SQLite keeps a file called "" or ":memory:" in memory and reads options out of "file:NAME?...": behind a
 * folder each of them is a name like any other. NULL: no memory. */
static char *plain_name (const char *path) {
  const char *folder = path[0] == '/' || path[0] == '.' ? "" : "./";
  size_t bytes = strlen (folder) + strlen (path) + 1;
  char *name = malloc (bytes);
  if (name)
    snprintf (name, bytes, "%s%s", folder, path);
  return name;
}

/* A store may come from anywhere: views and triggers, which compute what somebody else wrote, are not
 * followed. */
void sd_store_harden (sqlite3 *db) {
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_limit (db, SQLITE_LIMIT_LENGTH, 64 << 20);
  /* sorting makes no files, which would have no bound; 64 MiB of pages: most stores are read once */
  sqlite3_exec (db, "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536", NULL, NULL, NULL);
}

/* keep: the file is not changed (a journal that a killed sweep left is still played back). A minute is waited
 * for a lock of another sweep before "database is locked". */
static int open_store (const char *path, bool create, bool keep, sd_store **out, sd_error *err) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
  SD_OWN (sd_store) *s = sd_alloc0 (1, sizeof *s);
  SD_OWNED char *name = plain_name (path);
  *out = NULL;

  if (!*path)
    return sd_fail (err, SD_EINVAL, "the name of the database is empty");
  if (!create && !sd_file_exists (path))
    return sd_fail (err, SD_ENOENT, "%s: no such file", path);
  if (!s || !name || !(s->path = strdup (path)))
    return sd_fail_memory (err, sizeof *s);

  if (sqlite3_open_v2 (name, &s->db, flags, NULL) != SQLITE_OK)
    return s->db ? sd_fail (err, SD_EIO, "%s: cannot be opened: %s", path, sqlite3_errmsg (s->db))
                 : sd_fail_memory (err, 0);

  sd_store_harden (s->db);
  s->keep = keep;
  sqlite3_busy_timeout (s->db, 60000);
  sqlite3_exec (s->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);

  SD_TRY (sd_store_set_up (s, create, err));
  *out = s;
  s = NULL;
  return SD_OK;
}

/* The folder that the file is to stand in, made as other commands make theirs. */
static int make_folder_of (const char *path, sd_error *err) {
  SD_OWNED char *copy = strdup (path);
  return copy ? sd_make_folder (dirname (copy), err) : sd_fail_memory (err, strlen (path));
}

int sd_store_open (const char *path, bool create, sd_store **out, sd_error *err) {
  *out = NULL;
  if (create && *path)
    SD_TRY (make_folder_of (path, err));
  return open_store (path, create, false, out, err);
}

int sd_store_peek (const char *path, sd_store **out, sd_error *err) {
  return open_store (path, false, true, out, err);
}

void sd_store_close (sd_store *s) {
  if (!s)
    return;
  sd_store_quit (s);
  sd_store_drop_statements (s);
  sqlite3_close_v2 (s->db);
  free (s->watched);
  free (s->path);
  free (s);
}

const char *sd_store_path (const sd_store *s) {
  return s->path;
}

sqlite3 *sd_store_database (sd_store *s) {
  return s->db;
}

/* What a row that counts has: three texts. They go behind the WHERE of a question for a cell, for
 * "%s%s%s". */
#define HAS(s, times)                                                                                        \
  (times).get ? " AND get_ns IS NOT NULL" : "", (times).probe ? " AND probe_ns IS NOT NULL" : "",            \
      (s)->redo ? " AND run NOT IN (SELECT id FROM stale)" : ""

int sd_store_has (sd_store *s, const char *key, sd_times times, bool *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  char sql[200];
  snprintf (sql, sizeof sql, "SELECT 1 FROM cell WHERE key = ?%s%s%s", HAS (s, times));
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  sd_store_bind_text (q, &at, key);
  int code = sqlite3_step (q);
  *out = code == SQLITE_ROW;
  return sd_store_finish (s, q, code, SD_OK, "cannot be read", err);
}

int sd_store_adopt (sd_store *s, const char *key, const sd_name *name, sd_times times, bool *out,
                    sd_error *err) {
#define SAME(kind, column, size) " AND \"" #column "\" IS ?" /* what is unknown in both, too */
  sqlite3_stmt *q = NULL;
  const sd_name *row = name;
  int at = 1;
  char sql[4096];
  snprintf (sql, sizeof sql,
            "INSERT OR REPLACE INTO cell (key" SD_GROUP_COLUMNS (
                SD_COLUMN_NAME) ", run, finished" SD_CODED_COLUMNS (SD_COLUMN_NAME)
                SD_PLACE_COLUMNS (SD_COLUMN_NAME)
                    SD_MEASURE_COLUMNS (SD_COLUMN_NAME) ") SELECT ?" SD_GROUP_COLUMNS (
                        SD_COLUMN_MARK) ", run, finished" SD_CODED_COLUMNS (SD_COLUMN_NAME)
                        SD_PLACE_COLUMNS (SD_COLUMN_NAME) SD_MEASURE_COLUMNS (
                            SD_COLUMN_NAME) " FROM cell WHERE TRUE" SD_CODED_COLUMNS (SAME)
                            SD_PLACE_COLUMNS (SAME) "%s%s%s ORDER BY id LIMIT 1",
            HAS (s, times));

  /* First what the new row is called, then by what the old one is known: their places, groups left out. */
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  sd_store_bind_text (q, &at, key);
  SD_GROUP_COLUMNS (SD_BIND)
  SD_CODED_COLUMNS (SD_BIND)
  SD_PLACE_COLUMNS (SD_BIND)

  SD_TRY (sd_store_finish (s, q, sqlite3_step (q), SD_OK, "a row cannot be written", err));
  *out = sqlite3_changes (s->db) > 0;
  return SD_OK;
}

/* In place of a row that lacks times which this one has; with `redo` of one that counts as not there. A row
 * that somebody else has stored meanwhile stays otherwise, so that of two sweeps on one cell the first one
 * counts. */
static int put (const sd_store *s, const char *key, const sd_row *row, sd_error *err) {
#define INSERT                                                                                               \
  "INSERT INTO cell (key, run, finished" SD_CELL_COLUMNS (                                                   \
      SD_COLUMN_NAME) ") VALUES (?, ?, strftime ('%Y-%m-%dT%H:%M:%SZ', 'now')" SD_CELL_COLUMNS (SD_COLUMN_MARK) ")"
#define REPLACE                                                                                              \
  " ON CONFLICT (key) DO UPDATE SET run = excluded.run, finished = excluded.finished" SD_CELL_COLUMNS (      \
      SD_COLUMN_AGAIN) " WHERE (cell.get_ns IS NULL AND excluded.get_ns IS NOT NULL)"                        \
                       " OR (cell.probe_ns IS NULL AND excluded.probe_ns IS NOT NULL)"
  static const char insert[] = INSERT REPLACE;
  static const char replace[] = INSERT REPLACE " OR cell.run IN (SELECT id FROM stale)";
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (sd_store_prepare (s, s->redo ? replace : insert, &q, err));
  sd_store_bind_text (q, &at, key);
  sqlite3_bind_int64 (q, at++, s->run);
  SD_CELL_COLUMNS (SD_BIND)
  return sd_store_finish (s, q, sqlite3_step (q), SD_OK, "a row cannot be written", err);
}

int sd_store_insert (sd_store *s, const char *key, const sd_row *row, sd_error *err) {
  SD_TRY (sd_store_begin (s, err));
  int status = put (s, key, row, err);
  if (status == SD_OK)
    status = sd_store_unclaim (s, key, err);
  return sd_store_end (s, status, err);
}

#define ROW_COLUMNS "id, run" SD_CELL_COLUMNS (SD_COLUMN_NAME)

/* The next row of a question for these columns, checked. */
static int read_row (const sd_store *s, sqlite3_stmt *q, sd_row *row, sd_error *err) {
  int at = 0;
  row->id = sqlite3_column_int64 (q, at++);
  row->run = sqlite3_column_int64 (q, at++);
  SD_CELL_COLUMNS (SD_READ)
  return sd_row_check (s->path, row->id, row, err);
}

/* Of all columns that name a cell: two rows of one cell have one hash. */
#define HASH(kind, column, size) hash = hash * 31 + sd_hash64 (row->column, strlen (row->column));
static uint64_t hash_of (const sd_row *row) {
  uint64_t hash = 0;
  SD_NAME_COLUMNS (HASH)
  return hash;
}

/* A store of some size has no such rows, and is not sorted by all of its texts. This asks whether the sorting
 * by SQL is worth it: *any is true where two hashes are equal, which may be a chance. */
static int any_alike (const uint64_t *hash, uint64_t n, bool *any, sd_error *err) {
  SD_OWNED uint32_t *first = NULL;
  SD_TRY (sd_first_alike (hash, n, &first, err));
  *any = false;
  for (uint64_t i = 0; i < n && !*any; i++)
    *any = first[i] != i;
  return SD_OK;
}

/* Two rows for one cell of one group (alike: there may be such), and rows without a run, are found by SQL. A
 * file that a sweep has written has neither, as its keys are unique and its runs are written first. */
static int check_places (sd_store *s, bool alike, sd_error *err) {
#define NO_RUN "SELECT 0, 0, run FROM cell WHERE run NOT IN (SELECT id FROM run) LIMIT 1"
  static const char sql[] = "SELECT max (id), min (id), 0 FROM cell GROUP BY NULL" SD_NAME_COLUMNS (
      SD_COLUMN_NAME) " HAVING count (*) > 1 UNION ALL " NO_RUN;
  sqlite3_stmt *q = NULL;
  int status = SD_OK;
  SD_TRY (sd_store_prepare (s, alike ? sql : NO_RUN, &q, err));
  int code = sqlite3_step (q);
  if (code == SQLITE_ROW) {
    const long long id = sqlite3_column_int64 (q, 0);
    status = id ? sd_fail (err, SD_EFORMAT, "%s: row %lld: column key: row %lld is of the same cell", s->path,
                           id, (long long) sqlite3_column_int64 (q, 1))
                : sd_fail (err, SD_EFORMAT, "%s: a row is of run %lld, and there is no such run", s->path,
                           (long long) sqlite3_column_int64 (q, 2));
    code = SQLITE_DONE;
  }
  return sd_store_finish (s, q, code, status, "rows cannot be read", err);
}

int sd_store_check (sd_store *s, uint64_t *rows, sd_error *err) {
  static const char sql[] = "SELECT " ROW_COLUMNS " FROM cell";
  sd_row row = { .id = 0 };
  sd_provenance *run = NULL;
  size_t runs = 0;
  SD_OWNED uint64_t *hash = NULL;
  uint64_t room = 0;
  bool alike;
  sqlite3_stmt *q = NULL;
  int status = SD_OK, code = SQLITE_DONE;

  SD_TRY (sd_store_prepare (s, sql, &q, err));
  for (*rows = 0; status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW; ++*rows) {
    status = read_row (s, q, &row, err);
    if (status == SD_OK && !sd_grow (&hash, &room, *rows + 1))
      status = sd_fail_memory (err, *rows * sizeof *hash);
    if (status == SD_OK)
      hash[*rows] = hash_of (&row);
  }

  SD_TRY (sd_store_finish (s, q, code, status, "rows cannot be read", err));

  /* The columns of each row are right. Now what rows are to each other, and then the runs, which
   * sd_store_runs checks while it reads them. */
  SD_TRY (any_alike (hash, *rows, &alike, err));
  SD_TRY (check_places (s, alike, err));
  status = sd_store_runs (s, &run, &runs, err);
  sd_provenances_free (run, runs);
  return status;
}

/* The values of a row, each behind a comma but the first of a line. */
static void put_fields (sd_buf *out, sqlite3_stmt *q, bool names) {
  const int columns = sqlite3_column_count (q);
  for (int i = 0; i < columns; i++) {
    const char *text = names ? sqlite3_column_name (q, i) : (const char *) sqlite3_column_text (q, i);
    if (i)
      sd_buf_u8 (out, ',');
    sd_put_csv_cell (out, text ? text : "");
  }
}

/* What a run says of all of its rows; without a run the names of these columns. Empty: there is no such run.
 * The columns are those that tell rows of two runs apart; the texts of the sweep and of its tables are too
 * long for each line. */
static int put_run (sd_store *s, const int64_t *run, sd_buf *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  SD_TRY (sd_store_prepare (s,
                            "SELECT started, version, \"commit\", compiler, flags, cpu, cores, jobs, seed,"
                            " sweep_file, sweep_hash, host, kernel, memory_bytes, load, libraries"
                            " FROM run WHERE id = ?",
                            &q, err));
  sqlite3_bind_int64 (q, 1, run ? *run : 0);
  const int code = sqlite3_step (q);
  out->len = 0;
  if (!run || code == SQLITE_ROW)
    put_fields (out, q, !run);
  return sd_store_finish (s, q, code, sd_buf_status (out), "runs cannot be read", err);
}

/* A row, or the names of its columns, and behind it what is said of its run. A row without a run, which
 * sd_store_check refuses, is left out. */
static void put_line (sd_buf *out, sqlite3_stmt *q, bool names, const sd_buf *of_run) {
  if (!of_run->len)
    return;
  put_fields (out, q, names);
  sd_buf_u8 (out, ',');
  sd_buf_append (out, of_run->data, of_run->len);
  sd_buf_u8 (out, '\n');
}

/* The texts of a run are the most of a line: they are made once for rows that follow each other. cells.csv of
 * a report is this: a line a row, in the order in which they were stored. */
int sd_store_csv (sd_store *s, sd_buf *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  sd_buf of_run SD_RELEASED_BY (sd_buf_free) = { 0 };
  int64_t run = 0;
  int code = SQLITE_DONE;
  SD_TRY (sd_store_prepare (
      s, "SELECT finished, id" SD_CELL_COLUMNS (SD_COLUMN_NAME) ", run FROM cell ORDER BY id", &q, err));

  const int last = sqlite3_column_count (q) - 1;
  int status = put_run (s, NULL, &of_run, err);
  put_line (out, q, true, &of_run);

  for (bool first = true; status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW; first = false) {
    if (first || sqlite3_column_int64 (q, last) != run) {
      run = sqlite3_column_int64 (q, last);
      status = put_run (s, &run, &of_run, err);
    }
    put_line (out, q, false, &of_run);
  }
  if (status == SD_OK)
    status = sd_buf_status (out);
  return sd_store_finish (s, q, code, status, "rows cannot be read", err);
}

/* Of equal rows the order and numbering that come first in the alphabet, so that the choice does not depend
 * on which row was stored first. The freedom of the cell itself comes first, if the group has it: an order
 * that is best without freedom need not be best with it. */
int sd_store_best_order (sd_store *s, const char *group, sd_name *name, sd_error *err) {
  const char *const asked[] = { group, name->table, name->metric, name->coding, name->side, name->freedom };
  sqlite3_stmt *q = NULL;
  int at = 1, column = 0;

  SD_TRY (sd_store_prepare (
      s,
      "SELECT \"order\", numbering FROM cell WHERE \"group\" = ? AND \"table\" = ? AND metric = ?"
      " AND coding = ? AND side = ? ORDER BY freedom <> ?, sampled,"
      " iif (whole_slots, 1.0 * bytes * whole_slots / slots, bytes), \"order\", numbering LIMIT 1",
      &q, err));
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++)
    sd_store_bind_text (q, &at, asked[i]);

  int code = sqlite3_step (q), status = SD_OK;
  if (code == SQLITE_ROW) {
    /* The layout becomes part of another cell, so it is looked at here: a store is not checked before a sweep
     * goes on in it. */
    sd_material m;
    sd_layout layout;
    sd_store_read_text (q, &column, name->order, sizeof name->order);
    sd_store_read_text (q, &column, name->numbering, sizeof name->numbering);
    if (sd_material_parse (name->table, &m, NULL) != SD_OK
        || sd_layout_parse (&m, name->order, name->numbering, &layout, NULL) != SD_OK)
      status = sd_fail (err, SD_EFORMAT, "%s: a row of %s in group \"%s\" has no right order", s->path,
                        name->table, group);
  } else if (code == SQLITE_DONE)
    status = sd_fail (err, SD_ENOENT, "%s: best order of %s %s %s in group \"%s\": the group has no such row",
                      s->path, name->table, name->metric, name->side, group);
  return sd_store_finish (s, q, code, status, "rows cannot be read", err);
}

int sd_store_best (sd_store *s, const char *table, const char *metric, unsigned sides, double max_ns,
                   sd_row *row, bool *found, sd_error *err) {
  /* the smallest of each side, then the coding and freedom with the smallest sum */
  static const char sql[] =
      "WITH fit AS (SELECT *, row_number () OVER (PARTITION BY coding, freedom, side ORDER BY bytes,"
      " get_ns IS NULL, get_ns, id) AS place FROM cell"
      " WHERE sampled IS NULL AND \"table\" = ?1 AND metric = ?2 AND side IN ('w', 'b') AND (?3 <= 0 OR get_ns <= ?3)),"
      " least AS (SELECT coding, freedom FROM fit WHERE place = 1 GROUP BY coding, freedom HAVING count (*) = ?4"
      " ORDER BY sum (bytes), min (id) LIMIT 1)"
      " SELECT " ROW_COLUMNS
      " FROM fit JOIN least USING (coding, freedom) WHERE place = 1 ORDER BY side DESC";

  sqlite3_stmt *q = NULL;
  int code, status = SD_OK;
  unsigned n = 0;

  SD_TRY (sd_store_prepare (s, sql, &q, err));
  sqlite3_bind_text (q, 1, table, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (q, 2, metric, -1, SQLITE_TRANSIENT);
  sqlite3_bind_double (q, 3, max_ns);
  sqlite3_bind_int64 (q, 4, sides);

  /* ORDER BY side DESC: White (w) before Black (b). */
  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW && n < sides)
    status = read_row (s, q, &row[n++], err);
  status = sd_store_finish (s, q, code, status, "rows cannot be read", err);
  *found = status == SD_OK && n == sides;
  return status;
}

int sd_store_snapshot (sd_store *s, sd_error *err) {
  return sqlite3_exec (s->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK
             ? SD_OK
             : sd_store_failed (s, "cannot be read", err);
}
