/* Results under the 50-move rule against the counts that Syzygy's author publishes: wins, cursed wins, draws,
 * blessed losses and losses of all 35 endings with 3 and 4 men, as the public .rtbw files say them, where
 * there are any. SD_RULE_TABLES=FOLDER does the same with our own dtz50 tables that are there, also with 5
 * men, and compares the longest distances, too. */
#include "config.h"
#include "tests/gen/orders.h"
#include "tests/gen/published.h"
#include "tests/syzygy/files.h"
#include <criterion/criterion.h>
#include <inttypes.h>

enum { RESULTS = 5, FIRST = 2, LONGEST = 8 }; /* columns of results, and of longest distances */

/* A win in n plies is n, a loss in n is -(n + 1); the rule knows 100 plies. */
static unsigned result_of (sd_value v) {
  return v == 0 ? 2 : v > 0 ? v > 100 : v < -101 ? 3 : 4;
}

static void expect_counts (const sd_exact *e, unsigned side, const published *p) {
  const unsigned orders = orders_of (&e->material);
  const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
  uint64_t n[RESULTS] = { 0 };
  for (uint64_t i = 0; i < e->n; i++)
    if (v[i] != SD_ILLEGAL)
      n[result_of (v[i])] += weight (e, i, orders);
  for (int k = 0; k < RESULTS; k++)
    cr_expect_eq (n[k], published_number (p, FIRST + k), "%s %s, result %d: %" PRIu64 ", published %s",
                  p->field[0], p->field[1], k, n[k], p->field[FIRST + k]);
}

/* The longest wins of White and of Black, then the longest cursed ones, whoever is to move. */
static void expect_longest (const sd_exact *e, const published *p) {
  unsigned longest[4] = { 0 };
  for (unsigned side = 0; side < 2; side++) {
    const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
    for (uint64_t i = 0; i < e->n; i++) {
      const unsigned result = v[i] == SD_ILLEGAL ? 2 : result_of (v[i]), lost = result > 2;
      if (result == 2)
        continue;
      const unsigned plies = (unsigned) (lost ? -v[i] - 1 : v[i]), cursed = result == 1 || result == 3;
      unsigned *at = &longest[2 * cursed + (side ^ lost)];
      *at = plies > *at ? plies : *at;
    }
  }
  for (int k = 0; k < 4; k++)
    cr_expect_eq (longest[k], published_number (p, LONGEST + k), "%s, longest %d: %u, published %s",
                  p->field[0], k, longest[k], p->field[LONGEST + k]);
}

/* Has the folder what s reads? */
static bool is_there (const char *folder, const char *name, const char *kind) {
  char file[4200];
  snprintf (file, sizeof file, "%s/%s.%s", folder, name, kind);
  return sd_file_exists (file);
}

/* own: from dtz50 tables, else from .rtbw files. Returns the endings that were compared. */
static unsigned compare (const char *folder, const char *counts, bool own) {
  published p;
  char name[16] = "";
  unsigned endings = 0;
  sd_values *s = NULL;
  const sd_exact *e = NULL;
  cr_assert (published_open (&p, counts));
  while (published_row (&p)) {
    sd_error err = { 0 };
    sd_material m;
    if (strcmp (name, p.field[0]) != 0) {
      snprintf (name, sizeof name, "%s", p.field[0]);
      sd_values_free (s);
      s = NULL;
      e = NULL;
      if (!is_there (folder, name, own ? "dtz50.sdt" : "rtbw"))
        continue;
      const int st = own ? sd_values_new (folder, SD_DTZ50, &s, &err)
                         : sd_values_new_syzygy (folder, false, &s, &err);
      cr_assert_eq (st, SD_OK, "%s", err.text);
      cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
      cr_assert_eq (sd_values_whole (s, &m, &e, &err), SD_OK, "%s", err.text);
      endings++;
      if (own)
        expect_longest (e, &p);
    }
    if (e)
      expect_counts (e, *p.field[1] == 'b', &p);
  }
  sd_values_free (s);
  return endings;
}

Test (counts, the_public_files_hold_the_published_counts_of_all_35_endings) {
  const char *folder = syzygy_folder ();
  if (folder)
    cr_expect_eq (compare (folder, "wdl-counts.csv", false), 35u);
}

Test (counts, our_tables_hold_the_published_counts_and_longest_distances) {
  const char *folder = getenv ("SD_RULE_TABLES");
  if (!folder)
    return;
  const unsigned small = compare (folder, "wdl-counts.csv", true),
                 large = compare (folder, "wdl-counts-5.csv", true);
  printf ("%u endings with 3 and 4 men, %u with 5 compared\n", small, large);
  cr_expect_gt (small + large, 0u, "%s: no dtz50 table of an ending that is listed", folder);
}
