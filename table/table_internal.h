/** \file table_internal.h
 * How stored symbols become values again (one place for prober, builder, loader), the open table's struct, and
 * the ordered number lists of the container. */
#ifndef SD_TABLE_INTERNAL_H
#define SD_TABLE_INTERNAL_H

#include "table/table.h"

/* --------------------------------------------------------------- restoring */

/** Which moves a prober looks up before it believes a stored symbol; false: none (then *which is not set). */
static inline bool sd_freedom_conversions (unsigned freedom, enum sd_move_class *which) {
  unsigned c = ((freedom & SD_FREE_CAPTURE) ? (unsigned) SD_MOVES_CAPTURES : 0)
               | ((freedom & SD_FREE_PROMOTION) ? (unsigned) SD_MOVES_PROMOTIONS : 0);
  if (c)
    *which = (enum sd_move_class) c;
  return c != 0;
}

/** sd_metric_rank of plies. */
static inline int sd_value_rank (sd_value v) {
  return v > 0 ? SD_RANK_SOON - v : v < 0 ? -SD_RANK_SOON - v : 0;
}

static inline int sd_restore_wdl (int stored, bool has, int best) {
  return has && best > stored ? best : stored;
}
static inline sd_value sd_restore_signed (sd_value stored, bool has, sd_value best) {
  return has && sd_value_rank (best) > sd_value_rank (stored) ? best : stored;
}
static inline sd_value sd_restore_moves (int wdl, unsigned moves, bool has, sd_value best) {
  return sd_codings[SD_CODING_MOVES].restore (wdl, (sd_value) moves, has, best);
}

/* -------------------------------------------------------------- open tables */

/** Does restoring look at sub-endings? */
static inline bool sd_table_info_looks (const sd_table_info *info) {
  enum sd_move_class which;
  return sd_freedom_conversions (info->freedom, &which) || sd_table_info_by_moves (info);
}

#define SD_MAGIC "\x89SDT"
#define SD_MAGIC_BYTES 4
#define SD_VERSION 1

struct sd_table {
  sd_table_info info; /* side[i].layout and .map point below */
  sd_layout layout[2];
  sd_value *map[2];
  const uint8_t *data; /* the image */
  size_t len;
  sd_map file; /* data = NULL: opened from memory */
  char *name;  /* for messages */
  struct {
    uint64_t offset;     /* of the stream in the image */
    const uint8_t *sums; /* 4 bytes per chunk */
    sd_guard guard;      /* without state: nothing is compared when it is read */
  } stream[2];
  const sd_decoder *joint; /* of one stream for both sides; the sides' own are windows of it */
  sd_block_cache *cache;   /* of decoded blocks; NULL: none are kept */
  bool owns_cache;
};

/** As sd_table_open; decoded blocks are kept in `cache`, which outlives the table, unless it is NULL. */
int sd_table_open_cached (const char *path, unsigned flags, sd_block_cache *cache, sd_table **out,
                          sd_error *err);

/** "White to move", "Black to move", "states": for messages. */
const char *sd_table_mover (const sd_table *t, unsigned side);
/** Do kind of table, metric, coding and freedom go together? SD_EINVAL. */
int sd_table_spec_check (const sd_table_spec *spec, sd_error *err);

/** Slots of one side decoded into out[0..n-1] as symbols, in file order, by all threads. SD_EFORMAT with the
 * place. */
int sd_table_read_all (const sd_table *t, unsigned side, sd_symbol *out, const sd_progress *progress,
                       const char *what, sd_error *err);

#endif
