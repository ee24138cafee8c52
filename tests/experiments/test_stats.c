/* Statistics of times, and numbers as texts. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include "experiments/report/report_internal.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

Test (stats, quantiles_are_the_known_ones) {
  double v[] = { 40, 10, 20, 50, 30 };
  cr_expect_eq (sd_stats_quantile (v, 5, 0), 10);
  cr_expect_eq (sd_stats_quantile (v, 5, 0.25), 20);
  cr_expect_eq (sd_stats_quantile (v, 5, 0.5), 30);
  cr_expect_float_eq (sd_stats_quantile (v, 5, 0.95), 48, 1e-9);
  cr_expect_eq (sd_stats_quantile (v, 1, 0.99), 10);
  cr_expect (isnan (sd_stats_quantile (NULL, 0, 0.5)));
}

static void bounds_of_one_group (const double *v, size_t n, double bound[2]) {
  sd_stats_median_bounds (v, &n, 1, 7, bound);
}

Test (stats, bounds_of_a_median_hold_it_repeat_and_shrink) {
  double v[1001], wide[2], again[2], few[2];
  for (unsigned i = 0; i < 1001; i++)
    v[i] = i;
  bounds_of_one_group (v, 1001, wide);
  bounds_of_one_group (v, 1001, again);
  cr_expect (wide[0] == again[0] && wide[1] == again[1], "the same seed, the same bounds");
  /* 500 -+ 1.96 sqrt (n) / 2 places */
  cr_expect_float_eq (wide[0], 469, 4);
  cr_expect_float_eq (wide[1], 531, 4);
  bounds_of_one_group (v, 11, few);
  cr_expect (few[0] < 5 && few[1] > 5 && few[1] - few[0] > 3, "%g to %g", few[0], few[1]);
  bounds_of_one_group (v, 2, few);
  cr_expect (few[0] == 0 && few[1] == 1, "two values: %g to %g", few[0], few[1]);
  bounds_of_one_group (v, 1, few);
  cr_expect (few[0] == 0 && few[1] == 0);
  bounds_of_one_group (v, 0, few);
  cr_expect (isnan (few[0]) && isnan (few[1]));
}

Test (stats, repeats_are_told_apart_by_their_medians) {
  sd_calls c = { .n = 6, .repeats = 3, .end = { 2, 4, 6 } };
  double ns[] = { 10, 10, 30, 30, 20, 20 };
  sd_row row;
  memset (&row, 0, sizeof row);
  c.ns = ns;
  sd_times_note (&c, 1,
                 (sd_spread_to){ &row.get_ns, &row.get_low_ns, &row.get_high_ns, &row.get_samples,
                                 &row.get_p99_ns, &row.get_scatter });
  cr_expect_eq (row.get_ns, 20);
  cr_expect_eq (row.get_scatter, 3);
  cr_expect_eq (row.get_samples, 6);
  cr_expect (isnan (row.get_p99_ns), "too few calls");
  cr_expect (row.get_low_ns >= 10 && row.get_low_ns <= 20 && row.get_high_ns >= 20 && row.get_high_ns <= 30);
}

/* Calls of a repeat have something in common: five repeats with a median each of their own say less than as
 * many calls that have nothing to do with each other. */
Test (stats, bounds_of_a_median_in_groups_are_those_of_the_groups) {
  double v[5000], one[5000], narrow[2], wide[2], again[2];
  size_t end[5], all = 5000;
  for (unsigned g = 0; g < 5; g++) {
    for (unsigned i = 0; i < 1000; i++)
      v[1000 * g + i] = 100 * (g + 1) + i / 1000.;
    end[g] = 1000 * (g + 1);
  }
  memcpy (one, v, sizeof one);
  sd_stats_median_bounds (one, &all, 1, 3, narrow);
  sd_stats_median_bounds (v, end, 5, 3, wide);
  sd_stats_median_bounds (v, end, 5, 3, again);
  cr_expect (wide[0] == again[0] && wide[1] == again[1], "the same seed, the same bounds");
  cr_expect (narrow[0] > 300 && narrow[1] < 301, "%g to %g", narrow[0], narrow[1]);
  cr_expect (wide[0] < 201 && wide[1] > 399, "%g to %g", wide[0], wide[1]);
}

Test (stats, rank_correlation_sees_order_and_nothing_else) {
  const double a[] = { 1, 5, 2, 80, 3 }, same[] = { 10, 60, 11, 61, 12 }, reversed[] = { 5, 2, 4, 1, 3 },
               flat[] = { 1, 1, 1, 1, 1 };
  cr_expect_float_eq (sd_stats_rank_correlation (a, same, 5), 1, 1e-12);
  cr_expect_float_eq (sd_stats_rank_correlation (a, reversed, 5), -1, 1e-12);
  cr_expect_eq (sd_stats_rank_correlation (a, flat, 5), 0);
  cr_expect_eq (sd_stats_rank_correlation (a, same, 2), 0);
}

Test (stats, texts_of_counts_and_times_are_readable) {
  char out[32];
  cr_expect_str_eq (sd_text_count (0, out), "0");
  cr_expect_str_eq (sd_text_count (999, out), "999");
  cr_expect_str_eq (sd_text_count (1234567, out), "1,234,567");
  cr_expect_str_eq (sd_text_ns (0, out), "-");
  cr_expect_str_eq (sd_text_ns (412.4, out), "412 ns");
  cr_expect_str_eq (sd_text_ns (4100, out), "4.10 us");
  cr_expect_str_eq (sd_text_ns (23e6, out), "23.0 ms");
}
