/** \file lzma.c
 * LZMA in independent blocks (blocks.c), the baseline of Zakharov 2015, 1.2. Its part of the head is one
 * byte, (pb 5 + lp) 9 + lc.
 *
 * `initial` is `frequent` by default. One would expect `left`, which prolongs the runs that LZMA codes for
 * almost nothing, but a free region that looks the same wherever it occurs makes better matches. Measured, 16
 * kB blocks, White to move: KRvKP (first 2 million slots) WDL 28,235 against 32,253 bytes, moves 301,267
 * against 307,138; KPvK WDL 3,217 against 3,129, moves 9,587 against 9,889. More context from the symbol
 * before (lc, with the symbols shifted to the top of their byte) changed sizes by -0.2 to +8 %, so symbols
 * keep the low bits.
 *
 * A block is a bare LZMA1 stream. The container knows the size of a block, so everything that is not coded
 * data goes:
 *   - no header of any .lzma or .xz kind and, where liblzma can do that (5.4), no end marker;
 *   - the range coder's first byte, which is always 0;
 *   - the last two of the four bytes by which the range coder ends its number. After the last bit the
 * interval is at least 2^24 / 2048 * 31 > 2^16 wide, so 0xffff in their place stays inside it. The decoder
 * sees 0xff behind the end.
 *
 * LZMA2, the alternative, spends 6 + 1 bytes on each block for the headers of its chunks. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <lzma.h>

#define FIRST 1 /* bytes dropped in front */
#define LAST 2  /* and behind */

/* liblzma keeps its memory from block to block. */
typedef struct coder {
  lzma_stream strm;
  lzma_options_lzma options;
  bool padded; /* unpacking: the bytes behind the end have been handed over */
} coder;

static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (SD_BLOCK_MAX),
  { "preset", "liblzma's preset: 0 fast, 9 small", "6", 0, 9, NULL },
  { 0 },
};

/* props = (pb * 5 + lp) * 9 + lc, bits of context, see lzma.h. */
static void get_props (unsigned props, unsigned *lc, unsigned *lp, unsigned *pb) {
  *lc = props % 9;
  *lp = props / 9 % 5;
  *pb = props / 45;
}

/* Two kinds of bytes take turns if a symbol has two: one bit of position, lc less so that both fit. */
static int prepare (const sd_block_plan *p, const sd_symbol *sym, sd_buf *head) {
  (void) sym;
  unsigned pairs = p->width - 1;
  sd_buf_u8 (head, (pairs * 5 + pairs) * 9 + 3 - pairs);
  return SD_OK;
}

static int parse (sd_reader *r, sd_block_shape *shape) {
  unsigned lc, lp, pb;
  shape->param = sd_get_u8 (r);
  get_props (shape->param, &lc, &lp, &pb);
  return lc + lp > LZMA_LCLP_MAX || pb > LZMA_PB_MAX ? SD_EFORMAT : SD_OK;
}

static int init (void *own, const sd_block_shape *shape) {
  coder *z = own;
  const uint32_t bytes = (uint32_t) shape->bytes;
  unsigned lc, lp, pb;

  *z = (coder){ .strm = LZMA_STREAM_INIT };
  if (lzma_lzma_preset (&z->options, shape->set ? (uint32_t) sd_settings_int (shape->set, "preset") : 6))
    return SD_EINVAL;
  /* No larger than a block: a reader needs memory for it. */
  z->options.dict_size = bytes < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : bytes;
  get_props (shape->param, &lc, &lp, &pb);
  z->options.lc = lc;
  z->options.lp = lp;
  z->options.pb = pb;
#ifdef LZMA_FILTER_LZMA1EXT
  lzma_set_ext_size (z->options, UINT64_MAX);
#endif
  return SD_OK;
}

static void end (void *own) {
  coder *z = own;
  lzma_end (&z->strm);
}

static uint64_t memory (const void *own) {
  const coder *z = own;
  lzma_options_lzma options = z->options;
  lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &options }, { LZMA_VLI_UNKNOWN, NULL } };
  uint64_t pack = lzma_raw_encoder_memusage (chain), unpack = lzma_raw_decoder_memusage (chain);
  return pack > unpack ? pack : unpack;
}

static int status_of (lzma_ret ret) {
  return ret == LZMA_MEM_ERROR || ret == LZMA_MEMLIMIT_ERROR ? SD_ENOMEM : SD_EINVAL;
}

static int pack (void *own, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  coder *z = own;
#ifdef LZMA_FILTER_LZMA1EXT
  z->options.ext_flags = 0;
  lzma_filter chain[] = { { LZMA_FILTER_LZMA1EXT, &z->options }, { LZMA_VLI_UNKNOWN, NULL } };
#else
  lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &z->options }, { LZMA_VLI_UNKNOWN, NULL } };
