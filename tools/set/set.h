/** \file set.h
 * What `subdef set` does: exact tables and recoded files of many endings, made in an order in which each has
 * what it needs, by child processes, several at a time and several tasks together. command.c reads options,
 * folders.c makes and clears folders, jobs.c lists what is to be made, look.c finds what is there, estimate.c
 * says what it takes, left.c what is left of it, run.c makes it, row.c what is known of a file then, child.c
 * starts a program, manifest.c keeps the rows, say.c tells it. */
#ifndef SD_SET_H
#define SD_SET_H

#include "gen/gen.h"
#include "tools/positions.h"
#include "tools/reformat/choices.h"
#include "tools/reformat/done.h"
#include <sys/resource.h>
#include <sys/types.h>

/** What is asked for. */
typedef struct sd_set_options {
  sd_words words;
  unsigned men, jobs; /* jobs 0: as many as there are cores */
  unsigned metrics;   /* a bit each */
  const char *out, *exact, *game;
  double memory;                                    /* bytes; 0: seven eighths of the machine's */
  bool only, estimate, force, smaller, quiet, json; /* only: files of what is named alone */
  const char *choice[SD_REFORMAT_WORDS];            /* words for reformat */
  unsigned nchoices;
} sd_set_options;

/** A table that is to be made: an exact one by the generator, or a file of the set by reformat. */
typedef struct sd_set_job {
  bool exact;
  enum sd_metric metric;
  sd_slice slice;
  char name[SD_SLICE_NAME], file[SD_GAME_FILE_NAME];
  char key[SD_SLICE_NAME + 32]; /* of its lock: "KRvKP.wdl", "KRvKP.exact-dtm" */
  unsigned *from, nfrom;        /* the jobs of exact tables that it reads; of a file its own ending's first */
  char how[SD_REFORMAT_HOW];    /* not of exact tables: what is asked for */
  double guess_s;               /* CPU seconds as estimated from the material */
  double took_s;                /* that it has taken; 0: not known, or not there */
  double cpu_s;                 /* estimates: time, by what others took (left.c), */
  uint64_t memory, disk;        /* bytes while it is made, bytes of the table */
  uint64_t slots;               /* of its ending, both sides to move together */
  enum { SD_SET_OPEN, SD_SET_RUNS, SD_SET_THERE, SD_SET_FAILED } at;
  bool needed;  /* of an exact table: something that is not there is made of it */
  bool own;     /* this task has made it */
  bool lost;    /* it reads a table that could not be made */
  bool counts;  /* it was not there at the beginning, or was made again */
  bool sampled; /* estimates come from samples of its exact table, not from constants */
} sd_set_job;

/** A child at work on a job. */
typedef struct sd_set_child {
  pid_t pid; /* 0: none */
  unsigned job, threads;
  int lock, out, err; /* files: the lock of its job, what it prints */
} sd_set_child;

/** What a child took. */
typedef struct sd_set_took {
  int status; /* of wait */
  double cpu_s;
  uint64_t memory; /* bytes resident at one time at most */
} sd_set_took;

typedef struct sd_set {
  const sd_set_options *opt;
  sd_rules rules;
  sd_task task;
  char exact[4096], made[4096], work[4096]; /* folders: exact tables, files without a place yet, locks */
  bool keeps_exact;
  int shared; /* a lock that all tasks at work in the folder share; -1: none */
  sd_set_job *job;
  unsigned n;
  uint64_t room;
  json_t *manifest;
  sd_set_child *child;
  double *child_s;    /* CPU seconds of each up to now */
  unsigned nchildren; /* at a time */
  unsigned cores;
  uint64_t memory; /* for all children of this task */
  double left;     /* CPU seconds of what was not there at the beginning */
  int status;
} sd_set;

/** Where a file of a folder is; SD_EINVAL: the path is too long. folders.c */
int sd_set_path (const char *folder, const char *file, char out[4096], sd_error *err);
/** The names of the folders. SD_EINVAL: they cannot be these. */
int sd_set_name_folders (sd_set *s, sd_error *err);
/** The folders themselves, and a share in them: all tasks in them do the same. SD_EIO. */
int sd_set_enter (sd_set *s, sd_error *err);
/** Out again; the last task to leave a complete set removes what the work has left. */
void sd_set_leave (sd_set *s);

/** The jobs in an order in which each stands behind those that it reads. jobs.c */
int sd_set_jobs (sd_set *s, sd_error *err);
void sd_set_jobs_free (sd_set *s);

