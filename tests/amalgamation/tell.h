/* All that a prober says of a random position of an ending, as text. */
#ifdef AMALGAMATION
#include "subdef_probe.h"
#else
#include <subdef/probe.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static unsigned draw (uint64_t *state, unsigned below) {
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (unsigned) ((z ^ z >> 31) % below);
}

static sd_prober_position position (uint64_t *state, const char *ending) {
  sd_prober_position p = { .black_to_move = (uint8_t) draw (state, 2), .clock = (uint8_t) draw (state, 110) };
  int white = 1;
  for (const char *c = ending; *c; c++) {
    if (*c == 'v') {
      white = 0;
      continue;
    }
    uint64_t square, *type = *c == 'K'   ? &p.kings
                             : *c == 'Q' ? &p.queens
                             : *c == 'R' ? &p.rooks
                             : *c == 'B' ? &p.bishops
                             : *c == 'N' ? &p.knights
                                         : &p.pawns;
    do
      square = UINT64_C (1) << (*c == 'P' ? 8 + draw (state, 48) : draw (state, 64));
    while ((p.white | p.black) & square);
    *type |= square;
    *(white ? &p.white : &p.black) |= square;
  }
  return p;
}

static void tell (FILE *out, const sd_prober *prober, const sd_prober_position *p) {
  sd_prober_move moves[SD_PROBER_MOVES];
  char message[600] = "";
  int a = 9, b = 9;
  unsigned n = 0;
  const int wdl = sd_prober_wdl (prober, p, &a);
  fprintf (out, "%d %d", wdl, a);
  const int dtm = sd_prober_dtm (prober, p, &a, &b);
  fprintf (out, ", %d %d %d", dtm, a, b);
  const int wdl50 = sd_prober_wdl50 (prober, p, &a);
  fprintf (out, ", %d %d", wdl50, a);
  const int dtz50 = sd_prober_dtz50 (prober, p, &a, &b);
  fprintf (out, ", %d %d %d", dtz50, a, b);
  const int batch = sd_prober_wdl_batch (prober, p, 1, &a, &b);
  fprintf (out, ", %d %d %d", batch, a, b);
  const int why = sd_prober_explain (prober, p, SD_PROBER_DTM, message, sizeof message);
  fprintf (out, "; %d %s\n", why, message);
  for (unsigned way = 0; way < 3; way++) {
    n = 0;
    const int status = way == 0   ? sd_prober_root (prober, p, moves, &n)
                       : way == 1 ? sd_prober_root_dtz50 (prober, p, p->clock & 1, moves, &n)
                                  : sd_prober_root_wdl50 (prober, p, moves, &n);
    fprintf (out, "%d", status);
    for (unsigned i = 0; i < n; i++)
      fprintf (out, " %s %d %d %d %d %d", moves[i].uci, moves[i].dtm, moves[i].dtz50, moves[i].rank,
               moves[i].wdl, moves[i].wdl50);
    fprintf (out, "\n");
  }
}
