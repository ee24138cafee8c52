/** \file values_internal.h
 * What the files of this room share: the store, its endings, and restoring a table whole. */
#ifndef SD_VALUES_INTERNAL_H
#define SD_VALUES_INTERNAL_H

#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"
#include "values/values.h"

/* ------------------------------------------------------------------- the store */

/** An ending in the store: whole, in blocks, or both if it was asked for as blocks first. Of a game that is
 * not chess it is one table, in blocks. */
typedef struct sd_values_ending {
  sd_material material;
  unsigned nsides;             /* 1 or 2; 1: symmetric material, or a game */
  sd_exact *whole;             /* NULL: in blocks alone */
  sd_indexer *own;             /* made here, or NULL */
  const sd_indexer *indexer;   /* of the generator's layout */
  enum sd_metric metric;       /* of the values */
  sd_table *table[SD_METRICS]; /* of that metric, and of those that its coding needs; NULL: whole */
  sd_values_blocks *stored[SD_METRICS][2]; /* [metric][side] the file's numbers in the file's layout */
  sd_values_blocks *values[2]; /* [side] in the generator's; stored[metric][side] where the numbers are the
                                  values; one block where the ending was whole first */
} sd_values_ending;

struct sd_values {
  char *path;
  enum sd_metric metric; /* of endings that are opened from here on */
  enum sd_metric syzygy; /* they come from Syzygy files alone, in this metric; SD_NO_METRIC: from any files */
  const sd_progress *progress; /* of loading; NULL: nobody is told */
  bool packs;                  /* endings that are loaded whole */
  enum sd_metric told;         /* by packed ones; SD_NO_METRIC: what metric says */
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

/** Do a table's numbers not tell all, so that another table is asked, or moves are looked at? */
static inline bool sd_values_need_more (const sd_table_info *d) {
  return sd_codings[d->coding].needs != SD_NO_METRIC || (d->freedom & ~(unsigned) SD_FREE_ILLEGAL);
}

/** The same of e, which is held in blocks. */
static inline bool sd_values_restores (const sd_values_ending *e) {
  return sd_values_need_more (&e->table[e->metric]->info);
}

/** Are the blocks of e made when they are asked for? Else the arrays of a whole ending stand in their place.
 */
static inline bool sd_values_makes (const sd_values_ending *e) {
  return e->table[e->metric] || (e->whole && e->whole->packed[0]);
}

/** Free all decoded blocks of h. */
void sd_values_forget_blocks (sd_values_blocks *h);

/** Takes e into the store, in place of what is there of its material (canonical), which is freed. number: of
 * a table of another game, found by it and not by its material; 0: chess. SD_ENOMEM: e is freed. */
int sd_values_keep (sd_values *v, uint64_t number, sd_values_ending *e);
void sd_values_ending_free (sd_values_ending *e);

/** The store as a source of values. */
typedef struct sd_values_source {
  sd_source source;
  const sd_values *v;
  const uint64_t *hidden[2]; /* of own's sides a bit a slot: it has no value; NULL: all have what own says */
  const sd_exact *own;   /* before what v has for its material; NULL: none. May hold another metric than v */
  bool told;             /* own says what the metric that is asked for says */
  uint64_t key, swapped; /* of own's material, and with colours swapped if that differs */
  sd_error *err;         /* why an ending in blocks has no value; NULL: nobody asks */
} sd_values_source;

/** v and own must outlive it. Lookups fail with SD_ENOENT where an ending is not there. */
sd_values_source sd_values_as_source (const sd_values *v, const sd_exact *own);

/** An ending without arrays, whose maker fills side by side. */
int sd_exact_frame (const sd_material *m, sd_exact **out, sd_error *err);
/** The array of a side, all SD_ILLEGAL. */
int sd_exact_side (sd_exact *e, unsigned side, sd_error *err);

/* --------------------------------------------------------------------- loading */

/** The table of m in this metric from the path, all its checksums verified, in out[metric] and, if its coding
 * needs another one, that of the other metric, from the same folder if it is there; NULL for all others.
 * SD_EFORMAT: a file holds another table than its name says. */
int sd_values_open_tables (const sd_values *v, const sd_material *m, enum sd_metric metric,
                           sd_table *out[SD_METRICS], sd_error *err);

/** One more of sd_values_files. */
int sd_values_note_file (sd_values *v, const char *name, sd_error *err);

/** The weaker side stands first: SD_EINVAL. */
int sd_values_refuse_mirrored (const sd_material *m, sd_error *err);

/** Slots of one side in the generator's layout that are restored together. */
enum { SD_VALUES_STEP = 4096 };
typedef struct sd_slots {
  const sd_table *t;
  unsigned side;
  const sd_indexer *ix;
  const sd_source *from;            /* of what conversions lead to */
  uint64_t first, count;            /* count: SD_VALUES_STEP at most */
  const sd_value *sign;             /* [count] what the coding needs to know; NULL: nothing */
  sd_value (*sign_of) (sd_value v); /* what a value of `sign` says in the metric that the coding needs; NULL:
                                       itself */
  const sd_value *known; /* [count] SD_ILLEGAL where there is no legal position, and nowhere else; NULL: that
                            is found out */
} sd_slots;

/** is[0..count-1], the numbers that t stores (SD_ILLEGAL: none), become the values; SD_ILLEGAL where there is
 * no legal position, or one that is left to all of its moves; what is evident is not looked for. SD_EFORMAT:
 * one has no number. */
int sd_restore_slots (const sd_slots *w, sd_value *is);

/** A side of a table that is read whole. */
typedef struct sd_side_read {
  const sd_values *v; /* of the sub-endings, if the table needs them */
  const sd_table *t;
  unsigned side;
  const sd_indexer *ix; /* the generator's */
  /* The side's symbols in the file's order: all, or an array from slot `from` on. */
  sd_packed_side *packed;
  const sd_symbol *sym;
  uint64_t from;
  const sd_exact *sign, *known; /* the whole ending, as in sd_slots; NULL as there */
  sd_value (*sign_of) (sd_value v);
} sd_side_read;

/** Decode all symbols, by all threads. r->packed, NULL before, is freed by the caller in any case. */
int sd_side_read_all (sd_side_read *r, const sd_progress *progress, sd_error *err);

/** is[0..count-1]: slots first.. of the generator's layout, count <= SD_VALUES_STEP, as sd_restore_slots has
 * them. why: of a failure. */
int sd_restore_step (const sd_side_read *r, uint64_t first, uint64_t count, sd_value *is, sd_error *why);

/** Is there more to be restored of a side, by one ply of all moves? Else all is but what is evident. */
static inline bool sd_values_needs_moves (const sd_table_info *info, unsigned side) {
  return !sd_table_info_has (info, side) || (info->freedom & SD_FREE_BY_MOVES & ~SD_FREE_EVIDENTS);
}

/** Is there what is evident among the stored positions of a side, whose slots may hold anything? */
static inline bool sd_values_evidents (const sd_table_info *info, unsigned side) {
  return sd_table_info_has (info, side) && sd_freedom_evident (info->freedom) >> side & 1;
}

/** What restoring sees of a table that has nsides sides, holds `sides` of them and has this freedom. */
static inline sd_seen sd_values_seen (unsigned nsides, unsigned sides, unsigned freedom) {
  return (sd_seen){ nsides == 1 ? 3 : sides, sd_freedom_evident (freedom) };
}
static inline sd_seen sd_values_seen_of (const sd_table_info *info) {
  return sd_values_seen (info->nsides, info->sides, info->freedom);
}

/** Values of both sides from a file with full moves, whose plies are the right ones or one too few, become
 * the right ones. sign: those of its WDL file. SD_EFORMAT: no values of plies are so near. settle.c */
int sd_values_settle (const sd_values *v, const sd_table *t, sd_exact *e, const sd_exact *sign,
                      const sd_progress *progress, sd_error *err);

#endif
