/* Stores of older versions of the program, and of newer ones. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"
#include <math.h>
#include <sys/stat.h>

TestSuite (store_old, .init = make_folder, .fini = remove_folder);

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

Test (store_old, a_store_of_version_1_is_brought_up_to_date) {
  sd_store *s;
  sd_provenance *runs;
  size_t nruns;
  uint64_t n;
  sd_error err = { 0 };
  old_store ();
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_check (s, &n, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_runs (s, &runs, &nruns, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_assert_eq (n, 2);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE bytes = 77 AND encode_s = 0.5 AND get_ns IS NULL"), 1);
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE get_ns = 3.5 AND get_samples = 50 AND get_p99_ns IS NULL"), 1,
      "0 meant: not timed");
  cr_assert_eq (nruns, 1);
  cr_expect_str_eq (runs[0].commit, "abc");
  cr_expect_str_eq (runs[0].sweep, "groups");
  cr_expect_str_eq (runs[0].flags, "");
  cr_expect (isnan (runs[0].load) && runs[0].memory_bytes == 0);
  cr_expect_eq (ask ("PRAGMA user_version"), 3, "the file itself was changed");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_ns IS NULL"), 1);
  sd_provenances_free (runs, nruns);
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

Test (store_old, a_store_gets_the_columns_that_it_lacks) {
  sd_store *s;
  uint64_t n;
  sd_error err = { 0 };
  real_old_store ();
  cr_assert_eq (ask (HAS_COLUMN), 0);
  cr_assert_eq (sd_store_peek (in_folder ("rows.db"), &s, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_expect_eq (ask (HAS_COLUMN), 0, "to look at it changes nothing");
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_check (s, &n, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_expect_eq (ask (HAS_COLUMN), 2);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE sides IS NULL AND busy_cores IS NULL"), 5);
  cr_assert_eq (n, 5);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE bytes > 0"), 5);
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_OK, "%s",
                err.text);
}

Test (store_old, a_sweep_goes_on_in_a_store_that_lacked_columns) {
  generate ("KRvK");
  real_old_store ();
  run (
      "groups = ( { name = \"plain\"; tables = \"KRvK\"; subdefinite = \"off\"; codec = { name = \"lzma\"; block = 16384; }; },"
      " { name = \"white\"; tables = \"KRvK\"; sides = [\"white\", \"joint\"]; codec = \"store\"; } );");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 6, "only the joint stream was not there");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE run = 2 AND sides = 'joint' AND side = 'wb'"), 1);
}

/* Up to version 2 a row of an array had the side w, also in its key; of an ending that is White's. */
Test (store_old, arrays_lose_the_side_that_they_do_not_have) {
  sd_store *s;
  uint64_t n;
  sd_error err = { 0 };
  real_old_store ();
  ask ("UPDATE cell SET metric = 'array', \"table\" = 'd/x.sda', coding = '', \"order\" = '', numbering = '',"
       " key = 'plain/d/x.sda/array//w/all///store/' WHERE id = 1");
  ask ("CREATE TABLE failure (key TEXT PRIMARY KEY, finished TEXT NOT NULL, error TEXT NOT NULL)");
  ask ("INSERT INTO failure VALUES ('plain/d/y.sda/array//w/all///store/', '2026', 'gone')");
  const double white = ask ("SELECT count (*) FROM cell WHERE side = 'w' AND metric <> 'array'");
  cr_assert_gt (white, 0);
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), false, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_check (s, &n, &err), SD_OK, "%s", err.text);
  sd_store_close (s);
  cr_assert_eq (n, 5);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE side = '-'"), 1);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE key = 'plain/d/x.sda/array//-/all///store/'"), 1);
  cr_expect_eq (ask ("SELECT count (*) FROM failure WHERE key = 'plain/d/y.sda/array//-/all///store/'"), 1);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE side = 'w'"), white);
}

/* A program of the state before opens what this one has written: what it does not know stays NULL. */
Test (store_old, what_older_programs_write_is_read) {
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

Test (store_old, an_old_store_that_cannot_be_written_can_be_read) {
  sd_store *s;
  uint64_t n;
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
  cr_assert_eq (sd_store_check (s, &n, &err), SD_OK, "%s", err.text);
  cr_expect_eq (n, 2);
  cr_expect_eq (ask_of (sd_store_database (s), "SELECT count (*) FROM cell WHERE get_ns IS NULL"), 1);
  sd_store_close (s);
  cr_expect_eq (seteuid (getuid ()), 0); /* to remove the folder */
}

Test (store_old, a_dry_run_leaves_an_old_store_as_it_is) {
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

Test (store_old, a_store_of_a_newer_version_is_refused) {
  sd_store *s;
  sd_error err = { 0 };
  old_store ();
  ask ("PRAGMA user_version = 77");
  cr_expect_eq (sd_store_open (in_folder ("rows.db"), true, &s, &err), SD_EVERSION);
  cr_expect (strstr (err.text, "newer subdef: version 77 of the tables") != NULL, "%s", err.text);
}
