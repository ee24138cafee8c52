/* A sweep file (libconfig) read, checked and expanded into cells.
 *
 * Every key of a group whose value may be a list is an axis; the cells of a group are the product of its
 * axes, codec settings innermost, so that cells of one sequence (table, side, coding, freedom, order) follow
 * each other and share it. A wrong key or value is one sentence with file and line. Cost: linear in the
 * number of cells (duplicates are found by sorting). */
#include "config.h"
#include "experiments/run/sweep_values.h"
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 2000000 /* a sweep beyond that is a slip of the pen */

/* ----------------------------------------------------------------- groups */

static int add_cell (const sd_conf *r, const config_setting_t *at, const sd_cell *c) {
  sd_sweep *s = r->sweep;
  if (s->ncells == s->cap) {
    size_t cap = s->cap ? 2 * s->cap : 256;
    sd_cell *more = cap > MAX_CELLS ? NULL : realloc (s->cell, cap * sizeof *more);
    if (cap > MAX_CELLS)
      return sd_conf_bad (r, at, "the sweep has more than %d cells", MAX_CELLS);
    if (!more)
      return sd_fail_memory (r->err, cap * sizeof *more);
    s->cell = more;
    s->cap = cap;
  }
  s->cell[s->ncells++] = *c;
  return SD_OK;
}

/* One value of the axis `order` for a material, with a numbering: one cell per order, codec choice by codec
 * choice. */
static int expand_order (const sd_conf *r, const config_setting_t *at, const char *order,
                         const char *numbering, sd_cell *c, const sd_codec_list *codecs) {
  enum { MAX_ORDERS = 5040 };
  unsigned n = 1;
  sd_layout *layout = calloc (MAX_ORDERS, sizeof *layout);
  if (!layout)
    return sd_fail_memory (r->err, MAX_ORDERS * sizeof *layout);
  sd_error err = { 0 };
  int status = SD_OK;
  c->best_of = -1;
  if (strncmp (order, "best-of:", 8) == 0) {
    for (unsigned i = 0; i < c->group; i++)
      if (strcmp (r->sweep->group[i].name, order + 8) == 0)
        c->best_of = (int) i;
    if (c->best_of < 0)
      status = sd_conf_bad (r, at, "order \"%s\": no earlier group is called \"%s\"", order, order + 8);
  } else {
    const bool all = strcmp (order, "all") == 0, pair = strcmp (order, "all-pair") == 0;
    char text[SD_ORDER_TEXT];
    sd_layout like;
    if (all || strcmp (order, "default") == 0)
      sd_layout_default (&c->material, &like);
    else if (pair || strcmp (order, "generator") == 0)
      sd_layout_kings_first (&c->material, &like);
    else if (sd_layout_parse (&c->material, order, numbering, &like, &err) != SD_OK)
      status = sd_conf_bad (r, at, "%s: %s", c->table, err.text);
    if (status == SD_OK) {
      sd_layout_order_text (&like, text);
      if (sd_layout_parse (&c->material, text, numbering, &like, &err) != SD_OK)
        status = sd_conf_bad (r, at, "%s: %s", c->table, err.text);
      layout[0] = like;
    }
    if (status == SD_OK && (all || pair))
      n = sd_layout_orders (&like, layout, MAX_ORDERS);
  }
  for (unsigned i = 0; i < n && status == SD_OK; i++) {
    if (c->best_of >= 0) {
      snprintf (c->order, sizeof c->order, "%s", order);
      snprintf (c->numbering, sizeof c->numbering, "%s", numbering);
    } else {
      sd_layout_order_text (&layout[i], c->order);
      sd_layout_numbering_text (&layout[i], c->numbering);
    }
    for (size_t k = 0; k < codecs->n && status == SD_OK; k++) {
      if (codecs->choice[k].metric >= 0 && codecs->choice[k].metric != (int) c->metric)
        continue;
      c->codec = codecs->choice[k].codec;
      memcpy (c->settings, codecs->choice[k].settings, sizeof c->settings);
      status = add_cell (r, at, c);
    }
  }
  free (layout);
  return status;
}

static int material_of (const sd_conf *r, const config_setting_t *at, const char *name, sd_material *out) {
  sd_material m;
  sd_error err = { 0 };
  if (sd_material_parse (name, &m, &err) != SD_OK)
    return sd_conf_bad (r, at, "table \"%s\": %s", name, err.text);
  sd_material_canonical (&m, out);
  return SD_OK;
}

