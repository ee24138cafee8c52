/** \file recode.h
 * From exact values to the smallest file: which slots are free and why, the layout and the codec, building
 * and reading back, verifying, dumping. Uses probe/. */
#ifndef SD_RECODE_H
#define SD_RECODE_H

#include "values/values.h"

/* -------------------------------------------------------------- subdefining */

/** One side to move of an ending, as a table stores it. */
typedef struct sd_stored {
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom; /* SD_FREE_... */
  unsigned side;
  unsigned sides; /* that the table holds, a bit each, this one among them */
} sd_stored;

/** An sd_stored with the side `one`, beside the other one, and with the metric, coding and freedom of *of,
 * which is a struct with members of these names. */
#define SD_STORED(of, one) ((sd_stored){ (of)->metric, (of)->coding, (of)->freedom, (one), SD_SIDES_BOTH })

/** The same of the table *spec, which need not hold both sides. With SD_SIDES_ONE each side is judged as if
 * it were alone. */
#define SD_STORED_OF(spec, one)                                                                              \
  ((sd_stored){ (spec)->metric, (spec)->coding, (spec)->freedom, (one),                                      \
                sd_sides_beside ((spec)->sides, (one)) })

/** The sources of freedom that are asked for, of which "all" (SD_FREE_ALL among them) means all that mean
 * something for the coding. SD_EINVAL names one that means nothing, which would be another freedom under its
 * own name, and what is possible. freedom/sources.c */
int sd_freedom_choose (enum sd_metric metric, enum sd_coding coding, unsigned asked, unsigned *out,
                       sd_error *err);

/** Which symbols each slot of the generator's layout may hold, given what a prober can restore from
 * conversions and (MOVES) from the WDL table (Zakharov 2015, 1.6, 1.8, 1.9): exactly those that restoring
 * turns into the exact value. Slots that may not be free and have no value of their own (illegal; MOVES:
 * drawn) hold the symbol whose number is nearest to 0. The next endings must be loaded if freedom names
 * conversions: else SD_ENOENT. SD_EINVAL: unknown side, coding or freedom; SD_ERANGE: more than SD_MAX_MAIN
 * values. If s has a budget, its blocks are trimmed to it, so that nobody else may look values up meanwhile.
 * Uses OpenMP; some 0.3 s of CPU time for the 6 million slots of a 4-man ending with a pawn. */
int sd_subdefine (const sd_values *s, const sd_exact *e, const sd_stored *what, const sd_progress *progress,
                  sd_subdefined **out, sd_error *err);

/** Both sides (what->side is not looked at) with the same map: the main symbols stand for what either side
 * has. The ending has two sides (SD_EINVAL). out[0..1] to be freed by the caller, NULL after an error. */
int sd_subdefine_both (const sd_values *s, const sd_exact *e, const sd_stored *what,
                       const sd_progress *progress, sd_subdefined *out[2], sd_error *err);

/** The same data in another layout; slots without a placement may hold anything, or the symbol whose number
 * is nearest to 0 where illegal slots are not free. SD_EINVAL: `from` does not stand in from_ix, or the
 * layouts are of different endings. Uses OpenMP. */
int sd_subdefined_relayout (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                            sd_subdefined **out, sd_error *err);

/** How large a sample of a table is: `pieces` runs of `length` neighbouring slots each. (These are neither
 * the pieces of a stream nor men.) */
typedef struct sd_extent {
  uint64_t pieces, length;
} sd_extent;

/** A sample of the same data in another layout: the table is cut into of.pieces equal parts, and of each part
 * one run of of.length slots is taken, one behind the other. Where a run lies in its part is random, but the
 * same each time. For estimates of what the whole would take. SD_EINVAL: the runs do not fit. */
int sd_subdefined_sample (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                          sd_extent of, sd_subdefined **out, sd_error *err);
/** Slices of a table: the first `digits` digits of its layout, read as one number, have the values
 * number[0..n-1]. */
typedef struct sd_part {
  unsigned digits;
  uint32_t n;
  const uint64_t *number;
} sd_part;

/** A sample that has digits as the whole has: all slots of the slices, in their order. The first `digits`
 * digits become one digit of n values. For codecs that ask for digits. SD_EINVAL: there is no such number, or
 * no digit is left. */
int sd_subdefined_slices (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                          sd_part of, sd_subdefined **out, sd_error *err);
/** The same from exact values: only slots of the slices are judged. The alphabet has all symbols that could
 * occur in the table, where that of sd_subdefine has those that do. Statuses of sd_subdefine, too.
 * Seven arguments: those of sd_subdefine, and which part in which layout. */
