/* Runs behind the rows of a report, warnings of those that do not compare, two stores cell by cell. */
#include "config.h"
#include "tests/experiments/written_rows.h"
#include <math.h>

TestSuite (runs, .init = make_folder, .fini = remove_folder);

Test (runs, runs_are_listed_and_mixtures_warned_of) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  sd_buf warnings = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "a", "repair", "block=64", "all", "KRk", 300, 100);
  add_run (store, "def", "another", 7.5);
  insert (store, "a", "repair", "block=128", "all", "KRk", 280, 120);
  insert (store, "a", "repair", "block=256", "all", "KRk", 270, NAN);
  sd_store_close (store);
  cr_assert_eq (report (&(sd_report_options){ .warnings = &warnings }, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&warnings, 0);
  const char *said = (char *) warnings.data;
  cr_expect (strstr (said, "2 commits, 2 processors: ") != NULL, "%s", said);
  cr_expect (strstr (said, "run 2: 2 rows were timed while the load of the machine was 7.5 with 2 cores")
                 != NULL,
             "%s", said);
  char *md = read_file ("report/report.md");
  cr_expect (strstr (md, "| 1 | 2 | 2 | 2026-11-22T09:34:50Z | abc | here | a processor |") != NULL, "%s",
             md);
  cr_expect (strstr (md, "| 2 | 4 | 2 | 2026-11-22T09:34:50Z | def | here | another |") != NULL);
  cr_expect_eq (count (md, "Warning: "), 2);
  free (md);
  sd_buf_free (&warnings);
}

Test (runs, one_run_is_nothing_to_warn_of_and_times_not_measured_are_empty) {
  sd_error err = { 0 };
  sd_buf warnings = { 0 };
  fill_store ();
  cr_assert_eq (report (&(sd_report_options){ .warnings = &warnings }, &err), SD_OK, "%s", err.text);
  cr_expect_eq (warnings.len, 0);
  char *latency = read_file ("report/latency.csv"), *best = read_file ("report/best.csv"),
       *cells = read_file ("report/cells.csv");
  cr_expect (strstr (latency, ",90,,80,110,,,,\n") != NULL, "%s", latency);
  cr_expect (strstr (best, ",100,,1800,3.00,LZMA 16 KiB\n") != NULL, "%s", best);
  cr_expect (strstr (cells, ",nan") == NULL && strstr (cells, ",0,0,0,0,0,0,") == NULL, "%s", cells);
  free (latency);
  free (best);
  free (cells);
}

