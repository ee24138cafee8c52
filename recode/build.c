/* The whole way of a table file: subdefine, lay out, encode, write under a temporary name, read back,
 * compare, rename.
 *
 * A file gets its name only after every legal position, restored from the written bytes by the rules that the
 * prober uses (sd_restore_*), equals the exact value. For SD_CODING_MOVES the result that the prober takes
 * from the WDL table is here the exact value's sign: the WDL table is held to the same sign when it is built.
 *
 * What a table leaves to one ply of all moves (a side that is not stored, S0 Sec. 1.4; wins where SD_FREE_WIN
 * frees them) is restored in a second pass from the values that the first one restored from the file. */
#include "config.h"
#include "recode/recode_internal.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { STEP = 4096 }; /* slots that one thread takes at a time */

/* *d in another layout than the generator's. */
static int lay_out (const sd_exact *e, const sd_layout *layout, sd_subdefined **d, sd_error *err) {
  if (sd_layout_equal (sd_indexer_layout (e->indexer), layout))
    return SD_OK;
  sd_indexer *ix = NULL;
  sd_subdefined *laid = NULL;
  int st = sd_indexer_new (layout, &ix, err);
  if (st == SD_OK)
    st = sd_subdefined_relayout (*d, e->indexer, ix, &laid, err);
  sd_indexer_free (ix);
  if (st == SD_OK) {
    sd_subdefined_free (*d);
    *d = laid;
  }
  return st;
}

/* The sides that the spec names, subdefined, in the layouts that it asks for; d[] to be freed in any case. */
static int prepare (const sd_exacts *s, const sd_exact *e, const sd_table_spec *spec,
                    const sd_progress *progress, sd_subdefined *d[2], sd_error *err) {
  const bool joint = sd_table_joint (spec);
  int st = joint ? sd_subdefine_both (s, e, spec->coding, spec->freedom, progress, d, err) : SD_OK;
  for (unsigned side = 0; side < e->nsides && st == SD_OK; side++) {
    if (!(sd_table_sides (spec) >> side & 1))
      continue;
    if (!joint)
      st = sd_subdefine (s, e, side, spec->coding, spec->freedom, progress, &d[side], err);
    if (st == SD_OK)
      st = lay_out (e, &spec->side[joint ? 0 : side].layout, &d[side], err);
  }
  return st;
}

/* The first position that is restored wrongly. */
struct first_bad {
  uint64_t slot; /* UINT64_MAX: none */
  sd_value value;
  int status;
};

static void note_bad (struct first_bad *b, uint64_t slot, sd_value value, int status) {
#pragma omp critical(sd_build_compare)
  if (slot < b->slot)
    *b = (struct first_bad){ slot, value, status };
}

static int tell_bad (const sd_exact *e, const sd_table *t, unsigned side, const struct first_bad *bad,
                     sd_error *err) {
  uint8_t sq[SD_MAX_MEN];
  sd_pos p;
  char fen[96] = "a slot without a placement";
  if (bad->slot == UINT64_MAX)
    return SD_OK;
  if (sd_index_squares (e->indexer, bad->slot, sq)) {
    sd_pos_from_squares (&e->material, sq, side, &p);
    sd_pos_to_fen (&p, fen, sizeof fen);
  }
  if (bad->status != SD_EDIFF)
    return sd_fail (err, bad->status, "%s: %s: restoring: %s", t->name, fen, sd_strerror (bad->status));
  return sd_fail (err, SD_EDIFF, "%s: %s: restored value %d, exact value %d", t->name, fen, bad->value,
                  sd_metrics[t->info.metric].of (e->value[side][bad->slot]));
}

/* One more step of several threads is done; the first thread tells, now and then. */
static void one_more (const sd_progress *progress, const char *what, uint64_t *done, uint64_t steps) {
  uint64_t so_far;
#pragma omp atomic capture
  so_far = ++*done;
  bool reports = true;
#ifdef _OPENMP
  reports = omp_get_thread_num () == 0;
#endif
  if (reports && so_far % 32 < 2)
    sd_report (progress, what, so_far, steps);
}

/* The stored positions of a side. `restored` (may be NULL) receives their values; what is left to one ply
 * stays as it is. */
static int compare_side (const sd_exacts *s, const sd_exact *e, const sd_table *t, unsigned side,
                         sd_exact *restored, const sd_progress *progress, sd_error *err) {
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
  uint64_t steps = (e->n + STEP - 1) / STEP, done = 0;
  struct first_bad bad = { .slot = UINT64_MAX };
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t step = 0; step < steps; step++) {
    uint64_t slot[STEP], first = step * STEP, count = e->n - first < STEP ? e->n - first : STEP;
    uint64_t seen;
#pragma omp atomic read
    seen = bad.slot;
    if (seen < first)
      continue;
    sd_index_remap (e->indexer, info->side[side].indexer, first, count, slot);
    sd_index_walk walk = { .ix = e->indexer };
    for (uint64_t k = 0; k < count; k++) {
      sd_value v = e->value[side][first + k], is = SD_ILLEGAL;
      sd_pos p;
      if (v == SD_ILLEGAL || (v > 0 && (info->freedom & SD_FREE_WIN)))
        continue;
      int s1 = SD_EDIFF;
      if (slot[k] != UINT64_MAX && sd_index_walk_to (&walk, first + k)) {
        sd_pos_from_squares (&e->material, walk.sq, side, &p);
        s1 = sd_exacts_restore (s, &p, info->coding, info->freedom, map[sym[slot[k]]], sd_value_wdl (v), &is);
      }
      if (s1 == SD_OK && is != sd_metrics[info->metric].of (v))
        s1 = SD_EDIFF;
      if (s1 != SD_OK) {
        note_bad (&bad, first + k, is, s1);
        break;
      }
      if (restored)
        restored->value[side][first + k] = is;
    }
    one_more (progress, "comparing", &done, steps);
  }
  free (sym);
  return tell_bad (e, t, side, &bad, err);
}

