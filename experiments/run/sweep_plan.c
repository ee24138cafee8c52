/* What a sweep has to do: which cells are wanted and have no row yet, which tables that takes, in which
 * order, and about how long. All that can be refused is refused here, before anything runs.
 *
 * Two plans: sd_plan_all looks at all cells once, before anything is loaded, and counts; sd_plan_phase
 * looks again at the cells of one phase when it begins, under the lock of the store, and makes the list
 * `todo` with its units and bases. Between both, other sweeps may have stored rows. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* `only` is a part of the name of a group or table: --only orders, --only KRvKP. */
bool sd_cell_wanted (const sd_runner *r, const sd_cell *c) {
  const sd_sweep_options *opt = r->opt;
  return (!opt->parts || sd_state_of (r, c)->part == opt->part - 1)
         && (!opt->only || strstr (r->sweep->group[c->group].name, opt->only)
             || strstr (c->name.table, opt->only));
}

/* ------------------------------------------------------------------- parts */

/* Cells whose orders come from each other stay together, whatever group they are in. A part that computes the
 * cell of a best order must have all cells that the order is chosen from. Other cells are dealt out one by
 * one, so that the parts take about as long. */
int sd_plan_parts (sd_runner *r, sd_error *err) {
  const sd_sweep *s = r->sweep;
  const unsigned parts = r->opt->parts;
  if (parts == 0)
    return SD_OK;
  if (r->opt->part < 1 || r->opt->part > parts)
    return sd_fail (err, SD_EINVAL, "part %u of %u: there is no such part", r->opt->part, parts);

  SD_OWNED bool *asked = sd_alloc0 (s->ngroups + 1, sizeof *asked);
  SD_OWNED uint64_t *orders = sd_alloc0 (s->ncells + 1, sizeof *orders);
  SD_OWNED uint32_t *first = NULL;
  unsigned lots = 0, alone = 0;
  if (!asked || !orders)
    return sd_fail_memory (err, s->ncells * sizeof *orders);

  /* asked: groups that give best orders or take them */
  for (size_t i = 0; i < s->ncells; i++)
    if (s->cell[i].best_of >= 0)
      asked[s->cell[i].best_of] = asked[s->cell[i].group] = true;
  for (size_t i = 0; i < s->ncells; i++)
    if (asked[s->cell[i].group])
      orders[i] = sd_cell_orders (&s->cell[i], 0);

  SD_TRY (sd_first_alike (orders, s->ncells, &first, err));
  /* lots: of cells that stay together the first gets the part, the others follow it */
  for (size_t i = 0; i < s->ncells; i++)
    r->state[i].part = !asked[s->cell[i].group] ? alone++ % parts
                       : first[i] == i          ? lots++ % parts
                                                : r->state[first[i]].part;
  return SD_OK;
}

/* ------------------------------------------------------------ what there is */

/* Cells of one sequence ask the same, one behind the other. One answer is kept, which saves most of these
 * questions. */
static bool same_question (const sd_best_known *b, const sd_cell *c) {
  return b->there && b->orders == sd_cell_orders (c, (unsigned) c->best_of)
         && strcmp (b->answer.freedom, c->name.freedom) == 0;
}

int sd_cell_resolve (const sd_runner *r, sd_cell *c, sd_error *err) {
  sd_best_known *b = r->best;
  if (!same_question (b, c)) {
    *b = (sd_best_known){ .there = true,
                          .orders = sd_cell_orders (c, (unsigned) c->best_of),
                          .answer = c->name };
    b->status = sd_store_best_order (r->store, r->sweep->group[c->best_of].name, &b->answer, &b->why);
  }

  if (b->status != SD_OK) {
    if (err)
      *err = b->why;
    return b->status;
  }

  /* From here on the cell is like one whose order stood in the file, and its key has that order. */
  memcpy (c->name.order, b->answer.order, sizeof c->name.order);
  if (!c->keep_numbering)
    memcpy (c->name.numbering, b->answer.numbering, sizeof c->name.numbering);
  c->best_of = -1;
  return SD_OK;
}

sd_times sd_cell_times (const sd_sweep *s, const sd_cell *c) {
  const sd_sweep_group *g = &s->group[c->group];
  return (sd_times){ .get = g->latency || g->probe, .probe = g->probe };
}

