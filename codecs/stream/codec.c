/** \file codec.c
 * What all codecs have in common. Encoding: a sequence that one main symbol can complete as a whole is stored
 * as that symbol, whatever the codec and its initial replacement; any other is copied (where somebody writes
 * to it), partly completed by the initial replacement and given to the codec. Decoding: the constant case,
 * and checks of arguments. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"
#include "codecs/stream/clusters_internal.h"
#include "codecs/stream/pieces_internal.h"

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

int sd_codec_put_head (const sd_block_plan *p, const uint32_t *length, sd_buf *out) {
  sd_buf_u8 (out, SD_STREAM_CODEC);
  SD_TRY (sd_blocks_head (p, length, out));
  return sd_buf_status (out);
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
  } else if (codec->most && src->n > codec->most) {
    uint64_t pieces = (src->n - 1) / codec->most + 1;
    st = sd_codec_encode_pieces (codec, src, (src->n - 1) / pieces + 1, set, progress, out, err);
  } else {
    const char *initial = sd_settings_word (set, "initial");
    const bool copies = !codec->keeps || strcmp (initial, "none") != 0;
    sd_seq copy = *src;
    if (copies) {
      copy.sym = sd_alloc (src->n, sizeof *copy.sym);
      if (!copy.sym)
        return sd_fail_memory (err, src->n * sizeof *copy.sym);
      memcpy (copy.sym, src->sym, src->n * sizeof *copy.sym);
    }
    if (!codec->heads)
      sd_buf_u8 (out, SD_STREAM_CODEC);
    st = copies ? sd_initial_apply (initial, &copy, err) : SD_OK;
    if (!st && !codec->subdefinite && sd_complete_frequent (&copy))
      st = sd_fail_memory (err, 0);
    if (!st)
      st = codec->method ? sd_blocks_encode (codec, &copy, set, progress, out, err)
                         : codec->encode (&copy, src, set, progress, out, err);
    if (copies)
      free (copy.sym);
  }
  if (!st && sd_buf_status (out))
    st = sd_fail_memory (err, 0);
  if (st)
    out->len = start;
  return st;
}

int sd_codec_open (const sd_codec *codec, const uint8_t *data, size_t len, uint64_t n, unsigned m,
                   sd_decoder **out, sd_error *err) {
  return sd_codec_open_guarded (codec, NULL, data, len, n, m, out, err);
}

static int damaged (const sd_codec *codec, sd_error *err) {
  return sd_fail (err, SD_ECHECKSUM, "codec %s: the stream does not have its checksum", codec->name);
}

int sd_codec_open_guarded (const sd_codec *codec, const sd_guard *guard, const uint8_t *data, size_t len,
                           uint64_t n, unsigned m, sd_decoder **out, sd_error *err) {
  *out = NULL;
  if (len > 0 && sd_guard_check (guard, data, 1)) /* the head begins there, whatever it is */
    return damaged (codec, err);
  const unsigned kind = len > 0 && m >= 1 && m <= SD_MAX_MAIN ? data[0] : SD_STREAM_CODEC;
  if (kind == SD_STREAM_PIECES && codec->most)
    SD_TRY (sd_pieces_open (codec, guard, data + 1, len - 1, n, m, out, err));
  else if (kind == SD_STREAM_CLUSTERS && codec->heads)
    SD_TRY (sd_clusters_open (codec, guard, data + 1, len - 1, n, m, out, err));
  else
    return sd_codec_open_whole (codec, guard, data, len, n, m, out, err);
  (*out)->n = n;
  (*out)->m = m;
  return SD_OK;
}

/* What opening the stream has read: all of it, or what stands before the payload. */
static int check_opened (const sd_codec *codec, const sd_guard *guard, const uint8_t *data, size_t len,
                         const sd_decoder *d) {
  if (codec->checks_payload && !d->constant) {
    sd_codec_parts parts;
    sd_codec_describe (d, &parts);
    len -= parts.payload;
  }
  return sd_guard_check (guard, data, len);
}

int sd_codec_open_whole (const sd_codec *codec, const sd_guard *guard, const uint8_t *data, size_t len,
                         uint64_t n, unsigned m, sd_decoder **out, sd_error *err) {
  *out = NULL;
  if (m < 1 || m > SD_MAX_MAIN)
    return sd_fail (err, SD_EINVAL, "codec %s: %u main symbols, 1 to %d are allowed", codec->name, m,
                    SD_MAX_MAIN);
  sd_reader r = sd_reader_of (data, len);
  unsigned kind = sd_get_u8 (&r);
  if (r.bad)
    return sd_fail (err, SD_EFORMAT, "codec %s: empty stream", codec->name);
  if (kind > SD_STREAM_CODEC)
    return sd_fail (err, SD_EFORMAT, "codec %s: stream of %zu bytes: its first byte must not be %u here",
                    codec->name, len, kind);
  sd_decoder *d;
  uint64_t value = 0;
  if (kind == SD_STREAM_CONSTANT) {
    value = sd_get_varint (&r);
    if (r.bad || r.p != r.end || value >= m)
      return sd_fail (err, SD_EFORMAT, "codec %s: damaged constant stream of %zu bytes", codec->name, len);
    d = sd_alloc0 (1, sizeof *d);
    if (!d)
      return sd_fail_memory (err, sizeof *d);
  } else {
    d = NULL;
    int st = codec->method ? sd_blocks_open (codec, data + 1, len - 1, n, m, &d, err)
                           : codec->open (data + 1, len - 1, n, m, &d, err);
    if (st)
      return st;
  }
  d->codec = codec;
  d->guard = guard;
  d->n = n;
  d->m = m;
  d->constant = kind == SD_STREAM_CONSTANT;
  d->value = (sd_symbol) value;
  if (check_opened (codec, guard, data, len, d)) {
    sd_codec_close (d);
    return damaged (codec, err);
  }
  *out = d;
  return SD_OK;
}

int sd_codec_read (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  if (count == 0)
    return SD_OK;
  if (!d->constant)
    return d->codec->read (d, first, count, out);
  for (uint64_t i = 0; i < count; i++)
    out[i] = d->value;
  return SD_OK;
}

void sd_codec_close (sd_decoder *d) {
  if (!d)
    return;
  if (d->constant)
    free (d);
  else
    d->codec->close (d);
}

void sd_codec_describe (const sd_decoder *d, sd_codec_parts *parts) {
  *parts = (sd_codec_parts){ 0 };
  if (d->constant)
    parts->header = d->value < 0x80 ? 1 : 2; /* the varint: m <= 4096 < 2^14 */
  else
    d->codec->describe (d, parts);
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
