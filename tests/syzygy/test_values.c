/* Values of positions from the public files beside our own exact ones (tests/tables). */
#include "config.h"
#include "values/values.h"
#include "syzygy/syzygy.h"
#include "tests/syzygy/files.h"
#include <criterion/criterion.h>

static sd_values *own_values (void) {
  const char *base = getenv ("SD_BUILDDIR");
  char path[600];
  sd_values *s;
  snprintf (path, sizeof path, "%s/tests/tables", base ? base : ".");
  cr_assert_eq (sd_values_new (path, SD_DTM, &s, NULL), SD_OK);
  return s;
}

/* Result, and plies to zeroing, which are never more than those to mate, nor fewer than what is said of
 * cursed results. */
static bool agree (const sd_syzygy_tables *ts, const sd_pos *p, sd_value dtm) {
  int wdl = 9, dtz = 0;
  const sd_value mate = dtm > 0 ? dtm : (sd_value) (-dtm - 1);
  sd_error err = { 0 };
  if (sd_syzygy_wdl (ts, p, &wdl, &err) != SD_OK || sd_syzygy_dtz (ts, p, &dtz, &err) != SD_OK) {
    fprintf (stderr, "%s\n", err.text);
    return false;
  }
  const int plies = dtz > 0 ? dtz : -dtz - 1;
  return (wdl > 0) == (dtm > 0) && (wdl < 0) == (dtm < 0) && (dtz > 0) == (wdl > 0) && (dtz < 0) == (wdl < 0)
         && (wdl == 0 || (plies <= mate && (plies > 100) == (wdl == 1 || wdl == -1)));
}

static void compare (sd_values *own, const sd_syzygy_tables *ts, const char *name, uint64_t step) {
  sd_material m;
  const sd_exact *e;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (sd_values_whole (own, &m, &e, &err), SD_OK, "%s", err.text);
  uint64_t wrong = 0, seen = 0;
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t k = 0; k < e->n; k += step) {
      uint8_t sq[SD_MAX_MEN];
      sd_pos p, mirrored;
      if (e->value[side][k] == SD_ILLEGAL || !sd_index_squares (e->indexer, k, sq))
        continue;
      sd_pos_from_squares (&m, sq, side, &p);
      sd_pos_flip (&p, &mirrored);
      wrong += !agree (ts, seen++ & 1 ? &mirrored : &p, e->value[side][k]);
    }
  cr_expect_eq (wrong, 0, "%s: %llu of %llu", name, (unsigned long long) wrong, (unsigned long long) seen);
  cr_expect_gt (seen, 100);
}

Test (syzygy_values, are_those_of_our_own_tables) {
  const char *folder = syzygy_folder ();
  char name[16];
  sd_syzygy_tables *ts;
  if (!folder)
    return;
  cr_assert_eq (sd_syzygy_tables_open (folder, &ts, NULL), SD_OK);
  cr_expect_eq (sd_syzygy_tables_count (ts), 70);
  sd_values *own = own_values ();
  for (unsigned i = 0; small_ending (i, name); i++)
    compare (own, ts, name, i < 5 ? 11 : 4999);
  sd_values_free (own);
  sd_syzygy_tables_close (ts);
}

/* All positions of KPvKP in which Black has just made a double step that White may take, some hundred
 * thousand; the rules of en passant are those of probe/restore.c. */
Test (syzygy_values, en_passant_is_honoured) {
  const char *folder = syzygy_folder ();
  sd_syzygy_tables *ts;
  sd_material m;
  const sd_exact *e;
  uint64_t wrong = 0, seen = 0, changed = 0;
  if (!folder)
    return;
  cr_assert_eq (sd_syzygy_tables_open (folder, &ts, NULL), SD_OK);
  sd_values *own = own_values ();
  cr_assert_eq (sd_material_parse ("KPvKP", &m, NULL), SD_OK);
  cr_assert_eq (sd_values_need (own, &m, NULL), SD_OK);
  cr_assert_eq (sd_values_whole (own, &m, &e, NULL), SD_OK);
  for (uint64_t k = 0; k < e->n; k++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    sd_value exact;
    if (e->value[0][k] == SD_ILLEGAL || !sd_index_squares (e->indexer, k, sq))
      continue;
    sd_pos_from_squares (&m, sq, SD_WHITE, &p);
    const uint64_t rights = sd_ep_squares (&p);
    if (!rights)
      continue;
    p.ep = (uint8_t) sd_lowest (rights);
    cr_assert_eq (sd_values_of (own, &p, &exact), SD_OK);
    wrong += !agree (ts, &p, exact);
    changed += sd_value_wdl (exact) != sd_value_wdl (e->value[0][k]);
    seen++;
  }
  cr_expect_eq (wrong, 0, "%llu of %llu", (unsigned long long) wrong, (unsigned long long) seen);
  cr_expect (seen > 10000 && changed > 100, "%llu %llu", (unsigned long long) seen,
             (unsigned long long) changed);
  sd_values_free (own);
  sd_syzygy_tables_close (ts);
}

Test (syzygy_values, mate_and_stalemate) {
  static const struct {
    const char *fen;
    int wdl, dtz;
  } known[] = {
    { "k7/8/KQ6/8/8/8/8/8 b - - 0 1", 0, 0 },
    { "k7/1Q6/K7/8/8/8/8/8 b - - 0 1", -2, -1 },
    { "8/8/8/8/8/k7/1q6/K7 w - - 0 1", -2, -1 }, /* colours exchanged */
    { "8/8/8/8/8/8/1K6/3k4 w - - 0 1", 0, 0 },
  };
  const char *folder = syzygy_folder ();
  sd_syzygy_tables *ts;
  if (!folder)
    return;
  cr_assert_eq (sd_syzygy_tables_open (folder, &ts, NULL), SD_OK);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    sd_pos p;
    int wdl, dtz;
    sd_error err = { 0 };
    cr_assert_eq (sd_pos_from_fen (known[i].fen, &p, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_syzygy_wdl (ts, &p, &wdl, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_syzygy_dtz (ts, &p, &dtz, &err), SD_OK, "%s", err.text);
    cr_expect_eq (wdl, known[i].wdl, "%s: %d", known[i].fen, wdl);
    cr_expect_eq (dtz, known[i].dtz, "%s: %d", known[i].fen, dtz);
  }
  sd_syzygy_tables_close (ts);
}
