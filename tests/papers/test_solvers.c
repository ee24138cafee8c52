/* The solvers by name: the same values for the same game, and what they refuse. */
#include "config.h"
#include "gen/games/games.h"
#include "papers/retrograde/solvers/solvers.h"
#include "tests/gen/endings.h"
#include "tests/gen/solve_values.h"
#include "tests/gen/solved_draughts.h"
#include "tests/gen/toy_game.h"
#include <criterion/criterion.h>
#include <inttypes.h>

static sd_transport self (void) {
  sd_transport t;
  sd_transport_self (&t);
  return t;
}

Test (solvers, have_names_and_the_first_is_the_default) {
  unsigned n = 0;
  for (const sd_solver_kind *k; (k = sd_solver_at (n)); n++)
    cr_expect (sd_solver_find (k->name) == k && *k->summary && *k->source && k->solve, "%s", k->name);
  cr_expect_eq (n, 4u);
  cr_expect_str_eq (sd_solver_find ("backward")->same_as, "parallel");
  cr_expect_str_eq (sd_solver_at (0)->name, "parallel");
  cr_expect_null (sd_solver_find ("Parallel"));
  cr_expect_null (sd_solver_find (""));
}

Test (solvers, agree_with_the_oracle_on_random_games) {
  static const struct {
    uint64_t n;
    unsigned max_moves, reach, longest;
  } shapes[] = { { 1, 1, 1, 1 },     { 7, 2, 3, 2 },      { 64, 3, 5, 3 },    { 65, 1, 4, 9 },
                 { 1000, 4, 9, 40 }, { 3000, 2, 3, 100 }, { 8000, 6, 40, 7 }, { 500, 60, 30, 250 } };
  sd_transport t = self ();
  unsigned longest = 0;
  for (unsigned k = 0; k < 6 * sizeof shapes / sizeof *shapes; k++) {
    toy *game = toy_new (shapes[k / 6].n, shapes[k / 6].max_moves, shapes[k / 6].reach, shapes[k / 6].longest,
                         1000 + k);
    sd_game g = toy_game (game, shapes[k / 6].max_moves);
    sd_value *expected = toy_solve (game, shapes[k / 6].longest);
    const sd_solver_kind *kind;
    for (unsigned i = 0; (kind = sd_solver_at (i)); i++) {
      sd_value *value;
      sd_solve_stats stats;
      sd_error err = { 0 };
      cr_assert_eq (solve_values (kind->solve, &g, &t, NULL, &value, &stats, &err), SD_OK, "%s, game %u: %s",
                    kind->name, k, err.text);
      unsigned plies = 0;
      for (uint64_t p = 0; p < game->n; p++) {
        const sd_value v = value[p];
        cr_assert_eq (v, expected[p], "%s, game %u, state %" PRIu64 ": %d, expected %d", kind->name, k, p, v,
                      expected[p]);
        if (v != SD_ILLEGAL && (unsigned) (v < 0 ? -v - 1 : v) > plies)
          plies = (unsigned) (v < 0 ? -v - 1 : v);
      }
      cr_expect_eq (stats.plies, plies, "%s, game %u: %u plies, found %u", kind->name, k, stats.plies, plies);
      longest = plies > longest ? plies : longest;
      cr_expect_eq (stats.states, game->n);
      free (value);
    }
    free (expected);
    toy_free (game);
  }
  cr_expect_gt (longest, 50u);
}

/* The default's values against those of all others. */
static void agree_on_game (const sd_game *g, const char *name) {
  sd_transport t = self ();
  sd_value *first, *value;
  const sd_solver_kind *kind;
  sd_error err = { 0 };
  cr_assert_eq (solve_values (NULL, g, &t, NULL, &first, NULL, &err), SD_OK, "%s: %s", name, err.text);
  for (unsigned i = 1; (kind = sd_solver_at (i)); i++) {
    cr_assert_eq (solve_values (kind->solve, g, &t, NULL, &value, NULL, &err), SD_OK, "%s by %s: %s", name,
                  kind->name, err.text);
    for (uint64_t p = 0; p < g->nstates; p++)
      cr_assert_eq (value[p], first[p], "%s by %s: state %" PRIu64 ": %d, not %d", name, kind->name, p,
                    value[p], first[p]);
    free (value);
  }
  free (first);
}

/* With everything below it, which the default solves. */
static void agree_on (const char *name) {
  sd_transport t = self ();
  sd_material m, *order;
  sd_values *values;
  sd_exact *e;
  unsigned n;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (gen_order (&m, 1, &order, &n, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &values, &err), SD_OK);
  for (unsigned i = 0; i < n; i++) {
    cr_assert_eq (gen_solve (NULL, values, &t, &order[i], NULL, &e, NULL, &err), SD_OK, "%s", err.text);
    const sd_solver_kind *kind;
    for (unsigned k = 1; i == n - 1 && (kind = sd_solver_at (k)); k++) {
      sd_exact *other;
      cr_assert_eq (gen_solve (kind->solve, values, &t, &order[i], NULL, &other, NULL, &err), SD_OK, "%s",
                    err.text);
      for (unsigned side = 0; side < e->nsides; side++)
        for (uint64_t j = 0; j < e->n; j++)
          cr_assert_eq (e->value[side][j], other->value[side][j],
                        "%s by %s: side %u slot %" PRIu64 ": %d, %d", name, kind->name, side, j,
                        e->value[side][j], other->value[side][j]);
      sd_exact_free (other);
    }
    cr_assert_eq (sd_values_put (values, e), SD_OK);
  }
  free (order);
  sd_values_free (values);
}

