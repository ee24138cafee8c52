/* The share grows by the part of what was left that has been done since, ds = (1 - s) dw / (dw + left): so it
 * is exact while `left` is, never falls when `left` turns out larger, and is 1 when nothing is left.
 *
 * A time is what is left at the pace up to now. Where the pace of late, or what the whole seemed to be then,
 * differs from it by more than a factor of 1.5, the time would be wrong by as much, and is not told. */
#include "config.h"
#include "base/eta.h"
#include <math.h>
#include <stdbool.h>

#define LEAST_S 3.      /* nobody knows before */
#define LEAST_PART 0.02 /* of the work that there was */
#define MOST_CHANGE 1.5
#define BETWEEN_S 3. /* marks are so far from each other, and a quarter of the whole time */

void sd_eta_begin (sd_eta *e, double now, double share) {
  *e = (sd_eta){ .share = share > 0 ? share < 1 ? share : 1 : 0, .now = now, .began = { .at = now } };
  e->mark[0] = e->mark[1] = e->began;
}

/* Two marks, so that the older one is never too fresh. */
static void set_marks (sd_eta *e) {
  const double between = (e->now - e->began.at) / 4;
  if (e->now - e->mark[1].at < (between > BETWEEN_S ? between : BETWEEN_S))
    return;
  e->mark[0] = e->mark[1];
  e->mark[1] = (struct sd_eta_mark){ e->now, e->done, e->done + e->left };
}

void sd_eta_update (sd_eta *e, double now, double done, double left) {
  const double step = done - e->done;
  left = left > 0 ? left : 0;
  if (step > 0)
    e->share += (1 - e->share) * step / (step + left);
  e->done = done;
  e->left = left;
  e->now = now;
  set_marks (e);
}

static bool differ (double a, double b) {
  return !(a > 0 && b > 0) || a > MOST_CHANGE * b || b > MOST_CHANGE * a;
}

double sd_eta_left (const sd_eta *e) {
  const struct sd_eta_mark *m = &e->mark[0];
  const double time = e->now - e->began.at, all = e->done + e->left, pace = e->done / time,
               late = (e->done - m->done) / (e->now - m->at);
  if (!(time >= LEAST_S) || !(e->done >= LEAST_PART * all) || differ (pace, late))
    return NAN;
  if (m->all > 0 && differ (m->all, all))
    return NAN;
  return e->left / (pace < late ? pace : late);
}
