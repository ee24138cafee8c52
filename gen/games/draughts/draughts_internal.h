/** \file draughts_internal.h
 * English draughts, inside gen/ only: the board, the numbering of positions, moves. draughts_game.c says how
 * it all goes together. */
#ifndef SD_GEN_DRAUGHTS_INTERNAL_H
#define SD_GEN_DRAUGHTS_INTERNAL_H

#include "gen/games/games.h"

enum {
  SD_DRAUGHTS_RADIX = SD_DRAUGHTS_SIDE + 1,
  SD_DRAUGHTS_SLICES = SD_DRAUGHTS_RADIX * SD_DRAUGHTS_RADIX * SD_DRAUGHTS_RADIX * SD_DRAUGHTS_RADIX,
  SD_DRAUGHTS_MEN_SQUARES = 28,
  SD_DRAUGHTS_LAST_RANK = 28, /* its first square, for men who go up */
};

/* How the positions of a slice are numbered. */
typedef struct sd_draughts_shape {
  sd_draughts_slice m;
  uint64_t slots; /* of one side to move */
  /* combinations of a side's men; of its kings if it places them first; if it does so last */
  uint64_t men[2], kings[2], last[2];
} sd_draughts_shape;

typedef struct sd_draughts {
  uint32_t choose[33][SD_DRAUGHTS_RADIX];      /* binomials, for speed */
  sd_draughts_shape shape[SD_DRAUGHTS_SLICES]; /* of canonical slices; slots = 0: no slice */
} sd_draughts;

/* --------------------------------------------------------------------- board */

/* The square one step from s; directions 0, 1 go up, 2, 3 down; even ones left. -1: off the board. Rank r
 * holds the columns 2 c + r % 2, c = s % 4. */
static inline int sd_draughts_step (int s, unsigned direction) {
  int rank = s >> 2, c = s & 3, odd = rank & 1, right = direction & 1;
  int to = direction < 2 ? rank + 1 : rank - 1, column = c + (odd ? right : right - 1);
  return to < 0 || to > 7 || column < 0 || column > 3 ? -1 : to * 4 + column;
}

static inline uint32_t sd_draughts_turned (uint32_t b) {
  b = (b >> 1 & 0x55555555) | (b & 0x55555555) << 1;
  b = (b >> 2 & 0x33333333) | (b & 0x33333333) << 2;
  b = (b >> 4 & 0x0f0f0f0f) | (b & 0x0f0f0f0f) << 4;
  return __builtin_bswap32 (b);
}

static inline sd_draughts_pos sd_draughts_turn (const sd_draughts_pos *p) {
  return (sd_draughts_pos){ { sd_draughts_turned (p->men[1]), sd_draughts_turned (p->men[0]) },
                            { sd_draughts_turned (p->kings[1]), sd_draughts_turned (p->kings[0]) } };
}

static inline uint32_t sd_draughts_all_of (const sd_draughts_pos *p) {
  return p->men[0] | p->men[1] | p->kings[0] | p->kings[1];
}

/* Where a jump from s lands, -1 if it cannot; *over: the square jumped. */
static inline int sd_draughts_jump (const sd_draughts_pos *p, int s, unsigned direction, int *over) {
  *over = sd_draughts_step (s, direction);
  if (*over < 0 || !((p->men[1] | p->kings[1]) >> *over & 1))
    return -1;
  int to = sd_draughts_step (*over, direction);
  return to >= 0 && !(sd_draughts_all_of (p) >> to & 1) ? to : -1;
}

/* ---------------------------------------------------------------- numbering (draughts_index.c) */

/** n over k; 0 if k > n. n <= 32. */
uint64_t sd_draughts_choose (unsigned n, unsigned k);

/** Are both sides equal? */
bool sd_draughts_same (const sd_draughts_slice *m);

/** The same with sides changed. */
sd_draughts_slice sd_draughts_mirrored (const sd_draughts_slice *m);

/** SD_EINVAL: no pieces at all, or more than a side has. */
int sd_draughts_check (const sd_draughts_slice *m, sd_error *err);

/** SD_ERANGE: more than 2^62 slots. */
int sd_draughts_measure (const sd_draughts_slice *m, sd_draughts_shape *h, sd_error *err);

/** The slot of a position with `side` to move. */
uint64_t sd_draughts_slot_of (const sd_draughts *d, const sd_draughts_shape *h, const sd_draughts_pos *p,
                              unsigned side);

/** The reverse; false: no position. */
bool sd_draughts_pos_of (const sd_draughts *d, const sd_draughts_shape *h, uint64_t slot, unsigned side,
                         sd_draughts_pos *p);

/** Slice and state of a position with valid material. */
void sd_draughts_locate (const sd_draughts *d, const sd_draughts_pos *p, sd_slice *slice, sd_state *state);

/** The reverse; false: no such state. */
bool sd_draughts_position (const sd_draughts *d, sd_slice slice, sd_state state, sd_draughts_pos *p);

/* ------------------------------------------------------------------- moves (draughts_moves.c) */

/** A move on its way to whoever looks at moves: the board behind it, still as the mover sees it. */
typedef struct sd_draughts_move {
  sd_draughts_pos after;
  bool inner;                              /* neither captures nor promotes: the slice is the same */
  uint8_t path[SD_DRAUGHTS_SIDE + 2], len; /* the squares that the piece has stood on */
} sd_draughts_move;
typedef void sd_draughts_visitor (void *arg, const sd_draughts_move *m);

/** Every move of the player to move. */
void sd_draughts_each_move (const sd_draughts_pos *p, sd_draughts_visitor *visit, void *arg);

/** The slice as a game of the solver, and the end of it (sd_game_kind). */
int sd_draughts_game_new (const void *ctx, sd_slice slice, const sd_outside *outside, sd_game *out,
                          sd_error *err);
void sd_draughts_game_free (sd_game *g);

/* --------------------------------------------------------------------- text (draughts_text.c) */

void sd_draughts_slice_name (const void *ctx, sd_slice slice, char out[SD_SLICE_NAME]);
int sd_draughts_slice_of (const void *ctx, const char *name, sd_slice *out, sd_error *err);
int sd_draughts_parse (const void *ctx, const char *text, sd_position *out, sd_error *err);
bool sd_draughts_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]);
bool sd_draughts_tell_moves (const void *ctx, const sd_position *p, sd_value *end,
                             void (*visit) (void *arg, const sd_game_move *move), void *arg);

#endif
