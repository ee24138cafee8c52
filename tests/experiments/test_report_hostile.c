/* Texts and numbers of a store that nobody measured: none of them runs, leaves the folder of the report, or
 * is markup of the page. */
#include "config.h"
#include "experiments/store/store_internal.h"
#include "tests/base/long_tests.h"
#include "tests/experiments/written_rows.h"
#include <dirent.h>

TestSuite (hostile, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* Each makes a file called marker if it is taken for a command where it ends up, or one outside the folder,
 * or markup. */
static const char *const hostile[] = {
  "z';system('touch marker');#",
  "z'\n!touch marker\n#",
  "a\nEOD\n!touch marker\n$d<<EOD\n",
  "`touch marker`",
  "\"; system \"touch marker\"; \"",
  "a\\\n!touch marker\n",
  "=cmd|'/c touch marker'!A1",
  "@SUM(1)",
  "<script>touch marker</script>",
  "]]></svg><img src=x onerror=touch>",
  "/../../escaped",
  "```\n<script>x</script>",
  "\x1b]0;touch\a",
  "\xff\xfe'<",
};

static const char *const cell_columns[] = { "group",    "table",   "metric",  "coding",    "side",
                                            "sides",    "freedom", "order",   "numbering", "codec",
                                            "settings", "sampled", "finished" };
static const char *const run_columns[] = { "started",  "title",      "version",    "commit",
                                           "compiler", "flags",      "configure",  "host",
                                           "kernel",   "command",    "libraries",  "tables",
                                           "cpu",      "sweep_file", "sweep_hash", "sweep" };

/* Nothing in the folder but the database and what a report is made of. */
static void check_names (const char *path, const char *column, const char *text) {
  static const char *const endings[] = {
    ".gp", ".dat", ".svg", ".pdf", ".csv", ".md", ".html", ".tex", ".db"
  };
  DIR *d = opendir (path);
  for (struct dirent *e; d && (e = readdir (d));) {
    bool known =
        e->d_name[0] == '.' || strcmp (e->d_name, "report") == 0 || strcmp (e->d_name, "tables") == 0;
    for (unsigned i = 0; i < sizeof endings / sizeof *endings && !known; i++) {
      const size_t len = strlen (e->d_name), end = strlen (endings[i]);
      known = len > end && strcmp (e->d_name + len - end, endings[i]) == 0;
    }
    cr_expect (known, "%s = \"%s\": made %s", column, text, e->d_name);
  }
  if (d)
    closedir (d);
}

/* No cell of a table of numbers that a spreadsheet computes. */
static void check_csv (const char *name, const char *column, const char *text) {
  char *csv = read_file (name);
  for (const char *p = csv; *p; p++) {
    const bool first = p == csv || p[-1] == ',' || p[-1] == '\n'
                       || (p[-1] == '"' && (p == csv + 1 || strchr (",\n", p[-2])));
    cr_expect (!(first && strchr ("=@\t\r", *p)), "%s = \"%s\": %s has a formula: %.20s", column, text, name,
               p);
  }
  free (csv);
}

static void check_output (const char *column, const char *text) {
  static const char *const csv[] = { "report/cells.csv", "report/sizes.csv", "report/best.csv",
                                     "report/orders.csv" };
  char *html = read_file ("report/index.html"), *md = read_file ("report/report.md"),
       *gp = read_file ("report/size_KRvK_wdl.gp");
  cr_expect_eq (count (html, "<script"), 1, "the page's own only: %s = \"%s\"", column, text);
  cr_expect_eq (count (html, "<img"), 0, "%s = \"%s\"", column, text);
  cr_expect_eq (count (html, "\x1b"), 0, "%s = \"%s\"", column, text);
  cr_expect_eq (count (md, "\x1b"), 0, "%s = \"%s\"", column, text);
  /* in Markdown only behind a backslash, or in a block of code */
  char *fence = strstr (md, "\n````");
  if (!fence)
    fence = strstr (md, "\n```");
  cr_assert (fence != NULL);
  *fence = '\0';
  cr_expect_eq (count (md, "<script"), count (md, "\\<script"), "%s = \"%s\"", column, text);
  cr_expect_eq (count (md, "<img"), count (md, "\\<img"), "%s = \"%s\"", column, text);
  cr_expect_eq (count (gp, "touch"), 0, "%s = \"%s\"", column, text);
  for (unsigned i = 0; i < sizeof csv / sizeof *csv; i++)
    check_csv (csv[i], column, text);
  free (html);
  free (md);
  free (gp);
}

/* The store as it was before any attack. */
static sd_map clean;

static void keep_clean (void) {
  sd_error err = { 0 };
  fill_store ();
  cr_assert_eq (rename (in_folder ("rows.db"), in_folder ("clean.db")), 0);
  cr_assert_eq (sd_map_open (in_folder ("clean.db"), &clean, &err), SD_OK, "%s", err.text);
}

/* A report with this text in this column. */
static void attack (const char *table, const char *column, const char *text) {
  sd_error err = { 0 };
  FILE *f = fopen (in_folder ("rows.db"), "w");
  cr_assert (f && fwrite (clean.data, 1, clean.len, f) == clean.len && fclose (f) == 0);
  put (table, column, text);
  temporary_remove (in_folder ("report"));
  int status = report (&(sd_report_options){ .gnuplot = "gnuplot" }, &err);
  cr_expect (status == SD_OK || status == SD_EFORMAT, "%s = \"%s\": %s", column, text, err.text);
  if (status == SD_OK)
    check_output (column, text);
  else {
    char place[40];
    snprintf (place, sizeof place, "column %s: ", column);
    cr_expect (strstr (err.text, place) != NULL, "%s = \"%s\": %s", column, text, err.text);
    cr_expect (strstr (err.text, "rows.db: r") != NULL, "no place: %s", err.text);
    cr_expect (strpbrk (err.text, "\x1b\n\a") == NULL, "%s: the message holds what a terminal obeys", column);
    cr_expect (!sd_file_exists (in_folder ("report")), "%s = \"%s\": refused, yet written", column, text);
  }
  check_names (folder, column, text);
  check_names (in_folder ("report"), column, text);
  check_names (in_folder ("report/tables"), column, text);
  cr_expect (!sd_file_exists ("marker") && !sd_file_exists (in_folder ("marker")),
             "%s = \"%s\": a command ran", column, text);
}

/* Do figures have words of the column? */
static bool is_drawn (const char *column) {
  static const char *const drawn[] = { "group", "table", "codec", "settings", "order", "title" };
  for (unsigned i = 0; i < sizeof drawn / sizeof *drawn; i++)
    if (strcmp (column, drawn[i]) == 0)
      return true;
  return false;
}

/* Every text in the columns that figures have words of; in the others some, in long tests all. */
static void attack_all (const char *table, const char *const *column, size_t n) {
  const unsigned every = sd_every (6);
  keep_clean ();
  for (size_t c = 0; c < n; c++)
    for (unsigned h = is_drawn (column[c]) ? 0 : (unsigned) c % every; h < sizeof hostile / sizeof *hostile;
         h += is_drawn (column[c]) ? 1 : every)
      attack (table, column[c], hostile[h]);
  sd_map_close (&clean);
}

Test (hostile, no_text_of_a_row_runs_or_leaves_the_folder) {
  attack_all ("cell", cell_columns, sizeof cell_columns / sizeof *cell_columns);
}

Test (hostile, no_text_of_a_run_runs_or_leaves_the_folder) {
  attack_all ("run", run_columns, sizeof run_columns / sizeof *run_columns);
}

/* Every column of text is in the lists above: a new one must be looked at, too. */
Test (hostile, all_columns_of_text_are_attacked) {
  static const struct {
    const char *table;
    const char *const *column;
    size_t n;
  } list[] = { { "cell", cell_columns, sizeof cell_columns / sizeof *cell_columns },
               { "run", run_columns, sizeof run_columns / sizeof *run_columns } };
  fill_store ();
  for (unsigned t = 0; t < 2; t++) {
    sqlite3 *db;
    sqlite3_stmt *q;
    char sql[100];
    size_t texts = 0;
    cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
    snprintf (sql, sizeof sql,
              "SELECT name FROM pragma_table_info ('%s') WHERE type = 'TEXT' AND name <> 'key'",
              list[t].table);
    cr_assert_eq (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), SQLITE_OK, "%s", sqlite3_errmsg (db));
    for (; sqlite3_step (q) == SQLITE_ROW; texts++) {
      const char *name = (const char *) sqlite3_column_text (q, 0);
      bool known = false;
      for (size_t i = 0; i < list[t].n; i++)
        known = known || strcmp (list[t].column[i], name) == 0;
      cr_expect (known, "%s.%s", list[t].table, name);
    }
    cr_expect_eq (texts, list[t].n);
    sqlite3_finalize (q);
    sqlite3_close (db);
  }
}

