/* What freedom gains against how much of it there is (Zakharov 2015, 1.8, 1.9: captures free slots or bound
 * them, n-up and n-down). Two lines of one table in the same coding, codec and settings that differ in their
 * freedom give a point: the share of the slots that the greater freedom makes subdefinite besides, and the
 * share of the bytes that this saves. Over at least FEWEST tables the points make a straight line by least
 * squares, with what it leaves unexplained. Cost: O(n log n) for n lines, and quadratic in the freedoms of
 * one table and coding. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 6 };

typedef struct point {
  const sd_rowsum *less, *more;
  double share, saved; /* of the slots, of the bytes */
} point;
typedef struct points {
  point *at;
  uint64_t n, cap;
} points;

/* ---------------------------------------------------------------------- points */

/* By metric, codec and settings. */
static int compare_codecs (const sd_row *a, const sd_row *b) {
  int c = strcmp (a->metric, b->metric);
  c = c ? c : strcmp (a->coding, b->coding);
  c = c ? c : strcmp (a->sides, b->sides);
  c = c ? c : strcmp (a->codec, b->codec);
  return c ? c : strcmp (a->settings, b->settings);
}

/* By codec, of these by table, of a table by freedom, of a freedom the smallest first. */
static int by_kind (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  int c = compare_codecs (x->row, y->row);
  c = c ? c : (x->subject > y->subject) - (x->subject < y->subject);
  c = c ? c : strcmp (x->row->freedom, y->row->freedom);
  c = c ? c : (x->best > y->best) - (x->best < y->best);
  return c ? c : (x > y) - (x < y);
}

static bool same_but_freedom (const sd_rowsum *a, const sd_rowsum *b) {
  return a->subject == b->subject && compare_codecs (a->row, b->row) == 0;
}

/* Does `more` have all sources of freedom that `less` has, and others? */
static bool is_freer (const sd_rowsum *less, const sd_rowsum *more) {
  unsigned a, b;
  return sd_freedom_parse (less->row->freedom, &a, NULL) == SD_OK
         && sd_freedom_parse (more->row->freedom, &b, NULL) == SD_OK && a != b && (a & ~b) == 0;
}

static double free_share (const sd_rowsum *l) {
  return sd_rowsum_of (l, SD_SUM, offsetof (sd_row, free_slots), true) / (double) l->slots;
}

/* Of lines that differ in freedom only the smallest of each freedom stay. */
static int add_points (const sd_rowsum **line, size_t lines, points *out, sd_error *err) {
  size_t n = 0;
  for (size_t i = 0; i < lines; i++)
    if (!n || strcmp (line[n - 1]->row->freedom, line[i]->row->freedom))
      line[n++] = line[i];
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      const sd_rowsum *less = line[i], *more = line[k];
      if (!less->best || !is_freer (less, more))
        continue;
      if (!sd_grow (&out->at, &out->cap, out->n + 1))
        return sd_fail_memory (err, 0);
      out->at[out->n++] = (point){ less, more, free_share (more) - free_share (less),
                                   1 - (double) more->best / (double) less->best };
    }
  return SD_OK;
}

static int compare_lines (const point *a, const point *b) {
  int c = compare_codecs (a->less->row, b->less->row);
  c = c ? c : strcmp (a->less->row->freedom, b->less->row->freedom);
  return c ? c : strcmp (a->more->row->freedom, b->more->row->freedom);
}

/* By codec and both freedoms, so that the points of a line follow each other; of a line by table. */
static int by_line (const void *a, const void *b) {
  const point *x = a, *y = b;
  const int c = compare_lines (x, y);
  return c ? c : (x->less->subject > y->less->subject) - (x->less->subject < y->less->subject);
}

