/* What is written is read: streams of all kinds within the sets of their slots; whole files, made anew from
 * public ones, with the same values. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include "tests/syzygy/files.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 31332 };

static const sd_syzygy_effort quick = { .rounds = 2,
                                        .restarts = 1,
                                        .small = SLOTS,
                                        .small_restarts = 1,
                                        .small_slack = 25,
                                        .wide_rounds = 2,
                                        .slack = 25,
                                        .orders = 1,
                                        .initial = "ternary",
                                        .least_block_bits = 5,
                                        .block_bits = 7,
                                        .most_single = 4 };

/* The parts of a file of KQvK, whose side 0 has the stream and side 1 one value. */
static sd_syzygy *file_of (sd_syzygy_parts *p, sd_buf *image) {
  sd_syzygy *file;
  sd_error err = { 0 };
  cr_assert_eq (sd_syzygy_image (p, image, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_open (image->data, image->len, &file, &err), SD_OK, "%s", err.text);
  return file;
}

static void round_trip (const sd_seq *seq, const sd_syzygy_effort *effort) {
  sd_syzygy_parts p = { .kind = SD_SYZYGY_WDL, .files = 1, .streams = 2 };
  sd_buf image = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse ("KQvK", &p.material, &err), SD_OK);
  cr_assert (sd_syzygy_orders (&p.material, &p.order[0][0], 1) > 0);
  p.order[0][1] = p.order[0][0];
  p.stream[0][1].single = true;
  p.stream[0][1].value = 4;
  cr_assert_eq (sd_syzygy_encode (seq, effort, &p.stream[0][0], &err), SD_OK, "%s", err.text);
  sd_syzygy *file = file_of (&p, &image);
  cr_assert_eq (file->bytes % 64, 16);
  cr_assert_eq (sd_syzygy_compare (file, 0, 0, seq, &err), SD_OK, "%s", err.text);
  sd_syzygy_close (file);
  sd_buf_free (&image);
  sd_syzygy_parts_clear (&p);
}

/* Slots of one kind: 0 free, 1 noise, 2 long runs, 3 noise within bounds, 4 one slot that differs, 5 a piece
 * that is repeated. */
static void fill (sd_symbol *sym, unsigned kind, unsigned symbols) {
  uint64_t seed = kind;
  for (unsigned i = 0; i < SLOTS; i++)
    switch (kind) {
    case 0:
      sym[i] = (sd_symbol) (symbols - 1);
      break;
    case 1:
      sym[i] = (sd_symbol) (sd_random (&seed) % 5);
      break;
    case 2:
      sym[i] = (sd_symbol) (i / 3000 % 5);
      break;
    case 3:
      sym[i] = (sd_symbol) (sd_random (&seed) % symbols);
      break;
    case 4:
      sym[i] = (sd_symbol) (i == SLOTS - 1 ? 3 : 2);
      break;
    default:
      sym[i] = (sd_symbol) (i % 77 % 5);
    }
}

Test (syzygy_write, streams_decode_within_their_sets) {
  sd_alphabet *wdl;
  sd_symbol sym[SLOTS];
  cr_assert_eq (sd_syzygy_wdl_alphabet (&wdl), SD_OK);
  for (unsigned kind = 0; kind < 6; kind++)
    for (unsigned bits = 5; bits < 12; bits += 3) {
      const uint64_t sample = bits == 11 ? 5000 : 0; /* the slot of kind 4 is not in it */
      const sd_syzygy_effort effort = { .rounds = 2,
                                        .restarts = 1,
                                        .small = SLOTS,
                                        .small_restarts = 1,
                                        .small_slack = 25,
                                        .wide_rounds = 2,
                                        .slack = 25,
                                        .orders = 1,
                                        .initial = bits == 8 ? NULL : "ternary",
                                        .least_block_bits = bits,
                                        .block_bits = bits,
                                        .large = sample,
                                        .sample = sample,
                                        .large_rounds = 2,
                                        .large_restarts = 1,
                                        .large_wide_rounds = 1,
                                        .large_slack = 60,
                                        .large_lead = 512,
                                        .most_single = 4 };
      fill (sym, kind, sd_alphabet_size (wdl));
      round_trip (&(sd_seq){ .alphabet = wdl, .sym = sym, .n = SLOTS }, &effort);
    }
  sd_alphabet_free (wdl);
}

Test (syzygy_write, wrong_sizes_of_blocks_are_refused) {
  sd_alphabet *wdl;
  sd_symbol sym[4] = { 0, 1, 2, 3 };
  sd_syzygy_stream out;
  cr_assert_eq (sd_syzygy_wdl_alphabet (&wdl), SD_OK);
  const sd_seq seq = { .alphabet = wdl, .sym = sym, .n = 4 }, none = { .alphabet = wdl, .sym = sym };
  const unsigned sizes[][2] = { { 4, 6 }, { 5, 17 }, { 7, 6 } };
  for (unsigned k = 0; k < 3; k++) {
    const sd_syzygy_effort effort = {
      .rounds = 1, .orders = 1, .least_block_bits = sizes[k][0], .block_bits = sizes[k][1], .most_single = 4
    };
    cr_expect_eq (sd_syzygy_encode (&seq, &effort, &out, NULL), SD_EINVAL);
  }
  cr_expect_eq (sd_syzygy_encode (&none, &quick, &out, NULL), SD_EINVAL);
  sd_alphabet_free (wdl);
}

