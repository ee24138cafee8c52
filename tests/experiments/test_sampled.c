/* Cells that code a part of their table: what is refused, what their rows hold, what reports make of them. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"

TestSuite (sampled, .init = make_folder, .fini = remove_folder);

static void is_refused (const char *group, const char *why) {
  char conf[512];
  sd_sweep *s;
  sd_error err = { 0 };
  snprintf (conf, sizeof conf, "groups = ( { name = \"a\"; tables = \"KRvK\"; %s } );", group);
  cr_assert_eq (sd_sweep_read (write_file ("sweep.conf", conf), &s, &err), SD_EINVAL, "%s", group);
  cr_expect (strstr (err.text, "sweep.conf:1: ") && strstr (err.text, why), "%s: %s", group, err.text);
}

Test (sampled, what_is_no_part_is_refused) {
  static const char *const no_part[] = { "",       "yes",   "1",     "1/",   "1/0",  "1/1",
                                         "1/4097", "1/016", "1/16x", "2/16", "-1/16" };
  for (unsigned i = 0; i < sizeof no_part / sizeof *no_part; i++) {
    char group[128];
    snprintf (group, sizeof group, "sampled = \"%s\"; codec = \"rle\";", no_part[i]);
    is_refused (group, "a part from 1/2 to 1/4096 such as 1/16, is needed");
  }
  is_refused ("sampled = \"1/16\"; codec = \"rle\"; latency = true;", "lookups are timed in whole tables");
  is_refused ("sampled = \"1/16\"; codec = \"rle\"; probe = true;", "lookups are timed in whole tables");
  is_refused ("sampled = \"1/16\"; codec = \"rle\"; sides = \"joint\";", "is coded whole");
  cr_expect_eq (
      cells_of ("groups = ( { name = \"a\"; tables = \"KRvK\"; sampled = [\"no\", \"1/2\", \"1/4096\"];"
                " codec = \"rle\"; exclude = ( { sampled = \"no\"; side = \"w\"; } ); } );"),
      5);
}

#define EVERY                                                                                                \
  "groups = ( { name = \"a\"; tables = \"KRvK\"; metric = \"dtm\"; sampled = [\"no\", \"1/16\"];"              \
  " order = [\"default\", \"kRK\"];"                                                                         \
  " codec = (\"store\", \"huffman\", \"repair\", \"trees\", \"obdd\", \"lzma\"); } );"

/* store takes as much for each slot, so that what it says of a part is what the whole takes. */
Test (sampled, rows_hold_the_part_and_what_its_lots_take) {
  generate ("KRvK");
  run (EVERY);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 48);
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE sampled IS NULL AND key NOT LIKE '%1/16%' AND lots IS NULL AND "
           "whole_slots IS NULL"),
      24);
  cr_expect_eq (
      ask (
          "SELECT count (*) FROM cell WHERE sampled = '1/16' AND key LIKE '%/1/16/%' AND lots = 8 AND slots > whole_slots / 18 "
          "AND slots < whole_slots / 12 AND lots_low_bytes <= lots_bytes AND lots_bytes <= lots_high_bytes "
          "AND lots_bytes > bytes / 2 AND lots_bytes < 4 * bytes"),
      24);
  cr_expect_eq (
      ask (
          "SELECT count (*) FROM cell s JOIN cell w USING (\"order\", side, codec) WHERE s.sampled = '1/16' AND "
          "w.sampled IS NULL AND s.whole_slots = w.slots AND s.positions = w.positions AND s.bytes < w.bytes"),
      24);
  cr_expect_eq (
      ask (
          "SELECT count (*) FROM cell s JOIN cell w USING (\"order\", side, codec) WHERE s.sampled = '1/16' AND "
          "w.sampled IS NULL AND codec = 'store' AND abs (s.header_bytes + 1.0 * s.payload_bytes * s.whole_slots / s.slots - "
          "w.bytes) < 20"),
      4);
}

