/* Positions as users give them, as arguments and line by line on standard input or in a file; records of
 * JSON; what is told of tables that are missing. Used by probe, and for records by each command that has
 * --json. */
#include "config.h"
#include "base/text.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------- output */

/* jansson takes only UTF-8, and names of files and lines of input may be anything. */
json_t *sd_json_text (const char *text) {
  json_t *j = json_string (text);
  if (j)
    return j;
  char *plain = strdup (text); /* no UTF-8: what is beyond ASCII is not shown */
  for (char *c = plain; c && *c; c++)
    *c = *c & 0x80 ? '?' : *c;
  j = json_string (plain ? plain : "?");
  free (plain);
  return j;
}

/* JSON has no infinity. */
json_t *sd_json_number (double v) {
  return isfinite (v) ? json_real (v) : json_null ();
}

/* A format that does not fit, or no memory, leaves the record as it was. */
void sd_json_put (json_t *record, const char *format, ...) {
  va_list ap;
  va_start (ap, format);
  json_object_update_new (record, json_vpack_ex (NULL, 0, format, ap));
  va_end (ap);
}

/* For streams of answers, where each line is a record by itself. */
void sd_json_line (json_t *record) {
  json_dumpf (record, stdout, JSON_COMPACT);
  putchar ('\n');
  json_decref (record);
}

static bool opened; /* the array of sd_json_row */

/* Written at once, so that a run that is stopped has told what it made. */
void sd_json_row (json_t *record) {
  /* A comma stands before each record but the first, since nobody knows yet which is the last. */
  fputs (opened ? ",\n" : "[\n", stdout);
  opened = true;
  json_dumpf (record, stdout, JSON_COMPACT | JSON_REAL_PRECISION (6));
  fflush (stdout);
  json_decref (record);
}

void sd_json_rows_end (void) {
  puts (opened ? "\n]" : "[]");
}

/* After a failure stdout stays empty: half an array is no JSON. */
void sd_json_rows (json_t *rows, int status) {
  if (rows && status == SD_OK) {
    json_dumpf (rows, stdout, JSON_INDENT (1));
    putchar ('\n');
  }
  json_decref (rows);
}

void sd_json_missing (json_t *record, const sd_missing *m) {
  if (!m->n)
    return;
  json_t *names = json_array ();
  for (unsigned i = 0, first = 0; i < m->n; first = ++i) { /* a name once, whatever it is missing for */
    while (first > 0 && strcmp (m->name[first - 1], m->name[i]) != 0)
      first--;
    if (!first)
      json_array_append_new (names, json_string (m->name[i]));
  }
  json_object_set_new (record, "missing", names);
}

/* "subdef probe: stdin:3: '8/8': FEN: ..."; of an argument without source and line. */
int sd_given_fail (const sd_given *g, const char *key, bool json, const sd_missing *missing, sd_error *err) {
  if (json) {
    json_t *j = json_object ();
    if (g->line)
      sd_json_put (j, "{s:I}", "line", (json_int_t) g->line);
    sd_json_put (j, "{s:o, s:o}", key, sd_json_text (g->text), "error",
                 sd_json_text (err->text[0] ? err->text : sd_strerror (err->status)));
    sd_json_missing (j, missing);
    sd_json_line (j);
  }

  if (g->line)
    sd_error_prefix (err, "%.200s:%lu: '%.200s'", g->source, g->line, g->text);
  else
    sd_error_prefix (err, "'%.200s'", g->text);
  return sd_tool_fail (err);
}

/* ---------------------------------------------------------------------- input */

/* A line without its end and the blanks around it; NULL: there is nothing on it, or a comment. */
static const char *trim (char *line, size_t n) {
  while (n > 0 && isspace ((unsigned char) line[n - 1]))
    line[--n] = 0;
  while (isspace ((unsigned char) *line))
    line++;
  return *line && *line != '#' ? line : NULL;
}

/* A line that fails does not keep the next ones from being answered. */
static int from_lines (FILE *f, const char *name, int (*one) (void *ctx, const sd_given *g), void *ctx) {
  char *line = NULL;
  size_t cap = 0;
  int status = SD_EXIT_OK;
  /* Numbers of lines are those of an editor: blank lines and comments count. */
  for (unsigned long number = 1; !ferror (stdout) && sd_text_line (f, number, &line, &cap); number++) {
    const char *text = trim (line, strlen (line));
    if (!text)
      continue;
    if (one (ctx, &(sd_given){ text, number, name }) != SD_EXIT_OK)
      status = SD_EXIT_FAILED;
    fflush (stdout); /* the answer to each line, for who writes the next one after it */
  }
  free (line);
  return status;
}

