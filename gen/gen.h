/** \file gen.h
 * From an ending or a slice of another game to its table file: the order of building, estimates, solving,
 * coding by all ranks. */
#ifndef SD_GEN_H
#define SD_GEN_H

#include "gen/games/chess/chess_game.h"
#include "recode/recode.h"

/* ------------------------------------------------------------------ building */

/** How the generator codes what it writes. */
typedef struct sd_gen_coding {
  const sd_codec *codec; /* its blocks can be coded apart (sd_blocks_apart) */
  sd_settings settings;
} sd_gen_coding;
/** codec: the name of one; NULL: lzma. set: its settings as text; NULL: its own but for blocks of 1 MiB, and
 * for the codec NULL LZMA's preset 2. SD_EINVAL: unknown, or it cannot code blocks apart. Thread-safe. */
int sd_gen_coding_parse (const char *codec, const char *set, sd_gen_coding *out, sd_error *err);

/** How an ending is going to be generated; all zero: one process with one thread, the default deal. */
typedef struct sd_estimate_run {
  int ranks;                   /* 0: 1 */
  unsigned threads;            /* of each rank; 0: 1 */
  bool mpi;                    /* under mpirun, also with one rank */
  uint64_t grain;              /* of the deal, see sd_deal_grain */
  const sd_gen_coding *coding; /* memory follows it; disk and time are of the default, which is NULL */
} sd_estimate_run;

/** What generating one ending takes, before it starts: of all ranks together. How near it comes is measured
 * in papers/retrograde. */
typedef struct sd_estimate {
  uint64_t slots;  /* of the sides stored together */
  uint64_t states; /* of the solver: with en-passant rights */
  int least_ranks; /* more states do not fit one rank */
  /* Where a conversion loses in more moves than this, the ending is refused at the start (SD_ERANGE). Above
   * SD_LONGEST_SIX for all endings but some of 7 men with four queens and more. */
  unsigned longest_conversion;

  /* Memory by phase: counted as sd_solve_stats.bytes + values_bytes, and sd_output_stats.bytes, are. Exact
   * but for what is decoded of sub-endings (all that is asked for, within the budget) and the coded bytes. */
  uint64_t solve_bytes, output_bytes;
  uint64_t memory_bytes;  /* the larger of the two */
  uint64_t process_bytes; /* the same with the programs, and MPI */

  uint64_t disk_bytes;       /* of the table: a model, see SD_ESTIMATE_DISK */
  uint64_t checkpoint_bytes; /* while one is saved; exact */

  /* Marks. Published results tell how many positions are decided, and the longest mate, with up to 5 men;
   * beyond it is a model. */
  bool published;
  unsigned iterations;
  uint64_t marks, marks_most; /* that are sent; if all positions were decided: sampled, within 2 % */
  uint64_t marks_remote;      /* of the marks: to other ranks */
  uint64_t messages, message_bytes;

  double cpu_s; /* rough, see SD_ESTIMATE_CPU */
} sd_estimate;

/** The longest win with at most 6 men, in moves (KRNvKNN): longer ones are not what 7 men convert to. */
enum { SD_LONGEST_SIX = 262 };
/** Errors of the models: a table has between 1 / f and f times the bytes, plus a few hundred. CPU time is
 * that of a core of 2.5 GHz, and this within the same kind of factor. */
#define SD_ESTIMATE_DISK 2.0
#define SD_ESTIMATE_CPU 2.5
/** run may be NULL. m: canonical. SD_EINVAL, SD_ENOMEM. */
int sd_gen_estimate (const sd_material *m, const sd_estimate_run *run, sd_estimate *out, sd_error *err);

/** The canonical endings among want[0..n-1] and everything that they depend on, each once, successors first;
 * *out is malloced. */
int sd_gen_order (const sd_material *want, unsigned n, sd_material **out, unsigned *nout, sd_error *err);

/** Budget in bytes, on one of `ranks` ranks, of the values of sub-endings while the states of ending m are
 * looked at: enough that hardly a block is decoded twice. */
uint64_t sd_gen_budget (uint64_t nstates, int ranks);

/** Solve the ending m (canonical) over all ranks (collective) by the solver `kind`, NULL: the default. What
 * it depends on comes from the `values` of each rank, whose budget is set. Rank 0 receives the values in *out
 * (the caller frees it, or hands it to sd_exacts_put); the others NULL. */
int sd_gen_solve (const sd_solver_kind *kind, sd_values *values, const sd_transport *t, const sd_material *m,
                  const sd_solve_options *options, sd_exact **out, sd_solve_stats *stats, sd_error *err);

/** Solve the ending m (canonical) in this process alone, what it depends on taken from s or loaded through
 * it, and put it into s. */
int sd_gen_into (sd_exacts *s, const sd_material *m, sd_error *err);

/** How the generator stores an ending: complete values in the generator's layout, coded as told; coding NULL:
 * the default. m NULL: of a table of another game, whose subject is still to be filled in. */
int sd_gen_spec (const sd_material *m, const sd_gen_coding *coding, sd_table_spec *out, sd_error *err);

/** What sd_gen_output tells, the same on all ranks but for the times. */
typedef struct sd_output_stats {
  sd_counts counts[2];    /* by side to move, as sd_exact_count; symmetric material: both alike */
  uint64_t file_bytes;    /* of the table */
  uint64_t bytes;         /* sum over ranks of what each held at most: values, buffers, coders */
  double code_s, write_s; /* wall: counting and coding; writing and reading back */
} sd_output_stats;

/** Write the table of ending m (canonical) to `path` from the values that each rank holds (collective). All
 * ranks code and write; none holds the whole table. The bytes do not depend on the number of ranks, threads
 * or on the deal. Every block is decoded and compared before it is written, and read back and compared before
 * the file gets its name. All ranks must see the folder, and pass the same coding; NULL: the default.
 * threads: of each rank; 0: as many as OpenMP would use. SD_EIO with the reason; SD_ENOMEM; SD_ERANGE: more
 * different values than a table holds; SD_EDIFF; on any failure nothing is left at `path` that was not there
 * before. stats and progress may be NULL. */
int sd_gen_output (const sd_material *m, const sd_gen_coding *coding, const sd_transport *t,
                   const sd_solution *solution, const char *path, unsigned threads,
                   const sd_progress *progress, sd_output_stats *stats, sd_error *err);
/** The same for any spec with SD_CODING_SIGNED, SD_FREE_ILLEGAL, a codec that has blocks and, for chess, the
 * generator's layout; else SD_EINVAL. A table of another game has one side and counts[0] only. */
int sd_gen_output_table (const sd_table_spec *spec, const sd_transport *t, const sd_solution *solution,
                         const char *path, unsigned threads, const sd_progress *progress,
                         sd_output_stats *stats, sd_error *err);

/** Solve the ending m (canonical) as sd_gen_solve does and write its table as sd_gen_output does
 * (collective); the values are gathered nowhere. Decoded blocks in `values` are freed in between. */
int sd_gen_build (const sd_solver_kind *kind, sd_values *values, const sd_transport *t, const sd_material *m,
                  const sd_solve_options *options, const sd_gen_coding *coding, const char *path,
                  sd_solve_stats *stats, sd_output_stats *output, sd_error *err);

/** Write the DTM file of ending m, whose values are in s: the same bytes as sd_gen_output, by sd_table_build.
 * Not collective. */
int sd_gen_write (const sd_exacts *s, const sd_material *m, const char *path, const sd_progress *progress,
                  sd_error *err);

#endif
