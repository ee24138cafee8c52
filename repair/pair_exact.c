/** \file pair_exact.c
 * Pair rule `exact`: plain RE-PAIR (Larsson and Moffat 1999). A free slot stays free until the final rule. */
#include "config.h"
#include "repair/repair_internal.h"

static bool stands_for (const sd_repair *st, unsigned x, unsigned a) {
  (void) st;
  return x == a;
}
static uint64_t weight (const sd_repair *st, const sd_pair_counts *c, unsigned a, unsigned b) {
  (void) st;
  return sd_pair_count (c, a, b);
}
const sd_pair_rule sd_pair_exact = { stands_for, weight };
