/* The report over rows that were written by hand: hostile texts in every column, what is drawn and what is
 * said of it, runs that do not compare. What needs measured rows is in test_experiments.c. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include "experiments/store/row_check.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------- helpers */

static char folder[256];

static void make_folder (void) {
  const char *base = getenv ("SD_BUILDDIR");
  snprintf (folder, sizeof folder, "%s/report-XXXXXX", base ? base : ".");
  cr_assert (mkdtemp (folder) != NULL, "no folder %s", folder);
}

static void remove_all (const char *path) {
  DIR *d = opendir (path);
  for (struct dirent *e; d && (e = readdir (d));) {
    char name[1024];
    if (strcmp (e->d_name, ".") == 0 || strcmp (e->d_name, "..") == 0)
      continue;
    snprintf (name, sizeof name, "%s/%s", path, e->d_name);
    if (unlink (name) != 0)
      remove_all (name);
  }
  if (d)
    closedir (d);
  rmdir (path);
}

static void remove_folder (void) {
  remove_all (folder);
}

static const char *in_folder (const char *name) {
  static char path[4][512];
  static unsigned turn;
  char *p = path[turn++ % 4];
  snprintf (p, sizeof path[0], "%s/%s", folder, name);
  return p;
}

static char *read_file (const char *name) {
  sd_map map;
  sd_error err = { 0 };
  cr_assert_eq (sd_map_open (in_folder (name), &map, &err), SD_OK, "%s", err.text);
  char *text = calloc (1, map.len + 1);
  if (map.len)
    memcpy (text, map.data, map.len);
  sd_map_close (&map);
  return text;
}

static size_t count (const char *text, const char *word) {
  size_t n = 0;
  for (const char *p = text; (p = strstr (p, word)); p++)
    n++;
  return n;
}

/* Both sides of KRvK with a codec, settings and order; times in nanoseconds, NAN: none. */
static void insert (sd_store *store, const char *group, const char *codec, const char *settings,
                    const char *freedom, const char *order, uint64_t bytes, double get_ns) {
  sd_row r = { .slots = 1000,
               .positions = 900,
               .bytes = bytes,
               .payload_bytes = bytes,
               .blocks = 10,
               .main = 3,
               .threads = 1 };
  sd_settings set;
  sd_error err = { 0 };
  snprintf (r.group, sizeof r.group, "%s", group);
  snprintf (r.codec, sizeof r.codec, "%s", codec);
  snprintf (r.order, sizeof r.order, "%s", order);
  snprintf (r.freedom, sizeof r.freedom, "%s", freedom);
  strcpy (r.table, "KRvK");
  strcpy (r.metric, "wdl");
  strcpy (r.coding, "wdl");
  strcpy (r.numbering, "rows");
  snprintf (r.settings, sizeof r.settings, "%s", settings);
  if (sd_codec_find (codec)) {
    cr_assert_eq (sd_settings_parse (sd_codec_find (codec), settings, &set, &err), SD_OK, "%s", err.text);
    sd_settings_text (&set, r.settings, sizeof r.settings);
  }
  const char *block = strstr (r.settings, "block=");
  r.block = block ? atoi (block + 6) : 0;
  r.blocks = r.block ? 64000 / (uint64_t) r.block : 1;
  r.slots = 64000;
  sd_row_forget_times (&r);
  r.get_ns = get_ns;
  r.get_low_ns = get_ns - 10;
  r.get_high_ns = get_ns + 20;
  r.encode_s = r.decode_s = 0.5;
  for (unsigned side = 0; side < 2; side++) {
    char key[SD_SETTINGS_TEXT + 384];
    snprintf (r.side, sizeof r.side, "%c", "wb"[side]);
    snprintf (key, sizeof key, "%s/%s/%s/%s/%s/%s", group, codec, r.settings, freedom, order, r.side);
    cr_assert_eq (sd_store_insert (store, key, &r, &err), SD_OK, "%s", err.text);
  }
}

static sd_store *open_store (void) {
  sd_store *store;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &store, &err), SD_OK, "%s", err.text);
  return store;
}

static void add_run (sd_store *store, const char *commit, const char *cpu, double load) {
  sd_provenance run = { .cores = 2, .jobs = 2, .seed = 1, .load = load, .memory_bytes = 8000000000u };
  sd_error err = { 0 };
  strcpy (run.started, "2026-11-22T09:34:50Z");
  strcpy (run.title, "Rooks");
  strcpy (run.version, "subdef 0");
  snprintf (run.commit, sizeof run.commit, "%s", commit);
  strcpy (run.compiler, "gcc 12");
  strcpy (run.flags, "-O2");
  strcpy (run.configure, "--quiet");
  snprintf (run.cpu, sizeof run.cpu, "%s", cpu);
  strcpy (run.host, "here");
  strcpy (run.kernel, "Linux 6");
  strcpy (run.libraries, "GSL 2");
  strcpy (run.command, "subdef sweep a.conf");
  strcpy (run.sweep_file, "a.conf");
  strcpy (run.sweep_hash, "0123456789abcdef");
  run.sweep = strdup ("groups = ();");
  run.tables = strdup ("KRvK.dtm.sdt 0123456789abcdef\n");
  cr_assert_eq (sd_store_run (store, &run, &err), SD_OK, "%s", err.text);
  sd_provenance_clear (&run);
}

/* Rows enough for a figure of each kind. */
static void fill_store (void) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "plain", "lzma", "block=16384", "none", "KRk", 900, NAN);
  insert (store, "orders", "repair", "block=128", "all", "KRk", 300, 100);
  insert (store, "orders", "repair", "block=128", "all", "RKk", 400, 110);
  insert (store, "blocks", "repair", "block=64", "all", "KRk", 350, 90);
  sd_store_close (store);
}

static bool gnuplot_is_here (void) {
  return system ("gnuplot --version > /dev/null 2>&1") == 0;
}

static int report (const sd_report_options *opt, sd_error *err) {
  return sd_report_write (in_folder ("rows.db"), in_folder ("report"), opt, err);
}

TestSuite (hostile, .init = make_folder, .fini = remove_folder, .timeout = 300);
TestSuite (page, .init = make_folder, .fini = remove_folder);

/* -------------------------------------------------------------- hostile texts */

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

static const char *const cell_columns[] = {
  "group",   "table", "metric",    "coding", "side",     "sides",
  "freedom", "order", "numbering", "codec",  "settings", "finished"
};
static const char *const run_columns[] = { "started",  "title",      "version",    "commit",
                                           "compiler", "flags",      "configure",  "host",
                                           "kernel",   "command",    "libraries",  "tables",
                                           "cpu",      "sweep_file", "sweep_hash", "sweep" };

