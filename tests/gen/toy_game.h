/* A random game on a sparse graph, with everything that the solver must cope with: conversions of all three
 * kinds, stalemates, states that do not exist, duplicate moves, cycles; and a slow, obvious solution by
 * forward moves. */
#ifndef TOY_GAME_H
#define TOY_GAME_H

#include "gen/gen.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct toy {
  uint64_t n;
  sd_state_info *info;
  uint64_t *first, *to;       /* moves of p: to[first[p]..first[p + 1] - 1] */
  uint64_t *pfirst, *from;    /* and backwards, from states that do not exist too */
  unsigned drawn_conversions; /* in all */
} toy;

static int toy_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  const toy *t = ctx;
  (void) err;
  for (uint64_t k = 0; k < count; k++)
    out[k] = t->info[first + k];
  return SD_OK;
}

static unsigned toy_preds (const void *ctx, sd_state q, sd_state *out) {
  const toy *t = ctx;
  unsigned n = (unsigned) (t->pfirst[q + 1] - t->pfirst[q]);
  memcpy (out, t->from + t->pfirst[q], n * sizeof *out);
  return n;
}

static unsigned toy_succs (const void *ctx, sd_state p, sd_state *out) {
  const toy *t = ctx;
  unsigned n = (unsigned) (t->first[p + 1] - t->first[p]);
  memcpy (out, t->to + t->first[p], n * sizeof *out);
  return n;
}

/* n states with up to max_moves moves to near-by states; longest: of the conversions, in moves. */
static inline toy *toy_new (uint64_t n, unsigned max_moves, unsigned reach, unsigned longest, uint64_t seed) {
  toy *t = calloc (1, sizeof *t);
  t->n = n;
  t->info = calloc (n + 1, sizeof *t->info);
  t->first = calloc (n + 2, sizeof *t->first);
  t->to = calloc (n * max_moves + 1, sizeof *t->to);
  t->pfirst = calloc (n + 2, sizeof *t->pfirst);
  t->from = calloc (n * max_moves + 1, sizeof *t->from);
  for (uint64_t p = 0; p < n; p++)
    t->info[p].exists = sd_random (&seed) % 12 != 0;
  uint64_t m = 0;
  for (uint64_t p = 0; p < n; p++) {
    sd_state_info *i = &t->info[p];
    t->first[p] = m;
    i->terminal_lost = i->exists && sd_random (&seed) % 24 == 0;
    bool stale = sd_random (&seed) % 30 == 0;
    unsigned moves = i->terminal_lost || stale ? 0 : 1 + (unsigned) (sd_random (&seed) % max_moves);
    for (unsigned k = 0; k < moves; k++) {
      uint64_t q = (p + n - reach + sd_random (&seed) % (2 * reach + 1)) % n;
      if (t->info[q].exists)
        t->to[m++] = q; /* of a state that does not exist too: preds may name it */
    }
    if (!i->exists || i->terminal_lost || stale)
      continue;
    i->moves = (uint16_t) (m - t->first[p]);
    if (sd_random (&seed) % 16 == 0)
      i->win = (uint16_t) (1 + 2 * (sd_random (&seed) % longest));
    if (sd_random (&seed) % 6 == 0)
      i->loss = (uint16_t) (2 + 2 * (sd_random (&seed) % longest));
    if (sd_random (&seed) % 40 == 0 && i->moves < max_moves)
      i->moves++, t->drawn_conversions++;
  }
  t->first[n] = m;
  for (uint64_t e = 0; e < m; e++)
    t->pfirst[t->to[e] + 1]++;
  for (uint64_t q = 0; q < n; q++)
    t->pfirst[q + 1] += t->pfirst[q];
  uint64_t *at = calloc (n + 1, sizeof *at);
  for (uint64_t p = 0; p < n; p++)
    for (uint64_t e = t->first[p]; e < t->first[p + 1]; e++)
      t->from[t->pfirst[t->to[e]] + at[t->to[e]]++] = p;
  free (at);
  return t;
}

static inline void toy_free (toy *t) {
  free (t->info), free (t->first), free (t->to), free (t->pfirst), free (t->from), free (t);
}

static inline sd_game toy_game (toy *t, unsigned max_moves) {
  unsigned preds = 1;
  for (uint64_t q = 0; q < t->n; q++)
    if (t->pfirst[q + 1] - t->pfirst[q] > preds)
      preds = (unsigned) (t->pfirst[q + 1] - t->pfirst[q]);
  return (sd_game){ .name = "toy",
                    .ctx = t,
                    .nstates = t->n,
                    .max_moves = max_moves,
                    .max_preds = preds,
                    .init = toy_init,
                    .preds = toy_preds,
                    .succs = toy_succs };
}

/* Forward moves only, ply by ply, until v exceeds anything possible. NONE: not decided. */
static inline sd_value *toy_solve (const toy *t, unsigned longest) {
  enum { NONE = 0 };
  sd_value *value = calloc (t->n + 1, sizeof *value);
  unsigned idle = 0;
  for (int v = 0; idle <= 2 * longest + 4; v++) {
    bool news = false;
    for (uint64_t p = 0; p < t->n; p++) {
      const sd_state_info *i = &t->info[p];
      if (!i->exists) {
        value[p] = SD_ILLEGAL;
        continue;
      }
      if (value[p] != NONE)
        continue;
      bool win = i->win == v && v > 0, all = true;
      uint64_t moves = t->first[p + 1] - t->first[p];
      int worst = i->loss;
      for (uint64_t e = t->first[p]; e < t->first[p + 1]; e++) {
        sd_value q = value[t->to[e]];
        if (q < 0 && -q - 1 == v - 1)
          win = true;
        if (q > 0 && q < v) /* won in fewer plies than v */
          worst = q + 1 > worst ? q + 1 : worst;
        else
          all = false;
      }
      bool lost =
          i->terminal_lost || (all && !i->win && i->moves == moves && (moves || i->loss) && worst == v);
      if (win)
        value[p] = (sd_value) v;
      else if (lost)
        value[p] = (sd_value) (-v - 1);
      news |= value[p] != NONE;
    }
    idle = news ? 0 : idle + 1;
  }
  return value;
}

#endif
