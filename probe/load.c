/* An ending's exact values from its table files: decode everything, restore every legal position.
 *
 * What a generator wrote (values with sign, only illegal slots free) needs nothing else. A reformatted DTM
 * file needs what its freedom names: the result from the WDL file (SD_CODING_MOVES) and the sub-endings'
 * exact values for the conversions (S0 Sec. 1.8, 1.9). Slots without a legal position may hold anything in a
 * file, so legality is computed anew. What a file leaves to one ply of all moves comes last, from what the
 * other side's positions were restored to. One pass over the slots, by all threads; memory 2 bytes per slot
 * and file beside the result. */
#include "config.h"
#include "probe/exact_internal.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { STEP = 4096 }; /* slots that one thread takes at a time */

/* Open NAME in the first folder of the path (colon-separated) that has it; `first`: a folder to look in
 * before, or NULL. *folder receives the folder's text (in path or first). */
static int open_on_path (const char *path, const char *first, size_t first_len, const char *name,
                         const char **folder, size_t *folder_len, sd_table **out, sd_error *err) {
  const char *p = first ? first : path;
  size_t len = first ? first_len : strcspn (p, ":");
  for (;;) {
    if (len > 0) {
      size_t bytes = len + 1 + strlen (name) + 1;
      char *full = malloc (bytes);
      if (!full)
        return sd_fail_memory (err, bytes);
      snprintf (full, bytes, "%.*s/%s", (int) len, p, name);
      if (sd_file_exists (full)) {
        int st = sd_table_open (full, SD_OPEN_CHECK, out, err);
        free (full);
        *folder = p;
        *folder_len = len;
        return st;
      }
      free (full);
    }
    if (first) {
      p = path;
      first = NULL;
    } else {
      if (p[len] == 0)
        break;
      p += len + 1;
    }
    len = strcspn (p, ":");
  }
  if (path[0] == 0)
    return sd_fail_missing (err, name, "%s: not loaded, and no folder to look in was given", name);
  return sd_fail_missing (err, name, "%s: not found in %s", name, path);
}

/* One table of m; *folder as above. */
static int open_one (const char *path, const char *first, size_t first_len, const sd_material *m,
                     enum sd_metric metric, const char **folder, size_t *folder_len, sd_table **out,
                     sd_error *err) {
  char name[32];
  sd_table_file_name (m, metric, name);
  SD_TRY (open_on_path (path, first, first_len, name, folder, folder_len, out, err));
  if (sd_material_equal (&(*out)->info.material, m) && (*out)->info.metric == metric)
    return SD_OK;
  int st = sd_fail (err, SD_EFORMAT, "%s: holds another table than its name says", (*out)->name);
  sd_table_close (*out);
  *out = NULL;
  return st;
}

int sd_table_open_dtm (const char *path, const sd_material *m, sd_table **dtm, sd_table **wdl,
                       sd_error *err) {
  const char *folder;
  size_t len;
  *dtm = *wdl = NULL;
  SD_TRY (open_one (path, NULL, 0, m, SD_DTM, &folder, &len, dtm, err));
  int st = SD_OK;
  if ((*dtm)->info.coding == SD_CODING_MOVES)
    st = open_one (path, folder, len, m, SD_WDL, &folder, &len, wdl, err);
  if (st != SD_OK) {
    sd_table_close (*dtm);
    *dtm = NULL;
  }
  return st;
}

