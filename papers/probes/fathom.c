/* fathom.c - WDL probes of Fathom in Syzygy's files beside those of <subdef/probe.h> in tables of several
 * codecs, for the same positions, in one process and in turns: the values, and how long a probe takes.
 *   fathom SYZYGY POSITIONS SEED NAME=PATH... ENDING...
 * SYZYGY: folders of .rtbw files; NAME=PATH: tables of ours, and what the column `tables` calls them. Fathom
 * is compiled beside this file (run.sh). A row of CSV for each ending and each NAME; 1 at the end if a value
 * differs, 2 if a probe fails.
 *
 * Random positions over all of the ending: squares, side to move and colours are drawn until a position is
 * legal; where both sides have pawns, half of those in which a double step may have been the last move get
 * its en-passant square. Other positions are probed first, so that files are in memory. Each pass probes each
 * position once with every prober, whose turn moves on from position to position; the least of PASSES times
 * counts, less what reading the clock twice takes. All that an engine pays is included: the tests for
 * legality that sd_prober_wdl makes, captures and promotions. */
#include "tbprobe.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subdef/probe.h>
#include <time.h>

enum { PASSES = 4, PROBERS = 8, WARM = 50000 };

typedef struct place {
  sd_prober_position at;
  int8_t value;
} place;
typedef struct probers {
  unsigned n; /* number n is Fathom */
  const char *name[PROBERS];
  sd_prober *prober[PROBERS];
} probers;

static uint64_t state;
static uint64_t draw (uint64_t below) { /* splitmix64 */
  uint64_t z = state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

static void fail (const char *what, const char *which) {
  fprintf (stderr, "fathom: %s: %s\n", which, what);
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

static int fathom_wdl (const sd_prober_position *p) {
  const unsigned v = tb_probe_wdl (p->white, p->black, p->kings, p->queens, p->rooks, p->bishops, p->knights,
                                   p->pawns, 0, 0, p->ep, !p->black_to_move);
  if (v == TB_RESULT_FAILED)
    fail ("Fathom has no value", "a position");
  return v > TB_DRAW ? 1 : v < TB_DRAW ? -1 : 0;
}

static inline uint64_t now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * UINT64_C (1000000000) + (uint64_t) t.tv_nsec;
}

static int by_size (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return x < y ? -1 : x > y;
}

/* The median of reading the clock twice. */
static uint32_t clock_takes (void) {
  static uint32_t t[10001];
  for (unsigned i = 0; i < 10001; i++) {
    const uint64_t begin = now ();
    t[i] = (uint32_t) (now () - begin);
  }
  qsort (t, 10001, sizeof *t, by_size);
  return t[5000];
}

static int probe (const probers *all, unsigned which, const sd_prober_position *p) {
  int wdl = 2;
  if (which == all->n)
    return fathom_wdl (p);
  if (sd_prober_wdl (all->prober[which], p, &wdl) != SD_PROBER_OK)
    fail ("no value for a position", all->name[which]);
  return wdl;
}

/* All positions once; ns[which * n + i] becomes the least so far. How many values of number `which` are not
 * Fathom's: differ[which]. */
static void pass (const probers *all, place *at, unsigned n, uint32_t *ns, unsigned *differ) {
  const unsigned count = all->n + 1;
  memset (differ, 0, PROBERS * sizeof *differ);
  for (unsigned i = 0; i < n; i++) {
    int value[PROBERS + 1];
    for (unsigned turn = 0; turn < count; turn++) {
      const unsigned which = (i + turn) % count;
      const uint64_t begin = now ();
      value[which] = probe (all, which, &at[i].at);
      const uint64_t took = now () - begin;
      uint32_t *least = &ns[which * n + i];
      if (took < *least)
        *least = (uint32_t) took;
    }
    for (unsigned which = 0; which < all->n; which++)
      differ[which] += value[which] != value[all->n];
  }
}

static bool measure (const probers *all, const char *ending, unsigned n) {
  place *at = calloc (n, sizeof *at);
  uint32_t *ns = malloc ((all->n + 1) * n * sizeof *ns);
  unsigned differ[PROBERS], passant = 0;
  bool equal = true;
  if (!at || !ns)
    fail ("out of memory", ending);
  memset (ns, 0xff, (all->n + 1) * n * sizeof *ns);
  for (unsigned i = 0; i < WARM; i++) {
    draw_position (ending, all->prober[0], &at[0].at);
    for (unsigned which = 0; which <= all->n; which++)
      probe (all, which, &at[0].at);
  }
  for (unsigned i = 0; i < n; i++) {
    draw_position (ending, all->prober[0], &at[i].at);
    passant += at[i].at.ep != 0;
  }
  for (unsigned k = 0; k < PASSES; k++)
    pass (all, at, n, ns, differ);
  const uint32_t empty = clock_takes ();
  for (unsigned which = 0; which <= all->n; which++) {
    for (unsigned i = 0; i < n; i++)
      ns[which * n + i] -= ns[which * n + i] < empty ? ns[which * n + i] : empty;
    qsort (ns + which * n, n, sizeof *ns, by_size);
  }
  const uint32_t *theirs = ns + all->n * n;
  for (unsigned which = 0; which < all->n; which++) {
    const uint32_t *ours = ns + which * n;
    printf ("%s,%s,%u,%u,%u", ending, all->name[which], n, passant, differ[which]);
    for (unsigned k = 0; k < 3; k++) {
      const unsigned place = k == 0 ? n / 2 : k == 1 ? n / 10 * 9 : n / 100 * 99;
      printf (",%u,%u", ours[place], theirs[place]);
    }
    printf ("\n");
    equal &= differ[which] == 0;
  }
  fflush (stdout);
  free (at);
  free (ns);
  return equal;
}

int main (int argc, char **argv) {
  probers all = { 0 };
  bool equal = true;
  if (argc < 6)
    fail ("SYZYGY POSITIONS SEED NAME=PATH... ENDING...", "usage");
  if (!tb_init (argv[1]) || TB_LARGEST == 0)
    fail ("no Syzygy files", argv[1]);
  const unsigned n = (unsigned) strtoul (argv[2], NULL, 10);
  state = strtoull (argv[3], NULL, 10);
  if (n < 100)
    fail ("at least 100 positions", argv[2]);
  printf ("ending,tables,positions,en_passant,differ,median_ns,fathom_median_ns,p90_ns,fathom_p90_ns,p99_ns,"
          "fathom_p99_ns\n");
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '='), message[256];
    if (!is) {
      if (all.n == 0)
        fail ("no tables before it", argv[i]);
      equal &= measure (&all, argv[i], n);
      continue;
    }
    *is = 0;
    if (all.n == PROBERS
        || sd_prober_open (is + 1, 0, &all.prober[all.n], message, sizeof message) != SD_PROBER_OK)
      fail (all.n == PROBERS ? "too many" : message, argv[i]);
    all.name[all.n++] = argv[i];
  }
  for (unsigned i = 0; i < all.n; i++)
    sd_prober_close (all.prober[i]);
  tb_free ();
  return equal ? 0 : 1;
}
