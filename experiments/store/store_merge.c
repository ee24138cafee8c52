/* Several stores into one, such as those of the tasks of a job array. All of it is one transaction: a cell
 * whose bytes differ leaves the store as it was. A run comes along with its first row; one that the store
 * has already, in all its columns, is the same run. Cost: a question a row. */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The runs that the store has into which all others go: read once, and those that come are added. */
typedef struct target {
  sd_provenance *run;
  uint64_t n, cap;
} target;

/* The runs of a store and their numbers in the one that they go to; 0: not there yet. */
typedef struct runs {
  sd_provenance *run;
  int64_t *number;
  size_t n;
} runs;

#define SAME_T(name) same = same && strcmp (a->name, b->name) == 0;
#define SAME_P(name) SAME_T (name)
#define SAME_O(name) SAME_T (name)
#define SAME_I(name) same = same && a->name == b->name;
#define SAME_U(name) SAME_I (name)
#define SAME_C(name) SAME_I (name)
#define SAME_N(name) same = same && memcmp (&a->name, &b->name, sizeof a->name) == 0;
#define SAME(kind, name, size) SAME_##kind (name)
static bool same_run (const sd_provenance *a, const sd_provenance *b) {
  bool same = true;
  SD_RUN_COLUMNS (SAME)
  return same;
}

static void runs_free (runs *r) {
  sd_provenances_free (r->run, r->n);
  free (r->number);
}

static int read_runs (const target *into, sd_store *from, runs *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  SD_TRY (sd_store_runs (from, &out->run, &out->n, err));
  out->number = sd_alloc0 (out->n + 1, sizeof *out->number);
  if (!out->number)
    return sd_fail_memory (err, out->n * sizeof *out->number);
  for (size_t i = 0; i < out->n; i++)
    for (size_t k = 0; k < into->n && !out->number[i]; k++)
      if (same_run (&out->run[i], &into->run[k]))
        out->number[i] = into->run[k].id;
  return SD_OK;
}

/* One store on its way into the other. */
typedef struct merging {
  sd_store *into, *from;
  runs runs;
  target *target;
  sd_merged *out;
} merging;

static int remember (target *t, const sd_provenance *run, int64_t id, sd_error *err) {
  if (!sd_grow (&t->run, &t->cap, t->n + 1))
    return sd_fail_memory (err, sizeof *run);
  sd_provenance *copy = &t->run[t->n];
  *copy = *run;
  copy->id = id;
  copy->sweep = strdup (run->sweep);
  copy->tables = strdup (run->tables);
  t->n++;
  return copy->sweep && copy->tables ? SD_OK : sd_fail_memory (err, strlen (run->sweep));
}

/* The rows that are put from now on are of this run. */
static int use_run (merging *m, int64_t id, sd_error *err) {
  sd_store *into = m->into;
  runs *r = &m->runs;
  for (size_t i = 0; i < r->n; i++) {
    if (r->run[i].id != id)
      continue;
    if (!r->number[i]) {
      SD_TRY (sd_store_run (into, &r->run[i], err));
      r->number[i] = into->run;
      SD_TRY (remember (m->target, &r->run[i], into->run, err));
    }
    into->run = r->number[i];
    return SD_OK;
  }
  return sd_fail (err, SD_EFORMAT, "%s: a row is of run %" PRId64 ", and there is no such run", m->from->path,
                  id);
}

/* Bytes of the cell in the store; 0: it is not there. times: those that it has. */
static int look (const sd_store *s, const char *key, uint64_t *out, sd_times *times, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (sd_store_prepare (s, "SELECT bytes, get_ns, probe_ns FROM cell WHERE key = ?", &q, err));
  sd_store_bind_text (q, &at, key);
  const int code = sqlite3_step (q);
  *out = code == SQLITE_ROW ? (uint64_t) sqlite3_column_int64 (q, 0) : 0;
  times->get = *out && sqlite3_column_type (q, 1) != SQLITE_NULL;
  times->probe = *out && sqlite3_column_type (q, 2) != SQLITE_NULL;
  return sd_store_finish (s, q, code, SD_OK, "cannot be read", err);
}

