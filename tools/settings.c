/* Settings of codecs as options give them (--codec NAME, --set KEY=VALUE,...), and what '--set help' prints
 * of all codecs. What a setting may be stands in the rows of the codecs (sd_tunable). */
#include "config.h"
#include "codecs/codecs.h"
#include "tools/tools_internal.h"

/* A codec may be known and not built (configure --enable-codecs), so that the message does not call it
 * unknown. */
int sd_tool_codec (const char *name, const char *set, const sd_codec **codec, sd_settings *settings,
                   sd_error *err) {
  name = name ? name : "repair";
  *codec = sd_codec_find (name);
  return *codec ? sd_settings_parse (*codec, set, settings, err)
                : sd_fail (
                    err, SD_EINVAL,
                    "the codec %s is not in this build; 'subdef reformat --set help' lists those that are",
                    name);
}

/* "repair: RE-PAIR ..." and below it "  block     ... (default 128; 1 to ...)", a line a setting. */
int sd_tool_list_settings (void) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);

  for (size_t i = 0; i < n; i++) {
    printf ("%s: %s\n", all[i]->name, all[i]->summary);
    for (const sd_tunable *t = all[i]->tunables; t->key; t++) {
      /* A setting with a range has numbers (min <= max), another one has words, or neither: then anything
       * goes that its codec understands. */
      printf ("  %-9s %s (default %s", t->key, t->summary, t->deflt);
      if (t->min <= t->max)
        printf ("; %ld to %ld", t->min, t->max);
      else if (t->words)
        printf ("; %s", t->words);
      puts (")");
    }
  }

  puts ("initial replacements (chained with '+'):");
  const sd_initial *const *in = sd_initial_all (&n);
  for (size_t i = 0; i < n; i++)
    printf ("  %-9s %s [%s]\n", in[i]->name, in[i]->summary, in[i]->source);
  return SD_EXIT_OK;
}
