/** \file chess_internal.h
 * The chess game of the solver, inside gen/ only: numbering of states, decoded positions, look-ups in
 * finished sub-endings.
 *
 * Idea: a slot of the kings-first layout is a pair of kings and one digit for each group of equal pieces, so
 * a move of a piece changes one digit and no position is ever encoded anew but after a king's move that asks
 * for another board symmetry. The layout is that of indexer.h; it is repeated here because the generator
 * lives on its inner parts (tests compare the two slot by slot).
 *
 * Symmetry `turn`: mirror files (1), mirror ranks (2), then transpose (4), as in indexer.c. */
#ifndef SD_GEN_CHESS_INTERNAL_H
#define SD_GEN_CHESS_INTERNAL_H

#include "gen/solve/solve.h"
#include "values/values.h"

enum {
  SD_CHESS_GROUPS = SD_MAX_MEN - 2, /* of pieces other than kings */
  SD_CHESS_LISTED = 3,              /* up to so many equal pieces are decoded by one look-up */
  SD_CHESS_NO_EP = 8,
  SD_CHESS_MAIN = 4, /* turn that mirrors in the diagonal a1-h8 */
  SD_CHESS_ANTI = 7, /* ... in the diagonal a8-h1 */
  SD_CHESS_NO_PAIR = 0xffff,
  SD_CHESS_NO_PART = 0xffff,
  SD_CHESS_STEPS = 5, /* of a pawn, from its first rank to the last one before it promotes */
  SD_CHESS_PARTS = 1 + SD_CHESS_STEPS * (SD_MAX_MEN - 2)
};

/** Where a pair of kings lives. */
typedef struct sd_chess_home {
  uint16_t digit; /* SD_CHESS_NO_PAIR: kings adjacent */
  uint8_t turn;   /* brings the pair to the square pair of `digit` */
  bool tie;       /* turn ^ SD_CHESS_MAIN does so, too: the smaller index of the two counts */
} sd_chess_home;

typedef struct sd_chess_kings {
  unsigned n;
  sd_chess_home at[64][64]; /* [White's][Black's] */
  uint8_t square[1806][2];  /* the inverse for turn 0 */
} sd_chess_kings;

/** One digit of the slot: the squares of `count` equal pieces. */
typedef struct sd_chess_group {
  uint8_t colour, type, count;
  uint8_t low; /* first square that the pieces may stand on: 8 for pawns */
  uint64_t radix, stride;
  uint64_t inverse;   /* ceil (2^64 / radix) */
  uint64_t ep_stride; /* among the states with an en-passant right; 0 for pawns */
} sd_chess_group;

/** A sub-ending as conversions of one kind see it. */
typedef struct sd_chess_child {
  sd_values_blocks *values; /* for the side to move after the conversion; NULL: king against king */
  const sd_chess_kings *kings;
  bool swapped; /* colours are swapped before the look-up */
  bool ends;    /* the conversion ends the count of plies */
  uint8_t ngroups;
  uint64_t kings_stride;
  sd_chess_group group[SD_CHESS_GROUPS]; /* colour: as on the board before swapping */
} sd_chess_child;

/** Pawns of a state with an en-passant right. */
typedef struct sd_chess_ep {
  uint32_t digit[2]; /* of White's and Black's pawns */
  uint8_t file;      /* of the pawn that has just made a double step */
} sd_chess_ep;

/** Where the states with a placement of the pawns are. */
typedef struct sd_chess_spot {
  uint32_t part;   /* SD_CHESS_NO_PART: two pawns on a square */
  uint32_t number; /* of the placement in the part */
} sd_chess_spot;

/** The parts of an ending with pawns (chess_parts.c). */
typedef struct sd_chess_parts {
  unsigned n;
  bool by_file;                       /* of a single pawn */
  bool used;                          /* the ending is solved by parts */
  uint64_t first[SD_CHESS_PARTS + 1]; /* [part]: number of its first placement in `placement` */
  uint64_t all;                       /* placements, those with two pawns on a square too */
  uint32_t *placement; /* [first[n]] the pawns' digits as one number; NULL in a survey, like spot */
  sd_chess_spot *spot; /* [all] the inverse */
} sd_chess_parts;

