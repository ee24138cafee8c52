/** \file values.h
 * The one store of exact values: (ending, metric) -> values, whole in memory or decoded block by block as
 * they are asked for, within a budget. Whoever loads, recodes, compares or solves uses it. Uses probe/. */
#ifndef SD_VALUES_H
#define SD_VALUES_H

#include "probe/probe.h"

#include <pthread.h>

/* ------------------------------------------------------- an ending in memory */

/** Slots in a row that have the same palette: `bits` of each say which value of palette[] it has. */
typedef struct sd_packed_block {
  sd_value *palette;
  const uint8_t *index;
  unsigned bits; /* at most 14 */
} sd_packed_block;
enum { SD_PACKED_BLOCK = 1 << 14 };

/** Values that take less memory and are only read; thread-safe. packed.c */
typedef struct sd_packed_side {
  uint64_t n;
  sd_packed_block *block;
} sd_packed_side;

static inline sd_value sd_packed_block_at (const sd_packed_block *b, uint64_t k) {
  const uint64_t bit = k * b->bits;
  const uint8_t *at = b->index + (bit >> 3);
  /* 14 bits behind 7 others; four bytes are one load. */
  const uint32_t word = at[0] | (uint32_t) at[1] << 8 | (uint32_t) at[2] << 16 | (uint32_t) at[3] << 24;
  return b->palette[word >> (bit & 7) & ((1u << b->bits) - 1)];
}

/** The number of slot i < n. */
static inline sd_value sd_packed_at (const sd_packed_side *p, uint64_t i) {
  return sd_packed_block_at (&p->block[i / SD_PACKED_BLOCK], i % SD_PACKED_BLOCK);
}

/** Room for n slots; SD_ENOMEM. */
int sd_packed_frame (uint64_t n, sd_packed_side **out);
/** Slots first..first+n-1 are v[0..n-1], once: whole blocks, or up to the last slot. Threads may put blocks
 * of their own. SD_ENOMEM; SD_EDIFF: read back they differ, which is a mistake of the program. */
int sd_packed_put (sd_packed_side *p, uint64_t first, uint64_t n, const sd_value *v);
void sd_packed_read (const sd_packed_side *p, uint64_t first, uint64_t count, sd_value *out);
void sd_packed_free (sd_packed_side *p); /* NULL does nothing */

/** All values of one ending under the generator's layout, both sides to move (one side if the material is
 * symmetric). A side is an array that its maker fills, or packed. */
typedef struct sd_exact {
  sd_material material;
  unsigned nsides; /* 1: symmetric material, Black to move is looked up with colours swapped */
  sd_indexer *indexer;
  uint64_t n;
  sd_value *value[2]; /* [side][slot]; NULL: packed */
  sd_packed_side *packed[2];
} sd_exact;

/** The value of slot i < n, of an array or packed. Thread-safe, as the next. */
static inline sd_value sd_exact_at (const sd_exact *e, unsigned side, uint64_t i) {
  return e->value[side] ? e->value[side][i] : sd_packed_at (e->packed[side], i);
}

/** out[0..count-1]: the values of slots first..first+count-1. */
void sd_exact_read (const sd_exact *e, unsigned side, uint64_t first, uint64_t count, sd_value *out);

/** A side that is an array becomes packed, by all threads; the array is freed. Before the ending is handed
 * over to a store, and both sides. SD_ENOMEM: it stays. */
int sd_exact_pack (sd_exact *e, unsigned side, sd_error *err);

/** Allocated and filled with SD_ILLEGAL. */
int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err);
void sd_exact_free (sd_exact *e);

/** Is slot i a legal position for `side`? Then *p is that position. */
bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p);

/** Counts over the positions that are unique up to symmetry. */
typedef struct sd_counts {
  uint64_t positions, won, drawn, lost;
  sd_value longest_win, longest_loss; /* 0: none */
} sd_counts;
void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out);

/* ------------------------------------------------------------------ the store */

/** Values of endings in one metric, found by material; what is missing comes from table files on the path. An
 * ending is held whole (sd_values_whole, sd_values_put) or in blocks (sd_values_in_blocks), as it is first
 * asked for. Lookups may run in any number of threads; all else must be called by one thread while none runs.
 */
typedef struct sd_values sd_values;

/** path: colon-separated folders, may be NULL; nothing is opened yet. metric: one that is its own `exact`. */
int sd_values_new (const char *path, enum sd_metric metric, sd_values **out, sd_error *err);

