/* Statistics as functions of SQL: each collects the numbers of its group and lets GSL, or statistics.c,
 * compute when the group ends. Rows in which an argument is NULL or no number do not count, as with avg.
 * What cannot be told (a bound of two values, a slope of one point) is NULL. None depends on the order of the
 * rows, which SQL does not promise. Cost: 8 bytes a number, of SQLite's own memory, which has a bound
 * (query/query.c); O(n log n), robust_slope O(1) behind the sorting, as it looks at 300 points at most.
 *
 * query/query.c offers them to every query, and `man subdef-report` lists them for users. An error message
 * of SQLite reaches the user behind the file and line of the query. */
#include "config.h"
#include "experiments/statistics/statistics.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 }; /* columns of a regression */

/* The numbers of a group, row by row. SQLite gives all zeros at its first row, and `finish` frees what it
 * holds. */
typedef struct sample {
  double *v;
  uint64_t n, cap; /* numbers, not rows */
  unsigned width;  /* numbers of a row */
  char *label;     /* of the largest number */
  bool failed;     /* no memory */
} sample;

/* A row of the list at the end: `of` for an answer that is a number, or `put` for any other. */
typedef struct function {
  const char *name;
  int arguments;                               /* -1: 1 to MOST */
  double (*of) (sample *s);                    /* NaN: NULL */
  void (*put) (sqlite3_context *c, sample *s); /* in its place, where the answer is no number */
  bool labels;                                 /* the second argument is a text */
} function;

static size_t rows_of (const sample *s) {
  return s->width ? (size_t) s->n / s->width : 0;
}

/* --------------------------------------------------------------------- of one column */

static double median (sample *s) {
  return sd_stats_quantile (s->v, s->n, 0.5);
}

/* quantile (x, q): q is the same in all rows. */
static double quantile (sample *s) {
  const size_t n = rows_of (s);
  const double q = s->v[1];
  for (size_t i = 0; i < n; i++)
    s->v[i] = s->v[2 * i];
  return q >= 0 && q <= 1 ? sd_stats_quantile (s->v, n, q) : NAN;
}

static double deviation (sample *s) {
  return s->n > 1 ? gsl_stats_sd (s->v, 1, s->n) : NAN;
}

/* 1.4826 times the median of the absolute deviations from the median. For numbers that are normally
 * distributed that is their standard deviation; a few that lie far away hardly change it. */
static double robust_deviation (sample *s) {
  const double middle = median (s);
  for (size_t i = 0; i < s->n; i++)
    s->v[i] = fabs (s->v[i] - middle);
  return 1.4826 * median (s);
}

/* The logarithms of what is positive; ratios that were not measured are not. */
static void take_logarithms (sample *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->v[i] > 0)
      s->v[n++] = log (s->v[i]);
  s->n = n;
}

static double geomean (sample *s) {
  take_logarithms (s);
  return s->n ? exp (gsl_stats_mean (s->v, 1, s->n)) : NAN;
}

/* Bounds of the mean of the logarithms are, as powers of e, bounds of the geometric mean. which: 0 from
 * below, 1 from above. */
static double bound (sample *s, unsigned which) {
  double b[2];
  take_logarithms (s);
  sd_stats_mean_bounds (s->v, s->n, b);
  return exp (b[which]);
}

static double geomean_low (sample *s) {
  return bound (s, 0);
}

static double geomean_high (sample *s) {
  return bound (s, 1);
}

/* --------------------------------------------------------------------- of two columns */

/* Spearman's, of the two columns. NaN of fewer than three rows, where it would say nothing. */
static double rank_correlation (sample *s) {
  const size_t n = rows_of (s);
  double *v SD_OWNED = sd_alloc (n, 2 * sizeof *v);
  s->failed = !v;
  for (size_t i = 0; v && i < n; i++) {
    v[i] = s->v[2 * i];
    v[n + i] = s->v[2 * i + 1];
  }
  return v && n > 2 ? sd_stats_rank_correlation (v, v + n, n) : NAN;
}

/* A straight line by least squares: y = a + b x. */
typedef struct line {
  double a, b, explained; /* explained: the share of the variance, R^2 */
} line;

