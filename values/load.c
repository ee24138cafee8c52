/* An ending's exact values from its table files: decode everything, restore every legal position.
 *
 * What a generator wrote (values with sign, only illegal slots free) needs nothing else. A reformatted DTM
 * file needs what its freedom names: the result from the WDL file (SD_CODING_MOVES) and the sub-endings'
 * exact values for the conversions (Zakharov 2015, 1.8, 1.9). Slots without a legal position may hold
 * anything in a file, so legality is computed anew. What a file leaves to one ply of all moves comes last,
 * from what the other side's positions were restored to. One pass over the slots, by all threads; a file's
 * symbols are packed meanwhile (packed.c). */
#include "config.h"
#include "values/values_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Slots that a thread decodes at a time, of short blocks and of long ones: multiples of SD_PACKED_BLOCK. */
enum { SMALL_PART = 1 << 18, LARGE_PART = 1 << 21 };

/* Open the table in the folder of `beside` (NULL: none) or in the first one on the path that has it. */
static int open_one (const sd_values *v, const sd_table *beside, const sd_holding *what, sd_table **out,
                     sd_error *err) {
  const bool syzygy = v->syzygy != SD_NO_METRIC;
  const char *slash = beside ? strrchr (beside->name, '/') : NULL;
  SD_OWNED char *path = NULL, *file = NULL;
  char name[SD_GAME_FILE_NAME];
  sd_holding is;

  /* The folder of the table that needs it comes first: files that were made together stand together. */
  if (asprintf (&path, "%.*s:%s", slash ? (int) (slash - beside->name) : 0, slash ? beside->name : "",
                v->path)
      < 0) {
    path = NULL;
    return sd_fail_memory (err, 0);
  }
  SD_TRY (sd_path_find_table (path, what, syzygy, &file, err));
  sd_holding_name (what, syzygy, name);
  if (!file && !*v->path)
    return sd_fail_missing (err, name, "%s: not loaded, and no folder to look in was given", name);
  if (!file) {
    char where[sizeof err->text];
    sd_path_said (v->path, where, sizeof where);
    return sd_fail_missing (err, name, "%s: not found in %s", name, where);
  }
  SD_TRY (sd_table_open (file, SD_OPEN_CHECK, out, err));
  /* A file may have been renamed. */
  sd_table_holding (&(*out)->info, &is);
  return sd_holding_equal (&is, what)
             ? SD_OK
             : sd_fail (err, SD_EFORMAT, "%s: holds another table than its name says", (*out)->name);
}

int sd_values_open_tables (const sd_values *v, const sd_material *m, enum sd_metric metric,
                           sd_table *out[SD_METRICS], sd_error *err) {
  const sd_table *before = NULL;
  int st = SD_OK;

  for (unsigned k = 0; k < SD_METRICS; k++)
    out[k] = NULL;
  for (enum sd_metric k = metric; k != SD_NO_METRIC && st == SD_OK;) {
    const sd_holding what = { .material = *m, .metric = k };
    st = open_one (v, before, &what, &out[k], err);
    before = out[k];
    /* A coding may need another table of the ending, and that one a third. */
    k = st == SD_OK ? sd_codings[before->info.coding].needs : SD_NO_METRIC;
  }
  for (unsigned k = 0; k < SD_METRICS && st != SD_OK; k++) {
    sd_table_close (out[k]);
    out[k] = NULL;
  }
  return st;
}

/* ---------------------------------------------------------- whole tables */

/* Which of the slots hold legal positions. */
static void find_legal (const sd_slots *w, bool *legal) {
  if (!w->known) {
    sd_index_legal (w->ix, w->side, w->first, w->count, legal);
    return;
  }
  for (uint64_t k = 0; k < w->count; k++)
    legal[k] = w->known[k] != SD_ILLEGAL;
}

/* The number is the value. SD_EFORMAT: a legal position has none. */
static int take_numbers (const sd_slots *w, const bool *legal, sd_value *is) {
  int status = SD_OK;
  for (uint64_t k = 0; k < w->count; k++) {
    if (legal[k] && is[k] == SD_ILLEGAL)
      status = SD_EFORMAT;
    is[k] = legal[k] ? is[k] : SD_ILLEGAL;
  }
  return status;
}

