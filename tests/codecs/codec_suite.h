/** \file codec_suite.h
 * The conformance suite of a codec: every promise of stream.h, for sequences of many kinds. test_all_codecs.c
 * calls it for each registered codec, with settings made from the codec's tunables; combinations of settings
 * that deserve a test of their own are given to codec_suite () and codec_suite_damage () by the tests of the
 * codec. Criterion must be included before. */
#ifndef CODEC_SUITE_H
#define CODEC_SUITE_H

#include <criterion/criterion.h>
#include "codecs/stream/stream.h"
#include "tests/base/long_tests.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/** A sequence with its alphabet; seed and kind say how to make it again. */
typedef struct suite_seq {
  const char *kind;
  uint64_t seed;
  sd_alphabet *alphabet;
  sd_seq seq;
} suite_seq;

enum suite_kind {
  SUITE_EMPTY,
  SUITE_ONE,
  SUITE_FREE,
  SUITE_CONSTANT,
  SUITE_MIX,
  SUITE_RUNS,
  SUITE_LARGE,
  SUITE_NOISE,
  SUITE_SKEWED,
  SUITE_KINDS
};

static inline sd_symbol suite_range (sd_alphabet *a, unsigned lo, unsigned hi) {
  sd_symbol s = 0;
  cr_assert_eq (sd_alphabet_add_range (a, lo, hi, &s), SD_OK);
  return s;
}

/* m main symbols, all ranges that start at 0 or end at m - 1 (at most 64 of each), and one set with gaps. */
static inline sd_alphabet *suite_alphabet (unsigned m) {
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
  unsigned step = m / 64 + 1;
  for (unsigned v = 0; v < m; v += step) {
    suite_range (a, v, m - 1);
    suite_range (a, 0, v);
  }
  uint64_t gaps[SD_MAX_MAIN / 64] = { 0 };
  for (unsigned v = 0; v < m; v += 3)
    gaps[v / 64] |= 1ull << (v % 64);
  sd_symbol s;
  cr_assert_eq (sd_alphabet_add (a, gaps, &s), SD_OK);
  return a;
}

/* m main symbols, m: anything, m + 1: 0 or 1 (where there are more than two). */
static inline sd_alphabet *suite_alphabet_with_star (unsigned m) {
  sd_alphabet *a;
  sd_symbol s;
  cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
  cr_assert_eq (sd_alphabet_add_range (a, 0, m - 1, &s), SD_OK); /* m: anything */
  if (m > 2)
    cr_assert_eq (sd_alphabet_add_range (a, 0, 1, &s), SD_OK); /* m + 1: 0 or 1 */
  return a;
}

static inline suite_seq suite_make (enum suite_kind kind, uint64_t seed) {
  static const char *const names[] = { "empty", "one",   "free",  "constant", "mix",
                                       "runs",  "large", "noise", "skewed" };
  static const unsigned m_of[] = { 3, 5, 3, 300, 3, 40, 3000, 256, 3 };
  static const unsigned n_of[] = { 0, 1, 5000, 7001, 20011, 60013, 9001, 12345, 25013 };
  uint64_t rng = seed;
  suite_seq q = { .kind = names[kind], .seed = seed, .alphabet = suite_alphabet (m_of[kind]) };
  unsigned m = m_of[kind], size = sd_alphabet_size (q.alphabet);
  sd_symbol star = suite_range (q.alphabet, 0, m - 1);
  q.seq = (sd_seq){ .alphabet = q.alphabet,
                    .n = n_of[kind] ? n_of[kind] + sd_random (&rng) % (kind == SUITE_ONE ? 1 : 50) : 0 };
  q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
  cr_assert (q.seq.sym);
  unsigned value = 0, left = 0;
  for (uint64_t i = 0; i < q.seq.n; i++) {
    uint64_t x = sd_random (&rng);
    if (left-- == 0) { /* a new run; structure for the codecs that live on repetition */
      const unsigned any = x >> 16 & 0xffff;
      value = x % 3 ? (value + 1) % m : x >> 8 & 1 ? any % m : m + any % (size - m);
      left = kind == SUITE_RUNS ? x >> 32 & 511 : kind == SUITE_NOISE ? 0 : x >> 32 & 7;
    }
    switch (kind) {
    case SUITE_FREE:
      q.seq.sym[i] = star;
      break;
    case SUITE_CONSTANT:
      q.seq.sym[i] = x % 4 ? 299 : star;
      break;
    case SUITE_MIX:
      q.seq.sym[i] = (sd_symbol) (x % 3 ? value : x >> 8 & 1 ? star : (x >> 16 & 0xffff) % size);
      break;
    case SUITE_RUNS:
      q.seq.sym[i] = (sd_symbol) (x % 64 ? value : star);
      break;
    case SUITE_SKEWED: /* one symbol in a thousand: rANS puts many symbols into one bit */
      q.seq.sym[i] = x % 1000 == 0;
      break;
    case SUITE_NOISE:
      q.seq.sym[i] = (sd_symbol) (x % 4 ? (x >> 16) % m : m + (x >> 16) % (size - m));
      break;
    default:
      q.seq.sym[i] = (sd_symbol) value;
    }
  }
  return q;
}

