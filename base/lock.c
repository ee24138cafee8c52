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
  sd_fail (err, SD_EIO, "%s: cannot be opened: %s", path,
           *lock < 0 ? strerror (errno) : "it is no regular file");
  if (*lock >= 0)
    close (*lock);
  *lock = -1;
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

int sd_lock_join (const char *path, uint64_t work, int *lock, enum sd_joined *how, sd_error *err) {
  char mine[17];
  bool yes;
  snprintf (mine, sizeof mine, "%016" PRIx64, work);
  SD_TRY (sd_lock_take (path, false, false, lock, err));
  *how = SD_JOINED_THEM;
  if (*lock < 0)
    SD_TRY (sd_lock_take (path, true, true, lock, err));
  else {
    *how = names (*lock, mine) ? SD_JOINED_AGAIN : SD_JOINED_FIRST;
    if (pwrite (*lock, mine, 16, 0) != 16 || change (*lock, true, true, &yes) != SD_OK) {
      sd_fail (err, SD_EIO, "%s: cannot be written: %s", path, strerror (errno));
      close (*lock);
      *lock = -1;
      return SD_EIO;
    }
  }
  /* Looked at last: between a lock of one's own and a shared one somebody else may have been alone. */
  if (names (*lock, mine))
    return SD_OK;
  *how = SD_JOINED_NONE;
  close (*lock);
  *lock = -1;
  return SD_OK;
}

bool sd_lock_alone (int lock) {
  bool yes;
  return change (lock, false, false, &yes) == SD_OK && yes;
}
