/* subdef bench gen: how fast endings are solved, by which solver.
 *
 * Everything that the endings depend on is solved first, in memory, or read from the tables of a path; then
 * each ending by each solver. The values of all solvers are compared. One process on one core and no MPI: of
 * gen/ only the solvers and the chess game are linked in. CPU time covers what 'subdef gen' does for an
 * ending before it codes (the tables of the game, init, iterations), the seconds of init and iterations are
 * those of the clock. Rates are by CPU time: states by that of the whole ending, marks by that of the
 * iterations. */
#include "config.h"
#include "chess/ending.h"
#include "gen/gen.h"
#include "papers/retrograde/solvers/solvers.h"
#include "tools/bench/bench.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVERS = 8 };

typedef struct bench {
  const sd_solver_kind *kind[SOLVERS];
  unsigned nkinds;
  sd_values *values;
  sd_transport t;
  bool from_files; /* the sub-endings */
  sd_solve_options options;
  json_t *rows; /* NULL: a table */
  /* of all measured endings, by solver */
  sd_solve_stats sum[SOLVERS]; /* plies: the most */
  double cpu[SOLVERS];
  unsigned endings;
} bench;

static bool choose_solvers (bench *b, const char *list) {
  const sd_solver_kind *k;
  if (!list)
    list = sd_solver_at (0)->name;
  if (strcmp (list, "all") == 0) {
    for (unsigned i = 0; b->nkinds < SOLVERS && (k = sd_solver_at (i)); i++)
      if (!k->same_as)
        b->kind[b->nkinds++] = k;
    return true;
  }
  while (b->nkinds < SOLVERS) {
    char name[32];
    const size_t len = strcspn (list, ",");
    snprintf (name, sizeof name, "%.*s", (int) (len < sizeof name ? len : sizeof name), list);
    if (!(b->kind[b->nkinds++] = sd_solver_find (name)))
      return false;
    if (!list[len])
      return true;
    list += len + 1;
  }
  return false;
}

static void row (const bench *b, const char *ending, const char *solver, const sd_solve_stats *x,
                 double cpu) {
  const uint64_t marks = x->marks_a + x->marks_b;
  const double rate = cpu > 0 ? (double) x->states / cpu : 0;
  const double marks_rate = x->iterate_cpu_s > 0 ? (double) marks / x->iterate_cpu_s : 0;
  const double bytes = x->states ? (double) x->bytes / (double) x->states : 0;
  sd_terminal_clear ();
  if (b->rows)
    json_array_append_new (
        b->rows, json_pack ("{s:s, s:s, s:I, s:i, s:i, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "ending",
                            ending, "solver", solver, "states", (json_int_t) x->states, "plies",
                            (int) x->plies, "passes", (int) x->passes, "marks", (json_int_t) marks, "looks",
                            (json_int_t) x->looks, "init_seconds", x->init_s, "iterate_seconds", x->iterate_s,
                            "cpu_seconds", cpu, "states_per_cpu_second", rate, "marks_per_cpu_second",
                            marks_rate, "bytes_per_state", bytes));
  else
    printf ("%-9s %-10s %11" PRIu64 " %5u %12" PRIu64 " %13" PRIu64 " %8.3f %9.3f %9.3f %11.4g %9.3g %7.2f\n",
            ending, solver, x->states, x->plies, marks, x->looks, x->init_s, x->iterate_s, cpu, rate,
            marks_rate, bytes);
  fflush (stdout);
}

static void add (sd_solve_stats *sum, const sd_solve_stats *one) {
  sum->states += one->states;
  sum->marks_a += one->marks_a;
  sum->marks_b += one->marks_b;
  sum->looks += one->looks;
  sum->bytes += one->bytes;
  sum->plies = one->plies > sum->plies ? one->plies : sum->plies;
  sum->init_s += one->init_s;
  sum->iterate_s += one->iterate_s;
  sum->iterate_cpu_s += one->iterate_cpu_s;
}

static void heading (const bench *b) {
  if (!b->rows)
    printf ("%-9s %-10s %11s %5s %12s %13s %8s %9s %9s %11s %9s %7s\n", "ending", "solver", "states", "plies",
            "marks", "looks", "init s", "iterate s", "CPU s", "states/s", "marks/s", "B/state");
}

static int compare (const sd_exact *a, const sd_exact *b, const char *name, const char *solver,
                    sd_error *err) {
  for (unsigned side = 0; side < a->nsides; side++)
    for (uint64_t i = 0; i < a->n; i++)
      if (a->value[side][i] != b->value[side][i])
        return sd_fail (err, SD_EDIFF, "%s: side %u, slot %" PRIu64 ": %s says %d, not %d", name, side, i,
                        solver, b->value[side][i], a->value[side][i]);
  return SD_OK;
}

