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

/* A regular file, opened for reading. Without O_NONBLOCK a pipe would wait for somebody to write; to a
 * regular file it means nothing. A socket cannot be opened at all, so what it is is asked where opening
 * fails, too. */
static int open_regular (const char *path, int *fd, struct stat *st, sd_error *err) {
  *fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd < 0) {
    const int why = errno;
    const bool other = why == ENXIO && stat (path, st) == 0 && !S_ISREG (st->st_mode);
    errno = why;
    return other ? sd_fail (err, SD_EFORMAT, "%s: is not a regular file", path)
                 : sd_file_failed (err, path, "cannot be read");
  }
  int status = SD_OK;
  if (fstat (*fd, st))
    status = sd_file_failed (err, path, "cannot be read");
  else if (!S_ISREG (st->st_mode))
    status = sd_fail (err, SD_EFORMAT, "%s: is not a regular file", path);
  if (status != SD_OK)
    close (*fd);
  return status;
}

int sd_map_open (const char *path, sd_map *out, sd_error *err) {
  struct stat st;
  int fd, status = SD_OK;
  *out = (sd_map){ 0 };
  SD_TRY (open_regular (path, &fd, &st, err));
  if (st.st_size > 0) {
    void *p = mmap (NULL, (size_t) st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
      status = sd_file_failed (err, path, "cannot be mapped");
    else
      *out = (sd_map){ (const uint8_t *) p, (size_t) st.st_size, true };
  }
  close (fd);
  return status;
}

/* Bytes 0..n-1 of a file; it may have become shorter since its size was asked for. */
static int read_whole (int fd, uint8_t *to, size_t n, const char *path, sd_error *err) {
  for (size_t at = 0; at < n;) {
    const ssize_t got = read (fd, to + at, n - at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return sd_file_failed (err, path, "cannot be read");
    if (got == 0)
      return sd_fail (err, SD_EIO, "%s: was cut off at byte %zu while it was read, it had %zu bytes", path,
                      at, n);
    at += (size_t) got;
  }
  return SD_OK;
}

/* Memory for all bytes of a file, of which none is there yet. */
static int map_memory (const char *path, size_t bytes, int flags, sd_map *out, sd_error *err) {
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (p == MAP_FAILED)
    return sd_fail (err, SD_ENOMEM, "%s: out of memory: the file has %zu bytes, and as many were asked for",
                    path, bytes);
  *out = (sd_map){ .data = (const uint8_t *) p, .len = bytes };
  return SD_OK;
}

int sd_map_read (const char *path, sd_map *out, sd_error *err) {
  struct stat st;
  int fd, status = SD_OK;
  *out = (sd_map){ 0 };
  SD_TRY (open_regular (path, &fd, &st, err));
  const size_t bytes = (size_t) st.st_size;
  if (bytes > 0)
    status = map_memory (path, bytes, 0, out, err);
  if (status == SD_OK && bytes > 0)
    status = read_whole (fd, (uint8_t *) (uintptr_t) out->data, bytes, path, err);
  close (fd);
  if (status)
    sd_map_close (out);
  return status;
}

int sd_map_reserve (const char *path, sd_map *out, int *fd, sd_error *err) {
  struct stat st;
  *out = (sd_map){ 0 };
  SD_TRY (open_regular (path, fd, &st, err));
  if (st.st_size == 0)
    return SD_OK;
  const int status = map_memory (path, (size_t) st.st_size, MAP_NORESERVE, out, err);
  if (status)
    close (*fd);
  return status;
}

bool sd_file_read_at (int fd, uint64_t at, uint8_t *to, size_t n) {
  while (n) {
    const ssize_t got = pread (fd, to, n, (off_t) at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += (uint64_t) got;
    to += got;
    n -= (size_t) got;
  }
  return true;
}

int sd_file_open (const char *path, FILE **out, sd_error *err) {
  struct stat st;
  int fd;
  *out = NULL;
  SD_TRY (open_regular (path, &fd, &st, err));
  if (!(*out = fdopen (fd, "rb"))) {
    close (fd);
    return sd_fail_memory (err, 0);
  }
  return SD_OK;
}

void sd_map_let_go (const sd_map *m) {
  if (m->of_file)
    madvise ((void *) (uintptr_t) m->data, m->len, MADV_DONTNEED);
}

void sd_map_close (sd_map *m) {
  if (m && m->data)
    munmap ((void *) (uintptr_t) m->data, m->len);
  if (m)
    *m = (sd_map){ 0 };
}

bool sd_file_exists (const char *path) {
  return access (path, F_OK) == 0;
}

int sd_path_find_file (const char *path, const char *name, char **out, sd_error *err) {
  for (const char *p = path; *p;) {
    const size_t len = strcspn (p, ":");
    if (len) {
      if (asprintf (out, "%.*s/%s", (int) len, p, name) < 0) {
        *out = NULL;
        return sd_fail_memory (err, len);
      }
      if (sd_file_exists (*out))
        return SD_OK;
      free (*out);
    }
    p += len + (p[len] == ':');
  }
  *out = NULL;
  return SD_OK;
}

/* Was the folder at p, n characters long, named before on the path? */
static bool named_before (const char *path, const char *p, size_t n) {
  for (; path < p; path += strcspn (path, ":"), path += *path == ':')
    if (strcspn (path, ":") == n && memcmp (path, p, n) == 0)
      return true;
  return false;
}

/* The next folder at *p or behind it that was not named before, with its length; 0: there is none. */
static size_t next_named (const char *path, const char **p) {
  for (; **p; *p += strcspn (*p, ":"), *p += **p == ':') {
    const size_t n = strcspn (*p, ":");
    if (n && !named_before (path, *p, n))
      return n;
  }
  return 0;
}

void sd_path_said (const char *path, char *out, size_t cap) {
  const char *p = path;
  size_t n = next_named (path, &p), at = 0;
  snprintf (out, cap, "the empty table path");
  for (const char *before = ""; n && at < cap;) {
    const bool here = n == 1 && *p == '.';
    const int len =
        snprintf (out + at, cap - at, "%s%.*s", before, here ? 18 : (int) n, here ? "the current folder" : p);
    at += len > 0 ? (size_t) len : cap;
    p += n;
    n = next_named (path, &p);
    const char *last = p + n;
    before = next_named (path, &last) ? ", " : " or ";
  }
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
