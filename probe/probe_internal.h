/* probe_internal.h - what probing results and probing distances share. Inside table/. */
#ifndef SD_PROBE_INTERNAL_H
#define SD_PROBE_INTERNAL_H

#include "probe/quiet.h"

typedef struct sd_probe {
  const sd_tables *ts;
  const sd_pos *root;
  sd_error *err; /* may be NULL */
} sd_probe;

/** A position with its place among the tables. */
typedef struct sd_seat {
  sd_board board;
  const sd_ending *ending; /* NULL: king against king */
  bool swapped;
} sd_seat;

enum { SD_NOT_KNOWN = 2 }; /* beside the results -1, 0, 1 */

/* ------------------------------------- what can fail; each returns the status */

/** No table of this metric for the board; v: the damaged one, or NULL. */
__attribute__ ((cold)) int sd_probe_missing (const sd_probe *pr, const sd_board *b, const sd_view *v,
                                             enum sd_metric metric);
/** SD_EFORMAT, with what v says about p. */
__attribute__ ((cold)) int sd_probe_damaged (const sd_probe *pr, const sd_view *v, const sd_pos *p,
                                             const char *what, long number);
/** What reading a slot of v for p ended with, which is returned. */
__attribute__ ((cold)) int sd_probe_unreadable (const sd_probe *pr, const sd_view *v, const sd_pos *p, int status,
                                                uint64_t slot);
/** SD_EINVAL: the root has no value in any table. */
__attribute__ ((cold)) int sd_probe_refused (const sd_probe *pr);

/** The legal position p, in *plain without its en-passant right where there is no such right: engines set the
 * square behind every double step. */
const sd_pos *sd_probe_asked (const sd_pos *p, sd_pos *plain);

/* ------------------------------------------------------------------ own table */

int sd_probe_sit (const sd_probe *pr, const sd_pos *p, sd_seat *out);
/** Does v hold the side to move of p? */
static inline bool sd_probe_holds (const sd_seat *seat, const sd_view *v, const sd_pos *p) {
  bool swapped = seat->swapped;
  return v->sides >> sd_stored_side (v->nsides, p->stm, &swapped) & 1;
}
/** What v's map says about p, which it holds. */
int sd_probe_stored (const sd_probe *pr, const sd_seat *seat, const sd_view *v, const sd_pos *p,
                     sd_value *out);
/** sd_quiets_read, with a message. */
int sd_probe_read (const sd_probe *pr, const sd_view *v, const sd_pos *p, sd_quiets *q, unsigned first,
                   unsigned *end);

/* --------------------------------------------------------------------- values */

/** The result of p. limit -1..1: from it on, *wdl may be any lower bound of the result that is not below it;
 * 1: *wdl is exact. */
int sd_probe_result (const sd_probe *pr, const sd_pos *p, int limit, int *wdl);
/** The same for a position without en-passant right, whose ending is there. */
int sd_probe_plain (const sd_probe *pr, const sd_seat *seat, const sd_pos *p, int limit, int *wdl);
/** The same for a quiet child of p whose symbol in the table of results v has been read. */
int sd_probe_quiet (const sd_probe *pr, const sd_view *v, const sd_pos *p, const sd_quiet *q, int limit,
                    int *wdl);
/** The value of p; result: its result, or SD_NOT_KNOWN. */
int sd_probe_distance (const sd_probe *pr, const sd_pos *p, int result, sd_value *value);

#endif
