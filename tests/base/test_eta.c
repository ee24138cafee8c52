/* Shares that never fall, and times that are told only where they can be right, over histories that are made
 * up. */
#include "config.h"
#include "base/eta.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>

/* A history: one step a second; work that is done in it, and what is left as one sees it then. Checks that
 * the share does not fall; returns how many seconds a time was told, and the worst of them by the true one.
 */
typedef struct history {
  sd_eta e;
  double at, done;
  unsigned told;
  double low, high; /* time told by the time that it took */
} history;

static void begin (history *h, double share) {
  *h = (history){ .low = INFINITY };
  sd_eta_begin (&h->e, 0, share);
}

/* ends: the second at which all is done. */
static void step (history *h, double work, double left, double ends) {
  const double before = h->e.share;
  h->at++;
  h->done += work;
  sd_eta_update (&h->e, h->at, h->done, left);
  cr_expect_geq (h->e.share, before, "the share falls at second %g", h->at);
  cr_expect_leq (h->e.share, 1);
  const double told = sd_eta_left (&h->e);
  if (isnan (told) || ends <= h->at)
    return;
  h->told++;
  h->low = fmin (h->low, told / (ends - h->at));
  h->high = fmax (h->high, told / (ends - h->at));
}

Test (eta, even_work_has_exact_shares_and_times) {
  history h;
  begin (&h, 0);
  for (unsigned i = 1; i <= 100; i++) {
    step (&h, 2, 200 - 2 * i, 100);
    cr_expect_float_eq (h.e.share, i / 100., 1e-9);
  }
  cr_expect_geq (h.told, 90);
  cr_expect_float_eq (h.low, 1, 1e-9);
  cr_expect_float_eq (h.high, 1, 1e-9);
}

Test (eta, work_goes_on_where_it_was) {
  history h;
  begin (&h, 0.75);
  for (unsigned i = 1; i <= 10; i++)
    step (&h, 1, 10 - i, 10);
  cr_expect_float_eq (h.e.share, 1, 1e-9);
}

/* 900 cells of one second are thought to be all alike; then a hundred come that take 50 times as long, which
 * is seen when the first of them is over. */
Test (eta, cheap_cells_first_costly_ones_last) {
  history h;
  begin (&h, 0);
  for (unsigned i = 1; i <= 90; i++)
    step (&h, 10, 1000 - 10 * i, 590);
  cr_expect_float_eq (h.e.share, 0.9, 1e-9);
  const unsigned before = h.told;
  for (unsigned i = 1; i <= 500; i++) {
    step (&h, 10, 5000 - 10 * i, 590);
    if (i <= 3)
      cr_expect (isnan (sd_eta_left (&h.e)), "told while the rest has just become another");
  }
  cr_expect_gt (h.told, before, "a time is told again when the rest is known");
  cr_expect_float_eq (h.e.share, 1, 1e-9);
}

/* Weights that are known beforehand: the share is that of the work, not of the cells. */
Test (eta, shares_are_those_of_the_cost) {
  history h;
  begin (&h, 0);
  for (unsigned i = 1; i <= 90; i++) /* 90 of 100 cells */
    step (&h, 1, 1000 + 90 - i, 1090);
  cr_expect_lt (h.e.share, 0.09);
}

Test (eta, other_sweeps_do_some_and_add_some) {
  history h;
  begin (&h, 0);
  for (unsigned i = 1; i <= 20; i++)
    step (&h, 1, 100 - i, 1000);
  step (&h, 1, 39, 1000); /* forty were done elsewhere */
  const double share = h.e.share;
  step (&h, 1, 138, 1000); /* a hundred more came */
  step (&h, 0, 138, 1000);
  cr_expect_geq (h.e.share, share);
  for (unsigned i = 137; i > 0; i--)
    step (&h, 1, i - 1, 1000);
  cr_expect_float_eq (h.e.share, 1, 1e-9);
}

/* The load changes by a factor of four and back: no time is told that is wrong by more than the change that
 * is tolerated, but for the moments in which nobody can know. */
Test (eta, a_load_that_changes_silences_the_time) {
  history h;
  begin (&h, 0);
  double left = 400;
  for (unsigned i = 0; i < 40; i++)
    step (&h, 4, left -= 4, 280);
  cr_expect_not (isnan (sd_eta_left (&h.e)));
  unsigned silent = 0;
  for (unsigned i = 0; i < 240; i++) {
    step (&h, 1, left -= 1, 280);
    silent += isnan (sd_eta_left (&h.e));
  }
  cr_expect_gt (silent, 20, "%u", silent);
  cr_expect_float_eq (h.e.share, 1, 1e-9);
}

Test (eta, nothing_is_told_of_what_was_hardly_seen) {
  history h;
  begin (&h, 0);
  step (&h, 1, 9, 10);
  cr_expect (isnan (sd_eta_left (&h.e)), "after a second");
  begin (&h, 0);
  for (unsigned i = 1; i < 100; i++)
    step (&h, 1, 1e6, 1e6);
  cr_expect (isnan (sd_eta_left (&h.e)), "of a thousandth");
  begin (&h, 0);
  for (unsigned i = 1; i < 100; i++)
    step (&h, 0, 10, 1e6);
  cr_expect (isnan (sd_eta_left (&h.e)), "while nothing moves");
}

/* Work that begins anew under the same name: the bar waits, and arrives. */
Test (eta, work_that_begins_anew_does_not_fall) {
  history h;
  begin (&h, 0);
  for (unsigned i = 1; i <= 5; i++)
    step (&h, 1, 10 - i, 15);
  h.done = 0;
  step (&h, 0, 10, 15);
  for (unsigned i = 1; i <= 10; i++)
    step (&h, 1, 10 - i, 15);
  cr_expect_float_eq (h.e.share, 1, 1e-9);
}
