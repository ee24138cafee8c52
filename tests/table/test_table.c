/* The list of codecs, values, exact values in memory, subdefining, relayout. */
#include "config.h"
#include "recode/recode_internal.h"
#include "tests/table/made_up.h"

/* ---------------------------------------------------------------------- values */

Test (value, order_is_won_soon_then_late_then_drawn_then_lost_late_then_soon) {
  static const sd_value rising[] = { -1, -3, -301, 0, 543, 3, 1 };
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 7; k++)
      cr_expect_eq (sd_value_compare (rising[i], rising[k]), (i > k) - (i < k));
}

Test (value, goes_back_by_one_ply_and_changes_sides) {
  cr_expect_eq (sd_value_back (0), 0);
  cr_expect_eq (sd_value_back (-1), 1); /* mated on the board: mates in 1 ply */
  cr_expect_eq (sd_value_back (1), -3); /* opponent mates in 1 ply: mated in 2 */
  cr_expect_eq (sd_value_back (-21), 21);
  cr_expect_eq (sd_value_back (21), -23);
}

Test (value, freedom_has_names_and_refuses_others) {
  unsigned bits;
  char text[64];
  sd_error err = { 0 };
  for (unsigned f = 0; f < 16; f++) {
    sd_freedom_text (f, text, sizeof text);
    cr_expect_eq (sd_freedom_parse (text, &bits, &err), SD_OK);
    cr_expect_eq (bits, f, "%s", text);
  }
  static const char *const more[] = { "all+unreachable", "illegal+unreachable", "all+won",
                                      "unreachable",     "all+queen",           "capture+queen+unreachable" };
  for (unsigned i = 0; i < 6; i++) {
    cr_expect_eq (sd_freedom_parse (more[i], &bits, &err), SD_OK);
    sd_freedom_text (bits, text, sizeof text);
    cr_expect_str_eq (text, more[i]);
  }
  cr_expect_eq (sd_freedom_parse ("illegal+draw+capture+promotion", &bits, &err), SD_OK);
  cr_expect_eq (bits, (unsigned) SD_FREE_ALL);
  static const char *const wrong[] = { "", "illegal+", "ilegal", "all+none", "capture,draw" };
  for (int i = 0; i < 5; i++) {
    cr_expect_eq (sd_freedom_parse (wrong[i], &bits, &err), SD_EINVAL, "%s", wrong[i]);
    cr_expect_not_null (strstr (err.text, "illegal, draw, capture, promotion"));
  }
  char small[8];
  sd_freedom_text (7, small, sizeof small);
  cr_expect_lt (strlen (small), sizeof small);
}

Test (value, restoring_takes_the_better_of_stored_and_conversion) {
  sd_value (*const wdl) (int, sd_value, bool, sd_value) = sd_codings[SD_CODING_WDL].restore;
  sd_value (*const moves) (int, sd_value, bool, sd_value) = sd_codings[SD_CODING_MOVES].restore;
  cr_expect_eq (wdl (0, -1, true, 0), 0);
  cr_expect_eq (wdl (0, 1, true, 0), 1);
  cr_expect_eq (wdl (0, -1, false, 1), -1);
  cr_expect_eq (moves (1, 9, true, 9), 9);      /* won in 5 moves = 9 plies, stored 9 moves */
  cr_expect_eq (moves (1, 5, true, 11), 9);     /* a slower conversion */
  cr_expect_eq (moves (1, 5, true, 0), 9);      /* a drawn one */
  cr_expect_eq (moves (-1, 2, true, -11), -11); /* a conversion delays to 10 plies */
  cr_expect_eq (moves (-1, 5, true, -3), -11);
  cr_expect_eq (moves (0, 5, true, -3), 0);
  cr_expect_eq (moves (-1, 0, false, 0), -1); /* mated on the board */
}

