/* fathom.c - WDL probes of Fathom in Syzygy's files beside those of <subdef/probe.h> in tables of several
 * codecs, for the same positions, in one process and in turns: the values, and how long a probe takes.
 *   fathom SYZYGY POSITIONS SEED NAME=PATH... ENDING...
 * SYZYGY: folders of .rtbw files; NAME=PATH: tables of ours, and what the column `tables` calls them. Fathom
 * is compiled beside this file (run.sh). A row of CSV for each ending and each NAME; 1 at the end if a value
 * differs, 2 if a probe fails.
 *
 * Other positions are probed first, so that files are in memory. Each pass probes each position once with
 * every prober, whose turn moves on from position to position; the least of PASSES times counts, less what
 * reading the clock twice takes. All that an engine pays is included: the tests for legality that
 * sd_prober_wdl makes, captures and promotions. */
#include "positions.h"
#include <string.h>

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
 * Fathom's: differ[which]. back: in turns the other way round, so that none always finds in caches what the
 * same one has left. */
static void pass (const probers *all, place *at, unsigned n, bool back, uint32_t *ns, unsigned *differ) {
  const unsigned count = all->n + 1;
  memset (differ, 0, PROBERS * sizeof *differ);
  for (unsigned i = 0; i < n; i++) {
    int value[PROBERS + 1];
    for (unsigned turn = 0; turn < count; turn++) {
      const unsigned which = (i + (back ? count - turn : turn)) % count;
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
    pass (all, at, n, k % 2, ns, differ);
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
      const unsigned place = (unsigned) ((size_t) n * (k == 0 ? 50 : k == 1 ? 90 : 99) / 100);
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
