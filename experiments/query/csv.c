/* CSV files as tables (RFC 4180; lines may end as on Windows): the first line names the columns, an empty
 * cell is NULL, an empty line is none, and what is a number in its shortest form is one. All other cells stay
 * texts: a commit 12e5 or a number 007 is no number. The kept rows of papers/ can so be asked like a store.
 * Cost: linear.
 *
 * Two ways lead here: a user's option (--csv NAME=FILE, --published FILE), which may name any file, and
 * the head of a query file, which may name only what lies beside or below it (sd_query_add_files). The
 * table is a temporary one of the connection; the file is read once, whole. A mistake names its line:
 * "FILE:12: a quoted cell has no end". */
#include "config.h"
#include "base/text.h"
#include "experiments/query/query_internal.h"
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 200 };

/* A file in work. */
typedef struct reader {
  const char *path;
  char *at;           /* what comes next; the text is changed in place */
  unsigned long line; /* from 1 */
  bool last;          /* the cell that was read ends its line */
  regex_t number;     /* number_form */
} reader;

static int wrong (const reader *r, sd_error *err, const char *why) {
  return sd_fail (err, SD_EFORMAT, "%s:%lu: %s", r->path, r->line, why);
}

/* The next cell, in place, with a 0 behind it: at the latest where the comma or the line's end stood. *cell
 * points into the text. A doubled quote inside quotes is one; whatever else stands there, line breaks too,
 * belongs to the cell. */
static int next_cell (reader *r, char **cell, sd_error *err) {
  char *p = r->at, *to = p;
  const bool quoted = *p == '"';
  unsigned long inside = 0; /* line breaks of the cell itself */
  *cell = to;
  for (p += quoted; *p && (quoted ? *p != '"' || p[1] == '"' : !strchr (",\r\n", *p)); p++) {
    p += quoted && *p == '"';
    inside += *p == '\n';
    *to++ = *p;
  }

  if (quoted && !*p)
    return wrong (r, err, "a quoted cell has no end");
  p += quoted;
  p += *p == '\r' && (p[1] == '\n' || !p[1]);
  if (*p && *p != ',' && *p != '\n')
    return wrong (r, err, "a cell goes on behind its closing quote, or a carriage return stands alone");

  r->last = *p != ',';
  r->line += inside + (*p == '\n');
  r->at = p + (*p != '\0');
  *to = '\0';
  return SD_OK;
}

/* Past lines without a character. */
static void skip_empty (reader *r) {
  for (size_t n; (n = strspn (r->at, "\r")) <= 1 && r->at[n] == '\n'; r->line++)
    r->at += n + 1;
}

/* A letter, then letters, digits and underscores. */
static bool is_name (const char *name) {
  size_t n = 0;
  while (isalnum ((unsigned char) name[n]) || name[n] == '_')
    n++;
  return isalpha ((unsigned char) *name) && !name[n] && n < 60;
}

/* Of this store, beside it, or of a file before: a second table would stand in front of the first one. A name
 * is tried by asking: tables, views and table functions all count. False: it is free. */
static bool is_taken (sd_query *q, const char *name) {
  char *sql = sqlite3_mprintf ("SELECT 1 FROM \"%w\"", name);
  sqlite3_stmt *s = NULL;
  const bool taken = !sql || sqlite3_prepare_v2 (q->db, sql, -1, &s, NULL) == SQLITE_OK;
  sqlite3_finalize (s);
  sqlite3_free (sql);
  return taken;
}

/* The table with its columns, and the statement that fills it, both in one walk over the names. *n: how many
 * columns; *fill: what the caller finalizes. Columns have no types, so that each value keeps its own. */
