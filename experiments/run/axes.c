/* The axes of a group: one row each, which says how its values are read from the sweep file, what a value
 * makes of a cell, and in which columns of a row it stands. The cells of a group are the product of its axes,
 * the first one outermost, so that cells of one sequence follow each other and share it. A new axis is a line
 * of SD_AXIS_COLUMNS (store.h), of which a row is made here: lists of cells, reports, comparisons show it.
 *
 * What a user sees of it are refusals, each with file and line: `my.conf:3: freedom
 * "illegal+capture+promotion" is the same as "all" for metric wdl, coding wdl`. All cells of all groups
 * are made before anything runs, so that a slip in the last group is found in the first second. */
#include "config.h"
#include "chess/ending.h"
#include "experiments/run/conf_internal.h"
#include "recode/recode.h"
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 2000000 /* a sweep beyond that is a slip of the pen */
enum { MAX_TABLES = 2048, MAX_ORDERS = 5040, MAX_AXES = 16 };

/* A group that is expanded. */
typedef struct expansion {
  const sd_conf *r;
  const config_setting_t *group;
  sd_cell cell;                  /* the values so far */
  sd_conf_words words[MAX_AXES]; /* of the axes that are lists of words */
  unsigned n[MAX_AXES];          /* values of each axis */
  unsigned at[MAX_AXES];         /* the one in work */
  struct table {
    sd_material material;
    const char *array; /* its file; NULL: an ending */
    const config_setting_t *at;
  } table[MAX_TABLES];
  unsigned freedom[SD_MAX_VALUES];
  sd_codec_list codecs; /* values of the axis `codec` */
} expansion;

/* An older key with words of its own, of which a group has at most one: each stands for a word of the axis.
 */
typedef struct alias {
  const char *key;
  const char *word[2][2]; /* the older word, the axis's word */
} alias;

/* A row of the list `axes`. An axis with words in the file has them in x->words; one that reads more (tables,
 * freedoms, codecs) fills in a list of its own and says in x->n how many values it has. */
typedef struct sd_axis {
  const char *key, *deflt;
  const alias *alias;
  int (*read) (expansion *x, unsigned axis); /* what is more than words; NULL: nothing */
  /* value x->at[axis] into the cell, and the axes behind it for each cell; NULL: a word that stands for
   * itself */
  int (*each) (expansion *x, unsigned axis);
  size_t column[2]; /* of sd_name, one behind the other in keys; SIZE_MAX: none */
  enum {
    OF_BASE,
    OF_UNIT,
    OF_CELL
  } changes; /* what its value decides: data, their sequence, how it is coded */
} sd_axis;

static int expand (expansion *x, unsigned axis);
static int expand_codecs (expansion *x);

/* The word in work, and where it stands. The place is for messages, which name its line. */
static const char *word_of (const expansion *x, unsigned axis) {
  return x->words[axis].text[x->at[axis]];
}

static const config_setting_t *place_of (const expansion *x, unsigned axis) {
  return x->words[axis].at[x->at[axis]];
}

static void set (char *to, size_t cap, const char *text) {
  snprintf (to, cap, "%s", text);
}
enum { WORD = 32 }; /* characters of a column for words that stand for themselves */
#define SET(member, text) set (x->cell.name.member, sizeof x->cell.name.member, text)

/* --------------------------------------------------------------------- tables */

/* An array has no metric, coding, sides, freedom of its own choice, order and numbering. */
static int array_has_few_axes (expansion *x, const config_setting_t *at, const char *path) {
  static const char *const none[] = { "metric",      "coding", "sides",     "side",   "freedom",
                                      "subdefinite", "order",  "numbering", "sampled" };
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
    if (config_setting_get_member (x->group, none[i]))
      return sd_conf_bad (x->r, at, "table \"%s\": an array has no %s; give it a group of its own", path,
                          none[i]);
  if (x->r->sweep->group[x->cell.group].probe)
    return sd_conf_bad (x->r, at, "table \"%s\": an array has no positions to probe; latency times its slots",
                        path);
  return SD_OK;
}

