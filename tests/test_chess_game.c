/* The chess game of the solver against sd_moves: slow, one position at a time.
 *
 * The sub-endings are filled with arbitrary values, a hash of side and slot. So no ending needs another one
 * to be solved first, and a look-up in the wrong slot is seen. Values: it is enough that each follows from
 * those of its moves, because by induction over the distance only one assignment of values does. */
#include "config.h"
#include "gen/chess_internal.h"
#include "solve_values.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  sd_exacts *s;
  sd_values *values; /* of s */
  sd_exact *own;     /* slots and values of the ending itself */
  sd_game g;
  const sd_chess *c;
} fixture;

static void fill (sd_exact *e) {
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      uint64_t seed = 2 * i + side + sd_material_key (&e->material), r = sd_random (&seed);
      int v = 1 + 2 * (int) (r % 20);
      e->value[side][i] = (sd_value) (r >> 32 & 1 ? 0 : r >> 33 & 1 ? v : -v);
    }
}

/* As sd_exact_new, but all drawn and without touching the memory: large endings stay cheap. */
static sd_exact *drawn (const sd_material *m) {
  sd_layout layout;
  sd_exact *e = calloc (1, sizeof *e);
  cr_assert_not_null (e);
  e->material = *m;
  e->nsides = sd_material_symmetric (m) ? 1 : 2;
  sd_layout_kings_first (m, &layout);
  cr_assert_eq (sd_indexer_new (&layout, &e->indexer, NULL), SD_OK);
  e->n = sd_indexer_size (e->indexer);
  for (unsigned side = 0; side < e->nsides; side++)
    cr_assert_not_null (e->value[side] = calloc (e->n, sizeof (sd_value)));
  return e;
}

static fixture open_ending (const char *name, bool filled) {
  fixture f;
  sd_material m, next[64];
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (sd_exacts_new (NULL, &f.s, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, 0, &f.values, &err), SD_OK);
  unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++) {
    sd_exact *e = drawn (&next[i]);
    if (filled)
      fill (e);
    cr_assert_eq (sd_exacts_put (f.s, e), SD_OK);
    cr_assert_eq (sd_values_use (f.values, e, &err), SD_OK, "%s", err.text);
  }
  f.own = drawn (&m);
  cr_assert_eq (sd_chess_game_new (f.values, &m, &f.g, &err), SD_OK, "%s", err.text);
  f.c = f.g.ctx;
  return f;
}

static void close_ending (fixture *f) {
  sd_chess_game_free (&f->g);
  sd_exact_free (f->own);
  sd_values_free (f->values);
  sd_exacts_free (f->s);
}

