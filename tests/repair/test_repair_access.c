/* Single symbols of a RE-PAIR stream: what earlier accesses have left behind (marks) changes no answer. */
#include "config.h"
#include "codecs/row.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "repair/decoder_internal.h"

static sd_decoder *open_stream (const sd_buf *out, const suite_seq *q) {
  sd_decoder *d;
  sd_error err = { 0 };
  cr_assert_eq (sd_codec_open (&sd_codec_repair, out->data, out->len, q->seq.n,
                               sd_alphabet_main (q->alphabet), &d, &err),
                SD_OK, "%s", err.text);
  return d;
}

/* All slots in steps that jump from block to block, twice; then backwards. */
static void compare_gets (const sd_decoder *d, const sd_symbol *all, uint64_t n, const char *what) {
  const uint64_t step = n / 3 + 1;
  sd_symbol v;
  for (uint64_t k = 0, i = 0; k < 2 * n; k++, i = (i + step) % n) {
    cr_assert_eq (sd_codec_get (d, i, &v), SD_OK, "%s, slot %" PRIu64, what, i);
    cr_assert_eq (v, all[i], "%s, slot %" PRIu64 ": %u, expected %u", what, i, v, all[i]);
  }
  for (uint64_t i = n; i-- > 0;)
    cr_assert (sd_codec_get (d, i, &v) == SD_OK && v == all[i], "%s, slot %" PRIu64 ", backwards", what, i);
}

static void count_marks (const sd_repair_decoder *d, uint64_t *known, uint64_t *gaps) {
  *known = *gaps = 0;
  for (uint64_t b = 0; b < d->parts.blocks; b++)
    for (unsigned k = 0; k < d->marks; k++) {
      *known += d->mark[b * d->marks + k] != 0;
      *gaps += k > 0 && d->mark[b * d->marks + k] && !d->mark[b * d->marks + k - 1];
    }
}

Test (repair_access, marks_change_no_symbol) {
  static const char *const settings[] = {
    "block=16",  "block=17,symbols=0",       "block=33,maxcode=32",
    "block=128", "block=1024,parse=optimal", "block=65536,symbols=0,maxcode=4"
  };
  static const enum suite_kind kinds[] = { SUITE_MIX, SUITE_RUNS, SUITE_LARGE, SUITE_NOISE };
  for (unsigned s = 0; s < 6; s++)
    for (unsigned k = 0; k < 4; k++) {
      suite_seq q = suite_make (kinds[k], s + 1);
      if (s == 5 && sd_alphabet_main (q.alphabet) > 16) {
        suite_free (&q);
        continue;
      }
      sd_buf out = suite_encode (&sd_codec_repair, &q, settings[s]);
      sd_decoder *fresh = open_stream (&out, &q), *used = open_stream (&out, &q);
      sd_symbol *all = sd_alloc (q.seq.n, sizeof *all);
      cr_assert_eq (sd_codec_read (fresh, 0, q.seq.n, all), SD_OK);
      compare_gets (used, all, q.seq.n, settings[s]);
      const sd_repair_decoder *d = (const sd_repair_decoder *) used;
      uint64_t known, gaps;
      cr_assert (!d->mark == (8 * d->blocks.block - 1 < 2 * SD_REPAIR_MARK_STEP));
      if (d->mark) {
        count_marks (d, &known, &gaps);
        const uint64_t room = d->parts.blocks * d->marks;
        cr_expect (gaps == 0 && 3 * known + 3 * d->marks > room,
                   "%s: %" PRIu64 " marks of %" PRIu64 " and %" PRIu64 " gaps", settings[s], known, room,
                   gaps);
      }
      free (all);
      sd_codec_close (fresh);
      sd_codec_close (used);
      sd_buf_free (&out);
      suite_free (&q);
    }
}

Test (repair_access, threads_share_marks) {
  suite_seq q = suite_make (SUITE_MIX, 3);
  sd_buf out = suite_encode (&sd_codec_repair, &q, "block=128,symbols=50,initial=none");
  sd_decoder *d = open_stream (&out, &q), *fresh = open_stream (&out, &q);
  const uint64_t n = q.seq.n;
  sd_symbol *all = sd_alloc (n, sizeof *all);
  uint64_t wrong = 0;
  cr_assert_eq (sd_codec_read (fresh, 0, n, all), SD_OK);
#pragma omp parallel for schedule(static, 1) num_threads(4) reduction(+ : wrong)
  for (uint64_t k = 0; k < 4 * n; k++) {
    const uint64_t i = k * 7919 % n;
    sd_symbol v = 0;
    wrong += sd_codec_get (d, i, &v) != SD_OK || v != all[i];
  }
  cr_expect_eq (wrong, 0, "%" PRIu64 " slots are wrong", wrong);
  free (all);
  sd_codec_close (d);
  sd_codec_close (fresh);
  sd_buf_free (&out);
  suite_free (&q);
}

