/** \file codec.c
 * What all codecs have in common when they decode: constant streams, opening, checks of arguments. A codec's
 * own `open` sees what stands behind the first byte of a stream, whose kind is settled here; so no codec
 * knows constant streams or pieces. */
#include "config.h"
#include "codecs/stream/stream_internal.h"

#include <stdlib.h>

double sd_codec_memory (const sd_codec *codec, bool many, double slots, unsigned threads) {
  double bytes = (many ? codec->memory.many : codec->memory.few) * slots + codec->memory.fixed;
  for (unsigned k = 1; k < threads; k++)
    bytes += codec->memory.thread / k;
  return bytes;
}

/* A stream of one symbol, as of an ending that is always drawn: two or three bytes, and no codec need be able
 * to code it. */
static int constant_get (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  (void) i;
  *out = d->value;
  return SD_OK;
}

static int constant_read (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  (void) first;
  for (uint64_t i = 0; i < count; i++)
    out[i] = d->value;
  return SD_OK;
}

static void constant_close (sd_decoder *d) {
  free (d);
}

static void constant_describe (const sd_decoder *d, sd_codec_parts *parts) {
  parts->header = d->value < 0x80 ? 1 : 2; /* the varint: m <= 4096 < 2^14 */
}

/* data: what stands behind the first byte. */
static int constant_open (const sd_stream *s, sd_decoder *d, sd_error *err) {
  sd_reader r = sd_reader_of (s->data, s->len);
  const uint64_t value = sd_get_varint (&r);
  if (r.bad || r.p != r.end || value >= s->m)
    return sd_fail (err, SD_EFORMAT, "codec %s: damaged constant stream of %zu bytes", s->codec->name,
                    s->len + 1);
  d->constant = true;
  d->value = (sd_symbol) value;
  return SD_OK;
}

static const sd_decoder_ops constant_ops = {
  constant_get,        constant_read, constant_close, constant_describe,
  sizeof (sd_decoder), constant_open, NULL,           NULL
};

/* "codec obdd: the stream does not have its checksum"; the table's name is put in front by who opens it. */
static int damaged (const sd_codec *codec, int status, sd_error *err) {
  return sd_fail (err, status, "codec %s: the stream %s", codec->name,
                  status == SD_EIO ? "cannot be read, or the file has become shorter"
                                   : "does not have its checksum");
}

/* What every decoder knows before its `open`; m and n come from the table, not from the stream. */
static void put_base (const sd_stream *s, const sd_decoder_ops *ops, sd_decoder *d) {
  d->ops = ops;
  d->codec = s->codec;
  d->guard = s->guard;
  d->n = s->n;
  d->m = s->m;
}

/* One try to open what stands behind the first byte. *read: how many bytes of the stream that took. */
static int open_own (const sd_stream *s, sd_decoder **out, uint64_t *read, sd_error *err) {
  const sd_decoder_ops *ops = s->data[0] == SD_STREAM_CONSTANT ? &constant_ops : s->codec->ops;
  const sd_stream own = sd_stream_behind (s, 1);
  sd_decoder *d = sd_alloc0 (1, ops->size);

  *out = NULL;
  *read = s->len;
  if (!d)
    return sd_fail_memory (err, ops->size);
  put_base (s, ops, d);
  const int st = ops->open (&own, d, err);
  if (st) {
    sd_codec_close (d);
    return st;
  }

  sd_codec_parts parts = { 0 };
  /* Such a codec reads no payload while it is opened, so that the rest is what it has looked at. */
  if (s->codec->checks_while_reading && !d->constant)
    sd_codec_describe (d, &parts);
  *read = s->len - parts.payload;
  *out = d;
  return SD_OK;
}

/* How much a stream must have in memory before it is opened cannot be known before. So it is opened with what
 * is there (the rest is zero), and once more with more, unless nothing was read beyond that. */
static int open_filled (const sd_stream *s, sd_decoder **out, sd_error *err) {
  const bool by_parts = s->guard && s->guard->file && s->codec->checks_while_reading;
  uint64_t there = by_parts ? SD_CHUNK_BYTES : s->len, read;

  for (;; there *= 2) {
    there = there < s->len ? there : s->len;
    const int filled = sd_guard_fill (s->guard, s->data, there);
    if (filled)
      return damaged (s->codec, filled, err);
    const int st = open_own (s, out, &read, err);
    /* Nothing was read beyond what is there, or there is no more to be had. */
    if (read <= there || (st && there == s->len)) {
      const int wrong = st ? SD_OK : sd_guard_check (s->guard, s->data, read);
      if (!wrong)
        return st;
      sd_codec_close (*out);
      *out = NULL;
      return damaged (s->codec, wrong, err);
    }
    /* It looked at zeros where bytes were missing: all that it made of them goes. */
    sd_codec_close (*out);
  }
}