/* One more value of the axis `tables`. array: the file of an array, or NULL. */
static int add_table (expansion *x, unsigned axis, const sd_material *m, const char *array,
                      const config_setting_t *at) {
  if (x->n[axis] == MAX_TABLES)
    return sd_conf_bad (x->r, at, "more than %d tables", MAX_TABLES);
  x->table[x->n[axis]++] = (struct table){ *m, array, at };
  return SD_OK;
}

/* A word of `tables`: many endings, an array, or one ending, which is taken in its canonical form, so that
 * KPvKR is KRvKP. */
static int add_tables (expansion *x, unsigned axis, const char *t, const config_setting_t *at) {
  sd_error err = { 0 };
  sd_material m = { 0 }, canonical;
  if (strncmp (t, "all-", 4) == 0) {
    if (strlen (t) != 5 || t[4] < '3' || t[4] > '0' + SD_MAX_MEN)
      return sd_conf_bad (x->r, at, "table \"%s\": all-3 to all-%d are known", t, SD_MAX_MEN);
    sd_material all[MAX_TABLES];
    const unsigned n = sd_material_all ((unsigned) (t[4] - '0'), all, MAX_TABLES);
    for (unsigned i = 0; i < n; i++)
      SD_TRY (add_table (x, axis, &all[i < MAX_TABLES ? i : 0], NULL, at));
    return SD_OK;
  }

  if (sd_cell_is_array (t)) {
    SD_TRY (array_has_few_axes (x, at, t));
    return add_table (x, axis, &m, t, at);
  }

  if (sd_ending_parse (t, &m, &err) != SD_OK)
    return sd_conf_bad (x->r, at, "table \"%s\": %s", t, err.text);
  sd_material_canonical (&m, &canonical);
  return add_table (x, axis, &canonical, NULL, at);
}

/* "all-3" .. "all-7": every ending with that many men; anything else: one ending. */
static int read_tables (expansion *x, unsigned axis) {
  if (!config_setting_get_member (x->group, "tables"))
    return sd_conf_bad (x->r, x->group, "group \"%s\" needs tables = [\"KRvKP\", ...]", x->cell.name.group);
  x->n[axis] = 0;
  for (unsigned i = 0; i < x->words[axis].n; i++)
    SD_TRY (add_tables (x, axis, x->words[axis].text[i], x->words[axis].at[i]));
  return SD_OK;
}

/* Of an array the codecs alone are left, the last axis. */
static int each_table (expansion *x, unsigned axis) {
  const struct table *t = &x->table[x->at[axis]];
  sd_error err = { 0 };
  if (t->array) {
    if (sd_cell_array_set (&x->cell, t->array, &err) != SD_OK)
      return sd_conf_bad (x->r, t->at, "%s", err.text);
    return expand_codecs (x);
  }
  x->cell.array = 0;
  x->cell.material = t->material;
  sd_material_name (&x->cell.material, x->cell.name.table);
  return expand (x, axis + 1);
}

/* ------------------------------------------------------------- metrics, codings */

/* By name, as the axis has it. */
static int each_metric (expansion *x, unsigned axis) {
  SD_TRY (sd_conf_metric (x->r, place_of (x, axis), word_of (x, axis), &x->cell.metric));
  SET (metric, sd_metrics[x->cell.metric].name);
  return expand (x, axis + 1);
}

/* Metrics differ in their codings, so a list of words means for each metric those that it has. Of a metric
 * with one coding the first word stands for it, and the others make no cell. */
static int each_coding (expansion *x, unsigned axis) {
  const enum sd_coding *of = sd_metrics[x->cell.metric].coding;
  const char *words[SD_CODINGS + 1] = { NULL };
  unsigned coding = 0;
  for (unsigned c = 0; of[c] != SD_NO_CODING; c++)
    words[c] = sd_codings[of[c]].name;

  if (!words[1] && x->at[axis] > 0)
    return SD_OK; /* the metric has one coding */
  /* `moves` is what stands for the usual one where nothing is said, and DTM's alone */
  const bool usual = strcmp (word_of (x, axis), sd_codings[SD_CODING_MOVES].name) == 0
                     && !sd_metric_takes (x->cell.metric, SD_CODING_MOVES, false);
  if (words[1] && !usual)
    SD_TRY (sd_conf_word (x->r, place_of (x, axis), "coding", word_of (x, axis), words, &coding));
  x->cell.coding = of[coding];
  SET (coding, sd_codings[x->cell.coding].name);
  return expand (x, axis + 1);
}

