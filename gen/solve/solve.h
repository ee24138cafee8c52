/** \file solve.h
 * Retrograde analysis (Makhnychev 2012): the game interface, the parallel solver that knows neither chess nor
 * files, the transport that carries its marks, checkpoints. Only transport_mpi.h and transport_mpi.c name
 * MPI. */
#ifndef SD_SOLVE_H
#define SD_SOLVE_H

#include "gen/balance/balance.h"
#include "table/value.h"

/* -------------------------------------------------------------------- game */

/** State of a game, 0..nstates-1, dense; both sides to move are states of their own. */
typedef uint64_t sd_state;

/** What the solver must know about a state before it starts. All zero: no such state.
 *
 * A move leads either to a state of the same game (an inner move) or out of it (a conversion), to a child
 * whose value is known. Let n be the plies in which the child is won or lost:
 *  - inner move: counts in `moves`;
 *  - drawn conversion: counts in `moves` too; nothing ever takes it away again, so such a state cannot be
 * lost;
 *  - conversion to a child lost for its mover in n: `win` = the least n + 1;
 *  - conversion to a child won for its mover in n: `loss` = the largest n + 1; not counted in `moves`.
 * So with moves == 0: loss > 0 says lost in `loss` plies; terminal_lost lost in 0; win > 0 won; nothing of
 * these: drawn (stalemate, or nothing but what the game calls a draw). A state with win > 0 cannot be lost:
 * its `moves` and `loss` are not read. */
typedef struct sd_state_info {
  bool exists;        /* false: no such state; it gets SD_ILLEGAL and marks to it are dropped */
  bool terminal_lost; /* the side to move has lost on the board (mate): value -1; the rest is not read */
  bool terminal_won;  /* the side to move has won on the board: told as win = 1, since +0 would be a draw;
                         never in chess */
  uint16_t moves; /* C(p) of Makhnychev 2012: inner moves, each as often as `preds` of its child names this
                     state, + drawn conversions */
  uint16_t win;   /* best winning conversion: won in this many plies (odd), 0 = none */
  uint16_t loss;  /* longest losing conversion: lost in this many plies (even), 0 = none; M(p) of Makhnychev
                     2012 before the  start */
} sd_state_info;

/** Several of the 64 states from `first` on: first + i for each bit i of `which`, bit 0 always. */
typedef struct sd_run {
  sd_state first;
  uint64_t which;
} sd_run;

/** A game. Its functions are called by several threads of a rank at once, except where it says otherwise, so
 * they only read ctx, or guard what they write. */
typedef struct sd_game sd_game;
struct sd_game {
  const char *name;
  void *ctx;
  uint64_t nstates;
  uint64_t bytes; /* that ctx takes on each rank; for statistics */
  /** Times are what the solver counts: decided earlier means better for the winner. A move to a state lost at
   * time t wins at t + 1, one to a state won at time t loses at t + loss_delay. 0 or 1: times are plies, odd
   * for wins and even for losses. 3: a win in n plies has time 2n - 1 and a loss in n plies 2n, so that both
   * may take any number of plies; values are plies again. In sd_state_info times take the place of plies. */
  unsigned loss_delay;
  unsigned max_moves; /* no state has more `moves`; sizes the record */
  unsigned max_preds; /* no call of preds writes more */
  uint64_t block;     /* optional: most moves stay among so many states, from a multiple of it on */
  /** info for the `count` states from `first` on. SD_OK or the game's failure. */
  int (*init) (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err);
  /** Predecessors of q by inner moves: each p as often as p's `moves` counts moves to q. May name states that
   * do not exist. Called only for states that exist and are decided. Returns how many. */
  unsigned (*preds) (const void *ctx, sd_state q, sd_state *out);
  /** Optional: `preds` of several states together, for games in which neighbours have neighbours for
   * predecessors. Takes those of q.which that lie in q.first..q.first + *taken - 1, as many as it likes but
   * at least q.first, and writes all their predecessors as runs, each state in as many of them as `preds`
   * names it; at most max_preds runs for each state taken. Returns how many runs. Bit i of a run that is
   * written means the state first + i * run_stride. */
  unsigned (*preds_of_run) (const void *ctx, sd_run q, unsigned *taken, sd_run *out);
  unsigned run_stride; /* 0: 1 */
  /** States that preds_of_run takes together best: so many, at most 64, from a multiple of it on. 0: 64. */
  unsigned row;
  /** Optional: the game as `parts` games of their own, for a caller that solves these one behind the other, 0
   * first, and holds the records of one at a time. `part` makes the k-th, freed by part_free: a move into a
   * part below is a conversion to it, looked up in below[j][state] while the part's `init` runs. read_parts
   * tells values of the states first..first + n - 1 of the first read_states, from those of all parts. */
  unsigned parts; /* 0: it has none */
  uint64_t read_states;
  uint64_t (*part_states) (const void *ctx, unsigned k);
  int (*part) (const void *ctx, unsigned k, const sd_value *const *below, sd_game *out, sd_error *err);
  void (*part_free) (sd_game *g);
  void (*read_parts) (const void *ctx, const sd_value *const *value, sd_state first, uint64_t n,
                      sd_value *out);
  /** Optional, for solvers that look forward (papers/retrograde): successors of p by inner moves, each q as
   * often as p's `moves` counts moves to q, so that what `moves` counts beyond them are drawn conversions.
   * For states that exist and are not terminal. Returns how many; writes at most max_moves. */
  unsigned (*succs) (const void *ctx, sd_state p, sd_state *out);
  /** Optional. Called after every 100,000 states of init or so, while no other function of the game runs. It
   * frees what only init needs, such as a cache. over: init is never called again. */
  void (*tidy) (const void *ctx, bool over);
};

