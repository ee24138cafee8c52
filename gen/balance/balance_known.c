/* Load balancing: what a rank knows of the loads of others, and whom it would ask.
 *
 * Idea: on each level it knows its own group and up to two that its manager has joined (Makhnychev
 * 2012, 3.6). A joined group counts as one level higher. Among those whose loads differ by less than a
 * quarter of the way from the asker's to the largest, chance decides (balance.c says why). Cost of a choice:
 * two passes over 3 G floats.
 */
#include "config.h"
#include "gen/balance/balance_internal.h"
#include <math.h>

bool sd_balance_any_above (const float *load, unsigned n, double limit) {
  for (unsigned i = 0; i < n; i++)
    if (load[i] >= limit)
      return true;
  return false;
}

double sd_balance_mean (const float *load, unsigned n) {
  double sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += load[i];
  return sum / n;
}

bool sd_balance_exhausted (const sd_balance *b, unsigned h) {
  const sd_balance_level *l = &b->level[h];
  if (sd_balance_any_above (l->load, l->members, b->threshold[h]))
    return false;
  for (unsigned j = 0; j < SD_BALANCE_JOINED; j++)
    if (l->joined[j].manager >= 0
        && sd_balance_any_above (l->joined[j].load, l->joined[j].n, b->threshold[h + 1]))
      return false;
  return true;
}

/* Is `manager` the head of a group whose loads this rank gets on level h? */
static bool has_joined (const sd_balance *b, unsigned h, int manager) {
  const sd_balance_level *l = &b->level[h];
  for (unsigned j = 0; j < SD_BALANCE_JOINED; j++)
    if (l->joined[j].manager == manager
        && sd_balance_any_above (l->joined[j].load, l->joined[j].n, b->threshold[h + 1]))
      return true;
  return false;
}

/* One pass over all whom this rank knows on level h. With `enough` < 0: the largest load in *most. Else: the
 * k-th of those with at least `enough`, and in *most how many there are. */
static int pick (const sd_balance *b, unsigned h, double own, float enough, uint64_t k, float *most) {
  const sd_balance_level *l = &b->level[h];
  int found = -1;
  uint64_t seen = 0;

  *most = -1;
  for (unsigned g = 0; g <= SD_BALANCE_JOINED; g++) {
    const sd_balance_joined *j = g ? &l->joined[g - 1] : NULL;
    if (j && j->manager < 0)
      continue;
    const float *load = j ? j->load : l->load;
    const unsigned n = j ? j->n : l->members;
    /* Not worth the transfer, or below what a joined group must have. */
    const double limit = fmax (b->threshold[h + (j != NULL)], own + b->pays);
    for (unsigned i = 0; i < n; i++) {
      if (!(load[i] >= limit))
        continue;
      int who = sd_balance_member (b, j ? j->manager : l->manager, h, i);
      if (who == b->rank || (h > 0 && has_joined (b, h - 1, who)))
        continue;
      if (enough < 0) {
        if (load[i] > *most) {
          *most = load[i];
          found = who;
        }
      } else if (load[i] >= enough && seen++ == k)
        found = who;
    }
  }
  if (enough >= 0)
    *most = (float) seen;
  return found;
}

int sd_balance_candidate (sd_balance *b, unsigned h, double own) {
  float most, count;
  int top = pick (b, h, own, -1, 0, &most);
  if (top < 0 || b->opt.top)
    return top;
  /* All that are near the largest, so that not everybody asks the same. */
  float enough = (float) (most - (most - own) / 4);
  pick (b, h, own, enough, UINT64_MAX, &count);
  return count < 2 ? top : pick (b, h, own, enough, sd_random (&b->random) % (uint64_t) count, &count);
}

void sd_balance_correct (sd_balance *b, unsigned h, int who, float load) {
  sd_balance_level *l = &b->level[h];
  for (unsigned g = 0; g <= SD_BALANCE_JOINED; g++) {
    sd_balance_joined *j = g ? &l->joined[g - 1] : NULL;
    if (j && j->manager < 0)
      continue;
    const unsigned n = j ? j->n : l->members;
    for (unsigned i = 0; i < n; i++)
      if (sd_balance_member (b, j ? j->manager : l->manager, h, i) == who) {
        (j ? j->load : l->load)[i] = load;
        l->changed = true;
      }
  }
}

void sd_balance_note (sd_balance *b, unsigned h, unsigned i, float load, bool busy) {
  sd_balance_level *l = &b->level[h];
  if (l->load[i] == load && l->busy[i] == busy)
    return;
  /* Its first report. */
  l->known += l->load[i] < 0;
  l->load[i] = load;
  l->busy[i] = busy;
  l->changed = true;
}
