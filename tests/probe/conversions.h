/* What the conversions of a position offer, from exact values in memory. */
#ifndef SD_TEST_CONVERSIONS_H
#define SD_TEST_CONVERSIONS_H

#include "values/values_internal.h"

/* false: there is none, or *status is not SD_OK. */
static inline bool best_conversion (const sd_values *s, const sd_pos *p, enum sd_move_class which,
                                    sd_value *best, int *status) {
  const sd_values_source from = sd_values_as_source (s, NULL);
  const sd_metric_kind *k = &sd_metrics[SD_DTM];
  sd_best b = { false, 0 };
  *status = sd_restore_conversions (&from.source, k, p, which, SD_EXACT (k), &b);
  *best = b.value;
  return *status == SD_OK && b.has;
}

#endif