/* -------------------------------------------------------------------- deal */

/** Which rank holds which states (index mixing, Makhnychev 2012, 3.5). States are cut into grains of equal
 * length, and the grains are dealt out in turn: state s is in grain s / grain, which belongs to rank (s /
 * grain) mod size and is the (s / grain / size)th of that rank. A small grain spreads what is alike, such as
 * equal placements of the kings, over all ranks; with a large one most moves stay on their rank. */
typedef struct sd_deal {
  uint64_t nstates, grain;
  uint64_t inverse;     /* ceil (2^64 / size) */
  uint64_t reciprocal;  /* (2^64 - 1) / grain */
  unsigned size, shift; /* grain = 1 << shift, or shift = SD_DEAL_NO_SHIFT */
} sd_deal;
enum { SD_DEAL_NO_SHIFT = 64, SD_DEAL_GRAIN = 4096 };

/** As grain: each rank gets a single contiguous range. */
#define SD_DEAL_PLAIN UINT64_MAX

/** grain: SD_DEAL_PLAIN, or any number of states; 0: SD_DEAL_GRAIN. nstates * size < 2^64. Plain ranges that
 * are longer than SD_DEAL_GRAIN are whole words of 64 states. */
void sd_deal_make (uint64_t nstates, int size, uint64_t grain, sd_deal *out);

/** The grain for a game: `asked`, or, if that is 0, the game's blocks where they are not too long and enough
 * of them for an even share, in whole words of 64 states; else SD_DEAL_GRAIN. */
uint64_t sd_deal_grain (const sd_game *game, int size, uint64_t asked);

/** Number of states that a rank holds: its places are 0..count-1, in the order of the states. */
uint64_t sd_deal_count (const sd_deal *d, int rank);

/** x / grain for x < 2^63. */
static inline uint64_t sd_deal_div (const sd_deal *d, uint64_t x) {
  if (d->shift < SD_DEAL_NO_SHIFT)
    return x >> d->shift;
  const uint64_t q = (uint64_t) (((sd_u128) x * d->reciprocal) >> 64); /* or one less */
  return q + (x - q * d->grain >= d->grain);
}

/** Owner and place of a state. */
static inline void sd_deal_find (const sd_deal *d, sd_state s, int *owner, uint64_t *place) {
  if (d->size == 1) {
    *owner = 0;
    *place = s;
    return;
  }
  const uint64_t g = sd_deal_div (d, s);
  const uint64_t turn = (uint64_t) (((sd_u128) g * d->inverse) >> 64);
  *owner = (int) (g - turn * d->size);
  *place = s - (g - turn) * d->grain;
}

/** The state at a place, and how many states follow one another from there on. */
static inline sd_state sd_deal_state (const sd_deal *d, int rank, uint64_t place, uint64_t *run) {
  const uint64_t turn = sd_deal_div (d, place);
  if (run)
    *run = (turn + 1) * d->grain - place;
  return place + (turn * (d->size - 1) + (uint64_t) rank) * d->grain;
}

/* --------------------------------------------------------------- transport */

/** Carries groups of 32-bit words between ranks. MPI (transport_mpi.h) or a single process. Groups between
 * two ranks stay in order. A group belongs to a phase; a rank may be one phase ahead of another, never two,
 * and what it then sends waits until the receiver asks for that phase. Calls marked collective are made by
 * all ranks in the same order. */
