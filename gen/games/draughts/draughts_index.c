/* Draughts: slices, and the numbering of their positions.
 *
 * A slice AvB has the states "A to move" and then "B to move", or only the first where A = B. The slot of a
 * position is a mixed-radix number of four combinations (combinadics): men of either side among the 28
 * squares that are not their last rank, then kings among the squares left; slots whose men collide hold no
 * position. */
#include "config.h"
#include "gen/games/draughts/draughts_internal.h"
#include <string.h>

uint64_t sd_draughts_choose (unsigned n, unsigned k) {
  uint64_t c = 1;
  if (k > n)
    return 0;
  for (unsigned i = 1; i <= k; i++)
    c = c * (n - k + i) / i; /* below 2^32 * 32 for n <= 32 */
  return c;
}

/* The rank of the set b among the subsets of `free` of that size: sum of C (place, i). */
static uint64_t rank_of (const sd_draughts *d, uint32_t b, uint32_t free) {
  uint64_t r = 0;
  for (unsigned i = 1; b; b &= b - 1, i++)
    r += d->choose[__builtin_popcount (free & ((b & -b) - 1))][i];
  return r;
}

static uint32_t set_of (const sd_draughts *d, uint64_t r, unsigned k, uint32_t free) {
  uint32_t b = 0;
  for (; k; k--) {
    unsigned place = k - 1;
    /* The largest place whose sets do not go beyond r. */
    while (d->choose[place + 1][k] <= r)
      place++;
    r -= d->choose[place][k];
    /* From a place among free squares to the square. */
    uint32_t f = free;
    for (unsigned i = 0; i < place; i++)
      f &= f - 1;
    b |= f & -f;
  }
  return b;
}

uint64_t sd_draughts_slot_of (const sd_draughts *d, const sd_draughts_shape *h, const sd_draughts_pos *p,
                              unsigned side) {
  uint32_t free = ~(p->men[0] | p->men[1]);
  /* The opponent's men are seen from his side, where they too have 28 squares. */
  uint64_t r = rank_of (d, p->men[0], ~0u) * h->men[!side] + rank_of (d, sd_draughts_turned (p->men[1]), ~0u);
  r = r * h->kings[side] + rank_of (d, p->kings[0], free);
  return r * h->last[!side] + rank_of (d, p->kings[1], free & ~p->kings[0]);
}

/* False: no position. */
bool sd_draughts_pos_of (const sd_draughts *d, const sd_draughts_shape *h, uint64_t slot, unsigned side,
                         sd_draughts_pos *p) {
  uint64_t k1 = slot % h->last[!side];
  slot /= h->last[!side];
  uint64_t k0 = slot % h->kings[side];
  slot /= h->kings[side];
  p->men[0] = set_of (d, slot / h->men[!side], h->m.men[side], ~0u);
  p->men[1] = sd_draughts_turned (set_of (d, slot % h->men[!side], h->m.men[!side], ~0u));
  /* Men of both sides may be told the same square; kings only free ones. */
  if (p->men[0] & p->men[1])
    return false;
  uint32_t free = ~(p->men[0] | p->men[1]);
  p->kings[0] = set_of (d, k0, h->m.kings[side], free);
  p->kings[1] = set_of (d, k1, h->m.kings[!side], free & ~p->kings[0]);
  return true;
}

bool sd_draughts_same (const sd_draughts_slice *m) {
  return m->men[0] == m->men[1] && m->kings[0] == m->kings[1];
}

sd_draughts_slice sd_draughts_mirrored (const sd_draughts_slice *m) {
  return (sd_draughts_slice){ { m->men[1], m->men[0] }, { m->kings[1], m->kings[0] } };
}

bool sd_draughts_canonical (const sd_draughts_slice *m) {
  int pieces = m->men[0] + m->kings[0] - m->men[1] - m->kings[1];
  return pieces > 0 || (pieces == 0 && m->kings[0] >= m->kings[1]);
}

void sd_draughts_name (const sd_draughts_slice *m, char *out) {
  for (unsigned side = 0; side < 2; side++) {
    /* Of a slice that is too large no more is written than there is room for. */
    unsigned kings = m->kings[side] < SD_DRAUGHTS_SIDE ? m->kings[side] : SD_DRAUGHTS_SIDE;
    unsigned men = m->men[side] < SD_DRAUGHTS_SIDE - kings ? m->men[side] : SD_DRAUGHTS_SIDE - kings;
    if (side)
      *out++ = 'v';
    if (kings + men == 0)
      *out++ = '-';
    memset (out, 'K', kings);
    memset (out + kings, 'M', men);
    out += kings + men;
  }
  *out = 0;
}

int sd_draughts_check (const sd_draughts_slice *m, sd_error *err) {
  unsigned a = m->men[0] + m->kings[0], b = m->men[1] + m->kings[1];
  if (a + b == 0 || a > SD_DRAUGHTS_SIDE || b > SD_DRAUGHTS_SIDE)
    return sd_fail (err, SD_EINVAL, "draughts: %u against %u pieces: expected 1 piece at least and %d a side",
                    a, b, SD_DRAUGHTS_SIDE);
  return SD_OK;
}

