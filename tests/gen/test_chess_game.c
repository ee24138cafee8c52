/* The chess game of the solver against sd_moves.
 *
 * The sub-endings are filled with arbitrary values, a hash of side and slot. So no ending needs another one
 * to be solved first, and a look-up in the wrong slot is seen. Values: it is enough that each follows from
 * those of its moves, because by induction over the distance only one assignment of values does. */
#include "config.h"
#include "tests/gen/chess_game.h"
#include "gen/games/chess/chess_game.h"
#include "tests/gen/solve_values.h"

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
  sd_exact *e = shape_of (m);
  for (unsigned side = 0; side < e->nsides; side++)
    cr_assert_not_null (e->value[side] = calloc (e->n, sizeof (sd_value)));
  return e;
}

static sd_value of_exacts (const fixture *f, const sd_pos *p) {
  sd_value v;
  cr_assert_eq (sd_values_of (f->values, p, &v), SD_OK);
  return v;
}

static fixture open_ending (const char *name, bool filled) {
  fixture f = { .conversion = of_exacts };
  sd_material m, next[64];
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &f.values, &err), SD_OK);
  unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++) {
    sd_exact *e = drawn (&next[i]);
    if (filled)
      fill (e);
    cr_assert_eq (sd_values_put (f.values, e), SD_OK);
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
      v = f->conversion (f, &q);
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
/* Positions of larger endings that are looked at. */
static unsigned some (void) {
  return 60000 / sd_every (3);
}

Test (chess_game, agrees_with_play_without_pawns) {
  check_ending ("KQvKR", some ());
  check_ending ("KBvKN", some ());
  check_ending ("KRNvK", some ());
}
Test (chess_game, agrees_with_play_when_both_sides_are_equal) {
  check_ending ("KRvKR", some ());
  check_ending ("KQvKQ", some ());
  check_ending ("KBvKB", some ());
}
Test (chess_game, agrees_with_play_with_equal_pieces) {
  check_ending ("KNNvK", some ());
  check_ending ("KQQvK", some ());
  check_ending ("KPPvK", some ());
}
Test (chess_game, agrees_with_play_with_pawns_and_en_passant) {
  check_ending ("KPvKP", some ());
  check_ending ("KRvKP", some ());
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
  static const char *const names[] = { "KQRvKQ", "KRPvK",  "KNNNvK", "KRvKP", "KPvKP",
                                       "KPPvK",  "KRBBvK", "KQNNvK", "KNNvKP" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    fixture f = open_ending (names[i], true);
    uint64_t seed = i;
    for (unsigned k = 0; k < 10000 / sd_every (3); k++)
      check_batch (&f, draw (&f, &seed, 2 * k % 16) % (f.g.nstates - 63));
    close_ending (&f);
  }
}
/* Rows by a piece of either side, by a pawn, by the lowest of two and three equal pieces, state by state
 * where sides are equal; positions with both kings on the diagonal among them. */
Test (chess_game, predecessors_of_runs_are_those_of_their_states) {
  static const char *const names[] = { "KQvK",   "KPvK",   "KNNvK",  "KRvKR",  "KRvKP",  "KQRvKQ", "KRPvKR",
                                       "KQQQvK", "KNNvKN", "KNNvKR", "KPPPvK", "KNPPvK", "KPPvKB", "KPvKP",
                                       "KRPvKP", "KPPvKP", "KRBBvK", "KNPvK",  "KNNvKP" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    fixture f = open_ending (names[i], false);
    uint64_t seed = i, states = 0;
    for (unsigned k = 0; k < 12000 / sd_every (3); k++) {
      const uint64_t r = sd_random (&seed), pair = r % 8;
      sd_state s = sd_random (&seed) % (f.g.nstates - 64);
      if (pair == 0 && !f.c->has_pawns) /* a1 and c3 */
        s = f.c->kings->at[0][18].digit * f.c->kings_stride + s % f.c->kings_stride;
      states += check_run (&f, s, r);
    }
    cr_expect_gt (states, 4000 / sd_every (3), "%s", names[i]);
    close_ending (&f);
  }
}

/* Solved, and told one by one, by rows and by runs as they are solved. */
static sd_value *solve_part (const fixture *f, unsigned part, const sd_value *const *below) {
  fixture own = *f;
  sd_transport t;
  sd_value *value;
  sd_error err = { 0 };
  uint64_t seed = part;
  sd_transport_self (&t);
  cr_assert_eq (sd_chess_part (f->c, part, below, &own.g, &err), SD_OK, "%s", err.text);
  own.c = own.g.ctx;
  cr_assert_eq (own.g.nstates, sd_chess_part_states (f->c, part));
  for (unsigned k = 0; k < 400; k++) {
    const sd_state s = sd_random (&seed) % (own.g.nstates - 63);
    check_batch (&own, s);
    if (own.g.preds_of_run)
      check_run (&own, s, seed);
  }
  cr_assert_eq (solve_values (NULL, &own.g, &t, NULL, &value, NULL, &err), SD_OK, "%s", err.text);
  sd_chess_part_free (&own.g);
  return value;
}

/* Sub-endings have arbitrary values, so that captures in passing matter, of a pawn that could not move else,
 * too. */
Test (chess_game, parts_have_the_values_of_the_whole) {
  static const char *const names[] = { "KPvK", "KRvKP", "KPvKP", "KPPvK", "KNPvK" };
  const unsigned n_names = sd_long_tests () ? 5 : 4;
  for (unsigned i = 0; i < n_names; i++) {
    fixture f = open_ending (names[i], true);
    sd_value *whole, *part[SD_CHESS_PARTS] = { NULL }, row[1000];
    sd_transport t;
    sd_error err = { 0 };
    sd_transport_self (&t);
    cr_assert_eq (solve_values (NULL, &f.g, &t, NULL, &whole, NULL, &err), SD_OK, "%s", err.text);
    for (unsigned k = 0; k < f.c->parts.n; k++)
      part[k] = solve_part (&f, k, (const sd_value *const *) part);
    const uint64_t slots = f.c->nsides * f.c->n;
    for (sd_state s = 0; s < slots; s += 1000) {
      const uint64_t n = slots - s < 1000 ? slots - s : 1000;
      sd_chess_read_parts (f.c, (const sd_value *const *) part, s, n, row);
      for (uint64_t j = 0; j < n; j++)
        cr_assert_eq (row[j], whole[s + j], "%s: state %ju: %d, in the whole ending %d", names[i],
                      (uintmax_t) (s + j), row[j], whole[s + j]);
    }
    for (unsigned k = 0; k < f.c->parts.n; k++)
      free (part[k]);
    free (whole);
    close_ending (&f);
  }
}

/* A single pawn of a large ending: each file and its mirror image with all steps before the next. */
Test (chess_game, parts_of_a_large_ending_are_files_and_ranks) {
  sd_material m;
  sd_game g;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse ("KRPvKR", &m, &err), SD_OK);
  cr_assert_eq (sd_chess_game_new (NULL, &m, &g, &err), SD_OK, "%s", err.text);
  cr_assert_eq (g.parts, 21, "of all files where it promotes next, else of one");
  for (unsigned k = 0; k < g.parts; k++)
    cr_expect_eq (g.part_states (g.ctx, k), g.read_states / (k ? 24 : 6));
  sd_chess_game_free (&g);
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
  sd_values *values;
  sd_transport t;
  sd_error err = { 0 };
  sd_transport_self (&t);
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &values, &err), SD_OK);
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
    cr_assert_eq (sd_values_put (values, e), SD_OK);
    sd_chess_game_free (&g);
  }
  sd_values_free (values);
}

Test (chess_game, a_missing_sub_ending_is_named) {
  sd_values *s;
  sd_material m;
  sd_game g;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &s, &err), SD_OK);
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
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &s, &err), SD_OK);
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
