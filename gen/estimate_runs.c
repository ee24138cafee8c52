/* How many words a mark takes on its way to another rank.
 *
 * Marks for neighbours travel as runs of three words (marks.c), so that depends on how many positions of a
 * row
 * - those that differ by the square of one piece - are decided in the same ply. That is not known before the
 * ending is solved; what is put in its place is one number for each side to move: the chance that another
 * position of the row comes with a decided one. Given that, sets of positions are drawn for a sample of rows,
 * and the game itself is asked for their un-moves: how long runs are then, where rows break off or a word of
 * 64 places ends, and what goes to other ranks, is computed by what the solver does.
 *
 * The sets are those of an urn (Polya's): each position that comes along makes it likelier that the next one
 * does, as much as four drawn before it would. Single rows are thus far from the mean, as they are in solved
 * endings: in some all mates are equally long, in others all differ.
 *
 * Words of 64 places are drawn, as the chances were fitted; the solver reads rows of 48 where the last man is
 * a pawn. KPvK, Black to move, two ranks: 0.78 words a mark are predicted, 0.75 counted.
 *
 * Cost: 2 ms a side. */
#include "config.h"
#include "gen/games/chess/chess_internal.h"
#include "gen/estimate_internal.h"
#include <stdlib.h>

enum { SAMPLES = 512, URN = 4 };

typedef struct sampler {
  const sd_game *game;
  const sd_deal *deal;
  sd_run *run;
  double marks, words; /* to other ranks, so far */
} sampler;

/* Of run r as it is put into words (stage_run). */
static void count_run (sampler *p, int owner, sd_run r, double weight) {
  const unsigned at = r.first % 64;
  const uint64_t part[2] = { r.which << at, at ? r.which >> (64 - at) : 0 };
  for (unsigned i = 0; i < 2; i++) {
    uint64_t place;
    int to;
    if (!part[i])
      continue;
    sd_deal_find (p->deal, i ? r.first + 64 - at : r.first, &to, &place);
    if (to == owner)
      continue;
    p->marks += weight * (double) __builtin_popcountll (part[i]);
    p->words += r.which == 1 ? weight : 3 * weight;
  }
}

/* The positions of q send their marks (sd_spread_run). */
static void count_set (sampler *p, sd_run q, double weight) {
  uint64_t place;
  int owner;
  sd_deal_find (p->deal, q.first, &owner, &place);
  for (;;) {
    unsigned taken;
    const unsigned n = p->game->preds_of_run (p->game->ctx, q, &taken, p->run);
    for (unsigned i = 0; i < n; i++)
      count_run (p, owner, p->run[i], weight);
    q.which &= taken < 64 ? ~(sd_bit (taken) - 1) : 0;
    if (!q.which)
      return;
    const unsigned next = sd_lowest (q.which);
    q.first += next;
    q.which >>= next;
  }
}

/* Position `one` of 64 and those that are decided with it. */
static uint64_t draw (const sd_state_info info[64], unsigned one, double together, uint64_t *seed) {
  uint64_t set = sd_bit (one);
  double seen = URN, with = URN * together;
  for (unsigned i = 0; i < 64; i++)
    if (i != one && info[i].exists) {
      const double u = (double) (sd_random (seed) >> 11) * 0x1p-53;
      if (u * seen < with) {
        set |= sd_bit (i);
        with++;
      }
      seen++;
    }
  return set;
}

int sd_estimate_words (const sd_game *survey, const sd_deal *deal, unsigned side, double together,
                       double *out, sd_error *err) {
  const sd_chess *c = survey->ctx;
  sampler p = { .game = survey, .deal = deal };
  sd_state_info info[64];
  uint64_t seed = side;

  *out = 1;
  if (c->nsides == 1 || c->n < 64)
    return SD_OK;
  p.run = sd_alloc (64 * (uint64_t) survey->max_preds, sizeof *p.run);
  if (!p.run)
    return sd_fail_memory (err, 64 * survey->max_preds * sizeof *p.run);
  int st = SD_OK;
  for (unsigned k = 0; k < SAMPLES && st == SD_OK; k++) {
    /* a word of 64 places, and a position in it */
    const sd_state first = (side * c->n + sd_random (&seed) % (c->n - 63) + 63) / 64 * 64;
    const unsigned one = (unsigned) (sd_random (&seed) % 64);
    if (first + 64 > (side + 1) * c->n)
      continue;
    st = survey->init (survey->ctx, first, 64, info, err);
    if (st != SD_OK || !info[one].exists)
      continue;
    /* a set of n is met by each of its positions */
    const uint64_t set = draw (info, one, together, &seed);
    const unsigned low = sd_lowest (set);
    count_set (&p, (sd_run){ first + low, set >> low }, 1. / __builtin_popcountll (set));
  }
  if (p.marks > 0)
    *out = p.words / p.marks;
  free (p.run);
  return st;
}
