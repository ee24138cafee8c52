/** \file written.c
 * Phrases written out, one behind the other in the order of their codes, so that a symbol in the middle of
 * one is read where it stands instead of following parts downwards. In the same order a line of the cache has
 * the lengths of 25 phrases, and where the first one of them stands. So behind the code of a slot there are
 * two reads of memory. In a table with 5 men and 65,531 phrases the lines take 170 kB a side and what is
 * written out 2 to 3 MB, where parts took up to five reads in as much.
 *
 * Of equal symbols nothing is written. How much may be is bounded for each phrase of the dictionary, and the
 * frequent ones come first: of the others parts are followed until one is written out. */
#include "config.h"
#include "repair/decoder_internal.h"

#include <stdlib.h>

/* Bytes written out at most: so many for each id on average, and as the bytes of the stream pay for. */
#define SHARE 48
#define FREE (UINT64_C (1) << 16)
#define STREAM_SHARE 16

typedef struct writing {
  sd_repair_decoder *d;
  uint64_t n, most; /* symbols that are written, that may be */
} writing;

/* `count` symbols, at most those of a word, from symbol `at` on, where there are zeros. */
static void put (const writing *w, uint64_t at, uint64_t symbols, unsigned count) {
  const uint64_t bit = at * w->d->symbol_bits, behind = bit + (uint64_t) count * w->d->symbol_bits;
  uint8_t *p = w->d->written;
  symbols &= ~UINT64_C (0) >> (64 - (behind - bit));
  p[bit / 8] |= (uint8_t) (symbols << bit % 8);
  symbols >>= 8 - bit % 8;
  for (uint64_t k = bit / 8 + 1; 8 * k < behind; k++, symbols >>= 8)
    p[k] = (uint8_t) symbols;
}

/* The same symbol `count` times. */
static void put_all (const writing *w, uint64_t at, uint64_t symbol, uint32_t count) {
  uint64_t word = 0;
  for (unsigned k = 0; k < w->d->at_hand; k++)
    word |= symbol << (k * w->d->symbol_bits);
  for (uint32_t k = 0; k < count; k += w->d->at_hand)
    put (w, at + k, word, count - k < w->d->at_hand ? count - k : w->d->at_hand);
}

/* Phrase p stands from symbol `at` on. The depth of a dictionary is bounded. */
static void write_phrase (const writing *w, sd_repair_phrase *p, uint64_t at) {
  if (p->length <= w->d->at_hand) {
    put (w, at, p->symbols, p->length);
  } else if (!p->split) {
    put_all (w, at, p->left, p->length);
  } else {
    sd_repair_phrase *left = w->d->phrase + p->left, *right = w->d->phrase + p->right;
    p->written = p->written ? p->written : (uint32_t) at + 1;
    write_phrase (w, left, at);
    write_phrase (w, right, at + left->length);
  }
}

/* Can it be written out behind what the line has so far? Those of equal symbols need not be. */
static bool fits (const writing *w, const sd_repair_phrase *p, uint32_t before) {
  return (p->length <= w->d->at_hand || p->split) && p->length <= UINT16_MAX - before
         && w->n + p->length <= w->most;
}

static sd_repair_other other_of (const sd_repair_decoder *d, sd_phrase id) {
  const sd_repair_phrase *p = d->phrase + id;
  return (sd_repair_other){ p->length, id,
                            (sd_symbol) (p->length <= d->at_hand || p->split ? SD_REPAIR_SEVERAL : p->left) };
}

/* The phrases at order[0..n-1]; where the others are listed, *others of them so far. */
static void fill_line (writing *w, sd_repair_line *l, const sd_phrase *order, unsigned n, uint32_t *others) {
  *l = (sd_repair_line){ .at = (uint32_t) w->n, .others = *others };
  for (unsigned k = 0; k < n; k++) {
    sd_repair_phrase *p = w->d->phrase + order[k];
    l->begin[k + 1] = l->begin[k];
    if (!fits (w, p, l->begin[k])) {
      l->is_other |= UINT32_C (1) << k;
      w->d->other[(*others)++] = other_of (w->d, order[k]);
      continue;
    }
    write_phrase (w, p, w->n);
    l->begin[k + 1] = (uint16_t) (l->begin[k] + p->length);
    w->n += p->length;
  }
}

/* By posix_memalign, which tests of memory count (fuzz/memory.c). */
static sd_repair_line *lines_of (unsigned n) {
  void *p;
  const size_t lines = (n + SD_REPAIR_LINE - 1) / SD_REPAIR_LINE;
  return posix_memalign (&p, sizeof (sd_repair_line), lines * sizeof (sd_repair_line)) == 0
             ? (sd_repair_line *) p
             : NULL;
}

int sd_repair_write_out (sd_repair_decoder *d, const sd_phrase *order, unsigned n, size_t bytes) {
  const uint64_t paid = FREE + STREAM_SHARE * (uint64_t) bytes, wanted = (uint64_t) SHARE * d->ids,
                 room = wanted < paid ? wanted : paid;
  writing w = { .d = d, .most = room * 8 / d->symbol_bits };
  uint32_t others = 0;
  d->written = sd_alloc0 (room + 8, 1);
  d->line = lines_of (n);
  d->other = sd_alloc (n, sizeof *d->other);
  if (!d->written || !d->line || !d->other)
    return SD_ENOMEM;
  for (unsigned k = 0; k < n; k += SD_REPAIR_LINE)
    fill_line (&w, d->line + k / SD_REPAIR_LINE, order + k, n - k < SD_REPAIR_LINE ? n - k : SD_REPAIR_LINE,
               &others);
  return SD_OK;
}
