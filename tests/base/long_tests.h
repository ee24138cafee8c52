/* How much a test goes through: with SD_LONG_TESTS=1 in the environment more than what two cores run in
 * minutes. */
#ifndef SD_TESTS_LONG_TESTS_H
#define SD_TESTS_LONG_TESTS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool sd_long_tests (void) {
  const char *wanted = getenv ("SD_LONG_TESTS");
  return wanted && *wanted && strcmp (wanted, "0") != 0;
}

/* Steps of a loop that long tests go through one by one: 1, or `often`. */
static inline unsigned sd_every (unsigned often) {
  return sd_long_tests () ? 1 : often;
}

#endif