int sd_subdefine_slices (const sd_values *s, const sd_exact *e, const sd_stored *what,
                         const sd_indexer *to_ix, sd_part of, sd_subdefined **out, sd_error *err);

/** Slices of a table that hold one slot in `part`, or more where these were too few slices. *number, which
 * *out points to, is to be freed by the caller; NULL after an error. SD_ENOMEM. sample.c */
int sd_sample_slices (const sd_indexer *ix, unsigned part, uint64_t **number, sd_part *out, sd_error *err);
/** How many of its slices follow each other, of n slices of `length` slots. */
uint64_t sd_sample_run (uint64_t n, uint64_t length);

/* ------------------------------------------------------------------ building */

/** What restores states of a game that a table leaves free: moves that are conversions of the classes in
 * spec->freedom, whose values come from other tables. */
typedef struct sd_state_rules {
  const void *ctx;
  /** *best: the best that such moves offer the player to move, as an exact value. *any: there is such a move;
   * *all: there is no other move, so that *best is the state's value. Thread-safe. */
  int (*best) (const void *ctx, uint64_t state, sd_value *best, bool *any, bool *all);
} sd_state_rules;

/** The value of a state. `stored` means nothing where all moves are conversions, and may be too low where
 * there are other moves; `best` is what the conversions offer, in the table's metric. The first rule is what
 * sd_restore_stored of probe/ does not have: in chess a position of which all moves are conversions is
 * subdefined like any other one; where captures are compulsory it is free altogether. */
static inline sd_value sd_state_restored (enum sd_coding coding, sd_value stored, sd_value best, bool any,
                                          bool all) {
  return any && all ? best : sd_codings[coding].restore (0, stored, any, best);
}

/** The values of a table of another game, value[0..states-1] with SD_ILLEGAL for states that there are not,
 * as subdefinite data. rules NULL: spec->freedom names no conversions. SD_EINVAL: not such a spec; SD_ERANGE:
 * more than SD_MAX_MAIN values. */
int sd_table_game_subdefine (const sd_table_spec *spec, const sd_value *value, const sd_state_rules *rules,
                             const sd_progress *progress, sd_subdefined **out, sd_error *err);

/** The whole job for another game: subdefine, encode, write under a temporary name, read back, restore,
 * compare, rename, as sd_table_build. */
int sd_table_build_states (const sd_table_spec *spec, const sd_value *value, const sd_state_rules *rules,
                           const char *path, const sd_progress *progress, sd_error *err);

/** The sides of an ending that spec stores, subdefined and in its layouts: d[0..1], NULL at first, and to be
 * freed in any case. */
int sd_table_prepare (const sd_values *s, const sd_exact *e, const sd_table_spec *spec,
                      const sd_progress *progress, sd_subdefined *d[2], sd_error *err);

/** Bytes that sd_table_build may take of an ending of n slots (sd_exact) that is packed: both sides at once,
 * if it has two, or one after the other where that can be. With the usual settings of a codec, and with few
 * blocks of the endings that conversions lead to. papers/memory has what was measured. */
int sd_table_memory (const sd_table_spec *spec, uint64_t n, bool at_once, uint64_t *out, sd_error *err);

/** What is known beside the spec when making a table is estimated. */
typedef struct sd_estimate_of {
  double load_s;   /* CPU seconds that the exact values took to load */
  bool leaders;    /* the leaders of diagrams are to be ranked (sd_search_options.quick), */
  bool checks;     /* and for each side whether positions in check are free */
  bool statistics; /* values are counted, too (sd_exact_statistics) */
} sd_estimate_of;

/** What making a table takes. */
typedef struct sd_table_estimate {
  uint64_t bytes, low, high; /* of the file, and where it may lie between */
  double cpu_s;              /* of loading, choosing, coding and comparing */
  uint64_t memory;           /* bytes at most at one time, the program included */
  uint64_t slots, coded;     /* of the sides that are stored, and how many of these were coded */
} sd_table_estimate;

/** What sd_table_build and what comes before it would take, told by samples: the sides are coded in part with
 * the spec's codec, settings and layouts, and bytes and seconds are scaled. With of->leaders the layouts of
 * *spec get the leaders that are best in a sample. The values are loaded as for sd_table_build. Nothing is
 * written. How far it is off: papers/sets. SD_ENOMEM, and what coding fails with. estimate.c
 * Six arguments: those of sd_table_build, and what is known and told. */
int sd_table_estimate_making (const sd_values *s, const sd_exact *e, sd_table_spec *spec,
                              const sd_estimate_of *of, sd_table_estimate *out, sd_error *err);

