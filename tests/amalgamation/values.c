/* All that a prober says of random positions of the endings whose names are given: values PATH FLAGS
 * ENDING... The same text for the library and for the two files to copy. Positions need not be legal. */
#ifdef AMALGAMATION
#include "subdef_probe.h"
#else
#include <subdef/probe.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static unsigned draw (unsigned below) { /* splitmix64 */
  uint64_t z = state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (unsigned) ((z ^ z >> 31) % below);
}

static sd_prober_position position (const char *ending) {
  sd_prober_position p = { .black_to_move = (uint8_t) draw (2), .clock = (uint8_t) draw (110) };
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
      square = UINT64_C (1) << (*c == 'P' ? 8 + draw (48) : draw (64));
    while ((p.white | p.black) & square);
    *type |= square;
    *(white ? &p.white : &p.black) |= square;
  }
  return p;
}

static void tell (const sd_prober *prober, const sd_prober_position *p) {
  static sd_prober_move moves[SD_PROBER_MOVES];
  char message[600] = "";
  int a = 9, b = 9;
  unsigned n = 0;
  const int wdl = sd_prober_wdl (prober, p, &a);
  printf ("%d %d", wdl, a);
  const int dtm = sd_prober_dtm (prober, p, &a, &b);
  printf (", %d %d %d", dtm, a, b);
  const int wdl50 = sd_prober_wdl50 (prober, p, &a);
  printf (", %d %d", wdl50, a);
  const int dtz50 = sd_prober_dtz50 (prober, p, &a, &b);
  printf (", %d %d %d", dtz50, a, b);
  const int batch = sd_prober_wdl_batch (prober, p, 1, &a, &b);
  printf (", %d %d %d", batch, a, b);
  const int why = sd_prober_explain (prober, p, SD_PROBER_DTM, message, sizeof message);
  printf ("; %d %s\n", why, message);
  for (unsigned way = 0; way < 3; way++) {
    n = 0;
    const int status = way == 0   ? sd_prober_root (prober, p, moves, &n)
                       : way == 1 ? sd_prober_root_dtz50 (prober, p, p->clock & 1, moves, &n)
                                  : sd_prober_root_wdl50 (prober, p, moves, &n);
    printf ("%d", status);
    for (unsigned i = 0; i < n; i++)
      printf (" %s %d %d %d %d %d", moves[i].uci, moves[i].dtm, moves[i].dtz50, moves[i].rank, moves[i].wdl,
              moves[i].wdl50);
    printf ("\n");
  }
}

int main (int argc, char **argv) {
  char message[600];
  sd_prober *prober;
  if (argc < 3)
    return 2;
  const int status =
      sd_prober_open (argv[1], (unsigned) strtoul (argv[2], NULL, 10), &prober, message, sizeof message);
  printf ("%d %s %s\n", status, message, sd_prober_text (status));
  for (unsigned i = 0; sd_prober_skipped (prober, i, message, sizeof message) != SD_PROBER_OK; i++)
    printf ("%s\n", message);
  for (int k = 3; k < argc && prober; k++)
    for (unsigned i = 0; i < 100; i++) {
      const sd_prober_position p = position (argv[k]);
      tell (prober, &p);
    }
  sd_prober_close (prober);
  return 0;
}
