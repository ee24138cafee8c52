/** \file pair_subdefinite.c
 * Pair rule `subdefinite` (Zakharov 2015, 1.7.2): the most frequent pair AB of main symbols is chosen, and
 * every pair that has AB as a completion is replaced as well. */
#include "config.h"
#include "repair/repair_internal.h"

const sd_pair_rule sd_pair_subdefinite = { sd_repair_may_be, NULL };
