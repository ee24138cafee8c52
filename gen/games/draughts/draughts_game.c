/* English draughts by slices of material, each a game of its own over the slices solved before.
 *
 * A position is always seen from the player to move, whose men go up; making a move turns the board round
 * (square s becomes 31 - s), so there is one move generator (draughts_moves.c). draughts_index.c numbers the
 * positions, draughts_text.c reads and writes them; here is what slices there are and how they depend on each
 * other. Everything that follows from the rules alone is made by `open` and only read afterwards. */
#include "config.h"
#include "gen/games/draughts/draughts_internal.h"
#include <stdlib.h>

static int draughts_open (const char *file, void **ctx, sd_error *err) {
  (void) file;
  sd_draughts *d = *ctx = sd_alloc0 (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  for (unsigned n = 0; n < 33; n++)
    for (unsigned k = 0; k < SD_DRAUGHTS_RADIX; k++)
      d->choose[n][k] = (uint32_t) sd_draughts_choose (n, k);
  for (unsigned i = 0; i < SD_DRAUGHTS_SLICES; i++) {
    const sd_draughts_slice m = sd_draughts_of_number (i);
    if (sd_draughts_check (&m, NULL) != SD_OK || !sd_draughts_canonical (&m)
        || sd_draughts_measure (&m, &d->shape[i], NULL) != SD_OK)
      d->shape[i].slots = 0;
  }
  return SD_OK;
}

static uint64_t draughts_fingerprint (const void *ctx) {
  (void) ctx;
  return 1; /* the numbering of the states; another one needs another number */
}

static unsigned draughts_sides (const void *ctx, sd_slice slice) {
  (void) ctx;
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  return sd_draughts_same (&m) ? 1 : 2;
}

/* Every way in which a move changes the pieces: a man may become a king, and any of the other side's pieces
 * may go; a few of these moves no piece can make. */
static unsigned draughts_below (const void *ctx, sd_slice slice, sd_slice *out, unsigned room) {
  (void) ctx;
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  unsigned n = 0;
  for (unsigned mover = 0; mover < 2; mover++)
    for (unsigned crowned = 0; crowned <= (m.men[mover] > 0); crowned++)
      for (unsigned men = 0; men <= m.men[!mover]; men++)
        for (unsigned kings = 0; kings <= m.kings[!mover]; kings++) {
          if (crowned + men + kings == 0)
            continue;
          sd_draughts_slice to = m;
          to.men[mover] = (uint8_t) (to.men[mover] - crowned);
          to.kings[mover] = (uint8_t) (to.kings[mover] + crowned);
          to.men[!mover] = (uint8_t) (to.men[!mover] - men);
          to.kings[!mover] = (uint8_t) (to.kings[!mover] - kings);
          if (to.men[0] + to.kings[0] + to.men[1] + to.kings[1] == 0)
            continue;
          if (!sd_draughts_canonical (&to))
            to = sd_draughts_mirrored (&to);
          if (n < room)
            out[n] = sd_draughts_number (&to);
          n++;
        }
  return n;
}

static unsigned draughts_all (const void *ctx, unsigned pieces, sd_slice *out, unsigned room) {
  (void) ctx;
  const unsigned n = sd_draughts_order (pieces, NULL, 0);
  SD_OWNED sd_draughts_slice *m = sd_alloc (n, sizeof *m);
  if (!m)
    return 0;
  sd_draughts_order (pieces, m, n);
  for (unsigned i = 0; i < n && i < room; i++)
    out[i] = sd_draughts_number (&m[i]);
  return n;
}

static void draughts_close (void *ctx) {
  free (ctx);
}

const sd_game_kind sd_game_draughts = {
  .name = "draughts",
  .summary = "English draughts (checkers, 8 x 8)",
  .slices = "what both sides have, K a king and M a man, kings first: KKvM; Kv- against nobody",
  .positions = "side to move, then both sides' pieces by the numbers of their squares, kings with K: "
               "'W:WK29,30:BK1,7'",
  .example = "KvK",
  .fewest = 1,
  .most = 2 * SD_DRAUGHTS_SIDE,
  .open = draughts_open,
  .close = draughts_close,
  .fingerprint = draughts_fingerprint,
  .slice_name = sd_draughts_slice_name,
  .slice_of = sd_draughts_slice_of,
  .below = draughts_below,
  .all = draughts_all,
  .sides = draughts_sides,
  .game = sd_draughts_game_new,
  .game_free = sd_draughts_game_free,
  .parse = sd_draughts_parse,
  .print = sd_draughts_print,
  .moves = sd_draughts_tell_moves,
  .freedom = SD_FREE_CAPTURE | SD_FREE_PROMOTION,
};
