/** \file probe.h
 * Values of positions: tables on a path and probing them. Uses table/. */
#ifndef SD_PROBE_H
#define SD_PROBE_H

#include "table/table.h"

/* ----------------------------------------------------------------- probing */

/** The tables found on a path, all opened (mapped) at once, or as they are needed (SD_OPEN_LATER), those of
 * other games too: they are counted and found, not probed here. Nothing else that a caller can see changes
 * afterwards, and probes may run in any number
 * of threads. They take no lock, unless SD_OPEN_CACHE is set, and allocate memory only for general
 * compressors. Every file named MATERIAL.METRIC.sdt or
 * GAME-SLICE.METRIC.sdt of each folder counts, other names are passed over; earlier folders win. A file that
 * cannot be opened, or holds another table than its name says, does not disturb the others: probes that need
 * it fail with its reason (a sound copy in a later folder is not used instead). path NULL or "": no tables. A
 * folder that is not there is passed over, see sd_tables_absent; SD_ENOENT: there is none of them.
 * SD_OPEN_CACHE: all share one cache. SD_OPEN_LATER: only the headers are read; the first probe that needs a
 * table opens it, for which it asks for memory, and damage behind the header is found then. */
typedef struct sd_tables sd_tables;
int sd_tables_open (const char *path, unsigned flags, sd_tables **out, sd_error *err);

/** The path that was given. */
const char *sd_tables_path (const sd_tables *ts);

/** Folder number i of those in the path that are not there, NULL beyond the last. */
const char *sd_tables_absent (const sd_tables *ts, unsigned i);

/** Use an open table instead of the one of the same material and metric; the caller still closes it. Not
 * thread-safe. */
int sd_tables_use (sd_tables *ts, const sd_table *t);

/** The tables of more folders, behind those that there are. Not while a probe runs; what sd_tables_path and
 * sd_tables_at said is said of more then. As sd_tables_open; on failure those that were opened before it stay
 * there. */
int sd_tables_add (sd_tables *ts, const char *path, unsigned flags, sd_error *err);
void sd_tables_close (sd_tables *ts);
SD_LEFT_BY (sd_tables, sd_tables_close)
const sd_table *sd_tables_find (const sd_tables *ts, const sd_material *m, enum sd_metric metric);
unsigned sd_tables_count (const sd_tables *ts);

/** Number i in the order of discovery (folders as given, names sorted, then what was handed over); NULL: that
 * file is unusable, or not opened yet (SD_OPEN_LATER). path (may be NULL): its name, NULL for what was handed
 * over. */
const sd_table *sd_tables_at (const sd_tables *ts, unsigned i, const char **path);

/** Why table i is unusable; NULL: it is usable, as far as it has been opened. */
const sd_error *sd_tables_problem (const sd_tables *ts, unsigned i);

/** What table i is of, whether it has been opened or not; false: it is unusable. */
typedef struct sd_tables_file {
  sd_material material;
  enum sd_metric metric;
  bool game, asked; /* of another game; probes ask it, and not one of an earlier folder */
} sd_tables_file;
bool sd_tables_tell (const sd_tables *ts, unsigned i, sd_tables_file *out);

/** WDL for the side to move: -1, 0, 1. SD_ENOENT: a needed table is missing (err names it); SD_EFORMAT,
 * SD_ECHECKSUM: damaged; SD_EINVAL: not legal, or more than SD_MAX_MEN men. err may be NULL. En-passant
 * rights are honoured; an en-passant square on which nothing can be captured does not count. Either colour
 * may be the stronger one. A WDL probe without a WDL table uses the signs of a DTM table that is complete by
 * itself (SD_CODING_SIGNED). */
int sd_probe_wdl (const sd_tables *ts, const sd_pos *p, int *wdl, sd_error *err);

/** The same in any metric, with the values that sd_metrics describes. */
int sd_probe_value (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_value *value,
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
int sd_probe_dtm (const sd_tables *ts, const sd_pos *p, sd_value *value, sd_error *err);

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

#endif
