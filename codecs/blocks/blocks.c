/** \file blocks.c
 * General compressors as codecs, encoding: independent blocks of a fixed number of symbols (Zakharov
 * 2015, 1.2: 2 MiB and 16 KiB of uncompressed data), found by an index of their lengths. Symbols take one
 * byte if m <= 256, else two (little-endian).
 *
 * Stream: varint symbols in a block (the last one may be shorter); what the method itself needs; varint
 * length of the shortest compressed block; u8 bits w; the excess of each block's length over the shortest in
 * w bits, most significant first; the blocks. A block as long as one symbol is that symbol throughout; one as
 * long as its raw bytes is raw; any other is the method's. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define BATCH_BYTES (4u << 20) /* raw bytes encoded before the results are put in order */
#define PARALLEL_BYTES 65536   /* less is not worth the start of threads */

bool sd_blocks_apart (const sd_codec *codec, const sd_settings *set) {
  return codec->blocks && !(codec->blocks->whole && codec->blocks->whole (set));
}

/* A sequence shorter than a block is one block, and no block is empty: a width of two bytes may leave none of
 * the setting. */
void sd_blocks_plan (const sd_codec *codec, const sd_settings *set, uint64_t n, unsigned m,
                     sd_block_plan *out) {
  uint64_t width = m <= 256 ? 1 : 2, block = (uint64_t) sd_settings_int (set, "block") / width;
  block = block > n ? n : block;
  block = block < 1 ? 1 : block;
  *out = (sd_block_plan){ .codec = codec,
                          .set = set,
                          .n = n,
                          .block = block,
                          .blocks = n / block + (n % block != 0),
                          .m = m,
                          .width = (unsigned) width };
}

void sd_block_raw (const sd_symbol *sym, uint64_t first, uint64_t count, unsigned width, uint8_t *raw) {
  sym += first;
  if (width == 1)
    for (uint64_t i = 0; i < count; i++)
      raw[i] = (uint8_t) sym[i];
  else
    for (uint64_t i = 0; i < count; i++) {
      raw[2 * i] = (uint8_t) sym[i];
      raw[2 * i + 1] = (uint8_t) (sym[i] >> 8);
    }
}

/* The method's part of the head, and the shape that follows from it; *own keeps the bytes. */
/* The writer parses what it has just written, as a reader will: both then have the same shape. */
static int prepare (const sd_block_plan *p, const sd_symbol *sym, sd_buf *own, sd_block_shape *shape) {
  const sd_block_method *method = p->codec->blocks;
  *shape = (sd_block_shape){ .set = p->set, .width = p->width, .bytes = p->block * p->width };
  if (!method->prepare)
    return SD_OK;
  SD_TRY (method->prepare (p, sym, own));
  SD_TRY (sd_buf_status (own));
  sd_reader r = sd_reader_of (own->data, own->len);
  return method->parse (&r, shape);
}

static void drop (const sd_block_method *method, sd_block_shape *shape) {
  if (method->drop && shape->shared)
    method->drop (shape->shared);
}

/* ------------------------------------------------------------- single blocks */

struct sd_block_coder {
  const sd_block_method *method;
  unsigned width;
  void *own;            /* the method's coder */
  sd_buf head;          /* of a coder that stands alone: what its shape was read from */
  sd_block_shape shape; /* likewise */
};

/* Whether coder_init () came to its end or not. */
static void coder_end (sd_block_coder *c) {
  if (c->own)
    c->method->end (c->own);
  free (c->own);
}

static int coder_init (sd_block_coder *c, const sd_block_method *method, const sd_block_shape *shape) {
  c->method = method;
  c->width = shape->width;
  c->own = sd_alloc0 (1, method->size);
  return c->own ? method->init (c->own, shape) : SD_ENOMEM;
}

int sd_block_coder_new (const sd_block_plan *p, sd_block_coder **out) {
  sd_block_coder *c = *out = sd_alloc0 (1, sizeof *c);
  if (!c)
    return SD_ENOMEM;
  c->method = p->codec->blocks;

  int st = prepare (p, NULL, &c->head, &c->shape);
  if (!st)
    st = coder_init (c, c->method, &c->shape);
  if (st) {
    sd_block_coder_free (c);
    *out = NULL;
  }
  return st;
}

