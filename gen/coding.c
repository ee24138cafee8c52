/* How the generator codes the tables that it writes: any codec whose blocks can be coded apart, so that ranks
 * and threads share them out.
 *
 * Zakharov 2015's building stage has LZMA in blocks of 2 MB (Sec. 1.2). That would be most of our time, so
 * that it is Zstandard if the build has it. All of the 35 endings with 3 and 4 men, one core: by LZMA (preset
 * 2, blocks of 1 MiB) 14.5 s and 23,333,509 bytes, by Zstandard (level 9, blocks of 256 KiB) 8.5 s and
 * 27,501,798. Blocks of 1 MiB take 3 % fewer bytes, but a thread that codes takes four times the memory, and
 * a larger ending decodes four times as much for one value. */
#include "config.h"
#include "codecs/blocks/blocks.h"
#include "codecs/codecs.h"
#include "gen/gen.h"
#include <string.h>

enum { BLOCK = 1 << 20 };

/* Does the text set this key, so that ours is not put in front? */
static bool names (const char *set, const char *key) {
  const size_t n = strlen (key);
  for (const char *at = set; at; at = strchr (at, ',') ? strchr (at, ',') + 1 : NULL)
    if (strncmp (at, key, n) == 0 && at[n] == '=')
      return true;
  return false;
}

/* What a block holds if nothing is said: as much as the codec allows, up to BLOCK bytes. */
static long usual_block (const sd_codec *codec) {
  for (const sd_tunable *t = codec->tunables; t->key; t++)
    if (strcmp (t->key, "block") == 0 && t->max < BLOCK)
      return t->max;
  return BLOCK;
}

/* What tables are coded by if nothing is said. */
static const struct {
  const char *codec, *set;
} usual[] = { { "zstd", "level=9,block=262144" }, { "lzma", "preset=2" } };

int sd_gen_coding_parse (const char *codec, const char *set, sd_gen_coding *out, sd_error *err) {
  char text[256];
  const unsigned use = sd_codec_find (usual[0].codec) ? 0 : 1;

  /* Settings without a codec are those of the usual one; a codec without settings has its own defaults but
   * for the block. */
  set = set && *set ? set : codec ? "" : usual[use].set;
  codec = codec ? codec : usual[use].codec;
  *out = (sd_gen_coding){ .codec = sd_codec_find (codec) };
  if (!out->codec || !out->codec->blocks)
    return sd_fail (err, SD_EINVAL, "codec %s: %s; expected one with blocks of its own, as lzma, zstd or lz4",
                    codec, out->codec ? "it does not code blocks apart" : "unknown");
  const int n = names (set, "block") ? snprintf (text, sizeof text, "%s", set)
                                     : snprintf (text, sizeof text, "block=%ld%s%s", usual_block (out->codec),
                                                 *set ? "," : "", set);
  if (n >= (int) sizeof text)
    return sd_fail (err, SD_EINVAL, "codec %s: settings of more than %zu characters", out->codec->name,
                    sizeof text - sizeof "block=1048576,");
  SD_TRY (sd_settings_parse (out->codec, text, &out->settings, err));

  if (!sd_blocks_apart (out->codec, &out->settings))
    return sd_fail (err, SD_EINVAL,
                    "codec %s: with \"%s\" its blocks share something, and cannot be coded apart",
                    out->codec->name, set);
  return SD_OK;
}

int sd_gen_spec (const sd_rules *r, sd_slice slice, const sd_gen_coding *coding, sd_table_spec *out,
                 sd_error *err) {
  sd_gen_coding chosen;
  if (!coding)
    SD_TRY (sd_gen_coding_parse (NULL, NULL, &chosen, err));
  coding = coding ? coding : &chosen;
  *out = (sd_table_spec){ .metric = SD_USUAL_EXACT, .coding = SD_CODING_SIGNED, .freedom = SD_FREE_ILLEGAL };
  for (unsigned side = 0; side < 2; side++) {
    out->side[side].codec = coding->codec;
    out->side[side].settings = coding->settings;
  }
  return sd_rules_subject (r, slice, out, err);
}
