/* The HTTP side of `subdef serve`, by libmicrohttpd: where it listens, which thread does what, and when it
 * ends. Connections are limited in number and time (clients.h), of one address in number where others than
 * this machine are served, and each in memory. */
#include "config.h"
#include "tools/serve/service.h"

#ifdef HAVE_MICROHTTPD
#include "tools/serve/http_internal.h"
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

enum {
  PER_ADDRESS = 32,        /* connections of one address of another machine; a browser has 6 */
  REQUEST_BYTES = 16 << 10 /* memory of a connection: address and headers */
};

/* ------------------------------------------------------------- connections */

static sd_client *client_of (struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info (connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/* Without memory for it a connection has no deadline, and is ended by its first request. */
static void connected (void *ctx, struct MHD_Connection *connection, void **context,
                       enum MHD_ConnectionNotificationCode code) {
  sd_server *s = ctx;
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
    sd_client_leave (&s->clients, *context);
    *context = NULL;
    return;
  }

  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  *context = info ? sd_client_enter (&s->clients, info->connect_fd) : NULL;
}

/* The answer is on its way or given up: the next request is awaited. */
static void answered (void *ctx, struct MHD_Connection *connection, void **own,
                      enum MHD_RequestTerminationCode how) {
  sd_server *s = ctx;
  sd_client *c = client_of (connection);
  (void) own;
  (void) how;
  if (c)
    sd_client_asks (&s->clients, c, true);
}

/* Called before a path is decoded, in which a byte 0 would then look like its end. */
static void *look_at_address (void *ctx, const char *address, struct MHD_Connection *connection) {
  sd_client *c = client_of (connection);
  /* Behind the '?' a byte 0 is found when parameters are read. */
  const char *zero = strstr (address, "%00");
  (void) ctx;
  if (c)
    c->zero = zero && (size_t) (zero - address) < strcspn (address, "?");
  return NULL;
}

/* ----------------------------------------------------------------- answers */

/* A text with a byte 0 in it would be read up to there, and another position be answered. */
static void find_answer (const sd_server *s, struct MHD_Connection *connection, const char *path,
                         sd_reply *out) {
  const char *fen = NULL;
  size_t n = 0;
  MHD_lookup_connection_value_n (connection, MHD_GET_ARGUMENT_KIND, "fen", strlen ("fen"), &fen, &n);
  if (fen && strlen (fen) != n)
    sd_service_refuse (400, "FEN: a byte 0 stands in the text", out);
  else
    sd_service_answer (s->service, client_of (connection)->zero ? "" : path, fen, out);
}

/* libmicrohttpd fixes the signature. It calls once when the headers are there, and once when all is. */
static enum MHD_Result answer (void *ctx, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_bytes, void **own) {
  sd_server *s = ctx;
  sd_client *c = client_of (connection);
  static int seen;
  sd_reply r;
  (void) upload;
  (void) upload_bytes;
  if (!c)
    return MHD_NO;
  /* The first call: what the head alone decides is answered now. */
  if (!*own) {
    *own = &seen;
    sd_client_asks (&s->clients, c, false);
    return sd_request_is_settled (s, connection, method, version, &r) ? sd_reply_send (s, connection, &r)
                                                                      : MHD_YES;
  }

  find_answer (s, connection, path, &r);
  return sd_reply_send (s, connection, &r);
}

/* --------------------------------------------------------------- listening */

/* An address in numbers. *loopback: only this machine is served, which request.c relies on. */
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

/* What libmicrohttpd complains about is what clients do wrong. */
static void no_log (void *ctx, const char *format, va_list arguments) {
  (void) ctx;
  (void) format;
  (void) arguments;
}

/* NULL: errno says why. */
static struct MHD_Daemon *start (sd_server *s, const struct sockaddr_storage *address) {
  /* Without MHD_USE_ITC a thread whose connections are all taken ends only after one of them has. */
  const unsigned flags =
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC | (address->ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
  const unsigned per_address = s->loopback ? 0 : PER_ADDRESS;

  errno = 0;
  return MHD_start_daemon (flags, 0, NULL, NULL, answer, s, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL,
                           MHD_OPTION_SOCK_ADDR, (struct sockaddr *) address, MHD_OPTION_THREAD_POOL_SIZE,
                           s->at->threads, MHD_OPTION_CONNECTION_LIMIT, SD_CONNECTIONS,
                           MHD_OPTION_PER_IP_CONNECTION_LIMIT, per_address, MHD_OPTION_CONNECTION_TIMEOUT,
                           SD_ANSWER_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) REQUEST_BYTES,
                           MHD_OPTION_NOTIFY_CONNECTION, connected, s, MHD_OPTION_NOTIFY_COMPLETED, answered,
                           s, MHD_OPTION_URI_LOG_CALLBACK, look_at_address, NULL, MHD_OPTION_END);
}

/* The signals that end the server are awaited here, and are blocked for the threads that start meanwhile. */
static void block_signals (sigset_t *ends, sigset_t *before) {
  sigemptyset (ends);
  sigaddset (ends, SIGINT);
  sigaddset (ends, SIGTERM);
  sigaddset (ends, SIGHUP);
  sigset_t blocked = *ends;
  sigaddset (&blocked, SIGPIPE); /* a client that has gone away is no reason to end */
  pthread_sigmask (SIG_BLOCK, &blocked, before);
}

/* A second without a signal is the time to look for late connections. */
static void wait_for_end (const sigset_t *ends, sd_clients *clients) {
  const struct timespec second = { .tv_sec = 1 };
  while (sigtimedwait (ends, NULL, &second) < 0)
    sd_clients_end_late (clients);
}

int sd_http_serve (const sd_service *service, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err) {
  struct sockaddr_storage address;
  sd_server s = { .service = service,
                  .at = at,
                  .clients = { .lock = PTHREAD_MUTEX_INITIALIZER, .crowd = SD_CONNECTIONS * 3 / 4 } };
  sigset_t ends, before;

  SD_TRY (read_address (at, &address, &s.loopback, err));
  block_signals (&ends, &before);
  struct MHD_Daemon *d = start (&s, &address);
  if (!d) {
    const int why = errno;
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    return sd_fail (err, SD_EIO, "cannot listen on %s, port %u: %s", at->address, at->port,
                    why ? strerror (why) : "unknown reason");
  }
  /* With port 0 only the system knows which it is. */
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (d, MHD_DAEMON_INFO_BIND_PORT);
  if (ready (at, info ? info->port : at->port))
    wait_for_end (&ends, &s.clients);
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
