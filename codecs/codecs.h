/** \file codecs.h
 * The list of all codecs of the build. */
#ifndef SD_CODECS_H
#define SD_CODECS_H

#include "codecs/stream/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- all codecs */

/** Every codec of the build, by rising id. Tests, CLI, benchmarks and reports walk this list. */
SD_API const sd_codec *const *sd_codec_all (size_t *n);
SD_API const sd_codec *sd_codec_find (const char *name); /* NULL: no such codec */
SD_API const sd_codec *sd_codec_by_id (unsigned id);     /* NULL: no such codec */
SD_API const char *sd_codec_missing (unsigned id); /* name of a codec that was left out of this build, or NULL */

/** The codecs of this room; those that need a library only where the build has it (HAVE_ZSTD and so on in
 * config.h). */
extern const sd_codec sd_codec_store;   /* id 0: plain copy in ceil (log2 m) bits */
extern const sd_codec sd_codec_lzma;    /* id 1: independent LZMA blocks, the baseline of S0 Sec. 1.2 */
extern const sd_codec sd_codec_zstd;    /* id 3 */
extern const sd_codec sd_codec_brotli;  /* id 4 */
extern const sd_codec sd_codec_zlib;    /* id 5 */
extern const sd_codec sd_codec_bzip2;   /* id 6 */
extern const sd_codec sd_codec_lz4;     /* id 7 */
extern const sd_codec sd_codec_rle;     /* id 8: run lengths, HRLE+ of S4 Sec. 2.8 */
extern const sd_codec sd_codec_huffman; /* id 11: canonical Huffman over symbols or words */

#ifdef __cplusplus
}
#endif

#endif
