/* The store of rows: what is written down about a run, cells that were not timed, stores of an older version,
 * names that SQLite reads in its own way. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"
#include <math.h>
#include <sys/wait.h>

TestSuite (store, .init = make_folder, .fini = remove_folder);

#define TWO_CELLS                                                                                            \
  "{ name = \"plain\"; tables = \"KRvK\"; side = \"w\"; codec = \"rle\"; },"                                 \
  " { name = \"timed\"; tables = \"KRvK\"; side = \"w\"; codec = \"store\"; latency = true; }"

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
  sd_row *row;
  size_t n;
  sd_buf csv = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_rows (s, &row, &n, &err), SD_OK, "%s", err.text);
  cr_assert_eq (n, 2);
  for (size_t i = 0; i < n; i++) {
    const bool timed = strcmp (row[i].group, "timed") == 0;
    cr_expect_eq (isnan (row[i].get_ns), !timed);
    cr_expect_eq (row[i].get_samples > 0, timed);
    cr_expect (isnan (row[i].probe_ns) && isnan (row[i].probe_p99_ns) && row[i].probe_samples == 0);
    cr_expect_eq (row[i].run, 1);
  }
  cr_assert_eq (sd_store_csv (s, &csv, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&csv, 0);
  cr_expect (strstr ((char *) csv.data, ",,,,,,") != NULL, "fields of what was not timed are empty");
  sd_buf_free (&csv);
  free (row);
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

/* ---------------------------------------------------------- older versions */

/* A store as version 1 of the tables made it. */
static void old_store (void) {
  ask (
      "CREATE TABLE run (id INTEGER PRIMARY KEY, started TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT "
      "NULL, \"commit\" TEXT NOT NULL, compiler TEXT NOT NULL, cpu TEXT NOT NULL, cores INTEGER NOT NULL,"
      " jobs INTEGER NOT NULL, seed INTEGER NOT NULL, sweep_file TEXT NOT NULL, sweep_hash TEXT NOT NULL,"
      " sweep TEXT NOT NULL)");
  ask (
      "CREATE TABLE cell (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, run INTEGER NOT NULL REFERENCES run "
      "(id), finished TEXT NOT NULL, \"group\" TEXT NOT NULL, \"table\" TEXT NOT NULL, \"metric\" TEXT NOT NULL,"
      " \"coding\" TEXT NOT NULL, \"side\" TEXT NOT NULL, \"freedom\" TEXT NOT NULL, \"order\" TEXT NOT NULL,"
      " \"numbering\" TEXT NOT NULL, \"codec\" TEXT NOT NULL, \"settings\" TEXT NOT NULL, \"block\" INTEGER NOT "
      "NULL, \"main\" INTEGER NOT NULL, \"threads\" INTEGER NOT NULL, \"slots\" INTEGER NOT NULL, \"positions\" "
      "INTEGER NOT NULL, \"free_slots\" INTEGER NOT NULL, \"bytes\" INTEGER NOT NULL, \"header_bytes\" INTEGER "
      "NOT NULL, \"model_bytes\" INTEGER NOT NULL, \"index_bytes\" INTEGER NOT NULL, \"payload_bytes\" INTEGER "
      "NOT NULL, \"blocks\" INTEGER NOT NULL, \"dictionary\" INTEGER NOT NULL, \"encode_s\" REAL NOT NULL,"
      " \"decode_s\" REAL NOT NULL, \"get_ns\" REAL NOT NULL, \"get_p99_ns\" REAL NOT NULL, \"get_samples\" "
      "INTEGER NOT NULL, \"probe_ns\" REAL NOT NULL, \"probe_p99_ns\" REAL NOT NULL, \"probe_samples\" INTEGER "
      "NOT NULL)");
  ask (
      "INSERT INTO run VALUES (1, '2026-11-20T00:00:00Z', 'old', 'subdef 0', 'abc', 'gcc 1 -O2', 'cpu', 2, 2, 1,"
      " 'x.conf', '0123456789abcdef', 'groups')");
  ask (
      "INSERT INTO cell VALUES (1, 'plain/KRvK/wdl/wdl/w/all/KRk/rows/store/initial=none', 1, "
      "'2026-11-20T00:00:01Z', 'plain', 'KRvK', 'wdl', 'wdl', 'w', 'all', 'KRk', 'rows', 'store', 'initial=none',"
      " 0, 3, 2, 40960, 1, 2, 77, 0, 0, 0, 77, 0, 0, 0.5, 0.25, 0, 0, 0, 0, 0, 0)");
  ask (
      "INSERT INTO cell SELECT 2, 'timed' || substr (key, 6), run, finished, 'timed', \"table\", metric, coding, "
      "side, freedom, \"order\", numbering, codec, settings, block, main, threads, slots, positions, free_slots, "
      "bytes, header_bytes, model_bytes, index_bytes, payload_bytes, blocks, dictionary, encode_s, decode_s, 3.5, "
      "0, 50, 0, 0, 0 FROM cell");
  ask ("PRAGMA application_id = 1396986711");
  ask ("PRAGMA user_version = 1");
}

