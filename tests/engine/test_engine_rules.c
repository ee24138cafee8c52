/* <subdef/probe.h> and <subdef/fathom.h> under the 50-move rule, from Syzygy's files and beside tables of
 * this project. What Fathom says of the same files was written down here (commit c9c6fef of jdart1/Fathom).
 */
#include "config.h"
#include "engine/fathom.h"
#include "tests/engine/engine_made.h"

static const char *syzygy (void) {
  static char path[600];
  const char *source = getenv ("SD_SRCDIR");
  snprintf (path, sizeof path, "%s/tests/golden/syzygy", source ? source : ".");
  return path;
}

#define BOARDS(q) (q).white, (q).black, (q).kings, (q).queens, (q).rooks, (q).bishops, (q).knights, (q).pawns

typedef struct said {
  const char *fen;
  unsigned wdl, root_wdl, plies, moves; /* tb_probe_wdl, tb_probe_root; moves 0: checkmate or stalemate */
  int rank, score;                      /* of the best move, tb_probe_root_dtz with the rule */
} said;
static const said fathom[] = {
  { "8/8/8/8/8/3k4/8/K6Q w - - 0 1", 4, 4, 13, 23, 1000, 31744 },
  { "8/8/8/8/8/3k4/8/K6Q w - - 90 60", 4, 3, 13, 23, 897, 497 },
  { "8/8/8/8/8/3k4/8/K6R w - - 60 60", 4, 4, 25, 16, 1000, 31744 },
  { "8/8/8/8/8/3k4/8/K6R w - - 80 60", 4, 3, 25, 16, 895, 495 },
  { "8/8/8/8/8/3k4/7R/K7 b - - 75 60", 0, 1, 32, 5, -893, -493 },
  { "8/8/8/8/8/3k4/7R/K7 b - - 0 60", 0, 0, 32, 5, -1000, -31744 },
  { "8/2P5/8/8/8/2k5/8/K7 w - - 99 60", 4, 4, 1, 6, 900, 31744 },
  { "8/8/8/8/2k5/8/2P5/2K5 w - - 10 60", 2, 2, 0, 5, 0, 0 },
  { "8/8/8/4k3/8/4K3/4P3/8 b - - 50 60", 0, 0, 8, 5, -1000, -31744 },
  { "8/8/8/8/8/1k6/1q6/K7 w - - 0 1", 0, 4, 0, 0, 0, 0 },
  { "8/8/8/8/8/1q6/8/K6k w - - 0 1", 2, 2, 0, 0, 0, 0 },
  { "8/8/8/3k4/8/8/r7/K6R w - - 3 1", 4, 4, 1, 2, 1000, 31744 },
  { "6R1/8/8/8/8/2k5/1r6/K7 w - - 98 90", 4, 3, 5, 14, 898, 498 },
  { "8/8/8/8/8/2k5/6r1/K6R b - - 12 90", 2, 2, 0, 21, 0, 0 },
};

Test (rules, fathoms_values_from_syzygys_files) {
  static struct TbRootMoves list;
  unsigned results[TB_MAX_MOVES];
  cr_assert (tb_init (syzygy ()) && TB_LARGEST == 4);
  for (size_t k = 0; k < sizeof fathom / sizeof fathom[0]; k++) {
    const said *s = &fathom[k];
    sd_prober_position q;
    int best = -2000, score = 0;
    cr_assert (sd_prober_fen (s->fen, &q) == SD_PROBER_OK);
    cr_expect (tb_probe_wdl (BOARDS (q), 0, 0, q.ep, !q.black_to_move) == s->wdl, "%s", s->fen);
    const unsigned root = tb_probe_root (BOARDS (q), q.clock, 0, q.ep, !q.black_to_move, results);
    cr_expect (TB_GET_WDL (root) == s->root_wdl && TB_GET_DTZ (root) == s->plies, "%s: %x", s->fen, root);
    cr_expect (s->moves || root == (s->wdl ? TB_RESULT_STALEMATE : TB_RESULT_CHECKMATE), "%s", s->fen);
    cr_expect (results[s->moves] == TB_RESULT_FAILED, "%s", s->fen);
    cr_expect (tb_probe_root_dtz (BOARDS (q), q.clock, 0, q.ep, !q.black_to_move, false, true, &list)
               && list.size == s->moves);
    for (unsigned i = 0; i < list.size; i++)
      if (list.moves[i].tbRank > best) {
        best = list.moves[i].tbRank;
        score = list.moves[i].tbScore;
      }
    cr_expect (!s->moves || (best == s->rank && score == s->score), "%s: %d %d", s->fen, best, score);
  }
  tb_free ();
}

