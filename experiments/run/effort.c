/* How long encoding and decoding take. What counts is CPU time, so that other programs, and the other workers
 * of a sweep, cost a cell nothing but what they take of caches and clock. It is that of the worker's thread:
 * workers tell OpenMP to start no threads (sweep_work.c), so that all of a cell's work is done by this one;
 * what judging slots takes, which all cores share, belongs to prepare_s.
 *
 * One reading of a short time means little. Such work is done again until `enough` seconds of it are seen,
 * three times at least; what takes longer is done once, and has no bounds.
 *
 * A caller goes: while (sd_efforts_more (&e)) { sd_efforts_go; the work; sd_efforts_pause;
 * sd_efforts_count }. Between go and pause time counts; what is done outside (comparing, allocating) does
 * not. go and pause may stand around parts of one repetition, as decoding in pieces needs it. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <math.h>
#include <string.h>
#include <time.h>

#define LEAST 3 /* repetitions of what is short: fewer have no median with bounds */

int64_t sd_thread_ns (void) {
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

void sd_efforts_go (sd_efforts *e) {
  e->wall_at = sd_now ();
  e->cpu_at = sd_thread_ns ();
}

void sd_efforts_pause (sd_efforts *e) {
  e->now += 1e-9 * (double) (sd_thread_ns () - e->cpu_at);
  e->wall += sd_now () - e->wall_at;
}

/* What was timed since the last count is one time. More than SD_MOST_EFFORTS are not kept. */
void sd_efforts_count (sd_efforts *e) {
  if (e->n == SD_MOST_EFFORTS)
    return;
  if (e->n == 0)
    e->first = e->wall;
  e->cpu[e->n++] = e->now;
  e->sum += e->now;
  e->now = 0;
}

/* Once in any case; then only if the first was short. */
bool sd_efforts_more (const sd_efforts *e) {
  return e->n < SD_MOST_EFFORTS
         && (e->n == 0 || (e->cpu[0] < e->enough && (e->n < LEAST || e->sum < e->enough)));
}

/* The times themselves stay in their order; quantiles sort a copy. */
void sd_efforts_note (const sd_efforts *e, uint64_t seed, sd_spread_to to) {
  double v[SD_MOST_EFFORTS], bound[2] = { NAN, NAN };
  memcpy (v, e->cpu, sizeof v);
  *to.median = sd_stats_quantile (v, e->n, 0.5);
  if (e->n >= LEAST)
    sd_stats_median_bounds (v, &e->n, 1, seed, bound);
  *to.low = bound[0];
  *to.high = bound[1];
  *to.samples = e->n;
}
