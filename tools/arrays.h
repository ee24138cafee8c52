/** \file arrays.h
 * Files of arrays (.sda) in commands that take tables, too. arrays.c; for reformat see reformat/array.c */
#ifndef SD_ARRAYS_H
#define SD_ARRAYS_H

#include "array/array.h"
#include <jansson.h>

/** How a plain file is to be read, and the files that say what is free; NULL: not given. At most one of mask,
 * of sets with list, and of lower and upper. */
typedef struct sd_array_reading {
  const char *shape, *mask, *sets, *list, *lower, *upper;
  unsigned type;               /* enum sd_array_type */
  bool typed, pla, cubes, raw; /* typed: the user has named the type */
} sd_array_reading;
/** An .npy file, a PLA, test cubes, or raw numbers where their shape or type, or `raw`, is given. *s: its
 * shape. read_array.c */
int sd_array_read_plain (const char *path, const sd_array_reading *how, sd_array_shape *s,
                         sd_subdefined **out, sd_error *err);
/** The words of --type, as sd_words_at. */
const char *sd_array_type_word (unsigned i);

/** What info --json says of it. */
json_t *sd_array_json (const char *path, const sd_array *a);
/** subdef info of one: as text, or as an object in `all`. */
int sd_array_info_one (const char *path, json_t *all, sd_error *err);
/** A line, or an object, for each in the folders of a path; how many there are, damaged ones too. *status:
 * SD_EXIT_FAILED after one that cannot be opened. */
unsigned sd_array_list (const char *path, json_t *all, int *status);
/** Checksums, and each slot against the source, if that is not NULL. said[0..cap-1] tells what was found. */
int sd_array_verify_one (const char *path, const char *source, bool sums_only, char *said, size_t cap,
                         sd_error *err);

#endif
