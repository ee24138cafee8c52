/* subdef serve: what tables know, over HTTP on this machine: for the page in a browser and for programs
 * (docs/api.md). The address stands on stdout once requests are heard ("http://127.0.0.1:9000/"), so that a
 * program that starts the server can read it. It runs until SIGINT, SIGTERM or SIGHUP and ends with status 0
 * then. This file reads options; service.c answers, http.c listens. */
#include "config.h"
#include "tools/serve/service.h"
#include <string.h>

static struct {
  const char *tables, *address, *origin, *log, *statistics;
  unsigned port, threads, rate, connections;
  bool downloads;
} opt = { .address = "127.0.0.1", .port = 9000, .threads = 4, .statistics = "1G" };

static const sd_option options[] = {
  { "tables", .text = &opt.tables },
  { "port", 0, "N", "the port (default: 9000; 0: any that is free)", .count = &opt.port, .least = 0,
    .most = 65535 },
  { "listen", 0, "ADDRESS",
    "serve others than this machine: one of its addresses in numbers, :: for all, 0.0.0.0 for all of IPv4 (default: 127.0.0.1)",
    .text = &opt.address, .expected = "an address" },
  { "threads", 'T', "N", "threads that answer (default: 4)", .count = &opt.threads, .least = 1,
    .most = SD_MOST_THREADS },
  { "allow-origin", 0, "ORIGIN|*",
    "let pages of another site read the answers: its origin, such as https://example.org, or * for all (CORS; default: none)",
    .text = &opt.origin, .expected = "an origin" },
  { "downloads", 0, NULL, "let everybody fetch the files of the tables: /files/NAME",
    .flag = &opt.downloads },
  { "rate", 0, "N",
    "answer N requests a second of one address, and 20 more at once after a pause; others get status 429 (default: 0, any number)",
    .count = &opt.rate, .least = 0, .most = 1000000 },
  { "connections", 0, "N",
    "connections of one address at once; 0: any number (default: 32 where --listen serves others, else 0)",
    .count = &opt.connections, .least = 0, .most = SD_CONNECTIONS },
  { "access-log", 0, "FILE|-",
    "add a line for each request to this file, or to standard output, in the common log format (default: none)",
    .text = &opt.log, .expected = "a file" },
  { "statistics-memory", 0, "SIZE",
    "memory for counting the values of a table, which /stats asks for; 0: only what is published is told (default: 1G)",
    .text = &opt.statistics, .expected = "a size" },
  { 0 },
};

/* A program that has started the server reads the address from standard output: without it, nobody would know
 * where to ask. That it could not be written is said at the end of every program (sd_tool_watch_stdout). */
static bool ready (const sd_listening *at, unsigned port) {
  const bool six = strchr (at->address, ':') != NULL;
  if (printf ("http://%s%s%s:%u/\n", six ? "[" : "", at->address, six ? "]" : "", port) < 0
      || fflush (stdout) != 0)
    return false;
  sd_tool_say ("ready; Ctrl-C ends it");
  return true;
}

/* "https://example.org:8080", "*": what a browser says of itself, byte by byte. */
static bool is_origin (const char *text) {
  const char *host = strstr (text, "://");
  if (strcmp (text, "*") == 0)
    return true;
  if (!host || strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != (size_t) (host - text))
    return false;
  /* No path, no capitals: a browser sends neither, and it is compared byte by byte. */
  host += strlen ("://");
  return host > text + strlen ("://") && *host
         && strspn (host, "abcdefghijklmnopqrstuvwxyz0123456789-._~[]:") == strlen (host);
}

static int run_serve (const sd_words *words) {
  sd_service s SD_RELEASED_BY (sd_service_close) = { 0 };
  sd_error err = { 0 };

  if (words->n)
    return sd_tool_usage ("'%s' is one argument too many", words->at[0]);
  if (opt.origin && !is_origin (opt.origin))
    return sd_tool_usage (
        "--allow-origin %.100s: expected * or an origin in small letters without a path, such "
        "as https://example.org",
        opt.origin);

  double bytes = 0;
  if (strcmp (opt.statistics, "0") != 0 && !sd_tool_read_bytes (opt.statistics, &bytes))
    return sd_tool_usage ("--statistics-memory %.40s: expected a size such as 500M or 2G, or 0",
                          opt.statistics);

  const sd_service_options how = { opt.downloads, (uint64_t) bytes };
  const sd_listening at = { .address = opt.address,
                            .port = opt.port,
                            .threads = opt.threads,
                            .origin = opt.origin,
                            .rate = opt.rate,
                            .limited = sd_tool_said ("connections"),
                            .connections = opt.connections,
                            .log = opt.log };
  if (sd_tool_note_absent (opt.tables, &err) || sd_service_open (sd_tool_path (opt.tables), &how, &s, &err))
    return sd_tool_fail (&err);
  /* After a failed write of the address the server has ended without an error of its own. */
  err.status = sd_http_serve (&s, &at, ready, &err);
  if (ferror (stdout))
    return SD_EXIT_FAILED;
  return err.status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_serve = { "serve", run_serve, options, .args = "" };
