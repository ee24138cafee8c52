/** \file lzma_internal.h
 * One block of LZMA without any frame (see lzma_block.c); used by lzma.c. */
#ifndef SD_LZMA_INTERNAL_H
#define SD_LZMA_INTERNAL_H

#include "base/base.h"

#include <lzma.h>

/** A coder that is used for block after block, so that liblzma keeps its memory. One for each thread. */
typedef struct sd_lzma {
  lzma_stream strm;
  lzma_options_lzma options;
  bool padded; /* unpacking: the bytes behind the end have been handed over */
} sd_lzma;

/** props = (pb * 5 + lp) * 9 + lc, bits of context, see lzma.h. */
static inline void sd_lzma_props (unsigned props, unsigned *lc, unsigned *lp, unsigned *pb) {
  *lc = props % 9;
  *lp = props / 9 % 5;
  *pb = props / 45;
}

/** block_bytes bounds the memory. SD_EINVAL: liblzma does not know the preset. */
int sd_lzma_init (sd_lzma *z, unsigned preset, unsigned props, uint32_t block_bytes);
void sd_lzma_end (sd_lzma *z);
/** Bytes that liblzma holds at most between init and end; packing and unpacking do not add up. */
uint64_t sd_lzma_memory (const sd_lzma *z);
/** Compress src[0..n-1] to dst[0..cap-1]; *len = 0 if it does not fit. SD_ENOMEM, SD_EINVAL. */
int sd_lzma_pack (sd_lzma *z, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len);

/** Decoding of src[0..len-1] in portions. SD_ENOMEM. */
int sd_lzma_unpack_start (sd_lzma *z, const uint8_t *src, size_t len);
/** The next n bytes. SD_EFORMAT: damaged, or not so many. */
int sd_lzma_unpack (sd_lzma *z, uint8_t *dst, size_t n);

#endif
