/* Running a sweep on tables with 3 men that the generator makes first: what is listed, what the rows hold. */
#include "config.h"
#include "codecs/row.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"
#include <math.h>
#include <time.h>

TestSuite (sweep, .init = make_folder, .fini = remove_folder);

Test (sweep, a_missing_sweep_file_is_not_found) {
  sd_error err = { 0 };
  cr_expect_eq (sd_sweep_run (in_folder ("none.conf"), in_folder ("rows.db"), NULL, &err), SD_ENOENT, "%s",
                err.text);
  cr_expect (strstr (err.text, "none.conf") != NULL);
}

Test (sweep, a_missing_table_is_named) {
  sd_error err = { 0 };
  cr_expect_eq (run_text ("groups = ( " KRK_ORDERS " );", 1, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "KRvK") != NULL, "%s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 0);
}

Test (sweep, dry_run_lists_the_cells_and_runs_nothing) {
  const char *conf = write_file ("sweep.conf", "groups = ( " KRK_ORDERS " );");
  char *text = NULL;
  size_t len = 0, lines = 0;
  sd_error err = { 0 };
  FILE *list = open_memstream (&text, &len);
  generate ("KRvK");
  sd_sweep_options opt = { .tables = folder, .dry_run = true, .list = list };
  cr_assert_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  fclose (list);
  for (size_t i = 0; i < len; i++)
    lines += text[i] == '\n';
  cr_expect_eq (lines, 50);
  cr_expect (
      strstr (
          text,
          "group\ttables\tmetric\tcoding\tsides\tfreedom\torder\tnumbering\tsampled\tcodec\tsettings\tstate\n")
      == text);
  cr_expect (strstr (text, "# 48 cells, 0 of them done, about ") != NULL);
  cr_expect (strstr (text, " MB of memory, 0.1 MB of disk for rows\n") != NULL, "%s", text);
  cr_expect (strstr (text, "orders\tKRvK\twdl\twdl\tw\tall\t") != NULL, "%s", text);
  cr_expect (!sd_file_exists (in_folder ("rows.db")));
  free (text);
}

Test (sweep, a_dry_run_finds_missing_tables_and_names_that_nothing_has) {
  const char *conf =
      write_file ("sweep.conf", "groups = ( " KRK_ORDERS ", { name = \"more\"; tables = [\"KRvK\", "
                                "\"KBNvK\", \"KPvK\"]; codec = \"store\"; } );");
  sd_error err = { 0 };
  generate ("KRvK");
  sd_sweep_options opt = { .tables = folder, .dry_run = true };
  cr_expect_eq (sd_sweep_run (conf, NULL, &opt, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "5 tables are missing in ") != NULL, "%s", err.text);
  cr_expect (strstr (err.text, "KBNvK.dtm.sdt") != NULL && strstr (err.text, "KPvK.dtm.sdt") != NULL, "%s",
             err.text);
  opt.only = "orders";
  cr_expect_eq (sd_sweep_run (conf, NULL, &opt, &err), SD_OK, "%s", err.text);
  opt.only = "nothing";
  cr_expect_eq (sd_sweep_run (conf, NULL, &opt, &err), SD_EINVAL);
  cr_expect (strstr (err.text,
                     "no group or table contains \"nothing\": there are the groups orders, more and the "
                     "tables KRvK, KBNvK, KPvK")
                 != NULL,
             "%s", err.text);
  opt.dry_run = false;
  cr_expect_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_EINVAL);
}

Test (sweep, a_sweep_goes_on_where_it_stopped) {
  generate ("KRvK");
  const char *conf = "groups = ( " KRK_ORDERS
                     ", { name = \"blocks\"; tables = \"KRvK\"; order = \"best-of:orders\"; latency = true;"
                     " codec = ( { name = \"lzma\"; block = [1024, 16384]; }, { name = \"repair\"; block = "
                     "[64, 128]; } ); } );";
  run (conf);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 48 + 8);
  cr_expect_eq (ask ("SELECT count (*) FROM run"), 1);
  run (conf); /* nothing is left to do */
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 48 + 8);
  cr_expect_eq (ask ("SELECT count (*) FROM run"), 1, "a run that does nothing leaves no trace");
  ask ("DELETE FROM cell WHERE id % 5 = 0");
  double left = ask ("SELECT count (*) FROM cell"), last = ask ("SELECT max (id) FROM cell");
  cr_assert_lt (left, 56);
  run (conf);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 56);
  cr_expect_eq (ask ("SELECT expected_rows FROM run ORDER BY id DESC LIMIT 1"), 56);
  char sql[100];
  snprintf (sql, sizeof sql, "SELECT count (*) FROM cell WHERE run = 1 AND id <= %.0f", last);
  cr_expect_eq (ask (sql), left, "rows that were there were not measured again");
}

