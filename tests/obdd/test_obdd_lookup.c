/* Lookups in diagrams: the code in which levels are stored, roots, and the ways down. */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/obdd/obdd_made.h"
#include "obdd/read_internal.h"

/* ---------------------------------------------------------- rising sequences */

Test (obdd, rising_sequences_give_back_each_number) {
  static const uint64_t universe[] = {
    1, 2, 9, 1000, 1u << 20, UINT64_C (1) << 44, (UINT64_C (1) << 60) + 5
  };
  uint64_t rng = 3;
  for (unsigned u = 0; u < sizeof universe / sizeof universe[0]; u++)
    for (uint64_t step = 1; step < universe[u] * 2; step = step * 37 + 1) {
      uint64_t value[3000], n = 0;
      for (uint64_t v = sd_random (&rng) % step; v < universe[u] && n < 3000;
           v += 1 + sd_random (&rng) % step)
        value[n++] = v;
      if (n == 0)
        continue;
      sd_buf out = { 0 };
      sd_ef e;
      sd_ef_write (value, n, universe[u], &out);
      cr_assert_eq (out.len, sd_ef_bytes (n, universe[u]));
      uint8_t *exact = sd_alloc (out.len, 1);
      memcpy (exact, out.data, out.len);
      cr_assert_eq (sd_ef_open (&e, exact, exact + out.len, n, universe[u]), SD_OK);
      cr_assert_eq (sd_ef_index (&e), SD_OK);
      sd_ef_cursor c = { .e = &e };
      for (uint64_t i = 0; i < n; i++) {
        cr_assert_eq (sd_ef_get (&e, i), value[i]);
        cr_assert_eq (sd_ef_next (&c), value[i]);
      }
      sd_ef_close (&e);
      free (exact);
      sd_buf_free (&out);
    }
}

Test (obdd, rising_sequences_with_gaps_wider_than_a_group_s_head) {
  uint64_t value[400], n = 0, rng = 5;
  for (uint64_t v = 0; n < 400; v += n < 300 ? 1 : 1 + sd_random (&rng) % 90000)
    value[n++] = v;
  const uint64_t universe = value[n - 1] + 70000;
  sd_buf out = { 0 };
  sd_ef e;
  sd_ef_write (value, n, universe, &out);
  cr_assert_eq (sd_ef_open (&e, out.data, out.data + out.len, n, universe), SD_OK);
  cr_assert_eq (sd_ef_index (&e), SD_OK);
  unsigned far = 0;
  for (uint64_t i = 0; i < n; i++) {
    const sd_ef_group *g = &e.group[i / SD_EF_STEP];
    cr_assert_eq (sd_ef_get (&e, i), value[i]);
    far += i % SD_EF_STEP >= (unsigned) (__builtin_popcountll (g->bits) + __builtin_popcount (g->more));
  }
  cr_expect_gt (far, n / 10);
  cr_expect_lt (far, n);
  sd_ef_close (&e);
  sd_buf_free (&out);
}

/* ---------------------------------------------------------- ways down */

/* Each slot, with tables as for streams of several lengths. Counts all hops with tables, single steps, and
 * hops whose ways are no power of two. */
typedef struct ways_seen {
  unsigned tables, steps, counted, from_root;
} ways_seen;

static ways_seen found_by_all_ways (const suite_seq *q, const char *set) {
  const unsigned m = sd_alphabet_main (q->alphabet);
  sd_buf out = suite_encode (&sd_codec_obdd, q, set);
  sd_decoder *base;
  sd_error err;
  ways_seen seen = { 0 };
  cr_assert_eq (sd_codec_open (&sd_codec_obdd, out.data, out.len, q->seq.n, m, &base, &err), SD_OK, "%s",
                err.text);
  sd_obdd_decoder *d = (sd_obdd_decoder *) base;
  for (unsigned k = 0; k < 5; k++) {
    static const double times[] = { 1, 0, 0.3, 3, 1000 };
    sd_hops_close (d);
    cr_assert_eq (sd_hops_open (d, m, (size_t) (times[k] * (double) out.len)), SD_OK);
    for (unsigned h = 0; h < d->nhops; h++) {
      seen.tables += d->hop[h].table.byte != NULL;
      seen.steps += d->hop[h].table.byte == NULL;
      seen.counted += (d->hop[h].ways & (d->hop[h].ways - 1)) != 0;
    }
    seen.from_root += d->from_root;
    cr_expect_eq (d->hop[d->nhops - 1].to, 0);
    for (uint64_t i = 0; i < q->seq.n; i++) {
      sd_symbol x;
      cr_assert_eq (sd_codec_get (base, i, &x), SD_OK);
      cr_assert_eq (x, q->seq.sym[i], "%s: slot %llu", set, (unsigned long long) i);
    }
  }
  sd_codec_close (base);
  sd_buf_free (&out);
  return seen;
}

