/** \file subdef_gen.h
 * What the files of subdef-gen share: its options, what it prints. */
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
  bool log;         /* a line for each iteration */
  unsigned threads; /* of each rank; 0: as OpenMP says */
  const char *codec, *set;
  sd_gen_coding coding; /* what these two say */
  bool done;            /* help or version was printed */
  /* chess */
  unsigned ranks; /* estimates only: as if there were so many; 0: as there are */
  sd_material *want;
  unsigned nwant, room;
} sd_gen_options;

/** Parse the command line; `speak`: print messages and help (one rank does). ENOMEM, or another error number:
 * wrong usage. The caller frees o->want. */
error_t sd_gen_parse (int argc, char **argv, bool speak, sd_gen_options *o);

/** The options of all games, for argp's children; its input is a sd_gen_options. */
extern const struct argp sd_gen_common_argp;
/** --WHAT N, a number from least to most; EINVAL: told about by argp_error. */
error_t sd_gen_parse_count (const char *arg, const char *what, long least, long most,
                            struct argp_state *state, unsigned *out);
/** What these options say to the solver; name, o, and checkpoint and progress, which may be NULL, must
 * outlive it. log: where the trace finds its name. */
typedef struct sd_gen_log {
  const char *name;
  int size;
} sd_gen_log;
sd_solve_options sd_gen_how (const sd_gen_options *o, sd_gen_log *log, const sd_checkpoint *checkpoint,
                             const sd_progress *progress);
/** What a checkpoint has to tell, as sd_notice.say; ctx: the options. Good news are not for --quiet. */
void sd_gen_checkpoint_says (void *ctx, bool problem, const char *text);

/** Collective: each rank has parsed the command line with this result; the exit status, SD_EXIT_OK to go on.
 * Wrong usage is wrong on all ranks, but memory may end on one of them: that is told here. */
int sd_gen_agree_usage (const sd_transport *t, error_t parsed);
/** Tell on rank 0 why the run fails; the exit status. */
int sd_gen_complain (const sd_transport *t, const sd_error *err);

/** A table that a run is to make. */
typedef struct sd_gen_job {
  char *path, *checkpoint; /* of the table; of what is kept while it is made */
  bool skip;               /* it is there already, and whole */
} sd_gen_job;

/** Collective: where the tables are, made if it is not there, and rid of tables that killed runs have left
 * half written (neither for --estimate). room[0..cap-1] may hold it. */
int sd_gen_folder (const sd_gen_options *o, const sd_transport *t, char *room, size_t cap, const char **out,
                   sd_error *err);
/** Paths of a job: FOLDER/FILE, FOLDER/NAME.ckpt; the caller frees them by sd_gen_job_free. */
int sd_gen_job_paths (sd_gen_job *j, const char *folder, const char *file, const char *name, sd_error *err);
void sd_gen_job_free (sd_gen_job *j);
/** On rank 0, not with --force: is there a whole table that is `ours`? A damaged one is told about and built
 * again, another one with the words `other`. SD_ENOMEM: not known. */
int sd_gen_job_look (const sd_gen_options *o, const sd_transport *t, sd_gen_job *j,
                     bool (*ours) (const void *ctx, const sd_table_info *info), const void *ctx,
                     const char *other, sd_error *err);
/** Collective: each rank has looked with status st; what rank 0 has seen goes to all. jobs: n structs of
 * `bytes`, each with its sd_gen_job as first member. */
int sd_gen_jobs_agree (const sd_transport *t, int st, void *jobs, size_t bytes, unsigned n, sd_error *err);

/** What making a table needs besides. */
typedef struct sd_gen_making {
  sd_notice notice;
  sd_checkpoint checkpoint;
  sd_gen_log log;
  sd_solve_options how;
  double start;
} sd_gen_making;
/** Collective: open the checkpoint, if there is to be one. name: in the log. *m must stay where it is. */
int sd_gen_begin (const sd_gen_options *o, const sd_transport *t, const sd_gen_job *j, const char *name,
                  const sd_progress *progress, sd_gen_making *m, sd_error *err);
/** After sd_gen_begin, even if it failed. made: the table is there, and the checkpoint goes. */
void sd_gen_end (const sd_transport *t, const sd_gen_job *j, sd_gen_making *m, bool made);

/** The table of estimates: its head, a row, the last lines. `all`: sums, and the most memory. */
void sd_gen_estimate_head (FILE *f);
void sd_gen_estimate_row (FILE *f, const char *name, const sd_estimate *e, bool skipped);
void sd_gen_estimate_foot (FILE *f, const sd_estimate_run *run, const sd_estimate *all, unsigned open,
                           unsigned n);
/** The same as an object of JSON, for each ending. */
void sd_gen_estimate_json (const char *name, const sd_estimate_run *run, const sd_estimate *e, bool skipped);

/** Memory of this process that was resident at one time, in bytes, since the last call of forget. */
uint64_t sd_gen_resident (void);
void sd_gen_forget_resident (void);

typedef struct sd_gen_result {
  const char *name;
  const sd_estimate *estimate;
  const sd_solve_stats *stats;
  const sd_output_stats *output;
  double seconds;
  uint64_t resident_bytes; /* of all ranks */
} sd_gen_result;
void sd_gen_result_row (const sd_gen_result *r, bool json);

/** Was another game than chess asked for (--game)? */
bool sd_gen_is_game (int argc, char **argv);
/** Solve it over all ranks (collective); returns the exit status. */
int sd_gen_game (int argc, char **argv, const sd_transport *t);

#endif
