/* A store that can be asked. First our own tables are made beside it (lines.sql), then the authorizer is set:
 * from then on SQLite itself refuses all that does more than read: other databases, settings, writing, the
 * loading of programs, functions that are not on the list below. A question that takes too long is ended by a
 * handler that SQLite calls every so many steps; a step may be a call of a function, so that texts are short
 * enough for each to end soon. SQLite's memory, in which it sorts, has a bound, and so has what an answer
 * takes, so that a query that never ends, or grows what it makes up, fails with a sentence.
 *
 * Reports and `subdef report --query` both come through here. What is wrong with a query is one sentence
 * with the file and, as far as SQLite tells it, the line: "q.sql:4: no such column: codek". Queries of the
 * program itself (sd_query_file.own) have the same authorizer, but may take as long as the store asks for. */
#include "config.h"
#include "experiments/query/query_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEPS = 100,           /* of SQLite's machine between two looks at the clock */
  SECONDS = 60,          /* for a query of the user's, unless he says */
  LONG = 3600,           /* for our own queries, and our own tables */
  MOST_TEXT = 1 << 16,   /* bytes of a text; the slowest function takes 0.1 s for it */
  MOST_ANSWER = 1 << 28, /* bytes of an answer in our own memory */
  MOST_MEMORY = 1024     /* MiB of SQLite */
};

static const char lines[] =
#include "experiments/query/lines.sql.inc"
    ;
static const char runs[] =
#include "experiments/query/runs.sql.inc"
    ;
/* What lines.sql asks under one name whether there is one store or two (query_two.c): cells, with their
 * settings as reports show them, and runs. */
#define NAME(kind, name, size) ", \"" #name "\""
static const char one_store[] =
    "CREATE TEMP VIEW coded AS SELECT id, run" SD_NAME_COLUMNS (NAME) SD_MEASURE_COLUMNS (SD_WHOLE_COLUMN)
        SD_BOUNDS ", " SD_CODED_SETTINGS " FROM main.cell;"
                  "CREATE TEMP VIEW all_run AS SELECT '' AS store, * FROM main.run;"
                  "CREATE TEMP VIEW all_cell AS SELECT '' AS store, * FROM coded;";

/* The kind of rows that others are compared with where the user names none, and its name. */
static const char plain_kind[] = "*/lzma/block=16384,freedom=none,order=name", plain_name[] = "LZMA 16 KiB";

/* SQLite's own functions that a query may call, a blank around each; what makes random numbers or asks the
 * program is not among them. */
static const char functions[] =
    " abs avg char coalesce concat concat_ws count cume_dist date datetime dense_rank first_value"
    " format glob group_concat hex ifnull iif instr json json_array json_array_length json_extract"
    " json_group_array json_group_object json_object json_quote json_type json_valid julianday lag"
    " last_value lead length like lower ltrim max min nth_value ntile nullif percent_rank printf quote"
    " rank replace round row_number rtrim sign strftime string_agg substr substring sum time total"
    " trim typeof unicode unixepoch upper -> ->> ";

/* A blank on both sides, so that a part of a name is none. A longer name than these has no function. */
static bool is_allowed (const sd_query *q, const char *name) {
  char word[64];
  return snprintf (word, sizeof word, " %s ", name) < (int) sizeof word
         && (strstr (functions, word) || strstr (q->functions, word));
}

/* The name goes into the list, too: what is offered is allowed. */
bool sd_query_add (sd_query *q, const sd_sql_function *f) {
  const size_t n = strlen (q->functions);
  snprintf (q->functions + n, sizeof q->functions - n, " %s ", f->name);
  return sqlite3_create_function_v2 (q->db, f->name, f->arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                     f->user, f->call, f->step, f->finish, NULL)
         == SQLITE_OK;
}

/* Asked by SQLite while it prepares a statement, for all that the statement would do. What is refused is
 * noted for the message (`fail`): SQLite's own says only "not authorized". */
