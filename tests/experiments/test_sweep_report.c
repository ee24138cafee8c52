/* Reports over measured rows. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"

TestSuite (report, .init = make_folder, .fini = remove_folder);

static void small_sweep (void) {
  generate ("KRvK");
  run (
      "title = \"Rooks & <kings>\"; groups = ( { name = \"plain\"; tables = \"KRvK\"; metric = [\"wdl\", "
      "\"dtm\"];"
      " subdefinite = \"off\"; codec = { name = \"lzma\"; block = 16384; }; }, " KRK_ORDERS ","
      " { name = \"blocks\"; tables = \"KRvK\"; metric = [\"wdl\", \"dtm\"]; subdefinite = [\"on\", \"off\"];"
      " order = \"best-of:orders\"; latency = true; probe = true;"
      " codec = ( { name = \"lzma\"; block = [1024, 16384]; }, { name = \"repair\"; block = [64, 128]; } ); "
      "} );");
}

Test (report, tables_and_a_page_come_from_the_rows) {
  sd_error err = { 0 };
  small_sweep ();
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_OK, "%s",
                err.text);
  char *html = read_file ("report/index.html"), *md = read_file ("report/report.md"),
       *cells = read_file ("report/cells.csv"), *tex = read_file ("report/tables.tex"),
       *orders = read_file ("report/orders.csv");
  cr_expect_eq (count (cells, "\n"), 1 + 4 + 48 + 32);
  cr_expect (strstr (html, "<title>Rooks &amp; &lt;kings&gt;</title>") != NULL);
  cr_expect_eq (count (html, "<link"), 0, "the page asks for nothing outside itself");
  cr_expect_eq (count (html, "<script"), 1, "that sorts tables");
  cr_expect_eq (count (html, "src="), 0);
  cr_expect (strstr (md, "# Rooks & \\<kings\\>") != NULL);
  cr_expect (strstr (md, "| KRvK WDL | ") != NULL);
  cr_expect_eq (count (tex, "\\input{tables/"), count (md, "\n| --"),
                "every table of the page is there for LaTeX");
  cr_expect_eq (count (orders, "\n"), 1 + 8);
  free (html);
  free (md);
  free (cells);
  free (tex);
  free (orders);
}

Test (report, figures_are_inside_the_page_with_names_of_their_own) {
  sd_error err = { 0 };
  if (system ("gnuplot --version > /dev/null 2>&1") != 0)
    cr_skip_test ("gnuplot is not here");
  small_sweep ();
  setenv ("LC_ALL", "C", 1); /* whatever signs the locale has */
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"),
                                 &(sd_report_options){ .gnuplot = "gnuplot" }, &err),
                SD_OK, "%s", err.text);
  char *html = read_file ("report/index.html");
  cr_expect_eq (count (html, "<figure"), 10, "five figures each for WDL and DTM");
  cr_expect_eq (count (html, "<svg class=\"narrow\""), 10, "of each a drawing for a phone");
  cr_expect_eq (count (html, "id='access_KRvK_wdl_narrow-gpPt5'"), 1);
  cr_expect_eq (count (html, "id='size_KRvK_wdl-gpPt5'"), 1);
  cr_expect_eq (count (html, "'#gpPt5'"), 0);
  cr_expect (sd_file_exists (in_folder ("report/orders_KRvK_dtm.gp")));
  cr_expect (!sd_file_exists (in_folder ("report/figures.log")), "gnuplot had nothing to say");
  free (html);
}

Test (report, without_gnuplot_the_report_says_that_figures_are_missing) {
  sd_error err = { 0 };
  small_sweep ();
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"),
                                 &(sd_report_options){ .gnuplot = "/nonexistent/gnuplot" }, &err),
                SD_OK, "%s", err.text);
  char *md = read_file ("report/report.md");
  cr_expect (strstr (md, "No figures here: /nonexistent/gnuplot cannot be run: No such file or directory.")
             != NULL);
  free (md);
}

