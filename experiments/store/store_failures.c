/* Cells that failed: a row each in a table of its own, so that nothing else in a store has to ask whether a
 * row is one. It is made with the first failure. A cell that has its row meanwhile counts as computed.
 *
 * A later run tries the cell again: storing its row does not remove the failure, but sd_store_has_failed
 * then says no. `subdef sweep --status` counts failures, a report lists them (parts/60-failures.sql). */
#include "config.h"
#include "experiments/store/store_internal.h"

static const char table[] =
    "CREATE TABLE IF NOT EXISTS failure (key TEXT PRIMARY KEY, finished TEXT NOT NULL, error TEXT NOT NULL)";

int sd_store_any_failure (sd_store *s, bool *out, sd_error *err) {
  int64_t there = 0;
  SD_TRY (sd_store_number (s, "SELECT count (*) FROM sqlite_master WHERE type = 'table' AND name = 'failure'",
                           &there, err));
  *out = there != 0;
  return SD_OK;
}

int sd_store_forget_failure (sd_store *s, const char *key, sd_error *err) {
  return sd_store_change (s, err, "DELETE FROM failure WHERE key = ?", "t", key);
}

/* A second failure of the cell takes the place of the first. */
int sd_store_failed_cell (sd_store *s, const char *key, const char *finished, const char *error,
                          sd_error *err) {
  SD_TRY (sd_store_begin (s, err));
  int status = sd_store_do (s, table, err);
  if (status == SD_OK)
    status = sd_store_change (
        s, err,
        "INSERT OR REPLACE INTO failure (key, finished, error) VALUES (?1, CASE ?2 WHEN '' THEN "
        "strftime ('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE ?2 END, ?3)",
        "ttt", key, finished, error);
  if (status == SD_OK)
    status = sd_store_unclaim (s, key, err);
  return sd_store_end (s, status, err);
}

int sd_store_has_failed (sd_store *s, const char *key, bool *out, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (sd_store_prepare (
      s, "SELECT 1 FROM failure WHERE key = ?1 AND key NOT IN (SELECT key FROM cell WHERE key = ?1)", &q,
      err));
  sd_store_bind_text (q, &at, key);
  const int code = sqlite3_step (q);
  *out = code == SQLITE_ROW;
  return sd_store_finish (s, q, code, SD_OK, "failures cannot be read", err);
}
