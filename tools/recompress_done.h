/** \file recompress_done.h
 * Which Syzygy files have been recompressed: what a run that was stopped need not do again. */
#ifndef SD_RECOMPRESS_DONE_H
#define SD_RECOMPRESS_DONE_H

#include "syzygy/syzygy.h"
#include "tools/tools_internal.h"

/** A file as it was, and as it is now; a file tells itself by its length and the checksum at its end. */
typedef struct sd_recompressed {
  char name[32];
  uint64_t before, after; /* bytes */
  uint8_t from[SD_SYZYGY_CHECKSUM_BYTES], to[SD_SYZYGY_CHECKSUM_BYTES];
  bool high;
} sd_recompressed;

typedef struct sd_recompress_list {
  sd_recompressed *row;
  uint64_t n, room;
} sd_recompress_list;

/** The rows of all lists in a folder (recompressed*.list), appended. Lines that are none, such as the last
 * one of a program that was killed, are passed over. SD_ENOMEM. */
int sd_recompress_read (const char *folder, sd_recompress_list *out, sd_error *err);
/** Append a row to the list of this task, and bring it to the disk. SD_EIO. */
int sd_recompress_note (const char *folder, const sd_task *task, const sd_recompressed *row, sd_error *err);
/** The row of a file that need not be made again: `to` is what was made of `from`, with that effort or a
 * higher one, or both are the same file, which was made. NULL: none. */
const sd_recompressed *sd_recompress_find (const sd_recompress_list *l, const char *name, const sd_map *from,
                                           const sd_map *to, bool high);
/** What tells a file; false: it is too short. */
bool sd_recompress_tell (const sd_map *file, uint8_t out[SD_SYZYGY_CHECKSUM_BYTES]);

#endif