Test (solvers, agree_on_endings_of_three_men) {
  agree_on ("KQvK");
  agree_on ("KRvK");
  agree_on ("KPvK");
}
/* Each successor has the state among its predecessors, and there are as many of these as of those. */
static void agree_on_moves (const sd_game *g, const char *name) {
  sd_state to[64], from[64];
  sd_state_info info;
  sd_error err = { 0 };
  uint64_t forward = 0, backward = 0;
  cr_assert (g->max_moves <= 64 && g->max_preds <= 64);
  for (uint64_t p = 0; p < g->nstates; p++) {
    cr_assert_eq (g->init (g->ctx, p, 1, &info, &err), SD_OK, "%s", err.text);
    if (!info.exists)
      continue;
    backward += g->preds (g->ctx, p, from);
    if (info.terminal_lost)
      continue;
    const unsigned n = g->succs (g->ctx, p, to);
    cr_assert (n <= info.moves && info.moves <= n + 1, "%s: state %" PRIu64 ": %u of %u", name, p, n,
               info.moves);
    forward += n;
    for (unsigned i = 0; i < n; i++) {
      unsigned k = 0, m = g->preds (g->ctx, to[i], from);
      while (k < m && from[k] != p)
        k++;
      cr_assert_lt (k, m, "%s: %" PRIu64 " leads to %" PRIu64 ", not back", name, p, to[i]);
    }
  }
  cr_expect_eq (forward, backward, "%s: %" PRIu64 " moves, %" PRIu64 " un-moves", name, forward, backward);
}

/* All slices up to three pieces, each over those that the default has solved. */
Test (solvers, agree_on_draughts) {
  sd_draughts_slice slice[64];
  sd_error err = { 0 };
  const unsigned n = sd_draughts_order (3, slice, 64);
  cr_assert_eq (n, 18u);
  solved *d = solve_all (3);
  for (unsigned i = 0; i < n; i++) {
    char name[32];
    sd_game g;
    sd_draughts_name (&slice[i], name);
    cr_assert_eq (new_game (d, &slice[i], &g, &err), SD_OK, "%s", err.text);
    agree_on_game (&g, name);
    agree_on_moves (&g, name);
    sd_game_draughts.game_free (&g);
  }
  forget (d);
}

/* Moves that stand twice, a drawn conversion among several, wins and losses on the board, a stalemate. */
Test (solvers, agree_on_graphs) {
  static const char *const text[] = {
    "only:",
    "a: a a =",
    "a: b b c\nb: c +3 +7\nc: lost\nd: a a =\ne: won\nf: e e\ng: f e\nh: -4 g\ni: h h h\nj: i +9\nk:",
    "a: b\nb: a c\nc: d\nd: lost\n# loops and a longer way\ne: a +1\nf: e b -0\ng: f f\n",
  };
  char path[4096];
  sd_graph *g;
  sd_game game;
  sd_error err = { 0 };
  for (unsigned i = 0; i < sizeof text / sizeof *text; i++) {
    cr_assert_eq (sd_graph_parse (text[i], strlen (text[i]), "graph", &g, &err), SD_OK, "%s", err.text);
    sd_graph_game (g, &game);
    agree_on_game (&game, text[i]);
    sd_graph_free (g);
  }
  snprintf (path, sizeof path, "%s/tests/data/race.txt", getenv ("SD_SRCDIR") ? getenv ("SD_SRCDIR") : ".");
  cr_assert_eq (sd_graph_read (path, &g, &err), SD_OK, "%s", err.text);
  sd_graph_game (g, &game);
  agree_on_game (&game, path);
  sd_graph_free (g);
}

/* Most states of a game won at once, so that the rest is decided in few plies. */
static sd_game deep;
static int shallow_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  SD_TRY (deep.init (ctx, first, count, out, err));
  for (uint64_t k = 0; k < count; k++) {
    uint64_t seed = first + k;
    if (sd_random (&seed) % 4)
      out[k].win = 1;
  }
  return SD_OK;
}

/* Equal material, rights to capture, pawns of both sides; sub-endings with arbitrary values, so that nothing
 * else need be solved. */
