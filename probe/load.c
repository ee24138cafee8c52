/* An ending's exact values from its table files: decode everything, restore every legal position.
 *
 * What a generator wrote (values with sign, only illegal slots free) needs nothing else. A reformatted DTM
 * file needs what its freedom names: the result from the WDL file (SD_CODING_MOVES) and the sub-endings'
 * exact values for the conversions (Zakharov 2015, 1.8, 1.9). Slots without a legal position may hold
 * anything in a file, so legality is computed anew. What a file leaves to one ply of all moves comes last,
 * from what the other side's positions were restored to. One pass over the slots, by all threads; memory 2
 * bytes per slot and file beside the result. */
#include "config.h"
#include "probe/exact_internal.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 4096 }; /* slots that one thread takes at a time */

static bool is_syzygy (const sd_format *f) {
  return f == &sd_format_rtbw || f == &sd_format_rtbz;
}

/* Where a table is looked for. */
typedef struct place {
  const char *path;   /* folders, colon-separated */
  const char *folder; /* tried before these, a part of path; NULL: none. Receives where it was found */
  size_t len;         /* of folder */
  bool syzygy;        /* in Syzygy files alone */
} place;

/* Open a file of what there is in this folder, of the first format that has one; *out = NULL: there is none.
 */
static int open_in_folder (const char *folder, size_t len, const sd_holding *what, bool syzygy,
                           sd_table **out, sd_error *err) {
  const size_t bytes = len + 1 + SD_GAME_FILE_NAME;
  char name[SD_GAME_FILE_NAME], *full = malloc (bytes);
  int st = full ? SD_OK : sd_fail_memory (err, bytes);
  *out = NULL;
  for (const sd_format *const *f = sd_formats; st == SD_OK && !*out && len && *f; f++)
    if ((!syzygy || is_syzygy (*f)) && (*f)->file_name (what, name)) {
      snprintf (full, bytes, "%.*s/%s", (int) len, folder, name);
      st = sd_file_exists (full) ? sd_table_open (full, SD_OPEN_CHECK, out, err) : SD_OK;
    }
  free (full);
  return st;
}

/* The name that a missing file would have. */
static void missing_name (const sd_holding *what, bool syzygy, char name[SD_GAME_FILE_NAME]) {
  sd_holding_file_name (what, name);
  for (const sd_format *const *f = sd_formats; syzygy && *f; f++)
    if (is_syzygy (*f) && (*f)->file_name (what, name))
      return;
}

/* Open the table in the first folder that has it. */
static int open_on_path (place *at, const sd_holding *what, sd_table **out, sd_error *err) {
  const char *first = at->folder, *p = first ? first : at->path;
  size_t len = first ? at->len : strcspn (p, ":");
  char name[SD_GAME_FILE_NAME];
  for (;;) {
    SD_TRY (open_in_folder (p, len, what, at->syzygy, out, err));
    if (*out) {
      at->folder = p;
      at->len = len;
      return SD_OK;
    }
    if (first) {
      p = at->path;
      first = NULL;
    } else {
      if (p[len] == 0)
        break;
      p += len + 1;
    }
    len = strcspn (p, ":");
  }
  missing_name (what, at->syzygy, name);
  if (at->path[0] == 0)
    return sd_fail_missing (err, name, "%s: not loaded, and no folder to look in was given", name);
  return sd_fail_missing (err, name, "%s: not found in %s", name, at->path);
}

static int open_one (place *at, const sd_holding *what, sd_table **out, sd_error *err) {
  sd_holding is;
  SD_TRY (open_on_path (at, what, out, err));
  sd_table_holding (&(*out)->info, &is);
  if (sd_holding_equal (&is, what))
    return SD_OK;
  int st = sd_fail (err, SD_EFORMAT, "%s: holds another table than its name says", (*out)->name);
  sd_table_close (*out);
  *out = NULL;
  return st;
}

static int open_needed (place *at, const sd_material *m, enum sd_metric metric, sd_table *out[SD_METRICS],
                        sd_error *err) {
  int st = SD_OK;
  for (unsigned k = 0; k < SD_METRICS; k++)
    out[k] = NULL;
  for (enum sd_metric k = metric; k != SD_METRICS && st == SD_OK;) {
    const sd_holding what = { .material = *m, .metric = k };
    st = open_one (at, &what, &out[k], err);
    k = st == SD_OK ? sd_codings[out[k]->info.coding].needs : SD_METRICS;
  }
  for (unsigned k = 0; k < SD_METRICS && st != SD_OK; k++) {
    sd_table_close (out[k]);
    out[k] = NULL;
  }
  return st;
}

int sd_table_open_needed (const char *path, const sd_material *m, enum sd_metric metric,
                          sd_table *out[SD_METRICS], sd_error *err) {
  return open_needed (&(place){ .path = path }, m, metric, out, err);
}

/* ---------------------------------------------------------- whole tables */