/* What code relies on and no compiler checks. */
Test (value, rows_of_metrics_are_complete) {
  for (unsigned m = 0; m < SD_METRICS; m++) {
    const sd_metric_kind *k = &sd_metrics[m];
    cr_assert (k->name && k->title && k->of && k->say && ((k->won && k->lost) || (k->ends && k->unit)),
               "metric %u", m);
    cr_expect (k->exact < SD_METRICS && sd_metrics[k->exact].exact == k->exact, "%s", k->name);
    cr_expect (k->told_by == SD_NO_METRIC || k->told_by == k->exact, "%s: `of` takes values of both",
               k->name);
    enum sd_metric needs = SD_NO_METRIC;
    unsigned n = 0;
    for (; n < SD_CODINGS && k->coding[n] != SD_NO_CODING; n++)
      if (sd_codings[k->coding[n]].needs != SD_NO_METRIC)
        needs = sd_codings[k->coding[n]].needs;
    cr_expect (n > 0 && k->coding[n] == SD_NO_CODING, "%s: a list of codings that ends", k->name);
    cr_expect_eq (k->signs, needs, "%s", k->name);
    cr_expect_eq (sd_metric_find (k->name), (enum sd_metric) m);
  }
}

Test (value, plies_begin_anew_after_the_moves_that_a_metric_names) {
  const sd_metric_kind k = { .plies = true, .counts_from = SD_STEP_CAPTURE | SD_STEP_PAWN };
  cr_expect_eq (sd_metric_back (&k, 41, 0), -43);
  cr_expect_eq (sd_metric_back (&k, -41, SD_STEP_PROMOTION), 41);
  cr_expect_eq (sd_metric_back (&k, -41, SD_STEP_CAPTURE), 1);
  cr_expect_eq (sd_metric_back (&k, 41, SD_STEP_PAWN | SD_STEP_PROMOTION), -2);
  cr_expect_eq (sd_metric_back (&k, 0, SD_STEP_CAPTURE), 0);
  cr_expect_eq (sd_metric_back (&k, SD_ILLEGAL, SD_STEP_CAPTURE), SD_ILLEGAL);
  cr_expect_eq (sd_metric_back (&k, 141, SD_STEP_CAPTURE), -2, "no 50-move rule");
  cr_expect_eq (sd_metric_back (&k, -141, SD_STEP_CAPTURE), 1, "no 50-move rule");
  cr_expect_eq (sd_metric_back (&sd_metrics[SD_DTM], 41, SD_STEP_CAPTURE), -43);
}

/* What ends the count, whether the 50-move rule cuts it, and whether endings are solved by parts are three
 * facts: DTC has the first alone. */
Test (value, counting_anew_the_rule_and_parts_are_told_apart) {
  cr_expect (!sd_metric_counts_anew (SD_DTM) && !sd_metric_has_rule (SD_DTM) && !sd_metric_by_parts (SD_DTM));
  cr_expect (sd_metric_counts_anew (SD_DTC) && !sd_metric_has_rule (SD_DTC) && !sd_metric_by_parts (SD_DTC));
  cr_expect (sd_metric_counts_anew (SD_WDL50) && sd_metric_has_rule (SD_WDL50)
             && sd_metric_by_parts (SD_WDL50));
  cr_expect (!sd_metric_takes (SD_DTC, SD_CODING_SIGNED, true), "of chess alone");
}

/* 100 plies without capture or pawn move are a win, 101 a cursed one; so is a zeroing move to a blessed loss.
 */
Test (value, the_rule_of_50_moves_curses_wins_and_blesses_losses) {
  const sd_metric_kind *k = &sd_metrics[SD_DTZ50];
  const sd_value lost100 = -101, lost101 = -102;
  cr_expect_eq (sd_metric_back (k, lost100, 0), 101);
  cr_expect_eq (sd_metric_back (k, 100, 0), lost101);
  cr_expect_eq (sd_metric_back (k, lost100, SD_STEP_PAWN), 1);
  cr_expect_eq (sd_metric_back (k, lost101, SD_STEP_CAPTURE), 101);
  cr_expect_eq (sd_metric_back (k, -1, SD_STEP_PROMOTION), 1);
  cr_expect_eq (sd_metric_back (k, 100, SD_STEP_CAPTURE), -2);
  cr_expect_eq (sd_metric_back (k, 101, SD_STEP_CAPTURE), lost101);
  sd_value (*const of) (sd_value v) = sd_metrics[SD_WDL50].of;
  const sd_value exact[] = { -1, lost100, lost101, 0, 101, 100, 1 }, is[] = { -2, -2, -1, 0, 1, 2, 2 };
  for (unsigned i = 0; i < 7; i++)
    cr_expect_eq (of (exact[i]), is[i], "%d", exact[i]);
  char text[64];
  sd_metric_text (SD_DTZ50, 117, text, sizeof text);
  cr_expect_str_eq (text, "cursed win, zeroing in 117 plies");
  sd_metric_text (SD_WDL50, -1, text, sizeof text);
  cr_expect_str_eq (text, "blessed loss");
  cr_expect (!sd_metric_takes (SD_DTZ50, SD_CODING_SIGNED, true), "other games have no such rule here");
}

