/* subdef recompress: Syzygy files made smaller, in which programs find what they found. It is a preset of
 * reformat: each file is made of itself in its own format, and a smaller one takes its place (--output: in
 * another folder). What an earlier run has made is passed over unless -f is given. */
#include "config.h"
#include "tools/reformat/batch.h"

static sd_reformat opt = { .metric = SD_NO_METRIC, .there = SD_THERE_REPLACE, .in_place = true };

static const sd_option options[] = {
  { "output", 0, NULL,
    "write into this folder, files that do not become smaller too (default: smaller files replace the old ones)",
    .text = &opt.out },
  { "tables", 0, NULL, "where WDL files are that do not lie beside FILE, of the ending and of smaller ones",
    .text = &opt.tables },
  { "jobs", .count = &opt.jobs, .least = 1, .most = 4096 },
  { "high", .flag = &opt.high },
  { "force", 0, NULL, "also files that an earlier run has made", .flag = &opt.overwrite },
  { "quiet", 0, NULL, "do not say what was saved", .flag = &opt.quiet },
  { "json", SD_NO_LETTER, .flag = &opt.json },
  { 0 },
};

static int run_recompress (const sd_words *words) {
  opt.words = *words;
  if (!words->n)
    return sd_tool_usage ("FILE is missing");
  return sd_reformat_run (&opt);
}

const sd_command sd_cmd_recompress = {
  "recompress", run_recompress, options, .args = "FILE.rtbw|FILE.rtbz...", .threads = true,
};
