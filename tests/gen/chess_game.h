/* The chess game of the solver against sd_moves: slow, one position at a time; and its rows of states against
 * single ones. */
#ifndef CHESS_GAME_H
#define CHESS_GAME_H

#include "gen/games/chess/chess_internal.h"
#include "tests/base/long_tests.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  /* what a conversion is worth for the side to move after it */
  sd_value (*conversion) (const struct fixture *f, const sd_pos *p);
  sd_values *values; /* of the sub-endings */
  void *made_up;     /* what made_values.h has instead of them */
  sd_exact *own;     /* the ending itself: its slots; values only where the ending is to be solved */
  sd_game g;
  const sd_chess *c;
} fixture;

/* The slots of an ending. */
static inline sd_exact *shape_of (const sd_material *m) {
  sd_layout layout;
  sd_exact *e = calloc (1, sizeof *e);
  cr_assert_not_null (e);
  e->material = *m;
  e->nsides = sd_material_symmetric (m) ? 1 : 2;
  sd_layout_kings_first (m, &layout);
  cr_assert_eq (sd_indexer_new (&layout, &e->indexer, NULL), SD_OK);
  e->n = sd_indexer_size (e->indexer);
  return e;
}

/* The position of a state by the indexer; false: none. */
static inline bool position (const fixture *f, sd_state s, sd_pos *p) {
  uint8_t sq[SD_MAX_MEN];
  uint64_t n = f->own->n;
  if (s < f->own->nsides * n) {
    if (!sd_index_squares (f->own->indexer, s % n, sq))
      return false;
    sd_pos_from_squares (&f->own->material, sq, (unsigned) (s / n), p);
    return sd_pos_legal (p);
  }
  sd_chess_place q;
  sd_chess_decode (f->c, s, &q);
  if (!sd_index_squares (f->own->indexer, q.slot, sq))
    return false;
  sd_pos_from_squares (&f->own->material, sq, q.stm, p);
  if (!sd_pos_legal (p))
    return false;
  const sd_chess_push push = sd_chess_push_of (1 - q.stm, q.ep);
  if ((p->occ[0] | p->occ[1]) & (sd_bit (push.behind) | sd_bit (push.origin)))
    return false;
  p->ep = (uint8_t) push.behind;
  sd_move move[SD_MAX_MOVES];
  unsigned n_moves = sd_moves (p, SD_MOVES_CAPTURES, move);
  while (n_moves > 0 && !move[n_moves - 1].en_passant)
    n_moves--;
  return n_moves > 0;
}

static inline sd_state state_of (const fixture *f, const sd_pos *pos) {
  sd_pos p = *pos;
  uint8_t sq[SD_MAX_MEN];
  if (f->own->nsides == 1 && p.stm == SD_BLACK)
    sd_pos_flip (pos, &p);
  if (p.ep == SD_NO_SQUARE) {
    sd_pos_to_squares (&f->own->material, &p, sq);
    return p.stm * f->own->n + sd_index_of (f->own->indexer, sq);
  }
  sd_chess_place q = { .stm = p.stm, .ep = p.ep & 7 };
  memcpy (q.by, p.by, sizeof q.by);
  for (unsigned colour = 0; colour < 2; colour++) {
    q.occ[colour] = p.occ[colour];
    q.king[colour] = (uint8_t) sd_lowest (p.by[colour][SD_KING]);
  }
  return sd_chess_ep_state (f->c, &q, q.ep);
}

static inline bool converts (const sd_move *m) {
  return m->captured != SD_NO_PIECE || m->promotion != SD_NO_PIECE;
}

static inline const char *fen_of (const sd_pos *p) {
  static char text[100];
  sd_pos_to_fen (p, text, sizeof text);
  return text;
}

static inline unsigned times (const sd_state *list, unsigned n, sd_state what) {
  unsigned k = 0;
  for (unsigned i = 0; i < n; i++)
    k += list[i] == what;
  return k;
}

