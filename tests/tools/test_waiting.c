/* How many threads the programs start where others keep cores busy (tools/waiting.c). */
#include "config.h"
#include "tools/tools_internal.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

Test (waiting, busy_cores) {
  cr_expect_eq (sd_tool_busy_cores ("0.00 0.01 0.05 1/345 12345\n"), 0);
  cr_expect_eq (sd_tool_busy_cores ("2.02 1.00 0.50 3/345 12345\n"), 2);
  cr_expect_eq (sd_tool_busy_cores ("1.49 1.00 0.50 9/345 12345\n"), 1,
                "the load of the last minute is rounded");
  cr_expect_eq (sd_tool_busy_cores ("8.00 7.00 6.00 2/345 12345\n"), 1, "most of them have ended");
  cr_expect_eq (sd_tool_busy_cores ("0.30 0.20 0.10 6/345 12345\n"), 0, "a moment's activity");
  cr_expect_eq (sd_tool_busy_cores ("120.4 99.0 80.0 200/3450 99\n"), 120);
}

Test (waiting, busy_cores_of_nonsense) {
  static const char *const texts[] = {
    "", "load", "2.0 2.0 2.0", "2.0 2.0 2.0 x/3 1", "nan 1 1 3/4 5", "-3 1 1 3/4 5", "2.0 2.0 2.0 0/10 7"
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    cr_expect_eq (sd_tool_busy_cores (texts[i]), 0, "'%s'", texts[i]);
}

#ifdef _OPENMP
Test (waiting, a_chosen_number_of_threads_stays) {
  setenv ("OMP_NUM_THREADS", "3", 1);
  omp_set_num_threads (3);
  sd_tool_leave_busy_cores ();
  cr_expect_eq (omp_get_max_threads (), 3);
}

Test (waiting, at_least_one_thread_and_no_more_than_cores) {
  unsetenv ("OMP_NUM_THREADS");
  omp_set_num_threads (omp_get_num_procs ());
  sd_tool_leave_busy_cores ();
  cr_expect_geq (omp_get_max_threads (), 1);
  cr_expect_leq (omp_get_max_threads (), omp_get_num_procs ());
}
#endif
