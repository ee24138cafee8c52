/* subdef-gen with a memory that ends: linked with --wrap, so that requests of our own code come here, those
 * of MPI, OpenMP and the C library do not.
 *
 * SHORT_AT=N: the N-th request fails and all that follow; SHORT_AT=-N: the N-th alone. SHORT_RANK=R: on rank
 * R only. SHORT_COUNT=FILE: for each request a line with the place that it comes from, the innermost callers
 * (rank 0 of several). */
#include "config.h"
#include <errno.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__real_malloc (size_t);
extern void *__real_calloc (size_t, size_t);
extern void *__real_realloc (void *, size_t);
extern int __real_posix_memalign (void **, size_t, size_t);
void *__wrap_malloc (size_t);
void *__wrap_calloc (size_t, size_t);
void *__wrap_realloc (void *, size_t);
int __wrap_posix_memalign (void **, size_t, size_t);
char *__wrap_strdup (const char *);

static long requests, at;
static FILE *places;

static int rank_of (void) {
  const char *rank = getenv ("OMPI_COMM_WORLD_RANK");
  return rank ? atoi (rank) : 0;
}

static void __attribute__ ((constructor)) begin (void) {
  const char *number = getenv ("SHORT_AT"), *rank = getenv ("SHORT_RANK"), *name = getenv ("SHORT_COUNT");
  at = number && (!rank || atoi (rank) == rank_of ()) ? strtol (number, NULL, 10) : 0;
  places = name && rank_of () == 0 ? fopen (name, "w") : NULL;
}

static void __attribute__ ((destructor)) end (void) {
  if (places)
    fclose (places);
}

static void tell_place (void) {
  void *caller[7]; /* up to four of them are the functions below, as far as they are not inlined */
  for (int i = 0, n = backtrace (caller, 7); i < n; i++)
    fprintf (places, "%p", caller[i]);
  fputc ('\n', places);
}

static int fails (void) {
  const long n = __atomic_add_fetch (&requests, 1, __ATOMIC_RELAXED);
  if (places)
    tell_place ();
  if (at == 0 || (at > 0 ? n < at : n != -at))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *__wrap_malloc (size_t n) {
  return fails () ? NULL : __real_malloc (n);
}
void *__wrap_calloc (size_t n, size_t size) {
  return fails () ? NULL : __real_calloc (n, size);
}
void *__wrap_realloc (void *p, size_t n) {
  return fails () ? NULL : __real_realloc (p, n);
}
int __wrap_posix_memalign (void **p, size_t align, size_t n) {
  return fails () ? ENOMEM : __real_posix_memalign (p, align, n);
}
char *__wrap_strdup (const char *s) {
  const size_t n = strlen (s) + 1;
  char *copy = fails () ? NULL : __real_malloc (n);
  return copy ? memcpy (copy, s, n) : NULL;
}
