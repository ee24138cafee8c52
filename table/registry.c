/* All codecs of the build. A new codec is one file, one line here, one name in the makefile; tests, tools,
 * benchmarks and reports find it by walking this list. */
#include "config.h"
#include "table/table.h"
#include "repair/repair.h"
#include <string.h>

/* by rising id */
static const sd_codec *const all[] = { &sd_codec_store, &sd_codec_lzma, &sd_codec_repair };
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

const sd_codec *sd_codec_by_id (unsigned id) {
  for (size_t i = 0; i < count; i++)
    if (all[i]->id == id)
      return all[i];
  return NULL;
}
