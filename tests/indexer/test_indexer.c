/* Layouts and indexers against their definitions: every home slot comes back to itself, all images of a
 * placement under the board's symmetries share it, the number of homes is the number of placements that are
 * unique up to symmetry. */
#include "config.h"
#include "indexer/indexer.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static sd_indexer *make (const char *material, const char *order, const char *numbering) {
  sd_material m;
  sd_layout l;
  sd_error err = { 0 };
  sd_indexer *ix = NULL;
  cr_assert_eq (sd_material_parse (material, &m, &err), SD_OK, "%s", err.text);
  if (order)
    cr_assert_eq (sd_layout_parse (&m, order, numbering, &l, &err), SD_OK, "%s", err.text);
  else
    sd_layout_kings_first (&m, &l);
  cr_assert_eq (sd_indexer_new (&l, &ix, &err), SD_OK, "%s", err.text);
  return ix;
}

static void image (unsigned t, unsigned men, const uint8_t *sq, uint8_t *out) {
  for (unsigned k = 0; k < men && k < SD_MAX_MEN; k++) {
    unsigned s = sq[k];
    if (t & 1)
      s ^= 7;
    if (t & 2)
      s ^= 56;
    if (t & 4)
      s = (s >> 3) | ((s & 7) << 3);
    out[k] = (uint8_t) s;
  }
}

struct sample {
  char material[8], order[12], numbering[24];
};
static const struct sample samples[] = {
  { "KQvK", "", "" },
  { "KQvK", "KQk", "rows" },
  { "KQvK", "kQ!K", "z" },
  { "KRvK", "Rk!K", "z/folded" },
  { "KPvK", "", "" },
  { "KPvK", "PKk", "hilbert" },
  { "KPvK", "kP!K", "rows" },
  { "KQvK", "Q[Kk]", "folded" },
  { "KRvKP", "pRKk", "rows" },
  { "KQQvK", "kQK", "z" },
  { "KPPvK", "PkK!", "rows" },
  { "KNNvK", "", "" },
  { "KRvKP", "p!kR(K)", "files" },
  { "KQvK", "Q!k(K)", "rows" },
  { "KQQvK", "K!k(Q)", "rows/files" },
  { "KPvK", "P!k(K)", "z" },
  { "KRvK", "kR(K)", "hilbert" },
  { "KRvKP", "RpkK!", "z/folded/rows" },
  { "KPvK", "kPK", "z/z/files" },
  { "KPvKP", "kpPK!", "rows/files" },
  { "KQRvKB", "[Kk]QRb", "rows" },
  { "KNNvKR", "[Kk]rN", "rows" },
  { "KPPPvK", "[Kk]P", "rows" },
  { "KPvKP", "[Kk]Pp", "files" },
  { "KQvKR", "K!kQr", "hilbert" },
  { "KRvKP", "k!KpR", "folded" },
  { "KPvKR", "P!Kkr", "z" },
  { "KQQvK", "K!kQ", "z" },
};

Test (indexer, every_home_slot_comes_back_and_all_mirror_images_share_it) {
  for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
    const struct sample *s = &samples[k];
    sd_indexer *ix = make (s->material, s->order[0] ? s->order : NULL, s->numbering);
    unsigned men = sd_material_men (&sd_indexer_layout (ix)->material);
    bool pawns = sd_material_has_pawns (&sd_indexer_layout (ix)->material);
    uint64_t n = sd_indexer_size (ix), step = n > 300000 ? 37 : 1;
    for (uint64_t i = 0; i < n; i += step) {
      uint8_t sq[SD_MAX_MEN], other[SD_MAX_MEN];
      if (!sd_index_squares (ix, i, sq))
        continue;
      cr_assert_eq (sd_index_of (ix, sq), i, "%s %s: slot %" PRIu64, s->material, s->order, i);
      for (unsigned t = 1; t < (pawns ? 2 : 8); t++) {
        image (t, men, sq, other);
        cr_assert_eq (sd_index_of (ix, other), i, "%s %s: slot %" PRIu64 " symmetry %u", s->material,
                      s->order, i, t);
      }
    }
    sd_indexer_free (ix);
  }
}