Test (report, an_empty_or_missing_database_is_one_sentence) {
  sd_error err = { 0 };
  sd_buf text = { 0 };
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "rows.db: no such file") != NULL, "%s", err.text);
  run_text ("groups = ( " KRK_ORDERS " );", 1, &err); /* no tables: no rows */
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), NULL, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "holds no row yet") != NULL, "%s", err.text);
  cr_expect_eq (sd_report_summary (in_folder ("rows.db"), NULL, &text, &err), SD_ENOENT);
  cr_expect (!sd_file_exists (in_folder ("report")), "nothing is written");
  sd_buf_free (&text);
}

Test (report, summary_names_the_winner_and_how_much_smaller_it_is) {
  sd_error err = { 0 };
  sd_buf text = { 0 };
  small_sweep ();
  cr_assert_eq (sd_report_summary (in_folder ("rows.db"), NULL, &text, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&text, 0);
  cr_expect_eq (count ((char *) text.data, "\n"), 2);
  cr_expect (strncmp ((char *) text.data, "KRvK WDL: ", 10) == 0);
  cr_expect_eq (count ((char *) text.data, "er than LZMA 16 KiB ("), 2);
  sd_buf_free (&text);
}

Test (report, best_row_can_be_built_and_keeps_the_latency_bound) {
  sd_error err = { 0 };
  sd_material m;
  sd_table_spec best, quick;
  sd_layout layout;
  sd_store *store;
  sd_row row[2];
  bool found;
  sd_values *s;
  small_sweep ();
  sd_material_parse ("KvKR", &m, NULL); /* as the user likes to write it */
  const char *db = in_folder ("rows.db");
  cr_assert_eq (sd_report_best (db, &m, SD_DTM, 0, &best, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_open (db, false, &store, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_best (store, "KRvK", "dtm", 2, 0, row, &found, &err), SD_OK, "%s", err.text);
  cr_expect_eq ((double) row[1].bytes,
                ask ("SELECT min (bytes) FROM cell WHERE metric = 'dtm' AND side = 'b' AND freedom = 'all'"));
  const uint64_t least = row[0].bytes + row[1].bytes;
  for (unsigned side = 0; side < 2; side++) {
    cr_expect_str_eq (best.side[side].codec->name, row[side].codec);
    cr_assert_eq (sd_layout_parse (&best.material, row[side].order, row[side].numbering, &layout, &err),
                  SD_OK);
    cr_expect (sd_layout_equal (&best.side[side].layout, &layout));
  }
  double fastest = ask ("SELECT max (t) FROM (SELECT min (get_ns) AS t FROM cell WHERE metric = 'dtm' AND "
                        "get_ns > 0 AND freedom = 'all'"
                        " GROUP BY side)");
  cr_assert_eq (sd_report_best (db, &m, SD_DTM, fastest, &quick, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_best (store, "KRvK", "dtm", 2, fastest, row, &found, &err), SD_OK, "%s", err.text);
  cr_expect_geq (row[0].bytes + row[1].bytes, least);
  cr_expect (row[0].get_ns > 0 && row[0].get_ns <= fastest);
  cr_expect_str_eq (quick.side[0].codec->name, row[0].codec);
  sd_store_close (store);
  cr_expect_eq (sd_report_best (db, &m, SD_DTM, 0.25, &quick, &err), SD_ENOENT,
                "nothing reads a slot in a quarter of a nanosecond");
  cr_expect (strstr (err.text, "0 ns or less") != NULL, "%s", err.text);
  sd_material_parse ("KQvK", &m, NULL);
  cr_expect_eq (sd_report_best (db, &m, SD_DTM, 0, &quick, &err), SD_ENOENT);
  /* and the specification is good for a table */
  sd_material_parse ("KRvK", &m, NULL);
  cr_assert_eq (sd_report_best (db, &m, SD_WDL, 0, &best, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_new (folder, SD_DTM, &s, &err), SD_OK);
  cr_assert_eq (sd_values_need (s, &m, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_build (s, &best, in_folder ("KRvK.wdl.sdt"), NULL, &err), SD_OK, "%s", err.text);
  sd_values_free (s);
}
