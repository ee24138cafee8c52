/** \file rans.c
 * Asymmetric numeral systems in their range form (rANS; Duda 2009), with one static table for many blocks:
 * the other entropy coder beside canonical Huffman codes.
 *
 * A symbol with the frequency f of 2^scale takes a state x to (x / f) 2^scale + x mod f + c, c being the sum
 * of the frequencies before its own. A full state gives a byte away first. A block is coded from its last
 * symbol to its first and decoded forwards. The state begins with 0, not with a full state: it gives no byte
 * away until it has been full, so that a decoder that finds it below the limit with no bytes left is where
 * the encoder was. Unused bytes at the front of a block are zeros, which leave the state 0: blocks of a fixed
 * size need no length.
 *
 * Frequencies are not stored: what a symbol costs is, in quarters of a bit, and both sides compute the same
 * frequencies from that, in integers. At 7 bits of scale more than the symbols need, rounding costs little.
 */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"

#include <stdlib.h>

#define BUCKET_BITS 12

/* 2^(-cost / 4) in units of 2^-46. */
static uint64_t weight_of (unsigned cost) {
  static const uint64_t root[4] = { 65536, 55109, 46341, 38968 }; /* 2^(16 - k / 4) */
  return root[cost % 4] << 30 >> cost / 4;
}

/* Make the frequencies add up to `total`: ones are added, or taken where more than one is left, from the
 * first symbol on, round after round. Rounds in which all that can give do so are made at once: one at a
 * time, a model from a file could ask for 65,536 of them. */
static void make_up (uint32_t *freq, unsigned used, uint64_t given, uint64_t total) {
  while (given > total) {
    uint32_t least = UINT32_MAX, can = 0;
    for (unsigned k = 0; k < used; k++)
      if (freq[k] > 1) {
        can++;
        least = freq[k] < least ? freq[k] : least;
      }
    /* So many rounds in which all that can give do so; the last one goes one by one. */
    const uint64_t whole = (given - total) / can;
    const uint32_t each = !whole ? 1 : whole < least - 1 ? (uint32_t) whole : least - 1;
    for (unsigned k = 0; k < used && given > total; k++)
      if (freq[k] > 1) {
        freq[k] -= each;
        given -= each;
      }
  }
  for (unsigned k = 0; given < total; k = k + 1 < used ? k + 1 : 0, given++)
    freq[k]++;
}

/* Frequencies of the used symbols of r, in their order, from their weights. */
static void set_frequencies (sd_rans *r, const uint8_t *cost) {
  const uint32_t total = 1u << r->scale;
  uint64_t sum = 0, given = 0;
  uint32_t *freq = r->first;

  for (unsigned k = 0; k < r->used; k++)
    sum += weight_of (cost[r->symbol[k]]);
  for (unsigned k = 0; k < r->used; k++) {
    /* In integers, so that reader and writer agree on every machine; nobody is left without a share. */
    uint64_t f = (uint64_t) ((sd_u128) weight_of (cost[r->symbol[k]]) * total / sum);
    freq[k] = f ? (uint32_t) f : 1;
    given += freq[k];
  }
  make_up (freq, r->used, given, total);

  uint32_t before = 0;
  for (unsigned k = 0; k <= r->used; k++) {
    uint32_t f = k < r->used ? freq[k] : 0;
    r->first[k] = before;
    before += f;
  }
}

/* cost[i]: 0 where symbol i never occurs. Costs come from a file as well as from an encoder: whatever they
 * are, the frequencies add up to 2^scale and none is 0. */
int sd_rans_init (sd_rans *r, const uint8_t *cost, unsigned n) {
  uint32_t place[SD_RANS_MAX_COST + 2] = { 0 };
  *r = (sd_rans){ 0 };
  if (n > SD_RANS_MAX_SYMBOLS)
    return SD_EINVAL;
  for (unsigned i = 0; i < n; i++) {
    if (cost[i] > SD_RANS_MAX_COST)
      return SD_EINVAL;
    if (cost[i])
      place[cost[i] + 1]++;
  }
  /* Symbols by rising cost, sorted by counting: the frequent ones stand side by side. */
  for (unsigned c = 0; c <= SD_RANS_MAX_COST; c++)
    place[c + 1] += place[c];
  r->used = place[SD_RANS_MAX_COST + 1];
  if (!r->used)
    return SD_EINVAL;

  r->scale = sd_bits_for (r->used) + 7 < SD_RANS_MAX_SCALE ? sd_bits_for (r->used) + 7 : SD_RANS_MAX_SCALE;
  /* Buckets of the scale lead near the symbol that has a number in it. */
  const unsigned bits = r->scale < BUCKET_BITS ? r->scale : BUCKET_BITS;
  r->shift = r->scale - bits;

  r->symbol = sd_alloc (r->used, sizeof *r->symbol);
  r->first = sd_alloc (r->used + 1, sizeof *r->first);
  r->bucket = sd_alloc ((uint64_t) 1 << bits, sizeof *r->bucket);
  if (!r->symbol || !r->first || !r->bucket) {
    sd_rans_clear (r);
    return SD_ENOMEM;
  }
  for (unsigned i = 0; i < n; i++)
    if (cost[i])
      r->symbol[place[cost[i]]++] = (uint16_t) i;
  set_frequencies (r, cost);

  for (uint32_t b = 0, k = 0; b < 1u << bits; b++) {
    while (r->first[k + 1] <= b << r->shift)
      k++;
    r->bucket[b] = (uint16_t) k;
  }
  return SD_OK;
}

void sd_rans_clear (sd_rans *r) {
  free (r->symbol);
  free (r->first);
  free (r->bucket);
  *r = (sd_rans){ 0 };
}
