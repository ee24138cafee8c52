/** \file service.h
 * Answers about positions over HTTP, for programs and for people: `subdef serve`. service.c knows the paths
 * and nothing of sockets, page.c the files for browsers; http.c and what it uses know the library
 * libmicrohttpd and nothing of chess. */
#ifndef SD_SERVICE_H
#define SD_SERVICE_H

#include "tools/probe/answers.h"

/** What all requests share; read-only while any is answered. */
typedef struct sd_service {
  const char *path; /* of tables */
  sd_rules rules;
  sd_game_tables *answers;
  const sd_tables *tables; /* those behind the answers */
} sd_service;
/** path: of tables, which stays. Chess. *out is to be closed in any case. */
int sd_service_open (const char *path, sd_service *out, sd_error *err);
void sd_service_close (sd_service *s);

/** From now on a table whose mapped file is cut is lost (sd_table_lost_at), and the program goes on. The
 * tables stay until it ends. */
void sd_outlive_cuts (const sd_tables *tables);

/** How long an answer may be kept by browsers and proxies. Not at all, since it tells of a fault; as long as
 * the server, when it is asked again, says that it is the same; or so long without asking. Values of
 * positions never change, but a table that is missing may be there after the next start. */
enum sd_keep { SD_KEEP_NOT, SD_KEEP_CHECKED, SD_KEEP_MINUTE, SD_KEEP_DAY };

/** An answer. body is malloced if owned, else it stays. */
typedef struct sd_reply {
  unsigned status;  /* of HTTP */
  const char *type; /* NULL: there is no body */
  enum sd_keep keep;
  char *body;
  size_t n; /* bytes of body */
  bool owned;
} sd_reply;
/** GET path?fen=... (decoded; NULL: not given). Thread-safe. */
void sd_service_answer (const sd_service *s, const char *path, const char *fen, sd_reply *out);
/** The same for a request that is wrong in another way: a record with one sentence. */
void sd_service_refuse (unsigned status, const char *sentence, sd_reply *out);

/** A file of the page for browsers; false: there is none at this path. */
bool sd_page_file (const char *path, sd_reply *out);

/** How many connections there may be, and how many threads share them. */
enum { SD_CONNECTIONS = 256, SD_MOST_THREADS = 64 };

/** Where to listen. */
typedef struct sd_listening {
  const char *address; /* of this machine, in numbers */
  unsigned port;       /* 0: any that is free */
  unsigned threads;    /* 1 to SD_MOST_THREADS */
  const char *origin;  /* whose pages may read answers, "*": all; NULL: only those of the server itself */
} sd_listening;
/** Answer requests until SIGINT or SIGTERM comes, and end what is under way. Calls `ready` with the port once
 * requests are heard, and ends at once if that is false. SD_EUNSUPPORTED: this build has no HTTP; SD_EINVAL:
 * no such address; SD_EIO: the port cannot be had. */
int sd_http_serve (const sd_service *s, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err);

#endif
