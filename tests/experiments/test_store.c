/* The store of rows: what is written down about a run, cells that were not timed, rows of other runs, names
 * that SQLite reads in its own way. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"
#include <math.h>

TestSuite (store, .init = make_folder, .fini = remove_folder);

Test (store, a_run_says_what_it_was_made_with) {
  generate ("KRvK");
  sd_error err = { 0 };
  const char *conf = write_file ("sweep.conf", "groups = ( " TWO_CELLS " );");
  sd_sweep_options opt = { .tables = folder, .command = "subdef sweep 'my sweep.conf' -o rows.db" };
  cr_assert_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM run WHERE flags LIKE '%-Wall%' AND flags LIKE '%-std=gnu11%'"), 1,
                "the project's own flags are part of them, and so is -march=native, which stands there");
  cr_expect_eq (ask ("SELECT count (*) FROM run WHERE compiler LIKE '% -%'"), 0, "flags have a column");
  cr_expect_eq (ask ("SELECT count (*) FROM run WHERE host <> '' AND kernel LIKE '% % %' AND load >= 0"), 1);
  cr_expect_eq (ask ("SELECT memory_bytes > 1000000 FROM run"), 1);
  cr_expect_eq (ask ("SELECT count (*) FROM run WHERE command = 'subdef sweep ''my sweep.conf'' -o rows.db'"),
                1);
  cr_expect_eq (
      ask ("SELECT count (*) FROM run WHERE libraries LIKE '%liblzma %.%' AND libraries LIKE '%GSL %'"
           " AND libraries LIKE '%SQLite 3.%'"),
      1);
}

Test (store, flags_are_those_of_the_make_file) {
  const char *build = getenv ("SD_BUILDDIR");
  char path[512], line[4096], flags[4096] = "";
  if (!build)
    cr_skip_test ("SD_BUILDDIR is not set");
  snprintf (path, sizeof path, "%s/Makefile", build);
  FILE *f = fopen (path, "r");
  while (f && fgets (line, sizeof line, f))
    if (strncmp (line, "SD_CFLAGS = ", 12) == 0)
      snprintf (flags, sizeof flags, "%.*s", (int) strcspn (line + 12, "\n"), line + 12);
  if (f)
    fclose (f);
  cr_assert (*flags);
  sd_sweep s = { .path = (char[]){ "x.conf" }, .text = (char[]){ "" } };
  sd_provenance run;
  cr_assert_eq (sd_run_here (&s, 1, NULL, &run, NULL), SD_OK);
  while (*flags && flags[strlen (flags) - 1] == ' ')
    flags[strlen (flags) - 1] = '\0';
  cr_expect (strstr (run.flags, flags) != NULL, "\"%s\" is not in \"%s\"", flags, run.flags);
  sd_provenance_clear (&run);
}

Test (store, a_run_names_each_table_with_its_checksum) {
  generate ("KPvK");
  run ("groups = ( { name = \"one\"; tables = \"KPvK\"; side = \"w\"; codec = \"store\"; } );");
  static const char *const files[] = { "KPvK.dtm.sdt", "KQvK.dtm.sdt", "KRvK.dtm.sdt" };
  for (unsigned i = 0; i < 3; i++) {
    sd_map map;
    char sql[300];
    cr_assert_eq (sd_map_open (in_folder (files[i]), &map, NULL), SD_OK);
    snprintf (sql, sizeof sql, "SELECT count (*) FROM run WHERE tables LIKE '%%%s %016llx%%'", files[i],
              (unsigned long long) sd_hash64 (map.data, map.len));
    cr_expect_eq (ask (sql), 1, "%s", sql);
    sd_map_close (&map);
  }
}

Test (store, what_was_not_timed_is_null) {
  generate ("KRvK");
  run ("groups = ( " TWO_CELLS " );");
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE \"group\" = 'plain' AND get_ns IS NULL AND get_p99_ns IS "
           "NULL AND get_samples IS NULL AND probe_ns IS NULL AND probe_samples IS NULL"),
      1);
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE \"group\" = 'timed' AND get_ns > 0 AND get_samples > 0 AND "
           "probe_ns IS NULL AND probe_p99_ns IS NULL"),
      1);
  sd_store *s;
  sd_buf csv = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_csv (s, &csv, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&csv, 0);
  cr_expect (strstr ((char *) csv.data, ",,,,,,") != NULL, "fields of what was not timed are empty");
  sd_buf_free (&csv);
  sd_store_close (s);
}

#define ONE_CELL(times)                                                                                      \
  "groups = ( { name = \"one\"; tables = \"KRvK\"; side = \"w\"; codec = \"store\"; " times " } );"

Test (store, a_row_without_times_that_are_asked_for_is_computed_anew) {
  generate ("KRvK");
  run (ONE_CELL (""));
  run (ONE_CELL ("latency = true;"));
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_ns > 0 AND probe_ns IS NULL AND run = 2"), 1);
  run (ONE_CELL ("latency = true; probe = true;"));
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_ns > 0 AND probe_ns > 0 AND run = 3"), 1);
  run (ONE_CELL ("latency = true;"));
  run (ONE_CELL (""));
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_ns > 0 AND probe_ns > 0 AND run = 3"), 1,
                "times that nobody asks for are no reason");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 1);
}

Test (store, rows_that_would_count_twice_or_cannot_be_are_refused) {
  static const struct {
    const char *change, *says;
  } bad[] = {
    { "SELECT 1", "" },
    { "UPDATE cell SET \"group\" = (SELECT \"group\" FROM cell WHERE id = 1), codec = (SELECT codec FROM cell WHERE id = 1), settings = (SELECT settings"
      " FROM cell WHERE id = 1) WHERE id = 2",
      "row 2: column key: row 1 is of the same cell" },
    { "UPDATE cell SET sides = 'joint' WHERE id = 2",
      "row 2: column side: \"w\": is no side of such a table" },
    { "UPDATE cell SET side = 'wb' WHERE id = 2", "row 2: column side: \"wb\": is no side of such a table" },
  };
  generate ("KRvK");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_store *s;
    uint64_t n;
    sd_error err = { 0 };
    unlink (in_folder ("rows.db"));
    run ("groups = ( " TWO_CELLS " );");
    ask (bad[i].change);
    cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
    cr_expect_eq (sd_store_check (s, &n, &err), *bad[i].says ? SD_EFORMAT : SD_OK, "%zu", i);
    cr_expect (strstr (err.text, bad[i].says) != NULL, "%s", err.text);
    sd_store_close (s);
  }
}

Test (store, names_that_sqlite_treats_specially_are_names_of_files) {
  static const char *const names[] = { ":memory:", "file:x?mode=memory", "file::memory:", "%41.db" };
  sd_store *s;
  sd_error err = { 0 };
  cr_assert_eq (chdir (folder), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cr_assert_eq (sd_store_open (names[i], true, &s, &err), SD_OK, "%s: %s", names[i], err.text);
    sd_store_close (s);
    cr_expect (sd_file_exists (names[i]), "%s", names[i]);
  }
  cr_expect_eq (sd_store_open ("", true, &s, &err), SD_EINVAL);
}

/* ------------------------------------------------- rows of something else */