Test (store, a_store_of_version_1_is_brought_up_to_date) {
  sd_store *s;
  sd_row *row;
  sd_provenance *runs;
  size_t n, nruns;
  sd_error err = { 0 };
  old_store ();
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_rows (s, &row, &n, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_runs (s, &runs, &nruns, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_assert_eq (n, 2);
  cr_expect_eq (row[0].bytes, 77);
  cr_expect_eq (row[0].encode_s, 0.5);
  cr_expect (isnan (row[0].get_ns) && isnan (row[1].get_p99_ns), "0 meant: not timed");
  cr_expect_eq (row[1].get_ns, 3.5);
  cr_expect_eq (row[1].get_samples, 50);
  cr_assert_eq (nruns, 1);
  cr_expect_str_eq (runs[0].commit, "abc");
  cr_expect_str_eq (runs[0].sweep, "groups");
  cr_expect_str_eq (runs[0].flags, "");
  cr_expect (isnan (runs[0].load) && runs[0].memory_bytes == 0);
  cr_expect_eq (ask ("PRAGMA user_version"), 2, "the file itself was changed");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_ns IS NULL"), 1);
  sd_provenances_free (runs, nruns);
  free (row);
}

/* A database that the program made before there were the columns sides and busy_cores, as text. */
static void real_old_store (void) {
  const char *source = getenv ("SD_SRCDIR");
  char path[512], *why = NULL;
  sd_map map;
  sqlite3 *db;
  snprintf (path, sizeof path, "%s/tests/experiments/store-2.sql", source ? source : ".");
  cr_assert_eq (sd_map_open (path, &map, NULL), SD_OK, "%s", path);
  char *sql = strndup ((const char *) map.data, map.len);
  sd_map_close (&map);
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (db, sql, NULL, NULL, &why), SQLITE_OK, "%s", why);
  sqlite3_close (db);
  free (sql);
}

#define HAS_COLUMN "SELECT count (*) FROM pragma_table_info ('cell') WHERE name IN ('sides', 'busy_cores')"

Test (store, a_store_gets_the_columns_that_it_lacks) {
  sd_store *s;
  sd_row *row;
  size_t n;
  sd_error err = { 0 };
  real_old_store ();
  cr_assert_eq (ask (HAS_COLUMN), 0);
  cr_assert_eq (sd_store_peek (in_folder ("rows.db"), &s, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_expect_eq (ask (HAS_COLUMN), 0, "to look at it changes nothing");
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_rows (s, &row, &n, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_expect_eq (ask (HAS_COLUMN), 2);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE sides IS NULL AND busy_cores IS NULL"), 5);
  cr_assert_eq (n, 5);
  for (size_t i = 0; i < n; i++)
    cr_expect (*row[i].sides == '\0' && isnan (row[i].busy_cores) && row[i].bytes > 0);
  free (row);
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_OK, "%s",
                err.text);
}

Test (store, a_sweep_goes_on_in_a_store_that_lacked_columns) {
  generate ("KRvK");
  real_old_store ();
  run (
      "groups = ( { name = \"plain\"; tables = \"KRvK\"; subdefinite = \"off\"; codec = { name = \"lzma\"; block = 16384; }; },"
      " { name = \"white\"; tables = \"KRvK\"; sides = [\"white\", \"joint\"]; codec = \"store\"; } );");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 6, "only the joint stream was not there");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE run = 2 AND sides = 'joint' AND side = 'wb'"), 1);
}

/* A program of the state before opens what this one has written: what it does not know stays NULL. */
Test (store, what_older_programs_write_is_read) {
  sd_store *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &s, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_expect_eq (
      ask (
          "SELECT count (*) FROM pragma_table_info ('cell') WHERE \"notnull\" AND dflt_value IS NULL AND name NOT IN"
          " ('key', 'run', 'finished')"),
      0, "every column may be left out");
}

Test (store, an_old_store_that_cannot_be_written_can_be_read) {
  sd_store *s;
  sd_row *row;
  size_t n;
  sd_error err = { 0 };
  old_store ();
  cr_assert_eq (chmod (in_folder ("rows.db"), 0444), 0);
  cr_assert_eq (chmod (folder, 0755), 0);
  if (geteuid () == 0)
    cr_assert_eq (seteuid (65534), 0); /* root may write everything */
  FILE *f = fopen (in_folder ("rows.db"), "r");
  if (!f) {
    cr_expect_eq (seteuid (getuid ()), 0);
    cr_skip_test ("that user may not read the folder of the test");
  }
  fclose (f);
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_rows (s, &row, &n, &err), SD_OK, "%s", err.text);
  cr_expect_eq (n, 2);
  cr_expect (isnan (row[0].get_ns));
  free (row);
  sd_store_close (s);
  cr_expect_eq (seteuid (getuid ()), 0); /* to remove the folder */
}

Test (store, a_dry_run_leaves_an_old_store_as_it_is) {
  sd_error err = { 0 };
  generate ("KRvK");
  old_store ();
  const char *conf =
      write_file ("one.conf", "groups = ( { name = \"plain\"; tables = \"KRvK\"; side = \"w\"; codec = "
                              "\"store\"; } );");
  sd_sweep_options opt = { .tables = folder, .dry_run = true };
  cr_expect_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  cr_expect_eq (ask ("PRAGMA user_version"), 1);
  cr_expect_eq (ask ("SELECT count (*) FROM sqlite_master WHERE type = 'table'"), 2);
}

Test (store, a_store_of_a_newer_version_is_refused) {
  sd_store *s;
  sd_error err = { 0 };
  old_store ();
  ask ("PRAGMA user_version = 77");
  cr_expect_eq (sd_store_open (in_folder ("rows.db"), true, &s, &err), SD_EVERSION);
  cr_expect (strstr (err.text, "newer subdef: version 77 of the tables") != NULL, "%s", err.text);
}

/* ----------------------------------------------------------------- names */

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

Test (store, a_report_tells_runs_of_unknown_commits_apart) {
  sd_provenance run[2] = { { .id = 1, .commit = "unknown" }, { .id = 2, .commit = "unknown" } };
  const sd_rowsums none = { 0 };
  sd_buf text = { 0 };
  sd_runs_warn (&none, run, 1, &text);
  cr_expect_eq (text.len, 0, "one run is equal to itself");
  sd_runs_warn (&none, run, 2, &text);
  sd_buf_u8 (&text, 0);
  cr_expect_str_eq (
      (char *) text.data,
      "2 of 2 runs name no exact commit (unknown): the same program may have made their rows, or not");
  sd_buf_free (&text);
}

/* ---------------------------------------------------------------- claims */

static sd_store *open_store (void) {
  sd_store *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_join (s, &err), SD_OK, "%s", err.text);
  return s;
}

