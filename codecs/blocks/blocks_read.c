/** \file blocks_read.c
 * General compressors as codecs, decoding (layout: blocks.c). To read one symbol its block is decoded up to
 * there, or as a whole where the method knows no other way.
 *
 * When a stream is opened the position of every 64th block is noted, so the index costs w bits a block in the
 * file and 1 bit in memory, and finding a block is at most 63 additions. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE 64            /* blocks between noted positions */
#define PARALLEL_BYTES 65536 /* less is not worth the start of threads */

typedef struct reader {
  sd_decoder base;
  const sd_block_method *method;
  sd_block_shape shape;
  uint64_t blocks, block; /* how many; symbols in one */
  unsigned width, bits;   /* bytes of a symbol, bits of an entry of the index */
  uint64_t shortest;
  const uint8_t *index, *payload;
  size_t header_bytes, model_bytes /* a dictionary */, index_bytes, payload_bytes;
  uint64_t *sample; /* [blocks / SAMPLE + 1] offset of every SAMPLE-th block */
} reader;

static uint64_t block_symbols (const reader *d, uint64_t b) {
  uint64_t rest = d->base.n - b * d->block;
  return rest < d->block ? rest : d->block;
}

/* The index, to be read from the entry of block b on. */
static sd_bitr index_at (const reader *d, uint64_t b) {
  uint64_t at = b * d->bits;
  sd_bitr r = sd_bitr_of (d->index + at / 8, d->index_bytes - at / 8);
  sd_bitr_get (&r, at % 8);
  return r;
}

/* Can a block of so many bytes be packed to `len`, or be constant, or raw? */
static bool possible (const reader *d, uint64_t len, uint64_t bytes) {
  const size_t most = d->method->most_packed;
  return len >= d->width && len <= bytes && (!most || len <= most || len == bytes);
}

/* Check every length and note the samples. No lookup leaves the payload afterwards. */
static int open_index (reader *d, const char *name, sd_error *err) {
  d->sample = sd_alloc (d->blocks / SAMPLE + 1, sizeof *d->sample);
  if (!d->sample)
    return sd_fail_memory (err, d->blocks / SAMPLE * sizeof *d->sample);

  sd_bitr r = index_at (d, 0);
  uint64_t offset = 0;
  for (uint64_t b = 0; b < d->blocks; b++) {
    if (b % SAMPLE == 0)
      d->sample[b / SAMPLE] = offset;
    uint64_t len = d->shortest + sd_bitr_get (&r, d->bits);
    /* Compared with what is left, so that the sum cannot wrap around. */
    if (!possible (d, len, block_symbols (d, b) * d->width) || len > d->payload_bytes - offset)
      return sd_fail (err, SD_EFORMAT, "%s: block %llu of %llu: its length %llu is impossible", name,
                      (unsigned long long) b, (unsigned long long) d->blocks, (unsigned long long) len);
    offset += len;
  }
  if (offset != d->payload_bytes)
    return sd_fail (err, SD_EFORMAT, "%s: the blocks take %llu bytes, but there are %llu", name,
                    (unsigned long long) offset, (unsigned long long) d->payload_bytes);
  return SD_OK;
}

static void close (sd_decoder *decoder) {
  reader *d = (reader *) decoder;
  if (d->method->drop && d->shape.shared)
    d->method->drop (d->shape.shared);
  free (d->sample);
  free (d);
}