static inline void suite_free (suite_seq *q) {
  free (q->seq.sym);
  sd_alphabet_free (q->alphabet);
}

/** The first slots of q alone: for what is tried so often that whole sequences take too long. */
static inline void suite_shorten (suite_seq *q) {
  q->seq.n = q->seq.n > 3000 ? 3000 : q->seq.n;
}

/* Settings without effect beside others, too: whoever has them in an old database can code with them. */
static inline sd_settings suite_settings (const sd_codec *codec, const char *text) {
  sd_settings set;
  sd_error err = { 0 };
  cr_assert_eq (sd_settings_read (codec, text, &set, &err), SD_OK, "%s", err.text);
  return set;
}

static inline sd_buf suite_encode (const sd_codec *codec, const suite_seq *q, const char *settings) {
  sd_settings set = suite_settings (codec, settings);
  sd_buf out = { 0 };
  sd_error err = { 0 };
  int st = sd_codec_encode (codec, &q->seq, &set, NULL, &out, &err);
  cr_assert_eq (st, SD_OK, "%s %s, %s seed %" PRIu64 ": %s", codec->name, settings, q->kind, q->seed,
                err.text);
  return out;
}

#define SUITE_OK(cond, ...)                                                                                  \
  cr_assert (cond, "%s %s, %s seed %" PRIu64 ": " #cond, codec->name, settings, q->kind, q->seed)

/** Decode the stream of q in every way, compare. */
static inline void suite_check_stream (const sd_codec *codec, const suite_seq *q, const char *settings,
                                       const sd_buf *stream) {
  const uint64_t n = q->seq.n;
  uint8_t *exact = sd_alloc (stream->len, 1); /* reading behind the end is seen by the sanitizers */
  memcpy (exact, stream->data, stream->len);
  sd_decoder *d = NULL;
  sd_error err = { 0 };
  int st = sd_codec_open (codec, exact, stream->len, n, sd_alphabet_main (q->alphabet), &d, &err);
  cr_assert_eq (st, SD_OK, "%s %s, %s seed %" PRIu64 ": open: %s", codec->name, settings, q->kind, q->seed,
                err.text);
  /* pieces and clusters put a codec of the same name before the one asked for */
  SUITE_OK (d->codec->id == codec->id && strcmp (d->codec->name, codec->name) == 0);
  SUITE_OK (d->n == n && d->m == sd_alphabet_main (q->alphabet));

  sd_symbol *all = sd_alloc (n, sizeof *all), *part = sd_alloc (n, sizeof *part);
  SUITE_OK (sd_codec_read (d, 0, n, all) == SD_OK);
  uint64_t bad = sd_seq_first_violation (&q->seq, all);
  cr_assert_eq (bad, n, "%s %s, %s seed %" PRIu64 ": slot %" PRIu64 " of %" PRIu64 " does not admit %u",
                codec->name, settings, q->kind, q->seed, bad, n, all[bad < n ? bad : 0]);
  sd_codec_parts parts;
  sd_codec_describe (d, &parts);
  SUITE_OK (parts.header + parts.model + parts.index + parts.payload == stream->len);
  uint64_t rng = q->seed;
  /* In a large block all that stands before a slot may have to be decoded for it. */
  const uint64_t block_slots = parts.blocks ? n / parts.blocks : 1;
  const bool slow = block_slots > 1000;
  for (unsigned k = 0; n > 0 && k < (slow ? 400 / sd_every (10) : 400); k++) {
    uint64_t i = k < 2 ? k * (n - 1) : sd_random (&rng) % n;
    sd_symbol v = SD_MAX_MAIN;
    SUITE_OK (sd_codec_get (d, i, &v) == SD_OK);
    cr_assert_eq (v, all[i], "%s %s, %s seed %" PRIu64 ": get (%" PRIu64 ") = %u, read gives %u", codec->name,
                  settings, q->kind, q->seed, i, v, all[i]);
  }
  for (unsigned k = 0; n > 0 && k < 40 / sd_every (slow || n > 100000 ? 6 : 2); k++) {
    uint64_t first = sd_random (&rng) % n, count = sd_random (&rng) % (n - first + 1);
    SUITE_OK (sd_codec_read (d, first, count, part) == SD_OK);
    SUITE_OK (memcmp (part, all + first, count * sizeof *part) == 0);
  }
  sd_codec_block block;
  uint64_t blocks = 0, bytes = 0;
  for (uint64_t i = 0; i < n && sd_codec_block_of (d, i, &block); i += block.slots) {
    SUITE_OK (block.first == i && block.number == blocks && block.slots > 0 && block.slots <= n - i);
    sd_codec_block same;
    SUITE_OK (sd_codec_block_of (d, i + block.slots - 1, &same) && same.number == block.number
              && same.first == i && same.slots == block.slots && same.bytes == block.bytes);
    /* at both ends, where offsets would be wrong */
    sd_symbol v = SD_MAX_MAIN;
    SUITE_OK (blocks > 3 || (sd_codec_get (d, i, &v) == SD_OK && v == all[i]));
    SUITE_OK (blocks > 3
              || (sd_codec_get (d, i + block.slots - 1, &v) == SD_OK && v == all[i + block.slots - 1]));
    blocks++;
    bytes += block.bytes;
  }
  SUITE_OK (!blocks || (blocks == parts.blocks && bytes <= parts.payload));
  sd_codec_close (d);
  free (all);
  free (part);
  free (exact);
}

/** Encode, by one thread and by several, decode in every way, compare. */
static inline void suite_check (const sd_codec *codec, const suite_seq *q, const char *settings) {
  const size_t bytes = q->seq.n * sizeof *q->seq.sym;
  const uint64_t hash = sd_hash64 (q->seq.sym, bytes);
  sd_buf out = suite_encode (codec, q, settings), again = { 0 };
#ifdef _OPENMP
  int threads = omp_get_max_threads ();
  omp_set_num_threads (threads == 1 ? 3 : 1);
#endif
  again = suite_encode (codec, q, settings);
#ifdef _OPENMP
  omp_set_num_threads (threads);
#endif
  SUITE_OK (out.len == again.len && memcmp (out.data, again.data, out.len) == 0);
  SUITE_OK (sd_hash64 (q->seq.sym, bytes) == hash); /* the source is kept */
  suite_check_stream (codec, q, settings, &out);
  sd_buf_free (&out);
  sd_buf_free (&again);
}

/** Slots of q that permit more than one symbol, but not all. */
static inline uint64_t suite_partly_free (const suite_seq *q) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < q->seq.n; i++) {
    const unsigned choices = sd_alphabet_choices (q->alphabet, q->seq.sym[i]);
    count += choices > 1 && choices < sd_alphabet_main (q->alphabet);
  }
  return count;
}

