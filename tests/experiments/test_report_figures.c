/* What figures of reports show and leave out, and what is said of it. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include "tests/experiments/written_rows.h"
#include <math.h>

TestSuite (figures, .init = make_folder, .fini = remove_folder);

static bool gnuplot_is_here (void) {
  return system ("gnuplot --version > /dev/null 2>&1") == 0;
}

static bool is_own (const char *codec) {
  static const char *const own[] = { "repair", "obdd", "trees", "huffman", "rle" };
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp (codec, own[i]) == 0)
      return true;
  return false;
}

Test (figures, every_codec_has_a_colour_of_its_own_and_a_mark_that_can_be_hollow) {
  sd_style style[24];
  sd_styles all = { .n = 0 };
  char name[24][40];
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  cr_assert_leq (n + 3, 24);
  for (size_t i = 0; i < n + 3; i++) {
    if (i < n)
      snprintf (name[i], sizeof name[i], "%s", codec[i]->name);
    else
      snprintf (name[i], sizeof name[i], "unknown%zu", i);
    style[i] = sd_style_of (&all, name[i]);
    cr_expect (style[i].mark >= 5 && style[i].mark <= 15 && style[i].mark % 2, "%s", name[i]);
    for (size_t k = 0; k < i; k++) {
      cr_expect_str_neq (style[i].colour, style[k].colour, "%s and %s", name[i], name[k]);
      if (is_own (name[i]) && is_own (name[k]))
        cr_expect_neq (style[i].mark, style[k].mark, "%s and %s", name[i], name[k]);
    }
    cr_expect_str_eq (sd_style_of (&all, name[i]).colour, style[i].colour, "the same when it comes again");
  }
}

Test (figures, thirty_series_that_are_no_codecs_look_different_and_the_rest_alike) {
  sd_styles all = { .n = 0 };
  sd_style style[SD_STYLES + 2];
  for (unsigned i = 0; i < SD_STYLES + 2; i++) {
    char name[20];
    snprintf (name, sizeof name, "unknown%u", i);
    style[i] = sd_style_of (&all, name);
    cr_expect_eq (style[i].other, i >= SD_STYLES, "%u", i);
    for (unsigned k = 0; k < i && i < SD_STYLES; k++)
      cr_expect (strcmp (style[i].colour, style[k].colour) || style[i].mark != style[k].mark, "%u and %u", i,
                 k);
  }
  cr_expect_str_eq (style[SD_STYLES].colour, style[SD_STYLES + 1].colour);
}

/* The style beside the scripts is that of papers/, too, where codecs have the same colours. */
Test (figures, the_style_of_all_figures_knows_the_colours_of_codecs) {
  static const char *const name[][2] = { { "BLUE", "repair" },    { "MAGENTA", "obdd" }, { "GREEN", "trees" },
                                         { "ORANGE", "huffman" }, { "CYAN", "rle" },     { "LZMA", "lzma" },
                                         { "STORE", "store" } };
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "a", "repair", "block=128", "all", "KRk", 300, 100);
  insert (store, "a", "repair", "block=64", "all", "KRk", 400, 110);
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *style = read_file ("report/style.gp");
  for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
    char text[60];
    snprintf (text, sizeof text, "%s = '%s'", name[i][0], sd_codec_find (name[i][1])->colour);
    cr_expect (strstr (style, text) != NULL, "%s", text);
  }
  free (style);
}

