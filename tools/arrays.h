/** \file arrays.h
 * Files of arrays (.sda) in commands that take tables, too. arrays.c; for reformat see reformat/array.c */
#ifndef SD_ARRAYS_H
#define SD_ARRAYS_H

#include "array/array.h"
#include <jansson.h>

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
