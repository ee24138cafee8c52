/* Positions as twelve bit boards and their unions: legality, check, the mirror image, and the list of squares
 * that tables are indexed by. Everything here costs a few operations per man. */
#include "config.h"
#include "chess/chess.h"
#include <string.h>

void sd_pos_clear (sd_pos *p) {
  memset (p, 0, sizeof *p);
  p->ep = SD_NO_SQUARE;
}

void sd_pos_put (sd_pos *p, unsigned colour, unsigned type, unsigned square) {
  p->by[colour][type] |= sd_bit (square);
  p->occ[colour] |= sd_bit (square);
}

bool sd_in_check (const sd_pos *p, unsigned colour) {
  uint64_t king = p->by[colour][SD_KING];
  return king && sd_attacked (p, sd_lowest (king), colour ^ 1);
}

bool sd_pos_legal (const sd_pos *p) {
  uint64_t wk = p->by[SD_WHITE][SD_KING], bk = p->by[SD_BLACK][SD_KING];
  if (p->stm > 1 || p->ep > SD_NO_SQUARE || !wk || !bk || (wk & (wk - 1)) || (bk & (bk - 1)))
    return false;
  if ((p->by[SD_WHITE][SD_PAWN] | p->by[SD_BLACK][SD_PAWN]) & UINT64_C (0xff000000000000ff))
    return false;
  uint64_t seen[2] = { 0 }, twice = 0; /* two men on one square */
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 6; t++) {
      twice |= seen[c] & p->by[c][t];
      seen[c] |= p->by[c][t];
    }
  twice |= seen[0] & seen[1];
  /* Unions as the boards say, and the side that has just moved not in check. */
  return !twice && seen[0] == p->occ[0] && seen[1] == p->occ[1] && !sd_in_check (p, p->stm ^ 1u);
}

bool sd_pos_equal (const sd_pos *a, const sd_pos *b) {
  return memcmp (a->by, b->by, sizeof a->by) == 0 && a->stm == b->stm && a->ep == b->ep;
}

void sd_pos_flip (const sd_pos *p, sd_pos *out) {
  sd_pos q;
  for (unsigned c = 0; c < 2; c++) {
    /* A rank is a byte: exchanging bytes turns the board upside down. */
    for (unsigned t = 0; t < 6; t++)
      q.by[c][t] = __builtin_bswap64 (p->by[c ^ 1][t]);
    q.occ[c] = __builtin_bswap64 (p->occ[c ^ 1]);
  }
  q.stm = p->stm ^ 1;
  q.ep = p->ep == SD_NO_SQUARE ? SD_NO_SQUARE : p->ep ^ 56;
  *out = q;
}

static const uint8_t name_order[6] = { SD_KING, SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };

void sd_pos_from_squares (const sd_material *m, const uint8_t *sq, unsigned stm, sd_pos *out) {
  for (unsigned c = 0; c < 2; c++) {
    uint64_t occ = 0;
    for (unsigned i = 0; i < 6; i++) {
      const unsigned t = name_order[i];
      uint64_t men = 0;
      for (unsigned n = m->count[c][t]; n > 0; n--)
        men |= sd_bit (*sq++);
      out->by[c][t] = men;
      occ |= men;
    }
    out->occ[c] = occ;
  }
  out->stm = (uint8_t) stm;
  out->ep = SD_NO_SQUARE;
}

void sd_pos_to_squares (const sd_material *m, const sd_pos *p, uint8_t *sq) {
  for (unsigned c = 0; c < 2; c++)
    for (unsigned i = 0; i < 6; i++) {
      unsigned t = name_order[i];
      uint64_t b = p->by[c][t];
      /* No more than the material says, whatever stands there. */
      for (unsigned n = m->count[c][t]; n > 0 && b; n--, b &= b - 1)
        *sq++ = (uint8_t) sd_lowest (b);
    }
}