Test (figures, settings_are_curves_and_nothing_is_drawn_that_was_not_measured) {
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
  insert (store, "a", "rle", "block=128", "none", "KRk", 500, NAN);
  insert (store, "a", "later", "block=64", "all", "KRk", 500, NAN);
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/size_KRvK_wdl.gp"), *dat = read_file ("report/size_KRvK_wdl.dat"),
       *md = read_file ("report/report.md");
  cr_expect_eq (count (gp, "with lines lw 2 "), 3, "two curves and a level line: %s", gp);
  cr_expect_eq (count (gp, "with points"), 6, "two curves; a hollow mark on paper, and another one: %s", gp);
  cr_expect_eq (count (gp, "with lines lw 2 dt 2 "), 1, "curves of one codec look different: %s", gp);
  cr_expect_eq (count (gp, "with lines lw 1 lc rgb 'white'"), 1, "paper between dashes: %s", gp);
  cr_expect_eq (count (gp, "pt 5 ps 0.9 lc rgb '#86786c'"), 1, "a usual mark: %s", gp);
  cr_expect_eq (count (gp, "pt 5 ps 0.495 lc rgb '#86786c'"), 1, "and a smaller one on paper: %s", gp);
  cr_expect_eq (count (gp, "set label \"zstd level=3\""), 1, "%s", gp);
  cr_expect_eq (count (gp, "set label \"zstd level=19\""), 1, "%s", gp);
  cr_expect (strstr (gp, "load 'style.gp'") != NULL);
  cr_expect (strstr (dat, "# \"zstd level=3\"\n1024 1974\n4096 1914\n") != NULL,
             "the block is on the level axis: %s", dat);
  cr_expect (strstr (dat, "# \"rle, no freedom\"\n128 1000\n\n") != NULL, "one block, one mark: %s", dat);
  cr_expect (strstr (gp, "pt 14 ") != NULL, "a hollow mark: %s", gp);
  cr_expect_eq (count (gp, "\"freedom used\"; eval legend (7,"), 1);
  cr_expect_eq (count (gp, "\"no freedom\"; eval legend (6,"), 1);
  const char *obdd = strstr (dat, "\"obdd\"\n");
  double at[2], bytes[2];
  cr_assert (obdd != NULL, "%s", dat);
  cr_assert_eq (sscanf (obdd + 7, "%lf %lf %lf %lf", &at[0], &bytes[0], &at[1], &bytes[1]), 4, "%s", obdd);
  cr_expect (at[0] < 64 && at[1] > 4096 && bytes[0] == 200 && bytes[1] == 200, "from edge to edge: %s", obdd);
  cr_expect (strstr (md, "Left out") == NULL);
  cr_expect (strstr (md, "best of") == NULL, "one order was swept");
  cr_expect (strstr (md, "x LZMA 16 KiB") == NULL, "there is no such row");
  cr_expect (strstr (md, "No column says how many times smaller than LZMA 16 KiB they are: no row is LZMA in "
                         "blocks of 16 KiB, no freedom, in the order of the name, in the same coding.")
                 != NULL,
             "%s", md);
  free (gp);
  free (dat);
  free (md);
}

