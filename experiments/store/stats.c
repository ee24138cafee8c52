/* Statistics of samples with GSL: moments, quantiles (linear between order statistics), bounds of a median by
 * the bootstrap (Efron 1979) and Spearman's rank correlation. Cost: O(n log n). */
#include "config.h"
#include "experiments/store/store.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
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

/* The place, from 0 to 1, that the k-th smallest of n uniform numbers takes: so a sample drawn anew from n
 * values need not be made to know its median, only the one or two numbers in its middle. */
static double median_drawn (const gsl_rng *g, const double *v, size_t n) {
  const double k = (double) ((n + 1) / 2), m = (double) n;
  const double u = gsl_ran_beta (g, k, m + 1 - k);
  const double low = v[u < 1 ? (size_t) (u * m) : n - 1];
  if (n % 2)
    return low;
  const double next = u + (1 - u) * (1 - pow (gsl_rng_uniform_pos (g), 1 / (m - k)));
  return (low + v[next < 1 ? (size_t) (next * m) : n - 1]) / 2;
}

void sd_stats_median_bounds (const double *v, size_t n, uint64_t seed, double bound[2]) {
  double median[2000];
  const size_t draws = sizeof median / sizeof *median;
  gsl_rng *g = n ? gsl_rng_alloc (gsl_rng_mt19937) : NULL;
  bound[0] = bound[1] = NAN;
  if (!g)
    return;
  gsl_rng_set (g, (unsigned long) seed);
  for (size_t i = 0; i < draws; i++)
    median[i] = median_drawn (g, v, n);
  gsl_rng_free (g);
  gsl_sort (median, 1, draws);
  bound[0] = gsl_stats_quantile_from_sorted_data (median, 1, draws, 0.025);
  bound[1] = gsl_stats_quantile_from_sorted_data (median, 1, draws, 0.975);
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
