/* What is predicted of an ending against what is measured when it is generated in one process; several ranks
 * are in subdef_gen.sh. */
#include "config.h"
#include "gen/estimate_internal.h"
#include "gen/games/chess/chess_game.h"
#include "gen/games/chess/chess_internal.h"
#include "tests/gen/published.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static sd_material material (const char *name) {
  sd_material m, c;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  sd_material_canonical (&m, &c);
  return c;
}

static sd_estimate estimate (const char *name, const sd_estimate_run *run) {
  const sd_material m = material (name);
  sd_estimate e;
  sd_error err = { 0 };
  cr_assert_eq (sd_gen_estimate (&m, run, &e, &err), SD_OK, "%s", err.text);
  return e;
}

static char *temp_folder (char *path) {
  cr_assert_not_null (mkdtemp (path));
  return path;
}

/* Bytes of its files, which are removed with it. */
static uint64_t empty (const char *folder) {
  DIR *d = opendir (folder);
  struct dirent *e;
  uint64_t bytes = 0;
  while (d && (e = readdir (d))) {
    struct stat s;
    if (fstatat (dirfd (d), e->d_name, &s, 0) == 0 && S_ISREG (s.st_mode)) {
      bytes += (uint64_t) s.st_size;
      unlinkat (dirfd (d), e->d_name, 0);
    }
  }
  if (d)
    closedir (d);
  rmdir (folder);
  return bytes;
}

static double off (uint64_t predicted, uint64_t measured) {
  return fabs ((double) predicted - (double) measured) / (double) measured;
}

