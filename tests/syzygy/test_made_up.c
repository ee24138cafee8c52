/* Written files of made-up values: what no ending with 3 and 4 men has. Cursed wins and blessed losses,
 * distances in plies because one is 100, more distances than bytes tell apart. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include "table/table_internal.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const sd_syzygy_effort quick = {
  .rounds = 1, .restarts = 1, .orders = 1, .least_block_bits = 6, .block_bits = 8
};

/* The longest distance of each kind. */
typedef struct made_up {
  unsigned won, lost, ruled;
  bool wdl[5]; /* results that occur */
} made_up;

/* The same for all mirror images: squares of distances from each other, and from the middle of the board. */
static uint64_t hash (const sd_pos *p) {
  const unsigned sq[] = { sd_lowest (p->by[0][SD_KING]), sd_lowest (p->by[1][SD_KING]),
                          sd_lowest (p->by[0][SD_QUEEN] | p->by[1][SD_QUEEN]) };
  uint64_t state = p->stm;
  for (unsigned i = 0; i < 3; i++) {
    const int x = (int) (sq[i] & 7), y = (int) (sq[i] >> 3), other = (int) sq[(i + 1) % 3],
              u = x - (other & 7), v = y - (other >> 3);
    state = state * 128 + (uint64_t) (u * u + v * v);
    state = state * 128 + (uint64_t) ((2 * x - 7) * (2 * x - 7) + (2 * y - 7) * (2 * y - 7));
  }
  return sd_random (&state);
}

static bool captures (const sd_pos *p) {
  sd_move move[SD_MAX_MOVES];
  return sd_moves (p, SD_MOVES_CAPTURES, move) > 0;
}

/* A capture leads to a draw, so that a position that has one is no loss. */
static int wdl_of (const void *ctx, const sd_pos *p, unsigned *value) {
  const made_up *m = ctx;
  *value = 2;
  if (__builtin_popcountll (p->occ[0] | p->occ[1]) == 2)
    return SD_OK;
  unsigned v = (unsigned) (hash (p) % 5);
  while (!m->wdl[v])
    v = (v + 1) % 5;
  *value = v < 2 && captures (p) ? 2 : v;
  return SD_OK;
}

static int dtz_of (const void *ctx, const sd_pos *p, unsigned *plies) {
  const made_up *m = ctx;
  const uint64_t h = hash (p) / 5;
  unsigned value;
  SD_TRY (wdl_of (ctx, p, &value));
  *plies = value == 4   ? 1 + (unsigned) (h % m->won)
           : value == 0 ? 1 + (unsigned) (h % m->lost)
                        : 101 + (unsigned) (h % m->ruled);
  return SD_OK;
}

