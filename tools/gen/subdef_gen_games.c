/* subdef-gen --game: games other than chess, solved by the same solvers over the same ranks, slice by slice,
 * each with its table. All ranks take the same way and write the tables together; rank 0 talks. */
#include "config.h"
#include "gen/games/games.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_GAME = 2000, KEY_MEN, MAX_PIECES = 24 };
/* Decoded values of slices below, in bytes a rank; half of it may come on top between two trims. */
enum { BUDGET_BYTES = 256 << 20 };

typedef struct options {
  sd_gen_options common;
  const char *game;
  char **slice; /* names as typed, room for all arguments */
  unsigned nslices, men;
} options;

static const struct argp_option game_options[] = {
  { "game", KEY_GAME, "NAME[:FILE]", 0, "Which game: one of those below", 1 },
  { "men", KEY_MEN, "N", 0, "All slices with 1 to N pieces, where a game has pieces (1 to 24)", 1 },
  { 0 }
};

static const char before_options[] =
    "Builds tables of another game than chess: the exact distance to the end for every position of a slice, "
    "and first of "
    "all slices that it can turn into. Tables that exist and are whole are left alone.";
static const char after_options[] =
    "Games:\n"
    "%s"
    "\n"
    "The table of a slice is DIR/GAME-SLICE.dtm.sdt. Columns: won/drawn/lost positions of the player to "
    "move, in two "
    "columns where it matters who that is; the longest win in plies; seconds; bytes of the file. "
    "docs/games.md says "
    "how to add a game.\n"
    "\n"
    "Examples:\n"
    "  subdef-gen --game draughts KKvM -o tables     the slice and the 6 that it can turn into\n"
    "  mpirun -np 4 subdef-gen --game draughts --men 5 -o tables\n"
    "  subdef-gen --game graph:race.txt -o tables";

static void list_games (char *out, size_t cap) {
  const sd_game_kind *k;
  size_t n = 0;
  for (unsigned i = 0; (k = sd_game_kind_at (i)) && n < cap; i++)
    n += (size_t) snprintf (out + n, cap - n, "  %s%s%s: %s\n%s%s%s", k->name, k->file ? ":" : "",
                            k->file ? k->file : "", k->summary, k->slices ? "    slices: " : "",
                            k->slices ? k->slices : "", k->slices ? "\n" : "");
}

/* argp_error returns, and says something on one rank only. */
static error_t parse_option (int key, char *arg, struct argp_state *state) {
  options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->common;
    return 0;
  case KEY_GAME:
    o->game = arg;
    return 0;
  case KEY_MEN:
    return sd_gen_parse_count (arg, "men", 1, MAX_PIECES, state, &o->men);
  case ARGP_KEY_ARG:
    o->slice[o->nslices++] = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int complain (const sd_transport *t, const sd_error *err) {
  int st = sd_gen_complain (t, err);
  return err->status == SD_EINVAL ? SD_EXIT_USAGE : st;
}

/* ------------------------------------------------------------------------ jobs */

typedef struct job {
  sd_gen_job table; /* first */
  sd_slice slice;
  sd_table_game game;
  uint64_t below; /* states of the slices that it needs */
} job;

/* The slices that the command line asks for; *out is malloced. */
static int wanted (const options *o, const sd_rules *r, sd_slice **out, unsigned *n, sd_error *err) {
  unsigned all = o->men && r->kind->all ? r->kind->all (r->ctx, o->men, NULL, 0) : 0;
  if (o->men && !r->kind->all)
    return sd_fail (err, SD_EINVAL, "--men %u: %s has no pieces", o->men, r->kind->name);
  *n = o->nslices + all + 1;
  *out = sd_alloc (*n, sizeof **out);
  if (!*out)
    return sd_fail_memory (err, *n * sizeof **out);
  if (all)
    r->kind->all (r->ctx, o->men, *out, all);
  for (unsigned i = 0; i < o->nslices; i++)
    SD_TRY (sd_rules_slice (r, o->slice[i], &(*out)[all++], err));
  if (all == 0 && r->kind->slice_of)
    return sd_fail (err, SD_EINVAL, "--game %s: no slice was named: give some, as %s, or --men N",
                    r->kind->name, "KvK");
  if (all == 0)
    (*out)[all++] = 0;
  *n = all;
  return SD_OK;
}

static bool ours (const void *ctx, const sd_table_info *info) {
  const sd_table_game *g = &((const job *) ctx)->game;
  return strcmp (info->game.name, g->name) == 0 && strcmp (info->game.slice, g->slice) == 0
         && info->metric == SD_DTM && info->game.states == g->states
         && info->game.fingerprint == g->fingerprint;
}

static int describe (const sd_rules *r, const char *folder, const job *before, unsigned n, job *j,
                     sd_error *err) {
  char file[SD_GAME_FILE_NAME], name[SD_GAME_FILE_NAME];
  SD_TRY (sd_rules_describe (r, j->slice, &j->game, err));
  sd_table_game_file_name (&j->game, SD_DTM, file);
  snprintf (name, sizeof name, "%s-%s", j->game.name, j->game.slice);
  SD_TRY (sd_gen_job_paths (&j->table, folder, file, name, err));
  const unsigned k = r->kind->below ? r->kind->below (r->ctx, j->slice, NULL, 0) : 0;
  sd_slice *below = sd_alloc (k, sizeof *below);
  if (!below)
    return sd_fail_memory (err, k * sizeof *below);
  if (k)
    r->kind->below (r->ctx, j->slice, below, k);
  for (unsigned b = 0; b < n; b++)
    for (unsigned i = 0; i < k; i++)
      if (below[i] == before[b].slice) {
        j->below += before[b].game.states;
        break;
      }
  free (below);
  return SD_OK;
}

static int make_jobs (const options *o, const sd_transport *t, const sd_rules *r, const char *folder,
                      job **out, unsigned *nout, sd_error *err) {
  sd_slice *want = NULL, *order = NULL;
  unsigned nwant = 0, n = 0;
  job *jobs = NULL;
  int st = wanted (o, r, &want, &nwant, err);
  if (st == SD_OK)
    st = sd_rules_order (r, want, nwant, &order, &n, err);
  if (st == SD_OK && !(jobs = sd_alloc0 (n, sizeof *jobs)))
    st = sd_fail_memory (err, n * sizeof *jobs);
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    jobs[i].slice = order[i];
    st = describe (r, folder, jobs, i, &jobs[i], err);
    if (st == SD_OK)
      st = sd_gen_job_look (&o->common, t, &jobs[i].table, ours, &jobs[i],
                            "holds another table than its name says, or one made from other rules", err);
  }
  free (want);
  free (order);
  *out = jobs;
  *nout = jobs ? n : 0;
  return sd_gen_jobs_agree (t, st, jobs, sizeof *jobs, n, err);
}

