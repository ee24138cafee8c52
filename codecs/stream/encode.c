/** \file encode.c
 * What all codecs have in common when they encode: a sequence that one main symbol can complete as a whole is
 * stored as that symbol, whatever the codec and its initial replacement; any other is copied (where somebody
 * writes to it), partly completed by the initial replacement and given to the codec. Whoever codes values
 * comes through here (table/, array/, recode/), and gets the codec's bytes behind one byte that says which
 * kind of stream they are; nothing is left in `out` of a stream that failed. */
#include "config.h"
#include "codecs/stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* The smallest main symbol that every slot admits, or m if there is none. */
/* Sets are intersected symbol by symbol of the alphabet and not slot by slot: the cost is that of
 * counting. */
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

/* over: src->sym may be written to. Seven arguments: those of sd_codec_encode, and that. */
static int encode (const sd_codec *codec, const sd_seq *src, bool over, const sd_settings *set,
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
    /* As few as the limit allows, and all of one size but for the last: each has a model of its own. */
    uint64_t pieces = (src->n - 1) / codec->max_slots + 1;
    st = sd_codec_encode_pieces (codec, src, (src->n - 1) / pieces + 1, set, progress, out, err);
  } else {
    const char *initial = sd_settings_word (set, "initial");

    const bool writes = !codec->only_reads_source || strcmp (initial, "none") != 0,
               copies = writes && (!over || (codec->keeps_slots && codec->keeps_slots (set)));
    sd_seq copy = *src;
    if (copies) {
      copy.sym = sd_alloc (src->n, sizeof *copy.sym);
      if (!copy.sym)
        return sd_fail_memory (err, src->n * sizeof *copy.sym);
      memcpy (copy.sym, src->sym, src->n * sizeof *copy.sym);
    }
    /* A codec that may make clusters says itself whether it has. */
    if (!codec->makes_clusters)
      sd_buf_u8 (out, SD_STREAM_CODEC);
    st = writes ? sd_initial_apply (initial, &copy, err) : SD_OK;
    /* What the replacements have left free, where the codec knows no free slots. */
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

int sd_codec_encode (const sd_codec *codec, const sd_seq *src, const sd_settings *set,
                     const sd_progress *progress, sd_buf *out, sd_error *err) {
  return encode (codec, src, false, set, progress, out, err);
}

int sd_codec_encode_over (const sd_codec *codec, sd_seq *src, const sd_settings *set,
                          const sd_progress *progress, sd_buf *out, sd_error *err) {
  return encode (codec, src, true, set, progress, out, err);
}
