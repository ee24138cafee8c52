/* Many slots at once: a walk over the squares of neighbouring slots, and the same placements in another
 * layout. The last digit runs fastest, so that what depends on the others is looked at once a row. */
#include "config.h"
#include "indexer/indexer_internal.h"

bool sd_index_walk_to (sd_index_walk *w, uint64_t i) {
  const sd_indexer *ix = w->ix;
  const sd_digit *last = &ix->digit[ix->ngroups - 1];
  i = sd_ix_unwrap (ix, i);
  if (i < w->row || i >= w->end) {
    uint64_t rest = i;
    for (unsigned g = 0; g + 1 < ix->ngroups; g++) {
      const sd_digit *d = &ix->digit[g];
      const uint64_t v = rest / d->stride;
      rest -= v * d->stride;
      sd_ix_digit_squares (ix, d, (uint32_t) v, w->sq);
    }
    w->row = i - rest;
    w->end = w->row + last->radix;
  }
  sd_ix_digit_squares (ix, last, (uint32_t) (i - w->row), w->sq);
  return sd_ix_is_home (ix, i, w->sq);
}

void sd_index_remap (const sd_indexer *to, const sd_indexer *from, uint64_t first, uint64_t count,
                     uint64_t *map) {
  if (count == 0)
    return;
  if (to->span) {
    sd_index_walk walk = { .ix = to };
    for (uint64_t k = 0; k < count; k++)
      map[k] = sd_index_walk_to (&walk, first + k) ? sd_index_of (from, walk.sq) : UINT64_MAX;
    return;
  }
  const unsigned last = to->ngroups - 1;
  const sd_digit *inner = &to->digit[last];
  uint32_t v[SD_MAX_GROUPS];
  uint8_t sq[SD_MAX_MEN];
  uint64_t rest = first;
  for (unsigned g = 0; g < to->ngroups; g++) {
    v[g] = (uint32_t) (rest / to->digit[g].stride);
    rest -= v[g] * to->digit[g].stride;
    sd_ix_digit_squares (to, &to->digit[g], v[g], sq);
  }
  /* The last digit runs fastest. If it is a single piece that does not lead in either layout, all that
   * depends on the other pieces is computed once a row: their squares, the symmetry, the partial sum of the
   * index. */
  const sd_digit *target = NULL; /* the same group in `from` */
  if (inner->count == 1 && !inner->kings && inner->at[0] != to->leader_at && inner->at[0] != from->leader_at)
    for (unsigned g = 0; g < from->ngroups; g++)
      if (from->digit[g].count == 1 && from->digit[g].at[0] == inner->at[0])
        target = &from->digit[g];
  uint64_t done = 0;
  while (done < count) {
    uint64_t row = inner->radix - v[last];
    if (row > count - done)
      row = count - done;
    bool quick = false, tie_to = false, tie_from = false;
    unsigned t = 0;
    uint64_t occupied = 0, sum = 0, blocked = 0;
    if (target) {
      unsigned moving = inner->at[0];
      for (unsigned k = 0; k < to->men; k++)
        if (k != moving)
          occupied |= 1ull << sq[k];
      sd_ix_symmetry (to, sq, &tie_to);
      t = sd_ix_symmetry (from, sq, &tie_from);
      quick = !tie_to && !tie_from;
      if ((unsigned) __builtin_popcountll (occupied) != to->men - 1
          || (moving != to->white_king && moving != to->black_king
              && sd_ix_adjacent (sq[to->white_king],
                                 sq[to->black_king]))) { /* no placement in the whole row */
        for (uint64_t k = 0; k < row; k++)
          map[done + k] = UINT64_MAX;
        quick = false;
        blocked = ~0ull;
      } else if (quick) {
        blocked = occupied;
        if (moving == to->white_king || moving == to->black_king) {
          unsigned other = sq[moving == to->white_king ? to->black_king : to->white_king];
          for (unsigned s = 0; s < 64; s++)
            if (sd_ix_adjacent (s, other))
              blocked |= 1ull << s;
        }
        for (unsigned g = 0; g < from->ngroups; g++)
          if (&from->digit[g] != target)
            sum += sd_ix_digit_value (from, &from->digit[g], t, sq) * from->digit[g].stride;
      }
    }
    if (quick) {
      const uint8_t *rank = target->rank[t];
      for (uint64_t k = 0; k < row; k++) {
        unsigned s = inner->square[v[last] + k];
        map[done + k] = (blocked >> s) & 1 ? UINT64_MAX : sd_ix_wrap (from, sum + rank[s] * target->stride);
      }
    } else if (blocked != ~0ull)
      for (uint64_t k = 0; k < row; k++) {
        sd_ix_digit_squares (to, inner, v[last] + (uint32_t) k, sq);
        map[done + k] = sd_ix_is_home (to, first + done + k, sq) ? sd_index_of (from, sq) : UINT64_MAX;
      }
    done += row;
    v[last] += (uint32_t) row - 1; /* carry */
    for (unsigned g = last; done < count; g--) {
      if (++v[g] < to->digit[g].radix) {
        sd_ix_digit_squares (to, &to->digit[g], v[g], sq);
        break;
      }
      v[g] = 0;
      sd_ix_digit_squares (to, &to->digit[g], 0, sq);
      if (g == 0)
        break;
    }
  }
}
