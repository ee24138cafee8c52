/* Many slots at once: a walk over the squares of neighbouring slots, and the same placements in another
 * layout. The last digit runs fastest, so that what depends on the others is looked at once a row. Values are
 * loaded, subdefined and laid out anew by these two, whole tables at a time (values/, recode/); a probe of
 * one position has no use for them. */
#include "config.h"
#include "indexer/indexer_internal.h"

bool sd_index_walk_to (sd_index_walk *w, uint64_t i) {
  const sd_indexer *ix = w->ix;
  const sd_digit *last = &ix->digit[ix->ngroups - 1];

  i = sd_ix_unwrap (ix, i);
  sd_ix_row_squares (w, i);
  sd_ix_digit_squares (ix, last, (uint32_t) (i - w->row), w->sq);
  return sd_ix_is_home (ix, i, w->sq);
}

/* What all slots of a row have in common, in which only the piece of the last digit moves. */
typedef struct row {
  enum { SLOT_BY_SLOT, NO_PLACEMENT, BY_SUMS } how;
  unsigned t;       /* by sums: the symmetry in `from` */
  uint64_t blocked; /* squares that the piece may not take */
  uint64_t sum;     /* what the other digits add to the index */
} row;

/* The digit in `from` of the piece of the last digit of `to`, if it is a single one that leads in neither:
 * then all that depends on the other pieces is computed once a row. Else NULL. */
static const sd_digit *same_piece (const sd_indexer *to, const sd_indexer *from) {
  const sd_digit *inner = &to->digit[to->ngroups - 1], *same = NULL;
  /* A leader's square decides the symmetry, and so all other digits. */
  if (inner->count != 1 || inner->kings || inner->at[0] == to->leader_at || inner->at[0] == from->leader_at)
    return NULL;
  for (unsigned g = 0; g < from->ngroups; g++)
    if (from->digit[g].count == 1 && from->digit[g].at[0] == inner->at[0])
      same = &from->digit[g];
  return same;
}

/* What holds for all slots of the row in which sq has the squares of all digits but the last. Whatever cannot
 * be said of a whole row is left to SLOT_BY_SLOT, which is right for any layout and about as slow as
 * sd_index_of () itself. */
static row row_of (const sd_indexer *to, const sd_indexer *from, const sd_digit *target, const uint8_t *sq) {
  row r = { .how = SLOT_BY_SLOT };
  bool tie_to, tie_from;

  if (!target)
    return r;
  /* What is the same for the whole row: the squares of all others, the symmetry, what their digits add. */
  const unsigned moving = target->at[0];
  const bool king = moving == to->white_king || moving == to->black_king;
  for (unsigned k = 0; k < to->men; k++)
    if (k != moving)
      r.blocked |= 1ull << sq[k];
  /* Two of the others on a square, or both kings among them side by side: no slot of the row is a
   * placement. */
  if ((unsigned) __builtin_popcountll (r.blocked) != to->men - 1
      || (!king && sd_ix_adjacent (sq[to->white_king], sq[to->black_king]))) {
    r.how = NO_PLACEMENT;
    return r;
  }
  sd_ix_symmetry (to, sq, &tie_to);
  r.t = sd_ix_symmetry (from, sq, &tie_from);
  /* On the diagonal the moving man decides between mirror images: slot by slot. */
  if (tie_to || tie_from)
    return r;
  r.how = BY_SUMS;
  const unsigned other = sq[moving == to->white_king ? to->black_king : to->white_king];
  /* A king that moves keeps away from the other one. */
  for (unsigned s = 0; king && s < 64; s++)
    if (sd_ix_adjacent (s, other))
      r.blocked |= 1ull << s;
  for (unsigned g = 0; g < from->ngroups; g++)
    if (&from->digit[g] != target)
      r.sum += sd_ix_digit_value (from, &from->digit[g], r.t, sq) * from->digit[g].stride;
  return r;
}

void sd_index_remap (const sd_indexer *to, const sd_indexer *from, uint64_t first, uint64_t count,
                     uint64_t *map) {
  if (count == 0)
    return;
  /* A digit around another one does not run fastest: slot by slot. */
  if (to->span) {
    sd_index_walk walk = { .ix = to };
    for (uint64_t k = 0; k < count; k++)
      map[k] = sd_index_walk_to (&walk, first + k) ? sd_index_of (from, walk.sq) : UINT64_MAX;
    return;
  }
  const unsigned last = to->ngroups - 1;
  const sd_digit *inner = &to->digit[last], *target = same_piece (to, from);
  /* v: the digits of the slot that comes next; sq: their squares, kept together with v. */
  uint32_t v[SD_MAX_GROUPS];
  uint8_t sq[SD_MAX_MEN];
  uint64_t rest = first;
  for (unsigned g = 0; g < to->ngroups; g++) {
    v[g] = (uint32_t) (rest / to->digit[g].stride);
    rest -= v[g] * to->digit[g].stride;
    sd_ix_digit_squares (to, &to->digit[g], v[g], sq);
  }

  /* Row by row; the first and the last may be cut. */
  for (uint64_t done = 0, n; done < count; done += n) {
    n = inner->radix - v[last] < count - done ? inner->radix - v[last] : count - done;
    const row r = row_of (to, from, target, sq);
    /* The piece's value in `from`, by its square. */
    const uint8_t *rank = r.how == BY_SUMS ? target->rank[r.t] : NULL;
    for (uint64_t k = 0; k < n && r.how == NO_PLACEMENT; k++)
      map[done + k] = UINT64_MAX;
    for (uint64_t k = 0; k < n && rank; k++) {
      const unsigned s = inner->square[v[last] + k];
      map[done + k] = (r.blocked >> s) & 1 ? UINT64_MAX : sd_ix_wrap (from, r.sum + rank[s] * target->stride);
    }
    for (uint64_t k = 0; k < n && r.how == SLOT_BY_SLOT; k++) {
      sd_ix_digit_squares (to, inner, v[last] + (uint32_t) k, sq);
      map[done + k] = sd_ix_is_home (to, first + done + k, sq) ? sd_index_of (from, sq) : UINT64_MAX;
    }
    v[last] += (uint32_t) n - 1; /* at the row's last slot, from which counting on carries */
    /* The next row: digits rise as in counting, and only the squares of those that change are looked up. */
    for (unsigned g = last; done + n < count; g--) {
      v[g] = v[g] + 1 < to->digit[g].radix ? v[g] + 1 : 0;
      sd_ix_digit_squares (to, &to->digit[g], v[g], sq);
      if (v[g] || g == 0)
        break;
    }
  }
}
