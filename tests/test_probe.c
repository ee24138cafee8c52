/* Opening paths, probing, verifying, dumping: against values that a slow and obvious solver of this file
 * finds. */
#include "config.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/gen.h"
#include "table/lookup.h"
#include "tests/count_requests.h"

/* ----------------------------------------------------------------- helpers */

static char folder[512];

static void make_folder (void) {
  const char *base = getenv ("SD_BUILDDIR");
  snprintf (folder, sizeof folder, "%s/probe-XXXXXX", base ? base : ".");
  cr_assert (mkdtemp (folder), "no folder %s", folder);
}

static void remove_folder (void) {
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d));) {
    char path[800];
    snprintf (path, sizeof path, "%s/%s", folder, e->d_name);
    unlink (path);
  }
  if (d)
    closedir (d);
  rmdir (folder);
}

static sd_material material (const char *name) {
  sd_material m;
  cr_assert (sd_material_parse (name, &m, NULL) == SD_OK);
  return m;
}

static bool position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p) {
  uint8_t sq[SD_MAX_MEN];
  if (!sd_index_squares (e->indexer, i, sq))
    return false;
  sd_pos_from_squares (&e->material, sq, side, p);
  return sd_pos_legal (p);
}

/* Forward scans: in round n the positions won or lost in n plies are found (successors must be there), until
 * nothing is decided and no conversion waits for a later round. */
static void solve (sd_exacts *s, const char *name) {
  sd_material m = material (name);
  sd_exact *e;
  cr_assert (sd_exact_new (&m, &e, NULL) == SD_OK);
  cr_assert (sd_exacts_put (s, e) == SD_OK);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      if (position (e, side, i, &p))
        e->value[side][i] = !sd_has_move (&p) && sd_in_check (&p, side) ? -1 : 0;
    }
  bool pending = true;
  for (int ply = 1; pending && ply < 300; ply++) {
    pending = false;
    for (unsigned side = 0; side < e->nsides; side++)
      for (uint64_t i = 0; i < e->n; i++) {
        sd_pos p, child;
        if (e->value[side][i] != 0 || !position (e, side, i, &p))
          continue;
        sd_move moves[SD_MAX_MOVES];
        const unsigned n = sd_moves (&p, SD_MOVES_ALL, moves);
        sd_value best = 0;
        for (unsigned k = 0; k < n; k++) {
          sd_value v;
          sd_pos_apply (&p, &moves[k], &child);
          cr_assert (sd_exacts_value (s, &child, &v) == SD_OK);
          v = sd_value_back (v);
          if (k == 0 || sd_value_compare (v, best) > 0)
            best = v;
        }
        if (n && (best == ply || best == -(ply + 1)))
          e->value[side][i] = best;
        pending |= best != 0; /* decided just now, or by a conversion that takes longer */
      }
  }
}

/* The five endings with three men, or the first of them up to `last`; by the solver above, or fast. */
static sd_exacts *three_men_by (const char *last, bool obvious) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  sd_exacts *s;
  sd_error err = { 0 };
  cr_assert (sd_exacts_new (NULL, &s, NULL) == SD_OK);
  for (unsigned i = 0; i < 5; i++) {
    sd_material m = material (names[i]);
    if (obvious)
      solve (s, names[i]);
    else
      cr_assert (sd_gen_into (s, &m, &err) == SD_OK, "%s", err.text);
    if (strcmp (names[i], last) == 0)
      break;
  }
  return s;
}

static sd_exacts *three_men (const char *last) {
  return three_men_by (last, false);
}

/* Build one table into the folder; `order` NULL: the generator's layout. */
static void build (sd_exacts *s, const char *name, enum sd_metric metric, enum sd_coding coding,
                   unsigned freedom, const char *codec, const char *set, const char *order) {
  sd_table_spec spec = {
    .material = material (name), .metric = metric, .coding = coding, .freedom = freedom
  };
  sd_error err = { 0 };
  for (unsigned side = 0; side < 2; side++) {
    spec.side[side].codec = sd_codec_find (codec);
    cr_assert (spec.side[side].codec, "codec %s", codec);
    cr_assert (sd_settings_parse (spec.side[side].codec, set, &spec.side[side].settings, &err) == SD_OK, "%s",
               err.text);
    if (order)
      cr_assert (sd_layout_parse (&spec.material, order, NULL, &spec.side[side].layout, &err) == SD_OK, "%s",
                 err.text);
    else
      sd_layout_kings_first (&spec.material, &spec.side[side].layout);
  }
  char file[32], path[600];
  sd_table_file_name (&spec.material, metric, file);
  snprintf (path, sizeof path, "%s/%s", folder, file);
  int st = sd_table_build (s, &spec, path, NULL, &err);
  cr_assert (st == SD_OK, "%s: %s", file, err.text);
}