/** sd_table_build without a file: coded into a table in memory, appended to *out, which is compared with
 * nothing. SD_SIDES_ONE codes each side alone and keeps the smaller table, White's if they are equal; *out is
 * empty at first. */
int sd_table_code (const sd_values *s, const sd_exact *e, const sd_table_spec *spec,
                   const sd_progress *progress, sd_buf *out, sd_error *err);

/** The whole job for an ending: subdefine, lay out, encode, write under a temporary name, read back, restore
 * every legal position of both sides to move and compare it with the exact value, rename. The ending must be
 * loaded in s, and the next endings, too, if freedom names conversions or anything is restored by one ply
 * (SD_ENOENT). SD_SIDES_ONE codes each side alone and keeps the smaller file (White's if they are equal). For
 * SD_CODING_MOVES, WDL comes from the sign of the exact values here, and from the WDL table in a prober.
 * SD_EDIFF names the FEN and both values; on any failure nothing is left at `path` that was not there before.
 */
int sd_table_build (const sd_values *s, const sd_table_spec *spec, const char *path,
                    const sd_progress *progress, sd_error *err);

/** What stands at a path, as a number; 0: nothing. For sd_table_spec.parts_since. parts_folder.c */
uint64_t sd_parts_since (const char *path);

/** Remove what programs that were killed have left of the parts of a table that is there. */
void sd_parts_forget (const char *path);

/* ------------------------------------------------------- verifying, dumping */

/** What has been verified. positions: legal ones, of all sides to move. signs: WDL was also compared with a
 * DTM table. */
typedef struct sd_verified {
  uint64_t positions;
  bool signs;
  const char *against; /* the name of the other table, which owns it; NULL: there was none */
} sd_verified;

/** With SD_DTM tables: each value equals what follows from the values of the position's successors (mate,
 * stalemate, best move, en passant); with SD_WDL tables likewise for WDL. Message: the first FEN that fails
 * and both values (SD_EDIFF). Uses OpenMP. Values of successors in smaller endings come from ts, which need
 * not hold t. For DTM this proves the table, given right smaller ones. For WDL it does not: positions that
 * call each other won around a cycle are consistent, too; therefore the signs of a DTM table of the same
 * ending are compared as well, if ts has one with those of its next endings. Memory: 2 bytes a slot and side
 * of t and of every ending it needs. out: set on success; NULL: nobody asks. */
int sd_table_verify (const sd_tables *ts, const sd_table *t, const sd_progress *progress, sd_verified *out,
                     sd_error *err);

/** Each value of t beside what the tables of `against` say of the same position, in whatever format, codec
 * and layout, and of the same metric, or for SD_WDL of SD_DTM and for SD_WDL50 of SD_DTZ50, where there
 * is none. Where the plies of one of both are rounded, it may have one ply less. What restoring t needs
 * comes from ts. SD_EDIFF, SD_ENOENT as above; SD_EINVAL: the other table is t's own file, or t is of
 * another game than chess. */
int sd_table_verify_against (const sd_tables *ts, const sd_table *t, const sd_tables *against,
                             const sd_progress *progress, sd_verified *out, sd_error *err);

/** The number of a position among all of an ending: the squares (a1 = 0, b1 = 1, ..., h8 = 63) of its men in
 * the order of the ending's name, equal men by rising squares, are digits of base 64, the first man's the
 * highest; of the images of the board (8 by mirroring and transposing, with pawns 2 by mirroring the files)
 * the one with the smallest number counts. Independent of every layout. */
uint64_t sd_position_number (const sd_material *m, const uint8_t *sq);

/** The values of one side to move of an ending, over the positions that are unique up to symmetry; positions
 * with an en-passant right are not among them. */
typedef struct sd_statistics {
  uint64_t positions, won, drawn, lost;
  /** The sum modulo 2^64 over the positions of the first number that splitmix64 (sd_random) gives from the
   * state (sd_position_number << 16) + (value modulo 2^16), values as sd_value says or, where the metric
   * counts no plies, as ranks (WDL -1, 0, 1). It depends on the values alone: codec, layout, coding, ranks,
   * threads and machine do not matter. Neither does a symmetric ending's colour, which has White to move. */
  uint64_t content;
  sd_value longest_win, longest_loss; /* 0: none, or the metric counts no plies */
  char win_fen[96], loss_fen[96];     /* such a position, of several that with the smallest number */
  uint64_t *count;                    /* of value v: count[v - INT16_MIN] */
} sd_statistics;

