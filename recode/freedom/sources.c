/** \file sources.c
 * Which sources of freedom a table can have: what a sweep and a single run ask for, alike. */
#include "config.h"
#include "recode/recode.h"

/* "illegal, capture, promotion" */
static void list (unsigned sources, char *out, size_t cap) {
  char name[24];
  size_t at = 0;
  for (unsigned bit = 1; bit <= SD_FREE_KNOWN; bit <<= 1)
    if (sources & bit && at < cap) {
      sd_freedom_text (bit, name, sizeof name);
      at += (size_t) snprintf (out + at, cap - at, "%s%s", at ? ", " : "", name);
    }
}

int sd_freedom_choose (enum sd_metric metric, enum sd_coding coding, unsigned asked, unsigned *out,
                       sd_error *err) {
  const unsigned possible = sd_freedom_of_coding (coding);
  char idle[200], known[200];
  *out = asked;
  if ((asked & SD_FREE_ALL) == SD_FREE_ALL)
    *out &= ~(SD_FREE_ALL & ~possible);
  if (!(*out & ~possible))
    return SD_OK;
  sd_freedom_text (*out & ~possible, idle, sizeof idle);
  list (possible, known, sizeof known);
  return sd_fail (err, SD_EINVAL,
                  "\"%s\" means nothing for metric %s, coding %s; possible are none, all%s and sets of %s",
                  idle, sd_metrics[metric].name, sd_codings[coding].name,
                  possible & SD_FREE_WIN ? ", all+won" : "", known);
}
