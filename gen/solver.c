/* Retrograde analysis by marks (S2 Sec. 3.3), for any game and any transport.
 *
 * Iteration v = 0, 1, 2, ... plies: the states decided at v send marks to their predecessors, A marks if they
 * are lost (v even), B marks if they are won (v odd). S2 counts full moves and has a major and a minor half
 * of each; this is the same, one half per v. The states decided at v are found by a scan of the local records
 * instead of a queue, so that memory stays at 2 bytes a state. Conversions are fed in at the start: a winning
 * one as a candidate that becomes final when the iteration reaches it, unless an A mark gives less; a losing
 * one as M; a drawn one as a move that never goes away. The end comes when no rank has sent a mark and no
 * rank holds a record beyond v (S2's step 8): iterations without news do occur, as long as a conversion
 * waits.
 *
 * Cost: one scan of 2 bytes a state for each v; one mark for each inner move into a decided state; 2 bytes a
 * state and some 100 kB per other rank. */
#include "config.h"
#include "gen/solver_internal.h"
#include <stdlib.h>
#include <string.h>

enum { INIT_CHUNK = 2048 };

/* The record of a state before the start; SD_ERANGE: does not fit. */
static int first_record (const sd_solver *s, const sd_state_info *info, uint16_t *out) {
  unsigned win = info->terminal_won ? 1 : info->win;
  *out = 0;
  if (!info->exists)
    return SD_OK;
  if (info->terminal_lost) {
    *out = 1;
    return SD_OK;
  }
  if (win) {
    if (win % 2 == 0)
      return SD_EINVAL;
    if (win > SD_REC_MAX_PLIES)
      return SD_ERANGE;
    *out = (uint16_t) (1 + win);
    return SD_OK;
  }
  if (info->loss % 2 || info->moves > s->game->max_moves)
    return SD_EINVAL;
  if (info->loss > SD_REC_MAX_PLIES)
    return SD_ERANGE;
  if (info->moves == 0 && info->loss) {
    *out = (uint16_t) (1 + info->loss);
    return SD_OK;
  }
  if (info->loss / 2 >> s->mbits)
    return SD_ERANGE;
  *out = (uint16_t) (SD_REC_TAG | (unsigned) info->moves << s->mbits | info->loss / 2u);
  return SD_OK;
}

static int init_records (sd_solver *s, const sd_progress *progress, sd_error *err) {
  const sd_game *g = s->game;
  const uint64_t size = (uint64_t) s->t->size, rank = (uint64_t) s->t->rank;
  sd_state_info *info = sd_alloc (INIT_CHUNK, sizeof *info);
  if (!info)
    return sd_fail_memory (err, INIT_CHUNK * sizeof *info);
  int st = SD_OK;
  for (uint64_t i = 0; i < s->nlocal && st == SD_OK; i += INIT_CHUNK) {
    uint64_t n = s->nlocal - i < INIT_CHUNK ? s->nlocal - i : INIT_CHUNK;
    if (i / INIT_CHUNK % 16 == 0) {
      sd_report (progress, "counting moves", i, s->nlocal);
      if (g->tidy)
        g->tidy (g->ctx, false);
    }
    st = g->init (g->ctx, rank + i * size, size, n, info, err);
    for (uint64_t k = 0; k < n && st == SD_OK; k++) {
      st = first_record (s, &info[k], &s->rec[i + k]);
      if (st == SD_ERANGE)
        st = sd_fail (err, st,
                      "%s: state %ju: %u moves, win in %u and loss in %u plies do not fit 16 bits with "
                      "counts up to %u moves",
                      g->name, (uintmax_t) (rank + (i + k) * size), info[k].moves, info[k].win, info[k].loss,
                      g->max_moves);
      else if (st != SD_OK)
        st = sd_fail (err, st,
                      "%s: state %ju: %u moves of at most %u, win in %u, loss in %u plies: contradictory",
                      g->name, (uintmax_t) (rank + (i + k) * size), info[k].moves, g->max_moves, info[k].win,
                      info[k].loss);
    }
  }
  free (info);
  if (g->tidy)
    g->tidy (g->ctx, true);
  return st;
}

/* Eight records at once; as signed numbers the tagged ones are negative. */
typedef int16_t lanes __attribute__ ((vector_size (16)));

/* Does rec[0..SD_SCAN-1] hold the record `key`; does it hold a distance beyond it? */
static inline bool scan_block (const uint16_t *rec, int16_t key, bool *beyond) {
  const lanes k = { key, key, key, key, key, key, key, key };
  lanes eq = { 0 }, gt = { 0 };
  for (unsigned i = 0; i < SD_SCAN; i += 8) {
    lanes r;
    memcpy (&r, rec + i, sizeof r);
    eq |= r == k;
    gt |= r > k;
  }
  uint64_t w[2], x[2];
  memcpy (w, &eq, sizeof w);
  memcpy (x, &gt, sizeof x);
  *beyond |= (x[0] | x[1]) != 0;
  return (w[0] | w[1]) != 0;
}