/* The position of a state by the indexer; false: none. */
static bool position (const fixture *f, sd_state s, sd_pos *p) {
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

static sd_state state_of (const fixture *f, const sd_pos *pos) {
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

static bool converts (const sd_move *m) {
  return m->captured != SD_NO_PIECE || m->promotion != SD_NO_PIECE;
}

static const char *fen_of (const sd_pos *p) {
  static char text[100];
  sd_pos_to_fen (p, text, sizeof text);
  return text;
}

static unsigned times (const sd_state *list, unsigned n, sd_state what) {
  unsigned k = 0;
  for (unsigned i = 0; i < n; i++)
    k += list[i] == what;
  return k;
}

/* The successors of s: each child as often as the child names s, and nothing else. */
static void check_succs (const fixture *f, sd_state s, const sd_state *child, unsigned children,
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
static bool check_state (const fixture *f, sd_state s) {
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
    sd_value v;
    cr_assert_eq (sd_exacts_value (f->s, &q, &v), SD_OK);
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
static void check_preds (const fixture *f, sd_state s) {
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

static int by_state (const void *a, const void *b) {
  const sd_state x = *(const sd_state *) a, y = *(const sd_state *) b;
  return (x > y) - (x < y);
}

/* Predecessors of a run are those of its states, one by one. Returns how many states it had. */
static unsigned check_run (const fixture *f, sd_state first, uint64_t seed) {
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
      from[m++] = run[i].first + sd_lowest (w);
  }
  cr_assert_eq (n, m, "%s: %u predecessors of %u states from %ju on, %u in runs", f->g.name, n, states,
                (uintmax_t) first, m);
  qsort (pred, n, sizeof *pred, by_state);
  qsort (from, m, sizeof *from, by_state);
  cr_assert_arr_eq (pred, from, n * sizeof *pred, "%s: states from %ju on", f->g.name, (uintmax_t) first);
  return states;
}

/* 64 states at once are told as they are one by one. */
static void check_batch (const fixture *f, sd_state first) {
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

static void check_values (const fixture *f, const sd_value *value, sd_state s) {
  sd_move move[SD_MAX_MOVES];
  sd_pos p, q;
  if (!position (f, s, &p)) {
    cr_assert_eq (value[s], SD_ILLEGAL);
    return;
  }
  unsigned n = sd_moves (&p, SD_MOVES_ALL, move);
  sd_value best = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_value v;
    sd_pos_apply (&p, &move[i], &q);
    if (converts (&move[i]))
      cr_assert_eq (sd_exacts_value (f->s, &q, &v), SD_OK);
    else
      v = value[state_of (f, &q)];
    v = sd_value_back (v);
    if (i == 0 || sd_value_compare (v, best) > 0)
      best = v;
  }
  if (n == 0)
    best = sd_in_check (&p, p.stm) ? -1 : 0;
  cr_assert_eq (value[s], best, "%s: %d, its moves say %d", fen_of (&p), value[s], best);
}

/* Positions with both kings on the long diagonal, where multiplicities differ, and en-passant states are
 * rare: more of them. */
static sd_state draw (const fixture *f, uint64_t *seed, unsigned k) {
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

static void check_moves (const fixture *f, unsigned samples) {
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

static void check_ending (const char *name, unsigned samples) {
  fixture f = open_ending (name, true);
  check_moves (&f, samples);
  sd_transport t;
  sd_value *value;
  sd_solve_stats stats;
  sd_error err = { 0 };
  sd_transport_self (&t);
  cr_assert_eq (solve_values (NULL, &f.g, &t, NULL, &value, &stats, &err), SD_OK, "%s", err.text);
  uint64_t plain = f.own->nsides * f.own->n;
  uint64_t step = plain / (5 * samples) + 1;
  for (sd_state s = 0; s < plain; s += step)
    check_values (&f, value, s);
  for (sd_state s = plain; s < f.g.nstates; s++)
    check_values (&f, value, s);
  free (value);
  close_ending (&f);
}

Test (chess_game, agrees_with_move_by_move_play_on_all_states_of_three_men) {
  check_ending ("KQvK", 1000000);
  check_ending ("KRvK", 1000000);
  check_ending ("KBvK", 1000000);
  check_ending ("KNvK", 1000000);
  check_ending ("KPvK", 1000000);
}
Test (chess_game, agrees_with_play_without_pawns) {
  check_ending ("KQvKR", 60000);
  check_ending ("KBvKN", 60000);
  check_ending ("KRNvK", 60000);
}
Test (chess_game, agrees_with_play_when_both_sides_are_equal) {
  check_ending ("KRvKR", 60000);
  check_ending ("KQvKQ", 60000);
  check_ending ("KBvKB", 60000);
}
Test (chess_game, agrees_with_play_with_equal_pieces) {
  check_ending ("KNNvK", 60000);
  check_ending ("KQQvK", 60000);
  check_ending ("KPPvK", 60000);
}
Test (chess_game, agrees_with_play_with_pawns_and_en_passant) {
  check_ending ("KPvKP", 100000);
  check_ending ("KRvKP", 60000);
}
/* Here en-passant captures can be illegal, two pawns can have the right against them, and a double step can
 * answer one. */
Test (chess_game, moves_and_marks_agree_with_en_passant_among_five_men) {
  static const char *const names[] = { "KRPvKP", "KPPvKP", "KBPvKP" };
  for (unsigned i = 0; i < 3; i++) {
    fixture f = open_ending (names[i], false);
    check_moves (&f, 20000);
    close_ending (&f);
  }
}

Test (chess_game, states_of_a_row_are_told_as_one_by_one) {
  static const char *const names[] = { "KQRvKQ", "KRPvK", "KNNNvK", "KRvKP", "KPvKP", "KPPvK" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    fixture f = open_ending (names[i], true);
    uint64_t seed = i;
    for (unsigned k = 0; k < 10000; k++)
      check_batch (&f, draw (&f, &seed, 2 * k % 16) % (f.g.nstates - 63));
    close_ending (&f);
  }
}
/* Rows by a piece of either side, by a pawn, by the lowest of two and three equal pieces, state by state
 * where sides are equal; positions with both kings on the diagonal among them. */
Test (chess_game, predecessors_of_runs_are_those_of_their_states) {
  static const char *const names[] = { "KQvK",   "KPvK",   "KNNvK",  "KRvKR",  "KRvKP",  "KQRvKQ",
                                       "KRPvKR", "KQQQvK", "KNNvKN", "KNNvKR", "KPPPvK", "KNPPvK",
                                       "KPPvKB", "KPvKP",  "KRPvKP", "KPPvKP" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    fixture f = open_ending (names[i], false);
    uint64_t seed = i, states = 0;
    for (unsigned k = 0; k < 12000; k++) {
      const uint64_t r = sd_random (&seed), pair = r % 8;
      sd_state s = sd_random (&seed) % (f.g.nstates - 64);
      if (pair == 0 && !f.c->has_pawns) /* a1 and c3 */
        s = f.c->kings->at[0][18].digit * f.c->kings_stride + s % f.c->kings_stride;
      states += check_run (&f, s, r);
    }
    cr_expect_gt (states, 4000, "%s", names[i]);
    close_ending (&f);
  }
}

Test (chess_game, three_men_have_the_published_counts_and_longest_mates) {
  static const struct {
    const char *name;
    uint64_t won, positions[2];
    sd_value longest;
  } known[] = { { "KQvK", 18081, { 18081, 28056 }, 19 },
                { "KRvK", 21959, { 21959, 28056 }, 31 },
                { "KBvK", 0, { 24178, 28056 }, 0 },
                { "KNvK", 0, { 25750, 28056 }, 0 },
                { "KPvK", 62480, { 81664, 84012 }, 55 } };
  sd_exacts *s;
  sd_values *values;
  sd_transport t;
  sd_error err = { 0 };
  sd_transport_self (&t);
  cr_assert_eq (sd_exacts_new (NULL, &s, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, 0, &values, &err), SD_OK);
  for (unsigned i = 0; i < 5; i++) {
    sd_material m;
    sd_game g;
    sd_exact *e;
    sd_value *value;
    sd_solve_stats stats;
    sd_counts k;
    cr_assert_eq (sd_material_parse (known[i].name, &m, &err), SD_OK);
    cr_assert_eq (sd_chess_game_new (values, &m, &g, &err), SD_OK, "%s", err.text);
    cr_assert_eq (solve_values (NULL, &g, &t, NULL, &value, &stats, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_exact_new (&m, &e, &err), SD_OK);
    for (unsigned side = 0; side < 2; side++) {
      memcpy (e->value[side], value + side * e->n, e->n * sizeof *value);
      sd_exact_count (e, side, &k);
      cr_expect_eq (k.positions, known[i].positions[side], "%s", known[i].name);
      if (side == SD_WHITE)
        cr_expect (k.won == known[i].won && k.longest_win == known[i].longest, "%s: %ju won, longest %d",
                   known[i].name, (uintmax_t) k.won, k.longest_win);
    }
    free (value);
    cr_assert_eq (sd_exacts_put (s, e), SD_OK);
    cr_assert_eq (sd_values_use (values, e, &err), SD_OK, "%s", err.text);
    sd_chess_game_free (&g);
  }
  sd_values_free (values);
  sd_exacts_free (s);
}

Test (chess_game, a_missing_sub_ending_is_named) {
  sd_values *s;
  sd_material m;
  sd_game g;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (NULL, 0, &s, &err), SD_OK);
  cr_assert_eq (sd_material_parse ("KQvKR", &m, &err), SD_OK);
  cr_expect_eq (sd_chess_game_new (s, &m, &g, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "KQvKR: ") == err.text, "%s", err.text);
  cr_expect_null (g.ctx);
  sd_values_free (s);
}

Test (chess_game, the_weaker_side_cannot_stand_first) {
  sd_values *s;
  sd_material m;
  sd_game g;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (NULL, 0, &s, &err), SD_OK);
  cr_assert_eq (sd_material_parse ("KPvKQ", &m, &err), SD_OK);
  cr_expect_eq (sd_chess_game_new (s, &m, &g, &err), SD_EINVAL);
  sd_values_free (s);
}

Test (chess_game, states_beyond_the_end_are_refused) {
  fixture f = open_ending ("KQvK", true);
  sd_state_info info[2];
  sd_error err = { 0 };
  cr_expect_eq (f.g.init (f.g.ctx, f.g.nstates - 1, 1, info, &err), SD_OK);
  cr_expect_eq (f.g.init (f.g.ctx, f.g.nstates - 1, 2, info, &err), SD_ERANGE);
  cr_expect_eq (f.g.init (f.g.ctx, f.g.nstates, 1, info, &err), SD_ERANGE);
  cr_expect_eq (f.g.init (f.g.ctx, 2, UINT64_MAX, info, &err), SD_ERANGE);
  close_ending (&f);
}
