/* The runner and the report, on real tables with 3 men that the generator makes first. */
#include "config.h"
#include "codecs/row.h"
#include "experiments/run/run_internal.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/sweeps.h"
#include <math.h>

TestSuite (sweep, .init = make_folder, .fini = remove_folder);
TestSuite (report, .init = make_folder, .fini = remove_folder);

/* ------------------------------------------------------------- the sweep file */

Test (sweep, a_mistake_is_one_sentence_with_file_and_line) {
  static const struct {
    const char *conf, *says;
  } bad[] = {
    { "seed = 1;\ngroups = ( { name = \"a\"; codec = \"repair\";\n tabels = \"KRvK\"; } );",
      "sweep.conf:3: unknown key \"tabels\" in a group: did you mean \"tables\"?" },
    { "sead = 1;\ngroups = ();", "sweep.conf:1: unknown key \"sead\"" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = \"repare\"; } );",
      "no codec is called \"repare\"" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\";\n\n metric = [\"wdl\",\n \"dtz\"]; codec = \"repair\"; "
      "} );",
      "sweep.conf:4: metric \"dtz\": one of wdl, dtm is needed" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\";\n blok = 128; }; } );",
      "sweep.conf:2: unknown key \"blok\" in codec \"repair\": did you mean \"block\"?" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\";\n block = [128,\n -3]; }; "
      "} );",
      "block" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; order = \"KQk\"; codec = \"repair\"; } );",
      "sweep.conf:1: KRvK: " },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; order = \"best-of:b\"; codec = \"repair\"; } );",
      "no earlier group is called \"b\"" },
    { "groups = ( { name = \"a\"; tables = \"KXvK\"; codec = \"repair\"; } );", "table \"KXvK\"" },
    { "groups = ( { name = \"a\"; tables = \"all-9\"; codec = \"repair\"; } );", "all-3 to all-7" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; numbering = \"spiral\"; codec = \"repair\"; } );",
      "spiral" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; freedom = \"ilegal\"; codec = \"repair\"; } );",
      "ilegal" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\";\n metric = [\"wdl\", \"dtm\"];\n freedom = [\"all\",\n \"illegal+draw\"]; "
      "codec = \"repair\"; } );",
      "sweep.conf:4: freedom \"illegal+draw\": \"draw\" means nothing for metric wdl, coding wdl; possible are none, "
      "all and sets of illegal, capture, promotion" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; metric = \"dtm\"; coding = \"signed\"; freedom = \"won\"; codec = "
      "\"repair\"; } );",
      "\"won\" means nothing for metric dtm, coding signed" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; freedom = \"all+won\"; codec = \"repair\"; } );",
      "\"won\" means nothing for metric wdl" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; freedom = [\"all\", \"illegal+capture+promotion\"]; codec = "
      "\"repair\"; } );",
      "is the same as \"all\" for metric wdl" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\"; rounds = 5; }; } );",
      "codec repair: rounds=5 has no effect with parse=greedy" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"obdd\"; order = [\"sift\", \"pieces\"]; starts = "
      "4; }; } );",
      "codec obdd: starts=4 has no effect but with order=sift" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; subdefinite = \"on\"; freedom = \"all\"; codec = "
      "\"repair\"; } );",
      "not both" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = \"two\"; codec = \"store\"; } );",
      "sweep.conf:1: sides 'two': expected white, black, one (the smaller), both, or joint" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = \"one\"; side = \"w\"; codec = \"store\"; } );",
      "either side or sides, not both" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = \"joint\"; probe = true; codec = \"store\"; } );",
      "'subdef bench probe' times tables with sides joint" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; metric = \"dtm\"; sides = \"one\"; freedom = \"won\"; codec = \"store\"; } );",
      "wins are restored from the other side" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; latency = 1; codec = \"repair\"; } );",
      "true or false" },
    { "groups = ( { name = \"a\"; tables = []; codec = \"repair\"; } );", "the list is empty" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; } );", "needs codec" },
    { "groups = ( { tables = \"KRvK\"; codec = \"repair\"; } );", "needs name" },
    { "groups = ( " KRK_ORDERS ", " KRK_ORDERS " );", "two groups are called \"orders\"" },
    { "groups = ( { name = \"a\"; tables = [\"KRvK\", \"KvKR\"]; codec = \"repair\"; } );", "appears twice" },
    { "groups = ( );", "needs groups" },
    { "groups = ( {\n name = \"a\"\n tables = = } );", "sweep.conf:3: syntax error" },
    { "", "needs groups" },
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_sweep *s = NULL;
    sd_error err = { 0 };
    int status = sd_sweep_read (write_file ("sweep.conf", bad[i].conf), &s, &err);
    cr_expect_eq (status, SD_EINVAL, "%zu: status %d", i, status);
    cr_expect (strstr (err.text, bad[i].says) != NULL, "%zu: \"%s\" does not say \"%s\"", i, err.text,
               bad[i].says);
    cr_expect (strstr (err.text, "sweep.conf") != NULL, "%zu: \"%s\" names no file", i, err.text);
    sd_sweep_free (s);
  }
}

