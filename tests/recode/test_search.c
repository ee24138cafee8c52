/* The search for the smallest table (--best): each codec takes part or says why not, the bound is kept, no
 * clock and no number of threads changes what is found. */
#include "config.h"
#include "tests/table/made_up.h"
#include "recode/search_internal.h"
#ifdef _OPENMP
#include <omp.h>
#endif

/* KQvK as no game has it: distances that follow the squares but for a little noise, which decision trees see
 * through, and in which no two parts are alike. */
static sd_exacts *noisy_distances (void) {
  sd_exacts *s = endings ("KQvK", DRAWN, 1);
  sd_exact *e = (sd_exact *) get (s, "KQvK");
  uint64_t rng = 5;
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      sd_value c;
      int status = SD_OK, sum = 0;
      if (!sd_exact_position (e, side, i, &p))
        continue;
      if (best_conversion (s, &p, SD_MOVES_CONVERSIONS, &c, &status))
        continue; /* takes the queen: drawn */
      for (uint64_t men = p.occ[0] | p.occ[1]; men; men &= men - 1) {
        const int square = __builtin_ctzll (men);
        sum += (square & 7) + (square >> 3);
      }
      sum += (int) (sd_random (&rng) % 3);
      e->value[side][i] = (sd_value) (side == SD_WHITE ? 1 + 2 * sum : -(1 + 2 * sum));
    }
  return s;
}

static sd_search_report report;

static int search (sd_exacts *s, double bound, sd_table_spec *spec, sd_error *err) {
  const sd_search_options how = { .max_latency = bound, .report = &report };
  *spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
  return sd_table_search (s, get (s, "KQvK"), &how, spec, NULL, err);
}

static const sd_search_row *row_of (const char *codec, unsigned side) {
  for (unsigned i = 0; i < report.n; i++)
    if (strcmp (report.row[i].codec->name, codec) == 0 && report.row[i].side == side)
      return &report.row[i];
  cr_assert_fail ("%s is not in the report of side %u", codec, side);
  return NULL;
}

Test (search, every_codec_has_trials_that_it_understands) {
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  for (size_t i = 0; i < n; i++) {
    const sd_trials *of = sd_codec_trials (codec[i]);
    sd_settings set;
    sd_error err = { 0 };
    cr_assert_not_null (of, "%s has no row in recode/trials.c", codec[i]->name);
    cr_expect_not_null (of->settings[0], "%s: nothing to try", codec[i]->name);
    for (unsigned k = 0; k < 8 && of->settings[k]; k++)
      cr_expect_eq (sd_settings_parse (codec[i], of->settings[k], &set, &err), SD_OK, "%s", err.text);
    for (unsigned k = 0; k < 8 && of->ways[k]; k++)
      cr_expect_eq (sd_settings_parse (codec[i], of->ways[k], &set, &err), SD_OK, "%s", err.text);
    if (of->base)
      cr_expect_eq (sd_settings_parse (codec[i], of->base, &set, &err), SD_OK, "%s", err.text);
  }
}

