/* What a sweep file may say: the cells that it asks for, what is overridden and included, mistakes. */
#include "config.h"
#include "tests/experiments/sweeps.h"

TestSuite (sweep_file, .init = make_folder, .fini = remove_folder);

Test (sweep_file, a_mistake_is_one_sentence_with_file_and_line) {
  static const struct {
    const char *conf, *says;
  } bad[] = {
    { "seed = 1;\ngroups = ( { name = \"a\"; codec = \"repair\";\n tabels = \"KRvK\"; } );",
      "sweep.conf:3: unknown key \"tabels\" in a group; did you mean \"tables\"?" },
    { "sead = 1;\ngroups = ();", "sweep.conf:1: unknown key \"sead\"" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = \"repare\"; } );",
      "no codec is called \"repare\"" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\";\n\n metric = [\"wdl\",\n \"dtz\"]; codec = \"repair\"; "
      "} );",
      "sweep.conf:4: metric \"dtz\": one of wdl, dtm, wdl50, dtz50, dtc is needed" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\";\n blok = 128; }; } );",
      "sweep.conf:2: unknown key \"blok\" in codec \"repair\"; did you mean \"block\"?" },
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
    { "# 99999999999\ngroups = ( { name = \"5000000000\"; /* 5000000000\n */ tables = \"KRvK\"; codec = { name = \"repair\"; block = "
      "100000000000000000000; }; } );",
      "sweep.conf:3: the number 100000000000000000000 is too large" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\"; block = [128, 4294967424]; }; } );",
      "sweep.conf:1: the number 4294967424 is too large" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\"; block = 0x100000080; }; } );",
      "sweep.conf:1: the number 0x100000080 is too large" },
    { "seed = 100000000000000000000L;\ngroups = ( );",
      "sweep.conf:1: the number 100000000000000000000L is too large" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; codec = { name = \"repair\"; block = -2147483648; }; } );",
      "block=-2147483648" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; subdefinite = \"on\"; freedom = \"all\"; codec = "
      "\"repair\"; } );",
      "not both" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = \"two\"; codec = \"store\"; } );",
      "sweep.conf:1: sides 'two': expected one of white, black, both, one, joint" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = \"one\"; side = \"w\"; codec = \"store\"; } );",
      "either side or sides, not both" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; sides = \"joint\"; probe = true; codec = \"store\"; } );",
      "'subdef bench probe' times tables with sides joint" },
    { "groups = ( { name = \"a\"; tables = \"KRvK\"; metric = \"dtm\"; sides = \"one\"; freedom = \"won\"; codec = \"store\"; } );",
      "freedom \"won\": restored from the other side" },
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

Test (sweep_file, cells_are_the_product_of_the_axes) {
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

Test (sweep_file, cells_can_be_excluded) {
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

Test (sweep_file, sides_are_an_axis) {
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

Test (sweep_file, a_best_order_that_no_cell_can_give_is_refused_before_anything_runs) {
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

Test (sweep_file, keys_can_be_overridden) {
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
             { { "seed=4294967297" }, 1, 0, "the number 4294967297 is too large" },
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

Test (sweep_file, an_override_takes_the_place_of_an_older_key_too) {
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

Test (sweep_file, files_can_be_included_and_rows_remember_their_text) {
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

Test (sweep_file, an_include_in_a_comment_is_none) {
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
