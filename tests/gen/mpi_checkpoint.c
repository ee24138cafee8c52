/* A random game over MPI that is stopped at a border and goes on with another number of ranks.
 * Usage: mpi_checkpoint FOLDER BORDER [GRAIN]: deal in grains of GRAIN; stop after the save of border number
 * BORDER, counted from where the run began. Prints one line: the ply it resumed at, or -. Exit status 0: as
 * expected. */
#include "config.h"
#include "gen/solve/transport_mpi.h"
#include "tests/gen/toy_game.h"
#include <inttypes.h>

typedef struct stop {
  sd_checkpoint below;
  unsigned left;
} stop;

static int stop_save (void *ctx, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
                      const uint16_t *rec, sd_error *err) {
  stop *s = ctx;
  int st = s->below.save (s->below.ctx, game, deal, at, rec, err);
  if (st == SD_OK && s->left-- == 0)
    return sd_fail (err, SD_EDIFF, "stopped");
  return st;
}
static int stop_load (void *ctx, const sd_game *game, const sd_deal *deal, sd_solve_point *at, uint16_t *rec,
                      sd_error *err) {
  stop *s = ctx;
  return s->below.load (s->below.ctx, game, deal, at, rec, err);
}
static void hear (void *ctx, bool problem, const char *text) {
  (void) ctx;
  printf ("%s: %s\n", problem ? "problem" : "notice", text);
}

int main (int argc, char **argv) {
  enum { N = 1200007, MOVES = 3 }; /* more than a block of records, also for two ranks */
  int level;
  MPI_Init_thread (&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  sd_transport t;
  sd_error err = { 0 };
  if (argc < 3 || sd_transport_mpi_new (MPI_COMM_WORLD, &t, &err) != SD_OK) {
    fprintf (stderr, "mpi_checkpoint FOLDER BORDER [GRAIN] %s\n", err.text);
    MPI_Abort (MPI_COMM_WORLD, 1);
  }
  toy *game = toy_new (N, MOVES, 7, 12, 3);
  sd_game g = toy_game (game, MOVES);
  const sd_notice notice = { hear, NULL };
  stop s = { .left = (unsigned) atoi (argv[2]) };
  sd_solution got = { .value = NULL };
  uint64_t bad = sd_checkpoint_open (argv[1], 0, &t, &notice, &s.below, &err) != SD_OK;
  sd_checkpoint c = { .ctx = &s, .save = stop_save, .load = stop_load };
  const sd_solve_options o = { .checkpoint = &c,
                               .grain = argc > 3 ? strtoull (argv[3], NULL, 10) : 0,
                               .threads = 2 };
  int st = sd_solve (&g, &t, &o, &got, NULL, &err);
  if (st == SD_OK) {
    sd_value *wanted = toy_solve (game, 12);
    for (uint64_t i = 0; i < sd_deal_count (&got.deal, t.rank); i++)
      bad += got.value[i] != wanted[sd_deal_state (&got.deal, t.rank, i, NULL)];
    free (wanted);
  } else if (st != SD_EDIFF) {
    fprintf (stderr, "rank %d: %s\n", t.rank, err.text);
    bad++;
  }
  t.sum (t.ctx, &bad, 1);
  if (t.rank == 0)
    printf ("%d ranks: %s, %" PRIu64 " wrong\n", t.size, st == SD_OK ? "solved" : "stopped", bad);
  free (got.value);
  sd_checkpoint_close (&s.below);
  toy_free (game);
  sd_transport_mpi_free (&t);
  MPI_Finalize ();
  return bad != 0;
}
