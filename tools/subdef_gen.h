/** \file subdef_gen.h
 * What the two files of subdef-gen share: its options. */
#ifndef SD_TOOLS_SUBDEF_GEN_H
#define SD_TOOLS_SUBDEF_GEN_H

#include "gen/gen.h"
#include <argp.h>

typedef struct sd_gen_options {
  const char *folder;
  bool force, estimate, quiet, progress, json;
  const sd_solver_kind *solver;
  double checkpoint; /* seconds between checkpoints, 0 = none */
  uint64_t grain;    /* --mixing */
  bool balanced;     /* by `balance` */
  sd_balance_options balance;
  bool log; /* a line for each iteration */
  bool done;         /* help or version was printed */
  sd_material *want;
  unsigned nwant, room;
} sd_gen_options;

/** Parse the command line; `speak`: print messages and help (one rank does). ENOMEM, or another error number:
 * wrong usage. The caller frees o->want. */
error_t sd_gen_parse (int argc, char **argv, bool speak, sd_gen_options *o);

/** --solver NAME; EINVAL: told about by argp_error. */
error_t sd_gen_parse_solver (const char *name, struct argp_state *state, const sd_solver_kind **out);

/** Collective: each rank has parsed the command line with this result; the exit status, SD_EXIT_OK to go on.
 * Wrong usage is wrong on all ranks, but memory may end on one of them: that is told here. */
int sd_gen_agree_usage (const sd_transport *t, error_t parsed);
/** Tell on rank 0 why the run fails; the exit status. */
int sd_gen_complain (const sd_transport *t, const sd_error *err);

/** Was another game than chess asked for (--game)? */
bool sd_gen_is_game (int argc, char **argv);
/** Solve it over all ranks (collective); returns the exit status. */
int sd_gen_game (int argc, char **argv, const sd_transport *t);

#endif
