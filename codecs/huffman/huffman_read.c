/** \file huffman_read.c
 * Random access to codec `huffman` (layout: docs/format.md, section 7.7): the index gives the block, in which
 * words are passed until the one that holds the slot. A table of the next 10 bits tells how many whole codes
 * stand there, so that a step passes as many; a block of 128 bytes takes at most 103 steps.
 *
 * Any payload is memory-safe. A word takes at least one bit, and a block has at most 65536 bytes, so that
 * wrong starts do not make a probe long; a slot behind the block's last bit is SD_EFORMAT. Memory: the table
 * (6 KiB), two bytes for each word that is used, and the index. Each used word stands in the payload at least
 * once, which is checked, so that few bytes cannot ask for much; lengths while opening: 64 KiB. */
#include "config.h"
#include "codecs/entropy/coded_blocks.h"
#include "codecs/huffman/huffman_internal.h"
#include "codecs/row.h"

#include <stdlib.h>

enum { QUICK = 10 };

/* What stands in the next QUICK bits. */
typedef struct quick {
  uint16_t word;         /* the first one */
  uint8_t length;        /* bits of its code; 0: more than QUICK */
  uint8_t count, passed; /* whole codes, and their bits */
} quick;

typedef struct decoder {
  sd_decoder base;
  unsigned word;
  uint64_t count;                      /* words */
  uint32_t power[SD_HUFFMAN_MAX_WORD]; /* what the value of slot k in a word is multiplied by */
  sd_coded_blocks blocks;
  sd_codec_parts parts;
  sd_huffman code;
  quick first[1 << QUICK];
} decoder;

/* The code that begins the window: the first 32 of the bits that are left. */
static inline unsigned find (const decoder *d, uint32_t window, unsigned *length) {
  const quick *q = &d->first[window >> (32 - QUICK)];
  *length = q->length;
  return q->length ? q->word : sd_huffman_find (&d->code, window, QUICK + 1, length);
}

/* Codes behind the last whole one are not looked at: what they are needs more bits than the table's. */
static void fill_quick (decoder *d) {
  for (uint32_t bits = 0; bits < 1u << QUICK; bits++) {
    quick q = { 0 };
    /* As many whole codes as the bits hold; the first one also by itself. */
    while (q.passed < QUICK) {
      unsigned length, word = sd_huffman_find (&d->code, bits << (32 - QUICK + q.passed), 1, &length);
      if (q.passed + length > QUICK)
        break;
      if (q.count == 0) {
        q.word = (uint16_t) word;
        q.length = (uint8_t) length;
      }
      q.passed = (uint8_t) (q.passed + length);
      q.count++;
    }
    d->first[bits] = q;
  }
}

/* ------------------------------------------------------------------ opening */

/* SD_EFORMAT: no code, or one whose words cannot all stand in the payload. */
static int open_code (decoder *d, const uint8_t *model, size_t len) {
  const unsigned words = sd_huffman_words (d->base.m, d->word);
  SD_OWNED uint8_t *length = sd_alloc (words, 1);

  if (!length)
    return SD_ENOMEM;
  uint64_t bits = 0;
  int status = sd_huffman_get_model (model, len, words, d->base.m, length);
  for (unsigned v = 0; v < words; v++) {
    bits += length[v];
    d->parts.symbols += length[v] != 0;
  }
  /* Each used word stands in the payload at least once: few bytes cannot ask for a large table. */
  if (status == SD_OK && (bits > 8 * d->blocks.payload_bytes || d->parts.symbols > d->count))
    status = SD_EFORMAT;
  if (status == SD_OK)
    status = sd_huffman_init (&d->code, length, words);
  d->parts.unpaid = sd_unpaid (SD_DECODER_BYTES + words, d->blocks.payload_bytes);
  return status == SD_EINVAL ? SD_EFORMAT : status;
}

static int open (const sd_stream *s, sd_decoder *base, sd_error *err) {
  decoder *d = (decoder *) base;
  sd_reader r = sd_reader_of (s->data, s->len);
  const uint64_t block = sd_get_varint (&r), word = sd_get_varint (&r), blocks = sd_get_varint (&r),
                 model_bytes = sd_get_varint (&r);

  if (r.bad || block > SD_HUFFMAN_MAX_BLOCK - SD_HUFFMAN_MIN_BLOCK || word < 1 || word > SD_HUFFMAN_MAX_WORD
      || !sd_huffman_words (d->base.m, (unsigned) word) || d->base.n >> 48)
    return sd_fail (err, SD_EFORMAT, "huffman: stream of %zu bytes: damaged header", s->len);

  d->blocks.block = (unsigned) block + SD_HUFFMAN_MIN_BLOCK;
  d->word = (unsigned) word;
  d->count = d->base.n / word + (d->base.n % word != 0);
  /* The first slot of a word is the most significant one. */
  for (unsigned k = 0; k < d->word; k++)
    d->power[k] = sd_huffman_words (d->base.m, d->word - 1 - k);
  d->parts.header = (uint64_t) (r.p - s->data);
  d->parts.model = model_bytes;

  const uint8_t *model = sd_get_bytes (&r, model_bytes);
  if (!model || blocks == 0 || blocks > d->count)
    return sd_fail (err, SD_EFORMAT, "huffman: stream of %zu bytes: damaged header", s->len);
  SD_TRY (sd_coded_blocks_open (&d->blocks, "huffman", &r, blocks, d->count, &d->parts, err));
  const int status = open_code (d, model, model_bytes);
  if (status)
    return status == SD_ENOMEM ? sd_fail_memory (err, 0)
                               : sd_fail (err, status,
                                          "huffman: the code lengths do not form a code of "
                                          "which each word stands in the payload");
  fill_quick (d);
  return SD_OK;
}

