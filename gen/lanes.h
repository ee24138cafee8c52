/** \file lanes.h
 * 32 records, numbers of 16 bits, at once; inside gen/ only. A set of them is a word: the first record is its
 * lowest bit.
 *
 * Three ways to the same: the comparisons of AVX-512 (byte and word instructions) answer with such words;
 * what each x86-64 processor has answers eight records at a time; elsewhere records are looked at one by one.
 * SD_LANES_WAY names one, so that tests see all of them that a build allows. */
#ifndef SD_GEN_LANES_H
#define SD_GEN_LANES_H

#include <stdint.h>

enum { SD_LANES = 32 };

#ifndef SD_LANES_WAY
#ifdef __AVX512BW__
#define SD_LANES_WAY 512
#elif defined __SSE2__
#define SD_LANES_WAY 128
#else
#define SD_LANES_WAY 16
#endif
#endif

#if SD_LANES_WAY == 512
#include <immintrin.h>

static inline __m512i sd_lanes_of (const uint16_t *at) {
  return _mm512_loadu_si512 (at);
}
static inline __m512i sd_lanes_all (uint16_t x) {
  return _mm512_set1_epi16 ((short) x);
}

/** Those that are x. */
static inline uint32_t sd_lanes_equal (const uint16_t *at, uint16_t x) {
  return _mm512_cmpeq_epi16_mask (sd_lanes_of (at), sd_lanes_all (x));
}

/** Those above x. */
static inline uint32_t sd_lanes_above (const uint16_t *at, uint16_t x) {
  return _mm512_cmpgt_epu16_mask (sd_lanes_of (at), sd_lanes_all (x));
}

/** Those that are odd. */
static inline uint32_t sd_lanes_odd (const uint16_t *at) {
  return _mm512_test_epi16_mask (sd_lanes_of (at), sd_lanes_all (1));
}

/** Those of `which` become x; the others are written anew. */
static inline void sd_lanes_set (uint16_t *at, uint32_t which, uint16_t x) {
  _mm512_storeu_si512 (at, _mm512_mask_mov_epi16 (sd_lanes_of (at), which, sd_lanes_all (x)));
}

/** x is added to those of `which`; the others are written anew. */
static inline void sd_lanes_add (uint16_t *at, uint32_t which, uint16_t x) {
  const __m512i r = sd_lanes_of (at);
  _mm512_storeu_si512 (at, _mm512_mask_add_epi16 (r, which, r, sd_lanes_all (x)));
}

/* The least of 32. */
static inline uint16_t sd_lanes_least (__m512i r) {
  const __m256i half = _mm256_min_epu16 (_mm512_castsi512_si256 (r), _mm512_extracti64x4_epi64 (r, 1));
  const __m128i eight = _mm_min_epu16 (_mm256_castsi256_si128 (half), _mm256_extracti128_si256 (half, 1));
  return (uint16_t) _mm_cvtsi128_si32 (_mm_minpos_epu16 (eight));
}

/** The least and the greatest of r - x, in 16 bits, over n records r, n a multiple of 32. */
static inline void sd_lanes_span (const uint16_t *at, unsigned n, uint16_t x, uint16_t *least,
                                  uint16_t *most) {
  const __m512i y = sd_lanes_all (x), ones = sd_lanes_all (0xffff);
  __m512i low = ones, high = sd_lanes_all (0);
  for (unsigned i = 0; i < n; i += SD_LANES) {
    const __m512i r = _mm512_sub_epi16 (sd_lanes_of (at + i), y);
    low = _mm512_min_epu16 (low, r);
    high = _mm512_max_epu16 (high, r);
  }
  *least = sd_lanes_least (low);
  *most = (uint16_t) ~sd_lanes_least (_mm512_xor_si512 (high, ones));
}

#elif SD_LANES_WAY == 128
#include <emmintrin.h>