static void put (const char *table, const char *column, const char *text) {
  sqlite3 *db;
  sqlite3_stmt *q;
  char sql[200];
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  snprintf (sql, sizeof sql, "UPDATE \"%s\" SET \"%s\" = ?%s", table, column,
            strcmp (table, "cell") ? "" : " WHERE id = 3");
  cr_assert_eq (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg (db));
  sqlite3_bind_text (q, 1, text, -1, SQLITE_STATIC);
  cr_assert_eq (sqlite3_step (q), SQLITE_DONE, "%s", sqlite3_errmsg (db));
  sqlite3_finalize (q);
  sqlite3_close (db);
}

/* Nothing in the folder but the database and what a report is made of. */
static void check_names (const char *path, const char *column, const char *text) {
  static const char *const endings[] = {
    ".gp", ".dat", ".svg", ".pdf", ".csv", ".md", ".html", ".tex", ".db"
  };
  DIR *d = opendir (path);
  for (struct dirent *e; d && (e = readdir (d));) {
    bool known = e->d_name[0] == '.' || strcmp (e->d_name, "report") == 0;
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
  remove_all (in_folder ("report"));
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
  cr_expect (!sd_file_exists ("marker") && !sd_file_exists (in_folder ("marker")),
             "%s = \"%s\": a command ran", column, text);
}

Test (hostile, no_text_of_a_row_runs_or_leaves_the_folder) {
  keep_clean ();
  for (unsigned c = 0; c < sizeof cell_columns / sizeof *cell_columns; c++)
    for (unsigned h = 0; h < sizeof hostile / sizeof *hostile; h++)
      attack ("cell", cell_columns[c], hostile[h]);
  sd_map_close (&clean);
}

Test (hostile, no_text_of_a_run_runs_or_leaves_the_folder) {
  keep_clean ();
  for (unsigned c = 0; c < sizeof run_columns / sizeof *run_columns; c++)
    for (unsigned h = 0; h < sizeof hostile / sizeof *hostile; h++)
      attack ("run", run_columns[c], hostile[h]);
  sd_map_close (&clean);
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
  sqlite3 *db;
  sd_error err = { 0 };
  fill_store ();
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (
      sqlite3_exec (
          db,
          "ALTER TABLE cell RENAME TO hidden; CREATE VIEW cell AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL "
          "SELECT i + 1 FROM n) SELECT hidden.* FROM hidden, n",
          NULL, NULL, NULL),
      SQLITE_OK, "%s", sqlite3_errmsg (db));
  sqlite3_close (db);
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
      "5 \\% of\\_\\{x\\} \\char92{}input\\{y\\} \\char126{}\\char94{} ?" },
    { sd_put_csv_cell, "=1+1", "'=1+1" },
    { sd_put_csv_cell, "-2+3", "'-2+3" },
    { sd_put_csv_cell, "+cmd,x", "\"'+cmd,x\"" },
    { sd_put_csv_cell, "\tx", "'\tx" },
    { sd_put_csv_cell, "-1.5e-3", "-1.5e-3" },
    { sd_put_csv_cell, "-nan(1)", "'-nan(1)" },
    { sd_put_csv_cell, "a\"b", "\"a\"\"b\"" },
    { sd_put_gnuplot, "KRk'\"`\\\n\x80 x", "\"KRk?????? x\"" },
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
  cr_expect_str_eq (name, "____x_y-1");
}

Test (hostile, a_folder_without_a_name_is_refused) {
  sd_error err = { 0 };
  fill_store ();
  cr_expect_eq (sd_report_write (in_folder ("rows.db"), "", NULL, &err), SD_EINVAL);
  cr_expect_eq (sd_make_folder ("", &err), SD_EINVAL);
}

/* -------------------------------------------------------------------- figures */

Test (page, every_codec_has_a_colour_and_a_mark_of_its_own) {
  sd_style style[24];
  sd_rowsums all;
  sd_error err = { 0 };
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  cr_assert_leq (n + 3, 24);
  sd_row *row = calloc (n + 3, sizeof *row);
  for (size_t i = 0; i < n + 3; i++) {
    if (i < n)
      snprintf (row[i].codec, sizeof row[i].codec, "%s", codec[i]->name);
    else
      snprintf (row[i].codec, sizeof row[i].codec, "unknown%zu", i);
    row[i].line = row[i].id = (int64_t) i + 1;
    strcpy (row[i].side, "w");
  }
  cr_assert_eq (sd_rowsums_make (row, n + 3, NULL, &all, &err), SD_OK, "%s", err.text);
  for (size_t i = 0; i < n + 3; i++) {
    style[i] = sd_style_of (&all, &all.line[i]);
    for (size_t k = 0; k < i; k++) {
      cr_expect_str_neq (style[i].colour, style[k].colour, "%s and %s", row[i].codec, row[k].codec);
      cr_expect_neq (style[i].mark, style[k].mark, "%s and %s", row[i].codec, row[k].codec);
    }
  }
  sd_rowsums_free (&all);
}

Test (page, settings_are_lines_and_coders_without_blocks_are_horizontal) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  for (unsigned level = 3; level <= 19; level += 16)
    for (unsigned block = 1024; block <= 4096; block *= 4) {
      char settings[40];
      snprintf (settings, sizeof settings, "level=%u,block=%u", level, block);
      insert (store, "a", "zstd", settings, "all", "KRk", 1000 - level - block / 100, NAN);
    }
  insert (store, "a", "obdd", "", "all", "KRk", 100, NAN);
  insert (store, "a", "rle", "block=128", "all", "KRk", 500, NAN);
  insert (store, "a", "later", "block=64", "all", "KRk", 500, NAN);
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/size_KRvK_wdl.gp"), *dat = read_file ("report/size_KRvK_wdl.dat"),
       *md = read_file ("report/report.md");
  cr_expect_eq (count (gp, " index "), 5, "%s", gp);
  cr_expect_eq (count (gp, "\"zstd level=3\""), 1, "%s", gp);
  cr_expect_eq (count (gp, "\"zstd level=19\""), 1, "%s", gp);
  cr_expect (strstr (gp, "background rgb 'white'") != NULL);
  const char *obdd = strstr (dat, "\"obdd\"\n");
  double at[2], kb[2];
  cr_assert (obdd != NULL, "%s", dat);
  cr_assert_eq (sscanf (obdd + 7, "%lf %lf %lf %lf", &at[0], &kb[0], &at[1], &kb[1]), 4, "%s", obdd);
  cr_expect (at[1] > at[0] && kb[0] == kb[1], "from the shortest to the longest block: %s", obdd);
  cr_expect (strstr (md, "Left out") == NULL);
  cr_expect (strstr (md, "best of") == NULL, "one order was swept");
  cr_expect (strstr (md, "x LZMA 16 kB") == NULL, "there is no such row");
  free (gp);
  free (dat);
  free (md);
}