typedef struct sd_transport {
  int rank, size;
  bool threads; /* several threads of a rank may call, one at a time */
  size_t group; /* the largest group that send takes, in words */
  void *ctx;
  /** Start sending words[0..n-1] to another rank; the words are copied. SD_ENOSPC: all buffers are on their
   * way: receive something, then try again. Never blocks. */
  int (*send) (void *ctx, int to, unsigned phase, const uint32_t *words, size_t n);
  /** The next group of this phase that has arrived, or *n = 0 if there is none now. With `wait`: rests a
   * moment before it says so. *words stays valid until the next call. */
  int (*receive) (void *ctx, unsigned phase, bool wait, int *from, const uint32_t **words, size_t *n);
  int (*sum) (void *ctx, uint64_t *v, unsigned n); /* collective: element-wise sum over ranks */
  int (*max) (void *ctx, uint64_t *v, unsigned n); /* collective: element-wise maximum */
  int (*gather) (void *ctx, const void *mine, size_t bytes,
                 void *all); /* collective: equal parts to rank 0, in rank order */
  int (*broadcast) (void *ctx, int root, void *data, size_t bytes); /* collective */
  /** End all ranks, with one sentence from this one; NULL: there are no others. Does not return. */
  void (*abort) (void *ctx, const char *text);
  /** Collective: out[] holds out_bytes[r] bytes for each rank r, in rank order, and in[] takes in_bytes[r]
   * from each r likewise; the two sides of a pair name the same number. */
  int (*exchange) (void *ctx, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes);
  /** A file that all ranks write and read, each where it likes. Texts of errors tell what failed and why, not
   * the file's name. open: collective, a file that is there already. sync: collective; what any rank has
   * written before lies on the disk and all ranks see it. close: collective. */
  int (*file_open) (void *ctx, const char *path, void **file, sd_error *err);
  int (*file_write) (void *file, uint64_t at, const void *data, size_t n, sd_error *err);
  int (*file_read) (void *file, uint64_t at, void *data, size_t n, sd_error *err);
  int (*file_sync) (void *file, sd_error *err);
  int (*file_close) (void *file, sd_error *err);
} sd_transport;

/** Words in the largest group of a transport over `size` ranks that has buffers of its own, and how many of
 * these it has to send from. */
size_t sd_transport_group (int size, unsigned *buffers);

/** One process, no MPI. Nothing to free. */
void sd_transport_self (sd_transport *out);

/** For a function of the transport that has returned st: SD_OK, or st with "WHO: the ranks could not exchange
 * WHAT". who may be NULL. */
int sd_exchanged (int st, const char *who, const char *what, sd_error *err);

/** Collective: did all ranks succeed? Each hands in its own status and error; all return the status of the
 * first rank that failed, with its text in err. The one way in which ranks decide to stop. */
int sd_agree (const sd_transport *t, int status, sd_error *err);

/* ------------------------------------------------------------------ solver */

/* statistics of all ranks together */
typedef struct sd_solve_stats {
  uint64_t states, marks_a, marks_b, groups; /* groups: messages */
  uint64_t looks;                            /* successors asked for, by solvers that look forward */
  unsigned passes;                           /* over the states, by solvers that look forward */
  uint64_t bytes;                            /* arrays and buffers, the game's own among them */
  uint64_t values_bytes;                     /* decoded of sub-endings at most (sd_gen_build, sd_gen_solve) */
  unsigned plies;                            /* of the longest win or loss */
  double init_s, iterate_s;                  /* wall, of the slowest rank */
  double iterate_cpu_s;                      /* of this process, since it began or resumed */
  uint64_t transfers, moved;                 /* balancing, in this process: gifts, and states in them */
  uint64_t message_bytes;                    /* of the messages, in this process */
} sd_solve_stats;

/** What one iteration was, over all ranks. */
typedef struct sd_iteration {
  unsigned ply;
  uint64_t states, states_most;    /* that sent marks: in all, on one rank at most */
  uint64_t marks, marks_most;      /* sent: the same */
  uint64_t runs;                   /* of marks: those of one go to neighbours */
  uint64_t messages, message_bytes; /* between ranks, in all */
  double seconds, busy, busy_most; /* wall of the slowest rank; not waiting for others: mean, most */
  uint64_t transfers, moved;       /* balancing: gifts, and states in them */
} sd_iteration;

typedef struct sd_checkpoint sd_checkpoint;

/** Stages of making a table, told by sd_progress.stage: every state's moves are counted; values spread; the
 * table is coded and written. */
enum sd_gen_stage { SD_STAGE_COUNT, SD_STAGE_SPREAD, SD_STAGE_CODE, SD_GEN_STAGES };

