/* Several stores into one, such as those of the tasks of a job array. The rows and runs of a store become
 * tables beside those of the store that they go to, and SQL says which of them are new there. All of it is
 * one transaction: a cell whose bytes differ leaves the store as it was. A run comes along with its first
 * row; one that the store has already, in all its columns, is the same run. Cost: a question a row.
 *
 * `subdef sweep --merge` is this; query_two.c uses the tables beside the store (sd_store_put_beside) to
 * compare two stores. "part-2.db: cell x/KRvK/... has 812 bytes, elsewhere it has 810" is what a user sees
 * of cells that differ: some part was computed by another program. */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The columns of both tables, in the order in which `pour` carries them over. */
#define CELL "id, key, run, finished" SD_CELL_COLUMNS (SD_COLUMN_NAME)
#define RUN "id" SD_RUN_COLUMNS (SD_COLUMN_NAME)

/* All rows that `ask` gives go into `fill`, which has as many marks. The two stores have connections of their
 * own, as one of them may be a copy in memory. */
static int pour (sd_store *into, sd_store *from, const char *ask, const char *fill, sd_error *err) {
  sqlite3_stmt *q = NULL, *to = NULL;
  int code = SQLITE_DONE, status = SD_OK;
  SD_TRY (sd_store_prepare (into, fill, &to, err));
  SD_TRY (sd_store_prepare (from, ask, &q, err));

  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW) {
    sqlite3_reset (to);
    for (int i = 0; i < sqlite3_column_count (q); i++)
      sqlite3_bind_value (to, i + 1, sqlite3_column_value (q, i));
    if (sqlite3_step (to) != SQLITE_DONE)
      status = sd_store_failed (into, "cannot be written", err);
  }

  sd_store_release (to);
  return sd_store_finish (from, q, code, status, "rows cannot be read", err);
}

/* They are of this connection alone and gone with it, or when take_rows drops them. */
int sd_store_put_beside (sd_store *into, sd_store *from, sd_error *err) {
  SD_TRY (sd_store_do (into,
                       "CREATE TEMP TABLE other_cell AS SELECT " CELL " FROM main.cell WHERE FALSE;"
                       "CREATE TEMP TABLE other_run AS SELECT " RUN " FROM main.run WHERE FALSE",
                       err));
  SD_TRY (pour (into, from, "SELECT " CELL " FROM main.cell ORDER BY id",
                "INSERT INTO temp.other_cell VALUES (?, ?, ?, ?" SD_CELL_COLUMNS (SD_COLUMN_MARK) ")", err));
  return pour (into, from, "SELECT " RUN " FROM main.run ORDER BY id",
               "INSERT INTO temp.other_run VALUES (?" SD_RUN_COLUMNS (SD_COLUMN_MARK) ")", err);
}

/* A cell that both hold must have the same bytes. */
static int check_bytes (const sd_store *into, const char *path, sd_error *err) {
  static const char sql[] =
      "SELECT o.key, o.bytes, m.bytes FROM temp.other_cell o JOIN main.cell m USING (key)"
      " WHERE o.bytes <> m.bytes ORDER BY o.id LIMIT 1";
  sqlite3_stmt *q = NULL;
  int status = SD_OK, at = 0;
  SD_TRY (sd_store_prepare (into, sql, &q, err));
  const int code = sqlite3_step (q);
  if (code == SQLITE_ROW) {
    char cell[400];
    sd_store_read_text (q, &at, cell, sizeof cell);
    sd_text_tame (cell);
    status = sd_fail (err, SD_EDIFF, "%s: cell %s has %lld bytes, elsewhere it has %lld", path, cell,
                      (long long) sqlite3_column_int64 (q, 1), (long long) sqlite3_column_int64 (q, 2));
  }
  return sd_store_finish (into, q, code, status, "cannot be read", err);
}

/* Of a row: it is not there, or has times that the one there lacks. */
#define IS_NEW                                                                                               \
  " NOT EXISTS (SELECT 1 FROM main.cell m WHERE m.key = o.key"                                               \
  " AND (m.get_ns IS NOT NULL OR o.get_ns IS NULL) AND (m.probe_ns IS NOT NULL OR o.probe_ns IS NULL))"
/* NUMBER_THERE: the number of a run `o` of the other store in this one; NULL: it has no such run. IS compares
 * NULL with NULL as equal. */
#define SAME(kind, name, size) " AND m.\"" #name "\" IS o.\"" #name "\""
#define NUMBER_THERE "(SELECT min (id) FROM main.run m WHERE TRUE" SD_RUN_COLUMNS (SAME) ")"

/* In four steps: runs whose first row comes now, in the order of these rows; the number that each run has
 * here; the rows; and the tables beside the store go, so that the next store can take their place. */