Test (rules, ranks_by_wdl_alone_and_without_the_rule) {
  static struct TbRootMoves list;
  sd_prober_position q;
  cr_assert (tb_init (syzygy ()));
  cr_assert (sd_prober_fen (fathom[3].fen, &q) == SD_PROBER_OK); /* a win that comes too late */
  cr_assert (tb_probe_root_wdl (BOARDS (q), q.clock, 0, 0, true, true, &list) && list.size == 16);
  for (unsigned i = 0; i < list.size; i++)
    cr_expect ((list.moves[i].tbRank == 1000 && list.moves[i].tbScore == 31744)
               || (list.moves[i].tbRank == 0 && list.moves[i].tbScore == 0));
  cr_assert (tb_probe_root_dtz (BOARDS (q), q.clock, 0, 0, true, false, false, &list));
  for (unsigned i = 0; i < list.size; i++)
    cr_expect_eq (list.moves[i].tbScore, list.moves[i].tbRank > 0 ? 31744 : 0);
  cr_assert (tb_probe_root_dtz (BOARDS (q), 0, 0, 0, true, true, true, &list)); /* repeated: no win is sure */
  for (unsigned i = 0; i < list.size; i++)
    cr_expect (list.moves[i].tbRank < 1000);
  cr_expect (!tb_probe_root_dtz (BOARDS (q), 0, TB_CASTLING_K, 0, true, true, true, &list));
  cr_expect (!tb_probe_root_wdl (BOARDS (q), 0, TB_CASTLING_K, 0, true, true, &list));
  tb_free ();
}

/* By Fathom's macros, which have no parentheses: max (3, r - 800) * 100 / 200 is 3 or r - 800 * 100 / 200. */
static int fathoms_score (int r, int bound) {
  return r >= bound   ? 31744
         : r > 0      ? (3 > r - 800 ? 3 : r - 400)
         : r == 0     ? 0
         : r > -bound ? (-3 < r + 800 ? -3 : r + 400)
                      : -31744;
}

Test (rules, scores_of_all_ranks) {
  for (int r = -1000; r <= 1000; r++) {
    cr_expect_eq (subdef_fathom_score (r, true), fathoms_score (r, 900), "%d", r);
    cr_expect_eq (subdef_fathom_score (r, false), fathoms_score (r, 1), "%d", r);
  }
}

/* The order: by rank, then the soonest win and the latest loss. */
Test (rules, moves_are_in_their_order) {
  sd_prober *prober = prober_of (syzygy (), 0);
  sd_prober_move moves[SD_PROBER_MOVES];
  for (size_t k = 0; k < sizeof fathom / sizeof fathom[0]; k++) {
    sd_prober_position q;
    unsigned n;
    int wdl50, plies;
    cr_assert (sd_prober_fen (fathom[k].fen, &q) == SD_PROBER_OK);
    cr_assert (sd_prober_root_dtz50 (prober, &q, 0, moves, &n) == SD_PROBER_OK && n == fathom[k].moves);
    cr_assert (sd_prober_dtz50 (prober, &q, &wdl50, &plies) == SD_PROBER_OK
               && wdl50 + 2 == (int) fathom[k].wdl);
    for (unsigned i = 1; i < n; i++) {
      const sd_prober_move *a = &moves[i - 1], *b = &moves[i];
      cr_expect (a->rank > b->rank
                 || (a->rank == b->rank && a->wdl == b->wdl
                     && (a->wdl > 0   ? a->dtz50 <= b->dtz50
                         : a->wdl < 0 ? a->dtz50 >= b->dtz50
                                      : a->dtz50 == 0)));
      cr_expect (a->dtm == -1 && abs (a->wdl50) <= 2);
    }
    cr_expect (n == 0 || moves[0].wdl == (wdl50 > 0) - (wdl50 < 0));
  }
  sd_prober_close (prober);
}

