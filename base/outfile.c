/* Files that get their name only when they are complete.
 *
 * Bytes go to PATH.HOST.PID.tmp, which its writer keeps locked (flock). A killed writer leaves it behind
 * without a lock; whoever writes PATH next removes it, or who sweeps the folder. The lock alone would do on
 * one machine, and process numbers would not: they come again, and containers that share a folder share them.
 * Shared file systems may keep locks to one host, so only leftovers of this host are touched; where there are
 * no locks, none are.
 *
 * The name can be guessed, so that in a folder where others may write, something may stand there already. The
 * file is therefore made with O_EXCL, which follows no link and opens nothing that is there. */
#include "config.h"
#include "base/base.h"
#include "base/file_internal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOST = 33, TRIES = 40, PAUSE_NS = 5000000 };

struct sd_outfile {
  int fd, slot; /* slot: where a signal handler finds the name; -1: nowhere */
  char *path, *temp;
};

static void unwatch (int slot);

static void dispose (sd_outfile *f) {
  if (f) {
    unwatch (f->slot);
    free (f->path);
    free (f->temp);
  }
  free (f);
}

/* The first 32 characters of the name of this machine, fit for a file name. */
static void host_name (char out[HOST]) {
  char all[256] = "";
  if (gethostname (all, sizeof all - 1) || !all[0])
    strcpy (all, "host");
  for (char *s = all; *s; s++)
    if (*s == '/')
      *s = '_';
  memcpy (out, all, HOST - 1);
  out[HOST - 1] = 0;
}

/* ------------------------------------------------------------------- leftovers */

/* Does name[0..*n-1] end in `tail`? Then it is cut off. */
static bool cut (const char *name, size_t *n, const char *tail) {
  const size_t k = strlen (tail);
  if (*n < k || memcmp (name + *n - k, tail, k))
    return false;
  *n -= k;
  return true;
}

/* What stands before .HOST.PID.tmp: its length; 0: the name is not of that form. */
static size_t temp_of (const char *name, const char *host) {
  size_t n = strlen (name);
  if (!cut (name, &n, ".tmp"))
    return 0;
  const size_t digits = n;
  while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
    n--;
  return n < digits && cut (name, &n, ".") && cut (name, &n, host) && cut (name, &n, ".") ? n : 0;
}

/* Remove it unless somebody has it locked. Its writer may have opened it a moment ago and not locked it yet;
 * he then finds that it has lost its name (open_temp). What is no regular file was made by no writer. */
