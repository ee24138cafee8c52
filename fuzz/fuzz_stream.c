/** \file fuzz_stream.c
 * A codec's stream from anywhere: opening refuses it or makes a decoder that stays inside its memory, gives
 * main symbols only, and reads what it gets.
 *
 * Input: u8 codec (its place in the list), varint m - 1, varint n, the stream. */
#include "config.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "table/table.h"

#include <string.h>

#define WINDOW 3000

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
  if (r.bad || m >= SD_MAX_MAIN || n == 0 || n >> 44)
    return 0;
  size_t len = (size_t) (r.end - r.p);
  uint8_t *exact = sd_alloc (len, 1); /* ends where the stream ends */
  if (!exact)
    return 0;
  memcpy (exact, r.p, len);
  sd_decoder *d;
  sd_error err;
  if (sd_codec_open (codec[which % ncodecs], exact, len, n, (unsigned) m + 1, &d, &err) == SD_OK) {
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

/* The stream; in clusters, the halves of each 20 slots by themselves. */
static bool encode (const sd_codec *c, const sd_seq *seq, const sd_settings *set, bool clusters,
                    sd_buf *out) {
  sd_buf one = { 0 };
  if (!clusters)
    return sd_codec_encode (c, seq, set, NULL, out, NULL) == SD_OK;
  const bool ok = sd_codec_encode (c, seq, set, NULL, &one, NULL) == SD_OK
                  && sd_codec_put_fork (&(sd_fork){ 10, 2, 1 }, &one, &one, out) == SD_OK;
  sd_buf_free (&one);
  return ok;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  static const unsigned sizes[] = { 2, 3, 40, 300 };
  static const uint64_t lengths[] = { 60, 3000, 20000 };
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  if (k >= ncodecs * 12)
    return false;
  unsigned m = sizes[k / ncodecs % 4];
  uint64_t n = lengths[k / ncodecs / 4];
  const sd_codec *c = codec[k % ncodecs];
  const char *set =
      NULL; /* small blocks; every second zstd with a dictionary, every second repair with rANS */
  if (c->method)
    set = strcmp (c->name, "zstd") == 0 && k / ncodecs % 2 ? "block=256,dict=512" : "block=256";
  else if (strcmp (c->name, "repair") == 0)
    set = k / ncodecs % 2 ? "block=16,entropy=rans"
          : n > 60        ? "block=64"
                          : "block=16"; /* 33 on: marks inside */
  else if (strcmp (c->name, "rle") == 0)
    set = "block=16";
  else if (strcmp (c->name, "huffman") == 0)
    set = k / ncodecs % 2 ? "block=16,word=0" : "block=16";
  else if (strcmp (c->name, "trees") == 0)
    set = "block=128,trees=2";
  else if (strcmp (c->name, "obdd") == 0)
    set = k / ncodecs % 3 == 0 ? "sums=yes" : k / ncodecs % 3 == 1 ? "nodes=edges" : "nodes=ideal,sums=yes";
  const bool shaped =
      strcmp (c->name, "trees") == 0 || strcmp (c->name, "obdd") == 0; /* these look at the shape */
  const uint32_t last = shaped && n > 3000 ? 2016 : 20; /* two equal men on 64 squares: C(64,2) */
  if (shaped)
    n -= n % last;
  sd_alphabet *alphabet;
  sd_seq seq;
  sd_settings settings;
  if (!sd_fuzz_sequence (n, m, k, &alphabet, &seq))
    return false;
  if (shaped) {
    seq.ndims = 2;
    seq.radix[0] = (uint32_t) (n / last);
    seq.radix[1] = last;
  }
  sd_buf_u8 (out, k % (unsigned) ncodecs);
  sd_buf_varint (out, m - 1);
  sd_buf_varint (out, n);
  bool ok = sd_settings_parse (c, set, &settings, NULL) == SD_OK
            && encode (c, &seq, &settings, c->heads && k / ncodecs % 3 == 2, out);
  free (seq.sym);
  sd_alphabet_free (alphabet);
  return ok;
}
