/* The conformance suite for each codec of the build, found by walking the registry, with settings made from
 * its tunables: a codec needs no line here. One process a codec, so that all are tried whatever the first one
 * does. */
#include "config.h"
#include "tests/codecs/codec_suite.h"
#include "codecs/codecs.h"
#include "table/table.h"
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

static struct criterion_test_params every_codec (void) {
  static unsigned number[256];
  size_t n;
  sd_codec_all (&n);
  for (unsigned c = 0; c < n && c < 256; c++)
    number[c] = c;
  return cr_make_param_array (unsigned, number, n);
}

static const sd_codec *codec_of (unsigned number) {
  size_t n;
  return sd_codec_all (&n)[number];
}

/* With its defaults. */
ParameterizedTestParameters (every_codec, keeps_every_promise) {
  return every_codec ();
}
ParameterizedTest (unsigned *number, every_codec, keeps_every_promise) {
  codec_suite (codec_of (*number), (const char *const[]){ "", NULL });
}

/* With each setting away from its default, one at a time; in short sequences, since there are many settings,
 * and some are slow. */
ParameterizedTestParameters (every_codec, keeps_every_promise_with_each_setting) {
  return every_codec ();
}
ParameterizedTest (unsigned *number, every_codec, keeps_every_promise_with_each_setting) {
  const sd_codec *codec = codec_of (*number);
  char text[128];
  for (unsigned k = 0; suite_setting (codec, k, text, sizeof text); k++)
    for (unsigned kind = SUITE_CONSTANT; text[0] && kind < SUITE_KINDS; kind++) {
      suite_seq q = suite_make (kind, 1 + k % 2);
      suite_shorten (&q);
      suite_check (codec, &q, text);
      suite_free (&q);
    }
}

/* With small blocks, where it has blocks: these have most to damage. */
ParameterizedTestParameters (every_codec, damaged_streams_never_crash) {
  return every_codec ();
}
ParameterizedTest (unsigned *number, every_codec, damaged_streams_never_crash) {
  const sd_codec *codec = codec_of (*number);
  char text[64] = "";
  for (const sd_tunable *t = codec->tunables; t->key; t++)
    if (strcmp (t->key, "block") == 0)
      snprintf (text, sizeof text, "block=%ld", t->min > 128 ? t->min : 128);
  codec_suite_damage (codec, text, 2000);
}

/* The suite tells little of freedom if its slots permit one symbol or all. */
Test (suite, a_good_share_of_its_slots_is_partly_free) {
  static const enum suite_kind kinds[] = { SUITE_MIX, SUITE_RUNS, SUITE_LARGE, SUITE_NOISE };
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      suite_seq q = suite_make (kinds[k], seed);
      const uint64_t partly = suite_partly_free (&q);
      cr_expect_geq (partly, q.seq.n / 20, "%s seed %" PRIu64 ": %" PRIu64 " of %" PRIu64, q.kind, seed,
                     partly, q.seq.n);
      suite_free (&q);
    }
}