int sd_table_read_all (const sd_table *t, unsigned side, sd_symbol *out, const sd_progress *progress,
                       const char *what, sd_error *err) {
  const sd_decoder *d = t->info.side[side].decoder;
  uint64_t n = t->info.side[side].slots, threads = 1;
  const uint64_t block = sd_table_info_block (&t->info, side), blocks = block ? n / block : 0;
#ifdef _OPENMP
  threads = (uint64_t) omp_get_max_threads ();
#endif
  /* A part's ends cut a block in two, which is then decoded twice: many parts only where blocks are many. */
  uint64_t parts = blocks > 64 * threads ? 16 * threads : threads, step = n / parts + 1, done = 0;
  int status = SD_OK;
  uint64_t bad = 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (uint64_t part = 0; part < parts; part++) {
    uint64_t first = part * step, count = first >= n ? 0 : n - first < step ? n - first : step, seen;
    int st = count ? sd_codec_read (d, first, count, out + first) : SD_OK;
#pragma omp atomic capture
    seen = done += count;
    bool reports = true;
#ifdef _OPENMP
    reports = omp_get_thread_num () == 0;
#endif
    if (reports && what)
      sd_report (progress, what, seen, n);
    if (st != SD_OK) {
#pragma omp critical(sd_table_read_all)
      {
        status = st;
        bad = first;
      }
    }
  }
  if (status != SD_OK)
    return sd_fail (err, status, "%s: %s: slots from %" PRIu64 " on cannot be decoded: %s", t->name,
                    sd_table_mover (t, side), bad, sd_strerror (status));
  return SD_OK;
}

/* One file's decoded side, and the way from the generator's slots to its own. */
typedef struct source {
  const sd_table *t;
  sd_symbol *sym[2];
} source;

static void source_free (source *src) {
  free (src->sym[0]);
  free (src->sym[1]);
}

static int source_read (source *src, const sd_table *t, const sd_exact *e, sd_error *err) {
  src->t = t;
  for (unsigned side = 0; side < e->nsides; side++) {
    if (!sd_table_info_has (&t->info, side))
      continue;
    src->sym[side] = sd_alloc (t->info.side[side].slots, sizeof *src->sym[side]);
    if (!src->sym[side])
      return sd_fail_memory (err, t->info.side[side].slots * sizeof *src->sym[side]);
    SD_TRY (sd_table_read_all (t, side, src->sym[side], NULL, NULL, err));
  }
  return SD_OK;
}

/* value[0..count-1] = the map's values at the generator's slots first..; 0 where there is no placement. */
static void source_values (const source *src, const sd_exact *e, unsigned side, uint64_t first,
                           uint64_t count, sd_value *value) {
  const sd_table_info *info = &src->t->info;
  const sd_value *map = info->side[side].map;
  uint64_t slot[STEP];
  sd_index_remap (e->indexer, info->side[side].indexer, first, count, slot);
  for (uint64_t k = 0; k < count; k++)
    value[k] = slot[k] == UINT64_MAX ? 0 : map[src->sym[side][slot[k]]];
}

/* What the file itself restores of a side: result: the ending's results if the file's coding needs them. */
static int restore_stored (const sd_exacts *s, const source *from, const sd_exact *result, sd_exact *e,
                           unsigned side) {
  const sd_table_info *d = &from->t->info;
  uint64_t steps = (e->n + STEP - 1) / STEP;
  int status = SD_OK;
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t step = 0; step < steps; step++) {
    int seen;
#pragma omp atomic read
    seen = status;
    if (seen != SD_OK)
      continue;
    sd_value stored[STEP];
    uint64_t first = step * STEP, count = e->n - first < STEP ? e->n - first : STEP;
    int st = SD_OK;
    source_values (from, e, side, first, count, stored);
    sd_index_walk walk = { .ix = e->indexer };
    for (uint64_t k = 0; k < count && st == SD_OK; k++) {
      sd_pos p;
      if (!sd_index_walk_to (&walk, first + k))
        continue; /* stays SD_ILLEGAL */
      sd_pos_from_squares (&e->material, walk.sq, side, &p);
      if (!sd_pos_legal (&p))
        continue;
      const sd_value r = result ? result->value[side][first + k] : 0;
      if (r > 0 && (d->freedom & SD_FREE_WIN))
        continue;
      st = sd_exacts_restore (s, &p, d->coding, d->freedom, stored[k], r, &e->value[side][first + k]);
    }
    if (st != SD_OK) {
#pragma omp atomic write
      status = st;
    }
  }
  return status;
}

