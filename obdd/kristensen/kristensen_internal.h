/** \file kristensen_internal.h
 * What the files of this folder share. The rest of the room calls them through sd_kristensen
 * (obdd_internal.h). */
#ifndef SD_KRISTENSEN_INTERNAL_H
#define SD_KRISTENSEN_INTERNAL_H

#include "obdd/nodes_internal.h"

int sd_kristensen_merge_from_root (const sd_alphabet *a, sd_symbol *table, unsigned vars); /* root.c */
int sd_kristensen_order_ideal (sd_obdd_diagram *d);                                        /* paths.c */

/** Join nodes to paths: next[x] of x < nodes is the node that follows it, or UINT32_MAX, so that wishes
 * wish[0..n-1], all different, have `hi` follow `lo` as often as may be. kind[x]: those of the same kind
 * first. Their number in *met. SD_ENOMEM. */
int sd_kristensen_cover_paths (const sd_obdd_node *wish, uint32_t n, const uint8_t *kind, uint32_t nodes,
                               uint32_t *next, uint32_t *met);

#endif