/* A damaged payload still is a sequence of phrases, wherever one begins to read it. */
Test (repair_access, a_damaged_payload_answers_the_same_with_marks) {
  suite_seq q = suite_make (SUITE_MIX, 4);
  sd_buf out = suite_encode (&sd_codec_repair, &q, "block=100,symbols=200");
  const uint64_t n = q.seq.n;
  uint64_t rng = 5;
  sd_decoder *d = open_stream (&out, &q);
  sd_codec_parts parts;
  sd_codec_describe (d, &parts);
  sd_codec_close (d);
  for (unsigned round = 0; round < 20; round++) {
    uint8_t *at = out.data + out.len - 1 - sd_random (&rng) % parts.payload, kept = *at;
    *at ^= (uint8_t) (1 + sd_random (&rng) % 255);
    sd_decoder *used = open_stream (&out, &q);
    for (unsigned k = 0; k < 3000; k++) {
      sd_symbol x = 0, y = 0;
      const uint64_t i = sd_random (&rng) % n;
      sd_decoder *fresh = k % 100 ? NULL : open_stream (&out, &q);
      const int st = sd_codec_get (used, i, &x);
      cr_assert (st == SD_OK ? x < 3 : st == SD_EFORMAT);
      if (fresh)
        cr_assert (sd_codec_get (fresh, i, &y) == st && (st || x == y), "round %u, slot %" PRIu64, round, i);
      sd_codec_close (fresh);
    }
    sd_codec_close (used);
    *at = kept;
  }
  sd_buf_free (&out);
  suite_free (&q);
}

/* How many phrases that have a code are written out; not, and of equal symbols; not, and of several. */
static void count_kinds (const sd_repair_decoder *r, unsigned kind[3]) {
  kind[0] = kind[1] = kind[2] = 0;
  for (unsigned k = 0; k + 1 < r->code.places; k++) {
    const sd_repair_line *l = r->line + k / SD_REPAIR_LINE;
    if (!(l->is_other >> k % SD_REPAIR_LINE & 1))
      kind[0]++;
    else
      kind[sd_repair_other_in (r, l, k % SD_REPAIR_LINE)->symbol == SD_REPAIR_SEVERAL ? 2 : 1]++;
  }
}

/* A stretch of 30,000 symbols again and again, at places that nothing tells: phrases that are written out, of
 * equal symbols, and longer ones, of which a line and the room have not all. */
Test (repair_access, phrases_of_all_lengths) {
  enum { LONG = 30000 };
  for (unsigned m = 2; m <= 300; m = m == 2 ? 3 : m * 10) {
    suite_seq q = { .kind = "repeated", .alphabet = suite_alphabet (m) };
    q.seq = (sd_seq){ .alphabet = q.alphabet, .n = 2000000 };
    q.seq.sym = sd_alloc (q.seq.n, sizeof *q.seq.sym);
    static sd_symbol stretch[LONG];
    uint64_t rng = m;
    cr_assert (q.seq.sym);
    for (unsigned k = 0; k < LONG; k++)
      stretch[k] = (sd_symbol) (k % 700 < 100 ? 1 : sd_random (&rng) % m);
    for (uint64_t i = 0, k = 0; i < q.seq.n;
         i++, k = k == LONG - 1 || sd_random (&rng) % 50000 == 0 ? 0 : k + 1)
      q.seq.sym[i] = stretch[k];
    sd_buf out = suite_encode (&sd_codec_repair, &q, "block=64,initial=none");
    sd_decoder *d = open_stream (&out, &q);
    unsigned kind[3];
    count_kinds ((const sd_repair_decoder *) d, kind);
    cr_expect (kind[0] > 10 && kind[1] > 0 && kind[2] > 0, "%u main symbols: %u written, %u equal, %u others",
               m, kind[0], kind[1], kind[2]);
    compare_gets (d, q.seq.sym, q.seq.n, q.kind);
    sd_codec_close (d);
    sd_buf_free (&out);
    suite_free (&q);
  }
}

/* Positions in a block above what a mark holds: no mark there, and the same symbols. */
Test (repair_access, blocks_of_very_many_slots) {
  suite_seq q = { .kind = "long", .alphabet = suite_alphabet_with_star (3) };
  q.seq = (sd_seq){ .alphabet = q.alphabet, .n = UINT64_C (90000000) };
  q.seq.sym = sd_alloc0 (q.seq.n, sizeof *q.seq.sym);
  cr_assert (q.seq.sym);
  uint64_t rng = 7;
  for (unsigned k = 0; k < 6000; k++) /* most of it in front, some at the end */
    q.seq.sym[k < 5000 ? sd_random (&rng) % 100000 : q.seq.n - 1 - sd_random (&rng) % 100000] =
        (sd_symbol) (1 + k % 2);
  sd_buf out = suite_encode (&sd_codec_repair, &q, "block=65536,initial=none");
  sd_decoder *d = open_stream (&out, &q);
  cr_expect_eq (((sd_repair_decoder *) d)->parts.blocks, 1);
  for (unsigned k = 0; k < 200000; k++) {
    const uint64_t i = k % 3 ? q.seq.n - 1 - k / 2 : sd_random (&rng) % q.seq.n;
    sd_symbol v;
    cr_assert_eq (sd_codec_get (d, i, &v), SD_OK);
    cr_assert_eq (v, q.seq.sym[i], "slot %" PRIu64, i);
  }
  sd_codec_close (d);
  sd_buf_free (&out);
  suite_free (&q);
}