typedef struct sd_chess {
  sd_material material;
  char name[16];
  sd_values *values; /* of the sub-endings; NULL: a survey */
  uint64_t bytes;    /* of all this, in a survey too */
  unsigned nsides, ngroups;
  unsigned first_group[3]; /* White's groups: [0]..[1] - 1, Black's: [1]..[2] - 1 */
  unsigned pawns[2];       /* the groups of pawns, if there are such */
  bool has_pawns;
  unsigned counts_from; /* moves that end the count of plies, bits of enum sd_step */
  bool anew;            /* some moves end the count of plies: wins and losses are in time of the solver */
  int limit;     /* plies of the 50-move rule, if the values know it; else 0 */
  bool small;    /* slots fit into 32 bits: division by multiplication is exact */
  uint64_t n;    /* slots */
  uint64_t nstates;
  uint64_t kings_stride;
  sd_chess_group group[SD_CHESS_GROUPS]; /* in the order of the name */
  uint8_t rising[SD_CHESS_GROUPS];       /* numbers of groups, by stride */
  unsigned npieces;                      /* groups that are no pawns: they have the lowest strides */
  uint64_t inner;                        /* slots of a placement of kings and pawns */
  const sd_chess_kings *kings;           /* of this ending */
  sd_chess_kings kings_of[2];            /* without pawns, with pawns */
  sd_chess_child child[2][5]
                      [6]; /* [mover][piece after promotion; SD_PAWN: none][captured; SD_KING: nothing] */

  sd_chess_parts parts;
  /* Of a part that is solved by itself: pawns have one digit, the number of their placement in the part, and
   * `stride` of their groups is in `placement`. Their moves are conversions to the parts below. */
  bool by_parts;
  bool pawns_stay; /* moves of pawns are no inner moves; in a survey too, as endings are solved by parts */
  bool keeps;      /* sub-endings stay decoded when its states have been looked at */
  const uint32_t *placement; /* [placements] */
  uint64_t placements;
  const sd_value *const *below; /* [part] values of the states of parts that are solved */

  /* en passant: states ep_first[side].. for side to move `side`: (kings, pieces but pawns, number of the
   * pawns' placement) */
  bool has_ep;
  uint64_t ep_first[3]; /* [2]: end */
  uint64_t ep_kings_stride;
  uint32_t ep_count[2];
  uint32_t *ep_number[2]; /* [digit of White's pawns * radix + digit of Black's]: number of the lowest file */
  sd_chess_ep *ep[2];     /* the inverse */

  uint8_t turn[2][8][64];   /* [colours swapped, that is ranks mirrored first][turn][square] */
  uint64_t between[64][64]; /* squares strictly between two squares of a line; 0 if there is none */
  uint64_t beyond[64][64];  /* [from][to]: squares that `to` hides from `from` on a line */
  uint64_t line[2][64];     /* bishop's, rook's attacks on the empty board */
  uint32_t choose[SD_CHESS_GROUPS + 1][65]; /* [k][n] */
  uint64_t *set[SD_CHESS_LISTED + 1];       /* [k][rank]: k squares as bits; k >= 2 */
} sd_chess;

/** A decoded state. Groups' squares are in by[colour][type]; by[..][SD_KING] is not used. */
typedef struct sd_chess_place {
  uint64_t by[2][6];
  uint64_t occ[2];
  uint8_t king[2];
  uint8_t stm;
  uint8_t ep; /* file of the pawn that has just made a double step, or SD_CHESS_NO_EP */
  bool clash; /* two pieces on a square: no position */
  uint32_t pair;
  uint32_t digit[SD_CHESS_GROUPS];
  uint64_t slot; /* pair and digits in one, as for the plain position */
} sd_chess_place;

/** The parts of the game (chess_init.c, chess_preds.c, chess_preds_row.c). */
int sd_chess_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err);
unsigned sd_chess_preds (const void *ctx, sd_state q, sd_state *out);
unsigned sd_chess_preds_of_run (const void *ctx, sd_run q, unsigned *taken, sd_run *out);

unsigned sd_chess_succs (const void *ctx, sd_state s, sd_state *out);

/** The parts of an ending, where it has pawns; those of a survey know only their sizes. (chess_parts.c) */
int sd_chess_parts_setup (sd_chess *c, sd_error *err);

/** As sd_game.part, part_states, part_free and read_parts. */
int sd_chess_part (const void *ctx, unsigned part, const sd_value *const *below, sd_game *out, sd_error *err);
uint64_t sd_chess_part_states (const void *ctx, unsigned part);
void sd_chess_part_free (sd_game *g);
void sd_chess_read_parts (const void *ctx, const sd_value *const *value, sd_state first, uint64_t n,
                          sd_value *out);

/** The value, for the side to move, of a position p of a part below. */
sd_value sd_chess_below (const sd_chess *c, const sd_chess_place *p);

