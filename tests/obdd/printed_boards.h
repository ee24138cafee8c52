/* The two boards that Kristensen 2005, 2.5, prints of KQvKR, White to move: the nodes A and B of a diagram
 * whose last digit is the queen's square. In a cell stands the distance to mate in moves if the queen
 * stands there, '.' where the table is free, and K, k or r where another man stands. Rows are ranks, the
 * eighth first. */
#ifndef SD_TESTS_PRINTED_BOARDS_H
#define SD_TESTS_PRINTED_BOARDS_H

#include <stdlib.h>

enum { PRINTED_BOARDS = 2, PRINTED_VALUES = 70, PRINTED_FREE = 52 };

static const char *const printed_board[PRINTED_BOARDS] = {
  "8  10 10 .  8  10 10 .  "
  ".  10 10 .  10 10 .  10 "
  "8  .  8  .  10 .  10 10 "
  "8  8  .  .  .  10 10 K  "
  "r  .  .  k  .  .  .  .  "
  "8  8  .  .  .  10 10 10 "
  "8  .  8  .  10 .  10 10 "
  ".  10 10 .  10 10 .  10 ",
  "8  10 10 .  8  10 10 .  "
  ".  10 10 .  10 10 .  10 "
  "8  .  8  .  10 .  10 K  "
  "8  8  .  .  .  10 10 10 "
  "r  .  .  k  .  .  .  .  "
  "8  8  .  .  .  10 10 10 "
  "8  .  8  .  10 .  10 10 "
  ".  10 10 .  10 10 .  10 ",
};

/* What stands on a square (a1 = 0, b1 = 1 ...) of a printed board: a cell of three characters. */
static inline const char *printed_cell (unsigned board, unsigned square) {
  return printed_board[board] + 3 * (8 * (7 - square / 8) + square % 8);
}
/* The moves to mate that are printed there, or 0: free, or another man. */
static inline unsigned printed_moves (unsigned board, unsigned square) {
  return (unsigned) atoi (printed_cell (board, square));
}

#endif
