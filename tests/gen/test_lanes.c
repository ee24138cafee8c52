/* 32 records at once against 32 records one by one, in the way that this build takes. test_lanes_128.c and
 * test_lanes_16.c are the same for the two other ways. */
#include "base/base.h"
#include "gen/lanes.h"
#include <criterion/criterion.h>
#include <string.h>

/* Numbers at which comparisons with and without signs differ, and random ones. */
static const uint16_t edge[] = { 0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff };
enum { EDGES = sizeof edge / sizeof *edge, TURNS = 20000 };

static uint16_t number (uint64_t *rng) {
  const uint64_t r = sd_random (rng);
  return r & 1 ? edge[(r >> 1) % EDGES] : (uint16_t) (r >> 1);
}

static void fill (uint64_t *rng, uint16_t *at, unsigned n, uint16_t x) {
  for (unsigned i = 0; i < n; i++)
    at[i] = sd_random (rng) % 4 ? number (rng) : x;
}

Test (lanes, sets_are_those_that_a_loop_finds) {
  uint64_t rng = 1;
  uint16_t at[SD_LANES + 1];
  for (unsigned turn = 0; turn < TURNS; turn++) {
    const uint16_t x = number (&rng), *from = at + turn % 2; /* any alignment */
    uint32_t equal = 0, above = 0, odd = 0;
    fill (&rng, at, SD_LANES + 1, x);
    for (unsigned i = 0; i < SD_LANES; i++) {
      equal |= (uint32_t) (from[i] == x) << i;
      above |= (uint32_t) (from[i] > x) << i;
      odd |= (uint32_t) (from[i] & 1) << i;
    }
    cr_assert_eq (sd_lanes_equal (from, x), equal, "x %#x", x);
    cr_assert_eq (sd_lanes_above (from, x), above, "x %#x", x);
    cr_assert_eq (sd_lanes_odd (from), odd);
  }
}

Test (lanes, only_those_of_the_set_are_changed) {
  uint64_t rng = 2;
  uint16_t at[SD_LANES + 2], set[SD_LANES + 2], more[SD_LANES + 2];
  for (unsigned turn = 0; turn < TURNS; turn++) {
    const uint64_t r = sd_random (&rng);
    const uint32_t which = (uint32_t) r & (uint32_t) (turn % 3 ? ~0u : r >> 32);
    const uint16_t x = number (&rng);
    fill (&rng, at, SD_LANES + 2, x);
    memcpy (set, at, sizeof at);
    memcpy (more, at, sizeof at);
    sd_lanes_set (set + 1, which, x);
    sd_lanes_add (more + 1, which, x);
    for (unsigned i = 0; i < SD_LANES + 2; i++) {
      const bool mine = i > 0 && i <= SD_LANES && which >> (i - 1) & 1;
      cr_assert_eq (set[i], mine ? x : at[i], "record %u, set %#x", i, which);
      cr_assert_eq (more[i], mine ? (uint16_t) (at[i] + x) : at[i], "record %u, set %#x", i, which);
    }
  }
}

Test (lanes, a_span_goes_round_in_16_bits) {
  uint64_t rng = 4;
  uint16_t at[3 * SD_LANES + 1], least, most;
  for (unsigned turn = 0; turn < TURNS; turn++) {
    const uint16_t x = number (&rng), *from = at + turn % 2;
    const unsigned n = SD_LANES * (1 + turn % 3);
    uint16_t low = 0xffff, high = 0;
    fill (&rng, at, n + 1, turn % 5 ? x : (uint16_t) (x - 1));
    if (turn % 7 == 0) /* one that is alone at an end, anywhere */
      for (unsigned i = 0; i <= n; i++)
        at[i] = i == turn / 7 % (n + 1) ? x : (uint16_t) (x + 5);
    for (unsigned i = 0; i < n; i++) {
      const uint16_t r = (uint16_t) (from[i] - x);
      low = r < low ? r : low;
      high = r > high ? r : high;
    }
    sd_lanes_span (from, n, x, &least, &most);
    cr_assert_eq (least, low, "x %#x", x);
    cr_assert_eq (most, high, "x %#x", x);
  }
}
