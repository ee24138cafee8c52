/* Values of a sweep file: checked keys (with the nearest known one when a key is mistyped), words and
 * numbers, lists, and the product of a codec's settings. Cost: linear, but for the distance of mistyped keys.
 *
 * axes.c and sweep_read.c ask for what they need here. Every refusal goes through sd_conf_bad: `my.conf:3:
 * unknown key "codex" in a group; did you mean "codec"?`. A value that the command line overrides has no
 * line: "my.conf, overridden: ...". */
#include "config.h"
#include "base/words.h"
#include "codecs/codecs.h"
#include "experiments/run/conf_internal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int sd_conf_bad (const sd_conf *r, const config_setting_t *at, const char *fmt, ...) {
  char text[600];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof text, fmt, ap);
  va_end (ap);
  if (config_setting_source_line (at) == 0) /* it stands in no file */
    return sd_fail (r->err, SD_EINVAL, "%s, overridden: %s", r->path, text);
  const char *included = config_setting_source_file (at);
  return sd_fail (r->err, SD_EINVAL, "%s:%u: %s", included ? included : r->path,
                  config_setting_source_line (at), text);
}

/* ------------------------------------------------------------------- keys */

/* A word among those that are known, which NULL ends; else what to say of it. */
typedef struct known {
  unsigned at;
  sd_guess guess;
  char all[400]; /* of them, with commas */
} known;

/* out->at: its number. The guess and the list are made on the way, as they are needed only where it is not
 * found. */
static bool find_word (const char *word, const char *const *words, known *out) {
  out->guess = sd_guess_of (word);
  out->all[0] = '\0';
  for (out->at = 0; words[out->at]; out->at++) {
    if (strcmp (words[out->at], word) == 0)
      return true;
    sd_guess_offer (&out->guess, words[out->at]);
    sd_text_list (out->all, sizeof out->all, "%s", words[out->at]);
  }
  return false;
}

int sd_conf_keys (const sd_conf *r, const config_setting_t *s, const char *where, const char *const *words) {
  known k;
  for (int i = 0; i < config_setting_length (s); i++) {
    const config_setting_t *key = config_setting_get_elem (s, i);
    const char *name = config_setting_name (key);
    if (find_word (name, words, &k))
      continue;
    if (k.guess.nearest)
      return sd_conf_bad (r, key, "unknown key \"%s\" in %s%s", name, where, sd_guess_ask (&k.guess));
    return sd_conf_bad (r, key, "unknown key \"%s\" in %s: known are %s", name, where, k.all);
  }
  return SD_OK;
}

/* ----------------------------------------------------------------- values */

/* One value, whatever its type in the file, as the text that a row has: numbers in decimal, true and false as
 * on and off. */
static int add_value (const sd_conf *r, const config_setting_t *s, sd_conf_words *v) {
  if (v->n == SD_MAX_VALUES)
    return sd_conf_bad (r, s, "more than %d values", SD_MAX_VALUES);
  char *to = v->text[v->n];
  const size_t cap = sizeof v->text[0];
  int len = 0;
  switch (config_setting_type (s)) {
  case CONFIG_TYPE_STRING:
    len = snprintf (to, cap, "%s", config_setting_get_string (s));
    break;
  case CONFIG_TYPE_INT:
    len = snprintf (to, cap, "%d", config_setting_get_int (s));
    break;
  case CONFIG_TYPE_INT64:
    len = snprintf (to, cap, "%lld", config_setting_get_int64 (s));
    break;
  case CONFIG_TYPE_BOOL:
    len = snprintf (to, cap, "%s", config_setting_get_bool (s) ? "on" : "off");
    break;
  default:
    return sd_conf_bad (r, s, "a word or a number is needed here");
  }

  if (len < 0 || (size_t) len >= cap)
    return sd_conf_bad (r, s, "value of %d characters: at most %zu are allowed", len, cap - 1);
  v->at[v->n++] = s;
  return SD_OK;
}

