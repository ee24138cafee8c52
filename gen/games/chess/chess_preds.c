/* Predecessors and successors of a chess state inside the ending, by arithmetic on one digit: quiet un-moves
 * of the side that is not to move, quiet moves of the side that is.
 *
 * A piece that goes back from one square to another changes its group's digit and nothing else; kings go
 * through the table of pairs, which also names the board symmetry that the other digits then need (each such
 * sum is made once a call). Un-moves to positions in which the other king is attacked are left out as far as
 * that is cheap: the solver drops marks to states that do not exist.
 *
 * En passant: a position p is also named as p with each right that its side to move can use, since those
 * states have the same moves. The double step leads to the state with the right if it can be used, and to the
 * plain one if not.
 *
 * Material that is equal on both sides is stored with White to move, so q is turned into the same position
 * with colours swapped and Black to move; White's un-moves then lead straight to stored states. Cost: 5-10 ns
 * a predecessor.
 *
 * Successors (for the solvers that look forward) go the same way with the board turned round where material
 * is equal. They come as often as init counts the move: twice where the move makes a position symmetric, once
 * for the two moves that end its symmetry (chess_init.c). */
#include "config.h"
#include "gen/games/chess/chess_moves.h"
#include <string.h>

typedef struct walk {
  const sd_chess *c;
  sd_chess_place p;  /* q */
  unsigned us, them; /* who moves or un-moves, and the other */
  uint64_t offset;   /* of the states that are named */
  uint64_t rest[8];  /* the groups' part of the slot by turn; UINT64_MAX: not yet known */
  bool tie;          /* both kings stand on the diagonal: two candidates for the slot */
  bool pushed;       /* a pawn of `them` stands where a double step ends */
  sd_state *out;
} walk;

static uint64_t rest_of (walk *w, unsigned turn) {
  if (w->rest[turn] == UINT64_MAX)
    w->rest[turn] = sd_chess_rest (w->c, &w->p, turn);
  return w->rest[turn];
}

/* The states p with a right of `us` to capture, where q differs from p by one piece. */
static void emit_rights (walk *w, unsigned type, unsigned now, unsigned before) {
  const uint64_t both = sd_bit (now) | sd_bit (before);
  uint64_t pawns[2] = { w->p.by[SD_WHITE][SD_PAWN], w->p.by[SD_BLACK][SD_PAWN] };

  if (type == SD_PAWN)
    pawns[w->us] ^= both;
  /* By the pawns alone at first: mostly there is no such file. */
  unsigned files = sd_chess_ep_files (w->them, pawns[SD_WHITE], pawns[SD_BLACK]);
  if (files == 0)
    return;
  sd_chess_place p = w->p;
  if (type == SD_KING)
    p.king[w->us] = (uint8_t) before;
  else
    p.by[w->us][type] ^= both;
  p.occ[w->us] ^= both;
  p.stm = (uint8_t) w->us;
  for (; files; files &= files - 1) {
    const unsigned file = (unsigned) __builtin_ctz (files);
    if (sd_chess_ep_capturers (w->c, &p, file))
      *w->out++ = sd_chess_ep_state (w->c, &p, file);
  }
}

/* One more piece of a group joins `others` on each of the squares `before`. Between two neighbours of these
 * its place in the rising order is the same, and so is what they add to the rank. */
static void emit_among (walk *w, const sd_chess_group *x, uint64_t base, uint64_t others, uint64_t before) {
  const sd_chess *c = w->c;
  uint64_t sum = 0, left = others >> x->low, squares = before >> x->low;
  unsigned k = 2;

  for (uint64_t o = left; o; o &= o - 1)
    sum += c->choose[k++][sd_lowest (o)];
  for (k = 1;; k++) {
    const uint64_t below = left ? (left & -left) - 1 : ~0ull;
    for (uint64_t to = squares & below; to; to &= to - 1)
      *w->out++ = base + (sum + c->choose[k][sd_lowest (to)]) * x->stride;
    if (!left)
      return;
    const unsigned next = sd_lowest (left);
    squares &= ~below;
    sum = sum + c->choose[k][next] - c->choose[k + 1][next];
    left &= left - 1;
  }
}