/* The legal positions of a side that have no value yet. They are read from the other side's, but for equal
 * material, whose values therefore stay as they are until all are found. */
static int restore_by_moves (const sd_exacts *s, sd_exact *e, unsigned side, bool results) {
  sd_value *fresh = sd_alloc (e->n, sizeof *fresh);
  int status = SD_OK;
  if (!fresh)
    return SD_ENOMEM;
#pragma omp parallel for schedule(dynamic, 4096)
  for (uint64_t i = 0; i < e->n; i++) {
    sd_pos p;
    int st = SD_OK;
    fresh[i] = e->value[side][i];
    if (fresh[i] == SD_ILLEGAL && sd_exact_position (e, side, i, &p))
      st = sd_exacts_by_moves (s, e, &p, results, &fresh[i]);
    if (st != SD_OK) {
#pragma omp atomic write
      status = st;
    }
  }
  free (e->value[side]);
  e->value[side] = fresh;
  return status;
}

/* All values of a table of m whose successors are there, if it needs them. */
static int restore (const sd_exacts *s, const sd_material *m, const sd_table *t, const sd_exact *result,
                    sd_exact **out, sd_error *err) {
  source from = { 0 };
  sd_exact *e;
  SD_TRY (sd_exact_new (m, &e, err));
  int st = source_read (&from, t, e, err);
  const bool read = st == SD_OK;
  for (unsigned side = 0; side < e->nsides && st == SD_OK; side++)
    if (sd_table_info_has (&t->info, side))
      st = restore_stored (s, &from, result, e, side);
  for (unsigned side = 0; side < e->nsides && st == SD_OK; side++)
    if (!sd_table_info_has (&t->info, side) || (t->info.freedom & SD_FREE_WIN))
      st = restore_by_moves (s, e, side, t->info.metric == SD_WDL);
  source_free (&from);
  if (st != SD_OK) {
    sd_exact_free (e);
    return read ? sd_fail (err, st, "%s: restoring its values: %s", t->name, sd_strerror (st)) : st;
  }
  *out = e;
  return SD_OK;
}

/* A file that names conversions, or leaves positions to one ply, rests on the sub-endings, each of which may
 * have to be loaded: both ways round one recursion, ended by the number of men and pawns. */
static int need_successors (sd_exacts *s, const sd_material *m, sd_error *err) {
  sd_material next[64];
  const sd_exact *e;
  unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (sd_exacts_get (s, &next[i], &e, err));
  return SD_OK;
}

static int load (sd_exacts *s, const sd_material *m, sd_exact **out, sd_error *err) {
  sd_table *dtm = NULL, *wdl = NULL;
  sd_exact *result = NULL;
  int st = sd_table_open_dtm (sd_exacts_path (s), m, &dtm, &wdl, err);
  if (st == SD_OK && (sd_table_info_looks (&dtm->info) || (wdl && sd_table_info_looks (&wdl->info))))
    st = need_successors (s, m, err);
  if (st == SD_OK && wdl)
    st = restore (s, m, wdl, NULL, &result, err);
  if (st == SD_OK)
    st = restore (s, m, dtm, result, out, err);
  if (st == SD_OK && (sd_exacts_note_file (s, dtm->name) || (wdl && sd_exacts_note_file (s, wdl->name)))) {
    st = sd_fail_memory (err, 0);
    sd_exact_free (*out);
  }
  sd_exact_free (result);
  sd_table_close (dtm);
  sd_table_close (wdl);
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
  SD_TRY (load (s, m, &e, err));
  if (sd_exacts_put (s, e))
    return sd_fail_memory (err, 0);
  *out = e;
  return SD_OK;
}

int sd_exacts_need (sd_exacts *s, const sd_material *m, sd_error *err) {
  const sd_exact *e;
  SD_TRY (need_successors (s, m, err));
  return sd_material_men (m) > 2 ? sd_exacts_get (s, m, &e, err) : SD_OK;
}