#define TWO_TABLES(codecs)                                                                                   \
  "groups = ( { name = \"two\"; tables = [\"KNvK\", \"KPvK\"]; side = \"w\"; codec = ( " codecs " ); } );"

Test (sweep, tables_are_found_missing_and_loaded_though_the_first_cell_of_each_has_its_row) {
  sd_error err = { 0 };
  generate ("KNvK");
  generate ("KPvK");
  run (TWO_TABLES ("\"store\""));
  run (TWO_TABLES ("\"store\", \"rle\""));
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE codec = 'rle'"), 2);
  cr_assert_eq (unlink (in_folder ("KPvK.dtm.sdt")), 0);
  const char *conf = write_file ("more.conf", TWO_TABLES ("\"store\", \"rle\", \"zlib\""));
  sd_sweep_options opt = { .tables = folder, .dry_run = true };
  cr_expect_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "1 table is missing in ") != NULL && strstr (err.text, "KPvK.dtm.sdt") != NULL,
             "%s", err.text);
}

Test (sweep, only_restricts_groups_and_tables) {
  generate ("KRvK");
  sd_error err = { 0 };
  const char *conf =
      write_file ("sweep.conf", "groups = ( " KRK_ORDERS ", { name = \"one\"; tables = [\"KRvK\", \"KBBvK\"];"
                                " codec = \"store\"; } );");
  sd_sweep_options opt = { .tables = folder, .only = "one" };
  cr_expect_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_ENOENT,
                "KBBvK is missing, and asked for");
  opt.only = "KRvK";
  cr_expect_eq (sd_sweep_run (conf, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 50);
}

Test (sweep, a_file_of_another_kind_is_refused) {
  sd_error err = { 0 };
  write_file ("rows.db", "This is a text that is long enough to be looked at as a database, and is none. It "
                         "goes on for a while, since a "
                         "header takes a hundred bytes.");
  cr_expect_eq (run_text ("groups = ( " KRK_ORDERS " );", 1, &err), SD_EFORMAT, "%s", err.text);
  unlink (in_folder ("rows.db"));
  ask ("CREATE TABLE other (x)");
  cr_expect_eq (run_text ("groups = ( " KRK_ORDERS " );", 1, &err), SD_EFORMAT, "%s", err.text);
  cr_expect (strstr (err.text, "not a database of sweeps") != NULL, "%s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM sqlite_master"), 1, "the foreign file is left as it was");
}

/* ------------------------------------------------------------------ rows */

Test (sweep, rows_hold_what_was_measured) {
  generate ("KPvK");
  run ("seed = 7; groups = ( { name = \"orders\"; tables = \"KPvK\"; metric = [\"wdl\", \"dtm\"]; "
       "subdefinite = [\"on\", \"off\"];"
       " order = \"all\"; codec = \"repair\"; },"
       " { name = \"blocks\"; tables = \"KPvK\"; metric = [\"wdl\", \"dtm\"]; order = \"best-of:orders\"; "
       "latency = true; probe = true;"
       " codec = ( \"lzma\", \"repair\", \"store\" ); } );");
  /* where the bytes go adds up; Syzygy counts 81,664 and 84,012 positions unique up to symmetry */
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE bytes <> header_bytes + model_bytes + index_bytes + "
                     "payload_bytes"),
                0);
  cr_expect_eq (ask ("SELECT max (positions) FROM cell WHERE side = 'w'"), 81664);
  cr_expect_eq (ask ("SELECT min (positions) FROM cell WHERE side = 'b'"), 84012);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE (free_slots > 0) <> (freedom = 'all')"), 0);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE encode_s <= 0 OR decode_s <= 0"), 0);
  /* CPU time, several times where one is short; those of a group that asks for times have bounds */
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE encode_samples IS NULL OR decode_samples IS NULL OR repeat_s < 0"),
                0);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE \"group\" = 'blocks' AND decode_s < 0.05 AND NOT (decode_samples >= 3"
                     " AND decode_low_s <= decode_s AND decode_s <= decode_high_s)"),
                0);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE (encode_samples < 3) <> (encode_low_s IS NULL)"), 0);
  /* what is done once for many cells stands in the row of the first of them */
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE check_s > 0 AND prepare_s >= 0"),
                ask ("SELECT count (*) FROM cell"));
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE \"group\" = 'blocks' AND prepare_s > 0"), 4,
                "three codecs share a sequence");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE (timing_s > 0) <> (\"group\" = 'blocks')"), 0);
  cr_expect_eq (ask ("SELECT count (*) FROM run WHERE load_s > 0"), 1);
  /* latency exactly where it was asked for */
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE (get_ns > 0 AND probe_ns > 0) <> (\"group\" = 'blocks')"), 0);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE \"group\" = 'blocks'"), 12);
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE get_ns > 0 AND NOT (get_low_ns <= get_ns AND get_high_ns >= "
           "get_ns AND get_scatter >= 1 AND get_samples >= 10 AND probe_low_ns <= probe_ns AND "
           "probe_high_ns >= probe_ns AND probe_scatter >= 1)"),
      0, "each has bounds and several repeats");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_p99_ns < get_ns OR probe_p99_ns < probe_ns"), 0);
  /* the best order is the smallest row's */
  cr_expect_eq (ask ("SELECT count (*) FROM cell b WHERE \"group\" = 'blocks' AND codec = 'repair' AND bytes "
                     "<> (SELECT min (bytes)"
                     " FROM cell o WHERE o.\"group\" = 'orders' AND o.metric = b.metric AND o.side = b.side "
                     "AND o.freedom = 'all')"),
                0);
  cr_expect_eq (ask ("SELECT count (*) FROM run WHERE seed = 7 AND version <> '' AND \"commit\" <> '' AND "
                     "compiler <> '' AND cpu <> ''"
                     " AND sweep LIKE '%best-of:orders%' AND length (sweep_hash) = 16"),
                1);
}

