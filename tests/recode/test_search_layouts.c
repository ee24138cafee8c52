/* Layouts that a search tries: which squares slices have, leaders and orders that quick searches find, and
 * what samples say of codecs. */
#include "config.h"
#include "tests/recode/noisy.h"
#include <math.h>

Test (slices, squares_are_those_that_symmetries_map_to_each_other) {
  const sd_material m = material ("KQvKR");
  sd_layout l;
  sd_indexer *ix;
  uint64_t number[SD_SLICES];
  uint64_t all = 0, mirrored = 0, turned = 0;
  sd_layout_default (&m, &l);
  sd_search_slice (&l);
  cr_expect (l.group[0].type == SD_ROOK && l.group[0].numbering == SD_ROWS
             && l.group[l.leader].type == SD_KING);
  cr_assert_eq (sd_indexer_new (&l, &ix, NULL), SD_OK);
  sd_search_squares (ix, number);
  for (unsigned i = 0; i < SD_SLICES; i++) {
    const unsigned f = (unsigned) number[i] % 8, r = (unsigned) number[i] / 8;
    all |= 1ull << number[i];
    mirrored |= 1ull << (8 * r + 7 - f);
    turned |= 1ull << (8 * f + r);
  }
  cr_expect (__builtin_popcountll (all) == SD_SLICES && all == mirrored && all == turned);
  sd_indexer_free (ix);
}

/* All men get other numberings in one step, pawns by rows; each layout is possible and none comes twice. */
Test (slices, numberings_of_all_men_are_possible_layouts) {
  const sd_material m = material ("KRvKP");
  const sd_search what = { 0 };
  sd_candidate *c = calloc (SD_MAX_CANDIDATES, sizeof *c);
  unsigned n = 0;
  cr_assert (c);
  sd_layout_default (&m, &c[0].layout);
  n = 1;
  sd_search_vary (&what, &c[0].layout, SD_VARY_TOGETHER, c, &n);
  cr_expect (n > 4);
  for (unsigned i = 1; i < n; i++) {
    const sd_layout *l = &c[i].layout;
    cr_expect_eq (sd_layout_check (l, NULL), SD_OK);
    cr_expect_eq (l->leader, c[0].layout.leader);
    for (unsigned g = 0; g < l->ngroups; g++)
      cr_expect (l->group[g].type == c[0].layout.group[g].type
                 && (l->group[g].type != SD_PAWN || l->group[g].numbering == SD_ROWS));
    for (unsigned k = 0; k < i; k++)
      cr_expect_not (sd_layout_equal (l, &c[k].layout));
  }
  free (c);
}

