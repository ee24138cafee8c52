/** \file fuzz.h
 * What a fuzz target offers: the entry point that libFuzzer calls, and valid inputs of its own to start from.
 */
#ifndef SD_FUZZ_H
#define SD_FUZZ_H

#include "base/base.h"
#include <stdlib.h>

/** Eat one input; crashes, sanitizer reports and abort () are the findings. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
/** Append valid input number k, made in memory; false: there are no more. */
bool sd_fuzz_seed (unsigned k, sd_buf *out);

/** Inputs of one kind, such as a codec: how many came so far that they were tried, and how many of these were
 * accepted, so that all that follows was tried, too. */
typedef struct sd_fuzz_count {
  const char *kind;
  uint64_t tried, accepted;
} sd_fuzz_count;
enum { SD_FUZZ_KINDS = 64 };
/** The counts of the target, which keeps them; kind = NULL: not seen. */
extern sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS];
/** Count one input. k < SD_FUZZ_KINDS. */
static inline void sd_fuzz_count_one (unsigned k, const char *kind, bool accepted) {
  sd_fuzz_counts[k].kind = kind;
  sd_fuzz_counts[k].tried++;
  sd_fuzz_counts[k].accepted += accepted;
}

/** The property does not hold: say which and end the program. */
#define SD_FUZZ_CHECK(x)                                                                                     \
  do {                                                                                                       \
    if (!(x)) {                                                                                              \
      fprintf (stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #x);                                \
      abort ();                                                                                              \
    }                                                                                                        \
  } while (0)

#endif