Test (value, zeroing_numbers_are_told_apart_by_the_five_results) {
  const sd_coding_kind *c = &sd_codings[SD_CODING_ZEROING];
  const sd_value all[] = { -1, -2, -101, -102, -150, 100, 1, 101, 140 };
  for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
    cr_expect_eq (c->restore (sd_metrics[SD_WDL50].of (all[i]), c->number (all[i]), false, 0), all[i]);
  cr_expect_eq (c->restore (2, 7, true, 1), 1);   /* a capture wins */
  cr_expect_eq (c->restore (2, 7, true, 101), 7); /* one that would be cursed */
  cr_expect_eq (c->restore (1, 9, true, 101), 101);
  cr_expect_eq (c->restore (-1, 0, true, -102), -102);
  cr_expect_eq (c->restore (-1, 9, true, -2), -110);
}

/* ---------------------------------------------------------------- exact values */

Test (exact, either_colour_may_be_the_stronger_one) {
  sd_values *s = endings ("KQvK", RANDOM, 1);
  const sd_exact *e = get (s, "KQvK");
  uint64_t checked = 0;
  for (uint64_t i = 0; i < e->n; i += 7)
    for (unsigned side = 0; side < 2; side++) {
      sd_pos p, q;
      sd_value v;
      if (!sd_exact_position (e, side, i, &p))
        continue;
      sd_pos_flip (&p, &q);
      cr_assert_eq (sd_values_of (s, &p, &v), SD_OK);
      cr_assert_eq (v, e->value[side][i]);
      cr_assert_eq (sd_values_of (s, &q, &v), SD_OK);
      cr_assert_eq (v, e->value[side][i]);
      checked++;
    }
  cr_assert_gt (checked, 1000);
  sd_values_free (s);
}

Test (exact, symmetric_material_answers_for_black_with_colours_swapped) {
  sd_values *s = endings ("KNvKN", DRAWN, 1);
  sd_pos p, q;
  sd_value v = 1;
  cr_assert_eq (get (s, "KNvKN")->nsides, 1);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/8/1n6/8/2k5/K3N3 b - -", &p, NULL), SD_OK);
  sd_pos_flip (&p, &q);
  uint8_t sq[SD_MAX_MEN];
  sd_exact *e = (sd_exact *) get (s, "KNvKN");
  sd_pos_to_squares (&e->material, &q, sq);
  e->value[0][sd_index_of (e->indexer, sq)] = 17;
  cr_expect_eq (sd_values_of (s, &p, &v), SD_OK);
  cr_expect_eq (v, 17);
  cr_expect_eq (sd_values_of (s, &q, &v), SD_OK);
  cr_expect_eq (v, 17);
  sd_values_free (s);
}

Test (exact, en_passant_counts_as_one_more_move_and_as_the_only_one_if_there_is_no_other) {
  sd_values *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, &err), SD_OK);
  sd_material m = material ("KPvKP"), sub = material ("KPvK");
  sd_exact *e, *d;
  cr_assert_eq (sd_exact_new (&m, &e, &err), SD_OK);
  cr_assert_eq (sd_exact_new (&sub, &d, &err), SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < d->n; i++)
      d->value[side][i] = side == 1 ? -9 : 8; /* who has the pawn wins */
  for (uint64_t i = 0; i < e->n; i++)
    e->value[0][i] = -1;
  cr_assert_eq (sd_values_put (s, d), SD_OK);
  cr_assert_eq (sd_values_put (s, e), SD_OK);
  sd_pos p;
  sd_value v;
  cr_assert_eq (sd_pos_from_fen ("8/8/8/3pP3/8/8/8/K6k w - d6", &p, &err), SD_OK, "%s", err.text);
  cr_assert_eq (p.ep, 43);
  cr_expect_eq (sd_values_of (s, &p, &v), SD_OK);
  cr_expect_eq (v, 9); /* better than the table's */
  for (uint64_t i = 0; i < e->n; i++)
    e->value[0][i] = 5;
  cr_expect_eq (sd_values_of (s, &p, &v), SD_OK);
  cr_expect_eq (v, 5); /* worse than the table's */
  p.ep = SD_NO_SQUARE;
  cr_expect_eq (sd_values_of (s, &p, &v), SD_OK);
  cr_expect_eq (v, 5);
  sd_values_free (s);
}