int sd_restore_slots (const sd_slots *w, sd_value *is) {
  const sd_table_info *d = &w->t->info;
  sd_rule rule = sd_rule_of (d);
  bool legal[SD_VALUES_STEP];

  find_legal (w, legal);
  if (d->side[w->side].number_of) /* asks for results in the same ending, too */
    rule.side = &d->side[w->side];
  else if (!sd_values_need_more (d))
    return take_numbers (w, legal, is);
  sd_index_walk walk = { .ix = w->ix };
  for (uint64_t k = 0; k < w->count; k++) {
    const sd_value number = is[k];
    sd_pos p;
    /* Nothing is known where there is no legal position, and yet nothing where moves tell the value later. */
    is[k] = SD_ILLEGAL;
    if (!legal[k] || !sd_index_walk_to (&walk, w->first + k))
      continue;
    /* Results may be known as plies, which tell more. */
    const int sign = !w->sign ? 0 : w->sign_of ? w->sign_of (w->sign[k]) : w->sign[k];
    sd_pos_from_squares (&d->material, walk.sq, w->side, &p);
    if ((sign > 0 && (d->freedom & SD_FREE_WIN)) || sd_freedom_by_moves (d->freedom, &p))
      continue;
    /* A legal position must have a number. */
    if (number == SD_ILLEGAL)
      return SD_EFORMAT;
    SD_TRY (sd_restore_stored (w->from, &rule, &p, sign, number, &is[k]));
  }
  return SD_OK;
}

int sd_restore_step (const sd_side_read *r, uint64_t first, uint64_t count, sd_value *is, sd_error *why) {
  const sd_side *in = &r->t->info.side[r->side];
  sd_values_source from = sd_values_as_source (r->v, in->number_of ? r->sign : NULL);
  sd_value sign[SD_VALUES_STEP], known[SD_VALUES_STEP];
  uint64_t slot[SD_VALUES_STEP];

  /* The values of the ending itself are results here. */
  from.told = true;
  from.err = why;
  if (r->sign)
    sd_exact_read (r->sign, r->side, first, count, sign);
  if (r->known)
    sd_exact_read (r->known, r->side, first, count, known);
  const sd_slots w = { .t = r->t,
                       .side = r->side,
                       .ix = r->ix,
                       .from = &from.source,
                       .first = first,
                       .count = count,
                       .sign = r->sign ? sign : NULL,
                       .sign_of = r->sign_of,
                       .known = r->known ? known : NULL };
  /* The file may have any layout; slots of the generator's that it has not are no placements. */
  sd_side_remap (in, w.ix, first, count, slot);
  for (uint64_t k = 0; k < count; k++)
    if (slot[k] == UINT64_MAX)
      is[k] = SD_ILLEGAL;
    else
      is[k] = in->map[r->packed ? (sd_symbol) sd_packed_at (r->packed, slot[k]) : r->sym[slot[k] - r->from]];
  return sd_restore_slots (&w, is);
}

/* What packing needs at a time: parts that are whole blocks of the packed side, and of many of a codec's,
 * since those at the ends are decoded twice. */
static uint64_t part_of (const sd_side_read *r) {
  const uint64_t n = r->t->info.side[r->side].slots, many = 16 * sd_table_info_block (&r->t->info, r->side);
  uint64_t part = LARGE_PART, threads = 1;
#ifdef _OPENMP
  threads = (uint64_t) omp_get_max_threads ();
#endif
  /* A small table is for all threads, too. */
  if (n / (4 * threads) < part)
    part = n / (4 * threads) + 1;
  part = part < many ? many : part;
  return (part + SD_PACKED_BLOCK - 1) / SD_PACKED_BLOCK * SD_PACKED_BLOCK;
}

