/** \file absent.c
 * In place of cached.c where no codec of the list has blocks of a general compressor (libsubdef-probe): there
 * is nothing that could be kept. */
#include "config.h"
#include "codecs/blocks/blocks.h"

int sd_block_cache_new (uint64_t budget, sd_block_cache **out, sd_error *err) {
  (void) budget;
  *out = NULL;
  return sd_fail (err, SD_EUNSUPPORTED, "decoded blocks are not kept by this library");
}

void sd_block_cache_free (sd_block_cache *c) {
  (void) c;
}

int sd_codec_cached (sd_decoder *whole, sd_block_cache *cache, sd_decoder **out, sd_error *err) {
  (void) cache;
  (void) err;
  *out = whole;
  return SD_OK;
}
