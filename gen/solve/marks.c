/* Marks on their way (Makhnychev 2012, 3.3, 3.4): dealt out to the ranks, grouped, sent without waiting,
 * applied on arrival.
 *
 * All marks of a phase are of one kind and one distance, so a mark is no more than the place at its owner, 32
 * bits. Marks for neighbours travel together where the game finds them so (sd_run): cut at multiples of 64
 * states, so that they are one word of 64 places at one owner, which grains of whole words see to; 96 bits
 * for up to 64 marks. The last group to each rank carries the flag "no more from me", and with it whether the
 * sender knows of anything for a later phase, so that one round of messages ends the iteration and answers
 * Makhnychev 2012's step 8; there is no other barrier. A rank's own marks take the same way without the
 * messages. Where there are no other ranks, runs are not cut: some are collected as they are, while their
 * records come from memory, and then applied (hold). With this, and with rows of 48 states, the iterations of
 * KRvKP take 0.60 s instead of 0.74.
 *
 * Threads: each makes marks and collects few for each rank; what leaves the rank goes through one critical
 * section. apply.c says how they share the records. */
#include "config.h"
#include "gen/solve/solver_internal.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a thread has for itself, so that threads meet only where groups leave the rank. */
static int worker_new (const sd_solver *s, sd_worker *w) {
  const uint64_t size = s->t->size > 1 ? (uint64_t) s->t->size : 0;
  w->run = sd_alloc (64 * (uint64_t) s->game->max_preds, sizeof *w->run);
  w->pred = sd_alloc (s->game->max_preds, sizeof *w->pred);
  if (size) {
    w->stage = sd_alloc (size * SD_STAGE, sizeof *w->stage);
    w->staged = sd_alloc0 (size, sizeof *w->staged);
    w->in = sd_alloc (s->t->group, sizeof *w->in);
  }
  return w->run && w->pred && (!size || (w->stage && w->staged && w->in)) ? SD_OK : SD_ENOMEM;
}

int sd_marks_new (sd_solver *s, sd_error *err) {
  const sd_transport *t = s->t;
  s->stride = s->game->run_stride ? s->game->run_stride : 1;
  s->whole_words = s->deal.grain % 64 == 0 && s->stride == 1;
  s->worker = sd_alloc0 (s->nthreads, sizeof *s->worker);
  s->locks = sd_alloc0 (SD_LOCKS, sizeof *s->locks);
  s->out = sd_alloc0 ((uint64_t) t->size, sizeof *s->out);
  s->fill = sd_alloc0 ((uint64_t) t->size, sizeof *s->fill);
  if (!s->worker || !s->locks || !s->out || !s->fill)
    return sd_fail_memory (err, 0);
  /* What a thread hands on at once must fit a group, with its own head and the trailer. */
  if (t->size > 1 && t->group < SD_STAGE + 2)
    return sd_fail (err, SD_EINVAL, "groups of %zu words are too small, at least %d are needed", t->group,
                    SD_STAGE + 2);
  for (unsigned i = 0; i < s->nthreads; i++)
    if (worker_new (s, &s->worker[i]) != SD_OK)
      return sd_fail_memory (err, sd_marks_bytes (s));
  for (int i = 0; i < t->size; i++)
    if (i != t->rank && !(s->out[i] = sd_alloc (t->group, sizeof **s->out)))
      return sd_fail_memory (err, t->group * sizeof **s->out);
  return SD_OK;
}

void sd_marks_free (sd_solver *s) {
  for (int i = 0; s->out && i < s->t->size; i++)
    free (s->out[i]);
  for (unsigned i = 0; s->worker && i < s->nthreads; i++) {
    sd_worker *w = &s->worker[i];
    free (w->run), free (w->pred), free (w->stage), free (w->staged), free (w->in);
  }
  free (s->worker);
  free (s->locks);
  free (s->out);
  free (s->fill);
}

