/** \file clusters_internal.h
 * A table as several diagrams, each for the slots of a cluster and in an order of its own (Kristensen
 * 2005, 2.7). */
#ifndef SD_OBDD_CLUSTERS_INTERNAL_H
#define SD_OBDD_CLUSTERS_INTERNAL_H

#include "obdd/obdd_internal.h"

/** How the diagrams are made. */
typedef struct sd_obdd_maker {
  const sd_alphabet *alphabet;
  sd_symbol fill; /* leaf of the plain diagram that permits everything */
  sd_obdd_options opt;
  unsigned clusters; /* at most so many diagrams, 1 to SD_MAX_CLUSTERS */
  unsigned rounds;   /* of sifting, for each of several; 0: they keep the order */
  bool sums;
  const sd_progress *progress;
} sd_obdd_maker;

/** Append the stream, its first byte included, of the plain diagram p in the order of v, which is taken
 * apart. More diagrams than one only where they are smaller together. SD_ENOMEM, SD_ENOSPC as sd_obdd_build.
 * clusters.c */
int sd_obdd_put (const sd_obdd_maker *by, const sd_obdd_vars *v, sd_obdd_plain *p, sd_buf *out);

/** q = p, which is not sorted, with `fill` wherever what level k tests is not `bit`; only what is reached.
 * SD_ENOMEM. plain_part.c */
int sd_obdd_plain_half (const sd_obdd_plain *p, unsigned k, unsigned bit, sd_symbol fill, sd_obdd_plain *q);

#endif
