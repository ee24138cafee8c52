/** \file conditional.c
 * Entropy of a slot behind its neighbours. The neighbours' values depend on how free slots were completed, so
 * completion and counts take turns: slots take the admissible symbol that is most frequent behind their
 * neighbours, then the counts are made anew, until the code length falls no more. Cost: a few passes.
 *
 * `subdef limits` shows the result as "slots behind 3 neighbours". It is the length of one completion that
 * was found, and so neither a bound from below nor what a codec writes: the counts themselves are not in
 * it, their number is (*model). docs/limits.md has the order of the neighbours and what the figure is
 * worth. */
#include "config.h"
#include "experiments/limits/limits_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lengths fall little behind the first rounds. The counts are kept twice, so that 2^25 of them are 256
 * MiB. */
enum { ROUNDS = 8, MAX_COUNTS = 1 << 25 };

/* Digits and kinds of steps in the order in which neighbours are added. Returned is a number below (none +
 * 1)^neighbours: the neighbours' values as digits in base none + 1, where `none` says that there is no such
 * slot. */
static unsigned context (const sd_nearby *w, unsigned neighbours) {
  unsigned c = 0;
  for (unsigned k = 0; k < neighbours; k++)
    c = c * (w->none + 1) + (k & 1 ? sd_nearby_rank (w, k / 2) : sd_nearby_step (w, k / 2));
  return c;
}

typedef struct {
  const sd_seq *seq;
  bool board;             /* as in sd_limits_options */
  unsigned m, neighbours; /* m: main symbols */
  size_t contexts;        /* (m + 1)^neighbours */
  sd_symbol *value;       /* [n] */
  uint32_t *count, *now;  /* [contexts * m]: of the round before, and of this one */
} work;

/* The admissible symbol that is most frequent in row; of equal ones that which is more frequent in all. A
 * slot with a single value (a main symbol) keeps it. */
static sd_symbol pick (const work *w, sd_symbol s, const uint32_t *row, const uint64_t *all) {
  if (s < w->m)
    return s;
  unsigned best = w->m;
  for (unsigned v = 0; v < w->m; v++)
    if (sd_admits (w->seq->alphabet, s, (sd_symbol) v)
        && (best == w->m || row[v] > row[best] || (row[v] == row[best] && all[v] > all[best])))
      best = v;
  return (sd_symbol) best;
}

/* A round: complete by `count`, with contexts of this completion; count that in `now`. Contexts must be those
 * of the completion in work, not of the last one: a reader that decodes from the first slot on knows no other
 * values. Slots that admit everything are completed, too, since they are neighbours of others, but are not
 * counted: they cost nothing. */
static void complete (const work *w, const uint64_t *all) {
  sd_nearby at;
  memset (w->now, 0, w->contexts * w->m * sizeof *w->now);
  for (sd_nearby_start (&at, w->seq, w->board, w->value); at.at < w->seq->n; sd_nearby_next (&at)) {
    const sd_symbol s = w->seq->sym[at.at];
    const size_t row = (size_t) context (&at, w->neighbours) * w->m;
    const sd_symbol v = pick (w, s, w->count + row, all);
    w->value[at.at] = v;
    if (sd_alphabet_choices (w->seq->alphabet, s) < w->m)
      w->now[row + v]++;
  }
}

/* Bits of the completion that was counted in `now`, with the shares of its own values in each context.
 * *model: how many of these shares are not 0. */
static double length (const work *w, double *model) {
  double bits = 0;
  *model = 0;
  for (size_t c = 0; c < w->contexts; c++) {
    const uint32_t *row = w->now + c * w->m;
    double sum = 0;
    for (unsigned v = 0; v < w->m; v++)
      sum += row[v];
    for (unsigned v = 0; v < w->m; v++)
      if (row[v]) {
        bits += row[v] * log2 (sum / row[v]);
        ++*model;
      }
  }
  return bits;
}

int sd_nearby_entropy (const sd_seq *s, bool board, unsigned neighbours, double *bits, double *model,
                       sd_error *err) {
  work w = { .seq = s, .board = board, .m = sd_alphabet_main (s->alphabet), .neighbours = neighbours };

  const double contexts = pow (w.m + 1, neighbours);
  if (contexts * w.m > MAX_COUNTS)
    return sd_fail (err, SD_ERANGE, "%u main symbols behind %u neighbours: %.3g counts, more than %u", w.m,
                    neighbours, contexts * w.m, MAX_COUNTS);

  w.contexts = (size_t) contexts;
  w.value = sd_alloc0 (s->n, sizeof *w.value);
  w.count = sd_alloc0 (w.contexts * w.m, sizeof *w.count);
  w.now = sd_alloc (w.contexts * w.m, sizeof *w.now);
  /* In the first round all of `count` is 0, so that `all` alone decides: free slots take the most frequent
   * value. */
  uint64_t *all = sd_alloc0 (sd_alphabet_size (s->alphabet), sizeof *all);
  int st = w.value && w.count && w.now && all ? sd_seq_frequencies (s, all) : SD_ENOMEM;

  *bits = INFINITY;
  for (unsigned round = 0; st == SD_OK && round < ROUNDS; round++) {
    double numbers;
    complete (&w, all);
    const double now = length (&w, &numbers);

    /* The next round completes by what this one has counted. */
    uint32_t *counts = w.now;
    w.now = w.count;
    w.count = counts;

    /* A round may be worse than the one before it; the best one is kept, and the first without a clear gain
     * ends it. */
    const bool falls = now < 0.9999 * *bits;
    if (now < *bits) {
      *bits = now;
      *model = numbers;
    }
    if (!falls)
      break;
  }

  free (w.value);
  free (w.count);
  free (w.now);
  free (all);
  return st == SD_ENOMEM ? sd_fail_memory (err, 0) : st;
}