/* ---------------------------------------------------------------------- sides */

/* What each word of sd_sides_parse makes: streams of these sides, 2: one for both; what is stored of it. */
static const struct {
  const char *stored;
  unsigned first, last;
} side_row[] = {
  [SD_SIDES_WHITE] = { "", 0, 0 },  [SD_SIDES_BLACK] = { "", 1, 1 },      [SD_SIDES_BOTH] = { "", 0, 1 },
  [SD_SIDES_ONE] = { "one", 0, 1 }, [SD_SIDES_JOINT] = { "joint", 2, 2 },
};

static const alias side_letters = { "side", { { "w", "white" }, { "b", "black" } } };

/* One word makes one or two cells: each stream is a cell. Of an ending that is the same with colours swapped
 * there is only White's. */
static int each_sides (expansion *x, unsigned axis) {
  static const char *const stream[] = { "w", "b", "wb" };
  const sd_sweep_group *g = &x->r->sweep->group[x->cell.group];
  sd_error err = { 0 };
  unsigned which;
  if (sd_sides_parse (word_of (x, axis), &which, &err) != SD_OK)
    return sd_conf_bad (x->r, place_of (x, axis), "sides %s", err.text);
  if (g->probe && *side_row[which].stored)
    return sd_conf_bad (x->r, place_of (x, axis),
                        "probe: a cell has one side to move; 'subdef bench probe' times tables with sides %s",
                        word_of (x, axis));

  SET (sides, side_row[which].stored);
  for (unsigned s = side_row[which].first; s <= side_row[which].last; s++) {
    const bool same = sd_material_symmetric (&x->cell.material); /* the same table with colours swapped */
    if (same && s == 1)
      continue;
    x->cell.side = same ? 0 : s;
    SET (side, stream[x->cell.side]);
    SD_TRY (expand (x, axis + 1));
  }
  return SD_OK;
}

/* -------------------------------------------------------------------- freedom */

static const alias on_off = { "subdefinite", { { "on", "all" }, { "off", "none" } } };

/* The words become bits here, once; whether they mean something for a metric is asked for each cell. */
static int read_freedom (expansion *x, unsigned axis) {
  const sd_conf_words *v = &x->words[axis];
  for (unsigned i = 0; i < v->n; i++) {
    sd_error err = { 0 };
    if (sd_freedom_parse (v->text[i], &x->freedom[i], &err) != SD_OK)
      return sd_conf_bad (x->r, v->at[i], "%s", err.text);
    if (x->r->sweep->group[x->cell.group].probe && (x->freedom[i] & SD_FREE_BY_MOVES))
      return sd_conf_bad (
          x->r, v->at[i],
          "probe: freedom \"%s\" is restored from the other side, which a cell does not have; "
          "'subdef bench probe' times it",
          v->text[i]);
  }
  return SD_OK;
}

