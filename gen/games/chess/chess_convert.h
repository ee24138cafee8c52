/** \file chess_convert.h
 * Conversions of a decoded chess state, inside gen/ only: what captures and promotions lead to. Cost: some 10
 * ns a conversion, and a look-up in memory. */
#ifndef SD_GEN_CHESS_CONVERT_H
#define SD_GEN_CHESS_CONVERT_H

#include "gen/games/chess/chess_internal.h"

typedef struct sd_chess_tally {
  unsigned
      halves; /* moves inside the ending, with weights, and conversions that do not lose; each counts 2 */
  unsigned win, loss;       /* as in sd_state_info */
  bool any;                 /* there is a legal move */
  sd_values_blocks *failed; /* a sub-ending that could not give a value; NULL: none so far */
} sd_chess_tally;

/* Value of the sub-ending for the side that is to move after a conversion that has been made in p. */
static inline sd_value sd_chess_child_value (const sd_chess *c, const sd_chess_child *k,
                                             const sd_chess_place *p) {
  if (!k->values)
    return 0;
  unsigned white = p->king[0], black = p->king[1];
  if (k->swapped) {
    white = p->king[1] ^ 56;
    black = p->king[0] ^ 56;
  }
  const sd_chess_home *home = &k->kings->at[white][black];
  /* The smallest of the slots that symmetry allows, as indexer.c has it. */
  unsigned turn = home->turn;
  uint64_t best = UINT64_MAX;
  do {
    uint64_t i = home->digit * k->kings_stride;
    for (unsigned g = 0; g < k->ngroups; g++) {
      const sd_chess_group *x = &k->group[g];
      i += sd_chess_digit_turned (c, x, c->turn[k->swapped][turn], p->by[x->colour][x->type]) * x->stride;
    }
    if (i < best)
      best = i;
    turn ^= SD_CHESS_MAIN;
  } while (home->tie && turn != home->turn);
  return sd_values_at (k->values, best);
}

/* A conversion to k, whose value is v. */
static inline void sd_chess_count (const sd_chess *c, sd_chess_tally *t, const sd_chess_child *k, int v) {
  t->any = true;
  if (v == SD_ILLEGAL) {
    t->failed = k->values;
    return;
  }
  if (k->ends && v != 0) /* only the result counts; as if the child took a ply, or one more than the rule */
    v = (v > 0 ? 1 : -1) * (c->limit && sd_value_beyond_rule ((sd_value) v) ? 2 * c->limit + 1 : 1);
  else if (c->anew && v != 0) /* the count goes on: v plies, in time of the solver */
    v = 2 * v + 1;
  /* For the side that moves there: its win is a loss of ours, one ply later. */
  if (v > 0) {
    if ((unsigned) v + 1 > t->loss)
      t->loss = (unsigned) v + 1;
    return;
  }
  t->halves += 2;
  if (v < 0 && (t->win == 0 || (unsigned) -v < t->win))
    t->win = (unsigned) -v;
}

/* A conversion that has been made in p. */
static inline void sd_chess_convert (const sd_chess *c, const sd_chess_child *k, const sd_chess_place *p,
                                     sd_chess_tally *t) {
  sd_chess_count (c, t, k, sd_chess_child_value (c, k, p));
}

/* A capture on `square` by a piece that stands there already. */
static inline void sd_chess_capture (const sd_chess *c, sd_chess_place *p, unsigned promoted, unsigned square,
                                     sd_chess_tally *t) {
  const unsigned us = p->stm, them = 1 - us;
  for (unsigned g = c->first_group[them]; g < c->first_group[them + 1]; g++) {
    const unsigned type = c->group[g].type;
    if (p->by[them][type] & sd_bit (square)) {
      p->by[them][type] ^= sd_bit (square);
      sd_chess_convert (c, &c->child[us][promoted][type], p, t);
      p->by[them][type] ^= sd_bit (square);
    }
  }
}

/** The move of a pawn to a part below. (chess_init.c) */
void sd_chess_push_below (const sd_chess *c, const sd_chess_place *before, unsigned from, unsigned to,
                          sd_chess_tally *t);

/* All captures of one man, each made on p and taken back. */
static inline void sd_chess_captures (const sd_chess *c, sd_chess_place *p, unsigned type, unsigned from,
                                      uint64_t targets, sd_chess_tally *t) {
  for (; targets; targets &= targets - 1) {
    const uint64_t both = sd_bit (from) | (targets & -targets);
    p->by[p->stm][type] ^= both;
    sd_chess_capture (c, p, SD_PAWN, sd_lowest (targets), t);
    p->by[p->stm][type] ^= both;
  }
}

/* All promotions of one pawn, capturing ones among them, to each of the four kinds. */
static inline void sd_chess_promotions (const sd_chess *c, sd_chess_place *p, unsigned from, uint64_t targets,
                                        uint64_t enemies, sd_chess_tally *t) {
  uint64_t *by = p->by[p->stm];
  by[SD_PAWN] ^= sd_bit (from);
  for (; targets; targets &= targets - 1) {
    const uint64_t to = targets & -targets;
    for (unsigned type = SD_KNIGHT; type <= SD_QUEEN; type++) {
      by[type] ^= to;
      if (enemies & to)
        sd_chess_capture (c, p, type, sd_lowest (to), t);
      else
        sd_chess_convert (c, &c->child[p->stm][type][SD_KING], p, t);
      by[type] ^= to;
    }
  }
  by[SD_PAWN] ^= sd_bit (from);
}

#endif
