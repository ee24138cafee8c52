/* Positions that no move leads to, under several definitions: ./unreachable SAMPLES ENDING...
 *   make -C build papers/obdd/unreachable
 * A move is taken back if the position before is legal; with promotions and captures taken back or not.
 * Positions count once up to symmetry, the black king in the triangle a1-d1-d4 or on the files a to d; pawns
 * promote on rank 8. SAMPLES 0 looks at all placements, else at so many random ones for each side to move
 * (equal men are placed in any order, hence the division). A line of CSV for each ending and side to move. */
#include "config.h"
#include "chess/chess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROMOTIONS = 1, CAPTURES = 2 };
static const unsigned definition[] = { PROMOTIONS | CAPTURES, CAPTURES, PROMOTIONS, 0 };
static const uint8_t types[] = { SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };

/* The man `now` on `to`, a `type` before, goes back to `from`; there may be a `captured` on `taken` then. */
typedef struct back {
  unsigned now, type, to, captured, taken;
} back;

static bool legal_before (const sd_pos *p, const back *b, uint64_t from) {
  const unsigned us = p->stm ^ 1u;
  for (; from; from &= from - 1) {
    sd_pos q = *p;
    q.by[us][b->now] ^= UINT64_C (1) << b->to;
    q.occ[us] ^= UINT64_C (1) << b->to;
    sd_pos_put (&q, us, b->type, (unsigned) __builtin_ctzll (from));
    if (b->captured != SD_NO_PIECE)
      sd_pos_put (&q, us ^ 1, b->captured, b->taken);
    q.stm = (uint8_t) us;
    q.ep = SD_NO_SQUARE;
    if (sd_pos_legal (&q))
      return true;
  }
  return false;
}

/* Without a capture, and with that of a knight, which only stands in the way. */
static bool from_any (const sd_pos *p, back b, uint64_t steps, uint64_t takes, unsigned what) {
  b.captured = SD_NO_PIECE;
  if (legal_before (p, &b, steps))
    return true;
  b.captured = SD_KNIGHT;
  b.taken = b.to;
  return what & CAPTURES && legal_before (p, &b, takes);
}

static bool by_pawn (const sd_pos *p, back b, unsigned what) {
  const bool white = p->stm == SD_BLACK;
  const uint64_t rank = UINT64_C (0xff), to = UINT64_C (1) << b.to;
  const uint64_t empty = ~(p->occ[0] | p->occ[1]) & ~(white ? rank : rank << 56);
  const uint64_t step = (white ? to >> 8 : to << 8) & empty, taken = step,
                 twice = to & (white ? rank << 24 : rank << 32) ? (white ? step >> 8 : step << 8) & empty : 0,
                 home = white ? to << 8 : to >> 8, diagonal = sd_pawn_attacks (p->stm, b.to) & empty;
  b.type = SD_PAWN;
  if (from_any (p, b, step | twice, diagonal, what))
    return true;
  if (!(what & CAPTURES) || !(to & (white ? rank << 40 : rank << 16)) || !taken || !(home & empty))
    return false;
  b.captured = SD_PAWN; /* en passant */
  b.taken = (unsigned) __builtin_ctzll (taken);
  return legal_before (p, &b, diagonal);
}

static bool reachable (const sd_pos *p, unsigned what) {
  const unsigned us = p->stm ^ 1u;
  const uint64_t occ = p->occ[0] | p->occ[1], last = UINT64_C (0xff) << (us == SD_WHITE ? 56 : 0);
  for (unsigned t = 0; t <= SD_KING; t++)
    for (uint64_t men = p->by[us][t]; men; men &= men - 1) {
      const back b = { t, t, (unsigned) __builtin_ctzll (men), SD_NO_PIECE, 0 };
      const uint64_t from = t == SD_PAWN ? 0 : sd_attacks (us, t, b.to, occ) & ~occ;
      if (t == SD_PAWN ? by_pawn (p, b, what) : from_any (p, b, from, from, what))
        return true;
      if (what & PROMOTIONS && t != SD_KING && t != SD_PAWN && men & -men & last && by_pawn (p, b, what))
        return true;
    }
  return false;
}

/* Files for ranks: the other of two placements with both kings on the long diagonal, of which one counts. */
static bool is_larger_twin (const sd_material *m, const sd_pos *p) {
  uint8_t is[SD_MAX_MEN], other[SD_MAX_MEN];
  sd_pos q;
  sd_pos_clear (&q);
  q.stm = p->stm;
  for (unsigned i = 0; i < 12; i++)
    for (uint64_t b = p->by[i / 6][i % 6]; b; b &= b - 1) {
      const unsigned s = (unsigned) __builtin_ctzll (b);
      sd_pos_put (&q, i / 6, i % 6, (s & 7) << 3 | s >> 3);
    }
  sd_pos_to_squares (m, p, is);
  sd_pos_to_squares (m, &q, other);
  return memcmp (other, is, sd_material_men (m)) < 0;
}

