/* Exact values in memory: endings by material, and a source of their values. Endings are found as the prober
 * finds its tables (lookup_internal.h). Loading is load.c's, which uses this file. */
#include "config.h"
#include "probe/exact_internal.h"
#include "probe/lookup_internal.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- an ending */

int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err) {
  sd_layout layout;
  sd_exact *e = calloc (1, sizeof *e);
  if (!e)
    return sd_fail_memory (err, sizeof *e);
  e->material = *m;
  e->nsides = sd_material_symmetric (m) ? 1 : 2;
  sd_layout_kings_first (m, &layout);
  int st = sd_indexer_new (&layout, &e->indexer, err);
  if (st != SD_OK) {
    free (e);
    return st;
  }
  e->n = sd_indexer_size (e->indexer);
  for (unsigned side = 0; side < e->nsides; side++) {
    e->value[side] = sd_alloc (e->n, sizeof *e->value[side]);
    if (!e->value[side]) {
      size_t bytes = e->n * sizeof *e->value[side];
      sd_exact_free (e);
      return sd_fail_memory (err, bytes);
    }
    for (uint64_t i = 0; i < e->n; i++)
      e->value[side][i] = SD_ILLEGAL;
  }
  *out = e;
  return SD_OK;
}

void sd_exact_free (sd_exact *e) {
  if (!e)
    return;
  free (e->value[0]);
  free (e->value[1]);
  sd_indexer_free (e->indexer);
  free (e);
}

bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p) {
  uint8_t sq[SD_MAX_MEN];
  if (!sd_index_squares (e->indexer, i, sq))
    return false;
  sd_pos_from_squares (&e->material, sq, side, p);
  return sd_pos_legal (p);
}

void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out) {
  memset (out, 0, sizeof *out);
  const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
  for (uint64_t i = 0; i < e->n; i++) {
    if (v[i] == SD_ILLEGAL)
      continue;
    out->positions++;
    if (v[i] == 0)
      out->drawn++;
    else if (v[i] > 0) {
      out->won++;
      if (v[i] > out->longest_win)
        out->longest_win = v[i];
    } else {
      out->lost++;
      if (v[i] < out->longest_loss)
        out->longest_loss = v[i];
    }
  }
}

/* --------------------------------------------------------------- their set */

struct sd_exacts {
  char *path;
  const sd_progress *progress; /* of loading; NULL: nobody is told */
  enum sd_metric metric;
  enum sd_metric syzygy; /* they come from Syzygy files alone, in this metric; SD_METRICS: from any files */
  sd_exact **owned;
  uint64_t count, room;
  sd_keys keys; /* material -> place in owned[] */
  char **file;  /* that values were read from */
  uint64_t nfiles, files_room;
};

int sd_exacts_new (const char *path, sd_exacts **out, sd_error *err) {
  return sd_exacts_new_of (path, SD_DTM, out, err);
}

int sd_exacts_new_of (const char *path, enum sd_metric metric, sd_exacts **out, sd_error *err) {
  sd_exacts *s = calloc (1, sizeof *s);
  if (!s || !(s->path = strdup (path ? path : ""))) {
    free (s);
    return sd_fail_memory (err, 0);
  }
  s->metric = metric;
  s->syzygy = SD_METRICS;
  *out = s;
  return SD_OK;
}

int sd_exacts_new_syzygy (const char *path, bool plies, sd_exacts **out, sd_error *err) {
  SD_TRY (sd_exacts_new_of (path, SD_DTZ50, out, err));
  (*out)->syzygy = plies ? SD_DTZ50 : SD_WDL50;
  return SD_OK;
}

void sd_exacts_free (sd_exacts *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->count; i++)
    sd_exact_free (s->owned[i]);
  free (s->owned);
  sd_keys_free (&s->keys);
  for (size_t i = 0; i < s->nfiles; i++)
    free (s->file[i]);
  free (s->file);
  free (s->path);
  free (s);
}

void sd_exacts_show (sd_exacts *s, const sd_progress *progress) {
  s->progress = progress;
}

const sd_progress *sd_exacts_progress (const sd_exacts *s) {
  return s->progress;
}

const char *sd_exacts_path (const sd_exacts *s) {
  return s->path;
}

