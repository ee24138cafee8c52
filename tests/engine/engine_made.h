/* Positions and probers for the tests of <subdef/probe.h>. */
#ifndef SD_TESTS_ENGINE_MADE_H
#define SD_TESTS_ENGINE_MADE_H

#include "engine/probe.h"
#include "tests/probe/three_men.h"

static inline sd_prober_position boards_of (const sd_pos *p) {
  const uint64_t (*by)[6] = p->by;
  return (sd_prober_position){ .white = p->occ[0],
                               .black = p->occ[1],
                               .kings = by[0][SD_KING] | by[1][SD_KING],
                               .queens = by[0][SD_QUEEN] | by[1][SD_QUEEN],
                               .rooks = by[0][SD_ROOK] | by[1][SD_ROOK],
                               .bishops = by[0][SD_BISHOP] | by[1][SD_BISHOP],
                               .knights = by[0][SD_KNIGHT] | by[1][SD_KNIGHT],
                               .pawns = by[0][SD_PAWN] | by[1][SD_PAWN],
                               .ep = p->ep == SD_NO_SQUARE ? 0 : p->ep,
                               .black_to_move = p->stm };
}

static inline sd_prober *prober_of (const char *path, unsigned flags) {
  sd_prober *prober;
  char message[300];
  cr_assert (sd_prober_open (path, flags, &prober, message, sizeof message) == SD_PROBER_OK, "%s", message);
  return prober;
}

#endif
