/* The search for the smallest table (--best): each codec takes part or says why not, the bound is kept, no
 * clock and no number of threads changes what is found. */
#include "config.h"
#include "tests/base/long_tests.h"
#include "tests/recode/noisy.h"
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Of White to move; in long tests of both, which takes three times as long. */
static unsigned sides (void) {
  return sd_long_tests () ? 2 : 1;
}

static int search (sd_values *s, double bound, sd_table_spec *spec, sd_error *err) {
  const sd_search_options how = { .max_latency = bound, .report = &report };
  memset (&report, 0x5a, sizeof report); /* nothing of it may be taken as it is */
  *spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
  spec->sides = sides () == 1 ? SD_SIDES_WHITE : SD_SIDES_BOTH;
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
    const sd_trials *of = &codec[i]->trials;
    sd_settings set;
    sd_error err = { 0 };
    cr_expect_not_null (of->settings[0], "%s: nothing to try", codec[i]->name);
    for (unsigned k = 0; k < 8 && of->settings[k]; k++)
      cr_expect_eq (sd_settings_parse (codec[i], of->settings[k], &set, &err), SD_OK, "%s", err.text);
    for (unsigned k = 0; k < 8 && of->ways[k]; k++)
      cr_expect_eq (sd_settings_parse (codec[i], of->ways[k], &set, &err), SD_OK, "%s", err.text);
    if (of->base)
      cr_expect_eq (sd_settings_parse (codec[i], of->base, &set, &err), SD_OK, "%s", err.text);
    if (of->quick)
      cr_expect_eq (sd_settings_parse (codec[i], of->quick, &set, &err), SD_OK, "%s", err.text);
    for (unsigned k = 0; of->more && of->more[k].set; k++)
      cr_expect_eq (sd_settings_parse (codec[i], of->more[k].set, &set, &err), SD_OK, "%s", err.text);
  }
}

/* The smallest is what trees make, and each codec has bytes or a reason. */
static void expect_trees (const sd_table_spec *spec, unsigned nsides) {
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  for (unsigned side = 0; side < nsides; side++) {
    const char *name = spec->side[side].codec->name;
    cr_expect (strcmp (name, "trees") == 0 || strcmp (name, "forest") == 0, "%s", name);
    const uint64_t of[2] = { row_of ("trees", side)->bytes, row_of ("forest", side)->bytes };
    /* One stream for both may be of the other one of these. */
    const uint64_t least = of[1] && (!of[0] || of[1] < of[0]) ? of[1] : of[0];
    for (size_t i = 0; i < n; i++) {
      if (codec[i]->trials.apart)
        continue;
      const sd_search_row *r = row_of (codec[i]->name, side);
      cr_expect (r->bytes ? r->bytes >= least && !r->why[0] : r->why[0] != 0, "%s: %d bytes, \"%s\"",
                 codec[i]->name, (int) r->bytes, r->why);
    }
  }
}

Test (search, without_a_bound_trees_win_distances_and_each_codec_is_accounted_for) {
  sd_values *s = noisy_distances ();
  sd_table_spec spec;
  sd_error err = { 0 };
  cr_assert_eq (search (s, 0, &spec, &err), SD_OK, "%s", err.text);
  expect_trees (&spec, sides ());
  sd_values_free (s);
}

/* Where samples are taken, what they choose is coded whole beside trees and diagrams, and rows tell of the
 * whole. */
