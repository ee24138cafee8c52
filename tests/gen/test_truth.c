/* All 35 endings with 3 and 4 men, as subdef-gen wrote them (the makefile runs it once before this program),
 * against published figures: results of unique positions (Syzygy), longest mates (Scid, Texel), histograms
 * (Gaviota). SD_TRUTH_TABLES=FOLDER compares whatever tables with five men are there, too. */
#include "config.h"
#include "probe/probe.h"
#include "tests/gen/orders.h"
#include "tests/gen/published.h"
#include "tests/obdd/printed_boards.h"
#include <criterion/criterion.h>
#include <inttypes.h>

static void folder (char *out, size_t cap) {
  const char *root = getenv ("SD_BUILDDIR");
  snprintf (out, cap, "%s/tests/tables", root ? root : ".");
}

static void load (const char *path, sd_values **s, const char *name, const sd_exact **e) {
  char tables[4096];
  sd_material m;
  sd_error err = { 0 };
  folder (tables, sizeof tables);
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_new (path ? path : tables, SD_DTM, s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_whole (*s, &m, e, &err), SD_OK, "%s", err.text);
}

static void expect_counts (const sd_exact *e, unsigned side, const published *p) {
  const unsigned orders = orders_of (&e->material);
  uint64_t n[3] = { 0 };
  const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
  for (uint64_t i = 0; i < e->n; i++)
    if (v[i] != SD_ILLEGAL)
      n[1 - sd_value_wdl (v[i])] += weight (e, i, orders);
  uint64_t won = published_number (p, 2) + published_number (p, 3), drawn = published_number (p, 4),
           lost = published_number (p, 5) + published_number (p, 6);
  cr_expect (n[0] == won && n[1] == drawn && n[2] == lost,
             "%s %s: %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost; published %" PRIu64 ", %" PRIu64
             ", %" PRIu64,
             p->field[0], p->field[1], n[0], n[1], n[2], won, drawn, lost);
}

/* Rows of one ending stand together; `either` is the longest of both sides. */
static void expect_maxima (const sd_exact *e, const char *name, const char *file) {
  published p;
  unsigned rows = 0;
  cr_assert (published_open (&p, file));
  while (published_row (&p)) {
    if (strcmp (p.field[0], name) != 0)
      continue;
    rows++;
    int plies = 0;
    bool win = strcmp (p.field[3], "win") == 0;
    for (unsigned side = 0; side < 2; side++) {
      sd_counts c;
      if (*p.field[2] != 'e' && side != (*p.field[2] == 'b'))
        continue;
      sd_exact_count (e, side, &c);
      int longest = win ? c.longest_win : c.longest_loss ? -c.longest_loss - 1 : 0;
      plies = longest > plies ? longest : plies;
    }
    cr_expect_eq ((unsigned) plies, published_number (&p, 5), "%s %s %s: longest %d plies, published %s",
                  name, p.field[2], p.field[3], plies, p.field[5]);
  }
  cr_expect (rows >= 2, "%s: %u rows of longest mates", name, rows);
}

static bool is_there (const char *path, const char *name) {
  char file[4200];
  snprintf (file, sizeof file, "%s/%s.dtm.sdt", path, name);
  return sd_file_exists (file);
}

/* path NULL: our own tables, all of which must be there. Returns the endings that were compared. */
static unsigned compare (const char *path, const char *counts, const char *maxima) {
  published p;
  char name[16] = "";
  unsigned endings = 0;
  bool there = false;
  sd_values *s = NULL;
  const sd_exact *e = NULL;
  cr_assert (published_open (&p, counts));
  while (published_row (&p)) {
    if (strcmp (name, p.field[0]) != 0) {
      snprintf (name, sizeof name, "%s", p.field[0]);
      sd_values_free (s);
      s = NULL;
      there = !path || is_there (path, name);
      if (there) {
        load (path, &s, name, &e);
        expect_maxima (e, name, maxima);
        endings++;
        if (path)
          printf ("%s compared\n", name);
      }
    }
    if (there)
      expect_counts (e, *p.field[1] == 'b', &p);
  }
  sd_values_free (s);
  return endings;
}

