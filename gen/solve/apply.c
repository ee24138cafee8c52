/* Marks meet records.
 *
 * A run is looked at, and changed, 32 records at once (lanes.h).
 * Threads: records are changed by all of them at once. An A mark writes the same number whoever brings it,
 * and nothing else is written in that phase. A B mark takes one from C, which must not get lost, and a run
 * writes the records between its own anew: with several threads each word of 64 records has a lock then,
 * which it shares with some others. */
#include "config.h"
#include "gen/lanes.h"
#include "gen/solve/solver_internal.h"
#include <sched.h>

#define ALWAYS __attribute__ ((always_inline))
enum { AHEAD = 12 };

/* A(v): the state wins at v + 1 unless it is known to win as soon. Tagged records are larger than any
 * distance. */
static inline bool one_a (uint16_t *at, uint16_t won, bool *bad) {
  const uint16_t r = __atomic_load_n (at, __ATOMIC_RELAXED);
  /* No state, or decided as soon: Makhnychev 2012, 3.3, step 5, "if p is in W already, ignore". */
  if (r <= won)
    return false;
  *bad |= r < SD_REC_TAG && (r & 1); /* all its moves are known to lose, and yet one wins */
  __atomic_store_n (at, won, __ATOMIC_RELAXED);
  return true;
}

static inline bool some_a (uint16_t *at, uint64_t which, uint16_t won, bool *bad) {
  bool changed = false;
  for (; which; which &= which - 1)
    changed |= one_a (at + __builtin_ctzll (which), won, bad);
  return changed;
}

/* A state is won once, and most marks come later: they are seen to change nothing many at a time. alone: no
 * other thread changes records now. */
ALWAYS static inline bool many_a (uint16_t *at, uint64_t which, uint16_t won, bool alone, bool *bad) {
  bool changed = false;
  for (; which; which >>= SD_LANES, at += SD_LANES) {
    const uint32_t hit = (uint32_t) which & sd_lanes_above (at, won);
    if (!hit)
      continue;
    if (!alone) {
      changed |= some_a (at, hit, won, bad);
      continue;
    }
    /* As in one_a (): a state that is known to lose cannot win. */
    *bad |= (hit & ~sd_lanes_above (at, SD_REC_TAG - 1) & sd_lanes_odd (at)) != 0;
    sd_lanes_set (at, hit, won);
    changed = true;
  }
  return changed;
}

/* B(v): one more move loses at v + delay; the last one decides, and then the longest counts. Returns the
 * distance as a record, or SD_DUE_NEVER. */
static inline uint16_t one_b (const sd_solver *s, uint16_t *at, bool *bad) {
  const uint16_t r = *at;
  if (!(r & SD_REC_TAG)) {
    *bad |= (r & 1) && r != 1; /* lost already, though this move was still open */
    return SD_DUE_NEVER;
  }
  /* C and M in one number: C moves are open as long as it is C * step or more. */
  const unsigned open = r & ~SD_REC_TAG, step = s->step;
  /* More than one move is open: C is one less (step 7). */
  if (open >= 2 * step) {
    *at = (uint16_t) (r - step);
    return SD_DUE_NEVER;
  }
  /* More moves lose than there were. */
  *bad |= open < step;
  if (open < step)
    return SD_DUE_NEVER;
  /* The last move loses, too: lost in the longest of all, one by a conversion or the one that this mark
   * tells. */
  const unsigned m = open - step;
  *at = (uint16_t) (1 + (s->gives > 2 * m ? s->gives : 2 * m));
  return *at;
}

/* One by one: those whose last open move this may be. */
static inline uint16_t some_b (const sd_solver *s, uint16_t *at, uint64_t which, bool *bad) {
  uint16_t least = SD_DUE_NEVER;
  for (; which; which &= which - 1) {
    const uint16_t key = one_b (s, at + __builtin_ctzll (which), bad);
    least = key < least ? key : least;
  }
  return least;
}

ALWAYS static inline uint16_t many_b (const sd_solver *s, uint16_t *at, uint64_t which, bool *bad) {
  const uint16_t step = s->step;
  uint16_t least = SD_DUE_NEVER;
  for (; which; which >>= SD_LANES, at += SD_LANES) {
    const uint32_t mine = (uint32_t) which, tagged = mine & sd_lanes_above (at, SD_REC_TAG - 1);
    /* Those with more than one open move only count down: one subtraction for 32 records. */
    const uint32_t plain = tagged & sd_lanes_above (at, (uint16_t) (SD_REC_TAG + 2 * step - 1));
    *bad |= (mine & ~tagged & sd_lanes_odd (at) & sd_lanes_above (at, 1)) != 0;
    if (plain != tagged) {
      const uint16_t key = some_b (s, at, tagged & ~plain, bad);
      least = key < least ? key : least;
    }
    if (plain)
      sd_lanes_add (at, plain, (uint16_t) -step);
  }
  return least;
}

/* Some of the 64 records from a place on are decided with `key`, or none: SD_DUE_NEVER. */
static inline void tell_due (sd_solver *s, uint64_t place, uint64_t which, uint16_t key) {
  if (key == SD_DUE_NEVER)
    return;
  /* 64 records may lie in two blocks. */
  const uint64_t last = place + 63 - (unsigned) __builtin_clzll (which);
  sd_due_lower (s, place, key);
  if (last / SD_DUE != place / SD_DUE)
    sd_due_lower (s, last, key);
}

