/** \file store_internal.h
 * What the codec `store` has for encoding. */
#ifndef SD_STORE_INTERNAL_H
#define SD_STORE_INTERNAL_H

#include "codecs/stream/stream.h"

extern const sd_tunable sd_store_tunables[];
int sd_store_encode (const sd_encoding *e, sd_buf *out, sd_error *err);

#endif
