/* Two stores side by side: of every cell that both hold, its bytes and its times in the second divided by
 * those in the first. Bytes are exact, so that each cell that differs in them is named. Times are not: a
 * ratio of two has an interval, made of the bounds of both (their logarithms taken for normal), and where
 * that contains 1 the cells cannot be told apart; a mean over cells has the bounds of a bootstrap over them.
 *
 * Cells are paired that agree in all axes but those that `by` names: codecs, say, or block sizes. The coding
 * follows from the metric and is not compared where metrics differ. Of several in one store that are alike
 * but for these the smallest counts. Cost: O(n log n) for n rows. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_95 1.959964 /* 95 % of a normal distribution lie so many deviations from its middle */

/* A row and what it is paired by. */
typedef struct keyed {
  char *key;
  const sd_row *row;
} keyed;

typedef struct store_rows {
  sd_row *row;
  size_t n;
  sd_provenance *run; /* those that made them */
  size_t nruns;
  keyed *at; /* one for each key, in their order */
  size_t nkeys;
} store_rows;

typedef struct pair {
  const sd_row *a, *b;
} pair;

static int read_rows (const char *db, store_rows *out, sd_error *err) {
  sd_store *store = NULL;
  SD_TRY (sd_store_peek (db, &store, err));
  int status = sd_store_snapshot (store, err);
  if (status == SD_OK)
    status = sd_store_rows (store, &out->row, &out->n, err);
  if (status == SD_OK)
    status = sd_store_runs (store, &out->run, &out->nruns, err);
  sd_store_close (store);
  return status;
}

/* ------------------------------------------------------------------------- pairs */

/* Is `word` one of those of "codec,block"? */
static bool is_named (const char *by, const char *word, size_t len) {
  for (; *by; by += strcspn (by, ","), by += *by == ',')
    if (strcspn (by, ",") == len && memcmp (by, word, len) == 0)
      return true;
  return false;
}

/* The settings but for those that are named, and but for those that stand at their defaults; with `all`
 * these, too. */
static void put_settings (const sd_row *r, const char *by, bool all, sd_buf *out) {
  const sd_codec *codec = sd_codec_find (r->codec);
  sd_settings plain;
  if (all || !codec || sd_settings_read (codec, "", &plain, NULL) != SD_OK)
    codec = NULL;
  for (const char *at = r->settings; *at; at += strcspn (at, ","), at += *at == ',') {
    const size_t len = strcspn (at, ","), key = strcspn (at, "=,");
    bool usual = false;
    for (unsigned k = 0; codec && codec->tunables[k].key && !usual; k++)
      usual = strlen (codec->tunables[k].key) == key && memcmp (codec->tunables[k].key, at, key) == 0
              && strlen (plain.value[k]) == len - key - 1
              && memcmp (plain.value[k], at + key + 1, len - key - 1) == 0;
    if (!usual && !is_named (by, at, key))
      sd_put (out, "%s%.*s", out->len && out->data[out->len - 1] != ' ' && out->data[out->len - 1] != '\t' ? "," : "",
              (int) len, at);
  }
}

static bool is_left_out (const char *by, const char *axis) {
  return is_named (by, axis, strlen (axis)) || (strcmp (axis, "coding") == 0 && is_named (by, "metric", 6));
}

