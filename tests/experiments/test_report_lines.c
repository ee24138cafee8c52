/* What a report says of its lines: the headline counts all of them, timed or not; a cell that stands in
 * several groups is listed once; two axes together are a table; each table is a file for LaTeX. */
#include "config.h"
#include "tests/experiments/written_rows.h"
#include <jansson.h>
#include <sys/stat.h>

TestSuite (lines, .init = make_folder, .fini = remove_folder);

static char *summary (bool json) {
  sd_buf text = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_report_summary (in_folder ("rows.db"), &(sd_report_options){ .json = json }, &text, &err), SD_OK,
                "%s", err.text);
  sd_buf_u8 (&text, 0);
  return (char *) text.data;
}

static void make_report (void) {
  sd_error err = { 0 };
  cr_assert_eq (report (&(sd_report_options){ .gnuplot = "/nonexistent/gnuplot" }, &err), SD_OK, "%s", err.text);
}

/* The line of a text that begins with these words, cut off; NULL: none. */
static char *line_of (char *text, const char *words) {
  char *at = strstr (text, words);
  if (at)
    at[strcspn (at, "\n")] = '\0';
  return at;
}

/* As KQvKR in a sweep that timed RE-PAIR and not the diagrams: 14,286 bytes stood there, and 5,768 were
 * known. */
Test (lines, the_headline_counts_what_was_not_timed_and_says_so) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "plain", "lzma", "block=16384", "none", "KRk", 900, NAN);
  insert (store, "times", "repair", "block=128", "all", "KRk", 300, 100);
  insert (store, "codecs", "obdd", "", "all", "KRk", 200, NAN);
  sd_store_close (store);
  char *text = summary (false), *json = summary (true);
  cr_expect_str_eq (text, "KRvK WDL: obdd, order KRk: 400 bytes, 4.50 times smaller than LZMA 16 KiB (1,800 bytes); "
                          "not timed; within 2 us: 600 bytes (repair 128 B)\n");
  json_t *all = json_loads (json, 0, NULL), *one = json_array_get (all, 0);
  cr_assert (json_array_size (all) == 1);
  json_t *smallest = json_object_get (one, "smallest"), *quick = json_object_get (one, "quick");
  cr_expect_str_eq (json_string_value (json_object_get (smallest, "codec")), "obdd");
  cr_expect_eq (json_integer_value (json_object_get (smallest, "bytes")), 400);
  cr_expect (json_is_null (json_object_get (smallest, "get_ns")));
  cr_expect_eq (json_integer_value (json_object_get (quick, "bytes")), 600);
  cr_expect_eq (json_integer_value (json_object_get (json_object_get (one, "baseline"), "bytes")), 1800);
  json_decref (all);
  make_report ();
  char *html = read_file ("report/index.html");
  cr_expect (strstr (html, "<b>400 bytes</b><span>obdd, order KRk; 4.50 times smaller than LZMA 16 KiB; not timed; "
                           "within 2 us: 600 bytes (repair 128 B)</span>")
             != NULL);
  free (html);
  free (text);
  free (json);
}

Test (lines, a_cell_of_several_groups_is_listed_once_with_their_names) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "orders", "repair", "block=128", "all", "KRk", 300, NAN);
  insert (store, "orders", "repair", "block=128", "all", "RKk", 400, NAN);
  insert (store, "blocks", "repair", "block=128", "all", "KRk", 300, 100); /* the same, in the best order */
  insert (store, "blocks", "repair", "block=64", "all", "KRk", 300, 100);  /* another one of equal bytes */
  insert (store, "other", "repair", "block=128", "all", "kKR", 350, NAN);  /* in another order */
  sd_store_close (store);
  make_report ();
  char *sizes = read_file ("report/sizes.csv"), *latency = read_file ("report/latency.csv"),
       *md = read_file ("report/report.md");
  cr_expect_eq (count (sizes, "\n"), 1 + 3, "%s", sizes);
  cr_expect_eq (count (sizes, "\n\"orders, blocks\",KRvK,"), 1, "%s", sizes);
  cr_expect_eq (count (latency, "\n"), 1 + 2, "%s", latency);
  /* by rising bytes; of two orders the smaller; the time that only one of the groups took */
  const char *first = line_of (md, "| repair 128 B |"), *rest = first ? first + strlen (first) + 1 : "";
  cr_assert (first != NULL);
  cr_expect (strstr (first, "| KRk | 2 | 600 |") && strstr (first, "| 100 ns |") && strstr (first, "orders, blocks"),
             "%s", first);
  (void) rest;
  free (sizes);
  free (latency);
  free (md);
}

