/* Discrete-event simulation of load balancing (Makhnychev 2012, 3.6) over balance.c.
 *
 * A rank is a number of open tasks and the time from which it works on the first of them; between two events
 * its tasks go down by themselves, one every t seconds, and nothing is simulated. Events are messages that
 * arrive and the moments at which the balancer wants to be called (a report is due, the load falls below a
 * threshold). They wait in a binary heap, by time and then by the order in which they were made, so that a
 * run is deterministic. Handling a message, giving and receiving tasks take time from the rank's work; what
 * it sends leaves when that is over. The exchange of marks and of the flags "no more" is the same with and
 * without balancing: a sum of its own (sd_simulate_exchange).
 *
 * Cost: O(log) an event, some 0.3 us; an iteration of s seconds on P ranks has about P (s / q) * 3 events. */
#include "config.h"
#include "papers/retrograde/simulate/simulate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct event {
  double at;
  uint64_t order;
  int rank;
  int32_t message; /* index into the pool; -1: the rank's balancer wants to be called */
} event;

typedef struct parcel {
  sd_balance_message m;
  int from;
  int32_t next; /* free list */
} parcel;

typedef struct node {
  sd_balance *balance;
  uint64_t open;
  double since; /* the first open task is begun at this time; without open tasks: the last one was done */
  double free;  /* busy with messages until then */
  double extra;
  double wake; /* the earliest call that waits in the heap */
} node;

struct sd_simulator {
  sd_sim_options opt;
  int ranks;
  node *node;
  event *heap;
  size_t nheap, cap;
  uint64_t order;
  parcel *pool;
  float *loads; /* [pool][group] */
  int32_t npool, pool_cap, free_list;
  bool no_memory;
  double now;
  int at; /* the rank whose balancer is running */
};

/* -------------------------------------------------------------------- heap */

