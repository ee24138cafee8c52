/* Load balancing: the decisions on random trees, loads and delays; the formulas. */
#include "gen/balance/balance.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- formulas */

Test (balance, formulas_have_the_values_computed_by_hand) {
  sd_balance_options o = { .interval = 0.5, .receive = 0.003, .give = 0.002, .latency = 0.01, .task = 0.001 };
  cr_assert_eq (sd_balance_defaults (&o, &o, NULL), SD_OK);
  cr_expect_float_eq (sd_balance_ahead (&o), 5, 1e-9);          /* (3 + 2) ms / 1 ms */
  cr_expect_float_eq (sd_balance_threshold (&o, 0), 525, 1e-9); /* 3 + 2 + 500 + 2 * 10 */
  cr_expect_float_eq (sd_balance_threshold (&o, 3), 555, 1e-9); /* 3 + 2 + 500 + 5 * 10 */
  cr_expect_eq (o.group, 32);
  cr_expect_eq (sd_balance_height (32, 1), 0);
  cr_expect_eq (sd_balance_height (32, 2), 1);
  cr_expect_eq (sd_balance_height (32, 32), 1);
  cr_expect_eq (sd_balance_height (32, 33), 2);
  cr_expect_eq (sd_balance_height (32, 1024), 2);
  cr_expect_eq (sd_balance_height (32, 65536), 4);
  cr_expect_eq (sd_balance_height (2, 65536), 16);
}

Test (balance, options_out_of_range_are_named) {
  sd_error err;
  sd_balance_options out;
  const sd_balance_port port = { 0 };
  sd_balance *b;
  cr_expect_eq (sd_balance_defaults (&(sd_balance_options){ .group = 1 }, &out, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "2 to 4096 ranks, not 1"), "%s", err.text);
  cr_expect_eq (sd_balance_defaults (&(sd_balance_options){ .interval = -3 }, &out, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "not -3"), "%s", err.text);
  cr_expect_eq (sd_balance_defaults (&(sd_balance_options){ .task = NAN }, &out, &err), SD_EINVAL);
  cr_expect_eq (sd_balance_defaults (&(sd_balance_options){ .share = 1 }, &out, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "below 1, not 1"), "%s", err.text);
  cr_expect_eq (sd_balance_new (&(sd_balance_options){ 0 }, 4, 4, &port, &b, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "no rank 4 of 4"), "%s", err.text);
  cr_expect_null (b);
  cr_expect_eq (sd_balance_new (&(sd_balance_options){ .latency = -1 }, 0, 4, &port, &b, &err), SD_EINVAL);
}

/* ----------------------------------------------------------------- messages */

Test (balance, messages_survive_being_words) {
  const float load[3] = { 0, 17, 3e9f };
  const sd_balance_message all[] = {
    { .type = SD_BALANCE_LOAD, .level = 2, .busy = true, .load = 12.5f },
    { .type = SD_BALANCE_LOADS, .level = 1, .manager = 64, .n = 3, .loads = load },
    { .type = SD_BALANCE_GIVE, .load = 7, .tasks = 123456789 },
    { .type = SD_BALANCE_STOP, .level = 31 },
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    uint32_t word[SD_BALANCE_WORDS + 3];
    sd_balance_message m;
    const size_t want = SD_BALANCE_WORDS + all[i].n;
    cr_expect_eq (sd_balance_pack (&all[i], word, want - 1), 0);
    cr_assert_eq (sd_balance_pack (&all[i], word, want), want);
    cr_expect_eq (sd_balance_unpack (word, want - 1, &m), 0);
    cr_assert_eq (sd_balance_unpack (word, want, &m), want);
    cr_expect (m.type == all[i].type && m.level == all[i].level && m.busy == all[i].busy
               && m.load == all[i].load && m.manager == all[i].manager && m.tasks == all[i].tasks
               && m.n == all[i].n);
    cr_expect (m.n == 0 || memcmp (m.loads, load, sizeof load) == 0);
  }
  uint32_t bad[SD_BALANCE_WORDS] = { 7 };
  sd_balance_message m;
  cr_expect_eq (sd_balance_unpack (bad, SD_BALANCE_WORDS, &m), 0);
}

static void drop (void *ctx, int to, sd_balance_message *m) {
  (void) ctx, (void) to, (void) m;
}

