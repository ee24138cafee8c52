/** \file lzma.c
 * LZMA in independent blocks, the baseline of S0 Sec. 1.2 (2 MB and 16 kB blocks of uncompressed data).
 * Symbols take one byte if m <= 256, else two (little-endian). To read one symbol its block is decoded up to
 * there.
 *
 * Stream: varint symbols in a block (the last one may be shorter); u8 (pb * 5 + lp) * 9 + lc; varint length
 * of the shortest compressed block; u8 bits w; the excess of each block's length over the shortest in w bits,
 * most significant first; the blocks. A block as long as one symbol is that symbol throughout; one as long as
 * its raw bytes is raw; any other is LZMA (lzma_block.c). When a stream is opened the position of every 64th
 * block is noted, so the index costs w bits a block in the file and 1 bit in memory, and finding a block is
 * at most 63 additions.
 *
 * `initial` is `frequent` by default. One would expect `left`, which prolongs the runs that LZMA codes for
 * almost nothing, but a free region that looks the same wherever it occurs makes better matches. Measured, 16
 * kB blocks, White to move: KRvKP (first 2 million slots) WDL 28,235 against 32,253 bytes, moves 301,267
 * against 307,138; KPvK WDL 3,217 against 3,129, moves 9,587 against 9,889. More
 * context from the symbol before (lc, with the symbols shifted to the top of their byte) changed sizes by
 * -0.2 to +8 %, so symbols keep the low bits. */
#include "config.h"
#include "codecs/codec.h"
#include "codecs/lzma_internal.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define MAX_BLOCK (64l << 20)
#define SAMPLE 64              /* blocks between noted positions */
#define BATCH_BYTES (4u << 20) /* raw bytes encoded before the results are put in order */
#define PARALLEL_BYTES 65536   /* less is not worth the start of threads */

typedef struct lzma_reader {
  sd_decoder base;
  uint64_t n, blocks, block; /* symbols, blocks, symbols in a block */
  unsigned m, width, bits;   /* main symbols, bytes of one, bits of an entry of the index */
  unsigned lc, lp, pb;
  uint64_t shortest;
  const uint8_t *index, *payload;
  size_t header_bytes, index_bytes, payload_bytes;
  uint64_t *sample; /* [blocks / SAMPLE + 1] offset of every SAMPLE-th block */
} lzma_reader;

static const sd_tunable tunables[] = {
  { "initial", "initial replacement, a chain such as alg2+full", "frequent", 1, 0, NULL },
  { "block", "bytes of uncompressed data in a block", "16384", 1, MAX_BLOCK, NULL },
  { "preset", "liblzma's preset: 0 fast, 9 small", "6", 0, 9, NULL },
  { 0 },
};

/* ---------------------------------------------------------------- encoding */

static unsigned context_lc (unsigned width) {
  return width == 1 ? 3 : 2;
}
static unsigned context_lp (unsigned width) { /* two kinds of bytes take turns */
  return width - 1;
}

static void plan (const sd_settings *set, uint64_t n, unsigned m, sd_block_plan *out) {
  uint64_t width = m <= 256 ? 1 : 2, block = (uint64_t) sd_settings_int (set, "block") / width;
  block = block > n ? n : block;
  block = block < 1 ? 1 : block;
  *out = (sd_block_plan){ .set = set,
                          .n = n,
                          .block = block,
                          .blocks = n / block + (n % block != 0),
                          .m = m,
                          .width = (unsigned) width };
}

struct sd_block_coder {
  sd_lzma z;
  unsigned width;
};

static int coder_init (sd_block_coder *c, const sd_block_plan *p) {
  c->width = p->width;
  return sd_lzma_init (&c->z, (unsigned) sd_settings_int (p->set, "preset"), context_lc (p->width),
                       context_lp (p->width), p->width - 1, (uint32_t) (p->block * p->width));
}

static int coder_new (const sd_block_plan *p, sd_block_coder **out) {
  *out = sd_alloc (1, sizeof **out);
  if (!*out)
    return SD_ENOMEM;
  int st = coder_init (*out, p);
  if (st) {
    free (*out);
    *out = NULL;
  }
  return st;
}

static void coder_free (sd_block_coder *c) {
  if (!c)
    return;
  sd_lzma_end (&c->z);
  free (c);
}

static uint64_t coder_memory (const sd_block_plan *p) {
  sd_block_coder c;
  if (coder_init (&c, p))
    return 0;
  uint64_t bytes = sizeof c + sd_lzma_memory (&c.z);
  sd_lzma_end (&c.z);
  return bytes;
}

