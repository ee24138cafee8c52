/* Predecessors of many states of a row at once (chess_row.h).
 *
 * Idea: if a rook goes back from e1 to e5, it does so in every state of the row in which X is not in its way,
 * and the predecessors lie in one row too: at the same places of it, or, where a king's un-move turns the
 * board, at the turned ones. So an un-move of any piece but X is found once for the row, with the set of X's
 * squares for which it holds; and X's own un-moves from a square are a set in the row itself. Conditions are
 * those of chess_preds.c, as sets of X's squares: who gives check to the king that is to move, and whether X
 * stands between.
 *
 * Endings with equal sides are stored with White to move, so a row is looked at with colours swapped
 * (chess_preds.c): X is White's then, and the predecessors are those of a row of White's group, a stride
 * apart.
 *
 * Left to chess_preds.c, state by state: placements with both kings on the diagonal, and what has to do with
 * en passant. Where a row breaks off, since X would no longer be the lowest of its group, or where the kings
 * come to stand on the diagonal, a run is one state. Cost: 2-3 ns an un-move of the row. */
#include "config.h"
#include "gen/games/chess/chess_row.h"

typedef struct piece {
  unsigned group, type, square;
  uint64_t attacks; /* without X */
} piece;

typedef struct walk {
  sd_chess_row r;
  unsigned us, them, king; /* who un-moves, the other, and the other's king */
  uint64_t which;          /* squares of X */
  uint64_t checks;         /* squares on which X gives check, if it is ours */
  uint64_t offset;         /* of the states that are named */
  uint64_t rest[8];        /* by turn: all groups but X's; UINT64_MAX: not yet known */
  piece piece[SD_CHESS_GROUPS];
  unsigned n, checkers; /* pieces of ours but X, and as bits those that give check where X is not between */
  sd_run *out;
} walk;

static void emit (walk *w, uint64_t first, uint64_t which) {
  *w->out++ = (sd_run){ first, which };
}

/* X on the squares `xs`, with fellows. */
static void emit_with_fellows (walk *w, uint64_t base, uint64_t fellows, uint64_t xs) {
  const sd_chess_group *x = w->r.x;
  const uint64_t below = x->stride == 1 ? (fellows & -fellows) - 1 : 0, row = xs & below;
  if (row) {
    const unsigned low = sd_lowest (row);
    const uint64_t above = sd_chess_rank_above (w->r.c, x, fellows);
    emit (w, base + (above + low - x->low) * x->stride, row >> low);
  }
  for (xs &= ~below; xs; xs &= xs - 1)
    emit (w, base + sd_chess_rank (w->r.c, (fellows | (xs & -xs)) >> x->low, x->count) * x->stride, 1);
}

/* X on the squares `xs`, at least one, its fellows on `fellows`; base: the state without the last digit. In
 * most endings X has no fellows. */
static inline void emit_row (walk *w, uint64_t base, uint64_t fellows, uint64_t xs) {
  const sd_chess_group *x = w->r.x;
  const unsigned low = sd_lowest (xs);
  if (fellows)
    emit_with_fellows (w, base, fellows, xs);
  else
    emit (w, base + (low - x->low) * x->stride, xs >> low);
}

/* The squares of X for which our piece `mover` (w->n: the king) may have come from `before` as far as checks
 * go: before its last move nobody gave check. */
static inline uint64_t unchecked (const walk *w, unsigned mover, unsigned before, uint64_t xs) {
  const sd_chess *c = w->r.c;
  const uint64_t *const between = c->between[w->king];
  for (unsigned bits = w->checkers & ~(1u << mover); bits; bits &= bits - 1) {
    const uint64_t parts = between[w->piece[__builtin_ctz (bits)].square];
    if (!(parts & sd_bit (before)))
      xs &= parts;
  }
  return xs & (~w->checks | c->beyond[w->king][before]);
}

/* Squares that a pawn of ours may have come from, if nothing stands on `occ`; the way is looked at elsewhere.
 */
