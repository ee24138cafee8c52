/* Legal moves. Checks and pins are found once per position, by walking from the king along the four lines to
 * the enemy's sliders: the squares between king and slider are empty (check: a move must land between or
 * take), hold one man of ours (a pin: he stays on the line), or more (nothing). Every other man's targets are
 * then a mask. The check mask is the intersection over all checkers and so is empty in double check. Kings
 * avoid the enemy's attacks with the king lifted off the board; en passant, which takes two men off one line,
 * is tested by itself.
 *
 * Cost: some 10 operations per slider aligned with the king plus an attack set per man; what one class of
 * moves does not need is not computed, because conversions are asked for at every probe and for every slot of
 * a table. Checked by perft figures (tests/chess/test_chess.c). */
#include "config.h"
#include "chess/chess.h"

/* Specialised for each use: class of moves, and whether the first move found is enough. */
#define SPECIALISED static inline __attribute__ ((always_inline))

#define LAST_RANKS UINT64_C (0xff000000000000ff)
enum { MOST_PER_MAN = 28 }; /* a queen has 27 moves, a pawn 12 */

/* Where our men may go. */
typedef struct limits {
  uint64_t check;  /* not the king: must land here */
  uint64_t pinned; /* men that may only move on their line through the king */
  uint64_t pin[4]; /* the same per line */
} limits;

static void find_limits (const sd_pos *p, unsigned us, unsigned king, uint64_t occ, limits *l) {
  const uint64_t *enemy = p->by[us ^ 1];
  uint64_t leapers = (sd_leaps[us][king] & enemy[SD_PAWN]) | (sd_knight_attacks (king) & enemy[SD_KNIGHT]);

  /* Nothing stands between a leaper and the king: he must be taken, and two cannot be. */
  l->check = leapers ? ((leapers & (leapers - 1)) ? 0 : leapers) : ~UINT64_C (0);
  l->pinned = 0;
  uint64_t straight = enemy[SD_ROOK] | enemy[SD_QUEEN], oblique = enemy[SD_BISHOP] | enemy[SD_QUEEN];
  for (unsigned i = 0; i < 4; i++) {
    const sd_line *line = &sd_lines[king][i];
    /* The first two lines are rank and file. */
    uint64_t sliders = (i < 2 ? straight : oblique) & (line->lower | line->upper);
    l->pin[i] = 0;
    for (; sliders; sliders &= sliders - 1) {
      unsigned s = sd_lowest (sliders);
      uint64_t between = s > king ? line->upper & sd_lines[s][i].lower : line->lower & sd_lines[s][i].upper;
      /* One man of the enemy's between them shields the king, and is in nobody's way. */
      uint64_t men = between & occ;
      if (!men)
        l->check &= between | sd_bit (s);
      else if (!(men & (men - 1)))
        l->pin[i] |= men & p->occ[us];
    }
    l->pinned |= l->pin[i];
  }
}

static uint64_t allowed (const limits *l, unsigned king, unsigned square) {
  if (!(l->pinned & sd_bit (square)))
    return l->check;
  for (unsigned i = 0; i < 4; i++)
    if (l->pin[i] & sd_bit (square))
      return l->check & (sd_lines[king][i].lower | sd_lines[king][i].upper);
  return l->check;
}

uint64_t sd_attacked_by (const sd_pos *p, unsigned by, uint64_t occupied) {
  uint64_t attacked = 0;
  for (unsigned t = SD_PAWN; t <= SD_KING; t++)
    for (uint64_t b = p->by[by][t]; b; b &= b - 1)
      attacked |= sd_attacks (by, t, sd_lowest (b), occupied);
  return attacked;
}

/* Pawns of the side to move that may legally take en passant on `ep`. The two pawns that leave may have
 * shielded the king on a common line, so this plays the capture. */
static uint64_t ep_takers (const sd_pos *p, unsigned ep) {
  unsigned us = p->stm, them = us ^ 1;
  uint64_t taken = sd_bit (ep ^ 8), takers = 0;
  uint64_t pawns = sd_pawn_attacks (them, ep) & p->by[us][SD_PAWN];
  if (!pawns || !p->by[us][SD_KING])
    return 0;
  unsigned king = sd_lowest (p->by[us][SD_KING]);
  for (; pawns; pawns &= pawns - 1) {
    /* As after the capture. */
    uint64_t occ = ((p->occ[0] | p->occ[1]) ^ (pawns & -pawns) ^ taken) | sd_bit (ep);
    if (!(sd_attackers (p, king, them, occ) & ~taken))
      takers |= pawns & -pawns;
  }
  return takers;
}

