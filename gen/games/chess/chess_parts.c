/* An ending with pawns by parts, for metrics that count plies to the next capture or pawn move: a part has
 * the states whose pawns have so many steps before them, and pawn moves lead to parts with fewer. A double
 * step passes over a part. Without pawns there is one part.
 *
 * Cost: a decoding a state, once. */
#include "config.h"
#include "gen/games/chess/chess_internal.h"

enum { STEPS = 5 }; /* of a pawn, from its first rank to the last one before it promotes */

unsigned sd_chess_parts (const sd_material *m) {
  return 1u + STEPS * (m->count[SD_WHITE][SD_PAWN] + m->count[SD_BLACK][SD_PAWN]);
}

void sd_chess_part (const void *ctx, sd_state first, uint64_t count, uint8_t *out) {
  const sd_chess *c = ctx;
  for (uint64_t i = 0; i < count; i++) {
    sd_chess_place p;
    unsigned left = 0;
    sd_chess_decode (c, first + i, &p);
    for (uint64_t set = p.by[SD_WHITE][SD_PAWN]; set; set &= set - 1)
      left += 6 - (sd_lowest (set) >> 3);
    for (uint64_t set = p.by[SD_BLACK][SD_PAWN]; set; set &= set - 1)
      left += (sd_lowest (set) >> 3) - 1;
    out[i] = (uint8_t) left;
  }
}