static enum sd_claim claim (sd_store *s, const char *key) {
  enum sd_claim c;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_claim (s, key, (sd_times){ 0 }, &c, &err), SD_OK, "%s", err.text);
  return c;
}

Test (store, a_cell_is_claimed_once) {
  sd_store *a = open_store (), *b = open_store ();
  sd_provenance run = { .sweep = (char[]){ "" }, .tables = (char[]){ "" } };
  const sd_row row = { .bytes = 5 }, other = { .bytes = 6 };
  unsigned n;
  char who[200];
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_TAKEN);
  cr_expect_eq (claim (b, "y"), SD_CLAIM_MINE);
  cr_assert_eq (sd_store_others (a, &n, who, sizeof who, NULL), SD_OK);
  cr_expect_eq (n, 1);
  cr_expect (strncmp (who, "process ", 8) == 0, "%s", who);
  cr_assert_eq (sd_store_run (a, &run, NULL), SD_OK);
  cr_assert_eq (sd_store_insert (a, "x", &row, NULL), SD_OK);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_DONE);
  cr_assert_eq (sd_store_insert (b, "x", &other, NULL), SD_OK, "too late, and no failure");
  cr_expect_eq (ask ("SELECT bytes FROM cell WHERE key = 'x'"), 5, "the first row stays");
  sd_store_close (b);
  cr_expect_eq (claim (a, "y"), SD_CLAIM_MINE, "who leaves gives back what he had claimed");
  sd_store_close (a);
  cr_expect_eq (ask ("SELECT (SELECT count (*) FROM worker) + (SELECT count (*) FROM claim)"), 0);
}

