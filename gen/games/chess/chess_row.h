/** \file chess_row.h
 * Rows of the chess game, inside gen/ only: the states that differ by one piece alone.
 *
 * Idea: the last digit of a slot counts fastest, and with it the square of one man X: the only one of
 * its group, or the lowest of it. So states that follow one another are one placement of all other men, with
 * X on square after square. What the others do is worked out once for the row, and what X on a square changes
 * is a matter of sets of squares. Squares of X in a row: from the group's lowest one to below its fellows.
 *
 * The generator's layout has a single piece for X where it can: its squares often have the same value, and an
 * un-move of another man then serves more states than if X were a pawn (the iterations of KBPvK take 0.55 of
 * that time, those of KRvKP 0.5) or one of two equal pieces (KRBBvK: 0.45). */
#ifndef SD_GEN_CHESS_ROW_H
#define SD_GEN_CHESS_ROW_H

#include "gen/games/chess/chess_internal.h"

typedef struct sd_chess_row {
  const sd_chess *c;
  const sd_chess_group *x; /* X's group, that of stride 1 */
  sd_chess_place p;        /* without X: p.by, p.occ; p.slot and the last digit are those of `at` */
  unsigned at;             /* square of X in the state that the row was found by */
  unsigned end;            /* squares of X: x->low..end - 1 */
  uint64_t fellows;        /* of X, in p.by too */
  uint64_t occ;            /* of all but X */
  uint64_t slot;           /* of X on square 0, even if it may not stand there */
} sd_chess_row;

/** What a group adds to its digit when its lowest piece X has been taken out: squares of the others. The
 * digit is this plus X's square less x->low. */
static inline uint64_t sd_chess_rank_above (const sd_chess *c, const sd_chess_group *x, uint64_t fellows) {
  uint64_t sum = 0;
  unsigned k = 2;
  for (fellows >>= x->low; fellows; fellows &= fellows - 1)
    sum += c->choose[k++][sd_lowest (fellows)];
  return sum;
}

/** The row of a state without en-passant right. r->p.clash: two of the others share a square. */
static inline void sd_chess_row_of (const sd_chess *c, sd_state s, sd_chess_row *r) {
  sd_chess_place *p = &r->p;
  unsigned men = 1;
  r->c = c;
  r->x = &c->group[c->rising[0]];
  sd_chess_decode (c, s, p);
  uint64_t *set = &p->by[r->x->colour][r->x->type];
  r->at = sd_lowest (*set);
  *set ^= sd_bit (r->at);
  r->fellows = *set;
  r->end = r->fellows ? sd_lowest (r->fellows) : r->x->low + (unsigned) r->x->radix;
  r->slot = p->slot - r->at;
  /* X may stand on another piece */
  p->occ[0] = sd_bit (p->king[0]);
  p->occ[1] = sd_bit (p->king[1]);
  for (unsigned g = 0; g < c->ngroups; g++) {
    p->occ[c->group[g].colour] |= p->by[c->group[g].colour][c->group[g].type];
    men += c->group[g].count;
  }
  r->occ = p->occ[0] | p->occ[1];
  p->clash = (unsigned) __builtin_popcountll (r->occ) != men;
}

/** A set of squares under a turn, as c->turn[0][turn] square by square. */
static inline uint64_t sd_chess_turned_set (unsigned turn, uint64_t b) {
  if (turn & 1) {
    b = (b >> 1 & 0x5555555555555555) | (b & 0x5555555555555555) << 1;
    b = (b >> 2 & 0x3333333333333333) | (b & 0x3333333333333333) << 2;
    b = (b >> 4 & 0x0f0f0f0f0f0f0f0f) | (b & 0x0f0f0f0f0f0f0f0f) << 4;
  }
  if (turn & 2)
    b = __builtin_bswap64 (b);
  if (turn & 4) { /* three rounds exchange 4 x 4, 2 x 2 and single squares across the diagonal */
    uint64_t t = 0x0f0f0f0f00000000 & (b ^ b << 28);
    b ^= t ^ t >> 28;
    t = 0x3333000033330000 & (b ^ b << 14);
    b ^= t ^ t >> 14;
    t = 0x5500550055005500 & (b ^ b << 7);
    b ^= t ^ t >> 7;
  }
  return b;
}

#endif
