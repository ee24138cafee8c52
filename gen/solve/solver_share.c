/* The phase of a rank that shares its tasks: Makhnychev 2012's load balancing (Sec. 3.6, balance.c) in the
 * solver.
 *
 * A task is a state that is decided at v: its un-moves are found and marks go out along them, by whichever
 * rank has it. They are counted, piece by piece, before the phase begins. The threads of the rank take pieces
 * from the front; what is given away is taken from the back, as places. A rank that is given tasks keeps
 * them as they came, with the rank that owns the states, and may pass them on. Messages of the balancer and
 * given tasks travel as groups with a trailer bit of their own, in the order of the marks' groups, and wait
 * in a list where the transport has no room.
 *
 * A phase ends on a rank when balancing is over and it has no task: then the marks' flags follow. After its
 * flag a rank sends refusals only, and those arrive before the one that asked sends its own flag. So no
 * group of a phase is left when all flags have come.
 *
 * Cost: a second scan of the records for each ply, which however lets the first one skip what is empty; 2
 * bytes for each 1024 states. */
#include "config.h"
#include "gen/balance/balance.h"
#include "gen/solve/solver_internal.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 1024, CHUNK = 256, POLL = 128 };
enum { FIRST_NS = 20000, LONGEST_NS = 1000000 }; /* of the sleeps of a thread without work */

typedef struct letter {
  struct letter *next;
  int to;
  size_t n;
  uint32_t word[];
} letter;

/* Tasks of another rank's states. */
typedef struct batch {
  struct batch *next;
  int owner;
  uint32_t n, place[];
} batch;

/* All of it belongs to whoever is in the critical section sd_marks. */
struct sd_sharing {
  sd_balance *balance;
  sd_solver *solver;
  uint16_t *count;              /* [pieces] tasks between front and back */
  uint64_t pieces, front, back; /* front: the next piece; back: places from here on were given away */
  uint64_t own, others;         /* open tasks: between front and back; in batches */
  batch *batches;
  letter *first, **last;
  int status;
  double task;
};

/* ---------------------------------------------------------- making, freeing */

static void port_send (void *ctx, int to, sd_balance_message *m);

int sd_sharing_new (sd_solver *s, const sd_balance_options *o, sd_error *err) {
  s->sharing = NULL;
  if (!o || s->t->size == 1)
    return SD_OK;
  sd_sharing *h = sd_alloc0 (1, sizeof *h);
  if (!h)
    return sd_fail_memory (err, sizeof *h);
  s->sharing = h;
  h->solver = s;
  h->last = &h->first;
  h->pieces = s->nlocal / PIECE + 1;
  h->count = sd_alloc (h->pieces, sizeof *h->count);
  if (!h->count)
    return sd_fail_memory (err, h->pieces * sizeof *h->count);
  sd_balance_options opt;
  SD_TRY (sd_balance_defaults (o, &opt, err));
  /* The longest message of the balancer, with at least some tasks, must fit a group. */
  if (SD_BALANCE_WORDS + opt.group + CHUNK > s->t->group)
    return sd_fail (err, SD_EINVAL, "balancing: the loads of %u ranks do not fit a message of %zu words",
                    opt.group, s->t->group);
  return sd_balance_new (&opt, s->t->rank, s->t->size, &(sd_balance_port){ h, port_send }, &h->balance, err);
}

void sd_sharing_free (sd_solver *s) {
  sd_sharing *h = s->sharing;
  if (!h)
    return;
  for (letter *l = h->first, *next; l; l = next) {
    next = l->next;
    free (l);
  }
  for (batch *b = h->batches, *next; b; b = next) {
    next = b->next;
    free (b);
  }
  sd_balance_free (h->balance);
  free (h->count);
  free (h);
}

uint64_t sd_sharing_bytes (const sd_solver *s) {
  const sd_sharing *h = s->sharing;
  return h ? sizeof *h + h->pieces * sizeof *h->count + sd_balance_bytes (h->balance) : 0;
}