Test (search, a_large_table_is_coded_whole_in_the_end) {
  sd_values *s = noisy_distances ();
  const sd_exact *e = get (s, "KQvK");
  const sd_search_options how = { .report = &report, .large = 1 };
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
  sd_error err = { 0 };
  cr_assert_eq (sd_table_search (s, e, &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  expect_trees (&spec, 2);
  for (unsigned side = 0; side < 2; side++) {
    sd_subdefined *data;
    sd_search_code coded;
    SD_RELEASED_BY (sd_buf_free) sd_buf b = { 0 };
    cr_assert_eq (sd_subdefine (s, e, &SD_STORED_OF (&spec, side), NULL, &data, &err), SD_OK, "%s", err.text);
    const sd_search what = {
      .data = data, .from = e->indexer, .codec = spec.side[side].codec, .settings = &spec.side[side].settings
    };
    cr_assert_eq (sd_search_stream (&what, &spec.side[side].layout, &b, &coded, &err), SD_OK, "%s", err.text);
    cr_expect_eq (b.len, row_of (spec.side[side].codec->name, side)->bytes);
    sd_subdefined_free (data);
    /* What won in samples, and slow codecs; the other quick ones not. */
    unsigned whole = 0;
    for (unsigned i = 0; i < report.n; i++)
      whole += report.row[i].side == side && report.row[i].bytes > 0 && !report.row[i].codec->trials.slow
               && !sd_search_is_diagram (report.row[i].codec);
    cr_expect_eq (whole, 1);
    cr_expect_gt (row_of ("forest", side)->bytes, 0);
  }
  for (unsigned i = 0; i < report.n; i++)
    cr_expect (!report.row[i].sample, "%s", report.row[i].codec->name);
  cr_expect_neq (strncmp (row_of ("obdd", 0)->why, "not tried", 9), 0);
  sd_values_free (s);
}

/* Of the codec that was chosen, too, and never of one above another limit: then rows tell of samples. */
Test (search, rows_of_a_large_table_say_whether_they_tell_of_samples) {
  sd_values *s = noisy_distances ();
  for (unsigned fixed = 0; fixed < 2; fixed++)
    for (uint64_t most = !fixed; most < 2; most++) {
      sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
      const sd_search_options how = { .report = &report, .large = 1, .most = most, .fixed_codec = fixed };
      sd_error err = { 0 };
      cr_assert_eq (sd_table_search (s, get (s, "KQvK"), &how, &spec, NULL, &err), SD_OK, "%s", err.text);
      for (unsigned i = 0; i < report.n; i++)
        cr_expect_eq (report.row[i].sample, most && report.row[i].bytes, "%s", report.row[i].codec->name);
      if (!fixed)
        cr_expect_eq (strncmp (row_of ("obdd", 0)->why, "not tried", 9), 0);
    }
  sd_values_free (s);
}

/* A sample of results, which are constant, stands for one of distances, which take longer to look up. Where
 * that is too long, all codecs are tried whole, of which none is quick enough; else slow ones alone. */
static void search_constant_sample (double bound, int expected) {
  sd_values *s = noisy_distances ();
  const sd_exact *e = get (s, "KQvK");
  const sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
  const sd_search_options how = { .max_latency = bound, .report = &report };
  sd_error err = { 0 };
  sd_winner w;
  sd_judge *j;
  report.n = 0;
  cr_assert_eq (sd_judge_new (s, e, &(sd_stored){ SD_WDL, 0, SD_FREE_ALL, 0, SD_SIDES_BOTH }, &j, &err),
                SD_OK);
  const sd_search what = { .exacts = s,
                           .exact = e,
                           .spec = &spec,
                           .how = &how,
                           .data = sd_judge_frame (j),
                           .judge = j,
                           .from = e->indexer,
                           .report = &report,
                           .codec = spec.side[0].codec,
                           .settings = &spec.side[0].settings };
  cr_expect_eq (sd_search_kinds (&what, &w, &err), expected, "%s", err.text);
  cr_expect_eq (w.side.codec != NULL, expected == SD_OK);
  sd_judge_free (j);
  sd_values_free (s);
}

Test (search, what_won_in_samples_has_to_keep_the_bound_whole) {
  search_constant_sample (3e-9, SD_ENOENT);
  cr_expect_gt (report.n, 5);
  for (unsigned i = 0; i < report.n; i++)
    cr_expect (report.row[i].slow && report.row[i].seconds > 3e-9 && report.row[i].bytes == 0, "%s: %s",
               report.row[i].codec->name, report.row[i].why);
}

Test (search, quick_codecs_that_lost_in_samples_are_not_tried_whole) {
  search_constant_sample (0, SD_OK);
  cr_expect_gt (row_of ("store", 0)->bytes, 1000, "the first of equal ones");
  cr_expect_str_eq (row_of ("rle", 0)->why, "2 bytes of a sample");
}

Test (search, bytes_of_samples_are_told_but_do_not_compete_with_those_of_a_whole_table) {
  const sd_search one = { .report = &report, .side = 1 };
  report = (sd_search_report){ .n = 3 };
  for (unsigned i = 0; i < report.n; i++)
    report.row[i] = (sd_search_row){ .codec = sd_codec_find ("rle"), .side = i, .bytes = 700 + i };
  report.row[2].side = 1;
  report.row[2].bytes = 0;
  sd_search_were_samples (&one);
  cr_expect (report.row[0].bytes == 700 && !report.row[0].why[0]);
  cr_expect (report.row[1].bytes == 0 && strstr (report.row[1].why, "701"), "%s", report.row[1].why);
  cr_expect (report.row[2].bytes == 0 && !report.row[2].why[0]);
}

static void expect_no_forests (const sd_table_spec *spec) {
  for (unsigned side = 0; side < sides (); side++) {
    const sd_search_row *r = row_of (spec->side[side].codec->name, side);
    cr_expect_str_neq (spec->side[side].codec->name, "forest");
    cr_expect (r->bytes > 0 && r->seconds <= 2e-6);
    cr_expect_eq (row_of ("forest", side)->bytes, 0);
    cr_expect_not_null (strstr (row_of ("forest", side)->why, "too slow"));
    cr_expect_gt (row_of ("forest", side)->seconds, 2e-6);
    cr_expect_eq (row_of ("forest", side)->predicted, 0, "no forest is grown for nothing");
  }
}

/* With any number of threads. */
Test (search, the_bound_leaves_out_what_is_slow_and_says_so) {
  sd_values *s = noisy_distances ();
  sd_table_spec spec[3], none;
  sd_error err = { 0 };
  for (int k = 0; k < (sd_long_tests () ? 3 : 2); k++) {
#ifdef _OPENMP
    omp_set_num_threads (k == 1 ? 1 : 2);
#endif
    cr_assert_eq (search (s, 2e-6, &spec[k], &err), SD_OK, "%s", err.text);
    expect_no_forests (&spec[k]);
    cr_expect_eq (spec[k].sides, spec[0].sides);
    for (unsigned side = 0; side < sides (); side++) {
      char text[2][400];
      cr_expect_eq (spec[k].side[side].codec, spec[0].side[side].codec);
      cr_expect (sd_layout_equal (&spec[k].side[side].layout, &spec[0].side[side].layout));
      sd_settings_text (&spec[0].side[side].settings, text[0], sizeof text[0]);
      sd_settings_text (&spec[k].side[side].settings, text[1], sizeof text[1]);
      cr_expect_str_eq (text[1], text[0]);
    }
  }
  cr_expect_eq (search (s, 1e-12, &none, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "latency bound"), "%s", err.text);
  cr_expect_not_null (strstr (err.text, "forest"), "%s", err.text);
  cr_expect_null (strstr (err.text, "failed"), "%s", err.text);
  sd_values_free (s);
}

/* One that cannot be coded stands behind all others. */
Test (search, a_layout_that_cannot_be_coded_does_not_end_it) {
  sd_values *s = noisy_distances ();
  const sd_exact *e = get (s, "KQvK");
  sd_error err = { 0 };
  sd_subdefined *d;
  sd_settings set;
  const sd_codec *codec = sd_codec_find ("store");
  cr_assert_eq (sd_subdefine (s, e, &(sd_stored){ SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, 0, SD_SIDES_BOTH },
                              NULL, &d, &err),
                SD_OK);
  cr_assert_eq (sd_settings_parse (codec, NULL, &set, &err), SD_OK);
  const sd_search_options how = { .report = &report };
  const sd_search what = { .how = &how, .from = e->indexer, .data = d, .codec = codec, .settings = &set };
  sd_candidate c[2] = { { .bytes = 0 }, { .bytes = 0 } };
  sd_layout_kings_first (&e->material, &c[0].layout);
  c[1].layout = c[0].layout;
  c[0].layout.ngroups = 200; /* no layout */
  cr_expect_eq (sd_search_rank (&what, c, 2, "", &err), SD_OK, "%s", err.text);
  cr_expect (c[0].bytes > 0 && c[0].bytes < UINT64_MAX && c[1].bytes == UINT64_MAX);
  c[1].bytes = 0;
  cr_expect_neq (sd_search_rank (&what, c + 1, 1, "", &err), SD_OK, "all fail");
  sd_subdefined_free (d);
  sd_values_free (s);
}

/* The model tells time by the stream alone: longer blocks take longer. */
Test (search, the_model_knows_that_longer_blocks_take_longer) {
  uint64_t rng = 2;
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (5, &a), SD_OK);
  sd_seq seq = { .alphabet = a, .n = 100000, .sym = sd_alloc (100000, sizeof *seq.sym) };
  for (uint64_t i = 0; i < seq.n; i++)
    seq.sym[i] = (sd_symbol) (sd_random (&rng) % 5);
  static const char *const codecs[] = { "lzma", "rle", "forest", "huffman" };
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
      seconds[k] = sd_lookup_seconds (d, seq.n);
      sd_codec_close (d);
      sd_buf_free (&b);
    }
    cr_expect (0 < seconds[0] && 4 * seconds[0] < seconds[1], "%s: %g s, %g s", codecs[c], seconds[0],
               seconds[1]);
  }
  free (seq.sym);
  sd_alphabet_free (a);
}

