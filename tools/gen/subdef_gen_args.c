/* The command line of subdef-gen. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEY_MEN = 1000,
  KEY_GAME,
  KEY_RANKS,
  KEY_JSON,
  KEY_USAGE,
  KEY_PROGRESS,
  KEY_CHECKPOINT,
  KEY_SOLVER,
  KEY_MIXING,
  KEY_BALANCE,
  KEY_LOG,
  KEY_THREADS,
  KEY_CODEC,
  KEY_SET
};

enum { MAX_PIECES = 24 }; /* of any game */

static const struct argp_option options[] = {
  { "men", KEY_MEN, "N", 0,
    "Everything with up to N pieces: endings with 3 to N men, kings included (3 to 7)", 1 },
  { "game", KEY_GAME, "NAME[:FILE]", 0, "Another game than chess: one of those below", 1 },
  { "output", 'o', "DIR", 0,
    "Folder of the tables, made if need be (default: the first one in SUBDEF_PATH, else .)", 1 },
  { "force", 'f', NULL, 0, "Build also what exists and is whole", 1 },
  { "checkpoint", KEY_CHECKPOINT, "SECONDS", 0,
    "Keep the state of a long run every so often, to go on from it if the run is killed (default 300; 0: "
    "neither keep nor use)",
    1 },
  { "solver", KEY_SOLVER, "NAME", 0,
    "How: one of the solvers that subdef-gen --help lists (default parallel)", 1 },
  { "mixing", KEY_MIXING, "N", 0,
    "How states are dealt out to ranks: N of them stay together (default 4096, more where few ranks gain by "
    "it), or 'plain', one range a rank",
    1 },
  { "balance", KEY_BALANCE, "G[:SECONDS]", 0,
    "Ranks without work are given some by others: groups of G ranks, loads reported every SECONDS (default "
    "0.01)",
    1 },
  { "threads", KEY_THREADS, "N", 0,
    "Threads of each rank (default: OMP_NUM_THREADS, else all cores that other programs leave free)", 1 },
  { "codec", KEY_CODEC, "NAME", 0,
    "How tables are coded: lzma (default, preset 2), zstd, brotli, lz4 or another codec with blocks of its "
    "own; "
    "coding takes much of the time, with zstd and --set level=9 a quarter of that and a sixth more disk",
    1 },
  { "set", KEY_SET, "KEY=VALUE,...", 0,
    "Settings of the codec ('subdef reformat --set help'); blocks of 1 MiB if none are set", 1 },
  { "estimate", 'e', NULL, 0, "Only print what would be built, and what it takes", 2 },
  { "ranks", KEY_RANKS, "N", 0, "With --estimate: as if it ran on N ranks", 2 },
  { "json", KEY_JSON, NULL, 0, "One JSON object per table instead of a line", 2 },
  { "quiet", 'q', NULL, 0, "No table of estimates, no progress", 2 },
  { "log", KEY_LOG, NULL, 0,
    "A line on standard error for each iteration: states, how unevenly they lay, what was balanced", 2 },
  { "progress", KEY_PROGRESS, NULL, 0,
    "Progress also where standard error is no terminal, as under mpirun on one", 2 },
  { "help", 'h', NULL, 0, "This text", 3 },
  { NULL, '?', NULL, OPTION_ALIAS, NULL, 3 },
  { "usage", KEY_USAGE, NULL, 0, "The options in short", 3 },
  { "version", 'V', NULL, 0, "Name and version", 3 },
  { 0 }
};

static const char before_options[] =
    "Builds exact distance-to-mate tables of chess endings, or of the slices of another game, by retrograde "
    "analysis, and first everything that an ending can turn into by captures and promotions. Tables that exist "
    "and are whole are left alone, so a run that was cut short goes on where it stopped, within an ending at its "
    "last checkpoint.";
