/* Large arrays, and memory that is free and yet kept by the process. */
#include "config.h"
#include "base/base.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void *sd_alloc_large (uint64_t n, size_t size) {
  enum { PAGE = 2 << 20 };
  uint64_t bytes, padded;
  void *p;
  if (sd_mul (n, size, &bytes) || sd_add (bytes, PAGE - 1, &padded) || padded > SIZE_MAX / 2)
    return NULL;
  if (bytes < 4 * PAGE)
    return sd_alloc (n, size);
  padded = padded / PAGE * PAGE;
  if (posix_memalign (&p, PAGE, padded) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  madvise (p, padded, MADV_HUGEPAGE); /* a wish */
#endif
  return p;
}

void *sd_alloc0_large (uint64_t n, size_t size) {
  void *p = sd_alloc_large (n, size);
  if (p)
    memset (p, 0, n * size);
  return p;
}

void sd_memory_back (void) {
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}
