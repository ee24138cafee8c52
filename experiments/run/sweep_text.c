/* The text of a sweep file with that of the files that it includes, and the keys that the command line
 * overrides. What a row remembers of its sweep is all of this text.
 *
 * The text goes into the store (sd_provenance.sweep), and its hash with it, so that a sweep can be run
 * again from a store alone. libconfig reads the files itself; here their text is gathered, and numbers are
 * looked at that libconfig would take for others. */
#include "config.h"
#include "base/text.h"
#include "experiments/run/conf_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- the files */

/* s->text is one text with a 0 at its end; it grows with each file. */
static int append (sd_sweep *s, const char *text, size_t len, sd_error *err) {
  const size_t old = strlen (s->text);
  char *longer = realloc (s->text, old + len + 1);
  if (!longer)
    return sd_fail_memory (err, old + len + 1);
  if (len) /* of an empty file there is no text */
    memcpy (longer + old, text, len);
  longer[old + len] = '\0';
  s->text = longer;
  return SD_OK;
}

/* A remark on a line of its own: "# included: common.conf", "# override: seed=2"; a remark of libconfig's, so
 * that the text stays a sweep file. */
static int append_remark (sd_sweep *s, const char *what, const char *text, sd_error *err) {
  char line[1400];
  const size_t len = strlen (s->text);
  snprintf (line, sizeof line, "%s# %s: %s\n", len && s->text[len - 1] != '\n' ? "\n" : "", what, text);
  return append (s, line, strlen (line), err);
}

/* What a word or number of a sweep file is made of. */
static const char word_bytes[] = "0123456789._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Bytes of the comment or string that begins here; 0: none does. */
static size_t skipped (const char *t) {
  if (*t == '#' || (t[0] == '/' && t[1] == '/'))
    return strcspn (t, "\n");
  if (t[0] == '/' && t[1] == '*') {
    const char *end = strstr (t + 2, "*/");
    return end ? (size_t) (end + 2 - t) : strlen (t);
  }
  size_t n = *t == '"';
  while (n && t[n] && t[n] != '"')
    n += t[n] == '\\' && t[n + 1] ? 2 : 1;
  return n + (n && t[n] == '"');
}

/* Is the number that begins here a whole one of more than 32 bits, or with an L of more than 64? A number
 * with a point or an exponent is no whole one. */
static bool too_large (const char *t, bool negative) {
  char *end;
  errno = 0;
  const long long v = strtoll (t, &end, t[0] == '0' && (t[1] == 'x' || t[1] == 'X') ? 16 : 10);
  if (*end && strchr (".eE", *end))
    return false;
  return errno || (*end != 'L' && v > INT32_MAX + (long long) negative);
}

/* The first such number in a text, which libconfig would read as another one, without a word, and the line
 * that it stands in; NULL: there is none. */
static const char *find_too_large (const char *text, unsigned *line) {
  *line = 1;
  for (const char *t = text, *next; *t; t = next) {
    const size_t n = skipped (t), word = n ? n : strspn (t, word_bytes);
    if (*t >= '0' && *t <= '9' && too_large (t, t > text && t[-1] == '-'))
      return t;
    for (next = t + (word ? word : 1); t < next; t++)
      *line += *t == '\n';
  }
  return NULL;
}

static int check_numbers (const char *path, const char *text, sd_error *err) {
  unsigned line;
  const char *t = find_too_large (text, &line);
  return t ? sd_fail (err, SD_EINVAL,
                      "%s:%u: the number %.*s is too large: %d is the largest, with an L behind it %lld",
                      path, line, (int) strspn (t, word_bytes), t, INT32_MAX, (long long) INT64_MAX)
           : SD_OK;
}

/* A file that is larger than any sweep is refused before it is read as one. */
static int append_file (sd_sweep *s, const char *path, sd_error *err) {
  SD_OWNED char *text = NULL;
  size_t len;
  SD_TRY (sd_text_read (path, &text, &len, err));
  if (len > (1u << 24))
    return sd_fail (err, SD_EINVAL, "%s: not a sweep file: %zu bytes, text of at most 16 MiB is needed", path,
                    len);
  SD_TRY (check_numbers (path, text, err));
  return append (s, text, len, err);
}

/* The texts of the files that the text includes (libconfig: a line of its own, @include "FILE", outside
 * comments), behind it; those that these include come to their turn behind them. libconfig has read them by
 * then, so that a name which cannot be read was its failure. */
static int append_included (sd_sweep *s, const char *folder, sd_error *err) {
  enum { MOST = 64 };
  unsigned files = 0;
  bool front = true; /* of a line: blanks at most stand before */
  for (size_t at = 0, n; s->text[at]; at += n) {
    char name[500], path[5000];
    int end = 0;

    if (front && s->text[at] == '@' && sscanf (s->text + at, "@include \"%499[^\"\n]\"%n", name, &end) == 1
        && end) {
      if (++files > MOST)
        return sd_fail (err, SD_EINVAL, "%s: includes more than %d files", s->path, MOST);
      snprintf (path, sizeof path, "%s/%s", folder, name);
      SD_TRY (append_remark (s, "included", name, err));
      SD_TRY (append_file (s, path, err));
    }

    /* Comments and strings are passed over as a whole: what stands in them includes nothing. */
    n = skipped (s->text + at);
    front = !n && (s->text[at] == '\n' || (front && (s->text[at] == ' ' || s->text[at] == '\t')));
    n = n ? n : 1;
  }
  return SD_OK;
}

