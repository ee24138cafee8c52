/* A slice of a game from its rules to its table file: solved over all ranks, coded and written by all.
 *
 * Every rank decodes what it needs of the slices that positions turn into (sd_values), and gives that memory
 * back before the table is coded. The file is Zakharov 2015's building stage: complete values in large blocks
 * (Zakharov 2015 Sec. 1.2; coding.c); reformatting it is somebody else's work. */
#include "config.h"
#include "gen/games/chess/chess_game.h"
#include "gen/parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t sd_gen_budget (uint64_t nstates, bool parts, int ranks) {
  enum { LEAST = 64 << 20 };
  /* In proportion to what a rank holds itself, so that it never dominates. */
  const uint64_t share = (parts ? nstates / 16 * 5 : nstates / 4 * 3) / (uint64_t) ranks;
  return share > LEAST ? share : LEAST;
}

/* ----------------------------------------------------------------- solving */

/* Where a game is solved part by part: its name, the file of its parts, and the parts. */
typedef struct by_parts {
  const char *name, *path;
  sd_gen_parts *parts;
} by_parts;

/* Collective, where all ranks have made the game: the values that this rank holds. The values that the game
 * asks for are counted from sd_values_forget_peak on. parts: NULL, or how to solve a game that has some. */
static int solve (const sd_gen_run *run, sd_values *values, const sd_game *game, by_parts *parts,
                  sd_solution *out, sd_solve_stats *stats, sd_error *err) {
  sd_values_stats held;
  int st;
  sd_values_set_budget (values, sd_gen_budget (game->nstates, game->parts > 0, run->t->size));
  if (parts)
    st = sd_gen_parts_solve (run, game, parts->name, parts->path, &parts->parts, out, stats, err);
  else
    st = (run->solve ? run->solve : sd_solve) (game, run->t, run->options, out, stats, err);

  sd_values_describe (values, &held);
  /* What all ranks take together. */
  if (st == SD_OK)
    st = sd_exchanged (run->t->sum (run->t->ctx, &held.peak, 1), NULL, "their counts", err);
  if (st == SD_OK && stats)
    stats->values_bytes = held.peak;
  return st;
}

/* What a game asks of the slices below: their values in the usual exact metric, which the store makes of
 * whatever is there. */
static int outside_value (const void *ctx, sd_slice slice, sd_state state, sd_value *out) {
  return sd_game_tables_value (ctx, slice, SD_USUAL_EXACT, state, out);
}

static void outside_tidy (void *ctx, bool over) {
  (void) over; /* the rest goes before the table is coded */
  sd_game_tables_trim (ctx);
}

/* By this name a checkpoint is found again: "KRvKP", "KRvKP.dtz50". */
static void solve_name (const sd_table_spec *subject, enum sd_metric metric, char *out, size_t cap) {
  char name[SD_SUBJECT_NAME];
  sd_subject_name (subject, name);
  snprintf (out, cap, "%s%s%s", name, metric == SD_USUAL_EXACT ? "" : ".",
            metric == SD_USUAL_EXACT ? "" : sd_metrics[metric].name);
}

/* A slice that is being made. */
typedef struct slice_game {
  sd_game game;
  bool made;          /* the game is */
  sd_outside outside; /* the game keeps a pointer */
  char name[SD_SUBJECT_NAME + 16];
  by_parts parts;
} slice_game;

/* On each rank: the game of a slice. */
static int slice_open (sd_game_tables *g, sd_slice slice, slice_game *s, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (g);
  sd_values *values = sd_game_tables_store (g);
  const enum sd_metric metric = sd_values_metric (values);
  sd_table_spec subject;

  SD_TRY (sd_rules_subject (r, slice, &subject, err));
  if (sd_metrics[metric].counts_from & ~r->kind->steps)
    return sd_fail (err, SD_EUNSUPPORTED, "%s: metric %s is of chess alone", r->kind->name,
                    sd_metrics[metric].name);
  if (!r->kind->game)
    return sd_fail (err, SD_EINVAL, "%s: these tables have no rules that they follow from", r->kind->name);

  if (!r->kind->store) /* which finds its tables itself */
    SD_TRY (sd_game_tables_need_below (g, slice, SD_USUAL_EXACT, err));
  s->outside = (sd_outside){ g, outside_value, outside_tidy, values };
  SD_TRY (r->kind->game (r->ctx, slice, &s->outside, &s->game, err));
  s->made = true;
  /* a checkpoint of other rules, or of another metric, is not this one's */
  solve_name (&subject, metric, s->name, sizeof s->name);
  s->game.name = s->name;
  return SD_OK;
}