static int pack (sd_block_coder *c, const uint8_t *raw, uint64_t count, uint8_t *out, size_t *len) {
  size_t bytes = count * c->width;
  if (memcmp (raw, raw + c->width, bytes - c->width) == 0) /* each symbol equals the one behind it */
    *len = c->width;
  else {
    SD_TRY (sd_lzma_pack (&c->z, raw, bytes, out, bytes - 1, len));
    if (*len > c->width)
      return SD_OK;
    *len = bytes; /* does not fit, or would look like one symbol */
  }
  memcpy (out, raw, *len);
  return SD_OK;
}

static int compare (sd_block_coder *c, const uint8_t *src, size_t len, const uint8_t *raw, uint64_t count) {
  size_t bytes = count * c->width;
  if (len == c->width || len == bytes)
    return memcmp (raw, src, len) || memcmp (raw, raw + c->width, len < bytes ? bytes - c->width : 0)
               ? SD_EDIFF
               : SD_OK;
  SD_TRY (sd_lzma_unpack_start (&c->z, src, len));
  uint8_t window[8192];
  for (size_t at = 0; at < bytes;) {
    size_t n = bytes - at < sizeof window ? bytes - at : sizeof window;
    SD_TRY (sd_lzma_unpack (&c->z, window, n));
    if (memcmp (raw + at, window, n))
      return SD_EDIFF;
    at += n;
  }
  return SD_OK;
}

static void head (const sd_block_plan *p, const uint32_t *length, sd_buf *out) {
  uint32_t shortest = UINT32_MAX, longest = 0;
  for (uint64_t b = 0; b < p->blocks; b++) {
    shortest = length[b] < shortest ? length[b] : shortest;
    longest = length[b] > longest ? length[b] : longest;
  }
  unsigned bits = sd_bits_for ((uint64_t) longest - shortest + 1);
  sd_buf_varint (out, p->block);
  sd_buf_u8 (out, ((p->width - 1) * 5 + context_lp (p->width)) * 9 + context_lc (p->width));
  sd_buf_varint (out, shortest);
  sd_buf_u8 (out, bits);
  sd_bitw w = { .out = out };
  for (uint64_t b = 0; b < p->blocks; b++)
    sd_bitw_put (&w, length[b] - shortest, bits);
  sd_bitw_flush (&w);
}

static const sd_codec_blocks block_by_block = { .plan = plan,
                                                .memory = coder_memory,
                                                .coder_new = coder_new,
                                                .pack = pack,
                                                .compare = compare,
                                                .coder_free = coder_free,
                                                .head = head };

/* What the threads share. */
typedef struct packer {
  sd_block_plan plan;
  const sd_symbol *sym;
  uint32_t *length; /* [blocks] */
  uint8_t *packed;  /* block b of a batch at (b - first of the batch) * block * width */
} packer;

static int pack_symbols (const packer *p, uint64_t b, uint8_t *raw, uint8_t *out, sd_block_coder *c) {
  const sd_symbol *sym = p->sym + b * p->plan.block;
  uint64_t count = sd_block_count (&p->plan, b);
  size_t len;
  if (p->plan.width == 1)
    for (uint64_t i = 0; i < count; i++)
      raw[i] = (uint8_t) sym[i];
  else
    for (uint64_t i = 0; i < count; i++) {
      raw[2 * i] = (uint8_t) sym[i];
      raw[2 * i + 1] = (uint8_t) (sym[i] >> 8);
    }
  SD_TRY (pack (c, raw, count, out, &len));
  p->length[b] = (uint32_t) len;
  return SD_OK;
}

