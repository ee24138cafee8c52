/** \file data.h
 * Sequences that look like tables: runs, a little noise, free slots; sequences that the bytes of an input
 * say; settings for any codec. */
#ifndef SD_FUZZ_DATA_H
#define SD_FUZZ_DATA_H

#include "codecs/stream/stream.h"
#include <stdlib.h>
#include <string.h>

/** n symbols over m main symbols, in longer runs where there are very many; the alphabet gets one symbol that
 * permits everything. */
static inline bool sd_fuzz_sequence (uint64_t n, unsigned m, uint64_t seed, sd_alphabet **alphabet,
                                     sd_seq *seq) {
  sd_symbol star;
  *alphabet = NULL;
  *seq = (sd_seq){ .sym = sd_alloc (n, sizeof *seq->sym), .n = n, .ndims = 1, .radix = { (uint32_t) n } };
  if (!seq->sym || sd_alphabet_new (m, alphabet) || sd_alphabet_add_range (*alphabet, 0, m - 1, &star)) {
    free (seq->sym);
    sd_alphabet_free (*alphabet);
    return false;
  }
  seq->alphabet = *alphabet;
  for (uint64_t i = 0; i < n;) {
    uint64_t r = sd_random (&seed), run = (1 + (r >> 8) % (r & 7 ? 3 : 200)) * (1 + n / 20000);
    sd_symbol v = r % 5 == 0 ? star : (sd_symbol) ((r >> 32) % (r & 64 ? m : m < 4 ? m : 4));
    for (; run && i < n; run--)
      seq->sym[i++] = v;
  }
  return true;
}

/** Add ranges and other sets of main symbols, as many as `seed` says: SD_FUZZ_SETS at most. false: memory is
 * short. */
enum { SD_FUZZ_SETS = 6 };
static inline bool sd_fuzz_add_sets (sd_alphabet *a, uint64_t seed) {
  const unsigned m = sd_alphabet_main (a);
  for (unsigned left = (unsigned) (seed % (SD_FUZZ_SETS + 1)); left; left--) {
    uint64_t set[SD_MAX_MAIN / 64] = { 0 };
    const uint64_t r = sd_random (&seed);
    const unsigned lo = (unsigned) (r >> 8) % m, hi = lo + (unsigned) (r >> 32) % (m - lo);
    sd_symbol s;
    if (r & 1) {
      set[lo / 64] |= UINT64_C (1) << lo % 64;
      for (unsigned i = 0; i < 3; i++) {
        const unsigned v = (unsigned) (sd_random (&seed) >> 8) % m;
        set[v / 64] |= UINT64_C (1) << v % 64;
      }
    }
    if (r & 1 ? sd_alphabet_add (a, set, &s) : sd_alphabet_add_range (a, lo, hi, &s))
      return false;
  }
  return true;
}

/** The rest of an input as a sequence over seq->alphabet: pairs of u8, a symbol and how often it stands
 * there. Runs grow with the square, and are `stretch` times as long. At most `most` slots; whoever gets
 * seq->sym frees it. false: there are none, or memory is short. */
static inline bool sd_fuzz_read_runs (sd_reader *r, uint64_t most, unsigned stretch, sd_seq *seq) {
  const unsigned size = sd_alphabet_size (seq->alphabet);
  seq->sym = sd_alloc (most, sizeof *seq->sym);
  while (seq->sym && r->end - r->p >= 2) {
    const unsigned symbol = sd_get_u8 (r), often = sd_get_u8 (r);
    for (unsigned left = (1 + often * often / 64) * stretch; left && seq->n < most; left--)
      seq->sym[seq->n++] = (sd_symbol) (symbol * (1 + size / 256) % size);
  }
  return seq->n > 0;
}

/** One of the words "a|b|c", by a number. */
static inline void sd_fuzz_word (const char *words, uint64_t number, char *out, size_t cap) {
  unsigned n = 1;
  for (const char *p = words; *p; p++)
    n += *p == '|';
  for (number %= n; number; number--)
    words = strchr (words, '|') + 1;
  snprintf (out, cap, "%.*s", (int) strcspn (words, "|"), words);
}

/** Settings number k of a codec, whichever it is: small blocks, words by turns, every other number the least
 * or the default. */
static inline bool sd_fuzz_settings (const sd_codec *codec, unsigned k, sd_settings *out) {
  uint64_t state = k;
  if (sd_settings_parse (codec, NULL, out, NULL))
    return false;
  for (const sd_tunable *t = codec->tunables; t->key; t++) {
    sd_settings with = *out;
    char word[64] = "", text[1100];
    const uint64_t r = sd_random (&state);
    const bool block = strcmp (t->key, "block") == 0, dict = strcmp (t->key, "dict") == 0;
    if (t->words)
      sd_fuzz_word (t->words, r, word, sizeof word);
    else if (t->min <= t->max && block)
      snprintf (word, sizeof word, "%ld", t->min < 16 ? 256 : t->min + (r & 1 ? 48 : 0));
    else if (t->min <= t->max && (dict || strcmp (t->key, "clusters") == 0))
      snprintf (word, sizeof word, "%d", r & 1 ? 0 : dict ? 512 : 4);
    else if (t->min <= t->max && r & 1)
      snprintf (word, sizeof word, "%ld", t->min);
    if (!word[0])
      continue;
    sd_settings_put (&with, t->key, word);
    sd_settings_text (&with, text, sizeof text);
    if (sd_settings_parse (codec, text, &with, NULL) == SD_OK)
      *out = with;
  }
  return true;
}

#endif