/* ------------------------------------------------------------- checkpoints */

typedef struct saver {
  const sd_checkpoint *hook; /* NULL: none */
  sd_solve_point start;      /* where this process began: zeros, or what was loaded */
  bool resumed, saved;       /* from a checkpoint; there is one, on all ranks alike */
  double begun, ready, last; /* sd_now at the start, after init or load, after the last save */
} saver;

static bool due (const saver *k) {
  return k->hook && sd_now () - k->last >= k->hook->interval;
}

/* Collective: where all ranks together stand before iteration `ply`; *bad: some rank has seen a bad mark. */
static int total (const sd_solver *s, const saver *k, unsigned ply, sd_solve_point *out, bool *bad) {
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

/* Collective: save the border before iteration `ply`. A game that contradicts itself is not worth keeping. */
static int take (sd_solver *s, saver *k, unsigned ply, sd_error *err) {
  sd_solve_point at;
  bool bad;
  if (k->resumed && ply == k->start.ply)
    return SD_OK;
  int st = total (s, k, ply, &at, &bad);
  if (st != SD_OK)
    return sd_fail (err, st, "%s: the ranks could not exchange their counts: %s", s->game->name,
                    sd_strerror (st));
  if (!bad) {
    SD_TRY (k->hook->save (k->hook->ctx, s->game, &at, s->rec, s->nlocal, err));
    k->saved = true;
  }
  k->last = sd_now ();
  return SD_OK;
}

/* Collective: the records as they were kept, or *found = false. */
static int restore (sd_solver *s, saver *k, bool *found, sd_error *err) {
  *found = false;
  if (!k->hook)
    return SD_OK;
  int st = k->hook->load (k->hook->ctx, s->game, &k->start, s->rec, s->nlocal, err);
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
    s->groups = k->start.groups;
  }
  return SD_OK;
}

/* -------------------------------------------------------------- iterations */

/* All phases. */
static int iterate (sd_solver *s, saver *save, sd_state *pred, const sd_progress *progress, uint64_t *decided,
                    sd_error *err) {
  const sd_game *g = s->game;
  const uint64_t size = (uint64_t) s->t->size, rank = (uint64_t) s->t->rank;
  for (unsigned v = save->start.ply;; v++) {
    if (v + 1 > SD_REC_MAX_PLIES) /* all ranks come here together, so no agreement is needed */
      return sd_fail (err, SD_ERANGE, "%s: a distance above %u plies does not fit 16 bits", g->name,
                      SD_REC_MAX_PLIES);
    sd_marks_begin (s, v);
    bool beyond = false;
    uint64_t before = s->marks[v & 1], unreported = 0;
    for (uint64_t b = 0; b < s->nlocal; b += SD_SCAN) {
      if (!scan_block (s->rec + b, (int16_t) (v + 1), &beyond))
        continue;
      for (uint64_t i = b; i < b + SD_SCAN; i++)
        if (s->rec[i] == v + 1) {
          unsigned n = g->preds (g->ctx, rank + i * size, pred);
          SD_TRY (sd_marks_send (s, pred, n));
          unreported++;
          s->plies = v;
        }
      if (unreported >= 4096) {
        *decided += unreported;
        unreported = 0;
        sd_report (progress, "spreading marks", *decided, s->nlocal);
      }
    }
    *decided += unreported;
    SD_TRY (sd_marks_end (s, beyond || s->marks[v & 1] != before, due (save)));
    /* at the end nothing was sent in this iteration, so that a solve resumed there may repeat it */
    if (s->save || (!s->more && save->saved))
      SD_TRY (take (s, save, s->more ? v + 1 : v, err));
    if (!s->more)
      return SD_OK;
  }
}

/* The records become values in place. */
static void to_values (uint16_t *rec, uint64_t n) {
  sd_value *value = (sd_value *) rec; /* the signed twin of the same type */
  for (uint64_t i = 0; i < n; i++) {
    unsigned r = rec[i];
    if (r == 0)
      value[i] = SD_ILLEGAL;
    else if (r & SD_REC_TAG)
      value[i] = 0;
    else if (r & 1)
      value[i] = (sd_value) -r; /* lost in r - 1 plies: -(r - 1 + 1) */
    else
      value[i] = (sd_value) (r - 1);
  }
}

