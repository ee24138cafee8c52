/** \file recode_internal.h
 * Inside recode/ only: subdefining with a given map, judging single slots, comparing a finished table. */
#ifndef SD_RECODE_INTERNAL_H
#define SD_RECODE_INTERNAL_H

#include "recode/recode.h"
#include "table/table_internal.h"

/* ------------------------------------------------------------------ judging */

/** Which symbols the slots of one side may hold, told slot by slot: for samples of tables so large that
 * sd_subdefine takes minutes. Its alphabet has all symbols that could occur, sd_subdefine's those that do. */
typedef struct sd_judge sd_judge;

/** As sd_subdefine; s and e must outlive it. */
int sd_judge_new (const sd_values *s, const sd_exact *e, const sd_stored *what, sd_judge **out,
                  sd_error *err);
void sd_judge_free (sd_judge *j);

/** All but the symbols: seq.sym is NULL. */
const sd_subdefined *sd_judge_frame (const sd_judge *j);

/** out[0..count-1]: symbols of the generator's slots slot[0..count-1], `none` for UINT64_MAX. Thread-safe. */
int sd_judge_slots (const sd_judge *j, const uint64_t *slot, uint64_t count, sd_symbol none, sd_symbol *out,
                    sd_error *err);

/** sd_subdefine, laid out as sd_subdefined_relayout would: in between, symbols are packed. What s has decoded
 * is freed before they are laid out, if s has a budget. */
int sd_subdefine_in (const sd_values *s, const sd_exact *e, const sd_stored *what, const sd_indexer *to,
                     const sd_progress *progress, sd_subdefined **out, sd_error *err);

/** sd_subdefined_relayout of symbols final[number of the slot in `packed`].
 * Seven arguments: the symbols, what they become, both layouts. */
int sd_relayout_packed (const sd_subdefined *from, const sd_packed_side *packed, const sd_symbol *final,
                        const sd_indexer *from_ix, const sd_indexer *to_ix, sd_subdefined **out,
                        sd_error *err);

/** sd_subdefined_sample, by a judge. */
int sd_judge_sample (const sd_judge *j, const sd_indexer *from_ix, const sd_indexer *to_ix, sd_extent of,
                     sd_subdefined **out, sd_error *err);

/** sd_subdefine_slices, by a judge; `trim`: the values in which it looks conversions up, trimmed to their
 * budget meanwhile; NULL: they are left alone. Eight arguments: those of sd_judge_sample, and these. */
int sd_judge_slices (const sd_judge *j, const sd_values *trim, const sd_indexer *from_ix,
                     const sd_indexer *to_ix, sd_part of, const sd_progress *progress, sd_subdefined **out,
                     sd_error *err);

/** The states of a game, in their order; rules may be NULL. (freedom/subdefine.c) */
int sd_subdefine_states (const sd_table_spec *spec, const sd_exact *e, const sd_state_rules *rules,
                         const sd_progress *progress, sd_subdefined **out, sd_error *err);

/** Is one side to be coded after the other? (build.c) */
int sd_table_takes_turns (const sd_exact *e, const sd_table_spec *spec, bool *out, sd_error *err);

/** Who compares a table with what it was made of. */
typedef struct sd_comparer {
  int (*compare) (const void *ctx, const sd_table *t, sd_error *err);
  const void *ctx;
} sd_comparer;

/** The end of making a table: its bytes, which are freed then, go to the disk; what is read back from there,
 * all checksums compared, is handed to the comparer, and gets its name if that finds nothing. f is closed in
 * any case. st: of what was done before; nothing more is done where that failed. (build.c) */
int sd_written_end (sd_outfile *f, sd_buf *image, const char *path, int st, const sd_comparer *with,
                    sd_error *err);

/* ------------------------------------------------------------------- in parts */

/** How a side is cut: a part has all slots with so many neighbouring values of the first `digits` digits,
 * read as one number; `slots` of them, the last part perhaps fewer. */
typedef struct sd_cut {
  unsigned parts, digits;
  uint64_t values, all, slots; /* all: values that these digits have together */
} sd_cut;

/** In at most so many parts of one size: fewer, or one, where the digits before the last one have no more
 * values. */
void sd_cut_make (const sd_indexer *ix, unsigned parts, sd_cut *out);

enum { SD_MOST_PARTS = 4096 };
/** Can a table of this spec be coded in parts? SD_EINVAL: of a codec whose streams are not in pieces, of one
 * stream for both sides, and of SD_SIDES_ONE. */
int sd_parts_check (const sd_table_spec *spec, sd_error *err);

/** The folder of a table's parts, beside it: `number` is that of the work, by which programs know that they
 * are at the same. parts_folder.c */
typedef struct sd_parts_folder {
  char path[4300];
  uint64_t number;
  int lock; /* that all share who are at it; -1: not entered */
} sd_parts_folder;
enum { SD_PARTS_HEAD = 16 }; /* bytes in front of a part's stream in its file */

/** Come to the work. SD_EIO: others are at another one there. */
int sd_parts_enter (const char *table, uint64_t number, sd_parts_folder *f, sd_error *err);
/** The last one who leaves clears up, once the table is there or the parts are of no use. */
void sd_parts_leave (sd_parts_folder *f, bool useless);
/** A part, and the making of the table, are one program's at a time. *lock -1: another has it and one is not
 * to wait. */
int sd_part_claim (const sd_parts_folder *f, unsigned side, unsigned k, bool wait, int *lock, sd_error *err);
int sd_parts_claim_table (const sd_parts_folder *f, int *lock, sd_error *err);
/** A part of this work that is whole: SD_PARTS_HEAD bytes and the stream. False: there is none. */
bool sd_part_read (const sd_parts_folder *f, unsigned side, unsigned k, sd_map *out);
bool sd_part_has (const sd_parts_folder *f, unsigned side, unsigned k);
int sd_part_write (const sd_parts_folder *f, unsigned side, unsigned k, const sd_buf *stream, sd_error *err);
/** Was the table made by one who shares the work? */
bool sd_parts_made (const sd_parts_folder *f);
int sd_parts_note_made (const sd_parts_folder *f, sd_error *err);

/** sd_table_build of a table in spec->parts parts, which programs share that are given the same; returns when
 * the table is there. SD_EINVAL: sd_parts_check. SD_EIO: another command is at it. Seven arguments: those of
 * sd_table_build, and the comparer. (parts.c) */
int sd_parts_build (const sd_values *s, const sd_exact *e, const sd_table_spec *spec, const char *path,
                    const sd_comparer *with, const sd_progress *progress, sd_error *err);

#endif