/* 2 x 3 bytes in one group, each value with a factor of its own; then one cell larger. */
static void fill_two_axes (uint64_t last) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "both", "repair", "block=128", "all", "KRk", 100, NAN);
  insert (store, "both", "repair", "block=128", "all", "RKk", 200, NAN);
  insert (store, "both", "repair", "block=128", "all", "kKR", 50, NAN);
  insert (store, "both", "repair", "block=128", "none", "KRk", 300, NAN);
  insert (store, "both", "repair", "block=128", "none", "RKk", 600, NAN);
  insert (store, "both", "repair", "block=128", "none", "kKR", last, NAN);
  sd_store_close (store);
  make_report ();
}

Test (lines, two_axes_make_a_table_of_bytes_and_factors) {
  fill_two_axes (150);
  char *csv = read_file ("report/two-way.csv"), *md = read_file ("report/report.md"),
       *tex = read_file ("report/tables/two-axes-together-KRvK-WDL.tex");
  cr_expect (strstr (csv, "both,KRvK,wdl,,order,kKR,freedom,all,100,1.00\n") != NULL, "%s", csv);
  cr_expect (strstr (csv, "both,KRvK,wdl,,order,RKk,freedom,none,1200,12.00\n") != NULL, "%s", csv);
  cr_expect_eq (count (csv, "\n"), 1 + 6);
  cr_expect (strstr (md, "### KRvK WDL: order by freedom in group both\n\nFactors of their own explain 100.0 %.") != NULL);
  cr_expect (strstr (md, "| order | freedom used | x least | freedom none | x least |\n| --- | ---: | ---: | ---: | ---: |\n"
                         "| kKR | 100 | 1.00 | 300 | 3.00 |\n| KRk | 200 | 2.00 | 600 | 6.00 |\n"
                         "| RKk | 400 | 4.00 | 1,200 | 12.00 |\n")
                 != NULL,
             "%s", md);
  cr_expect (strstr (tex, "RKk & 400 & 4.00 & 1,200 & 12.00 \\\\") != NULL, "%s", tex);
  free (csv);
  free (md);
  free (tex);
}

Test (lines, interaction_of_two_axes_is_told) {
  fill_two_axes (500);
  char *md = read_file ("report/report.md"), *share = strstr (md, "Factors of their own explain ");
  double v = 0;
  cr_assert (share && sscanf (share, "Factors of their own explain %lf %%", &v) == 1);
  /* y = ln (bytes), less the means of its row and column, plus that of all: computed by hand */
  cr_expect_float_eq (v, 89.5, 0.01, "%g", v);
  free (md);
}

/* Three axes: the pairs that have names, the third as in the smallest cell. */
Test (lines, of_three_axes_a_named_pair_is_shown_through_the_smallest_cell) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  for (unsigned block = 64; block <= 128; block *= 2)
    for (unsigned initial = 0; initial < 2; initial++)
      for (unsigned pairs = 0; pairs < 2; pairs++) {
        char settings[80];
        snprintf (settings, sizeof settings, "block=%u,initial=%s,pair=%s", block, initial ? "ternary" : "none",
                  pairs ? "subdefinite" : "exact");
        insert (store, "rules", "repair", settings, "all", "KRk", 100 * block - 1000 * initial - 2000 * pairs * !initial,
                NAN);
      }
  sd_store_close (store);
  make_report ();
  char *csv = read_file ("report/two-way.csv");
  cr_expect_eq (count (csv, "\n"), 1 + 4, "%s", csv);
  cr_expect_eq (count (csv, "rules,KRvK,wdl,block=64,initial,"), 4, "%s", csv);
  cr_expect (strstr (csv, ",initial,none,pair,exact,12800,1.45\n") != NULL, "%s", csv);
  free (csv);
}

