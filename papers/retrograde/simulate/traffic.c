/* What each rank of a deal does in each iteration: states that send marks, marks, messages, words.
 *
 * A solved game says at which time each state is decided, and that is the iteration in which its owner sends
 * marks along its un-moves (Makhnychev 2012, 3.3). So the values of all states, which one process holds, give
 * the work of any number of ranks under any deal. What the solver does with a mark is done here once more
 * without records and without ranks: states of a row send together (spread.c), marks are collected for each
 * pair of ranks, joined into groups, and the last group carries the flag (marks.c). Pairs of ranks do not
 * depend on each other, so one rank after the other is looked at. With one thread a rank and without
 * balancing all counts are those of the solver; tests and papers/retrograde/ranks.sh compare them.
 *
 * Cost: the un-moves of each decided state once a deal; memory 16 bytes for each state of the largest
 * iteration, and 64 bytes a rank. */
#include "config.h"
#include "gen/solve/solver_internal.h"
#include "papers/retrograde/simulate/simulate.h"
#include <stdlib.h>
#include <string.h>

static const uint16_t NEVER = UINT16_MAX;

/* What one rank has collected for another. */
typedef struct pair {
  uint32_t fill; /* words of the group */
  uint16_t marks, runs;
  bool used;
} pair;

typedef struct traffic {
  const sd_game *game;
  const sd_value *value;
  const sd_deal *deal;
  bool exchange, whole_words;
  unsigned stride, row;
  size_t group;
  uint16_t
      *next; /* [blocks of SD_DUE states] the earliest time from now on in which one of them is decided */
  uint64_t blocks;
  sd_state *due, *sorted; /* of the iteration; by owner */
  uint64_t ndue, cap;
  uint64_t *first;     /* [ranks + 1] in sorted */
  sd_sim_share *share; /* [ranks] */
  pair *pair;          /* [ranks] of the rank that sends now */
  int *used;           /* [nused] ranks whose pair is in use */
  int nused, from;
  sd_run *run;
  sd_state *pred;
} traffic;

static uint16_t time_of (sd_value v) {
  return v == 0 || v == SD_ILLEGAL ? NEVER : (uint16_t) (v > 0 ? v : -v - 1);
}

/* ----------------------------------------------------------------- sending */

static void send_group (traffic *t, int to) {
  pair *p = &t->pair[to];
  t->share[t->from].sent++;
  t->share[t->from].out += p->fill + 1; /* with the trailer */
  t->share[to].received++;
  t->share[to].in += p->fill + 1;
  p->fill = 0;
}

/* As hand_on and join in marks.c. */
static void hand_on (traffic *t, int to) {
  pair *p = &t->pair[to];
  const uint32_t words = p->marks + 3u * p->runs;
  if (to != t->from) {
    if (p->fill + 1 + words >= t->group)
      send_group (t, to);
    p->fill += 1 + words;
  }
  p->marks = p->runs = 0;
}

static pair *room (traffic *t, int to) {
  pair *p = &t->pair[to];
  if (!p->used) {
    p->used = true;
    t->used[t->nused++] = to;
  }
  if (p->marks + 3u * p->runs + 3 > SD_STAGE)
    hand_on (t, to);
  return p;
}

static void stage (traffic *t, sd_state s, bool word) {
  uint64_t place;
  int to;
  sd_deal_find (t->deal, s, &to, &place);
  pair *p = room (t, to);
  if (word)
    p->runs++;
  else
    p->marks++;
}

static void send_run (traffic *t, sd_run r) {
  t->share[t->from].runs++;
  t->share[t->from].marks += (unsigned) __builtin_popcountll (r.which);
  if (t->deal->size == 1)
    return;
  if (r.which == 1 || !t->whole_words) {
    for (; r.which; r.which &= r.which - 1)
      stage (t, r.first + t->stride * (unsigned) __builtin_ctzll (r.which), false);
    return;
  }
  const unsigned at = r.first % 64;
  stage (t, r.first - at, true);
  if (at && r.which >> (64 - at))
    stage (t, r.first - at + 64, true);
}