static const char after_options[] =
    "An ending is named by its pieces, White's first: KRvKP is king and rook against king and pawn; the mirrored "
    "name KPvKR means the same table. A table DIR/KRvKP.dtm.sdt holds both sides to move; that of another game's "
    "slice is DIR/GAME-SLICE.dtm.sdt.\n"
    "\n"
    "Games (docs/games.md says how to add one):\n"
    "%s"
    "\n"
    "Solvers, which all give the same tables:\n"
    "%s"
    "\n"
    "Examples:\n"
    "  subdef-gen KRvKP -o tables          one ending and the 9 below it\n"
    "  subdef-gen --men 4 --estimate       what all 35 endings up to four men take\n"
    "  mpirun -np 8 subdef-gen --men 4 -o tables\n"
    "  subdef-gen --game draughts KKvM -o tables\n"
    "  subdef-gen --game graph:race.txt -o tables\n"
    "  subdef-gen KQRvKQR --estimate --ranks 64 --threads 8\n"
    "\n"
    "`subdef gen` takes the same arguments; with --ranks N it starts mpirun by itself. One rank with threads "
    "takes the least memory. The tables are the same, byte for byte, for every number of ranks and threads.\n"
    "\n"
    "Estimates: memory is that of all ranks, with the programs; bytes/pos counts the buffers alone, for each "
    "slot of "
    "the table, both sides to move; messages are those between ranks. Memory is computed (a few per cent "
    "off), messages are some 15 per cent off; table and time are models that may be wrong by a factor of 2, "
    "with 6 "
    "and 7 men more. Of other games an upper bound of the memory is told.\n"
    "\n"
    "Columns: won/drawn/lost positions of the side to move, White's and Black's turn, unique up to symmetry (one "
    "column where it does not matter whose turn it is); "
    "the "
    "longest mate; seconds; bytes of the file; bytes of memory for each slot (and predicted). Exit status: 0 "
    "done, 1 failed, 2 wrong usage.";

/* What stands in the rows of the games. */
static void list_games (char *out, size_t cap) {
  const sd_game_kind *k;
  size_t n = 0;
  for (unsigned i = 0; (k = sd_game_kind_at (i)) && n < cap; i++)
    n += (size_t) snprintf (out + n, cap - n, "  %s%s%s: %s\n%s%s%s", k->name, k->file ? ":" : "",
                            k->file ? k->file : "", k->summary, k->slices ? "    slices: " : "",
                            k->slices ? k->slices : "", k->slices ? "\n" : "");
}

/* One line a solver. */
static void list_solvers (char *out, size_t cap) {
  const sd_solver_kind *k;
  size_t n = 0;
  for (unsigned i = 0; (k = sd_solver_at (i)) && n < cap; i++)
    n += (size_t) snprintf (out + n, cap - n, "  %-11s %s\n              (%s)\n", k->name, k->summary,
                            k->source);
}

/* "parallel, sequential, forward" */
static void name_solvers (char *out, size_t cap) {
  const sd_solver_kind *k;
  size_t n = 0;
  for (unsigned i = 0; (k = sd_solver_at (i)) && n < cap; i++)
    n += (size_t) snprintf (out + n, cap - n, "%s%s", i ? ", " : "", k->name);
}

static error_t refuse (struct argp_state *state, const char *why) {
  argp_error (state, "%s", why);
  return EINVAL;
}

static error_t parse_solver (const char *arg, struct argp_state *state, const sd_solver_kind **out) {
  char names[200];
  if ((*out = sd_solver_find (arg)))
    return 0;
  name_solvers (names, sizeof names);
  argp_error (state, "--solver %s: expected one of %s", arg, names);
  return EINVAL;
}

static error_t parse_mixing (const char *arg, struct argp_state *state, uint64_t *out) {
  char *end;
  if (strcmp (arg, "plain") == 0) {
    *out = SD_DEAL_PLAIN;
    return 0;
  }
  const long long n = strtoll (arg, &end, 10);
  if (end == arg || *end || n < 1 || n > 1ll << 40) {
    argp_error (state, "--mixing %s: expected plain, or how many states stay together, from 1", arg);
    return EINVAL;
  }
  *out = (uint64_t) n;
  return 0;
}

static error_t parse_balance (const char *arg, struct argp_state *state, sd_balance_options *out) {
  char *end;
  const long group = strtol (arg, &end, 10);
  double interval = 0.01;
  bool good = end != arg && (!*end || *end == ':') && group >= 2 && group <= 512;
  if (good && *end) {
    const char *at = end + 1;
    interval = strtod (at, &end);
    good = end != at && !*end && interval >= 1e-6 && interval <= 3600;
  }
  if (!good) {
    argp_error (state,
                "--balance %s: expected G or G:SECONDS, groups of 2 to 512 ranks, reports every 0.000001 to "
                "3600 seconds",
                arg);
    return EINVAL;
  }
  *out = (sd_balance_options){ .group = (unsigned) group, .interval = interval };
  return 0;
}

/* --WHAT N, a number from least to most. */
static error_t parse_count (const char *arg, const char *what, long least, long most,
                            struct argp_state *state, unsigned *out) {
  char *end;
  const long n = strtol (arg, &end, 10);
  if (end == arg || *end || n < least || n > most) {
    argp_error (state, "--%s %s: expected a number from %ld to %ld", what, arg, least, most);
    return EINVAL;
  }
  *out = (unsigned) n;
  return 0;
}

