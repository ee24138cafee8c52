/* The classical sequential algorithm (Makhnychev 2012, 3.2): in iteration v, look at the moves of every
 * undecided state.
 *
 * Makhnychev 2012 counts full moves, with a major iteration for the wins and a minor one for the losses; here
 * these are the odd and the even plies v. A state is won in v if some move leads to a state lost in v - 1,
 * lost in v if all moves lead to won ones; these are then won in less than v, for they were decided before.
 * Conversions take part when v reaches their distance. The end: an iteration without news, and no conversion
 * that waits (Makhnychev 2012's steps 4, 6 and 8 without conversions).
 *
 * Cost: each iteration makes the moves of all states that are still undecided, the drawn ones every time,
 * until one decides; 4 bytes a state. */
#include "config.h"
#include "papers/retrograde/solvers/forward_internal.h"
#include "gen/solve/solver_internal.h"

static int iteration (sd_forward *f, unsigned v, uint64_t *news, bool *waits, sd_error *err) {
  const int lost = -(int) (v - 1) - 1; /* v >= 1 */
  for (sd_state p = 0; p < f->game->nstates; p++) {
    if (f->value[p])
      continue;
    const unsigned x = f->exits[p], plies = x & SD_EXIT_PLIES;
    unsigned n, k = 0;
    *waits |= plies > v;
    if (v % 2) {
      bool won = plies == v;
      if (!won) {
        SD_TRY (sd_forward_succs (f, p, &n, err));
        while (k < n && f->value[f->succ[k]] != lost)
          k++;
        won = k < n;
      }
      if (!won)
        continue;
    } else {
      if (x & SD_EXIT_HELD || plies > v)
        continue;
      SD_TRY (sd_forward_succs (f, p, &n, err));
      while (k < n && f->value[f->succ[k]] > 0)
        k++;
      if (k < n)
        continue;
    }
    f->value[p] = (sd_value) (v % 2 ? (int) v : -(int) v - 1);
    ++*news;
  }
  return SD_OK;
}

int sd_solve_sequential (const sd_game *game, const sd_transport *t, const sd_solve_options *options,
                         sd_solution *out, sd_solve_stats *stats, sd_error *err) {
  sd_forward f;
  int st = sd_forward_begin (&f, game, t, options, err);
  uint64_t news = 0;
  bool waits = true;
  sd_report_stage (f.progress, SD_STAGE_SPREAD);
  for (unsigned v = 1; st == SD_OK && (news || waits); v++) {
    news = 0;
    waits =
        v == 1; /* a state won on the board stands at 1 from the start and is seen by the second iteration */
    f.passes++;
    sd_report (f.progress, "looking forward", f.decided, game->nstates);
    st = v > SD_REC_MAX_PLIES ? sd_forward_too_far (&f, err) : iteration (&f, v, &news, &waits, err);
    f.decided += news;
  }
  return sd_forward_end (&f, st, out, stats);
}
