/** \file guard.c
 * Checksums that are compared when their bytes are first read (sd_guard in stream.h). A chunk of a table
 * is 1 MiB, which takes about 0.1 ms, once. A probe comes here only for chunks that are new; for others
 * sd_guard_check () is one load. */
#include "config.h"
#include "codecs/stream/stream.h"
#include <sched.h>
#include <unistd.h>

static uint64_t chunk_bytes (const sd_guard *g, uint64_t chunk) {
  const uint64_t rest = g->bytes - (chunk << g->chunk_bits), most = UINT64_C (1) << g->chunk_bits;
  return rest < most ? rest : most;
}

/* The sums lie in the header, which was compared before the stream was opened. */
static bool right (const sd_guard *g, uint64_t chunk) {
  sd_reader r = sd_reader_of (g->sums + 4 * chunk, 4);
  return (uint32_t) sd_hash64 (g->data + (chunk << g->chunk_bits), (size_t) chunk_bytes (g, chunk))
         == sd_get_u32 (&r);
}

/* Released, so that who sees that a chunk is right also sees its bytes, which this thread may have read from
 * the file. */
static uint32_t compare (const sd_guard *g, uint64_t chunk) {
  const uint32_t state = right (g, chunk) ? SD_CHUNK_RIGHT : SD_CHUNK_WRONG;
  __atomic_store_n (g->state + chunk, state, __ATOMIC_RELEASE);
  return state;
}

/* Read a chunk that this thread has claimed, and compare it. SD_CHUNK_NEW: it cannot be read. */
static uint32_t fill (const sd_guard *g, uint64_t chunk) {
  const uint64_t at = chunk << g->chunk_bits;
  if (sd_file_read_at (g->file->fd, g->file->offset + at, (uint8_t *) (uintptr_t) g->data + at,
                       (size_t) chunk_bytes (g, chunk)))
    return compare (g, chunk);
  __atomic_store_n (g->state + chunk, SD_CHUNK_NEW, __ATOMIC_RELEASE);
  return SD_CHUNK_NEW;
}

/* Claim a chunk and read it, or wait for the thread of this process that does. What a thread of another
 * process has claimed, of which this one is a copy (fork), nobody goes on reading: that is claimed, too. */
static uint32_t fill_once (const sd_guard *g, uint64_t chunk) {
  const uint32_t own = SD_CHUNK_READING | (uint32_t) getpid () << 2;
  uint32_t was = __atomic_load_n (g->state + chunk, __ATOMIC_ACQUIRE);
  while (was != SD_CHUNK_RIGHT && was != SD_CHUNK_WRONG) {
    if (was == own)
      sched_yield ();
    else if (__atomic_compare_exchange_n (g->state + chunk, &was, own, false, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE))
      return fill (g, chunk);
    was = __atomic_load_n (g->state + chunk, __ATOMIC_ACQUIRE);
  }
  return was;
}

int sd_guard_compare (const sd_guard *g, uint64_t first, uint64_t last) {
  for (uint64_t c = first; c <= last; c++) {
    uint32_t state = __atomic_load_n (g->state + c, __ATOMIC_ACQUIRE);
    if (state != SD_CHUNK_RIGHT && state != SD_CHUNK_WRONG)
      state = g->file ? fill_once (g, c) : compare (g, c);
    if (state != SD_CHUNK_RIGHT)
      return state == SD_CHUNK_WRONG ? SD_ECHECKSUM : SD_EIO;
  }
  return SD_OK;
}