void sd_block_coder_free (sd_block_coder *c) {
  if (!c)
    return;
  coder_end (c);
  drop (c->method, &c->shape);
  sd_buf_free (&c->head);
  free (c);
}

/* What a library asks for shows only when a coder is made, so one is made and goes again; 0: it cannot be. */
uint64_t sd_blocks_memory (const sd_block_plan *p) {
  sd_block_coder *c;
  if (sd_block_coder_new (p, &c))
    return 0;
  uint64_t bytes = sizeof *c + c->method->size + c->method->memory (c->own);
  sd_block_coder_free (c);
  return bytes;
}

/* out[] has room for the raw bytes; *len tells which of the three kinds the block has become. */
int sd_block_pack (sd_block_coder *c, const uint8_t *raw, uint64_t count, uint8_t *out, size_t *len) {
  size_t bytes = count * c->width;
  if (memcmp (raw, raw + c->width, bytes - c->width) == 0) /* each symbol equals the one behind it */
    *len = c->width;
  else {
    /* Packed it must be longer than one symbol and shorter than the raw bytes: a reader tells the three by
     * length. */
    const size_t most = c->method->most_packed, cap = most && most < bytes ? most : bytes - 1;
    SD_TRY (c->method->pack (c->own, raw, bytes, out, cap, len));
    if (*len > c->width)
      return SD_OK;
    *len = bytes; /* does not fit, or would look like one symbol */
  }
  memcpy (out, raw, *len);
  return SD_OK;
}

int sd_block_compare (sd_block_coder *c, const uint8_t *src, size_t len, const uint8_t *raw, uint64_t count) {
  size_t bytes = count * c->width;
  if (len == c->width || len == bytes)
    return memcmp (raw, src, len) || memcmp (raw, raw + c->width, len < bytes ? bytes - c->width : 0)
               ? SD_EDIFF
               : SD_OK;
  SD_TRY (c->method->start (c->own, src, len, bytes));
  /* In windows, as a reader takes it: no block is unpacked as a whole. */
  uint8_t window[8192];
  for (size_t at = 0; at < bytes;) {
    size_t n = bytes - at < sizeof window ? bytes - at : sizeof window;
    SD_TRY (c->method->next (c->own, window, n));
    if (memcmp (raw + at, window, n))
      return SD_EDIFF;
    at += n;
  }
  return SD_OK;
}

int sd_block_whole_next (sd_block_whole *w, uint8_t *dst, size_t n) {
  if (n > w->len - w->at)
    return SD_EFORMAT;
  memcpy (dst, w->raw + w->at, n);
  w->at += n;
  return SD_OK;
}

/* ---------------------------------------------------------- the whole stream */

static void put_head (const sd_block_plan *p, const sd_buf *own, const uint32_t *length, sd_buf *out) {
  uint32_t shortest = UINT32_MAX, longest = 0;
  for (uint64_t b = 0; b < p->blocks; b++) {
    shortest = length[b] < shortest ? length[b] : shortest;
    longest = length[b] > longest ? length[b] : longest;
  }
  /* Lengths are told from the shortest on, with as many bits as the longest needs. */
  unsigned bits = sd_bits_for ((uint64_t) longest - shortest + 1);
  sd_buf_varint (out, p->block);
  sd_buf_append (out, own->data, own->len);
  sd_buf_varint (out, shortest);
  sd_buf_u8 (out, bits);
  sd_bitw w = { .out = out };
  for (uint64_t b = 0; b < p->blocks; b++)
    sd_bitw_put (&w, length[b] - shortest, bits);
  sd_bitw_flush (&w);
}

int sd_codec_put_head (const sd_block_plan *p, const uint32_t *length, sd_buf *out) {
  SD_RELEASED_BY (sd_buf_free) sd_buf own = { 0 };
  if (p->codec->blocks->prepare)
    SD_TRY (p->codec->blocks->prepare (p, NULL, &own));
  SD_TRY (sd_buf_status (&own));
  sd_buf_u8 (out, SD_STREAM_CODEC);
  put_head (p, &own, length, out);
  return sd_buf_status (out);
}