/* The marks of the 64 records from a place on. `alone` and `losing` are constants where it matters. */
ALWAYS static inline void apply_many (sd_solver *s, uint64_t place, uint64_t which, bool alone, bool losing,
                                      bool *bad) {
  const uint16_t won = (uint16_t) (s->gives + 1);
  if (losing)
    tell_due (s, place, which, many_b (s, s->rec + place, which, bad));
  else if (many_a (s->rec + place, which, won, alone, bad))
    tell_due (s, place, which, won);
}

/* The marks of a word, of whatever kind. */
static void apply_word (sd_solver *s, uint64_t place, uint64_t which, bool *bad) {
  apply_many (s, place, which, s->nthreads == 1, s->losing, bad);
}

/* A lone mark, whose record was fetched before. */
static inline void apply_one (sd_solver *s, uint64_t place, bool *bad) {
  uint16_t *at = s->rec + place, key = SD_DUE_NEVER;
  if (s->losing)
    key = one_b (s, at, bad);
  else if (one_a (at, (uint16_t) (s->gives + 1), bad))
    key = (uint16_t) (s->gives + 1);
  if (key != SD_DUE_NEVER)
    sd_due_lower (s, place, key);
}

/* With several threads. */
static uint8_t *lock (const sd_solver *s, uint64_t word) {
  uint8_t *at = &s->locks[word % SD_LOCKS];
  while (__atomic_exchange_n (at, 1, __ATOMIC_ACQUIRE))
    for (unsigned turn = 0; __atomic_load_n (at, __ATOMIC_RELAXED); turn++)
      if (turn > 1000) /* its holder may have lost its core */
        sched_yield ();
  return at;
}

static void unlock (uint8_t *at) {
  __atomic_store_n (at, 0, __ATOMIC_RELEASE);
}

/* With several threads: B marks of one word. */
static void apply_locked (sd_solver *s, uint64_t place, uint64_t which, bool *bad) {
  uint8_t *held = lock (s, place / 64);
  apply_word (s, place, which, bad);
  unlock (held);
}

/* Runs that need no lock. */
static void apply_runs (sd_solver *s, const sd_run *r, unsigned n, bool *bad) {
  const sd_run *end = r + n;
  /* One loop for each kind of phase, so that what is constant in it is known to the compiler. */
  if (s->losing)
    for (; r < end; r++)
      apply_many (s, r->first, r->which, true, true, bad);
  else if (s->nthreads == 1)
    for (; r < end; r++)
      apply_many (s, r->first, r->which, true, false, bad);
  else
    for (; r < end; r++)
      apply_many (s, r->first, r->which, false, false, bad);
}

/* With several threads: B marks of runs. */
static void apply_runs_locked (sd_solver *s, const sd_run *r, unsigned n, bool *bad) {
  for (const sd_run *end = r + n; r < end; r++) {
    /* A run may lie in two words, which have a lock each. */
    const unsigned at = r->first % 64;
    if (r->which << at)
      apply_locked (s, r->first - at, r->which << at, bad);
    if (at && r->which >> (64 - at))
      apply_locked (s, r->first - at + 64, r->which >> (64 - at), bad);
  }
}

void sd_held_apply (sd_solver *s, sd_worker *w) {
  const bool alone = s->nthreads == 1 || !s->losing;
  bool bad = false;
  for (unsigned i = 0; i < w->nones; i++) {
    uint8_t *held = alone ? NULL : lock (s, w->one[i] / 64);
    apply_one (s, w->one[i], &bad);
    if (held)
      unlock (held);
  }
  (alone ? apply_runs : apply_runs_locked) (s, w->held, w->nheld, &bad);
  w->nones = w->nheld = 0;
  w->bad_mark |= bad;
}

void sd_marks_apply (sd_solver *s, sd_worker *w, const uint32_t *mark, size_t n, const uint32_t *run,
                     size_t nruns) {
  const bool alone = s->nthreads == 1 || !s->losing;
  bool bad = false;

  /* Marks hit records anywhere: each is asked for AHEAD marks before it is needed. */
  for (size_t i = 0; i < AHEAD && i < n; i++)
    __builtin_prefetch (&s->rec[mark[i]], 1);
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n)
      __builtin_prefetch (&s->rec[mark[i + AHEAD]], 1);
    uint8_t *held = alone ? NULL : lock (s, mark[i] / 64);
    apply_one (s, mark[i], &bad);
    if (held)
      unlock (held);
  }
  for (size_t i = 0; i < AHEAD && i < nruns; i++)
    sd_run_prefetch (s, run[3 * i]);
  for (size_t i = 0; i < nruns; i++) {
    if (i + AHEAD < nruns)
      sd_run_prefetch (s, run[3 * (i + AHEAD)]);
    const uint32_t *r = run + 3 * i;
    uint8_t *held = alone ? NULL : lock (s, r[0]);
    apply_word (s, (uint64_t) r[0] * 64, r[1] | (uint64_t) r[2] << 32, &bad);
    if (held)
      unlock (held);
  }
  w->bad_mark |= bad;
}
