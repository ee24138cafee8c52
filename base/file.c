/* Files that get their name only when they are complete, and read-only mappings. */
#include "config.h"
#include "base/base.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct sd_outfile {
  int fd;
  char *path, *temp;
};

static int fail_errno (sd_error *err, const char *path, const char *what) {
  int e = errno;
  int status = e == ENOENT ? SD_ENOENT : e == ENOMEM ? SD_ENOMEM : SD_EIO;
  return sd_fail (err, status, "%s: %s: %s", path, what, strerror (e));
}

int sd_outfile_open (const char *path, sd_outfile **out, sd_error *err) {
  *out = NULL;
  struct stat st; /* the rename would put a file in the place of a device, or fail on a folder after all the work */
  if (stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    return sd_fail (err, SD_EIO, "%s: cannot be written: is there already and is no regular file", path);
  sd_outfile *f = calloc (1, sizeof *f);
  size_t n = strlen (path) + 32;
  if (f) {
    f->path = strdup (path);
    f->temp = malloc (n);
  }
  if (!f || !f->path || !f->temp) {
    if (f) {
      free (f->path);
      free (f->temp);
    }
    free (f);
    return sd_fail_memory (err, n);
  }
  snprintf (f->temp, n, "%s.%ld.tmp", path, (long) getpid ());
  f->fd = open (f->temp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (f->fd < 0) {
    int status = fail_errno (err, path, "cannot be written");
    free (f->path);
    free (f->temp);
    free (f);
    return status;
  }
  *out = f;
  return SD_OK;
}

int sd_outfile_write (sd_outfile *f, const void *data, size_t n, sd_error *err) {
  const uint8_t *p = data;
  while (n) {
    ssize_t got = write (f->fd, p, n < (1u << 30) ? n : 1u << 30);
    if (got < 0) {
      if (errno == EINTR)
        continue;
      return fail_errno (err, f->path, "write failed");
    }
    p += got;
    n -= (size_t) got;
  }
  return SD_OK;
}

const char *sd_outfile_temp_name (const sd_outfile *f) {
  return f->temp;
}

int sd_outfile_sync (sd_outfile *f, sd_error *err) {
  if (fsync (f->fd) && errno != EINVAL && errno != EROFS) /* some file systems cannot sync; that is no loss */
    return fail_errno (err, f->path, "write failed");
  return SD_OK;
}

static void dispose (sd_outfile *f) {
  free (f->path);
  free (f->temp);
  free (f);
}

int sd_outfile_commit (sd_outfile *f, sd_error *err) {
  int status = sd_outfile_sync (f, err);
  if (close (f->fd) && status == SD_OK)
    status = fail_errno (err, f->path, "write failed");
  if (status == SD_OK && rename (f->temp, f->path))
    status = fail_errno (err, f->path, "cannot be renamed from its temporary name");
  if (status != SD_OK)
    unlink (f->temp);
  else { /* make the new name itself durable; a failure here loses nothing that was there before */
    int fd = open (dirname (f->temp), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
      if (fsync (fd)) { /* not supported everywhere */
      }
      close (fd);
    }
  }
  dispose (f);
  return status;
}

void sd_outfile_abort (sd_outfile *f) {
  if (!f)
    return;
  close (f->fd);
  unlink (f->temp);
  dispose (f);
}

int sd_map_open (const char *path, sd_map *out, sd_error *err) {
  out->data = NULL;
  out->len = 0;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail_errno (err, path, "cannot be read");
  struct stat st;
  int status = SD_OK;
  if (fstat (fd, &st))
    status = fail_errno (err, path, "cannot be read");
  else if (!S_ISREG (st.st_mode))
    status = sd_fail (err, SD_EFORMAT, "%s: is not a regular file", path);
  else if (st.st_size > 0) {
    void *p = mmap (NULL, (size_t) st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
      status = fail_errno (err, path, "cannot be mapped");
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
  char *p = strdup (path);
  if (!p)
    return sd_fail_memory (err, strlen (path));
  int status = SD_OK;
  for (char *s = p + 1;; s++)
    if (*s == '/' || *s == 0) {
      char keep = *s;
      *s = 0;
      if (*p && mkdir (p, 0777) && errno != EEXIST) {
        status = fail_errno (err, p, "folder cannot be made");
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
