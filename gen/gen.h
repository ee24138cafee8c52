/** \file gen.h
 * From a slice of a game to its table file: estimates, solving, coding by all ranks. */
#ifndef SD_GEN_H
#define SD_GEN_H

#include "gen/games/games.h"

/* ------------------------------------------------------------------ building */

/** How the generator codes what it writes. */
typedef struct sd_gen_coding {
  const sd_codec *codec; /* its blocks can be coded apart (sd_blocks_apart) */
  sd_settings settings;
} sd_gen_coding;

/** codec: the name of one; NULL: zstd, or lzma in a build without it. set: its settings as text; NULL: its
 * own but for blocks of 1 MiB, and for the codec NULL level 9 with blocks of 256 KiB, or preset 2. SD_EINVAL:
 * unknown, or it cannot code blocks apart. Thread-safe. */
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
  bool bound;      /* an upper bound of process_bytes is all that is known beside slots and states */
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
  uint64_t checkpoint_bytes; /* while one is saved, and of the values of the parts that are solved; exact but
                                for placements with two pawns on a square */

  /* Marks. Up to 5 men, published figures tell how many positions are decided, and the longest mate. With
   * more men a model tells it. */
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

/** Of an ending of chess. run may be NULL. m: canonical. SD_EINVAL, SD_ENOMEM. */
int sd_gen_estimate (const sd_material *m, const sd_estimate_run *run, sd_estimate *out, sd_error *err);

/** Of a slice of any game: an estimate where there is one of the game (estimate_bound.c), else the bound. */
int sd_gen_estimate_slice (const sd_rules *r, sd_slice slice, const sd_estimate_run *run, sd_estimate *out,
                           sd_error *err);

/** Budget in bytes, on one of `ranks` ranks, of the values of slices below while the states of a slice are
 * looked at: enough that hardly a block is decoded twice; less if they are solved part by part, since each
 * part decodes what it needs anyway. */
uint64_t sd_gen_budget (uint64_t nstates, bool parts, int ranks);

/** Who generates, and how; all ranks pass the same. */
typedef struct sd_gen_run {
  const sd_transport *t;
  sd_solve_way *solve;             /* NULL: sd_solve */
  const sd_solve_options *options; /* NULL: the defaults; its threads and progress serve coding as well */
  const sd_gen_coding *coding;     /* NULL: the default */
} sd_gen_run;

/** Solve the ending m (canonical) in one piece over all ranks (collective), what it depends on taken from
 * `values`, whose budget is set. *out: what this rank holds, value is malloced. stats may be NULL.
 * SD_EUNSUPPORTED: with pawns, metrics that pawn moves count anew are solved by sd_gen_build alone. */
int sd_gen_solve_ending (const sd_gen_run *run, sd_values *values, const sd_material *m, sd_solution *out,
                         sd_solve_stats *stats, sd_error *err);

/** What the ranks hold of the ending m, whose value is freed, in one place (collective): *out on rank 0 (the
 * caller frees it, or hands it to sd_values_put), on the others NULL. */
int sd_gen_exact (const sd_transport *t, const sd_material *m, sd_solution *solved, sd_exact **out,
                  sd_error *err);

/** How the generator stores a slice: complete values in the generator's layout, coded as told; coding NULL:
 * the default. */
int sd_gen_spec (const sd_rules *r, sd_slice slice, const sd_gen_coding *coding, sd_table_spec *out,
                 sd_error *err);

/** What sd_gen_output tells, the same on all ranks but for the times. */
typedef struct sd_output_stats {
  sd_counts counts[2];            /* by side to move, as sd_exact_count; one side: both alike */
  uint64_t cursed[2], blessed[2]; /* of wins and losses, those in more than SD_RULE_PLIES plies */
  uint64_t file_bytes;            /* of the table */
  uint64_t bytes;                 /* sum over ranks of what each held at most: values, buffers, coders */
  double code_s, write_s;         /* wall: counting and coding; writing and reading back */
} sd_output_stats;

/** A table that is to be written. */
typedef struct sd_gen_target {
  sd_table_spec
      spec;       /* SD_CODING_SIGNED, SD_FREE_ILLEGAL, a codec of blocks; of chess, the generator's layout */
  unsigned sides; /* as sd_game_kind.sides: what counts are told of */
  const char *path;
} sd_gen_target;

/** Write a table from the values that each rank holds (collective). All ranks code and write; none holds the
 * whole table. The bytes do not depend on the number of ranks, threads or on the deal. Every block is decoded
 * and compared before it is written, and read back and compared before the file gets its name. All ranks must
 * see the folder. SD_EINVAL: another spec than the target may have; SD_EIO with the reason; SD_ENOMEM;
 * SD_ERANGE: more different values than a table holds; SD_EDIFF; on any failure nothing is left at the path
 * that was not there before. stats may be NULL. */
int sd_gen_output (const sd_gen_run *run, const sd_gen_target *target, const sd_solution *solution,
                   sd_output_stats *stats, sd_error *err);

typedef struct sd_gen_stats {
  sd_solve_stats solve;
  sd_output_stats output;
} sd_gen_stats;

/** Solve a slice over all ranks, what it depends on taken from g, and write its table as sd_gen_output does
 * (collective); the values are gathered nowhere. A game that has parts is solved one part behind the other,
 * and until the table is written their values lie in a file beside it, path with ".parts" behind it. Where
 * there are checkpoints it stays after a failure. Decoded blocks in g are freed in between. stats may be
 * NULL. */
int sd_gen_build (const sd_gen_run *run, sd_game_tables *g, sd_slice slice, const char *path,
                  sd_gen_stats *stats, sd_error *err);

/** Remove what a run that was killed has left of the parts of that table. */
void sd_gen_parts_remove (const char *table);

#endif
