/* Tables of a game's slices, found on a path when they are needed and decoded block by block (sd_values).
 *
 * A file is taken only if its header names this game, this slice, as many states and the same fingerprint;
 * anything else would answer for positions of another game. */
#include "config.h"
#include "gen/games/games.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  sd_slice slice;
  const sd_values_side *values;  /* NULL: a free place */
  enum sd_metric metric, stored; /* what is asked for; what the file has */
} entry;

struct sd_game_tables {
  const sd_rules *rules;
  const char *path;
  sd_values *values;
  entry *at; /* open addressing, at most half full */
  size_t cap, used;
};

/* ------------------------------------------------------------------ entries */

static entry *place (const sd_game_tables *g, sd_slice slice, enum sd_metric metric) {
  size_t i = ((slice * 2 + (uint64_t) metric) * 0x9e3779b97f4a7c15u >> 20) & (g->cap - 1);
  while (g->at[i].values && (g->at[i].slice != slice || g->at[i].metric != metric))
    i = (i + 1) & (g->cap - 1);
  return &g->at[i];
}

static int grow (sd_game_tables *g, sd_error *err) {
  sd_game_tables more = *g;
  more.cap = g->cap ? 2 * g->cap : 64;
  more.at = sd_alloc0 (more.cap, sizeof *more.at);
  if (!more.at)
    return sd_fail_memory (err, more.cap * sizeof *more.at);
  for (size_t i = 0; i < g->cap; i++)
    if (g->at[i].values)
      *place (&more, g->at[i].slice, g->at[i].metric) = g->at[i];
  free (g->at);
  *g = more;
  return SD_OK;
}

/* Takes over t. */
static int put (sd_game_tables *g, sd_slice slice, enum sd_metric metric, enum sd_metric stored, sd_table *t,
                sd_error *err) {
  if (2 * (g->used + 1) > g->cap && grow (g, err) != SD_OK) {
    sd_table_close (t);
    return SD_ENOMEM;
  }
  entry e = { .slice = slice, .metric = metric, .stored = stored };
  SD_TRY (sd_values_add_game (g->values, t, &e.values, err));
  entry *at = place (g, slice, metric);
  g->used += !at->values;
  *at = e;
  return SD_OK;
}

int sd_game_tables_open (const sd_rules *r, const char *path, uint64_t budget, sd_game_tables **out,
                         sd_error *err) {
  sd_game_tables *g = *out = sd_alloc0 (1, sizeof *g);
  if (!g)
    return sd_fail_memory (err, sizeof *g);
  g->rules = r;
  g->path = path;
  int st = sd_values_new (NULL, budget, &g->values, err);
  if (st != SD_OK) {
    free (g);
    *out = NULL;
  }
  return st;
}

void sd_game_tables_close (sd_game_tables *g) {
  if (!g)
    return;
  sd_values_free (g->values);
  free (g->at);
  free (g);
}

const sd_rules *sd_game_tables_rules (const sd_game_tables *g) {
  return g->rules;
}

void sd_game_tables_trim (sd_game_tables *g) {
  sd_values_trim (g->values, sd_values_budget (g->values));
}

int sd_game_tables_value (const sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_state state,
                          sd_value *out) {
  const entry *e = g->cap ? place (g, slice, metric) : NULL;
  if (!e || !e->values)
    return SD_ENOENT;
  if (state >= e->values->n)
    return SD_EINVAL;
  const sd_value v = sd_values_at (e->values, state);
  *out = e->metric == e->stored || v == SD_ILLEGAL ? v : sd_metrics[e->metric].of (v);
  return v == SD_ILLEGAL ? SD_EFORMAT : SD_OK;
}

/* --------------------------------------------------------------------- files */

/* Is t, read from `file`, what `want` says? */
static int check (const sd_table *t, const char *file, const sd_table_game *want, enum sd_metric metric,
                  sd_error *err) {
  sd_table_info info;
  sd_table_describe (t, &info);
  const sd_table_game *is = &info.game;
  if (!sd_table_info_is_game (&info))
    return sd_fail (err, SD_EFORMAT, "%s: holds a chess ending, expected %s %s", file, want->name,
                    want->slice);
  if (strcmp (is->name, want->name) != 0 || strcmp (is->slice, want->slice) != 0 || info.metric != metric) {
    char holds[SD_GAME_FILE_NAME];
    sd_table_game_file_name (is, info.metric, holds);
    return sd_fail (err, SD_EFORMAT, "%s: the file holds another table, %s", file, holds);
  }
  if (is->fingerprint != want->fingerprint || is->states != want->states)
    return sd_fail (err, SD_EFORMAT,
                    "%s: made from other rules of %s: %" PRIu64 " states and fingerprint %016" PRIx64
                    ", expected %" PRIu64 " and %016" PRIx64 "; subdef gen --game makes it anew",
                    file, is->name, is->states, is->fingerprint, want->states, want->fingerprint);
  return SD_OK;
}

