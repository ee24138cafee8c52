/* What a sweep would do (--dry-run), and how far it is (--status).
 *
 * Nothing is run or loaded for it, and the store is only read. The lines go to opt->list, which the
 * command has set to its output; the status goes to opt->told instead where somebody wants it as numbers
 * (--json). */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ dry run */

#define ROW_BYTES 1200.  /* of a row in the database with its index, about */
#define PACKED_BYTES 0.8 /* of a slot of an exact table */

/* Bytes of memory, about: the exact tables that are loaded stay there, packed, and in blocks where
 * conversions have been looked up; one is an array while it is loaded; each worker has a sequence laid out,
 * one that it shares, what it decodes and the coded stream. */
static double memory_needed (const sd_runner *r) {
  double tables = 0, loading = 0, most = 0;
  for (size_t i = 0; i < r->nneed; i++) {
    const double slots = (sd_material_symmetric (&r->need[i]) ? 1. : 2.) * sd_material_slots (&r->need[i]);
    tables += slots * PACKED_BYTES;
    loading = slots * sizeof (sd_value) > loading ? slots * sizeof (sd_value) : loading;
  }
  for (size_t i = 0; i < r->sweep->ncells; i++)
    if (r->state[i].counted) {
      const double slots = sd_cell_slots (&r->sweep->cell[i]);
      most = slots > most ? slots : most;
    }
  const double cells = r->jobs * most * 4 * sizeof (sd_symbol);
  return tables + (loading > cells ? loading : cells);
}

/* In the order that its row has or would have, as far as a best order is known by now. */
static void list_cell (const sd_runner *r, const sd_cell *cell, bool done) {
  sd_cell c = *cell;
  char text[SD_KEY_TEXT];
  if (r->store && c.best_of >= 0)
    sd_cell_resolve (r, &c, NULL);
  sd_cell_columns (&c, text, sizeof text);
  fprintf (r->opt->list, "%s\t%s\n", text, done ? "done" : "to do");
}

/* A line a cell, tabs between the columns, then one with a # before it for people: "# 96 cells, 12 of them
 * done, about 40 s of work ...". */
void sd_list_cells (sd_runner *r) {
  const sd_sweep *s = r->sweep;
  FILE *out = r->opt->list;
  size_t there = 0;
  char columns[SD_KEY_TEXT];
  sd_cell_columns (NULL, columns, sizeof columns);
  if (out)
    fprintf (out, "%s\tstate\n", columns);

  for (size_t i = 0; i < s->ncells; i++) {
    if (!sd_cell_wanted (r, &s->cell[i]))
      continue;
    const bool done = sd_cell_done (r, &s->cell[i]);
    there += done;
    if (out)
      list_cell (r, &s->cell[i], done);
  }
  if (out)
    fprintf (out,
             "# %" PRIu64
             " cells, %zu of them done, about %.0f s of work for %d at a time, %.0f MB of memory, %.1f MB "
             "of disk for rows\n",
             r->cells, there, sd_costs_left (&r->costs), r->jobs, memory_needed (r) / 1e6 + 20,
             (double) (r->cells - there) * ROW_BYTES / 1e6);
}

/* ------------------------------------------------------------------- status */

/* Has the cell failed, under the order that it asks for, or under the one that this is now? */
static int has_failed (const sd_runner *r, const sd_cell *cell, bool *out, sd_error *err) {
  sd_cell c = *cell;
  char key[SD_KEY_TEXT];
  SD_TRY (sd_store_has_failed (r->store, sd_cell_key (&c, key), out, err));
  if (*out || c.best_of < 0 || sd_cell_resolve (r, &c, NULL) != SD_OK)
    return SD_OK;
  return sd_store_has_failed (r->store, sd_cell_key (&c, key), out, err);
}

