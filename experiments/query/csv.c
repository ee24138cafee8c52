/* CSV files as tables (RFC 4180; lines may end as on Windows): the first line names the columns, an empty
 * cell is NULL, what reads as a number is one. The kept rows of papers/ can so be asked like a store.
 * Cost: linear. */
#include "config.h"
#include "base/text.h"
#include "experiments/query/query_internal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 200 };

/* The cell at *at, in place, and on to the next one; *last: it ends the line. */
static char *next_cell (char **at, bool *last) {
  char *p = *at, *to = p, *cell = p;
  const bool quoted = *p == '"';
  for (p += quoted; *p && (quoted ? *p != '"' || p[1] == '"' : !strchr (",\r\n", *p)); p++) {
    p += quoted && *p == '"';
    *to++ = *p;
  }
  p += quoted && *p == '"';
  p += *p == '\r';
  *last = *p != ',';
  *at = p + (*p == ',' || *p == '\n');
  *to = '\0'; /* behind what was read: at the latest where the comma or the line's end stood */
  return cell;
}

/* A letter, then letters, digits and underscores. */
static bool is_name (const char *name) {
  size_t n = 0;
  while (isalnum ((unsigned char) name[n]) || name[n] == '_')
    n++;
  return isalpha ((unsigned char) *name) && !name[n] && n < 60;
}

/* The table with its columns, and the statement that fills it, both in one walk over the names. */
static int make_table (sd_query *q, const char *name, const char *path, char **at, unsigned *n,
                       sqlite3_stmt **fill, sd_error *err) {
  sd_buf table SD_RELEASED_BY (sd_buf_free) = { 0 }, insert SD_RELEASED_BY (sd_buf_free) = { 0 };
  bool last = false;
  sd_put (&table, "CREATE TEMP TABLE \"%s\" (", name);
  sd_put (&insert, "INSERT INTO temp.\"%s\" VALUES (", name);
  for (*n = 0; !last; ++*n) {
    const char *cell = next_cell (at, &last);
    if (*n == MOST_COLUMNS)
      return sd_fail (err, SD_EFORMAT, "%s: more than %d columns", path, (int) MOST_COLUMNS);
    char *quoted = sqlite3_mprintf ("%s\"%w\" NUMERIC", *n ? ", " : "", cell);
    if (quoted)
      sd_buf_append (&table, quoted, strlen (quoted));
    table.failed = table.failed || !quoted;
    sqlite3_free (quoted);
    sd_put (&insert, "%s?", *n ? ", " : "");
  }
  sd_buf_append (&table, ")", 2);
  sd_buf_append (&insert, ")", 2);
  if (table.failed || insert.failed)
    return sd_fail_memory (err, table.len);
  if (sqlite3_exec (q->db, (const char *) table.data, NULL, NULL, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (q->db, (const char *) insert.data, -1, fill, NULL) != SQLITE_OK)
    return sd_fail (err, SD_EFORMAT, "%s: cannot become the table %s: %s", path, name,
                    sqlite3_errmsg (q->db));
  return SD_OK;
}

/* Cells that a short line lacks are NULL; a line that is too long is a mistake. */
static int fill_table (sd_query *q, const char *path, char *at, unsigned n, sqlite3_stmt *fill,
                       sd_error *err) {
  for (unsigned long line = 2; *at; line++) {
    bool last = false;
    sqlite3_reset (fill);
    sqlite3_clear_bindings (fill);
    for (unsigned i = 0; !last; i++) {
      const char *cell = next_cell (&at, &last);
      if (i >= n)
        return sd_fail (err, SD_EFORMAT, "%s:%lu: more cells than the first line has names", path, line);
      if (*cell)
        sqlite3_bind_text (fill, (int) i + 1, cell, -1, SQLITE_TRANSIENT);
    }
    if (sqlite3_step (fill) != SQLITE_DONE)
      return sd_fail (err, SD_EIO, "%s:%lu: %s", path, line, sqlite3_errmsg (q->db));
  }
  return SD_OK;
}

int sd_query_add_csv (sd_query *q, const char *name, const char *path, sd_error *err) {
  char *text SD_OWNED = NULL, *at;
  sqlite3_stmt *fill = NULL;
  unsigned n;
  if (!is_name (name))
    return sd_fail (err, SD_EINVAL, "\"%.40s\" is no name of a table: letters, digits and _, a letter first",
                    name);
  SD_TRY (sd_text_read (path, &text, NULL, err));
  at = text;
  sqlite3_set_authorizer (q->db, NULL, NULL); /* this is our own SQL */
  int status = make_table (q, name, path, &at, &n, &fill, err);
  if (status == SD_OK)
    status = fill_table (q, path, at, n, fill, err);
  sqlite3_finalize (fill);
  if (q->closed)
    sd_query_guard (q);
  return status;
}

/* Below the folder of the query file only: somebody else may have written it. */
int sd_query_add_files (sd_query *q, const sd_query_file *f, sd_error *err) {
  for (unsigned i = 0; i < f->ncsv; i++) {
    const char *file = f->csv[i].file, *slash = strrchr (f->path, '/');
    char path[600];
    if (*file == '/' || strstr (file, ".."))
      return sd_fail (
          err, SD_EINVAL,
          "%s: csv: %s: a query file reads only what lies beside or below it; --csv %s=FILE names others",
          f->path, file, f->csv[i].name);
    snprintf (path, sizeof path, "%.*s%s", slash ? (int) (slash + 1 - f->path) : 0, f->path, file);
    SD_TRY (sd_query_add_csv (q, f->csv[i].name, path, err));
  }
  return SD_OK;
}
