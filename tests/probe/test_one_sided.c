/* Tables that leave positions to one ply of all moves: one side to move stored (Zakharov 2015, 1.4), losses
 * only. Everything that reads tables is held to the exact values: the builder, the prober, the loader, the
 * generator's cache, verifying. Exact values come from the generated tables; what no ending with 4 men has
 * (pawns on both sides and unequal material, hence en passant on the side that is restored) is tested with
 * hashes in place of tables. */
#include "config.h"

#include <sys/stat.h>

#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"
#include "recode/verify/whole_internal.h"
#include "tests/base/long_tests.h"
#include "tests/table/made_up.h"

/* Made anew for each kind of tables. */
static void empty_folder (void) {
  remove_folder ();
  cr_assert_eq (mkdir (folder, 0777), 0);
}

TestSuite (one_sided, .init = make_folder, .fini = remove_folder);

/* Building reads back and compares every position anyway. What other readers make of the tables is tried with
 * all of them only where time does not matter: probing with a part of the positions, verifying and loading by
 * turns. */
static bool turn_of (size_t kind, unsigned ending, unsigned of) {
  return sd_long_tests () || (kind + ending) % of == 0;
}

/* ------------------------------------------------------------------ helpers */

static void need_below (sd_values *s, const sd_material *m) {
  sd_material next[64];
  const sd_exact *e;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_whole (s, m, &e, &err), SD_OK, "%s", err.text);
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    if (!sd_values_find (s, &next[i]))
      need_below (s, &next[i]);
}

/* The generated tables of `name` and all endings below it. */
static sd_values *generated (const char *name) {
  const char *base = getenv ("SD_BUILDDIR");
  char path[600];
  sd_values *s;
  const sd_material m = material (name);
  snprintf (path, sizeof path, "%s/tests/tables", base ? base : ".");
  cr_assert_eq (sd_values_new (path, SD_DTM, &s, NULL), SD_OK);
  need_below (s, &m);
  return s;
}

typedef struct sort {
  enum sd_coding coding; /* of distances; SD_CODING_WDL: none */
  unsigned freedom, wdl_sides, dtm_sides;
  const char *codec;
} sort;

static int build_one (const sd_values *s, const char *name, enum sd_metric metric, const sort *k,
                      sd_error *err) {
  const bool wdl = metric == SD_WDL;
  sd_table_spec spec = spec_of (name, wdl ? SD_CODING_WDL : k->coding,
                                wdl ? k->freedom & ~(unsigned) SD_FREE_WIN : k->freedom, k->codec, NULL);
  char file[32], path[600];
  spec.sides = wdl ? k->wdl_sides : k->dtm_sides;
  sd_table_file_name (&spec.material, metric, file);
  snprintf (path, sizeof path, "%s/%s", folder, file);
  return sd_table_build (s, &spec, path, NULL, err);
}

/* `name` and all below it; k2 (may be NULL): the kind of those below. */
static void build_below (const sd_values *s, const sd_material *m, const sort *k, const sort *below) {
  sd_material next[64];
  char name[16];
  sd_error err = { 0 };
  sd_material_name (m, name);
  if (k->wdl_sides)
    cr_assert_eq (build_one (s, name, SD_WDL, k, &err), SD_OK, "%s", err.text);
  if (k->dtm_sides)
    cr_assert_eq (build_one (s, name, SD_DTM, k, &err), SD_OK, "%s", err.text);
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++) {
    char file[32], path[600];
    sd_table_file_name (&next[i], below->wdl_sides ? SD_WDL : SD_DTM, file);
    snprintf (path, sizeof path, "%s/%s", folder, file);
    if (!sd_file_exists (path))
      build_below (s, &next[i], below, below);
  }
}

static void build_all (const sd_values *s, const char *name, const sort *k, const sort *below) {
  const sd_material m = material (name);
  build_below (s, &m, k, below ? below : k);
}

