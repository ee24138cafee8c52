/* Lists of files that were made: FOLDER/made.list, of the first of four tasks made-1-of-4.list. A line has
 * the name of a new file, bytes and checksum of the file that it is made of, its own (0: it was begun, and is
 * not known to be there), and how it is made, to the end of the line.
 *
 *   KQvK.rtbw 272 <checksum> 208 <checksum> recompress
 */
#include "config.h"
#include "tools/reformat/done.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest line: name and text with four numbers and the blanks between. */
enum { LINE = sizeof ((sd_done *) 0)->name + sizeof ((sd_done *) 0)->how + 100 };

/* Reads the whole file. Of an empty one bytes is 0, as of one that is not made. */
int sd_done_tell_file (const char *path, sd_done_file *out, sd_error *err) {
  sd_map file;
  SD_TRY (sd_map_open (path, &file, err));
  *out = (sd_done_file){ file.len, sd_hash64 (file.data, file.len) };
  sd_map_close (&file);
  return SD_OK;
}

bool sd_done_same (const sd_done_file *a, const sd_done_file *b) {
  return a->bytes == b->bytes && a->sum == b->sum;
}

static bool parse (const char *line, sd_done *out) {
  int how = 0;
  if (sscanf (line, "%127s %" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNx64 " %n", out->name, &out->from.bytes,
              &out->from.sum, &out->to.bytes, &out->to.sum, &how)
          != 5
      || how == 0)
    return false;

  const size_t n = strcspn (line + how, "\n");
  if (n == 0 || n >= sizeof out->how || line[how + n] != '\n') /* the end of a line was not written */
    return false;

  memcpy (out->how, line + how, n);
  out->how[n] = 0;
  return true;
}

/* A list that is no regular file is refused, and so is one that cannot be read: what it says would be done
 * anew. */
static int read_list (const char *path, sd_done_list *out, sd_error *err) {
  sd_map file;

  SD_TRY (sd_map_open (path, &file, err));
  int status = SD_OK;
  for (size_t at = 0, n; at < file.len && status == SD_OK; at += n) {
    /* Line by line; what is longer than a line can be is passed over. */
    const uint8_t *from = file.data + at, *end = memchr (from, '\n', file.len - at);
    char line[LINE];
    sd_done row = { .name = "" };
    n = end ? (size_t) (end - from) + 1 : file.len - at;
    if (n >= sizeof line)
      continue;

    memcpy (line, from, n);
    line[n] = '\0';
    if (!parse (line, &row))
      continue;

    if (sd_grow (&out->row, &out->room, out->n + 1))
      out->row[out->n++] = row;
    else
      status = sd_fail_memory (err, 0);
  }
  sd_map_close (&file);
  return status;
}

int sd_done_read (const char *folder, sd_done_list *out, sd_error *err) {
  DIR *d = opendir (folder);
  int status = SD_OK;
  if (!d)
    return SD_OK; /* nothing was made there */
  for (struct dirent *e; status == SD_OK && (e = readdir (d));) {
    char path[4400];
    if (sd_tool_is_list (e->d_name)
        && snprintf (path, sizeof path, "%s/%s", folder, e->d_name) < (int) sizeof path)
      status = read_list (path, out, err);
  }
  closedir (d);
  return status;
}

/* A list to append to: a regular file, no link, whoever made the folder. O_NONBLOCK: opening a pipe under
 * this name would wait for a reader. */
static int open_list (const char *path) {
  const int fd = open (path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  struct stat is;
  if (fd >= 0 && (fstat (fd, &is) || !S_ISREG (is.st_mode))) {
    close (fd);
    errno = EINVAL;
    return -1;
  }
  return fd;
}

/* Behind a line that was not written to its end a new one begins. */
static bool is_cut (int fd) {
  char last = '\n';
  const off_t len = lseek (fd, 0, SEEK_END);
  return len > 0 && pread (fd, &last, 1, len - 1) == 1 && last != '\n';
}

/* One write for a whole line, so that two programs on one machine do not mix theirs. Some files cannot be
 * brought to the disk by fsync (EINVAL, EROFS): that is no failure. */
int sd_done_note (const char *folder, const sd_task *task, const sd_done *row, sd_error *err) {
  char path[4400], line[LINE + 1], of[32] = "";

  if (task->ranks > 1)
    snprintf (of, sizeof of, "-%u-of-%u", task->rank + 1, task->ranks);

  snprintf (path, sizeof path, "%s/made%s.list", folder, of);
  const int n =
      snprintf (line, sizeof line, "\n%s %" PRIu64 " %016" PRIx64 " %" PRIu64 " %016" PRIx64 " %s\n",
                row->name, row->from.bytes, row->from.sum, row->to.bytes, row->to.sum, row->how);
  /* The line begins with a newline, which is skipped unless the list ends with a line that was cut. */
  const int fd = open_list (path), skip = fd < 0 || !is_cut (fd);
  bool good = fd >= 0 && write (fd, line + skip, (size_t) (n - skip)) == n - skip;
  good = good && (fsync (fd) == 0 || errno == EINVAL || errno == EROFS);

  const int why = errno;
  if (fd >= 0)
    close (fd);
  return good ? SD_OK
              : sd_fail (err, SD_EIO, "%s: cannot be written: %s", path,
                         why == ELOOP    ? "it is a link"
                         : why == EINVAL ? "it is no regular file"
                                         : strerror (why));
}

/* From the end, since later lines are newer. */
const sd_done *sd_done_find (const sd_done_list *l, const char *name, const sd_done_file *now) {
  for (uint64_t i = l->n; i-- > 0;)
    if (l->row[i].to.bytes && sd_done_same (&l->row[i].to, now) && strcmp (l->row[i].name, name) == 0)
      return &l->row[i];
  return NULL;
}

/* Over all lines: one that says that the file is made ends it. */
bool sd_done_begun (const sd_done_list *l, const sd_done *wanted) {
  bool begun = false;
  for (uint64_t i = 0; i < l->n; i++) {
    const sd_done *r = &l->row[i];
    if (strcmp (r->name, wanted->name) || strcmp (r->how, wanted->how)
        || !sd_done_same (&r->from, &wanted->from))
      continue;

    if (r->to.bytes)
      return false;
    begun = true;
  }
  return begun;
}