/* "all-3" .. "all-7": every ending with that many men; anything else: one ending. */
static int expand_tables (const sd_conf *r, const sd_conf_words *v, sd_material *out, unsigned cap, unsigned *n) {
  *n = 0;
  for (unsigned i = 0; i < v->n; i++) {
    const char *t = v->text[i];
    if (strncmp (t, "all-", 4) == 0) {
      if (strlen (t) != 5 || t[4] < '3' || t[4] > '0' + SD_MAX_MEN)
        return sd_conf_bad (r, v->at[i], "table \"%s\": all-3 to all-%d are known", t, SD_MAX_MEN);
      unsigned room = cap - *n, got = sd_material_all ((unsigned) (t[4] - '0'), out + *n, room);
      if (got > room)
        return sd_conf_bad (r, v->at[i], "more than %u tables", cap);
      *n += got;
    } else {
      if (*n == cap)
        return sd_conf_bad (r, v->at[i], "more than %u tables", cap);
      SD_TRY (material_of (r, v->at[i], t, &out[(*n)++]));
    }
  }
  return SD_OK;
}

struct axes {
  sd_conf_words table, metric, coding, side, freedom, order, numbering;
  sd_codec_list codecs;
  sd_material material[2048];
};

static int read_flag (const sd_conf *r, const config_setting_t *g, const char *key, bool *out) {
  const config_setting_t *s = config_setting_get_member (g, key);
  if (s && config_setting_type (s) != CONFIG_TYPE_BOOL)
    return sd_conf_bad (r, s, "%s: true or false is needed", key);
  *out = s && config_setting_get_bool (s);
  return SD_OK;
}

static int freedoms_of (const sd_conf *r, const config_setting_t *g, sd_conf_words *v, unsigned *bits) {
  const config_setting_t *on_off = config_setting_get_member (g, "subdefinite");
  if (on_off && config_setting_get_member (g, "freedom"))
    return sd_conf_bad (r, on_off, "a group has either subdefinite or freedom, not both");
  if (on_off)
    SD_TRY (sd_conf_values (r, on_off, v));
  else
    SD_TRY (sd_conf_axis (r, g, "freedom", "all", v));
  for (unsigned i = 0; i < v->n; i++) {
    static const char *const words[] = { "off", "on", NULL };
    sd_error err = { 0 };
    if (on_off) {
      SD_TRY (sd_conf_word (r, v->at[i], "subdefinite", v->text[i], words, &bits[i]));
      bits[i] = bits[i] ? SD_FREE_ALL : 0;
    } else if (sd_freedom_parse (v->text[i], &bits[i], &err) != SD_OK)
      return sd_conf_bad (r, v->at[i], "%s", err.text);
  }
  return SD_OK;
}

/* A source of freedom that means nothing for a coding would run as another freedom under its own name, and two
 * freedoms that come to the same would run twice. "all" is all that there is. */
static int check_freedom (const sd_conf *r, const struct axes *a, const unsigned *freedom, unsigned f,
                          enum sd_metric metric, enum sd_coding coding) {
  const unsigned possible = sd_freedom_of_coding (coding);
  unsigned asked = freedom[f];
  if ((asked & SD_FREE_ALL) == SD_FREE_ALL)
    asked &= possible | SD_FREE_WIN;
  if (asked & ~possible) {
    char none[80];
    sd_freedom_text (asked & ~possible, none, sizeof none);
    return sd_conf_bad (r, a->freedom.at[f],
                        "freedom \"%s\": \"%s\" means nothing for metric %s, coding %s; possible are none, all%s",
                        a->freedom.text[f], none, sd_metric_name (metric), sd_coding_name (coding),
                        possible & SD_FREE_WIN ? ", all+won and sets of illegal, draw, capture, promotion, won"
                                                  : " and sets of illegal, capture, promotion");
  }
  for (unsigned i = 0; i < f; i++)
    if (((freedom[i] ^ freedom[f]) & possible) == 0)
      return sd_conf_bad (r, a->freedom.at[f], "freedom \"%s\" is the same as \"%s\" for metric %s, coding %s",
                          a->freedom.text[f], a->freedom.text[i], sd_metric_name (metric),
                          sd_coding_name (coding));
  return SD_OK;
}

