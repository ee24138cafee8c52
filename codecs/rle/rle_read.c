/** \file rle_read.c
 * Random access to run lengths (layout: docs/format.md, section 7.4): the index gives the block, in which
 * runs are decoded until the one that holds the slot. Any payload is memory-safe: a run takes at least one
 * bit, and a slot behind the last run is SD_EFORMAT. */
#include "config.h"
#include "codecs/entropy/coded_blocks.h"
#include "codecs/rle/rle_internal.h"
#include "codecs/row.h"

#include <stdlib.h>

typedef struct decoder {
  sd_decoder base;
  unsigned rows;
  sd_coded_blocks blocks;
  sd_codec_parts parts;
  sd_huffman length, value[8];
  int lone[8]; /* the only symbol of a row, ROW_CODE or ROW_UNUSED */
} decoder;

enum { ROW_CODE = -1, ROW_UNUSED = -2 };

/* The code of the symbols behind one symbol (or behind any, where there is one row); d->lone says how to read
 * it. */
static int open_row (decoder *d, unsigned r, const uint8_t *bits) {
  unsigned used = 0;
  d->lone[r] = ROW_UNUSED;
  for (unsigned v = 0; v < d->base.m; v++)
    if (bits[v]) {
      d->lone[r] = (int) v;
      used++;
    }
  /* One symbol, or none: no code is needed. */
  if (used < 2)
    return SD_OK;
  d->lone[r] = ROW_CODE;
  return sd_huffman_init (&d->value[r], bits, d->base.m);
}

static int open_codes (decoder *d, sd_reader *r) {
  unsigned values = d->rows * d->base.m;
  uint8_t *bits = sd_alloc (values, 1), lengths[SD_RLE_CLASSES];
  if (!bits)
    return SD_ENOMEM;
  int st = sd_huffman_get_lengths (r, values, bits) ? SD_OK : SD_EFORMAT;
  for (unsigned row = 0; !st && row < d->rows; row++)
    st = open_row (d, row, bits + row * d->base.m);
  free (bits);
  if (st)
    return st;
  uint64_t classes = sd_get_varint (r);
  if (r->bad || classes < 1 || classes > SD_RLE_CLASSES
      || !sd_huffman_get_lengths (r, (unsigned) classes, lengths))
    return SD_EFORMAT;
  return sd_huffman_init (&d->length, lengths, (unsigned) classes);
}

static int open (const sd_stream *s, sd_decoder *base, sd_error *err) {
  decoder *d = (decoder *) base;
  sd_reader r = sd_reader_of (s->data, s->len);
  uint64_t block = sd_get_varint (&r), blocks = sd_get_varint (&r);

  /* A block has at least one slot. */
  if (r.bad || block > SD_RLE_MAX_BLOCK - SD_RLE_MIN_BLOCK || blocks == 0 || blocks > d->base.n
      || d->base.n >> 48)
    return sd_fail (err, SD_EFORMAT, "rle: stream of %zu bytes: damaged header", s->len);

  d->rows = sd_rle_rows (s->m);
  d->blocks.block = (unsigned) block + SD_RLE_MIN_BLOCK;
  d->parts.header = (uint64_t) (r.p - s->data);
  int st = open_codes (d, &r);
  if (st)
    return st == SD_ENOMEM ? sd_fail_memory (err, 0)
                           : sd_fail (err, SD_EFORMAT, "rle: the code lengths do not form a code");
  d->parts.model = (uint64_t) (r.p - s->data) - d->parts.header;
  return sd_coded_blocks_open (&d->blocks, "rle", &r, blocks, d->base.n, &d->parts, err);
}

static void close (sd_decoder *base) {
  decoder *d = (decoder *) base;
  sd_starts_close (&d->blocks.starts);
  sd_huffman_clear (&d->length);
  for (unsigned r = 0; r < 8; r++)
    sd_huffman_clear (&d->value[r]);
  free (d);
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  *parts = ((const decoder *) base)->parts;
}

/* ----------------------------------------------------------------- decoding */

/* A walk over the runs of a block. */
typedef struct walk {
  sd_bitr bits;
  int64_t left; /* bits of the block that are not read yet */
  unsigned value;
  uint64_t length;
} walk;

