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
 * there to the end of the answer. */
enum { SD_REQUEST_SECONDS = 10, SD_ANSWER_SECONDS = 60 };

/** A connection. */
typedef struct sd_client {
  struct sd_client *next;
  int socket;
  bool asks;       /* the head of its request is awaited */
  bool ended;      /* by us */
  bool zero;       /* its request's path holds a byte 0 */
  int64_t seconds; /* when it began to ask, or to be answered */
} sd_client;

/** All of them. {0} with a lock is empty. */
typedef struct sd_clients {
  pthread_mutex_t lock;
  sd_client *first;
  unsigned n, crowd; /* beyond `crowd` of them somebody has to go */
} sd_clients;

/** A new connection, whose request is awaited from now on. NULL: no memory. Thread-safe, as all here. */
sd_client *sd_client_enter (sd_clients *all, int socket);
/** To be called before the socket is closed; NULL does nothing. */
void sd_client_leave (sd_clients *all, sd_client *c);
/** The next request is awaited; or (false) the head of one is there. */
void sd_client_asks (sd_clients *all, sd_client *c, bool asks);
/** End the connections whose time is over. To be called every second. */
void sd_clients_end_late (sd_clients *all);

#endif
