/* subdef report: what stands in the database of a sweep: a folder with a page (index.html, figures, tables),
 * a summary on the terminal, a comparison of two databases, or the answer of a query. All of it is made in
 * experiments/report; this file reads which of them is asked for. Options that do not go together are
 * refused, not ignored. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <stdlib.h>
#include <string.h>

static struct {
  const char *out, *baseline, *published, *by; /* out: a folder; the others as their options say */
  bool quiet, summary, json, compare;
  unsigned form;         /* enum sd_report_form */
  sd_report_asked asked; /* of --query */
} opt = { .out = "report" };

/* GROUP/CODEC; whether there is such a row is known when the database is open. */
static bool take_baseline (const char *arg) {
  opt.baseline = arg;
  return strchr (arg, '/') != NULL;
}

/* The words of --format. */
static const char *const form[] = { [SD_FORM_MD] = "md",
                                    [SD_FORM_CSV] = "csv",
                                    [SD_FORM_TEX] = "tex",
                                    [SD_FORM_HTML] = "html",
                                    [SD_FORM_JSON] = "json" };

static const char *form_word (unsigned i) {
  return i < sizeof form / sizeof *form ? form[i] : NULL;
}

/* NAME=FILE; the name is a copy that lasts as long as the program. */
static bool take_csv (const char *arg) {
  const char *is = strchr (arg, '=');
  if (!is || !is[1] || is == arg || opt.asked.ncsv == SD_ASKED_FILES)
    return false;
  opt.asked.csv_name[opt.asked.ncsv] = strndup (arg, (size_t) (is - arg));
  opt.asked.csv_file[opt.asked.ncsv] = is + 1;
  return opt.asked.csv_name[opt.asked.ncsv++] != NULL;
}

static const sd_option letters[] = {
  /* A report, and its short form. */
  { "output", 0, NULL, "folder of the report, or of what a query draws (default: report)", .text = &opt.out },
  { "summary", 0, NULL,
    "only print the smallest of each table, its codec and piece order, and the smallest that answers in 2 us",
    .flag = &opt.summary },
  { "json", 0, NULL, "with --summary: as JSON", .flag = &opt.json },
  { "baseline", 0, "GROUP/CODEC",
    "compare with the smallest rows of this group and codec; also GROUP/CODEC/KEY=VALUE,... (default: lzma in blocks of 16 KiB, "
    "no freedom, in the order of the name)",
    .take = take_baseline, .expected = "GROUP/CODEC" },
  { "published", 0, "FILE.csv",
    "show published figures beside those of the rows (papers/repair/published.csv)", .text = &opt.published },
  /* Two databases. */
  { "compare", 0, NULL,
    "compare the cells of two databases, A.db and B.db, by bytes and times; status 1 if bytes differ",
    .flag = &opt.compare },
  { "by", 0, "KEY,...",
    "with --compare: pair cells that differ in these keys, such as codec, freedom, order, or a setting (block)",
    .text = &opt.by, .expected = "keys with commas" },
  /* An answer of the user's own query. */
  { "query", 0, "FILE.sql",
    "print the answer of a query, a SELECT over the rows of OUT.db or over --csv tables alone; one that is a figure is drawn",
    .text = &opt.asked.query, .expected = "the name of a file" },
  { "format", 0, NULL, "with --query: how it is written (default: md)", .choice = &opt.form,
    .words = form_word },
  { "csv", 0, "NAME=FILE", "with --query: a CSV file as the table NAME; as often as needed", .take = take_csv,
    .expected = "NAME=FILE, at most eight of them" },
  { "quiet", 0, NULL, "do not say where the report lies", .flag = &opt.quiet },
  { 0 },
};

/* One line on stderr for each. */
static void warn (sd_buf *warnings) {
  /* The text gets its end; strsep then takes it apart. */
  sd_buf_u8 (warnings, 0);
  for (char *at = (char *) warnings->data, *line; (line = strsep (&at, "\n"));)
    if (*line)
      sd_tool_say ("warning: %s", line);
}

