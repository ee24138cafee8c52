/* Two stores side by side: of every cell that both hold, its bytes and its times in the second divided by
 * those in the first. Bytes are exact, so that each cell that differs in them is named; times are not, and
 * are only averaged (geometric mean), with the worst case. Cost: O(n log n) for n rows. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct store_rows {
  sd_row *row;
  size_t n;
  sd_provenance *run; /* those that made them */
  size_t nruns;
} store_rows;

typedef struct pair {
  const sd_row *a, *b;
} pair;

#define COMPARE_NAME(kind, name, size) order = order ? order : strcmp (x->name, y->name);
static int by_name (const void *a, const void *b) {
  const sd_row *x = a, *y = b;
  int order = 0;
  SD_NAME_COLUMNS (COMPARE_NAME)
  return order;
}

static int read_rows (const char *db, store_rows *out, sd_error *err) {
  sd_store *store = NULL;
  SD_TRY (sd_store_peek (db, &store, err));
  int status = sd_store_snapshot (store, err);
  if (status == SD_OK)
    status = sd_store_rows (store, &out->row, &out->n, err);
  if (status == SD_OK)
    status = sd_store_runs (store, &out->run, &out->nruns, err);
  sd_store_close (store);
  if (status == SD_OK && out->n)
    qsort (out->row, out->n, sizeof *out->row, by_name);
  return status;
}

/* The cells of both, in the order of their names. */
static size_t join (const store_rows of[2], pair *out) {
  size_t n = 0;
  for (size_t i = 0, k = 0; i < of[0].n && k < of[1].n;) {
    const int order = by_name (&of[0].row[i], &of[1].row[k]);
    if (order == 0)
      out[n++] = (pair){ &of[0].row[i], &of[1].row[k] };
    i += order <= 0;
    k += order >= 0;
  }
  return n;
}

/* "orders KRvKP wdl w repair block=128 KRkP". */
static void name_cell (const sd_row *r, char *out, size_t cap) {
  char text[SD_SETTINGS_TEXT + SD_TABLE_TEXT + 336];
  snprintf (text, sizeof text, "%s %s %s%s%s %s %s %s%s%s %s%s%s", r->group, r->table, r->metric,
            strcmp (r->coding, r->metric) ? " " : "", strcmp (r->coding, r->metric) ? r->coding : "", r->side,
            r->freedom, r->codec, *r->settings ? " " : "", r->settings, r->order,
            strcmp (r->numbering, "rows") ? " " : "", strcmp (r->numbering, "rows") ? r->numbering : "");
  snprintf (out, cap, "%.*s", (int) cap - 1, text);
}

/* ------------------------------------------------------------------------ page */

/* What is compared; time: NaN where it was not measured. */
static const struct {
  const char *key, *head;
  size_t at;
  bool whole;
} measure[] = {
  { "bytes", "bytes", offsetof (sd_row, bytes), true },
  { "encode_s", "encoding", offsetof (sd_row, encode_s), false },
  { "decode_s", "decoding", offsetof (sd_row, decode_s), false },
  { "get_ns", "one symbol, median", offsetof (sd_row, get_ns), false },
  { "probe_ns", "probe, median", offsetof (sd_row, probe_ns), false },
};
enum { MEASURES = sizeof measure / sizeof *measure };

static double value (const sd_row *r, unsigned m) {
  return sd_number_at (r, measure[m].at, measure[m].whole);
}

static void put_measures (sd_doc *d, const pair *p, size_t n) {
  sd_doc_table (d, "lrrrl", (const char *const[]){ "B / A", "cells", "mean", "worst", "its cell" });
  for (unsigned m = 0; m < MEASURES; m++) {
    sd_ratios of = { 0 };
    char count[24], mean[32], worst[32], cell[300] = "-";
    for (size_t i = 0; i < n; i++)
      sd_ratios_add (&of, value (p[i].b, m), value (p[i].a, m), p[i].b);
    if (of.worst)
      name_cell (of.worst, cell, sizeof cell);
    snprintf (count, sizeof count, "%zu", of.n);
    sd_doc_row (d,
                (const char *[]){ measure[m].head, count, sd_text_ratio (sd_ratios_mean (&of), mean),
                                  sd_text_ratio (of.n ? of.most : NAN, worst), cell },
                false);
  }
  sd_doc_table_end (d);
}

static void put_differences (sd_doc *d, const pair *p, size_t n, size_t differ) {
  sd_doc_heading (d, 2, "Cells that differ in bytes");
  if (!differ) {
    sd_doc_para (d, "None: all %zu cells of both take the same number of bytes.", n);
    return;
  }
  sd_doc_para (d, "%zu of %zu cells:", differ, n);
  sd_doc_table (d, "lrrr", (const char *const[]){ "cell", "A, bytes", "B, bytes", "B / A" });
  for (size_t i = 0; i < n; i++)
    if (p[i].a->bytes != p[i].b->bytes) {
      char cell[SD_SETTINGS_TEXT + 400], a[32], b[32], by[32];
      name_cell (p[i].a, cell, sizeof cell);
      sd_doc_row (d,
                  (const char *[]){ cell, sd_text_count (p[i].a->bytes, a), sd_text_count (p[i].b->bytes, b),
                                    sd_text_ratio ((double) p[i].b->bytes / (double) p[i].a->bytes, by) },
                  false);
    }
  sd_doc_table_end (d);
}

