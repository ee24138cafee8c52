/* subdef sweep. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *out, *tables, *only;
  bool dry_run, redo_stale, merge;
  unsigned jobs, part, parts;
} opt;

enum { MOST_OVERRIDES = 64 };
static const char *override[MOST_OVERRIDES];
static size_t noverrides;

static bool take_override (const char *arg) {
  if (noverrides == MOST_OVERRIDES || !strchr (arg, '='))
    return false;
  override[noverrides++] = arg;
  return true;
}

static bool take_part (const char *arg) {
  int end = 0;
  return sscanf (arg, "%u/%u%n", &opt.part, &opt.parts, &end) == 2 && !arg[end] && opt.part >= 1
         && opt.part <= opt.parts && isdigit ((unsigned char) *arg);
}

static const sd_option options[] = {
  { "output", 'o', "OUT.db",
    "database of the rows (SQLite); rows that it holds already are kept and not measured again",
    .text = &opt.out, .expected = "the name of a database" },
  { "tables", 'p', "DIR[:DIR]", "where the exact tables are (default: SUBDEF_PATH, else the current folder)",
    .text = &opt.tables },
  { "only", 0, "TEXT", "only groups and tables whose name contains TEXT", .text = &opt.only },
  { "jobs", 'T', "N", "cells at a time (default: all cores)", .count = &opt.jobs, .most = 256,
    .expected = "0 (all cores) to 256" },
  { "override", 0, "KEY=VALUE",
    "put VALUE in place of what the sweep file says: of title, seed, or a key of every group; as often as needed",
    .take = take_override, .expected = "KEY=VALUE, at most 64 times" },
  { "part", 0, "I/N",
    "compute only the I-th of N parts (default: by SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, else all)",
    .take = take_part, .expected = "I/N, such as 1/4" },
  { "merge", 0, NULL,
    "put the rows of several databases into OUT.db; a cell that has different bytes in two of them is refused",
    .flag = &opt.merge },
  { "dry-run", 0, NULL,
    "list the cells, their number and about how much time, memory and disk they will take, and say which tables are missing; run nothing",
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

/* A whole number of the environment; `none` if it is not there. */
static long number_of (const char *name, long none) {
  const char *text = getenv (name);
  char *end;
  if (!text || !*text)
    return none;
  const long v = strtol (text, &end, 10);
  return *end ? -1 : v;
}

/* The part of this task of a job array; false: the numbers do not fit each other. Tasks may be counted from
 * any number, and in steps. */
static bool take_task (void) {
  const long id = number_of ("SLURM_ARRAY_TASK_ID", -1), count = number_of ("SLURM_ARRAY_TASK_COUNT", 0),
             least = number_of ("SLURM_ARRAY_TASK_MIN", 0), step = number_of ("SLURM_ARRAY_TASK_STEP", 1);
  if (!getenv ("SLURM_ARRAY_TASK_ID") || count == 0)
    return true; /* no job array */
  if (id < least || least < 0 || count < 0 || step < 1 || (id - least) / step >= count)
    return false;
  opt.part = (unsigned) ((id - least) / step) + 1;
  opt.parts = (unsigned) count;
  return true;
}

static int merge (const sd_words *words) {
  sd_merged found;
  sd_error err = { 0 };
  if (words->n == 0)
    return sd_tool_usage ("sweep: --merge needs databases: A.db B.db ...");
  if (!opt.out)
    return sd_tool_usage ("sweep: where to? name the database: -o OUT.db");
  if (sd_store_merge (opt.out, (const char *const *) words->at, (size_t) words->n, &found, &err) != SD_OK)
    return sd_tool_fail (&err);
  printf ("%" PRIu64 " rows added, %" PRIu64 " were there\n", found.added, found.same);
  return SD_EXIT_OK;
}

int sd_cmd_sweep (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FILE.conf -o OUT.db\n--merge A.db B.db ... -o OUT.db",
    "Run an experiment: every cell of a sweep file is encoded, verified and measured.\v"
    "'man subdef-sweep' explains the keys of a sweep file; papers/ holds examples. An interrupted sweep goes on "
    "where it stopped when the same command is given again. The same command given several times at once shares the "
    "work. Each row names the commit, flags and machine that made it: where they differ from this program's, a note "
    "says so, and --redo-stale computes such rows anew. 'subdef report OUT.db -o DIR' makes tables, figures and a "
    "page of the rows.",
    .most = 0,
  };
  sd_words words;
  SD_OWNED char *command = sd_tool_command (argc, argv);
  sd_tool_parse (&syntax, argc, argv, &words);
  if (opt.merge)
    return merge (&words);
  if (words.n == 0)
    return sd_tool_usage ("sweep: no sweep file is named");
  if (words.n > 1)
    return sd_tool_usage ("sweep: one sweep file is enough: what is '%s'?", words.at[1]);
  if (!opt.parts && !take_task ())
    return sd_tool_usage (
        "sweep: SLURM_ARRAY_TASK_ID is none of SLURM_ARRAY_TASK_COUNT tasks: use --part I/N");
  if (!opt.out && !opt.dry_run)
    return sd_tool_usage ("sweep: where to? name the database: -o OUT.db");
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_sweep_outcome outcome = { 0 };
  sd_sweep_options how = { .tables = sd_tool_path (opt.tables),
                           .command = command,
                           .only = opt.only,
                           .overrides = override,
                           .noverrides = noverrides,
                           .part = opt.part,
                           .parts = opt.parts,
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
  if (!opt.dry_run && (status == SD_OK || outcome.computed + outcome.there + outcome.failed > 0))
    summarize (&outcome);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
