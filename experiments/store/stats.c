/* Statistics of samples with GSL: moments, quantiles (linear between order statistics) and Spearman's rank
 * correlation. Cost: O(n log n). */
#include "config.h"
#include "experiments/store/store.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sd_stats_of (double *v, size_t n, sd_stats *out) {
  memset (out, 0, sizeof *out);
  out->n = n;
  if (n == 0)
    return;
  gsl_sort (v, 1, n);
  out->min = v[0];
  out->max = v[n - 1];
  out->mean = gsl_stats_mean (v, 1, n);
  out->sd = n > 1 ? gsl_stats_sd_m (v, 1, n, out->mean) : 0;
  out->q05 = gsl_stats_quantile_from_sorted_data (v, 1, n, 0.05);
  out->q25 = gsl_stats_quantile_from_sorted_data (v, 1, n, 0.25);
  out->median = gsl_stats_quantile_from_sorted_data (v, 1, n, 0.5);
  out->q75 = gsl_stats_quantile_from_sorted_data (v, 1, n, 0.75);
  out->q95 = gsl_stats_quantile_from_sorted_data (v, 1, n, 0.95);
  out->q99 = gsl_stats_quantile_from_sorted_data (v, 1, n, 0.99);
}

double sd_stats_rank_correlation (const double *a, const double *b, size_t n) {
  if (n < 3)
    return 0;
  double *work = sd_alloc (n, 2 * sizeof *work);
  if (!work)
    return 0;
  double r = gsl_stats_spearman (a, 1, b, 1, n, work);
  free (work);
  return isfinite (r) ? r : 0;
}
