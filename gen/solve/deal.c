/* Dealing states out to ranks (Makhnychev 2012, 3.5: index mixing, and doing without). */
#include "config.h"
#include "gen/solve/solve.h"

void sd_deal_make (uint64_t nstates, int size, uint64_t grain, sd_deal *out) {
  const uint64_t n = (uint64_t) size;
  const bool plain = grain == SD_DEAL_PLAIN;

  if (grain == 0)
    grain = SD_DEAL_GRAIN;
  /* A grain for each rank: neighbours stay together, and ranks get uneven work (Makhnychev 2012, 3.5). */
  if (grain == SD_DEAL_PLAIN || grain > nstates)
    grain = nstates / n + (nstates % n != 0);
  if (grain > SD_DEAL_GRAIN && plain)
    grain = (grain + 63) / 64 * 64;
  grain += grain == 0;
  /* Reciprocals take the place of the divisions by which an owner is found. */
  *out = (sd_deal){ .nstates = nstates,
                    .grain = grain,
                    .inverse = n > 1 ? UINT64_MAX / n + 1 : 0,
                    .reciprocal = UINT64_MAX / grain,
                    .size = (unsigned) size,
                    .shift = SD_DEAL_NO_SHIFT };
  if ((grain & (grain - 1)) == 0)
    out->shift = (unsigned) __builtin_ctzll (grain);
}

uint64_t sd_deal_grain (const sd_game *game, int size, uint64_t asked) {
  /* Measured on two ranks: blocks of 41,664 states gain a tenth (KRRRvK); of 262,144 they do not, since few
   * moves of such blocks leave their grain anyway but for those of one piece and of the kings, while the
   * ranks are less even (KQRvKQ). 64 blocks a rank are within some per cent of each other. */
  enum { EVEN = 64, LONGEST = 1 << 16 };
  if (asked)
    return asked;
  if (game->block <= SD_DEAL_GRAIN || game->block > LONGEST
      || game->nstates / game->block / EVEN < (uint64_t) size)
    return SD_DEAL_GRAIN;
  return (game->block + 63) / 64 * 64;
}

uint64_t sd_deal_count (const sd_deal *d, int rank) {
  const uint64_t whole = d->nstates / d->grain, rest = d->nstates % d->grain, r = (uint64_t) rank;
  /* Whole grains in turn; the last one, if it is cut, is the next rank's. */
  uint64_t n = whole > r ? ((whole - r - 1) / d->size + 1) * d->grain : 0;
  return n + (rest && whole % d->size == r ? rest : 0);
}
