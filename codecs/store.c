/** \file store.c
 * Plain copy: every symbol in ceil (log2 m) bits, most significant bit first. The baseline of size and the
 * fastest get; no header, no model, no index. */
#include "config.h"
#include "codecs/row.h"
#include "codecs/store_internal.h"

#include <stdlib.h>

typedef struct store {
  sd_decoder base;
  const uint8_t *data;
  size_t len;
  unsigned bits;
} store;

static int open_ (const sd_stream *s, sd_decoder *decoder, sd_error *err) {
  store *d = (store *) decoder;
  uint64_t bits = sd_bits_for (s->m), total;
  if (sd_mul (s->n, bits, &total) || total / 8 + (total % 8 != 0) != s->len)
    return sd_fail (err, SD_EFORMAT, "store: %llu symbols of %llu bits do not take %zu bytes",
                    (unsigned long long) s->n, (unsigned long long) bits, s->len);
  d->data = s->data;
  d->len = s->len;
  d->bits = (unsigned) bits;
  return SD_OK;
}

/* At most 12 bits from bit 8 k + 0..7 on: they lie in three bytes. */
static int get (const sd_decoder *decoder, uint64_t i, sd_symbol *out) {
  const store *d = (const store *) decoder;
  uint64_t at = i * d->bits, byte = at / 8;
  uint32_t w = 0;
  SD_TRY (sd_guard_check (d->base.guard, d->data + byte, d->len - byte < 3 ? d->len - byte : 3));

  for (unsigned k = 0; k < 3; k++)
    w = w << 8 | (byte + k < d->len ? d->data[byte + k] : 0);
  w = w << (8 + at % 8);
  *out = d->bits ? (sd_symbol) (w >> (32 - d->bits)) : 0;
  return *out < d->base.m ? SD_OK : SD_EFORMAT;
}

/* The largest symbol is compared with m once, behind the loop, which then has no branch; out[] may hold such
 * a symbol when SD_EFORMAT comes back. */
static int read_ (const sd_decoder *decoder, uint64_t first, uint64_t count, sd_symbol *out) {
  const store *d = (const store *) decoder;
  uint64_t at = first * d->bits, end = (first + count) * d->bits;
  SD_TRY (sd_guard_check (d->base.guard, d->data + at / 8, (end + 7) / 8 - at / 8));
  sd_bitr r = sd_bitr_of (d->data + at / 8, d->len - at / 8);
  sd_bitr_get (&r, at % 8);

  unsigned top = 0;
  for (uint64_t i = 0; i < count; i++) {
    out[i] = (sd_symbol) sd_bitr_get (&r, d->bits);
    top = out[i] > top ? out[i] : top;
  }
  return top < d->base.m ? SD_OK : SD_EFORMAT;
}

static void close_ (sd_decoder *d) {
  free (d);
}

static void describe (const sd_decoder *decoder, sd_codec_parts *parts) {
  const store *d = (const store *) decoder;
  /* Each slot is a block: none is read for another one. */
  parts->payload = d->len;
  parts->blocks = d->base.n;
}

static const sd_decoder_ops ops = { get, read_, close_, describe, sizeof (store), open_, NULL, NULL };

const sd_codec sd_codec_store = {
  SD_IDENTITY (store),
  .summary = "plain copy in ceil (log2 m) bits a symbol",
  .checks_while_reading = true,
  SD_ENCODER (.tunables = sd_store_tunables, .encode = sd_store_encode, ).ops = &ops,
  .trials = { .settings = { "" } },
  .latency = { 0, 0, 0, 0.42 }, /* off by 68 % at most */
  .colour = "#858b95",
  .mark = 5,
};
