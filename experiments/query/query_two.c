/* Two stores in one database: the cells and runs of both in tables all_cell and all_run, whose column `store`
 * is A or B. The second is read through a connection of its own, since of an older version a copy in memory
 * is what is asked. Cost: linear, and what compare.sql takes.
 *
 * `subdef report --compare A.db B.db` asks it: query.c calls sd_query_add_other where the options name a
 * second store, and then lines.sql is not run: what it has (lines, baselines) is of one store. */
#include "config.h"
#include "experiments/query/query_internal.h"

static const char compare[] =
#include "experiments/query/compare.sql.inc"
    ;

#define COLUMN(kind, name, size) ", \"" #name "\""
#define BOTH(name, columns)                                                                                  \
  "CREATE TEMP TABLE all_" name " AS SELECT 'A' AS store, " columns " FROM main." name                       \
  " UNION ALL SELECT 'B', " columns " FROM temp.other_" name "; DROP TABLE temp.other_" name ";"
/* From tables of the first store and temporary copies of the second; the copies are dropped at once. */
static const char both[] = BOTH ("cell", "id, run" SD_CELL_COLUMNS (COLUMN) ", " SD_CODED_SETTINGS)
    BOTH ("run", "id" SD_RUN_COLUMNS (COLUMN));

/* The one row of facts: the names of both, the keys between commas. compare.sql fills in what it counts, and
 * asks for the keys by looking for ",block," in `by`. */
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
    status = sd_store_put_beside (q->store, other, err);
  sd_store_close (other);
  SD_TRY (status);
  SD_TRY (sd_query_do (q, both, "rows of both", err));
  return sd_query_do (q, compare, "cells of both", err);
}