static inline __m128i sd_lanes_of (const uint16_t *at) {
  return _mm_loadu_si128 ((const __m128i *) at);
}
static inline __m128i sd_lanes_all (uint16_t x) {
  return _mm_set1_epi16 ((short) x);
}
/* Sixteen answers, each 0 or all ones, as bits. */
static inline uint32_t sd_lanes_bits (__m128i low, __m128i high) {
  return (uint32_t) _mm_movemask_epi8 (_mm_packs_epi16 (low, high));
}
static inline uint32_t sd_lanes_equal (const uint16_t *at, uint16_t x) {
  const __m128i y = sd_lanes_all (x);
  return sd_lanes_bits (_mm_cmpeq_epi16 (sd_lanes_of (at), y), _mm_cmpeq_epi16 (sd_lanes_of (at + 8), y))
         | sd_lanes_bits (_mm_cmpeq_epi16 (sd_lanes_of (at + 16), y),
                          _mm_cmpeq_epi16 (sd_lanes_of (at + 24), y))
               << 16;
}
/* Eight: all ones where a record is not above y. */
static inline __m128i sd_lanes_most (const uint16_t *at, __m128i y) {
  return _mm_cmpeq_epi16 (_mm_subs_epu16 (sd_lanes_of (at), y), _mm_setzero_si128 ());
}
static inline uint32_t sd_lanes_above (const uint16_t *at, uint16_t x) {
  const __m128i y = sd_lanes_all (x);
  return ~(sd_lanes_bits (sd_lanes_most (at, y), sd_lanes_most (at + 8, y))
           | sd_lanes_bits (sd_lanes_most (at + 16, y), sd_lanes_most (at + 24, y)) << 16);
}
/* Eight: the sign tells whether a record is odd. */
static inline __m128i sd_lanes_parity (const uint16_t *at) {
  return _mm_slli_epi16 (sd_lanes_of (at), 15);
}
static inline uint32_t sd_lanes_odd (const uint16_t *at) {
  return sd_lanes_bits (sd_lanes_parity (at), sd_lanes_parity (at + 8))
         | sd_lanes_bits (sd_lanes_parity (at + 16), sd_lanes_parity (at + 24)) << 16;
}
/* All ones where bit i of which, for the eight records i. */
static inline __m128i sd_lanes_mask (uint32_t which) {
  const __m128i bit = _mm_setr_epi16 (1, 2, 4, 8, 16, 32, 64, 128);
  return _mm_cmpeq_epi16 (_mm_and_si128 (sd_lanes_all ((uint16_t) which), bit), bit);
}
static inline void sd_lanes_set (uint16_t *at, uint32_t which, uint16_t x) {
  for (; which; which >>= 8, at += 8) {
    const __m128i m = sd_lanes_mask (which);
    _mm_storeu_si128 ((__m128i *) at, _mm_or_si128 (_mm_and_si128 (m, sd_lanes_all (x)),
                                                    _mm_andnot_si128 (m, sd_lanes_of (at))));
  }
}
static inline void sd_lanes_add (uint16_t *at, uint32_t which, uint16_t x) {
  for (; which; which >>= 8, at += 8) {
    const __m128i more = _mm_and_si128 (sd_lanes_mask (which), sd_lanes_all (x));
    _mm_storeu_si128 ((__m128i *) at, _mm_add_epi16 (sd_lanes_of (at), more));
  }
}

/* The least of eight with signs, as the number that it stands for below. */
static inline uint16_t sd_lanes_least (__m128i r) {
  r = _mm_min_epi16 (r, _mm_srli_si128 (r, 8));
  r = _mm_min_epi16 (r, _mm_srli_si128 (r, 4));
  r = _mm_min_epi16 (r, _mm_srli_si128 (r, 2));
  return (uint16_t) (_mm_cvtsi128_si32 (r) ^ 0x8000);
}
/* Numbers with signs are compared, so that 0x8000 is added before and after. */
static inline void sd_lanes_span (const uint16_t *at, unsigned n, uint16_t x, uint16_t *least,
                                  uint16_t *most) {
  const __m128i y = sd_lanes_all ((uint16_t) (0x8000 - x)), sign = sd_lanes_all (0x8000);
  __m128i low = sd_lanes_all (0x7fff), high = sign;
  for (unsigned i = 0; i < n; i += 8) {
    const __m128i r = _mm_add_epi16 (sd_lanes_of (at + i), y);
    low = _mm_min_epi16 (low, r);
    high = _mm_max_epi16 (high, r);
  }
  *least = sd_lanes_least (low);
  *most = (uint16_t) ~sd_lanes_least (_mm_xor_si128 (high, sd_lanes_all (0xffff)));
}

#else

static inline uint32_t sd_lanes_equal (const uint16_t *at, uint16_t x) {
  uint32_t out = 0;
  for (unsigned i = 0; i < SD_LANES; i++)
    out |= (uint32_t) (at[i] == x) << i;
  return out;
}
static inline uint32_t sd_lanes_above (const uint16_t *at, uint16_t x) {
  uint32_t out = 0;
  for (unsigned i = 0; i < SD_LANES; i++)
    out |= (uint32_t) (at[i] > x) << i;
  return out;
}
static inline uint32_t sd_lanes_odd (const uint16_t *at) {
  uint32_t out = 0;
  for (unsigned i = 0; i < SD_LANES; i++)
    out |= (uint32_t) (at[i] & 1) << i;
  return out;
}
static inline void sd_lanes_set (uint16_t *at, uint32_t which, uint16_t x) {
  for (; which; which &= which - 1)
    at[__builtin_ctz (which)] = x;
}
static inline void sd_lanes_add (uint16_t *at, uint32_t which, uint16_t x) {
  for (; which; which &= which - 1)
    at[__builtin_ctz (which)] = (uint16_t) (at[__builtin_ctz (which)] + x);
}

static inline void sd_lanes_span (const uint16_t *at, unsigned n, uint16_t x, uint16_t *least,
                                  uint16_t *most) {
  *least = 0xffff;
  *most = 0;
  for (unsigned i = 0; i < n; i++) {
    const uint16_t r = (uint16_t) (at[i] - x);
    *least = r < *least ? r : *least;
    *most = r > *most ? r : *most;
  }
}

#endif
#endif
