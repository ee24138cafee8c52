/* subdef sweep. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *conf, *out, *tables, *only;
  bool dry_run, redo_stale;
  int jobs;
} opt;

enum { KEY_DRY_RUN = 256, KEY_ONLY, KEY_REDO_STALE };

static const struct argp_option options[] = {
  { "output", 'o', "OUT.db", 0,
    "database of the rows (SQLite); rows that it holds already are kept and not measured again", 0 },
  { "tables", 'p', "DIR[:DIR]", 0,
    "where the exact tables are (default: SUBDEF_PATH, else the current folder)", 0 },
  { "only", KEY_ONLY, "TEXT", 0, "only groups and tables whose name contains TEXT", 0 },
  { "jobs", 'T', "N", 0, "cells at a time (default: all cores)", 0 },
  { "dry-run", KEY_DRY_RUN, NULL, 0,
    "list the cells, their number and about how long they will take, and say which tables are missing; run nothing",
    0 },
  { "redo-stale", KEY_REDO_STALE, NULL, 0,
    "compute rows anew that another commit or version, other flags or libraries, or another machine made; each keeps its old row until the "
    "new one is complete (without this they are kept, and a note says so)",
    0 },
  { 0 },
};

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'o':
    opt.out = arg;
    return 0;
  case 'p':
    opt.tables = arg;
    return 0;
  case KEY_ONLY:
    opt.only = arg;
    return 0;
  case KEY_DRY_RUN:
    opt.dry_run = true;
    return 0;
  case KEY_REDO_STALE:
    opt.redo_stale = true;
    return 0;
  case 'T': {
    char *end;
    long v = strtol (arg, &end, 10);
    if (end == arg || *end || v < 0 || v > 256)
      argp_error (state, "--jobs %s: expected 0 (all cores) to 256", arg);
    opt.jobs = (int) v;
    return 0;
  }
  case ARGP_KEY_ARG:
    if (opt.conf)
      argp_error (state, "one sweep file is expected; '%s' is a second one", arg);
    opt.conf = arg;
    return 0;
  case ARGP_KEY_END:
    if (!opt.conf)
      argp_error (state, "no sweep file is named");
    if (!opt.out && !opt.dry_run)
      argp_error (state, "where to? name the database: -o OUT.db");
    if (opt.out && !*opt.out)
      argp_error (state, "--output: the name of the database is empty");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

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
  static const struct argp argp = {
    options,
    parse,
    "FILE.conf -o OUT.db",
    "Run an experiment: every cell of a sweep file is encoded, verified and measured.\v"
    "'man subdef-sweep' explains the keys of a sweep file; papers/ holds examples. An interrupted sweep goes on "
    "where it stopped when the same command is given again. The same command given several times at once shares the "
    "work. Each row names the commit, flags and machine that made it: where they differ from this program's, a note "
    "says so, and --redo-stale computes such rows anew. 'subdef report OUT.db -o DIR' makes tables, figures and a "
    "page of the rows.",
    NULL,
    NULL,
    NULL
  };
  char *command = sd_tool_command (argc, argv);
  sd_tool_parse (&argp, argc, argv);
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_sweep_outcome outcome = { 0 };
  sd_sweep_options how = { .tables = sd_tool_path (opt.tables),
                           .command = command,
                           .only = opt.only,
                           .jobs = opt.jobs,
                           .dry_run = opt.dry_run,
                           .redo_stale = opt.redo_stale,
                           .notice = notice,
                           .outcome = &outcome,
                           .list = stdout,
                           .progress = &progress };
  sd_error err = { 0 };
  int status = sd_sweep_run (opt.conf, opt.out, &how, &err);
  sd_terminal_clear ();
  free (command);
  if (!opt.dry_run && (status == SD_OK || outcome.computed + outcome.there + outcome.failed > 0))
    summarize (&outcome);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