/* A row without the times that are asked for is not enough: the cell is computed anew. */
static int find_row (const sd_runner *r, const sd_cell *c, bool *out, sd_error *err) {
  char key[SD_KEY_TEXT];
  return sd_store_has (r->store, sd_cell_key (c, key), sd_cell_times (r->sweep, c), out, err);
}

/* In the order that the cell asks for. */
static bool has_row (const sd_runner *r, const sd_cell *c, sd_times times) {
  sd_cell copy = *c;
  char key[SD_KEY_TEXT];
  bool there = false;
  return r->store && (copy.best_of < 0 || sd_cell_resolve (r, &copy, NULL) == SD_OK)
         && sd_store_has (r->store, sd_cell_key (&copy, key), times, &there, NULL) == SD_OK && there;
}

bool sd_cell_done (const sd_runner *r, const sd_cell *c) {
  return has_row (r, c, sd_cell_times (r->sweep, c));
}

/* ------------------------------------------------------------------ costs */

/* The cell is work that is still to be done. */
static void count (sd_runner *r, const sd_cell *c) {
  const size_t i = (size_t) (c - r->sweep->cell);
  r->state[i].counted = true;
  sd_costs_count (&r->costs, &r->state[i].cost, 1);
}

void sd_uncount (sd_runner *r, const sd_cell *c) {
  const size_t i = (size_t) (c - r->sweep->cell);
  if (r->state[i].counted)
    sd_costs_count (&r->costs, &r->state[i].cost, -1);
  r->state[i].counted = false;
}

/* ------------------------------------------------------------------ tables */

/* m behind all that it can turn into, each once. Kings alone need no table. */
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

/* The name of the first file that is missing of those which exact values of m are read from, a table and what
 * that needs; "": none is. */
static int find_missing (const sd_runner *r, const char *path, const sd_material *m,
                         char name[SD_GAME_FILE_NAME], sd_error *err) {
  const sd_format *like = sd_formats[0];
  enum sd_metric metric = r->exact;
  name[0] = 0;

  /* A table may hold values that are read only with another one (the coding says which); that one is looked
   * for next. */
  while (metric != SD_NO_METRIC) {
    const sd_holding what = { .material = *m, .metric = metric };
    SD_OWNED char *found = NULL;
    sd_table *t;
    SD_TRY (sd_path_find_table (path, &what, false, &found, err));
    if (!found) { /* Syzygy's plies need a WDL file of theirs */
      for (unsigned f = like != sd_formats[0]; sd_formats[f] && !sd_formats[f]->file_name (&what, name); f++)
        ;
      return SD_OK;
    }
    if (sd_table_open (found, 0, &t, NULL) != SD_OK) /* it is there; its cells will say what is wrong */
      return SD_OK;

    metric = sd_codings[t->info.coding].needs;
    like = t->format;
    sd_table_close (t);
  }
  return SD_OK;
}