/** The row of a part below: values with the side to move that p->stm is not, X of the row on square 0 and so
 * on; pieces: the other pieces' part of the slot. For endings that store both sides. */
const sd_value *sd_chess_row_below (const sd_chess *c, const sd_chess_place *p, uint64_t pieces);

/** The functions of a game, for a whole ending or a part. (chess_game.c) */
void sd_chess_game_of (sd_chess *c, sd_game *out);

/** Info for one state. NULL, or the sub-ending that could not give a value. */
sd_values_blocks *sd_chess_examine (const sd_chess *c, sd_state s, sd_state_info *out);

/** The same for `first`, which has no en-passant right, and those of the up to most - 1 states behind it that
 * belong to its row: out[0..*taken - 1]. (chess_init_row.c) */
sd_values_blocks *sd_chess_init_row (const sd_chess *c, sd_state first, uint64_t most, uint64_t *taken,
                                     sd_state_info *out);

/** Does side p->stm have a legal en-passant capture of the pawn on `file`, which is taken to have just made a
 * double step? Squares of the legal capturers (0: none, or the double step is impossible on this board).
 * chess_ep.c */
uint64_t sd_chess_ep_capturers (const sd_chess *c, const sd_chess_place *p, unsigned file);

/** The state of p with the right to capture on `file`; p need not be in canonical orientation. */
sd_state sd_chess_ep_state (const sd_chess *c, const sd_chess_place *p, unsigned file);

/** Count the en-passant states and, but for a survey, fill their tables. */
int sd_chess_ep_setup (sd_chess *c, sd_error *err);

/** Where a conversion leads. */
typedef struct sd_chess_reached {
  sd_material material; /* canonical */
  bool swapped;         /* colours are, for it */
  unsigned side;        /* of it that is asked for */
} sd_chess_reached;

/** What the ending m becomes when `mover` promotes to `promoted` (SD_PAWN: does not) and captures `captured`
 * (SD_KING: nothing). False: there is no such conversion, or it leads to two kings. */
bool sd_chess_conversion (const sd_material *m, unsigned mover, unsigned promoted, unsigned captured,
                          sd_chess_reached *out);

/** Squares that matter to a double step of a pawn of `pusher` on `file`. */
typedef struct sd_chess_push {
  unsigned pushed, behind, origin;
} sd_chess_push;
static inline sd_chess_push sd_chess_push_of (unsigned pusher, unsigned file) {
  return pusher == SD_WHITE ? (sd_chess_push){ 24 + file, 16 + file, 8 + file }
                            : (sd_chess_push){ 32 + file, 40 + file, 48 + file };
}

/** Files on which a pawn of `pusher` may have just made a double step, with an enemy pawn beside it, as far
 * as pawns tell. */
static inline unsigned sd_chess_ep_files (unsigned pusher, uint64_t white, uint64_t black) {
  uint64_t all = white | black;
  unsigned mine = (unsigned) (pusher == SD_WHITE ? white >> 24 : black >> 32) & 255;
  unsigned theirs = (unsigned) (pusher == SD_WHITE ? black >> 24 : white >> 32) & 255;
  unsigned taken = (unsigned) (pusher == SD_WHITE ? all >> 16 | all >> 8 : all >> 40 | all >> 48) & 255;
  return mine & (theirs << 1 | theirs >> 1) & ~taken;
}

/* ------------------------------------------------------- squares and digits */

/** Colexicographic rank of a set of squares among the sets of its size. */
static inline uint64_t sd_chess_rank (const sd_chess *c, uint64_t set, unsigned count) {
  if (count == 1)
    return sd_lowest (set);
  uint64_t sum = 0;
  for (unsigned k = 1; set; k++, set &= set - 1)
    sum += c->choose[k][sd_lowest (set)];
  return sum;
}
static inline uint64_t sd_chess_turned (const uint8_t turn[64], uint64_t set) {
  uint64_t out = 0;
  for (; set; set &= set - 1)
    out |= sd_bit (turn[sd_lowest (set)]);
  return out;
}

/** Digit of a group whose pieces stand on `set`, after a turn. */
static inline uint64_t sd_chess_digit_turned (const sd_chess *c, const sd_chess_group *g,
                                              const uint8_t turn[64], uint64_t set) {
  if (g->count == 1)
    return (unsigned) turn[sd_lowest (set)] - g->low;
  return sd_chess_rank (c, sd_chess_turned (turn, set) >> g->low, g->count);
}

