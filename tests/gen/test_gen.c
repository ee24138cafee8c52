/* The solver on games with a known answer, and on small chess endings, by one process; order and estimates.
 */
#include "config.h"
#include "gen/gen.h"
#include "tests/gen/endings.h"
#include "tests/gen/solve_values.h"
#include "tests/gen/toy_game.h"
#include <criterion/criterion.h>
#include <inttypes.h>

static sd_transport self (void) {
  sd_transport t;
  sd_transport_self (&t);
  return t;
}

struct shape {
  uint64_t n;
  unsigned max_moves, reach, longest;
};
static const struct shape shapes[] = { { 1, 1, 1, 1 },      { 7, 2, 3, 2 },      { 64, 3, 5, 3 },
                                       { 65, 1, 4, 9 },     { 1000, 4, 9, 40 },  { 3000, 2, 3, 100 },
                                       { 20000, 6, 40, 7 }, { 500, 60, 30, 250 } };

Test (solver, random_games_get_the_values_of_the_forward_oracle) {
  sd_transport t = self ();
  unsigned won = 0, lost = 0, drawn = 0, longest = 0;
  for (unsigned k = 0; k < 8 * sizeof shapes / sizeof *shapes; k++) {
    const struct shape *s = &shapes[k / 8];
    toy *game = toy_new (s->n, s->max_moves, s->reach, s->longest, k);
    sd_game g = toy_game (game, s->max_moves);
    sd_value *value, *expected = toy_solve (game, s->longest);
    sd_solve_stats stats;
    sd_error err = { 0 };
    cr_assert_eq (solve_values (NULL, &g, &t, NULL, &value, &stats, &err), SD_OK, "shape %u: %s", k,
                  err.text);
    for (uint64_t p = 0; p < s->n; p++) {
      cr_assert_eq (value[p], expected[p], "game %u, state %" PRIu64 ": %d, expected %d", k, p, value[p],
                    expected[p]);
      won += value[p] > 0, lost += value[p] < 0 && value[p] != SD_ILLEGAL, drawn += value[p] == 0;
    }
    longest = stats.plies > longest ? stats.plies : longest;
    cr_expect_eq (stats.states, s->n);
    free (value);
    free (expected);
    toy_free (game);
  }
  cr_expect (won > 1000 && lost > 1000 && drawn > 1000 && longest > 50,
             "won %u, lost %u, drawn %u, longest %u: the games are too easy", won, lost, drawn, longest);
}

/* Games by hand: a chain of states 0 <- 1 <- 2 ... of single moves, changed by each test. */
enum { CHAIN = 6 };
static sd_state_info chain[CHAIN];

static unsigned chain_preds (const void *ctx, sd_state q, sd_state *out) {
  (void) ctx;
  out[0] = q + 1;
  return q + 1 < CHAIN;
}
static int chain_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  (void) ctx, (void) err;
  for (uint64_t k = 0; k < count; k++)
    out[k] = chain[first + k];
  return SD_OK;
}
static sd_game chain_game (void) {
  for (unsigned i = 0; i < CHAIN; i++)
    chain[i] = (sd_state_info){ .exists = true, .moves = i > 0 };
  return (sd_game){ .name = "chain",
                    .nstates = CHAIN,
                    .max_moves = 200,
                    .max_preds = 1,
                    .init = chain_init,
                    .preds = chain_preds };
}
static int solve_chain (const sd_game *g, sd_value out[CHAIN], sd_error *err) {
  sd_transport t = self ();
  sd_value *value;
  int st = solve_values (NULL, g, &t, NULL, &value, NULL, err);
  if (st == SD_OK)
    memcpy (out, value, CHAIN * sizeof *value);
  free (value);
  return st;
}
#define EXPECT_CHAIN(...)                                                                                    \
  do {                                                                                                       \
    const sd_value want[CHAIN] = { __VA_ARGS__ };                                                            \
    sd_value got[CHAIN];                                                                                     \
    sd_error err = { 0 };                                                                                    \
    cr_assert_eq (solve_chain (&g, got, &err), SD_OK, "%s", err.text);                                       \
    for (unsigned i = 0; i < CHAIN; i++)                                                                     \
      cr_expect_eq (got[i], want[i], "state %u: %d, expected %d", i, got[i], want[i]);                       \
  } while (0)