/* Symbols at.. of the file, n of them, to `to`. */
static int read_part (const sd_side_read *r, uint64_t at, uint64_t n, sd_packed_side *to) {
  _Static_assert(sizeof (sd_symbol) == sizeof (sd_value), "a symbol is packed as a value of the same bits");
  SD_OWNED sd_symbol *sym = sd_alloc (n, sizeof *sym);
  if (!sym)
    return SD_ENOMEM;
  SD_TRY (sd_codec_read (r->t->info.side[r->side].decoder, at, n, sym));
  return sd_packed_put (to, at, n, (const sd_value *) sym);
}

int sd_side_read_all (sd_side_read *r, const sd_progress *progress, sd_error *err) {
  const uint64_t n = r->t->info.side[r->side].slots, part = part_of (r);
  uint64_t done = 0, bad = 0;
  int status = SD_OK;
  if (sd_packed_frame (n, &r->packed) != SD_OK)
    return sd_fail_memory (err, 0);
#pragma omp parallel for schedule(dynamic, 1)
  for (uint64_t at = 0; at < n; at += part) {
    const uint64_t count = n - at < part ? n - at : part;
    int st;
#pragma omp atomic read
    st = status;
    /* A loop of OpenMP cannot be left. */
    if (st != SD_OK)
      continue;
    st = read_part (r, at, count, r->packed);
#pragma omp critical(values_read)
    if (st == SD_OK)
      sd_report (progress, "decoding", done += count, n);
    else if (status == SD_OK || at < bad) {
#pragma omp atomic write
      status = st;
      bad = at;
    }
  }
  if (status == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  return status == SD_OK ? SD_OK
                         : sd_fail (err, status, "%s: %s: slots from %" PRIu64 " on cannot be decoded: %s",
                                    r->t->name, sd_table_mover (r->t, r->side), bad, sd_strerror (status));
}

/* Restoring a table whole. */
typedef struct restoring {
  const sd_values *v; /* of the sub-endings, if the table needs them */
  const sd_table *t;
  const sd_exact *sign; /* what the coding needs to know */
  sd_exact *to;         /* SD_ILLEGAL where nothing is known yet */
  const sd_progress *progress;
  sd_error why; /* of the failure that came last */
} restoring;

static int fail_restoring (const restoring *r, int status, sd_error *err) {
  return status == SD_OK ? SD_OK
                         : sd_fail (err, status, "%s: restoring its values: %s", r->t->name,
                                    r->why.text[0] ? r->why.text : sd_strerror (status));
}

/* What a side that is stored holds; what moves tell stays as it is. */
static int restore_side (restoring *r, unsigned side, sd_error *err) {
  const uint64_t n = r->to->n, steps = (n + SD_VALUES_STEP - 1) / SD_VALUES_STEP;
  sd_side_read from = { .v = r->v, .t = r->t, .side = side, .ix = r->to->indexer, .sign = r->sign };
  int status = sd_side_read_all (&from, r->progress, err);

  if (status != SD_OK) {
    sd_packed_free (from.packed);
    return status;
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t step = 0; step < steps; step++) {
    int seen;
#pragma omp atomic read
    seen = status;
    /* A loop of OpenMP cannot be left. */
    if (seen != SD_OK)
      continue;
    const uint64_t first = step * SD_VALUES_STEP,
                   count = n - first < SD_VALUES_STEP ? n - first : SD_VALUES_STEP;
    sd_error why = { 0 };
    const int st = sd_restore_step (&from, first, count, r->to->value[side] + first, &why);
    if (st != SD_OK)
#pragma omp critical(values_restore)
    {
#pragma omp atomic write
      status = st;
      r->why = why;
    }
  }
  sd_packed_free (from.packed);
  return fail_restoring (r, status, err);
}

/* What those who asked for packed endings want to know of values. */
static void keep_needed (const sd_values *v, sd_value *value, uint64_t n) {
  sd_value (*const of) (sd_value) = v->told != SD_NO_METRIC ? sd_metrics[v->told].of : NULL;
  for (uint64_t i = 0; i < n && of; i++)
    if (value[i] != SD_ILLEGAL)
      value[i] = of (value[i]);
}

/* Slots at.. to e->packed, n of them, in the order of the file. */
static int pack_part (const restoring *r, unsigned side, uint64_t at, uint64_t n, sd_error *why) {
  SD_OWNED sd_symbol *sym = sd_alloc (n, sizeof *sym);
  SD_OWNED sd_value *value = sd_alloc (n, sizeof *value);
  const sd_side_read from = {
    .v = r->v, .t = r->t, .side = side, .ix = r->to->indexer, .sign = r->sign, .sym = sym, .from = at
  };
  if (!sym || !value)
    return SD_ENOMEM;
  const int st = sd_codec_read (r->t->info.side[side].decoder, at, n, sym);
  if (st != SD_OK)
    return sd_fail (why, st, "%s: slots %" PRIu64 " to %" PRIu64 " cannot be decoded: %s",
                    sd_table_mover (r->t, side), at, at + n - 1, sd_strerror (st));
  for (uint64_t i = 0; i < n; i += SD_VALUES_STEP)
    SD_TRY (sd_restore_step (&from, at + i, n - i < SD_VALUES_STEP ? n - i : SD_VALUES_STEP, value + i, why));
  keep_needed (r->v, value, n);
  return sd_packed_put (r->to->packed[side], at, n, value);
}

/* restore_side, packed as it is decoded: the side is never an array. Where a codec has blocks a part has
 * whole ones, so that none is decoded twice, if they are not of an odd size. */
static int restore_packed (restoring *r, unsigned side, sd_error *err) {
  const uint64_t n = r->to->n, block = sd_table_info_block (&r->t->info, side),
                 part = block > SMALL_PART ? LARGE_PART : SMALL_PART;
  uint64_t done = 0;
  int status = SD_OK;
  if (sd_packed_frame (n, &r->to->packed[side]) != SD_OK)
    return sd_fail_memory (err, n);
#pragma omp parallel for schedule(dynamic, 1)
  for (uint64_t at = 0; at < n; at += part) {
    const uint64_t count = n - at < part ? n - at : part;
    sd_error why = { 0 };
    int st;
#pragma omp atomic read
    st = status;
    /* A loop of OpenMP cannot be left. */
    st = st == SD_OK ? pack_part (r, side, at, count, &why) : st;
#pragma omp critical(values_restore)
    if (st == SD_OK)
      sd_report (r->progress, "decoding", done += count, n);
    else if (status == SD_OK) {
#pragma omp atomic write
      status = st;
      r->why = why;
    }
  }
  return fail_restoring (r, status, err);
}

/* The legal positions of a side that have no value yet. They are read from the other side's, but for equal
 * material, whose values therefore stay as they are until all are found. */
static int restore_by_moves (restoring *r, unsigned side, sd_error *err) {
  sd_exact *e = r->to;
  const sd_metric_kind *k = &sd_metrics[r->t->info.metric];
  const sd_values_source from = sd_values_as_source (r->v, e);
  sd_value *fresh = sd_alloc (e->n, sizeof *fresh);
  int status = SD_OK;

  if (!fresh)
    return sd_fail_memory (err, e->n * sizeof *fresh);
#pragma omp parallel for schedule(dynamic, 4096)
  for (uint64_t i = 0; i < e->n; i++) {
    sd_pos p;
    /* Threads read the old values while the new ones are written. */
    fresh[i] = e->value[side][i];
    if (fresh[i] != SD_ILLEGAL || !sd_exact_position (e, side, i, &p))
      continue;
    /* One byte is cleared and not the whole text: there is one for each position. */
    sd_error why;
    why.text[0] = '\0';
    sd_values_source mine = from;
    mine.err = &why;
    int st = sd_restore_by_moves (&mine.source, k, &p, NULL, SD_EXACT (k), &fresh[i]);
    /* No move leads to a position whose value is known. */
    st = st == SD_OK && fresh[i] == SD_ILLEGAL ? SD_EFORMAT : st;
    if (st != SD_OK)
#pragma omp critical(values_restore)
    {
#pragma omp atomic write
      status = st;
      r->why = why;
    }
  }
  free (e->value[side]);
  e->value[side] = fresh;
  return fail_restoring (r, status, err);
}

/* Positions in check whose value follows from others: their slots may have held anything. Only what is not in
 * check is read, or not free, and only what is in check and free is written, so that no copy is needed. */
static int restore_evident (restoring *r, unsigned side, sd_error *err) {
  sd_exact *e = r->to;
  const sd_metric_kind *k = &sd_metrics[r->t->info.metric];
  const sd_values_source from = sd_values_as_source (r->v, e);
  const sd_seen seen = sd_values_seen_of (&r->t->info);
  int status = SD_OK;

#pragma omp parallel for schedule(dynamic, 4096)
  for (uint64_t i = 0; i < e->n; i++) {
    sd_pos p;
    if (e->value[side][i] == SD_ILLEGAL || !sd_exact_position (e, side, i, &p) || !sd_in_check (&p, p.stm))
      continue;
    /* One byte is cleared and not the whole text: there is one for each position. */
    sd_error why;
    why.text[0] = '\0';
    sd_values_source mine = from;
    mine.err = &why;
    sd_value is;
    const int st = sd_restore_evident (&mine.source, k, &p, seen, &is);
    if (st == SD_OK && is != SD_ILLEGAL)
      e->value[side][i] = is;
    if (st != SD_OK)
#pragma omp critical(values_restore)
    {
#pragma omp atomic write
      status = st;
      r->why = why;
    }
  }
  return fail_restoring (r, status, err);
}

static bool is_rounded (const sd_table_info *info) {
  return (sd_table_info_has (info, 0) && info->side[0].rounded)
         || (sd_table_info_has (info, 1) && info->side[1].rounded);
}

/* All values of a table whose successors are there, if it needs them. To be packed, one side after the other
 * is done with, but where moves are looked at, and of Syzygy's files, which have no layout of ours and may be
 * rounded. */
static int restore_sides (restoring *r, sd_error *err) {
  const sd_table_info *info = &r->t->info;
  const bool one_by_one =
      r->v->packs && info->side[0].layout && !is_rounded (info) && !sd_table_info_by_moves (info);
  /* Stored sides first: the others follow from their values. */
  for (unsigned side = 0; side < r->to->nsides; side++) {
    if (one_by_one && sd_layout_equal (info->side[side].layout, sd_indexer_layout (r->to->indexer))) {
      SD_TRY (restore_packed (r, side, err));
      continue;
    }
    SD_TRY (sd_exact_side (r->to, side, err));
    if (sd_table_info_has (info, side))
      SD_TRY (restore_side (r, side, err));
    if (one_by_one) {
      keep_needed (r->v, r->to->value[side], r->to->n);
      SD_TRY (sd_exact_pack (r->to, side, err));
    }
  }
  for (unsigned side = 0; side < r->to->nsides; side++)
    if (sd_values_evidents (info, side))
      SD_TRY (restore_evident (r, side, err));
  for (unsigned side = 0; side < r->to->nsides; side++)
    if (sd_values_needs_moves (info, side))
      SD_TRY (restore_by_moves (r, side, err));
  if (is_rounded (info))
    SD_TRY (sd_values_settle (r->v, r->t, r->to, r->sign, r->progress, err));
  return SD_OK;
}

static int restore (restoring *r, sd_exact **out, sd_error *err) {
  SD_TRY (sd_exact_frame (&r->t->info.material, &r->to, err));
  const int st = restore_sides (r, err);
  if (st != SD_OK) {
    sd_exact_free (r->to);
    return st;
  }
  *out = r->to;
  return SD_OK;
}

/* ---------------------------------------------------------- whole endings */

/* A file that names conversions, or leaves positions to one ply, rests on the sub-endings, each of which may
 * have to be loaded: both ways round one recursion, ended by the number of men and pawns. */
static int need_successors (sd_values *v, const sd_material *m, bool promotions, sd_error *err) {
  sd_material next[64];
  unsigned n = sd_material_successors (m, next);
  /* Without promotions only those with fewer men. */
  for (unsigned i = 0; i < n; i++)
    if (promotions || sd_material_men (&next[i]) < sd_material_men (m))
      SD_TRY (sd_values_look_up (v, &next[i], err));
  return SD_OK;
}

/* Those that restoring a table looks at. */
static int need_looked_at (sd_values *v, const sd_table_info *info, sd_error *err) {
  if (!sd_table_info_looks (info))
    return SD_OK;
  const bool all = info->freedom & SD_FREE_PROMOTION || sd_table_info_by_moves (info);
  return need_successors (v, &info->material, all, err);
}

/* Results that stand for values of plies: the shortest with each. */
static void results_as_plies (sd_exact *e) {
  static const sd_value plies[] = { -2, -SD_RULE_PLIES - 2, 0, SD_RULE_PLIES + 1, 1 };
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++)
      if (e->value[side][i] != SD_ILLEGAL)
        e->value[side][i] = plies[e->value[side][i] + 2];
}

