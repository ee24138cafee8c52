/* What all commands share: messages on stderr with the command's name before them, advice where a table is
 * missing, the path of tables, files that are named by an ending, and the last check of stdout. Folders of a
 * path are parted by colons, as in PATH. */
#include "config.h"
#include "table/table_internal.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Kept from sd_tool_called and sd_tool_keep_line, once at the start. */
static const char *command = "subdef";
static char *line;

void sd_tool_called (const char *name) {
  command = name;
}

const char *sd_tool_name (void) {
  return command;
}

/* What stdout holds back goes out first, so that on a terminal the message stands behind what it is about. */
void sd_tool_say (const char *fmt, ...) {
  va_list ap;
  sd_terminal_clear ();
  fflush (stdout);
  fprintf (stderr, "%s: ", command);
  va_start (ap, fmt);
  vfprintf (stderr, fmt, ap);
  va_end (ap);
  fputc ('\n', stderr);
}

/* SD_EINVAL comes from what the user typed, all else from files and memory. */
int sd_tool_fail (const sd_error *err) {
  sd_tool_say ("%s", err->text[0] ? err->text : sd_strerror (err->status));
  return err->status == SD_EINVAL ? SD_EXIT_USAGE : SD_EXIT_FAILED;
}

/* A word in single quotes, unless it has only letters that no shell looks at; a quote in it becomes '\''. */
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

/* Rows of a sweep keep this line, so that they can be made again. */
void sd_tool_keep_line (int argc, char **argv) {
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
  /* A buffer that met the end of memory is given up as a whole: sd_tool_line returns NULL then. */
  if (sd_buf_status (&out) != SD_OK)
    sd_buf_free (&out);
  line = (char *) out.data;
}

const char *sd_tool_line (void) {
  return line;
}

int sd_tool_rules (const char *game, sd_rules *out, sd_error *err) {
  return sd_rules_open (game ? game : sd_game_kind_at (0)->name, out, err);
}

/* The message has three forms. The missing file is that of results which a table of plies beside it needs; or
 * values of the usual metric, which `subdef gen` makes without an option; or values of another one, which it
 * makes with --metric. */
void sd_tool_advise (sd_error *err, const char *game, const sd_rules *r, sd_slice slice, const char *path) {
  if (!err->missing[0]) /* something else is missing */
    return;
  char what[300], folder[300], before[sizeof err->text], missing[sizeof err->missing],
      file[SD_METRICS][SD_GAME_FILE_NAME];
  sd_table_spec subject;
  if (sd_rules_subject (r, slice, &subject, NULL) != SD_OK)
    return;
  /* sd_fail_missing writes into err, from which text and name are taken. */
  snprintf (before, sizeof before, "%s", err->text);
  snprintf (missing, sizeof missing, "%s", err->missing);

  unsigned metric = SD_NO_METRIC; /* of the missing file; none: of another table */
  for (unsigned m = 0; m < SD_METRICS; m++) {
    sd_subject_file_name (&subject, (enum sd_metric) m, file[m]);
    metric = strcmp (missing, file[m]) == 0 ? m : metric;
  }

  const enum sd_metric told_by = metric < SD_METRICS ? sd_metrics[metric].told_by : SD_NO_METRIC;
  sd_tool_exact_folder (path, folder, sizeof folder);
  sd_rules_command (game, r, slice, what, sizeof what);

  if (told_by != SD_NO_METRIC && sd_path_has (path, file[told_by]))
    sd_fail_missing (err, missing, "%.400s; the %s table beside it holds no %s of its own", before,
                     sd_metrics[told_by].title, sd_metrics[metric].title);
  else if (metric == SD_NO_METRIC || sd_metrics[metric].exact == SD_USUAL_EXACT)
    sd_fail_missing (err, missing, "%.300s; 'subdef gen %.200s -o %s' makes %s", before, what, folder,
                     told_by != SD_NO_METRIC ? "DTM tables, which will do as well" : "it");
  else
    sd_fail_missing (err, missing, "%.300s; 'subdef gen %.200s --metric %s -o %s' makes it", before, what,
                     sd_metrics[sd_metrics[metric].exact].name, folder);
}

const char *sd_tool_result (sd_value v) {
  return v > 0 ? "won" : v < 0 ? "lost" : "drawn";
}

const char *sd_tool_slice (const sd_game_kind *k) {
  return k->words.slice ? k->words.slice : "slice";
}