/* Two freedoms that come to the same would run twice. */
static int each_freedom (expansion *x, unsigned axis) {
  const sd_cell *c = &x->cell;
  const unsigned possible = sd_freedom_of_coding (c->coding), f = x->at[axis];
  unsigned asked;
  sd_error err = { 0 };

  if (sd_freedom_choose (c->metric, c->coding, x->freedom[f], &asked, &err) != SD_OK)
    return sd_conf_bad (x->r, place_of (x, axis), "freedom \"%s\": %s", word_of (x, axis), err.text);

  /* Freedoms whose values are restored from all moves: each of them needs the values that the others free. */
  const unsigned by_moves = asked & SD_FREE_BY_MOVES;
  if (by_moves & (by_moves - 1))
    return sd_conf_bad (
        x->r, place_of (x, axis),
        "freedom \"%s\": one of won, unreachable, check, evident frees successors from which another "
        "restores",
        word_of (x, axis));
  if (by_moves && strcmp (c->name.sides, "one") == 0)
    return sd_conf_bad (x->r, place_of (x, axis),
                        "freedom \"%s\": restored from the other side, which sides = \"one\" does not store "
                        "(evident: a cell would have to know that; 'subdef reformat --sides one' does)",
                        word_of (x, axis));

  if ((asked & SD_FREE_QUEEN) && !(asked & (SD_FREE_CAPTURE | SD_FREE_PROMOTION)))
    return sd_conf_bad (x->r, place_of (x, axis),
                        "freedom \"%s\": queen says which promotions count: it needs capture or promotion",
                        word_of (x, axis));

  for (unsigned i = 0; i < f; i++)
    if (((x->freedom[i] ^ x->freedom[f]) & possible) == 0)
      return sd_conf_bad (x->r, place_of (x, axis),
                          "freedom \"%s\" is the same as \"%s\" for metric %s, coding %s", word_of (x, axis),
                          x->words[axis].text[i], c->name.metric, c->name.coding);

  x->cell.freedom = x->freedom[f];
  sd_freedom_text (x->cell.freedom, x->cell.name.freedom, sizeof x->cell.name.freedom);
  return expand (x, axis + 1);
}

/* --------------------------------------------------------------------- orders */

/* A group whose best orders are taken runs before this one. "best-of:GROUP", of the order in words. This
 * group gets a phase behind that of the other one. */
static int best_of (expansion *x, const char *order, unsigned order_axis) {
  sd_sweep *s = x->r->sweep;
  x->cell.best_of = -1;
  /* Earlier groups only, so that no two groups can ask each other. */
  for (unsigned i = 0; i < x->cell.group; i++)
    if (strcmp (s->group[i].name, order + 8) == 0)
      x->cell.best_of = (int) i;
  if (x->cell.best_of < 0)
    return sd_conf_bad (x->r, place_of (x, order_axis), "order \"%s\": no earlier group is called \"%s\"",
                        order, order + 8);

  const unsigned before = s->group[x->cell.best_of].phase;
  sd_sweep_group *g = &s->group[x->cell.group];
  g->phase = g->phase > before ? g->phase : before + 1;
  return SD_OK;
}

/* The layouts that an order and a numbering stand for. at: where a message points. layout: room for
 * MAX_ORDERS. Each order goes through text and back, so that it has the numbering that is asked for. */
static int layouts_of (expansion *x, const char *order, const char *numbering, const config_setting_t *at,
                       sd_layout *layout, unsigned *n) {
  const bool all = strcmp (order, "all") == 0, pair = strcmp (order, "all-pair") == 0;
  const sd_material *m = &x->cell.material;
  char text[SD_ORDER_TEXT];
  sd_error err = { 0 };
  *n = 1;

  if (all || strcmp (order, "default") == 0)
    sd_layout_default (m, layout);
  else if (pair || strcmp (order, "generator") == 0)
    sd_layout_kings_first (m, layout);
  else if (sd_layout_parse (m, order, numbering, layout, &err) != SD_OK)
    return sd_conf_bad (x->r, at, "%s: %s", x->cell.name.table, err.text);

  sd_layout_order_text (layout, text);
  if (sd_layout_parse (m, text, numbering, layout, &err) != SD_OK)
    return sd_conf_bad (x->r, at, "%s: %s", x->cell.name.table, err.text);

  if (all || pair) {
    const sd_layout like = *layout;
    *n = sd_layout_orders (&like, layout, MAX_ORDERS);
  }
  return SD_OK;
}