int sd_stream_open_single (const sd_stream *s, sd_decoder **out, sd_error *err) {
  const char *name = s->codec->name;
  *out = NULL;
  if (s->m < 1 || s->m > SD_MAX_MAIN)
    return sd_fail (err, SD_EINVAL, "codec %s: %u main symbols, 1 to %d are allowed", name, s->m,
                    SD_MAX_MAIN);
  if (s->len == 0)
    return sd_fail (err, SD_EFORMAT, "codec %s: empty stream", name);
  const int filled = sd_guard_fill (s->guard, s->data, 1);
  if (filled)
    return damaged (s->codec, filled, err);
  if (s->data[0] > SD_STREAM_CODEC)
    return sd_fail (err, SD_EFORMAT, "codec %s: stream of %zu bytes: its first byte must not be %u here",
                    name, s->len, s->data[0]);
  return open_filled (s, out, err);
}

int sd_stream_open (const sd_stream *s, sd_decoder **out, sd_error *err) {
  *out = NULL;
  const int wrong = s->len > 0 ? sd_guard_check (s->guard, s->data, 1) : SD_OK; /* the head begins there */
  if (wrong)
    return damaged (s->codec, wrong, err);
  const unsigned kind =
      s->len > 0 && s->m >= 1 && s->m <= SD_MAX_MAIN ? s->data[0] : (unsigned) SD_STREAM_CODEC;
  /* Only some codecs have pieces, and others clusters: the byte means nothing to the rest. */
  const bool pieces =
      kind == SD_STREAM_PIECES && s->codec->in_pieces && (s->codec->max_slots || !s->old_pieces);
  if (!pieces && !(kind == SD_STREAM_CLUSTERS && s->codec->makes_clusters))
    return sd_stream_open_single (s, out, err);
  const sd_stream inner = sd_stream_behind (s, 1);
  SD_TRY (pieces ? sd_pieces_open (&inner, out, err) : sd_clusters_open (&inner, out, err));
  put_base (s, (*out)->ops, *out);
  return SD_OK;
}

int sd_codec_open (const sd_codec *codec, const uint8_t *data, size_t len, uint64_t n, unsigned m,
                   sd_decoder **out, sd_error *err) {
  return sd_stream_open (&(sd_stream){ .codec = codec, .data = data, .len = len, .n = n, .m = m }, out, err);
}

int sd_codec_read (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  return count ? d->ops->read (d, first, count, out) : SD_OK;
}

int sd_read_parts (const sd_decoder *d, uint64_t first, uint64_t count, uint64_t step,
                   int (*part) (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out),
                   sd_symbol *out) {
  /* Little is read by one thread. */
  if (count < 2 * step)
    return part (d, first, count, out);
  int status = SD_OK;
  const uint64_t tasks = (count + step - 1) / step;
#pragma omp parallel for schedule(dynamic) reduction(max : status)
  for (uint64_t t = 0; t < tasks; t++) {
    const uint64_t from = t * step, rest = count - from;
    const int st = part (d, first + from, rest < step ? rest : step, out + from);
    status = st > status ? st : status;
  }
  return status;
}

void sd_codec_close (sd_decoder *d) {
  if (d)
    d->ops->close (d);
}

void sd_codec_describe (const sd_decoder *d, sd_codec_parts *parts) {
  *parts = (sd_codec_parts){ 0 };
  d->ops->describe (d, parts);
  /* The byte that says what kind of stream it is. */
  parts->header++;
}

void sd_codec_parts_add (sd_codec_parts *sum, const sd_decoder *d) {
  sd_codec_parts one;
  sd_codec_describe (d, &one);
  sum->header += one.header;
  sum->model += one.model;
  sum->index += one.index;
  sum->payload += one.payload;
  sum->blocks += one.blocks;
  sum->symbols += one.symbols;
  if (one.symbol)
    sum->symbol = one.symbol;
  sum->values += one.values;
}
