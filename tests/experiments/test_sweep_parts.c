/* Sweeps of which some cells fail, and sweeps in parts: what is left to do, stores that are merged. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"

TestSuite (parts, .init = make_folder, .fini = remove_folder);

Test (parts, a_cell_that_fails_is_a_row_with_its_error_and_the_others_are_computed) {
  sd_error err = { 0 };
  sd_merged found;
  generate ("KRvK");
  /* an order of the levels that this ending does not have; the second group asks for its best rows */
  cr_expect_eq (
      run_text ("groups = ( { name = \"a\"; tables = \"KRvK\"; side = \"b\"; codec = ( \"store\", { name = "
                "\"obdd\"; order = \"zy\"; }, \"rle\" ); },"
                " { name = \"b\"; tables = \"KRvK\"; side = \"b\"; codec = { name = \"obdd\"; order = "
                "\"zy\"; }; latency = true; }, { name = \"c\"; tables = \"KRvK\"; side = \"b\"; order = "
                "\"best-of:b\"; codec = \"store\"; } );",
                1, &err),
      SD_EINVAL);
  cr_expect (strstr (err.text, "b/KRvK/wdl/wdl/b/all/KRk/rows/obdd/") && strstr (err.text, "obdd: order=zy"),
             "of equal cells the one that is timed is computed first: %s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 2);
  cr_expect_eq (
      ask ("SELECT count (*) FROM failure WHERE error LIKE 'obdd: order=zy: expected %' AND finished LIKE "
           "'20__-%'"),
      2);
  cr_expect_eq (
      ask ("SELECT count (*) FROM failure WHERE key LIKE 'c/%' AND error LIKE '%the group has no such row'"),
      1);
  cr_expect_eq (ask ("SELECT count (*) FROM claim"), 0);
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_OK, "%s",
                err.text);
  char *md = read_file ("report/report.md"), *csv = read_file ("report/failures.csv");
  cr_expect (strstr (md, "3 cells have no row, because of these errors.") != NULL, "%s", md);
  cr_expect (strstr (csv, "\n\"a/KRvK/wdl/wdl/b/all/KRk/rows/obdd/") != NULL, "%s", csv);
  free (md);
  free (csv);
  /* merged like rows; gone when the cell has one */
  const char *from[1] = { in_folder ("rows.db") };
  char path[512];
  snprintf (path, sizeof path, "%s", from[0]);
  from[0] = path;
  cr_assert_eq (sd_store_merge (in_folder ("all.db"), from, 1, &found, &err), SD_OK, "%s", err.text);
  ask ("UPDATE cell SET key = (SELECT min (key) FROM failure) WHERE id = 1");
  cr_assert_eq (sd_report_write (path, in_folder ("report"), NULL, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_report_write (in_folder ("all.db"), in_folder ("other"), NULL, &err), SD_OK, "%s",
                err.text);
  csv = read_file ("other/failures.csv");
  cr_expect (strstr (csv, "\n\"a/KRvK/") && strstr (csv, "\nc/KRvK/"), "%s", csv);
  free (csv);
  csv = read_file ("report/failures.csv");
  cr_expect (strstr (csv, "\n\"a/KRvK/") == NULL && strstr (csv, "\n\"b/KRvK/") != NULL, "%s", csv);
  free (csv);
}

Test (parts, a_missing_best_order_is_a_failed_cell_until_there_is_one) {
  static const char conf[] =
      "groups = ( { name = \"orders\"; tables = \"KRvK\"; side = \"w\"; order = \"all\"; codec = \"store\"; },"
      " { name = \"best\"; tables = \"KRvK\"; side = \"w\"; order = \"best-of:orders\"; codec = (\"rle\", \"store\"); },"
      " { name = \"other\"; tables = \"KRvK\"; codec = \"rle\"; } );";
  sd_error err = { 0 };
  generate ("KRvK");
  const char *path = write_file ("sweep.conf", conf);
  sd_sweep_options opt = { .tables = folder, .only = "best" };
  cr_expect_eq (sd_sweep_run (path, in_folder ("rows.db"), &opt, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "best/KRvK/") && strstr (err.text, "the group has no such row"), "%s",
             err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM failure"), 2);
  opt.only = NULL;
  opt.parts = 0;
  cr_assert_eq (sd_sweep_run (in_folder ("sweep.conf"), in_folder ("rows.db"), &opt, &err), SD_OK, "%s",
                err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 6 + 2 + 2);
  cr_expect_eq (ask ("SELECT count (*) FROM failure"), 0, "they have their orders now");
  char text[1000] = "";
  FILE *list = fmemopen (text, sizeof text, "w");
  opt = (sd_sweep_options){ .tables = folder, .status = true, .list = list };
  cr_assert_eq (sd_sweep_run (in_folder ("sweep.conf"), in_folder ("rows.db"), &opt, &err), SD_OK, "%s",
                err.text);
  fclose (list);
  unsigned n[4] = { 0 };
  const char *at = strstr (text, "\nall ");
  cr_expect (at && sscanf (at, " all %u %u %u %u", n, n + 1, n + 2, n + 3) == 4 && n[1] == 10 && n[2] == 0,
             "%s", text);
}

Test (parts, a_table_that_cannot_be_read_ends_its_cells_and_no_others) {
  sd_error err = { 0 };
  generate ("KPvK");
  generate ("KNvK");
  sd_map map;
  cr_assert_eq (sd_map_open (in_folder ("KPvK.dtm.sdt"), &map, &err), SD_OK);
  FILE *f = fopen (in_folder ("broken"), "wb");
  cr_assert_eq (fwrite (map.data, 1, map.len / 2, f), map.len / 2);
  fclose (f);
  sd_map_close (&map);
  cr_assert_eq (rename (in_folder ("broken"), in_folder ("KPvK.dtm.sdt")), 0);
  const char *conf =
      "groups = ( { name = \"a\"; tables = [\"KPvK\", \"KNvK\"]; codec = (\"store\", \"rle\"); },"
      " { name = \"b\"; tables = [\"KPvK\", \"KNvK\"]; codec = \"lzma\"; probe = true; } );";
  cr_expect_neq (run_text (conf, 2, &err), SD_OK);
  cr_expect (strstr (err.text, "/KPvK/") != NULL, "%s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE \"table\" = 'KNvK'"), 6);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE \"table\" = 'KPvK'"), 0);
  cr_expect_eq (ask ("SELECT count (*) FROM failure WHERE key LIKE '%/KPvK/%'"), 6);
  cr_expect_eq (ask ("SELECT count (*) FROM claim"), 0);
}

