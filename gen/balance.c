/* Load balancing (S2 Sec. 3.6).
 *
 * The ranks form groups of G, the first of each group manages it, the managers form groups of G, and so on: a
 * tree in which rank r is a member on level h if G^h divides r, and manages if G^(h+1) does. Members report
 * loads upwards, managers tell all members, and a rank that runs out of tasks asks the most loaded rank that
 * it knows for half of the difference. Where a group has nothing left its manager joins another: from then on
 * it is sent that group's loads, and passes them on. The same on every level, with groups in place of ranks
 * and "join" in place of "give me tasks". Per rank and iteration: O(iteration / q) messages and those that
 * requests cost; memory G floats a level, three times.
 *
 * Ours, where S2 is silent or where it would not end well:
 *  - a load is also reported at once, not only every q seconds: at the start, and when it crosses D_0 either
 *    way. Loads that have not changed are not reported again, so that a rank with nothing to do costs
 *    nothing. Iterations much shorter than q thus balance and end without waiting for the clock;
 *  - the mean of a group does not show that a single rank of it is still loaded. Reports of managers carry a
 *    bit for that ("busy": a rank with D_0 tasks or more), and the root stops balancing when the bit is gone
 *    everywhere. S2 stops when all means are below D_h, which is never later;
 *  - "no tasks" is said once an iteration, by somebody who wants some; a manager takes a member that reports
 *    less than Z for one who says it. What follows from it is done whenever the loads change;
 *  - among ranks whose loads differ by less than a quarter of the way from the asker's to the largest, which
 *    one is asked is left to chance (a fixed one): otherwise all idle ranks of a group ask the same one.
 *    Option `top` is S2's rule;
 *  - the giver decides: half of the difference if that is worth the transfer, else nothing; its answer
 * carries its load, so that a refusal corrects what the asker knew;
 *  - a joined group counts as one level higher (D_(h+1)): its loads come over one rank more;
 *  - a manager whose group is below the threshold tells those that joined it once more, and then no longer.
 *
 * Why it ends: a rank that reported D_0 or more reports again when it falls below. All loads do so in the
 * end, as tasks get fewer and a transfer makes none. So the busy bits go, from the leaves up, and the root
 * sends "stop". After that nobody asks, and whoever still waits for an answer gets one: a rank answers
 * requests as long as it takes messages, and takes them until all others have ended the iteration. */
#include "config.h"
#include "gen/balance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  JOINED = 2, /* joined groups a level whose loads are kept; one is in use at a time, one may be on its way */
  MAX_LEVELS = 32, /* 2^32 > any int */
  MAX_GROUP = 4096
};
static const float UNKNOWN = -1;

typedef struct joined {
  int manager; /* -1: no group here */
  unsigned n;
  float *load;
} joined;

/* What a rank knows as a member of its group on one level. Its manager keeps its books in here, too. */
typedef struct level {
  int manager;
  unsigned members, me; /* of the group; which of them this rank is */
  float *load;          /* [0..members-1], UNKNOWN until told */
  joined joined[JOINED];
  bool asked; /* has said "no tasks" to the manager */
  float told; /* last report to the manager, UNKNOWN before the first */
  bool told_busy;
  double told_at;

  bool manages; /* the rest is the manager's only */
  unsigned known;
  bool *busy;                /* [0..members-1]: some rank below that member has D_0 tasks */
  bool wants;                /* somebody in the group wants tasks and knows nobody */
  bool spread, changed, had; /* LOADS were sent; not these; something in them was above the threshold */
  double spread_at;
  int joining; /* the manager that was asked for its loads and has not answered; -1: none */
  int *joiner; /* [0..members-1]: managers that asked this one */
  unsigned njoiners;
} level;

struct sd_balance {
  sd_balance_options opt;
  sd_balance_port port;
  sd_balance_counts counts;
  int rank, size;
  unsigned height, nlevels;                      /* of the tree; on how many of them this rank is a member */
  double ahead, pays, threshold[MAX_LEVELS + 1]; /* Z, (tau_r + tau_s) / t, D_h */
  double now;
  uint64_t open, random;
  int donor; /* asked and has not answered; -1: none */
  bool stopped;
  size_t bytes;
  level level[];
};

/* ---------------------------------------------------------------- formulas */

