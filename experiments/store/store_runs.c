/* Runs in a store: who made which rows, when, with what, on which machine.
 *
 * A run is written with the first row that belongs to it (run/sweep_clerk.c), and read where a report
 * tells of it or a sweep asks whether rows of the store are of the same program and machine. Besides, what
 * all rows together say: their number, and what they cost. */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <stdlib.h>
#include <string.h>

/* s->run from now on is what sd_store_insert writes into each row. */
int sd_store_run (sd_store *s, const sd_provenance *row, sd_error *err) {
  static const char sql[] = "INSERT INTO run (id" SD_RUN_COLUMNS (
      SD_COLUMN_NAME) ") VALUES (NULL" SD_RUN_COLUMNS (SD_COLUMN_MARK) ")";
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  SD_RUN_COLUMNS (SD_BIND)
  SD_TRY (sd_store_finish (s, q, sqlite3_step (q), SD_OK, "cannot be written", err));
  s->run = sqlite3_last_insert_rowid (s->db);
  return SD_OK;
}

int sd_store_count (sd_store *s, uint64_t *out, sd_error *err) {
  int64_t rows = 0;
  const int status = sd_store_number (s, "SELECT count (*) FROM cell", &rows, err);
  *out = (uint64_t) rows;
  return status;
}

/* expected_rows was a plan, which cells that failed or twins make wrong; at the end the rows are counted. */
int sd_store_run_over (sd_store *s, sd_error *err) {
  return sd_store_change (s, err, "UPDATE run SET expected_rows = (SELECT count (*) FROM cell) WHERE id = ?",
                          "i", s->run);
}

void sd_provenance_clear (sd_provenance *run) {
  free (run->sweep);
  free (run->tables);
  run->sweep = run->tables = NULL;
}

void sd_provenances_free (sd_provenance *run, size_t n) {
  for (size_t i = 0; run && i < n; i++)
    sd_provenance_clear (&run[i]);
  free (run);
}

/* The runs that q gives, one after the other. What was read before a failure is the caller's to free, too. */
static int read_runs (const sd_store *s, sqlite3_stmt *q, sd_provenance **out, size_t *n, sd_error *err) {
  uint64_t room = 0;
  int code;
  while ((code = sqlite3_step (q)) == SQLITE_ROW) {
    if (!sd_grow (out, &room, *n + 1))
      return sd_fail_memory (err, 0);

    sd_provenance *row = &(*out)[(*n)++];
    int at = 0;
    memset (row, 0, sizeof *row);
    row->id = sqlite3_column_int64 (q, at++);
    SD_RUN_COLUMNS (SD_READ)

    if (!row->sweep || !row->tables)
      return sd_fail_memory (err, 0);
    SD_TRY (sd_run_check (s->path, row->id, row, err));
  }
  return code == SQLITE_DONE ? SD_OK : sd_store_failed (s, "runs cannot be read", err);
}

/* Only runs that have rows: one whose rows were all computed anew by others says nothing of what is there. */
int sd_store_runs (sd_store *s, sd_provenance **runs, size_t *n, sd_error *err) {
  static const char sql[] =
      "SELECT id" SD_RUN_COLUMNS (SD_COLUMN_NAME) " FROM run"
                                                  " WHERE id IN (SELECT run FROM cell) ORDER BY id";
  sqlite3_stmt *q = NULL;
  *runs = NULL;
  *n = 0;
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  int status = read_runs (s, q, runs, n, err);
  sd_store_release (q);
  if (status != SD_OK) {
    sd_provenances_free (*runs, *n);
    *runs = NULL;
    *n = 0;
  }
  return status;
}

/* ------------------------------------------------------- what is to be compared */

/* In the order in which a note names them: "another commit, another host". */
const sd_identity sd_identities[SD_IDENTITIES] = {
  { offsetof (sd_provenance, commit), "commit", false },
  { offsetof (sd_provenance, cpu), "processor", false },
  { offsetof (sd_provenance, host), "host", false },
  { offsetof (sd_provenance, compiler), "compiler", false },
  { offsetof (sd_provenance, flags), "set of compiler flags", true },
  { offsetof (sd_provenance, version), "version", false },
  { offsetof (sd_provenance, libraries), "set of libraries", true },
};

