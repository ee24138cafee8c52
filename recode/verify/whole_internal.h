/** \file whole_internal.h
 * Tables decoded whole into memory, for `verify`, which looks at every position. A second implementation of
 * its own, so that a mistake of the prober does not confirm itself: it may use chess/, indexer/, the reading
 * of files and the rows of table/ and the list of files that sd_tables is, and nothing of how probe/ finds
 * positions and restores values. */
#ifndef SD_WHOLE_INTERNAL_H
#define SD_WHOLE_INTERNAL_H

#include "probe/probe.h"
#include "table/table_internal.h"

/** One table: the restored value of every slot in the order of its own layouts; SD_ILLEGAL where no legal
 * position. */
typedef struct sd_whole {
  const sd_table
      *t; /* whose layouts; may be of another metric, which tells this one's values. NULL: not decoded */
  const sd_indexer *ix[2]; /* of each side to move that the ending has */
  sd_indexer *own;         /* made here for files whose index is no layout, or NULL */
  sd_value *value[2];
} sd_whole;

typedef struct sd_wholes {
  const sd_tables *ts;
  const sd_table *first; /* instead of what ts has for its material and metric */
  const sd_progress *progress;
  struct sd_whole_ending {
    uint64_t men; /* its material as a number */
    sd_whole by[SD_METRICS];
  } * at; /* by rising men */
  size_t n;
} sd_wholes;

void sd_wholes_free (sd_wholes *w);

/** Decode the table of m, and first whatever restoring it needs. SD_ENOENT: a table is missing. Uses OpenMP.
 */
int sd_wholes_need (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_error *err);

/** NULL: not decoded. Valid until more is decoded. */
const sd_whole *sd_wholes_find (const sd_wholes *w, const sd_material *m, enum sd_metric metric);

/** Value of a legal position of an ending that is there, en-passant right honoured. SD_ENOENT: not there.
 * Thread-safe. */
int sd_wholes_value (const sd_wholes *w, const sd_pos *p, enum sd_metric metric, sd_value *out);

/** The value of p, whose squares in own's order are sq, that follows from all its moves. Children whose value
 * is not restored yet (SD_ILLEGAL) are passed over; SD_EFORMAT: all are. SD_ENOENT etc.: a successor cannot
 * be looked up. Thread-safe. */
int sd_wholes_by_moves (const sd_wholes *w, const sd_whole *own, enum sd_metric metric, const sd_pos *p,
                        const uint8_t *sq, sd_value *out);

/** Looks at a legal position, whose squares in the order of the name are sq. Called by several threads at
 * once, each with slots of its own. */
typedef int sd_whole_look (const void *of, uint64_t slot, const sd_pos *p, const uint8_t *sq);

typedef struct sd_whole_seen {
  uint64_t positions; /* that were looked at */
  uint64_t failed;    /* the first slot of which look was not SD_OK; UINT64_MAX: none */
} sd_whole_seen;

/** Calls look (of, ...) for the positions of a side that are legal, or in check and legal, and returns its
 * status at the first slot that is not SD_OK. Some of those behind it are looked at, too. what: for the
 * progress, "restoring". Uses OpenMP. */
int sd_whole_each (const sd_whole *o, unsigned side, bool checked, sd_whole_look *look, const void *of,
                   const char *what, const sd_progress *progress, sd_whole_seen *out);

#endif
