/* subdef export: values for other programs. `export FILE.sda OUT` writes an array as a plain file whose name
 * says in which form (.npy, raw); `export --syzygy DIR ENDING...` is a preset of reformat that makes Syzygy
 * files of exact dtz50 tables. */
#include "config.h"
#include "array/array.h"
#include "tools/reformat/reformat.h"

/* A file that is there already is kept, whatever made it. */
static sd_reformat syzygy = { .metric = SD_NO_METRIC, .to = SD_TO_RTBW | SD_TO_RTBZ, .there = SD_THERE_KEEP };
static bool wdl_only;

enum { ARRAYS = 1 }; /* what an option is for besides Syzygy files */

static const sd_option options[] = {
  { "syzygy", 's', "DIR",
    "write the endings as Syzygy files (.rtbw and .rtbz) into this folder: 'subdef reformat --to rtbw,rtbz' does, too",
    .text = &syzygy.out, .expected = "the name of a folder" },
  { "tables", 0, NULL, "where the exact dtz50 tables are (default: SUBDEF_PATH, else the current folder)",
    .text = &syzygy.tables },
  { "wdl-only", 'w', NULL, "with --syzygy: no .rtbz files", .flag = &wdl_only },
  { "high", .flag = &syzygy.high },
  { "jobs", 0, NULL, "with --syzygy: files at the same time (default: 1, by all cores)",
    .count = &syzygy.jobs, .least = 1, .most = 4096 },
  { "force", .flag = &syzygy.overwrite, .of = ARRAYS },
  { "quiet", .flag = &syzygy.quiet, .of = ARRAYS },
  { "json", SD_NO_LETTER, NULL, "with --syzygy: one JSON array, an object for each file",
    .flag = &syzygy.json },
  { 0 },
};

/* The checksums are compared before anything is written. */
static int export_array (const char *from, const char *to, sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
  SD_TRY (sd_array_open (from, SD_OPEN_CHECK, &a, err));
  return sd_array_export (a, to, &sd_terminal, err);
}

static int run_export (const sd_words *words) {
  sd_error err = { 0 };

  if (syzygy.out) {
    if (!words->n)
      return sd_tool_usage ("ENDING is missing, e.g. 'subdef export --syzygy %s KRvKP'", syzygy.out);
    syzygy.words = *words;
    syzygy.to = wdl_only ? SD_TO_RTBW : syzygy.to;
    return sd_reformat_run (&syzygy);
  }

  const char *other = sd_tool_said_not_of (ARRAYS);
  if (other)
    return sd_tool_usage ("--%s goes with --syzygy", other);

  if (words->n != 2)
    return sd_tool_usage ("expected FILE.sda and OUT, e.g. 'subdef export grid.sda grid.npy', or --syzygy "
                          "DIR and endings");

  if (!syzygy.overwrite && sd_file_exists (words->at[1]))
    return sd_tool_usage ("%s: is there already; -f overwrites it", words->at[1]);
  return export_array (words->at[0], words->at[1], &err) ? sd_tool_fail (&err) : SD_EXIT_OK;
}

const sd_command sd_cmd_export = {
  "export", run_export, options, .args = "FILE.sda OUT\n--syzygy DIR ENDING...", .threads = true,
};
