/* What a slice of a game takes of which nothing is known but its states: at most so much memory. Over all
 * ranks a value a state, coded blocks and the coders' memory; of each rank the program, and values of the
 * slices below, at two bytes at most. Measured: half of it and less for slices of draughts with 4 pieces. */
#include "config.h"
#include "gen/gen.h"
#include <stdlib.h>

enum { CODING = 3, BELOW = 2, FIXED = 30 << 20 };

static int of_chess (sd_slice slice, const sd_estimate_run *run, sd_estimate *out, sd_error *err) {
  const sd_material m = sd_chess_material (slice);
  return sd_gen_estimate (&m, run, out, err);
}

/* Games of which more is known. The rows of games.c cannot hold it: they stand below what is estimated. */
static const struct {
  const sd_game_kind *kind;
  int (*estimate) (sd_slice slice, const sd_estimate_run *run, sd_estimate *out, sd_error *err);
} models[] = {
  { &sd_game_chess, of_chess },
};

int sd_gen_estimate_slice (const sd_rules *r, sd_slice slice, const sd_estimate_run *run, sd_estimate *out,
                           sd_error *err) {
  sd_table_game game;
  SD_OWNED sd_slice *below = NULL;
  unsigned n;
  uint64_t states = 0;

  for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
    if (r->kind == models[i].kind)
      return models[i].estimate (slice, run, out, err);
  SD_TRY (sd_rules_below (r, slice, &below, &n, err));
  for (unsigned i = 0; i < n; i++) {
    SD_TRY (sd_rules_describe (r, below[i], &game, err));
    states += game.states;
  }
  SD_TRY (sd_rules_describe (r, slice, &game, err));
  const int ranks = run && run->ranks > 0 ? run->ranks : 1;
  const uint64_t budget = sd_gen_budget (game.states, false, ranks), values = BELOW * states;
  *out = (sd_estimate){ .bound = true, .slots = game.states, .states = game.states };
  out->process_bytes =
      CODING * game.states + (FIXED + (values < budget ? values : budget)) * (uint64_t) ranks;
  return SD_OK;
}