static int authorize (void *ctx, int action, const char *a, const char *b, const char *c, const char *d) {
  static const struct {
    int action;
    const char *name;
  } known[] = { { SQLITE_ATTACH, "ATTACH" },
                { SQLITE_DETACH, "DETACH" },
                { SQLITE_PRAGMA, "PRAGMA" },
                { SQLITE_DELETE, "DELETE" },
                { SQLITE_INSERT, "INSERT" },
                { SQLITE_UPDATE, "UPDATE" },
                { SQLITE_TRANSACTION, "a transaction" },
                { SQLITE_SAVEPOINT, "a transaction" },
                { SQLITE_CREATE_VTABLE, "CREATE VIRTUAL TABLE" } };

  sd_query *q = ctx;
  const char *name = "what makes or drops something";
  /* a table that is a function describes itself there, when it is first asked */
  const bool schema = a && strncmp (a, "sqlite_", 7) == 0;
  (void) c;
  (void) d;

  if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE
      || (action == SQLITE_FUNCTION && is_allowed (q, b ? b : "")))
    return SQLITE_OK;

  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].action == action && !(schema && action != SQLITE_PRAGMA))
      name = known[i].name;

  if (action == SQLITE_FUNCTION)
    snprintf (q->denied, sizeof q->denied, "the function %.80s", b ? b : "");
  else if (schema && action != SQLITE_PRAGMA)
    snprintf (q->denied, sizeof q->denied, "a table function but json_each and json_tree, or %s", name);
  else
    snprintf (q->denied, sizeof q->denied, "%s %.80s", name, action == SQLITE_PRAGMA && a ? a : "");
  return SQLITE_DENY;
}

void sd_query_guard (sd_query *q) {
  sqlite3_set_authorizer (q->db, authorize, q);
  q->closed = true;
}

/* SQLite ends the statement with SQLITE_INTERRUPT where this is true. */
static int is_late (void *ctx) {
  const sd_query *q = ctx;
  return sd_now () > q->until;
}

/* ------------------------------------------------------------------------------- opening */