static sd_tables *open_folder (void) {
  sd_tables *ts;
  sd_error err = { 0 };
  cr_assert_eq (sd_tables_open (folder, SD_OPEN_CHECK, &ts, &err), SD_OK, "%s", err.text);
  return ts;
}

/* Value of p by one ply over the exact values, en-passant right of p honoured: what tables must say. */
static sd_value oracle (const sd_values *s, const sd_pos *p) {
  sd_value v;
  cr_assert_eq (sd_values_of (s, p, &v), SD_OK);
  return v;
}

/* Every step-th position of the ending, as it is or with colours swapped, and with every en-passant right
 * that it can have. */
static void probe_all (const sd_values *s, const char *name, bool wdl, bool dtm, uint64_t step) {
  sd_tables *ts = open_folder ();
  const sd_material m = material (name);
  const sd_exact *e = sd_values_find (s, &m);
  uint64_t seen = 0, rights = 0;
  for (unsigned side = 0; side < e->nsides; side++)
#pragma omp parallel for schedule(dynamic, 1024) num_threads(2) reduction(+ : seen, rights)
    for (uint64_t i = side; i < e->n; i += step) {
      sd_pos p[2];
      if (!sd_exact_position (e, side, i, &p[0]))
        continue;
      uint64_t squares = sd_ep_squares (&p[0]);
      for (bool more = true; more;) {
        more = squares != 0;
        p[0].ep = more ? (uint8_t) sd_lowest (squares) : SD_NO_SQUARE;
        squares &= squares - 1;
        sd_pos_flip (&p[0], &p[1]);
        const sd_value is = oracle (s, &p[0]);
        for (unsigned k = i & 1; k < 1 + (i & 1); k++) { /* every other one with colours swapped */
          int result = 7;
          sd_value value = 7777;
          sd_error err = { 0 };
          seen++;
          rights += more;
          if ((wdl && (sd_probe_wdl (ts, &p[k], &result, &err) != SD_OK || result != sd_value_wdl (is)))
              || (dtm && (sd_probe_dtm (ts, &p[k], &value, &err) != SD_OK || value != is))) {
            char fen[96];
            sd_pos_to_fen (&p[k], fen, sizeof fen);
            cr_assert_fail ("%s: %s: result %d, value %d, is %d (%s)", name, fen, result, value, is,
                            err.text);
          }
        }
      }
    }
  cr_assert (seen > 5000, "only %lu positions", (unsigned long) seen);
  if (strcmp (name, "KPvKP") == 0)
    cr_assert (rights > 100, "only %lu rights", (unsigned long) rights);
  sd_tables_close (ts);
}

static void verify (const char *name, enum sd_metric metric) {
  sd_tables *ts = open_folder ();
  sd_error err = { 0 };
  const sd_material m = material (name);
  const sd_table *t = sd_tables_find (ts, &m, metric);
  cr_assert_not_null (t);
  cr_assert_eq (sd_table_verify (ts, t, NULL, NULL, &err), SD_OK, "%s", err.text);
  sd_tables_close (ts);
}

/* Loaded whole, and through the generator's cache. */
static void load_all (const sd_values *s, const char *name) {
  const sd_material m = material (name);
  const sd_exact *right = sd_values_find (s, &m), *e;
  sd_values *loaded;
  sd_values *values;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (folder, SD_DTM, &loaded, &err), SD_OK);
  cr_assert_eq (sd_values_whole (loaded, &m, &e, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_new (folder, SD_USUAL_EXACT, &values, &err), SD_OK);
  for (unsigned side = 0; side < right->nsides; side++) {
    cr_assert_eq (memcmp (e->value[side], right->value[side], right->n * sizeof (sd_value)), 0, "%s: side %u",
                  name, side);
    sd_values_blocks *h;
    cr_assert_eq (sd_values_in_blocks (values, &m, side, &h, &err), SD_OK, "%s", err.text);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < right->n; i++)
      wrong += right->value[side][i] != SD_ILLEGAL && sd_values_at (h, i) != right->value[side][i];
    cr_assert_eq (wrong, 0, "%s: side %u", name, side);
  }
  sd_values_trim (values, 0);
  sd_values_free (values);
  sd_values_free (loaded);
}

