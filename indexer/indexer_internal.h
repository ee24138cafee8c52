/** \file indexer_internal.h
 * Inside indexer/ only: an indexer's tables, and the steps from squares to an index and back. */
#ifndef SD_INDEXER_INTERNAL_H
#define SD_INDEXER_INTERNAL_H

#include "indexer/indexer.h"

#define SD_NO_RANK 255

/* A group of the layout with its tables. */
typedef struct sd_digit {
  uint8_t count, kings;   /* squares it covers; is it the pair of kings */
  uint8_t at[SD_MAX_MEN]; /* their places in the list of squares */
  uint32_t radix;         /* values of the digit, slots that stand for nothing included */
  uint64_t stride;        /* what one more of the digit adds to the index */
  uint8_t domain;         /* squares a single piece of it may stand on */
  uint8_t rank[8][64];    /* [symmetry][square] -> number within the domain, SD_NO_RANK outside */
  uint8_t square[64];     /* the inverse for symmetry 0 */
} sd_digit;

/** One allocation without pointers inside, some 18 kB, which nothing changes after sd_indexer_new (): any
 * number of threads read it without a lock. */
struct sd_indexer {
  sd_layout layout;
  unsigned men, ngroups;
  bool pawns;
  uint8_t white_king, black_king; /* places in the list of squares, whose order is that of the name */
  uint8_t leader_at;              /* place of the leader (White's king for the pair) */
  bool alone;                     /* each digit is of one man, none of the kings */
  uint64_t n;                     /* slots */
  uint64_t span; /* slots of the last two digits, where the last one stands around the other; else 0 */
  sd_digit digit[SD_MAX_GROUPS];
  uint32_t choose[65][SD_MAX_MEN + 1]; /* choose[n][k]: k of n squares */
  uint16_t pair[64][64];               /* pair of kings -> digit (0xffff: none) */
  uint8_t pair_square[1806][2];        /* and back, White's first; without pawns 462 of them are used */
};

/** [t][square]: where the symmetry t brings it. */
extern const uint8_t sd_ix_turned[8][64];
static inline unsigned sd_ix_transform (unsigned t, unsigned sq) {
  return sd_ix_turned[t][sq];
}

static inline bool sd_ix_adjacent (unsigned a, unsigned b) { /* or equal */
  int df = (int) (a & 7) - (int) (b & 7), dr = (int) (a >> 3) - (int) (b >> 3);
  return df >= -1 && df <= 1 && dr >= -1 && dr <= 1;
}

/* ------------------------------------------------------ a digit around another */

/* The number of a slot from the mixed-radix number of its digits: p 64 + b behind all others becomes
 * (b / 8) (8 P) + p 8 + b mod 8, P being the radix of p. */
static inline uint64_t sd_ix_wrap (const sd_indexer *ix, uint64_t i) {
  if (!ix->span)
    return i;
  const uint64_t low = i % ix->span;
  return i - low + (low % 64 / 8) * (ix->span / 8) + low / 64 * 8 + low % 8;
}

/* And back. */
static inline uint64_t sd_ix_unwrap (const sd_indexer *ix, uint64_t i) {
  if (!ix->span)
    return i;
  const uint64_t low = i % ix->span, eighth = ix->span / 8;
  return i - low + low % eighth / 8 * 64 + low / eighth * 8 + low % 8;
}

/* ------------------------------------------------- position -> index */

/* The symmetry that brings the leader home; *tie: its transpose does so as well. */
static inline unsigned sd_ix_symmetry (const sd_indexer *ix, const uint8_t *sq, bool *tie) {
  unsigned s = sq[ix->leader_at], f = s & 7, r = s >> 3;
  unsigned t = f > 3;
  *tie = false;
  /* Pawns have a direction: only left and right may be exchanged. */
  if (ix->pawns)
    return t;
  if (f > 3)
    f = 7 - f;
  if (r > 3) {
    t |= 2;
    r = 7 - r;
  }
  /* Above the diagonal: the transpose brings it below. */
  if (r > f)
    return t | 4;
  /* On it: both symmetries do, unless the digit of the kings decides by Black's. */
  if (r == f) {
    *tie = true;
    if (ix->digit[ix->layout.leader].kings) { /* the black king decides, unless it is on the diagonal, too */
      unsigned b = sd_ix_transform (t, sq[ix->black_king]);
      if ((b >> 3) != (b & 7)) {
        *tie = false;
        t |= (b >> 3) > (b & 7) ? 4 : 0;
      }
    }
  }
  return t;
}

