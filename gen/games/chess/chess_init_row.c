/* What the solver must know before it starts, for the states of a row at once (chess_row.h).
 *
 * Idea: what is found for chess_init.c state by state hardly changes while X goes from square to square. So
 * each move - of a piece to a square - is looked at once for the row: the squares of X for which it is legal
 * are a set, made of those where X stands in its way, gives check or parts a checker or a pinner from the
 * king. Such sets are added up as the bits of 64 small numbers at once. X's own moves are sets if it is a
 * pawn, else they are counted square by square. A conversion's place in its sub-ending is a sum in which only
 * X's digit changes, and where X itself captures, not even that: such values are looked up once a row.
 *
 * Left to chess_init.c: states with an en-passant right, both kings on the diagonal, and positions that are a
 * move or less away from a symmetric one. Cost: 5-10 ns a state. */
#include "config.h"
#include "gen/games/chess/chess_convert.h"
#include "gen/games/chess/chess_moves.h"
#include "gen/games/chess/chess_row_count.h"
#include "gen/lanes.h"
#include <string.h>

/* ------------------------------------------------------------------ the row */

/* The row's pieces, and which of ours theirs pin or would pin without X. */
static void look (sd_chess_row_count *n) {
  const sd_chess *c = n->c;
  const sd_chess_place *p = &n->r.p;
  const uint64_t occ = n->r.occ, king = sd_bit (n->king);

  n->nours = n->ntheirs = 0;
  for (unsigned g = 0; g < c->ngroups; g++) {
    const unsigned colour = c->group[g].colour, type = c->group[g].type;
    const bool ours = colour == n->us;
    for (uint64_t set = p->by[colour][type]; set; set &= set - 1) {
      sd_chess_man *x = ours ? &n->ours[n->nours++] : &n->theirs[n->ntheirs++];
      *x = (sd_chess_man){ .type = (uint8_t) type,
                           .square = (uint8_t) sd_lowest (set),
                           .slider = type >= SD_BISHOP };
      x->attacks = sd_attacks (colour, type, x->square, ours ? occ : occ ^ king);
    }
  }
  for (unsigned j = 0; j < n->ntheirs; j++) {
    sd_chess_man *t = &n->theirs[j];
    t->checks = (t->attacks & king) != 0;
    if (!t->slider)
      continue;
    const uint64_t lines =
        (t->type != SD_ROOK ? c->line[0][t->square] : 0) | (t->type != SD_BISHOP ? c->line[1][t->square] : 0);
    if (!(lines & king))
      continue;
    t->blocks = c->between[n->king][t->square];

    const uint64_t men = t->blocks & occ;
    if (t->checks || (men & (men - 1)) || !(men & p->occ[n->us]))
      continue;
    for (unsigned i = 0; i < n->nours; i++)
      if (men == sd_bit (n->ours[i].square))
        n->ours[i].pinned = ~t->blocks;
  }
  for (unsigned i = 0; i < n->nours; i++) {
    sd_chess_man *m = &n->ours[i];
    const uint64_t at = sd_bit (m->square);
    m->line = c->line[0][n->king] & at ? c->line[0][n->king] & c->line[0][m->square]
                                       : c->line[1][n->king] & c->line[1][m->square];
  }
}

/* What X of theirs does on its squares. */
static void look_at_x (sd_chess_row_count *n) {
  const unsigned type = n->r.x->type;
  const uint64_t occ = n->r.occ;
  n->x_checks = n->x_ours         ? 0
                : type == SD_PAWN ? sd_pawn_attacks (n->us, n->king)
                                  : sd_attacks (n->them, type, n->king, occ);
  for (unsigned i = 0; i < n->nours && type >= SD_BISHOP && !n->x_ours; i++) {
    sd_chess_man *m = &n->ours[i];
    if (n->x_checks & sd_bit (m->square))
      m->pinned |= sd_attacks (n->them, type, n->king, occ ^ sd_bit (m->square)) & ~n->x_checks;
  }
}

