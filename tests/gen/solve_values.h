/* Solving for tests that want the bare values: those of one rank, or of this rank. */
#ifndef SOLVE_VALUES_H
#define SOLVE_VALUES_H

#include "gen/gen.h"

/* kind NULL: the default. */
static inline int solve_values (const sd_solver_kind *kind, const sd_game *g, const sd_transport *t,
                                const sd_solve_options *o, sd_value **value, sd_solve_stats *stats,
                                sd_error *err) {
  sd_solution out;
  int st = (kind ? kind : sd_solver_at (0))->solve (g, t, o, &out, stats, err);
  *value = out.value;
  return st;
}

#endif