void sd_sharing_counts (const sd_solver *s, uint64_t *transfers, uint64_t *moved) {
  sd_balance_counts c = { 0 };
  if (s->sharing)
    sd_balance_counted (s->sharing->balance, &c);
  *transfers = c.transfers;
  *moved = c.moved;
}

/* ------------------------------------------------------------------ giving */

static uint64_t open_tasks (const sd_sharing *h) {
  return h->own + h->others;
}

/* Up to n places from the back of this rank's own tasks. */
static uint32_t from_the_back (sd_sharing *h, uint32_t n, uint32_t *place) {
  const sd_solver *s = h->solver;
  const uint16_t key = (uint16_t) (s->v + 1);
  uint32_t k = 0;

  while (k < n && h->own > 0) {
    const uint64_t piece = (h->back - 1) / PIECE;
    /* Nothing is left in this piece: on to the one before. */
    if (h->count[piece] == 0) {
      h->back = piece * PIECE;
      continue;
    }
    h->back--;
    /* Threads change records meanwhile, though never those that are due now. */
    if (__atomic_load_n (&s->rec[h->back], __ATOMIC_RELAXED) != key)
      continue;
    place[k++] = (uint32_t) h->back;
    h->count[piece]--;
    h->own--;
  }
  return k;
}

/* The same from what other ranks gave; *owner: of the states. */
static uint32_t from_others (sd_sharing *h, uint32_t n, uint32_t *place, int *owner) {
  batch *b = h->batches;
  const uint32_t k = b->n < n ? b->n : n;
  *owner = b->owner;
  b->n -= k;
  h->others -= k;
  memcpy (place, b->place + b->n, k * sizeof *place);
  if (b->n == 0) {
    h->batches = b->next;
    free (b);
  }
  return k;
}

/* The balancer's port: into the list. A GIVE is followed by the owner and the places, as many as fit. */
static void port_send (void *ctx, int to, sd_balance_message *m) {
  sd_sharing *h = ctx;
  const sd_solver *s = h->solver;
  const size_t head = SD_BALANCE_WORDS + m->n, room = s->t->group - head - 2;
  const uint64_t open = open_tasks (h);

  /* No more tasks than were asked for, than fit, and than there are. */
  uint64_t tasks = m->tasks < room ? m->tasks : room;
  tasks = tasks < open ? tasks : open;
  letter *l = sd_alloc (1, sizeof *l + (head + 2 + tasks) * sizeof *l->word);
  if (!l) {
    h->status = SD_ENOMEM;
    m->tasks = 0;
    return;
  }
  l->n = head;
  if (tasks > 0) {
    int owner = s->t->rank;
    uint32_t *place = l->word + head + 1;
    /* Own states first; what others gave may be passed on, with the rank that owns them. */
    m->tasks = h->own > 0 ? from_the_back (h, (uint32_t) tasks, place)
                          : from_others (h, (uint32_t) tasks, place, &owner);
    l->word[head] = (uint32_t) owner;
    l->n += 1 + m->tasks;
  } else
    m->tasks = 0;
  sd_balance_pack (m, l->word, head);
  l->word[l->n++] = SD_TRAILER_BALANCE;
  l->next = NULL;
  l->to = to;
  *h->last = l;
  h->last = &l->next;
}

int sd_sharing_flush (sd_solver *s) {
  sd_sharing *h = s->sharing;
  while (h && h->first) {
    letter *l = h->first;
    int st = s->t->send (s->t->ctx, l->to, s->phase, l->word, l->n);
    if (st != SD_OK)
      return st;
    s->groups++;
    s->words += l->n;
    h->first = l->next;
    if (!h->first)
      h->last = &h->first;
    free (l);
  }
  return SD_OK;
}

/* ------------------------------------------------------------------ taking */

