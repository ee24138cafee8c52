/* Retrograde analysis by marks (Makhnychev 2012, 3.3), for any game and any transport.
 *
 * Iteration v = 0, 1, 2, ... plies: the states decided at v send marks to their predecessors, A marks if they
 * are lost (v even), B marks if they are won (v odd). Makhnychev 2012 counts full moves and has a major and a
 * minor half of each; this is the same, one half per v. The states decided at v are found by a scan of the
 * local records instead of a queue, so that memory stays at 2 bytes a state. Conversions are in the records
 * from the start (solver_start.c). The end comes when no rank has sent a mark and no rank holds a record
 * beyond v (Makhnychev 2012's step 8): iterations without news do occur, as long as a conversion waits.
 *
 * Threads share the records of their rank: they take pieces of the scan in turn, and send what marks follow.
 *
 * Cost: for each v a scan of those parts of the records that hold something of v (due.c); one mark for each
 * inner move into a decided state; 2 bytes a state, 4 KiB of collected marks for each other rank and 8 times
 * 4 KiB on their way to it, these together at most 16 MiB (sd_transport_group), and 764 bytes a thread and
 * rank; 5 kB a thread besides.
 */
#include "config.h"
#include "gen/solve/solver_internal.h"
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum {
  SPREAD = 1 << 14, /* records that a thread takes at a time */
  AHEAD = 4         /* blocks whose records are fetched before they are looked through */
};

static unsigned thread_count (unsigned asked) {
#ifdef _OPENMP
  return asked ? asked : (unsigned) omp_get_max_threads ();
#else
  (void) asked;
  return 1;
#endif
}

/* -------------------------------------------------------------- iterations */

/* All of SPREAD records that are due. */
static void spread_piece (sd_solver *s, sd_worker *w, uint64_t from) {
  const uint16_t key = (uint16_t) (s->v + 1);
  const uint64_t end = s->nlocal - from < SPREAD ? s->nlocal : from + SPREAD;
  for (uint64_t b = from / SD_DUE; b * SD_DUE < end; b++) {
    sd_due_prefetch (s, b + AHEAD, key);
    /* Blocks that hold nothing of this time are not read (due.c). */
    if (sd_due_now (s, b, key) && sd_due_look (s, b, key)) {
      const uint64_t last = (b + 1) * SD_DUE;
      const int st = sd_spread_range (s, w, b * SD_DUE, last < s->nlocal ? last : s->nlocal);
      if (st != SD_OK && w->status == SD_OK)
        w->status = st;
    }
    /* Something for a later time: the end is not reached (step 8). */
    w->beyond |= sd_due_later (s, b);
  }
}

/* The threads take pieces in turn, since most of a phase's states may lie close together. */
static int spread_all (sd_solver *s, const sd_progress *progress, uint64_t decided) {
#pragma omp parallel num_threads(s->nthreads) if (s->nthreads > 1)
  {
    const unsigned me = sd_thread_number ();
    sd_worker *w = &s->worker[me];
    w->status = SD_OK;
    uint64_t told = 0;
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t from = 0; from < s->nlocal; from += SPREAD) {
      spread_piece (s, w, from);
      if (me == 0 && w->states >= told + 4096) {
        told = w->states;
        sd_report (progress, "spreading marks", decided + told * s->nthreads, s->nlocal);
      }
    }
  }
  for (unsigned i = 0; i < s->nthreads; i++)
    SD_TRY (s->worker[i].status);
  return SD_OK;
}

