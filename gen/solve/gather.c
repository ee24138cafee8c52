/* All values of a solution in one place, for games small enough: piece by piece, so that beside the values
 * rank 0 holds 64 KiB for each rank, and the others 64 KiB. */
#include "config.h"
#include "gen/solve/solve.h"
#include <stdlib.h>

enum { PIECE = 1 << 15 }; /* values of each rank in one piece */

/* Ranks with fewer states than the first send what is no state behind theirs. */
static int copy (const sd_transport *t, const sd_solution *s, sd_value *part, sd_value *all, sd_value *value,
                 sd_error *err) {
  const uint64_t mine = sd_deal_count (&s->deal, t->rank);
  const uint64_t most = sd_deal_count (&s->deal, 0);
  for (uint64_t from = 0; from < most; from += PIECE) {
    const uint64_t n = most - from < PIECE ? most - from : PIECE;
    for (uint64_t k = 0; k < n; k++)
      part[k] = from + k < mine ? s->value[from + k] : SD_ILLEGAL;
    SD_TRY (sd_exchanged (t->gather (t->ctx, part, n * sizeof *part, all), NULL, "their values", err));
    for (int r = 0; value && r < t->size; r++) {
      const uint64_t count = sd_deal_count (&s->deal, r);
      for (uint64_t k = 0; k < n && from + k < count; k++)
        value[sd_deal_state (&s->deal, r, from + k, NULL)] = all[(uint64_t) r * n + k];
    }
  }
  return SD_OK;
}

int sd_solution_gather (const sd_transport *t, const sd_solution *s, sd_value **out, sd_error *err) {
  const bool wanted = t->rank == 0;
  const uint64_t n = s->deal.nstates;
  SD_OWNED sd_value *part = sd_alloc (PIECE, sizeof *part),
                    *value = wanted ? sd_alloc (n, sizeof *value) : NULL;
  SD_OWNED sd_value *all = wanted ? sd_alloc (PIECE * (uint64_t) t->size, sizeof *all) : NULL;
  const bool enough = part && (!wanted || (value && all));
  *out = NULL;
  SD_TRY (sd_agree (t, enough ? SD_OK : sd_fail_memory (err, n * sizeof *value), err));
  SD_TRY (copy (t, s, part, all, value, err));
  *out = value;
  value = NULL;
  return SD_OK;
}
