/* Access time against block size: a straight line for each codec (Zakharov 2015, 1.2: the time is linear in
 * the block size down to some 20 kB), by least squares, with what it leaves unexplained. And outliers: cells
 * that lie more than three robust standard deviations (1.4826 times the median of the absolute deviations)
 * beside the robust line of their codec (the median of the slopes between two points, Theil 1950, Sen 1968),
 * or beside the median of the ratios that their codec has over the tables. Cost: O(n log n) for n lines, and
 * quadratic in the block sizes of a line, up to MOST_POINTS of them. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_BLOCKS = 4, FEWEST_OF_OUTLIERS = 6, MOST_POINTS = 300 };

/* ---------------------------------------------------------------------- curves */

static bool is_timed (const sd_rowsums *all, const sd_rowsum *l) {
  return l->row->block && l->get_ns > 0 && l->nsides == all->subject[l->subject].sides;
}

static bool one_curve (const sd_rowsum *a, const sd_rowsum *b) {
  return a->subject == b->subject && a->like[SD_ONE_KIND] == b->like[SD_ONE_KIND];
}

/* All lines with blocks that were timed, by kind and block, one for each block; NULL: no memory. */
static const sd_rowsum **timed_lines (const sd_rowsums *all, size_t *n) {
  const sd_rowsum **line = sd_alloc (all->n, sizeof *line);
  size_t found = 0;
  *n = 0;
  for (size_t i = 0; line && i < all->n; i++)
    if (is_timed (all, &all->line[i]))
      line[found++] = &all->line[i];
  if (line)
    qsort (line, found, sizeof *line, sd_rowsum_by_kind);
  for (size_t i = 0; i < found; i++)
    if (!*n || !one_curve (line[*n - 1], line[i]) || line[*n - 1]->row->block != line[i]->row->block)
      line[(*n)++] = line[i];
  return line;
}

/* For each curve of enough blocks. */
typedef void (*each_curve) (void *ctx, const sd_rowsum *const *line, size_t n, double *work);

static int walk_curves (const sd_rowsums *all, each_curve each, void *ctx, sd_error *err) {
  size_t n;
  const sd_rowsum **line SD_OWNED = timed_lines (all, &n);
  double *work SD_OWNED = sd_alloc (all->n, 3 * sizeof *work);
  if (!line || !work)
    return sd_fail_memory (err, all->n * sizeof *work);
  for (size_t i = 0, to; i < n; i = to) {
    for (to = i + 1; to < n && one_curve (line[i], line[to]);)
      to++;
    if (to - i < FEWEST_BLOCKS)
      continue;
    for (size_t k = i; k < to; k++) {
      work[k - i] = (double) line[k]->row->block;
      work[to - i + k - i] = line[k]->get_ns;
    }
    each (ctx, line + i, to - i, work);
  }
  return SD_OK;
}

/* ------------------------------------------------------------------------ fits */

int sd_line_fit (const double *x, const double *y, size_t n, sd_fit *out) {
  double c00, c01, c11, rest;
  const double total = gsl_stats_tss (y, 1, n);
  *out = (sd_fit){ .n = n };
  if (gsl_fit_linear (x, 1, y, 1, n, &out->intercept, &out->slope, &c00, &c01, &c11, &rest) != 0)
    return SD_EINVAL;
  out->explained = total > 0 ? 1 - rest / total : 1;
  for (size_t i = 0; i < n; i++) {
    const double residual = y[i] - out->intercept - out->slope * x[i];
    if (fabs (residual) > fabs (out->residual) || i == 0) {
      out->residual = residual;
      out->at = i;
    }
  }
  return SD_OK;
}

typedef struct page {
  sd_doc *d;
  const sd_rowsums *all;
  sd_buf *csv;
} page;

/* "+1.20 us". */
static void put_signed (double ns, char *out, size_t cap) {
  char text[32];
  snprintf (out, cap, "%s%s", ns < 0 ? "-" : "+", sd_text_ns (fabs (ns) >= 0.5 ? fabs (ns) : 0.5, text));
}

