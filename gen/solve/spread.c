/* Decided states send their marks: which states of a range are due, and their predecessors, run by run.
 *
 * Games in which neighbours have neighbours for predecessors say so (sd_game.preds_of_run), and then what
 * follows, on this rank and between ranks, is done once for up to 64 states. Others get runs of one. */
#include "config.h"
#include "gen/lanes.h"
#include "gen/solve/solver_internal.h"
#include <string.h>

/* The predecessors of those of q that the game takes; how far it went. */
static unsigned find (const sd_solver *s, sd_worker *w, sd_run q, unsigned *taken) {
  const sd_game *g = s->game;
  if (g->preds_of_run)
    return g->preds_of_run (g->ctx, q, taken, w->run);
  const unsigned n = g->preds (g->ctx, q.first, w->pred);
  for (unsigned i = 0; i < n; i++)
    w->run[i] = (sd_run){ w->pred[i], 1 };
  *taken = 1;
  return n;
}

int sd_spread_run (sd_solver *s, sd_worker *w, sd_run q) {
  for (;;) {
    unsigned taken;
    const unsigned n = find (s, w, q, &taken);
    SD_TRY (sd_marks_send (s, w, w->run, n));
    /* The game took so many of the 64 at once; the others follow. */
    const uint64_t here = taken < 64 ? q.which & (((uint64_t) 1 << taken) - 1) : q.which;
    w->states += (unsigned) __builtin_popcountll (here);
    q.which ^= here;
    if (!q.which)
      return SD_OK;
    const unsigned next = (unsigned) __builtin_ctzll (q.which);
    q.first += next;
    q.which >>= next;
  }
}

/* Which of rec[0..63] are `key`? */
static inline uint64_t which_are (const uint16_t *rec, uint16_t key) {
  return sd_lanes_equal (rec, key) | (uint64_t) sd_lanes_equal (rec + SD_LANES, key) << SD_LANES;
}

/* `n` neighbours, `first` at `place`, row by row. */
static int spread_neighbours (sd_solver *s, sd_worker *w, sd_state first, uint64_t place, uint64_t n) {
  const uint16_t key = (uint16_t) (s->v + 1);
  const unsigned row = s->game->row ? s->game->row : 64;

  /* Up to the end of the row: states of the next one have other predecessors. */
  uint64_t run = row - first % row;
  for (; n; n -= run, first += run, place += run, run = row) {
    run = n < run ? n : run;
    uint64_t which = which_are (s->rec + place, key);
    /* The lanes look at 64 records, of which these are ours. */
    if (run < 64)
      which &= ((uint64_t) 1 << run) - 1;
    if (!which)
      continue;
    const unsigned skip = (unsigned) __builtin_ctzll (which);
    SD_TRY (sd_spread_run (s, w, (sd_run){ first + skip, which >> skip }));
  }
  return SD_OK;
}

int sd_spread_range (sd_solver *s, sd_worker *w, uint64_t from, uint64_t end) {
  uint64_t run;
  for (uint64_t b = from; b < end; b += run) {
    const sd_state first =
        sd_deal_state (&s->deal, s->t->rank, b, &run); /* neighbours here, neighbours in the game? */
    run = end - b < run ? end - b : run;
    SD_TRY (spread_neighbours (s, w, first, b, run));
  }
  return SD_OK;
}