/* The axis `order` has no function of its own: an order alone is no layout, so both are read here. */
static int each_numbering (expansion *x, unsigned axis) {
  const char *order = word_of (x, axis - 1), *numbering = word_of (x, axis);
  unsigned n = 0;
  x->cell.best_of = -1;
  if (strncmp (order, "best-of:", 8) == 0) {
    sd_layout any; /* which order it will be is not known yet; the numbering's words are */
    SD_TRY (layouts_of (x, "default", numbering, place_of (x, axis), &any, &n));
    SD_TRY (best_of (x, order, axis - 1));
    SET (order, order);
    sd_layout_numbering_text (&any, x->cell.name.numbering);
    return expand (x, axis + 1);
  }

  SD_OWNED sd_layout *layout = sd_alloc0 (MAX_ORDERS, sizeof *layout);
  if (!layout)
    return sd_fail_memory (x->r->err, MAX_ORDERS * sizeof *layout);
  SD_TRY (layouts_of (x, order, numbering, place_of (x, axis - 1), layout, &n));

  for (unsigned i = 0; i < n; i++) {
    sd_layout_order_text (&layout[i], x->cell.name.order);
    sd_layout_numbering_text (&layout[i], x->cell.name.numbering);
    SD_TRY (expand (x, axis + 1));
  }
  return SD_OK;
}

/* --------------------------------------------------------------------- samples */

/* A part has no position of its own to ask for. */
static int read_sampled (expansion *x, unsigned axis) {
  const sd_sweep_group *g = &x->r->sweep->group[x->cell.group];
  const sd_conf_words *v = &x->words[axis];
  for (unsigned i = 0; i < v->n; i++) {
    sd_error err = { 0 };
    unsigned part;
    if (sd_sample_parse (v->text[i], &part, &err) != SD_OK)
      return sd_conf_bad (x->r, v->at[i], "%s", err.text);
    if (part && (g->latency || g->probe))
      return sd_conf_bad (x->r, v->at[i],
                          "sampled \"%s\": lookups are timed in whole tables; leave latency and probe out",
                          v->text[i]);
  }
  return SD_OK;
}

/* A whole table leaves no trace in keys and rows. */
static int each_sampled (expansion *x, unsigned axis) {
  SD_TRY (sd_sample_parse (word_of (x, axis), &x->cell.part, x->r->err));
  if (x->cell.part && x->cell.side == 2)
    return sd_conf_bad (x->r, place_of (x, axis),
                        "sampled \"%s\": one stream for both sides (sides = \"joint\") is coded whole",
                        word_of (x, axis));
  SET (sampled, x->cell.part ? word_of (x, axis) : "");
  return expand (x, axis + 1);
}

/* --------------------------------------------------------------------- codecs */

/* Codecs have settings, which are a product of their own (conf.c). */
static int read_codecs (expansion *x, unsigned axis) {
  SD_TRY (sd_conf_codecs (x->r, x->group, &x->codecs));
  x->n[axis] = (unsigned) x->codecs.n;
  return SD_OK;
}

/* A codec for another metric makes no cell. */
static int each_codec (expansion *x, unsigned axis) {
  const sd_codec_choice *c = &x->codecs.choice[x->at[axis]];
  if (c->metric >= 0 && c->metric != (int) x->cell.metric)
    return SD_OK;
  x->cell.codec = c->codec;
  SET (codec, c->codec->name);
  SET (settings, c->settings);
  return expand (x, axis + 1);
}

/* ----------------------------------------------------------------------- list */

#define IN(member) offsetof (sd_name, member)
#define OF_WORDS(kind, name, size) { #name, "", NULL, NULL, NULL, { IN (name), SIZE_MAX }, OF_CELL },
/* The order of this list is that of a key (sd_cell_key): it is stored, and must stay. New axes stand before
 * the codec. */
