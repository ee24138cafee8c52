/** \file subdef_gen.h
 * What the files of subdef-gen share: its options, its jobs, what it prints. subdef_gen.c runs the whole,
 * subdef_gen_args.c reads options (also for `subdef gen`), subdef_gen_jobs.c finds what is to be made,
 * subdef_gen_build.c makes it, subdef_gen_report.c prints. Collective: all ranks call it, in the same order,
 * and get the same status. */
#ifndef SD_TOOLS_SUBDEF_GEN_H
#define SD_TOOLS_SUBDEF_GEN_H

#include "gen/gen.h"
#include "papers/retrograde/solvers/solvers.h"

typedef struct sd_gen_options {
  const char *game; /* NULL: the first of the list */
  char **slice;     /* names as typed */
  unsigned nslices, men;
  const char *folder; /* of the tables; NULL: the first one of SUBDEF_PATH */
  bool force, only, estimate, measure, quiet, progress, json;
  const sd_solver_kind *solver;
  double checkpoint; /* seconds between checkpoints, 0 = none */
  uint64_t grain;    /* --mixing */
  bool balanced;     /* by `balance` */
  sd_balance_options balance;
  bool log;         /* a line for each iteration */
  unsigned threads; /* of each rank; 0: as OpenMP says */
  unsigned ranks;   /* estimates only: as if there were so many; 0: as there are */
  enum sd_metric metric;
  const char *codec, *set;
  sd_gen_coding coding; /* what these two say */
  bool done;            /* help or version was printed */
} sd_gen_options;

/** Parse the command line; `speak`: print messages and help (one rank does). ENOMEM, or another error number:
 * wrong usage. o->slice stays in argv. */
int sd_gen_parse (int argc, char **argv, bool speak, sd_gen_options *o);

/** A run over all ranks: who takes part, what is asked for, of which game. */
typedef struct sd_gen_session {
  const sd_gen_options *o;
  const sd_transport *t;
  sd_rules rules;
  const char *folder;       /* where tables are read and written */
  sd_estimate_run estimate; /* how the run is, as estimates must know it */
} sd_gen_session;

/** A table that the run is to make. */
typedef struct sd_gen_job {
  sd_slice slice;
  char name[SD_SLICE_NAME];
  char *path, *checkpoint; /* of the table; of what is kept while it is made */
  bool skip;               /* it is there already, and whole */
  sd_estimate estimate;
} sd_gen_job;

/** Collective: where the tables are, made if it is not there, and rid of tables that killed runs have left
 * half written (neither for --estimate). room[0..cap-1] may hold it. */
int sd_gen_folder (sd_gen_session *s, char *room, size_t cap, sd_error *err);
/** Collective: the tables of the slices want[0..n-1] and of all that they depend on, in the order of
 * building. Whole ones are to be skipped; a damaged one, or another one, is told about. *out is malloced. */
int sd_gen_jobs (const sd_gen_session *s, const sd_slice *want, unsigned n, sd_gen_job **out, unsigned *nout,
                 sd_error *err);
void sd_gen_jobs_free (sd_gen_job *jobs, unsigned n);

/** Where the trace finds the name of what is solved. */
typedef struct sd_gen_log {
  const char *name;
  int size;
} sd_gen_log;
/** What making a table needs besides. */
typedef struct sd_gen_making {
  sd_notice notice; /* what the checkpoint has to tell goes there */
  sd_checkpoint checkpoint;
  sd_gen_log log;
  sd_solve_options how;
  double start; /* of sd_now */
} sd_gen_making;
/** Collective: open the checkpoint, if there is to be one. progress may be NULL. *m must stay where it is. */
int sd_gen_begin (const sd_gen_session *s, const sd_gen_job *j, const sd_progress *progress, sd_gen_making *m,
                  sd_error *err);
/** After sd_gen_begin, even if it failed. made: the table is there, and the checkpoint goes. */
void sd_gen_end (const sd_gen_session *s, const sd_gen_job *j, sd_gen_making *m, bool made);
/** A line about an iteration, as sd_solve_options.trace; ctx: an sd_gen_log. */
void sd_gen_log_iteration (void *ctx, const sd_iteration *it);
/** What a checkpoint has to tell, as sd_notice.say; ctx: the options. Good news are not for --quiet. */
void sd_gen_checkpoint_says (void *ctx, bool problem, const char *text);

/** Collective: make the tables of the jobs that are not to be skipped, and tell on rank 0 of each in their
 * order; after a failure none is begun. (subdef_gen_build.c) */
int sd_gen_build_all (const sd_gen_session *s, sd_gen_job *jobs, unsigned n, sd_error *err);

/** Collective: print what 'subdef simulate --measured' reads, from solving the endings want[0..n-1] in memory
 * and from messages by themselves. SD_EINVAL: one rank, another game. (subdef_gen_measure.c) */
int sd_gen_measure (const sd_gen_session *s, const sd_slice *want, unsigned n, sd_error *err);

/** Bytes that jobs made side by side may take together, as each is estimated: an eighth of the machine's
 * memory, or what the largest one of all takes. */
uint64_t sd_gen_room (const sd_gen_job *jobs, unsigned n);

/** May one thread of several make the table of a job, beside others? */
bool sd_gen_is_small (const sd_gen_job *j);

/** Tell on rank 0 what the jobs take, a line each and in all: before the work, or instead of it. */
void sd_gen_print_estimates (const sd_gen_session *s, const sd_gen_job *jobs, unsigned n);

/** Memory of this process that was resident at one time, in bytes, since the last call of forget. */
uint64_t sd_gen_resident (void);
void sd_gen_forget_resident (void);

/** Print the line of a table that has been made. resident: bytes of all ranks. */
void sd_gen_print_result (const sd_gen_session *s, const sd_gen_job *j, const sd_gen_stats *stats,
                          double seconds, uint64_t resident);

#endif
