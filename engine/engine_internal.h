/* engine_internal.h - what the files of engine/ share: a prober, and a position of a caller as the rest of
 * the project has it. */
#ifndef SD_ENGINE_INTERNAL_H
#define SD_ENGINE_INTERNAL_H

#include "engine/probe.h"
#include "probe/probe.h"
#include <stdio.h>

struct sd_prober {
  sd_tables *tables;
  unsigned flags; /* of sd_tables_open */
  unsigned men, usable;
};

/** What a caller is told of a status of the library. */
int sd_prober_status_of (int status);

/** Put text into message, where there is room for it; returns status. */
static inline int sd_prober_say (int status, const char *text, char *message, size_t room) {
  if (message && room)
    snprintf (message, room, "%s", text);
  return status;
}

static inline bool sd_prober_is_one (uint64_t set) {
  return set && !(set & (set - 1));
}

/** The men of one type; *men: those of the types before it, *twice: squares with two of them. */
static inline void sd_prober_put (const sd_prober_position *q, unsigned type, uint64_t set, sd_pos *p,
                                  uint64_t *men, uint64_t *twice) {
  p->by[SD_WHITE][type] = set & q->white;
  p->by[SD_BLACK][type] = set & q->black;
  *twice |= *men & set;
  *men |= set;
}

/** Bit boards as the rest of the project has them; what sd_pos_legal asks for is seen sooner in these. Each
 * man has one colour and one type. */
static inline int sd_prober_pos (const sd_prober_position *q, sd_pos *p) {
  uint64_t men = 0, twice = q->white & q->black;
  sd_prober_put (q, SD_PAWN, q->pawns, p, &men, &twice);
  sd_prober_put (q, SD_KNIGHT, q->knights, p, &men, &twice);
  sd_prober_put (q, SD_BISHOP, q->bishops, p, &men, &twice);
  sd_prober_put (q, SD_ROOK, q->rooks, p, &men, &twice);
  sd_prober_put (q, SD_QUEEN, q->queens, p, &men, &twice);
  sd_prober_put (q, SD_KING, q->kings, p, &men, &twice);
  p->occ[SD_WHITE] = q->white;
  p->occ[SD_BLACK] = q->black;
  p->stm = q->black_to_move;
  p->ep = q->ep ? q->ep : (unsigned) SD_NO_SQUARE;
  if (q->castling)
    return SD_PROBER_CASTLING;
  if (twice || men != (q->white | q->black) || q->black_to_move > 1 || q->ep >= SD_NO_SQUARE
      || (q->pawns & UINT64_C (0xff000000000000ff)) || !sd_prober_is_one (p->by[SD_WHITE][SD_KING])
      || !sd_prober_is_one (p->by[SD_BLACK][SD_KING]) || sd_in_check (p, p->stm ^ 1u))
    return SD_PROBER_ILLEGAL;
  return SD_PROBER_OK;
}

/** Has p more men than any table? Then that is what went wrong with it. */
static inline bool sd_prober_crowded (const sd_pos *p) {
  return __builtin_popcountll (p->occ[0] | p->occ[1]) > SD_MAX_MEN;
}

/** What a caller is told went wrong with p, which is legal and what was asked for. */
static inline int sd_prober_failed (const sd_pos *p, int status) {
  return status == SD_EINVAL && sd_prober_crowded (p) ? SD_PROBER_MEN : sd_prober_status_of (status);
}

/** Plies that a value counts; 0 of a draw and of a mated player. */
static inline int sd_prober_plies (sd_value v) {
  return v > 0 ? v : v < 0 ? -v - 1 : 0;
}

#endif
