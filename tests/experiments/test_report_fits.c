/* Statistics over the lines of a report: baselines, pairs, staircases, straight lines and what lies beside
 * them. */
#include "config.h"
#include "experiments/statistics/statistics.h"
#include "tests/experiments/written_rows.h"
#include <math.h>
#include <time.h>

TestSuite (fits, .init = make_folder, .fini = remove_folder);

static sd_row lzma_row (const char *side, const char *order, const char *freedom, uint64_t bytes) {
  sd_row r = a_row ("any", "KRvK", side, "lzma", bytes);
  r.block = 16384;
  strcpy (r.settings, "initial=frequent,block=16384");
  strcpy (r.order, order);
  strcpy (r.freedom, freedom);
  return r;
}

static uint64_t baseline_of (const sd_row *row, size_t n) {
  sd_store *store;
  sd_query *q = open_rows (row, n, NULL, &store);
  const double plain = ask_number (q, "SELECT ifnull (plain_bytes, 0) FROM line ORDER BY line LIMIT 1");
  sd_query_close (q);
  sd_store_close (store);
  return (uint64_t) plain;
}

Test (fits, the_baseline_is_in_the_order_of_the_name_however_good_others_are) {
  const sd_row row[] = { lzma_row ("w", "KRk", "all", 10),   lzma_row ("b", "KRk", "all", 10),
                         lzma_row ("w", "KRk", "none", 100), lzma_row ("w", "RkK", "none", 150),
                         lzma_row ("w", "kKR", "none", 50),  lzma_row ("b", "kKR", "none", 70),
                         lzma_row ("b", "KRk", "none", 80) };
  cr_expect_eq (baseline_of (row, 7), 180);
  cr_expect_eq (baseline_of (row, 6), 0, "one side alone is no baseline");
}

/* White in one coding and Black in another make no table; each line has the baseline of its own coding. */
Test (fits, the_baseline_has_the_coding_of_the_line) {
  static const struct {
    const char *coding, *side, *codec;
    uint64_t bytes;
  } is[] = { { "moves", "w", "lzma", 100 },  { "moves", "b", "lzma", 300 }, { "signed", "w", "lzma", 250 },
             { "signed", "b", "lzma", 200 }, { "moves", "w", "obdd", 40 },  { "moves", "b", "obdd", 60 },
             { "signed", "w", "obdd", 90 },  { "signed", "b", "obdd", 60 } };
  static const char ratio[] = "SELECT ratio FROM line WHERE coding = 'signed' AND codec = 'obdd'";
  sd_row row[8];
  sd_store *store;
  for (unsigned i = 0; i < 8; i++) {
    row[i] = a_row ("a", "KRvK", is[i].side, is[i].codec, is[i].bytes);
    strcpy (row[i].metric, "dtm");
    strcpy (row[i].coding, is[i].coding);
  }
  sd_query *q = open_rows (row, 8, "a/lzma", &store);
  cr_assert_eq (ask_number (q, "SELECT count (*) FROM line"), 4);
  cr_expect_float_eq (ask_number (q, "SELECT ratio FROM line WHERE coding = 'moves' AND codec = 'obdd'"), 4,
                      1e-9, "400 / 100");
  cr_expect_float_eq (ask_number (q, ratio), 3, 1e-9, "450 / 150");
  cr_expect_eq (ask_number (q, "SELECT plain_bytes FROM line ORDER BY line LIMIT 1"), 400, "not 100 + 200");
  sd_query_close (q);
  sd_store_close (store);
  q = open_rows (row, 8, "a/lzma/coding=moves", &store);
  cr_expect_float_eq (ask_number (q, ratio), 400. / 150, 1e-9, "what the user names holds for all");
  sd_query_close (q);
  sd_store_close (store);
}

Test (fits, tables_are_compared_in_pairs) {
  sd_row row[6];
  for (unsigned i = 0; i < 6; i++) { /* two tables (the third has no baseline), two codecs */
    static const char *const table[] = { "KQvK", "KQvK", "KRvK", "KRvK", "KPvK", "KPvK" };
    static const uint64_t bytes[] = { 1000, 500, 100, 200, 7, 9 };
    row[i] = a_row ("a", table[i], "w", i % 2 || i == 4 ? "repair" : "lzma", bytes[i]);
    strcpy (row[i].settings, i == 4 ? "block=64" : "block=128");
    strcpy (row[i].freedom, "all");
    if (i < 2)
      row[i].get_ns = i ? 50 : 200;
  }
  asked_part page = ask_rows (row, 6, "a/lzma", "30-pairs.sql"), pairs = ask_rows (row, 6, "a/lzma", "31-pairs-tables.sql");
  /* 0.5 and 2: geometric mean 1; two tables have no bounds, and so no column of them */
  cr_expect (strstr (page.md,
                     "| WDL | repair | used | 2 | 1.000 | 1.000 | 2 | 2.000 | KRvK | 0.250 | 0.250 | KQvK |")
                 != NULL,
             "%s", page.md);
  cr_expect (strstr (page.md, "| WDL | lzma | used | 2 | 1.000 | 1.000 | 2 | 1.000 |") != NULL, "%s",
             page.md);
  cr_expect (
      strstr (pairs.csv, "wdl,wdl,,all,repair,block=128,KQvK,500,1000,0.5000,500,0.5000,50,200,0.2500\n")
          != NULL,
      "%s", pairs.csv);
  cr_expect (strstr (pairs.csv, "repair,block=128,KRvK,200,100,2.0000,200,2.0000,,,\n") != NULL, "%s", pairs.csv);
  cr_expect (strstr (pairs.csv, "KPvK") == NULL, "no baseline");
  forget (&page);
  forget (&pairs);
}

