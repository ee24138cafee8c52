/* Files of tables for who wants to have them: /files/NAME. A name is compared with those of the tables that
 * the server has, and never put together with a folder, so that no address leads elsewhere. A file is given
 * away only while it is the one that was there when the server started: what has been put in its place, a
 * link among others, nobody has looked at. */
#include "config.h"
#include "tools/serve/service.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct offer {
  const char *path; /* of the tables; NULL: it is not given away */
  struct stat was;
} offer;

struct sd_offers {
  unsigned n;
  offer at[];
};

int sd_offers_new (const sd_tables *tables, sd_offers **out, sd_error *err) {
  const unsigned n = sd_tables_count (tables);
  *out = sd_alloc0 (sizeof **out + n * sizeof (offer), 1);
  if (!*out)
    return sd_fail_memory (err, n * sizeof (offer));
  (*out)->n = n;
  for (unsigned i = 0; i < n; i++) {
    offer *o = &(*out)->at[i];
    const char *path;
    if (sd_tables_at (tables, i, &path) && path && stat (path, &o->was) == 0 && S_ISREG (o->was.st_mode))
      o->path = path;
  }
  return SD_OK;
}

void sd_offers_free (sd_offers *o) {
  free (o);
}

/* The same bytes, unless somebody has set the times of the file. */
static bool is_same (const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size
         && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Of a file with these bytes, as far as the system tells: after a new start it is the same, and of a copy
 * beside another server it is another one. */
static uint64_t identity_of (const struct stat *s) {
  const int64_t of[] = { (int64_t) s->st_size, s->st_mtim.tv_sec, s->st_mtim.tv_nsec, (int64_t) s->st_ino };
  return sd_hash64 (of, sizeof of);
}

void sd_service_download (const sd_service *s, const char *name, sd_reply *out) {
  const offer *o = NULL;
  struct stat is;
  /* Earlier folders win, as everywhere. */
  for (unsigned i = 0; i < s->offers->n && !o; i++)
    if (s->offers->at[i].path && strcmp (sd_service_file (s->offers->at[i].path), name) == 0)
      o = &s->offers->at[i];
  if (!o) {
    sd_service_refuse (404, "there is no such file; /tables lists them", out);
    return;
  }

  const int fd = open (o->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat (fd, &is) || !is_same (&is, &o->was)) {
    if (fd >= 0)
      close (fd);
    sd_service_refuse (500, "the file is no longer the one that was there when the server started", out);
    out->damaged = true;
    return;
  }
  *out = (sd_reply){ .status = 200,
                     .type = "application/octet-stream",
                     .keep = SD_KEEP_CHECKED,
                     .is_file = true,
                     .fd = fd,
                     .bytes = (uint64_t) is.st_size,
                     .identity = identity_of (&is),
                     .modified = is.st_mtim.tv_sec,
                     .name = sd_service_file (o->path) };
}
