/* From a list of endings to table files: the order of building, one ending solved over all ranks and its file
 * written.
 *
 * Every rank decodes what it needs of the sub-endings that its positions convert into (sd_values), and gives
 * that memory back before the table is coded. The file is S0's building stage: complete values in large
 * blocks (S0 Sec. 1.2; coding.c); reformatting it is somebody else's work. */
#include "config.h"
#include "gen/gen.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- order */

typedef struct list {
  sd_material *m;
  unsigned n, room;
} list;

static bool listed (const list *l, const sd_material *m) {
  for (unsigned i = 0; i < l->n; i++)
    if (sd_material_equal (&l->m[i], m))
      return true;
  return false;
}

/* m behind everything it depends on; no deeper than there are men and pawns. */
static int add (list *l, const sd_material *m, sd_error *err) {
  if (listed (l, m))
    return SD_OK;
  sd_material next[64];
  unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (add (l, &next[i], err));
  if (l->n == l->room) {
    unsigned room = l->room ? 2 * l->room : 64;
    sd_material *more = realloc (l->m, room * sizeof *more);
    if (!more)
      return sd_fail_memory (err, room * sizeof *more);
    l->m = more;
    l->room = room;
  }
  l->m[l->n++] = *m;
  return SD_OK;
}

int sd_gen_order (const sd_material *want, unsigned n, sd_material **out, unsigned *nout, sd_error *err) {
  list l = { 0 };
  int st = SD_OK;
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    sd_material m;
    sd_material_canonical (&want[i], &m);
    unsigned men = sd_material_men (&m);
    if (men < 3 || men > SD_MAX_MEN)
      st = sd_fail (err, SD_EINVAL,
                    "an ending of %u men: tables have 3 to %d (two kings alone are always drawn)", men,
                    SD_MAX_MEN);
    else
      st = add (&l, &m, err);
  }
  if (st != SD_OK) {
    free (l.m);
    return st;
  }
  *out = l.m;
  *nout = l.n;
  return SD_OK;
}

/* ----------------------------------------------------------------- solving */

/* Collective: the values that this rank holds. */
static int solve (const sd_solver_kind *kind, sd_values *values, const sd_transport *t, const sd_material *m,
                  const sd_solve_options *options, sd_solution *out, sd_solve_stats *stats, sd_error *err) {
  sd_game game = { 0 };
  *out = (sd_solution){ .value = NULL };
  sd_values_stats held;
  uint64_t bytes;
  sd_values_forget_peak (values);
  int st = sd_chess_game_new (values, m, &game, err);
  if (st == SD_OK)
    sd_values_set_budget (values, sd_gen_budget (game.nstates, t->size));
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = (kind ? kind : sd_solver_at (0))->solve (&game, t, options, out, stats, err);
  sd_chess_game_free (&game);
  sd_values_describe (values, &held);
  bytes = held.peak;
  if (st == SD_OK && (st = t->sum (t->ctx, &bytes, 1)) != SD_OK)
    sd_fail (err, st, "the ranks could not exchange their counts: %s", sd_strerror (st));
  if (st == SD_OK && stats)
    stats->values_bytes = bytes;
  return st;
}

int sd_gen_solve (const sd_solver_kind *kind, sd_values *values, const sd_transport *t, const sd_material *m,
                  const sd_solve_options *options, sd_exact **out, sd_solve_stats *stats, sd_error *err) {
  sd_exact *e = NULL;
  sd_solution mine;
  sd_value *all = NULL;
  *out = NULL;
  int st = solve (kind, values, t, m, options, &mine, stats, err);
  if (st == SD_OK) {
    if (t->rank == 0)
      st = sd_exact_new (m, &e, err);
    if (e && e->n * e->nsides > mine.deal.nstates)
      st = sd_fail (err, SD_EINVAL, "%ju states, but %u sides of %ju slots", (uintmax_t) mine.deal.nstates,
                    e->nsides, (uintmax_t) e->n);
    st = sd_agree (t, st, err);
  }
  if (st == SD_OK)
    st = sd_solution_gather (t, &mine, &all, err);
  for (unsigned side = 0; all && side < e->nsides; side++)
    memcpy (e->value[side], all + side * e->n, e->n * sizeof *all);
  free (all);
  free (mine.value);
  if (st != SD_OK) {
    sd_exact_free (e);
    return st;
  }
  *out = e;
  return SD_OK;
}

int sd_gen_into (sd_exacts *s, const sd_material *m, sd_error *err) {
  sd_material next[64];
  sd_values *values;
  sd_transport self;
  sd_exact *e = NULL;
  sd_transport_self (&self);
  SD_TRY (sd_values_new (NULL, 0, &values, err));
  const unsigned n = sd_material_successors (m, next);
  int st = SD_OK;
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    const sd_exact *sub;
    st = sd_exacts_get (s, &next[i], &sub, err);
    if (st == SD_OK)
      st = sd_values_use (values, sub, err);
  }
  if (st == SD_OK)
    st = sd_gen_solve (NULL, values, &self, m, NULL, &e, NULL, err);
  sd_values_free (values);
  if (st == SD_OK && sd_exacts_put (s, e) != SD_OK)
    st = sd_fail_memory (err, 0);
  return st;
}

/* ----------------------------------------------------------------- writing */

int sd_gen_build (const sd_solver_kind *kind, sd_values *values, const sd_transport *t, const sd_material *m,
                  const sd_solve_options *options, const sd_gen_coding *coding, const char *path,
                  sd_solve_stats *stats, sd_output_stats *output, sd_error *err) {
  sd_solution solution;
  int st = solve (kind, values, t, m, options, &solution, stats, err);
  sd_values_trim (values, 0); /* coding takes memory of its own */
  if (st == SD_OK)
    st = sd_gen_output (m, coding, t, &solution, path, options ? options->threads : 0,
                        options ? options->progress : NULL, output, err);
  free (solution.value);
  return st;
}

int sd_gen_write (const sd_exacts *s, const sd_material *m, const char *path, const sd_progress *progress,
                  sd_error *err) {
  sd_table_spec spec;
  SD_TRY (sd_gen_spec (m, NULL, &spec, err));
  return sd_table_build (s, &spec, path, progress, err);
}
