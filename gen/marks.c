/* Marks on their way (S2 Sec. 3.3, 3.4): dealt out to the ranks, grouped, sent without waiting, applied on
 * arrival.
 *
 * All marks of a phase are of one kind and one distance, so a mark is no more than the place at its owner, 32
 * bits. The last group to each rank carries the flag "no more from me", and with it whether the sender knows
 * of anything for a later phase, so that one round of messages ends the iteration and answers S2's step 8;
 * there is no other barrier. A rank's own marks take the same way without the messages, in small groups: the
 * records are prefetched when a mark is made and touched when the group is full.
 *
 * Threads: each makes marks and collects few for each rank; what leaves the rank goes through one critical
 * section. Records are changed by all of them at once. An A mark writes the same number whoever brings it,
 * and nothing else is written in that phase; a B mark takes one from C, which must not get lost, so that with
 * several threads it is a compare and exchange. */
#include "config.h"
#include "gen/solver_internal.h"
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 24 };

static int worker_new (const sd_solver *s, sd_worker *w) {
  const uint64_t size = (uint64_t) s->t->size;
  w->pred = sd_alloc (s->game->max_preds, sizeof *w->pred);
  w->own = sd_alloc (SD_OWN_GROUP, sizeof *w->own);
  if (!w->pred || !w->own)
    return SD_ENOMEM;
  if (size == 1)
    return SD_OK;
  w->stage = sd_alloc (size * SD_STAGE, sizeof *w->stage);
  w->staged = sd_alloc0 (size, sizeof *w->staged);
  w->in = sd_alloc (s->t->group, sizeof *w->in);
  return w->stage && w->staged && w->in ? SD_OK : SD_ENOMEM;
}

int sd_marks_new (sd_solver *s, sd_error *err) {
  const sd_transport *t = s->t;
  s->worker = sd_alloc0 (s->nthreads, sizeof *s->worker);
  s->out = sd_alloc0 ((uint64_t) t->size, sizeof *s->out);
  s->fill = sd_alloc0 ((uint64_t) t->size, sizeof *s->fill);
  if (!s->worker || !s->out || !s->fill)
    return sd_fail_memory (err, 0);
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
    free (w->pred), free (w->own), free (w->stage), free (w->staged), free (w->in);
  }
  free (s->worker);
  free (s->out);
  free (s->fill);
}

uint64_t sd_marks_bytes (const sd_solver *s) {
  const uint64_t size = (uint64_t) s->t->size, group = s->t->group * sizeof (uint32_t);
  uint64_t thread = s->game->max_preds * sizeof (sd_state) + SD_OWN_GROUP * sizeof (uint32_t);
  if (size > 1)
    thread += size * (SD_STAGE * sizeof (uint32_t) + 1) + group;
  unsigned buffers;
  sd_transport_group (s->t->size, &buffers);
  /* collected for each other rank; the transport's buffers, and one that it receives into */
  return s->nthreads * thread + (size > 1 ? (size - 1 + buffers + 1) * group : 0);
}

/* A(v): the state wins in v + 1 unless it is known to win as soon. Tagged records are larger than any
 * distance. */
static void apply_a (sd_solver *s, sd_worker *w, const uint32_t *mark, size_t n) {
  uint16_t *rec = s->rec, won = (uint16_t) (s->v + 2);
  bool bad = false;
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n)
      __builtin_prefetch (&rec[mark[i + AHEAD]], 1);
    uint16_t r = __atomic_load_n (&rec[mark[i]], __ATOMIC_RELAXED);
    if (r > won) {
      bad |= r < SD_REC_TAG && (r & 1); /* all its moves are known to lose, and yet one wins */
      __atomic_store_n (&rec[mark[i]], won, __ATOMIC_RELAXED);
      sd_due_lower (s, mark[i], won);
    }
  }
  w->bad_mark |= bad;
}

/* What a record becomes when one more move loses in v + 1; the last one decides, and then the longest counts.
 */
static inline uint16_t one_less (const sd_solver *s, uint16_t r, bool *bad) {
  const unsigned c = (r & ~SD_REC_TAG) >> s->mbits, m = r & (s->cstep - 1u);
  if (c > 1)
    return (uint16_t) (r - s->cstep);
  if (c == 1)
    return (uint16_t) (1 + (s->v + 1 > 2 * m ? s->v + 1 : 2 * m));
  *bad = true;
  return r;
}

static void apply_b (sd_solver *s, sd_worker *w, const uint32_t *mark, size_t n) {
  uint16_t *rec = s->rec;
  const bool alone = s->nthreads == 1;
  bool bad = false;
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n)
      __builtin_prefetch (&rec[mark[i + AHEAD]], 1);
    uint16_t *at = &rec[mark[i]], r = __atomic_load_n (at, __ATOMIC_RELAXED);
    while (r & SD_REC_TAG) {
      const uint16_t next = one_less (s, r, &bad);
      if (alone)
        *at = next;
      else if (!__atomic_compare_exchange_n (at, &r, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
      if (!(next & SD_REC_TAG))
        sd_due_lower (s, mark[i], next);
      break;
    }
    bad |= !(r & SD_REC_TAG) && (r & 1) && r != 1; /* lost already, though this move was still open */
  }
  w->bad_mark |= bad;
}

