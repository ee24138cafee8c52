/* Writing a table by several ranks: the bytes are those that one process writes, for every deal and number of
 * threads; failures of one rank that all must learn; the exchange by itself. A plain main: see mpi_solver.c.
 * Argument: a folder. */
#include "config.h"
#include "gen/gen.h"
#include "tests/gen/endings.h"
#include "gen/solve/transport_mpi.h"
#include "tests/gen/made_values.h"
#include <inttypes.h>
#include <unistd.h>

static int failures;

static void expect (bool ok, int rank, const char *what, uint64_t a) {
  if (!ok && failures++ < 10)
    fprintf (stderr, "rank %d: %s %" PRIu64 "\n", rank, what, a);
}

/* Each rank sends each other one a number of bytes that depends on both, some of them none. */
static uint64_t bytes_of (int from, int to, unsigned seed) {
  return (uint64_t) (from * 37 + to * 101 + (int) seed * 7) % 5 * 100003 * seed;
}

static void exchange (const sd_transport *t, unsigned seed) {
  uint64_t out_bytes[64], in_bytes[64], out = 0, in = 0, at = 0;
  for (int p = 0; p < t->size; p++) {
    out += out_bytes[p] = bytes_of (t->rank, p, seed);
    in += in_bytes[p] = bytes_of (p, t->rank, seed);
  }
  uint8_t *from = malloc (out + 1), *to = malloc (in + 1);
  for (int p = 0; p < t->size; p++)
    for (uint64_t i = 0; i < out_bytes[p]; i++)
      from[at++] = (uint8_t) (i * 7 + i / 251 + (uint64_t) (t->rank * 3 + p * 5));
  expect (t->exchange (t->ctx, from, out_bytes, to, in_bytes) == SD_OK, t->rank, "exchange", seed);
  at = 0;
  for (int p = 0; p < t->size; p++)
    for (uint64_t i = 0; i < in_bytes[p]; i++, at++)
      if (to[at] != (uint8_t) (i * 7 + i / 251 + (uint64_t) (p * 3 + t->rank * 5))) {
        expect (false, t->rank, "exchanged byte", at);
        p = t->size;
        break;
      }
  free (from);
  free (to);
}

static void write_table (const sd_transport *t, const char *folder, const char *name, unsigned kinds,
                         uint64_t grain, unsigned threads) {
  char path[2][512];
  made x;
  sd_solution mine;
  sd_error err = { 0 };
  sd_output_stats stats;
  for (unsigned i = 0; i < 2; i++)
    snprintf (path[i], sizeof path[i], "%s/%s.%u", folder, name, i);
  if (made_new (name, kinds, 3, &x) != SD_OK)
    MPI_Abort (MPI_COMM_WORLD, 1);
  if (t->rank == 0) {
    sd_transport self;
    sd_transport_self (&self);
    made_deal (&x, 0, 1, 0, &mine);
    expect (gen_output (&x.m, &self, &mine, path[0], &(sd_solve_options){ .threads = 1 }, NULL, &err)
                == SD_OK,
            0, err.text, 0);
    free (mine.value);
  }
  made_deal (&x, t->rank, t->size, grain, &mine);
  expect (gen_output (&x.m, t, &mine, path[1], &(sd_solve_options){ .threads = threads }, &stats, &err)
              == SD_OK,
          t->rank, err.text, grain);
  for (unsigned side = 0; side < 2; side++) {
    sd_counts c;
    sd_exact_count (x.e, side, &c);
    expect (memcmp (&c, &stats.counts[side], sizeof c) == 0, t->rank, "counts of side", side);
  }
  if (t->rank == 0) {
    expect (made_same_file (path[0], path[1]), 0, "file differs with grain", grain);
    unlink (path[0]);
    unlink (path[1]);
  }
  free (mine.value);
  made_free (&x);
}

/* A rank whose disk is full, or that reads something else than what was written. */
static int full (void *file, uint64_t at, const void *data, size_t n, sd_error *err) {
  (void) file, (void) data, (void) n;
  return sd_fail (err, SD_EIO, "write failed at byte %" PRIu64 ": full", at);
}
static int (*honest) (void *file, uint64_t at, void *data, size_t n, sd_error *err);
static int lie (void *file, uint64_t at, void *data, size_t n, sd_error *err) {
  int st = honest (file, at, data, n, err);
  ((uint8_t *) data)[0] ^= 4;
  return st;
}

static void failing (const sd_transport *good, const char *folder) {
  char path[512], nowhere[512];
  made x;
  sd_solution mine;
  sd_error err = { 0 };
  const int victim = good->size - 1;
  snprintf (path, sizeof path, "%s/failing", folder);
  snprintf (nowhere, sizeof nowhere, "%s/nowhere/x", folder);
  if (made_new ("KBNvK", 400, 1, &x) != SD_OK) /* more blocks than ranks */
    MPI_Abort (MPI_COMM_WORLD, 1);
  made_deal (&x, good->rank, good->size, 0, &mine);
  sd_transport t = *good;
  if (t.rank == victim)
    t.file_write = full;
  int st = gen_output (&x.m, &t, &mine, path, &(sd_solve_options){ .threads = 1 }, NULL, &err);
  expect (st == SD_EIO && strstr (err.text, "failing: write failed") && strstr (err.text, "full"), t.rank,
          err.text, 1);
  t = *good;
  honest = t.file_read;
  if (t.rank == victim)
    t.file_read = lie;
  st = gen_output (&x.m, &t, &mine, path, &(sd_solve_options){ .threads = 1 }, NULL, &err);
  expect (st == SD_EIO && strstr (err.text, "failing: bytes from"), t.rank, err.text, 2);
  st = gen_output (&x.m, good, &mine, nowhere, &(sd_solve_options){ .threads = 1 }, NULL, &err);
  expect (st == SD_ENOENT && strstr (err.text, nowhere), t.rank, err.text, 3);
  free (mine.value);
  made_free (&x);
}

int main (int argc, char **argv) {
  int level;
  MPI_Init_thread (&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  sd_transport t;
  sd_error err = { 0 };
  if (argc < 2 || sd_transport_mpi_new (MPI_COMM_WORLD, &t, &err) != SD_OK) {
    fprintf (stderr, "%s\n", argc < 2 ? "which folder?" : err.text);
    MPI_Abort (MPI_COMM_WORLD, 1);
  }
  for (unsigned seed = 0; seed < 4; seed++)
    exchange (&t, seed);
  write_table (&t, argv[1], "KQvK", 7, 0, 0);
  write_table (&t, argv[1], "KRvKR", 30, 1, 2);
  write_table (&t, argv[1], "KPvK", 40, 17, 1);
  write_table (&t, argv[1], "KNvK", 0, 1000000, 1); /* nothing to code; some ranks hold nothing */
  write_table (&t, argv[1], "KBNvK", 400, 4096, 3);
  failing (&t, argv[1]);
  uint64_t bad = (uint64_t) failures;
  t.sum (t.ctx, &bad, 1);
  if (t.rank == 0)
    printf ("%d ranks: %" PRIu64 " failures\n", t.size, bad);
  sd_transport_mpi_free (&t);
  MPI_Finalize ();
  return bad != 0;
}
