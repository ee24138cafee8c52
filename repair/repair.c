/** \file repair.c
 * The codec's row for the list of codecs. */
#include "config.h"
#include "repair/repair_internal.h"

const sd_codec sd_codec_repair = {
  .name = "repair",
  .summary = "pairs of symbols become phrases, Huffman code in small blocks with one dictionary",
  .id = 2,
  .checks_payload = true,
  .subdefinite = true,
  .most = UINT32_MAX,
  .tunables = sd_repair_tunables,
  .overrules = sd_repair_overrules,
  .encode = sd_repair_encode,
  .open = sd_repair_open,
  .get = sd_repair_get,
  .read = sd_repair_read,
  .close = sd_repair_close,
  .describe = sd_repair_describe,
};