/* An empty buffer has no data that fwrite could be given. */
static void print (const sd_buf *text) {
  if (text->len)
    fwrite (text->data, 1, text->len, stdout);
}

/* Only what goes with a query may stand beside it. A query that is wrong, or asks for more than reading, is
 * exit status 2. */
static int ask (const sd_words *words) {
  sd_buf text SD_RELEASED_BY (sd_buf_free) = { 0 };
  sd_error err = { 0 };
  if (opt.compare || opt.published || opt.summary || opt.json)
    return sd_tool_usage (
        "--query is answered alone; --compare, --published, --summary and --json do not go with it");
  if (words->n > 1)
    return sd_tool_usage ("a query is about one database, or none");

  opt.asked.dir = opt.out;
  opt.asked.form = (enum sd_report_form) opt.form;
  if (sd_report_query (words->n ? words->at[0] : NULL, &opt.asked, opt.baseline, &text, &err) != SD_OK)
    return sd_tool_fail (&err);
  print (&text);
  return SD_EXIT_OK;
}

/* "54 cells of both, 2 differ in bytes; 3 in A.db only, 0 in B.db only". Exit status 1 tells scripts that
 * bytes differ. */
static int compare (const sd_words *words) {
  sd_store_comparison found;
  sd_error err = { 0 };
  if (words->n != 2)
    return sd_tool_usage ("--compare needs two databases: A.db B.db");
  if (opt.baseline || opt.published || opt.summary)
    return sd_tool_usage (
        "--compare takes B divided by A; --baseline, --published and --summary do not go with it");

  if (sd_report_compare (words->at[0], words->at[1], opt.by, opt.out, &found, &err) != SD_OK)
    return sd_tool_fail (&err);
  if (!opt.quiet)
    printf ("%zu cells of both, %zu differ in bytes; %zu in %s only, %zu in %s only\n%s/compare.html\n",
            found.cells, found.differ, found.only[0], words->at[0], found.only[1], words->at[1], opt.out);
  return found.differ ? SD_EXIT_FAILED : SD_EXIT_OK;
}

/* From the special to the usual: a query, a comparison, a summary, a report. */
static int run_report (const sd_words *words) {
  if (opt.asked.query)
    return ask (words);
  if (opt.asked.ncsv || opt.form)
    return sd_tool_usage ("--csv and --format go with --query");

  if (words->n == 0)
    return sd_tool_usage ("no database of a sweep is named");
  if (opt.by && !opt.compare)
    return sd_tool_usage ("--by goes with --compare");
  if (opt.compare)
    return compare (words);
  if (words->n > 1)
    return sd_tool_usage ("one database is enough; --compare takes two");
  if (opt.json && !opt.summary)
    return sd_tool_usage ("--json goes with --summary");

  sd_error err = { 0 };
  sd_buf warnings SD_RELEASED_BY (sd_buf_free) = { 0 }, text SD_RELEASED_BY (sd_buf_free) = { 0 };
  const sd_report_options how = {
    .baseline = opt.baseline,
    .published = opt.published,
    .progress = &sd_terminal,
    .json = opt.json,
    .warnings = &warnings,
  };

  const int st = opt.summary ? sd_report_summary (words->at[0], &how, &text, &err)
                             : sd_report_write (words->at[0], opt.out, &how, &err);
  sd_terminal_clear ();
  if (st != SD_OK)
    return sd_tool_fail (&err);
  /* Of a summary; a report has printed nothing. */
  print (&text);
  warn (&warnings);
  if (!opt.quiet && !opt.summary)
    printf ("%s/index.html\n", opt.out);
  return SD_EXIT_OK;
}

const sd_command sd_cmd_report = {
  "report", run_report, letters, .args = "OUT.db\n--compare A.db B.db\n--query FILE.sql [OUT.db]", .most = 2,
};
