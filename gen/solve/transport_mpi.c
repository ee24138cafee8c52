/* The transport over MPI: groups go out by MPI_Isend from a pool of buffers and are found by MPI_Improbe
 * (Makhnychev 2012 Sec. 3.4).
 *
 * The tag is the parity of the phase: a rank is never two phases ahead of another, and what comes a phase too
 * early simply stays with MPI (the large groups with their sender) until it is asked for. Where every buffer
 * is on its way, `send` says so and the caller takes in what has arrived before it tries again, so that no
 * two ranks wait for each other.
 *
 * Who waits sleeps, longer and longer up to a millisecond: on a busy machine, or with more ranks than cores,
 * busy waiting would take the time from those who work. (Giving the core away without sleep is worse: where
 * ten others want it, that waits for all ten, message or not.) MPI's own calls wait busily, so those that
 * wait for other ranks are begun here and asked about; where MPI has no such form (files, the end) the ranks
 * meet first, so that none is late. */
#include "config.h"
#include "gen/solve/transport_mpi.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TESTS = 8 };        /* groups on their way that are looked at for one that has gone */
enum { TAG_EXCHANGE = 2 }; /* behind the parities */
enum { PIECE = 1 << 30 };  /* bytes of one message or access: MPI counts them in an int */

typedef struct mpi_ctx {
  MPI_Comm comm;
  int size;
  size_t group;
  unsigned nbuf, next;
  uint32_t **buf; /* buf[0..nbuf-1], each with its request */
  MPI_Request *request;
  uint32_t *in;
  long idle; /* nanoseconds of the last sleep; 0: none since something came */
} mpi_ctx;

static int status_of (int mpi) {
  return mpi == MPI_SUCCESS ? SD_OK : SD_EIO;
}

enum { FIRST_NS = 20000, LONGEST_NS = 1000000 };
enum { PATIENCE_NS = 4 * LONGEST_NS }; /* `receive` sleeps so long at most */

/* A moment without the core: longer the more often there was nothing, by a quarter of the last one (*ns, at
 * first 0), so that what comes is late by a quarter of the time that it took. */
static void rest (long *ns) {
  const long more = *ns < FIRST_NS ? FIRST_NS : *ns + *ns / 4;
  *ns = more < LONGEST_NS ? more : LONGEST_NS;
  nanosleep (&(struct timespec){ .tv_nsec = *ns }, NULL);
}

/* Until MPI has done what was begun. */
static int patiently (MPI_Request *r) {
  long slept = 0;
  for (;;) {
    int done;
    SD_TRY (status_of (MPI_Test (r, &done, MPI_STATUS_IGNORE)));
    if (done)
      return SD_OK;
    rest (&slept);
  }
}

/* All ranks are here. */
static int meet (MPI_Comm comm) {
  MPI_Request r;
  SD_TRY (status_of (MPI_Ibarrier (comm, &r)));
  return patiently (&r);
}

/* Into a free buffer, from which MPI sends it in the background; SD_ENOSPC: none is free. */
static int mpi_send (void *ctx, int to, unsigned phase, const uint32_t *words, size_t n) {
  mpi_ctx *c = ctx;
  /* A receiver has room for a group and no more. */
  if (n > c->group)
    return SD_ERANGE;
  for (unsigned k = 0; k < TESTS; k++) { /* the oldest; later ones are hardly done before them */
    unsigned b = (c->next + k) % c->nbuf;
    int done = 1;
    if (c->request[b] != MPI_REQUEST_NULL)
      SD_TRY (status_of (MPI_Test (&c->request[b], &done, MPI_STATUS_IGNORE)));
    if (!done)
      continue;
    memcpy (c->buf[b], words, n * sizeof *words);
    c->next = (b + 1) % c->nbuf;
    return status_of (
        MPI_Isend (c->buf[b], (int) n, MPI_UINT32_T, to, (int) (phase & 1), c->comm, &c->request[b]));
  }
  return SD_ENOSPC;
}

