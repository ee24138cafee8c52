/* What is left of a set: by estimates, by what other jobs took, of a child that is late, of what other tasks
 * make, of what cannot be made. */
#include "config.h"
#include "tools/set/set.h"
#include <criterion/criterion.h>

enum { EXACT, SMALL, MIDDLE, LARGE, JOBS };

/* An exact table of 10 s, and files of 30, 60 and 120 s that are made of it; nothing is there. */
static sd_set_job job[JOBS];
static sd_set_child child[2];
static double child_s[2];
static sd_set set;

static void begin (void) {
  static unsigned from[] = { EXACT };
  static const double seconds[JOBS] = { 10, 30, 60, 120 };
  for (unsigned i = 0; i < JOBS; i++)
    job[i] = (sd_set_job){ .exact = i == EXACT,
                           .metric = i == EXACT ? SD_DTM : SD_WDL,
                           .guess_s = seconds[i],
                           .cpu_s = seconds[i],
                           .needed = i == EXACT,
                           .counts = true,
                           .from = i == EXACT ? NULL : from,
                           .nfrom = i != EXACT };
  memset (child, 0, sizeof child);
  memset (child_s, 0, sizeof child_s);
  set = (sd_set){ .job = job, .n = JOBS, .child = child, .nchildren = 2 };
}

TestSuite (left, .init = begin);

static void runs (unsigned c, unsigned i, double seconds) {
  child[c] = (sd_set_child){ .pid = 1, .job = i };
  child_s[c] = seconds;
  job[i].at = SD_SET_RUNS;
}

static void ends (unsigned c, double seconds) {
  job[child[c].job].at = SD_SET_THERE;
  job[child[c].job].took_s = seconds;
  child[c].pid = 0;
}

static void expect (double done, double left, bool known, const sd_set_child *late) {
  sd_set_reckoning r;
  sd_set_learn (&set);
  sd_set_reckon (&set, child_s, &r);
  cr_expect_float_eq (r.done, done, 1e-9, "done: %f, not %f", r.done, done);
  cr_expect_float_eq (r.left, left, 1e-9, "left: %f, not %f", r.left, left);
  cr_expect (r.known == known && r.late == late);
}

Test (left, jobs_count_from_their_begin_to_their_end) {
  expect (0, 220, true, NULL);
  runs (0, EXACT, 4);
  expect (4, 216, true, NULL);
  ends (0, 12);
  expect (12, 210, true, NULL);
  runs (0, SMALL, 20);
  runs (1, MIDDLE, 10);
  expect (42, 180, true, NULL);
}

Test (left, what_was_there_does_not_count) {
  job[EXACT].at = SD_SET_THERE;
  job[EXACT].counts = false;
  job[EXACT].took_s = 10;
  expect (0, 210, true, NULL);
  job[EXACT].needed = false;
  job[EXACT].at = SD_SET_OPEN; /* removed */
  expect (0, 210, true, NULL);
}

/* Files take three times the estimate: those that are left will, too. It is learnt of twenty seconds on, and
 * once. */
Test (left, estimates_follow_what_files_of_the_metric_took) {
  runs (0, SMALL, 0);
  ends (0, 90);
  for (unsigned again = 0; again < 3; again++)
    expect (90, 10 + 3 * 180, true, NULL);
  begin ();
  job[SMALL].guess_s = 6;
  runs (0, SMALL, 0);
  ends (0, 18);
  expect (18, 10 + 180, true, NULL);
  job[SMALL].took_s = 21;
  expect (21, 10 + 3.5 * 180, true, NULL);
}

Test (left, a_file_of_another_task_counts_when_it_is_there) {
  job[SMALL].at = SD_SET_THERE; /* it took what nobody knows */
  expect (30, 190, true, NULL);
}

Test (left, a_late_job_has_a_part_left_and_nobody_knows_it) {
  for (unsigned i = 0; i < LARGE; i++)
    job[i].counts = false;
  runs (1, LARGE, 100);
  expect (100, 20, true, NULL);
  child_s[1] = 114;
  expect (114, 114 / 9., true, NULL);
  child_s[1] = 180;
  expect (180, 20, false, &child[1]);
  job[SMALL].counts = true;
  expect (180, 50, true, &child[1]);
}

Test (left, what_reads_a_table_that_failed_is_not_left) {
  job[EXACT].at = SD_SET_FAILED;
  job[EXACT].took_s = 5;
  job[MIDDLE].lost = job[LARGE].lost = true;
  expect (5, 30, true, NULL);
}
