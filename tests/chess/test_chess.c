/* Tests of chess/: perft figures known from the literature, counts of positions as Syzygy's tables have them,
 * and a slow obvious board of 64 characters (chess_oracle.h) that moves, attacks and un-moves are compared
 * with. */
#include "config.h"
#include "chess/chess.h"
#include "tests/chess/chess_oracle.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static sd_pos read_fen (const char *fen) {
  sd_pos p;
  sd_error err = { 0 };
  cr_assert_eq (sd_pos_from_fen (fen, &p, &err), SD_OK, "%s: %s", fen, err.text);
  return p;
}

static sd_material read_material (const char *name) {
  sd_material m;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  return m;
}

/* ------------------------------------------------------------------ attacks */

Test (attacks, agree_with_walking_over_the_board) {
  uint64_t rng = 11;
  for (unsigned round = 0; round < 200; round++) {
    uint64_t occ = sd_random (&rng) & (round % 3 ? sd_random (&rng) : ~UINT64_C (0));
    for (unsigned s = 0; s < 64; s++)
      for (unsigned c = 0; c < 2; c++)
        for (unsigned t = SD_PAWN; t <= SD_KING; t++)
          cr_assert_eq (sd_attacks (c, t, s, occ), oracle_attacks (c, t, s, occ),
                        "colour %u type %u square %u occupied %016" PRIx64, c, t, s, occ);
  }
}

Test (attacks, corners_see_the_edges_of_an_empty_board) {
  cr_expect_eq (sd_rook_attacks (0, 0), UINT64_C (0x01010101010101fe));
  cr_expect_eq (sd_bishop_attacks (63, 0), UINT64_C (0x0040201008040201));
  cr_expect_eq (sd_knight_attacks (7), sd_bit (13) | sd_bit (22));
  cr_expect_eq (sd_attacks (SD_WHITE, SD_NO_PIECE, 0, 0), 0);
}

/* -------------------------------------------------------------------- moves */

static void check_perft (const char *fen, const uint64_t *want, unsigned depth) {
  sd_pos p = read_fen (fen), q;
  sd_pos_flip (&p, &q);
  for (unsigned d = 0; d < depth; d++) {
    cr_assert_eq (sd_perft (&p, d + 1), want[d], "%s at depth %u: %" PRIu64, fen, d + 1,
                  sd_perft (&p, d + 1));
    cr_assert_eq (sd_perft (&q, d + 1), want[d], "%s flipped at depth %u", fen, d + 1);
  }
}

Test (perft, start_position) {
  static const uint64_t want[] = { 20, 400, 8902, 197281, 4865609 };
  check_perft ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", want, 5);
}

Test (perft, en_passant_and_pins) {
  static const uint64_t want[] = { 14, 191, 2812, 43238, 674624, 11030083 };
  check_perft ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", want, 6);
}

Test (perft, promotions) {
  static const uint64_t want[] = { 24, 496, 9483, 182838, 3605103 };
  check_perft ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", want, 5);
}

Test (perft, at_depth_zero_is_one) {
  sd_pos p = read_fen ("8/8/8/8/8/k7/8/K7 w - - 0 1");
  cr_expect_eq (sd_perft (&p, 0), 1);
}

Test (moves, the_richest_position_has_218) {
  sd_pos p = read_fen ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
  sd_move moves[SD_MAX_MOVES];
  cr_expect_eq (sd_moves (&p, SD_MOVES_ALL, moves), 218);
}

Test (moves, never_write_past_the_buffer_even_where_no_game_leads) {
  sd_pos p;
  sd_pos_clear (&p);
  sd_pos_put (&p, SD_WHITE, SD_KING, 0);
  sd_pos_put (&p, SD_BLACK, SD_KING, 63);
  for (unsigned s = 1; s < 63; s++)
    if (sd_king_attacks (0) >> s & 1 || s % 8 == 0 || s % 8 == 7 || s / 8 == 0 || s / 8 == 7)
      sd_pos_put (&p, SD_WHITE, SD_QUEEN, s);
  sd_move *moves = malloc (SD_MAX_MOVES * sizeof *moves);
  unsigned n = sd_moves (&p, SD_MOVES_ALL, moves);
  cr_expect (n > SD_MAX_MOVES - 28 && n <= SD_MAX_MOVES, "%u", n);
  free (moves);
}

static const char *const walks[] = { "KQvK",    "KRvKP",  "KPvKP",  "KQvKR",   "KPPvKP",   "KRBvKN",
                                     "KPPvKPP", "KBPvKQ", "KNNvKP", "KQPvKRP", "KRPvKBPP", "KPPPvKPP" };
enum { N_WALKS = sizeof walks / sizeof *walks };

