/* One table file made by all ranks: what the files output*.c share. */
#ifndef SD_GEN_OUTPUT_INTERNAL_H
#define SD_GEN_OUTPUT_INTERNAL_H

#include "codecs/blocks/blocks.h"
#include "gen/gen.h"

enum { SD_OUTPUT_VALUES = 65536 }; /* that a uint16_t can hold */
enum { SD_OUTPUT_WINDOW = 4096 };  /* values looked at a time */

/* One side to move as it is stored. */
typedef struct sd_output_side {
  unsigned m;
  sd_value *map;   /* [m] what a symbol stands for */
  uint16_t *index; /* [65536] by (uint16_t) value: its symbol; SD_ILLEGAL: the most frequent one */
  sd_block_plan plan;
  uint64_t first;  /* number of its first block among those of both sides; none if m = 1 */
  uint64_t stream; /* where its stream starts in the file */
  uint64_t bytes;  /* length of the stream */
  sd_buf head;     /* what stands before its blocks */
} sd_output_side;

/* A block that this rank has coded. */
typedef struct sd_output_block {
  uint8_t *data;
  uint32_t bytes;
  uint64_t at; /* in the file */
} sd_output_block;

typedef struct sd_output {
  const sd_transport *t;
  const sd_solution *solution;
  const sd_progress *progress;
  const char *path;
  sd_table_spec spec;
  unsigned nsides, threads;
  unsigned counted; /* parts of the states that are counted apart: the sides, or two halves of one */
  uint64_t n;       /* slots of a side */
  sd_output_side side[2];
  uint64_t blocks;  /* of both sides; block i belongs to rank i % size */
  uint64_t *length; /* [blocks] coded bytes; zero until their rank has told them */
  sd_output_block *mine;
  uint64_t nmine;
  uint64_t held, peak; /* bytes of this rank: now, at most */
} sd_output;

static inline void sd_output_hold (sd_output *o, uint64_t bytes) {
  o->held += bytes;
  o->peak = o->held > o->peak ? o->held : o->peak;
}
static inline void sd_output_release (sd_output *o, uint64_t bytes) {
  o->held -= bytes;
}

/** The values of this rank's places place..place + n - 1, which are neighbouring states if the solution is
 * read: where they stand, or in room[]. */
static inline const sd_value *sd_output_values (const sd_output *o, uint64_t place, uint64_t n,
                                                sd_value room[SD_OUTPUT_WINDOW]) {
  const sd_solution *s = o->solution;
  if (s->value)
    return s->value + place;
  s->read (s->ctx, sd_deal_state (&s->deal, o->t->rank, place, NULL), n, room);
  return room;
}

/** Of the states below `end`, how many this rank `rank` holds: they have the first places. */
uint64_t sd_output_before (const sd_deal *d, uint64_t end, int rank);

/** The side of a block. */
static inline unsigned sd_output_side_of (const sd_output *o, uint64_t block) {
  return o->nsides == 2 && block >= o->side[1].first;
}

/** How many threads of a rank code at the same time, and how many blocks the rank holds for them: as its
 * memory beside `local` values bears. share: of the rank, of all blocks. coder_bytes, raw_bytes: of a thread
 * that codes; of a block. */
unsigned sd_output_coders (uint64_t local, uint64_t share, unsigned threads, uint64_t coder_bytes,
                           uint64_t raw_bytes);
unsigned sd_output_hold_blocks (unsigned coders, uint64_t share);

/** Collective: code all blocks, each on its rank: o->mine, and o->length for all ranks. */
int sd_output_code (sd_output *o, sd_error *err);

/** Collective: the values that occur, as o->side[].m, map, index, plan, and how often, for stats->counts. */
int sd_output_count (sd_output *o, sd_output_stats *stats, sd_error *err);

/** The container's head; sums: checksums of the chunks of both sides, NULL: not known yet (the length is the
 * same). */
int sd_output_head (const sd_output *o, const uint32_t *sums, sd_buf *out, sd_error *err);

/** Collective: everything from the empty file `temp`, whose name rank 0 knows, to its last byte on the disk.
 */
int sd_output_write (sd_output *o, const char *temp, sd_error *err);

/** Does a reader find in the file what was meant? */
int sd_output_check (const sd_output *o, const char *temp, uint64_t file_bytes, sd_error *err);

#endif