Test (solver, a_mate_makes_the_chain_won_and_lost_in_turn) {
  sd_game g = chain_game ();
  chain[0].terminal_lost = true;
  EXPECT_CHAIN (-1, 1, -3, 3, -5, 5);
}
Test (solver, a_game_that_is_won_on_the_board_counts_as_won_in_one) {
  sd_game g = chain_game ();
  chain[0].terminal_won = true;
  EXPECT_CHAIN (1, -3, 3, -5, 5, -7);
}
Test (solver, a_stalemate_is_drawn_and_draws_what_leads_to_it) {
  sd_game g = chain_game ();
  EXPECT_CHAIN (0, 0, 0, 0, 0, 0);
}
Test (solver, only_losing_conversions_lose_without_any_mark) {
  sd_game g = chain_game ();
  chain[0].loss = 40;
  EXPECT_CHAIN (-41, 41, -43, 43, -45, 45);
}
Test (solver, a_long_losing_conversion_delays_the_loss) {
  sd_game g = chain_game ();
  chain[0].terminal_lost = true;
  chain[2].loss = 60;
  EXPECT_CHAIN (-1, 1, -61, 61, -63, 63);
}
Test (solver, a_drawn_conversion_saves) {
  sd_game g = chain_game ();
  chain[0].terminal_lost = true;
  chain[2].moves++;
  EXPECT_CHAIN (-1, 1, 0, 0, 0, 0);
}
Test (solver, the_quicker_of_conversion_and_inner_win_counts) {
  sd_game g = chain_game ();
  chain[0].terminal_lost = true;
  chain[1].win = 7;
  chain[3].win = 1;
  EXPECT_CHAIN (-1, 1, -3, 1, -3, 3);
}
Test (solver, states_that_do_not_exist_take_no_part) {
  sd_game g = chain_game ();
  chain[0].terminal_lost = true;
  chain[1].exists = false;
  chain[2].moves = 0;
  EXPECT_CHAIN (-1, SD_ILLEGAL, 0, 0, 0, 0);
}
Test (solver, iterations_without_news_do_not_end_the_search) {
  sd_game g = chain_game ();
  chain[0].win = 101;
  chain[5].win = 2001;
  EXPECT_CHAIN (101, -103, 103, -105, 105, 2001);
}
Test (solver, a_distance_that_does_not_fit_is_refused_with_the_state) {
  sd_game g = chain_game ();
  chain[0].terminal_lost = true;
  chain[2].loss = 2 * 163; /* 201 times 163 numbers fit 15 bits */
  sd_value v[CHAIN];
  sd_error err = { 0 };
  cr_expect_eq (solve_chain (&g, v, &err), SD_ERANGE);
  cr_expect (strstr (err.text, "state 2") && strstr (err.text, "326"), "%s", err.text);
  chain[2].loss = 2 * 162;
  cr_expect_eq (solve_chain (&g, v, &err), SD_OK);
  cr_expect_eq (v[2], -325);
  g.max_moves = 100000;
  cr_expect_eq (solve_chain (&g, v, &err), SD_ERANGE);
}
Test (solver, more_moves_than_the_game_promised_are_refused) {
  sd_game g = chain_game ();
  chain[4].moves = 201;
  sd_value v[CHAIN];
  sd_error err = { 0 };
  cr_expect_eq (solve_chain (&g, v, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "state 4"), "%s", err.text);
}
Test (solver, predecessors_that_contradict_the_counts_are_noticed) {
  sd_game g = chain_game ();
  chain[0].terminal_won = true;
  chain[1].moves = 0;
  sd_value v[CHAIN];
  sd_error err = { 0 };
  cr_expect_eq (solve_chain (&g, v, &err), SD_EINVAL);
}
static unsigned wild_preds (const void *ctx, sd_state q, sd_state *out) {
  (void) ctx, (void) q;
  out[0] = UINT64_MAX;
  return 1;
}
Test (solver, predecessors_beyond_the_last_state_are_noticed) {
  sd_game g = chain_game ();
  g.preds = wild_preds;
  chain[0].terminal_lost = true;
  sd_value v[CHAIN];
  sd_error err = { 0 };
  cr_expect_eq (solve_chain (&g, v, &err), SD_EINVAL);
}
static int failing_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  (void) ctx, (void) first, (void) count, (void) out;
  return sd_fail (err, SD_ENOENT, "KQvK.dtm.sdt: missing");
}

Test (solver, a_failure_of_the_game_is_passed_on) {
  sd_game g = chain_game ();
  g.init = failing_init;
  sd_value v[CHAIN];
  sd_error err = { 0 };
  cr_expect_eq (solve_chain (&g, v, &err), SD_ENOENT);
  cr_expect_str_eq (err.text, "KQvK.dtm.sdt: missing");
}

/* ------------------------------------------------------------------ building */

static void materials (const char *const *name, unsigned n, sd_material *out) {
  sd_error err = { 0 };
  for (unsigned i = 0; i < n; i++)
    cr_assert_eq (sd_material_parse (name[i], &out[i], &err), SD_OK, "%s", err.text);
}

/* Every ending once, and each behind what it depends on. */
static void expect_ordered (const sd_material *m, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    sd_material next[64], canonical;
    unsigned k = sd_material_successors (&m[i], next);
    sd_material_canonical (&m[i], &canonical);
    cr_expect (sd_material_equal (&m[i], &canonical), "ending %u is not canonical", i);
    for (unsigned j = 0; j < k; j++) {
      unsigned found = 0;
      for (unsigned l = 0; l < i; l++)
        found += sd_material_equal (&m[l], &next[j]);
      cr_expect_eq (found, 1u, "ending %u: successor %u stands %u times before it", i, j, found);
    }
  }
}