/** Values under the 50-move rule (SD_DTZ50) from Syzygy files alone, whatever else the folders hold. plies:
 * from .rtbw and .rtbz files, with the plies that full moves leave open found by one ply. Else from .rtbw
 * files alone: each value is the shortest with its result, which is right for tables of SD_WDL50 and SD_WDL.
 */
int sd_values_new_syzygy (const char *path, bool plies, sd_values **out, sd_error *err);
void sd_values_free (sd_values *v); /* NULL does nothing */
SD_LEFT_BY (sd_values, sd_values_free)

/** Another metric, one that is its own `exact`. SD_EINVAL: an ending is there already, in the metric before.
 */
int sd_values_set_metric (sd_values *v, enum sd_metric metric, sd_error *err);
enum sd_metric sd_values_metric (const sd_values *v);

/** Tell of loading, which may take minutes, from now on; NULL: no more. It outlives the loading. */
void sd_values_show (sd_values *v, const sd_progress *progress);

/* --------------------------------------------------------------- whole endings */

/** Ending m (canonical) whole, loaded if need be. SD_ENOENT names the missing file. What its files leave to
 * other tables is restored from these: WDL where the coding needs it, and the sub-endings. */
int sd_values_whole (sd_values *v, const sd_material *m, const sd_exact **out, sd_error *err);

/** Ending m so that its values can be looked up: in blocks, without a bound but what is asked for, where its
 * file holds the values in the generator's layout, else whole. As sd_values_whole. */
int sd_values_look_up (sd_values *v, const sd_material *m, sd_error *err);

/** Whole endings are packed from now on when they are loaded (sd_exact_pack): those who read them use
 * sd_exact_at and sd_exact_read. told: SD_WDL: they need only say who wins, which takes two bits, and
 * tables of SD_WDL alone can be made of them; else the metric of v. */
void sd_values_pack (sd_values *v, enum sd_metric told);
/** What they say. */
enum sd_metric sd_values_told (const sd_values *v);

/** Ending m whole, and all its next endings so that their values can be looked up. */
int sd_values_need (sd_values *v, const sd_material *m, sd_error *err);

/** The ending m if it is held whole, else NULL. */
const sd_exact *sd_values_find (const sd_values *v, const sd_material *m);

/** Can the values of ending m (canonical) be looked up? */
bool sd_values_has (const sd_values *v, const sd_material *m);

/** Hand over an ending that was made elsewhere (the generator); v owns it afterwards, and frees it even if
 * this fails (SD_ENOMEM). An ending of the same material is replaced and freed. */
int sd_values_put (sd_values *v, sd_exact *e);

/** The files that whole endings and those of sd_values_look_up are read from, as they were named, in the
 * order of loading; (*files)[0..return-1] belong to v. */
size_t sd_values_files (const sd_values *v, const char *const **files);

/** Value of any legal position (either colour may be the stronger side; en-passant right honoured) whose
 * ending and next endings are there; KvK is drawn. SD_ENOENT if they are not; of an ending in blocks also
 * what sd_values_problem gives. Thread-safe. */
int sd_values_of (const sd_values *v, const sd_pos *p, sd_value *out);

/** Does a conversion of p offer what the exact value `is` is worth in metric k? None may offer more. Looks at
 * no more conversions than it needs. As sd_values_of. */
int sd_values_offers (const sd_values *v, const sd_metric_kind *k, const sd_pos *p, enum sd_move_class which,
                      sd_value is, bool *yes);

/** Does the value in metric k of p, a position of e whose player is in check, follow from positions that are
 * not in check, in a table that holds these sides and has this freedom (sd_restore_evident)? e need not be
 * in v. As sd_values_of. */
int sd_values_evident (const sd_values *v, const sd_exact *e, const sd_metric_kind *k, const sd_pos *p,
                       unsigned sides, unsigned freedom, bool *yes);

/** Is every legal position of an open table, restored from the sub-endings in v, what its exact values say?
 * Legality is taken from these, and the signs that the coding needs. SD_EDIFF names the first position that
 * differs. Memory: the symbols of one side, packed, and a bit for each slot that is left to its moves. If v
 * has a budget, its blocks are trimmed to it, so that nobody else may look values up meanwhile. */
int sd_values_compare (const sd_values *v, const sd_table *t, const sd_exact *known,
                       const sd_progress *progress, sd_error *err);

/* ----------------------------------------------------------- blocks in a budget */

/** A part of the slots. */
typedef struct sd_values_block {
  const void *data; /* NULL: not decoded; written once, atomically, between two trims */
  uint8_t used;     /* since the last trim */
  uint16_t age;     /* trims since it was used */
} sd_values_block;