Test (truth, results_and_longest_mates_of_all_35_endings_are_the_published_ones) {
  cr_expect_eq (compare (NULL, "wdl-counts.csv", "dtm-maxima.csv"), 35u);
}

Test (truth, results_and_longest_mates_of_five_men_are_the_published_ones) {
  const char *path = getenv ("SD_TRUTH_TABLES");
  if (!path)
    cr_skip_test ("SD_TRUTH_TABLES names no folder of tables");
  cr_expect_gt (compare (path, "wdl-counts-5.csv", "dtm-maxima-5.csv"), 0u, "%s: no table with five men",
                path);
}

Test (truth, each_distance_to_mate_occurs_as_often_as_published) {
  published p;
  char name[16] = "";
  unsigned rows = 0;
  sd_values *s = NULL;
  const sd_exact *e = NULL;
  cr_assert (published_open (&p, "dtm-histograms-3.csv"));
  while (published_row (&p)) { /* material,side,plies,result,moves,positions */
    if (strcmp (name, p.field[0]) != 0) {
      snprintf (name, sizeof name, "%s", p.field[0]);
      sd_values_free (s);
      load (NULL, &s, name, &e);
    }
    unsigned side = *p.field[1] == 'b';
    int plies = (int) published_number (&p, 2);
    uint64_t n = 0;
    for (uint64_t i = 0; i < e->n; i++) {
      int v = e->value[side][i];
      if (v == SD_ILLEGAL)
        continue;
      switch (*p.field[3]) {
      case 'w':
        n += v == plies;
        break;
      case 'l':
        n += v == -plies - 1;
        break;
      case 'd':
        n += v == 0;
        break;
      default: /* total */
        n++;
      }
    }
    cr_expect_eq (n, published_number (&p, 5), "%s %s %s %s: %" PRIu64 ", published %s", name, p.field[1],
                  p.field[3], p.field[2], n, p.field[5]);
    rows++;
  }
  sd_values_free (s);
  cr_expect (rows > 100, "%u rows", rows);
}

/* Kristensen 2005, 2.5: a square on which the queen gets a distance is a legal position with that distance,
 * a free one is none. */
Test (truth, the_boards_of_KQvKR_are_the_printed_ones) {
  static const uint8_t king[PRINTED_BOARDS] = { 39, 47 }; /* h5, h6; Black's king on d4, the rook on a4 */
  unsigned values = 0, no_position = 0;
  sd_values *s;
  const sd_exact *e;
  load (NULL, &s, "KQvKR", &e);
  for (unsigned board = 0; board < PRINTED_BOARDS; board++)
    for (unsigned square = 0; square < 64; square++) {
      const uint8_t sq[4] = { king[board], (uint8_t) square, 27, 24 };
      const char cell = *printed_cell (board, square);
      sd_pos p;
      sd_value v = SD_ILLEGAL;
      if (square == sq[0] || square == sq[2] || square == sq[3]) {
        cr_expect_eq (cell, square == sq[0] ? 'K' : square == sq[2] ? 'k' : 'r');
        continue;
      }
      sd_pos_from_squares (&e->material, sq, SD_WHITE, &p);
      if (sd_pos_legal (&p))
        cr_assert_eq (sd_values_of (s, &p, &v), SD_OK);
      const unsigned moves = printed_moves (board, square);
      cr_expect_eq (v, moves ? (sd_value) (2 * moves - 1) : SD_ILLEGAL, "board %u, square %u: %d", board,
                    square, v);
      values += moves > 0;
      no_position += cell == '.';
    }
  cr_expect_eq (values, PRINTED_VALUES);
  cr_expect_eq (no_position, PRINTED_FREE);
  sd_values_free (s);
}
