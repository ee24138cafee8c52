/* subdef sweep. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *out, *tables, *only;
  bool dry_run, redo_stale;
  unsigned jobs;
} opt;

static const sd_option options[] = {
  { "output", 'o', "OUT.db",
    "database of the rows (SQLite); rows that it holds already are kept and not measured again",
    .text = &opt.out, .expected = "the name of a database" },
  { "tables", 'p', "DIR[:DIR]", "where the exact tables are (default: SUBDEF_PATH, else the current folder)",
    .text = &opt.tables },
  { "only", 0, "TEXT", "only groups and tables whose name contains TEXT", .text = &opt.only },
  { "jobs", 'T', "N", "cells at a time (default: all cores)", .count = &opt.jobs, .most = 256,
    .expected = "0 (all cores) to 256" },
  { "dry-run", 0, NULL,
    "list the cells, their number and about how long they will take, and say which tables are missing; run nothing",
    .flag = &opt.dry_run },
  { "redo-stale", 0, NULL,
    "compute rows anew that another commit or version, other flags or libraries, or another machine made; each keeps its old row until the "
    "new one is complete (without this they are kept, and a note says so)",
    .flag = &opt.redo_stale },
  { 0 },
};

static void notice (void *ctx, const char *text) {
  (void) ctx;
  sd_terminal_clear ();
  fprintf (stderr, "subdef: note: %s\n", text);
}

/* "54 cells: 50 computed, 4 there before, 0 failed, 2 min 10 s". */
static void summarize (const sd_sweep_outcome *o) {
  char time[32], elsewhere[64] = "", left[64] = "";
  const uint64_t rest = o->cells - o->computed - o->there - o->failed - o->elsewhere;
  sd_time_text (o->seconds, time, sizeof time);
  if (o->elsewhere)
    snprintf (elsewhere, sizeof elsewhere, "%" PRIu64 " by other sweeps, ", o->elsewhere);
  if (rest)
    snprintf (left, sizeof left, "%" PRIu64 " not reached, ", rest);
  fprintf (stderr,
           "%" PRIu64 " cell%s: %" PRIu64 " computed, %" PRIu64 " there before, %s%" PRIu64 " failed, %s%s\n",
           o->cells, o->cells == 1 ? "" : "s", o->computed, o->there, elsewhere, o->failed, left, time);
}

int sd_cmd_sweep (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FILE.conf -o OUT.db",
    "Run an experiment: every cell of a sweep file is encoded, verified and measured.\v"
    "'man subdef-sweep' explains the keys of a sweep file; papers/ holds examples. An interrupted sweep goes on "
    "where it stopped when the same command is given again. The same command given several times at once shares the "
    "work. Each row names the commit, flags and machine that made it: where they differ from this program's, a note "
    "says so, and --redo-stale computes such rows anew. 'subdef report OUT.db -o DIR' makes tables, figures and a "
    "page of the rows.",
    .most = 1,
  };
  char *command = sd_tool_command (argc, argv);
  sd_words words;
  sd_tool_parse (&syntax, argc, argv, &words);
  if (words.n == 0)
    return sd_tool_usage ("sweep: no sweep file is named");
  if (!opt.out && !opt.dry_run)
    return sd_tool_usage ("sweep: where to? name the database: -o OUT.db");
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_sweep_outcome outcome = { 0 };
  sd_sweep_options how = { .tables = sd_tool_path (opt.tables),
                           .command = command,
                           .only = opt.only,
                           .jobs = (int) opt.jobs,
                           .dry_run = opt.dry_run,
                           .redo_stale = opt.redo_stale,
                           .notice = notice,
                           .outcome = &outcome,
                           .list = stdout,
                           .progress = &progress };
  sd_error err = { 0 };
  int status = sd_sweep_run (words.at[0], opt.out, &how, &err);
  sd_terminal_clear ();
  free (command);
  if (!opt.dry_run && (status == SD_OK || outcome.computed + outcome.there + outcome.failed > 0))
    summarize (&outcome);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
