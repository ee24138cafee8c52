/** \file service.h
 * Answers about positions over HTTP, for programs and for people: `subdef serve`. service.c knows the paths
 * and nothing of sockets, page.c the files for browsers; http.c and what it uses know the library
 * libmicrohttpd and nothing of chess. */
#ifndef SD_SERVICE_H
#define SD_SERVICE_H

#include "tools/probe/answers.h"

/** What the files of tables are for who downloads them (files.c), and the counting of values (stats.c). */
typedef struct sd_offers sd_offers;
typedef struct sd_counting sd_counting;

/** What a server may be told beside its tables. */
typedef struct sd_service_options {
  bool downloads;            /* files of tables are given away */
  uint64_t statistics_bytes; /* memory for counting a table's values; 0: nothing is counted */
} sd_service_options;

/** What all requests share; read-only while any is answered, but for `counting`, which has a lock. */
typedef struct sd_service {
  const char *path; /* of tables */
  sd_rules rules;
  sd_game_tables *answers;
  const sd_tables *tables; /* those behind the answers */
  char *published;         /* docs/checksums.csv as text; NULL: it is not there */
  char *list;              /* the answer to /tables */
  uint64_t bytes;          /* of all usable tables */
  unsigned usable;
  sd_offers *offers; /* NULL: no downloads */
  sd_counting *counting;
} sd_service;
/** path: of tables, which stays. Chess. *out is to be closed in any case. */
int sd_service_open (const char *path, const sd_service_options *how, sd_service *out, sd_error *err);
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
  bool damaged;      /* it tells of a table that cannot be read */
  bool is_file;      /* in place of the body: */
  int fd;            /* an open file, which belongs to the answer, */
  uint64_t bytes;    /* its size, */
  uint64_t identity; /* what it changes with, */
  int64_t modified;  /* and when it did, in seconds since 1970 */
  const char *name;
  unsigned retry; /* seconds after which to ask again; 0: nothing is said */
} sd_reply;

/** A question: what stands before and behind the '?' of the address, decoded; NULL: not given. */
typedef struct sd_ask {
  const char *path, *fen, *ending, *metric;
} sd_ask;
/** Thread-safe. */
void sd_service_answer (const sd_service *s, const sd_ask *ask, sd_reply *out);
/** The same for a request that is wrong in another way: a record with one sentence. */
void sd_service_refuse (unsigned status, const char *sentence, sd_reply *out);

/** A record as an answer; the record is given up. */
void sd_service_reply (unsigned status, enum sd_keep keep, json_t *record, sd_reply *out);
/** A sentence about tables, without the folders that they lie in. */
json_t *sd_service_sentence (const sd_service *s, const char *sentence);
/** The name of a table's file without its folder; "-" for NULL. */
const char *sd_service_file (const char *path);

/** Makes the answer to /tables (s->list), and counts what is usable. downloads: with the addresses of files.
 * lists.c */
int sd_service_list (sd_service *s, bool downloads, sd_error *err);
/** The lines of docs/checksums.csv about this table as a list, shortened to the checksums or whole; JSON's
 * null where they are not there. lists.c */
json_t *sd_service_published (const sd_service *s, const sd_table_info *in, bool whole);

/** /stats: how many positions are won, drawn and lost. Values are counted by another process, one table at a
 * time, when they are asked for first. stats.c */
int sd_counting_new (const char *path, uint64_t bytes, unsigned tables, sd_counting **out, sd_error *err);
/** Ends what is being counted. NULL does nothing. */
void sd_counting_free (sd_counting *c);
void sd_service_statistics (const sd_service *s, const sd_ask *ask, sd_reply *out);

/** The files of tables as they are now, for /files/NAME. files.c */
int sd_offers_new (const sd_tables *tables, sd_offers **out, sd_error *err);
void sd_offers_free (sd_offers *o);
void sd_service_download (const sd_service *s, const char *name, sd_reply *out);

/** A file of the page for browsers; false: there is none at this path. */
bool sd_page_file (const char *path, sd_reply *out);

/** How many connections there may be, how many of them may fetch files, of one address of another machine,
 * and how many threads share them. */
enum { SD_CONNECTIONS = 256, SD_DOWNLOADS = 64, SD_DOWNLOADS_OF_ONE = 8, SD_MOST_THREADS = 64 };

/** Where to listen. */
typedef struct sd_listening {
  const char *address;  /* of this machine, in numbers */
  unsigned port;        /* 0: any that is free */
  unsigned threads;     /* 1 to SD_MOST_THREADS */
  const char *origin;   /* whose pages may read answers, "*": all; NULL: only those of the server itself */
  unsigned rate;        /* requests a second of one address; 0: any number */
  bool limited;         /* `connections` counts; else 32 where others than this machine are served */
  unsigned connections; /* of one address at once; 0: any number */
  const char *log;      /* a file to which requests are added, "-": standard output; NULL: none */
} sd_listening;
/** Answer requests until SIGINT or SIGTERM comes, and end what is under way. Calls `ready` with the port once
 * requests are heard, and ends at once if that is false. SD_EUNSUPPORTED: this build has no HTTP; SD_EINVAL:
 * no such address; SD_EIO: the port cannot be had. */
int sd_http_serve (const sd_service *s, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err);

#endif
