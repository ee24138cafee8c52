/** \file games.h
 * Games besides chess behind the interface of gen.h: a graph written down by hand, and English draughts.
 * docs/games.md shows with the first how to add another. */
#ifndef SD_GEN_GAMES_H
#define SD_GEN_GAMES_H

#include "gen/gen.h"

/* ------------------------------------------------------------------- graph */

/** A game on an explicit graph: one line a state, "NAME: MOVE...". A move is the name of a state, or +N, -N
 * or = for a move out of the graph to a position that is won in N plies (odd), lost in N plies (even, 0 too)
 * or drawn for the player who is then to move. Instead of moves: "lost" or "won", the game is over, told for
 * the player to move. A line without moves is a stalemate: drawn. '#' starts a comment. Names: a letter or _,
 * then letters, digits and _, at most 31; a state may stand before or after the lines that name it. A move
 * that stands twice counts twice. */
typedef struct sd_graph sd_graph;

/** Parse text[0..n-1], which need not end in a newline or 0; `name` stands for it in messages and is the
 * game's name. SD_EFORMAT with the line: what is above is violated, there is no state, or a number is above
 * 32766. SD_ERANGE: more than 2^20 states or 2^24 moves. */
int sd_graph_parse (const char *text, size_t n, const char *name, sd_graph **out, sd_error *err);
/** The same from a file. */
int sd_graph_read (const char *path, sd_graph **out, sd_error *err);
void sd_graph_free (sd_graph *g);
/** States are numbered in the order of their lines. */
uint64_t sd_graph_size (const sd_graph *g);
const char *sd_graph_name (const sd_graph *g, sd_state s);
/** The number of the state of that name, or sd_graph_size. */
sd_state sd_graph_find (const sd_graph *g, const char *name);
/** The game, which borrows g. */
void sd_graph_game (const sd_graph *g, sd_game *out);

/* ---------------------------------------------------------------- draughts */

/** English draughts (checkers) on the 32 dark squares. Squares are numbered from the player to move: 0..3 is
 * his first rank, 28..31 his last, each from his left to his right; turned round, s becomes 31 - s. Men move
 * and capture forward, kings both ways, one step; captures are compulsory, any of them, and go on as long as
 * they can; a man that comes to the last rank stops there and becomes a king. Who cannot move has lost. */
enum { SD_DRAUGHTS_SIDE = 12 }; /* pieces of one side, at most */

/** The pieces of two sides. */
typedef struct sd_draughts_slice {
  uint8_t men[2], kings[2];
} sd_draughts_slice;

/** Bit s: square s; [0] the player to move. */
typedef struct sd_draughts_pos {
  uint32_t men[2], kings[2];
} sd_draughts_pos;

/** "KKvM": kings before men, the first side first; "-" for a side without pieces. Room for 27 bytes. */
void sd_draughts_name (const sd_draughts_slice *m, char *out);
/** Only the canonical one of two mirrored slices is solved: the side with more pieces first, then with more
 * kings. */
bool sd_draughts_canonical (const sd_draughts_slice *m);
/** Placements of these pieces, the player to move not counted. SD_ERANGE: above 2^64. */
int sd_draughts_placements (const sd_draughts_slice *m, uint64_t *out, sd_error *err);
/** The canonical slices with 1 to `pieces` pieces, each after all that it can turn into: by the number of
 * pieces, then of men. Returns how many; fills at most room. */
unsigned sd_draughts_order (unsigned pieces, sd_draughts_slice *out, unsigned room);

/** Solved slices. */
typedef struct sd_draughts sd_draughts;
int sd_draughts_new (sd_draughts **out, sd_error *err);
void sd_draughts_free (sd_draughts *d);

/** A canonical slice as a game over the solved ones in d, which must outlive it. States: side * slots + slot,
 * seen from that side to move; the first side alone where both have the same pieces. SD_EINVAL: not a
 * canonical slice with 1 to 12 pieces a side; SD_ERANGE. `init` fails with SD_ENOENT where a slice is needed
 * that is not solved. */
int sd_draughts_game_new (const sd_draughts *d, const sd_draughts_slice *m, sd_game *out, sd_error *err);
void sd_draughts_game_free (sd_game *g);

/** Solve a canonical slice over all ranks (collective); d then holds its values on every rank. */
int sd_draughts_solve (sd_draughts *d, const sd_transport *t, const sd_draughts_slice *m,
                       const sd_progress *progress, sd_solve_stats *stats, sd_error *err);
/** The same by the solver `kind`; NULL: the default. */
int sd_draughts_solve_by (const sd_solver_kind *kind, sd_draughts *d, const sd_transport *t,
                          const sd_draughts_slice *m, const sd_progress *progress, sd_solve_stats *stats,
                          sd_error *err);

/** Results of a solved slice, mirrored or not, with `side` (0: its first) to move; SD_ENOENT. */
int sd_draughts_count (const sd_draughts *d, const sd_draughts_slice *m, unsigned side, sd_counts *out);
/** Value for the player to move. SD_EINVAL: no position (overlap, a man on his last rank, nobody at all);
 * SD_ENOENT: its slice is not solved. */
int sd_draughts_value (const sd_draughts *d, const sd_draughts_pos *p, sd_value *out);
/** Can the player to move capture? */
bool sd_draughts_captures (const sd_draughts_pos *p);

#endif
