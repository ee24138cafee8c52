/** \file value.h
 * Values of positions, as the solver, the files and the probers know them. */
#ifndef SD_VALUE_H
#define SD_VALUE_H

#include "base/base.h"

/** Value of a position: 0 drawn; +n the side to move mates in n plies; -(n+1) it is mated in n plies (mated
 * on the board = -1); SD_ILLEGAL no legal position (or, in an exact table, a slot without a placement of its
 * own). */
typedef int16_t sd_value;
#define SD_ILLEGAL INT16_MIN

/** The rank of a win in n plies is this number minus n. */
#define SD_RANK_SOON 40000

/** Largest number of moves in a map, so that every value above fits. */
#define SD_MAX_MAP_MOVES 16000

/** Largest number in a list of losses or wins of a table of chess (7 men: 1098 plies). Restoring goes up by a
 * ply for each conversion, of which there are less than 100, so that no sum leaves the 16 bits of a value. */
#define SD_MAX_MAP_PLIES 32000

/** Which is better for the side to move: won sooner > drawn > lost later. <0, 0, >0. */
int sd_value_compare (sd_value a, sd_value b);

/** Value of the parent through a move to a child of value v; it never wraps around: lost later than in 32766
 * plies is lost in 32766. */
sd_value sd_value_back (sd_value v);
int sd_value_wdl (sd_value v); /* -1, 0, 1 */

/** Of a win or a loss. */
static inline int sd_value_plies (sd_value v) {
  return v > 0 ? v : -v - 1;
}

#endif
