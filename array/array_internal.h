/** \file array_internal.h
 * What the files of array/ share. */
#ifndef SD_ARRAY_INTERNAL_H
#define SD_ARRAY_INTERNAL_H

#include "array/array.h"

#define SD_ARRAY_MAGIC "\x89SDA"
#define SD_ARRAY_MAGIC_BYTES 4
#define SD_ARRAY_VERSION 1
enum { SD_ARRAY_PIECE = 1 << 16 }; /* slots that are read at once */

struct sd_array {
  sd_array_info info;
  sd_value map[SD_MAX_MAIN];
  sd_alphabet *alphabet; /* of `main` symbols and `sets` sets */
  sd_decoder *decoder;   /* of symbols of it; of its low bytes, then its high bytes where it is in planes */
  sd_guard guard;
  uint64_t offset;     /* of the stream */
  const uint8_t *sums; /* of its chunks, 4 bytes each */
  const uint8_t *data;
  size_t len;
  sd_map file; /* data NULL: opened from memory */
  char *name;
};

/** A codec takes SD_MAX_MAIN symbols; a source with more has its symbols in two planes of bytes. */
static inline bool sd_array_planes (unsigned symbols) {
  return symbols > SD_MAX_MAIN;
}

/** The symbols of the slots first .. first + count - 1; count at most SD_ARRAY_PIECE. */
int sd_array_symbols (const sd_array *a, uint64_t first, uint64_t count, sd_symbol *out, sd_error *err);

/** All but symbols and sets: an alphabet of m main symbols, map[0..m-1], the shape. */
int sd_array_frame (const sd_array_shape *s, const sd_value *map, unsigned m, sd_subdefined **out,
                    sd_error *err);

/** May a file of so many bytes bring n slots into memory? docs/format.md, section 10 */
static inline bool sd_array_pays (uint64_t bytes, uint64_t n) {
  return n <= ((uint64_t) 1 << 26) + (bytes << 16);
}

/** sd_array_plain_read of bytes in memory; path: for the ending ".npy" and for messages. (plain.c) */
int sd_array_plain_of (const char *path, const sd_map *file, const sd_array_want *want, sd_array_plain *out,
                       sd_error *err);

#endif
