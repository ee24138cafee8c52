/* Which of many texts are equal, by their hashes of 64 bits. Cost: sorting these.
 *
 * Used where many keys (rows of a store, cells of a sweep) are asked for doubles: hashes take less
 * time to sort than texts, and 8 bytes each. Two different texts may have one hash, with a chance of n^2
 * in 2^65; who must be sure compares the texts. */
#include "config.h"
#include "experiments/store/store.h"
#include <stdlib.h>

int sd_first_alike (const uint64_t *hash, uint64_t n, uint32_t **out, sd_error *err) {
  SD_OWNED sd_ranked *r = sd_alloc (n + 1, sizeof *r);
  uint32_t *first = *out = sd_alloc (n + 1, sizeof *first);
  if (!r || !first)
    return sd_fail_memory (err, n * sizeof *r);

  for (uint64_t i = 0; i < n; i++)
    r[i] = (sd_ranked){ hash[i], (uint32_t) i };

  /* sd_by_rank puts equal hashes in the order of their numbers, so that the first of a run is the first of
   * all. */
  qsort (r, n, sizeof *r, sd_by_rank);
  for (uint64_t i = 0; i < n; i++)
    first[r[i].number] = i > 0 && r[i].rank == r[i - 1].rank ? first[r[i - 1].number] : r[i].number;
  return SD_OK;
}