static void begin_fits (const page *p) {
  static const char *const head[] = { "table",    "codec", "free slots",       "blocks",   "ns a KiB",
                                      "constant", "R^2",   "largest residual", "its block" },
                           *const key[] = { "table",       "metric",        "coding",      "codec",
                                            "settings",    "freedom",       "blocks",      "from",
                                            "to",          "ns_per_byte",   "constant_ns", "r_squared",
                                            "residual_ns", "residual_block" };
  sd_put_csv (p->csv, key, 14);
  sd_doc_heading (p->d, 3, "Time against block size");
  sd_doc_para (
      p->d,
      "The median time of one slot as a straight line over the bytes of a block (least squares), for each "
      "codec that was timed with at least %d block sizes. R^2: the share of the differences that the line "
      "explains. The largest residual: measured, less what the line says.",
      FEWEST_BLOCKS);
  sd_doc_table (p->d, "lllrrrrrr", head);
}

static void put_fit (void *ctx, const sd_rowsum *const *line, size_t n, double *work) {
  const page *p = ctx;
  const sd_row *r = line[0]->row;
  sd_fit f;
  char codec[SD_SETTINGS_TEXT + 40], count[24], text[8][48], constant[40], residual[40];
  if (sd_line_fit (work, work + n, n, &f) != SD_OK)
    return;
  if (!p->csv->len)
    begin_fits (p);
  snprintf (codec, sizeof codec, "%s%s", r->codec, line[0]->shown);
  snprintf (count, sizeof count, "%zu", n);
  snprintf (text[0], sizeof text[0], "%.4g", f.slope * 1024);
  snprintf (text[1], sizeof text[1], "%.4f", f.explained);
  snprintf (text[2], sizeof text[2], "%llu", (unsigned long long) line[f.at]->row->block);
  snprintf (text[3], sizeof text[3], "%llu", (unsigned long long) r->block);
  snprintf (text[4], sizeof text[4], "%llu", (unsigned long long) line[n - 1]->row->block);
  snprintf (text[5], sizeof text[5], "%.6g", f.slope);
  snprintf (text[6], sizeof text[6], "%.1f", f.intercept);
  snprintf (text[7], sizeof text[7], "%.1f", f.residual);
  put_signed (f.intercept, constant, sizeof constant);
  put_signed (f.residual, residual, sizeof residual);
  sd_doc_row (p->d,
              (const char *[]){ p->all->subject[line[0]->subject].title, codec, sd_rowsum_freedom (line[0]),
                                count, text[0], constant, text[1], residual, text[2] },
              false);
  sd_put_csv (p->csv,
              (const char *[]){ r->table, r->metric, r->coding, r->codec, r->settings, r->freedom, count,
                                text[3], text[4], text[5], text[6], text[1], text[7], text[2] },
              14);
}

int sd_report_fits (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  page p = { d, all, csv };
  SD_TRY (walk_curves (all, put_fit, &p, err));
  if (csv->len)
    sd_doc_table_end (d);
  return SD_OK;
}

/* -------------------------------------------------------------------- outliers */

static double median (double *v, size_t n) {
  gsl_sort (v, 1, n);
  return gsl_stats_median_from_sorted_data (v, 1, n);
}

double sd_robust_deviation (double *v, size_t n, double *middle) {
  *middle = median (v, n);
  for (size_t i = 0; i < n; i++)
    v[i] = fabs (v[i] - *middle);
  return 1.4826 * median (v, n);
}

/* The median of the slopes between two of the points, or of MOST_POINTS among them. */
static double robust_slope (const double *x, const double *y, size_t n) {
  const size_t m = n < MOST_POINTS ? n : MOST_POINTS;
  double *slope SD_OWNED = sd_alloc (m * (m - 1) / 2, sizeof *slope);
  size_t k = 0;
  for (size_t i = 0; slope && i < m; i++)
    for (size_t j = 0; j < i; j++) {
      const size_t a = i * (n - 1) / (m - 1), b = j * (n - 1) / (m - 1);
      if (x[a] != x[b])
        slope[k++] = (y[a] - y[b]) / (x[a] - x[b]);
    }
  return k ? median (slope, k) : 0;
}