/* Everything before the index. */
static int open_head (reader *d, sd_reader *r, size_t len, const sd_codec *codec, sd_error *err) {
  long max = 0;
  for (const sd_tunable *t = codec->tunables; t->key; t++)
    max = strcmp (t->key, "block") == 0 ? t->max : max;
  d->block = sd_get_varint (r);
  if (r->bad || d->base.n == 0 || d->block < 1)
    return sd_fail (err, SD_EFORMAT, "%s: stream of %zu bytes: damaged header", codec->name, len);
  /* A lookup unpacks a block: one larger than the setting allows would cost more than any table. */
  if (d->block > (uint64_t) max / d->width)
    return sd_fail (err, SD_EFORMAT, "%s: blocks of %llu symbols, at most %ld bytes are read", codec->name,
                    (unsigned long long) d->block, max);
  /* A sequence may be shorter than a block, and needs no more memory than that. */
  uint64_t largest = d->base.n < d->block ? d->base.n : d->block;
  d->shape = (sd_block_shape){ .width = d->width, .bytes = largest * d->width };

  const uint8_t *own = r->p;
  int st = d->method->parse ? d->method->parse (r, &d->shape) : SD_OK;
  d->model_bytes = d->shape.shared ? (size_t) (r->p - own) : 0;
  if (st == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  d->shortest = sd_get_varint (r);
  d->bits = sd_get_u8 (r);
  if (st || r->bad || d->bits > 27 || d->shortest > (uint64_t) max || d->shortest < d->width)
    return sd_fail (err, SD_EFORMAT, "%s: stream of %zu bytes: damaged header", codec->name, len);

  d->blocks = d->base.n / d->block + (d->base.n % d->block != 0);
  size_t rest = (size_t) (r->end - r->p);
  if (d->blocks
      > rest / d->shortest) /* every block takes so much; bounds the index and what is allocated, too */
    return sd_fail (err, SD_EFORMAT, "%s: %llu blocks do not fit into %zu bytes", codec->name,
                    (unsigned long long) d->blocks, len);
  d->header_bytes = len - rest - d->model_bytes;

  d->index_bytes = (d->blocks * d->bits + 7) / 8;
  d->index = sd_get_bytes (r, d->index_bytes);
  d->payload = r->p;
  d->payload_bytes = (size_t) (r->end - r->p);
  if (r->bad)
    return sd_fail (err, SD_EFORMAT, "%s: stream of %zu bytes: the index is cut off", codec->name, len);
  return SD_OK;
}

/* The settings by which a stream was written are not in it: what unpacking needs follows from the head. */
static int open (const sd_stream *s, sd_decoder *decoder, sd_error *err) {
  reader *d = (reader *) decoder;
  sd_reader r = sd_reader_of (s->data, s->len);
  d->method = s->codec->blocks;
  d->width = s->m <= 256 ? 1 : 2;
  SD_TRY (open_head (d, &r, s->len, s->codec, err));
  return open_index (d, s->codec->name, err);
}

/* Bytes to symbols; false if one is not below m. */
static bool to_symbols (const reader *d, const uint8_t *raw, uint64_t count, sd_symbol *out) {
  unsigned top = 0;
  for (uint64_t i = 0; i < count; i++) {
    out[i] = d->width == 1 ? raw[i] : (sd_symbol) (raw[2 * i] | raw[2 * i + 1] << 8);
    top = out[i] > top ? out[i] : top;
  }
  return top < d->base.m;
}

/* One for each thread. */
static int coder_new (const reader *d, void **out) {
  *out = sd_alloc0 (1, d->method->size);
  return *out ? d->method->init (*out, &d->shape) : SD_ENOMEM;
}

static void coder_free (const reader *d, void *coder) {
  if (coder)
    d->method->end (coder);
  free (coder);
}

/* Symbols skip..skip+count-1 of block b. */
static int read_block (const reader *d, void *coder, uint64_t b, uint64_t skip, uint64_t count,
                       sd_symbol *out) {
  uint64_t offset = d->sample[b / SAMPLE];
  sd_bitr r = index_at (d, b / SAMPLE * SAMPLE);

  /* From the sample before it over the lengths of the blocks between. */
  for (uint64_t k = b / SAMPLE * SAMPLE; k < b; k++)
    offset += d->shortest + sd_bitr_get (&r, d->bits);

  uint64_t len = d->shortest + sd_bitr_get (&r, d->bits), bytes = block_symbols (d, b) * d->width;
  const uint8_t *src = d->payload + offset;
  SD_TRY (sd_guard_check (d->base.guard, src, len));
  /* One symbol for the whole block. */
  if (len == d->width) {
    if (!to_symbols (d, src, 1, out))
      return SD_EFORMAT;
    for (uint64_t i = 1; i < count; i++)
      out[i] = out[0];
    return SD_OK;
  }
  /* Raw bytes: only those that are asked for are looked at. */
  if (len == bytes)
    return to_symbols (d, src + skip * d->width, count, out) ? SD_OK : SD_EFORMAT;

  SD_TRY (d->method->start (coder, src, len, bytes));
  uint8_t
      raw[8192]; /* the libraries keep the history themselves, so a small window of the output is enough */
  uint64_t window = sizeof raw / d->width;
  for (uint64_t at = 0; at < skip + count;) {
    /* What stands before the first slot is unpacked and forgotten. */
    uint64_t until = skip + count - at < window ? skip + count - at : window,
             from = at < skip ? skip - at : 0;
    SD_TRY (d->method->next (coder, raw, until * d->width));
    if (from < until && !to_symbols (d, raw + from * d->width, until - from, out + (at + from - skip)))
      return SD_EFORMAT;
    at += until;
  }
  return SD_OK;
}

static int get (const sd_decoder *decoder, uint64_t i, sd_symbol *out) {
  const reader *d = (const reader *) decoder;
  void *coder;
  /* Libraries ask for memory: the price of a lookup in such a stream. */
  int st = coder_new (d, &coder);
  if (!st)
    st = read_block (d, coder, i / d->block, i % d->block, 1, out);
  coder_free (d, coder);
  return st;
}

static int read (const sd_decoder *decoder, uint64_t first, uint64_t count, sd_symbol *out) {
  const reader *d = (const reader *) decoder;
  uint64_t first_block = first / d->block, last_block = (first + count - 1) / d->block;
  int status = SD_OK;

#pragma omp parallel if (last_block > first_block && count * d->width > PARALLEL_BYTES)
  {
    void *coder;
    int st = coder_new (d, &coder);
#pragma omp for schedule(dynamic)
    for (uint64_t b = first_block; b <= last_block; b++) {
      /* The first and the last block may be wanted in part. */
      uint64_t start = b * d->block, skip = b == first_block ? first - start : 0;
      uint64_t end = b == last_block ? first + count : start + d->block;
      if (!st)
        st = read_block (d, coder, b, skip, end - start - skip, out + (start + skip - first));
    }
    if (st) {
#pragma omp atomic write
      status = st;
    }
    coder_free (d, coder);
  }
  return status;
}

static void describe (const sd_decoder *decoder, sd_codec_parts *parts) {
  const reader *d = (const reader *) decoder;
  parts->header = d->header_bytes;
  parts->model = d->model_bytes;
  parts->index = d->index_bytes;
  parts->payload = d->payload_bytes;
  parts->blocks = d->blocks;
}

static bool block_of (const sd_decoder *decoder, uint64_t i, sd_codec_block *out) {
  const reader *d = (const reader *) decoder;
  const uint64_t b = i / d->block;
  sd_bitr r = index_at (d, b);
  *out = (sd_codec_block){ b, b * d->block, block_symbols (d, b), d->shortest + sd_bitr_get (&r, d->bits) };
  return true;
}

const sd_decoder_ops sd_blocks_ops = { get, read, close, describe, sizeof (reader), open, block_of, NULL };

uint64_t sd_blocks_slots (const sd_decoder *decoder) {
  return ((const reader *) decoder)->block;
}
