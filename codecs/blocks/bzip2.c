/** \file bzip2.c
 * The transform of Burrows and Wheeler (1994) with Huffman codes, by libbz2, in independent blocks.
 *
 * A .bz2 file spends 24 bytes on frames around a block: "BZh" and a digit, a magic number of 6 bytes and a
 * checksum in front; another magic number and the checksum again behind, which start anywhere in a byte. The
 * container has checksums of its own, so they go: 14 bytes in front and the last 10. The decoder gets the
 * front back with a checksum of 0, delivers the block, then finds that the checksum is wrong, which is
 * ignored once the last byte is there. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <bzlib.h>
#include <stdlib.h>
#include <string.h>

#define FRONT 14
#define BACK 10

/* One block of theirs must hold a block of ours: 900,000 bytes, where five bytes may count for four. */
static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (700000),
  { 0 },
};

typedef struct coder {
  bz_stream in;
  bool unpacks;
  size_t bytes;
  char digit;     /* theirs, of 100,000 bytes */
  uint8_t *frame; /* a packed block with all its frames */
  size_t room;
} coder;

static int status_of (int ret) {
  return ret == BZ_MEM_ERROR ? SD_ENOMEM : SD_EINVAL;
}

static int init (void *own, const sd_block_shape *shape) {
  coder *c = own;
  c->bytes = shape->bytes;
  /* The smallest of their blocks that holds ours, five bytes for four. */
  c->digit = (char) ('1' + (shape->bytes + shape->bytes / 4 + 19) / 100000);
  if (shape->set) {
    c->room = shape->bytes + shape->bytes / 100 + 600; /* always enough, says the manual */
    c->frame = sd_alloc (c->room, 1);
  }
  return c->frame || !shape->set ? SD_OK : SD_ENOMEM;
}

static void end (void *own) {
  coder *c = own;
  if (c->unpacks)
    BZ2_bzDecompressEnd (&c->in);
  free (c->frame);
}

/* The manual: 400 kB and 8 bytes for each of the block. */
static uint64_t memory (const void *own) {
  const coder *c = own;
  return c->room + 400000 + 8 * 100000 * (uint64_t) (c->digit - '0');
}

static void front (const coder *c, uint8_t *out) {
  memcpy (out, "BZh\0\x31\x41\x59\x26\x53\x59\0\0\0\0", FRONT);
  out[3] = (uint8_t) c->digit;
}

static int pack (void *own, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  coder *c = own;
  unsigned total = (unsigned) c->room;
  uint8_t expect[FRONT];
  *len = 0;
  int ret =
      BZ2_bzBuffToBuffCompress ((char *) c->frame, &total, (char *) src, (unsigned) n, c->digit - '0', 0, 0);
  if (ret != BZ_OK)
    return status_of (ret);

  front (c, expect);
  /* What is left out must be what a reader puts back. */
  if (total <= FRONT + BACK || total - FRONT - BACK > cap || memcmp (c->frame, expect, FRONT - 4) != 0)
    return SD_OK;
  *len = total - FRONT - BACK;
  memcpy (dst, c->frame + FRONT, *len);
  return SD_OK;
}

static int start (void *own, const uint8_t *src, size_t len, size_t n) {
  coder *c = own;
  uint8_t head[FRONT];

  (void) n;
  /* One decoder after the other: the last block may not have been read to its end. */
  if (c->unpacks)
    BZ2_bzDecompressEnd (&c->in);

  c->in = (bz_stream){ 0 };
  int ret = BZ2_bzDecompressInit (&c->in, 0, 0);
  c->unpacks = ret == BZ_OK;
  if (ret != BZ_OK)
    return status_of (ret);

  front (c, head);
  c->in.next_in = (char *) head;
  c->in.avail_in = sizeof head;
  ret = BZ2_bzDecompress (&c->in); /* there is no output yet */
  if (ret != BZ_OK || c->in.avail_in > 0)
    return ret == BZ_MEM_ERROR ? SD_ENOMEM : SD_EFORMAT;
  c->in.next_in = (char *) src;
  c->in.avail_in = (unsigned) len;
  return SD_OK;
}

static int next (void *own, uint8_t *dst, size_t n) {
  coder *c = own;
  c->in.next_out = (char *) dst;
  c->in.avail_out = (unsigned) n;
  int ret = BZ2_bzDecompress (&c->in);
  return c->in.avail_out == 0 ? SD_OK : ret == BZ_MEM_ERROR ? SD_ENOMEM : SD_EFORMAT;
}

static const sd_block_method method = { SD_BLOCK_CODER };

static void runtime (char *out, size_t cap) {
  const char *version = BZ2_bzlibVersion (); /* "1.0.8, 13-Jul-2019" */
  snprintf (out, cap, "libbz2 %.*s", (int) strcspn (version, ","), version);
}

const sd_codec sd_codec_bzip2 = {
  SD_IDENTITY (bzip2),
  .summary = "independent blocks of bzip2; reading a symbol decodes its block up to there, allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .runtime = runtime,
  .trials = { .settings = { "block=65536", "block=700000" }, .ways = { SD_COMPLETING } },
  .latency = { 0, 1.69, 62.5, 0 }, /* off by 27 % at most */
  .colour = "#76806a",
  .mark = 5,
};