/* What the threads share. */
typedef struct packer {
  sd_block_plan plan;
  sd_block_shape shape;
  const sd_symbol *sym;
  uint32_t *length; /* [blocks] */
  uint8_t *packed;  /* block b of a batch at (b - first of the batch) * block * width */
} packer;

static int pack_symbols (const packer *p, uint64_t b, uint8_t *raw, uint8_t *out, sd_block_coder *c) {
  uint64_t count = sd_block_count (&p->plan, b);
  size_t len;
  sd_block_raw (p->sym, b * p->plan.block, count, p->plan.width, raw);
  SD_TRY (sd_block_pack (c, raw, count, out, &len));
  p->length[b] = (uint32_t) len;
  return SD_OK;
}

/* Which thread packs which block changes nothing: blocks are independent, and each has its own place. */
static int pack_batch (const packer *p, uint64_t first, uint64_t last) {
  int status = SD_OK;
  size_t block_bytes = p->plan.block * p->plan.width;

#pragma omp parallel if (last - first > 1 && (last - first) * block_bytes > PARALLEL_BYTES)
  {
    /* A coder a thread: libraries keep their state in it. */
    sd_block_coder c = { 0 };
    uint8_t *raw = sd_alloc (block_bytes, 1);
    int st = coder_init (&c, p->plan.codec->blocks, &p->shape);
    if (!raw)
      st = SD_ENOMEM;
#pragma omp for schedule(dynamic)
    for (uint64_t b = first; b < last; b++)
      if (!st)
        st = pack_symbols (p, b, raw, p->packed + (b - first) * block_bytes, &c);
    if (st) {
#pragma omp atomic write
      status = st;
    }
    coder_end (&c);
    free (raw);
  }
  return status;
}

static unsigned thread_count (void) {
#ifdef _OPENMP
  return (unsigned) omp_get_max_threads ();
#else
  return 1;
#endif
}

int sd_blocks_encode (const sd_encoding *e, sd_buf *out, sd_error *err) {
  const sd_seq *src = e->src;
  packer p = { .sym = src->sym };

  SD_RELEASED_BY (sd_buf_free) sd_buf own = { 0 }, payload = { 0 };
  sd_blocks_plan (e->codec, e->set, src->n, sd_alphabet_main (src->alphabet), &p.plan);
  const uint64_t blocks = p.plan.blocks, block_bytes = p.plan.block * p.plan.width;

  /* Batches bound the memory of what is packed, and leave each thread at least a block. */
  uint64_t batch = BATCH_BYTES / block_bytes;
  batch = batch < thread_count () ? thread_count () : batch;
  batch = batch > blocks ? blocks : batch;

  p.length = sd_alloc (blocks, sizeof *p.length);
  p.packed = sd_alloc (batch, block_bytes);
  int st = p.length && p.packed ? prepare (&p.plan, p.sym, &own, &p.shape) : SD_ENOMEM;
  for (uint64_t first = 0, last; !st && first < blocks; first = last) {
    last = blocks - first < batch ? blocks : first + batch;
    st = sd_stopped (e->progress);
    if (!st)
      st = pack_batch (&p, first, last);
    /* In order, whichever thread was first. */
    for (uint64_t b = first; !st && b < last; b++)
      sd_buf_append (&payload, p.packed + (b - first) * block_bytes, p.length[b]);
    sd_report (e->progress, e->codec->name, last, blocks);
  }
  if (!st) {
    put_head (&p.plan, &own, p.length, out);
    sd_buf_append (out, payload.data, payload.len);
    st = sd_buf_status (out) || sd_buf_status (&payload) ? SD_ENOMEM : SD_OK;
  }

  drop (e->codec->blocks, &p.shape);
  free (p.length);
  free (p.packed);
  if (st == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  if (st == SD_ESTOPPED)
    return st;
  return st ? sd_fail (err, st, "%s: its library refused the settings", e->codec->name) : SD_OK;
}
