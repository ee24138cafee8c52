/* The checksum of the two files to copy is XXH3 of xxHash, for every length up to 2000 and some longer ones.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
uint64_t theirs (const void *data, size_t n);
#ifdef THEIRS
#define XXH_INLINE_ALL
#include <xxhash.h>
uint64_t theirs (const void *data, size_t n) {
  return XXH3_64bits (data, n);
}
#else
#include "amalgamation/xxh3.c"
int main (void) {
  static uint8_t bytes[(1 << 20) + 1];
  uint64_t state = 7;
  for (size_t i = 0; i < sizeof bytes; i++) {
    state = state * UINT64_C (6364136223846793005) + 1;
    bytes[i] = (uint8_t) (state >> 56);
  }
  for (size_t n = 0; n <= sizeof bytes; n = n < 2000               ? n + 1
                                            : n == sizeof bytes    ? n + 1
                                            : n * 3 > sizeof bytes ? sizeof bytes
                                                                   : n * 3)
    if (XXH3_64bits (bytes + sizeof bytes - n, n) != theirs (bytes + sizeof bytes - n, n)) {
      printf ("another checksum of %zu bytes\n", n);
      return 1;
    }
  return 0;
}
#endif
