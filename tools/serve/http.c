/* The HTTP side of `subdef serve`, by libmicrohttpd. Nothing that comes in is trusted: requests are GET and
 * HEAD with a few kB of headers, connections are limited in number and time, and a name of a foreign host in
 * the header Host, behind which a page of the web may hide, is refused while only this machine is served. */
#include "config.h"
#include "tools/serve/service.h"

#ifdef HAVE_MICROHTTPD
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  IDLE_SECONDS = 15,
  REQUEST_BYTES = 16 << 10 /* memory of a connection: address and headers */
};

/* What the answers share. */
typedef struct server {
  const sd_service *service;
  const char *address; /* that it listens on */
  bool loopback;
} server;

/* "localhost:9000", "127.0.0.1", "[::1]:9000", or the address that is listened on, as 127.0.0.2. */
static bool is_this_machine (const char *host, const char *address) {
  const char *const names[] = { "localhost", "127.0.0.1", "[::1]", address };
  for (unsigned i = 0; host && i < sizeof names / sizeof *names; i++) {
    const size_t n = strlen (names[i]);
    if (strncasecmp (host, names[i], n) == 0 && (host[n] == 0 || host[n] == ':'))
      return true;
  }
  return !host; /* HTTP 1.0 */
}

static enum MHD_Result send_reply (struct MHD_Connection *connection, sd_reply *r) {
  static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                               "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
  struct MHD_Response *response = MHD_create_response_from_buffer (
      r->n, r->body, r->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
  if (!response) {
    if (r->owned)
      free (r->body);
    return MHD_NO;
  }
  MHD_add_response_header (response, "Content-Type", r->type);
  MHD_add_response_header (response, "Content-Security-Policy", policy);
  MHD_add_response_header (response, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header (response, "Cache-Control", "no-store");
  if (r->status == 405)
    MHD_add_response_header (response, "Allow", "GET, HEAD");
  const enum MHD_Result result = MHD_queue_response (connection, r->status, response);
  MHD_destroy_response (response);
  return result;
}

static const char *header (struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value (connection, MHD_HEADER_KIND, name);
}

/* What is refused before anything else of it is read. */
static bool is_refused (const server *s, struct MHD_Connection *connection, const char *method, sd_reply *r) {
  const char *length = header (connection, "Content-Length");
  if (strcmp (method, "GET") != 0 && strcmp (method, "HEAD") != 0)
    sd_service_refuse (405, "only GET and HEAD are answered", r);
  else if ((length && strcmp (length, "0") != 0) || header (connection, "Transfer-Encoding"))
    sd_service_refuse (400, "a request brings nothing along", r);
  else if (s->loopback && !is_this_machine (header (connection, "Host"), s->address))
    sd_service_refuse (403, "only requests to localhost are answered; --listen serves others", r);
  else
    return false;
  return true;
}

/* libmicrohttpd fixes the signature. It calls once when the headers are there, and once when all is. */
static enum MHD_Result answer (void *ctx, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_bytes, void **own) {
  const server *s = ctx;
  static int seen;
  sd_reply r;
  (void) version;
  (void) upload;
  (void) upload_bytes;
  if (!*own) {
    *own = &seen;
    return is_refused (s, connection, method, &r) ? send_reply (connection, &r) : MHD_YES;
  }
  const char *fen = NULL;
  size_t n = 0;
  MHD_lookup_connection_value_n (connection, MHD_GET_ARGUMENT_KIND, "fen", strlen ("fen"), &fen, &n);
  if (fen && strlen (fen) != n)
    sd_service_refuse (400, "FEN: a byte 0 stands in the text", &r);
  else
    sd_service_answer (s->service, url, fen, &r);
  return send_reply (connection, &r);
}

/* An address in numbers. */
static int read_address (const sd_listening *at, struct sockaddr_storage *out, bool *loopback,
                         sd_error *err) {
  struct sockaddr_in *four = (struct sockaddr_in *) out;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *) out;
  memset (out, 0, sizeof *out);
  if (inet_pton (AF_INET, at->address, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons ((uint16_t) at->port);
    *loopback = ntohl (four->sin_addr.s_addr) >> 24 == 127;
    return SD_OK;
  }
  if (inet_pton (AF_INET6, at->address, &six->sin6_addr) != 1)
    return sd_fail (err, SD_EINVAL,
                    "--listen %.100s: expected an address in numbers, such as 127.0.0.1 or ::1", at->address);
  six->sin6_family = AF_INET6;
  six->sin6_port = htons ((uint16_t) at->port);
  *loopback = IN6_IS_ADDR_LOOPBACK (&six->sin6_addr);
  return SD_OK;
}

static void no_log (void *ctx, const char *format, va_list arguments) {
  (void) ctx;
  (void) format;
  (void) arguments;
}

int sd_http_serve (const sd_service *service, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err) {
  struct sockaddr_storage address;
  server s = { .service = service, .address = at->address };
  sigset_t ends, blocked, before;
  int number;
  SD_TRY (read_address (at, &address, &s.loopback, err));
  sigemptyset (&ends);
  sigaddset (&ends, SIGINT);
  sigaddset (&ends, SIGTERM);
  sigaddset (&ends, SIGHUP);
  blocked = ends;
  sigaddset (&blocked, SIGPIPE);                  /* a client that has gone away is no reason to end */
  pthread_sigmask (SIG_BLOCK, &blocked, &before); /* for the threads that start now as well */
  /* Without MHD_USE_ITC a thread whose connections are all taken ends only after one of them has. */
  const unsigned flags =
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC | (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
  errno = 0;
  struct MHD_Daemon *d = MHD_start_daemon (
      flags, 0, NULL, NULL, answer, &s, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL, MHD_OPTION_SOCK_ADDR,
      (struct sockaddr *) &address, MHD_OPTION_THREAD_POOL_SIZE, at->threads, MHD_OPTION_CONNECTION_LIMIT,
      SD_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t) REQUEST_BYTES, MHD_OPTION_END);
  if (!d) {
    const int why = errno;
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    return sd_fail (err, SD_EIO, "cannot listen on %s, port %u: %s", at->address, at->port,
                    why ? strerror (why) : "unknown reason");
  }
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (d, MHD_DAEMON_INFO_BIND_PORT);
  if (ready (at, info ? info->port : at->port))
    sigwait (&ends, &number);
  MHD_stop_daemon (d);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return SD_OK;
}

#else
int sd_http_serve (const sd_service *service, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err) {
  (void) service;
  (void) at;
  (void) ready;
  return sd_fail (err, SD_EUNSUPPORTED, "this build has no HTTP: it was configured without libmicrohttpd");
}
#endif
