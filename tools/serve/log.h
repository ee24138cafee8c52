/** \file log.h
 * The list of requests that programs for statistics of web servers read: a line each in the common log
 * format, `ADDRESS - - [TIME] "GET /info HTTP/1.1" 200 123`. */
#ifndef SD_SERVE_LOG_H
#define SD_SERVE_LOG_H

#include "base/base.h"
#include <sys/socket.h>

/** A line of it. What clients have written is put between quotes with all that is no printable letter of
 * ASCII, and the quote and the backslash, as \xHH. */
typedef struct sd_log_line {
  const struct sockaddr *from;            /* NULL: it is not known */
  const char *method, *address, *version; /* as they came */
  unsigned status;
  bool sent;      /* the answer went out whole; else "-" stands for its bytes */
  uint64_t bytes; /* of its body */
} sd_log_line;

/** A file, to whose end lines are added, or a pipe that is read; "-": standard output. SD_EIO. */
int sd_log_open (const char *file, int *fd, sd_error *err);
/** Thread-safe: a line is written by one call of the system. False: it was lost, since the disk is full or
 * nobody reads the pipe, for which nothing waits. */
bool sd_log_add (int fd, const sd_log_line *line);

#endif
