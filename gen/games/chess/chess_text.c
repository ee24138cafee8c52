/* Chess: positions as text (FEN with or without clocks, EPD, FEN with EPD's operations), their moves, and
 * DTM as players say it. */
#include "config.h"
#include "gen/games/chess/chess_kind.h"
#include "probe/restore_internal.h"
#include <string.h>

static void put_board (const sd_pos *board, sd_position *out) {
  _Static_assert(sizeof *board <= sizeof out->own, "a board fits into a position");
  sd_material as_is, m;
  sd_material_of (board, &as_is);
  out->turned = sd_material_canonical (&as_is, &m);
  out->slice = sd_chess_slice (&m);
  memcpy (out->own, board, sizeof *board);
}

sd_pos sd_chess_board (const sd_position *p) {
  sd_pos board;
  memcpy (&board, p->own, sizeof board);
  return board;
}

int sd_chess_parse (const void *ctx, const char *text, sd_position *out, sd_error *err) {
  (void) ctx;
  sd_pos board;
  *out = (sd_position){ 0 };
  SD_TRY (sd_pos_from_epd (text, &board, NULL, err));
  put_board (&board, out);
  return SD_OK;
}

bool sd_chess_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]) {
  (void) ctx;
  const sd_material m = sd_chess_material (slice);
  uint8_t sq[SD_MAX_MEN];
  sd_layout layout;
  sd_indexer *ix;
  sd_pos board;
  sd_layout_kings_first (&m, &layout);
  if (sd_indexer_new (&layout, &ix, NULL) != SD_OK)
    return false;
  const uint64_t n = sd_indexer_size (ix);
  const bool is = state / n < (sd_material_symmetric (&m) ? 1 : 2) && sd_index_squares (ix, state % n, sq);
  sd_indexer_free (ix);
  if (!is)
    return false;
  sd_pos_from_squares (&m, sq, (unsigned) (state / n), &board);
  if (!sd_pos_legal (&board))
    return false;
  sd_pos_to_fen (&board, out, SD_POSITION_TEXT);
  return true;
}

/* -------------------------------------------------------------------------- moves */

bool sd_chess_moves (const void *ctx, const sd_position *p, sd_value *end,
                     void (*visit) (void *arg, const sd_game_move *move), void *arg) {
  (void) ctx;
  sd_move legal[SD_MAX_MOVES];
  const sd_pos board = sd_chess_board (p);
  const unsigned n = sd_moves (&board, SD_MOVES_ALL, legal);
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_game_move m = { .known = false };
    sd_pos_apply (&board, &legal[i], &child);
    sd_move_name (&legal[i], m.text);
    m.step = sd_move_step (&legal[i]);
    put_board (&child, &m.to);
    visit (arg, &m);
  }
  *end = sd_in_check (&board, board.stm) ? -1 : 0;
  return true;
}

void sd_chess_dtm (sd_value v, char *out, size_t cap) {
  const int plies = v > 0 ? v : -v - 1;
  const char *many = plies > 2 ? "s" : "";
  if (v > 0)
    snprintf (out, cap, "won, mates in %d move%s (%d plies)", (plies + 1) / 2, many, plies);
  else if (plies)
    snprintf (out, cap, "lost, mated in %d move%s (%d plies)", (plies + 1) / 2, many, plies);
  else
    snprintf (out, cap, "lost, mated");
}
