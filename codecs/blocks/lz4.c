/** \file lz4.c
 * LZ4 in independent blocks, in its bare block format, by the thorough compressor (LZ4HC). The fastest of
 * the general decoders: matches and literals in whole bytes, no entropy code. A block can only be unpacked as
 * a whole: a coder has room for the longest, also where one symbol is asked for. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <lz4.h>
#include <lz4hc.h>
#include <stdlib.h>

static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (SD_BLOCK_MAX),
  { "level", "LZ4HC's level: 2 fast, 12 small", "12", 2, LZ4HC_CLEVEL_MAX, NULL },
  { 0 },
};

typedef struct coder {
  void *state; /* of the compressor */
  int level;
  size_t bytes; /* of the longest block */
  sd_block_whole whole;
} coder;

static int init (void *own, const sd_block_shape *shape) {
  coder *c = own;
  c->bytes = shape->bytes;
  c->whole.raw = sd_alloc (shape->bytes, 1);
  if (shape->set) {
    c->level = (int) sd_settings_int (shape->set, "level");
    c->state = sd_alloc ((uint64_t) LZ4_sizeofStateHC (), 1);
  }
  return c->whole.raw && (c->state || !shape->set) ? SD_OK : SD_ENOMEM;
}

static void end (void *own) {
  coder *c = own;
  free (c->state);
  free (c->whole.raw);
}

static uint64_t memory (const void *own) {
  const coder *c = own;
  return c->bytes + (uint64_t) LZ4_sizeofStateHC ();
}

static int pack (void *own, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  const coder *c = own;
  int got =
      LZ4_compress_HC_extStateHC (c->state, (const char *) src, (char *) dst, (int) n, (int) cap, c->level);
  *len = got > 0 ? (size_t) got : 0;
  return SD_OK;
}

static int start (void *own, const uint8_t *src, size_t len, size_t n) {
  coder *c = own;
  /* All at once; the bytes are handed out from there. */
  int got = LZ4_decompress_safe ((const char *) src, (char *) c->whole.raw, (int) len, (int) n);
  c->whole.at = 0;
  c->whole.len = got > 0 ? (size_t) got : 0;
  return got == (int) n ? SD_OK : SD_EFORMAT;
}

static int next (void *own, uint8_t *dst, size_t n) {
  return sd_block_whole_next (&((coder *) own)->whole, dst, n);
}

static const sd_block_method method = { SD_BLOCK_CODER };

static void runtime (char *out, size_t cap) {
  snprintf (out, cap, "liblz4 %s", LZ4_versionString ());
}

const sd_codec sd_codec_lz4 = {
  SD_IDENTITY (lz4),
  .summary = "independent blocks of LZ4; reading a symbol decodes its block and allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .runtime = runtime,
  .trials = { .settings = { "block=256", "block=4096", "block=65536" }, .ways = { SD_COMPLETING } },
  .latency = { 0, 0.0435, 0.541, 7.47 }, /* off by 35 % at most */
  .colour = "#7d7590",
  .mark = 5,
};