static int take_tasks (sd_sharing *h, const uint32_t *word, size_t n, uint64_t tasks) {
  const sd_solver *s = h->solver;
  if (n != tasks + 1 || word[0] >= (uint32_t) s->t->size)
    return SD_EFORMAT;
  const uint64_t limit = sd_deal_count (&s->deal, (int) word[0]);
  /* From another rank, and yet compared before it becomes an index. */
  for (size_t i = 1; i < n; i++)
    if (word[i] >= limit)
      return SD_EFORMAT;
  batch *b = sd_alloc (1, sizeof *b + tasks * sizeof *b->place);
  if (!b)
    return SD_ENOMEM;
  b->owner = (int) word[0];
  b->n = (uint32_t) tasks;
  memcpy (b->place, word + 1, tasks * sizeof *b->place);
  b->next = h->batches;
  h->batches = b;
  h->others += tasks;
  return SD_OK;
}

int sd_sharing_receive (sd_solver *s, int from, const uint32_t *word, size_t n) {
  sd_sharing *h = s->sharing;
  sd_balance_message m;
  const size_t head = h ? sd_balance_unpack (word, n, &m) : 0;
  if (head == 0)
    return SD_EFORMAT;
  if (m.type == SD_BALANCE_GIVE && m.tasks > 0)
    SD_TRY (take_tasks (h, word + head, n - head, m.tasks));
  SD_TRY (sd_balance_receive (h->balance, sd_now (), open_tasks (h), from, &m));
  return h->status;
}

/* ----------------------------------------------------------------- the phase */

/* Count the tasks; does a record beyond this phase exist? */
static bool count_tasks (sd_sharing *h) {
  sd_solver *s = h->solver;
  const uint16_t key = (uint16_t) (s->v + 1);
  uint64_t own = 0;
  bool beyond = false;

  /* Balancing needs to know how many tasks there are before the phase begins (Makhnychev 2012, 3.6). */
#pragma omp parallel for schedule(static) num_threads(s->nthreads) if (s->nthreads > 1) \
    reduction(+ : own) reduction(|| : beyond)
  for (uint64_t p = 0; p < h->pieces; p++) {
    unsigned n = 0;
    for (uint64_t b = p * PIECE / SD_DUE; b < (p + 1) * PIECE / SD_DUE && b < s->ndue; b++) {
      if (sd_due_now (s, b, key) && sd_due_look (s, b, key))
        for (uint64_t i = b * SD_DUE; i < (b + 1) * SD_DUE; i++)
          n += s->rec[i] == key;
      beyond |= sd_due_later (s, b);
    }
    h->count[p] = (uint16_t) n;
    own += n;
  }
  h->own = own;
  h->front = 0;
  h->back = s->nlocal;
  return beyond;
}

/* What a thread takes from the rank's tasks at a time. */
typedef struct portion {
  int owner;
  uint64_t from, end;       /* owner is this rank: a range of places to look through */
  uint32_t n, place[CHUNK]; /* otherwise places */
} portion;

/* In the critical section. False: there is nothing now. */
static bool take (sd_sharing *h, portion *out) {
  const sd_solver *s = h->solver;
  out->n = 0;
  if (h->own > 0) {
    /* Threads take from the front, others are given from the back. */
    while (h->count[h->front] == 0)
      h->front++;
    out->owner = s->t->rank;
    out->from = h->front * PIECE;
    out->end = out->from + PIECE < h->back ? out->from + PIECE : h->back;
    h->own -= h->count[h->front];
    h->count[h->front++] = 0;
    return true;
  }
  if (h->others == 0)
    return false;
  out->n = from_others (h, CHUNK, out->place, &out->owner);
  return true;
}

