/** \file memory.h
 * How much memory the library holds, and held at most: its own requests, counted, those of compression
 * libraries not. For programs that are compiled with SD_COUNTED and linked with the library as objects (not
 * shared) and with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=posix_memalign,--wrap=strdup; in others
 * all is 0. Works with sanitizers. */
#ifndef SD_FUZZ_MEMORY_H
#define SD_FUZZ_MEMORY_H

#include <stdint.h>

/** What opening a file of so many bytes may hold at most (docs/format.md, section 7.8). */
#define SD_OPEN_A_BYTE 64
#define SD_OPEN_FREE (UINT64_C (1) << 20)
static inline uint64_t sd_open_bound (uint64_t bytes) {
  return SD_OPEN_FREE + SD_OPEN_A_BYTE * bytes;
}

/** Forget what was held at most; *held now. */
uint64_t sd_fuzz_memory_start (void);
/** Held at most since then, beyond what was held then. */
uint64_t sd_fuzz_memory_peak (uint64_t start);

#endif
