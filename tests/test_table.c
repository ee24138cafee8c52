/* Values, exact values in memory, subdefining, the container, building. The endings here are made up where
 * that is enough: random values that respect their conversions (never worse than the best of them) are as
 * good as true ones for everything in this room, and reach corners that 3-man endings do not. */
#include "config.h"
#include "table/table.h"
#include "table/table_internal.h"
#include "gen/gen.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------- made-up endings */

static sd_material material (const char *name) {
  sd_material m;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  return m;
}

enum kind { DRAWN, RANDOM };

/* Odd plies to win, even ones to lose, few enough to fall on conversions' values often. */
static sd_value random_value (uint64_t *state) {
  uint64_t r = sd_random (state);
  switch (r % 3) {
  case 0:
    return 0;
  case 1:
    return (sd_value) (1 + 2 * (r / 3 % 12));
  default:
    return (sd_value) - (1 + 2 * (int) (r / 3 % 12));
  }
}

static sd_exact *made_up (const sd_exacts *s, const sd_material *m, enum kind kind, uint64_t seed) {
  sd_exact *e;
  sd_error err = { 0 };
  uint64_t state = seed ^ sd_material_key (m);
  cr_assert_eq (sd_exact_new (m, &e, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      if (!sd_exact_position (e, side, i, &p))
        continue;
      sd_value v = kind == DRAWN ? 0 : random_value (&state), c;
      int status = SD_OK;
      if (kind == RANDOM && sd_exacts_conversions (s, &p, SD_MOVES_CONVERSIONS, &c, &status)
          && sd_value_compare (c, v) > 0)
        v = c;
      cr_assert_eq (status, SD_OK);
      e->value[side][i] = v;
    }
  return e;
}

static void put_all (sd_exacts *s, const char *name, enum kind kind, uint64_t seed) {
  sd_material m = material (name), next[64];
  unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++)
    if (!sd_exacts_find (s, &next[i])) {
      char sub[16];
      sd_material_name (&next[i], sub);
      put_all (s, sub, kind, seed);
    }
  if (!sd_exacts_find (s, &m))
    cr_assert_eq (sd_exacts_put (s, made_up (s, &m, kind, seed)), SD_OK);
}

static sd_exacts *endings (const char *name, enum kind kind, uint64_t seed) {
  sd_exacts *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_exacts_new (NULL, &s, &err), SD_OK);
  put_all (s, name, kind, seed);
  return s;
}

static const sd_exact *get (sd_exacts *s, const char *name) {
  sd_material m = material (name);
  const sd_exact *e = sd_exacts_find (s, &m);
  cr_assert_not_null (e);
  return e;
}

static sd_table_spec spec_of (const char *name, enum sd_coding coding, unsigned freedom, const char *codec,
                              const char *order) {
  sd_table_spec spec;
  sd_error err = { 0 };
  memset (&spec, 0, sizeof spec);
  spec.material = material (name);
  spec.metric = coding == SD_CODING_WDL ? SD_WDL : SD_DTM;
  spec.coding = coding;
  spec.freedom = freedom;
  for (unsigned side = 0; side < 2; side++) {
    spec.side[side].codec = sd_codec_find (codec);
    cr_assert_not_null (spec.side[side].codec);
    cr_assert_eq (sd_settings_parse (spec.side[side].codec, NULL, &spec.side[side].settings, &err), SD_OK,
                  "%s", err.text);
    if (order)
      cr_assert_eq (sd_layout_parse (&spec.material, order, NULL, &spec.side[side].layout, &err), SD_OK, "%s",
                    err.text);
    else
      sd_layout_kings_first (&spec.material, &spec.side[side].layout);
  }
  return spec;
}

/* A table as bytes. */
static sd_buf image_of (const sd_exacts *s, const sd_table_spec *spec) {
  const sd_exact *e = sd_exacts_find (s, &spec->material);
  sd_subdefined *d[2] = { NULL, NULL };
  sd_buf b = { 0 };
  sd_error err = { 0 };
  for (unsigned side = 0; side < e->nsides; side++) {
    sd_subdefined *first;
    sd_indexer *ix;
    cr_assert_eq (sd_subdefine (s, e, side, spec->coding, spec->freedom, NULL, &first, &err), SD_OK, "%s",
                  err.text);
    cr_assert_eq (sd_indexer_new (&spec->side[side].layout, &ix, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_subdefined_relayout (first, e->indexer, ix, &d[side], &err), SD_OK, "%s", err.text);
    sd_indexer_free (ix);
    sd_subdefined_free (first);
  }
  cr_assert_eq (sd_table_image (spec, (const sd_subdefined *const *) d, NULL, &b, &err), SD_OK, "%s",
                err.text);
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
  return b;
}

static char folder[64];
static void make_folder (void) {
  strcpy (folder, "/tmp/sd-test-table-XXXXXX");
  cr_assert_not_null (mkdtemp (folder));
}
static unsigned files_in_folder (void) {
  unsigned n = 0;
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d));)
    n += e->d_name[0] != '.';
  closedir (d);
  return n;
}
static void remove_folder (void) {
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d));) {
    char path[400];
    snprintf (path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.')
      unlink (path);
  }
  if (d)
    closedir (d);
  rmdir (folder);
}
static void path_of (const char *name, enum sd_metric metric, char out[128]) {
  sd_material m = material (name);
  char file[32];
  sd_table_file_name (&m, metric, file);
  snprintf (out, 128, "%s/%s", folder, file);
}
static void build (sd_exacts *s, const sd_table_spec *spec, const char *name) {
  char path[128];
  sd_error err = { 0 };
  path_of (name, spec->metric, path);
  cr_assert_eq (sd_table_build (s, spec, path, NULL, &err), SD_OK, "%s", err.text);
}

