/* Tests of chess/: materials, positions as lists of squares, FEN. Names and numbers of positions are those of
 * Syzygy's published tables. */
#include "config.h"
#include "chess/chess.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static sd_material read_material (const char *name) {
  sd_material m;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  return m;
}

/* ---------------------------------------------------------------- materials */

static const char *const endings[6] = {
  [3] = "KQvK KRvK KBvK KNvK KPvK",
  [4] = "KQvKQ KQvKR KQvKB KQvKN KQvKP KRvKR KRvKB KRvKN KRvKP KBvKB KBvKN KBvKP "
        "KNvKN KNvKP KPvKP KQQvK KQRvK KQBvK KQNvK KQPvK KRRvK KRBvK KRNvK KRPvK "
        "KBBvK KBNvK KBPvK KNNvK KNPvK KPPvK",
  [5] = "KQQvKQ KQQvKR KQQvKB KQQvKN KQQvKP KQRvKQ KQRvKR KQRvKB KQRvKN KQRvKP KQBvKQ KQBvKR "
        "KQBvKB KQBvKN KQBvKP KQNvKQ KQNvKR KQNvKB KQNvKN KQNvKP KQPvKQ KQPvKR KQPvKB KQPvKN "
        "KQPvKP KRRvKQ KRRvKR KRRvKB KRRvKN KRRvKP KRBvKQ KRBvKR KRBvKB KRBvKN KRBvKP KRNvKQ "
        "KRNvKR KRNvKB KRNvKN KRNvKP KRPvKQ KRPvKR KRPvKB KRPvKN KRPvKP KBBvKQ KBBvKR KBBvKB "
        "KBBvKN KBBvKP KBNvKQ KBNvKR KBNvKB KBNvKN KBNvKP KBPvKQ KBPvKR KBPvKB KBPvKN KBPvKP "
        "KNNvKQ KNNvKR KNNvKB KNNvKN KNNvKP KNPvKQ KNPvKR KNPvKB KNPvKN KNPvKP KPPvKQ KPPvKR "
        "KPPvKB KPPvKN KPPvKP KQQQvK KQQRvK KQQBvK KQQNvK KQQPvK KQRRvK KQRBvK KQRNvK KQRPvK "
        "KQBBvK KQBNvK KQBPvK KQNNvK KQNPvK KQPPvK KRRRvK KRRBvK KRRNvK KRRPvK KRBBvK KRBNvK "
        "KRBPvK KRNNvK KRNPvK KRPPvK KBBBvK KBBNvK KBBPvK KBNNvK KBNPvK KBPPvK KNNNvK KNNPvK "
        "KNPPvK KPPPvK",
};

Test (material, lists_have_the_names_that_syzygy_has) {
  static const unsigned want[8] = { 0, 0, 0, 5, 30, 110, 365, 1001 };
  sd_material all[1001];
  for (unsigned men = 0; men < 12; men++)
    cr_assert_eq (sd_material_all (men, all, 1001), men < 8 ? want[men] : 0, "%u men", men);
  for (unsigned men = 3; men <= 5; men++) {
    unsigned n = sd_material_all (men, all, 1001);
    cr_assert_eq (strlen (endings[men]) + 1, n * (men + 2)); /* so that "each is in the list" suffices */
    for (unsigned i = 0; i < n; i++) {
      char name[16], spaced[18] = " ", text[1200];
      sd_material_name (&all[i], name);
      strcat (strcat (spaced, name), " ");
      snprintf (text, sizeof text, " %s ", endings[men]);
      cr_expect (strstr (text, spaced), "%s", name);
      for (unsigned j = 0; j < i; j++)
        cr_assert_neq (sd_material_key (&all[i]), sd_material_key (&all[j]));
    }
  }
}

Test (material, lists_are_counted_in_full_but_written_up_to_the_capacity) {
  sd_material few[4];
  memset (few, 0x5a, sizeof few);
  cr_assert_eq (sd_material_all (5, few, 3), 110);
  cr_expect_eq (few[3].count[0][0], 0x5a);
  cr_expect_eq (sd_material_all (7, NULL, 0), 1001);
}

