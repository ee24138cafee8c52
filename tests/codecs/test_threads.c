/* A long sequence is coded by several threads, each a part of it, and the bytes are the same for any number
 * of threads. */
#include "config.h"
#include "base/parts.h"
#include "codecs/codecs.h"
#include "tests/base/long_tests.h"
#include "tests/codecs/codec_suite.h"
#include <criterion/criterion.h>

#ifdef _OPENMP

enum { ROW = 64, N = 4096 * ROW };

/* n slots of m main symbols, m: anything, m + 1: 0 or 1. Runs of up to `longest` slots, one of eight of them
 * free; small symbols more often than large ones. */
static suite_seq made_of_runs (uint64_t n, unsigned m, unsigned longest) {
  suite_seq q = { .kind = longest > 1 ? "runs" : "noise",
                  .seed = 7,
                  .alphabet = suite_alphabet_with_star (m) };
  uint64_t rng = q.seed;
  q.seq = (sd_seq){ .alphabet = q.alphabet,
                    .n = n,
                    .ndims = 2,
                    .radix = { (uint32_t) (n / ROW), ROW },
                    .sym = sd_alloc (n, sizeof *q.seq.sym) };
  cr_assert (q.seq.sym);
  for (uint64_t i = 0, left = 0, value = 0; i < n; i++, left--) {
    if (!left) {
      const uint64_t x = sd_random (&rng), small = x % m;
      value = x >> 16 & 7 ? small * (x >> 24 & 0xff) / 255 : m + (x >> 20 & 1);
      left = 1 + (x >> 32) % longest;
    }
    q.seq.sym[i] = (sd_symbol) value;
  }
  return q;
}

static void check_one (const sd_codec *codec, const char *settings, suite_seq q) {
  sd_buf one = { 0 };
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads (threads);
    cr_assert_eq (sd_parts (q.seq.n), (unsigned) threads);
    sd_buf out = suite_encode (codec, &q, settings);
    if (threads == 1)
      one = out;
    else {
      cr_expect (out.len == one.len && memcmp (out.data, one.data, one.len) == 0, "%s %s, %s, %d threads",
                 codec->name, settings, q.kind, threads);
      sd_buf_free (&out);
    }
  }
  suite_check_stream (codec, &q, settings, &one);
  sd_buf_free (&one);
  suite_free (&q);
}

/* Noise and runs. */
static void check (const char *name, const char *settings) {
  const sd_codec *codec = sd_codec_find (name);
  cr_assert (codec);
  check_one (codec, settings, made_of_runs (N, 60, 1));
  check_one (codec, settings, made_of_runs (N, 3, 200));
}

Test (threads, repair_replaces_the_same_pairs) {
  check ("repair", "");
  check ("repair", "initial=none");
  check ("repair", "initial=none,pair=exact,final=frequent");
  check ("repair", "initial=larger:8,entropy=rans,block=16");
}

/* So many symbols that pairs are counted in the hash table, of one part while those of the next one are
 * replaced. */
Test (threads, repair_counts_while_it_replaces) {
  check_one (sd_codec_find ("repair"), "initial=none,symbols=1200", made_of_runs (N, 250, 1));
}

Test (threads, huffman_makes_the_same_blocks) {
  check ("huffman", "");
  check ("huffman", "word=3,block=16");
}

/* Few samples: more may be asked than in the pass before, and what is kept then depends on the order. */
Test (threads, trees_make_the_same_blocks) {
  /* of many symbols each takes as many questions */
  check_one (sd_codec_find ("trees"), "block=128,trees=1,leaves=20,samples=50,rounds=3",
             made_of_runs (N, 16, 1));
  check_one (sd_codec_find ("trees"), "block=128,trees=1,leaves=20,samples=50,rounds=3",
             made_of_runs (N, 3, 200));
  if (sd_long_tests ()) {
    check ("trees", "block=128,trees=1,leaves=20,samples=50,rounds=3");
    check ("trees", "block=128,trees=1,leaves=8,samples=1,rounds=4");
    check ("forest", "block=128,slots=64,trees=1,leaves=20,samples=50");
  } else {
    check_one (sd_codec_find ("trees"), "block=128,trees=1,leaves=8,samples=1,rounds=3",
               made_of_runs (N, 16, 1));
    check_one (sd_codec_find ("forest"), "block=128,slots=64,trees=1,leaves=20,samples=50",
               made_of_runs (N, 3, 200));
  }
}

#endif
