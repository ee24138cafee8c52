/* Un-moves: legal predecessors. The side that has just moved (`us` below) lifts a man from `to` and puts him
 * back on an empty `from` that he could have come from; the position before is legal if, with us to move
 * there, the enemy's king was not in check (ours may have been). That condition is again a mask per man and
 * not a test per square:
 *   - the man himself must not attack that king from `from`;
 *   - each other man of ours that attacks the king once this one is lifted must be blocked by him: `from`
 * lies between. When `to` stays occupied (an un-capture) it blocks lines itself, so the masks are computed
 * for both cases.
 *
 * Cost: two attack sets and one search for checkers per man, plus the copy of a position per un-move. */
#include "config.h"
#include "chess/chess.h"

#define LAST_RANKS UINT64_C (0xff000000000000ff)

typedef struct unmoving {
  const sd_pos *p;
  unsigned us, them, enemy_king;
  uint64_t occ;
  unsigned uncapture; /* types, as bits */
  sd_unmove *out;
  unsigned n, cap;
} unmoving;

static uint64_t between (unsigned a, unsigned b) {
  for (unsigned i = 0; i < 4; i++) {
    const sd_line *x = &sd_lines[a][i], *y = &sd_lines[b][i];
    if (x->upper & sd_bit (b))
      return x->upper & y->lower;
    if (x->lower & sd_bit (b))
      return x->lower & y->upper;
  }
  return 0;
}

/* Where a man of type `type` (in the position before) may stand so that the enemy's king was not in check:
 * `occ` is the board without him. His present square is `to`. */
static uint64_t harmless (const unmoving *u, unsigned type, unsigned to, uint64_t occ) {
  unsigned king = u->enemy_king;
  uint64_t ok =
      ~sd_attacks (u->them, type, king, occ); /* a pawn of ours attacks where theirs is attacked from */
  for (uint64_t a = sd_attackers (u->p, king, u->us, occ) & ~sd_bit (to); a; a &= a - 1)
    ok &= between (king, sd_lowest (a));
  return ok;
}

/* The position before, with `piece` back on `from` and, if captured is a type, such an enemy on `to`. */
static void emit (unmoving *u, unsigned from, unsigned to, unsigned piece, unsigned captured,
                  unsigned promotion) {
  if (u->n < u->cap) {
    sd_unmove *o = &u->out[u->n];
    uint64_t f = sd_bit (from), t = sd_bit (to);
    o->move = (sd_move){ (uint8_t) from,     (uint8_t) to,        (uint8_t) piece,
                         (uint8_t) captured, (uint8_t) promotion, false };
    o->before = *u->p;
    o->before.by[u->us][promotion == SD_NO_PIECE ? piece : promotion] ^= t;
    o->before.by[u->us][piece] ^= f;
    o->before.occ[u->us] ^= f | t;
    if (captured != SD_NO_PIECE) {
      o->before.by[u->them][captured] |= t;
      o->before.occ[u->them] |= t;
    }
    o->before.stm = (uint8_t) u->us;
    o->before.ep = SD_NO_SQUARE;
  }
  u->n++;
}

static uint64_t back (const unmoving *u, uint64_t b) {
  return u->us == SD_WHITE ? b >> 8 : b << 8;
}

static unsigned placeable (const unmoving *u, unsigned to) {
  return sd_bit (to) & LAST_RANKS ? u->uncapture & ~(1u << SD_PAWN) : u->uncapture;
}

/* Squares from which a man on `to` may have come without a capture. `type`: what he was there. Pawns came
 * from ranks 2 to 7. */
static uint64_t quiet_from (const unmoving *u, unsigned type, unsigned to) {
  uint64_t at = sd_bit (to), from;
  if (type == SD_PAWN) {
    uint64_t fourth = u->us == SD_WHITE ? UINT64_C (0x00000000ff000000) : UINT64_C (0x000000ff00000000);
    from = back (u, at) & ~u->occ & ~LAST_RANKS;
    if (at & fourth)
      from |= back (u, from) & ~u->occ;
  } else {
    from = sd_attacks (u->us, type, to, u->occ) & ~u->occ;
  }
  return from ? from & harmless (u, type, to, u->occ ^ at) : 0;
}

/* The same with a capture on `to`. */
static uint64_t capture_from (const unmoving *u, unsigned type, unsigned to) {
  uint64_t from =
      type == SD_PAWN ? sd_pawn_attacks (u->them, to) & ~LAST_RANKS : sd_attacks (u->us, type, to, u->occ);
  from &= ~u->occ;
  return from ? from & harmless (u, type, to, u->occ) : 0;
}