Test (material, every_successor_comes_earlier) {
  sd_material *all = malloc (1511 * sizeof *all);
  unsigned n = 0;
  for (unsigned men = 3; men <= 7; men++)
    n += sd_material_all (men, all + n, 1511 - n);
  cr_assert_eq (n, 1511);
  unsigned most = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_material next[64], c;
    cr_assert_not (sd_material_canonical (&all[i], &c));
    cr_assert (sd_material_equal (&c, &all[i]));
    unsigned k = sd_material_successors (&all[i], next);
    most = k > most ? k : most;
    for (unsigned j = 0; j < k; j++) {
      bool earlier = false;
      for (unsigned e = 0; e < i; e++)
        earlier |= sd_material_equal (&all[e], &next[j]);
      char a[16], b[16];
      sd_material_name (&all[i], a);
      sd_material_name (&next[j], b);
      cr_assert (earlier, "%s after %s", b, a);
    }
  }
  cr_expect_eq (most, 25);
  free (all);
}

static void check_successors (const char *name, const char *want) {
  sd_material m = read_material (name), next[64];
  unsigned n = sd_material_successors (&m, next), letters = 0;
  char text[400];
  snprintf (text, sizeof text, " %s ", want);
  for (unsigned i = 0; i < n; i++) {
    char one[16], spaced[18] = " ";
    sd_material_name (&next[i], one);
    letters += (unsigned) strlen (one) + 1;
    strcat (strcat (spaced, one), " ");
    cr_expect (strstr (text, spaced), "%s leads to %s", name, one);
  }
  cr_expect_eq (letters, *want ? strlen (want) + 1 : 0, "%s has %u successors", name, n);
}

Test (material, successors_are_captures_promotions_and_both) {
  check_successors ("KQvK", "");
  check_successors ("KPvK", "KQvK KRvK KBvK KNvK");
  check_successors ("KRvKN", "KRvK KNvK");
  check_successors ("KRvKR", "KRvK");
  check_successors ("KRvKP", "KRvK KPvK KQvKR KRvKR KRvKB KRvKN KQvK KBvK KNvK");
  check_successors ("KPvKP", "KPvK KQvKP KRvKP KBvKP KNvKP");
  check_successors ("KQPvK", "KQvK KPvK KQQvK KQRvK KQBvK KQNvK");
}

Test (material, parse_takes_either_side_first_and_any_order) {
  sd_material m = read_material ("KPvRKQ"), c;
  char name[16];
  sd_material_name (&m, name);
  cr_expect_str_eq (name, "KPvKQR");
  cr_expect (sd_material_canonical (&m, &c));
  sd_material_name (&c, name);
  cr_expect_str_eq (name, "KQRvKP");
  cr_expect_eq (sd_material_men (&c), 5);
  cr_expect (sd_material_has_pawns (&c));
  cr_expect_not (sd_material_symmetric (&c));
  m = read_material ("KBNvKNB");
  cr_expect (sd_material_symmetric (&m));
  cr_expect_not (sd_material_has_pawns (&m));
  cr_expect_not (sd_material_canonical (&m, &m)); /* in place */
  m = read_material ("KNNvKQ");
  cr_expect_not (sd_material_canonical (&m, &c), "two knights are more men than one queen");
}

Test (material, parse_says_what_is_wrong) {
  static const struct {
    const char *name, *says;
  } in[] = { { "", "no \"v\"" },
             { "KQKR", "no \"v\"" },
             { "KQvKvR", "more than one" },
             { "KQRBvKQRB", "8 men" },
             { "KKvKQ", "first side has 2 kings" },
             { "KQv", "second side has 0 kings" },
             { "vK", "first side has 0 kings" },
             { "kqvk", "unknown letter 'k'" },
             { "KXvK", "unknown letter 'X'" },
             { "KQ\x01vK", "unknown byte 0x01" },
             { "KQvK ", "unknown letter ' '" },
             { "KPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPvK",
               "longer" } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_material m;
    sd_error err = { 0 };
    cr_expect_eq (sd_material_parse (in[i].name, &m, &err), SD_EINVAL, "%s", in[i].name);
    cr_expect (strstr (err.text, in[i].says), "%s: %s", in[i].name, err.text);
    cr_expect_eq (sd_material_parse (in[i].name, &m, NULL), SD_EINVAL);
  }
}

Test (material, names_of_too_many_men_are_cut_off) {
  sd_pos p;
  sd_material m;
  char name[17];
  sd_pos_clear (&p);
  for (unsigned s = 0; s < 64; s++)
    sd_pos_put (&p, s & 1, s == 0 || s == 1 ? SD_KING : SD_QUEEN, s);
  sd_material_of (&p, &m);
  memset (name, 'x', sizeof name);
  sd_material_name (&m, name);
  cr_expect_str_eq (name, "KQQQQQQQQQQQQQQ");
  cr_expect_eq (name[16], 'x');
}