static const sd_axis axes[] = {
  { "tables", "", NULL, read_tables, each_table, { IN (table), SIZE_MAX }, OF_BASE },
  { "metric", "wdl", NULL, NULL, each_metric, { IN (metric), SIZE_MAX }, OF_BASE },
  { "coding", "moves", NULL, NULL, each_coding, { IN (coding), SIZE_MAX }, OF_BASE },
  { "sides", "both", &side_letters, NULL, each_sides, { IN (sides), IN (side) }, OF_BASE },
  { "freedom", "all", &on_off, read_freedom, each_freedom, { IN (freedom), SIZE_MAX }, OF_BASE },
  { "order", "default", NULL, NULL, NULL, { IN (order), SIZE_MAX }, OF_UNIT },
  { "numbering", "rows", NULL, NULL, each_numbering, { IN (numbering), SIZE_MAX }, OF_UNIT },
  { "sampled", "no", NULL, read_sampled, each_sampled, { IN (sampled), SIZE_MAX }, OF_UNIT },
  SD_WORD_AXIS_COLUMNS (OF_WORDS) /* none but in a test */
  { "codec", "", NULL, read_codecs, each_codec, { IN (codec), IN (settings) }, OF_CELL },
};
enum { NAXES = sizeof axes / sizeof *axes };

void sd_axes_keys (const char **out) {
  for (unsigned a = 0; a < NAXES; a++) {
    *out++ = axes[a].key;
    if (axes[a].alias)
      *out++ = axes[a].alias->key;
  }
}

/* x->cell has a value of each axis. */
static int add_cell (expansion *x) {
  sd_sweep *s = x->r->sweep;
  if (s->ncells == MAX_CELLS)
    return sd_conf_bad (x->r, x->group, "the sweep has more than %d cells", MAX_CELLS);
  if (!sd_grow (&s->cell, &s->cap, s->ncells + 1))
    return sd_fail_memory (x->r->err, 0);
  s->cell[s->ncells++] = x->cell;
  return SD_OK;
}

/* All values of this axis, and for each of them those of the axes behind it. Depth: the number of axes. */
static int expand (expansion *x, unsigned axis) {
  if (axis == NAXES)
    return add_cell (x);
  for (x->at[axis] = 0; x->at[axis] < x->n[axis]; x->at[axis]++)
    if (axes[axis].each)
      SD_TRY (axes[axis].each (x, axis));
    else {
      set ((char *) &x->cell.name + axes[axis].column[0], WORD, word_of (x, axis));
      SD_TRY (expand (x, axis + 1));
    }
  return SD_OK;
}

static int expand_codecs (expansion *x) {
  return expand (x, NAXES - 1);
}

/* The words of an axis, or of its older key. */
static int read_words (expansion *x, unsigned axis) {
  const alias *old = axes[axis].alias;
  const config_setting_t *other = old ? config_setting_get_member (x->group, old->key) : NULL;
  sd_conf_words *v = &x->words[axis];
  if (!other)
    return sd_conf_axis (x->r, x->group, axes[axis].key, axes[axis].deflt, v);
  if (config_setting_get_member (x->group, axes[axis].key))
    return sd_conf_bad (x->r, other, "a group has either %s or %s, not both", old->key, axes[axis].key);
  SD_TRY (sd_conf_values (x->r, other, v));
  for (unsigned i = 0; i < v->n; i++) {
    const char *const words[] = { old->word[0][0], old->word[1][0], NULL };
    unsigned w;
    SD_TRY (sd_conf_word (x->r, v->at[i], old->key, v->text[i], words, &w));
    set (v->text[i], sizeof v->text[i], old->word[w][1]);
  }
  return SD_OK;
}

/* What a word means by itself is looked at here, what it means for a table or metric while cells are made. */
static int read_axes (expansion *x) {
  for (unsigned a = 0; a < NAXES; a++) {
    if (axes[a].read != read_codecs)
      SD_TRY (read_words (x, a));
    x->n[a] = x->words[a].n;
    if (axes[a].read)
      SD_TRY (axes[a].read (x, a));
  }
  return SD_OK;
}

static void free_expansion (expansion **x) {
  if (*x)
    free ((*x)->codecs.choice);
  free (*x);
}

int sd_axes_expand (const sd_conf *r, const config_setting_t *g, unsigned group) {
  SD_RELEASED_BY (free_expansion) expansion *x = calloc (1, sizeof *x);
  if (!x)
    return sd_fail_memory (r->err, sizeof *x);

  x->r = r;
  x->group = g;
  x->cell.group = group;
  x->cell.keep_numbering = config_setting_get_member (g, "numbering") != NULL;
  SET (group, r->sweep->group[group].name);

  /* A group may come to nothing: sides that no table has, codecs for other metrics. */
  const uint64_t before = r->sweep->ncells;
  SD_TRY (read_axes (x));
  SD_TRY (expand (x, 0));
  if (r->sweep->ncells == before)
    return sd_conf_bad (
        r, g, "group \"%s\" has no cell: no table has such a side, or no codec is for such a metric",
        r->sweep->group[group].name);
  return SD_OK;
}