Test (order, an_ending_comes_with_everything_below_it) {
  const char *const name[] = { "KPvKR", "KRvKP", "KQvK" };
  sd_material m[3], *order = NULL;
  unsigned n;
  sd_error err = { 0 };
  materials (name, 3, m);
  cr_assert_eq (gen_order (m, 3, &order, &n, &err), SD_OK, "%s", err.text);
  /* KRvKP; KQvKR, KRvKR, KRvKB, KRvKN by promotion; KQvK, KRvK, KBvK, KNvK, KPvK by capture */
  cr_expect_eq (n, 10u, "%u endings", n);
  expect_ordered (order, n);
  cr_expect (sd_material_equal (&order[n - 1], &m[1]) || sd_material_equal (&order[0], &m[2]));
  free (order);
}

Test (order, five_men_bring_all_that_promotion_and_capture_lead_to) {
  const char *const name[] = { "KPPvKP" };
  sd_material m[1], *order = NULL;
  unsigned n;
  sd_error err = { 0 };
  materials (name, 1, m);
  cr_assert_eq (gen_order (m, 1, &order, &n, &err), SD_OK, "%s", err.text);
  expect_ordered (order, n);
  free (order);
}

Test (order, two_kings_alone_are_refused) {
  sd_slice slice;
  sd_error err = { 0 };
  cr_expect_eq (sd_rules_slice (&chess_rules, "KvK", &slice, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "two kings alone"), "%s", err.text);
}

Test (order, each_ending_has_a_number_of_its_own) {
  sd_material all[400];
  for (unsigned men = 3; men <= 5; men++) {
    const unsigned n = sd_material_all (men, all, 400);
    for (unsigned i = 0; i < n && i < 400; i++) {
      const sd_material back = sd_chess_material (sd_chess_slice (&all[i]));
      cr_expect (sd_material_equal (&back, &all[i]));
    }
  }
}

Test (estimate, slots_are_those_of_the_index_and_memory_grows_with_the_ranks) {
  const char *const name[] = { "KQvK", "KQvKQ", "KQvKR" };
  const uint64_t slots[] = { 2 * 462 * 64, 462 * 64 * 64, 2 * 462 * 64 * 64 };
  sd_material m[3];
  sd_error err = { 0 };
  materials (name, 3, m);
  for (unsigned i = 0; i < 3; i++) {
    sd_estimate one, four;
    cr_assert_eq (sd_gen_estimate (&m[i], NULL, &one, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_gen_estimate (&m[i], &(sd_estimate_run){ .ranks = 4 }, &four, &err), SD_OK, "%s",
                  err.text);
    cr_expect_eq (one.slots, slots[i], "%s: %" PRIu64 " slots", name[i], one.slots);
    cr_expect (four.memory_bytes > one.memory_bytes && one.memory_bytes > 2 * one.slots);
    cr_expect (one.disk_bytes > 0 && one.disk_bytes < one.slots && one.cpu_s > 0);
  }
}

/* Positions of KQvK and KRvK by distance to mate, solved here and now; the whole histograms are compared in
 * test_truth.c. */
Test (chess, queen_and_rook_mate_in_10_and_16_from_everywhere) {
  const char *const name[] = { "KQvK", "KRvK" };
  const uint64_t positions[] = { 18081, 21959 };
  const int longest[] = { 19, 31 };
  sd_transport t = self ();
  sd_material m[2];
  sd_error err = { 0 };
  materials (name, 2, m);
  for (unsigned i = 0; i < 2; i++) {
    sd_values *s;
    sd_exact *e;
    sd_solve_stats stats;
    sd_counts c;
    cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &s, &err), SD_OK, "%s", err.text);
    cr_assert_eq (gen_solve (NULL, s, &t, &m[i], NULL, &e, &stats, &err), SD_OK, "%s", err.text);
    sd_exact_count (e, SD_WHITE, &c);
    cr_expect (c.won == positions[i] && c.drawn == 0 && c.lost == 0, "%s: %" PRIu64 " won of %" PRIu64,
               name[i], c.won, c.positions);
    cr_expect_eq (c.longest_win, longest[i], "%s: %d plies", name[i], c.longest_win);
    sd_exact_count (e, SD_BLACK, &c);
    cr_expect_eq (c.longest_loss, -longest[i] - 2, "%s: %d", name[i], c.longest_loss);
    sd_exact_free (e);
    sd_values_free (s);
  }
}

Test (chess, a_missing_sub_ending_is_named) {
  const char *const name[] = { "KQvKR" };
  sd_transport t = self ();
  sd_material m[1];
  sd_values *s;
  sd_exact *e;
  sd_error err = { 0 };
  materials (name, 1, m);
  cr_assert_eq (sd_values_new ("/nowhere", SD_USUAL_EXACT, &s, &err), SD_OK, "%s", err.text);
  cr_expect_eq (gen_solve (NULL, s, &t, &m[0], NULL, &e, NULL, &err), SD_ENOENT);
  cr_expect (strstr (err.text, ".dtm.sdt") && strstr (err.text, "/nowhere"), "%s", err.text);
  sd_values_free (s);
}
