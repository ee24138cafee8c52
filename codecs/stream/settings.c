/** \file settings.c
 * "block=256,initial=ternary" against the list of a codec's tunables: every key known and given once, every
 * value checked, defaults for the rest. Texts come from a command line, a sweep, or a row of a store; a
 * message names the key, its value and what is allowed, since the user sees nothing else: "codec huffman:
 * block=8: bytes of compressed data in a block: a number from 16 to 65536 is allowed". */
#include "config.h"
#include "base/words.h"
#include "codecs/stream/stream.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_number (const sd_tunable *t) {
  return t->min <= t->max;
}

/* Is `value` one of "a|b|c"? */
static bool among (const char *words, const char *value) {
  size_t len = strlen (value);
  for (const char *at = words;; at++) {
    size_t n = strcspn (at, "|");
    if (n == len && memcmp (at, value, n) == 0)
      return true;
    at += n;
    if (!*at)
      return false;
  }
}

/* One value in the form in which sd_settings_text () writes it, so that equal settings are equal texts. */
static int check (const sd_codec *codec, const sd_tunable *t, char *value, size_t cap, sd_error *err) {
  if (is_number (t)) {
    char *end;
    errno = 0;
    long v = strtol (value, &end, 10);
    /* strtol () would take blanks and a plus sign. */
    if (!strchr ("-0123456789", value[0]) || !value[0] || *end || errno || v < t->min || v > t->max)
      return sd_fail (err, SD_EINVAL, "codec %s: %s=%s: %s: a number from %ld to %ld is allowed", codec->name,
                      t->key, value, t->summary, t->min, t->max);
    snprintf (value, cap, "%ld", v); /* canonical: no leading zeros */
    return SD_OK;
  }
  if (t->words && !among (t->words, value))
    return sd_fail (err, SD_EINVAL, "codec %s: %s=%s: allowed is %s", codec->name, t->key, value, t->words);
  if (!t->words && strcmp (t->key, "initial") == 0 && sd_initial_check (value, err))
    return sd_error_prefix (err, "codec %s: %s=%s", codec->name, t->key, value), SD_EINVAL;
  return SD_OK;
}

/* All defaults; *n = how many settings there are. A codec with more of them than sd_settings holds, or with a
 * default that is too long, cannot be used at all. */
static int defaults (const sd_codec *codec, sd_settings *out, unsigned *n, sd_error *err) {
  *out = (sd_settings){ .tunables = codec->tunables };
  *n = 0;
  for (const sd_tunable *t = codec->tunables; t->key; t++, ++*n) {
    if (*n == SD_MAX_SETTINGS)
      return sd_fail (err, SD_ERANGE, "codec %s: it has more than %d settings, as many as there may be",
                      codec->name, SD_MAX_SETTINGS);
    if (strlen (t->deflt) >= sizeof out->value[0])
      return sd_fail (err, SD_ERANGE, "codec %s: %s: the default has %zu characters, at most %zu are allowed",
                      codec->name, t->key, strlen (t->deflt), sizeof out->value[0] - 1);
    strcpy (out->value[*n], t->deflt);
  }
  return SD_OK;
}

/* Is `word` one of the words of "a+b+c"? So is a single word. */
static bool in_chain (const char *chain, const char *word) {
  const size_t len = strlen (word);
  for (const char *at = chain;; at++) {
    const size_t n = strcspn (at, "+");
    if (n == len && memcmp (at, word, n) == 0)
      return true;
    at += n;
    if (!*at)
      return false;
  }
}

/* What has no effect must stand at its default: a sweep would run the same thing twice under two names. */
static int check_overrules (const sd_codec *codec, const sd_settings *s, sd_error *err) {
  for (const sd_overrule *o = codec->overrules; o && o->key; o++) {
    const char *value = sd_settings_word (s, o->key);
    /* The others have an effect. */
    if (in_chain (value, o->word) == o->unless)
      continue;
    for (const char *const *idle = o->idle; *idle; idle++) {
      const char *is = sd_settings_word (s, *idle), *deflt = is;
      for (const sd_tunable *t = codec->tunables; t->key; t++)
        if (strcmp (t->key, *idle) == 0)
          deflt = t->deflt;
      /* Defaults are always allowed: texts that name all settings stay valid. */
      if (strcmp (is, deflt) != 0)
        return sd_fail (err, SD_EINVAL, "codec %s: %s=%s has no effect %s %s=%s; leave it out", codec->name,
                        *idle, is, o->unless ? "but with" : "with", o->key, o->word);
    }
  }
  return SD_OK;
}

