/* subdef sweep: experiments. A sweep file lists axes; each combination is a cell, which is computed and
 * measured and becomes a row of the database. What this file does: options, presets, which part of the cells
 * is this task's, the line at the end. The work is done by experiments/run. The same command goes on where an
 * earlier one was stopped, since rows that are there are kept. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  const char *out, *tables, *only; /* out is replaced where a task has a database of its own */
  bool dry_run, status, json, separate, redo_stale, merge, presets;
  unsigned jobs, part, parts; /* jobs 0: the cores of this task; parts 0: all cells */
} opt;

enum { MOST_OVERRIDES = 64 };
/* KEY=VALUE, as typed. */
static const char *override[MOST_OVERRIDES];
static size_t noverrides;

static bool take_override (const char *arg) {
  if (noverrides == MOST_OVERRIDES || !strchr (arg, '='))
    return false;
  override[noverrides++] = arg;
  return true;
}

/* "2/4"; nothing may stand behind it, and no sign before it. */
static bool take_part (const char *arg) {
  int end = 0;
  return sscanf (arg, "%u/%u%n", &opt.part, &opt.parts, &end) == 2 && !arg[end] && opt.part >= 1
         && opt.part <= opt.parts && isdigit ((unsigned char) *arg);
}

static const sd_option options[] = {
  /* Where to, and which cells. */
  { "output", 'o', "OUT.db",
    "database of the rows (SQLite); rows that it holds already are kept and not measured again",
    .text = &opt.out, .expected = "the name of a database" },
  { "tables", .text = &opt.tables },
  { "only", 0, "TEXT", "only groups and tables whose name contains TEXT", .text = &opt.only },
  { "jobs", 'T', "N", "cells at a time (default: all cores)", .count = &opt.jobs, .most = 256,
    .expected = "0 (all cores) to 256" },
  { "override", 0, "KEY=VALUE",
    "put VALUE in place of what the sweep file says: of title, seed, or a key of every group; as often as needed",
    .take = take_override, .expected = "KEY=VALUE, at most 64 times" },
  { "part", 0, "I/N",
    "compute only the I-th of N parts (default: the part of this task of a job array of Slurm, else all)",
    .take = take_part, .expected = "I/N, such as 1/4" },
  { "separate", 0, NULL,
    "under mpirun or srun: give each task a part, and a database OUT-I-of-N.db of its own, for --merge; for file systems whose locks cannot be trusted",
    .flag = &opt.separate },
  /* What is done in place of computing. */
  { "merge", 0, NULL,
    "put the rows of several databases into OUT.db; a cell that has different bytes in two of them is refused",
    .flag = &opt.merge },
  { "dry-run", 0, NULL,
    "list the cells, their number and about how much time, memory and disk they will take, and say which tables are missing; run nothing",
    .flag = &opt.dry_run },
  { "status", 0, NULL,
    "say for each group how many cells there are, have a row in OUT.db, failed and are left, about how much work that is, which sweeps are at work, and what they say of the time left",
    .flag = &opt.status },
  { "json", 0, NULL, "with --status: as JSON", .flag = &opt.json },
  { "presets", 0, NULL,
    "list the sweeps that come with the program: their names, which stand for FILE.conf, and titles",
    .flag = &opt.presets },
  /* Of a database that holds rows already. */
  { "redo-stale", 0, NULL,
    "compute rows anew that another commit or version, other flags or libraries, or another machine made; each keeps its old row until the "
    "new one is complete (without this they are kept, and a note says so)",
    .flag = &opt.redo_stale },
  { 0 },
};

/* As sd_sweep_options.notice: "subdef sweep: note: ...". */
static void notice (void *ctx, const char *text) {
  (void) ctx;
  sd_tool_note ("%s", text);
}

/* What Ctrl-C leaves: two texts, so that the one which a signal may be writing is never the one that is
 * changed. */
static void stored (void *ctx, uint64_t n, uint64_t cells) {
  static char text[2][160];
  static unsigned turn;
  char *to = text[turn ^= 1];
  (void) ctx;
  snprintf (to, sizeof text[0], "%s%" PRIu64 " of %" PRIu64 " cells are stored; the same command goes on\n",
            isatty (STDERR_FILENO) ? "\r\033[K" : "", n, cells);
  sd_tool_last_words (to);
}