/* One piece of a group goes back from `now` to each of the squares `before`. */
static void emit_group (walk *w, unsigned g, unsigned now, uint64_t before) {
  const sd_chess_group *x = &w->c->group[g];
  const uint64_t set = w->p.by[w->us][x->type], others = set ^ sd_bit (now);
  const uint64_t base = w->offset + w->p.slot - w->p.digit[g] * x->stride;

  /* The usual case: one piece, and one candidate for the slot. */
  if (x->count == 1 && !w->tie) {
    const uint64_t zero = base - x->low * x->stride;
    for (uint64_t to = before; to; to &= to - 1)
      *w->out++ = zero + sd_lowest (to) * x->stride;
  } else if (!w->tie) {
    emit_among (w, x, base, others, before);
  } else { /* no pawns here */
    const uint8_t *mirror = w->c->turn[0][SD_CHESS_MAIN];
    const uint64_t mirrored = sd_chess_turned (mirror, others);
    const uint64_t other_base = w->offset + w->p.pair * w->c->kings_stride + rest_of (w, SD_CHESS_MAIN)
                                - sd_chess_digit_turned (w->c, x, mirror, set) * x->stride;
    for (uint64_t to = before; to; to &= to - 1) {
      /* Both mirror images are numbered, and the smaller one holds the position. */
      uint64_t a = base + sd_chess_rank (w->c, others | (to & -to), x->count) * x->stride;
      uint64_t b = mirrored | sd_bit (mirror[sd_lowest (to)]);
      b = other_base + sd_chess_rank (w->c, b, x->count) * x->stride;
      *w->out++ = a < b ? a : b;
    }
  }
  if (w->pushed)
    for (uint64_t to = before; to; to &= to - 1)
      emit_rights (w, x->type, now, sd_lowest (to));
}

static void emit_king (walk *w, uint64_t before) {
  const sd_chess *c = w->c;
  const unsigned now = w->p.king[w->us];

  for (; before; before &= before - 1) {
    const unsigned to = sd_lowest (before);
    const sd_chess_home *home =
        w->us == SD_WHITE ? &c->kings->at[to][w->p.king[1]] : &c->kings->at[w->p.king[0]][to];
    /* Kings side by side. */
    if (home->digit == SD_CHESS_NO_PAIR)
      continue;
    uint64_t rest = rest_of (w, home->turn);
    if (home->tie && rest_of (w, home->turn ^ SD_CHESS_MAIN) < rest)
      rest = w->rest[home->turn ^ SD_CHESS_MAIN];
    *w->out++ = w->offset + home->digit * c->kings_stride + rest;
    if (w->pushed)
      emit_rights (w, SD_KING, now, to);
  }
}

/* Squares that a pawn may have come from; the double step only where it leads to this very state. */
static uint64_t pawn_origins (const walk *w, unsigned square, uint64_t occ) {
  const sd_chess_place *q = &w->p;
  const uint64_t at = sd_bit (square), pawns = ~(0xffull | 0xffull << 56);
  /* With a right there was one move before: the double step. */
  if (q->ep != SD_CHESS_NO_EP) {
    const sd_chess_push push = sd_chess_push_of (w->us, q->ep);
    return push.pushed == square ? sd_bit (push.origin) : 0;
  }
  const uint64_t one = (w->us == SD_WHITE ? at >> 8 : at << 8) & ~occ & pawns;
  const uint64_t fourth = w->us == SD_WHITE ? 0xffull << 24 : 0xffull << 32;
  const uint64_t two = at & fourth ? (w->us == SD_WHITE ? one >> 8 : one << 8) & ~occ : 0;
  /* A double step that can be answered by en passant leads to the state with the right. */
  if (two && w->c->has_ep && sd_chess_ep_capturers (w->c, q, square & 7))
    return one;
  return one | two;
}

