/* A slice of a game from its rules to its table of distances. The slices below are read from their tables,
 * block by block; the values of this one stay where they are: all ranks code and write (output.c). */
#include "config.h"
#include "gen/games/games.h"
#include <inttypes.h>
#include <stdlib.h>

static int outside_value (const void *ctx, sd_slice slice, sd_state state, sd_value *out) {
  return sd_game_tables_value (ctx, slice, SD_DTM, state, out);
}

static void outside_tidy (void *ctx, bool over) {
  (void) over; /* what stays in the budget may serve the next slice */
  sd_game_tables_trim (ctx);
}

/* Collective: what the values of all ranks are; the half of the states that starts at `second` goes to
 * out[1].
 */
static int count (const sd_transport *t, const sd_solution *s, uint64_t second, sd_counts out[2],
                  sd_error *err) {
  enum { WON, DRAWN, LOST, KINDS };
  uint64_t sum[2][KINDS] = { { 0 } }, most[2][2] = { { 0 } }; /* most: longest win; plies of a loss + 1 */
  const uint64_t n = sd_deal_count (&s->deal, t->rank);
  uint64_t run = 0;
  sd_state state = 0;
  for (uint64_t i = 0; i < n; i++, state++, run--) {
    if (run == 0)
      state = sd_deal_state (&s->deal, t->rank, i, &run);
    const sd_value v = s->value[i];
    if (v == SD_ILLEGAL)
      continue;
    const unsigned side = state >= second;
    sum[side][v > 0 ? WON : v < 0 ? LOST : DRAWN]++;
    const uint64_t far = (uint64_t) (v < 0 ? -v : v);
    if (far > most[side][v < 0])
      most[side][v < 0] = far;
  }
  int st = t->sum (t->ctx, &sum[0][0], 2 * KINDS);
  if (st == SD_OK)
    st = t->max (t->ctx, &most[0][0], 4);
  if (st != SD_OK)
    return sd_fail (err, st, "the ranks could not exchange their counts: %s", sd_strerror (st));
  for (unsigned side = 0; side < 2; side++)
    out[side] = (sd_counts){ .positions = sum[side][WON] + sum[side][DRAWN] + sum[side][LOST],
                             .won = sum[side][WON],
                             .drawn = sum[side][DRAWN],
                             .lost = sum[side][LOST],
                             .longest_win = (sd_value) most[side][0],
                             .longest_loss = (sd_value) - (int) most[side][1] };
  return SD_OK;
}

int sd_game_build (const sd_solver_kind *solver, sd_game_tables *g, const sd_transport *t, sd_slice slice,
                   const sd_solve_options *options, const sd_gen_coding *coding, const char *path,
                   sd_counts counts[2], sd_solve_stats *stats, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (g);
  const sd_outside outside = { g, outside_value, outside_tidy };
  sd_game game = { 0 };
  sd_table_spec spec;
  sd_table_game about = { 0 };
  sd_solution mine = { .value = NULL };
  int st = sd_rules_describe (r, slice, &about, err);
  if (st == SD_OK)
    st = sd_gen_spec (NULL, coding, &spec, err);
  spec.game = about;
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
  if (st == SD_OK) {
    const unsigned sides = r->kind->sides ? r->kind->sides (r->ctx, slice) : 1;
    st = count (t, &mine, sides == 2 ? game.nstates / 2 : game.nstates, counts, err);
  }
  if (st == SD_OK)
    st = sd_gen_output_table (&spec, t, &mine, path, options ? options->threads : 0,
                              options ? options->progress : NULL, NULL, err);
  free (mine.value);
  if (have_game)
    r->kind->game_free (&game);
  return st;
}