Test (page, the_first_figure_is_size_against_time_with_the_pareto_front) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "a", "store", "", "all", "KRk", 9000, 20); /* the quickest */
  insert (store, "a", "repair", "block=128", "all", "KRk", 300, 100);
  insert (store, "a", "repair", "block=64", "all", "KRk", 400, 110);   /* larger and slower */
  insert (store, "a", "lzma", "block=16384", "all", "KRk", 300, 5000); /* as small, but slower */
  insert (store, "a", "obdd", "", "all", "KRk", 100, 900);             /* the smallest */
  insert (store, "a", "zlib", "", "all", "KRk", 50, NAN);              /* not timed */
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/access_KRvK_wdl.gp"), *dat = read_file ("report/access_KRvK_wdl.dat");
  cr_expect (strstr (dat, "# \"the front: ns, thousand bytes, bounds of ns\"\n20 18 10 40\n100 0.6 90 120\n"
                          "900 0.2 890 920\n\n\n")
                 != NULL,
             "%s", dat);
  cr_expect_eq (count (dat, ", on the front"), 3);
  cr_expect (strstr (dat, "\"repair: ns, thousand bytes, bounds of ns\"\n110 0.8 100 130\n") != NULL, "%s",
             dat);
  cr_expect (strstr (dat, "\"lzma: ns, thousand bytes, bounds of ns\"\n5000 ") != NULL);
  cr_expect (strstr (dat, "zlib") == NULL);
  cr_expect (strstr (gp, "set logscale x") && strstr (gp, "set logscale y"));
  cr_expect_eq (count (gp, "pt 7 ps 1.7"), 3, "discs on the front");
  cr_expect_eq (count (gp, "pt 6 ps 1.6"), 2, "rings");
  cr_expect_eq (count (gp, "xerrorbars"), 5);
  cr_expect_eq (count (gp, "title \"repair\""), 1);
  if (gnuplot_is_here ()) {
    char *html = read_file ("report/index.html");
    const char *first = strstr (html, "<figure");
    cr_assert (first != NULL);
    cr_expect (strstr (first, "access_KRvK_wdl")
               && strstr (first, "access_KRvK_wdl") < strstr (first, "</svg>"));
    cr_expect (strstr (html, "Left out, lines that were not timed so: 1.") != NULL);
    cr_expect (sd_file_exists (in_folder ("report/access_KRvK_wdl.svg")));
    if (system ("gnuplot -e \"if (!strstrt (GPVAL_TERMINALS, 'pdfcairo')) exit status 1\" 2>/dev/null")
        == 0) {
      char *pdf = read_file ("report/access_KRvK_wdl.pdf");
      cr_expect_eq (strncmp (pdf, "%PDF-", 5), 0);
      free (pdf);
    }
    free (html);
  }
  free (gp);
  free (dat);
}

Test (page, what_a_figure_leaves_out_is_said) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  for (unsigned level = 1; level <= 14; level++)
    for (unsigned block = 1024; block <= 4096; block *= 4) {
      char settings[40];
      snprintf (settings, sizeof settings, "level=%u,block=%u", level, block);
      insert (store, "a", "zstd", settings, "all", "KRk", 1000 - level, NAN);
    }
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/size_KRvK_wdl.gp"), *html = read_file ("report/index.html");
  cr_expect_eq (count (gp, " index "), 1);
  if (gnuplot_is_here ())
    cr_expect (strstr (html, "Left out, larger lines of the same coder with other settings: zstd (13).")
               != NULL);
  free (gp);
  free (html);
}

/* ------------------------------------------------------------ runs, baselines */

Test (page, runs_are_listed_and_mixtures_warned_of) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  sd_buf warnings = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "a", "repair", "block=64", "all", "KRk", 300, 100);
  add_run (store, "def", "another", 7.5);
  insert (store, "a", "repair", "block=128", "all", "KRk", 280, 120);
  insert (store, "a", "repair", "block=256", "all", "KRk", 270, NAN);
  sd_store_close (store);
  cr_assert_eq (report (&(sd_report_options){ .warnings = &warnings }, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&warnings, 0);
  const char *said = (char *) warnings.data;
  cr_expect (strstr (said, "2 commits, 2 processors: ") != NULL, "%s", said);
  cr_expect (strstr (said, "run 2: 2 rows were timed while the load of the machine was 7.5 with 2 cores")
                 != NULL,
             "%s", said);
  char *md = read_file ("report/report.md");
  cr_expect (strstr (md, "| 1 | 2 | 2 | 2026-11-22T09:34:50Z | abc | here | a processor |") != NULL, "%s",
             md);
  cr_expect (strstr (md, "| 2 | 4 | 2 | 2026-11-22T09:34:50Z | def | here | another |") != NULL);
  cr_expect_eq (count (md, "Warning: "), 2);
  free (md);
  sd_buf_free (&warnings);
}

Test (page, one_run_is_nothing_to_warn_of_and_times_not_measured_are_empty) {
  sd_error err = { 0 };
  sd_buf warnings = { 0 };
  fill_store ();
  cr_assert_eq (report (&(sd_report_options){ .warnings = &warnings }, &err), SD_OK, "%s", err.text);
  cr_expect_eq (warnings.len, 0);
  char *latency = read_file ("report/latency.csv"), *best = read_file ("report/best.csv"),
       *cells = read_file ("report/cells.csv");
  cr_expect (strstr (latency, ",90,,80,110,,,,\n") != NULL, "%s", latency);
  cr_expect (strstr (best, ",100,,1800,3.00,LZMA 16 kB\n") != NULL, "%s", best);
  cr_expect (strstr (cells, ",nan") == NULL && strstr (cells, ",0,0,0,0,0,0,") == NULL, "%s", cells);
  free (latency);
  free (best);
  free (cells);
}

