/* subdef sweep. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *conf, *out, *tables, *only;
  bool dry_run;
  int jobs;
} opt;

enum { KEY_DRY_RUN = 256, KEY_ONLY };

static const struct argp_option options[] = {
  { "output", 'o', "OUT.db", 0,
    "where the rows go (SQLite); rows that are there already are kept and not measured again", 0 },
  { "tables", 'p', "DIR[:DIR]", 0,
    "where the exact tables are (default: SUBDEF_PATH, else the current folder)", 0 },
  { "only", KEY_ONLY, "TEXT", 0, "only groups and tables whose name contains TEXT", 0 },
  { "jobs", 'T', "N", 0, "cells at a time (default: all cores)", 0 },
  { "dry-run", KEY_DRY_RUN, NULL, 0, "list the cells and their number, run nothing", 0 },
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
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int sd_cmd_sweep (int argc, char **argv) {
  static const struct argp argp = {
    options,
    parse,
    "FILE.conf -o OUT.db",
    "Run an experiment: every cell of a sweep file is encoded, verified and measured.\v"
    "The keys of a sweep file stand in 'man subdef'; papers/ holds examples. "
    "A sweep that was interrupted goes on where it stopped when the same command is given again. "
    "'subdef report OUT.db -o DIR' makes tables, figures and a page of the results.",
    NULL,
    NULL,
    NULL
  };
  char *command = sd_tool_command (argc, argv);
  sd_tool_parse (&argp, argc, argv);
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_sweep_options how = { .tables = sd_tool_path (opt.tables),
                           .command = command,
                           .only = opt.only,
                           .jobs = opt.jobs,
                           .dry_run = opt.dry_run,
                           .list = stdout,
                           .progress = &progress };
  sd_error err = { 0 };
  int status = sd_sweep_run (opt.conf, opt.out, &how, &err);
  sd_terminal_clear ();
  free (command);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