/* The values of all axes but those that are named, a tab behind each; a codec's settings go with it. */
#define PUT_NAME(kind, name, size)                                                                           \
  if (strcmp (#name, "settings") != 0 && !is_left_out (by, #name))                                             \
    sd_put (&b, "%s\t", r->name);
static char *key_of (const sd_row *r, const char *by) {
  sd_buf b = { 0 };
  SD_NAME_COLUMNS (PUT_NAME)
  if (!is_named (by, "codec", strlen ("codec")) && !is_named (by, "settings", strlen ("settings")))
    put_settings (r, by, true, &b);
  sd_buf_u8 (&b, 0);
  if (sd_buf_status (&b) == SD_OK)
    return (char *) b.data;
  sd_buf_free (&b);
  return NULL;
}

static int by_key (const void *a, const void *b) {
  const keyed *x = a, *y = b;
  const int order = strcmp (x->key, y->key);
  return order                         ? order
         : x->row->bytes != y->row->bytes ? (x->row->bytes < y->row->bytes ? -1 : 1)
                                          : (x->row->id > y->row->id) - (x->row->id < y->row->id);
}

static int index_rows (store_rows *of, const char *by, sd_error *err) {
  of->at = sd_alloc0 (of->n + 1, sizeof *of->at);
  if (!of->at)
    return sd_fail_memory (err, of->n * sizeof *of->at);
  for (size_t i = 0; i < of->n; i++) {
    of->at[i] = (keyed){ key_of (&of->row[i], by), &of->row[i] };
    if (!of->at[i].key)
      return sd_fail_memory (err, 0);
  }
  if (of->n)
    qsort (of->at, of->n, sizeof *of->at, by_key);
  return SD_OK;
}

/* Behind a key all others like it are passed over. */
static size_t next_key (const store_rows *of, size_t i) {
  size_t next = i + 1;
  while (next < of->n && strcmp (of->at[next].key, of->at[i].key) == 0)
    next++;
  return next;
}

/* The cells of both, in the order of their keys. */
static size_t join (store_rows of[2], pair *out) {
  size_t n = 0;
  for (unsigned s = 0; s < 2; s++)
    for (size_t i = 0; i < of[s].n; i = next_key (&of[s], i))
      of[s].nkeys++;
  for (size_t i = 0, k = 0; i < of[0].n && k < of[1].n;) {
    const int order = strcmp (of[0].at[i].key, of[1].at[k].key);
    if (order == 0)
      out[n++] = (pair){ of[0].at[i].row, of[1].at[k].row };
    const size_t after = order <= 0 ? next_key (&of[0], i) : i;
    k = order >= 0 ? next_key (&of[1], k) : k;
    i = after;
  }
  return n;
}

static void rows_free (store_rows *of) {
  for (size_t i = 0; of->at && i < of->n; i++)
    free (of->at[i].key);
  free (of->at);
  free (of->row);
  sd_provenances_free (of->run, of->nruns);
}

#define NAME_IS(kind, name, size) || is_word (at, len, #name)
static bool is_word (const char *at, size_t len, const char *word) {
  return strlen (word) == len && memcmp (at, word, len) == 0;
}

static bool is_setting (const char *at, size_t len) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t i = 0; i < n; i++)
    for (const sd_tunable *t = all[i]->tunables; t->key; t++)
      if (is_word (at, len, t->key))
        return true;
  return false;
}

/* Every word is an axis or a setting of a codec. */
static int check_by (const char *by, sd_error *err) {
  for (const char *at = by; *at; at += strcspn (at, ","), at += *at == ',') {
    const size_t len = strcspn (at, ",");
    if (!(is_setting (at, len) SD_NAME_COLUMNS (NAME_IS)))
      return sd_fail (err, SD_EINVAL,
                      "\"%.*s\" is neither a setting of a codec nor one of group, sides, table, metric, coding, freedom, "
                      "codec, settings, side, order, numbering",
                      (int) (len < 60 ? len : 60), at);
  }
  return SD_OK;
}

/* "orders KRvKP wdl w repair block=64 KRkP": what is usual is left out. */
static void name_cell (const sd_row *r, char *out, size_t cap) {
  sd_buf b SD_RELEASED_BY (sd_buf_free) = { 0 };
  sd_put (&b, "%s %s %s%s%s %s %s %s ", r->group, r->table, r->metric, strcmp (r->coding, r->metric) ? " " : "",
          strcmp (r->coding, r->metric) ? r->coding : "", r->side, r->freedom, r->codec);
  const size_t before = b.len;
  put_settings (r, "", false, &b);
  sd_put (&b, "%s%s%s%s", b.len > before ? " " : "", r->order, strcmp (r->numbering, "rows") ? " " : "",
          strcmp (r->numbering, "rows") ? r->numbering : "");
  sd_buf_u8 (&b, 0);
  snprintf (out, cap, "%.*s", (int) cap - 1, b.data && !b.failed ? (const char *) b.data : "");
}

/* ---------------------------------------------------------------------- measures */

/* What is compared, and its bounds; a time: NaN where it was not measured, or has no bounds. */
#define TIMED(key, head, name, low, high)                                                                    \
  { key, head, offsetof (sd_row, name), offsetof (sd_row, low), offsetof (sd_row, high), false }
static const struct {
  const char *key, *head;
  size_t at, low, high;
  bool whole;
} measure[] = {
  { "bytes", "bytes", offsetof (sd_row, bytes), 0, 0, true },
  TIMED ("encode_s", "encoding", encode_s, encode_low_s, encode_high_s),
  TIMED ("decode_s", "decoding", decode_s, decode_low_s, decode_high_s),
  TIMED ("get_ns", "one slot, median", get_ns, get_low_ns, get_high_ns),
  TIMED ("probe_ns", "probe, median", probe_ns, probe_low_ns, probe_high_ns),
};
enum { MEASURES = sizeof measure / sizeof *measure };

