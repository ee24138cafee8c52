/* Rows of sweeps in one SQLite file: a table of runs (provenance, the sweep's whole text) and a table of
 * cells, one row per cell under a unique key, so that a killed sweep finds what it already has. Each
 * insertion is a transaction of its own: a row is there whole or not at all. The list of columns stands once,
 * in CELL_COLUMNS. */
#include "config.h"
#include "experiments/experiments_internal.h"
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define APPLICATION_ID 0x53445357 /* "SDSW" */
#define SCHEMA_VERSION 1

/* X (kind, name): T text, I integer, R real; the order is that of the columns. */
#define CELL_COLUMNS(X)                                                                                      \
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
  X (R, get_ns)                                                                                              \
  X (R, get_p99_ns)                                                                                          \
  X (I, get_samples)                                                                                         \
  X (R, probe_ns)                                                                                            \
  X (R, probe_p99_ns)                                                                                        \
  X (I, probe_samples)

#define TYPE_T "TEXT NOT NULL"
#define TYPE_I "INTEGER NOT NULL"
#define TYPE_R "REAL NOT NULL"
#define COLUMN_DEFINITION(kind, name) ", \"" #name "\" " TYPE_##kind
#define COLUMN_NAME(kind, name) ", \"" #name "\""
#define COLUMN_MARK(kind, name) ", ?"

static const char schema[] =
    "CREATE TABLE run (id INTEGER PRIMARY KEY, started TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT "
    "NULL,"
    " \"commit\" TEXT NOT NULL, compiler TEXT NOT NULL, cpu TEXT NOT NULL, cores INTEGER NOT NULL,"
    " jobs INTEGER NOT NULL, seed INTEGER NOT NULL, sweep_file TEXT NOT NULL, sweep_hash TEXT NOT NULL,"
    " sweep TEXT NOT NULL);"
    "CREATE TABLE cell (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, run INTEGER NOT NULL REFERENCES "
    "run (id),"
    " finished TEXT NOT NULL" CELL_COLUMNS (COLUMN_DEFINITION) ");";

struct sd_store {
  sqlite3 *db;
  char *path;
  int64_t run;
};

static int fail (const sd_store *s, const char *what, sd_error *err) {
  int code = sqlite3_extended_errcode (s->db), primary = code & 0xff;
  int status = primary == SQLITE_NOTADB  ? SD_EFORMAT
               : primary == SQLITE_NOMEM ? SD_ENOMEM
               : primary == SQLITE_FULL  ? SD_ENOSPC
                                         : SD_EIO;
  return sd_fail (err, status, "%s: %s: %s", s->path, what, sqlite3_errmsg (s->db));
}

static int prepare (const sd_store *s, const char *sql, sqlite3_stmt **out, sd_error *err) {
  if (sqlite3_prepare_v2 (s->db, sql, -1, out, NULL) != SQLITE_OK)
    return fail (s, "cannot be asked", err);
  return SD_OK;
}

/* A single number: PRAGMA x, SELECT count (*). */
static int ask_number (const sd_store *s, const char *sql, int64_t *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  SD_TRY (prepare (s, sql, &q, err));
  int status = sqlite3_step (q) == SQLITE_ROW ? SD_OK : fail (s, "cannot be read", err);
  *out = status == SD_OK ? sqlite3_column_int64 (q, 0) : 0;
  sqlite3_finalize (q);
  return status;
}