/* All tables that are missing, in one sentence. */
int sd_plan_check_tables (const sd_runner *r, sd_error *err) {
  const char *path = r->opt->tables ? r->opt->tables : "";
  const bool usual = r->exact == SD_USUAL_EXACT; /* what gen makes unless it is told otherwise */
  char list[300] = "", ending[16] = "";
  unsigned missing = 0;

  for (size_t i = 0; i < r->nneed; i++) {
    char name[SD_GAME_FILE_NAME];
    SD_TRY (find_missing (r, path, &r->need[i], name, err));
    if (!name[0])
      continue;
    if (missing++ < 8)
      sd_text_list (list, sizeof list, "%s", name);
    sd_material_name (&r->need[i], ending);
  }

  if (!missing)
    return SD_OK;
  char where[300];
  sd_path_said (path, where, sizeof where);
  return sd_fail (
      err, SD_ENOENT,
      "%s: %u table%s missing in %s: %s%s; 'subdef gen %s%s%s -o FOLDER' makes what %s needs, itself "
      "included",
      r->sweep->path, missing, missing == 1 ? " is" : "s are", where, list,
      missing > 8 ? ", ..." : "", ending, usual ? "" : " --metric ", usual ? "" : sd_metrics[r->exact].name,
      ending);
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
  const sd_cell *needed = NULL;
  if (r->store)
    SD_TRY (sd_store_count (r->store, &r->run.expected_rows, err));

  for (size_t i = 0; i < s->ncells; i++) {
    const sd_cell *c = &s->cell[i];
    const sd_sweep_group *g = &s->group[c->group];
    if (!sd_costs_cell (&r->costs, c, g->latency, g->probe, &r->state[i].cost))
      return sd_fail_memory (err, 0);
    if (!sd_cell_wanted (r, c))
      continue;
    r->cells++;

    if (sd_cell_done (r, c)) {
      r->there_work += sd_costs_share (&r->costs, &r->state[i].cost);
      continue;
    }

    count (r, c);
    r->run.expected_rows += !r->opt->redo_stale && !has_row (r, c, (sd_times){ .get = false });
    if (!c->array && (!needed || !sd_material_equal (&needed->material, &c->material)))
      SD_TRY (need (r, &c->material, err)); /* tables that are in the list cost nothing */
    needed = c;
  }

  if (r->cells == 0 && r->opt->only && !r->opt->parts)
    return nothing_wanted (r, err);
  return SD_OK;
}

/* Everything that the cells of todo need. A table that cannot be had ends the cells of its base. Cells come
 * in the order of the sweep, so that those of one base, and in it those of one unit, follow each other. */
static void plan_units (sd_runner *r) {
  r->nbases = r->nunits = r->next = 0;
  for (size_t i = 0; i < r->ntodo; i++) {
    const sd_cell *c = r->todo[i], *before = i ? r->todo[i - 1] : NULL;
    r->owner[i] = SD_NOT_ASKED;
    if (!before || !sd_cells_share_base (before, c)) {
      sd_base *b = &r->base[r->nbases++];
      *b = (sd_base){ .cell = c };
      if (!c->array)
        b->status = sd_values_need (r->exacts, &c->material, &b->why);
      if (!c->array && b->status == SD_OK)
        b->status = sd_values_whole (r->exacts, &c->material, &b->exact, &b->why);
      if (b->status != SD_OK)
        b->state = SD_READY;
      before = NULL;
    }

    if (!before || !sd_cells_share_unit (before, c)) {
      r->unit[r->nunits++] = (sd_unit){ .first = i, .base = r->nbases - 1 };
      r->base[r->nbases - 1].users++;
    }
    r->unit[r->nunits - 1].count++;
  }
}

/* ------------------------------------------------------- one cell in two groups */

/* Of all that says what is coded and how, but not for which group. */
#define APPEND(kind, column, size)                                                                           \
  if (len < sizeof text)                                                                                     \
    len += (size_t) snprintf (text + len, sizeof text - len, "%s/", name->column);
static uint64_t hash_of (const sd_name *name) {
  char text[SD_KEY_TEXT] = "";
  size_t len = 0;
  SD_CODED_COLUMNS (APPEND)
  SD_PLACE_COLUMNS (APPEND)
  return sd_hash64 (text, strlen (text));
}

/* How many times its group asks for. */
static unsigned times_of (const sd_runner *r, const sd_cell *c) {
  const sd_times t = sd_cell_times (r->sweep, c);
  return 2u * t.probe + t.get;
}

/* Of cells that differ in nothing but their group, the first of those that ask for most times is computed
 * now; the next plan of the phase finds its row for the others (sd_store_adopt). A cell that only has the
 * same hash is computed then. */
static int choose_twins (sd_runner *r, sd_error *err) {
  SD_OWNED uint64_t *hash = sd_alloc (r->nleft + 1, sizeof *hash);
  SD_OWNED size_t *chosen = sd_alloc (r->nleft + 1, sizeof *chosen); /* at the place of the first of them */
  SD_OWNED uint32_t *first = NULL;
  if (!hash || !chosen)
    return sd_fail_memory (err, r->nleft * sizeof *hash);

  for (size_t i = 0; i < r->nleft; i++)
    hash[i] = hash_of (&r->left[i]->name);

  SD_TRY (sd_first_alike (hash, r->nleft, &first, err));
  for (size_t i = 0; i < r->nleft; i++) {
    size_t *one = &chosen[first[i]];
    if (first[i] == i || times_of (r, r->left[i]) > times_of (r, r->left[*one]))
      *one = i;
  }

  r->ntodo = 0;
  for (size_t i = 0; i < r->nleft; i++)
    if (chosen[first[i]] == i)
      r->todo[r->ntodo++] = r->left[i];
  return SD_OK;
}