/* A member of a row. */
static double number_at (const void *base, size_t at, bool whole) {
  const void *p = (const char *) base + at;
  return whole ? (double) *(const uint64_t *) p : *(const double *) p;
}

static double value (const sd_row *r, unsigned m) {
  return number_at (r, measure[m].at, measure[m].whole);
}

/* The deviation of the logarithm of a time, from its bounds; NaN: it has none. */
static double deviation (const sd_row *r, unsigned m) {
  const double low = number_at (r, measure[m].low, false), high = number_at (r, measure[m].high, false);
  return low > 0 && high >= low ? log (high / low) / (2 * NORMAL_95) : NAN;
}

/* B / A of a cell with its interval, which is exact for bytes. NaN: not measured, or without bounds. */
typedef struct quotient {
  double ratio, bound[2];
} quotient;

static quotient divide (const pair *p, unsigned m) {
  const double a = value (p->a, m), b = value (p->b, m);
  quotient q = { a > 0 && b > 0 ? b / a : NAN, { NAN, NAN } };
  const double off = measure[m].whole ? 0 : NORMAL_95 * hypot (deviation (p->a, m), deviation (p->b, m));
  if (isfinite (q.ratio) && isfinite (off)) {
    q.bound[0] = q.ratio * exp (-off);
    q.bound[1] = q.ratio * exp (off);
  }
  return q;
}

/* Is it known to be another one than 1? */
static bool is_distinct (const double bound[2]) {
  return bound[0] > 1 || bound[1] < 1;
}

/* Of many cells: how many were measured in both, the mean of their ratios, and the largest of those that are
 * known to be above 1. */
typedef struct summary {
  size_t n, above, below;
  double mean, bound[2], worst;
  const sd_row *whose;
} summary;

static void sum_up (const pair *p, size_t n, unsigned m, double *logs, summary *out) {
  double sum = 0;
  *out = (summary){ .bound = { NAN, NAN } };
  for (size_t i = 0; i < n; i++) {
    const quotient q = divide (&p[i], m);
    if (!isfinite (q.ratio))
      continue;
    sum += logs[out->n++] = log (q.ratio);
    out->below += q.bound[1] < 1;
    out->above += q.bound[0] > 1;
    if (q.bound[0] > 1 && q.ratio > out->worst) {
      out->worst = q.ratio;
      out->whose = p[i].b;
    }
  }
  out->mean = out->n ? exp (sum / (double) out->n) : NAN;
  sd_stats_mean_bounds (logs, out->n, out->bound);
  for (unsigned k = 0; k < 2; k++)
    out->bound[k] = exp (out->bound[k]);
}

/* -------------------------------------------------------------------------- page */

/* "1.234"; "-": there is none. out needs 32 bytes. */
static const char *text_ratio (double v, char *out) {
  snprintf (out, 32, isfinite (v) ? "%.3f" : "-", v);
  return out;
}

/* "0.512 to 0.534"; "-": not known. */
static const char *text_bounds (const double bound[2], char *out) {
  snprintf (out, 32, isfinite (bound[0]) && isfinite (bound[1]) ? "%.3f to %.3f" : "-", bound[0], bound[1]);
  return out;
}

static const char *verdict (const summary *s, bool whole) {
  if (s->n == 0)
    return "not measured";
  if (whole && !s->above && !s->below)
    return "equal";
  if (!whole && !(s->bound[0] > 0))
    return "no bounds: too few cells";
  if (!whole && !is_distinct (s->bound))
    return "not distinguishable";
  return s->mean > 1 ? "B is larger" : s->mean < 1 ? "B is smaller" : "as much in the mean";
}

static int put_measures (sd_doc *d, const pair *p, size_t n, sd_error *err) {
  double *logs SD_OWNED = sd_alloc (n + 1, sizeof *logs);
  if (!logs)
    return sd_fail_memory (err, n * sizeof *logs);
  sd_doc_table (d, "lrrrlrrrl", (const char *const[]){ "B / A", "cells", "mean", "95 %", "", "smaller", "larger", "worst",
                                                       "its cell" });
  for (unsigned m = 0; m < MEASURES; m++) {
    summary s;
    char count[3][24], mean[32], bounds[32], worst[32], cell[200] = "-";
    sum_up (p, n, m, logs, &s);
    if (s.whose)
      name_cell (s.whose, cell, sizeof cell);
    snprintf (count[0], sizeof count[0], "%zu", s.n);
    snprintf (count[1], sizeof count[1], "%zu", s.below);
    snprintf (count[2], sizeof count[2], "%zu", s.above);
    sd_doc_row (d,
                (const char *[]){ measure[m].head, count[0], text_ratio (s.mean, mean),
                                  text_bounds (s.bound, bounds), verdict (&s, measure[m].whole), count[1],
                                  count[2], text_ratio (s.whose ? s.worst : NAN, worst), cell },
                false);
  }
  sd_doc_table_end (d);
  return SD_OK;
}