Test (runs, a_sweep_that_is_not_finished_says_how_many_cells_are_missing) {
  sd_error err = { 0 };
  sd_buf warnings = { 0 }, json = { 0 };
  const sd_report_options options = { .warnings = &warnings, .json = true };
  fill_store ();
  run_sql ("rows.db",
           "CREATE TABLE failure (key TEXT PRIMARY KEY, finished TEXT NOT NULL, error TEXT NOT NULL);"
           "INSERT INTO failure VALUES ('a cell', '2026-11-22T09:34:50Z', 'broken');"
           "UPDATE run SET expected_rows = 5 + (SELECT count (*) FROM cell)");
  cr_assert_eq (report (&options, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_report_summary (in_folder ("rows.db"), &options, &json, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&warnings, 0);
  sd_buf_u8 (&json, 0);
  char *md = read_file ("report/report.md"), *html = read_file ("report/index.html"),
       *tex = read_file ("report/tables.tex");
  const char *said = "the sweep is not finished: 5 of 13 cells have no row, 1 of them because of errors",
             *in[] = { (char *) warnings.data, md, html, tex };
  for (unsigned i = 0; i < 4; i++)
    cr_expect (strstr (in[i], said) != NULL, "%u: %s", i, in[i]);
  cr_expect (strstr ((char *) json.data, "\"missing_cells\": 5,\n    \"failed_cells\": 1") != NULL, "%s",
             (char *) json.data);
  free (md);
  free (html);
  free (tex);
  sd_buf_free (&warnings);
  sd_buf_free (&json);
}

Test (runs, cells_whose_repeats_scatter_are_named) {
  sd_error err = { 0 };
  fill_store ();
  put ("cell", "get_scatter", "1.2"); /* of the third row */
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *csv = read_file ("report/scatter.csv");
  cr_expect_eq (count (csv, "\n"), 1, "%s", csv);
  free (csv);
  run_sql ("rows.db", "UPDATE cell SET get_scatter = 1.75 WHERE id = 5");
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  csv = read_file ("report/scatter.csv");
  char *md = read_file ("report/report.md");
  cr_expect_eq (count (csv, "\n"), 2);
  cr_expect (strstr (csv, ",RKk,rows,slot,110,1.75\n") != NULL, "%s", csv);
  cr_expect (strstr (md, "Of 1 of 2 cells the medians of two repeats differ by more than a factor of 1.5")
                 != NULL,
             "%s", md);
  free (csv);
  free (md);
}

/* Rows of both sides in each of n runs. */
static void fill_runs (unsigned n, const char *commit, double load, double get_ns) {
  sd_store *store = open_store ();
  for (unsigned i = 0; i < n; i++) {
    add_run (store, commit, "a processor", i ? 0 : load);
    insert (store, i ? "second" : "first", "obdd", "", "all", "KRk", 100, get_ns);
  }
  sd_store_close (store);
}

/* What a report warns of, before and after what is done to the rows. */
static char *warnings (const char *sql) {
  sd_buf text = { 0 }, out = { 0 };
  sd_error err = { 0 };
  run_sql ("rows.db", sql);
  cr_assert_eq (
      sd_report_summary (in_folder ("rows.db"), &(sd_report_options){ .warnings = &text }, &out, &err), SD_OK,
      "%s", err.text);
  sd_buf_free (&out);
  sd_buf_u8 (&text, 0);
  return (char *) text.data;
}

static void expect_warnings (const char *sql, const char *text) {
  char *is = warnings (sql);
  cr_expect_str_eq (is, text);
  free (is);
}

Test (runs, what_other_programs_did_meanwhile_counts_not_the_load_of_the_sweep) {
  fill_runs (2, "abc", 9, 50);
  expect_warnings (
      "UPDATE cell SET busy_cores = iif (run = 1, 0.1, 1.9)",
      "run 2: 2 rows were timed while other programs used up to 1.9 of 2 cores: these times may be too long");
}

Test (runs, what_other_programs_did_while_cells_were_coded_is_told) {
  fill_runs (2, "abc", 9, NAN); /* one worker leaves a core to others */
  expect_warnings (
      "UPDATE cell SET coding_busy_cores = CASE WHEN run = 1 THEN 1.4 WHEN side = 'w' THEN 1.9 END;"
      "UPDATE run SET jobs = id",
      "run 2: 1 rows were coded while other programs used up to 1.9 of 2 cores: speeds of encoding and "
      "decoding are CPU times, but may be too low");
}

Test (runs, the_load_is_told_of_rows_that_do_not_say_what_others_did) {
  fill_runs (1, "abc", 3, 50);
  expect_warnings (
      "UPDATE cell SET busy_cores = iif (side = 'w', NULL, 0.04)",
      "run 1: 1 rows were timed while the load of the machine was 3.0 with 2 cores: these times may be "
      "too long");
}

Test (runs, a_report_tells_runs_of_unknown_commits_apart) {
  fill_runs (1, "unknown", 0, NAN);
  expect_warnings ("SELECT 1", ""); /* one run is equal to itself */
  unlink (in_folder ("rows.db"));
  fill_runs (2, "unknown", 0, NAN);
  expect_warnings (
      "SELECT 1",
      "2 of 2 runs name no exact commit (unknown): the same program may have made their rows, or not");
}

Test (runs, a_row_without_its_run_is_refused) {
  sd_error err = { 0 };
  fill_store ();
  run_sql ("rows.db", "UPDATE cell SET run = 7 WHERE id = 3");
  cr_expect_eq (report (NULL, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "run 7") != NULL, "%s", err.text);
}

/* ------------------------------------------------------------ two stores */

/* rows.db, and another one with the same rows. */
static const char *equal_stores (void) {
  static char a[512];
  fill_store ();
  snprintf (a, sizeof a, "%s", in_folder ("a.db"));
  cr_assert_eq (rename (in_folder ("rows.db"), a), 0);
  fill_store ();
  return a;
}

Test (runs, two_stores_are_compared_cell_by_cell) {
  sd_error err = { 0 };
  sd_store_comparison found;
  const char *const a = equal_stores ();
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), NULL, in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  cr_expect (found.cells == 8 && found.differ == 0 && found.only[0] == 0 && found.only[1] == 0);
  char *md = read_file ("c/compare.md");
  cr_expect (strstr (md, "None: all 8 cells of both take the same number of bytes.") != NULL, "%s", md);
  free (md);
  /* one byte more, half the time, one cell less, one of its own */
  run_sql ("rows.db", "UPDATE cell SET bytes = bytes + 1, get_ns = get_ns / 2 WHERE id = 3;"
                      "DELETE FROM cell WHERE id = 8; UPDATE cell SET \"group\" = 'new' WHERE id = 7");
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), NULL, in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  cr_expect (found.cells == 6 && found.differ == 1 && found.only[0] == 2 && found.only[1] == 1);
  md = read_file ("c/compare.md");
  char *csv = read_file ("c/compare.csv"), *html = read_file ("c/compare.html");
  cr_expect (strstr (md, "KRk | 300 | 301 | 1.003 |") != NULL, "%s", md);
  cr_expect (strstr (md, "| bytes | 6 | 1.001 | 1.000 to 1.002 | B is larger | 0 | 1 | 1.003 | orders KRvK wdl w all repair KRk |") != NULL, "%s", md);
  cr_expect (strstr (md, "| one slot, median | 4 | 0.841 |") != NULL, "0.5 ^ (1/4): %s", md);
  cr_expect_eq (count (csv, "\n"), 7);
  cr_expect (strstr (csv, ",300,301,1.003333333,1.003333333,1.003333333,0.5,0.5,1,,,0.5,0.5,1,,,100,50,0.5,") != NULL, "%s", csv);
  cr_expect (strstr (html, "<table") != NULL);
  free (md);
  free (csv);
  free (html);
  cr_expect_eq (sd_report_compare (a, in_folder ("none.db"), NULL, in_folder ("c"), &found, &err), SD_ENOENT);
}