/* The squares on which X makes a position: free, and our side does not attack the enemy's king. */
static uint64_t positions (const sd_chess_row_count *n) {
  const unsigned type = n->r.x->type;
  uint64_t xs = ~n->r.occ;
  for (unsigned i = 0; i < n->nours; i++)
    if (n->ours[i].attacks & sd_bit (n->enemy))
      xs &= n->c->between[n->ours[i].square][n->enemy];
  if (n->x_ours)
    xs &= ~(type == SD_PAWN ? sd_pawn_attacks (n->them, n->enemy)
                            : sd_attacks (n->us, type, n->enemy, n->r.occ));
  return xs;
}

/* Squares of X for which the position or one a move later may be symmetric. */
static uint64_t near_symmetry (const sd_chess_row_count *n) {
  const sd_chess *c = n->c;
  uint64_t out = 0;

  if (c->has_pawns)
    return 0;
  for (unsigned i = 0; i < 2; i++) {
    const unsigned turn = i ? SD_CHESS_ANTI : SD_CHESS_MAIN;
    const uint8_t *mirror = c->turn[0][turn];
    if (mirror[n->enemy] != n->enemy)
      continue;
    /* One group may be asymmetric, which a move mends, unless the king has to move to the axis. */
    unsigned odd = 0, may = mirror[n->king] == n->king;
    for (const sd_chess_group *g = c->group; g < c->group + c->ngroups; g++) {
      if (g == n->r.x)
        continue;
      const uint64_t set = n->r.p.by[g->colour][g->type];
      odd += sd_chess_turned_set (turn, set) != set;
    }
    if (odd < may)
      return ~0ull;
    if (odd > may)
      continue;
    /* X must make its group symmetric: on the axis, or as the mirror image that is missing */
    const uint64_t missing = sd_chess_turned_set (turn, n->r.fellows) & ~n->r.fellows;
    if (!missing)
      out |= i ? 0x0102040810204080 : 0x8040201008040201;
    else if ((missing & (missing - 1)) == 0)
      out |= missing;
  }
  return out;
}

static bool row_begin (sd_chess_row_count *n, const sd_chess *c, sd_state s) {
  n->c = c;
  sd_chess_row_of (c, s, &n->r);
  const sd_chess_place *p = &n->r.p;
  n->us = p->stm;
  n->them = 1 - n->us;
  n->king = p->king[n->us];
  n->enemy = p->king[n->them];
  n->x_ours = n->r.x->colour == n->us;
  if (p->clash)
    return false;
  look (n);
  look_at_x (n);
  /* With both kings on the diagonal each state is looked at by itself. */
  n->careful = c->kings->at[p->king[0]][p->king[1]].tie ? ~0ull : near_symmetry (n);
  memset (n->known, 0, sizeof n->known);
  n->x_known = n->x_pushes = 0;
  return true;
}

/* ------------------------------------------------------------ all squares */

enum { PLANES = 8 }; /* no state has more than 255 moves: 5 queens have 147 */

/* What is known of all squares of X; squares of X are meant where sets of squares are not said to be others.
 */
typedef struct sweep {
  sd_chess_row_count *n;
  sd_state_info *out;              /* of X on n->r.at and squares behind; conversions count there at once */
  uint64_t xs;                     /* that are looked at */
  uint64_t calm;                   /* no check */
  uint64_t check[SD_CHESS_GROUPS]; /* theirs number j alone gives check */
  uint64_t x_check;                /* X alone does */
  uint64_t any;                    /* there is a legal move */
  uint64_t quiet[PLANES];          /* moves inside the ending: bit k of their number */
  sd_values_blocks *failed;
} sweep;

/* A quiet move more for each of `xs`. */
static inline void count_quiet (sweep *s, uint64_t xs) {
  s->any |= xs;
  /* An adder of 64 lanes, a plane for each bit: mostly the carry ends soon. */
  for (unsigned k = 0; xs; k++) {
    const uint64_t carry = s->quiet[k] & xs;
    s->quiet[k] ^= xs;
    xs = carry;
  }
}

/* The state with X on a square. */
static inline sd_state_info *info (const sweep *s, unsigned x) {
  return s->out + (x - s->n->r.at);
}