#endif
  *len = 0;
  lzma_ret ret = lzma_raw_encoder (&z->strm, chain);
  if (ret != LZMA_OK)
    return status_of (ret);
  uint8_t first[FIRST],
      rest[LAST]; /* of the complete stream: in front of dst, and what may hang over behind it */
  uint8_t *part[] = { first, dst, rest };
  size_t size[] = { FIRST, cap, LAST }, total = 0;
  z->strm.next_in = src;
  z->strm.avail_in = n;
  ret = LZMA_OK;
  /* The complete stream in three parts: its first byte, what is kept, its last bytes. */
  for (unsigned k = 0; k < 3 && ret == LZMA_OK; k++) {
    z->strm.next_out = part[k];
    z->strm.avail_out = size[k];
    while (ret == LZMA_OK && z->strm.avail_out > 0)
      ret = lzma_code (&z->strm, LZMA_FINISH);
    total += size[k] - z->strm.avail_out;
  }
  if (ret != LZMA_STREAM_END && ret != LZMA_OK)
    return status_of (ret);
  /* Else it does not fit: *len stays 0. */
  if (ret == LZMA_STREAM_END && total > FIRST + LAST && first[0] == 0)
    *len = total - FIRST - LAST;
  return SD_OK;
}

static int start (void *own, const uint8_t *src, size_t len, size_t n) {
  static const uint8_t zero = 0;
  coder *z = own;

  (void) n;
  lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &z->options }, { LZMA_VLI_UNKNOWN, NULL } };
  lzma_ret ret = lzma_raw_decoder (&z->strm, chain);
  if (ret != LZMA_OK)
    return status_of (ret);
  /* The byte that was left out at the front is always 0. */
  z->strm.next_in = &zero;
  z->strm.avail_in = FIRST;
  z->strm.next_out = NULL;
  z->strm.avail_out = 0;
  ret = lzma_code (&z->strm, LZMA_RUN); /* takes the byte; there is no output yet */
  if (ret != LZMA_OK || z->strm.avail_in > 0)
    return ret == LZMA_MEM_ERROR ? SD_ENOMEM : SD_EFORMAT;
  z->strm.next_in = src;
  z->strm.avail_in = len;
  z->padded = false;
  return SD_OK;
}

static int next (void *own, uint8_t *dst, size_t n) {
  coder *z = own;
  static const uint8_t behind[16] = { 255, 255, 255, 255, 255, 255, 255, 255,
                                      255, 255, 255, 255, 255, 255, 255, 255 };

  z->strm.next_out = dst;
  z->strm.avail_out = n;
  while (z->strm.avail_out > 0) {
    lzma_ret ret = lzma_code (&z->strm, LZMA_RUN);
    if (ret == LZMA_MEM_ERROR)
      return SD_ENOMEM;
    if (z->strm.avail_out == 0)
      break;
    if (ret != LZMA_OK && ret != LZMA_BUF_ERROR)
      return SD_EFORMAT;
    /* The bytes that were left out at the end matter to nothing but the library's reading ahead; any will do,
     * once. */
    if (z->strm.avail_in == 0) {
      if (z->padded)
        return SD_EFORMAT;
      z->padded = true;
      z->strm.next_in = behind;
      z->strm.avail_in = sizeof behind;
    }
  }
  return SD_OK;
}

/* Unpacking takes up to 62 ns for each packed byte (noise, measured on an AMD EPYC, Zen 4; section 7.9 of
 * docs/format.md), so that a block of 2 MiB would take 0.13 s. No table comes near: blocks of so much pack to
 * less than half. */
#define MOST_PACKED (1u << 20)

static const sd_block_method method = {
  .most_packed = MOST_PACKED, .prepare = prepare, .parse = parse, SD_BLOCK_CODER
};

static void runtime (char *out, size_t cap) {
  snprintf (out, cap, "liblzma %s", lzma_version_string ());
}

const sd_codec sd_codec_lzma = {
  SD_IDENTITY (lzma),
  .summary =
      "independent blocks of LZMA; reading a symbol decodes its block up to there and allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .runtime = runtime,
  .trials = { .settings = { "block=256", "block=1024", "block=4096", "block=16384", "block=65536",
                            "block=2097152" },
              .ways = { SD_COMPLETING } },
  .latency = { 71.9, 0.121, 9.31, 56 }, /* off by 55 % at most */
  .colour = "#6f7782",
  .mark = 5,
};
