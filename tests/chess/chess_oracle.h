/* A slow and obvious chess: squares are walked one by one, moves are made and undone on copies, predecessors
 * are found by trying every square, capture and promotion. Shares nothing with the library but the structs.
 */
#ifndef CHESS_ORACLE_H
#define CHESS_ORACLE_H

#include "chess/chess.h"
#include <string.h>

typedef struct oracle_board {
  int8_t man[64]; /* -1, or colour * 6 + type */
  unsigned stm, ep;
} oracle_board;

static inline oracle_board oracle_of (const sd_pos *p) {
  oracle_board b;
  b.stm = p->stm;
  b.ep = p->ep;
  for (unsigned s = 0; s < 64; s++) {
    b.man[s] = -1;
    for (int i = 0; i < 12; i++)
      if (p->by[i / 6][i % 6] >> s & 1)
        b.man[s] = (int8_t) i;
  }
  return b;
}

static inline sd_pos oracle_pos (const oracle_board *b) {
  sd_pos p;
  sd_pos_clear (&p);
  for (unsigned s = 0; s < 64; s++)
    if (b->man[s] >= 0)
      sd_pos_put (&p, (unsigned) b->man[s] / 6, (unsigned) b->man[s] % 6, s);
  p.stm = (uint8_t) b->stm;
  p.ep = (uint8_t) b->ep;
  return p;
}

static inline uint64_t oracle_attacks (unsigned colour, unsigned type, unsigned square, uint64_t occ) {
  static const int dir[16][2] = { { 1, 0 },  { -1, 0 },  { 0, 1 },  { 0, -1 }, { 1, 1 },  { 1, -1 },
                                  { -1, 1 }, { -1, -1 }, { 1, 2 },  { 1, -2 }, { -1, 2 }, { -1, -2 },
                                  { 2, 1 },  { 2, -1 },  { -2, 1 }, { -2, -1 } };
  uint64_t a = 0;
  int up = colour == SD_WHITE ? 1 : -1;
  for (int d = 0; d < 16; d++) {
    int reach = 0;
    if (type == SD_PAWN)
      reach = dir[d][1] == up && (dir[d][0] == 1 || dir[d][0] == -1) && d < 8;
    if (type == SD_KNIGHT)
      reach = d >= 8;
    if (type == SD_KING)
      reach = d < 8;
    if ((type == SD_ROOK || type == SD_QUEEN) && d < 4)
      reach = 7;
    if ((type == SD_BISHOP || type == SD_QUEEN) && d >= 4 && d < 8)
      reach = 7;
    int file = (int) square % 8, rank = (int) square / 8;
    while (reach-- > 0) {
      file += dir[d][0];
      rank += dir[d][1];
      if (file < 0 || file > 7 || rank < 0 || rank > 7)
        break;
      a |= (uint64_t) 1 << (rank * 8 + file);
      if (occ >> (rank * 8 + file) & 1)
        break;
    }
  }
  return a;
}

static inline bool oracle_check (const oracle_board *b, unsigned colour) {
  uint64_t occ = 0, attacked = 0, king = 0;
  for (unsigned s = 0; s < 64; s++)
    if (b->man[s] >= 0) {
      occ |= (uint64_t) 1 << s;
      if (b->man[s] == (int) (colour * 6 + SD_KING))
        king |= (uint64_t) 1 << s;
    }
  for (unsigned s = 0; s < 64; s++)
    if (b->man[s] >= 0 && (unsigned) b->man[s] / 6 != colour)
      attacked |= oracle_attacks (colour ^ 1, (unsigned) b->man[s] % 6, s, occ);
  return (attacked & king) != 0;
}

static inline oracle_board oracle_play (const oracle_board *b, const sd_move *m) {
  oracle_board a = *b;
  if (m->en_passant)
    a.man[m->from / 8 * 8 + m->to % 8] = -1;
  a.man[m->from] = -1;
  a.man[m->to] = (int8_t) (b->stm * 6 + (m->promotion == SD_NO_PIECE ? m->piece : m->promotion));
  a.stm ^= 1;
  a.ep = SD_NO_SQUARE;
  return a;
}

