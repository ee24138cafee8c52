/** \file runs_read.c
 * Random access to runs of one usual symbol (layout: docs/format.md, section 7.8): the index gives the block,
 * in which codes are read until the one that holds the slot. Any payload is memory-safe: a code takes at
 * least one bit, and a slot behind the last code is SD_EFORMAT. */
#include "config.h"
#include "codecs/entropy/coded_blocks.h"
#include "codecs/runs/runs_internal.h"

#include <stdlib.h>

typedef struct decoder {
  sd_decoder base;
  const sd_run_code *run;
  unsigned usual, group;
  int other; /* what ends every run, or SD_RUNS_CODED */
  sd_coded_blocks blocks;
  sd_codec_parts parts;
  sd_huffman code;
} decoder;

static int open_code (decoder *d, sd_reader *r) {
  const unsigned m = d->base.m;
  d->other = 1 - (int) d->usual;
  if (m <= 2)
    return SD_OK;
  SD_OWNED uint8_t *bits = sd_alloc (m, 1);
  if (!bits)
    return SD_ENOMEM;
  if (!sd_huffman_get_lengths (r, m, bits))
    return SD_EFORMAT;
  d->other = sd_runs_lone (bits, m);
  return d->other == SD_RUNS_CODED  ? sd_huffman_init (&d->code, bits, m)
         : d->other == SD_RUNS_NONE ? SD_EFORMAT
                                    : SD_OK;
}

static int open (const sd_stream *s, sd_decoder *base, sd_error *err) {
  decoder *d = (decoder *) base;
  const char *name = s->codec->name;
  sd_reader r = sd_reader_of (s->data, s->len);
  d->run = sd_run_code_of (s->codec);
  const uint64_t block = sd_get_varint (&r), blocks = sd_get_varint (&r), usual = sd_get_varint (&r),
                 group = d->run->grouped ? sd_get_varint (&r) : 0;
  /* A block has at least one slot, and of one symbol there is no stream. */
  if (r.bad || block > SD_RUNS_MAX_BLOCK - SD_RUNS_MIN_BLOCK || blocks == 0 || blocks > d->base.n
      || d->base.n >> 48 || s->m < 2 || usual >= s->m || group >= SD_RUNS_GROUPS)
    return sd_fail (err, SD_EFORMAT, "%s: stream of %zu bytes: damaged header", name, s->len);

  d->usual = (unsigned) usual;
  d->group = (unsigned) group;
  d->blocks.block = (unsigned) block + SD_RUNS_MIN_BLOCK;
  d->parts.header = (uint64_t) (r.p - s->data);
  const int st = open_code (d, &r);
  if (st)
    return st == SD_ENOMEM ? sd_fail_memory (err, 0)
                           : sd_fail (err, SD_EFORMAT, "%s: the code lengths do not form a code", name);
  d->parts.model = (uint64_t) (r.p - s->data) - d->parts.header;
  return sd_coded_blocks_open (&d->blocks, name, &r, blocks, d->base.n, &d->parts, err);
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

/* A walk over the codes of a block: slots of the usual symbol, and what follows them. */
typedef struct walk {
  sd_bitr bits;
  int64_t left; /* bits of the block that are not read yet */
  uint64_t usual, slots;
  unsigned other;
} walk;

/* The symbol that ends a run is read where the run does not end with the block. */
static int next (const decoder *d, walk *w, uint64_t left) {
  sd_bitr_refill (&w->bits);
  const sd_coded_run run = d->run->take (w->bits.acc, d->group);
  sd_bitr_skip (&w->bits, run.bits);
  w->left -= run.bits;
  w->usual = w->slots = run.slots;
  if (run.ends && run.slots < left) {
    w->slots++;
    w->other = (unsigned) d->other;
    if (d->other == SD_RUNS_CODED) {
      unsigned used;
      sd_bitr_refill (&w->bits);
      w->other = sd_huffman_find (&d->code, (uint32_t) (w->bits.acc >> 32), 1, &used);
      sd_bitr_skip (&w->bits, used);
      w->left -= used;
    }
  }
  return w->left >= 0 ? SD_OK : SD_EFORMAT;
}

/* The walk at the code that holds slot i; *skip: slots of it before i; *end: the first slot behind the block.
 */
static int find (const decoder *d, uint64_t i, walk *w, uint64_t *skip, uint64_t *end) {
  uint64_t first;
  const uint64_t b = sd_starts_find (&d->blocks.starts, i, &first, end),
                 bytes = sd_coded_blocks_bytes (&d->blocks, b);
  const uint8_t *block = d->blocks.payload + b * d->blocks.block;
  SD_TRY (sd_guard_check (d->base.guard, block, bytes));
  *w = (walk){ .bits = sd_bitr_of (block, bytes), .left = 8 * (int64_t) bytes };
  SD_TRY (next (d, w, *end - first));
  while (i - first >= w->slots) {
    first += w->slots;
    SD_TRY (next (d, w, *end - first));
  }
  *skip = i - first;
  return SD_OK;
}

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  walk w;
  uint64_t skip, end;
  SD_TRY (find (d, i, &w, &skip, &end));
  *out = (sd_symbol) (skip < w.usual ? d->usual : w.other);
  return SD_OK;
}

static int read_piece (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  while (count > 0) {
    walk w;
    uint64_t skip, end;
    SD_TRY (find (d, first, &w, &skip, &end));
    /* Each block by itself: its last code may be followed by bits that are none. */
    for (uint64_t want = end - first < count ? end - first : count; want > 0;) {
      const uint64_t here = w.slots - skip < want ? w.slots - skip : want;
      for (uint64_t k = 0; k < here; k++)
        *out++ = (sd_symbol) (skip + k < w.usual ? d->usual : w.other);
      first += here;
      count -= here;
      want -= here;
      skip = 0;
      if (want > 0)
        SD_TRY (next (d, &w, end - first));
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

const sd_decoder_ops sd_runs_ops = { get, read, close, describe, sizeof (decoder), open, block_of, NULL };