/* Slots first..first+count-1 of the generator's layout; sym: the side's symbols in the file's order. */
static int restore_step (const sd_restoring *r, unsigned side, const sd_symbol *sym, uint64_t first,
                         uint64_t count) {
  const sd_table_info *d = &r->t->info;
  sd_rule rule = sd_rule_of (d);
  sd_exacts_source from = sd_exacts_as_source (r->s, NULL);
  if (d->side[side].number_of) { /* asks for results in the same ending, too */
    rule.side = &d->side[side];
    from = sd_exacts_as_source (r->s, r->sign);
    from.told = true;
  }
  uint64_t slot[STEP];
  sd_side_remap (&d->side[side], r->to->indexer, first, count, slot);
  sd_index_walk walk = { .ix = r->to->indexer };
  for (uint64_t k = 0; k < count; k++) {
    const uint64_t i = first + k;
    sd_pos p;
    if ((r->known && r->known->value[side][i] == SD_ILLEGAL) || !sd_index_walk_to (&walk, i))
      continue; /* stays SD_ILLEGAL */
    const sd_value is = r->sign ? r->sign->value[side][i] : 0;
    const int sign = r->sign_of ? r->sign_of (is) : is;
    sd_pos_from_squares (&r->to->material, walk.sq, side, &p);
    if ((!r->known && !sd_pos_legal (&p)) || (sign > 0 && (d->freedom & SD_FREE_WIN))
        || (d->freedom & SD_FREE_UNREACHABLE && !sd_pos_reachable_mirrored (&p)))
      continue;
    if (slot[k] == UINT64_MAX)
      return SD_EFORMAT;
    SD_TRY (sd_restore_stored (&from.source, &rule, &p, sign, d->side[side].map[sym[slot[k]]],
                               &r->to->value[side][i]));
  }
  return SD_OK;
}

static int fail_restoring (const sd_restoring *r, int status, sd_error *err) {
  return status == SD_OK
             ? SD_OK
             : sd_fail (err, status, "%s: restoring its values: %s", r->t->name, sd_strerror (status));
}

int sd_restore_side (const sd_restoring *r, unsigned side, sd_error *err) {
  const uint64_t n = r->to->n, steps = (n + STEP - 1) / STEP;
  sd_symbol *sym = sd_alloc (r->t->info.side[side].slots, sizeof *sym);
  if (!sym)
    return sd_fail_memory (err, r->t->info.side[side].slots * sizeof *sym);
  int status = sd_table_read_all (r->t, side, sym, r->progress, "decoding", err);
  if (status != SD_OK) {
    free (sym);
    return status;
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t step = 0; step < steps; step++) {
    int seen;
#pragma omp atomic read
    seen = status;
    if (seen != SD_OK)
      continue;
    const uint64_t first = step * STEP, count = n - first < STEP ? n - first : STEP;
    const int st = restore_step (r, side, sym, first, count);
    if (st != SD_OK) {
#pragma omp atomic write
      status = st;
    }
  }
  free (sym);
  return fail_restoring (r, status, err);
}

bool sd_restore_needs_moves (const sd_table_info *info, unsigned side) {
  return !sd_table_info_has (info, side) || (info->freedom & (SD_FREE_WIN | SD_FREE_UNREACHABLE));
}

/* The legal positions of a side that have no value yet. They are read from the other side's, but for equal
 * material, whose values therefore stay as they are until all are found. */
int sd_restore_side_by_moves (const sd_restoring *r, unsigned side, sd_error *err) {
  sd_exact *e = r->to;
  const sd_metric_kind *k = &sd_metrics[r->t->info.metric];
  const sd_exacts_source from = sd_exacts_as_source (r->s, e);
  sd_value *fresh = sd_alloc (e->n, sizeof *fresh);
  int status = SD_OK;
  if (!fresh)
    return sd_fail_memory (err, e->n * sizeof *fresh);
#pragma omp parallel for schedule(dynamic, 4096)
  for (uint64_t i = 0; i < e->n; i++) {
    sd_pos p;
    fresh[i] = e->value[side][i];
    if (fresh[i] != SD_ILLEGAL || (r->known && r->known->value[side][i] == SD_ILLEGAL)
        || !sd_exact_position (e, side, i, &p))
      continue;
    int st = sd_restore_by_moves (&from.source, k, &p, NULL, SD_EXACT (k), &fresh[i]);
    st = st == SD_OK && fresh[i] == SD_ILLEGAL ? SD_EFORMAT : st;
    if (st != SD_OK) {
#pragma omp atomic write
      status = st;
    }
  }
  free (e->value[side]);
  e->value[side] = fresh;
  return fail_restoring (r, status, err);
}

static bool is_rounded (const sd_table_info *info) {
  return (sd_table_info_has (info, 0) && info->side[0].rounded)
         || (sd_table_info_has (info, 1) && info->side[1].rounded);
}