/* What one ply restores: a side that is not stored, or the wins of one that is. */
static int compare_by_moves (const sd_exacts *s, const sd_exact *e, const sd_table *t, unsigned side,
                             const sd_exact *restored, const sd_progress *progress, sd_error *err) {
  const bool wins_only = sd_table_info_has (&t->info, side), results = !sd_metrics[t->info.metric].plies;
  const uint64_t steps = (e->n + STEP - 1) / STEP;
  uint64_t done = 0;
  struct first_bad bad = { .slot = UINT64_MAX };
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t step = 0; step < steps; step++) {
    const uint64_t first = step * STEP, end = e->n - first < STEP ? e->n : first + STEP;
    uint64_t seen;
#pragma omp atomic read
    seen = bad.slot;
    sd_index_walk walk = { .ix = e->indexer };
    for (uint64_t i = first; i < end && seen >= first; i++) {
      const sd_value v = e->value[side][i];
      sd_value is = SD_ILLEGAL;
      sd_pos p;
      if (v == SD_ILLEGAL || (wins_only && v <= 0))
        continue;
      int s1 = SD_EDIFF;
      if (sd_index_walk_to (&walk, i)) {
        sd_pos_from_squares (&e->material, walk.sq, side, &p);
        s1 = sd_exacts_by_moves (s, restored, &p, results, &is);
      }
      if (s1 == SD_OK && is != sd_metrics[t->info.metric].of (v))
        s1 = SD_EDIFF;
      if (s1 != SD_OK) {
        note_bad (&bad, i, is, s1);
        break;
      }
    }
    one_more (progress, "comparing by moves", &done, steps);
  }
  return tell_bad (e, t, side, &bad, err);
}

int sd_table_compare (const sd_exacts *s, const sd_exact *e, const sd_table *t, const sd_progress *progress,
                      sd_error *err) {
  sd_exact *restored = NULL;
  const bool by_moves = sd_table_info_by_moves (&t->info);
  if (by_moves)
    SD_TRY (sd_exact_new (&e->material, &restored, err));
  int st = SD_OK;
  for (unsigned side = 0; side < e->nsides && st == SD_OK; side++)
    if (sd_table_info_has (&t->info, side))
      st = compare_side (s, e, t, side, restored, progress, err);
  for (unsigned side = 0; side < e->nsides && st == SD_OK && by_moves; side++)
    if (!sd_table_info_has (&t->info, side) || (t->info.freedom & SD_FREE_WIN))
      st = compare_by_moves (s, e, t, side, restored, progress, err);
  sd_exact_free (restored);
  return st;
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

/* Code the sides that the spec names. SD_SIDES_ONE: each alone, and the smaller is kept. */
static int code (const sd_exacts *s, const sd_exact *e, const sd_table_spec *spec,
                 const sd_progress *progress, sd_buf *out, sd_error *err) {
  sd_subdefined *d[2] = { NULL, NULL };
  const bool one = spec->sides == SD_SIDES_ONE && e->nsides == 2;
  int st = sd_table_spec_check (spec, err);
  if (st == SD_OK)
    st = prepare (s, e, spec, progress, d, err);
  if (st == SD_OK && !one)
    st = sd_table_image (spec, (const sd_subdefined *const *) d, progress, out, err);
  for (unsigned side = 0; side < 2 && st == SD_OK && one; side++) {
    sd_table_spec alone = *spec;
    sd_buf image = { 0 };
    alone.sides = SD_SIDES_WHITE + side;
    st = sd_table_image (&alone, (const sd_subdefined *const *) d, progress, &image, err);
    if (st == SD_OK && (side == 0 || image.len < out->len)) {
      sd_buf_free (out);
      *out = image;
    } else
      sd_buf_free (&image);
  }
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
  return st;
}

int sd_table_build (const sd_exacts *s, const sd_table_spec *spec, const char *path,
                    const sd_progress *progress, sd_error *err) {
  const sd_exact *e = sd_exacts_find (s, &spec->material);
  char name[16];
  sd_material_name (&spec->material, name);
  if (!e)
    return sd_fail (err, SD_ENOENT, "%s: its exact values are not loaded", name);
  sd_outfile *f = NULL;
  sd_buf image = { 0 };
  /* the name first: an unwritable folder is told before the work, not after it */
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = code (s, e, spec, progress, &image, err);
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
