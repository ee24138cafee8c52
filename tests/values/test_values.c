/* Values of finished endings through sd_values against the exact values, from every kind of file. */
#include "config.h"
#include "codecs/codecs.h"
#include "gen/games/chess/chess_game.h"
#include "gen/gen.h"
#include "recode/recode_internal.h"
#include "tests/gen/endings.h"
#include "tests/base/temporary.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[200];

static void make_folder (void) {
  cr_assert (temporary_folder ("test-values", folder, sizeof folder));
}
static void remove_folder (void) {
  temporary_remove (folder);
}

static sd_material material (const char *name) {
  sd_material m;
  cr_assert_eq (sd_material_parse (name, &m, NULL), SD_OK);
  return m;
}

/* The ending and all below it. */
static sd_values *solved (const char *name) {
  sd_material want = material (name), *order;
  sd_values *s;
  sd_error err = { 0 };
  unsigned n;
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, &err), SD_OK);
  cr_assert_eq (gen_order (&want, 1, &order, &n, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++)
    cr_assert_eq (gen_into (s, &order[i], &err), SD_OK, "%s", err.text);
  free (order);
  return s;
}

typedef struct file_kind {
  enum sd_coding coding;
  unsigned freedom;
  const char *codec, *set;
  bool reversed; /* the groups of the layout in the order opposite to the default one */
} file_kind;

/* The generator's own; complete in another layout; and what must be restored. */
static const file_kind kinds[] = {
  { SD_CODING_SIGNED, SD_FREE_ILLEGAL, "lzma", "block=65536", false },
  { SD_CODING_SIGNED, SD_FREE_ILLEGAL, "lzma", "block=50000", true },
  { SD_CODING_SIGNED, 0, "store", "", false },
  { SD_CODING_SIGNED, SD_FREE_ALL, "repair", "", false },
  { SD_CODING_MOVES, SD_FREE_ALL, "repair", "", true },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void path_of (const char *name, enum sd_metric metric, char *out, size_t cap) {
  const sd_material m = material (name);
  char file[32];
  sd_table_file_name (&m, metric, file);
  snprintf (out, cap, "%s/%s", folder, file);
}

/* The default layout with its groups in the opposite order. */
static void reverse (const sd_material *m, sd_layout *l) {
  sd_layout_default (m, l);
  for (unsigned i = 0; i < l->ngroups / 2u; i++) {
    const sd_group g = l->group[i];
    l->group[i] = l->group[l->ngroups - 1 - i];
    l->group[l->ngroups - 1 - i] = g;
  }
  l->leader = (uint8_t) (l->ngroups - 1 - l->leader);
}

static void build_one (const sd_values *s, const char *name, enum sd_metric metric, const file_kind *k) {
  sd_table_spec spec = { .material = material (name),
                         .metric = metric,
                         .coding = metric == SD_WDL ? SD_CODING_WDL : k->coding,
                         .freedom = k->freedom };
  char path[600];
  sd_error err = { 0 };
  for (unsigned side = 0; side < 2; side++) {
    sd_layout *l = &spec.side[side].layout;
    if (k->reversed)
      reverse (&spec.material, l);
    else
      sd_layout_kings_first (&spec.material, l);
    spec.side[side].codec = sd_codec_find (k->codec);
    cr_assert_eq (sd_settings_parse (spec.side[side].codec, k->set, &spec.side[side].settings, &err), SD_OK,
                  "%s", err.text);
  }
  path_of (name, metric, path, sizeof path);
  cr_assert_eq (sd_table_build (s, &spec, path, NULL, &err), SD_OK, "%s", err.text);
}

static void build (const sd_values *s, const char *name, const file_kind *k) {
  build_one (s, name, SD_DTM, k);
  if (k->coding == SD_CODING_MOVES)
    build_one (s, name, SD_WDL, k);
}

static const sd_exact *exact (sd_values *s, const char *name) {
  const sd_material m = material (name);
  const sd_exact *e;
  cr_assert_eq (sd_values_whole (s, &m, &e, NULL), SD_OK);
  return e;
}

static sd_values *open_values (void) {
  sd_values *v;
  cr_assert_eq (sd_values_new (folder, SD_USUAL_EXACT, &v, NULL), SD_OK);
  return v;
}

static sd_values_blocks *side_of (sd_values *v, const char *name, unsigned side) {
  const sd_material m = material (name);
  sd_values_blocks *h;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_in_blocks (v, &m, side, &h, &err), SD_OK, "%s", err.text);
  return h;
}

