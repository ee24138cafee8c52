/* The deadlines of connections, which libmicrohttpd does not have: it knows how long a connection may be
 * silent, not how long it may take. A connection is ended by shutting its socket down: the thread that serves
 * it then finds it at its end, and closes it. */
#include "config.h"
#include "tools/serve/clients.h"
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

/* Seconds of a clock that nobody sets. */
static int64_t now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

/* The socket is still open, since a connection leaves the list before it is closed. */
static void end (sd_clients *all, sd_client *c) {
  c->ended = true;
  all->ended++;
  shutdown (c->socket, SHUT_RDWR);
}

/* An answer that a client takes does not last so long. */
enum { UNHURRIED_SECONDS = 2 };

/* Clients stand with the newest first, so that the last one found has waited longest. Never the newest, which
 * has just come. Where none of the others asks, the one goes that is being answered for a while and whose
 * deadline comes first: those who send requests and read no answer would hold all places. */
static void make_room (sd_clients *all) {
  const int64_t t = now ();
  sd_client *asks = NULL, *reads = NULL;
  for (sd_client *c = all->first->next; c; c = c->next) {
    if (c->ended)
      continue;
    if (c->asks && (!asks || c->seconds <= asks->seconds))
      asks = c;
    if (!c->asks && t - c->seconds >= UNHURRIED_SECONDS
        && (!reads || c->seconds + c->most <= reads->seconds + reads->most))
      reads = c;
  }
  if (asks || reads)
    end (all, asks ? asks : reads);
}

sd_client *sd_client_enter (sd_clients *all, int socket, uint64_t address) {
  sd_client *c = malloc (sizeof *c);
  if (!c)
    return NULL;

  pthread_mutex_lock (&all->lock);
  *c = (sd_client){ .next = all->first,
                    .socket = socket,
                    .address = address,
                    .asks = true,
                    .seconds = now (),
                    .most = SD_REQUEST_SECONDS };
  all->first = c;
  if (++all->n > all->crowd)
    make_room (all);

  pthread_mutex_unlock (&all->lock);
  return c;
}

void sd_client_leave (sd_clients *all, sd_client *c) {
  if (!c)
    return;

  pthread_mutex_lock (&all->lock);
  sd_client **at = &all->first;
  while (*at != c)
    at = &(*at)->next;
  *at = c->next;
  all->n--;
  pthread_mutex_unlock (&all->lock);
  free (c->request.address);
  free (c);
}

void sd_client_asks (sd_clients *all, sd_client *c, bool asks) {
  pthread_mutex_lock (&all->lock);
  c->asks = asks;
  c->fetches = false;
  c->seconds = now ();
  c->most = asks ? SD_REQUEST_SECONDS : SD_ANSWER_SECONDS;
  pthread_mutex_unlock (&all->lock);
}

bool sd_client_fetches (sd_clients *all, sd_client *c, uint64_t bytes, unsigned most, unsigned of_one) {
  unsigned n = 0, same = 0;
  pthread_mutex_lock (&all->lock);
  for (const sd_client *o = all->first; o; o = o->next)
    if (o->fetches) {
      n++;
      same += o->address == c->address;
    }
  c->fetches = n < most && same < of_one;
  if (c->fetches)
    c->most = SD_ANSWER_SECONDS + (int64_t) (bytes / SD_BYTES_A_SECOND);
  const bool may = c->fetches;
  pthread_mutex_unlock (&all->lock);
  return may;
}

void sd_clients_count (sd_clients *all, unsigned *n, uint64_t *ended) {
  pthread_mutex_lock (&all->lock);
  *n = all->n;
  *ended = all->ended;
  pthread_mutex_unlock (&all->lock);
}

void sd_clients_end_late (sd_clients *all) {
  pthread_mutex_lock (&all->lock);
  const int64_t t = now ();
  for (sd_client *c = all->first; c; c = c->next)
    if (!c->ended && t - c->seconds > c->most)
      end (all, c);
  pthread_mutex_unlock (&all->lock);
}
