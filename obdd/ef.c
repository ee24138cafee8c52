/** \file ef.c
 * Opening the sequences of ef_internal.h, which entropy.h writes. */
#include "config.h"
#include "obdd/ef_internal.h"

#include <stdlib.h>

uint64_t sd_ef_far (const sd_ef *e, uint64_t at, unsigned r) {
  uint64_t w;
  for (unsigned ones; r >= (ones = (unsigned) __builtin_popcountll (w = sd_ef_bits (e->upper, at, e->end)));
       at += 64)
    r -= ones;
  return at + sd_ef_select (w, r);
}

static sd_ef_group group_at (const sd_ef *e, uint64_t at) {
  return (sd_ef_group){ .bits = sd_ef_bits (e->upper, at, e->end),
                        .more = (uint32_t) sd_ef_bits (e->upper, at + 64, e->end),
                        .at = (uint32_t) at };
}

/* All upper bits, those of the last word only as far as they belong to the sequence. */
static uint64_t count_ones (const sd_ef *e) {
  uint64_t ones = 0, at = 0;
  for (; at + 64 <= e->upper_bits; at += 64)
    ones += (unsigned) __builtin_popcountll (sd_ef_word (e->upper + at / 8, e->end));
  if (at < e->upper_bits)
    ones += (unsigned) __builtin_popcountll (sd_ef_word (e->upper + at / 8, e->end)
                                             & ((UINT64_C (1) << (e->upper_bits - at)) - 1));
  return ones;
}

int sd_ef_open (sd_ef *e, const uint8_t *data, const uint8_t *end, uint64_t n, uint64_t universe) {
  *e = (sd_ef){ .lower = data, .end = end, .n = n, .universe = universe, .low = sd_ef_low (n, universe) };
  e->upper = data + (n * e->low + 7) / 8;
  e->upper_bits = sd_ef_upper_bits (n, universe);
  /* As many ones as numbers, so that reading in turn never runs over the end. */
  if (e->upper_bits > UINT32_MAX || count_ones (e) != n)
    return SD_EFORMAT;
  sd_ef_cursor c = { .e = e };
  for (uint64_t i = 0, last = 0; i < n; i++) {
    const uint64_t v = sd_ef_next (&c);
    if (v >= universe || (i && v <= last))
      return SD_EFORMAT;
    last = v;
  }
  return SD_OK;
}

int sd_ef_index (sd_ef *e) {
  e->group = sd_alloc (e->n / SD_EF_STEP + 1, sizeof *e->group);
  if (!e->group)
    return SD_ENOMEM;
  sd_ef_cursor c = { .e = e };
  for (uint64_t i = 0; i < e->n; i++) {
    const uint64_t at = sd_ef_next_one (&c);
    /* One group for every 32 numbers: 16 bytes of memory for them. */
    if (i % SD_EF_STEP == 0)
      e->group[i / SD_EF_STEP] = group_at (e, at);
  }
  return SD_OK;
}

void sd_ef_close (sd_ef *e) {
  free (e->group);
  e->group = NULL;
}
