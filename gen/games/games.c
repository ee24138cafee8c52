/* The list of games, one row each, the first the one that is meant where none is named, and what follows from
 * their functions: opening one by its name, and the order in which its slices are built. Commands know no
 * game: they call what stands here, with the rules that `--game` has opened. */
#include "config.h"
#include "gen/games/games.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const sd_game_kind *const kinds[] = {
  &sd_game_chess,
  &sd_game_draughts,
  &sd_game_graph,
};

const sd_game_kind *sd_game_kind_at (unsigned i) {
  return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

static const sd_game_kind *find (const char *name, size_t n) {
  const sd_game_kind *k;
  for (unsigned i = 0; (k = sd_game_kind_at (i)); i++)
    if (strlen (k->name) == n && memcmp (k->name, name, n) == 0)
      return k;
  return NULL;
}

/* "draughts, graph:FILE" */
static void list_names (char *out, size_t cap) {
  const sd_game_kind *k;
  size_t n = 0;
  for (unsigned i = 0; (k = sd_game_kind_at (i)) && n < cap; i++)
    n += (size_t) snprintf (out + n, cap - n, "%s%s%s%s", i ? ", " : "", k->name, k->file ? ":" : "",
                            k->file ? k->file : "");
}

int sd_rules_open (const char *text, sd_rules *out, sd_error *err) {
  *out = (sd_rules){ 0 };
  const size_t n = strcspn (text, ":");
  const sd_game_kind *k = find (text, n);
  if (!k) {
    char names[400];
    list_names (names, sizeof names);
    return sd_fail (err, SD_EINVAL, "--game %s: no such game: expected one of %s", text, names);
  }
  const char *file = text[n] ? text + n + 1 : NULL;
  if (k->file && (!file || !*file))
    return sd_fail (err, SD_EINVAL, "--game %s: expected a file behind the name: --game %s:%s", text, k->name,
                    k->file);

  if (!k->file && file)
    return sd_fail (err, SD_EINVAL, "--game %s: %s takes no file", text, k->name);
  SD_TRY (k->open (file, &out->ctx, err));
  out->kind = k;
  return SD_OK;
}

/* Tables of chess do not name a game. */
const char *sd_game_of_table (const sd_table_info *info) {
  return info->game.name[0] ? info->game.name : kinds[0]->name;
}

int sd_rules_of_table (const char *game, const sd_table_info *info, sd_rules *out, sd_error *err) {
  return sd_rules_open (game ? game : sd_game_of_table (info), out, err);
}

void sd_rules_close (sd_rules *r) {
  if (r->kind)
    r->kind->close (r->ctx);
  *r = (sd_rules){ 0 };
}

/* The game is made without values of other slices, which are not asked for before it is solved. */
int sd_rules_describe (const sd_rules *r, sd_slice slice, sd_table_game *out, sd_error *err) {
  static const sd_outside nothing = { 0 };
  sd_game game;
  if (!r->kind->game)
    return sd_fail (err, SD_EINVAL, "%s: these tables have no rules that they follow from", r->kind->name);
  *out = (sd_table_game){ .fingerprint = r->kind->fingerprint (r->ctx) };

  snprintf (out->name, sizeof out->name, "%s", r->kind->name);
  r->kind->slice_name (r->ctx, slice, out->slice);
  SD_TRY (r->kind->game (r->ctx, slice, &nothing, &game, err));
  out->states = game.nstates;
  r->kind->game_free (&game);
  return sd_table_game_check (out, err);
}

int sd_rules_subject (const sd_rules *r, sd_slice slice, sd_table_spec *spec, sd_error *err) {
  spec->material = (sd_material){ 0 };
  spec->game = (sd_table_game){ 0 };
  return r->kind->subject ? r->kind->subject (r->ctx, slice, spec, err)
                          : sd_rules_describe (r, slice, &spec->game, err);
}

void sd_subject_file_name (const sd_table_spec *subject, enum sd_metric metric, char *out) {
  const sd_holding what = { subject->game, subject->material, metric };
  sd_holding_file_name (&what, out);
}

/* The fingerprint is part of it: two files of rules with one name are two games. */
void sd_subject_name (const sd_table_spec *subject, char out[SD_SUBJECT_NAME]) {
  const sd_table_game *g = &subject->game;
  if (g->name[0])
    snprintf (out, SD_SUBJECT_NAME, "%s-%s-%016" PRIx64, g->name, g->slice, g->fingerprint);
  else
    sd_material_name (&subject->material, out);
}

bool sd_subject_is (const sd_table_spec *subject, const sd_table_info *info) {
  const sd_table_game *a = &subject->game, *b = &info->game;
  return sd_material_equal (&subject->material, &info->material) && strcmp (a->name, b->name) == 0
         && strcmp (a->slice, b->slice) == 0 && a->states == b->states && a->fingerprint == b->fingerprint;
}

/* For messages that tell what to type: "subdef gen --game draughts KKvM". */
void sd_rules_command (const char *game, const sd_rules *r, sd_slice slice, char *out, size_t cap) {
  char name[SD_SLICE_NAME];
  r->kind->slice_name (r->ctx, slice, name);
  const bool named = r->kind->slice_of != NULL;
  if (game)
    snprintf (out, cap, "--game %s%s%s", game, named ? " " : "", named ? name : "");
  else
    snprintf (out, cap, "%s", name);
}

int sd_rules_below (const sd_rules *r, sd_slice slice, sd_slice **out, unsigned *n, sd_error *err) {
  const sd_game_kind *k = r->kind;
  /* Once to count, once to fill. */
  *n = k->below ? k->below (r->ctx, slice, NULL, 0) : 0;
  *out = sd_alloc (*n, sizeof **out);
  if (!*out)
    return sd_fail_memory (err, *n * sizeof **out);
  if (*n)
    k->below (r->ctx, slice, *out, *n);
  return SD_OK;
}

int sd_rules_wanted (const sd_rules *r, char **name, unsigned n, unsigned pieces, sd_slices *out,
                     sd_error *err) {
  const sd_game_kind *k = r->kind;
  if (pieces && !k->all)
    return sd_fail (err, SD_EINVAL, "--men %u: %s has no pieces", pieces, k->name);
  if (pieces && (pieces < k->fewest || pieces > k->most))
    return sd_fail (err, SD_EINVAL, "--men %u: expected a number from %u to %u", pieces, k->fewest, k->most);
  if (!pieces && n == 0 && k->slice_of)
    return sd_fail (err, SD_EINVAL, "no %s was named: give some, as %s, or --men N",
                    k->words.slice ? k->words.slice : "slice", k->example);

  const unsigned all = pieces ? k->all (r->ctx, pieces, NULL, 0) : 0;
  sd_slice *want = sd_alloc ((uint64_t) all + n + 1, sizeof *want);
  if (!want)
    return sd_fail_memory (err, (all + n + 1) * sizeof *want);
  if (all)
    k->all (r->ctx, pieces, want, all);

  int st = SD_OK;
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    st = sd_rules_slice (r, name[i], &want[all + i], err);
  if (st != SD_OK) {
    free (want);
    return st;
  }
  /* A game of one slice needs no name. */
  if (all + n == 0)
    want[0] = 0;
  *out = (sd_slices){ want, all + n ? all + n : 1 };
  return SD_OK;
}

int sd_rules_slice (const sd_rules *r, const char *name, sd_slice *out, sd_error *err) {
  *out = 0;
  if (r->kind->slice_of)
    return name ? r->kind->slice_of (r->ctx, name, out, err)
                : sd_fail (err, SD_EINVAL, "%s: no slice was named: %s", r->kind->name, r->kind->slices);
  /* One slice: its own name is allowed, and nothing else. */

  char only[SD_SLICE_NAME];
  r->kind->slice_name (r->ctx, 0, only);
  if (name && strcmp (name, only) != 0)
    return sd_fail (err, SD_EINVAL, "%s: this %s has one slice only, %s", name, r->kind->name, only);
  return SD_OK;
}

int sd_rules_slice_of_table (const sd_rules *r, const sd_table_info *info, sd_slice *out, sd_error *err) {
  sd_fact last = { 0 }, next; /* of those that are the table's name: the slice's */
  for (unsigned i = 0; sd_table_fact (info, i, &next) && next.names; i++)
    last = next;
  return sd_rules_slice (r, last.text, out, err);
}

/* --------------------------------------------------------------------- order */

/* Slices found so far: `done` ones stand in order[], those being followed have their depth in the search. */
typedef struct search {
  const sd_rules *r;
  sd_slice *order;
  unsigned n;
  uint64_t room;
  sd_slice *open; /* the way from a wanted slice to the one at hand */
  unsigned depth;
  sd_error *err;
} search;

enum { MAX_DEPTH = 1000 };

static bool holds (const sd_slice *list, unsigned n, sd_slice s) {
  for (unsigned i = n; i-- > 0;)
    if (list[i] == s)
      return true;
  return false;
}

/* All that s depends on stands in order[] already. */
static int finish (search *f, sd_slice s) {
  if (!sd_grow (&f->order, &f->room, f->n + UINT64_C (1)))
    return sd_fail_memory (f->err, f->n * sizeof *f->order);
  f->order[f->n++] = s;
  return SD_OK;
}

/* Depth first: whatever s rests on is finished before s is. SD_EINVAL names a slice that comes back to
 * itself, or that rests on more than MAX_DEPTH others one behind the other. */
static int follow (search *f, sd_slice s) {
  char name[SD_SLICE_NAME];
  if (holds (f->order, f->n, s))
    return SD_OK;
  f->r->kind->slice_name (f->r->ctx, s, name);
  if (f->depth == MAX_DEPTH)
    return sd_fail (f->err, SD_EINVAL, "%s: slice %s stands behind %d others, one behind the other: too many",
                    f->r->kind->name, name, MAX_DEPTH);
  /* A slice that is being followed is met again: its values would rest on themselves. */
  if (holds (f->open, f->depth, s))
    return sd_fail (f->err, SD_EINVAL, "%s: moves lead from slice %s through others back to it",
                    f->r->kind->name, name);

  f->open[f->depth++] = s;

  SD_OWNED sd_slice *below = NULL;
  unsigned n;
  SD_TRY (sd_rules_below (f->r, s, &below, &n, f->err));
  for (unsigned i = 0; i < n; i++)
    SD_TRY (follow (f, below[i]));
  f->depth--;
  return finish (f, s);
}

int sd_rules_order (const sd_rules *r, const sd_slice *want, unsigned n, sd_slice **out, unsigned *nout,
                    sd_error *err) {
  search f = { .r = r, .err = err, .open = sd_alloc (MAX_DEPTH, sizeof *f.open) };
  int st = f.open ? SD_OK : sd_fail_memory (err, MAX_DEPTH * sizeof *f.open);
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    st = follow (&f, want[i]);
  free (f.open);
  if (st != SD_OK) {
    free (f.order);
    return st;
  }
  *out = f.order;
  *nout = f.n;
  return SD_OK;
}
