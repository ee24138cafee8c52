/** \file pieces.c
 * Sequences in pieces of equal length, each a stream of its own with its own model. A sequence of more slots
 * than a codec takes at once is cut so: no codec needs counts and positions of more than 32 bits. A table
 * that is coded part by part (recode/parts.c) has them, too, and its parts need not be in memory together.
 * Next to pieces of millions of slots a model each costs little.
 *
 * Slots cost no bytes: a forged piece has a dictionary of 65,536 phrases in 163 bytes. So what all pieces
 * make a reader hold is bounded by their bytes (SD_PIECE_SYMBOLS in stream.h), as each is opened.
 *
 * The decoder is a row of decoders; a sequence in one piece does not pay for it. Layout: docs/format.md,
 * section 7. */
#include "config.h"
#include "codecs/stream/stream_internal.h"

#include <stdlib.h>

typedef struct pieces {
  sd_decoder base;
  uint64_t slots, count, header;
  sd_decoder **piece;
} pieces;

bool sd_pieces_valid (const sd_codec *codec, uint64_t n, uint64_t slots) {
  return codec->in_pieces && slots > 0 && n > slots && (!codec->max_slots || slots <= codec->max_slots)
         && (n - 1) / slots + 1 <= SD_MAX_PIECES;
}

bool sd_pieces_take (sd_pieces_allowance *a, const sd_decoder *d, uint64_t bytes) {
  a->bytes += bytes;
  /* It holds next to nothing. */
  if (d->constant)
    return true;
  sd_codec_parts parts;
  sd_codec_describe (d, &parts);
  a->symbols += d->m + parts.symbols + SD_PIECE_SYMBOLS;
  a->unpaid += parts.unpaid;
  return a->symbols <= SD_PIECES_FREE + a->bytes / SD_PIECE_BYTES && a->unpaid <= SD_PIECES_UNPAID;
}

static void close (sd_decoder *base) {
  pieces *p = (pieces *) base;
  for (uint64_t k = 0; p->piece && k < p->count; k++)
    sd_codec_close (p->piece[k]);
  free (p->piece);
  free (p);
}

/* One division more than without pieces; all pieces but the last have the same number of slots. */
static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const pieces *p = (const pieces *) base;
  return sd_codec_get (p->piece[i / p->slots], i % p->slots, out);
}

static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const pieces *p = (const pieces *) base;
  while (count) {
    /* Piece by piece; the first and the last may be wanted in part. */
    const uint64_t from = first % p->slots, rest = p->slots - from, size = count < rest ? count : rest;
    SD_TRY (sd_codec_read (p->piece[first / p->slots], from, size, out));
    first += size;
    count -= size;
    out += size;
  }
  return SD_OK;
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  const pieces *p = (const pieces *) base;
  parts->header = p->header;
  for (uint64_t k = 0; k < p->count; k++)
    sd_codec_parts_add (parts, p->piece[k]);
}

static int damaged (const sd_codec *codec, uint64_t n, sd_error *err) {
  return sd_fail (err, SD_EFORMAT, "codec %s: pieces: not a valid list of streams for %llu slots",
                  codec->name, (unsigned long long) n);
}

static int unreadable (const sd_codec *codec, int status, sd_error *err) {
  return sd_fail (err, status, "codec %s: pieces: the list of streams %s", codec->name,
                  status == SD_EIO ? "cannot be read" : "does not have its checksum");
}

static int fill_list (const sd_stream *s, const uint8_t *p, uint64_t bytes, sd_error *err) {
  const int wrong = sd_guard_fill (s->guard, p, bytes);
  return wrong ? unreadable (s->codec, wrong, err) : SD_OK;
}

/* Lengths first, then the streams, which must fill what is left. */
static int open_all (pieces *p, const sd_stream *s, sd_reader *r, sd_error *err) {
  sd_reader lengths = *r;
  sd_pieces_allowance so_far = { 0 };
  /* A varint has ten bytes at most: within so many bytes all lengths stand, whatever they are. */
  const uint64_t rest_bytes = (uint64_t) (r->end - r->p), most = 10 * p->count; /* of the lengths */

  SD_TRY (fill_list (s, r->p, most < rest_bytes ? most : rest_bytes, err));
  /* All lengths are passed over first; the streams begin behind them. */
  for (uint64_t k = 0; k < p->count; k++)
    sd_get_varint (r);
  p->header += (uint64_t) (r->p - lengths.p);
  const int wrong = sd_guard_check (s->guard, lengths.p, (uint64_t) (r->p - lengths.p));
  if (wrong)
    return unreadable (s->codec, wrong, err);

  for (uint64_t k = 0; k < p->count; k++) {
    const uint64_t rest = s->n - k * p->slots;
    sd_stream one = *s;
    one.len = sd_get_varint (&lengths);
    one.data = r->bad ? NULL : sd_get_bytes (r, one.len);
    one.n = rest < p->slots ? rest : p->slots;
    if (!one.data)
      return damaged (s->codec, s->n, err);
    SD_TRY (sd_stream_open_single (&one, p->piece + k, err));
    /* What all pieces so far make a reader hold, against their bytes. */
    if (!sd_pieces_take (&so_far, p->piece[k], one.len))
      return sd_fail (
          err, SD_EFORMAT,
          "codec %s: pieces: %llu symbols and models of %llu bytes in the first %llu bytes are too many",
          s->codec->name, (unsigned long long) so_far.symbols, (unsigned long long) so_far.unpaid,
          (unsigned long long) so_far.bytes);
  }
  return r->p == r->end ? SD_OK : damaged (s->codec, s->n, err);
}

static const sd_decoder_ops ops = { .get = get, .read = read, .close = close, .describe = describe };

int sd_pieces_open (const sd_stream *s, sd_decoder **out, sd_error *err) {
  sd_reader r = sd_reader_of (s->data, s->len);
  const uint64_t slots = sd_get_varint (&r);

  *out = NULL;
  if (r.bad || !sd_pieces_valid (s->codec, s->n, slots) || (s->old_pieces && slots <= s->codec->max_slots / 2)
      || (s->n - 1) / slots + 1 > s->len / 3) /* a length, and no stream has less than two bytes */
    return damaged (s->codec, s->n, err);
  pieces *p = sd_alloc0 (1, sizeof *p);
  if (!p)
    return sd_fail_memory (err, sizeof *p);

  p->base.ops = &ops;
  p->slots = slots;
  p->count = (s->n - 1) / slots + 1;
  p->header = (uint64_t) (r.p - s->data);
  /* Zeros, so that closing after a failure knows which are there. */
  p->piece = sd_alloc0 (p->count, sizeof *p->piece);
  int st = p->piece ? open_all (p, s, &r, err) : sd_fail_memory (err, 0);
  if (st)
    close (&p->base);
  else
    *out = &p->base;
  return st;
}
