/* What a child has made goes into the manifest and to its place, in this order, with the manifest's lock
 * held: a file without a row is somebody else's, a row without its file finds it among those that wait. */
#include "config.h"
#include "tools/set/set.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What reformat says of the file that it has made, and what else the manifest is to tell. NULL: told in *err.
 */
static json_t *row_of_file (const sd_set_job *j, const char *made, const sd_set_child *c,
                            const sd_set_took *took, sd_error *err) {
  char sum[17];
  sd_done_file now;
  json_error_t why;
  SD_OWNED char *text = sd_set_output (c);
  json_t *all = text ? json_loads (text, JSON_REJECT_DUPLICATES, &why) : NULL,
         *row = json_incref (json_array_get (all, 0));
  json_decref (all);
  if (!json_is_object (row) || sd_done_tell_file (made, &now, err) != SD_OK) {
    if (!json_is_object (row))
      sd_fail (err, SD_EFORMAT, "%s: reformat does not say what it has made", j->key);
    json_decref (row);
    return NULL;
  }
  snprintf (sum, sizeof sum, "%016" PRIx64, now.sum);
  json_object_del (row, "status");
  json_object_del (row, "seconds");
  sd_json_put (row, "{s:s, s:s, s:s, s:f, s:I}", "file", j->file, "sum", sum, "how", j->how, "cpu_s",
               took->cpu_s, "memory_bytes", (json_int_t) took->memory);
  return row;
}

static json_int_t bytes_of (const json_t *row) {
  return json_integer_value (json_object_get (row, "bytes"));
}

/* Put a text into a list that does not have it. */
static void note (json_t *list, json_t *text) {
  for (size_t i = 0; i < json_array_size (list); i++)
    if (json_equal (json_array_get (list, i), text))
      return;
  json_array_append (list, text);
}

/* What was tried before, and how the larger one of both was made, goes on in the row that stays. Takes `new`.
 */
static json_t *keep_smaller (const json_t *old, json_t *new) {
  const bool smaller = bytes_of (new) < bytes_of (old);
  json_t *stays = smaller ? new : json_deep_copy (old), *tried = json_object_get (old, "tried");
  tried = tried ? json_deep_copy (tried) : json_array ();
  note (tried, json_object_get (smaller ? old : new, "how"));
  json_object_set_new (stays, "tried", tried);
  if (!smaller)
    json_decref (new);
  return stays;
}

/* With the manifest's lock held. Takes row. */
static int put (sd_set *s, const sd_set_job *j, const char *made, json_t *row, sd_error *err) {
  char path[4096];
  bool is;
  const json_t *old = sd_manifest_row (s->manifest, "files", j->name, j->metric);
  if (sd_set_path (s->opt->out, j->file, path, err) || sd_set_is_file_of (path, old, &is, err)) {
    json_decref (row);
    return err->status;
  }
  const bool compares = s->opt->smaller && is, keeps = compares && bytes_of (row) >= bytes_of (old);
  row = json_incref (compares ? keep_smaller (old, row) : row);
  int st = sd_manifest_put (s, "files", row, err);
  if (st == SD_OK && (keeps ? unlink (made) : rename (made, path)))
    st = sd_fail (err, SD_EIO, "%s: cannot become %s: %s", made, path, strerror (errno));
  if (st == SD_OK)
    sd_set_say (s, j, row);
  json_decref (row);
  return st;
}

int sd_set_file_made (sd_set *s, sd_set_job *j, const sd_set_child *c, const sd_set_took *took,
                      sd_error *err) {
  char made[4096];
  int lock;
  SD_TRY (sd_set_path (s->made, j->file, made, err));
  json_t *row = row_of_file (j, made, c, took, err);
  if (!row)
    return err->status;
  if (sd_manifest_lock (s, &lock, err)) {
    json_decref (row);
    return err->status;
  }
  const int st = put (s, j, made, row, err);
  close (lock);
  return st;
}

/* took->cpu_s below 0: it is not known. */
int sd_set_exact_made (sd_set *s, const sd_set_job *j, const sd_set_took *took, sd_error *err) {
  char path[4096];
  sd_map file;
  int lock;
  SD_TRY (sd_set_path (s->exact, j->file, path, err));
  SD_TRY (sd_map_open (path, &file, err));
  const json_int_t bytes = (json_int_t) file.len;
  sd_map_close (&file);
  const bool known = took->cpu_s >= 0;
  json_t *row =
      json_pack ("{s:s, s:s, s:I, s:o, s:o}", "table", j->name, "metric", sd_metrics[j->metric].name, "bytes",
                 bytes, "cpu_s", known ? json_real (took->cpu_s) : json_null (), "memory_bytes",
                 known ? json_integer ((json_int_t) took->memory) : json_null ());
  if (!row)
    return sd_fail_memory (err, 0);
  if (sd_manifest_lock (s, &lock, err)) {
    json_decref (row);
    return err->status;
  }
  const int st = sd_manifest_put (s, "exact", row, err);
  close (lock);
  return st;
}
