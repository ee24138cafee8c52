/** \file parts.c
 * Parts of a pass that threads take. */
#include "config.h"
#include "base/parts.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Within a parallel region that has the threads already there are no others. */
static unsigned threads (void) {
#ifdef _OPENMP
  return omp_get_active_level () < omp_get_max_active_levels () ? (unsigned) omp_get_max_threads () : 1;
#else
  return 1;
#endif
}

unsigned sd_thread_number (void) {
#ifdef _OPENMP
  return (unsigned) omp_get_thread_num ();
#else
  return 0;
#endif
}

unsigned sd_parts (uint64_t n) {
  const unsigned most = threads () < SD_MAX_PARTS ? threads () : SD_MAX_PARTS;
  return n / SD_PART > most ? most : n > SD_PART ? (unsigned) (n / SD_PART) : 1;
}

void sd_parts_cut (uint64_t from, uint64_t to, unsigned parts, sd_part_begin *may_begin, const void *ctx,
                   uint64_t *first) {
  first[0] = from;
  for (unsigned k = 1; k < parts; k++) {
    uint64_t i = from + (to - from) / parts * k;
    for (i = i < first[k - 1] ? first[k - 1] : i; i < to && !may_begin (ctx, i);)
      i++;
    first[k] = i;
  }
  first[parts] = to;
}
