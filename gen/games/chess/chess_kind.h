/* What chess_kind.c needs of chess_text.c: positions as users read and write them. */
#ifndef SD_CHESS_KIND_H
#define SD_CHESS_KIND_H

#include "gen/games/games.h"

/* As the members of sd_game_kind. */
int sd_chess_parse (const void *ctx, const char *text, sd_position *out, sd_error *err);
bool sd_chess_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]);
bool sd_chess_moves (const void *ctx, const sd_position *p, sd_value *end,
                     void (*visit) (void *arg, const sd_game_move *move), void *arg);
extern const sd_game_board sd_chess_game_board;
sd_pos sd_chess_board (const sd_position *p);
const char *sd_chess_beyond (const sd_position *p);

/** Of a position, bits of enum sd_castling. */
unsigned sd_chess_rights (const sd_position *p);
void sd_chess_dtm (sd_value v, char *out, size_t cap);

#endif