/* --------------------------------------------------- one stream for both sides */

/* RE-PAIR shares its phrases, with any number of threads; forests are about as large in two streams, and the
 * smaller form is taken. */
Test (search, one_stream_for_both_is_taken_where_it_is_smaller) {
  static const char *const codecs[] = { "repair", "repair", "forest" };
  sd_values *s = distances (true);
  uint64_t joint[3];
  for (unsigned k = 0; k < 3; k++) {
#ifdef _OPENMP
    omp_set_num_threads (k == 1 ? 1 : 2);
#endif
    sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, codecs[k], NULL);
    const sd_search_options how = { .fixed_codec = true, .report = &report };
    sd_error err = { 0 };
    cr_assert_eq (sd_table_search (s, get (s, "KQvK"), &how, &spec, NULL, &err), SD_OK, "%s", err.text);
    cr_expect_eq (report.apart, row_of (codecs[k], 0)->bytes + row_of (codecs[k], 1)->bytes);
    cr_expect_eq (spec.sides == SD_SIDES_JOINT, report.joint <= report.apart, "%s", codecs[k]);
    cr_expect (report.joint > 0 && (k == 2 || report.joint < report.apart)
                   && (double) report.joint < 1.05 * (double) report.apart,
               "%s: %d, %d", codecs[k], (int) report.joint, (int) report.apart);
    cr_expect_eq (row_of (codecs[k], 2)->bytes, report.joint);
    joint[k] = report.joint;
  }
  cr_expect_eq (joint[1], joint[0]);
  sd_values_free (s);
}