/* The part that is coded is a part of what the whole table may hold, slot by slot. */
Test (sampled, the_part_is_the_same_with_any_number_of_workers) {
  generate ("KRvK");
  sd_error err = { 0 };
  sd_sweep_options opt = { .tables = folder, .jobs = 1 };
  const char *path = write_file ("sweep.conf", EVERY);
  cr_assert_eq (sd_sweep_run (path, in_folder ("rows.db"), &opt, &err), SD_OK, "%s", err.text);
  opt.jobs = 3;
  cr_assert_eq (sd_sweep_run (path, in_folder ("other.db"), &opt, &err), SD_OK, "%s", err.text);
  char attach[600];
  snprintf (attach, sizeof attach, "ATTACH '%s' AS other", in_folder ("other.db"));
  sqlite3 *db;
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  ask_of (db, attach);
  cr_expect_eq (
      ask_of (
          db,
          "SELECT count (*) FROM main.cell a JOIN other.cell b USING (key, bytes, slots, free_slots, model_bytes)"
          " WHERE a.lots_bytes IS b.lots_bytes AND a.lots_low_bytes IS b.lots_low_bytes AND "
          "a.lots_high_bytes IS b.lots_high_bytes AND a.whole_slots IS b.whole_slots"),
      48);
  sqlite3_close (db);
}

/* The smaller order of the parts is what the second group is coded in; nothing that could be built is a part.
 */
Test (sampled, orders_are_chosen_by_parts) {
  generate ("KRvK");
  run (
      "groups = ( { name = \"orders\"; tables = \"KRvK\"; metric = \"dtm\"; side = \"w\"; sampled = \"1/8\"; order = \"all\"; codec = "
      "\"repair\"; }, { name = \"best\"; tables = \"KRvK\"; metric = \"dtm\"; side = \"w\"; order = \"best-of:orders\"; codec = "
      "\"repair\"; } );");
  cr_expect_eq (
      ask (
          "SELECT count (*) FROM cell WHERE \"group\" = 'best' AND sampled IS NULL AND \"order\" = (SELECT \"order\" FROM cell "
          "WHERE \"group\" = 'orders' ORDER BY 1.0 * bytes * whole_slots / slots, \"order\" LIMIT 1)"),
      1);
}

Test (sampled, reports_say_that_it_is_an_estimate_and_give_bounds) {
  sd_error err = { 0 };
  generate ("KRvK");
  run (
      "groups = ( { name = \"a\"; tables = \"KRvK\"; metric = \"dtm\"; sampled = [\"no\", \"1/4\"]; codec = \"huffman\"; } );");
  const sd_report_options opt = { .gnuplot = "/nonexistent/gnuplot" };
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), &opt, &err), SD_OK, "%s",
                err.text);
  char *md = read_file ("report/report.md"), *sizes = read_file ("report/sizes.csv");
  cr_expect (strstr (md, "sampled=1/4 (estimated)")
                 && strstr (md, "Estimated: a part of the slots was coded"),
             "%s", md);
  const char *row = strstr (sizes, "sampled=1/4\"");
  unsigned long bytes = 0, low = 0, high = 0;
  cr_assert (row != NULL, "%s", sizes);
  cr_assert_eq (sscanf (row, "sampled=1/4\",all,KRk,1,%lu,%lu,%lu,", &bytes, &low, &high), 3, "%s", row);
  const double whole = ask ("SELECT sum (bytes) FROM cell WHERE sampled IS NULL");
  cr_expect (low < whole && whole < high && low <= bytes && bytes <= high, "%lu to %lu, %lu: %.0f", low, high,
             bytes, whole);
  cr_expect ((double) bytes > 0.9 * whole && (double) bytes < 1.1 * whole);
  free (md);
  free (sizes);

  /* rows that no sweep would write are refused before anything is divided by them */
  run_sql ("rows.db", "UPDATE cell SET lots_bytes = NULL WHERE sampled = '1/4'");
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"), &opt, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "column sampled: \"1/4\": does not agree"), "%s", err.text);
}