/** How to solve; all zero: the defaults. */
typedef struct sd_solve_options {
  uint64_t grain;   /* of the deal, see sd_deal_grain */
  unsigned threads; /* of each rank; 0: as many as OpenMP would use */
  /** Load balancing (Makhnychev 2012, 3.6), by the same options on all ranks; task is measured. NULL: none.
   */
  const sd_balance_options *balance;
  const sd_checkpoint *checkpoint; /* start from what it loads and save to it; NULL: none */
  const sd_progress *progress;     /* called on every rank that passes one; may be NULL */
  /** Called on rank 0 after each iteration. All ranks pass one, or none; it costs two reductions. */
  void (*trace) (void *ctx, const sd_iteration *it);
  void *trace_ctx;
} sd_solve_options;

/** Values of the states that this rank holds: value[place], as `deal` says. Where they do not stand in memory
 * value is NULL, the deal is plain, and `read` tells those of n neighbouring states; any thread may call it.
 */
typedef struct sd_solution {
  sd_deal deal;
  sd_value *value; /* the caller frees it */
  void (*read) (const void *ctx, sd_state first, uint64_t n, sd_value *out);
  const void *ctx;
} sd_solution;

/** Collective: the values of all states, in order, on rank 0; the others get NULL. The caller frees *out. */
int sd_solution_gather (const sd_transport *t, const sd_solution *s, sd_value **out, sd_error *err);

/** Solve `game` over all ranks of `t` and their threads (collective; all ranks get the same status). The
 * values are the same for every number of ranks and threads, every deal, and with and without checkpoints.
 * SD_ENOMEM; SD_ERANGE: a count or a number of plies does not fit the 16-bit record; SD_EINVAL: the game
 * contradicts itself; what game->init returns. options and stats may be NULL. On a failure out->value is
 * NULL. */
typedef int sd_solve_way (const sd_game *game, const sd_transport *t, const sd_solve_options *options,
                          sd_solution *out, sd_solve_stats *stats, sd_error *err);
sd_solve_way sd_solve;

/* -------------------------------------------------------------- checkpoints */

enum { SD_POINT_PART = 1 << 16 };

/** What the solver knows at the border before iteration `ply`, beside its records; sums and maxima over all
 * ranks. */
typedef struct sd_solve_point {
  unsigned ply, plies;               /* the next iteration, in a checkpoint plus SD_POINT_PART for each part
                                        that is solved; the longest win or loss so far */
  uint64_t marks_a, marks_b, groups; /* so far */
  double init_s, iterate_s;          /* so far */
} sd_solve_point;

/** How the solver hands out its state at the borders of iterations and gets it back: after the start and
 * between iterations, whenever its interval has passed on some rank, and at the end if there was a save
 * before (what follows a long solve may be long too). Both functions are collective. rec[place] is the record
 * of a state under `deal`, 16 bits whose meaning is the solver's own, the same for every deal. */
struct sd_checkpoint {
  void *ctx;
  double interval; /* seconds from one save to the next border at which another is due; 0: every border */
  /** Keep this. A failure ends the solve with it: an implementation that prefers to go on returns SD_OK. */
  int (*save) (void *ctx, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
               const uint16_t *rec, sd_error *err);
  /** Fill rec and *at with what was kept for this game, under whatever deal; SD_ENOENT: nothing that can be
   * used (rec may have been written to), start from the beginning; another failure ends the solve with it.
   * The same status on all ranks. */
  int (*load) (void *ctx, const sd_game *game, const sd_deal *deal, sd_solve_point *at, uint16_t *rec,
               sd_error *err);
  /** For a game that is solved part by part, before its first part; optional. at: where the game of that name
   * stands (sd_solve_point.ply), on all ranks alike; SD_ENOENT: nowhere, and what cannot be used has been
   * told about. refuse: tell that what is kept is not used, and why; not collective. */
  int (*at) (void *ctx, const char *name, unsigned *ply);
  void (*refuse) (void *ctx, const char *name, const char *why);
};

/** Told on rank 0. problem: something is wrong, but the run goes on. */
typedef struct sd_notice {
  void (*say) (void *ctx, bool problem, const char *text);
  void *ctx;
} sd_notice;

/** Checkpoints in files: FOLDER/manifest and one file a rank (docs/checkpoint.md). The folder is made by the
 * first save. Whenever the processes are killed, either the old or the new checkpoint is there, whole.
 * Loading takes one made by any number of ranks. What is damaged, foreign or incomplete is told about and not
 * used; a save that fails is told about once, and the checkpoint before it stays. Collective, but touches no
 * file yet; the transport must outlive it. */
int sd_checkpoint_open (const char *folder, double interval, const sd_transport *t, const sd_notice *say,
                        sd_checkpoint *out, sd_error *err);

/** Leaves the files. */
void sd_checkpoint_close (sd_checkpoint *c);

/** Remove the files of a checkpoint, and the folder if nothing else is in it; one that is in use, by this
 * process or another, is left alone: close it first. Not collective; silent. */
void sd_checkpoint_remove (const char *folder);

#endif
