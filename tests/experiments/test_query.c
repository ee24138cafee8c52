/* Queries over a store: functions against values computed by hand, heads of files, CSV files as
 * tables, and SQL that wants more than to read. */
#include "config.h"
#include "experiments/query/query.h"
#include "tests/experiments/written_rows.h"
#include <unistd.h>

TestSuite (query, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* An answer as CSV; NULL: refused, and err says why. */
static char *ask (const char *db, const char *sql, enum sd_report_form form, sd_error *err) {
  const sd_report_asked asked = { .query = write_file ("asked.sql", sql), .form = form };
  sd_buf out = { 0 };
  *err = (sd_error){ 0 };
  char path[512];
  snprintf (path, sizeof path, "%s", db ? in_folder (db) : "");
  if (sd_report_query (db ? path : NULL, &asked, NULL, &out, err) != SD_OK) {
    sd_buf_free (&out);
    return NULL;
  }
  sd_buf_u8 (&out, 0);
  return (char *) out.data;
}

static void expect (const char *sql, const char *csv) {
  sd_error err;
  char *text = ask (NULL, sql, SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s: %s", sql, err.text);
  const char *rows = strchr (text, '\n') + 1;
  cr_expect_str_eq (rows, csv, "%s", sql);
  free (text);
}

static void refuse (const char *db, const char *sql, const char *why) {
  sd_error err;
  char *text = ask (db, sql, SD_FORM_CSV, &err);
  cr_expect (text == NULL, "%s: answered", sql);
  cr_expect (strstr (err.text, why) != NULL, "%s: %s", sql, err.text);
  free (text);
}

/* ------------------------------------------------------------------------ functions */

#define V(values) "WITH v (x, y, z) AS (VALUES " values ") SELECT "

Test (query, statistics_are_those_of_gsl) {
  expect (
      V ("(1, 0, 0), (4, 0, 0), (2, 0, 0), (9, 0, 0)") "median (x), quantile (x, 0.25), round (sd (x), 6) FROM v",
      "3,1.75,3.559026\n");
  /* 1, 2, 3, 4, 100: deviations from 3 are 2, 1, 0, 1, 97; their median is 1 */
  expect (V ("(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (100, 0, 0)") "robust_deviation (x) FROM v",
          "1.4826\n");
  expect (
      V ("(2, 0, 0), (8, 0, 0), (0, 0, 0), (NULL, 0, 0), ('a', 0, 0)") "geomean (x), geomean_low (x) FROM v",
      "4,\n");
  expect (V ("(2, 0, 0), (2, 0, 0), (2, 0, 0)") "geomean_low (x), geomean_high (x) FROM v", "2,2\n");
  expect (V ("(1, 10, 0), (2, 20, 0), (3, 15, 0), (4, 40, 0)") "round (rank_correlation (x, y), 6) FROM v",
          "0.8\n");
  /* y = 1 + 2 x; then one point off: slope and R^2 by hand */
  expect (
      V ("(0, 1, 0), (1, 3, 0), (2, 5, 0)") "fit_intercept (x, y), fit_slope (x, y), fit_r2 (x, y) FROM v",
      "1,2,1\n");
  expect (
      V ("(0, 0, 0), (1, 1, 0), (2, 0, 0)") "round (fit_intercept (x, y), 6), round (fit_slope (x, y), 6), round (fit_r2 (x, y), 6) FROM v",
      "0.333333,0,0\n");
  /* the last point is far off, and most slopes do not see it */
  expect (V ("(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 3, 0), (4, 40, 0)") "robust_slope (x, y) FROM v", "1\n");
  /* y = 1 + 2 x - 3 z */
  expect (
      V ("(0, 1, 0), (1, 3, 0), (0, -2, 1), (1, 0, 1), (2, -1, 2)") "round (json_extract (r, '$.constant'), 6), round (json_extract (r, '$.coefficients[0]'), 6), round (json_extract (r, '$.coefficients[1]'), 6),"
                                                                    " round (json_extract (r, '$.r2'), 6), json_extract (r, '$.n') FROM (SELECT regress (y, x, z) AS r FROM v)",
      "1,2,-3,1,5\n");
  expect (V ("(1, 'a', 0), (3, 'b', 0), (2, 'c', 0)") "at_most (x, y), at_most (-x, y) FROM v", "b,a\n");
  expect (V ("(1, 1, 0)") "fit_slope (x, y), sd (x), regress (y, x), robust_slope (x, y) FROM v", ",,,\n");
  expect (V ("(1, 1, 0), (2, 2, 0)") "rank_correlation (x, y) FROM v", "\n");
  expect (V ("(0, 1e308, 0), (1, -1e308, 0), (2, 1e308, 1)") "regress (y, x) FROM v", "\n");
  refuse (NULL, "SELECT regress ()", "1 to 12 columns");
  expect ("SELECT key, value FROM json_each ('{\"a\":1,\"b\":2}')", "a,1\nb,2\n");
}

Test (query, words_of_settings_and_freedom) {
  expect (
      "SELECT setting ('a=1,block=64', 'block'), setting ('a=1', 'b') IS NULL, settings_without ('a=1,block=64,b=2', 'block')",
      "64,1,\"a=1,b=2\"\n");
  expect ("SELECT common_settings (column1) FROM (VALUES ('a=1,b=2,c=3'), ('a=1,b=3,c=3'))", "\"a=1,c=3\"\n");
  expect (
      "SELECT shown_settings ('a=1,block=3,b=2', 'a=1'), has_settings ('a=1,c=3', 'c=3,b=2,a=1'), has_settings ('a=1', 'a=12')",
      " b=2,1,0\n");
  expect (
      "SELECT plain_order ('KRvK'), free_bits ('illegal+capture') & ~free_bits ('all'), free_bits ('none')",
      "KRk,0,0\n");
  expect (
      "SELECT text_count (1234567), text_ns (1500), metric_title ('wdl'), bounds (0.5, 0.75), bounds (NULL, 1)",
      "\"1,234,567\",1.50 us,WDL,0.500 to 0.750,\n");
}

/* ----------------------------------------------------------------------------- heads */

Test (query, the_head_says_how_an_answer_looks) {
  sd_error err;
  char *md = ask (
      NULL,
      "-- title: Sums of {1 + 1}\n-- text: Behind\n--   a line.\n-- column: n | numbers | count\n-- column: t | | ns\n"
      "-- column: gone | | known\n-- column: raw | | file\n\nSELECT 1234 AS n, 1500 AS t, NULL AS gone, 2 AS raw\n",
      SD_FORM_MD, &err);
  cr_assert (md != NULL, "%s", err.text);
  cr_expect_str_eq (
      md, "## Sums of 2\n\nBehind a line.\n\n| numbers | t |\n| ---: | ---: |\n| 1,234 | 1.50 us |\n\n");
  free (md);
  char *json = ask (NULL, "SELECT 1 AS a, 2.5 AS b, NULL AS c, 'x\"' AS d", SD_FORM_JSON, &err);
  cr_assert (json != NULL, "%s", err.text);
  cr_expect (strstr (json, "\"a\": 1") && strstr (json, "\"b\": 2.5") && strstr (json, "\"c\": null")
                 && strstr (json, "\"d\": \"x\\\"\""),
             "%s", json);
  free (json);
  refuse (NULL, "-- colour: red\nSELECT 1", "asked.sql:1: \"colour\": is no word");
  refuse (NULL, "-- title: a\n-- column: a | b | furlongs\n\nSELECT 1 AS a", "asked.sql:2: \"furlongs\"");
  refuse (NULL, "-- column: b\n\nSELECT 1 AS a", "the SELECT has none of this name");
  refuse (NULL, "-- a remark\nSELECT 1", "remarks stand behind an empty line");
  cr_expect (ask (NULL, "-- title: {1\n\nSELECT 1", SD_FORM_MD, &err) == NULL
                 && strstr (err.text, "ends with }"),
             "%s", err.text);
  refuse (NULL, "\n\nSELECT 1,\n  x", "asked.sql:4: no such column: x");
  refuse (NULL, "-- title: a\n", "holds no SELECT");
  refuse (NULL, "SELECT 1; SELECT 2", "one SELECT");
  refuse (NULL, "-- level: 4\n\nSELECT 1", "asked.sql:1: \"4\": a level is 2 or 3");
  refuse (NULL, "-- csv: a b.csv more\n\nSELECT 1", "asked.sql:1: ");
  refuse (NULL, "SELECT 1;\n\nSELEC 2", "asked.sql:3: ");
  cr_expect (ask (NULL, "-- title: a\n-- text: {nosuch (1)}\n\nSELECT 1", SD_FORM_MD, &err) == NULL
                 && strstr (err.text, "asked.sql: {nosuch (1)"),
             "%s", err.text);
  refuse (NULL, "SELECT 1 AS a23456789012345678901234567890123456789012345678901234567890123456789",
          "column 1 has more than 63 bytes");
}

/* Numbers keep all their digits, and what is too large for a form is still the number. */
Test (query, numbers_are_what_they_were) {
  sd_error err;
  expect ("SELECT 1234567890123456, 9007199254740993, -9223372036854775807, 0.1, 1.0 / 3",
          "1234567890123456,9007199254740993,-9223372036854775807,0.1,0.33333333333333331\n");
  expect ("SELECT text_count (-5) = '-5', bounds (1e300, 2e300)", "1,1e+300 to 2e+300\n");
  char *json = ask (NULL, "SELECT 9007199254740993 AS a, 9e999 AS b, 1e300 AS c", SD_FORM_JSON, &err);
  cr_assert (json != NULL, "%s", err.text);
  cr_expect (strstr (json, "\"a\": 9007199254740993") && strstr (json, "\"b\": null")
                 && strstr (json, "e300"),
             "%s", json);
  free (json);
  char *text = ask (NULL, "-- column: a | | count\n\nSELECT 1e40 AS a", SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s", err.text);
  cr_expect_str_eq (text, "a\n1e+40\n");
  free (text);
}

/* A table of two axes with a hole would put values under wrong heads. */
Test (query, a_table_of_two_axes_needs_each_pair) {
  static const char head[] =
      "-- cross: r corner h\n-- column: v | | count\n\nWITH t (r, h, v) AS (VALUES %s) SELECT r, 'x' AS corner, h, v "
      "FROM t";
  static const char *const good = "('r1', 'A', 1), ('r1', 'B', 2), ('r2', 'A', 3), ('r2', 'B', 4)",
                           *const bad[] = {
                             "('r1', 'A', 1), ('r1', 'B', 2), ('r2', 'B', 3), ('r3', 'A', 4), ('r3', 'B', 5)",
                             "('r1', 'A', 1), ('r1', 'B', 2), ('r2', 'A', 3)"
                           };
  char sql[500];
  sd_error err;
  snprintf (sql, sizeof sql, head, good);
  char *md = ask (NULL, sql, SD_FORM_MD, &err);
  cr_assert (md != NULL, "%s", err.text);
  cr_expect (strstr (md, "| r2 | 3 | 4 |") != NULL, "%s", md);
  free (md);
  for (unsigned i = 0; i < 2; i++) {
    snprintf (sql, sizeof sql, head, bad[i]);
    cr_expect (ask (NULL, sql, SD_FORM_MD, &err) == NULL && strstr (err.text, "needs each head in each row"),
               "%s", err.text);
  }
}

/* Of more columns than a page has room for the page says how many it leaves out, and the file has them. */
Test (query, columns_of_two_axes_without_room_are_told) {
  static const char sql[] =
      "-- cross: r corner h\n-- column: v | | count\n-- column: w | | count\n\nWITH RECURSIVE h (h) AS (SELECT 1"
      " UNION ALL SELECT h + 1 FROM h LIMIT %u) SELECT 'a row' AS r, 'x' AS corner, h, h + 100 AS v, h + 200 AS w FROM h";
  static const char *const says[] = { "", "1 more column has no room here; the table as CSV",
                                      "3 more columns have no room here; the table as CSV" };
  static const unsigned heads[] = { 12, 13, 15 };
  char text[500];
  sd_error err;
  for (unsigned i = 0; i < 3; i++) {
    snprintf (text, sizeof text, sql, heads[i]);
    char *md = ask (NULL, text, SD_FORM_MD, &err), *csv = ask (NULL, text, SD_FORM_CSV, &err);
    cr_assert (md && csv, "%s", err.text);
    cr_expect (strstr (md, says[i]) && strstr (md, "| 112 | 212 |\n") && !strstr (md, "113"), "%s", md);
    cr_expect_eq (strstr (md, "no room") != NULL, i > 0);
    cr_expect_eq (count (csv, "\n"), 1 + heads[i], "%s", csv);
    free (md);
    free (csv);
  }
}

/* A side that was not timed is not left out of a mean. */
Test (query, a_time_of_one_side_is_none_of_the_table) {
  sd_error err;
  fill_store ();
  sqlite3 *db;
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (db, "UPDATE cell SET get_ns = NULL WHERE side = 'b'", NULL, NULL, NULL),
                SQLITE_OK);
  cr_assert_gt (sqlite3_changes (db), 0);
  sqlite3_close (db);
  char *text = ask ("rows.db", "SELECT count (get_ns), count (*) FROM line", SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s", err.text);
  cr_expect (strstr (text, "\n0,3\n") != NULL, "%s", text);
  free (text);
}

Test (query, csv_files_are_tables) {
  sd_error err;
  write_file ("kept.csv", "name,bytes,note\r\na,10,\"x, \"\"y\"\"\"\r\nb,20\r\n");
  char *text = ask (
      NULL, "-- csv: kept kept.csv\n\nSELECT name, bytes * 2 AS twice, note, note IS NULL AS n FROM kept",
      SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s", err.text);
  cr_expect_str_eq (text, "name,twice,note,n\na,20,\"x, \"\"y\"\"\",0\nb,40,,1\n");
  free (text);
  refuse (NULL, "-- csv: kept /etc/passwd\n\nSELECT * FROM kept", "beside or below");
  refuse (NULL, "-- csv: kept ../kept.csv\n\nSELECT * FROM kept", "beside or below");
  refuse (NULL, "-- csv: k\"x kept.csv\n\nSELECT 1", "no name of a table");
  refuse (NULL, "-- csv: kept gone.csv\n\nSELECT 1", "gone.csv");
  write_file ("long.csv", "a\n1,2\n");
  refuse (NULL, "-- csv: kept long.csv\n\nSELECT 1", "long.csv:2: more cells");
  write_file ("long.csv", "a,b\n\n\"x\ny\",1\n1,2,3\n");
  refuse (NULL, "-- csv: kept long.csv\n\nSELECT 1", "long.csv:5: more cells");
  write_file ("open.csv", "a,b\nx,\"y\n\nz,1\n");
  refuse (NULL, "-- csv: kept open.csv\n\nSELECT 1", "open.csv:2: a quoted cell has no end");
  write_file ("open.csv", "a,b\n\"x\"y,2\n");
  refuse (NULL, "-- csv: kept open.csv\n\nSELECT 1", "open.csv:2: a cell goes on behind its closing quote");
  write_file ("open.csv", "");
  refuse (NULL, "-- csv: kept open.csv\n\nSELECT 1", "open.csv:1: is empty");
}

/* Numbers are numbers, and what only looks like one stays the text that it is. */
Test (query, cells_of_csv_files_keep_what_they_say) {
  sd_error err;
  write_file ("kept.csv", "a\n\n12\n-0.50\n1.5e-07\n12e5\n007\n1234567890123456789012\n7e12345\n \n\n");
  char *text = ask (NULL, "-- csv: kept kept.csv\n\nSELECT a, typeof (a) AS t FROM kept", SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s", err.text);
  cr_expect_str_eq (
      text, "a,t\n12,integer\n-0.5,real\n1.5e-07,real\n12e5,text\n007,text\n1234567890123456789012,text\n"
            "7e12345,text\n ,text\n");
  free (text);
  char *large = malloc ((17 << 20) + 3);
  cr_assert (large != NULL);
  memcpy (large, "a\n", 2);
  memset (large + 2, 'x', 17 << 20);
  large[(17 << 20) + 2] = '\0';
  write_file ("kept.csv", large);
  free (large);
  refuse (NULL, "-- csv: kept kept.csv\n\nSELECT a IS NULL AS n FROM kept", "kept.csv:2: ");
}

/* A stranger's query file reads nothing but what lies below its folder, and does not stand a table of its own
 * before those of the store. */
Test (query, csv_files_of_strangers_stay_in_their_place) {
  char below[512], link[512];
  fill_store ();
  write_file ("kept.csv", "bytes\n1\n");
  refuse ("rows.db", "-- csv: cell kept.csv\n\nSELECT sum (bytes) FROM cell",
          "there is a table cell already");
  refuse ("rows.db", "-- csv: line kept.csv\n\nSELECT 1", "there is a table line already");
  refuse (NULL, "-- csv: a kept.csv\n-- csv: a kept.csv\n\nSELECT 1", "there is a table a already");
  snprintf (link, sizeof link, "%s", in_folder ("link.csv"));
  cr_assert (symlink ("/etc/passwd", link) == 0);
  refuse (NULL, "-- csv: kept link.csv\n\nSELECT * FROM kept", "beside or below");
  unlink (link);
  snprintf (below, sizeof below, "%s", in_folder ("below"));
  cr_assert (symlink ("/etc", below) == 0);
  refuse (NULL, "-- csv: kept below/passwd\n\nSELECT * FROM kept", "beside or below");
  unlink (below);
}

/* --------------------------------------------------------------------------- hostile */

Test (query, who_asks_only_reads) {
  static const char *const sql[] = {
    "ATTACH 'other.db' AS other",
    "DETACH main",
    "PRAGMA writable_schema = 1",
    "SELECT * FROM pragma_database_list",
    "DELETE FROM cell",
    "UPDATE cell SET bytes = 1",
    "INSERT INTO cell (id) VALUES (99)",
    "DROP TABLE cell",
    "DROP TABLE temp.line",
    "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x (a)",
    "CREATE VIRTUAL TABLE x USING fts5 (a)",
    "SELECT load_extension ('x.so')",
    "SELECT writefile ('x', 'y')",
    "SELECT readfile ('/etc/passwd')",
    "SELECT edit ('x')",
    "SELECT randomblob (9)",
    "SELECT fts3_tokenizer ('simple')",
    "VACUUM INTO 'x.db'",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT x",
    "SELECT sqlite_version ()",
    "SELECT 1; DELETE FROM cell",
    "EXPLAIN DELETE FROM cell",
    "WITH x AS (SELECT 1) DELETE FROM cell",
    "SELECT 1 FROM cell UNION SELECT load_extension ('x')",
  };
  fill_store ();
  char *before = NULL, *after = NULL;
  sd_error err;
  before = ask ("rows.db", "SELECT count (*), sum (bytes), total (run) FROM cell", SD_FORM_CSV, &err);
  cr_assert (before != NULL, "%s", err.text);
  for (unsigned i = 0; i < sizeof sql / sizeof *sql; i++) {
    char *text = ask ("rows.db", sql[i], SD_FORM_CSV, &err);
    cr_expect (text == NULL, "%s: %s", sql[i], text);
    cr_expect (strncmp (err.text, folder, strlen (folder)) == 0, "%s: %s", sql[i], err.text);
    free (text);
    char head[300];
    snprintf (head, sizeof head, "-- title: {%s}\n\nSELECT 1 AS a", sql[i]);
    text = ask ("rows.db", head, SD_FORM_MD, &err);
    cr_expect (text == NULL || strstr (sql[i], "SELECT") == NULL, "in a head: %s: %s", sql[i], text);
    free (text);
  }
  refuse (NULL, "VACUUM INTO 'x.db'", "one SELECT");
  refuse ("rows.db", "PRAGMA journal_mode = OFF", "PRAGMA journal_mode is not allowed");
  refuse ("rows.db", "SELECT load_extension ('x')", "load_extension is not allowed");
  refuse ("rows.db", "CREATE TABLE x (a)",
          "a table function but json_each and json_tree, or what makes or drops something is not allowed");
  after = ask ("rows.db", "SELECT count (*), sum (bytes), total (run) FROM cell", SD_FORM_CSV, &err);
  cr_expect_str_eq (before, after);
  for (unsigned i = 0; i < 3; i++) {
    static const char *const made[] = { "other.db", "x", "x.db" };
    cr_expect (!sd_file_exists (in_folder (made[i])) && !sd_file_exists (made[i]), "made %s", made[i]);
  }
  free (before);
  free (after);
}

/* Ended with a sentence, and not long after the time is over. */
static void ends_after (double seconds, const char *sql) {
  sd_query_file f;
  sd_query *q;
  sd_result a;
  sd_error err = { 0 };
  cr_assert_eq (sd_query_parse ("endless.sql", sql, &f, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_query_open (NULL, &(sd_query_options){ .seconds = seconds }, &q, &err), SD_OK, "%s",
                err.text);
  const double start = sd_cpu_now ();
  cr_expect_eq (sd_query_ask (q, &f, &a, &err), SD_ERANGE, "%s: %s", sql, err.text);
  cr_expect (strstr (err.text, "takes more than") != NULL, "%s", err.text);
  cr_expect (sd_cpu_now () - start < seconds + 20, "%s: %g s", sql, sd_cpu_now () - start);
  sd_query_close (q);
  sd_query_file_free (&f);
}

/* What never ends, or grows without end, is ended. */
Test (query, endless_queries_are_ended) {
  refuse (NULL, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
          "gives more than 100000 rows");
  refuse (
      NULL,
      "WITH RECURSIVE s (t) AS (SELECT 'x' UNION ALL SELECT t || t FROM s LIMIT 40) SELECT length (t) FROM s",
      "too big");
  refuse (NULL,
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 90000) "
          "SELECT printf ('%60000s', 'x') FROM n",
          "gives more than 256 MiB");
  refuse (NULL, "SELECT trim ('aaa', 'a')", "take one text here");
  ends_after (0.2,
              "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count (*) FROM n");
  /* one call of a function after the other, each as slow as such calls may be */
  ends_after (
      0.2, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n), t (a, b) AS (SELECT printf "
           "('%.*c', 40000, 'a'), printf ('%.*c', 20000, 'a') || 'b') SELECT sum (instr (a, b)) FROM n, t");
}

/* Sorting what is larger than the bound, and keeping it, ends with a sentence, and not with the program. */
Test (query, memory_has_a_bound) {
  static const char *const sql[] = {
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT printf ('%1000d', i) AS t FROM n ORDER BY -i",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000000) SELECT median (i) FROM n",
    "WITH RECURSIVE n (i, t) AS (SELECT 1, 'x' UNION SELECT i + 1, printf ('%1000d', i) FROM n) SELECT count (*) FROM n",
  };
  for (unsigned i = 0; i < sizeof sql / sizeof *sql; i++) {
    sd_query_file f;
    sd_query *q;
    sd_result a;
    sd_error err = { 0 };
    cr_assert_eq (sd_query_parse ("large.sql", sql[i], &f, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_query_open (NULL, &(sd_query_options){ .memory = 16 }, &q, &err), SD_OK, "%s", err.text);
    cr_expect_eq (sd_query_ask (q, &f, &a, &err), SD_ENOMEM, "%s: %s", sql[i], err.text);
    cr_expect (strstr (err.text, "large.sql:1: needs more memory than a query may have (16 MiB)") != NULL,
               "%s", err.text);
    sd_query_close (q);
    sd_query_file_free (&f);
  }
}

Test (query, hostile_texts_of_cells_stay_texts) {
  static const char sql[] = "SELECT '=cmd|x' AS \"<b>\", '<script>' AS b, '|x' AS c, '\\input{x}' AS d";
  sd_error err;
  char *text = ask (NULL, sql, SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s", err.text);
  cr_expect (strstr (text, "'=cmd|x") != NULL, "%s", text);
  free (text);
  text = ask (NULL, sql, SD_FORM_HTML, &err);
  cr_expect (text && count (text, "<script") == 1 && !strstr (text, "<b>"), "the page's own only");
  free (text);
  text = ask (NULL, sql, SD_FORM_MD, &err);
  cr_expect (text && strstr (text, "\\|x") && strstr (text, "\\<script"), "%s", text);
  free (text);
  text = ask (NULL, sql, SD_FORM_TEX, &err);
  cr_expect (text && !strstr (text, "\\input{"), "%s", text);
  free (text);
}

/* ------------------------------------------------------------------------------ lines */

Test (query, a_query_asks_the_lines_of_a_store) {
  sd_error err;
  fill_store ();
  char *text =
      ask ("rows.db", "SELECT label, free, bytes, plain_bytes, orders, layouts FROM line ORDER BY bytes",
           SD_FORM_CSV, &err);
  cr_assert (text != NULL, "%s", err.text);
  cr_expect_str_eq (
      text,
      "label,free,bytes,plain_bytes,orders,layouts\nrepair 128 B,used,600,1800,2,KRk\nrepair 64 B,used,700,1800,1,KRk\n"
      "lzma 16 KiB,none,1800,1800,1,KRk\n");
  free (text);
  put ("cell", "codec", "a b");
  refuse ("rows.db", "SELECT 1", "column codec");
}
