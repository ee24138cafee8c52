/* How often a position counts in figures that tell equal men apart. */
#ifndef ORDERS_H
#define ORDERS_H

#include "values/values.h"

/* Is the placement its own mirror image in a1-h8 as a set (1), even man by man (2)? */
static inline unsigned mirrored (const sd_exact *e, const uint8_t *sq) {
#define MIRROR(s) ((s) >> 3 | ((s) &7) << 3)
  unsigned i = 0, fixed = 2;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned type = SD_KING + 1; type-- > 0;) { /* the order of the name: kings first */
      uint64_t set = 0, image = 0;
      for (unsigned k = 0; k < e->material.count[colour][type]; k++, i++) {
        set |= sd_bit (sq[i]);
        image |= sd_bit (MIRROR (sq[i]));
        fixed = MIRROR (sq[i]) == sq[i] ? fixed : 1;
      }
      if (set != image)
        return 0;
    }
  return fixed;
}

/* Published counts tell equal pieces apart: a position counts once for each order of them, but orders that a
 * symmetry of the board turns into each other are one. `orders`: of all equal pieces. */
static inline unsigned weight (const sd_exact *e, uint64_t slot, unsigned orders) {
  uint8_t sq[SD_MAX_MEN];
  if (orders == 1 || sd_material_has_pawns (&e->material) || !sd_index_squares (e->indexer, slot, sq))
    return orders;
  return mirrored (e, sq) == 1 ? orders / 2 : orders;
}

static inline unsigned orders_of (const sd_material *m) {
  static const unsigned factorial[] = { 1, 1, 2, 6, 24 };
  unsigned n = 1;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned type = 0; type < SD_KING; type++)
      n *= factorial[m->count[colour][type]];
  return n;
}

#endif
