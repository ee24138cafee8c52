/** \file range_coder.h
 * An adaptive binary range coder (Martin 1979; carries handled as in LZMA) for the model of a stream: a few
 * thousand decisions, read once when a stream is opened. Each context learns by the mean of what it has seen,
 * then with a fixed rate. The last bytes are cut where zeros would do: the decoder reads zeros beyond the
 * end. */
#ifndef SD_RANGE_CODER_H
#define SD_RANGE_CODER_H

#include "base/base.h"

#define SD_RC_ONE 32768  /* probabilities are multiples of 1 / SD_RC_ONE */
#define SD_RC_MEMORY 120 /* decisions after which old ones fade */

typedef struct sd_rc_bit {
  uint16_t zero; /* probability of 0 */
  uint16_t seen;
} sd_rc_bit;

static inline void sd_rc_init (sd_rc_bit *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    b[i] = (sd_rc_bit){ SD_RC_ONE / 2, 0 };
}
/* The mean of what was seen and of a quarter of a decision of each kind, then of the last ones. Neither
 * answer ever becomes impossible, whatever has been seen: 24 of 32768 are left for it. */
static inline void sd_rc_learn (sd_rc_bit *b, unsigned bit) {
  int target = bit ? 0 : SD_RC_ONE, p = b->zero;

  p += (target - p) * 2 / (2 * (int) b->seen + 3);
  b->zero = (uint16_t) (p < 24 ? 24 : p > SD_RC_ONE - 24 ? SD_RC_ONE - 24 : p);
  b->seen = b->seen < SD_RC_MEMORY ? (uint16_t) (b->seen + 1) : SD_RC_MEMORY;
}

/* ----------------------------------------------------------------- encoder */

typedef struct sd_rc_enc {
  sd_buf *out;
  uint64_t low; /* below 2^33: bit 32 is a carry into what was put aside */
  uint32_t range;
  uint8_t cache;    /* last byte, put aside until no carry can reach it */
  uint64_t pending; /* 0: nothing put aside yet; else 1 + number of 0xff bytes behind cache */
} sd_rc_enc;

static inline sd_rc_enc sd_rc_enc_of (sd_buf *out) {
  return (sd_rc_enc){ out, 0, UINT32_MAX, 0, 0 };
}
/* The top byte of low goes out, as soon as no later carry can change it: bytes of 0xff wait, since a carry
 * makes them 0 and adds one to the byte before them. */
static inline void sd_rc_shift (sd_rc_enc *e) {
  uint8_t top = (uint8_t) (e->low >> 24);
  if (e->low >> 32 || top != 0xff || !e->pending) { /* no carry leaves the first byte */
    unsigned carry = (unsigned) (e->low >> 32);
    if (e->pending) {
      sd_buf_u8 (e->out, (uint8_t) (e->cache + carry));
      for (; e->pending > 1; e->pending--)
        sd_buf_u8 (e->out, (uint8_t) (0xff + carry));
    }
    e->cache = top;
    e->pending = 1;
  } else
    e->pending++;
  e->low = (e->low & 0xffffff) << 8;
}
/* The range keeps 24 bits at least, so that a probability of 15 bits always leaves some of it. */
static inline void sd_rc_normalise (sd_rc_enc *e) {
  while (e->range < 1u << 24) {
    e->range <<= 8;
    sd_rc_shift (e);
  }
}
/* 0 takes the lower part of the range, 1 the rest. */
static inline void sd_rc_put (sd_rc_enc *e, sd_rc_bit *b, unsigned bit) {
  uint32_t bound = (e->range >> 15) * b->zero;
  if (bit) {
    e->low += bound;
    e->range -= bound;
  } else
    e->range = bound;
  sd_rc_learn (b, bit);
  sd_rc_normalise (e);
}

/** One of `total` <= 65536 numbers that are equally likely, where numbers below .. below + count - 1 mean the
 * same. */
