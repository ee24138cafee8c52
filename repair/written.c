/** \file written.c
 * Phrases written out, so that a symbol in the middle of one is read where it stands instead of following
 * parts downwards. A phrase's parts are written out with it. So the longest go first, and most phrases take
 * no room of their own. How much is written is bounded for each phrase of the dictionary: frequent phrases
 * are short, and of long ones parts are followed until one is written out. */
#include "config.h"
#include "repair/decoder_internal.h"

#include <stdlib.h>

#define LONGEST 1024 /* symbols of a phrase that is written out */
#define SHARE 16     /* bytes written out for each phrase on average, at most */
_Static_assert(LONGEST < 1 << 16 && SD_REPAIR_IDS <= 1 << 16, "length and number fit into 32 bits");

typedef struct writing {
  sd_repair_decoder *d;
  uint64_t n, most; /* symbols that are written, that may be */
} writing;

static bool is_worth_it (const sd_repair_decoder *d, const sd_repair_phrase *p) {
  return p->length > d->at_hand && p->length <= LONGEST && p->split && !p->written;
}

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

static int by_length (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return x < y ? 1 : x > y ? -1 : 0;
}

int sd_repair_write_out (sd_repair_decoder *d) {
  SD_OWNED uint32_t *order = sd_alloc (d->ids, sizeof *order); /* length, then number: 16 bits */
  uint64_t count = 0;

  if (!order)
    return SD_ENOMEM;
  for (unsigned v = 0; v < d->ids; v++)
    if (is_worth_it (d, d->phrase + v))
      order[count++] = d->phrase[v].length << 16 | v;
  qsort (order, count, sizeof *order, by_length);
  writing w = { .d = d, .most = (uint64_t) SHARE * d->ids * 8 / d->symbol_bits };
  d->written = sd_alloc0 (w.most * d->symbol_bits / 8 + 8, 1);
  if (!d->written)
    return SD_ENOMEM;
  for (uint64_t k = 0; k < count; k++) {
    sd_repair_phrase *p = d->phrase + (order[k] & 0xffff);
    if (p->written || w.n + p->length > w.most)
      continue;
    write_phrase (&w, p, w.n);
    w.n += p->length;
  }
  return SD_OK;
}
