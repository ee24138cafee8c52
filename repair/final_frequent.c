/** \file final_frequent.c
 * Final rule `frequent` (Zakharov 2015, 1.7.3, step 2 alone): what is still free becomes the most frequent
 * main symbol that it admits. Frequencies are those of the sequence as the code will see it, so the slot gets
 * a short code. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>

int sd_final_frequent (sd_repair *st, sd_error *err) {
  sd_repair_count_symbols (st);
  SD_OWNED sd_symbol *best = sd_alloc (st->a, sizeof *best);
  if (!best)
    return sd_fail_memory (err, 0);
  for (unsigned s = 0; s < st->a; s++)
    best[s] = s < st->m ? (sd_symbol) s : sd_best_completion (st->alphabet, (sd_symbol) s, st->freq);
  for (uint64_t i = 0; i < st->n; i++)
    if (st->ids[i] < st->a)
      st->ids[i] = best[st->ids[i]];
  return SD_OK;
}
