/** \file codecs.h
 * The list of all codecs of the build. */
#ifndef SD_CODECS_H
#define SD_CODECS_H

#include "codecs/stream/stream.h"

/** Every codec of the build, by rising id. Tests, programs, benchmarks and reports walk this list. */
const sd_codec *const *sd_codec_all (size_t *n);
const sd_codec *sd_codec_find (const char *name); /* NULL: no such codec */
const sd_codec *sd_codec_by_id (unsigned id);     /* NULL: no such codec */

/** The name of a codec that was left out of this build; NULL: it is there, or no codec has this number. */
const char *sd_codec_missing (unsigned id);

#endif
