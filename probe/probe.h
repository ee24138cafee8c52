/** \file probe.h
 * Values of positions: tables on a path and probing them, exact values of endings in memory, values of large
 * endings decoded block by block, when they are asked for. Uses table/. */
#ifndef SD_PROBE_H
#define SD_PROBE_H

#include "table/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------- probing */

/** The tables found on a path, all opened (mapped) at once, those of other games too: they are counted and
 * found, not probed here. Nothing that a caller can see changes afterwards, and probes may run in any number
 * of threads. They take no lock, unless SD_OPEN_CACHE is set, and allocate memory only for general
 * compressors. Every file named MATERIAL.METRIC.sdt or
 * GAME-SLICE.METRIC.sdt of each folder counts, other names are passed over; earlier folders win. A file that
 * cannot be opened, or holds another table than its name says, does not disturb the others: probes that need
 * it fail with its reason (a sound copy in a later folder is not used instead). path NULL or "": no tables. A
 * folder that is not there is passed over, see sd_tables_absent; SD_ENOENT: there is none of them.
 * SD_OPEN_CACHE: all share one cache. */
typedef struct sd_tables sd_tables;
SD_API int sd_tables_open (const char *path, unsigned flags, sd_tables **out, sd_error *err);
/** The path that was given. */
SD_API const char *sd_tables_path (const sd_tables *ts);
/** Folder number i of those in the path that are not there, NULL beyond the last. */
SD_API const char *sd_tables_absent (const sd_tables *ts, unsigned i);
/** Use an open table instead of the one of the same material and metric; the caller still closes it. Not
 * thread-safe. */
SD_API int sd_tables_use (sd_tables *ts, const sd_table *t);
/** The tables of more folders, behind those that there are. Not while a probe runs; what sd_tables_path and
 * sd_tables_at said is said of more then. As sd_tables_open; on failure those that were opened before it stay
 * there. */
SD_API int sd_tables_add (sd_tables *ts, const char *path, unsigned flags, sd_error *err);
SD_API void sd_tables_close (sd_tables *ts);
SD_API const sd_table *sd_tables_find (const sd_tables *ts, const sd_material *m, enum sd_metric metric);
SD_API unsigned sd_tables_count (const sd_tables *ts);
/** Number i in the order of discovery (folders as given, names sorted, then what was handed over); NULL: that
 * file is unusable. path (may be NULL): its name, NULL for what was handed over. */
SD_API const sd_table *sd_tables_at (const sd_tables *ts, unsigned i, const char **path);
/** Why table i is unusable; NULL: it is usable. */
SD_API const sd_error *sd_tables_problem (const sd_tables *ts, unsigned i);

/** WDL for the side to move: -1, 0, 1. SD_ENOENT: a needed table is missing (err names it); SD_EFORMAT,
 * SD_ECHECKSUM: damaged; SD_EINVAL: not legal, or more than SD_MAX_MEN men. err may be NULL. En-passant
 * rights are honoured; an en-passant square on which nothing can be captured does not count. Either colour
 * may be the stronger one. A WDL probe without a WDL table uses the signs of a DTM table that is complete by
 * itself (SD_CODING_SIGNED). */
SD_API int sd_probe_wdl (const sd_tables *ts, const sd_pos *p, int *wdl, sd_error *err);
/** The same in any metric, with the values that sd_metrics describes. */
SD_API int sd_probe_value (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_value *value,
                           sd_error *err);
/** The same of a position that is known to be legal (sd_pos_legal). */
int sd_probe_legal (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_value *value,
                    sd_error *err);
/** The same where plies may be rounded, as those of Syzygy's files: *out is known exactly if both its ends
 * are equal. */
int sd_probe_span (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_span *out, sd_error *err);
/** The same of n such positions: value[i] and its status[i]. What the tables hold of them is prefetched
 * together, so that waits for memory overlap; each value is found as by sd_probe_legal. */
void sd_probe_several (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, unsigned n,
                       sd_value *value, int *status);
SD_API int sd_probe_dtm (const sd_tables *ts, const sd_pos *p, sd_value *value, sd_error *err);

/** Where a table holds a position: the side to move and the slot, after the symmetries of the board, and the
 * block of the codec around it (bytes 0: the stream has no blocks, as a diagram, or is constant). stored:
 * false where that side is restored by one ply of all moves; then there is no block. */