uint64_t sd_ep_squares (const sd_pos *p) {
  unsigned us = p->stm;
  uint64_t empty = ~(p->occ[0] | p->occ[1]), squares = 0;
  uint64_t pawns = p->by[us ^ 1][SD_PAWN];
  /* Squares that a pawn of theirs may just have passed: both it and the one it came from are empty. */
  uint64_t behind = us == SD_WHITE ? pawns << 8 & empty & empty >> 8 & UINT64_C (0x0000ff0000000000)
                                   : pawns >> 8 & empty & empty << 8 & UINT64_C (0x0000000000ff0000);
  for (; behind; behind &= behind - 1)
    if (ep_takers (p, sd_lowest (behind)))
      squares |= behind & -behind;
  return squares;
}

static unsigned type_on (const sd_pos *p, unsigned colour, unsigned square) {
  uint64_t b = sd_bit (square);
  if (!(p->occ[colour] & b))
    return SD_NO_PIECE;
  for (unsigned t = SD_PAWN; t < SD_KING; t++)
    if (p->by[colour][t] & b)
      return t;
  return SD_KING;
}

/* lowest: the least that a pawn is promoted to. */
static unsigned emit (const sd_pos *p, unsigned from, unsigned piece, uint64_t targets, unsigned lowest,
                      sd_move *out) {
  unsigned n = 0;
  for (; targets; targets &= targets - 1) {
    unsigned to = sd_lowest (targets);
    unsigned captured = type_on (p, p->stm ^ 1u, to);
    /* The best promotion first. */
    if (piece == SD_PAWN && (targets & -targets & LAST_RANKS)) {
      for (unsigned t = SD_QUEEN; t >= lowest; t--)
        out[n++] = (sd_move){ (uint8_t) from, (uint8_t) to, SD_PAWN, (uint8_t) captured, (uint8_t) t, false };
      continue;
    }
    out[n++] =
        (sd_move){ (uint8_t) from, (uint8_t) to, (uint8_t) piece, (uint8_t) captured, SD_NO_PIECE, false };
  }
  return n;
}

/* A list of moves in work. */
typedef struct list {
  const sd_pos *p;
  unsigned king;
  uint64_t occ;
  unsigned lowest; /* promotion that is listed */
  bool known;      /* limits are: they are found for the first man that has somewhere to go */
  limits *l;       /* not in here, so that the rest can stay in registers */
  sd_move *out;
  unsigned n;
} list;

/* The moves of a man, not the king, to those of the squares that he may go to. True: that is enough, one move
 * with `any`, or there is no room for more. */
SPECIALISED bool add_man (list *of, unsigned from, unsigned piece, uint64_t to, const bool any) {
  if (!to)
    return false;
  if (!of->known)
    find_limits (of->p, of->p->stm, of->king, of->occ, of->l);
  of->known = true;
  to &= allowed (of->l, of->king, from);
  if (!to)
    return false;
  if (any)
    of->n = 1;
  if (any || of->n > SD_MAX_MOVES - MOST_PER_MAN)
    return true;
  of->n += emit (of->p, from, piece, to, of->lowest, of->out + of->n);
  return false;
}

/* Where a pawn alone in `pawn` may step, if nothing pins it. */
SPECIALISED uint64_t steps (unsigned us, uint64_t pawn, uint64_t occ, const bool all) {
  const uint64_t third = us == SD_WHITE ? UINT64_C (0x0000000000ff0000) : UINT64_C (0x0000ff0000000000);
  const uint64_t step = (us == SD_WHITE ? pawn << 8 : pawn >> 8) & ~occ;
  if (!all)
    return step & LAST_RANKS;
  const uint64_t again = step & third;
  return step | ((us == SD_WHITE ? again << 8 : again >> 8) & ~occ);
}

/* Moves of the given class into out, or, with `any`, just 1 as soon as there is one. */
SPECIALISED unsigned generate (const sd_pos *p, const unsigned which, const bool any, sd_move *out) {
  const bool all = which == SD_MOVES_ALL, captures = all || (which & SD_MOVES_CAPTURES),
             promotions = all || (which & SD_MOVES_PROMOTIONS);
  const unsigned us = p->stm, them = us ^ 1, king = sd_lowest (p->by[us][SD_KING]);
  const uint64_t occ = p->occ[0] | p->occ[1];
  const uint64_t wanted = (captures ? p->occ[them] : 0) | (all ? ~occ : 0); /* by pieces */
  limits l;
  const unsigned lowest = which & SD_MOVES_QUEENS ? SD_QUEEN : SD_KNIGHT;
  list of = { .p = p, .king = king, .occ = occ, .lowest = lowest, .known = all, .l = &l, .out = out };

  uint64_t to = sd_king_attacks (king) & wanted;
  /* Attacks are found only if the king has somewhere to go. */
  if (to)
    to &= ~sd_attacked_by (p, them, occ ^ sd_bit (king));
  if (to) {
    if (any)
      return 1;
    of.n = emit (p, king, SD_KING, to, SD_KNIGHT, out);
  }
  if (all) {
    /* For a class they are found with the first man that has a move of it: mostly none has. */
    find_limits (p, us, king, occ, &l);
    if (!l.check)
      return of.n; /* double check */
  }

#pragma GCC unroll 4
  for (unsigned t = SD_KNIGHT; wanted && t < SD_KING; t++)
    for (uint64_t b = p->by[us][t]; b; b &= b - 1) {
      const unsigned from = sd_lowest (b);
      if (add_man (&of, from, t, sd_attacks (us, t, from, occ) & wanted, any))
        return of.n;
    }
  for (uint64_t b = p->by[us][SD_PAWN]; b; b &= b - 1) {
    const unsigned from = sd_lowest (b);
    to = captures ? sd_pawn_attacks (us, from) & p->occ[them] : 0;
    if (promotions)
      to |= steps (us, b & -b, occ, all);
    if (add_man (&of, from, SD_PAWN, to, any))
      return of.n;
  }
  if (captures && p->ep != SD_NO_SQUARE)
    for (uint64_t b = ep_takers (p, p->ep); b && of.n < SD_MAX_MOVES; b &= b - 1) {
      if (any)
        return 1;
      out[of.n++] = (sd_move){ (uint8_t) sd_lowest (b), p->ep, SD_PAWN, SD_PAWN, SD_NO_PIECE, true };
    }
  return of.n;
}

