/** \file limits_internal.h
 * A walk over a sequence that sees the values around a slot which an earlier slot has given.
 *
 * conditional.c and mixing.c go through all slots with it, from the first to the last, and write the value
 * of each slot into the array that the walk reads: what stands at and behind `at` is never looked at, as a
 * reader would not know it. */
#ifndef SD_LIMITS_INTERNAL_H
#define SD_LIMITS_INTERNAL_H

#include "experiments/limits/limits.h"

enum { SD_NEAR_DIMS = 6 }; /* digits of the index that the walk follows: the last ones */

/** The digits of slot `at` and how to reach its neighbours. Digits are numbered from the one that changes
 * fastest. In endings (`board`) a digit that has a multiple of 8 values is a square: a step of 1 is the next
 * square of a rank, a step of 8 the next rank. No digit of an array is a square, whatever its length. */
typedef struct sd_nearby {
  const sd_symbol *value; /* completed so far: [0..at-1] */
  uint64_t at;
  /* board: digits may be squares; square[d]: digit d is one */
  bool board, square[SD_NEAR_DIMS];
  /* dims: digits that are followed, at most SD_NEAR_DIMS */
  unsigned dims, none; /* none: says "outside the board"; one more than the main symbols' last */
  /* digit: of slot `at`; radix: values that it can have */
  uint32_t digit[SD_NEAR_DIMS], radix[SD_NEAR_DIMS];
  uint64_t stride[SD_NEAR_DIMS]; /* slots between two that differ by 1 in this digit */
} sd_nearby;

/** At slot 0. value: room for s->n symbols, which stays the caller's. Digits beyond the last SD_NEAR_DIMS are
 * not followed: their neighbours count as being outside. */
static inline void sd_nearby_start (sd_nearby *w, const sd_seq *s, bool board, const sd_symbol *value) {
  *w = (sd_nearby){ .value = value, .board = board, .none = sd_alphabet_main (s->alphabet) };
  uint64_t stride = 1;
  if (s->ndims == 0 && s->n < UINT32_MAX) { /* no shape is known: one digit */
    w->radix[0] = (uint32_t) s->n;
    w->stride[0] = 1;
    w->dims = 1;
  }
  for (unsigned i = s->ndims; i-- > 0 && w->dims < SD_NEAR_DIMS;) {
    w->radix[w->dims] = s->radix[i];
    w->square[w->dims] = board && s->radix[i] % 8 == 0;
    w->stride[w->dims++] = stride;
    stride *= s->radix[i];
  }
}
/** On to the next slot; the digits count like those of a number. */
static inline void sd_nearby_next (sd_nearby *w) {
  w->at++;
  for (unsigned d = 0; d < w->dims && ++w->digit[d] == w->radix[d]; d++)
    w->digit[d] = 0;
}
/** The value at slot `at` - back, `none` where there is no such slot. */
static inline unsigned sd_nearby_value (const sd_nearby *w, bool there, uint64_t back) {
  return there && back <= w->at ? w->value[w->at - back] : w->none;
}
/** One step back along digit d. */
static inline unsigned sd_nearby_step (const sd_nearby *w, unsigned d) {
  return sd_nearby_value (w, d < w->dims && (w->square[d] ? w->digit[d] & 7 : w->digit[d]) > 0, w->stride[d]);
}
/** One rank back, or two steps where the digit is no square. */
static inline unsigned sd_nearby_rank (const sd_nearby *w, unsigned d) {
  return d >= w->dims   ? w->none
         : w->square[d] ? sd_nearby_value (w, w->digit[d] > 7, 8 * w->stride[d])
                        : sd_nearby_value (w, w->digit[d] > 1, 2 * w->stride[d]);
}

#endif
