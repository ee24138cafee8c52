/** \file coded_blocks.h
 * Blocks of a fixed number of coded bytes, as huffman, rle and repair have them, in an open stream. starts.c
 */
#ifndef SD_CODED_BLOCKS_H
#define SD_CODED_BLOCKS_H

#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"

/** Blocks of `block` coded bytes each, the last one of fewer, behind the index of their starts. */
typedef struct sd_coded_blocks {
  sd_starts starts;
  const uint8_t *payload;
  uint64_t payload_bytes;
  unsigned block;
} sd_coded_blocks;

/** The index and the rest of the stream where r stands, of `blocks` blocks over n positions; b->block is
 * known. Fills in parts->index, payload, blocks. The messages name the codec. SD_EFORMAT, SD_ENOMEM. Seven
 * arguments: what the codecs' heads say, and what is filled in. */
int sd_coded_blocks_open (sd_coded_blocks *b, const char *codec, sd_reader *r, uint64_t blocks, uint64_t n,
                          sd_codec_parts *parts, sd_error *err);

/** Bytes of block number b. */
static inline uint64_t sd_coded_blocks_bytes (const sd_coded_blocks *s, uint64_t b) {
  const uint64_t rest = s->payload_bytes - b * s->block;
  return rest < s->block ? rest : s->block;
}

/** The block of position i < n, and the positions that it holds. */
static inline void sd_coded_blocks_of (const sd_coded_blocks *s, uint64_t i, sd_codec_block *out) {
  uint64_t end;
  out->number = sd_starts_find (&s->starts, i, &out->first, &end);
  out->slots = end - out->first;
  out->bytes = sd_coded_blocks_bytes (s, out->number);
}

#endif
