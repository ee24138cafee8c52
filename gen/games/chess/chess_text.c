/* Chess: positions as text (FEN with or without clocks, EPD, FEN with EPD's operations), their moves, and
 * DTM as players say it. */
#include "config.h"
#include "base/words.h"
#include "gen/games/chess/chess_kind.h"
#include "probe/restore_internal.h"
#include <string.h>

/* own[] is the board, without what may stand behind its last member, so that positions can be compared, and
 * the castling rights. */
enum { RIGHTS = sizeof (sd_pos) / sizeof (uint64_t) };

static void put_board (const sd_pos *board, unsigned rights, sd_position *out) {
  _Static_assert(sizeof *board + sizeof (uint64_t) <= sizeof out->own, "a board and rights fit in");
  sd_material as_is, m;
  sd_material_of (board, &as_is);
  *out = (sd_position){ .turned = sd_material_canonical (&as_is, &m) };
  out->slice = sd_chess_slice (&m);
  memcpy (out->own, board, offsetof (sd_pos, ep) + sizeof board->ep);
  out->own[RIGHTS] = rights;
}

unsigned sd_chess_rights (const sd_position *p) {
  return (unsigned) p->own[RIGHTS];
}

sd_pos sd_chess_board (const sd_position *p) {
  sd_pos board;
  memcpy (&board, p->own, sizeof board);
  return board;
}

int sd_chess_parse (const void *ctx, const char *text, sd_position *out, sd_error *err) {
  (void) ctx;
  sd_pos board;
  unsigned rights;
  *out = (sd_position){ 0 };
  SD_TRY (sd_pos_from_game (text, &board, &rights, NULL, err));
  put_board (&board, rights, out);
  return SD_OK;
}

static sd_clocks clocks_of (const char *text) {
  sd_clocks clocks = { .move = 1 };
  sd_pos_from_game (text, &(sd_pos){ 0 }, &(unsigned){ 0 }, &clocks, NULL);
  return clocks;
}

static void print_fen (const sd_position *p, const sd_clocks *clocks, char out[SD_POSITION_TEXT]) {
  const sd_pos board = sd_chess_board (p);
  char text[96], castling[5];
  sd_pos_to_fen (&board, text, sizeof text);
  sd_castling_text (sd_chess_rights (p), castling);
  /* sd_pos_to_fen () knows neither castling nor clocks: its parts are put together anew. */
  const int men = (int) strcspn (text, " ");
  const char *ep = text + men + strlen (" w - ");
  snprintf (out, SD_POSITION_TEXT, "%.*s %c %s %.*s %u %u", men, text, text[men + 1], castling,
            (int) strcspn (ep, " "), ep, clocks->halfmoves, clocks->move);
}

bool sd_chess_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]) {
  (void) ctx;
  const sd_material m = sd_chess_material (slice);
  SD_OWN (sd_indexer) *ix = NULL;
  sd_layout layout;
  sd_pos board;
  sd_layout_kings_first (&m, &layout);
  if (sd_indexer_new (&layout, &ix, NULL) != SD_OK)
    return false;
  const uint64_t n = sd_indexer_size (ix);
  /* States behind the slots have a right to capture en passant, and no text. */
  if (state / n >= (sd_material_symmetric (&m) ? 1 : 2)
      || !sd_index_position (ix, state % n, (unsigned) (state / n), &board))
    return false;
  sd_pos_to_fen (&board, out, SD_POSITION_TEXT);
  return true;
}

/* -------------------------------------------------------------------------- moves */

/* All legal moves, those of castling last; returns how many, and from which on they castle. */
static unsigned all_moves (const sd_pos *board, unsigned rights, sd_move out[SD_MAX_MOVES + 2],
                           unsigned *castling) {
  *castling = sd_moves (board, SD_MOVES_ALL, out);
  return *castling + sd_castling_moves (board, rights, out + *castling);
}

bool sd_chess_moves (const void *ctx, const sd_position *p, sd_value *end,
                     void (*visit) (void *arg, const sd_game_move *move), void *arg) {
  (void) ctx;
  sd_move legal[SD_MAX_MOVES + 2];
  const sd_pos board = sd_chess_board (p);
  const unsigned rights = sd_chess_rights (p);
  unsigned castling;
  const unsigned n = all_moves (&board, rights, legal, &castling);
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_game_move m = { .known = false };
    (i < castling ? sd_pos_apply : sd_castling_apply) (&board, &legal[i], &child);
    sd_move_name (&legal[i], m.text);
    m.step = sd_move_step (&legal[i]);
    put_board (&child, sd_castling_left (rights, &legal[i]), &m.to);
    visit (arg, &m);
  }
  /* Only asked for where there is no move. */
  *end = sd_in_check (&board, board.stm) ? -1 : 0;
  return true;
}

static void print_san (const sd_position *before, const char *move, char out[SD_SAN_TEXT]) {
  sd_move all[SD_MAX_MOVES + 2];
  const sd_pos board = sd_chess_board (before);
  unsigned castling;
  const unsigned n = all_moves (&board, sd_chess_rights (before), all, &castling);
  char name[6];
  *out = 0;
  for (unsigned i = 0; i < n && !*out; i++) {
    /* Found by the name that was given out: SAN needs all moves, to tell alike ones apart. */
    sd_move_name (&all[i], name);
    if (strcmp (name, move) == 0)
      (i < castling ? sd_move_san : sd_castling_san) (&board, &all[i], out);
  }
}

const char *sd_chess_beyond (const sd_position *p) {
  static const char men[] = "tables hold at most 7 men", rights[] = "tables know no castling rights";
  _Static_assert(SD_MAX_MEN == 7, "the sentence says 7");
  sd_material m;
  const sd_pos board = sd_chess_board (p);
  sd_material_of (&board, &m);
  return sd_material_men (&m) > SD_MAX_MEN ? men : sd_chess_rights (p) ? rights : NULL;
}

void sd_chess_dtm (sd_value v, char *out, size_t cap) {
  const int n = sd_value_plies (v);
  const char *many = n > 2 ? "s" : "";
  char plies[32];
  sd_text_plies (n, plies);
  if (v > 0)
    snprintf (out, cap, "won, mates in %d move%s (%s)", (n + 1) / 2, many, plies);
  else if (n)
    snprintf (out, cap, "lost, mated in %d move%s (%s)", (n + 1) / 2, many, plies);
  else
    snprintf (out, cap, "lost, mated");
}

const sd_game_board sd_chess_game_board = { sd_chess_board, sd_chess_beyond, clocks_of, print_fen,
                                            print_san };
