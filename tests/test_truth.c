/* All 35 endings with 3 and 4 men, as subdef-gen wrote them (the makefile runs it once before this program),
 * against published figures: results of unique positions (Syzygy), longest mates (Scid, Texel), histograms
 * (Gaviota). */
#include "config.h"
#include "published.h"
#include "table/table.h"
#include <criterion/criterion.h>
#include <inttypes.h>

static void folder (char *out, size_t cap) {
  const char *root = getenv ("SD_BUILDDIR");
  snprintf (out, cap, "%s/tests/tables", root ? root : ".");
}

static void load (sd_exacts **s, const char *name, const sd_exact **e) {
  char path[4096];
  sd_material m;
  sd_error err = { 0 };
  folder (path, sizeof path);
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_exacts_new (path, s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_exacts_get (*s, &m, e, &err), SD_OK, "%s", err.text);
}

/* Published counts tell equal pieces apart: a position then counts twice, unless a symmetry of the board
 * exchanges the two. */
static unsigned weight (const sd_exact *e, uint64_t slot) {
  uint8_t sq[SD_MAX_MEN];
  const uint8_t *c = e->material.count[0];
  bool equal = false;
  for (unsigned type = 0; type < SD_KING; type++)
    equal |= c[type] == 2;
  if (!equal)
    return 1;
  if (sd_material_has_pawns (&e->material) || !sd_index_squares (e->indexer, slot, sq))
    return 2;
#define MIRROR(s) ((s) >> 3 | ((s) &7) << 3)
  bool exchanged = MIRROR (sq[0]) == sq[0] && MIRROR (sq[3]) == sq[3] && MIRROR (sq[1]) == sq[2];
  return exchanged ? 1 : 2; /* K, the pair, k: slots hold the kings on a1-h8 where a symmetry keeps them */
}

static void expect_counts (const sd_exact *e, unsigned side, const published *p) {
  uint64_t n[3] = { 0 };
  const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
  for (uint64_t i = 0; i < e->n; i++)
    if (v[i] != SD_ILLEGAL)
      n[1 - sd_value_wdl (v[i])] += weight (e, i);
  uint64_t won = published_number (p, 2) + published_number (p, 3), drawn = published_number (p, 4),
           lost = published_number (p, 5) + published_number (p, 6);
  cr_expect (n[0] == won && n[1] == drawn && n[2] == lost,
             "%s %s: %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost; published %" PRIu64 ", %" PRIu64
             ", %" PRIu64,
             p->field[0], p->field[1], n[0], n[1], n[2], won, drawn, lost);
}

/* Rows of one ending stand together; `either` is the longest of both sides. */
static void expect_maxima (const sd_exact *e, const char *name) {
  published p;
  unsigned rows = 0;
  cr_assert (published_open (&p, "dtm-maxima.csv"));
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

Test (truth, results_and_longest_mates_of_all_35_endings_are_the_published_ones) {
  published p;
  char name[16] = "";
  unsigned rows = 0, endings = 0;
  sd_exacts *s = NULL;
  const sd_exact *e = NULL;
  cr_assert (published_open (&p, "wdl-counts.csv"));
  while (published_row (&p)) {
    if (strcmp (name, p.field[0]) != 0) {
      snprintf (name, sizeof name, "%s", p.field[0]);
      sd_exacts_free (s);
      load (&s, name, &e);
      expect_maxima (e, name);
      endings++;
    }
    expect_counts (e, *p.field[1] == 'b', &p);
    rows++;
  }
  sd_exacts_free (s);
  cr_expect (endings == 35 && rows == 70, "%u endings, %u rows", endings, rows);
}

Test (truth, each_distance_to_mate_occurs_as_often_as_published) {
  published p;
  char name[16] = "";
  unsigned rows = 0;
  sd_exacts *s = NULL;
  const sd_exact *e = NULL;
  cr_assert (published_open (&p, "dtm-histograms-3.csv"));
  while (published_row (&p)) { /* material,side,plies,result,moves,positions */
    if (strcmp (name, p.field[0]) != 0) {
      snprintf (name, sizeof name, "%s", p.field[0]);
      sd_exacts_free (s);
      load (&s, name, &e);
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
  sd_exacts_free (s);
  cr_expect (rows > 100, "%u rows", rows);
}
