/* Marks on their way (S2 Sec. 3.3, 3.4): dealt out to the ranks, grouped, sent without waiting, applied on
 * arrival.
 *
 * States are dealt out round-robin (index mixing, S2 Sec. 3.5): owner = state mod size, place = state div
 * size. All marks of a phase are of one kind and one distance, so a mark is no more than the place at its
 * owner, 32 bits. The last group to each rank carries the flag "no more from me", and with it whether the
 * sender knows of anything for a later phase, so that one round of messages ends the iteration and answers
 * S2's step 8; there is no other barrier. A rank's own marks take the same way without the messages, in small
 * groups: the records are prefetched when a mark is made and touched when the group is full. */
#include "config.h"
#include "gen/solver_internal.h"
#include <stdlib.h>

enum { OWN_GROUP = 512, AHEAD = 24 };

int sd_marks_new (sd_solver *s, sd_error *err) {
  const sd_transport *t = s->t;
  s->inverse = t->size > 1 ? UINT64_MAX / (uint64_t) t->size + 1 : 0;
  s->out = sd_alloc0 ((uint64_t) t->size, sizeof *s->out);
  s->fill = sd_alloc0 ((uint64_t) t->size, sizeof *s->fill);
  if (!s->out || !s->fill)
    return sd_fail_memory (err, 0);
  for (int i = 0; i < t->size; i++) {
    size_t words = i == t->rank ? OWN_GROUP : t->group;
    s->out[i] = sd_alloc (words, sizeof **s->out);
    if (!s->out[i])
      return sd_fail_memory (err, words * sizeof **s->out);
  }
  return SD_OK;
}

void sd_marks_free (sd_solver *s) {
  for (int i = 0; s->out && i < s->t->size; i++)
    free (s->out[i]);
  free (s->out);
  free (s->fill);
}

uint64_t sd_marks_bytes (const sd_solver *s) {
  /* the transport's own copies are about as many again, twice */
  return OWN_GROUP * 4 + (uint64_t) (s->t->size - 1) * s->t->group * 4 * 3;
}

/* A(v): the state wins in v + 1 unless it is known to win as soon. Tagged records are larger than any
 * distance. */
static void apply_a (sd_solver *s, const uint32_t *mark, size_t n) {
  uint16_t *rec = s->rec, won = (uint16_t) (s->v + 2);
  bool bad = false;
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n)
      __builtin_prefetch (&rec[mark[i + AHEAD]], 1);
    uint16_t r = rec[mark[i]];
    if (r > won) {
      bad |= r < SD_REC_TAG && (r & 1); /* all its moves are known to lose, and yet one wins */
      rec[mark[i]] = won;
    }
  }
  s->bad_mark |= bad;
}

/* B(v): one more move loses; the last one decides, and then the longest counts. */
static void apply_b (sd_solver *s, const uint32_t *mark, size_t n) {
  uint16_t *rec = s->rec, step = s->cstep;
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n)
      __builtin_prefetch (&rec[mark[i + AHEAD]], 1);
    unsigned r = rec[mark[i]];
    if (r & SD_REC_TAG) {
      unsigned c = (r & ~SD_REC_TAG) >> s->mbits, m = r & (step - 1u);
      if (c == 1)
        r = 1 + (s->v + 1 > 2 * m ? s->v + 1 : 2 * m);
      else if (c > 1)
        r -= step;
      else
        s->bad_mark = true;
      rec[mark[i]] = (uint16_t) r;
    } else if ((r & 1) && r != 1) {
      s->bad_mark = true; /* lost already, though this move was still open */
    }
  }
}

static void apply (sd_solver *s, const uint32_t *mark, size_t n) {
  if (s->v & 1)
    apply_b (s, mark, n);
  else
    apply_a (s, mark, n);
}

/* Take in what has arrived. */
static int receive (sd_solver *s, bool wait) {
  for (;;) {
    const uint32_t *word;
    size_t n;
    int from;
    SD_TRY (s->t->receive (s->t->ctx, s->phase, wait, &from, &word, &n));
    if (n == 0)
      return SD_OK;
    wait = false;
    uint32_t trailer = word[n - 1];
    apply (s, word, n - 1);
    if (trailer & SD_TRAILER_LAST)
      s->lasts++;
    if (trailer & SD_TRAILER_MORE)
      s->more = true;
    if (trailer & SD_TRAILER_SAVE)
      s->save = true;
  }
}

static int send_group (sd_solver *s, int to, uint32_t trailer) {
  s->out[to][s->fill[to]++] = trailer;
  int st;
  bool wait = false;
  while ((st = s->t->send (s->t->ctx, to, s->phase, s->out[to], s->fill[to])) == SD_ENOSPC) {
    SD_TRY (receive (s, wait)); /* the others may be waiting for us to take theirs */
    wait = true;
  }
  SD_TRY (st);
  s->groups++;
  s->fill[to] = 0;
  return receive (s, false);
}

void sd_marks_begin (sd_solver *s, unsigned v) {
  s->v = v;
  s->lasts = 0;
  s->more = false;
  s->save = false;
}

int sd_marks_send (sd_solver *s, const sd_state *p, unsigned n) {
  const int rank = s->t->rank;
  const uint64_t size = (uint64_t) s->t->size, nstates = s->game->nstates;
  uint32_t *own = s->out[rank];
  size_t nown = s->fill[rank];
  for (unsigned i = 0; i < n; i++) {
    if (__builtin_expect (p[i] >= nstates, 0)) {
      s->bad_mark = true;
      continue;
    }
    uint64_t place = p[i];
    int to = 0;
    if (size > 1) {
      place = (uint64_t) (((unsigned __int128) p[i] * s->inverse) >> 64);
      to = (int) (p[i] - place * size);
    }
    if (to == rank) {
      __builtin_prefetch (&s->rec[place], 1);
      own[nown++] = (uint32_t) place;
      if (nown == OWN_GROUP) {
        apply (s, own, nown);
        nown = 0;
      }
      continue;
    }
    s->out[to][s->fill[to]++] = (uint32_t) place;
    if (s->fill[to] == s->t->group - 1)
      SD_TRY (send_group (s, to, 0));
  }
  s->fill[rank] = nown;
  s->marks[s->v & 1] += n;
  return SD_OK;
}

int sd_marks_end (sd_solver *s, bool more, bool save) {
  const sd_transport *t = s->t;
  apply (s, s->out[t->rank], s->fill[t->rank]);
  s->fill[t->rank] = 0;
  uint32_t trailer = SD_TRAILER_LAST | (more ? SD_TRAILER_MORE : 0) | (save ? SD_TRAILER_SAVE : 0);
  for (int i = 1; i < t->size;
       i++) /* each rank begins at its right neighbour, so that they do not all rush at one */
    SD_TRY (send_group (s, (t->rank + i) % t->size, trailer));
  while (s->lasts < t->size - 1)
    SD_TRY (receive (s, true));
  s->more |= more;
  s->save |= save;
  s->phase++;
  return SD_OK;
}
