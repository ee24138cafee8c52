/* Building tables of other games than chess: their states are numbers, each has a value, and states that there
 * are not may be free. */
#include "config.h"
#include "recode/recode_internal.h"
#include <inttypes.h>
#include <stdlib.h>

int sd_table_game_subdefine (const sd_table_spec *spec, const sd_value *value, const sd_progress *progress,
                             sd_subdefined **out, sd_error *err) {
  SD_TRY (sd_table_game_check (&spec->game, err));
  SD_TRY (sd_table_spec_check (spec, err));
  /* without conversions no more is asked of an ending than its values */
  const sd_exact e = { .nsides = 1,
                       .n = spec->game.states,
                       .value = { (sd_value *) (uintptr_t) value, NULL } };
  return sd_subdefine (NULL, &e, 0, spec->coding, spec->freedom, progress, out, err);
}

static int compare (const sd_table *t, const sd_value *value, const sd_progress *progress, sd_error *err) {
  const uint64_t n = t->info.game.states;
  sd_value *stored = sd_alloc (n, sizeof *stored);
  if (!stored)
    return sd_fail_memory (err, n * sizeof *stored);
  int st = sd_table_game_read_all (t, stored, progress, err);
  for (uint64_t i = 0; i < n && st == SD_OK; i++) {
    const int want = sd_metrics[t->info.metric].of (value[i]);
    if (value[i] != SD_ILLEGAL && stored[i] != want)
      st = sd_fail (err, SD_EDIFF, "%s: state %" PRIu64 ": stored value %d, exact value %d", t->name, i,
                    stored[i], want);
  }
  free (stored);
  return st;
}

/* Read the temporary file back, compare it. */
static int read_back (const sd_value *value, sd_outfile *f, const char *path, const sd_progress *progress,
                      sd_error *err) {
  sd_map map;
  sd_table *t;
  SD_TRY (sd_map_open (sd_outfile_temp_name (f), &map, err));
  int st = sd_table_open_memory (map.data, map.len, path, SD_OPEN_CHECK, &t, err);
  if (st == SD_OK) {
    st = compare (t, value, progress, err);
    sd_table_close (t);
  }
  sd_map_close (&map);
  return st;
}

int sd_table_build_game (const sd_table_spec *spec, const sd_value *value, const char *path,
                         const sd_progress *progress, sd_error *err) {
  sd_subdefined *d[2] = { NULL, NULL };
  sd_outfile *f = NULL;
  sd_buf image = { 0 };
  /* the name first: an unwritable folder is told before the work, not after it */
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = sd_table_game_subdefine (spec, value, progress, &d[0], err);
  if (st == SD_OK)
    st = sd_table_image (spec, (const sd_subdefined *const *) d, progress, &image, err);
  sd_subdefined_free (d[0]);
  if (st == SD_OK)
    st = sd_outfile_write (f, image.data, image.len, err);
  sd_buf_free (&image);
  if (st == SD_OK)
    st = sd_outfile_sync (f, err);
  if (st == SD_OK)
    st = read_back (value, f, path, progress, err);
  if (st != SD_OK) {
    sd_outfile_abort (f);
    return st;
  }
  return sd_outfile_commit (f, err);
}
