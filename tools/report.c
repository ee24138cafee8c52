/* subdef report. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *db, *out, *baseline, *published;
  bool quiet, summary;
} opt = { .out = "report" };

enum { KEY_SUMMARY = 256, KEY_BASELINE, KEY_PUBLISHED };

static const struct argp_option letters[] = {
  { "output", 'o', "DIR", 0, "folder of the report (default: report)", 0 },
  { "summary", KEY_SUMMARY, NULL, 0,
    "only print codec and piece order of the smallest rows, a line for each table", 0 },
  { "baseline", KEY_BASELINE, "GROUP/CODEC", 0,
    "compare with the smallest rows of this group and codec; also GROUP/CODEC/KEY=VALUE,... (default: lzma in blocks of 16 kB, "
    "nothing free, in the order of the name)",
    0 },
  { "published", KEY_PUBLISHED, "FILE.csv", 0,
    "show published figures beside those of the rows (papers/repair/published.csv)", 0 },
  { "quiet", 'q', NULL, 0, "do not say where the report lies", 0 },
  { 0 },
};

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'o':
    if (!*arg)
      argp_error (state, "-o '': the name of a folder is needed");
    opt.out = arg;
    return 0;
  case KEY_BASELINE:
    if (!strchr (arg, '/'))
      argp_error (state, "--baseline %s: GROUP/CODEC is needed", arg);
    opt.baseline = arg;
    return 0;
  case KEY_PUBLISHED:
    opt.published = arg;
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

/* One line on stderr for each. */
static void warn (const sd_buf *warnings) {
  for (size_t at = 0; at < warnings->len;) {
    const char *text = (const char *) warnings->data + at;
    const char *end = memchr (text, '\n', warnings->len - at);
    const size_t len = end ? (size_t) (end - text) : warnings->len - at;
    fprintf (stderr, "subdef: warning: %.*s\n", (int) len, text);
    at += len + 1;
  }
}

static int print_summary (const sd_report_options *options, sd_error *err) {
  sd_buf text = { 0 };
  int status = sd_report_summary (opt.db, options, &text, err);
  if (status == SD_OK)
    fwrite (text.data, 1, text.len, stdout);
  sd_buf_free (&text);
  return status;
}

int sd_cmd_report (int argc, char **argv) {
  static const struct argp argp = {
    letters,
    parse,
    "OUT.db",
    "Make tables (Markdown, CSV, LaTeX), figures and one HTML page from the rows of a sweep.\v"
    "Read DIR/index.html in a browser, or DIR/report.md.",
    NULL,
    NULL,
    NULL
  };
  sd_tool_parse (&argp, argc, argv);
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_error err = { 0 };
  sd_buf warnings = { 0 };
  const sd_report_options options = {
    .baseline = opt.baseline, .published = opt.published, .progress = &progress, .warnings = &warnings
  };
  int status =
      opt.summary ? print_summary (&options, &err) : sd_report_write (opt.db, opt.out, &options, &err);
  sd_terminal_clear ();
  if (status == SD_OK)
    warn (&warnings);
  sd_buf_free (&warnings);
  if (status != SD_OK)
    return sd_tool_fail (&err);
  if (!opt.quiet && !opt.summary)
    printf ("%s/index.html\n", opt.out);
  return SD_EXIT_OK;
}