/* ----------------------------------------------------------------------- output */

static void print_estimates (const options *o, const sd_transport *t, const job *jobs, unsigned n) {
  /* An upper bound, not a prediction: over all ranks a value a state, coded blocks and the coders' memory; of
   * each rank the program, and values of the slices below, at two bytes at most. Measured: half of it and
   * less for slices of draughts with 4 pieces. */
  enum { CODING = 3, BELOW = 2, FIXED = 30 << 20 };
  double largest = 0, states = 0;
  unsigned open = 0;
  if (t->rank != 0)
    return;
  if (o->common.estimate)
    printf ("%-9s %16s        %16s\n", "slice", "", "memory, at most");
  for (unsigned i = 0; i < n; i++) {
    double below = BELOW * (double) jobs[i].below;
    below = below < BUDGET_BYTES ? below : BUDGET_BYTES;
    const double bytes = CODING * (double) jobs[i].game.states + (FIXED + below) * t->size;
    if (o->common.estimate && jobs[i].table.skip)
      printf ("%-9s %16" PRIu64 " states   exists\n", jobs[i].game.slice, jobs[i].game.states);
    else if (o->common.estimate)
      printf ("%-9s %16" PRIu64 " states %12.1f MiB\n", jobs[i].game.slice, jobs[i].game.states,
              bytes / 1048576);
    if (jobs[i].table.skip)
      continue;
    open++;
    states += (double) jobs[i].game.states;
    largest = bytes > largest ? bytes : largest;
  }
  if (o->common.estimate)
    printf ("%u of %u slices to build, %.0f states, at most %.1f MiB of memory at one time over %d rank%s\n"
            "This is an upper bound. Time, disk and messages of such games are not predicted.\n",
            open, n, states, largest / 1048576, t->size, t->size == 1 ? "" : "s");
  const double ram = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  if (largest > ram)
    fprintf (stderr,
             "subdef-gen: may need up to %.0f MiB; this machine has %.0f MiB: it might not fit on one "
             "machine like this\n",
             largest / 1048576, ram / 1048576);
}

static uint64_t file_bytes (const char *path) {
  sd_map map;
  if (sd_map_open (path, &map, NULL) != SD_OK)
    return 0;
  uint64_t n = map.len;
  sd_map_close (&map);
  return n;
}