/* ---------------------------------------------------------------------- values */

Test (value, order_is_won_soon_then_late_then_drawn_then_lost_late_then_soon) {
  static const sd_value rising[] = { -1, -3, -301, 0, 543, 3, 1 };
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 7; k++)
      cr_expect_eq (sd_value_compare (rising[i], rising[k]), (i > k) - (i < k));
}

Test (value, goes_back_by_one_ply_and_changes_sides) {
  cr_expect_eq (sd_value_back (0), 0);
  cr_expect_eq (sd_value_back (-1), 1); /* mated on the board: mates in 1 ply */
  cr_expect_eq (sd_value_back (1), -3); /* opponent mates in 1 ply: mated in 2 */
  cr_expect_eq (sd_value_back (-21), 21);
  cr_expect_eq (sd_value_back (21), -23);
}

Test (value, freedom_has_names_and_refuses_others) {
  unsigned bits;
  char text[64];
  sd_error err = { 0 };
  for (unsigned f = 0; f < 16; f++) {
    sd_freedom_text (f, text, sizeof text);
    cr_expect_eq (sd_freedom_parse (text, &bits, &err), SD_OK);
    cr_expect_eq (bits, f, "%s", text);
  }
  cr_expect_eq (sd_freedom_parse ("illegal+draw+capture+promotion", &bits, &err), SD_OK);
  cr_expect_eq (bits, (unsigned) SD_FREE_ALL);
  static const char *const wrong[] = { "", "illegal+", "ilegal", "all+none", "capture,draw" };
  for (int i = 0; i < 5; i++) {
    cr_expect_eq (sd_freedom_parse (wrong[i], &bits, &err), SD_EINVAL, "%s", wrong[i]);
    cr_expect_not_null (strstr (err.text, "illegal, draw, capture, promotion"));
  }
  char small[8];
  sd_freedom_text (7, small, sizeof small);
  cr_expect_lt (strlen (small), sizeof small);
}

Test (value, restoring_takes_the_better_of_stored_and_conversion) {
  cr_expect_eq (sd_restore_wdl (-1, true, 0), 0);
  cr_expect_eq (sd_restore_wdl (1, true, 0), 1);
  cr_expect_eq (sd_restore_wdl (-1, false, 1), -1);
  cr_expect_eq (sd_restore_moves (1, 9, true, 9), 9);      /* won in 5 moves = 9 plies, stored 9 moves */
  cr_expect_eq (sd_restore_moves (1, 5, true, 11), 9);     /* a slower conversion */
  cr_expect_eq (sd_restore_moves (1, 5, true, 0), 9);      /* a drawn one */
  cr_expect_eq (sd_restore_moves (-1, 2, true, -11), -11); /* a conversion delays to 10 plies */
  cr_expect_eq (sd_restore_moves (-1, 5, true, -3), -11);
  cr_expect_eq (sd_restore_moves (0, 5, true, -3), 0);
  cr_expect_eq (sd_restore_moves (-1, 0, false, 0), -1); /* mated on the board */
}

/* ---------------------------------------------------------------- exact values */

Test (exact, either_colour_may_be_the_stronger_one) {
  sd_exacts *s = endings ("KQvK", RANDOM, 1);
  const sd_exact *e = get (s, "KQvK");
  uint64_t checked = 0;
  for (uint64_t i = 0; i < e->n; i += 7)
    for (unsigned side = 0; side < 2; side++) {
      sd_pos p, q;
      sd_value v;
      if (!sd_exact_position (e, side, i, &p))
        continue;
      sd_pos_flip (&p, &q);
      cr_assert_eq (sd_exacts_value (s, &p, &v), SD_OK);
      cr_assert_eq (v, e->value[side][i]);
      cr_assert_eq (sd_exacts_value (s, &q, &v), SD_OK);
      cr_assert_eq (v, e->value[side][i]);
      checked++;
    }
  cr_assert_gt (checked, 1000);
  sd_exacts_free (s);
}

Test (exact, symmetric_material_answers_for_black_with_colours_swapped) {
  sd_exacts *s = endings ("KNvKN", DRAWN, 1);
  sd_pos p, q;
  sd_value v = 1;
  cr_assert_eq (get (s, "KNvKN")->nsides, 1);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/8/1n6/8/2k5/K3N3 b - -", &p, NULL), SD_OK);
  sd_pos_flip (&p, &q);
  uint8_t sq[SD_MAX_MEN];
  sd_exact *e = (sd_exact *) get (s, "KNvKN");
  sd_pos_to_squares (&e->material, &q, sq);
  e->value[0][sd_index_of (e->indexer, sq)] = 17;
  cr_expect_eq (sd_exacts_value (s, &p, &v), SD_OK);
  cr_expect_eq (v, 17);
  cr_expect_eq (sd_exacts_value (s, &q, &v), SD_OK);
  cr_expect_eq (v, 17);
  sd_exacts_free (s);
}