/* Neighbours, and steps of any length to and fro. */
Test (indexer, a_walk_finds_the_squares_of_any_slot) {
  for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
    const struct sample *s = &samples[k];
    sd_indexer *ix = make (s->material, s->order[0] ? s->order : NULL, s->numbering);
    const unsigned men = sd_material_men (&sd_indexer_layout (ix)->material);
    const uint64_t n = sd_indexer_size (ix);
    sd_index_walk walk = { .ix = ix };
    uint64_t seed = k, i = n - 1;
    for (unsigned step = 0; step < 40000; step++) {
      uint8_t sq[SD_MAX_MEN];
      const bool home = sd_index_squares (ix, i, sq);
      cr_assert_eq (sd_index_walk_to (&walk, i), home, "%s %s: slot %" PRIu64, s->material, s->order, i);
      if (home)
        cr_assert_eq (memcmp (walk.sq, sq, men), 0, "%s %s: slot %" PRIu64, s->material, s->order, i);
      i = step % 100 ? (i + 1) % n : sd_random (&seed) % n;
    }
    sd_indexer_free (ix);
  }
}

/* Ranges of any length from anywhere, with each side to move; small endings are looked at as a whole, too. */
Test (indexer, legal_slots_are_those_of_legal_positions) {
  for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
    const struct sample *s = &samples[k];
    sd_indexer *ix = make (s->material, s->order[0] ? s->order : NULL, s->numbering);
    const uint64_t n = sd_indexer_size (ix);
    uint64_t seed = k, kinds[2] = { 0 };
    const uint64_t chunks = n / 1000 < 2000 ? n / 1000 + 1 : 0;
    for (unsigned turn = 0; turn < 200 + 2 * chunks; turn++) {
      bool legal[1000];
      const unsigned chunk = turn / 2, side = turn % 2;
      const uint64_t first = chunk < chunks ? 1000 * (uint64_t) chunk : sd_random (&seed) % n,
                     most = chunk < chunks ? 1000 : sd_random (&seed) % 1000 + 1,
                     count = n - first < most ? n - first : most;
      sd_index_legal (ix, side, first, count, legal);
      for (uint64_t i = 0; i < count; i++) {
        sd_pos p;
        const bool is = sd_index_position (ix, first + i, side, &p);
        cr_assert_eq (legal[i], is, "%s %s: slot %" PRIu64 ", side %u", s->material, s->order, first + i,
                      side);
        kinds[is]++;
      }
    }
    cr_assert (kinds[0] && kinds[1], "%s", s->material);
    sd_indexer_free (ix);
  }
}

/* Placements up to symmetry, counted by brute force: a placement counts 1 / (size of its orbit). */
static uint64_t orbits3 (bool pawn) {
  uint64_t twentyfourths = 0;
  for (unsigned a = 0; a < 64; a++)
    for (unsigned b = 0; b < 64; b++) {
      int df = abs ((int) (a & 7) - (int) (b & 7)), dr = abs ((int) (a >> 3) - (int) (b >> 3));
      if (df <= 1 && dr <= 1)
        continue;
      for (unsigned c = 0; c < 64; c++) {
        if (c == a || c == b || (pawn && (c < 8 || c >= 56)))
          continue;
        uint8_t sq[3] = { (uint8_t) a, (uint8_t) c, (uint8_t) b }, other[3];
        unsigned same = 0, group = pawn ? 2 : 8;
        for (unsigned t = 0; t < group; t++) {
          image (t, 3, sq, other);
          same += memcmp (sq, other, 3) == 0;
        }
        twentyfourths += 24 * same / group;
      }
    }
  return twentyfourths / 24;
}

Test (indexer, the_number_of_homes_is_the_number_of_orbits) {
  static const struct {
    const char *material, *order;
  } in[] = { { "KQvK", NULL }, { "KQvK", "kQK" }, { "KQvK", "Q!Kk" },
             { "KPvK", NULL }, { "KPvK", "kKP" }, { "KPvK", "P!Kk" } };
  for (size_t k = 0; k < sizeof in / sizeof in[0]; k++) {
    sd_indexer *ix = make (in[k].material, in[k].order, NULL);
    uint64_t homes = 0;
    uint8_t sq[SD_MAX_MEN];
    for (uint64_t i = 0; i < sd_indexer_size (ix); i++)
      homes += sd_index_squares (ix, i, sq);
    cr_expect_eq (homes, orbits3 (in[k].material[1] == 'P'), "%s %s: %" PRIu64, in[k].material,
                  in[k].order ? in[k].order : "kings first", homes);
    sd_indexer_free (ix);
  }
}