/** The values of one side to move of an ending, or the numbers that its file stores, by slot. The members are
 * for sd_values_at, which reads the first of them only, and for the files of this room. */
typedef struct sd_values_blocks {
  sd_values_block *block;
  unsigned shift; /* slot >> shift: its block; slot & mask: its place there */
  bool wide;      /* a block is sd_value[]; else uint8_t[], symbols of map[] */
  uint64_t mask;
  const sd_value *map;
  uint64_t n; /* slots */
  sd_values *store;
  const struct sd_values_ending *ending;
  unsigned side;
  const sd_table *table; /* blocks are decoded from it; NULL: they are restored, or the ending is whole */
  pthread_mutex_t lock;  /* of making a block, and of what follows */
  sd_error problem;      /* the latest */
} sd_values_blocks;

/** The values of ending m (canonical) with `side` to move (symmetric material has White only). The first
 * time, its table file is opened and all its checksums are verified; a file that does not hold the values
 * themselves (other freedom than illegal slots, SD_CODING_MOVES) needs its WDL table and its sub-endings,
 * which are opened too; one that leaves positions to one ply of all moves is loaded whole, beside the budget,
 * and so are those of its sub-endings that are not there yet, in blocks or whole.
 * *out lives as long as v, unless sd_values_put replaces the ending. SD_ENOENT names the missing file,
 * SD_ECHECKSUM and SD_EFORMAT the damaged one; SD_EUNSUPPORTED: an .rtbz file. */
int sd_values_in_blocks (sd_values *v, const sd_material *m, unsigned side, sd_values_blocks **out,
                         sd_error *err);

/** A table of another game under a number of the caller's, not 0, in place of one that has it, which is
 * closed. A store holds either endings of chess or such tables: numbers and materials share one index. Its
 * checksums are taken for verified (SD_OPEN_CHECK). v owns t afterwards, and closes it even if this fails
 * (SD_EINVAL: a table of chess; SD_ENOMEM). */
int sd_values_add_game (sd_values *v, uint64_t number, sd_table *t, sd_error *err);

/** What that table holds by state, WDL as -1, 0, 1, and of what it is; NULL: none has the number.
 * Thread-safe. */
sd_values_blocks *sd_values_game (const sd_values *v, uint64_t number, const sd_table_info **info);

/** Out of line: the value of a slot whose block is not decoded. */
sd_value sd_values_miss (sd_values_blocks *h, uint64_t slot);

/** The value of a slot < n that stands for a legal position; others may give anything. SD_ILLEGAL: it could
 * not be had, sd_values_problem says why. Takes a lock only when it decodes. */
static inline sd_value sd_values_at (sd_values_blocks *h, uint64_t slot) {
  sd_values_block *b = &h->block[slot >> h->shift];
  const void *data = __atomic_load_n (&b->data, __ATOMIC_ACQUIRE);
  if (__builtin_expect (!data, 0))
    return sd_values_miss (h, slot);
  if (!__atomic_load_n (&b->used, __ATOMIC_RELAXED)) /* no store, no quarrel over the cache line */
    __atomic_store_n (&b->used, 1, __ATOMIC_RELAXED);
  const uint64_t i = slot & h->mask;
  return h->wide ? ((const sd_value *) data)[i] : h->map[((const uint8_t *) data)[i]];
}

/** Why sd_values_at gave SD_ILLEGAL: the latest failure of h, with the file's name; SD_EINVAL if there was
 * none. Thread-safe. */
int sd_values_problem (sd_values_blocks *h, sd_error *err);

/** Free decoded blocks, those first that have been out of use for most trims, until at most so many bytes are
 * held; with 0 pages of mapped files go back, too. Whole endings stay. What is decoded is no part of what the
 * store says. Nobody may look values up meanwhile. */
void sd_values_trim (const sd_values *v, uint64_t at_most);

/** What the owner of the store means to trim to; 0 at first. */
uint64_t sd_values_budget (const sd_values *v);
void sd_values_set_budget (sd_values *v, uint64_t budget);

/** bytes: held in decoded blocks, what is being decoded included (not the files' mappings, a codec's own
 * memory, whole endings); peak: the most so far; blocks: decoded so far, `slots` in them. */
typedef struct sd_values_stats {
  uint64_t bytes, peak, blocks, slots;
} sd_values_stats;
void sd_values_describe (const sd_values *v, sd_values_stats *out);

/** The peak is counted anew from what is held now. No lookups meanwhile. */
void sd_values_forget_peak (sd_values *v);

#endif
