/** \file chess_game.h
 * Endings of chess as games for the solver. */
#ifndef SD_CHESS_GAME_H
#define SD_CHESS_GAME_H

#include "gen/solve/solve.h"
#include "values/values.h"

/* ------------------------------------------------------------------- chess */

/** What a game's values of sub-endings may take, in bytes, once all states have been looked at. */
#define SD_CHESS_KEEP ((uint64_t) 16 << 20)

/** The ending m (canonical) as a game; its successors' values come from `values`, which must outlive the
 * game. init fails where a block of a sub-ending cannot be decoded. tidy keeps `values` within its budget.
 * States: side * n + slot for the sides stored, then the positions with an en-passant right that can be used
 * (their values feed the double steps and are not stored). Most endings with pawns have parts, too, which
 * have no such positions (chess_parts.c). values NULL: a survey of the states, cheap also with 7 men.
 * Conversions count as draws, states with a right are counted in nstates, but nobody may ask about them and
 * preds names none. Of an ending that has parts it is a survey of all these together: preds names no move of
 * a pawn, and there is no right. */
int sd_chess_game_new (sd_values *values, const sd_material *m, sd_game *out, sd_error *err);
void sd_chess_game_free (sd_game *g);

#endif