int sd_sweep_text (sd_sweep *s, const char *path, config_t *conf, sd_error *err) {
  SD_OWNED char *folder = strdup (path), *own = NULL;
  s->path = strdup (path);
  s->text = calloc (1, 1);
  if (!s->path || !s->text || !folder)
    return sd_fail_memory (err, strlen (path) + 1);

  SD_TRY (append_file (s, path, err));
  own = strdup (s->text);
  if (!own)
    return sd_fail_memory (err, strlen (s->text));

  /* Included files are looked for beside the sweep file, wherever the program runs. */
  char *slash = strrchr (folder, '/');
  if (slash)
    slash[slash == folder] = '\0'; /* a file of the root folder keeps it */
  else
    strcpy (folder, *folder ? "." : "");
  config_set_include_dir (conf, folder);
  if (!config_read_string (conf, own))
    return sd_fail (err, SD_EINVAL, "%s:%d: %s", config_error_file (conf) ? config_error_file (conf) : path,
                    config_error_line (conf), config_error_text (conf));
  return append_included (s, folder, err);
}

/* -------------------------------------------------------------- overrides */

/* A value of any type, lists and groups with all that is in them. */
static int copy_setting (const config_setting_t *from, config_setting_t *to_parent) {
  const int type = config_setting_type (from);
  config_setting_t *to = config_setting_add (to_parent, config_setting_name (from), type);
  if (!to)
    return SD_ENOMEM;

  switch (type) {
  case CONFIG_TYPE_STRING:
    config_setting_set_string (to, config_setting_get_string (from));
    break;
  case CONFIG_TYPE_INT:
    config_setting_set_int (to, config_setting_get_int (from));
    break;
  case CONFIG_TYPE_INT64:
    config_setting_set_int64 (to, config_setting_get_int64 (from));
    break;
  case CONFIG_TYPE_FLOAT:
    config_setting_set_float (to, config_setting_get_float (from));
    break;
  case CONFIG_TYPE_BOOL:
    config_setting_set_bool (to, config_setting_get_bool (from));
    break;
  default:
    for (int i = 0; i < config_setting_length (from); i++)
      SD_TRY (copy_setting (config_setting_get_elem (from, (unsigned) i), to));
  }
  return SD_OK;
}

/* Under its older name the key goes, too. A group that says "side" and is given "sides" would have both,
 * which is refused. */
static int replace (const config_setting_t *from, config_setting_t *in) {
  const char *const key[2] = { config_setting_name (from), sd_axes_other_key (config_setting_name (from)) };
  for (unsigned i = 0; i < 2; i++)
    if (key[i] && config_setting_get_member (in, key[i]))
      config_setting_remove (in, key[i]);
  return copy_setting (from, in);
}

/* title and seed of the sweep; all other keys in each group. */
static int apply (const sd_conf *r, config_t *conf, const config_setting_t *from, const char *text) {
  const char *key = config_setting_name (from);
  config_setting_t *root = config_root_setting (conf), *groups = config_setting_get_member (root, "groups");

  if (strcmp (key, "title") == 0 || strcmp (key, "seed") == 0)
    return replace (from, root);
  if (strcmp (key, "name") == 0 || strcmp (key, "groups") == 0)
    return sd_fail (r->err, SD_EINVAL, "override \"%s\": the names of groups stay as they are", text);

  for (int i = 0; groups && i < config_setting_length (groups); i++) {
    config_setting_t *g = config_setting_get_elem (groups, (unsigned) i);
    if (config_setting_is_group (g))
      SD_TRY (replace (from, g));
  }
  return SD_OK;
}

/* The value is as in a sweep file, or a word alone. A word alone is one that libconfig does not take as it
 * stands: metric=dtm, where the file has metric = "dtm". text is read as a sweep file of one line. */
int sd_sweep_override (const sd_conf *r, config_t *conf, const char *text) {
  char line[1200];
  const size_t key = strcspn (text, "=");
  SD_RELEASED_BY (config_destroy) config_t one;
  config_init (&one);
  if (key == 0 || !text[key] || !text[key + 1] || strlen (text) > 1000 || strpbrk (text, "\n\r"))
    return sd_fail (r->err, SD_EINVAL, "override \"%.100s\": key=value is needed", text);

  SD_TRY (check_numbers ("override", text + key + 1, r->err));
  snprintf (line, sizeof line, "%s;", text);
  bool good = config_read_string (&one, line);
  if (!good && !strchr (text, '"')) {
    snprintf (line, sizeof line, "%.*s = \"%s\";", (int) key, text, text + key + 1);
    good = config_read_string (&one, line);
  }

  const config_setting_t *root = config_root_setting (&one);
  if (!good || config_setting_length (root) != 1)
    return sd_fail (r->err, SD_EINVAL, "override \"%s\": not a value as in a sweep file", text);
  SD_TRY (apply (r, conf, config_setting_get_elem (root, 0), text));
  return append_remark (r->sweep, "override", text, r->err);
}
