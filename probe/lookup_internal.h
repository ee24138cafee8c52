/* lookup_internal.h - from a position to the ending that holds it, without the detour over names and
 * canonical materials.
 *
 * Idea: one pass over the bit boards yields the squares of each side in the order of a material's name (K Q R
 * B N P) and a key of the material, 4 bits per count. Every ending is filed under the keys of both its
 * orientations, with a note whether the colours have to be swapped, so that a probe needs no comparison of
 * strengths. Cost: some ten nanoseconds for up to 7 men; the hash (open addressing, at
 * most a quarter full) one step on average. */
#ifndef SD_TABLE_LOOKUP_H
#define SD_TABLE_LOOKUP_H

#include "codecs/blocks/blocks.h"
#include "probe/probe.h"
#include <string.h>

/** What stands on the board, by colours. */
typedef struct sd_board {
  uint64_t key;
  uint64_t sq[2];  /* the squares, a byte each from the lowest on, the rest 0 */
  uint64_t men[2]; /* 8 for each man, which is how far sq goes in bits */
} sd_board;

/** The key of king against king. */
#define SD_KEY_KVK ((1ull << (4 * SD_KING)) | (1ull << (4 * (6 + SD_KING))))

/** Fill *out; false: more than SD_MAX_MEN men, or a side without a king (key etc. are then undefined). */
static inline bool sd_board_of (const sd_pos *p, sd_board *out) {
  const uint64_t black = p->occ[SD_BLACK];
  if (!p->by[SD_WHITE][SD_KING] || !p->by[SD_BLACK][SD_KING])
    return false;
  uint64_t key = SD_KEY_KVK, bits[2] = { 8, 8 },
           sq[2] = { sd_lowest (p->by[SD_WHITE][SD_KING]), sd_lowest (p->by[SD_BLACK][SD_KING]) };
  if (__builtin_popcountll (p->occ[SD_WHITE] | black) > SD_MAX_MEN)
    return false;
#pragma GCC unroll 5
  for (int t = SD_QUEEN; t >= SD_PAWN; t--)
    for (uint64_t men = p->by[SD_WHITE][t] | p->by[SD_BLACK][t]; men; men &= men - 1) {
      const uint64_t at = (uint64_t) __builtin_ctzll (men), own = black >> at & 1, other = own ^ 1;
      sq[0] |= (at & -other) << bits[0]; /* both colours at once: which it is cannot be predicted */
      sq[1] |= (at & -own) << bits[1];
      bits[0] += 8 * other;
      bits[1] += 8 * own;
      key += UINT64_C (1) << 4 * t << 24 * own;
    }
  *out = (sd_board){ key, { sq[0], sq[1] }, { bits[0], bits[1] } };
  return true;
}

/** Room for a list of squares, which is written as one word. */
enum { SD_SQUARES = 8 };

/** The squares in the order of the name, as the board stands or with colours (and ranks) swapped. */
static inline void sd_board_squares (const sd_board *b, bool swapped, uint8_t out[SD_SQUARES]) {
  uint64_t all = b->sq[swapped] | b->sq[!swapped] << b->men[swapped];
  all ^= swapped ? UINT64_C (0x3838383838383838) : 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  all = __builtin_bswap64 (all);
#endif
  memcpy (out, &all, sizeof all);
}

/** The squares of a placement, of whose men one moves. */
typedef struct sd_moving {
  uint8_t sq[SD_SQUARES];
  unsigned men, mirror, k; /* k: who has moved last, from the square `from` */
  uint8_t from;
} sd_moving;
static inline sd_moving sd_moving_of (const sd_board *b, bool swapped) {
  sd_moving m = { .men = (unsigned) (b->men[0] + b->men[1]) / 8, .mirror = swapped ? 56u : 0u };
  sd_board_squares (b, swapped, m.sq);
  m.from = m.sq[0];
  return m;
}

/** The squares after a man has gone from one square to another; those before it come back with the next call.
 * Moves of a man best come one behind the other. */
static inline const uint8_t *sd_moving_to (sd_moving *m, unsigned from, unsigned to) {
  m->sq[m->k] = m->from;
  if (m->from != (from ^ m->mirror)) {
    m->from = (uint8_t) (from ^ m->mirror);
    for (m->k = 0; m->k + 1 < m->men && m->sq[m->k] != m->from;)
      m->k++;
  }
  m->sq[m->k] = (uint8_t) (to ^ m->mirror);
  return m->sq;
}

/** The stored side that answers for side to move `stm`; *swapped: whether colours are swapped on the way
 * there, in and out (symmetric material holds White to move only). */
