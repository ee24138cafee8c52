/* subdef recompress: a preset of reformat. */
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

int sd_cmd_recompress (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FILE.rtbw|FILE.rtbz...",
    "Make Syzygy files smaller.\v"
    "The format stays the same, and so does what programs find in the files: the order of the men, the values "
    "of slots that nobody looks at, the dictionary and the blocks are chosen anew. Every position is compared "
    "before a file gets its name. The WDL files of the ending and of all endings that captures lead to "
    "must be there, for DTZ files also those of promotions. 'subdef reformat --to rtbw' and '--to rtbz' do the same, into "
    "another folder, and tell in the same lines and records what was made.\n\n"
    "Several files are made at the same time, the largest first. Under mpirun or srun, and as a job array, the tasks "
    "share the files, which each must be given in full. A file that is made is noted in made.list beside it "
    "(of several tasks in lists of their own), with the checksums of the old and the new one. When the same command "
    "is given again, for files that were being made when it was stopped, what is noted and has these checksums is "
    "passed over. A program that is killed leaves every file either as it was or made and compared. A file that cannot be "
    "made stays as it is, and the exit status is 1. Open MPI's mpirun ends all tasks as soon as one has ended so, unless it "
    "is told '--mca orte_abort_on_non_zero_status 0'.\n\n"
    "Examples:\n"
    "  subdef recompress syzygy/*.rtbw syzygy/*.rtbz\n"
    "  mpirun -n 64 subdef recompress -o smaller --tables syzygy syzygy/*.rtbw",
    .most = 0,
  };
  sd_tool_parse (&syntax, argc, argv, &opt.words);
  if (!opt.words.n)
    return sd_tool_usage ("FILE is missing");
  return sd_reformat_run (&opt);
}