static void put_outlier (const page *p, const sd_rowsum *l, const char *what, const double value[3]) {
  static const char *const head[] = { "table",    "codec",    "free slots", "what",
                                      "measured", "expected", "deviations" },
                           *const key[] = { "group",    "table",    "metric",    "coding",
                                            "codec",    "settings", "freedom",   "what",
                                            "measured", "expected", "deviations" };
  const sd_row *r = l->row;
  char codec[SD_SETTINGS_TEXT + 60], text[3][32];
  if (!p->csv->len) {
    sd_put_csv (p->csv, key, 11);
    sd_doc_heading (p->d, 3, "Outliers");
    sd_doc_para (
        p->d,
        "Lines more than three robust standard deviations (of at least 2 %% of the value) beside the others of their codec: "
        "their time (ns) beside the line over block sizes, or their ratio to the baseline beside the median "
        "over the tables. Fewer than %d points tell nothing.",
        FEWEST_OF_OUTLIERS);
    sd_doc_table (p->d, "llllrrr", head);
  }
  sd_rowsum_label (l, codec, sizeof codec);
  for (unsigned i = 0; i < 3; i++)
    snprintf (text[i], sizeof text[i], i == 2 ? "%+.1f" : "%.4g", value[i]);
  sd_doc_row (p->d,
              (const char *[]){ p->all->subject[l->subject].title, codec, sd_rowsum_freedom (l), what,
                                text[0], text[1], text[2] },
              false);
  sd_put_csv (p->csv,
              (const char *[]){ r->group, r->table, r->metric, r->coding, r->codec, r->settings, r->freedom,
                                what, text[0], text[1], text[2] },
              11);
}

/* Deviations of less than this share of the value are the clock's, or nobody's business. */
#define LEAST_DEVIATION 0.02

static double at_least (double deviation, double size) {
  return deviation > LEAST_DEVIATION * fabs (size) ? deviation : LEAST_DEVIATION * fabs (size);
}

static void put_slow (void *ctx, const sd_rowsum *const *line, size_t n, double *work) {
  double *rest = work + 2 * n, middle;
  const double *x = work, *y = work + n;
  if (n < FEWEST_OF_OUTLIERS)
    return;
  const double slope = robust_slope (x, y, n);
  for (size_t i = 0; i < n; i++)
    rest[i] = y[i] - slope * x[i];
  const double deviation = sd_robust_deviation (rest, n, &middle);
  for (size_t i = 0; i < n; i++) {
    const double expected = middle + slope * x[i],
                 beside = (y[i] - expected) / at_least (deviation, expected);
    if (fabs (beside) > 3)
      put_outlier (ctx, line[i], "time over block sizes", (double[]){ y[i], expected, beside });
  }
}

/* The logarithm of a line's ratio to its baseline, of bytes or of times; NaN: not measured. */
static double log_ratio (const sd_rowsum *l, bool time) {
  return time ? log (l->get_ns / l->plain->ns) : log ((double) l->best / (double) l->plain_bytes);
}

static void put_odd_tables (const page *p, const sd_rowsum *const *line, size_t n, bool time, double *work) {
  double middle;
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    const double v = log_ratio (line[i], time);
    if (isfinite (v))
      work[m++] = v;
  }
  if (m < FEWEST_OF_OUTLIERS)
    return;
  const double deviation = sd_robust_deviation (work, m, &middle);
  for (size_t i = 0; i < n; i++) {
    const double v = log_ratio (line[i], time), beside = (v - middle) / at_least (deviation, 1);
    if (fabs (beside) > 3)
      put_outlier (p, line[i], time ? "time by the baseline's" : "bytes by the baseline's",
                   (double[]){ exp (v), exp (middle), beside });
  }
}

int sd_report_outliers (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  page p = { d, all, csv };
  sd_choices c SD_RELEASED_BY (sd_choices_free) = { .n = 0 };
  double *work SD_OWNED = sd_alloc (all->nsubjects, sizeof *work);
  if (!work)
    return sd_fail_memory (err, all->nsubjects * sizeof *work);
  SD_TRY (walk_curves (all, put_slow, &p, err));
  SD_TRY (sd_choices_make (all, &c, err));
  for (size_t i = 0, to; i < c.n; i = to) {
    to = sd_choices_end (&c, i);
    for (unsigned time = 0; time < 2; time++)
      put_odd_tables (&p, c.line + i, to - i, time, work);
  }
  if (csv->len)
    sd_doc_table_end (d);
  return SD_OK;
}
