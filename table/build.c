/* The whole way of a table file: subdefine, lay out, encode, write under a temporary name, read back,
 * compare, rename.
 *
 * A file gets its name only after every legal position, restored from the written bytes by the rules that the
 * prober uses (sd_restore_*), equals the exact value. For SD_CODING_MOVES the result that the prober takes
 * from the WDL table is here the exact value's sign: the WDL table is held to the same sign when it is built.
 */
#include "config.h"
#include "table/table.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { STEP = 4096 }; /* slots that one thread takes at a time */

/* Subdefined side in the layout that the spec asks for. */
static int prepare (const sd_exacts *s, const sd_exact *e, const sd_table_spec *spec, unsigned side,
                    const sd_progress *progress, sd_subdefined **out, sd_error *err) {
  sd_subdefined *d;
  SD_TRY (sd_subdefine (s, e, side, spec->coding, spec->freedom, progress, &d, err));
  if (sd_layout_equal (sd_indexer_layout (e->indexer), &spec->side[side].layout)) {
    *out = d;
    return SD_OK;
  }
  sd_indexer *ix = NULL;
  int st = sd_indexer_new (&spec->side[side].layout, &ix, err);
  if (st == SD_OK)
    st = sd_subdefined_relayout (d, e->indexer, ix, out, err);
  sd_indexer_free (ix);
  sd_subdefined_free (d);
  return st;
}

/* What a table of this coding has to say about exact value v. */
static sd_value told (enum sd_coding coding, sd_value v) {
  return coding == SD_CODING_WDL ? (sd_value) sd_value_wdl (v) : v;
}

static int compare_side (const sd_exacts *s, const sd_exact *e, const sd_table *t, unsigned side,
                         const sd_progress *progress, sd_error *err) {
  const sd_table_info *info = &t->info;
  const sd_value *map = info->side[side].map;
  sd_symbol *sym = sd_alloc (info->side[side].slots, sizeof *sym);
  if (!sym)
    return sd_fail_memory (err, info->side[side].slots * sizeof *sym);
  int st = sd_table_read_all (t, side, sym, progress, "decoding", err);
  if (st != SD_OK) {
    free (sym);
    return st;
  }
  uint64_t steps = (e->n + STEP - 1) / STEP, done = 0, bad = UINT64_MAX;
  sd_value bad_value = 0;
  int status = SD_OK;
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t step = 0; step < steps; step++) {
    uint64_t slot[STEP], first = step * STEP, count = e->n - first < STEP ? e->n - first : STEP;
    int seen;
#pragma omp atomic read
    seen = status;
    if (seen != SD_OK)
      continue;
    sd_index_remap (e->indexer, info->side[side].indexer, first, count, slot);
    for (uint64_t k = 0; k < count; k++) {
      sd_value v = e->value[side][first + k], restored = SD_ILLEGAL;
      uint8_t sq[SD_MAX_MEN];
      sd_pos p;
      if (v == SD_ILLEGAL)
        continue;
      int s1 = SD_EDIFF;
      if (slot[k] != UINT64_MAX && sd_index_squares (e->indexer, first + k, sq)) {
        sd_pos_from_squares (&e->material, sq, side, &p);
        s1 = sd_exacts_restore (s, &p, info->coding, info->freedom, map[sym[slot[k]]], sd_value_wdl (v),
                                &restored);
      }
      if (s1 == SD_OK && restored != told (info->coding, v))
        s1 = SD_EDIFF;
      if (s1 != SD_OK) {
#pragma omp critical(sd_build_compare)
        if (first + k < bad) {
          bad = first + k;
          bad_value = restored;
          status = s1;
        }
        break;
      }
    }
    uint64_t so_far;
#pragma omp atomic capture
    so_far = ++done;
    bool reports = true;
#ifdef _OPENMP
    reports = omp_get_thread_num () == 0;
#endif
    if (reports && so_far % 32 < 2)
      sd_report (progress, "comparing", so_far, steps);
  }
  free (sym);
  if (status == SD_OK)
    return SD_OK;
  uint8_t sq[SD_MAX_MEN];
  sd_pos p;
  char fen[96] = "a slot without a placement";
  if (sd_index_squares (e->indexer, bad, sq)) {
    sd_pos_from_squares (&e->material, sq, side, &p);
    sd_pos_to_fen (&p, fen, sizeof fen);
  }
  if (status != SD_EDIFF)
    return sd_fail (err, status, "%s: %s: restoring: %s", t->name, fen, sd_strerror (status));
  return sd_fail (err, SD_EDIFF, "%s: %s: restored value %d, exact value %d", t->name, fen, bad_value,
                  told (info->coding, e->value[side][bad]));
}

int sd_table_compare (const sd_exacts *s, const sd_exact *e, const sd_table *t, const sd_progress *progress,
                      sd_error *err) {
  for (unsigned side = 0; side < e->nsides; side++)
    SD_TRY (compare_side (s, e, t, side, progress, err));
  return SD_OK;
}

/* Read the temporary file back, compare it. */
static int read_back (const sd_exacts *s, const sd_exact *e, sd_outfile *f, const char *path,
                      const sd_progress *progress, sd_error *err) {
  sd_map map;
  sd_table *t;
  SD_TRY (sd_map_open (sd_outfile_temp_name (f), &map, err));
  int st = sd_table_open_memory (map.data, map.len, path, SD_OPEN_CHECK, &t, err);
  if (st == SD_OK) {
    st = sd_table_compare (s, e, t, progress, err);
    sd_table_close (t);
  }
  sd_map_close (&map);
  return st;
}

int sd_table_build (const sd_exacts *s, const sd_table_spec *spec, const char *path,
                    const sd_progress *progress, sd_error *err) {
  const sd_exact *e = sd_exacts_find (s, &spec->material);
  char name[16];
  sd_material_name (&spec->material, name);
  if (!e)
    return sd_fail (err, SD_ENOENT, "%s: its exact values are not loaded", name);
  sd_subdefined *d[2] = { NULL, NULL };
  sd_outfile *f = NULL;
  sd_buf image = { 0 };
  /* the name first: an unwritable folder is told before the work, not after it */
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = SD_OK;
  for (unsigned side = 0; side < e->nsides && st == SD_OK; side++)
    st = prepare (s, e, spec, side, progress, &d[side], err);
  if (st == SD_OK)
    st = sd_table_image (spec, (const sd_subdefined *const *) d, progress, &image, err);
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
  if (st == SD_OK)
    st = sd_outfile_write (f, image.data, image.len, err);
  sd_buf_free (&image);
  if (st == SD_OK)
    st = sd_outfile_sync (f, err);
  if (st == SD_OK)
    st = read_back (s, e, f, path, progress, err);
  if (st != SD_OK) {
    sd_outfile_abort (f);
    return st;
  }
  return sd_outfile_commit (f, err);
}
