/* Verifying tables, and dumping them as plain numbers. */
#include "config.h"

#include <inttypes.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "table/table_internal.h"
#include "tests/probe/three_men.h"

TestSuite (verify, .init = make_folder, .fini = remove_folder);

Test (verify, verify_accepts_right_tables_and_names_the_position_that_does_not_follow) {
  sd_values *s = three_men ("KRvK");
  sd_error err = { 0 };
  build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "repair", NULL, NULL);
  build (s, "KRvK", SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "lzma", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_material m = material ("KRvK");
  for (int metric = 0; metric < 2; metric++)
    cr_expect (sd_table_verify (ts, sd_tables_find (ts, &m, metric), NULL, NULL, &err) == SD_OK, "%s",
               err.text);
  sd_tables_close (ts);

  const sd_exact *e;
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  sd_pos p;
  uint64_t i = 0;
  while (!position (e, 1, i, &p) || e->value[1][i] > -20)
    i++;
  const sd_value right = e->value[1][i];
  e->value[1][i] = (sd_value) (right + 2); /* mated one move sooner: not true */
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  e->value[1][i] = 0;
  build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL, "store", NULL, NULL);
  ts = open_folder ();
  cr_expect (sd_table_verify (ts, sd_tables_find (ts, &m, SD_DTM), NULL, NULL, &err) == SD_EDIFF);
  cr_expect (strstr (err.text, "KRvK.dtm.sdt: ") && strstr (err.text, "mate"), "%s", err.text);
  cr_expect (sd_table_verify (ts, sd_tables_find (ts, &m, SD_WDL), NULL, NULL, &err) == SD_EDIFF);
  cr_expect (strstr (err.text, "KRvK.wdl.sdt: ") && strstr (err.text, "drawn"), "%s", err.text);
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (verify, verify_finds_results_that_agree_with_each_other_but_not_with_the_distances) {
  /* King and bishop against king, all called won with White to move and lost with Black to move, except where
   * the board or a capture decides: each such result follows from its successors, around in cycles, and none
   * is true. */
  sd_values *s = three_men ("KBvK");
  sd_error err = { 0 };
  sd_material m = material ("KBvK");
  const sd_exact *e;
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  build (s, "KBvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_exact *fake;
  cr_assert (sd_exact_new (&m, &fake, NULL) == SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      if (position (e, side, i, &p))
        fake->value[side][i] = side ? -3 : 1;
    }
  for (bool changed = true; changed;) { /* take back what does not follow, until the rest holds together */
    changed = false;
    for (unsigned side = 0; side < 2; side++)
      for (uint64_t i = 0; i < e->n; i++) {
        sd_pos p, child;
        if (!position (e, side, i, &p) || fake->value[side][i] == 0)
          continue;
        sd_move moves[SD_MAX_MOVES];
        const unsigned n = sd_moves (&p, SD_MOVES_ALL, moves);
        int best = -1;
        for (unsigned k = 0; k < n; k++) {
          int v = 0;
          sd_pos_apply (&p, &moves[k], &child);
          if (moves[k].captured == SD_NO_PIECE) {
            uint8_t sq[SD_MAX_MEN];
            sd_pos_to_squares (&m, &child, sq);
            v = sd_value_wdl (fake->value[side ^ 1][sd_index_of (e->indexer, sq)]);
          }
          best = -v > best ? -v : best;
        }
        if (n == 0 || best != sd_value_wdl (fake->value[side][i])) {
          fake->value[side][i] = 0;
          changed = true;
        }
      }
  }
  uint64_t won = 0;
  for (uint64_t i = 0; i < e->n; i++)
    won += fake->value[0][i] > 0;
  cr_assert (won > 1000, "%lu", (unsigned long) won);
  cr_assert (sd_values_put (s, fake) == SD_OK);
  build (s, "KBvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_tables *ts = open_folder (), *alone;
  const sd_table *t = sd_tables_find (ts, &m, SD_WDL);
  cr_assert (sd_tables_open (NULL, 0, &alone, NULL) == SD_OK);
  cr_expect (sd_table_verify (alone, t, NULL, NULL, &err) == SD_OK, "%s", err.text);
  cr_expect (sd_table_verify (ts, t, NULL, NULL, &err) == SD_EDIFF);
  cr_expect (strstr (err.text, "the DTM table says drawn") != NULL, "%s", err.text);
  sd_tables_close (alone);
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (verify, a_table_is_compared_with_another_one_of_the_same_values) {
  sd_values *s = three_men ("KRvK");
  sd_error err = { 0 };
  sd_material m = material ("KRvK");
  const sd_exact *e;
  sd_verified v;
  sd_table *wdl = NULL, *dtm = NULL, *same = NULL;
  char path[600], copy[600];
  build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "repair", NULL, NULL);
  snprintf (path, sizeof path, "%s/KRvK.wdl.sdt", folder);
  cr_assert (sd_table_open (path, 0, &wdl, &err) == SD_OK, "%s", err.text);
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ALL, "lzma", NULL, NULL);
  snprintf (path, sizeof path, "%s/KRvK.dtm.sdt", folder);
  cr_assert (sd_table_open (path, 0, &same, &err) == SD_OK, "%s", err.text);
  snprintf (copy, sizeof copy, "%s/KRvK.before.dtm.sdt", folder); /* a name that no table is found by */
  cr_assert (rename (path, copy) == 0 && sd_table_open (copy, 0, &dtm, &err) == SD_OK, "%s", err.text);
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ALL, "lzma", NULL, NULL);
  sd_tables *own = open_folder ();
  snprintf (path, sizeof path, "%s/KRvK.wdl.sdt", folder);
  cr_assert (remove (path) == 0); /* so that WDL has to come from DTM */
  sd_tables *other = open_folder ();
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  cr_expect (sd_table_verify_against (own, wdl, other, NULL, &v, &err) == SD_OK, "%s", err.text);
  cr_expect (v.positions > 50000 && strstr (v.against, "KRvK.dtm.sdt"), "%s", v.against);
  cr_expect (sd_table_verify_against (own, same, other, NULL, &v, &err) == SD_EINVAL); /* its own file */
  sd_tables_close (other);

  sd_pos p;
  uint64_t i = 0;
  while (!position (e, 1, i, &p) || e->value[1][i] > -20)
    i++;
  const sd_value right = e->value[1][i];
  e->value[1][i] = (sd_value) (right - 2); /* mated one move later: WDL is the same, DTM is not */
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  other = open_folder ();
  cr_expect (sd_table_verify_against (own, wdl, other, NULL, &v, &err) == SD_OK, "%s", err.text);
  cr_expect (sd_table_verify_against (own, dtm, other, NULL, &v, &err) == SD_EDIFF);
  cr_expect (strstr (err.text, "KRvK.before.dtm.sdt: ") && strstr (err.text, "/KRvK.dtm.sdt says"), "%s",
             err.text);
  sd_tables_close (other);
  e->value[1][i] = right;
  sd_tables_close (own);
  sd_table_close (wdl);
  sd_table_close (dtm);
  sd_table_close (same);
  sd_values_free (s);
}