/* The class of a run's length, and the length. */
static void next_length (const decoder *d, walk *w) {
  unsigned used, extra;
  sd_bitr_refill (&w->bits);
  unsigned kind = sd_huffman_find (&d->length, (uint32_t) (w->bits.acc >> 32), 1, &used);
  sd_bitr_skip (&w->bits, used);
  w->length = sd_rle_least (kind, &extra);
  w->length += sd_bitr_get (&w->bits, extra);
  w->left -= used + extra;
}

/* The first symbol of a block stands there plainly, since what comes before it is in another block. */
static int first_run (const decoder *d, uint64_t b, walk *w) {
  const uint64_t bytes = sd_coded_blocks_bytes (&d->blocks, b);
  const uint8_t *block = d->blocks.payload + b * d->blocks.block;
  unsigned used = sd_bits_for (d->base.m);
  SD_TRY (sd_guard_check (d->base.guard, block, bytes));
  w->bits = sd_bitr_of (block, bytes);
  w->left = 8 * (int64_t) bytes - used;
  w->value = (unsigned) sd_bitr_get (&w->bits, used);
  next_length (d, w);
  return w->value < d->base.m && w->left >= 0 ? SD_OK : SD_EFORMAT;
}

static int next_run (const decoder *d, walk *w) {
  unsigned row = d->rows == 1 ? 0 : w->value, used;
  /* A code, a lone symbol, or a row that no run of the encoder led to. */
  if (d->lone[row] == ROW_CODE) {
    sd_bitr_refill (&w->bits);
    w->value = sd_huffman_find (&d->value[row], (uint32_t) (w->bits.acc >> 32), 1, &used);
    sd_bitr_skip (&w->bits, used);
    w->left -= used;
  } else if (d->lone[row] >= 0)
    w->value = (unsigned) d->lone[row];
  else
    return SD_EFORMAT;
  next_length (d, w);
  return w->left >= 0 ? SD_OK : SD_EFORMAT;
}

/* The walk at the run that holds slot i; *skip = slots of the run before it. */
/* Runs are passed by their lengths, so that long ones cost no more than short ones. */
static int find_run (const decoder *d, uint64_t i, walk *w, uint64_t *skip, uint64_t *end) {
  uint64_t first, b = sd_starts_find (&d->blocks.starts, i, &first, end);
  *skip = i - first;
  SD_TRY (first_run (d, b, w));
  while (*skip >= w->length) {
    *skip -= w->length;
    SD_TRY (next_run (d, w));
  }
  return SD_OK;
}

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  walk w;
  uint64_t skip;
  SD_TRY (find_run ((const decoder *) base, i, &w, &skip, NULL));
  *out = (sd_symbol) w.value;
  return SD_OK;
}

static int read_piece (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  while (count > 0) {
    walk w;
    uint64_t skip, end;
    SD_TRY (find_run (d, first, &w, &skip, &end));
    /* Each block by itself: its last run may be followed by bits that are none. */
    uint64_t want = end - first < count ? end - first : count;
    first += want;
    count -= want;
    for (;;) {
      uint64_t here = w.length - skip < want ? w.length - skip : want;
      for (uint64_t k = 0; k < here; k++)
        out[k] = (sd_symbol) w.value;
      out += here;
      want -= here;
      skip = 0;
      if (want == 0)
        break;
      SD_TRY (next_run (d, &w));
    }
  }
  return SD_OK;
}

static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  return sd_read_parts (base, first, count, SD_READ_STEP, read_piece, out);
}

static bool block_of (const sd_decoder *base, uint64_t i, sd_codec_block *out) {
  sd_coded_blocks_of (&((const decoder *) base)->blocks, i, out);
  return true;
}

static const sd_decoder_ops ops = { get, read, close, describe, sizeof (decoder), open, block_of, NULL };

const sd_codec sd_codec_rle = {
  SD_IDENTITY (rle),
  .summary = "run lengths, Huffman code in small blocks (HRLE+)",
  .checks_while_reading = true,
  SD_ENCODER (.tunables = sd_rle_tunables, .encode = sd_rle_encode, ).ops = &ops,
  .trials = { .settings = { "block=32", "block=128", "block=1024" }, .ways = { SD_COMPLETING } },
  /* off by 51 % at most; without the slots, which a walk by runs does not pass one by one */
  .latency = { 0, 0, 5.38, 8.02 },
  .colour = "#1687a7",
  .mark = 15,
};
