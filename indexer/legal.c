/* Which slots hold legal positions, many at once. Whoever reads a whole table asks this of every slot.
 *
 * A run is of slots in which one man moves: the lowest of the last digit's men, since his square runs
 * fastest. What the others leave him is one set of squares: none that is taken; where they attack the king
 * that must not stand in check, only those between; and none from which he attacks it himself. If he is that
 * king, none that the others attack. */
#include "config.h"
#include "indexer/indexer_internal.h"

/* Slots in a row, in which the man at `moving` goes through the squares of a digit's domain from `low` on. */
typedef struct run {
  unsigned moving, low;
  uint64_t n;
} run;

/* The squares of slot i, whose last digit is v; the others' are there. */
static run run_from (const sd_indexer *ix, const sd_digit *last, uint32_t v, uint8_t *sq) {
  if (last->kings) {
    sd_ix_digit_squares (ix, last, v, sq);
    return (run){ ix->white_king, 0, 1 };
  }
  const unsigned top = sd_ix_upper_squares (ix, last, &v, sq);
  sq[last->at[0]] = last->square[v];
  return (run){ last->at[0], v, top - v };
}

/* Is each slot of a run in which this man moves home, if it is a placement? Not where his square decides
 * about symmetry, or a tie between mirror images. */
static bool is_plain (const sd_indexer *ix, unsigned moving, const uint8_t *sq) {
  bool tie;
  if (moving == ix->leader_at)
    return false;
  sd_ix_symmetry (ix, sq, &tie);
  return !tie;
}

/* The board without one man; false: the others are no placement. *colour, *type: what that man is. */
static bool without (const sd_indexer *ix, unsigned moving, const uint8_t *sq, sd_pos *p, unsigned *colour,
                     unsigned *type) {
  const sd_layout *l = &ix->layout;
  uint64_t taken = 0;
  *p = (sd_pos){ .ep = SD_NO_SQUARE };
  for (unsigned g = 0; g < ix->ngroups; g++)
    for (unsigned k = 0; k < ix->digit[g].count; k++) {
      const unsigned at = ix->digit[g].at[k];
      const unsigned c = ix->digit[g].kings ? at == ix->black_king : l->group[g].colour;
      const uint64_t bit = sd_bit (sq[at]);
      if (at == moving) {
        *colour = c;
        *type = l->group[g].type;
        continue;
      }
      if (taken & bit)
        return false;
      taken |= bit;
      p->by[c][l->group[g].type] |= bit;
      p->occ[c] |= bit;
    }
  return *type == SD_KING || !sd_ix_adjacent (sq[ix->white_king], sq[ix->black_king]);
}

/* The squares between two of a line; none where there is no line. */
static uint64_t between (unsigned a, unsigned b) {
  for (unsigned i = 0; i < 4; i++) {
    if (sd_lines[a][i].upper & sd_bit (b))
      return sd_lines[a][i].upper & sd_lines[b][i].lower;
    if (sd_lines[a][i].lower & sd_bit (b))
      return sd_lines[a][i].lower & sd_lines[b][i].upper;
  }
  return 0;
}

/* Where the man may stand in a legal position with `side` to move, as far as others are concerned. */
static uint64_t squares_for (const sd_indexer *ix, unsigned moving, unsigned side, const uint8_t *sq) {
  sd_pos p;
  unsigned colour = SD_WHITE, type = SD_PAWN;
  if (!without (ix, moving, sq, &p, &colour, &type))
    return 0;
  const uint64_t taken = p.occ[0] | p.occ[1];
  uint64_t squares = ~taken;
  if (type == SD_KING && colour != side)
    return squares & ~sd_attacked_by (&p, side, taken);
  const unsigned king = sq[side == SD_WHITE ? ix->black_king : ix->white_king];
  for (uint64_t a = sd_attackers (&p, king, side, taken); a; a &= a - 1)
    squares &= between (king, sd_lowest (a));
  /* A pawn attacks the king from where a pawn of the king's would attack it; a king must not stand beside the
   * other. */
  return colour == side ? squares & ~sd_attacks (side ^ 1, type, king, taken) : squares;
}

static bool is_legal (const sd_indexer *ix, uint64_t i, unsigned side, const uint8_t *sq) {
  sd_pos p;
  if (!sd_ix_is_home (ix, i, sq))
    return false;
  sd_pos_from_squares (&ix->layout.material, sq, side, &p);
  return sd_pos_legal (&p);
}

/* n slots from i on, which one man's squares tell apart; sq has the others'. */
static void by_squares (const sd_indexer *ix, const run *r, unsigned side, const uint8_t *sq, uint64_t n,
                        bool *legal) {
  const sd_digit *last = &ix->digit[ix->ngroups - 1];
  const uint64_t squares = squares_for (ix, r->moving, side, sq);
  for (uint64_t k = 0; k < n; k++)
    legal[k] = squares >> last->square[r->low + k] & 1;
}

/* n slots from i on, the first of which has v as its last digit. */
static void one_by_one (const sd_indexer *ix, uint64_t i, uint32_t v, unsigned side, uint8_t *sq, uint64_t n,
                        bool *legal) {
  for (uint64_t k = 0; k < n; k++) {
    sd_ix_digit_squares (ix, &ix->digit[ix->ngroups - 1], v + (uint32_t) k, sq);
    legal[k] = is_legal (ix, i + k, side, sq);
  }
}

/* A digit around another one does not run fastest. */
static void by_positions (const sd_indexer *ix, unsigned side, uint64_t first, uint64_t count, bool *legal) {
  sd_pos p;
  for (uint64_t k = 0; k < count; k++)
    legal[k] = sd_index_position (ix, first + k, side, &p);
}

void sd_index_legal (const sd_indexer *ix, unsigned side, uint64_t first, uint64_t count, bool *legal) {
  const sd_digit *last = &ix->digit[ix->ngroups - 1];
  sd_index_walk walk = { .ix = ix };
  if (ix->span) {
    by_positions (ix, side, first, count, legal);
    return;
  }
  for (uint64_t done = 0, n; done < count; done += n) {
    const uint64_t i = first + done;
    sd_ix_row_squares (&walk, i);
    const uint32_t v = (uint32_t) (i - walk.row);
    const run r = run_from (ix, last, v, walk.sq);
    n = r.n < count - done ? r.n : count - done;
    if (is_plain (ix, r.moving, walk.sq))
      by_squares (ix, &r, side, walk.sq, n, legal + done);
    else
      one_by_one (ix, i, v, side, walk.sq, n, legal + done);
  }
}
