/* Moves as people write them, EPD, and men that cannot mate. */
#include "config.h"
#include "chess/chess.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static sd_pos read_fen (const char *fen) {
  sd_pos p;
  sd_error err = { 0 };
  cr_assert_eq (sd_pos_from_fen (fen, &p, &err), SD_OK, "%s: %s", fen, err.text);
  return p;
}

/* The move of that name (UCI), which is legal, as people write it. */
static const char *san (const char *fen, const char *uci) {
  static char text[SD_SAN_TEXT];
  const sd_pos p = read_fen (fen);
  sd_move all[SD_MAX_MOVES];
  const unsigned n = sd_moves (&p, SD_MOVES_ALL, all);
  for (unsigned i = 0; i < n; i++) {
    char name[6];
    sd_move_name (&all[i], name);
    if (strcmp (name, uci) != 0)
      continue;
    sd_move_san (&p, &all[i], text);
    return text;
  }
  cr_assert_fail ("%s: no move %s", fen, uci);
  return NULL;
}

Test (san, names_the_man_and_the_square) {
  cr_expect_str_eq (san ("8/8/8/8/8/2k5/8/K6R w - - 0 1", "h1d1"), "Rd1");
  cr_expect_str_eq (san ("8/8/8/8/8/2k5/8/K6R w - - 0 1", "a1a2"), "Ka2");
  cr_expect_str_eq (san ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"), "e4");
  cr_expect_str_eq (san ("4k3/8/8/8/8/3n4/4P3/4K3 w - - 0 1", "e2d3"), "exd3");
  cr_expect_str_eq (san ("4k3/8/8/8/8/3n4/8/2B1K3 w - - 0 1", "e1d2"), "Kd2");
}

Test (san, tells_equal_men_apart_by_file_then_rank_then_square) {
  cr_expect_str_eq (san ("4k3/8/8/8/8/8/1K6/R6R w - - 0 1", "a1d1"), "Rad1");
  cr_expect_str_eq (san ("4k3/8/8/R7/8/8/1K6/R7 w - - 0 1", "a1a3"), "R1a3");
  cr_expect_str_eq (san ("8/8/8/8/8/7k/8/KN3N2 w - - 0 1", "b1d2"), "Nbd2");
  /* queens on e4, h4 and h1, as in the example of the standard of FIDE */
  cr_expect_str_eq (san ("8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1"), "Qh4e1");
  cr_expect_str_eq (san ("8/8/1k6/8/4r2Q/8/8/K6Q w - - 0 1", "h4e4"), "Q4xe4");
  /* knights on a1, a5 and c1 can all go to b3 */
  cr_expect_str_eq (san ("7k/8/8/N7/8/8/8/N1N4K w - - 0 1", "a1b3"), "Na1b3");
  cr_expect_str_eq (san ("7k/8/8/N7/8/8/8/N1N4K w - - 0 1", "a5b3"), "N5b3");
  cr_expect_str_eq (san ("7k/8/8/N7/8/8/8/N1N4K w - - 0 1", "c1b3"), "Ncb3");
}

/* The knight on e2 is pinned by the rook on e8, so that the other one needs no file. */
Test (san, a_pinned_man_is_no_other_man) {
  cr_expect_str_eq (san ("k3r3/8/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2"), "Nc2");
  cr_expect_str_eq (san ("k3r3/8/8/8/8/8/8/N3K1N1 w - - 0 1", "g1e2"), "Ne2");
  cr_expect_str_eq (san ("k3r3/8/8/8/2N5/8/4N3/4K3 w - - 0 1", "c4d2"), "Nd2");
}

Test (san, tells_check_and_mate) {
  cr_expect_str_eq (san ("8/8/8/8/8/2k5/8/K6R w - - 0 1", "h1h3"), "Rh3+");
  cr_expect_str_eq (san ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8"), "Rh8#");
  cr_expect_str_eq (san ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "b6a6"), "Ka6");
  /* a discovered check */
  cr_expect_str_eq (san ("k7/8/8/8/K7/8/8/R7 w - - 0 1", "a4b4"), "Kb4+");
}

Test (san, promotions_and_captures_en_passant) {
  cr_expect_str_eq (san ("8/2P5/8/8/8/2k5/8/K7 w - - 0 1", "c7c8q"), "c8=Q+");
  cr_expect_str_eq (san ("8/2P5/8/8/8/2k5/8/K7 w - - 0 1", "c7c8n"), "c8=N");
  cr_expect_str_eq (san ("1r5k/2P5/6K1/8/8/8/8/8 w - - 0 1", "c7b8r"), "cxb8=R#");
  cr_expect_str_eq (san ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6"), "exd6");
  cr_expect_str_eq (san ("k7/8/8/8/3pP3/8/8/K7 b - e3 0 1", "d4e3"), "dxe3");
}

/* No two legal moves of a position read alike, and all fit. */
Test (san, no_two_moves_read_alike) {
  static const char *const fens[] = { "1k6/8/8/Q6Q/8/8/8/QK5Q w - - 0 1",
                                      "k7/8/8/N1N5/1N1N4/8/8/K7 w - - 0 1",
                                      "7k/PPP5/8/3pP3/8/8/ppp5/5K2 w - d6 0 1",
                                      "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1" };
  for (unsigned f = 0; f < sizeof fens / sizeof *fens; f++) {
    const sd_pos p = read_fen (fens[f]);
    sd_move all[SD_MAX_MOVES];
    char text[SD_MAX_MOVES][SD_SAN_TEXT];
    const unsigned n = sd_moves (&p, SD_MOVES_ALL, all);
    cr_assert_gt (n, 10);
    for (unsigned i = 0; i < n; i++) {
      sd_move_san (&p, &all[i], text[i]);
      for (unsigned j = 0; j < i; j++)
        cr_expect_str_neq (text[i], text[j], "%s", fens[f]);
    }
  }
}

Test (insufficient, is_what_can_mate_by_no_moves) {
  static const struct {
    const char *fen;
    bool is;
  } want[] = {
    { "k7/8/8/8/8/8/8/K7 w - - 0 1", true },     { "k7/8/8/8/8/8/8/KN6 w - - 0 1", true },
    { "k7/8/8/8/8/8/8/KB6 b - - 0 1", true },    { "k7/8/8/8/8/8/8/KNN5 w - - 0 1", false },
    { "kn6/8/8/8/8/8/8/KN6 w - - 0 1", false },  { "kb6/8/8/8/8/8/8/KN6 w - - 0 1", false },
    { "kb6/8/8/8/8/8/8/KB6 w - - 0 1", false },  { "k1b5/8/8/8/8/8/8/KB6 w - - 0 1", true },
    { "k7/8/8/8/8/8/1B6/K1B5 w - - 0 1", true }, { "k7/8/8/8/8/8/8/KBB5 w - - 0 1", false },
    { "k7/8/8/8/8/8/8/KR6 w - - 0 1", false },   { "k7/8/8/8/8/8/1P6/K7 w - - 0 1", false },
  };
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    const sd_pos p = read_fen (want[i].fen);
    cr_expect_eq (sd_pos_insufficient (&p), want[i].is, "%s", want[i].fen);
  }
}

Test (epd, reads_fields_clocks_and_operations) {
  static const struct {
    const char *text;
    unsigned halfmoves, move;
  } want[] = {
    { "8/8/8/8/8/2k5/8/K6R w - -", 0, 1 },
    { "8/8/8/8/8/2k5/8/K6R w - - 30 40", 30, 40 },
    { "8/8/8/8/8/2k5/8/K6R w - - 30 0", 30, 1 },
    { "8/8/8/8/8/2k5/8/K6R w - - bm Rd1; id \"a;b\";", 0, 1 },
    { "8/8/8/8/8/2k5/8/K6R w - - hmvc 7; fmvn 12;", 7, 12 },
    { "8/8/8/8/8/2k5/8/K6R w - - 3 9 acd 3;hmvc 8; ", 8, 9 },
    { "8/8/8/8/8/2k5/8/K6R w - - xhmvc 7;", 0, 1 },
    { "8/8/8/8/8/2k5/8/K6R w - - id \"a; hmvc 7;\";", 0, 1 },
    { "8/8/8/8/8/2k5/8/K6R w - - id \"a; hmvc 7; fmvn x;\";hmvc\t8 ; fmvn 1000000;", 8, 1000000 },
    { "8/8/8/8/8/2k5/8/K6R w - - c0 hmvc 7; fmvn 0;", 0, 1 },
    { "8/8/8/8/8/2k5/8/K6R w - - 1000000 1000000", 1000000, 1000000 },
  };
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    sd_pos p;
    sd_clocks clocks;
    sd_error err = { 0 };
    cr_assert_eq (sd_pos_from_epd (want[i].text, &p, &clocks, &err), SD_OK, "%s: %s", want[i].text, err.text);
    cr_expect_eq (clocks.halfmoves, want[i].halfmoves, "%s", want[i].text);
    cr_expect_eq (clocks.move, want[i].move, "%s", want[i].text);
    cr_expect_eq (sd_lowest (p.by[SD_WHITE][SD_ROOK]), 7);
  }
  sd_pos p;
  sd_error err = { 0 };
  cr_expect_eq (sd_pos_from_epd ("8/8/8/8/8/2k5/8/K6R w - - bm Rd1", &p, NULL, &err), SD_EINVAL);
  cr_expect_eq (sd_pos_from_epd ("8/8/8/8/8/2k5/8/K6R w - - 0 1 2", &p, NULL, &err), SD_EINVAL);
  cr_expect_eq (sd_pos_from_fen ("8/8/8/8/8/2k5/8/K6R w - - bm Rd1;", &p, &err), SD_EINVAL);
}

Test (epd, refusals_of_numbers_say_what_is_wrong) {
  static const struct {
    const char *operations, *says;
  } in[] = {
    { "hmvc 1000001;", "FEN: hmvc: 1000001 is above 1000000" },
    { "bm Rd1; fmvn 99999999999999999999999;", "FEN: fmvn: 99999999999999999999... is above 1000000" },
    { "99999999999999999999 1 bm Rd1;", "FEN: halfmove clock: 99999999999999999999 is above 1000000" },
    { "hmvc x;", "FEN: hmvc: 'x' is not a digit" },
    { "hmvc ;", "FEN: hmvc: ';' is not a digit" },
    { "hmvc;", "FEN: hmvc: ';' is not a digit" },
    { "hmvc 7x;", "FEN: hmvc: 'x' follows the number" },
  };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    char text[120];
    sd_pos p;
    sd_clocks clocks;
    sd_error err = { 0 };
    snprintf (text, sizeof text, "8/8/8/8/8/2k5/8/K6R w - - %s", in[i].operations);
    cr_expect_eq (sd_pos_from_epd (text, &p, &clocks, &err), SD_EINVAL, "%s", text);
    cr_expect_str_eq (err.text, in[i].says, "%s: %s", text, err.text);
  }
}