static sd_syzygy *written (const char *path, sd_map *map) {
  sd_syzygy *file;
  sd_error err = { 0 };
  cr_assert_eq (sd_map_open (path, map, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_open (map->data, map->len, &file, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_check (file, &err), SD_OK, "%s", err.text);
  return file;
}

/* How many positions of each result have the plies that were made up, or one less where it may be so. */
static void read_plies (const made_up *m, const sd_syzygy *file, unsigned flags, uint64_t seen[5]) {
  const sd_syzygy_pairs *p = &file->pairs[0][0];
  for (uint64_t i = 0; i < p->index.slots; i++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos pos;
    unsigned value, want, stored, plies = 0;
    sd_syzygy_index_squares (&p->index, i, sq);
    sd_pos_from_squares (&file->material, sq, file->side, &pos);
    if (!sd_pos_legal (&pos))
      continue;
    cr_assert_eq (wdl_of (m, &pos, &value), SD_OK);
    if (value == 2)
      continue;
    cr_assert_eq (dtz_of (m, &pos, &want), SD_OK);
    cr_assert_eq (sd_syzygy_pairs_get (p, i, &stored), SD_OK);
    cr_assert_eq (sd_syzygy_plies (p, (int) value - 2, stored, &plies), SD_OK);
    const bool exact =
        (value == 4 && flags & SD_SYZYGY_WIN_PLIES) || (value == 0 && flags & SD_SYZYGY_LOSS_PLIES);
    cr_assert (plies == want || (!exact && plies + 1 == want), "result %u: %u, not %u", value, plies, want);
    seen[value]++;
  }
}

static void check_dtz (const made_up *m, unsigned flags, const char *name) {
  sd_material material;
  uint64_t bytes, seen[5] = { 0 };
  sd_error err = { 0 };
  sd_map map;
  const sd_syzygy_source source = { m, wdl_of, dtz_of };
  const unsigned kinds = SD_SYZYGY_WIN_PLIES | SD_SYZYGY_LOSS_PLIES | SD_SYZYGY_WIDE | SD_SYZYGY_MAPPED;
  cr_assert_eq (sd_material_parse ("KQvK", &material, &err), SD_OK);
  cr_assert_eq (sd_syzygy_write_new_dtz (&material, &source, &quick, name, &bytes, &err), SD_OK, "%s: %s",
                name, err.text);
  sd_syzygy *file = written (name, &map);
  cr_assert_eq (file->pairs[0][0].flags & kinds, flags, "%s: %u", name, file->pairs[0][0].flags);
  read_plies (m, file, flags, seen);
  for (unsigned v = 0; v < 5; v++)
    cr_expect_eq (seen[v] > 0, m->wdl[v] && v != 2, "%s: %u", name, v);
  sd_syzygy_close (file);
  sd_map_close (&map);
}

Test (syzygy_made_up, full_moves_unless_a_distance_is_100) {
  const made_up below = { 99, 98, 1, { true, false, true, false, true } },
                won = { 100, 98, 1, { true, false, true, false, true } },
                lost = { 99, 100, 1, { true, false, true, false, true } };
  check_dtz (&below, SD_SYZYGY_MAPPED, "tests/syzygy/made-up-below.rtbz");
  check_dtz (&won, SD_SYZYGY_MAPPED | SD_SYZYGY_WIN_PLIES, "tests/syzygy/made-up-won.rtbz");
  check_dtz (&lost, SD_SYZYGY_MAPPED | SD_SYZYGY_LOSS_PLIES, "tests/syzygy/made-up-lost.rtbz");
}

Test (syzygy_made_up, cursed_wins_and_blessed_losses_have_plies) {
  const made_up few = { 9, 8, 300, { true, true, true, true, true } },
                all = { 100, 100, 90, { true, true, true, true, true } };
  check_dtz (&few, SD_SYZYGY_MAPPED, "tests/syzygy/made-up-ruled.rtbz");
  check_dtz (&all, SD_SYZYGY_MAPPED | SD_SYZYGY_WIN_PLIES | SD_SYZYGY_LOSS_PLIES,
             "tests/syzygy/made-up-all.rtbz");
}

Test (syzygy_made_up, maps_have_16_bits_where_bytes_do_not_do) {
  const made_up many = { 50, 50, 1400, { true, true, true, true, true } };
  check_dtz (&many, SD_SYZYGY_MAPPED | SD_SYZYGY_WIDE, "tests/syzygy/made-up-many.rtbz");
}

/* Numbers of cursed wins are halved whatever the flags say. */
Test (syzygy_made_up, plies_are_exact_only_where_no_result_is_cursed) {
  const made_up ruled = { 100, 100, 90, { true, true, true, true, true } },
                not_ruled = { 100, 100, 1, { true, false, true, false, true } };
  const unsigned flags = SD_SYZYGY_MAPPED | SD_SYZYGY_WIN_PLIES | SD_SYZYGY_LOSS_PLIES;
  sd_error err = { 0 };
  cr_assert_eq (sd_make_folder ("tests/syzygy/made-up", &err), SD_OK);
  for (unsigned k = 0; k < 2; k++) {
    sd_table *t;
    sd_table_info in;
    check_dtz (k ? &not_ruled : &ruled, flags, "tests/syzygy/made-up/KQvK.rtbz");
    cr_assert_eq (sd_table_open ("tests/syzygy/made-up/KQvK.rtbz", 0, &t, &err), SD_OK, "%s", err.text);
    sd_table_describe (t, &in);
    for (unsigned side = 0; side < 2; side++)
      if (sd_table_info_has (&in, side))
        cr_expect_eq (in.side[side].rounded, k == 0);
    sd_table_close (t);
  }
}

static int white_wins (const void *ctx, const sd_pos *p, unsigned *value) {
  (void) ctx;
  *value = __builtin_popcountll (p->occ[0] | p->occ[1]) == 2 ? 2 : p->stm == SD_WHITE ? 4 : 0;
  return SD_OK;
}

/* A file whose slots are all won in 7 plies, but for the last one. Where no position stands that may be so,
 * too; but readers take the value 0 where a DTZ file has a single one. */
Test (syzygy_made_up, one_number_for_all_positions_is_kept) {
  static const char again[] = "tests/syzygy/made-up-again.rtbz";
  sd_syzygy_parts parts = { .kind = SD_SYZYGY_DTZ, .files = 1, .streams = 1 };
  const sd_syzygy_source source = { .wdl = white_wins };
  sd_alphabet *a;
  sd_buf image = { 0 };
  sd_syzygy *old;
  uint64_t bytes;
  sd_error err = { 0 };
  sd_map map;
  enum { SLOTS = 31332, STORED = 3 };
  static sd_symbol sym[SLOTS];
  for (unsigned i = 0; i < SLOTS; i++)
    sym[i] = i + 1 < SLOTS ? STORED : 1;
  cr_assert_eq (sd_material_parse ("KQvK", &parts.material, &err), SD_OK);
  sd_syzygy_orders (&parts.material, &parts.order[0][0], 1);
  cr_assert_eq (sd_syzygy_stored_alphabet (STORED, &a), SD_OK);
  const sd_seq seq = { .alphabet = a, .sym = sym, .n = SLOTS };
  cr_assert_eq (sd_syzygy_encode (&seq, &quick, &parts.stream[0][0], &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_image (&parts, &image, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_open (image.data, image.len, &old, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_write_dtz (old, &source, &quick, again, &bytes, &err), SD_OK, "%s", err.text);
  sd_syzygy *file = written (again, &map);
  for (uint64_t i = 0; i < SLOTS; i++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    unsigned stored, plies = 0;
    sd_syzygy_index_squares (&file->pairs[0][0].index, i, sq);
    sd_pos_from_squares (&file->material, sq, SD_WHITE, &p);
    if (!sd_pos_legal (&p))
      continue;
    cr_assert_eq (sd_syzygy_pairs_get (&file->pairs[0][0], i, &stored), SD_OK);
    cr_assert_eq (sd_syzygy_plies (&file->pairs[0][0], 2, stored, &plies), SD_OK);
    cr_assert_eq (plies, 2 * STORED + 1);
  }
  sd_syzygy_close (file);
  sd_map_close (&map);
  sd_syzygy_close (old);
  sd_buf_free (&image);
  sd_syzygy_parts_clear (&parts);
  sd_alphabet_free (a);
}

/* All five results of both sides, by the rules of engines. */
Test (syzygy_made_up, wdl_files_have_five_results) {
  const made_up all = { 9, 9, 9, { true, true, true, true, true } };
  const sd_syzygy_source source = { &all, wdl_of, dtz_of };
  sd_material material;
  sd_syzygy_tables *ts;
  uint64_t bytes, seen[2][5] = { { 0 } };
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse ("KQvK", &material, &err), SD_OK);
  cr_assert_eq (sd_make_folder ("tests/syzygy/made-up", &err), SD_OK);
  cr_assert_eq (
      sd_syzygy_write_wdl (&material, &source, &quick, "tests/syzygy/made-up/KQvK.rtbw", &bytes, &err), SD_OK,
      "%s", err.text);
  cr_assert_eq (sd_syzygy_tables_open ("tests/syzygy/made-up", &ts, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_tables_check (ts, &material, true, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < 2u << 18; i++) {
    const uint8_t sq[3] = { i & 63, i >> 6 & 63, i >> 12 & 63 };
    sd_pos p;
    unsigned want;
    int wdl = 9;
    sd_pos_from_squares (&material, sq, i >> 18, &p);
    if (!sd_pos_legal (&p))
      continue;
    cr_assert_eq (wdl_of (&all, &p, &want), SD_OK);
    cr_assert_eq (sd_syzygy_wdl (ts, &p, &wdl, &err), SD_OK, "%s", err.text);
    cr_assert_eq (wdl + 2, (int) want);
    seen[i >> 18][want]++;
  }
  for (unsigned v = 0; v < 5; v++)
    cr_expect (seen[0][v] > 0 && seen[1][v] > 0, "%u", v);
  sd_syzygy_tables_close (ts);
}
