/* Counts what a program asks malloc, calloc and realloc for, the C library's own requests included. Include
 * it in one file of a test program. Not with AddressSanitizer, which brings its own malloc, nor with other C
 * libraries than glibc: then COUNTS_REQUESTS is 0. */
#ifndef SD_TESTS_COUNT_REQUESTS_H
#define SD_TESTS_COUNT_REQUESTS_H

#include <stdlib.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define COUNTS_REQUESTS 0
#endif
#endif
#if !defined COUNTS_REQUESTS
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define COUNTS_REQUESTS 1
#else
#define COUNTS_REQUESTS 0
#endif
#endif

static unsigned long requests;

#if COUNTS_REQUESTS
extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
void *malloc (size_t n) {
  __atomic_add_fetch (&requests, 1, __ATOMIC_RELAXED);
  return __libc_malloc (n);
}
void *calloc (size_t n, size_t size) {
  __atomic_add_fetch (&requests, 1, __ATOMIC_RELAXED);
  return __libc_calloc (n, size);
}
void *realloc (void *p, size_t n) {
  __atomic_add_fetch (&requests, 1, __ATOMIC_RELAXED);
  return __libc_realloc (p, n);
}
#endif

static inline unsigned long requests_so_far (void) {
  return __atomic_load_n (&requests, __ATOMIC_RELAXED);
}

#endif