static sd_tables *open_folder (void) {
  sd_tables *ts;
  sd_error err = { 0 };
  cr_assert (sd_tables_open (folder, SD_OPEN_CHECK, &ts, &err) == SD_OK, "%s", err.text);
  return ts;
}

/* Probe every position of the ending as it is, and with colours swapped. */
static void compare_all (const sd_tables *ts, sd_exacts *s, const char *name, bool wdl, bool dtm,
                         const char *what) {
  sd_material m = material (name);
  const sd_exact *e;
  sd_error err = { 0 };
  cr_assert (sd_exacts_get (s, &m, &e, &err) == SD_OK);
  uint64_t seen = 0, wrong = 0;
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p[2];
      if (!position (e, side, i, &p[0]))
        continue;
      sd_pos_flip (&p[0], &p[1]);
      const sd_value is = e->value[side][i];
      for (unsigned k = 0; k < 2; k++, seen++) {
        int result = 7;
        sd_value value = 7777;
        if (wdl && (sd_probe_wdl (ts, &p[k], &result, &err) != SD_OK || result != sd_value_wdl (is)))
          wrong++;
        if (dtm && (sd_probe_dtm (ts, &p[k], &value, &err) != SD_OK || value != is))
          wrong++;
        if (wrong) {
          char fen[96];
          sd_pos_to_fen (&p[k], fen, sizeof fen);
          cr_assert_fail ("%s %s: %s: result %d, value %d, is %d (%s)", what, name, fen, result, value, is,
                          err.text);
        }
      }
    }
  cr_assert (seen > 20000, "only %lu positions", (unsigned long) seen);
}

TestSuite (probe, .init = make_folder, .fini = remove_folder);

/* ------------------------------------------------------------------ values */

Test (probe, every_position_of_kqvk_and_krvk_under_all_codecs_codings_freedoms_and_layouts) {
  sd_exacts *s = three_men_by ("KRvK", true);
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
  sd_exacts_free (s);
}

Test (probe, every_position_of_kpvk_with_promotions_restored_from_smaller_tables) {
  sd_exacts *s = three_men_by ("KPvK", true);
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  for (unsigned k = 0; k < 5; k++) {
    build (s, names[k], SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, "repair", NULL, NULL);
    build (s, names[k], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL, NULL);
  }
  sd_tables *ts = open_folder ();
  compare_all (ts, s, "KPvK", true, true, "repair");
  sd_table_info in;
  sd_material m = material ("KPvK");
  sd_table_describe (sd_tables_find (ts, &m, SD_DTM), &in);
  cr_assert (in.freedom & SD_FREE_PROMOTION);
  sd_tables_close (ts);
  sd_exacts_free (s);
}

Test (probe, results_come_from_the_signs_of_a_dtm_table_where_no_wdl_table_is) {
  sd_exacts *s = three_men ("KQvK");
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "store", NULL, NULL);
  sd_tables *ts = open_folder ();
  compare_all (ts, s, "KQvK", true, true, "signs");
  sd_tables_close (ts);
  sd_exacts_free (s);
}

Test (probe, four_threads_find_what_one_finds) {
  sd_exacts *s = three_men ("KQvK");
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "repair", NULL, NULL);
  build (s, "KQvK", SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_material m = material ("KQvK");
  const sd_exact *e;
  cr_assert (sd_exacts_get (s, &m, &e, NULL) == SD_OK);
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
  sd_exacts_free (s);
}