static bool earlier (const event *a, const event *b) {
  return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void push (sd_simulator *s, double at, int rank, int32_t message) {
  if (s->nheap == s->cap) {
    size_t cap = s->cap * 2;
    event *more = cap <= SIZE_MAX / sizeof *more ? realloc (s->heap, cap * sizeof *more) : NULL;
    if (!more) {
      s->no_memory = true;
      return;
    }
    s->heap = more;
    s->cap = cap;
  }
  event e = { at, s->order++, rank, message };
  size_t i = s->nheap++;
  for (; i > 0 && earlier (&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = e;
}

static event pop (sd_simulator *s) {
  event first = s->heap[0], last = s->heap[--s->nheap];
  size_t i = 0;
  for (;;) {
    size_t c = 2 * i + 1;
    if (c >= s->nheap)
      break;
    if (c + 1 < s->nheap && earlier (&s->heap[c + 1], &s->heap[c]))
      c++;
    if (!earlier (&s->heap[c], &last))
      break;
    s->heap[i] = s->heap[c];
    i = c;
  }
  s->heap[i] = last;
  return first;
}

/* ---------------------------------------------------------------- messages */

static int32_t parcel_new (sd_simulator *s) {
  if (s->free_list < 0) {
    const size_t group = s->opt.balance.group;
    const size_t cap = (size_t) s->pool_cap * 2;
    parcel *pool = cap < INT32_MAX ? realloc (s->pool, cap * sizeof *pool) : NULL;
    if (pool)
      s->pool = pool;
    float *loads = pool ? realloc (s->loads, cap * group * sizeof *loads) : NULL;
    if (!loads) {
      s->no_memory = true;
      return -1;
    }
    s->loads = loads;
    for (; s->pool_cap < (int32_t) cap; s->pool_cap++) {
      s->pool[s->pool_cap].next = s->free_list;
      s->free_list = s->pool_cap;
    }
  }
  int32_t p = s->free_list;
  s->free_list = s->pool[p].next;
  return p;
}

/* The rank is busy for a while; work that has begun is put off. */
static void occupy (sd_simulator *s, node *n, double seconds) {
  n->free = fmax (n->free, s->now) + seconds;
  if (n->open > 0)
    n->since += seconds;
  n->extra += seconds;
}

static void port_send (void *ctx, int to, sd_balance_message *m) {
  sd_simulator *s = ctx;
  node *n = &s->node[s->at];
  const bool gives = m->type == SD_BALANCE_GIVE && m->tasks > 0;
  if (gives && s->opt.most_tasks && m->tasks > s->opt.most_tasks)
    m->tasks = s->opt.most_tasks;
  if (gives)
    n->open -= m->tasks;
  occupy (s, n, s->opt.message + (gives ? s->opt.balance.give : 0));
  int32_t p = parcel_new (s);
  if (p < 0)
    return;
  const size_t group = s->opt.balance.group;
  s->pool[p].m = *m;
  s->pool[p].from = s->at;
  if (m->n)
    memcpy (s->loads + (size_t) p * group, m->loads, m->n * sizeof *m->loads);
  push (s, n->free + s->opt.balance.latency, to, p);
}

/* -------------------------------------------------------------------- ranks */

/* Tasks done until now. */
static void advance (sd_simulator *s, node *n) {
  const double t = s->opt.balance.task;
  if (n->open == 0 || n->since >= s->now)
    return;
  double done = floor ((s->now - n->since) / t + 1e-3); /* rounding must not lose the task of this moment */
  uint64_t k = done >= (double) n->open ? n->open : (uint64_t) done;
  n->open -= k;
  n->since += (double) k * t;
}

/* Put into the heap when the balancer is to be called next. */
static void plan (sd_simulator *s, int rank) {
  node *n = &s->node[rank];
  double when;
  uint64_t below;
  sd_balance_wake (n->balance, n->open, &when, &below);
  when = fmax (when, s->now);
  if (below > 0) {
    const double t = s->opt.balance.task, crossing = n->since + (double) (n->open - below + 1) * t;
    when = fmin (when, crossing > s->now ? crossing : s->now + t * 0.01); /* rounded: a little later */
  }
  if (when < n->wake) {
    n->wake = when;
    push (s, when, rank, -1);
  }
}

static void call (sd_simulator *s, const event *e) {
  node *n = &s->node[e->rank];
  if (e->at != n->wake)
    return; /* replaced by an earlier one */
  n->wake = INFINITY;
  advance (s, n);
  s->at = e->rank;
  sd_balance_step (n->balance, s->now, n->open);
  plan (s, e->rank);
}

static int deliver (sd_simulator *s, const event *e) {
  node *n = &s->node[e->rank];
  advance (s, n);
  s->at = e->rank;
  /* the balancer may send, and so move the pool */
  sd_balance_message m = s->pool[e->message].m;
  const int from = s->pool[e->message].from;
  float loads[m.n + 1];
  if (m.n)
    memcpy (loads, s->loads + (size_t) e->message * s->opt.balance.group, m.n * sizeof *loads);
  m.loads = loads;
  s->pool[e->message].next = s->free_list;
  s->free_list = e->message;
  const bool tasks = m.type == SD_BALANCE_GIVE && m.tasks > 0;
  occupy (s, n, s->opt.message + (tasks ? s->opt.balance.receive : 0));
  if (tasks) {
    if (n->open == 0)
      n->since = n->free;
    n->open += m.tasks;
  }
  int st = sd_balance_receive (n->balance, s->now, n->open, from, &m);
  plan (s, e->rank);
  return st;
}

/* ---------------------------------------------------------------- interface */

static int defaults (const sd_sim_options *o, sd_sim_options *out, sd_error *err) {
  *out = *o;
  if (!(o->message >= 0) || !isfinite (o->message))
    return sd_fail (err, SD_EINVAL, "simulation: a message costs 0 seconds or more, not %g", o->message);
  out->message = o->message > 0 ? o->message : 1e-6;
  return sd_balance_defaults (&o->balance, &out->balance, err);
}

int sd_simulator_new (const sd_sim_options *o, int ranks, sd_simulator **out, sd_error *err) {
  sd_sim_options opt;
  *out = NULL;
  SD_TRY (defaults (o, &opt, err));
  if (ranks < 1)
    return sd_fail (err, SD_EINVAL, "simulation: %d ranks", ranks);
  sd_simulator *s = sd_alloc0 (1, sizeof *s);
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  s->opt = opt;
  s->ranks = ranks;
  s->free_list = -1;
  s->cap = 1024;
  s->pool_cap = 0;
  s->node = sd_alloc0 ((uint64_t) ranks, sizeof *s->node);
  s->heap = sd_alloc (s->cap, sizeof *s->heap);
  s->pool = sd_alloc (64, sizeof *s->pool);
  s->loads = sd_alloc (64 * (uint64_t) opt.balance.group, sizeof *s->loads);
  int st = s->node && s->heap && s->pool && s->loads ? SD_OK : sd_fail_memory (err, 0);
  for (; st == SD_OK && s->pool_cap < 64; s->pool_cap++) {
    s->pool[s->pool_cap].next = s->free_list;
    s->free_list = s->pool_cap;
  }
  const sd_balance_port port = { s, port_send };
  for (int r = 0; st == SD_OK && r < ranks; r++)
    st = sd_balance_new (&opt.balance, r, ranks, &port, &s->node[r].balance, err);
  if (st != SD_OK) {
    sd_simulator_free (s);
    return st;
  }
  *out = s;
  return SD_OK;
}

void sd_simulator_free (sd_simulator *s) {
  if (!s)
    return;
  for (int r = 0; s->node && r < s->ranks; r++)
    sd_balance_free (s->node[r].balance);
  free (s->node);
  free (s->heap);
  free (s->pool);
  free (s->loads);
  free (s);
}

static void count (const sd_simulator *s, sd_balance_counts *sum) {
  *sum = (sd_balance_counts){ 0 };
  for (int r = 0; r < s->ranks; r++) {
    sd_balance_counts c;
    sd_balance_counted (s->node[r].balance, &c);
    for (unsigned i = 0; i < SD_BALANCE_TYPES; i++)
      sum->sent[i] += c.sent[i];
    sum->transfers += c.transfers;
    sum->moved += c.moved;
  }
}

/* Tasks and the largest load. */
static void tasks (const uint64_t *load, int ranks, sd_sim_result *out) {
  *out = (sd_sim_result){ 0 };
  for (int r = 0; r < ranks; r++) {
    out->tasks += load[r];
    out->most = load[r] > out->most ? load[r] : out->most;
  }
}

int sd_simulate (sd_simulator *s, const uint64_t *load, sd_sim_result *out, sd_error *err) {
  sd_balance_counts before, after;
  tasks (load, s->ranks, out);
  count (s, &before);
  s->now = 0;
  for (int r = 0; r < s->ranks; r++) {
    node *n = &s->node[r];
    n->open = load[r];
    n->since = n->free = n->extra = 0;
    n->wake = INFINITY;
  }
  for (int r = 0; r < s->ranks; r++) {
    s->at = r;
    sd_balance_begin (s->node[r].balance, 0, load[r]);
    plan (s, r);
  }
  int st = SD_OK;
  while (s->nheap > 0 && st == SD_OK && !s->no_memory) {
    event e = pop (s);
    s->now = e.at;
    out->events++;
    if (e.message < 0)
      call (s, &e);
    else
      st = deliver (s, &e);
  }
  s->nheap = 0;
  if (s->no_memory)
    return sd_fail_memory (err, 0);
  if (st != SD_OK)
    return sd_fail (err, SD_EDIFF, "simulation: a message that makes no sense (this is a bug)");
  count (s, &after);
  for (int r = 0; r < s->ranks; r++) {
    const node *n = &s->node[r];
    if (!sd_balance_over (n->balance))
      return sd_fail (err, SD_EDIFF, "simulation: balancing did not end on rank %d (this is a bug)", r);
    out->time = fmax (out->time, fmax (n->since + (double) n->open * s->opt.balance.task, n->free));
    out->extra += n->extra;
  }
  for (unsigned i = 0; i < SD_BALANCE_TYPES; i++)
    out->messages += after.sent[i] - before.sent[i];
  out->requests = after.sent[SD_BALANCE_REQUEST] - before.sent[SD_BALANCE_REQUEST];
  out->transfers = after.transfers - before.transfers;
  out->moved = after.moved - before.moved;
  out->work = (double) out->tasks * s->opt.balance.task;
  out->idle = out->time * s->ranks - out->work - out->extra;
  return SD_OK;
}

void sd_simulator_task (sd_simulator *s, double seconds) {
  s->opt.balance.task = seconds;
  for (int r = 0; r < s->ranks; r++)
    sd_balance_task_time (s->node[r].balance, seconds);
}

void sd_simulate_plain (const sd_sim_options *o, const uint64_t *load, int ranks, sd_sim_result *out) {
  const double t = o->balance.task > 0 ? o->balance.task : 1e-6;
  tasks (load, ranks, out);
  out->time = (double) out->most * t;
  out->work = (double) out->tasks * t;
  out->idle = out->time * ranks - out->work;
}

double sd_simulate_exchange (const sd_sim_options *o, const sd_sim_share *share, int ranks, double scale) {
  const double message = o->message > 0 ? o->message : 1e-6, flags = ranks - 1;
  const double group = (double) sd_transport_group (ranks, NULL);
  double most = 0;
  if (ranks == 1)
    return 0;
  for (int r = 0; r < ranks; r++) {
    const sd_sim_share *s = &share[r];
    double messages = (double) (s->sent + s->received), words = (double) (s->out + s->in);
    if (scale > 1) {
      words = (words - 2 * flags) * scale + 2 * flags;
      messages = 2 * flags + words / group;
    }
    most = fmax (most, messages * message + words * o->word);
  }
  return most + (o->balance.latency > 0 ? o->balance.latency : 10e-6);
}

int sd_simulate_model (const sd_sim_options *o, const uint64_t *load, int ranks, sd_sim_model *out,
                       sd_error *err) {
  sd_sim_options opt;
  sd_sim_result sum;
  SD_TRY (defaults (o, &opt, err));
  const sd_balance_options *b = &opt.balance;
  tasks (load, ranks, &sum);
  const double t = b->task, size = ranks, tau = b->receive + b->give;
  const unsigned height = sd_balance_height (b->group, ranks);
  const double work = (double) sum.tasks * t;
  out->imbalance = (double) sum.most - (double) sum.tasks / size;
  const double moved = fmax (out->imbalance, sd_balance_threshold (b, 0)) / 2;
  out->load_data = height ? 2 * opt.message * (2 + 2 * work / size / b->interval) : 0;
  out->threshold = sd_balance_threshold (b, height);
  out->plain = work + size * t * out->imbalance;
  out->balanced = out->load_data * size + work + out->imbalance * size / (2 * moved) * tau
                  + (height ? out->threshold * t * (size - 1) : 0);
  out->least = out->load_data / t + out->threshold;
  out->pays = out->imbalance > out->least;
  out->predicted = out->pays ? out->balanced / size : out->plain / size + out->load_data;
  return SD_OK;
}