static int option (double v, double standard, const char *name, double *out, sd_error *err) {
  if (!(v >= 0) || !isfinite (v))
    return sd_fail (err, SD_EINVAL, "balancing: %s must be a number of seconds above 0, not %g", name, v);
  *out = v > 0 ? v : standard;
  return SD_OK;
}

int sd_balance_defaults (const sd_balance_options *o, sd_balance_options *out, sd_error *err) {
  sd_balance_options r = *o;
  if (r.group == 1 || r.group > MAX_GROUP)
    return sd_fail (err, SD_EINVAL, "balancing: a group has 2 to %d ranks, not %u", MAX_GROUP, r.group);
  r.group = r.group ? r.group : 32;
  SD_TRY (option (r.interval, 1, "the interval of reports", &r.interval, err));
  SD_TRY (option (r.receive, 100e-6, "the cost of receiving tasks", &r.receive, err));
  SD_TRY (option (r.give, 100e-6, "the cost of giving tasks", &r.give, err));
  SD_TRY (option (r.latency, 10e-6, "the latency", &r.latency, err));
  SD_TRY (option (r.task, 1e-6, "the time of a task", &r.task, err));
  *out = r;
  return SD_OK;
}

double sd_balance_ahead (const sd_balance_options *o) {
  return (o->receive + o->give) / o->task;
}

double sd_balance_threshold (const sd_balance_options *o, unsigned h) {
  return (o->receive + o->give + o->interval + (h + 2) * o->latency) / o->task;
}

unsigned sd_balance_height (unsigned group, int size) {
  unsigned h = 0;
  for (uint64_t reach = 1; reach < (uint64_t) size; reach *= group)
    h++;
  return h;
}

void sd_balance_task_time (sd_balance *b, double task) {
  b->opt.task = task;
  b->ahead = fmax (sd_balance_ahead (&b->opt), 1);
  b->pays = sd_balance_ahead (&b->opt);
  for (unsigned h = 0; h <= b->height; h++) /* of a single task nothing can be given */
    b->threshold[h] = fmax (sd_balance_threshold (&b->opt, h), 2);
}

/* ---------------------------------------------------------- making, freeing */

/* The group of `rank` on level h; false: it is no member there. */
static bool place_on (level *l, unsigned h, unsigned group, int rank, int size) {
  uint64_t step = 1;
  for (unsigned i = 0; i < h; i++)
    step *= group;
  if ((uint64_t) rank % step)
    return false;
  const uint64_t first = (uint64_t) rank - (uint64_t) rank % (step * group);
  const uint64_t count = ((uint64_t) size - first + step - 1) / step;
  l->manager = (int) first;
  l->manages = l->manager == rank;
  l->members = (unsigned) (count < group ? count : group);
  l->me = (unsigned) (((uint64_t) rank - first) / step);
  return true;
}