/* Collective, if anybody asked: what all ranks did in an iteration, told on rank 0. */
static int tell (sd_solver *s, const sd_solve_options *o, uint64_t states, uint64_t marks, double seconds) {
  if (!o->trace)
    return SD_OK;
  const double busy = seconds > s->waited ? seconds - s->waited : 0;
  uint64_t sum[8] = { states, marks, (uint64_t) (busy * 1e6) };
  uint64_t max[4] = { states, marks, (uint64_t) (seconds * 1e6), (uint64_t) (busy * 1e6) };
  uint64_t sent[5] = { 0, 0, s->groups, s->words }; /* so far */
  sd_sharing_counts (s, &sent[0], &sent[1]);
  for (unsigned i = 0; i < s->nthreads; i++)
    sent[4] += s->worker[i].runs;
  for (unsigned i = 0; i < 5; i++) {
    sum[3 + i] = sent[i] - s->told[i];
    s->told[i] = sent[i];
  }
  /* Sums and the largest share of a rank, for how even the ranks were. */
  SD_TRY (s->t->sum (s->t->ctx, sum, 8));
  SD_TRY (s->t->max (s->t->ctx, max, 4));
  const sd_iteration it = { .ply = s->v,
                            .states = sum[0],
                            .states_most = max[0],
                            .marks = sum[1],
                            .marks_most = max[1],
                            .seconds = (double) max[2] / 1e6,
                            .busy = (double) sum[2] / 1e6 / s->t->size,
                            .busy_most = (double) max[3] / 1e6,
                            .transfers = sum[3],
                            .moved = sum[4],
                            .messages = sum[5],
                            .message_bytes = sum[6] * sizeof (uint32_t),
                            .runs = sum[7] };
  if (s->t->rank == 0)
    o->trace (o->trace_ctx, &it);
  return SD_OK;
}

/* This rank cannot go on, in the middle of an iteration, where the others do not expect to be told. */
static int alone (const sd_solver *s, int st, sd_error *err) {
  if (err->status != st)
    sd_exchanged (st, s->game->name, "marks", err);
  if (s->t->abort)
    s->t->abort (s->t->ctx, err->text);
  return st;
}

/* The marks of phase v; all numbers are those of this rank. */
static int phase (sd_solver *s, const sd_saver *save, const sd_progress *progress, uint64_t decided,
                  uint64_t *states, uint64_t *marks) {
  bool beyond = false;
  sd_report_stage (progress, SD_STAGE_SPREAD);
  SD_TRY (s->sharing ? sd_sharing_spread (s, progress, decided) : spread_all (s, progress, decided));
  *states = *marks = 0;
  for (unsigned i = 0; i < s->nthreads; i++) {
    *states += s->worker[i].states;
    *marks += s->worker[i].marks;
    beyond |= s->worker[i].beyond;
  }
  /* A marks if v is even, B marks if it is odd. */
  s->marks[s->v & 1] += *marks;
  if (*states)
    s->plies = s->v > s->plies ? s->v : s->plies;
  /* Marks that were sent may decide something later, so that this rank is not done either. */
  return sd_marks_end (s, beyond || *marks, sd_saver_due (save));
}

/* All phases, from where a checkpoint was. */
static int iterate (sd_solver *s, sd_saver *save, const sd_solve_options *o, sd_error *err) {
  uint64_t decided = 0, states, marks;
  for (unsigned v = save->start.ply;; v++) {
    if (v + s->delay > SD_REC_MAX_PLIES) /* all ranks come here together, so no agreement is needed */
      return sd_fail (err, SD_ERANGE, "%s: more than %u plies do not fit 16 bits", s->game->name,
                      SD_REC_MAX_PLIES);
    const double start = sd_now ();
    /* What marks of the last phase decided joins what the scans have found. */
    sd_due_begin (s);
    sd_marks_begin (s, v);
    int st = phase (s, save, o->progress, decided, &states, &marks);
    if (st == SD_OK)
      st = tell (s, o, states, marks, sd_now () - start);
    if (st != SD_OK)
      return alone (s, st, err);
    decided += states;
    /* at the end nothing was sent in this iteration, so that a solve resumed there may repeat it */
    if (s->save || (!s->more && save->saved))
      SD_TRY (sd_saver_take (s, save, s->more ? v + 1 : v, err));
    /* Step 8: no rank has sent a mark, and none holds a record beyond v. */
    if (!s->more)
      return SD_OK;
  }
}

