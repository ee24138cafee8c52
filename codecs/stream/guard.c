/** \file guard.c
 * Checksums that are compared when their bytes are first read (sd_guard in stream.h). A chunk of a table
 * is 1 MiB, which takes about 0.1 ms, once. */
#include "config.h"
#include "codecs/stream/stream.h"

static bool right (const sd_guard *g, uint64_t chunk) {
  const uint64_t at = chunk << g->chunk_bits, rest = g->bytes - at, most = UINT64_C (1) << g->chunk_bits;
  sd_reader r = sd_reader_of (g->sums + 4 * chunk, 4);
  return (uint32_t) sd_hash64 (g->data + at, (size_t) (rest < most ? rest : most)) == sd_get_u32 (&r);
}

int sd_guard_compare (const sd_guard *g, uint64_t first, uint64_t last) {
  for (uint64_t c = first; c <= last; c++) {
    uint8_t state = __atomic_load_n (g->state + c, __ATOMIC_RELAXED);
    if (state == SD_CHUNK_NEW) {
      state = right (g, c) ? SD_CHUNK_RIGHT : SD_CHUNK_WRONG;
      __atomic_store_n (g->state + c, state, __ATOMIC_RELAXED);
    }
    if (state == SD_CHUNK_WRONG)
      return SD_ECHECKSUM;
  }
  return SD_OK;
}
