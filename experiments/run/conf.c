/* Values of a sweep file: checked keys (with the nearest known one when a key is mistyped), words and
 * numbers, lists, and the product of a codec's settings. Cost: linear, but for the distance of mistyped keys.
 */
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

/* Are all keys of `s` in the NULL-terminated list? */
int sd_conf_keys (const sd_conf *r, const config_setting_t *s, const char *where, const char *const *known) {
  for (int i = 0; i < config_setting_length (s); i++) {
    const config_setting_t *k = config_setting_get_elem (s, i);
    const char *name = config_setting_name (k);
    sd_guess guess = sd_guess_of (name);
    bool found = false;
    char all[400] = "";
    for (const char *const *p = known; *p && !found; p++) {
      found = strcmp (*p, name) == 0;
      sd_guess_offer (&guess, *p);
      sd_text_list (all, sizeof all, "%s", *p);
    }
    if (found)
      continue;
    if (guess.nearest)
      return sd_conf_bad (r, k, "unknown key \"%s\" in %s%s", name, where, sd_guess_ask (&guess));
    return sd_conf_bad (r, k, "unknown key \"%s\" in %s: known are %s", name, where, all);
  }
  return SD_OK;
}

/* ----------------------------------------------------------------- values */

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
  char all[200] = "";
  sd_guess guess = sd_guess_of (word);
  for (unsigned i = 0; words[i]; i++) {
    if (strcmp (word, words[i]) == 0) {
      *out = i;
      return SD_OK;
    }
    sd_guess_offer (&guess, words[i]);
    sd_text_list (all, sizeof all, "%s", words[i]);
  }
  return sd_conf_bad (r, at, "%s \"%s\": one of %s is needed%s", key, word, all, sd_guess_ask (&guess));
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

/* Go through the product of the codec's tunables; `text` holds the settings chosen so far. */
static int expand_settings (const sd_conf *r, const config_setting_t *entry, sd_codec_choice *c, int next,
                            const char *text, sd_codec_list *out) {
  while (next < config_setting_length (entry)) {
    const char *key = config_setting_name (config_setting_get_elem (entry, next));
    if (strcmp (key, "name") && strcmp (key, "settings") && strcmp (key, "metric"))
      break;
    next++;
  }
  if (next == config_setting_length (entry)) {
    sd_settings set;
    sd_error err = { 0 };
    if (sd_settings_parse (c->codec, text, &set, &err) != SD_OK)
      return sd_conf_bad (r, entry, "%s", err.text);
    if (!sd_grow (&out->choice, &out->cap, out->n + 1))
      return sd_fail_memory (r->err, 0);
    sd_settings_text (&set, c->settings, sizeof c->settings);
    out->choice[out->n++] = *c;
    return SD_OK;
  }
  const config_setting_t *knob = config_setting_get_elem (entry, next);
  sd_conf_words *v = malloc (sizeof *v);
  if (!v)
    return sd_fail_memory (r->err, sizeof *v);
  int status = sd_conf_values (r, knob, v);
  for (unsigned i = 0; i < v->n && status == SD_OK; i++) {
    char longer[SD_SETTINGS_TEXT], one[SD_SETTINGS_TEXT];
    /* each value is tried on its own first, so that the line of a wrong one is named */
    sd_settings set;
    sd_error err = { 0 };
    snprintf (one, sizeof one, "%s=%s", config_setting_name (knob), v->text[i]);
    if (sd_settings_read (c->codec, one, &set, &err) != SD_OK) {
      status = sd_conf_bad (r, v->at[i], "%s", err.text);
      break;
    }
    int len = snprintf (longer, sizeof longer, "%s%s%s", text, *text ? "," : "", one);
    if (len < 0 || (size_t) len >= sizeof longer) {
      status = sd_conf_bad (r, v->at[i], "settings of more than %zu characters", sizeof longer - 1);
      break;
    }
    status = expand_settings (r, entry, c, next + 1, longer, out);
  }
  free (v);
  return status;
}

static int read_codec (const sd_conf *r, const config_setting_t *s, sd_codec_list *out) {
  sd_codec_choice c = { .metric = -1 };
  const char *name = NULL, *settings = "", *metric = NULL;
  if (config_setting_is_group (s)) {
    config_setting_lookup_string (s, "name", &name);
    if (!name)
      return sd_conf_bad (r, s, "a codec needs name = \"...\"");
    if (config_setting_get_member (s, "settings") && !config_setting_lookup_string (s, "settings", &settings))
      return sd_conf_bad (r, config_setting_get_member (s, "settings"),
                          "settings: text such as \"block=128\" is needed");
    if (config_setting_get_member (s, "metric")) {
      enum sd_metric m = SD_NO_METRIC;
      if (!config_setting_lookup_string (s, "metric", &metric))
        return sd_conf_bad (r, config_setting_get_member (s, "metric"),
                            "metric of a codec: \"wdl\" or \"dtm\" is needed");
      SD_TRY (sd_conf_metric (r, config_setting_get_member (s, "metric"), metric, &m));
      c.metric = (int) m;
    }
  } else {
    name = config_setting_get_string (s);
    if (!name)
      return sd_conf_bad (r, s, "codec: a name or { name = \"...\"; ... } is needed");
  }
  c.codec = sd_codec_find (name);
  if (!c.codec) {
    char all[200] = "";
    size_t n;
    sd_guess guess = sd_guess_of (name);
    const sd_codec *const *codecs = sd_codec_all (&n);
    for (size_t i = 0; i < n; i++) {
      sd_guess_offer (&guess, codecs[i]->name);
      sd_text_list (all, sizeof all, "%s", codecs[i]->name);
    }
    return sd_conf_bad (r, s, "no codec is called \"%s\": there are %s%s", name, all, sd_guess_ask (&guess));
  }
  if (!config_setting_is_group (s)) {
    sd_settings set;
    sd_error err = { 0 };
    if (sd_settings_parse (c.codec, "", &set, &err) != SD_OK)
      return sd_conf_bad (r, s, "%s", err.text);
    config_t empty; /* a name alone is a group without knobs */
    config_init (&empty);
    int status = expand_settings (r, config_root_setting (&empty), &c, 0, "", out);
    config_destroy (&empty);
    return status;
  }
  const char *known[SD_MAX_SETTINGS + 4] = { "name", "settings", "metric" };
  unsigned n = 3;
  for (const sd_tunable *t = c.codec->tunables; t->key && n < SD_MAX_SETTINGS + 3; t++)
    known[n++] = t->key;
  char where[80];
  snprintf (where, sizeof where, "codec \"%s\"", name);
  SD_TRY (sd_conf_keys (r, s, where, known));
  return expand_settings (r, s, &c, 0, settings, out);
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