/** Which jobs are there, by the manifest and the folders. SD_EIO: a file that is not of this set is in the
 * place of one. With --estimate nothing in the folders is changed. look.c */
int sd_set_look (sd_set *s, sd_error *err);
/** Again, when other tasks may have made some. Which exact tables are needed; those of this set that are not
 * are removed. */
int sd_set_look_again (sd_set *s, sd_error *err);
/** Does a file hold what a row of the manifest says? Its bytes are read. row NULL: no. */
int sd_set_is_file_of (const char *path, const json_t *row, bool *is, sd_error *err);

/** What a job takes, before it is begun: cpu_s, memory, disk, and slots; those that it reads are known.
 * estimate.c */
int sd_set_estimate (const sd_set *s, sd_set_job *j, sd_error *err);
/** The same of files whose exact tables are all there, by samples of these, which takes a while. Not of
 * searches, nor of games without layouts. */
int sd_set_sample (sd_set *s, sd_error *err);
/** cpu_s of all jobs, from guess_s and what jobs of the same kind took; it may be called again and again.
 * left.c */
void sd_set_learn (sd_set *s);
/** What is done of a set and what is left, in CPU seconds. */
typedef struct sd_set_reckoning {
  double done, left;
  bool known;               /* something is left that an estimate tells */
  const sd_set_child *late; /* a child that takes longer than its estimate; NULL: none does */
} sd_set_reckoning;
/** child_s[c]: what child c has taken; what it is at, by s->child. Other tasks' jobs count when they are
 * there. */
void sd_set_reckon (const sd_set *s, const double *child_s, sd_set_reckoning *out);
/** The most bytes of exact tables at one time, by estimates, if the jobs are done in their order. */
uint64_t sd_set_most_disk (const sd_set *s);

/** Make all that is not there. A job that fails is told, and is in s->status. run.c */
int sd_set_run (sd_set *s, sd_error *err);

/** What a child has made goes into the manifest and to its place. row.c */
int sd_set_file_made (sd_set *s, sd_set_job *j, const sd_set_child *c, const sd_set_took *took,
                      sd_error *err);
int sd_set_exact_made (sd_set *s, const sd_set_job *j, const sd_set_took *took, sd_error *err);

/** sd_lock_take of WORK/NAME. child.c */
int sd_set_lock (const sd_set *s, const char *name, bool shared, bool wait, int *lock, sd_error *err);
/** A job is one process's at a time. *lock -1: another has it. */
int sd_set_claim (const sd_set *s, const sd_set_job *j, int *lock, sd_error *err);
/** Start a program on a job. c has job, threads and lock, which is closed after a failure. */
int sd_set_start (sd_set_child *c, char **argv, sd_error *err);
/** CPU seconds that a child has taken up to now, or in all if it has ended and sd_set_ended has not said so
 * yet; 0: not known. */
double sd_set_cpu_now (const sd_set_child *c);
/** Has it ended? *took then says what it took. */
bool sd_set_ended (const sd_set_child *c, sd_set_took *took);
/** All that it has printed, malloced; NULL: no memory. */
char *sd_set_output (const sd_set_child *c);
/** The last line that it left on standard error; empty: none. */
void sd_set_complaint (const sd_set_child *c, char *out, size_t cap);
/** Give up its files, the lock among them. */
void sd_set_child_free (sd_set_child *c);
/** User and system time in seconds. */
double sd_set_cpu_of (const struct rusage *u);

/** The manifest of a folder; where there is none, an empty one. manifest.c */
int sd_manifest_read (const char *folder, json_t **out, sd_error *err);
/** The same in place of s->manifest. */
int sd_manifest_renew (sd_set *s, sd_error *err);
/** The row of a file, or NULL. list: "files", "exact". */
json_t *sd_manifest_row (const json_t *manifest, const char *list, const char *table, enum sd_metric metric);
/** Put a row in place of that of the same table and metric into s->manifest and the file. The manifest's lock
 * is held, and s->manifest is what the file says. Takes row. */
int sd_manifest_put (sd_set *s, const char *list, json_t *row, sd_error *err);
/** Wait for the manifest's lock, and renew. */
int sd_manifest_lock (sd_set *s, int *lock, sd_error *err);

/** A job is over. row: of a file that was made, or stays. say.c */
void sd_set_say (sd_set *s, const sd_set_job *j, const json_t *row);
/** Before the work, or in place of it. */
void sd_set_say_estimate (const sd_set *s);
void sd_set_say_sum (const sd_set *s, double seconds, double cpu_s);

#endif