/* ----------------------------------------------------------------- parts */

/* Rows of rows.db that the other store has not, or the other way round, times aside. */
static double rows_that_differ (const char *other) {
#define NAMED(kind, name, size) ", \"" #name "\""
#define COLUMNS                                                                                              \
  "key, bytes, header_bytes, model_bytes, index_bytes, payload_bytes, blocks, dictionary, slots, "           \
  "positions, free_slots" SD_NAME_COLUMNS (NAMED)
  char sql[4000];
  snprintf (
      sql, sizeof sql,
      "ATTACH '%s' AS o; DROP TABLE IF EXISTS temp.rest; CREATE TEMP TABLE rest AS SELECT 1 FROM (SELECT " COLUMNS
      " FROM main.cell EXCEPT SELECT " COLUMNS " FROM o.cell);"
      "INSERT INTO rest SELECT 1 FROM (SELECT " COLUMNS " FROM o.cell EXCEPT SELECT " COLUMNS
      " FROM main.cell); CREATE TABLE o.differ AS SELECT count (*) AS n FROM rest",
      in_folder (other));
  run_sql ("rows.db", sql);
  sqlite3 *db;
  sqlite3_stmt *q;
  cr_assert_eq (sqlite3_open (in_folder (other), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_prepare_v2 (db, "SELECT n FROM differ", -1, &q, NULL), SQLITE_OK);
  cr_assert_eq (sqlite3_step (q), SQLITE_ROW);
  const double n = sqlite3_column_double (q, 0);
  sqlite3_finalize (q);
  sqlite3_close (db);
  run_sql (other, "DROP TABLE differ");
  return n;
}

Test (parts, four_parts_merged_are_one_undisturbed_run) {
  static const char *const name[4] = { "p1.db", "p2.db", "p3.db", "p4.db" };
  const char *conf = "groups = ( " KRK_ORDERS
                     ", { name = \"blocks\"; tables = \"KRvK\"; order = \"best-of:orders\"; latency = true;"
                     " codec = ( \"lzma\", \"store\" ); }, { name = \"more\"; tables = \"KRvK\"; metric = "
                     "\"dtm\"; codec = (\"rle\", \"zlib\", \"huffman\"); } );";
  char path[4][512];
  const char *from[4];
  sd_error err = { 0 };
  sd_merged found;
  generate ("KRvK");
  run (conf);
  const double all = ask ("SELECT count (*) FROM cell");
  cr_assert_eq (all, 48 + 4 + 6);
  for (unsigned i = 0; i < 4; i++) {
    sd_sweep_outcome done = { 0 };
    sd_sweep_options opt = {
      .tables = folder, .jobs = 1, .part = i + 1, .parts = 4, .command = name[i], .outcome = &done
    };
    snprintf (path[i], sizeof path[i], "%s", in_folder (name[i]));
    from[i] = path[i];
    cr_assert_eq (sd_sweep_run (in_folder ("sweep.conf"), path[i], &opt, &err), SD_OK, "%s", err.text);
    cr_expect (done.cells > 10 && done.cells < 20 && done.computed == done.cells, "part %u: %llu cells",
               i + 1, (unsigned long long) done.cells);
  }
  cr_assert_eq (sd_store_merge (in_folder ("all.db"), from, 4, &found, &err), SD_OK, "%s", err.text);
  cr_expect_eq ((double) found.added, all);
  cr_expect_eq (found.same, 0);
  cr_expect_eq (rows_that_differ ("all.db"), 0);
  cr_expect_gt (rows_that_differ ("p1.db"), 0, "the question can be answered otherwise");
  /* once more: nothing is new, runs neither */
  cr_assert_eq (sd_store_merge (in_folder ("all.db"), from, 4, &found, &err), SD_OK, "%s", err.text);
  cr_expect (found.added == 0 && (double) found.same == all);
  sd_store *store;
  sd_provenance *r;
  size_t n;
  cr_assert_eq (sd_store_open (in_folder ("all.db"), false, &store, &err), SD_OK);
  cr_assert_eq (sd_store_runs (store, &r, &n, &err), SD_OK, "%s", err.text);
  cr_expect_eq (n, 4, "a run of each part");
  sd_provenances_free (r, n);
  sd_store_close (store);
  /* a byte more in one cell: refused, and nothing is left behind */
  run_sql ("p3.db", "UPDATE cell SET bytes = bytes + 1 WHERE id = 2");
  cr_expect_eq (sd_store_merge (in_folder ("all.db"), from, 4, &found, &err), SD_EDIFF);
  cr_expect (strstr (err.text, "p3.db: cell ") && strstr (err.text, "/KRvK/") && strstr (err.text, " bytes"),
             "%s", err.text);
  char whole[512];
  snprintf (whole, sizeof whole, "%s", in_folder ("rows.db"));
  const char *two[2] = { from[2], whole };
  cr_expect_eq (sd_store_merge (in_folder ("new.db"), two, 2, &found, &err), SD_EDIFF);
  cr_expect (!sd_file_exists (in_folder ("new.db")));
  cr_expect_eq (sd_store_merge (from[0], from, 2, &found, &err), SD_EINVAL);
  sd_sweep_options none = { .tables = folder, .part = 5, .parts = 4 };
  cr_expect_eq (sd_sweep_run (in_folder ("sweep.conf"), path[0], &none, &err), SD_EINVAL);
}

Test (parts, a_cell_of_two_groups_is_computed_once) {
  const char *conf = "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = (\"rle\", \"store\"); },"
                     " { name = \"b\"; tables = \"KRvK\"; codec = (\"store\", \"zlib\"); sides = \"one\"; },"
                     " { name = \"c\"; tables = \"KRvK\"; codec = \"zlib\"; latency = true; } );";
  generate ("KRvK");
  sd_sweep_outcome done = { 0 };
  const sd_sweep_options opt = { .tables = folder, .jobs = 2, .outcome = &done };
  sd_error err = { 0 };
  char file[512];
  snprintf (file, sizeof file, "%s", write_file ("sweep.conf", conf));
  cr_assert_eq (sd_sweep_run (file, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  cr_expect_eq (done.cells, 10);
  cr_expect_eq (done.computed, 6, "zlib with its times, which the other group gets too");
  cr_expect_eq (done.there, 4);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 10);
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell AS x JOIN cell AS y USING (codec, side) WHERE codec = 'store' AND"
           " x.\"group\" = 'a' AND x.sides IS NULL AND y.\"group\" = 'b' AND y.sides = 'one' AND"
           " x.bytes = y.bytes AND x.finished = y.finished AND x.key <> y.key"),
      2);
  cr_assert_eq (sd_sweep_run (file, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  cr_expect (done.computed == 0 && done.there == 10);
}

Test (parts, status_counts_what_is_done_failed_and_left) {
  const char *conf = "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = (\"rle\", \"store\"); },"
                     " { name = \"b\"; tables = \"KRvK\"; metric = \"dtm\"; codec = \"store\"; } );";
  char file[512];
  generate ("KRvK");
  snprintf (file, sizeof file, "%s", write_file ("sweep.conf", conf));
  sd_error err = { 0 };
  sd_sweep_options opt = { .tables = folder, .jobs = 1, .only = "b" };
  cr_assert_eq (sd_sweep_run (file, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  sd_store *store;
  sd_sweep *sweep;
  char key[SD_KEY_TEXT];
  cr_assert_eq (sd_sweep_read (file, &sweep, &err), SD_OK, "%s", err.text);
  sd_cell_key (&sweep->cell[0], key);
  sd_sweep_free (sweep);
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &store, &err), SD_OK);
  cr_assert_eq (sd_store_failed_cell (store, key, "", "broken", &err), SD_OK);
  sd_store_close (store);
  char text[1000] = "";
  FILE *list = fmemopen (text, sizeof text, "w");
  opt = (sd_sweep_options){ .tables = folder, .jobs = 1, .status = true, .list = list };
  cr_assert_eq (sd_sweep_run (file, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  fclose (list);
  unsigned n[12];
  const char *at = strstr (text, "\na ");
  cr_assert (at
                 && sscanf (at, " a %u %u %u %u %*[^b] b %u %u %u %u", n, n + 1, n + 2, n + 3, n + 4, n + 5,
                            n + 6, n + 7)
                        == 8,
             "%s", text);
  cr_expect (n[0] == 4 && n[1] == 0 && n[3] + n[2] == 4, "%s", text);
  cr_expect_eq (n[2], 1, "%s", text);
  cr_expect (n[4] == 2 && n[5] == 2 && n[6] == 0 && n[7] == 0, "%s", text);
  cr_expect (strstr (text, "no sweep is at work"), "%s", text);
}