/* A ratio of times is known as far as the bounds of both are; a worst cell is named only where it is known to
 * be worse. */
Test (runs, times_that_cannot_be_told_apart_are_not) {
  sd_error err = { 0 };
  sd_store_comparison found;
  const char *const a = equal_stores ();
  run_sql ("a.db", "UPDATE cell SET get_low_ns = get_ns * 0.9, get_high_ns = get_ns * 1.1 WHERE get_ns > 0;"
                   "UPDATE cell SET encode_low_s = encode_s * 0.99, encode_high_s = encode_s * 1.01");
  run_sql ("rows.db", "UPDATE cell SET get_low_ns = get_ns * 0.9, get_high_ns = get_ns * 1.1 WHERE get_ns > 0;"
                      "UPDATE cell SET encode_s = encode_s * (2 + 0.01 * id);"
                      "UPDATE cell SET encode_low_s = encode_s * 0.99, encode_high_s = encode_s * 1.01");
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), NULL, in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  char *md = read_file ("c/compare.md");
  cr_expect (strstr (md, "| bytes | 8 | 1.000 | 1.000 to 1.000 | equal | 0 | 0 | - | - |") != NULL, "%s", md);
  cr_expect (strstr (md, "| one slot, median | 6 | 1.000 | 1.000 to 1.000 | not distinguishable | 0 | 0 | - | - |")
                 != NULL,
             "%s", md);
  cr_expect (strstr (md, "| B is larger | 0 | 8 | 2.080 |") != NULL, "%s", md);
  free (md);
}

/* Cells that differ in a key are paired when it is named; of several the smallest counts. */
Test (runs, cells_that_differ_in_a_key_are_compared_by_it) {
  sd_error err = { 0 };
  sd_store_comparison found;
  const char *const a = equal_stores ();
  run_sql ("rows.db", "UPDATE cell SET \"group\" = 'new', bytes = 2 * bytes");
  cr_expect_eq (sd_report_compare (a, in_folder ("rows.db"), NULL, in_folder ("c"), &found, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "--by") != NULL, "%s", err.text);
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), "group", in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  cr_expect (found.cells == found.differ && found.cells > 0 && found.only[0] == 0 && found.only[1] == 0);
  char *md = read_file ("c/compare.md"), *csv = read_file ("c/compare.csv");
  cr_expect (strstr (md, "| B is larger | 0 |") != NULL, "%s", md);
  cr_expect (strstr (csv, ",b_group,") != NULL, "%s", csv);
  free (md);
  free (csv);
  cr_expect_eq (sd_report_compare (a, in_folder ("rows.db"), "groop", in_folder ("c"), &found, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "\"groop\"") != NULL, "%s", err.text);
}

Test (runs, the_runs_behind_a_comparison_are_listed) {
  sd_error err = { 0 };
  sd_store_comparison found;
  const char *const a = equal_stores ();
  put ("run", "title", "x");
  run_sql ("rows.db", "UPDATE run SET \"commit\" = 'def', load = 7.5");
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), NULL, in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  char *md = read_file ("c/compare.md");
  cr_expect (strstr (md, "Warning: 2 commits: ") != NULL, "%s", md);
  cr_expect (strstr (md, "while the load of the machine was 7.5 with 2 cores") != NULL, "%s", md);
  cr_expect (strstr (md, "| 1 | 8 | 6 | 2026-11-22T09:34:50Z | abc |")
                 && strstr (md, "| 1 | 8 | 6 | 2026-11-22T09:34:50Z | def |"),
             "%s", md);
  free (md);
}