static int make_table (sd_query *q, const char *name, reader *r, unsigned *n, sqlite3_stmt **fill,
                       sd_error *err) {
  sd_buf table SD_RELEASED_BY (sd_buf_free) = { 0 }, insert SD_RELEASED_BY (sd_buf_free) = { 0 };
  sd_put (&table, "CREATE TEMP TABLE \"%s\" (", name);
  sd_put (&insert, "INSERT INTO temp.\"%s\" VALUES (", name);

  skip_empty (r);
  if (!*r->at)
    return wrong (r, err, "is empty; the first line of a CSV file names its columns");

  /* Names come from the file, and may hold anything: %w doubles the quotes in them. */
  for (*n = 0, r->last = false; !r->last; ++*n) {
    char *cell;
    SD_TRY (next_cell (r, &cell, err));
    if (*n == MOST_COLUMNS)
      return sd_fail (err, SD_EFORMAT, "%s: more than %d columns", r->path, (int) MOST_COLUMNS);
    char *quoted = sqlite3_mprintf ("%s\"%w\"", *n ? ", " : "", cell);
    if (quoted)
      sd_buf_append (&table, quoted, strlen (quoted));
    table.failed = table.failed || !quoted;
    sqlite3_free (quoted);
    sd_put (&insert, "%s?", *n ? ", " : "");
  }

  /* With the 0 behind the text. */
  sd_buf_append (&table, ")", 2);
  sd_buf_append (&insert, ")", 2);
  if (table.failed || insert.failed)
    return sd_fail_memory (err, table.len);
  if (sqlite3_exec (q->db, (const char *) table.data, NULL, NULL, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (q->db, (const char *) insert.data, -1, fill, NULL) != SQLITE_OK)
    return sd_fail (err, SD_EFORMAT, "%s: cannot become the table %s: %s", r->path, name,
                    sqlite3_errmsg (q->db));
  return SD_OK;
}

enum { MOST_DIGITS = 17 }; /* that a double tells apart */

/* A number that an SQL text would give back alike: -12, 0.50, 1.5e-07, 2e+06. An exponent has its sign, so
 * that no commit is taken for one. */
static const char number_form[] = "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?(e[+-][0-9]{1,3})?$";

static bool is_number (const regex_t *form, const char *text) {
  size_t digits = 0;
  for (const char *at = text; *at && *at != 'e'; at++)
    digits += isdigit ((unsigned char) *at) != 0;
  return digits <= MOST_DIGITS && regexec (form, text, 0, NULL, 0) == 0;
}

/* What the cell becomes. Returns SQLite's code. An empty cell stays NULL, as the bindings were cleared. */
static int bind (const reader *r, sqlite3_stmt *fill, int at, const char *cell) {
  if (!*cell)
    return SQLITE_OK;
  if (!is_number (&r->number, cell))
    return sqlite3_bind_text (fill, at, cell, -1, SQLITE_TRANSIENT);
  return strpbrk (cell, ".e") ? sqlite3_bind_double (fill, at, strtod (cell, NULL))
                              : sqlite3_bind_int64 (fill, at, strtoll (cell, NULL, 10));
}

/* Cells that a short line lacks are NULL; a line that is too long is a mistake. */
static int fill_table (sd_query *q, reader *r, unsigned n, sqlite3_stmt *fill, sd_error *err) {
  for (skip_empty (r); *r->at; skip_empty (r)) {
    const unsigned long line = r->line;
    sqlite3_reset (fill);
    sqlite3_clear_bindings (fill);
    r->last = false;
    for (unsigned i = 0; !r->last; i++) {
      char *cell;
      SD_TRY (next_cell (r, &cell, err));
      if (i >= n)
        return sd_fail (err, SD_EFORMAT, "%s:%lu: more cells than the first line has names", r->path, line);
      const int code = bind (r, fill, (int) i + 1, cell);
      if (code != SQLITE_OK)
        return sd_fail (err, code == SQLITE_NOMEM ? SD_ENOMEM : SD_EFORMAT, "%s:%lu: a cell: %s", r->path,
                        line, sqlite3_errstr (code));
    }
    if (sqlite3_step (fill) != SQLITE_DONE)
      return sd_fail (err, SD_EIO, "%s:%lu: %s", r->path, line, sqlite3_errmsg (q->db));
  }
  return SD_OK;
}

int sd_query_add_csv (sd_query *q, const char *name, const char *path, sd_error *err) {
  char *text SD_OWNED = NULL;
  sqlite3_stmt *fill = NULL;
  unsigned n = 0;
  if (!is_name (name))
    return sd_fail (err, SD_EINVAL, "\"%.40s\" is no name of a table: letters, digits and _, a letter first",
                    name);

  SD_TRY (sd_text_read (path, &text, NULL, err));
  reader r = { .path = path, .at = text, .line = 1 };
  if (regcomp (&r.number, number_form, REG_EXTENDED | REG_NOSUB))
    return sd_fail_memory (err, 0);
  sqlite3_set_authorizer (q->db, NULL, NULL); /* this is our own SQL */

  int status =
      is_taken (q, name)
          ? sd_fail (err, SD_EINVAL, "%s: there is a table %s already; choose another name", path, name)
          : make_table (q, name, &r, &n, &fill, err);
  if (status == SD_OK)
    status = fill_table (q, &r, n, fill, err);
  sqlite3_finalize (fill);
  regfree (&r.number);
  /* Of a query that is open already the guard comes back, whether this went well or not. */
  if (q->closed)
    sd_query_guard (q);
  return status;
}

/* The file of a head, below the folder of the query file and nowhere else, whatever links lead there:
 * somebody else may have written both. Where realpath fails the file is not there; it then passes here, and
 * reading it fails with the system's reason. */
static bool lies_below (const char *folder, const char *path) {
  char *top SD_OWNED = realpath (*folder ? folder : ".", NULL), *file SD_OWNED = realpath (path, NULL);
  const size_t n = top ? strlen (top) : 0;
  return !top || !file /* reading it will say why */
         || (strncmp (top, file, n) == 0 && (file[n] == '/' || n == 1));
}

int sd_query_add_files (sd_query *q, const sd_query_file *f, sd_error *err) {
  const char *slash = strrchr (f->path, '/');
  for (unsigned i = 0; i < f->ncsv; i++) {
    const char *file = f->csv[i].file;
    char folder[sizeof f->path], path[sizeof f->path + sizeof f->csv->file];
    snprintf (folder, sizeof folder, "%.*s", slash ? (int) (slash + 1 - f->path) : 0, f->path);
    snprintf (path, sizeof path, "%s%s", folder, file);
    if (*file == '/' || strstr (file, "..") || !lies_below (folder, path))
      return sd_fail (
          err, SD_EINVAL,
          "%s: csv: %s: a query file reads only what lies beside or below it; --csv %s=FILE names others",
          f->path, file, f->csv[i].name);
    SD_TRY (sd_query_add_csv (q, f->csv[i].name, path, err));
  }
  return SD_OK;
}
