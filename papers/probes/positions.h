/* Random positions of an ending for fathom.c, cold.c and copied.c, and Fathom's value of one. A position is
 * over all of the ending: squares, side to move and colours are drawn until it is legal; where both sides
 * have pawns, half of those in which a double step may have been the last move get its en-passant square. */
#ifndef PROBES_POSITIONS_H
#define PROBES_POSITIONS_H

#ifndef WITHOUT_FATHOM
#include "tbprobe.h"
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <subdef/probe.h>
#include <time.h>

static uint64_t state;
static uint64_t draw (uint64_t below) { /* splitmix64 */
  uint64_t z = state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

static void fail (const char *what, const char *which) {
  fprintf (stderr, "%s: %s\n", which, what);
  exit (2);
}

static uint64_t *men_of (sd_prober_position *p, char letter) {
  switch (letter) {
  case 'K':
    return &p->kings;
  case 'Q':
    return &p->queens;
  case 'R':
    return &p->rooks;
  case 'B':
    return &p->bishops;
  case 'N':
    return &p->knights;
  case 'P':
    return &p->pawns;
  default:
    return NULL;
  }
}

/* A pawn of the side that has just moved may have come by a double step: its square behind. */
static void draw_en_passant (sd_prober_position *p) {
  const uint64_t men = p->white | p->black, pawns = p->pawns & (p->black_to_move ? p->white : p->black);
  const unsigned rank = p->black_to_move ? 3 : 4;
  for (unsigned file = 0; file < 8; file++) {
    const unsigned behind = p->black_to_move ? 16 + file : 40 + file,
                   from = p->black_to_move ? 8 + file : 48 + file;
    if ((pawns >> (8 * rank + file) & 1) && !(men >> behind & 1) && !(men >> from & 1) && draw (2)) {
      p->ep = (uint8_t) behind;
      return;
    }
  }
}

static void draw_position (const char *ending, const sd_prober *legal, sd_prober_position *p) {
  int wdl, status;
  do {
    const bool swapped = draw (2);
    bool white = !swapped;
    *p = (sd_prober_position){ .black_to_move = (uint8_t) draw (2) };
    for (const char *c = ending; *c; c++) {
      if (*c == 'v') {
        white = swapped;
        continue;
      }
      uint64_t square, *type = men_of (p, *c);
      if (!type)
        fail ("not the name of an ending", ending);
      do
        square = UINT64_C (1) << (*c == 'P' ? 8 + draw (48) : draw (64));
      while ((p->white | p->black) & square);
      *type |= square;
      *(white ? &p->white : &p->black) |= square;
    }
    draw_en_passant (p);
    status = sd_prober_wdl (legal, p, &wdl);
  } while (status == SD_PROBER_ILLEGAL);
  if (status != SD_PROBER_OK)
    fail (sd_prober_text (status), ending);
}

#ifndef WITHOUT_FATHOM
static int fathom_wdl (const sd_prober_position *p) {
  const unsigned v = tb_probe_wdl (p->white, p->black, p->kings, p->queens, p->rooks, p->bishops, p->knights,
                                   p->pawns, 0, 0, p->ep, !p->black_to_move);
  if (v == TB_RESULT_FAILED)
    fail ("Fathom has no value", "a position");
  return v > TB_DRAW ? 1 : v < TB_DRAW ? -1 : 0;
}
#endif

static inline uint64_t now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * UINT64_C (1000000000) + (uint64_t) t.tv_nsec;
}

#endif
