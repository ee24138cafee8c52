/** \file service.h
 * Answers about positions over HTTP, for programs and for people: `subdef serve`. service.c knows the paths
 * and nothing of sockets, http.c the library libmicrohttpd and nothing of chess. */
#ifndef SD_SERVICE_H
#define SD_SERVICE_H

#include "tools/probe/answers.h"

/** What all requests share; read-only while any is answered. */
typedef struct sd_service {
  sd_rules rules;
  sd_game_tables *answers;
  const sd_tables *tables; /* those behind the answers */
} sd_service;
/** path: of tables. Chess. */
int sd_service_open (const char *path, sd_service *out, sd_error *err);
void sd_service_close (sd_service *s);

/** An answer. body is malloced if owned, else it stays. */
typedef struct sd_reply {
  unsigned status; /* of HTTP */
  const char *type;
  char *body;
  size_t n;
  bool owned;
} sd_reply;
/** GET path?fen=... (decoded; NULL: not given). Thread-safe. */
void sd_service_answer (const sd_service *s, const char *path, const char *fen, sd_reply *out);
/** The same for a request that is wrong in another way: a record with one sentence. */
void sd_service_refuse (unsigned status, const char *sentence, sd_reply *out);

/** How many connections are answered at once. A thread without one would have nothing to do. */
enum { SD_CONNECTIONS = 64 };

/** Where to listen. */
typedef struct sd_listening {
  const char *address; /* of this machine, in numbers */
  unsigned port;       /* 0: any that is free */
  unsigned threads;    /* 1 to SD_CONNECTIONS */
} sd_listening;
/** Answer requests until SIGINT or SIGTERM comes, and end what is under way. Calls `ready` with the port once
 * requests are heard, and ends at once if that is false. SD_EUNSUPPORTED: this build has no HTTP; SD_EINVAL:
 * no such address; SD_EIO: the port cannot be had. */
int sd_http_serve (const sd_service *s, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err);

#endif
