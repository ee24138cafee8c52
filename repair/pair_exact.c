/** \file pair_exact.c
 * Pair rule `exact`: plain RE-PAIR (Larsson and Moffat 1999). A free slot stays free until the final rule. */
#include "config.h"
#include "repair/repair_internal.h"

static bool stands_for (const sd_repair *st, unsigned x, unsigned a) {
  (void) st;
  return x == a;
}
const sd_pair_rule sd_pair_exact = { stands_for, NULL };