/* "54 cells: 50 computed, 3 there before, 1 copied from an equal cell, 0 failed, 2 min 10 s". */
static void summarize (const sd_sweep_outcome *o) {
  char time[32], copied[64] = "", elsewhere[64] = "", left[64] = "";
  /* Not reached: the run ended before it came to them. */
  const uint64_t rest = o->cells - o->computed - o->there - o->failed - o->elsewhere;

  sd_time_text (o->seconds, time, sizeof time);
  if (o->copied)
    snprintf (copied, sizeof copied, "%" PRIu64 " copied from %s, ", o->copied,
              o->copied == 1 ? "an equal cell" : "equal cells");
  if (o->elsewhere)
    snprintf (elsewhere, sizeof elsewhere, "%" PRIu64 " by other sweeps, ", o->elsewhere);
  if (rest)
    snprintf (left, sizeof left, "%" PRIu64 " not reached, ", rest);
  /* `there` counts copied cells, too: they are told apart. */
  fprintf (stderr,
           "%" PRIu64 " cell%s: %" PRIu64 " computed, %" PRIu64 " there before, %s%s%" PRIu64
           " failed, %s%s\n",
           o->cells, o->cells == 1 ? "" : "s", o->computed, o->there - o->copied, copied, elsewhere,
           o->failed, left, time);
}

/* ------------------------------------------------------------- status as JSON */

/* A group, or all of them: cells, and the seconds of work that are left. */
static json_t *counts (const sd_sweep_counts *c) {
  return json_pack ("{s:s, s:I, s:I, s:I, s:I, s:f}", "name", c->name, "cells", (json_int_t) c->cells, "done",
                    (json_int_t) c->done, "failed", (json_int_t) c->failed, "to_do",
                    (json_int_t) (c->cells - c->done - c->failed), "work_s", c->work);
}

/* As sd_sweep_options.told. */
static void tell_json (void *ctx, const sd_sweep_status *s) {
  (void) ctx;
  json_t *groups = json_array (), *root;
  for (unsigned i = 0; groups && i < s->ngroups; i++)
    json_array_append_new (groups, counts (&s->group[i]));
  /* time_left_s is null where the sweeps at work do not tell it. */
  root = json_pack ("{s:o, s:o, s:i, s:f, s:i, s:o, s:b}", "groups", groups, "all", counts (&s->all), "jobs",
                    (int) s->jobs, "share", s->share, "sweeps_at_work", (int) s->sweeps, "time_left_s",
                    sd_json_number (s->left), "machine_is_busy", (int) s->busy);
  if (!root || json_dumpf (root, stdout, JSON_REAL_PRECISION (6)) != 0)
    fputs ("subdef: no memory for the answer\n", stderr);
  else
    putchar ('\n');
  json_decref (root);
}

/* ------------------------------------------------------------------ presets */

/* Sweeps that come with the program, and where they are among its data. */
static const struct {
  const char *name, *file;
} preset[] = {
  { "demo", "papers/demo.conf" },
  { "staircase", "papers/staircase/staircase.conf" },
  { "table1", "papers/repair/table1.conf" },
  { "blocks", "papers/repair/blocks.conf" },
  { "orders", "papers/repair/orders.conf" },
  { "numberings", "papers/repair/numberings.conf" },
  { "codecs", "papers/repair/codecs.conf" },
  { "diagrams", "papers/obdd/gains.conf" },
};
enum { PRESETS = sizeof preset / sizeof *preset };

/* For help and completion of the word PRESET. */
static const char *preset_word (unsigned i) {
  return i < PRESETS ? preset[i].name : NULL;
}

/* "demo         TITLE" and below it the path of the file, to be copied and changed. */
static int list_presets (void) {
  for (unsigned i = 0; i < PRESETS; i++) {
    char path[4200], title[128];
    sd_error err = { 0 };
    if (sd_tool_data (preset[i].file, path, sizeof path, &err) != SD_OK
        || sd_sweep_title (path, title, sizeof title, &err) != SD_OK)
      return sd_tool_fail (&err);
    printf ("%-12s %s\n             %s\n", preset[i].name, title, path);
  }
  return SD_EXIT_OK;
}

/* The file that `word` names: itself, or a sweep that comes with the program where there is no such file. */
static int preset_file (const char *word, char *path, size_t cap, sd_error *err) {
  /* A file in the current folder comes first, so that a copy of a preset may keep its name. */
  for (unsigned i = 0; i < PRESETS; i++)
    if (strcmp (preset[i].name, word) == 0 && !sd_file_exists (word))
      return sd_tool_data (preset[i].file, path, cap, err);
  /* Pages name sweeps as they stand in the source. An installed program finds them among its data. */
  if (strncmp (word, "papers/", strlen ("papers/")) == 0 && !sd_file_exists (word)
      && sd_tool_data (word, path, cap, NULL) == SD_OK)
    return SD_OK;
  /* A word with a slash is meant as a file; that it is not there is told when it is opened. */
  snprintf (path, cap, "%s", word);
  if (sd_file_exists (word) || strchr (word, '/'))
    return SD_OK;

  char known[200] = "";
  sd_guess guess = sd_guess_of (word);
  for (unsigned i = 0; i < PRESETS; i++) {
    sd_guess_offer (&guess, preset[i].name);
    sd_text_list (known, sizeof known, "%s", preset[i].name);
  }
  return sd_fail (err, SD_ENOENT, "%s: neither a file nor one of the sweeps that come with the program: %s%s",
                  word, known, sd_guess_ask (&guess));
}

