/** \file zstd.c
 * Zstandard (RFC 8878) in independent blocks, with or without a dictionary trained on the table (ZDICT): text
 * and statistics that all blocks share, which is what small blocks lack (Zakharov 2015, 1.11, conclusion 1).
 * A frame's magic number, descriptor and window (6 bytes) follow from the length of a block and go.
 *
 * Part of the head: varint bytes of the dictionary (0: none), and the dictionary. A dictionary that training
 * refuses to make, because there is too little to learn from, is left out. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <stdlib.h>
#include <string.h>
#include <zdict.h>
#include <zstd.h>

#define FRAME 6
#define SAMPLES (16u << 20) /* bytes looked at for a dictionary at most */
#define MAX_DICT (1l << 20)

static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (SD_BLOCK_MAX),
  { "level", "1 fast, 22 small", "19", 1, 22, NULL },
  { "dict", "bytes of the trained dictionary (0: none)", "0", 0, MAX_DICT, NULL },
  { 0 },
};

typedef struct dictionary {
  ZSTD_CDict *out; /* NULL in a decoder */
  ZSTD_DDict *in;
} dictionary;

typedef struct coder {
  ZSTD_CCtx *out;
  ZSTD_DCtx *in;
  const dictionary *dict;
  size_t bytes;    /* of the longest block */
  uint8_t window;  /* the byte of the frame that says how long it is */
  uint8_t *framed; /* a packed block with its frame */
  size_t room;
  sd_block_whole whole;
} coder;

static bool whole (const sd_settings *set) {
  return sd_settings_int (set, "dict") > 0;
}

/* ----------------------------------------------------------- the dictionary */

/* Blocks, evenly spread if they are too many, one behind the other; *count of them. */
static uint8_t *samples (const sd_block_plan *p, const sd_symbol *sym, size_t **size, unsigned *count) {
  size_t block = p->block * p->width;
  uint64_t most = SAMPLES / block + 1, step = (p->blocks + most - 1) / most,
           n = (p->blocks + step - 1) / step;
  uint8_t *raw = sd_alloc (n, block);

  *size = sd_alloc (n, sizeof **size);
  *count = 0;
  if (!raw || !*size) {
    free (raw);
    return NULL;
  }
  /* Each block is a sample, as it will be packed by itself. */
  for (uint64_t b = 0; b < p->blocks; b += step, ++*count) {
    (*size)[*count] = sd_block_count (p, b) * p->width;
    sd_block_raw (sym, b * p->block, sd_block_count (p, b), p->width, raw + *count * block);
  }
  return raw;
}

static int prepare (const sd_block_plan *p, const sd_symbol *sym, sd_buf *head) {
  size_t cap = (size_t) sd_settings_int (p->set, "dict"), len = 0;
  int st = SD_OK;

  if (cap > 0 && sym) {
    size_t *size;
    unsigned count;
    uint8_t *raw = samples (p, sym, &size, &count), *dict = sd_alloc (cap, 1);
    st = raw && dict ? SD_OK : SD_ENOMEM;
    if (!st)
      len = ZDICT_trainFromBuffer (dict, cap, raw, size, count);
    /* Too few samples are no failure: then there is no dictionary. */
    len = ZDICT_isError (len) ? 0 : len;
    sd_buf_varint (head, len);
    sd_buf_append (head, dict, len);
    free (raw);
    free (size);
    free (dict);
    return st;
  }
  sd_buf_varint (head, 0);
  return SD_OK;
}

static void drop (void *shared) {
  dictionary *d = shared;
  ZSTD_freeCDict (d->out);
  ZSTD_freeDDict (d->in);
  free (d);
}

static int parse (sd_reader *r, sd_block_shape *shape) {
  uint64_t len = sd_get_varint (r);
  if (r->bad || len > MAX_DICT)
    return SD_EFORMAT;
  if (len == 0)
    return SD_OK;

  const uint8_t *bytes = sd_get_bytes (r, len);
  if (!bytes)
    return SD_EFORMAT;
  dictionary *d = shape->shared = sd_alloc0 (1, sizeof *d);
  if (!d)
    return SD_ENOMEM;
  /* Digested once, for all blocks and threads. */
  d->in = ZSTD_createDDict (bytes, len);
  if (shape->set)
    d->out = ZSTD_createCDict (bytes, len, (int) sd_settings_int (shape->set, "level"));
  return d->in && (d->out || !shape->set) ? SD_OK : SD_EFORMAT; /* no memory looks the same */
}

/* -------------------------------------------------------------------- blocks */