/* The plies of a time. */
static unsigned plies_of (const sd_solver *s, unsigned time) {
  return s->delay > 1 ? (time + 1) / 2 : time;
}

/* The records become values in place. */
static void to_values (const sd_solver *s, uint16_t *rec, uint64_t n) {
  sd_value *value = (sd_value *) rec; /* the signed twin of the same type */
  const unsigned half = s->delay > 1; /* plies_of without a branch */
#pragma omp simd
  for (uint64_t i = 0; i < n; i++) {
    const int r = rec[i], plies = (r - 1 + (int) half) >> half, decided = r & 1 ? -plies - 1 : plies;
    value[i] = (sd_value) (r == 0 ? SD_ILLEGAL : r & SD_REC_TAG ? 0 : decided);
  }
}

/* Collective: do all ranks solve the same game, dealt out alike? Places in marks rely on it. */
static int same_game (const sd_solver *s, sd_error *err) {
  const sd_game *g = s->game;
  const uint64_t about[] = { g->nstates,
                             s->deal.grain,
                             g->max_moves,
                             g->max_preds,
                             g->loss_delay,
                             sd_hash64 (g->name, strlen (g->name)) };
  const uint64_t h = sd_hash64 (about, sizeof about);

  /* The largest of all and the complement of the smallest, by one exchange. */
  uint64_t most[2] = { h, ~h };
  SD_TRY (sd_exchanged (s->t->max (s->t->ctx, most, 2), g->name, "what they solve", err));
  if (most[0] != ~most[1])
    return sd_fail (err, SD_EINVAL,
                    "%s: the ranks do not solve the same game: do they read the same files, "
                    "with the same options?",
                    g->name);
  return SD_OK;
}

/* Memory, and whether the game fits the record. */
static int prepare (sd_solver *s, const sd_balance_options *balance, sd_error *err) {
  const sd_game *g = s->game;
  /* Each number that has 16 or 32 bits is compared with what this game may need. */
  s->step = sd_rec_step (g->max_moves);
  if (s->step == 0)
    return sd_fail (err, SD_ERANGE, "%s: up to %u moves a state do not fit 16 bits", g->name, g->max_moves);
  if (s->nlocal > UINT32_MAX || g->nstates > UINT64_MAX / ((uint64_t) s->t->size + 1))
    return sd_fail (err, SD_ERANGE, "%s: %ju states on one rank are more than 2^32 - 1: start more ranks",
                    g->name, (uintmax_t) s->nlocal);
  const uint64_t padded = sd_padded (s->nlocal);
  s->rec = sd_alloc0_large (padded, sizeof *s->rec); /* marks hit it anywhere */
  if (!s->rec)
    return sd_fail_memory (err, padded * sizeof *s->rec);
  SD_TRY (sd_sharing_new (s, balance, err));
  SD_TRY (sd_due_new (s, err));
  return sd_marks_new (s, err);
}

/* Collective: records for the first iteration, from a checkpoint or from the game. */
static int begin (sd_solver *s, sd_saver *k, const sd_solve_options *o, sd_error *err) {
  bool found;
  k->begun = k->last = sd_now ();
  SD_TRY (same_game (s, err));
  /* One rank without memory stops all, since they wait for each other from here on. */
  SD_TRY (sd_agree (s->t, prepare (s, o->balance, err), err));
  SD_TRY (sd_saver_restore (s, k, &found, err));
  if (!found)
    SD_TRY (sd_agree (s->t, sd_first_records (s, o->progress, err), err));
  /* Sub-endings have told all conversions, and their decoded blocks are of no use any more. */
  if (s->game->tidy)
    s->game->tidy (s->game->ctx, true);
  k->ready = sd_now ();
  k->ready_cpu = sd_cpu_now ();
  if (found)
    k->last = k->ready;
  else if (k->hook) { /* the start may have been the longest part */
    uint64_t any = sd_saver_due (k);
    SD_TRY (sd_exchanged (s->t->max (s->t->ctx, &any, 1), s->game->name, "their clocks", err));
    if (any)
      SD_TRY (sd_saver_take (s, k, 0, err));
  }
  return SD_OK;
}