Test (estimate, generated_endings_take_what_was_predicted) {
  static const char *const name[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR", "KNvKN", "KRvKR" };
  char folder[] = "/tmp/sd-estimate-XXXXXX";
  sd_transport t;
  sd_game_tables *tables;
  static const sd_rules chess = { &sd_game_chess, NULL };
  sd_error err = { 0 };
  sd_transport_self (&t);
  cr_assert_eq (sd_game_tables_open (&chess, temp_folder (folder), 0, &tables, &err), SD_OK);
  for (unsigned i = 0; i < sizeof name / sizeof *name; i++)
    for (unsigned threads = 1; threads <= (i < 5 ? 2 : 1); threads++) {
      const sd_material m = material (name[i]);
      const sd_estimate e = estimate (name[i], &(sd_estimate_run){ .threads = threads });
      const sd_solve_options o = { .threads = threads };
      const sd_gen_run run = { &t, NULL, &o, NULL };
      sd_gen_stats both;
      char path[64];
      snprintf (path, sizeof path, "%s/%s.dtm.sdt", folder, name[i]);
      cr_assert_eq (sd_gen_build (&run, tables, sd_chess_slice (&m), path, &both, &err), SD_OK, "%s",
                    err.text);
      const sd_solve_stats s = both.solve;
      const sd_output_stats w = both.output;
      const uint64_t solving = s.bytes + s.values_bytes, marks = s.marks_a + s.marks_b;
      cr_expect_eq (e.states, s.states);
      cr_expect (off (e.memory_bytes, solving > w.bytes ? solving : w.bytes) < 0.04,
                 "%s, %u threads: %" PRIu64 " bytes predicted, solving %" PRIu64 ", writing %" PRIu64,
                 name[i], threads, e.memory_bytes, solving, w.bytes);
      cr_expect ((double) e.disk_bytes < SD_ESTIMATE_DISK * (double) w.file_bytes + 500
                     && (double) w.file_bytes < SD_ESTIMATE_DISK * (double) e.disk_bytes + 500,
                 "%s: table of %" PRIu64 " bytes predicted, it has %" PRIu64, name[i], e.disk_bytes,
                 w.file_bytes);
      cr_expect (fabs ((double) e.marks - (double) marks) < 0.06 * (double) e.marks_most + 100,
                 "%s: %" PRIu64 " marks predicted of %" PRIu64 ", %" PRIu64 " sent", name[i], e.marks,
                 e.marks_most, marks);
      cr_expect_leq ((double) marks, 1.02 * (double) e.marks_most);
      cr_expect (e.published && e.iterations == s.plies + 2, "%s: %u iterations predicted, %u plies", name[i],
                 e.iterations, s.plies);
      cr_expect (e.messages == 0 && s.groups == 0);
    }
  sd_game_tables_close (tables);
  empty (folder);
}

/* Two generations at one time. */
Test (estimate, checkpoints_have_the_bytes_predicted) {
  const sd_estimate e = estimate ("KQvK", NULL), pawn = estimate ("KPvK", NULL);
  char above[] = "/tmp/sd-estimate-XXXXXX", folder[64];
  uint16_t *rec = calloc (e.states, sizeof *rec);
  const sd_game g = { .name = "KQvK", .nstates = e.states };
  sd_transport t;
  sd_deal deal;
  sd_checkpoint c;
  sd_error err = { 0 };
  sd_transport_self (&t);
  sd_deal_make (e.states, 1, 0, &deal);
  snprintf (folder, sizeof folder, "%s/c", temp_folder (above));
  cr_assert_eq (sd_checkpoint_open (folder, 0, &t, NULL, &c, &err), SD_OK, "%s", err.text);
  cr_assert_eq (c.save (c.ctx, &g, &deal, &(sd_solve_point){ 0 }, rec, &err), SD_OK, "%s", err.text);
  sd_checkpoint_close (&c);
  cr_expect_eq (2 * empty (folder), e.checkpoint_bytes);
  /* with pawns, of a sixth of the states, and values of all of them */
  cr_expect (off (pawn.checkpoint_bytes, 2 * 2 * pawn.states / 6 + 2 * pawn.states) < 0.01);
  rmdir (above);
  free (rec);
}

/* Placements of White's pawns a, and b where there are two, and Black's c that give the right to capture en
 * passant, each as often as there are files; one by one. */
static uint64_t rights (unsigned white_pawns, unsigned pusher) {
  uint64_t n = 0;
  for (unsigned a = 8; a < 56; a++)
    for (unsigned b = white_pawns == 2 ? a + 1 : 55; b < 56; b++)
      for (unsigned c = 8; c < 56; c++) {
        const uint64_t white = sd_bit (a) | (white_pawns == 2 ? sd_bit (b) : 0), black = sd_bit (c);
        if (!(white & black))
          n += (unsigned) __builtin_popcount (sd_chess_ep_files (pusher, white, black));
      }
  return n;
}

Test (estimate, states_with_a_right_to_capture_en_passant_are_counted) {
  const sd_estimate one = estimate ("KPvKP", NULL), two = estimate ("KPPvKP", NULL),
                    more = estimate ("KRPvKP", NULL);
  cr_expect_eq (one.states - one.slots, 1806 * rights (1, SD_BLACK));
  cr_expect_eq (two.states - two.slots, 1806 * (rights (2, SD_BLACK) + rights (2, SD_WHITE)));
  cr_expect_eq (more.states - more.slots, 1806 * 64 * (rights (1, SD_BLACK) + rights (1, SD_WHITE)));
}

static double words (const char *name, int ranks, unsigned side, double together) {
  const sd_material m = material (name);
  sd_game g;
  sd_deal deal;
  double out;
  sd_error err = { 0 };
  cr_assert_eq (sd_chess_game_new (NULL, &m, &g, &err), SD_OK, "%s", err.text);
  sd_deal_make (g.nstates, ranks, sd_deal_grain (&g, ranks, 0), &deal);
  cr_assert_eq (sd_estimate_words (&g, &deal, side, together, &out, &err), SD_OK, "%s", err.text);
  sd_chess_game_free (&g);
  return out;
}

/* Counted in the solved endings: 0.634 and 0.415; 0.746; 0.928. */
Test (estimate, marks_that_go_together_take_fewer_words) {
  cr_expect_eq (words ("KQvKQ", 2, 0, 0.5), 1);
  cr_expect_eq (words ("KQvKR", 2, 0, 0), 1);
  cr_expect (fabs (words ("KQvKR", 2, 0, 0.163) - 0.634) < 0.05, "%g", words ("KQvKR", 2, 0, 0.163));
  cr_expect (fabs (words ("KQvKR", 8, 0, 0.163) - 0.415) < 0.05, "%g", words ("KQvKR", 8, 0, 0.163));
  cr_expect (fabs (words ("KPvK", 2, 1, 0.216) - 0.746) < 0.05, "%g", words ("KPvK", 2, 1, 0.216));
  cr_expect (fabs (words ("KBBvK", 2, 1, 0.185) - 0.926) < 0.05, "%g", words ("KBBvK", 2, 1, 0.185));
  cr_expect_lt (words ("KBNvK", 3, 0, 0.4), words ("KBNvK", 3, 0, 0.2));
  cr_expect_gt (words ("KBNvK", 3, 0, 1), 3. / 64);
}

/* Records hold what the smaller endings can ask of them; the four queens of a side lose in a few moves. */
Test (estimate, the_longest_conversions_that_six_men_have_fit) {
  sd_material all[1001];
  const unsigned n = sd_material_all (7, all, 1001);
  cr_assert (n > 300 && n <= 1001);
  for (unsigned i = 0; i < n; i++) {
    sd_estimate e;
    sd_error err = { 0 };
    if (i % 8 && all[i].count[SD_WHITE][SD_QUEEN] < 3)
      continue;
    cr_assert_eq (sd_gen_estimate (&all[i], NULL, &e, &err), SD_OK, "%s", err.text);
    const unsigned least = all[i].count[SD_WHITE][SD_QUEEN] < 4 ? SD_LONGEST_SIX : 220;
    cr_expect (e.longest_conversion >= least, "%u moves, %u queens", e.longest_conversion,
               all[i].count[SD_WHITE][SD_QUEEN]);
  }
}

Test (estimate, seven_men_and_many_ranks) {
  const sd_estimate few = estimate ("KRPPvKRP", &(sd_estimate_run){ .ranks = 256 }),
                    many = estimate ("KRPPvKRP", &(sd_estimate_run){ .ranks = 1024, .threads = 4 });
  cr_expect_eq (few.slots, 2ull * 1806 * 64 * 1128 * 64 * 48);
  /* An eighth of the states are in the largest of 16 parts. */
  cr_expect (!few.published && few.least_ranks == 23, "%d ranks", few.least_ranks);
  cr_expect (many.memory_bytes > few.memory_bytes && few.memory_bytes > few.slots / 2
             && few.memory_bytes < 2 * few.slots);
  cr_expect (many.messages > few.messages && few.messages * 16000 > few.marks_remote / 2);
  cr_expect (few.marks_remote > 0 && few.marks_remote < few.marks && few.marks < few.marks_most);
  cr_expect_gt (few.checkpoint_bytes, 2 * few.states);
}

Test (estimate, the_longest_mates_up_to_five_men_are_the_published_ones) {
  unsigned n = 0;
  for (unsigned men = 4; men <= 5; men++) {
    published p;
    cr_assert (published_open (&p, men == 4 ? "dtm-maxima.csv" : "dtm-maxima-5.csv"));
    while (published_row (&p)) {
      sd_material m;
      sd_outlook o;
      if (strcmp (p.field[2], "either") != 0 || sd_material_parse (p.field[0], &m, NULL) != SD_OK)
        continue;
      sd_estimate_outlook (&m, &o);
      cr_expect (o.published && o.plies == strtoul (p.field[5], NULL, 10), "%s: %u plies, not %s", p.field[0],
                 o.plies, p.field[5]);
      n++;
    }
  }
  cr_expect_gt (n, 130u, "only %u endings", n);
}
