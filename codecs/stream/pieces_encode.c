/** \file pieces_encode.c
 * Pieces, each a stream of its own (pieces.c), become one stream. A sequence that a codec cannot take at once
 * is cut into them here (sd_codec_encode calls this for it, and this calls sd_codec_encode for each piece, so
 * that a piece of one value becomes a constant stream); a table whose parts were coded one by one, perhaps by
 * many programs, has its pieces already. */
#include "config.h"
#include "codecs/stream/stream_internal.h"
#include <stdlib.h>

/* Opened as a reader will open it, since what it makes a reader hold is known from the decoder alone: better
 * that coding fails than that nobody can open the table. */
static int check_piece (const sd_coded_pieces *p, uint64_t first, uint64_t at, uint64_t bytes,
                        sd_pieces_allowance *a, sd_error *err) {
  const uint64_t rest = p->n - first;
  sd_decoder *d;
  const sd_stream s = { .codec = p->codec,
                        .data = p->streams->data + at,
                        .len = bytes,
                        .n = rest < p->slots ? rest : p->slots,
                        .m = p->m };
  SD_TRY (sd_stream_open_single (&s, &d, err));
  const bool fits = sd_pieces_take (a, d, bytes);
  sd_codec_close (d);
  return fits
             ? SD_OK
             : sd_fail (
                 err, SD_ERANGE,
                 "codec %s: pieces of %llu slots take so few bytes that no reader opens them; take fewer",
                 p->codec->name, (unsigned long long) p->slots);
}

static int check_cut (const sd_codec *codec, uint64_t n, uint64_t slots, sd_error *err) {
  if (sd_pieces_valid (codec, n, slots))
    return SD_OK;
  if (!codec->in_pieces)
    return sd_fail (err, SD_ERANGE, "codec %s: its streams cannot be in pieces", codec->name);
  return sd_fail (err, SD_ERANGE, "codec %s: %llu slots in pieces of %llu: 2 to %d pieces%s are possible",
                  codec->name, (unsigned long long) n, (unsigned long long) slots, SD_MAX_PIECES,
                  codec->max_slots && slots > codec->max_slots ? ", of no more slots than it takes at once,"
                                                               : "");
}

int sd_codec_put_pieces (const sd_coded_pieces *p, sd_buf *out, sd_error *err) {
  const size_t start = out->len;
  sd_pieces_allowance so_far = { 0 };
  uint64_t at = 0;
  SD_TRY (check_cut (p->codec, p->n, p->slots, err));
  sd_buf_u8 (out, SD_STREAM_PIECES);
  sd_buf_varint (out, p->slots);
  /* All lengths stand in front of all streams. */
  int st = SD_OK;
  for (uint64_t k = 0; st == SD_OK && k <= (p->n - 1) / p->slots; k++) {
    st = check_piece (p, k * p->slots, at, p->bytes[k], &so_far, err);
    sd_buf_varint (out, p->bytes[k]);
    at += p->bytes[k];
  }
  sd_buf_append (out, p->streams->data, p->streams->len);
  if (st == SD_OK && sd_buf_status (out))
    st = sd_fail_memory (err, p->streams->len);
  if (st != SD_OK)
    out->len = start;
  return st;
}

int sd_codec_encode_pieces (const sd_codec *codec, const sd_seq *src, uint64_t slots, const sd_settings *set,
                            const sd_progress *progress, sd_buf *out, sd_error *err) {
  SD_TRY (check_cut (codec, src->n, slots, err));
  SD_RELEASED_BY (sd_buf_free) sd_buf streams = { 0 };
  SD_OWNED uint64_t *bytes = sd_alloc ((src->n - 1) / slots + 1, sizeof *bytes);
  if (!bytes)
    return sd_fail_memory (err, 0);
  for (uint64_t k = 0; k * slots < src->n; k++) {
    const size_t before = streams.len;
    const uint64_t rest = src->n - k * slots;
    /* Without the digits of the index: a piece need not begin where a digit does. */
    sd_seq part = { .alphabet = src->alphabet,
                    .sym = src->sym + k * slots,
                    .n = rest < slots ? rest : slots };
    SD_TRY (sd_codec_encode (codec, &part, set, progress, &streams, err));
    bytes[k] = streams.len - before;
  }
  return sd_codec_put_pieces (&(sd_coded_pieces){ .codec = codec,
                                                  .n = src->n,
                                                  .slots = slots,
                                                  .m = sd_alphabet_main (src->alphabet),
                                                  .streams = &streams,
                                                  .bytes = bytes },
                              out, err);
}
