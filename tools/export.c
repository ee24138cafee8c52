/* subdef export: values for other programs: an array as a plain file, endings as Syzygy files. */
#include "config.h"
#include "array/array.h"
#include "tools/reformat/reformat.h"

static sd_reformat syzygy = { .metric = SD_NO_METRIC, .to = SD_TO_RTBW | SD_TO_RTBZ, .there = SD_THERE_KEEP };
static bool wdl_only;

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
  { "force", .flag = &syzygy.overwrite },
  { "quiet", .flag = &syzygy.quiet },
  { "json", SD_NO_LETTER, NULL, "with --syzygy: one JSON array, an object for each file",
    .flag = &syzygy.json },
  { 0 },
};

static int export_array (const char *from, const char *to, sd_error *err) {
  sd_array *a;
  sd_progress progress;
  SD_TRY (sd_array_open (from, SD_OPEN_CHECK, &a, err));
  sd_terminal_progress (&progress, false);
  const int status = sd_array_export (a, to, &progress, err);
  sd_array_close (a);
  return status;
}

int sd_cmd_export (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FILE.sda OUT\n--syzygy DIR ENDING...",
    "Write values for other programs: those of an array as a plain file, or endings as Syzygy files.\v"
    "OUT becomes an .npy file if its name ends so, else raw little-endian numbers. Of a source each slot gets the "
    "least value that it may hold.\n\n"
    "With --syzygy, ENDING.rtbw (the result under the 50-move rule) and ENDING.rtbz (plies to the next capture or "
    "pawn move) are made of exact dtz50 tables of the ending and of all that captures and promotions lead to. Engines "
    "load them like the public files. Every position is compared before a file gets its name. Files that "
    "are there already are passed over, and what is made is noted in made.list, so that an export that was stopped goes "
    "on where it was. Programs that probe an ending also need the files of those that captures and promotions lead to: "
    "'subdef reformat --to rtbw,rtbz --with-successors' makes them.\n\n"
    "Examples:\n"
    "  subdef export small/grid.sda back.npy\n"
    "  subdef gen KRvKP --metric dtz50 -o exact\n"
    "  subdef export --syzygy syzygy --tables exact KRvKP KQvK KRvK",
    .most = 0,
  };
  sd_words words;
  sd_error err = { 0 };
  sd_tool_parse (&syntax, argc, argv, &words);
  if (syzygy.out) {
    if (!words.n)
      return sd_tool_usage ("ENDING is missing, e.g. 'subdef export --syzygy %s KRvKP'", syzygy.out);
    syzygy.words = words;
    syzygy.to = wdl_only ? SD_TO_RTBW : syzygy.to;
    return sd_reformat_run (&syzygy);
  }
  const char *other = sd_tool_said_beside (" force quiet ");
  if (other)
    return sd_tool_usage ("--%s goes with --syzygy", other);
  if (words.n != 2)
    return sd_tool_usage ("expected FILE.sda and OUT, e.g. 'subdef export grid.sda grid.npy', or --syzygy "
                          "DIR and endings");
  if (!syzygy.overwrite && sd_file_exists (words.at[1]))
    return sd_tool_usage ("%s: is there already; -f overwrites it", words.at[1]);
  return export_array (words.at[0], words.at[1], &err) ? sd_tool_fail (&err) : SD_EXIT_OK;
}