Test (solvers, agree_with_en_passant_and_equal_material) {
  sd_transport t = self ();
  sd_material m, next[64];
  sd_values *values;
  sd_game g;
  sd_value *value[8] = { 0 };
  sd_solve_stats stats;
  const sd_solver_kind *kind;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse ("KPvKP", &m, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &values, &err), SD_OK);
  const unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++) {
    sd_exact *e;
    cr_assert_eq (sd_exact_new (&next[i], &e, &err), SD_OK);
    for (unsigned side = 0; side < e->nsides; side++)
      for (uint64_t j = 0; j < e->n; j++) {
        uint64_t seed = 2 * j + side + 100 * i, r = sd_random (&seed);
        const int v = 1 + 2 * (int) (r % 3);
        e->value[side][j] = (sd_value) (r >> 32 & 1 ? 0 : r >> 33 & 1 ? v : -v);
      }
    cr_assert_eq (sd_values_put (values, e), SD_OK);
  }
  cr_assert_eq (sd_chess_game_new (values, &m, &g, &err), SD_OK, "%s", err.text);
  deep = g;
  g.init = shallow_init;
  for (unsigned i = 0; (kind = sd_solver_at (i)); i++) {
    cr_assert_eq (solve_values (kind->solve, &g, &t, NULL, &value[i], &stats, &err), SD_OK, "%s", err.text);
    cr_expect_gt (stats.plies, 3u, "%u plies", stats.plies);
    for (uint64_t p = 0; p < g.nstates; p++)
      if (value[i][p] != value[0][p])
        cr_assert_fail ("%s, state %" PRIu64 ": %d, not %d", kind->name, p, value[i][p], value[0][p]);
  }
  for (unsigned i = 0; i < 8; i++)
    free (value[i]);
  sd_chess_game_free (&g);
  sd_values_free (values);
}

/* A chain 0 <- 1 <- 2 of single moves. */
enum { CHAIN = 3 };
static sd_state_info chain[CHAIN];
static sd_state wild;
static int chain_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  (void) ctx, (void) err;
  for (uint64_t k = 0; k < count; k++)
    out[k] = chain[first + k];
  return SD_OK;
}
static unsigned chain_preds (const void *ctx, sd_state q, sd_state *out) {
  (void) ctx;
  out[0] = q + 1;
  return q + 1 < CHAIN;
}
static unsigned chain_succs (const void *ctx, sd_state p, sd_state *out) {
  (void) ctx;
  out[0] = wild ? wild : p - 1;
  return p > 0;
}
static sd_game chain_game (void) {
  for (unsigned i = 0; i < CHAIN; i++)
    chain[i] = (sd_state_info){ .exists = true, .moves = i > 0 };
  wild = 0;
  return (sd_game){ .name = "chain",
                    .nstates = CHAIN,
                    .max_moves = 8,
                    .max_preds = 1,
                    .init = chain_init,
                    .preds = chain_preds,
                    .succs = chain_succs };
}

Test (solvers, know_games_that_are_won_on_the_board) {
  sd_transport t = self ();
  const sd_solver_kind *kind;
  for (unsigned i = 0; (kind = sd_solver_at (i)); i++) {
    sd_game g = chain_game ();
    sd_value *v;
    sd_error err = { 0 };
    chain[0].terminal_won = true;
    cr_assert_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_OK, "%s", err.text);
    cr_expect (v[0] == 1 && v[1] == -3 && v[2] == 3, "%s: %d %d %d", kind->name, v[0], v[1], v[2]);
    free (v);
  }
}

Test (solvers, that_look_forward_run_alone_without_checkpoints_and_need_successors) {
  const sd_solver_kind *kind;
  for (unsigned i = 1; (kind = sd_solver_at (i)); i++) {
    sd_game g = chain_game ();
    sd_transport t = self ();
    const sd_checkpoint none = { 0 };
    const sd_solve_options ck = { .checkpoint = &none };
    sd_value *v;
    sd_error err = { 0 };
    if (!kind->forward)
      continue;
    cr_expect (!kind->ranks && !kind->resumable);
    cr_expect_eq (solve_values (kind->solve, &g, &t, &ck, &v, NULL, &err), SD_EUNSUPPORTED);
    cr_expect (strstr (err.text, "checkpoint"), "%s", err.text);
    t.size = 2;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_EUNSUPPORTED);
    cr_expect (strstr (err.text, "one rank") && v == NULL, "%s", err.text);
    t.size = 1;
    g.loss_delay = 3;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_EUNSUPPORTED);
    cr_expect (strstr (err.text, "end of the game") && v == NULL, "%s", err.text);
    g.loss_delay = 0;
    g.succs = NULL;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_EUNSUPPORTED);
    cr_expect (strstr (err.text, "successors"), "%s", err.text);
  }
}

Test (solvers, that_look_forward_notice_contradictions) {
  sd_transport t = self ();
  const sd_solver_kind *kind;
  for (unsigned i = 1; (kind = sd_solver_at (i)); i++) {
    if (!kind->forward)
      continue;
    sd_value *v;
    sd_error err = { 0 };
    sd_game g = chain_game ();
    wild = UINT64_MAX;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_EINVAL);
    g = chain_game ();
    chain[0].exists = false;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_EINVAL);
    cr_expect (strstr (err.text, "state 1"), "%s", err.text);
    g = chain_game ();
    chain[2].moves = 0;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_EINVAL);
    cr_expect (strstr (err.text, "state 2"), "%s", err.text);
    g = chain_game ();
    chain[1].loss = 0x8000;
    cr_expect_eq (solve_values (kind->solve, &g, &t, NULL, &v, NULL, &err), SD_ERANGE);
  }
}