static int mpi_receive (void *ctx, unsigned phase, bool wait, int *from, const uint32_t **words, size_t *n) {
  mpi_ctx *c = ctx;
  MPI_Message message;
  MPI_Status status;
  *n = 0;
  *words = c->in;
  *from = -1;
  for (long slept = 0;;) {
    MPI_Request r;
    int there = 0, count = 0;
    SD_TRY (status_of (MPI_Improbe (MPI_ANY_SOURCE, (int) (phase & 1), c->comm, &there, &message, &status)));
    if (there) {
      SD_TRY (status_of (MPI_Get_count (&status, MPI_UINT32_T, &count)));
      /* No rank of ours sends such a group. */
      if (count <= 0 || (size_t) count > c->group)
        return SD_EIO;
      /* The message that was found, whatever else has come since. */
      SD_TRY (status_of (MPI_Imrecv (c->in, count, MPI_UINT32_T, &message, &r)));
      SD_TRY (patiently (&r));
      *from = status.MPI_SOURCE;
      *n = (size_t) count;
      c->idle = 0;
      return SD_OK;
    }
    /* The caller has other things to look at now and then. */
    if (!wait || slept >= PATIENCE_NS)
      return SD_OK;
    rest (&c->idle);
    slept += c->idle;
  }
}

static int reduce (const mpi_ctx *c, uint64_t *v, unsigned n, MPI_Op op) {
  MPI_Request r;
  SD_TRY (status_of (MPI_Iallreduce (MPI_IN_PLACE, v, (int) n, MPI_UINT64_T, op, c->comm, &r)));
  return patiently (&r);
}

static int mpi_sum (void *ctx, uint64_t *v, unsigned n) {
  return reduce (ctx, v, n, MPI_SUM);
}

static int mpi_max (void *ctx, uint64_t *v, unsigned n) {
  return reduce (ctx, v, n, MPI_MAX);
}

/* Collective: did all ranks get the memory that they asked for? One that stopped alone would leave the others
 * waiting for ever. */
static int all_have (const mpi_ctx *c, const void *memory) {
  uint64_t none = memory == NULL;
  SD_TRY (reduce (c, &none, 1, MPI_MAX));
  return none ? SD_ENOMEM : SD_OK;
}

static int mpi_gather (void *ctx, const void *mine, size_t bytes, void *all) {
  const mpi_ctx *c = ctx;
  MPI_Request r;
  /* The sum of all must be counted in an int. */
  if (bytes > INT_MAX / (size_t) c->size)
    return SD_ERANGE;
  SD_TRY (status_of (MPI_Igather (mine, (int) bytes, MPI_BYTE, all, (int) bytes, MPI_BYTE, 0, c->comm, &r)));
  return patiently (&r);
}

static int mpi_broadcast (void *ctx, int root, void *data, size_t bytes) {
  const mpi_ctx *c = ctx;
  MPI_Request r;
  if (bytes > INT_MAX)
    return SD_ERANGE;
  SD_TRY (status_of (MPI_Ibcast (data, (int) bytes, MPI_BYTE, root, c->comm, &r)));
  return patiently (&r);
}

/* Requests for one part of an exchange, in pieces. */
static uint64_t pieces_of (uint64_t bytes) {
  return bytes / PIECE + (bytes % PIECE != 0);
}

static int start_pieces (const mpi_ctx *c, int peer, bool sends, uint8_t *data, uint64_t bytes,
                         MPI_Request **r) {
  /* Pieces of a pair of ranks arrive in the order in which they were sent. */
  for (uint64_t at = 0; at < bytes; at += PIECE) {
    int n = (int) (bytes - at < PIECE ? bytes - at : PIECE);
    SD_TRY (status_of (sends ? MPI_Isend (data + at, n, MPI_BYTE, peer, TAG_EXCHANGE, c->comm, *r)
                             : MPI_Irecv (data + at, n, MPI_BYTE, peer, TAG_EXCHANGE, c->comm, *r)));
    ++*r;
  }
  return SD_OK;
}

static int mpi_exchange (void *ctx, const void *out, const uint64_t *out_bytes, void *in,
                         const uint64_t *in_bytes) {
  const mpi_ctx *c = ctx;
  uint8_t *from = (uint8_t *) (uintptr_t) out, *to = in, *to_self = NULL;
  uint64_t n = 0;
  int rank, st;

  MPI_Comm_rank (c->comm, &rank);
  /* Lengths above 2^30 bytes go in several messages. */
  for (int p = 0; p < c->size; p++)
    n += pieces_of (out_bytes[p]) + pieces_of (in_bytes[p]);
  SD_OWNED MPI_Request *request = sd_alloc (n, sizeof *request);
  MPI_Request *next = request;
  st = all_have (c, request);
  /* takers first, so that MPI need not keep what comes early */
  for (int p = 0; p < c->size && st == SD_OK; p++) {
    if (p != rank)
      st = start_pieces (c, p, false, to, in_bytes[p], &next);
    else
      to_self = to;
    to += in_bytes[p];
  }
  for (int p = 0; p < c->size && st == SD_OK; p++) {
    if (p != rank)
      st = start_pieces (c, p, true, from, out_bytes[p], &next);
    else if (in_bytes[p] != out_bytes[p])
      st = SD_EINVAL;
    else if (in_bytes[p])
      memcpy (to_self, from, in_bytes[p]);
    from += out_bytes[p];
  }
  /* All at once are on their way; in which order they end does not matter. */
  for (MPI_Request *r = request; st == SD_OK && r < next; r++)
    st = patiently (r);
  return st;
}

