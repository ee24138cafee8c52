/* The store: endings by material, found as the prober finds its tables (probe/lookup_internal.h), and a
 * source of their values, whole or in blocks alike. load.c loads whole endings, open.c opens blocks. */
#include "config.h"
#include "values/values_internal.h"
#include <stdlib.h>
#include <string.h>

int sd_values_new (const char *path, enum sd_metric metric, sd_values **out, sd_error *err) {
  sd_values *v = calloc (1, sizeof *v);
  if (!v || !(v->path = strdup (path ? path : ""))) {
    free (v);
    return sd_fail_memory (err, 0);
  }
  v->metric = metric;
  v->syzygy = v->told = SD_NO_METRIC;
  *out = v;
  return SD_OK;
}

int sd_values_new_syzygy (const char *path, bool plies, sd_values **out, sd_error *err) {
  SD_TRY (sd_values_new (path, SD_DTZ50, out, err));
  (*out)->syzygy = plies ? SD_DTZ50 : SD_WDL50;
  return SD_OK;
}

void sd_values_free (sd_values *v) {
  if (!v)
    return;
  sd_values_trim (v, 0);
  for (uint64_t i = 0; i < v->n; i++)
    sd_values_ending_free (v->at[i]);
  free (v->at);
  sd_keys_free (&v->keys);
  for (uint64_t i = 0; i < v->nfiles; i++)
    free (v->file[i]);
  free (v->file);
  free (v->path);
  free (v);
}

int sd_values_set_metric (sd_values *v, enum sd_metric metric, sd_error *err) {
  if (v->n && metric != v->metric)
    return sd_fail (err, SD_EINVAL, "values of %s cannot join those of %s that are there",
                    sd_metrics[metric].name, sd_metrics[v->metric].name);
  v->metric = metric;
  return SD_OK;
}

enum sd_metric sd_values_metric (const sd_values *v) {
  return v->metric;
}

void sd_values_show (sd_values *v, const sd_progress *progress) {
  v->progress = progress;
}

void sd_values_pack (sd_values *v, enum sd_metric told) {
  v->packs = true;
  v->told = told == SD_WDL ? told : SD_NO_METRIC;
}

enum sd_metric sd_values_told (const sd_values *v) {
  return v->told != SD_NO_METRIC ? v->told : v->metric;
}

size_t sd_values_files (const sd_values *v, const char *const **files) {
  *files = (const char *const *) v->file;
  return v->nfiles;
}

const sd_exact *sd_values_find (const sd_values *v, const sd_material *m) {
  const sd_values_ending *e = sd_values_ending_of (v, m);
  return e ? e->whole : NULL;
}

bool sd_values_has (const sd_values *v, const sd_material *m) {
  return sd_values_ending_of (v, m) != NULL;
}

int sd_values_keep (sd_values *v, uint64_t number, sd_values_ending *e) {
  const sd_keyed *old = sd_keys_find (&v->keys, number ? number : sd_key_of_material (&e->material));
  /* A newer one takes the place, under the same key. */
  if (old) {
    sd_values_ending_free (v->at[old->item]);
    v->at[old->item] = e;
    return SD_OK;
  }
  const uint32_t at = (uint32_t) v->n;
  if (!sd_grow (&v->at, &v->room, v->n + 1)
      || (number ? sd_keys_add_number (&v->keys, number, at) : sd_keys_add (&v->keys, &e->material, at))) {
    sd_values_ending_free (e);
    return SD_ENOMEM;
  }
  v->at[v->n++] = e;
  return SD_OK;
}

/* --------------------------------------------------------- values of positions */

/* The ending of p is not there. */
static int fail_missing (const sd_values_source *f, const sd_pos *p) {
  sd_material m, canonical;
  char file[SD_GAME_FILE_NAME];
  sd_material_of (p, &m);
  sd_material_canonical (&m, &canonical);
  sd_table_file_name (&canonical, f->v->metric, file);
  return sd_fail_missing (f->err, file, "%s: the values of this table are not there", file);
}

/* The value of own's slot as metric k has it; SD_ILLEGAL: it is not known. */
static inline sd_value own_value (const sd_values_source *f, const sd_metric_kind *k, unsigned side,
                                  uint64_t slot) {
  const uint64_t *hidden = f->hidden[side];
  const sd_value v =
      hidden && hidden[slot / 64] >> (slot % 64) & 1 ? SD_ILLEGAL : sd_exact_at (f->own, side, slot);
  return v == SD_ILLEGAL || f->told ? v : k->of (v);
}