Test (figures, the_first_figure_is_size_against_time_with_the_pareto_front) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "a", "store", "", "all", "KRk", 9000, 20); /* the quickest */
  insert (store, "a", "repair", "block=128", "all", "KRk", 300, 100);
  insert (store, "a", "repair", "block=128", "none", "KRk", 1300, 300); /* the same with no freedom */
  insert (store, "a", "repair", "block=64", "all", "KRk", 400, 110);    /* larger and slower */
  insert (store, "a", "lzma", "block=16384", "all", "KRk", 300, 5000);  /* as small, but slower */
  insert (store, "a", "obdd", "", "all", "KRk", 100, 900);              /* the smallest */
  insert (store, "a", "zlib", "", "all", "KRk", 50, NAN);               /* not timed */
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/access_KRvK_wdl.gp"), *dat = read_file ("report/access_KRvK_wdl.dat");
  cr_expect (strstr (dat, "# \"the Pareto front: ns, bytes, bounds of ns\"\n20 18000 10 40\n100 600 90 120\n"
                          "900 200 890 920\n\n\n")
                 != NULL,
             "%s", dat);
  cr_expect (strstr (dat, "\"repair: ns, bytes, bounds of ns\"\n100 600 90 120\n110 800 100 130\n") != NULL,
             "%s", dat);
  cr_expect (strstr (dat, "\"repair, no freedom: ns, bytes, bounds of ns\"\n300 2600 290 320\n") != NULL,
             "%s", dat);
  cr_expect (strstr (dat, "\"lzma: ns, bytes, bounds of ns\"\n5000 ") != NULL);
  cr_expect (strstr (dat, "zlib") == NULL);
  cr_expect (strstr (gp, "eval ticks ('x', 'time', ") && strstr (gp, "eval ticks ('y', 'bytes', "),
             "logarithmic axes");
  cr_expect_eq (count (gp, "pt 7 ps 1 lc rgb '#2f7de1'"), 1, "filled: %s", gp);
  cr_expect_eq (count (gp, "pt 6 ps 1 lw 1.4 lc rgb '#2f7de1'"), 1, "hollow: %s", gp);
  cr_expect_eq (count (gp, " filled lw 1 "), 1,
                "from the hollow mark to the filled one of the same settings: %s", gp);
  cr_expect_eq (count (gp, "xerrorbars"), 5);
  cr_expect_eq (count (gp, "\"Pareto front\"; eval legend_line"), 1);
  for (unsigned i = 0; i < 4; i++) {
    static const char *const named[] = { "\"store\"", "\"repair", "\"lzma 16", "\"obdd\"" };
    cr_expect (count (gp, named[i]) >= 1, "%s: %s", named[i], gp);
  }
  if (gnuplot_is_here ()) {
    char *html = read_file ("report/index.html"), *svg = read_file ("report/access_KRvK_wdl.svg");
    const char *first = strstr (html, "<figure");
    cr_assert (first != NULL);
    cr_expect (strstr (first, "access_KRvK_wdl")
               && strstr (first, "access_KRvK_wdl") < strstr (first, "</svg>"));
    cr_expect (strstr (html, "1 line that was not timed is left out.") != NULL);
    cr_expect (strstr (svg, "prefers-color-scheme:dark") != NULL, "dark paper");
    cr_expect_not (sd_file_exists (in_folder ("report/figures.log")), "gnuplot says nothing");
    if (system ("gnuplot -e \"if (!strstrt (GPVAL_TERMINALS, 'pdfcairo')) exit status 1\" 2>/dev/null")
        == 0) {
      char *pdf = read_file ("report/access_KRvK_wdl.pdf");
      cr_expect_eq (strncmp (pdf, "%PDF-", 5), 0);
      free (pdf);
    }
    free (html);
    free (svg);
  }
  char *narrow = read_file ("report/access_KRvK_wdl_narrow.gp");
  cr_expect (strstr (gp, "eval paper (640, 500, 'access_KRvK_wdl')") != NULL);
  cr_expect (strstr (narrow, "eval paper (400, 480, 'access_KRvK_wdl_narrow')") != NULL, "for a phone: %s",
             narrow);
  free (narrow);
  free (gp);
  free (dat);
}

