/** \file owned.h
 * What a function has for itself and closes, whichever way it is left: SD_OWN (sd_table) *t = NULL; as
 * SD_OWNED for memory. */
#ifndef SD_TOOLS_OWNED_H
#define SD_TOOLS_OWNED_H

#include "array/array.h"
#include "codecs/codecs.h"
#include "recode/recode.h"
#include "tools/tools_internal.h"

#define SD_OWN(type) SD_RELEASED_BY (type##_leave) type
#define SD_LEFT_BY(type, close)                                                                              \
  static inline void type##_leave (type **it) {                                                              \
    close (*it);                                                                                             \
  }
SD_LEFT_BY (sd_array, sd_array_close)
SD_LEFT_BY (sd_decoder, sd_codec_close)
SD_LEFT_BY (sd_game_tables, sd_game_tables_close)
SD_LEFT_BY (sd_indexer, sd_indexer_free)
SD_LEFT_BY (sd_subdefined, sd_subdefined_free)
SD_LEFT_BY (sd_table, sd_table_close)
SD_LEFT_BY (sd_tables, sd_tables_close)
SD_LEFT_BY (sd_values, sd_values_free)

/** The same of the statistics of both sides to move: SD_OWN_STATISTICS s[2] = { 0 }; */
#define SD_OWN_STATISTICS SD_RELEASED_BY (sd_statistics_leave) sd_statistics
static inline void sd_statistics_leave (sd_statistics (*s)[2]) {
  sd_statistics_free (&(*s)[0]);
  sd_statistics_free (&(*s)[1]);
}

#endif