/* ---------------------------------------------------------------- positions */

Test (position, squares_round_trip_in_the_order_of_the_name) {
  sd_material m = read_material ("KRBPvKNN");
  static const uint8_t in[7] = { 4, 40, 3, 12, 60, 50, 20 }, sorted[7] = { 4, 40, 3, 12, 60, 20, 50 };
  uint8_t out[7];
  sd_pos p;
  sd_material of;
  sd_pos_from_squares (&m, in, SD_BLACK, &p);
  cr_expect_eq (p.by[SD_WHITE][SD_BISHOP], sd_bit (3));
  cr_expect_eq (p.by[SD_BLACK][SD_KING], sd_bit (60));
  cr_expect_eq (p.stm, SD_BLACK);
  cr_expect_eq (p.ep, SD_NO_SQUARE);
  sd_pos_to_squares (&m, &p, out);
  cr_expect_arr_eq (out, sorted, 7);
  sd_material_of (&p, &of);
  cr_expect (sd_material_equal (&of, &m));
}

Test (position, flip_swaps_colours_and_ranks) {
  sd_pos p, q;
  char fen[92];
  cr_assert_eq (sd_pos_from_fen ("8/8/8/R7/2pP4/8/8/K6k b - d3 0 1", &p, NULL), SD_OK);
  sd_pos_flip (&p, &q);
  sd_pos_to_fen (&q, fen, sizeof fen);
  cr_expect_str_eq (fen, "k6K/8/8/2Pp4/r7/8/8/8 w - d6 0 1");
  sd_pos_flip (&q, &q);
  cr_expect (sd_pos_equal (&p, &q));
}

Test (position, illegal_ones_are_told) {
  static const struct {
    const char *material;
    uint8_t sq[4];
    unsigned stm;
    bool legal;
  } in[] = { { "KQvK", { 0, 20, 63 }, 0, true },  { "KQvK", { 0, 20, 9 }, 0, false }, /* adjacent kings */
             { "KQvK", { 0, 7, 63 }, 0, false },  { "KQvK", { 0, 7, 63 }, 1, true },  /* check */
             { "KQvK", { 0, 0, 63 }, 1, false },  { "KPvK", { 0, 2, 63 }, 0, false }, /* one square, rank 1 */
             { "KPvK", { 0, 58, 63 }, 0, false }, { "KPvK", { 0, 50, 63 }, 0, true },
             { "KPvK", { 0, 54, 63 }, 0, false }, { "KPvK", { 0, 54, 63 }, 1, true } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_material m = read_material (in[i].material);
    sd_pos p;
    sd_pos_from_squares (&m, in[i].sq, in[i].stm, &p);
    cr_expect_eq (sd_pos_legal (&p), in[i].legal, "row %u", i);
  }
  sd_pos empty;
  sd_pos_clear (&empty);
  cr_expect_not (sd_pos_legal (&empty));
  cr_expect_not (sd_in_check (&empty, SD_WHITE));
  sd_pos_put (&empty, SD_WHITE, SD_KING, 0);
  sd_pos_put (&empty, SD_BLACK, SD_KING, 63);
  cr_expect (sd_pos_legal (&empty));
  sd_pos_put (&empty, SD_WHITE, SD_KING, 7);
  cr_expect_not (sd_pos_legal (&empty));
}

/* The k-th of the eight symmetries of the board; the first two keep the direction of pawns. */
static unsigned turn (unsigned s, unsigned k) {
  unsigned f = s & 7, r = s >> 3;
  if (k & 1)
    f ^= 7;
  if (k & 2)
    r ^= 7;
  return k & 4 ? f * 8 + r : r * 8 + f;
}

