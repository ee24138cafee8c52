/** \file trials.c
 * What a search tries with each codec: one row a codec, so that the search itself names none. A new codec
 * gets its row here, beside its line in registry.c, or says why it needs none. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/recode.h"
#include <string.h>

#define COMPLETING "initial=none", "initial=frequent", "initial=left", "initial=edges:8", "initial=larger:8"

static const sd_trials rows[] = {
  { .codec = "store", .settings = { "" } },
  { .codec = "lzma",
    .settings = { "block=256", "block=1024", "block=4096", "block=16384", "block=65536", "block=2097152" },
    .ways = { COMPLETING } },
  { .codec = "repair",
    .settings = { "block=64", "block=128", "block=256", "block=1024" },
    .base = "parse=optimal",
    .gain = 0.75, /* papers/repair: 452,536 of 582,312 bytes */
    .ways = { COMPLETING } },
  { .codec = "zstd", .settings = { "block=256", "block=4096", "block=65536" }, .ways = { COMPLETING } },
  { .codec = "brotli", .settings = { "block=256", "block=4096", "block=65536" }, .ways = { COMPLETING } },
  { .codec = "zlib", .settings = { "block=256", "block=4096", "block=65536" }, .ways = { COMPLETING } },
  { .codec = "bzip2", .settings = { "block=65536", "block=700000" }, .ways = { COMPLETING } },
  { .codec = "lz4", .settings = { "block=256", "block=4096", "block=65536" }, .ways = { COMPLETING } },
  { .codec = "rle", .settings = { "block=32", "block=128", "block=1024" }, .ways = { COMPLETING } },
  /* distances lose a fourth without the shape, which no sample has (papers/repair/dtm.md) */
  { .codec = "trees",
    .settings = { "block=128", "block=256", "block=1024", "block=8192" },
    .gain = 0.7,
    .slow = true },
  { .codec = "obdd",
    .settings = { "" },
    .ways = { "sums=yes", "polish=20", "clusters=16" },
    .slow = true,
    .whole = true },
  { .codec = "huffman",
    .settings = { "block=32,word=0", "block=128,word=0", "block=1024,word=0" },
    .ways = { COMPLETING } },
};

const sd_trials *sd_codec_trials (const sd_codec *codec) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp (rows[i].codec, codec->name) == 0)
      return &rows[i];
  return NULL;
}

/* Layouts are ranked by a quick form of a codec that looks for repetition near by: few phrases, three times
 * as fast, and the ranking of orders hardly changes. */
const sd_codec *sd_trials_ranking (const char **settings) {
  *settings = "symbols=600,min=24";
  return sd_codec_find ("repair");
}
