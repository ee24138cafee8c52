/** \file import_syzygy.h
 * Syzygy files as tables with any codec: the second half of `subdef import`. */
#ifndef SD_IMPORT_SYZYGY_H
#define SD_IMPORT_SYZYGY_H

#include "tools/tools_internal.h"
#include <jansson.h>

/** What the words say beside the file; NULL: not said. */
typedef struct sd_syzygy_import {
  const char *codec, *set, *freedom, *coding, *tables, *out;
  enum sd_metric metric; /* SD_NO_METRIC: what the file holds */
  bool best, overwrite, quiet;
  json_t *made; /* gets an object for each table; NULL: text on stdout */
} sd_syzygy_import;

/** Is it a name of a Syzygy file, right or wrong? */
bool sd_import_is_syzygy (const char *path);
/** A table of the ending of FOLDER/ENDING.rtbw or .rtbz: its values from that file and those of smaller
 * endings, compared with what the rules of engines find in the same files, coded, read back and compared
 * again. */
int sd_import_syzygy (const char *path, const sd_syzygy_import *how, sd_error *err);

#endif
