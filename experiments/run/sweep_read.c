/* A sweep file (libconfig) read, checked and expanded into cells (axes.c). A wrong key or value is one
 * sentence with file and line. Cost: linear in the number of cells (duplicates are found by sorting).
 *
 * The file becomes a sd_sweep: groups, and the cells of all of them, with texts for their rows. Nothing of
 * the store or of any table is looked at, but the shape of arrays. What comes out is checked as a whole:
 * no cell twice, no best order that cannot be had. */
#include "config.h"
#include "experiments/run/conf_internal.h"
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- groups */

/* true or false; without the key false. */
static int read_flag (const sd_conf *r, const config_setting_t *g, const char *key, bool *out) {
  const config_setting_t *s = config_setting_get_member (g, key);
  if (s && config_setting_type (s) != CONFIG_TYPE_BOOL)
    return sd_conf_bad (r, s, "%s: true or false is needed", key);
  *out = s && config_setting_get_bool (s);
  return SD_OK;
}

/* One group, and its cells behind those of the groups before it. */
static int read_group (const sd_conf *r, const config_setting_t *g, unsigned group) {
  const char *known[32] = { "name", "latency", "probe", "exclude" }, *name = NULL;
  sd_sweep_group *out = &r->sweep->group[group];

  sd_axes_keys (known + 4);
  if (!config_setting_is_group (g))
    return sd_conf_bad (r, g, "groups: each one is { name = \"...\"; ... }");
  SD_TRY (sd_conf_keys (r, g, "a group", known));
  if (!config_setting_lookup_string (g, "name", &name) || !*name || strlen (name) >= sizeof out->name
      || strpbrk (name, "/\t\n"))
    return sd_conf_bad (r, g, "a group needs name = \"...\", 1 to %zu characters without / and tabs",
                        sizeof out->name - 1);

  for (unsigned i = 0; i < group; i++)
    if (strcmp (r->sweep->group[i].name, name) == 0)
      return sd_conf_bad (r, g, "two groups are called \"%s\"", name);

  snprintf (out->name, sizeof out->name, "%s", name);
  SD_TRY (read_flag (r, g, "latency", &out->latency));
  SD_TRY (read_flag (r, g, "probe", &out->probe));

  const uint64_t first = r->sweep->ncells;
  SD_TRY (sd_axes_expand (r, g, group));
  return sd_conf_exclude (r, g, first);
}

/* ------------------------------------------------------------- the whole */

static uint64_t hash_of (const char *text) {
  return sd_hash64 (text, strlen (text));
}

/* The same cell twice (a value listed twice, "all" beside one of its orders) is a slip that costs time:
 * refuse it. Keys are known by their hashes. Of several such cells the one with the first key is named, so
 * that the message does not depend on the sorting. */
static int check_duplicates (const sd_conf *r) {
  const sd_sweep *s = r->sweep;
  char key[SD_KEY_TEXT], least[SD_KEY_TEXT] = ""; /* of those that there are twice */
  SD_OWNED uint64_t *hash = sd_alloc (s->ncells + 1, sizeof *hash);
  SD_OWNED uint32_t *first = NULL;
  if (!hash)
    return sd_fail_memory (r->err, s->ncells * sizeof *hash);

  for (size_t i = 0; i < s->ncells; i++)
    hash[i] = hash_of (sd_cell_key (&s->cell[i], key));

  SD_TRY (sd_first_alike (hash, s->ncells, &first, r->err));
  for (size_t i = 0; i < s->ncells; i++)
    if (first[i] != i && (strcmp (sd_cell_key (&s->cell[i], key), least) < 0 || !*least))
      memcpy (least, key, sizeof least);
  return *least ? sd_fail (r->err, SD_EINVAL, "%s: the cell %s appears twice", r->path, least) : SD_OK;
}

uint64_t sd_cell_orders (const sd_cell *c, unsigned group) {
  char text[SD_TABLE_TEXT + 128];
  snprintf (text, sizeof text, "%u/%s/%s/%s/%s", group, c->name.table, c->name.metric, c->name.coding,
            c->name.side);
  return hash_of (text);
}

/* A cell that asks for the best order of a group which will never have a row for it. Behind what each cell
 * gives stands what it asks for, of most what they give themselves. */
