/* Messages, the path of tables, exit statuses. */
#include "config.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void put_word (sd_buf *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (*word && !word[strspn (word, plain)]) {
    sd_buf_append (out, word, strlen (word));
    return;
  }
  sd_buf_u8 (out, '\'');
  for (; *word; word++)
    if (*word == '\'')
      sd_buf_append (out, "'\\''", 4);
    else
      sd_buf_u8 (out, (uint8_t) *word);
  sd_buf_u8 (out, '\'');
}

char *sd_tool_command (int argc, char **argv) {
  sd_buf out = { 0 };
  for (int i = 0; i < argc; i++) {
    if (i > 0)
      sd_buf_u8 (&out, ' ');
    if (i == 0) /* "subdef sweep": two words, neither of them to be quoted */
      sd_buf_append (&out, argv[0], strlen (argv[0]));
    else
      put_word (&out, argv[i]);
  }
  sd_buf_u8 (&out, 0);
  if (sd_buf_status (&out) != SD_OK)
    sd_buf_free (&out);
  return (char *) out.data;
}

void sd_tool_advise (sd_error *err, const sd_material *m, const char *path) {
  if (err->status != SD_ENOENT || !strstr (err->text, ".sdt: not ")) /* something else is missing */
    return;
  char name[16], folder[300], before[sizeof err->text], dtm[32], beside[400];
  sd_material_name (m, name);
  sd_tool_first_folder (path, folder, sizeof folder);
  snprintf (before, sizeof before, "%s", err->text);
  sd_table_file_name (m, SD_DTM, dtm);
  snprintf (beside, sizeof beside, "%s/%s", folder, dtm);
  if (!strstr (before, ".wdl.sdt"))
    sd_fail (err, SD_ENOENT, "%.400s; 'subdef gen %s -o %s' makes it", before, name, folder);
  else if (sd_file_exists (beside))
    sd_fail (err, SD_ENOENT, "%.400s; the dtm table beside it holds no results of its own", before);
  else
    sd_fail (err, SD_ENOENT, "%.400s; 'subdef gen %s -o %s' makes dtm tables, which will do as well", before,
             name, folder);
}

int sd_tool_open (const char *option, unsigned flags, sd_tables **out, sd_error *err) {
  const int status = sd_tables_open (sd_tool_path (option), flags, out, err);
  if (status != SD_OK && !option && getenv ("SUBDEF_PATH"))
    sd_error_prefix (err, "SUBDEF_PATH");
  return status;
}

const char *sd_tool_path (const char *option) {
  if (option)
    return option;
  const char *env = getenv ("SUBDEF_PATH");
  return env && *env ? env : ".";
}

void sd_tool_first_folder (const char *path, char *out, size_t cap) {
  path += strspn (path, ":");
  size_t n = strcspn (path, ":");
  snprintf (out, cap, "%.*s", n ? (int) n : 1, n ? path : ".");
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
  if (ferror (stdout) | fflush (stdout)) {
    fprintf (stderr, "subdef: standard output: write failed: %s\n",
             errno ? strerror (errno) : "unknown reason");
    return SD_EXIT_FAILED;
  }
  return status;
}

static void check_stdout (void) {
  if (sd_tool_finish (SD_EXIT_OK) != SD_EXIT_OK)
    _exit (SD_EXIT_FAILED);
}

void sd_tool_watch_stdout (void) {
  atexit (check_stdout);
}

/* ------------------------------------------------------------ wrong usage */

/* argp adds "Try `... --help'" lines to each complaint. They go to this stream, which passes on the first
 * line and drops the rest; what getopt itself says goes to stderr as it is. The stream stays open until the
 * end. */
static ssize_t first_line (void *ctx, const char *text, size_t n) {
  static bool said;
  (void) ctx;
  if (!said && strncmp (text, "Try ", 4) != 0) {
    const char *end = memchr (text, '\n', n);
    fprintf (stderr, "%.*s\n", (int) (end ? (size_t) (end - text) : n), text);
  }
  said = true;
  return (ssize_t) n;
}

static argp_parser_t inner;

static error_t outer (int key, char *arg, struct argp_state *state) {
  if (key == ARGP_KEY_INIT) {
    FILE *f = fopencookie (NULL, "w", (cookie_io_functions_t){ .write = first_line });
    if (f) {
      setvbuf (f, NULL, _IOLBF, 0); /* a complaint comes in pieces */
      state->err_stream = f;
    }
  }
  return inner (key, arg, state);
}

void sd_tool_parse (const struct argp *argp, int argc, char **argv) {
  struct argp a = *argp;
  inner = argp->parser;
  a.parser = outer;
  argp_err_exit_status = SD_EXIT_USAGE;
  if (argp_parse (&a, argc, argv, 0, NULL, NULL)) /* does not return from wrong usage */
    exit (SD_EXIT_USAGE);
}
