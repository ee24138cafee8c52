/* The HTTP side of `subdef serve`, by libmicrohttpd: where it listens, which thread does what, and when it
 * ends. Connections are limited in number and time (clients.h), of one address in number where others than
 * this machine are served, and each in memory. */
#include "config.h"
#include "tools/serve/service.h"

#ifdef HAVE_MICROHTTPD
#include "experiments/run/run.h"
#include "tools/serve/http_internal.h"
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  *context =
      info ? sd_client_enter (&s->clients, info->connect_fd, sd_address_number (sd_request_from (connection)))
           : NULL;
}

/* An answer that was given up, since the client went away or took too long, counts with its status, and its
 * bytes not at all. */
static void note_request (sd_server *s, struct MHD_Connection *connection, const sd_request *r, bool sent) {
  if (!r->status)
    return;
  if (sent)
    sd_served_sent (&s->counts, r->bytes);
  if (s->log < 0)
    return;
  if (!sd_log_add (s->log, &(sd_log_line){ .from = sd_request_from (connection),
                                           .method = r->method,
                                           .address = r->address ? r->address : "-",
                                           .version = r->version,
                                           .status = r->status,
                                           .sent = sent,
                                           .bytes = r->bytes }))
    sd_served_lost_line (&s->counts);
}

/* The answer has gone or was given up: the next request is awaited. */
static void answered (void *ctx, struct MHD_Connection *connection, void **own,
                      enum MHD_RequestTerminationCode how) {
  sd_server *s = ctx;
  sd_client *c = client_of (connection);
  (void) own;
  if (!c)
    return;
  note_request (s, connection, &c->request, how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
  free (c->request.address);
  c->request = (sd_request){ 0 };
  sd_client_asks (&s->clients, c, true);
}

/* Called before a path is decoded, in which a byte 0 would then look like its end. */
static void *look_at_address (void *ctx, const char *address, struct MHD_Connection *connection) {
  const sd_server *s = ctx;
  sd_client *c = client_of (connection);
  /* Behind the '?' a byte 0 is found when parameters are read. */
  const char *zero = strstr (address, "%00");
  if (!c)
    return NULL;
  c->request.zero = zero && (size_t) (zero - address) < strcspn (address, "?");
  if (s->log >= 0 && !c->request.address)
    c->request.address = strdup (address);
  return NULL;
}

/* ----------------------------------------------------------------- answers */

/* A parameter, NULL: it is not there. False: a byte 0 stands in it, so that it would be read up to there and
 * something else be answered. */
static bool find_parameter (struct MHD_Connection *connection, const char *name, const char **text) {
  size_t n = 0;
  *text = NULL;
  MHD_lookup_connection_value_n (connection, MHD_GET_ARGUMENT_KIND, name, strlen (name), text, &n);
  return !*text || strlen (*text) == n;
}

static void find_answer (sd_server *s, struct MHD_Connection *connection, const sd_client *c,
                         const char *path, sd_reply *out) {
  sd_ask ask = { .path = c->request.zero ? "" : path };
  if (!find_parameter (connection, "fen", &ask.fen))
    sd_service_refuse (400, "FEN: a byte 0 stands in the text", out);
  else if (!find_parameter (connection, "ending", &ask.ending)
           || !find_parameter (connection, "metric", &ask.metric))
    sd_service_refuse (400, "a byte 0 stands in the address", out);
  else if (strcmp (ask.path, "/metrics") == 0) {
    unsigned connections;
    uint64_t ended;
    sd_clients_count (&s->clients, &connections, &ended);
    sd_served_reply (&s->counts, s->service, connections, ended, out);
  } else
    sd_service_answer (s->service, &ask, out);
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
    c->request.method = method;
    c->request.version = version;
    c->request.ns = sd_clock_ns ();
    return sd_request_is_settled (s, connection, method, version, &r) ? sd_reply_send (s, connection, c, &r)
                                                                      : MHD_YES;
  }

  find_answer (s, connection, c, path, &r);
  return sd_reply_send (s, connection, c, &r);
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
  const bool six = address->ss_family == AF_INET6,
             all = six && IN6_IS_ADDR_UNSPECIFIED (&((const struct sockaddr_in6 *) address)->sin6_addr);
  /* :: takes those of IPv4, too. */
  const unsigned flags =
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC | (six ? MHD_USE_IPv6 : 0) | (all ? MHD_USE_DUAL_STACK : 0);
  const unsigned per_address = s->at->limited ? s->at->connections : s->loopback ? 0 : PER_ADDRESS;

  errno = 0;
  return MHD_start_daemon (
      flags, 0, NULL, NULL, answer, s, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL, MHD_OPTION_SOCK_ADDR,
      (struct sockaddr *) address, MHD_OPTION_THREAD_POOL_SIZE, s->at->threads, MHD_OPTION_CONNECTION_LIMIT,
      SD_CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT, per_address, MHD_OPTION_CONNECTION_TIMEOUT,
      SD_ANSWER_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) REQUEST_BYTES,
      MHD_OPTION_NOTIFY_CONNECTION, connected, s, MHD_OPTION_NOTIFY_COMPLETED, answered, s,
      MHD_OPTION_URI_LOG_CALLBACK, look_at_address, s, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
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

/* Until a signal comes. SD_EIO: the port cannot be had. */
static int serve (sd_server *s, const struct sockaddr_storage *address,
                  bool (*ready) (const sd_listening *at, unsigned port), sd_error *err) {
  sigset_t ends, before;
  int st = SD_OK;

  block_signals (&ends, &before);
  struct MHD_Daemon *d = start (s, address);
  if (d) {
    /* With port 0 only the system knows which it is. */
    const union MHD_DaemonInfo *info = MHD_get_daemon_info (d, MHD_DAEMON_INFO_BIND_PORT);
    if (ready (s->at, info ? info->port : s->at->port))
      wait_for_end (&ends, &s->clients);
    MHD_stop_daemon (d);
  } else
    st = sd_fail (err, SD_EIO, "cannot listen on %s, port %u: %s", s->at->address, s->at->port,
                  errno ? strerror (errno) : "unknown reason");
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return st;
}

int sd_http_serve (const sd_service *service, const sd_listening *at,
                   bool (*ready) (const sd_listening *at, unsigned port), sd_error *err) {
  struct sockaddr_storage address;
  bool loopback = false;
  SD_TRY (read_address (at, &address, &loopback, err));
  /* With what it keeps of addresses it is too large for the stack of some systems. */
  SD_OWNED sd_server *s = sd_alloc0 (1, sizeof *s);
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  *s = (sd_server){ .service = service,
                    .at = at,
                    .loopback = loopback,
                    .clients = { .lock = PTHREAD_MUTEX_INITIALIZER, .crowd = SD_CONNECTIONS * 3 / 4 },
                    .rates = { .lock = PTHREAD_MUTEX_INITIALIZER, .a_second = at->rate },
                    .log = -1 };
  if (at->log)
    SD_TRY (sd_log_open (at->log, &s->log, err));
  const int st = serve (s, &address, ready, err);
  if (s->log >= 0)
    close (s->log);
  return st;
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