Test (position, legal_ones_are_as_many_as_syzygy_counts) {
  static const struct {
    const char *name;
    unsigned white, black; /* positions unique up to symmetry, by side to move */
  } in[] = { { "KQvK", 18081, 28056 },
             { "KRvK", 21959, 28056 },
             { "KBvK", 24178, 28056 },
             { "KNvK", 25750, 28056 },
             { "KPvK", 81664, 84012 } };
  for (unsigned i = 0; i < 5; i++) {
    sd_material m = read_material (in[i].name);
    unsigned n[2] = { 0, 0 };
    for (unsigned code = 0; code < 64 * 64 * 64; code++) {
      const uint8_t sq[3] = { code >> 12, code >> 6 & 63, code & 63 };
      bool least = true;
      for (unsigned k = 1; k < (sd_material_has_pawns (&m) ? 2 : 8) && least; k++)
        least = (turn (sq[0], k) << 12 | turn (sq[1], k) << 6 | turn (sq[2], k)) >= code;
      for (unsigned stm = 0; stm < 2 && least; stm++) {
        sd_pos p;
        sd_pos_from_squares (&m, sq, stm, &p);
        n[stm] += sd_pos_legal (&p);
      }
    }
    cr_expect_eq (n[0], in[i].white, "%s: %u", in[i].name, n[0]);
    cr_expect_eq (n[1], in[i].black, "%s: %u", in[i].name, n[1]);
  }
}

/* ---------------------------------------------------------------------- FEN */

Test (fen, round_trips) {
  static const char *const in[] = { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                                    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
                                    "8/8/8/8/2pP4/8/8/K6k b - d3 0 1", "k6K/8/8/2Pp4/8/8/8/8 w - d6 0 1" };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_error err = { 0 };
    char out[92];
    cr_assert_eq (sd_pos_from_fen (in[i], &p, &err), SD_OK, "%s", err.text);
    sd_pos_to_fen (&p, out, sizeof out);
    cr_expect_str_eq (out, in[i]);
    memset (out, 'x', sizeof out);
    sd_pos_to_fen (&p, out, 10);
    cr_expect_eq (out[9], 0);
    cr_expect_eq (out[10], 'x');
  }
}

Test (fen, counters_and_outer_blanks_may_be_there_or_not) {
  static const char *const in[] = { "8/8/8/8/8/k7/8/K7 w - -",
                                    "8/8/8/8/8/k7/8/K7 w - - 1000000 0000000000000000000000001000000",
                                    "  8/8/8/8/8/k7/8/K7  w -  - \n", "8/8/8/8/8/k7/8/K7\tw - - 0 1\r\n" };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_error err = { 0 };
    cr_expect_eq (sd_pos_from_fen (in[i], &p, &err), SD_OK, "%s", err.text);
  }
}

Test (fen, a_right_without_a_legal_capture_is_dropped) {
  static const char *const in[] = { "8/8/8/8/3P4/8/8/K6k b - d3 0 1",    /* nobody there */
                                    "8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1", /* taking opens the rank */
                                    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - e3 0 1" };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_error err = { 0 };
    cr_assert_eq (sd_pos_from_fen (in[i], &p, &err), SD_OK, "%s", err.text);
    cr_expect_eq (p.ep, SD_NO_SQUARE, "%s", in[i]);
  }
}

Test (fen, fields_that_are_missing_have_their_usual_values) {
  static const struct {
    const char *text;
    unsigned stm, halfmoves, move;
  } in[] = { { "8/8/8/8/8/k7/8/K7", SD_WHITE, 0, 1 },        { "8/8/8/8/8/k7/8/K7 b", SD_BLACK, 0, 1 },
             { "8/8/8/8/8/k7/8/K7 b -", SD_BLACK, 0, 1 },     { "8/8/8/8/8/k7/8/K7 b - -", SD_BLACK, 0, 1 },
             { "8/8/8/8/8/k7/8/K7 b - - 17", SD_BLACK, 17, 1 }, { "8/8/8/8/8/k7/8/K7 b - - 17 40", SD_BLACK, 17, 40 } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_clocks clocks = { 7, 7 };
    sd_error err = { 0 };
    cr_assert_eq (sd_pos_from_epd (in[i].text, &p, &clocks, &err), SD_OK, "%s: %s", in[i].text, err.text);
    cr_expect (p.stm == in[i].stm && p.ep == SD_NO_SQUARE, "%s", in[i].text);
    cr_expect (clocks.halfmoves == in[i].halfmoves && clocks.move == in[i].move, "%s", in[i].text);
    cr_expect_eq (sd_pos_from_fen (in[i].text, &p, NULL), SD_OK, "%s", in[i].text);
  }
}