static inline void sd_rc_put_share (sd_rc_enc *e, uint32_t below, uint32_t count, uint32_t total) {
  uint32_t unit = e->range / total;
  e->low += (uint64_t) unit * below;
  e->range = below + count == total ? e->range - unit * below : unit * count;
  sd_rc_normalise (e);
}

/** Ends the code; start is out->len before the first decision. */
static inline void sd_rc_finish (sd_rc_enc *e, size_t start) {
  /* any number in low .. low + range - 1 will do: take the one with the most zeros at the end */
  for (unsigned keep = 0; keep <= 32; keep++) {
    uint64_t step = (uint64_t) 1 << (32 - keep), v = (e->low + step - 1) & ~(step - 1);
    if (v < e->low + e->range) {
      e->low = v;
      break;
    }
  }
  for (unsigned i = 0; i < 5; i++)
    sd_rc_shift (e);
  while (!e->out->failed && e->out->len > start && e->out->data[e->out->len - 1] == 0)
    e->out->len--;
}

/* ----------------------------------------------------------------- decoder */

typedef struct sd_rc_dec {
  const uint8_t *p, *end;
  uint32_t range, code; /* code: what the encoder's number is above the low end of the range */
} sd_rc_dec;

static inline uint32_t sd_rc_byte (sd_rc_dec *d) {
  return d->p < d->end ? *d->p++ : 0;
}
/* p[0..n-1]; behind its end stand zeros, so that no bytes, even none, lead anywhere else than to some
 * numbers. */
static inline sd_rc_dec sd_rc_dec_of (const uint8_t *p, size_t n) {
  sd_rc_dec d = { p, p + n, UINT32_MAX, 0 };
  for (unsigned i = 0; i < 4; i++)
    d.code = d.code << 8 | sd_rc_byte (&d);
  return d;
}
static inline void sd_rc_refill (sd_rc_dec *d) {
  while (d->range < 1u << 24) {
    d->range <<= 8;
    d->code = d->code << 8 | sd_rc_byte (d);
  }
}
/* The mirror of sd_rc_put (): both must learn the same from the same, or all that follows is something
 * else. */
static inline unsigned sd_rc_get (sd_rc_dec *d, sd_rc_bit *b) {
  uint32_t bound = (d->range >> 15) * b->zero;
  unsigned bit = d->code >= bound;
  if (bit) {
    d->code -= bound;
    d->range -= bound;
  } else
    d->range = bound;
  sd_rc_learn (b, bit);
  sd_rc_refill (d);
  return bit;
}

/** The number; tell with take what it means. */
static inline uint32_t sd_rc_get_share (const sd_rc_dec *d, uint32_t total) {
  uint32_t number = d->code / (d->range / total);
  return number < total ? number : total - 1;
}
static inline void sd_rc_take_share (sd_rc_dec *d, uint32_t below, uint32_t count, uint32_t total) {
  uint32_t unit = d->range / total;
  d->code -= unit * below;
  d->range = below + count == total ? d->range - unit * below : unit * count;
  sd_rc_refill (d);
}

/* ------------------------------------------------------------ both ways */

/** Writing and reading a model walk the same way through the same contexts; `enc` or `dec` says which it is,
 * the other is NULL. Each function takes what is written and returns what was written or read. */
typedef struct sd_rc_coder {
  sd_rc_enc *enc;
  sd_rc_dec *dec;
} sd_rc_coder;

static inline unsigned sd_rc_code_bit (sd_rc_coder *c, sd_rc_bit *b, unsigned bit) {
  if (c->enc) {
    sd_rc_put (c->enc, b, bit);
    return bit;
  }
  return sd_rc_get (c->dec, b);
}

/** A number of `nbits` bits, most significant first; tree has 2^nbits contexts. */
static inline unsigned sd_rc_code_number (sd_rc_coder *c, sd_rc_bit *tree, unsigned nbits, unsigned value) {
  unsigned node = 1;
  for (unsigned i = nbits; i-- > 0;)
    node = node << 1 | sd_rc_code_bit (c, tree + node, value >> i & 1);
  return node - (1u << nbits);
}

#endif