/* Of the initial replacement each link of its chain is looked at. */
static int check_effects (const sd_codec *codec, const sd_settings *s, sd_error *err) {
  const char *initial = sd_settings_word (s, "initial");
  if (strcmp (initial, codec->tunables[0].deflt) != 0
      && sd_initial_check_effect (initial, !codec->takes_free_slots, err))
    return sd_error_prefix (err, "codec %s: initial=%s", codec->name, initial), SD_EINVAL;
  return check_overrules (codec, s, err);
}

/* known_key: the key is one, but nothing stands behind it. */
static int no_such_setting (const sd_codec *codec, const char *at, size_t len, size_t key, bool known_key,
                            sd_error *err) {
  char known[256] = "", word[64];
  snprintf (word, sizeof word, "%.*s", (int) key, at);
  sd_guess guess = sd_guess_of (word);
  for (const sd_tunable *t = codec->tunables; t->key; t++) {
    if (!known_key)
      sd_guess_offer (&guess, t->key);
    sd_text_list (known, sizeof known, "%s", t->key);
  }
  return sd_fail (err, SD_EINVAL, "codec %s: \"%.*s\": %s; it has the settings %s%s", codec->name, (int) len,
                  at, known_key ? "no value, as in key=value" : "no such setting", known,
                  sd_guess_ask (&guess));
}

int sd_settings_read (const sd_codec *codec, const char *text, sd_settings *out, sd_error *err) {
  bool given[SD_MAX_SETTINGS] = { false };
  unsigned n;

  SD_TRY (defaults (codec, out, &n, err));
  for (const char *at = text ? text : ""; *at;) {
    size_t len = strcspn (at, ","), key = strcspn (at, "=,");
    unsigned k = 0;
    /* Keys are compared whole: no abbreviation that a new setting would make ambiguous. */
    while (k < n && (strlen (codec->tunables[k].key) != key || memcmp (codec->tunables[k].key, at, key) != 0))
      k++;
    if (k == n || key == len)
      return no_such_setting (codec, at, len, key, k < n, err);

    const char *value = at + key + 1;
    size_t value_len = len - key - 1;
    if (given[k])
      return sd_fail (err, SD_EINVAL, "codec %s: %s: given twice", codec->name, codec->tunables[k].key);
    if (value_len >= sizeof out->value[k])
      return sd_fail (err, SD_EINVAL, "codec %s: %s: the value has %zu characters, at most %zu are allowed",
                      codec->name, codec->tunables[k].key, value_len, sizeof out->value[k] - 1);

    given[k] = true;
    memcpy (out->value[k], value, value_len);
    out->value[k][value_len] = 0;
    SD_TRY (check (codec, &codec->tunables[k], out->value[k], sizeof out->value[k], err));
    at += len;
    /* A comma promises another setting. */
    if (*at == ',' && !*++at)
      return sd_fail (err, SD_EINVAL, "codec %s: nothing behind the last comma of \"%s\"", codec->name, text);
  }
  return SD_OK;
}

int sd_settings_parse (const sd_codec *codec, const char *text, sd_settings *out, sd_error *err) {
  SD_TRY (sd_settings_read (codec, text, out, err));
  return check_effects (codec, out, err);
}

/* Keys in the program are those of the codec's own list; another one is a mistake of ours and not of a
 * text. */
static unsigned find (const sd_settings *s, const char *key) {
  for (unsigned k = 0; s->tunables[k].key; k++)
    if (strcmp (s->tunables[k].key, key) == 0)
      return k;
  assert (!"the codec has this setting");
  abort ();
}

long sd_settings_int (const sd_settings *s, const char *key) {
  unsigned k = find (s, key);
  assert (is_number (&s->tunables[k]));
  return strtol (s->value[k], NULL, 10);
}

const char *sd_settings_word (const sd_settings *s, const char *key) {
  return s->value[find (s, key)];
}

void sd_settings_put (sd_settings *s, const char *key, const char *word) {
  char *value = s->value[find (s, key)];
  snprintf (value, sizeof s->value[0], "%s", word);
}

/* Those for which `all` or a difference from the default asks. */
static void put_settings (const sd_settings *s, bool all, char *out, size_t cap) {
  size_t used = 0;
  if (cap)
    out[0] = 0;

  for (unsigned k = 0; s->tunables[k].key && used < cap; k++) {
    if (!all && strcmp (s->value[k], s->tunables[k].deflt) == 0)
      continue;
    int n = snprintf (out + used, cap - used, "%s%s=%s", used ? "," : "", s->tunables[k].key, s->value[k]);
    used += n > 0 ? (size_t) n : 0;
  }
}

void sd_settings_text (const sd_settings *s, char *out, size_t cap) {
  put_settings (s, true, out, cap);
}

void sd_settings_differing (const sd_settings *s, char *out, size_t cap) {
  put_settings (s, false, out, cap);
}
