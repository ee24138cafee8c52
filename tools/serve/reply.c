/* The head of an answer: what it is, who else may read it, how long it may be kept. */
#include "config.h"
#ifdef HAVE_MICROHTTPD
#include "tools/serve/http_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The body's hash: the same answer has the same tag, also after a new start. */
static void tag_of (const sd_reply *r, char out[TAG]) {
  snprintf (out, TAG, "\"%016" PRIx64 "\"", sd_hash64 (r->body, r->n));
}

/* Who has the same body already needs no other. */
static bool is_known (struct MHD_Connection *connection, const char *tag) {
  const char *known = sd_request_header (connection, "If-None-Match");
  return known && (strcmp (known, "*") == 0 || strstr (known, tag));
}

static void add (struct MHD_Response *response, const char *name, const char *value) {
  MHD_add_response_header (response, name, value);
}

/* Pages of other sites may read answers where --allow-origin lets them. It is one origin or all of them, so
 * that the header does not depend on who asks. */
static void add_origin (struct MHD_Response *response, const char *origin, unsigned status) {
  add (response, "Access-Control-Allow-Origin", origin);
  /* What else a browser wants to know stands in the answer to its question before the request. */
  if (status != 204)
    return;
  add (response, "Access-Control-Allow-Methods", "GET, HEAD");
  add (response, "Access-Control-Allow-Headers", "*");
  add (response, "Access-Control-Max-Age", "86400");
}

static void add_headers (const sd_server *s, struct MHD_Response *response, const sd_reply *r,
                         const char *tag) {
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
}

enum MHD_Result sd_reply_send (const sd_server *s, struct MHD_Connection *connection, sd_reply *r) {
  char tag[TAG] = "";

  if (r->status == 200 && r->keep != SD_KEEP_NOT)
    tag_of (r, tag);
  const bool known = *tag && is_known (connection, tag);
  /* 304 has no body. Faults have no tag, so that they are told each time. */
  struct MHD_Response *response =
      known ? MHD_create_response_from_buffer (0, NULL, MHD_RESPMEM_PERSISTENT)
            : MHD_create_response_from_buffer (r->n, r->body,
                                               r->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
  /* Else the response owns it. */
  if (r->owned && (known || !response))
    free (r->body);
  if (!response)
    return MHD_NO;

  add_headers (s, response, r, tag);
  const enum MHD_Result result = MHD_queue_response (connection, known ? 304 : r->status, response);
  MHD_destroy_response (response);
  return result;
}
#endif