static void slice_row (const options *o, const job *j, unsigned sides, const sd_counts c[2], double seconds) {
  static const char *const names[2] = { "first", "second" };
  char text[2][80] = { "", "" };
  const uint64_t bytes = file_bytes (j->table.path);
  int longest = 0;
  for (unsigned side = 0; side < sides; side++) {
    snprintf (text[side], sizeof text[side], "%" PRIu64 "/%" PRIu64 "/%" PRIu64, c[side].won, c[side].drawn,
              c[side].lost);
    longest = c[side].longest_win > longest ? c[side].longest_win : longest;
  }
  sd_terminal_clear ();
  if (o->common.json) {
    printf ("{\"game\":\"%s\",\"slice\":\"%s\"", j->game.name, j->game.slice);
    for (unsigned side = 0; side < sides; side++)
      printf (",\"%s\":{\"positions\":%" PRIu64 ",\"won\":%" PRIu64 ",\"drawn\":%" PRIu64 ",\"lost\":%" PRIu64
              ",\"longest_win_plies\":%d,\"longest_loss_plies\":%d}",
              names[side], c[side].positions, c[side].won, c[side].drawn, c[side].lost, c[side].longest_win,
              c[side].longest_loss ? -c[side].longest_loss - 1 : 0);
    printf (",\"seconds\":%.3f,\"bytes\":%" PRIu64 "}\n", seconds, bytes);
  } else {
    static bool headed;
    if (!headed)
      printf ("%-9s %-26s %-26s %10s %10s %9s bytes\n", "slice", sides == 1 ? "won/drawn/lost" : "first won/drawn/lost",
              sides == 1 ? "" : "second won/drawn/lost", "longest", "time", "table");
    headed = true;
    printf ("%-9s %-26s %-26s %4d plies %8.2f s %9" PRIu64 " bytes\n", j->game.slice, text[0], text[1],
            longest, seconds, bytes);
  }
  fflush (stdout);
}

/* -------------------------------------------------------------------------- run */

static int build (const options *o, const sd_transport *t, sd_game_tables *tables, const job *j,
                  const sd_progress *progress, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (tables);
  sd_counts counts[2] = { { 0 }, { 0 } };
  sd_gen_making making;
  int st = sd_gen_begin (&o->common, t, &j->table, j->game.slice, progress, &making, err);
  if (st == SD_OK)
    st = sd_game_build (o->common.solver, tables, t, j->slice, &making.how, &o->common.coding, j->table.path,
                        counts, NULL, err);
  sd_gen_end (t, &j->table, &making, st == SD_OK);
  if (st == SD_OK && t->rank == 0)
    slice_row (o, j, r->kind->sides ? r->kind->sides (r->ctx, j->slice) : 1, counts,
               sd_now () - making.start);
  return st;
}

static int run (const options *o, const sd_transport *t, sd_error *err) {
  sd_rules r = { 0 };
  sd_game_tables *tables = NULL;
  sd_progress bar = { 0 };
  job *jobs = NULL;
  unsigned n = 0;
  char first[4096];
  const char *folder;
  int st = sd_rules_open (o->game, &r, err);
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = sd_gen_folder (&o->common, t, first, sizeof first, &folder, err);
  if (st == SD_OK)
    st = make_jobs (o, t, &r, folder, &jobs, &n, err);
  if (st == SD_OK)
    print_estimates (o, t, jobs, n);
  if (st == SD_OK && t->rank == 0 && !o->common.quiet)
    sd_terminal_progress (&bar, o->common.progress);
  if (st == SD_OK)
    st = sd_agree (t, sd_game_tables_open (&r, folder, BUDGET_BYTES, &tables, err), err);
  for (unsigned i = 0; i < n && st == SD_OK && !o->common.estimate; i++) {
    if (jobs[i].table.skip)
      continue;
    st = build (o, t, tables, &jobs[i], bar.report ? &bar : NULL, err);
  }
  for (unsigned i = 0; i < n; i++)
    sd_gen_job_free (&jobs[i].table);
  free (jobs);
  sd_game_tables_close (tables);
  sd_rules_close (&r);
  return st;
}

bool sd_gen_is_game (int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "--game") || !strncmp (argv[i], "--game=", 7))
      return true;
  return false;
}

int sd_gen_game (int argc, char **argv, const sd_transport *t) {
  options o = { .common = { .checkpoint = 300, .solver = sd_solver_at (0) } };
  sd_error err = { 0 };
  char games[1000], after[sizeof after_options + sizeof games], doc[sizeof before_options + sizeof after];
  list_games (games, sizeof games);
  snprintf (after, sizeof after, after_options, games);
  snprintf (doc, sizeof doc, "%s\v%s", before_options, after);
  const struct argp_child children[] = { { .argp = &sd_gen_common_argp }, { 0 } };
  const struct argp argp = { game_options, parse_option, "--game NAME[:FILE] [SLICE...]", doc, children,
                             NULL,         NULL };
  /* all ranks parse, one speaks; nobody leaves alone */
  const unsigned flags = ARGP_NO_HELP | ARGP_NO_EXIT | (t->rank == 0 ? 0 : ARGP_SILENT);
  o.slice = sd_alloc ((uint64_t) argc, sizeof *o.slice);
  int st = sd_gen_agree_usage (t, o.slice ? argp_parse (&argp, argc, argv, flags, NULL, &o) : ENOMEM);
  if (st == SD_EXIT_OK && !o.common.done && run (&o, t, &err) != SD_OK)
    st = complain (t, &err);
  free (o.slice);
  return st;
}