uint64_t sd_marks_bytes (const sd_solver *s) {
  const uint64_t size = (uint64_t) s->t->size, group = s->t->group * sizeof (uint32_t);
  const uint64_t others = size * (SD_STAGE * sizeof (uint32_t) + sizeof (sd_staged)) + group;
  const uint64_t thread = sizeof (sd_worker) + s->game->max_preds * (sizeof (sd_state) + 64 * sizeof (sd_run))
                          + (size > 1 ? others : 0);
  unsigned buffers;
  sd_transport_group (s->t->size, &buffers);
  /* collected for each other rank; the transport's buffers, and one that it receives into */
  return s->nthreads * thread + SD_LOCKS + (size > 1 ? (size - 1 + buffers + 1) * group : 0);
}

/* -------------------------------------------------------------- on arrival */

/* Marks and runs as hand_on has put them together. */
static int apply_group (sd_solver *s, sd_worker *w, const uint32_t *word, size_t n) {
  while (n) {
    const size_t marks = word[0] & 0xffff, runs = word[0] >> 16, all = 1 + marks + 3 * runs;
    if (all > n)
      return SD_EFORMAT;
    sd_marks_apply (s, w, word + 1, marks, word + 1 + marks, runs);
    word += all;
    n -= all;
  }
  return SD_OK;
}

/* Take in what has arrived. */
int sd_marks_receive (sd_solver *s, sd_worker *w, bool wait) {
  const double start = wait ? sd_now () : 0;
  /* The transport is used by one thread at a time. Its words are copied, so that the marks themselves are
   * applied outside of the critical section, by as many threads as there are. */
  for (;;) {
    size_t n = 0;
    int st;
#pragma omp critical(sd_marks)
    {
      const uint32_t *word;
      int from;
      st = s->t->receive (s->t->ctx, s->phase, wait, &from, &word, &n);
      if (st == SD_OK && n) {
        /* The last word of a group says what the sender is about. */
        const uint32_t trailer = word[--n];
        if (trailer & SD_TRAILER_BALANCE) {
          st = sd_sharing_receive (s, from, word, n);
          n = 0;
        }
        memcpy (w->in, word, n * sizeof *word);
        s->lasts += (trailer & SD_TRAILER_LAST) != 0;
        s->more |= (trailer & SD_TRAILER_MORE) != 0;
        s->save |= (trailer & SD_TRAILER_SAVE) != 0;
        n++;
      }
      if (wait)
        s->waited += sd_now () - start;
    }
    if (st != SD_OK || n == 0)
      return st;
    wait = false;
    SD_TRY (apply_group (s, w, w->in, n - 1));
  }
}

/* In the critical section: what is collected for rank `to` goes out. SD_ENOSPC: not now. */
static int send_group (sd_solver *s, int to, uint32_t trailer) {
  s->out[to][s->fill[to]] = trailer;
  SD_TRY (s->t->send (s->t->ctx, to, s->phase, s->out[to], s->fill[to] + 1));
  s->groups++;
  s->words += s->fill[to] + 1;
  s->fill[to] = 0;
  return SD_OK;
}

/* In the critical section: the thread's marks for rank `to` join the others'. SD_ENOSPC: not now. */
static int join (sd_solver *s, const sd_worker *w, int to, bool *sent) {
  const sd_staged have = w->staged[to];
  const uint32_t *stage = w->stage + (size_t) to * SD_STAGE;
  const size_t runs = 3 * (size_t) have.runs;
  /* Not enough room for these and the trailer: what is collected goes first. */
  if (s->fill[to] + 1 + have.marks + runs >= s->t->group) {
    *sent = true;
    SD_TRY (send_group (s, to, 0));
  }
  uint32_t *out = s->out[to] + s->fill[to];
  /* How many of both kinds follow; then marks, then runs. */
  *out++ = have.marks | (uint32_t) have.runs << 16;
  memcpy (out, stage, have.marks * sizeof *out);
  memcpy (out + have.marks, stage + SD_STAGE - runs, runs * sizeof *out);
  s->fill[to] += 1 + have.marks + runs;
  return SD_OK;
}

