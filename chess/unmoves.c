/* Can a legal move have led to a position? Moves are taken back one by one until the position before is
 * legal.
 *
 * A man that was captured on the square only stood in the way of lines: the player who captured may have
 * been in check, so that it does not matter what the man attacked. Any kind of man does the same, a knight
 * can stand on every square, and each move is tried twice: without a capture, and with that of a knight.
 * Capturing en passant is the exception, for the pawn stands beside.
 *
 * Cost: nearly all positions are reached by the first move or the second one tried, some 50 ns; those that
 * are not reached take all of them. */
#include "config.h"
#include "chess/chess.h"

/* The move that is taken back: of a man of `type` now on `to`. */
typedef struct unmove {
  const sd_pos *p;
  unsigned us, to;
  unsigned now, type; /* what stands on `to`, and what it was: differ after a promotion */
} unmove;

/* Is the position legal in which the man stood on `from`, and a man of type `captured` of the other colour on
 * `taken`? captured: SD_NO_PIECE, or what was taken. */
static bool legal_before (const unmove *u, unsigned from, unsigned captured, unsigned taken) {
  sd_pos q = *u->p;
  q.by[u->us][u->now] ^= sd_bit (u->to);
  q.occ[u->us] ^= sd_bit (u->to);
  sd_pos_put (&q, u->us, u->type, from);
  if (captured != SD_NO_PIECE)
    sd_pos_put (&q, u->us ^ 1, captured, taken);
  q.stm = (uint8_t) u->us;
  q.ep = SD_NO_SQUARE;
  return sd_pos_legal (&q);
}

/* May the man have come from one of these squares? steps: without a capture; takes: with one. */
static bool from_any (const unmove *u, uint64_t steps, uint64_t takes) {
  for (; steps; steps &= steps - 1)
    if (legal_before (u, sd_lowest (steps), SD_NO_PIECE, 0))
      return true;
  for (; takes; takes &= takes - 1)
    if (legal_before (u, sd_lowest (takes), SD_KNIGHT, u->to))
      return true;
  return false;
}

/* Squares of a rank as the player counts them, from 0. */
static uint64_t rank_of (unsigned us, unsigned rank) {
  return UINT64_C (0xff) << 8 * (us == SD_WHITE ? rank : 7 - rank);
}

/* The square of a pawn so many steps further back. */
static uint64_t behind (unsigned us, uint64_t b, unsigned steps) {
  return us == SD_WHITE ? b >> 8 * steps : b << 8 * steps;
}

/* May a pawn have made the move to u->to? */
static bool by_pawn (const unmove *u) {
  const uint64_t to = sd_bit (u->to), empty = ~(u->p->occ[0] | u->p->occ[1]) & ~rank_of (u->us, 0);
  const uint64_t step = behind (u->us, to, 1) & empty, diagonal = sd_pawn_attacks (u->us ^ 1, u->to) & empty;
  const uint64_t twice = to & rank_of (u->us, 3) && step ? behind (u->us, to, 2) & empty : 0;
  if (from_any (u, step | twice, diagonal))
    return true;
  /* en passant: the pawn that was taken had just come over u->to from the square in front */
  const uint64_t taken = behind (u->us, to, 1), home = behind (u->us ^ 1, to, 1);
  if (!(to & rank_of (u->us, 5)) || !(taken & empty) || !(home & empty))
    return false;
  for (uint64_t from = diagonal; from; from &= from - 1)
    if (legal_before (u, sd_lowest (from), SD_PAWN, sd_lowest (taken)))
      return true;
  return false;
}

bool sd_pos_reachable (const sd_pos *p) {
  const unsigned us = p->stm ^ 1u;
  const uint64_t occ = p->occ[0] | p->occ[1];

  for (unsigned t = SD_KING + 1; t-- > SD_PAWN;)
    for (uint64_t b = p->by[us][t]; b; b &= b - 1) {
      const unsigned to = sd_lowest (b);
      unmove u = { p, us, to, t, t };
      if (t == SD_PAWN) {
        if (by_pawn (&u))
          return true;
        continue;
      }
      const uint64_t from = sd_attacks (us, t, to, occ) & ~occ;
      if (from_any (&u, from, from))
        return true;
      u.type = SD_PAWN;
      if (t != SD_KING && sd_bit (to) & rank_of (us, 7) && by_pawn (&u))
        return true;
    }
  return false;
}

/* a1 stays, h1 and a8 change places. */
static uint64_t transposed (uint64_t b) {
  uint64_t out = 0;
  for (; b; b &= b - 1)
    out |= sd_bit ((sd_lowest (b) & 7) << 3 | sd_lowest (b) >> 3);
  return out;
}

/* Ranks in the other order, or files for ranks; colours stay. */
static void mirror (sd_pos *p, bool transpose) {
  for (unsigned c = 0; c < 2; c++) {
    for (unsigned t = 0; t < 6; t++)
      p->by[c][t] = transpose ? transposed (p->by[c][t]) : __builtin_bswap64 (p->by[c][t]);
    p->occ[c] = transpose ? transposed (p->occ[c]) : __builtin_bswap64 (p->occ[c]);
  }
}

bool sd_pos_reachable_mirrored (const sd_pos *p) {
  sd_pos q = *p;
  bool yes = sd_pos_reachable (p);
  if (yes || p->by[0][SD_PAWN] | p->by[1][SD_PAWN])
    return yes;
  /* each edge of the board once where pawns promote; left and right are alike to them */
  for (unsigned i = 0; i < 3 && !yes; i++) {
    mirror (&q, i == 1);
    yes = sd_pos_reachable (&q);
  }
  return yes;
}
