/** \file fuzz_trip.c
 * There and back with any codec: a sequence over any alphabet, any settings; what the encoder made opens, and
 * what is read, together and slot by slot, completes the sequence.
 *
 * Input: u8 codec (its place in the list), u8 settings, u8 which sets are subdefinite symbols, varint m - 1,
 * varint columns of the shape, then pairs of u8: a symbol and how often it stands there. */
#include "config.h"
#include "codecs/codecs.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 6000, MOST_MAIN = 400 };

sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS]; /* by the place in the list of codecs */

/* The rest of the input as a sequence; false: it is empty, or memory is short. */
static bool read_sequence (sd_reader *r, unsigned columns, sd_seq *seq) {
  if (!sd_fuzz_read_runs (r, MOST_SLOTS, 1, seq))
    return false;
  if (columns && seq->n % columns == 0) {
    seq->ndims = 2;
    seq->radix[0] = (uint32_t) (seq->n / columns);
    seq->radix[1] = columns;
  } else {
    seq->ndims = 1;
    seq->radix[0] = (uint32_t) seq->n;
  }
  return true;
}

/* The bytes lie in memory that ends where they end. */
static void read_back (const sd_codec *codec, const sd_seq *seq, const sd_buf *made) {
  sd_symbol all[MOST_SLOTS], one;
  sd_decoder *d;
  sd_error err = { 0 };
  uint8_t *exact = sd_alloc (made->len, 1);
  if (!exact)
    return;
  memcpy (exact, made->data, made->len);
  SD_FUZZ_CHECK (sd_codec_open (codec, exact, made->len, seq->n, sd_alphabet_main (seq->alphabet), &d, &err)
                 == SD_OK);
  SD_FUZZ_CHECK (sd_codec_read (d, 0, seq->n, all) == SD_OK);
  SD_FUZZ_CHECK (sd_seq_first_violation (seq, all) == seq->n);
  for (uint64_t i = 0; i < seq->n; i += 1 + seq->n / 16)
    SD_FUZZ_CHECK (sd_codec_get (d, i, &one) == SD_OK && one == all[i]);
  sd_codec_close (d);
  free (exact);
}

/* Without a copy of the symbols the bytes are the same. */
static void coded_over (const sd_codec *codec, const sd_seq *seq, const sd_settings *set,
                        const sd_buf *made) {
  sd_seq over = *seq;
  sd_buf again = { 0 };
  over.sym = malloc ((seq->n ? seq->n : 1) * sizeof *over.sym);
  if (!over.sym)
    return;
  memcpy (over.sym, seq->sym, seq->n * sizeof *over.sym);
  SD_FUZZ_CHECK (sd_codec_encode_over (codec, &over, set, NULL, &again, NULL) == SD_OK);
  SD_FUZZ_CHECK (again.len == made->len && memcmp (again.data, made->data, made->len) == 0);
  sd_buf_free (&again);
  free (over.sym);
}

/* false: the settings do not exist. */
static bool there_and_back (const sd_codec *codec, unsigned row, const sd_seq *seq) {
  sd_settings set;
  sd_buf made = { 0 };
  sd_error err = { 0 };
  if (!sd_fuzz_settings (codec, row, &set))
    return false;
  SD_FUZZ_CHECK (sd_codec_encode (codec, seq, &set, NULL, &made, &err) == SD_OK);
  read_back (codec, seq, &made);
  coded_over (codec, seq, &set, &made);
  sd_buf_free (&made);
  return true;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  sd_reader r = sd_reader_of (data, size);
  const unsigned which = sd_get_u8 (&r) % (unsigned) ncodecs, row = sd_get_u8 (&r), sets = sd_get_u8 (&r);
  const uint64_t m = sd_get_varint (&r) + 1, columns = sd_get_varint (&r);
  sd_alphabet *alphabet;
  if (r.bad || m > MOST_MAIN || columns > MOST_SLOTS || sd_alphabet_new ((unsigned) m, &alphabet))
    return 0;
  sd_seq seq = { .alphabet = alphabet };
  if (sd_fuzz_add_sets (alphabet, sets) && read_sequence (&r, (unsigned) columns, &seq))
    sd_fuzz_count_one (which, codec[which]->name, there_and_back (codec[which], row, &seq));
  free (seq.sym);
  sd_alphabet_free (alphabet);
  return 0;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  static const unsigned sizes[] = { 2, 3, 5, 40, 300 }, lengths[] = { 6, 40, 150 };
  size_t ncodecs;
  sd_codec_all (&ncodecs);
  const unsigned row = k / (unsigned) ncodecs;
  uint64_t state = k;
  if (row >= 45)
    return false;
  sd_buf_u8 (out, k % (unsigned) ncodecs);
  sd_buf_u8 (out, row);
  sd_buf_u8 (out, 3 * row + 1);
  sd_buf_varint (out, sizes[row % 5] - 1);
  sd_buf_varint (out, row % 2 ? 0 : 1 + row % 7);
  for (unsigned i = 0; i < lengths[row / 5 % 3]; i++) {
    const uint64_t r = sd_random (&state);
    sd_buf_u8 (out, (unsigned) (r >> 8 & (r & 64 ? 255 : 7)));
    sd_buf_u8 (out, r & 7 ? (unsigned) (r >> 32 & 15) : (unsigned) (r >> 32 & 127));
  }
  return !out->failed;
}