/* The thread's marks for rank `to` go on their way, or are applied. */
static int hand_on (sd_solver *s, sd_worker *w, int to) {
  sd_staged *have = &w->staged[to];
  /* A rank's own marks take no message. */
  if (to == s->t->rank) {
    const uint32_t *stage = w->stage + (size_t) to * SD_STAGE;
    sd_marks_apply (s, w, stage, have->marks, stage + SD_STAGE - 3 * (size_t) have->runs, have->runs);
    *have = (sd_staged){ 0, 0 };
    return SD_OK;
  }
  /* Until the group has gone: nobody waits for delivery (3.3), but a full transport must empty first. */
  for (long wait_ns = 0;;) {
    bool sent = false;
    int st;
#pragma omp critical(sd_marks)
    st = join (s, w, to, &sent);
    if (st == SD_OK)
      *have = (sd_staged){ 0, 0 };
    else if (st != SD_ENOSPC)
      return st;
    /* the others may be waiting for us to take theirs; a thread that rests would keep its fellows out */
    if (sent)
      SD_TRY (sd_marks_receive (s, w, st == SD_ENOSPC && s->nthreads == 1));
    if (st == SD_OK)
      return SD_OK;
    if (s->nthreads > 1) { /* asleep outside of the critical section, a little longer each time */
      wait_ns = wait_ns < 20000 ? 20000 : wait_ns < 800000 ? wait_ns + wait_ns / 4 : 1000000;
      nanosleep (&(struct timespec){ .tv_nsec = wait_ns }, NULL);
    }
  }
}

/* Room for one more mark, or run, for rank `to`. */
static inline int make_room (sd_solver *s, sd_worker *w, int to) {
  const sd_staged have = w->staged[to];
  return have.marks + 3u * have.runs + 3 > SD_STAGE ? hand_on (s, w, to) : SD_OK;
}

/* The mark's place at its owner goes to the front of what is collected for that rank. */
static inline int stage_mark (sd_solver *s, sd_worker *w, sd_state p) {
  uint64_t place;
  int to;
  sd_deal_find (&s->deal, p, &to, &place);
  SD_TRY (make_room (s, w, to));
  w->stage[(size_t) to * SD_STAGE + w->staged[to].marks++] = (uint32_t) place;
  return SD_OK;
}

/* which: of the 64 states from 64 * word on. */
static inline int stage_word (sd_solver *s, sd_worker *w, uint64_t word, uint64_t which) {
  uint64_t place;
  int to;
  sd_deal_find (&s->deal, 64 * word, &to, &place);
  SD_TRY (make_room (s, w, to));
  uint32_t *at = w->stage + ((size_t) to + 1) * SD_STAGE - 3 * (size_t) ++w->staged[to].runs;
  at[0] = (uint32_t) (place / 64);
  at[1] = (uint32_t) which;
  at[2] = (uint32_t) (which >> 32);
  return SD_OK;
}

/* A run of several marks. */
static int stage_run (sd_solver *s, sd_worker *w, sd_run r) {
  /* Grains that cut words, or states of a run that are no neighbours: each mark by itself. */
  if (!s->whole_words) {
    for (; r.which; r.which &= r.which - 1)
      SD_TRY (stage_mark (s, w, r.first + s->stride * (unsigned) __builtin_ctzll (r.which)));
    return SD_OK;
  }
  const unsigned at = r.first % 64;
  SD_TRY (stage_word (s, w, r.first / 64, r.which << at));
  /* What reaches into the next word may be another rank's. */
  const uint64_t over = at ? r.which >> (64 - at) : 0;
  return over ? stage_word (s, w, r.first / 64 + 1, over) : SD_OK;
}

/* Is it a run of states of this game? A game that names others contradicts itself. */
static inline bool proper (const sd_solver *s, sd_run r, uint64_t *reach) {
  *reach = s->stride * (uint64_t) (63 - __builtin_clzll (r.which | 1));
  return (r.which & 1) && *reach < s->game->nstates && r.first < s->game->nstates - *reach;
}

static inline void hold_one (sd_solver *s, sd_worker *w, uint64_t place) {
  __builtin_prefetch (s->rec + place, 1);
  if (w->nones == SD_HELD)
    sd_held_apply (s, w);
  w->one[w->nones++] = (uint32_t) place;
}