/* A value alone is a list of one; a list must have one at least, since an empty one would make no cell. */
int sd_conf_values (const sd_conf *r, const config_setting_t *s, sd_conf_words *v) {
  v->n = 0;
  if (!config_setting_is_aggregate (s))
    return add_value (r, s, v);
  if (config_setting_is_group (s))
    return sd_conf_bad (r, s, "a value or a list of values is needed here, not a group");
  for (int i = 0; i < config_setting_length (s); i++)
    SD_TRY (add_value (r, config_setting_get_elem (s, i), v));
  return v->n ? SD_OK : sd_conf_bad (r, s, "the list is empty");
}

/* Values of `key` in group `g`, or the one word `deflt` standing at the group's own line. */
int sd_conf_axis (const sd_conf *r, const config_setting_t *g, const char *key, const char *deflt,
                  sd_conf_words *v) {
  const config_setting_t *s = config_setting_get_member (g, key);
  if (s)
    return sd_conf_values (r, s, v);
  snprintf (v->text[0], sizeof v->text[0], "%s", deflt);
  v->at[0] = g;
  v->n = 1;
  return SD_OK;
}

int sd_conf_word (const sd_conf *r, const config_setting_t *at, const char *key, const char *word,
                  const char *const *words, unsigned *out) {
  known k;
  const bool found = find_word (word, words, &k);
  *out = k.at;
  return found ? SD_OK
               : sd_conf_bad (r, at, "%s \"%s\": one of %s is needed%s", key, word, k.all,
                              sd_guess_ask (&k.guess));
}

/* ----------------------------------------------------------------- codecs */

int sd_conf_metric (const sd_conf *r, const config_setting_t *at, const char *word, enum sd_metric *out) {
  const char *words[SD_METRICS + 1] = { NULL };
  unsigned m = 0;
  for (unsigned i = 0; i < SD_METRICS; i++)
    words[i] = sd_metrics[i].name;
  SD_TRY (sd_conf_word (r, at, "metric", word, words, &m));
  *out = (enum sd_metric) m;
  return SD_OK;
}

/* The choice with these settings is one more of the list. */
static int add_choice (const sd_conf *r, const config_setting_t *entry, const sd_codec_choice *c,
                       const char *text, sd_codec_list *out) {
  sd_settings set;
  sd_error err = { 0 };
  if (sd_settings_parse (c->codec, text, &set, &err) != SD_OK)
    return sd_conf_bad (r, entry, "%s", err.text);
  if (!sd_grow (&out->choice, &out->cap, out->n + 1))
    return sd_fail_memory (r->err, 0);
  sd_codec_choice *choice = &out->choice[out->n++];
  *choice = *c;
  sd_settings_text (&set, choice->settings, sizeof choice->settings);
  return SD_OK;
}

/* Go through the product of the codec's tunables; `text` holds the settings chosen so far. c: codec and
 * metric; next: the place of the setting of the group that comes now. Keys that are no tunables (name,
 * settings, metric) are passed over. */
static int expand_settings (const sd_conf *r, const config_setting_t *entry, const sd_codec_choice *c,
                            int next, const char *text, sd_codec_list *out) {
  static const char *const other[] = { "name", "settings", "metric", NULL };
  known k;

  while (next < config_setting_length (entry)
         && find_word (config_setting_name (config_setting_get_elem (entry, (unsigned) next)), other, &k))
    next++;
  if (next == config_setting_length (entry))
    return add_choice (r, entry, c, text, out);

  const config_setting_t *knob = config_setting_get_elem (entry, (unsigned) next);
  /* On the heap, as the words take some 240 kB and this function calls itself. */
  SD_OWNED sd_conf_words *v = malloc (sizeof *v);
  if (!v)
    return sd_fail_memory (r->err, sizeof *v);
  SD_TRY (sd_conf_values (r, knob, v));

  for (unsigned i = 0; i < v->n; i++) {
    char longer[SD_SETTINGS_TEXT], one[SD_SETTINGS_TEXT];
    /* each value is tried on its own first, so that the line of a wrong one is named */
    sd_settings set;
    sd_error err = { 0 };
    snprintf (one, sizeof one, "%s=%s", config_setting_name (knob), v->text[i]);
    if (sd_settings_read (c->codec, one, &set, &err) != SD_OK)
      return sd_conf_bad (r, v->at[i], "%s", err.text);

    if (snprintf (longer, sizeof longer, "%s%s%s", text, *text ? "," : "", one) >= (int) sizeof longer)
      return sd_conf_bad (r, v->at[i], "settings of more than %zu characters", sizeof longer - 1);
    SD_TRY (expand_settings (r, entry, c, next + 1, longer, out));
  }
  return SD_OK;
}