/* A column in front of all, one with quotes in it: fields are found by the names of their columns. */
Test (page, published_figures_stand_beside_those_of_the_rows) {
  sd_error err = { 0 };
  FILE *f;
  fill_store ();
  cr_assert ((f = fopen (in_folder ("published.csv"), "w")) != NULL);
  fputs (
      "\"a \"\"quoted\"\" remark, long\",step,before,after,measure,published,source\n"
      "x,\"one, two\",\"*/lzma/block=16384,freedom=none,order=name\",\"*/repair/block=128,freedom=all\",bytes,half,Nobody 1900\n"
      "x,quick,\"blocks/repair/block=64\",\"orders/repair/block=128,order=KRk\",ns,slower,Nobody 1900\n"
      "x,not measured,*/obdd,*/repair,bytes,half,Nobody 1900\n",
      f);
  fclose (f);
  char path[512];
  snprintf (path, sizeof path, "%s", in_folder ("published.csv"));
  cr_assert_eq (report (&(sd_report_options){ .published = path }, &err), SD_OK, "%s", err.text);
  char *csv = read_file ("report/published.csv"), *md = read_file ("report/report.md");
  cr_expect_str_eq (csv, "table,metric,step,measure,before,after,change,published,source\n"
                         "KRvK,wdl,\"one, two\",bytes,1800,600,66.7 % smaller (3.00 x),half,Nobody 1900\n"
                         "KRvK,wdl,quick,ns,90,100,1.1 x slower,slower,Nobody 1900\n");
  cr_expect (
      strstr (md, "| one, two | KRvK WDL | 1,800 | 600 | 66.7 % smaller (3.00 x) | half | Nobody 1900 |")
          != NULL,
      "%s", md);
  free (csv);
  free (md);
  cr_assert ((f = fopen (in_folder ("published.csv"), "w")) != NULL);
  fputs ("step,before,after,measure\n", f);
  fclose (f);
  cr_expect_eq (report (&(sd_report_options){ .published = path }, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "no column is called \"published\"") != NULL, "%s", err.text);
}

Test (page, tables_are_compared_in_pairs) {
  sd_row row[6];
  sd_rowsums all;
  sd_doc d = { .dir = "" };
  sd_buf csv = { 0 };
  sd_error err = { 0 };
  memset (row, 0, sizeof row);
  for (unsigned i = 0; i < 6; i++) { /* two tables (the third has no baseline), two codecs */
    static const uint64_t bytes[] = { 1000, 500, 100, 200, 7, 9 };
    sd_row_forget_times (&row[i]);
    strcpy (row[i].group, "a");
    strcpy (row[i].table, i < 2 ? "KQvK" : i < 4 ? "KRvK" : "KPvK");
    strcpy (row[i].metric, "wdl");
    strcpy (row[i].coding, "wdl");
    strcpy (row[i].codec, i % 2 || i == 4 ? "repair" : "lzma");
    strcpy (row[i].settings, i == 4 ? "block=64" : "block=128");
    strcpy (row[i].side, "w");
    strcpy (row[i].order, "KRk");
    strcpy (row[i].numbering, "rows");
    strcpy (row[i].freedom, "all");
    row[i].bytes = bytes[i];
    row[i].line = row[i].id = i + 1;
    if (i < 2)
      row[i].get_ns = i ? 50 : 200;
  }
  sd_row *copy = malloc (sizeof row);
  memcpy (copy, row, sizeof row);
  cr_assert_eq (sd_rowsums_make (copy, 6, "a/lzma", &all, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_report_pairs (&d, &all, &csv, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&csv, 0);
  sd_buf_u8 (&d.md, 0);
  /* 0.5 and 2: geometric mean 1 */
  cr_expect (
      strstr ((char *) d.md.data,
              "| WDL | repair | on | 2 | 1.000 | - | 1.000 (2) | 2.000 | KRvK | 0.250 | - | 0.250 | KQvK |")
          != NULL,
      "%s", (char *) d.md.data);
  cr_expect (strstr ((char *) d.md.data, "| WDL | lzma | on | 2 | 1.000 | - | 1.000 (2) | 1.000 |") != NULL);
  cr_expect (strstr ((char *) csv.data,
                     "wdl,wdl,,all,repair,block=128,KQvK,500,1000,0.5000,500,0.5000,50,200,0.2500\n")
                 != NULL,
             "%s", (char *) csv.data);
  cr_expect (strstr ((char *) csv.data, "repair,block=128,KRvK,200,100,2.0000,200,2.0000,,,\n") != NULL);
  cr_expect (strstr ((char *) csv.data, "KPvK") == NULL, "no baseline");
  sd_rowsums_free (&all);
  sd_buf_free (&csv);
  sd_buf_free (&d.md);
  sd_buf_free (&d.html);
  sd_buf_free (&d.tex);
  sd_buf_free (&d.rows);
  sd_buf_free (&d.contents);
}

Test (page, cells_whose_repeats_scatter_are_named) {
  sd_error err = { 0 };
  fill_store ();
  put ("cell", "get_scatter", "1.2"); /* of the third row */
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *csv = read_file ("report/scatter.csv");
  cr_expect_eq (count (csv, "\n"), 1, "%s", csv);
  free (csv);
  sqlite3 *db;
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (db, "UPDATE cell SET get_scatter = 1.75 WHERE id = 5", NULL, NULL, NULL),
                SQLITE_OK);
  sqlite3_close (db);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  csv = read_file ("report/scatter.csv");
  char *md = read_file ("report/report.md");
  cr_expect_eq (count (csv, "\n"), 2);
  cr_expect (strstr (csv, ",RKk,rows,symbol,110,1.75\n") != NULL, "%s", csv);
  cr_expect (strstr (md, "Of 1 of 2 cells the medians of two repeats differ by more than a factor of 1.5")
                 != NULL,
             "%s", md);
  free (csv);
  free (md);
}

Test (page, two_stores_are_compared_cell_by_cell) {
  sd_error err = { 0 };
  sd_store_comparison found;
  char a[512];
  fill_store ();
  snprintf (a, sizeof a, "%s", in_folder ("a.db"));
  cr_assert_eq (rename (in_folder ("rows.db"), a), 0);
  fill_store ();
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  cr_expect (found.cells == 8 && found.differ == 0 && found.only[0] == 0 && found.only[1] == 0);
  char *md = read_file ("c/compare.md");
  cr_expect (strstr (md, "None: all 8 cells of both take the same number of bytes.") != NULL, "%s", md);
  free (md);
  sqlite3 *db; /* one byte more, half the time, one cell less, one of its own */
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (db,
                              "UPDATE cell SET bytes = bytes + 1, get_ns = get_ns / 2 WHERE id = 3;"
                              "DELETE FROM cell WHERE id = 8; UPDATE cell SET \"group\" = 'new' WHERE id = 7",
                              NULL, NULL, NULL),
                SQLITE_OK);
  sqlite3_close (db);
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  cr_expect (found.cells == 6 && found.differ == 1 && found.only[0] == 2 && found.only[1] == 1);
  md = read_file ("c/compare.md");
  char *csv = read_file ("c/compare.csv"), *html = read_file ("c/compare.html");
  cr_expect (strstr (md, "KRk | 300 | 301 | 1.003 |") != NULL, "%s", md);
  cr_expect (strstr (md, "| one symbol, median | 4 | 0.841 | 1.000 |") != NULL, "0.5 ^ (1/4): %s", md);
  cr_expect_eq (count (csv, "\n"), 7);
  cr_expect (strstr (csv, ",300,301,1.003333333,0.5,0.5,1,0.5,0.5,1,100,50,0.5,,,\n") != NULL, "%s", csv);
  cr_expect (strstr (html, "<table") != NULL);
  free (md);
  free (csv);
  free (html);
  cr_expect_eq (sd_report_compare (a, in_folder ("none.db"), in_folder ("c"), &found, &err), SD_ENOENT);
}