/* With one rank: records come from memory while more runs are collected. */
static void hold (sd_solver *s, sd_worker *w, const sd_run *run, unsigned n) {
  uint64_t marks = 0, reach;
  for (const sd_run *end = run + n; run < end; run++) {
    sd_run r = *run;
    if (!proper (s, r, &reach)) {
      w->bad_mark = true;
      continue;
    }
    marks += (unsigned) __builtin_popcountll (r.which);
    /* A lone mark, or states that are no neighbours. */
    if (!reach || s->stride > 1) {
      for (; r.which; r.which &= r.which - 1)
        hold_one (s, w, r.first + s->stride * (unsigned) __builtin_ctzll (r.which));
      continue;
    }
    const uint16_t *rec = s->rec + r.first;
    __builtin_prefetch (rec, 1);
    __builtin_prefetch (rec + reach, 1);
    /* Full: the first ones have had time to come from memory. */
    if (w->nheld == SD_HELD)
      sd_held_apply (s, w);
    w->held[w->nheld++] = r;
  }
  w->marks += marks;
}

int sd_marks_send (sd_solver *s, sd_worker *w, const sd_run *run, unsigned n) {
  uint64_t reach;
  w->runs += n;
  if (s->t->size == 1) {
    hold (s, w, run, n);
    return SD_OK;
  }
  for (unsigned i = 0; i < n; i++) {
    const sd_run r = run[i];
    if (__builtin_expect (!proper (s, r, &reach), 0)) {
      w->bad_mark = true;
      continue;
    }
    w->marks += (unsigned) __builtin_popcountll (r.which);
    SD_TRY (reach ? stage_run (s, w, r) : stage_mark (s, w, r.first));
  }
  return SD_OK;
}

void sd_marks_begin (sd_solver *s, unsigned v) {
  s->v = v;
  s->losing = v & 1;
  /* A state that is lost in v makes its predecessors win in v + 1, one that is won makes them lose later. */
  s->gives = v + (s->losing ? s->delay : 1);
  /* Nothing has been told, sent or seen in this phase yet. */
  s->lasts = 0;
  s->more = false;
  s->save = false;
  s->waited = 0;
  for (unsigned i = 0; i < s->nthreads; i++) {
    s->worker[i].states = s->worker[i].marks = 0;
    s->worker[i].beyond = false;
  }
}

static int send_last (sd_solver *s, int to, uint32_t trailer) {
  for (;;) {
    int st;
#pragma omp critical(sd_marks)
    {
      /* What balancing still has to say goes before the flag. */
      st = sd_sharing_flush (s);
      if (st == SD_OK)
        st = send_group (s, to, trailer);
    }
    if (st != SD_ENOSPC)
      return st;
    SD_TRY (sd_marks_receive (s, &s->worker[0], true));
  }
}

int sd_marks_end (sd_solver *s, bool more, bool save) {
  const sd_transport *t = s->t;
  for (unsigned i = 0; i < s->nthreads; i++) {
    sd_worker *w = &s->worker[i];
    sd_held_apply (s, w);
    for (int k = 0; k < t->size && t->size > 1; k++)
      if (w->staged[k].marks || w->staged[k].runs)
        SD_TRY (hand_on (s, w, k));
  }
  /* "No more from me" in the last group (3.4): groups between two ranks keep their order, so that who has the
   * flags of all others has all their marks. */
  uint32_t trailer = SD_TRAILER_LAST | (more ? SD_TRAILER_MORE : 0) | (save ? SD_TRAILER_SAVE : 0);
  for (int i = 1; i < t->size;
       i++) /* each rank begins at its right neighbour, so that they do not all rush at one */
    SD_TRY (send_last (s, (t->rank + i) % t->size, trailer));
  /* Steps 4 and 6: all marks for this rank, from all others. */
  while (s->lasts < t->size - 1) {
    SD_TRY (sd_marks_receive (s, &s->worker[0], true));
    int st;
#pragma omp critical(sd_marks)
    st = sd_sharing_flush (s); /* refusals, to those that still ask */
    if (st != SD_OK && st != SD_ENOSPC)
      return st;
  }
  s->more |= more;
  s->save |= save;
  s->phase++;
  for (unsigned i = 0; i < s->nthreads; i++)
    s->bad_mark |= s->worker[i].bad_mark;
  return SD_OK;
}
