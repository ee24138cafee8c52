/* Texts of settings as rows have them, "key=value,key=value", without the codec that they are of.
 *
 * A pair is "key=value" or a word alone; nobody quotes, since no setting of a codec holds a comma. Reports
 * cut these texts (query/words.c), sweeps look for values of `exclude` in them. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/store/store.h"
#include <string.h>

const char *sd_pair_next (const char **at, size_t *len, size_t *key) {
  const char *pair = *at;
  *len = strcspn (pair, ",");
  if (*len == 0)
    return NULL;
  *key = strcspn (pair, "=,");
  *at = pair + *len + (pair[*len] == ',');
  return pair;
}

bool sd_pair_is_in (const char *settings, const char *pair, size_t len) {
  size_t n, key;
  const char *one;
  while ((one = sd_pair_next (&settings, &n, &key)))
    if (n == len && memcmp (one, pair, len) == 0)
      return true;
  return false;
}

bool sd_is_setting (const char *word, size_t len) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t i = 0; i < n; i++)
    for (const sd_tunable *t = all[i]->tunables; t->key; t++)
      if (strlen (t->key) == len && memcmp (t->key, word, len) == 0)
        return true;
  return false;
}
