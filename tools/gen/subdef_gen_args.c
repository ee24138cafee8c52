/* The command line of subdef-gen, which `subdef gen` reads too before it starts it. All ranks read the same
 * words; one of them speaks, and none leaves alone. The help has the games and solvers from their lists. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The defaults; what options say is put over them. */
static sd_gen_options opt = { .checkpoint = 300, .metric = SD_USUAL_EXACT };

static unsigned solver; /* number */

/* Number i of those that tables of other metrics are made from. SD_NO_METRIC beyond the last. */
static enum sd_metric exact_metric (unsigned i) {
  unsigned m = 0;
  while (m < SD_METRICS && (sd_metrics[m].exact != m || i-- > 0))
    m++;
  return (enum sd_metric) m;
}

/* The words of --metric: those that are solved, and not those that are recoded from them. */
static const char *metric_word (unsigned i) {
  const enum sd_metric m = exact_metric (i);
  return m == SD_NO_METRIC ? NULL : sd_metrics[m].name;
}

/* "plies to mate, for tables of wdl, dtm (default)" */
static const char *metric_about (unsigned i) {
  static char text[240];
  char made[80] = "";
  const enum sd_metric exact = exact_metric (i);
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (sd_metric_made_of ((enum sd_metric) m, exact))
      sd_text_list (made, sizeof made, "%s", sd_metrics[m].name);
  snprintf (text, sizeof text, "%s, for tables of %s%s", sd_tool_metric_about (exact), made,
            exact == SD_USUAL_EXACT ? " (default)" : "");
  return text;
}

static bool take_metric (const char *arg) {
  opt.metric = sd_metric_find (arg);
  return sd_tool_is_word (metric_word, arg);
}

/* "plain", or states that stay together; 2^40 is beyond any run. */
static bool take_mixing (const char *arg) {
  char *end;
  const long long n = strtoll (arg, &end, 10);
  const bool plain = strcmp (arg, "plain") == 0;
  opt.grain = plain ? SD_DEAL_PLAIN : (uint64_t) n;
  return plain || (end != arg && !*end && n >= 1 && n <= 1ll << 40);
}

/* "8", "8:0.05": ranks of a group, and behind a colon the seconds between reports. */
static bool take_balance (const char *arg) {
  char *end;
  const long group = strtol (arg, &end, 10);
  double interval = 0.001;
  /* The group must be followed by nothing or by seconds. */
  bool good = end != arg && (!*end || *end == ':') && group >= 2 && group <= 512;
  if (good && *end) {
    const char *at = end + 1;
    interval = strtod (at, &end);
    good = end != at && !*end && interval >= 1e-6 && interval <= 3600;
  }

  opt.balanced = true;
  opt.balance = (sd_balance_options){ .group = (unsigned) group, .interval = interval };
  return good;
}

/* Two groups of --help: what is made and how, and what is printed. */
static const sd_option options[] = {
  { "men", 0, "N", "Everything with up to N pieces: endings with 3 to N men, kings included (3 to 7)",
    .count = &opt.men, .least = 1, .most = SD_MOST_PIECES, .group = 1 },
  { "game", 0, "NAME[:FILE]", "Another game than chess: one of those below", .text = &opt.game, .group = 1 },
  { "metric", 0, NULL, "What to solve: @", .take = take_metric, .words = metric_word, .about = metric_about,
    .group = 1 },
  { "output", 0, NULL,
    "Folder of the tables, made if need be (default: the first one in SUBDEF_PATH, else .)",
    .text = &opt.folder, .group = 1 },
  { "force", 0, NULL, "Build also what exists and is whole", .flag = &opt.force, .group = 1 },
  { "only", 0, NULL, "Only what is named: the tables of all that it leads to are in the folder",
    .flag = &opt.only, .group = 1 },
  /* How a run goes on, and how it is solved. */
  { "checkpoint", 0, "SECONDS",
    "Keep the state of a long run every so often, to go on from it if the run is killed (default 300; 0: "
    "neither keep nor use)",
    .number = &opt.checkpoint, .most = 1e9, .expected = "a number of seconds", .group = 1 },
  { "solver", 0, "NAME", "How: one of the solvers that subdef-gen --help lists (default parallel)",
    .choice = &solver, .words = sd_tool_solver_word, .group = 1 },
  { "mixing", 0, "N",
    "How states are dealt out to ranks: N of them stay together (default 4096, more where few ranks gain by "
    "it), or 'plain', one range a rank",
    .take = take_mixing, .expected = "plain, or how many states stay together, from 1", .group = 1 },
  { "balance", 0, "G[:SECONDS]",
    "Ranks without work are given some by others: groups of G ranks, loads reported every SECONDS (default "
    "0.001)",
    .take = take_balance,
    .expected = "G or G:SECONDS, groups of 2 to 512 ranks, reports every 0.000001 to 3600 seconds",
    .group = 1 },
  { "threads", 0, "N",
    "Threads of each rank (default: OMP_NUM_THREADS, else all cores that other programs leave free)",
    .count = &opt.threads, .least = 1, .most = 1024, .group = 1 },
  /* How tables are written. */
  { "codec", 0, NULL,
    "How tables are coded: zstd (default, level 9, blocks of 256 KiB), lzma, brotli, lz4 or another codec "
    "with blocks of its own; lzma with --set preset=2 takes a seventh less disk and 1.7 times the time",
    .text = &opt.codec, .group = 1 },
  { "set", 0, NULL,
    "Settings of the codec ('subdef reformat --set help'); blocks of 1 MiB if a codec is named and none are set",
    .text = &opt.set, .group = 1 },
  /* What is printed. */
  { "estimate", 'e', NULL, "Only print what would be built, and what it takes", .flag = &opt.estimate,
    .group = 2 },
  { "measure", 0, NULL,
    "Make nothing: print how long states, marks and messages take here, as 'subdef simulate' reads it",
    .flag = &opt.measure, .group = 2 },
  { "ranks", 0, "N",
    "Run on N ranks, by 'subdef gen' alone, which starts mpirun; with --estimate: as if it ran on them",
    .count = &opt.ranks, .least = 1, .most = 65536, .group = 2 },
  { "json", 0, NULL, "One JSON object per table instead of a line", .flag = &opt.json, .group = 2 },
  { "quiet", 0, NULL, "No table of estimates, no progress", .flag = &opt.quiet, .group = 2 },
  { "log", 0, NULL,
    "A line on standard error for each iteration: states, how unevenly they lay, what was balanced",
    .flag = &opt.log, .group = 2 },
  { "progress", 0, NULL, "Progress also where standard error is no terminal, as under mpirun on one",
    .flag = &opt.progress, .group = 2 },
  { 0 },
};

