/* Load balancing (Makhnychev 2012, 3.6).
 *
 * The ranks form groups of G, the first of each group manages it, the managers form groups of G, and so on: a
 * tree in which rank r is a member on level h if G^h divides r, and manages if G^(h+1) does. Members report
 * loads upwards, managers tell all members, and a rank that runs out of tasks asks the most loaded rank that
 * it knows for half of the difference. Where a group has nothing left its manager joins another: from then on
 * it is sent that group's loads, and passes them on. The same on every level, with groups in place of ranks
 * and "join" in place of "give me tasks". Per rank and iteration: O(iteration / q) messages and those that
 * requests cost; memory G floats a level, three times.
 *
 * Ours, where Makhnychev 2012 is silent or where it would not end well:
 *  - a load is also reported at once, not only every q seconds: at the start, and when it crosses D_0 either
 *    way. Loads that have not changed are not reported again, so that a rank with nothing to do costs
 *    nothing. Iterations much shorter than q thus balance and end without waiting for the clock;
 *  - the mean of a group does not show that a single rank of it is still loaded. Reports of managers carry a
 *    bit for that ("busy": a rank with D_0 tasks or more), and the root stops balancing when the bit is gone
 *    everywhere. Makhnychev 2012 stops when all means are below D_h, which is never later;
 *  - "no tasks" is said once an iteration, by somebody who wants some; a manager takes a member that reports
 *    less than Z for one who says it. What follows from it is done whenever the loads change;
 *  - among ranks whose loads differ by less than a quarter of the way from the asker's to the largest, which
 *    one is asked is left to chance (a fixed one): otherwise all idle ranks of a group ask the same one.
 *    Option `top` is Makhnychev 2012's rule;
 *  - the giver decides: half of the difference if that is worth the transfer, else nothing; its answer
 * carries its load, so that a refusal corrects what the asker knew;
 *  - a joined group counts as one level higher (D_(h+1)): its loads come over one rank more;
 *  - a manager whose group is below the threshold tells those that joined it once more, and then no longer.
 *
 * Why it ends: a rank that reported D_0 or more reports again when it falls below. All loads do so in the
 * end, as tasks get fewer and a transfer makes none. So the busy bits go, from the leaves up, and the root
 * sends "stop". After that nobody asks, and whoever still waits for an answer gets one: a rank answers
 * requests as long as it takes messages, and takes them until all others have ended the iteration.
 *
 * Here are the events; balance_setup.c has the tree and the formulas, balance_known.c what a rank knows,
 * balance_decide.c what it does then, balance_words.c the messages as words. */
#include "config.h"
#include "gen/balance/balance_internal.h"
#include <math.h>
#include <string.h>

void sd_balance_begin (sd_balance *b, double now, uint64_t open) {
  b->stopped = false;
  b->donor = -1;
  b->now = now;
  b->open = open;
  /* The same in each iteration and run: results do not depend on it, and tests repeat. */
  b->random = (uint64_t) b->rank;
  for (unsigned h = 0; h < b->nlevels; h++) {
    sd_balance_level *l = &b->level[h];
    for (unsigned i = 0; i < l->members; i++)
      l->load[i] = SD_BALANCE_UNKNOWN;
    for (unsigned j = 0; j < SD_BALANCE_JOINED; j++)
      l->joined[j].manager = -1;
    l->told = SD_BALANCE_UNKNOWN;
    l->asked = l->told_busy = l->wants = l->spread = l->changed = l->had = false;
    l->known = l->njoiners = 0;
    l->joining = -1;
    if (l->manages)
      memset (l->busy, 0, l->members);
  }
  sd_balance_settle (b);
}

void sd_balance_step (sd_balance *b, double now, uint64_t open) {
  b->now = now;
  b->open = open;
  sd_balance_settle (b);
}

static void answer (sd_balance *b, int thief, float has) {
  double gap = (double) b->open - has;
  uint64_t part = !b->stopped && gap >= 2 && gap > b->pays ? (uint64_t) (gap * b->opt.share) : 0;
  part = part > b->open ? b->open : part;
  sd_balance_message m = { .type = SD_BALANCE_GIVE, .tasks = part, .load = (float) (b->open - part) };
  /* Fewer tasks may go than were offered: the solver gives what can be cut off. */
  sd_balance_send (b, thief, &m);
  part = m.tasks < part ? m.tasks : part;
  b->open -= part;
  b->counts.transfers += part > 0;
  b->counts.moved += part;
}

