/* What a diagram looks like, and its invariants: looked up node by node in an open stream. */
#ifndef SD_TESTS_OBDD_VALIDATE_H
#define SD_TESTS_OBDD_VALIDATE_H

#include "codecs/stream/stream.h"

/** What a diagram looks like. */
typedef struct sd_obdd_shape {
  unsigned variables;     /* bits of the padded index */
  unsigned levels;        /* tested in the diagram; the other bits choose a root in an array */
  uint64_t roots;         /* entries of that array */
  uint64_t nodes[64];     /* [0]: main symbols; [k]: different sub-tables of 2^k slots, up to nodes[levels] */
  uint64_t branching[64]; /* [k]: those of nodes[k] whose two halves differ */
  uint64_t ideal[64];     /* [k]: those stored without their right edge, which leads behind the left one
                             (Kristensen 2005) */
  char order[1400]; /* what the levels test from the root down: a letter for a variable, a the highest bit of
                     * the first digit; brackets around the variables of a sum */
} sd_obdd_shape;

/** The shape of an open stream that is one diagram. All zero, the order empty: of anything else, be it of
 * this codec; that is constant streams, clusters, windows. */
void sd_obdd_describe_shape (const sd_decoder *d, sd_obdd_shape *out);

/** The invariants of the structure, each checked anew from the bytes:
 * 1. every level's nodes are different pairs, with nodes=sorted and edges in rising order of (left, right);
 * 2. every edge leads to a node of the level below, an edge of level 1 to a main symbol;
 * 3. every root is a node of the top level;
 * 4. every node is reached from a root: of a level, no node is useless.
 * SD_EDIFF: broken, and err says which one where; SD_EINVAL: not one diagram, as above; SD_ENOMEM. Opening a
 * stream makes sure of 1 to 3, but with nodes=ideal not of 1. */
int sd_obdd_validate (const sd_decoder *d, sd_error *err);

#endif
