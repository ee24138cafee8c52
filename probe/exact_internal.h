/** \file exact_internal.h
 * Exact values in memory: what the loader, the builder and the dump share. */
#ifndef SD_EXACT_INTERNAL_H
#define SD_EXACT_INTERNAL_H

#include "probe/probe.h"
#include "table/table_internal.h"

/** The DTM table of m from the path, all its checksums verified, and, if that is coded as SD_CODING_MOVES,
 * its WDL table (else NULL), from the same folder if it is there. SD_EFORMAT: a file holds another table than
 * its name says. */
int sd_table_open_dtm (const char *path, const sd_material *m, sd_table **dtm, sd_table **wdl, sd_error *err);
/** Is slot i of the generator's layout a legal position for `side`? Then *p is that position. */
bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p);
/** The folders that were given. */
const char *sd_exacts_path (const sd_exacts *s);
/** Values were read from the file of this name. SD_ENOMEM. */
int sd_exacts_note_file (sd_exacts *s, const char *name);
/** The ending m if it is loaded, else NULL. */
const sd_exact *sd_exacts_find (const sd_exacts *s, const sd_material *m);
/** Does a conversion of p offer the value (or only the result) v? Looks at no more conversions than it needs.
 */
int sd_exacts_offers (const sd_exacts *s, const sd_pos *p, enum sd_move_class which, sd_value v,
                      bool only_result, bool *yes);
/** Best conversion of a position without en-passant right; as sd_exacts_conversions. */
int sd_exacts_best (const sd_exacts *s, const sd_pos *p, enum sd_move_class which, bool *has, sd_value *best);
/** Restored value of a position of side `side` from a symbol's map value; `exact_sign`: result for
 * SD_CODING_MOVES. WDL tables give -1, 0, 1. SD_ENOENT if a sub-ending is not loaded. */
int sd_exacts_restore (const sd_exacts *s, const sd_pos *p, enum sd_coding coding, unsigned freedom,
                       sd_value stored, int wdl, sd_value *out);
/** The value of p (no en-passant right) that follows from all its moves: mated, stalemated, else the best
 * child. Children inside the ending are looked up in `own`, where SD_ILLEGAL says that a child's value is not
 * known and may be passed over, conversions in s. results: as -1, 0, 1. SD_EFORMAT: no child's value is
 * known; SD_ENOENT: a sub-ending is not loaded. */
int sd_exacts_by_moves (const sd_exacts *s, const sd_exact *own, const sd_pos *p, bool results,
                        sd_value *out);

#endif
