/** \file data.h
 * Sequences that look like tables: runs, a little noise, free slots. */
#ifndef SD_FUZZ_DATA_H
#define SD_FUZZ_DATA_H

#include "subdef/subdef.h"
#include <stdlib.h>

/** n symbols over m main symbols; the alphabet gets one symbol that permits everything. */
static inline bool sd_fuzz_sequence (uint64_t n, unsigned m, uint64_t seed, sd_alphabet **alphabet,
                                     sd_seq *seq) {
  sd_symbol star;
  *alphabet = NULL;
  *seq = (sd_seq){ .sym = sd_alloc (n, sizeof *seq->sym), .n = n, .ndims = 1, .radix = { (uint32_t) n } };
  if (!seq->sym || sd_alphabet_new (m, alphabet) || sd_alphabet_add_range (*alphabet, 0, m - 1, &star)) {
    free (seq->sym);
    sd_alphabet_free (*alphabet);
    return false;
  }
  seq->alphabet = *alphabet;
  for (uint64_t i = 0; i < n;) {
    uint64_t r = sd_random (&seed), run = 1 + (r >> 8) % (r & 7 ? 3 : 200);
    sd_symbol v = r % 5 == 0 ? star : (sd_symbol) ((r >> 32) % (r & 64 ? m : m < 4 ? m : 4));
    for (; run && i < n; run--)
      seq->sym[i++] = v;
  }
  return true;
}

#endif