/* What conversions have given is added to the state with X on a square. */
static inline void add (sweep *s, unsigned x, const sd_chess_tally *t) {
  sd_state_info *o = info (s, x);
  if (t->any)
    s->any |= sd_bit (x);
  if (t->failed)
    s->failed = t->failed;
  o->moves = (uint16_t) (o->moves + t->halves / 2);
  o->win = (uint16_t) t->win;
  o->loss = (uint16_t) t->loss;
}

static inline sd_chess_tally so_far (const sweep *s, unsigned x) {
  const sd_state_info *o = info (s, x);
  return (sd_chess_tally){ .win = o->win, .loss = o->loss };
}

/* A conversion for each of `xs`, with the piece that varies on X's square. */
static void count_way (sweep *s, const sd_chess_way *w, uint64_t xs) {
  for (; xs; xs &= xs - 1) {
    const unsigned x = sd_lowest (xs);
    sd_chess_tally t = so_far (s, x);
    sd_chess_count (s->n->c, &t, w->child, sd_chess_way_value (s->n->c, w, x));
    add (s, x, &t);
  }
}

/* Number of theirs on a square; ntheirs: none. */
static inline unsigned theirs_on (const sd_chess_row_count *n, unsigned square) {
  unsigned j = 0;
  while (j < n->ntheirs && n->theirs[j].square != square)
    j++;
  return j;
}

/* Who gives check. */
static void look_for_checks (sweep *s) {
  const sd_chess_row_count *n = s->n;
  uint64_t seen = n->x_checks, twice = 0;
  for (unsigned j = 0; j < n->ntheirs; j++) {
    s->check[j] = n->theirs[j].checks ? ~n->theirs[j].blocks : 0;
    /* Two give check: only the king may move. */
    twice |= seen & s->check[j];
    seen |= s->check[j];
  }
  s->calm = s->xs & ~seen;
  for (unsigned j = 0; j < n->ntheirs; j++)
    s->check[j] &= s->xs & ~twice;
  s->x_check = n->x_checks & s->xs & ~twice;
}

/* Where the enemy attacks a square, our king taken off the board. */
static inline uint64_t attacked (const sd_chess_row_count *n, unsigned square) {
  uint64_t out = 0;
  /* X between a slider and the square stops it. */
  for (unsigned j = 0; j < n->ntheirs; j++)
    if (n->theirs[j].attacks & sd_bit (square))
      out |= n->theirs[j].slider ? ~n->c->between[n->theirs[j].square][square] : ~0ull;
  if (!n->x_ours)
    out |= n->r.x->type == SD_PAWN ? sd_pawn_attacks (n->us, square)
                                   : sd_attacks (n->them, n->r.x->type, square, n->r.occ ^ sd_bit (n->king));
  return out;
}

static void king_moves (sweep *s) {
  sd_chess_row_count *n = s->n;
  uint64_t targets = sd_king_attacks (n->king) & ~sd_king_attacks (n->enemy) & ~n->r.p.occ[n->us];

  for (; targets; targets &= targets - 1) {
    const unsigned to = sd_lowest (targets);
    const uint64_t xs = s->xs & ~attacked (n, to);
    if (!xs)
      continue;
    if (n->r.occ & sd_bit (to)) {
      count_way (s, sd_chess_capture_way (n, SD_CHESS_ITS_KING, theirs_on (n, to)), xs);
      continue;
    }
    /* Where X stands there itself it is taken, if it is theirs. */
    count_quiet (s, xs & ~sd_bit (to));
    if (n->x_ours || !(xs & sd_bit (to)))
      continue;
    sd_chess_place p = n->r.p;
    sd_chess_tally t = so_far (s, to);
    p.king[n->us] = (uint8_t) to;
    sd_chess_convert (n->c, &n->c->child[n->us][SD_PAWN][n->r.x->type], &p, &t);
    add (s, to, &t);
  }
}

/* Where a move to a square, not of the king, leaves no check that there is now. */
static inline uint64_t answers (const sweep *s, unsigned to) {
  const sd_chess_row_count *n = s->n;
  uint64_t out = s->calm;
  for (unsigned j = 0; j < n->ntheirs; j++)
    if (s->check[j]
        && (sd_bit (n->theirs[j].square) | n->c->between[n->king][n->theirs[j].square]) & sd_bit (to))
      out |= s->check[j];
  return s->x_check ? out | (s->x_check & (n->c->beyond[n->king][to] | sd_bit (to))) : out;
}

