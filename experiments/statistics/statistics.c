/* Statistics of samples with GSL: quantiles (linear between order statistics), bounds of a median by
 * the bootstrap (Efron 1979; of groups in two levels: Davison, Hinkley 1997, 3.8) and Spearman's rank
 * correlation. Cost: O(n log n), for bounds n times the number of groups.
 *
 * A bound from the bootstrap is where 95 % of the medians (or means) of samples lie that are drawn anew
 * from the sample that there is. The runner asks for those of times that it took, with the seed of the
 * sweep; queries ask for those of ratios over tables. */
#include "config.h"
#include "experiments/statistics/statistics.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double sd_stats_quantile (double *v, size_t n, double q) {
  if (n == 0)
    return NAN;
  gsl_sort (v, 1, n);
  return gsl_stats_quantile_from_sorted_data (v, 1, n, q);
}

/* Values of all groups, sorted, and for each place and group how many of the group's values stand up to
 * there. */
typedef struct pooled {
  double *v;
  uint32_t *upto; /* [place * groups + group] */
  size_t n, groups;
} pooled;

/* Merge sorted groups. end[g] is behind the last value of group g. False: no memory; the caller frees what
 * there is. */
static bool pool (const double *v, const size_t *end, size_t groups, pooled *out) {
  const size_t n = end[groups - 1];
  size_t at[SD_MOST_GROUPS];
  *out = (pooled){ sd_alloc (n, sizeof *out->v), sd_alloc (n, groups * sizeof *out->upto), n, groups };
  if (!out->v || !out->upto)
    return false;

  for (size_t g = 0; g < groups; g++)
    at[g] = g ? end[g - 1] : 0;

  /* There are few groups (SD_MOST_GROUPS), so all of them are looked at for each value. */
  for (size_t i = 0; i < n; i++) {
    size_t least = groups;
    for (size_t g = 0; g < groups; g++)
      if (at[g] < end[g] && (least == groups || v[at[g]] < v[at[least]]))
        least = g;
    out->v[i] = v[at[least]++];
    for (size_t g = 0; g < groups; g++)
      out->upto[i * groups + g] = (uint32_t) (at[g] - (g ? end[g - 1] : 0));
  }
  return true;
}

/* The value at the place u, from 0 to 1, of the groups that were drawn, `times` each: m values. `upto` makes
 * it a search of log2 n steps, which no sample that is made would be. */
static double value_at (const pooled *p, const unsigned *times, double m, double u) {
  size_t low = 0, high = p->n - 1;
  while (low < high) { /* the first place up to which more than u * m of them stand */
    const size_t middle = low + (high - low) / 2;
    double upto = 0;
    for (size_t g = 0; g < p->groups; g++)
      upto += (double) times[g] * p->upto[middle * p->groups + g];
    if (upto > u * m)
      high = middle;
    else
      low = middle + 1;
  }
  return p->v[low];
}

/* The place, from 0 to 1, that the k-th smallest of m uniform numbers takes: so a sample drawn anew from m
 * values need not be made to know its median, only the one or two numbers in its middle. n: values that were
 * drawn. Of an even number the median is the mean of two; the second one is drawn among the numbers above the
 * first. */
static double median_drawn (const gsl_rng *g, const pooled *p, const unsigned *times, size_t n) {
  const double k = (double) ((n + 1) / 2), m = (double) n;
  const double u = gsl_ran_beta (g, k, m + 1 - k);
  const double low = value_at (p, times, m, u);
  if (n % 2)
    return low;
  const double next = u + (1 - u) * (1 - pow (gsl_rng_uniform_pos (g), 1 / (m - k)));
  return (low + value_at (p, times, m, next)) / 2;
}

/* As many groups are drawn as there are, with repetition, and of these as many values as they have. A draw
 * may be of groups without a value; it then counts as the least value. */
static void draw_medians (const gsl_rng *g, const pooled *p, const size_t *end, double *median,
                          size_t draws) {
  for (size_t i = 0; i < draws; i++) {
    unsigned times[SD_MOST_GROUPS] = { 0 };
    size_t n = 0;
    for (size_t k = 0; k < p->groups; k++) {
      const size_t drawn = p->groups > 1 ? gsl_rng_uniform_int (g, p->groups) : 0;
      times[drawn]++;
      n += end[drawn] - (drawn ? end[drawn - 1] : 0);
    }
    median[i] = n ? median_drawn (g, p, times, n) : p->v[0];
  }
}

void sd_stats_median_bounds (const double *v, const size_t *end, size_t groups, uint64_t seed,
                             double bound[2]) {
  double median[2000];
  const size_t draws = sizeof median / sizeof *median; /* more than enough for two figures of a bound */
  pooled p = { NULL, NULL, 0, 0 };
  bound[0] = bound[1] = NAN;
  if (groups == 0 || groups > SD_MOST_GROUPS || end[groups - 1] == 0)
    return;

  gsl_rng *g = gsl_rng_alloc (gsl_rng_mt19937);
  if (g && pool (v, end, groups, &p)) {
    gsl_rng_set (g, (unsigned long) seed);
    draw_medians (g, &p, end, median, draws);
    bound[0] = sd_stats_quantile (median, draws, 0.025);
    bound[1] = sd_stats_quantile (median, draws, 0.975);
  }

  if (g)
    gsl_rng_free (g);
  free (p.v);
  free (p.upto);
}

/* No memory, too, gives 0: the figure is one of many in a table, and none that decides anything. */
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

void sd_stats_mean_bounds (double *v, size_t n, double bound[2]) {
  enum { DRAWS = 1000, FEWEST = 3 };
  double mean[DRAWS];
  gsl_rng *g = n >= FEWEST ? gsl_rng_alloc (gsl_rng_mt19937) : NULL;
  bound[0] = bound[1] = NAN;
  if (!g)
    return;

  /* Sorted, so that the same values in another order, as SQL may give them, have the same bounds. */
  gsl_sort (v, 1, n);
  gsl_rng_set (g, 1);
  for (unsigned d = 0; d < DRAWS; d++) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
      sum += v[gsl_rng_uniform_int (g, n)];
    mean[d] = sum / (double) n;
  }

  gsl_rng_free (g);
  bound[0] = sd_stats_quantile (mean, DRAWS, 0.025);
  bound[1] = sd_stats_quantile (mean, DRAWS, 0.975);
}
