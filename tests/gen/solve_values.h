/* Solving for tests that want the bare values: those of one rank, or of this rank. */
#ifndef SOLVE_VALUES_H
#define SOLVE_VALUES_H

#include "gen/gen.h"

/* way NULL: the default. */
static inline int solve_values (sd_solve_way *way, const sd_game *g, const sd_transport *t,
                                const sd_solve_options *o, sd_value **value, sd_solve_stats *stats,
                                sd_error *err) {
  sd_solution out;
  int st = (way ? way : sd_solve) (g, t, o, &out, stats, err);
  *value = out.value;
  return st;
}

#endif
