/* probing_internal.h - a position that is being asked for: its place among the tables, and what probe.c,
 * quiet.c and failures.c say to each other. */
#ifndef SD_PROBE_PROBING_H
#define SD_PROBE_PROBING_H

#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"

/** The question of a caller. */
typedef struct sd_probing {
  sd_source source; /* first: who has it has this, too */
  const sd_tables *ts;
  const sd_pos *root;
  sd_error *err; /* may be NULL */
} sd_probing;

/** The slot of a position in a table. */
typedef struct sd_found {
  const sd_view *view; /* NULL: not looked for */
  unsigned side;
  uint64_t slot;
} sd_found;

enum sd_escapes { SD_ESCAPES_UNKNOWN, SD_ESCAPES_NO, SD_ESCAPES_YES };

/** A position with its place among the tables. */
typedef struct sd_seat {
  sd_board board;
  const sd_ending *ending; /* NULL: king against king */
  bool swapped;            /* the ending is stored with colours the other way round */
  enum sd_escapes escapes; /* sd_only_escapes */
  sd_found found[2];       /* ahead of time: in the table of its metric, and in that which tells the signs */
} sd_seat;

/** sd_source.quiets; l->place: the sd_seat of p, whose table of the metric is open. quiet.c */
int sd_probe_quiets (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     sd_bound bound, sd_best *best);

/** No table of the metric, or of one that tells it, can be used for b. failures.c, as all that follow */
__attribute__ ((cold)) int sd_probe_missing (const sd_probing *pr, const sd_board *b, const sd_view *v,
                                             enum sd_metric metric);
/** What v has for p cannot be. */
__attribute__ ((cold)) int sd_probe_damaged (const sd_probing *pr, const sd_view *v, const sd_pos *p,
                                             const char *what, long number);
/** A slot of v, for p, could not be decoded. */
__attribute__ ((cold)) int sd_probe_unreadable (const sd_probing *pr, const sd_view *v, const sd_pos *p,
                                                int status, uint64_t slot);
/** The position is none that tables know. */
__attribute__ ((cold)) int sd_probe_refused (const sd_probing *pr);

#endif
