/* What of a set is there. An exact table is needed as long as something that is not there is made of it: seen
 * from the last job to the first, for an exact table that is not needed needs nothing itself. */
#include "config.h"
#include "tools/set/set.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_S 1e12 /* seconds; a row with more is not believed */

int sd_set_is_file_of (const char *path, const json_t *row, bool *is, sd_error *err) {
  sd_done_file now;
  char sum[17];
  *is = false;
  if (!row || !sd_file_exists (path))
    return SD_OK;
  SD_TRY (sd_done_tell_file (path, &now, err));
  snprintf (sum, sizeof sum, "%016" PRIx64, now.sum);
  const char *known = json_string_value (json_object_get (row, "sum"));
  *is = known && strcmp (known, sum) == 0;
  return SD_OK;
}

static const json_t *row_of (const sd_set *s, const sd_set_job *j) {
  return sd_manifest_row (s->manifest, j->exact ? "exact" : "files", j->name, j->metric);
}

/* It is there. What it took stands in its row, if that is of a file that was made as is asked for, not of a
 * smaller one. */
static void is_there (const sd_set *s, sd_set_job *j) {
  const json_t *row = row_of (s, j);
  const char *how = json_string_value (json_object_get (row, "how"));
  const double took_s = json_number_value (json_object_get (row, "cpu_s"));
  j->at = SD_SET_THERE;
  if (j->took_s <= 0 && took_s > 0 && took_s < MOST_S
      && (j->exact || (how && sd_reformat_does (how, j->how))))
    j->took_s = took_s;
}

/* Does a row say that what is asked for was done? With --if-smaller also if it was tried and another file was
 * smaller. */
static bool is_done (const sd_set *s, const sd_set_job *j, const json_t *row) {
  const char *how = json_string_value (json_object_get (row, "how"));
  if (how && sd_reformat_does (how, j->how))
    return true;
  const json_t *tried = json_object_get (row, "tried");
  for (size_t i = 0; s->opt->smaller && i < json_array_size (tried); i++) {
    how = json_string_value (json_array_get (tried, i));
    if (how && sd_reformat_does (how, j->how))
      return true;
  }
  return false;
}

/* With the manifest's lock held, so that no other task is between a row and the place of its file: a file
 * that has a row gets its place, what is there without a row is somebody's. *is: the file is that of the row.
 */
static int settle (sd_set *s, const sd_set_job *j, const char *path, const char *made, bool *is,
                   sd_error *err) {
  bool waits = false;
  SD_TRY (sd_set_is_file_of (path, row_of (s, j), is, err));
  if (!*is)
    SD_TRY (sd_set_is_file_of (made, row_of (s, j), &waits, err));
  if (waits) {
    *is = rename (made, path) == 0;
    return *is ? SD_OK : sd_fail (err, SD_EIO, "%s: cannot become %s", made, path);
  }
  if (!*is && sd_file_exists (path))
    return sd_fail (
        err, SD_EIO,
        "%s: is there already, and %s/manifest.json does not know it as it is; -f makes it anew, --output "
        "names another folder",
        path, s->opt->out);
  return SD_OK;
}

static int settle_locked (sd_set *s, const sd_set_job *j, const char *path, const char *made, bool *is,
                          sd_error *err) {
  int lock;
  SD_TRY (sd_manifest_lock (s, &lock, err));
  const int st = settle (s, j, path, made, is, err);
  close (lock);
  return st;
}

/* A file of the set, its bytes compared with its row. */
static int look_at_file (sd_set *s, sd_set_job *j, sd_error *err) {
  char path[4096], made[4096];
  bool is;

  SD_TRY (sd_set_path (s->opt->out, j->file, path, err));
  SD_TRY (sd_set_path (s->made, j->file, made, err));
  SD_TRY (sd_set_is_file_of (path, row_of (s, j), &is, err));
  if (!is && !s->opt->force && !s->opt->estimate && (sd_file_exists (path) || sd_file_exists (made)))
    SD_TRY (settle_locked (s, j, path, made, &is, err));
  if (is && !s->opt->force && is_done (s, j, row_of (s, j)))
    is_there (s, j);
  return SD_OK;
}

