/* Plies from a file with full moves. What was restored of it is the right number of plies or one too few, of
 * the side that is not stored as well: the best of all moves of values that are so is so itself. The right
 * ones follow from one ply, by rising plies: whether a position has n or n + 1 depends only on which
 * successors have n - 1, and these are settled before. Each position is looked at once or twice.
 *
 * One byte a slot beside the values. */
#include "config.h"
#include "values/values_internal.h"
#include <stdlib.h>

/* A value of n plies, n > 0. */
static bool has_plies (sd_value v, int n) {
  return v == n || v == -n - 1;
}

static sd_value one_more (sd_value v) {
  return (sd_value) (v > 0 ? v + 1 : v - 1);
}

/* late[i]: position i of n plies has n + 1. */
static int look (const sd_exact *e, const sd_metric_kind *k, const sd_source *from, unsigned side, int n,
                 uint8_t *late) {
  int status = SD_OK;
#pragma omp parallel for schedule(dynamic, 4096) reduction(max : status)
  for (uint64_t i = 0; i < e->n; i++) {
    const sd_value v = e->value[side][i];
    sd_value is = v;
    sd_pos p;
    late[i] = 0;
    if (!has_plies (v, n))
      continue;
    int st = sd_exact_position (e, side, i, &p) ? SD_OK : SD_EFORMAT;
    if (st == SD_OK)
      st = sd_restore_by_moves (from, k, &p, NULL, SD_EXACT (k), &is);
    late[i] = is != v; /* what successors say that are not settled counts for nothing else */
    if (st == SD_OK && late[i] && !(v > 0 ? is > v : is < v))
      st = SD_EFORMAT;
    status = st > status ? st : status;
  }
  return status;
}

/* *any: there is one. */
static void raise_late (sd_exact *e, unsigned side, const uint8_t *late, bool *any) {
  bool raised = false;
#pragma omp parallel for schedule(static) reduction(|| : raised)
  for (uint64_t i = 0; i < e->n; i++)
    if (late[i]) {
      e->value[side][i] = one_more (e->value[side][i]);
      raised = true;
    }
  *any |= raised;
}

static int most_plies (const sd_exact *e) {
  int most = 0;
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      const sd_value v = e->value[side][i];
      /* A loss in n plies is told as -n - 1. */
      const int plies = v > 0 ? v : v < 0 && v != SD_ILLEGAL ? -v - 1 : 0;
      most = plies > most ? plies : most;
    }
  return most;
}

/* Are the results those that the values came from? */
static bool same_results (const sd_exact *e, const sd_exact *sign, const sd_metric_kind *k) {
  bool same = sign != NULL;
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; same && i < e->n; i++)
      same = e->value[side][i] == SD_ILLEGAL || k->of (e->value[side][i]) == sd_exact_at (sign, side, i);
  return same;
}

int sd_values_settle (const sd_values *v, const sd_table *t, sd_exact *e, const sd_exact *sign,
                      const sd_progress *progress, sd_error *err) {
  const sd_metric_kind *k = &sd_metrics[t->info.metric];
  const sd_values_source from = sd_values_as_source (v, e);
  uint8_t *late[2] = { NULL, NULL };
  int status = SD_OK;

  for (unsigned side = 0; side < e->nsides; side++)
    if (!(late[side] = sd_alloc (e->n, 1)))
      status = SD_ENOMEM;
  const int most = status == SD_OK ? most_plies (e) : 0;
  for (int n = 1; n <= most + 1 && status == SD_OK; n++) { /* values of `most` may become most + 1 */
    bool any = false;
    sd_report (progress, "plies that full moves leave open", (uint64_t) n, (uint64_t) most + 2);
    /* All are looked at before any is raised: values of n plies do not rest on one another. */
    for (unsigned side = 0; side < e->nsides && status == SD_OK; side++)
      status = look (e, k, &from.source, side, n, late[side]);
    for (unsigned side = 0; side < e->nsides && status == SD_OK; side++)
      raise_late (e, side, late[side], &any);
    /* Nothing should be left behind the longest. */
    if (any && n > most)
      status = SD_EFORMAT;
  }
  if (status == SD_OK && !same_results (e, sign, &sd_metrics[k->signs]))
    status = SD_EFORMAT;
  free (late[0]);
  free (late[1]);
  return status == SD_OK
             ? SD_OK
             : sd_fail (err, status, "%s: finding the plies that full moves leave open: %s", t->name,
                        status == SD_EFORMAT ? "its values and those of its WDL file do not go together"
                                             : sd_strerror (status));
}
