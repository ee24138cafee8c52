/** \file fuzz_stream.c
 * A codec's stream from anywhere: opening refuses it or makes a decoder that stays inside its memory, gives
 * main symbols only, and reads what it gets; either way it holds no more memory than its bytes allow.
 *
 * Input: u8 codec (its place in the list, and above that: 1 = as if it took a third of the slots at once, so
 * that few slots are in pieces), varint m - 1, varint n, the stream. */
#include "config.h"
#include "codecs/codecs.h"
#include "fuzz/data.h"
#include "fuzz/forge.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory.h"

#include <string.h>

#define WINDOW 3000

sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS]; /* by the place in the list of codecs */

static void one_window (const sd_decoder *d, uint64_t first) {
  sd_symbol all[WINDOW], one = 0;
  uint64_t count = d->n - first < WINDOW ? d->n - first : WINDOW;
  int st = sd_codec_read (d, first, count, all);
  for (uint64_t i = 0; st == SD_OK && i < count; i++)
    SD_FUZZ_CHECK (all[i] < d->m);
  for (uint64_t i = 0; i < count; i += 1 + count / 8) {
    int alone = sd_codec_get (d, first + i, &one);
    if (alone == SD_OK)
      SD_FUZZ_CHECK (one < d->m);
    if (alone == SD_OK && st == SD_OK)
      SD_FUZZ_CHECK (one == all[i]);
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  sd_reader r = sd_reader_of (data, size);
  unsigned which = sd_get_u8 (&r);
  uint64_t m = sd_get_varint (&r), n = sd_get_varint (&r), state = size;
  if (r.bad || m >= SD_MAX_MAIN || n == 0 || n > SD_MAX_STATES)
    return 0;
  size_t len = (size_t) (r.end - r.p);
  uint8_t *exact = sd_alloc (len, 1); /* ends where the stream ends */
  if (!exact)
    return 0;
  memcpy (exact, r.p, len);
  sd_decoder *d;
  sd_error err;
  const uint64_t start = sd_fuzz_memory_start ();
  const int st = sd_codec_open (codec[which % ncodecs], exact, len, n, (unsigned) m + 1, &d, &err);
  SD_FUZZ_CHECK (sd_fuzz_memory_peak (start) <= sd_open_bound (len));
  sd_fuzz_count_one (which % (unsigned) ncodecs, codec[which % ncodecs]->name, st == SD_OK);
  if (st == SD_OK) {
    sd_codec_parts parts;
    sd_codec_describe (d, &parts);
    SD_FUZZ_CHECK (parts.header + parts.model + parts.index + parts.payload == len);
    one_window (d, 0);
    one_window (d, n < WINDOW ? 0 : n - WINDOW);
    for (unsigned k = 0; k < 3; k++)
      one_window (d, sd_random (&state) % n);
    sd_codec_close (d);
  } else
    SD_FUZZ_CHECK (d == NULL && err.text[0]);
  free (exact);
  return 0;
}

enum shape { WHOLE, CLUSTERS, PIECES, SHAPES };

/* The stream; in clusters, the halves of each 20 slots by themselves; in three pieces. */
static bool encode (const sd_codec *c, const sd_seq *seq, const sd_settings *set, enum shape shape,
                    sd_buf *out) {
  if (shape == PIECES) {
    const uint64_t slots = (seq->n + 2) / 3;
    return sd_codec_encode_pieces (c, seq, slots, set, NULL, out, NULL) == SD_OK;
  }
  if (shape == WHOLE)
    return sd_codec_encode (c, seq, set, NULL, out, NULL) == SD_OK;
  sd_buf one = { 0 };
  const bool ok = sd_codec_encode (c, seq, set, NULL, &one, NULL) == SD_OK
                  && sd_codec_put_fork (&(sd_fork){ 10, 2, 1 }, &one, &one, out) == SD_OK;
  sd_buf_free (&one);
  return ok;
}

/* Pieces of billions of slots, made by hand. */
static bool large (unsigned which, sd_buf *out) {
  sd_buf one = { 0 };
  sd_forge_repair (3, 33, true, 1, &one);
  sd_buf_u8 (out, which);
  sd_buf_varint (out, 2);
  sd_buf_varint (out, UINT64_C (3) * UINT32_MAX);
  sd_forge_pieces (UINT32_MAX, 3, &one, out);
  sd_buf_free (&one);
  return !out->failed;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  static const unsigned sizes[] = { 2, 3, 40, 300 };
  static const uint64_t lengths[] = { 60, 3000, 20000 };
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  const unsigned which = k % (unsigned) ncodecs, row = k / (unsigned) ncodecs;
  const sd_codec *c = codec[which];
  if (row >= 12 * SHAPES)
    return false;
  const enum shape wish = (enum shape) (row % SHAPES),
                   shape = (wish == PIECES && !c->in_pieces) || (wish == CLUSTERS && !c->makes_clusters)
                               ? WHOLE
                               : wish;
  if (shape == PIECES && row / SHAPES == 0 && c->max_slots)
    return large (which, out);
  const unsigned m = sizes[row / SHAPES % 4];
  uint64_t n = lengths[row / SHAPES / 4];
  const uint32_t last = n > 3000 ? 2016 : 20; /* two equal men on 64 squares: C(64,2) */
  n -= n % last;
  sd_alphabet *alphabet;
  sd_seq seq;
  sd_settings settings;
  if (!sd_fuzz_sequence (n, m, k, &alphabet, &seq))
    return false;
  seq.ndims = 2; /* some look at the shape */
  seq.radix[0] = (uint32_t) (n / last);
  seq.radix[1] = last;
  sd_buf_u8 (out, which + (shape == PIECES ? (unsigned) ncodecs : 0));
  sd_buf_varint (out, m - 1);
  sd_buf_varint (out, n);
  bool ok = sd_fuzz_settings (c, row, &settings) && encode (c, &seq, &settings, shape, out);
  free (seq.sym);
  sd_alphabet_free (alphabet);
  return ok;
}
