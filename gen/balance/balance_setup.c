/* Load balancing: options, Makhnychev 2012's formulas (Sec. 3.6: Z, D_h, H), and the tree of groups in which
 * a rank has its places. Member i of a group of level h is the rank i G^h behind its manager, so that nobody
 * needs a list. Cost: one allocation. */
#include "config.h"
#include "gen/balance/balance_internal.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_GROUP = 4096 };

/* ---------------------------------------------------------------- formulas */

/* 0 stands for the standard, as in all options. */
static int seconds (double v, double standard, const char *name, double *out, sd_error *err) {
  if (!(v >= 0) || !isfinite (v))
    return sd_fail (err, SD_EINVAL, "balancing: %s must be a number of seconds above 0, not %g", name, v);
  *out = v > 0 ? v : standard;
  return SD_OK;
}

int sd_balance_defaults (const sd_balance_options *o, sd_balance_options *out, sd_error *err) {
  sd_balance_options r = *o;
  if (r.group == 1 || r.group > MAX_GROUP)
    return sd_fail (err, SD_EINVAL, "balancing: a group has 2 to %d ranks, not %u", MAX_GROUP, r.group);
  /* 0 is the default of each option. */
  r.group = r.group ? r.group : 32;
  if (!(r.share >= 0 && r.share < 1))
    return sd_fail (err, SD_EINVAL, "balancing: a rank gives a share of the difference below 1, not %g",
                    r.share);
  r.share = r.share > 0 ? r.share : 0.5;
  SD_TRY (seconds (r.interval, 1, "the interval of reports", &r.interval, err));
  SD_TRY (seconds (r.receive, 100e-6, "the cost of receiving tasks", &r.receive, err));
  SD_TRY (seconds (r.give, 100e-6, "the cost of giving tasks", &r.give, err));
  SD_TRY (seconds (r.latency, 10e-6, "the latency", &r.latency, err));
  SD_TRY (seconds (r.task, 1e-6, "the time of a task", &r.task, err));
  *out = r;
  return SD_OK;
}

double sd_balance_ahead (const sd_balance_options *o) {
  return (o->receive + o->give) / o->task;
}

double sd_balance_threshold (const sd_balance_options *o, unsigned h) {
  return (o->receive + o->give + o->interval + (h + 2) * o->latency) / o->task;
}

/* The least h with group^h at least size: levels of groups until one holds all ranks. */
unsigned sd_balance_height (unsigned group, int size) {
  unsigned h = 0;
  for (uint64_t reach = 1; reach < (uint64_t) size; reach *= group)
    h++;
  return h;
}

/* Everything that is counted in tasks follows from their time. */
void sd_balance_task_time (sd_balance *b, double task) {
  b->opt.task = task;
  b->ahead = fmax (sd_balance_ahead (&b->opt), 1);
  b->pays = sd_balance_ahead (&b->opt);
  for (unsigned h = 0; h <= b->height; h++) /* of a single task nothing can be given */
    b->threshold[h] = fmax (sd_balance_threshold (&b->opt, h), 2);
}

/* ----------------------------------------------------------------- the tree */

bool sd_balance_place (sd_balance_level *l, unsigned h, unsigned group, int rank, int size) {
  uint64_t step = 1;
  for (unsigned i = 0; i < h; i++)
    step *= group;
  if ((uint64_t) rank % step)
    return false;
  /* The manager is the first of its group, whose last members may be missing. */
  const uint64_t first = (uint64_t) rank - (uint64_t) rank % (step * group);
  const uint64_t count = ((uint64_t) size - first + step - 1) / step;
  l->manager = (int) first;
  l->manages = l->manager == rank;
  l->members = (unsigned) (count < group ? count : group);
  l->me = (unsigned) (((uint64_t) rank - first) / step);
  return true;
}

int sd_balance_member (const sd_balance *b, int manager, unsigned h, unsigned i) {
  uint64_t step = 1;
  while (h--)
    step *= b->opt.group;
  return (int) ((uint64_t) manager + i * step);
}

/* ---------------------------------------------------------- making, freeing */

/* Bytes behind the levels; with `at` they are dealt out. Floats and ints first, then bools. */
static size_t arrays (sd_balance *b, char *at) {
  const size_t group = b->opt.group;
  size_t used = 0;

  for (unsigned h = 0; h < b->nlevels; h++) {
    sd_balance_level *l = &b->level[h];
    l->load = at ? (float *) (at + used) : NULL;
    used += l->members * sizeof (float);
    for (unsigned j = 0; j < SD_BALANCE_JOINED; j++) {
      l->joined[j].load = at ? (float *) (at + used) : NULL;
      used += group * sizeof (float);
    }
    l->joiner = at ? (int *) (at + used) : NULL;
    used += l->manages ? group * sizeof (int) : 0;
  }
  for (unsigned h = 0; h < b->nlevels; h++) {
    b->level[h].busy = at ? (bool *) (at + used) : NULL;
    used += b->level[h].manages ? b->level[h].members : 0;
  }
  return used;
}

int sd_balance_new (const sd_balance_options *o, int rank, int size, const sd_balance_port *port,
                    sd_balance **out, sd_error *err) {
  sd_balance_options opt;
  *out = NULL;
  SD_TRY (sd_balance_defaults (o, &opt, err));
  if (size < 1 || rank < 0 || rank >= size)
    return sd_fail (err, SD_EINVAL, "balancing: there is no rank %d of %d", rank, size);

  const unsigned height = sd_balance_height (opt.group, size);
  unsigned nlevels = 0;
  sd_balance_level scratch;
  while (nlevels < height && sd_balance_place (&scratch, nlevels, opt.group, rank, size))
    nlevels++;
  /* an upper bound of what `arrays` deals out */
  size_t bytes =
      sizeof (sd_balance)
      + nlevels * (sizeof (sd_balance_level) + opt.group * (2 + SD_BALANCE_JOINED) * 4 + opt.group);
  sd_balance *b = sd_alloc0 (bytes, 1);
  if (!b)
    return sd_fail_memory (err, bytes);

  b->opt = opt;
  b->port = *port;
  b->rank = rank;
  b->size = size;
  b->height = height;
  b->nlevels = nlevels;
  b->bytes = bytes;
  for (unsigned h = 0; h < nlevels; h++)
    sd_balance_place (&b->level[h], h, opt.group, rank, size);
  arrays (b, (char *) &b->level[nlevels]);
  sd_balance_task_time (b, opt.task);
  /* Until an iteration begins. */
  b->stopped = true;
  b->donor = -1;
  *out = b;
  return SD_OK;
}

void sd_balance_free (sd_balance *b) {
  free (b);
}

size_t sd_balance_bytes (const sd_balance *b) {
  return b->bytes;
}