/* A pawn of ours, X or on a square of its own, becomes something on a square where it takes what is there. */
static void promote_by_capture (sweep *s, unsigned from, unsigned to, uint64_t xs) {
  const sd_chess_row_count *n = s->n;
  for (; xs; xs &= xs - 1) {
    const unsigned x = sd_lowest (xs);
    sd_chess_place p = n->r.p;
    sd_chess_tally t = so_far (s, x);
    p.by[n->r.x->colour][n->r.x->type] |= sd_bit (x);
    sd_chess_promotions (n->c, &p, from, sd_bit (to), n->r.p.occ[n->them] | (n->x_ours ? 0 : sd_bit (x)), &t);
    add (s, x, &t);
  }
}

/* Of a part: a pawn of ours goes to a square for each of `xs`. Kings and pieces stay, so that the row of the
 * part below is as this one; but what X does to an en-passant capture is looked at square by square, and so
 * are equal sides, which are stored with White to move. */
static void push_to_below (sweep *s, unsigned from, unsigned to, uint64_t xs) {
  const sd_chess_row_count *n = s->n;
  const sd_chess *c = n->c;
  const uint64_t files = 0x7f7f7f7f7f7f7f7f, at = sd_bit (to);
  const bool beside =
      (from ^ to) == 16 && ((at & files) << 1 | (at >> 1 & files)) & n->r.p.by[n->them][SD_PAWN];
  sd_chess_place p = n->r.p;
  const sd_value *row = NULL;

  if (!beside && c->nsides == 2) {
    p.by[n->us][SD_PAWN] ^= sd_bit (from) | at;
    row = sd_chess_row_below (c, &p, n->r.slot % c->inner);
  }
  uint64_t drawn = 0; /* counts as a move inside the ending does */
  for (; xs; xs &= xs - 1) {
    const unsigned x = sd_lowest (xs);
    if (row && row[x] == 0) {
      drawn |= sd_bit (x);
      continue;
    }
    sd_chess_tally t = so_far (s, x);
    if (row)
      sd_chess_count (c, &t, &c->child[n->us][SD_PAWN][SD_KING], row[x]);
    else {
      p = n->r.p;
      p.by[n->r.x->colour][n->r.x->type] |= sd_bit (x);
      p.occ[n->r.x->colour] |= sd_bit (x);
      sd_chess_push_below (c, &p, from, to, &t);
    }
    add (s, x, &t);
  }
  count_quiet (s, drawn);
}

/* Our piece `mover` goes to a square, or takes there, for those of `xs`. */
static void piece_move (sweep *s, unsigned mover, unsigned to, uint64_t xs, bool takes) {
  sd_chess_row_count *n = s->n;
  const sd_chess_man *m = &n->ours[mover];
  const bool promotes = m->type == SD_PAWN && (to < 8 || to >= 56);
  const uint64_t here = sd_bit (to), pinned = m->line & here ? 0 : m->pinned;

  /* A pinned piece stays on its line, and X must not stand in the way. */
  xs &= answers (s, to) & ~pinned & ~n->c->between[m->square][to];
  if (!xs)
    return;
  if (n->r.occ & here) {
    if (promotes)
      promote_by_capture (s, m->square, to, xs);
    else
      count_way (s, sd_chess_capture_way (n, mover, theirs_on (n, to)), xs);
    return;
  }
  if (takes && !n->x_ours && (xs & here)) {
    if (promotes)
      promote_by_capture (s, m->square, to, here);
    else
      count_way (s, sd_chess_capture_x_way (n, mover), here);
  }

  xs &= ~here;
  /* A pawn that takes needs something to take. */
  if (m->type == SD_PAWN && takes)
    return;
  if (m->type == SD_PAWN && !promotes && n->c->by_parts)
    push_to_below (s, m->square, to, xs);
  else if (!promotes)
    count_quiet (s, xs);
  else
    for (unsigned type = SD_KNIGHT; type <= SD_QUEEN; type++)
      count_way (s, sd_chess_push_way (n, mover, to, type), xs);
}

