/** \file fuzz_table.c
 * A table file from anywhere, its header's checksum put right (the checksum is no secret): opening refuses it
 * or makes a table that can be read, probed and brought into another layout without leaving its memory; or a
 * table of another game, whose states can be read. */
#include "config.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "table/table.h"

#include <string.h>

#define WINDOW 2000

/* Bytes of the header as the file says it, and a checksum that fits, if there is room for both. */
static void put_checksum_right (uint8_t *data, size_t size) {
  sd_reader r = sd_reader_of (data, size);
  sd_get_bytes (&r, 5);
  uint64_t header = sd_get_varint (&r);
  size_t left = (size_t) (r.end - r.p);
  if (r.bad || left < 4 || header > left - 4)
    return;
  size_t covered = size - left + (size_t) header;
  uint64_t sum = sd_hash64 (data, covered);
  for (unsigned i = 0; i < 4; i++)
    data[covered + i] = (uint8_t) (sum >> (8 * i));
}

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
  sd_value v[8];
  sd_tables *ts;
  SD_FUZZ_CHECK (sd_table_game_check (&info->game, NULL) == SD_OK && n == info->side[0].slots);
  for (unsigned k = 0; k < 20; k++) {
    const uint64_t first = sd_random (state) % n, count = n - first < 8 ? n - first : 8;
    if (sd_table_game_read (t, first, count, v, NULL) == SD_OK)
      for (uint64_t i = 0; i < count; i++)
        SD_FUZZ_CHECK (v[i] != SD_ILLEGAL && (info->metric == SD_DTM || (v[i] >= -1 && v[i] <= 1)));
  }
  SD_FUZZ_CHECK (sd_table_game_read (t, n - 1, 2, v, NULL) == SD_EINVAL);
  if (sd_tables_open (NULL, 0, &ts, NULL))
    return;
  if (sd_tables_use (ts, t) == SD_OK)
    SD_FUZZ_CHECK (sd_tables_find_game (ts, &info->game, info->metric, NULL) == t);
  sd_tables_close (ts);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  uint8_t *exact = sd_alloc (size, 1); /* ends where the file ends */
  uint64_t state = size;
  sd_table *t;
  sd_error err = { 0 };
  if (!exact)
    return 0;
  memcpy (exact, data, size);
  put_checksum_right (exact, size);
  if (sd_table_open_memory (exact, size, "fuzz", 0, &t, &err) == SD_OK) {
    sd_table_info info;
    sd_table_describe (t, &info);
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
  } else
    SD_FUZZ_CHECK (strncmp (err.text, "fuzz: ", 6) == 0);
  free (exact);
  return 0;
}

/* A map that the header can hold: WDL; -1, -3, .. 0, .. 3, 1; numbers of moves. */
static unsigned make_map (enum sd_coding coding, sd_value *map) {
  unsigned m = coding == SD_CODING_WDL ? 3 : coding == SD_CODING_SIGNED ? 41 : 20;
  for (unsigned i = 0; i < m; i++) {
    int v = (int) i - (int) m / 2;
    map[i] = (sd_value) (coding == SD_CODING_WDL     ? v
                         : coding == SD_CODING_MOVES ? (int) i
                         : v == 0                    ? 0
                         : v < 0                     ? -(2 * ((int) m / 2 + v) + 1)
                                                     : 2 * ((int) m / 2 - v) + 1);
  }
  return m;
}

/* A table of another game, where SD_CODING_MOVES means nothing. */
static bool game_seed (const sd_codec *codec, enum sd_coding coding, unsigned k, sd_buf *out) {
  if (coding == SD_CODING_MOVES)
    coding = SD_CODING_SIGNED;
  sd_table_spec spec = { .game = { .name = "toy", .slice = "A-b+1", .fingerprint = k, .states = 5000 },
                         .metric = coding == SD_CODING_WDL ? SD_WDL : SD_DTM,
                         .coding = coding,
                         .side = { { .codec = codec } } };
  sd_value map[64];
  sd_subdefined d = { .map = map, .metric = spec.metric, .coding = coding, .freedom = SD_FREE_ILLEGAL };
  const sd_subdefined *const side[2] = { &d, NULL };
  const bool ok = sd_settings_parse (codec, NULL, &spec.side[0].settings, NULL) == SD_OK
                  && sd_fuzz_sequence (spec.game.states, make_map (coding, map), k, &d.alphabet, &d.seq)
                  && sd_table_image (&spec, side, NULL, out, NULL) == SD_OK;
  free (d.seq.sym);
  sd_alphabet_free (d.alphabet);
  return ok;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  static const struct {
    const char *name, *order;
    unsigned sides;
  } ending[] = { { "KQvK", "[Kk]Q", 0 },
                 { "KRvKR", "[Kk]Rr", 0 },
                 { "KPvK", "P!kK", 0 },
                 { "KPvK", "Pk!K", SD_SIDES_JOINT } };
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  enum sd_coding coding = (enum sd_coding) (k / ncodecs % 3);
  unsigned which = k / (unsigned) ncodecs / 3;
  if (which == sizeof ending / sizeof *ending)
    return game_seed (codec[k % ncodecs], coding, k, out);
  if (which > sizeof ending / sizeof *ending)
    return false;
  sd_table_spec spec = { .metric = coding == SD_CODING_WDL ? SD_WDL : SD_DTM,
                         .coding = coding,
                         .sides = ending[which].sides };
  sd_subdefined side[2] = { { 0 } };
  sd_value map[64];
  bool ok = sd_material_parse (ending[which].name, &spec.material, NULL) == SD_OK;
  for (unsigned s = 0; ok && s < 2; s++) {
    sd_indexer *ix;
    spec.side[s].codec = codec[k % ncodecs];
    ok = sd_layout_parse (&spec.material, ending[which].order, NULL, &spec.side[s].layout, NULL) == SD_OK
         && sd_settings_parse (spec.side[s].codec, NULL, &spec.side[s].settings, NULL) == SD_OK
         && sd_indexer_new (&spec.side[s].layout, &ix, NULL) == SD_OK;
    if (!ok)
      break;
    side[s] =
        (sd_subdefined){ .map = map, .metric = spec.metric, .coding = coding, .freedom = SD_FREE_ILLEGAL };
    ok = sd_fuzz_sequence (sd_indexer_size (ix), make_map (coding, map), k + s, &side[s].alphabet,
                           &side[s].seq);
    sd_indexer_free (ix);
  }
  const sd_subdefined *const both[2] = { &side[0], &side[1] };
  ok = ok && sd_table_image (&spec, both, NULL, out, NULL) == SD_OK;
  for (unsigned s = 0; s < 2; s++) {
    free (side[s].seq.sym);
    sd_alphabet_free (side[s].alphabet);
  }
  return ok;
}
