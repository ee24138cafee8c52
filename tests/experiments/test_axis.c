/* A new axis of sweeps is one line: this program is made of the sources of experiments/ with the column
 * `flavour` among SD_AXIS_COLUMNS (tests/local.mk). Its words do nothing to a cell but tell it apart. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"

TestSuite (axis, .init = make_folder, .fini = remove_folder);

#define TWO "{ name = \"two\"; tables = \"KRvK\"; flavour = [\"sweet\", \"sour\"]; codec = \"rle\"; }"
#define USUAL(name) "{ name = \"" name "\"; tables = \"KRvK\"; codec = \"rle\"; }"

static void write_report (const char *baseline) {
  sd_error err = { 0 };
  const sd_report_options opt = { .gnuplot = "/nonexistent/gnuplot", .baseline = baseline };
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), &opt, &err), SD_OK, "%s",
                err.text);
}

Test (axis, its_words_make_cells_with_rows_of_their_own) {
  generate ("KRvK");
  run ("groups = ( " TWO ", " USUAL ("one") " );");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 6);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE flavour = 'sour' AND key LIKE '%/sour/rle/%'"), 2);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE flavour IS NULL AND \"group\" = 'one'"), 2);
}

Test (axis, cells_are_left_out_by_it) {
  cr_expect_eq (cells_of ("groups = ( " TWO " );"), 4);
  cr_expect_eq (
      cells_of (
          "groups = ( { name = \"a\"; tables = \"KRvK\"; flavour = [\"sweet\", \"sour\"]; codec = \"rle\";"
          " exclude = ( { flavour = \"sweet\"; side = \"w\"; } ); } );"),
      3);
}

/* What is unknown in both is the same, too. */
Test (axis, a_cell_without_a_word_is_computed_once_for_two_groups) {
  sd_sweep_outcome outcome;
  sd_error err = { 0 };
  const sd_sweep_options opt = { .tables = folder, .jobs = 1, .outcome = &outcome };
  generate ("KRvK");
  const char *path = write_file ("sweep.conf", "groups = ( " USUAL ("one") ", " USUAL ("other") " );");
  cr_assert_eq (sd_sweep_run (path, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  cr_expect_eq (outcome.computed, 2);
  cr_expect_eq (outcome.copied, 2);
}

Test (axis, reports_show_it_among_the_settings) {
  generate ("KRvK");
  run ("groups = ( " TWO ", " USUAL ("one") " );");
  write_report ("two/rle/flavour=sour");
  char *sizes = read_file ("report/sizes.csv"), *md = read_file ("report/report.md"),
       *cells = read_file ("report/cells.csv");
  cr_expect_eq (count (sizes, ",flavour=sweet\",all,"), 1, "%s", sizes);
  cr_expect_eq (count (sizes, ",flavour=sour\",all,"), 1, "%s", sizes);
  cr_expect (strstr (md, "| rle 128 B flavour=sweet |") != NULL);
  cr_expect_eq (count (cells, ",flavour,"), 1);
  cr_expect_eq (count (cells, ",sweet,"), 2);
  free (sizes);
  free (md);
  free (cells);
}

Test (axis, a_store_that_knows_nothing_of_it_gets_it) {
  generate ("KRvK");
  run ("groups = ( " USUAL ("one") " );");
  run_sql ("rows.db", "ALTER TABLE cell DROP COLUMN flavour");
  write_report (NULL);
  run ("groups = ( " TWO ", " USUAL ("one") " );");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 6);
  write_report (NULL);
}
