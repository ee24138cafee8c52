/* Lists of recompressed files: a text line for each file, behind it. Several tasks have a list each, since
 * shared file systems may mix what is appended to one file from several machines.
 *
 *   KQvK.rtbw 272 <checksum> 208 <checksum> default
 */
#include "config.h"
#include "tools/recompress_done.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 2 * SD_SYZYGY_CHECKSUM_BYTES };

static const char start[] = "recompressed", ending[] = ".list";

bool sd_recompress_tell (const sd_map *file, uint8_t out[SD_SYZYGY_CHECKSUM_BYTES]) {
  if (file->len < SD_SYZYGY_CHECKSUM_BYTES)
    return false;
  memcpy (out, file->data + file->len - SD_SYZYGY_CHECKSUM_BYTES, SD_SYZYGY_CHECKSUM_BYTES);
  return true;
}

static void put_hex (const uint8_t *sum, char out[DIGITS + 1]) {
  for (unsigned i = 0; i < SD_SYZYGY_CHECKSUM_BYTES; i++)
    snprintf (out + 2 * i, 3, "%02x", sum[i]);
}

static bool get_hex (const char *text, uint8_t *sum) {
  if (strlen (text) != DIGITS || strspn (text, "0123456789abcdef") != DIGITS)
    return false;
  for (unsigned i = 0; i < SD_SYZYGY_CHECKSUM_BYTES; i++)
    sum[i] = (uint8_t) strtoul ((char[]){ text[2 * i], text[2 * i + 1], 0 }, NULL, 16);
  return true;
}

static bool parse (const char *line, sd_recompressed *out) {
  char from[DIGITS + 2], to[DIGITS + 2], effort[9], more;
  if (sscanf (line, "%31s %" SCNu64 " %33s %" SCNu64 " %33s %8s %c", out->name, &out->before, from,
              &out->after, to, effort, &more)
          != 6
      || !get_hex (from, out->from) || !get_hex (to, out->to))
    return false;
  out->high = strcmp (effort, "high") == 0;
  return out->high || strcmp (effort, "default") == 0;
}

static int read_list (const char *path, sd_recompress_list *out, sd_error *err) {
  FILE *f = fopen (path, "r");
  char line[256];
  int status = SD_OK;
  while (f && status == SD_OK && fgets (line, sizeof line, f)) {
    sd_recompressed row = { .before = 0 };
    if (!parse (line, &row))
      continue;
    if (sd_grow (&out->row, &out->room, out->n + 1))
      out->row[out->n++] = row;
    else
      status = sd_fail_memory (err, 0);
  }
  if (f)
    fclose (f);
  return status;
}

static bool is_list (const char *name) {
  const size_t n = strlen (name), a = sizeof start - 1, b = sizeof ending - 1;
  return n >= a + b && memcmp (name, start, a) == 0 && strcmp (name + n - b, ending) == 0;
}

int sd_recompress_read (const char *folder, sd_recompress_list *out, sd_error *err) {
  DIR *d = opendir (folder);
  int status = SD_OK;
  if (!d)
    return SD_OK; /* nothing was made there */
  for (struct dirent *e; status == SD_OK && (e = readdir (d));) {
    char path[4400];
    if (is_list (e->d_name) && snprintf (path, sizeof path, "%s/%s", folder, e->d_name) < (int) sizeof path)
      status = read_list (path, out, err);
  }
  closedir (d);
  return status;
}

int sd_recompress_note (const char *folder, const sd_task *task, const sd_recompressed *row, sd_error *err) {
  char path[4400], line[256], from[DIGITS + 1], to[DIGITS + 1], of[32] = "";
  if (task->ranks > 1)
    snprintf (of, sizeof of, "-%u-of-%u", task->rank + 1, task->ranks);
  snprintf (path, sizeof path, "%s/%s%s%s", folder, start, of, ending);
  put_hex (row->from, from);
  put_hex (row->to, to);
  const int n = snprintf (line, sizeof line, "%s %" PRIu64 " %s %" PRIu64 " %s %s\n", row->name, row->before,
                          from, row->after, to, row->high ? "high" : "default");
  const int fd = open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  bool good = fd >= 0 && write (fd, line, (size_t) n) == n;
  good = good && (fsync (fd) == 0 || errno == EINVAL || errno == EROFS);
  const int why = errno;
  if (fd >= 0)
    close (fd);
  return good ? SD_OK : sd_fail (err, SD_EIO, "%s: cannot be written: %s", path, strerror (why));
}

/* The checksum at the end names the file; that it is right as well finds damage, at the price of reading it
 * all. */
static bool is (const sd_map *file, uint64_t bytes, const uint8_t *sum) {
  uint8_t told[SD_SYZYGY_CHECKSUM_BYTES], own[SD_SYZYGY_CHECKSUM_BYTES];
  return file->len == bytes && bytes > sizeof own && sd_recompress_tell (file, told)
         && memcmp (told, sum, sizeof told) == 0
         && sd_syzygy_checksum (file->data, file->len - sizeof own, own) == SD_OK
         && memcmp (own, told, sizeof own) == 0;
}

const sd_recompressed *sd_recompress_find (const sd_recompress_list *l, const char *name, const sd_map *from,
                                           const sd_map *to, bool high) {
  for (uint64_t i = l->n; i-- > 0;) {
    const sd_recompressed *r = &l->row[i];
    const bool same = from == to; /* the file itself was replaced */
    if (strcmp (r->name, name) == 0 && (r->high || !high) && is (to, r->after, r->to)
        && (same || is (from, r->before, r->from)))
      return r;
  }
  return NULL;
}