/** Word number w of "a|b|c"; false: there are fewer. */
static inline bool suite_word (const char *words, unsigned w, char *out, size_t cap) {
  for (; w > 0; w--) {
    words += strcspn (words, "|");
    if (!*words++)
      return false;
  }
  snprintf (out, cap, "%.*s", (int) strcspn (words, "|"), words);
  return true;
}

/** What a tunable is tried with, its default aside: the smallest and the largest number, every word, three
 * initial replacements. Other texts are known to their codec alone, whose tests try them. False: there are
 * fewer than w + 1. */
static inline bool suite_value (const sd_tunable *t, unsigned w, char *out, size_t cap) {
  const bool number = t->min <= t->max, initial = strcmp (t->key, "initial") == 0;
  if (number) {
    snprintf (out, cap, "%ld", w ? t->max : t->min);
    return w < 2;
  }
  return (t->words || initial) && suite_word (t->words ? t->words : "none|left|alg2+full", w, out, cap);
}

/** Settings number k that any codec is tried with, one for each value of each tunable, the others left alone;
 * "" for a value that is the default. False: there are not so many. */
static inline bool suite_setting (const sd_codec *codec, unsigned k, char *out, size_t cap) {
  for (const sd_tunable *t = codec->tunables; t->key; t++) {
    char value[64];
    for (unsigned w = 0; suite_value (t, w, value, sizeof value); w++)
      if (k-- == 0) {
        const bool same = strcmp (value, t->deflt) == 0;
        snprintf (out, cap, "%s%s%s", same ? "" : t->key, same ? "" : "=", same ? "" : value);
        return true;
      }
  }
  return false;
}