/* -------------------------------------------------------------------- file */

typedef struct mpi_file {
  MPI_File handle;
  mpi_ctx *ctx;
  char *path;
} mpi_file;

static int fail_file (int code, const char *what, sd_error *err) {
  int n = 0;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  if (code != MPI_SUCCESS)
    MPI_Error_string (code, text, &n);
  return sd_fail (err, SD_EIO, "%s: %s", what, n ? text : "fewer bytes than asked for");
}

/* MPI says little about a write that failed (Open MPI 4 calls a full disk a success of fewer bytes). The
 * system is asked for its reason by trying the same once more without MPI. 0: none. */
static int system_reason (const char *path, uint64_t at, const uint8_t *data, size_t n) {
  /* Not through a link that somebody may have put there. */
  int fd = open (path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC), reason = fd < 0 ? errno : 0;
  while (n && !reason) {
    ssize_t got = pwrite (fd, data, n, (off_t) at);
    if (got < 0 && errno != EINTR)
      reason = errno;
    if (got > 0) {
      data += got;
      at += (uint64_t) got;
      n -= (size_t) got;
    }
  }
  if (fd >= 0)
    close (fd);
  return reason;
}

static int mpi_file_open (void *ctx, const char *path, void **file, sd_error *err) {
  mpi_file *f = sd_alloc (1, sizeof *f);
  char *copy = strdup (path);

  /* Opening is collective: one rank that stopped here would leave the others in it. */
  int st = all_have (ctx, f ? copy : NULL);
  if (st != SD_OK || !f || !copy) {
    free (copy);
    free (f);
    return st == SD_ENOMEM ? sd_fail_memory (err, strlen (path) + 1)
                           : sd_fail (err, SD_EIO, "the ranks could not wait for each other");
  }
  f->ctx = ctx;
  f->path = copy;
  meet (f->ctx->comm);
  int code = MPI_File_open (f->ctx->comm, path, MPI_MODE_RDWR, MPI_INFO_NULL, &f->handle);
  if (code != MPI_SUCCESS) {
    free (copy);
    free (f);
    return fail_file (code, "cannot be opened for writing", err);
  }
  MPI_File_set_errhandler (f->handle, MPI_ERRORS_RETURN);
  *file = f;
  return SD_OK;
}

static int access_at (mpi_file *f, bool writes, uint64_t at, uint8_t *data, size_t n, sd_error *err) {
  for (size_t done = 0; done < n;) {
    int piece = (int) (n - done < PIECE ? n - done : PIECE), count = 0;
    MPI_Offset offset = (MPI_Offset) (at + done);
    MPI_Status status;
    char what[64];
    snprintf (what, sizeof what, "%s failed at byte %" PRIu64, writes ? "write" : "reading back", at + done);
    int code = writes ? MPI_File_write_at (f->handle, offset, data + done, piece, MPI_BYTE, &status)
                      : MPI_File_read_at (f->handle, offset, data + done, piece, MPI_BYTE, &status);
    /* Else the count says nothing. */
    if (code == MPI_SUCCESS)
      MPI_Get_count (&status, MPI_BYTE, &count);
    /* MPI may write less and call it a success. */
    if (count != piece) {
      int reason = writes ? system_reason (f->path, at + done, data + done, (size_t) piece) : 0;
      return reason ? sd_fail (err, SD_EIO, "%s: %s", what, strerror (reason)) : fail_file (code, what, err);
    }
    done += (size_t) piece;
  }
  return SD_OK;
}

static int mpi_file_write (void *file, uint64_t at, const void *data, size_t n, sd_error *err) {
  return access_at (file, true, at, (uint8_t *) (uintptr_t) data, n, err);
}

static int mpi_file_read (void *file, uint64_t at, void *data, size_t n, sd_error *err) {
  return access_at (file, false, at, data, n, err);
}

