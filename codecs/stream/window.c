/** \file window.c
 * Some slots in a row of an open stream, as a decoder of their own: two tables in one stream are read as two.
 * One call more for each slot. */
#include "config.h"
#include "codecs/stream/stream.h"

#include <stdlib.h>

typedef struct window {
  sd_decoder base;
  const sd_decoder *whole;
  uint64_t first;
} window;

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const window *w = (const window *) base;
  return w->whole->ops->get (w->whole, w->first + i, out);
}

static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const window *w = (const window *) base;
  return w->whole->ops->read (w->whole, w->first + first, count, out);
}

static void close (sd_decoder *base) {
  free (base);
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  (void) base;
  (void) parts;
}

/* A block may have slots before and behind the window, which do not count here. */
static bool block_of (const sd_decoder *base, uint64_t i, sd_codec_block *out) {
  const window *w = (const window *) base;
  if (!sd_codec_block_of (w->whole, w->first + i, out))
    return false;
  const uint64_t before = out->first < w->first ? w->first - out->first : 0;
  out->first += before;
  out->first -= w->first;
  out->slots -= before;
  out->slots = out->slots < w->base.n - out->first ? out->slots : w->base.n - out->first;
  return true;
}

static const sd_decoder_ops ops = {
  .get = get, .read = read, .close = close, .describe = describe, .block_of = block_of
};

int sd_codec_window (const sd_decoder *whole, uint64_t first, uint64_t n, sd_decoder **out, sd_error *err) {
  *out = NULL;
  if (first > whole->n || n > whole->n - first)
    return sd_fail (err, SD_EINVAL, "codec %s: a window that ends behind slot %llu", whole->codec->name,
                    (unsigned long long) whole->n);
  window *w = sd_alloc0 (1, sizeof *w);
  if (!w)
    return sd_fail_memory (err, sizeof *w);
  w->base = *whole; /* a constant one needs nothing else */
  w->base.n = n;
  w->base.ops = &ops;
  w->whole = whole;
  w->first = first;
  *out = &w->base;
  return SD_OK;
}