/* The successors of s: each child as often as the child names s, and nothing else. */
static inline void check_succs (const fixture *f, sd_state s, const sd_state *child, unsigned children,
                                unsigned marks) {
  static sd_state succ[SD_MAX_MOVES], pred[1024];
  unsigned n = f->g.succs (f->g.ctx, s, succ);
  cr_assert (n == marks && n <= f->g.max_moves, "%s: state %ju: %u successors, %u marks", f->g.name,
             (uintmax_t) s, n, marks);
  for (unsigned i = 0; i < n; i++) {
    unsigned count = f->g.preds (f->g.ctx, succ[i], pred);
    cr_assert_gt (times (child, children, succ[i]), 0u, "%s: state %ju has no move to %ju", f->g.name,
                  (uintmax_t) s, (uintmax_t) succ[i]);
    cr_assert_eq (times (succ, n, succ[i]), times (pred, count, s), "%s: state %ju to %ju", f->g.name,
                  (uintmax_t) s, (uintmax_t) succ[i]);
  }
}

/* All that init and preds say of state s; returns whether it exists. */
static inline bool check_state (const fixture *f, sd_state s) {
  static sd_state pred[1024];
  sd_state child[SD_MAX_MOVES];
  sd_move move[SD_MAX_MOVES];
  sd_state_info info;
  sd_pos p, q;
  sd_error err = { 0 };
  cr_assert_eq (f->g.init (f->g.ctx, s, 1, &info, &err), SD_OK);
  bool exists = position (f, s, &p);
  cr_assert_eq (info.exists, exists, "%s: state %ju: exists %d", f->g.name, (uintmax_t) s, exists);
  if (!exists)
    return false;
  cr_assert_eq (state_of (f, &p), s, "%s: state %ju", fen_of (&p), (uintmax_t) s);
  unsigned n = sd_moves (&p, SD_MOVES_ALL, move), children = 0, marks = 0, kept = 0, win = 0, loss = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_pos_apply (&p, &move[i], &q);
    if (!converts (&move[i])) {
      child[children++] = state_of (f, &q);
      continue;
    }
    const sd_value v = f->conversion (f, &q);
    kept += v <= 0;
    if (v < 0 && (win == 0 || (unsigned) -v < win))
      win = (unsigned) -v;
    if (v > 0 && (unsigned) v + 1 > loss)
      loss = (unsigned) v + 1;
  }
  for (unsigned i = 0; i < children; i++)
    if (times (child, i, child[i]) == 0) {
      unsigned count = f->g.preds (f->g.ctx, child[i], pred);
      cr_assert_leq (count, f->g.max_preds);
      marks += times (pred, count, s);
    }
  if (n)
    check_succs (f, s, child, children, marks);
  cr_assert_leq (info.moves, f->g.max_moves);
  cr_assert_eq (info.moves, marks + kept, "%s: %u moves, %u marks and %u conversions that do not lose",
                fen_of (&p), info.moves, marks, kept);
  cr_assert (info.win == win && info.loss == loss, "%s: win %u loss %u, expected %u %u", fen_of (&p),
             info.win, info.loss, win, loss);
  cr_assert_eq (info.terminal_lost, n == 0 && sd_in_check (&p, p.stm), "%s", fen_of (&p));
  cr_assert_not (info.terminal_won);
  return true;
}

/* Each predecessor that exists has a move to q. */
static inline void check_preds (const fixture *f, sd_state s) {
  sd_state pred[1024];
  sd_move move[SD_MAX_MOVES];
  sd_pos p, q;
  unsigned count = f->g.preds (f->g.ctx, s, pred);
  for (unsigned i = 0; i < count; i++) {
    cr_assert_lt (pred[i], f->g.nstates);
    if (!position (f, pred[i], &p))
      continue;
    unsigned n = sd_moves (&p, SD_MOVES_ALL, move);
    bool found = false;
    for (unsigned k = 0; k < n && !found; k++)
      if (!converts (&move[k])) {
        sd_pos_apply (&p, &move[k], &q);
        found = state_of (f, &q) == s;
      }
    cr_assert (found, "%s has no move to state %ju", fen_of (&p), (uintmax_t) s);
  }
}

static inline int by_state (const void *a, const void *b) {
  const sd_state x = *(const sd_state *) a, y = *(const sd_state *) b;
  return (x > y) - (x < y);
}