/* Bytes behind the levels; with `at` they are dealt out. Floats and ints first, then bools. */
static size_t arrays (sd_balance *b, char *at) {
  const size_t group = b->opt.group;
  size_t used = 0;
  for (unsigned h = 0; h < b->nlevels; h++) {
    level *l = &b->level[h];
    l->load = at ? (float *) (at + used) : NULL;
    used += l->members * sizeof (float);
    for (unsigned j = 0; j < JOINED; j++) {
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
  level scratch;
  while (nlevels < height && place_on (&scratch, nlevels, opt.group, rank, size))
    nlevels++;
  /* an upper bound of what `arrays` deals out */
  size_t bytes = sizeof (sd_balance) + nlevels * (sizeof (level) + opt.group * (2 + JOINED) * 4 + opt.group);
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
    place_on (&b->level[h], h, opt.group, rank, size);
  arrays (b, (char *) &b->level[nlevels]);
  sd_balance_task_time (b, opt.task);
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

/* ----------------------------------------------------------------- sending */

static void send (sd_balance *b, int to, sd_balance_message *m) {
  b->counts.sent[m->type]++;
  b->port.send (b->port.ctx, to, m);
}

/* The rank that is member i of the group of `manager` on level h. */
static int member (const sd_balance *b, int manager, unsigned h, unsigned i) {
  uint64_t step = 1;
  while (h--)
    step *= b->opt.group;
  return (int) ((uint64_t) manager + i * step);
}

static void say_no_tasks (sd_balance *b, unsigned h) {
  level *l = &b->level[h];
  if (l->asked)
    return;
  l->asked = true;
  if (l->manages) {
    l->wants = true;
    return;
  }
  sd_balance_message m = { .type = SD_BALANCE_NO_TASKS, .level = h };
  send (b, l->manager, &m);
}

/* The loads of the group that this rank manages on level h, to one rank. */
static void send_loads (sd_balance *b, unsigned h, int to) {
  const level *l = &b->level[h];
  sd_balance_message m = {
    .type = SD_BALANCE_LOADS, .level = h, .manager = b->rank, .n = l->members, .loads = l->load
  };
  send (b, to, &m);
}

static void stop (sd_balance *b) {
  b->stopped = true;
  for (unsigned h = b->nlevels; h-- > 0;)
    for (unsigned i = 1; b->level[h].manages && i < b->level[h].members; i++) {
      sd_balance_message m = { .type = SD_BALANCE_STOP, .level = h };
      send (b, member (b, b->rank, h, i), &m);
    }
}

/* ---------------------------------------------------------- what is known */

static bool any_above (const float *load, unsigned n, double limit) {
  for (unsigned i = 0; i < n; i++)
    if (load[i] >= limit)
      return true;
  return false;
}

static double mean (const float *load, unsigned n) {
  double sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += load[i];
  return sum / n;
}

/* Has nobody in the group, or in a group that it has joined, tasks to give? */
static bool exhausted (const sd_balance *b, unsigned h) {
  const level *l = &b->level[h];
  if (any_above (l->load, l->members, b->threshold[h]))
    return false;
  for (unsigned j = 0; j < JOINED; j++)
    if (l->joined[j].manager >= 0 && any_above (l->joined[j].load, l->joined[j].n, b->threshold[h + 1]))
      return false;
  return true;
}

/* Is `manager` the head of a group whose loads this rank gets on level h? */
static bool has_joined (const sd_balance *b, unsigned h, int manager) {
  const level *l = &b->level[h];
  for (unsigned j = 0; j < JOINED; j++)
    if (l->joined[j].manager == manager && any_above (l->joined[j].load, l->joined[j].n, b->threshold[h + 1]))
      return true;
  return false;
}

/* One pass over all whom this rank knows on level h. With `enough` < 0: the largest load in *most. Else: the
 * k-th of those with at least `enough`, and in *most how many there are. */
static int pick (const sd_balance *b, unsigned h, double own, float enough, uint64_t k, float *most) {
  const level *l = &b->level[h];
  int found = -1;
  uint64_t seen = 0;
  *most = -1;
  for (unsigned g = 0; g <= JOINED; g++) {
    const joined *j = g ? &l->joined[g - 1] : NULL;
    if (j && j->manager < 0)
      continue;
    const float *load = j ? j->load : l->load;
    const unsigned n = j ? j->n : l->members;
    const double limit = fmax (b->threshold[h + (j != NULL)], own + b->pays);
    for (unsigned i = 0; i < n; i++) {
      if (!(load[i] >= limit))
        continue;
      int who = member (b, j ? j->manager : l->manager, h, i);
      if (who == b->rank || (h > 0 && has_joined (b, h - 1, who)))
        continue;
      if (enough < 0) {
        if (load[i] > *most) {
          *most = load[i];
          found = who;
        }
      } else if (load[i] >= enough && seen++ == k)
        found = who;
    }
  }
  if (enough >= 0)
    *most = (float) seen;
  return found;
}

/* Whom to ask on level h; -1: nobody has enough. */
static int candidate (sd_balance *b, unsigned h, double own) {
  float most, count;
  int top = pick (b, h, own, -1, 0, &most);
  if (top < 0 || b->opt.top)
    return top;
  float enough = (float) (most - (most - own) / 4);
  pick (b, h, own, enough, UINT64_MAX, &count);
  return count < 2 ? top : pick (b, h, own, enough, sd_random (&b->random) % (uint64_t) count, &count);
}

/* Correct the load of one rank wherever it is known on level h. */
static void correct (sd_balance *b, unsigned h, int who, float load) {
  level *l = &b->level[h];
  for (unsigned g = 0; g <= JOINED; g++) {
    joined *j = g ? &l->joined[g - 1] : NULL;
    if (j && j->manager < 0)
      continue;
    const unsigned n = j ? j->n : l->members;
    for (unsigned i = 0; i < n; i++)
      if (member (b, j ? j->manager : l->manager, h, i) == who) {
        (j ? j->load : l->load)[i] = load;
        l->changed = true;
      }
  }
}

/* A member's report, at its manager. */
static void note (sd_balance *b, unsigned h, unsigned i, float load, bool busy) {
  level *l = &b->level[h];
  if (l->load[i] == load && l->busy[i] == busy)
    return;
  l->known += l->load[i] < 0;
  l->load[i] = load;
  l->busy[i] = busy;
  l->changed = true;
}

/* --------------------------------------------------------------- deciding */

/* Tell the manager of level h; directly if that is this rank. */
static void report (sd_balance *b, unsigned h, float load, bool busy) {
  level *l = &b->level[h];
  if (l->manages) {
    note (b, h, l->me, load, busy);
    return;
  }
  const double limit = b->threshold[h];
  bool at_once = l->told < 0 || l->told_busy != busy || (l->told >= limit) != (load >= limit);
  if (!at_once && (load == l->told || b->now < l->told_at + b->opt.interval))
    return;
  l->told = load;
  l->told_busy = busy;
  l->told_at = b->now;
  sd_balance_message m = { .type = SD_BALANCE_LOAD, .level = h, .load = load, .busy = busy };
  send (b, l->manager, &m);
}

/* As a rank: ask for tasks if there will be none soon. */
static void want_tasks (sd_balance *b) {
  if (b->stopped || b->donor >= 0 || (double) b->open >= b->ahead)
    return;
  int who = candidate (b, 0, (double) b->open);
  if (who >= 0) {
    b->donor = who;
    sd_balance_message m = { .type = SD_BALANCE_REQUEST, .load = (float) b->open };
    send (b, who, &m);
  } else if (b->level[0].manages || !(b->level[0].told < b->ahead)) /* the manager has seen it itself */
    say_no_tasks (b, 0);
}

/* As the manager of a group of level h that wants tasks: look for them in others. */
static void want_groups (sd_balance *b, unsigned h) {
  level *l = &b->level[h];
  if (h == 0 && !l->wants)
    for (unsigned i = 0; i < l->members; i++)
      l->wants |= l->load[i] < b->ahead;
  if (!l->wants || l->joining >= 0 || h + 1 >= b->height || !exhausted (b, h))
    return;
  int who = candidate (b, h + 1, 0);
  if (who >= 0) {
    l->joining = who;
    sd_balance_message m = { .type = SD_BALANCE_JOIN, .level = h };
    send (b, who, &m);
  } else
    say_no_tasks (b, h + 1);
}

/* As the manager of level h: tell the members, in the rhythm of q, and those that joined. A group that never
 * had something to tell about keeps silent; the end of it is told at once to those that joined. */
static void spread (sd_balance *b, unsigned h) {
  level *l = &b->level[h];
  const bool has = any_above (l->load, l->members, b->threshold[h]);
  const bool due = !l->spread || b->now >= l->spread_at + b->opt.interval;
  if (l->changed && due && (has || l->had)) {
    for (unsigned i = 1; i < l->members; i++)
      send_loads (b, h, member (b, b->rank, h, i));
    for (unsigned i = 0; i < l->njoiners; i++)
      send_loads (b, h, l->joiner[i]);
    l->spread = true;
    l->changed = false;
    l->had = has;
    l->spread_at = b->now;
  } else if (!has)
    for (unsigned i = 0; i < l->njoiners; i++)
      send_loads (b, h, l->joiner[i]);
  if (!has)
    l->njoiners = 0;
}

/* All that follows from what is known now. */
static void settle (sd_balance *b) {
  if (b->stopped)
    return;
  if (b->height == 0) {
    b->stopped = true;
    return;
  }
  report (b, 0, (float) b->open, (double) b->open >= b->threshold[0]);
  want_tasks (b);
  for (unsigned h = 0; h < b->nlevels && b->level[h].manages; h++) {
    level *l = &b->level[h];
    if (l->known < l->members)
      return;
    const bool busy = memchr (l->busy, true, l->members) != NULL;
    if (h + 1 < b->height)
      report (b, h + 1, (float) mean (l->load, l->members), busy);
    else if (!busy) {
      stop (b);
      return;
    }
    want_groups (b, h);
    spread (b, h);
  }
}

/* ----------------------------------------------------------------- events */

void sd_balance_begin (sd_balance *b, double now, uint64_t open) {
  b->stopped = false;
  b->donor = -1;
  b->now = now;
  b->open = open;
  b->random = (uint64_t) b->rank;
  for (unsigned h = 0; h < b->nlevels; h++) {
    level *l = &b->level[h];
    for (unsigned i = 0; i < l->members; i++)
      l->load[i] = UNKNOWN;
    for (unsigned j = 0; j < JOINED; j++)
      l->joined[j].manager = -1;
    l->told = UNKNOWN;
    l->asked = l->told_busy = l->wants = l->spread = l->changed = l->had = false;
    l->known = l->njoiners = 0;
    l->joining = -1;
    if (l->manages)
      memset (l->busy, 0, l->members);
  }
  settle (b);
}

void sd_balance_step (sd_balance *b, double now, uint64_t open) {
  b->now = now;
  b->open = open;
  settle (b);
}

static void answer (sd_balance *b, int thief, float has) {
  double gap = (double) b->open - has;
  uint64_t half = !b->stopped && gap >= 2 && gap > b->pays ? (uint64_t) (gap / 2) : 0;
  half = half > b->open ? b->open : half;
  sd_balance_message m = { .type = SD_BALANCE_GIVE, .tasks = half, .load = (float) (b->open - half) };
  send (b, thief, &m);
  half = m.tasks < half ? m.tasks : half;
  b->open -= half;
  b->counts.transfers += half > 0;
  b->counts.moved += half;
}

/* A group of the same level that this rank's manager, or this rank itself, has joined. */
static void take_joined (sd_balance *b, const sd_balance_message *m) {
  level *l = &b->level[m->level];
  joined *to = NULL;
  float least = INFINITY;
  for (unsigned j = 0; j < JOINED && !(to && to->manager == m->manager); j++) {
    joined *s = &l->joined[j];
    float most = -1;
    for (unsigned i = 0; s->manager >= 0 && i < s->n; i++)
      most = fmaxf (most, s->load[i]);
    if (most < least || s->manager == m->manager) {
      least = most;
      to = s;
    }
  }
  to->manager = m->manager;
  to->n = m->n;
  memcpy (to->load, m->loads, m->n * sizeof *m->loads);
  if (!l->manages)
    return;
  if (l->joining == m->manager)
    l->joining = -1;
  if (m->level + 1 < b->nlevels) /* fresher than what the managers of both know */
    correct (b, m->level + 1, m->manager, (float) mean (m->loads, m->n));
  for (unsigned i = 1; i < l->members; i++) {
    sd_balance_message copy = *m;
    send (b, member (b, b->rank, m->level, i), &copy);
  }
}

static void take_loads (sd_balance *b, const sd_balance_message *m) {
  level *l = &b->level[m->level];
  if (m->manager != l->manager) {
    take_joined (b, m);
    return;
  }
  memcpy (l->load, m->loads, m->n * sizeof *m->loads);
}

static void take_join (sd_balance *b, unsigned h, int from) {
  level *l = &b->level[h];
  bool there = false;
  for (unsigned i = 0; i < l->njoiners; i++)
    there |= l->joiner[i] == from;
  send_loads (b, h, from);
  if (!there && l->njoiners < b->opt.group && any_above (l->load, l->members, b->threshold[h]))
    l->joiner[l->njoiners++] = from;
}

/* Could a balancer with the same options have sent this here? */
static bool plausible (const sd_balance *b, int from, const sd_balance_message *m) {
  if (from < 0 || from >= b->size || from == b->rank || m->level >= b->nlevels || !(m->load >= 0))
    return false;
  const level *l = &b->level[m->level];
  level of;
  switch (m->type) {
  case SD_BALANCE_LOAD:
  case SD_BALANCE_NO_TASKS:
    return l->manages && place_on (&of, m->level, b->opt.group, from, b->size) && of.manager == b->rank;
  case SD_BALANCE_LOADS:
    if (m->manager < 0 || m->manager >= b->size
        || !place_on (&of, m->level, b->opt.group, m->manager, b->size) || !of.manages || of.members != m->n)
      return false;
    return m->manager == l->manager ? from == l->manager && !l->manages
                                    : (l->manages ? from == m->manager : from == l->manager);
  case SD_BALANCE_JOIN:
    return l->manages && m->level + 1 < b->height && place_on (&of, m->level, b->opt.group, from, b->size)
           && of.manages;
  case SD_BALANCE_REQUEST:
    return m->level == 0;
  case SD_BALANCE_GIVE:
    return b->donor == from;
  case SD_BALANCE_STOP:
    return l->manager == from;
  }
  return false;
}

int sd_balance_receive (sd_balance *b, double now, uint64_t open, int from, const sd_balance_message *m) {
  if (!plausible (b, from, m))
    return SD_EFORMAT;
  b->now = now;
  b->open = open;
  level *l = &b->level[m->level];
  if (m->type == SD_BALANCE_REQUEST)
    answer (b, from, m->load);
  if (m->type == SD_BALANCE_GIVE) {
    b->donor = -1;
    correct (b, 0, from, m->load);
  }
  if (b->stopped)
    return SD_OK;
  level of;
  switch (m->type) {
  case SD_BALANCE_LOAD:
    place_on (&of, m->level, b->opt.group, from, b->size);
    note (b, m->level, of.me, m->load, m->busy);
    break;
  case SD_BALANCE_NO_TASKS:
    l->wants = true;
    break;
  case SD_BALANCE_LOADS:
    take_loads (b, m);
    break;
  case SD_BALANCE_JOIN:
    take_join (b, m->level, from);
    break;
  case SD_BALANCE_STOP:
    stop (b);
    break;
  case SD_BALANCE_REQUEST:
  case SD_BALANCE_GIVE:
    break;
  }
  settle (b);
  return SD_OK;
}

void sd_balance_wake (const sd_balance *b, uint64_t open, double *when, uint64_t *below) {
  *when = INFINITY;
  *below = 0;
  if (b->stopped)
    return;
  const level *l = &b->level[0];
  if ((double) open >= b->threshold[0] && b->threshold[0] > b->ahead)
    *below = (uint64_t) ceil (b->threshold[0]);
  else if ((double) open >= b->ahead)
    *below = (uint64_t) ceil (b->ahead);
  if (!l->manages && l->told >= 0 && l->told != (float) open)
    *when = l->told_at + b->opt.interval;
  for (unsigned h = 0; h < b->nlevels && b->level[h].manages; h++) {
    l = &b->level[h];
    if (l->known < l->members)
      return;
    if ((l->changed || (h == 0 && l->load[0] != (float) open)) && l->spread && l->had)
      *when = fmin (*when, l->spread_at + b->opt.interval);
    if (h + 1 < b->nlevels && !b->level[h + 1].manages
        && b->level[h + 1].told != (float) mean (l->load, l->members))
      *when = fmin (*when, b->level[h + 1].told_at + b->opt.interval);
  }
}

bool sd_balance_over (const sd_balance *b) {
  return b->stopped && b->donor < 0;
}

void sd_balance_counted (const sd_balance *b, sd_balance_counts *out) {
  *out = b->counts;
}

/* ------------------------------------------------------------------ words */

size_t sd_balance_pack (const sd_balance_message *m, uint32_t *word, size_t cap) {
  const size_t n = m->type == SD_BALANCE_LOADS ? m->n : 0;
  if (cap < SD_BALANCE_WORDS + n)
    return 0;
  word[0] = (uint32_t) m->type | (uint32_t) m->busy << 3 | m->level << 4 | (uint32_t) n << 16;
  word[1] = (uint32_t) m->manager;
  memcpy (&word[2], &m->load, 4);
  word[3] = m->tasks < UINT32_MAX ? (uint32_t) m->tasks : UINT32_MAX;
  if (n > 0)
    memcpy (&word[SD_BALANCE_WORDS], m->loads, n * 4);
  return SD_BALANCE_WORDS + n;
}

size_t sd_balance_unpack (const uint32_t *word, size_t n, sd_balance_message *m) {
  if (n < SD_BALANCE_WORDS || (word[0] & 7) >= SD_BALANCE_TYPES || word[1] > INT32_MAX
      || word[0] >> 16 > n - SD_BALANCE_WORDS)
    return 0;
  *m = (sd_balance_message){ .type = (enum sd_balance_type) (word[0] & 7),
                             .busy = word[0] >> 3 & 1,
                             .level = word[0] >> 4 & 0xfff,
                             .manager = (int) word[1],
                             .tasks = word[3],
                             .n = word[0] >> 16 };
  memcpy (&m->load, &word[2], 4);
  m->loads = m->n ? (const float *) (const void *) &word[SD_BALANCE_WORDS] : NULL;
  return SD_BALANCE_WORDS + m->n;
}
