/** \file guard.c
 * Checksums that are compared when their bytes are first read (sd_guard in stream.h). A chunk of a table
 * is 1 MiB, which takes about 0.1 ms, once. */
#include "config.h"
#include "codecs/stream/stream.h"
#include <sched.h>

static uint64_t chunk_bytes (const sd_guard *g, uint64_t chunk) {
  const uint64_t rest = g->bytes - (chunk << g->chunk_bits), most = UINT64_C (1) << g->chunk_bits;
  return rest < most ? rest : most;
}

static bool right (const sd_guard *g, uint64_t chunk) {
  sd_reader r = sd_reader_of (g->sums + 4 * chunk, 4);
  return (uint32_t) sd_hash64 (g->data + (chunk << g->chunk_bits), (size_t) chunk_bytes (g, chunk))
         == sd_get_u32 (&r);
}

static uint8_t compare (const sd_guard *g, uint64_t chunk) {
  const uint8_t state = right (g, chunk) ? SD_CHUNK_RIGHT : SD_CHUNK_WRONG;
  __atomic_store_n (g->state + chunk, state, __ATOMIC_RELEASE);
  return state;
}

/* Read a new chunk and compare it, or wait for the thread that does. SD_CHUNK_NEW: it cannot be read. */
static uint8_t fill (const sd_guard *g, uint64_t chunk) {
  uint8_t *state = g->state + chunk, was = SD_CHUNK_NEW;
  const uint64_t at = chunk << g->chunk_bits;
  if (__atomic_compare_exchange_n (state, &was, SD_CHUNK_READING, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_ACQUIRE)) {
    if (sd_file_read_at (g->file->fd, g->file->offset + at, (uint8_t *) (uintptr_t) g->data + at,
                         (size_t) chunk_bytes (g, chunk)))
      return compare (g, chunk);
    __atomic_store_n (state, SD_CHUNK_NEW, __ATOMIC_RELEASE);
    return SD_CHUNK_NEW;
  }
  while ((was = __atomic_load_n (state, __ATOMIC_ACQUIRE)) == SD_CHUNK_READING)
    sched_yield ();
  return was;
}

int sd_guard_compare (const sd_guard *g, uint64_t first, uint64_t last) {
  for (uint64_t c = first; c <= last; c++) {
    uint8_t state = __atomic_load_n (g->state + c, __ATOMIC_ACQUIRE);
    if (state == SD_CHUNK_NEW || state == SD_CHUNK_READING)
      state = g->file ? fill (g, c) : compare (g, c);
    if (state != SD_CHUNK_RIGHT)
      return state == SD_CHUNK_WRONG ? SD_ECHECKSUM : SD_EIO;
  }
  return SD_OK;
}