/* All orders are different, and each is one. */
Test (syzygy_write, orders_are_those_that_files_may_have) {
  static const struct {
    const char *ending;
    unsigned orders;
  } want[] = { { "KQvK", 6 }, { "KRvKN", 48 }, { "KQQvK", 4 * 1 }, { "KPvK", 6 }, { "KPvKP", 24 } };
  static sd_syzygy_order o[SD_SYZYGY_MAX_ORDERS];
  sd_syzygy_squares *squares = sd_alloc (1, sizeof *squares);
  cr_assert_not_null (squares);
  sd_syzygy_squares_init (squares);
  for (unsigned k = 0; k < sizeof want / sizeof want[0]; k++) {
    sd_material m;
    sd_syzygy_index ix;
    sd_error err = { 0 };
    cr_assert_eq (sd_material_parse (want[k].ending, &m, &err), SD_OK);
    const unsigned n = sd_syzygy_orders (&m, o, SD_SYZYGY_MAX_ORDERS);
    cr_expect_eq (n, want[k].orders, "%s: %u", want[k].ending, n);
    for (unsigned i = 0; i < n; i++) {
      cr_expect_eq (sd_syzygy_index_init (&ix, squares, &m, 0, &o[i], &err), SD_OK, "%s: %s", want[k].ending,
                    err.text);
      for (unsigned j = 0; j < i; j++)
        cr_expect (memcmp (&o[i], &o[j], sizeof o[i]) != 0);
    }
  }
  free (squares);
}

static int public_wdl (const void *ctx, const sd_pos *p, unsigned *value) {
  int wdl = 0;
  const int status = sd_syzygy_wdl (ctx, p, &wdl, NULL);
  *value = (unsigned) (wdl + 2);
  return status;
}

/* A source that says something else of one position is found by the comparison. */
typedef struct liar {
  const sd_syzygy_tables *tables;
  int64_t asked, lie;
} liar;

static int lying_wdl (const void *ctx, const sd_pos *p, unsigned *value) {
  liar *l = (liar *) ctx;
  const int status = public_wdl (l->tables, p, value);
  int64_t asked;
#pragma omp atomic capture
  asked = l->asked++;
  if (asked >= l->lie && *value == 4 && p->stm == SD_WHITE)
    *value = 3;
  return status;
}

Test (syzygy_write, files_made_anew_have_the_same_values) {
  const char *folder = syzygy_folder ();
  sd_syzygy_tables *ts, *ours;
  sd_error err = { 0 };
  sd_material m;
  uint64_t bytes;
  if (!folder)
    return;
  cr_assert_eq (sd_make_folder ("tests/syzygy/made", &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_tables_open (folder, &ts, &err), SD_OK, "%s", err.text);
  static const char *const endings[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  for (unsigned k = 0; k < 5; k++) {
    char path[1100], out[64];
    sd_map map;
    sd_syzygy *old;
    cr_assert_eq (sd_material_parse (endings[k], &m, &err), SD_OK);
    snprintf (out, sizeof out, "tests/syzygy/made/%s.rtbw", endings[k]);
    cr_assert_eq (sd_syzygy_write_wdl (&m, &(sd_syzygy_source){ .ctx = ts, .wdl = public_wdl }, &quick, out,
                                       &bytes, &err),
                  SD_OK, "%s", err.text);
    syzygy_path (folder, endings[k], true, path);
    cr_assert_eq (sd_map_open (path, &map, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_syzygy_open (map.data, map.len, &old, &err), SD_OK, "%s", err.text);
    snprintf (out, sizeof out, "tests/syzygy/made/%s.rtbz", endings[k]);
    cr_assert_eq (sd_syzygy_write_dtz (old, &(sd_syzygy_source){ .ctx = ts, .wdl = public_wdl }, &quick, out,
                                       &bytes, &err),
                  SD_OK, "%s", err.text);
    cr_expect (bytes <= map.len, "%s.rtbz has %llu bytes", endings[k], (unsigned long long) bytes);
    sd_syzygy_close (old);
    sd_map_close (&map);
  }
  cr_assert_eq (sd_syzygy_tables_open ("tests/syzygy/made", &ours, &err), SD_OK, "%s", err.text);
  for (unsigned sq = 0; sq < 64 * 64 * 64; sq++) {
    sd_pos p;
    const uint8_t men[3] = { sq & 63, sq >> 6 & 63, sq >> 12 };
    sd_material_parse (endings[sq % 5], &m, &err);
    sd_pos_from_squares (&m, men, sq / 5 % 2, &p);
    int a, b, c, d;
    if (!sd_pos_legal (&p))
      continue;
    cr_assert_eq (sd_syzygy_wdl (ts, &p, &a, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_syzygy_wdl (ours, &p, &b, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_syzygy_dtz (ts, &p, &c, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_syzygy_dtz (ours, &p, &d, &err), SD_OK, "%s", err.text);
    cr_assert (a == b && c == d);
  }
  sd_syzygy_tables_close (ours);
  sd_syzygy_tables_close (ts);
}

Test (syzygy_write, a_file_that_differs_gets_no_name) {
  const char *folder = syzygy_folder (), *out = "KQvK-differs.rtbw";
  sd_syzygy_tables *ts;
  sd_error err = { 0 };
  sd_material m;
  uint64_t bytes;
  if (!folder)
    return;
  cr_assert_eq (sd_syzygy_tables_open (folder, &ts, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_material_parse ("KQvK", &m, &err), SD_OK);
  liar l = { ts, 0, 31332 + 6000 }; /* all is coded by then, and about to be compared */
  const int status =
      sd_syzygy_write_wdl (&m, &(sd_syzygy_source){ .ctx = &l, .wdl = lying_wdl }, &quick, out, &bytes, &err);
  cr_expect_eq (status, SD_EDIFF, "%d: %s", status, err.text);
  cr_expect (!sd_file_exists (out));
  sd_syzygy_tables_close (ts);
}
