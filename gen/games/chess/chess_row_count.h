/** \file chess_row_count.h
 * What is worked out once for a row whose moves are counted, and the conversions that start in it; inside
 * gen/ only (chess_init_row.c, chess_row_ways.c). */
#ifndef SD_GEN_CHESS_ROW_COUNT_H
#define SD_GEN_CHESS_ROW_COUNT_H

#include "gen/games/chess/chess_row.h"

/* A piece other than X and the kings. */
typedef struct sd_chess_man {
  uint8_t type, square;
  bool slider;
  uint64_t attacks; /* without X; theirs: and without our king */
  /* ours: */
  uint64_t pinned; /* squares of X for which it is pinned */
  uint64_t line;   /* where it may go then */
  uint64_t pushes; /* bits of ways below for a promotion of this pawn that are known */
  /* theirs: */
  uint64_t blocks; /* X there parts it from our king; 0 where nothing does */
  bool checks;     /* where X does not block */
} sd_chess_man;

/* Where a conversion leads: the number of its slot but for one piece whose square varies. */
typedef struct sd_chess_way {
  const sd_chess_child *child;
  unsigned n;       /* of candidates for the slot */
  uint64_t base[2]; /* without the group of the piece that varies */
  const uint8_t *turn[2];
  const sd_chess_group *group; /* of the piece that varies; NULL: none does */
  uint64_t fellows;
} sd_chess_way;

enum { SD_CHESS_ITS_KING = SD_CHESS_GROUPS, SD_CHESS_X = SD_CHESS_GROUPS }; /* among movers; among captured */

typedef struct sd_chess_row_count {
  const sd_chess *c;
  sd_chess_row r;
  unsigned us, them, king, enemy;
  bool x_ours;
  unsigned nours, ntheirs;
  sd_chess_man ours[SD_CHESS_GROUPS], theirs[SD_CHESS_GROUPS];
  uint64_t x_checks; /* X of theirs: squares where it gives check */
  uint64_t careful;  /* squares of X that are left to chess_init.c */
  /* lazily: */
  uint32_t known[SD_CHESS_GROUPS + 1]; /* [mover] bits by captured */
  sd_chess_way way[SD_CHESS_GROUPS + 1][SD_CHESS_GROUPS + 1];
  sd_chess_way push[SD_CHESS_GROUPS][6]; /* [mover][promoted] */
  uint32_t x_known;                      /* X of ours: bits by captured */
  sd_value x_value[SD_CHESS_GROUPS];
  uint32_t x_pushes;      /* X of ours, a pawn: bits of the ways below that are known */
  sd_chess_way x_push[6]; /* [promoted] */
} sd_chess_row_count;

/* Where conversions lead, found when they are first asked for. */

/** Our piece `mover`, or the king, takes theirs number `captured`; X varies. */
const sd_chess_way *sd_chess_capture_way (sd_chess_row_count *n, unsigned mover, unsigned captured);

/** Our piece takes X, and so varies itself. */
const sd_chess_way *sd_chess_capture_x_way (sd_chess_row_count *n, unsigned mover);

/** A pawn of ours becomes `promoted` on `to` without a capture; X varies. */
const sd_chess_way *sd_chess_push_way (sd_chess_row_count *n, unsigned mover, unsigned to, unsigned promoted);

/** X, a pawn of ours, becomes `promoted` without a capture; that one varies. */
const sd_chess_way *sd_chess_x_push_way (sd_chess_row_count *n, unsigned promoted);

/** X of ours takes theirs: the value is the same from every square. */
sd_value sd_chess_x_captures (sd_chess_row_count *n, unsigned captured);

/** The value of a conversion with the piece that varies on `square`. */
static inline sd_value sd_chess_way_value (const sd_chess *c, const sd_chess_way *w, unsigned square) {
  if (!w->n)
    return 0;
  uint64_t best = UINT64_MAX;
  for (unsigned i = 0; i < w->n; i++) {
    uint64_t slot = w->base[i];
    if (w->group)
      slot +=
          sd_chess_digit_turned (c, w->group, w->turn[i], w->fellows | sd_bit (square)) * w->group->stride;
    best = slot < best ? slot : best;
  }
  return sd_values_at (w->child->values, best);
}

#endif