const char *sd_axes_other_key (const char *key) {
  for (unsigned a = 0; a < NAXES; a++)
    if (axes[a].alias) {
      if (strcmp (axes[a].key, key) == 0)
        return axes[a].alias->key;
      if (strcmp (axes[a].alias->key, key) == 0)
        return axes[a].key;
    }
  return NULL;
}

unsigned sd_axes_columns (const char *key, size_t at[2]) {
  for (unsigned a = 0; a < NAXES; a++)
    if (strcmp (axes[a].key, key) == 0 && axes[a].column[0] != IN (codec)) {
      at[0] = axes[a].column[0];
      at[1] = axes[a].column[1];
      return at[1] == SIZE_MAX ? 1 : 2;
    }
  return 0;
}

/* ---------------------------------------------------------------------- cells */

/* A column of an axis; both of `sides` are one word: w, one-w, joint-wb. False: it has no such column. */
static bool column_text (const sd_cell *c, unsigned axis, unsigned k, char out[SD_SETTINGS_TEXT]) {
  const size_t *column = axes[axis].column;
  const bool sides = column[0] == IN (sides);
  if (k && (sides || column[1] == SIZE_MAX))
    return false;
  if (sides)
    snprintf (out, SD_SETTINGS_TEXT, "%s%s%s", c->name.sides, *c->name.sides ? "-" : "", c->name.side);
  else
    snprintf (out, SD_SETTINGS_TEXT, "%s", (const char *) &c->name + column[k]);
  return true;
}

/* What is empty leaves no trace, so that the rows of a store keep their keys when there is a new axis whose
 * default is empty. Keys are in stores of older programs: what this writes must not change. */
const char *sd_cell_key (const sd_cell *c, char key[SD_KEY_TEXT]) {
  char text[SD_SETTINGS_TEXT];
  size_t len = (size_t) snprintf (key, SD_KEY_TEXT, "%s", c->name.group);
  for (unsigned a = 0; a < NAXES; a++)
    for (unsigned k = 0; k < 2 && len < SD_KEY_TEXT; k++)
      if (column_text (c, a, k, text) && (*text || k))
        len += (size_t) snprintf (key + len, SD_KEY_TEXT - len, "/%s", text);
  return key;
}

/* The same walk as for a key, but with a place for each axis, so that columns stay below their heads. */
void sd_cell_columns (const sd_cell *c, char *out, size_t cap) {
  static const sd_cell none;
  char text[SD_SETTINGS_TEXT];
  size_t len = (size_t) snprintf (out, cap, "%s", c ? c->name.group : "group");
  for (unsigned a = 0; a < NAXES; a++)
    for (unsigned k = 0; k < 2 && len < cap; k++)
      if (column_text (c ? c : &none, a, k, text))
        len += (size_t) snprintf (out + len, cap - len, "\t%s", c ? text : k ? "settings" : axes[a].key);
}

/* Do they agree in all axes that decide so much? */
static bool agree (const sd_cell *x, const sd_cell *y, unsigned changes) {
  for (unsigned a = 0; a < NAXES; a++)
    for (unsigned k = 0; k < 2 && axes[a].changes <= changes && axes[a].column[k] != SIZE_MAX; k++)
      if (strcmp ((const char *) &x->name + axes[a].column[k], (const char *) &y->name + axes[a].column[k]))
        return false;
  return true;
}

bool sd_cells_share_base (const sd_cell *x, const sd_cell *y) {
  return agree (x, y, OF_BASE);
}

bool sd_cells_share_unit (const sd_cell *x, const sd_cell *y) {
  return agree (x, y, OF_UNIT);
}
