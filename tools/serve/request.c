/* What is refused before anything else of a request is read. Nothing that comes in is trusted: only GET and
 * HEAD without a body are answered, and while only this machine is served, a name of a foreign host in the
 * header Host, behind which a page of the web may hide, is refused. */
#include "config.h"
#ifdef HAVE_MICROHTTPD
#include "tools/serve/http_internal.h"
#include "experiments/run/run.h"
#include <string.h>
#include <strings.h>

const char *sd_request_header (struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value (connection, MHD_HEADER_KIND, name);
}

const struct sockaddr *sd_request_from (struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/* "", ":9000" */
static bool is_port (const char *text) {
  return !*text || (*text == ':' && !text[1 + strspn (text + 1, "0123456789")]);
}

/* "localhost:9000", "127.0.0.1", "[::1]:9000", or the address that is listened on, as 127.0.0.2. */
static bool is_this_machine (const char *host, const char *address) {
  const char *const names[] = { "localhost", "127.0.0.1", "[::1]", address };
  for (unsigned i = 0; host && i < sizeof names / sizeof *names; i++) {
    const size_t n = strlen (names[i]);
    if (strncasecmp (host, names[i], n) == 0 && is_port (host + n))
      return true;
  }
  return !host; /* HTTP 1.0 */
}

/* A header that may stand there once. */
typedef struct counted {
  const char *name;
  unsigned n;
} counted;

static enum MHD_Result count (void *ctx, enum MHD_ValueKind kind, const char *key, const char *value) {
  counted *c = ctx;
  (void) kind;
  (void) value;
  c->n += strcasecmp (key, c->name) == 0;
  return MHD_YES;
}

static unsigned count_of (struct MHD_Connection *connection, const char *name) {
  counted c = { name, 0 };
  MHD_get_connection_values (connection, MHD_HEADER_KIND, count, &c);
  return c.n;
}

static enum MHD_Result find_blank (void *ctx, enum MHD_ValueKind kind, const char *key, const char *value) {
  (void) kind;
  (void) value;
  *(bool *) ctx |= strpbrk (key, " \t") != NULL;
  return MHD_YES;
}

/* RFC 9112, 5.1: no blank between the name of a header and its colon. The library takes one for a part of the
 * name. */
static bool has_blank_names (struct MHD_Connection *connection) {
  bool found = false;
  MHD_get_connection_values (connection, MHD_HEADER_KIND, find_blank, &found);
  return found;
}

/* RFC 9112, 3.2: one Host, none at most before HTTP 1.1. */
static bool has_host (struct MHD_Connection *connection, const char *version) {
  const unsigned n = count_of (connection, "Host");
  return n == 1 || (n == 0 && strcmp (version, "HTTP/1.0") == 0);
}

/* Content-Length: 0 is no body. Two lengths would let a program in between see other requests than this one
 * (RFC 9112, 11.2). */
static bool has_body (struct MHD_Connection *connection) {
  const char *length = sd_request_header (connection, "Content-Length");
  return (length && strcmp (length, "0") != 0) || count_of (connection, "Content-Length") > 1
         || sd_request_header (connection, "Transfer-Encoding");
}

/* A browser asks before it lets a page of another site send headers of its own. */
static bool is_preflight (const sd_server *s, struct MHD_Connection *connection, const char *method) {
  return s->at->origin && strcmp (method, "OPTIONS") == 0
         && sd_request_header (connection, "Access-Control-Request-Method");
}

/* True: *out is the answer, and path and parameters are not looked at. The first thing that is wrong is
 * told. */
bool sd_request_is_settled (sd_server *s, struct MHD_Connection *connection, const char *method,
                            const char *version, sd_reply *r) {
  const bool preflight = is_preflight (s, connection, method);
  if (!sd_rates_allow (&s->rates, sd_request_from (connection), sd_clock_ns ())) {
    sd_service_refuse (429, "too many requests from this address", r);
    r->retry = 1;
  } else if (has_blank_names (connection))
    sd_service_refuse (400, "a blank before the colon of a header", r);
  else if (!has_host (connection, version))
    sd_service_refuse (400, "the header Host is missing, or stands there more than once", r);
  else if (s->loopback && !is_this_machine (sd_request_header (connection, "Host"), s->at->address))
    sd_service_refuse (403, "only requests to localhost are answered; --listen serves others", r);
  else if (!preflight && strcmp (method, "GET") != 0 && strcmp (method, "HEAD") != 0)
    sd_service_refuse (405, "only GET and HEAD are answered", r);
  else if (has_body (connection))
    sd_service_refuse (400, "a request brings nothing along", r);
  else if (preflight)
    *r = (sd_reply){ .status = 204, .keep = SD_KEEP_CHECKED };
  else
    return false;
  return true;
}
#endif
