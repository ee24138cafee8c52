/* What the files about HTTP share: http.c listens, request.c judges a request, reply.c writes the head of an
 * answer, clients.c knows who is connected, rates.c who asks too often; counts.c and log.c keep what was
 * done. */
#ifndef SD_HTTP_INTERNAL_H
#define SD_HTTP_INTERNAL_H

#include "tools/serve/clients.h"
#include "tools/serve/counts.h"
#include "tools/serve/log.h"
#include "tools/serve/rates.h"
#include <microhttpd.h>

/* What all requests share. */
typedef struct sd_server {
  const sd_service *service;
  const sd_listening *at;
  bool loopback;
  sd_clients clients;
  sd_rates rates;
  sd_served counts;
  int log; /* a file; -1: none */
} sd_server;

/* Who asks; NULL: it is not known. */
const struct sockaddr *sd_request_from (struct MHD_Connection *connection);

/* A header of the request; NULL: none. */
const char *sd_request_header (struct MHD_Connection *connection, const char *name);
/* What is refused, or answered, by the head of the request alone. */
bool sd_request_is_settled (sd_server *s, struct MHD_Connection *connection, const char *method,
                            const char *version, sd_reply *out);
/* Hands it over, with all headers, and notes in the client's request what it is; frees what it owns. */
enum MHD_Result sd_reply_send (sd_server *s, struct MHD_Connection *connection, sd_client *c, sd_reply *r);

#endif