static void piece_moves (sweep *s, unsigned mover) {
  const sd_chess_row_count *n = s->n;
  const sd_chess_man *m = &n->ours[mover];
  uint64_t targets = m->attacks & ~n->r.p.occ[n->us];
  for (; targets; targets &= targets - 1)
    piece_move (s, mover, sd_lowest (targets), s->xs, true);
  if (m->type != SD_PAWN)
    return;
  targets = sd_chess_pawn_targets (n->us, m->square, n->r.occ, 0);
  for (; targets; targets &= targets - 1)
    piece_move (s, mover, sd_lowest (targets), s->xs, false);
}

/* ----------------------------------------------------------------- X's moves */

static inline uint64_t forward (unsigned us, uint64_t pawns) {
  return us == SD_WHITE ? pawns << 8 : pawns >> 8;
}

/* X of ours is a pawn: from which squares may it go to `to`, so many steps before it, as far as checks go? It
 * is pinned where it has come between a checking slider and the king. */
static uint64_t pushes_to (const sweep *s, uint64_t to, unsigned steps) {
  const sd_chess_row_count *n = s->n;
  uint64_t out = s->calm, pinned = 0;
  for (unsigned j = 0; j < n->ntheirs; j++) {
    const sd_chess_man *t = &n->theirs[j];
    if (!t->checks)
      continue;
    uint64_t line = to & n->c->between[n->king][t->square];
    for (unsigned i = 0; i < steps; i++)
      line = forward (n->them, line);
    out |= s->check[j] & line;
    pinned |= t->blocks & ~line;
  }
  return out & ~pinned;
}

/* Quiet moves of X, a pawn of ours, but for promotions. */
static void x_pushes (sweep *s) {
  const sd_chess_row_count *n = s->n;
  const uint64_t free = ~n->r.occ & ~(0xffull | 0xffull << 56);
  const uint64_t third = n->us == SD_WHITE ? 0xffull << 16 : 0xffull << 40;
  const uint64_t one = forward (n->us, s->xs) & free, two = forward (n->us, one & third) & free;
  /* Back from where the pawn arrives to where it stood. */
  count_quiet (s, forward (n->them, one) & pushes_to (s, one, 1));
  count_quiet (s, forward (n->them, forward (n->them, two)) & pushes_to (s, two, 2));
}

/* Where X of ours on a square may go as far as checks go. */
static uint64_t x_allowed (const sweep *s, unsigned square) {
  const sd_chess_row_count *n = s->n;
  const sd_chess *c = n->c;
  const uint64_t x = sd_bit (square);
  uint64_t out = s->calm & x ? ~0ull : 0;
  for (unsigned j = 0; j < n->ntheirs; j++)
    if (s->check[j] & x)
      out = sd_bit (n->theirs[j].square) | c->between[n->king][n->theirs[j].square];
  for (unsigned j = 0; j < n->ntheirs; j++)
    if (n->theirs[j].checks && n->theirs[j].blocks & x)
      out &= c->line[0][n->king] & x ? c->line[0][n->king] & c->line[0][square]
                                     : c->line[1][n->king] & c->line[1][square];
  return out;
}

/* X, a pawn of ours, goes to the last rank, or takes there. */
static void x_promotes (sd_chess_row_count *n, unsigned square, uint64_t targets, sd_chess_tally *t) {
  const uint64_t theirs = n->r.p.occ[n->them], quiet = targets & ~theirs;
  for (unsigned type = SD_KNIGHT; quiet && type <= SD_QUEEN; type++) {
    const sd_chess_way *w = sd_chess_x_push_way (n, type);
    sd_chess_count (n->c, t, w->child, sd_chess_way_value (n->c, w, sd_lowest (quiet)));
  }
  if (!(targets & theirs))
    return;
  sd_chess_place p = n->r.p;
  p.by[n->us][SD_PAWN] |= sd_bit (square);
  sd_chess_promotions (n->c, &p, square, targets & theirs, theirs, t);
}

