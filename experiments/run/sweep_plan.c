/* What a sweep has to do: which cells are wanted and have no row yet, which tables that takes, in which
 * order, and about how long. All that can be refused is refused here, before anything runs. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted (const sd_runner *r, const sd_cell *c) {
  const sd_sweep_options *opt = r->opt;
  return (!opt->parts || r->part[c - r->sweep->cell] == opt->part - 1)
         && (!opt->only || strstr (r->sweep->group[c->group].name, opt->only)
             || strstr (c->name.table, opt->only));
}

/* ------------------------------------------------------------------- parts */

/* Do the best rows of both come from the same ones? */
static bool share_orders (const sd_cell *a, const sd_cell *b) {
  return strcmp (a->name.table, b->name.table) == 0 && strcmp (a->name.metric, b->name.metric) == 0
         && strcmp (a->name.coding, b->name.coding) == 0 && strcmp (a->name.side, b->name.side) == 0;
}

/* Cells whose orders come from each other stay together: a lot is known by the first of them. The search goes
 * on where the last one ended, since neighbours are mostly of one lot. lot: room for all. */
static size_t lot_of (const sd_sweep *s, const sd_cell *c, size_t *lot, size_t *lots, size_t *last) {
  for (size_t k = 0; k < *lots; k++) {
    const size_t at = (*last + k) % *lots;
    if (share_orders (&s->cell[lot[at]], c))
      return *last = at;
  }
  lot[*lots] = (size_t) (c - s->cell);
  return *last = (*lots)++;
}

int sd_plan_parts (sd_runner *r, sd_error *err) {
  const sd_sweep *s = r->sweep;
  const unsigned parts = r->opt->parts;
  if (parts == 0)
    return SD_OK;
  if (r->opt->part < 1 || r->opt->part > parts)
    return sd_fail (err, SD_EINVAL, "part %u of %u: there is no such part", r->opt->part, parts);
  bool *asked = sd_alloc0 (s->ngroups + 1, sizeof *asked);
  size_t *lot = sd_alloc (s->ncells + 1, sizeof *lot);
  size_t lots = 0, last = 0, alone = 0;
  for (size_t i = 0; asked && i < s->ncells; i++)
    if (s->cell[i].best_of >= 0)
      asked[s->cell[i].best_of] = asked[s->cell[i].group] = true;
  for (size_t i = 0; asked && lot && i < s->ncells; i++) {
    const sd_cell *c = &s->cell[i];
    r->part[i] = (unsigned) ((asked[c->group] ? lot_of (s, c, lot, &lots, &last) : alone++) % parts);
  }
  const bool room = asked && lot;
  free (asked);
  free (lot);
  return room ? SD_OK : sd_fail_memory (err, s->ncells * sizeof *lot);
}

/* ------------------------------------------------------------ what there is */

/* The order that a cell asked another group for. */
static int resolve (sd_store *store, const sd_sweep *s, sd_cell *c, sd_error *err) {
  sd_name best = c->name;
  SD_TRY (sd_store_best_order (store, s->group[c->best_of].name, &best, err));
  if (c->keep_numbering)
    memcpy (best.numbering, c->name.numbering, sizeof best.numbering);
  c->name = best;
  c->best_of = -1;
  return SD_OK;
}

sd_times sd_cell_times (const sd_sweep *s, const sd_cell *c) {
  const sd_sweep_group *g = &s->group[c->group];
  return (sd_times){ .get = g->latency || g->probe, .probe = g->probe };
}

/* A row without the times that are asked for is not enough: the cell is computed anew. */
static int is_done (sd_store *store, const sd_sweep *s, const sd_cell *c, bool *out, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_text (c, '/', key, sizeof key);
  return sd_store_has (store, key, sd_cell_times (s, c), out, err);
}

/* Has the cell its row, in the order that the best one has at this moment? No store: no. */
static int is_done_now (const sd_runner *r, const sd_cell *c, bool *out, sd_error *err) {
  sd_cell copy = *c;
  *out = false;
  if (!r->store || (copy.best_of >= 0 && resolve (r->store, r->sweep, &copy, NULL) != SD_OK))
    return SD_OK;
  return is_done (r->store, r->sweep, &copy, out, err);
}

/* ------------------------------------------------------------------ costs */

