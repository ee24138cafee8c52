/* Load balancing: what a rank does with what it knows (Makhnychev 2012, 3.6).
 *
 * Whatever has happened, `settle` goes through the same steps: report the own load, ask for tasks if there
 * will be none soon; then, as a manager, from the lowest level up: report the mean, look for another group if
 * somebody wants tasks and nobody here has some, tell the members. The root stops it all. Each step sends
 * something only if that is news, or if it is time. */
#include "config.h"
#include "gen/balance/balance_internal.h"
#include <string.h>

/* ----------------------------------------------------------------- sending */

void sd_balance_send (sd_balance *b, int to, sd_balance_message *m) {
  b->counts.sent[m->type]++;
  b->port.send (b->port.ctx, to, m);
}

static void say_no_tasks (sd_balance *b, unsigned h) {
  sd_balance_level *l = &b->level[h];
  if (l->asked)
    return;
  /* Once an iteration. */
  l->asked = true;
  if (l->manages) {
    l->wants = true;
    return;
  }
  sd_balance_message m = { .type = SD_BALANCE_NO_TASKS, .level = h };
  sd_balance_send (b, l->manager, &m);
}

void sd_balance_send_loads (sd_balance *b, unsigned h, int to) {
  const sd_balance_level *l = &b->level[h];
  sd_balance_message m = {
    .type = SD_BALANCE_LOADS, .level = h, .manager = b->rank, .n = l->members, .loads = l->load
  };
  sd_balance_send (b, to, &m);
}

void sd_balance_stop (sd_balance *b) {
  b->stopped = true;
  /* Downwards, the highest level first: it reaches most ranks. */
  for (unsigned h = b->nlevels; h-- > 0;)
    for (unsigned i = 1; b->level[h].manages && i < b->level[h].members; i++) {
      sd_balance_message m = { .type = SD_BALANCE_STOP, .level = h };
      sd_balance_send (b, sd_balance_member (b, b->rank, h, i), &m);
    }
}

/* --------------------------------------------------------------- deciding */

/* Tell the manager of level h; directly if that is this rank. */
static void report (sd_balance *b, unsigned h, float load, bool busy) {
  sd_balance_level *l = &b->level[h];
  if (l->manages) {
    sd_balance_note (b, h, l->me, load, busy);
    return;
  }
  const double limit = b->threshold[h];
  /* The first time, and when it crosses the threshold either way. */
  bool at_once = l->told < 0 || l->told_busy != busy || (l->told >= limit) != (load >= limit);
  if (!at_once && (load == l->told || b->now < l->told_at + b->opt.interval))
    return;
  l->told = load;
  l->told_busy = busy;
  l->told_at = b->now;
  sd_balance_message m = { .type = SD_BALANCE_LOAD, .level = h, .load = load, .busy = busy };
  sd_balance_send (b, l->manager, &m);
}

/* As a rank: ask for tasks if there will be none soon. */
static void want_tasks (sd_balance *b) {
  if (b->stopped || b->donor >= 0 || (double) b->open >= b->ahead)
    return;
  /* One request at a time: the answer says what the giver has left. */
  int who = sd_balance_candidate (b, 0, (double) b->open);
  if (who >= 0) {
    b->donor = who;
    sd_balance_message m = { .type = SD_BALANCE_REQUEST, .load = (float) b->open };
    sd_balance_send (b, who, &m);
  } else if (b->level[0].manages || !(b->level[0].told < b->ahead)) /* the manager has seen it itself */
    say_no_tasks (b, 0);
}

/* As the manager of a group of level h that wants tasks: look for them in others. */
static void want_groups (sd_balance *b, unsigned h) {
  sd_balance_level *l = &b->level[h];
  if (h == 0 && !l->wants)
    for (unsigned i = 0; i < l->members; i++)
      l->wants |= l->load[i] < b->ahead;
  if (!l->wants || l->joining >= 0 || h + 1 >= b->height || !sd_balance_exhausted (b, h))
    return;
  /* On the next level groups stand for ranks. */
  int who = sd_balance_candidate (b, h + 1, 0);
  if (who >= 0) {
    l->joining = who;
    sd_balance_message m = { .type = SD_BALANCE_JOIN, .level = h };
    sd_balance_send (b, who, &m);
  } else
    say_no_tasks (b, h + 1);
}

/* As the manager of level h: tell the members, in the rhythm of q, and those that joined. A group that never
 * had something to tell about keeps silent; the end of it is told at once to those that joined. */
static void spread (sd_balance *b, unsigned h) {
  sd_balance_level *l = &b->level[h];
  const bool has = sd_balance_any_above (l->load, l->members, b->threshold[h]);
  const bool due = !l->spread || b->now >= l->spread_at + b->opt.interval;

  if (l->changed && due && (has || l->had)) {
    for (unsigned i = 1; i < l->members; i++)
      sd_balance_send_loads (b, h, sd_balance_member (b, b->rank, h, i));
    for (unsigned i = 0; i < l->njoiners; i++)
      sd_balance_send_loads (b, h, l->joiner[i]);
    l->spread = true;
    l->changed = false;
    l->had = has;
    l->spread_at = b->now;
  } else if (!has)
    for (unsigned i = 0; i < l->njoiners; i++)
      sd_balance_send_loads (b, h, l->joiner[i]);
  if (!has)
    l->njoiners = 0;
}

void sd_balance_settle (sd_balance *b) {
  if (b->stopped)
    return;
  if (b->height == 0) {
    b->stopped = true;
    return;
  }
  report (b, 0, (float) b->open, (double) b->open >= b->threshold[0]);
  want_tasks (b);
  for (unsigned h = 0; h < b->nlevels && b->level[h].manages; h++) {
    sd_balance_level *l = &b->level[h];
    if (l->known < l->members)
      return;
    const bool busy = memchr (l->busy, true, l->members) != NULL;
    if (h + 1 < b->height)
      report (b, h + 1, (float) sd_balance_mean (l->load, l->members), busy);
    else if (!busy) {
      sd_balance_stop (b);
      return;
    }
    want_groups (b, h);
    spread (b, h);
  }
}
