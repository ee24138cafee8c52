/* Zobrist hashing: the hash of a position is the exclusive or of a random number for every man on his square,
 * so that a move changes it by two to four numbers, whatever else stands on the board. Two hashes of 64 bits
 * with numbers of their own are kept side by side. */
#include "config.h"
#include "search/search.h"

static sd_hash draw (uint64_t *state) {
  const uint64_t f = sd_random (state);
  return (sd_hash){ f, sd_random (state) };
}

static void toggle (sd_hash *h, sd_hash number) {
  h->f ^= number.f;
  h->g ^= number.g;
}

void sd_zobrist_fill (sd_zobrist *z, uint64_t seed) {
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 6; t++)
      for (unsigned sq = 0; sq < 64; sq++)
        z->man[c][t][sq] = draw (&seed);
  z->black = draw (&seed);
  for (unsigned sq = 0; sq < 64; sq++)
    z->ep[sq] = draw (&seed);
}

sd_hash sd_hash_of (const sd_zobrist *z, const sd_pos *p) {
  sd_hash h = { 0, 0 };
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 6; t++)
      for (uint64_t b = p->by[c][t]; b; b &= b - 1)
        toggle (&h, z->man[c][t][sd_lowest (b)]);
  if (p->stm == SD_BLACK)
    toggle (&h, z->black);
  if (p->ep != SD_NO_SQUARE)
    toggle (&h, z->ep[p->ep]);
  return h;
}

sd_hash sd_hash_after (const sd_zobrist *z, sd_hash h, const sd_pos *before, const sd_move *m,
                       const sd_pos *after) {
  const unsigned us = before->stm;
  toggle (&h, z->man[us][m->piece][m->from]);
  toggle (&h, z->man[us][m->promotion == SD_NO_PIECE ? m->piece : m->promotion][m->to]);
  if (m->captured != SD_NO_PIECE)
    toggle (&h, z->man[us ^ 1][m->captured][m->en_passant ? m->to ^ 8u : m->to]);
  toggle (&h, z->black);
  if (before->ep != SD_NO_SQUARE)
    toggle (&h, z->ep[before->ep]);
  if (after->ep != SD_NO_SQUARE)
    toggle (&h, z->ep[after->ep]);
  return h;
}