Test (figures, a_front_of_one_point_and_kinds_that_are_not_there_have_no_legend) {
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "a", "obdd", "", "all", "KRk", 100, 20); /* smaller and quicker than all others */
  insert (store, "a", "repair", "block=128", "all", "KRk", 300, 100);
  sd_store_close (store);
  cr_assert_eq (report (NULL, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/access_KRvK_wdl.gp"), *dat = read_file ("report/access_KRvK_wdl.dat");
  cr_expect_eq (count (gp, "eval legend"), 0, "%s", gp);
  cr_expect_eq (count (dat, "front"), 0, "%s", dat);
  free (gp);
  free (dat);
}

/* Four codecs at one place: whatever finds no room beside its mark stands in the legend, once. */
Test (figures, a_codec_without_room_for_its_name_stands_in_the_legend) {
  static const char *const codec[] = { "obdd",   "lzma", "zlib",  "zstd", "huffman",
                                       "repair", "rle",  "trees", "store" };
  sd_row row[9];
  for (unsigned i = 0; i < 9; i++) {
    row[i] = a_row ("a", "KRvK", "w", codec[i], 5000 + i);
    row[i].get_ns = 100;
  }
  draw_rows (row, 9, "16-access.sql");
  char *gp = read_file ("drawn/access_KRvK_wdl.gp");
  cr_expect_geq (count (gp, "eval legend ("), 1);
  for (unsigned i = 0; i < 9; i++) {
    char label[40], legend[40];
    snprintf (label, sizeof label, "set label \"%s", codec[i]);
    snprintf (legend, sizeof legend, "ENTRY = \"%s\"", codec[i]);
    cr_expect_eq (count (gp, label) + count (gp, legend), 1, "%s: %s", codec[i], gp);
  }
  free (gp);
}

/* Three marks of a codec, two of them at one place; one stands for a part of the freedom, one for a stream of
 * both sides. */
Test (figures, lines_that_differ_in_freedom_or_sides_have_other_names) {
  static const char *const name[] = { "obdd\"", "obdd, freedom illegal\"", "obdd joint\"" };
  sd_row row[5];
  for (unsigned i = 0; i < 5; i++) {
    row[i] = a_row ("a", "KRvK", i % 2 ? "b" : "w", "obdd", i < 2 ? 9000 : 4000);
    strcpy (row[i].freedom, i < 2 ? "illegal" : "all");
    row[i].get_ns = i < 2 ? 100 : 900;
  }
  strcpy (row[4].side, "wb");
  strcpy (row[4].sides, "joint");
  row[4].bytes = 8000;
  draw_rows (row, 5, "16-access.sql");
  char *gp = read_file ("drawn/access_KRvK_wdl.gp");
  for (unsigned i = 0; i < 3; i++)
    cr_expect_eq (count (gp, name[i]), 1, "%s: %s", name[i], gp);
  free (gp);
}

Test (figures, what_a_figure_leaves_out_is_said) {
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
  cr_expect_eq (count (gp, "with lines"), 1);
  if (gnuplot_is_here ())
    cr_expect (strstr (html, "Left out, larger lines of the same codec with other settings: zstd (13).")
               != NULL);
  free (gp);
  free (html);
}

/* More codecs than curves that an eye can tell apart: all are named all the same. */
Test (figures, as_many_codecs_as_a_store_has_are_drawn) {
  enum { CODECS = 20 };
  sd_store *store = open_store ();
  sd_error err = { 0 };
  add_run (store, "abc", "a processor", 0.1);
  for (unsigned i = 0; i < CODECS; i++)
    for (unsigned block = 64; block <= 128; block *= 2) {
      char codec[20], settings[20];
      snprintf (codec, sizeof codec, "later%u", i);
      snprintf (settings, sizeof settings, "block=%u", block);
      insert (store, "a", codec, settings, "all", "KRk", 1000 + 10 * i + block, 50);
    }
  sd_store_close (store);
  cr_assert_eq (report (&(sd_report_options){ .gnuplot = "/nonexistent/gnuplot" }, &err), SD_OK, "%s", err.text);
  char *gp = read_file ("report/size_KRvK_wdl.gp");
  cr_expect_eq (count (gp, "set label \"later"), CODECS, "%s", gp);
  cr_expect_eq (count (gp, "with lines lw 2 "), CODECS, "%s", gp);
  free (gp);
}

/* A place a row and order, by the mean of the rows; crisp, and a scale that says more than its end. */
Test (figures, all_orders_are_a_heat_map) {
  static const char *const order[] = { "KRk", "RKk", "kRK!" };
  static const uint64_t bytes[2][3] = { { 300, 100, 200 }, { 50, 40, 80 } };
  sd_row row[6];
  for (unsigned i = 0; i < 6; i++) {
    row[i] = a_row ("a", "KRvK", i % 2 ? "b" : "w", "obdd", bytes[i % 2][i / 2]);
    strcpy (row[i].order, order[i / 2]);
  }
  draw_rows (row, 6, "19-heat.sql");
  char *gp = read_file ("drawn/heat_KRvK_wdl.gp"), *dat = read_file ("drawn/heat_KRvK_wdl.dat");
  cr_expect (strstr (dat, "\n 1 3 2\n 1 1.25 2\n") != NULL, "RKk, KRk, kRK!: %s", dat);
  cr_expect (strstr (gp, "\"RKk\" 0, \"KRk\" 1, \"kRK!\" 2") != NULL, "%s", gp);
  cr_expect_eq (count (gp, "eval paper"), 1, "%s", gp);
  cr_expect (strstr (gp, "with image pixels") && strstr (gp, "set cbtics ('1' 1, '1.25' 1.25, ") != NULL,
             "%s", gp);
  free (gp);
  free (dat);
}

/* ------------------------------------------------------------ figures of users */

/* A query of one's own, drawn into a folder; the error's text, or "". */
static const char *draw (const char *sql) {
  static sd_error err;
  sd_buf out = { 0 };
  char path[512], dir[512];
  snprintf (path, sizeof path, "%s", write_file ("mine.sql", sql));
  snprintf (dir, sizeof dir, "%s", in_folder ("mine"));
  const sd_report_asked asked = { .query = path, .dir = dir };
  err = (sd_error){ 0 };
  const int status = sd_report_query (NULL, &asked, NULL, &out, &err);
  cr_expect_eq (status == SD_OK, !*err.text);
  sd_buf_free (&out);
  return err.text;
}

/* Marks stand so near to each other that few names have room beside them. */
Test (figures, the_best_of_each_series_and_the_front_are_named_in_a_crowd) {
  if (!gnuplot_is_here ())
    return;
  cr_expect_str_eq (
      draw (
          "-- figure: front\n-- x: time | ns\n-- y: bytes | bytes\n\n"
          "WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 119),\n"
          "  p AS (SELECT i, 'series ' || (i % 3) AS series, 100 + 3 * i AS x, 1e6 - 500 * (i * 37 % 120) AS y FROM n)\n"
          "SELECT series, x, y, 'mark ' || i AS label, i = 0 AS front FROM p"),
      "");
  char *gp = read_file ("mine/mine.gp");
  cr_expect (strstr (gp, "mark 0\"") != NULL, "the front: %s", gp);
  for (unsigned i = 0; i < 3; i++) {
    static const unsigned best[] = { 81, 94, 107 }; /* where i * 37 % 120 is 117, 118, 119 */
    char text[40];
    snprintf (text, sizeof text, "mark %u\"", best[i]);
    cr_expect (strstr (gp, text) != NULL, "%s, beside its mark or in the legend: %s", text, gp);
  }
  free (gp);
  /* long names beside bars of a phone are wrapped, not cut */
  cr_expect_str_eq (
      draw ("-- figure: bars\n\nSELECT column1 AS label, 2 AS y FROM (VALUES ('a name that goes on for "
            "more than a row'), ('b'))"),
      "");
  gp = read_file ("mine/mine_narrow.gp");
  cr_expect (strstr (gp, "(\"a name that goes on\" . \"\\n\" . \"for more than a row\" 0, \"b\" 1)") != NULL,
             "%s", gp);
  free (gp);
}

Test (figures, one_name_stands_for_both_ends_of_an_arrow_and_a_line_leads_to_names_without_room) {
  if (!gnuplot_is_here ())
    return;
  cr_expect_str_eq (
      draw (
          "-- figure: front\n\nSELECT 's' AS series, column1 AS x, column2 AS y, column3 AS hollow, column4 AS to_x, "
          "column5 AS to_y, column6 AS label FROM (VALUES (10, 900, 1, 20, 100, 'one'), (20, 100, 0, NULL, NULL, 'one'), "
          "(100, 300, 0, NULL, NULL, 'a name that is long'), (110, 300, 0, NULL, NULL, 'another long name'), "
          "(121, 300, 0, NULL, NULL, 'the third long name'), (133, 300, 0, NULL, NULL, 'the fourth long name'))"),
      "");
  char *gp = read_file ("mine/mine.gp");
  cr_expect_eq (count (gp, "set label \"one\""), 1, "%s", gp);
  cr_expect (strstr (gp, "set label \"a name") && strstr (gp, "set label \"another")
                 && strstr (gp, "set label \"the third") && strstr (gp, "set label \"the fourth"),
             "%s", gp);
  cr_expect (count (gp, "nohead lw 0.6") > 0, "%s", gp);
  free (gp);
}

/* Ten marks of a codec in a row have no room for their names: a letter stands for those that find none. */
Test (figures, every_mark_has_a_name_or_a_letter_that_the_legend_explains) {
  if (!gnuplot_is_here ())
    return;
  cr_expect_str_eq (
      draw (
          "-- figure: front\n\nWITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 9)\n"
          "SELECT 'a codec' AS series, 100 + 60 * i AS x, 300 + i AS y, 'a long setting=' || i AS label FROM n "
          "UNION ALL VALUES ('other', 90, 3000, 'one'), ('other', 900, 30, 'two')"),
      "");
  char *gp = read_file ("mine/mine_narrow.gp");
  unsigned letters = 0;
  for (unsigned i = 0; i < 10; i++) {
    char name[40];
    snprintf (name, sizeof name, "a long setting=%u\"", i);
    cr_expect_eq (count (gp, name), 1, "%s: %s", name, gp);
  }
  for (char c = 'a'; c <= 'z'; c++) {
    char letter[40], entry[40];
    snprintf (letter, sizeof letter, "set label \"%c\"", c);
    snprintf (entry, sizeof entry, "ENTRY = \"%c: ", c);
    cr_expect_eq (count (gp, letter), count (gp, entry), "%c: %s", c, gp);
    letters += count (gp, letter);
  }
  cr_expect_geq (letters, 3, "%s", gp);
  free (gp);
}

/* Pixels of a mark in a figure. */
static void place (const char *gp, double x, double y, double out[2]) {
  double w, h, m[4], xs[2], ys[2];
  cr_assert_eq (sscanf (strstr (gp, "eval paper"), "eval paper (%lf, %lf", &w, &h), 2);
  cr_assert_eq (
      sscanf (strstr (gp, "eval frame"), "eval frame (%lf, %lf, %lf, %lf", &m[0], &m[1], &m[2], &m[3]), 4);
  cr_assert_eq (sscanf (strstr (gp, "set xrange"), "set xrange [%lf:%lf", &xs[0], &xs[1]), 2);
  cr_assert_eq (sscanf (strstr (gp, "set yrange"), "set yrange [%lf:%lf", &ys[0], &ys[1]), 2);
  out[0] = m[0] + (w - m[0] - m[1]) * log (x / xs[0]) / log (xs[1] / xs[0]);
  out[1] = m[2] + (h - m[2] - m[3]) * log (ys[1] / y) / log (ys[1] / ys[0]);
}

/* Marks of a row and those that cover a part of them. */
Test (figures, a_line_to_a_name_begins_at_no_mark_that_covers_its_own) {
  enum { ROW = 6 };
  if (!gnuplot_is_here ())
    return;
  cr_expect_str_eq (
      draw (
          "-- figure: front\n\nWITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 5)\n"
          "SELECT 's' || i AS series, 100 + 40 * i AS x, 300 AS y, 'a long setting=' || i AS label FROM n "
          "UNION ALL SELECT 't' || i, 100 + 40 * i, 280, 'below it, setting=' || i FROM n "
          "UNION ALL VALUES ('other', 1, 3000, 'one'), ('other', 10000, 30, 'two')"),
      "");
  char *gp = read_file ("mine/mine.gp");
  unsigned lines = 0;
  for (const char *p = gp; (p = strstr (p, "set arrow from screen across (")); p++) {
    double at[2];
    unsigned near = 0;
    cr_assert_eq (sscanf (p, "set arrow from screen across (%lf), down (%lf)", &at[0], &at[1]), 2);
    for (unsigned i = 0; i < 2 * ROW; i++) {
      double mark[2];
      place (gp, 100 + 40 * (i / 2), i % 2 ? 280 : 300, mark);
      near += hypot (mark[0] - at[0], mark[1] - at[1]) < 8.9;
    }
    cr_expect_eq (near, 1, "%.1f, %.1f: %s", at[0], at[1], gp);
    lines++;
  }
  cr_expect_geq (lines, 2, "%s", gp);
  free (gp);
}

/* The bar of another curve's mark stands where the name of the shorter curve would be first, right of its
 * last mark. */
Test (figures, names_of_curves_stay_off_bars) {
  cr_expect_str_eq (
      draw (
          "-- figure: lines\n\nSELECT column1 AS series, column2 AS x, column3 AS y, column4 AS low, column5 AS high "
          "FROM (VALUES ('inside', 1, 10, 9, 11), ('inside', 8, 10, 9, 11), "
          "('other', 1, 900, 800, 1000), ('other', 12, 900, 2, 1000), ('other', 64, 900, 800, 1000))"),
      "");
  char *gp = read_file ("mine/mine.gp"), side[10];
  const char *label = strstr (gp, "set label \"inside\" at screen across (");
  double at[2], low[2], high[2];
  cr_assert (label != NULL, "%s", gp);
  cr_assert_eq (
      sscanf (label, "set label \"inside\" at screen across (%lf), down (%lf) %9s", &at[0], &at[1], side), 3);
  place (gp, 12, 2, low);
  place (gp, 12, 1000, high);
  const double width = sd_label_width ("inside"), left = at[0]
                                                         - (*side == 'l'   ? 0
                                                            : *side == 'r' ? width
                                                                           : width / 2);
  cr_expect (left > low[0] || left + width < low[0] || at[1] > low[1] || at[1] < high[1],
             "from %.0f to %.0f at %.0f; the bar at %.0f from %.0f to %.0f", left, left + width, at[1],
             low[0], high[1], low[1]);
  free (gp);
}

Test (figures, a_query_of_a_user_is_a_figure) {
  if (!gnuplot_is_here ())
    return;
  cr_expect_str_eq (
      draw (
          "-- figure: front\n-- title: {title}, {1 + 1}\n-- x: time | ns of {what}\n-- y: | count\n\n"
          "SELECT 'a' AS series, column1 AS x, column2 AS y, 'all' AS title, 'it' AS what FROM (VALUES (10, 5), (100, 3), (NULL, 2), (1, -1))"),
      "");
  char *gp = read_file ("mine/mine.gp"), *dat = read_file ("mine/mine.dat");
  cr_expect (strstr (gp, "TITLE = \"all, 2\"\nWHAT = \"count\"\nBELOW = \"ns of it\"\n") != NULL, "%s", gp);
  cr_expect (strstr (dat, "# \"a: ns, numbers, bounds of ns\"\n10 5 10 10\n100 3 100 100\n") != NULL,
             "what no logarithmic axis has is left out: %s", dat);
  cr_expect (sd_file_exists (in_folder ("mine/mine.svg"))
             && sd_file_exists (in_folder ("mine/mine_narrow.svg")));
  cr_expect_not (sd_file_exists (in_folder ("mine/figures.log")), "gnuplot says nothing");
  free (gp);
  free (dat);
  /* of each kind the least that it needs; two figures with one name are two files */
  cr_expect_str_eq (
      draw (
          "-- figure: lines\n-- name: l\n-- x: binary | b\n\nSELECT 'a' AS series, column1 AS x, 7 AS y, column2 AS figure "
          "FROM (VALUES (1, 'x'), (2, 'x'), (1, 'x y'), (4, 'x y'), (1, 'x-y'), (NULL, 'z'))"),
      "");
  cr_expect (sd_file_exists (in_folder ("mine/l_x.svg")) && sd_file_exists (in_folder ("mine/l_x_y.svg"))
             && sd_file_exists (in_folder ("mine/l_x_y_2.svg")) && sd_file_exists (in_folder ("mine/l_z.svg"))
             && sd_file_exists (in_folder ("mine/l_z_narrow.svg")));
  cr_expect_str_eq (
      draw ("-- figure: bars\n\nSELECT column1 AS label, column2 AS y FROM (VALUES ('a', 2), ('b', 3.5))"),
      "");
  cr_expect_str_eq (
      draw (
          "-- figure: heat\n\nSELECT column1 AS x, column2 AS y, 2 AS value, column1 AS column, 'r' || column2 AS row "
          "FROM (VALUES (0, 0), (1, 1), (0, 1), (1, 0))"),
      "");
  cr_expect_str_eq (
      draw (
          "-- figure: heat\n\nSELECT column1 AS x, 0 AS y, 1 + column1 AS value, 'c' || column1 AS column, 'r' AS row "
          "FROM (VALUES (0), (1), (2))"),
      "");
  char *heat = read_file ("mine/mine.gp"), *lines = read_file ("mine/mine.dat");
  cr_expect (strstr (heat, "set yrange [0.5:-0.5]") && strstr (lines, " 1 2 3\n 1 2 3\n"),
             "a single row is drawn, as the first of two: %s", lines);
  free (heat);
  free (lines);
  cr_expect_str_eq (
      draw (
          "-- figure: steps\n-- x: per cent | part\n\nSELECT column1 AS label, column2 AS x FROM (VALUES ('a', 100), ('b', 30))"),
      "");
  cr_expect_not (sd_file_exists (in_folder ("mine/figures.log")), "gnuplot says nothing");
}

/* What takes more than one row makes the figure higher, and stands nowhere in the axes. */
Test (figures, rows_of_words_and_of_the_legend_have_room) {
  if (!gnuplot_is_here ())
    return;
  cr_expect_str_eq (
      draw (
          "-- figure: steps\n-- title: {replace (printf ('%28s', ''), ' ', 'ww')}\n-- legend: least to most of all | the middle half | the geometric mean of all\n\n"
          "SELECT column1 AS label, column2 AS x FROM (VALUES ('a', 100), ('b', 30))"),
      "");
  char *wide = read_file ("mine/mine.gp"), *narrow = read_file ("mine/mine_narrow.gp");
  cr_expect (strstr (wide, "eval paper (640, 236, 'mine')") != NULL, "%s", wide);
  cr_expect (strstr (narrow, "eval paper (400, 294, 'mine_narrow')\neval frame (24, 24, 142, 64)\n") != NULL,
             "a title of two rows of 26 pixels, a legend of two of 20: %s", narrow);
  free (wide);
  free (narrow);
  cr_expect_str_eq (
      draw (
          "-- figure: lines\n\nSELECT 'repair with settings of its own ' || column1 AS series, 1 AS x, column1 AS y "
          "FROM (VALUES (1), (2))"),
      "");
  narrow = read_file ("mine/mine_narrow.gp");
  cr_expect (strstr (narrow, "eval paper (400, 460, 'mine_narrow')\neval frame (72, 16, 116, 64)\n") != NULL,
             "a legend of two rows of 20 pixels: %s", narrow);
  free (narrow);
}

Test (figures, a_head_that_makes_no_figure_is_refused) {
  static const struct {
    const char *sql, *why;
  } bad[] = {
    { "-- figure: pie\n\nSELECT 1 AS x", "there is no such kind" },
    { "-- figure: front\n\nSELECT 1 AS x, 2 AS y", "needs the column \"series\"" },
    { "-- figure: bars\n-- y: furlongs | y\n\nSELECT 'a' AS label, 2 AS y", "y: \"furlongs\" is no unit" },
    { "-- figure: bars\n-- y: bytes'; system | y\n\nSELECT 'a' AS label, 2 AS y", "is no unit" },
    { "-- figure: bars\n\nSELECT 'a' AS label, 2 AS y WHERE 0", "no row is there to be drawn" },
    { "-- figure: heat\n\nSELECT 5000 AS x, 0 AS y, 1 AS value, 'a' AS column, 'b' AS row",
      "at most 2000 columns" },
    { "-- figure: heat\n\nSELECT -1 AS x, 0 AS y, 1 AS value, 'a' AS column, 'b' AS row", "from 0 on" },
    { "-- figure: bars\n-- title: {load_extension ('x')}\n\nSELECT 'a' AS label, 2 AS y", "is not allowed" },
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *text = draw (bad[i].sql);
    cr_expect (strstr (text, bad[i].why) && strstr (text, "mine.sql"), "%s: %s", bad[i].sql, text);
  }
}

/* Texts of an answer go through the same quotes as those of rows. */
Test (figures, texts_of_an_answer_run_nothing) {
  static const char text[] = "\"; system 'touch marker'; `touch marker`\n!touch marker\n../../x";
  static const char *const kind[] = { "front", "lines", "bars", "heat", "steps" };
  for (unsigned i = 0; i < sizeof kind / sizeof *kind; i++) {
    char sql[1200], path[512];
    snprintf (path, sizeof path, "%s", in_folder ("texts.csv"));
    FILE *f = fopen (path, "w");
    cr_assert (f && fputs ("t\n\"", f) >= 0);
    for (const char *p = text; *p; p++)
      fprintf (f, "%s%c", *p == '"' ? "\"" : "", *p);
    cr_assert (fputs ("\"\n", f) >= 0 && fclose (f) == 0);
    snprintf (
        sql, sizeof sql,
        "-- csv: texts texts.csv\n-- figure: %s\n-- title: {t}\n-- x: | {t}\n-- y: | {t}\n-- legend: {t} | {t} | {t}\n-- caption: {t}\n\n"
        "SELECT t, t AS series, t AS label, t AS curve, t AS figure, t AS column, t AS row, t AS crowd, t AS crowd_label, t AS part, "
        "column1 AS x, %d AS y, 2 AS value, column1 AS hollow, 1 AS front FROM texts, (VALUES (0), (1), (2), (3))",
        kind[i], strcmp (kind[i], "heat") != 0);
    const char *why = draw (sql);
    cr_expect (!*why || !gnuplot_is_here (), "%s: %s", kind[i], why);
    cr_expect (!sd_file_exists ("marker") && !sd_file_exists (in_folder ("marker"))
                   && !sd_file_exists (in_folder ("mine/marker")),
               "%s", kind[i]);
    cr_expect (!sd_file_exists (in_folder ("mine/figures.log")), "%s", kind[i]);
  }
}