Test (probe, a_probe_asks_for_no_memory_with_store_and_repair) {
  if (!COUNTS_REQUESTS)
    cr_skip_test ("this build has another malloc");
  sd_exacts *s = three_men ("KPvK");
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" }, *const codecs[] = {
    "store", "repair"
  };
  sd_material m = material ("KPvK");
  const sd_exact *e;
  unsigned long before = requests_so_far ();
  free (sd_alloc (1000, 1));
  cr_assert_eq (requests_so_far (), before + 1, "requests are not counted");
  cr_assert (sd_exacts_get (s, &m, &e, NULL) == SD_OK);
  for (unsigned c = 0; c < 2; c++) {
    for (unsigned k = 0; k < 5; k++) {
      build (s, names[k], SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, codecs[c], NULL,
             NULL);
      build (s, names[k], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, codecs[c], NULL, NULL);
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
    cr_expect_eq (requests_so_far (), before, "%s: %lu requests", codecs[c], requests_so_far () - before);
    cr_expect (seen > 10000 && failed == 0, "%lu of %lu probes failed", failed, seen);
    sd_tables_close (ts);
  }
  sd_exacts_free (s);
}

/* -------------------------------------------------------------- en passant */

/* Made-up values that obey what the table's freedom rests on: mates and stalemates are right, no value is
 * worse than the best capture. */
static sd_exact *made_up_kpvkp (const sd_exacts *s) {
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
    else if (sd_exacts_conversions (s, &p, SD_MOVES_CAPTURES, &best, &st) && sd_value_compare (best, v) > 0)
      v = best;
    cr_assert (st == SD_OK);
    e->value[0][i] = v;
  }
  return e;
}

Test (probe, en_passant_rights_are_worth_what_one_ply_of_search_says) {
  sd_exacts *s = three_men ("KPvK");
  cr_assert (sd_exacts_put (s, made_up_kpvkp (s)) == SD_OK);
  static const char *const promoted[] = { "KQvKP", "KRvKP", "KBvKP",
                                          "KNvKP" }; /* asked for, but not looked at */
  for (unsigned i = 0; i < 4; i++) {
    sd_material m = material (promoted[i]);
    sd_exact *blank;
    cr_assert (sd_exact_new (&m, &blank, NULL) == SD_OK && sd_exacts_put (s, blank) == SD_OK);
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
            cr_assert (sd_exacts_value (s, &child, &want) == SD_OK);
            want = sd_value_back (want);
          }
        if (want == SD_ILLEGAL)
          continue; /* the capture would open a line to the king */
        cr_assert (sd_exacts_value (s, &plain, &without) == SD_OK);
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
  sd_exacts_free (s);
}

/* A codec that says the same everywhere, so that five men cost no space. */
static int get_zero (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  cr_assert (i < d->n);
  *out = 0;
  return SD_OK;
}