Test (exact, en_passant_counts_as_one_more_move_and_as_the_only_one_if_there_is_no_other) {
  sd_exacts *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_exacts_new (NULL, &s, &err), SD_OK);
  sd_material m = material ("KPvKP"), sub = material ("KPvK");
  sd_exact *e, *d;
  cr_assert_eq (sd_exact_new (&m, &e, &err), SD_OK);
  cr_assert_eq (sd_exact_new (&sub, &d, &err), SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < d->n; i++)
      d->value[side][i] = side == 1 ? -9 : 8; /* who has the pawn wins */
  for (uint64_t i = 0; i < e->n; i++)
    e->value[0][i] = -1;
  cr_assert_eq (sd_exacts_put (s, d), SD_OK);
  cr_assert_eq (sd_exacts_put (s, e), SD_OK);
  sd_pos p;
  sd_value v;
  cr_assert_eq (sd_pos_from_fen ("8/8/8/3pP3/8/8/8/K6k w - d6", &p, &err), SD_OK, "%s", err.text);
  cr_assert_eq (p.ep, 43);
  cr_expect_eq (sd_exacts_value (s, &p, &v), SD_OK);
  cr_expect_eq (v, 9); /* better than the table's */
  for (uint64_t i = 0; i < e->n; i++)
    e->value[0][i] = 5;
  cr_expect_eq (sd_exacts_value (s, &p, &v), SD_OK);
  cr_expect_eq (v, 5); /* worse than the table's */
  p.ep = SD_NO_SQUARE;
  cr_expect_eq (sd_exacts_value (s, &p, &v), SD_OK);
  cr_expect_eq (v, 5);
  sd_exacts_free (s);
}

