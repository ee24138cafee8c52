#include "config.h"
#include "tools/serve/ranges.h"
#include <stdbool.h>
#include <string.h>

/* Digits; false: there is none, or the number is too large for any file. */
static bool read_number (const char **at, uint64_t *out) {
  const char *from = *at;
  uint64_t v = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    if (v > (INT64_MAX - 9) / 10)
      return false;
    else
      v = 10 * v + (uint64_t) (**at - '0');
  *out = v;
  return *at > from;
}

/* "bytes=0-99", "bytes=100-", "bytes=-100": the last ones. */
enum sd_range sd_range_read (const char *text, uint64_t n, uint64_t *first, uint64_t *count) {
  static const char unit[] = "bytes=";
  uint64_t from = 0, to = 0;

  *first = 0;
  *count = n;
  if (!text || strncmp (text, unit, sizeof unit - 1) != 0)
    return SD_RANGE_ALL;
  const char *at = text + sizeof unit - 1;
  const bool begins = read_number (&at, &from);
  if (*at != '-')
    return SD_RANGE_ALL;
  at++;
  const bool ends = read_number (&at, &to);
  if (*at || (!begins && !ends) || (begins && ends && to < from))
    return SD_RANGE_ALL;

  if (!begins) {
    from = to < n ? n - to : 0;
    to = n - 1;
  } else if (!ends || to >= n)
    to = n - 1;
  if (from >= n)
    return SD_RANGE_NONE;
  *first = from;
  *count = to - from + 1;
  return SD_RANGE_PART;
}
