/* Sequences for the tests of diagrams, and what their diagrams look like. */
#ifndef SD_TESTS_OBDD_MADE_H
#define SD_TESTS_OBDD_MADE_H

#include "codecs/row.h"
#include "tests/codecs/codec_suite.h"
#include "tests/obdd/validate.h"

/* A sequence over m main symbols with n slots; the caller fills sym. */
static inline suite_seq sequence (unsigned m, unsigned ndims, const uint32_t *radix) {
  suite_seq q = { .kind = "made here", .seq = { .n = 1, .ndims = ndims } };
  cr_assert_eq (sd_alphabet_new (m, &q.alphabet), SD_OK);
  q.seq.alphabet = q.alphabet;
  for (unsigned d = 0; d < ndims; d++)
    q.seq.n *= q.seq.radix[d] = radix[d];
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  cr_assert (q.seq.sym);
  return q;
}

/* n = 2^bits slots in digits of one bit. */
static inline suite_seq function (unsigned m, unsigned bits) {
  uint32_t radix[SD_MAX_DIMS];
  for (unsigned d = 0; d < bits; d++)
    radix[d] = 2;
  return sequence (m, bits, radix);
}

/* Encode, check completion and invariants; the stream's length. */
static inline uint64_t shape_of (const suite_seq *q, const char *set, sd_obdd_shape *shape) {
  sd_buf out = suite_encode (&sd_codec_obdd, q, set);
  sd_decoder *d;
  sd_error err = { 0 };
  cr_assert_eq (
      sd_codec_open (&sd_codec_obdd, out.data, out.len, q->seq.n, sd_alphabet_main (q->alphabet), &d, &err),
      SD_OK, "%s", err.text);
  sd_symbol *all = sd_alloc (q->seq.n, sizeof *all);
  cr_assert_eq (sd_codec_read (d, 0, q->seq.n, all), SD_OK);
  cr_assert_eq (sd_seq_first_violation (&q->seq, all), q->seq.n);
  memset (shape, 0, sizeof *shape);
  if (!d->constant) {
    cr_assert_eq (sd_obdd_validate (d, &err), SD_OK, "%s: %s", set, err.text);
    sd_obdd_describe_shape (d, shape);
  }
  sd_codec_close (d);
  free (all);
  const uint64_t len = out.len;
  sd_buf_free (&out);
  return len;
}

static inline uint64_t total (const uint64_t *nodes) {
  uint64_t sum = 0;
  for (unsigned k = 1; k < 64; k++)
    sum += nodes[k];
  return sum;
}

/* A function with repetitions: each table is one of a few, with some noise. */
static inline void repetitive (suite_seq *q, uint64_t seed) {
  const unsigned m = sd_alphabet_main (q->alphabet);
  for (uint64_t i = 0; i < q->seq.n; i++) {
    uint64_t part = i / 16, pick = part * part % 23;
    q->seq.sym[i] = (sd_symbol) ((pick >> i % 16 % 5) % m);
    if (sd_random (&seed) % 50 == 0)
      q->seq.sym[i] = (sd_symbol) (sd_random (&seed) % m);
  }
}

#endif
