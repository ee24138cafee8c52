/* What the solver must know before it starts, for the states of a row at once (chess_row.h).
 *
 * Idea: what is found for chess_init.c state by state - who attacks what, which pieces are pinned, where a
 * capture leads - hardly changes while X goes from square to square. So it is found once without X, with the
 * squares of X for which it holds; only a slider that sees X is looked at anew. Whether X's squares make
 * positions at all is a set. A conversion's place in its sub-ending is a sum in which only X's digit changes,
 * and where X itself captures, not even that: such values are looked up once a row.
 *
 * Left to chess_init.c: states with an en-passant right, both kings on the diagonal, and positions that are a
 * move or less away from a symmetric one. Cost: 10-20 ns a state. */
#include "config.h"
#include "gen/games/chess/chess_convert.h"
#include "gen/games/chess/chess_moves.h"
#include "gen/games/chess/chess_row_count.h"
#include <string.h>

/* ------------------------------------------------------------------ the row */

/* The row's pieces, what theirs attack, which of ours they pin or would pin without X. */
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
  n->danger = sd_king_attacks (n->enemy);
  n->sliding = 0;
  for (unsigned j = 0; j < n->ntheirs; j++) {
    sd_chess_man *t = &n->theirs[j];
    n->danger |= t->attacks;
    t->checks = (t->attacks & king) != 0;
    if (!t->slider)
      continue;
    n->sliding |= t->attacks;
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
    unsigned odd = 0, may = mirror[n->king] == n->king;
    for (const sd_chess_group *g = c->group; g < n->r.x; g++) {
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
  n->careful = c->kings->at[p->king[0]][p->king[1]].tie ? ~0ull : near_symmetry (n);
  memset (n->known, 0, sizeof n->known);
  n->x_known = 0;
  return true;
}

/* ---------------------------------------------------------------- a square */

/* What is known of the state with X on a square. */
typedef struct spot {
  unsigned square;
  uint64_t bit, occ, ours, theirs;
  uint64_t danger, allowed;
  unsigned checks;
} spot;

static inline void at_square (const sd_chess_row_count *n, unsigned square, spot *a) {
  const sd_chess *c = n->c;
  a->square = square;
  a->bit = sd_bit (square);
  a->occ = n->r.occ | a->bit;
  a->ours = n->r.p.occ[n->us] | (n->x_ours ? a->bit : 0);
  a->theirs = n->r.p.occ[n->them] | (n->x_ours ? 0 : a->bit);
  a->danger = n->danger;
  a->allowed = ~0ull;
  a->checks = 0;
  if (n->sliding & a->bit) {
    a->danger = sd_king_attacks (n->enemy);
    for (unsigned j = 0; j < n->ntheirs; j++) {
      const sd_chess_man *t = &n->theirs[j];
      a->danger |= t->slider && t->attacks & a->bit
                       ? sd_attacks (n->them, t->type, t->square, a->occ ^ sd_bit (n->king))
                       : t->attacks;
    }
  }
  for (unsigned j = 0; j < n->ntheirs; j++) {
    const sd_chess_man *t = &n->theirs[j];
    if (t->checks && !(t->blocks & a->bit)) {
      a->checks++;
      a->allowed &= sd_bit (t->square) | c->between[n->king][t->square];
    }
  }
  if (!n->x_ours) {
    a->danger |= sd_attacks (n->them, n->r.x->type, square, n->r.occ ^ sd_bit (n->king));
    if (n->x_checks & a->bit) {
      a->checks++;
      a->allowed &= a->bit | c->between[n->king][square];
    }
  }
}

/* Captures by our piece `mover`. */
static void takes (sd_chess_row_count *n, const spot *a, unsigned mover, uint64_t targets,
                   sd_chess_tally *t) {
  for (unsigned j = 0; targets && j < n->ntheirs; j++)
    if (targets & sd_bit (n->theirs[j].square)) {
      targets ^= sd_bit (n->theirs[j].square);
      const sd_chess_way *w = sd_chess_capture_way (n, mover, j);
      sd_chess_count (n->c, t, w->child, sd_chess_way_value (n->c, w, a->square));
    }
  if (!targets)
    return;
  if (mover != SD_CHESS_ITS_KING) { /* X */
    const sd_chess_way *w = sd_chess_capture_x_way (n, mover);
    sd_chess_count (n->c, t, w->child, sd_chess_way_value (n->c, w, a->square));
    return;
  }
  sd_chess_place p = n->r.p;
  p.king[n->us] = (uint8_t) a->square;
  sd_chess_convert (n->c, &n->c->child[n->us][SD_PAWN][n->r.x->type], &p, t);
}

static void x_takes (sd_chess_row_count *n, uint64_t targets, sd_chess_tally *t) {
  for (unsigned j = 0; targets && j < n->ntheirs; j++)
    if (targets & sd_bit (n->theirs[j].square)) {
      targets ^= sd_bit (n->theirs[j].square);
      sd_chess_count (n->c, t, n->c->child[n->us][SD_PAWN] + n->theirs[j].type, sd_chess_x_captures (n, j));
    }
}

/* A pawn on the last rank but one; `mover`: SD_CHESS_ITS_KING for X. */
static void promotes (sd_chess_row_count *n, const spot *a, unsigned mover, unsigned square, uint64_t targets,
                      sd_chess_tally *t) {
  uint64_t quiet = targets & ~a->occ;
  if (mover != SD_CHESS_ITS_KING && quiet) {
    for (unsigned type = SD_KNIGHT; type <= SD_QUEEN; type++) {
      const sd_chess_way *w = sd_chess_push_way (n, mover, sd_lowest (quiet), type);
      sd_chess_count (n->c, t, w->child, sd_chess_way_value (n->c, w, a->square));
    }
    targets ^= quiet;
  }
  if (!targets)
    return;
  sd_chess_place p = n->r.p;
  p.by[n->r.x->colour][n->r.x->type] |= a->bit;
  sd_chess_promotions (n->c, &p, square, targets, a->theirs, t);
}

/* Moves of our piece `mover`, SD_CHESS_ITS_KING for X, which attacks `attacks` and must stay on `line`. Its
 * eight arguments are in registers: this runs once a piece and state. */
static inline void moves (sd_chess_row_count *n, const spot *a, unsigned mover, unsigned type,
                          unsigned square, uint64_t attacks, uint64_t line, sd_chess_tally *t) {
  uint64_t targets = attacks;
  if (type == SD_PAWN)
    targets = sd_chess_pawn_targets (n->us, square, a->occ, a->theirs);
  targets &= ~a->ours & a->allowed & line;
  if (type == SD_PAWN && (targets & (0xffull | 0xffull << 56))) {
    promotes (n, a, mover, square, targets, t);
    return;
  }
  const uint64_t quiet = targets & ~a->occ;
  t->any |= quiet != 0;
  t->halves += 2 * (unsigned) __builtin_popcountll (quiet);
  if (targets & a->occ) {
    if (mover == SD_CHESS_ITS_KING)
      x_takes (n, targets & a->occ, t);
    else
      takes (n, a, mover, targets & a->occ, t);
  }
}

/* X of ours: is it pinned? It is if it has come between a checking slider and the king. */
static uint64_t x_line (const sd_chess_row_count *n, const spot *a) {
  const sd_chess *c = n->c;
  for (unsigned j = 0; j < n->ntheirs; j++) {
    const sd_chess_man *t = &n->theirs[j];
    if (t->checks && t->blocks & a->bit)
      return c->line[0][n->king] & a->bit ? c->line[0][n->king] & c->line[0][a->square]
                                          : c->line[1][n->king] & c->line[1][a->square];
  }
  return ~0ull;
}

static const sd_values_side *square (sd_chess_row_count *n, unsigned s, sd_state_info *out) {
  sd_chess_tally t = { 0 };
  spot a;
  at_square (n, s, &a);
  const uint64_t king = sd_king_attacks (n->king) & ~a.danger & ~a.ours, quiet = king & ~a.occ;
  t.any = quiet != 0;
  t.halves = 2 * (unsigned) __builtin_popcountll (quiet);
  if (king & a.occ)
    takes (n, &a, SD_CHESS_ITS_KING, king & a.occ, &t);
  if (a.checks < 2) {
    for (unsigned i = 0; i < n->nours; i++) {
      const sd_chess_man *m = &n->ours[i];
      const uint64_t attacks =
          m->slider && m->attacks & a.bit ? sd_attacks (n->us, m->type, m->square, a.occ) : m->attacks;
      moves (n, &a, i, m->type, m->square, attacks, m->pinned & a.bit ? m->line : ~0ull, &t);
    }
    if (n->x_ours)
      moves (n, &a, SD_CHESS_ITS_KING, n->r.x->type, s, sd_attacks (n->us, n->r.x->type, s, n->r.occ),
             x_line (n, &a), &t);
  }
  *out = (sd_state_info){ .exists = true,
                          .terminal_lost = a.checks && !t.any,
                          .moves = (uint16_t) (t.halves / 2),
                          .win = (uint16_t) t.win,
                          .loss = (uint16_t) t.loss };
  return t.failed;
}

const sd_values_side *sd_chess_init_row (const sd_chess *c, sd_state first, uint64_t most, uint64_t *taken,
                                         sd_state_info *out) {
  sd_chess_row_count n;
  const bool clash = !row_begin (&n, c, first);
  const unsigned at = n.r.at;
  const uint64_t run = n.r.end - at < most ? n.r.end - at : most;
  *taken = run;
  memset (out, 0, run * sizeof *out);
  if (clash)
    return NULL;
  uint64_t xs = positions (&n) >> at;
  if (run < 64)
    xs &= sd_bit ((unsigned) run) - 1;
  for (; xs; xs &= xs - 1) {
    const unsigned k = sd_lowest (xs);
    const sd_values_side *failed =
        n.careful >> (at + k) & 1 ? sd_chess_examine (c, first + k, &out[k]) : square (&n, at + k, &out[k]);
    if (failed)
      return failed;
  }
  return NULL;
}
