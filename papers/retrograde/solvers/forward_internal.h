/* What the solvers that look forward share: values, conversions, successors. One rank.
 *
 * They keep 4 bytes a state: its value and what its conversions give, so that no sub-ending is looked up
 * twice. Moves are not kept, they are made anew each time: that is what these algorithms are. */
#ifndef SD_FORWARD_INTERNAL_H
#define SD_FORWARD_INTERNAL_H

#include "gen/solve/solve.h"

/* exits[p]: the shortest win (odd) or the longest loss (even) by a conversion in plies, 0 = none; and HELD:
 * the state cannot be lost, since a conversion wins or draws, or it is a stalemate. */
enum { SD_EXIT_HELD = 0x8000, SD_EXIT_PLIES = 0x7fff };

typedef struct sd_forward {
  const sd_game *game;
  sd_value *value; /* 0: not decided, or drawn */
  uint16_t *exits;
  sd_state *succ; /* of the state at hand */
  uint64_t decided, looks;
  unsigned passes, plies;
  const sd_progress *progress;
  double begun, ready, ready_cpu;
} sd_forward;

/* Values of terminal states, exits of all. SD_EUNSUPPORTED: more than one rank, a checkpoint, no succs. */
int sd_forward_begin (sd_forward *f, const sd_game *game, const sd_transport *t, const sd_solve_options *o,
                      sd_error *err);
/* Hand out the values if st is SD_OK, free the rest; returns st. */
int sd_forward_end (sd_forward *f, int st, sd_solution *out, sd_solve_stats *stats);
/* f->succ[0..*n-1]. */
int sd_forward_succs (sd_forward *f, sd_state p, unsigned *n, sd_error *err);
/* A number of plies that no value holds. */
int sd_forward_too_far (const sd_forward *f, sd_error *err);

sd_solve_way sd_solve_sequential, sd_solve_forward;

#endif
