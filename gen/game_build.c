/* A slice of a game from its rules to its table of distances. The slices below are read from their tables;
 * the values of this one come together on rank 0, which codes them, reads them back and compares. */
#include "config.h"
#include "gen/games.h"
#include <inttypes.h>
#include <stdlib.h>

static int outside_value (const void *ctx, sd_slice slice, sd_state state, sd_value *out) {
  return sd_game_tables_value (ctx, slice, SD_DTM, state, out);
}

static void outside_tidy (void *ctx, bool over) {
  (void) over; /* what stays in the budget may serve the next slice */
  sd_game_tables_trim (ctx);
}

static void count (const sd_value *value, uint64_t n, sd_counts *out) {
  *out = (sd_counts){ 0 };
  for (uint64_t i = 0; i < n; i++) {
    if (value[i] == SD_ILLEGAL)
      continue;
    out->positions++;
    out->drawn += value[i] == 0;
    out->won += value[i] > 0;
    out->lost += value[i] < 0;
    if (value[i] > out->longest_win)
      out->longest_win = value[i];
    if (value[i] < out->longest_loss)
      out->longest_loss = value[i];
  }
}

static int write_table (const sd_table_game *game, const sd_value *value, const char *path,
                        const sd_progress *progress, sd_error *err) {
  sd_table_spec spec = { .game = *game,
                         .metric = SD_DTM,
                         .coding = SD_CODING_SIGNED,
                         .freedom = SD_FREE_ILLEGAL,
                         .side = { { .codec = &sd_codec_lzma } } };
  SD_TRY (sd_settings_parse (&sd_codec_lzma, "block=2097152,preset=2", &spec.side[0].settings, err));
  return sd_table_build_game (&spec, value, path, progress, err);
}

int sd_game_build (const sd_solver_kind *solver, sd_game_tables *g, const sd_transport *t, sd_slice slice,
                   const char *path, const sd_solve_options *options, sd_counts counts[2],
                   sd_solve_stats *stats, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (g);
  const sd_outside outside = { g, outside_value, outside_tidy };
  sd_game game = { 0 };
  sd_table_game about = { 0 };
  sd_solution mine = { .value = NULL };
  sd_value *value = NULL;
  int st = sd_rules_describe (r, slice, &about, err);
  if (st == SD_OK)
    st = sd_game_tables_need_below (g, slice, SD_DTM, err);
  if (st == SD_OK)
    st = r->kind->game (r->ctx, slice, &outside, &game, err);
  const bool have_game = st == SD_OK;
  char name[sizeof about.name + sizeof about.slice + 24]; /* a checkpoint of other rules is not this one's */
  snprintf (name, sizeof name, "%s-%s-%016" PRIx64, about.name, about.slice, about.fingerprint);
  game.name = name;
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = (solver ? solver : sd_solver_at (0))->solve (&game, t, options, &mine, stats, err);
  if (st == SD_OK)
    st = sd_solution_gather (t, &mine, false, &value, err);
  free (mine.value);
  if (st == SD_OK && t->rank == 0) {
    const unsigned sides = r->kind->sides ? r->kind->sides (r->ctx, slice) : 1;
    for (unsigned side = 0; side < sides; side++)
      count (value + side * (game.nstates / sides), game.nstates / sides, &counts[side]);
    st = write_table (&about, value, path, options ? options->progress : NULL, err);
  }
  st = sd_agree (t, st, err);
  free (value);
  if (have_game)
    r->kind->game_free (&game);
  return st;
}