/* --------------------------------------------------------------------- phases */

/* The order that a cell asked for. What was stored under the question, a failure, is over. */
static int resolve (sd_runner *r, sd_cell *c, bool failures, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_key (c, key);
  SD_TRY (sd_cell_resolve (r, c, err));
  return failures ? sd_store_forget_failure (r->store, key, err) : SD_OK;
}

/* Has the cell its row, or a twin whose row becomes its own? *copied: the latter. */
static int look (sd_runner *r, const sd_cell *c, bool *done, bool *copied, sd_error *err) {
  char key[SD_KEY_TEXT];
  *copied = false;
  SD_TRY (find_row (r, c, done, err));
  if (*done)
    return SD_OK;
  SD_TRY (
      sd_store_adopt (r->store, sd_cell_key (c, key), &c->name, sd_cell_times (r->sweep, c), copied, err));
  r->copied += *copied;
  *done = *copied;
  return SD_OK;
}

/* One cell of a phase that begins. *stays: it has no row. */
static int look_first (sd_runner *r, sd_cell *c, bool failures, bool *stays, sd_error *err) {
  sd_error why = { 0 };
  const int status = c->best_of >= 0 ? resolve (r, c, failures, &why) : SD_OK;
  *stays = false;

  if (status == SD_ENOENT) /* no cell of that group could be computed, or none was asked for */
    return sd_cell_failed (r, c, status, &why, err);
  if (status != SD_OK && err)
    *err = why;
  SD_TRY (status);

  bool done, copied;
  SD_TRY (look (r, c, &done, &copied, err));
  if (done) {
    r->there++;
    sd_uncount (r, c);
  } else if (!sd_state_of (r, c)->counted) /* its order is another than the one that had a row */
    count (r, c);
  *stays = !done;
  return SD_OK;
}

/* One cell that had no row when the phase was looked at before: somebody else may have made it, or a twin. */
static int look_again (sd_runner *r, sd_cell *c, bool *stays, sd_error *err) {
  const size_t i = (size_t) (c - r->sweep->cell);
  bool done, copied;
  *stays = false;
  if (r->state[i].broken || r->state[i].stored)
    return SD_OK;
  SD_TRY (look (r, c, &done, &copied, err));
  r->there += copied;
  if (done)
    sd_uncount (r, c);
  *stays = !done;
  return SD_OK;
}

/* Keep those of left[0..n-1] that have no row. Between BEGIN and COMMIT. */
static int look_at_phase (sd_runner *r, size_t n, bool first, bool failures, sd_error *err) {
  r->nleft = 0;
  for (size_t i = 0; i < n; i++) {
    sd_cell *c = r->left[i];
    bool stays;
    SD_TRY (first ? look_first (r, c, failures, &stays, err) : look_again (r, c, &stays, err));
    if (stays)
      r->left[r->nleft++] = c;
  }
  return SD_OK;
}

int sd_plan_phase (sd_runner *r, unsigned phase, bool first, sd_error *err) {
  sd_sweep *s = r->sweep;
  size_t n = first ? 0 : r->nleft;
  bool failures = false;

  if (first) {
    r->best->there = false; /* rows have come meanwhile */
    SD_TRY (sd_store_any_failure (r->store, &failures, err));
    for (size_t i = 0; i < s->ncells; i++)
      if (s->cell[i].phase == phase && sd_cell_wanted (r, &s->cell[i]))
        r->left[n++] = &s->cell[i];
  }

  /* One transaction for all questions: each alone would take the lock of the file once more. */
  SD_TRY (sd_store_begin (r->store, err));
  SD_TRY (sd_store_end (r->store, look_at_phase (r, n, first, failures, err), err));
  SD_TRY (choose_twins (r, err));
  plan_units (r);
  return SD_OK;
}
