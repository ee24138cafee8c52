/** \file clients.h
 * Who is connected, and for how long. A client that takes its time holds one of a limited number of
 * connections, so that each has a deadline for the head of a request and one for fetching the answer, however
 * it spreads its bytes. Where few connections are left, the one that has waited longest without a whole
 * request goes. Who sends a request at once is answered before its turn comes. */
#ifndef SD_CLIENTS_H
#define SD_CLIENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** Seconds from the connection, or from the end of an answer, to the end of the next request's head; and from
 * there to the end of the answer. A file has a second more for so many of its bytes. */
enum { SD_REQUEST_SECONDS = 10, SD_ANSWER_SECONDS = 60, SD_BYTES_A_SECOND = 32 << 10 };

/** A request of a connection, from its address to the end of the answer. */
typedef struct sd_request {
  char *address;                /* as it came, for the log; NULL: not kept. malloced */
  const char *method, *version; /* stay until the answer has gone */
  bool zero;                    /* its path holds a byte 0 */
  unsigned status;              /* of the answer; 0: none yet */
  uint64_t bytes;               /* of the answer's body */
  int64_t ns;                   /* when its head was there */
} sd_request;

/** A connection. */
typedef struct sd_client {
  struct sd_client *next;
  int socket;
  uint64_t address; /* sd_address_number */
  bool asks;        /* the head of its request is awaited */
  bool fetches;     /* it is answered with a file */
  bool ended;       /* by us */
  int64_t seconds;  /* when it began to ask, or to be answered */
  int64_t most;     /* that being answered may take */
  sd_request request;
} sd_client;

/** All of them. {0} with a lock is empty. */
typedef struct sd_clients {
  pthread_mutex_t lock;
  sd_client *first;
  unsigned n, crowd; /* beyond `crowd` of them somebody has to go */
  uint64_t ended;    /* by us, since the start */
} sd_clients;

/** A new connection, whose request is awaited from now on. NULL: no memory. Thread-safe, as all here. */
sd_client *sd_client_enter (sd_clients *all, int socket, uint64_t address);
/** To be called before the socket is closed; NULL does nothing. */
void sd_client_leave (sd_clients *all, sd_client *c);
/** The next request is awaited; or (false) the head of one is there. */
void sd_client_asks (sd_clients *all, sd_client *c, bool asks);
/** It is answered with a file of so many bytes. false: `most` others are, or `of_one` of its address. */
bool sd_client_fetches (sd_clients *all, sd_client *c, uint64_t bytes, unsigned most, unsigned of_one);
/** How many there are, and how many were ended so far. */
void sd_clients_count (sd_clients *all, unsigned *n, uint64_t *ended);
/** End the connections whose time is over. To be called every second. */
void sd_clients_end_late (sd_clients *all);

#endif