/* Memory, and whether the game fits the record. */
static int prepare (sd_solver *s, sd_state **pred, sd_error *err) {
  const sd_game *g = s->game;
  unsigned cbits = sd_bits_for ((uint64_t) g->max_moves + 1);
  if (cbits > 14)
    return sd_fail (err, SD_ERANGE, "%s: up to %u moves a state do not fit 16 bits", g->name, g->max_moves);
  s->mbits = 15 - cbits;
  s->cstep = (uint16_t) (1u << s->mbits);
  if (s->nlocal > UINT32_MAX || g->nstates > UINT64_MAX / ((uint64_t) s->t->size + 1))
    return sd_fail (err, SD_ERANGE, "%s: %ju states on one rank are more than 2^32 - 1: start more ranks",
                    g->name, (uintmax_t) s->nlocal);
  uint64_t padded = (s->nlocal + SD_SCAN - 1) / SD_SCAN * SD_SCAN;
  s->rec = sd_alloc0 (padded, sizeof *s->rec);
  if (!s->rec)
    return sd_fail_memory (err, padded * sizeof *s->rec);
  *pred = sd_alloc (g->max_preds, sizeof **pred);
  if (!*pred)
    return sd_fail_memory (err, g->max_preds * sizeof **pred);
  return sd_marks_new (s, err);
}

/* Collective: records for the first iteration, from a checkpoint or from the game. */
static int begin (sd_solver *s, saver *k, sd_state **pred, const sd_progress *progress, sd_error *err) {
  bool found;
  k->begun = k->last = sd_now ();
  SD_TRY (sd_agree (s->t, prepare (s, pred, err), err));
  SD_TRY (restore (s, k, &found, err));
  if (!found)
    SD_TRY (sd_agree (s->t, init_records (s, progress, err), err));
  k->ready = sd_now ();
  if (found)
    k->last = k->ready;
  else if (k->hook) { /* the start may have been the longest part */
    uint64_t any = due (k);
    int st = s->t->max (s->t->ctx, &any, 1);
    if (st != SD_OK)
      return sd_fail (err, st, "%s: the ranks could not exchange their clocks: %s", s->game->name,
                      sd_strerror (st));
    if (any)
      SD_TRY (take (s, k, 0, err));
  }
  return SD_OK;
}

/* Collective. */
static int collect_stats (const sd_solver *s, const saver *k, sd_solve_stats *out) {
  sd_solve_point at;
  bool bad;
  uint64_t bytes = (s->nlocal + SD_SCAN) * sizeof *s->rec + s->game->max_preds * sizeof (sd_state)
                   + INIT_CHUNK * sizeof (sd_state_info) + sd_marks_bytes (s);
  SD_TRY (total (s, k, 0, &at, &bad));
  SD_TRY (s->t->max (s->t->ctx, &bytes, 1));
  *out = (sd_solve_stats){ .states = s->game->nstates,
                           .marks_a = at.marks_a,
                           .marks_b = at.marks_b,
                           .groups = at.groups,
                           .bytes = bytes,
                           .plies = at.plies,
                           .init_s = at.init_s,
                           .iterate_s = at.iterate_s };
  return SD_OK;
}

int sd_solve_resumable (const sd_game *game, const sd_transport *t, const sd_checkpoint *checkpoint,
                        const sd_progress *progress, sd_value **value, sd_solve_stats *stats, sd_error *err) {
  sd_solver s = { .game = game, .t = t, .nlocal = sd_local_count (game->nstates, t->rank, t->size) };
  saver save = { .hook = checkpoint };
  sd_error own = { 0 };
  sd_state *pred = NULL;
  sd_solve_stats mine;
  uint64_t decided = 0;
  *value = NULL;
  err = err ? err : &own;
  int st = begin (&s, &save, &pred, progress, err);
  if (st == SD_OK) {
    /* what can fail in here fails on all ranks alike, or the connection itself has failed */
    st = iterate (&s, &save, pred, progress, &decided, err);
    if (st == SD_OK) {
      int bad = SD_OK;
      if (s.bad_mark)
        bad = sd_fail (err, SD_EINVAL, "%s: the predecessors do not agree with the counts of moves",
                       game->name);
      st = sd_agree (t, bad, err);
    } else if (err->status != st) {
      sd_fail (err, st, "%s: the ranks could not exchange marks: %s", game->name, sd_strerror (st));
    }
  }
  if (st == SD_OK)
    st = collect_stats (&s, &save, stats ? stats : &mine);
  if (st == SD_OK) {
    to_values (s.rec, s.nlocal);
    *value = (sd_value *) s.rec;
    s.rec = NULL;
  }
  free (pred);
  free (s.rec);
  sd_marks_free (&s);
  return st;
}

int sd_solve (const sd_game *game, const sd_transport *t, const sd_progress *progress, sd_value **value,
              sd_solve_stats *stats, sd_error *err) {
  return sd_solve_resumable (game, t, NULL, progress, value, stats, err);
}