static char said[2000];

static void hear (void *ctx, const char *text) {
  (void) ctx;
  snprintf (said + strlen (said), sizeof said - strlen (said), "%s\n", text);
}

static sd_sweep_outcome again (const char *conf, bool redo) {
  sd_error err = { 0 };
  sd_sweep_outcome outcome;
  said[0] = '\0';
  sd_sweep_options opt = { .tables = folder, .notice = hear, .outcome = &outcome, .redo_stale = redo };
  cr_assert_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  return outcome;
}

static const char *commit_here (void) {
  static char commit[64];
  sd_sweep s = { .path = (char[]){ "x.conf" }, .text = (char[]){ "" } };
  sd_provenance run;
  cr_assert_eq (sd_run_here (&s, 1, NULL, &run, NULL), SD_OK);
  snprintf (commit, sizeof commit, "%s", run.commit);
  sd_provenance_clear (&run);
  return commit;
}

Test (store, rows_of_another_commit_are_told_and_computed_anew_if_asked) {
  generate ("KRvK");
  char conf[512];
  snprintf (conf, sizeof conf, "%s", write_file ("two.conf", "groups = ( " TWO_CELLS " );"));
  sd_sweep_outcome o = again (conf, false);
  cr_expect (o.cells == 2 && o.computed == 2 && o.there == 0 && o.failed == 0);
  cr_expect_str_eq (said, "");
  ask ("UPDATE run SET \"commit\" = 'older', host = 'elsewhere'");
  ask ("UPDATE cell SET bytes = 1");
  o = again (conf, false);
  cr_expect (o.computed == 0 && o.there == 2);
  cr_expect (
      strstr (said,
              "2 rows of this store were computed by another commit, another host: commit older (this is ")
          != NULL,
      "%s", said);
  cr_expect (strstr (said, "--redo-stale") != NULL);
  cr_expect_eq (ask ("SELECT sum (bytes) FROM cell"), 2, "nothing was computed");
  o = again (conf, true);
  cr_expect (o.computed == 2 && o.there == 0, "%d %d", (int) o.computed, (int) o.there);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE bytes > 1 AND run = 2"), 2,
                "the old rows were replaced");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 2);
  if (!sd_commit_is_exact (commit_here ()))
    return; /* every run of such a build differs from all others */
  o = again (conf, true);
  cr_expect (o.computed == 0 && o.there == 2 && !*said, "what is new stays: %s", said);
}