static void put_differences (sd_doc *d, const pair *p, size_t n, size_t differ, const char *by) {
  sd_doc_heading (d, 2, "Cells that differ in bytes");
  if (!differ) {
    sd_doc_para (d, "None: all %zu cells of both take the same number of bytes.", n);
    return;
  }
  sd_doc_para (d, "%zu of %zu cells:", differ, n);
  sd_doc_table (d, *by ? "llrrr" : "lrrr",
                *by ? (const char *const[]){ "cell of A", "of B", "A, bytes", "B, bytes", "B / A" }
                    : (const char *const[]){ "cell", "A, bytes", "B, bytes", "B / A" });
  for (size_t i = 0; i < n; i++)
    if (p[i].a->bytes != p[i].b->bytes) {
      char cell[200], other[200], a[32], b[32], ratio[32];
      const char *row[5] = { cell, other };
      unsigned k = 1;
      name_cell (p[i].a, cell, sizeof cell);
      name_cell (p[i].b, other, sizeof other);
      k += *by != '\0';
      row[k++] = sd_text_count (p[i].a->bytes, a);
      row[k++] = sd_text_count (p[i].b->bytes, b);
      row[k] = text_ratio ((double) p[i].b->bytes / (double) p[i].a->bytes, ratio);
      sd_doc_row (d, row, false);
    }
  sd_doc_table_end (d);
}

/* Names of A's cell, then of B's where they may differ; of each measure both values, their ratio and its
 * interval. */
#define NAME_KEY(kind, name, size) #name,
#define OTHER_KEY(kind, name, size) "b_" #name,
#define NAME_TEXT(kind, name, size) r->name,
static void put_csv (const pair *p, size_t n, const char *by, sd_buf *csv) {
  static const char *const key[] = { SD_NAME_COLUMNS (NAME_KEY) }, *const other[] = { SD_NAME_COLUMNS (
                                                                       OTHER_KEY) };
  enum { NAMES = sizeof key / sizeof *key, EACH = 5 };
  const unsigned names = *by ? 2 * NAMES : NAMES;
  const char *cell[2 * NAMES + EACH * MEASURES];
  char text[EACH * MEASURES][32];
  memcpy (cell, key, sizeof key);
  memcpy (cell + NAMES, other, sizeof other);
  for (unsigned m = 0; m < MEASURES; m++)
    for (unsigned k = 0; k < EACH; k++) {
      static const char *const of[EACH] = { "a", "b", "ratio", "low", "high" };
      snprintf (text[EACH * m + k], sizeof text[0], "%s_%s", measure[m].key, of[k]);
      cell[names + EACH * m + k] = text[EACH * m + k];
    }
  sd_put_csv (csv, cell, names + EACH * MEASURES);
  for (size_t i = 0; i < n; i++) {
    for (unsigned k = 0; k < 2; k++) {
      const sd_row *r = k ? p[i].b : p[i].a;
      const char *const texts[] = { SD_NAME_COLUMNS (NAME_TEXT) };
      if (k == 0 || *by)
        memcpy (cell + k * NAMES, texts, sizeof texts);
    }
    for (unsigned m = 0; m < MEASURES; m++) {
      const quotient q = divide (&p[i], m);
      const double v[EACH] = { value (p[i].a, m), value (p[i].b, m), q.ratio, q.bound[0], q.bound[1] };
      for (unsigned k = 0; k < EACH; k++) {
        char *to = text[EACH * m + k];
        to[0] = '\0';
        if (isfinite (v[k]) && v[k] > 0)
          snprintf (to, sizeof text[0], "%.10g", v[k]);
        cell[names + EACH * m + k] = to;
      }
    }
    sd_put_csv (csv, cell, names + EACH * MEASURES);
  }
}

/* The runs behind one store, and what should be known before its rows are compared. */
static int put_runs (sd_doc *d, const char *name, const store_rows *of, sd_error *err) {
  sd_buf warnings SD_RELEASED_BY (sd_buf_free) = { 0 };
  char title[40];
  snprintf (title, sizeof title, "Runs of %s", name);
  sd_doc_heading (d, 3, title);
  sd_runs_warn (of->row, of->n, of->run, of->nruns, &warnings);
  sd_doc_warnings (d, &warnings);
  return sd_report_run_table (d, of->row, of->n, of->run, of->nruns, err);
}

