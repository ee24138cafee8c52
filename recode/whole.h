/* whole.h - tables decoded whole into memory, for those who look at every position. Internal to table/. */
#ifndef SD_TABLE_WHOLE_H
#define SD_TABLE_WHOLE_H

#include "probe/lookup.h"

/** One table: the restored value of every slot in the order of its own layouts; SD_ILLEGAL where no legal
 * position. Results are -1, 0, 1. */
typedef struct sd_whole {
  const sd_view *view; /* whose layouts; a WDL set may rest on a DTM table */
  sd_value *value[2];
} sd_whole;

typedef struct sd_wholes {
  const sd_tables *ts;
  const sd_view *first; /* taken before what ts has for this material and metric; may be NULL */
  sd_keys keys;
  sd_whole (*at)[2]; /* [ending][metric] */
  size_t n;
  const sd_progress *progress;
} sd_wholes;

void sd_wholes_free (sd_wholes *w);
/** Decode the table of m, and first whatever restoring it needs. SD_ENOENT: a table is missing. Uses OpenMP.
 */
int sd_wholes_need (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_error *err);
/** NULL: not decoded. */
const sd_whole *sd_wholes_find (const sd_wholes *w, const sd_material *m, enum sd_metric metric);
/** Value of a legal position of an ending that is there, en-passant right honoured. SD_ENOENT: not there.
 * Thread-safe. */
int sd_wholes_value (const sd_wholes *w, const sd_pos *p, enum sd_metric metric, sd_value *out);
/** The value of p, whose squares in own's order are sq, that follows from all its moves. Children whose value
 * is not restored yet (SD_ILLEGAL) are passed over; SD_EFORMAT: all are. SD_ENOENT etc.: a successor cannot
 * be looked up. Thread-safe. */
int sd_wholes_by_moves (const sd_wholes *w, const sd_whole *own, enum sd_metric metric, const sd_pos *p,
                        const uint8_t *sq, sd_value *out);
/** What the move into a child of this value is worth. */
static inline sd_value sd_whole_back (enum sd_metric metric, sd_value child) {
  return sd_metric_back (&sd_metrics[metric], child);
}
/** The position of slot i, if it is a legal one. */
bool sd_view_position (const sd_view *v, unsigned side, uint64_t i, sd_pos *p, uint8_t *sq);

#endif
