/** \file encoder_internal.h
 * An encoder of `trees` and `forest` at work: blocks one behind the other (blocks.c), a pass over all slots
 * by several threads (pass.c), how many passes and with which forest (encode.c). */
#ifndef SD_TREES_ENCODER_INTERNAL_H
#define SD_TREES_ENCODER_INTERNAL_H

#include "codecs/trees/trees_internal.h"

/** Where the code stands, and to where what was put may be taken back. */
typedef struct sd_trees_point {
  size_t len;
  uint32_t lo, hi;
  uint64_t work, questions;
} sd_trees_point;

/** What there was before a block. */
typedef struct sd_trees_mark {
  uint64_t questions;
  uint32_t samples;
} sd_trees_mark;

typedef struct sd_trees_encoder {
  const sd_alphabet *alphabet;
  const sd_symbol *slot; /* [0..n-1] */
  sd_symbol *sym;        /* [0..most_slots-1] completions of the block */
  uint64_t n;
  unsigned block, most_slots, symbol_bits;
  bool averages;    /* the codec is `forest` */
  uint64_t entries; /* of its tables at most */
  const sd_progress *progress;
  const char *reports;      /* what is done; NULL: somebody else says so */
  uint64_t told_from, told; /* of n: how far all are when this part begins, and how much it adds */
  sd_trees_model model;
  sd_trees_cursor cursor;
  uint64_t work, cost; /* of the block's questions; of one */
  float price_yes[2 * SD_TREES_SCORE + 1], price_no[2 * SD_TREES_SCORE + 1];
  /* questions of the slot */
  int score[SD_TREES_QUESTIONS];
  unsigned asked; /* how many are asked until yes */
  bool found;     /* else the symbol follows */
  sd_symbol symbol;
  /* blocks */
  sd_buf payload;
  uint32_t lo, hi;
  sd_trees_point group; /* before the last slot whose last digit is a multiple of eight */
  uint64_t *start, *byte, blocks, cap;
  sd_trees_mark *mark;
  uint64_t mark_cap;
  /* samples */
  sd_trees_samples samples;
  uint32_t share;     /* of slots whose questions are kept, in 2^-32 */
  uint64_t questions; /* of the last pass */
  /* a part of a pass */
  uint64_t end;   /* where its next block would begin */
  uint32_t *rank; /* NULL: no part, or one without samples. [samples.cap] of the slot of a sample: kept while
                     the share is as large */
} sd_trees_encoder;

/** A block that begins with slot *i, without neighbours; *i becomes the next block's first. What the block is
 * follows from where it begins alone. SD_ERANGE: not even slot *i fits. SD_ENOMEM. */
int sd_trees_code_block (sd_trees_encoder *e, uint64_t *i);

/** Blocks from slot *i on; *i becomes the first that begins at `to` or behind. SD_ERANGE, SD_ENOMEM,
 * SD_ESTOPPED. */
int sd_trees_code_blocks (sd_trees_encoder *e, uint64_t *i, uint64_t to);

/** Block b of part p and those behind it follow what e has, with their samples: those that e would have kept.
 * p->share >= e->share. SD_ENOMEM. */
int sd_trees_take_blocks (sd_trees_encoder *e, const sd_trees_encoder *p, uint64_t b);

/** All slots with the forest that there is; e->blocks are those of the pass before, or 0. keep: 0, no
 * samples; UINT32_MAX: those of all slots, as long as there is room. The same for any number of threads.
 * SD_ERANGE, SD_ENOMEM, SD_ESTOPPED. */
int sd_trees_pass (sd_trees_encoder *e, uint32_t keep, const char *what);

#endif