int sd_query_do (sd_query *q, const char *sql, const char *what, sd_error *err) {
  if (sqlite3_exec (q->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return SD_OK;
  return sd_fail (err, sqlite3_errcode (q->db) == SQLITE_NOMEM ? SD_ENOMEM : SD_EIO, "%s: %s", what,
                  sqlite3_errmsg (q->db));
}

/* Cuts one by one the characters of a set from a text: as long as both together, so that nothing would end
 * it. They stand in front of SQLite's own functions of two arguments; those of one argument stay. */
static void refuse_sets (sqlite3_context *c, int argc, sqlite3_value **argv) {
  (void) argc;
  (void) argv;
  sqlite3_result_error (c, "trim, ltrim and rtrim take one text here: they cut blanks", -1);
}

/* After our own tables are made, which need more of all of these. */
static int limit (sd_query *q, sd_error *err) {
  static const char *const trim[] = { "trim", "ltrim", "rtrim" };
  sqlite3 *db = q->db;
  for (unsigned i = 0; i < sizeof trim / sizeof *trim; i++)
    if (!sd_query_add (q, &(sd_sql_function){ trim[i], 2, .call = refuse_sets }))
      return sd_fail (err, SD_EIO, "functions for queries: %s", sqlite3_errmsg (db));

  sqlite3_limit (db, SQLITE_LIMIT_LENGTH, MOST_TEXT);
  sqlite3_limit (db, SQLITE_LIMIT_SQL_LENGTH, 200000);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (db, SQLITE_LIMIT_EXPR_DEPTH, 200);
  sqlite3_limit (db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
  /* Of the whole process: SQLite has no such bound for a connection. */
  sqlite3_hard_heap_limit64 ((sqlite3_int64) q->memory << 20);
  return SD_OK;
}

/* What the tables of lines.sql ask for beside the store: the one row of facts, cells that failed, published
 * figures. Most columns of it are filled in by lines.sql itself. Tables that a store need not have are there
 * empty, so that queries need not ask whether they are. */
static int make_facts (sd_query *q, const sd_query_options *o, sd_error *err) {
  bool failed = false;
  SD_TRY (sd_store_any_failure (q->store, &failed, err));
  char *sql = sqlite3_mprintf (
      "CREATE TEMP TABLE fact (baseline TEXT, baseline_name TEXT, named INTEGER, any_baseline INTEGER, "
      "only_arrays INTEGER, rows INTEGER, several_groups INTEGER, other_sides INTEGER, "
      "missing INTEGER, failed INTEGER);"
      "INSERT INTO fact (baseline, baseline_name, named) VALUES (%Q, %Q, %d); %s %s",
      o->baseline ? o->baseline : plain_kind, o->baseline ? o->baseline : plain_name, o->baseline != NULL,
      failed ? "" : "CREATE TEMP TABLE failure (key TEXT, finished TEXT, error TEXT);",
      o->published ? "" : "CREATE TEMP TABLE published (step, before, after, measure, published, source);");
  const int status = sql ? sd_query_do (q, sql, "facts", err) : sd_fail_memory (err, 0);
  sqlite3_free (sql);
  return status;
}

/* The columns that lines.sql and the part of published figures ask for. */
static int check_published (sd_query *q, const char *path, sd_error *err) {
  static const char *const column[] = { "step", "before", "after", "measure", "published", "source" };
  for (unsigned i = 0; i < sizeof column / sizeof *column; i++)
    if (sqlite3_table_column_metadata (q->db, "temp", "published", column[i], NULL, NULL, NULL, NULL, NULL)
        != SQLITE_OK)
      return sd_fail (err, SD_EINVAL, "%s: no column is called \"%s\"", path, column[i]);
  return SD_OK;
}

/* What a user names must be there. */
static int check_baseline (sd_query *q, const char *baseline, sd_error *err) {
  double any;
  SD_TRY (sd_query_number (q, "SELECT any_baseline FROM fact", &any, err));
  return any > 0
             ? SD_OK
             : sd_fail (
                 err, SD_EINVAL,
                 "baseline %s: no row of this group and codec (with these settings) for all sides of a table",
                 baseline);
}

/* In the order in which they need each other: facts and published figures, rows, lines, runs. A baseline that
 * the user names is looked for at last, as it is a kind of lines. */
static int make_lines (sd_query *q, const sd_query_options *o, sd_error *err) {
  SD_TRY (make_facts (q, o, err));
  if (o->published) {
    SD_TRY (sd_query_add_csv (q, "published", o->published, err));
    SD_TRY (check_published (q, o->published, err));
  }
  SD_TRY (sd_query_do (q, one_store, "rows", err));
  SD_TRY (sd_query_do (q, lines, "lines", err));
  SD_TRY (sd_query_do (q, runs, "runs", err));
  return o->baseline ? check_baseline (q, o->baseline, err) : SD_OK;
}

static bool take_statistic (void *q, const sd_sql_function *f) {
  return sd_query_add (q, f);
}

/* Functions before tables, since our tables call them; the guard last. json_each and json_tree are asked once
 * before it, as a table function describes itself in a way that the authorizer would refuse. */
static int set_up (sd_query *q, const sd_query_options *o, sd_error *err) {
  if (!sd_stats_offer (take_statistic, q) || !sd_query_add_words (q) || !sd_query_add_first (q))
    return sd_fail (err, SD_EIO, "functions for queries: %s", sqlite3_errmsg (q->db));

  if (q->store && o->other) {
    SD_TRY (sd_query_add_other (q, o, err));
    SD_TRY (sd_query_do (q, runs, "runs", err));
  } else if (q->store)
    SD_TRY (make_lines (q, o, err));

  SD_TRY (limit (q, err));
  SD_TRY (sd_query_do (q, "SELECT 1 FROM json_each ('[]'), json_tree ('[]')", "functions", err));
  sqlite3_progress_handler (q->db, STEPS, is_late, q);
  sd_query_guard (q);
  return SD_OK;
}

/* A failure leaves the store open, as it is the caller's. */
int sd_query_over (sd_store *store, const sd_query_options *opt, sd_query **out, sd_error *err) {
  sd_query *q = *out = calloc (1, sizeof *q);
  int status = q ? SD_OK : sd_fail_memory (err, sizeof *q);
  if (!q)
    return status;

  q->store = store;
  q->seconds = opt->seconds > 0 ? opt->seconds : SECONDS;
  q->memory = opt->memory ? opt->memory : MOST_MEMORY;
  q->until = sd_now () + LONG; /* our own tables take as long as they take */

  if (store)
    q->db = sd_store_database (store);
  else if (sqlite3_open (":memory:", &q->db) != SQLITE_OK)
    status = sd_fail_memory (err, 0);
  if (status == SD_OK && !store)
    sd_store_harden (q->db);
  if (status == SD_OK)
    status = set_up (q, opt, err);

  if (status != SD_OK) {
    q->store = store ? store : NULL;
    sd_query_close (q);
    *out = NULL;
  }
  return status;
}

/* All rows are looked at before any of them is asked for; a sweep may go on meanwhile. */
int sd_query_open_store (const char *db, sd_store **out, sd_error *err) {
  uint64_t rows = 0;
  SD_TRY (sd_store_peek (db, out, err));
  int status = sd_store_snapshot (*out, err);
  if (status == SD_OK)
    status = sd_store_check (*out, &rows, err);
  if (status == SD_OK && !rows)
    status = sd_fail (err, SD_ENOENT, "%s: holds no row yet: run a sweep first", db);
  if (status == SD_OK)
    return SD_OK;
  sd_store_close (*out);
  *out = NULL;
  return status;
}

/* With a store of its own, which sd_query_close closes. */
int sd_query_open (const char *db, const sd_query_options *opt, sd_query **out, sd_error *err) {
  const sd_query_options none = { .baseline = NULL };
  sd_store *store = NULL;
  *out = NULL;
  if (db)
    SD_TRY (sd_query_open_store (db, &store, err));
  const int status = sd_query_over (store, opt ? opt : &none, out, err);
  if (status == SD_OK)
    (*out)->owned = true;
  else
    sd_store_close (store);
  return status;
}

void sd_query_close (sd_query *q) {
  if (!q)
    return;
  if (q->store) { /* others may go on with it */
    sqlite3_set_authorizer (q->db, NULL, NULL);
    sqlite3_progress_handler (q->db, 0, NULL, NULL);
  } else
    sqlite3_close_v2 (q->db);
  if (q->owned)
    sd_store_close (q->store);
  free (q);
}

sd_store *sd_query_store (sd_query *q) {
  return q->store;
}

/* ---------------------------------------------------------------------------- questions */

int sd_query_number (sd_query *q, const char *sql, double *out, sd_error *err) {
  sqlite3_stmt *s = NULL;
  const bool found =
      sqlite3_prepare_v2 (q->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step (s) == SQLITE_ROW;
  *out = found ? sqlite3_column_double (s, 0) : 0;
  sqlite3_finalize (s);
  return found ? SD_OK : sd_fail (err, SD_EIO, "%s: %s", sql, sqlite3_errmsg (q->db));
}

/* Where SQL of the file is wrong, as far as SQLite says it: "FILE:LINE", of an expression of the head "FILE:
 * {...}". sql: a place in f->sql, or the text of an expression that was made (put_expression). */
static const char *place_of (const sd_query *q, const sd_query_file *f, const char *sql, char *out,
                             size_t cap) {
  const bool own = sql >= f->sql && sql <= f->sql + strlen (f->sql);
  const int offset = sqlite3_error_offset (q->db);
  unsigned line = f->line;
  char text[60];

  if (own) {
    for (const char *c = f->sql; *c && c < sql + (offset > 0 ? offset : 0); c++)
      line += *c == '\n';
    snprintf (out, cap, "%s:%u", f->path, line);
    return out;
  }

  snprintf (text, sizeof text, "%.*s", (int) strcspn (sql, "\n"),
            sql + (strncmp (sql, "SELECT (", 8) == 0 ? 8 : 0));
  sd_text_tame (text);
  snprintf (out, cap, "%s: {%s", f->path, text);
  return out;
}

/* Why a statement failed, in words of ours where SQLite's would not tell a user what to do: not allowed, too
 * long, too much memory. All text of SQLite's may hold text of the query, and is tamed. */
static int fail (sd_query *q, const sd_query_file *f, const char *sql, sd_error *err) {
  const int code = sqlite3_errcode (q->db);
  char text[300], place[400];
  snprintf (text, sizeof text, "%s", sqlite3_errmsg (q->db));
  sd_text_tame (text);
  place_of (q, f, sql, place, sizeof place);

  if (*q->denied || code == SQLITE_AUTH) {
    sd_text_tame (q->denied);
    return sd_fail (
        err, SD_EINVAL,
        "%s: %s is not allowed: a query is one SELECT, with the functions that subdef-report(1) names", place,
        *q->denied ? q->denied : text);
  }

  if (code == SQLITE_INTERRUPT)
    return sd_fail (err, SD_ERANGE, "%s: takes more than %g s; a WITH RECURSIVE needs an end", place,
                    q->seconds);
  if (code == SQLITE_NOMEM)
    return sd_fail (err, SD_ENOMEM, "%s: needs more memory than a query may have (%u MiB)", place, q->memory);
  return sd_fail (err, SD_EINVAL, "%s: %s", place, text);
}

/* One SELECT and nothing behind it. The time that the statement may take begins here. *out: to be finalized
 * by the caller; NULL after a failure. */
static int prepare (sd_query *q, const sd_query_file *f, const char *sql, sqlite3_stmt **out, sd_error *err) {
  const char *rest = NULL;
  sqlite3_stmt *more = NULL;
  *out = NULL;
  q->denied[0] = '\0';
  q->until = sd_now () + (f->own ? LONG : q->seconds);
  sqlite3_limit (q->db, SQLITE_LIMIT_LENGTH, f->own ? MOST_ANSWER : MOST_TEXT);

  if (sqlite3_prepare_v2 (q->db, sql, -1, out, &rest) != SQLITE_OK)
    return fail (q, f, sql, err);
  if (!*out)
    return sd_fail (err, SD_EINVAL, "%s:%u: holds no SELECT", f->path, f->line);

  /* What stands behind the statement may be a remark, but no other statement. */
  int status = SD_OK;
  if (sqlite3_prepare_v2 (q->db, rest, -1, &more, NULL) != SQLITE_OK)
    status = fail (q, f, rest, err);
  else if (more || !sqlite3_stmt_readonly (*out))
    status = sd_fail (err, SD_EINVAL, "%s:%u: a query is one SELECT and nothing else", f->path, f->line);
  sqlite3_finalize (more);
  if (status != SD_OK) {
    sqlite3_finalize (*out);
    *out = NULL;
  }
  return status;
}

/* Names as AS gives them, in room of their own: SQLite's are gone with the statement. */
static int name_columns (const sd_query_file *f, sqlite3_stmt *s, sd_result *out, sd_error *err) {
  out->ncolumns = (unsigned) sqlite3_column_count (s);
  out->name = sd_alloc (out->ncolumns + 1, sizeof *out->name);
  if (!out->name)
    return sd_fail_memory (err, out->ncolumns * sizeof *out->name);
  for (unsigned i = 0; i < out->ncolumns; i++)
    if (snprintf (out->name[i], sizeof out->name[i], "%s", sqlite3_column_name (s, (int) i))
        >= (int) sizeof out->name[i])
      return sd_fail (err, SD_EINVAL,
                      "%s:%u: the name of column %u has more than %zu bytes: AS gives it a shorter one",
                      f->path, f->line, i + 1, sizeof out->name[i] - 1);
  return SD_OK;
}

/* In our own answers a text that stands in the row above, too, is kept once: titles and names mostly do.
 * Those of others have a bound, which counts what is written. */
static bool is_as_above (const sd_result *a, const sd_result_value *v, const char *text) {
  const sd_result_value *above = a->nrows ? v - a->ncolumns : NULL;
  return above && above->is == SD_IS_TEXT && !a->texts.failed
         && strcmp ((const char *) a->texts.data + above->text, text) == 0;
}

/* The value of a column in the row at which the statement stands. own: the query is the program's, whose
 * texts may share room. */
static void take_value (sqlite3_stmt *s, int i, bool own, sd_result *out, sd_result_value *v) {
  const int type = sqlite3_column_type (s, i);
  *v = (sd_result_value){ .is = SD_IS_NULL };
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
    *v = (sd_result_value){ .is = SD_IS_NUMBER,
                            .integer = type == SQLITE_INTEGER,
                            .number = sqlite3_column_double (s, i),
                            .whole = sqlite3_column_int64 (s, i) };
  else if (type != SQLITE_NULL) {
    const char *text = (const char *) sqlite3_column_text (s, i);
    text = text ? text : ""; /* of a blob what stands before a 0 */
    const bool known = own && is_as_above (out, v, text);
    *v = (sd_result_value){ .is = SD_IS_TEXT,
                            .text = known ? v[-(ptrdiff_t) out->ncolumns].text : out->texts.len };
    if (!known)
      sd_buf_append (&out->texts, text, strlen (text) + 1);
  }
}

/* All rows in memory, since documents need them several times. An answer of somebody else's query is bounded:
 * rows (SD_QUERY_MOST) and bytes (MOST_ANSWER). */
static int take_rows (sd_query *q, const sd_query_file *f, sqlite3_stmt *s, sd_result *out, sd_error *err) {
  int code;
  SD_TRY (name_columns (f, s, out, err));
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    const uint64_t had = (uint64_t) out->nrows * out->ncolumns;
    if (out->nrows == SD_QUERY_MOST && !f->own)
      return sd_fail (err, SD_ERANGE, "%s:%u: gives more than %d rows: LIMIT, or sums of them, would do",
                      f->path, f->line, (int) SD_QUERY_MOST);
    if (out->texts.len + (had + out->ncolumns) * sizeof *out->value > MOST_ANSWER && !f->own)
      return sd_fail (err, SD_ERANGE,
                      "%s:%u: gives more than %d MiB: fewer columns, or shorter texts, would do", f->path,
                      f->line, MOST_ANSWER >> 20);

    if (!sd_grow (&out->value, &out->room, had + out->ncolumns))
      return sd_fail_memory (err, 0);
    for (unsigned i = 0; i < out->ncolumns; i++)
      take_value (s, (int) i, f->own, out, &out->value[had + i]);
    out->nrows++;
  }

  if (code != SQLITE_DONE)
    return fail (q, f, f->sql, err);
  return sd_buf_status (&out->texts) == SD_OK ? SD_OK : sd_fail_memory (err, out->texts.len);
}

/* Each column of the head must be one of the answer. An answer without rows is looked at, too: a slip in a
 * head is seen on the first day. */
static int check_head (const sd_query_file *f, const sd_result *a, sd_error *err) {
  const char *const other[] = { f->section,    f->note,       f->about,     f->strong,   f->cross[0],
                                f->cross[1],   f->cross[2],   f->cards[0],  f->cards[1], f->cards[2],
                                f->paragraphs, f->details[0], f->details[1] };
  const char *missing = NULL;

  for (unsigned i = 0; i < f->ncolumns; i++)
    if (sd_result_column (a, f->column[i].key) < 0)
      missing = f->column[i].key;
  for (unsigned i = 0; i < sizeof other / sizeof *other; i++)
    if (*other[i] && sd_result_column (a, other[i]) < 0)
      missing = other[i];
  return missing ? sd_fail (err, SD_EINVAL,
                            "%s: the head names the column \"%.60s\", and the SELECT has none of this name",
                            f->path, missing)
                 : SD_OK;
}

int sd_query_ask (sd_query *q, const sd_query_file *f, sd_result *out, sd_error *err) {
  sqlite3_stmt *s = NULL;
  *out = (sd_result){ .nrows = 0 };
  SD_TRY (prepare (q, f, f->sql, &s, err));
  int status = take_rows (q, f, s, out, err);
  if (status == SD_OK)
    status = check_head (f, out, err);
  sqlite3_finalize (s);
  if (status != SD_OK)
    sd_result_free (out);
  return status;
}

void sd_result_free (sd_result *a) {
  free (a->name);
  free (a->value);
  sd_buf_free (&a->texts);
  *a = (sd_result){ .nrows = 0 };
}

int sd_result_column (const sd_result *a, const char *name) {
  for (unsigned i = a->ncolumns; i-- > 0 && *name;) /* of two the last: SELECT *, x + 1 AS x */
    if (strcmp (a->name[i], name) == 0)
      return (int) i;
  return -1;
}

const sd_result_value *sd_result_at (const sd_result *a, size_t row, int column) {
  static const sd_result_value none = { .is = SD_IS_NULL };
  return column < 0 ? &none : &a->value[row * a->ncolumns + (size_t) column];
}

/* Digits without a point tell it; printed so it takes a tenth of the time. Also of a whole number that came
 * as a real one; -0 keeps its sign in another form. */
static bool is_whole (double v) {
  return fabs (v) < 1e15 && v == (double) (int64_t) v && !(v == 0 && signbit (v));
}

/* A number has as many digits as tell it from all others, so that nothing is lost in a file. */
const char *sd_result_text (const sd_result *a, const sd_result_value *v, char *out) {
  if (v->is == SD_IS_TEXT)
    return (const char *) a->texts.data + v->text;
  out[0] = '\0';
  if (v->is == SD_IS_NUMBER && (v->integer || is_whole (v->number)))
    snprintf (out, 32, "%" PRId64, v->whole);
  else if (v->is == SD_IS_NUMBER) {
    snprintf (out, 32, "%.15g", v->number);
    if (strtod (out, NULL) != v->number) /* 15 digits are short, 17 tell each number */
      snprintf (out, 32, "%.17g", v->number);
  }
  return out;
}

int sd_result_make_texts (sd_result *a, int column, sd_error *err) {
  char number[32];
  for (size_t r = 0; column >= 0 && r < a->nrows; r++) {
    sd_result_value *v = &a->value[r * a->ncolumns + (size_t) column];
    if (v->is == SD_IS_TEXT)
      continue;
    const char *text = sd_result_text (a, v, number);
    *v = (sd_result_value){ .is = SD_IS_TEXT, .text = a->texts.len };
    sd_buf_append (&a->texts, text, strlen (text) + 1);
  }
  return a->texts.failed ? sd_fail_memory (err, a->texts.len) : SD_OK;
}

/* ---------------------------------------------------------------------------- expressions */

/* The value of one expression. */
static int put_expression (sd_query *q, const sd_query_file *f, const char *text, size_t len, sd_buf *out,
                           sd_error *err) {
  char *sql = sqlite3_mprintf ("SELECT (%.*s\n)", (int) len, text);
  sqlite3_stmt *s = NULL;
  if (!sql)
    return sd_fail_memory (err, len);
  int status = prepare (q, f, sql, &s, err);
  const int code = status == SD_OK ? sqlite3_step (s) : SQLITE_DONE;
  if (code == SQLITE_ROW) {
    const char *value = (const char *) sqlite3_column_text (s, 0);
    sd_buf_append (out, value ? value : "", value ? strlen (value) : 0);
  } else if (status == SD_OK && code != SQLITE_DONE)
    status = fail (q, f, sql, err);
  sqlite3_finalize (s);
  sqlite3_free (sql);
  return status;
}

/* The value of the answer's column of this name; false: there is none. */
static bool put_column (const sd_result *a, size_t row, const char *text, size_t len, sd_buf *out) {
  char name[64], number[32];
  if (!a || row >= a->nrows || (size_t) snprintf (name, sizeof name, "%.*s", (int) len, text) >= sizeof name)
    return false;
  const int column = sd_result_column (a, name);
  if (column < 0)
    return false;
  const char *value = sd_result_text (a, sd_result_at (a, row, column), number);
  sd_buf_append (out, value, strlen (value));
  return true;
}

int sd_query_fill (sd_query *q, const sd_query_file *f, const sd_result *a, size_t row, const char *text,
                   sd_buf *out, sd_error *err) {
  /* By turns plain text and {an expression}. The name of a column of the answer is no SQL: its value is taken
   * as it is. */
  while (*text) {
    const size_t plain = strcspn (text, "{"), len = text[plain] ? strcspn (text + plain, "}") : 0;
    sd_buf_append (out, text, plain);
    text += plain;
    if (!*text)
      break;
    if (!text[len])
      return sd_fail (err, SD_EINVAL, "%s: \"%.40s\": an expression ends with }", f->path, text);

    if (!put_column (a, row, text + 1, len - 1, out))
      SD_TRY (put_expression (q, f, text + 1, len - 1, out, err));
    text += len + 1;
  }
  sd_buf_u8 (out, 0);
  return sd_buf_status (out) == SD_OK ? SD_OK : sd_fail_memory (err, out->len);
}
