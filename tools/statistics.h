/** \file statistics.h
 * The values of a table all together, for subdef info, and held against the published list, for subdef
 * verify. statistics.c */
#ifndef SD_TOOLS_STATISTICS_H
#define SD_TOOLS_STATISTICS_H

#include "recode/recode.h"
#include <jansson.h>

/** Those of both sides to move, as SD_OWN: SD_OWN_STATISTICS s[2] = { 0 }; */
#define SD_OWN_STATISTICS SD_RELEASED_BY (sd_statistics_leave) sd_statistics
static inline void sd_statistics_leave (sd_statistics (*s)[2]) {
  sd_statistics_free (&(*s)[0]);
  sd_statistics_free (&(*s)[1]);
}

/** sd_table_statistics of t, which is the file `path`: what restoring needs is looked for beside it and then
 * on the path of tables (option, NULL: not given). Shows progress. */
int sd_statistics_of_file (const char *path, const sd_table *t, const char *tables, sd_statistics out[2],
                           sd_error *err);
/** A line or two for each side to move. */
void sd_statistics_text (const sd_table *t, const sd_statistics s[2]);
/** "values" of the table's object: an object for each side to move, with the positions of each value or
 * without. */
void sd_statistics_json (json_t *table, const sd_table *t, const sd_statistics s[2], bool histogram);
/** A line for each side to move; t NULL: the names of the columns. */
void sd_statistics_csv (const sd_table *t, const sd_statistics s[2]);

/** A line of docs/checksums.csv: the values of a table with one side to move. published.c */
typedef struct sd_published {
  uint64_t positions, won, drawn, lost, content;
  sd_value longest_win, longest_loss; /* 0: none, or the metric counts no plies */
} sd_published;
/** The whole list as text, which is malloced. */
int sd_published_text (char **out, sd_error *err);
/** Its line about a table like this one; false: it has none. Thread-safe. */
bool sd_published_line (const char *text, const sd_table_info *in, unsigned side, sd_published *out);
/** Hold the values of t against docs/checksums.csv; s NULL: only whether it has lines for them. SD_ENOENT: it
 * has none; SD_EDIFF: they differ. published.c */
int sd_statistics_published (const sd_table *t, const sd_statistics s[2], sd_error *err);

#endif