/** Decodes t whole and sums up: out[side to move], both empty after an error, to be freed in any case. What
 * restoring needs comes from ts, which need not hold t. SD_EINVAL: of another game than chess, or a file
 * whose values are rounded; SD_ENOENT names a missing table. Memory: 2 bytes a slot and side of t and of what
 * restoring it needs. Uses OpenMP. */
int sd_table_statistics (const sd_tables *ts, const sd_table *t, const sd_progress *progress,
                         sd_statistics out[2], sd_error *err);

/** The same of what a table of this metric tells, from the exact values in memory that it is made of: before
 * there is a table, or of a file whose values are rounded, which sd_values_new_syzygy makes exact. */
int sd_exact_statistics (const sd_exact *e, enum sd_metric metric, const sd_progress *progress,
                         sd_statistics out[2], sd_error *err);
void sd_statistics_free (sd_statistics *s);

/** All values as plain numbers: White to move, then Black, 64^men int16 each in little-endian order, index
 * ((sq0*64 + sq1)*64 + ...), every slot restored exactly; SD_ILLEGAL where no legal position. Written through
 * `out`. */
int sd_table_dump (sd_values *s, const sd_material *m, sd_outfile *out, const sd_progress *progress,
                   sd_error *err);

/* --------------------------------------------------------------- searching */

/** The four terms of the latency model (docs/latency.md), which its constants are multiplied with, in a table
 * of n slots, of which those of d may be a sample: feature[0] is 1; feature[1] the slots of a block and
 * feature[2] the bytes of a block, both means over the blocks, and 0 if a lookup passes no blocks; feature[3]
 * log2 of n. */
void sd_lookup_features (const sd_decoder *d, uint64_t n, double feature[SD_LOOKUP_FEATURES]);

/** Seconds that sd_codec_get takes at random slots (median, warm) by the model of its codec, which depends
 * on the stream and n alone: docs/latency.md. n: as above. best/latency_model.c */
double sd_lookup_seconds (const sd_decoder *d, uint64_t n);

/** What no lookup of the codec takes less than in n slots, unless all are alike: that in blocks of one slot
 * without a byte. best/latency_model.c */
double sd_lookup_least (const sd_codec *codec, uint64_t n);

/** What became of a codec in a search. */
typedef struct sd_search_row {
  const sd_codec *codec;
  unsigned side;      /* 0, 1; 2: one stream for both */
  sd_layout layout;   /* of the smallest that keeps the bound */
  char settings[96];  /* of it */
  uint64_t bytes;     /* of it; 0: none was coded whole, or none keeps the bound */
  bool sample;        /* bytes are those of a sample: the table was never judged whole */
  uint64_t predicted; /* by a sample, the least of all settings; 0: not predicted */
  double seconds;     /* a lookup by the model; where bytes is 0 the fastest that was predicted, if any */
  char why[128];      /* why there is none, or why coding ended; else empty */
  bool slow;          /* it is the bound that left it out */
} sd_search_row;
enum { SD_MAX_SEARCH_ROWS = 64 };

/** What became of all codecs. Where rows tell of samples, `apart` does, too. */
typedef struct sd_search_report {
  uint64_t apart; /* bytes of two streams, one a side, where one for both could replace them; 0: it cannot */
  uint64_t joint; /* of the smallest stream for both that keeps the bound; 0: none was coded */
  char why[128];  /* why there is none; else empty */
  bool large;     /* samples chose order and codec, and one stream for both was not tried */
  unsigned n;
  sd_search_row row[SD_MAX_SEARCH_ROWS];
} sd_search_report;

/** What a search within a budget did with a codec: told by a sample, by slices of a diagram, or coded whole;
 * or had no time for. */
enum sd_tried_how { SD_TRIED_SAMPLE, SD_TRIED_SLICES, SD_TRIED_WHOLE };
typedef struct sd_tried {
  const sd_codec *codec;
  unsigned side; /* as in sd_search_row */
  enum sd_tried_how how;
  bool checks; /* positions in check were free where the spec says so */
  sd_layout layout;
  char settings[96];                         /* that differ from the codec's defaults */
  double predicted_bytes, predicted_seconds; /* CPU time; of a sample 0: nothing was predicted of it */
  uint64_t bytes; /* 0: none, and `why` says why. Of a sample: what the whole is told to take */
  double seconds;
  const char *why;
} sd_tried;
enum { SD_MAX_TRIED = 1024 };

/** A budget of CPU time, and what became of it. */
typedef struct sd_search_budget {
  double begin, end; /* of sd_cpu_now; given */
  double used;       /* seconds from the beginning */
  bool stopped;      /* by the caller's `stop`, before its end */
  bool over;         /* something that might have been smaller was left out or given up */
  unsigned n, left;  /* tried[0..n-1] were tried; behind them tried[n..n+left-1] were not */
  unsigned more;     /* and so many others, for which there was no room here */
  sd_tried tried[SD_MAX_TRIED];
  sd_buf stream[2]; /* that were found, to which spec->side[].coded points; the caller frees them */
} sd_search_budget;

