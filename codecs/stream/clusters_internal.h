/** \file clusters_internal.h
 * Streams that hold a sequence together. Inside codecs/ only. */
#ifndef SD_CLUSTERS_INTERNAL_H
#define SD_CLUSTERS_INTERNAL_H

#include "codecs/stream/stream.h"

/** What follows the first byte of a stream in clusters; data[0..len-1] stay mapped until close. As
 * codec->open, but d->codec is set. */
int sd_clusters_open (const sd_codec *codec, const sd_guard *guard, const uint8_t *data, size_t len,
                      uint64_t n, unsigned m, sd_decoder **out, sd_error *err);

#endif