/* `promotion`: what stands on `to` now if `type` is a pawn that was promoted there. */
static void unmove_man (unmoving *u, unsigned type, unsigned to, unsigned promotion) {
  for (uint64_t from = quiet_from (u, type, to); from; from &= from - 1)
    emit (u, sd_lowest (from), to, type, SD_NO_PIECE, promotion);
  unsigned types = placeable (u, to);
  if (!types)
    return;
  for (uint64_t from = capture_from (u, type, to); from; from &= from - 1)
    for (unsigned t = types; t; t &= t - 1)
      emit (u, sd_lowest (from), to, type, sd_lowest (t), promotion);
}

/* A pawn of ours on the 6th rank may have taken en passant: theirs then stood behind it, and had come over
 * this square. */
static void unmove_ep (unmoving *u, unsigned to) {
  uint64_t at = sd_bit (to), pawn = back (u, at), origin = u->us == SD_WHITE ? at << 8 : at >> 8;
  uint64_t sixth = u->us == SD_WHITE ? UINT64_C (0x0000ff0000000000) : UINT64_C (0x0000000000ff0000);
  if (!(at & sixth) || ((pawn | origin) & u->occ))
    return;
  uint64_t from = sd_pawn_attacks (u->them, to) & ~u->occ & harmless (u, SD_PAWN, to, (u->occ ^ at) | pawn);
  for (; from; from &= from - 1) {
    unsigned f = sd_lowest (from);
    emit (u, f, to, SD_PAWN, SD_NO_PIECE, SD_NO_PIECE);
    if (u->n > u->cap)
      continue;
    sd_unmove *o = &u->out[u->n - 1];
    o->move.captured = SD_PAWN;
    o->move.en_passant = true;
    o->before.by[u->them][SD_PAWN] |= pawn;
    o->before.occ[u->them] |= pawn;
    o->before.ep = (uint8_t) to;
  }
}

static unmoving unmoving_of (const sd_pos *p) {
  return (unmoving){ .p = p,
                     .us = p->stm ^ 1u,
                     .them = p->stm,
                     .enemy_king = sd_lowest (p->by[p->stm][SD_KING]),
                     .occ = p->occ[0] | p->occ[1] };
}

unsigned sd_unmove_sets (const sd_pos *p, sd_unmove_set out[16]) {
  unmoving u = unmoving_of (p);
  unsigned n = 0;
  for (unsigned t = SD_PAWN; t <= SD_KING; t++)
    for (uint64_t b = p->by[u.us][t]; b && n < 16; b &= b - 1) {
      unsigned to = sd_lowest (b);
      out[n++] = (sd_unmove_set){ (uint8_t) t, (uint8_t) to, quiet_from (&u, t, to) };
    }
  return n;
}

unsigned sd_unmoves (const sd_pos *p, unsigned uncapture, bool unpromote, sd_unmove *out, unsigned cap) {
  unmoving u = unmoving_of (p);
  u.uncapture = uncapture & ((1u << SD_KING) - 1);
  u.out = out;
  u.cap = cap;
  if (p->ep != SD_NO_SQUARE) { /* the last move is known */
    unsigned to = p->ep ^ 8u, origin = p->ep * 2 - to;
    if (quiet_from (&u, SD_PAWN, to) & sd_bit (origin))
      emit (&u, origin, to, SD_PAWN, SD_NO_PIECE, SD_NO_PIECE);
    return u.n;
  }
  uint64_t last = u.us == SD_WHITE ? UINT64_C (0xff00000000000000) : 0xff;
  for (unsigned t = SD_KNIGHT; t <= SD_KING; t++)
    for (uint64_t b = p->by[u.us][t]; b; b &= b - 1) {
      unsigned to = sd_lowest (b);
      unmove_man (&u, t, to, SD_NO_PIECE);
      if (unpromote && t != SD_KING && (sd_bit (to) & last))
        unmove_man (&u, SD_PAWN, to, t);
    }
  for (uint64_t b = p->by[u.us][SD_PAWN]; b; b &= b - 1) {
    unsigned to = sd_lowest (b);
    unmove_man (&u, SD_PAWN, to, SD_NO_PIECE);
    if (u.uncapture & (1u << SD_PAWN))
      unmove_ep (&u, to);
  }
  return u.n;
}
