/* For the tests of the search: a table that decision trees see through, and one side of it. Only included by
 * them. */
#ifndef SD_TESTS_NOISY_H
#define SD_TESTS_NOISY_H

#include "tests/table/made_up.h"
#include "recode/best/budget_internal.h"

static sd_search_report report; /* of the search that a test runs */

/* KQvK as no game has it: distances that follow the squares but for a little noise, which decision trees see
 * through, and in which no two parts are alike. `alike`: in the same slots of both sides. */
static inline sd_values *distances (bool alike) {
  sd_values *s = endings ("KQvK", DRAWN, 1);
  sd_exact *e = (sd_exact *) get (s, "KQvK");
  uint64_t rng = 5;
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      sd_value c;
      int status = SD_OK, sum = 0;
      if (!sd_exact_position (e, side, i, &p))
        continue;
      if (best_conversion (s, &p, SD_MOVES_CONVERSIONS, &c, &status))
        continue; /* takes the queen: drawn */
      for (uint64_t men = p.occ[0] | p.occ[1]; men; men &= men - 1) {
        const int square = __builtin_ctzll (men);
        sum += (square & 7) + (square >> 3);
      }
      sum += (int) (sd_random (&rng) % 3);
      e->value[side][i] = (sd_value) (side == SD_WHITE ? 1 + 2 * sum : -(1 + 2 * sum));
      if (alike && side == SD_BLACK && e->value[0][i] != SD_ILLEGAL)
        e->value[1][i] = (sd_value) -e->value[0][i];
    }
  return s;
}

static inline sd_values *noisy_distances (void) {
  return distances (false);
}

typedef struct one_side {
  sd_values *exacts;
  sd_subdefined *data;
  sd_search search;
  sd_candidate c;
} one_side;

/* White to move, with codecs to come. */
static inline one_side white (void) {
  one_side w = { .exacts = noisy_distances () };
  const sd_exact *e = get (w.exacts, "KQvK");
  sd_error err = { 0 };
  cr_assert_eq (sd_subdefine (w.exacts, e,
                              &(sd_stored){ SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, 0, SD_SIDES_BOTH }, NULL,
                              &w.data, &err),
                SD_OK);
  sd_layout_kings_first (&e->material, &w.c.layout);
  report.n = 0;
  w.search = (sd_search){ .from = e->indexer, .data = w.data, .report = &report };
  return w;
}

static inline void free_side (one_side *w) {
  sd_subdefined_free (w->data);
  sd_values_free (w->exacts);
}

#endif
