/* manifest.json of a set: {"program": ..., "files": [...], "exact": [...]}, a row for each file and for each
 * exact table that was made. It is always whole: a new one takes the place of the old one. Several tasks
 * write it, one at a time, each from what stands there. Rows are sorted, so that the manifest does not tell
 * which of them was made first. */
#include "config.h"
#include "tools/set/set.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char *const lists[] = { "files", "exact" };
enum { LISTS = sizeof lists / sizeof *lists };

static int path_of (const char *folder, char out[4096], sd_error *err) {
  return snprintf (out, 4096, "%s/manifest.json", folder) < 4096
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s: the path is too long", folder);
}

/* The file may be anything. */
int sd_manifest_read (const char *folder, json_t **out, sd_error *err) {
  char path[4096];
  json_error_t why;
  SD_TRY (path_of (folder, path, err));
  if (!sd_file_exists (path)) {
    *out = json_pack ("{s:s, s:[], s:[]}", "program", PACKAGE_STRING, "files", "exact");
    return *out ? SD_OK : sd_fail_memory (err, 0);
  }
  *out = json_load_file (path, JSON_REJECT_DUPLICATES, &why);
  if (!*out)
    return sd_fail (
        err, SD_EFORMAT,
        "%s: line %d: %s; it tells what the files of this set are: mend it, or name another folder", path,
        why.line, why.text);
  for (unsigned l = 0; l < LISTS; l++)
    if (!json_is_array (json_object_get (*out, lists[l]))) {
      json_decref (*out);
      *out = NULL;
      return sd_fail (err, SD_EFORMAT, "%s: has no list \"%s\", so it is not the manifest of a set", path,
                      lists[l]);
    }
  return SD_OK;
}

static const char *text_of (const json_t *row, const char *key) {
  const char *text = json_string_value (json_object_get (row, key));
  return text ? text : "";
}

/* Where it stands; the length of the list: nowhere. */
static size_t place_of (const json_t *rows, const char *table, const char *metric) {
  size_t i = 0;
  while (i < json_array_size (rows)
         && (strcmp (text_of (json_array_get (rows, i), "table"), table)
             || strcmp (text_of (json_array_get (rows, i), "metric"), metric)))
    i++;
  return i;
}

json_t *sd_manifest_row (const json_t *manifest, const char *list, const char *table, enum sd_metric metric) {
  const json_t *rows = json_object_get (manifest, list);
  return json_array_get (rows, place_of (rows, table, sd_metrics[metric].name));
}

/* Small endings first, then by name and metric. */
static int by_name (const void *x, const void *y) {
  const json_t *a = *(json_t *const *) x, *b = *(json_t *const *) y;
  const char *na = text_of (a, "table"), *nb = text_of (b, "table");
  if (strlen (na) != strlen (nb))
    return strlen (na) < strlen (nb) ? -1 : 1;
  const int c = strcmp (na, nb);
  return c ? c : strcmp (text_of (a, "metric"), text_of (b, "metric"));
}

static int sort_rows (json_t *manifest, const char *list, sd_error *err) {
  json_t *rows = json_object_get (manifest, list), *sorted = json_array ();
  const size_t n = json_array_size (rows);
  SD_OWNED json_t **row = sd_alloc0 (n + 1, sizeof *row);
  if (!sorted || !row) {
    json_decref (sorted);
    return sd_fail_memory (err, 0);
  }
  for (size_t i = 0; i < n; i++)
    row[i] = json_array_get (rows, i);
  qsort (row, n, sizeof *row, by_name);
  for (size_t i = 0; i < n; i++)
    json_array_append (sorted, row[i]);
  return json_object_set_new (manifest, list, sorted) ? sd_fail_memory (err, 0) : SD_OK;
}

static int write_manifest (const char *folder, const json_t *manifest, sd_error *err) {
  char path[4096];
  sd_outfile *f;
  SD_TRY (path_of (folder, path, err));
  SD_OWNED char *text =
      json_dumps (manifest, JSON_INDENT (1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION (6));
  if (!text)
    return sd_fail_memory (err, 0);
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = sd_outfile_write (f, text, strlen (text), err);
  st = st == SD_OK ? sd_outfile_write (f, "\n", 1, err) : st;
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}

/* With the lock held. */
static int put (const char *folder, json_t **manifest, const char *list, json_t *row, sd_error *err) {
  json_t *now;
  SD_TRY (sd_manifest_read (folder, &now, err));
  json_decref (*manifest);
  *manifest = now;
  json_t *rows = json_object_get (now, list);
  const size_t at = place_of (rows, text_of (row, "table"), text_of (row, "metric"));
  if (at < json_array_size (rows) ? json_array_set (rows, at, row) : json_array_append (rows, row))
    return sd_fail_memory (err, 0);
  SD_TRY (sort_rows (now, list, err));
  return write_manifest (folder, now, err);
}

int sd_manifest_put (const sd_set *s, json_t **manifest, const char *list, json_t *row, sd_error *err) {
  char path[4200];
  snprintf (path, sizeof path, "%s/manifest.lock", s->work);
  const int lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  int st = lock >= 0 && flock (lock, LOCK_EX) == 0
               ? put (s->opt->out, manifest, list, row, err)
               : sd_fail (err, SD_EIO, "%s: cannot be locked: %s", path, strerror (errno));
  if (lock >= 0)
    close (lock);
  json_decref (row);
  return st;
}
