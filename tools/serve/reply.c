/* The head of an answer: what it is, who else may read it, how long it may be kept. */
#include "config.h"
#ifdef HAVE_MICROHTTPD
#include "experiments/run/run.h"
#include "tools/serve/http_internal.h"
#include "tools/serve/ranges.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The page needs nothing but its own files and answers. */
static const char policy[] =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'";

/* The header Cache-Control, by enum sd_keep. */
static const char *const keeping[] = {
  [SD_KEEP_NOT] = "no-store",
  [SD_KEEP_CHECKED] = "no-cache",
  [SD_KEEP_MINUTE] = "public, max-age=60",
  [SD_KEEP_DAY] = "public, max-age=86400",
};

enum { TAG = 2 + 16 + 1 }; /* a hash in quotes */

/* The body's hash: the same answer has the same tag, also after a new start. "": it has none. */
static void tag_of (const sd_reply *r, char out[TAG]) {
  *out = '\0';
  if (r->status == 200 && r->keep != SD_KEEP_NOT)
    snprintf (out, TAG, "\"%016" PRIx64 "\"", r->is_file ? r->identity : sd_hash64 (r->body, r->n));
}

enum { DATE = 40 };

/* When a file was changed last, as HTTP writes it (in the C locale, in which the program runs). "": it is no
 * file. */
static void date_of (const sd_reply *r, char out[DATE]) {
  const time_t seconds = r->modified;
  struct tm t;
  *out = '\0';
  if (r->is_file && gmtime_r (&seconds, &t))
    strftime (out, DATE, "%a, %d %b %Y %H:%M:%S GMT", &t);
}

/* Who has the same body already needs no other. The time counts where no tag is named (RFC 9110, 13.1.3), and
 * only the same one, where the RFC has later ones count, too: a file that was put back is another one. */
static bool is_known (struct MHD_Connection *connection, const char *tag, const char *date) {
  const char *known = sd_request_header (connection, "If-None-Match"),
             *since = sd_request_header (connection, "If-Modified-Since");
  if (known)
    return strcmp (known, "*") == 0 || strstr (known, tag);
  return since && *date && strcmp (since, date) == 0;
}

static void add (struct MHD_Response *response, const char *name, const char *value) {
  MHD_add_response_header (response, name, value);
}

/* Pages of other sites may read answers where --allow-origin lets them. It is one origin or all of them, so
 * that the header does not depend on who asks. */
static void add_origin (struct MHD_Response *response, const char *origin, unsigned status) {
  add (response, "Access-Control-Allow-Origin", origin);
  /* What else a browser wants to know stands in the answer to its question before the request. */
  if (status != 204) {
    add (response, "Access-Control-Expose-Headers", "ETag, Retry-After, Content-Range");
    return;
  }
  add (response, "Access-Control-Allow-Methods", "GET, HEAD");
  add (response, "Access-Control-Allow-Headers", "*");
  add (response, "Access-Control-Max-Age", "86400");
}

/* What of a file goes out. */
typedef struct part {
  enum sd_range range;
  uint64_t first, count;
} part;

/* A client that has a part of another file asks for a part only if it is still the same one (If-Range). Of a
 * HEAD parts mean nothing. */
static part part_of (struct MHD_Connection *connection, const sd_client *c, const sd_reply *r,
                     const char *tag, const char *date) {
  const char *only = sd_request_header (connection, "If-Range"),
             *text = strcmp (c->request.method, "GET") == 0
                             && (!only || strcmp (only, tag) == 0 || strcmp (only, date) == 0)
                         ? sd_request_header (connection, "Range")
                         : NULL;
  part p;
  p.range = sd_range_read (text, r->bytes, &p.first, &p.count);
  return p;
}

static void add_part (struct MHD_Response *response, const sd_reply *r, const part *p, const char *date) {
  char text[100];
  add (response, "Accept-Ranges", "bytes");
  add (response, "Last-Modified", date);
  if (p->range == SD_RANGE_PART)
    snprintf (text, sizeof text, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, p->first, p->first + p->count - 1,
              r->bytes);
  else
    snprintf (text, sizeof text, "bytes */%" PRIu64, r->bytes);
  if (p->range != SD_RANGE_ALL)
    add (response, "Content-Range", text);
  snprintf (text, sizeof text, "attachment; filename=\"%.60s\"", r->name);
  add (response, "Content-Disposition", text);
}

