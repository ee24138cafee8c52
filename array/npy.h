/** \file npy.h
 * The header of an .npy file, and the numbers behind it. (npy.c) */
#ifndef SD_NPY_H
#define SD_NPY_H

#include "array/array.h"

typedef struct sd_npy {
  char kind;            /* 'u', 'i', 'b': Boolean */
  unsigned bytes;       /* of a number: 1, 2, 4 or 8 */
  bool big_endian;      /* the high byte comes first */
  bool fortran;         /* the first dimension runs fastest */
  sd_array_shape shape; /* all but its type */
  size_t start;         /* where the numbers begin, in bytes of the file */
} sd_npy;

/** Does it begin as an .npy file does? */
bool sd_npy_is (const uint8_t *data, size_t len);

/** SD_EFORMAT. What the header says of the length of the file is not looked at. */
int sd_npy_header (const char *path, const uint8_t *data, size_t len, sd_npy *out, sd_error *err);

/** The number in h->bytes bytes at p; one above INT64_MAX counts as INT64_MAX. */
int64_t sd_npy_number (const sd_npy *h, const uint8_t *p);

/** Its bits, without regard to a sign. */
uint64_t sd_npy_raw (const sd_npy *h, const uint8_t *p);

/** The header that numpy.save writes: version 1, filled up to 64 bytes. */
void sd_npy_put_header (const sd_array_shape *s, sd_buf *out);

#endif
