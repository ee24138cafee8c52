/** \file blocks_internal.h
 * What a general compressor has to offer so that blocks.c makes a codec of it. */
#ifndef SD_BLOCKS_INTERNAL_H
#define SD_BLOCKS_INTERNAL_H

#include "codecs/blocks/blocks.h"
#include "codecs/row.h"

/** What a coder of single blocks is made for. */
typedef struct sd_block_shape {
  const sd_settings *set; /* NULL: it will only unpack */
  unsigned width;         /* bytes of a symbol */
  size_t bytes;           /* of the longest block */
  unsigned param;         /* the method's own: what `parse` found */
  void *shared;
} sd_block_shape;

typedef struct sd_block_method {
  /** Does it look at the whole sequence first? NULL: never. */
  bool (*whole) (const sd_settings *set);
  /** Append the method's own part of the head. sym[0..n-1]: the whole sequence; NULL if blocks are coded in
   * different places. NULL: there is none. SD_ENOMEM. */
  int (*prepare) (const sd_block_plan *p, const sd_symbol *sym, sd_buf *head);
  /** Read that part, set shape->param and shape->shared, which all coders of a stream then use. shape->set
   * says whether they will pack. The bytes stay where they are. SD_EFORMAT, SD_ENOMEM. NULL: there is none.
   */
  int (*parse) (sd_reader *r, sd_block_shape *shape);
  void (*drop) (void *shared); /* NULL: nothing to free */

  size_t size;        /* bytes of the method's own coder, which is zeroed before init */
  size_t most_packed; /* a block that packs to more stays raw, as unpacking would take too long; 0: never */
  /** On failure `end` is still called. SD_ENOMEM, SD_EINVAL. */
  int (*init) (void *coder, const sd_block_shape *shape);
  void (*end) (void *coder);
  uint64_t (*memory) (const void *coder); /* bytes held at most, without `size`; only if it packs */
  /** Compress src[0..n-1] to dst[0..cap-1]; *len = 0 if it does not fit. SD_ENOMEM, SD_EINVAL. */
  int (*pack) (void *coder, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len);
  /** A packed block src[0..len-1] of n raw bytes, untrusted; its bytes are then fetched in portions, n of
   * them at most in all. SD_EFORMAT: damaged, SD_ENOMEM. */
  int (*start) (void *coder, const uint8_t *src, size_t len, size_t n);
  int (*next) (void *coder, uint8_t *dst, size_t n);
} sd_block_method;

/** The functions that every method has, in the file of a compressor that names them so. */
#define SD_BLOCK_CODER                                                                                       \
  .size = sizeof (coder), .init = init, .end = end, .memory = memory, .pack = pack, .start = start,          \
  .next = next

/** What all rows of such codecs have in common. */
#define SD_BLOCK_METHOD(m)                                                                                   \
  .blocks = m, .checks_while_reading = true, .encode = sd_blocks_encode, .ops = &sd_blocks_ops

/** The tunables that all of them have; at most 2 MiB in a block, as Zakharov 2015 has them while it builds.
 * One slot costs its block, so that more than this belongs to archives; a method may allow less. */
#define SD_BLOCK_MAX (2l << 20)
#define SD_BLOCK_TUNABLES(max)                                                                               \
  { "initial", "initial replacement, a chain such as alg2+full", "frequent", 1, 0, NULL }, {                 \
    "block", "bytes of uncompressed data in a block", "16384", 1, max, NULL                                  \
  }

/** raw = symbols `first` to first + count - 1 in `width` bytes each. */
void sd_block_raw (const sd_symbol *sym, uint64_t first, uint64_t count, unsigned width, uint8_t *raw);

int sd_blocks_encode (const sd_encoding *e, sd_buf *out, sd_error *err);
extern const sd_decoder_ops sd_blocks_ops;

/** Symbols in a block; the last one may have fewer. */
uint64_t sd_blocks_slots (const sd_decoder *d);

/** For methods that can only unpack a block as a whole: where it lies until it is fetched. */
typedef struct sd_block_whole {
  uint8_t *raw; /* room for the longest block */
  size_t len, at;
} sd_block_whole;

/** SD_EFORMAT: fewer than n bytes are left. */
int sd_block_whole_next (sd_block_whole *w, uint8_t *dst, size_t n);

#endif