/* Predecessors of a run are those of its states, one by one. Returns how many states it had. */
static inline unsigned check_run (const fixture *f, sd_state first, uint64_t seed) {
  static sd_state pred[64 * 1024], from[64 * 1024], *named;
  static sd_run run[64 * 1024];
  sd_state_info info[64];
  sd_run q = { first, 0 };
  const uint64_t some = sd_random (&seed) | sd_random (&seed);
  unsigned taken, n = 0, m = 0;
  cr_assert_eq (f->g.init (f->g.ctx, first, 64, info, NULL), SD_OK);
  for (unsigned i = 0; i < 64; i++)
    q.which |= (uint64_t) (info[i].exists && (i == 0 || some >> i & 1)) << i;
  if (!(q.which & 1))
    return 0;
  const unsigned runs = f->g.preds_of_run (f->g.ctx, q, &taken, run);
  cr_assert (taken > 0 && taken <= 64);
  unsigned states = 0;
  for (unsigned i = 0; i < taken; i++)
    if (q.which >> i & 1) {
      named = pred + n;
      n += f->g.preds (f->g.ctx, first + i, named);
      states++;
    }
  cr_assert_leq (runs, states * f->g.max_preds);
  for (unsigned i = 0; i < runs; i++) {
    cr_assert (run[i].which & 1);
    for (uint64_t w = run[i].which; w; w &= w - 1)
      from[m++] = run[i].first + sd_lowest (w) * (f->g.run_stride ? f->g.run_stride : 1);
  }
  cr_assert_eq (n, m, "%s: %u predecessors of %u states from %ju on, %u in runs", f->g.name, n, states,
                (uintmax_t) first, m);
  qsort (pred, n, sizeof *pred, by_state);
  qsort (from, m, sizeof *from, by_state);
  cr_assert_arr_eq (pred, from, n * sizeof *pred, "%s: states from %ju on", f->g.name, (uintmax_t) first);
  return states;
}

/* 64 states at once are told as they are one by one. */
static inline void check_batch (const fixture *f, sd_state first) {
  sd_state_info all[64], one;
  cr_assert_eq (f->g.init (f->g.ctx, first, 64, all, NULL), SD_OK);
  for (unsigned i = 0; i < 64; i++) {
    cr_assert_null (sd_chess_examine (f->c, first + i, &one));
    cr_assert (one.exists == all[i].exists && one.terminal_lost == all[i].terminal_lost
                   && one.moves == all[i].moves && one.win == all[i].win && one.loss == all[i].loss,
               "%s: state %ju: %u moves, win %u, loss %u; in its row %u moves, win %u, loss %u", f->g.name,
               (uintmax_t) (first + i), one.moves, one.win, one.loss, all[i].moves, all[i].win, all[i].loss);
  }
}

/* Positions with both kings on the long diagonal, where multiplicities differ, and en-passant states are
 * rare: more of them. */
static inline sd_state draw (const fixture *f, uint64_t *seed, unsigned k) {
  uint64_t r = sd_random (seed), plain = f->own->nsides * f->own->n;
  if (k % 4 == 1 && f->g.nstates > plain)
    return plain + r % (f->g.nstates - plain);
  if (k % 2 || f->c->has_pawns)
    return r % plain;
  sd_state s;
  do {
    s = sd_random (seed) % plain;
    const uint8_t *king = f->c->kings->square[s % f->own->n / f->c->kings_stride];
    r = king[0] % 9 + king[1] % 9;
  } while (r); /* a1, b2, .. are the multiples of 9 */
  return s;
}

static inline void check_moves (const fixture *f, unsigned samples) {
  uint64_t seed = 1, existing = 0, all = f->g.nstates <= samples;
  uint64_t n = all ? f->g.nstates : samples;
  cr_assert_eq (f->c->n, f->own->n);
  for (uint64_t k = 0; k < n; k++) {
    sd_state s = all ? k : draw (f, &seed, (unsigned) k);
    if (check_state (f, s)) {
      existing++;
      check_preds (f, s);
    }
  }
  cr_assert_gt (existing, n / 8, "%s: %ju of %ju states exist", f->g.name, (uintmax_t) existing,
                (uintmax_t) n);
}

#endif