/** The set of a digit (squares counted from g->low). */
static inline uint64_t sd_chess_set (const sd_chess *c, unsigned count, uint32_t digit) {
  if (count == 1)
    return sd_bit (digit);
  uint64_t set = 0;
  for (unsigned x = 63; count > SD_CHESS_LISTED; count--) {
    while (c->choose[count][x] > digit)
      x--;
    digit -= c->choose[count][x];
    set |= sd_bit (x);
  }
  return set | c->set[count][digit];
}

/** Groups of p under a turn, without the kings and the group `but`, which is no pawns; NULL: all. */
static inline uint64_t sd_chess_rest_but (const sd_chess *c, const sd_chess_place *p, unsigned turn,
                                          const sd_chess_group *but) {
  uint64_t sum = 0, pawns = 0;
  for (const sd_chess_group *x = c->group; x < c->group + c->ngroups; x++) {
    if (x == but)
      continue;
    const uint64_t digit = sd_chess_digit_turned (c, x, c->turn[0][turn], p->by[x->colour][x->type]);
    if (x->type == SD_PAWN)
      pawns += digit * x->stride;
    else
      sum += digit * x->stride;
  }
  return sum + (c->by_parts ? c->parts.spot[pawns].number * c->inner : pawns);
}
static inline uint64_t sd_chess_rest (const sd_chess *c, const sd_chess_place *p, unsigned turn) {
  return sd_chess_rest_but (c, p, turn, NULL);
}

/* *x mod radix, and *x /= radix. */
static inline uint32_t sd_chess_split (const sd_chess *c, const sd_chess_group *g, uint64_t *x) {
  uint64_t q = c->small ? (uint64_t) (((sd_u128) *x * g->inverse) >> 64) : *x / g->radix;
  uint32_t digit = (uint32_t) (*x - q * g->radix);
  *x = q;
  return digit;
}

/** Squares of a state; whether the position is one is not checked. */
static inline void sd_chess_decode (const sd_chess *c, sd_state s, sd_chess_place *p) {
  *p = (sd_chess_place){ .ep = SD_CHESS_NO_EP };
  uint64_t rest = s;
  if (s < c->ep_first[0]) {
    if (s >= c->n) {
      p->stm = SD_BLACK;
      rest -= c->n;
    }
    p->slot = rest;
    for (unsigned i = 0; i < c->npieces; i++)
      p->digit[c->rising[i]] = sd_chess_split (c, &c->group[c->rising[i]], &rest);
    if (c->by_parts) { /* pawns are split off their placement, the last of them without a division */
      const uint64_t kings = rest / c->placements;
      rest = c->placement[rest - kings * c->placements];
      for (unsigned i = c->npieces; i + 1 < c->ngroups; i++)
        p->digit[c->rising[i]] = sd_chess_split (c, &c->group[c->rising[i]], &rest);
      p->digit[c->rising[c->ngroups - 1]] = (uint32_t) rest;
      rest = kings;
    } else
      for (unsigned i = c->npieces; i < c->ngroups; i++)
        p->digit[c->rising[i]] = sd_chess_split (c, &c->group[c->rising[i]], &rest);
    p->pair = (uint32_t) rest;
  } else {
    p->stm = s >= c->ep_first[1];
    rest -= c->ep_first[p->stm];
    const sd_chess_ep *e = &c->ep[p->stm][rest % c->ep_count[p->stm]];
    rest /= c->ep_count[p->stm];
    p->ep = e->file;
    for (unsigned g = c->ngroups; g-- > 0;) {
      const sd_chess_group *x = &c->group[g];
      p->digit[g] = x->type == SD_PAWN ? e->digit[x->colour] : sd_chess_split (c, x, &rest);
      p->slot += p->digit[g] * x->stride;
    }
    p->pair = (uint32_t) rest;
    p->slot += p->pair * c->kings_stride;
  }
  uint64_t taken = 0, twice = 0;
  for (unsigned colour = 0; colour < 2; colour++) {
    p->king[colour] = c->kings->square[p->pair][colour];
    p->occ[colour] = sd_bit (p->king[colour]);
    taken |= p->occ[colour];
  }
  for (unsigned g = 0; g < c->ngroups; g++) {
    const sd_chess_group *x = &c->group[g];
    uint64_t set = sd_chess_set (c, x->count, p->digit[g]) << x->low;
    p->by[x->colour][x->type] = set;
    p->occ[x->colour] |= set;
    twice |= taken & set;
    taken |= set;
  }
  p->clash = twice != 0;
}

#endif