/* Ranks fail together: whatever one of them lacks is told to all (sd_agree) before any waits for another. */
int sd_gen_solve_ending (const sd_gen_run *run, sd_values *values, const sd_material *m, sd_solution *out,
                         sd_solve_stats *stats, sd_error *err) {
  sd_game game = { 0 };
  *out = (sd_solution){ .value = NULL };
  sd_values_forget_peak (values);
  int st = sd_chess_game_new (values, m, &game, err);
  if (st == SD_OK && game.parts && sd_metric_by_parts (sd_values_metric (values)))
    st = sd_fail (err, SD_EUNSUPPORTED, "%s: with pawns, values of metric %s are solved part by part",
                  game.name, sd_metrics[sd_values_metric (values)].name);

  st = sd_agree (run->t, st, err);
  if (st == SD_OK)
    st = solve (run, values, &game, NULL, out, stats, err);
  sd_chess_game_free (&game);
  if (st != SD_OK) {
    free (out->value);
    out->value = NULL;
  }
  return st;
}

/* Rank 0 ends with all values, so that this is for endings that fit one process. */
int sd_gen_exact (const sd_transport *t, const sd_material *m, sd_solution *solved, sd_exact **out,
                  sd_error *err) {
  sd_exact *e = NULL;
  sd_value *all = NULL;

  *out = NULL;
  int st = t->rank == 0 ? sd_exact_new (m, &e, err) : SD_OK;
  /* More states than slots: those of en-passant rights stand behind. */
  if (e && e->n * e->nsides > solved->deal.nstates)
    st = sd_fail (err, SD_EINVAL, "%ju states, but %u sides of %ju slots", (uintmax_t) solved->deal.nstates,
                  e->nsides, (uintmax_t) e->n);
  st = sd_agree (t, st, err);
  if (st == SD_OK && t->size == 1) { /* they are in one place */
    all = solved->value;
    solved->value = NULL;
  } else if (st == SD_OK)
    st = sd_solution_gather (t, solved, &all, err);
  for (unsigned side = 0; all && side < e->nsides; side++)
    memcpy (e->value[side], all + side * e->n, e->n * sizeof *all);
  free (all);
  free (solved->value);
  solved->value = NULL;
  if (st != SD_OK) {
    sd_exact_free (e);
    return st;
  }
  *out = e;
  return SD_OK;
}

/* ----------------------------------------------------------------- writing */

/* "KPvKP.dtm.sdt.parts" */
static int parts_path (const char *table, char **out, sd_error *err) {
  if (asprintf (out, "%s.parts", table) >= 0)
    return SD_OK;
  *out = NULL;
  return sd_fail_memory (err, 0);
}

void sd_gen_parts_remove (const char *table) {
  SD_OWNED char *path = NULL;
  if (parts_path (table, &path, NULL) == SD_OK)
    unlink (path);
}

int sd_gen_build (const sd_gen_run *run, sd_game_tables *g, sd_slice slice, const char *path,
                  sd_gen_stats *stats, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (g);
  sd_values *values = sd_game_tables_store (g);
  sd_gen_target target = { .sides = r->kind->sides ? r->kind->sides (r->ctx, slice) : 1, .path = path };
  SD_OWNED char *parts = NULL;
  sd_solution solution = { .value = NULL };
  slice_game s = { .made = false };
  sd_gen_stats own;

  stats = stats ? stats : &own;
  memset (stats, 0, sizeof *stats);

  SD_TRY (sd_agree (run->t, parts_path (path, &parts, err), err));
  SD_TRY (sd_agree (run->t, sd_gen_spec (r, slice, run->coding, &target.spec, err), err));
  target.spec.metric = sd_values_metric (values);
  sd_values_forget_peak (values);
  /* One rank may fail alone: it tells the others, who then stop, too. */
  int st = sd_agree (run->t, slice_open (g, slice, &s, err), err);
  s.parts = (by_parts){ .name = s.name, .path = parts };
  if (st == SD_OK)
    st = solve (run, values, &s.game, s.game.parts ? &s.parts : NULL, &solution, &stats->solve, err);

  sd_values_trim (values, 0); /* coding takes memory of its own */
  if (st == SD_OK)
    st = sd_gen_output (run, &target, &solution, &stats->output, err);
  free (solution.value);
  sd_gen_parts_free (s.parts.parts);
  /* What a run with checkpoints goes on from is kept after a failure. */
  if (run->t->rank == 0 && (st == SD_OK || !run->options || !run->options->checkpoint))
    unlink (parts);
  if (s.made)
    r->kind->game_free (&s.game);
  return st;
}
