/** \file rules.c
 * Pair and final replacement algorithms by name. A new one is one file and one row of pair_rules.def or
 * final_rules.def. */
#include "config.h"
#include "repair/repair_internal.h"

#include <string.h>

const sd_pair_rule *sd_repair_find_pair_rule (const char *name) {
#define SD_PAIR_RULE(rule, summary)                                                                          \
  if (strcmp (name, #rule) == 0)                                                                             \
    return &sd_pair_##rule;
#include "repair/pair_rules.def"
  return NULL;
}

sd_final_rule sd_repair_find_final_rule (const char *name) {
#define SD_FINAL_RULE(rule, summary)                                                                         \
  if (strcmp (name, #rule) == 0)                                                                             \
    return sd_final_##rule;
#include "repair/final_rules.def"
  return NULL;
}