static void count (sd_runner *r, const sd_cell *c) {
  const size_t i = (size_t) (c - r->sweep->cell);
  const sd_sweep_group *g = &r->sweep->group[c->group];
  r->counted[i] = true;
  r->costs.at[r->class[i]].left += sd_cell_slots (c);
  r->costs.at[r->class[i]].timings += sd_timing_seconds (g->latency, g->probe);
}

void sd_uncount (sd_runner *r, const sd_cell *c) {
  const size_t i = (size_t) (c - r->sweep->cell);
  const sd_sweep_group *g = &r->sweep->group[c->group];
  if (!r->counted[i])
    return;
  r->counted[i] = false;
  r->costs.at[r->class[i]].left -= sd_cell_slots (c);
  r->costs.at[r->class[i]].timings -= sd_timing_seconds (g->latency, g->probe);
}

/* ------------------------------------------------------------------ tables */

/* m behind all that it can turn into, each once. */
static int need (sd_runner *r, const sd_material *m, sd_error *err) {
  sd_material next[64];
  for (size_t i = 0; i < r->nneed; i++)
    if (sd_material_equal (&r->need[i], m))
      return SD_OK;
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (need (r, &next[i], err));
  if (sd_material_men (m) <= 2)
    return SD_OK;
  if (!sd_grow (&r->need, &r->need_cap, r->nneed + 1))
    return sd_fail_memory (err, 0);
  r->need[r->nneed++] = *m;
  return SD_OK;
}

static bool on_path (const char *path, const char *name) {
  for (const char *p = path;; p++) {
    const size_t len = strcspn (p, ":");
    char full[4200];
    if (len > 0 && (size_t) snprintf (full, sizeof full, "%.*s/%s", (int) len, p, name) < sizeof full
        && sd_file_exists (full))
      return true;
    p += len;
    if (!*p)
      return false;
  }
}

/* All tables that are missing, in one sentence. */
int sd_plan_check_tables (const sd_runner *r, sd_error *err) {
  const char *path = r->opt->tables ? r->opt->tables : "";
  char list[300] = "", ending[16] = "";
  unsigned missing = 0;
  for (size_t i = 0; i < r->nneed; i++) {
    char name[32];
    sd_table_file_name (&r->need[i], SD_DTM, name);
    if (on_path (path, name))
      continue;
    if (missing++ < 8)
      sd_text_list (list, sizeof list, "%s", name);
    sd_material_name (&r->need[i], ending);
  }
  if (!missing)
    return SD_OK;
  return sd_fail (err, SD_ENOENT,
                  "%s: %u table%s missing in %s: %s%s; 'subdef gen %s -o FOLDER' makes what %s needs, itself "
                  "included",
                  r->sweep->path, missing, missing == 1 ? " is" : "s are", *path ? path : "no folder", list,
                  missing > 8 ? ", ..." : "", ending, ending);
}

/* ----------------------------------------------------------------- the whole */

/* "orders, blocks and the tables KRvK, KRvKP": what a text of --only could have meant. */
static int nothing_wanted (const sd_runner *r, sd_error *err) {
  const sd_sweep *s = r->sweep;
  char groups[250] = "", tables[250] = "";
  for (unsigned i = 0; i < s->ngroups; i++)
    sd_text_list (groups, sizeof groups, "%s", s->group[i].name);
  for (size_t i = 0; i < s->ncells; i++) {
    const char *table = s->cell[i].name.table;
    if ((i == 0 || strcmp (table, s->cell[i - 1].name.table)) && !strstr (tables, table))
      sd_text_list (tables, sizeof tables, "%s", table);
  }
  return sd_fail (err, SD_EINVAL,
                  "%s: no group or table contains \"%s\": there are the groups %s and the tables %s", s->path,
                  r->opt->only, groups, tables);
}

int sd_plan_all (sd_runner *r, sd_error *err) {
  const sd_sweep *s = r->sweep;
  for (size_t i = 0; i < s->ncells; i++) {
    const sd_cell *c = &s->cell[i];
    bool done = false;
    if ((r->class[i] = sd_costs_class (&r->costs, c)) == SIZE_MAX)
      return sd_fail_memory (err, 0);
    if (!is_wanted (r, c))
      continue;
    r->cells++;
    SD_TRY (is_done_now (r, c, &done, err));
    if (done)
      continue;
    count (r, c);
    SD_TRY (need (r, &c->material, err)); /* tables that are in the list cost nothing */
  }
  if (r->cells == 0 && r->opt->only && !r->opt->parts)
    return nothing_wanted (r, err);
  return SD_OK;
}

