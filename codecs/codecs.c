/** \file codecs.c
 * All codecs of the build, made from codecs.def: tests, tools, benchmarks and reports find a codec by
 * walking this list. */
#include "config.h"
#include "codecs/codecs.h"
#include "codecs/row.h"
#include <string.h>

/* SD_WHEN (x) (y): y if x is a macro for 1, nothing if it is one for 0. SD_HERE: what an SD_CODEC says of
 * where the codec is, as such a macro; with decoders alone 1 for OWN (which then is no macro) and 0 for
 * others. */
#ifdef SD_DECODERS_ONLY
#define SD_MARK_OWN ~, 1
#define SD_SECOND(first, second, ...) second
#define SD_SECOND_OF(...) SD_SECOND (__VA_ARGS__, 0, ~)
#define SD_HERE(guard, ...) SD_SECOND_OF (SD_MARK_##guard)
#else
#define ALWAYS 1
#define OWN 1
#define SD_HERE(guard, ...) guard
#endif
#define SD_WHEN_0(...)
#define SD_WHEN_1(...) __VA_ARGS__
#define SD_WHEN_NOW(x) SD_WHEN_##x
#define SD_WHEN(x) SD_WHEN_NOW (x)
/* The first of what follows a codec's number. */
#define SD_HERE_OF(...) SD_HERE (__VA_ARGS__, ~)

/* By rising id, as codecs.def lists them. Nothing registers itself at run time: which codecs there are is
 * known when the library is linked, and a program with one decoder has no other one in it. */
static const sd_codec *const all[] = {
#define SD_CODEC(name, number, ...) SD_WHEN (SD_HERE_OF (__VA_ARGS__)) (&sd_codec_##name, )
#include "codecs/codecs.def"
#undef SD_CODEC
};
static const size_t count = sizeof all / sizeof all[0];

const sd_codec *const *sd_codec_all (size_t *n) {
  *n = count;
  return all;
}

/* Asked once for a setting or a table, never for a lookup. */
const sd_codec *sd_codec_find (const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp (all[i]->name, name) == 0)
      return all[i];
  return NULL;
}

const sd_codec *sd_codec_by_id (unsigned id) {
  for (size_t i = 0; i < count; i++)
    if (all[i]->id == id)
      return all[i];
  return NULL;
}

/* For a message that tells a codec that was left out of this build from one that only a newer program
 * knows. */
const char *sd_codec_missing (unsigned id) {
  static const struct {
    unsigned id;
    const char *name;
  } every[] = {
#define SD_CODEC(name, number, ...) { number, #name },
#include "codecs/codecs.def"
#undef SD_CODEC
  };
  for (size_t i = 0; i < sizeof every / sizeof every[0]; i++)
    if (every[i].id == id && !sd_codec_by_id (id))
      return every[i].name;
  return NULL;
}
