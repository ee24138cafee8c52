/** \file read_internal.h
 * An open stream: what lookups use, and walking its nodes where they stand. */
#ifndef SD_OBDD_READ_INTERNAL_H
#define SD_OBDD_READ_INTERNAL_H

#include "obdd/nodes_internal.h"

/** Numbers of `width` bits beside each other, eight bytes more behind them; in memory only. */
typedef struct sd_packed {
  uint8_t *byte;  /* NULL: there are none */
  unsigned width; /* at most 32 */
  uint32_t mask;  /* 2^width - 1 */
} sd_packed;

static inline uint64_t sd_packed_get (const sd_packed *p, uint64_t i) {
  const uint64_t bit = i * p->width;
  return sd_ef_eight (p->byte + bit / 8) >> bit % 8 & p->mask;
}

/** A part of the way down, from a level to one below it. It may go different `ways`, which have numbers; that
 * of a slot is its word >> shift & mask. The way x from node i leads to node table[i ways + x]. Without a
 * table it is a single step in the stream, and x the bit. */
typedef struct sd_hop {
  uint8_t from, to, shift; /* from: vars.n stands above all levels, where there is one node */
  uint64_t ways, mask;
  sd_packed table;
} sd_hop;

typedef struct sd_obdd_decoder {
  sd_decoder base;
  sd_obdd_vars vars;
  sd_obdd_coder coder; /* index to word */
  unsigned top, root_width, root_shift;
  sd_obdd_form form;
  const uint8_t *root, *end;
  sd_nodes *level; /* [top + 1] */
  bool is_small;   /* as sd_stream says */
  bool from_root;  /* lookups start at root word >> root_shift; else with hop 0, at node 0 */
  unsigned nhops;
  sd_hop hop[SD_OBDD_MAX_VARS + 1]; /* down to level 0 */
  sd_codec_parts parts;
} sd_obdd_decoder;

/** Where the digits' bits are tested. A digit of which a hop tests all bits, each of them once and alone, is
 * counted there by its values instead: three equal knights go C(64, 3) = 41,664 ways, not 2^18. */
typedef struct sd_spans {
  uint8_t low[SD_MAX_DIMS], high[SD_MAX_DIMS]; /* levels; low = 0: never counted by values */
  uint8_t digit_at[SD_OBDD_MAX_VARS + 1];      /* whose bit level k tests; SD_MAX_DIMS: one with low = 0 */
} sd_spans;
static inline bool sd_spans_whole (const sd_spans *s, unsigned d, unsigned from, unsigned to) {
  return d < SD_MAX_DIMS && s->low[d] > to && s->high[d] <= from;
}
void sd_spans_of (const sd_obdd_vars *v, sd_spans *out);

/** Ways of a hop with a table, at most 2^(from - to). */
uint64_t sd_spans_ways (const sd_obdd_vars *v, const sd_spans *s, unsigned from, unsigned to);

#define SD_MOST_TAIL 8

/** The lowest levels of a hop, at most SD_MOST_TAIL, that test no bits of digits counted by values: from a
 * way down to them 2^tail ways lead on, whose numbers are in a row. */
unsigned sd_spans_tail (const sd_spans *s, unsigned from, unsigned to);

/** The ways of a hop down to its tail, in the order of their bits. */
typedef struct sd_way {
  uint64_t path; /* bit k: what level to + tail + k + 1 tests */
  uint64_t number;
} sd_way;

/** Number the ways of h, a hop with a table: sets h->ways and what it weighs in the slots' words, from bit
 * h->shift on. */
void sd_ways_number (const sd_obdd_vars *v, const sd_spans *s, sd_hop *h, sd_obdd_weights *weights);

/** way[0..(h->ways >> tail) - 1], for the caller to free, even after an error. SD_ENOMEM. ways.c */
int sd_ways_list (const sd_obdd_vars *v, const sd_spans *s, const sd_hop *h, unsigned tail, sd_way **way);

/** Choose the hops of a stream of `len` bytes whose levels are open: from, to, ways, and from_root;
 * table.width > 0 where there shall be a table. plan.c. SD_ENOMEM. */
int sd_hops_plan (sd_obdd_decoder *d, const sd_spans *s, unsigned m, size_t len);

/** Choose them, fill their tables, and prepare the way from an index to them; `close` undoes it, and must
 * also be called after an error. hops.c. SD_ENOMEM. */
int sd_hops_open (sd_obdd_decoder *d, unsigned m, size_t len);
void sd_hops_close (sd_obdd_decoder *d);

/** Roots that can differ: those of a level with one node take no bits, and may be 2^36. */
static inline uint64_t sd_roots_to_look_at (const sd_obdd_decoder *d) {
  return d->root_width ? UINT64_C (1) << (d->vars.n - d->top) : 1;
}

/** Root i, a node of the top level. */
static inline uint64_t sd_root_of (const sd_obdd_decoder *d, uint64_t i) {
  return sd_number_at (d->root, d->end, i, d->root_width);
}

#endif
