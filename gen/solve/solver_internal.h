/* The record of a state and the traffic of marks: what solver.c and marks.c share. */
#ifndef SD_GEN_SOLVER_INTERNAL_H
#define SD_GEN_SOLVER_INTERNAL_H

#include "base/parts.h"
#include "gen/solve/solve.h"

/* One record of 16 bits per state (Makhnychev 2012, 3.4 has 20, with C beside H at all times; but C is needed
 * only while a state is undecided, H only afterwards):
 *   0                   no such state
 *   1 + n               decided in n plies, odd = won, even = lost; a candidate until iteration n is reached
 *   TAG + C * step + M  undecided, cannot win by a conversion; M in moves, below `step`
 * A state with a winning conversion cannot be lost: it needs no C and holds the candidate from the start. */
enum { SD_REC_TAG = 0x8000, SD_REC_MAX_PLIES = 0x7ffe };

/** The step for states of up to so many moves: the fewer they are, the longer may a losing conversion take. 7
 * men have up to 147 moves (five queens), which leaves 220 moves, and most endings more than 300; the longest
 * win with 6 men takes 262. 0: there is no room. */
static inline uint16_t sd_rec_step (unsigned max_moves) {
  const unsigned step = max_moves < SD_REC_TAG ? SD_REC_TAG / (max_moves + 1) : 0;
  return (uint16_t) (step < 2 ? 0 : step > SD_REC_TAG / 2 ? SD_REC_TAG / 2 : step);
}
enum { SD_DUE = 512, SD_DUE_NEVER = 0xffff };
/* Words of a thread's marks for one rank that are handed on together. Five of them, each with a word before
 * it, fit a group of 960. */
enum { SD_STAGE = 190 };
/* Runs, and marks alone, that a rank without others collects: their records come from memory meanwhile. */
enum { SD_HELD = 256 };
enum { SD_LOCKS = 1024 };

/* Marks for one rank as they travel. A mark is the place at its owner; a run is three words: the number of a
 * word of 64 places there, and which of these, the lower ones first. */
typedef struct sd_staged {
  uint16_t marks, runs;
} sd_staged;

/* What each thread of a rank has for itself. */
typedef struct sd_worker {
  sd_run *run;           /* [64 * max_preds] predecessors */
  sd_state *pred;        /* [max_preds] the same where the game names them one by one */
  uint32_t *stage;       /* [size][SD_STAGE] marks from the front, runs from the back */
  sd_staged *staged;     /* [size] how many */
  uint32_t *in;          /* [t->group] a group that has arrived */
  sd_run held[SD_HELD];  /* with one rank: runs that are not yet applied; */
  uint32_t one[SD_HELD]; /* marks alone */
  unsigned nheld, nones;
  uint64_t states, marks; /* of this phase: that sent, that were sent */
  uint64_t runs;          /* of marks, since the start */
  bool beyond;            /* a record of a later phase was seen */
  bool bad_mark;          /* a mark that a consistent game never sends */
  int status;
} sd_worker;

/* What balancing adds to a rank (solver_share.c). */
typedef struct sd_sharing sd_sharing;

typedef struct sd_solver {
  const sd_game *game;
  const sd_transport *t;
  sd_deal deal;
  uint16_t *rec;        /* rec[0..nlocal-1], then zeros (sd_padded) */
  uint16_t *now, *next; /* [ndue] (due.c) */
  uint64_t ndue;
  uint64_t nlocal;
  uint16_t step; /* one move of C */
  unsigned nthreads;
  sd_worker *worker;   /* [nthreads] */
  unsigned stride;     /* game->run_stride or 1 */
  bool whole_words;    /* 64 states from a multiple of 64 on have places from such a multiple on */
  uint8_t *locks;      /* [SD_LOCKS] of words of records */
  sd_sharing *sharing; /* NULL: no balancing */

  /* Marks on their way out: out[to] has room for t->group words, the last of them is the trailer. These, the
   * transport and what is told by trailers belong to whoever is in the critical section sd_marks. */
  uint32_t **out;
  size_t *fill;
  unsigned phase, v; /* v: time of the states that send marks now; even: A marks, odd: B marks */
  bool losing;       /* B marks */
  unsigned gives;    /* the time that a mark brings */
  unsigned delay;    /* game->loss_delay */
  int lasts;         /* ranks that have sent their last group of this phase */
  bool more;         /* some rank has something for a later phase */
  bool save;         /* some rank finds that a checkpoint is due */
  uint64_t groups, words; /* sent so far; words: by this process */
  double waited; /* seconds of this phase without anything to do */

  uint64_t told[5];  /* transfers, tasks in them, groups, words, runs that sd_iteration has told */
  uint64_t marks[2]; /* sent so far, A and B */
  bool bad_mark;
  unsigned plies; /* most plies seen */
} sd_solver;

/* Trailer word of a group. */
enum { SD_TRAILER_LAST = 1, SD_TRAILER_MORE = 2, SD_TRAILER_SAVE = 4, SD_TRAILER_BALANCE = 8 };

/** The records of this rank before the first iteration, as the game says. The first state that does not fit
 * is told. (solver_start.c) */
enum { SD_INIT_CHUNK = 2048 }; /* states a thread takes at a time */
int sd_first_records (sd_solver *s, const sd_progress *progress, sd_error *err);

/** Saving and resuming (solver_saver.c). */
typedef struct sd_saver {
  const sd_checkpoint *hook; /* NULL: none */
  sd_solve_point start;      /* where this process began: zeros, or what was loaded */
  bool resumed, saved;       /* from a checkpoint; there is one, on all ranks alike */
  double begun, ready, last; /* sd_now at the start, after init or load, after the last save */
  double ready_cpu;          /* sd_cpu_now after init or load */
} sd_saver;
bool sd_saver_due (const sd_saver *k);