Test (exact, missing_endings_are_named) {
  sd_exacts *s;
  sd_error err = { 0 };
  const sd_exact *e;
  sd_material m = material ("KRvKP"), mirrored = material ("KPvKR");
  sd_pos p;
  sd_value v = 7;
  int status;
  cr_assert_eq (sd_exacts_new (NULL, &s, &err), SD_OK);
  cr_expect_eq (sd_exacts_get (s, &m, &e, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KRvKP.dtm.sdt"), "%s", err.text);
  cr_expect_eq (sd_exacts_need (s, &m, &err), SD_ENOENT);
  cr_expect_eq (sd_exacts_get (s, &mirrored, &e, &err), SD_EINVAL);
  sd_exacts_free (s);
  cr_assert_eq (sd_exacts_new ("/nonexistent::/tmp", &s, &err), SD_OK);
  cr_expect_eq (sd_exacts_get (s, &m, &e, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "/nonexistent"), "%s", err.text);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/8/1q6/8/3k4/R6K b - -", &p, NULL), SD_OK);
  cr_expect_eq (sd_exacts_value (s, &p, &v), SD_ENOENT);
  cr_expect (!sd_exacts_conversions (s, &p, SD_MOVES_PROMOTIONS, &v, &status));
  cr_expect_eq (status, SD_OK);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/8/8/8/3k4/7K b - -", &p, NULL), SD_OK);
  cr_expect_eq (sd_exacts_value (s, &p, &v), SD_OK); /* king against king needs no table */
  cr_expect_eq (v, 0);
  sd_exacts_free (s);
}

Test (exact, counts_by_result_and_longest_distances) {
  sd_material m = material ("KQvK");
  sd_exact *e;
  sd_counts c;
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  e->value[0][3] = 19;
  e->value[0][4] = 7;
  e->value[0][5] = 0;
  e->value[0][6] = -21;
  e->value[1][6] = -1;
  sd_exact_count (e, 0, &c);
  cr_expect (c.positions == 4 && c.won == 2 && c.drawn == 1 && c.lost == 1);
  cr_expect (c.longest_win == 19 && c.longest_loss == -21);
  sd_exact_count (e, 1, &c);
  cr_expect (c.positions == 1 && c.won == 0 && c.drawn == 0 && c.lost == 1 && c.longest_win == 0);
  sd_exact_free (e);
}

/* ----------------------------------------------------------------- subdefining */

/* The set of each slot must be exactly the symbols that restoring turns into the value. */
static void check_sets (const sd_exacts *s, const sd_exact *e, unsigned side, enum sd_coding coding,
                        unsigned freedom) {
  sd_subdefined *d;
  sd_error err = { 0 };
  cr_assert_eq (sd_subdefine (s, e, side, coding, freedom, NULL, &d, &err), SD_OK, "%s", err.text);
  unsigned m = sd_alphabet_main (d->alphabet);
  uint64_t free_slots = 0, conversions = 0;
  cr_assert_eq (d->seq.n, e->n);
  for (uint64_t i = 0; i < e->n; i++) {
    sd_symbol sym = d->seq.sym[i];
    sd_pos p;
    unsigned choices = sd_alphabet_choices (d->alphabet, sym);
    if (!sd_exact_position (e, side, i, &p)) {
      cr_assert_eq (choices, freedom & SD_FREE_ILLEGAL ? m : 1);
      continue;
    }
    enum sd_move_class which;
    sd_value best = 0, v = e->value[side][i];
    int status = SD_OK;
    bool has =
        sd_freedom_conversions (freedom, &which) && sd_exacts_conversions (s, &p, which, &best, &status);
    cr_assert_eq (status, SD_OK);
    free_slots += choices > 1;
    conversions += has;
    for (unsigned x = 0; x < m; x++) {
      bool right = false;
      if (coding == SD_CODING_WDL)
        right = sd_restore_wdl (d->map[x], has, sd_value_wdl (best)) == sd_value_wdl (v);
      else if (coding == SD_CODING_SIGNED)
        right = sd_restore_signed (d->map[x], has, best) == v;
      else if (v != 0)
        right = sd_restore_moves (sd_value_wdl (v), (unsigned) d->map[x], has, best) == v
                && (v < 0 || d->map[x] > 0);
      else
        right = freedom & SD_FREE_DRAW ? true : d->map[x] == 0;
      cr_assert_eq (sd_admits (d->alphabet, sym, (sd_symbol) x), right,
                    "coding %d freedom %u side %u slot %" PRIu64
                    " value %d best %d has %d: symbol %u stands for %d",
                    (int) coding, freedom, side, i, v, best, has, x, d->map[x]);
    }
  }
  if (conversions > 1000 && coding != SD_CODING_MOVES) /* moves: conversions into draws free nothing */
    cr_assert_gt (free_slots, 0);
  sd_subdefined_free (d);
}

Test (subdefine, permits_exactly_the_symbols_that_restoring_turns_into_the_value) {
  sd_exacts *s = endings ("KPvK", RANDOM, 5);
  const sd_exact *e = get (s, "KPvK");
  for (unsigned freedom = 0; freedom < 16; freedom += 3)
    for (unsigned side = 0; side < 2; side++)
      for (int coding = SD_CODING_WDL; coding <= SD_CODING_MOVES; coding++)
        check_sets (s, e, side, (enum sd_coding) coding, freedom);
  check_sets (s, e, 0, SD_CODING_MOVES, SD_FREE_ALL & ~SD_FREE_ILLEGAL);
  sd_exacts_free (s);
}

Test (subdefine, holds_with_captures_of_both_sides_and_symmetric_material) {
  sd_exacts *s = endings ("KRvKR", RANDOM, 6);
  const sd_exact *e = get (s, "KRvKR");
  check_sets (s, e, 0, SD_CODING_WDL, SD_FREE_ALL);
  check_sets (s, e, 0, SD_CODING_MOVES, SD_FREE_ALL);
  sd_exacts_free (s);
}

Test (subdefine, refuses_what_it_cannot_do) {
  sd_exacts *s, *none;
  sd_error err = { 0 };
  sd_subdefined *d;
  s = endings ("KPvK", DRAWN, 1);
  const sd_exact *e = get (s, "KPvK");
  cr_assert_eq (sd_exacts_new (NULL, &none, NULL), SD_OK);
  cr_expect_eq (sd_subdefine (none, e, 0, SD_CODING_WDL, SD_FREE_CAPTURE, NULL, &d, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "which are not loaded"), "%s", err.text);
  cr_expect_eq (sd_subdefine (none, e, 2, SD_CODING_WDL, 0, NULL, &d, &err), SD_EINVAL);
  cr_expect_eq (sd_subdefine (none, e, 0, (enum sd_coding) 3, 0, NULL, &d, &err), SD_EINVAL);
  cr_expect_eq (sd_subdefine (none, e, 0, SD_CODING_WDL, 16, NULL, &d, &err), SD_EINVAL);
  cr_expect_eq (sd_subdefine (none, e, 0, SD_CODING_WDL, SD_FREE_ILLEGAL, NULL, &d, &err), SD_OK);
  sd_subdefined_free (d);
  /* all drawn and free: one symbol is left over */
  cr_expect_eq (sd_subdefine (s, e, 0, SD_CODING_MOVES, SD_FREE_ALL, NULL, &d, &err), SD_OK);
  cr_expect_eq (sd_alphabet_main (d->alphabet), 1);
  sd_subdefined_free (d);
  sd_exacts_free (none);
  sd_exacts_free (s);
}

Test (relayout, keeps_every_placement_and_frees_the_rest) {
  sd_exacts *s = endings ("KPvK", RANDOM, 9);
  const sd_exact *e = get (s, "KPvK");
  sd_error err = { 0 };
  for (unsigned freedom = 0; freedom <= SD_FREE_ALL; freedom += SD_FREE_ALL) {
    sd_subdefined *d, *r, *back;
    sd_layout l;
    sd_indexer *ix;
    cr_assert_eq (sd_subdefine (s, e, 1, SD_CODING_SIGNED, freedom, NULL, &d, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_layout_parse (&e->material, "kP!K", "z", &l, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_indexer_new (&l, &ix, &err), SD_OK);
    cr_assert_eq (sd_subdefined_relayout (d, e->indexer, ix, &r, &err), SD_OK, "%s", err.text);
    cr_assert_eq (r->seq.n, sd_indexer_size (ix));
    cr_assert_eq (r->seq.ndims, 3);
    cr_assert_eq ((uint64_t) r->seq.radix[0] * r->seq.radix[1] * r->seq.radix[2], r->seq.n);
    unsigned m = sd_alphabet_main (d->alphabet);
    for (uint64_t i = 0; i < r->seq.n; i++) {
      uint8_t sq[SD_MAX_MEN];
      if (sd_index_squares (ix, i, sq))
        cr_assert_eq (r->seq.sym[i], d->seq.sym[sd_index_of (e->indexer, sq)]);
      else if (freedom)
        cr_assert_eq (sd_alphabet_choices (r->alphabet, r->seq.sym[i]), m);
      else
        cr_assert_eq (r->map[r->seq.sym[i]], 0);
    }
    cr_assert_eq (sd_subdefined_relayout (r, ix, e->indexer, &back, &err), SD_OK);
    cr_assert_eq (memcmp (back->seq.sym, d->seq.sym, d->seq.n * sizeof *d->seq.sym), 0);
    cr_expect_eq (sd_subdefined_relayout (d, ix, e->indexer, &back, &err),
                  SD_EINVAL); /* wrong layout for d */
    sd_subdefined_free (back);
    sd_subdefined_free (r);
    sd_subdefined_free (d);
    sd_indexer_free (ix);
  }
  sd_exacts_free (s);
}

/* ------------------------------------------------------------------- container */

Test (container, a_trivial_ending_takes_less_than_80_bytes_with_every_codec) {
  sd_exacts *s = endings ("KBvK", DRAWN, 1);
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++) {
    sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, all[c]->name, NULL);
    sd_buf b = image_of (s, &spec);
    cr_expect_lt (b.len, 80, "%s: %zu bytes", all[c]->name, b.len);
    sd_buf_free (&b);
  }
  sd_exacts_free (s);
}

Test (container, tells_what_it_holds) {
  sd_exacts *s = endings ("KPvK", RANDOM, 3);
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", "kPK");
  sd_buf b = image_of (s, &spec);
  sd_table *t;
  sd_table_info info;
  sd_error err = { 0 };
  char order[24];
  cr_assert_eq (sd_table_open_memory (b.data, b.len, "memory", SD_OPEN_CHECK, &t, &err), SD_OK, "%s",
                err.text);
  sd_table_describe (t, &info);
  cr_expect (sd_material_equal (&info.material, &spec.material));
  cr_expect_eq (info.metric, SD_DTM);
  cr_expect_eq (info.coding, SD_CODING_MOVES);
  cr_expect_eq (info.freedom, (unsigned) SD_FREE_ALL);
  cr_expect_eq (info.version, 1);
  cr_expect_eq (info.nsides, 2);
  cr_expect_eq (info.bytes, b.len);
  for (unsigned side = 0; side < 2; side++) {
    sd_codec_parts *p = &info.side[side].parts;
    sd_layout_order_text (info.side[side].layout, order);
    cr_expect_str_eq (order, "kPK");
    cr_expect_str_eq (info.side[side].codec->name, "repair");
    cr_expect_eq (info.side[side].slots, sd_indexer_size (info.side[side].indexer));
    cr_expect_eq (p->header + p->model + p->index + p->payload, info.side[side].stream_bytes);
    for (unsigned i = 1; i < info.side[side].main; i++)
      cr_expect_gt (info.side[side].map[i], info.side[side].map[i - 1]);
  }
  cr_expect_eq (sd_table_check (t, &err), SD_OK);
  sd_table_close (t);
  sd_table_close (NULL);
  sd_buf_free (&b);
  sd_exacts_free (s);
}

Test (container, the_same_table_gives_the_same_bytes) {
  sd_exacts *s = endings ("KPvK", RANDOM, 3);
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_SIGNED, SD_FREE_ALL, "repair", NULL);
  sd_buf a = image_of (s, &spec), b = image_of (s, &spec);
  cr_expect_eq (a.len, b.len);
  cr_expect_eq (memcmp (a.data, b.data, a.len), 0);
  sd_buf_free (&a);
  sd_buf_free (&b);
  sd_exacts_free (s);
}

Test (container, every_flipped_bit_is_found) {
  sd_exacts *s = endings ("KBvK", DRAWN, 1);
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  sd_buf b = image_of (s, &spec);
  for (size_t bit = 0; bit < 8 * b.len; bit++) {
    sd_table *t;
    sd_error err = { 0 };
    b.data[bit / 8] ^= (uint8_t) (1u << bit % 8);
    int st = sd_table_open_memory (b.data, b.len, "KBvK.wdl.sdt", SD_OPEN_CHECK, &t, &err);
    cr_assert_neq (st, SD_OK, "bit %zu", bit);
    cr_assert_eq (strncmp (err.text, "KBvK.wdl.sdt: ", 14), 0, "%s", err.text);
    b.data[bit / 8] ^= (uint8_t) (1u << bit % 8);
  }
  sd_buf_free (&b);
  sd_exacts_free (s);
}

Test (container, no_length_but_its_own_opens) {
  sd_exacts *s = endings ("KPvK", RANDOM, 1);
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  sd_buf b = image_of (s, &spec);
  sd_table *t;
  sd_error err = { 0 };
  for (size_t len = 0; len < b.len; len++) {
    uint8_t *copy = malloc (len ? len : 1); /* so that a sanitizer sees a read beyond the end */
    memcpy (copy, b.data, len);
    int st = sd_table_open_memory (copy, len, "KPvK.wdl.sdt", 0, &t, &err);
    cr_assert_eq (st, SD_EFORMAT, "%zu of %zu bytes: %d %s", len, b.len, st, err.text);
    free (copy);
  }
  sd_buf_u8 (&b, 0);
  cr_expect_eq (sd_table_open_memory (b.data, b.len, "KPvK.wdl.sdt", 0, &t, &err), SD_EFORMAT);
  cr_expect_not_null (strstr (err.text, "1 bytes too many"), "%s", err.text);
  sd_buf_free (&b);
  sd_exacts_free (s);
}

Test (container, foreign_files_and_other_versions_are_told_apart) {
  sd_table *t;
  sd_error err = { 0 };
  cr_expect_eq (sd_table_open_memory ((const uint8_t *) "\177ELF\2\1", 6, "a.out", 0, &t, &err), SD_EFORMAT);
  cr_expect_str_eq (
      err.text, "a.out: not a table file: it starts with '7f454c46' (6 bytes in all), expected '89534454'");
  cr_expect_eq (sd_table_open_memory (NULL, 0, "empty", 0, &t, &err), SD_EFORMAT);
  cr_expect_eq (sd_table_open_memory ((const uint8_t *) "\x89SDT\x07\x01", 6, "new", 0, &t, &err),
                SD_EVERSION);
  cr_expect_str_eq (err.text, "new: format version 7, this program reads version 1");
  cr_expect_eq (sd_table_open ("/nonexistent/KQvK.wdl.sdt", 0, &t, &err), SD_ENOENT);
  cr_expect_neq (sd_table_open ("/tmp", 0, &t, &err), SD_OK);
}

/* Give the header of an image a right checksum again; false if its length is out of range. */
static bool forge (sd_buf *b) {
  sd_reader r = sd_reader_of (b->data, b->len);
  sd_get_bytes (&r, 5);
  uint64_t n = sd_get_varint (&r);
  if (r.bad || n > b->len || (size_t) (r.p - b->data) + n + 4 > b->len)
    return false;
  size_t covered = (size_t) (r.p - b->data) + (size_t) n;
  uint32_t sum = (uint32_t) sd_hash64 (b->data, covered);
  for (unsigned k = 0; k < 4; k++)
    b->data[covered + k] = (uint8_t) (sum >> (8 * k));
  return true;
}

Test (container, wrong_headers_under_right_checksums_do_no_harm) {
  static const enum sd_coding codings[] = { SD_CODING_WDL, SD_CODING_SIGNED, SD_CODING_MOVES };
  sd_exacts *s = endings ("KQvK", RANDOM, 1);
  unsigned opened = 0;
  for (int c = 0; c < 3; c++) {
    sd_table_spec spec = spec_of ("KQvK", codings[c], SD_FREE_ALL, "store", "KQk");
    sd_buf b = image_of (s, &spec);
    size_t header = 5 + 1 + b.data[5];
    uint8_t whole[1024]; /* header and more: what a test may change */
    memcpy (whole, b.data, b.len < sizeof whole ? b.len : sizeof whole);
    for (size_t at = 4; at < header; at++)
      for (unsigned v = 0; v < 256; v++) {
        sd_table *t;
        sd_error err = { 0 };
        b.data[at] = (uint8_t) v;
        forge (&b);
        if (sd_table_open_memory (b.data, b.len, "forged", 0, &t, &err) == SD_OK) {
          const sd_table_info *info = &t->info;
          for (uint64_t i = 0, n = info->side[0].slots; i < n; i += n / 16 + 1) {
            sd_symbol sym;
            if (sd_codec_get (info->side[0].decoder, i, &sym) == SD_OK)
              cr_assert_lt (sym, info->side[0].main);
          }
          sd_table_close (t);
          opened++;
        } else
          cr_assert_eq (strncmp (err.text, "forged: ", 8), 0, "byte %zu = %u: %s", at, v, err.text);
        memcpy (b.data, whole, b.len < sizeof whole ? b.len : sizeof whole);
      }
    sd_buf_free (&b);
  }
  cr_expect_gt (opened, 0);
  sd_exacts_free (s);
}

Test (container, huge_numbers_in_a_header_are_refused) {
  sd_error err = { 0 };
  sd_table *t;
  /* fixed part, KBvK, WDL, both sides, a layout of three groups led by the first, codec store */
  static const uint8_t start[] = { 0x10, SD_BISHOP, 0x30, 1, 0x03, 5 << 2, SD_BISHOP << 2, 5 << 2 | 2, 0 };
  static const uint64_t huge[] = { 1 << 20, (1 << 20) + 1, 1ull << 32, 1ull << 62, UINT64_MAX };
  for (int i = 0; i < 5; i++) {
    sd_buf header = { 0 }, b = { 0 };
    sd_buf_append (&header, start, sizeof start);
    sd_buf_varint (&header, huge[i]); /* bytes of the stream */
    sd_buf_append (&b, SD_MAGIC, 4);
    sd_buf_u8 (&b, 1);
    sd_buf_varint (&b, header.len);
    sd_buf_append (&b, header.data, header.len);
    sd_buf_u32 (&b, 0);
    forge (&b);
    cr_expect_eq (sd_table_open_memory (b.data, b.len, "huge", SD_OPEN_CHECK, &t, &err), SD_EFORMAT);
    cr_expect_not_null (strstr (err.text, "length of a stream"), "%s", err.text);
    sd_buf_free (&header);
    sd_buf_free (&b);
  }
  for (int i = 1; i < 5; i++) { /* bytes of the header */
    sd_buf b = { 0 };
    sd_buf_append (&b, SD_MAGIC, 4);
    sd_buf_u8 (&b, 1);
    sd_buf_varint (&b, huge[i]);
    sd_buf_append (&b, start, sizeof start);
    cr_expect_eq (sd_table_open_memory (b.data, b.len, "huge", SD_OPEN_CHECK, &t, &err), SD_EFORMAT);
    cr_expect_not_null (strstr (err.text, "header is cut off"), "%s", err.text);
    sd_buf_free (&b);
  }
}

Test (container, damage_in_a_large_stream_is_named_by_its_chunk) {
  sd_material m = material ("KQvKR");
  sd_exacts *s;
  sd_exact *e;
  sd_error err = { 0 };
  uint64_t state = 11;
  sd_table *t;
  cr_assert_eq (sd_exacts_new (NULL, &s, NULL), SD_OK);
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++)
      e->value[side][i] = (sd_value) (1 + sd_random (&state) % 1000);
  cr_assert_eq (sd_exacts_put (s, e), SD_OK);
  sd_table_spec spec = spec_of ("KQvKR", SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL);
  sd_buf b = image_of (s, &spec);
  cr_assert_gt (b.len, 4u << 20);
  size_t at = b.len - 100; /* in the last chunk of Black's side */
  b.data[at] ^= 0x10;
  cr_expect_eq (sd_table_open_memory (b.data, b.len, "KQvKR.dtm.sdt", 0, &t, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_check (t, &err), SD_ECHECKSUM);
  uint64_t chunk = (t->info.side[1].stream_bytes - 1) / SD_CHUNK_BYTES;
  char expected[64];
  snprintf (expected, sizeof expected, "KQvKR.dtm.sdt: Black to move: chunk %" PRIu64 ", bytes", chunk);
  cr_expect_gt (chunk, 0);
  cr_expect_eq (strncmp (err.text, expected, strlen (expected)), 0, "%s", err.text);
  sd_table_close (t);
  sd_buf_free (&b);
  sd_exacts_free (s);
}

Test (container, image_refuses_values_that_do_not_fit) {
  sd_exacts *s = endings ("KQvK", RANDOM, 1);
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_WDL, 0, "store", NULL), other;
  sd_subdefined *d[2];
  sd_buf b = { 0 };
  sd_error err = { 0 };
  for (unsigned side = 0; side < 2; side++)
    cr_assert_eq (sd_subdefine (s, get (s, "KQvK"), side, SD_CODING_WDL, 0, NULL, &d[side], &err), SD_OK);
  const sd_subdefined *const both[2] = { d[0], d[1] }, *const one[2] = { d[0], NULL };
  cr_expect_eq (sd_table_image (&spec, both, NULL, &b, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_image (&spec, one, NULL, &b, &err), SD_EINVAL);
  other = spec;
  other.metric = SD_DTM;
  cr_expect_eq (sd_table_image (&other, both, NULL, &b, &err), SD_EINVAL);
  other.coding = SD_CODING_MOVES;
  cr_expect_eq (sd_table_image (&other, both, NULL, &b, &err), SD_EINVAL);
  other = spec_of ("KQvK", SD_CODING_WDL, 0, "store", "KQk"); /* more slots */
  cr_expect_eq (sd_table_image (&other, both, NULL, &b, &err), SD_EINVAL);
  cr_expect_not_null (strstr (err.text, "slots"), "%s", err.text);
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
  sd_buf_free (&b);
  sd_exacts_free (s);
}

/* -------------------------------------------------------------------- building */

/* Build everything under KPvK, load it into an empty set, compare. */
static void there_and_back (enum sd_coding coding, unsigned freedom, const char *codec, const char *order) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  sd_exacts *s = endings ("KPvK", RANDOM, 21), *again;
  sd_error err = { 0 };
  make_folder ();
  for (int i = 0; i < 5; i++) {
    sd_table_spec spec = spec_of (names[i], coding, freedom, codec, i == 4 ? order : NULL);
    build (s, &spec, names[i]);
    if (coding == SD_CODING_MOVES) {
      spec = spec_of (names[i], SD_CODING_WDL, freedom, codec, NULL);
      build (s, &spec, names[i]);
    }
  }
  cr_assert_eq (sd_exacts_new (folder, &again, &err), SD_OK);
  sd_material m = material ("KPvK");
  cr_assert_eq (sd_exacts_need (again, &m, &err), SD_OK, "%s", err.text);
  for (int i = 0; i < 5; i++) {
    const sd_exact *a = get (s, names[i]), *b = get (again, names[i]);
    for (unsigned side = 0; side < 2; side++)
      cr_assert_eq (memcmp (a->value[side], b->value[side], a->n * sizeof (sd_value)), 0, "%s", names[i]);
  }
  cr_expect_eq (files_in_folder (), coding == SD_CODING_MOVES ? 10 : 5);
  sd_exacts_free (again);
  sd_exacts_free (s);
  remove_folder ();
}