/* A group of the same level that this rank's manager, or this rank itself, has joined. */
static void take_joined (sd_balance *b, const sd_balance_message *m) {
  sd_balance_level *l = &b->level[m->level];
  sd_balance_joined *to = NULL;
  float least = INFINITY;

  for (unsigned j = 0; j < SD_BALANCE_JOINED && !(to && to->manager == m->manager); j++) {
    sd_balance_joined *s = &l->joined[j];
    float most = -1;
    for (unsigned i = 0; s->manager >= 0 && i < s->n; i++)
      most = fmaxf (most, s->load[i]);
    /* In the place of the same group, else of the least loaded one; -1: a free place. */
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
    sd_balance_correct (b, m->level + 1, m->manager, (float) sd_balance_mean (m->loads, m->n));
  for (unsigned i = 1; i < l->members; i++) {
    sd_balance_message copy = *m;
    sd_balance_send (b, sd_balance_member (b, b->rank, m->level, i), &copy);
  }
}

static void take_loads (sd_balance *b, const sd_balance_message *m) {
  sd_balance_level *l = &b->level[m->level];
  if (m->manager != l->manager) {
    take_joined (b, m);
    return;
  }
  memcpy (l->load, m->loads, m->n * sizeof *m->loads);
}

static void take_join (sd_balance *b, unsigned h, int from) {
  sd_balance_level *l = &b->level[h];
  bool there = false;
  for (unsigned i = 0; i < l->njoiners; i++)
    there |= l->joiner[i] == from;
  /* Once in any case; from then on only as long as there is something to be had. */
  sd_balance_send_loads (b, h, from);
  if (!there && l->njoiners < b->opt.group && sd_balance_any_above (l->load, l->members, b->threshold[h]))
    l->joiner[l->njoiners++] = from;
}

/* Could a balancer with the same options have sent this here? */
static bool plausible (const sd_balance *b, int from, const sd_balance_message *m) {
  /* What comes is checked like a file: a wrong rank must not write beyond arrays. */
  if (from < 0 || from >= b->size || from == b->rank || m->level >= b->nlevels || !(m->load >= 0))
    return false;
  const sd_balance_level *l = &b->level[m->level];
  sd_balance_level of;
  switch (m->type) {
  case SD_BALANCE_LOAD:
  case SD_BALANCE_NO_TASKS:
    return l->manages && sd_balance_place (&of, m->level, b->opt.group, from, b->size)
           && of.manager == b->rank;
  case SD_BALANCE_LOADS:
    if (m->manager < 0 || m->manager >= b->size
        || !sd_balance_place (&of, m->level, b->opt.group, m->manager, b->size) || !of.manages
        || of.members != m->n)
      return false;
    return m->manager == l->manager ? from == l->manager && !l->manages
                                    : (l->manages ? from == m->manager : from == l->manager);
  case SD_BALANCE_JOIN:
    return l->manages && m->level + 1 < b->height
           && sd_balance_place (&of, m->level, b->opt.group, from, b->size) && of.manages;
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
  sd_balance_level *l = &b->level[m->level];
  /* Requests are answered and answers taken even when balancing is over. */
  if (m->type == SD_BALANCE_REQUEST)
    answer (b, from, m->load);
  if (m->type == SD_BALANCE_GIVE) {
    b->donor = -1;
    sd_balance_correct (b, 0, from, m->load);
  }
  if (b->stopped)
    return SD_OK;
  sd_balance_level of;
  switch (m->type) {
  case SD_BALANCE_LOAD:
    sd_balance_place (&of, m->level, b->opt.group, from, b->size);
    sd_balance_note (b, m->level, of.me, m->load, m->busy);
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
    sd_balance_stop (b);
    break;
  case SD_BALANCE_REQUEST:
  case SD_BALANCE_GIVE:
    break;
  }
  sd_balance_settle (b);
  return SD_OK;
}

void sd_balance_wake (const sd_balance *b, uint64_t open, double *when, uint64_t *below) {
  *when = INFINITY;
  *below = 0;
  if (b->stopped)
    return;
  const sd_balance_level *l = &b->level[0];
  if ((double) open >= b->threshold[0] && b->threshold[0] > b->ahead)
    *below = (uint64_t) ceil (b->threshold[0]);
  else if ((double) open >= b->ahead)
    *below = (uint64_t) ceil (b->ahead);
  if (!l->manages && l->told >= 0 && l->told != (float) open)
    *when = l->told_at + b->opt.interval;
  for (unsigned h = 0; h < b->nlevels && b->level[h].manages; h++) {
    l = &b->level[h];
    /* The first loads are told when all have reported, and not by the clock. */
    if (l->known < l->members)
      return;
    if ((l->changed || (h == 0 && l->load[0] != (float) open)) && l->spread && l->had)
      *when = fmin (*when, l->spread_at + b->opt.interval);
    if (h + 1 < b->nlevels && !b->level[h + 1].manages
        && b->level[h + 1].told != (float) sd_balance_mean (l->load, l->members))
      *when = fmin (*when, b->level[h + 1].told_at + b->opt.interval);
  }
}

bool sd_balance_over (const sd_balance *b) {
  return b->stopped && b->donor < 0;
}

void sd_balance_counted (const sd_balance *b, sd_balance_counts *out) {
  *out = b->counts;
}