/** Collective: where all ranks together stand before iteration `ply`; *bad: some rank has seen a bad mark. */
int sd_saver_total (const sd_solver *s, const sd_saver *k, unsigned ply, sd_solve_point *out, bool *bad);

/** Collective: save the border before iteration `ply`. A game that contradicts itself is not worth keeping.
 */
int sd_saver_take (sd_solver *s, sd_saver *k, unsigned ply, sd_error *err);

/** Collective: the records as they were kept, or *found = false. */
int sd_saver_restore (sd_solver *s, sd_saver *k, bool *found, sd_error *err);

/** Records of a rank, and zeros behind them: from any record on 64 are looked at, and whole blocks are. */
static inline uint64_t sd_padded (uint64_t nlocal) {
  return ((nlocal + 63) / SD_DUE + 1) * SD_DUE;
}

/** Before the first iteration, every block of SD_DUE records may hold something. */
int sd_due_new (sd_solver *s, sd_error *err);
void sd_due_free (sd_solver *s);

/** Before each iteration; one thread. */
void sd_due_begin (sd_solver *s);

/** May a block hold a record `key`, or more plies? */
static inline bool sd_due_now (const sd_solver *s, uint64_t block, uint16_t key) {
  return s->now[block] <= key;
}
static inline bool sd_due_later (const sd_solver *s, uint64_t block) {
  return s->now[block] != SD_DUE_NEVER;
}

/** Look through a block: does it hold `key`? Renews what sd_due_later says. */
bool sd_due_look (sd_solver *s, uint64_t block, uint16_t key);

/** The records of a block, if it may hold `key`, come from memory while others are looked through. */
static inline void sd_due_prefetch (const sd_solver *s, uint64_t block, uint16_t key) {
  if (block < s->ndue && sd_due_now (s, block, key))
    for (unsigned i = 0; i < SD_DUE; i += 32)
      __builtin_prefetch (s->rec + block * SD_DUE + i);
}

/** A mark has decided the record at `place`. Any thread. */
static inline void sd_due_lower (sd_solver *s, uint64_t place, uint16_t key) {
  uint16_t *at = &s->next[place / SD_DUE], old = __atomic_load_n (at, __ATOMIC_RELAXED);
  while (old > key && !__atomic_compare_exchange_n (at, &old, key, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

int sd_marks_new (sd_solver *s, sd_error *err);
void sd_marks_free (sd_solver *s);
uint64_t sd_marks_bytes (const sd_solver *s);

/** Start the phase in which states of time `v` send marks. */
void sd_marks_begin (sd_solver *s, unsigned v);

/** Send the marks of run[0..n-1]. Called by several threads, each with its own worker. */
int sd_marks_send (sd_solver *s, sd_worker *w, const sd_run *run, unsigned n);

/** Apply mark[0..n-1] and run[0..3*nruns-1] to the records of this rank. */
void sd_marks_apply (sd_solver *s, sd_worker *w, const uint32_t *mark, size_t n, const uint32_t *run,
                     size_t nruns);

/** Apply what a rank without others has collected. */
void sd_held_apply (sd_solver *s, sd_worker *w);
static inline void sd_run_prefetch (const sd_solver *s, uint32_t word) {
  const uint16_t *at = s->rec + (uint64_t) word * 64;
  __builtin_prefetch (at, 1);
  __builtin_prefetch (at + 32, 1);
}

/** The states of q, all decided at s->v, send their marks; so do those among places from..end-1 of this rank
 * that are. (spread.c) */
int sd_spread_run (sd_solver *s, sd_worker *w, sd_run q);
int sd_spread_range (sd_solver *s, sd_worker *w, uint64_t from, uint64_t end);

/** Nothing more from this rank in this phase; returns when all marks for this rank have been applied. `more`:
 * this rank has something for a later phase; s->more then tells whether any rank has. `save`, s->save: the
 * same for checkpoints. One thread. */
int sd_marks_end (sd_solver *s, bool more, bool save);

/** Take in what has arrived; with `wait` rest a moment before finding that nothing has. */
int sd_marks_receive (sd_solver *s, sd_worker *w, bool wait);

/** Memory of this rank; of s->t only size and group are read. */
uint64_t sd_solver_bytes (const sd_solver *s);

/** Prepare for balancing, if o is not NULL and there are other ranks. */
int sd_sharing_new (sd_solver *s, const sd_balance_options *o, sd_error *err);
void sd_sharing_free (sd_solver *s);
uint64_t sd_sharing_bytes (const sd_solver *s);

/** Transfers that this rank has made so far, and the tasks in them. */
void sd_sharing_counts (const sd_solver *s, uint64_t *transfers, uint64_t *moved);

/** With balancing: the states that are decided at s->v send their marks, on whichever rank; after
 * sd_marks_begin. Returns when this rank will get no more of them. worker[].states and .marks are those done
 * here. */
int sd_sharing_spread (sd_solver *s, const sd_progress *progress, uint64_t decided);

/** In the critical section sd_marks: a group with SD_TRAILER_BALANCE has arrived, word[0..n-1] without the
 * trailer; SD_EFORMAT: no such group, SD_ENOMEM. */
int sd_sharing_receive (sd_solver *s, int from, const uint32_t *word, size_t n);

/** In the critical section: send what waits to be sent. SD_ENOSPC: some of it waits on. */
int sd_sharing_flush (sd_solver *s);

#endif
