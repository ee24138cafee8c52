/** \file cell.h
 * Coding and checking one cell (cell.c), for the runner. */
#ifndef SD_EXPERIMENTS_CELL_H
#define SD_EXPERIMENTS_CELL_H

#include "experiments/experiments_internal.h"

/** A coded cell: a stream with its decoder, or a container image with its table (then the decoder is the
 * table's). */
typedef struct sd_coded {
  sd_buf bytes;
  const sd_decoder *decoder;
  sd_table *table;
} sd_coded;
void sd_coded_free (sd_coded *c);

/** Encode, open, decode and verify; fills what the stream tells into *row. `layout`: the order that d stands
 * in. */
int sd_cell_run (const sd_cell *cell, bool image, const sd_layout *layout, const sd_subdefined *d,
                 sd_row *row, sd_coded *out, sd_error *err);
/** Slots that permit more than one value. */
uint64_t sd_count_free (const sd_seq *s);

#endif