Test (sweep, a_missing_sweep_file_is_not_found) {
  sd_error err = { 0 };
  cr_expect_eq (sd_sweep_run (in_folder ("none.conf"), in_folder ("rows.db"), NULL, &err), SD_ENOENT, "%s",
                err.text);
  cr_expect (strstr (err.text, "none.conf") != NULL);
}

Test (sweep, cells_are_the_product_of_the_axes) {
  /* 1 table x 2 metrics x 2 freedoms x 2 sides x 3! orders */
  cr_expect_eq (cells_of ("groups = ( " KRK_ORDERS " );"), 48);
  /* KQvKQ is symmetric: one side; 2 + 3 settings, one codec for distances only */
  cr_expect_eq (
      cells_of ("groups = ( { name = \"a\"; tables = [\"KQvKQ\", \"KRvK\"]; metric = [\"wdl\", \"dtm\"];"
                " codec = ( { name = \"lzma\"; block = [1024, 4096]; },"
                "           { name = \"repair\"; block = [64, 128, 256]; metric = \"dtm\"; } ); } );"),
      (1 + 2) * (2 + 5));
  /* coding is an axis of distances only */
  cr_expect_eq (
      cells_of ("groups = ( { name = \"a\"; tables = \"KRvK\"; side = \"b\"; metric = [\"wdl\", \"dtm\"];"
                " coding = [\"moves\", \"signed\"]; numbering = [\"rows\", \"z\"]; codec = \"store\"; } );"),
      2 * (1 + 2));
  cr_expect_eq (
      cells_of ("groups = ( { name = \"a\"; tables = [\"all-3\"]; side = \"w\"; codec = \"store\"; } );"), 5);
}

Test (sweep, cells_can_be_excluded) {
#define TWENTY(exclude)                                                                                      \
  "groups = ( { name = \"a\"; tables = [\"KRvK\", \"KPvK\"]; metric = [\"wdl\", \"dtm\"];" exclude           \
  " codec = ( \"store\", { name = \"lzma\"; block = [1024, 4096]; }, { name = \"repair\"; block = [64, 128]; } ); } );"
  cr_assert_eq (cells_of (TWENTY ("")), 40);
  cr_expect_eq (cells_of (TWENTY ("exclude = ( { codec = \"lzma\"; } );")), 24);
  cr_expect_eq (cells_of (TWENTY ("exclude = ( { codec = \"lzma\"; block = 4096; tables = \"KRvK\"; } );")),
                36);
  cr_expect_eq (
      cells_of (TWENTY ("exclude = ( { block = [1024, 64]; metric = \"dtm\"; }, { side = \"b\"; } );")), 16);
  static const struct {
    const char *conf, *says;
  } bad[] = { { TWENTY ("exclude = ( { codec = \"zlib\"; } );"), "no cell of the group is like that" },
              { TWENTY ("exclude = ( { kodec = \"lzma\"; } );"), "unknown key \"kodec\" in exclude" },
              { TWENTY ("exclude = { codec = \"lzma\"; };"),
                "a list ( { key = value; ... }, ... ) is needed" },
              { TWENTY ("exclude = ( \"lzma\" );"), "each one is { key = value; ... }" } };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_sweep *s = NULL;
    sd_error err = { 0 };
    cr_expect_eq (sd_sweep_read (write_file ("sweep.conf", bad[i].conf), &s, &err), SD_EINVAL);
    cr_expect (strstr (err.text, bad[i].says) && strstr (err.text, "sweep.conf:1: "), "%s", err.text);
  }
}

