/* The folders of a set. Whoever works in them holds a lock that all share, and all do the same: whoever comes
 * while others are at work must have been given the same command. Whoever is alone may remove what is left.
 */
#include "config.h"
#include "tools/set/set.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int sd_set_path (const char *folder, const char *file, char out[4096], sd_error *err) {
  return snprintf (out, 4096, "%s/%s", folder, file) < 4096
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s/%s: the path is too long", folder, file);
}

/* A path of tables has colons between its folders. */
static int check_name (const char *option, const char *folder, sd_error *err) {
  if (strchr (folder, ':'))
    return sd_fail (err, SD_EINVAL, "--%s %s: a folder of tables cannot have a colon in its name", option,
                    folder);
  return strlen (folder) < sizeof ((sd_set *) 0)->work - 200
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "--%s %.40s...: the path is too long", option, folder);
}

int sd_set_name_folders (sd_set *s, sd_error *err) {
  const sd_set_options *o = s->opt;
  SD_TRY (check_name ("output", o->out, err));
  if (o->exact)
    SD_TRY (check_name ("exact", o->exact, err));
  s->keeps_exact = o->exact != NULL;
  SD_TRY (sd_set_path (o->out, "work", s->work, err));
  SD_TRY (sd_set_path (s->work, "made", s->made, err));
  if (!o->exact)
    return sd_set_path (s->work, "exact", s->exact, err);
  snprintf (s->exact, sizeof s->exact, "%s", o->exact);
  return SD_OK;
}

/* What is removed in a folder of the set must not be somebody else's: no link. */
static int own_folder (const char *path, sd_error *err) {
  struct stat is;
  SD_TRY (sd_make_folder (path, err));
  if (lstat (path, &is) || !S_ISDIR (is.st_mode))
    return sd_fail (err, SD_EIO, "%s: is a link, where a set has a folder of its own", path);
  return SD_OK;
}

static bool same_folder (const char *a, const char *b) {
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int make_folders (const sd_set *s, sd_error *err) {
  SD_TRY (sd_make_folder (s->opt->out, err));
  SD_TRY (own_folder (s->work, err));
  SD_TRY (own_folder (s->made, err));
  if (!s->keeps_exact)
    return own_folder (s->exact, err);
  SD_TRY (sd_make_folder (s->exact, err));
  if (same_folder (s->exact, s->opt->out) || same_folder (s->exact, s->made))
    return sd_fail (err, SD_EINVAL,
                    "--exact %s: is a folder of the set's files, which may have the same names", s->exact);
  return SD_OK;
}

/* What is asked for, as a number: all jobs, and where exact tables are. */
static uint64_t fingerprint (const sd_set *s) {
  sd_buf all = { 0 };
  for (unsigned i = 0; i < s->n; i++) {
    sd_buf_append (&all, s->job[i].key, strlen (s->job[i].key) + 1);
    sd_buf_append (&all, s->job[i].how, strlen (s->job[i].how) + 1);
  }
  sd_buf_u8 (&all, s->opt->smaller);
  if (s->opt->exact)
    sd_buf_append (&all, s->opt->exact, strlen (s->opt->exact));
  const uint64_t sum = sd_buf_status (&all) == SD_OK ? sd_hash64 (all.data, all.len) : 0;
  sd_buf_free (&all);
  return sum;
}

static int join (sd_set *s, uint64_t mine, sd_error *err) {
  SD_TRY (sd_lock_join (s->work, &(sd_work){ .number = mine }, &s->shared, err));
  return s->shared >= 0
             ? SD_OK
             : sd_fail (
                 err, SD_EIO,
                 "%s: another command makes another set there; wait for its end, or name another folder",
                 s->opt->out);
}

int sd_set_enter (sd_set *s, sd_error *err) {
  SD_TRY (make_folders (s, err));
  return join (s, fingerprint (s), err);
}

/* Files of the set's own names. What is there besides stays, and its folder with it. */
static void clear_work (const sd_set *s) {
  char path[4096];
  static const char *const names[] = { "manifest.lock", "tasks.lock" };
  for (unsigned i = 0; i < s->n; i++) {
    char lock[sizeof s->job->key + 8];
    snprintf (lock, sizeof lock, "%s.lock", s->job[i].key);
    if (sd_set_path (s->work, lock, path, NULL) == SD_OK)
      unlink (path);
    if (!s->job[i].exact && sd_set_path (s->made, s->job[i].file, path, NULL) == SD_OK)
      unlink (path);
  }
  if (sd_set_path (s->made, "made.list", path, NULL) == SD_OK)
    unlink (path);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (sd_set_path (s->work, names[i], path, NULL) == SD_OK)
      unlink (path);
  rmdir (s->made);
  if (!s->keeps_exact)
    rmdir (s->exact);
  rmdir (s->work);
}

void sd_set_leave (sd_set *s) {
  bool complete = true;
  for (unsigned i = 0; i < s->n; i++)
    complete &= s->job[i].exact || s->job[i].at == SD_SET_THERE;
  if (s->shared < 0)
    return;
  /* Alone: nobody holds a lock that would go. */
  if (complete && sd_lock_alone (s->shared))
    clear_work (s);
  close (s->shared);
  s->shared = -1;
}