static inline unsigned oracle_moves (const sd_pos *p, unsigned which, sd_move *out) {
  oracle_board b = oracle_of (p);
  unsigned n = 0, us = b.stm;
  uint64_t occ = p->occ[0] | p->occ[1];
  int up = us == SD_WHITE ? 8 : -8;
  for (unsigned from = 0; from < 64; from++) {
    if (b.man[from] < 0 || (unsigned) b.man[from] / 6 != us)
      continue;
    unsigned type = (unsigned) b.man[from] % 6;
    uint64_t attacks = oracle_attacks (us, type, from, occ);
    for (unsigned to = 0; to < 64; to++) {
      if (to == from || (b.man[to] >= 0 && (unsigned) b.man[to] / 6 == us))
        continue;
      bool ep = false, possible = attacks >> to & 1;
      if (type == SD_PAWN) {
        int d = (int) to - (int) from;
        ep = possible && to == b.ep;
        possible = possible && (ep || b.man[to] >= 0);
        if (d == up && b.man[to] < 0)
          possible = true;
        if (d == 2 * up && from / 8 == (us == SD_WHITE ? 1u : 6u) && b.man[to] < 0
            && b.man[(int) from + up] < 0)
          possible = true;
      }
      if (!possible)
        continue;
      bool promotes = type == SD_PAWN && (to < 8 || to >= 56);
      for (unsigned t = promotes ? SD_KNIGHT : SD_NO_PIECE; t <= (promotes ? SD_QUEEN : SD_NO_PIECE); t++) {
        unsigned captured = ep ? SD_PAWN : b.man[to] < 0 ? SD_NO_PIECE : (unsigned) b.man[to] % 6;
        sd_move m = { (uint8_t) from, (uint8_t) to, (uint8_t) type, (uint8_t) captured, (uint8_t) t, ep };
        oracle_board a = oracle_play (&b, &m);
        bool captures = captured != SD_NO_PIECE;
        bool wanted = which == 0 || ((which & 1) && captures) || ((which & 2) && promotes && !captures);
        if (wanted && !oracle_check (&a, us))
          out[n++] = m;
      }
    }
  }
  return n;
}

static inline int oracle_compare_moves (const void *a, const void *b) {
  const sd_move *x = a, *y = b;
  const int d[6] = { x->from - y->from,           x->to - y->to,
                     x->piece - y->piece,         x->captured - y->captured,
                     x->promotion - y->promotion, x->en_passant - y->en_passant };
  for (unsigned i = 0; i < 6; i++)
    if (d[i])
      return d[i];
  return 0;
}

/* Rights that p could have: a double step that is not contradicted by the men, and a legal capture. */
static inline uint64_t oracle_ep_squares (const sd_pos *p) {
  uint64_t squares = 0;
  unsigned us = p->stm;
  for (unsigned ep = us == SD_WHITE ? 40 : 16; ep < (us == SD_WHITE ? 48u : 24u); ep++) {
    sd_pos q = *p;
    q.ep = (uint8_t) ep;
    oracle_board b = oracle_of (&q);
    sd_move moves[SD_MAX_MOVES];
    if (b.man[ep] >= 0 || b.man[us == SD_WHITE ? ep + 8 : ep - 8] >= 0
        || b.man[us == SD_WHITE ? ep - 8 : ep + 8] != (int) ((us ^ 1) * 6 + SD_PAWN))
      continue;
    unsigned n = oracle_moves (&q, 1, moves);
    for (unsigned i = 0; i < n; i++)
      if (moves[i].en_passant)
        squares |= (uint64_t) 1 << ep;
  }
  return squares;
}

/* A legal position of this material with random colours and side to move; with `ep` it has a right wherever
 * one is possible. */
static inline void oracle_random_position (const sd_material *m, uint64_t *rng, bool ep, sd_pos *out) {
  sd_material swapped = *m;
  if (sd_random (rng) & 1) {
    memcpy (swapped.count[0], m->count[1], 6);
    memcpy (swapped.count[1], m->count[0], 6);
  }
  uint8_t sq[64];
  unsigned men = sd_material_men (m);
  oracle_board b;
  do {
    for (unsigned i = 0; i < men; i++) {
      sq[i] = (uint8_t) (sd_random (rng) % 64);
      for (unsigned j = 0; j < i; j++)
        if (sq[j] == sq[i]) {
          i--;
          break;
        }
    }
    sd_pos_from_squares (&swapped, sq, sd_random (rng) & 1, out);
    b = oracle_of (out);
  } while (((out->by[0][SD_PAWN] | out->by[1][SD_PAWN]) & UINT64_C (0xff000000000000ff))
           || oracle_check (&b, b.stm ^ 1));
  uint64_t squares = sd_ep_squares (out);
  if (ep && squares)
    out->ep = (uint8_t) sd_lowest (squares);
}

#endif
