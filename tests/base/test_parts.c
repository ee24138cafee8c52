/* Parts of a pass: they cover all of it, and begin where they may. */
#include "config.h"
#include "base/parts.h"
#include <criterion/criterion.h>

#ifdef _OPENMP
#include <omp.h>

static bool at_multiple (const void *step, uint64_t i) {
  return i % *(const uint64_t *) step == 0;
}

Test (parts, begin_where_they_may_and_cover_everything) {
  static const uint64_t steps[] = { 1, 7, 100000, 1000000, UINT64_MAX };
  const uint64_t from = 123, to = from + 5 * SD_PART + 17;
  omp_set_num_threads (4);
  cr_assert_eq (sd_parts (to - from), 4);
  for (unsigned s = 0; s < 5; s++) {
    uint64_t first[SD_MAX_PARTS + 1];
    sd_parts_cut (from, to, 4, at_multiple, &steps[s], first);
    cr_expect_eq (first[0], from);
    cr_expect_eq (first[4], to);
    for (unsigned k = 1; k < 4; k++) {
      const uint64_t share = from + (to - from) / 4 * k, next = (share + steps[s] - 1) / steps[s] * steps[s];
      cr_expect_eq (first[k], share > UINT64_MAX - steps[s] || next > to ? to : next, "step %u, part %u", s,
                    k);
    }
  }
}

Test (parts, are_no_more_than_threads_and_none_is_short) {
  omp_set_num_threads (4);
  cr_expect_eq (sd_parts (0), 1);
  cr_expect_eq (sd_parts (2 * SD_PART - 1), 1);
  cr_expect_eq (sd_parts (2 * SD_PART), 2);
  cr_expect_eq (sd_parts (UINT64_MAX), 4);
  omp_set_num_threads (1000);
  cr_expect_eq (sd_parts (UINT64_MAX), SD_MAX_PARTS);
}

Test (parts, are_one_where_the_threads_are_busy) {
  unsigned within[2] = { 0 }, thread[2];
  omp_set_num_threads (2);
  omp_set_max_active_levels (1);
#pragma omp parallel for
  for (int k = 0; k < 2; k++)
    within[k] = sd_parts (10 * SD_PART), thread[k] = sd_thread_number ();
  cr_expect_eq (within[0], 1);
  cr_expect_eq (within[1], 1);
  cr_expect_eq (thread[0], 0);
  cr_expect_lt (thread[1], 2);
  cr_expect_eq (sd_thread_number (), 0);
}
#endif
