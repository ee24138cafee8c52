/* Attacks. Steps of pawn, knight and king are tables; sliders use the obstruction difference (G. Isenberg's
 * and M. Hoffmann's name for it, Chess Programming Wiki, "Obstruction Difference"): on a line through s let L
 * be the highest occupied square below s (or a1 where there is none) and U the occupied squares above s. U -
 * L borrows from the lowest bit of U down to L, so U ^ (U - L) has all bits from L to that bit set, and the
 * line's mask cuts out what is seen. Two loads and eight operations per line, the same for ranks, files and
 * diagonals, with 4 KiB of tables; all tables are constant expressions. */
#include "config.h"
#include "chess/chess.h"

#define BIT(s) ((uint64_t) 1 << (s))
#define NOT_A UINT64_C (0xfefefefefefefefe)
#define NOT_H UINT64_C (0x7f7f7f7f7f7f7f7f)
#define NOT_AB UINT64_C (0xfcfcfcfcfcfcfcfc)
#define NOT_GH UINT64_C (0x3f3f3f3f3f3f3f3f)

#define ROW(X, s)                                                                                            \
  X (s), X ((s) + 1), X ((s) + 2), X ((s) + 3), X ((s) + 4), X ((s) + 5), X ((s) + 6), X ((s) + 7)
#define BOARD(X)                                                                                             \
  { ROW (X, 0), ROW (X, 8), ROW (X, 16), ROW (X, 24), ROW (X, 32), ROW (X, 40), ROW (X, 48), ROW (X, 56) }

#define WHITE_PAWN(s) ((BIT (s) << 9 & NOT_A) | (BIT (s) << 7 & NOT_H))
#define BLACK_PAWN(s) ((BIT (s) >> 9 & NOT_H) | (BIT (s) >> 7 & NOT_A))
#define KNIGHT(s)                                                                                            \
  (((BIT (s) << 17 | BIT (s) >> 15) & NOT_A) | ((BIT (s) << 15 | BIT (s) >> 17) & NOT_H)                     \
   | ((BIT (s) << 10 | BIT (s) >> 6) & NOT_AB) | ((BIT (s) << 6 | BIT (s) >> 10) & NOT_GH))
#define KING(s)                                                                                              \
  (WHITE_PAWN (s) | BLACK_PAWN (s) | BIT (s) << 8 | BIT (s) >> 8 | (BIT (s) << 1 & NOT_A)                    \
   | (BIT (s) >> 1 & NOT_H))

const uint64_t sd_leaps[4][64] = { BOARD (WHITE_PAWN), BOARD (BLACK_PAWN), BOARD (KNIGHT), BOARD (KING) };

/* A diagonal is a8-h1 or a1-h8 moved up or down by whole ranks; `& 63` only quiets the branch that is not
 * taken. */
#define DIAGONAL_OF(up) ((up) >= 0 ? MAIN << (8 * (up) &63) : MAIN >> (-8 * (up) &63))
#define ANTI_OF(up) ((up) >= 0 ? ANTI << (8 * (up) &63) : ANTI >> (-8 * (up) &63))
#define MAIN UINT64_C (0x8040201008040201)
#define ANTI UINT64_C (0x0102040810204080)
#define SPLIT(mask, s)                                                                                       \
  { (mask) & (BIT (s) - 1), (mask) & ~(BIT (s) - 1) & ~BIT (s) }
#define LINES(s)                                                                                             \
  {                                                                                                          \
    SPLIT (UINT64_C (0xff) << ((s) &56), s), SPLIT (UINT64_C (0x0101010101010101) << ((s) &7), s),           \
        SPLIT (DIAGONAL_OF ((s) / 8 - (s) % 8), s), SPLIT (ANTI_OF ((s) / 8 + (s) % 8 - 7), s)               \
  }

const sd_line sd_lines[64][4] = BOARD (LINES);

uint64_t sd_attackers (const sd_pos *p, unsigned square, unsigned by, uint64_t occupied) {
  const uint64_t *own = p->by[by];
  const sd_line *line = sd_lines[square];
  uint64_t straight = own[SD_ROOK] | own[SD_QUEEN], oblique = own[SD_BISHOP] | own[SD_QUEEN];
  uint64_t a = (sd_leaps[by ^ 1][square] & own[SD_PAWN]) | (sd_leaps[2][square] & own[SD_KNIGHT])
               | (sd_leaps[3][square] & own[SD_KING]);
  /* With few men most lines hold no slider at all. */
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; i++) {
    uint64_t sliders = (i < 2 ? straight : oblique) & (line[i].lower | line[i].upper);
    if (sliders)
      a |= sliders & sd_line_attacks (&line[i], occupied);
  }
  return a;
}

bool sd_attacked (const sd_pos *p, unsigned square, unsigned by) {
  return sd_attackers (p, square, by, p->occ[0] | p->occ[1]) != 0;
}
