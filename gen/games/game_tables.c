/* Tables of a game's slices, found on a path when they are needed and decoded block by block (sd_values).
 *
 * A file is taken only if its header names this game, this slice, as many states and the same fingerprint;
 * anything else would answer for positions of another game. */
#include "config.h"
#include "gen/games/games.h"
#include "probe/restore_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sd_game_tables {
  const sd_rules *rules;
  const char *path;
  void *store; /* of kind->store, once a position has been looked up */
  sd_values *values;
};

/* Of a table in the store. */
static uint64_t number_of (sd_slice slice, enum sd_metric metric) {
  /* Never 0, which stands for no number. */
  return slice * SD_METRICS + (uint64_t) metric + 1;
}

/* Classes of moves that restoring looks at. */
static unsigned conversions_of (const sd_table_info *info) {
  return info->freedom & ~(unsigned) SD_FREE_ILLEGAL;
}

/* Takes over t, which answers for the metric. */
static int put (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_table *t, sd_error *err) {
  sd_table_info info;
  sd_table_describe (t, &info);
  /* The tables that it rests on come first, and their own before them. */
  const int st = conversions_of (&info) ? sd_game_tables_need_below (g, slice, info.metric, err) : SD_OK;
  if (st == SD_OK)
    return sd_values_add_game (g->values, number_of (slice, metric), t, err);
  sd_table_close (t);
  return st;
}

int sd_game_tables_open (const sd_rules *r, const char *path, uint64_t budget, sd_game_tables **out,
                         sd_error *err) {
  sd_game_tables *g = *out = sd_alloc0 (1, sizeof *g);
  if (!g)
    return sd_fail_memory (err, sizeof *g);
  g->rules = r;
  g->path = path;

  int st = sd_values_new (path, SD_USUAL_EXACT, &g->values, err);
  if (st != SD_OK) {
    free (g);
    *out = NULL;
    return st;
  }
  sd_values_set_budget (g->values, budget);
  return SD_OK;
}

void sd_game_tables_close (sd_game_tables *g) {
  if (!g)
    return;
  if (g->store)
    g->rules->kind->store->close (g->store);
  sd_values_free (g->values);
  free (g);
}

const sd_rules *sd_game_tables_rules (const sd_game_tables *g) {
  return g->rules;
}

sd_values *sd_game_tables_store (const sd_game_tables *g) {
  return g->values;
}

void sd_game_tables_trim (sd_game_tables *g) {
  sd_values_trim (g->values, sd_values_budget (g->values));
}

/* ------------------------------------------------------------------ conversions */

/* Whose moves are asked for, and what their values are. */
typedef struct converter {
  const sd_game_tables *g;
  sd_slice slice;
  enum sd_metric metric;
  unsigned classes;
} converter;

typedef struct offers {
  const converter *c;
  sd_best best;
  bool others;
  int status;
} offers;

/* Called for each move: one that stays in the slice shows only that not all moves are conversions. */
static void offer (void *arg, const sd_game_move *m) {
  offers *o = arg;
  sd_value theirs = sd_metrics[o->c->metric].of (m->value);
  if (!(m->conversion & o->c->classes)) {
    o->others = true;
    return;
  }
  /* Out of the slice, and maybe to the end of the game, whose value is known. */
  const int st =
      m->known ? SD_OK : sd_game_tables_value (o->c->g, m->to.slice, o->c->metric, m->to.state, &theirs);
  o->status = st != SD_OK ? st : o->status;
  sd_best_take (&o->best, &sd_metrics[o->c->metric], theirs, m->conversion);
}

/* As sd_state_rules.best. A state that there is not has no moves. */
static int best_conversion (const void *ctx, uint64_t state, sd_value *best, bool *any, bool *all) {
  const converter *c = ctx;
  const sd_position at = { .slice = c->slice, .state = state };
  offers o = { .c = c };
  sd_value end;
  c->g->rules->kind->moves (c->g->rules->ctx, &at, &end, offer, &o);
  *best = o.best.value;
  *any = o.best.has;
  *all = o.best.has && !o.others;
  return o.status;
}

/* *v: what is stored of a state. */
static int restore (const converter *c, sd_state state, enum sd_coding coding, sd_value *v) {
  sd_value best;
  bool any, all;
  SD_TRY (best_conversion (c, state, &best, &any, &all));
  *v = sd_state_restored (coding, *v, best, any, all);
  return SD_OK;
}

int sd_game_tables_value (const sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_state state,
                          sd_value *out) {
  const sd_table_info *info;
  sd_values_blocks *values = sd_values_game (g->values, number_of (slice, metric), &info);
  if (!values)
    return SD_ENOENT;
  if (state >= values->n)
    return SD_EINVAL;
  sd_value v = sd_values_at (values, state);
  if (v == SD_ILLEGAL)
    return sd_values_problem (values, NULL);
  /* What the file leaves free is found anew at each lookup. */
  if (conversions_of (info))
    SD_TRY (restore (&(converter){ g, slice, info->metric, conversions_of (info) }, state, info->coding, &v));
  *out = metric == info->metric ? v : sd_metrics[metric].of (v);
  return SD_OK;
}