Test (build, what_a_generator_writes_comes_back_with_every_codec) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++)
    there_and_back (SD_CODING_SIGNED, SD_FREE_ILLEGAL, all[c]->name, "PkK");
  there_and_back (SD_CODING_SIGNED, 0, "store", NULL);
}

Test (build, reformatted_tables_come_back_through_their_sub_tables) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++)
    there_and_back (SD_CODING_MOVES, SD_FREE_ALL, all[c]->name, "kP!K");
  there_and_back (SD_CODING_MOVES, SD_FREE_CAPTURE | SD_FREE_DRAW, "repair", NULL);
  there_and_back (SD_CODING_MOVES, 0, "store", "KPk");
  there_and_back (SD_CODING_SIGNED, SD_FREE_ALL, "repair", "Pk!K");
}

Test (build, moves_need_the_results_beside_them) {
  sd_exacts *s = endings ("KBvK", RANDOM, 2), *again;
  sd_error err = { 0 };
  const sd_exact *e;
  sd_material m = material ("KBvK");
  make_folder ();
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
  build (s, &spec, "KBvK");
  cr_assert_eq (sd_exacts_new (folder, &again, &err), SD_OK);
  cr_expect_eq (sd_exacts_get (again, &m, &e, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KBvK.wdl.sdt"), "%s", err.text);
  sd_exacts_free (again);
  sd_exacts_free (s);
  remove_folder ();
}

Test (build, a_file_under_a_wrong_name_is_refused) {
  sd_exacts *s = endings ("KBvK", DRAWN, 2), *again;
  sd_error err = { 0 };
  const sd_exact *e;
  sd_material m = material ("KNvK");
  make_folder ();
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_SIGNED, SD_FREE_ALL, "repair", NULL);
  build (s, &spec, "KNvK");
  cr_assert_eq (sd_exacts_new (folder, &again, &err), SD_OK);
  cr_expect_eq (sd_exacts_get (again, &m, &e, &err), SD_EFORMAT);
  sd_exacts_free (again);
  sd_exacts_free (s);
  remove_folder ();
}

Test (build, values_worse_than_a_conversion_are_refused_and_nothing_is_left) {
  sd_exacts *s = endings ("KRvKR", DRAWN, 2);
  sd_exact *won = (sd_exact *) get (s, "KRvK");
  sd_error err = { 0 };
  char path[128];
  make_folder ();
  /* winning a rook now wins, but KRvKR still says drawn */
  for (uint64_t i = 0; i < won->n; i++)
    won->value[1][i] = won->value[1][i] == SD_ILLEGAL ? SD_ILLEGAL : -21;
  path_of ("KRvKR", SD_WDL, path);
  sd_table_spec spec = spec_of ("KRvKR", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  cr_expect_eq (sd_table_build (s, &spec, path, NULL, &err), SD_EDIFF);
  cr_expect_not_null (strstr (err.text, "restored value 1, exact value 0"), "%s", err.text);
  cr_expect_not_null (strstr (err.text, " w - -"), "%s", err.text);
  cr_expect_eq (files_in_folder (), 0);
  sd_exacts_free (s);
  remove_folder ();
}

static void count_report (void *ctx, const char *what, uint64_t done, uint64_t total) {
  cr_assert_not_null (what);
  cr_assert (total == 0 || done <= total, "%s: %" PRIu64 " of %" PRIu64, what, done, total);
  ++*(unsigned *) ctx;
}

Test (build, unwritable_folders_and_missing_values_leave_nothing_and_progress_is_reported) {
  sd_exacts *s = endings ("KBvK", DRAWN, 2);
  sd_error err = { 0 };
  char path[128];
  unsigned reports = 0;
  sd_progress progress = { count_report, &reports };
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  make_folder ();
  path_of ("KBvK", SD_WDL, path);
  cr_expect_eq (sd_table_build (s, &spec, "/nonexistent/folder/KBvK.wdl.sdt", NULL, &err), SD_ENOENT, "%s",
                err.text);
  cr_expect_not_null (strstr (err.text, "/nonexistent/folder"), "%s", err.text);
  sd_table_spec missing = spec_of ("KRvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  cr_expect_eq (sd_table_build (s, &missing, path, NULL, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KRvK"), "%s", err.text);
  cr_expect_eq (files_in_folder (), 0);
  cr_expect_eq (sd_table_build (s, &spec, path, &progress, &err), SD_OK, "%s", err.text);
  cr_expect_eq (files_in_folder (), 1);
  cr_expect_gt (reports, 0);
  sd_exacts_free (s);
  remove_folder ();
}

/* True values: solve the ending and all that it depends on. */
static sd_exacts *solved (const char *name) {
  sd_material want = material (name), *order;
  sd_transport self;
  sd_exacts *s;
  sd_error err = { 0 };
  unsigned n;
  sd_transport_self (&self);
  cr_assert_eq (sd_exacts_new (NULL, &s, &err), SD_OK);
  cr_assert_eq (sd_gen_order (&want, 1, &order, &n, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    sd_exact *e;
    cr_assert_eq (sd_gen_solve (s, &self, &order[i], NULL, &e, NULL, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_exacts_put (s, e), SD_OK);
  }
  free (order);
  return s;
}

static size_t size_of (const sd_exacts *s, const char *name, enum sd_coding coding, unsigned freedom) {
  sd_table_spec spec = spec_of (name, coding, freedom, "repair", "kPK");
  sd_buf b = image_of (s, &spec);
  size_t len = b.len;
  sd_buf_free (&b);
  return len;
}

Test (build, real_endings_come_back_and_every_source_of_freedom_makes_them_smaller) {
  sd_exacts *s = solved ("KPvK"), *again;
  sd_error err = { 0 };
  sd_material next[64], m = material ("KPvK");
  unsigned n = sd_material_successors (&m, next);
  make_folder ();
  next[n++] = m;
  for (unsigned i = 0; i < n; i++) {
    char name[16];
    sd_material_name (&next[i], name);
    sd_table_spec wdl = spec_of (name, SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
    sd_table_spec dtm = spec_of (name, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
    build (s, &wdl, name);
    build (s, &dtm, name);
  }
  cr_assert_eq (sd_exacts_new (folder, &again, &err), SD_OK);
  cr_assert_eq (sd_exacts_need (again, &m, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    const sd_exact *a = sd_exacts_find (s, &next[i]), *b = sd_exacts_find (again, &next[i]);
    for (unsigned side = 0; side < 2; side++)
      cr_expect_eq (memcmp (a->value[side], b->value[side], a->n * sizeof (sd_value)), 0);
  }
  sd_counts c;
  sd_exact_count (get (again, "KPvK"), 0, &c);
  cr_expect_eq (c.longest_win, 55); /* 28 moves */
  unsigned free_bits = 0;
  size_t before = size_of (s, "KPvK", SD_CODING_MOVES, 0);
  for (unsigned bit = 1; bit < SD_FREE_ALL; bit <<= 1) {
    size_t now = size_of (s, "KPvK", SD_CODING_MOVES, free_bits |= bit);
    if (bit
        == SD_FREE_CAPTURE) /* the bare king's captures only draw: nothing to gain, hardly anything to lose */
      cr_expect_leq (now, before);
    else
      cr_expect_lt (now, before, "freedom %u: %zu bytes, %zu before", free_bits, now, before);
    before = now;
  }
  cr_expect_lt (size_of (s, "KPvK", SD_CODING_WDL, SD_FREE_ALL), size_of (s, "KPvK", SD_CODING_WDL, 0));
  sd_exacts_free (again);
  sd_exacts_free (s);
  remove_folder ();
}

Test (registry, codecs_are_found_by_name_and_number_and_stand_in_rising_order) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  cr_assert_geq (n, 3);
  for (size_t i = 0; i < n; i++) {
    cr_expect_eq (sd_codec_find (all[i]->name), all[i]);
    cr_expect_eq (sd_codec_by_id (all[i]->id), all[i]);
    cr_expect_str_eq (all[i]->tunables[0].key, "initial");
    if (i)
      cr_expect_gt (all[i]->id, all[i - 1]->id);
  }
  cr_expect_null (sd_codec_find ("lzm"));
  cr_expect_null (sd_codec_by_id (255));
}