bool sd_commit_is_exact (const char *commit) {
  const size_t n = strlen (commit), dirty = strlen ("-dirty");
  return *commit && strcmp (commit, "unknown") != 0
         && !(n >= dirty && strcmp (commit + n - dirty, "-dirty") == 0);
}

/* Commits that name no exact source differ from every other run's, also where the texts are equal. True: they
 * differ in something; *out gets in what, and an example. */
static bool compare (const sd_provenance *there, const sd_provenance *here, sd_stale *out) {
  bool any = false;
  for (unsigned k = 0; k < SD_IDENTITIES; k++) {
    const sd_identity *is = &sd_identities[k];
    const char *a = (const char *) there + is->at, *b = (const char *) here + is->at;
    const bool vague = is->at == offsetof (sd_provenance, commit) && !sd_commit_is_exact (b);

    if (strcmp (a, b) == 0 && !vague)
      continue;
    if (!any) /* of the last such run */
      out->example[0] = '\0';
    out->differs[k] = any = true;
    sd_text_list (out->example, sizeof out->example, "%s %.60s", is->one,
                  is->is_long ? "of its own"
                  : *a        ? a
                              : "unknown");

    if (!is->is_long)
      snprintf (out->example + strlen (out->example), sizeof out->example - strlen (out->example),
                " (this is %.60s)", b);
  }
  return any;
}

int sd_store_compare (sd_store *s, const sd_provenance *here, bool redo, sd_stale *out, sd_error *err) {
  sd_provenance *run;
  size_t n;
  int64_t rows = 0;
  memset (out, 0, sizeof *out);

  /* The numbers of these runs are in a table of this connection, so that SQL can ask for their rows (HAS in
   * store.c). */
  SD_TRY (sd_store_do (s, "CREATE TEMP TABLE IF NOT EXISTS stale (id INTEGER PRIMARY KEY)", err));
  SD_TRY (sd_store_runs (s, &run, &n, err));
  int status = SD_OK;
  for (size_t i = 0; i < n && status == SD_OK; i++) {
    if (!compare (&run[i], here, out))
      continue;
    out->runs++;
    status = sd_store_change (s, err, "INSERT INTO temp.stale VALUES (?)", "i", run[i].id);
  }

  sd_provenances_free (run, n);
  SD_TRY (status);
  SD_TRY (sd_store_number (s, "SELECT count (*) FROM cell WHERE run IN (SELECT id FROM stale)", &rows, err));
  out->rows = (uint64_t) rows;
  s->redo = redo;
  return SD_OK;
}

/* The bar of a sweep learns from them what a cell costs (run/sweep_time.c). The length of a side's name says
 * how many sides a row has: w, b or -, and wb. Rows of parts of tables are left out: their slots are not
 * those of the table. */
int sd_store_costs (sd_store *s, void (*each) (void *ctx, const sd_store_cost *cost), void *ctx,
                    sd_error *err) {
  static const char sql[] =
      "SELECT codec, settings, metric, \"table\", sum (encode_s + decode_s + ifnull (repeat_s, 0)), sum (length (side)) FROM"
      " cell WHERE sampled IS NULL GROUP BY codec, settings, metric, \"table\"";
  sqlite3_stmt *q = NULL;
  int code;

  SD_TRY (sd_store_prepare (s, sql, &q, err));
  while ((code = sqlite3_step (q)) == SQLITE_ROW)
    each (ctx, &(sd_store_cost){
                   (const char *) sqlite3_column_text (q, 0), (const char *) sqlite3_column_text (q, 1),
                   (const char *) sqlite3_column_text (q, 2), (const char *) sqlite3_column_text (q, 3),
                   sqlite3_column_double (q, 4), (uint64_t) sqlite3_column_int64 (q, 5) });
  return sd_store_finish (s, q, code, SD_OK, "rows cannot be read", err);
}
