/* Two stores in one database: the cells and runs of both in tables all_cell and all_run, whose column `store`
 * is A or B. The second is read through a connection of its own, since of an older version a copy in memory
 * is what is asked. Cost: linear, and what compare.sql takes. */
#include "config.h"
#include "experiments/query/query_internal.h"

static const char compare[] =
#include "experiments/query/compare.sql.inc"
    ;

#define COLUMN(kind, name, size) ", \"" #name "\""
#define MARK(kind, name, size) ", ?"
static const char cells[] = "id, run" SD_CELL_COLUMNS (COLUMN), runs[] = "id" SD_RUN_COLUMNS (COLUMN);
static const char cell_marks[] = "?, ?" SD_CELL_COLUMNS (MARK), run_marks[] = "?" SD_RUN_COLUMNS (MARK);

/* All rows of one statement go into another one, which has as many marks as they have columns. */
static bool pour (sqlite3_stmt *from, sqlite3_stmt *to) {
  int code;
  while ((code = sqlite3_step (from)) == SQLITE_ROW) {
    sqlite3_reset (to);
    for (int i = 0; i < sqlite3_column_count (from); i++)
      sqlite3_bind_value (to, i + 1, sqlite3_column_value (from, i));
    if (sqlite3_step (to) != SQLITE_DONE)
      return false;
  }
  return code == SQLITE_DONE;
}

/* The table of A is made as a table of both, then that of B comes behind it. */
static int add_table (sd_query *q, sqlite3 *other, const char *name, const char *columns, const char *marks,
                      sd_error *err) {
  sqlite3_stmt *from = NULL, *to = NULL;
  char *make = sqlite3_mprintf ("CREATE TEMP TABLE all_%s AS SELECT 'A' AS store, %s FROM main.%s", name,
                                columns, name),
       *ask = sqlite3_mprintf ("SELECT %s FROM main.%s", columns, name),
       *fill = sqlite3_mprintf ("INSERT INTO all_%s VALUES ('B', %s)", name, marks);
  int status = make && ask && fill ? sd_query_do (q, make, name, err) : sd_fail_memory (err, 0);
  if (status == SD_OK
      && (sqlite3_prepare_v2 (other, ask, -1, &from, NULL) != SQLITE_OK
          || sqlite3_prepare_v2 (q->db, fill, -1, &to, NULL) != SQLITE_OK || !pour (from, to)))
    status = sd_fail (err, SD_EIO, "%s: %s; %s", name, sqlite3_errmsg (q->db), sqlite3_errmsg (other));
  sqlite3_finalize (from);
  sqlite3_finalize (to);
  sqlite3_free (make);
  sqlite3_free (ask);
  sqlite3_free (fill);
  return status;
}

/* The one row of facts: the names of both, the keys between commas. */
static int make_facts (sd_query *q, const sd_query_options *o, sd_error *err) {
  char *sql = sqlite3_mprintf (
      "CREATE TEMP TABLE fact (a TEXT, b TEXT, by TEXT, a_rows, b_rows, cells, differ, a_only, b_only);"
      "INSERT INTO fact (a, b, by) VALUES (%Q, %Q, ',' || %Q || ',')",
      sd_store_path (q->store), o->other, o->by);
  const int status = sql ? sd_query_do (q, sql, "facts", err) : sd_fail_memory (err, 0);
  sqlite3_free (sql);
  return status;
}

int sd_query_add_other (sd_query *q, const sd_query_options *o, sd_error *err) {
  sd_store *other = NULL;
  SD_TRY (sd_query_open_store (o->other, &other, err));
  int status = make_facts (q, o, err);
  if (status == SD_OK)
    status = add_table (q, sd_store_database (other), "cell", cells, cell_marks, err);
  if (status == SD_OK)
    status = add_table (q, sd_store_database (other), "run", runs, run_marks, err);
  if (status == SD_OK)
    status = sd_query_do (q, compare, "cells of both", err);
  sd_store_close (other);
  return status;
}