/* group: a count for each group of the sweep, all 0. */
static int count_cells (const sd_runner *r, sd_sweep_counts *group, sd_error *err) {
  const sd_sweep *s = r->sweep;
  bool any = false, failed = false;
  if (r->store)
    SD_TRY (sd_store_any_failure (r->store, &any, err));
  for (size_t i = 0; i < s->ncells; i++) {
    const sd_cell *c = &s->cell[i];
    if (!sd_cell_wanted (r, c))
      continue;
    sd_sweep_counts *g = &group[c->group];
    g->name = s->group[c->group].name;
    g->cells++;

    const bool done = sd_cell_done (r, c);
    g->done += done;
    if (done)
      continue;

    /* Only a store in which something has failed is asked for each cell. */
    if (any)
      SD_TRY (has_failed (r, c, &failed, err));
    g->failed += failed;
    g->work += sd_costs_share (&r->costs, &r->state[i].cost);
  }
  return SD_OK;
}

/* Of the groups that have cells; returns how many. */
static unsigned sum_groups (sd_sweep_counts *group, unsigned n, sd_sweep_counts *all) {
  unsigned kept = 0;
  *all = (sd_sweep_counts){ .name = "all" };
  for (unsigned i = 0; i < n; i++) {
    if (!group[i].cells)
      continue;
    all->cells += group[i].cells;
    all->done += group[i].done;
    all->failed += group[i].failed;
    all->work += group[i].work;
    group[kept++] = group[i];
  }
  return kept;
}

/* What a sweep at work says of itself, else what the rows say. */
static int ask_sweeps (sd_runner *r, char who[200], sd_sweep_status *out, sd_error *err) {
  char says[64] = "";
  int busy = 0;
  const double all = r->there_work + out->all.work;
  who[0] = '\0';
  out->who = who;
  out->share = all > 0 ? r->there_work / all : 1;
  out->left = NAN;

  if (!r->store)
    return SD_OK;
  SD_TRY (sd_store_others (r->store, &out->sweeps, who, 200, err));
  if (out->sweeps)
    SD_TRY (sd_store_says (r->store, says, sizeof says, err));

  /* What stands in a store may be anything. */
  double share, left;
  if (sscanf (says, "%lf %lf %d", &share, &left, &busy) == 3 && share >= 0 && share <= 1) {
    out->share = share;
    out->left = left >= 0 ? left : NAN;
    out->busy = busy;
  }
  return SD_OK;
}

/* group, cells, done, failed, to do, work: the columns of print_status. */
static void print_counts (FILE *out, const sd_sweep_counts *g) {
  char work[32] = "-";
  if (g->done < g->cells)
    sd_time_text (g->work, work, sizeof work);
  fprintf (out, "%-24s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "  %s\n", g->name, g->cells, g->done,
           g->failed, g->cells - g->done - g->failed, work);
}

static void print_status (FILE *out, const sd_sweep_status *s) {
  const sd_sweep_says says = { s->share, s->left, s->busy };
  char time[64];
  fprintf (out, "%-24s %8s %8s %8s %8s  %s\n", "group", "cells", "done", "failed", "to do", "work, about");
  for (unsigned i = 0; i < s->ngroups; i++)
    print_counts (out, &s->group[i]);
  print_counts (out, &s->all);
  fprintf (out, "work: on a machine without other work, %u cell%s at a time\n", s->jobs,
           s->jobs == 1 ? "" : "s");
  if (!s->sweeps) {
    fputs ("no sweep is at work\n", out);
    return;
  }
  sd_sweep_says_text (&says, time, sizeof time);
  fprintf (out, "%u sweep%s at work: %s; %.0f %%%s%s\n", s->sweeps, s->sweeps == 1 ? " is" : "s are", s->who,
           floor (100 * s->share), *time ? ", " : "", time);
}

int sd_print_status (sd_runner *r, sd_error *err) {
  const sd_sweep *s = r->sweep;
  char who[200];
  sd_sweep_status status = { .jobs = (unsigned) r->jobs };
  SD_OWNED sd_sweep_counts *group = sd_alloc0 (s->ngroups + 1, sizeof *group);
  if (!group)
    return sd_fail_memory (err, s->ngroups * sizeof *group);

  SD_TRY (count_cells (r, group, err));
  status.group = group;
  status.ngroups = sum_groups (group, s->ngroups, &status.all);
  SD_TRY (ask_sweeps (r, who, &status, err));

  if (r->opt->told)
    r->opt->told (r->opt->ctx, &status);
  else
    print_status (r->opt->list, &status);
  return SD_OK;
}