Test (balance, messages_that_nobody_can_have_sent_are_refused) {
  const sd_balance_port port = { NULL, drop };
  const float load[8] = { 0 };
  sd_balance *b;
  cr_assert_eq (sd_balance_new (&(sd_balance_options){ .group = 4 }, 5, 30, &port, &b, NULL), SD_OK);
  sd_balance_begin (b, 0, 10);
  const struct {
    int from;
    sd_balance_message m;
  } bad[] = {
    { 4, { .type = SD_BALANCE_LOAD } },                                       /* 5 manages nobody */
    { 4, { .type = SD_BALANCE_LOADS, .manager = 4, .n = 3, .loads = load } }, /* 4 members, not 3 */
    { 6, { .type = SD_BALANCE_LOADS, .manager = 4, .n = 4, .loads = load } }, /* not from the manager */
    { 4, { .type = SD_BALANCE_LOADS, .manager = 9, .n = 4, .loads = load } }, /* 9 is no manager */
    { 4, { .type = SD_BALANCE_STOP, .level = 1 } },                           /* 5 is on level 0 only */
    { 6, { .type = SD_BALANCE_STOP } },
    { 6, { .type = SD_BALANCE_GIVE, .tasks = 3 } }, /* nobody was asked */
    { 30, { .type = SD_BALANCE_REQUEST } },
    { 5, { .type = SD_BALANCE_REQUEST } },
    { 6, { .type = SD_BALANCE_REQUEST, .load = NAN } },
    { 8, { .type = SD_BALANCE_JOIN } },
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    cr_expect_eq (sd_balance_receive (b, 0, 10, bad[i].from, &bad[i].m), SD_EFORMAT, "message %u", i);
  cr_expect_eq (sd_balance_receive (b, 0, 10, 29, &(sd_balance_message){ .type = SD_BALANCE_REQUEST }),
                SD_OK);
  sd_balance_free (b);
}

/* ------------------------------------------------- ranks with random delays */

typedef struct letter {
  struct letter *next;
  int from, to;
  unsigned due;
  sd_balance_message m;
  uint32_t *task; /* GIVE: m.tasks of them */
  float loads[];
} letter;

typedef struct worker {
  sd_balance *b;
  uint32_t *task; /* open ones */
  uint64_t open, cap;
  bool stopped;
} worker;

typedef struct world {
  worker *w;
  int size;
  unsigned now;
  uint64_t random;
  letter *first, **last; /* in the order of sending */
  uint8_t *done;         /* by task */
  unsigned stingy;       /* percent of gifts that fail */
  int at;
  bool asked_after_stop;
} world;

static void post (void *ctx, int to, sd_balance_message *m) {
  world *x = ctx;
  worker *w = &x->w[x->at];
  x->asked_after_stop |= m->type == SD_BALANCE_REQUEST && w->stopped;
  w->stopped |= m->type == SD_BALANCE_STOP; /* the root stops by itself */
  letter *l = calloc (1, sizeof *l + m->n * sizeof (float));
  if (m->type == SD_BALANCE_GIVE && m->tasks > 0) {
    if (sd_random (&x->random) % 100 < x->stingy)
      m->tasks = sd_random (&x->random) % 2 ? 0 : m->tasks / 2;
    cr_assert_leq (m->tasks, w->open);
    l->task = malloc (m->tasks * sizeof *l->task + 1);
    w->open -= m->tasks;
    memcpy (l->task, w->task + w->open, m->tasks * sizeof *l->task);
  }
  l->m = *m;
  if (m->n)
    memcpy (l->loads, m->loads, m->n * sizeof (float));
  l->from = x->at;
  l->to = to;
  l->due = x->now + 1 + (unsigned) (sd_random (&x->random) % 20);
  *x->last = l;
  x->last = &l->next;
}

static void take (world *x, letter *l) {
  worker *w = &x->w[l->to];
  x->at = l->to;
  if (l->m.type == SD_BALANCE_GIVE && l->m.tasks > 0) {
    if (w->open + l->m.tasks > w->cap)
      w->task = realloc (w->task, (w->cap = w->open + l->m.tasks) * sizeof *w->task);
    memcpy (w->task + w->open, l->task, l->m.tasks * sizeof *l->task);
    w->open += l->m.tasks;
  }
  w->stopped |= l->m.type == SD_BALANCE_STOP;
  l->m.loads = l->loads;
  cr_assert_eq (sd_balance_receive (w->b, x->now * 1e-3, w->open, l->from, &l->m), SD_OK);
}

/* Everything that is due, but of two ranks the earlier letter first. */
static void deliver (world *x) {
  uint8_t *late = calloc ((size_t) x->size * (size_t) x->size, 1);
  for (letter **p = &x->first; *p;) {
    letter *l = *p;
    size_t pair = (size_t) l->from * (size_t) x->size + (size_t) l->to;
    if (l->due > x->now || late[pair]) {
      late[pair] = 1;
      p = &l->next;
      continue;
    }
    take (x, l);
    *p = l->next; /* what was posted meanwhile stands at the end, perhaps behind l */
    if (!*p)
      x->last = p;
    free (l->task);
    free (l);
  }
  free (late);
}

static void work (world *x, int r) {
  worker *w = &x->w[r];
  for (uint64_t k = sd_random (&x->random) % 4; k > 0 && w->open > 0; k--)
    x->done[w->task[--w->open]]++;
  x->at = r;
  sd_balance_step (w->b, x->now * 1e-3, w->open);
  w->stopped |= sd_balance_over (w->b);
}

/* One iteration; how many transfers there were. */
static uint64_t play (int size, unsigned group, unsigned skew, unsigned stingy, uint64_t seed) {
  world x = { .size = size, .random = seed, .stingy = stingy };
  x.last = &x.first;
  x.w = calloc ((size_t) size, sizeof *x.w);
  const sd_balance_options o = {
    .group = group, .interval = 0.01, .receive = 0.001, .give = 0.001, .latency = 0.001, .task = 0.001
  };
  const sd_balance_port port = { &x, post };
  uint32_t ntasks = 0;
  for (int r = 0; r < size; r++) {
    worker *w = &x.w[r];
    cr_assert_eq (sd_balance_new (&o, r, size, &port, &w->b, NULL), SD_OK);
    w->cap = w->open = r % skew == 0 ? sd_random (&x.random) % (100 * skew) : 0;
    w->task = malloc (w->cap * sizeof *w->task + 1);
    for (uint64_t i = 0; i < w->open; i++)
      w->task[i] = ntasks++;
  }
  x.done = calloc (ntasks + 1, 1);
  for (int r = 0; r < size; r++) {
    x.at = r;
    sd_balance_begin (x.w[r].b, 0, x.w[r].open);
    x.w[r].stopped |= sd_balance_over (x.w[r].b);
  }
  bool busy = true;
  for (; busy && x.now < 100000; x.now++) {
    deliver (&x);
    busy = x.first != NULL;
    for (int r = 0; r < size; r++) {
      work (&x, r);
      busy |= x.w[r].open > 0 || !sd_balance_over (x.w[r].b);
    }
  }
  cr_assert_not (busy, "size %d, group %u: does not end", size, group);
  cr_expect_not (x.asked_after_stop);
  for (uint32_t i = 0; i < ntasks; i++)
    cr_assert_eq (x.done[i], 1, "size %d, group %u: task %u done %d times", size, group, i, x.done[i]);
  uint64_t transfers = 0;
  for (int r = 0; r < size; r++) {
    sd_balance_counts c;
    sd_balance_counted (x.w[r].b, &c);
    transfers += c.transfers;
    sd_balance_free (x.w[r].b);
    free (x.w[r].task);
  }
  free (x.w);
  free (x.done);
  return transfers;
}

Test (balance, ends_and_does_each_task_once_whatever_the_tree) {
  static const unsigned groups[] = { 2, 3, 4, 32 };
  for (unsigned i = 0; i < 4; i++) {
    const int g = (int) groups[i], sizes[] = { 1, 2, 3, g - 1, g, g + 1, g * g < 32 ? g * g + 1 : 40 };
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (unsigned skew = 1; skew <= 8; skew *= 2) {
        uint64_t n = 0;
        for (uint64_t seed = 1; seed <= 6; seed++)
          n += play (sizes[k], groups[i], skew, seed % 3 * 40, seed);
        cr_expect (sizes[k] < 3 || skew < 4 || n > 0, "size %d, group %d, skew %u: nothing was given",
                   sizes[k], g, skew);
      }
  }
}

Test (balance, ends_on_many_ranks) {
  cr_expect_gt (play (1000, 32, 16, 10, 1), 0);
  cr_expect_gt (play (1025, 32, 64, 0, 2), 0);
  cr_expect_gt (play (300, 4, 30, 30, 3), 0);
}

Test (balance, a_rank_alone_has_nothing_to_balance) {
  const sd_balance_port port = { NULL, drop };
  sd_balance *b;
  sd_balance_counts c;
  double when;
  uint64_t below;
  cr_assert_eq (sd_balance_new (&(sd_balance_options){ 0 }, 0, 1, &port, &b, NULL), SD_OK);
  sd_balance_begin (b, 0, 1000);
  cr_expect (sd_balance_over (b));
  sd_balance_wake (b, 1000, &when, &below);
  cr_expect (isinf (when) && below == 0);
  sd_balance_counted (b, &c);
  for (unsigned i = 0; i < SD_BALANCE_TYPES; i++)
    cr_expect_eq (c.sent[i], 0);
  sd_balance_free (b);
}