/* --------------------------------------------------------------------- files */

/* Is t, read from `file`, what `want` says? */
static int check (const sd_game_kind *kind, const sd_table *t, const char *file, const sd_table_game *want,
                  enum sd_metric metric, sd_error *err) {
  sd_table_info info;
  sd_table_describe (t, &info);
  const sd_table_game *is = &info.game;
  if (strcmp (sd_game_of_table (&info), want->name) != 0)
    return sd_fail (err, SD_EFORMAT, "%s: holds a table of %s, expected %s %s", file,
                    sd_game_of_table (&info), want->name, want->slice);
  /* A file may have been renamed. */
  if (strcmp (is->slice, want->slice) != 0 || info.metric != metric) {
    char holds[SD_GAME_FILE_NAME];
    sd_table_game_file_name (is, info.metric, holds);
    return sd_fail (err, SD_EFORMAT, "%s: the file holds another table, %s", file, holds);
  }
  if (is->fingerprint != want->fingerprint || is->states != want->states)
    return sd_fail (err, SD_EFORMAT,
                    "%s: made from other rules of %s: %" PRIu64 " states and fingerprint %016" PRIx64
                    ", expected %" PRIu64 " and %016" PRIx64 "; subdef gen --game makes it anew",
                    file, is->name, is->states, is->fingerprint, want->states, want->fingerprint);
  /* Restoring would ask for kinds of moves that the rules do not know. */
  if (info.freedom & ~(kind->freedom | SD_FREE_ILLEGAL))
    return sd_fail (err, SD_EFORMAT, "%s: leaves states to moves that %s does not tell apart", file,
                    kind->name);
  return SD_OK;
}

bool sd_path_has (const char *path, const char *name) {
  char *file;
  const bool has = sd_path_find_file (path, name, &file, NULL) == SD_OK && file;
  if (has)
    free (file);
  return has;
}

/* The table in the first folder that has it; *out = NULL: none has. */
static int open_file (const char *path, const sd_table_game *game, enum sd_metric metric, char **file,
                      sd_table **out, sd_error *err) {
  const sd_holding what = { .game = *game, .metric = metric };
  *out = NULL;
  SD_TRY (sd_path_find_table (path, &what, false, file, err));
  return *file ? sd_table_open (*file, SD_OPEN_CHECK, out, err) : SD_OK;
}

/* The table of a slice in this metric, or in one that tells it; SD_ENOENT. */
static int find_table (const sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_table **out,
                       sd_error *err) {
  sd_table_game game;
  char name[SD_GAME_FILE_NAME], *file = NULL;
  sd_table *t = NULL;

  SD_TRY (sd_rules_describe (g->rules, slice, &game, err));
  int st = open_file (g->path, &game, metric, &file, &t, err);
  /* Else a table in the metric that tells this one's values. */
  if (st == SD_OK && !t && sd_metrics[metric].told_by != SD_METRICS) { /* the signs of DTM are WDL */
    metric = sd_metrics[metric].told_by;
    st = open_file (g->path, &game, metric, &file, &t, err);
  }
  sd_table_game_file_name (&game, metric, name);
  if (st == SD_OK && !t) {
    char where[sizeof err->text];
    sd_path_said (g->path, where, sizeof where);
    st = sd_fail_missing (err, name, "%s: not found in %s", name, where);
  }
  if (st == SD_OK)
    st = check (g->rules->kind, t, file, &game, metric, err);
  if (st != SD_OK) {
    sd_table_close (t);
    t = NULL;
  }
  free (file);
  *out = t;
  return st;
}

int sd_game_tables_need (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_error *err) {
  const sd_table_info *info;
  sd_table *t;
  if (sd_values_game (g->values, number_of (slice, metric), &info))
    return SD_OK;
  SD_TRY (find_table (g, slice, metric, &t, err));
  return put (g, slice, metric, t, err);
}

int sd_game_tables_need_below (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_error *err) {
  sd_slice *below;
  unsigned n;
  int st = sd_rules_below (g->rules, slice, &below, &n, err);
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
  if (strcmp (sd_game_of_table (&info), g->rules->kind->name) != 0)
    st =
        sd_fail (err, SD_EFORMAT, "a table of %s, not of %s", sd_game_of_table (&info), g->rules->kind->name);
  if (st == SD_OK)
    st = sd_rules_slice (g->rules, info.game.slice, slice, err);
  if (st == SD_OK)
    st = sd_rules_describe (g->rules, *slice, &want, err);
  if (st == SD_OK) {
    sd_table_game_file_name (&info.game, info.metric, file);
    st = check (g->rules->kind, t, file, &want, info.metric, err);
  }
  if (st == SD_OK)
    return put (g, *slice, info.metric, t, err);
  sd_table_close (t);
  return st;
}

