/** \file rle_internal.h
 * What the encoder and the decoder of run lengths share. */
#ifndef SD_RLE_INTERNAL_H
#define SD_RLE_INTERNAL_H

#include "codecs/stream/stream.h"

#define SD_RLE_MIN_BLOCK 16
#define SD_RLE_MAX_BLOCK 65536
#define SD_RLE_CODE 15   /* bits of the longest code; a length takes 4 bits */
#define SD_RLE_SINGLE 64 /* so many run lengths have a class of their own */
#define SD_RLE_CLASSES 256

/** The symbol behind a run of v has a code of its own for each v while that is cheap. */
static inline unsigned sd_rle_rows (unsigned m) {
  return m <= 8 ? m : 1;
}

/** Class of a run of length >= 1, below SD_RLE_CLASSES for any length below 2^48, and the bits that tell the
 * lengths of a class apart: the low ones of the length. */
static inline unsigned sd_rle_class (uint64_t length, unsigned *extra) {
  *extra = 0;
  if (length <= SD_RLE_SINGLE)
    return (unsigned) length - 1;
  unsigned e = 63 - (unsigned) __builtin_clzll (length);
  *extra = e - 2;
  return SD_RLE_SINGLE + 4 * (e - 6) + (unsigned) (length >> (e - 2) & 3);
}

/** Its shortest length. */
static inline uint64_t sd_rle_least (unsigned kind, unsigned *extra) {
  *extra = 0;
  if (kind < SD_RLE_SINGLE)
    return kind + 1;
  unsigned e = 6 + (kind - SD_RLE_SINGLE) / 4;
  *extra = e - 2;
  return (uint64_t) (4 + kind % 4) << (e - 2);
}

extern const sd_tunable sd_rle_tunables[];
int sd_rle_encode (const sd_encoding *what, sd_buf *out, sd_error *err);

#endif