/* All positions of an ending: WDL told by WDL50, and a table of ours beside Syzygy's files, which it needs.
 */
static unsigned compare_wdl (const sd_prober *a, const sd_prober *b, const char *name) {
  const sd_material m = material (name);
  sd_exact *e;
  unsigned n = 0;
  cr_assert (sd_exact_new (&m, &e, NULL) == SD_OK);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i += 7) {
      sd_pos p;
      int x, y, ruled;
      if (!position (e, side, i, &p))
        continue;
      const sd_prober_position q = boards_of (&p);
      cr_assert (sd_prober_wdl (a, &q, &x) == SD_PROBER_OK && sd_prober_wdl (b, &q, &y) == SD_PROBER_OK);
      cr_assert (x == y);
      cr_assert (sd_prober_wdl50 (a, &q, &ruled) == SD_PROBER_OK && (ruled > 0) - (ruled < 0) == x);
      n++;
    }
  sd_exact_free (e);
  return n;
}

/* How many positions with White to move need a table that is missing. */
static unsigned missing_of (const sd_prober *prober, const char *name) {
  const sd_material m = material (name);
  sd_exact *e;
  unsigned n = 0;
  cr_assert (sd_exact_new (&m, &e, NULL) == SD_OK);
  for (uint64_t i = 0; i < e->n; i++) {
    sd_pos p;
    int wdl;
    if (!position (e, SD_WHITE, i, &p))
      continue;
    const sd_prober_position q = boards_of (&p);
    n += sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_MISSING;
  }
  sd_exact_free (e);
  return n;
}

static void copy_of (const char *from, const char *name) {
  char command[1400];
  snprintf (command, sizeof command, "cp '%s/%s' '%s/'", from, name, folder);
  cr_assert (system (command) == 0);
}