static void apply (sd_solver *s, sd_worker *w, const uint32_t *mark, size_t n) {
  for (size_t i = 0; i < AHEAD && i < n; i++)
    __builtin_prefetch (&s->rec[mark[i]], 1);
  if (s->v & 1)
    apply_b (s, w, mark, n);
  else
    apply_a (s, w, mark, n);
}

static void apply_own (sd_solver *s, sd_worker *w) {
  apply (s, w, w->own, w->nown);
  w->nown = 0;
}

/* Take in what has arrived. */
int sd_marks_receive (sd_solver *s, sd_worker *w, bool wait) {
  const double start = wait ? sd_now () : 0;
  for (;;) {
    size_t n = 0;
    int st;
#pragma omp critical(sd_marks)
    {
      const uint32_t *word;
      int from;
      st = s->t->receive (s->t->ctx, s->phase, wait, &from, &word, &n);
      if (st == SD_OK && n) {
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
    apply (s, w, w->in, n - 1);
  }
}

/* In the critical section: what is collected for rank `to` goes out. SD_ENOSPC: not now. */
static int send_group (sd_solver *s, int to, uint32_t trailer) {
  s->out[to][s->fill[to]] = trailer;
  SD_TRY (s->t->send (s->t->ctx, to, s->phase, s->out[to], s->fill[to] + 1));
  s->groups++;
  s->fill[to] = 0;
  return SD_OK;
}

/* The thread's marks for rank `to` join the others', or are applied. */
static int hand_on (sd_solver *s, sd_worker *w, int to) {
  const size_t n = w->staged[to];
  w->staged[to] = 0;
  if (to == s->t->rank) {
    apply (s, w, w->stage + (size_t) to * SD_STAGE, n);
    return SD_OK;
  }
  for (;;) {
    int st = SD_OK;
    bool done = false, sent = false;
#pragma omp critical(sd_marks)
    {
      if (s->fill[to] + n >= s->t->group) {
        st = send_group (s, to, 0);
        sent = true;
      }
      if (st == SD_OK) {
        memcpy (s->out[to] + s->fill[to], w->stage + (size_t) to * SD_STAGE, n * sizeof *w->stage);
        s->fill[to] += n;
        done = true;
      }
    }
    if (st != SD_OK && st != SD_ENOSPC)
      return st;
    /* the others may be waiting for us to take theirs; a thread that rests would keep its fellows out */
    if (sent)
      SD_TRY (sd_marks_receive (s, w, !done && s->nthreads == 1));
    if (done)
      return SD_OK;
  }
}

void sd_marks_begin (sd_solver *s, unsigned v) {
  s->v = v;
  s->lasts = 0;
  s->more = false;
  s->save = false;
  s->waited = 0;
  for (unsigned i = 0; i < s->nthreads; i++) {
    s->worker[i].states = s->worker[i].marks = 0;
    s->worker[i].beyond = false;
  }
}

/* The same with a single rank. */
static int send_own (sd_solver *s, sd_worker *w, const sd_state *p, unsigned n) {
  const uint64_t nstates = s->game->nstates;
  for (unsigned i = 0; i < n; i++) {
    if (__builtin_expect (p[i] >= nstates, 0)) {
      w->bad_mark = true;
      continue;
    }
    __builtin_prefetch (&s->rec[p[i]], 1);
    w->own[w->nown++] = (uint32_t) p[i];
    if (w->nown == SD_OWN_GROUP)
      apply_own (s, w);
  }
  return SD_OK;
}

int sd_marks_send (sd_solver *s, sd_worker *w, const sd_state *p, unsigned n) {
  const uint64_t nstates = s->game->nstates;
  w->marks += n;
  if (s->t->size == 1)
    return send_own (s, w, p, n);
  for (unsigned i = 0; i < n; i++) {
    if (__builtin_expect (p[i] >= nstates, 0)) {
      w->bad_mark = true;
      continue;
    }
    uint64_t place;
    int to;
    sd_deal_find (&s->deal, p[i], &to, &place);
    /* also for this rank: whose mark it is cannot be foreseen, and a branch that fails costs more than the
     * mark */
    w->stage[(size_t) to * SD_STAGE + w->staged[to]++] = (uint32_t) place;
    if (w->staged[to] == SD_STAGE)
      SD_TRY (hand_on (s, w, to));
  }
  return SD_OK;
}

static int send_last (sd_solver *s, int to, uint32_t trailer) {
  for (;;) {
    int st;
#pragma omp critical(sd_marks)
    {
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
    apply_own (s, w);
    for (int k = 0; k < t->size; k++)
      if (t->size > 1 && w->staged[k])
        SD_TRY (hand_on (s, w, k));
  }
  uint32_t trailer = SD_TRAILER_LAST | (more ? SD_TRAILER_MORE : 0) | (save ? SD_TRAILER_SAVE : 0);
  for (int i = 1; i < t->size;
       i++) /* each rank begins at its right neighbour, so that they do not all rush at one */
    SD_TRY (send_last (s, (t->rank + i) % t->size, trailer));
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
