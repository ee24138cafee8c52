/* What a sweep has to do: which cells are wanted and have no row yet, which tables that takes, in which
 * order, and about how long. All that can be refused is refused here, before anything runs. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

bool sd_cell_wanted (const sd_runner *r, const sd_cell *c) {
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

int sd_cell_resolve (sd_store *store, const sd_sweep *s, sd_cell *c, sd_error *err) {
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

/* The same; a row of another group for the same cell becomes one of this group. */
static int has_row (sd_store *store, const sd_sweep *s, const sd_cell *c, bool *out, bool *adopted,
                    sd_error *err) {
  char key[SD_KEY_TEXT];
  SD_TRY (is_done (store, s, c, out, err));
  *adopted = false;
  if (*out)
    return SD_OK;
  sd_cell_text (c, '/', key, sizeof key);
  SD_TRY (sd_store_adopt (store, key, &c->name, sd_cell_times (s, c), adopted, err));
  *out = *adopted;
  return SD_OK;
}

int sd_cell_done (const sd_runner *r, const sd_cell *c, bool *out, sd_error *err) {
  sd_cell copy = *c;
  *out = false;
  if (!r->store || (copy.best_of >= 0 && sd_cell_resolve (r->store, r->sweep, &copy, NULL) != SD_OK))
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
    sd_table_file_name (&r->need[i], SD_SOLVED, name);
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
    if (!sd_cell_wanted (r, c))
      continue;
    r->cells++;
    SD_TRY (sd_cell_done (r, c, &done, err));
    if (done)
      continue;
    count (r, c);
    if (!c->array)
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
      if (!c->array)
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

/* ------------------------------------------------------- one cell in two groups */

typedef struct named {
  XXH64_hash_t hash; /* of what is coded, and how */
  size_t at;         /* in todo */
} named;

static int by_hash (const void *a, const void *b) {
  const named *x = a, *y = b;
  return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

/* Of cells that differ in nothing but their group the first stays; the next plan of the phase finds its row
 * for the others (sd_store_adopt). So does a cell that only has the same hash, which is computed
 * then. */
static int put_off_twins (sd_runner *r, sd_error *err) {
  SD_OWNED named *n = sd_alloc (r->ntodo + 1, sizeof *n);
  if (!n)
    return sd_fail_memory (err, r->ntodo * sizeof *n);
  for (size_t i = 0; i < r->ntodo; i++) {
    const sd_name *c = &r->todo[i]->name;
    char text[SD_KEY_TEXT];
    size_t len = 0;
#define APPEND(kind, column, size) len += (size_t) snprintf (text + len, sizeof text - len, "%s/", c->column);
    SD_CODED_COLUMNS (APPEND)
    SD_PLACE_COLUMNS (APPEND)
    n[i] = (named){ XXH3_64bits (text, len < sizeof text ? len : sizeof text), i };
  }
  qsort (n, r->ntodo, sizeof *n, by_hash);
  for (size_t i = 1; i < r->ntodo; i++)
    if (n[i].hash == n[i - 1].hash)
      r->todo[n[i].at] = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < r->ntodo; i++)
    if (r->todo[i])
      r->todo[kept++] = r->todo[i];
  r->ntodo = kept;
  return SD_OK;
}

int sd_plan_phase (sd_runner *r, unsigned phase, bool first, sd_error *err) {
  sd_sweep *s = r->sweep;
  r->ntodo = r->nbases = r->nunits = r->next = 0;
  for (size_t i = 0; i < s->ncells; i++) {
    sd_cell *c = &s->cell[i];
    bool done, adopted;
    if (c->phase != phase || !sd_cell_wanted (r, c) || r->broken[i])
      continue;
    if (c->best_of >= 0) {
      sd_error why = { 0 };
      const int status = sd_cell_resolve (r->store, s, c, &why);
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
    SD_TRY (has_row (r->store, s, c, &done, &adopted, err));
    if (done) {
      r->there += first || adopted;
      sd_uncount (r, c);
    } else {
      if (!r->counted[i]) { /* its order is another than the one that had a row */
        if (!c->array)
          SD_TRY (sd_exacts_need (r->exacts, &c->material, err));
        count (r, c);
      }
      r->todo[r->ntodo++] = c;
    }
  }
  SD_TRY (put_off_twins (r, err));
  return plan_units (r, err);
}
