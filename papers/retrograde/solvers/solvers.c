/* The solvers by name. Kristensen 2005's backward construction (Sec. 2.2: un-moves from solved positions, 2
 * bytes a position, time linear in the number of moves) has no code of its own: on one rank Makhnychev 2012's
 * parallel algorithm is that algorithm. It has a name, so that both constructions of Kristensen 2005 can be
 * asked for. */
#include "config.h"
#include "papers/retrograde/solvers/forward_internal.h"
#include "papers/retrograde/solvers/solvers.h"
#include <string.h>

static int solve_backward (const sd_game *game, const sd_transport *t, const sd_solve_options *options,
                           sd_solution *out, sd_solve_stats *stats, sd_error *err) {
  *out = (sd_solution){ .value = NULL };
  if (t->size > 1)
    return sd_fail (err, SD_EUNSUPPORTED,
                    "%s: this solver runs on one rank, not on %d: start one rank, or take another "
                    "solver",
                    game->name, t->size);
  return sd_solve (game, t, options, out, stats, err);
}

static const sd_solver_kind kinds[] = {
  { .name = "parallel",
    .summary = "marks to predecessors; one rank or many",
    .source = "Makhnychev 2012, 3.3",
    .ranks = true,
    .resumable = true,
    .solve = sd_solve },
  { .name = "sequential",
    .summary = "moves of undecided states, ply by ply; one rank",
    .source = "Makhnychev 2012, 3.2",
    .forward = true,
    .solve = sd_solve_sequential },
  { .name = "forward",
    .summary = "moves of all states until nothing changes; one rank",
    .source = "Kristensen 2005, 2.2, forward",
    .forward = true,
    .solve = sd_solve_forward },
  { .name = "backward",
    .summary = "un-moves of decided states; what parallel does on one rank",
    .source = "Kristensen 2005, 2.2, backward",
    .resumable = true,
    .same_as = "parallel",
    .solve = solve_backward },
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
