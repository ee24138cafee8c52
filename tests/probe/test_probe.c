/* Probing: against values that a slow and obvious solver finds; en passant against one ply of search. */
#include "config.h"

#include "probe/lookup_internal.h"
#include "tests/probe/conversions.h"
#include "tests/probe/count_requests.h"
#include "tests/probe/three_men.h"

TestSuite (probe, .init = make_folder, .fini = remove_folder);

/* Positions of tables that no cache holds are prefetched, and their captures come first. */
static void call_all_large (sd_tables *ts) {
  for (uint64_t k = 0; k < ts->nviews; k++)
    ts->view[k]->large = true;
}

/* ------------------------------------------------------------------ values */

/* Some positions of KPvK together are worth what each is by itself. */
static void compare_batches (const sd_tables *ts, sd_values *s, enum sd_metric metric) {
  enum { N = 40 };
  const sd_material m = material ("KPvK");
  const sd_exact *e;
  sd_pos p[N];
  sd_value value[N], one;
  int status[N];
  unsigned n = 0, batches = 0;
  cr_assert_eq (sd_values_whole (s, &m, &e, NULL), SD_OK);
  for (uint64_t i = 0; i < e->n; i += 7) {
    n += position (e, (unsigned) (i % 2), i, &p[n]);
    if (n < N)
      continue;
    sd_probe_several (ts, metric, p, N, value, status);
    for (unsigned k = 0; k < N; k++)
      cr_assert (status[k] == SD_OK && sd_probe_value (ts, metric, &p[k], &one, NULL) == SD_OK
                 && one == value[k]);
    n = 0;
    batches++;
  }
  cr_assert_gt (batches, 100);
}

Test (probe, every_position_of_kqvk_and_krvk_under_all_codecs_codings_freedoms_and_layouts) {
  sd_values *s = three_men_by ("KRvK", true);
  static const struct {
    const char *codec, *set, *order;
    unsigned freedom;
    enum sd_coding coding;
  } c[] = {
    { "store", NULL, NULL, 0, SD_CODING_SIGNED },
    { "store", NULL, NULL, SD_FREE_ALL, SD_CODING_MOVES },
    { "lzma", "block=16", NULL, SD_FREE_ILLEGAL, SD_CODING_SIGNED },
    { "repair", NULL, NULL, SD_FREE_ALL, SD_CODING_MOVES },
    { "repair", "block=64", "default", SD_FREE_ALL, SD_CODING_SIGNED },
    { "repair", NULL, "default", SD_FREE_ILLEGAL | SD_FREE_CAPTURE, SD_CODING_MOVES },
  };
  static const char *const names[] = { "KQvK", "KRvK" }, *const orders[] = { "QkK", "kRK" };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    char what[100];
    snprintf (what, sizeof what, "%s %s freedom %u coding %d", c[i].codec, c[i].set ? c[i].set : "",
              c[i].freedom, c[i].coding);
    for (unsigned k = 0; k < 2; k++) {
      const char *order = c[i].order ? orders[k] : NULL;
      build (s, names[k], SD_WDL, SD_CODING_WDL, c[i].freedom & ~(unsigned) SD_FREE_DRAW, c[i].codec,
             c[i].set, order);
      const unsigned freedom =
          c[i].coding == SD_CODING_MOVES ? c[i].freedom : c[i].freedom & ~(unsigned) SD_FREE_DRAW;
      build (s, names[k], SD_DTM, c[i].coding, freedom, c[i].codec, c[i].set, order);
    }
    sd_tables *ts = open_folder ();
    for (unsigned k = 0; k < 2; k++)
      compare_all (ts, s, names[k], true, true, what);
    sd_tables_close (ts);
  }
  sd_values_free (s);
}