/* A lookup in one stream passes a bit more of the slot's number: a bound between the two leaves it out. */
Test (search, one_stream_for_both_keeps_the_bound) {
  sd_values *s = distances (true);
  sd_error err = { 0 };
  double bound = 0;
  for (unsigned k = 0; k < 2; k++) {
    sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
    const sd_search_options how = { .fixed_codec = true, .max_latency = bound, .report = &report };
    cr_assert_eq (sd_table_search (s, get (s, "KQvK"), &how, &spec, NULL, &err), SD_OK, "%s", err.text);
    const double two = fmax (row_of ("repair", 0)->seconds, row_of ("repair", 1)->seconds);
    if (k == 0) {
      cr_assert_eq (spec.sides, SD_SIDES_JOINT);
      cr_assert_lt (two, row_of ("repair", 2)->seconds);
      bound = (two + row_of ("repair", 2)->seconds) / 2;
      continue;
    }
    cr_expect_eq (spec.sides, 0);
    cr_expect (report.apart > 0 && report.joint == 0);
    cr_expect (two <= bound && row_of ("repair", 2)->slow);
    cr_expect_not_null (strstr (report.why, "longer than the bound"), "%s", report.why);
  }
  sd_values_free (s);
}

Test (search, the_report_says_why_there_is_no_stream_for_both) {
  sd_values *s = noisy_distances ();
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_MOVES, SD_FREE_ALL, "lzma", NULL);
  sd_error err = { 0 };
  sd_search_options how = { .fixed_codec = true, .report = &report, .large = 1 };
  cr_assert_eq (sd_table_search (s, get (s, "KQvK"), &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  cr_expect (report.apart > 0 && report.joint == 0);
  cr_expect_not_null (strstr (report.why, "size"), "%s", report.why);
  spec.sides = SD_SIDES_WHITE;
  cr_assert_eq (sd_table_search (s, get (s, "KQvK"), &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  cr_expect (report.apart == 0 && report.joint == 0 && !report.why[0]);
  sd_values_free (s);
  s = endings ("KQvK", RANDOM, 3); /* nothing in common */
  spec = spec_of ("KQvK", SD_CODING_SIGNED, 0, "lzma", NULL);
  how.large = 0;
  cr_assert_eq (sd_table_search (s, get (s, "KQvK"), &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  cr_expect (report.apart > 0);
  cr_expect (report.joint ? report.joint > report.apart : strstr (report.why, "predicted") != NULL, "%d: %s",
             (int) report.joint, report.why);
  cr_expect_eq (spec.sides, 0);
  sd_values_free (s);
}

/* ------------------------------------------------------------ whether checks are free */

/* Bytes of the side as the search coded what won, with this freedom. */
static uint64_t bytes_with (const sd_values *s, const sd_exact *e, const sd_table_spec *of, unsigned side,
                            unsigned freedom) {
  sd_subdefined *data;
  sd_error err = { 0 };
  sd_search_code coded;
  sd_buf b = { 0 };
  sd_table_spec spec = *of;
  spec.freedom = freedom;
  cr_assert_eq (sd_subdefine (s, e, &SD_STORED_OF (&spec, side), NULL, &data, &err), SD_OK, "%s", err.text);
  const sd_search what = {
    .data = data, .from = e->indexer, .codec = spec.side[side].codec, .settings = &spec.side[side].settings
  };
  cr_assert_eq (sd_search_stream (&what, &spec.side[side].layout, &b, &coded, &err), SD_OK, "%s", err.text);
  const uint64_t bytes = b.len;
  sd_buf_free (&b);
  sd_subdefined_free (data);
  return bytes;
}

/* KBvKP: with White to move the table is smaller without, with Black to move with free checks. */
Test (search, checks_are_free_where_that_takes_fewer_bytes, .timeout = 300) {
  const unsigned all = SD_FREE_ALL, free = SD_FREE_ALL | SD_FREE_CHECK;
  const sd_search_options how = {
    .fixed_codec = true, .quick = true, .large = 1 << 20, .checks = true, .report = &report
  };
  sd_table_spec spec = spec_of ("KBvKP", SD_CODING_WDL, free, "obdd", NULL);
  const char *base = getenv ("SD_BUILDDIR");
  char path[600];
  sd_values *s;
  sd_error err = { 0 };
  snprintf (path, sizeof path, "%s/tests/tables", base ? base : ".");
  cr_assert_eq (sd_values_new (path, SD_DTM, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_need (s, &spec.material, &err), SD_OK, "%s", err.text);
  const sd_exact *e = get (s, "KBvKP");
  cr_assert_eq (sd_table_search (s, e, &how, &spec, NULL, &err), SD_OK, "%s", err.text);
  cr_expect_eq (spec.freedom, all | SD_FREE_CHECK_BLACK, "%x", spec.freedom);
  for (unsigned side = 0; side < 2; side++)
    cr_expect_eq (bytes_with (s, e, &spec, side, free) < bytes_with (s, e, &spec, side, all),
                  side == SD_BLACK);
  sd_values_free (s);
}

/* ------------------------------------------------------------ codecs by themselves */

static void count_settings (void *ctx, const char *what, uint64_t done, uint64_t total) {
  (void) done;
  if (strncmp (what, "settings", 8) == 0 && total > 1)
    ++*(unsigned *) ctx;
}

/* Other settings gain a fourth at the most: no use where another codec has a tenth of the bytes. */
Test (search, settings_are_not_tried_with_what_is_far_behind_the_best_known) {
  one_side w = white ();
  const sd_codec *codec = sd_codec_find ("lzma");
  const sd_search_options how = { .report = &report };
  sd_settings set;
  uint64_t bytes = 0;
  cr_assert_eq (sd_settings_parse (codec, NULL, &set, NULL), SD_OK);
  for (unsigned k = 0; k < 3; k++) { /* nothing known; a tenth, by the same side's codecs; by two streams */
    unsigned count = 0;
    const sd_progress progress = { .report = count_settings, .ctx = &count };
    sd_winner best = { .side.codec = codec, .bytes = k == 1 ? bytes / 10 : UINT64_MAX };
    w.search.best = k == 2 ? bytes / 10 : 0;
    w.search.how = &how;
    w.search.progress = &progress;
    w.search.codec = codec;
    w.search.settings = &set;
    cr_assert_eq (sd_search_codecs (&w.search, &w.c, 1, (sd_extent){ 0 }, &best, NULL), SD_OK);
    if (k == 0)
      bytes = best.bytes;
    cr_expect (k ? count == 0 : count > 0, "%u settings, case %u", count, k);
  }
  free_side (&w);
}

/* The blocks of a sample are those of the table, but a slot has a longer number there. */
Test (search, a_sample_tells_the_time_of_a_lookup_in_the_whole_table) {
  one_side w = white ();
  sd_search_code part, all;
  sd_settings set;
  w.search.codec = sd_codec_find ("store");
  cr_assert_eq (sd_settings_parse (w.search.codec, NULL, &set, NULL), SD_OK);
  w.search.settings = &set;
  cr_assert_eq (sd_search_code_one (&w.search, &w.c.layout, &all, NULL), SD_OK);
  w.search.extent = (sd_extent){ 8, 100 };
  cr_assert_eq (sd_search_code_one (&w.search, &w.c.layout, &part, NULL), SD_OK);
  cr_expect (part.n == 800 && part.all == all.n && part.bytes < all.bytes);
  cr_expect_eq (part.seconds, all.seconds);
  free_side (&w);
}

/* Slow codecs are the last of a large table: what they have to better is known. */
Test (search, slow_codecs_are_not_coded_where_a_smaller_table_is_known) {
  static const struct {
    uint64_t best;
    const char *why;
  } cases[] = { { 100, SD_WHY_FEW_BYTES }, { 1500, SD_WHY_HOPELESS }, { 3000, "predicted to be too large" } };
  one_side w = white ();
  const sd_search_options how = { .report = &report };
  w.search.how = &how;
  w.search.only_slow = true;
  for (unsigned k = 0; k < 3; k++) {
    sd_winner best = { .side.codec = sd_codec_find ("repair"), .bytes = cases[k].best };
    w.search.best = best.bytes;
    report.n = 0;
    cr_assert_eq (sd_search_codecs (&w.search, &w.c, 1, (sd_extent){ 0 }, &best, NULL), SD_OK);
    cr_expect_eq (best.bytes, cases[k].best);
    cr_expect_eq (report.n, 2);
    for (unsigned i = 0; i < report.n; i++)
      cr_expect (report.row[i].codec->trials.slow && report.row[i].bytes == 0
                     && strcmp (report.row[i].why, cases[k].why) == 0,
                 "%d: %s: %s", (int) cases[k].best, report.row[i].codec->name, report.row[i].why);
  }
  free_side (&w);
}

/* The codec that is predicted to be smallest turns out to be too slow: then the next one is coded after all.
 */
Test (search, what_seemed_too_large_is_coded_where_nothing_else_keeps_the_bound) {
  one_side w = white ();
  sd_search_options how = { .max_latency = 1e-12, .report = &report };
  sd_winner best = { .bytes = UINT64_MAX };
  sd_extent all = { 0 };
  w.search.how = &how;
  cr_assert_eq (sd_search_codecs (&w.search, &w.c, 1, all, &best, NULL), SD_OK);
  cr_assert_eq (best.bytes, UINT64_MAX);
  /* A sample might be wrong by more than that. */
  how.max_latency = sd_lookup_least (sd_codec_find ("repair"), sd_indexer_size (w.search.from)) / 1.05;
  report.n = 0;
  cr_assert_eq (sd_search_codecs (&w.search, &w.c, 1, all, &best, NULL), SD_OK);
  cr_assert_lt (best.bytes, UINT64_MAX);
  cr_expect_str_eq (best.side.codec->name, "store");
  cr_expect (row_of ("repair", 0)->slow && row_of ("repair", 0)->predicted > 0);
  free_side (&w);
}

Test (search, nothing_is_explained_by_what_excluded_each_codec) {
  one_side w = white ();
  const sd_search_options bound = { .max_latency = 5e-9, .report = &report },
                          one = { .fixed_codec = true, .max_latency = 5e-9, .report = &report };
  sd_error err = { 0 };
  w.search.how = &bound;
  sd_search_why (&w.search, sd_codec_find ("trees"), "failed: out of memory");
  cr_expect_eq (sd_search_nothing (&w.search, &err), SD_ENOENT);
  cr_expect_null (strstr (err.text, "bound"), "nothing was too slow: %s", err.text);
  cr_expect_not_null (strstr (err.text, "trees: failed: out of memory"), "%s", err.text);
  sd_search_row_of (&w.search, sd_codec_find ("lzma"))->seconds = 3e-7;
  sd_search_too_slow (&w.search, sd_codec_find ("lzma"));
  sd_search_row_of (&w.search, sd_codec_find ("store"))->seconds = 7e-9;
  sd_search_too_slow (&w.search, sd_codec_find ("store"));
  cr_expect_eq (sd_search_nothing (&w.search, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "7 ns at the least (lzma, store), above the latency bound of 5 ns"),
                      "%s", err.text);
  cr_expect_not_null (strstr (err.text, "trees: failed: out of memory"), "%s", err.text);
  unsigned missing = 0;
  for (unsigned id = 0; id < 256; id++) {
    const char *name = sd_codec_missing (id);
    missing += name != NULL;
    cr_expect (!name || strstr (err.text, name), "%s: %s", name ? name : "", err.text);
  }
  cr_expect_eq (strstr (err.text, "not in this build") != NULL, missing > 0, "%s", err.text);
  w.search.how = &one;
  sd_search_nothing (&w.search, &err);
  cr_expect_null (strstr (err.text, "not in this build"), "another codec was not asked for: %s", err.text);
  free_side (&w);
}
