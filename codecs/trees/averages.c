/** \file averages.c
 * Tables of average symbols as they stand in a stream: which there can be, and their values, each as the
 * difference from what is next to it (as near-lossless images are coded, Weinberger and others 2000). */
#include "config.h"
#include "codecs/trees/trees_internal.h"

#include <stdlib.h>

#define SPREADS 11 /* classes of how far the values around lie apart */

/* ------------------------------------------------------------------------ list */

/* false: there is no such table, or no room for one more. */
/* digit[0..ndigits-1] rise. A digit with more values than a table has entries makes the size too large, and
 * so no table. */
static bool list_one (const sd_trees_model *mo, const uint8_t digit[3], unsigned ndigits,
                      sd_trees_average *list, unsigned *n) {
  uint64_t size = 1;
  for (unsigned k = 0; k < ndigits; k++)
    size *= mo->radix[digit[k]] <= SD_TREES_AVERAGE ? mo->radix[digit[k]] : UINT32_MAX;
  if (size > SD_TREES_AVERAGE || *n == SD_TREES_AVERAGES)
    return false;
  list[(*n)++] =
      (sd_trees_average){ { digit[0], digit[1], digit[2] }, (uint8_t) ndigits, (uint32_t) size, NULL, 0 };
  return true;
}

unsigned sd_trees_list_averages (const sd_trees_model *mo, sd_trees_average *list) {
  unsigned n = 0;
  const uint8_t ndims = (uint8_t) mo->ndims;
  /* A table of all digits would be the data. */
  for (uint8_t a = 0; ndims > 2 && a < ndims; a++)
    for (uint8_t b = a + 1; b < ndims; b++) {
      const uint8_t digits[3] = { a, b };
      list_one (mo, digits, 2, list, &n);
    }
  for (uint8_t a = 0; ndims > 3 && a < ndims; a++)
    for (uint8_t b = a + 1; b < ndims; b++)
      for (uint8_t c = b + 1; c < ndims; c++) {
        const uint8_t digits[3] = { a, b, c };
        list_one (mo, digits, 3, list, &n);
      }
  return n;
}

/* ---------------------------------------------------------------------- values */

/* What is around an entry: the one before in each digit, and 8 before in the last two (squares by rows: one
 * file and one rank away). */
typedef struct around {
  unsigned expected, spread;
} around;

static around look_around (const sd_trees_model *mo, const sd_trees_average *a, unsigned k) {
  static const uint8_t class_of[64] = {
    0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9
  };
  const unsigned row = mo->radix[a->digit[a->ndigits - 1]], rows = mo->radix[a->digit[a->ndigits - 2]];
  const unsigned at = k % row, up = k / row % rows, plane = row * rows;
  const unsigned back[5] = { at >= 1 ? 1U : 0U, at >= 8 ? 8U : 0U, up >= 1 ? row : 0U, up >= 8 ? 8 * row : 0U,
                             a->ndigits > 2 && k >= plane ? plane : 0U };

  unsigned sum = 0, n = 0, least = 63, most = 0;

  for (unsigned i = 0; i < 5; i++)
    if (back[i]) {
      const unsigned v = a->value[k - back[i]];
      sum += v;
      n++;
      least = v < least ? v : least;
      most = v > most ? v : most;
    }
  if (!n)
    return (around){ 0, SPREADS - 1 };
  const unsigned spread = most - least;
  return (around){ (sum + n / 2) / n, spread < 24 ? class_of[spread] : (unsigned) SPREADS - 1 };
}

static int kept_within (int v) {
  return v < 0 ? 0 : v > 63 ? 63 : v;
}

/* Steps from what is expected to the nearest value that can be reached. A value that a reader got leads to
 * itself again, so that a table may be coded more than once. */
static int steps_to (int value, int expected, int step) {
  int best = 0;
  const int about = (value - expected) / step;
  for (int steps = about - 1; steps <= about + 1; steps++) {
    const int far = abs (kept_within (expected + steps * step) - value);
    const int so_far = abs (kept_within (expected + best * step) - value);
    if (far < so_far || (far == so_far && abs (steps) < abs (best)))
      best = steps;
  }
  return best;
}

/* Entry by entry, from those around it that have been coded: where these agree, a step away from them is rare
 * and costs most of the bits. */
void sd_trees_code_average (sd_rc_coder *c, const sd_trees_model *mo, sd_trees_average *a) {
  sd_rc_bit bit[SPREADS][3][128];
  sd_rc_init (bit[0][0], sizeof bit / sizeof bit[0][0][0]);
  int before = 0;
  /* Tables of three digits take most of the bytes: theirs are coded in steps of 7, up to 3 away. */
  const int step = a->ndigits > 2 ? 7 : 1;

  for (unsigned k = 0; k < a->size; k++) {
    const around x = look_around (mo, a, k);
    const int steps = c->dec || a->value[k] == 255 ? 0 : steps_to (a->value[k], (int) x.expected, step);
    const int context = abs (before) < 2 ? abs (before) : 2;
    before = (int) sd_rc_code_number (c, bit[x.spread][context], 7, (unsigned) (steps + 64)) - 64;
    a->value[k] = (uint8_t) kept_within ((int) x.expected + before * step);
  }
}
