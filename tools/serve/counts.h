/** \file counts.h
 * What a server has done since it was started, as numbers that only rise: /metrics, in the text format of
 * Prometheus. */
#ifndef SD_COUNTS_H
#define SD_COUNTS_H

#include "tools/serve/service.h"

enum { SD_FIRST_STATUS = 200, SD_STATUSES = 400, SD_TIMES = 7 };

/** {0}: nothing yet. Changed by all threads at once, without a lock. */
typedef struct sd_served {
  uint64_t status[SD_STATUSES]; /* requests that were answered so */
  uint64_t damaged;             /* answers that tell of damage */
  uint64_t bytes;               /* of the bodies of answers that went out whole */
  uint64_t time[SD_TIMES + 1];  /* answers that took at most 10 us, 100 us, ... 10 s; the rest */
  uint64_t ns;                  /* that all of them took */
  uint64_t lines;               /* of the log that could not be written */
} sd_served;

/** An answer was made in so many nanoseconds. */
void sd_served_add (sd_served *c, unsigned status, bool damaged, int64_t ns);
/** The body of an answer went out whole. */
void sd_served_sent (sd_served *c, uint64_t bytes);
/** A line of the log could not be written. */
void sd_served_lost_line (sd_served *c);
/** All of it as text. connections: open now; ended: that were ended because they took too long, or others
 * needed their place. Thread-safe. */
void sd_served_reply (const sd_served *c, const sd_service *s, unsigned connections, uint64_t ended,
                      sd_reply *out);

#endif