Test (rules, wdl_from_wdl50_and_tables_of_both_kinds_together, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KPvK");
  build (s, "KPvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "repair", "", NULL);
  char both[1200];
  snprintf (both, sizeof both, "%s:%s", folder, syzygy ());
  sd_prober *mixed = prober_of (both, 0), *theirs = prober_of (syzygy (), 0),
            *without = prober_of (folder, 0);
  cr_expect_eq (sd_prober_tables (without), 1);
  cr_expect (missing_of (without, "KPvK") > 1000, "no promotion has to be looked up");
  cr_expect (compare_wdl (mixed, theirs, "KPvK") > 10000);
  sd_prober_close (without);
  sd_prober_close (theirs);
  sd_prober_close (mixed);
  sd_values_free (s);
}

/* Of two files that hold the same one that can be opened counts, whichever was found first. */
Test (rules, a_file_that_does_not_fit_hides_no_other, .init = make_folder, .fini = remove_folder) {
  char path[800], both[1200];
  sd_prober_position q;
  int wdl;
  copy_of (syzygy (), "KRvK.rtbz");
  snprintf (path, sizeof path, "%s/KRvK.rtbw", folder);
  FILE *f = fopen (path, "wb");
  cr_assert (f && fputs ("no Syzygy file", f) > 0 && fclose (f) == 0);
  snprintf (both, sizeof both, "%s:%s", folder, syzygy ());
  cr_assert (sd_prober_fen (fathom[2].fen, &q) == SD_PROBER_OK);
  for (unsigned flags = 0; flags < 16; flags++) {
    char message[600];
    sd_prober *prober = prober_of (both, flags);
    cr_expect (sd_prober_wdl50 (prober, &q, &wdl) == SD_PROBER_OK && wdl == 2, "flags %u", flags);
    cr_expect (sd_prober_skipped (prober, 0, message, sizeof message) == SD_PROBER_DAMAGED
               && strstr (message, "KRvK.rtbw"));
    sd_prober_close (prober);
  }
}

/* KQvK.rtbw in the folder, its blocks damaged, which nobody sees without SD_PROBER_ALL. */
static void damaged_copy (void) {
  char path[800];
  copy_of (syzygy (), "KQvK.rtbw");
  snprintf (path, sizeof path, "%s/KQvK.rtbw", folder);
  FILE *f = fopen (path, "r+b");
  cr_assert (f && fseek (f, -80, SEEK_END) == 0);
  for (unsigned i = 0; i < 60; i++)
    fputc (0x5a, f);
  cr_assert (fclose (f) == 0);
}

/* How many positions of KQvK have another result by a than by b. */
static unsigned differ (const sd_prober *a, const sd_prober *b) {
  const sd_material m = material ("KQvK");
  sd_exact *e;
  unsigned n = 0;
  cr_assert (sd_exact_new (&m, &e, NULL) == SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      int x = 9, y = 9;
      if (!position (e, side, i, &p))
        continue;
      const sd_prober_position q = boards_of (&p);
      sd_prober_wdl50 (a, &q, &x);
      sd_prober_wdl50 (b, &q, &y);
      n += x != y;
    }
  sd_exact_free (e);
  return n;
}

/* Where a Syzygy file and a table of ours hold the same, the caller says which is asked. A Syzygy file whose
 * blocks are damaged, which nobody sees without SD_PROBER_ALL, tells them apart. */
Test (rules, the_caller_says_which_kind_comes_first, .init = make_folder, .fini = remove_folder) {
  char both[1200];
  const char *source = getenv ("SD_SRCDIR");
  damaged_copy ();
  snprintf (both, sizeof both, "%s:%s/tests/golden/rule", folder, source ? source : ".");
  sd_prober *truth = prober_of (syzygy (), 0), *ours = prober_of (both, 0),
            *theirs = prober_of (both, SD_PROBER_SYZYGY_FIRST),
            *compared = prober_of (both, SD_PROBER_SYZYGY_FIRST | SD_PROBER_ALL);
  cr_expect_eq (sd_prober_tables (ours), 2);
  cr_expect_eq (differ (ours, truth), 0);
  cr_expect (differ (theirs, truth) > 0);
  cr_expect_eq (differ (compared, truth), 0, "its checksum is compared, and the other table asked");
  sd_prober_close (truth);
  sd_prober_close (ours);
  sd_prober_close (theirs);
  sd_prober_close (compared);
  sd_prober *none;
  cr_expect_eq (sd_prober_open (both, 16, &none, NULL, 0), SD_PROBER_ARGUMENT);
}

/* Folders that are added later count like those that were there, whether a probe has opened their tables or
 * not. */
Test (rules, folders_that_are_added_later, .init = make_folder, .fini = remove_folder) {
  char rule[700];
  const char *source = getenv ("SD_SRCDIR");
  snprintf (rule, sizeof rule, "%s/tests/golden/rule", source ? source : ".");
  damaged_copy ();
  sd_prober *truth = prober_of (syzygy (), 0);
  for (unsigned probed = 0; probed < 2; probed++) {
    sd_prober *ours = prober_of (rule, 0), *theirs = prober_of (rule, SD_PROBER_SYZYGY_FIRST);
    if (probed)
      cr_expect (differ (ours, truth) == 0 && differ (theirs, truth) == 0);
    cr_expect (sd_prober_add (ours, folder, NULL, 0) == SD_PROBER_OK
               && sd_prober_add (theirs, folder, NULL, 0) == SD_PROBER_OK);
    cr_expect_eq (differ (ours, truth), 0, "probed before: %u", probed);
    cr_expect (differ (theirs, truth) > 0, "probed before: %u", probed);
    sd_prober_close (ours);
    sd_prober_close (theirs);
  }
  sd_prober_close (truth);
}

Test (rules, clocks_of_a_fen) {
  static const struct {
    const char *fen;
    unsigned clock;
  } is[] = { { "8/8/8/8/8/3k4/8/K6Q w - -", 0 },
             { "8/8/8/8/8/3k4/8/K6Q w - - 7", 7 },
             { "8/8/8/8/8/3k4/8/K6Q w - - 255 1", 255 },
             { "8/8/8/8/8/3k4/8/K6Q w - - 1000 1", 255 } };
  for (size_t k = 0; k < sizeof is / sizeof is[0]; k++) {
    sd_prober_position q;
    cr_expect (sd_prober_fen (is[k].fen, &q) == SD_PROBER_OK && q.clock == is[k].clock, "%s: %u", is[k].fen,
               q.clock);
  }
}
