/** \file category.h
 * Results as the web API of chess sites names them, the half-move clock counted. */
#ifndef SD_CATEGORY_H
#define SD_CATEGORY_H

#include "gen/games/known.h"

/** Where a position stands in a game. */
typedef struct sd_moment {
  unsigned clock; /* half-moves since the last capture or pawn move */
  bool spent; /* the game could be claimed drawn before the move that led here, so that not even a mate counts
               */
} sd_moment;
/** Behind a move. */
sd_moment sd_moment_after (const sd_moment *before, bool zeroing);
/** The results that are possible with this clock: 2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss. */
sd_span sd_ruled (const sd_known *k, const sd_moment *at);
/** "win", "syzygy-win", "maybe-win", "cursed-win", "draw", ..., "unknown": docs/api.md says what each means. */
const char *sd_category (const sd_known *k, const sd_moment *at);

#endif
