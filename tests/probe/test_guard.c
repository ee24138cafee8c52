/* Checksums that are compared when their bytes are first read: whatever byte of a stream is damaged, a decoder
 * gives the right symbol or a status, and slots whose bytes are sound are still read. Chunks of 64 bytes here, so
 * that small streams have many. */
#include "config.h"
#include "codecs/codecs.h"
#include "table/table.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>


enum { CHUNK_BITS = 6, N = 2000 };

typedef struct guarded {
  sd_buf stream;
  uint8_t *sums, *state;
  sd_guard guard;
} guarded;

static uint64_t chunks_of (const guarded *g) {
  return ((g->stream.len - 1) >> CHUNK_BITS) + 1;
}

/* The sums of the stream as it is. */
static void set_sums (guarded *g) {
  g->sums = malloc (4 * chunks_of (g));
  g->state = malloc (chunks_of (g));
  cr_assert (g->sums && g->state);
  for (uint64_t c = 0; c < chunks_of (g); c++) {
    const uint64_t at = c << CHUNK_BITS, rest = g->stream.len - at;
    const uint64_t sum = sd_hash64 (g->stream.data + at, rest < 1u << CHUNK_BITS ? rest : 1u << CHUNK_BITS);
    for (unsigned k = 0; k < 4; k++)
      g->sums[4 * c + k] = (uint8_t) (sum >> 8 * k);
  }
}

static int open_guarded (guarded *g, const sd_codec *codec, unsigned m, sd_decoder **d) {
  memset (g->state, SD_CHUNK_NEW, chunks_of (g));
  g->guard = (sd_guard){ g->stream.data, g->stream.len, CHUNK_BITS, g->sums, g->state };
  const sd_stream s = {
    .codec = codec, .guard = &g->guard, .data = g->stream.data, .len = g->stream.len, .n = N, .m = m
  };
  return sd_stream_open (&s, d, NULL);
}

typedef struct outcome {
  unsigned refused, late, sound;
} outcome;

/* All symbols of a damaged stream, one by one and some at a time, against those of the sound one. */
static void compare (const sd_codec *codec, const sd_decoder *d, const sd_symbol *want, size_t byte, outcome *sum) {
  static sd_symbol some[N];
  unsigned late = 0, sound = 0;
  for (uint64_t i = 0; i < N; i += 29) {
    sd_symbol v;
    const int st = sd_codec_get (d, i, &v);
    cr_assert (st == SD_ECHECKSUM || (st == SD_OK && v == want[i]), "%s: byte %zu, slot %d: status %d", codec->name,
               byte, (int) i, st);
    late += st != SD_OK;
    sound += st == SD_OK;
  }
  for (uint64_t i = 0; i < N; i += 500) {
    const int st = sd_codec_read (d, i, 500, some);
    cr_assert (st == SD_ECHECKSUM || (st == SD_OK && memcmp (some, want + i, 500 * sizeof *some) == 0),
               "%s: byte %zu, slots from %d on: status %d", codec->name, byte, (int) i, st);
  }
  cr_assert (sd_codec_read (d, 0, N, some) == SD_ECHECKSUM || late == 0, "%s: byte %zu", codec->name, byte);
  sum->late += late > 0;
  sum->sound += sound > 0;
}

/* Every seventh byte damaged, one after the other. */
static void check_codec (const sd_codec *codec, const char *text, const sd_seq *seq) {
  const unsigned m = sd_alphabet_main (seq->alphabet);
  static sd_symbol want[N];
  guarded g = { 0 };
  outcome sum = { 0 };
  sd_settings set;
  sd_decoder *d;
  cr_assert (sd_settings_parse (codec, text, &set, NULL) == SD_OK);
  cr_assert (sd_codec_encode (codec, seq, &set, NULL, &g.stream, NULL) == SD_OK);
  set_sums (&g);
  cr_assert (open_guarded (&g, codec, m, &d) == SD_OK, "%s: sound", codec->name);
  cr_assert (sd_codec_read (d, 0, N, want) == SD_OK);
  sd_codec_close (d);
  cr_assert (g.stream.len > 8u << CHUNK_BITS, "%s: %zu bytes", codec->name, g.stream.len);
  unsigned rounds = 0;
  for (size_t byte = 0; byte < g.stream.len; byte += 7, rounds++) {
    g.stream.data[byte] ^= (uint8_t) (1u << byte % 8);
    const int st = open_guarded (&g, codec, m, &d);
    cr_assert (st == SD_OK || st == SD_ECHECKSUM || st == SD_EFORMAT, "%s: status %d", codec->name, st);
    sum.refused += st != SD_OK;
    if (!st)
      compare (codec, d, want, byte, &sum);
    sd_codec_close (d);
    g.stream.data[byte] ^= (uint8_t) (1u << byte % 8);
  }
  cr_expect_eq (sum.refused + sum.late, rounds, "%s: damage of %u bytes, told of %u", codec->name, rounds,
                sum.refused + sum.late);
  if (codec->checks_while_reading)
    cr_expect (sum.sound > rounds / 4, "%s: in %u of %u rounds some slots were read", codec->name, sum.sound, rounds);
  sd_buf_free (&g.stream);
  free (g.sums);
  free (g.state);
}

Test (guard, no_codec_believes_a_damaged_byte) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  sd_symbol *sym = malloc (N * sizeof *sym);
  sd_alphabet *a;
  uint64_t rng = 3;
  cr_assert (sym && sd_alphabet_new (40, &a) == SD_OK);
  for (unsigned i = 0; i < N; i++) /* runs, so that coders find something, and noise, so that they need bytes */
    sym[i] = (sd_symbol) (sd_random (&rng) % 4 || i == 0 ? sd_random (&rng) % 40 : sym[i - 1]);
  const sd_seq seq = { .alphabet = a, .sym = sym, .n = N };
  for (size_t c = 0; c < n; c++) {
    char small[32] = ""; /* blocks, so that most of them lie in sound chunks */
    for (const sd_tunable *t = all[c]->tunables; t->key; t++)
      if (strcmp (t->key, "block") == 0)
        snprintf (small, sizeof small, "block=%ld", t->min < 128 ? 128 : t->min);
    check_codec (all[c], small, &seq);
    if (strcmp (all[c]->name, "obdd") == 0)
      check_codec (all[c], "clusters=4,order=pieces", &seq);
    if (strcmp (all[c]->name, "repair") == 0)
      check_codec (all[c], "entropy=rans", &seq);
  }
  sd_alphabet_free (a);
  free (sym);
}