int sd_values_note_file (sd_values *v, const char *name, sd_error *err) {
  if (!sd_grow (&v->file, &v->files_room, v->nfiles + 1) || !(v->file[v->nfiles] = strdup (name)))
    return sd_fail_memory (err, 0);
  v->nfiles++;
  return SD_OK;
}

/* The values of m in this metric from its table t[metric] and those that its coding needs. */
static int restore_needed (sd_values *v, sd_table *const t[SD_METRICS], enum sd_metric metric, sd_exact **out,
                           sd_error *err) {
  const enum sd_metric needs = sd_codings[t[metric]->info.coding].needs;
  restoring r = { .v = v, .t = t[metric], .progress = v->progress };
  sd_exact *sign = NULL;
  SD_TRY (need_looked_at (v, &t[metric]->info, err));
  if (needs != SD_NO_METRIC)
    SD_TRY (restore_needed (v, t, needs, &sign, err));
  r.sign = sign;
  const int st = restore (&r, out, err);
  sd_exact_free (sign);
  return st;
}

/* The values of m from its tables. */
static int load (sd_values *v, const sd_material *m, sd_exact **out, sd_error *err) {
  const enum sd_metric metric = v->syzygy == SD_NO_METRIC ? v->metric : v->syzygy;
  sd_table *t[SD_METRICS];

  SD_TRY (sd_values_open_tables (v, m, metric, t, err));
  sd_exact *e = NULL;
  int st = restore_needed (v, t, metric, &e, err);
  /* Values are in memory now, and no file is needed. */
  for (unsigned k = SD_METRICS; k-- > 0;) {
    if (st == SD_OK && t[k])
      st = sd_values_note_file (v, t[k]->name, err);
    sd_table_close (t[k]);
  }
  if (st != SD_OK) {
    sd_exact_free (e);
    return st;
  }
  /* Only results were to be had. */
  if (metric != v->metric)
    results_as_plies (e);
  for (unsigned side = 0; side < e->nsides && v->packs && st == SD_OK; side++) {
    if (e->value[side])
      keep_needed (v, e->value[side], e->n);
    st = sd_exact_pack (e, side, err);
  }
  if (st != SD_OK) {
    sd_exact_free (e);
    return st;
  }
  *out = e;
  return SD_OK;
}

int sd_values_whole (sd_values *v, const sd_material *m, const sd_exact **out, sd_error *err) {
  sd_values_ending *in = sd_values_ending_of (v, m);
  sd_exact *e;
  if ((*out = in ? in->whole : NULL))
    return SD_OK;
  SD_TRY (sd_values_refuse_mirrored (m, err));
  SD_TRY (load (v, m, &e, err));
  *out = e;
  if (!(in = sd_values_ending_of (v, m)))
    return sd_values_put (v, e) == SD_OK ? SD_OK : sd_fail_memory (err, 0);
  in->whole = e; /* handles of its blocks have been given out, so that these stay */
  return SD_OK;
}

int sd_values_need (sd_values *v, const sd_material *m, sd_error *err) {
  const sd_exact *e;
  SD_TRY (need_successors (v, m, true, err));
  return sd_material_men (m) > 2 ? sd_values_whole (v, m, &e, err) : SD_OK;
}