static int expand_group (const sd_conf *r, const config_setting_t *g, unsigned group, struct axes *a) {
  static const char *const known[] = { "name",        "tables",  "metric", "coding",    "side",
                                       "subdefinite", "freedom", "order",  "numbering", "codec",
                                       "latency",     "probe",   NULL };
  static const char *const sides[] = { "w", "b", NULL };
  static const char default_sides[2][2] = { "w", "b" };
  sd_sweep_group *out = &r->sweep->group[group];
  const char *name = NULL;
  unsigned ntables = 0, freedom[SD_MAX_VALUES];
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
  if (!config_setting_get_member (g, "tables"))
    return sd_conf_bad (r, g, "group \"%s\" needs tables = [\"KRvKP\", ...]", name);
  SD_TRY (sd_conf_axis (r, g, "tables", "", &a->table));
  SD_TRY (expand_tables (r, &a->table, a->material, sizeof a->material / sizeof *a->material, &ntables));
  SD_TRY (sd_conf_axis (r, g, "metric", "wdl", &a->metric));
  SD_TRY (sd_conf_axis (r, g, "coding", "moves", &a->coding));
  SD_TRY (sd_conf_axis (r, g, "side", "w", &a->side));
  if (!config_setting_get_member (g, "side"))
    for (a->side.n = 0; a->side.n < 2; a->side.n++) {
      memcpy (a->side.text[a->side.n], default_sides[a->side.n], 2);
      a->side.at[a->side.n] = g;
    }
  SD_TRY (freedoms_of (r, g, &a->freedom, freedom));
  for (unsigned i = 0; i < a->freedom.n; i++)
    if (out->probe && (freedom[i] & SD_FREE_WIN))
      return sd_conf_bad (r, a->freedom.at[i],
                          "probe: losses only are restored from the other side, which a cell does not "
                          "have; 'subdef bench probe' times them");
  SD_TRY (sd_conf_axis (r, g, "order", "default", &a->order));
  SD_TRY (sd_conf_axis (r, g, "numbering", "rows", &a->numbering));
  SD_TRY (sd_conf_codecs (r, g, &a->codecs));
  sd_cell c = { .group = group, .keep_numbering = config_setting_get_member (g, "numbering") != NULL };
  for (unsigned t = 0; t < ntables; t++) {
    c.material = a->material[t];
    sd_material_name (&c.material, c.table);
    for (unsigned m = 0; m < a->metric.n; m++) {
      SD_TRY (sd_conf_metric (r, a->metric.at[m], a->metric.text[m], &c.metric));
      const bool choice = sd_metrics[c.metric].coding[1] != SD_CODINGS;
      for (unsigned k = 0; k < (choice ? a->coding.n : 1); k++) {
        c.coding = sd_metrics[c.metric].coding[0];
        if (choice)
          SD_TRY (sd_conf_coding (r, a->coding.at[k], a->coding.text[k], c.metric, &c.coding));
        for (unsigned f = 0; f < a->freedom.n; f++) {
          SD_TRY (check_freedom (r, a, freedom, f, c.metric, c.coding));
          c.freedom = freedom[f];
          for (unsigned w = 0; w < a->side.n; w++) {
            SD_TRY (sd_conf_word (r, a->side.at[w], "side", a->side.text[w], sides, &c.side));
            if (c.side && sd_material_symmetric (&c.material))
              continue; /* the same table with colours swapped */
            for (unsigned o = 0; o < a->order.n; o++)
              for (unsigned b = 0; b < a->numbering.n; b++) {
                SD_TRY (
                    expand_order (r, a->order.at[o], a->order.text[o], a->numbering.text[b], &c, &a->codecs));
                if (c.best_of >= 0 && r->sweep->group[c.best_of].phase >= out->phase)
                  out->phase = r->sweep->group[c.best_of].phase + 1;
              }
          }
        }
      }
    }
  }
  return SD_OK;
}

/* ------------------------------------------------------------- the whole */

void sd_cell_key (const sd_sweep *s, const sd_cell *c, char *out, size_t cap) {
  char freedom[64];
  sd_freedom_text (c->freedom, freedom, sizeof freedom);
  snprintf (out, cap, "%s/%s/%s/%s/%c/%s/%s/%s/%s/%s", s->group[c->group].name, c->table,
            sd_metric_name (c->metric), sd_coding_name (c->coding), "wb"[c->side], freedom, c -> order,
            c -> numbering, c -> codec -> name, c -> settings);
}

