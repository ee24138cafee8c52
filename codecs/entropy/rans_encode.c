/** \file rans_encode.c
 * What only an encoder needs of rans.c: what symbols cost, and coding a block. */
#include "config.h"
#include "codecs/entropy/entropy.h"

#include <math.h>
#include <string.h>

/* The only step in floating point; its results stand in the stream, so that no reader repeats it. */
int sd_rans_costs (const uint64_t *freq, unsigned n, uint8_t *cost) {
  double total = 0;
  if (n > SD_RANS_MAX_SYMBOLS)
    return SD_EINVAL;
  for (unsigned i = 0; i < n; i++)
    total += (double) freq[i];
  for (unsigned i = 0; i < n; i++) {
    /* The ideal length, rounded to a quarter of a bit; no symbol is free. */
    double quarters = freq[i] ? floor (4 * log2 (total / (double) freq[i]) + 0.5) : 0;
    cost[i] = !freq[i]                      ? 0
              : quarters < 1                ? 1
              : quarters > SD_RANS_MAX_COST ? SD_RANS_MAX_COST
                                            : (uint8_t) quarters;
  }
  return SD_OK;
}

/* The symbols place[0..n-1] into all len bytes of a block, from its end on and from the last symbol on: a
 * reader takes them the other way. SD_ENOSPC: they do not fit, and the caller fills its blocks less. */
int sd_rans_put_block (const sd_rans *r, const uint32_t *place, uint64_t n, uint8_t *out, size_t len) {
  uint64_t x = 0;
  size_t at = len;

  while (n--) {
    const uint32_t first = r->first[place[n]], f = r->first[place[n] + 1] - first;
    /* A byte goes before the state would be too large for a reader's. */
    while (x >> 8 >= (SD_RANS_LIMIT >> r->scale) * f) {
      if (at == 0)
        return SD_ENOSPC;
      out[--at] = (uint8_t) x;
      x >>= 8;
    }
    x = ((x / f) << r->scale) + x % f + first;
  }
  /* What is left of the state stands in front; a reader takes it byte by byte. */
  for (; x; x >>= 8) {
    if (at == 0)
      return SD_ENOSPC;
    out[--at] = (uint8_t) x;
  }
  memset (out, 0, at);
  return SD_OK;
}
