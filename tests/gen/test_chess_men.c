/* The chess game with six and seven men: single states against sd_moves, rows against single states.
 *
 * No such ending is solved here, and none of its sub-endings is there. These hold arbitrary values that take
 * little memory however many slots there are: all look-ups go into one range of addresses, pieces of which
 * are pieces of one small file at random places, and each 2^29 slots of an ending start anywhere in it. */
#include "config.h"
#include "tests/gen/chess_game.h"
#include "gen/games/chess/chess_game.h"
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 20, PIECES = 1024, FILE_VALUES = 1 << 23, SHIFT = 29, ENDINGS = 64 };

/* range[0..2^30 - 1] */
static sd_value *values_range (void) {
  static sd_value *range;
  if (range)
    return range;
  const size_t bytes = PIECE * sizeof *range, file_bytes = FILE_VALUES * sizeof *range;
  const uint64_t pages = (file_bytes - bytes) / (size_t) sysconf (_SC_PAGESIZE);
  uint64_t seed = 7;
  FILE *f = tmpfile ();
  cr_assert (f && ftruncate (fileno (f), (off_t) file_bytes) == 0);
  sd_value *v = mmap (NULL, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno (f), 0);
  cr_assert (v != MAP_FAILED);
  for (unsigned i = 0; i < FILE_VALUES; i++) {
    const uint64_t r = sd_random (&seed);
    const int plies = 1 + 2 * (int) (r % 20);
    v[i] = (sd_value) (r >> 32 & 1 ? 0 : r >> 33 & 1 ? plies : -plies);
  }
  munmap (v, file_bytes);
  range = mmap (NULL, PIECES * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cr_assert (range != MAP_FAILED);
  for (unsigned i = 0; i < PIECES; i++) {
    const off_t at = (off_t) (sd_random (&seed) % pages * (uint64_t) sysconf (_SC_PAGESIZE));
    cr_assert (mmap (range + (size_t) i * PIECE, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, fileno (f), at)
               != MAP_FAILED);
  }
  fclose (f);
  return range;
}

typedef struct made_up {
  unsigned n;
  sd_exact *ending[ENDINGS];
  sd_values_blocks side[ENDINGS][2];
} made_up;

static void add_made_up (made_up *all, sd_values *values, const sd_material *m) {
  sd_exact *e = shape_of (m);
  for (unsigned side = 0; side < e->nsides; side++) {
    const uint64_t blocks = (e->n >> SHIFT) + 1;
    uint64_t seed = sd_material_key (m) + side;
    sd_values_blocks *s = &all->side[all->n][side];
    *s = (sd_values_blocks){ .shift = SHIFT, .wide = true, .mask = sd_bit (SHIFT) - 1, .n = e->n };
    cr_assert_not_null (s->block = calloc (blocks, sizeof *s->block));
    for (uint64_t b = 0; b < blocks; b++)
      s->block[b].data = values_range () + sd_random (&seed) % sd_bit (SHIFT);
  }
  cr_assert_eq (sd_values_put (values, e), SD_OK); /* without values: nothing is looked up there */
  all->ending[all->n++] = e;
}

static sd_values_blocks *side_of (made_up *all, const sd_material *m, unsigned side) {
  for (unsigned i = 0; i < all->n; i++)
    if (sd_material_equal (&all->ending[i]->material, m))
      return &all->side[i][side];
  cr_assert_fail ("a sub-ending is not there");
  return NULL;
}

/* The position's slot by the indexer, and what is made up for it. */
static sd_value of_made_up (const fixture *f, const sd_pos *pos) {
  made_up *all = f->made_up;
  sd_pos p = *pos;
  sd_material m, canonical;
  uint8_t sq[SD_MAX_MEN];
  sd_material_of (&p, &m);
  if (sd_material_men (&m) == 2)
    return 0;
  const bool swapped = sd_material_canonical (&m, &canonical);
  if (sd_material_symmetric (&canonical) ? p.stm == SD_BLACK : swapped)
    sd_pos_flip (pos, &p);
  for (unsigned i = 0; i < all->n; i++)
    if (sd_material_equal (&all->ending[i]->material, &canonical)) {
      sd_pos_to_squares (&canonical, &p, sq);
      return sd_values_at (&all->side[i][p.stm], sd_index_of (all->ending[i]->indexer, sq));
    }
  cr_assert_fail ("a sub-ending is not there");
  return 0;
}

static fixture open_ending (const char *name) {
  made_up *all = calloc (1, sizeof *all);
  fixture f = { .conversion = of_made_up, .made_up = all };
  sd_material m, next[ENDINGS];
  sd_error err = { 0 };
  cr_assert_not_null (all);
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &f.values, &err), SD_OK);
  const unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++)
    add_made_up (all, f.values, &next[i]);
  f.own = shape_of (&m);
  cr_assert_eq (sd_chess_game_new (f.values, &m, &f.g, &err), SD_OK, "%s", err.text);
  f.c = f.g.ctx;
  sd_chess *c = f.g.ctx;
  for (unsigned mover = 0; mover < 2; mover++)
    for (unsigned promoted = SD_PAWN; promoted <= SD_QUEEN; promoted++)
      for (unsigned captured = SD_PAWN; captured <= SD_KING; captured++) {
        sd_chess_child *k = &c->child[mover][promoted][captured];
        sd_chess_reached to;
        if (k->values && sd_chess_conversion (&m, mover, promoted, captured, &to))
          k->values = side_of (all, &to.material, to.side);
      }
  return f;
}

static void close_ending (fixture *f) {
  made_up *all = f->made_up;
  sd_chess_game_free (&f->g);
  for (unsigned i = 0; i < all->n; i++)
    for (unsigned side = 0; side < all->ending[i]->nsides; side++)
      free (all->side[i][side].block);
  sd_values_free (f->values);
  sd_exact_free (f->own);
  free (all);
}

/* Moves, conversions and un-moves of single states; and of rows: of X of either side, alone, and as the
 * lowest of up to four; with en passant; with equal sides. */
static void check_ending (const char *name) {
  fixture f = open_ending (name);
  uint64_t seed = f.own->n, states = 0;
  check_moves (&f, 1500);
  for (unsigned k = 0; k < 1500; k++)
    check_batch (&f, draw (&f, &seed, 2 * k % 16) % (f.g.nstates - 63));
  for (unsigned k = 0; k < 5000; k++)
    states += check_run (&f, sd_random (&seed) % (f.g.nstates - 64), seed);
  cr_expect_gt (states, 2000, "%s: %ju states", name, (uintmax_t) states);
  close_ending (&f);
}

Test (chess_men, six_men_without_pawns) {
  static const char *const names[] = { "KQRvKRN", "KRBNvKQ", "KRRvKRR", "KBBvKNN", "KNNNNvK", "KQQQvKQ" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    check_ending (names[i]);
}
Test (chess_men, six_men_with_pawns) {
  static const char *const names[] = { "KRPvKRP", "KRPvKBP", "KQPPvKR", "KPPvKPP", "KPPPvKP", "KRPPvKQ" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    check_ending (names[i]);
}
Test (chess_men, seven_men_without_pawns) {
  static const char *const names[] = { "KQRBvKRN", "KRRNvKRB", "KBBNvKNN", "KQQQQvKQ", "KNNNNNvK" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    check_ending (names[i]);
}
Test (chess_men, seven_men_with_pawns) {
  static const char *const names[] = { "KRPPvKRP", "KQRPvKRB", "KRBPvKNP", "KPPPvKPP", "KPPPvKRR" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    check_ending (names[i]);
}