/* Both stores are one for the question whether all was made by the same program on the same machine. */
static int put_all_runs (sd_doc *d, const store_rows of[2], sd_error *err) {
  const size_t n = of[0].nruns + of[1].nruns;
  sd_provenance *run SD_OWNED = sd_alloc (n, sizeof *run);
  sd_buf warnings SD_RELEASED_BY (sd_buf_free) = { 0 };
  if (!run)
    return sd_fail_memory (err, n * sizeof *run);
  sd_doc_heading (d, 2, "The runs behind A and B");
  for (size_t i = 0; i < n; i++)
    run[i] = i < of[0].nruns ? of[0].run[i] : of[1].run[i - of[0].nruns];
  sd_runs_warn (NULL, 0, run, n, &warnings);
  if (warnings.len)
    sd_doc_para (d, "A and B together:");
  sd_doc_warnings (d, &warnings);
  for (unsigned i = 0; i < 2; i++)
    SD_TRY (put_runs (d, i ? "B" : "A", &of[i], err));
  return SD_OK;
}

static int write_page (sd_doc *d, const store_rows of[2], const char *const db[2], const pair *p, size_t n,
                       const sd_store_comparison *found, const char *by, sd_error *err) {
  sd_doc_begin (d, "Two sweeps compared");
  sd_doc_para (d, "A: %s, %zu rows. B: %s, %zu rows. Both have %zu cells; %zu are in A only, %zu in B only.", db[0],
               of[0].n, db[1], of[1].n, n, found->only[0], found->only[1]);
  if (*by)
    sd_doc_para (d,
                 "Cells are paired that agree in all but %s; of several in one store that do the smallest counts.", by);
  sd_doc_para (d,
               "B divided by A: the geometric mean over the cells with its bounds (bootstrap over the cells); how many "
               "cells are smaller and larger in B, as far as that is known (of times: the interval of their ratio, made of "
               "the bounds of both, does not contain 1); the largest ratio of these.");
  SD_TRY (put_measures (d, p, n, err));
  put_differences (d, p, n, found->differ, by);
  SD_TRY (put_all_runs (d, of, err));
  sd_doc_end (d);
  return SD_OK;
}

static int write_all (store_rows of[2], const char *const db[2], const char *by, const char *dir,
                      sd_store_comparison *out, sd_error *err) {
  const size_t most = of[0].n < of[1].n ? of[0].n : of[1].n;
  pair *p SD_OWNED = sd_alloc0 (most + 1, sizeof *p);
  sd_doc d = { .dir = dir };
  sd_buf csv = { 0 };
  if (!p)
    return sd_fail_memory (err, most * sizeof *p);
  const size_t n = join (of, p);
  *out = (sd_store_comparison){ .cells = n, .only = { of[0].nkeys - n, of[1].nkeys - n } };
  for (size_t i = 0; i < n; i++)
    out->differ += p[i].a->bytes != p[i].b->bytes;
  int status = n ? write_page (&d, of, db, p, n, out, by, err)
                 : sd_fail (err, SD_ENOENT, "%s and %s have no cell in common%s", db[0], db[1],
                            *by ? "" : "; --by KEY,... pairs cells that differ in some keys");
  if (status == SD_OK) {
    put_csv (p, n, by, &csv);
    status = sd_make_folder (dir, err);
  }
  if (status == SD_OK)
    status = sd_write_file (dir, "compare.csv", &csv, err);
  if (status == SD_OK)
    status = sd_write_file (dir, "compare.md", &d.md, err);
  if (status == SD_OK)
    status = sd_write_file (dir, "compare.html", &d.html, err);
  sd_buf_free (&csv);
  sd_doc_free (&d);
  return status;
}

int sd_report_compare (const char *a, const char *b, const char *by, const char *dir,
                       sd_store_comparison *out, sd_error *err) {
  const char *const db[2] = { a, b };
  store_rows of[2] = { { .n = 0 }, { .n = 0 } };
  *out = (sd_store_comparison){ 0 };
  by = by ? by : "";
  int status = check_by (by, err);
  for (unsigned i = 0; i < 2 && status == SD_OK; i++) {
    status = read_rows (db[i], &of[i], err);
    if (status == SD_OK)
      status = index_rows (&of[i], by, err);
  }
  if (status == SD_OK)
    status = write_all (of, db, by, dir, out, err);
  for (unsigned i = 0; i < 2; i++)
    rows_free (&of[i]);
  return status;
}
