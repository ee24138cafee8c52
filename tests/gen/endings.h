/* Short ways to the generator for tests: endings and slices by what they are, exact values in memory, one
 * table from values in one piece. */
#ifndef SD_TESTS_ENDINGS_H
#define SD_TESTS_ENDINGS_H

#include "gen/games/chess/chess_game.h"
#include "gen/gen.h"
#include <stdlib.h>

static const sd_rules chess_rules = { &sd_game_chess, NULL };

/* want[0..n-1] and everything that they depend on, each once, successors first; *out is malloced. */
static inline int gen_order (const sd_material *want, unsigned n, sd_material **out, unsigned *nout,
                             sd_error *err) {
  sd_slice slice[64], *order = NULL;
  *out = NULL;
  for (unsigned i = 0; i < n; i++) {
    sd_material m;
    sd_material_canonical (&want[i], &m);
    slice[i] = sd_chess_slice (&m);
  }
  SD_TRY (sd_rules_order (&chess_rules, slice, n, &order, nout, err));
  *out = malloc ((*nout + 1) * sizeof **out);
  for (unsigned i = 0; *out && i < *nout; i++)
    (*out)[i] = sd_chess_material (order[i]);
  free (order);
  return *out ? SD_OK : sd_fail_memory (err, 0);
}

static inline int gen_solve (sd_solve_way *way, sd_values *values, const sd_transport *t,
                             const sd_material *m, const sd_solve_options *o, sd_exact **out,
                             sd_solve_stats *stats, sd_error *err) {
  const sd_gen_run run = { t, way, o, NULL };
  sd_solution solved;
  *out = NULL;
  SD_TRY (sd_gen_solve_ending (&run, values, m, &solved, stats, err));
  return sd_gen_exact (t, m, &solved, out, err);
}

/* Solve the ending m (canonical) in this process alone, what it depends on taken from s or loaded through it,
 * and put it into s. */
static inline int gen_into (sd_values *s, const sd_material *m, sd_error *err) {
  sd_material next[64];
  sd_transport self;
  const sd_exact *sub;
  sd_exact *e;
  sd_transport_self (&self);
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (sd_values_whole (s, &next[i], &sub, err));
  SD_TRY (gen_solve (NULL, s, &self, m, NULL, &e, NULL, err));
  return sd_values_put (s, e) == SD_OK ? SD_OK : sd_fail_memory (err, 0);
}

/* The table of ending m, whose values are in s: the same bytes as the generator's, not by its way. */
static inline int gen_write (const sd_values *s, const sd_material *m, const char *path,
                             const sd_progress *progress, sd_error *err) {
  sd_table_spec spec;
  SD_TRY (sd_gen_spec (&chess_rules, sd_chess_slice (m), NULL, &spec, err));
  return sd_table_build (s, &spec, path, progress, err);
}

/* The table of ending m from values that are dealt out. */
static inline int gen_output (const sd_material *m, const sd_transport *t, const sd_solution *solution,
                              const char *path, const sd_solve_options *o, sd_output_stats *stats,
                              sd_error *err) {
  const sd_gen_run run = { .t = t, .options = o };
  sd_gen_target target = { .sides = 2, .path = path };
  SD_TRY (sd_gen_spec (&chess_rules, sd_chess_slice (m), NULL, &target.spec, err));
  return sd_gen_output (&run, &target, solution, stats, err);
}

/* Solve a slice in this process and write its table. */
static inline int gen_slice (sd_game_tables *g, sd_slice slice, const char *path, sd_counts counts[2],
                             sd_error *err) {
  sd_transport self;
  sd_transport_self (&self);
  const sd_gen_run run = { .t = &self };
  sd_gen_stats stats;
  const int st = sd_gen_build (&run, g, slice, path, &stats, err);
  for (unsigned side = 0; side < 2; side++)
    counts[side] = stats.output.counts[side];
  return st;
}

#endif