/* One ending: by the default alone if it is only needed, else measured by each solver. The first result stays
 * in b->values. */
static int one (bench *b, const sd_material *m, bool measured, sd_error *err) {
  const unsigned n = measured ? b->nkinds : 1;
  char name[16];
  sd_exact *first = NULL;
  int st = SD_OK;
  sd_material_name (m, name);
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    const sd_solver_kind *k = measured ? b->kind[i] : sd_solver_at (0);
    sd_exact *e = NULL;
    sd_solution solved;
    sd_solve_stats stats;
    double cpu = sd_cpu_now ();
    const sd_gen_run run = { &b->t, k->solve, &b->options, NULL };
    st = sd_gen_solve_ending (&run, b->values, m, &solved, &stats, err);
    cpu = sd_cpu_now () - cpu;
    if (st == SD_OK)
      st = sd_gen_exact (&b->t, m, &solved, &e, err);
    if (st == SD_OK && measured) {
      if (!b->endings && i == 0)
        heading (b);
      row (b, name, k->name, &stats, cpu);
      add (&b->sum[i], &stats);
      b->cpu[i] += cpu;
    }
    if (!first) {
      first = e;
    } else {
      if (st == SD_OK)
        st = compare (first, e, name, k->name, err);
      sd_exact_free (e);
    }
  }
  b->endings += measured;
  if (st != SD_OK || b->from_files) {
    sd_exact_free (first);
    return st;
  }
  return sd_values_put (b->values, first) == SD_OK ? SD_OK : sd_fail_memory (err, 0);
}

static bool among (const sd_material *want, unsigned n, const sd_material *m) {
  for (unsigned i = 0; i < n; i++)
    if (sd_material_equal (&want[i], m))
      return true;
  return false;
}

static int solve_all (bench *b, const sd_material *want, unsigned nwant, const char *tables, sd_error *err) {
  const sd_rules chess = { &sd_game_chess, NULL };
  sd_slice *slices = sd_alloc (nwant, sizeof *slices), *order = NULL;
  unsigned n = 0;
  for (unsigned i = 0; slices && i < nwant; i++) {
    sd_material m;
    sd_material_canonical (&want[i], &m);
    slices[i] = sd_chess_slice (&m);
  }
  const int ordered = slices ? sd_rules_order (&chess, slices, nwant, &order, &n, err)
                             : sd_fail_memory (err, nwant * sizeof *slices);
  free (slices);
  SD_TRY (ordered);
  int st = sd_values_new (tables, SD_USUAL_EXACT, &b->values, err);
  b->from_files = tables;
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    const sd_material m = sd_chess_material (order[i]);
    const bool measured = among (want, nwant, &m);
    if (measured || !tables)
      st = one (b, &m, measured, err);
  }
  for (unsigned i = 0; i < b->nkinds && st == SD_OK && b->endings > 1; i++)
    row (b, "all", b->kind[i]->name, &b->sum[i], b->cpu[i]);
  free (order);
  return st;
}

int sd_bench_gen (char **name, int n, const sd_bench_options *how) {
  bench b = { 0 };
  sd_error err = { 0 };
  if (!choose_solvers (&b, how->solvers))
    return sd_tool_usage ("--solver=%s: expected all, or names with commas; subdef gen --help lists them",
                          how->solvers);
  if (n <= 0 && !how->men)
    return sd_tool_usage ("expected endings or --men N; e.g. subdef bench gen KQvKR --solver all");
  unsigned most = (unsigned) (n < 0 ? 0 : n), nwant = 0;
  for (unsigned k = 3; k <= how->men; k++)
    most += sd_material_all (k, NULL, 0);
  sd_material *want = sd_alloc0 (most, sizeof *want);
  int st = want ? SD_OK : sd_fail_memory (&err, most * sizeof *want);
  for (int i = 0; i < n && st == SD_OK; i++) {
    sd_material m;
    if ((st = sd_ending_parse (name[i], &m, &err)) == SD_OK)
      sd_material_canonical (&m, &want[nwant++]);
  }
  for (unsigned k = 3; k <= how->men && st == SD_OK; k++)
    nwant += sd_material_all (k, want + nwant, most - nwant);
  sd_transport_self (&b.t);
  b.options = (sd_solve_options){ .threads = 1, .progress = how->json ? NULL : &sd_terminal };
  b.rows = how->json ? json_array () : NULL;
  if (st == SD_OK)
    st = solve_all (&b, want, nwant, how->tables, &err);
  sd_terminal_clear ();
  sd_json_rows (b.rows, st);
  sd_values_free (b.values);
  free (want);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