static int take_rows (const sd_store *into, sd_error *err) {
  return sd_store_do (
      into,
      "INSERT INTO main.run (id" SD_RUN_COLUMNS (SD_COLUMN_NAME) ") SELECT NULL" SD_RUN_COLUMNS (
          SD_COLUMN_NAME) " FROM temp.other_run o JOIN (SELECT run, min (id) AS first FROM temp.other_cell o WHERE" IS_NEW
                          " GROUP BY run) c"
                          " ON c.run = o.id WHERE " NUMBER_THERE " IS NULL ORDER BY first;"
                          "CREATE TEMP TABLE run_of AS SELECT id AS other, " NUMBER_THERE
                          " AS number FROM temp.other_run o;"
                          "INSERT INTO main.cell (key, run, finished" SD_CELL_COLUMNS (SD_COLUMN_NAME) ") SELECT key, number, finished" SD_CELL_COLUMNS (
                              SD_COLUMN_NAME) " FROM temp.other_cell o JOIN temp.run_of ON other = o.run WHERE" IS_NEW
                                              " ORDER BY id"
                                              " ON CONFLICT (key) DO UPDATE SET run = excluded.run, finished = excluded.finished" SD_CELL_COLUMNS (
                                                  SD_COLUMN_AGAIN) ";"
                                                                   "DROP TABLE temp.other_cell; DROP TABLE temp.other_run; DROP TABLE temp.run_of",
      err);
}

/* Cells that failed there and have no row there. */
static int take_failures (sd_store *into, sd_store *from, sd_error *err) {
  sqlite3_stmt *q = NULL;
  bool there;
  int code = SQLITE_DONE, status = SD_OK;
  SD_TRY (sd_store_any_failure (from, &there, err));
  if (!there)
    return SD_OK;

  SD_TRY (sd_store_prepare (
      from, "SELECT key, finished, error FROM failure WHERE key NOT IN (SELECT key FROM cell) ORDER BY key",
      &q, err));

  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW) {
    char text[3][1000];
    int at = 0;
    for (unsigned i = 0; i < 3; i++)
      sd_store_read_text (q, &at, text[i], sizeof text[i]);
    status = sd_store_failed_cell (into, text[0], text[1], text[2], err);
  }
  return sd_store_finish (from, q, code, status, "failures cannot be read", err);
}

/* One store, between BEGIN and COMMIT of all of them: checked first, as it may come from anybody. */
static int merge_store (sd_store *into, sd_store *from, sd_merged *out, sd_error *err) {
  int64_t same;
  uint64_t rows;
  SD_TRY (sd_store_check (from, &rows, err));
  SD_TRY (sd_store_put_beside (into, from, err));
  SD_TRY (check_bytes (into, from->path, err));

  SD_TRY (sd_store_number (
      into, "SELECT count (*) FROM temp.other_cell WHERE key IN (SELECT key FROM main.cell)", &same, err));
  out->same += (uint64_t) same;
  out->added += rows - (uint64_t) same;

  SD_TRY (take_rows (into, err));
  return take_failures (into, from, err);
}

/* A store that is only read, of one moment; a sweep may go on in it meanwhile. */
static int merge_one (sd_store *into, const char *path, sd_merged *out, sd_error *err) {
  SD_OWN (sd_store) *from = NULL;
  SD_TRY (sd_store_peek (path, &from, err));
  SD_TRY (sd_store_snapshot (from, err));
  return merge_store (into, from, out, err);
}

static int merge_all (sd_store *into, const char *const *from, size_t n, sd_merged *out, sd_error *err) {
  for (size_t i = 0; i < n; i++)
    SD_TRY (merge_one (into, from[i], out, err));
  return SD_OK;
}

/* Whatever names and links lead there. False where one of them is not there. */
static bool same_file (const char *a, const char *b) {
  SD_OWNED char *x = realpath (a, NULL), *y = realpath (b, NULL);
  return x && y && strcmp (x, y) == 0;
}

int sd_store_merge (const char *into, const char *const *from, size_t n, sd_merged *out, sd_error *err) {
  const bool there = *into && sd_file_exists (into);
  sd_store *s = NULL;
  *out = (sd_merged){ 0 };
  for (size_t i = 0; i < n; i++)
    if (same_file (into, from[i]))
      return sd_fail (err, SD_EINVAL, "%s cannot be merged into itself", into);

  SD_TRY (sd_store_open (into, true, &s, err));
  int status = sd_store_begin (s, err);
  if (status == SD_OK)
    status = sd_store_end (s, merge_all (s, from, n, out, err), err);

  sd_store_close (s);
  if (status != SD_OK && !there)
    unlink (into); /* made here, and empty */
  return status;
}