/* Tables of the generator have their names only when they are whole. A program that was killed may have left
 * one without a row. */
static int look_at_exact (sd_set *s, sd_set_job *j, sd_error *err) {
  char path[4096];
  SD_TRY (sd_set_path (s->exact, j->file, path, err));
  const bool there = sd_file_exists (path);
  if (j->at == SD_SET_OPEN && there)
    is_there (s, j);
  else if (j->at == SD_SET_THERE && !there) /* another task has removed it, or somebody */
    j->at = SD_SET_OPEN;
  return SD_OK;
}

/* A file that another task has made. */
static int look_at_row (const sd_set *s, sd_set_job *j, sd_error *err) {
  char path[4096];
  SD_TRY (sd_set_path (s->opt->out, j->file, path, err));
  if (is_done (s, j, row_of (s, j)) && sd_file_exists (path))
    is_there (s, j);
  return SD_OK;
}

/* From the last job on. What has failed reads its tables once more when the command is given again, or in
 * another task. */
static void mark_needed (sd_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    s->job[i].needed = false;
  for (unsigned i = s->n; i-- > 0;) {
    const sd_set_job *j = &s->job[i];
    if (j->at != SD_SET_THERE && (!j->exact || j->needed))
      for (unsigned k = 0; k < j->nfrom; k++)
        s->job[j->from[k]].needed = true;
  }
}

/* Only what the manifest knows as made for this set. */
static void remove_unneeded (sd_set *s) {
  char path[4096];
  for (unsigned i = 0; i < s->n && !s->keeps_exact; i++) {
    sd_set_job *j = &s->job[i];
    if (j->exact && !j->needed && j->at == SD_SET_THERE && row_of (s, j)
        && sd_set_path (s->exact, j->file, path, NULL) == SD_OK) {
      unlink (path);
      j->at = SD_SET_OPEN;
    }
  }
}

/* Exact tables that are there and have no row: made by a task that was killed, or before by the generator
 * alone. What they took is not known. */
static int add_rows (sd_set *s, sd_error *err) {
  static const sd_set_took unknown = { .cpu_s = -1 };
  for (unsigned i = 0; i < s->n; i++)
    if (s->job[i].exact && s->job[i].at == SD_SET_THERE && !row_of (s, &s->job[i]))
      SD_TRY (sd_set_exact_made (s, &s->job[i], &unknown, err));
  return SD_OK;
}

int sd_set_look (sd_set *s, sd_error *err) {
  for (unsigned i = 0; i < s->n; i++)
    SD_TRY (s->job[i].exact ? look_at_exact (s, &s->job[i], err) : look_at_file (s, &s->job[i], err));
  if (!s->opt->estimate)
    SD_TRY (add_rows (s, err));
  mark_needed (s);
  sd_set_learn (s);
  for (unsigned i = 0; i < s->n; i++) {
    sd_set_job *j = &s->job[i];
    j->counts = j->at == SD_SET_OPEN && (!j->exact || j->needed || s->keeps_exact);
    s->left += j->counts ? j->cpu_s : 0;
  }
  return SD_OK;
}

int sd_set_look_again (sd_set *s, sd_error *err) {
  SD_TRY (sd_manifest_renew (s, err));
  for (unsigned i = 0; i < s->n; i++) {
    sd_set_job *j = &s->job[i];
    if (j->exact)
      SD_TRY (look_at_exact (s, j, err));
    else if (j->at == SD_SET_OPEN && !s->opt->force)
      SD_TRY (look_at_row (s, j, err));
  }
  mark_needed (s);
  remove_unneeded (s);
  sd_set_learn (s);
  return SD_OK;
}