Test (indexer, sizes_are_those_of_the_literature) {
  static const struct {
    const char *material, *order;
    uint64_t n;
  } in[] = {
    { "KQvK", NULL, 462 * 64 },
    { "KPvK", NULL, 1806 * 48 },
    { "KQQQvK", NULL, 462ull * 41664 },     /* Kristensen 2005, 2.2: 38,497,536 / 2 */
    { "KBBvKN", NULL, 462ull * 2016 * 64 }, /* 119,218,176 / 2 */
    { "KRvKP", "p!RKk", 24ull * 64 * 64 * 64 },
    { "KQvKR", "KQrk", 10ull * 64 * 64 * 64 },
    { "KPPvK", "KPk", 32ull * 1128 * 64 },
  };
  for (size_t k = 0; k < sizeof in / sizeof in[0]; k++) {
    sd_indexer *ix = make (in[k].material, in[k].order, NULL);
    cr_expect_eq (sd_indexer_size (ix), in[k].n, "%s: %" PRIu64, in[k].material, sd_indexer_size (ix));
    uint32_t radix[SD_MAX_RADICES];
    uint64_t product = 1;
    for (unsigned g = sd_indexer_shape (ix, radix); g-- > 0;)
      product *= radix[g];
    cr_expect_eq (product, in[k].n);
    sd_indexer_free (ix);
  }
}

/* The number of `square` in an ending's last digit. */
static unsigned number_of (const sd_indexer *ix, uint8_t square) {
  const uint8_t king = square == 1 ? 2 : 1; /* b1 or c1, where no symmetry moves it */
  const uint8_t sq[3] = { king, (uint8_t) (square == 63 ? 62 : 63), square };
  return (unsigned) (sd_index_of (ix, sq) % 64);
}

/* Kristensen 2005, 2.6: all figures that are printed of them. */
Test (indexer, numberings_are_the_printed_ones) {
  static const struct {
    const char *column, *numbering;
  } is[] = { { ",Z curve (kings),", "z" },
             { ",modified Z curve (other pieces),", "folded" },
             { ",trivial,", "rows" } };
  sd_indexer *ix[3];
  char path[4096], line[512];
  unsigned seen = 0;
  for (unsigned i = 0; i < 3; i++)
    ix[i] = make ("KQvK", "KQk", is[i].numbering);
  snprintf (path, sizeof path, "%s/papers/published/published.csv",
            getenv ("SD_SRCDIR") ? getenv ("SD_SRCDIR") : ".");
  FILE *f = fopen (path, "r");
  cr_assert (f, "%s", path);
  while (fgets (line, sizeof line, f)) {
    char file, rank;
    if (sscanf (line, "kristensen2005,square numbering,%c%c,", &file, &rank) != 2)
      continue;
    for (unsigned i = 0; i < 3; i++) {
      const char *at = strstr (line, is[i].column);
      if (!at)
        continue;
      seen++;
      cr_expect_eq (number_of (ix[i], (uint8_t) (8 * (rank - '1') + file - 'a')),
                    (unsigned) atoi (at + strlen (is[i].column)), "%s", line);
    }
  }
  fclose (f);
  cr_expect_eq (seen, 3 * 64);
  for (unsigned i = 0; i < 3; i++)
    sd_indexer_free (ix[i]);
}

/* Kristensen 2005, 2.3: Ke1 ke4 Ra1 Pc4 pd4, six bits a man. Here symmetry confines a man to the files a to
 * d, which leaves the rook on a1 where it is, and a pawn counts from a2, as it has 48 squares. */