Test (probe, every_position_of_kpvk_with_promotions_restored_from_smaller_tables) {
  sd_values *s = three_men_by ("KPvK", true);
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  for (unsigned k = 0; k < 5; k++) {
    build (s, names[k], SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, "repair", NULL, NULL);
    build (s, names[k], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL, NULL);
  }
  sd_tables *ts = open_folder ();
  compare_all (ts, s, "KPvK", true, true, "repair");
  call_all_large (ts);
  compare_all (ts, s, "KPvK", true, true, "repair, large");
  compare_batches (ts, s, SD_WDL);
  compare_batches (ts, s, SD_DTM);
  sd_table_info in;
  sd_material m = material ("KPvK");
  sd_table_describe (sd_tables_find (ts, &m, SD_DTM), &in);
  cr_assert (in.freedom & SD_FREE_PROMOTION);
  sd_tables_close (ts);
  sd_values_free (s);
}

/* Drawn all of them, which a probe knows without a look; with the side that is not stored that is not so. */
Test (probe, every_position_of_kbvk_and_knvk_is_drawn_whatever_is_stored) {
  sd_values *s = three_men ("KNvK");
  static const char *const names[] = { "KBvK", "KNvK" };
  static const unsigned freedoms[] = { 0, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW,
                                       (SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW) | SD_FREE_EVIDENT };
  for (unsigned i = 0; i < 6; i++) {
    stored_sides = i & 1 ? SD_SIDES_BLACK : SD_SIDES_BOTH;
    for (unsigned k = 0; k < 2; k++) {
      build (s, names[k], SD_WDL, SD_CODING_WDL, freedoms[i / 2], "repair", NULL, NULL);
      build (s, names[k], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL, NULL);
    }
    sd_tables *ts = open_folder ();
    for (unsigned k = 0; k < 2; k++)
      compare_all (ts, s, names[k], true, true, "drawn");
    for (uint64_t k = 0; k < ts->nviews; k++)
      cr_expect (ts->view[k]->settled == (ts->view[k]->metric == SD_WDL && i % 2 == 0));
    sd_tables_close (ts);
  }
  stored_sides = 0;
  sd_values_free (s);
}

/* A knight or a rook is the best promotion of some positions, and a slot says so then. */
Test (probe, every_position_of_kpvk_where_promotions_to_a_queen_alone_are_looked_up) {
  sd_values *s = three_men ("KPvK");
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  for (unsigned i = 0; i < 3; i++) {
    const enum sd_coding coding = i == 1 ? SD_CODING_SIGNED : SD_CODING_MOVES;
    stored_sides = i == 2 ? SD_SIDES_WHITE : SD_SIDES_BOTH;
    for (unsigned k = 0; k < 5; k++) {
      build (s, names[k], SD_WDL, SD_CODING_WDL, (SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW) | SD_FREE_QUEEN,
             "repair", NULL, NULL);
      build (s, names[k], SD_DTM, coding, (SD_FREE_ALL & sd_freedom_of_coding (coding)) | SD_FREE_QUEEN,
             "repair", NULL, NULL);
    }
    sd_tables *ts = open_folder ();
    compare_all (ts, s, "KPvK", true, true, "queens");
    call_all_large (ts);
    compare_all (ts, s, "KPvK", true, true, "queens, large");
    sd_table_info in;
    sd_material m = material ("KPvK");
    sd_table_describe (sd_tables_find (ts, &m, SD_WDL), &in);
    cr_expect_eq (in.freedom & SD_FREE_QUEEN, (unsigned) SD_FREE_QUEEN);
    cr_expect_eq (in.version, 5u);
    m = material ("KQvK"); /* without a pawn the bit would mean nothing */
    sd_table_describe (sd_tables_find (ts, &m, SD_WDL), &in);
    cr_expect_eq (in.version, 1u);
    sd_tables_close (ts);
  }
  stored_sides = 0;
  sd_values_free (s);
}