static void close (sd_decoder *base) {
  decoder *d = (decoder *) base;
  sd_starts_close (&d->blocks.starts);
  sd_huffman_clear (&d->code);
  free (d);
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  *parts = ((const decoder *) base)->parts;
}

/* ----------------------------------------------------------------- decoding */

/* Where a reader stands in a block. */
typedef struct walk {
  sd_bitr bits;
  int64_t left; /* bits of the block that are not read yet */
} walk;

static inline void take (walk *w, unsigned bits) {
  sd_bitr_skip (&w->bits, bits);
  w->left -= bits;
}

/* Past `skip` words. Bits beyond the block are seen after a few words at most. */
static int pass (const decoder *d, walk *w, uint64_t skip) {
  while (skip) {
    sd_bitr_refill (&w->bits);
    do {
      const uint32_t window = (uint32_t) (w->bits.acc >> 32);
      const quick *q = &d->first[window >> (32 - QUICK)];
      unsigned length;
      /* All codes of the table's bits at once, if all of them are to be passed. */
      if (q->count && q->count <= skip) {
        skip -= q->count;
        take (w, q->passed);
      } else {
        find (d, window, &length);
        skip--;
        take (w, length);
      }
    } while (skip && w->bits.fill >= SD_HUFFMAN_LONGEST);
    /* Beyond the block: a wrong start, or no such slot. */
    if (w->left < 0)
      return SD_EFORMAT;
  }
  return SD_OK;
}

/* Whether its code was within the block is for the caller to see: w->left is below 0 if it was not. */
static inline unsigned next_word (const decoder *d, walk *w) {
  unsigned length;
  sd_bitr_refill (&w->bits);
  const unsigned v = find (d, (uint32_t) (w->bits.acc >> 32), &length);
  take (w, length);
  return v;
}

/* The walk at word i; *end = first word behind its block. */
static int find_word (const decoder *d, uint64_t i, walk *w, uint64_t *end) {
  uint64_t first, b = sd_starts_find (&d->blocks.starts, i, &first, end);
  const uint64_t bytes = sd_coded_blocks_bytes (&d->blocks, b);
  const uint8_t *block = d->blocks.payload + b * d->blocks.block;
  SD_TRY (sd_guard_check (d->base.guard, block, bytes));
  w->bits = sd_bitr_of (block, bytes);
  w->left = 8 * (int64_t) bytes;
  return pass (d, w, i - first);
}

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  const uint64_t at = d->word == 1 ? i : i / d->word;
  walk w;
  SD_TRY (find_word (d, at, &w, NULL));
  const unsigned v = next_word (d, &w);
  *out = (sd_symbol) (d->word == 1 ? v : v / d->power[i - at * d->word] % d->base.m);
  return w.left >= 0 ? SD_OK : SD_EFORMAT;
}

/* The slots first .. first + count - 1 as far as they stand in word v, the word number `at`. */
static inline void put_slots (const decoder *d, unsigned v, uint64_t at, uint64_t first, uint64_t count,
                              sd_symbol *out) {
  for (uint64_t i = (at + 1) * d->word; i-- > at * d->word; v /= d->base.m)
    if (i >= first && i - first < count)
      out[i - first] = (sd_symbol) (v % d->base.m);
}

static int read_part (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  if (count == 0)
    return SD_OK;
  const uint64_t last = (first + count - 1) / d->word;
  for (uint64_t at = first / d->word, end; at <= last; at = end) {
    walk w;
    SD_TRY (find_word (d, at, &w, &end));
    /* Word by word to the end of the block, or of what is wanted. */
    end = end <= last ? end : last + 1;
    for (; at < end; at++) {
      const unsigned v = next_word (d, &w);
      if (w.left < 0)
        return SD_EFORMAT;
      put_slots (d, v, at, first, count, out);
    }
  }
  return SD_OK;
}

static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const uint64_t word = ((const decoder *) base)->word;
  return sd_read_parts (base, first, count, SD_READ_STEP * word, read_part, out);
}

/* The index counts words of several slots, the last of which may be cut off. */
static bool block_of (const sd_decoder *base, uint64_t i, sd_codec_block *out) {
  const decoder *d = (const decoder *) base;
  sd_coded_blocks_of (&d->blocks, i / d->word, out);
  out->first *= d->word;
  out->slots *= d->word;
  out->slots = out->slots < base->n - out->first ? out->slots : base->n - out->first;
  return true;
}

static const sd_decoder_ops ops = { get, read, close, describe, sizeof (decoder), open, block_of, NULL };

const sd_codec sd_codec_huffman = {
  SD_IDENTITY (huffman),
  .summary = "canonical Huffman code of symbols or words in small blocks",
  .in_pieces = true,
  .checks_while_reading = true,
  SD_ENCODER (.tunables = sd_huffman_tunables, .encode = sd_huffman_encode, ).ops = &ops,
  .trials = { .settings = { "block=32,word=0", "block=128,word=0", "block=1024,word=0" },
              .ways = { SD_COMPLETING } },
  .latency = { 30.1, 0.0103, 1.16, 2.57 }, /* off by 13 % at most */
  .colour = "#c96a12",
  .mark = 11,
};
