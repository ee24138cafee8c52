/** \file huffman_lengths.c
 * Code lengths in a file. They are coded by an adaptive binary arithmetic coder (the carry-less one of
 * Mahoney's PAQ): for each symbol "has a code" in the context whether the symbol before has one, then length
 * - 1 as five bits, most significant first, each in the context of those before it. Dictionaries are small,
 * so the estimators learn fast at first (rate 1 / (k + 1.5) after k bits) and nothing but the lengths is
 * stored: the reader knows from the coder's interval how many bytes its writer needed to end it. */
#include "config.h"
#include "codecs/codec.h"

#define TOP_RATE 60 /* rates fall no further than 1 / 61.5 */

typedef struct bit_model {
  uint16_t p;    /* probability of a 1 in units of 2^-16, 1..65535 */
  uint16_t seen; /* up to TOP_RATE */
} bit_model;

typedef struct lengths_model {
  bit_model used[2], tree[32];
} lengths_model;

typedef struct interval {
  uint32_t lo, hi; /* inclusive */
} interval;

static void model_init (lengths_model *model) {
  for (unsigned k = 0; k < 2; k++)
    model->used[k] = (bit_model){ 32768, 0 };
  for (unsigned k = 0; k < 32; k++)
    model->tree[k] = (bit_model){ 32768, 0 };
}

/* Split the interval: a 1 takes lo..split, a 0 the rest; both parts are not empty. */
static uint32_t split (const interval *x, const bit_model *b) {
  return x->lo + (uint32_t) ((uint64_t) (x->hi - x->lo) * b->p >> 16);
}

static void learn (bit_model *b, unsigned bit) {
  int32_t target = bit ? 65535 : 0, step = (target - b->p) * 2 / (2 * b->seen + 3);
  int32_t p = b->p + step;
  b->p = (uint16_t) (p < 32 ? 32 : p > 65535 - 32 ? 65535 - 32 : p);
  b->seen += b->seen < TOP_RATE;
}

/* Fewest bytes whose every continuation lies in the interval; *value = these bytes, left-aligned. */
static unsigned closing_bytes (const interval *x, uint32_t *value) {
  for (unsigned bytes = 0; bytes < 4; bytes++) {
    uint64_t mask = 0xffffffffu >> (8 * bytes), v = (x->lo + mask) & ~mask;
    if (v + mask <= x->hi) {
      *value = (uint32_t) v;
      return bytes;
    }
  }
  *value = x->lo;
  return 4;
}

static void put (interval *x, bit_model *b, unsigned bit, sd_buf *out) {
  uint32_t mid = split (x, b);
  *(bit ? &x->hi : &x->lo) = bit ? mid : mid + 1;
  learn (b, bit);
  for (; (x->lo ^ x->hi) >> 24 == 0; x->lo <<= 8, x->hi = x->hi << 8 | 0xff)
    sd_buf_u8 (out, x->hi >> 24);
}

void sd_huffman_write_lengths (const uint8_t *length, unsigned n, sd_buf *out) {
  lengths_model model;
  model_init (&model);
  interval x = { 0, UINT32_MAX };
  unsigned before = 1;
  for (unsigned i = 0; i < n; i++) {
    unsigned used = length[i] != 0;
    put (&x, &model.used[before], used, out);
    before = used;
    for (unsigned k = 5, node = 1; used && k-- > 0;) {
      unsigned bit = (length[i] - 1u) >> k & 1;
      put (&x, &model.tree[node], bit, out);
      node = 2 * node + bit;
    }
  }
  uint32_t value;
  for (unsigned bytes = closing_bytes (&x, &value); bytes > 0; bytes--, value <<= 8)
    sd_buf_u8 (out, value >> 24);
}

typedef struct source {
  interval x;
  uint32_t code;       /* the 4 bytes that the interval has not yet shifted out */
  const uint8_t *next; /* behind them; bytes behind the end are 0 */
  const uint8_t *end;
  uint64_t shifted;
} source;

static unsigned get (source *s, bit_model *b) {
  uint32_t mid = split (&s->x, b);
  unsigned bit = s->code <= mid;
  *(bit ? &s->x.hi : &s->x.lo) = bit ? mid : mid + 1;
  learn (b, bit);
  for (; (s->x.lo ^ s->x.hi) >> 24 == 0; s->x.lo <<= 8, s->x.hi = s->x.hi << 8 | 0xff, s->shifted++)
    s->code = s->code << 8 | (s->next < s->end ? *s->next++ : 0);
  return bit;
}

int sd_huffman_read_lengths (sd_reader *r, unsigned n, uint8_t *length) {
  lengths_model model;
  model_init (&model);
  source s = { .x = { 0, UINT32_MAX }, .next = r->p, .end = r->end };
  for (unsigned k = 0; k < 4; k++)
    s.code = s.code << 8 | (s.next < s.end ? *s.next++ : 0);
  unsigned before = 1, coded = 0;
  uint64_t sum = 0;
  for (unsigned i = 0; i < n; i++) {
    before = get (&s, &model.used[before]);
    length[i] = 0;
    if (!before)
      continue;
    unsigned node = 1;
    for (unsigned k = 0; k < 5; k++)
      node = 2 * node + get (&s, &model.tree[node]);
    length[i] = (uint8_t) (node - 32 + 1);
    sum += 1ull << (SD_HUFFMAN_MAX_LENGTH - length[i]);
    coded++;
  }
  uint32_t value;
  uint64_t bytes = s.shifted + closing_bytes (&s.x, &value);
  if (!sd_get_bytes (r, bytes) && r->bad)
    return SD_EFORMAT;
  return sum == 1ull << 32 || (coded == 1 && sum == 1ull << 31) ? SD_OK : SD_EFORMAT;
}