/* The table of that name in the first folder that has it; *out = NULL: none has. */
static int open_file (const char *path, const char *name, char **file, sd_table **out, sd_error *err) {
  *out = NULL;
  for (const char *p = path; *p;) {
    const size_t len = strcspn (p, ":");
    if (len) {
      if (asprintf (file, "%.*s/%s", (int) len, p, name) < 0)
        return sd_fail_memory (err, len);
      if (sd_file_exists (*file))
        return sd_table_open (*file, SD_OPEN_CHECK, out, err);
      free (*file);
    }
    *file = NULL;
    p += len + (p[len] == ':');
  }
  return SD_OK;
}

/* The table of a slice, and what it holds; SD_ENOENT. */
static int find_table (const sd_game_tables *g, sd_slice slice, enum sd_metric metric, enum sd_metric *stored,
                       sd_table **out, sd_error *err) {
  sd_table_game game;
  char name[SD_GAME_FILE_NAME], *file = NULL;
  sd_table *t = NULL;
  SD_TRY (sd_rules_describe (g->rules, slice, &game, err));
  *stored = metric;
  sd_table_game_file_name (&game, metric, name);
  int st = open_file (g->path, name, &file, &t, err);
  if (st == SD_OK && !t && sd_metrics[metric].told_by != SD_METRICS) { /* the signs of DTM are WDL */
    *stored = sd_metrics[metric].told_by;
    sd_table_game_file_name (&game, *stored, name);
    st = open_file (g->path, name, &file, &t, err);
  }
  if (st == SD_OK && !t)
    st = sd_fail_missing (err, name, "%s: not found in %s", name, g->path);
  if (st == SD_OK)
    st = check (t, file, &game, *stored, err);
  if (st != SD_OK) {
    sd_table_close (t);
    t = NULL;
  }
  free (file);
  *out = t;
  return st;
}

int sd_game_tables_need (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_error *err) {
  sd_table *t;
  enum sd_metric stored;
  if (g->cap && place (g, slice, metric)->values)
    return SD_OK;
  SD_TRY (find_table (g, slice, metric, &stored, &t, err));
  return put (g, slice, metric, stored, t, err);
}

int sd_game_tables_need_below (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_error *err) {
  const sd_game_kind *k = g->rules->kind;
  const unsigned n = k->below ? k->below (g->rules->ctx, slice, NULL, 0) : 0;
  sd_slice *below = sd_alloc (n, sizeof *below);
  if (!below)
    return sd_fail_memory (err, n * sizeof *below);
  if (n)
    k->below (g->rules->ctx, slice, below, n);
  int st = SD_OK;
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    st = sd_game_tables_need (g, below[i], metric, err);
  free (below);
  return st;
}

int sd_game_tables_use (sd_game_tables *g, sd_table *t, sd_slice *slice, sd_error *err) {
  sd_table_info info;
  sd_table_game want;
  char file[SD_GAME_FILE_NAME];
  sd_table_describe (t, &info);
  int st = SD_OK;
  if (!sd_table_info_is_game (&info) || strcmp (info.game.name, g->rules->kind->name) != 0)
    st = sd_fail (err, SD_EFORMAT, "a table of %s, not of %s",
                  sd_table_info_is_game (&info) ? info.game.name : "chess", g->rules->kind->name);
  if (st == SD_OK)
    st = sd_rules_slice (g->rules, info.game.slice, slice, err);
  if (st == SD_OK)
    st = sd_rules_describe (g->rules, *slice, &want, err);
  if (st == SD_OK) {
    sd_table_game_file_name (&info.game, info.metric, file);
    st = check (t, file, &want, info.metric, err);
  }
  if (st == SD_OK)
    return put (g, *slice, info.metric, info.metric, t, err);
  sd_table_close (t);
  return st;
}

int sd_game_tables_exact (sd_game_tables *g, sd_slice slice, sd_value **out, uint64_t *n, sd_error *err) {
  sd_table *t;
  sd_table_info info;
  enum sd_metric stored;
  SD_TRY (find_table (g, slice, SD_DTM, &stored, &t, err));
  sd_table_describe (t, &info);
  *n = info.game.states;
  sd_value *value = sd_alloc (*n, sizeof *value);
  int st = value ? sd_table_game_read_all (t, value, NULL, err) : sd_fail_memory (err, *n * sizeof *value);
  sd_table_close (t);
  if (st != SD_OK) {
    free (value);
    return st;
  }
#pragma omp parallel for schedule(static, 4096)
  for (uint64_t i = 0; i < *n; i++) {
    char text[SD_POSITION_TEXT];
    if (!g->rules->kind->print (g->rules->ctx, slice, i, text)) /* what a file says of these means nothing */
      value[i] = SD_ILLEGAL;
  }
  *out = value;
  return SD_OK;
}