typedef struct sd_place {
  const sd_table *table;
  const char *path;
  unsigned side; /* SD_WHITE, SD_BLACK, as the table has the colours */
  bool stored;
  uint64_t slot;
  sd_codec_block block;
} sd_place;
/** SD_ENOENT: there is no such table, two kings alone among them; SD_EINVAL: more than SD_MAX_MEN men. Of an
 * en-passant right, which tables do not hold, the position without it. Thread-safe. */
int sd_tables_place (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_place *out);

/* ------------------------------------------------- exact values in memory */

/** All values of one ending under the generator's layout, both sides to move (one side if the material is
 * symmetric). */
typedef struct sd_exact {
  sd_material material;
  unsigned nsides; /* 1: symmetric material, Black to move is looked up with colours swapped */
  sd_indexer *indexer;
  uint64_t n;
  sd_value *value[2]; /* [side][slot] */
} sd_exact;

/** Allocated and filled with SD_ILLEGAL. */
SD_API int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err);
SD_API void sd_exact_free (sd_exact *e);

/** The exact values (DTM) of several endings, found by material; what is missing is loaded from table files
 * on the path. Not thread-safe while loading; read-only and thread-safe afterwards. */
typedef struct sd_exacts sd_exacts;
SD_API int sd_exacts_new (const char *path, sd_exacts **out,
                          sd_error *err); /* path: colon-separated folders, may be NULL */
/** The same with exact values of another metric than DTM, one that is its own `exact`, from its files. */
SD_API int sd_exacts_new_of (const char *path, enum sd_metric metric, sd_exacts **out, sd_error *err);
/** Values under the 50-move rule (SD_DTZ50) from Syzygy files alone, whatever else the folders hold. plies:
 * from .rtbw and .rtbz files, with the plies that full moves leave open found by one ply. Else from .rtbw
 * files alone: each value is the shortest with its result, which is right for tables of SD_WDL50 and SD_WDL.
 */
int sd_exacts_new_syzygy (const char *path, bool plies, sd_exacts **out, sd_error *err);
SD_API void sd_exacts_free (sd_exacts *s);
/** Tell of loading, which may take minutes, from now on; NULL: no more. It outlives the loading. */
void sd_exacts_show (sd_exacts *s, const sd_progress *progress);
/** Ending m (canonical), loaded if need be. SD_ENOENT names the missing file. A file coded as SD_CODING_MOVES
 * is restored through its WDL table and the tables of its sub-endings. */
SD_API int sd_exacts_get (sd_exacts *s, const sd_material *m, const sd_exact **out, sd_error *err);
/** Ending m and all its next endings. */
SD_API int sd_exacts_need (sd_exacts *s, const sd_material *m, sd_error *err);
/** The files that values were read from, as they were named, in the order of loading; (*files)[0..return-1]
 * belong to s. */
SD_API size_t sd_exacts_files (const sd_exacts *s, const char *const **files);
/** Hand over an ending that was made elsewhere (the generator); s owns it afterwards, and frees it even if
 * this fails (SD_ENOMEM). An ending of the same material is replaced and freed. */
SD_API int sd_exacts_put (sd_exacts *s, sd_exact *e);
/** Value of any legal position (either colour may be the stronger side; en-passant right honoured) whose
 * ending and next endings are loaded; KvK is drawn. SD_ENOENT if not loaded. Thread-safe when nothing is
 * loading. */
SD_API int sd_exacts_value (const sd_exacts *s, const sd_pos *p, sd_value *out);
/** Counts over the positions that are unique up to symmetry. */
typedef struct sd_counts {
  uint64_t positions, won, drawn, lost;
  sd_value longest_win, longest_loss; /* 0: none */
} sd_counts;
SD_API void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out);

/* ------------------------------- values of finished endings as they are asked for */

/** Values of endings by slots of the generator's layout, decoded block by block from DTM table files when
 * they are asked for, and kept as far as a budget allows. Made for programs that look up very many values of
 * large endings, neighbours after neighbours: the generator. Lookups may run in any number of threads; all
 * else must be called by one thread while no lookup runs. */
typedef struct sd_values sd_values;

/** A part of the slots. */
typedef struct sd_values_block {
  const void *data; /* NULL: not decoded; written once, atomically, between two trims */
  uint8_t used;     /* since the last trim */
  uint16_t age;     /* trims since it was used */
} sd_values_block;

