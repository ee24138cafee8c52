/** \file parse_internal.h
 * The state of the search for a cheapest parse: parse.c cuts the sequence into segments or blocks,
 * parse_search.c finds the way through each. */
#ifndef SD_PARSE_INTERNAL_H
#define SD_PARSE_INTERNAL_H

#include "repair/repair_internal.h"

#define SD_PARSE_SEGMENT (1u << 17) /* positions of one task without blocks */
#define SD_PARSE_ALL SD_REPAIR_IDS  /* no phrase has this id */

/* Cheapest known way to a position. */
typedef struct sd_parse_place {
  uint32_t cost;
  sd_phrase id;  /* last phrase of the way */
  uint16_t mark; /* of the block in which it was found */
} sd_parse_place;

/** A phrase that fits between two places of a segment, which are numbered from its beginning. */
typedef struct sd_parse_edge {
  uint32_t from, to;
  uint16_t cost;
  sd_phrase id;
} sd_parse_edge;

typedef struct sd_parser {
  const sd_repair *st;
  const sd_trie *trie;
  const sd_symbol *slot; /* the sequence to be completed */
  uint64_t *const *plane;
  uint64_t total;      /* slots of all parts, where blocks are made */
  uint64_t first, end; /* the block begins at first; no phrase starts at end */
  const sd_ahead *ahead; /* NULL: too many main symbols */
  const sd_wild *wild;   /* NULL: too few to need it */
  uint64_t wild_end;   /* slots up to here admit everything, if the one that is settled lies before */
  uint32_t slack, lead, budget;
  sd_parse_place *place; /* [position - first]: what no block reaches is never touched */
  uint64_t size;
  uint16_t mark;
  uint64_t *far;       /* [bucket] the furthest place within this cost */
  uint64_t top;        /* last bucket that is set */
  unsigned but;        /* a phrase that is not taken; SD_PARSE_ALL: all may be */
  uint64_t at;         /* the position that is settled */
  uint32_t spent;      /* its cost */
  bool cuts;           /* cut phrases count there */
  uint64_t last;       /* furthest place so far */
  const uint64_t *only; /* a bit for each place that counts; NULL: all do */
  bool notes;          /* phrases that fit are noted as edges, but for those that can lead nowhere */
  bool failed;         /* no memory for that */
  sd_parse_edge *edge; /* by rising `from` */
  uint64_t edges, edge_room;
  /* the furthest slot that a cut phrase covers, and what it costs to do so */
  uint64_t cut_end, cut_at;
  uint32_t cut_cost;
  sd_phrase cut_id;
} sd_parser;

/** What parsers with one dictionary share. */
typedef struct sd_parse_search {
  sd_trie trie;
  sd_ahead ahead;
  sd_wild wild;
  sd_parser parser; /* to be copied */
} sd_parse_search;

/** As sd_repair_parse takes them. The parser has no slots yet. SD_ENOMEM. */
int sd_parse_search_init (sd_parse_search *s, const sd_repair *st, const uint32_t *cost, uint32_t slack);
void sd_parse_search_clear (sd_parse_search *s);

/** The slots that are parsed; where there are few main symbols also as a row of bits for each, with plane[0],
 * which the caller frees, always. SD_ENOMEM. */
int sd_parser_set_slots (sd_parser *p, const sd_symbol *slot, uint64_t n, uint64_t **plane);

/** Room for a window of so many positions. SD_ENOMEM. */
int sd_parser_init (sd_parser *p, uint64_t window);
void sd_parser_clear (sd_parser *p);

/** All places forgotten. */
void sd_parser_forget (sd_parser *p);

/** Settle the positions of one block from p->first on. */
void sd_parser_settle (sd_parser *p);

/** The best way through the block to out[0..]; its last phrase may be cut. Phrases, and where the block ends.
 * 0: there is none. */
uint64_t sd_parser_trace (const sd_parser *p, sd_phrase *out, uint64_t *block_end);

#endif
