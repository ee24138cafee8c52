/* subdef-gen --game: games other than chess, solved by the same solver over the same ranks. Their values are
 * printed, not stored: the container of tables describes chess endings only. */
#include "config.h"
#include "gen/games.h"
#include "tools/subdef_gen.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_GAME = 1000, KEY_MEN, KEY_SOLVER, KEY_JSON, KEY_USAGE, KEY_PROGRESS, MAX_SLICES = 4096 };

typedef struct options {
  const char *game, *file;
  const sd_solver_kind *solver;
  unsigned men;
  bool json, quiet, progress, estimate, done;
} options;

static const struct argp_option argp_options[] = {
  { "game", KEY_GAME, "NAME", 0, "draughts, or graph", 1 },
  { "men", KEY_MEN, "N", 0, "draughts: all slices with 1 to N pieces (1 to 24, default 3)", 1 },
  { "solver", KEY_SOLVER, "NAME", 0, "How: one of the solvers that subdef-gen --help lists", 1 },
  { "estimate", 'e', NULL, 0, "draughts: only print the slices and the memory that they take", 2 },
  { "json", KEY_JSON, NULL, 0, "One JSON object per line", 2 },
  { "quiet", 'q', NULL, 0, "No progress", 2 },
  { "progress", KEY_PROGRESS, NULL, 0, "Progress also where standard error is no terminal", 2 },
  { "help", 'h', NULL, 0, "This text", 3 },
  { "usage", KEY_USAGE, NULL, 0, "The options in short", 3 },
  { 0 }
};

static const char doc[] =
    "Solves another game than chess and prints its results; tables of these games are not stored.\n\v"
    "draughts: English draughts (checkers, 8 x 8). A slice is what both sides have, K a king and M a man: "
    "KKvM. Per line: "
    "won/drawn/lost positions of the side to move, first the side named first, then the other; the longest "
    "win in plies; "
    "seconds. Results are for both colours together, so a slice and its mirror image are one.\n"
    "\n"
    "graph FILE: a game written down as lines \"STATE: MOVE...\"; docs/games.md describes it. One line a "
    "state: its name and "
    "its value.\n"
    "\n"
    "Examples:\n"
    "  subdef-gen --game draughts --men 3\n"
    "  mpirun -np 4 subdef-gen --game draughts --men 5\n"
    "  subdef-gen --game graph race.txt";