/** One side to move of one ending. The members are for sd_values_at. */
typedef struct sd_values_side {
  sd_values_block *block;
  unsigned shift; /* slot >> shift: its block; slot & mask: its place there */
  bool wide;      /* a block is sd_value[]; else uint8_t[], symbols of map[] */
  uint64_t mask;
  const sd_value *map;
  uint64_t n; /* slots */
} sd_values_side;

/** path: colon-separated folders, may be NULL; nothing is opened yet. budget: what sd_values_budget says,
 * bytes. */
int sd_values_new (const char *path, uint64_t budget, sd_values **out, sd_error *err);
/** What the values say: SD_USUAL_EXACT, or another metric that is its own `exact`, set before the first one
 * is asked for. */
void sd_values_set_metric (sd_values *c, enum sd_metric metric);
enum sd_metric sd_values_metric (const sd_values *c);
void sd_values_free (sd_values *c); /* NULL does nothing */
/** The values of ending m (canonical) with `side` to move (symmetric material has White only). The first
 * time, its table file is opened and all its checksums are verified; a file that does not hold the values
 * themselves (other freedom than illegal slots, SD_CODING_MOVES) needs its WDL table and its sub-endings,
 * which are opened too. *out lives as long as c. SD_ENOENT names the missing file, SD_ECHECKSUM and
 * SD_EFORMAT the damaged one; SD_EUNSUPPORTED: an .rtbz file. */
int sd_values_get (sd_values *c, const sd_material *m, unsigned side, const sd_values_side **out,
                   sd_error *err);
/** Take the values of this ending from e: not owned, must outlive c. SD_EINVAL: the ending is there already.
 */
int sd_values_use (sd_values *c, const sd_exact *e, sd_error *err);

/** The values of a table of another game by state, WDL as -1, 0, 1. Its checksums are taken for verified
 * (SD_OPEN_CHECK). c owns t afterwards, and closes it even if this fails (SD_EINVAL: a table of chess;
 * SD_ENOMEM). */
int sd_values_add_game (sd_values *c, sd_table *t, const sd_values_side **out, sd_error *err);

/** Out of line: the value of a slot whose block is not decoded. */
sd_value sd_values_miss (const sd_values_side *h, uint64_t slot);
/** The value of a slot < n that stands for a legal position; others may give anything. SD_ILLEGAL: it could
 * not be had, sd_values_problem says why. Takes a lock only when it decodes. */
static inline sd_value sd_values_at (const sd_values_side *h, uint64_t slot) {
  sd_values_block *b = &h->block[slot >> h->shift];
  const void *data = __atomic_load_n (&b->data, __ATOMIC_ACQUIRE);
  if (__builtin_expect (!data, 0))
    return sd_values_miss (h, slot);
  if (!__atomic_load_n (&b->used, __ATOMIC_RELAXED)) /* no store, no quarrel over the cache line */
    __atomic_store_n (&b->used, 1, __ATOMIC_RELAXED);
  const uint64_t i = slot & h->mask;
  return h->wide ? ((const sd_value *) data)[i] : h->map[((const uint8_t *) data)[i]];
}
/** Why sd_values_at gave SD_ILLEGAL: the latest failure of h, with the file's name; SD_EINVAL if there was
 * none. Thread-safe. */
int sd_values_problem (const sd_values_side *h, sd_error *err);

/** Free decoded blocks, those first that have been out of use for most trims, until at most so many bytes are
 * held. */
void sd_values_trim (sd_values *c, uint64_t at_most);
uint64_t sd_values_budget (const sd_values *c);
void sd_values_set_budget (sd_values *c, uint64_t budget);
/** bytes: held in decoded blocks, what is being decoded included (not the files' mappings, a codec's own
 * memory, what sd_values_use lent); peak: the most so far; blocks: decoded so far, `slots` in them. */
typedef struct sd_values_stats {
  uint64_t bytes, peak, blocks, slots;
} sd_values_stats;
void sd_values_describe (const sd_values *c, sd_values_stats *out);
/** The peak is counted anew from what is held now. No lookups meanwhile. */
void sd_values_forget_peak (sd_values *c);

#ifdef __cplusplus
}
#endif

#endif