/* Everything that the cells of todo need. */
static int plan_units (sd_runner *r, sd_error *err) {
  for (size_t i = 0; i < r->ntodo; i++) {
    const sd_cell *c = r->todo[i], *before = i ? r->todo[i - 1] : NULL;
    if (!before || !sd_cells_share_base (before, c)) {
      sd_base *b = &r->base[r->nbases++];
      *b = (sd_base){ .cell = c };
      SD_TRY (sd_exacts_get (r->exacts, &c->material, &b->exact, err));
      before = NULL;
    }
    if (!before || !sd_cells_share_unit (before, c)) {
      r->unit[r->nunits++] = (sd_unit){ .first = i, .base = r->nbases - 1 };
      r->base[r->nbases - 1].users++;
    }
    r->unit[r->nunits - 1].count++;
  }
  return SD_OK;
}

int sd_plan_phase (sd_runner *r, unsigned phase, bool first, sd_error *err) {
  sd_sweep *s = r->sweep;
  r->ntodo = r->nbases = r->nunits = r->next = 0;
  for (size_t i = 0; i < s->ncells; i++) {
    sd_cell *c = &s->cell[i];
    bool done;
    if (c->phase != phase || !is_wanted (r, c) || r->broken[i])
      continue;
    if (c->best_of >= 0) {
      sd_error why = { 0 };
      const int status = resolve (r->store, s, c, &why);
      if (status == SD_ENOENT && r->failed) { /* since the cells failed that would tell it */
        SD_TRY (sd_cell_failed (r, c, status, &why, err));
        continue;
      }
      if (status != SD_OK) {
        if (err)
          *err = why;
        return status;
      }
    }
    SD_TRY (is_done (r->store, s, c, &done, err));
    if (done) {
      r->there += first;
      sd_uncount (r, c);
    } else {
      if (!r->counted[i]) { /* its order is another than the one that had a row */
        SD_TRY (sd_exacts_need (r->exacts, &c->material, err));
        count (r, c);
      }
      r->todo[r->ntodo++] = c;
    }
  }
  return plan_units (r, err);
}

/* ------------------------------------------------------------------ dry run */

#define ROW_BYTES 1200. /* of a row in the database with its index, about */

/* Bytes of memory, about: the exact tables that are loaded stay there; each worker has a sequence laid out,
 * one that it shares, what it decodes and the coded stream. */
static double memory_needed (const sd_runner *r) {
  double tables = 0, most = 0;
  for (size_t i = 0; i < r->nneed; i++)
    tables +=
        (sd_material_symmetric (&r->need[i]) ? 1 : 2) * sd_material_slots (&r->need[i]) * sizeof (sd_value);
  for (size_t i = 0; i < r->sweep->ncells; i++)
    if (r->counted[i]) {
      const double slots = sd_cell_slots (&r->sweep->cell[i]);
      most = slots > most ? slots : most;
    }
  return tables + r->jobs * most * 4 * sizeof (sd_symbol);
}

int sd_list_cells (sd_runner *r, sd_error *err) {
  const sd_sweep *s = r->sweep;
  FILE *out = r->opt->list;
  size_t there = 0;
  for (size_t i = 0; i < s->ncells; i++) {
    sd_cell c = s->cell[i];
    char text[SD_KEY_TEXT];
    bool done = false;
    if (!is_wanted (r, &s->cell[i]))
      continue;
    if (r->store && c.best_of >= 0)
      resolve (r->store, s, &c, NULL);
    SD_TRY (is_done_now (r, &c, &done, err));
    sd_cell_text (&c, '\t', text, sizeof text);
    there += done;
    if (out)
      fprintf (out, "%s\t%s\n", text, done ? "done" : "to do");
  }
  if (out)
    fprintf (out,
             "# %" PRIu64
             " cells, %zu of them done, about %.0f s of work for %d at a time, %.0f MB of memory, %.1f MB "
             "of disk for rows\n",
             r->cells, there, sd_costs_left (&r->costs, 0, 0), r->jobs, memory_needed (r) / 1e6 + 20,
             (double) (r->cells - there) * ROW_BYTES / 1e6);
  return SD_OK;
}