/* A program that shows the page at the width of a phone, where there is one. */
Test (page, has_contents_sortable_tables_and_no_more_width_than_a_phone) {
  sd_error err = { 0 };
  fill_store ();
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *html = read_file ("report/index.html");
  cr_expect_eq (count (html, "<nav "), 1);
  cr_expect (count (html, "<h2 id=\"c") > 3);
  cr_expect_eq (count (html, "<li><a href=\"#c"), count (html, "<h2 id=\"c"), "each chapter is in the list");
  cr_expect (strstr (html, "<nav ") < strstr (html, "<h2 "));
  cr_expect (strstr (html, "aria-sort") && strstr (html, "td:first-child{position:sticky"));
  cr_expect (strstr (html, "prefers-color-scheme:dark") != NULL);
  cr_expect_eq (count (html, "<table"), count (html, " tabindex=\"0\"><table"),
                "a wide table is moved in its own frame");
  free (html);
  if (system ("chromium --version > /dev/null 2>&1") != 0)
    return;
  char command[2400];
  snprintf (
      command, sizeof command,
      "cd %s && sed 's#</main>#</main><script>const h=document.querySelectorAll(\"th.r\")[0];h.querySelector(\"button\").click();"
      "parent.postMessage(`width ${innerWidth} overflow ${document.documentElement.scrollWidth-innerWidth>0} sort "
      "${h.getAttribute(\"aria-sort\")}`,\"*\")</script>#' report/index.html > phone.html && "
      "echo '<script>onmessage=e=>document.body.append(`says ${e.data}.`)</script><iframe width=390 height=800 "
      "style=border:0 src=phone.html></iframe>' > frame.html && "
      "timeout 60 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "
      "file://$PWD/frame.html > dom.html 2>/dev/null",
      folder);
  if (system (command) != 0)
    return; /* it is there, and does not run here */
  html = read_file ("dom.html");
  cr_expect (strstr (html, "says width 390 overflow false sort ascending.") != NULL, "%s", html);
  free (html);
}

Test (page, what_other_programs_did_meanwhile_counts_not_the_load_of_the_sweep) {
  sd_row row[2] = { { .run = 1, .get_ns = 5, .probe_ns = NAN, .busy_cores = 0.1 },
                    { .run = 2, .get_ns = 5, .probe_ns = NAN, .busy_cores = 1.9 } };
  const sd_provenance run[2] = { { .id = 1, .cores = 2, .load = 9, .commit = "abc" },
                                 { .id = 2, .cores = 2, .load = 0, .commit = "abc" } };
  sd_buf text = { 0 };
  const sd_rowsums all = { .row = row, .nrows = 2 };
  sd_runs_warn (&all, run, 2, &text);
  sd_buf_u8 (&text, 0);
  cr_expect_str_eq (
      (char *) text.data,
      "run 2: 1 rows were timed while other programs used up to 1.9 of 2 cores: these times may be too long");
  sd_buf_free (&text);
}

Test (page, the_baseline_can_be_named) {
  sd_error err = { 0 };
  fill_store ();
  cr_assert_eq (report (&(sd_report_options){ .baseline = "blocks/repair" }, &err), SD_OK, "%s", err.text);
  char *md = read_file ("report/report.md"), *best = read_file ("report/best.csv");
  cr_expect (strstr (md, " x blocks/repair |") != NULL);
  cr_expect (strstr (best, ",700,1.17,blocks/repair\n") != NULL, "%s", best);
  free (md);
  free (best);
  cr_expect_eq (report (&(sd_report_options){ .baseline = "orders/repair/block=128" }, &err), SD_OK, "%s",
                err.text);
  cr_expect_eq (report (&(sd_report_options){ .baseline = "orders/repair/block=64" }, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "baseline orders/repair/block=64: no row") != NULL, "%s", err.text);
}

/* ------------------------------------------------------------------ many rows */

/* Rows of both sides with a choice of settings each, on `tables` tables. */
static sd_row *many_rows (size_t n, size_t tables) {
  static const char *const table[] = { "KRvK", "KQvK", "KBvK", "KNvK", "KPvK", "KRvKR", "KQvKR" };
  sd_row *row = calloc (n, sizeof *row);
  for (size_t i = 0; i < n; i++) {
    const size_t line = i / 2;
    sd_row *r = &row[i];
    sd_row_forget_times (r);
    strcpy (r->group, "a");
    strcpy (r->table, table[line % tables]);
    strcpy (r->metric, "wdl");
    strcpy (r->coding, "wdl");
    strcpy (r->freedom, "none");
    strcpy (r->order, "KRk");
    strcpy (r->numbering, "rows");
    strcpy (r->side, i % 2 ? "b" : "w");
    strcpy (r->codec, line % 3 ? "zstd" : "lzma");
    r->block = line % 3 ? 1024 + line : 16384;
    snprintf (r->settings, sizeof r->settings, "level=%zu,block=%llu,a=%zu", line % 19,
              (unsigned long long) r->block, line % 5 ? line : 0);
    r->bytes = 10000 + line * 7919 % 9973;
    r->slots = 64000;
    r->blocks = 10;
    r->get_ns = 100 + (double) (line * 31 % 97);
    r->id = (int64_t) i + 1;
    r->line = (int64_t) (2 * line) + 1;
  }
  return row;
}

