/* <subdef/probe.h> on all endings with 3 and 4 men, as the generator writes them: every value of random
 * positions, en-passant rights among them, is that of sd_probe_value, and all moves are ranked. */
#include "config.h"
#include "engine/probe.h"
#include "probe/probe.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The generator's tables have blocks of 1 MiB, which each probe unpacks anew. */
enum { PER_ENDING = 16, ROOTS = 8 };

static int plies_of (sd_value v) {
  return v > 0 ? v : v < 0 ? -v - 1 : 0;
}

/* A random legal position; with a right to capture en passant if the men allow one. */
static void random_position (const sd_material *m, uint64_t *random, sd_pos *p) {
  const unsigned men = sd_material_men (m);
  for (;;) {
    uint8_t sq[SD_MAX_MEN];
    for (unsigned i = 0; i < men; i++)
      sq[i] = (uint8_t) (sd_random (random) % 64);
    sd_pos_from_squares (m, sq, sd_random (random) & 1, p);
    if ((unsigned) __builtin_popcountll (p->occ[0] | p->occ[1]) != men || !sd_pos_legal (p))
      continue;
    const uint64_t rights = sd_ep_squares (p);
    if (rights)
      p->ep = (uint8_t) sd_lowest (rights);
    return;
  }
}

static void compare (const sd_tables *ts, const sd_prober *prober, const sd_pos *p, bool root) {
  sd_prober_position q;
  sd_prober_move moves[SD_PROBER_MOVES];
  char fen[96];
  sd_value v;
  unsigned n;
  int wdl, result, other, plies;
  sd_pos_to_fen (p, fen, sizeof fen);
  cr_assert (sd_prober_fen (fen, &q) == SD_PROBER_OK);
  cr_assert (sd_probe_dtm (ts, p, &v, NULL) == SD_OK && sd_probe_wdl (ts, p, &result, NULL) == SD_OK);
  cr_assert (sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK
             && sd_prober_dtm (prober, &q, &other, &plies) == SD_PROBER_OK);
  cr_assert (wdl == result && other == result && plies == plies_of (v), "%s: %d %d %d, not %d", fen, wdl,
             other, plies, v);
  if (!root)
    return;
  cr_assert (sd_prober_root (prober, &q, moves, &n) == SD_PROBER_OK);
  if (n) /* a position is worth what its best move is worth */
    cr_assert (moves[0].wdl == wdl && moves[0].dtm == plies, "%s: %s %d %d, not %d", fen, moves[0].uci,
               moves[0].wdl, moves[0].dtm, v);
}

Test (engine, all_endings_with_4_men) {
  const char *build = getenv ("SD_BUILDDIR");
  char path[512], message[300];
  sd_material all[64];
  sd_tables *ts;
  sd_prober *prober;
  uint64_t random = 11;
  unsigned rights = 0, endings = 0;
  snprintf (path, sizeof path, "%s/tests/tables", build ? build : ".");
  cr_assert (sd_tables_open (path, SD_OPEN_CACHE, &ts, NULL) == SD_OK);
  cr_assert (sd_prober_open (path, SD_PROBER_ANY_CODEC, &prober, message, sizeof message) == SD_PROBER_OK,
             "%s", message);
  for (unsigned men = 3; men <= 4; men++) {
    const unsigned n = sd_material_all (men, all, 64);
    for (unsigned i = 0; i < n; i++, endings++)
      for (unsigned k = 0; k < PER_ENDING; k++) {
        sd_pos p;
        do
          random_position (&all[i], &random, &p);
        while (k % 2 && all[i].count[0][SD_PAWN] && all[i].count[1][SD_PAWN] && p.ep == SD_NO_SQUARE);
        rights += p.ep != SD_NO_SQUARE;
        compare (ts, prober, &p, k % ROOTS == 0);
      }
  }
  cr_expect (endings == 35 && rights > 0 && sd_prober_men (prober) == 4);
  cr_expect_eq (sd_prober_tables (prober), 35);
  sd_prober_close (prober);
  sd_tables_close (ts);
}
