/** \file known.h
 * What is known of a position, in all metrics: for each metric that counts plies the span in which its value
 * lies. Nothing known, a bare result, plies that are rounded and exact plies are all spans, and so is what
 * moves tell of the position before them. Other metrics are looked up in these (sd_known_in). */
#ifndef SD_GEN_KNOWN_H
#define SD_GEN_KNOWN_H

#include "table/metric.h"

typedef struct sd_known {
  unsigned has;              /* a bit for each metric that tables or rules of the game told it in */
  sd_span of[SD_METRICS];    /* of metrics that are their own `exact`; others are not looked at */
} sd_known;

/** Any value is possible. */
sd_known sd_known_nothing (void);

/** The value lies in this span of a metric. All metrics agree who wins; a span that contradicts what is known
 * already changes nothing. */
void sd_known_tell (sd_known *k, enum sd_metric metric, sd_span span);

/** The span in any metric. */
sd_span sd_known_in (const sd_known *k, enum sd_metric metric);

/** Its ends are equal. */
bool sd_known_is (const sd_known *k, enum sd_metric metric);

/** Did a table of this metric, or of one made of the same values, tell something? */
bool sd_known_has (const sd_known *k, enum sd_metric metric);

/** Are the plies of a win or loss known, but for one at most? Of a metric that is its own `exact`. */
bool sd_known_plies (const sd_known *k, enum sd_metric metric);

/** Both are true of the same position. */
void sd_known_meet (sd_known *k, const sd_known *also);

/** Is a position known exactly: 1, 0, -1 for won, drawn, lost? *result is the result then. */
bool sd_known_result (const sd_known *k, int *result);

/** What a move of this kind (bits of enum sd_step) to such a position is worth. */
sd_known sd_known_back (const sd_known *theirs, unsigned step);

/** What that says of the position behind a move worth `mine`, if it is not one after which plies are counted
 * anew; else nothing. */
sd_known sd_known_forth (const sd_known *mine, unsigned step);

/** *best becomes what is known of the better of the two. */
void sd_known_better (sd_known *best, const sd_known *k);

/** > 0: a is the better one in this metric as far as is known: first by the worst that may be, then by the
 * best. */
int sd_known_compare (const sd_known *a, const sd_known *b, enum sd_metric metric);

#endif
