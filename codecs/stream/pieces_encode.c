/** \file pieces_encode.c
 * Cutting a sequence into pieces, each a stream of its own (pieces.c). sd_codec_encode () calls this for more
 * slots than the codec takes at once, and this calls it again for each piece, so that a piece of one value
 * becomes a constant stream. */
#include "config.h"
#include "codecs/stream/stream_internal.h"

/* A piece that was coded just now. It is opened as a reader will open it, since what it makes a reader hold
 * is known from the decoder alone: better that coding fails than that nobody can open the table. */
static int check_piece (const sd_codec *codec, const sd_buf *streams, size_t from, const sd_seq *part,
                        sd_pieces_allowance *a, sd_error *err) {
  sd_decoder *d;
  const unsigned m = sd_alphabet_main (part->alphabet);
  SD_TRY (sd_buf_status (streams) ? sd_fail_memory (err, 0) : SD_OK);
  const sd_stream s = {
    .codec = codec, .data = streams->data + from, .len = streams->len - from, .n = part->n, .m = m
  };
  SD_TRY (sd_stream_open_single (&s, &d, err));
  const bool fits = sd_pieces_take (a, d, streams->len - from);
  sd_codec_close (d);
  return fits ? SD_OK
              : sd_fail (err, SD_ERANGE,
                         "codec %s: pieces of %llu slots take so few bytes that no reader opens them",
                         codec->name, (unsigned long long) part->n);
}

int sd_codec_encode_pieces (const sd_codec *codec, const sd_seq *src, uint64_t slots, const sd_settings *set,
                            const sd_progress *progress, sd_buf *out, sd_error *err) {
  if (!sd_pieces_valid (codec, src->n, slots))
    return sd_fail (err, SD_ERANGE,
                    "codec %s: %llu slots in pieces of %llu: 2 to %d pieces of at most %llu slots and more "
                    "than half of that are possible",
                    codec->name, (unsigned long long) src->n, (unsigned long long) slots, SD_MAX_PIECES,
                    (unsigned long long) codec->max_slots);
  const size_t start = out->len;
  /* All lengths stand in front of all streams, which are kept aside until the last one is known. */
  SD_RELEASED_BY (sd_buf_free) sd_buf streams = { 0 };
  sd_pieces_allowance so_far = { 0 };
  int st = SD_OK;

  sd_buf_u8 (out, SD_STREAM_PIECES);
  sd_buf_varint (out, slots);
  for (uint64_t at = 0; !st && at < src->n; at += slots) {
    const size_t before = streams.len;
    sd_seq part = { .alphabet = src->alphabet,
                    .sym = src->sym + at,
                    .n = src->n - at < slots ? src->n - at : slots };
    /* Without the digits of the index: a piece need not begin where a digit does. */
    st = sd_codec_encode (codec, &part, set, progress, &streams, err);
    if (!st)
      st = check_piece (codec, &streams, before, &part, &so_far, err);
    sd_buf_varint (out, streams.len - before);
  }

  sd_buf_append (out, streams.data, streams.len);
  if (!st && (streams.failed || sd_buf_status (out)))
    st = sd_fail_memory (err, 0);
  if (st)
    out->len = start;
  return st;
}