/* Whoever finds them: each thread looks at slots of its own. */
Test (verify, of_many_wrong_positions_the_first_one_is_named) {
  sd_values *s = three_men ("KRvK");
  sd_error err = { 0 };
  sd_material m = material ("KRvK");
  const sd_exact *e;
  sd_table *right = NULL;
  sd_verified v;
  char path[600], before[600];
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  snprintf (path, sizeof path, "%s/KRvK.dtm.sdt", folder);
  snprintf (before, sizeof before, "%s/KRvK.before.dtm.sdt", folder);
  cr_assert (rename (path, before) == 0 && sd_table_open (before, 0, &right, &err) == SD_OK, "%s", err.text);
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  sd_pos p;
  uint64_t wrong = 0, i = 0;
  for (uint64_t k = 0; k < e->n; k++)
    if (e->value[1][k] <= -20 && position (e, 1, k, &p)) {
      e->value[1][k] = (sd_value) (e->value[1][k] - 2);
      wrong++;
    }
  cr_assert (wrong > 1000, "%" PRIu64, wrong);
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_tables *other = open_folder ();
  const sd_indexer *ix = right->info.side[1].indexer;
  sd_value is = 0;
  while (!sd_index_position (ix, i, 1, &p) || sd_values_of (s, &p, &is) != SD_OK || is > -22)
    i++;
  char fen[96];
  sd_pos_to_fen (&p, fen, sizeof fen);
  for (int threads = 1; threads <= 4; threads += 3) {
#ifdef _OPENMP
    omp_set_num_threads (threads);
#endif
    cr_expect (sd_table_verify_against (other, right, other, NULL, &v, &err) == SD_EDIFF);
    cr_expect (strstr (err.text, fen), "%d threads: %s, not %s", threads, err.text, fen);
  }
  sd_tables_close (other);
  sd_table_close (right);
  sd_values_free (s);
}