/* What two runs that are told apart say of each other. */
static sd_stale compare_runs (const char *change, const char *commit_here) {
  sd_store *s;
  sd_stale stale;
  sd_error err = { 0 };
  sd_sweep text = { .path = (char[]){ "x.conf" }, .text = (char[]){ "" } };
  sd_provenance here;
  const sd_row row = { .bytes = 5 };
  unlink (in_folder ("rows.db"));
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_run_here (&text, 1, NULL, &here, NULL), SD_OK);
  snprintf (here.commit, sizeof here.commit, "%s", commit_here);
  cr_assert_eq (sd_store_run (s, &here, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_insert (s, "x", &row, &err), SD_OK, "%s", err.text);
  ask (change);
  cr_assert_eq (sd_store_compare (s, &here, false, &stale, &err), SD_OK, "%s", err.text);
  sd_provenance_clear (&here);
  sd_store_close (s);
  return stale;
}

static bool differs (const sd_stale *s, const char *what) {
  for (unsigned k = 0; k < SD_IDENTITIES; k++)
    if (strcmp (sd_identities[k].one, what) == 0)
      return s->differs[k];
  cr_assert_fail ("%s", what);
  return false;
}

Test (store, versions_libraries_and_commits_that_may_be_any_are_compared) {
  cr_expect_eq (compare_runs ("SELECT 1", "abc").rows, 0);
  sd_stale s = compare_runs ("UPDATE run SET version = 'subdef 0'", "abc");
  cr_expect (s.rows == 1 && differs (&s, "version") && !differs (&s, "set of libraries")
                 && !differs (&s, "commit"),
             "%s", s.example);
  s = compare_runs ("UPDATE run SET libraries = 'GSL 0'", "abc");
  cr_expect (s.rows == 1 && differs (&s, "set of libraries") && !differs (&s, "version")
                 && !differs (&s, "commit"),
             "%s", s.example);
  s = compare_runs ("SELECT 1", "unknown");
  cr_expect (s.rows == 1 && differs (&s, "commit"), "%s", s.example);
  s = compare_runs ("SELECT 1", "abc-dirty");
  cr_expect (s.rows == 1 && differs (&s, "commit") && !differs (&s, "version"), "%s", s.example);
  cr_expect_str_eq (s.example, "commit abc-dirty (this is abc-dirty)");
}
