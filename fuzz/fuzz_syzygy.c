/** \file fuzz_syzygy.c
 * A Syzygy file from anywhere: opening refuses it with a sentence, or each slot has a placement that has the
 * slot, and a value in range, the same alone and together with its neighbours, or a status. */
#include "config.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory.h"
#include "fuzz/syzygy_seeds.h"

enum { WINDOW = 700 };

static void one_value (const sd_syzygy *s, const sd_syzygy_pairs *p, unsigned value) {
  if (s->kind == SD_SYZYGY_WDL)
    SD_FUZZ_CHECK (value <= 4);
  for (int wdl = -2; wdl <= 2; wdl++) {
    unsigned plies;
    if (s->kind == SD_SYZYGY_DTZ && wdl && sd_syzygy_plies (p, wdl, value, &plies) == SD_OK)
      SD_FUZZ_CHECK (plies >= 1 && plies <= SD_SYZYGY_MAX_PLIES && ((wdl & 1) == 0 || plies > 100));
  }
}

sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS]; /* one kind */

static void one_window (const sd_syzygy *s, unsigned k, uint64_t first) {
  const uint64_t n = s->slots[k], count = n - first < WINDOW ? n - first : WINDOW;
  uint16_t all[WINDOW];
  unsigned alone;
  const int st = sd_syzygy_read (s, k, first, count, all);
  for (uint64_t i = 0; i < count; i += 1 + count / 8) {
    uint8_t sq[SD_MAX_MEN];
    uint64_t slot = first + i;
    const sd_syzygy_pairs *p = &s->pairs[sd_syzygy_sub_table (s, k, &slot)][k];
    sd_syzygy_index_squares (&p->index, slot, sq);
    SD_FUZZ_CHECK (sd_syzygy_slot_of (s, k, sq) == first + i);
    const bool read = sd_syzygy_get (s, k, first + i, &alone) == SD_OK;
    if (read)
      one_value (s, p, alone);
    if (st == SD_OK)
      one_value (s, p, all[i]);
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  uint8_t *exact = sd_alloc (size, 1); /* ends where the file ends */
  uint64_t state = size;
  sd_syzygy *s;
  sd_error err = { 0 };
  if (!exact)
    return 0;
  memcpy (exact, data, size);
  const uint64_t start = sd_fuzz_memory_start ();
  const int st = sd_syzygy_open (exact, size, &s, &err);
  SD_FUZZ_CHECK (sd_fuzz_memory_peak (start) <= sd_open_bound (size));
  sd_fuzz_count_one (0, "syzygy", st == SD_OK);
  if (st == SD_OK) {
    for (unsigned k = 0; k < s->streams; k++) {
      one_window (s, k, 0);
      one_window (s, k, s->slots[k] < WINDOW ? 0 : s->slots[k] - WINDOW);
      for (unsigned i = 0; i < 4; i++)
        one_window (s, k, sd_random (&state) % s->slots[k]);
    }
    sd_syzygy_close (s);
  } else
    SD_FUZZ_CHECK (err.text[0] && err.status == st);
  free (exact);
  return 0;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  return syzygy_seed_put (k, out);
}