typedef struct counts {
  double legal, unreachable[4];
} counts;

/* sq: white king, black king, the others in the order of `types`, White's first. ordered: equal men too. */
static void look (const sd_material *m, unsigned stm, const unsigned *sq, bool ordered, counts *c) {
  const bool pawns = sd_material_has_pawns (m);
  const unsigned f = sq[1] % 8, r = sq[1] / 8, wf = sq[0] % 8, wr = sq[0] / 8;
  unsigned k = 2;
  sd_pos p;
  if (f > 3 || (!pawns && (r > f || (r == f && wr > wf))) || sq[0] == sq[1])
    return;
  sd_pos_clear (&p);
  p.stm = (uint8_t) stm;
  sd_pos_put (&p, SD_WHITE, SD_KING, sq[0]);
  sd_pos_put (&p, SD_BLACK, SD_KING, sq[1]);
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned t = 0; t < 5; t++)
      for (unsigned n = 0; n < m->count[colour][types[t]]; n++, k++) {
        if ((p.occ[0] | p.occ[1]) >> sq[k] & 1 || (ordered && n && sq[k] < sq[k - 1]))
          return;
        sd_pos_put (&p, colour, types[t], sq[k]);
      }
  if (!sd_pos_legal (&p) || (!pawns && r == f && wr == wf && is_larger_twin (m, &p)))
    return;
  c->legal++;
  for (unsigned d = 0; d < 4 && !reachable (&p, 0); d++)
    c->unreachable[d] += !reachable (&p, definition[d]);
}

static unsigned below (unsigned n) {
  static uint64_t x = UINT64_C (88172645463325252); /* xorshift64, Marsaglia 2003 */
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return (unsigned) ((x >> 11) % n);
}

/* Squares of a placement, drawn so that kings and pawns mostly stand where they may. */
static void draw (const sd_material *m, unsigned *sq) {
  static const uint8_t triangle[] = { 0, 1, 2, 3, 9, 10, 11, 18, 19, 27 };
  unsigned k = 2, king;
  sq[0] = below (64);
  king = sd_material_has_pawns (m) ? below (32) : triangle[below (10)];
  sq[1] = sd_material_has_pawns (m) ? king / 4 * 8 + king % 4 : king;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned t = 0; t < 5; t++)
      for (unsigned n = 0; n < m->count[colour][types[t]]; n++)
        sq[k++] = types[t] == SD_PAWN ? 8 + below (48) : below (64);
}

/* Placements that draw () draws from, with equal men in one order. */
static double placements (const sd_material *m) {
  double n = (sd_material_has_pawns (m) ? 32 : 10) * 64.;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned t = 0; t < 5; t++)
      for (unsigned k = 0; k < m->count[colour][types[t]]; k++)
        n *= (types[t] == SD_PAWN ? 48. : 64.) / (k + 1);
  return n;
}

static void count (const char *name, const sd_material *m, unsigned stm, long samples) {
  const unsigned men = sd_material_men (m);
  unsigned sq[SD_MAX_MEN + 1] = { 0 };
  counts c = { 0, { 0 } };
  for (long i = 0; i < samples; i++) {
    draw (m, sq);
    look (m, stm, sq, false, &c);
  }
  while (!samples && !sq[men]) {
    look (m, stm, sq, true, &c);
    for (unsigned i = 0; i <= men && ++sq[i] == 64 && i < men; i++)
      sq[i] = 0;
  }
  const double each = samples ? placements (m) / (double) samples : 1;
  printf ("%u,%s,%c,%ld,%.0f", men, name, "wb"[stm], samples, c.legal * each);
  for (unsigned d = 0; d < 4; d++)
    printf (",%.0f", c.unreachable[d] * each);
  putchar ('\n');
}

int main (int argc, char **argv) {
  const long samples = argc > 2 ? atol (argv[1]) : -1;
  if (samples < 0) {
    fputs ("usage: unreachable SAMPLES ENDING...\n", stderr);
    return 2;
  }
  puts ("men,ending,side,samples,positions,unreachable,without_promotions,without_captures,without_both");
  for (int i = 2; i < argc; i++) {
    sd_material m;
    sd_error err;
    if (sd_material_parse (argv[i], &m, &err) != SD_OK) {
      fprintf (stderr, "unreachable: %s\n", err.text);
      return 2;
    }
    for (unsigned stm = 0; stm < (sd_material_symmetric (&m) ? 1u : 2u); stm++)
      count (argv[i], &m, stm, samples);
  }
  return 0;
}
