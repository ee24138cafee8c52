/** \file store_encode.c
 * Writing a plain copy (store.c). Every symbol is a main one here: sd_codec_encode () has completed the free
 * slots, since the codec's row does not take them. */
#include "config.h"
#include "codecs/store_internal.h"

const sd_tunable sd_store_tunables[] = {
  SD_TUNABLE_INITIAL ("frequent"),
  { 0 },
};

int sd_store_encode (const sd_encoding *e, sd_buf *out, sd_error *err) {
  sd_bitw w = { .out = out };
  unsigned bits = sd_bits_for (sd_alphabet_main (e->src->alphabet));
  for (uint64_t i = 0; i < e->src->n; i++)
    sd_bitw_put (&w, e->src->sym[i], bits);
  sd_bitw_flush (&w);
  return sd_buf_status (out) ? sd_fail_memory (err, 0) : SD_OK;
}