static int by_key (const void *a, const void *b) {
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The same cell twice (a value listed twice, "all" beside one of its orders) is a slip that costs time:
 * refuse it. */
static int check_duplicates (const sd_conf *r) {
  sd_sweep *s = r->sweep;
  char *text = malloc (s->ncells * (size_t) SD_KEY_TEXT + 1);
  const char **key = malloc ((s->ncells + 1) * sizeof *key);
  int status = text && key ? SD_OK : sd_fail_memory (r->err, s->ncells * (size_t) SD_KEY_TEXT);
  if (status == SD_OK) {
    for (size_t i = 0; i < s->ncells; i++) {
      sd_cell_key (s, &s->cell[i], text + i * SD_KEY_TEXT, SD_KEY_TEXT);
      key[i] = text + i * SD_KEY_TEXT;
    }
    qsort (key, s->ncells, sizeof *key, by_key);
    for (size_t i = 1; i < s->ncells && status == SD_OK; i++)
      if (strcmp (key[i - 1], key[i]) == 0)
        status = sd_fail (r->err, SD_EINVAL, "%s: the cell %s appears twice", r->path, key[i]);
  }
  free (text);
  free (key);
  return status;
}

static int read_all (sd_conf *r, const config_t *conf, struct axes *a) {
  static const char *const known[] = { "title", "seed", "groups", NULL };
  const config_setting_t *root = config_root_setting (conf),
                         *groups = config_setting_get_member (root, "groups");
  const char *title = "";
  sd_sweep *s = r->sweep;
  SD_TRY (sd_conf_keys (r, root, "a sweep", known));
  if (config_setting_get_member (root, "title") && !config_lookup_string (conf, "title", &title))
    return sd_conf_bad (r, config_setting_get_member (root, "title"), "title: text is needed");
  snprintf (s->title, sizeof s->title, "%s", title);
  s->seed = 1;
  const config_setting_t *seed = config_setting_get_member (root, "seed");
  if (seed) {
    int type = config_setting_type (seed);
    if ((type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64) || config_setting_get_int64 (seed) < 0)
      return sd_conf_bad (r, seed, "seed: a number from 0 up is needed");
    s->seed = (uint64_t) config_setting_get_int64 (seed);
  }
  if (!groups || !config_setting_is_list (groups) || config_setting_length (groups) == 0)
    return sd_fail (r->err, SD_EINVAL, "%s: a sweep needs groups = ( { name = \"...\"; ... }, ... )",
                    r->path);
  unsigned n = (unsigned) config_setting_length (groups);
  s->group = calloc (n, sizeof *s->group);
  if (!s->group)
    return sd_fail_memory (r->err, n * sizeof *s->group);
  for (unsigned i = 0; i < n; i++) {
    s->ngroups = i + 1;
    free (a->codecs.choice);
    memset (&a->codecs, 0, sizeof a->codecs);
    SD_TRY (expand_group (r, config_setting_get_elem (groups, i), i, a));
    if (s->group[i].phase >= s->nphases)
      s->nphases = s->group[i].phase + 1;
  }
  for (size_t i = 0; i < s->ncells; i++)
    s->cell[i].phase = s->group[s->cell[i].group].phase;
  return check_duplicates (r);
}

int sd_sweep_read (const char *path, sd_sweep **out, sd_error *err) {
  sd_sweep *s = calloc (1, sizeof *s);
  struct axes *a = calloc (1, sizeof *a);
  sd_map map = { 0 };
  config_t conf;
  config_init (&conf);
  *out = NULL;
  sd_conf r = { s, path, err };
  int status = s && a ? SD_OK : sd_fail_memory (err, sizeof *a);
  if (status == SD_OK)
    status = sd_map_open (path, &map, err);
  if (status == SD_OK && (map.len > (1u << 24) || (map.len && memchr (map.data, 0, map.len))))
    status = sd_fail (err, SD_EINVAL, "%s: not a sweep file: %zu bytes, text of at most 16 MiB is needed",
                      path, map.len);
  if (status == SD_OK) {
    s->path = strdup (path);
    s->text = malloc (map.len + 1);
    if (!s->path || !s->text)
      status = sd_fail_memory (err, map.len + 1);
  }
  if (status == SD_OK) {
    if (map.len)
      memcpy (s->text, map.data, map.len);
    s->text[map.len] = '\0';
    if (!config_read_string (&conf, s->text))
      status =
          sd_fail (err, SD_EINVAL, "%s:%d: %s", path, config_error_line (&conf), config_error_text (&conf));
    else
      status = read_all (&r, &conf, a);
  }
  sd_map_close (&map);
  config_destroy (&conf);
  if (a)
    free (a->codecs.choice);
  free (a);
  if (status != SD_OK)
    sd_sweep_free (s);
  else
    *out = s;
  return status;
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