/* The colexicographic rank of three or more equal men. */
uint64_t sd_ix_equal_men (const sd_indexer *ix, const sd_digit *d, unsigned t, const uint8_t *sq);

/* The digit of one group under the symmetry t, below its radix. Single men come first, since most digits of
 * most layouts are of these and a lookup asks for each of them. */
static inline uint64_t sd_ix_digit_value (const sd_indexer *ix, const sd_digit *d, unsigned t,
                                          const uint8_t *sq) {
  const uint8_t *rank = d->rank[t];
  if (d->count == 1)
    return rank[sq[d->at[0]]];
  if (d->kings)
    return ix->pair[sd_ix_transform (t, sq[ix->white_king])][sd_ix_transform (t, sq[ix->black_king])];
  if (d->count > 2)
    return sd_ix_equal_men (ix, d, t, sq);
  /* Two equal men: no sorting is needed. */
  const unsigned a = rank[sq[d->at[0]]], b = rank[sq[d->at[1]]];
  return a < b ? ix->choose[b][2] + a : ix->choose[a][2] + b;
}

/* The mixed-radix number of the digits. */
static inline uint64_t sd_ix_index_under (const sd_indexer *ix, unsigned t, const uint8_t *sq) {
  uint64_t i = 0;
  /* A man a digit: one lookup, one product and one sum each. */
  if (ix->alone) {
#pragma GCC unroll 2
    for (const sd_digit *d = ix->digit, *end = d + ix->ngroups; d != end; d++)
      i += d->rank[t][sq[d->at[0]]] * d->stride;
    return i;
  }
  for (unsigned g = 0; g < ix->ngroups; g++)
    i += sd_ix_digit_value (ix, &ix->digit[g], t, sq) * ix->digit[g].stride;
  return i;
}

/* ------------------------------------------------- index -> position */

/* Squares of all men of a digit but the lowest, whose number becomes *v. It is below what is returned. */
static inline unsigned sd_ix_upper_squares (const sd_indexer *ix, const sd_digit *d, uint32_t *v,
                                            uint8_t *sq) {
  unsigned top = d->domain;
  for (unsigned k = d->count; k > 1; k--) { /* largest first: the largest x with C(x, k) <= v */
    unsigned x = top - 1;
    while (ix->choose[x][k] > *v)
      x--;
    *v -= ix->choose[x][k];
    sq[d->at[k - 1]] = d->square[x];
    top = x;
  }
  return top;
}

/* Squares of one digit; v < radix. */
static inline void sd_ix_digit_squares (const sd_indexer *ix, const sd_digit *d, uint32_t v, uint8_t *sq) {
  if (d->kings) {
    sq[ix->white_king] = ix->pair_square[v][0];
    sq[ix->black_king] = ix->pair_square[v][1];
    return;
  }
  sd_ix_upper_squares (ix, d, &v, sq);
  sq[d->at[0]] = d->square[v];
}

/* Squares of all digits but the last, of the row with the slot whose mixed-radix number is i. */
static inline void sd_ix_row_squares (sd_index_walk *w, uint64_t i) {
  const sd_indexer *ix = w->ix;
  if (i >= w->row && i < w->end)
    return;
  uint64_t rest = i;
  for (unsigned g = 0; g + 1 < ix->ngroups; g++) {
    const sd_digit *d = &ix->digit[g];
    const uint64_t v = rest / d->stride;
    rest -= v * d->stride;
    sd_ix_digit_squares (ix, d, (uint32_t) v, w->sq);
  }
  w->row = i - rest;
  w->end = w->row + ix->digit[ix->ngroups - 1].radix;
}

/* Do the squares stand for a placement that lives where the digits make i? */
static inline bool sd_ix_is_home (const sd_indexer *ix, uint64_t i, const uint8_t *sq) {
  uint64_t occupied = 0;
  for (unsigned k = 0; k < ix->men; k++)
    occupied |= 1ull << sq[k];
  if ((unsigned) __builtin_popcountll (occupied) != ix->men
      || sd_ix_adjacent (sq[ix->white_king], sq[ix->black_king]))
    return false;
  bool tie;
  /* Digits only hold squares at home, so that the symmetry is 0; of a tie the smaller index is home. */
  sd_ix_symmetry (ix, sq, &tie); /* 0 by construction, but for the tie */
  return !tie || sd_ix_index_under (ix, 4, sq) >= i;
}

#endif