static uint64_t pawn_origins (unsigned us, unsigned square, uint64_t occ) {
  const uint64_t at = sd_bit (square), pawns = ~(0xffull | 0xffull << 56);
  const uint64_t one = (us == SD_WHITE ? at >> 8 : at << 8) & ~occ & pawns;
  const uint64_t fourth = us == SD_WHITE ? 0xffull << 24 : 0xffull << 32;
  return one | (at & fourth ? (us == SD_WHITE ? one >> 8 : one << 8) & ~occ : 0);
}

static void unmove_piece (walk *w, unsigned i) {
  const sd_chess *c = w->r.c;
  const piece *me = &w->piece[i];
  const sd_chess_group *g = &c->group[me->group];
  const uint64_t occ = w->r.occ, others = w->r.p.by[w->us][me->type] ^ sd_bit (me->square);
  const bool fellow = g == w->r.x;
  const uint64_t base = w->offset + w->r.p.pair * c->kings_stride + w->rest[0]
                        - (fellow ? 0 : w->r.p.digit[me->group] * g->stride);
  const uint64_t *const line = c->between[me->square], *const to_king = c->between[w->king];
  const uint64_t which = w->which;
  uint64_t from, attackers = 0;

  if (me->type == SD_PAWN)
    from = pawn_origins (w->us, me->square, occ) & ~sd_pawn_attacks (w->them, w->king);
  else {
    from = me->attacks & ~occ;
    attackers = sd_attacks (w->us, me->type, w->king, occ ^ sd_bit (me->square));
  }
  for (; from; from &= from - 1) {
    const unsigned to = sd_lowest (from);
    uint64_t xs = which & ~(line[to] | sd_bit (to));
    if (attackers & sd_bit (to))
      xs &= to_king[to];
    xs = unchecked (w, i, to, xs);
    if (!xs)
      continue;
    if (fellow)
      emit_row (w, base, others | sd_bit (to), xs);
    else {
      const uint64_t digit =
          g->count == 1 ? to - g->low : sd_chess_rank (c, (others | sd_bit (to)) >> g->low, g->count);
      emit_row (w, base + digit * g->stride, w->r.fellows, xs);
    }
  }
}

static inline uint64_t back (unsigned us, uint64_t pawns) {
  return us == SD_WHITE ? pawns >> 8 : pawns << 8;
}

/* X, a pawn, from all of its squares at once: by one step, by two steps. */
static void unmove_x_pawn (walk *w) {
  const sd_chess *c = w->r.c;
  const uint64_t free = ~w->r.occ & ~(0xffull | 0xffull << 56), safe = ~sd_pawn_attacks (w->them, w->king);
  const uint64_t fourth = w->us == SD_WHITE ? 0xffull << 24 : 0xffull << 32;
  const uint64_t base = w->offset + w->r.p.pair * c->kings_stride + w->rest[0];
  uint64_t one = back (w->us, w->which) & free;
  uint64_t two = back (w->us, back (w->us, w->which & fourth) & free) & free & safe;

  one &= safe;
  for (unsigned bits = w->checkers; bits; bits &= bits - 1) {
    const uint64_t between = c->between[w->king][w->piece[__builtin_ctz (bits)].square];
    const uint64_t stays = back (w->us, w->which & between); /* X does not part the two now */
    one &= between | stays;
    two &= between | back (w->us, stays);
  }
  if (one)
    emit_row (w, base, w->r.fellows, one);
  if (two)
    emit_row (w, base, w->r.fellows, two);
}

/* X itself, from each of its squares. */
static void unmove_x (walk *w) {
  const sd_chess *c = w->r.c;
  const unsigned type = w->r.x->type;
  const uint64_t occ = w->r.occ, base = w->offset + w->r.p.pair * c->kings_stride + w->rest[0];
  const uint64_t not_to = occ | sd_attacks (w->us, type, w->king, occ);

  if (type == SD_PAWN) {
    unmove_x_pawn (w);
    return;
  }
  for (uint64_t xs = w->which; xs; xs &= xs - 1) {
    const unsigned square = sd_lowest (xs);
    uint64_t from = sd_attacks (w->us, type, square, occ) & ~not_to;
    for (unsigned bits = w->checkers; bits; bits &= bits - 1) {
      const uint64_t between = c->between[w->king][w->piece[__builtin_ctz (bits)].square];
      if (!(between & sd_bit (square)))
        from &= between;
    }
    if (from)
      emit_row (w, base, w->r.fellows, from);
  }
}

