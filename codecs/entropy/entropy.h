/** \file entropy.h
 * Entropy coding, and where blocks start: canonical Huffman codes, asymmetric numeral systems (rANS), an
 * Elias-Fano index of block starts. range_coder.h beside it is the adaptive binary range coder, all inline.
 */
#ifndef SD_ENTROPY_H
#define SD_ENTROPY_H

#include "base/base.h"

/* ------------------------------------------------------- canonical Huffman */

#define SD_HUFFMAN_MAX_SYMBOLS 65536
#define SD_HUFFMAN_MAX_LENGTH 32

/** Code lengths for freq[0..n-1], none above max_length (package-merge or an equally optimal method), 0 for
 * freq 0. One used symbol gets length 1. SD_ERANGE: more symbols than 2^max_length; SD_EINVAL: max_length
 * outside 1..SD_HUFFMAN_MAX_LENGTH or n above SD_HUFFMAN_MAX_SYMBOLS; SD_ENOMEM. */
int sd_huffman_lengths (const uint64_t *freq, unsigned n, unsigned max_length, uint8_t *length);

/** code[i] = canonical code of symbol i in its low length[i] bits: shorter codes are numerically smaller when
 * left-aligned; within a length the order is that of the symbols. SD_EINVAL if Kraft's sum exceeds 1. */
int sd_huffman_codes (const uint8_t *length, unsigned n, uint32_t *code);

/** n code lengths of at most 15 in a stream, 4 bits each. get: false if they are not there. */
void sd_huffman_put_lengths (const uint8_t *length, unsigned n, sd_buf *out);
bool sd_huffman_get_lengths (sd_reader *r, unsigned n, uint8_t *length);

/** What a decoder needs to find the symbol of a code; read-only once made. */
typedef struct sd_huffman {
  unsigned longest;                          /* bits of the longest code */
  uint64_t limit[SD_HUFFMAN_MAX_LENGTH + 1]; /* [l] behind the last code of length <= l, left-aligned in 32
                                              * bits; 2^32 from the longest on */
  uint64_t
      offset[SD_HUFFMAN_MAX_LENGTH + 1]; /* [l] place in symbol[] minus code, for codes of length l (wraps) */
  uint16_t *symbol;                      /* [places] in the order of the codes */
  unsigned places;
} sd_huffman;

/** SD_EINVAL: not a complete code, nor one symbol of length 1 (which then owns all bits); SD_ENOMEM. */
int sd_huffman_init (sd_huffman *h, const uint8_t *length, unsigned n);
void sd_huffman_clear (sd_huffman *h);

/** The place in h->symbol of the code that begins the window (left-aligned bits), and the bits of that code.
 * `from`: a length that the code is known to have at least, 1..longest; coders that have seen many windows
 * keep a table of the short codes. */
static inline uint64_t sd_huffman_place (const sd_huffman *h, uint32_t window, unsigned from,
                                         unsigned *nbits) {
  unsigned l = from;
  while (window >= h->limit[l]) /* the last limit is 2^32 */
    l++;
  *nbits = l;
  return h->offset[l] + (window >> (32 - l));
}

/** As sd_huffman_place, the symbol that stands there. */
static inline unsigned sd_huffman_find (const sd_huffman *h, uint32_t window, unsigned from,
                                        unsigned *nbits) {
  return h->symbol[sd_huffman_place (h, window, from, nbits)];
}

/* -------------------------------------------------------------------- rANS */

#define SD_RANS_MAX_SYMBOLS 65536
#define SD_RANS_MAX_SCALE 20
#define SD_RANS_MAX_COST 128 /* quarters of a bit */
#define SD_RANS_LIMIT (UINT64_C (1) << 40)

/** Costs of symbols with freq[0..n-1] in quarters of a bit, 1 to SD_RANS_MAX_COST, 0 for freq 0. SD_EINVAL:
 * n. */
int sd_rans_costs (const uint64_t *freq, unsigned n, uint8_t *cost);

/** Tables of encoder and decoder; read-only once made. The used symbols stand by rising cost, equal ones by
 * number; a symbol's place is where it stands. */
typedef struct sd_rans {
  unsigned scale, shift, used; /* frequencies add up to 2^scale; slot >> shift is its bucket */
  uint16_t *symbol;            /* [0..used-1] by place */
  uint32_t *first;             /* [0..used] by place: sum of the frequencies before it */
  uint16_t *bucket;            /* place of the bucket's first slot */
} sd_rans;

/** From what the symbols cost (untrusted), cost[0..n-1]. SD_EINVAL: n, a cost, no symbol at all; SD_ENOMEM.
 */
int sd_rans_init (sd_rans *r, const uint8_t *cost, unsigned n);
void sd_rans_clear (sd_rans *r);

