/** \file blocks.h
 * Codecs whose stream is a head that follows from the blocks' lengths, and then the blocks, none of which
 * needs another: such blocks can be coded in different places, as the generator's ranks do. */
#ifndef SD_BLOCKS_H
#define SD_BLOCKS_H

#include "codecs/stream/stream.h"

/* ---------------------------------------------------------- block by block */

/** How such a codec cuts n definite symbols over m main symbols into blocks. Symbols are handed over as raw
 * bytes: `width` for each, little-endian. */
typedef struct sd_block_plan {
  const sd_codec *codec;
  const sd_settings *set;
  uint64_t n, block, blocks; /* symbols; symbols in a block, the last one may have fewer; blocks */
  unsigned m, width;
} sd_block_plan;

/** Symbols in block b. */
static inline uint64_t sd_block_count (const sd_block_plan *p, uint64_t b) {
  uint64_t rest = p->n - b * p->block;
  return rest < p->block ? rest : p->block;
}

/** Packs and checks one block after the other; one for each thread. */
typedef struct sd_block_coder sd_block_coder;

/** May blocks of one stream be coded in different places, with the functions below and sd_codec_put_head?
 * They make the same bytes as sd_codec_encode. Not if the codec is not made of blocks, or if it looks at the
 * whole sequence first (a trained dictionary). */
bool sd_blocks_apart (const sd_codec *codec, const sd_settings *set);

/** set must outlive the plan; n > 0; the codec is made of blocks. */
void sd_blocks_plan (const sd_codec *codec, const sd_settings *set, uint64_t n, unsigned m,
                     sd_block_plan *out);

/** Bytes that one coder holds at most. */
uint64_t sd_blocks_memory (const sd_block_plan *p);
int sd_block_coder_new (const sd_block_plan *p, sd_block_coder **out); /* SD_ENOMEM, SD_EINVAL */
void sd_block_coder_free (sd_block_coder *c);                          /* NULL does nothing */

/** raw[0..count * width - 1] to out, which has room for as many bytes; count > 0. SD_ENOMEM, SD_EINVAL. */
int sd_block_pack (sd_block_coder *c, const uint8_t *raw, uint64_t count, uint8_t *out, size_t *len);

/** Do the packed bytes src[0..len-1] give raw again? SD_EDIFF: no; SD_EFORMAT: they cannot be unpacked. */
int sd_block_compare (sd_block_coder *c, const uint8_t *src, size_t len, const uint8_t *raw, uint64_t count);

/** What sd_codec_encode writes before the blocks if they are coded in different places; length[0..blocks-1]
 * in bytes. SD_ENOMEM. */
int sd_codec_put_head (const sd_block_plan *p, const uint32_t *length, sd_buf *out);

/* ----------------------------------------------------------- blocks that are kept */

/** Decoded blocks of any number of decoders, `budget` bytes of them at most. Thread-safe; outlives them. */
typedef struct sd_block_cache sd_block_cache;
int sd_block_cache_new (uint64_t budget, sd_block_cache **out, sd_error *err); /* SD_ENOMEM */
void sd_block_cache_free (sd_block_cache *c);                                  /* NULL does nothing */

/** `whole` as a decoder that keeps in `cache` what it has decoded: for programs that read many slots of long
 * blocks one by one. Its get and read take a lock and may ask for memory. `whole` belongs to it afterwards,
 * and is closed if this fails (SD_ENOMEM); a decoder without blocks is handed back as it is. cached.c */
int sd_codec_cached (sd_decoder *whole, sd_block_cache *cache, sd_decoder **out, sd_error *err);

#endif