/* ------------------------------------------------------------------- values */

static const unsigned all_free = SD_FREE_ALL, losses = SD_FREE_ALL | SD_FREE_WIN;

Test (one_sided, every_position_with_three_men_under_all_kinds) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  const sort kinds[] = {
    { SD_CODING_WDL, all_free, SD_SIDES_WHITE, 0, "repair" },
    { SD_CODING_WDL, SD_FREE_ILLEGAL, SD_SIDES_BLACK, 0, "store" },
    { SD_CODING_WDL, 0, SD_SIDES_ONE, 0, "rle" },
    { SD_CODING_SIGNED, all_free, 0, SD_SIDES_WHITE, "repair" },
    { SD_CODING_SIGNED, SD_FREE_ILLEGAL, 0, SD_SIDES_BLACK, "store" },
    { SD_CODING_SIGNED, all_free, SD_SIDES_BLACK, SD_SIDES_ONE, "repair" },
    { SD_CODING_MOVES, all_free, SD_SIDES_BOTH, SD_SIDES_WHITE, "repair" },
    { SD_CODING_MOVES, all_free, SD_SIDES_WHITE, SD_SIDES_BLACK, "store" },
    { SD_CODING_MOVES, all_free, SD_SIDES_BLACK, SD_SIDES_BLACK, "repair" },
    { SD_CODING_MOVES, losses, SD_SIDES_BOTH, SD_SIDES_BOTH, "repair" },
    { SD_CODING_MOVES, losses, SD_SIDES_ONE, SD_SIDES_BOTH, "store" },
    { SD_CODING_MOVES, SD_FREE_WIN, SD_SIDES_BLACK, SD_SIDES_BOTH, "store" },
    { SD_CODING_MOVES, losses, SD_SIDES_JOINT, SD_SIDES_JOINT, "obdd" },
    { SD_CODING_SIGNED, SD_FREE_ILLEGAL, SD_SIDES_WHITE, SD_SIDES_JOINT, "repair" },
  };
  sd_values *s = generated ("KPvK");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const bool dtm = kinds[k].dtm_sides,
               wdl = !dtm || kinds[k].coding == SD_CODING_SIGNED || kinds[k].wdl_sides;
    empty_folder ();
    build_all (s, "KPvK", &kinds[k], NULL);
    for (unsigned i = 2; i < 4; i++) { /* what pawns do not turn into */
      const sd_material m = material (names[i]);
      build_below (s, &m, &kinds[k], &kinds[k]);
    }
    for (unsigned i = 0; i < 5; i++) {
      probe_all (s, names[i], wdl, dtm, k % 4 == 0 && turn_of (k / 4, i, 3) ? 1 : 7);
      if (kinds[k].wdl_sides && turn_of (k, i, 5))
        verify (names[i], SD_WDL);
      if (dtm && turn_of (k, i, 5)) {
        verify (names[i], SD_DTM);
        load_all (s, names[i]);
      }
    }
  }
  sd_values_free (s);
}

/* Sub-endings restored by one ply while a restored position asks for them. */
Test (one_sided, endings_with_four_men_over_one_sided_sub_endings) {
  static const char *const names[] = { "KQvKR", "KBvKN", "KRvKP", "KPPvK" };
  for (unsigned i = 0; i < (sd_long_tests () ? 4 : 1); i++) {
    sd_values *s = generated (names[i]);
    for (unsigned side = sd_long_tests () ? SD_SIDES_WHITE : SD_SIDES_BLACK; side <= SD_SIDES_BLACK; side++) {
      const sort k = { SD_CODING_MOVES, all_free, side, side, "store" },
                 below = { SD_CODING_MOVES, all_free, SD_SIDES_BOTH - side, side, "store" };
      empty_folder ();
      build_all (s, names[i], &k, &below);
      probe_all (s, names[i], true, false, sd_long_tests () ? 13 : 53);
      probe_all (s, names[i], false, true, 101);
      if (sd_long_tests ()) {
        verify (names[i], SD_WDL);
        verify (names[i], SD_DTM);
      }
      if (side == SD_SIDES_WHITE && sd_long_tests ())
        load_all (s, names[i]);
    }
    sd_values_free (s);
  }
}