/* Seconds of a processor for all tables, and what figures are made of. */
static double seconds_for (size_t n, size_t tables) {
  sd_rowsums all;
  sd_error err = { 0 };
  sd_buf csv[6] = { { 0 } };
  sd_doc d = { .dir = "" };
  sd_row *row = many_rows (n, tables);
  const clock_t from = clock ();
  cr_assert_eq (sd_rowsums_make (row, n, "a/lzma", &all, &err), SD_OK, "%s", err.text);
  sd_report_best_rows (&d, &all, &csv[0]);
  sd_report_sizes (&d, &all, &csv[1]);
  sd_report_latency (&d, &all, &csv[2]);
  cr_assert_eq (sd_report_pairs (&d, &all, &csv[3], &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_report_fits (&d, &all, &csv[4], &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_report_outliers (&d, &all, &csv[5], &err), SD_OK, "%s", err.text);
  for (size_t s = 0; s < all.nsubjects; s++)
    for (unsigned timed = 0; timed < 2; timed++) {
      sd_curves c;
      sd_figure f;
      sd_plot p = { .sets = 0 };
      cr_assert_eq (sd_curves_make (&all, s, timed, &c, &err), SD_OK, "%s", err.text);
      sd_curves_free (&c);
      cr_assert_eq (sd_put_access (&p, &all, s, &f, &err), SD_OK, "%s", err.text);
      sd_buf_free (&p.gp);
      sd_buf_free (&p.dat);
    }
  const double seconds = (double) (clock () - from) / CLOCKS_PER_SEC;
  cr_expect_eq (all.n, n / 2);
  sd_rowsums_free (&all);
  for (unsigned i = 0; i < 6; i++)
    sd_buf_free (&csv[i]);
  sd_buf_free (&d.md);
  sd_buf_free (&d.html);
  sd_buf_free (&d.tex);
  sd_buf_free (&d.contents);
  sd_buf_free (&d.rows);
  return seconds;
}

/* Four times the rows take about four times as long; sixteen times, if anything compared each with each. */
Test (page, time_is_about_linear_in_the_rows, .timeout = 300) {
  for (size_t tables = 1; tables <= 7; tables += 6) {
    const double a = seconds_for (5000, tables), b = seconds_for (5000, tables), few = a < b ? a : b,
                 many = seconds_for (20000, tables);
    cr_expect (many < 8 * few + 0.1, "%zu tables: 5,000 rows %.3f s, 20,000 rows %.3f s", tables, few, many);
  }
}

/* ------------------------------------------------- baselines, statistics, figures */

/* One row for a side; the caller fills in what else it asks for. */
static sd_row a_row (const char *group, const char *table, const char *side, const char *codec,
                     uint64_t bytes) {
  static int64_t id;
  sd_row r = { .id = ++id, .bytes = bytes, .slots = 100, .blocks = 1 };
  sd_row_forget_times (&r);
  r.line = r.id;
  snprintf (r.group, sizeof r.group, "%s", group);
  snprintf (r.table, sizeof r.table, "%s", table);
  snprintf (r.side, sizeof r.side, "%s", side);
  snprintf (r.codec, sizeof r.codec, "%s", codec);
  strcpy (r.metric, "wdl");
  strcpy (r.coding, "wdl");
  strcpy (r.freedom, "none");
  strcpy (r.order, "KRk");
  strcpy (r.numbering, "rows");
  return r;
}

static void sum_rows (const sd_row *row, size_t n, const char *baseline, sd_rowsums *all) {
  sd_error err = { 0 };
  sd_row *copy = malloc (n * sizeof *row);
  memcpy (copy, row, n * sizeof *row);
  cr_assert_eq (sd_rowsums_make (copy, n, baseline, all, &err), SD_OK, "%s", err.text);
}

/* White in one coding and Black in another make no table; each line has the baseline of its own coding. */
Test (page, the_baseline_has_the_coding_of_the_line) {
  static const struct {
    const char *coding, *side, *codec;
    uint64_t bytes;
  } is[] = { { "moves", "w", "lzma", 100 },  { "moves", "b", "lzma", 300 }, { "signed", "w", "lzma", 250 },
             { "signed", "b", "lzma", 200 }, { "moves", "w", "obdd", 40 },  { "moves", "b", "obdd", 60 },
             { "signed", "w", "obdd", 90 },  { "signed", "b", "obdd", 60 } };
  sd_row row[8];
  sd_rowsums all;
  for (unsigned i = 0; i < 8; i++) {
    row[i] = a_row ("a", "KRvK", is[i].side, is[i].codec, is[i].bytes);
    strcpy (row[i].metric, "dtm");
    strcpy (row[i].coding, is[i].coding);
    row[i].line = row[i & ~1u].id;
  }
  sum_rows (row, 8, "a/lzma", &all);
  cr_assert_eq (all.n, 4);
  cr_expect_float_eq (all.line[2].ratio, 4, 1e-9, "400 / 100");
  cr_expect_float_eq (all.line[3].ratio, 3, 1e-9, "450 / 150");
  cr_expect_eq (sd_rows_least (&all, 0, "a/lzma", NULL), 400, "not 100 + 200");
  sd_rowsums_free (&all);
  sum_rows (row, 8, "a/lzma/coding=moves", &all);
  cr_expect_float_eq (all.line[3].ratio, 400. / 150, 1e-9, "what the user names holds for all");
  sd_rowsums_free (&all);
}

/* The gain of the order is kept apart from that of the coder. */
Test (page, pairs_have_a_ratio_within_the_same_order) {
  sd_row row[3] = { a_row ("a", "KRvK", "w", "lzma", 100), a_row ("a", "KRvK", "w", "obdd", 80),
                    a_row ("a", "KRvK", "w", "obdd", 40) };
  sd_rowsums all;
  sd_error err = { 0 };
  sd_doc d = { .dir = "" };
  sd_buf csv = { 0 };
  strcpy (row[2].order, "RKk");
  row[2].line = row[1].line;
  sum_rows (row, 3, "a/lzma", &all);
  cr_assert_eq (sd_report_pairs (&d, &all, &csv, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&csv, 0);
  cr_expect (strstr ((char *) csv.data, "obdd,,KRvK,40,100,0.4000,80,0.8000,,,\n") != NULL, "%s",
             (char *) csv.data);
  sd_rowsums_free (&all);
  sd_buf_free (&csv);
  sd_buf_free (&d.md);
  sd_buf_free (&d.html);
  sd_buf_free (&d.tex);
  sd_buf_free (&d.rows);
  sd_buf_free (&d.contents);
}

Test (page, bounds_hold_the_geometric_mean) {
  double v[40], bound[2], again[2];
  for (unsigned i = 0; i < 40; i++)
    v[i] = log (i % 2 ? 0.5 : 2);
  sd_ratios_bounds (v, 40, bound);
  sd_ratios_bounds (v, 40, again);
  cr_expect (bound[0] == again[0] && bound[1] == again[1], "always the same draws");
  /* the mean has a deviation of log 2 / sqrt 40 = 0.11; 1.96 of them are 0.215 */
  cr_expect_float_eq (log (bound[0]), -0.215, 0.06);
  cr_expect_float_eq (log (bound[1]), 0.215, 0.06);
  sd_ratios_bounds (v, 2, bound);
  cr_expect (isnan (bound[0]) && isnan (bound[1]), "two tell nothing");
}

/* Three steps of three tables; the third table lacks the first step. */
Test (page, numbered_groups_are_a_staircase) {
  static const struct {
    const char *group, *table;
    uint64_t bytes;
  } is[] = { { "1-lzma", "KRvK", 1000 },    { "1-lzma", "KQvK", 400 }, { "10-obdd-wdl", "KRvK", 250 },
             { "10-obdd-wdl", "KQvK", 50 }, { "2-free", "KRvK", 500 }, { "2-free", "KQvK", 100 },
             { "2-free", "KBvK", 7 },       { "orders", "KRvK", 3 },   { "2-free", "KRvK", 800 } };
  sd_row row[9];
  sd_rowsums all;
  sd_staircase s;
  sd_error err = { 0 };
  for (unsigned i = 0; i < 9; i++)
    row[i] = a_row (is[i].group, is[i].table, "w", i == 8 ? "store" : "lzma", is[i].bytes);
  sum_rows (row, 9, NULL, &all);
  cr_assert_eq (sd_staircase_make (&all, "wdl", &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (s.n, 3);
  cr_expect (s.step[0].number == 1 && s.step[1].number == 2 && s.step[2].number == 10,
             "by number, not by letter");
  cr_expect_str_eq (s.step[2].name, "obdd");
  cr_expect (s.step[1].tables == 2 && s.step[1].bytes == 600,
             "the smaller line, and only tables of the first step");
  cr_expect_float_eq (s.step[1].mean, sqrt (0.5 * 0.25), 1e-9);
  cr_expect_float_eq (s.step[2].mean, sqrt (0.25 * 0.125), 1e-9);
  cr_expect_float_eq (sd_ratios_mean (&s.step[2].gain), 2, 1e-9);
  cr_expect_float_eq (s.step[2].quartile[0], 0.125, 1e-9);
  cr_expect_float_eq (s.step[2].quartile[4], 0.25, 1e-9);
  sd_staircase_free (&s);
  cr_assert_eq (sd_staircase_make (&all, "dtm", &s, &err), SD_OK);
  cr_expect_eq (s.n, 0);
  sd_rowsums_free (&all);
}

Test (page, a_line_is_fitted_and_its_largest_residual_named) {
  const double x[] = { 1024, 2048, 4096, 8192 }, y[] = { 20 + 10.24, 20 + 20.48, 20 + 40.96 + 3, 20 + 81.92 };
  sd_fit f;
  cr_assert_eq (sd_line_fit (x, y, 4, &f), SD_OK);
  cr_expect_float_eq (f.slope, 0.01, 1e-3);
  cr_expect_eq (f.at, 2);
  cr_expect_float_eq (f.residual, 2.2, 0.15);
  cr_expect (f.explained > 0.99 && f.explained < 1);
  double v[] = { 1, 2, 3, 4, 100 }, middle;
  const double deviation = sd_robust_deviation (v, 5, &middle);
  cr_expect_float_eq (deviation, 1.4826, 1e-9);
  cr_expect_eq (middle, 3);
}

/* Seven tables of which freedom saves half as much as it adds, but for one. */
Test (page, gains_of_freedom_are_a_line_over_the_tables) {
  static const char *const table[] = { "KRvK", "KQvK", "KBvK", "KNvK", "KPvK", "KRvKR", "KQvKR" };
  sd_row row[14];
  sd_rowsums all;
  sd_error err = { 0 };
  sd_doc d = { .dir = "" };
  sd_buf csv = { 0 };
  for (unsigned i = 0; i < 7; i++) {
    row[i] = a_row ("a", table[i], "w", "lzma", 1000);
    row[7 + i] = a_row ("b", table[i], "w", "lzma", i == 6 ? 500 : 1000 - 50 * i);
    snprintf (row[7 + i].freedom, sizeof row[0].freedom, "illegal");
    row[i].slots = row[7 + i].slots = 1000;
    row[i].free_slots = 0;
    row[7 + i].free_slots = 100 * i;
  }
  sum_rows (row, 14, "a/lzma", &all);
  cr_assert_eq (sd_report_gains (&d, &all, &csv, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&csv, 0);
  cr_expect_eq (count ((char *) csv.data, "\n"), 2, "%s", (char *) csv.data);
  cr_expect (strstr ((char *) csv.data, ",lzma,,illegal,none,7,") != NULL, "%s", (char *) csv.data);
  cr_expect (strstr ((char *) csv.data, ",KQvKR\n") != NULL, "its largest residual: %s", (char *) csv.data);
  sd_rowsums_free (&all);
  sd_buf_free (&csv);
  sd_buf_free (&d.md);
  sd_buf_free (&d.html);
  sd_buf_free (&d.tex);
  sd_buf_free (&d.rows);
  sd_buf_free (&d.contents);
}

/* Eight block sizes on a line, but for one; and eight tables of one gain, but for one. */
Test (page, fits_and_outliers_are_named) {
  static const char *const table[] = { "KRvK", "KQvK", "KBvK", "KNvK", "KPvK", "KRvKR", "KQvKR", "KQvKQ" };
  sd_row row[24];
  sd_rowsums all;
  sd_error err = { 0 };
  sd_doc d = { .dir = "" };
  sd_buf fits = { 0 }, outliers = { 0 };
  for (unsigned i = 0; i < 8; i++) {
    row[i] = a_row ("a", table[i], "w", "lzma", 1000);
    row[8 + i] = a_row ("b", table[i], "w", "obdd", i == 5 ? 100 : 500 + i);
    row[16 + i] = a_row ("c", "KRvK", "w", "zstd", 300 + i);
    row[16 + i].block = 1024u << i;
    snprintf (row[16 + i].settings, sizeof row[0].settings, "level=3,block=%u", 1024u << i);
    row[16 + i].get_ns = i == 4 ? 900 : 50 + 0.01 * (1024u << i);
  }
  sum_rows (row, 24, "a/lzma", &all);
  cr_assert_eq (sd_report_fits (&d, &all, &fits, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_report_outliers (&d, &all, &outliers, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&fits, 0);
  sd_buf_u8 (&outliers, 0);
  cr_expect_eq (count ((char *) fits.data, "\n"), 2, "%s", (char *) fits.data);
  cr_expect (strstr ((char *) fits.data, "none,8,1024,131072,") != NULL, "%s", (char *) fits.data);
  cr_expect (strstr ((char *) fits.data, ",16384\n") != NULL, "its largest residual: %s", (char *) fits.data);
  cr_expect_eq (count ((char *) outliers.data, "\n"), 3, "%s", (char *) outliers.data);
  cr_expect (strstr ((char *) outliers.data, "block=16384\",none,time over block sizes,900,213.8,") != NULL,
             "%s", (char *) outliers.data);
  cr_expect (strstr ((char *) outliers.data, "b,KRvKR,wdl,wdl,obdd,,none,bytes by the baseline's,0.1,")
                 != NULL,
             "%s", (char *) outliers.data);
  sd_rowsums_free (&all);
  sd_buf_free (&fits);
  sd_buf_free (&outliers);
  sd_buf_free (&d.md);
  sd_buf_free (&d.html);
  sd_buf_free (&d.tex);
  sd_buf_free (&d.rows);
  sd_buf_free (&d.contents);
}

/* A place a row and order, by the mean of the rows; crisp, and a scale that says more than its end. */
Test (page, all_orders_are_a_heat_map) {
  static const char *const order[] = { "KRk", "RKk", "kRK!" };
  static const uint64_t bytes[2][3] = { { 300, 100, 200 }, { 50, 40, 80 } };
  sd_row row[6];
  sd_rowsums all;
  sd_error err = { 0 };
  sd_figure f;
  sd_plot p = { .name = "heat" };
  for (unsigned i = 0; i < 6; i++) {
    row[i] = a_row ("a", "KRvK", i % 2 ? "b" : "w", "obdd", bytes[i % 2][i / 2]);
    strcpy (row[i].order, order[i / 2]);
    row[i].line = row[0].line;
  }
  sum_rows (row, 6, NULL, &all);
  cr_assert_eq (sd_put_heat (&p, &all, 0, &f, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&p.gp, 0);
  sd_buf_u8 (&p.dat, 0);
  const char *gp = (char *) p.gp.data;
  cr_expect (strstr ((char *) p.dat.data, "\n 1 3 2\n 1 1.25 2\n") != NULL, "RKk, KRk, kRK!: %s",
             (char *) p.dat.data);
  cr_expect (strstr (gp, "\"RKk\" 0, \"KRk\" 1, \"kRK!\" 2") != NULL, "%s", gp);
  cr_expect_eq (count (gp, "set terminal"), 1, "%s", gp);
  cr_expect (strstr (gp, "with image pixels") && strstr (gp, "set cbtics ('1' 1, '1.25' 1.25, ") != NULL,
             "%s", gp);
  sd_rowsums_free (&all);
  sd_buf_free (&p.gp);
  sd_buf_free (&p.dat);
}

/* A store of an older version, and one in which a report is made, stay as they are to the byte. */
Test (page, reading_does_not_change_a_store) {
  sd_error err = { 0 };
  sqlite3 *db;
  fill_store ();
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (db, "ALTER TABLE cell DROP COLUMN probe_scatter", NULL, NULL, NULL), SQLITE_OK,
                "%s", sqlite3_errmsg (db));
  sqlite3_close (db);
  sd_map before, after;
  cr_assert_eq (sd_map_open (in_folder ("rows.db"), &before, &err), SD_OK);
  char *copy = malloc (before.len);
  memcpy (copy, before.data, before.len);
  const size_t len = before.len;
  sd_map_close (&before);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  sd_material m;
  sd_table_spec best;
  cr_assert_eq (sd_material_parse ("KRvK", &m, &err), SD_OK);
  cr_assert_eq (sd_report_best (in_folder ("rows.db"), &m, SD_WDL, 0, &best, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_map_open (in_folder ("rows.db"), &after, &err), SD_OK);
  cr_expect (after.len == len && memcmp (after.data, copy, len) == 0);
  sd_map_close (&after);
  free (copy);
}

Test (page, the_runs_behind_a_comparison_are_listed) {
  sd_error err = { 0 };
  sd_store_comparison found;
  char a[512];
  fill_store ();
  snprintf (a, sizeof a, "%s", in_folder ("a.db"));
  cr_assert_eq (rename (in_folder ("rows.db"), a), 0);
  fill_store ();
  put ("run", "title", "x");
  sqlite3 *db;
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (db, "UPDATE run SET \"commit\" = 'def', load = 7.5", NULL, NULL, NULL),
                SQLITE_OK);
  sqlite3_close (db);
  cr_assert_eq (sd_report_compare (a, in_folder ("rows.db"), in_folder ("c"), &found, &err), SD_OK, "%s",
                err.text);
  char *md = read_file ("c/compare.md");
  cr_expect (strstr (md, "Warning: 2 commits: ") != NULL, "%s", md);
  cr_expect (strstr (md, "while the load of the machine was 7.5 with 2 cores") != NULL, "%s", md);
  cr_expect (strstr (md, "| 1 | 8 | 6 | 2026-11-22T09:34:50Z | abc |")
                 && strstr (md, "| 1 | 8 | 6 | 2026-11-22T09:34:50Z | def |"),
             "%s", md);
  free (md);
}

/* failures.csv of an earlier report would pass for this one's; links lead to files that are there. */
Test (page, only_files_that_are_written_are_linked) {
  sd_error err = { 0 };
  fill_store ();
  cr_assert_eq (mkdir (in_folder ("report"), 0777), 0);
  FILE *f = fopen (in_folder ("report/failures.csv"), "w");
  cr_assert (f && fclose (f) == 0);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *html = read_file ("report/index.html");
  cr_expect (!sd_file_exists (in_folder ("report/failures.csv")) && !strstr (html, "failures.csv"));
  for (const char *at = html; (at = strstr (at, "<li><a href=\""));) {
    char name[100], path[200];
    at += strlen ("<li><a href=\"");
    cr_assert_eq (sscanf (at, "%99[^\"]", name), 1);
    snprintf (path, sizeof path, "report/%s", name);
    cr_expect (*name == '#' || sd_file_exists (in_folder (path)), "%s", name);
  }
  cr_expect (strstr (html, "<a href=\"cells.csv\">") && strstr (html, "<a href=\"orders_KRvK_wdl.gp\">")
             && strstr (html, "<a href=\"orders_KRvK_wdl.dat\">"));
  cr_expect_eq (count (html, "<figure"), count (html, "<svg role=\"img\" aria-label=\""));
  free (html);
}