/* White to move, colours equal: the same with Black to move. */
static void swap_colours (const sd_chess *c, sd_chess_place *p) {
  const sd_chess_place q = *p;
  const sd_chess_home *home = &c->kings->at[q.king[1] ^ 56][q.king[0] ^ 56];
  const uint8_t *turn = c->turn[1][home->turn];

  p->stm = SD_BLACK;
  p->pair = home->digit;
  for (unsigned colour = 0; colour < 2; colour++) {
    p->king[colour] = turn[q.king[1 - colour]];
    p->occ[colour] = sd_chess_turned (turn, q.occ[1 - colour]);
  }
  for (unsigned g = 0; g < c->ngroups; g++) {
    const sd_chess_group *x = &c->group[g];
    const uint64_t set = sd_chess_turned (turn, q.by[1 - x->colour][x->type]);
    p->by[x->colour][x->type] = set;
    p->digit[g] = (uint32_t) sd_chess_rank (c, set >> x->low, x->count);
  }
  p->slot = p->pair * c->kings_stride + sd_chess_rest (c, p, 0);
  if (q.ep != SD_CHESS_NO_EP)
    p->ep = turn[q.ep] & 7;
}

/* At state s, to go back from it or, forward, on from it: either way to states in which the other side is to
 * move. */
static void walk_begin (walk *w, const sd_chess *c, sd_state s, bool forward, sd_state *out) {
  sd_chess_place *p = &w->p;
  *w = (walk){ .c = c, .out = out };
  sd_chess_decode (c, s, p);
  if (c->nsides == 1)
    swap_colours (c, p);
  w->us = forward ? p->stm : 1u - p->stm;
  w->them = 1 - w->us;
  /* States with the other side to move. */
  w->offset = c->nsides == 1 ? 0 : (1u - p->stm) * c->n;
  w->tie = c->kings->at[p->king[0]][p->king[1]].tie;
  memset (w->rest, 0xff, sizeof w->rest);
  w->rest[0] = p->slot - p->pair * c->kings_stride;
}

unsigned sd_chess_preds (const void *ctx, sd_state q, sd_state *out) {
  const sd_chess *c = ctx;
  walk w;
  const sd_chess_place *p = &w.p;

  walk_begin (&w, c, q, false, out);
  const uint64_t occ = p->occ[0] | p->occ[1];
  if (c->has_ep)
    w.pushed = (p->by[w.them][SD_PAWN] & (w.them == SD_WHITE ? 0xffull << 24 : 0xffull << 32)) != 0;

  /* un-moves of each piece, and who gives check: before the last move nobody did */
  struct {
    unsigned group, square;
    uint64_t origins;
  } piece[SD_CHESS_GROUPS];
  const unsigned king = p->king[w.them];
  unsigned n = 0, checkers = 0;
  for (unsigned g = c->first_group[w.us]; g < c->first_group[w.us + 1]; g++) {
    const unsigned type = c->group[g].type;
    for (uint64_t set = p->by[w.us][type]; set; set &= set - 1) {
      const unsigned square = sd_lowest (set);
      const uint64_t attacks = sd_attacks (w.us, type, square, occ);
      checkers |= (attacks >> king & 1) << n;
      piece[n].group = g;
      piece[n].square = square;
      /* Not from where it attacked the king already, which could have been taken then. */
      if (type == SD_PAWN)
        piece[n].origins = pawn_origins (&w, square, occ) & ~sd_pawn_attacks (w.them, king);
      else
        piece[n].origins = p->ep == SD_CHESS_NO_EP
                               ? attacks & ~occ & ~sd_attacks (w.us, type, king, occ ^ sd_bit (square))
                               : 0;
      n++;
    }
  }
  uint64_t king_origins = p->ep == SD_CHESS_NO_EP ? sd_king_attacks (p->king[w.us]) & ~occ : 0;
  for (unsigned j = 0; j < n; j++) {
    if (!(checkers >> j & 1))
      continue;
    /* Unless the checker itself moved, what moved had stood between. */
    const uint64_t between = c->between[king][piece[j].square];
    king_origins &= between;
    for (unsigned i = 0; i < n; i++)
      if (i != j)
        piece[i].origins &= between;
  }
  emit_king (&w, king_origins);
  for (unsigned i = 0; i < n; i++)
    if (piece[i].origins && !(c->pawns_stay && c->group[piece[i].group].type == SD_PAWN))
      emit_group (&w, piece[i].group, piece[i].square, piece[i].origins);
  return (unsigned) (w.out - out);
}