/* Building compares every position, en passant in the plies included. */
Test (one_sided, losses_only_with_four_men_and_with_en_passant) {
  static const char *const names[] = { "KQvKR", "KPvKP" };
  for (unsigned i = sd_long_tests () ? 0 : 1; i < 2; i++) {
    sd_values *s = generated (names[i]);
    const sort k = { SD_CODING_MOVES, losses, SD_SIDES_ONE, SD_SIDES_BOTH, "store" },
               below = { SD_CODING_MOVES, losses, SD_SIDES_WHITE, SD_SIDES_BOTH, "store" };
    sd_error err = { 0 };
    empty_folder ();
    if (sd_long_tests ()) {
      build_all (s, names[i], &k, &below);
      probe_all (s, names[i], true, false, 13);
      probe_all (s, names[i], false, true, 101);
      verify (names[i], SD_DTM);
      load_all (s, names[i]);
    } else
      cr_assert_eq (build_one (s, names[i], SD_DTM, &k, &err), SD_OK, "%s", err.text);
    sd_values_free (s);
  }
}

/* -------------------------------------------- en passant on the restored side */

/* A value of every slot from nowhere: 0..m-1, the same for the same slot. */
static int get_hash (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  uint64_t state = i * 0x9e3779b97f4a7c15u + d->n;
  cr_assert (i < d->n);
  *out = (sd_symbol) (sd_random (&state) % d->m);
  return SD_OK;
}

static int read_hashes (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  for (uint64_t i = 0; i < count; i++)
    get_hash (d, first + i, &out[i]);
  return SD_OK;
}

static const sd_codec hashes = { .name = "hashes" };
static const sd_decoder_ops ops = { .get = get_hash, .read = read_hashes };
static const sd_value results[3] = { -1, 0, 1 }, values[7] = { -1, -7, -9, 0, 12, 8, 2 };

typedef struct fake {
  sd_table table[2];
  sd_view view[2];
  sd_decoder decoder[2];
  sd_indexer *ix;
} fake;

static void fake_up (fake *f, const sd_material *m, unsigned sides) {
  sd_layout l;
  memset (f, 0, sizeof *f);
  sd_layout_kings_first (m, &l);
  cr_assert_eq (sd_indexer_new (&l, &f->ix, NULL), SD_OK);
  for (unsigned k = SD_WDL; k <= SD_DTM; k++) {
    sd_view *v = &f->view[k];
    f->decoder[k] =
        (sd_decoder){ .ops = &ops, .codec = &hashes, .n = sd_indexer_size (f->ix), .m = k ? 7 : 3 };
    const sd_side side = { .slots = f->decoder[k].n,
                           .indexer = f->ix,
                           .decoder = &f->decoder[k],
                           .map = k ? values : results,
                           .main = k ? 7 : 3 };
    f->table[k].info = (sd_table_info){ .material = *m,
                                        .metric = (enum sd_metric) k,
                                        .coding = k ? SD_CODING_SIGNED : SD_CODING_WDL,
                                        .freedom = SD_FREE_ILLEGAL | SD_FREE_CAPTURE,
                                        .nsides = sd_material_symmetric (m) ? 1 : 2 };
    f->table[k].info.sides = f->table[k].info.nsides == 1 ? 1 : sides;
    for (unsigned s = 0; s < 2; s++)
      if (sd_table_info_has (&f->table[k].info, s))
        f->table[k].info.side[s] = side;
    cr_assert_eq (sd_view_fill (v, &f->table[k], NULL), SD_OK);
  }
}