/* All values of a table of m whose successors are there, if it needs them. */
static int restore (const sd_exacts *s, const sd_material *m, const sd_table *t, const sd_exact *sign,
                    sd_exact **out, sd_error *err) {
  sd_restoring r = { .s = s, .t = t, .sign = sign, .progress = sd_exacts_progress (s) };
  SD_TRY (sd_exact_new (m, &r.to, err));
  int st = SD_OK;
  for (unsigned side = 0; side < r.to->nsides && st == SD_OK; side++)
    if (sd_table_info_has (&t->info, side))
      st = sd_restore_side (&r, side, err);
  for (unsigned side = 0; side < r.to->nsides && st == SD_OK; side++)
    if (sd_restore_needs_moves (&t->info, side))
      st = sd_restore_side_by_moves (&r, side, err);
  if (st == SD_OK && is_rounded (&t->info))
    st = sd_restore_settle (&r, err);
  if (st != SD_OK) {
    sd_exact_free (r.to);
    return st;
  }
  *out = r.to;
  return SD_OK;
}

/* A file that names conversions, or leaves positions to one ply, rests on the sub-endings, each of which may
 * have to be loaded: both ways round one recursion, ended by the number of men and pawns. */
static int need_successors (sd_exacts *s, const sd_material *m, bool promotions, sd_error *err) {
  sd_material next[64];
  const sd_exact *e;
  unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    if (promotions || sd_material_men (&next[i]) < sd_material_men (m))
      SD_TRY (sd_exacts_get (s, &next[i], &e, err));
  return SD_OK;
}

/* Those that restoring a table looks at. */
static int need_looked_at (sd_exacts *s, const sd_table_info *info, sd_error *err) {
  if (!sd_table_info_looks (info))
    return SD_OK;
  const bool all = info->freedom & SD_FREE_PROMOTION || sd_table_info_by_moves (info);
  return need_successors (s, &info->material, all, err);
}

/* Results that stand for values of plies: the shortest with each. */
static void results_as_plies (sd_exact *e) {
  static const sd_value plies[] = { -2, -SD_RULE_PLIES - 2, 0, SD_RULE_PLIES + 1, 1 };
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++)
      if (e->value[side][i] != SD_ILLEGAL)
        e->value[side][i] = plies[e->value[side][i] + 2];
}

/* The values of m in this metric from its table and, before it, from the one that its coding needs. */
static int load (sd_exacts *s, const sd_material *m, enum sd_metric metric, sd_exact **out, sd_error *err) {
  sd_table *t[SD_METRICS];
  sd_exact *e = NULL, *sign = NULL;
  enum sd_metric order[SD_METRICS];
  unsigned n = 0;
  place at = { .path = sd_exacts_path (s), .syzygy = sd_exacts_syzygy (s) != SD_METRICS };
  int st = open_needed (&at, m, metric, t, err);
  for (enum sd_metric k = metric; st == SD_OK && k != SD_METRICS; k = sd_codings[t[k]->info.coding].needs)
    order[n++] = k;
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    st = need_looked_at (s, &t[order[i]]->info, err);
  while (n-- > 0 && st == SD_OK) {
    sd_exact_free (sign);
    sign = e;
    e = NULL;
    st = restore (s, m, t[order[n]], sign, &e, err);
  }
  sd_exact_free (sign);
  for (unsigned k = SD_METRICS; k-- > 0;) {
    if (st == SD_OK && t[k] && sd_exacts_note_file (s, t[k]->name) != SD_OK)
      st = sd_fail_memory (err, 0);
    sd_table_close (t[k]);
  }
  if (st == SD_OK && metric != sd_exacts_metric (s))
    results_as_plies (e);
  if (st != SD_OK)
    sd_exact_free (e);
  else
    *out = e;
  return st;
}

int sd_exacts_get (sd_exacts *s, const sd_material *m, const sd_exact **out, sd_error *err) {
  if ((*out = sd_exacts_find (s, m)))
    return SD_OK;
  sd_material canonical;
  char name[16];
  sd_material_name (m, name);
  if (sd_material_canonical (m, &canonical) && !sd_material_symmetric (m))
    return sd_fail (err, SD_EINVAL, "%s: the weaker side stands first: the ending's name is the mirrored one",
                    name);
  sd_exact *e;
  const enum sd_metric syzygy = sd_exacts_syzygy (s);
  SD_TRY (load (s, m, syzygy == SD_METRICS ? sd_exacts_metric (s) : syzygy, &e, err));
  if (sd_exacts_put (s, e))
    return sd_fail_memory (err, 0);
  *out = e;
  return SD_OK;
}

int sd_exacts_need (sd_exacts *s, const sd_material *m, sd_error *err) {
  const sd_exact *e;
  SD_TRY (need_successors (s, m, true, err));
  return sd_material_men (m) > 2 ? sd_exacts_get (s, m, &e, err) : SD_OK;
}