/* Every value, by two threads; `every`: trim to `at_most` behind so many slots (0: never). */
static void compare (sd_values *v, const sd_exact *e, const char *name, unsigned number, uint64_t every,
                     uint64_t at_most) {
  for (unsigned side = 0; side < e->nsides; side++) {
    sd_values_blocks *h = side_of (v, name, side);
    cr_assert_eq (h->n, e->n);
    const uint64_t step = every ? every : e->n;
    for (uint64_t from = 0; from < e->n; from += step) {
      const uint64_t to = e->n - from < step ? e->n : from + step;
      uint64_t wrong = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1000) reduction(+ : wrong)
      for (uint64_t i = from; i < to; i++)
        wrong += e->value[side][i] != SD_ILLEGAL && sd_values_at (h, i) != e->value[side][i];
      cr_assert_eq (wrong, 0, "%s, kind %u, side %u: %" PRIu64 " of the values from %" PRIu64 " on differ",
                    name, number, side, wrong, from);
      if (every) {
        sd_values_stats stats;
        sd_values_trim (v, at_most);
        sd_values_describe (v, &stats);
        cr_assert_leq (stats.bytes, at_most);
      }
    }
  }
}

TestSuite (values, .init = make_folder, .fini = remove_folder);

Test (values, of_three_men_come_from_every_kind_of_file) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  sd_values *s = solved ("KPvK");
  for (unsigned k = 0; k < KINDS; k++) {
    for (unsigned i = 0; i < 5; i++)
      build (s, names[i], &kinds[k]);
    sd_values *v = open_values ();
    for (unsigned i = 5; i-- > 0;) /* KPvK needs the others, opened or not */
      compare (v, exact (s, names[i]), names[i], k, 0, 0);
    sd_values_stats stats;
    sd_values_describe (v, &stats);
    cr_expect (stats.bytes > 0 && stats.peak >= stats.bytes && stats.blocks > 0 && stats.slots >= 168000);
    compare (v, exact (s, "KPvK"), "KPvK", k, 50000, 200000);
    compare (v, exact (s, "KPvK"), "KPvK", k, 50000, 0);
    sd_values_describe (v, &stats);
    cr_expect_eq (stats.bytes, 0);
    sd_values_free (v);
  }
  sd_values_free (s);
}

Test (values, of_four_men_come_from_mixed_files, .timeout = 300) {
  sd_values *s = solved ("KQvKR");
  build (s, "KQvK", &kinds[4]);
  build (s, "KRvK", &kinds[1]);
  for (unsigned k = 0; k < KINDS; k += 4) {
    build (s, "KQvKR", &kinds[k]);
    sd_values *v = open_values ();
    compare (v, exact (s, "KQvKR"), "KQvKR", k, 500000, 300000);
    sd_values_free (v);
  }
  sd_values_free (s);
}

Test (values, of_equal_material_have_one_side) {
  sd_values *s = solved ("KNvKN");
  const sd_material m = material ("KNvKN");
  sd_values_blocks *h;
  sd_error err = { 0 };
  build (s, "KNvKN", &kinds[0]);
  sd_values *v = open_values ();
  compare (v, exact (s, "KNvKN"), "KNvKN", 0, 0, 0);
  cr_expect_eq (sd_values_in_blocks (v, &m, 1, &h, &err), SD_EINVAL);
  sd_values_free (v);
  build (s, "KNvK", &kinds[0]);
  build (s, "KNvKN", &kinds[3]);
  v = open_values ();
  compare (v, exact (s, "KNvKN"), "KNvKN", 3, 0, 0);
  sd_values_free (v);
  sd_values_free (s);
}

