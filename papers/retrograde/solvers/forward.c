/* Forward construction (Kristensen 2005, 2.2): pass over all states, give each the best value that its moves
 * show, until a pass changes nothing.
 *
 * A value found is always true as a bound: the state is won, or lost, in at most so many plies, by induction
 * over the values that it came from; bounds only shrink, and where nothing changes any more they are exact,
 * by induction over the distance. So the passes may work in place, and the order of states does not matter
 * for the result. Cost: all moves of all states but mates and wins in one, once a pass; about a pass for each
 * two plies of the longest distance; 4 bytes a state. */
#include "config.h"
#include "papers/retrograde/solvers/forward_internal.h"
#include "gen/solve/solver_internal.h"

/* The value that the moves of p show now. */
static int look (sd_forward *f, sd_state p, sd_value *out, sd_error *err) {
  const unsigned x = f->exits[p], plies = x & SD_EXIT_PLIES;
  unsigned n, win = plies % 2 ? plies : 0, loss = plies % 2 ? 0 : plies;
  bool lost = !(x & SD_EXIT_HELD);
  SD_TRY (sd_forward_succs (f, p, &n, err));
  for (unsigned k = 0; k < n; k++) {
    const int v = f->value[f->succ[k]];
    if (v < 0 && (win == 0 || (unsigned) -v < win))
      win = (unsigned) -v; /* lost in -v - 1 */
    if (v > 0 && (unsigned) v + 1 > loss)
      loss = (unsigned) v + 1;
    lost &= v > 0;
  }
  if ((win ? win : lost ? loss : 0) > SD_REC_MAX_PLIES)
    return sd_forward_too_far (f, err);
  *out = (sd_value) (win ? (int) win : lost ? -(int) loss - 1 : 0);
  return SD_OK;
}

static int pass (sd_forward *f, bool *changed, sd_error *err) {
  for (sd_state p = 0; p < f->game->nstates; p++) {
    const sd_value old = f->value[p];
    sd_value v = 0;
    if (old == SD_ILLEGAL || old == -1 || old == 1) /* nothing is shorter */
      continue;
    SD_TRY (look (f, p, &v, err));
    if (v == old)
      continue;
    f->value[p] = v;
    f->decided += old == 0;
    *changed = true;
  }
  return SD_OK;
}

int sd_solve_forward (const sd_game *game, const sd_transport *t, const sd_solve_options *options,
                      sd_solution *out, sd_solve_stats *stats, sd_error *err) {
  sd_forward f;
  int st = sd_forward_begin (&f, game, t, options, err);
  sd_report_stage (f.progress, SD_STAGE_SPREAD);
  for (bool changed = true; st == SD_OK && changed; f.passes++) {
    changed = false;
    sd_report (f.progress, "looking forward", f.decided, game->nstates);
    st = pass (&f, &changed, err);
  }
  return sd_forward_end (&f, st, out, stats);
}