Test (search, without_a_bound_trees_win_distances_and_each_codec_is_accounted_for) {
  sd_exacts *s = noisy_distances ();
  sd_table_spec spec;
  sd_error err = { 0 };
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  cr_assert_eq (search (s, 0, &spec, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < 2; side++) {
    cr_expect_str_eq (spec.side[side].codec->name, "trees");
    const uint64_t least = row_of ("trees", side)->bytes;
    for (size_t i = 0; i < n; i++) {
      const sd_search_row *r = row_of (codec[i]->name, side);
      cr_expect (r->bytes ? r->bytes >= least && !r->why[0] : r->why[0] != 0, "%s: %d bytes, \"%s\"",
                 codec[i]->name, (int) r->bytes, r->why);
    }
  }
  sd_exacts_free (s);
}

Test (search, the_bound_leaves_out_what_is_slow_and_says_so) {
  sd_exacts *s = noisy_distances ();
  sd_table_spec spec;
  sd_error err = { 0 };
  cr_assert_eq (search (s, 2e-6, &spec, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < 2; side++) {
    const sd_search_row *r = row_of (spec.side[side].codec->name, side);
    cr_expect_str_neq (spec.side[side].codec->name, "trees");
    cr_expect (r->bytes > 0 && r->seconds <= 2e-6);
    cr_expect_eq (row_of ("trees", side)->bytes, 0);
    cr_expect_not_null (strstr (row_of ("trees", side)->why, "too slow"));
    cr_expect_gt (row_of ("trees", side)->seconds, 2e-6);
  }
  cr_expect_eq (search (s, 1e-12, &spec, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "latency bound"), "%s", err.text);
  sd_exacts_free (s);
}

Test (search, finds_the_same_each_time_and_with_any_number_of_threads) {
  sd_exacts *s = noisy_distances ();
  sd_table_spec spec[3];
  for (int k = 0; k < 3; k++) {
    sd_error err = { 0 };
#ifdef _OPENMP
    omp_set_num_threads (k == 1 ? 1 : 2);
#endif
    cr_assert_eq (search (s, 2e-6, &spec[k], &err), SD_OK, "%s", err.text);
    cr_expect_eq (spec[k].sides, spec[0].sides);
    for (unsigned side = 0; side < 2; side++) {
      char text[2][400];
      cr_expect_eq (spec[k].side[side].codec, spec[0].side[side].codec);
      cr_expect (sd_layout_equal (&spec[k].side[side].layout, &spec[0].side[side].layout));
      sd_settings_text (&spec[0].side[side].settings, text[0], sizeof text[0]);
      sd_settings_text (&spec[k].side[side].settings, text[1], sizeof text[1]);
      cr_expect_str_eq (text[1], text[0]);
    }
  }
  sd_exacts_free (s);
}

/* One that cannot be coded stands behind all others. */
Test (search, a_layout_that_cannot_be_coded_does_not_end_it) {
  sd_exacts *s = noisy_distances ();
  const sd_exact *e = get (s, "KQvK");
  sd_error err = { 0 };
  sd_subdefined *d;
  sd_settings set;
  const sd_codec *codec = sd_codec_find ("store");
  cr_assert_eq (sd_subdefine (s, e, 0, SD_CODING_MOVES, SD_FREE_ALL, NULL, &d, &err), SD_OK);
  cr_assert_eq (sd_settings_parse (codec, NULL, &set, &err), SD_OK);
  const sd_search what = { .from = e->indexer, .data = d, .codec = codec, .settings = &set };
  sd_candidate c[2] = { { .bytes = 0 }, { .bytes = 0 } };
  sd_layout_kings_first (&e->material, &c[0].layout);
  c[1].layout = c[0].layout;
  c[0].layout.ngroups = 200; /* no layout */
  cr_expect_eq (sd_search_rank (&what, c, 2, "", NULL, &err), SD_OK, "%s", err.text);
  cr_expect (c[0].bytes > 0 && c[0].bytes < UINT64_MAX && c[1].bytes == UINT64_MAX);
  c[1].bytes = 0;
  cr_expect_neq (sd_search_rank (&what, c + 1, 1, "", NULL, &err), SD_OK, "all fail");
  sd_subdefined_free (d);
  sd_exacts_free (s);
}

/* The model tells time by the stream alone: longer blocks take longer. */
Test (search, the_model_knows_that_longer_blocks_take_longer) {
  uint64_t rng = 2;
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (5, &a), SD_OK);
  sd_seq seq = { .alphabet = a, .n = 100000, .sym = sd_alloc (100000, sizeof *seq.sym) };
  for (uint64_t i = 0; i < seq.n; i++)
    seq.sym[i] = (sd_symbol) (sd_random (&rng) % 5);
  static const char *const codecs[] = { "lzma", "rle", "trees", "huffman" };
  for (unsigned c = 0; c < 4; c++) {
    double seconds[2];
    for (unsigned k = 0; k < 2; k++) {
      const sd_codec *codec = sd_codec_find (codecs[c]);
      sd_settings set;
      sd_buf b = { 0 };
      sd_decoder *d;
      cr_assert_eq (sd_settings_parse (codec, k ? "block=8192" : "block=128", &set, NULL), SD_OK);
      cr_assert_eq (sd_codec_encode (codec, &seq, &set, NULL, &b, NULL), SD_OK);
      cr_assert_eq (sd_codec_open (codec, b.data, b.len, seq.n, 5, &d, NULL), SD_OK);
      seconds[k] = sd_lookup_seconds (d);
      sd_codec_close (d);
      sd_buf_free (&b);
    }
    cr_expect (0 < seconds[0] && 4 * seconds[0] < seconds[1], "%s: %g s, %g s", codecs[c], seconds[0],
               seconds[1]);
  }
  free (seq.sym);
  sd_alphabet_free (a);
}
