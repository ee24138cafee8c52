/** \file rates.h
 * How many requests a second an address may send. Each address has an allowance that grows with time up to a
 * limit, and that each request takes one from (a token bucket). Addresses of IPv6 count by their first 64
 * bits, which one customer has for himself. */
#ifndef SD_RATES_H
#define SD_RATES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/** SD_RATE_MORE: requests that an address may send at once beside those of a second, as the page of the
 * server with its files needs. SD_RATE_SETS, SD_RATE_WAYS: of how many addresses allowances are kept; where
 * there are more, that of the one whose allowance is fullest goes, which loses least. */
enum { SD_RATE_MORE = 20, SD_RATE_SETS = 1024, SD_RATE_WAYS = 4 };

typedef struct sd_rate {
  uint64_t address; /* 0: nobody's */
  int64_t ns;       /* when `left` was right */
  double left;
} sd_rate;

/** {0} with a lock is empty. */
typedef struct sd_rates {
  pthread_mutex_t lock;
  unsigned a_second; /* 0: any number */
  sd_rate of[SD_RATE_SETS][SD_RATE_WAYS];
} sd_rates;

/** An address in a number, which is never 0 but of NULL; all of one customer of IPv6 have the same. */
uint64_t sd_address_number (const struct sockaddr *from);

/** May this address have a request answered now, at that many nanoseconds of a clock that only rises?
 * Thread-safe. */
bool sd_rates_allow (sd_rates *r, const struct sockaddr *from, int64_t ns);

#endif
