/* The solver over MPI: random games, the same on all ranks, against the forward oracle; failures of one rank
 * that all must learn. A plain main: Criterion runs each test in a process of its own, and MPI starts once a
 * process. The exit status is all-reduced. */
#include "config.h"
#include "gen/solve/transport_mpi.h"
#include "tests/gen/toy_game.h"
#include <inttypes.h>

static int failures;

static void expect (bool ok, int rank, const char *what, uint64_t a, int64_t got, int64_t wanted) {
  if (ok)
    return;
  if (failures++ < 10)
    fprintf (stderr, "rank %d: %s %" PRIu64 ": %" PRId64 ", expected %" PRId64 "\n", rank, what, a, got,
             wanted);
}

/* Dealt out evenly by Makhnychev 2012's mixing, in grains that leave remainders, and not at all. */
static const uint64_t grains[] = { 1, 13, 64, 0, SD_DEAL_PLAIN };

static void random_game (const sd_transport *t, uint64_t n, unsigned moves, unsigned reach, unsigned longest,
                         uint64_t seed) {
  toy *game = toy_new (n, moves, reach, longest, seed);
  sd_game g = toy_game (game, moves);
  sd_solution got;
  sd_value *wanted = toy_solve (game, longest);
  const sd_balance_options b = {
    .group = 2 + (unsigned) seed % 3, .interval = 1e-6, .receive = 1e-6, .give = 1e-6, .latency = 1e-6
  };
  const sd_solve_options o = { .grain = grains[seed % 5],
                               .threads = 1 + seed % 3,
                               .balance = seed % 2 ? &b : NULL };
  sd_solve_stats stats = { 0 };
  sd_error err = { 0 };
  int st = sd_solve (&g, t, &o, &got, &stats, &err);
  expect (st == SD_OK, t->rank, err.text, seed, st, SD_OK);
  uint64_t mine = sd_deal_count (&got.deal, t->rank), all = mine;
  for (uint64_t i = 0; got.value && i < mine; i++) {
    uint64_t p = sd_deal_state (&got.deal, t->rank, i, NULL);
    expect (got.value[i] == wanted[p], t->rank, "value of state", p, got.value[i], wanted[p]);
  }
  t->sum (t->ctx, &all, 1);
  expect (all == n, t->rank, "states of all ranks, game", seed, (int64_t) all, (int64_t) n);
  expect (t->size == 1 || n < 5000 || stats.groups > 0, t->rank, "messages of game", seed, 0, 1);
  free (got.value);
  free (wanted);
  toy_free (game);
}

/* Rank 1 (or 0, alone) fails at the start; all get its status and text. */
static int limping_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  if (first <= 13 && first + count > 13) /* with grains of 13 it is the first of rank 1 */
    return sd_fail (err, SD_ECHECKSUM, "KQvK.dtm.sdt: block 0: damaged");
  return toy_init (ctx, first, count, out, err);
}

static void failing_game (const sd_transport *t) {
  toy *game = toy_new (5000, 3, 5, 5, 1);
  sd_game g = toy_game (game, 3);
  g.init = limping_init;
  const sd_solve_options o = { .grain = 13 };
  sd_solution got;
  sd_error err = { 0 };
  int st = sd_solve (&g, t, &o, &got, NULL, &err);
  expect (st == SD_ECHECKSUM, t->rank, "status of a game that fails on one rank", 0, st, SD_ECHECKSUM);
  expect (strcmp (err.text, "KQvK.dtm.sdt: block 0: damaged") == 0, t->rank, err.text, 0, 0, 0);
  expect (got.value == NULL, t->rank, "values of a game that fails", 0, 1, 0);
  toy_free (game);
}

/* More marks than all buffers hold, all at once, all ranks to all: nobody may wait for ever. */
static unsigned star_preds (const void *ctx, sd_state q, sd_state *out) {
  uint64_t n = *(const uint64_t *) ctx;
  if (q % 2)
    return 0;
  for (unsigned k = 0; k < 64; k++)
    out[k] = (q * 977 + k * 7919) % n | 1;
  return 64;
}
static int star_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  (void) ctx, (void) err;
  for (uint64_t k = 0; k < count; k++)
    out[k] = (sd_state_info){ .exists = true, .terminal_lost = (first + k) % 2 == 0, .moves = 1000 };
  return SD_OK;
}
static void flood (const sd_transport *t) {
  uint64_t n = 300000;
  sd_game g = { .name = "star",
                .ctx = &n,
                .nstates = n,
                .max_moves = 1000,
                .max_preds = 64,
                .init = star_init,
                .preds = star_preds };
  const sd_solve_options o = { .grain = 1 };
  sd_solution got;
  sd_solve_stats stats;
  sd_error err = { 0 };
  int st = sd_solve (&g, t, &o, &got, &stats, &err);
  expect (st == SD_OK, t->rank, err.text, 0, st, SD_OK);
  expect (st != SD_OK || stats.marks_a == n / 2 * 64, t->rank, "marks", 0, (int64_t) stats.marks_a,
          (int64_t) n / 2 * 64);
  uint8_t *won = calloc (n, 1);
  sd_state p[64];
  for (uint64_t q = 0; q < n; q += 2)
    for (unsigned k = star_preds (&n, q, p); k-- > 0;)
      won[p[k]] = 1;
  for (uint64_t i = 0; got.value && i < sd_deal_count (&got.deal, t->rank); i++) {
    uint64_t s = sd_deal_state (&got.deal, t->rank, i, NULL);
    expect (got.value[i] == (s % 2 == 0 ? -1 : won[s]), t->rank, "star state", s, got.value[i], won[s]);
  }
  free (won);
  free (got.value);
}

