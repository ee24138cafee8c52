/** \file chess_moves.h
 * Legal moves of a decoded chess state, as far as init (which counts them) and succs (which makes them) share
 * them; inside gen/ only. Cost: some 20 ns a state, inlined into both. */
#ifndef SD_GEN_CHESS_MOVES_H
#define SD_GEN_CHESS_MOVES_H

#include "gen/games/chess/chess_internal.h"

/* ---------------------------------------------------------------- symmetry */

/** Groups that a mirror changes. */
static inline unsigned sd_chess_asymmetric (const sd_chess *c, const sd_chess_place *p,
                                            const uint8_t mirror[64]) {
  unsigned n = 0;
  for (unsigned g = 0; g < c->ngroups; g++) {
    uint64_t set = p->by[c->group[g].colour][c->group[g].type];
    n += sd_chess_turned (mirror, set) != set;
  }
  return n;
}

/** Is p its own mirror image in a diagonal? */
static inline bool sd_chess_symmetric (const sd_chess *c, const sd_chess_place *p) {
  for (unsigned i = 0; i < 2; i++) {
    const uint8_t *mirror = c->turn[0][i ? SD_CHESS_ANTI : SD_CHESS_MAIN];
    if (mirror[p->king[0]] == p->king[0] && mirror[p->king[1]] == p->king[1]
        && sd_chess_asymmetric (c, p, mirror) == 0)
      return true;
  }
  return false;
}

/** May p or a position one move later be symmetric? */
static inline bool sd_chess_near_symmetry (const sd_chess *c, const sd_chess_place *p) {
  for (unsigned i = 0; i < 2; i++) {
    const uint8_t *mirror = c->turn[0][i ? SD_CHESS_ANTI : SD_CHESS_MAIN];
    const unsigned ours = p->king[p->stm], theirs = p->king[1 - p->stm];
    if (mirror[theirs] == theirs && sd_chess_asymmetric (c, p, mirror) <= (mirror[ours] == ours))
      return true;
  }
  return false;
}

/* ------------------------------------------------------------------- moves */

/** What the enemy does to the side to move. */
typedef struct sd_chess_threats {
  uint64_t danger;  /* where the king may not go */
  uint64_t allowed; /* targets of other pieces that answer a check */
  uint64_t pinned;  /* own pieces that must stay on their line from the king */
  unsigned checks;
} sd_chess_threats;

static inline sd_chess_threats sd_chess_threatened (const sd_chess *c, const sd_chess_place *p) {
  const unsigned us = p->stm, them = 1 - us, king = p->king[us];
  const uint64_t occ = p->occ[0] | p->occ[1], king_bit = sd_bit (king);
  sd_chess_threats e = { .danger = sd_king_attacks (p->king[them]), .allowed = ~0ull };
  for (unsigned g = c->first_group[them]; g < c->first_group[them + 1]; g++) {
    const unsigned type = c->group[g].type;
    for (uint64_t set = p->by[them][type]; set; set &= set - 1) {
      const unsigned square = sd_lowest (set);
      const uint64_t attacks = sd_attacks (them, type, square, occ ^ king_bit);
      e.danger |= attacks;
      if (attacks & king_bit) {
        e.checks++;
        e.allowed &= sd_bit (square) | c->between[king][square];
      } else if (type >= SD_BISHOP
                 && (((type != SD_ROOK ? c->line[0][square] : 0)
                      | (type != SD_BISHOP ? c->line[1][square] : 0))
                     & king_bit)) {
        const uint64_t between = c->between[king][square] & occ;
        if ((between & (between - 1)) == 0) /* exactly one piece, or the attack would reach the king */
          e.pinned |= between & p->occ[us];
      }
    }
  }
  return e;
}

/** The moves of a pawn: targets as of now; pushes as well as captures. */
static inline uint64_t sd_chess_pawn_targets (unsigned colour, unsigned square, uint64_t occ,
                                              uint64_t enemies) {
  const uint64_t from = sd_bit (square);
  uint64_t push = (colour == SD_WHITE ? from << 8 : from >> 8) & ~occ;
  const uint64_t third = colour == SD_WHITE ? 0xffull << 16 : 0xffull << 40;
  push |= (colour == SD_WHITE ? (push & third) << 8 : (push & third) >> 8) & ~occ;
  return push | (sd_pawn_attacks (colour, square) & enemies);
}

/** Legal targets of a piece other than the king, promotions and captures included, en passant not; with two
 * checks there are none. attacks: of the piece on this board. */
static inline uint64_t sd_chess_targets (const sd_chess *c, const sd_chess_place *p,
                                         const sd_chess_threats *e, unsigned type, unsigned square,
                                         uint64_t attacks) {
  const unsigned us = p->stm, king = p->king[us];
  uint64_t targets = attacks;
  if (type == SD_PAWN)
    targets = sd_chess_pawn_targets (us, square, p->occ[0] | p->occ[1], p->occ[1 - us]);
  targets &= ~p->occ[us] & e->allowed;
  if (e->pinned & sd_bit (square)) /* stay on the line from the king */
    targets &= c->line[0][king] & sd_bit (square) ? c->line[0][king] & c->line[0][square]
                                                  : c->line[1][king] & c->line[1][square];
  return targets;
}

#endif
