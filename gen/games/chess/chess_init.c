/* What the solver must know of a chess state before it starts: does it exist, is it mate, how many moves,
 * what do conversions give.
 *
 * Idea: moves are counted, not made. Squares that the enemy attacks, the line to a checker and the lines of
 * pinned pieces leave each piece a set of legal targets; the empty ones are counted, the occupied ones and
 * promotions are looked up in the sub-endings.
 *
 * Multiplicity: a state stands for all mirror images of a position. Marks come from the un-moves of one
 * representative q of the child, and of these (moves from p to the class of q) * |class of p| / |class of q|
 * lead to p's class. A class has half the usual size if its position is its own mirror image in a diagonal,
 * so moves between symmetric and other positions are weighted; this needs both kings on a diagonal after the
 * move, and is looked for only there.
 *
 * One state at a time; chess_init_row.c does most states by rows, several times as fast, and leaves the rest
 * to this. Cost: 40-80 ns a state. */
#include "config.h"
#include "gen/games/chess/chess_convert.h"
#include "gen/games/chess/chess_moves.h"

typedef struct piece {
  uint8_t group, square;
  uint64_t attacks;
} piece;

/* ---------------------------------------------------------------- symmetry */

static unsigned weigh (const sd_chess *c, sd_chess_place *p, unsigned type, unsigned from, uint64_t targets) {
  unsigned halves = 0;
  const bool before = sd_chess_symmetric (c, p);

  for (; targets; targets &= targets - 1) {
    const unsigned to = sd_lowest (targets);
    /* Only what the question of symmetry looks at is changed. */
    const sd_chess_place saved = *p;
    if (type == SD_KING)
      p->king[p->stm] = (uint8_t) to;
    else
      p->by[p->stm][type] ^= sd_bit (from) | sd_bit (to);
    const bool after = sd_chess_symmetric (c, p);
    /* Into a symmetric class, which is half as large, a move counts twice; out of one, half. */
    halves += before == after ? 2 : before ? 1 : 4;
    *p = saved;
  }
  return halves;
}

/* ------------------------------------------------------------------- moves */

/* What en-passant captures by these pawns give. */
static inline void take_in_passing (const sd_chess *c, sd_chess_place *p, uint64_t capturers,
                                    sd_chess_tally *t) {
  const unsigned us = p->stm, them = 1 - us;
  const sd_chess_push push = sd_chess_push_of (them, p->ep);
  /* The pawn is gone in all of them. */
  p->by[them][SD_PAWN] ^= sd_bit (push.pushed);
  for (; capturers; capturers &= capturers - 1) {
    const uint64_t both = (capturers & -capturers) | sd_bit (push.behind);
    p->by[us][SD_PAWN] ^= both;
    sd_chess_convert (c, &c->child[us][SD_PAWN][SD_PAWN], p, t);
    p->by[us][SD_PAWN] ^= both;
  }
}

/* Can the side to move do anything? Its en-passant captures are not looked at. */
static bool can_move (const sd_chess *c, const sd_chess_place *p) {
  const unsigned us = p->stm;
  const sd_chess_threats e = sd_chess_threatened (c, p);
  if (sd_king_attacks (p->king[us]) & ~e.danger & ~p->occ[us])
    return true;
  for (unsigned g = c->first_group[us]; g < c->first_group[us + 1] && e.checks < 2; g++)
    for (uint64_t set = p->by[us][c->group[g].type]; set; set &= set - 1) {
      const unsigned square = sd_lowest (set), type = c->group[g].type;
      const uint64_t attacks = sd_attacks (us, type, square, p->occ[0] | p->occ[1]);
      if (sd_chess_targets (c, p, &e, type, square, attacks))
        return true;
    }
  return false;
}

/* What p, worth v without it, is worth with the right to capture in passing that p->ep names. */
static sd_value with_right (const sd_chess *c, sd_chess_place *p, uint64_t capturers, sd_value v,
                            sd_chess_tally *count) {
  sd_chess_tally t = { 0 };
  const bool stuck = !can_move (c, p);
  take_in_passing (c, p, capturers, &t);
  if (t.failed)
    count->failed = t.failed;
  /* Times of the solver are plies, or twice as many (sd_chess_count). */
  const unsigned win = c->anew ? (t.win + 1) / 2 : t.win, loss = c->anew ? t.loss / 2 : t.loss;
  const sd_value taken = (sd_value) (win ? (int) win : t.halves ? 0 : -(int) loss - 1);
  return stuck || sd_value_compare (taken, v) > 0 ? taken : v;
}

void sd_chess_push_below (const sd_chess *c, const sd_chess_place *before, unsigned from, unsigned to,
                          sd_chess_tally *t) {
  sd_chess_place p = *before;
  const unsigned us = p.stm;
  const uint64_t both = sd_bit (from) | sd_bit (to);
  p.by[us][SD_PAWN] ^= both;
  p.occ[us] ^= both;
  p.stm = (uint8_t) (1 - us);
  sd_value v = sd_chess_below (c, &p);
  if ((from ^ to) == 16) {
    const uint64_t capturers = sd_chess_ep_capturers (c, &p, to & 7);
    p.ep = to & 7;
    if (capturers)
      v = with_right (c, &p, capturers, v, t);
  }
  sd_chess_count (c, t, &c->child[us][SD_PAWN][SD_KING], v);
}