static int pack_batch (const packer *p, uint64_t first, uint64_t last) {
  int status = SD_OK;
  size_t block_bytes = p->plan.block * p->plan.width;
#pragma omp parallel if (last - first > 1 && (last - first) * block_bytes > PARALLEL_BYTES)
  {
    sd_block_coder c;
    uint8_t *raw = sd_alloc (block_bytes, 1);
    int st = coder_init (&c, &p->plan);
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
    sd_lzma_end (&c.z);
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

static int encode (sd_seq *src, const sd_settings *set, const sd_progress *progress, sd_buf *out,
                   sd_error *err) {
  packer p = { .sym = src->sym };
  plan (set, src->n, sd_alphabet_main (src->alphabet), &p.plan);
  const uint64_t blocks = p.plan.blocks, block_bytes = p.plan.block * p.plan.width;
  uint64_t batch = BATCH_BYTES / block_bytes;
  batch = batch < thread_count () ? thread_count () : batch;
  batch = batch > blocks ? blocks : batch;
  p.length = sd_alloc (blocks, sizeof *p.length);
  p.packed = sd_alloc (batch, block_bytes);
  sd_buf payload = { 0 };
  int st = p.length && p.packed ? SD_OK : SD_ENOMEM;
  for (uint64_t first = 0, last; !st && first < blocks; first = last) {
    last = blocks - first < batch ? blocks : first + batch;
    st = pack_batch (&p, first, last);
    for (uint64_t b = first; !st && b < last; b++)
      sd_buf_append (&payload, p.packed + (b - first) * block_bytes, p.length[b]);
    sd_report (progress, "lzma", last, blocks);
  }
  if (!st) {
    head (&p.plan, p.length, out);
    sd_buf_append (out, payload.data, payload.len);
    st = sd_buf_status (out) || sd_buf_status (&payload) ? SD_ENOMEM : SD_OK;
  }
  sd_buf_free (&payload);
  free (p.length);
  free (p.packed);
  if (st == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  return st ? sd_fail (err, st, "lzma: liblzma refused the settings") : SD_OK;
}

/* ---------------------------------------------------------------- decoding */

static uint64_t block_symbols (const lzma_reader *d, uint64_t b) {
  uint64_t rest = d->n - b * d->block;
  return rest < d->block ? rest : d->block;
}

static sd_bitr index_at (const lzma_reader *d, uint64_t b) {
  uint64_t at = b * d->bits;
  sd_bitr r = sd_bitr_of (d->index + at / 8, d->index_bytes - at / 8);
  sd_bitr_get (&r, at % 8);
  return r;
}

/* Check every length and note the samples. */
static int open_index (lzma_reader *d, sd_error *err) {
  d->sample = sd_alloc (d->blocks / SAMPLE + 1, sizeof *d->sample);
  if (!d->sample)
    return sd_fail_memory (err, d->blocks / SAMPLE * sizeof *d->sample);
  sd_bitr r = index_at (d, 0);
  uint64_t offset = 0;
  for (uint64_t b = 0; b < d->blocks; b++) {
    if (b % SAMPLE == 0)
      d->sample[b / SAMPLE] = offset;
    uint64_t len = d->shortest + sd_bitr_get (&r, d->bits);
    if (len < d->width || len > block_symbols (d, b) * d->width || len > d->payload_bytes - offset)
      return sd_fail (err, SD_EFORMAT, "lzma: block %llu of %llu: its length %llu is impossible",
                      (unsigned long long) b, (unsigned long long) d->blocks, (unsigned long long) len);
    offset += len;
  }
  if (offset != d->payload_bytes)
    return sd_fail (err, SD_EFORMAT, "lzma: the blocks take %llu bytes, but there are %llu",
                    (unsigned long long) offset, (unsigned long long) d->payload_bytes);
  return SD_OK;
}

static void close_ (sd_decoder *decoder) {
  free (((lzma_reader *) decoder)->sample);
  free (decoder);
}

static int open_ (const uint8_t *data, size_t len, uint64_t n, unsigned m, sd_decoder **out, sd_error *err) {
  sd_reader r = sd_reader_of (data, len);
  lzma_reader h = { .n = n, .m = m, .width = m <= 256 ? 1 : 2 };
  h.block = sd_get_varint (&r);
  unsigned props = sd_get_u8 (&r);
  h.shortest = sd_get_varint (&r);
  h.bits = sd_get_u8 (&r);
  h.lc = props % 9;
  h.lp = props / 9 % 5;
  h.pb = props / 45;
  if (r.bad || n == 0 || h.block < 1 || h.block > (uint64_t) MAX_BLOCK / h.width
      || h.lc + h.lp > LZMA_LCLP_MAX || h.pb > LZMA_PB_MAX || h.bits > 27 || h.shortest > (uint64_t) MAX_BLOCK
      || h.shortest < h.width)
    return sd_fail (err, SD_EFORMAT, "lzma: stream of %zu bytes: damaged header", len);
  h.blocks = n / h.block + (n % h.block != 0);
  size_t rest = (size_t) (r.end - r.p);
  if (h.blocks
      > rest / h.shortest) /* every block takes so much; bounds the index and what is allocated, too */
    return sd_fail (err, SD_EFORMAT, "lzma: %llu blocks do not fit into %zu bytes",
                    (unsigned long long) h.blocks, len);
  h.header_bytes = len - rest;
  h.index_bytes = (h.blocks * h.bits + 7) / 8;
  h.index = sd_get_bytes (&r, h.index_bytes);
  h.payload = r.p;
  h.payload_bytes = (size_t) (r.end - r.p);
  if (r.bad)
    return sd_fail (err, SD_EFORMAT, "lzma: stream of %zu bytes: the index is cut off", len);
  lzma_reader *d = sd_alloc (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  *d = h;
  int st = open_index (d, err);
  if (st)
    close_ (&d->base);
  else
    *out = &d->base;
  return st;
}

/* Bytes to symbols; false if one is not below m. */
static bool to_symbols (const lzma_reader *d, const uint8_t *raw, uint64_t count, sd_symbol *out) {
  unsigned top = 0;
  for (uint64_t i = 0; i < count; i++) {
    out[i] = d->width == 1 ? raw[i] : (sd_symbol) (raw[2 * i] | raw[2 * i + 1] << 8);
    top = out[i] > top ? out[i] : top;
  }
  return top < d->m;
}

/* Symbols skip..skip+count-1 of block b. */
static int read_block (const lzma_reader *d, sd_lzma *z, uint64_t b, uint64_t skip, uint64_t count,
                       sd_symbol *out) {
  uint64_t offset = d->sample[b / SAMPLE];
  sd_bitr r = index_at (d, b / SAMPLE * SAMPLE);
  for (uint64_t k = b / SAMPLE * SAMPLE; k < b; k++)
    offset += d->shortest + sd_bitr_get (&r, d->bits);
  uint64_t len = d->shortest + sd_bitr_get (&r, d->bits);
  const uint8_t *src = d->payload + offset;
  if (len == d->width) {
    if (!to_symbols (d, src, 1, out))
      return SD_EFORMAT;
    for (uint64_t i = 1; i < count; i++)
      out[i] = out[0];
    return SD_OK;
  }
  if (len == block_symbols (d, b) * d->width)
    return to_symbols (d, src + skip * d->width, count, out) ? SD_OK : SD_EFORMAT;
  SD_TRY (sd_lzma_unpack_start (z, src, len));
  uint8_t raw[8192]; /* liblzma keeps the history itself, so a small window of its output is enough */
  uint64_t window = sizeof raw / d->width;
  for (uint64_t at = 0; at < skip + count;) {
    uint64_t until = skip + count - at < window ? skip + count - at : window,
             from = at < skip ? skip - at : 0;
    SD_TRY (sd_lzma_unpack (z, raw, until * d->width));
    if (from < until && !to_symbols (d, raw + from * d->width, until - from, out + (at + from - skip)))
      return SD_EFORMAT;
    at += until;
  }
  return SD_OK;
}

static int coder_for (const lzma_reader *d, sd_lzma *z) {
  uint64_t largest = d->n < d->block ? d->n : d->block;
  return sd_lzma_init (z, 6, d->lc, d->lp, d->pb, (uint32_t) (largest * d->width));
}

static int get (const sd_decoder *decoder, uint64_t i, sd_symbol *out) {
  const lzma_reader *d = (const lzma_reader *) decoder;
  sd_lzma z;
  SD_TRY (coder_for (d, &z));
  int st = read_block (d, &z, i / d->block, i % d->block, 1, out);
  sd_lzma_end (&z);
  return st;
}

static int read_ (const sd_decoder *decoder, uint64_t first, uint64_t count, sd_symbol *out) {
  const lzma_reader *d = (const lzma_reader *) decoder;
  uint64_t first_block = first / d->block, last_block = (first + count - 1) / d->block;
  int status = SD_OK;
#pragma omp parallel if (last_block > first_block && count * d->width > PARALLEL_BYTES)
  {
    sd_lzma z;
    int st = coder_for (d, &z);
#pragma omp for schedule(dynamic)
    for (uint64_t b = first_block; b <= last_block; b++) {
      uint64_t start = b * d->block, skip = b == first_block ? first - start : 0;
      uint64_t end = b == last_block ? first + count : start + d->block;
      if (!st)
        st = read_block (d, &z, b, skip, end - start - skip, out + (start + skip - first));
    }
    if (st) {
#pragma omp atomic write
      status = st;
    }
    sd_lzma_end (&z);
  }
  return status;
}

static void describe (const sd_decoder *decoder, sd_codec_parts *parts) {
  const lzma_reader *d = (const lzma_reader *) decoder;
  parts->header = d->header_bytes;
  parts->index = d->index_bytes;
  parts->payload = d->payload_bytes;
  parts->blocks = d->blocks;
}

const sd_codec sd_codec_lzma = {
  .name = "lzma",
  .summary =
      "independent blocks of LZMA; reading a symbol decodes its block up to there and allocates memory",
  .id = 1,
  .tunables = tunables,
  .encode = encode,
  .open = open_,
  .get = get,
  .read = read_,
  .close = close_,
  .describe = describe,
  .blocks = &block_by_block,
};