/* What the metric of v says, or own's what its metric does. */
static int plain (const sd_source *source, const sd_metric_kind *k, const sd_pos *p, sd_bound bound,
                  sd_value *out) {
  const sd_values_source *f = (const sd_values_source *) source;
  sd_board b;
  uint8_t sq[SD_SQUARES];

  (void) bound;
  if (!sd_board_of (p, &b))
    return sd_fail (f->err, SD_ENOENT, "more than %d men", (int) SD_MAX_MEN);
  /* No table has it. */
  if (b.key == SD_KEY_KVK) {
    *out = 0;
    return SD_OK;
  }
  bool swapped = b.key == f->swapped;
  /* The ending that is in work is not in the store yet. */
  if (f->own && (b.key == f->key || swapped)) {
    const unsigned side = sd_stored_side (f->own->nsides, p->stm, &swapped);
    sd_board_squares (&b, swapped, sq);
    const uint64_t slot = sd_index_of (f->own->indexer, sq);
    *out = own_value (f, k, side, slot);
    return SD_OK;
  }
  const sd_keyed *found = sd_keys_find (&f->v->keys, b.key);
  if (!found)
    return fail_missing (f, p);
  const sd_values_ending *e = f->v->at[found->item];
  swapped = found->swapped;
  sd_values_blocks *h = e->values[sd_stored_side (e->nsides, p->stm, &swapped)];
  sd_board_squares (&b, swapped, sq);
  *out = sd_values_at (h, sd_index_of (e->indexer, sq));
  if (*out == SD_ILLEGAL && sd_values_makes (e)) /* an array may not know it yet */
    return sd_values_problem (h, f->err);
  if (*out != SD_ILLEGAL)
    *out = k->of (*out);
  return SD_OK;
}

/* sd_source.quiets of a position of own: no child is set up to find its slot. */
static int quiets (const sd_source *source, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                   sd_bound bound, sd_best *best) {
  const sd_values_source *f = (const sd_values_source *) source;
  sd_board b;
  const bool mine = sd_board_of (p, &b) && (b.key == f->key || b.key == f->swapped);
  bool swapped = mine && b.key == f->swapped;
  const unsigned side = sd_stored_side (f->own->nsides, p->stm ^ 1u, &swapped);
  sd_moving moving = mine ? sd_moving_of (&b, swapped) : (sd_moving){ 0 };
  for (unsigned i = 0; i < l->n && !sd_best_will_do (best, k, bound.limit); i++) {
    const sd_move *m = &l->at[i];
    if (!sd_is_quiet (m))
      continue;
    if (!mine || bound.sign != SD_NOT_KNOWN) {
      SD_TRY (sd_restore_move (source, k, p, m, bound, best));
      continue;
    }
    const uint64_t slot = sd_index_of (f->own->indexer, sd_moving_to (&moving, m->from, m->to));
    const sd_value theirs = own_value (f, k, side, slot);
    if (theirs != SD_ILLEGAL)
      sd_best_take (best, k, theirs, sd_metric_step (k, m));
  }
  return SD_OK;
}

sd_values_source sd_values_as_source (const sd_values *v, const sd_exact *own) {
  sd_values_source f = { .source = { plain, own ? quiets : NULL, false }, .v = v, .own = own };
  if (own) {
    f.key = sd_key_of_material (&own->material);
    f.swapped = sd_key_swapped (f.key);
    /* Equal material: there is nothing to swap, and 0 is no key. */
    if (f.swapped == f.key)
      f.swapped = 0;
  }
  return f;
}

int sd_values_of (const sd_values *v, const sd_pos *p, sd_value *out) {
  const sd_values_source f = sd_values_as_source (v, NULL);
  const sd_metric_kind *k = &sd_metrics[v->metric];
  return sd_restore_value (&f.source, k, p, SD_EXACT (k), out);
}

int sd_values_evident (const sd_values *v, const sd_exact *e, const sd_metric_kind *k, const sd_pos *p,
                       unsigned sides, unsigned freedom, bool *yes) {
  const sd_values_source f = sd_values_as_source (v, e);
  sd_value is;
  SD_TRY (sd_restore_evident (&f.source, k, p, sd_values_seen (e->nsides, sides, freedom), &is));
  *yes = is != SD_ILLEGAL;
  return SD_OK;
}

int sd_values_offers (const sd_values *v, const sd_metric_kind *k, const sd_pos *p, enum sd_move_class which,
                      sd_value is, bool *yes) {
  const sd_values_source f = sd_values_as_source (v, NULL);
  /* One that offers it ends the search: none offers more. */
  const sd_bound bound = { sd_metric_rank (k, k->of (is)), SD_NO_FLOOR, SD_NOT_KNOWN };
  sd_best best = { false, 0 };
  SD_TRY (sd_restore_conversions (&f.source, k, p, which, bound, &best));
  *yes = best.has && best.value == k->of (is);
  return SD_OK;
}