/* What stands in the rows of the games. */
static void put_games (FILE *f) {
  const sd_game_kind *k;
  for (unsigned i = 0; (k = sd_game_kind_at (i)); i++) {
    fprintf (f, "  %s%s%s: %s\n", k->name, k->file ? ":" : "", k->file ? k->file : "", k->summary);
    if (k->slices)
      fprintf (f, "    slices: %s\n", k->slices);
  }
}

static void put_solvers (FILE *f) {
  const sd_solver_kind *k;
  for (unsigned i = 0; (k = sd_solver_at (i)); i++)
    fprintf (f, "  %-11s %s\n              (%s)\n", k->name, k->summary, k->source);
}

/* The help with these lists in place of its lines @games and @solvers; malloced, NULL: no memory. */
static char *make_help (void) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream (&text, &n);

  /* From one '@' to the next: the text before it, then the list that the line names by its first letter. */
  for (const char *at = sd_tool_help ("gen")->about, *next; f && *at; at = next) {
    next = at + strcspn (at, "@");
    fwrite (at, 1, (size_t) (next - at), f);
    if (*next) {
      (next[1] == 'g' ? put_games : put_solvers) (f);
      next += strcspn (next, "\n") + 1;
    }
  }

  if (f && fclose (f) == 0)
    return text;
  free (text);
  return NULL;
}

/* What the words say together. */
static int check (sd_error *err) {
  /* 'subdef gen' has started so many; where there is no mpirun, one */
  if (opt.ranks && !opt.estimate && strcmp (sd_tool_name (), "subdef-gen") == 0)
    return sd_fail (err, SD_EINVAL,
                    "--ranks is for --estimate; to run on %u ranks: mpirun -np %u subdef-gen ..., or "
                    "subdef gen --ranks %u ...",
                    opt.ranks, opt.ranks, opt.ranks);

  return sd_gen_coding_parse (opt.codec, opt.set, &opt.coding, err);
}

/* *out is filled in any case, so that who asked for help is seen by out->done. */
int sd_gen_parse (int argc, char **argv, bool speak, sd_gen_options *out) {
  sd_words slices;
  sd_error err = { 0 };
  SD_OWNED char *help = make_help ();
  const sd_command command = { "gen", .options = options, .args = "ENDING...\n--game NAME[:FILE] [SLICE...]",
                               .about = help, .makes = true };

  /* argp's messages begin with it. */
  argv[0] = (char *) (uintptr_t) sd_tool_name ();
  /* a rank that leaves alone would leave the others waiting; all parse, one speaks */
  int status = !help ? ENOMEM
                     : sd_options_read (&command, argc, argv, ARGP_NO_EXIT | (speak ? 0 : ARGP_SILENT),
                                        &slices, &opt.done);

  if (!status && !opt.done && check (&err) != SD_OK) {
    status = EINVAL;
    if (speak)
      sd_tool_say ("%s", err.text);
  }

  opt.solver = sd_solver_at (solver);
  opt.slice = slices.at;
  opt.nslices = (unsigned) slices.n;
  *out = opt;
  return status;
}
