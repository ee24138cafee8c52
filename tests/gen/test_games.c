/* Games on graphs whose values are found by hand, and what their reader refuses. */
#include "config.h"
#include "tests/gen/solve_values.h"
#include "gen/games/games.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------- graph */

static int solve_text (const char *text, sd_graph **g, sd_value **v, sd_error *err) {
  sd_transport t;
  sd_game game;
  *v = NULL;
  int st = sd_graph_parse (text, strlen (text), "test", g, err);
  if (st != SD_OK)
    return st;
  sd_transport_self (&t);
  sd_graph_game (*g, &game);
  return solve_values (NULL, &game, &t, NULL, v, NULL, err);
}

/* `want`: "name value" pairs by the reckoning of sd_value. */
typedef struct expected {
  const char *name;
  int value;
} expected;

static void expect_values (const char *text, const expected *want, unsigned n) {
  sd_graph *g;
  sd_value *v;
  sd_error err = { 0 };
  cr_assert_eq (solve_text (text, &g, &v, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_graph_size (g), n);
  for (unsigned i = 0; i < n; i++) {
    sd_state s = sd_graph_find (g, want[i].name);
    cr_assert_lt (s, sd_graph_size (g), "%s", want[i].name);
    char name[SD_POSITION_TEXT];
    cr_expect (sd_game_graph.print (g, 0, s, name) && strcmp (name, want[i].name) == 0, "%s: %s",
               want[i].name, name);
    cr_expect_eq (v[s], want[i].value, "%s: %d, expected %d", want[i].name, v[s], want[i].value);
  }
  free (v);
  sd_graph_free (g);
}
#define EXPECT(text, ...)                                                                                    \
  do {                                                                                                       \
    const expected want[] = { __VA_ARGS__ };                                                                 \
    expect_values (text, want, sizeof want / sizeof *want);                                                  \
  } while (0)

Test (graph, a_mate_is_reached_by_the_shortest_way) {
  EXPECT ("mate: lost\n"
          "a: mate far\n"
          "far: b\n"
          "b: a\n",
          { "mate", -1 }, { "a", 1 }, { "b", -3 }, { "far", 3 });
}
Test (graph, a_cycle_that_nobody_can_leave_with_profit_is_drawn) {
  /* p could go to x, where the other wins at once, and so goes round with q for ever; r must go in */
  EXPECT ("p: q x\nq: p\nx: mate\nmate: lost\nr: p", { "p", 0 }, { "q", 0 }, { "x", 1 }, { "mate", -1 },
          { "r", 0 });
}
Test (graph, a_stalemate_is_drawn_and_saves_who_can_force_it) {
  EXPECT ("stuck:\nmate: lost\nx: mate\nsaved: x stuck\nlost_one: x\n", { "stuck", 0 }, { "mate", -1 },
          { "x", 1 }, { "saved", 0 }, { "lost_one", -3 });
}
Test (graph, a_long_losing_conversion_is_chosen_and_a_long_winning_one_is_not) {
  EXPECT ("mate: lost\n"
          "x: mate\n"
          "hold: x +99\n"     /* lost in 2, or in 100 outside */
          "press: hold -60\n" /* wins in 101 inside, in 61 outside */
          "quick: -60 mate\n",
          { "mate", -1 }, { "x", 1 }, { "hold", -101 }, { "press", 61 }, { "quick", 1 });
}
Test (graph, a_drawn_conversion_saves) {
  EXPECT ("x: -0\nlost_one: x\nsaved: x = =\n", { "x", 1 }, { "lost_one", -3 }, { "saved", 0 });
}
Test (graph, a_game_won_on_the_board_counts_as_won_in_one) {
  EXPECT ("w: won\np: w\nq: p", { "w", 1 }, { "p", -3 }, { "q", 3 });
}
Test (graph, a_move_that_stands_twice_needs_both_marks) {
  EXPECT ("mate: lost\nx: mate mate\np: x x\nq: p p p\n", { "mate", -1 }, { "x", 1 }, { "p", -3 },
          { "q", 3 });
}
Test (graph, lines_need_no_order_and_comments_do_no_harm) {
  EXPECT ("# a race\r\n\n a:b # to b\r\nb:\tc\nc: lost # over", { "a", -3 }, { "b", 1 }, { "c", -1 });
}
Test (graph, what_cannot_be_read_is_told_with_its_line) {
  static const struct {
    const char *text, *say;
  } bad[] = { { "", "not one state" },
              { "# nothing\n", "not one state" },
              { "a: b\n", "line 1: there is no line for this state: b" },
              { "a:\nb: a\na: b\n", "two lines for one state: a" },
              { "a: lost b\nb:\n", "line 1: a game that is over has no moves: a" },
              { "b:\na: b won\n", "line 2: a game that is over" },
              { "lost: a\n", "line 1: a state cannot have this name" },
              { "a b\n", "line 1: no colon" },
              { "+3: a\n", "line 1: a line starts with" },
              { "a: : b\n", "a second colon" },
              { "a: -3\n", "line 1: won positions take an odd" },
              { "a: +4\n", "line 1: won positions take an odd" },
              { "a: +\n", "expected + or - and a number" },
              { "a: -99999999999999999999\n", "expected + or - and a number" },
              { "\n\na: !\n", "line 3: neither a name nor a move: '!'" },
              { "a: \x01\n", "0x01" },
              { "a: bcdefghijklmnopqrstuvwxyz0123456789\n", "more than 31" } };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_graph *g;
    sd_error err = { 0 };
    cr_expect_eq (sd_graph_parse (bad[i].text, strlen (bad[i].text), "test", &g, &err), SD_EFORMAT, "%s",
                  bad[i].text);
    cr_expect_null (g);
    cr_expect (strstr (err.text, bad[i].say), "\"%s\" does not say \"%s\"", err.text, bad[i].say);
  }
}
Test (graph, any_bytes_are_refused_or_solved) {
  static const char alphabet[] = "ab:  +-=01\n#lostwn";
  uint64_t seed = 5;
  unsigned solved = 0;
  for (unsigned round = 0; round < 20000; round++) {
    char text[64];
    size_t n = sd_random (&seed) % sizeof text;
    for (size_t i = 0; i < n; i++)
      text[i] = alphabet[sd_random (&seed) % (sizeof alphabet - 1)];
    text[n] = 0;
    sd_graph *g;
    sd_value *v;
    sd_error err = { 0 };
    int st = solve_text (text, &g, &v, &err);
    solved += st == SD_OK;
    cr_assert (st == SD_OK || st == SD_EFORMAT, "%s: %s", text, err.text);
    free (v);
    sd_graph_free (g);
  }
  cr_expect_gt (solved, 10);
}
Test (graph, a_missing_file_is_told) {
  sd_graph *g;
  sd_error err = { 0 };
  cr_expect_neq (sd_graph_read ("no/such/graph.txt", &g, &err), SD_OK);
  cr_expect (strstr (err.text, "no/such/graph.txt"));
}