Test (store, keys_of_all_rows_answer_as_the_store_does) {
  sd_store *s;
  sd_store_keys *k;
  sd_error err = { 0 };
  generate ("KRvK");
  run ("groups = ( " TWO_CELLS
       ", { name = \"more\"; tables = \"KRvK\"; order = \"all\"; codec = \"store\"; } );");
  sd_sweep *sweep;
  cr_assert_eq (sd_sweep_read (in_folder ("sweep.conf"), &sweep, &err), SD_OK);
  ask ("DELETE FROM cell WHERE \"group\" = 'timed' OR id % 3 = 0");
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_keys_read (s, &k, &err), SD_OK, "%s", err.text);
  size_t there = 0, twins = 0;
  for (size_t i = 0; i < sweep->ncells; i++)
    for (unsigned times = 0; times < 3; times++) {
      const sd_times t = { times > 0, times > 1 };
      char key[SD_KEY_TEXT];
      bool has;
      sd_cell_text (&sweep->cell[i], '/', key, sizeof key);
      cr_assert_eq (sd_store_has (s, key, t, &has, &err), SD_OK, "%s", err.text);
      cr_expect_eq (sd_store_keys_has (k, key, t), has, "%s", key);
      cr_expect (!has || sd_store_keys_twin (k, &sweep->cell[i].name, t), "%s", key);
      there += has;
      twins += !has && sd_store_keys_twin (k, &sweep->cell[i].name, t);
    }
  cr_expect_gt (there, 6);
  cr_expect_gt (twins, 0, "the timed cell is one of all orders");
  sd_store_keys_free (k);
  sd_store_close (s);
  sd_sweep_free (sweep);
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
    sd_row *row = NULL;
    size_t n;
    sd_error err = { 0 };
    unlink (in_folder ("rows.db"));
    run ("groups = ( " TWO_CELLS " );");
    ask (bad[i].change);
    cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
    cr_expect_eq (sd_store_rows (s, &row, &n, &err), *bad[i].says ? SD_EFORMAT : SD_OK, "%zu", i);
    cr_expect (strstr (err.text, bad[i].says) != NULL, "%s", err.text);
    free (row);
    sd_store_close (s);
  }
}

Test (store, what_a_dead_process_had_claimed_is_free) {
  sd_store *a = open_store (), *b = open_store ();
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  ask ("UPDATE worker SET born = 1 WHERE id = 1"); /* the number is that of a younger process */
  cr_expect_eq (claim (b, "x"), SD_CLAIM_MINE);
  cr_expect_eq (claim (b, "y"), SD_CLAIM_MINE);
  ask ("UPDATE worker SET pid = 2147483646 WHERE id = 2");
  cr_expect_eq (claim (a, "y"), SD_CLAIM_MINE);
  sd_store_close (a);
  sd_store_close (b);
}

Test (store, a_worker_elsewhere_lives_while_it_has_not_been_silent_for_long) {
  sd_store *a = open_store (), *b = open_store ();
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  ask ("UPDATE worker SET place = 'moon', pid = 2147483646, born = 1 WHERE id = 1");
  cr_expect_eq (claim (b, "x"), SD_CLAIM_TAKEN);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_TAKEN);
  sd_store_close (b);
  sd_store_close (a);
}

Test (store, a_process_that_was_killed_and_not_waited_for_is_dead) {
  sd_store *a = open_store (), *b = open_store ();
  char sql[100];
  const pid_t child = fork ();
  if (child == 0)
    _exit (0);
  siginfo_t info;
  cr_assert_eq (waitid (P_PID, (id_t) child, &info, WEXITED | WNOWAIT), 0); /* it stays a zombie */
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  snprintf (sql, sizeof sql, "UPDATE worker SET born = 0, pid = %d WHERE id = 1", (int) child);
  ask (sql);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_MINE);
  waitpid (child, NULL, 0);
  sd_store_close (a);
  sd_store_close (b);
}