static void check_dump (sd_values *s, const char *name) {
  char path[600];
  sd_error err = { 0 };
  sd_outfile *out;
  sd_map map;
  sd_material m = material (name);
  snprintf (path, sizeof path, "%s/%s.dump", folder, name);
  cr_assert (sd_outfile_open (path, &out, &err) == SD_OK, "%s", err.text);
  cr_assert (sd_table_dump (s, &m, out, NULL, &err) == SD_OK, "%s", err.text);
  cr_assert (sd_outfile_commit (out, &err) == SD_OK, "%s", err.text);
  cr_assert (sd_map_open (path, &map, &err) == SD_OK, "%s", err.text);
  const unsigned men = sd_material_men (&m);
  const size_t total = (size_t) 1 << (6 * men);
  cr_assert (map.len == 4 * total, "%zu", map.len);
  long legal = 0;
  for (size_t at = 0; at < 2 * total; at++) {
    const sd_value is = (sd_value) (uint16_t) (map.data[2 * at] | map.data[2 * at + 1] << 8);
    uint8_t sq[SD_MAX_MEN];
    size_t i = at % total;
    uint64_t seen = 0;
    for (unsigned k = men; k-- > 0; i /= 64) {
      sq[k] = (uint8_t) (i % 64);
      seen |= 1ull << sq[k];
    }
    sd_pos p;
    sd_pos_from_squares (&m, sq, at >= total, &p);
    sd_value want = SD_ILLEGAL;
    if ((unsigned) __builtin_popcountll (seen) == men && sd_pos_legal (&p))
      cr_assert (sd_values_of (s, &p, &want) == SD_OK);
    legal += want != SD_ILLEGAL;
    if (is != want) {
      char fen[96];
      sd_pos_to_fen (&p, fen, sizeof fen);
      cr_assert_fail ("%s at %zu: %s: %d, is %d", name, at, fen, is, want);
    }
  }
  cr_expect (legal > 200000, "%ld", legal);
  sd_map_close (&map);
}

Test (verify, a_dump_holds_every_placement_under_its_own_number) {
  sd_values *s = three_men ("KPvK");
  check_dump (s, "KQvK");
  check_dump (s, "KPvK");
  check_dump (s, "KvKP");
  sd_values_free (s);
}

/* The values of side 1 of the table of m in the folder. */
static sd_statistics statistics_of (const sd_material *m, enum sd_metric metric) {
  sd_tables *ts = open_folder ();
  sd_statistics s[2];
  sd_error err = { 0 };
  cr_assert_eq (sd_table_statistics (ts, sd_tables_find (ts, m, metric), NULL, s, &err), SD_OK, "%s",
                err.text);
  sd_statistics_free (&s[0]);
  sd_tables_close (ts);
  return s[1];
}

Test (verify, statistics_count_what_is_there_and_their_checksum_notices_one_value) {
  sd_values *s = three_men ("KRvK");
  sd_material m = material ("KRvK");
  const sd_exact *e;
  sd_counts counts;
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  sd_exact_count (e, 1, &counts);
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_statistics before = statistics_of (&m, SD_DTM);
  cr_expect_eq (before.positions, counts.positions);
  cr_expect_eq (before.drawn, counts.drawn);
  cr_expect_eq (before.lost, counts.lost);
  cr_expect_eq (before.won, 0);
  cr_expect_eq (before.longest_loss, counts.longest_loss);
  sd_pos p;
  cr_assert_eq (sd_pos_from_fen (before.loss_fen, &p, NULL), SD_OK, "%s", before.loss_fen);
  sd_value longest = 0;
  cr_expect_eq (sd_values_of (s, &p, &longest), SD_OK);
  cr_expect_eq (longest, counts.longest_loss);

  uint64_t i = 0;
  while (!position (e, 1, i, &p) || e->value[1][i] > -20)
    i++;
  uint8_t sq[SD_MAX_MEN];
  sd_pos_to_squares (&m, &p, sq);
  const uint64_t number = sd_position_number (&m, sq) << 16;
  uint64_t was = number | (uint16_t) e->value[1][i], is = number | (uint16_t) (e->value[1][i] + 2);
  e->value[1][i] = (sd_value) (e->value[1][i] + 2);
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "huffman", NULL, NULL);
  sd_statistics after = statistics_of (&m, SD_DTM);
  cr_expect_eq (after.content, before.content - sd_random (&was) + sd_random (&is));
  sd_statistics_free (&before);
  sd_statistics_free (&after);
  sd_values_free (s);
}

Test (verify, the_number_of_a_position_is_the_same_for_its_images_and_for_equal_men_in_any_order) {
  const sd_material knight = material ("KNNvK"), pawn = material ("KPvK");
  /* hexadecimal: clang takes 10 ^ 63 for a power */
  const uint8_t sq[] = { 1, 10, 34, 60 }, same[] = { 1 ^ 0x3f, 34 ^ 0x3f, 10 ^ 0x3f, 60 ^ 0x3f };
  const uint8_t white[] = { 6, 12, 50 }, mirrored[] = { 6 ^ 7, 12 ^ 7, 50 ^ 7 },
                upside[] = { 6 ^ 56, 12 ^ 56, 50 ^ 56 };
  cr_expect_eq (sd_position_number (&knight, sq), sd_position_number (&knight, same));
  cr_expect_eq (sd_position_number (&pawn, white), sd_position_number (&pawn, mirrored));
  cr_expect_neq (sd_position_number (&pawn, white), sd_position_number (&pawn, upside));
}
