/* The solver with memory that ends where it was asked for: linked with --wrap, so that what our own code
 * allocates lies right before a page that nobody may touch. Vectors read and write many records at once; what
 * they take beyond the last one must be there. (Grains that are no multiples of 64 read from any record on.)
 */
#include "config.h"
#include "gen/games/chess/chess_game.h"
#include "gen/gen.h"
#include "tests/gen/solve_values.h"
#include "tests/gen/toy_game.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

void *__wrap_sd_alloc (uint64_t n, size_t size);
void *__wrap_sd_alloc0 (uint64_t n, size_t size);
void *__wrap_sd_alloc0_large (uint64_t n, size_t size);
extern void __real_free (void *p);
void __wrap_free (void *p);

enum { BLOCKS = 4096 };
static struct block {
  char *start, *map; /* NULL: none */
  size_t bytes;
} blocks[BLOCKS];
static unsigned most; /* used at one time; those in use are among the first so many */

/* n * size bytes that end at the page; bytes for a struct of any size may end a little before it. */
static void *guarded (uint64_t n, size_t size) {
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  const size_t bytes = (size_t) (n * size), whole = (bytes + page - 1) / page * page + page;
  char *map = mmap (NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect (map + whole - page, page, PROT_NONE))
    return NULL;
  unsigned k;
  char *start = map + whole - page - bytes;
  if (size == 1)
    start -= (uintptr_t) start % _Alignof(max_align_t);
#pragma omp critical(blocks)
  {
    for (k = 0; k < BLOCKS && blocks[k].map; k++)
      ;
    if (k < BLOCKS)
      blocks[k] = (struct block){ start, map, whole };
    most = k < BLOCKS && k + 1 > most ? k + 1 : most;
  }
  cr_assert_lt (k, BLOCKS, "more blocks of memory than the test expects");
  return start;
}

void *__wrap_sd_alloc (uint64_t n, size_t size) {
  return guarded (n, size);
}
void *__wrap_sd_alloc0 (uint64_t n, size_t size) {
  return guarded (n, size);
}
void *__wrap_sd_alloc0_large (uint64_t n, size_t size) {
  return guarded (n, size);
}

void __wrap_free (void *p) {
  struct block b = { 0 };
#pragma omp critical(blocks)
  for (unsigned k = 0; p && k < most; k++)
    if (blocks[k].map && blocks[k].start == p) {
      b = blocks[k];
      blocks[k].map = NULL;
    }
  if (b.map)
    munmap (b.map, b.bytes);
  else
    __real_free (p);
}

static const uint64_t grains[] = { 1, 13, 63, 64, 65, 499, SD_DEAL_PLAIN };

static void solve (const sd_game *g, const sd_value *wanted) {
  sd_transport t;
  sd_transport_self (&t);
  for (unsigned k = 0; k < sizeof grains / sizeof *grains; k++) {
    const sd_solve_options o = { .grain = grains[k], .threads = 1 + k % 2 };
    sd_value *value;
    sd_error err = { 0 };
    cr_assert_eq (solve_values (NULL, g, &t, &o, &value, NULL, &err), SD_OK, "%s", err.text);
    cr_assert_gt (most, 0, "no memory was asked for here");
    for (uint64_t p = 0; wanted && p < g->nstates; p++)
      cr_assert_eq (value[p], wanted[p], "grain %" PRIu64 ", state %" PRIu64, o.grain, p);
    free (value);
  }
}

/* The last records stand everywhere in the last block of 512. */
Test (guarded, random_games_of_any_size_touch_nothing_behind_their_records) {
  for (uint64_t n = 1; n<1200; n += n % 512> 440 && n % 512 < 511 ? 5 : 61) {
    toy *game = toy_new (n, 3, n < 5 ? 1 : 5, 5, n);
    sd_game g = toy_game (game, 3);
    sd_value *wanted = toy_solve (game, 5);
    solve (&g, wanted);
    free (wanted);
    toy_free (game);
  }
}

/* Marks in runs; what is taken is a draw. */
Test (guarded, a_chess_ending_touches_nothing_behind_its_records) {
  sd_material m;
  sd_game g;
  sd_values *values;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse ("KRvK", &m, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &values, &err), SD_OK);
  cr_assert_eq (sd_chess_game_new (values, &m, &g, &err), SD_OK, "%s", err.text);
  solve (&g, NULL);
  sd_chess_game_free (&g);
  sd_values_free (values);
}
