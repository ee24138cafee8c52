/* together.c - WDL probes of random positions one by one and in batches (sd_prober_wdl_batch), beside
 * Fathom's in Syzygy's files, of tables in memory.
 *   together SYZYGY POSITIONS SEED NAME=PATH... ENDING...
 * As fathom.c; a row of CSV for each ending and each NAME: the bytes of its table, ours of Fathom's CPU time
 * one by one, and in batches of ours one by one, as medians over ROUNDS rounds. In a round each way probes
 * all positions once, and the ways take turns, so that what other programs do meanwhile meets all of them.
 * Only shares are written, no times. A value that differs ends it with 2. */
#include "positions.h"
#include <string.h>
#include <sys/stat.h>

enum { ROUNDS = 25, PROBERS = 8 };

typedef struct probers {
  unsigned n;
  const char *name[PROBERS], *path[PROBERS];
  sd_prober *prober[PROBERS];
} probers;

typedef struct way {
  const sd_prober *prober; /* NULL: Fathom */
  bool batch;
} way;

static int by_size (const void *a, const void *b) {
  const double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static double cpu_seconds (void) {
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* CPU seconds for all positions. */
static double take (const way *w, const sd_prober_position *at, unsigned n, int *wdl, int *status) {
  const double begin = cpu_seconds ();
  if (w->batch && sd_prober_wdl_batch (w->prober, at, n, wdl, status) != SD_PROBER_OK)
    fail ("no value for a position", "a batch");
  for (unsigned i = 0; i < n && !w->batch; i++)
    if (!w->prober)
      wdl[i] = fathom_wdl (&at[i]);
    else if (sd_prober_wdl (w->prober, &at[i], &wdl[i]) != SD_PROBER_OK)
      fail ("no value for a position", "one by one");
  return cpu_seconds () - begin;
}

/* The median of a[k] / b[k]. */
static double share (const double *a, const double *b) {
  double s[ROUNDS];
  for (unsigned k = 0; k < ROUNDS; k++)
    s[k] = a[k] / b[k];
  qsort (s, ROUNDS, sizeof *s, by_size);
  return s[ROUNDS / 2];
}

static long long bytes_of (const char *folder, const char *ending) {
  char path[4096];
  struct stat s;
  snprintf (path, sizeof path, "%s/%s.wdl.sdt", folder, ending);
  if (stat (path, &s) != 0)
    fail ("not there", path);
  return (long long) s.st_size;
}

static void measure (const probers *all, const char *ending, unsigned n) {
  const unsigned ways = 1 + 2 * all->n;
  way w[1 + 2 * PROBERS] = { { NULL, false } };
  double s[1 + 2 * PROBERS][ROUNDS];
  sd_prober_position *at = calloc (n, sizeof *at);
  int *wdl = malloc (n * sizeof *wdl), *status = malloc (n * sizeof *status),
      *theirs = malloc (n * sizeof *theirs);
  if (!at || !wdl || !status || !theirs)
    fail ("out of memory", ending);
  for (unsigned k = 1; k < ways; k++)
    w[k] = (way){ all->prober[(k - 1) / 2], k % 2 == 0 };
  for (unsigned i = 0; i < n; i++)
    draw_position (ending, all->prober[0], &at[i]);
  /* Round -1 reads the files. */
  for (int round = -1; round < ROUNDS; round++)
    for (unsigned t = 0; t < ways; t++) {
      const unsigned k = (t + (unsigned) (round + 1)) % ways;
      const double took = take (&w[k], at, n, k ? wdl : theirs, status);
      if (round >= 0)
        s[k][round] = took;
      for (unsigned i = 0; i < n && k && round > 0; i++)
        if (wdl[i] != theirs[i])
          fail ("a value differs", ending);
    }
  for (unsigned i = 0; i < all->n; i++)
    printf ("%s,%s,%lld,%u,%d,%.3f,%.3f\n", ending, all->name[i], bytes_of (all->path[i], ending), n, ROUNDS,
            share (s[1 + 2 * i], s[0]), share (s[2 + 2 * i], s[1 + 2 * i]));
  fflush (stdout);
  free (at);
  free (wdl);
  free (status);
  free (theirs);
}

int main (int argc, char **argv) {
  probers all = { 0 };
  if (argc < 6)
    fail ("SYZYGY POSITIONS SEED NAME=PATH... ENDING...", "usage");
  if (!tb_init (argv[1]) || TB_LARGEST == 0)
    fail ("no Syzygy files", argv[1]);
  const unsigned n = (unsigned) strtoul (argv[2], NULL, 10);
  state = strtoull (argv[3], NULL, 10);
  printf ("ending,tables,bytes,positions,rounds,single_of_fathom,batch_of_single\n");
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '='), message[256];
    if (!is) {
      if (all.n == 0)
        fail ("no tables before it", argv[i]);
      measure (&all, argv[i], n);
      continue;
    }
    *is = 0;
    if (all.n == PROBERS
        || sd_prober_open (is + 1, 0, &all.prober[all.n], message, sizeof message) != SD_PROBER_OK)
      fail (all.n == PROBERS ? "too many" : message, argv[i]);
    all.path[all.n] = is + 1;
    all.name[all.n++] = argv[i];
  }
  for (unsigned i = 0; i < all.n; i++)
    sd_prober_close (all.prober[i]);
  tb_free ();
  return 0;
}