Test (indexer, the_printed_example_has_the_printed_digits) {
  static const char printed[] = "000100 011100 000000 011010 011011";
  static const unsigned first[5] = { 0, 0, 0, 8, 8 }; /* each digit's first square */
  static const uint8_t sq[5] = { 4, 0, 26, 28, 27 };  /* in the order of the name: K R P k p */
  static const uint32_t radices[5] = { 64, 64, 32, 48, 48 };
  sd_indexer *ix = make ("KRPvKP", "KkR!Pp", "rows");
  uint32_t radix[SD_MAX_RADICES];
  uint8_t back[SD_MAX_MEN];
  const uint64_t i = sd_index_of (ix, sq);
  uint64_t whole = 0, rest = i;
  cr_assert_eq (sd_indexer_shape (ix, radix), 5u);
  for (unsigned k = 5; k-- > 0; rest /= radix[k]) {
    cr_expect_eq (radix[k], radices[k]);
    cr_expect_eq (rest % radix[k] + first[k], strtoull (printed + 7 * k, NULL, 2), "digit %u", k);
  }
  cr_expect_eq (rest, 0u);
  for (unsigned k = 0; k < 5; k++)
    whole = 64 * whole + strtoull (printed + 7 * k, NULL, 2);
  cr_expect_eq (whole, 4ull * 64 * 64 * 64 * 64 + 28ull * 64 * 64 * 64 + 0 * 64 * 64 + 26 * 64 + 27);
  cr_expect (sd_index_squares (ix, i, back));
  cr_expect_eq (memcmp (back, sq, 5), 0);
  sd_indexer_free (ix);
}

Test (indexer, reordering_agrees_with_decoding_and_encoding) {
  static const char *const orders[][3] = {
    { "KRvKP", "pRKk", "RkpK" },
    { "KRvKP", "pkRK", NULL },
    { "KRvKP", NULL, "kRKp" },
    { "KRvKP", "KRkp", "p!KkR" },
    { "KQvKR", "KQrk", NULL },
    { "KQvKR", "qq", NULL },
    { "KQvKR", "rkKQ", "k!QrK" },
    { "KQQvK", "kKQ", NULL },
    { "KPPvK", "KPk", "kKP" },
    { "KRvK", NULL, "RKk" },
    { "KRvK", "RKk", NULL },
    /* the man who moves leads in one of them, or in both; the pair of kings leads */
    { "KQvKR", "rkQK!", "KQ!kr" },
    { "KQvKR", "rQ!kK", "K!kQr" },
    { "KQvKR", "rkQK!", "K!rkQ" },
    { "KQvKR", "rkQK!", NULL },
    { "KPvKR", "rkPK!", "K!Pkr" },
    /* a tie while the man who moves is or has a leader, or others are equal men */
    { "KQvKR", NULL, "KQr!k" },
    { "KQvKR", "k!QrK", NULL },
    { "KQQvK", "QK!k", "kK!Q" },
    { "KNNNvK", "NK!k", "K!kN" },
    /* a digit around another one */
    { "KRvK", "RKk", "kR(K)" },
    { "KRvK", "kR(K)", "RKk" },
    { "KRvKP", "pRKk", "p!kR(K)" },
  };
  for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
    if (orders[k][1] && orders[k][1][0] == 'q')
      continue;
    sd_indexer *to = make (orders[k][0], orders[k][1], "rows"),
               *from = make (orders[k][0], orders[k][2], "z");
    enum { CHUNK = 5000 };
    static uint64_t map[CHUNK];
    uint64_t n = sd_indexer_size (to);
    for (uint64_t first = 0; first<n; first += n> 400000 ? 39 * CHUNK + 17 : CHUNK) {
      uint64_t count = n - first < CHUNK ? n - first : CHUNK;
      sd_index_remap (to, from, first, count, map);
      for (uint64_t i = 0; i < count; i++) {
        uint8_t sq[SD_MAX_MEN];
        uint64_t want = sd_index_squares (to, first + i, sq) ? sd_index_of (from, sq) : UINT64_MAX;
        cr_assert_eq (map[i], want, "case %zu slot %" PRIu64 ": %" PRIu64 ", expected %" PRIu64, k, first + i,
                      map[i], want);
      }
    }
    sd_indexer_free (to);
    sd_indexer_free (from);
  }
}

Test (layout, text_and_bytes_come_back) {
  for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
    sd_indexer *ix =
        make (samples[k].material, samples[k].order[0] ? samples[k].order : NULL, samples[k].numbering);
    const sd_layout *l = sd_indexer_layout (ix);
    sd_layout again;
    char order[24], numbering[24];
    sd_layout_order_text (l, order);
    sd_layout_numbering_text (l, numbering);
    cr_assert_eq (sd_layout_parse (&l->material, order, numbering, &again, NULL), SD_OK, "%s", order);
    cr_expect (sd_layout_equal (l, &again), "%s %s", order, numbering);
    sd_buf b = { 0 };
    sd_layout_write (l, &b);
    for (size_t cut = 0; cut < b.len; cut++) {
      sd_reader r = sd_reader_of (b.data, cut);
      cr_expect_eq (sd_layout_read (&r, &l->material, &again, NULL), SD_EFORMAT);
    }
    sd_reader r = sd_reader_of (b.data, b.len);
    cr_assert_eq (sd_layout_read (&r, &l->material, &again, NULL), SD_OK);
    cr_expect (sd_layout_equal (l, &again), "%s %s", order, numbering);
    sd_buf_free (&b);
    sd_indexer_free (ix);
  }
}

