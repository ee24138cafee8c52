/** \file memory.c
 * See memory.h. A block counts with the bytes that the C library made of the request. */
#include "config.h"
#include "fuzz/memory.h"

static int64_t held, peak;

#ifdef SD_COUNTED
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

extern void *__real_malloc (size_t);
extern void *__real_calloc (size_t, size_t);
extern void *__real_realloc (void *, size_t);
extern void __real_free (void *);
extern int __real_posix_memalign (void **, size_t, size_t);
void *__wrap_malloc (size_t);
void *__wrap_calloc (size_t, size_t);
void *__wrap_realloc (void *, size_t);
void __wrap_free (void *);
int __wrap_posix_memalign (void **, size_t, size_t);
char *__wrap_strdup (const char *);

static void *count (void *p) {
  if (!p)
    return p;
  const int64_t now = __atomic_add_fetch (&held, (int64_t) malloc_usable_size (p), __ATOMIC_RELAXED);
  int64_t most = __atomic_load_n (&peak, __ATOMIC_RELAXED);
  while (now > most
         && !__atomic_compare_exchange_n (&peak, &most, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return p;
}

static void forget (size_t bytes) {
  __atomic_sub_fetch (&held, (int64_t) bytes, __ATOMIC_RELAXED);
}

void *__wrap_malloc (size_t n) {
  return count (__real_malloc (n));
}
void *__wrap_calloc (size_t n, size_t size) {
  return count (__real_calloc (n, size));
}
void *__wrap_realloc (void *p, size_t n) {
  const size_t before = p ? malloc_usable_size (p) : 0;
  void *q = count (__real_realloc (p, n)); /* old and new are there at once, for all we know */
  if (q || n == 0)
    forget (before);
  return q;
}
void __wrap_free (void *p) {
  if (p)
    forget (malloc_usable_size (p));
  __real_free (p);
}
int __wrap_posix_memalign (void **p, size_t align, size_t n) {
  const int failed = __real_posix_memalign (p, align, n);
  if (!failed)
    count (*p);
  return failed;
}
char *__wrap_strdup (const char *s) {
  const size_t n = strlen (s) + 1;
  char *copy = __wrap_malloc (n);
  return copy ? memcpy (copy, s, n) : NULL;
}

#endif

uint64_t sd_fuzz_memory_start (void) {
  const int64_t now = __atomic_load_n (&held, __ATOMIC_RELAXED);
  __atomic_store_n (&peak, now, __ATOMIC_RELAXED);
  return (uint64_t) now;
}

uint64_t sd_fuzz_memory_peak (uint64_t start) {
  const int64_t most = __atomic_load_n (&peak, __ATOMIC_RELAXED) - (int64_t) start;
  return most > 0 ? (uint64_t) most : 0;
}
