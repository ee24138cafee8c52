/* subdef report. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *db, *out;
  bool quiet, summary;
} opt = { .out = "report" };

enum { KEY_SUMMARY = 256 };

static const struct argp_option options[] = {
  { "output", 'o', "DIR", 0, "folder of the report (default: report)", 0 },
  { "summary", KEY_SUMMARY, NULL, 0, "only print which coder and order won, a line for each table", 0 },
  { "quiet", 'q', NULL, 0, "do not say where the report lies", 0 },
  { 0 },
};

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'o':
    opt.out = arg;
    return 0;
  case KEY_SUMMARY:
    opt.summary = true;
    return 0;
  case 'q':
    opt.quiet = true;
    return 0;
  case ARGP_KEY_ARG:
    if (opt.db)
      argp_error (state, "one database is expected; '%s' is a second one", arg);
    opt.db = arg;
    return 0;
  case ARGP_KEY_END:
    if (!opt.db)
      argp_error (state, "no database of a sweep is named");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int sd_cmd_report (int argc, char **argv) {
  static const struct argp argp = {
    options,
    parse,
    "OUT.db",
    "Tables (Markdown, CSV), figures and one HTML page from the results of a sweep.\v"
    "Read DIR/index.html in a browser, or DIR/report.md.",
    NULL,
    NULL,
    NULL
  };
  sd_tool_parse (&argp, argc, argv);
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_error err = { 0 };
  if (opt.summary) {
    sd_buf text = { 0 };
    int st = sd_report_summary (opt.db, &text, &err);
    if (st == SD_OK)
      fwrite (text.data, 1, text.len, stdout);
    sd_buf_free (&text);
    return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
  }
  int status = sd_report_write (opt.db, opt.out, &progress, &err);
  sd_terminal_clear ();
  if (status != SD_OK)
    return sd_tool_fail (&err);
  if (!opt.quiet)
    printf ("%s/index.html\n", opt.out);
  return SD_EXIT_OK;
}
