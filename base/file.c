/* Read-only mappings, folders, clocks. */
#include "config.h"
#include "base/base.h"
#include "base/file_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int sd_file_failed (sd_error *err, const char *path, const char *what) {
  int e = errno;
  int status = e == ENOENT ? SD_ENOENT : e == ENOMEM ? SD_ENOMEM : SD_EIO;
  return sd_fail (err, status, "%s: %s: %s", path, what, strerror (e));
}

int sd_map_open (const char *path, sd_map *out, sd_error *err) {
  out->data = NULL;
  out->len = 0;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return sd_file_failed (err, path, "cannot be read");
  struct stat st;
  int status = SD_OK;
  if (fstat (fd, &st))
    status = sd_file_failed (err, path, "cannot be read");
  else if (!S_ISREG (st.st_mode))
    status = sd_fail (err, SD_EFORMAT, "%s: is not a regular file", path);
  else if (st.st_size > 0) {
    void *p = mmap (NULL, (size_t) st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
      status = sd_file_failed (err, path, "cannot be mapped");
    else {
      out->data = p;
      out->len = (size_t) st.st_size;
    }
  }
  close (fd);
  return status;
}

void sd_map_close (sd_map *m) {
  if (m && m->data)
    munmap ((void *) (uintptr_t) m->data, m->len);
  if (m)
    *m = (sd_map){ NULL, 0 };
}

bool sd_file_exists (const char *path) {
  return access (path, F_OK) == 0;
}

int sd_make_folder (const char *path, sd_error *err) {
  if (!*path)
    return sd_fail (err, SD_EINVAL, "a folder needs a name: this one is empty");
  char *p = strdup (path);
  if (!p)
    return sd_fail_memory (err, strlen (path));
  int status = SD_OK;
  for (char *s = p + 1;; s++)
    if (*s == '/' || *s == 0) {
      char keep = *s;
      *s = 0;
      if (*p && mkdir (p, 0777) && errno != EEXIST) {
        status = sd_file_failed (err, p, "folder cannot be made");
        break;
      }
      *s = keep;
      if (!keep)
        break;
    }
  struct stat st;
  if (status == SD_OK && (stat (path, &st) || !S_ISDIR (st.st_mode)))
    status = sd_fail (err, SD_EIO, "%s: is not a folder", path);
  free (p);
  return status;
}

double sd_now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

double sd_cpu_now (void) {
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}
