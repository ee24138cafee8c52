/** \file stream_internal.h
 * What the files of this folder share: how a stream of streams is opened. */
#ifndef SD_STREAM_INTERNAL_H
#define SD_STREAM_INTERNAL_H

#include "codecs/stream/stream.h"

/** What follows the first `bytes` bytes of a stream. */
static inline sd_stream sd_stream_behind (const sd_stream *s, size_t bytes) {
  sd_stream rest = *s;
  rest.data += bytes;
  rest.len -= bytes;
  return rest;
}

/** A stream that is neither in pieces nor in clusters: a codec's own, or a constant one. */
int sd_stream_open_single (const sd_stream *s, sd_decoder **out, sd_error *err);

/** What follows the first byte of a stream in pieces, and of one in clusters. As sd_stream_open, but
 * (*out)->ops is set. */
int sd_pieces_open (const sd_stream *s, sd_decoder **out, sd_error *err);
int sd_clusters_open (const sd_stream *s, sd_decoder **out, sd_error *err);

/** What has been opened, and may still be: see stream.h. */
typedef struct sd_pieces_allowance {
  uint64_t symbols, bytes, unpaid;
} sd_pieces_allowance;

/** One more piece, of `bytes` bytes. false: that is too much. */
bool sd_pieces_take (sd_pieces_allowance *a, const sd_decoder *d, uint64_t bytes);

#endif