/** What sd_table_search may choose. All-zero: anything, no latency bound. */
typedef struct sd_search_options {
  double max_latency;       /* seconds, as sd_lookup_seconds tells; 0: no bound */
  sd_search_report *report; /* NULL: not asked for */
  bool fixed_codec;  /* keep the codec and its settings in the spec; search order, leader, numbering and
                        filling only */
  const char *fixed; /* fixed_codec: settings that are kept in any case, as sd_settings_parse reads them;
                        NULL: none */
  bool checks; /* spec->freedom has SD_FREE_CHECK or SD_FREE_EVIDENT: for each side what won is coded without
                  it as well, and if that is smaller, positions in check are free with the other side to move
                  alone, or not at all. Not of one stream for both, nor of a table that is judged by samples
                  alone */
  bool quick;  /* with fixed_codec: of diagrams only leaders are ranked; of other codecs orders; of a large
                  table the best few in a small sample are ranked in the usual one; nothing is coded whole */
  sd_search_budget *budget; /* NULL: the search ends when all stages are done; else see sd_table_search */
  bool may_share; /* with a budget: spec->sides is where the search starts, and one stream or two are possible
                   */
  uint64_t large; /* tables of more slots are judged by samples first, and diagrams are ranked by slices, see
                     sd_table_search; 0: 2^26 and 2^24 */
  uint64_t most;  /* tables of more slots, of those, are judged by samples alone; 0: 2^30 */
} sd_search_options;

/** Choose the smallest table. Given in `spec` are the material, metric, coding, freedom, sides and a codec to
 * start from. Filled in are the layout, codec and settings of each stored side (SD_SIDES_ONE: of both), and
 * with how->checks which checks are free.
 *
 * The stages are those of search.c:
 *
 * 1. All orders of the groups, with a cheap codec; in a sample if there are more than 4 million slots.
 * 2. Leaders, with the best orders.
 * 3. Numberings of the squares, and a last digit around the one before it.
 * 4. Each codec's trials (sd_codec.trials), predicted by a sample in the best layout. Slow codecs have
 *    layouts of their own, found and predicted by slices (best/sampled_layouts.c), unless others are
 *    predicted to take less than 1,024 bytes a side. What is much larger than the best, or slower than the
 *    bound, is left out. The rest is coded whole in the best layouts.
 * 5. Other settings, for the smallest of each codec that is close to the best.
 * 6. One stream for both sides, where both are to be stored: predicted from the codecs, layouts and settings
 *    that did best for the sides, and coded where it may be smaller. If it is, spec->sides becomes
 *    SD_SIDES_JOINT. If that is given, there is only this stream, with any codec.
 *
 * Diagrams (codec obdd) have layouts of their own. These are varied one thing at a time and coded whole, or
 * of a table of more than 2^24 slots a quarter of it (sd_subdefined_slices); then `sums`, `polish` and
 * `clusters` are tried, one after the other.
 *
 * Of large tables (how->large) only slots of samples are subdefined until stage 5, which like stage 4 codes
 * samples, too. Then the table is judged whole, up to how->most slots and if there is memory: what was best
 * is coded, and after it, unless the codec is fixed, slow codecs in layouts of their own and diagrams. Stage
 * 6 is left out, unless SD_SIDES_JOINT is given. Where obdd is the fixed codec, the table is judged whole,
 * however large it is.
 *
 * With how->budget none of these stages is made. The first coding is that of *spec, whose layouts, codec and
 * settings must be given, and it is made whatever the budget is. Then what may be done next is listed, with
 * the bytes and seconds that are predicted for it, and what promises most for its time is coded, until the
 * end of the budget, or until progress->stop says that the search is no longer wanted; this returns SD_OK,
 * too, with the best that was found (best/search_budget.c). Its streams are in how->budget, and
 * spec->side[].coded points to them. What is found then depends on the clock, too.
 *
 * What cannot be coded (SD_ENOMEM, SD_ERANGE) drops out and does not end the search. Without a budget no
 * clock is read: the result depends on the arguments alone. Uses OpenMP. SD_ENOENT: nothing can be chosen;
 * the message says what the bound left out, what failed, and what is not in this build. */
int sd_table_search (const sd_values *s, const sd_exact *e, const sd_search_options *how, sd_table_spec *spec,
                     const sd_progress *progress, sd_error *err);

#endif