/* A table of made-up values, more than 256 of them: a block holds values instead of symbols. */
Test (values, may_be_many) {
  sd_values *s;
  sd_exact *e;
  const sd_material m = material ("KQvK");
  const file_kind k = { SD_CODING_SIGNED, 0, "store", "", false };
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, NULL), SD_OK);
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      uint8_t sq[SD_MAX_MEN];
      sd_pos p;
      if (!sd_index_squares (e->indexer, i, sq))
        continue;
      sd_pos_from_squares (&m, sq, side, &p);
      if (sd_pos_legal (&p))
        e->value[side][i] = (sd_value) (i % 301 * 2 + 1);
    }
  cr_assert_eq (sd_values_put (s, e), SD_OK);
  build (s, "KQvK", &k);
  sd_values *v = open_values ();
  compare (v, e, "KQvK", 0, 0, 0);
  cr_expect (side_of (v, "KQvK", 0)->wide);
  sd_values_free (v);
  sd_values_free (s);
}

/* Blocks of one value, of two, of thousands; the last one is short. */
Test (values, packed_are_the_same) {
  const sd_material m = material ("KRRvK");
  sd_exact *e, *copy;
  sd_value some[40000];
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  cr_assert_eq (sd_exact_new (&m, &copy, NULL), SD_OK);
  cr_assert (e->n % SD_PACKED_BLOCK && e->n > 2 * SD_PACKED_BLOCK + 1);
  for (uint64_t i = 0; i < e->n; i++) {
    const sd_value one = i < SD_PACKED_BLOCK           ? 7
                         : i < 2 * SD_PACKED_BLOCK + 1 ? (i % 3 ? -9 : SD_ILLEGAL)
                                                       : (sd_value) (i % 16001 - 8000);
    e->value[0][i] = copy->value[0][i] = one;
    e->value[1][i] = copy->value[1][i] = (sd_value) -i;
  }
  for (unsigned side = 0; side < 2; side++) {
    cr_assert_eq (sd_exact_pack (copy, side, NULL), SD_OK);
    cr_assert (!copy->value[side] && copy->packed[side]);
    cr_assert_eq (sd_exact_pack (copy, side, NULL), SD_OK); /* is packed already */
    for (uint64_t i = 0; i < e->n; i++)
      cr_assert_eq (sd_exact_at (copy, side, i), e->value[side][i], "slot %ju", (uintmax_t) i);
    for (uint64_t first = 0; first + 40000 <= e->n; first += 15000 / 7) {
      sd_exact_read (copy, side, first, 40000, some);
      cr_assert_eq (memcmp (some, e->value[side] + first, sizeof some), 0, "from slot %ju",
                    (uintmax_t) first);
    }
  }
  cr_expect_eq (copy->packed[0]->block[0].bits, 0);
  cr_expect_eq (copy->packed[0]->block[1].bits, 1);
  sd_counts a, b;
  sd_exact_count (e, 1, &a);
  sd_exact_count (copy, 1, &b);
  cr_expect_eq (memcmp (&a, &b, sizeof a), 0);
  sd_exact_free (e);
  sd_exact_free (copy);
}

