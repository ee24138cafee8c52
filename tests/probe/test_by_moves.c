/* Tables in which positions are free because no legal move leads to them (SD_FREE_UNREACHABLE), or because
 * they are in check and no move gives check (SD_FREE_CHECK), or because what is not in check tells their
 * value (SD_FREE_EVIDENT): whatever their slots hold, everything that reads tables gives the exact values.
 * Slots that are free are filled with the worst that they may hold, "won". */
#include "config.h"

#include <inttypes.h>

#include "values/values_internal.h"
#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"
#include "recode/verify/whole_internal.h"
#include "tests/base/long_tests.h"
#include "tests/table/made_up.h"

TestSuite (by_moves, .init = make_folder, .fini = remove_folder);

static void tables_path (char out[600]) {
  const char *base = getenv ("SD_BUILDDIR");
  snprintf (out, 600, "%s/tests/tables", base ? base : ".");
}

static sd_values *generated (const char *name) {
  char path[600];
  sd_values *s;
  sd_error err = { 0 };
  const sd_material m = material (name);
  tables_path (path);
  cr_assert_eq (sd_values_new (path, SD_DTM, &s, NULL), SD_OK);
  cr_assert_eq (sd_values_need (s, &m, &err), SD_OK, "%s", err.text);
  return s;
}

/* All free slots hold the last symbol. */
static void poison (sd_subdefined *d) {
  const unsigned m = sd_alphabet_main (d->alphabet);
  for (uint64_t i = 0; i < d->seq.n; i++) {
    bool all = d->seq.sym[i] >= m;
    for (unsigned k = 0; k < m && all; k++)
      all = sd_admits (d->alphabet, d->seq.sym[i], (sd_symbol) k);
    if (all)
      d->seq.sym[i] = (sd_symbol) (m - 1);
  }
}

/* The table with poison, written into the folder. */
static void write_poisoned (const sd_values *s, const char *name, enum sd_coding coding, unsigned free_by,
                            unsigned sides) {
  sd_table_spec spec = spec_of (name, coding, SD_FREE_ALL | free_by, "store", NULL);
  const sd_exact *e = sd_values_find (s, &spec.material);
  sd_subdefined *d[2] = { NULL, NULL };
  sd_error err = { 0 };
  sd_buf image = { 0 };
  char file[32], path[600];
  spec.sides = sides;
  for (unsigned side = 0; side < e->nsides; side++) {
    if (!(sd_table_sides (&spec) >> side & 1))
      continue;
    cr_assert_eq (sd_subdefine (s, e, &SD_STORED_OF (&spec, side), NULL, &d[side], &err), SD_OK, "%s",
                  err.text);
    poison (d[side]);
  }
  cr_assert_eq (sd_table_image (&spec, (const sd_subdefined *const *) d, NULL, &image, &err), SD_OK, "%s",
                err.text);
  cr_expect_eq (image.data[4],
                free_by & SD_FREE_EVIDENTS       ? 8
                : free_by & SD_FREE_CHECKS       ? 7
                : free_by == SD_FREE_UNREACHABLE ? 3
                                                 : 1,
                "the version");
  sd_table_file_name (&spec.material, spec.metric, file);
  snprintf (path, sizeof path, "%s/%s", folder, file);
  FILE *f = fopen (path, "wb");
  cr_assert (f && fwrite (image.data, 1, image.len, f) == image.len && fclose (f) == 0);
  sd_buf_free (&image);
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
}

/* Does the slot of p itself restore to another value? */
static bool lies (const sd_table *t, const sd_exact *e, unsigned side, uint64_t i, sd_value is) {
  sd_symbol symbol;
  uint64_t slot;
  sd_side_remap (&t->info.side[side], e->indexer, i, 1, &slot);
  cr_assert_eq (sd_codec_get (t->info.side[side].decoder, slot, &symbol), SD_OK);
  return t->info.side[side].map[symbol] > sd_value_wdl (is);
}

/* Is the slot of p free by the moves of p, in a table that holds these sides? */
static bool is_free (const sd_values *s, const sd_exact *e, unsigned free_by, unsigned sides,
                     const sd_pos *p) {
  bool evident = false;
  if (!(free_by & SD_FREE_EVIDENTS))
    return sd_freedom_by_moves (free_by, p);
  if (!(sides & sd_freedom_evident (free_by) & 1u << p->stm) || !sd_in_check (p, p->stm))
    return false;
  cr_assert_eq (sd_values_evident (s, e, &sd_metrics[SD_WDL], p, sides, free_by, &evident), SD_OK);
  cr_assert (evident || free_by & SD_FREE_EVIDENT);
  return evident;
}

