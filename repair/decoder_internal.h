/** \file decoder_internal.h
 * An open RE-PAIR stream: what decode.c makes of it and access.c reads. */
#ifndef SD_REPAIR_DECODER_INTERNAL_H
#define SD_REPAIR_DECODER_INTERNAL_H

#include "codecs/entropy/coded_blocks.h"
#include "repair/repair_internal.h"
#include <string.h>

#define SD_REPAIR_SHORT 8 /* symbols of a phrase at hand for sd_repair_read */

/** What the next table_bits bits of a block hold. */
typedef struct sd_repair_entry {
  uint32_t all;   /* positions of all whole phrases in these bits; UINT32_MAX: not even one is whole */
  uint16_t coded; /* the first phrase, by its place in the order of the codes */
  uint8_t all_bits; /* of these; if there is none, that the first code has at least */
  uint8_t one_bits; /* of the first phrase; 0: not whole */
} sd_repair_entry;

/** Phrases that follow each other in the order of the codes, in one line of a cache: all that a walk through
 * a block asks of them. Number k is written out from symbol `at` + begin[k] on and has begin[k + 1] -
 * begin[k] symbols, unless bit k of `is_other` says that it is one of the others. */
#define SD_REPAIR_LINE 25
typedef struct sd_repair_line {
  uint32_t at, is_other;
  uint32_t others; /* how many others stand in the lines before */
  uint16_t begin[SD_REPAIR_LINE + 1];
} sd_repair_line;
_Static_assert(sizeof (sd_repair_line) == 64, "a line of a cache");

/** A phrase that has a code and is not written out: of equal symbols, or very long, or there was no room. */
typedef struct sd_repair_other {
  uint32_t length;
  sd_phrase id;
  sd_symbol symbol; /* of which it consists; SD_REPAIR_SEVERAL: of more than one */
} sd_repair_other;
#define SD_REPAIR_SEVERAL UINT16_MAX

/** An id. Up to `at_hand` positions: its symbols themselves, the first one lowest. More: its parts. */
typedef struct sd_repair_phrase {
  uint32_t length;
  uint32_t split; /* positions of the left part; 0: all positions hold the symbol `left` */
  union {
    uint64_t symbols;
    struct {
      sd_phrase left, right;
      uint32_t written; /* 1 + where its symbols stand in `written` of the decoder; 0: nowhere */
    };
  };
} sd_repair_phrase;

/* An open stream. Everything but the marks is read-only once it is open, so that threads share it. */
typedef struct sd_repair_decoder {
  sd_decoder base;
  sd_coded_blocks blocks;
  sd_codec_parts parts;
  unsigned ids;
  unsigned symbol_bits, at_hand; /* of one symbol; how many fit into 64 bits */
  sd_repair_phrase *phrase;
  sd_symbol (*head)[SD_REPAIR_SHORT]; /* first symbols of each phrase */
  uint8_t *written;                   /* symbols of phrases, symbol_bits each, the lowest bits first */
  sd_rans rans;                       /* used 0: Huffman codes */
  sd_huffman code;
  sd_repair_line *line;   /* of all places in the order of the codes */
  sd_repair_other *other; /* in the same order */
  unsigned table_bits;
  unsigned reach; /* so many of 57 bits may be gone before the next code is not sure to fit */
  sd_repair_entry *table;
  /* Written and read by all threads without a lock. */
  /* What probes have learned: see access.c. All that may change once the stream is open; NULL: nothing is
   * kept. */
  uint32_t *mark;
  unsigned marks; /* of a block */
} sd_repair_decoder;

/* ------------------------------------------------------------------- marks */

#define SD_REPAIR_MARK_STEP 32 /* bits of a block between two marks */
#define SD_REPAIR_MARK_BITS 6  /* of a mark: how far behind its place it stands, more than the longest code */
#define SD_REPAIR_MARK_MAX ((UINT32_MAX >> SD_REPAIR_MARK_BITS) - 1) /* largest position in a mark */

/* ----------------------------------------------------------- written phrases */

/** Write phrases out, once all are built: those at order[0..n-1], as far as there is room in a stream of so
 * many bytes. SD_ENOMEM. */
int sd_repair_write_out (sd_repair_decoder *d, const sd_phrase *order, unsigned n, size_t bytes);

/** Phrase number k of a line, which is one of the others. */
static inline const sd_repair_other *sd_repair_other_in (const sd_repair_decoder *d, const sd_repair_line *l,
                                                         unsigned k) {
  return d->other + l->others + __builtin_popcount (l->is_other & ((UINT32_C (1) << k) - 1));
}

/** How many symbols the phrase at a place in the order of the codes has. */
static inline uint32_t sd_repair_coded_length (const sd_repair_decoder *d, unsigned coded) {
  const sd_repair_line *l = d->line + coded / SD_REPAIR_LINE;
  const unsigned k = coded % SD_REPAIR_LINE;
  return l->is_other >> k & 1 ? sd_repair_other_in (d, l, k)->length
                              : (uint32_t) (l->begin[k + 1] - l->begin[k]);
}

/** Symbol number i of what is written out. */
static inline sd_symbol sd_repair_written (const sd_repair_decoder *d, uint64_t i) {
  const uint64_t bit = i * d->symbol_bits;
  uint32_t w;
  memcpy (&w, d->written + bit / 8, sizeof w); /* a symbol has at most 16 bits */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap32 (w);
#endif
  return (sd_symbol) (w >> bit % 8 & ((UINT32_C (1) << d->symbol_bits) - 1));
}

#endif