#define NAME_KEY(kind, name, size) #name,
#define NAME_TEXT(kind, name, size) r->name,
static void put_csv (const pair *p, size_t n, sd_buf *csv) {
  static const char *const key[] = { SD_NAME_COLUMNS (NAME_KEY) };
  enum { NAMES = sizeof key / sizeof *key };
  const char *cell[NAMES + 3 * MEASURES];
  char text[3 * MEASURES][32];
  for (unsigned i = 0; i < NAMES; i++)
    cell[i] = key[i];
  for (unsigned m = 0; m < MEASURES; m++)
    for (unsigned k = 0; k < 3; k++) {
      static const char *const of[] = { "a", "b", "ratio" };
      snprintf (text[3 * m + k], sizeof text[0], "%s_%s", measure[m].key, of[k]);
      cell[NAMES + 3 * m + k] = text[3 * m + k];
    }
  sd_put_csv (csv, cell, NAMES + 3 * MEASURES);
  for (size_t i = 0; i < n; i++) {
    const sd_row *r = p[i].a;
    const char *const names[] = { SD_NAME_COLUMNS (NAME_TEXT) };
    memcpy (cell, names, sizeof names);
    for (unsigned m = 0; m < MEASURES; m++) {
      const double a = value (p[i].a, m), b = value (p[i].b, m), v[3] = { a, b, b / a };
      for (unsigned k = 0; k < 3; k++) {
        text[3 * m + k][0] = '\0';
        if (isfinite (v[k]) && v[k] > 0)
          snprintf (text[3 * m + k], sizeof text[0], "%.10g", v[k]);
      }
    }
    sd_put_csv (csv, cell, NAMES + 3 * MEASURES);
  }
}

/* The runs behind one store, and what should be known before its rows are compared. */
static int put_runs (sd_doc *d, const char *name, const store_rows *of, sd_error *err) {
  const sd_rowsums rows = { .row = of->row, .nrows = of->n };
  sd_buf warnings SD_RELEASED_BY (sd_buf_free) = { 0 };
  char title[40];
  snprintf (title, sizeof title, "Runs of %s", name);
  sd_doc_heading (d, 3, title);
  sd_runs_warn (&rows, of->run, of->nruns, &warnings);
  sd_doc_warnings (d, &warnings);
  return sd_report_run_table (d, of->row, of->n, of->run, of->nruns, err);
}

/* Both stores are one for the question whether all was made by the same program on the same machine. */
static int put_all_runs (sd_doc *d, const store_rows of[2], sd_error *err) {
  const size_t n = of[0].nruns + of[1].nruns;
  sd_provenance *run SD_OWNED = sd_alloc (n, sizeof *run);
  const sd_rowsums none = { .nrows = 0 };
  sd_buf warnings SD_RELEASED_BY (sd_buf_free) = { 0 };
  if (!run)
    return sd_fail_memory (err, n * sizeof *run);
  sd_doc_heading (d, 2, "The runs behind A and B");
  for (size_t i = 0; i < n; i++)
    run[i] = i < of[0].nruns ? of[0].run[i] : of[1].run[i - of[0].nruns];
  sd_runs_warn (&none, run, n, &warnings);
  if (warnings.len)
    sd_doc_para (d, "A and B together:");
  sd_doc_warnings (d, &warnings);
  for (unsigned i = 0; i < 2; i++)
    SD_TRY (put_runs (d, i ? "B" : "A", &of[i], err));
  return SD_OK;
}

static int write_all (const store_rows of[2], const char *const db[2], const char *dir,
                      sd_store_comparison *out, sd_error *err) {
  const size_t most = of[0].n < of[1].n ? of[0].n : of[1].n;
  pair *p = sd_alloc0 (most + 1, sizeof *p);
  sd_doc d = { .dir = dir };
  sd_buf csv = { 0 };
  if (!p)
    return sd_fail_memory (err, most * sizeof *p);
  const size_t n = join (of, p);
  *out = (sd_store_comparison){ .cells = n, .only = { of[0].n - n, of[1].n - n } };
  for (size_t i = 0; i < n; i++)
    out->differ += p[i].a->bytes != p[i].b->bytes;
  int status = n ? SD_OK : sd_fail (err, SD_ENOENT, "%s and %s have no cell in common", db[0], db[1]);
  if (status == SD_OK) {
    sd_doc_begin (&d, "Two sweeps compared");
    sd_doc_para (&d,
                 "A: %s, %zu rows. B: %s, %zu rows. Both have %zu cells; %zu are in A only, %zu in B only.",
                 db[0], of[0].n, db[1], of[1].n, n, of[0].n - n, of[1].n - n);
    sd_doc_para (&d, "B divided by A: the geometric mean over the cells, and the largest ratio.");
    put_measures (&d, p, n);
    put_differences (&d, p, n, out->differ);
    status = put_all_runs (&d, of, err);
    sd_doc_end (&d);
    put_csv (p, n, &csv);
  }
  if (status == SD_OK)
    status = sd_make_folder (dir, err);
  if (status == SD_OK)
    status = sd_write_file (dir, "compare.csv", &csv, err);
  if (status == SD_OK)
    status = sd_write_file (dir, "compare.md", &d.md, err);
  if (status == SD_OK)
    status = sd_write_file (dir, "compare.html", &d.html, err);
  sd_buf_free (&csv);
  sd_doc_free (&d);
  free (p);
  return status;
}

int sd_report_compare (const char *a, const char *b, const char *dir, sd_store_comparison *out,
                       sd_error *err) {
  const char *const db[2] = { a, b };
  store_rows of[2] = { { .n = 0 }, { .n = 0 } };
  int status = SD_OK;
  *out = (sd_store_comparison){ 0 };
  for (unsigned i = 0; i < 2 && status == SD_OK; i++)
    status = read_rows (db[i], &of[i], err);
  if (status == SD_OK)
    status = write_all (of, db, dir, out, err);
  for (unsigned i = 0; i < 2; i++) {
    free (of[i].row);
    sd_provenances_free (of[i].run, of[i].nruns);
  }
  return status;
}
