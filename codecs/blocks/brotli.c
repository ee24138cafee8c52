/** \file brotli.c
 * Brotli (RFC 7932) in independent blocks: each block is a stream of its own, with the smallest window that
 * holds it. Its built-in dictionary of words is of no use to tables, and costs nothing. The library cannot
 * set a decoder back, so that each block that is unpacked gets a new one. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <brotli/decode.h>
#include <brotli/encode.h>

static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (SD_BLOCK_MAX),
  { "quality", "0 fast, 11 small", "11", BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY, NULL },
  { 0 },
};

typedef struct coder {
  int quality, window;
  BrotliDecoderState *in;
  const uint8_t *src;
  size_t left;
} coder;

static int init (void *own, const sd_block_shape *shape) {
  coder *c = own;
  c->quality = shape->set ? (int) sd_settings_int (shape->set, "quality") : 0;
  /* The format keeps 16 bytes of a window for itself. */
  c->window = (int) sd_bits_for ((uint64_t) shape->bytes + 16);
  c->window = c->window < BROTLI_MIN_WINDOW_BITS ? BROTLI_MIN_WINDOW_BITS : c->window;
  return SD_OK;
}

static void end (void *own) {
  coder *c = own;
  if (c->in)
    BrotliDecoderDestroyInstance (c->in);
}

/* Estimated for quality 11: some 20 bytes for each of the window, and the fixed tables. */
static uint64_t memory (const void *own) {
  const coder *c = own;
  return (UINT64_C (20) << c->window) + (8u << 20);
}

static int pack (void *own, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  const coder *c = own;
  *len = cap;
  if (!BrotliEncoderCompress (c->quality, c->window, BROTLI_MODE_GENERIC, n, src, len, dst))
    *len = 0; /* too long, or no memory: then the block stays raw */
  return SD_OK;
}

static int start (void *own, const uint8_t *src, size_t len, size_t n) {
  coder *c = own;
  (void) n;
  end (c);
  c->in = BrotliDecoderCreateInstance (NULL, NULL, NULL);
  c->src = src;
  c->left = len;
  return c->in ? SD_OK : SD_ENOMEM;
}

static int next (void *own, uint8_t *dst, size_t n) {
  coder *c = own;
  /* Whatever it says: the bytes are there or not. */
  BrotliDecoderDecompressStream (c->in, &c->left, &c->src, &n, &dst, NULL);
  return n == 0 ? SD_OK : SD_EFORMAT;
}

static const sd_block_method method = { SD_BLOCK_CODER };

static void runtime (char *out, size_t cap) {
  const uint32_t v = BrotliDecoderVersion ();
  snprintf (out, cap, "libbrotli %u.%u.%u", v >> 24, v >> 12 & 0xfff, v & 0xfff);
}

const sd_codec sd_codec_brotli = {
  SD_IDENTITY (brotli),
  .summary = "independent blocks of Brotli; reading a symbol decodes its block up to there, allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .runtime = runtime,
  .trials = { .settings = { "block=256", "block=4096", "block=65536" }, .ways = { SD_COMPLETING } },
  .latency = { 0, 0.235, 9.17, 58.2 }, /* off by 38 % at most */
  .colour = "#8a7358",
  .mark = 5,
};
