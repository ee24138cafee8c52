/* Messages, the path of tables, exit statuses. */
#include "config.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int sd_tool_fail (const sd_error *err) {
  sd_terminal_clear ();
  fflush (stdout);
  fprintf (stderr, "subdef: %s\n", err->text[0] ? err->text : sd_strerror (err->status));
  return err->status == SD_EINVAL ? SD_EXIT_USAGE : SD_EXIT_FAILED;
}

int sd_tool_usage (const char *fmt, ...) {
  va_list ap;
  va_start (ap, fmt);
  fputs ("subdef: ", stderr);
  vfprintf (stderr, fmt, ap);
  fputc ('\n', stderr);
  va_end (ap);
  return SD_EXIT_USAGE;
}

const char *sd_tool_path (const char *option) {
  if (option)
    return option;
  const char *env = getenv ("SUBDEF_PATH");
  return env && *env ? env : ".";
}

void sd_tool_first_folder (const char *path, char *out, size_t cap) {
  size_t n = strcspn (path, ":");
  snprintf (out, cap, "%.*s", (int) n, n ? path : ".");
}

bool sd_tool_metric (const char *text, enum sd_metric *out) {
  if (strcmp (text, "wdl") == 0)
    *out = SD_WDL;
  else if (strcmp (text, "dtm") == 0)
    *out = SD_DTM;
  else
    return false;
  return true;
}

const char *sd_tool_metric_name (enum sd_metric m) {
  return m == SD_WDL ? "wdl" : "dtm";
}

int sd_tool_finish (int status) {
  sd_terminal_clear ();
  if (fflush (stdout) || ferror (stdout)) {
    fprintf (stderr, "subdef: standard output: write failed: %s\n", strerror (errno));
    return SD_EXIT_FAILED;
  }
  return status;
}
