/** \file huffman_internal.h
 * What the encoder and the decoder of codec `huffman` share: words, blocks and the model. */
#ifndef SD_HUFFMAN_INTERNAL_H
#define SD_HUFFMAN_INTERNAL_H

#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"

#define SD_HUFFMAN_MIN_BLOCK 16
#define SD_HUFFMAN_MAX_BLOCK 65536
#define SD_HUFFMAN_LONGEST 24  /* bits of the longest code */
#define SD_HUFFMAN_MAX_WORD 16 /* slots; 2^16 words over two symbols */

/** How many words of k slots there are over m main symbols; 0: more than SD_HUFFMAN_MAX_SYMBOLS. */
static inline unsigned sd_huffman_words (unsigned m, unsigned k) {
  uint64_t words = 1;
  for (unsigned i = 0; i < k && words <= SD_HUFFMAN_MAX_SYMBOLS; i++)
    words *= m;
  return words <= SD_HUFFMAN_MAX_SYMBOLS ? (unsigned) words : 0;
}

/** The code lengths length[0..words-1] of all words over m symbols, each at most SD_HUFFMAN_LONGEST.
 * huffman_model.c; SD_ENOMEM. */
int sd_huffman_put_model (const uint8_t *length, unsigned words, unsigned m, sd_buf *out);

/** Any bytes give lengths (damaged ones those of no code). SD_ENOMEM, SD_EFORMAT: a length is too large. */
int sd_huffman_get_model (const uint8_t *data, size_t len, unsigned words, unsigned m, uint8_t *length);

extern const sd_tunable sd_huffman_tunables[];
int sd_huffman_encode (const sd_encoding *what, sd_buf *out, sd_error *err);

#endif