/* NaN in all of it: fewer than two points. Points of one height count as explained altogether. */
static line fit (const sample *s) {
  const size_t n = rows_of (s);
  double c00, c01, c11, rest;
  line l = { NAN, NAN, NAN };
  if (n < 2 || gsl_fit_linear (s->v, 2, s->v + 1, 2, n, &l.a, &l.b, &c00, &c01, &c11, &rest) != GSL_SUCCESS)
    return l;
  const double total = gsl_stats_tss (s->v + 1, 2, n);
  l.explained = total > 0 ? 1 - rest / total : 1;
  return l;
}

static double fit_intercept (sample *s) {
  return fit (s).a;
}

static double fit_slope (sample *s) {
  return fit (s).b;
}

static double fit_r2 (sample *s) {
  return fit (s).explained;
}

/* Points by rising x, of one x by rising y, so that those that are chosen do not depend on the order of the
 * rows. */
static int by_x (const void *a, const void *b) {
  const double *x = a, *y = b;
  return x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* The median of the slopes between two points (Theil 1950, Sen 1968), or between 300 among them. Of more
 * points these 300 are evenly spread over the sorted ones. Pairs with one x have no slope; where there are no
 * others it is 0. One point alone has none: NULL. */
static double robust_slope (sample *s) {
  enum { POINTS = 300 };
  const size_t n = rows_of (s), m = n < POINTS ? n : POINTS;
  double *slope SD_OWNED = n > 1 ? sd_alloc (m * (m - 1) / 2, sizeof *slope) : NULL;
  size_t k = 0;
  qsort (s->v, n, 2 * sizeof *s->v, by_x);
  for (size_t i = 0; slope && i < m; i++)
    for (size_t j = 0; j < i; j++) {
      const double *a = s->v + i * (n - 1) / (m - 1) * 2, *b = s->v + j * (n - 1) / (m - 1) * 2;
      if (a[0] != b[0])
        slope[k++] = (a[1] - b[1]) / (a[0] - b[0]);
    }
  return n < 2 ? NAN : k ? sd_stats_quantile (slope, k, 0.5) : 0;
}

/* ------------------------------------------------------------------- of many columns */

/* GSL gives no failure where numbers are too large; JSON has no word for what is not finite. */
static bool all_finite (const gsl_vector *b, double rest) {
  bool finite = isfinite (rest);
  for (size_t i = 0; i < b->size; i++)
    finite = finite && isfinite (gsl_vector_get (b, i));
  return finite;
}

/* regress (y, x1, x2, ...): y = constant + b1 x1 + b2 x2 + ... by least squares (QR with columns scaled), as
 * JSON, so that one aggregate answers for all coefficients: json_extract (regress (y, x1, x2),
 * '$.coefficients[0]'). Fewer rows than there are coefficients and one more give NULL. */
static void put_regression (sqlite3_context *c, sample *s) {
  const size_t n = rows_of (s), k = s->width;
  char json[100 + 32 * (MOST + 2)]; /* a number takes 24 characters at most */
  if (n < k + 1)
    return;

  gsl_matrix *x = gsl_matrix_alloc (n, k), *cov = gsl_matrix_alloc (k, k);
  gsl_vector *y = gsl_vector_alloc (n), *b = gsl_vector_alloc (k);
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc (n, k);
  double rest = 0;

  s->failed = !x || !cov || !y || !b || !w;
  for (size_t i = 0; x && y && i < n; i++) {
    gsl_vector_set (y, i, s->v[i * k]);
    gsl_matrix_set (x, i, 0, 1);
    for (size_t j = 1; j < k; j++)
      gsl_matrix_set (x, i, j, s->v[i * k + j]);
  }

  /* R^2 beside the coefficients, so that a query need not compute the residuals. */
  if (!s->failed && gsl_multifit_linear (x, y, b, cov, &rest, w) == GSL_SUCCESS && all_finite (b, rest)) {
    const double total = gsl_stats_tss (y->data, y->stride, n);
    size_t len =
        (size_t) snprintf (json, sizeof json, "{\"n\":%zu,\"r2\":%.17g,\"constant\":%.17g,\"coefficients\":[",
                           n, total > 0 ? 1 - rest / total : 1, gsl_vector_get (b, 0));
    for (size_t j = 1; j < k; j++)
      len += (size_t) snprintf (json + len, sizeof json - len, "%s%.17g", j > 1 ? "," : "",
                                gsl_vector_get (b, j));
    snprintf (json + len, sizeof json - len, "]}");
    sqlite3_result_text (c, json, -1, SQLITE_TRANSIENT);
  }

  gsl_multifit_linear_free (w);
  gsl_matrix_free (x);
  gsl_matrix_free (cov);
  gsl_vector_free (y);
  gsl_vector_free (b);
}

/* The label of the row with the largest number, of equal ones that of the first label. */
static void put_label (sqlite3_context *c, sample *s) {
  if (s->label)
    sqlite3_result_text (c, s->label, -1, SQLITE_TRANSIENT);
}

/* ------------------------------------------------------------------------- the list */

static const function functions[] = {
  { "median", 1, median, NULL, false },
  { "quantile", 2, quantile, NULL, false },
  { "sd", 1, deviation, NULL, false },
  { "robust_deviation", 1, robust_deviation, NULL, false },
  { "geomean", 1, geomean, NULL, false },
  { "geomean_low", 1, geomean_low, NULL, false },
  { "geomean_high", 1, geomean_high, NULL, false },
  { "rank_correlation", 2, rank_correlation, NULL, false },
  { "fit_intercept", 2, fit_intercept, NULL, false },
  { "fit_slope", 2, fit_slope, NULL, false },
  { "fit_r2", 2, fit_r2, NULL, false },
  { "robust_slope", 2, robust_slope, NULL, false },
  { "regress", -1, NULL, put_regression, false },
  { "at_most", 2, NULL, put_label, true },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_number (sqlite3_value *v) {
  const int type = sqlite3_value_numeric_type (v);
  return type == SQLITE_INTEGER || (type == SQLITE_FLOAT && isfinite (sqlite3_value_double (v)));
}

/* Keeps the label of the largest number, which stands first. */
static void step_label (sample *s, sqlite3_value **argv) {
  const double v = sqlite3_value_double (argv[0]);
  const char *label = (const char *) sqlite3_value_text (argv[1]);
  if (s->label && (v < s->v[0] || (!(v > s->v[0]) && strcmp (label ? label : "", s->label) >= 0)))
    return;
  sqlite3_free (s->label);
  s->label = sqlite3_mprintf ("%s", label ? label : "");
  s->v[0] = v;
  s->failed = s->failed || !s->label;
}

/* Room for so many numbers more. By SQLite's allocator, whose bound holds for all that a query takes. */
static bool grow (sample *s, unsigned more) {
  if (s->n + more <= s->cap)
    return true;
  const uint64_t cap = 2 * s->cap + more + 16;
  double *v = sqlite3_realloc64 (s->v, cap * sizeof *v);
  if (!v)
    return false;
  s->v = v;
  s->cap = cap;
  return true;
}

/* A row of a group, for each of the functions. A row in which something is NULL or no number is passed
 * over. */
static void step (sqlite3_context *c, int argc, sqlite3_value **argv) {
  const function *f = sqlite3_user_data (c);
  sample *s = sqlite3_aggregate_context (c, sizeof *s);
  const unsigned width = f->labels ? 1 : (unsigned) argc;

  if (!s || s->failed)
    return;
  s->width = width;
  if (width < 1 || width > MOST)
    return;

  for (unsigned i = 0; i < width; i++)
    if (!is_number (argv[i]))
      return;

  s->failed = !grow (s, width);
  if (s->failed)
    return;
  if (f->labels)
    step_label (s, argv);
  for (unsigned i = 0; i < width && !f->labels; i++)
    s->v[s->n++] = sqlite3_value_double (argv[i]);
}

/* The end of a group. Without a call of a sqlite3_result function the answer is NULL; a group without rows
 * has no sample. */
static void finish (sqlite3_context *c) {
  const function *f = sqlite3_user_data (c);
  sample *s = sqlite3_aggregate_context (c, 0);
  if (!s)
    return;

  if (f->put && !s->failed)
    f->put (c, s);
  else if (s->n && !s->failed) {
    const double v = f->of (s);
    if (isfinite (v))
      sqlite3_result_double (c, v);
  }

  if (s->failed)
    sqlite3_result_error_nomem (c);
  else if (f->arguments < 0 && (s->width < 1 || s->width > MOST))
    sqlite3_result_error (c, "a regression takes 1 to 12 columns", -1);
  sqlite3_free (s->v);
  sqlite3_free (s->label);
}

bool sd_stats_offer (bool (*take) (void *to, const sd_sql_function *f), void *to) {
  bool all = true;
  for (unsigned i = 0; i < FUNCTIONS && all; i++)
    all = take (to, &(sd_sql_function){ functions[i].name, functions[i].arguments, (void *) &functions[i],
                                        .step = step, .finish = finish });
  return all;
}