Test (sweep, joint_and_one_sided_tables_take_what_reformat_says) {
  generate ("KPvK");
  run (
      "groups = ( { name = \"a\"; tables = \"KPvK\"; sides = [\"both\", \"one\", \"joint\"]; latency = true; codec = ( \"obdd\", "
      "\"repair\" ); } );");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 10);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE key LIKE 'a/KPvK/wdl/wdl/joint-wb/%' AND get_ns > 0"),
                2);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE key LIKE 'a/KPvK/wdl/wdl/one-w/%'"), 2);
  cr_expect_eq (
      ask (
          "SELECT count (*) FROM cell o JOIN cell b USING (side, codec, bytes) WHERE o.sides = 'one' AND b.sides IS NULL"),
      4);
  cr_expect_eq (
      ask (
          "SELECT sum (slots * (side <> 'wb')) - sum (slots * (side = 'wb')) FROM cell WHERE sides IS NULL OR side = 'wb'"),
      0, "one stream holds the slots of both sides");
  /* the joint stream is the one of a table that is built with --sides joint */
  sd_values *all;
  sd_error err = { 0 };
  sd_table_spec spec = {
    .metric = SD_WDL, .coding = SD_CODING_WDL, .freedom = SD_FREE_ALL, .sides = SD_SIDES_JOINT
  };
  sd_table *t;
  sd_table_info info;
  cr_assert_eq (sd_material_parse ("KPvK", &spec.material, &err), SD_OK);
  cr_assert_eq (sd_values_new (folder, SD_DTM, &all, &err), SD_OK);
  cr_assert_eq (sd_values_need (all, &spec.material, &err), SD_OK, "%s", err.text);
  sd_layout_default (&spec.material, &spec.side[0].layout);
  spec.side[0].codec = sd_codec_find ("obdd");
  cr_assert_eq (sd_settings_parse (spec.side[0].codec, "", &spec.side[0].settings, &err), SD_OK);
  cr_assert_eq (sd_table_build (all, &spec, in_folder ("KPvK.wdl.sdt"), NULL, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_table_open (in_folder ("KPvK.wdl.sdt"), 0, &t, &err), SD_OK, "%s", err.text);
  sd_table_describe (t, &info);
  cr_expect_eq ((double) info.side[0].stream_bytes,
                ask ("SELECT bytes FROM cell WHERE side = 'wb' AND codec = 'obdd'"));
  sd_table_close (t);
  sd_values_free (all);
  /* and the report has a line for each way */
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_OK, "%s",
                err.text);
  char *sizes = read_file ("report/sizes.csv"), text[100];
  snprintf (text, sizeof text, ",one,obdd,");
  cr_expect (strstr (sizes, text) != NULL && strstr (sizes, ",joint,obdd,") != NULL
                 && strstr (sizes, ",both,obdd,") != NULL,
             "%s", sizes);
  const char *one = strstr (sizes, ",one,repair,");
  snprintf (text, sizeof text, ",%.0f,",
            ask ("SELECT min (bytes) FROM cell WHERE codec = 'repair' AND sides = 'one'"));
  cr_assert (one != NULL);
  cr_expect (strstr (one, text) && strstr (one, text) < strchr (one, '\n'),
             "of a one-sided table the smaller side counts: %s", one);
  free (sizes);
}