static inline unsigned sd_stored_side (unsigned nsides, unsigned stm, bool *swapped) {
  unsigned side = stm ^ *swapped;
  if (side < nsides)
    return side;
  *swapped = !*swapped;
  return 0;
}

/** Material -> number of an ending. {0} is empty. */
typedef struct sd_keyed {
  uint64_t key; /* 0: free */
  uint32_t item;
  bool swapped; /* the ending is stored with colours the other way round */
} sd_keyed;
typedef struct sd_keys {
  sd_keyed *at;
  size_t mask, used;
} sd_keys;

static inline const sd_keyed *sd_keys_find (const sd_keys *k, uint64_t key) {
  if (!k->at)
    return NULL;
  for (size_t i = (key * 0x9e3779b97f4a7c15u >> 32) & k->mask;; i = (i + 1) & k->mask) {
    if (k->at[i].key == key)
      return &k->at[i];
    if (!k->at[i].key)
      return NULL;
  }
}

/** File `item` under m and, where it differs, under m with colours swapped; replaces what was there.
 * SD_ENOMEM. */
int sd_keys_add (sd_keys *k, const sd_material *m, uint32_t item);

/** The same under a number that is no material's, and not 0. */
int sd_keys_add_number (sd_keys *k, uint64_t key, uint32_t item);
void sd_keys_free (sd_keys *k);

/** The key that sd_board_of finds in positions with material m (kings counted), and back. */
uint64_t sd_key_of_material (const sd_material *m);
static inline uint64_t sd_key_swapped (uint64_t key) {
  return key >> 24 | (key & ((1ull << 24) - 1)) << 24;
}
void sd_key_to_material (uint64_t key, sd_material *out);

/** Slots of a side from which on no cache holds a table, its index and its dictionary. */
enum { SD_VIEW_LARGE = 1 << 24 };

/** What probing needs from an open table, copied out of sd_table_info once. */
typedef struct sd_view {
  const sd_table *table; /* NULL: the file is damaged, `problem` says how; or it is opened later */
  sd_table *owned;       /* == table if it was opened here */
  char *path;            /* NULL for tables that were handed over */
  sd_error *problem;
  bool ours;              /* in this library's format */
  bool later;             /* only its header has been read: no side can be */
  unsigned flags;         /* with which it is opened then */
  struct sd_view *opened; /* what a probe has made of such a view; written once, atomically */
  sd_table_game game;     /* with a name: another game, and of what follows only metric counts */
  sd_material material;
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom, nsides, sides; /* sides: as in sd_table_info */
  enum sd_move_class classes;      /* the conversions that restoring looks at; meaningless if !converts */
  bool converts;
  bool settled; /* every position has the value `all`: nothing need be looked up */
  sd_value all;
  bool complete;   /* its numbers are values, whatever other tables say */
  bool large;      /* no cache holds it: SD_VIEW_LARGE slots a side and more */
  bool by_moves;   /* some positions are restored by all moves */
  sd_side side[2]; /* of what is not stored: the other side's layout, no decoder */
} sd_view;

/** All views of one material. */
typedef struct sd_ending {
  const sd_view *view[SD_METRICS]; /* NULL: no file. Where it was opened later, the open one takes its place,
                                      atomically */
} sd_ending;

/** What there is of a metric; without a table it may still have to be opened. */
static inline const sd_view *sd_ending_view (const sd_ending *e, enum sd_metric metric) {
  return __atomic_load_n (&e->view[metric], __ATOMIC_ACQUIRE);
}

struct sd_tables {
  char *path;
  char **absent; /* folders of the path that are not there */
  uint64_t nabsent, absent_room;
  sd_block_cache *cache; /* NULL: decoded blocks are not kept */
  sd_keys keys;
  sd_ending *ending;
  uint64_t nendings, endings_room;
  sd_view **view; /* in the order of discovery: folders as given, names sorted, then what was handed over */
  uint64_t nviews, views_room;
  bool frees_unreachable; /* some table does (SD_FREE_UNREACHABLE) */
};

/** v, which was left to be opened, open in its place, or with the problem that it has. SD_EIO, SD_ENOENT
 * and SD_ENOMEM, which may pass, leave it as it is. One that is not of the same coding, freedom and sides any
 * more is a problem: what was filed of it would not hold. Threads that come to it together open a file each,
 * and one of these stays: nobody waits, and a process that has forked meanwhile goes on. */
int sd_view_open (const sd_tables *ts, const sd_view *v, const sd_view **out, sd_error *err);

/** Prepare v for table t (already open). SD_EFORMAT: a table whose sides do not fit its material. */
int sd_view_fill (sd_view *v, const sd_table *t, sd_error *err);

#endif
