/* The start and the end of the solvers that look forward. Cost: one init and one succs a state. */
#include "config.h"
#include "papers/retrograde/solvers/forward_internal.h"
#include "gen/solve/solver_internal.h"
#include <stdlib.h>

enum { CHUNK = 2048 };

int sd_forward_too_far (const sd_forward *f, sd_error *err) {
  return sd_fail (err, SD_ERANGE, "%s: more than %u plies do not fit 16 bits", f->game->name,
                  SD_REC_MAX_PLIES);
}

int sd_forward_succs (sd_forward *f, sd_state p, unsigned *n, sd_error *err) {
  const sd_game *g = f->game;
  *n = g->succs (g->ctx, p, f->succ);
  f->looks += *n;
  for (unsigned i = 0; i < *n; i++)
    if (f->succ[i] >= g->nstates || f->value[f->succ[i]] == SD_ILLEGAL)
      return sd_fail (err, SD_EINVAL, "%s: state %ju has a move to %ju, which does not exist", g->name,
                      (uintmax_t) p, (uintmax_t) f->succ[i]);
  return SD_OK;
}

static int contradiction (const sd_forward *f, sd_state p, const sd_state_info *i, sd_error *err) {
  return sd_fail (err, SD_EINVAL,
                  "%s: state %ju: %u moves of at most %u, win in %u, loss in %u plies: contradictory",
                  f->game->name, (uintmax_t) p, i->moves, f->game->max_moves, i->win, i->loss);
}

static int first_value (sd_forward *f, sd_state p, const sd_state_info *i, sd_error *err) {
  if (!i->exists) {
    f->value[p] = SD_ILLEGAL;
  } else if (i->terminal_lost || i->terminal_won) {
    f->value[p] = i->terminal_lost ? -1 : 1;
  } else if (i->win) {
    if (i->win % 2 == 0)
      return contradiction (f, p, i, err);
    if (i->win > SD_REC_MAX_PLIES)
      return sd_forward_too_far (f, err);
    f->exits[p] = (uint16_t) (SD_EXIT_HELD | i->win);
  } else {
    if (i->loss % 2 || i->moves > f->game->max_moves)
      return contradiction (f, p, i, err);
    if (i->loss > SD_REC_MAX_PLIES)
      return sd_forward_too_far (f, err);
    f->exits[p] = i->loss;
  }
  return SD_OK;
}

/* Drawn conversions are the moves that lead nowhere inside. Whether a successor exists is not known yet. */
static int hold (sd_forward *f, sd_state p, const sd_state_info *i, sd_error *err) {
  if (f->value[p] || f->exits[p] & SD_EXIT_HELD)
    return SD_OK;
  const unsigned n = f->game->succs (f->game->ctx, p, f->succ);
  f->looks += n;
  if (n > i->moves)
    return contradiction (f, p, i, err);
  if (n < i->moves || (i->moves == 0 && i->loss == 0))
    f->exits[p] |= SD_EXIT_HELD;
  return SD_OK;
}

int sd_forward_begin (sd_forward *f, const sd_game *game, const sd_transport *t, const sd_solve_options *o,
                      sd_error *err) {
  *f = (sd_forward){ .game = game, .progress = o ? o->progress : NULL, .begun = sd_now () };
  if (t->size > 1)
    return sd_fail (err, SD_EUNSUPPORTED,
                    "%s: this solver runs on one rank, not on %d: start one rank, or take another "
                    "solver",
                    game->name, t->size);
  if (o && o->checkpoint)
    return sd_fail (err, SD_EUNSUPPORTED, "%s: this solver keeps no checkpoints", game->name);
  if (game->loss_delay > 1)
    return sd_fail (err, SD_EUNSUPPORTED,
                    "%s: this solver counts plies to the end of the game only: take another solver",
                    game->name);
  if (!game->succs)
    return sd_fail (err, SD_EUNSUPPORTED, "%s: this solver looks forward, and the game names no successors",
                    game->name);
  const uint64_t n = game->nstates;
  SD_OWNED sd_state_info *info = sd_alloc (CHUNK, sizeof *info);
  f->value = sd_alloc0 (n, sizeof *f->value);
  f->exits = sd_alloc0 (n, sizeof *f->exits);
  f->succ = sd_alloc ((uint64_t) game->max_moves + 1, sizeof *f->succ);
  if (!info || !f->value || !f->exits || !f->succ)
    return sd_fail_memory (err, 4 * n);
  sd_report_stage (f->progress, SD_STAGE_COUNT);
  for (uint64_t i = 0; i < n; i += CHUNK) {
    const uint64_t k = n - i < CHUNK ? n - i : CHUNK;
    if (i / CHUNK % 128 == 127 && game->tidy)
      game->tidy (game->ctx, false);
    if (i / CHUNK % 16 == 0)
      sd_report (f->progress, "counting moves", i, n);
    SD_TRY (game->init (game->ctx, i, k, info, err));
    for (uint64_t j = 0; j < k; j++) {
      SD_TRY (first_value (f, i + j, &info[j], err));
      SD_TRY (hold (f, i + j, &info[j], err));
      f->decided += f->value[i + j] != 0;
    }
  }
  if (game->tidy)
    game->tidy (game->ctx, true);
  f->ready = sd_now ();
  f->ready_cpu = sd_cpu_now ();
  return SD_OK;
}

int sd_forward_end (sd_forward *f, int st, sd_solution *out, sd_solve_stats *stats) {
  const uint64_t n = f->game->nstates;
  *out = (sd_solution){ .value = NULL };
  if (st == SD_OK && stats) {
    for (uint64_t p = 0; p < n; p++) {
      const int v = f->value[p];
      const unsigned plies = v == SD_ILLEGAL ? 0 : (unsigned) (v < 0 ? -v - 1 : v);
      f->plies = plies > f->plies ? plies : f->plies;
    }
    *stats = (sd_solve_stats){ .states = n,
                               .looks = f->looks,
                               .passes = f->passes,
                               .bytes = n * (sizeof *f->value + sizeof *f->exits)
                                        + f->game->max_moves * sizeof *f->succ,
                               .plies = f->plies,
                               .init_s = f->ready - f->begun,
                               .iterate_s = sd_now () - f->ready,
                               .iterate_cpu_s = sd_cpu_now () - f->ready_cpu };
  }
  if (st == SD_OK) {
    sd_deal_make (n, 1, 0, &out->deal);
    out->value = f->value;
    f->value = NULL;
  }
  free (f->value);
  free (f->exits);
  free (f->succ);
  return st;
}