/* As sd_spread_run in spread.c. */
static void send_states (traffic *t, sd_run q) {
  const sd_game *g = t->game;
  for (;;) {
    unsigned taken = 1, n;
    if (g->preds_of_run)
      n = g->preds_of_run (g->ctx, q, &taken, t->run);
    else {
      n = g->preds (g->ctx, q.first, t->pred);
      for (unsigned i = 0; i < n; i++)
        t->run[i] = (sd_run){ t->pred[i], 1 };
    }
    for (unsigned i = 0; i < n; i++)
      send_run (t, t->run[i]);
    q.which &= taken < 64 ? ~(((uint64_t) 1 << taken) - 1) : 0;
    if (!q.which)
      return;
    const unsigned skip = (unsigned) __builtin_ctzll (q.which);
    q.first += skip;
    q.which >>= skip;
  }
}

/* All states that a rank sends marks of: those of a row, of a grain and of a block of records go together. */
static void send_all (traffic *t, const sd_state *s, uint64_t n) {
  t->share[t->from].states = n;
  if (!t->exchange)
    return;
  for (uint64_t i = 0; i < n;) {
    uint64_t place, run;
    int owner;
    sd_deal_find (t->deal, s[i], &owner, &place);
    sd_deal_state (t->deal, owner, place, &run);
    const uint64_t row = t->row - s[i] % t->row, block = SD_DUE - place % SD_DUE;
    run = run < row ? run : row;
    run = run < block ? run : block;
    sd_run q = { s[i], 1 };
    for (i++; i < n && s[i] - q.first < run; i++)
      q.which |= (uint64_t) 1 << (s[i] - q.first);
    send_states (t, q);
  }
  for (int i = 0; i < t->nused; i++) {
    pair *p = &t->pair[t->used[i]];
    if (p->marks || p->runs)
      hand_on (t, t->used[i]);
  }
}

/* The last group to each other rank, with the flag; empty ones are added up without a look at the pair. */
static void flags (traffic *t) {
  const unsigned others = t->deal->size - 1;
  sd_sim_share *s = &t->share[t->from];
  s->sent += others;
  s->out += others;
  for (int i = 0; i < t->nused; i++) {
    const int to = t->used[i];
    pair *p = &t->pair[to];
    s->out += p->fill;
    t->share[to].in += p->fill;
    *p = (pair){ 0 };
  }
  t->nused = 0;
}

/* -------------------------------------------------------------- iterations */

static int remember (traffic *t, sd_state s, sd_error *err) {
  if (t->ndue == t->cap) {
    const uint64_t cap = t->cap ? 2 * t->cap : 4096;
    sd_state *more = realloc (t->due, cap * sizeof *more);
    if (!more)
      return sd_fail_memory (err, cap * sizeof *more);
    t->due = more;
    free (t->sorted);
    t->sorted = sd_alloc (cap, sizeof *t->sorted);
    if (!t->sorted)
      return sd_fail_memory (err, cap * sizeof *t->sorted);
    t->cap = cap;
  }
  t->due[t->ndue++] = s;
  return SD_OK;
}

/* The states that are decided at `time`; *later: others are decided later. */
static int find_due (traffic *t, unsigned time, bool *later, sd_error *err) {
  t->ndue = 0;
  *later = false;
  for (uint64_t b = 0; b < t->blocks; b++) {
    if (t->next[b] <= time) {
      uint16_t least = NEVER;
      const uint64_t end = (b + 1) * SD_DUE < t->game->nstates ? (b + 1) * SD_DUE : t->game->nstates;
      for (sd_state s = b * SD_DUE; s < end; s++) {
        const uint16_t at = time_of (t->value[s]);
        if (at == time)
          SD_TRY (remember (t, s, err));
        else if (at > time && at < least)
          least = at;
      }
      t->next[b] = least;
    }
    *later |= t->next[b] != NEVER;
  }
  return SD_OK;
}