/* What a table says that stores this side: the best of its hash and the captures; rights as the rules say.
 * What it does not store: the best of all moves. Everything computed the slow way, through positions. */
static sd_value slow (const fake *f, unsigned n, const sd_pos *p, enum sd_metric metric) {
  sd_material m, canonical;
  sd_material_of (p, &m);
  if (sd_material_men (&m) == 2)
    return 0;
  const bool swapped = sd_material_canonical (&m, &canonical) && !sd_material_symmetric (&m);
  sd_pos q = *p, child;
  if (swapped)
    sd_pos_flip (p, &q);
  const fake *t = NULL;
  for (unsigned i = 0; i < n && !t; i++)
    if (sd_material_equal (&f[i].view[0].material, &canonical))
      t = &f[i];
  cr_assert_not_null (t);
  const sd_view *v = &t->view[metric];
  if (v->nsides == 1 && q.stm == SD_BLACK) {
    sd_pos turned;
    sd_pos_flip (&q, &turned);
    q = turned;
  }
  const bool stored = v->sides >> q.stm & 1;
  sd_move moves[SD_MAX_MOVES];
  sd_pos plain = q;
  plain.ep = SD_NO_SQUARE;
  bool has = false;
  sd_value best = 0;
  if (stored) {
    uint8_t sq[SD_MAX_MEN];
    sd_symbol s;
    sd_pos_to_squares (&canonical, &q, sq);
    cr_assert_eq (get_hash (v->side[q.stm].decoder, sd_index_of (t->ix, sq), &s), SD_OK);
    best = v->side[q.stm].map[s];
    has = !(q.ep != SD_NO_SQUARE && best == 0 && !sd_has_move (&plain));
  } else if (q.ep != SD_NO_SQUARE && !sd_has_move (&plain) && sd_in_check (&plain, plain.stm)) {
    best = -1; /* mated but for the capture: no better than what it offers */
    has = true;
  }
  const unsigned count = sd_moves (&q, stored ? SD_MOVES_CAPTURES : SD_MOVES_ALL, moves);
  for (unsigned i = 0; i < count; i++) {
    sd_pos_apply (&q, &moves[i], &child);
    const sd_value theirs = slow (f, n, &child, metric);
    best = sd_codings[SD_CODING_SIGNED].restore (
        0, sd_metric_back (&sd_metrics[metric], theirs, sd_move_step (&moves[i])), has, best);
    has = true;
  }
  if (!has && !stored)
    best = sd_in_check (&q, q.stm) ? -1 : 0;
  return best;
}