static error_t parse_coding (sd_gen_options *o, struct argp_state *state) {
  sd_error err = { 0 };
  if (sd_gen_coding_parse (o->codec, o->set, &o->coding, &err) == SD_OK)
    return 0;
  return refuse (state, err.text);
}

static error_t finish (sd_gen_options *o, struct argp_state *state) {
  if (o->ranks && !o->estimate && !o->done) {
    argp_error (state,
                "--ranks is for --estimate; to run on %u ranks: mpirun -np %u subdef-gen ..., or "
                "subdef gen --ranks %u ...",
                o->ranks, o->ranks, o->ranks);
    return EINVAL;
  }
  return parse_coding (o, state);
}

static error_t parse_seconds (const char *arg, struct argp_state *state, double *out) {
  char *end;
  *out = strtod (arg, &end);
  if (end != arg && !*end && *out >= 0 && *out < 1e9)
    return 0;
  argp_error (state, "--checkpoint %s: expected a number of seconds", arg);
  return EINVAL;
}

static error_t tell (int key, struct argp_state *state) {
  if (state->flags & ARGP_NO_ERRS)
    return 0;
  if (key == 'V')
    printf ("subdef-gen %s\n", PACKAGE_VERSION);
  else
    argp_help (state->root_argp, stdout,
               key != KEY_USAGE ? ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC : ARGP_HELP_USAGE,
               (char *) "subdef-gen");
  return 0;
}

/* What an option without an argument sets; NULL: it is none. */
static bool *flag_of (int key, sd_gen_options *o) {
  switch (key) {
  case 'f':
    return &o->force;
  case 'e':
    return &o->estimate;
  case 'q':
    return &o->quiet;
  case KEY_PROGRESS:
    return &o->progress;
  case KEY_JSON:
    return &o->json;
  case KEY_LOG:
    return &o->log;
  default:
    return NULL;
  }
}

/* With ARGP_NO_EXIT argp_error returns, and with ARGP_SILENT it says nothing: all ranks parse, one speaks. */
static error_t parse (int key, char *arg, struct argp_state *state) {
  sd_gen_options *o = state->input;
  bool *flag = flag_of (key, o);
  if (flag) {
    *flag = true;
    return 0;
  }
  switch (key) {
  case 'o':
    o->folder = arg;
    return *arg ? 0 : refuse (state, "--output: the name of the folder is empty");
  case KEY_CHECKPOINT:
    return parse_seconds (arg, state, &o->checkpoint);
  case KEY_MIXING:
    return parse_mixing (arg, state, &o->grain);
  case KEY_BALANCE:
    o->balanced = true;
    return parse_balance (arg, state, &o->balance);
  case KEY_THREADS:
    return parse_count (arg, "threads", 1, 1024, state, &o->threads);
  case KEY_CODEC:
    o->codec = arg;
    return 0;
  case KEY_SET:
    o->set = arg;
    return 0;
  case KEY_GAME:
    o->game = arg;
    return 0;
  case KEY_MEN:
    return parse_count (arg, "men", 1, MAX_PIECES, state, &o->men);
  case KEY_RANKS:
    return parse_count (arg, "ranks", 1, 65536, state, &o->ranks);
  case ARGP_KEY_ARG:
    o->slice[o->nslices++] = arg;
    return 0;
  case KEY_SOLVER:
    return parse_solver (arg, state, &o->solver);
  case ARGP_KEY_END:
    return finish (o, state);
  case 'h':
  case '?':
  case KEY_USAGE:
  case 'V':
    o->done = true;
    return tell (key, state);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

error_t sd_gen_parse (int argc, char **argv, bool speak, sd_gen_options *o) {
  char games[1000], solvers[1000], after[sizeof after_options + sizeof games + sizeof solvers];
  char doc[sizeof before_options + sizeof after];
  list_games (games, sizeof games);
  list_solvers (solvers, sizeof solvers);
  snprintf (after, sizeof after, after_options, games, solvers);
  snprintf (doc, sizeof doc, "%s\v%s", before_options, after);
  const struct argp argp = {
    options, parse, "ENDING...\n--game NAME[:FILE] [SLICE...]", doc, NULL, NULL, NULL
  };
  if (argc == 2 && strcmp (argv[1], "--man") == 0) { /* for the makefile */
    sd_tool_man_page ("subdef-gen", &argp);
    o->done = true;
    return 0;
  }
  if (!(o->slice = sd_alloc ((uint64_t) argc, sizeof *o->slice)))
    return ENOMEM;
  /* help and exit are ours: a rank that leaves alone would leave the others waiting */
  return argp_parse (&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_EXIT | (speak ? 0 : ARGP_SILENT), NULL, o);
}