/* The gain of the order is kept apart from that of the codec. */
Test (fits, pairs_have_a_ratio_within_the_same_order) {
  sd_row row[3] = { a_row ("a", "KRvK", "w", "lzma", 100), a_row ("a", "KRvK", "w", "obdd", 80),
                    a_row ("a", "KRvK", "w", "obdd", 40) };
  strcpy (row[2].order, "RKk");
  asked_part a = ask_rows (row, 3, "a/lzma", "31-pairs-tables.sql");
  cr_expect (strstr (a.csv, "obdd,,KRvK,40,100,0.4000,80,0.8000,,,\n") != NULL, "%s", a.csv);
  forget (&a);
}

Test (fits, bounds_hold_the_geometric_mean) {
  double v[40], bound[2], again[2];
  for (unsigned i = 0; i < 40; i++)
    v[i] = log (i % 2 ? 0.5 : 2);
  sd_stats_mean_bounds (v, 40, bound);
  v[0] = log (2);
  v[39] = log (0.5);
  sd_stats_mean_bounds (v, 40, again);
  cr_expect (bound[0] == again[0] && bound[1] == again[1], "always the same draws, whatever the order is");
  /* the mean has a deviation of log 2 / sqrt 40 = 0.11; 1.96 of them are 0.215 */
  cr_expect_float_eq (bound[0], -0.215, 0.06);
  cr_expect_float_eq (bound[1], 0.215, 0.06);
  sd_stats_mean_bounds (v, 2, bound);
  cr_expect (isnan (bound[0]) && isnan (bound[1]), "two tell nothing");
}

/* Three steps of three tables; the third table lacks the first step. */
Test (fits, numbered_groups_are_a_staircase) {
  static const struct {
    const char *group, *table;
    uint64_t bytes;
  } is[] = { { "1-lzma", "KRvK", 1000 },    { "1-lzma", "KQvK", 400 }, { "10-obdd-wdl", "KRvK", 250 },
             { "10-obdd-wdl", "KQvK", 50 }, { "2-free", "KRvK", 500 }, { "2-free", "KQvK", 100 },
             { "2-free", "KBvK", 7 },       { "orders", "KRvK", 3 },   { "2-free", "KRvK", 800 } };
  sd_row row[9];
  for (unsigned i = 0; i < 9; i++)
    row[i] = a_row (is[i].group, is[i].table, "w", i == 8 ? "store" : "lzma", is[i].bytes);
  asked_part a = ask_rows (row, 9, NULL, "35-staircase.sql");
  cr_expect_eq (count (a.csv, "\n"), 4, "%s", a.csv);
  cr_expect (strstr (a.csv, "\nwdl,1,lzma,2,1400,1.0000,,,1.0000,1.0000,") != NULL, "%s", a.csv);
  /* the smaller line, and only tables of the first step; sqrt (0.5 * 0.25) */
  cr_expect (strstr (a.csv, "\nwdl,2,free,2,600,0.3536,,,2.8284,2.0000,KRvK,4.0000,KQvK,\n") != NULL, "%s", a.csv);
  /* by number, not by letter */
  cr_expect (strstr (a.csv, "KQvK,\nwdl,10,obdd,2,300,0.1768,,,2.0000,2.0000,") != NULL, "%s", a.csv);
  forget (&a);
}

/* Seven tables of which freedom saves half as much as it adds, but for one. */
Test (fits, gains_of_freedom_are_a_line_over_the_tables) {
  static const char *const table[] = { "KRvK", "KQvK", "KBvK", "KNvK", "KPvK", "KRvKR", "KQvKR" };
  sd_row row[14];
  for (unsigned i = 0; i < 7; i++) {
    row[i] = a_row ("a", table[i], "w", "lzma", 1000);
    row[7 + i] = a_row ("b", table[i], "w", "lzma", i == 6 ? 500 : 1000 - 50 * i);
    snprintf (row[7 + i].freedom, sizeof row[0].freedom, "illegal");
    row[i].slots = row[7 + i].slots = 1000;
    row[i].free_slots = 0;
    row[7 + i].free_slots = 100 * i;
  }
  asked_part a = ask_rows (row, 14, "a/lzma", "45-gains.sql");
  cr_expect_eq (count (a.csv, "\n"), 2, "%s", a.csv);
  cr_expect (strstr (a.csv, ",lzma,,illegal,none,7,") != NULL, "%s", a.csv);
  cr_expect (strstr (a.csv, ",KQvKR\n") != NULL, "its largest residual: %s", a.csv);
  forget (&a);
}