static error_t parse_option (int key, char *arg, struct argp_state *state) {
  options *o = state->input;
  char *end;
  long men;
  switch (key) {
  case KEY_GAME:
    o->game = arg;
    if (!strcmp (arg, "draughts") || !strcmp (arg, "graph"))
      return 0;
    argp_error (state, "--game %s: expected draughts or graph; endings of chess are named without --game",
                arg);
    return EINVAL;
  case KEY_MEN:
    men = strtol (arg, &end, 10);
    if (end == arg || *end || men < 1 || men > 2 * SD_DRAUGHTS_SIDE) {
      argp_error (state, "--men %s: expected a number from 1 to %d", arg, 2 * SD_DRAUGHTS_SIDE);
      return EINVAL;
    }
    o->men = (unsigned) men;
    return 0;
  case KEY_SOLVER:
    return sd_gen_parse_solver (arg, state, &o->solver);
  case 'e':
    o->estimate = true;
    return 0;
  case 'q':
    o->quiet = true;
    return 0;
  case KEY_JSON:
    o->json = true;
    return 0;
  case KEY_PROGRESS:
    o->progress = true;
    return 0;
  case 'h':
  case KEY_USAGE:
    o->done = true;
    if (!(state->flags & ARGP_NO_ERRS))
      argp_help (state->root_argp, stdout,
                 key == 'h' ? ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC : ARGP_HELP_USAGE,
                 (char *) "subdef-gen");
    return 0;
  case ARGP_KEY_ARG:
    if (o->file) {
      argp_error (state, "one graph at a time: %s, %s", o->file, arg);
      return EINVAL;
    }
    o->file = arg;
    return 0;
  case ARGP_KEY_END:
    if (o->done)
      return 0;
    if (!o->game)
      argp_error (state, "--game: expected a name");
    else if (!strcmp (o->game, "graph") && !o->file)
      argp_error (state, "--game graph: no file was named");
    else if (!strcmp (o->game, "draughts") && o->file)
      argp_error (state, "--game draughts: takes --men N, not %s", o->file);
    else
      return 0;
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int complain (const sd_transport *t, const sd_error *err) {
  if (t->rank == 0) {
    sd_terminal_clear ();
    fflush (stdout);
    fprintf (stderr, "subdef-gen: %s\n", err->text[0] ? err->text : sd_strerror (err->status));
  }
  return SD_EXIT_FAILED;
}

/* -------------------------------------------------------------------- draughts */

static void slice_row (const options *o, const sd_draughts *d, const sd_draughts_slice *m, double seconds) {
  sd_counts c[2];
  char name[32], text[2][80];
  sd_draughts_name (m, name);
  int longest = 0;
  for (unsigned side = 0; side < 2; side++) {
    sd_draughts_count (d, m, side, &c[side]);
    snprintf (text[side], sizeof text[side], "%" PRIu64 "/%" PRIu64 "/%" PRIu64, c[side].won, c[side].drawn,
              c[side].lost);
    longest = c[side].longest_win > longest ? c[side].longest_win : longest;
  }
  sd_terminal_clear ();
  if (o->json) {
    printf ("{\"game\":\"draughts\",\"slice\":\"%s\"", name);
    for (unsigned side = 0; side < 2; side++)
      printf (",\"%s\":{\"positions\":%" PRIu64 ",\"won\":%" PRIu64 ",\"drawn\":%" PRIu64 ",\"lost\":%" PRIu64
              ",\"longest_win_plies\":%d,\"longest_loss_plies\":%d}",
              side ? "second" : "first", c[side].positions, c[side].won, c[side].drawn, c[side].lost,
              c[side].longest_win, c[side].longest_loss ? -c[side].longest_loss - 1 : 0);
    printf (",\"seconds\":%.3f}\n", seconds);
  } else {
    printf ("%-9s first %-26s second %-26s %4d plies %8.2f s\n", name, text[0], text[1], longest, seconds);
  }
  fflush (stdout);
}

static int draughts (const options *o, const sd_transport *t, sd_error *err) {
  sd_draughts *d = NULL;
  sd_draughts_slice *slice = sd_alloc (MAX_SLICES, sizeof *slice);
  sd_progress bar = { 0 };
  double states = 0, largest = 0;
  unsigned n = slice ? sd_draughts_order (o->men, slice, MAX_SLICES) : 0;
  n = n < MAX_SLICES ? n : MAX_SLICES;
  int st =
      sd_agree (t, slice ? sd_draughts_new (&d, err) : sd_fail_memory (err, MAX_SLICES * sizeof *slice), err);
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    sd_game g;
    char name[32];
    if ((st = sd_draughts_game_new (d, &slice[i], &g, err)) != SD_OK)
      break;
    sd_draughts_name (&slice[i], name);
    if (o->estimate && t->rank == 0)
      printf ("%-9s %16" PRIu64 " states\n", name, g.nstates);
    states += (double) g.nstates;
    largest = (double) g.nstates > largest ? (double) g.nstates : largest;
    sd_draughts_game_free (&g);
  }
  if (st == SD_OK && t->rank == 0) { /* a value a state on each rank, and a record a state over all */
    double bytes = 2 * states * t->size + 2 * largest;
    double ram = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
    if (o->estimate)
      printf ("%u slices, %.0f states, %.1f MiB of memory over %d rank%s\n", n, states, bytes / 1048576,
              t->size, t->size == 1 ? "" : "s");
    if (bytes > ram)
      fprintf (
          stderr,
          "subdef-gen: needs %.0f MiB; this machine has %.0f MiB: it will not fit on one machine like this\n",
          bytes / 1048576, ram / 1048576);
  }
  if (st == SD_OK && t->rank == 0 && !o->quiet)
    sd_terminal_progress (&bar, o->progress);
  for (unsigned i = 0; i < n && st == SD_OK && !o->estimate; i++) {
    double start = sd_now ();
    st = sd_draughts_solve_by (o->solver, d, t, &slice[i], bar.report ? &bar : NULL, NULL, err);
    if (st == SD_OK && t->rank == 0)
      slice_row (o, d, &slice[i], sd_now () - start);
  }
  sd_draughts_free (d);
  free (slice);
  return st;
}

/* ----------------------------------------------------------------------- graph */

static void state_row (const options *o, const char *name, int value) {
  int plies = value > 0 ? value : value < 0 ? -value - 1 : 0;
  const char *result = value > 0 ? "won" : value < 0 ? "lost" : "drawn";
  if (o->json)
    printf ("{\"state\":\"%s\",\"result\":\"%s\",\"plies\":%d}\n", name, result, plies);
  else if (value)
    printf ("%-15s %s in %d\n", name, result, plies);
  else
    printf ("%-15s drawn\n", name);
}

static int graph (const options *o, const sd_transport *t, sd_error *err) {
  sd_graph *g = NULL;
  sd_game game = { 0 };
  sd_solution mine = { .value = NULL };
  sd_value *all = NULL;
  int st = sd_agree (t, sd_graph_read (o->file, &g, err), err);
  if (st == SD_OK) {
    sd_graph_game (g, &game);
    st = o->solver->solve (&game, t, NULL, &mine, NULL, err);
  }
  if (st == SD_OK)
    st = sd_solution_gather (t, &mine, false, &all, err);
  for (uint64_t s = 0; all && s < game.nstates; s++)
    state_row (o, sd_graph_name (g, s), all[s]);
  free (all);
  free (mine.value);
  sd_graph_free (g);
  return st;
}

bool sd_gen_is_game (int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "--game") || !strncmp (argv[i], "--game=", 7))
      return true;
  return false;
}

int sd_gen_game (int argc, char **argv, const sd_transport *t) {
  options o = { .men = 3, .solver = sd_solver_at (0) };
  sd_error err = { 0 };
  const struct argp argp = { argp_options, parse_option, "--game NAME [FILE]", doc, NULL, NULL, NULL };
  /* all ranks parse, one speaks; nobody leaves alone */
  if (argp_parse (&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_EXIT | (t->rank == 0 ? 0 : ARGP_SILENT), NULL,
                  &o))
    return SD_EXIT_USAGE;
  if (o.done)
    return SD_EXIT_OK;
  int st = strcmp (o.game, "graph") ? draughts (&o, t, &err) : graph (&o, t, &err);
  return st == SD_OK ? SD_EXIT_OK : complain (t, &err);
}