Test (store, the_dead_are_not_counted_and_leave) {
  sd_store *a = open_store ();
  unsigned n;
  char who[200];
  ask (
      "INSERT INTO worker (place, host, pid, born, started) WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1"
      " FROM k WHERE i < 70) SELECT place, host, 2147483646, 1, started FROM k, worker");
  ask (
      "INSERT INTO worker (place, host, pid, born, started) WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1"
      " FROM k WHERE i < 70) SELECT 'moon', 'moon', i, 1, '2020-01-01T00:00:00Z' FROM k");
  cr_assert_eq (sd_store_others (a, &n, who, sizeof who, NULL), SD_OK);
  cr_expect_eq (n, 0, "%u", n);
  cr_expect_eq (ask ("SELECT count (*) FROM worker WHERE place <> 'moon'"), 1,
                "only this one is left of those here");
  cr_expect_eq (ask ("SELECT count (*) FROM worker"), 71, "who is elsewhere is watched first");
  ask ("UPDATE worker SET beat = beat + 1 WHERE host = 'moon' AND pid = 70");
  ask ("UPDATE worker SET started = strftime ('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE host = 'moon' AND pid = 1");
  cr_assert_eq (sd_store_others (a, &n, who, sizeof who, NULL), SD_OK);
  cr_expect_eq (n, 2, "one began just now, the beat of another was seen to move: %u", n);
  sd_store_close (a);
}

Test (store, who_was_held_for_dead_joins_again) {
  sd_store *a = open_store ();
  ask ("DELETE FROM worker");
  cr_assert_eq (sd_store_beat (a, NULL), SD_OK);
  cr_expect_eq (ask ("SELECT count (*) FROM worker"), 1);
  sd_store_close (a);
  cr_expect_eq (ask ("SELECT count (*) FROM worker"), 0);
}

/* ------------------------------------------------------------------- time left */

Test (store, the_time_left_is_learnt_from_rows) {
  const sd_codec *repair = sd_codec_find ("repair"), *lzma = sd_codec_find ("lzma");
  sd_cell quick = { .codec = lzma, .name.settings = "block=1024", .metric = SD_WDL },
          slow = { .codec = repair, .name.settings = "block=128", .metric = SD_DTM },
          like = { .codec = repair, .name.settings = "block=64", .metric = SD_DTM };
  sd_costs c = { .jobs = 1 };
  const size_t q = sd_costs_class (&c, &quick), s = sd_costs_class (&c, &slow),
               l = sd_costs_class (&c, &like);
  cr_expect_eq (sd_costs_class (&c, &slow), s);
  sd_costs_learn (&c, q, 1000, 1);
  sd_costs_learn (&c, s, 1000, 50);
  cr_expect_float_eq (sd_costs_of (&c, q, 3000), 3, 1e-9);
  cr_expect_float_eq (sd_costs_of (&c, l, 3000), 150, 1e-9, "as its nearest relative");
  /* nine quick cells are done, a slow one is left: the count of cells would say a ninth of the time so far */
  c.at[s].left = 1000;
  c.done = 9;
  cr_expect_float_eq (sd_costs_left (&c, 0, 9), 50, 1, "%g", sd_costs_left (&c, 0, 9));
  cr_expect_float_eq (sd_costs_left (&c, 30, 39), 20, 1, "half of it is done: %g",
                      sd_costs_left (&c, 30, 39));
  c.done = 900; /* at half the pace of the rows */
  cr_expect_float_eq (sd_costs_left (&c, 0, 1800), 100, 2, "%g", sd_costs_left (&c, 0, 1800));
  sd_costs_free (&c);
}

/* Four workers share what is computed, and rest while one cell is timed. */
Test (store, timing_is_not_shared_by_the_workers) {
  sd_cell cell = { .codec = sd_codec_find ("repair"), .name.settings = "block=128", .metric = SD_DTM };
  sd_costs c = { .jobs = 4 };
  const size_t k = sd_costs_class (&c, &cell);
  sd_costs_learn (&c, k, 1000, 50);
  c.at[k].left = 800;
  c.at[k].timings = 30;
  cr_expect_float_eq (sd_costs_left (&c, 0, 0), 40. / 4 + 30, 0.1, "%g", sd_costs_left (&c, 0, 0));
  c.done = 400; /* 100 s of the clock, and 60 of timing, which was to take 30 */
  c.timed = 60;
  c.timings_done = 30;
  cr_expect_float_eq (sd_costs_left (&c, 0, 160), 40. / 4 + 60, 4, "%g", sd_costs_left (&c, 0, 160));
  c.at[k].left = c.at[k].timings = 0;
  char text[32];
  snprintf (text, sizeof text, "%.0f", sd_costs_left (&c, 0, 0));
  cr_expect_str_eq (text, "0", "not -0");
  sd_costs_free (&c);
}

