/** \file exact_internal.h
 * Exact values in memory: what the loader, the builder and the dump share. */
#ifndef SD_EXACT_INTERNAL_H
#define SD_EXACT_INTERNAL_H

#include "probe/restore_internal.h"

/** The table of m in this metric from the path, all its checksums verified, in out[metric] and, if its coding
 * needs another one, that of the other metric, from the same folder if it is there; NULL for all others.
 * SD_EFORMAT: a file holds another table than its name says. */
int sd_table_open_needed (const char *path, const sd_material *m, enum sd_metric metric,
                          sd_table *out[SD_METRICS], sd_error *err);
/** Is slot i of the generator's layout a legal position for `side`? Then *p is that position. */
bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p);
/** Who is told of loading; NULL: nobody. */
const sd_progress *sd_exacts_progress (const sd_exacts *s);
/** The folders that were given. */
const char *sd_exacts_path (const sd_exacts *s);
/** What the values say: one that is its own `exact`. */
enum sd_metric sd_exacts_metric (const sd_exacts *s);
/** The metric of the Syzygy files that they come from alone; SD_METRICS: they come from any files. */
enum sd_metric sd_exacts_syzygy (const sd_exacts *s);
/** Values were read from the file of this name. SD_ENOMEM. */
int sd_exacts_note_file (sd_exacts *s, const char *name);
/** The ending m if it is loaded, else NULL. */
const sd_exact *sd_exacts_find (const sd_exacts *s, const sd_material *m);

/** Values in memory as a source. */
typedef struct sd_exacts_source {
  sd_source source;
  const sd_exacts *s;
  const sd_exact *own;   /* before what s has for its material; NULL: none. May hold another metric than s */
  bool told;             /* own says what the metric that is asked for says */
  uint64_t key, swapped; /* of own's material, and with colours swapped if that differs */
} sd_exacts_source;
/** s and own must outlive it. Lookups fail with SD_ENOENT where an ending is not loaded. */
sd_exacts_source sd_exacts_as_source (const sd_exacts *s, const sd_exact *own);
/** Does a conversion of p offer what the exact value v is worth in metric k? None may offer more. Looks at no
 * more conversions than it needs. */
int sd_exacts_offers (const sd_exacts *s, const sd_metric_kind *k, const sd_pos *p, enum sd_move_class which,
                      sd_value v, bool *yes);

/** Restoring a table whole. */
typedef struct sd_restoring {
  const sd_exacts *s; /* of the sub-endings, if the table needs them */
  const sd_table *t;
  const sd_exact *sign;             /* what the coding needs to know; NULL: nothing */
  sd_value (*sign_of) (sd_value v); /* what a value of `sign` says in the metric that the coding needs; NULL:
                                       itself */
  const sd_exact *known;            /* SD_ILLEGAL where there is no legal position; NULL: that is found out */
  sd_exact *to;                     /* receives what t's metric says; SD_ILLEGAL where nothing is known yet */
  const sd_progress *progress;
} sd_restoring;
/** What a side that is stored holds; wins that are free stay as they are. */
int sd_restore_side (const sd_restoring *r, unsigned side, sd_error *err);
/** Is there more to be restored, by one ply of all moves? */
bool sd_restore_needs_moves (const sd_table_info *info, unsigned side);
/** That, after all sides that are stored. */
int sd_restore_side_by_moves (const sd_restoring *r, unsigned side, sd_error *err);
/** Values of both sides from a file with full moves, whose plies are the right ones or one too few, become
 * the right ones (settle.c). SD_EFORMAT: no values of plies are so near. */
int sd_restore_settle (const sd_restoring *r, sd_error *err);

#endif
