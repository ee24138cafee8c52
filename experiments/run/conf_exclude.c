/* Cells that a group leaves out: exclude = ( { codec = "lzma"; tables = ["KQvK", "KRvK"]; }, ... ). A cell is
 * left out if one of the list has, for each of its keys, one of the values. Keys are columns of a row, or
 * settings of a codec. One that leaves nothing out is a slip, and refused.
 *
 * Leaving out happens when all cells of a group are made, so that it costs no cell of another group, and
 * the best order of a group is chosen among those that stay. What is left out is in no count: neither
 * --dry-run nor a report says that it is missing. */
#include "config.h"
#include "experiments/run/conf_internal.h"
#include <stdlib.h>
#include <string.h>

/* The columns of a key: those of the axis; `codec` is its name, `side` the one that a stream is for (w, b,
 * wb), whatever `sides` says. */
static unsigned columns_of (const char *key, size_t at[2]) {
  at[0] = strcmp (key, "codec") == 0 ? offsetof (sd_name, codec) : offsetof (sd_name, side);
  return strcmp (key, "codec") == 0 || strcmp (key, "side") == 0 ? 1 : sd_axes_columns (key, at);
}

/* "all-4": every ending with so many men. */
static bool is_all (const char *value, const sd_cell *c) {
  return strncmp (value, "all-", 4) == 0 && value[4] && !value[5]
         && (unsigned) (value[4] - '0') == sd_material_men (&c->material);
}

/* "both" is no word of a row, where it is empty. */
static bool has_sides (const char *value, const sd_cell *c) {
  return strcmp (value, "white") == 0   ? strcmp (c->name.side, "w") == 0 && !*c->name.sides
         : strcmp (value, "black") == 0 ? strcmp (c->name.side, "b") == 0 && !*c->name.sides
         : strcmp (value, "both") == 0  ? !*c->name.sides
                                        : strcmp (value, c->name.sides) == 0;
}

/* Values are compared as texts, in the form that rows have them. */
static bool has_value (const sd_cell *c, const char *key, const char *value) {
  char pair[SD_SETTINGS_TEXT + SD_TABLE_TEXT];
  size_t at[2];
  if (strcmp (key, "sides") == 0)
    return has_sides (value, c);
  if (strcmp (key, "tables") == 0 && is_all (value, c))
    return true;

  if (strcmp (key, "sampled") == 0 && strcmp (value, "no") == 0)
    return c->part == 0; /* no word of a row either */

  if (columns_of (key, at))
    return strcmp ((const char *) &c->name + at[0], value) == 0;
  const int len = snprintf (pair, sizeof pair, "%s=%s", key, value);
  return sd_pair_is_in (c->name.settings, pair, (size_t) len);
}

/* One key: mark the cells that have none of its values as staying. out[i - first]: the cell i is to be left
 * out, as far as the keys before this one say. */
static int look_at_key (const sd_conf *r, const config_setting_t *k, uint64_t first, bool *out) {
  const char *key = config_setting_name (k);
  size_t at[2];
  if (!columns_of (key, at) && !sd_is_setting (key, strlen (key)))
    return sd_conf_bad (
        r, k,
        "unknown key \"%s\" in exclude: known are tables, metric, coding, sides, side (w, b, wb), "
        "freedom, order, numbering, sampled, codec and the settings of codecs",
        key);

  SD_OWNED sd_conf_words *v = malloc (sizeof *v);
  if (!v)
    return sd_fail_memory (r->err, sizeof *v);
  SD_TRY (sd_conf_values (r, k, v));

  for (uint64_t i = first; i < r->sweep->ncells; i++) {
    bool any = false;
    for (unsigned w = 0; w < v->n && !any; w++)
      any = has_value (&r->sweep->cell[i], key, v->text[w]);
    out[i - first] = out[i - first] && any;
  }
  return SD_OK;
}

/* One member of the list. The cells that stay move together. */
static int exclude_one (const sd_conf *r, const config_setting_t *e, uint64_t first, bool *out) {
  sd_sweep *s = r->sweep;
  uint64_t kept = first;
  if (!config_setting_is_group (e) || config_setting_length (e) == 0)
    return sd_conf_bad (r, e, "exclude: each one is { key = value; ... }");

  for (uint64_t i = first; i < s->ncells; i++)
    out[i - first] = true;
  for (int i = 0; i < config_setting_length (e); i++)
    SD_TRY (look_at_key (r, config_setting_get_elem (e, (unsigned) i), first, out));

  for (uint64_t i = first; i < s->ncells; i++)
    if (!out[i - first])
      s->cell[kept++] = s->cell[i];

  if (kept == s->ncells)
    return sd_conf_bad (r, e, "exclude: no cell of the group is like that");
  s->ncells = kept;
  return SD_OK;
}

int sd_conf_exclude (const sd_conf *r, const config_setting_t *g, uint64_t first) {
  const config_setting_t *list = config_setting_get_member (g, "exclude");
  if (!list)
    return SD_OK;
  if (!config_setting_is_list (list))
    return sd_conf_bad (r, list, "exclude: a list ( { key = value; ... }, ... ) is needed");
  SD_OWNED bool *out = sd_alloc (r->sweep->ncells - first + 1, sizeof *out);
  if (!out)
    return sd_fail_memory (r->err, r->sweep->ncells - first);

  for (int i = 0; i < config_setting_length (list); i++)
    SD_TRY (exclude_one (r, config_setting_get_elem (list, (unsigned) i), first, out));
  return SD_OK;
}