/* The system counts hundredths of a second. */
Test (store, cores_of_others_are_never_more_than_there_are_nor_counted_in_a_moment) {
  const double cores = (double) sysconf (_SC_NPROCESSORS_ONLN);
  sd_busy_clock c;
  sd_busy_start (&c);
  if (c.all < 0)
    cr_skip_test ("the system does not tell");
  c.at -= SD_BUSY_LEAST_S / 2;
  c.all -= 100;
  cr_expect (isnan (sd_busy_cores (&c)), "%g", sd_busy_cores (&c));
  c.at -= SD_BUSY_LEAST_S;
  cr_expect_eq (sd_busy_cores (&c), cores);
  c.at -= 1000;
  const double few = sd_busy_cores (&c); /* 100 s of 1000 */
  cr_expect (few > 0.09 && few < 0.2, "%g", few);
}

/* ------------------------------------------------- settings without effect */

static sd_buf coded (const sd_codec *codec, const sd_seq *seq, const sd_settings *set) {
  sd_buf out = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_codec_encode (codec, seq, set, NULL, &out, &err), SD_OK, "%s: %s", codec->name, err.text);
  return out;
}

/* A value of a tunable that is not its default. */
static void other_value (const sd_tunable *t, char *out, size_t cap) {
  if (t->min <= t->max)
    snprintf (out, cap, "%ld", strtol (t->deflt, NULL, 10) == t->min ? t->min + 3 : t->min);
  else
    for (const char *w = t->words; *w; w += strcspn (w, "|"), w += *w == '|') {
      snprintf (out, cap, "%.*s", (int) strcspn (w, "|"), w);
      if (strcmp (out, t->deflt) != 0)
        return;
    }
}

static void check_overrule (const sd_codec *codec, const sd_overrule *o, const sd_seq *seq) {
  char text[100], value[64];
  sd_settings set;
  sd_error err = { 0 };
  snprintf (text, sizeof text, "%s=%s", o->key,
            o->unless ? "pieces" : o->word); /* the one `unless` is an order */
  cr_assert_eq (sd_settings_parse (codec, text, &set, &err), SD_OK, "%s", err.text);
  sd_buf plain = coded (codec, seq, &set);
  for (const char *const *idle = o->idle; *idle; idle++) {
    char both[200];
    sd_settings varied = set;
    for (const sd_tunable *t = codec->tunables; t->key; t++)
      if (strcmp (t->key, *idle) == 0)
        other_value (t, value, sizeof value);
    snprintf (both, sizeof both, "%s,%s=%s", text, *idle, value);
    cr_expect_eq (sd_settings_parse (codec, both, &varied, &err), SD_EINVAL, "%s", both);
    cr_expect (strstr (err.text, "no effect") != NULL, "%s", err.text);
    cr_assert_eq (sd_settings_read (codec, both, &varied, &err), SD_OK, "%s", err.text);
    sd_buf same = coded (codec, seq, &varied);
    cr_expect (same.len == plain.len && memcmp (same.data, plain.data, same.len) == 0, "%s has an effect",
               both);
    sd_buf_free (&same);
  }
  sd_buf_free (&plain);
}

Test (store, settings_that_are_refused_have_no_effect) {
  sd_exacts *all;
  sd_material m;
  const sd_exact *e;
  sd_subdefined *d;
  sd_error err = { 0 };
  size_t n, rules = 0;
  const sd_codec *const *codec = sd_codec_all (&n);
  generate ("KPvK");
  cr_assert_eq (sd_exacts_new (folder, &all, &err), SD_OK);
  cr_assert_eq (sd_material_parse ("KPvK", &m, &err), SD_OK);
  cr_assert_eq (sd_exacts_need (all, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_exacts_get (all, &m, &e, &err), SD_OK, "%s", err.text);
  for (unsigned metric = 0; metric < 2; metric++) {
    cr_assert_eq (
        sd_subdefine (all, e,
                      &(sd_stored){ metric, metric ? SD_CODING_MOVES : SD_CODING_WDL, SD_FREE_ALL, 0 }, NULL,
                      &d, &err),
        SD_OK, "%s", err.text);
    for (size_t i = 0; i < n; i++)
      for (const sd_overrule *o = codec[i]->overrules; o && o->key; o++, rules++)
        check_overrule (codec[i], o, &d->seq);
    sd_subdefined_free (d);
  }
  cr_expect_geq (rules, 2 * 6);
  sd_exacts_free (all);
}
