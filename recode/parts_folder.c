/* PATH.pieces, the folder in which the parts of a table wait until all are there, and the locks by which
 * programs share them (parts.c). All that are at the table hold tasks.lock; a part is claimed by a lock on a
 * file of its name, which is free again when its holder is gone, however it ends. A part stands behind the
 * number of the work that it is of, so that what another command has left is never taken for one's own. */
#include "config.h"
#include "recode/recode_internal.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = sizeof ((sd_parts_folder *) 0)->path + 32 };

/* FOLDER/w12.part: of the side with White to move the twelfth. */
static void name_of (const sd_parts_folder *f, unsigned side, unsigned k, const char *ending,
                     char out[ROOM]) {
  snprintf (out, ROOM, "%s/%c%u%s", f->path, "wb"[side], k, ending);
}

static void named (const sd_parts_folder *f, const char *name, char out[ROOM]) {
  snprintf (out, ROOM, "%s/%s", f->path, name);
}

/* Is it a name of this folder, also one that a killed program has left? "w12.part", "w12.part.HOST.7.tmp". */
static bool is_ours (const char *name) {
  const char *p = name + (*name == 'w' || *name == 'b');
  const size_t digits = strspn (p, "0123456789");
  if (p > name && digits > 0 && (strncmp (p + digits, ".part", 5) == 0 || strcmp (p + digits, ".lock") == 0))
    return true;
  return strncmp (name, "made", 4) == 0 || strcmp (name, "table.lock") == 0;
}

/* Of a folder in which one is alone. */
static void remove_all (const char *folder) {
  char path[ROOM + 300];
  DIR *d = opendir (folder);
  if (!d)
    return;
  for (struct dirent *e; (e = readdir (d));)
    if (is_ours (e->d_name) && snprintf (path, sizeof path, "%s/%s", folder, e->d_name) < (int) sizeof path)
      unlink (path);
  closedir (d);
}

/* The lock's file last: whoever has opened it meanwhile sees that it has lost its name. */
static void remove_folder (const char *folder) {
  char path[ROOM];
  remove_all (folder);
  snprintf (path, sizeof path, "%s/tasks.lock", folder);
  unlink (path);
  rmdir (folder);
}

/* Alone: parts of something else are of no use, and neither is what the table was made of. */
static void clear (void *ctx, bool same) {
  const sd_parts_folder *f = ctx;
  if (!same || sd_parts_made (f))
    remove_all (f->path);
}

static bool path_of (const char *table, char out[sizeof ((sd_parts_folder *) 0)->path]) {
  const int room = sizeof ((sd_parts_folder *) 0)->path;
  return snprintf (out, (size_t) room, "%s.pieces", table) < room;
}

int sd_parts_enter (const char *table, uint64_t number, sd_parts_folder *f, sd_error *err) {
  f->number = number;
  if (!path_of (table, f->path))
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", table);
  SD_TRY (sd_lock_join (f->path, &(sd_work){ number, clear, f }, &f->lock, err));
  return f->lock >= 0 ? SD_OK
                      : sd_fail (err, SD_EIO, "%s: another command makes other parts there; wait for its end",
                                 f->path);
}

void sd_parts_leave (sd_parts_folder *f, bool useless) {
  if (f->lock < 0)
    return;
  if ((useless || sd_parts_made (f)) && sd_lock_alone (f->lock))
    remove_folder (f->path);
  close (f->lock);
  f->lock = -1;
}

void sd_parts_forget (const char *table) {
  sd_parts_folder f;
  char name[ROOM];
  int lock;
  struct stat is;
  if (!path_of (table, f.path) || lstat (f.path, &is) || !S_ISDIR (is.st_mode))
    return;
  named (&f, "tasks.lock", name);
  if (sd_lock_take (name, false, false, &lock, NULL) != SD_OK || lock < 0)
    return;
  remove_folder (f.path);
  close (lock);
}

int sd_part_claim (const sd_parts_folder *f, unsigned side, unsigned k, bool wait, int *lock, sd_error *err) {
  char path[ROOM];
  name_of (f, side, k, ".lock", path);
  return sd_lock_take (path, false, wait, lock, err);
}

int sd_parts_claim_table (const sd_parts_folder *f, int *lock, sd_error *err) {
  char path[ROOM];
  named (f, "table.lock", path);
  return sd_lock_take (path, false, true, lock, err);
}

bool sd_part_read (const sd_parts_folder *f, unsigned side, unsigned k, sd_map *out) {
  char path[ROOM];
  name_of (f, side, k, ".part", path);
  if (sd_map_open (path, out, NULL) != SD_OK)
    return false;
  sd_reader r = sd_reader_of (out->data, out->len);
  const uint64_t number = sd_get_u64 (&r), sum = sd_get_u64 (&r);
  if (!r.bad && r.p < r.end && number == f->number && sd_hash64 (r.p, (size_t) (r.end - r.p)) == sum)
    return true;
  sd_map_close (out);
  return false;
}

bool sd_part_has (const sd_parts_folder *f, unsigned side, unsigned k) {
  sd_map map;
  if (!sd_part_read (f, side, k, &map))
    return false;
  sd_map_close (&map);
  return true;
}

int sd_part_write (const sd_parts_folder *f, unsigned side, unsigned k, const sd_buf *stream, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf head = { 0 };
  char path[ROOM];
  sd_outfile *out = NULL;
  name_of (f, side, k, ".part", path);
  sd_buf_u64 (&head, f->number);
  sd_buf_u64 (&head, sd_hash64 (stream->data, stream->len));
  if (sd_buf_status (&head))
    return sd_fail_memory (err, SD_PARTS_HEAD);
  SD_TRY (sd_outfile_open (path, &out, err));
  int st = sd_outfile_write (out, head.data, head.len, err);
  st = st == SD_OK ? sd_outfile_write (out, stream->data, stream->len, err) : st;
  if (st == SD_OK)
    return sd_outfile_commit (out, err);
  sd_outfile_abort (out);
  return st;
}

bool sd_parts_made (const sd_parts_folder *f) {
  char path[ROOM];
  named (f, "made", path);
  return sd_file_exists (path);
}

/* By a file of its own: where the table is made anew there is an old one. Who is alone removes it before
 * others come (clear). */
int sd_parts_note_made (const sd_parts_folder *f, sd_error *err) {
  char path[ROOM];
  sd_outfile *out;
  named (f, "made", path);
  SD_TRY (sd_outfile_open (path, &out, err));
  return sd_outfile_commit (out, err);
}

uint64_t sd_parts_since (const char *path) {
  struct stat is;
  return stat (path, &is)
             ? 0
             : (uint64_t) is.st_ino ^ (uint64_t) is.st_mtim.tv_sec << 32 ^ (uint64_t) is.st_mtim.tv_nsec;
}