Test (one_sided, en_passant_of_the_restored_side_is_worth_what_all_moves_say) {
  static const char *const roots[] = { "KRPvKP", "KPPvKP" };
  enum { MOST = 200 };
  fake *f = calloc (MOST, sizeof *f);
  sd_ending *ending = calloc (MOST, sizeof *ending);
  char nowhere[] = "";
  sd_tables ts = { .path = nowhere, .ending = ending };
  sd_material list[MOST];
  unsigned n = 0;
  for (unsigned r = 0; r < 2; r++) { /* the roots and all below */
    list[n++] = material (roots[r]);
    for (unsigned at = n - 1; at < n; at++) {
      sd_material next[64];
      const unsigned more = sd_material_successors (&list[at], next);
      for (unsigned k = 0; k < more; k++) {
        bool there = false;
        for (unsigned i = 0; i < n && !there; i++)
          there = sd_material_equal (&list[i], &next[k]);
        if (!there && n < MOST)
          list[n++] = next[k];
      }
    }
  }
  uint64_t state = 5, rights = 0, replies = 0, seen = 0;
  for (unsigned sides = SD_SIDES_WHITE; sides <= SD_SIDES_BLACK; sides++) {
    memset (&ts.keys, 0, sizeof ts.keys);
    for (unsigned i = 0; i < n; i++) { /* below: now this side, now that */
      fake_up (&f[i], &list[i],
               i < 1 || sd_material_equal (&list[i], &list[0]) ? sides : 1 + sd_random (&state) % 3);
      ending[i].view[SD_WDL] = &f[i].view[SD_WDL];
      ending[i].view[SD_DTM] = &f[i].view[SD_DTM];
      cr_assert_eq (sd_keys_add (&ts.keys, &list[i], i), SD_OK);
    }
    ts.nendings = n;
    for (unsigned tries = 0; tries < 60000; tries++) {
      sd_pos p;
      uint8_t sq[SD_MAX_MEN];
      const sd_material m = material (roots[tries & 1]);
      const unsigned which = tries & 1;
      const fake *t = &f[0];
      for (unsigned i = 0; i < n; i++)
        if (sd_material_equal (&list[i], &m))
          t = &f[i];
      (void) which;
      if (!sd_index_squares (t->ix, sd_random (&state) % t->decoder[0].n, sq))
        continue;
      sd_pos_from_squares (&m, sq, (unsigned) sd_random (&state) & 1, &p);
      if (!sd_pos_legal (&p))
        continue;
      const uint64_t squares = sd_ep_squares (&p);
      if (squares && (sd_random (&state) & 3))
        p.ep = (uint8_t) sd_lowest (squares);
      else if (tries % 16) { /* mostly positions where something is to be seen */
        sd_move moves[SD_MAX_MOVES];
        const unsigned count = sd_moves (&p, SD_MOVES_ALL, moves);
        bool twice = false;
        for (unsigned i = 0; i < count && !twice; i++) {
          sd_pos child;
          sd_pos_apply (&p, &moves[i], &child);
          twice = child.ep != SD_NO_SQUARE;
        }
        if (!twice)
          continue;
        replies++;
      }
      rights += p.ep != SD_NO_SQUARE;
      seen++;
      int wdl = 7;
      sd_value v = 7777;
      sd_error err = { 0 };
      cr_assert_eq (sd_probe_wdl (&ts, &p, &wdl, &err), SD_OK, "%s", err.text);
      cr_assert_eq (sd_probe_dtm (&ts, &p, &v, &err), SD_OK, "%s", err.text);
      char fen[96];
      sd_pos_to_fen (&p, fen, sizeof fen);
      cr_assert_eq (wdl, slow (f, n, &p, SD_WDL), "%s: %d", fen, wdl);
      cr_assert_eq (v, slow (f, n, &p, SD_DTM), "%s: %d", fen, v);
    }
    for (unsigned i = 0; i < n; i++)
      sd_indexer_free (f[i].ix);
    sd_keys_free (&ts.keys);
  }
  cr_assert (rights > 300 && replies > 300, "%lu rights, %lu double steps that give one, %lu positions",
             (unsigned long) rights, (unsigned long) replies, (unsigned long) seen);
  free (f);
  free (ending);
}

/* -------------------------------------------------------------------- files */