static void remove_leftover (int folder, const char *name) {
  struct stat a, b;
  if (fstatat (folder, name, &b, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG (b.st_mode) && !S_ISDIR (b.st_mode)) {
    unlinkat (folder, name, 0);
    return;
  }
  const int fd = openat (folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return;
  if (fstat (fd, &a) == 0 && S_ISREG (a.st_mode) && flock (fd, LOCK_EX | LOCK_NB) == 0
      && fstatat (folder, name, &b, AT_SYMLINK_NOFOLLOW) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
    unlinkat (folder, name, 0);
  close (fd);
}

/* Of files whose whole name is, or just ends in, `base`. What cannot be removed stays: it is in nobody's way.
 */
static void sweep (const char *folder, const char *base, bool whole, const char *host) {
  DIR *d = opendir (folder);
  if (!d)
    return;
  for (struct dirent *e; (e = readdir (d));) {
    size_t n = temp_of (e->d_name, host);
    if (n && cut (e->d_name, &n, base) && (n == 0 || !whole))
      remove_leftover (dirfd (d), e->d_name);
  }
  closedir (d);
}

static void sweep_for (const char *path, const char *host) {
  char *a = strdup (path), *b = strdup (path);
  if (a && b)
    sweep (dirname (a), basename (b), true, host);
  free (a);
  free (b);
}

void sd_outfile_sweep (const char *folder, const char *ending) {
  char host[HOST];
  host_name (host);
  sweep (folder, ending, false, host);
}

/* ------------------------------------------------------------------- open files */

/* What a signal handler removes. Only the handler and its callers read names, so that a name is never freed
 * under it: it lies in the slot until the next file takes that; and once a handler runs, none does. The only
 * mutable state of the library, and only in programs that ask for it.
 *
 * Between the making of a file and its name in a slot no handler looks: the thread that opens holds signals
 * back, a handler in another thread waits for it, and who would begin after that finds that all is ending. */
enum { WATCHED = 64, WATCHED_NAME = 1024, PATIENCE_MS = 2000 /* where a disk hangs, a file is left */ };
enum { SLOT_FREE, SLOT_TAKEN, SLOT_NAMED };
static struct {
  int state; /* atomic, as those below */
  char name[WATCHED_NAME];
} watched[WATCHED];
static int watching, ending, opening; /* opening: threads that make a file and name it */

void sd_outfile_watch (void) {
  __atomic_store_n (&watching, 1, __ATOMIC_SEQ_CST);
}

void sd_outfile_remove_open (void) {
  const int error = errno;
  __atomic_store_n (&ending, 1, __ATOMIC_SEQ_CST);
  for (unsigned ms = 0; __atomic_load_n (&opening, __ATOMIC_SEQ_CST) && ms < PATIENCE_MS; ms++)
    poll (NULL, 0, 1);
  for (unsigned i = 0; i < WATCHED; i++)
    if (__atomic_load_n (&watched[i].state, __ATOMIC_SEQ_CST) == SLOT_NAMED)
      unlink (watched[i].name);
  errno = error;
}

/* No handler runs in this thread, and none looks for names, until end_opening. false: one has looked. */
static bool begin_opening (sigset_t *before) {
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, before);
  __atomic_add_fetch (&opening, 1, __ATOMIC_SEQ_CST);
  return !__atomic_load_n (&ending, __ATOMIC_SEQ_CST);
}

static void end_opening (const sigset_t *before) {
  __atomic_sub_fetch (&opening, 1, __ATOMIC_SEQ_CST);
  pthread_sigmask (SIG_SETMASK, before, NULL);
}

/* The slot that holds the name, -1: none. */
static int watch (const char *name) {
  const size_t n = strlen (name) + 1;
  if (!__atomic_load_n (&watching, __ATOMIC_SEQ_CST) || n > WATCHED_NAME)
    return -1;
  for (int i = 0; i < WATCHED; i++) {
    int is = SLOT_FREE;
    if (!__atomic_compare_exchange_n (&watched[i].state, &is, SLOT_TAKEN, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST))
      continue;
    memcpy (watched[i].name, name, n);
    __atomic_store_n (&watched[i].state, SLOT_NAMED, __ATOMIC_SEQ_CST);
    return i;
  }
  return -1;
}

static void unwatch (int slot) {
  if (slot >= 0)
    __atomic_store_n (&watched[slot].state, SLOT_FREE, __ATOMIC_SEQ_CST);
}

/* --------------------------------------------------------------------- writing */

static bool still_named (int fd, const char *name) {
  struct stat a, b;
  return fstat (fd, &a) == 0 && lstat (name, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Make, then lock. A file of this name may be in use by a process of that number in another container; if it
 * is not, it is a leftover, or was put there. Somebody who sweeps may lock the new file for a moment, and
 * then takes its name away. */
static int open_temp (sd_outfile *f, sd_error *err) {
  for (unsigned i = 0; i < TRIES; i++) {
    f->fd = open (f->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (f->fd < 0 && errno != EEXIST)
      return sd_file_failed (err, f->path, "cannot be written");
    if (f->fd >= 0) {
      const bool busy = flock (f->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
      if (!busy && still_named (f->fd, f->temp))
        return SD_OK;
      close (f->fd);
    } else {
      remove_leftover (AT_FDCWD, f->temp);
      if (i > 1)
        nanosleep (&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
    }
  }
  return sd_fail (err, SD_EIO, "%s: cannot be written: somebody else is writing %s", f->path, f->temp);
}

/* Make the file, and let signal handlers know of it. */
static int open_watched (sd_outfile *f, sd_error *err) {
  sigset_t before;
  int status = SD_EIO;
  if (begin_opening (&before))
    status = open_temp (f, err);
  else
    sd_fail (err, status, "%s: not written: the program is ending", f->path);
  if (status == SD_OK)
    f->slot = watch (f->temp);
  end_opening (&before);
  return status;
}

static int open_file (const char *path, bool sweeps, sd_outfile **out, sd_error *err) {
  *out = NULL;
  struct stat
      st; /* the rename would put a file in the place of a device, or fail on a folder after all the work */
  char host[HOST];
  if (!*path)
    return sd_fail (err, SD_EINVAL, "a file cannot be written: its name is empty");
  if (stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    return sd_fail (err, SD_EIO, "%s: cannot be written: is there already and is no regular file", path);
  host_name (host);
  const size_t n = strlen (path) + HOST + 32;
  sd_outfile *f = sd_alloc0 (1, sizeof *f);
  if (f)
    f->slot = -1;
  if (!f || !(f->path = strdup (path)) || !(f->temp = malloc (n))) {
    dispose (f);
    return sd_fail_memory (err, n);
  }
  if (sweeps)
    sweep_for (path, host);
  snprintf (f->temp, n, "%s.%s.%ld.tmp", path, host, (long) getpid ());
  const int status = open_watched (f, err);
  if (status != SD_OK) {
    dispose (f);
    return status;
  }
  *out = f;
  return SD_OK;
}

int sd_outfile_open (const char *path, sd_outfile **out, sd_error *err) {
  return open_file (path, true, out, err);
}

int sd_outfile_open_swept (const char *path, sd_outfile **out, sd_error *err) {
  return open_file (path, false, out, err);
}

int sd_outfile_write (sd_outfile *f, const void *data, size_t n, sd_error *err) {
  const uint8_t *p = data;
  while (n) {
    ssize_t got = write (f->fd, p, n < (1u << 30) ? n : 1u << 30);
    if (got < 0) {
      if (errno == EINTR)
        continue;
      return sd_file_failed (err, f->path, "write failed");
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
    return sd_file_failed (err, f->path, "write failed");
  return SD_OK;
}

/* Who takes another file's place lets the same people read and write it; where that cannot be, those whom the
 * process lets. */
static void take_mode (const sd_outfile *f) {
  struct stat st;
  if (stat (f->path, &st) == 0 && S_ISREG (st.st_mode))
    (void) fchmod (f->fd, st.st_mode & 0777);
}

/* The name, without waiting for the disk. f stays the caller's. */
static int give_name (sd_outfile *f, sd_error *err) {
  const int lock = dup (f->fd); /* keeps the file locked until it has its name */
  int status = SD_OK;
  if (close (f->fd))
    status = sd_file_failed (err, f->path, "write failed");
  if (status == SD_OK && rename (f->temp, f->path))
    status = sd_file_failed (err, f->path, "cannot be renamed from its temporary name");
  if (status != SD_OK)
    unlink (f->temp);
  if (lock >= 0)
    close (lock);
  return status;
}

/* The new name itself becomes durable; a failure loses nothing that was there before. */
static void sync_folder (sd_outfile *f) {
  const int fd = open (dirname (f->temp), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  if (fsync (fd)) { /* not supported everywhere */
  }
  close (fd);
}

int sd_outfile_commit (sd_outfile *f, sd_error *err) {
  take_mode (f);
  const int synced = sd_outfile_sync (f, err);
  if (synced != SD_OK) {
    sd_outfile_abort (f);
    return synced;
  }
  const int status = give_name (f, err);
  if (status == SD_OK)
    sync_folder (f);
  dispose (f);
  return status;
}

int sd_outfile_commit_unsynced (sd_outfile *f, sd_error *err) {
  take_mode (f);
  const int status = give_name (f, err);
  dispose (f);
  return status;
}

void sd_outfile_abort (sd_outfile *f) {
  if (!f)
    return;
  unlink (f->temp);
  close (f->fd);
  dispose (f);
}