/* --------------------------------------------------------------- successors */

/* Quiet moves of one piece, each as often as it counts. */
static void emit_moves (walk *w, const sd_state *all, unsigned g, unsigned from, uint64_t targets,
                        bool care) {
  const bool king = g == w->c->ngroups;
  /* No symmetry near: each move counts once. */
  if (!care) {
    if (king)
      emit_king (w, targets);
    else if (targets)
      emit_group (w, g, from, targets);
    return;
  }
  const bool before = sd_chess_symmetric (w->c, &w->p);
  for (; targets; targets &= targets - 1) {
    const unsigned to = sd_lowest (targets);
    sd_chess_place q = w->p;
    if (king)
      q.king[w->us] = (uint8_t) to;
    else
      q.by[w->us][w->c->group[g].type] ^= sd_bit (from) | sd_bit (to);
    const bool after = sd_chess_symmetric (w->c, &q);
    sd_state *first = w->out;
    if (king)
      emit_king (w, targets & -targets);
    else
      emit_group (w, g, from, targets & -targets);
    const sd_state s = *first;
    if (!before && after)
      *w->out++ = s;
    for (const sd_state *seen = all; before && !after && seen < first; seen++)
      if (*seen == s) { /* the mirrored move has been here */
        w->out = first;
        break;
      }
  }
}

/* The double step of a pawn leads to the state with the right to take it, if that can be used. */
static bool emit_double_step (walk *w, unsigned from, unsigned to) {
  const uint64_t both = sd_bit (from) | sd_bit (to);
  sd_chess_place q = w->p;
  q.by[w->us][SD_PAWN] ^= both;
  q.occ[w->us] ^= both;
  q.stm = (uint8_t) w->them;
  if (!sd_chess_ep_capturers (w->c, &q, to & 7))
    return false;
  *w->out++ = sd_chess_ep_state (w->c, &q, to & 7);
  return true;
}

unsigned sd_chess_succs (const void *ctx, sd_state s, sd_state *out) {
  const sd_chess *c = ctx;
  walk w;
  const sd_chess_place *p = &w.p;

  walk_begin (&w, c, s, true, out);
  const uint64_t occ = p->occ[0] | p->occ[1];
  const sd_chess_threats e = sd_chess_threatened (c, p);
  const bool care = !c->has_pawns && sd_chess_near_symmetry (c, p);
  const unsigned king = p->king[w.us];
  emit_moves (&w, out, c->ngroups, king, sd_king_attacks (king) & ~e.danger & ~occ, care);
  for (unsigned g = c->first_group[w.us]; g < c->first_group[w.us + 1] && e.checks < 2; g++) {
    const unsigned type = c->group[g].type;
    for (uint64_t set = p->by[w.us][type]; set; set &= set - 1) {
      const unsigned square = sd_lowest (set);
      const uint64_t attacks = sd_attacks (w.us, type, square, occ);
      uint64_t targets = sd_chess_targets (c, p, &e, type, square, attacks) & ~occ;
      if (type == SD_PAWN) /* promotions leave the ending, and all moves of pawns a part */
        targets &= c->pawns_stay ? 0 : ~(0xffull | 0xffull << 56);
      const uint64_t far = type == SD_PAWN && c->has_ep
                               ? targets & (sd_bit ((square + 16) & 63) | sd_bit ((square - 16) & 63))
                               : 0;
      if (far && emit_double_step (&w, square, sd_lowest (far)))
        targets ^= far;
      emit_moves (&w, out, g, square, targets, care);
    }
  }
  return (unsigned) (w.out - out);
}
