/* The page of a report and the files beside it. */
#include "config.h"
#include "tests/experiments/written_rows.h"
#include <sys/stat.h>

TestSuite (page, .init = make_folder, .fini = remove_folder);

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
  cr_expect (strstr (html, "aria-sort") && strstr (html, "td:first-child { position: sticky"));
  cr_expect (strstr (html, "prefers-color-scheme: dark") != NULL);
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
  cr_expect_eq (count (html, "<figure"), count (html, "<svg role=\"img\" aria-label=\"") /* those for a phone have a class */);
  free (html);
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
  cr_expect_str_eq (csv, "table,metric,step,measure,before,after,factor,published,source\n"
                         "KRvK,wdl,\"one, two\",bytes,1800,600,3.00,half,Nobody 1900\n"
                         "KRvK,wdl,quick,ns,90,100,0.90,slower,Nobody 1900\n");
  cr_expect (
      strstr (md, "| one, two | KRvK WDL | 1,800 | 600 | 3.00 | 66.7 % | half | Nobody 1900 |")
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

/* A store of an older version, and one in which a report is made, stay as they are to the byte. */
Test (page, reading_does_not_change_a_store) {
  sd_error err = { 0 };
  fill_store ();
  run_sql ("rows.db", "ALTER TABLE cell DROP COLUMN probe_scatter");
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

/* One of two tables has a stream of both sides. */
Test (page, a_column_says_something_and_a_unit_is_said_once) {
  sd_row row[5];
  for (unsigned i = 0; i < 4; i++)
    row[i] = a_row ("a", i < 2 ? "KRvK" : "KQvK", i % 2 ? "b" : "w", "obdd", 5000);
  row[4] = a_row ("a", "KRvK", "w", "obdd", 4000);
  strcpy (row[4].side, "wb");
  strcpy (row[4].sides, "joint");
  for (unsigned i = 0; i < 5; i++) {
    row[i].get_ns = 990;
    row[i].get_low_ns = i < 2 ? 970 : 980;
    row[i].get_high_ns = i < 2 ? 1020 : 995;
  }
  const asked_part a = ask_rows (row, 5, NULL, "40-latency.sql");
  cr_expect_eq (count (a.md, "| sides |"), 1, "the other table has sides of one kind: %s", a.md);
  cr_expect_eq (count (a.md, "| codec |"), 2, "%s", a.md);
  cr_expect (strstr (a.md, " 970 ns to 1.02 us |") && strstr (a.md, " 980 to 995 ns |"), "%s", a.md);
  free (a.md);
  free (a.csv);
}