Test (exact, missing_endings_are_named) {
  sd_values *s;
  sd_error err = { 0 };
  const sd_exact *e;
  sd_material m = material ("KRvKP"), mirrored = material ("KPvKR");
  sd_pos p;
  sd_value v = 7;
  int status;
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, &err), SD_OK);
  cr_expect_eq (sd_values_whole (s, &m, &e, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KRvKP.dtm.sdt"), "%s", err.text);
  cr_expect_eq (sd_values_need (s, &m, &err), SD_ENOENT);
  cr_expect_eq (sd_values_whole (s, &mirrored, &e, &err), SD_EINVAL);
  sd_values_free (s);
  cr_assert_eq (sd_values_new ("/nonexistent::/tmp", SD_DTM, &s, &err), SD_OK);
  cr_expect_eq (sd_values_whole (s, &m, &e, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "/nonexistent"), "%s", err.text);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/8/1q6/8/3k4/R6K b - -", &p, NULL), SD_OK);
  cr_expect_eq (sd_values_of (s, &p, &v), SD_ENOENT);
  cr_expect (!best_conversion (s, &p, SD_MOVES_PROMOTIONS, &v, &status));
  cr_expect_eq (status, SD_OK);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/8/8/8/3k4/7K b - -", &p, NULL), SD_OK);
  cr_expect_eq (sd_values_of (s, &p, &v), SD_OK); /* king against king needs no table */
  cr_expect_eq (v, 0);
  sd_values_free (s);
}

Test (exact, counts_by_result_and_longest_distances) {
  sd_material m = material ("KQvK");
  sd_exact *e;
  sd_counts c;
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  e->value[0][3] = 19;
  e->value[0][4] = 7;
  e->value[0][5] = 0;
  e->value[0][6] = -21;
  e->value[1][6] = -1;
  sd_exact_count (e, 0, &c);
  cr_expect (c.positions == 4 && c.won == 2 && c.drawn == 1 && c.lost == 1);
  cr_expect (c.longest_win == 19 && c.longest_loss == -21);
  sd_exact_count (e, 1, &c);
  cr_expect (c.positions == 1 && c.won == 0 && c.drawn == 0 && c.lost == 1 && c.longest_win == 0);
  sd_exact_free (e);
}

/* ----------------------------------------------------------------- subdefining */

static enum sd_metric metric_of (enum sd_coding coding) {
  return coding == SD_CODING_WDL ? SD_WDL : SD_DTM;
}

/* The set of each slot must be exactly the symbols that restoring turns into the value. */
static void check_sets (const sd_values *s, const sd_exact *e, unsigned side, enum sd_coding coding,
                        unsigned freedom) {
  sd_subdefined *d;
  sd_error err = { 0 };
  cr_assert_eq (sd_subdefine (s, e, &(sd_stored){ metric_of (coding), coding, freedom, side, SD_SIDES_BOTH },
                              NULL, &d, &err),
                SD_OK, "%s", err.text);
  unsigned m = sd_alphabet_main (d->alphabet);
  uint64_t free_slots = 0, conversions = 0;
  cr_assert_eq (d->seq.n, e->n);
  for (uint64_t i = 0; i < e->n; i++) {
    sd_symbol sym = d->seq.sym[i];
    sd_pos p;
    unsigned choices = sd_alphabet_choices (d->alphabet, sym);
    if (!sd_exact_position (e, side, i, &p)) {
      cr_assert_eq (choices, freedom & SD_FREE_ILLEGAL ? m : 1);
      continue;
    }
    const enum sd_move_class which = sd_freedom_classes (freedom);
    sd_value best = 0, v = e->value[side][i];
    int status = SD_OK;
    bool has = best_conversion (s, &p, which, &best, &status);
    cr_assert_eq (status, SD_OK);
    free_slots += choices > 1;
    conversions += has;
    for (unsigned x = 0; x < m; x++) {
      bool right = false;
      const sd_coding_kind *c = &sd_codings[coding];
      sd_value (*const of) (sd_value) = sd_metrics[d->metric].of;
      if (c->needs != SD_NO_METRIC && v == 0)
        right = freedom & SD_FREE_DRAW ? true : d->map[x] == 0;
      else
        right = c->restore (sd_value_wdl (v), d->map[x], has, of (best)) == of (v)
                && (c->needs == SD_NO_METRIC || v < 0 || d->map[x] > 0);
      cr_assert_eq (sd_admits (d->alphabet, sym, (sd_symbol) x), right,
                    "coding %d freedom %u side %u slot %" PRIu64
                    " value %d best %d has %d: symbol %u stands for %d",
                    (int) coding, freedom, side, i, v, best, has, x, d->map[x]);
    }
  }
  if (conversions > 1000 && coding != SD_CODING_MOVES) /* moves: conversions into draws free nothing */
    cr_assert_gt (free_slots, 0);
  sd_subdefined_free (d);
}

Test (subdefine, permits_exactly_the_symbols_that_restoring_turns_into_the_value) {
  sd_values *s = endings ("KPvK", RANDOM, 5);
  const sd_exact *e = get (s, "KPvK");
  for (unsigned freedom = 0; freedom < 16; freedom += 3)
    for (unsigned side = 0; side < 2; side++)
      for (int coding = SD_CODING_WDL; coding <= SD_CODING_MOVES; coding++)
        check_sets (s, e, side, (enum sd_coding) coding, freedom);
  check_sets (s, e, 0, SD_CODING_MOVES, SD_FREE_ALL & ~SD_FREE_ILLEGAL);
  for (int coding = SD_CODING_WDL; coding <= SD_CODING_MOVES; coding++)
    check_sets (s, e, 0, (enum sd_coding) coding, SD_FREE_ALL | SD_FREE_QUEEN);
  sd_values_free (s);
}

Test (subdefine, holds_with_captures_of_both_sides_and_symmetric_material) {
  sd_values *s = endings ("KRvKR", RANDOM, 6);
  const sd_exact *e = get (s, "KRvKR");
  check_sets (s, e, 0, SD_CODING_WDL, SD_FREE_ALL);
  check_sets (s, e, 0, SD_CODING_MOVES, SD_FREE_ALL);
  sd_values_free (s);
}

Test (subdefine, refuses_what_it_cannot_do) {
  sd_values *s, *none;
  sd_error err = { 0 };
  sd_subdefined *d;
  s = endings ("KPvK", DRAWN, 1);
  const sd_exact *e = get (s, "KPvK");
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &none, NULL), SD_OK);
  cr_expect_eq (sd_subdefine (none, e,
                              &(sd_stored){ SD_WDL, SD_CODING_WDL, SD_FREE_CAPTURE, 0, SD_SIDES_BOTH }, NULL,
                              &d, &err),
                SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "which are not loaded"), "%s", err.text);
  cr_expect_eq (
      sd_subdefine (none, e, &(sd_stored){ SD_WDL, SD_CODING_WDL, 0, 2, SD_SIDES_BOTH }, NULL, &d, &err),
      SD_EINVAL);
  cr_expect_eq (
      sd_subdefine (none, e, &(sd_stored){ SD_WDL, SD_CODINGS, 0, 0, SD_SIDES_BOTH }, NULL, &d, &err),
      SD_EINVAL);
  cr_expect_eq (sd_subdefine (none, e,
                              &(sd_stored){ SD_WDL, SD_CODING_WDL, SD_FREE_KNOWN + 1, 0, SD_SIDES_BOTH },
                              NULL, &d, &err),
                SD_EINVAL);
  cr_expect_eq (sd_subdefine (none, e,
                              &(sd_stored){ SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL, 0, SD_SIDES_BOTH }, NULL,
                              &d, &err),
                SD_OK);
  sd_subdefined_free (d);
  /* all drawn and free: one symbol is left over */
  cr_expect_eq (sd_subdefine (s, e, &(sd_stored){ SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, 0, SD_SIDES_BOTH },
                              NULL, &d, &err),
                SD_OK);
  cr_expect_eq (sd_alphabet_main (d->alphabet), 1);
  sd_subdefined_free (d);
  sd_values_free (none);
  sd_values_free (s);
}

