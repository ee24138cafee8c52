/** \file read_internal.h
 * An open stream: what lookups use, and walking its nodes where they stand. */
#ifndef SD_OBDD_READ_INTERNAL_H
#define SD_OBDD_READ_INTERNAL_H

#include "obdd/ef_internal.h"
#include "obdd/obdd_internal.h"

/** Numbers of `width` bits beside each other; in memory only. */
typedef struct sd_packed {
  uint64_t *word; /* NULL: there are none */
  unsigned width; /* at most 32 */
} sd_packed;

static inline uint64_t sd_packed_get (const sd_packed *p, uint64_t i) {
  const uint64_t bit = i * p->width, *w = p->word + bit / 64;
  return (w[0] >> bit % 64 | w[1] << 1 << (63 - bit % 64)) & ((UINT64_C (1) << p->width) - 1);
}

/** A part of the way down: from a node x of level `from` to one of level `to`, which is table[x << (from -
 * to) | the code's bits from `to` on]; without a table a single step in the stream. */
typedef struct sd_hop {
  uint8_t from, to;
  sd_packed table;
} sd_hop;

typedef struct sd_obdd_decoder {
  sd_decoder base;
  sd_obdd_vars vars;
  sd_obdd_coder coder;
  unsigned top, root_width;
  const uint8_t *root, *end;
  struct {
    sd_ef nodes;
    uint64_t below, inverse; /* nodes of the level below, and for the division */
  } level[SD_OBDD_MAX_VARS + 1];
  bool from_root; /* lookups start at a root; else with hop 0, at node 0 of a level above all */
  unsigned nhops;
  sd_hop hop[SD_OBDD_MAX_VARS + 1]; /* down to level 0 */
  sd_codec_parts parts;
} sd_obdd_decoder;

/** Choose the hops of a stream of `len` bytes whose levels are open, and fill their tables. hops.c.
 * SD_ENOMEM. */
int sd_hops_open (sd_obdd_decoder *d, unsigned m, size_t len);
void sd_hops_close (sd_obdd_decoder *d);

/** Roots that can differ: those of a level with one node take no bits, and may be 2^36. */
static inline uint64_t sd_roots_to_look_at (const sd_obdd_decoder *d) {
  return d->root_width ? UINT64_C (1) << (d->vars.n - d->top) : 1;
}

/** Root i, a node of the top level. */
static inline uint64_t sd_root_of (const sd_obdd_decoder *d, uint64_t i) {
  const uint64_t bit = i * d->root_width;
  return sd_ef_word (d->root + bit / 8, d->end) >> bit % 8 & ((UINT64_C (1) << d->root_width) - 1);
}

/** A child of a node of level k > 0. */
static inline uint64_t sd_child (const sd_obdd_decoder *d, unsigned k, uint64_t node, unsigned bit) {
  const uint64_t key = sd_ef_get (&d->level[k].nodes, node), below = d->level[k].below;
  const uint64_t lo = sd_obdd_divide (key, below, d->level[k].inverse);
  return bit ? key - lo * below : lo;
}

#endif
