/** \file rules.c
 * The lists of pair and final replacement algorithms: one row each, in the order of their names' appearance
 * in the tunables. A new algorithm is one file and one row. */
#include "config.h"
#include "repair/repair_internal.h"

#include <string.h>

static const sd_repair_rule pair_text[] = {
  { "exact", "replace only pairs of two main symbols", "Larsson and Moffat 1999" },
  { "subdefinite", "replace also pairs that have the chosen pair as a completion", "S0 Sec. 1.7.2" },
  { "compatible", "as subdefinite; a pair counts as often as something may become it", "S0 Sec. 1.7.2" },
};
static const sd_pair_rule *const pair_rule[] = { &sd_pair_exact, &sd_pair_subdefinite, &sd_pair_compatible };

static const sd_repair_rule final_text[] = {
  { "frequent", "complete every free slot by its most frequent main symbol", "S0 Sec. 1.7.3, step 2" },
  { "longest", "fill runs of free slots with the longest phrases, then `frequent`, then compress again",
    "S0 Sec. 1.7.3" },
};
static const sd_final_rule *const final_rule[] = { &sd_final_frequent, &sd_final_longest };

#define COUNT(x) (sizeof (x) / sizeof *(x))
_Static_assert(COUNT (pair_text) == COUNT (pair_rule), "one text for each rule");
_Static_assert(COUNT (final_text) == COUNT (final_rule), "one text for each rule");

const sd_repair_rule *sd_repair_pair_rules (size_t *n) {
  *n = COUNT (pair_text);
  return pair_text;
}
const sd_repair_rule *sd_repair_final_rules (size_t *n) {
  *n = COUNT (final_text);
  return final_text;
}
const sd_pair_rule *sd_repair_find_pair_rule (const char *name) {
  for (size_t i = 0; i < COUNT (pair_text); i++)
    if (!strcmp (pair_text[i].name, name))
      return pair_rule[i];
  return NULL;
}
const sd_final_rule *sd_repair_find_final_rule (const char *name) {
  for (size_t i = 0; i < COUNT (final_text); i++)
    if (!strcmp (final_text[i].name, name))
      return final_rule[i];
  return NULL;
}