Test (hostile, numbers_that_nobody_measured_are_refused) {
  static const struct {
    const char *column, *text;
  } bad[] = { { "bytes", "-1" },  { "bytes", "=1+1" },     { "blocks", "9223372036854775807" },
              { "get_ns", "-5" }, { "encode_s", "1e300" }, { "block", "-128" } };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_error err = { 0 };
    unlink (in_folder ("rows.db"));
    fill_store ();
    put ("cell", bad[i].column, bad[i].text);
    cr_expect_eq (report (NULL, &err), SD_EFORMAT, "%s = %s", bad[i].column, bad[i].text);
    cr_expect (strstr (err.text, bad[i].column) != NULL, "%s", err.text);
  }
}

/* A view in place of the table could compute for ever. */
Test (hostile, views_are_not_followed) {
  sd_error err = { 0 };
  fill_store ();
  run_sql ("rows.db",
           "ALTER TABLE cell RENAME TO hidden; CREATE VIEW cell AS WITH RECURSIVE n (i) AS (SELECT 1 "
           "UNION ALL SELECT i + 1 FROM n) SELECT hidden.* FROM hidden, n");
  cr_expect_neq (report (NULL, &err), SD_OK);
}

Test (hostile, each_border_has_its_quotes) {
  static const struct {
    void (*put) (sd_buf *, const char *);
    const char *text, *quoted;
  } is[] = {
    { sd_put_html, "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;" },
    { sd_put_html, "\x01\xc3\x28 \xc3\xa9 \xed\xa0\x80",
      "\xef\xbf\xbd\xef\xbf\xbd( \xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
    { sd_put_html,
      "\xc2\x9b"
      "2J",
      "\xef\xbf\xbd"
      "2J" },
    { sd_put_md, "a|b*c*<d>\n`e` [f](g) x_y _z_ &amp; R & D",
      "a\\|b\\*c\\*\\<d\\> \\`e\\` \\[f\\](g) x_y \\_z\\_ \\&amp; R & D" },
    { sd_put_md, "- no list", "\\- no list" },
    { sd_put_md, "-12 %", "-12 %" },
    { sd_put_md_code, "a\n````\nb", "`````\na\n````\nb\n`````\n" },
    { sd_put_tex, "5 % of_{x} \\input{y} ~^ \x80",
      "5 \\% of\\_\\{x\\} \\textbackslash{}input\\{y\\} \\textasciitilde{}\\textasciicircum{} ?" },
    { sd_put_csv_cell, "=1+1", "'=1+1" },
    { sd_put_csv_cell, "-2+3", "'-2+3" },
    { sd_put_csv_cell, "+cmd,x", "\"'+cmd,x\"" },
    { sd_put_csv_cell, "\tx", "'\tx" },
    { sd_put_csv_cell, "-1.5e-3", "-1.5e-3" },
    { sd_put_csv_cell, "-nan(1)", "'-nan(1)" },
    { sd_put_csv_cell, "a\"b", "\"a\"\"b\"" },
    { sd_put_gnuplot, "'KRk'\"`\\\n\x80 \"x\" \xc3\xa9",
      "\"\xe2\x80\x98KRk\xe2\x80\x99\xe2\x80\x9d\xe2\x80\x98??? \xe2\x80\x9cx\xe2\x80\x9d \xc3\xa9\"" },
  };
  for (unsigned i = 0; i < sizeof is / sizeof *is; i++) {
    sd_buf b = { 0 };
    is[i].put (&b, is[i].text);
    sd_buf_u8 (&b, 0);
    cr_expect_str_eq ((char *) b.data, is[i].quoted, "%u: %s", i, (char *) b.data);
    sd_buf_free (&b);
  }
  char name[32];
  sd_file_part ("/../x y-1", name, sizeof name);
  cr_expect_str_eq (name, "____x_y_1");
}

Test (hostile, a_folder_without_a_name_is_refused) {
  sd_error err = { 0 };
  fill_store ();
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), "", NULL, &err), SD_EINVAL);
  cr_expect_eq (sd_make_folder ("", &err), SD_EINVAL);
}
