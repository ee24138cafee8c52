/* Records before the first iteration: what the game says of each state (Makhnychev 2012, 3.3, steps 1 and 2).
 *
 * Conversions are fed in here: a winning one as a candidate that becomes final when the iteration reaches it,
 * unless an A mark gives less; a losing one as M; a drawn one as a move that never goes away. What does not
 * fit the record, or contradicts itself, is refused with the state.
 *
 * The game is asked for runs of neighbours, by all threads, and between batches it can put itself in order:
 * often, since nothing that it has decoded is freed within one. The states with en-passant rights of KPPvKP
 * have few patterns of pawns for each placement of the kings, so that 262,144 of them ask for 240 MiB of the
 * promotions' endings, more than the budget of all.
 * Cost: 24 kB a thread. */
#include "config.h"
#include "gen/solve/solver_internal.h"
#include <stdlib.h>

enum { CHUNKS_A_THREAD = 8 }; /* in a batch */

/* The record of a state before the start; SD_ERANGE: does not fit. */
static inline int first_record (unsigned step, unsigned max_moves, const sd_state_info *info, uint16_t *out) {
  unsigned win = info->terminal_won ? 1 : info->win;
  *out = 0;
  if (!info->exists)
    return SD_OK;
  if (info->terminal_lost) {
    *out = 1;
    return SD_OK;
  }
  /* Who wins moves last: in an odd number of plies. Moves that lose or draw no longer matter to a state
   * with a winning conversion. */
  if (win) {
    if (win % 2 == 0)
      return SD_EINVAL;
    if (win > SD_REC_MAX_PLIES)
      return SD_ERANGE;
    *out = (uint16_t) (1 + win);
    return SD_OK;
  }
  if (info->loss % 2 || info->moves > max_moves)
    return SD_EINVAL;
  if (info->loss > SD_REC_MAX_PLIES)
    return SD_ERANGE;
  /* Only losing conversions: lost, and when is known already. */
  if (info->moves == 0 && info->loss) {
    *out = (uint16_t) (1 + info->loss);
    return SD_OK;
  }
  /* Undecided: how many moves are still open, and the slowest loss by a conversion so far. */
  if (info->loss / 2 >= step)
    return SD_ERANGE;
  *out = (uint16_t) (SD_REC_TAG + (unsigned) info->moves * step + info->loss / 2u);
  return SD_OK;
}

/* Which state it was, and what the game says of it. */
static int first_error (const sd_solver *s, int st, sd_state p, const sd_state_info *i, sd_error *err) {
  if (st == SD_ERANGE)
    return sd_fail (
        err, st,
        "%s: state %ju: %u moves, win in %u and loss in %u plies do not fit 16 bits with counts up "
        "to %u moves",
        s->game->name, (uintmax_t) p, i->moves, i->win, i->loss, s->game->max_moves);
  return sd_fail (err, st,
                  "%s: state %ju: %u moves of at most %u, win in %u, loss in %u plies: contradictory",
                  s->game->name, (uintmax_t) p, i->moves, s->game->max_moves, i->win, i->loss);
}

/* The records of places[0..n-1] from `place` on. */
static int init_run (sd_solver *s, uint64_t place, uint64_t n, sd_state_info *info, sd_error *err) {
  const sd_game *g = s->game;
  const unsigned step = s->step, max_moves = g->max_moves; /* not read anew after each record */

  while (n) {
    uint64_t run;
    /* Runs that are neighbours in the game: a game counts moves of neighbours together. */
    const sd_state first = sd_deal_state (&s->deal, s->t->rank, place, &run);
    run = run < n ? run : n;
    uint16_t *rec = s->rec + place;
    SD_TRY (g->init (g->ctx, first, run, info, err));
    for (uint64_t k = 0; k < run; k++) {
      int st = first_record (step, max_moves, &info[k], &rec[k]);
      if (st != SD_OK)
        return first_error (s, st, first + k, &info[k], err);
    }
    place += run;
    n -= run;
  }
  return SD_OK;
}

int sd_first_records (sd_solver *s, const sd_progress *progress, sd_error *err) {
  const sd_game *g = s->game;
  SD_OWNED sd_state_info *info = sd_alloc ((uint64_t) s->nthreads * SD_INIT_CHUNK, sizeof *info);
  int status = info ? SD_OK : sd_fail_memory (err, s->nthreads * SD_INIT_CHUNK * sizeof *info);

  /* Between two batches no thread looks at what the game has decoded. */
  const uint64_t batch = (uint64_t) s->nthreads * CHUNKS_A_THREAD * SD_INIT_CHUNK;
  uint64_t bad = UINT64_MAX;
  sd_report_stage (progress, SD_STAGE_COUNT);
  for (uint64_t from = 0; from < s->nlocal && status == SD_OK; from += batch) {
    const uint64_t end = s->nlocal - from < batch ? s->nlocal : from + batch;
    sd_report (progress, "counting moves", from, s->nlocal);
#pragma omp parallel for schedule(dynamic, 1) num_threads(s->nthreads) if (s->nthreads > 1)
    for (uint64_t i = from; i < end; i += SD_INIT_CHUNK) {
      sd_error e = { 0 };
      const unsigned me = sd_thread_number ();
      const uint64_t n = end - i < SD_INIT_CHUNK ? end - i : SD_INIT_CHUNK;
      int st = init_run (s, i, n, info + (size_t) me * SD_INIT_CHUNK, &e);
      if (st != SD_OK) {
#pragma omp critical(sd_init_records)
        if (i < bad) { /* the first one, whoever comes first */
          bad = i;
          status = st;
          if (err)
            *err = e;
        }
      }
    }
    /* Between batches nothing that was decoded is in use. */
    if (g->tidy)
      g->tidy (g->ctx, false);
  }
  return status;
}