Test (sweep, keys_can_be_overridden) {
  static const struct {
    const char *text[3];
    size_t n, cells;
    const char *says;
  } is[] = { { { "metric=[\"wdl\",\"dtm\"]" }, 1, 8, NULL },
             { { "tables=KPvK", "codec=store" }, 2, 2, NULL },
             { { "tables=[\"KPvK\", \"KRvK\", \"KNvK\"]", "seed=77", "latency=true" }, 3, 12, NULL },
             { { "tables=KXvK" }, 1, 0, "sweep.conf, overridden: table \"KXvK\"" },
             { { "kodec=store" }, 1, 0, "unknown key \"kodec\"" },
             { { "name=b" }, 1, 0, "the names of groups stay" },
             { { "metric=[" }, 1, 0, "metric" },
             { { "codec=" }, 1, 0, "key=value is needed" } };
  const char *conf = write_file (
      "sweep.conf", "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = (\"store\", \"rle\"); } );");
  for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
    sd_sweep *s = NULL;
    sd_error err = { 0 };
    const int status = sd_sweep_read_with (conf, is[i].text, is[i].n, &s, &err);
    cr_expect_eq (status, is[i].says ? SD_EINVAL : SD_OK, "%zu: %s", i, err.text);
    if (is[i].says)
      cr_expect (strstr (err.text, is[i].says) != NULL, "%zu: %s", i, err.text);
    else if (s) {
      char remark[100];
      snprintf (remark, sizeof remark, "# override: %s\n", is[i].text[0]);
      cr_expect_eq (s->ncells, is[i].cells, "%zu", i);
      cr_expect (strstr (s->text, remark) != NULL, "%s", s->text);
      cr_expect_eq (s->seed, i == 2 ? 77 : 1);
      cr_expect_eq (s->group[0].latency, i == 2);
    }
    sd_sweep_free (s);
  }
}

Test (sweep, files_can_be_included_and_rows_remember_their_text) {
  sd_sweep *s = NULL;
  sd_error err = { 0 };
  write_file ("codecs.conf", "codec = (\"store\", \"rle\");\n");
  write_file ("group.conf", "name = \"a\";\n@include \"codecs.conf\"\nmetric = \"wdl\";\n");
  const char *conf = write_file ("sweep.conf", "title = \"two\";\ngroups = ( {\n@include \"group.conf\"\n"
                                               "tables = \"KRvK\"; } );\n");
  char title[16];
  cr_assert_eq (sd_sweep_title (conf, title, sizeof title, &err), SD_OK, "%s", err.text);
  cr_expect_str_eq (title, "two");
  cr_assert_eq (sd_sweep_read (conf, &s, &err), SD_OK, "%s", err.text);
  cr_expect_eq (s->ncells, 4);
  cr_expect (strstr (s->text, "# included: group.conf\nname = \"a\";\n"), "%s", s->text);
  cr_expect (strstr (s->text, "# included: codecs.conf\ncodec = (\"store\", \"rle\");\n"), "%s", s->text);
  sd_sweep_free (s);
  write_file ("codecs.conf", "codec = (\"store\",\n\"rlf\");\n");
  cr_expect_eq (sd_sweep_read (conf, &s, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "codecs.conf:2: no codec is called \"rlf\""), "%s", err.text);
  write_file ("group.conf", "@include \"group.conf\"\n");
  cr_expect_eq (sd_sweep_read (conf, &s, &err), SD_EINVAL, "a file that includes itself");
  write_file ("group.conf", "@include \"gone.conf\"\n");
  cr_expect_eq (sd_sweep_read (conf, &s, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "group.conf:1: "), "%s", err.text);
}

