/** \file zlib.c
 * Deflate (Katz; RFC 1951) in independent blocks, by zlib: bare data without zlib's header and checksum. The
 * window is no longer than the block needs. Reading takes the longest window, since the stream does not say
 * which one its writer had. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <string.h>
#include <zlib.h>

static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (SD_BLOCK_MAX),
  { "level", "zlib's level: 1 fast, 9 small", "9", 1, 9, NULL },
  { 0 },
};

typedef struct coder {
  z_stream out, in;
  bool packs, unpacks;
} coder;

static int status_of (int ret) {
  return ret == Z_OK ? SD_OK : ret == Z_MEM_ERROR ? SD_ENOMEM : SD_EINVAL;
}

/* Bits of the window; zlib's bare data knows no 8. */
static int window_bits (size_t bytes) {
  unsigned bits = sd_bits_for (bytes);
  return bits < 9 ? 9 : bits > 15 ? 15 : (int) bits;
}

static int init (void *own, const sd_block_shape *shape) {
  coder *c = own;
  int st = status_of (inflateInit2 (&c->in, -15));
  c->unpacks = st == SD_OK;
  if (st || !shape->set)
    return st;
  st = status_of (deflateInit2 (&c->out, (int) sd_settings_int (shape->set, "level"), Z_DEFLATED,
                                -window_bits (shape->bytes), 9, Z_DEFAULT_STRATEGY));
  c->packs = st == SD_OK;
  return st;
}

static void end (void *own) {
  coder *c = own;
  if (c->unpacks)
    inflateEnd (&c->in);
  if (c->packs)
    deflateEnd (&c->out);
}

/* zconf.h: a window of 32 KiB, tables for memLevel 9; and the decoder. */
static uint64_t memory (const void *own) {
  (void) own;
  return (1u << (15 + 2)) + (1u << (9 + 9)) + (1u << 15) + (1u << 14);
}

static int pack (void *own, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  coder *c = own;
  *len = 0;

  SD_TRY (status_of (deflateReset (&c->out)));
  c->out.next_in = (Bytef *) src;
  c->out.avail_in = (uInt) n;

  c->out.next_out = dst;
  c->out.avail_out = (uInt) cap;
  int ret = deflate (&c->out, Z_FINISH);
  if (ret == Z_STREAM_END)
    *len = cap - c->out.avail_out;
  return ret == Z_STREAM_END || ret == Z_OK || ret == Z_BUF_ERROR ? SD_OK : status_of (ret);
}

static int start (void *own, const uint8_t *src, size_t len, size_t n) {
  coder *c = own;
  (void) n;
  SD_TRY (status_of (inflateReset (&c->in)));
  c->in.next_in = (Bytef *) src;
  c->in.avail_in = (uInt) len;
  return SD_OK;
}

static int next (void *own, uint8_t *dst, size_t n) {
  coder *c = own;
  c->in.next_out = dst;
  c->in.avail_out = (uInt) n;
  int ret = inflate (&c->in, Z_SYNC_FLUSH);
  return c->in.avail_out == 0 ? SD_OK : ret == Z_MEM_ERROR ? SD_ENOMEM : SD_EFORMAT;
}

static const sd_block_method method = { SD_BLOCK_CODER };

static void runtime (char *out, size_t cap) {
  snprintf (out, cap, "zlib %s", zlibVersion ());
}

const sd_codec sd_codec_zlib = {
  SD_IDENTITY (zlib),
  .summary =
      "independent blocks of deflate; reading a symbol decodes its block up to there, allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .runtime = runtime,
  .trials = { .settings = { "block=256", "block=4096", "block=65536" }, .ways = { SD_COMPLETING } },
  .latency = { 741, 0.266, 0.954, 0 }, /* off by 49 % at most */
  .colour = "#6c7d8f",
  .mark = 5,
};
