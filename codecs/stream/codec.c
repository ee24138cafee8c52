/** \file codec.c
 * What all codecs have in common. Encoding: a sequence that one main symbol can complete as a whole is stored
 * as that symbol, whatever the codec and its initial replacement; any other is copied (where somebody writes
 * to it), partly completed by the initial replacement and given to the codec. Decoding: the constant case,
 * and checks of arguments. */
#include "config.h"
#include "codecs/stream/stream_internal.h"

#include <stdlib.h>
#include <string.h>

/* The smallest main symbol that every slot admits, or m if there is none. */
static int common_symbol (const sd_seq *src, unsigned *out) {
  const sd_alphabet *a = src->alphabet;
  unsigned m = sd_alphabet_main (a), size = sd_alphabet_size (a), words = (m + 63) / 64;
  uint64_t *freq = sd_alloc (size, sizeof *freq), both[(SD_MAX_MAIN + 63) / 64];
  int st = freq ? sd_seq_frequencies (src, freq) : SD_ENOMEM;
  memset (both, 0xff, sizeof both);
  for (unsigned x = 0; !st && x < size; x++)
    if (freq[x])
      for (unsigned w = 0; w < words; w++)
        both[w] &= sd_alphabet_set (a, (sd_symbol) x)[w];
  free (freq);
  *out = 0;
  while (*out < m && !(both[*out / 64] >> (*out % 64) & 1))
    ++*out;
  return st;
}

void sd_codec_put_constant (unsigned value, sd_buf *out) {
  sd_buf_u8 (out, SD_STREAM_CONSTANT);
  sd_buf_varint (out, value);
}

int sd_codec_encode (const sd_codec *codec, const sd_seq *src, const sd_settings *set,
                     const sd_progress *progress, sd_buf *out, sd_error *err) {
  unsigned value, m = sd_alphabet_main (src->alphabet);
  int st = common_symbol (src, &value);
  if (st)
    return sd_fail (err, st, "codec %s: %s", codec->name,
                    st == SD_EINVAL ? "a symbol lies outside its alphabet" : sd_strerror (st));
  size_t start = out->len;
  if (value < m) {
    sd_codec_put_constant (value, out);
  } else if (codec->max_slots && src->n > codec->max_slots) {
    uint64_t pieces = (src->n - 1) / codec->max_slots + 1;
    st = sd_codec_encode_pieces (codec, src, (src->n - 1) / pieces + 1, set, progress, out, err);
  } else {
    const char *initial = sd_settings_word (set, "initial");
    const bool copies = !codec->only_reads_source || strcmp (initial, "none") != 0;
    sd_seq copy = *src;
    if (copies) {
      copy.sym = sd_alloc (src->n, sizeof *copy.sym);
      if (!copy.sym)
        return sd_fail_memory (err, src->n * sizeof *copy.sym);
      memcpy (copy.sym, src->sym, src->n * sizeof *copy.sym);
    }
    if (!codec->makes_clusters)
      sd_buf_u8 (out, SD_STREAM_CODEC);
    st = copies ? sd_initial_apply (initial, &copy, err) : SD_OK;
    if (!st && !codec->takes_free_slots && sd_complete_frequent (&copy))
      st = sd_fail_memory (err, 0);
    if (!st)
      st = codec->encode (
          &(sd_encoding){ .codec = codec, .src = &copy, .slots = src, .set = set, .progress = progress }, out,
          err);
    if (copies)
      free (copy.sym);
  }
  if (!st && sd_buf_status (out))
    st = sd_fail_memory (err, 0);
  if (st)
    out->len = start;
  return st;
}

/* ---------------------------------------------------------------- decoding */

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
  constant_get, constant_read, constant_close, constant_describe, sizeof (sd_decoder), constant_open, NULL
};

static int damaged (const sd_codec *codec, sd_error *err) {
  return sd_fail (err, SD_ECHECKSUM, "codec %s: the stream does not have its checksum", codec->name);
}

/* What opening the stream has read: all of it, or what stands before the payload. */
static int check_opened (const sd_stream *s, const sd_decoder *d) {
  sd_codec_parts parts = { 0 };
  if (s->codec->checks_while_reading && !d->constant)
    sd_codec_describe (d, &parts);
  return sd_guard_check (s->guard, s->data, s->len - parts.payload);
}

static void put_base (const sd_stream *s, const sd_decoder_ops *ops, sd_decoder *d) {
  d->ops = ops;
  d->codec = s->codec;
  d->guard = s->guard;
  d->n = s->n;
  d->m = s->m;
}

int sd_stream_open_single (const sd_stream *s, sd_decoder **out, sd_error *err) {
  const char *name = s->codec->name;
  *out = NULL;
  if (s->m < 1 || s->m > SD_MAX_MAIN)
    return sd_fail (err, SD_EINVAL, "codec %s: %u main symbols, 1 to %d are allowed", name, s->m,
                    SD_MAX_MAIN);
  if (s->len == 0)
    return sd_fail (err, SD_EFORMAT, "codec %s: empty stream", name);
  const unsigned kind = s->data[0];
  if (kind > SD_STREAM_CODEC)
    return sd_fail (err, SD_EFORMAT, "codec %s: stream of %zu bytes: its first byte must not be %u here",
                    name, s->len, kind);
  const sd_decoder_ops *ops = kind == SD_STREAM_CONSTANT ? &constant_ops : s->codec->ops;
  const sd_stream own = sd_stream_behind (s, 1);
  sd_decoder *d = sd_alloc0 (1, ops->size);
  if (!d)
    return sd_fail_memory (err, ops->size);
  put_base (s, ops, d);
  int st = ops->open (&own, d, err);
  if (!st && check_opened (s, d))
    st = damaged (s->codec, err);
  if (st)
    sd_codec_close (d);
  else
    *out = d;
  return st;
}

int sd_stream_open (const sd_stream *s, sd_decoder **out, sd_error *err) {
  *out = NULL;
  if (s->len > 0 && sd_guard_check (s->guard, s->data, 1)) /* the head begins there, whatever it is */
    return damaged (s->codec, err);
  const unsigned kind = s->len > 0 && s->m >= 1 && s->m <= SD_MAX_MAIN ? s->data[0] : SD_STREAM_CODEC;
  const bool pieces = kind == SD_STREAM_PIECES && s->codec->max_slots;
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
  sum->values += one.values;
}