/* The leader whose slices are smallest leads; nothing else of the layout is chosen. */
Test (slices, the_quick_search_finds_the_leader_of_the_smallest) {
  sd_values *s = noisy_distances ();
  const sd_exact *e = get (s, "KQvK");
  sd_error err = { 0 };
  sd_search_options how = { .fixed_codec = true, .quick = true, .large = 1, .report = &report };
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "obdd", NULL);
  cr_assert_eq (sd_table_search (s, e, &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  cr_expect (spec.sides != SD_SIDES_JOINT && report.joint == 0);
  for (unsigned side = 0; side < 2; side++) {
    const sd_layout *chosen = &spec.side[side].layout;
    sd_subdefined *data;
    uint64_t bytes[SD_MAX_GROUPS] = { 0 };
    cr_assert_eq (sd_subdefine (s, e, &SD_STORED_OF (&spec, side), NULL, &data, &err), SD_OK, "%s", err.text);
    sd_settings set = spec.side[side].settings;
    sd_search_cheapen (&set);
    const sd_search what = {
      .data = data, .from = e->indexer, .slices = true, .codec = spec.side[side].codec, .settings = &set
    };
    for (unsigned g = 0; g < chosen->ngroups; g++) {
      sd_layout l = *chosen;
      sd_search_code coded;
      sd_buf b = { 0 };
      l.leader = (uint8_t) g;
      cr_expect_eq (l.group[g].numbering, SD_FOLDED_Z);
      cr_assert_eq (sd_search_stream (&what, &l, &b, &coded, &err), SD_OK, "%s", err.text);
      bytes[g] = b.len;
      sd_buf_free (&b);
    }
    for (unsigned g = 0; g < chosen->ngroups; g++) /* the queen is on some squares only, and does not lead */
      cr_expect (chosen->group[g].type == SD_QUEEN || bytes[chosen->leader] <= bytes[g], "side %u: %u", side,
                 g);
    cr_expect_neq (chosen->group[chosen->leader].type, SD_QUEEN);
    sd_subdefined_free (data);
  }
  sd_values_free (s);
}

/* Slices have about the slots that were asked for; where two queens are the last digit, few of them are a
 * large part of the table, and are refused before anything is coded. */
Test (slices, of_a_search_within_a_budget_are_small) {
  one_side w = white ();
  sd_settings set;
  sd_search_code coded;
  sd_layout l;
  sd_error err = { 0 };
  const sd_material queens = material ("KQQvK");
  w.search.codec = sd_codec_find ("trees");
  w.search.settings = &set;
  cr_assert_eq (sd_settings_parse (w.search.codec, w.search.codec->trials.quick, &set, NULL), SD_OK);
  for (uint64_t slots = 2048; slots <= 8192; slots *= 2) {
    cr_assert_eq (sd_search_slices (&w.search, &w.c.layout, slots, &coded, &err), SD_OK, "%s", err.text);
    cr_expect (coded.n >= slots / 2 && coded.n <= 4 * slots, "%d of %d", (int) coded.n, (int) slots);
    cr_expect (coded.n < coded.all && coded.scaled > coded.bytes);
  }
  cr_assert_eq (sd_search_slices (&w.search, &w.c.layout, UINT64_MAX, &coded, &err), SD_OK, "%s", err.text);
  cr_expect_eq (coded.n, coded.all);
  cr_assert_eq (sd_layout_parse (&queens, "kKQ", "rows", &l, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_search_slices (&w.search, &l, 4096, &coded, &err), SD_ERANGE);
  free_side (&w);
}

/* Of other codecs the order is chosen, by the codec that ranks them; what the caller has said stays. */
Test (orders, the_quick_search_finds_the_smallest) {
  sd_values *s = noisy_distances ();
  const sd_exact *e = get (s, "KQvK");
  const sd_material m = material ("KQvK");
  const sd_codec *ranking = sd_search_ranking_codec ();
  sd_error err = { 0 };
  sd_search_options how = { .fixed_codec = true, .quick = true, .large = 1, .report = &report };
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "huffman", NULL);
  sd_layout plain, order[24];
  sd_layout_default (&m, &plain);
  const unsigned n = sd_layout_orders (&plain, order, 24);
  cr_assert_eq (n, 6);
  cr_assert_eq (sd_table_search (s, e, &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  cr_expect (spec.sides != SD_SIDES_JOINT && report.joint == 0);
  for (unsigned k = 0; k < 2; k++) {
    const sd_layout *chosen = &spec.side[k].layout;
    sd_subdefined *data;
    sd_settings set;
    uint64_t least = UINT64_MAX, most = 0, own = 0;
    cr_assert_eq (sd_subdefine (s, e, &SD_STORED_OF (&spec, k), NULL, &data, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_settings_parse (ranking, ranking->trials.ranking, &set, NULL), SD_OK);
    const sd_search what = { .data = data, .from = e->indexer, .codec = ranking, .settings = &set };
    for (unsigned i = 0; i < n; i++) {
      sd_search_code coded;
      sd_buf b = { 0 };
      order[i].leader = 0; /* of single men the first */
      cr_assert_eq (sd_search_stream (&what, &order[i], &b, &coded, &err), SD_OK, "%s", err.text);
      least = b.len < least ? b.len : least;
      most = b.len > most ? b.len : most;
      own = sd_layout_equal (&order[i], chosen) ? b.len : own;
      sd_buf_free (&b);
    }
    cr_expect_eq (own, least, "side %u", k);
    cr_expect_lt (least, most);
    cr_expect_str_eq (spec.side[k].codec->name, "huffman");
    sd_subdefined_free (data);
  }
  sd_values_free (s);
}

/* Bytes of the whole in a layout. */
static uint64_t whole_in (const one_side *w, const sd_layout *l) {
  sd_search_code coded;
  sd_error err = { 0 };
  cr_assert_eq (sd_search_code_one (&w->search, l, &coded, &err), SD_OK, "%s", err.text);
  return coded.bytes;
}

/* The table is smaller than the largest slices, so that they are the whole of it. */
Test (layouts, of_slow_codecs_are_those_in_which_they_are_small) {
  one_side w = white ();
  sd_settings set;
  sd_sampled_layouts found, again;
  sd_error err = { 0 };
  const sd_search_options how = { .report = &report };
  w.search.how = &how;
  w.search.codec = sd_codec_find ("trees");
  w.search.settings = &set;
  cr_assert_eq (sd_settings_parse (w.search.codec, "rounds=1", &set, NULL), SD_OK);
  cr_assert_eq (sd_search_slow_layouts (&w.search, w.search.codec, &set, INFINITY, INFINITY, &found, &err),
                SD_OK, "%s", err.text);
  cr_assert (found.n >= 2 && found.slices > 0 && !found.hopeless, "%u layouts", found.n);
  const uint64_t best = whole_in (&w, &found.layout[0].layout);
  cr_expect_leq (best, whole_in (&w, &found.layout[1].layout));

  /* Without time there are none; what takes several times the bytes that are known is hopeless. */
  cr_assert_eq (sd_search_slow_layouts (&w.search, w.search.codec, &set, 1e-3, INFINITY, &again, &err),
                SD_OK);
  cr_expect (again.n == 0 && !again.hopeless);
  cr_assert_eq (
      sd_search_slow_layouts (&w.search, w.search.codec, &set, INFINITY, (double) best / 4, &again, &err),
      SD_OK);
  cr_expect (again.n == 0 && again.hopeless);

  /* The search codes slow codecs in these, and in the layout that it has for others. */
  sd_winner won = { .bytes = UINT64_MAX };
  const sd_search_options fixed = { .fixed_codec = true, .fixed = "rounds=1", .report = &report };
  w.search.how = &fixed;
  cr_assert_eq (sd_search_codecs (&w.search, &w.c, 1, (sd_extent){ 0 }, &won, &err), SD_OK, "%s", err.text);
  cr_expect (won.bytes <= best && won.bytes <= whole_in (&w, &w.c.layout));
  free_side (&w);
}

/* All is drawn but for one slot, which few samples have: what the others take tells nothing of the whole, so
 * that only one codec is coded whole because of it. */
Test (layouts, samples_of_one_value_tell_nothing) {
  sd_values *s = endings ("KQvK", DRAWN, 1);
  sd_exact *e = (sd_exact *) get (s, "KQvK");
  sd_search_budget *budget = calloc (1, sizeof *budget);
  sd_search_options how = { .budget = budget, .report = &report };
  sd_error err = { 0 };
  unsigned constant = 0;
  cr_assert_not_null (budget);
  for (uint64_t k = 1, i = 0; k < 10; k++, i = k * e->n / 10) {
    sd_table_spec spec = spec_of ("KQvK", SD_CODING_WDL, SD_FREE_ALL, "obdd", NULL);
    sd_pos p;
    sd_value c;
    int status = SD_OK;
    while (!sd_exact_position (e, SD_WHITE, i, &p)
           || best_conversion (s, &p, SD_MOVES_CONVERSIONS, &c, &status))
      i++;
    e->value[SD_WHITE][i] = 1;
    budget->n = 0;
    budget->begin = sd_cpu_now ();
    budget->end = budget->begin + 2.4;
    cr_assert_eq (sd_table_search (s, e, &how, &spec, NULL, &err), SD_OK, "%s", err.text);
    e->value[SD_WHITE][i] = 0;
    for (unsigned t = 0; t < budget->n; t++) {
      const sd_tried *sample = &budget->tried[t];
      if (sample->how != SD_TRIED_SAMPLE || sample->side != SD_WHITE || sample->bytes > SD_CONSTANT_BYTES
          || sample->codec == sd_search_ranking_codec ())
        continue;
      constant++;
      for (unsigned w = 0; w < budget->n; w++) {
        const sd_tried *whole = &budget->tried[w];
        cr_expect (whole->how != SD_TRIED_WHOLE || whole->side != sample->side
                       || whole->codec != sample->codec,
                   "%s", whole->codec->name);
      }
    }
    for (unsigned side = 0; side < 2; side++)
      sd_buf_free (&budget->stream[side]);
  }
  cr_expect_gt (constant, 0);
  free (budget);
  sd_values_free (s);
}
