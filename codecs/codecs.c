/* All codecs of the build. A new codec is one file, one line here, one name in the makefile (and a
 * check in configure.ac if it needs a library); tests, tools,
 * benchmarks and reports find it by walking this list. */
#include "config.h"
#include "codecs/codecs.h"
#include "codecs/trees/trees.h"
#include "obdd/obdd.h"
#include "repair/repair.h"
#include <string.h>

/* by rising id */
static const sd_codec *const all[] = {
  &sd_codec_store,  &sd_codec_lzma, &sd_codec_repair,
#ifdef HAVE_ZSTD
  &sd_codec_zstd,
#endif
#ifdef HAVE_BROTLI
  &sd_codec_brotli,
#endif
#ifdef HAVE_ZLIB
  &sd_codec_zlib,
#endif
#ifdef HAVE_BZIP2
  &sd_codec_bzip2,
#endif
#ifdef HAVE_LZ4
  &sd_codec_lz4,
#endif
  &sd_codec_rle,     &sd_codec_obdd, &sd_codec_trees, &sd_codec_huffman,
};
static const size_t count = sizeof all / sizeof all[0];

const sd_codec *const *sd_codec_all (size_t *n) {
  *n = count;
  return all;
}

const sd_codec *sd_codec_find (const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp (all[i]->name, name) == 0)
      return all[i];
  return NULL;
}

const char *sd_codec_missing (unsigned id) {
  static const struct {
    unsigned id;
    const char *name;
  } optional[] = { { 3, "zstd" }, { 4, "brotli" }, { 5, "zlib" }, { 6, "bzip2" }, { 7, "lz4" } };
  for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
    if (optional[i].id == id && !sd_codec_by_id (id))
      return optional[i].name;
  return NULL;
}

const sd_codec *sd_codec_by_id (unsigned id) {
  for (size_t i = 0; i < count; i++)
    if (all[i]->id == id)
      return all[i];
  return NULL;
}