static int collect (const sd_rowsums *all, points *out, sd_error *err) {
  const sd_rowsum **line SD_OWNED = sd_alloc (all->n, sizeof *line);
  size_t n = 0;
  if (!line)
    return sd_fail_memory (err, all->n * sizeof *line);
  for (size_t i = 0; i < all->n; i++)
    if (all->line[i].nsides == all->subject[all->line[i].subject].sides)
      line[n++] = &all->line[i];
  qsort (line, n, sizeof *line, by_kind);
  for (size_t i = 0, to; i < n; i = to) {
    for (to = i + 1; to < n && same_but_freedom (line[i], line[to]);)
      to++;
    SD_TRY (add_points (line + i, to - i, out, err));
  }
  if (out->n)
    qsort (out->at, out->n, sizeof *out->at, by_line);
  return SD_OK;
}

/* ----------------------------------------------------------------------- page */

static void begin (sd_doc *d, sd_buf *csv) {
  static const char *const head[] = { "metric",     "codec", "freedom", "against",          "tables",
                                      "at no slot", "slope", "R^2",     "largest residual", "its table" },
                           *const key[] = { "metric",  "coding",    "codec",    "settings",
                                            "freedom", "against",   "tables",   "intercept",
                                            "slope",   "r_squared", "residual", "residual_table" };
  sd_put_csv (csv, key, sizeof key / sizeof *key);
  sd_doc_heading (d, 3, "Gain of freedom against the share of subdefinite slots");
  sd_doc_para (
      d,
      "A point for each table: the share of all slots that the freedom makes subdefinite besides those of "
      "the other one, and the share of the bytes that this saves. The line through the points of at "
      "least %d tables (least squares): what it says where no slot is added, and its slope. The largest "
      "residual: measured, less what the line says.",
      FEWEST);
  sd_doc_table (d, "llllrrrrrl", head);
}

static void put_line (sd_doc *d, const sd_rowsums *all, const point *at, size_t n, double *work,
                      sd_buf *csv) {
  const sd_row *less = at->less->row, *more = at->more->row;
  char number[6][32], codec[SD_SETTINGS_TEXT + 40];
  bool spread = false;
  sd_fit f;
  for (size_t i = 0; i < n; i++) {
    work[i] = at[i].share;
    work[n + i] = at[i].saved;
    spread |= fabs (at[i].share - at->share) > 1e-6;
  }
  if (!spread || sd_line_fit (work, work + n, n, &f) != SD_OK)
    return;
  if (!csv->len)
    begin (d, csv);
  snprintf (codec, sizeof codec, "%s%s", less->codec, at->less->shown);
  snprintf (number[0], sizeof *number, "%zu", n);
  snprintf (number[1], sizeof *number, "%.4f", f.intercept);
  snprintf (number[2], sizeof *number, "%.4f", f.slope);
  snprintf (number[3], sizeof *number, "%.4f", f.explained);
  snprintf (number[4], sizeof *number, "%+.4f", f.residual);
  const char *odd = all->subject[at[f.at].less->subject].table;
  sd_doc_row (d,
              (const char *[]){ sd_metric_title (less->metric), codec, more->freedom, less->freedom,
                                number[0], number[1], number[2], number[3], number[4], odd },
              false);
  sd_put_csv (csv,
              (const char *[]){ less->metric, less->coding, less->codec, less->settings, more->freedom,
                                less->freedom, number[0], number[1], number[2], number[3], number[4], odd },
              12);
}

int sd_report_gains (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  points p = { NULL, 0, 0 };
  int status = collect (all, &p, err);
  double *work SD_OWNED = sd_alloc (p.n, 2 * sizeof *work);
  if (status == SD_OK && !work)
    status = sd_fail_memory (err, p.n * 2 * sizeof *work);
  for (size_t i = 0, to; status == SD_OK && i < p.n; i = to) {
    for (to = i + 1; to < p.n && compare_lines (&p.at[i], &p.at[to]) == 0;)
      to++;
    if (to - i >= FEWEST)
      put_line (d, all, p.at + i, to - i, work, csv);
  }
  if (csv->len)
    sd_doc_table_end (d);
  free (p.at);
  return status;
}
