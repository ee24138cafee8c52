/* values_internal.h - what looking values up (values.c) and opening what they come from (values_open.c)
 * share. */
#ifndef SD_VALUES_INTERNAL_H
#define SD_VALUES_INTERNAL_H

#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"

#include <pthread.h>

typedef struct sd_values_ending sd_values_ending;

/* One side in one layout. The handle comes first: a handle is its store. */
typedef struct sd_values_store {
  sd_values_side side;
  sd_values *cache;
  const sd_values_ending *of;
  unsigned stm;
  const sd_table *table; /* decode from here; NULL: restore, or lent */
  pthread_mutex_t lock;  /* of decoding, and of what follows */
  sd_error problem;
} sd_values_store;

struct sd_values_ending {
  sd_material material;
  unsigned nsides;
  sd_indexer *own;                        /* made here, or NULL */
  const sd_indexer *indexer;              /* of the generator's layout */
  enum sd_metric metric;                  /* of the values */
  sd_table *table[SD_METRICS];            /* of that metric, and of those that its coding needs */
  sd_values_store *stored[SD_METRICS][2]; /* [metric][side] in the file's layout */
  sd_values_store *values[2];             /* [side] in the generator's; may be stored[metric][side] */
};

struct sd_values {
  char *path;
  sd_exacts *loaded; /* of the files that leave positions to one ply; NULL: none yet */
  uint64_t budget;
  enum sd_metric metric; /* of endings that are opened from here on */
  sd_keys keys;          /* material -> place in at[] */
  sd_values_ending **at;
  uint64_t n, room;
  uint64_t bytes, peak, blocks, slots; /* atomic */
};

static inline const sd_values_ending *sd_values_find (const sd_values *c, uint64_t key, bool *swapped) {
  const sd_keyed *k = sd_keys_find (&c->keys, key);
  if (!k)
    return NULL;
  *swapped = k->swapped;
  return c->at[k->item];
}

static inline bool sd_values_restores (const sd_values_ending *e) {
  const sd_table_info *d = &e->table[e->metric]->info;
  return sd_codings[d->coding].needs != SD_METRICS || (d->freedom & ~(unsigned) SD_FREE_ILLEGAL);
}

#endif
