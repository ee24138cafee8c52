/* The pass that replaces a batch of pairs, by parts and by all threads, beside a plain loop: sequences longer
 * than several parts, with places at which no part may begin. */
#include "config.h"
#include <criterion/criterion.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "tests/codecs/codec_suite.h"
#include "repair/pairs_internal.h"

#define LONGEST 330001

/* What stands at i: noise; runs, some of them over the border of a share; the same pair over and over, which
 * can be cut nowhere, between noise; one symbol. */
enum { NOISE, RUNS, PAIRS, ONE, CONTENTS };
static void fill (sd_symbol *s, uint64_t n, unsigned content, unsigned m) {
  uint64_t rng = 7 + content;
  for (uint64_t i = 0; i < n; i++) {
    const bool odd = i & 1, within = i > 20000 && i < 140000;
    s[i] = (sd_symbol) sd_random (&rng) % 8;
    if (content == RUNS && i)
      s[i] = sd_random (&rng) % (i % 32768 < 3000 ? 1000 : 10) ? s[i - 1] : s[i];
    else if (content == PAIRS && within)
      s[i] = odd;
    else if (content == ONE)
      s[i] = 4;
    else if (content == NOISE && i % 50 == 0)
      s[i] = (sd_symbol) (i / 50 % m);
  }
}

static const uint32_t batch[] = { 0 << 16 | 1, 4 << 16 | 4, 2 << 16 | 3, 5 << 16 | 3 };
enum { PAIRS_OF_BATCH = 4 };

/* From left to right. */
static uint64_t plain (sd_phrase *s, uint64_t n, unsigned used) {
  uint64_t o = 0;
  for (uint64_t i = 0; i < n; o++) {
    unsigned k = 0;
    while (k < PAIRS_OF_BATCH && !(i + 1 < n && batch[k] == sd_pair_key (s[i], s[i + 1])))
      k++;
    s[o] = k < PAIRS_OF_BATCH ? (sd_phrase) (used + k) : s[i];
    i += k < PAIRS_OF_BATCH ? 2 : 1;
  }
  return o;
}

static void open_counts (const sd_repair *st, sd_pair_counts *c) {
  cr_assert_eq (sd_pair_counts_new (st, c), SD_OK);
  cr_assert_eq (sd_pair_counts_make (st, c), SD_OK);
}

/* With m main symbols: up to 256 are counted in a matrix, more in a hash table. */
static void pass (uint64_t n, unsigned content, unsigned m) {
  sd_alphabet *alphabet = suite_alphabet_with_star (m);
  sd_symbol *sym = sd_alloc (n, sizeof *sym), *want = sd_alloc (n, sizeof *want);
  fill (sym, n, content, m);
  memcpy (want, sym, n * sizeof *want);
  sd_seq seq = { .alphabet = alphabet, .sym = sym, .n = n };
  sd_repair st;
  sd_error err;
  sd_pair_counts c, fresh;
  sd_pair_pass p;
  unsigned nbatch = PAIRS_OF_BATCH;
  cr_assert_eq (sd_repair_init (&st, &seq, 1000, &err), SD_OK);
  st.pair = &sd_pair_subdefinite;
  sd_repair_count_symbols (&st);
  open_counts (&st, &c);
  cr_assert_eq (c.stride_log == 0, m > 256);
  cr_assert_eq (sd_pair_pass_new (&st, &p), SD_OK);
  cr_assert_eq (sd_pair_pass_replace (&p, &st, &c, batch, &nbatch), SD_OK);

  const uint64_t left = plain (want, n, st.used);
  cr_assert_eq (nbatch, PAIRS_OF_BATCH);
  cr_assert_eq (st.n, left, "%d slots, content %u, %u symbols: %d are left, not %d", (int) n, content, m,
                (int) st.n, (int) left);
  for (uint64_t i = 0; i < left; i++)
    cr_assert_eq (st.ids[i], want[i], "%d slots, content %u, %u symbols: number %d", (int) n, content, m,
                  (int) i);
  st.used += nbatch;
  uint64_t *freq = sd_alloc (st.used, sizeof *freq);
  memcpy (freq, st.freq, st.used * sizeof *freq);
  sd_repair_count_symbols (&st);
  cr_expect_eq (memcmp (freq, st.freq, st.used * sizeof *freq), 0);
  if (m > 256) {
    open_counts (&st, &fresh);
    for (unsigned x = 0; x < st.used; x++)
      for (unsigned y = 0; y < st.used; y++)
        cr_assert_eq (sd_pair_count (&c, x, y), sd_pair_count (&fresh, x, y),
                      "%d slots, content %u: pair %u %u", (int) n, content, x, y);
    sd_pair_counts_clear (&fresh);
  }
  free (freq);
  sd_pair_pass_clear (&p);
  sd_pair_counts_clear (&c);
  sd_repair_clear (&st);
  sd_alphabet_free (alphabet);
  free (sym);
  free (want);
}

Test (pass, replaces_what_a_plain_loop_does) {
  static const uint64_t lengths[] = { 2, 3, 32767, 32768, 65535, 65536, 65537, 131072, LONGEST };
  for (unsigned threads = 1; threads <= 3; threads++) {
#ifdef _OPENMP
    omp_set_num_threads ((int) threads);
#endif
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++)
      for (unsigned content = 0; content < CONTENTS; content++) {
        pass (lengths[k], content, 20);
        pass (lengths[k], content, 300);
      }
  }
}

#ifdef _OPENMP
/* Fewer threads come than were asked for, or than there were when it began; and more. */
Test (pass, takes_the_threads_that_come) {
  omp_set_num_threads (3);
  omp_set_dynamic (1);
  pass (LONGEST, NOISE, 300);
  omp_set_dynamic (0);
#pragma omp parallel num_threads(2)
#pragma omp single
  pass (LONGEST, RUNS, 300);
}
#endif