Test (sweep, sides_are_an_axis) {
  static const struct {
    const char *words;
    size_t cells;
  } sides[] = { { "\"white\"", 2 }, { "\"black\"", 1 }, { "\"both\"", 3 },
                { "\"one\"", 3 },   { "\"joint\"", 2 }, { "[\"both\", \"one\", \"joint\"]", 8 } };
  for (unsigned i = 0; i < sizeof sides / sizeof *sides; i++) { /* KQvKQ has one side */
    char conf[200];
    snprintf (
        conf, sizeof conf,
        "groups = ( { name = \"a\"; tables = [\"KRvK\", \"KQvKQ\"]; sides = %s; codec = \"store\"; } );",
        sides[i].words);
    cr_expect_eq (cells_of (conf), sides[i].cells, "%s", sides[i].words);
  }
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
  sd_exacts *all;
  sd_error err = { 0 };
  sd_table_spec spec = {
    .metric = SD_WDL, .coding = SD_CODING_WDL, .freedom = SD_FREE_ALL, .sides = SD_SIDES_JOINT
  };
  sd_table *t;
  sd_table_info info;
  cr_assert_eq (sd_material_parse ("KPvK", &spec.material, &err), SD_OK);
  cr_assert_eq (sd_exacts_new (folder, &all, &err), SD_OK);
  cr_assert_eq (sd_exacts_need (all, &spec.material, &err), SD_OK, "%s", err.text);
  sd_layout_default (&spec.material, &spec.side[0].layout);
  spec.side[0].codec = sd_codec_find ("obdd");
  cr_assert_eq (sd_settings_parse (spec.side[0].codec, "", &spec.side[0].settings, &err), SD_OK);
  cr_assert_eq (sd_table_build (all, &spec, in_folder ("KPvK.wdl.sdt"), NULL, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_table_open (in_folder ("KPvK.wdl.sdt"), 0, &t, &err), SD_OK, "%s", err.text);
  sd_table_describe (t, &info);
  cr_expect_eq ((double) info.side[0].stream_bytes,
                ask ("SELECT bytes FROM cell WHERE side = 'wb' AND codec = 'obdd'"));
  sd_table_close (t);
  sd_exacts_free (all);
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
  cr_expect_eq (lines, 49);
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

static void run_sql (const char *db, const char *sql) {
  sqlite3 *file;
  cr_assert_eq (sqlite3_open (in_folder (db), &file), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (file, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg (file));
  sqlite3_close (file);
}

Test (sweep, a_cell_that_fails_is_a_row_with_its_error_and_the_others_are_computed) {
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

Test (sweep, a_missing_best_order_is_a_failed_cell_until_there_is_one) {
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

Test (sweep, a_best_order_that_no_cell_can_give_is_refused_before_anything_runs) {
  static const struct {
    const char *second, *says;
  } bad[] = {
    { "tables = \"KNvK\"; order = \"best-of:orders\";", "has no cell of KNvK wdl wdl, side w" },
    { "tables = \"KRvK\"; metric = \"dtm\"; order = \"best-of:orders\";",
      "has no cell of KRvK dtm moves, side w" },
    { "tables = \"KRvK\"; sides = \"joint\"; order = \"best-of:orders\";", "side wb" },
    { "tables = \"KRvK\"; order = \"best-of:orders\"; numbering = \"spiral\";", "spiral" },
    { "tables = \"KQvKQ\"; sides = \"black\";", "group \"best\" has no cell" },
    { "tables = \"KRvK\"; metric = \"wdl\"; exclude = ( { sides = \"white\"; } );", NULL },
    { "tables = [\"KRvK\", \"KQvKQ\"]; exclude = ( { tables = \"all-4\"; } );", NULL },
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char conf[600];
    sd_sweep *s = NULL;
    sd_error err = { 0 };
    snprintf (
        conf, sizeof conf,
        "groups = ( { name = \"orders\"; tables = \"KRvK\"; order = \"all\"; codec = \"store\"; },\n { name = "
        "\"best\"; codec = \"rle\"; %s } );",
        bad[i].second);
    const int status = sd_sweep_read (write_file ("sweep.conf", conf), &s, &err);
    cr_expect_eq (status, bad[i].says ? SD_EINVAL : SD_OK, "%zu: %s", i, err.text);
    cr_expect (!bad[i].says || strstr (err.text, bad[i].says), "%zu: %s", i, err.text);
    sd_sweep_free (s);
  }
}

Test (sweep, a_table_that_cannot_be_read_ends_its_cells_and_no_others) {
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

Test (sweep, an_override_takes_the_place_of_an_older_key_too) {
  static const char *const text[] = { "side=w", "sides=joint", "subdefinite=off", "freedom=none" };
  for (unsigned i = 0; i < 4; i++) {
    sd_sweep *s = NULL;
    sd_error err = { 0 };
    const char *conf =
        write_file ("sweep.conf", i % 2 == 0 ? "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = "
                                               "\"both\"; freedom = \"all\"; codec = \"store\"; } );"
                                             : "groups = ( { name = \"a\"; tables = \"KRvK\"; side = "
                                               "\"b\"; subdefinite = \"on\"; codec = \"store\"; } );");
    cr_assert_eq (sd_sweep_read_with (conf, &text[i], 1, &s, &err), SD_OK, "%s: %s", text[i], err.text);
    cr_expect (i < 2 ? strcmp (s->cell[0].name.side, i ? "wb" : "w") == 0
                     : strcmp (s->cell[0].name.freedom, "none") == 0,
               "%s", text[i]);
    sd_sweep_free (s);
  }
}

Test (sweep, an_include_in_a_comment_is_none) {
  sd_sweep *s = NULL;
  sd_error err = { 0 };
  write_file ("codecs.conf", "codec = \"store\";\n");
  const char *conf =
      write_file ("sweep.conf", "/* as before:\n@include \"gone.conf\"\n*/ title = \"/* \\\" \";\n"
                                "# /* @include\n// \"\ngroups = ( { name = \"a\"; tables = \"KRvK\";\n"
                                "@include \"codecs.conf\"\n } );\n");
  cr_assert_eq (sd_sweep_read (conf, &s, &err), SD_OK, "%s", err.text);
  cr_expect (strstr (s->text, "# included: codecs.conf") && !strstr (s->text, "# included: gone"), "%s",
             s->text);
  sd_sweep_free (s);
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

/* -------------------------------------------------------------------- parts */

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

Test (sweep, four_parts_merged_are_one_undisturbed_run) {
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

Test (sweep, a_cell_of_two_groups_is_computed_once) {
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

Test (sweep, status_counts_what_is_done_failed_and_left) {
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
  sd_cell_text (&sweep->cell[0], '/', key, sizeof key);
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

/* ------------------------------------------------------------------- running */

Test (sweep, a_missing_table_is_named) {
  sd_error err = { 0 };
  cr_expect_eq (run_text ("groups = ( " KRK_ORDERS " );", 1, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "KRvK") != NULL, "%s", err.text);
  cr_expect_eq (ask ("SELECT count (*) FROM cell"), 0);
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
  /* latency exactly where it was asked for */
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE (get_ns > 0 AND probe_ns > 0) <> (\"group\" = 'blocks')"), 0);
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE \"group\" = 'blocks'"), 12);
  cr_expect_eq (
      ask ("SELECT count (*) FROM cell WHERE get_ns > 0 AND NOT (get_low_ns <= get_ns AND get_high_ns >= "
           "get_ns AND get_scatter >= 1 AND get_samples >= 10 AND probe_low_ns <= probe_ns AND "
           "probe_high_ns >= probe_ns AND probe_scatter >= 1)"),
      0, "each has bounds and several repeats");
  cr_expect_gt (ask ("SELECT sum (get_ns * 2 <> round (get_ns * 2)) FROM cell WHERE codec = 'store'"), 0,
                "what is too short for a clock of nanoseconds is timed many calls at a time");
  cr_expect_eq (ask ("SELECT count (*) FROM cell WHERE get_ns > 0 AND get_p99_ns IS NULL"), 0);
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

Test (sweep, a_stream_that_a_slot_does_not_admit_is_an_error) {
  sd_symbol sym[100];
  sd_alphabet *a;
  sd_settings set;
  sd_buf bytes = { 0 };
  sd_decoder *d;
  sd_error err = { 0 };
  double seconds;
  for (unsigned i = 0; i < 100; i++)
    sym[i] = i % 3;
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  sd_seq seq = { .alphabet = a, .sym = sym, .n = 100 };
  cr_assert_eq (sd_settings_parse (&sd_codec_store, "", &set, &err), SD_OK);
  cr_assert_eq (sd_codec_encode (&sd_codec_store, &seq, &set, NULL, &bytes, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_codec_open (&sd_codec_store, bytes.data, bytes.len, 100, 3, &d, &err), SD_OK, "%s",
                err.text);
  cr_expect_eq (sd_cell_verify (&seq, d, &seconds, &err), SD_OK, "%s", err.text);
  sym[71] = (sym[71] + 1) % 3; /* as if the coder had changed it */
  cr_expect_eq (sd_cell_verify (&seq, d, &seconds, &err), SD_EDIFF);
  cr_expect (strstr (err.text, "slot 71 ") != NULL, "%s", err.text);
  sd_codec_close (d);
  sd_buf_free (&bytes);
  sd_alphabet_free (a);
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

/* --------------------------------------------------------------------- report */

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

static size_t count (const char *text, const char *word) {
  size_t n = 0;
  for (const char *p = text; (p = strstr (p, word)); p++)
    n++;
  return n;
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
  cr_expect_eq (count (tex, "\\begin{tabular}"), count (md, "\n| --"),
                "every table of the page is there for LaTeX");
  cr_expect_eq (count (tex, "\\begin{tabular}"), count (tex, "\\end{tabular}"));
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
  cr_assert_eq (sd_report_write (in_folder ("rows.db"), in_folder ("report"),
                                 &(sd_report_options){ .gnuplot = "gnuplot" }, &err),
                SD_OK, "%s", err.text);
  char *html = read_file ("report/index.html");
  cr_expect_eq (count (html, "<svg"), 10, "five figures each for WDL and DTM");
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
  cr_expect_eq (count ((char *) text.data, "er than LZMA 16 kB ("), 2);
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
  sd_exacts *s;
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
                "nothing reads a symbol in a quarter of a nanosecond");
  cr_expect (strstr (err.text, "0 ns or less") != NULL, "%s", err.text);
  sd_material_parse ("KQvK", &m, NULL);
  cr_expect_eq (sd_report_best (db, &m, SD_DTM, 0, &quick, &err), SD_ENOENT);
  /* and the specification is good for a table */
  sd_material_parse ("KRvK", &m, NULL);
  cr_assert_eq (sd_report_best (db, &m, SD_WDL, 0, &best, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_exacts_new (folder, &s, &err), SD_OK);
  cr_assert_eq (sd_exacts_need (s, &m, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_build (s, &best, in_folder ("KRvK.wdl.sdt"), NULL, &err), SD_OK, "%s", err.text);
  sd_exacts_free (s);
}

static sd_row lzma_row (const char *side, const char *order, const char *freedom, uint64_t bytes) {
  static int64_t id;
  sd_row r = { .id = ++id, .block = 16384, .bytes = bytes };
  r.line = *freedom; /* as the store groups them */
  strcpy (r.group, "any");
  strcpy (r.table, "KRvK");
  strcpy (r.metric, "wdl");
  strcpy (r.coding, "wdl");
  strcpy (r.codec, "lzma");
  strcpy (r.settings, "initial=frequent,block=16384");
  strcpy (r.numbering, "rows");
  strcpy (r.side, side);
  strcpy (r.order, order);
  strcpy (r.freedom, freedom);
  return r;
}

static uint64_t baseline_of (const sd_row *row, size_t n) {
  sd_rowsums all;
  sd_row *copy = malloc (n * sizeof *row);
  memcpy (copy, row, n * sizeof *row);
  cr_assert_eq (sd_rowsums_make (copy, n, NULL, &all, NULL), SD_OK);
  cr_assert_eq (all.nsubjects, 1);
  const uint64_t plain = all.line[0].plain_bytes;
  sd_rowsums_free (&all);
  return plain;
}

Test (report, the_baseline_is_in_the_order_of_the_name_however_good_others_are) {
  const sd_row row[] = { lzma_row ("w", "KRk", "all", 10),   lzma_row ("b", "KRk", "all", 10),
                         lzma_row ("w", "KRk", "none", 100), lzma_row ("w", "RkK", "none", 150),
                         lzma_row ("w", "kKR", "none", 50),  lzma_row ("b", "kKR", "none", 70),
                         lzma_row ("b", "KRk", "none", 80) };
  cr_expect_eq (baseline_of (row, 7), 180);
  cr_expect_eq (baseline_of (row, 6), 0, "one side alone is no baseline");
  char text[64];
  cr_expect_str_eq (sd_text_against (210, 100, text), "2.10 times smaller than");
  cr_expect_str_eq (sd_text_against (100, 120, text), "1.20 times larger than");
  cr_expect_str_eq (sd_text_against (100, 0, text), "-");
}

/* ----------------------------------------------------------------- statistics */

Test (stats, moments_and_quantiles_are_the_known_ones) {
  double v[] = { 40, 10, 20, 50, 30 }, one[] = { 7 };
  sd_stats s;
  sd_stats_of (v, 5, &s);
  cr_expect_eq (s.min, 10);
  cr_expect_eq (s.max, 50);
  cr_expect_eq (s.mean, 30);
  cr_expect_eq (s.median, 30);
  cr_expect_eq (s.q25, 20);
  cr_expect_float_eq (s.q95, 48, 1e-9);
  cr_expect_float_eq (s.sd, sqrt (250), 1e-9);
  sd_stats_of (one, 1, &s);
  cr_expect_eq (s.sd, 0);
  cr_expect_eq (s.q99, 7);
  sd_stats_of (NULL, 0, &s);
  cr_expect_eq (s.mean, 0);
}

Test (stats, bounds_of_a_median_hold_it_repeat_and_shrink) {
  double v[1001], wide[2], again[2], few[2];
  for (unsigned i = 0; i < 1001; i++)
    v[i] = i;
  sd_stats_median_bounds (v, 1001, 7, wide);
  sd_stats_median_bounds (v, 1001, 7, again);
  cr_expect (wide[0] == again[0] && wide[1] == again[1], "the same seed, the same bounds");
  /* 500 -+ 1.96 sqrt (n) / 2 places */
  cr_expect_float_eq (wide[0], 469, 4);
  cr_expect_float_eq (wide[1], 531, 4);
  sd_stats_median_bounds (v, 11, 7, few);
  cr_expect (few[0] < 5 && few[1] > 5 && few[1] - few[0] > 3, "%g to %g", few[0], few[1]);
  sd_stats_median_bounds (v, 2, 7, few);
  cr_expect (few[0] == 0 && few[1] == 1, "two values: %g to %g", few[0], few[1]);
  sd_stats_median_bounds (v, 1, 7, few);
  cr_expect (few[0] == 0 && few[1] == 0);
  sd_stats_median_bounds (v, 0, 7, few);
  cr_expect (isnan (few[0]) && isnan (few[1]));
}

Test (stats, repeats_are_told_apart_by_their_medians) {
  sd_calls c = { .n = 6, .repeats = 3, .end = { 2, 4, 6 } };
  double ns[] = { 10, 10, 30, 30, 20, 20 };
  sd_row row;
  memset (&row, 0, sizeof row);
  c.ns = ns;
  sd_times_note (&c, 1,
                 (sd_times_to){ &row.get_ns, &row.get_p99_ns, &row.get_low_ns, &row.get_high_ns,
                                &row.get_scatter, &row.get_samples });
  cr_expect_eq (row.get_ns, 20);
  cr_expect_eq (row.get_scatter, 3);
  cr_expect_eq (row.get_samples, 6);
  cr_expect (isnan (row.get_p99_ns), "too few calls");
  cr_expect (row.get_low_ns >= 10 && row.get_low_ns <= 20 && row.get_high_ns >= 20 && row.get_high_ns <= 30);
}

/* Calls of a repeat have something in common: five repeats with a median each of their own say less than as
 * many calls that have nothing to do with each other. */
Test (stats, bounds_of_a_median_in_groups_are_those_of_the_groups) {
  double v[5000], one[5000], narrow[2], wide[2], again[2];
  size_t end[5], all = 5000;
  for (unsigned g = 0; g < 5; g++) {
    for (unsigned i = 0; i < 1000; i++)
      v[1000 * g + i] = 100 * (g + 1) + i / 1000.;
    end[g] = 1000 * (g + 1);
  }
  memcpy (one, v, sizeof one);
  sd_stats_median_bounds_of (one, &all, 1, 3, narrow);
  sd_stats_median_bounds_of (v, end, 5, 3, wide);
  sd_stats_median_bounds_of (v, end, 5, 3, again);
  cr_expect (wide[0] == again[0] && wide[1] == again[1], "the same seed, the same bounds");
  cr_expect (narrow[0] > 300 && narrow[1] < 301, "%g to %g", narrow[0], narrow[1]);
  cr_expect (wide[0] < 201 && wide[1] > 399, "%g to %g", wide[0], wide[1]);
}

Test (stats, rank_correlation_sees_order_and_nothing_else) {
  const double a[] = { 1, 5, 2, 80, 3 }, same[] = { 10, 60, 11, 61, 12 }, reversed[] = { 5, 2, 4, 1, 3 },
               flat[] = { 1, 1, 1, 1, 1 };
  cr_expect_float_eq (sd_stats_rank_correlation (a, same, 5), 1, 1e-12);
  cr_expect_float_eq (sd_stats_rank_correlation (a, reversed, 5), -1, 1e-12);
  cr_expect_eq (sd_stats_rank_correlation (a, flat, 5), 0);
  cr_expect_eq (sd_stats_rank_correlation (a, same, 2), 0);
}

Test (stats, texts_of_counts_and_times_are_readable) {
  char out[32];
  cr_expect_str_eq (sd_text_count (0, out), "0");
  cr_expect_str_eq (sd_text_count (999, out), "999");
  cr_expect_str_eq (sd_text_count (1234567, out), "1,234,567");
  cr_expect_str_eq (sd_text_ns (0, out), "-");
  cr_expect_str_eq (sd_text_ns (412.4, out), "412 ns");
  cr_expect_str_eq (sd_text_ns (4100, out), "4.10 us");
  cr_expect_str_eq (sd_text_ns (23e6, out), "23.0 ms");
}
