/** \file solvers.h
 * The ways to solve a game, by name: the generator's own, and those that it is compared with (Makhnychev
 * 2012, 3.2; Kristensen 2005, 2.2). The programs link them for their option --solver; the generator's library
 * has its own alone. */
#ifndef SD_SOLVERS_H
#define SD_SOLVERS_H

#include "gen/solve/solve.h"

/** A way to solve a game. All ways give the same values. */
typedef struct sd_solver_kind {
  const char *name, *summary, *source;
  bool ranks;          /* several ranks; else `solve` returns SD_EUNSUPPORTED with more than one */
  bool resumable;      /* takes a checkpoint; else `solve` returns SD_EUNSUPPORTED with one */
  bool forward;        /* needs game->succs, SD_EUNSUPPORTED without */
  const char *same_as; /* the solver whose code this is, under another name; NULL: its own */
  sd_solve_way *solve;
} sd_solver_kind;

/** The i-th solver, NULL beyond the last; 0 is the generator's own. */
const sd_solver_kind *sd_solver_at (unsigned i);
/** NULL: no solver of that name. */
const sd_solver_kind *sd_solver_find (const char *name);

#endif