const char *sd_tool_slices (const sd_game_kind *k) {
  return k->words.slices ? k->words.slices : "slices";
}

void sd_tool_value (const sd_game_kind *k, sd_value v, char *out, size_t cap) {
  if (v == 0)
    snprintf (out, cap, "drawn");
  else if (k->words.dtm)
    k->words.dtm (v, out, cap);
  else
    snprintf (out, cap, "%s in %d", sd_tool_result (v), sd_value_plies (v));
}

/* A user who typed no path is told where it came from: "SUBDEF_PATH: tables: cannot list the folder". */
static int prefix_path (const char *option, int status, sd_error *err) {
  if (status != SD_OK && !option && getenv ("SUBDEF_PATH"))
    sd_error_prefix (err, "SUBDEF_PATH");
  return status;
}

/* Empty names between colons are passed over. */
bool sd_tool_next_folder (const char **path, char *out, size_t cap) {
  *path += strspn (*path, ":");
  const size_t n = strcspn (*path, ":");
  snprintf (out, cap, "%.*s", (int) n, *path);
  *path += n;
  return n > 0;
}

/* One folder of several may be absent, as one of a list in a profile: that is a note. A path of which nothing
 * is there is a mistake. */
int sd_tool_note_absent (const char *option, sd_error *err) {
  const char *path = sd_tool_path (option), *p = path;
  sd_error first = { 0 };
  char folder[4096];
  bool there = !*path;

  while (sd_tool_next_folder (&p, folder, sizeof folder)) {
    if (access (folder, F_OK) == 0)
      there = true;
    else if (first.status == SD_OK)
      sd_fail (&first, SD_ENOENT, "%s: cannot list the folder: %s", folder, strerror (errno));
  }

  if (first.status != SD_OK && !there) {
    *err = first;
    return prefix_path (option, SD_ENOENT, err);
  }

  for (p = path; sd_tool_next_folder (&p, folder, sizeof folder);)
    if (access (folder, F_OK) != 0)
      sd_tool_note ("%s: there is no such folder: passed over", folder);
  return SD_OK;
}

int sd_tool_open (const char *option, unsigned flags, sd_tables **out, sd_error *err) {
  SD_TRY (sd_tool_note_absent (option, err));
  return prefix_path (option, sd_tables_open (sd_tool_path (option), flags, out, err), err);
}

/* A folder whose own name has a colon is not found, because colons stand between folders: said once. */
static void note_colon (const char *path) {
  static bool said;
  if (said || !strchr (path, ':') || access (path, F_OK) != 0)
    return;
  said = true;
  sd_tool_note ("%s: is looked for as several folders, because ':' stands between them; rename it, or name a "
                "symbolic link to it",
                path);
}

/* An empty SUBDEF_PATH counts as none. An empty option stays empty, and no folder is looked into. */
const char *sd_tool_path (const char *option) {
  const char *env = getenv ("SUBDEF_PATH"), *path = option ? option : env && *env ? env : ".";
  note_colon (path);
  return path;
}

void sd_tool_first_folder (const char *path, char *out, size_t cap) {
  if (!sd_tool_next_folder (&path, out, cap))
    snprintf (out, cap, ".");
}

/* "/KRvK.wdl.sdt" lies in "/", of which the slash is kept. */
void sd_tool_folder_of (const char *file, char out[4096]) {
  const char *slash = strrchr (file, '/');
  snprintf (out, 4096, "%.*s", slash ? (int) (slash - file) + (slash == file) : 1, slash ? file : ".");
}

int sd_tool_path_from (const char *file, const char *tables, const char *more, char **out, sd_error *err) {
  char folder[4096];
  sd_tool_folder_of (file, folder);
  if (asprintf (out, "%s:%s%s%s", folder, sd_tool_path (tables), more ? ":" : "", more ? more : "") >= 0)
    return SD_OK;
  *out = NULL;
  return sd_fail_memory (err, 0);
}

/* By device and inode: links and "./" do not matter. Files that are not there are not the same. */
bool sd_tool_same_file (const char *a, const char *b) {
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
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
    /* The generator leaves nothing free but impossible positions. What was recoded with more freedom is no
     * reason to put exact tables beside it. */
    exact = in.coding == SD_CODING_SIGNED && !(in.freedom & ~(unsigned) SD_FREE_ILLEGAL);
  }
  sd_tables_close (ts);
  return exact;
}