static int check_sources (const sd_conf *r) {
  const sd_sweep *s = r->sweep;
  const size_t n = s->ncells;
  SD_OWNED uint64_t *hash = sd_alloc (2 * n + 1, sizeof *hash);
  SD_OWNED uint32_t *first = NULL;
  if (!hash)
    return sd_fail_memory (r->err, n * sizeof *hash);

  for (size_t i = 0; i < n; i++) {
    const sd_cell *c = &s->cell[i];
    hash[i] = sd_cell_orders (c, c->group);
    hash[n + i] = c->best_of < 0 ? hash[i] : sd_cell_orders (c, (unsigned) c->best_of);
  }

  /* A question whose first equal is itself a question (n or behind) was given by no cell. */
  SD_TRY (sd_first_alike (hash, 2 * n, &first, r->err));
  for (size_t i = 0; i < n; i++) {
    const sd_cell *c = &s->cell[i];
    if (first[n + i] >= n)
      return sd_fail (
          r->err, SD_EINVAL,
          "%s: group \"%s\" asks for the best order of group \"%s\", which has no cell of %s %s %s, side %s",
          r->path, s->group[c->group].name, s->group[c->best_of].name, c->name.table, c->name.metric,
          c->name.coding, c->name.side);
  }
  return SD_OK;
}

/* title: any text, "" without the key. seed: of all random positions and bounds, 1 without the key. */
static int read_head (const sd_conf *r, const config_t *conf) {
  const config_setting_t *root = config_root_setting (conf), *seed = config_setting_get_member (root, "seed");
  const char *title = "";
  sd_sweep *s = r->sweep;
  if (config_setting_get_member (root, "title") && !config_lookup_string (conf, "title", &title))
    return sd_conf_bad (r, config_setting_get_member (root, "title"), "title: text is needed");
  snprintf (s->title, sizeof s->title, "%s", title);

  s->seed = 1;
  if (seed) {
    int type = config_setting_type (seed);
    if ((type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64) || config_setting_get_int64 (seed) < 0)
      return sd_conf_bad (r, seed, "seed: a number from 0 up is needed");
    s->seed = (uint64_t) config_setting_get_int64 (seed);
  }
  return SD_OK;
}

static int read_all (sd_conf *r, const config_t *conf) {
  static const char *const known[] = { "title", "seed", "groups", NULL };
  const config_setting_t *root = config_root_setting (conf),
                         *groups = config_setting_get_member (root, "groups");
  sd_sweep *s = r->sweep;

  SD_TRY (sd_conf_keys (r, root, "a sweep", known));
  SD_TRY (read_head (r, conf));
  if (!groups || !config_setting_is_list (groups) || config_setting_length (groups) == 0)
    return sd_fail (r->err, SD_EINVAL, "%s: a sweep needs groups = ( { name = \"...\"; ... }, ... )",
                    r->path);

  unsigned n = (unsigned) config_setting_length (groups);
  s->group = sd_alloc0 (n, sizeof *s->group);
  if (!s->group)
    return sd_fail_memory (r->err, n * sizeof *s->group);

  /* s->ngroups says how many groups there are so far, for those that name an earlier one. */
  for (unsigned i = 0; i < n; i++) {
    s->ngroups = i + 1;
    SD_TRY (read_group (r, config_setting_get_elem (groups, i), i));
    if (s->group[i].phase >= s->nphases)
      s->nphases = s->group[i].phase + 1;
  }

  /* The phase of a group is known when all of its cells are. */
  for (size_t i = 0; i < s->ncells; i++)
    s->cell[i].phase = s->group[s->cell[i].group].phase;
  SD_TRY (check_sources (r));
  return check_duplicates (r);
}

/* ------------------------------------------------------------------ reading */

/* Overrides are applied before the file is checked, so that they are checked like it. */
static int read_text (sd_sweep *s, config_t *conf, const char *path, const char *const *overrides, size_t n,
                      sd_error *err) {
  sd_conf r = { s, path, err };
  SD_TRY (sd_sweep_text (s, path, conf, err));
  for (size_t i = 0; i < n; i++)
    SD_TRY (sd_sweep_override (&r, conf, overrides[i]));
  return read_all (&r, conf);
}

int sd_sweep_read_with (const char *path, const char *const *overrides, size_t n, sd_sweep **out,
                        sd_error *err) {
  SD_OWN (sd_sweep) *s = calloc (1, sizeof *s);
  SD_RELEASED_BY (config_destroy) config_t conf;
  config_init (&conf);
  *out = NULL;
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  SD_TRY (read_text (s, &conf, path, overrides, n, err));
  *out = s;
  s = NULL;
  return SD_OK;
}

int sd_sweep_read (const char *path, sd_sweep **out, sd_error *err) {
  return sd_sweep_read_with (path, NULL, 0, out, err);
}

int sd_sweep_title (const char *conf, char *out, size_t cap, sd_error *err) {
  SD_OWN (sd_sweep) *s = NULL;
  SD_TRY (sd_sweep_read (conf, &s, err));
  snprintf (out, cap, "%s", s->title);
  return SD_OK;
}

void sd_sweep_free (sd_sweep *s) {
  if (!s)
    return;
  free (s->path);
  free (s->text);
  free (s->group);
  free (s->cell);
  free (s);
}