static int set_up (sd_store *s, bool create, sd_error *err) {
  int64_t application = 0, version = 0, tables = 0;
  SD_TRY (ask_number (s, "PRAGMA application_id", &application, err));
  SD_TRY (ask_number (s, "PRAGMA user_version", &version, err));
  SD_TRY (ask_number (s, "SELECT count (*) FROM sqlite_master", &tables, err));
  if (tables == 0 && application == 0 && create) {
    char sql[sizeof schema + 128];
    snprintf (sql, sizeof sql, "BEGIN; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
              schema, APPLICATION_ID, SCHEMA_VERSION);
    return sqlite3_exec (s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? SD_OK
                                                                    : fail (s, "cannot be written", err);
  }
  if (application != APPLICATION_ID)
    return sd_fail (err, SD_EFORMAT,
                    "%s: not a database of sweeps: application id is 0x%" PRIx64 ", expected 0x%x", s->path,
                    (uint64_t) application, (unsigned) APPLICATION_ID);
  if (version != SCHEMA_VERSION)
    return sd_fail (err, SD_EVERSION,
                    "%s: written with version %" PRId64 " of the tables, this is version %d", s->path,
                    version, SCHEMA_VERSION);
  return SD_OK;
}

int sd_store_open (const char *path, bool create, sd_store **out, sd_error *err) {
  *out = NULL;
  if (!create && !sd_file_exists (path))
    return sd_fail (err, SD_ENOENT, "%s: no such file", path);
  sd_store *s = calloc (1, sizeof *s);
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  s->path = strdup (path);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
  int code = s->path ? sqlite3_open_v2 (path, &s->db, flags, NULL) : SQLITE_NOMEM;
  int status = SD_OK;
  if (code != SQLITE_OK && s->db)
    status = sd_fail (err, SD_EIO, "%s: cannot be opened: %s", path, sqlite3_errmsg (s->db));
  else if (code != SQLITE_OK)
    status = sd_fail_memory (err, 0);
  if (status == SD_OK) {
    sqlite3_busy_timeout (s->db, 10000);
    sqlite3_exec (s->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    status = set_up (s, create, err);
  }
  if (status != SD_OK) {
    sd_store_close (s);
    return status;
  }
  *out = s;
  return SD_OK;
}

void sd_store_close (sd_store *s) {
  if (!s)
    return;
  sqlite3_close_v2 (s->db);
  free (s->path);
  free (s);
}

static void bind_text (sqlite3_stmt *q, int *at, const char *v) {
  sqlite3_bind_text (q, (*at)++, v, -1, SQLITE_TRANSIENT);
}

int sd_store_run (sd_store *s, const sd_provenance *run, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (prepare (
      s,
      "INSERT INTO run (started, title, version, \"commit\", compiler, cpu, cores, jobs, seed, sweep_file,"
      " sweep_hash, sweep) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
      &q, err));
  bind_text (q, &at, run->started);
  bind_text (q, &at, run->title);
  bind_text (q, &at, run->version);
  bind_text (q, &at, run->commit);
  bind_text (q, &at, run->compiler);
  bind_text (q, &at, run->cpu);
  sqlite3_bind_int64 (q, at++, run->cores);
  sqlite3_bind_int64 (q, at++, run->jobs);
  sqlite3_bind_int64 (q, at++, (int64_t) run->seed);
  bind_text (q, &at, run->sweep_file);
  bind_text (q, &at, run->sweep_hash);
  bind_text (q, &at, run->sweep);
  int status = sqlite3_step (q) == SQLITE_DONE ? SD_OK : fail (s, "cannot be written", err);
  sqlite3_finalize (q);
  s->run = sqlite3_last_insert_rowid (s->db);
  return status;
}

int sd_store_has (sd_store *s, const char *key, bool *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (prepare (s, "SELECT 1 FROM cell WHERE key = ?", &q, err));
  bind_text (q, &at, key);
  int code = sqlite3_step (q);
  *out = code == SQLITE_ROW;
  int status = code == SQLITE_ROW || code == SQLITE_DONE ? SD_OK : fail (s, "cannot be read", err);
  sqlite3_finalize (q);
  return status;
}

int sd_store_insert (sd_store *s, const char *key, const sd_row *row, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (prepare (s,
                   "INSERT INTO cell (key, run, finished" CELL_COLUMNS (
                       COLUMN_NAME) ") VALUES (?, ?,"
                                    " strftime ('%Y-%m-%dT%H:%M:%SZ', 'now')" CELL_COLUMNS (COLUMN_MARK) ")",
                   &q, err));
  bind_text (q, &at, key);
  sqlite3_bind_int64 (q, at++, s->run);
#define BIND_T(name) bind_text (q, &at, row->name);
#define BIND_I(name) sqlite3_bind_int64 (q, at++, (int64_t) row->name);
#define BIND_R(name) sqlite3_bind_double (q, at++, row->name);
#define BIND(kind, name) BIND_##kind (name)
  CELL_COLUMNS (BIND)
  int status = sqlite3_step (q) == SQLITE_DONE ? SD_OK : fail (s, "a row cannot be written", err);
  sqlite3_finalize (q);
  return status;
}

static void read_text (sqlite3_stmt *q, int *at, char *out, size_t cap) {
  const unsigned char *t = sqlite3_column_text (q, (*at)++);
  snprintf (out, cap, "%s", t ? (const char *) t : "");
}

int sd_store_rows (sd_store *s, sd_row **rows, size_t *n, sd_error *err) {
  int64_t count = 0;
  *rows = NULL;
  *n = 0;
  SD_TRY (ask_number (s, "SELECT count (*) FROM cell", &count, err));
  sd_row *row = sd_alloc0 ((uint64_t) count + 1, sizeof *row);
  if (!row)
    return sd_fail_memory (err, (size_t) count * sizeof *row);
  sqlite3_stmt *q = NULL;
  int status = prepare (s, "SELECT 0" CELL_COLUMNS (COLUMN_NAME) " FROM cell ORDER BY id", &q, err);
  int code = SQLITE_DONE;
  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW && (int64_t) *n < count) {
    sd_row *r = &row[(*n)++];
    int at = 1;
#define READ_T(name) read_text (q, &at, r->name, sizeof r->name);
#define READ_I(name) r->name = sqlite3_column_int64 (q, at++);
#define READ_R(name) r->name = sqlite3_column_double (q, at++);
#define READ(kind, name) READ_##kind (name)
    CELL_COLUMNS (READ)
  }
  if (status == SD_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    status = fail (s, "rows cannot be read", err);
  sqlite3_finalize (q);
  if (status != SD_OK) {
    free (row);
    *n = 0;
    return status;
  }
  *rows = row;
  return SD_OK;
}

/* RFC 4180: quotes where a comma, a quote or a line break makes them necessary. */
static void csv_field (sd_buf *out, const char *t) {
  if (!strpbrk (t, ",\"\n\r")) {
    sd_buf_append (out, t, strlen (t));
    return;
  }
  sd_buf_u8 (out, '"');
  for (; *t; t++) {
    if (*t == '"')
      sd_buf_u8 (out, '"');
    sd_buf_u8 (out, (uint8_t) *t);
  }
  sd_buf_u8 (out, '"');
}

int sd_store_csv (sd_store *s, sd_buf *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  SD_TRY (prepare (
      s,
      "SELECT cell.finished, cell.id" CELL_COLUMNS (
          COLUMN_NAME) ", version, \"commit\", compiler, cpu, cores, jobs, seed, sweep_file, sweep_hash"
                       " FROM cell JOIN run ON run.id = cell.run ORDER BY cell.id",
      &q, err));
  int columns = sqlite3_column_count (q), code;
  for (int i = 0; i < columns; i++) {
    if (i)
      sd_buf_u8 (out, ',');
    csv_field (out, sqlite3_column_name (q, i));
  }
  sd_buf_u8 (out, '\n');
  while ((code = sqlite3_step (q)) == SQLITE_ROW) {
    for (int i = 0; i < columns; i++) {
      const char *t = (const char *) sqlite3_column_text (q, i);
      if (i)
        sd_buf_u8 (out, ',');
      csv_field (out, t ? t : "");
    }
    sd_buf_u8 (out, '\n');
  }
  int status = code == SQLITE_DONE ? sd_buf_status (out) : fail (s, "rows cannot be read", err);
  sqlite3_finalize (q);
  return status;
}

int sd_store_last_run (sd_store *s, sd_provenance *out, char **sweep, sd_error *err) {
  sqlite3_stmt *q = NULL;
  memset (out, 0, sizeof *out);
  *sweep = NULL;
  SD_TRY (prepare (
      s,
      "SELECT started, title, version, \"commit\", compiler, cpu, sweep_file, sweep_hash, cores, jobs, seed,"
      " sweep FROM run ORDER BY id DESC LIMIT 1",
      &q, err));
  int status = SD_OK, at = 0, code = sqlite3_step (q);
  if (code == SQLITE_ROW) {
    read_text (q, &at, out->started, sizeof out->started);
    read_text (q, &at, out->title, sizeof out->title);
    read_text (q, &at, out->version, sizeof out->version);
    read_text (q, &at, out->commit, sizeof out->commit);
    read_text (q, &at, out->compiler, sizeof out->compiler);
    read_text (q, &at, out->cpu, sizeof out->cpu);
    read_text (q, &at, out->sweep_file, sizeof out->sweep_file);
    read_text (q, &at, out->sweep_hash, sizeof out->sweep_hash);
    out->cores = (unsigned) sqlite3_column_int64 (q, at++);
    out->jobs = (unsigned) sqlite3_column_int64 (q, at++);
    out->seed = (uint64_t) sqlite3_column_int64 (q, at++);
    const char *t = (const char *) sqlite3_column_text (q, at);
    *sweep = strdup (t ? t : "");
    status = *sweep ? SD_OK : sd_fail_memory (err, 0);
    out->sweep = *sweep;
  } else {
    status = code == SQLITE_DONE ? sd_fail (err, SD_ENOENT, "%s: holds no run of a sweep", s->path)
                                 : fail (s, "runs cannot be read", err);
  }
  sqlite3_finalize (q);
  return status;
}

int sd_store_best_order (sd_store *s, const char *group, const sd_cell *c, char *order, char *numbering,
                         sd_error *err) {
  sqlite3_stmt *q = NULL;
  char freedom[64], side[2] = { "wb"[c->side], '\0' };
  int at = 1, column = 0;
  sd_freedom_text (c->freedom, freedom, sizeof freedom);
  SD_TRY (prepare (s,
                   "SELECT \"order\", numbering FROM cell WHERE \"group\" = ? AND \"table\" = ? AND metric = "
                   "? AND coding = ?"
                   " AND side = ? ORDER BY freedom <> ?, bytes, \"order\", numbering LIMIT 1",
                   &q, err));
  bind_text (q, &at, group);
  bind_text (q, &at, c->table);
  bind_text (q, &at, sd_metric_name (c->metric));
  bind_text (q, &at, sd_coding_name (c->coding));
  bind_text (q, &at, side);
  bind_text (q, &at, freedom);
  int code = sqlite3_step (q), status = SD_OK;
  if (code == SQLITE_ROW) {
    read_text (q, &column, order, SD_ORDER_TEXT);
    read_text (q, &column, numbering, SD_ORDER_TEXT);
  } else
    status = code == SQLITE_DONE
                 ? sd_fail (err, SD_ENOENT,
                            "%s: best order of %s %s %s in group \"%s\": the group has no such row", s->path,
                            c->table, sd_metric_name (c->metric), side, group)
                 : fail (s, "rows cannot be read", err);
  sqlite3_finalize (q);
  return status;
}
