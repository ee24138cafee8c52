/** \file sums.h
 * Checksums of a table file are put right where the reader looks for them: no checksum is a secret. */
#ifndef SD_FUZZ_SUMS_H
#define SD_FUZZ_SUMS_H

#include "table/table_internal.h"
#include <string.h>

static inline void sd_fuzz_put_sum (uint8_t *at, const uint8_t *data, size_t n) {
  const uint64_t sum = sd_hash64 (data, n);
  for (unsigned i = 0; i < 4; i++)
    at[i] = (uint8_t) (sum >> (8 * i));
}

/* All checksums that can be found. */
static inline void sd_fuzz_put_right (uint8_t *data, size_t size) {
  sd_sdt_places p;
  sd_sdt_find_places (data, size, &p);
  for (unsigned s = 0; s < 2; s++)
    for (uint64_t at = 0, chunk = 0; p.there[s] && at < p.bytes[s]; at += SD_CHUNK_BYTES, chunk++)
      sd_fuzz_put_sum (data + p.sums[s] + 4 * chunk, data + p.stream[s] + at,
                       p.bytes[s] - at < SD_CHUNK_BYTES ? p.bytes[s] - at : SD_CHUNK_BYTES);
  if (p.end && p.end + 4 <= size)
    sd_fuzz_put_sum (data + p.end, data, p.end);
}

#endif