Test (sweep, the_number_of_jobs_does_not_change_the_rows) {
  generate ("KRvK");
  sd_error err = { 0 };
  cr_assert_eq (run_text ("groups = ( " KRK_ORDERS " );", 1, &err), SD_OK, "%s", err.text);
  double one = ask ("SELECT sum (bytes * (id + length (key))) FROM (SELECT row_number () OVER (ORDER BY key) "
                    "AS id, key, bytes FROM cell)");
  unlink (in_folder ("rows.db"));
  cr_assert_eq (run_text ("groups = ( " KRK_ORDERS " );", 5, &err), SD_OK, "%s", err.text);
  double five = ask ("SELECT sum (bytes * (id + length (key))) FROM (SELECT row_number () OVER (ORDER BY "
                     "key) AS id, key, bytes FROM cell)");
  cr_expect_eq (one, five);
}

/* 288 cells of a few milliseconds: a transaction each would be 288. */
Test (sweep, rows_of_small_cells_are_stored_many_in_one_transaction) {
  generate ("KRvK");
  run (
      "groups = ( { name = \"a\"; tables = \"KRvK\"; metric = [\"wdl\", \"dtm\"]; subdefinite = [\"on\", \"off\"];"
      " order = \"all\"; codec = ( \"store\", \"rle\", { name = \"zlib\"; block = [512, 1024, 2048, 4096]; } ); } );");
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 288);
  cr_expect_eq (ask ("SELECT count (*) FROM claim"), 0);
  /* SQLite counts the transactions that changed a file, in bytes 24..27 of it */
  sd_map map;
  sd_error err = { 0 };
  cr_assert_eq (sd_map_open (in_folder ("rows.db"), &map, &err), SD_OK);
  const uint8_t *n = (const uint8_t *) map.data + 24;
  const unsigned changes = (unsigned) n[0] << 24 | (unsigned) n[1] << 16 | (unsigned) n[2] << 8 | n[3];
  sd_map_close (&map);
  cr_expect_lt (changes, 100, "%u", changes);
}

Test (sweep, a_stream_that_a_slot_does_not_admit_is_an_error) {
  sd_symbol sym[100];
  sd_alphabet *a;
  sd_settings set;
  sd_buf bytes = { 0 };
  sd_decoder *d;
  sd_error err = { 0 };
  sd_efforts e = { .enough = 1e-9 }, again = e;
  for (unsigned i = 0; i < 100; i++)
    sym[i] = i % 3;
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  sd_seq seq = { .alphabet = a, .sym = sym, .n = 100 };
  cr_assert_eq (sd_settings_parse (&sd_codec_store, "", &set, &err), SD_OK);
  cr_assert_eq (sd_codec_encode (&sd_codec_store, &seq, &set, NULL, &bytes, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_codec_open (&sd_codec_store, bytes.data, bytes.len, 100, 3, &d, &err), SD_OK, "%s",
                err.text);
  cr_expect_eq (sd_cell_verify (&seq, d, &e, &err), SD_OK, "%s", err.text);
  sym[71] = (sym[71] + 1) % 3; /* as if the codec had changed it */
  cr_expect_eq (sd_cell_verify (&seq, d, &again, &err), SD_EDIFF);
  cr_expect (strstr (err.text, "slot 71 ") != NULL, "%s", err.text);
  sd_codec_close (d);
  sd_buf_free (&bytes);
  sd_alphabet_free (a);
}

/* The clock runs on while a thread sleeps, or others compute; what coding took does not. */
Test (sweep, efforts_are_cpu_times_of_the_thread) {
  sd_efforts e = { .enough = 0.01 };
  double median, low, high;
  uint64_t n;
  while (sd_efforts_more (&e)) {
    volatile unsigned sum = 0;
    sd_efforts_go (&e);
    for (unsigned i = 0; i < 100000; i++)
      sum += i;
    struct timespec nap = { .tv_nsec = 3000000 };
    nanosleep (&nap, NULL);
    sd_efforts_pause (&e);
    sd_efforts_count (&e);
  }
  sd_efforts_note (&e, 1, (sd_spread_to){ &median, &low, &high, &n, NULL, NULL });
  cr_expect (n >= 3 && n <= SD_MOST_EFFORTS, "%d", (int) n);
  cr_expect_gt (e.wall, 0.0029 * (double) n);
  cr_expect (median > 0 && median < 0.0029, "%g", median);
  cr_expect (low <= median && median <= high, "%g %g %g", low, median, high);
  e = (sd_efforts){ .enough = 1e-9 }; /* what takes longer is done once */
  sd_efforts_go (&e);
  for (volatile unsigned i = 0; i < 1000;)
    i++;
  sd_efforts_pause (&e);
  sd_efforts_count (&e);
  cr_expect_not (sd_efforts_more (&e));
  sd_efforts_note (&e, 1, (sd_spread_to){ &median, &low, &high, &n, NULL, NULL });
  cr_expect (n == 1 && isnan (low) && isnan (high) && median > 0);
}