/* The pieces of the side to move but for its king, and what all of them attack. */
static inline unsigned list_pieces (const sd_chess *c, const sd_chess_place *p, piece *mine, uint64_t *seen) {
  const unsigned us = p->stm;
  unsigned n = 0;
  *seen = 0;
  for (unsigned g = c->first_group[us]; g < c->first_group[us + 1]; g++)
    for (uint64_t set = p->by[us][c->group[g].type]; set; set &= set - 1) {
      const unsigned square = sd_lowest (set);
      const uint64_t attacks = sd_attacks (us, c->group[g].type, square, p->occ[0] | p->occ[1]);
      mine[n++] = (piece){ (uint8_t) g, (uint8_t) square, attacks };
      *seen |= attacks;
    }
  return n;
}

sd_values_blocks *sd_chess_examine (const sd_chess *c, sd_state s, sd_state_info *out) {
  *out = (sd_state_info){ .exists = false };
  sd_chess_place p;
  sd_chess_decode (c, s, &p);
  if (p.clash)
    return NULL;
  const uint64_t occ = p.occ[0] | p.occ[1];
  const unsigned us = p.stm, them = 1 - us;
  const unsigned king = p.king[us], enemy_king = p.king[them];

  piece mine[SD_CHESS_GROUPS];
  uint64_t seen;
  const unsigned nmine = list_pieces (c, &p, mine, &seen);
  /* The other side is in check, and not to move. */
  if (seen & sd_bit (enemy_king))
    return NULL;
  /* The mirror image has the smaller slot, and is the position's state. */
  if (c->kings->at[p.king[0]][p.king[1]].tie
      && p.pair * c->kings_stride + sd_chess_rest (c, &p, SD_CHESS_MAIN) < p.slot)
    return NULL;
  /* A right that nobody can use is no state. */
  uint64_t capturers = 0;
  if (p.ep != SD_CHESS_NO_EP && !(capturers = sd_chess_ep_capturers (c, &p, p.ep)))
    return NULL;
  out->exists = true;

  const sd_chess_threats e = sd_chess_threatened (c, &p);
  sd_chess_tally t = { 0 };
  const bool care = !c->has_pawns && sd_chess_near_symmetry (c, &p);
  const uint64_t king_targets = sd_king_attacks (king) & ~e.danger & ~p.occ[us];
  uint64_t quiet = king_targets & ~occ;
  t.any = quiet != 0;
  t.halves = care ? weigh (c, &p, SD_KING, king, quiet) : 2 * (unsigned) __builtin_popcountll (quiet);
  /* The king stands where it takes before the conversion is looked up. */
  for (uint64_t to = king_targets & occ; to; to &= to - 1) {
    p.king[us] = (uint8_t) sd_lowest (to);
    sd_chess_capture (c, &p, SD_PAWN, sd_lowest (to), &t);
    p.king[us] = (uint8_t) king;
  }
  for (unsigned i = 0; i < nmine && e.checks < 2; i++) {
    const unsigned square = mine[i].square, type = c->group[mine[i].group].type;
    const uint64_t targets = sd_chess_targets (c, &p, &e, type, square, mine[i].attacks);
    if (type == SD_PAWN && (targets & (0xffull | 0xffull << 56))) {
      sd_chess_promotions (c, &p, square, targets, p.occ[them], &t);
      continue;
    }
    quiet = targets & ~occ;
    if (type == SD_PAWN && c->by_parts)
      for (uint64_t to = quiet; to; to &= to - 1)
        sd_chess_push_below (c, &p, square, sd_lowest (to), &t);
    else if (quiet) {
      t.any = true;
      t.halves += care ? weigh (c, &p, type, square, quiet) : 2 * (unsigned) __builtin_popcountll (quiet);
    }
    sd_chess_captures (c, &p, type, square, targets & occ, &t);
  }
  if (capturers)
    take_in_passing (c, &p, capturers, &t);
  out->terminal_lost = e.checks && !t.any;
  out->moves = (uint16_t) (t.halves / 2);
  out->win = (uint16_t) t.win;
  out->loss = (uint16_t) t.loss;
  return t.failed;
}

int sd_chess_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  const sd_chess *c = ctx;
  if (first > c->nstates || count > c->nstates - first)
    return sd_fail (err, SD_ERANGE, "%s: %llu states from %llu on: only %llu exist", c->name,
                    (unsigned long long) count, (unsigned long long) first, (unsigned long long) c->nstates);
  for (uint64_t i = 0, taken; i < count; i += taken) {
    sd_values_blocks *failed;
    /* Rows are of states without a right, and in a part there is none where there are pawns alone. */
    if (first + i < c->ep_first[0] && !(c->by_parts && c->npieces == 0))
      failed = sd_chess_init_row (c, first + i, count - i, &taken, &out[i]);
    else {
      taken = 1;
      failed = sd_chess_examine (c, first + i, &out[i]);
    }
    if (failed) {
      int st = sd_values_problem (failed, err);
      if (err)
        sd_error_prefix (err, "%s: a sub-ending", c->name);
      return st;
    }
  }
  return SD_OK;
}