sd_slice sd_draughts_number (const sd_draughts_slice *m) {
  return (sd_slice) (((m->men[0] * SD_DRAUGHTS_RADIX + m->kings[0]) * SD_DRAUGHTS_RADIX + m->men[1])
                         * SD_DRAUGHTS_RADIX
                     + m->kings[1]);
}

sd_draughts_slice sd_draughts_of_number (sd_slice n) {
  return (sd_draughts_slice){ { (uint8_t) (n / (SD_DRAUGHTS_RADIX * SD_DRAUGHTS_RADIX * SD_DRAUGHTS_RADIX)
                                           % SD_DRAUGHTS_RADIX),
                                (uint8_t) (n / SD_DRAUGHTS_RADIX % SD_DRAUGHTS_RADIX) },
                              { (uint8_t) (n / (SD_DRAUGHTS_RADIX * SD_DRAUGHTS_RADIX) % SD_DRAUGHTS_RADIX),
                                (uint8_t) (n % SD_DRAUGHTS_RADIX) } };
}

int sd_draughts_measure (const sd_draughts_slice *m, sd_draughts_shape *h, sd_error *err) {
  /* Squares that the men have left. */
  unsigned left = 32u - m->men[0] - m->men[1];
  h->m = *m;
  for (unsigned side = 0; side < 2; side++) {
    h->men[side] = sd_draughts_choose (SD_DRAUGHTS_MEN_SQUARES, m->men[side]);
    h->kings[side] = sd_draughts_choose (left, m->kings[side]);
    h->last[side] = sd_draughts_choose (left - m->kings[!side], m->kings[side]);
  }
  h->slots = h->men[0] * h->men[1]; /* below 2^51, and kings[0] * last[1] below 2^45 */
  if (sd_mul (h->slots, h->kings[0] * h->last[1], &h->slots) || h->slots > UINT64_MAX / 4)
    return sd_fail (err, SD_ERANGE, "draughts: the slice has more than 2^62 slots");
  return SD_OK;
}

unsigned sd_draughts_order (unsigned pieces, sd_draughts_slice *out, unsigned room) {
  unsigned n = 0;
  /* The first side has as many pieces as the second one, or more; fewer men first: men become kings. */
  for (unsigned all = 1; all <= pieces; all++)
    for (unsigned men = 0; men <= all; men++)
      for (unsigned first = (all + 1) / 2; first <= all && first <= SD_DRAUGHTS_SIDE; first++)
        for (unsigned m0 = 0; m0 <= men && m0 <= first; m0++) {
          if (men - m0 > all - first)
            continue;
          sd_draughts_slice m = { { (uint8_t) m0, (uint8_t) (men - m0) },
                                  { (uint8_t) (first - m0), (uint8_t) (all - first - (men - m0)) } };
          if (!sd_draughts_canonical (&m))
            continue;
          /* Counted on, so that the caller learns how many there are. */
          if (n < room)
            out[n] = m;
          n++;
        }
  return n;
}

static sd_draughts_slice slice_of (const sd_draughts_pos *p) {
  sd_draughts_slice m;
  for (unsigned side = 0; side < 2; side++) {
    m.men[side] = (uint8_t) __builtin_popcount (p->men[side]);
    m.kings[side] = (uint8_t) __builtin_popcount (p->kings[side]);
  }
  return m;
}

/* Slice and state of a position with valid material. */
void sd_draughts_locate (const sd_draughts *d, const sd_draughts_pos *p, sd_slice *slice, sd_state *state) {
  sd_draughts_slice m = slice_of (p);
  /* A mirrored slice: its mover is the second side of the canonical one. */
  unsigned side = !sd_draughts_canonical (&m);
  if (side)
    m = sd_draughts_mirrored (&m);
  *slice = sd_draughts_number (&m);
  const sd_draughts_shape *h = &d->shape[*slice];
  *state = side * h->slots + sd_draughts_slot_of (d, h, p, side);
}

int sd_draughts_find (const void *ctx, const sd_draughts_pos *p, sd_slice *slice, sd_state *state) {
  sd_draughts_slice m = slice_of (p);
  int sum = m.men[0] + m.kings[0] + m.men[1] + m.kings[1];
  /* Two pieces on a square, or a man on his last rank. */
  if (__builtin_popcount (sd_draughts_all_of (p)) != sum || p->men[0] >> SD_DRAUGHTS_LAST_RANK
      || (p->men[1] & 0xf))
    return SD_EINVAL;
  SD_TRY (sd_draughts_check (&m, NULL));
  sd_draughts_locate (ctx, p, slice, state);
  return SD_OK;
}

/* False: no such state. */
bool sd_draughts_position (const sd_draughts *d, sd_slice slice, sd_state state, sd_draughts_pos *p) {
  if (slice >= SD_DRAUGHTS_SLICES || d->shape[slice].slots == 0)
    return false;
  const sd_draughts_shape *h = &d->shape[slice];
  const unsigned side = state >= h->slots;
  return state < h->slots * (sd_draughts_same (&h->m) ? 1 : 2)
         && sd_draughts_pos_of (d, h, state - side * h->slots, side, p);
}