/* Used in commands that messages propose ("'subdef gen KRvK -o FOLDER' makes it"); nothing is made here. */
void sd_tool_exact_folder (const char *path, char *out, size_t cap) {
  const char *p = path;
  bool found = false;
  char folder[4096];

  while (cap && sd_tool_next_folder (&p, folder, sizeof folder)) {
    bool empty;
    /* The first empty folder is kept in mind while one with exact tables may still come. */
    const bool exact = holds_exact (folder, &empty);
    if (exact || (empty && !found))
      snprintf (out, cap, "%s", folder);
    found |= exact || empty;
    if (exact)
      return;
  }
  if (!found)
    snprintf (out, cap, "%s", *path ? "exact" : ".");
}

bool sd_tool_read_bytes (const char *text, double *bytes) {
  static const char letters[] = "kMGT";
  char *end;
  double v = strtod (text, &end);
  const char *unit = *end ? strchr (letters, *end) : NULL;
  if (end == text || !(v >= 1) || v > 1e15 || (*end && (!unit || end[1])))
    return false;
  for (const char *u = letters; unit && u <= unit; u++)
    v *= 1024;
  *bytes = v;
  return true;
}

const char *sd_tool_count (uint64_t v) {
  /* Several counts stand in one printf, so that one buffer would not do. */
  static _Thread_local char text[10][32];
  static _Thread_local unsigned next;
  return sd_text_count (v, text[next++ % 10]);
}

/* "-" twice where numbers of slots are not positions on squares, as in other games and Syzygy files. */
void sd_tool_layout (const sd_side *s, char order[24], char numbering[24]) {
  strcpy (order, "-");
  strcpy (numbering, "-");
  if (s->layout) {
    sd_layout_order_text (s->layout, order);
    sd_layout_numbering_text (s->layout, numbering);
  }
}

/* "made.list", "made-1-of-4.list". */
bool sd_tool_is_list (const char *path) {
  const char *name = basename (path), *dot = strrchr (name, '.');
  return strncmp (name, "made", 4) == 0 && dot && strcmp (dot, ".list") == 0;
}

/* What has a slash, an ending of table files, or is there is a file, also where an ending has that name. */
int sd_tool_each_file (const char *text, const sd_rules *r, const char *tables,
                       int (*one) (const char *path, sd_error *err), sd_error *err) {
  sd_slice slice;
  sd_table_spec subject;
  char name[SD_SLICE_NAME];
  bool any = false;
  sd_error why = { 0 };
  if (sd_tool_is_list (text))
    return SD_OK;
  if (strchr (text, '/') || sd_format_names (text) || sd_file_exists (text))
    return one (text, err);
  if (sd_rules_slice (r, text, &slice, &why) != SD_OK)
    return sd_fail (err, SD_ENOENT, "%s: no file of that name, and no %s: %s", text, sd_tool_slice (r->kind),
                    why.text);

  const char *path = sd_tool_path (tables);
  r->kind->slice_name (r->ctx, slice, name);
  SD_TRY (sd_rules_subject (r, slice, &subject, err));

  for (unsigned metric = 0; metric < SD_METRICS; metric++) {
    char *found;
    const sd_holding what = { subject.game, subject.material, (enum sd_metric) metric };
    SD_TRY (sd_path_find_table (path, &what, false, &found, err));
    any |= found != NULL;

    const int st = found ? one (found, err) : SD_OK;
    free (found);
    SD_TRY (st);
  }

  if (any)
    return SD_OK;
  char where[300];
  sd_path_said (path, where, sizeof where);
  return sd_fail_missing (err, name, "%s: no file of that name, and no table of %s %s in %s", text,
                          r->kind->words.slice ? "that" : "this", sd_tool_slice (r->kind), where);
}

/* Both are asked (no `||`): after a write that failed the rest is still written, if it can be. */
int sd_tool_finish (int status) {
  sd_terminal_clear ();
  if (ferror (stdout) | fflush (stdout)) {
    fprintf (stderr, "%s: standard output: write failed: %s\n", command,
             errno ? strerror (errno) : "unknown reason");
    return SD_EXIT_FAILED;
  }
  return status;
}

/* The status that main returned is gone by now; only _exit can still change it. */
static void check_stdout (void) {
  if (sd_tool_finish (SD_EXIT_OK) != SD_EXIT_OK)
    _exit (SD_EXIT_FAILED);
}

void sd_tool_watch_stdout (void) {
  atexit (check_stdout);
}
