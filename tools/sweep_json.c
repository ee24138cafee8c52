/* The status of a sweep as JSON: what is not known is null. */
#include "config.h"
#include "tools/sweep_json.h"
#include <jansson.h>
#include <math.h>

static json_t *number (double v) {
  return isfinite (v) ? json_real (v) : json_null ();
}

static json_t *counts (const sd_sweep_counts *c) {
  return json_pack ("{s:s, s:I, s:I, s:I, s:I, s:f}", "name", c->name, "cells", (json_int_t) c->cells, "done",
                    (json_int_t) c->done, "failed", (json_int_t) c->failed, "to_do",
                    (json_int_t) (c->cells - c->done - c->failed), "work_s", c->work);
}

void sd_sweep_json (void *ctx, const sd_sweep_status *s) {
  (void) ctx;
  json_t *groups = json_array (), *root;
  for (unsigned i = 0; groups && i < s->ngroups; i++)
    json_array_append_new (groups, counts (&s->group[i]));
  root = json_pack ("{s:o, s:o, s:i, s:f, s:i, s:o, s:b}", "groups", groups, "all", counts (&s->all), "jobs", (int) s->jobs,
                    "share", s->share, "sweeps_at_work", (int) s->sweeps, "time_left_s", number (s->left),
                    "machine_is_busy", (int) s->busy);
  if (!root || json_dumpf (root, stdout, JSON_REAL_PRECISION (6)) != 0)
    fputs ("subdef: no memory for the answer\n", stderr);
  else
    putchar ('\n');
  json_decref (root);
}