/* Places as from_the_back gave them: the later ones first. Neighbours go together. */
static int do_places (sd_solver *s, sd_worker *w, const portion *p) {
  for (uint32_t i = p->n; i > 0;) {
    uint64_t run;
    const uint32_t first = p->place[--i];
    sd_run q = { sd_deal_state (&s->deal, p->owner, first, &run), 1 };
    /* Places that are neighbours in the game make one run, as in a range. */
    for (; i > 0 && p->place[i - 1] > first && p->place[i - 1] - first < 64 && p->place[i - 1] - first < run;
         i--)
      q.which |= (uint64_t) 1 << (p->place[i - 1] - first);
    SD_TRY (sd_spread_run (s, w, q));
  }
  return SD_OK;
}

static int do_portion (sd_solver *s, sd_worker *w, const portion *p) {
  return p->n ? do_places (s, w, p) : sd_spread_range (s, w, p->from, p->end);
}

/* A moment without work, outside of the critical section, longer each time (*ns: the last one, at first 0).
 */
static void rest (sd_solver *s, const sd_worker *w, long *ns) {
  const double start = sd_now ();
  const long more = *ns < FIRST_NS ? FIRST_NS : *ns + *ns / 4;
  *ns = more < LONGEST_NS ? more : LONGEST_NS;
  nanosleep (&(struct timespec){ .tv_nsec = *ns }, NULL);
  if (w == s->worker) {
#pragma omp critical(sd_marks)
    s->waited += sd_now () - start;
  }
}

/* One thread, until balancing is over and no task is left. */
static int work (sd_solver *s, sd_worker *w, const sd_progress *progress, uint64_t decided) {
  sd_sharing *h = s->sharing;
  uint64_t polled = w->states;
  long rested = 0;

  for (;;) {
    portion p;
    bool over = false, found = false;
    int st = SD_OK;
    /* Messages are looked for now and then while there is work, and always when there is none: another
     * rank may have tasks to give away, or ask for some. */
    const bool poll = w->states >= polled + POLL || w->states == 0;
#pragma omp critical(sd_marks)
    {
      found = take (h, &p);
      if (poll || !found) {
        sd_balance_step (h->balance, sd_now (), open_tasks (h));
        st = sd_sharing_flush (s);
        over = sd_balance_over (h->balance) && !h->first && open_tasks (h) == 0;
      }
      if (h->status != SD_OK)
        st = h->status;
    }
    /* A full buffer is no failure: what has arrived is taken in below, and that makes room. */
    if (st != SD_OK && st != SD_ENOSPC)
      return st;
    if (found) {
      rested = 0;
      SD_TRY (do_portion (s, w, &p));
    } else if (over)
      return SD_OK;
    if (poll || !found) {
      polled = w->states;
      /* a thread that rests in the transport would keep its fellows out */
      SD_TRY (sd_marks_receive (s, w, !found && s->nthreads == 1));
      if (!found && s->nthreads > 1)
        rest (s, w, &rested);
      if (w == s->worker)
        sd_report (progress, "spreading marks", decided + w->states * s->nthreads, s->nlocal);
    }
  }
}

int sd_sharing_spread (sd_solver *s, const sd_progress *progress, uint64_t decided) {
  sd_sharing *h = s->sharing;
  s->worker[0].beyond |= count_tasks (h);
  sd_balance_begin (h->balance, sd_now (), h->own);
  const double start = sd_now ();
#pragma omp parallel num_threads(s->nthreads) if (s->nthreads > 1)
  {
    sd_worker *w = &s->worker[sd_thread_number ()];
    w->status = work (s, w, progress, decided);
  }
  uint64_t done = 0;
  for (unsigned i = 0; i < s->nthreads; i++) {
    SD_TRY (s->worker[i].status);
    done += s->worker[i].states;
  }
  /* The mean time of a task: the thresholds of balancing are made of it (3.6). */
  const double busy = sd_now () - start - s->waited;
  if (done >= 1000 && busy > 0) /* for the next phases; less is not a measurement */
    sd_balance_task_time (h->balance, busy / (double) done);
  return SD_OK;
}
