/** \file nodes_internal.h
 * The nodes of a stored level, by number and in turn, in whichever way they are stored (docs/format.md,
 * section 7.5): as a rising sequence of pairs, which is the smallest, or as Kristensen 2005 (Sec. 2.4) stores
 * them, to compare with: edges of ceil (log2 n) bits, of `ideal` nodes the left one only, for the right one
 * leads to the next node. In an ideal level four kinds follow each other: nodes whose edges are the same and
 * those that are ideal, both without their right edge; then those with a flag, 1 if ideal; then those with
 * both edges. */
#ifndef SD_OBDD_NODES_INTERNAL_H
#define SD_OBDD_NODES_INTERNAL_H

#include "obdd/ef_internal.h"
#include "obdd/obdd_internal.h"

typedef struct sd_nodes {
  uint64_t n, below; /* nodes; of the level below */
  sd_obdd_form form;
  unsigned width; /* of an edge */
  sd_ef rising;   /* sorted: left below + right */
  uint64_t inverse;
  const uint8_t *flag, *edge, *end;
  uint64_t same, flagged, full; /* numbers behind the nodes with the same edges; of the first flagged and full
                                   node */
  uint64_t halves;              /* nodes without their right edge */
  uint32_t *rank;               /* ones before every 64th flag; NULL: no access by number */
} sd_nodes;

/** Bytes of n >= 1 nodes. SD_FORM_IDEAL: at least, roughly: as many may be ideal as the level below allows.
 */
uint64_t sd_nodes_bytes (sd_obdd_form form, uint64_t n, uint64_t below);

/** Append a level, which stands in the order of the form. */
void sd_nodes_write (sd_obdd_form form, const sd_obdd_level *l, uint64_t below, sd_buf *out);

/** Read n nodes over `below` ones from r, which are checked, for reading in turn. NULL, or what is wrong. The
 * nodes of SD_FORM_IDEAL may be equal to each other. */
const char *sd_nodes_open (sd_nodes *s, sd_obdd_form form, sd_reader *r, uint64_t n, uint64_t below);

/** For access by number; SD_ENOMEM. */
int sd_nodes_index (sd_nodes *s);
void sd_nodes_close (sd_nodes *s);

/** Number `place` of those that stand beside each other at p, `width` bits each, at most 32. */
static inline uint64_t sd_number_at (const uint8_t *p, const uint8_t *end, uint64_t place, unsigned width) {
  const uint64_t bit = place * width;
  return sd_ef_word (p + bit / 8, end) >> bit % 8 & ((UINT64_C (1) << width) - 1);
}
void sd_put_number (uint8_t *p, uint64_t place, unsigned width, uint64_t x); /* over zeros */

/** A child of node x, by number; of the forms with edges. */
uint64_t sd_nodes_edge (const sd_nodes *s, uint64_t x, unsigned bit);
static inline uint64_t sd_nodes_child (const sd_nodes *s, uint64_t x, unsigned bit) {
  if (__builtin_expect (s->form != SD_FORM_SORTED, 0))
    return sd_nodes_edge (s, x, bit);
  const uint64_t key = sd_ef_get (&s->rising, x), lo = sd_obdd_divide (key, s->below, s->inverse);
  return bit ? key - lo * s->below : lo;
}

/** Reading in turn; begins as sd_nodes_from (). */
typedef struct sd_nodes_cursor {
  const sd_nodes *s;
  sd_ef_cursor rising;
  uint64_t x, place; /* the next node, and of its left edge */
} sd_nodes_cursor;
static inline sd_nodes_cursor sd_nodes_from (const sd_nodes *s) {
  return (sd_nodes_cursor){ .s = s, .rising = { .e = &s->rising } };
}
sd_obdd_node sd_nodes_next_edges (sd_nodes_cursor *c);
static inline sd_obdd_node sd_nodes_next (sd_nodes_cursor *c) {
  const sd_nodes *s = c->s;
  if (s->form != SD_FORM_SORTED)
    return sd_nodes_next_edges (c);
  const uint64_t key = sd_ef_next (&c->rising), lo = sd_obdd_divide (key, s->below, s->inverse);
  return (sd_obdd_node){ (uint32_t) lo, (uint32_t) (key - lo * s->below) };
}

#endif
