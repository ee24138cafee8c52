/* The tables of a store: made in an empty file, and brought up to date where an older version made them.
 * Either is one transaction, which looks again at what is there once it holds the lock: another sweep may
 * have begun at the same moment. A file that cannot be written is copied into memory, and the copy is brought
 * up to date, so that a report of it can still be made.
 *
 * Columns that the lists of store.h have and a file has not are added, with NULL in the rows that are there;
 * this takes no new version, and programs that do not know a column leave it alone. The version counts what a
 * column means: in version 1 cells that were not timed held 0, and there were no claims; up to version 2 the
 * cells of arrays had the side w.
 *
 * What a user sees: "x.db: not a database of sweeps: application id is 0x0, expected 0x53445357", or
 * "x.db: written by a newer subdef: version 4 of the tables, this one knows 1 to 3".
 * tests/experiments/test_store_old.c opens stores of all versions. */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <inttypes.h>
#include <string.h>

#define APPLICATION_ID 0x53445357 /* "SDSW" */
#define SCHEMA_VERSION 3

/* The columns of the table for each kind (store.h). A column that may be unknown has no default, so that rows
 * of older programs have NULL in it. */
#define TYPE_T "TEXT NOT NULL DEFAULT ''"
#define TYPE_P TYPE_T
#define TYPE_O "TEXT"
#define TYPE_I "INTEGER NOT NULL DEFAULT 0"
#define TYPE_U TYPE_I
#define TYPE_R "REAL NOT NULL DEFAULT 0"
#define TYPE_N "REAL"
#define TYPE_C "INTEGER"
#define COLUMN_DEFINITION(kind, name, size) ", \"" #name "\" " TYPE_##kind

/* What a cell of version 1 says in a column. What was not timed held 0 there, and is NULL from version 2
 * on. */
#define OLD_T(name) ", \"" #name "\""
#define OLD_O(name) OLD_T (name)
#define OLD_I(name) OLD_T (name)
#define OLD_R(name) OLD_T (name)
#define OLD_N(name) ", nullif (\"" #name "\", 0)"
#define OLD_C(name) OLD_N (name)
#define COLUMN_OLD(kind, name, size) OLD_##kind (name)

#define CELL_TABLE                                                                                           \
  "CREATE TABLE cell (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, run INTEGER NOT NULL REFERENCES "    \
  "run (id), finished TEXT NOT NULL" SD_CELL_COLUMNS (COLUMN_DEFINITION) ");"

/* Who is at work (store_claims.c), and on what. */
#define CLAIM_TABLES                                                                                         \
  "CREATE TABLE worker (id INTEGER PRIMARY KEY, place TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT "   \
  "NULL, born INTEGER NOT NULL, started TEXT NOT NULL, beat INTEGER NOT NULL DEFAULT 0, says TEXT);"         \
  "CREATE TABLE claim (key TEXT PRIMARY KEY, worker INTEGER NOT NULL REFERENCES worker (id)) WITHOUT ROWID;"

static const char fresh[] = "CREATE TABLE run (id INTEGER PRIMARY KEY" SD_RUN_COLUMNS (
    COLUMN_DEFINITION) ");" CELL_TABLE CLAIM_TABLES;

/* SQLite cannot change the columns of a table: the rows go over into a new one under the old name. */
static const char from_1[] =
    "ALTER TABLE cell RENAME TO cell_1;" CELL_TABLE
    "INSERT INTO cell (id, key, run, finished" SD_CELL_COLUMNS (
        SD_COLUMN_NAME) ") SELECT id, key, run, finished" SD_CELL_COLUMNS (COLUMN_OLD) " FROM cell_1;"
                                                                                       "DROP TABLE cell_1;" CLAIM_TABLES;

/* Keys name the side, too. Those of arrays had w where - stands now; so had cells that were claimed or had
 * failed. */
#define SIDE_OF_ARRAYS(table) "UPDATE " table " SET key = replace (key, '/array//w/', '/array//-/')"
static const char from_2[] =
    SIDE_OF_ARRAYS ("cell") ", side = '-' WHERE metric = 'array';" SIDE_OF_ARRAYS ("claim") ";",
                  failures_from_2[] = SIDE_OF_ARRAYS ("failure");

/* Every column: is it there, and how it is added. A question a column, as PRAGMA lists them; `says` of the
 * table of workers came later than that table. */