/* In a store they are looked up in blocks, which are made when they are asked for, and trimmed. */
/* Judged in the generator's layout, packed, and laid out: as if the whole side had been laid out anew. */
Test (values, what_slots_may_hold_is_the_same_packed_on_its_way) {
  static const sd_stored what[] = { { SD_WDL, SD_CODING_WDL, SD_FREE_ALL, 0, SD_SIDES_BOTH },
                                    { SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, 1, SD_SIDES_BOTH },
                                    { SD_DTM, SD_CODING_SIGNED, 0, 0, SD_SIDES_BOTH } };
  sd_values *v = solved ("KPvK");
  const sd_material m = material ("KPvK");
  const sd_exact *e = sd_values_find (v, &m);
  sd_error err = { 0 };
  sd_layout l;
  SD_OWN (sd_indexer) *to = NULL;
  reverse (&m, &l);
  cr_assert_eq (sd_indexer_new (&l, &to, &err), SD_OK, "%s", err.text);
  for (unsigned k = 0; k < sizeof what / sizeof *what; k++) {
    sd_subdefined *d, *laid, *at_once;
    cr_assert_eq (sd_subdefine (v, e, &what[k], NULL, &d, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_subdefined_relayout (d, e->indexer, to, &laid, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_subdefine_in (v, e, &what[k], to, NULL, &at_once, &err), SD_OK, "%s", err.text);
    cr_assert_eq (at_once->seq.n, laid->seq.n);
    cr_expect_eq (sd_alphabet_size (at_once->alphabet), sd_alphabet_size (laid->alphabet));
    cr_expect_eq (memcmp (at_once->seq.sym, laid->seq.sym, laid->seq.n * sizeof *laid->seq.sym), 0, "%u", k);
    sd_subdefined_free (d);
    sd_subdefined_free (laid);
    sd_subdefined_free (at_once);
  }
  sd_values_free (v);
}

Test (values, packed_in_a_store_say_the_same) {
  sd_values *s = solved ("KPvK");
  sd_values_stats stats;
  const sd_exact *whole;
  const sd_material m = material ("KPvK");
  sd_error err = { 0 };
  build (s, "KPvK", &kinds[0]);
  sd_values *v = open_values ();
  sd_values_pack (v, SD_DTM);
  cr_assert_eq (sd_values_whole (v, &m, &whole, &err), SD_OK, "%s", err.text);
  cr_assert (!whole->value[0] && !whole->value[1]);
  compare (v, exact (s, "KPvK"), "KPvK", 0, 0, 0);
  sd_values_describe (v, &stats);
  cr_expect_gt (stats.bytes, 0);
  sd_values_trim (v, 0);
  sd_values_describe (v, &stats);
  cr_expect_eq (stats.bytes, 0);
  compare (v, exact (s, "KPvK"), "KPvK", 0, 0, 0);
  /* In its place: what was decoded goes with it. */
  sd_exact *drawn;
  cr_assert_eq (sd_exact_new (&m, &drawn, NULL), SD_OK);
  cr_expect_eq (sd_values_put (v, drawn), SD_OK);
  sd_values_describe (v, &stats);
  cr_expect_eq (stats.bytes, 0);
  sd_values_free (v);
  /* Who wins is all that WDL asks for. */
  v = open_values ();
  sd_values_pack (v, SD_WDL);
  cr_assert_eq (sd_values_whole (v, &m, &whole, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < whole->n; i++) {
      const sd_value full = exact (s, "KPvK")->value[side][i], told = sd_exact_at (whole, side, i);
      cr_assert_eq (told, full == SD_ILLEGAL ? full : (full > 0) - (full < 0));
    }
  cr_expect_eq (sd_subdefine (v, whole, &(sd_stored){ SD_DTM, SD_CODING_SIGNED, 0, 0, SD_SIDES_BOTH }, NULL,
                              NULL, &err),
                SD_EINVAL);
  sd_values_free (v);
  sd_values_free (s);
}

Test (values, blocks_in_use_outlive_others) {
  sd_values *s = solved ("KPvK");
  build (s, "KPvK", &kinds[0]); /* 86688 slots a side: two blocks */
  sd_values *v = open_values ();
  sd_values_blocks *h = side_of (v, "KPvK", 0);
  sd_values_stats stats;
  sd_values_at (h, 0);
  sd_values_at (h, 70000);
  sd_values_trim (v, 90000); /* more than the half is there: takes note of what was used */
  sd_values_at (h, 70000);
  sd_values_trim (v, 66000);
  sd_values_describe (v, &stats);
  cr_expect (stats.blocks == 2 && stats.bytes == 86688 - 65536, "%ju", (uintmax_t) stats.bytes);
  sd_values_at (h, 70000);
  sd_values_describe (v, &stats);
  cr_expect_eq (stats.blocks, 2);
  sd_values_at (h, 0);
  sd_values_describe (v, &stats);
  cr_expect (stats.blocks == 3 && stats.bytes == 86688 && stats.peak > stats.bytes);
  sd_values_free (v);
  sd_values_free (s);
}

/* Change a byte of the file at `part` of its length, in place. */
static void spoil (const char *name, double part, size_t count) {
  char path[600];
  path_of (name, SD_DTM, path, sizeof path);
  FILE *f = fopen (path, "r+b");
  cr_assert_not_null (f);
  fseek (f, 0, SEEK_END);
  const long at = (long) ((double) ftell (f) * part);
  for (size_t i = 0; i < count; i++) {
    fseek (f, at + (long) i, SEEK_SET);
    const int c = fgetc (f);
    fseek (f, at + (long) i, SEEK_SET);
    fputc (c ^ 0x10, f);
  }
  fclose (f);
}

static sd_values *golden_values (const char *name) {
  const char *root = getenv ("SD_SRCDIR");
  char path[1100];
  sd_values *v;
  snprintf (path, sizeof path, "%s/tests/golden/%s", root ? root : ".", name);
  cr_assert_eq (sd_values_new (path, SD_USUAL_EXACT, &v, NULL), SD_OK);
  cr_assert_eq (sd_values_set_metric (v, SD_DTZ50, NULL), SD_OK);
  return v;
}

/* What a DTZ file says of a slot depends on the result, and may be full moves; KRvKR has one side to move. */
Test (values, of_a_syzygy_dtz_file_need_an_import) {
  static const char *const names[] = { "KQvK", "KRvKR" };
  for (unsigned i = 0; i < 2; i++) {
    const sd_material m = material (names[i]);
    sd_values_blocks *h;
    sd_error err = { 0 };
    sd_values *v = golden_values ("syzygy");
    cr_expect_eq (sd_values_in_blocks (v, &m, 0, &h, &err), SD_EUNSUPPORTED, "%s", names[i]);
    cr_expect (strstr (err.text, ".rtbz") && strstr (err.text, "subdef import"), "%s", err.text);
    sd_values_free (v);
  }
}

Test (values, of_a_damaged_file_are_refused_by_name) {
  sd_values *s = solved ("KRvK");
  const sd_material m = material ("KRvK"), parent = material ("KRvKR");
  sd_values_blocks *h;
  sd_game g;
  sd_error err = { 0 };
  build (s, "KRvK", &kinds[0]);
  spoil ("KRvK", 0.8, 1);
  sd_values *v = open_values ();
  cr_expect_eq (sd_values_in_blocks (v, &m, 0, &h, &err), SD_ECHECKSUM);
  cr_expect (strstr (err.text, "KRvK.dtm.sdt") && strstr (err.text, folder), "%s", err.text);
  cr_expect_eq (sd_chess_game_new (v, &parent, &g, &err), SD_ECHECKSUM);
  cr_expect (strstr (err.text, "KRvKR: ") == err.text && strstr (err.text, "KRvK.dtm.sdt"), "%s", err.text);
  sd_values_free (v);
  sd_values_free (s);
}

/* Found sound when it was opened, damaged when it is read. */
Test (values, that_cannot_be_decoded_stop_the_generator) {
  sd_values *s = solved ("KRvK");
  const sd_material parent = material ("KRvKR");
  sd_transport self;
  sd_game g;
  sd_exact *e;
  sd_error err = { 0 };
  sd_transport_self (&self);
  build (s, "KRvK", &kinds[0]);
  sd_values *v = open_values ();
  cr_assert_eq (sd_chess_game_new (v, &parent, &g, &err), SD_OK, "%s", err.text);
  sd_chess_game_free (&g);
  spoil ("KRvK", 0.3, 400);
  spoil ("KRvK", 0.7, 400);
  int st = SD_OK;
  for (unsigned side = 0; side < 2; side++) {
    sd_values_blocks *h = side_of (v, "KRvK", side);
    if (sd_values_at (h, 100) == SD_ILLEGAL)
      st = sd_values_problem (h, &err);
  }
  cr_assert_eq (st, SD_EFORMAT, "%s", err.text);
  cr_expect (strstr (err.text, "KRvK.dtm.sdt") && strstr (err.text, "slots 0 to"), "%s", err.text);
  cr_expect_eq (gen_solve (NULL, v, &self, &parent, NULL, &e, NULL, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "KRvKR: ") == err.text && strstr (err.text, "KRvK.dtm.sdt"), "%s", err.text);
  sd_values_free (v);
  sd_values_free (s);
}

/* Values that need no solving. */
static sd_exact *made_up (const char *name) {
  const sd_material m = material (name);
  sd_exact *e;
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      uint8_t sq[SD_MAX_MEN];
      sd_pos p;
      if (!sd_index_squares (e->indexer, i, sq))
        continue;
      sd_pos_from_squares (&m, sq, side, &p);
      if (sd_pos_legal (&p))
        e->value[side][i] = (sd_value) (1 + i / 7 % 5 * 2);
    }
  return e;
}

Test (values, that_are_missing_or_asked_for_wrongly_are_named) {
  sd_values *s = solved ("KQvK");
  const sd_material queen = material ("KQvK"), rook = material ("KRvK"), pawn = material ("KPvKQ");
  sd_values_blocks *h;
  sd_error err = { 0 };
  sd_values *v = open_values ();
  cr_expect_eq (sd_values_in_blocks (v, &rook, 0, &h, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "KRvK.dtm.sdt") && strstr (err.text, folder), "%s", err.text);
  cr_expect_eq (sd_values_in_blocks (v, &pawn, 0, &h, &err), SD_EINVAL);
  cr_expect_not_null (strstr (err.text, "KPvKQ"), "%s", err.text);
  sd_exact *e = made_up ("KQvK"), *other = made_up ("KQvK");
  cr_expect_eq (sd_values_put (v, e), SD_OK);
  cr_expect_eq (sd_values_put (v, e), SD_OK); /* is there already */
  cr_expect_eq (sd_values_in_blocks (v, &queen, 0, &h, &err), SD_OK);
  cr_expect_eq (sd_values_at (h, 0), e->value[0][0]);
  sd_values_trim (v, 0); /* what is whole stays */
  cr_expect_eq (sd_values_at (h, 5), e->value[0][5]);
  other->value[0][5] = 77;
  cr_expect_eq (sd_values_put (v, other), SD_OK); /* in its place */
  cr_expect_eq (sd_values_in_blocks (v, &queen, 0, &h, &err), SD_OK);
  cr_expect (sd_values_at (h, 5) == 77 && sd_values_find (v, &queen) == other);
  cr_expect_eq (sd_values_in_blocks (v, &queen, 2, &h, &err), SD_EINVAL);
  sd_values_free (v);
  sd_values_free (NULL);
  /* a file that cannot be restored without another is refused when it is opened */
  build (s, "KQvK", &kinds[4]);
  char path[600];
  path_of ("KQvK", SD_WDL, path, sizeof path);
  remove (path);
  v = open_values ();
  cr_expect_eq (sd_values_in_blocks (v, &queen, 0, &h, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KQvK.wdl.sdt"), "%s", err.text);
  sd_values_free (v);
  sd_values_free (s);
}

/* Restored by all moves, an ending is held whole, and asks the blocks of those that are there in blocks. */
Test (values, of_a_whole_ending_are_restored_from_blocks) {
  static const file_kind by_moves = { SD_CODING_SIGNED, SD_FREE_ALL | SD_FREE_UNREACHABLE, "repair", "",
                                      false };
  sd_values *s = solved ("KPvK"), *v = open_values ();
  const char *const *files;
  build (s, "KQvK", &kinds[0]);
  build (s, "KRvK", &kinds[0]);
  build (s, "KBvK", &kinds[0]);
  build (s, "KNvK", &kinds[0]);
  build (s, "KPvK", &by_moves);
  side_of (v, "KQvK", 0);
  side_of (v, "KRvK", 1);
  compare (v, exact (s, "KPvK"), "KPvK", 0, 0, 0);
  cr_assert_eq (sd_values_files (v, &files), 3);
  for (unsigned i = 0; i < 3; i++)
    cr_expect (!strstr (files[i], "KQvK") && !strstr (files[i], "KRvK"), "%s was loaded again", files[i]);
  sd_error err = { 0 };
  cr_expect_eq (sd_values_set_metric (v, SD_DTZ50, &err), SD_EINVAL);
  cr_expect_str_eq (err.text, "values of dtz50 cannot join those of dtm that are there");
  cr_expect_eq (sd_values_set_metric (v, SD_DTM, &err), SD_OK);
  sd_values_free (v);
  sd_values_free (s);
}

/* A position whose ending is nowhere: told by the name of its table. */
Test (values, of_a_position_without_a_table_name_it) {
  sd_values *v = open_values ();
  sd_pos p;
  sd_value is;
  cr_assert_eq (sd_pos_from_fen ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", &p, NULL), SD_OK);
  cr_expect_eq (sd_values_of (v, &p, &is), SD_ENOENT);
  sd_values_free (v);
}

/* What a game says of all its states, by so many threads over one cache that is trimmed behind every batch.
 */
static uint64_t fingerprint (const sd_game *g, int threads) {
  enum { PIECE = 2048, BATCH = 32 };
  uint64_t sum = 0;
  int bad = 0;
  for (uint64_t from = 0; from < g->nstates; from += BATCH * PIECE) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : sum, bad)
    for (uint64_t b = 0; b < BATCH; b++) {
      sd_state_info info[PIECE];
      const uint64_t first = from + b * PIECE;
      const uint64_t n = first >= g->nstates ? 0 : g->nstates - first < PIECE ? g->nstates - first : PIECE;
      bad += n && g->init (g->ctx, first, n, info, NULL) != SD_OK;
      for (uint64_t i = 0; i < n; i++)
        sum += (first + i + 1)
               * (info[i].moves + 7u * info[i].win + 13u * info[i].loss + 99u * info[i].terminal_lost);
    }
    g->tidy (g->ctx, false);
  }
  g->tidy (g->ctx, true);
  cr_assert_eq (bad, 0);
  return sum;
}

Test (values, are_shared_by_the_threads_of_a_game, .timeout = 300) {
  static const char *const names[] = { "KQvK",  "KRvK",  "KBvK",  "KNvK", "KPvK",
                                       "KQvKN", "KRvKN", "KBvKN", "KNvKN" };
  const sd_material m = material ("KNvKP");
  sd_values_stats stats;
  sd_game g;
  sd_error err = { 0 };
  sd_values *s, *v = open_values ();
  cr_assert_eq (sd_values_new (NULL, SD_USUAL_EXACT, &s, NULL), SD_OK);
  for (unsigned i = 0; i < 9; i++) {
    cr_assert_eq (sd_values_put (s, made_up (names[i])), SD_OK);
    if (i < 6)
      build (s, names[i], &kinds[i == 4]);
    else
      cr_assert_eq (sd_values_put (v, made_up (names[i])), SD_OK);
  }
  cr_assert_eq (sd_chess_game_new (s, &m, &g, &err), SD_OK, "%s", err.text);
  const uint64_t expected = fingerprint (&g, 1);
  sd_chess_game_free (&g);
  cr_assert_eq (sd_chess_game_new (v, &m, &g, &err), SD_OK, "%s", err.text);
  sd_values_set_budget (v, 1 << 20);
  cr_expect_eq (fingerprint (&g, 2), expected);
  sd_values_describe (v, &stats);
  cr_expect (stats.bytes <= 1 << 20 && stats.slots > 0);
  sd_values_set_budget (v, (uint64_t) 1 << 40);
  cr_expect_eq (fingerprint (&g, 2), expected);
  sd_values_describe (v, &stats);
  cr_expect_leq (stats.bytes, SD_CHESS_KEEP);
  sd_chess_game_free (&g);
  sd_values_free (v);
  sd_values_free (s);
}

/* From reformatted files the generator makes the same values. */
Test (values, of_any_files_give_the_generator_the_same_values) {
  sd_values *s = solved ("KQvKR");
  const sd_material m = material ("KQvKR");
  sd_transport self;
  sd_error err = { 0 };
  sd_exact *e;
  sd_transport_self (&self);
  build (s, "KQvK", &kinds[4]);
  build (s, "KRvK", &kinds[3]);
  sd_values *v = open_values ();
  cr_assert_eq (gen_solve (NULL, v, &self, &m, NULL, &e, NULL, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < 2; side++)
    cr_expect_eq (memcmp (e->value[side], exact (s, "KQvKR")->value[side], e->n * sizeof (sd_value)), 0);
  sd_exact_free (e);
  sd_values_free (v);
  sd_values_free (s);
}