Test (moves, equal_the_slow_board_in_every_class) {
  uint64_t rng = 5;
  unsigned with_ep = 0;
  for (unsigned round = 0; round < 12000; round++) {
    sd_material m = read_material (walks[round % N_WALKS]);
    sd_pos p;
    oracle_random_position (&m, &rng, true, &p);
    with_ep += p.ep != SD_NO_SQUARE;
    cr_assert_eq (sd_ep_squares (&p), oracle_ep_squares (&p));
    char fen[92];
    sd_pos_to_fen (&p, fen, sizeof fen);
    for (unsigned which = SD_MOVES_ALL; which <= SD_MOVES_CONVERSIONS; which++) {
      sd_move got[SD_MAX_MOVES], want[SD_MAX_MOVES];
      unsigned n = sd_moves (&p, which, got), k = oracle_moves (&p, which, want);
      cr_assert_eq (n, k, "%s class %u: %u moves, not %u", fen, which, n, k);
      qsort (got, n, sizeof *got, oracle_compare_moves);
      qsort (want, k, sizeof *want, oracle_compare_moves);
      for (unsigned i = 0; i < n; i++)
        cr_assert_eq (oracle_compare_moves (&got[i], &want[i]), 0, "%s class %u", fen, which);
      if (which == SD_MOVES_ALL)
        cr_assert_eq (sd_has_move (&p), n > 0, "%s", fen);
    }
  }
  cr_assert (with_ep > 30, "%u positions with a right to take en passant", with_ep);
}

Test (moves, to_queens_alone_are_the_others_without_lesser_promotions) {
  uint64_t rng = 6;
  unsigned lesser = 0;
  for (unsigned round = 0; round < 6000; round++) {
    sd_material m = read_material (walks[round % N_WALKS]);
    sd_pos p;
    oracle_random_position (&m, &rng, true, &p);
    for (unsigned which = SD_MOVES_CAPTURES; which <= SD_MOVES_CONVERSIONS; which++) {
      sd_move got[SD_MAX_MOVES], want[SD_MAX_MOVES];
      const unsigned n = sd_moves (&p, (enum sd_move_class) (which | SD_MOVES_QUEENS), got),
                     all = sd_moves (&p, (enum sd_move_class) which, want);
      unsigned k = 0;
      for (unsigned i = 0; i < all; i++)
        if (want[i].promotion >= SD_QUEEN)
          want[k++] = want[i];
      lesser += all - k;
      cr_assert_eq (n, k, "class %u", which);
      for (unsigned i = 0; i < n; i++)
        cr_assert_eq (oracle_compare_moves (&got[i], &want[i]), 0, "class %u", which);
    }
  }
  cr_assert (lesser > 1000, "%u", lesser);
}

Test (moves, stalemate_and_mate_have_none) {
  sd_pos stalemate = read_fen ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
         mate = read_fen ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
  cr_expect_not (sd_has_move (&stalemate));
  cr_expect_not (sd_in_check (&stalemate, SD_BLACK));
  cr_expect_not (sd_has_move (&mate));
  cr_expect (sd_in_check (&mate, SD_BLACK));
}

Test (moves, en_passant_may_be_the_only_move) {
  sd_pos p = read_fen ("8/8/8/8/k1Pp4/1R6/1K6/1B3Q2 b - c3 0 1");
  sd_move moves[SD_MAX_MOVES];
  unsigned n = sd_moves (&p, SD_MOVES_CAPTURES, moves), ep = 0;
  char name[6];
  for (unsigned i = 0; i < n; i++)
    if (moves[i].en_passant) {
      ep++;
      sd_move_name (&moves[i], name);
      cr_expect_str_eq (name, "d4c3");
      cr_expect_eq (moves[i].captured, SD_PAWN);
    }
  cr_expect_eq (ep, 1);
}

Test (moves, a_right_is_set_only_if_the_capture_is_legal) {
  /* The pawns on d4 and e4 shield the black king on h4 from the rook on a4: taking would open the rank. */
  static const struct {
    const char *fen;
    unsigned ep;
  } in[] = { { "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", SD_NO_SQUARE },
             { "8/8/8/8/3p3k/8/4P3/4K3 w - - 0 1", 20 },
             { "8/8/8/8/7k/8/3pP3/3K4 w - - 0 1", SD_NO_SQUARE } };
  for (unsigned i = 0; i < 3; i++) {
    sd_pos p = read_fen (in[i].fen), q;
    sd_move m = { 12, 28, SD_PAWN, SD_NO_PIECE, SD_NO_PIECE, false };
    sd_pos_apply (&p, &m, &q);
    cr_expect_eq (q.ep, in[i].ep, "%s: %u", in[i].fen, q.ep);
    cr_expect_eq (sd_ep_squares (&q), in[i].ep == SD_NO_SQUARE ? 0 : sd_bit (in[i].ep), "%s", in[i].fen);
  }
}

Test (moves, names_are_squares_and_the_promotion) {
  char name[6];
  sd_move a = { 12, 28, SD_PAWN, SD_NO_PIECE, SD_NO_PIECE, false },
          b = { 55, 62, SD_PAWN, SD_ROOK, SD_KNIGHT, false };
  sd_move_name (&a, name);
  cr_expect_str_eq (name, "e2e4");
  sd_move_name (&b, name);
  cr_expect_str_eq (name, "h7g8n");
}