uint64_t sd_solver_bytes (const sd_solver *s) {
  return sd_padded (s->nlocal) * sizeof *s->rec + (s->nlocal / SD_DUE + 1) * 2 * sizeof *s->now
         + s->nthreads * SD_INIT_CHUNK * sizeof (sd_state_info) + sd_marks_bytes (s) + sd_sharing_bytes (s)
         + s->game->bytes;
}

/* Collective. */
static int collect_stats (const sd_solver *s, const sd_saver *k, sd_solve_stats *out) {
  sd_solve_point at;
  bool bad;
  uint64_t bytes = sd_solver_bytes (s);
  uint64_t sent[3] = { 0, 0, s->words };

  sd_sharing_counts (s, &sent[0], &sent[1]);
  SD_TRY (s->t->sum (s->t->ctx, sent, 3));
  SD_TRY (sd_saver_total (s, k, 0, &at, &bad));
  SD_TRY (s->t->sum (s->t->ctx, &bytes, 1));
  *out = (sd_solve_stats){ .states = s->game->nstates,
                           .marks_a = at.marks_a,
                           .marks_b = at.marks_b,
                           .groups = at.groups,
                           .bytes = bytes,
                           .plies = plies_of (s, at.plies),
                           .init_s = at.init_s,
                           .iterate_s = at.iterate_s,
                           .iterate_cpu_s = sd_cpu_now () - k->ready_cpu,
                           .transfers = sent[0],
                           .moved = sent[1],
                           .message_bytes = sent[2] * sizeof (uint32_t) };
  return SD_OK;
}

static int run (sd_solver *s, sd_saver *save, const sd_solve_options *o, sd_solve_stats *stats,
                sd_error *err) {
  SD_TRY (begin (s, save, o, err));
  SD_TRY (iterate (s, save, o, err));
  int bad = SD_OK;
  /* Found in the phases, told here, where all ranks are together. */
  if (s->bad_mark)
    bad =
        sd_fail (err, SD_EINVAL, "%s: the predecessors do not agree with the counts of moves", s->game->name);
  SD_TRY (sd_agree (s->t, bad, err));
  return sd_exchanged (collect_stats (s, save, stats), s->game->name, "their counts", err);
}

int sd_solve (const sd_game *game, const sd_transport *t, const sd_solve_options *options, sd_solution *out,
              sd_solve_stats *stats, sd_error *err) {
  const sd_solve_options o = options ? *options : (sd_solve_options){ 0 };
  sd_solver s = { .game = game, .t = t, .nthreads = 1, .delay = game->loss_delay ? game->loss_delay : 1 };
  sd_saver save = { .hook = o.checkpoint };
  sd_error own = { 0 };
  sd_solve_stats mine;

  *out = (sd_solution){ .value = NULL };
  if (t->size == 1 || t->threads)
    s.nthreads = thread_count (o.threads);
  sd_deal_make (game->nstates, t->size, sd_deal_grain (game, t->size, o.grain), &s.deal);
  s.nlocal = sd_deal_count (&s.deal, t->rank);
  int st = run (&s, &save, &o, stats ? stats : &mine, err ? err : &own);
  if (st == SD_OK) {
    to_values (&s, s.rec, s.nlocal);
    *out = (sd_solution){ .deal = s.deal, .value = (sd_value *) s.rec };
    s.rec = NULL;
  }
  sd_sharing_free (&s);
  free (s.rec);
  sd_due_free (&s);
  sd_marks_free (&s);
  return st;
}
