/** \file statistics.h
 * Statistics of samples, over GSL: quantiles, bounds by the bootstrap, correlation, straight lines,
 * regression; as functions in C for what is measured, and as aggregates of SQL for queries over rows. Knows
 * nothing of tables, stores or reports. Uses base/.
 *
 * The caller owns all samples; where a function says so it sorts them in place. Nothing here keeps a state
 * between calls, and the same numbers give the same answers on each call. */
#ifndef SD_STATISTICS_H
#define SD_STATISTICS_H

#include "base/base.h"
#include <sqlite3.h>

/** Sorts v; between two values it is linear. NaN: of none. q: from 0 to 1, 0.5 is the median. */
double sd_stats_quantile (double *v, size_t n, double q);
/** A bound from below and one from above for the median of what was drawn: 95 % of the medians of samples
 * drawn anew from v lie between (bootstrap, percentiles). The values stand in groups, one behind the other
 * and each sorted, which end at end[0..groups-1]: groups are drawn first, then values of these, since those
 * of a group may have something in common. At most SD_MOST_GROUPS groups. The same seed gives the same
 * bounds. No values give NaN. */
void sd_stats_median_bounds (const double *v, const size_t *end, size_t groups, uint64_t seed,
                             double bound[2]);
#define SD_MOST_GROUPS 32
/** Between these lie 95 % of the means of samples drawn anew from v (bootstrap, percentiles; always the
 * same draws). Sorts v, so that its order does not tell. NaN: of fewer than three. */
void sd_stats_mean_bounds (double *v, size_t n, double bound[2]);
/** Spearman's rank correlation of two equally long samples; 0 for n < 3 or constant samples. */
double sd_stats_rank_correlation (const double *a, const double *b, size_t n);

/* ------------------------------------------------------------------- functions of SQL */

/** A function of SQL: of one value (call), or of the rows of a group. */
typedef struct sd_sql_function {
  const char *name;
  int arguments; /* -1: any number of them */
  void *user;    /* what sqlite3_user_data gives */
  /* either call, or step and finish */
  void (*call) (sqlite3_context *, int, sqlite3_value **), (*step) (sqlite3_context *, int, sqlite3_value **),
      (*finish) (sqlite3_context *);
} sd_sql_function;
/** Offers each statistic over the rows of a group to `take`. False: that has refused one. functions.c */
bool sd_stats_offer (bool (*take) (void *to, const sd_sql_function *f), void *to);

#endif