Test (probe, a_stalemate_but_for_en_passant_is_worth_what_the_capture_is) {
  static const sd_codec same = { .name = "same", .get = get_zero };
  static const char *const names[2] = { "KQPvKP", "KQvKP" };
  static const sd_value values[2] = { 0, 7 };
  sd_view view[2] = { 0 };
  sd_decoder decoder[2];
  sd_indexer *ix[2];
  sd_ending ending[2] = { 0 };
  char nowhere[] = "";
  sd_tables ts = { .path = nowhere, .ending = ending, .nendings = 2 };
  for (uint32_t i = 0; i < 2; i++) {
    sd_layout l;
    view[i].material = material (names[i]);
    sd_layout_kings_first (&view[i].material, &l);
    cr_assert (sd_indexer_new (&l, &ix[i], NULL) == SD_OK);
    decoder[i] = (sd_decoder){ .codec = &same, .n = sd_indexer_size (ix[i]), .m = 1 };
    view[i].table = (const sd_table *) &view[i]; /* "there is one"; a probe does not look into it */
    view[i].metric = SD_DTM;
    view[i].coding = SD_CODING_SIGNED;
    view[i].nsides = 2;
    view[i].sides = SD_SIDES_BOTH;
    for (unsigned side = 0; side < 2; side++) {
      view[i].side[side].indexer = ix[i];
      view[i].side[side].decoder = &decoder[i];
      view[i].side[side].map = &values[i];
      view[i].side[side].slots = decoder[i].n;
      view[i].side[side].main = 1;
    }
    ending[i].view[SD_DTM] = &view[i];
    cr_assert (sd_keys_add (&ts.keys, &view[i].material, i) == SD_OK);
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

/* ----------------------------------------------------------- what is refused */

Test (probe, a_missing_sub_table_is_named_with_the_path_and_who_needs_it) {
  sd_exacts *s = three_men ("KPvK");
  build (s, "KPvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, "store", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_pos p;
  sd_error err = { 0 };
  int wdl;
  cr_assert (sd_pos_from_fen ("8/P7/8/8/8/8/8/K6k w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, NULL) == SD_ENOENT);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_ENOENT);
  char want[700];
  snprintf (want, sizeof want, "KQvK.wdl.sdt: not found in %s, needed by KPvK", folder);
  cr_expect (strcmp (err.text, want) == 0, "%s", err.text);
  sd_value v;
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) == SD_ENOENT);
  snprintf (want, sizeof want, "KPvK.dtm.sdt: not found in %s", folder);
  cr_expect (strcmp (err.text, want) == 0, "%s", err.text);
  cr_assert (sd_pos_from_fen ("8/8/8/P7/8/8/8/K6k w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_OK && wdl == 1,
             "no promotion yet: the table alone answers");
  sd_tables_close (ts);
  sd_exacts_free (s);
}

Test (probe, eight_men_and_positions_that_cannot_be_are_refused_and_two_kings_are_drawn) {
  sd_tables *ts;
  cr_assert (sd_tables_open ("", 0, &ts, NULL) == SD_OK);
  sd_pos p;
  sd_error err = { 0 };
  int wdl = 7;
  sd_value v = 7;
  cr_assert (sd_pos_from_fen ("k7/ppp5/8/8/8/8/5PPP/7K w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_EINVAL);
  cr_expect (strcmp (err.text, "the position has 8 men: tables hold at most 7") == 0, "%s", err.text);
  cr_assert (sd_pos_from_fen ("7k/8/8/8/8/8/8/K7 b - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_OK && wdl == 0);
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) == SD_OK && v == 0);
  sd_pos wrong = { .stm = SD_WHITE, .ep = SD_NO_SQUARE };
  cr_expect (sd_probe_wdl (ts, &wrong, &wdl, &err) == SD_EINVAL, "an empty board");
  sd_pos_put (&wrong, SD_WHITE, SD_KING, 0);
  sd_pos_put (&wrong, SD_BLACK, SD_KING, 1);
  sd_pos_put (&wrong, SD_WHITE, SD_QUEEN, 60);
  cr_expect (sd_probe_dtm (ts, &wrong, &v, &err) == SD_EINVAL, "adjacent kings");
  sd_tables_close (ts);
}

Test (probe, damaged_bytes_make_wrong_answers_or_an_error_but_nothing_worse) {
  sd_exacts *s = three_men ("KRvK");
  build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "repair", NULL, NULL);
  build (s, "KRvK", SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL, NULL);
  sd_material m = material ("KRvK");
  const sd_exact *e;
  cr_assert (sd_exacts_get (s, &m, &e, NULL) == SD_OK);
  sd_map map[2];
  uint8_t *copy[2];
  for (int metric = 0; metric < 2; metric++) {
    char file[32], path[600];
    sd_table_file_name (&m, metric, file);
    snprintf (path, sizeof path, "%s/%s", folder, file);
    cr_assert (sd_map_open (path, &map[metric], NULL) == SD_OK);
    copy[metric] = malloc (map[metric].len);
    cr_assert (copy[metric]);
  }
  uint64_t state = 5;
  long opened = 0, wrong = 0, refused = 0;
  for (unsigned round = 0; round < 300; round++) {
    sd_tables *ts;
    sd_table *t[2] = { NULL, NULL };
    cr_assert (sd_tables_open (NULL, 0, &ts, NULL) == SD_OK);
    for (int metric = 0; metric < 2; metric++) {
      memcpy (copy[metric], map[metric].data, map[metric].len);
      for (unsigned k = 0; k < 1 + round % 3; k++)
        copy[metric][sd_random (&state) % map[metric].len] ^= (uint8_t) (1u << (sd_random (&state) & 7));
      if (sd_table_open_memory (copy[metric], map[metric].len, "damaged", 0, &t[metric], NULL) == SD_OK
          && sd_tables_use (ts, t[metric]) == SD_OK)
        opened++;
    }
    for (unsigned i = 0; i < 500; i++) {
      const unsigned side = sd_random (&state) & 1;
      const uint64_t slot = sd_random (&state) % e->n;
      sd_pos p;
      sd_value v;
      int wdl;
      if (!position (e, side, slot, &p))
        continue;
      int st = sd_probe_wdl (ts, &p, &wdl, NULL);
      cr_assert (st == SD_EFORMAT || st == SD_ENOENT || (st == SD_OK && wdl >= -1 && wdl <= 1), "status %d",
                 st);
      st = sd_probe_dtm (ts, &p, &v, NULL);
      cr_assert (st == SD_EFORMAT || st == SD_ENOENT || (st == SD_OK && v != SD_ILLEGAL), "status %d", st);
      refused += st == SD_EFORMAT;
      wrong += st == SD_OK && v != e->value[side][slot];
    }
    sd_tables_close (ts);
    for (int metric = 0; metric < 2; metric++)
      sd_table_close (t[metric]);
  }
  cr_expect (opened > 50, "%ld", opened);
  cr_expect (wrong + refused > 0);
  for (int metric = 0; metric < 2; metric++) {
    sd_map_close (&map[metric]);
    free (copy[metric]);
  }
  sd_exacts_free (s);
}

/* ------------------------------------------------------------------- paths */

static void copy_file (const char *from, const char *to, size_t bytes) {
  char path[600];
  snprintf (path, sizeof path, "%s/%s", folder, from);
  sd_map map;
  cr_assert (sd_map_open (path, &map, NULL) == SD_OK);
  snprintf (path, sizeof path, "%s/%s", folder, to);
  FILE *f = fopen (path, "wb");
  const size_t n = bytes < map.len ? bytes : map.len;
  cr_assert (f && fwrite (map.data, 1, n, f) == n && fclose (f) == 0);
  sd_map_close (&map);
}

Test (probe, a_broken_file_disturbs_only_those_who_need_it) {
  sd_exacts *s = three_men ("KQvK");
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  copy_file ("KQvK.dtm.sdt", "KRvK.dtm.sdt", 100);      /* cut off */
  copy_file ("KQvK.dtm.sdt", "KNvK.dtm.sdt", SIZE_MAX); /* another table */
  copy_file ("KQvK.dtm.sdt", "notes.sdt", 10);          /* not the name of a table */
  sd_tables *ts = open_folder ();
  cr_expect (sd_tables_count (ts) == 3, "%u", sd_tables_count (ts));
  compare_all (ts, s, "KQvK", true, true, "beside a broken file");
  sd_pos p;
  sd_value v;
  sd_error err = { 0 };
  cr_assert (sd_pos_from_fen ("8/8/8/8/8/2k5/8/K6R w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) != SD_OK);
  cr_expect (strstr (err.text, "KRvK.dtm.sdt") != NULL, "%s", err.text);
  cr_expect (strstr (err.text, "not found") == NULL, "%s", err.text);
  cr_assert (sd_pos_from_fen ("8/8/8/8/8/2k5/8/K6N w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) == SD_EFORMAT);
  cr_expect (strstr (err.text, "holds another table, KQvK.dtm.sdt") != NULL, "%s", err.text);
  const char *last = "";
  unsigned broken = 0;
  for (unsigned i = 0; i < 3; i++) { /* in the order of names */
    const char *path;
    const sd_table *t = sd_tables_at (ts, i, &path);
    cr_expect (strcmp (last, path) < 0);
    cr_expect ((t == NULL) == (sd_tables_problem (ts, i) != NULL));
    broken += t == NULL;
    last = path;
  }
  cr_expect (broken == 2, "%u", broken);
  sd_tables_close (ts);
  sd_exacts_free (s);
}

Test (probe, earlier_folders_win_and_a_missing_folder_is_an_error) {
  sd_exacts *s = three_men ("KQvK");
  char kept[512], path[1100];
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  memcpy (kept, folder, sizeof kept);
  make_folder ();
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "lzma", NULL, NULL);
  for (unsigned first = 0; first < 2; first++) {
    sd_tables *ts;
    sd_error err = { 0 };
    snprintf (path, sizeof path, "%s::%s", first ? folder : kept, first ? kept : folder);
    cr_assert (sd_tables_open (path, 0, &ts, &err) == SD_OK, "%s", err.text);
    sd_material m = material ("KvKQ");
    const sd_table *t = sd_tables_find (ts, &m, SD_DTM);
    cr_assert (t);
    sd_table_info in;
    sd_table_describe (t, &in);
    cr_expect (strcmp (in.side[0].codec->name, first ? "lzma" : "store") == 0, "%s", in.side[0].codec->name);
    cr_expect (sd_tables_find (ts, &m, SD_WDL) == NULL);
    sd_tables_close (ts);
  }
  remove_folder ();
  sd_tables *ts;
  sd_error err = { 0 };
  cr_expect (sd_tables_open (folder, 0, &ts, &err) == SD_ENOENT);
  cr_expect (ts == NULL && strstr (err.text, folder) != NULL, "%s", err.text);
  memcpy (folder, kept, sizeof folder);
  sd_exacts_free (s);
}

/* ---------------------------------------------------------- verify and dump */

Test (probe, verify_accepts_right_tables_and_names_the_position_that_does_not_follow) {
  sd_exacts *s = three_men ("KRvK");
  sd_error err = { 0 };
  build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, "repair", NULL, NULL);
  build (s, "KRvK", SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "lzma", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_material m = material ("KRvK");
  for (int metric = 0; metric < 2; metric++)
    cr_expect (sd_table_verify (ts, sd_tables_find (ts, &m, metric), NULL, &err) == SD_OK, "%s", err.text);
  sd_tables_close (ts);

  const sd_exact *e;
  cr_assert (sd_exacts_get (s, &m, &e, NULL) == SD_OK);
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
  cr_expect (sd_table_verify (ts, sd_tables_find (ts, &m, SD_DTM), NULL, &err) == SD_EDIFF);
  cr_expect (strncmp (err.text, "KRvK.dtm.sdt: ", 14) == 0 && strstr (err.text, "mate"), "%s", err.text);
  cr_expect (sd_table_verify (ts, sd_tables_find (ts, &m, SD_WDL), NULL, &err) == SD_EDIFF);
  cr_expect (strncmp (err.text, "KRvK.wdl.sdt: ", 14) == 0 && strstr (err.text, "drawn"), "%s", err.text);
  sd_tables_close (ts);
  sd_exacts_free (s);
}

Test (probe, verify_finds_results_that_agree_with_each_other_but_not_with_the_distances) {
  /* King and bishop against king, all called won with White to move and lost with Black to move, except where
   * the board or a capture decides: each such result follows from its successors, around in cycles, and none
   * is true. */
  sd_exacts *s = three_men ("KBvK");
  sd_error err = { 0 };
  sd_material m = material ("KBvK");
  const sd_exact *e;
  cr_assert (sd_exacts_get (s, &m, &e, NULL) == SD_OK);
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
  cr_assert (sd_exacts_put (s, fake) == SD_OK);
  build (s, "KBvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_tables *ts = open_folder (), *alone;
  const sd_table *t = sd_tables_find (ts, &m, SD_WDL);
  cr_assert (sd_tables_open (NULL, 0, &alone, NULL) == SD_OK);
  cr_expect (sd_table_verify (alone, t, NULL, &err) == SD_OK, "%s", err.text);
  cr_expect (sd_table_verify (ts, t, NULL, &err) == SD_EDIFF);
  cr_expect (strstr (err.text, "the table of distances says drawn") != NULL, "%s", err.text);
  sd_tables_close (alone);
  sd_tables_close (ts);
  sd_exacts_free (s);
}

static void check_dump (sd_exacts *s, const char *name) {
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
      cr_assert (sd_exacts_value (s, &p, &want) == SD_OK);
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

Test (probe, a_dump_holds_every_placement_under_its_own_number) {
  sd_exacts *s = three_men ("KPvK");
  check_dump (s, "KQvK");
  check_dump (s, "KPvK");
  check_dump (s, "KvKP");
  sd_exacts_free (s);
}
