/** \file gen.h
 * Retrograde analysis (S2): the game interface, the parallel solver that knows neither chess nor MPI, the transport that carries
 * its marks, and the chess game. Uses table/, chess/, indexer/. The solver and the games never include mpi.h. */
#ifndef SD_GEN_H
#define SD_GEN_H

#include "table/table.h"

/* -------------------------------------------------------------------- game */

/** State of a game, 0..nstates-1, dense; both sides to move are states of their own. */
typedef uint64_t sd_state;

/** What the solver must know about a state before it starts. */
typedef struct sd_state_info {
  bool exists;      /* false: no legal position; it gets SD_ILLEGAL and takes no part */
  bool terminal_lost, terminal_won; /* decided on the board, 0 plies */
  uint16_t moves;   /* C(p): how many predecessor marks will arrive from children inside the game, plus the children outside
                       (conversions) that are not lost for their mover... see solver.c; 0 with nothing else = drawn (stalemate) */
  uint16_t win;     /* best conversion: win in this many plies (odd), 0 = none */
  uint16_t loss;    /* longest conversion into a child won for the opponent: loss in this many plies (even), 0 = none; each
                       such conversion is already subtracted from `moves`; drawn conversions are left in `moves`, so that C never
                       reaches 0 */
} sd_state_info;

/** A game. Functions are called from one thread per rank and must not change ctx (except scratch of their own). */
typedef struct sd_game {
  const char *name;
  void *ctx;
  uint64_t nstates;
  unsigned max_moves;  /* no state has more; sizes the record */
  unsigned max_preds;  /* no state has more predecessors */
  /** info for states first, first + stride, ... (count of them). SD_OK or the game's failure. */
  int (*init) (const void *ctx, sd_state first, uint64_t stride, uint64_t count, sd_state_info *out, sd_error *err);
  /** Predecessors of q by moves inside the game: each p as often as p's `moves` counts moves to q. May name states that do not
   * exist (the solver drops marks to them). Returns how many. */
  unsigned (*preds) (const void *ctx, sd_state q, sd_state *out);
} sd_game;

/* --------------------------------------------------------------- transport */

/** Carries groups of marks between ranks. MPI (transport_mpi.c) or a single process (transport_self.c). Collective calls are
 * marked; all others are local. */
typedef struct sd_transport {
  int rank, size;
  void *ctx;
  /** Start sending n marks to `to` (buffer is copied or owned until sent). `last`: no more marks from me to `to` in this phase. */
  int (*send) (void *ctx, int to, unsigned phase, const uint32_t *marks, size_t n, bool last);
  /** Deliver what has arrived of this phase: calls apply once per group; returns SD_OK. wait: block until something is there. */
  int (*poll) (void *ctx, unsigned phase, bool wait, void (*apply) (void *arg, const uint32_t *marks, size_t n), void *arg,
               int *lasts_seen);
  int (*sum) (void *ctx, uint64_t *v, unsigned n);                       /* collective: element-wise sum over ranks */
  int (*max) (void *ctx, uint64_t *v, unsigned n);                       /* collective: element-wise maximum */
  int (*gather) (void *ctx, const void *mine, size_t bytes, void *all);  /* collective: equal parts to rank 0, in rank order */
  int (*broadcast) (void *ctx, void *data, size_t bytes);                /* collective: from rank 0 */
} sd_transport;

/** One process, no MPI. */
void sd_transport_self (sd_transport *out);

/* ------------------------------------------------------------------ solver */

typedef struct sd_solve_stats {
  uint64_t states, marks_a, marks_b, groups, bytes; /* of all ranks; bytes: peak of the solver's arrays and buffers */
  unsigned plies;                                   /* largest distance */
  double init_s, iterate_s;
} sd_solve_stats;

/** Solve `game` over all ranks of `t` (collective). On return value[0..ceil ((nstates - rank) / size) - 1] holds the values of the
 * states rank, rank + size, ...: same for every number of ranks. */
int sd_solve (const sd_game *game, const sd_transport *t, const sd_progress *progress, sd_value **value,
              sd_solve_stats *stats, sd_error *err);

/* ------------------------------------------------------------------- chess */

/** The ending m (canonical) as a game; successors must be loaded in s, which must outlive the game. States: side * n + slot for
 * the sides stored, then the positions with an en-passant right that can be used (their values feed the double steps and are not
 * stored). */
int sd_chess_game_new (const sd_exacts *s, const sd_material *m, sd_game *out, sd_error *err);
void sd_chess_game_free (sd_game *g);

/* ------------------------------------------------------------------ building */

/** Memory, disk and time that generating m takes, before it starts. */
typedef struct sd_estimate {
  uint64_t slots, memory_bytes, disk_bytes;
  double cpu_s;
} sd_estimate;
void sd_gen_estimate (const sd_material *m, int ranks, sd_estimate *out);

#endif
