/* The solvers by name. S4's backward construction (Sec. 2.2: un-moves from solved positions, 2 bytes a
 * position, time linear in the number of moves) has no entry of its own: on one rank `parallel` is that
 * algorithm. */
#include "config.h"
#include "gen/forward_internal.h"
#include <string.h>

static const sd_solver_kind kinds[] = {
  { .name = "parallel",
    .summary = "marks to predecessors; one rank or many",
    .source = "S2 3.3; on one rank also S4 2.2, backward",
    .ranks = true,
    .resumable = true,
    .solve = sd_solve_resumable },
  { .name = "sequential",
    .summary = "moves of undecided states, ply by ply; one rank",
    .source = "S2 3.2",
    .forward = true,
    .solve = sd_solve_sequential },
  { .name = "forward",
    .summary = "moves of all states until nothing changes; one rank",
    .source = "S4 2.2, forward",
    .forward = true,
    .solve = sd_solve_forward },
};

const sd_solver_kind *sd_solver_at (unsigned i) {
  return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

const sd_solver_kind *sd_solver_find (const char *name) {
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}
