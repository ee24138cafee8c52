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

bool sd_tool_on_path (const char *path, const sd_material *m, enum sd_metric metric) {
  char name[32];
  sd_table_file_name (m, metric, name);
  for (const char *p = path; *p;) {
    const size_t n = strcspn (p, ":");
    char file[4200];
    if (n && snprintf (file, sizeof file, "%.*s/%s", (int) n, p, name) < (int) sizeof file
        && sd_file_exists (file))
      return true;
    p += n + (p[n] == ':');
  }
  return false;
}

void sd_tool_advise (sd_error *err, const sd_material *m, const char *path) {
  if (!err->missing[0]) /* something else is missing */
    return;
  char name[16], folder[300], before[sizeof err->text], missing[sizeof err->missing], wdl[32];
  sd_material_name (m, name);
  snprintf (before, sizeof before, "%s", err->text);
  snprintf (missing, sizeof missing, "%s", err->missing);
  sd_table_file_name (m, SD_WDL, wdl);
  const bool results = strcmp (missing, wdl) == 0, there = results && sd_tool_on_path (path, m, SD_DTM);
  sd_tool_exact_folder (path, folder, sizeof folder);
  if (there)
    sd_fail_missing (err, missing, "%.400s; the dtm table beside it holds no results of its own", before);
  else
    sd_fail_missing (err, missing, "%.400s; 'subdef gen %s -o %s' makes %s", before, name, folder,
                     results ? "dtm tables, which will do as well" : "it");
}

void sd_tool_note_absent (const sd_tables *ts) {
  const char *folder;
  for (unsigned i = 0; (folder = sd_tables_absent (ts, i)); i++)
    fprintf (stderr, "subdef: note: %s: there is no such folder: passed over\n", folder);
}

int sd_tool_open (const char *option, unsigned flags, sd_tables **out, sd_error *err) {
  const int status = sd_tables_open (sd_tool_path (option), flags, out, err);
  if (status == SD_OK)
    sd_tool_note_absent (*out);
  else if (!option && getenv ("SUBDEF_PATH"))
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

/* Does a folder hold exact tables, as the generator writes them? *empty: it holds none at all, or is not
 * there. */
static bool holds_exact (const char *folder, bool *empty) {
  sd_tables *ts;
  bool exact = false;
  const int st = sd_tables_open (folder, 0, &ts, NULL);
  *empty = st == SD_ENOENT || (st == SD_OK && sd_tables_count (ts) == 0);
  if (st != SD_OK)
    return false;
  for (unsigned i = 0; !exact && i < sd_tables_count (ts); i++) {
    const sd_table *t = sd_tables_at (ts, i, NULL);
    sd_table_info in;
    if (!t)
      continue;
    sd_table_describe (t, &in);
    exact = in.coding == SD_CODING_SIGNED && !(in.freedom & ~(unsigned) SD_FREE_ILLEGAL);
  }
  sd_tables_close (ts);
  return exact;
}

void sd_tool_exact_folder (const char *path, char *out, size_t cap) {
  bool found = false;
  for (const char *p = path; *p && cap;) {
    const size_t n = strcspn (p, ":");
    char folder[4096];
    if (n && n < sizeof folder) {
      bool empty;
      snprintf (folder, sizeof folder, "%.*s", (int) n, p);
      const bool exact = holds_exact (folder, &empty);
      if (exact || (empty && !found))
        snprintf (out, cap, "%s", folder);
      found |= exact || empty;
      if (exact)
        return;
    }
    p += n + (p[n] == ':');
  }
  if (!found)
    snprintf (out, cap, "%s", *path ? "exact" : ".");
}

bool sd_tool_metric (const char *text, enum sd_metric *out) {
  const enum sd_metric found = sd_metric_find (text);
  if (found != SD_METRICS)
    *out = found;
  return found != SD_METRICS;
}

const char *sd_tool_metric_name (enum sd_metric m) {
  return sd_metrics[m].name;
}

int sd_tool_each_file (const char *text, const char *tables, int (*one) (const char *path, void *ctx, sd_error *err),
                       void *ctx, sd_error *err) {
  sd_material as_is, m;
  char name[16];
  bool any = false;
  if (sd_tool_looks_like_file (text))
    return one (text, ctx, err);
  SD_TRY (sd_material_parse (text, &as_is, err));
  sd_material_canonical (&as_is, &m);
  sd_material_name (&m, name);
  const char *path = sd_tool_path (tables);
  for (unsigned metric = 0; metric < SD_METRICS; metric++) {
    char file[32], *found = NULL;
    sd_table_file_name (&m, (enum sd_metric) metric, file);
    for (const char *p = path; *p && !found;) {
      const size_t n = strcspn (p, ":");
      if (n && asprintf (&found, "%.*s/%s", (int) n, p, file) < 0)
        return sd_fail_memory (err, 0);
      if (found && !sd_file_exists (found)) {
        free (found);
        found = NULL;
      }
      p += n + (p[n] == ':');
    }
    any |= found != NULL;
    const int st = found ? one (found, ctx, err) : SD_OK;
    free (found);
    SD_TRY (st);
  }
  return any ? SD_OK : sd_fail_missing (err, name, "%s: no file of that name, and no table of that ending in %s", text, path);
}

bool sd_tool_looks_like_file (const char *text) {
  sd_material m;
  return strchr (text, '/') || strstr (text, ".sdt") || sd_file_exists (text)
         || sd_material_parse (text, &m, NULL) != SD_OK;
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
  if (key == 'h') /* --help and -? are argp's; this does not return */
    argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
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
  enum { MOST = 64 };
  static struct argp_option options[MOST]; /* the command's, and -h */
  struct argp a = *argp;
  unsigned n = 0;
  for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc) && n + 2 < MOST; o++)
    options[n++] = *o;
  options[n++] = (struct argp_option){ .key = 'h', .doc = "Give this help list", .group = -1 };
  options[n] = (struct argp_option){ 0 };
  argp_program_version = PACKAGE_STRING;
  inner = argp->parser;
  a.options = options;
  a.parser = outer;
  argp_err_exit_status = SD_EXIT_USAGE;
  if (argp_parse (&a, argc, argv, 0, NULL, NULL)) /* does not return from wrong usage */
    exit (SD_EXIT_USAGE);
}
