/** \file pieces_internal.h
 * A sequence in pieces that a codec takes one by one. Inside codecs/ only. */
#ifndef SD_PIECES_INTERNAL_H
#define SD_PIECES_INTERNAL_H

#include "codecs/stream/stream.h"

/** What follows the first byte of a stream in pieces; data[0..len-1] stay mapped until close. As codec->open,
 * but d->codec is set. */
int sd_pieces_open (const sd_codec *codec, const sd_guard *guard, const uint8_t *data, size_t len, uint64_t n,
                    unsigned m, sd_decoder **out, sd_error *err);
/** A stream that is not in pieces. */
int sd_codec_open_whole (const sd_codec *codec, const sd_guard *guard, const uint8_t *data, size_t len,
                         uint64_t n, unsigned m, sd_decoder **out, sd_error *err);

#endif
