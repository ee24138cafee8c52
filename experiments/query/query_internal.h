/** \file query_internal.h
 * What the files of the room share.
 *
 * The order in which query.c opens a store matters: functions, then our own tables, then the guard. From
 * the guard on the database only reads, whoever asks. */
#ifndef SD_QUERY_INTERNAL_H
#define SD_QUERY_INTERNAL_H

#include "experiments/query/query.h"
#include "experiments/statistics/statistics.h"
#include <sqlite3.h>

struct sd_query {
  sd_store *store; /* NULL: the database is in memory, and ours */
  sqlite3 *db;
  char denied[200]; /* what the authorizer has refused last; "": nothing */
  char functions[1000]; /* of ours, a blank around each */
  double seconds;   /* that a question may take */
  double until;     /* the clock's reading at which it ends */
  unsigned memory;  /* MiB that SQLite may take */
  bool closed;      /* the authorizer is at work */
  bool owned;       /* the store is ours to close */
};

/** How a row was coded, in SQL: the settings of its codec, and behind them what it has of SD_AXIS_COLUMNS.
 * Example: "block=128,parse=optimal,mode=x" where an axis `mode` has the value x. Reports know no other
 * settings than these. */
#define SD_AXIS_PAIR(kind, name, size) " || iif (\"" #name "\" <> '', '," #name "=' || \"" #name "\", '')"
#define SD_CODED_SETTINGS                                                                                    \
  "substr (iif (settings <> '', ',' || settings, '')" SD_AXIS_COLUMNS (SD_AXIS_PAIR) ", 2) AS coded_settings"

/** What the whole table takes, of which a row has coded a part (run/sample.c): header and model once, all
 * else as often as there are such parts. */
#define SD_PART_TIMES "(1.0 * whole_slots / slots)"
#define SD_WHOLE_BYTES                                                                                       \
  "(header_bytes + model_bytes + (bytes - header_bytes - model_bytes) * " SD_PART_TIMES ")"
/** The same where each doubling goes on to save what it saves between the lots and the part. */
#define SD_LEARNT_BYTES                                                                                      \
  "(bytes * exp (ln (" SD_PART_TIMES ") * ln (1.0 * bytes * lots / lots_bytes) / ln (lots)))"
/** A column of what was measured as lines and subjects see it: of the whole table, estimated where only a
 * part was coded. */
#define SD_WHOLE_COLUMN(kind, name, size)                                                                    \
  ", CASE WHEN whole_slots IS NULL THEN \"" #name "\" WHEN '" #name                                          \
  "' = 'bytes' THEN CAST (0.5 + " SD_WHOLE_BYTES " AS INTEGER) WHEN '" #name                                 \
  "' IN ('slots', 'free_slots', 'index_bytes', 'payload_bytes', 'blocks')"                                   \
  " THEN CAST (0.5 + \"" #name "\" * " SD_PART_TIMES " AS INTEGER) ELSE \"" #name "\" END AS \"" #name "\""
/** Bounds of such bytes, NULL of a whole table: the spread of the lots about what it takes at least, if it
 * goes on to learn, and at most, if its model grows with the slots; and the slots that were coded. */
#define SD_BOUND(name, bytes, column)                                                                        \
  ", iif (whole_slots, CAST (0.5 + " bytes " * " column " / lots_bytes AS INTEGER), NULL) AS " name
#define SD_BOUNDS                                                                                            \
  SD_BOUND ("low_bytes", "min (" SD_WHOLE_BYTES ", " SD_LEARNT_BYTES ")", "lots_low_bytes")                  \
  SD_BOUND ("high_bytes", "bytes * " SD_PART_TIMES, "lots_high_bytes") ", slots AS coded_slots"

/** One more that queries may call. False: SQLite does not take it. */
bool sd_query_add (sd_query *q, const sd_sql_function *f);
/** first_of, which only our own tables may ask: to be called before sd_query_guard. first.c */
bool sd_query_add_first (sd_query *q);
/** Words of subdef. */
bool sd_query_add_words (sd_query *q);

/** A store to be asked, of one moment, its rows and runs checked. query.c */
int sd_query_open_store (const char *db, sd_store **out, sd_error *err);
/** Both stores as tables, and what compare.sql makes of them. query_two.c */
int sd_query_add_other (sd_query *q, const sd_query_options *o, sd_error *err);
/** From now on the database only reads. query.c */
void sd_query_guard (sd_query *q);
/** Our own SQL, before the authorizer is at work; what: for the message. */
int sd_query_do (sd_query *q, const char *sql, const char *what, sd_error *err);

#endif