Test (fen, castling_rights_are_read_beside_the_position) {
  static const struct {
    const char *rights;
    unsigned bits;
    const char *says; /* NULL: it is read */
  } in[] = { { "-", 0, NULL },
             { "KQkq", 15, NULL },
             { "qK", SD_CASTLE_BLACK_LONG | SD_CASTLE_WHITE_SHORT, NULL },
             { "KK", 0, "'K' is given twice" },
             { "KX", 0, "'X' is neither" },
             { "H", 0, "'H' is neither" } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_error err = { 0 };
    unsigned rights = 99;
    char fen[80];
    snprintf (fen, sizeof fen, "r3k2r/8/8/8/8/8/8/R3K2R w %s - 0 1", in[i].rights);
    const int st = sd_pos_from_game (fen, &p, &rights, NULL, &err);
    cr_expect_eq (st, in[i].says ? SD_EINVAL : SD_OK, "%s: %s", fen, err.text);
    cr_expect (in[i].says ? strstr (err.text, in[i].says) != NULL : rights == in[i].bits, "%s: %u, %s", fen,
               rights, err.text);
    cr_expect_eq (sd_pos_from_fen (fen, &p, &err), in[i].bits || in[i].says ? SD_EINVAL : SD_OK, "%s", fen);
  }
  cr_expect_eq (sd_pos_from_game ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", &(sd_pos){ 0 }, &(unsigned){ 0 }, NULL, NULL),
                SD_EINVAL, "a right without a rook");
}

/* Published counts of positions after so many plies, castling among the moves. */
static uint64_t count (const sd_pos *p, unsigned rights, unsigned depth) {
  sd_move move[SD_MAX_MOVES + 2];
  const unsigned plain = sd_moves (p, SD_MOVES_ALL, move);
  const unsigned n = plain + sd_castling_moves (p, rights, move + plain);
  uint64_t all = 0;
  if (depth == 0)
    return 1;
  for (unsigned i = 0; i < n; i++) {
    sd_pos after;
    (i < plain ? sd_pos_apply : sd_castling_apply) (p, &move[i], &after);
    all += count (&after, sd_castling_left (rights, &move[i]), depth - 1);
  }
  return all;
}

Test (castling, counts_of_positions_are_those_published) {
  static const struct {
    const char *fen;
    uint64_t count[4];
  } in[] = { { "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", { 1, 48, 2039, 97862 } },
             { "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", { 1, 6, 264, 9467 } },
             { "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", { 1, 44, 1486, 62379 } } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_error err = { 0 };
    unsigned rights;
    cr_assert_eq (sd_pos_from_game (in[i].fen, &p, &rights, NULL, &err), SD_OK, "%s", err.text);
    for (unsigned depth = 0; depth < 4; depth++)
      cr_expect_eq (count (&p, rights, depth), in[i].count[depth], "%s, %u plies", in[i].fen, depth);
  }
}