int sd_tool_positions (char **text, int n, int (*one) (void *ctx, const sd_given *g), void *ctx) {
  int status = SD_EXIT_OK;
  for (int i = 0; i < n && !ferror (stdout); i++) {
    const int st = strcmp (text[i], "-") ? one (ctx, &(sd_given){ text[i], 0, NULL })
                                         : from_lines (stdin, "stdin", one, ctx);
    status = st ? st : status;
  }
  return status;
}

int sd_tool_positions_of (const char *file, int (*one) (void *ctx, const sd_given *g), void *ctx) {
  FILE *f;
  sd_error err = { 0 };
  if (sd_file_open (file, &f, &err) != SD_OK)
    return sd_tool_fail (&err);
  const int status = from_lines (f, file, one, ctx);
  fclose (f);
  return status;
}

/* -------------------------------------------------------------------- missing */

/* The names of this metric with an ending of files, or those without, parted by `between`; returns how many.
 * f NULL: counted only. Names with a dot are those of files. */
static unsigned list_names (const sd_missing *m, enum sd_metric exact, bool files, const char *between,
                            FILE *f) {
  unsigned n = 0;
  for (unsigned i = 0; i < m->n; i++)
    if (m->exact[i] == exact && (strchr (m->name[i], '.') != NULL) == files && n++ < m->n && f)
      fprintf (f, "%s%s", n > 1 ? between : "", m->name[i]);
  return n;
}

/* The files that tables beside them need. "subdef probe: not found in small: KRvK.wdl.sdt; the DTM table
 * beside it holds no WDL of its own, ...". */
static void tell_files (const sd_missing *m, enum sd_metric exact, const char *where) {
  if (!list_names (m, exact, true, "", NULL))
    return;
  fprintf (stderr, "%s: not found in %s: ", sd_tool_name (), where);
  list_names (m, exact, true, ", ", stderr);
  fputs (exact == SD_USUAL_EXACT
             ? "; the DTM table beside it holds no WDL of its own, 'subdef reformat --metric wdl' makes it\n"
             : "; it tells the results that the table of plies beside it does not hold\n",
         stderr);
}

/* Is the folder one of the path's? */
static bool is_on_path (const char *path, const char *folder) {
  char one[4096];
  while (sd_tool_next_folder (&path, one, sizeof one))
    if (strcmp (one, folder) == 0)
      return true;
  return false;
}

/* Has one of them a Syzygy file there, which holds WDL50? */
static bool has_syzygy (const sd_missing *m, const char *path) {
  char file[sizeof *m->name + sizeof ".rtbw"];
  for (unsigned i = 0; i < m->n; i++) {
    snprintf (file, sizeof file, "%s.rtbw", m->name[i]);
    if (sd_path_has (path, file))
      return true;
  }
  return false;
}

/* "subdef probe: not found in tables: KRvKP; 'subdef gen KRvKP -o tables' makes it". The folder of the
 * command is one where exact tables are; if it is not on the path, the message says how it gets there. */
static void tell_endings (const sd_missing *m, enum sd_metric exact, const char *path, const char *where,
                          const char *command, bool named) {
  const unsigned n = list_names (m, exact, false, "", NULL);
  char folder[300];
  if (!n)
    return;

  fprintf (stderr, "%s: not found in %s: ", sd_tool_name (), where);
  list_names (m, exact, false, ", ", stderr);
  sd_tool_exact_folder (path, folder, sizeof folder);
  fprintf (stderr, "; '%s%s%s%s", command, exact == SD_USUAL_EXACT ? "" : " --metric ",
           exact == SD_USUAL_EXACT ? "" : sd_metrics[exact].name, named ? " " : "");
  if (named)
    list_names (m, exact, false, " ", stderr);
  fprintf (stderr, " -o %s' makes %s", folder, n > 1 ? "them" : "it");

  if (*path && !is_on_path (path, folder))
    fprintf (stderr, ", to be found with --tables %s:%s", path, folder);
  /* Who has Syzygy files may not know that they answer another question than was asked. */
  if (exact == SD_USUAL_EXACT && has_syzygy (m, path))
    fputs ("; the Syzygy files there answer with '--metric wdl50' or '--metric dtz50'", stderr);
  fputc ('\n', stderr);
}

/* A line or two for each metric, since another option of `subdef gen` makes them. */
void sd_missing_tell (const sd_missing *m, const char *path, const char *command, bool named) {
  char where[sizeof ((sd_error *) 0)->text];
  sd_path_said (path, where, sizeof where);
  sd_terminal_clear ();
  fflush (stdout);

  for (unsigned metric = 0; metric < SD_METRICS; metric++) {
    tell_files (m, (enum sd_metric) metric, where);
    tell_endings (m, (enum sd_metric) metric, path, where, command, named);
  }
}
