/* Parts of a stream: the index of block starts, the dictionary. */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/codecs/codec_suite.h"
#include "repair/repair_internal.h"

/* ------------------------------------------------------ index of starts */

static void check_starts (const uint64_t *start, uint64_t blocks, uint64_t n) {
  sd_buf out = { 0 };
  sd_starts s;
  sd_starts_write (start, blocks, n, &out);
  cr_assert_eq (out.len, sd_starts_bytes (blocks, n));
  uint8_t *exact = sd_alloc (out.len, 1);
  if (out.len)
    memcpy (exact, out.data, out.len);
  cr_assert_eq (sd_starts_open (&s, exact, out.len, out.len, blocks, n), SD_OK, "%" PRIu64 " blocks", blocks);
  for (uint64_t b = 0; b < blocks; b++) {
    uint64_t next = b + 1 < blocks ? start[b + 1] : n, at[3] = { start[b], (start[b] + next) / 2, next - 1 };
    for (int k = 0; k < 3; k++) {
      uint64_t first, end, found = sd_starts_find (&s, at[k], &first, &end);
      cr_assert (found == b && first == start[b] && end == next,
                 "position %" PRIu64 " of %" PRIu64 ", %" PRIu64 " blocks: block %" PRIu64 " (%" PRIu64
                 "..%" PRIu64 "), expected %" PRIu64 " (%" PRIu64 "..%" PRIu64 ")",
                 at[k], n, blocks, found, first, end, b, start[b], next);
    }
  }
  sd_starts_close (&s);
  cr_expect_eq (sd_starts_open (&s, exact, out.len + 1, out.len + 1, blocks, n),
                blocks < 2 ? SD_OK : SD_EFORMAT);
  if (blocks > 1) {
    for (unsigned bit = 0; bit < 8 * out.len && bit < 400;
         bit++) { /* any start moved: another list or none */
      exact[bit / 8] ^= (uint8_t) (1 << bit % 8);
      if (sd_starts_open (&s, exact, out.len, out.len, blocks, n) == SD_OK) {
        uint64_t first, end, b = sd_starts_find (&s, n - 1, &first, &end);
        cr_expect (b < blocks && first < n && end == n);
        sd_starts_close (&s);
      }
      exact[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
  }
  free (exact);
  sd_buf_free (&out);
}

Test (repair, the_index_finds_every_block) {
  enum { MOST = 12000 }; /* from 8192 on a hint is for several groups */
  uint64_t start[MOST], rng = 1;
  start[0] = 0;
  check_starts (start, 1, 1);
  check_starts (start, 1, UINT32_MAX);
  for (unsigned shape = 0; shape < 40; shape++) {
    uint64_t blocks = 2 + sd_random (&rng) % (shape < 20 ? 20 : MOST - 2), n = 0;
    for (uint64_t b = 0; b < blocks; b++) {
      uint64_t x = sd_random (&rng);
      start[b] = n;
      n += 1
           + (shape % 4 == 0   ? 0
              : shape % 4 == 1 ? x % 100
              : shape % 4 == 2 ? (x & 63 ? x >> 8 & 7 : x >> 8 & 1048575) /* crowds and gaps */
                               : x % 20000);
    }
    check_starts (start, blocks, n);
    for (uint64_t b = 0; b < blocks; b++) /* the same with starts of more than 32 bits */
      start[b] = start[b] << 21 | (b > 0 && sd_random (&rng) & 1);
    check_starts (start, blocks, n << 21);
  }
}

/* --------------------------------------------------------------- model */

static int reread (const sd_model *model, sd_model *back) {
  sd_buf out = { 0 };
  sd_error err = { 0 };
  sd_model_write (model, 0, &out);
  cr_assert_eq (sd_buf_status (&out), SD_OK);
  sd_reader r = sd_reader_of (out.data, out.len);
  int st = sd_model_read (&r, model->m, back, &err);
  cr_expect (st || r.p == r.end);
  cr_expect (!st || (err.status == st && err.text[0]));
  sd_buf_free (&out);
  return st;
}

Test (repair, a_dictionary_survives_writing) {
  uint64_t rng = 12;
  for (unsigned round = 0; round < 60; round++) {
    unsigned m = 1 + sd_random (&rng) % (round % 2 ? 5 : 400), ids = m + sd_random (&rng) % 900;
    sd_model model, back;
    cr_assert_eq (sd_model_alloc (&model, m, ids), SD_OK);
    for (unsigned v = 0; v < ids; v++) {
      if (v >= m) {
        unsigned low = v > m ? model.left[v - 1] : 0, high = v < low + 2 ? v : low + 2;
        model.left[v] = (sd_symbol) (low + sd_random (&rng) % (high - low));
        model.right[v] = (sd_symbol) (sd_random (&rng) % (v % 8 ? m : v < 100 ? v : 100));
      }
      bool sibling = v > m && model.left[v] == model.left[v - 1];
      unsigned least = sibling ? model.bits[v - 1] : 0;
      model.bits[v] = (uint8_t) (least + sd_random (&rng) % (33 - least));
    }
    cr_assert_eq (reread (&model, &back), SD_OK, "round %u", round);
    cr_assert_eq (back.ids, ids);
    cr_assert_eq (memcmp (back.bits, model.bits, ids), 0);
    for (unsigned v = m; v < ids; v++)
      cr_assert (back.left[v] == model.left[v] && back.right[v] == model.right[v]
                 && back.length[v] == back.length[model.left[v]] + back.length[model.right[v]]);
    sd_model_free (&model);
    sd_model_free (&back);
  }
}

Test (repair, impossible_dictionaries_are_refused) {
  sd_model model, back;
  cr_assert_eq (sd_model_alloc (&model, 2, 4), SD_OK);
  model.left[2] = 0, model.right[2] = 3, model.left[3] = 0, model.right[3] = 2;
  cr_expect_eq (reread (&model, &back), SD_EFORMAT, "a cycle of two phrases");
  model.right[2] = 2, model.right[3] = 0;
  cr_expect_eq (reread (&model, &back), SD_EFORMAT, "a phrase that contains itself");
  sd_model_free (&model);
  for (unsigned deep = SD_REPAIR_MAX_DEPTH; deep <= SD_REPAIR_MAX_DEPTH + 1; deep++) {
    cr_assert_eq (sd_model_alloc (&model, 2, 2 + deep), SD_OK);
    for (unsigned v = 2; v < model.ids; v++)
      model.left[v] = (sd_symbol) (v == 2 ? 0 : v - 1);
    bool good = deep == SD_REPAIR_MAX_DEPTH;
    cr_expect_eq (reread (&model, &back), good ? SD_OK : SD_EFORMAT, "%u levels", deep);
    if (good)
      sd_model_free (&back);
    sd_model_free (&model);
  }
  for (unsigned doublings = 30; doublings <= 31; doublings++) {
    cr_assert_eq (sd_model_alloc (&model, 2, 2 + doublings), SD_OK);
    for (unsigned v = 2; v < model.ids; v++)
      model.left[v] = model.right[v] = (sd_symbol) (v == 2 ? 0 : v - 1);
    bool good = doublings == 30;
    cr_expect_eq (reread (&model, &back), good ? SD_OK : SD_EFORMAT, "2^%u positions", doublings);
    if (good)
      sd_model_free (&back);
    sd_model_free (&model);
  }
}
