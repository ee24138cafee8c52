/* values_internal.h - what looking values up (values.c) and opening what they come from (values_open.c)
 * share. */
#ifndef SD_VALUES_INTERNAL_H
#define SD_VALUES_INTERNAL_H

#include "probe/lookup.h"
#include "table/table_internal.h"

#include <pthread.h>

typedef struct sd_values_ending sd_values_ending;

/* One side in one layout. The handle comes first: a handle is its source. */
typedef struct sd_source {
  sd_values_side side;
  sd_values *cache;
  const sd_values_ending *of;
  unsigned stm;
  const sd_table *table; /* decode from here; NULL: restore, or lent */
  pthread_mutex_t lock;  /* of decoding, and of what follows */
  sd_error problem;
} sd_source;

struct sd_values_ending {
  sd_material material;
  unsigned nsides;
  sd_indexer *own;           /* made here, or NULL */
  const sd_indexer *indexer; /* of the generator's layout */
  sd_table *table[2];        /* by metric; WDL: only where the DTM table needs it */
  sd_source *stored[2][2];   /* [metric][side] in the file's layout */
  sd_source *values[2];      /* [side] in the generator's; may be stored[SD_DTM][side] */
};

struct sd_values {
  char *path;
  sd_exacts *loaded; /* of the files that leave positions to one ply; NULL: none yet */
  uint64_t budget;
  sd_keys keys; /* material -> place in at[] */
  sd_values_ending **at;
  size_t n, room;
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
  const sd_table_info *d = &e->table[SD_DTM]->info;
  return d->coding != SD_CODING_SIGNED || (d->freedom & ~(unsigned) SD_FREE_ILLEGAL);
}

#endif
