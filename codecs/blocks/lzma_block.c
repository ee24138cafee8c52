/** \file lzma_block.c
 * One block as a bare LZMA1 stream. The container knows the size of a block, so everything that is not coded
 * data goes:
 *   - no header of any .lzma or .xz kind and, where liblzma can do that (5.4), no end marker;
 *   - the range coder's first byte, which is always 0;
 *   - the last two of the four bytes by which the range coder ends its number. After the last bit the
 * interval is at least 2^24 / 2048 * 31 > 2^16 wide, so 0xffff in their place stays inside it. The decoder
 * sees 0xff behind the end.
 *
 * LZMA2, the alternative, spends 6 + 1 bytes on each block for the headers of its chunks. */
#include "config.h"
#include "codecs/blocks/lzma_internal.h"

#include <string.h>

#define FIRST 1 /* bytes dropped in front */
#define LAST 2  /* and behind */

int sd_lzma_init (sd_lzma *z, unsigned preset, unsigned props, uint32_t block_bytes) {
  *z = (sd_lzma){ .strm = LZMA_STREAM_INIT };
  if (lzma_lzma_preset (&z->options, preset))
    return SD_EINVAL;
  z->options.dict_size = block_bytes < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : block_bytes;
  unsigned lc, lp, pb;
  sd_lzma_props (props, &lc, &lp, &pb);
  z->options.lc = lc;
  z->options.lp = lp;
  z->options.pb = pb;
#ifdef LZMA_FILTER_LZMA1EXT
  lzma_set_ext_size (z->options, UINT64_MAX);
#endif
  return SD_OK;
}

void sd_lzma_end (sd_lzma *z) {
  lzma_end (&z->strm);
}

uint64_t sd_lzma_memory (const sd_lzma *z) {
  lzma_options_lzma options = z->options;
  lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &options }, { LZMA_VLI_UNKNOWN, NULL } };
  uint64_t pack = lzma_raw_encoder_memusage (chain), unpack = lzma_raw_decoder_memusage (chain);
  return pack > unpack ? pack : unpack;
}

static int status_of (lzma_ret ret) {
  return ret == LZMA_MEM_ERROR || ret == LZMA_MEMLIMIT_ERROR ? SD_ENOMEM : SD_EINVAL;
}

int sd_lzma_pack (sd_lzma *z, const uint8_t *src, size_t n, uint8_t *dst, size_t cap, size_t *len) {
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
  for (unsigned k = 0; k < 3 && ret == LZMA_OK; k++) {
    z->strm.next_out = part[k];
    z->strm.avail_out = size[k];
    while (ret == LZMA_OK && z->strm.avail_out > 0)
      ret = lzma_code (&z->strm, LZMA_FINISH);
    total += size[k] - z->strm.avail_out;
  }
  if (ret != LZMA_STREAM_END && ret != LZMA_OK)
    return status_of (ret);
  if (ret == LZMA_STREAM_END && total > FIRST + LAST && first[0] == 0)
    *len = total - FIRST - LAST;
  return SD_OK;
}

int sd_lzma_unpack_start (sd_lzma *z, const uint8_t *src, size_t len) {
  static const uint8_t zero = 0;
  lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &z->options }, { LZMA_VLI_UNKNOWN, NULL } };
  lzma_ret ret = lzma_raw_decoder (&z->strm, chain);
  if (ret != LZMA_OK)
    return status_of (ret);
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

int sd_lzma_unpack (sd_lzma *z, uint8_t *dst, size_t n) {
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