enum sd_metric sd_exacts_metric (const sd_exacts *s) {
  return s->metric;
}

enum sd_metric sd_exacts_syzygy (const sd_exacts *s) {
  return s->syzygy;
}

int sd_exacts_note_file (sd_exacts *s, const char *name) {
  if (!sd_grow (&s->file, &s->files_room, s->nfiles + 1) || !(s->file[s->nfiles] = strdup (name)))
    return SD_ENOMEM;
  s->nfiles++;
  return SD_OK;
}

size_t sd_exacts_files (const sd_exacts *s, const char *const **files) {
  *files = (const char *const *) s->file;
  return s->nfiles;
}

int sd_exacts_put (sd_exacts *s, sd_exact *e) {
  const sd_keyed *old = sd_keys_find (&s->keys, sd_key_of_material (&e->material));
  if (old) {
    if (s->owned[old->item] != e)
      sd_exact_free (s->owned[old->item]);
    s->owned[old->item] = e;
    return SD_OK;
  }
  if (!sd_grow (&s->owned, &s->room, s->count + 1)
      || sd_keys_add (&s->keys, &e->material, (uint32_t) s->count)) {
    sd_exact_free (e);
    return SD_ENOMEM;
  }
  s->owned[s->count++] = e;
  return SD_OK;
}

const sd_exact *sd_exacts_find (const sd_exacts *s, const sd_material *m) {
  const sd_keyed *found = sd_keys_find (&s->keys, sd_key_of_material (m));
  return found && !found->swapped ? s->owned[found->item] : NULL;
}

/* --------------------------------------------------------- values of positions */

/* Values in memory as a source. They are what the metric of s says, or own's what its metric does. */
static int plain (const sd_source *source, const sd_metric_kind *k, const sd_pos *p, sd_bound bound,
                  sd_value *out) {
  const sd_exacts_source *f = (const sd_exacts_source *) source;
  sd_board b;
  uint8_t sq[SD_SQUARES];
  (void) bound;
  if (!sd_board_of (p, &b))
    return SD_ENOENT;
  if (b.key == SD_KEY_KVK) {
    *out = 0;
    return SD_OK;
  }
  const sd_exact *e = f->own;
  bool swapped = e && b.key == f->swapped;
  if (!e || (b.key != f->key && !swapped)) {
    const sd_keyed *found = sd_keys_find (&f->s->keys, b.key);
    if (!found)
      return SD_ENOENT;
    e = f->s->owned[found->item];
    swapped = found->swapped;
  }
  unsigned side = sd_stored_side (e->nsides, p->stm, &swapped);
  sd_board_squares (&b, swapped, sq);
  *out = e->value[side][sd_index_of (e->indexer, sq)];
  if (*out != SD_ILLEGAL && !(e == f->own && f->told))
    *out = k->of (*out);
  return SD_OK;
}

sd_exacts_source sd_exacts_as_source (const sd_exacts *s, const sd_exact *own) {
  sd_exacts_source f = { { plain, NULL, false }, s, own, false, 0, 0 };
  if (own) {
    f.key = sd_key_of_material (&own->material);
    f.swapped = sd_key_swapped (f.key);
    if (f.swapped == f.key)
      f.swapped = 0;
  }
  return f;
}

int sd_exacts_value (const sd_exacts *s, const sd_pos *p, sd_value *out) {
  const sd_exacts_source f = sd_exacts_as_source (s, NULL);
  const sd_metric_kind *k = &sd_metrics[s->metric];
  return sd_restore_value (&f.source, k, p, SD_EXACT (k), out);
}

int sd_exacts_offers (const sd_exacts *s, const sd_metric_kind *k, const sd_pos *p, enum sd_move_class which,
                      sd_value v, bool *yes) {
  const sd_exacts_source f = sd_exacts_as_source (s, NULL);
  const sd_bound bound = { sd_metric_rank (k, k->of (v)), SD_NO_FLOOR, SD_NOT_KNOWN };
  sd_best best = { false, 0 };
  SD_TRY (sd_restore_conversions (&f.source, k, p, which, bound, &best));
  *yes = best.has && best.value == k->of (v);
  return SD_OK;
}