static uint64_t find_rest (walk *w, unsigned turn) {
  return w->rest[turn] = sd_chess_rest_but (w->r.c, &w->r.p, turn, w->r.x);
}

static inline uint64_t rest_of (walk *w, unsigned turn) {
  return w->rest[turn] != UINT64_MAX ? w->rest[turn] : find_rest (w, turn);
}

/* Both kings come to stand on the diagonal: of two slots the smaller one counts. */
static void emit_tied (walk *w, const sd_chess_home *home, uint64_t xs) {
  const sd_chess *c = w->r.c;
  sd_chess_place p = w->r.p;
  for (; xs; xs &= xs - 1) {
    p.by[w->r.x->colour][w->r.x->type] = w->r.fellows | (xs & -xs);
    const uint64_t a = sd_chess_rest (c, &p, home->turn),
                   b = sd_chess_rest (c, &p, home->turn ^ SD_CHESS_MAIN);
    emit (w, w->offset + home->digit * c->kings_stride + (a < b ? a : b), 1);
  }
}

static void unmove_king (walk *w) {
  const sd_chess *c = w->r.c;
  const sd_chess_place *p = &w->r.p;

  for (uint64_t from = sd_king_attacks (p->king[w->us]) & ~w->r.occ; from; from &= from - 1) {
    const unsigned to = sd_lowest (from);
    const sd_chess_home *home =
        w->us == SD_WHITE ? &c->kings->at[to][p->king[1]] : &c->kings->at[p->king[0]][to];
    if (home->digit == SD_CHESS_NO_PAIR)
      continue;
    const uint64_t xs = unchecked (w, w->n, to, w->which & ~sd_bit (to));
    if (!xs)
      continue;
    if (home->tie)
      emit_tied (w, home, xs);
    else
      emit_row (w, w->offset + home->digit * c->kings_stride + rest_of (w, home->turn),
                sd_chess_turned_set (home->turn, w->r.fellows), sd_chess_turned_set (home->turn, xs));
  }
}

/* Our pieces, and which of them give check. */
static void look (walk *w) {
  const sd_chess *c = w->r.c;
  for (unsigned g = c->first_group[w->us]; g < c->first_group[w->us + 1]; g++)
    for (uint64_t set = w->r.p.by[w->us][c->group[g].type]; set; set &= set - 1) {
      piece *me = &w->piece[w->n];
      *me = (piece){ .group = g, .type = c->group[g].type, .square = sd_lowest (set) };
      me->attacks = sd_attacks (w->us, me->type, me->square, w->r.occ);
      w->checkers |= (me->attacks >> w->king & 1u) << w->n++;
    }
  if (w->r.x->colour == w->us)
    w->checks = w->r.x->type == SD_PAWN ? sd_pawn_attacks (w->them, w->king)
                                        : sd_attacks (w->us, w->r.x->type, w->king, w->r.occ);
}

/* State by state. */
static unsigned one (const sd_chess *c, sd_state q, unsigned *taken, sd_run *out) {
  sd_state *pred = (sd_state *) out; /* two of them fit each run: read from the last one down */
  const unsigned n = sd_chess_preds (c, q, pred);
  for (unsigned i = n; i-- > 0;)
    out[i] = (sd_run){ pred[i], 1 };
  *taken = 1;
  return n;
}

static uint64_t beside (uint64_t pawns) {
  return (pawns << 1 & 0xfefefefefefefefe) | (pawns >> 1 & 0x7f7f7f7f7f7f7f7f);
}

/* Squares of X for which en passant may matter: the other side may have just made a double step to a square
 * beside a pawn of ours, which may have made the move that is taken back, so that states with that right come
 * before this one, too; or we have made one, and it can be taken, so that this state does not come after it.
 */