Test (layout, wrong_orders_are_refused_with_a_sentence) {
  static const char *const bad[][3] = {
    { "KRvKP", "RKk", NULL },          { "KRvKP", "pRKkK", NULL },
    { "KRvKP", "pQKk", NULL },         { "KRvKP", "", NULL },
    { "KRvKP", "!pRKk", NULL },        { "KRvKP", "pRKk", "x" },
    { "KQQvK", "kQ!K", NULL },         { "KRvKP", "[Kk]pRK", NULL },
    { "KRvKP", "[kK]pR", NULL },       { "KRvKP", "pRKk", "z/" },
    { "KRvKP", "pRKk", "z/z/rows/" },  { "KRvKP", "p!R!Kk", NULL },
    { "KRvKP", "pRKkpRKkpRKk", NULL }, { "KRvK", "[Kk]R!", NULL },
    { "KRvKP", "p!kR(K", NULL },       { "KRvKP", "p!kR!(K)", NULL },
    { "KRvKP", "p!R(kK)", NULL },      { "KRvKP", "p!R(k)K", NULL },
    { "KRvKP", "k!KR(p)(R)", NULL },   { "KRvKP", "k!KRp()", NULL },
    { "KRvKP", "k!Kp(R)", NULL },      { "KRvKP", "p!k)R(K", NULL },
    { "KRvKP", "p!k(R(K))", NULL },    { "KQQvK", "kQ(K)", NULL },
    { "KPvK", "K!P(k)", NULL },
  };
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    sd_material m;
    sd_layout l;
    sd_error err = { 0 };
    cr_assert_eq (sd_material_parse (bad[k][0], &m, NULL), SD_OK);
    cr_expect_eq (sd_layout_parse (&m, bad[k][1], bad[k][2], &l, &err), SD_EINVAL, "%s", bad[k][1]);
    cr_expect (strlen (err.text) > 10, "%s: '%s'", bad[k][1], err.text);
  }
}

Test (layout, of_the_generator_has_a_single_piece_last) {
  static const char *const orders[][2] = {
    { "KQvK", "[Kk]Q" },       { "KPvK", "[Kk]P" },      { "KRvKP", "[Kk]pR" },   { "KNPvK", "[Kk]PN" },
    { "KPvKP", "[Kk]Pp" },     { "KPPvKP", "[Kk]Pp" },   { "KRBBvK", "[Kk]BR" },  { "KNNvKP", "[Kk]pN" },
    { "KRPvKRP", "[Kk]PpRr" }, { "KQPPvKR", "[Kk]PQr" }, { "KBBvKNN", "[Kk]Bn" }, { "KRPvKPP", "[Kk]pPR" },
  };
  for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++) {
    sd_material m;
    sd_layout l;
    char text[24];
    sd_error err = { 0 };
    cr_assert_eq (sd_material_parse (orders[i][0], &m, &err), SD_OK, "%s", err.text);
    sd_layout_kings_first (&m, &l);
    sd_layout_order_text (&l, text);
    cr_expect_str_eq (text, orders[i][1], "%s: %s", orders[i][0], text);
  }
}

Test (layout, all_orders_are_different_and_keep_the_leader) {
  sd_material m;
  sd_layout l, all[24];
  cr_assert_eq (sd_material_parse ("KRvKP", &m, NULL), SD_OK);
  sd_layout_default (&m, &l);
  cr_assert_eq (sd_layout_orders (&l, all, 24), 24);
  for (unsigned a = 0; a < 24; a++) {
    cr_expect_eq (sd_layout_check (&all[a], NULL), SD_OK);
    const sd_group *leader = &all[a].group[all[a].leader];
    cr_expect (leader->type == SD_KING && leader->colour == SD_WHITE);
    for (unsigned b = 0; b < a; b++)
      cr_expect (!sd_layout_equal (&all[a], &all[b]));
  }
}
