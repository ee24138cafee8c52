/* The transport over MPI: groups go out by MPI_Isend from a pool of buffers and are found by MPI_Improbe (S2
 * Sec. 3.4).
 *
 * The tag is the parity of the phase: a rank is never two phases ahead of another, and what comes a phase too
 * early simply stays with MPI (the large groups with their sender) until it is asked for. Where every buffer
 * is on its way, `send` says so and the caller takes in what has arrived before it tries again, so that no
 * two ranks wait for each other. Idle ranks sleep in growing steps up to 0.2 ms: with more ranks than cores,
 * busy waiting would take the time from those who work. */
#include "config.h"
#include "gen/transport_mpi.h"
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUP_MAX = 16384, GROUP_MIN = 1024, POOL_WORDS = 1 << 22 };

typedef struct mpi_ctx {
  MPI_Comm comm;
  int size;
  size_t group;
  unsigned nbuf, next;
  uint32_t **buf; /* buf[0..nbuf-1], each with its request */
  MPI_Request *request;
  uint32_t *in;
} mpi_ctx;

static int status_of (int mpi) {
  return mpi == MPI_SUCCESS ? SD_OK : SD_EIO;
}

/* A moment without the core: longer the more often there was nothing. */
static void rest (unsigned tries) {
  if (tries < 8)
    sched_yield ();
  else
    nanosleep (&(struct timespec){ .tv_nsec = tries < 16 ? 20000 : tries < 1000 ? 200000 : 2000000 }, NULL);
}

static int mpi_send (void *ctx, int to, unsigned phase, const uint32_t *words, size_t n) {
  mpi_ctx *c = ctx;
  if (n > c->group)
    return SD_ERANGE;
  for (unsigned k = 0; k < c->nbuf; k++) { /* oldest first */
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
  for (unsigned tries = 0;; tries++) {
    int there = 0, count = 0;
    SD_TRY (status_of (MPI_Improbe (MPI_ANY_SOURCE, (int) (phase & 1), c->comm, &there, &message, &status)));
    if (there) {
      SD_TRY (status_of (MPI_Get_count (&status, MPI_UINT32_T, &count)));
      if (count <= 0 || (size_t) count > c->group)
        return SD_EIO;
      SD_TRY (status_of (MPI_Mrecv (c->in, count, MPI_UINT32_T, &message, MPI_STATUS_IGNORE)));
      *from = status.MPI_SOURCE;
      *n = (size_t) count;
      return SD_OK;
    }
    if (!wait || tries == 32)
      return SD_OK;
    rest (tries);
  }
}

/* Collective calls wait as gently: while rank 0 writes a table the others have nothing else to do. */
static int patiently (MPI_Request *r) {
  for (unsigned tries = 0;; tries++) {
    int done;
    SD_TRY (status_of (MPI_Test (r, &done, MPI_STATUS_IGNORE)));
    if (done)
      return SD_OK;
    rest (tries);
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

static int mpi_gather (void *ctx, const void *mine, size_t bytes, void *all) {
  const mpi_ctx *c = ctx;
  MPI_Request r;
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

static int make_pool (mpi_ctx *c, sd_error *err) {
  /* two groups on their way to each other rank, but no more than 16 MiB unless there are very many ranks */
  c->nbuf = 2 * (unsigned) (c->size - 1) + 2;
  c->group = POOL_WORDS / c->nbuf;
  c->group = c->group > GROUP_MAX ? GROUP_MAX : c->group < GROUP_MIN ? GROUP_MIN : c->group;
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
  if (!c) /* alone with this the other ranks would wait for ever */
    MPI_Abort (comm, 1);
  MPI_Comm_dup (comm, &c->comm);
  MPI_Comm_size (c->comm, &c->size);
  *out = (sd_transport){ .size = c->size,
                         .ctx = c,
                         .send = mpi_send,
                         .receive = mpi_receive,
                         .sum = mpi_sum,
                         .max = mpi_max,
                         .gather = mpi_gather,
                         .broadcast = mpi_broadcast };
  MPI_Comm_rank (c->comm, &out->rank);
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
      MPI_Wait (&c->request[i], MPI_STATUS_IGNORE);
    free (c->buf[i]);
  }
  free (c->buf);
  free (c->request);
  free (c->in);
  MPI_Comm_free (&c->comm);
  free (c);
  memset (t, 0, sizeof *t);
}
