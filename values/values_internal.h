/** \file values_internal.h
 * What the files of this room share: the store, its endings, and restoring a table whole. */
#ifndef SD_VALUES_INTERNAL_H
#define SD_VALUES_INTERNAL_H

#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"
#include "values/values.h"

#include <pthread.h>

/* ------------------------------------------------------------------- the store */

typedef struct sd_values_ending sd_values_ending;

/** One side in one layout. The handle comes first: a handle is its store. */
typedef struct sd_values_store {
  sd_values_side side;
  sd_values *of;
  const sd_values_ending *ending;
  unsigned stm;
  const sd_table *table; /* decode from here; NULL: restore, or whole */
  pthread_mutex_t lock;  /* of decoding, and of what follows */
  sd_error problem;
} sd_values_store;

struct sd_values_ending {
  sd_material material;
  unsigned nsides;
  sd_exact *whole;                        /* NULL: in blocks alone */
  sd_indexer *own;                        /* made here, or NULL */
  const sd_indexer *indexer;              /* of the generator's layout */
  enum sd_metric metric;                  /* of the values */
  sd_table *table[SD_METRICS];            /* of that metric, and of those that its coding needs */
  sd_values_store *stored[SD_METRICS][2]; /* [metric][side] in the file's layout */
  sd_values_store *values[2];             /* [side] in the generator's; may be stored[metric][side] */
};

struct sd_values {
  char *path;
  enum sd_metric metric; /* of endings that are opened from here on */
  enum sd_metric syzygy; /* they come from Syzygy files alone, in this metric; SD_NO_METRIC: from any files */
  const sd_progress *progress; /* of loading; NULL: nobody is told */
  sd_keys keys;                /* material -> place in at[] */
  sd_values_ending **at;
  uint64_t n, room;
  char **file; /* that whole endings were read from */
  uint64_t nfiles, files_room;
  uint64_t budget;
  uint64_t bytes, peak, blocks, slots; /* atomic */
};

static inline sd_values_ending *sd_values_ending_of (const sd_values *v, const sd_material *m) {
  const sd_keyed *k = sd_keys_find (&v->keys, sd_key_of_material (m));
  return k && !k->swapped ? v->at[k->item] : NULL;
}

/** Are the values of e, which is held in blocks, others than the numbers in its file? */
static inline bool sd_values_restores (const sd_values_ending *e) {
  const sd_table_info *d = &e->table[e->metric]->info;
  return sd_codings[d->coding].needs != SD_NO_METRIC || (d->freedom & ~(unsigned) SD_FREE_ILLEGAL);
}

/** Takes over e, in place of what is there of its material (SD_ENOMEM). */
int sd_values_file (sd_values *v, sd_values_ending *e);
void sd_values_ending_free (sd_values_ending *e);

/** The store as a source of values. */
typedef struct sd_values_source {
  sd_source source;
  const sd_values *v;
  const sd_exact *own;   /* before what v has for its material; NULL: none. May hold another metric than v */
  bool told;             /* own says what the metric that is asked for says */
  uint64_t key, swapped; /* of own's material, and with colours swapped if that differs */
  sd_error *err;         /* why an ending in blocks has no value; NULL: nobody asks */
} sd_values_source;
/** v and own must outlive it. Lookups fail with SD_ENOENT where an ending is not there. */
sd_values_source sd_values_as_source (const sd_values *v, const sd_exact *own);

/* --------------------------------------------------------------------- loading */

/** The table of m in this metric from the path, all its checksums verified, in out[metric] and, if its coding
 * needs another one, that of the other metric, from the same folder if it is there; NULL for all others.
 * SD_EFORMAT: a file holds another table than its name says. */
int sd_values_open_tables (const sd_values *v, const sd_material *m, enum sd_metric metric,
                           sd_table *out[SD_METRICS], sd_error *err);

/** The weaker side stands first: SD_EINVAL. */
int sd_values_refuse_mirrored (const sd_material *m, sd_error *err);

/** Slots of one side in the generator's layout that are restored together. */
enum { SD_VALUES_STEP = 4096 };
typedef struct sd_slots {
  const sd_table *t;
  unsigned side;
  const sd_indexer *ix;
  const sd_source *from; /* of what conversions lead to */
  uint64_t first, count;
  const sd_value *sign;             /* [count] what the coding needs to know; NULL: nothing */
  sd_value (*sign_of) (sd_value v); /* what a value of `sign` says in the metric that the coding needs; NULL:
                                       itself */
  const sd_value *known; /* [count] SD_ILLEGAL where there is no legal position; NULL: that is found out */
} sd_slots;
/** is[0..count-1], the numbers that t stores (SD_ILLEGAL: none), become the values; SD_ILLEGAL where there is
 * no legal position, or one that is left to all of its moves. SD_EFORMAT: one has no number. */
int sd_restore_slots (const sd_slots *w, sd_value *is);

/** Values of both sides from a file with full moves, whose plies are the right ones or one too few, become
 * the right ones. sign: those of its WDL file. SD_EFORMAT: no values of plies are so near. settle.c */
int sd_values_settle (const sd_values *v, const sd_table *t, sd_exact *e, const sd_exact *sign,
                      const sd_progress *progress, sd_error *err);

#endif