/** Code the symbols at place[0..n-1] into out[0..len-1], zeros in front. SD_ENOSPC: they need more; out is
 * undefined then. */
int sd_rans_put_block (const sd_rans *r, const uint32_t *place, uint64_t n, uint8_t *out, size_t len);

/** Reads a block forwards; begins with all zero but the bytes' place and end. Any bytes decode to used
 * symbols; how many there are is for the caller to know. */
typedef struct sd_rans_reader {
  uint64_t x;
  const uint8_t *p, *end;
} sd_rans_reader;
static inline unsigned sd_rans_next (const sd_rans *r, sd_rans_reader *in) {
  while (in->x < SD_RANS_LIMIT && in->p < in->end)
    in->x = in->x << 8 | *in->p++;
  const uint32_t slot = (uint32_t) in->x & ((1u << r->scale) - 1);
  unsigned k = r->bucket[slot >> r->shift];
  while (r->first[k + 1] <= slot) /* first[used] is 2^scale */
    k++;
  in->x = (in->x >> r->scale) * (r->first[k + 1] - r->first[k]) + slot - r->first[k];
  return r->symbol[k];
}

/* ----------------------------------------------------------- rising numbers */

/* n >= 1 rising numbers below universe as an Elias-Fano code: `low` bits of each plainly, the rest as gaps in
 * unary. Bits are numbered from the least significant one of the first byte. */
static inline unsigned sd_ef_low (uint64_t n, uint64_t universe) {
  return universe > n ? 63 - (unsigned) __builtin_clzll (universe / n) : 0;
}
static inline uint64_t sd_ef_upper_bits (uint64_t n, uint64_t universe) {
  return n + ((universe - 1) >> sd_ef_low (n, universe));
}
static inline uint64_t sd_ef_bytes (uint64_t n, uint64_t universe) {
  return (n * sd_ef_low (n, universe) + 7) / 8 + (sd_ef_upper_bits (n, universe) + 7) / 8;
}
void sd_ef_write (const uint64_t *value, uint64_t n, uint64_t universe, sd_buf *out);

/* ---------------------------------------------------- index of block starts */

/** Where the blocks start: an increasing sequence of positions, in a file as an Elias-Fano code. Block 0
 * starts at 0 and is not stored. With less than two blocks there is nothing but n and blocks. */
typedef struct sd_starts {
  uint64_t n, blocks;
  unsigned low, hint_bits; /* bits of a position that stand plainly in the file; that pick no hint */
  uint32_t *hint;          /* [h]: the last block that starts before position h << hint_bits, or block 0 */
  uint32_t *start;         /* [k]: where block k starts; [blocks]: n */
  uint64_t *wide; /* the same where n needs more than 32 bits; else NULL, and where it is not start is */
} sd_starts;

/** Bytes of the index for `blocks` blocks over n positions. */
uint64_t sd_starts_bytes (uint64_t blocks, uint64_t n);
void sd_starts_write (const uint64_t *start, uint64_t blocks, uint64_t n, sd_buf *out);

/** The index at data[0..bytes-1] with `avail` >= bytes readable bytes. SD_EFORMAT: not increasing, or
 * outside 1..n-1. */
int sd_starts_open (sd_starts *s, const uint8_t *data, uint64_t bytes, size_t avail, uint64_t blocks,
                    uint64_t n);

/** The same where a reader stands, which it passes; *bytes of it. SD_EFORMAT, SD_ENOMEM. */
int sd_starts_read (sd_starts *s, sd_reader *r, uint64_t blocks, uint64_t n, uint64_t *bytes);
void sd_starts_close (sd_starts *s);

/** Where block k starts; n of k == blocks. */
static inline uint64_t sd_starts_at (const sd_starts *s, uint64_t k) {
  return s->start ? s->start[k] : s->wide ? s->wide[k] : k ? s->n : 0;
}

/** Block that holds position i < n, and its first position; *end (if not NULL) = first position behind it. */
uint64_t sd_starts_find (const sd_starts *s, uint64_t i, uint64_t *first, uint64_t *end);

/** Prefetch what sd_starts_find reads for position i < n, in the steps of sd_decoder_ops.fetch. */
bool sd_starts_fetch (const sd_starts *s, uint64_t i, unsigned step);

/** Where blocks start, while they are made. */
typedef struct sd_start_list {
  uint64_t *at, n, cap;
} sd_start_list;

/** One more block, from position `at` on. SD_ENOMEM. */
static inline int sd_start_list_add (sd_start_list *l, uint64_t at) {
  if (!sd_grow (&l->at, &l->cap, l->n + 1))
    return SD_ENOMEM;
  l->at[l->n++] = at;
  return SD_OK;
}

#endif