/** Every kind of sequence, several seeds, the later ones in short; settings is a NULL-terminated list
 * ("" = defaults). */
static inline void codec_suite (const sd_codec *codec, const char *const *settings) {
  for (; *settings; settings++)
    for (unsigned kind = 0; kind < SUITE_KINDS; kind++)
      for (uint64_t seed = 1; seed <= 2; seed++) {
        suite_seq q = suite_make (kind, seed);
        if (seed > 1 && !sd_long_tests ())
          suite_shorten (&q);
        suite_check (codec, &q, *settings);
        suite_free (&q);
      }
}

/** Open and read a stream that may be damaged: any status will do, but symbols stay below m and nothing
 * crashes. */
static inline void suite_read_damaged (const sd_codec *codec, const uint8_t *data, size_t len, uint64_t n,
                                       unsigned m, const char *what) {
  sd_decoder *d = NULL;
  sd_error err = { 0 };
  uint8_t *exact = sd_alloc (len, 1);
  memcpy (exact, data, len);
  int st = sd_codec_open (codec, exact, len, n, m, &d, &err);
  if (st) {
    cr_assert (!d && err.text[0] && err.status == st, "%s %s: open fails with %d and without a text",
               codec->name, what, st);
  } else {
    uint64_t rng = len;
    for (unsigned k = 0; k < 6; k++) {
      sd_symbol v = 0;
      st = sd_codec_get (d, k < 2 ? k * (n - 1) : sd_random (&rng) % n, &v);
      cr_assert (st == SD_EFORMAT || (st == SD_OK && v < m), "%s %s: get gives status %d, symbol %u",
                 codec->name, what, st, v);
    }
    sd_symbol *all = sd_alloc (n, sizeof *all);
    st = sd_codec_read (d, 0, n, all);
    for (uint64_t i = 0; st == SD_OK && i < n; i++)
      cr_assert (all[i] < m, "%s %s: read gives symbol %u", codec->name, what, all[i]);
    cr_assert (st == SD_OK || st == SD_EFORMAT, "%s %s: read gives status %d", codec->name, what, st);
    free (all);
    sd_codec_close (d);
  }
  free (exact);
}

/** `rounds` mutated streams: cut off, bits flipped, bytes overwritten, another n or m. */
static inline void codec_suite_damage (const sd_codec *codec, const char *settings, unsigned rounds) {
  static const enum suite_kind kinds[] = { SUITE_MIX, SUITE_RUNS, SUITE_LARGE, SUITE_CONSTANT };
  for (unsigned k = 0; k < 4; k++) {
    suite_seq q = suite_make (kinds[k], 5);
    suite_shorten (&q); /* small streams: more damage hits what steers the decoder */
    unsigned m = sd_alphabet_main (q.alphabet);
    sd_buf good = suite_encode (codec, &q, settings);
    uint8_t *bad = sd_alloc (good.len + 16, 1);
    uint64_t rng = 99 + k;
    for (unsigned round = 0; round < rounds / 4; round++) {
      size_t len = good.len, area = round % 2 && len > 40 ? 40 : len; /* every second one near the front */
      uint64_t n = q.seq.n, x = sd_random (&rng);
      memset (bad, 0, good.len + 16);
      memcpy (bad, good.data, len);
      switch (x % 6) {
      case 0:
        len = (x >> 8) % len;
        break;
      case 1:
        len += 1 + (x >> 8) % 16;
        break;
      case 2:
        n = 1 + (x >> 8) % (2 * n);
        break;
      default:
        for (unsigned flips = 1 + (x >> 8 & 3); flips > 0; flips--) {
          uint64_t y = sd_random (&rng);
          if (x % 6 == 3)
            bad[y % area] = (uint8_t) (y >> 32);
          else
            bad[y % area] ^= (uint8_t) (1u << (y >> 32 & 7));
        }
      }
      char what[64];
      snprintf (what, sizeof what, "%s, damage %u", q.kind, round);
      suite_read_damaged (codec, bad, len, n, x >> 60 ? m : 1 + (unsigned) (x >> 20) % SD_MAX_MAIN, what);
    }
    free (bad);
    sd_buf_free (&good);
    suite_free (&q);
  }
}

#endif