int sd_game_tables_exact (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_value **out,
                          uint64_t *n, sd_error *err) {
  sd_table *t;
  sd_table_info info;

  SD_TRY (find_table (g, slice, metric, &t, err));
  sd_table_describe (t, &info);
  *n = info.game.states;
  sd_value *value = sd_alloc (*n, sizeof *value);
  int st = value ? sd_table_game_stored (t, value, NULL, err) : sd_fail_memory (err, *n * sizeof *value);
  sd_table_close (t);
  const converter c = { g, slice, metric, conversions_of (&info) };
  /* All tables are there before threads look values up. */
  if (st == SD_OK && c.classes)
    st = sd_game_tables_need_below (g, slice, metric, err);
  if (st != SD_OK) {
    free (value);
    return st;
  }
  int failed = SD_OK;
#pragma omp parallel for schedule(static, 4096)
  for (uint64_t i = 0; i < *n; i++) {
    char text[SD_POSITION_TEXT];
    if (!g->rules->kind->print (g->rules->ctx, slice, i, text)) /* what a file says of these means nothing */
      value[i] = SD_ILLEGAL;
    else if (c.classes) {
      const int one = restore (&c, i, info.coding, &value[i]);
      if (one != SD_OK) {
#pragma omp atomic write
        failed = one;
      }
    }
  }
  sd_game_tables_trim (g);
  if (failed != SD_OK) {
    free (value);
    return sd_fail (err, failed, "%s: a conversion's value: %s", g->rules->kind->name, sd_strerror (failed));
  }
  *out = value;
  return SD_OK;
}

/* ------------------------------------------------------------------ looking up */

/* Name the slice of the missing file, which may be one that the table of p rests on. */
static void say_missing (const sd_game_tables *g, const sd_position *p, const char *file,
                         const sd_missed *missed) {
  const char *kind = g->rules->kind->name;
  const size_t n = strlen (kind);
  char name[SD_SLICE_NAME];
  g->rules->kind->slice_name (g->rules->ctx, p->slice, name);
  if (strncmp (file, kind, n) == 0 && file[n] == '-')
    snprintf (name, sizeof name, "%.*s", (int) strcspn (file + n + 1, "."), file + n + 1);
  missed->say (missed->ctx, name, SD_USUAL_EXACT);
}

/* From the DTM table, else from the WDL table. */
static int read_known (sd_game_tables *g, const sd_position *p, sd_known *out, const sd_missed *missed,
                       sd_error *err) {
  sd_error own = { 0 };
  enum sd_metric metric = SD_DTM;
  sd_value v;

  err = err ? err : &own;
  int st = sd_game_tables_need (g, p->slice, metric, err);
  if (st == SD_ENOENT) {
    metric = SD_WDL;
    /* If neither is there, it is the DTM table that is missed. */
    st = sd_game_tables_need (g, p->slice, metric, NULL) == SD_OK ? SD_OK : SD_ENOENT;
  }
  if (st == SD_ENOENT && missed)
    say_missing (g, p, err->missing, missed);
  if (st != SD_OK)
    return st;
  st = sd_game_tables_value (g, p->slice, metric, p->state, &v);
  /* One position, then what it took beyond the budget goes. */
  sd_game_tables_trim (g);
  if (st != SD_OK)
    return sd_fail (err, st, "a value cannot be read: %s", sd_strerror (st));
  sd_known_tell (out, metric, (sd_span){ v, v });
  return SD_OK;
}

int sd_game_tables_start (sd_game_tables *g, unsigned flags, sd_error *err) {
  const sd_game_store *own = g->rules->kind->store;
  return own && !g->store ? own->open (g->path, flags, &g->store, err) : SD_OK;
}

const sd_tables *sd_game_tables_found (const sd_game_tables *g) {
  return g->store ? g->rules->kind->store->tables (g->store) : NULL;
}

int sd_game_tables_look_up (sd_game_tables *g, const sd_position *p, sd_known *out, const sd_missed *missed,
                            sd_error *err) {
  const sd_game_store *own = g->rules->kind->store;
  int result;
  *out = sd_known_nothing ();
  SD_TRY (sd_game_tables_start (g, 0, err));
  SD_TRY (own ? own->look_up (g->store, p, out, missed, err) : read_known (g, p, out, missed, err));
  return sd_known_result (out, &result) ? SD_OK : SD_ENOENT;
}

int sd_game_tables_recode (sd_game_tables *g, sd_slice slice, sd_table_spec *spec, const sd_chooser *how,
                           const char *file, sd_error *err) {
  const sd_rules *r = g->rules;
  sd_value *value;
  uint64_t n;

  SD_TRY (sd_rules_subject (r, slice, spec, err));
  if (r->kind->recode)
    return r->kind->recode (r->ctx, slice, g->path, spec, how, file, err);
  const enum sd_metric exact = sd_metrics[spec->metric].exact;
  SD_TRY (sd_game_tables_exact (g, slice, exact, &value, &n, err));
  const converter c = { g, slice, exact, spec->freedom & ~(unsigned) SD_FREE_ILLEGAL };
  const sd_state_rules rules = { &c, best_conversion };
  int st = c.classes ? sd_game_tables_need_below (g, slice, exact, err) : SD_OK;
  if (st == SD_OK)
    st = sd_table_build_states (spec, value, &rules, file, how->progress, err);
  sd_game_tables_trim (g);
  free (value);
  return st;
}