Test (one_sided, the_header_says_what_is_stored_and_equal_material_has_its_one_side) {
  sd_values *s = generated ("KPvK");
  sd_error err = { 0 };
  for (unsigned sides = 0; sides <= SD_SIDES_JOINT; sides++) {
    const sort k = { SD_CODING_WDL, all_free, sides, 0, "repair" };
    char path[600];
    sd_table *t;
    sd_table_info in;
    snprintf (path, sizeof path, "%s/KPvK.wdl.sdt", folder);
    cr_assert_eq (build_one (s, "KPvK", SD_WDL, &k, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_table_open (path, SD_OPEN_CHECK, &t, &err), SD_OK, "%s", err.text);
    sd_table_describe (t, &in);
    cr_expect_eq (in.nsides, 2);
    if (sides == SD_SIDES_ONE)
      cr_expect (in.sides == SD_SIDES_WHITE || in.sides == SD_SIDES_BLACK);
    else
      cr_expect_eq (in.sides, sides && sides != SD_SIDES_JOINT ? sides : SD_SIDES_BOTH);
    cr_expect_eq (in.joint, sides == SD_SIDES_JOINT);
    for (unsigned side = 0; side < 2; side++) {
      cr_expect_eq (in.side[side].decoder != NULL, sd_table_info_has (&in, side));
      cr_expect_eq (in.side[side].stream_bytes != 0, sd_table_info_has (&in, side) && !(side && in.joint));
    }
    cr_expect_eq (sd_table_info_by_moves (&in), in.sides != SD_SIDES_BOTH);
    sd_table_close (t);
  }
  sd_values_free (s);
  s = endings ("KBvKB", DRAWN, 1);
  const sd_table_spec plain = spec_of ("KBvKB", SD_CODING_WDL, all_free, "repair", NULL);
  sd_table_spec black = plain;
  black.sides = SD_SIDES_BLACK;
  sd_buf a = image_of (s, &plain), b = image_of (s, &black);
  cr_assert (a.len == b.len && memcmp (a.data, b.data, a.len) == 0);
  sd_buf_free (&a);
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (one_sided, losses_only_needs_both_sides_and_moves) {
  sd_values *s = generated ("KQvK");
  sd_error err = { 0 };
  sort k = { SD_CODING_MOVES, losses, SD_SIDES_BOTH, SD_SIDES_WHITE, "store" };
  cr_expect_eq (build_one (s, "KQvK", SD_DTM, &k, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "both sides"), "%s", err.text);
  k.dtm_sides = SD_SIDES_ONE;
  cr_expect_eq (build_one (s, "KQvK", SD_DTM, &k, &err), SD_EINVAL);
  k.dtm_sides = SD_SIDES_BOTH;
  k.coding = SD_CODING_SIGNED;
  cr_expect_eq (build_one (s, "KQvK", SD_DTM, &k, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "WDL table"), "%s", err.text);
  k.dtm_sides = 7;
  cr_expect_eq (build_one (s, "KQvK", SD_DTM, &k, &err), SD_EINVAL);
  sd_values_free (s);
}

/* Header bytes with their checksum put right. */
static int open_with (const sd_buf *image, size_t at, uint8_t value, sd_error *err) {
  sd_table *t = NULL;
  uint8_t *copy = malloc (image->len);
  memcpy (copy, image->data, image->len);
  copy[at] = value;
  const size_t covered = 6 + (size_t) copy[5];
  const uint32_t sum = (uint32_t) sd_hash64 (copy, covered);
  for (unsigned k = 0; k < 4; k++)
    copy[covered + k] = (uint8_t) (sum >> 8 * k);
  const int st = sd_table_open_memory (copy, image->len, "made.wdl.sdt", SD_OPEN_CHECK, &t, err);
  sd_table_close (t);
  free (copy);
  return st;
}

Test (one_sided, headers_that_cannot_be_are_refused_and_damage_is_found) {
  sd_values *s = generated ("KQvK");
  sd_error err = { 0 };
  char path[600];
  sd_map map;
  sort k = { SD_CODING_MOVES, all_free, 0, SD_SIDES_BLACK, "repair" };
  cr_assert_eq (build_one (s, "KQvK", SD_DTM, &k, &err), SD_OK, "%s", err.text);
  snprintf (path, sizeof path, "%s/KQvK.dtm.sdt", folder);
  cr_assert_eq (sd_map_open (path, &map, &err), SD_OK);
  const sd_buf image = { .data = (uint8_t *) (uintptr_t) map.data, .len = map.len };
  cr_assert (image.data[5] < 128);
  enum { KIND = 8, FREEDOM = 9 }; /* magic, version, length, men, type */
  cr_assert_eq (image.data[KIND] >> 4, SD_SIDES_BLACK);
  cr_expect_eq (open_with (&image, KIND, image.data[KIND], &err), SD_OK, "%s", err.text);
  cr_expect_eq (open_with (&image, KIND, image.data[KIND] & 0xf, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "the set of sides"), "%s", err.text);
  cr_expect_eq (open_with (&image, KIND, image.data[KIND] | 0x30, &err), SD_EFORMAT, "two sides, one stream");
  cr_expect_eq (open_with (&image, FREEDOM, image.data[FREEDOM] | SD_FREE_WIN, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "one side"), "%s", err.text);
  uint8_t *copy = malloc (image.len);
  for (size_t at = 0; at < image.len; at++)
    for (unsigned bit = 0; bit < 8; bit += 3) {
      sd_table *t = NULL;
      memcpy (copy, image.data, image.len);
      copy[at] ^= (uint8_t) (1u << bit);
      cr_assert_neq (sd_table_open_memory (copy, image.len, "flipped", SD_OPEN_CHECK, &t, &err), SD_OK,
                     "byte %zu", at);
    }
  for (size_t len = 0; len < image.len; len++) {
    sd_table *t = NULL;
    cr_assert_neq (sd_table_open_memory (image.data, len, "cut", SD_OPEN_CHECK, &t, &err), SD_OK, "%zu bytes",
                   len);
  }
  free (copy);
  sd_map_close (&map);
  sd_values_free (s);
}

Test (one_sided, a_missing_sub_table_is_named) {
  sd_values *s = generated ("KPvK");
  sd_error err = { 0 };
  char want[700];
  sd_pos p;
  int wdl;
  const sort k = { SD_CODING_WDL, 0, SD_SIDES_BLACK, 0, "store" };
  cr_assert_eq (build_one (s, "KPvK", SD_WDL, &k, &err), SD_OK, "%s", err.text);
  sd_tables *ts = open_folder ();
  cr_assert_eq (sd_pos_from_fen ("8/Pk6/8/8/8/8/8/K7 w - - 0 1", &p, &err), SD_OK);
  cr_expect_eq (sd_probe_wdl (ts, &p, &wdl, &err), SD_ENOENT);
  snprintf (want, sizeof want, "KQvK.wdl.sdt: not found in %s, needed by KPvK", folder);
  cr_expect_str_eq (err.text, want);
  cr_assert_eq (sd_pos_from_fen ("8/8/8/P7/8/8/8/K6k w - - 0 1", &p, &err), SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_OK && wdl == 1, "no promotion: its own table suffices");
  const sd_material m = material ("KPvK");
  cr_expect_eq (sd_table_verify (ts, sd_tables_find (ts, &m, SD_WDL), NULL, NULL, &err), SD_ENOENT);
  sd_tables_close (ts);
  sd_values *none;
  cr_assert_eq (sd_values_new (folder, SD_DTM, &none, &err), SD_OK);
  const sd_exact *e;
  const sort d = { SD_CODING_SIGNED, 0, 0, SD_SIDES_BLACK, "store" };
  cr_assert_eq (build_one (s, "KPvK", SD_DTM, &d, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_values_whole (none, &m, &e, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "dtm.sdt: not found in"), "%s", err.text);
  sd_values_free (none);
  sd_values_free (s);
}

Test (one_sided, names_of_sides_and_of_losses_only) {
  unsigned v = 0;
  char text[80];
  sd_error err = { 0 };
  for (unsigned i = 1; i <= SD_SIDES_ONE; i++)
    cr_expect (sd_sides_parse (sd_sides_row (i)->name, &v, &err) == SD_OK && v == i);
  cr_expect_eq (sd_sides_parse ("left", &v, &err), SD_EINVAL);
  static const char *const freedoms[] = { "all", "all+won", "none", "won", "illegal+won", "draw+capture" };
  for (unsigned i = 0; i < 6; i++) {
    cr_expect_eq (sd_freedom_parse (freedoms[i], &v, &err), SD_OK, "%s", err.text);
    sd_freedom_text (v, text, sizeof text);
    cr_expect_str_eq (text, freedoms[i]);
  }
}