/* By owner, in the order of the states. */
static void sort_due (traffic *t) {
  const unsigned ranks = t->deal->size;
  uint64_t place;
  int owner;
  memset (t->first, 0, (ranks + 1) * sizeof *t->first);
  for (uint64_t i = 0; i < t->ndue; i++) {
    sd_deal_find (t->deal, t->due[i], &owner, &place);
    t->first[owner + 1]++;
  }
  for (unsigned r = 0; r < ranks; r++)
    t->first[r + 1] += t->first[r];
  for (uint64_t i = 0; i < t->ndue; i++) {
    sd_deal_find (t->deal, t->due[i], &owner, &place);
    t->sorted[t->first[owner]++] = t->due[i];
  }
  /* Each rank's begin has moved to its end. */
  memmove (t->first + 1, t->first, ranks * sizeof *t->first);
  t->first[0] = 0;
}

static int iterate (traffic *t, sd_sim_told *told, void *ctx, sd_error *err) {
  const unsigned ranks = t->deal->size;
  bool later = true;
  for (unsigned time = 0; later; time++) {
    uint64_t marks = 0;
    SD_TRY (find_due (t, time, &later, err));
    sort_due (t);
    memset (t->share, 0, ranks * sizeof *t->share);
    for (unsigned r = 0; r < ranks; r++) {
      t->from = (int) r;
      send_all (t, t->sorted + t->first[r], t->first[r + 1] - t->first[r]);
      if (t->exchange)
        flags (t);
      marks += t->share[r].marks;
    }
    for (unsigned r = 0; r < ranks && t->exchange; r++) {
      t->share[r].received += ranks - 1;
      t->share[r].in += ranks - 1;
    }
    /* Who has sent marks does not know that they decide nothing: one more iteration (step 8). */
    later |= marks > 0;
    SD_TRY (told (ctx, time, t->share, err));
  }
  return SD_OK;
}

int sd_sim_traffic (const sd_game *game, const sd_value *value, const sd_deal *deal, bool exchange,
                    sd_sim_told *told, void *ctx, sd_error *err) {
  if (game->loss_delay > 1)
    return sd_fail (err, SD_EUNSUPPORTED, "%s: times of this metric are not simulated", game->name);
  const uint64_t ranks = deal->size, blocks = (game->nstates + SD_DUE - 1) / SD_DUE;
  const unsigned stride = game->run_stride ? game->run_stride : 1;
  traffic t = { .game = game,
                .value = value,
                .deal = deal,
                .exchange = exchange,
                .whole_words = deal->grain % 64 == 0 && stride == 1,
                .stride = stride,
                .row = game->row ? game->row : 64,
                .group = sd_transport_group ((int) ranks, NULL),
                .blocks = blocks,
                .next = sd_alloc0 (blocks, sizeof *t.next),
                .first = sd_alloc (ranks + 1, sizeof *t.first),
                .share = sd_alloc (ranks, sizeof *t.share),
                .pair = sd_alloc0 (ranks, sizeof *t.pair),
                .used = sd_alloc (ranks, sizeof *t.used),
                .run = sd_alloc (64 * (uint64_t) game->max_preds, sizeof *t.run),
                .pred = sd_alloc (game->max_preds, sizeof *t.pred) };
  int st = SD_OK;
  if (!t.next || !t.first || !t.share || !t.pair || !t.used || !t.run || !t.pred)
    st = sd_fail_memory (err, blocks * sizeof *t.next + ranks * sizeof *t.share);
  if (st == SD_OK)
    st = iterate (&t, told, ctx, err);
  free (t.next), free (t.first), free (t.share), free (t.pair), free (t.used);
  free (t.run), free (t.pred), free (t.due), free (t.sorted);
  return st;
}