static uint64_t en_passant (const walk *w) {
  const uint64_t ranks[2] = { 0xffull << 24, 0xffull << 32 }; /* where double steps end */
  const uint64_t ours = w->r.p.by[w->us][SD_PAWN], theirs = w->r.p.by[w->them][SD_PAWN];
  const uint64_t beside_theirs = beside (theirs & ranks[w->them]);
  const uint64_t takes = beside_theirs | back (w->them, beside_theirs);
  const uint64_t taken = beside (theirs) & ranks[w->us];
  if (ours & (takes | taken))
    return ~0ull;
  if (w->r.x->type != SD_PAWN)
    return 0;
  return w->r.x->colour == w->us
             ? takes | taken
             : (beside (ours | back (w->us, ours)) & ranks[w->them]) | beside (ours & ranks[w->us]);
}

/* Where a square goes if colours are swapped and the board is turned. */
static uint64_t swapped_set (unsigned turn, uint64_t set) {
  return sd_chess_turned_set (turn, __builtin_bswap64 (set));
}

/* Colours are equal: the row with colours swapped and Black to move. Returns the turn. */
static unsigned swap_row (const sd_chess *c, sd_chess_row *r) {
  const sd_chess_place q = r->p;
  sd_chess_place *p = &r->p;
  const sd_chess_home *home = &c->kings->at[q.king[1] ^ 56][q.king[0] ^ 56];

  p->stm = SD_BLACK;
  p->pair = home->digit;
  r->x -= c->first_group[1];
  for (unsigned colour = 0; colour < 2; colour++) {
    p->king[colour] = c->turn[1][home->turn][q.king[1 - colour]];
    p->occ[colour] = sd_bit (p->king[colour]);
  }
  for (unsigned g = 0; g < c->ngroups; g++) {
    const sd_chess_group *x = &c->group[g];
    const uint64_t set = swapped_set (home->turn, q.by[1 - x->colour][x->type]);
    p->by[x->colour][x->type] = set;
    p->occ[x->colour] |= set;
    if (x == r->x)
      r->fellows = set;
    else
      p->digit[g] = (uint32_t) sd_chess_rank (c, set >> x->low, x->count);
  }
  r->occ = p->occ[0] | p->occ[1];
  return home->turn;
}

unsigned sd_chess_preds_of_run (const void *ctx, sd_run q, unsigned *taken, sd_run *out) {
  const sd_chess *c = ctx;
  walk w;

  if (q.first >= c->ep_first[0])
    return one (c, q.first, taken, out);
  sd_chess_row_of (c, q.first, &w.r);
  const sd_chess_place *p = &w.r.p;
  if (c->kings->at[p->king[0]][p->king[1]].tie)
    return one (c, q.first, taken, out);
  const bool swapped = c->nsides == 1;
  const unsigned turn = swapped ? swap_row (c, &w.r) : 0;
  w.them = p->stm;
  w.us = 1 - w.them;
  w.king = p->king[w.them];
  w.which = q.which << w.r.at;
  unsigned end = w.r.end;
  if (c->has_ep) {
    uint64_t left = en_passant (&w);
    left = w.which & (swapped ? swapped_set (turn, left) : left); /* with pawns, such a turn is its inverse */
    if (left & sd_bit (w.r.at))
      return one (c, q.first, taken, out);
    if (left && sd_lowest (left) < end)
      end = sd_lowest (left);
  }
  if (end < 64)
    w.which &= sd_bit (end) - 1;
  if (swapped)
    w.which = swapped_set (turn, w.which);
  w.checks = 0;
  w.offset = swapped ? 0 : w.us * c->n;
  w.n = w.checkers = 0;
  w.out = out;
  for (unsigned i = 0; i < 8; i++)
    w.rest[i] = UINT64_MAX;
  rest_of (&w, 0);
  look (&w);
  for (unsigned i = 0; i < w.n; i++)
    if (!c->pawns_stay || w.piece[i].type != SD_PAWN)
      unmove_piece (&w, i);
  if (w.r.x->colour == w.us && (!c->pawns_stay || w.r.x->type != SD_PAWN))
    unmove_x (&w);
  unmove_king (&w);
  *taken = end - w.r.at;
  return (unsigned) (w.out - out);
}
