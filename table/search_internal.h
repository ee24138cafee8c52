/** \file search_internal.h
 * What the files of the search share: layouts that are tried, and coding them. */
#ifndef SD_SEARCH_INTERNAL_H
#define SD_SEARCH_INTERNAL_H

#include "table/table.h"
#include "table/table_internal.h"

enum { SD_MAX_CANDIDATES = 5040, SD_FINALISTS = 3, SD_CONSTANT_BYTES = 3 };

/* How much of a table is coded. */
typedef struct sd_extent {
  uint64_t pieces, length; /* pieces 0: all of it */
} sd_extent;

typedef struct sd_candidate {
  sd_layout layout;
  uint64_t bytes; /* 0: not coded yet */
} sd_candidate;

typedef struct sd_search {
  const sd_subdefined *data;  /* in the generator's layout; of a large table without symbols */
  const sd_subdefined *other; /* Black's side, where one stream is sought for both; else NULL */
  const sd_layout *known[2];  /* worth a try; NULL: none */
  const sd_judge *judge;      /* of a large table */
  const sd_indexer *from;
  const sd_codec *codec;
  const sd_settings *settings;
  sd_extent extent;
} sd_search;

/** The side in layout l, coded. *n: slots that were coded. search.c */
int sd_search_stream (const sd_search *s, const sd_layout *l, sd_buf *out, uint64_t *n, sd_error *err);
/** Code all candidates that have no size yet, then sort by size. search.c */
int sd_search_rank (const sd_search *s, sd_candidate *c, unsigned n, const char *what,
                    const sd_progress *progress, sd_error *err);

/** A layout that is not among the candidates c[0..*n-1] and is possible becomes one; false: it is none. */
bool sd_search_add (sd_candidate *c, unsigned *n, const sd_layout *l);
/** The best layouts for a coder that looks at neighbours, best first; c has room for SD_MAX_CANDIDATES. May
 * leave s->extent changed. search_layouts.c */
int sd_search_layouts (sd_search *s, sd_candidate *c, unsigned *n, const sd_progress *progress,
                       sd_error *err);
/** Settings of the diagram coder, but quick. search_diagrams.c */
void sd_search_cheapen (sd_settings *set);
/** The same for diagrams. search_diagrams.c */
int sd_search_diagrams (sd_search *s, sd_candidate *c, unsigned *n, const sd_progress *progress,
                        sd_error *err);

#endif