/* The same sets as the whole side, told slot by slot, though numbered otherwise. */
Test (judge, samples_what_the_whole_side_would_hold) {
  enum { PIECES = 7, LENGTH = 5000 };
  sd_values *s = endings ("KPvK", RANDOM, 11);
  const sd_exact *e = get (s, "KPvK");
  sd_error err = { 0 };
  sd_layout l;
  sd_indexer *ix;
  cr_assert_eq (sd_layout_parse (&e->material, "kP!K", "z", &l, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_indexer_new (&l, &ix, &err), SD_OK);
  for (int coding = SD_CODING_WDL; coding <= SD_CODING_MOVES; coding++)
    for (unsigned freedom = 0; freedom <= SD_FREE_ALL; freedom += SD_FREE_ALL) {
      sd_subdefined *d, *from_whole, *from_judge;
      sd_judge *j;
      cr_assert_eq (sd_subdefine (s, e, &(sd_stored){ metric_of (coding), coding, freedom, 1, SD_SIDES_BOTH },
                                  NULL, &d, &err),
                    SD_OK, "%s", err.text);
      cr_assert_eq (sd_judge_new (s, e, &(sd_stored){ metric_of (coding), coding, freedom, 1, SD_SIDES_BOTH },
                                  &j, &err),
                    SD_OK, "%s", err.text);
      cr_assert_eq (
          sd_subdefined_sample (d, e->indexer, ix, (sd_extent){ PIECES, LENGTH }, &from_whole, &err), SD_OK);
      cr_assert_eq (sd_judge_sample (j, e->indexer, ix, (sd_extent){ PIECES, LENGTH }, &from_judge, &err),
                    SD_OK, "%s", err.text);
      const unsigned m = sd_alphabet_main (d->alphabet), words = (m + 63) / 64;
      cr_assert_eq (sd_alphabet_main (from_judge->alphabet), m);
      cr_assert_eq (memcmp (from_judge->map, d->map, m * sizeof *d->map), 0);
      for (unsigned v = 0; v < m; v++)
        cr_assert_geq (abs (d->map[v]), abs (d->map[sd_alphabet_zero (d->alphabet)]));
      cr_assert_eq (from_judge->seq.n, (uint64_t) PIECES * LENGTH);
      for (uint64_t i = 0; i < from_judge->seq.n; i++)
        cr_assert_eq (memcmp (sd_alphabet_set (from_judge->alphabet, from_judge->seq.sym[i]),
                              sd_alphabet_set (from_whole->alphabet, from_whole->seq.sym[i]),
                              words * sizeof (uint64_t)),
                      0, "coding %d freedom %u slot %" PRIu64, coding, freedom, i);
      sd_subdefined_free (from_whole);
      sd_subdefined_free (from_judge);
      sd_subdefined_free (d);
      sd_judge_free (j);
    }
  sd_indexer_free (ix);
  sd_values_free (s);
}

/* Where the samples of a large table are as long as the table, they lead to the same order. */
Test (search, of_a_large_table_finds_what_the_usual_one_finds) {
  sd_values *s = endings ("KPvK", RANDOM, 12);
  const sd_exact *e = get (s, "KPvK");
  sd_error err = { 0 };
  sd_table_spec spec[2];
  for (unsigned large = 0; large < 2; large++) {
    const sd_search_options how = { .fixed_codec = true, .large = large };
    memset (&spec[large], 0, sizeof spec[large]);
    spec[large].material = e->material;
    spec[large].metric = SD_WDL;
    spec[large].freedom = SD_FREE_ALL;
    for (unsigned side = 0; side < 2; side++) {
      spec[large].side[side].codec = sd_codec_find ("repair");
      cr_assert_eq (sd_settings_parse (spec[large].side[side].codec, "symbols=200",
                                       &spec[large].side[side].settings, &err),
                    SD_OK);
    }
    cr_assert_eq (sd_table_search (s, e, &how, &spec[large], NULL, &err), SD_OK, "%s", err.text);
  }
  for (unsigned side = 0; side < 2; side++)
    cr_expect (sd_layout_equal (&spec[0].side[side].layout, &spec[1].side[side].layout));
  sd_values_free (s);
}

/* Slices of two digits together, out of subdefined data and judged by themselves. r: d in the layout of ix.
 */
static void slices_of_two_digits (const sd_values *s, const sd_exact *e, const sd_indexer *ix,
                                  const sd_subdefined *d, const sd_subdefined *r) {
  const uint64_t number[] = { 3, 70, 200 }, row = r->seq.n / r->seq.radix[0] / r->seq.radix[1];
  sd_subdefined *taken, *judged;
  sd_error err = { 0 };
  cr_assert_eq (sd_subdefined_slices (d, e->indexer, ix, (sd_part){ 2, 3, number }, &taken, &err), SD_OK,
                "%s", err.text);
  cr_assert_eq (
      sd_subdefine_slices (s, e, &SD_STORED (d, d->side), ix, (sd_part){ 2, 3, number }, &judged, &err),
      SD_OK, "%s", err.text);
  cr_expect (taken->seq.ndims == 2 && taken->seq.radix[0] == 3 && taken->seq.radix[1] == r->seq.radix[2]);
  cr_expect (judged->seq.ndims == 2 && judged->seq.radix[0] == 3 && judged->seq.n == 3 * row);
  for (unsigned k = 0; k < 3; k++)
    for (uint64_t i = 0; i < row; i++) {
      const sd_symbol whole = r->seq.sym[number[k] * row + i];
      cr_assert_eq (taken->seq.sym[k * row + i], whole);
      /* numbered otherwise, but the same set */
      cr_assert_eq (sd_alphabet_choices (judged->alphabet, judged->seq.sym[k * row + i]),
                    sd_alphabet_choices (r->alphabet, whole));
      for (sd_symbol c = 0; c < sd_alphabet_main (r->alphabet); c++)
        cr_assert_eq (sd_admits (judged->alphabet, judged->seq.sym[k * row + i], c),
                      sd_admits (r->alphabet, whole, c));
    }
  sd_subdefined_free (taken);
  sd_subdefined_free (judged);
  cr_expect_eq (sd_subdefined_slices (d, e->indexer, ix, (sd_part){ 3, 3, number }, &taken, &err), SD_EINVAL);
}

Test (relayout, keeps_every_placement_and_frees_the_rest) {
  sd_values *s = endings ("KPvK", RANDOM, 9);
  const sd_exact *e = get (s, "KPvK");
  sd_error err = { 0 };
  for (unsigned freedom = 0; freedom <= SD_FREE_ALL; freedom += SD_FREE_ALL) {
    sd_subdefined *d, *r, *back;
    sd_layout l;
    sd_indexer *ix;
    cr_assert_eq (sd_subdefine (s, e, &(sd_stored){ SD_DTM, SD_CODING_SIGNED, freedom, 1, SD_SIDES_BOTH },
                                NULL, &d, &err),
                  SD_OK, "%s", err.text);
    cr_assert_eq (sd_layout_parse (&e->material, "kP!K", "z", &l, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_indexer_new (&l, &ix, &err), SD_OK);
    cr_assert_eq (sd_subdefined_relayout (d, e->indexer, ix, &r, &err), SD_OK, "%s", err.text);
    cr_assert_eq (r->seq.n, sd_indexer_size (ix));
    cr_assert_eq (r->seq.ndims, 3);
    cr_assert_eq ((uint64_t) r->seq.radix[0] * r->seq.radix[1] * r->seq.radix[2], r->seq.n);
    unsigned m = sd_alphabet_main (d->alphabet);
    cr_assert_eq (d->map[sd_alphabet_zero (d->alphabet)], 0); /* draws occur */
    cr_assert_eq (sd_alphabet_zero (r->alphabet), sd_alphabet_zero (d->alphabet));
    for (uint64_t i = 0; i < r->seq.n; i++) {
      uint8_t sq[SD_MAX_MEN];
      if (sd_index_squares (ix, i, sq))
        cr_assert_eq (r->seq.sym[i], d->seq.sym[sd_index_of (e->indexer, sq)]);
      else if (freedom)
        cr_assert_eq (sd_alphabet_choices (r->alphabet, r->seq.sym[i]), m);
      else
        cr_assert_eq (r->map[r->seq.sym[i]], 0);
    }
    cr_assert_eq (sd_subdefined_relayout (r, ix, e->indexer, &back, &err), SD_OK);
    cr_assert_eq (memcmp (back->seq.sym, d->seq.sym, d->seq.n * sizeof *d->seq.sym), 0);
    cr_expect_eq (sd_subdefined_relayout (d, ix, e->indexer, &back, &err),
                  SD_EINVAL); /* wrong layout for d */
    sd_subdefined_free (back);
    /* a sample: each piece stands somewhere in its part of the whole */
    enum { PIECES = 6, LENGTH = 5000 };
    const uint64_t part = r->seq.n / PIECES;
    cr_assert_eq (sd_subdefined_sample (d, e->indexer, ix, (sd_extent){ PIECES, LENGTH }, &back, &err), SD_OK,
                  "%s", err.text);
    cr_assert_eq (back->seq.n, (uint64_t) PIECES * LENGTH);
    for (unsigned k = 0; k < PIECES; k++) {
      uint64_t at = k * part;
      const sd_symbol *piece = back->seq.sym + k * LENGTH;
      while (at + LENGTH <= (k + 1) * part && memcmp (r->seq.sym + at, piece, LENGTH * sizeof *piece))
        at++;
      cr_expect (at + LENGTH <= (k + 1) * part, "piece %u is nowhere", k);
    }
    sd_subdefined_free (back);
    cr_expect_eq (sd_subdefined_sample (d, e->indexer, ix, (sd_extent){ PIECES, part + 1 }, &back, &err),
                  SD_EINVAL);
    /* slices: a table of bits, of some numbers of the first digit */
    const uint64_t slice = r->seq.n / r->seq.radix[0];
    const uint64_t number[] = { 0, 5, r->seq.radix[0] - 1, r->seq.radix[0] };
    cr_assert_eq (sd_subdefined_slices (d, e->indexer, ix, (sd_part){ 1, 3, number }, &back, &err), SD_OK,
                  "%s", err.text);
    cr_assert_eq (back->seq.n, 3 * slice);
    cr_expect (back->seq.ndims == 3 && back->seq.radix[0] == 3 && back->seq.radix[1] == r->seq.radix[1]
               && back->seq.radix[2] == r->seq.radix[2]);
    for (unsigned k = 0; k < 3; k++)
      cr_expect_eq (
          memcmp (back->seq.sym + k * slice, r->seq.sym + number[k] * slice, slice * sizeof *r->seq.sym), 0);
    sd_subdefined_free (back);
    cr_expect_eq (sd_subdefined_slices (d, e->indexer, ix, (sd_part){ 1, 4, number }, &back, &err),
                  SD_EINVAL);
    slices_of_two_digits (s, e, ix, d, r);
    sd_subdefined_free (r);
    sd_subdefined_free (d);
    sd_indexer_free (ix);
  }
  sd_values_free (s);
}

/* -------------------------------------------------------------------- registry */

Test (registry, codecs_are_found_by_name_and_number_and_stand_in_rising_order) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  cr_assert_geq (n, 3);
  for (size_t i = 0; i < n; i++) {
    cr_expect_eq (sd_codec_find (all[i]->name), all[i]);
    cr_expect_eq (sd_codec_by_id (all[i]->id), all[i]);
    cr_expect_str_eq (all[i]->tunables[0].key, "initial");
    if (i)
      cr_expect_gt (all[i]->id, all[i - 1]->id);
  }
  cr_expect_null (sd_codec_find ("lzm"));
  cr_expect_null (sd_codec_by_id (255));
}
