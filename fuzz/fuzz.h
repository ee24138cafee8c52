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

/** The property does not hold: say which and end the program. */
#define SD_FUZZ_CHECK(x)                                                                                     \
  do {                                                                                                       \
    if (!(x)) {                                                                                              \
      fprintf (stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #x);                                \
      abort ();                                                                                              \
    }                                                                                                        \
  } while (0)

#endif
