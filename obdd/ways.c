/** \file ways.c
 * The ways that a hop of a lookup may go, by number. Mostly a way is the bits that the hop's levels test, and
 * that is its number; but of the codes of a digit that is no power of two many stand for no slot, above all
 * of equal men (4^k / k! times as many). Where a hop tests a whole digit its ways are counted by the digit's
 * values, and no table holds what is never looked for. */
#include "config.h"
#include "obdd/read_internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 65536 /* of a digit that is counted by its values */

static unsigned digit_of (const sd_obdd_vars *v, unsigned variable) {
  unsigned d = 0;
  for (unsigned behind = v->digit[0].bits; variable >= behind; behind += v->digit[d].bits)
    d++;
  return d;
}

void sd_spans_of (const sd_obdd_vars *v, sd_spans *out) {
  unsigned tests[SD_OBDD_MAX_VARS] = { 0 }; /* of a variable: how often it is tested, 2 if not alone */
  memset (out, 0, sizeof *out);
  /* A bit inside a sum counts as two, so that 1 means: tested once, and alone. */
  for (unsigned k = 0; k < v->n; k++)
    for (uint64_t rest = v->sum[k]; rest; rest &= rest - 1)
      tests[__builtin_ctzll (rest)] += v->sum[k] & (v->sum[k] - 1) ? 2 : 1;
  for (unsigned d = 0, first = 0; d < v->ndigits; first += v->digit[d++].bits) {
    bool once = v->digit[d].bits > 0 && v->digit[d].radix <= MOST_VALUES;
    for (unsigned b = 0; b < v->digit[d].bits; b++)
      once &= tests[first + b] == 1;
    /* From the highest level that tests a bit of it to the lowest. */
    for (unsigned k = v->n; once && k > 0; k--)
      if (v->sum[k - 1] >> first & ((UINT64_C (1) << v->digit[d].bits) - 1)) {
        out->low[d] = (uint8_t) k;
        out->high[d] = out->high[d] ? out->high[d] : (uint8_t) k;
      }
  }
  for (unsigned k = 1; k <= v->n; k++) {
    const unsigned d = v->sum[k - 1] ? digit_of (v, (unsigned) __builtin_ctzll (v->sum[k - 1])) : 0;
    out->digit_at[k] = out->low[d] ? (uint8_t) d : SD_MAX_DIMS;
  }
}

uint64_t sd_spans_ways (const sd_obdd_vars *v, const sd_spans *s, unsigned from, unsigned to) {
  unsigned bits = from - to;
  uint64_t ways = 1;
  for (unsigned d = 0; d < v->ndigits; d++)
    if (sd_spans_whole (s, d, from, to)) {
      /* As many ways as the digit has values, in place of 2 for each of its bits. */
      ways *= v->digit[d].radix;
      bits -= v->digit[d].bits;
    }
  return ways << bits;
}

unsigned sd_spans_tail (const sd_spans *s, unsigned from, unsigned to) {
  unsigned tail = 0;
  while (tail < SD_MOST_TAIL && to + tail < from && !sd_spans_whole (s, s->digit_at[to + tail + 1], from, to))
    tail++;
  return tail;
}

/* Whole digits above, the other levels' bits below. */
void sd_ways_number (const sd_obdd_vars *v, const sd_spans *s, sd_hop *h, sd_obdd_weights *weights) {
  uint64_t weight = UINT64_C (1) << h->shift;
  for (unsigned k = h->to + 1; k <= h->from; k++)
    if (!sd_spans_whole (s, s->digit_at[k], h->from, h->to)) {
      weights->level[k - 1] = weight;
      weight *= 2;
    }
  for (unsigned d = 0; d < v->ndigits; d++)
    if (sd_spans_whole (s, d, h->from, h->to)) {
      weights->digit[d] = weight;
      weight *= v->digit[d].radix;
    }
  h->ways = weight >> h->shift;
}

/* By 11 bits at a time. */
static int sort (sd_way **way, uint64_t n, unsigned bits) {
  enum { DIGIT = 11 };
  sd_way *from = *way, *to = sd_alloc (n, sizeof *to);

  if (!to)
    return SD_ENOMEM;
  for (unsigned shift = 0; shift < bits; shift += DIGIT) {
    uint32_t place[1 << DIGIT] = { 0 }, sum = 0;
    /* Sorted by counting, from the lowest digit of 11 bits to the highest; each pass keeps the order of the
     * last. */
    for (uint64_t i = 0; i < n; i++)
      place[from[i].path >> shift & ((1 << DIGIT) - 1)]++;
    for (unsigned x = 0; x < 1 << DIGIT; x++) {
      const uint32_t count = place[x];
      place[x] = sum;
      sum += count;
    }
    for (uint64_t i = 0; i < n; i++)
      to[place[from[i].path >> shift & ((1 << DIGIT) - 1)]++] = from[i];
    sd_way *other = from;
    from = to;
    to = other;
  }
  *way = from;
  free (to);
  return SD_OK;
}

int sd_ways_list (const sd_obdd_vars *v, const sd_spans *s, const sd_hop *h, unsigned tail, sd_way **way) {
  const unsigned to = h->to + tail;
  sd_way *list = *way = sd_alloc (h->ways >> tail, sizeof *list);
  uint64_t most = 0;

  for (unsigned d = 0; d < v->ndigits; d++)
    if (sd_spans_whole (s, d, h->from, h->to) && v->digit[d].radix > most)
      most = v->digit[d].radix;
  SD_OWNED uint64_t *code = sd_alloc (most, sizeof *code);
  uint64_t level[SD_OBDD_MAX_VARS] = { 0 }, column[SD_OBDD_MAX_VARS], n = 1;
  if (!list || !code)
    return SD_ENOMEM;
  /* Levels outside of whole digits: each doubles the list, with its bit set in the second half. */
  list[0] = (sd_way){ 0, 0 };
  for (unsigned k = to + 1; k <= h->from; k++) {
    level[k - 1] = UINT64_C (1) << (k - 1 - to);
    if (sd_spans_whole (s, s->digit_at[k], h->from, h->to))
      continue;
    for (uint64_t i = 0; i < n; i++)
      list[n + i] = (sd_way){ list[i].path | level[k - 1], (n + i) << tail };
    n *= 2;
  }
  sd_obdd_columns (v, level, column);
  /* Whole digits: a copy of the list for each number that the digit may be, of which there are fewer than
   * its bits could tell. Backwards, so that the first copy, which all are made from, is overwritten last. */
  for (unsigned d = 0; d < v->ndigits; d++) {
    if (!sd_spans_whole (s, d, h->from, h->to))
      continue;
    sd_obdd_digit_codes (v, column, d, code);
    for (uint64_t x = v->digit[d].radix; x-- > 0;)
      for (uint64_t i = 0; i < n; i++)
        list[x * n + i] = (sd_way){ list[i].path | code[x], (x * n + i) << tail };
    n *= v->digit[d].radix;
  }
  /* In the order of their bits neighbours share most of their way down (hops.c). */
  return sort (way, n, h->from - to);
}