/* Neighbours are then read together, as many as a codec's blocks suggest; positions restored by one ply. */
Test (probe, one_side_of_kpvk_tells_the_other_whatever_the_codec) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  static const struct {
    const char *codec, *set;
    bool dtm;
  } c[] = { { "lzma", "block=256", false }, { "rle", "block=16", true }, { "repair", "block=64", true } };
  sd_values *s = three_men ("KPvK");
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    stored_sides = i % 2 ? SD_SIDES_BLACK : SD_SIDES_WHITE;
    for (unsigned k = 0; k < 5; k++) {
      const char *order = k == 4 ? "KPk" : NULL; /* the black king's moves lie close together */
      build (s, names[k], SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, c[i].codec, c[i].set,
             order);
      build (s, names[k], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, c[i].codec, c[i].set, order);
    }
    sd_tables *ts = open_folder ();
    compare_all (ts, s, "KPvK", true, c[i].dtm, c[i].codec);
    sd_tables_close (ts);
  }
  stored_sides = 0;
  sd_values_free (s);
}

Test (probe, results_come_from_the_signs_of_a_dtm_table_where_no_wdl_table_is) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "store", NULL, NULL);
  sd_tables *ts = open_folder ();
  compare_all (ts, s, "KQvK", true, true, "signs");
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (probe, four_threads_find_what_one_finds) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "repair", NULL, NULL);
  build (s, "KQvK", SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_material m = material ("KQvK");
  const sd_exact *e;
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  long wrong = 0, seen = 0;
#pragma omp parallel for num_threads(4) schedule(dynamic, 16) reduction(+ : wrong, seen)
  for (uint64_t i = 0; i < 4 * e->n; i++) {
    sd_pos p;
    const unsigned side = i & 1;
    if (!position (e, side, i % e->n, &p))
      continue;
    int wdl = 7;
    sd_value v = 7;
    seen++;
    wrong += sd_probe_dtm (ts, &p, &v, NULL) != SD_OK || v != e->value[side][i % e->n];
    wrong += sd_probe_wdl (ts, &p, &wdl, NULL) != SD_OK || wdl != sd_value_wdl (v);
  }
  cr_expect (wrong == 0, "%ld wrong", wrong);
  cr_expect (seen > 20000);
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (probe, a_probe_asks_for_no_memory_with_store_and_repair) {
  if (!COUNTS_REQUESTS)
    cr_skip_test ("this build has another malloc");
  sd_values *s = three_men ("KPvK");
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" }, *const codecs[] = {
    "store", "repair"
  };
  sd_material m = material ("KPvK");
  const sd_exact *e;
  unsigned long before = requests_so_far ();
  free (sd_alloc (1000, 1));
  cr_assert_eq (requests_so_far (), before + 1, "requests are not counted");
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  for (unsigned c = 0; c < 4; c++) {
    const char *codec = codecs[c % 2];
    stored_sides = c < 2 ? SD_SIDES_BOTH : SD_SIDES_WHITE;
    for (unsigned k = 0; k < 5; k++) {
      build (s, names[k], SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, codec, NULL, NULL);
      build (s, names[k], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, codec, NULL, NULL);
    }
    sd_tables *ts = open_folder ();
    unsigned long seen = 0, failed = 0;
    before = requests_so_far ();
    for (uint64_t i = 0; i < e->n; i += 3) {
      sd_pos p;
      sd_value value;
      int wdl;
      if (!position (e, i & 1, i, &p))
        continue;
      seen++;
      failed += sd_probe_wdl (ts, &p, &wdl, NULL) != SD_OK || sd_probe_dtm (ts, &p, &value, NULL) != SD_OK;
    }
    cr_expect_eq (requests_so_far (), before, "%s: %lu requests", codec, requests_so_far () - before);
    cr_expect (seen > 10000 && failed == 0, "%lu of %lu probes failed", failed, seen);
    sd_tables_close (ts);
  }
  sd_values_free (s);
}

/* -------------------------------------------------------------- en passant */

/* Made-up values that obey what the table's freedom rests on: mates and stalemates are right, no value is
 * worse than the best capture. */
