/** \file lzma.c
 * LZMA in independent blocks (blocks.c), the baseline of S0 Sec. 1.2. Its part of the head is one byte,
 * (pb 5 + lp) 9 + lc.
 *
 * `initial` is `frequent` by default. One would expect `left`, which prolongs the runs that LZMA codes for
 * almost nothing, but a free region that looks the same wherever it occurs makes better matches. Measured, 16
 * kB blocks, White to move: KRvKP (first 2 million slots) WDL 28,235 against 32,253 bytes, moves 301,267
 * against 307,138; KPvK WDL 3,217 against 3,129, moves 9,587 against 9,889. More context from the symbol
 * before (lc, with the symbols shifted to the top of their byte) changed sizes by -0.2 to +8 %, so symbols
 * keep the low bits. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"
#include "codecs/blocks/lzma_internal.h"

static const sd_tunable tunables[] = {
  SD_BLOCK_TUNABLES (SD_BLOCK_MAX),
  { "preset", "liblzma's preset: 0 fast, 9 small", "6", 0, 9, NULL },
  { 0 },
};

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
  sd_lzma_props (shape->param, &lc, &lp, &pb);
  return lc + lp > LZMA_LCLP_MAX || pb > LZMA_PB_MAX ? SD_EFORMAT : SD_OK;
}

static int init (void *coder, const sd_block_shape *shape) {
  return sd_lzma_init (coder, shape->set ? (unsigned) sd_settings_int (shape->set, "preset") : 6,
                       shape->param, (uint32_t) shape->bytes);
}

static void end (void *coder) {
  sd_lzma_end (coder);
}

static uint64_t memory (const void *coder) {
  return sd_lzma_memory (coder);
}

static int pack (void *coder, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
  return sd_lzma_pack (coder, src, n, dst, cap, len);
}

static int start (void *coder, const uint8_t *src, size_t len, size_t n) {
  (void) n;
  return sd_lzma_unpack_start (coder, src, len);
}

static int next (void *coder, uint8_t *dst, size_t n) {
  return sd_lzma_unpack (coder, dst, n);
}

/* Unpacking takes up to 62 ns for each packed byte (noise, measured on an AMD EPYC, Zen 4; section 7.8 of
 * docs/format.md), so that a block of 2 MiB would take 0.13 s. No table comes near: blocks of so much pack to
 * less than half. */
#define MOST_PACKED (1u << 20)

static const sd_block_method method = { .most_packed = MOST_PACKED,
                                        .prepare = prepare,
                                        .parse = parse,
                                        .size = sizeof (sd_lzma),
                                        .init = init,
                                        .end = end,
                                        .memory = memory,
                                        .pack = pack,
                                        .start = start,
                                        .next = next };

static void library (char *out, size_t cap) {
  snprintf (out, cap, "liblzma %s", lzma_version_string ());
}

const sd_codec sd_codec_lzma = {
  SD_IDENTITY (lzma),
  .summary =
      "independent blocks of LZMA; reading a symbol decodes its block up to there and allocates memory",
  .tunables = tunables,
  SD_BLOCK_METHOD (&method),
  .library = library,
  .trials = { .settings = { "block=256", "block=1024", "block=4096", "block=16384", "block=65536",
                            "block=2097152" },
              .ways = { SD_COMPLETING } },
  .latency = { 71.9, 0.121, 9.31, 56 }, /* off by 55 % at most */
  .colour = "#d9822b",
  .mark = 5,
};