/* Positions whose moves tell their values, both ways round and with each en-passant right (in long tests all
 * of them), and some of the others. Returns how many of the former there are. */
static uint64_t probe_all (const sd_tables *ts, sd_values *s, const char *name, unsigned free_by,
                           unsigned sides, uint64_t *lying) {
  const sd_material m = material (name);
  const sd_exact *e = sd_values_find (s, &m);
  sd_error err = { 0 };
  uint64_t by_moves = 0;
  const unsigned every = sd_every (37);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p[4];
      if (e->value[side][i] == SD_ILLEGAL || !sd_exact_position (e, side, i, &p[0]))
        continue;
      const bool free = is_free (s, e, free_by, sides, &p[0]);
      by_moves += free;
      if (free)
        *lying += lies (sd_tables_find (ts, &m, SD_WDL), e, side, i, e->value[side][i]);
      if (free ? by_moves % every : i % 127)
        continue;
      const uint64_t rights = sd_ep_squares (&p[0]);
      p[2] = p[0];
      if (rights)
        p[2].ep = (uint8_t) sd_lowest (rights);
      sd_pos_flip (&p[0], &p[1]);
      sd_pos_flip (&p[2], &p[3]);
      for (unsigned k = 0; k < (rights ? 4 : 2); k++) {
        char fen[96];
        int wdl = 7;
        sd_value dtm = 7777, is;
        sd_pos_to_fen (&p[k], fen, sizeof fen);
        cr_assert_eq (sd_values_of (s, &p[k], &is), SD_OK);
        cr_assert_eq (sd_probe_wdl (ts, &p[k], &wdl, &err), SD_OK, "%s: %s", fen, err.text);
        cr_assert_eq (wdl, sd_value_wdl (is), "%s: %d, not %d", fen, wdl, sd_value_wdl (is));
        cr_assert_eq (sd_probe_dtm (ts, &p[k], &dtm, &err), SD_OK, "%s: %s", fen, err.text);
        cr_assert_eq (dtm, is, "%s: %d, not %d", fen, dtm, is);
        int status = SD_EINVAL;
        sd_value together = 7;
        sd_probe_several (ts, SD_WDL, &p[k], 1, &together, &status);
        cr_assert (status == SD_OK && together == wdl, "%s: together %d, not %d", fen, together, wdl);
        sd_probe_several (ts, SD_DTM, &p[k], 1, &dtm, &status);
        cr_assert (status == SD_OK && dtm == is, "%s: together %d, not %d", fen, dtm, is);
      }
    }
  return by_moves;
}

/* Loaded whole, in memory and as the generator does it. */
static void load_all (const sd_values *s, const char *name, const char *path) {
  const sd_material m = material (name);
  const sd_exact *e = sd_values_find (s, &m), *got;
  sd_values *loaded;
  sd_values *values;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (path, SD_DTM, &loaded, &err), SD_OK);
  cr_assert_eq (sd_values_whole (loaded, &m, &got, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_new (path, SD_USUAL_EXACT, &values, &err), SD_OK);
  for (unsigned side = 0; side < e->nsides; side++) {
    sd_values_blocks *h;
    cr_assert_eq (memcmp (got->value[side], e->value[side], e->n * sizeof *e->value[side]), 0, "%s", name);
    cr_assert_eq (sd_values_in_blocks (values, &m, side, &h, &err), SD_OK, "%s", err.text);
    for (uint64_t i = 0; i < e->n; i++)
      if (e->value[side][i] != SD_ILLEGAL)
        cr_assert_eq (sd_values_at (h, i), e->value[side][i], "%s: slot %" PRIu64, name, i);
  }
  sd_values_free (values);
  sd_values_free (loaded);
}

/* Of WDL and of DTM, in this coding, what is free besides all, and which sides there are; of WDL so many
 * slots.
 */