/* The MPI standard wants two of them around a barrier before others are sure to see what was written. */
static int mpi_file_sync (void *file, sd_error *err) {
  mpi_file *f = file;
  meet (f->ctx->comm);
  const int first = MPI_File_sync (f->handle), met = meet (f->ctx->comm);
  if (met != SD_OK)
    return sd_fail (err, SD_EIO, "the ranks could not wait for each other");
  const int second = MPI_File_sync (f->handle), bad = first != MPI_SUCCESS ? first : second;
  return bad == MPI_SUCCESS ? SD_OK : fail_file (bad, "write failed", err);
}

static int mpi_file_close (void *file, sd_error *err) {
  mpi_file *f = file;
  meet (f->ctx->comm);
  int code = MPI_File_close (&f->handle);
  free (f->path);
  free (f);
  return code == MPI_SUCCESS ? SD_OK : fail_file (code, "write failed", err);
}

static void mpi_abort (void *ctx, const char *text) {
  const mpi_ctx *c = ctx;
  fprintf (stderr, "%s\n", text);
  fflush (stderr);
  MPI_Abort (c->comm, 1);
}

/* Buffers for groups on their way, each with a request that tells when it has gone. */
static int make_pool (mpi_ctx *c, sd_error *err) {
  c->group = sd_transport_group (c->size, &c->nbuf);
  c->buf = sd_alloc0 (c->nbuf, sizeof *c->buf);
  c->request = sd_alloc (c->nbuf, sizeof *c->request);
  c->in = sd_alloc (c->group, sizeof *c->in);
  if (!c->buf || !c->request || !c->in)
    return sd_fail_memory (err, c->group * sizeof *c->in);
  for (unsigned i = 0; i < c->nbuf; i++) {
    c->request[i] = MPI_REQUEST_NULL;
    c->buf[i] = sd_alloc (c->group, sizeof **c->buf);
    if (!c->buf[i])
      return sd_fail_memory (err, c->group * sizeof **c->buf);
  }
  return SD_OK;
}

int sd_transport_mpi_new (MPI_Comm comm, sd_transport *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  mpi_ctx *c = sd_alloc0 (1, sizeof *c);
  /* Nothing can be agreed upon before there is a transport, so that this is done by hand. */
  int none = c == NULL;
  MPI_Request r;
  if (MPI_Iallreduce (MPI_IN_PLACE, &none, 1, MPI_INT, MPI_MAX, comm, &r) != MPI_SUCCESS
      || patiently (&r) != SD_OK || none || !c) {
    free (c);
    return sd_fail_memory (err, sizeof *c);
  }
  /* A communicator of its own: no message of the program can meet ours. */
  MPI_Comm_dup (comm, &c->comm);
  MPI_Comm_size (c->comm, &c->size);
  *out = (sd_transport){ .size = c->size,
                         .ctx = c,
                         .send = mpi_send,
                         .receive = mpi_receive,
                         .sum = mpi_sum,
                         .max = mpi_max,
                         .gather = mpi_gather,
                         .broadcast = mpi_broadcast,
                         .abort = mpi_abort,
                         .exchange = mpi_exchange,
                         .file_open = mpi_file_open,
                         .file_write = mpi_file_write,
                         .file_read = mpi_file_read,
                         .file_sync = mpi_file_sync,
                         .file_close = mpi_file_close };
  int level;
  MPI_Comm_rank (c->comm, &out->rank);
  MPI_Query_thread (&level);
  out->threads = level >= MPI_THREAD_SERIALIZED;
  /* From here on a failure is told to all. */
  int st = sd_agree (out, make_pool (c, err), err);
  out->group = c->group;
  if (st != SD_OK)
    sd_transport_mpi_free (out);
  return st;
}

void sd_transport_mpi_free (sd_transport *t) {
  mpi_ctx *c = t->ctx;
  if (!c)
    return;
  /* a group that was sent in the last phase has arrived, or the phase would not have ended; this only tidies
   * up */
  for (unsigned i = 0; c->buf && c->request && i < c->nbuf; i++) {
    if (c->buf[i] && c->request[i] != MPI_REQUEST_NULL)
      patiently (&c->request[i]);
    free (c->buf[i]);
  }
  free (c->buf);
  free (c->request);
  free (c->in);
  meet (c->comm); /* the end waits for all */
  MPI_Comm_free (&c->comm);
  free (c);
  memset (t, 0, sizeof *t);
}