static int init (void *own, const sd_block_shape *shape) {
  coder *c = own;
  c->dict = shape->shared;
  c->bytes = shape->bytes;

  unsigned bits = sd_bits_for (shape->bytes);
  /* The format's least window is 2^10. */
  bits = bits < 10 ? 10 : bits;
  c->window = (uint8_t) ((bits - 10) << 3);

  c->room = FRAME + ZSTD_compressBound (shape->bytes);
  c->framed = sd_alloc (c->room, 1);
  c->whole.raw = sd_alloc (shape->bytes, 1);
  c->in = ZSTD_createDCtx ();
  if (!c->framed || !c->whole.raw || !c->in)
    return SD_ENOMEM;
  if (!shape->set)
    return SD_OK;
  c->out = ZSTD_createCCtx ();
  if (!c->out)
    return SD_ENOMEM;
  /* What a frame would say of itself the stream says once for all blocks. */

  size_t bad =
      ZSTD_CCtx_setParameter (c->out, ZSTD_c_compressionLevel, (int) sd_settings_int (shape->set, "level"));
  bad = ZSTD_isError (bad) ? bad : ZSTD_CCtx_setParameter (c->out, ZSTD_c_contentSizeFlag, 0);
  bad = ZSTD_isError (bad) ? bad : ZSTD_CCtx_setParameter (c->out, ZSTD_c_checksumFlag, 0);
  bad = ZSTD_isError (bad) ? bad : ZSTD_CCtx_setParameter (c->out, ZSTD_c_dictIDFlag, 0);
  if (!ZSTD_isError (bad) && c->dict)
    bad = ZSTD_CCtx_refCDict (c->out, c->dict->out);
  return ZSTD_isError (bad) ? SD_EINVAL : SD_OK;
}

static void end (void *own) {
  coder *c = own;
  ZSTD_freeCCtx (c->out);
  ZSTD_freeDCtx (c->in);
  free (c->framed);
  free (c->whole.raw);
}

/* Level 19 needs some 40 bytes for each of the block, and 1 MB in any case (zstd's own estimate). */
static uint64_t memory (const void *own) {
  const coder *c = own;
  return 41 * (uint64_t) c->bytes + c->room + (2u << 20);
}

static int pack (void *own, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd, 0 };
  coder *c = own;
  *len = 0;
  size_t total = ZSTD_compress2 (c->out, c->framed, c->room, src, n);
  if (ZSTD_isError (total))
    return SD_ENOMEM; /* there is room for the longest; nothing else can be wrong */
  /* Too long, or a frame that a reader could not put back: *len stays 0, and the block is stored raw. */
  if (total <= FRAME || total - FRAME > cap || memcmp (c->framed, magic, sizeof magic) != 0)
    return SD_OK;
  *len = total - FRAME;
  memcpy (dst, c->framed + FRAME, *len);
  return SD_OK;
}

/* The frame that was left out is put in front again; the block is unpacked as a whole. */
static int start (void *own, const uint8_t *src, size_t len, size_t n) {
  coder *c = own;
  const uint8_t frame[FRAME] = { 0x28, 0xb5, 0x2f, 0xfd, 0, c->window };
  if (len > c->room - FRAME)
    return SD_EFORMAT;
  memcpy (c->framed, frame, FRAME);
  memcpy (c->framed + FRAME, src, len);
  size_t got = c->dict
                   ? ZSTD_decompress_usingDDict (c->in, c->whole.raw, n, c->framed, len + FRAME, c->dict->in)
                   : ZSTD_decompressDCtx (c->in, c->whole.raw, n, c->framed, len + FRAME);
  c->whole.at = 0;
  c->whole.len = ZSTD_isError (got) ? 0 : got;
  return c->whole.len == n ? SD_OK : SD_EFORMAT;
}

static int next (void *own, uint8_t *dst, size_t n) {
  return sd_block_whole_next (&((coder *) own)->whole, dst, n);
}

static const sd_block_method method = {
  .whole = whole, .prepare = prepare, .parse = parse, .drop = drop, SD_BLOCK_CODER
};

static void runtime (char *out, size_t cap) {
  snprintf (out, cap, "libzstd %s", ZSTD_versionString ());
}

const sd_codec sd_codec_zstd = {
  SD_IDENTITY (zstd),
  .summary = "independent blocks of Zstandard; reading a symbol decodes its block and allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .runtime = runtime,
  .trials = { .settings = { "block=256", "block=4096", "block=65536" }, .ways = { SD_COMPLETING } },
  .latency = { 1.16e+04, 0.205, 2.77, 91.9 }, /* off by 17 % at most */
  .colour = "#86786c",
  .mark = 5,
};