/* X's moves from one square; of a pawn, captures and promotions. */
static void x_moves (sweep *s, unsigned square) {
  sd_chess_row_count *n = s->n;
  const unsigned type = n->r.x->type;
  const uint64_t theirs = n->r.p.occ[n->them];
  uint64_t targets = type == SD_PAWN ? sd_chess_pawn_targets (n->us, square, n->r.occ, theirs)
                                     : sd_attacks (n->us, type, square, n->r.occ);

  targets &= ~n->r.p.occ[n->us] & x_allowed (s, square);
  if (!targets)
    return;

  sd_chess_tally t = so_far (s, square);
  if (type == SD_PAWN && (targets & (0xffull | 0xffull << 56))) {
    x_promotes (n, square, targets, &t);
    targets = 0;
  }
  for (unsigned j = 0; targets & theirs && j < n->ntheirs; j++)
    if (targets & sd_bit (n->theirs[j].square))
      sd_chess_count (n->c, &t, n->c->child[n->us][SD_PAWN] + n->theirs[j].type, sd_chess_x_captures (n, j));
  if (type != SD_PAWN) {
    t.any |= (targets & ~theirs) != 0;
    t.halves += 2 * (unsigned) __builtin_popcountll (targets & ~theirs);
  }
  add (s, square, &t);
}

static void all_x_moves (sweep *s) {
  const sd_chess_row_count *n = s->n;
  uint64_t xs = s->xs;
  if (n->r.x->type == SD_PAWN) {
    uint64_t near = n->us == SD_WHITE ? 0xffull << 48 : 0xffull << 8; /* to promotion, or to a capture */
    for (unsigned j = 0; j < n->ntheirs; j++)
      near |= sd_pawn_attacks (n->them, n->theirs[j].square);
    /* All squares at once; only what leaves the ending is looked at square by square. */
    x_pushes (s);
    xs &= near;
  }
  for (; xs; xs &= xs - 1)
    x_moves (s, sd_lowest (xs));
}

/* ------------------------------------------------------------------- in all */

/* The numbers of quiet moves are put into their states, bit by bit for 32 states at once. */
static void write_out (const sweep *s) {
  uint16_t quiet[64] = { 0 };
  for (unsigned k = 0; k < PLANES; k++)
    if (s->quiet[k]) {
      sd_lanes_add (quiet, (uint32_t) s->quiet[k], (uint16_t) (1u << k));
      sd_lanes_add (quiet + SD_LANES, (uint32_t) (s->quiet[k] >> SD_LANES), (uint16_t) (1u << k));
    }
  for (uint64_t xs = s->xs; xs; xs &= xs - 1) {
    const unsigned x = sd_lowest (xs);
    sd_state_info *o = info (s, x);
    o->exists = true;
    o->moves = (uint16_t) (o->moves + quiet[x]);
  }
  /* In check and without a legal move: mate. */
  for (uint64_t xs = s->xs & ~(s->calm | s->any); xs; xs &= xs - 1)
    info (s, sd_lowest (xs))->terminal_lost = true;
}

sd_values_blocks *sd_chess_init_row (const sd_chess *c, sd_state first, uint64_t most, uint64_t *taken,
                                     sd_state_info *out) {
  sd_chess_row_count n;
  const bool clash = !row_begin (&n, c, first);
  const unsigned at = n.r.at;
  const uint64_t run = n.r.end - at < most ? n.r.end - at : most;

  *taken = run;
  memset (out, 0, run * sizeof *out);
  if (clash)
    return NULL;
  /* Those of the row that are asked for. */
  uint64_t xs = positions (&n) >> at;
  if (run < 64)
    xs &= sd_bit ((unsigned) run) - 1;
  xs <<= at;

  sweep s = { .n = &n, .out = out, .xs = xs & ~n.careful };
  look_for_checks (&s);
  king_moves (&s);
  for (unsigned i = 0; i < n.nours; i++)
    piece_moves (&s, i);
  if (n.x_ours)
    all_x_moves (&s);
  write_out (&s);

  /* Where symmetry may count moves twice each state is examined by itself. */
  for (xs &= n.careful; xs && !s.failed; xs &= xs - 1)
    s.failed = sd_chess_examine (c, first + sd_lowest (xs) - at, &out[sd_lowest (xs) - at]);
  return s.failed;
}