static void add_headers (const sd_server *s, struct MHD_Response *response, const sd_reply *r,
                         const char *tag) {
  char retry[16];
  if (r->type)
    add (response, "Content-Type", r->type);
  add (response, "Content-Security-Policy", policy);
  add (response, "X-Content-Type-Options", "nosniff");
  add (response, "Cache-Control", keeping[r->keep]);
  if (*tag)
    add (response, "ETag", tag);
  if (s->at->origin)
    add_origin (response, s->at->origin, r->status);
  if (r->status == 405)
    add (response, "Allow", s->at->origin ? "GET, HEAD, OPTIONS" : "GET, HEAD");
  if (r->retry) {
    snprintf (retry, sizeof retry, "%u", r->retry);
    add (response, "Retry-After", retry);
  }
}

/* A response whose body is known by now, and which owns it then. */
static struct MHD_Response *response_of (const sd_reply *r) {
  struct MHD_Response *response = MHD_create_response_from_buffer (
      r->n, r->body, r->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
  if (r->owned && !response)
    free (r->body);
  return response;
}

/* The same of a file, which is closed with the response. */
static struct MHD_Response *response_of_file (const sd_reply *r, const part *p, bool none) {
  struct MHD_Response *response = none ? MHD_create_response_from_buffer (0, NULL, MHD_RESPMEM_PERSISTENT)
                                       : MHD_create_response_from_fd_at_offset64 (p->count, r->fd, p->first);
  if (none || !response)
    close (r->fd);
  return response;
}

/* Who fetches a file may take long, so that only some may at once, and nobody all. */
static bool may_fetch (sd_server *s, sd_client *c, uint64_t bytes) {
  return sd_client_fetches (&s->clients, c, bytes, SD_DOWNLOADS,
                            s->loopback ? SD_DOWNLOADS : SD_DOWNLOADS_OF_ONE);
}

static enum MHD_Result send_response (sd_server *s, struct MHD_Connection *connection, sd_client *c,
                                      unsigned status, const sd_reply *r, struct MHD_Response *response,
                                      uint64_t bytes) {
  c->request.status = status;
  c->request.bytes = strcmp (c->request.method, "HEAD") == 0 ? 0 : bytes;
  sd_served_add (&s->counts, status, r->damaged, sd_clock_ns () - c->request.ns);
  const enum MHD_Result result = MHD_queue_response (connection, status, response);
  MHD_destroy_response (response);
  return result;
}

static enum MHD_Result send_file (sd_server *s, struct MHD_Connection *connection, sd_client *c, sd_reply *r,
                                  const char *tag, const char *date, bool known) {
  const part p = known ? (part){ SD_RANGE_ALL, 0, r->bytes } : part_of (connection, c, r, tag, date);
  const bool none = p.range == SD_RANGE_NONE;
  if (!none && !known && strcmp (c->request.method, "GET") == 0 && !may_fetch (s, c, p.count)) {
    close (r->fd);
    sd_service_refuse (503, "as many files as may be at once are being fetched", r);
    r->retry = 10;
    return sd_reply_send (s, connection, c, r);
  }
  struct MHD_Response *response = response_of_file (r, &p, none);
  if (!response)
    return MHD_NO;
  add_headers (s, response, r, tag);
  add_part (response, r, &p, date);
  return send_response (s, connection, c,
                        known                      ? 304
                        : p.range == SD_RANGE_NONE ? 416
                        : p.range == SD_RANGE_PART ? 206
                                                   : 200,
                        r, response, none || known ? 0 : p.count);
}

enum MHD_Result sd_reply_send (sd_server *s, struct MHD_Connection *connection, sd_client *c, sd_reply *r) {
  char tag[TAG], date[DATE];
  tag_of (r, tag);
  date_of (r, date);
  /* Of 304 the library sends the length and no body. Faults have no tag, so that they are told each time. */
  const bool known = *tag && is_known (connection, tag, date);
  if (r->is_file)
    return send_file (s, connection, c, r, tag, date, known);

  struct MHD_Response *response = response_of (r);
  if (!response)
    return MHD_NO;
  add_headers (s, response, r, tag);
  return send_response (s, connection, c, known ? 304 : r->status, r, response, known ? 0 : r->n);
}
#endif