/* The part of this task of a job array; false: it is none of its tasks. --part overrules the job array. */
static bool take_array_part (void) {
  bool alone = false;
  if (!opt.parts && !sd_task_of_array (&opt.part, &opt.parts, &alone))
    return false;
  if (alone)
    notice (
        NULL,
        "this is the only task of a job array, so that it computes all cells; a task of a larger array that is submitted "
        "again needs --part I/N");
  return true;
}

/* OUT.db -> OUT-2-of-3.db, and the second of three parts. */
static bool take_own_part (const sd_task *task, char *own, size_t cap) {
  const size_t len = opt.out ? strlen (opt.out) : 0;
  const bool db = len > 3 && strcmp (opt.out + len - 3, ".db") == 0;
  /* A part of a job array or of --part would have to be divided once more. */
  if (opt.parts || len > 4000)
    return false;
  if (!opt.out || task->ranks < 2) /* nothing to take apart: a dry run without a store, one task */
    return true;

  opt.part = task->rank + 1;
  opt.parts = task->ranks;
  snprintf (own, cap, "%.*s-%u-of-%u%s", (int) (db ? len - 3 : len), opt.out, opt.part, opt.parts,
            db ? ".db" : "");
  opt.out = own;
  return true;
}

/* Prints "54 rows added, 0 were there". */
static int merge (const sd_words *words) {
  sd_merged found;
  sd_error err = { 0 };
  if (words->n == 0)
    return sd_tool_usage ("--merge needs databases: A.db B.db ...");
  if (!opt.out)
    return sd_tool_usage ("where to? name the database: -o OUT.db");
  if (sd_store_merge (opt.out, (const char *const *) words->at, (size_t) words->n, &found, &err) != SD_OK)
    return sd_tool_fail (&err);
  printf ("%" PRIu64 " rows added, %" PRIu64 " were there\n", found.added, found.same);
  return SD_EXIT_OK;
}

/* --merge and --presets are commands of their own behind one name; all else needs a sweep file. */
static int run_sweep (const sd_words *words) {
  if (opt.merge)
    return merge (words);
  if (opt.presets)
    return list_presets ();
  if (words->n == 0)
    return sd_tool_usage ("no sweep file is named");
  if (words->n > 1)
    return sd_tool_usage ("one sweep file is enough: what is '%s'?", words->at[1]);
  if (!take_array_part ())
    return sd_tool_usage ("SLURM_ARRAY_TASK_ID is none of SLURM_ARRAY_TASK_COUNT tasks: use --part I/N");
  if (opt.json && !opt.status)
    return sd_tool_usage ("--json goes with --status");
  if (!opt.out && !opt.dry_run && !opt.status)
    return sd_tool_usage ("where to? name the database: -o OUT.db");

  const sd_task task = sd_task_of_launcher ();
  /* own: the name of this task's database, to which opt.out points from then on. */
  char own[4200], conf[4200];
  sd_error err = { 0 };
  if (opt.separate && !take_own_part (&task, own, sizeof own))
    return sd_tool_usage (
        "--separate: no part can be made of a part, and OUT.db is to be a name of at most 4000 characters");
  if (preset_file (words->at[0], conf, sizeof conf, &err) != SD_OK)
    return sd_tool_fail (&err);

  sd_sweep_outcome outcome = { 0 };
  sd_sweep_options how = { .tables = sd_tool_path (opt.tables),
                           .command = sd_tool_line (),
                           .only = opt.only,
                           .overrides = override,
                           .noverrides = noverrides,
                           .part = opt.part,
                           .parts = opt.parts,
                           .jobs = (int) (opt.jobs ? opt.jobs : task.cores),
                           .dry_run = opt.dry_run,
                           .status = opt.status,
                           .redo_stale = opt.redo_stale,
                           .notice = task.rank ? NULL : notice,
                           .told = opt.json ? tell_json : NULL,
                           .stored = task.rank ? NULL : stored,
                           .outcome = &outcome,
                           .list = stdout,
                           .progress = task.rank ? NULL : &sd_terminal }; /* one task speaks for all */

  int status = sd_sweep_run (conf, opt.out, &how, &err);
  /* A signal from here on has nothing to say of cells. */
  sd_tool_last_words (NULL);
  sd_terminal_clear ();
  /* After a failure, too, if some cells are done: they stay. */
  if (!opt.dry_run && !opt.status && task.rank == 0
      && (status == SD_OK || outcome.computed + outcome.there + outcome.failed > 0))
    summarize (&outcome);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_sweep = {
  "sweep",
  run_sweep,
  options,
  .args = "FILE.conf|PRESET -o OUT.db\n--merge A.db B.db ... -o OUT.db\n--presets",
  .named = preset_word,
  .threads = true,
};
