/* Locks on files, by which programs share work without messages: each is free when its holder is gone,
 * however it ends. Tasks on other machines see them where the file system has locks, as NFS, Lustre and GPFS
 * do. */
#include "config.h"
#include "base/base.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int change (int lock, bool shared, bool wait, bool *taken) {
  const int how = (shared ? LOCK_SH : LOCK_EX) | (wait ? 0 : LOCK_NB);
  while (flock (lock, how))
    if (errno != EINTR) {
      *taken = false;
      return errno == EWOULDBLOCK ? SD_OK : SD_EIO;
    }
  *taken = true;
  return SD_OK;
}

static int open_lock (const char *path, int *lock, sd_error *err) {
  struct stat is;
  *lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (*lock >= 0 && fstat (*lock, &is) == 0 && S_ISREG (is.st_mode))
    return SD_OK;
  const int why = errno;
  sd_fail (err, SD_EIO, "%s: cannot be opened: %s", path,
           *lock < 0 ? strerror (why) : "it is no regular file");
  if (*lock >= 0)
    close (*lock);
  *lock = -1;
  errno = why;
  return SD_EIO;
}

int sd_lock_take (const char *path, bool shared, bool wait, int *lock, sd_error *err) {
  bool taken;
  SD_TRY (open_lock (path, lock, err));
  const int st = change (*lock, shared, wait, &taken);
  const int why = errno;
  if (st == SD_OK && taken)
    return SD_OK;
  close (*lock);
  *lock = -1;
  return st == SD_OK ? SD_OK
                     : sd_fail (err, SD_EIO, "%s: cannot be locked: %s; tasks that share work need locks",
                                path, strerror (why));
}

/* Does the file have this number? */
static bool names (int lock, const char *work) {
  char text[17] = "";
  return pread (lock, text, 16, 0) == 16 && strcmp (text, work) == 0;
}

/* Has it lost its name? Who was last has removed it with its folder while one was waiting. */
static bool is_gone (int lock, const char *path) {
  struct stat a, b;
  return fstat (lock, &a) || stat (path, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino;
}

static int drop (int *lock, int status) {
  close (*lock);
  *lock = -1;
  return status;
}

/* Alone: what others have left is looked at, then the number is written, and others may come. */
static int found (const char *path, const char *mine, void (*clear) (void *ctx, bool same), void *ctx,
                  int lock, sd_error *err) {
  bool yes;
  if (clear)
    clear (ctx, names (lock, mine));
  errno = ENOSPC; /* of a write that is cut short */
  if (pwrite (lock, mine, 16, 0) == 16 && change (lock, true, true, &yes) == SD_OK)
    return SD_OK;
  return sd_fail (err, SD_EIO, "%s: cannot be written: %s", path, strerror (errno));
}

static int try_join (const char *folder, const char *mine, const sd_work *work, int *lock, bool *late,
                     sd_error *err) {
  char path[4400];
  struct stat is;
  snprintf (path, sizeof path, "%s/tasks.lock", folder);
  SD_TRY (sd_make_folder (folder, err));
  if (lstat (folder, &is) == 0 && !S_ISDIR (is.st_mode))
    return sd_fail (err, SD_EIO, "%s: is not a folder", folder);
  const int st = sd_lock_take (path, false, false, lock, err);
  *late = st != SD_OK && errno == ENOENT;
  if (st != SD_OK)
    return st;
  const bool alone = *lock >= 0;
  if (!alone && sd_lock_take (path, true, true, lock, err) != SD_OK) {
    *late = errno == ENOENT;
    return SD_EIO;
  }
  *late = is_gone (*lock, path);
  if (*late)
    return drop (lock, SD_EIO);
  if (alone) {
    const int wrong = found (path, mine, work->clear, work->ctx, *lock, err);
    if (wrong)
      return drop (lock, wrong);
  }
  /* Looked at last: between a lock of one's own and a shared one somebody else may have been alone. */
  return names (*lock, mine) ? SD_OK : drop (lock, SD_OK);
}

int sd_lock_join (const char *folder, const sd_work *work, int *lock, sd_error *err) {
  enum { TRIES = 20 };
  char mine[17];
  snprintf (mine, sizeof mine, "%016" PRIx64, work->number);
  *lock = -1;
  /* Who was at another work may have ended without a word; who has just ended took the folder along. */
  for (int k = 0; k < TRIES; k++) {
    bool late = false;
    const int st = try_join (folder, mine, work, lock, &late, err);
    if (st != SD_OK && !late)
      return st;
    if (*lock >= 0)
      return SD_OK;
    if (st == SD_OK && k > 1)
      return SD_OK;
    usleep (10000);
  }
  return sd_fail (err, SD_EIO, "%s: cannot be entered: others come and go", folder);
}

bool sd_lock_alone (int lock) {
  bool yes;
  return change (lock, false, false, &yes) == SD_OK && yes;
}