/* The codec of this name. s: where the message points. */
static int find_codec (const sd_conf *r, const config_setting_t *s, const char *name, const sd_codec **out) {
  const char *words[64] = { NULL };
  size_t n;
  known k;
  const sd_codec *const *codecs = sd_codec_all (&n);
  for (size_t i = 0; i < n && i + 1 < sizeof words / sizeof *words; i++)
    words[i] = codecs[i]->name;

  if (!find_word (name, words, &k))
    return sd_conf_bad (r, s, "no codec is called \"%s\": there are %s%s", name, k.all,
                        sd_guess_ask (&k.guess));
  *out = codecs[k.at];
  return SD_OK;
}

/* { name; settings; metric; tunables }: the keys of the group are these and the tunables of the codec, which
 * has to be known before they are looked at. */
static int read_codec_group (const sd_conf *r, const config_setting_t *s, sd_codec_list *out) {
  sd_codec_choice c = { .metric = -1 };
  const char *name = NULL, *settings = "", *metric = NULL,
             *words[SD_MAX_SETTINGS + 4] = { "name", "settings", "metric" };
  char where[80];
  unsigned n = 3;

  config_setting_lookup_string (s, "name", &name);
  if (!name)
    return sd_conf_bad (r, s, "a codec needs name = \"...\"");

  const config_setting_t *text = config_setting_get_member (s, "settings"),
                         *only = config_setting_get_member (s, "metric");
  if (text && !(settings = config_setting_get_string (text)))
    return sd_conf_bad (r, text, "settings: text such as \"block=128\" is needed");

  if (only) {
    enum sd_metric m = SD_NO_METRIC;
    if (!(metric = config_setting_get_string (only)))
      return sd_conf_bad (r, only, "metric of a codec: \"wdl\" or \"dtm\" is needed");
    SD_TRY (sd_conf_metric (r, only, metric, &m));
    c.metric = (int) m;
  }

  SD_TRY (find_codec (r, s, name, &c.codec));
  for (const sd_tunable *t = c.codec->tunables; t->key && n < SD_MAX_SETTINGS + 3; t++)
    words[n++] = t->key;

  snprintf (where, sizeof where, "codec \"%s\"", name);
  SD_TRY (sd_conf_keys (r, s, where, words));
  return expand_settings (r, s, &c, 0, settings, out);
}

/* A name alone takes the codec at its defaults. */
static int read_codec (const sd_conf *r, const config_setting_t *s, sd_codec_list *out) {
  sd_codec_choice c = { .metric = -1 };
  if (config_setting_is_group (s))
    return read_codec_group (r, s, out);
  const char *name = config_setting_get_string (s);
  if (!name)
    return sd_conf_bad (r, s, "codec: a name or { name = \"...\"; ... } is needed");
  SD_TRY (find_codec (r, s, name, &c.codec));
  return add_choice (r, s, &c, "", out);
}

int sd_conf_codecs (const sd_conf *r, const config_setting_t *g, sd_codec_list *out) {
  const config_setting_t *s = config_setting_get_member (g, "codec");
  if (!s)
    return sd_conf_bad (r, g, "a group needs codec = ...");
  if (config_setting_is_group (s) || !config_setting_is_aggregate (s))
    return read_codec (r, s, out);
  for (int i = 0; i < config_setting_length (s); i++)
    SD_TRY (read_codec (r, config_setting_get_elem (s, i), out));
  return out->n ? SD_OK : sd_conf_bad (r, s, "the list of codecs is empty");
}