/* q's slots in so many parts of 16, each one of `parts`. */
static void of_parts (suite_seq *q, unsigned parts) {
  enum { PART = 16 };
  uint64_t rng = 11;
  sd_symbol *part = sd_alloc (parts * PART, sizeof *part);
  for (unsigned i = 0; i < parts * PART; i++)
    part[i] = (sd_symbol) (sd_random (&rng) % sd_alphabet_main (q->alphabet));
  for (uint64_t i = 0; i < q->seq.n; i++)
    q->seq.sym[i] = part[(i / PART * 7919 % parts) * PART + i % PART];
  free (part);
}

Test (obdd, symbols_are_found_by_tables_and_single_steps) {
  const uint32_t radix[2] = { 512, 256 };
  suite_seq q = sequence (200, 2, radix);
  of_parts (&q, 6000);
  const ways_seen one = found_by_all_ways (&q, "order=pieces,top=root"),
                  many = found_by_all_ways (&q, "order=pieces");
  cr_expect (one.tables && one.steps && !one.counted && !one.from_root);
  cr_expect (many.tables && many.steps && !many.counted && many.from_root);
  suite_free (&q);
}

Test (obdd, digits_that_are_no_power_of_two_are_counted_by_their_values) {
  const uint32_t radix[3] = { 10, 2016, 5 }; /* 4, 12 and 3 bits: a-d, e-p, q-s */
  suite_seq q = sequence (30, 3, radix);
  of_parts (&q, 1000);
  static const struct {
    const char *set;
    bool counted;
  } order[] = { { "order=pieces", true },
                { "order=sift,rounds=1", true },
                { "order=qrsekflgmhniojpabcd", true }, /* 10 and 2016 values, bits of equal men mixed */
                { "order=efghijklmnopdqcrbsa", true },
                { "order=interleaved,top=root", true },
                { "order=pieces,split=no", true },
                { "order=qrs(ae)ekf(kb)lgmhniojpcd",
                  true }, /* a digit that is tested in sums has bits only */
                { "order=(aeq)eqbcdfghijklmnoprs", false } };
  for (unsigned k = 0; k < sizeof order / sizeof order[0]; k++)
    cr_expect_eq (found_by_all_ways (&q, order[k].set).counted > 0, order[k].counted, "%s", order[k].set);
  suite_free (&q);
}

/* ---------------------------------------------------------- roots */

/* Four digits of four numbers below 4: one value, and 32 variables; 2^30 roots that take no bits. */
Test (obdd, many_roots_that_take_no_bytes_open_in_no_time, .timeout = 10) {
  sd_obdd_vars v = { .ndigits = 5, .n = 33, .digit = { { 2, 1, 2, 1 } } };
  for (unsigned d = 1; d < 5; d++)
    v.digit[d] = (sd_obdd_digit){ 1, 4, 4, 8 };
  for (unsigned k = 0; k < v.n; k++)
    v.sum[k] = UINT64_C (1) << (v.n - 1 - k);
  const uint64_t node = 1, same = 0; /* 0 to the left, 1 to the right; twice the only node */
  sd_buf out = { 0 };
  sd_buf_u8 (&out, 1);
  sd_obdd_vars_write (&v, &out);
  sd_buf_u8 (&out, 3);
  for (unsigned k = 3; k > 0; k--)
    sd_buf_varint (&out, 0);
  sd_ef_write (&same, 1, 1, &out);
  sd_ef_write (&same, 1, 1, &out);
  sd_ef_write (&node, 1, 4, &out);
  sd_error err;
  sd_decoder *d = NULL;
  cr_assert_eq (sd_codec_open (&sd_codec_obdd, out.data, out.len, 2, 2, &d, &err), SD_OK, "%s", err.text);
  sd_symbol x = 9;
  cr_expect_eq (sd_codec_get (d, 1, &x), SD_OK);
  cr_expect_lt (x, 2);
  cr_expect_eq (sd_obdd_validate (d, &err), SD_OK, "%s", err.text);
  sd_codec_close (d);
  sd_buf_free (&out);
}
