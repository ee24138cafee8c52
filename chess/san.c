/* Moves as people write them (standard algebraic notation, PGN standard, 8.2.3): the letter of the man, of
 * several equal men that may go there the file, else the rank, else the square that tells which one moves,
 * "x" for a capture, the square, the promotion, and "+" or "#". A man that is pinned does not count, since
 * only legal moves are looked at. */
#include "config.h"
#include "chess/chess.h"

static const char letters[] = "PNBRQK";

/* What tells m from the other legal moves of equal men to the same square. */
static char *put_origin (const sd_pos *p, const sd_move *m, char *out) {
  sd_move all[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, all);
  bool others = false, file = false, rank = false; /* there are such; one on the same file, rank */
  for (unsigned i = 0; i < n; i++) {
    if (all[i].piece != m->piece || all[i].to != m->to || all[i].from == m->from)
      continue;
    others = true;
    file |= (all[i].from & 7) == (m->from & 7);
    rank |= all[i].from >> 3 == m->from >> 3;
  }
  if (others && (!file || rank))
    *out++ = (char) ('a' + (m->from & 7));
  if (others && file)
    *out++ = (char) ('1' + (m->from >> 3));
  return out;
}

void sd_move_san (const sd_pos *p, const sd_move *m, char out[SD_SAN_TEXT]) {
  const bool takes = m->captured != SD_NO_PIECE;
  sd_pos after;

  if (m->piece != SD_PAWN) {
    *out++ = letters[m->piece];
    out = put_origin (p, m, out);
  } else if (takes)
    *out++ = (char) ('a' + (m->from & 7));
  if (takes)
    *out++ = 'x';
  *out++ = (char) ('a' + (m->to & 7));
  *out++ = (char) ('1' + (m->to >> 3));
  if (m->promotion != SD_NO_PIECE) {
    *out++ = '=';
    *out++ = letters[m->promotion];
  }
  sd_pos_apply (p, m, &after);
  if (sd_in_check (&after, after.stm))
    *out++ = sd_has_move (&after) ? '+' : '#';
  *out = 0;
}

bool sd_pos_insufficient (const sd_pos *p) {
  const uint64_t light = UINT64_C (0x55aa55aa55aa55aa);
  uint64_t men[6];
  for (unsigned t = SD_PAWN; t <= SD_KING; t++)
    men[t] = p->by[0][t] | p->by[1][t];
  if (men[SD_PAWN] | men[SD_ROOK] | men[SD_QUEEN])
    return false;
  if (men[SD_KNIGHT])
    return !men[SD_BISHOP] && !(men[SD_KNIGHT] & (men[SD_KNIGHT] - 1));
  return !(men[SD_BISHOP] & light) || !(men[SD_BISHOP] & ~light);
}
