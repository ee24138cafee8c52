/** \file row.h
 * The codecs' own names, made from codecs.def: for the files in which codecs stand, and for their tests. */
#ifndef SD_ROW_H
#define SD_ROW_H

#include "codecs/stream/stream.h"

/** sd_codec_store and so on, of which a build without their library has no definition; their numbers. */
#define SD_CODEC(name, number, ...)                                                                          \
  extern const sd_codec sd_codec_##name;                                                                     \
  enum { SD_CODEC_ID_##name = number };
#include "codecs/codecs.def"
#undef SD_CODEC

/** The identity of a codec in its row. */
#define SD_IDENTITY(codec) .name = #codec, .id = SD_CODEC_ID_##codec

/** What an encoder and the programs need of a codec's row. libsubdef-probe has decoders alone. */
#ifdef SD_DECODERS_ONLY
#define SD_ENCODER(...)
#else
#define SD_ENCODER(...) __VA_ARGS__
#endif

#endif
