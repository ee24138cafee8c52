/** \file ef_internal.h
 * A rising sequence of numbers in little more than the bits that such sequences differ by (Elias, Fano), with
 * access by place: low bits plainly, the rest as gaps in unary. A level of a diagram is such a sequence: its
 * nodes are a set of pairs, and a set has no order to pay for. For access by place there stands in memory,
 * for every 32 numbers, where their gaps begin and the first 96 bits of these, which mostly suffice: one
 * place of memory to wait for instead of two, one after the other. Reading in turn needs nothing beside the
 * bytes. */
#ifndef SD_OBDD_EF_INTERNAL_H
#define SD_OBDD_EF_INTERNAL_H

#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"

#define SD_EF_STEP 32
#define SD_EF_HEAD 96 /* bits of a group that stand in memory */

/** Upper bits of the numbers SD_EF_STEP k and behind. */
typedef struct sd_ef_group {
  uint64_t bits; /* from position `at` on, where the one of the first number is */
  uint32_t more, at;
} sd_ef_group;

typedef struct sd_ef {
  const uint8_t *lower, *upper, *end; /* end: no byte from there on may be read */
  uint64_t n, universe, upper_bits;
  unsigned low;
  sd_ef_group *group; /* NULL: no access by place */
} sd_ef;

/** The sequence at data[0..sd_ef_bytes - 1], before `end`, for reading in turn. SD_EFORMAT: not n different
 * rising numbers below universe. */
int sd_ef_open (sd_ef *e, const uint8_t *data, const uint8_t *end, uint64_t n, uint64_t universe);

/** For access by place; SD_ENOMEM. */
int sd_ef_index (sd_ef *e);
void sd_ef_close (sd_ef *e);

/** Eight bytes from p on. */
static inline uint64_t sd_ef_eight (const uint8_t *p) {
  uint64_t w;
  __builtin_memcpy (&w, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64 (w);
#endif
  return w;
}

/** The same, zeros from `end` on. */
static inline uint64_t sd_ef_word (const uint8_t *p, const uint8_t *end) {
  if (__builtin_expect (end - p >= 8, 1))
    return sd_ef_eight (p);
  uint64_t w = 0;
  for (unsigned i = 0; p + i < end; i++)
    w |= (uint64_t) p[i] << (8 * i);
  return w;
}

/** Place of the one number r in w, which has more than r of them. */
static inline unsigned sd_ef_select (uint64_t w, unsigned r) {
#ifdef __BMI2__
  return (unsigned) __builtin_ctzll (__builtin_ia32_pdep_di (UINT64_C (1) << r, w));
#else
  unsigned at = 0;
  for (unsigned half = 32; half; half /= 2) {
    unsigned ones = (unsigned) __builtin_popcountll (w & ((UINT64_C (1) << half) - 1));
    if (r >= ones) {
      r -= ones;
      at += half;
      w >>= half;
    }
  }
  return at;
#endif
}

/** 64 bits from bit `bit` of p on. */
static inline uint64_t sd_ef_bits (const uint8_t *p, uint64_t bit, const uint8_t *end) {
  const uint64_t w = sd_ef_word (p + bit / 8, end) >> bit % 8;
  return bit % 8 ? w | sd_ef_word (p + bit / 8 + 8, end) << (64 - bit % 8) : w;
}

/** Position of the one number r counted from position `at` on, far from the head of its group. */
uint64_t sd_ef_far (const sd_ef *e, uint64_t at, unsigned r);

/** The low bits of number i < n. */
static inline uint64_t sd_ef_lower (const sd_ef *e, uint64_t i) {
  if (e->low == 0)
    return 0;
  const uint64_t bit = i * e->low;
  const uint8_t *q = e->lower + bit / 8;
  uint64_t v = sd_ef_word (q, e->end) >> bit % 8;
  if (bit % 8 + e->low > 64)
    v |= (uint64_t) q[8] << (64 - bit % 8);
  return v & ((UINT64_C (1) << e->low) - 1);
}

/** Number i < n of the sequence, by place. */
static inline uint64_t sd_ef_get (const sd_ef *e, uint64_t i) {
  const sd_ef_group *g = &e->group[i / SD_EF_STEP];
  unsigned r = (unsigned) (i % SD_EF_STEP);
  const unsigned ones = (unsigned) __builtin_popcountll (g->bits);
  uint64_t at = g->at;
  if (__builtin_expect (r < ones, 1))
    at += sd_ef_select (g->bits, r);
  else {
    const unsigned others = (unsigned) __builtin_popcount (g->more);
    r -= ones;
    at = r < others ? at + 64 + sd_ef_select (g->more, r) : sd_ef_far (e, at + SD_EF_HEAD, r - others);
  }
  return (at - i) << e->low | sd_ef_lower (e, i);
}

/** Reading in turn; begins as { .e = e }. */
typedef struct sd_ef_cursor {
  const sd_ef *e;
  uint64_t i, at, rest; /* the next number; behind the word looked at; its ones still to come */
} sd_ef_cursor;

/** Position of the one of the next number, of which there must be one. */
static inline uint64_t sd_ef_next_one (sd_ef_cursor *c) {
  for (; c->rest == 0; c->at += 64)
    c->rest = sd_ef_word (c->e->upper + c->at / 8, c->e->end);
  const uint64_t at = c->at - 64 + (unsigned) __builtin_ctzll (c->rest);
  c->rest &= c->rest - 1;
  return at;
}
static inline uint64_t sd_ef_next (sd_ef_cursor *c) {
  const uint64_t at = sd_ef_next_one (c), i = c->i++;
  return (at - i) << c->e->low | sd_ef_lower (c->e, i);
}

#endif