static int merge_row (merging *m, const char *key, const char *finished, const sd_row *row, sd_error *err) {
  uint64_t there;
  sd_times times;
  SD_TRY (look (m->into, key, &there, &times, err));
  if (there && there != row->bytes) {
    char cell[400];
    snprintf (cell, sizeof cell, "%s", key);
    sd_text_tame (cell);
    return sd_fail (err, SD_EDIFF, "%s: cell %s has %" PRIu64 " bytes, elsewhere it has %" PRIu64,
                    m->from->path, cell, row->bytes, there);
  }
  m->out->added += there == 0;
  m->out->same += there != 0;
  if (there && (times.get || isnan (row->get_ns)) && (times.probe || isnan (row->probe_ns)))
    return SD_OK;
  SD_TRY (use_run (m, row->run, err));
  return sd_store_put (m->into, key, finished, row, err);
}

static int merge_rows (merging *m, sd_error *err) {
  static const char sql[] =
      "SELECT key, finished, id, run, 0" SD_CELL_COLUMNS (SD_COLUMN_NAME) " FROM cell ORDER BY id";
  sqlite3_stmt *q = NULL;
  int code = SQLITE_DONE, status = SD_OK;
  SD_TRY (sd_store_prepare (m->from, sql, &q, err));
  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW) {
    const char *key = (const char *) sqlite3_column_text (q, 0),
               *finished = (const char *) sqlite3_column_text (q, 1);
    sd_row row;
    status = sd_store_read_row (m->from, q, 2, &row, err);
    if (status == SD_OK)
      status = merge_row (m, key ? key : "", finished ? finished : "", &row, err);
  }
  return sd_store_finish (m->from, q, code, status, "rows cannot be read", err);
}

static int merge_failure (void *ctx, const char *key, const char *finished, const char *error,
                          sd_error *err) {
  return sd_store_failed_cell (ctx, key, finished, error, err);
}

static int merge_one (sd_store *into, target *there, const char *path, sd_merged *out, sd_error *err) {
  merging m = { .into = into, .target = there, .out = out };
  SD_TRY (sd_store_peek (path, &m.from, err));
  int status = read_runs (there, m.from, &m.runs, err);
  if (status == SD_OK)
    status = merge_rows (&m, err);
  if (status == SD_OK)
    status = sd_store_failures (m.from, merge_failure, into, err);
  runs_free (&m.runs);
  sd_store_close (m.from);
  return status;
}

static bool same_file (const char *a, const char *b) {
  char *x = realpath (a, NULL), *y = realpath (b, NULL);
  const bool same = x && y && strcmp (x, y) == 0;
  free (x);
  free (y);
  return same;
}

int sd_store_merge (const char *into, const char *const *from, size_t n, sd_merged *out, sd_error *err) {
  const bool there = *into && sd_file_exists (into);
  sd_store *s = NULL;
  *out = (sd_merged){ 0 };
  for (size_t i = 0; i < n; i++)
    if (same_file (into, from[i]))
      return sd_fail (err, SD_EINVAL, "%s cannot be merged into itself", into);
  SD_TRY (sd_store_open (into, true, &s, err));
  target known = { NULL, 0, 0 };
  size_t nruns = 0;
  int status = sd_store_begin (s, err);
  if (status == SD_OK) {
    status = sd_store_runs (s, &known.run, &nruns, err);
    known.n = known.cap = nruns;
    for (size_t i = 0; i < n && status == SD_OK; i++)
      status = merge_one (s, &known, from[i], out, err);
    status = sd_store_end (s, status, err);
  }
  sd_provenances_free (known.run, known.n);
  sd_store_close (s);
  if (status != SD_OK && !there)
    unlink (into); /* made here, and empty */
  return status;
}