#define COLUMN_ADDED(table, kind, name)                                                                      \
  { "SELECT count (*) FROM pragma_table_info ('" table "') WHERE name = '" #name "'",                        \
    "ALTER TABLE " table " ADD COLUMN \"" #name "\" " TYPE_##kind },
#define ADDED_TO_CELL(kind, name, size) COLUMN_ADDED ("cell", kind, name)
#define ADDED_TO_RUN(kind, name, size) COLUMN_ADDED ("run", kind, name)
static const struct {
  const char *there, *add;
} column[] = {
  SD_CELL_COLUMNS (ADDED_TO_CELL) SD_RUN_COLUMNS (ADDED_TO_RUN)
  /* version 1 has no such table yet */
  { "SELECT (SELECT count (*) FROM sqlite_master WHERE name = 'worker') = 0"
    " OR (SELECT count (*) FROM pragma_table_info ('worker') WHERE name = 'says') = 1",
    "ALTER TABLE worker ADD COLUMN says TEXT" },
};

/* add: else they are counted only. *n: columns that were missing, before any was added. */
static int missing_columns (const sd_store *s, bool add, unsigned *n, sd_error *err) {
  *n = 0;
  for (unsigned i = 0; i < sizeof column / sizeof *column; i++) {
    int64_t there;
    SD_TRY (sd_store_number (s, column[i].there, &there, err));
    *n += !there;
    if (!there && add)
      SD_TRY (sd_store_do (s, column[i].add, err));
  }
  return SD_OK;
}

/* What tells an empty file, a store and another kind of database apart. */
struct state {
  int64_t application, version, tables;
};

static int look (const sd_store *s, struct state *out, sd_error *err) {
  SD_TRY (sd_store_number (s, "PRAGMA application_id", &out->application, err));
  SD_TRY (sd_store_number (s, "PRAGMA user_version", &out->version, err));
  return sd_store_number (s, "SELECT count (*) FROM sqlite_master", &out->tables, err);
}

/* Only stores, and of no later version than this program knows. */
static int judge (const sd_store *s, const struct state *is, sd_error *err) {
  if (is->application != APPLICATION_ID)
    return sd_fail (err, SD_EFORMAT,
                    "%s: not a database of sweeps: application id is 0x%" PRIx64 ", expected 0x%x", s->path,
                    (uint64_t) is->application, (unsigned) APPLICATION_ID);
  if (is->version < 1 || is->version > SCHEMA_VERSION)
    return sd_fail (err, SD_EVERSION,
                    "%s: written by a newer subdef: version %" PRId64
                    " of the tables, this one knows 1 to %d",
                    s->path, is->version, SCHEMA_VERSION);
  return SD_OK;
}

static bool is_empty (const struct state *is) {
  return is->tables == 0 && is->application == 0;
}

/* Between BEGIN and COMMIT, here and below. A store in which no cell failed has no such table. */
static int rename_sides (const sd_store *s, sd_error *err) {
  int64_t failures;
  SD_TRY (sd_store_do (s, from_2, err));
  SD_TRY (sd_store_number (s, "SELECT count (*) FROM sqlite_master WHERE name = 'failure'", &failures, err));
  return failures ? sd_store_do (s, failures_from_2, err) : SD_OK;
}

static int change (const sd_store *s, bool create, sd_error *err) {
  struct state is;
  char numbers[100];
  SD_TRY (look (s, &is, err));

  if (create && is_empty (&is))
    SD_TRY (sd_store_do (s, fresh, err));
  else {
    unsigned added;
    SD_TRY (judge (s, &is, err));
    SD_TRY (missing_columns (s, true, &added, err));
    if (is.version == 1)
      SD_TRY (sd_store_do (s, from_1, err));
    if (is.version <= 2)
      SD_TRY (rename_sides (s, err));
  }

  /* The numbers come last, and in the same transaction: who sees them sees whole tables. */
  snprintf (numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID,
            SCHEMA_VERSION);
  return sd_store_do (s, numbers, err);
}

/* The same rows in memory, in place of a file that cannot be changed. The connection to the file is closed
 * behind it. Nothing of the file is changed, and what the copy is changed in is lost when it is closed. */
static int copy_to_memory (sd_store *s, sd_error *err) {
  sqlite3 *copy = NULL;
  int code = sqlite3_open_v2 (":memory:", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK)
    sd_store_harden (copy);

  sqlite3_backup *b = code == SQLITE_OK ? sqlite3_backup_init (copy, "main", s->db, "main") : NULL;
  if (b) {
    sqlite3_backup_step (b, -1);
    code = sqlite3_backup_finish (b);
  }

  if (!b || code != SQLITE_OK) {
    int status = copy ? sd_fail (err, SD_EIO, "%s: cannot be read: %s", s->path, sqlite3_errmsg (copy))
                      : sd_fail_memory (err, 0);
    sqlite3_close_v2 (copy);
    return status;
  }

  /* Statements belong to the old connection. */
  sd_store_drop_statements (s);
  sqlite3_close_v2 (s->db);
  s->db = copy;
  return SD_OK;
}

int sd_store_set_up (sd_store *s, bool create, sd_error *err) {
  struct state is;

  SD_TRY (look (s, &is, err));
  /* Where there is no number yet another sweep may be making the tables, between two of these looks: `change`
   * looks again when no other one can write. */
  if (!create || is.application != 0) {
    unsigned missing;
    SD_TRY (judge (s, &is, err));
    SD_TRY (missing_columns (s, false, &missing, err));
    if (is.version == SCHEMA_VERSION && !missing)
      return SD_OK;
    if (s->keep || (!create && sqlite3_db_readonly (s->db, "main") == 1))
      SD_TRY (copy_to_memory (s, err));
  }

  SD_TRY (sd_store_begin (s, err));
  return sd_store_end (s, change (s, create, err), err);
}