/* All work of the first ply lies on rank 0, and a predecessor takes its time; with balancing others help. */
enum { LOPSIDED = 96000, LOPSIDED_LOST = LOPSIDED / 8 };
static unsigned lopsided_preds (const void *ctx, sd_state q, sd_state *out) {
  (void) ctx;
  if (q >= LOPSIDED_LOST)
    return 0;
  for (double end = sd_now () + 10e-6; sd_now () < end;)
    ;
  for (unsigned k = 0; k < 7; k++)
    out[k] = q + (k + 1) * LOPSIDED_LOST;
  return 7;
}
static int lopsided_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out,
                          sd_error *err) {
  (void) ctx, (void) err;
  for (uint64_t k = 0; k < count; k++)
    out[k] = (sd_state_info){ .exists = true, .terminal_lost = first + k < LOPSIDED_LOST, .moves = 1 };
  return SD_OK;
}

static void count_iteration (void *ctx, const sd_iteration *it) {
  *(uint64_t *) ctx += it->transfers;
}

static void lopsided (const sd_transport *t, unsigned group, unsigned threads) {
  sd_game g = { .name = "lopsided",
                .nstates = LOPSIDED,
                .max_moves = 1,
                .max_preds = 7,
                .init = lopsided_init,
                .preds = lopsided_preds };
  uint64_t traced = 0;
  const sd_balance_options b = { .group = group, .interval = 1e-3, .task = 1e-5 };
  const sd_solve_options o = {
    .grain = SD_DEAL_PLAIN, .threads = threads, .balance = &b, .trace = count_iteration, .trace_ctx = &traced
  };
  sd_solution got;
  sd_solve_stats stats = { 0 };
  sd_error err = { 0 };
  int st = sd_solve (&g, t, &o, &got, &stats, &err);
  expect (st == SD_OK, t->rank, err.text, group, st, SD_OK);
  for (uint64_t i = 0; got.value && i < sd_deal_count (&got.deal, t->rank); i++) {
    uint64_t s = sd_deal_state (&got.deal, t->rank, i, NULL);
    sd_value wanted = s < LOPSIDED_LOST ? -1 : 1;
    expect (got.value[i] == wanted, t->rank, "lopsided state", s, got.value[i], wanted);
  }
  expect (stats.marks_a == 7 * LOPSIDED_LOST, t->rank, "marks", group, (int64_t) stats.marks_a,
          7 * LOPSIDED_LOST);
  expect ((stats.transfers > 0) == (t->size > 1), t->rank, "transfers, groups of", group,
          (int64_t) stats.transfers, t->size > 1);
  expect (t->rank != 0 || traced == stats.transfers, t->rank, "transfers of all iterations", group,
          (int64_t) traced, (int64_t) stats.transfers);
  free (got.value);
}

int main (int argc, char **argv) {
  int level;
  MPI_Init_thread (&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  sd_transport t;
  sd_error err = { 0 };
  if (sd_transport_mpi_new (MPI_COMM_WORLD, &t, &err) != SD_OK) {
    fprintf (stderr, "%s\n", err.text);
    MPI_Abort (MPI_COMM_WORLD, 1);
  }
  for (uint64_t seed = 0; seed < 6; seed++) {
    random_game (&t, 1, 1, 1, 1, seed);
    random_game (&t, 3, 2, 1, 2, seed); /* fewer states than ranks */
    random_game (&t, 4099, 3, 7, 30, seed);
  }
  random_game (&t, 100003, 5, 60, 12, 7);
  failing_game (&t);
  flood (&t);
  for (unsigned group = 2; group <= 4; group++)
    lopsided (&t, group, 1 + group % 2);
  uint64_t bad = (uint64_t) failures;
  t.sum (t.ctx, &bad, 1);
  if (t.rank == 0)
    printf ("%d ranks: %" PRIu64 " failures\n", t.size, bad);
  sd_transport_mpi_free (&t);
  MPI_Finalize ();
  return bad != 0;
}
