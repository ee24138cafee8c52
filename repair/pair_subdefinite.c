/** \file pair_subdefinite.c
 * Pair rule `subdefinite` (S0 Sec. 1.7.2): the most frequent pair AB of main symbols is chosen, and every
 * pair that has AB as a completion is replaced as well. A free slot is one symbol long, so it can only stand
 * for a symbol of the alphabet, never for a phrase. */
#include "config.h"
#include "repair/repair_internal.h"

static bool stands_for (const sd_repair *st, unsigned x, unsigned a) {
  if (x == a)
    return true;
  return a < st->m && x >= st->m && x < st->a && sd_admits (st->alphabet, (sd_symbol) x, (sd_symbol) a);
}
const sd_pair_rule sd_pair_subdefinite = { stands_for, NULL };
