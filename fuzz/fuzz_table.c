/** \file fuzz_table.c
 * A table file from anywhere, most of them with all checksums put right (they are no secret): opening refuses
 * it or makes a table that can be read, probed and brought into another layout without leaving its memory; or
 * a table of another game, whose states can be read. Either way it holds no more memory than its bytes allow.
 */
#include "config.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory.h"
#include "fuzz/sums.h"
#include "probe/probe.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 2000

sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS]; /* tables by the codec of their first side; the last: none */

static void one_window (const sd_table_info *info, unsigned side, uint64_t first) {
  const sd_decoder *d = info->side[side].decoder;
  uint64_t n = info->side[side].slots, count = n - first < WINDOW ? n - first : WINDOW;
  sd_symbol all[WINDOW], one;
  if (sd_codec_read (d, first, count, all) == SD_OK)
    for (uint64_t i = 0; i < count; i++)
      SD_FUZZ_CHECK (all[i] < info->side[side].main);
  for (uint64_t i = 0; i < count; i += 1 + count / 4)
    if (sd_codec_get (d, first + i, &one) == SD_OK)
      SD_FUZZ_CHECK (one < info->side[side].main);
}

/* As the loader does: the slots of another layout in this one. */
static void other_layout (const sd_table_info *info, unsigned side, uint64_t *state) {
  sd_layout plain;
  sd_indexer *ix;
  uint64_t map[256];
  sd_layout_kings_first (&info->material, &plain);
  if (sd_indexer_new (&plain, &ix, NULL))
    return;
  for (unsigned k = 0; k < 8; k++) {
    uint64_t n = sd_indexer_size (ix), first = sd_random (state) % n,
             count = n - first < 256 ? n - first : 256;
    uint8_t sq[SD_MAX_MEN], home[SD_MAX_MEN];
    sd_index_remap (ix, info->side[side].indexer, first, count, map);
    for (uint64_t i = 0; i < count; i++) {
      bool placed = sd_index_squares (ix, first + i, sq);
      SD_FUZZ_CHECK (placed == (map[i] != UINT64_MAX));
      if (!placed)
        continue;
      SD_FUZZ_CHECK (map[i] < info->side[side].slots);
      SD_FUZZ_CHECK (sd_index_squares (info->side[side].indexer, map[i], home));
      SD_FUZZ_CHECK (sd_index_of (ix, home) == first + i);
    }
  }
  sd_indexer_free (ix);
}

static void probe (const sd_table *t, const sd_table_info *info, uint64_t *state) {
  sd_tables *ts;
  if (sd_tables_open (NULL, 0, &ts, NULL))
    return;
  if (sd_tables_use (ts, t) == SD_OK)
    for (unsigned k = 0; k < 100; k++) {
      uint8_t sq[SD_MAX_MEN];
      sd_pos p;
      sd_value v;
      int wdl;
      const sd_indexer *ix = info->side[sd_table_info_has (info, 0) ? 0 : 1].indexer;
      if (!sd_index_squares (ix, sd_random (state) % sd_indexer_size (ix), sq))
        continue;
      sd_pos_from_squares (&info->material, sq, k & 1, &p);
      if (sd_probe_wdl (ts, &p, &wdl, NULL) == SD_OK)
        SD_FUZZ_CHECK (wdl >= -1 && wdl <= 1);
      if (sd_probe_dtm (ts, &p, &v, NULL) == SD_OK)
        SD_FUZZ_CHECK (v != SD_ILLEGAL);
    }
  sd_tables_close (ts);
}

static void read_game (const sd_table *t, const sd_table_info *info, uint64_t *state) {
  const uint64_t n = info->game.states;
  sd_symbol s[8];
  sd_tables *ts;
  SD_FUZZ_CHECK (sd_table_game_check (&info->game, NULL) == SD_OK && n == info->side[0].slots);
  for (unsigned k = 0; k < 20; k++) {
    const uint64_t first = sd_random (state) % n, count = n - first < 8 ? n - first : 8;
    if (sd_codec_read (info->side[0].decoder, first, count, s) == SD_OK)
      for (uint64_t i = 0; i < count; i++) {
        const sd_value v = info->side[0].map[s[i]];
        SD_FUZZ_CHECK (v != SD_ILLEGAL
                       && (sd_metrics[info->metric].plies || abs (v) <= sd_metrics[info->metric].top));
      }
  }
  if (sd_tables_open (NULL, 0, &ts, NULL))
    return;
  if (sd_tables_use (ts, t) == SD_OK)
    SD_FUZZ_CHECK (sd_tables_at (ts, 0, NULL) == t);
  sd_tables_close (ts);
}

/* info: NULL if the file was refused. */
static void count (const sd_table_info *info) {
  if (!info) {
    sd_fuzz_count_one (SD_FUZZ_KINDS - 1, "refused", false);
    return;
  }
  const sd_side *side = &info->side[!sd_table_info_has (info, 0)];
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  for (unsigned k = 0; k < n; k++)
    if (strcmp (codec[k]->name, sd_side_codec (side)) == 0)
      sd_fuzz_count_one (k, codec[k]->name, true);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  uint8_t *exact = sd_alloc (size, 1); /* ends where the file ends */
  uint64_t state = size;
  sd_table *t;
  sd_error err = { 0 };
  if (!exact)
    return 0;
  memcpy (exact, data, size);
  if (size & 3) /* one of four sizes as damage on a disk is */
    sd_fuzz_put_right (exact, size);
  const uint64_t start = sd_fuzz_memory_start ();
  const int st = sd_table_open_memory (exact, size, "fuzz", 0, &t, &err);
  SD_FUZZ_CHECK (sd_fuzz_memory_peak (start) <= sd_open_bound (size));
  if (st == SD_OK) {
    sd_table_info info;
    sd_table_describe (t, &info);
    count (&info);
    for (unsigned side = 0; side < info.nsides; side++) {
      if (!sd_table_info_has (&info, side))
        continue;
      uint64_t n = info.side[side].slots;
      one_window (&info, side, 0);
      one_window (&info, side, n < WINDOW ? 0 : n - WINDOW);
      for (unsigned k = 0; k < 2; k++)
        one_window (&info, side, sd_random (&state) % n);
      if (info.side[side].layout)
        other_layout (&info, side, &state);
    }
    if (sd_table_info_is_game (&info))
      read_game (t, &info, &state);
    else
      probe (t, &info, &state);
    sd_table_check (t, &err);
    sd_table_close (t);
  } else {
    count (NULL);
    SD_FUZZ_CHECK (strncmp (err.text, "fuzz: ", 6) == 0);
  }
  free (exact);
  return 0;
}