Test (fen, refusals_say_what_is_wrong_and_where) {
  static const struct {
    const char *fen, *says;
  } in[] = {
    { "", "the text is empty" },
    { "   ", "the text is empty" },
    { "8/8/8/8/8/k7/8/K7 w - - 0 1 2", "'2' follows the six fields" },
    { "8/8/8/8/8/k7/8/K7 w - - 0 1; bm", "';' follows" },
    { "8/8/8/8/8/k7/8/K7 w - - -1 1", "halfmove clock: '-' is not a digit" },
    { "8/8/8/8/8/k7/8/K7 w - - 0 x", "move number: 'x' is not a digit" },
    { "8/8/8/8/8/k7/8/K7 w - - 1000001 1", "halfmove clock: 1000001 is above 1000000" },
    { "8/8/8/8/8/k7/8/K7 w - - 0 10000000", "move number: 10000000 is above 1000000" },
    { "8/8/8/8/8/k7/8/K7 w - - 0 4294967297", "move number: 4294967297 is above 1000000" },
    { "8/8/8/8/8/k7/8/K7 w - - 99 123456789012345678901",
      "number: 12345678901234567890... is above 1000000" },
    { "8/8/8/8/8/k7/8/K7 x - - 0 1", "side to move: 'x'" },
    { "8/8/8/8/8/k7/8/K7 white - - 0 1", "side to move: 'h' follows" },
    { "8/8/8/8/8/k7/8/K7 w KQkq - 0 1", "castling: 'K': tables know no castling rights" },
    { "8/8/8/8/8/k7/8/K7 w q - 0 1", "no castling rights" },
    { "8/8/8/8/8/k7/8/K7 w z - 0 1", "castling: 'z' is not" },
    { "8/8/8/8/8/k7/8/K7 w -- - 0 1", "castling: '-' follows" },
    { "8/8/8/8/8/k7/8/K7 w - e9 0 1", "en passant: 'e' begins neither" },
    { "8/8/8/8/8/k7/8/K7 w - e", "en passant: 'e' begins neither" },
    { "8/8/8/8/8/k7/8/K7 w - e4 0 1", "e4 is not on rank 6" },
    { "8/8/8/8/8/k7/8/K7 b - e6 0 1", "e6 is not on rank 3" },
    { "8/8/8/8/8/k7/8/K7 w - e6 0 1", "no black pawn stands in front of e6" },
    { "8/4r3/8/3Pp3/8/k7/8/K7 w - e6 0 1", "not empty" },
    { "8/8/4n3/3Pp3/8/k7/8/K7 w - e6 0 1", "not empty" },
    { "8/8/8/8/8/k7/8/K7 w - e66 0 1", "en passant: '6' follows" },
    { "9/8/8/8/8/k7/8/K7 w - - 0 1", "rank 8: '9' is neither" },
    { "8/8/8/44p/8/k7/8/K7 w - - 0 1", "rank 5: more than 8" },
    { "8/8/8/pppppppp8/8/k7/8/K7 w - - 0 1", "rank 5: more than 8" },
    { "8/8/8/8/8/k6/8/K7 w - - 0 1", "rank 3: 7 squares" },
    { "8/8/8/8/8/k7/K7 w - - 0 1", "7 ranks" },
    { "8/8/8/8/8/k7/8/K7/8 w - - 0 1", "more than 8 ranks" },
    { "/8/8/8/8/k7/8/K7 w - - 0 1", "rank 8: 0 squares" },
    { "8/8/8/8/8/k7/8/x7 w - - 0 1", "rank 1: 'x' is neither" },
    { "8/8/8/8/8/k7/8/K\xc3\xa9"
      "7 w - - 0 1",
      "rank 1: 0xc3 is neither" },
    { "8/8/8/8/8/k7/8/8 w - - 0 1", "White has 0 kings" },
    { "8/8/8/8/8/8/8/K7 w - - 0 1", "Black has 0 kings" },
    { "KKKKKKKK/K7/8/8/8/k7/8/8 w - - 0 1", "White has 9 kings" },
    { "8/8/8/8/8/k7/8/K6P w - - 0 1", "a white pawn stands on h1" },
    { "1p6/8/8/8/8/k7/8/K7 w - - 0 1", "a black pawn stands on b8" },
    { "8/8/8/8/8/8/k7/K7 w - - 0 1", "adjacent" },
    { "8/8/8/8/8/k7/8/K1r5 b - - 0 1", "Black is to move, but White's king is in check" },
    { "8/PPPPPPPP/P7/8/8/k7/8/K7 w - - 0 1", "White has 9 pawns" },
    { "7k/8/QQQQQQQQ/QQ6/8/8/8/K7 w - - 0 1", "0 pawns and 9 pieces" },
    { "7k/8/NNN5/8/8/8/PPPPPPPP/K7 w - - 0 1", "8 pawns and 1 piece that" },
    { "1/8/8/8/8/2k5/8/K7 w - - 0 1", "rank 8: 1 square is given" },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "32 men: tables hold at most 7" },
  };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_pos p;
    sd_error err = { 0 };
    memset (&p, 0x5a, sizeof p);
    cr_expect_eq (sd_pos_from_fen (in[i].fen, &p, &err), SD_EINVAL, "%s", in[i].fen);
    cr_expect (strstr (err.text, in[i].says), "%s: %s", in[i].fen, err.text);
    cr_expect_eq (strncmp (err.text, "FEN: ", 5), 0);
    cr_expect_eq (p.stm, 0x5a, "out is not touched");
    cr_expect_eq (sd_pos_from_fen (in[i].fen, &p, NULL), SD_EINVAL);
  }
}

Test (fen, survives_every_one_byte_change) {
  const char *good = "8/8/8/8/2pP4/8/8/K6k b - d3 0 1";
  size_t n = strlen (good);
  for (size_t i = 0; i < n; i++)
    for (unsigned c = 0; c < 256; c++) {
      char *text = strdup (good); /* on the heap, so that the sanitizer sees a read past the end */
      text[i] = (char) c;
      sd_pos p;
      char out[92];
      sd_error err = { 0 };
      if (sd_pos_from_fen (text, &p, &err) == SD_OK) {
        cr_assert (sd_pos_legal (&p), "%s", text);
        sd_pos_to_fen (&p, out, sizeof out);
      } else {
        cr_assert (err.text[0] != 0);
      }
      free (text);
    }
}