static void check_tables (const char *name, unsigned free_by, unsigned sides, enum sd_coding dtm,
                          unsigned dtm_by, unsigned dtm_sides, uint64_t count) {
  sd_values *s = generated (name);
  sd_error err = { 0 };
  sd_tables *ts;
  char below[600], path[1300];
  uint64_t lying = 0;
  const sd_material m = material (name);
  tables_path (below);
  snprintf (path, sizeof path, "%s:%s", folder, below);
  write_poisoned (s, name, SD_CODING_WDL, free_by, sides);
  write_poisoned (s, name, dtm, dtm_by, dtm_sides);
  cr_assert_eq (sd_tables_open (path, SD_OPEN_CHECK | SD_OPEN_CACHE, &ts, &err), SD_OK, "%s", err.text);
  const uint64_t is = probe_all (ts, s, name, free_by, sides, &lying);
  cr_expect_eq (is, count, "%s: %" PRIu64, name, is);
  cr_expect (count < 100 || lying > 20, "%s: %" PRIu64 " slots lie", name, lying);
  /* With four men it takes longer than all else: of distances, which need the results, where checks are free
   * there, else of results. */
  const bool few = sd_long_tests () || sd_material_men (&m) == 3;
  const enum sd_metric one = dtm_by & SD_FREE_CHECKS ? SD_DTM : SD_WDL;
  for (enum sd_metric metric = SD_WDL; metric <= SD_DTM; metric++)
    if (few || metric == one)
      cr_expect_eq (sd_table_verify (ts, sd_tables_find (ts, &m, metric), NULL, NULL, &err), SD_OK, "%s",
                    err.text);
  sd_tables_close (ts);
  if (few || sd_material_symmetric (&m))
    load_all (s, name, path);
  sd_values_free (s);
}

static void check_sides (const char *name, unsigned free_by, enum sd_coding dtm, unsigned dtm_by,
                         unsigned dtm_sides, uint64_t count) {
  check_tables (name, free_by, SD_SIDES_BOTH, dtm, dtm_by, dtm_sides, count);
}

static void check_mixture (const char *name, unsigned free_by, enum sd_coding dtm, unsigned dtm_by,
                           uint64_t count) {
  check_sides (name, free_by, dtm, dtm_by, SD_SIDES_BOTH, count);
}

static void check_ending (const char *name, enum sd_coding dtm, unsigned free_by, uint64_t count) {
  check_mixture (name, free_by, dtm, free_by, count);
}

/* Each child of a won position is asked whether it is lost: it may be in check, and its slot say nothing. */
Test (by_moves, tables_free_by_different_reasons, .timeout = 600) {
  check_mixture ("KPvK", SD_FREE_CHECK, SD_CODING_MOVES, SD_FREE_WIN, 2348);
  check_mixture ("KPvK", SD_FREE_UNREACHABLE, SD_CODING_MOVES, SD_FREE_CHECK, 394);
  check_mixture ("KQvK", SD_FREE_CHECK, SD_CODING_MOVES, SD_FREE_UNREACHABLE, 9975);
}

/* With one side to move alone: the other's slots hold their values. */
Test (by_moves, checks_of_one_side, .timeout = 600) {
  check_mixture ("KRvKN", SD_FREE_CHECK_BLACK, SD_CODING_MOVES, SD_FREE_CHECK_WHITE, 322316);
  /* White to move is restored by moves to positions in check, of which the WDL table must not be read. */
  check_sides ("KQvK", SD_FREE_CHECK_BLACK, SD_CODING_MOVES, 0, SD_SIDES_BLACK, 9975);
  if (sd_long_tests ()) {
    check_sides ("KRvKN", SD_FREE_CHECK_BLACK, SD_CODING_MOVES, 0, SD_SIDES_BLACK, 322316);
    check_mixture ("KNvKP", SD_FREE_CHECK_BLACK, SD_CODING_MOVES, SD_FREE_CHECK_WHITE, 408126);
  }
}

/* By one ply where both sides are stored, by two where one is; from equal material and from promotions, with
 * en-passant rights, and of DTM that reads such a table for the results of its children. */
Test (by_moves, evident_values, .timeout = 1200) {
  static const struct {
    const char *name;
    unsigned free, sides;
    enum sd_coding dtm;
    unsigned dtm_free;
    uint64_t count;
    bool always;
  } tables[] = {
    { "KQvK", SD_FREE_EVIDENT, SD_SIDES_BOTH, SD_CODING_SIGNED, 0, 9975, true },
    { "KPvK", SD_FREE_EVIDENT, SD_SIDES_BLACK, SD_CODING_MOVES, SD_FREE_WIN, 2347, true },
    { "KPvK", SD_FREE_EVIDENT_BLACK | SD_FREE_QUEEN, SD_SIDES_BOTH, SD_CODING_MOVES, SD_FREE_WIN, 2348,
      true },
    { "KRvKR", SD_FREE_EVIDENT, SD_SIDES_BOTH, SD_CODING_SIGNED, 0, 280602, true },
    { "KQvKR", SD_FREE_EVIDENT, SD_SIDES_BLACK, SD_CODING_MOVES, 0, 462408, true },
    { "KPvKP", SD_FREE_EVIDENT | SD_FREE_QUEEN, SD_SIDES_BOTH, SD_CODING_SIGNED, 0, 103694, true },
    { "KPvKP", SD_FREE_EVIDENT_WHITE, SD_SIDES_BOTH, SD_CODING_SIGNED, 0, 103694, false },
    { "KQvKR", SD_FREE_EVIDENT_BLACK, SD_SIDES_BOTH, SD_CODING_MOVES, SD_FREE_WIN, 462420, false },
  };
  for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++)
    if (tables[i].always || sd_long_tests ())
      check_tables (tables[i].name, tables[i].free, tables[i].sides, tables[i].dtm, tables[i].dtm_free,
                    SD_SIDES_BOTH, tables[i].count);
}

