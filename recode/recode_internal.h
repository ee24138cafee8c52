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

/** The states of a game, in their order; rules may be NULL. (freedom/subdefine.c) */
int sd_subdefine_states (const sd_table_spec *spec, const sd_exact *e, const sd_state_rules *rules,
                         const sd_progress *progress, sd_subdefined **out, sd_error *err);

/** Is one side to be coded after the other? (build.c) */
int sd_table_takes_turns (const sd_exact *e, const sd_table_spec *spec, bool *out, sd_error *err);

/** The end of making a table: its bytes, which are freed then, go to the disk; what is read back from there,
 * all checksums compared, is handed to `compare`, and gets its name if that finds nothing. f is closed in any
 * case. st: of what was done before; nothing more is done where that failed.
 * Seven arguments: what is made, what became of it, who compares it and with what. (build.c) */
int sd_written_end (sd_outfile *f, sd_buf *image, const char *path, int st,
                    int (*compare) (const void *ctx, const sd_table *t, sd_error *err), const void *ctx,
                    sd_error *err);

#endif