static sd_exact *made_up_kpvkp (const sd_values *s) {
  sd_material m = material ("KPvKP");
  sd_exact *e;
  cr_assert (sd_exact_new (&m, &e, NULL) == SD_OK && e->nsides == 1);
  for (uint64_t i = 0; i < e->n; i++) {
    sd_pos p;
    if (!position (e, 0, i, &p))
      continue;
    static const sd_value some[] = { 0, 5, -5, 31, -31, 0, -2, 1 };
    uint64_t hash = i;
    sd_value v = some[sd_random (&hash) & 7];
    sd_value best;
    int st = SD_OK;
    if (!sd_has_move (&p))
      v = sd_in_check (&p, 0) ? -1 : 0;
    else if (best_conversion (s, &p, SD_MOVES_CAPTURES, &best, &st) && sd_value_compare (best, v) > 0)
      v = best;
    cr_assert (st == SD_OK);
    e->value[0][i] = v;
  }
  return e;
}

Test (probe, en_passant_rights_are_worth_what_one_ply_of_search_says) {
  sd_values *s = three_men ("KPvK");
  cr_assert (sd_values_put (s, made_up_kpvkp (s)) == SD_OK);
  static const char *const promoted[] = { "KQvKP", "KRvKP", "KBvKP",
                                          "KNvKP" }; /* asked for, but not looked at */
  for (unsigned i = 0; i < 4; i++) {
    sd_material m = material (promoted[i]);
    sd_exact *blank;
    cr_assert (sd_exact_new (&m, &blank, NULL) == SD_OK && sd_values_put (s, blank) == SD_OK);
  }
  build (s, "KPvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  build (s, "KPvKP", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "store", NULL, NULL);
  build (s, "KPvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL, "store", NULL, NULL);
  build (s, "KPvKP", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "store", NULL, NULL);
  sd_tables *ts = open_folder ();
  long seen = 0, differs = 0;
  for (unsigned file = 0; file < 8; file++)
    for (int step = -1; step <= 1; step += 2) {
      const unsigned other = file + (unsigned) step;
      if (other > 7)
        continue;
      for (unsigned kings = 0; kings < 4096; kings++) {
        /* Black has just played its pawn from rank 7 to rank 5, beside a white one. */
        const unsigned wk = kings & 63, bk = kings >> 6, ep = 40 + other;
        const uint64_t pawns = 1ull << (32 + file) | 1ull << (32 + other);
        if (wk == bk || ((pawns | 1ull << ep | 1ull << (ep + 8)) & (1ull << wk | 1ull << bk)))
          continue;
        sd_pos p = { .stm = SD_WHITE, .ep = SD_NO_SQUARE }, plain, turned;
        sd_pos_put (&p, SD_WHITE, SD_KING, wk);
        sd_pos_put (&p, SD_BLACK, SD_KING, bk);
        sd_pos_put (&p, SD_WHITE, SD_PAWN, 32 + file);
        sd_pos_put (&p, SD_BLACK, SD_PAWN, 32 + other);
        if (!sd_pos_legal (&p))
          continue;
        plain = p;
        p.ep = (uint8_t) ep;
        sd_move moves[SD_MAX_MOVES];
        sd_value want = SD_ILLEGAL, without;
        unsigned n = sd_moves (&p, SD_MOVES_CAPTURES, moves);
        for (unsigned i = 0; i < n; i++)
          if (moves[i].en_passant) {
            sd_pos child;
            sd_pos_apply (&p, &moves[i], &child);
            cr_assert (sd_values_of (s, &child, &want) == SD_OK);
            want = sd_value_back (want);
          }
        if (want == SD_ILLEGAL)
          continue; /* the capture would open a line to the king */
        cr_assert (sd_values_of (s, &plain, &without) == SD_OK);
        const bool alone = !sd_has_move (&plain);
        differs += alone ? want != without : sd_value_compare (want, without) > 0;
        if (!alone && sd_value_compare (without, want) > 0)
          want = without;
        sd_pos_flip (&p, &turned);
        for (unsigned k = 0; k < 2; k++, seen++) {
          int wdl = 7;
          sd_value v = 7777;
          sd_error err = { 0 };
          cr_assert (sd_probe_dtm (ts, k ? &turned : &p, &v, &err) == SD_OK, "%s", err.text);
          cr_assert (sd_probe_wdl (ts, k ? &turned : &p, &wdl, &err) == SD_OK, "%s", err.text);
          char fen[96];
          sd_pos_to_fen (k ? &turned : &p, fen, sizeof fen);
          cr_assert (v == want && wdl == sd_value_wdl (want), "%s: %d and %d, is %d", fen, v, wdl, want);
        }
      }
    }
  cr_expect (seen > 50000, "%ld", seen);
  cr_expect (differs > 1000, "%ld", differs);
  sd_tables_close (ts);
  sd_values_free (s);
}

/* A codec that says the same everywhere, so that five men cost no space. */
static int get_zero (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  cr_assert (i < d->n);
  *out = 0;
  return SD_OK;
}

Test (probe, a_stalemate_but_for_en_passant_is_worth_what_the_capture_is) {
  static const sd_codec same = { .name = "same" };
  static const sd_decoder_ops zero = { .get = get_zero };
  static const char *const names[2] = { "KQPvKP", "KQvKP" };
  static const sd_value values[2] = { 0, 7 };
  sd_table table[2] = { 0 };
  sd_view view[2] = { 0 };
  sd_decoder decoder[2];
  sd_indexer *ix[2];
  sd_ending ending[2] = { 0 };
  char nowhere[] = "";
  sd_tables ts = { .path = nowhere, .ending = ending, .nendings = 2 };
  for (uint32_t i = 0; i < 2; i++) {
    sd_layout l;
    const sd_material m = material (names[i]);
    sd_layout_kings_first (&m, &l);
    cr_assert (sd_indexer_new (&l, &ix[i], NULL) == SD_OK);
    decoder[i] = (sd_decoder){ .ops = &zero, .codec = &same, .n = sd_indexer_size (ix[i]), .m = 1 };
    const sd_side side = {
      .slots = decoder[i].n, .indexer = ix[i], .decoder = &decoder[i], .map = &values[i], .main = 1
    };
    table[i].info = (sd_table_info){ .material = m,
                                     .metric = SD_DTM,
                                     .coding = SD_CODING_SIGNED,
                                     .nsides = 2,
                                     .sides = SD_SIDES_BOTH,
                                     .side = { side, side } };
    cr_assert_eq (sd_view_fill (&view[i], &table[i], NULL), SD_OK);
    ending[i].view[SD_DTM] = &view[i];
    cr_assert (sd_keys_add (&ts.keys, &m, i) == SD_OK);
  }
  sd_pos p;
  sd_error err = { 0 };
  cr_assert (sd_pos_from_fen ("8/8/8/8/3Pp3/4K3/2Q5/k7 b - d3 0 1", &p, &err) == SD_OK, "%s", err.text);
  sd_move moves[SD_MAX_MOVES];
  cr_assert (sd_moves (&p, SD_MOVES_ALL, moves) == 1 && moves[0].en_passant);
  for (unsigned k = 0; k < 2; k++) {
    sd_value v;
    int wdl;
    cr_assert (sd_probe_dtm (&ts, &p, &v, &err) == SD_OK, "%s", err.text);
    cr_expect (v == -9, "%d", v);
    cr_assert (sd_probe_wdl (&ts, &p, &wdl, &err) == SD_OK, "%s", err.text);
    cr_expect (wdl == -1, "%d", wdl);
    sd_pos plain = p;
    plain.ep = SD_NO_SQUARE;
    cr_assert (sd_probe_dtm (&ts, &plain, &v, &err) == SD_OK, "%s", err.text);
    cr_expect (v == 0, "%d", v);
    sd_pos_flip (&p, &plain);
    p = plain;
  }
  sd_keys_free (&ts.keys);
  for (unsigned i = 0; i < 2; i++)
    sd_indexer_free (ix[i]);
}