/* In check, lost or drawn, and neither free nor evident: a slot that says "won". */
Test (by_moves, a_wrong_slot_in_check_is_found, .timeout = 600) {
  sd_values *s = generated ("KRvKR");
  sd_error err = { 0 };
  sd_table *t;
  sd_buf image = { 0 };
  sd_subdefined *d[2] = { NULL, NULL };
  sd_table_spec spec = spec_of ("KRvKR", SD_CODING_WDL, SD_FREE_ALL | SD_FREE_EVIDENT, "store", NULL);
  const sd_exact *e = sd_values_find (s, &spec.material);
  cr_assert_eq (sd_subdefine (s, e, &SD_STORED_OF (&spec, 0), NULL, &d[0], &err), SD_OK, "%s", err.text);
  uint64_t i = 0;
  sd_pos p;
  while (d[0]->seq.sym[i] > 1 || e->value[0][i] == SD_ILLEGAL || e->value[0][i] > 0
         || !sd_exact_position (e, 0, i, &p) || !sd_in_check (&p, p.stm))
    i++;
  d[0]->seq.sym[i] = 2;
  cr_assert_eq (sd_table_image (&spec, (const sd_subdefined *const *) d, NULL, &image, &err), SD_OK, "%s",
                err.text);
  cr_assert_eq (sd_table_open_memory (image.data, image.len, "made", 0, &t, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_values_compare (s, t, e, NULL, &err), SD_EDIFF);
  cr_expect (strstr (err.text, "neither stored nor evident"), "%s", err.text);
  sd_table_close (t);
  sd_buf_free (&image);
  sd_subdefined_free (d[0]);
  sd_values_free (s);
}

Test (by_moves, endings_with_three_men, .timeout = 600) {
  static const struct {
    const char *name;
    uint64_t unreachable, check;
  } endings[] = {
    { "KQvK", 0, 9975 }, { "KRvK", 0, 6097 }, { "KBvK", 2, 3878 }, { "KNvK", 2, 2306 }, { "KPvK", 394, 2348 }
  };
  for (unsigned i = 0; i < 5; i++)
    for (enum sd_coding coding = SD_CODING_SIGNED; coding <= SD_CODING_MOVES; coding++) {
      check_ending (endings[i].name, coding, SD_FREE_UNREACHABLE, endings[i].unreachable);
      check_ending (endings[i].name, coding, SD_FREE_CHECK, endings[i].check);
    }
}

Test (by_moves, endings_with_four_men, .timeout = 1200) {
  check_ending ("KBBvK", SD_CODING_SIGNED, SD_FREE_UNREACHABLE, 10150);
  check_ending ("KPvKP", SD_CODING_MOVES, SD_FREE_UNREACHABLE, 17240);
  if (sd_long_tests ()) {
    check_ending ("KQQvK", SD_CODING_MOVES, SD_FREE_UNREACHABLE, 83875);
    check_ending ("KQQvK", SD_CODING_MOVES, SD_FREE_CHECK, 500445);
  }
  /* of equal material White to move stands for both */
  check_mixture ("KPvKP", SD_FREE_CHECK_WHITE, SD_CODING_MOVES, SD_FREE_CHECK, 103634);
}

/* A file is built, read back and compared as always, in any layout. */
Test (by_moves, files_are_built_in_every_set_of_sides_that_has_both, .timeout = 600) {
  static const char *const codecs[] = { "obdd", "repair", "trees" };
  sd_values *s = generated ("KPvK");
  sd_error err = { 0 };
  char path[600];
  for (unsigned i = 0; i < 3; i++) {
    sd_table_spec spec =
        spec_of ("KPvK", i ? SD_CODING_MOVES : SD_CODING_WDL,
                 SD_FREE_ALL | (i == 1 ? SD_FREE_UNREACHABLE : SD_FREE_CHECK), codecs[i], "P!kK");
    spec.sides = i ? SD_SIDES_JOINT : SD_SIDES_BOTH;
    snprintf (path, sizeof path, "%s/KPvK.%s.sdt", folder, i ? "dtm" : "wdl");
    cr_expect_eq (sd_table_build (s, &spec, path, NULL, &err), SD_OK, "%s", err.text);
  }
  sd_values_free (s);
}

/* Opens the file with the bits `flip` of the byte `at` changed, and the header's checksum put right. */
static int open_changed (const sd_map *map, const char *name, unsigned at, unsigned flip, sd_error *err) {
  sd_table *t = NULL;
  uint8_t *copy = malloc (map->len);
  cr_assert (copy);
  memcpy (copy, map->data, map->len);
  copy[at] ^= (uint8_t) flip;
  const size_t covered = 6 + (size_t) copy[5];
  const uint32_t sum = (uint32_t) sd_hash64 (copy, covered);
  for (unsigned k = 0; k < 4; k++)
    copy[covered + k] = (uint8_t) (sum >> 8 * k);
  const int status = sd_table_open_memory (copy, map->len, name, 0, &t, err);
  sd_table_close (t);
  free (copy);
  return status;
}

/* Only where both sides are stored and wins are not free can successors be looked up. */
Test (by_moves, other_tables_are_refused) {
  sd_values *s = generated ("KPvK");
  sd_error err = { 0 };
  char path[600];
  snprintf (path, sizeof path, "%s/KPvK.dtm.sdt", folder);
  const unsigned alone = SD_FREE_ALL | SD_FREE_UNREACHABLE;
  static const unsigned together[] = { SD_FREE_WIN | SD_FREE_UNREACHABLE, SD_FREE_WIN | SD_FREE_CHECK,
                                       SD_FREE_UNREACHABLE | SD_FREE_CHECK };
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_MOVES, alone, "store", NULL);
  for (unsigned i = 0; i < 3; i++) {
    spec.freedom = SD_FREE_ALL | together[i];
    cr_expect_eq (sd_table_build (s, &spec, path, NULL, &err), SD_EINVAL);
    cr_expect (strstr (err.text, "exclude each other"), "%s", err.text);
  }
  for (unsigned sides = SD_SIDES_WHITE; sides <= SD_SIDES_ONE; sides++) {
    spec.freedom = sides == SD_SIDES_ONE ? SD_FREE_ALL | SD_FREE_CHECK : alone;
    spec.sides = sides;
    cr_expect_eq (sd_table_build (s, &spec, path, NULL, &err), sides == SD_SIDES_BOTH ? SD_OK : SD_EINVAL);
    cr_expect (sides == SD_SIDES_BOTH || strstr (err.text, "both sides"), "%s", err.text);
  }
  sd_map map;
  cr_assert_eq (sd_map_open (path, &map, &err), SD_OK);
  enum { OF_VERSION = 4, OF_KIND = 8, OF_FREEDOM = 9 };
  static const struct {
    unsigned at;
    uint8_t flip;
  } wrong[] = { { OF_VERSION, 3 ^ 1 },       { OF_VERSION, 3 ^ 2 }, { OF_FREEDOM, SD_FREE_UNREACHABLE },
                { OF_FREEDOM, SD_FREE_WIN }, { OF_FREEDOM, 32 },    { OF_KIND, 0x20 } };
  cr_expect_eq (open_changed (&map, "made.dtm.sdt", 0, 0, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect_eq (open_changed (&map, "made.dtm.sdt", wrong[i].at, wrong[i].flip, &err), SD_EFORMAT, "%u: %s",
                  i, err.text);
  sd_map_close (&map);
  sd_values_free (s);
}

/* Equal material has one stored side, of which a file that says "with White to move alone" would say too
 * little. */
Test (by_moves, of_equal_material_no_side_is_named) {
  sd_values *s = generated ("KNvKN");
  sd_error err = { 0 };
  sd_map map;
  char path[600];
  sd_table_spec spec = spec_of ("KNvKN", SD_CODING_WDL, SD_FREE_ALL | SD_FREE_CHECK, "store", NULL);
  enum { OF_FREEDOM = 12 }; /* of version 7: seven bits, and the others behind them */
  snprintf (path, sizeof path, "%s/KNvKN.wdl.sdt", folder);
  cr_assert_eq (sd_table_build (s, &spec, path, NULL, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_map_open (path, &map, &err), SD_OK);
  cr_assert_eq (map.data[OF_FREEDOM + 1], 1);
  for (unsigned bits = 1; bits <= 4; bits *= 2)
    cr_expect_eq (open_changed (&map, "made.wdl.sdt", OF_FREEDOM + 1, bits ^ 1, &err),
                  bits == 1 ? SD_OK : SD_EFORMAT, "%u: %s", bits, err.text);
  sd_map_close (&map);
  sd_values_free (s);
}
