/* The transport of a single process, and the agreement on failures that works over any transport.
 *
 * With one rank the solver applies all marks itself, so that nothing is ever sent; the collective calls are
 * trivial. */
#include "config.h"
#include "gen/solve/solve.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t sd_transport_group (int size, unsigned *buffers) {
  /* A group of 960 words is below 4 KiB with MPI's header: such messages go out at once with Open MPI's
   * shared memory (btl_vader_eager_limit), larger ones wait until the receiver has answered, which it does
   * only when it calls MPI. Measured with two ranks: 16384 words made the solver 2.5 times slower. The solver
   * collects a group for each rank; eight for each may be on their way, but no more than 16 MiB. */
  enum { GROUP_MAX = 960, GROUP_MIN = 512, POOL_WORDS = 1 << 22, POOL_MIN = 64 };
  const unsigned per_rank = POOL_WORDS / (unsigned) size, most = POOL_WORDS / GROUP_MAX;
  const unsigned n = (unsigned) size > most / 8 ? most : 8 * (unsigned) size;
  if (buffers)
    *buffers = n < POOL_MIN ? POOL_MIN : n;
  return per_rank > GROUP_MAX ? GROUP_MAX : per_rank < GROUP_MIN ? GROUP_MIN : per_rank;
}

static int self_send (void *ctx, int to, unsigned phase, const uint32_t *words, size_t n) {
  (void) ctx, (void) to, (void) phase, (void) words, (void) n;
  return SD_EINVAL; /* there is nobody else */
}

static int self_receive (void *ctx, unsigned phase, bool wait, int *from, const uint32_t **words, size_t *n) {
  (void) ctx, (void) phase, (void) wait;
  *from = 0;
  *words = NULL;
  *n = 0;
  return SD_OK;
}

static int self_reduce (void *ctx, uint64_t *v, unsigned n) {
  (void) ctx, (void) v, (void) n;
  return SD_OK;
}

static int self_gather (void *ctx, const void *mine, size_t bytes, void *all) {
  (void) ctx;
  if (bytes)
    memcpy (all, mine, bytes);
  return SD_OK;
}

static int self_broadcast (void *ctx, int root, void *data, size_t bytes) {
  (void) ctx, (void) root, (void) data, (void) bytes;
  return SD_OK;
}

static int self_exchange (void *ctx, const void *out, const uint64_t *out_bytes, void *in,
                          const uint64_t *in_bytes) {
  (void) ctx;
  if (out_bytes[0] != in_bytes[0])
    return SD_EINVAL;
  if (out_bytes[0])
    memcpy (in, out, out_bytes[0]);
  return SD_OK;
}

/* -------------------------------------------------------------------- file */

static int self_open (void *ctx, const char *path, void **file, sd_error *err) {
  (void) ctx;
  int *fd = sd_alloc (1, sizeof *fd);
  if (!fd)
    return sd_fail_memory (err, sizeof *fd);
  *fd = open (path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (*fd < 0) {
    free (fd);
    return sd_fail (err, SD_EIO, "cannot be opened for writing: %s", strerror (errno));
  }
  *file = fd;
  return SD_OK;
}

/* The system may write or read less than it was asked to. */
static int access_at (int fd, bool writes, uint64_t at, uint8_t *data, size_t n, sd_error *err) {
  while (n) {
    const ssize_t got = writes ? pwrite (fd, data, n, (off_t) at) : pread (fd, data, n, (off_t) at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return sd_fail (err, SD_EIO, "%s failed at byte %" PRIu64 ": %s", writes ? "write" : "reading back", at,
                      got      ? strerror (errno)
                      : writes ? strerror (ENOSPC)
                               : "the file ends there");
    data += got;
    at += (uint64_t) got;
    n -= (size_t) got;
  }
  return SD_OK;
}

static int self_write (void *file, uint64_t at, const void *data, size_t n, sd_error *err) {
  return access_at (*(int *) file, true, at, (uint8_t *) (uintptr_t) data, n, err);
}

static int self_read (void *file, uint64_t at, void *data, size_t n, sd_error *err) {
  return access_at (*(int *) file, false, at, data, n, err);
}

static int self_sync (void *file, sd_error *err) {
  if (fsync (*(int *) file) && errno != EINVAL && errno != EROFS) /* some file systems cannot sync */
    return sd_fail (err, SD_EIO, "write failed: %s", strerror (errno));
  return SD_OK;
}

static int self_close (void *file, sd_error *err) {
  int st = close (*(int *) file) ? sd_fail (err, SD_EIO, "write failed: %s", strerror (errno)) : SD_OK;
  free (file);
  return st;
}

void sd_transport_self (sd_transport *out) {
  *out = (sd_transport){ .rank = 0,
                         .size = 1,
                         .group = 1,
                         .send = self_send,
                         .receive = self_receive,
                         .sum = self_reduce,
                         .max = self_reduce,
                         .gather = self_gather,
                         .broadcast = self_broadcast,
                         .exchange = self_exchange,
                         .file_open = self_open,
                         .file_write = self_write,
                         .file_read = self_read,
                         .file_sync = self_sync,
                         .file_close = self_close };
}

int sd_exchanged (int st, const char *who, const char *what, sd_error *err) {
  return st == SD_OK ? SD_OK
                     : sd_fail (err, st, "%s%sthe ranks could not exchange %s: %s", who ? who : "",
                                who ? ": " : "", what, sd_strerror (st));
}

int sd_agree (const sd_transport *t, int status, sd_error *err) {
  if (t->size == 1)
    return status;
  /* the maximum of size - rank names the lowest rank that failed */
  uint64_t first = status != SD_OK ? (uint64_t) (t->size - t->rank) : 0;
  SD_TRY (sd_exchanged (t->max (t->ctx, &first, 1), NULL, "their states", err));
  if (first == 0)
    return SD_OK;
  /* The rank that failed first in number tells all others what went wrong. */
  int root = t->size - (int) first;
  sd_error e = { 0 };
  if (t->rank == root) {
    if (err)
      e = *err;
    if (!err || err->status != status)
      sd_fail (&e, status, "%s", sd_strerror (status));
  }
  SD_TRY (sd_exchanged (t->broadcast (t->ctx, root, &e, sizeof e), NULL, "their errors", err));
  if (err)
    *err = e;
  return e.status != SD_OK ? e.status : SD_EIO;
}
