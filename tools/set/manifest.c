/* manifest.json of a set: {"program": ..., "files": [...], "exact": [...]}, a row for each file and for each
 * exact table that was made. It is always whole: a new one takes the place of the old one. Several tasks
 * write it, one at a time, each from what stands there. Rows are sorted, so that the manifest does not tell
 * which of them was made first. */
#include "config.h"
#include "tools/set/set.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const lists[] = { "files", "exact" };
enum { LISTS = sizeof lists / sizeof *lists };

/* The file may be anything, but a regular file of at most so many bytes: 145 files of two metrics take one
 * million. */
enum { MOST = 1 << 30 };
static int load (const char *path, json_t **out, sd_error *err) {
  json_error_t why;
  sd_map file;
  char reason[sizeof why.text];
  SD_TRY (sd_map_open (path, &file, err));
  *out =
      file.len > MOST ? NULL : json_loadb ((const char *) file.data, file.len, JSON_REJECT_DUPLICATES, &why);
  const bool large = file.len > MOST;
  sd_map_close (&file);
  if (large)
    return sd_fail (err, SD_EFORMAT, "%s: is too large for the manifest of a set", path);
  if (*out)
    return SD_OK;
  /* What stands in the file is not for a terminal. */
  size_t n = 0;
  for (const char *at = why.text; *at; at++)
    reason[n++] = *at < ' ' || *at == 127 ? '?' : *at;
  reason[n] = 0;
  return sd_fail (err, SD_EFORMAT,
                  "%s: line %d: %s; it tells what the files of this set are: mend it, or name another folder",
                  path, why.line, reason);
}

int sd_manifest_read (const char *folder, json_t **out, sd_error *err) {
  char path[4096];
  *out = NULL;
  SD_TRY (sd_set_path (folder, "manifest.json", path, err));
  if (!sd_file_exists (path)) {
    *out = json_pack ("{s:s, s:[], s:[]}", "program", PACKAGE_STRING, "files", "exact");
    return *out ? SD_OK : sd_fail_memory (err, 0);
  }
  SD_TRY (load (path, out, err));
  for (unsigned l = 0; l < LISTS; l++)
    if (!json_is_array (json_object_get (*out, lists[l]))) {
      json_decref (*out);
      *out = NULL;
      return sd_fail (err, SD_EFORMAT, "%s: has no list \"%s\", so it is not the manifest of a set", path,
                      lists[l]);
    }
  return SD_OK;
}

int sd_manifest_renew (sd_set *s, sd_error *err) {
  json_t *now;
  SD_TRY (sd_manifest_read (s->opt->out, &now, err));
  json_decref (s->manifest);
  s->manifest = now;
  return SD_OK;
}

int sd_manifest_lock (sd_set *s, int *lock, sd_error *err) {
  SD_TRY (sd_set_lock (s, "manifest.lock", false, true, lock, err));
  const int st = sd_manifest_renew (s, err);
  if (st)
    close (*lock);
  return st;
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

static int write_manifest (const sd_set *s, sd_error *err) {
  char path[4096];
  sd_outfile *f;
  SD_TRY (sd_set_path (s->opt->out, "manifest.json", path, err));
  SD_OWNED char *text =
      json_dumps (s->manifest, JSON_INDENT (1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION (6));
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

int sd_manifest_put (sd_set *s, const char *list, json_t *row, sd_error *err) {
  json_t *rows = json_object_get (s->manifest, list);
  const size_t at = place_of (rows, text_of (row, "table"), text_of (row, "metric"));
  if (at < json_array_size (rows) ? json_array_set_new (rows, at, row) : json_array_append_new (rows, row))
    return sd_fail_memory (err, 0);
  SD_TRY (sort_rows (s->manifest, list, err));
  return write_manifest (s, err);
}