/* Eight block sizes on a line, but for one; and eight tables of one gain, but for one. */
Test (fits, fits_and_outliers_are_named) {
  static const char *const table[] = { "KRvK", "KQvK", "KBvK", "KNvK", "KPvK", "KRvKR", "KQvKR", "KQvKQ" };
  sd_row row[24];
  for (unsigned i = 0; i < 8; i++) {
    row[i] = a_row ("a", table[i], "w", "lzma", 1000);
    row[8 + i] = a_row ("b", table[i], "w", "obdd", i == 5 ? 100 : 500 + i);
    row[16 + i] = a_row ("c", "KRvK", "w", "zstd", 300 + i);
    row[16 + i].block = 1024u << i;
    snprintf (row[16 + i].settings, sizeof row[0].settings, "level=3,block=%u", 1024u << i);
    row[16 + i].get_ns = i == 4 ? 900 : 50 + 0.01 * (1024u << i);
  }
  asked_part fits = ask_rows (row, 24, "a/lzma", "46-fits.sql"), outliers = ask_rows (row, 24, "a/lzma", "47-outliers.sql");
  cr_expect_eq (count (fits.csv, "\n"), 2, "%s", fits.csv);
  cr_expect (strstr (fits.csv, "none,8,1024,131072,") != NULL, "%s", fits.csv);
  cr_expect (strstr (fits.csv, ",16384\n") != NULL, "its largest residual: %s", fits.csv);
  cr_expect_eq (count (outliers.csv, "\n"), 3, "%s", outliers.csv);
  cr_expect (strstr (outliers.csv, "block=16384\",none,time over block sizes,900,213.8,") != NULL, "%s", outliers.csv);
  cr_expect (strstr (outliers.csv, "b,KRvKR,wdl,wdl,obdd,,none,bytes by the baseline's,0.1,") != NULL, "%s", outliers.csv);
  forget (&fits);
  forget (&outliers);
}

/* ------------------------------------------------------------- many rows */

/* Rows of both sides with a choice of settings each, on `tables` tables. */
static sd_row *many_rows (size_t n, size_t tables) {
  static const char *const table[] = { "KRvK", "KQvK", "KBvK", "KNvK", "KPvK", "KRvKR", "KQvKR" };
  sd_row *row = calloc (n, sizeof *row);
  for (size_t i = 0; i < n; i++) {
    const size_t line = i / 2;
    sd_row *r = &row[i];
    *r = a_row ("a", table[line % tables], i % 2 ? "b" : "w", line % 3 ? "zstd" : "lzma",
                10000 + line * 7919 % 9973);
    r->block = line % 3 ? 1024 + line : 16384;
    snprintf (r->settings, sizeof r->settings, "level=%zu,block=%llu,a=%zu", line % 19,
              (unsigned long long) r->block, line % 5 ? line : 0);
    r->slots = 64000;
    r->blocks = 10;
    r->get_ns = 100 + (double) (line * 31 % 97);
    r->id = (int64_t) i + 1;
  }
  return row;
}

/* Seconds of a processor for all that is asked of the rows, and what figures are made of. */
static double seconds_for (size_t n, size_t tables) {
  static const char *const part[] = { "10-best.sql",  "20-sizes.sql", "25-two-way.sql", "31-pairs-tables.sql",
                                      "40-latency.sql", "46-fits.sql", "47-outliers.sql" };
  static const char *const figure[] = { "16-access.sql", "17-blocks.sql", "18-orders.sql", "19-heat.sql" };
  sd_error err = { 0 };
  sd_row *row = many_rows (n, tables);
  sd_store *store;
  sd_query *q;
  char name[40];
  snprintf (name, sizeof name, "many-%zu-%zu-%ld.db", n, tables, (long) clock ());
  cr_assert_eq (sd_store_open (in_folder (name), true, &store, &err), SD_OK, "%s", err.text);
  insert_all (store, row, n);
  const clock_t from = clock ();
  cr_assert_eq (sd_query_over (store, &(sd_query_options){ .baseline = "a/lzma" }, &q, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < sizeof part / sizeof *part; i++) {
    asked_part a = ask_part (q, part[i]);
    forget (&a);
  }
  for (unsigned i = 0; i < sizeof figure / sizeof *figure; i++)
    draw_part (q, figure[i]);
  const double seconds = (double) (clock () - from) / CLOCKS_PER_SEC;
  cr_expect_gt (ask_number (q, "SELECT count (*) FROM line"), (double) (n / 3));
  sd_query_close (q);
  sd_store_close (store);
  free (row);
  return seconds;
}

/* Four times the rows take about four times as long; sixteen times, if anything compared each with each. */
Test (fits, time_is_about_linear_in_the_rows, .timeout = 300) {
  for (size_t tables = 1; tables <= 7; tables += 6) {
    const double a = seconds_for (5000, tables), b = seconds_for (5000, tables), few = a < b ? a : b,
                 many = seconds_for (20000, tables);
    cr_expect (many < 8 * few + 0.1, "%zu tables: 5,000 rows %.3f s, 20,000 rows %.3f s", tables, few, many);
  }
}