unsigned sd_moves (const sd_pos *p, enum sd_move_class which, sd_move out[SD_MAX_MOVES]) {
  switch ((unsigned) which) {
  case SD_MOVES_CAPTURES:
    return generate (p, SD_MOVES_CAPTURES, false, out);
  case SD_MOVES_PROMOTIONS:
    return generate (p, SD_MOVES_PROMOTIONS, false, out);
  case SD_MOVES_CONVERSIONS:
    return generate (p, SD_MOVES_CONVERSIONS, false, out);
  case SD_MOVES_CAPTURES | SD_MOVES_QUEENS:
    return generate (p, SD_MOVES_CAPTURES | SD_MOVES_QUEENS, false, out);
  case SD_MOVES_PROMOTIONS | SD_MOVES_QUEENS:
    return generate (p, SD_MOVES_PROMOTIONS | SD_MOVES_QUEENS, false, out);
  case SD_MOVES_CONVERSIONS | SD_MOVES_QUEENS:
    return generate (p, SD_MOVES_CONVERSIONS | SD_MOVES_QUEENS, false, out);
  default:
    return generate (p, SD_MOVES_ALL, false, out);
  }
}

bool sd_has_move (const sd_pos *p) {
  return generate (p, SD_MOVES_ALL, true, NULL) != 0;
}

bool sd_all_escape (const sd_pos *p, const sd_move *move, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_pos_apply (p, &move[i], &child);
    if (sd_in_check (&child, child.stm))
      return false;
  }
  return true;
}

bool sd_only_escapes (const sd_pos *p) {
  sd_move move[SD_MAX_MOVES];
  return sd_in_check (p, p->stm) && sd_all_escape (p, move, sd_moves (p, SD_MOVES_ALL, move));
}

void sd_pos_apply (const sd_pos *before, const sd_move *m, sd_pos *after) {
  unsigned us = before->stm, them = us ^ 1;
  uint64_t from = sd_bit (m->from), to = sd_bit (m->to);

  *after = *before;
  if (m->captured != SD_NO_PIECE) {
    uint64_t taken = m->en_passant ? sd_bit (m->to ^ 8u) : to;
    after->by[them][m->captured] ^= taken;
    after->occ[them] ^= taken;
  }
  after->by[us][m->piece] ^= from;
  after->by[us][m->promotion == SD_NO_PIECE ? m->piece : m->promotion] ^= to;
  after->occ[us] ^= from | to;
  after->stm = (uint8_t) them;
  after->ep = SD_NO_SQUARE;
  if (m->piece == SD_PAWN && (m->from ^ m->to) == 16) { /* ranks 2 and 4, or 7 and 5, differ in bit 4 alone */
    unsigned ep = (m->from + m->to) / 2u;
    /* As in FEN: only where a pawn may take. */
    if (ep_takers (after, ep))
      after->ep = (uint8_t) ep;
  }
}

uint64_t sd_perft (const sd_pos *p, unsigned depth) {
  if (depth == 0)
    return 1;
  sd_move moves[SD_MAX_MOVES];
  unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  if (depth == 1)
    return n;
  uint64_t leaves = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_pos q;
    sd_pos_apply (p, &moves[i], &q);
    leaves += sd_perft (&q, depth - 1);
  }
  return leaves;
}

void sd_move_name (const sd_move *m, char *out) {
  out[0] = (char) ('a' + (m->from & 7));
  out[1] = (char) ('1' + (m->from >> 3));
  out[2] = (char) ('a' + (m->to & 7));
  out[3] = (char) ('1' + (m->to >> 3));
  out[4] = m->promotion < SD_KING ? "pnbrq"[m->promotion] : 0;
  out[5] = 0;
}
