/* Castling. Positions hold no rights, as tables know none: whoever reads a game keeps them beside the
 * position. A right says that king and rook have not moved, so both stand at home; a castling move is told as
 * the king's. */
#include "config.h"
#include "chess/chess.h"
#include <string.h>

static const struct side {
  unsigned right;
  char letter;
  uint8_t colour, king, rook, king_to, rook_to;
} sides[] = { { SD_CASTLE_WHITE_SHORT, 'K', SD_WHITE, 4, 7, 6, 5 },
              { SD_CASTLE_WHITE_LONG, 'Q', SD_WHITE, 4, 0, 2, 3 },
              { SD_CASTLE_BLACK_SHORT, 'k', SD_BLACK, 60, 63, 62, 61 },
              { SD_CASTLE_BLACK_LONG, 'q', SD_BLACK, 60, 56, 58, 59 } };
enum { SIDES = sizeof sides / sizeof *sides };

/* The squares between two of a rank. */
static uint64_t between (unsigned a, unsigned b) {
  const unsigned low = a < b ? a : b, high = a < b ? b : a;
  return (sd_bit (high) - 1) & ~(sd_bit (low) | (sd_bit (low) - 1));
}

/* Is the king attacked where he stands, passes or arrives? */
static bool is_attacked (const sd_pos *p, const struct side *s) {
  uint64_t way = sd_bit (s->king) | between (s->king, s->king_to) | sd_bit (s->king_to);
  for (; way; way &= way - 1)
    if (sd_attacked (p, sd_lowest (way), s->colour ^ 1u))
      return true;
  return false;
}

bool sd_castling_possible (const sd_pos *p, unsigned rights) {
  for (unsigned i = 0; i < SIDES; i++)
    if ((rights & sides[i].right)
        && !((p->by[sides[i].colour][SD_KING] & sd_bit (sides[i].king))
             && (p->by[sides[i].colour][SD_ROOK] & sd_bit (sides[i].rook))))
      return false;
  return true;
}

unsigned sd_castling_moves (const sd_pos *p, unsigned rights, sd_move out[2]) {
  unsigned n = 0;
  for (unsigned i = 0; i < SIDES; i++) {
    const struct side *s = &sides[i];
    /* Nothing between king and rook; only the king's way must not be attacked. */
    if (s->colour == p->stm && (rights & s->right) && !(between (s->king, s->rook) & (p->occ[0] | p->occ[1]))
        && !is_attacked (p, s))
      out[n++] = (sd_move){ s->king, s->king_to, SD_KING, SD_NO_PIECE, SD_NO_PIECE, false };
  }
  return n;
}

void sd_castling_apply (const sd_pos *before, const sd_move *m, sd_pos *after) {
  sd_pos_apply (before, m, after);
  /* The king has moved already; the rook follows. */
  for (unsigned i = 0; i < SIDES; i++)
    if (sides[i].king == m->from && sides[i].king_to == m->to) {
      const uint64_t both = sd_bit (sides[i].rook) | sd_bit (sides[i].rook_to);
      after->by[sides[i].colour][SD_ROOK] ^= both;
      after->occ[sides[i].colour] ^= both;
    }
}

unsigned sd_castling_left (unsigned rights, const sd_move *m) {
  /* Also when the rook is taken at home. */
  for (unsigned i = 0; i < SIDES; i++)
    if (m->from == sides[i].king || m->from == sides[i].rook || m->to == sides[i].rook)
      rights &= ~sides[i].right;
  return rights;
}

unsigned sd_castling_right (char letter) {
  for (unsigned i = 0; i < SIDES; i++)
    if (sides[i].letter == letter)
      return sides[i].right;
  return 0;
}

void sd_castling_text (unsigned rights, char out[5]) {
  char *at = out;
  for (unsigned i = 0; i < SIDES; i++)
    if (rights & sides[i].right)
      *at++ = sides[i].letter;
  strcpy (at, at == out ? "-" : "");
}

void sd_castling_san (const sd_pos *p, const sd_move *m, char out[SD_SAN_TEXT]) {
  sd_pos after;
  sd_castling_apply (p, m, &after);
  snprintf (out, SD_SAN_TEXT, "%s%s", m->to > m->from ? "O-O" : "O-O-O",
            !sd_in_check (&after, after.stm) ? ""
            : sd_has_move (&after)           ? "+"
                                             : "#");
}
