/* When the solver's state is kept, and what of it: the border before an iteration, its counts summed over all
 * ranks. Whether a save is due is told by the trailers of the iteration's last groups (marks.c), so all ranks
 * save at the same border; where and how is the hook's business (gen.h, checkpoint.c). */
#include "config.h"
#include "gen/solve/solver_internal.h"

bool sd_saver_due (const sd_saver *k) {
  return k->hook && sd_now () - k->last >= k->hook->interval;
}

int sd_saver_total (const sd_solver *s, const sd_saver *k, unsigned ply, sd_solve_point *out, bool *bad) {
  double init = k->start.init_s + k->ready - k->begun, iterate = k->start.iterate_s + sd_now () - k->ready;
  uint64_t sum[3] = { s->marks[0], s->marks[1], s->groups };
  uint64_t max[4] = { s->plies, (uint64_t) (init * 1e6), (uint64_t) (iterate * 1e6), s->bad_mark };
  SD_TRY (s->t->sum (s->t->ctx, sum, 3));
  SD_TRY (s->t->max (s->t->ctx, max, 4));
  *out = (sd_solve_point){ .ply = ply,
                           .plies = (unsigned) max[0],
                           .marks_a = sum[0],
                           .marks_b = sum[1],
                           .groups = sum[2],
                           .init_s = (double) max[1] / 1e6,
                           .iterate_s = (double) max[2] / 1e6 };
  *bad = max[3] != 0;
  return SD_OK;
}

int sd_saver_take (sd_solver *s, sd_saver *k, unsigned ply, sd_error *err) {
  sd_solve_point at;
  bool bad = false;
  if (k->resumed && ply == k->start.ply)
    return SD_OK;
  SD_TRY (sd_exchanged (sd_saver_total (s, k, ply, &at, &bad), s->game->name, "their counts", err));
  if (!bad) {
    SD_TRY (k->hook->save (k->hook->ctx, s->game, &s->deal, &at, s->rec, err));
    k->saved = true;
  }
  k->last = sd_now ();
  return SD_OK;
}

int sd_saver_restore (sd_solver *s, sd_saver *k, bool *found, sd_error *err) {
  *found = false;
  if (!k->hook)
    return SD_OK;
  int st = k->hook->load (k->hook->ctx, s->game, &s->deal, &k->start, s->rec, err);
  if (st == SD_OK && k->start.ply >= SD_REC_MAX_PLIES)
    st = sd_fail (err, SD_ERANGE, "%s: a checkpoint at ply %u cannot be ours", s->game->name, k->start.ply);
  if (st == SD_ENOENT) {
    k->start = (sd_solve_point){ 0 };
    return SD_OK;
  }
  SD_TRY (st);
  *found = k->resumed = k->saved = true;
  s->plies = k->start.plies;
  if (s->t->rank == 0) { /* sums over all ranks */
    s->marks[0] = k->start.marks_a;
    s->marks[1] = k->start.marks_b;
    s->groups = s->told[2] = k->start.groups;
  }
  return SD_OK;
}