Test (lines, the_page_sorts_by_bytes_and_closes_what_is_long) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  for (unsigned i = 0; i < 45; i++) {
    char settings[40];
    snprintf (settings, sizeof settings, "block=%u", 64 + i);
    insert (store, "blocks", "repair", settings, "all", "KRk", 1000 - i, 100);
  }
  sd_store_close (store);
  make_report ();
  char *html = read_file ("report/index.html");
  cr_expect (strstr (html, "<summary>45 rows: 1,912 bytes (repair 108 B) to 2,000 bytes (repair 64 B)</summary>") != NULL);
  cr_expect (strstr (html, "<th scope=\"col\" class=\"r\" aria-sort=\"ascending\">bytes</th>") != NULL);
  cr_expect (strstr (html, "<th scope=\"col\" class=\"r more\">model, bytes</th>") != NULL,
             "columns of less importance are folded away");
  cr_expect (strstr (html, "<th scope=\"col\" class=\"r desk\">decode, M/s</th>") != NULL);
  cr_expect (strstr (html, "repair 108&nbsp;B</td>") < strstr (html, "repair 64&nbsp;B</td>"));
  free (html);
}

Test (lines, each_table_is_a_file_for_latex_and_old_ones_go) {
  fill_store ();
  cr_assert_eq (mkdir (in_folder ("report"), 0777), 0);
  cr_assert_eq (mkdir (in_folder ("report/tables"), 0777), 0);
  write_file ("report/tables/old.tex", "% made by subdef report\n");
  write_file ("report/tables/own.tex", "% mine\n");
  make_report ();
  cr_expect (!sd_file_exists (in_folder ("report/tables/old.tex")), "it would pass for a part of this report");
  cr_expect (sd_file_exists (in_folder ("report/tables/own.tex")));
  char *all = read_file ("report/tables.tex"), *sizes = read_file ("report/tables/sizes-KRvK-WDL.tex");
  cr_expect (strstr (all, "\\input{tables/sizes-KRvK-WDL}") && strstr (all, "\\usepackage{booktabs,array,longtable}"));
  cr_expect_eq (count (all, "resizebox") + count (sizes, "resizebox"), 0);
  cr_expect (strstr (sizes, "\\caption{Sizes: KRvK WDL: ") && strstr (sizes, "}\\label{tab:sizes-KRvK-WDL}\n"));
  /* one unit and one number of decimals a column, the unit in the head; nothing in words */
  cr_expect (strstr (sizes, "repair 128 B & used & KRk & 600 & 3.00 & 100 & 0.1 & 0 \\\\") != NULL, "%s", sizes);
  cr_expect (strstr (sizes, "lzma 16 KiB & none & KRk & 1,800 & 1.00 & -- & 0.1 & 0 \\\\") != NULL, "%s", sizes);
  cr_expect (strstr (sizes, "slot,\\\\ns") && strstr (sizes, "encode,\\\\M/s"), "%s", sizes);
  free (all);
  free (sizes);
}

Test (lines, numbers_of_a_column_for_latex_have_one_unit) {
  sd_error err = { 0 };
  sd_buf tex = { 0 };
  write_file (
      "times.sql",
      "-- title: Times & more\n-- column: what\n-- column: median | | ns\n-- column: change | | percent\n"
      "-- column: n | folded away | count fold\n-- column: x | least times | digits\n\n"
      "SELECT 'a_b' AS what, 950 AS median, -1.5 AS change, 1 AS n, 1234.5 AS x "
      "UNION ALL SELECT 'c', 1200000, 12, 2, 0.25 UNION ALL SELECT 'd', NULL, 3, 3, NULL");
  const sd_report_asked asked = { .query = in_folder ("times.sql"), .form = SD_FORM_TEX };
  cr_assert_eq (sd_report_query (NULL, &asked, NULL, &tex, &err), SD_OK, "%s", err.text);
  sd_buf_u8 (&tex, 0);
  const char *text = (const char *) tex.data;
  cr_expect (strstr (text, "\nwhat & \\begin{tabular}[b]{@{}r@{}}median,\\\\ns\\end{tabular} & ") != NULL,
             "%s", text);
  cr_expect (strstr (text,
                     "\n\\midrule\na\\_b & 950 & $-$1.5 & 1,234.50 \\\\\nc & 1,200,000 & 12.0 & 0.25 \\\\\n"
                     "d & -- & 3.0 & -- \\\\\n\\bottomrule")
                 != NULL,
             "%s", text);
  cr_expect (strstr (text, "\\caption{Times \\& more}\\label{tab:times-more}") != NULL, "%s", text);
  sd_buf_free (&tex);
}
